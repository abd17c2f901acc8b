/*
 * gcf_read.h - what the parts of the GCF decoder share.
 *
 *     gcf_decode.c       lines and scopes: which line belongs where
 *     gcf_read_meta.c    the first line and the trailer
 *     gcf_read_table.c   the lines of a table: rows, attachments, groups
 *     gcf_share.c        what rows declare for the rows after them
 *     gcf_header.c       [N]{a,"b>c",d=7}: counts, names, schemas
 *     gcf_layout.c       what the rows under a header look like on the tape
 *     gcf_read_row.c     cells, and rows without attachments
 *     gcf_open_row.c     a row that waits for attachments
 *     gcf_read_token.c   one token: quoted, number, word, text; keys
 *     gcf_read_rows.c    the rows of a table, one by one
 *
 * A function that finds a problem reports it and says false; callers that go on ask
 * read_stopped.
 */
#ifndef FORMAT_GCF_GCF_READ_H
#define FORMAT_GCF_GCF_READ_H

#include "base/list.h"
#include "base/lines.h"
#include "doc/ahead.h"
#include "doc/layout.h"
#include "doc/names.h"
#include "doc/read.h"
#include "format/gcf/gcf.h"
#include "format/gcf/gcf_delta.h"

#include <assert.h>

/* What a cell can be that is no value: kinds of slots beyond those on a tape. */
enum {
    GCF_ABSENT = 0x50, /* ~ */
    GCF_MARK,          /* ^, and its attachment has not come yet */
    GCF_SCHEMA,        /* ^{a,b,c}, and its body has not come yet */
    GCF_FILLED,        /* its attachment is on the tape, in its place */
    GCF_MOVED          /* its attachment is on the tape at slot n, too early */
};

typedef struct gcf_count {
    pith_text digits; /* as written */
    uint64_t value;   /* UINT64_MAX: too large */
    bool deferred;    /* [?] */
    bool unknown;     /* ill-formed, and reported */
} gcf_count;

/* --- the layout of a row: see gcf_layout.c */

typedef struct gcf_layout gcf_layout;

typedef enum gcf_role {
    GCF_CELL,   /* every row has a cell for it */
    GCF_KEY,    /* so too, and it is the key of the member: the first of a keyed table */
    GCF_FIXED,  /* name=value: the same in all rows */
    GCF_GROUPED /* the same in all rows of a group */
} gcf_role;

typedef struct gcf_field {
    gcf_role role;
    bool path;          /* a>b: a member of a nested object */
    uint32_t cell;      /* its number among the cells */
    const char *at;     /* where its name is, for messages */
    pith_slot fixed;    /* the value of a FIXED one */
    gcf_layout *schema; /* of its positional bodies, once a row has declared it */
    gcf_layout *shared; /* of its tables, once a row has declared it */
} gcf_field;

typedef LIST(pith_key) gcf_names;

/* A field with > in its name whose attachment came before its row was ready for it. */
typedef struct gcf_extra {
    pith_key key;
    uint32_t slot;
} gcf_extra;

/* The last row of a table, while attachments may come. Its cells wait here; they go to the
 * tape in the order of the columns, up to the one whose attachment has not come. */
typedef struct gcf_open_row {
    bool open;      /* on the tape */
    bool shaped;    /* with all its keys already */
    bool moved;     /* some attachment came too early */
    bool bodies;    /* it had positional bodies */
    uint32_t slot;  /* of the row */
    uint32_t group; /* the column of the innermost open object in it; 0: the row */
    size_t step;    /* which column comes next on the tape */
    size_t body;    /* the cell from which the next positional body is looked for */
    size_t waiting; /* positional bodies that may still come */
    LIST(pith_slot) cells;
    LIST(uint32_t) order;   /* the slots of its children, once moved */
    LIST(gcf_extra) extras; /* that came too early */
} gcf_open_row;

struct gcf_layout {
    LIST(gcf_field) fields;
    name_list names; /* of the fields */
    name_list parts; /* of the columns but the row, where names are paths */
    row_layout rows; /* what they become on the tape */
    gcf_open_row row;
    uint32_t *cells; /* of each cell, and of the group: its field */
    size_t cell_cap;
    name_list extra_names;     /* fields with > in their name, which are no columns, */
    LIST(gcf_layout *) extras; /* and the layouts of their tables */

    size_t width;   /* cells in a row */
    size_t learned; /* schemas the fields have */
    bool keyed;
    bool paths;
    bool schema;       /* of a positional body: its names are no paths */
    uint32_t group;    /* the GROUPED field; SLOT_NONE for none */
    uint32_t identity; /* the field marked with @; SLOT_NONE for none */

    gcf_names ids[2];    /* identities: texts, and other values */
    gcf_names groups[2]; /* values of groups, likewise */
    pith_arena texts;    /* of its names and constants, where rows are read one by one */
    pith_text declared;  /* {fields} as written, where saying it again is common */
    gcf_layout *next;    /* of all that the reader has made */
    gcf_layout *spare;   /* the next unused one */
};

/* [N]{fields}: or [N:]{key,fields} or [N]: values, from its bracket on */
typedef struct gcf_head {
    gcf_count count;
    bool keyed;
    bool values;        /* an inline array */
    pith_text rest;     /* its values */
    gcf_layout *layout; /* NULL without fields */
    gcf_layout *known;  /* one that is taken if its fields are declared again; or NULL */
    bool borrowed;      /* the layout is another's, as when a schema is shared */
    const char *at;
} gcf_head;

/* What a head may have, depending on where it is. */
enum {
    GCF_MAY_LIST = 1, /* values after a colon */
    GCF_MAY_FIX = 2   /* constant columns, an identity, groups */
};

/* --- the reader */

typedef enum gcf_scope_kind { GCF_OBJECT, GCF_ITEMS, GCF_TABLE } gcf_scope_kind;

/* An open object or array whose members are on lines of their own. Its container is
 * open on the tape, and so is the row that waits for attachments. */
typedef struct gcf_scope {
    gcf_scope_kind kind;
    bool shares;  /* its lines are at the depth of what is around it */
    bool surplus; /* a line too many was reported */
    bool owns;    /* the layout goes when the scope does */
    size_t depth; /* at which its lines are */
    size_t line;  /* of the header */
    uint64_t count;
    gcf_count wanted;
    size_t deferred; /* the number of its [?] */
    gcf_layout *layout;

    bool broken; /* a row could not be read, and what belongs to it is passed over */

    /* Groups of rows. */
    uint64_t group_left;
    pith_slot group_value;
} gcf_scope;

typedef enum gcf_root { GCF_ROOT_NONE, GCF_ROOT_OBJECT, GCF_ROOT_OTHER } gcf_root;

typedef struct gcf_reader {
    TEXT_READER;
    const char *tail;     /* texts from here on need SLOT_NEAR_END */
    const char *last_end; /* of the line before this one */
    line_reader lines;

    LIST(gcf_scope) scopes;
    LIST(pith_slot) reordered; /* a copy of a row, while it is put in order */
    LIST(uint64_t) deferred;   /* what each [?] section held */
    gcf_layout *layouts;       /* all of them */
    gcf_layout *spare;         /* those that are unused, */
    gcf_layout *parked; /* unused, but the row that was read last has keys of theirs */

    bool rows;          /* rows are read one by one: the header must outlive its text */
    size_t around_row;  /* scopes around them, which are not on the tape; else 0 */
    pith_text identity; /* key= of the first line */
    gcf_answer *answer; /* what else it says, where changes are welcome; or NULL */
    gcf_root root;
    bool summary;      /* the trailer has come */
    bool skip_rows;    /* lines less deep by one are passed over too, but for ## */
    size_t skip_depth; /* lines at least this deep follow from a problem */

    ahead_check ahead; /* the UTF-8 */
} gcf_reader;

#define GCF_NO_SKIP SIZE_MAX

static inline bool gcf_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline const char *gcf_skip_blanks(const char *at, const char *end)
{
    while (at < end && gcf_is_blank(*at))
        at++;
    return at;
}

static inline const char *gcf_trim_end(const char *at, const char *end)
{
    while (end > at && gcf_is_blank(end[-1]))
        end--;
    return end;
}

static inline bool gcf_is_in_input(const gcf_reader *r, const char *text)
{
    uintptr_t at = (uintptr_t)text;
    return at >= (uintptr_t)r->start && at <= (uintptr_t)r->end;
}

/* SLOT_NEAR_END for a text in the last 16 bytes of the input. */
static inline uint8_t gcf_tail_flag(const gcf_reader *r, const char *text)
{
    bool tail = (uintptr_t)text >= (uintptr_t)r->tail && gcf_is_in_input(r, text);
    return tail ? SLOT_NEAR_END : 0;
}

/* A cell that is no value. */
static inline void gcf_put_mark(pith_slot *slot, unsigned kind, pith_text text)
{
    slot_set(slot, PITH_NULL, 0, text.ptr, text.len);
    slot->kind = (uint8_t)kind;
}

static inline gcf_scope *gcf_top(gcf_reader *r)
{
    assert(r->scopes.count > 0);
    return &r->scopes.at[r->scopes.count - 1];
}

/* --- tokens: gcf_read_token.c */

/* Reads the quoted text that starts at `at` into a slot; what is after the closing
 * quote, or NULL after a problem. */
const char *gcf_read_quoted(gcf_reader *r, const char *at, const char *end,
                            pith_slot *slot);

/* A trimmed token that does not start with a quote into a slot; it may turn out to be
 * one of the marks. False after a problem. */
bool gcf_sort_token(gcf_reader *r, const char *at, const char *end, uint8_t flags,
                    pith_slot *slot);

/* Whether a number that is not SLOT_CANONICAL lies within what GCF can hold. */
bool gcf_check_number(gcf_reader *r, const pith_slot *slot);

/* True for a number that may be outside the domain. */
static inline bool gcf_is_unsure_number(const pith_slot *slot)
{
    return (slot->kind == PITH_INTEGER || slot->kind == PITH_DECIMAL) &&
           !(slot->flags & SLOT_CANONICAL);
}

/* Reads the key at `at`; what is after it, or NULL after a problem. */
const char *gcf_read_key(gcf_reader *r, const char *at, const char *end, pith_key *key);

/* After a well-formed bare key or quoted span at `at`; NULL when there is none. */
const char *gcf_skip_key(const char *at, const char *end);

/* Adds a key to the innermost open object. */
bool gcf_add_key(gcf_reader *r, const pith_key *key);

/* --- headers: gcf_header.c */

bool gcf_read_count(gcf_reader *r, const char *at, const char *end, gcf_count *count);

/* `known` may be NULL. */
bool gcf_read_head(gcf_reader *r, const char *at, const char *end, unsigned may,
                   gcf_layout *known, gcf_head *head);

/* A value that many rows share, in a header: no mark, and not empty. */
bool gcf_read_fixed(gcf_reader *r, const char *at, const char *end, pith_slot *slot);

/* The layout of positional bodies that the cell ^{a,b,c} declares; NULL after a
 * problem. */
gcf_layout *gcf_read_schema(gcf_reader *r, const pith_slot *cell);

/* The number of the name in a list, most likely `guess`; NAMES_NONE for none. False when
 * out of memory. */
bool gcf_find_name(gcf_reader *r, name_list *names, const pith_key *name, uint32_t guess,
                   uint32_t *number);

/* Works out the rows; when shapes were forgotten, once more. */
bool gcf_layout_plan(gcf_reader *r, gcf_layout *layout);
bool gcf_layout_replan(gcf_reader *r, gcf_layout *layout);

/* Where rows are read one by one, a copy of the text for those to come. */
bool gcf_keep_text(gcf_reader *r, gcf_layout *layout, const char **text, size_t len,
                   uint8_t *flags);

/* An empty layout, which is the reader's; NULL when out of memory. One that was dropped is
 * used again. */
gcf_layout *gcf_layout_new(gcf_reader *r);
void gcf_layout_drop(gcf_reader *r, gcf_layout *layout);

/* No row needs the layouts any more that were dropped. */
void gcf_unpark_layouts(gcf_reader *r);

bool gcf_add_name(gcf_reader *r, gcf_names *names, const pith_key *name);

/* The value as a name that equal values share; text or not says which list. */
bool gcf_add_value_name(gcf_reader *r, gcf_names lists[2], const pith_slot *value,
                        const char *at);

/* --- cells and rows: gcf_read_row.c */

/* A whole value, white space around it or not, into a slot. */
bool gcf_read_value(gcf_reader *r, const char *at, const char *end, pith_slot *slot);

/* Adds a slot to the innermost open container; or null. */
bool gcf_add_slot(gcf_reader *r, const pith_slot *slot);
bool gcf_add_null(gcf_reader *r);

/* Adds the values of an inline array, which is open; says how many, and where the
 * first of those too many is. */
bool gcf_read_values(gcf_reader *r, pith_text text, uint64_t wanted, uint64_t *count,
                     const char **extra);

/* Adds a row without attachments to the table, or starts one that may have some. */
bool gcf_read_row(gcf_reader *r, gcf_scope *scope, const char *at, const char *end,
                  bool numbered);

/* Adds the key of a member, the first cell of its row, which is at `at`. */
bool gcf_member_key(gcf_reader *r, pith_slot *cell, const char *at);

/* Adds a positional body as an object. */
bool gcf_read_body(gcf_reader *r, const gcf_layout *schema, const char *at,
                   const char *end);

/* --- rows that wait for attachments: gcf_open_row.c */

/* Notes in layout->rows.states what each cell of a row is, whose cells are in their places
 * after the last slot of the tape. Returns which states there are, or-ed, and
 * GCF_CELL_MARKED when something is attached. */
enum { GCF_CELL_MARKED = 0x10 };
unsigned gcf_note_states(gcf_layout *layout, const pith_slot *base);

/* Starts the row that was looked at so. It is ended at once if it has no number, and so no
 * attachments. */
bool gcf_start_row(gcf_reader *r, gcf_scope *scope, const char *at, bool numbered,
                   unsigned met);

/* Puts everything on the tape that is before the next attachment. */
bool gcf_emit(gcf_reader *r, gcf_layout *layout);

/* Makes room on the tape for the attachment of a cell, or of an extra field (`cell` is
 * SLOT_NONE): its value is added next. */
bool gcf_place_attachment(gcf_reader *r, gcf_layout *layout, uint32_t cell,
                          const pith_key *key);

/* The field whose attachment the row waits for; SLOT_NONE when it waits for none. */
uint32_t gcf_awaited_field(const gcf_layout *layout);

/* Ends the row. */
bool gcf_end_row(gcf_reader *r, gcf_layout *layout);

/* The same, if one is open. */
static inline bool gcf_finish_row(gcf_reader *r, gcf_layout *layout)
{
    return !layout->row.open || gcf_end_row(r, layout);
}

/* --- schemas that rows declare for those after them: gcf_share.c */

/* Where the layout for the tables of a field is kept, by its number; by its name if it
 * is no column (`field` is SLOT_NONE). NULL when there is no such place yet. */
gcf_layout **gcf_find_shared(gcf_reader *r, gcf_layout *layout, uint32_t field,
                             const pith_key *name);

/* The head of a table under a field, with the place that was found: it is learned from, or
 * completed. */
bool gcf_share_layout(gcf_reader *r, const gcf_scope *scope, gcf_layout **shared,
                      uint32_t field, const pith_key *name, gcf_head *head);

/* Forgets what rows have declared. */
void gcf_layout_forget(gcf_reader *r, gcf_layout *layout);

/* Works out everything again if shapes were forgotten. */
bool gcf_replan(gcf_reader *r, gcf_layout *layout);

/* --- lines: gcf_decode.c and gcf_read_table.c */

bool gcf_push_scope(gcf_reader *r, gcf_scope_kind kind, size_t depth);
bool gcf_pop_scope(gcf_reader *r);
bool gcf_pop_all(gcf_reader *r);
bool gcf_open_head(gcf_reader *r, const gcf_head *head, size_t depth, bool shares);

/* Reports, once, that there are more lines than were declared; false. */
bool gcf_bad_surplus(gcf_reader *r, gcf_scope *scope, const char *at);

/* `@7 ` at the start of an item or a row: what is after it, NULL after a problem. */
const char *gcf_read_id(gcf_reader *r, const char *at, const char *end, uint64_t wanted);

/* True for key= and key[ at the start of a line. */
bool gcf_is_member(const char *at, const char *end);

/* True when the line belongs to what is around the table. */
bool gcf_table_ends(const gcf_reader *r, const gcf_scope *scope, const text_line *line);
bool gcf_read_table_line(gcf_reader *r, gcf_scope *scope, const text_line *line);

/* A line one level beneath the row. */
bool gcf_read_child_line(gcf_reader *r, gcf_scope *scope, const text_line *line);

/* What is known when a table ends: equal identities, equal groups, counts of groups. */
bool gcf_check_table(gcf_reader *r, gcf_scope *scope);

/* The first line, and the trailer. */
bool gcf_read_first_line(gcf_reader *r, const char *at, const char *end);
bool gcf_read_summary(gcf_reader *r, const char *at, const char *end);

/* Everything that has to be done with a line. */
void gcf_next_line(gcf_reader *r, text_line *line);
bool gcf_is_comment(const gcf_reader *r, const text_line *line);
bool gcf_check_utf8(gcf_reader *r, const char *until);

/* Puts the reader at the front of these lines of its input, whose UTF-8 is known to be right
 * up to `checked`. */
void gcf_reader_place(gcf_reader *r, pith_text lines, const char *checked);
void gcf_reader_free(gcf_reader *r);

/* Forgets all scopes but the outermost `left`, whatever state they are in. */
void gcf_drop_scopes(gcf_reader *r, size_t left);

#endif
