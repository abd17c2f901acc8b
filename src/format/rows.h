/*
 * rows.h - tables that leave row by row: what all formats have in common.
 *
 *     open  header row row ... footer  end                    one table
 *     open  member  header row ... footer  member ...  end    an object of them
 *
 * A format gives hooks. The row writer decides when each of them is called and where the
 * bytes go:
 *
 *     straight    the header does not count rows, or their number is known: out at once
 *     patched     at once, and the number in the header is put right at the end
 *     held        into a spill (see spill.h) until the number is known
 *     collected   into a document, which the caller encodes when all rows are there
 *
 * So memory depends neither on the number of rows nor on the format, unless the format
 * has to see all of them. A row has the columns in their order, but may lack some.
 */
#ifndef FORMAT_ROWS_H
#define FORMAT_ROWS_H

#include "base/spill.h"
#include "format/format.h"

/* What has been declared of the table, and how far it is. Hooks read it. */
typedef struct row_table {
    const settings *set;
    pith_alloc alloc;
    uint64_t seed;            /* of hash tables */
    const pith_key *columns;  /* unique and UTF-8 */
    size_t column_count;      /* 0 when rows are any values */
    const pith_field *fields; /* what they hold, declared before the first row, or NULL */
    uint64_t rows;            /* written so far */

    bool object;          /* members, and tables with a name each */
    pith_text name;       /* of this one */
    bool keyed;           /* its rows are members of an object */
    const pith_slot *key; /* of the row that is being written, in a keyed table */
    uint64_t members;     /* of the object so far, tables among them */

    void *state; /* the format's own */
} row_table;

/* One row. */
typedef struct row_cells {
    const pith_doc *doc;
    const pith_slot *row;
    const pith_slot *const
        *cells; /* by column, NULL where there is none; itself NULL when
                                      they are the members of the row, all of them */
} row_cells;

/* The cell of a column, columns one after the other. `at` begins at row + 1. */
static inline const pith_slot *row_next_cell(const row_cells *row, size_t column,
                                             const pith_slot **at)
{
    if (row->cells)
        return row->cells[column];
    const pith_slot *cell = *at;
    *at = slot_is_container(cell) ? row->doc->slots + cell->u.link.next : cell + 1;
    return cell;
}

enum {
    ROWS_COUNT_FIRST = 1, /* the header counts the rows */
    ROWS_PATCH = 2,       /* but the number can be put right later, at `count_offset` */
    ROWS_BLOCK = 4,       /* all rows are written as one block, by `block` */
    ROWS_ALL = 8,         /* a missing cell is refused */
    ROWS_SCALARS = 16,    /* an array or object is refused */
    ROWS_ANY = 32,        /* rows are handed on as they are, whatever they have */
    ROWS_COLLECT = 64     /* the format must see all rows before it writes the first */
};

#define ROWS_UNKNOWN UINT64_MAX

/* Why a row is refused: row 3<before> "<column>"<after>. */
typedef struct row_refusal {
    const char *code;
    const char *before;
    const char *after;
} row_refusal;

/* Each hook but `row` may be NULL. They return PITH_OK, or fill `err`; failures of `out`
 * stick there and are not theirs to tell. */
typedef struct row_format {
    size_t state_size;   /* of the state, which is zeroed before `open` */
    size_t count_offset; /* in the header: 8 bytes, the lowest first */
    bool typed;          /* columns have types, and there are bytes */
    bool declared;       /* what is declared of columns is of use, without types too */
    row_refusal missing;
    row_refusal nested;

    unsigned (*rules)(const settings *set);
    pith_status (*open)(row_table *table, pith_out *out, pith_error *err);

    /* With the number of rows, where that comes first, or ROWS_UNKNOWN. */
    pith_status (*header)(row_table *table, pith_out *out, uint64_t count,
                          pith_error *err);

    /* Of a format that counts first: everything has been declared and rows begin, if
     * there are any. `out` is where they go. */
    pith_status (*begin)(row_table *table, pith_out *out, pith_error *err);
    pith_status (*row)(row_table *table, pith_out *out, const row_cells *row,
                       pith_error *err);
    pith_status (*footer)(row_table *table, pith_out *out, pith_error *err);

    /* Sees what `begin` and `row` have written, on its way. */
    void (*passed)(row_table *table, const char *data, size_t len);

    /* Writes the table, of which `rows` is everything that `begin` and `row` wrote. */
    pith_status (*block)(row_table *table, pith_out *out, pith_text rows,
                         pith_error *err);

    /* NULL for a format whose objects do not leave piece by piece. */
    pith_status (*member)(row_table *table, pith_out *out, pith_text key,
                          const pith_doc *doc, uint32_t at, pith_error *err);
    pith_status (*end)(row_table *table, pith_out *out, pith_error *err);
    void (*close)(row_table *table); /* frees what the state holds, whatever happened */
} row_format;

typedef struct row_writer {
    /* The caller fills these in, and those of the table but for its state. */
    const row_format *format;
    row_table table;
    pith_out *out;
    size_t hold_max; /* bytes of held rows to keep in memory */
    pith_doc *all; /* where rows are collected, owned from then on; NULL: they are not */
    bool expects;  /* the number of rows is known: */
    uint64_t expected;

    /* Overwrites bytes that have reached the sink, `back` bytes before its end; false
     * when that cannot be done after all. NULL for sinks that only go forwards. */
    bool (*patch)(pith_sink sink, uint64_t back, const char *data, size_t len);

    /* The rest is the writer's. */
    unsigned rules;
    bool in_table;
    bool begun;    /* of a format that counts first: where rows go is decided */
    bool holds;    /* they wait in the spill */
    bool patches;  /* the number in the header has to be put right */
    bool has_body; /* rows go through `body` */
    pith_out body; /* to the spill, or to the output by way of `passed` */
    pith_spill spill;
    const pith_slot **cells; /* of a row that lacks some */
    size_t cell_cap;
} row_writer;

/* Begins the table, or the object. Free the writer whatever the outcome. */
pith_status row_writer_open(row_writer *w, pith_error *err);
void row_writer_free(row_writer *w);

/* One row more. */
pith_status row_writer_put(row_writer *w, const pith_doc *doc, uint32_t at,
                           pith_error *err);

/* The same where rows are collected and the caller has added it to `all` himself. */
pith_status row_writer_count(row_writer *w, pith_error *err);

/* For a caller that has all rows and calls the hook by itself, with the table, the body and
 * the cells: before the first row, everything that is in front of it. It counts the rows. */
pith_status row_writer_begin(row_writer *w, pith_error *err);

static inline pith_out *row_writer_body(row_writer *w)
{
    return w->has_body ? &w->body : w->out;
}

/* One member more of an object, or a table with the columns of `table`, between tables. */
pith_status row_writer_member(row_writer *w, pith_text key, pith_value value,
                              pith_error *err);
pith_status row_writer_enter(row_writer *w, pith_text name, bool keyed, pith_error *err);

/* Ends the table, if there is one. Fewer rows than were expected are a failure. */
pith_status row_writer_leave(row_writer *w, pith_error *err);

/* Ends everything. What was collected is complete then, and the caller's to write. */
pith_status row_writer_end(row_writer *w, pith_error *err);

/* Refuses a row, counted from 1, for what it has in that column. */
pith_status row_refuse(const row_refusal *why, uint64_t row, const pith_key *column,
                       pith_error *err);

#endif
