/*
 * toon_read.h - what the parts of the TOON decoder share.
 *
 *     toon_decode.c      lines and scopes: which line belongs where
 *     toon_read_rows.c   the rows of a table, one by one
 *     toon_header.c      key[N]{a,b{c,d}}: taken apart, and its columns
 *     toon_read_row.c    cells: rows of tables and inline arrays
 *     toon_read_token.c  one token: quoted, number, word, text; keys
 *     toon_expand.c      dotted keys to nested objects (version 3)
 *
 * What the versions disagree on is written down as behaviour in toon_rules, once,
 * when reading starts. A function that finds a problem reports it and says false;
 * whoever goes on asks read_stopped.
 */
#ifndef FORMAT_TOON_TOON_READ_H
#define FORMAT_TOON_TOON_READ_H

#include "base/list.h"
#include "base/lex.h"
#include "base/lines.h"
#include "doc/ahead.h"
#include "doc/layout.h"
#include "doc/read.h"
#include "format/toon/toon.h"

#include <assert.h>

typedef struct toon_rules {
    unsigned indent;
    bool strict;
    bool comments;     /* lines that start with # */
    bool groups;       /* nested field groups and keyed tables */
    bool lax_headers;  /* what is no header is a key and its value */
    bool lax_widths;   /* a row may lack its last cells */
    bool deep_objects; /* the first line of an object may stand deeper than needed */
    bool deep_start;   /* and so may the first line of the text */
    bool empty_items;  /* `- []` is an empty array */
    bool item_tables;  /* `- [2]{a}:` is a table */
    bool key_spaces;   /* a key may have white space after it, before its [ */
    bool trim_tabs;    /* tokens lose tabs at their ends, not only spaces */
    bool expand;       /* dotted keys are paths */
    bool rows_only;    /* the dialect: one table, [N,], every line a row */
} toon_rules;

/* A key that was not quoted and is a path: a flag of its own, on keys of objects
 * without a shape, until toon_expand has seen it. */
enum { TOON_KEY_PATH = 0x40 };

/* --- headers */

typedef struct toon_count {
    pith_text digits; /* as written */
    uint64_t value;   /* UINT64_MAX stands for anything too large */
} toon_count;

typedef struct toon_header {
    pith_text key; /* as written, quotes included; `ptr` is NULL when there is none */
    toon_count count;
    char delimiter;
    bool keyed;     /* [N:] */
    bool fields;    /* their layout is in the reader */
    pith_text rest; /* what stands after the colon, trimmed */
    const char *at; /* the bracket */
} toon_header;

/* --- the layout of a row: see toon_header.c */

typedef struct toon_layout {
    row_layout rows;
    LIST(uint32_t) repeated; /* stamps that end a list with a name twice */
    pith_text declared; /* the fields as written: the next header may have the same */
    char delimiter;
} toon_layout;

/* --- the reader */

typedef enum toon_scope_kind {
    TOON_OBJECT,
    TOON_LIST,
    TOON_TABLE,
    TOON_KEYED
} toon_scope_kind;

/* An open object or array whose members stand on lines of their own. Its container
 * is open on the tape; the scopes and the open containers are one and the same. */
typedef struct toon_scope {
    toon_scope_kind kind;
    bool fresh;        /* no line has come yet */
    bool spanned;      /* in the span of a header further out */
    uint16_t owner;    /* the shape up to the key that all this stands under */
    size_t depth;      /* at which its lines stand */
    size_t least;      /* a line less deep than this ends it */
    uint64_t count;    /* of items, rows, entries */
    uint64_t doubtful; /* of them lines that may have been meant as something else */
    toon_count wanted; /* as declared; those three only */
    size_t line;       /* of the header */
    const char *extra; /* the first item, row, entry too many */
} toon_scope;

typedef struct toon_reader {
    TEXT_READER;
    toon_rules rules;

    line_reader lines;
    const char *last_end; /* of the line before this one */
    LIST(toon_scope) scopes;
    toon_layout layout; /* of the innermost scope, if it has one */

    size_t skip_depth; /* lines at least this deep follow from a problem: passed over */
    bool started;      /* the root is there */
    bool rows;         /* it is a table, which is not on the tape: its rows are */

    ahead_check ahead; /* the UTF-8 */
} toon_reader;

static inline size_t toon_at(const toon_reader *r, const char *p)
{
    return (size_t)(p - r->start);
}

static inline bool toon_is_blank(const toon_reader *r, char c)
{
    return c == ' ' || (c == '\t' && r->rules.trim_tabs);
}

/* The span without white space at its ends. */
static inline pith_text toon_trim(const toon_reader *r, const char *at, const char *end)
{
    while (at < end && toon_is_blank(r, *at))
        at++;
    while (at < end && toon_is_blank(r, end[-1]))
        end--;
    return text_of(at, (size_t)(end - at));
}

/* --- tokens */

/* After the quoted span that `at` opens; `end` when nothing closes it. */
static inline const char *toon_skip_quoted(const char *at, const char *end)
{
    const char *after = lex_skip_quoted(at, end);
    return after ? after : end;
}

/* The first colon, quote, bracket or line feed; or `end`. */
static inline const char *toon_scan_mark(const char *at, const char *end)
{
    return scan_to(SCAN_SET(0, ':', '\n', '"', '['), at, end);
}

/* The first colon that is in no quoted span, or NULL; and the first such `[` before
 * it, or NULL. */
const char *toon_find_colon(const toon_reader *r, const char *at, const char *end,
                            const char **bracket);

/* Reads the quoted text that starts at `at` into a slot; what is after the closing
 * quote, or NULL after a problem. */
const char *toon_read_quoted(toon_reader *r, const char *at, const char *end,
                             pith_slot *slot);

/* A token that does not start with a quote, of these flags, into a slot. */
void toon_sort_token(pith_slot *slot, const char *at, size_t len, uint8_t flags);

/* A trimmed token as a value into a slot; after a problem the slot holds null. */
bool toon_read_token(toon_reader *r, pith_text token, pith_slot *slot);

/* A trimmed token as a key. */
bool toon_read_key(toon_reader *r, pith_text token, pith_key *key);

/* Reads a trimmed token as a key and adds it to the innermost open object. */
bool toon_add_key_token(toon_reader *r, pith_text token);

/* True when the token is the key of a node. A word is compared at once where there is
 * room to read one. */
static inline bool toon_is_key_of(const toon_reader *r, const shape_node *node,
                                  pith_text token)
{
    if (node->key.len != token.len || (token.len && *token.ptr == '"'))
        return false;
    if (token.len <= 8 && r->end - token.ptr >= 8)
        return (scan_load8(token.ptr) & node->head_mask) == node->head;
    return memcmp(node->key.text, token.ptr, token.len) == 0;
}

/* Which shape the innermost open object probably has with its next key. The first key
 * is probably the one that came first in the last object in this place. */
static inline uint16_t toon_guess(const toon_reader *r)
{
    assert(r->scopes.count > 0 && r->doc->open != SLOT_NONE);
    const pith_doc *doc = r->doc;
    const shape_node *nodes = doc->shapes.nodes;
    uint16_t shape = doc->slots[doc->open].shape;
    return shape == SHAPE_EMPTY ? nodes[r->scopes.at[r->scopes.count - 1].owner].inner
                                : nodes[shape].guess;
}

/* Adds a token, white space around it or not, to the innermost open container. */
bool toon_add_value(toon_reader *r, const char *at, const char *end);

/* The same for a token at `at` that ends with its line, wherever that is, if it is of
 * the common kinds: the line feed or the end of the text. Else NULL, and nothing is
 * added. */
const char *toon_add_plain(toon_reader *r, const char *at);

/* --- headers and rows */

/* Reads the header whose first bracket is at `bracket`. False, with why in `fault`,
 * when it is none; `fault.code` is NULL when that was reported already. */
typedef struct toon_fault {
    const char *code;
    const char *at;
    const char *sentence;
} toon_fault;

bool toon_read_header(toon_reader *r, const char *at, const char *end,
                      const char *bracket, toon_header *header, toon_fault *fault);

/* All fields are known: works out what their rows are on the tape. Lists of keys go to the
 * arena. To be done again after shapes were renewed. */
bool toon_plan_fields(toon_reader *r, pith_arena *arena);

/* True when nothing before the first delimiter is a colon. */
bool toon_is_row(const toon_reader *r, const char *at, const char *end);

/* Adds the row between `at` and `end` to the innermost open container. */
bool toon_read_row(toon_reader *r, const char *at, const char *end);

/* Adds the values of an inline array, which is open; says how many. */
bool toon_read_values(toon_reader *r, pith_text text, char delimiter, uint64_t wanted,
                      uint64_t *count, const char **extra);

/* --- lines */

toon_rules toon_rules_from(const settings *set);

/* Reads on at `front`, where a line begins; the UTF-8 before `checked` is known. */
void toon_read_from(toon_reader *r, const char *front, const char *checked);

/* Opens a scope for the lines under a header that is at `depth`. */
bool toon_open_scope(toon_reader *r, toon_scope_kind kind, const toon_header *header,
                     size_t depth);

/* True when a line can be read: what it is made of is right. */
bool toon_check_line(toon_reader *r, const text_line *line);

/* Reads a line into the scope that it belongs to. */
void toon_next_line(toon_reader *r, const text_line *line);

/* Nothing follows: ends all scopes. */
void toon_end_text(toon_reader *r);

void toon_reader_free(toon_reader *r, const pith_alloc *alloc);

/* Replaces paths by objects, on the closed tape. */
bool toon_expand(toon_reader *r);

#endif
