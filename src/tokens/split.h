/*
 * split.h - cuts text into the pieces that are turned into tokens one by one.
 *
 * No token crosses the end of a piece. Where pieces end is laid down by a regular
 * expression that comes with the vocabulary; there are a few families of them, and
 * within a family they differ in details, so a rule is a family and its details.
 */
#ifndef TOKENS_SPLIT_H
#define TOKENS_SPLIT_H

#include "pith.h"

typedef enum split_family {
    SPLIT_GPT2,    /* r50k, p50k: one space may lead a word, a number, a symbol */
    SPLIT_CL100K,  /* any one character may lead a word; line ends close a symbol */
    SPLIT_O200K,   /* the same, and words are cut where a capital follows */
    SPLIT_DEEPSEEK /* marks are letters; what is none of all that is left over */
} split_family;

typedef enum split_endings {
    SPLIT_ENDINGS_NONE,
    SPLIT_ENDINGS_EXACT,  /* 's 't 're 've 'm 'll 'd */
    SPLIT_ENDINGS_FOLDED, /* the same in any case */
} split_endings;

/* What is cut out of the text before anything else; no piece reaches across. */
typedef enum split_apart {
    SPLIT_NOTHING_APART,
    SPLIT_DIGITS_APART,
    SPLIT_DIGITS_AND_KANA_APART /* and runs of CJK ideographs and kana */
} split_apart;

typedef struct split_rule {
    split_family family;
    split_endings endings;
    unsigned digits; /* the most digits in a piece; 0 for any number */
    bool slashes;    /* slashes may stand among the line ends that close a symbol */
    bool nfc;        /* only text that Normalization Form C leaves as it is */
    split_apart apart;
} split_rule;

typedef struct splitter {
    const split_rule *rule;
    const char *end;
    bool open;           /* more text may follow after `end` */
    bool met_end;        /* what the last piece is depends on what follows */
    const char *stretch; /* where what is not cut apart ends, once that was looked for */
    const char *bad;     /* what cannot be split: ill-formed UTF-8, or not in form C */
    bool unstable;       /* of the two it is the second */
} splitter;

/* A splitter of the text that ends at `end`. */
splitter split_start(const split_rule *rule, const char *end, bool open);

/* The end of the piece at `at`, which is before the end of the text. NULL when that
 * depends on text still to come, or when there is something bad in the way. */
const char *split_piece(splitter *split, const char *at);

/* What is wrong at `bad`: a code word, and a sentence without its end. */
static inline const char *split_bad_code(bool unstable)
{
    return unstable ? "not_normalized" : "invalid_utf8";
}

static inline const char *split_bad_message(bool unstable)
{
    return unstable ? "text that Normalization Form C might change cannot be counted here"
                    : "ill-formed UTF-8 has no tokens";
}

#endif
