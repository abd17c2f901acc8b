/*
 * note.c - what a text says of what was left out of it.
 *
 * A model that is given 5 of 1000 rows has to know that there are more. In formats whose
 * readers pass over comments, a line after the text says so; TOON forbids its writers
 * comments of their own accord, so there it has to be asked for. In JSON and the like only a
 * member could say it, and that changes the value: it has to be asked for, too.
 */
#include "api/note.h"
#include "base/print.h"

static bool note_has_comments(const api_side *to)
{
    const codec *format = to->format;
    return format->comment && (!format->has_comments || format->has_comments(&to->set));
}

settings_note note_place(const api_side *to)
{
    settings_note asked = (settings_note)to->set.common[SETTINGS_NOTE];
    if (asked == NOTE_MEMBER || asked == NOTE_NONE)
        return asked;
    bool silent = asked == NOTE_AUTO && to->format->comment_on_request;
    return note_has_comments(to) && !silent ? NOTE_LINE : NOTE_NONE;
}

pith_status note_check(const api_side *to, pith_error *err)
{
    if (to->set.common[SETTINGS_NOTE] != NOTE_LINE || to->format->info.chooses ||
        note_has_comments(to))
        return PITH_OK;
    return error_set(err, PITH_BAD_USE, "unused_setting",
                     "note=line needs comments, which %s written so has not got; "
                     "note=member puts it into the value",
                     to->format->info.name);
}

bool note_is_due(const cut_tally *tally)
{
    return tally->rows_left_out + tally->members_left_out + tally->texts_clipped > 0;
}

/* A text that is made piece by piece. */
typedef struct note_pen {
    char *text;
    size_t len;
} note_pen;

/* "3 of 5 rows" */
static void note_share(note_pen *pen, size_t kept, size_t gone, const char *what)
{
    size_t len = gone == 0 ? 0
                           : print_into(pen->text + pen->len, NOTE_TEXT_MOST - pen->len,
                                        "%s%zu of %zu %s", pen->len > 0 ? ", " : "", gone,
                                        kept + gone, what);
    pen->len += len;
    assert(pen->len < NOTE_TEXT_MOST);
}

size_t note_write(const cut_tally *tally, const char *unit, char into[NOTE_TEXT_MOST])
{
    note_pen pen = {into, 0};
    size_t texts = tally->texts_clipped;
    bool named = tally->name_count > 1 && tally->name_count <= CUT_NAMES_MOST;
    into[0] = '\0';
    for (size_t i = 0; named && i < tally->name_count; i++)
        note_share(&pen, tally->named[i].kept, tally->named[i].gone,
                   tally->named[i].name);
    if (!named) {
        note_share(&pen, tally->rows, tally->rows_left_out, unit);
        note_share(&pen, tally->members, tally->members_left_out, "members");
    }
    if (pen.len > 0)
        pen.len += print_into(into + pen.len, NOTE_TEXT_MOST - pen.len, " left out%s",
                              texts > 0 ? ", " : "");
    if (texts > 0)
        pen.len += print_into(into + pen.len, NOTE_TEXT_MOST - pen.len,
                              "%zu text%s clipped", texts, texts > 1 ? "s" : "");
    assert(pen.len < NOTE_TEXT_MOST);
    return pen.len;
}

size_t note_line(const api_side *to, const cut_tally *tally, const char *unit, char last,
                 char into[NOTE_TEXT_MOST])
{
    char text[NOTE_TEXT_MOST];
    into[0] = '\0';
    if (!note_is_due(tally) || note_place(to) != NOTE_LINE)
        return 0;
    note_write(tally, unit, text);
    size_t len = print_into(into, NOTE_TEXT_MOST, "%s%s%.*s%s", last == '\n' ? "" : "\n",
                            to->format->comment, NOTE_TEXT_MOST - 8, text,
                            to->set.common[SETTINGS_FINAL_NEWLINE] ? "\n" : "");
    return len;
}

/* A key that the object has not got: _note, or with more lines in front. */
static size_t note_key(pith_value value, char key[NOTE_TEXT_MOST])
{
    size_t len = 5;
    memset(key, '_', NOTE_TEXT_MOST);
    memcpy(key, "_note", 5);
    while (len < NOTE_TEXT_MOST && pith_value_get(value, key, len).doc) {
        memmove(key + 1, key, len++);
        key[0] = '_';
    }
    return len;
}

void note_add(pith_doc *doc, pith_value value, const cut_tally *tally, const char *unit)
{
    char key[NOTE_TEXT_MOST];
    char text[NOTE_TEXT_MOST];
    bool array = pith_value_kind(value) == PITH_ARRAY;
    if (note_is_due(tally)) {
        size_t key_len = note_key(value, key);
        size_t len = note_write(tally, unit, text);
        if (array)
            pith_doc_open_object(doc);
        pith_doc_add_key(doc, key, key_len);
        pith_doc_add_text(doc, text, len);
        if (array)
            pith_doc_close(doc);
    }
    pith_doc_close(doc);
}

void note_outcome(const cut_tally *tally, pith_outcome *outcome)
{
    outcome->rows = tally->rows;
    outcome->rows_left_out = tally->rows_left_out;
    outcome->members = tally->members;
    outcome->members_left_out = tally->members_left_out;
    outcome->texts_clipped = tally->texts_clipped;
}

const char *note_guess(const pith_options *options)
{
    const pith_vocab *vocab = options ? options->vocab : NULL;
    return vocab && !pith_vocab_describe(vocab).exact ? "~" : "";
}

void note_tell(const pith_options *options, const cut_tally *tally,
               const pith_outcome *outcome, uint64_t budget)
{
    char text[NOTE_TEXT_MOST];
    pith_error remark;
    if (!options || !options->notice || !note_is_due(tally))
        return;
    note_write(tally, outcome->unit, text);
    if (budget > 0)
        error_set(&remark, PITH_OK, "left_out", "%s; %s%zu tokens of %llu", text,
                  note_guess(options), outcome->tokens, (unsigned long long)budget);
    else
        error_set(&remark, PITH_OK, "left_out", "%s", text);
    options->notice(options->notice_ctx, &remark);
}
