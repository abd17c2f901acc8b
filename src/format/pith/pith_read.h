/*
 * pith_read.h - what the parts of the decoder share.
 *
 * One pass, from left to right. Two loops take turns:
 *
 *     pith_read.c   values, arrays, objects: the loop of the JSON reader, with bare
 *                   tokens; JSON goes through it at the same pace
 *     pith_rows.c   the rows of tables and maps, cell by cell
 *
 * and pith_header.c reads headers, pith_token.c bare tokens, pith_names.c what is written
 * once and stands for more (level 2). When a cell turns out to be
 * an array or object, the second loop hands over to the first, and gets the word back
 * when that has closed.
 *
 * A header is compiled. Its columns become a list of ops, which every row runs through:
 *
 *     [2{id,g{c=USD,v},t[3{x}]}      LEAF id
 *                                    GROUP g
 *                                      CONSTANT c
 *                                      LEAF v
 *                                    END
 *                                    TABLE t -> header of x
 *                                    ROW
 *
 * While nothing is absent, a row has the shape that was computed with the header, and a
 * cell costs its slot and nothing else: the row is `full`. With the first absent cell it
 * is no longer, and from there on keys are stepped through one by one; each op remembers
 * the step it took last. A group of which nothing has come yet is pending: it is opened
 * by its first member, or never.
 *
 * The containers that are open are linked by their slots, as in the JSON reader. Tables
 * have a frame besides, on a stack of their own.
 */
#ifndef FORMAT_PITH_PITH_READ_H
#define FORMAT_PITH_PITH_READ_H

#include "base/lex.h"
#include "format/json/json_values.h"
#include "format/pith/pith_plan.h"

#include <assert.h>

enum { PN_IS_ROW = 0x20 }; /* flag of an open object: a row, or a group of one */

typedef enum pn_op_kind {
    PN_OP_LEAF,
    PN_OP_TABLE,
    PN_OP_DITTO,    /* an empty cell is as in the row above */
    PN_OP_DEFAULT,  /* an empty cell is the constant */
    PN_OP_TEMPLATE, /* a cell is text, and part of one */
    PN_OP_CONSTANT,
    PN_OP_GROUP,
    PN_OP_END, /* of a group */
    PN_OP_ROW  /* the end of the row */
} pn_op_kind;

typedef struct pn_op {
    uint8_t kind;
    bool always_present; /* a group that holds a constant, or a cell that is filled */
    uint16_t before;     /* the shape of the object if nothing before is absent */
    uint16_t after;      /* and with this key */
    uint16_t from;       /* the step that was taken last, when something was */
    uint16_t to;
    uint16_t shape;  /* of a full group */
    uint32_t index;  /* of the column among its siblings */
    uint32_t count;  /* of the columns of a group */
    uint32_t header; /* of a table column, whose own ops follow */
    uint32_t mark;   /* of a filled or template column */
    uint32_t next;   /* of a table column: the op after those */
    uint32_t depth;  /* containers between the table and the value: the row is 1 */
    pith_key key;
    pith_slot constant;
} pn_op;

typedef struct pn_header {
    uint32_t first; /* of its ops */
    uint32_t count; /* of its own columns */
    uint32_t width; /* cells in a row */
    uint16_t shape; /* of a full row */
    bool shaped;    /* all its levels have shapes: rows may be full */
    bool open;      /* ?: the number of rows is not declared */
    bool reported;  /* too many rows: that has been said */
    uint64_t declared;
    uint64_t rows;
    size_t offset; /* of the count */
    size_t line;   /* its line, if that cannot be asked for later; else 0 */
} pn_header;

/* A value that may come again: on a tape, or a scalar that is on none. */
typedef struct pn_held {
    const pith_doc *doc; /* NULL: it is `scalar` */
    uint32_t at;
    uint16_t depth; /* containers in one another */
    uint16_t size; /* as compact JSON, at most one above the limit; 0: not measured yet */
    pith_slot scalar;
} pn_held;

/* What the cells of a filled or template column are filled up with. */
typedef struct pn_mark {
    pn_held value; /* of the row above, or the default; without size and doc: none yet */
    bool filled;   /* there is one */
    pith_text before; /* of a template: what is around the cell */
    pith_text after;
    uint8_t flags; /* of that */
} pn_mark;

/* An object like another, while it is open. */
typedef struct pn_like {
    pn_held model;
    uint32_t index;  /* of the member that is next in the model, */
    uint32_t member; /* and its slot */
    const char *place;
} pn_like;

/* A table, a map or a cell with rows, while it is open. */
typedef struct pn_frame {
    uint32_t header;
    uint32_t slot;  /* of the array or object; SLOT_NONE when rows are read one by one */
    uint32_t op;    /* where the row goes on */
    uint32_t rows;  /* objects so far */
    uint32_t row;   /* the slot of this row */
    uint32_t keys;  /* of a map, so far */
    uint16_t shape; /* of a map */
    bool map;
    bool cell;          /* rows in a cell: the frame below is that of the table */
    bool full;          /* nothing of this row has been absent */
    size_t depth;       /* open containers, this one included */
    size_t loose;       /* loose keys when the row began */
    size_t header_mark; /* headers and ops before the table's own */
    size_t op_mark;
    size_t mark_mark;
} pn_frame;

/* A level of a header that is open: the table's own, a group or a table column. */
typedef struct pn_group {
    uint32_t op;         /* of the group or table column; UINT32_MAX for the table */
    uint32_t header;     /* whose rows these columns are in */
    uint32_t count;      /* columns so far */
    uint32_t depth;      /* of the object they are members of */
    uint16_t shape;      /* of the keys so far */
    bool table;          /* not a group */
    bool always_present; /* it holds a constant or a filled column */
    size_t keys;         /* where they begin on doc->unshaped */
    const char *place;   /* of its brace */
} pn_group;

/* Quoted texts are JSON's. */
extern const quoted_rules pn_quoted;

typedef struct pn_reader {
    JSON_READER;
    pith_arena *keep; /* copies the texts of headers when set */
    bool spaced;      /* a header is being read with spaces between its columns */
    size_t constants; /* of all headers */

    /* Names: see pith_names.c. */
    bool meets_name;     /* there is a name, or an empty place, where the loop is */
    bool lost;           /* something that may hold names has been given up */
    size_t copied;       /* slots in the largest value that was repeated */
    LIST(pn_held) names; /* 1 is the first */
    LIST(pn_like) likes;
    LIST(pn_mark) marks; /* of the headers */

    LIST(pn_op) ops;
    LIST(pn_header) headers;
    LIST(pn_frame) frames;
    LIST(pn_group) groups;  /* while a header is read */
    LIST(uint32_t) pending; /* ops of groups that have not been opened */
    LIST(char) bare;        /* of the nodes of shapes, whether the key can be bare */

    /* Handed over between the loops. */
    const char *at;
    pith_slot *tape;
    pith_slot *limit;
    size_t depth;
    uint32_t open;
} pn_reader;

static inline pn_op *pn_op_at(const pn_reader *r, uint32_t index)
{
    assert(index < r->ops.count);
    return r->ops.at + index;
}

static inline pn_header *pn_header_at(const pn_reader *r, uint32_t index)
{
    assert(index < r->headers.count);
    return r->headers.at + index;
}

static inline pn_frame *pn_frame_top(const pn_reader *r)
{
    assert(r->frames.count > 0);
    return r->frames.at + r->frames.count - 1;
}

/* Spaces and tabs: what may be around a cell. */
static inline const char *pn_skip_blank(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

/* ------------------------------------------------------------------- pith_token.c */

/* A problem of structure at `p`, silent while an earlier one is being recovered from.
 * What makes no sense anywhere (ill-formed UTF-8, controls, a backslash) is reported as
 * that. True to go on. */
bool pn_structure(pn_reader *r, const char *code, const char *p, const char *sentence);

/* Reads what follows the value: white space, and notes, which are lines that begin with
 * '#'. `*broken` says whether a line break has come since the value. False when there is
 * anything else, which is reported. */
bool pn_read_rest(pn_reader *r, const char *p, bool *broken);

/* Reads the bare token at `p` into the slot, as a string. What follows it, or NULL when
 * reading has to stop. */
const char *pn_read_plain(pn_reader *r, const char *p, pith_slot *slot);

/* Takes all from `p` to `end`, where a bare token ends, into the slot, as a string. False
 * to stop. */
bool pn_read_stem(pn_reader *r, const char *p, const char *end, pith_slot *slot);

/* The end of the bare token at `p`. */
const char *pn_bare_end(const char *p, const char *end);

/* Reads the bare token at `p`, which is no mark, into the slot: a string, a number or a
 * word. What follows it, or NULL when reading has to stop. */
const char *pn_read_bare(pn_reader *r, const char *p, pith_slot *slot);

/* Reads a key at `p` into the slot. NULL when reading has to stop or, with `*empty` set,
 * when there is no key. */
const char *pn_read_key(pn_reader *r, const char *p, pith_slot *slot, bool *empty);

/* The first byte of the input that ends a bare token or is beyond ASCII. */
static inline const char *pn_scan_bare(const char *at, const char *end)
{
    const unsigned classes = SCAN_QUOTES | SCAN_CONTROLS | SCAN_WIDE | SCAN_BRACKETS;
    return scan_to(SCAN_SET(classes, ',', ';', 0x7F), at, end);
}

/* Sets the slot if the token is null, true or false. */
static inline bool pn_set_word(pith_slot *slot, const char *p, size_t len)
{
    if (len == 4 && memcmp(p, "true", 4) == 0)
        slot_set(slot, PITH_TRUE, 0, p, 4);
    else if (len == 4 && memcmp(p, "null", 4) == 0)
        slot_set(slot, PITH_NULL, 0, p, 4);
    else if (len == 5 && memcmp(p, "false", 5) == 0)
        slot_set(slot, PITH_FALSE, 0, p, 5);
    else
        return false;
    return true;
}

/* True for a backslash that begins a name. */
static inline bool pn_is_name(const pn_reader *r, const char *p)
{
    if (*p != '\\')
        return false;
    return p + 1 < r->end ? p[1] >= '1' && p[1] <= '9' : r->waits;
}

static inline bool pn_ends_token(const char *p, const char *end)
{
    return p == end || pn_is_mark((unsigned char)*p);
}

/* Reads the scalar at `p`, which is neither at a bracket nor at a separator. What
 * follows it, or NULL when reading has to stop. */
static inline const char *pn_read_scalar(pn_reader *r, const char *p, pith_slot *slot)
{
    const char *const end = r->end;
    unsigned char first = (unsigned char)*p;
    if (first == '"')
        return json_read_text(&r->in, &pn_quoted, p, slot);
    if (scan_is_digit(first) || first == '-') {
        lex_number number = lex_read_number(p, end);
        if (number.end && pn_ends_token(number.end, end) &&
            (size_t)(number.end - p) <= SLOT_TEXT_MOST) {
            slot_set(slot, number.decimal ? PITH_DECIMAL : PITH_INTEGER,
                     number.plain ? SLOT_CANONICAL : 0, p, (size_t)(number.end - p));
            return number.end;
        }
        return pn_read_bare(r, p, slot);
    }
    const char *stop = pn_scan_bare(p, end);
    size_t len = (size_t)(stop - p);
    if (pn_ends_token(stop, end) && len > 0 && stop[-1] != ' ' && len <= SLOT_TEXT_MOST &&
        (stop == end || *stop != '\\')) {
        if (!pn_is_suspect(first)) {
            slot_set(slot, PITH_STRING, 0, p, len);
            return stop;
        }
        if (pn_set_word(slot, p, len))
            return stop;
    }
    return pn_read_bare(r, p, slot);
}

/* -------------------------------------------------------------------- pith_header.c */

/* The end of the count at `p`: digits or a question mark. */
static inline const char *pn_count_end(const char *p, const char *end)
{
    return p < end && *p == '?' ? p + 1 : scan_digits(p, end);
}

/* True when `p`, which is after a bracket, is at the count of a table or map. */
static inline bool pn_is_counted(const char *p, const char *end)
{
    if (p == end || (!scan_is_digit((unsigned char)*p) && *p != '?'))
        return false;
    p = pn_count_end(p, end);
    return p < end && *p == '{';
}

/* Reads the header from its count on, with `depth` containers open, the table included,
 * and puts a frame for the table of `slot` on the stack. What follows the header,
 * or NULL when reading has to stop. */
const char *pn_read_header(pn_reader *r, const char *p, uint32_t slot, bool map,
                           size_t depth);

/* The table's frame and header go. */
void pn_drop_frame(pn_reader *r);

/* A count or total: its digits begin at `p`. False when reading has to stop. */
bool pn_read_count(pn_reader *r, const char *p, const char *end, uint64_t *count);

/* --------------------------------------------------------------------- pith_names.c */

/* Reads what begins with a backslash at r->at, or fills an empty place, in the container
 * r->open: that is `place`, or a row. In and out go r->at, r->tape, r->depth, r->open. */
json_named pn_read_named(pn_reader *r, const json_place *place, bool in_row);

/* The places of the object r->open have ended, `count` of them. */
bool pn_close_places(pn_reader *r, uint32_t count);

/* Fills in the size and depth. */
void pn_measure_held(pn_held *held);

/* Puts a value on the tape once more, as a child of r->open; a problem is reported at
 * `p`. */
bool pn_repeat(pn_reader *r, pn_held *held, const char *p);

/* A text in the arena: one and another. False when reading has to stop. */
bool pn_join_texts(pn_reader *r, const char *p, pith_slot *slot, const pith_text *texts,
                   size_t count);

/* Moves a value that is on the tape, which will be emptied, to `doc`. */
bool pn_move_held(pn_reader *r, pn_held *held, pith_doc *doc);

/* ---------------------------------------------------------------------- pith_rows.c */

/* Reads rows from r->at on: after a header or, if `*in_row`, after a container in a cell.
 * Sets it if another container begins at r->at, in a cell of r->open; else the table has
 * ended, or the next row if they are read one by one. In and out go r->at, r->tape, r->limit, r->depth and r->open. False when reading
 * has to stop. */
bool pn_read_rows(pn_reader *r, bool *in_row);

/* -------------------------------------------------------------------- pith_read.c */

void pn_reader_init(pn_reader *r, pith_doc *doc, pith_text text, reporter *report);
void pn_reader_free(pn_reader *r, const pith_alloc *alloc);

/* Reads on in the table whose rows are read one by one, after its header or a row: the
 * document holds the next row or, after the bracket, nothing, and the table's frame is
 * gone. What follows, or NULL when reading stopped. */
const char *pn_read_row(pn_reader *r, const char *p);

#endif
