/*
 * answer.h - what a model answered: a text that is almost data, or has data in it.
 *
 *     Sure! Here it is:          find    the places where data may be (answer_find.c)
 *     ```json                    read    by the format that a word or the content names,
 *     {name: 'Ada', id: 7,}              or with a reader that forgives (answer_loose.c)
 *     ```                        tell    a notice for everything that was mended
 *
 * Mends are of two levels. Safe ones cannot change a value that was meant: a comma too many,
 * a comment, quotes of another kind. The others are guesses: a text that was cut off is
 * completed, a quote inside a string taken for text. The reader always does what it can and
 * notes each mend; whether all of them are allowed is asked afterwards. So an error can say
 * which mend would help.
 */
#ifndef FORMAT_ANSWER_ANSWER_H
#define FORMAT_ANSWER_ANSWER_H

#include "base/list.h"
#include "doc/read.h"
#include "format/format.h"

#define ANSWER_SETTINGS(row)                                                             \
    row(ANSWER_DUPLICATES, "duplicates", PITH_SETTING_CHOICE, PITH_READ, "refuse|last",  \
        0, 0, "refuse",                                                                  \
        "what a repeated key means: an error, or that the last value wins"),             \
        row(ANSWER_SURROGATES, "surrogates", PITH_SETTING_CHOICE, PITH_READ,             \
            "refuse|replace", 0, 0, "refuse",                                            \
            "what half a surrogate pair means: an error, or U+FFFD"),                    \
        row(ANSWER_PICK, "pick", PITH_SETTING_CHOICE, PITH_READ, "first|last|all", 0, 0, \
            "first", "which of the data in the answer; all of it is an array"),          \
        row(ANSWER_MEND, "mend", PITH_SETTING_CHOICE, PITH_READ, "safe|none|all", 0, 0,  \
            "safe",                                                                      \
            "what may be mended: nothing, what cannot change a value, or also by "       \
            "guessing"),                                                                 \
        row(ANSWER_STREAM, "stream", PITH_SETTING_BOOL, PITH_READ, NULL, 0, 1, "false",  \
            "hand out the members of an object one by one, too")

enum { ANSWER_SETTINGS(SETTINGS_NAME), ANSWER_SETTING_COUNT };
enum { PICK_FIRST, PICK_LAST, PICK_ALL };
typedef enum answer_level { MEND_NONE, MEND_SAFE, MEND_ALL } answer_level;
enum { ANSWER_MEND_SAFE, ANSWER_MEND_NONE, ANSWER_MEND_ALL }; /* the setting's order */

/* Every mend: its name, its code word, its level, what was mended, and how. */
#define ANSWER_MENDS(X)                                                                  \
    X(MEND_COMMENT, "dropped_comment", MEND_SAFE, "a comment", "left out")               \
    X(MEND_COMMA, "mended_comma", MEND_SAFE, "a surplus comma", "left out")              \
    X(MEND_NO_COMMA, "missing_comma", MEND_SAFE, "a comma between two values", "added")  \
    X(MEND_QUOTES, "mended_quotes", MEND_SAFE, "a text in other quotes",                 \
      "taken as text")                                                                   \
    X(MEND_BARE_KEY, "bare_key", MEND_SAFE, "a key without quotes", "taken as a key")    \
    X(MEND_CONTROL, "raw_control", MEND_SAFE,                                            \
      "a line break or a control character in a text", "kept")                           \
    X(MEND_ESCAPE, "mended_escape", MEND_SAFE, "an escape of another language", "read")  \
    X(MEND_WORD, "mended_word", MEND_SAFE, "a word of another language", "translated")   \
    X(MEND_SPACE, "mended_space", MEND_SAFE, "an unusual space or a byte order mark",    \
      "left out")                                                                        \
    X(MEND_TUPLE, "mended_tuple", MEND_SAFE, "a list in parentheses",                    \
      "read as an array")                                                                \
    X(MEND_FENCE, "closed_fence", MEND_SAFE, "the end of a fenced block", "added")       \
    X(MEND_CUT, "completed", MEND_ALL, "what is open where the text ends", "closed")     \
    X(MEND_CUT_KEY, "dropped_key", MEND_ALL, "a key whose value is missing", "left out") \
    X(MEND_CUT_WORD, "dropped_word", MEND_ALL, "the beginning of a word", "left out")    \
    X(MEND_CUT_NUMBER, "cut_number", MEND_ALL, "a number that may have had more digits", \
      "kept as far as it came")                                                          \
    X(MEND_CUT_TEXT, "cut_text", MEND_ALL, "a text that has no end",                     \
      "kept as far as it came")                                                          \
    X(MEND_NO_BRACKET, "missing_bracket", MEND_ALL, "a closing bracket", "added")        \
    X(MEND_BRACKET, "mended_bracket", MEND_ALL, "a bracket that does not fit",           \
      "taken for the other kind")                                                        \
    X(MEND_SURPLUS, "surplus_bracket", MEND_ALL, "a surplus bracket", "left out")        \
    X(MEND_NO_BRACKETS, "missing_brackets", MEND_ALL, "brackets around several values",  \
      "added")                                                                           \
    X(MEND_QUOTE, "unescaped_quote", MEND_ALL, "a quote inside a text", "taken as text") \
    X(MEND_NO_QUOTE, "missing_quote", MEND_ALL, "a missing quote", "added")              \
    X(MEND_BAD_ESCAPE, "literal_backslash", MEND_ALL,                                    \
      "every backslash of a text with an invalid escape", "taken as text")               \
    X(MEND_NOT_A_NUMBER, "not_a_number", MEND_ALL, "a value that JSON does not have",    \
      "read as null")                                                                    \
    X(MEND_NUMBER, "mended_number", MEND_ALL, "a number that JSON spells differently",   \
      "respelled")                                                                       \
    X(MEND_NUMBERS, "missing_comma", MEND_ALL, "a comma between two numbers", "added")   \
    X(MEND_BARE_TEXT, "bare_text", MEND_ALL, "a text without quotes", "taken as text")   \
    X(MEND_ELLIPSIS, "dropped_ellipsis", MEND_ALL, "an ellipsis", "left out")            \
    X(MEND_COLON, "mended_colon", MEND_ALL, "what stands instead of a colon",            \
      "read as a colon")                                                                 \
    X(MEND_SEMICOLON, "mended_semicolon", MEND_ALL, "a semicolon", "read as a comma")    \
    X(MEND_ESCAPED, "unescaped_data", MEND_ALL,                                          \
      "data with a backslash before each quote", "read without them")                    \
    X(MEND_PASSED, "passed_over", MEND_NONE, "data that only guessing could read",       \
      "passed over")                                                                     \
    X(MEND_COUNT, "mended_count", MEND_ALL, "a count that is wrong", "corrected")        \
    X(MEND_ROW, "mended_row", MEND_ALL, "a row that is too short or too long",           \
      "filled up or cut")

typedef enum answer_mend_id {
#define ANSWER_MEND_ENUM(id, code, level, what, how) id,
    ANSWER_MENDS(ANSWER_MEND_ENUM)
#undef ANSWER_MEND_ENUM
        MEND_KINDS
} answer_mend_id;

typedef struct answer_mend {
    size_t offset;
    answer_mend_id id;
} answer_mend;

enum { ANSWER_MENDS_MOST = 1000 }; /* told one by one */

typedef struct answer_mends {
    LIST(answer_mend) list;
    size_t more;             /* beyond those, */
    answer_level more_level; /* and the highest level of them */
} answer_mends;

answer_level answer_mend_level(answer_mend_id id);

/* ---------------------------------------------------------------- the forgiving reader */

typedef enum loose_end {
    LOOSE_GOES_ON,
    LOOSE_MORE, /* bytes are needed, and may come */
    LOOSE_DONE, /* a whole value */
    LOOSE_CUT,  /* the text ended inside of it; containers are open */
    LOOSE_BAD,  /* it is none: see `bad` */
    LOOSE_STOP  /* reported: a limit, memory, equal keys */
} loose_end;

typedef enum loose_place { IN_KEY, IN_OBJECT, IN_ARRAY, IN_NOTHING } loose_place;

typedef enum loose_step { STEP_VALUE, STEP_AFTER, STEP_KEY, STEP_COLON } loose_step;

/* Where reading is. */
typedef struct loose_state {
    const char *p;
    loose_step step;
    size_t outer;      /* depth of the document around the value */
    const char *comma; /* that came last, when nothing has come since; or NULL */
    bool last_number;
    bool cut;
} loose_state;

typedef struct loose_quotes loose_quotes;

/* A string in the text. */
typedef struct loose_string {
    const loose_quotes *kind;
    const char *from;  /* of what is between the quotes */
    const char *scan;  /* how far its end was looked for, */
    const char *inner; /* and the last quote that was not it */
    const char *to;
    const char *after;
    size_t mends; /* that were there before */
    bool escapes;
    bool controls;
    bool cut;
    bool single; /* quotes of JavaScript and Python, whose escapes are more */
} loose_string;

/* With `waits` the end of the text is no end: what cannot be decided without the bytes that
 * follow is LOOSE_MORE, and loose_go is called again when they are there. Texts are copied
 * then, so that the input may move. */
typedef struct loose {
    TEXT_READER;       /* `end` is that of the input */
    const char *limit; /* the text to be read ends here */
    answer_mends *mends;
    bool replace;  /* half of a surrogate pair becomes U+FFFD */
    size_t arrays; /* open, */
    size_t objects;
    size_t tuples; /* of the arrays */
    bool has_key;  /* of the next value: */
    pith_key key;
    bool in_string; /* waits for the rest of this one: */
    loose_string string;
    size_t named;    /* keys with a colon that came, those in quotes count */
    const char *bad; /* where the value goes wrong, why, and what would be right */
    const char *bad_code;
    const char *bad_why;
} loose;

/* Reads the value at `*at`, or as much as there is, and moves `*at` after it. */
loose_end loose_read(loose *r, const char **at);

/* The same for members without brackets around them; one of them, or all there are. */
loose_end loose_read_members(loose *r, const char **at, bool one);

/* The same in steps: begins, and takes one. */
void loose_begin(loose *r, loose_state *s, const char *at);
loose_end loose_go(loose *r, loose_state *s);

/* Closes what a text that was cut left open. False when memory ran out. */
bool loose_complete(loose *r);

/* Notes a mend. */
void loose_mend(loose *r, const char *at, answer_mend_id id);

/* After white space, comments and what else stands between values; `r` is told of what
 * should not be there, or is NULL. */
const char *loose_skip(loose *r, const char *p, const char *end);

/* The quote that begins at `p`: its length, 0 when there is none. */
size_t loose_quote(const char *p, const char *end);

/* ------------------------------------------------------------------------------- finding */

/* Reads the answer into the job's empty document. */
void answer_decode(decode_job *job);

/* The level that the settings allow. */
answer_level answer_allowed(const settings *set);

/* Tells of every mend; reports one that is not allowed. */
void answer_tell(reporter *report, const answer_mends *mends);
void answer_refuse_mend(reporter *report, const answer_mend *mend);

/* ------------------------------------------------- what a text looks like (answer_look.c) */

/* Without a byte order mark and the white space around it. */
pith_text answer_trim(pith_text text);

bool answer_is_open(const char *p, const char *end);         /* a bracket */
const char *answer_line_end(const char *p, const char *end); /* its line feed */
const char *answer_paragraph_end(const char *p,
                                 const char *end);         /* before an empty line */
size_t answer_run(const char *p, const char *end, char c); /* of one character */
bool answer_is_word(char c);                               /* of the word of a fence */
bool answer_is_program(
    pith_text word); /* whether such a block holds no data but a program */
bool answer_is_header(const char *p, const char *end); /* name[12]{a,b} or such */

bool answer_has_table(pith_text text); /* such as Pith has: [12{ */

/* The format that a word after a fence, or the name of a tag, stands for; or NULL. */
const codec *answer_format_of(pith_text word);

/* The notation of ours that the text looks like; or NULL. */
const codec *answer_notation(pith_text text, bool fenced);

typedef struct answer_block {
    pith_text text;
    pith_text word;
    const char *after;
    bool open; /* nothing closes it */
} answer_block;

/* What is known of the text after a block, so that nobody looks for it again. */
typedef struct answer_ahead {
    const char *close; /* the next closing tag */
    const char *feed;  /* the end of the line */
    size_t none[2];    /* no line begins with so many backticks, or tildes, or more */
} answer_ahead;

/* The next block from `p` on. */
bool answer_next_block(answer_ahead *ahead, const char *p, const char *end,
                       answer_block *block);

/* Without what the model thought before it answered. */
pith_text answer_after_thoughts(pith_text text);

/* -------------------------------------------------------------------- while it arrives */

typedef enum live_phase {
    LIVE_SEARCH, /* for where the data begins */
    LIVE_INSIDE,
    LIVE_AFTER, /* its last bracket has come, and nothing since */
    LIVE_OVER   /* nothing more will be seen of it before the end */
} live_phase;

/* The document so far, of an answer of which all bytes are kept: see answer_live.c. */
typedef struct answer_live {
    loose r;
    loose_state s;
    live_phase phase;
    answer_level allowed;
    answer_mends mends;
    reporter report;
    size_t checked;      /* bytes that are UTF-8 */
    size_t look;         /* the search goes on here, */
    bool prose;          /* after something that is no space, */
    char fence;          /* in a program that such a fence ends, */
    const char *thought; /* or in thoughts under this name */
    size_t wake;         /* so many bytes are needed to go on */
    size_t complete;     /* members of the root */
    bool finished;
    LIST(char) text; /* the string that is arriving, without escapes, */
    ptrdiff_t shown; /* which begins there, */
    size_t decoded;  /* so many bytes of it; */
    bool literal;    /* unless its backslashes are text */
    bool sealed;     /* until the next piece; of the document before that: */
    bool string;     /* it got a string more */
    size_t count;    /* its slots, */
    size_t keys;     /* and the keys of what is open */
} answer_live;

void answer_live_open(answer_live *live, pith_doc *doc, const settings *set);
void answer_live_free(answer_live *live);

/* More has come. PITH_OK or PITH_NO_MEMORY; what is wrong with the answer is seen when it is
 * read as a whole. */
pith_status answer_live_feed(answer_live *live, pith_text all);

/* All bytes are elsewhere now. */
void answer_live_move(answer_live *live, const char *from, const char *to);

/* Rows while they arrive: answer_rows.c */
extern const read_codec answer_read_rows;

/* Makes CSV of the Markdown table that begins at the line `at`, in the arena; moves `*at`
 * after it. Empty when there is none; a NULL pointer when memory ran out. */
pith_text answer_table(pith_arena *arena, const char **at, const char *end,
                       const char **bad_row);

#endif
