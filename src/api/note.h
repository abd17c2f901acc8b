/*
 * note.h - what a text says of what was left out of it.
 */
#ifndef API_NOTE_H
#define API_NOTE_H

#include "api/api.h"
#include "doc/cut.h"

enum { NOTE_TEXT_MOST = 400 };

/* Where a text written so has its note. It is refused to ask for a comment in a format that
 * has none; "auto" may become one, and then says nothing. */
settings_note note_place(const api_side *to);
pith_status note_check(const api_side *to, pith_error *err);

/* Whether anything was left out. */
bool note_is_due(const cut_tally *tally);

/* What was left out, as half a sentence: "3 of 5 rows left out, 1 text clipped". `unit` is
 * what rows are called. Its length. */
size_t note_write(const cut_tally *tally, const char *unit, char into[NOTE_TEXT_MOST]);

/* The line that says so after a text that ends with `last`; empty unless it is due and has
 * its place there. Its length. */
size_t note_line(const api_side *to, const cut_tally *tally, const char *unit, char last,
                 char into[NOTE_TEXT_MOST]);

/* Ends a copy of `value` whose array or object is open with a member _note, or an element
 * that has it, if it is due. */
void note_add(pith_doc *doc, pith_value value, const cut_tally *tally, const char *unit);

/* What stands before a number of tokens that is an estimate; else nothing. */
const char *note_guess(const pith_options *options);

/* Tells whoever wants notices what was left out, if anything was. */
void note_tell(const pith_options *options, const cut_tally *tally,
               const pith_outcome *outcome, uint64_t budget);

/* Puts the tally into the outcome. */
void note_outcome(const cut_tally *tally, pith_outcome *outcome);

#endif
