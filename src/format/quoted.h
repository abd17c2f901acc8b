/*
 * quoted.h - reading a text in quotes, whatever the format escapes in it.
 *
 * A text without escapes is borrowed from the input. Any other is decoded into the arena,
 * where it keeps its place in the input (build_place_text). What a format allows and how
 * it words what it does not allow are its rules.
 */
#ifndef FORMAT_QUOTED_H
#define FORMAT_QUOTED_H

#include "doc/read.h"

/* A code word, and the sentence that goes with it. */
typedef struct quoted_problem {
    const char *code;
    const char *sentence;
} quoted_problem;

typedef struct quoted_rules {
    const char *letters; /* of the escapes */
    bool raw_controls;   /* control characters stand for themselves */
    bool no_pairs;       /* \u may name no surrogate, not even both of a pair */
    bool replace;        /* half of a pair becomes U+FFFD */
    bool doubled;        /* a quote may be written as two */
    bool one_problem;    /* only the first problem of a text is told */

    /* The input was not checked before: its UTF-8 is, here. A text with problems counts as
     * empty, and reading goes on after it. */
    bool unchecked;

    quoted_problem unclosed;
    quoted_problem escape;     /* none of the letters after the backslash */
    quoted_problem hex;        /* \u without four digits */
    quoted_problem surrogate;  /* its sentence may begin with %.6s, the escape */
    quoted_problem control;    /* its sentence may have %04x, the character, twice */
    quoted_problem line_break; /* the same for line breaks; or NULL */
} quoted_rules;

/* Reads the text whose opening quote is at `open`. Returns what is after the closing quote;
 * NULL after a problem, when `*text` is as it is written, or if `unchecked`, when reading
 * has to stop. */
const char *quoted_read_text(text_reader *r, const quoted_rules *rules, const char *open,
                             const char *end, pith_text *text, uint8_t *flags);

/* The same into a slot, which is set in any case. */
const char *quoted_read(text_reader *r, const quoted_rules *rules, const char *open,
                        const char *end, pith_slot *slot);

#endif
