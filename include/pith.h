/*
 * pith.h - structured data as the text that costs a language model the fewest tokens, and
 * back without loss.
 *
 * The header is a ladder, and most programs stop at its third rung:
 *
 *     1 ground      version, status, options      8 tables   typed cells
 *     2 sinks       where bytes go                9 graphs   code graphs, sessions
 *     3 convert     from text to text            10 deltas   what has changed
 *     4 documents   parse, walk, build, write    11 tokens   count, encode, cut to size
 *     5 rows        tables, one row at a time    12 arrow    tables of Arrow
 *     6 checking    every problem in a text      13 frames   compressed texts
 *     7 formats     what there is, and its settings
 *
 * examples/ has a program for each rung; between them they make every call.
 * docs/embedding.md tells how to compile and link, docs/errors.md what code words mean.
 *
 * Threads.   There are no globals. A handle belongs to one thread at a time; two handles
 *            share nothing that can change. Any number of threads may read one finished
 *            document, or use one vocabulary. A process may fork at any time.
 * Ownership. What a call named _new, _open or _parse returns is yours until the matching
 *            _free, _close or _abandon, which accept NULL. Text you pass in is copied
 *            unless the comment says "borrowed". "Static" lives as long as the program.
 * NULL.      Options and errors may be NULL, other pointers where the comment allows it.
 *            Calls that return a pointer return NULL when they fail.
 * Text.      A pointer and a length, in UTF-8, NUL bytes allowed. Names of formats and
 *            settings are ordinary C strings.
 * Failure.   Running out of memory is a status, never a crash. What a call that fails has
 *            written is incomplete: discard it. Failures of a handle that is added to
 *            stick: later calls do nothing, and the last one tells.
 * Limits.    docs/limits.md has every one. Time grows with what is read and written,
 *            times a logarithm at most; what is written never depends on chance.
 */
#ifndef PITH_H
#define PITH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks what the shared library exports; everything else stays hidden. */
#ifndef PITH_API
#if defined(__GNUC__)
#define PITH_API __attribute__((visibility("default")))
#else
#define PITH_API
#endif
#endif

/* ------------------------------------------------------------------ 1 ground */

#define PITH_VERSION_MAJOR 0
#define PITH_VERSION_MINOR 2
#define PITH_VERSION_PATCH 0
#define PITH_VERSION_TEXT "0.2.0"

/* The version that is running; PITH_VERSION_TEXT is that of this header. Static. */
PITH_API const char *pith_version(void);

/* What became of a call: names, words and sentences. */
#define PITH_STATUS_LIST(X)                                                              \
    X(PITH_OK, "ok", "done")                                                             \
    X(PITH_BAD_INPUT, "bad_input", "the input is not what its format allows")            \
    X(PITH_UNREPRESENTABLE, "unrepresentable", "the target format cannot hold this")     \
    X(PITH_LIMIT, "limit", "a limit was reached")                                        \
    X(PITH_BAD_USE, "bad_use", "unknown format or setting, or a call out of order")      \
    X(PITH_NO_MEMORY, "no_memory", "out of memory")                                      \
    X(PITH_IO, "io", "reading or writing failed")                                        \
    X(PITH_CANCELLED, "cancelled", "the progress function asked to stop")

typedef enum pith_status {
#define PITH_STATUS_ENUM(name, word, sentence) name,
    PITH_STATUS_LIST(PITH_STATUS_ENUM)
#undef PITH_STATUS_ENUM
} pith_status;

/* As a word ("bad_input"); "unknown" for other numbers. Static. */
PITH_API const char *pith_status_name(pith_status status);

/* Why a call failed, in memory of yours, filled in only on failure. Line and column count
 * from 1, columns in code points; 0 when the failure has no place in the input. */
typedef struct pith_error {
    pith_status status;
    size_t line, column;
    size_t offset;     /* bytes into the input */
    const char *code;  /* a stable word: "duplicate_key", "depth_limit" ...; static */
    int system;        /* errno of a failed read or write, else 0 */
    char message[192]; /* one sentence that says what was expected; NUL-terminated */
    uint64_t reserved[4];
} pith_error;

/* A span of UTF-8 text. Not NUL-terminated. */
typedef struct pith_text {
    const char *ptr;
    size_t len;
} pith_text;

/* pith_text columns[] = {PITH_TEXT("id")}; */
#define PITH_TEXT(literal)                                                               \
    {                                                                                    \
        literal, sizeof(literal) - 1                                                     \
    }

/* One function in the manner of realloc, told both sizes; `ptr` is NULL to allocate,
 * `new_size` 0 to free. When it fails it returns NULL and leaves the old block as it was.
 * A NULL `resize` is the C library's. `seed` is the secret of the hash tables: whoever
 * knows it can make a text that takes long to read. 0 draws one from the system. */
typedef struct pith_alloc {
    void *(*resize)(void *ctx, void *ptr, size_t old_size, size_t new_size);
    void *ctx;
    uint64_t seed;
} pith_alloc;

#define PITH_DEPTH_DEFAULT 512
#define PITH_DEPTH_MOST 1000000
#define PITH_HOLD_DEFAULT (16 * 1024 * 1024)
#define PITH_MEMORY_DEFAULT (64 * 1024 * 1024)
#define PITH_MEMORY_PER_BYTE 64
#define PITH_MEMORY_PER_UNPACKED 3

/* What a conversion did, for whoever asks for it in the options. */
typedef struct pith_outcome {
    const char
        *format;  /* that was written, where "auto" or the guard chose it. Static. */
    size_t bytes; /* written */

    /* Where tokens were counted, for "auto", optimize, guard and budgets; else 0. */
    size_t tokens;      /* of what was written */
    size_t json_tokens; /* of the same as compact JSON, if that was counted to its end */

    /* With budget, rows-max or clip; else 0 and NULL. */
    size_t rows, rows_left_out;       /* of the lists from which some might go */
    size_t members, members_left_out; /* of the objects that are maps */
    size_t texts_clipped;
    const char *unit; /* what rows are: "rows", or "symbols" for graphs. Static. */
    uint64_t reserved[6];
} pith_outcome;

/* How to do it. Zero-initialise; zero means the default everywhere. Settings are words
 * with spaces between them, "indent=2 ascii=true"; a value with spaces or quotes in it is
 * a JSON string: "group=\"my field\"". What is unknown is PITH_BAD_USE, and the message
 * has the nearest right word. */
typedef struct pith_options {
    /* sizeof(pith_options); 0 stands for the layout of 0.2.0 (docs/abi.md). */
    size_t size;
    pith_alloc alloc;
    const char *read;  /* settings of the format that is read; borrowed for the call */
    const char *write; /* settings of the format that is written; borrowed likewise */
    /* How deep containers may nest: PITH_DEPTH_DEFAULT, at most PITH_DEPTH_MOST. */
    size_t depth_max;
    /* The most bytes to write. With 0 only indentation has a limit: the larger of 64 MiB
     * and 64 times everything else. */
    size_t output_max;
    /* The most memory that reading may take beside the text: PITH_MEMORY_DEFAULT, and for
     * each byte read PITH_MEMORY_PER_BYTE, out of a frame PITH_MEMORY_PER_UNPACKED. */
    size_t memory_max;
    /* Rows that have to wait until their number is known do so in memory up to this many
     * bytes, beyond it in a temporary file. The default is PITH_HOLD_DEFAULT. */
    size_t hold_max;
    /* Called at least once for each MiB that is read, written, counted or tried, with the
     * bytes of the present text that are done. Return false to stop: PITH_CANCELLED. */
    bool (*progress)(void *ctx, size_t bytes_done);
    void *progress_ctx;
    /* What tokens are counted with, borrowed; NULL is "o200k_base". */
    const struct pith_vocab *vocab;
    pith_outcome *outcome; /* filled in on success, when not NULL */
    /* Told what should be known although the call goes on, such as a loss that was
     * allowed. The remark lives as long as the call. */
    void (*notice)(void *ctx, const pith_error *remark);
    void *notice_ctx;
} pith_options;

/* ------------------------------------------------------------------- 2 sinks */

/* Where output goes: `write` takes all `len` bytes, which may be none, and returns
 * PITH_OK or the status with which the whole call then fails (what is no status counts as
 * PITH_IO, for which errno is noted). A sink without `write` is "no_sink". */
typedef struct pith_sink {
    pith_status (*write)(void *ctx, const char *data, size_t len);
    void *ctx;
} pith_sink;

/* A growing block of memory. Zero-initialise, or set `alloc` first. After a successful
 * call a NUL follows the `len` bytes of `data`. */
typedef struct pith_buffer {
    char *data;
    size_t len, cap;
    pith_alloc alloc;
} pith_buffer;

/* Appends to `buffer`, which must outlive the sink. Freed, it is empty again. */
PITH_API pith_sink pith_sink_buffer(pith_buffer *buffer);
PITH_API void pith_buffer_free(pith_buffer *buffer);

/* Writes to a file descriptor, which stays yours. */
PITH_API pith_sink pith_sink_fd(int fd);

/* ----------------------------------------------------------------- 3 convert */

/* Reads `text` as the format `from` (NULL: the content decides, as in pith_format_of) and
 * writes it as the format `to`, which may be "auto": JSON or Pith, whichever costs fewer
 * tokens. No newline is added at the end (in NDJSON each line has one of its own).
 *
 *     pith_buffer out = {0};
 *     pith_convert("json", "toon", text, len, NULL, pith_sink_buffer(&out), NULL);
 */
PITH_API pith_status pith_convert(const char *from, const char *to, const char *text,
    size_t len, const pith_options *options, pith_sink sink, pith_error *err);

/* --------------------------------------------------------------- 4 documents */

/* A document is one value with everything in it, in one block of memory. */
typedef struct pith_doc pith_doc;

/* A place in a document, valid until that changes or goes; the rest of it is private. "No
 * value" has a NULL `doc`: every call accepts it and answers no value, zero, false or
 * empty text. */
typedef struct pith_value {
    const pith_doc *doc;
    uint32_t at, parent, index;
} pith_value;

typedef enum pith_kind {
    PITH_NONE, /* no value */
    PITH_NULL,
    PITH_FALSE,
    PITH_TRUE,
    PITH_INTEGER, /* digits without point or exponent, of any length */
    PITH_DECIMAL, /* digits with point, exponent or both */
    PITH_STRING,
    PITH_ARRAY,
    PITH_OBJECT
} pith_kind;

/* An empty document to build or read into; of the options it keeps the allocator and the
 * depth limit. A reset empties it and keeps its memory. */
PITH_API pith_doc *pith_doc_new(const pith_options *options);
PITH_API void pith_doc_free(pith_doc *doc);
PITH_API void pith_doc_reset(pith_doc *doc);

/* Reads `text` as `format` (NULL: the content decides) into the emptied `doc`, which is
 * empty after a failure; or into a new one. The text is borrowed by the values. */
PITH_API pith_status pith_doc_read(pith_doc *doc, const char *format, const char *text,
    size_t len, const pith_options *options, pith_error *err);
PITH_API pith_doc *pith_doc_parse(const char *format, const char *text, size_t len,
    const pith_options *options, pith_error *err);

/* Writes a value as `format`, which may be "auto". */
PITH_API pith_status pith_value_write(pith_value value, const char *format,
    const pith_options *options, pith_sink sink, pith_error *err);

/* --- walking */

/* The document's value, none while it is empty or unfinished; the kind of a value; its
 * elements or members, 0 for anything but an array or object. */
PITH_API pith_value pith_doc_root(const pith_doc *doc);
PITH_API pith_kind pith_value_kind(pith_value value);
PITH_API size_t pith_value_count(pith_value value);

/* The first element or member value, and the one after it; no value after the last. */
PITH_API pith_value pith_value_first(pith_value container);
PITH_API pith_value pith_value_next(pith_value value);

/* A member's key, empty elsewhere; the member of a name, linear in their number. */
PITH_API pith_text pith_value_key(pith_value member);
PITH_API pith_value pith_value_get(pith_value object, const char *key, size_t len);

/* The element or member value at that index: at once where none of them is an array or
 * object, else by counting. */
PITH_API pith_value pith_value_at(pith_value container, size_t index);

/* A string's text, or a number's digits as they were written. */
PITH_API pith_text pith_value_text(pith_value value);

/* The number, exactly: false, with `*out` untouched, when the value is not an integer, as
 * `1.0` and `1e3` are not, or does not fit. */
PITH_API bool pith_value_int64(pith_value value, int64_t *out);
PITH_API bool pith_value_uint64(pith_value value, uint64_t *out);

/* The nearest double, or an infinity; false when the value is no number. */
PITH_API bool pith_value_double(pith_value value, double *out);

/* The same kind, digits, text, keys, members and order, all the way down. */
PITH_API bool pith_value_equal(pith_value a, pith_value b);

/* --- walking in batches
 *
 * The values from one on, in document order, many with each call: faster by far than a
 * call for each, and numbers are read on the way. A container comes before what it holds
 * and says how many values that is; nothing marks its end.
 *
 *     pith_walk_begin(&walk, pith_doc_root(doc), 0);
 *     while ((count = pith_walk_next(&walk, events, 256)) > 0) ...
 */
typedef struct pith_event {
    uint8_t kind;  /* a pith_kind */
    uint8_t flags; /* see below */
    uint8_t type;  /* a pith_type, where the value is more than it looks like; else 0 */
    uint8_t zero;
    uint32_t shape; /* of an object: the same number, the same keys; 0 for no number */
    size_t len;     /* of u.text in bytes; of a container the values in it */
    union {
        const char *text; /* of a string, and of digits; lives as the document does */
        int64_t integer;  /* of PITH_INTEGER */
        double number;    /* of PITH_DECIMAL: the nearest double, or an infinity */
        size_t place;     /* private, of a container */
    } u;
} pith_event;

/* Of a string: it is ASCII. Of a number: u.text is its digits, as it is for every integer
 * that an int64_t does not hold. */
#define PITH_EVENT_ASCII 1
#define PITH_EVENT_DIGITS 2
#define PITH_WALK_DIGITS 1 /* of a walk: every number is digits */

/* Needs no initialisation; all of it is private. */
typedef struct pith_walk {
    const pith_doc *doc;
    uint32_t at, end;
    unsigned flags;
    uint32_t reserved[5];
} pith_walk;

/* Begins with the value and everything in it; `flags` is 0 or PITH_WALK_DIGITS. Gives the
 * next `room` events at most, and how many they are, 0 after the last. */
PITH_API void pith_walk_begin(pith_walk *walk, pith_value value, unsigned flags);
PITH_API size_t pith_walk_next(pith_walk *walk, pith_event *events, size_t room);

/* The keys of an object: the first `room` go to `keys`; returns how many there are. Ask
 * once for each shape, and for each object whose shape is 0. Shapes hold until the
 * document is reset or read into, in a reader until its next call. */
PITH_API size_t pith_walk_keys(
    const pith_walk *walk, const pith_event *object, pith_text *keys, size_t room);

/* --- building
 *
 * Calls append in document order: open a container, add to it, close it; in an object a
 * key comes before each value. The last call gives the verdict: PITH_OK when the document
 * holds exactly one whole value.
 *
 *     pith_doc_open_object(doc);
 *     pith_doc_add_key(doc, "id", 2);
 *     pith_doc_add_int64(doc, 7);
 *     pith_doc_close(doc);
 *     status = pith_doc_finish(doc, &err);
 */
PITH_API void pith_doc_open_array(pith_doc *doc);
PITH_API void pith_doc_open_object(pith_doc *doc);
PITH_API void pith_doc_close(pith_doc *doc);
PITH_API void pith_doc_add_key(pith_doc *doc, const char *text, size_t len);
PITH_API void pith_doc_add_null(pith_doc *doc);
PITH_API void pith_doc_add_bool(pith_doc *doc, bool truth);
PITH_API void pith_doc_add_int64(pith_doc *doc, int64_t number);
PITH_API void pith_doc_add_uint64(pith_doc *doc, uint64_t number);
PITH_API void pith_doc_add_text(pith_doc *doc, const char *text, size_t len);
PITH_API pith_status pith_doc_finish(pith_doc *doc, pith_error *err);

/* The shortest digits that read back as the same double. NaN and the infinities fail
 * ("not_finite"), but in rows of a format that has them. Or a number by its digits, in
 * JSON's grammar, kept as they are. */
PITH_API void pith_doc_add_double(pith_doc *doc, double number);
PITH_API void pith_doc_add_number(pith_doc *doc, const char *digits, size_t len);

/* What JSON does not have: see "typed values". A reference is a row, by its number. */
PITH_API void pith_doc_add_bytes(pith_doc *doc, const void *bytes, size_t len);
PITH_API void pith_doc_add_vector(pith_doc *doc, const double *numbers, size_t count);
PITH_API void pith_doc_add_ref(pith_doc *doc, pith_text table, uint64_t row);

/* A copy of a value of another document, with everything in it. */
PITH_API void pith_doc_add_value(pith_doc *doc, pith_value value);

/* This key of a row, or of an object of a shape, has no value, which is not null. */
PITH_API void pith_doc_skip(pith_doc *doc);

/* --- building in batches
 *
 * A cell is a value, a key, or the begin or end of a container. An array of them costs a
 * fraction of as many calls, between which it may come; it may end anywhere.
 *
 *     pith_cell row[] = {{.kind = PITH_CELL_SHAPED, .u.natural = shape},
 *                        {.kind = PITH_CELL_INT64, .u.integer = 7},
 *                        {.kind = PITH_CELL_TEXT, .len = 3, .u.text = "Ada"}};
 *     pith_doc_add_cells(doc, row, 3);
 */
typedef enum pith_cell_kind {
    PITH_CELL_NULL = 1,
    PITH_CELL_FALSE,
    PITH_CELL_TRUE,
    PITH_CELL_INT64,  /* u.integer */
    PITH_CELL_UINT64, /* u.natural */
    PITH_CELL_DOUBLE, /* u.number, as pith_doc_add_double */
    PITH_CELL_FLOAT,  /* u.single: the shortest digits that read back as the same float */
    PITH_CELL_DIGITS, /* u.text and len, as pith_doc_add_number */
    PITH_CELL_TEXT,   /* u.text and len */
    PITH_CELL_BYTES,  /* u.text and len, as pith_doc_add_bytes */
    PITH_CELL_KEY,    /* u.text and len: the key of the value that follows */
    PITH_CELL_ARRAY,  /* begins an array */
    PITH_CELL_OBJECT, /* begins an object; keys and values follow */
    PITH_CELL_SHAPED, /* begins an object of the shape u.natural, without an end */
    PITH_CELL_ABSENT, /* of such an object: this key has no value */
    PITH_CELL_CLOSE,  /* ends the innermost array or object that is not of a shape */
    PITH_CELL_VALUE,  /* u.value: a copy of it */
    PITH_CELL_VECTOR  /* u.numbers and len, as pith_doc_add_vector */
} pith_cell_kind;

/* Of a text, in `flags`: it is known to be UTF-8, else it breaks what is written. */
#define PITH_CELL_TRUSTED 1

typedef struct pith_cell {
    uint8_t kind;  /* a pith_cell_kind */
    uint8_t flags; /* 0 or PITH_CELL_TRUSTED */
    uint16_t zero;
    uint32_t len; /* of u.text, in bytes; of u.numbers, how many */
    union {
        const char *text;
        const double *numbers;
        const pith_value *value;
        int64_t integer;
        uint64_t natural;
        double number;
        float single;
    } u;
} pith_cell;

PITH_API void pith_doc_add_cells(pith_doc *doc, const pith_cell *cells, size_t count);

/* A list of keys as a number for PITH_CELL_SHAPED, until the document is reset or read
 * into. 0 when there is no room for it: then give the keys with each object. */
PITH_API uint32_t pith_doc_shape(pith_doc *doc, const pith_text *keys, size_t count);

/* -------------------------------------------------------------------- 5 rows */

/* A table on its way out. Formats that can stream pass rows on in constant memory, a few
 * together; for the others rows are collected. */
typedef struct pith_rows pith_rows;

/* The names of the columns, in order; NULL with 0 when rows are any values at all. With a
 * NULL format the table is held: see pith_rows_save. */
PITH_API pith_rows *pith_rows_open(const char *format, const pith_text *columns,
    size_t count, const pith_options *options, pith_sink sink, pith_error *err);

/* Says, before the first row, how many there will be, for formats that count them. */
PITH_API void pith_rows_expect(pith_rows *rows, uint64_t count);

/* Says, before the first row, what a column holds, but not its name. Formats whose
 * columns have types refuse a cell that does not fit, and write types when asked to. */
struct pith_field;
PITH_API void pith_rows_declare(
    pith_rows *rows, size_t column, const struct pith_field *field);

/* The document of the row that is being made: one value for each column, in their order,
 * without keys; pith_doc_skip leaves one out. Without columns it takes any one value.
 * Bytes, vectors, references, NaN and infinities are what they are in a format that has
 * them; for the others bytes are their base64. Only what adds may be called with it.
 *
 *     pith_doc *row = pith_rows_row(rows);
 *     pith_doc_add_int64(row, 7);
 *     pith_doc_add_text(row, "Ada", 3);
 *     status = pith_rows_end_row(rows, &err);
 */
PITH_API pith_doc *pith_rows_row(pith_rows *rows);
PITH_API pith_status pith_rows_end_row(pith_rows *rows, pith_error *err);

/* A whole row at once: any value, or with columns an object with no other keys. */
PITH_API pith_status pith_rows_add_row(pith_rows *rows, pith_value row, pith_error *err);

/* The cells of any number of rows, and no ends between them: each column has a value,
 * which may be a whole container, or PITH_CELL_ABSENT. A batch may end inside a row,
 * which the next one goes on with. Much faster than a call for each cell. */
PITH_API pith_status pith_rows_add_cells(
    pith_rows *rows, const pith_cell *cells, size_t count, pith_error *err);

/* Sends the rows ended so far, when the format streams. Writes the end of the table and
 * frees the handle, whatever the outcome; or frees it. */
PITH_API pith_status pith_rows_flush(pith_rows *rows, pith_error *err);
PITH_API pith_status pith_rows_close(pith_rows *rows, pith_error *err);
PITH_API void pith_rows_abandon(pith_rows *rows);

/* --- an object of tables
 *
 * Members that are whole values, and tables that arrive row by row, each under a name:
 *
 *     rows = pith_rows_open_object("gcf", NULL, sink, &err);
 *     pith_rows_add_member(rows, name, station, NULL);
 *     pith_rows_begin_table(rows, readings, columns, 2, false, NULL);
 *     ...rows, as above, and pith_rows_close
 *
 * Formats that cannot stream it are given it collected; one of rows alone refuses it. */
PITH_API pith_rows *pith_rows_open_object(
    const char *format, const pith_options *options, pith_sink sink, pith_error *err);

/* A member with any value; "member_after_table" where it would be taken for a row. */
PITH_API pith_status pith_rows_add_member(
    pith_rows *rows, pith_text name, pith_value value, pith_error *err);

/* Ends the table before, if any, and begins the next, with at least one column. The rows
 * of a keyed table are an object: each comes after a key of its own, from
 * pith_doc_add_key or a PITH_CELL_KEY. That the keys differ is your promise. */
PITH_API pith_status pith_rows_begin_table(pith_rows *rows, pith_text name,
    const pith_text *columns, size_t count, bool keyed, pith_error *err);

/* --- tables that travel
 *
 * A table can be made in several places and written in one: each place holds its rows and
 * saves them; that state, a text, is sent to where it is added to a table with the same
 * columns, or begins one. A state holds what JSON holds: bytes are texts after that. */
PITH_API pith_status pith_rows_save(pith_rows *rows, pith_sink sink, pith_error *err);
PITH_API pith_status pith_rows_merge(
    pith_rows *rows, const char *state, size_t len, pith_error *err);
PITH_API pith_rows *pith_rows_restore(const char *format, const char *state, size_t len,
    const pith_options *options, pith_sink sink, pith_error *err);

/* --- rows that arrive
 *
 * Feed a reader pieces of any size, and take whole rows out. For formats that can stream,
 * memory is bounded by the longest row; for the others the text is collected and the
 * elements of the root array are handed out at the end (or the root itself). */
typedef struct pith_reader pith_reader;
PITH_API pith_reader *pith_reader_open(
    const char *format, const pith_options *options, pith_error *err);
PITH_API void pith_reader_free(pith_reader *reader);
PITH_API pith_status pith_reader_feed(
    pith_reader *reader, const char *data, size_t len, pith_error *err);
PITH_API pith_status pith_reader_end(pith_reader *reader, pith_error *err);

/* The next whole row, valid until the next call on the reader. PITH_OK with no value
 * means: feed more, or, after pith_reader_end, that was the last. */
PITH_API pith_status pith_reader_next(
    pith_reader *reader, pith_value *row, pith_error *err);

/* The same with up to `rows_max` rows, as the elements of an array; no value when there
 * is none: feed more, or, where `*done` is true, there will be no more. */
PITH_API pith_status pith_reader_batch(
    pith_reader *reader, size_t rows_max, pith_value *rows, bool *done, pith_error *err);

/* The names of the columns, in formats that tell them before the first row (CSV with
 * types=cells, tables of TOON, GCF, Pith and SochDB): the first `room` go to `columns`,
 * valid until the next call; returns how many, 0 while they have not arrived. */
PITH_API size_t pith_reader_columns(pith_reader *reader, pith_text *columns, size_t room);

/* Whether no more input can bring a row: at the end, or beyond `rows` and `at`. */
PITH_API bool pith_reader_done(const pith_reader *reader);

/* An answer of a model while it arrives (docs/answers.md). Feeding fails for want of
 * memory alone; the end reads all of it as "answer", and says what is wrong. After each
 * piece there is a document: what came so far, how many elements or members of it are
 * complete, whether it is itself, and whether more of a value in it may come. */
typedef struct pith_answer pith_answer;
PITH_API pith_answer *pith_answer_open(const pith_options *options, pith_error *err);
PITH_API void pith_answer_free(pith_answer *answer);
PITH_API pith_status pith_answer_feed(
    pith_answer *answer, const char *data, size_t len, pith_error *err);
PITH_API pith_status pith_answer_end(pith_answer *answer, pith_error *err);
PITH_API pith_value pith_answer_root(const pith_answer *answer);
PITH_API bool pith_value_partial(pith_value value);
PITH_API size_t pith_answer_complete(const pith_answer *answer);
PITH_API bool pith_answer_finished(const pith_answer *answer);

/* ---------------------------------------------------------------- 6 checking */

/* Called for each problem; return false to stop. */
typedef bool (*pith_report)(void *ctx, const pith_error *problem);

/* Reads `text` as `format` (NULL: the content decides), reports every independent
 * problem, also those that pass unless strict=true, and keeps nothing. Returns the status
 * of the first, which is in `err`, or PITH_NO_MEMORY when it could not be finished. */
PITH_API pith_status pith_check(const char *format, const char *text, size_t len,
    const pith_options *options, pith_report report, void *ctx, pith_error *err);

/* ----------------------------------------------------------------- 7 formats */

enum { PITH_READ = 1, PITH_WRITE = 2 };

typedef enum pith_setting_type {
    PITH_SETTING_BOOL,   /* true or false */
    PITH_SETTING_NUMBER, /* a whole number in [min, max] */
    PITH_SETTING_CHOICE, /* one of `choices` */
    PITH_SETTING_TEXT    /* anything */
} pith_setting_type;

typedef struct pith_setting {
    const char *word;
    pith_setting_type type;
    unsigned direction;        /* PITH_READ, PITH_WRITE or both */
    const char *choices;       /* "off|safe", the default first; else NULL */
    uint64_t min, max;         /* for numbers */
    const char *default_value; /* when nothing is said */
    const char *help;          /* half a sentence */
} pith_setting;

typedef enum pith_numbers {
    PITH_NUMBERS_ANY, /* digits of any length */
    PITH_NUMBERS_64   /* 64-bit integers and doubles; others are refused or rounded */
} pith_numbers;

typedef struct pith_format {
    const char *name;       /* "json" */
    const char *suffixes;   /* ".ndjson .jsonl", the first is the one to give; or "" */
    const char *media_type; /* "application/json" */
    const char *summary;    /* half a sentence */
    unsigned direction;     /* PITH_READ, PITH_WRITE or both */
    unsigned streams; /* the directions in which every text is rows, in bounded memory */
    bool binary;      /* not text: no newline may be added */
    const pith_setting *settings;
    size_t setting_count;
    bool exchange;        /* what other programs write, so that it is mostly read */
    bool chooses;         /* "auto": a text becomes one of the other formats */
    pith_numbers numbers; /* that it holds exactly */
    unsigned sessions;    /* the directions in which it can be a turn of a session */
    bool lines;        /* each line is a value of JSON, so that one value is one line */
    const char *dense; /* the setting for fewer tokens that is harder to read, or NULL */
} pith_format;

/* The format at that index, from 0, JSON first, or of that name in any case of letters;
 * NULL for none. Static. */
PITH_API const pith_format *pith_format_at(size_t index);
PITH_API const pith_format *pith_format_find(const char *name);

/* The format of a file, by its name and the beginning of its content; either may be NULL.
 * A suffix stands for a format or, as ".gcf" and ".toon", for a family, of which the
 * content tells the member; where it does not, the first. NULL for none. */
PITH_API const pith_format *pith_format_of(
    const char *path, const char *text, size_t len);

/* The setting at that index, from 0, that every format knows; NULL for none.
 *
 *     guard, verify, optimize              only if cheaper; read back; cheapest form
 *     budget, keep, rows-max, clip, note   what fits into so many tokens or rows
 *     safe, final-newline                  nothing hidden; a newline at the end
 *     at, rows, fields, drop, drop-null    of reading: which part of the text
 *
 * docs/choosing.md, budgets.md and selecting.md are their manuals. Those of writing, but
 * for final-newline, need the whole value in memory; streams of graphs, turns of a
 * session and deltas refuse them by name. */
PITH_API const pith_setting *pith_setting_common(size_t index);

/* ------------------------------------------------------------------ 8 tables */

/* What a column holds, or a cell. */
typedef enum pith_type {
    PITH_TYPE_ANY,   /* of a column: each cell for itself. Of a cell: null */
    PITH_TYPE_INT,   /* a whole number; of a column, one that an int64_t holds */
    PITH_TYPE_UINT,  /* a whole number that a uint64_t holds */
    PITH_TYPE_FLOAT, /* a double, NaN and the infinities too */
    PITH_TYPE_TEXT,
    PITH_TYPE_BOOL,
    PITH_TYPE_BYTES,
    PITH_TYPE_VEC, /* a fixed number of doubles */
    PITH_TYPE_ARRAY,
    PITH_TYPE_OBJECT,
    PITH_TYPE_REF /* a row of a table, by its number */
} pith_type;

/* A column. Zero-initialise: that is one named "" of PITH_TYPE_ANY. */
typedef struct pith_field {
    pith_text name;
    pith_type type;
    bool nullable;    /* PITH_TYPE_ANY always is */
    uint32_t size;    /* of PITH_TYPE_VEC: how many doubles */
    pith_text target; /* of PITH_TYPE_REF: the only table allowed; empty for any */
    uint64_t reserved[2];
} pith_field;

/* --- typed values
 *
 * In a document a cell is what JSON would make of it: bytes are a string of base64 after
 * "b64:", NaN and the infinities the strings "NaN", "Inf" and "-Inf", a vector an array
 * of numbers, a reference the object {"$ref":"users","id":42}. Other calls, and formats
 * without types, see that; these see what it is, which a like string or object is not. */

/* PITH_TYPE_ANY for null and no value, PITH_TYPE_INT for every whole number. */
PITH_API pith_type pith_value_type(pith_value value);

/* The first `room` bytes, or numbers of a vector, go to `to`; returns how many it has. Or
 * the table and the row's number of a reference; else false. */
PITH_API size_t pith_value_bytes(pith_value value, void *to, size_t room);
PITH_API size_t pith_value_vector(pith_value value, double *to, size_t room);
PITH_API bool pith_value_ref(pith_value value, pith_text *table, uint64_t *id);

/* --- tables
 *
 * A table is a view of a document: an array of objects whose columns are known. What is
 * read from "soch" and "soch-bin" has tables, whose columns have types; rows may be put
 * into a document with types; and tables can be made of any value.
 *
 *     rows = pith_rows_into(doc, NULL, &err);
 *     pith_rows_begin_table(rows, users, columns, 2, false, NULL);
 *     pith_rows_declare(rows, 0, &id);
 *     ...rows, as above, and pith_rows_close
 *     pith_doc_table(doc, 0, &table);
 *     pith_value_text(pith_table_cell(&table, 0, 1));
 *
 * The object of tables that is so begun becomes the value of the emptied document; it has
 * the tables when there is nothing else in it and no row lacks a cell. In columns of
 * those, whole numbers become floats, and arrays of numbers vectors; any other cell that
 * is not what its column holds fails the end. Numbers are of 64 bits. */
PITH_API pith_rows *pith_rows_into(
    pith_doc *doc, const pith_options *options, pith_error *err);

/* Valid as long as the document is. */
typedef struct pith_table {
    pith_text name; /* "_" when it has none; names may repeat */
    const pith_field *fields;
    size_t field_count, row_count;
    pith_value rows; /* the array; of a value that is no table, the value */
    bool single;     /* private, and so is the rest */
    uint32_t near_at;
    size_t near_row;
    uint64_t reserved[2];
} pith_table;

/* How many tables there are; the one at that index, from 0, false beyond the last. */
PITH_API size_t pith_doc_table_count(const pith_doc *doc);
PITH_API bool pith_doc_table(const pith_doc *doc, size_t index, pith_table *table);

/* The cell of a row and a column; no value where there is none. At once where no row has
 * containers, else by counting from the row that was asked for last. */
PITH_API pith_value pith_table_cell(pith_table *table, size_t row, size_t column);

/* Makes tables of a document that has none, with types: of an array of objects with the
 * same keys, of an object of such arrays, of any other value one with a single cell. */
PITH_API pith_status pith_doc_make_tables(pith_doc *doc, pith_error *err);

/* ------------------------------------------------------------------ 9 graphs */

/* A code graph, symbols such as functions and edges between them, is a value:
 *
 *     {"tool": "context_for_task", "token_budget": 5000, "tokens_used": 1847,
 *      "symbols": [{"qualified_name": "pkg.Auth", "kind": "function", "score": 0.78,
 *                   "provenance": "lsp_resolved", "distance": 0}],
 *      "edges":   [{"source": "pkg.Server", "target": "pkg.Auth", "edge_type": "calls"}]}
 *
 * and is built, looked at, read and written as one. docs/formats/gcf-graph.md has every
 * member. The formats "gcf-graph" and "gcf1-graph" write it, also as it is found:
 * pith_rows_open_object takes the tables "symbols" and "edges", in this order.
 *
 * In a session a symbol is told once and then only referred to. Both ends of a
 * conversation keep one: the writer's declares a symbol that is new or has changed, and
 * else writes a reference, which the reader's fills in. It belongs to one conversation of
 * one user, and either writes or reads. At a limit the writer writes a graph that needs
 * no session and starts a new one; so does the reader when it gets one. Time is in
 * seconds, from any moment, and given by you. With the write setting turns=true a comment
 * says which turn a text is, and a reader refuses any but the next. */
typedef struct pith_session pith_session;

/* Zero means the default. */
typedef struct pith_session_limits {
    size_t size;       /* see pith_options */
    uint64_t idle_max; /* seconds without a text; 1,800 */
    uint64_t life_max; /* seconds from the first text; 86,400 */
    size_t ids_max;    /* symbols; 100,000 */
} pith_session_limits;
PITH_API pith_session *pith_session_new(
    const pith_session_limits *limits, const pith_options *options);
PITH_API void pith_session_free(pith_session *session);

/* Writes a graph for the reader at the other end, at the time `now`, as "gcf-graph"
 * (NULL) or "gcf1-graph". After a failure it is as if nothing had been said. */
PITH_API pith_status pith_session_write(pith_session *session, pith_value graph,
    const char *format, uint64_t now, const pith_options *options, pith_sink sink,
    pith_error *err);

/* Call this when the last text was lost, or may have been: it is said once more. */
PITH_API void pith_session_lost(pith_session *session);

/* Reads a text of the writer at the other end into the emptied document. After a failure
 * the session is as before; after "unknown_reference" ask for the whole graph and take a
 * new one. */
PITH_API pith_status pith_session_read(pith_session *session, pith_doc *doc,
    const char *text, size_t len, uint64_t now, const pith_options *options,
    pith_error *err);

/* Writes all a session knows but its limits, a line of JSON; takes up what was so saved,
 * when it is whole and unchanged. */
PITH_API pith_status pith_session_save(
    const pith_session *session, pith_sink sink, pith_error *err);
PITH_API pith_status pith_session_restore(
    pith_session *session, const void *data, size_t len, pith_error *err);

/* ----------------------------------------------------------------- 10 deltas */

/* A snapshot is a set of flat rows that one field tells apart, or a code graph:
 *
 *     an array of objects       [{"id":7,"sum":2}]     with a field as its key
 *     an object of objects      {"ann":{"age":7}}      whose keys are the key
 *     an object with one such member, which gives it a name
 *     an object with `symbols`, and no key given: a graph
 *
 * The order of rows, and of fields in a row, means nothing. The root of a snapshot is a
 * hash of its content, the same in every implementation of GCF. Whoever holds a snapshot
 * says so by its root, and is sent a delta: nothing has changed, these rows have, or
 * everything anew. docs/deltas.md tells more. */
#define PITH_ROOT_SIZE 72
/* "sha256:" and 64 hexadecimal digits; NUL-terminated. */
typedef struct pith_root {
    char text[PITH_ROOT_SIZE];
} pith_root;

/* `key` names the field that tells the rows of an array apart; it is empty for an object
 * of objects, and for a graph (whose scores a pith_snapshot rounds to two decimals). */
PITH_API pith_status pith_value_root(pith_value value, pith_text key,
    const pith_options *options, pith_root *root, pith_error *err);

typedef enum pith_delta_kind {
    PITH_DELTA_UNCHANGED, /* one line: what you hold is right */
    PITH_DELTA_CHANGES,   /* rows added, changed and removed */
    PITH_DELTA_FULL       /* everything */
} pith_delta_kind;

/* What its first line says; texts lie in the delta, empty for none. */
typedef struct pith_delta_info {
    pith_delta_kind kind;
    pith_text key;
    pith_text base_root; /* of changes: what they were made for */
    pith_text root;      /* of what is held afterwards */
    bool session;        /* a graph that is part of a session */
    bool has_count;      /* it says how many rows or symbols there are: */
    uint64_t count;
    uint64_t reserved[4];
} pith_delta_info;

/* Looks at the first line alone. */
PITH_API pith_status pith_delta_look(
    const char *text, size_t len, pith_delta_info *info, pith_error *err);

/* When to send everything although changes would do: models lose track of them. */
typedef enum pith_anchor {
    PITH_ANCHOR_TURNS, /* every so many turns */
    PITH_ANCHOR_SIZE,  /* once the changes since everything was sent add up to it */
    PITH_ANCHOR_NEVER
} pith_anchor;

#define PITH_TURNS_DEFAULT 15
#define PITH_GUARD_DEFAULT 60
#define PITH_GUARD_OFF UINT32_MAX

/* How deltas are made. Zero means the default everywhere. */
typedef struct pith_policy {
    size_t size;    /* see pith_options */
    pith_text key;  /* see pith_value_root; empty: that of the rows held before; copied */
    pith_text tool; /* for the first line of a full delta; may be empty; copied */
    const char *format; /* "gcf" (NULL), or for graphs "gcf-graph" or "gcf1-graph" */
    pith_anchor anchor;
    uint32_t turns;         /* for PITH_ANCHOR_TURNS; 0 is PITH_TURNS_DEFAULT */
    uint32_t guard_percent; /* changes are less than this part; 0: PITH_GUARD_DEFAULT */
} pith_policy;

/* The side that knows the data holds the snapshot it sent last and writes deltas; the
 * other side holds the same one and applies them:
 *
 *     pith_snapshot_write(ours, root_they_sent, value, sink, NULL, &err);
 *     pith_snapshot_apply(theirs, text, len, NULL, &err);
 *     send(pith_snapshot_root(theirs));
 */
typedef struct pith_snapshot pith_snapshot;

/* An empty one. The policy may be NULL. The options are kept, and their vocabulary is
 * borrowed: with one, changes say how many tokens they save. */
PITH_API pith_snapshot *pith_snapshot_new(
    const pith_policy *policy, const pith_options *options, pith_error *err);
PITH_API void pith_snapshot_free(pith_snapshot *snapshot);

/* Takes the value as what is held and writes nothing. */
PITH_API pith_status pith_snapshot_set(
    pith_snapshot *snapshot, pith_value value, pith_error *err);

/* Writes the delta for someone who holds the root `held` (NULL: none) and wants to hold
 * `value`, which is then held here as well; `*kind`, which may be NULL, says what it was.
 * Changes are told only from what is held here, and where they can be told, as other
 * fields cannot; else everything is. A failure changes nothing. */
PITH_API pith_status pith_snapshot_write(pith_snapshot *snapshot, const char *held,
    pith_value value, pith_sink sink, pith_delta_kind *kind, pith_error *err);

/* Applies a delta: all of it, or nothing. It is refused when it was made for another
 * snapshot ("base_mismatch"), contradicts this one, is not whole, or does not lead to the
 * root it promises ("root_mismatch"); the remedy is to ask for everything. */
PITH_API pith_status pith_snapshot_apply(pith_snapshot *snapshot, const char *text,
    size_t len, pith_delta_kind *kind, pith_error *err);

/* What is held, and its root, until the next call that changes it. */
PITH_API pith_value pith_snapshot_value(const pith_snapshot *snapshot);
PITH_API const char *pith_snapshot_root(const pith_snapshot *snapshot);

/* ---------------------------------------------------------------- 11 tokens */

/* The tokens of a family of models and the rule by which text is cut into them. */
typedef struct pith_vocab pith_vocab;

/* That of the built-in vocabulary at that index, the default first; NULL for none. */
PITH_API const char *pith_vocab_name_at(size_t index);

/* Opens a built-in vocabulary, by NULL the default; the ids are those of tiktoken.
 * "estimate" is a guess, one token for four bytes, which counts and does nothing else. */
PITH_API pith_vocab *pith_vocab_open(
    const char *name, const pith_options *options, pith_error *err);

/* Opens that of another model from its tokenizer.json, as Hugging Face's libraries write
 * it: byte-level BPE, such as Llama 3, Qwen and Mistral have. */
PITH_API pith_vocab *pith_vocab_read(
    const char *text, size_t len, const pith_options *options, pith_error *err);

/* Writes a vocabulary as bytes that are used where they are, such as a mapped file, at a
 * multiple of eight, until it is freed; for machines of the same byte order and this
 * version. What was damaged is "bad_vocabulary". */
PITH_API pith_status pith_vocab_save(
    const pith_vocab *vocab, pith_sink sink, pith_error *err);
PITH_API pith_vocab *pith_vocab_map(
    const void *data, size_t len, const pith_options *options, pith_error *err);
PITH_API void pith_vocab_free(pith_vocab *vocab);

/* The name lives as long as the vocabulary. */
typedef struct pith_vocab_info {
    const char *name; /* "o200k_base", or "tokenizer.json" when it was read */
    bool exact;       /* false for "estimate": show its counts as a guess */
    size_t size;      /* one more than the largest id; 0 for "estimate" */
    uint64_t reserved[4];
} pith_vocab_info;
PITH_API pith_vocab_info pith_vocab_describe(const pith_vocab *vocab);

/* What looks like a special token, such as <|endoftext|>, is text like any other.
 * Ill-formed UTF-8, which no model can be sent, is "invalid_utf8". */
PITH_API pith_status pith_vocab_count(const pith_vocab *vocab, const char *text,
    size_t len, const pith_options *options, size_t *count, pith_error *err);

/* A growing list of ids. Zero-initialise, or set `alloc` first. */
typedef struct pith_tokens {
    uint32_t *ids;
    size_t count, cap;
    pith_alloc alloc;
} pith_tokens;
PITH_API void pith_tokens_free(pith_tokens *tokens);

/* Whether the text of a special token stands for that token. */
typedef enum pith_special {
    PITH_SPECIAL_IS_TEXT, /* it is text like any other */
    PITH_SPECIAL_IS_TOKEN /* it does, wherever it is */
} pith_special;

/* Appends the ids of a text. After a failure the list is as before. */
PITH_API pith_status pith_vocab_encode(const pith_vocab *vocab, const char *text,
    size_t len, pith_special special, pith_tokens *tokens, pith_error *err);

/* Writes the text of the ids; a single one may be a part of a character. */
PITH_API pith_status pith_vocab_decode(const pith_vocab *vocab, const uint32_t *ids,
    size_t count, const pith_options *options, pith_sink sink, pith_error *err);

/* Counts the tokens of a text that arrives in pieces, wherever those were cut, at its
 * sink; the total ends the text, and the next may come. A counter remembers what it has
 * counted and is faster then: keep one for each thread. The vocabulary is borrowed. */
typedef struct pith_counter pith_counter;
PITH_API pith_counter *pith_counter_new(
    const pith_vocab *vocab, const pith_options *options);
PITH_API void pith_counter_free(pith_counter *counter);
PITH_API pith_sink pith_counter_sink(pith_counter *counter);
PITH_API pith_status pith_counter_total(
    pith_counter *counter, size_t *count, pith_error *err);

/* --- parts
 *
 * Endless rows as texts of at most `tokens_max` tokens each, for prompts of a certain
 * size. Every part is a whole table in the format, with its own header and count, and
 * ends with a newline; memory is bounded by the rows of about two parts. */
typedef struct pith_part {
    const char *text; /* lives as long as the call that hands it out */
    size_t len;
    const char *format; /* one of those that "auto" became. Static. */
    size_t tokens;      /* of the text, exactly where the vocabulary is exact */
    uint64_t first_row, rows;
    bool too_long; /* one row that does not fit even alone */
} pith_part;

/* Another status than PITH_OK stops everything. */
typedef pith_status (*pith_part_sink)(void *ctx, const pith_part *part);
typedef struct pith_parts pith_parts;

/* Columns as in pith_rows_open; the vocabulary is borrowed. guard, budget, keep and
 * rows-max are refused. */
PITH_API pith_parts *pith_parts_open(const char *format, const pith_text *columns,
    size_t count, size_t tokens_max, const pith_options *options, pith_part_sink part,
    void *ctx, pith_error *err);

/* Rows as cells, as pith_rows_add_cells takes them; or one row that is any value. */
PITH_API pith_status pith_parts_add_cells(
    pith_parts *parts, const pith_cell *cells, size_t count, pith_error *err);
PITH_API pith_status pith_parts_add_row(
    pith_parts *parts, pith_value row, pith_error *err);

/* Hands out the last parts and frees the handle, whatever the outcome. Or frees it, and
 * rows that are in no part yet are lost. */
PITH_API pith_status pith_parts_close(pith_parts *parts, pith_error *err);
PITH_API void pith_parts_abandon(pith_parts *parts);

/* ----------------------------------------------------------------- 12 arrow */

/* By the C data and stream interfaces of Arrow: pyarrow, Polars, DuckDB and many more
 * hand over such structs. docs/arrow.md says what becomes of each type. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif

/* Writes a stream of batches as any format. It is read to its end and released, whatever
 * the outcome. What is wrong with a cell is told with its row and column. */
PITH_API pith_status pith_arrow_write(struct ArrowArrayStream *stream, const char *format,
    const pith_options *options, pith_sink sink, pith_error *err);

/* The same batch by batch, as rows or into parts: the columns are those of the schema, a
 * struct, which is not needed afterwards; batches stay yours. Rows that come in other
 * ways may be among them. */
PITH_API pith_rows *pith_rows_open_arrow(const char *format,
    const struct ArrowSchema *schema, const pith_options *options, pith_sink sink,
    pith_error *err);
PITH_API pith_status pith_rows_add_arrow(
    pith_rows *rows, const struct ArrowArray *batch, pith_error *err);
PITH_API pith_parts *pith_parts_open_arrow(const char *format,
    const struct ArrowSchema *schema, size_t tokens_max, const pith_options *options,
    pith_part_sink part, void *ctx, pith_error *err);
PITH_API pith_status pith_parts_add_arrow(
    pith_parts *parts, const struct ArrowArray *batch, pith_error *err);

/* How a table becomes a stream. Zero means the default everywhere. */
typedef struct pith_arrow_plan {
    size_t size; /* see pith_options */
    /* The columns and their types, a struct, borrowed for the call; other columns are an
     * error, those that are missing null. NULL: the types of the table, where it has
     * some, else those that hold all cells of the first rows. */
    const struct ArrowSchema *want;
    size_t look;       /* so many first rows; 0: all of them */
    size_t batch_rows; /* the most rows in a batch; 0: 65,536 */
} pith_arrow_plan;

/* Makes a stream of a text, or of a value that is an array of objects; it is yours to
 * release. A cell that does not fit its column fails the stream, whose get_last_error
 * tells where. The allocator is borrowed by it. `plan` may be NULL. */
PITH_API pith_status pith_arrow_read(const char *format, const char *text, size_t len,
    const pith_arrow_plan *plan, const pith_options *options,
    struct ArrowArrayStream *out, pith_error *err);
PITH_API pith_status pith_value_arrow(pith_value rows, const pith_arrow_plan *plan,
    const pith_options *options, struct ArrowArrayStream *out, pith_error *err);

/* ---------------------------------------------------------------- 13 frames */

/* The compression that the bytes begin a frame of, "ZSTD", "LZ4" or "GZIP", built in or
 * not; without bytes, NULL and 0, the one that the suffix of a file's name stands for;
 * NULL for none. `path` may be NULL. Static. */
PITH_API const char *pith_packing(const char *path, const char *data, size_t len);

/* Writes what is in a frame, or in several one after the other, in bounded memory. The
 * option memory_max bounds what comes out. */
PITH_API pith_status pith_unpack(const char *data, size_t len,
    const pith_options *options, pith_sink sink, pith_error *err);

/* What is given to its sink reaches `sink` as a frame of "ZSTD", "LZ4" or "GZIP". */
typedef struct pith_packer pith_packer;
PITH_API pith_packer *pith_packer_open(
    const char *packing, const pith_options *options, pith_sink sink, pith_error *err);
PITH_API pith_sink pith_packer_sink(pith_packer *packer);

/* Ends the frame and frees the handle, whatever the outcome; or frees it, and what is in
 * the sink is no whole frame. */
PITH_API pith_status pith_packer_close(pith_packer *packer, pith_error *err);
PITH_API void pith_packer_abandon(pith_packer *packer);

#ifdef __cplusplus
}
#endif

#endif /* PITH_H */
