/*
 * pith.h - structured data as the text that costs a language model the fewest
 * tokens, and back without loss.
 *
 * The header is a ladder. Each rung stands on the one before it, and most
 * programs stop at the first or the second:
 *
 *     1  ground      version, status, error, memory, options
 *     2  sinks       where bytes go: a buffer, a file descriptor, your callback
 *     3  convert     one call from text to text
 *     4  documents   parse, walk, look up, build, write
 *     5  rows        tables that leave or arrive one row at a time
 *     6  checking    every problem in a text, not only the first
 *     7  formats     what this build reads and writes, and its settings
 *     8  tables      rows of typed cells, for the formats that have them
 *     9  graphs      code graphs: symbols, edges, streams of them, sessions
 *     10 deltas      roots that name a snapshot, and texts that tell what changed
 *     11 tokens      what a text costs a model: count, encode, decode
 *     12 arrow       tables of Arrow, in and out
 *     13 frames      files that are compressed as a whole
 *
 * Rules that hold everywhere:
 *
 * Threads.   There are no globals. A handle belongs to one thread at a time;
 *            two handles never share anything that can change. Reading one
 *            finished document from several threads at once is safe.
 * Ownership. What a call named _new, _open or _parse returns is yours, and
 *            the matching _free or _close takes it back; those accept NULL.
 *            Text you pass in is copied unless the comment says "borrowed".
 * NULL.      A NULL options pointer means every default. A NULL error pointer
 *            means you only want the status. Other pointers must not be NULL
 *            unless the comment allows it.
 * Text.      Always a pointer and a length, in UTF-8, NUL bytes allowed.
 *            Format names, keys given as `const char *` and settings are
 *            ordinary C strings.
 * Memory.    Running out of it is a status, never a crash.
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

/* The version of the library that is running, such as "0.2.0"; PITH_VERSION_TEXT is the
 * one you compiled against. docs/abi.md says which go together. Static. */
PITH_API const char *pith_version(void);

/* What became of a call. One list gives the enum, the names and the sentences. */
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

/* The status as a word ("bad_input"). Static; "unknown" for other numbers. */
PITH_API const char *pith_status_name(pith_status status);

/* Why a call failed, filled in only on failure, in memory of yours. `line` and
 * `column` count from 1, columns in code points; both are 0 when the failure
 * has no place in the input. */
typedef struct pith_error {
    pith_status status;
    size_t line;
    size_t column;
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

/* What initialises one from a literal: pith_text columns[] = {PITH_TEXT("id")}; */
#define PITH_TEXT(literal)                                                               \
    {                                                                                    \
        literal, sizeof(literal) - 1                                                     \
    }

/* One function in the manner of realloc, told both sizes: `ptr` NULL and
 * `old_size` 0 to allocate, `new_size` 0 to free (the result is ignored). It
 * returns NULL on failure and then leaves the old block as it was. Memory is
 * aligned for any type. Leave `resize` NULL for the C library's allocator.
 *
 * `seed` is the secret of the hash tables in that memory: whoever knows it can make a text
 * that takes long to read. 0 draws one from the system; nothing that is written depends on
 * it. */
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
#define PITH_MEMORY_PER_UNPACKED 8

/* What a conversion did, for whoever asks for it in the options. */
typedef struct pith_outcome {
    const char *format; /* that was written: not the one asked for when that was
                           "auto" or the guard passed JSON through. Static. */
    size_t bytes;       /* written */

    /* Where tokens had to be counted, for "auto", optimize, guard and budgets; else 0. */
    size_t tokens; /* of what was written */
    size_t
        json_tokens; /* of the same as compact JSON, where that was counted to its end */

    /* With budget, rows-max or clip; else 0 and NULL. */
    size_t rows; /* that stayed, of the lists from which some might go */
    size_t rows_left_out;
    size_t members; /* the same of objects that are maps */
    size_t members_left_out;
    size_t texts_clipped;
    const char *unit; /* what rows are: "rows", or "symbols" for graphs. Static. */
    uint64_t reserved[6];
} pith_outcome;

/* How to do it. Zero-initialise; zero means the default everywhere.
 *
 * Settings travel as words, separated by spaces: "indent=2 ascii=true". A value
 * that holds spaces or quotes is written as a JSON string: "group=\"my field\"".
 * pith_format_at lists the words each format knows, pith_setting_common those that
 * all of them know; an unknown word or value is PITH_BAD_USE, with
 * the nearest right one in the message. */
typedef struct pith_options {
    /* sizeof(pith_options), so that a library that is newer than the program knows where it
     * ends; 0 stands for the layout of 0.2.0, which has all that is listed here. Less than
     * that, which no program has, is "bad_size". */
    size_t size;

    pith_alloc alloc;
    const char *read;  /* settings of the format that is read; borrowed for the call */
    const char *write; /* settings of the format that is written; borrowed likewise */

    /* How deep arrays and objects may nest; 0 is PITH_DEPTH_DEFAULT, the most is
     * PITH_DEPTH_MOST. Depth never touches the C stack. Beyond it: "depth_limit". */
    size_t depth_max;

    /* The most bytes to write; beyond it "output_limit". With 0 there is no such
     * limit, except that indentation, which grows with the square of the depth,
     * may not exceed the larger of 64 MiB and 64 times everything else. */
    size_t output_max;

    /* The most memory that reading a text may take, in bytes, whatever its format; beyond
     * it "memory_limit". A few bytes can stand for very many values, as a column that is
     * the same in all rows does. 0 is PITH_MEMORY_DEFAULT and PITH_MEMORY_PER_BYTE for
     * each byte read; for one that is compressed, PITH_MEMORY_PER_UNPACKED more for each
     * byte that it becomes. The text itself does not count. It also bounds what a frame
     * becomes. */
    size_t memory_max;

    /* Some formats say how many rows there are before the first one. Rows that arrive
     * one by one are then held back as text, in memory up to this many bytes, beyond
     * it in a temporary file; 0 is PITH_HOLD_DEFAULT. */
    size_t hold_max;

    /* Called at least once for each MiB that is read, written, counted or tried, with the
     * bytes of the present text that are done; a single value is read in one go. NULL for
     * none. Return false to stop: the call fails with PITH_CANCELLED. */
    bool (*progress)(void *ctx, size_t bytes_done);
    void *progress_ctx;

    /* What tokens are counted with, borrowed; NULL is the default, "o200k_base", which
     * is then opened for the call. See pith_vocab_open. */
    const struct pith_vocab *vocab;

    pith_outcome *outcome; /* filled in on success, when not NULL */

    /* Called when a text was read or written but something should be known, such as
     * that the format written cannot hold a value ("lossy"); NULL for none. The remark
     * has a code and a message, a place if it is about the text that was read, and
     * lives as long as the call. */
    void (*notice)(void *ctx, const pith_error *remark);
    void *notice_ctx;
} pith_options;

/* ------------------------------------------------------------------- 2 sinks */

/* Where output goes. `write` takes all `len` bytes and returns PITH_OK, or the
 * status with which the whole call then fails (PITH_IO, for which errno is noted, is also
 * what any other number counts as). It is
 * called with pieces of any size; when there is no output at all, once with an empty
 * one. Without a `write` every call that is given the sink fails with PITH_BAD_USE,
 * "no_sink". */
typedef struct pith_sink {
    pith_status (*write)(void *ctx, const char *data, size_t len);
    void *ctx;
} pith_sink;

/* A growing block of memory. Zero-initialise, or set `alloc` first. After a
 * successful call `data` is never NULL and a NUL follows its `len` bytes. */
typedef struct pith_buffer {
    char *data;
    size_t len;
    size_t cap;
    pith_alloc alloc;
} pith_buffer;

/* Appends to `buffer`, which must outlive the sink. */
PITH_API pith_sink pith_sink_buffer(pith_buffer *buffer);

/* Frees what the buffer holds and makes it empty again. */
PITH_API void pith_buffer_free(pith_buffer *buffer);

/* Writes to a file descriptor, which stays yours. Short writes and EINTR are
 * handled; any other failure is PITH_IO. */
PITH_API pith_sink pith_sink_fd(int fd);

/* ----------------------------------------------------------------- 3 convert */

/* Reads `text` as the format `from` and writes it to `sink` as the format `to`.
 * `from` may be NULL: then the content decides, as in pith_format_of. Output
 * already in the sink when the call fails is incomplete: discard it. No newline
 * is added at the end (in NDJSON each line has one of its own).
 *
 *     pith_buffer out = {0};
 *     pith_convert("json", "ndjson", text, len, NULL, pith_sink_buffer(&out), NULL);
 *     fwrite(out.data, 1, out.len, stdout);
 *     pith_buffer_free(&out);
 */
PITH_API pith_status pith_convert(const char *from, const char *to, const char *text,
                                  size_t len, const pith_options *options, pith_sink sink,
                                  pith_error *err);

/* --------------------------------------------------------------- 4 documents */

/* A document is one value with everything in it, in one block of memory. */
typedef struct pith_doc pith_doc;

/* A place in a document: small, passed by value, valid until its document
 * changes or goes. "No value" is one whose `doc` is NULL; every call below
 * accepts it and answers no value, zero, false or empty text. */
typedef struct pith_value {
    const pith_doc *doc;
    uint32_t at;     /* private */
    uint32_t parent; /* private */
    uint32_t index;  /* private */
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

/* An empty document to build or read into; NULL when out of memory. Of the
 * options it keeps the allocator and the depth limit. */
PITH_API pith_doc *pith_doc_new(const pith_options *options);

/* Frees the document; its values are gone with it. */
PITH_API void pith_doc_free(pith_doc *doc);

/* Empties the document for the next text or value and keeps its memory. */
PITH_API void pith_doc_reset(pith_doc *doc);

/* Reads `text` as `format` (NULL: the content decides) into the emptied `doc`.
 * The text is borrowed: it must stay in place and unchanged for as long as the
 * document's values are used. After a failure the document is empty. */
PITH_API pith_status pith_doc_read(pith_doc *doc, const char *format, const char *text,
                                   size_t len, const pith_options *options,
                                   pith_error *err);

/* pith_doc_new and pith_doc_read in one; NULL on failure. */
PITH_API pith_doc *pith_doc_parse(const char *format, const char *text, size_t len,
                                  const pith_options *options, pith_error *err);

/* --- walking */

/* The document's value; no value while the document is empty or unfinished. */
PITH_API pith_value pith_doc_root(const pith_doc *doc);

PITH_API pith_kind pith_value_kind(pith_value value);

/* Elements of an array or members of an object; 0 for anything else. */
PITH_API size_t pith_value_count(pith_value value);

/* The first element or member value; then the one after it; no value at the
 * end:  for (v = pith_value_first(list); v.doc; v = pith_value_next(v)) ... */
PITH_API pith_value pith_value_first(pith_value container);
PITH_API pith_value pith_value_next(pith_value value);

/* The key under which a member value stands; empty text elsewhere. */
PITH_API pith_text pith_value_key(pith_value member);

/* The member of that name, or no value. Linear in the number of members. */
PITH_API pith_value pith_value_get(pith_value object, const char *key, size_t len);

/* The element or member value at that index, from 0: at once where none of them is an array
 * or object, else by counting. To see all of them, use pith_value_next. */
PITH_API pith_value pith_value_at(pith_value container, size_t index);

/* --- reading scalars */

/* A string's text, or a number's digits as they were written. Those of a float from a
 * binary table are written when they are first asked for; pith_value_double does not
 * ask. */
PITH_API pith_text pith_value_text(pith_value value);

/* The number, exactly: false, with `*out` untouched, when the value is not an
 * integer or does not fit. `1.0` and `1e3` are decimals, not integers. */
PITH_API bool pith_value_int64(pith_value value, int64_t *out);
PITH_API bool pith_value_uint64(pith_value value, uint64_t *out);

/* The double nearest to the number; false when the value is no number. Digits
 * beyond the largest double give an infinity. (Of a table's cell it may be NaN.) */
PITH_API bool pith_value_double(pith_value value, double *out);

/* The same kind, digits, text, keys, members and order, all the way down. */
PITH_API bool pith_value_equal(pith_value a, pith_value b);

/* --- walking in batches
 *
 * The values from one on, in document order, many with each call: faster by far than a call
 * for each, and numbers are read on the way. A container comes before what it holds and
 * says how many values that is; nothing marks its end.
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

/* Of a string: it holds nothing beyond ASCII. Of a number: u.text is its digits, which is so
 * for every integer that an int64_t does not hold. */
#define PITH_EVENT_ASCII 1
#define PITH_EVENT_DIGITS 2

#define PITH_WALK_DIGITS 1 /* every number is digits */

/* Zero-initialisation is not needed; all members are private. */
typedef struct pith_walk {
    const pith_doc *doc;
    uint32_t at, end;
    unsigned flags;
    uint32_t reserved[5];
} pith_walk;

/* Begins with the value and everything in it. `flags` is 0 or PITH_WALK_DIGITS. */
PITH_API void pith_walk_begin(pith_walk *walk, pith_value value, unsigned flags);

/* The next events, `room` at most; how many there are, 0 after the last. */
PITH_API size_t pith_walk_next(pith_walk *walk, pith_event *events, size_t room);

/* The keys of an object that pith_walk_next gave: the first `room` go to `keys`; returns
 * how many there are. A program that remembers them by `shape` has to ask once for each
 * shape, and for each object whose shape is 0. Numbers of shapes hold until the document is
 * reset or read into, and in a reader until the next call. */
PITH_API size_t pith_walk_keys(const pith_walk *walk, const pith_event *object,
                               pith_text *keys, size_t room);

/* --- building
 *
 * Calls append in document order: open a container, add to it, close it; in an
 * object a key comes before each value. The first failure (memory, depth, a
 * duplicate key, a call out of order, ill-formed UTF-8) sticks, turns the later
 * calls into no-ops, and is what pith_doc_finish returns.
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

/* The shortest digits that read back as the same double. NaN and the infinities
 * are not numbers: they fail with "not_finite", but in rows of a format that has them. */
PITH_API void pith_doc_add_double(pith_doc *doc, double number);

/* A number by its digits, in JSON's grammar, kept as they are. */
PITH_API void pith_doc_add_number(pith_doc *doc, const char *digits, size_t len);
PITH_API void pith_doc_add_text(pith_doc *doc, const char *text, size_t len);

/* What JSON does not have; see "typed values" for what it then is. A reference is a row of
 * a table, by its number. */
PITH_API void pith_doc_add_bytes(pith_doc *doc, const void *bytes, size_t len);
PITH_API void pith_doc_add_vector(pith_doc *doc, const double *numbers, size_t count);
PITH_API void pith_doc_add_ref(pith_doc *doc, pith_text table, uint64_t row);

/* A copy of a value of another document, with everything in it. */
PITH_API void pith_doc_add_value(pith_doc *doc, pith_value value);

/* In a row of a table, or an object of a shape: this key has no value, and goes. That is not
 * the same as null. */
PITH_API void pith_doc_skip(pith_doc *doc);

/* The verdict: PITH_OK when the document holds exactly one whole value. */
PITH_API pith_status pith_doc_finish(pith_doc *doc, pith_error *err);

/* --- building in batches
 *
 * A cell is a value, a key, or the begin or end of a container. An array of them is
 * appended by one call and costs a fraction of as many calls; what comes of it is the
 * same, and so are the failures. Batches and the calls above may be mixed, and a batch may
 * end anywhere. The texts are copied.
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
    PITH_CELL_SHAPED, /* begins an object of the shape u.natural: its values follow, one
                         for each key, and it ends by itself after the last */
    PITH_CELL_ABSENT, /* of such an object: this key has no value, and goes */
    PITH_CELL_CLOSE,  /* ends the innermost array or object that is not of a shape */
    PITH_CELL_VALUE,  /* u.value: a copy of it */
    PITH_CELL_VECTOR  /* u.numbers and len, as pith_doc_add_vector */
} pith_cell_kind;

/* Of a text, in `flags`: it is known to be UTF-8. One that is not breaks what is written. */
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

/* A list of keys that many objects have, as a number for PITH_CELL_SHAPED; it counts until
 * the document is reset or read into. 0 when there is no room for it (more than 256 keys,
 * one of more than 255 bytes, tens of thousands of lists, out of memory): then the keys
 * have to be given with each object. Equal keys and ill-formed UTF-8 are failures that
 * stick, as above. */
PITH_API uint32_t pith_doc_shape(pith_doc *doc, const pith_text *keys, size_t count);

/* --- writing */

/* Writes the value as `format`; of the options, `write`, `output_max` and
 * `alloc` count. Output in the sink when the call fails is incomplete. */
PITH_API pith_status pith_value_write(pith_value value, const char *format,
                                      const pith_options *options, pith_sink sink,
                                      pith_error *err);

/* -------------------------------------------------------------------- 5 rows */

/* A table on its way out: columns first, then one row at a time. Formats that
 * can stream pass rows on in constant memory, a few together; for the others rows
 * are collected and written at the end. */
typedef struct pith_rows pith_rows;

/* Starts a table. `columns` are `count` names in order, copied; NULL with 0 when
 * rows are any values at all. With a NULL format the table is held: rows wait in memory, the
 * sink is not used, and pith_rows_save makes something of them. NULL on failure. */
PITH_API pith_rows *pith_rows_open(const char *format, const pith_text *columns,
                                   size_t count, const pith_options *options,
                                   pith_sink sink, pith_error *err);

/* Says, before the first row, how many there will be. Formats that begin with the number
 * then pass rows on at once, in constant memory, where they would hold them back; for
 * the others nothing changes. More rows or fewer fail with "count_mismatch". */
PITH_API void pith_rows_expect(pith_rows *rows, uint64_t count);

/* Says, before the first row, what a column holds; the names are copied, that of the field
 * is not looked at. Formats whose columns have types write it where their settings ask for
 * all types, and refuse a cell that does not fit ("type_mismatch", "out_of_range",
 * "null_not_allowed", "vector_size_mismatch"); for the others, and in an object of tables,
 * nothing changes. A column that does not exist fails with "no_column". */
struct pith_field;
PITH_API void pith_rows_declare(pith_rows *rows, size_t column,
                                const struct pith_field *field);

/* The document of the row that is being made. Its columns supply the keys, so that one value
 * for each is added to it, in their order; pith_doc_skip leaves a column out. In a table
 * without columns it takes any one value. Bytes, vectors and references are what they are in
 * a format that has them, and so are NaN and the infinities; for the others bytes are their
 * base64. It is the table's: only what adds may be called with it. The first failure
 * sticks and is returned by pith_rows_end_row.
 *
 *     pith_doc *row = pith_rows_row(rows);
 *     pith_doc_add_int64(row, 7);
 *     pith_doc_add_text(row, "Ada", 3);
 *     status = pith_rows_end_row(rows, &err);
 */
PITH_API pith_doc *pith_rows_row(pith_rows *rows);

/* The cells of any number of rows, one row after the other, and no ends between them: each
 * column has a value, which may be a whole array or object, or PITH_CELL_ABSENT. A batch may
 * end inside of a row, which the next one then goes on with. This is much faster than calls
 * for each cell, and is not mixed with them in one row. */
PITH_API pith_status pith_rows_add_cells(pith_rows *rows, const pith_cell *cells,
                                         size_t count, pith_error *err);

/* Ends the row; every column must have had its cell. */
PITH_API pith_status pith_rows_end_row(pith_rows *rows, pith_error *err);

/* A whole row at once: any value when there are no columns, else an object whose
 * keys are among the columns (those it lacks are absent). */
PITH_API pith_status pith_rows_add_row(pith_rows *rows, pith_value row, pith_error *err);

/* --- an object of tables
 *
 * Members that are whole values, and tables that arrive row by row, each under a name:
 *
 *     rows = pith_rows_open_object("gcf", NULL, sink, &err);
 *     pith_rows_add_member(rows, name, station, NULL);
 *     pith_rows_begin_table(rows, readings, columns, 2, false, NULL);
 *     ...cells and pith_rows_end_row, as above...
 *     status = pith_rows_close(rows, &err);
 *
 * Formats that cannot stream such an object are given it collected; one that holds
 * rows and nothing else refuses it with "not_an_array". */
PITH_API pith_rows *pith_rows_open_object(const char *format, const pith_options *options,
                                          pith_sink sink, pith_error *err);

/* A member with any value, which is copied or written at once. After a table some
 * formats cannot tell some members from rows; those are refused with
 * PITH_UNREPRESENTABLE, "member_after_table". Names given twice are "duplicate_key".
 * The first failure sticks, as everywhere on this rung. */
PITH_API pith_status pith_rows_add_member(pith_rows *rows, pith_text name,
                                          pith_value value, pith_error *err);

/* Ends the table before, if there is one, and begins the next, with at least one
 * column. The rows of a plain table are an array. Those of a keyed one are an object:
 * each is a member of it, under a key of its own, which pith_doc_add_key gives, or a cell
 * PITH_CELL_KEY, before the others or before pith_rows_add_row. That the keys differ is the
 * caller's promise: comparing them all would need memory for all. */
PITH_API pith_status pith_rows_begin_table(pith_rows *rows, pith_text name,
                                           const pith_text *columns, size_t count,
                                           bool keyed, pith_error *err);

/* --- tables that travel
 *
 * A table can be made in several places at once and written in one: each place holds its
 * rows, saves them and sends that state, a text, to where they are merged.
 *
 *     rows = pith_rows_open(NULL, columns, 2, NULL, sink, &err);        in each worker
 *     ...cells and rows, as above...
 *     status = pith_rows_save(rows, sink, &err);
 *
 *     rows = pith_rows_restore("toon", first, len, NULL, sink, &err);
 *     status = pith_rows_merge(rows, second, len, &err);
 *     status = pith_rows_close(rows, &err);
 */

/* Writes the state of a table that is held, which can then go on; of others, "not_held". A
 * state holds what JSON holds: bytes, for example, are texts after that. */
PITH_API pith_status pith_rows_save(pith_rows *rows, pith_sink sink, pith_error *err);

/* Adds the rows of a state to a table, held or not, that has the same columns
 * ("schema_mismatch"). A state that is cut off or damaged is "bad_state". After either the
 * table is as it was. */
PITH_API pith_status pith_rows_merge(pith_rows *rows, const char *state, size_t len,
                                     pith_error *err);

/* A table that begins with the columns and the rows of a state. NULL on failure. */
PITH_API pith_rows *pith_rows_restore(const char *format, const char *state, size_t len,
                                      const pith_options *options, pith_sink sink,
                                      pith_error *err);

/* --- the end */

/* Sends the rows ended so far to the sink now, when the format streams: for whoever
 * waits at the other end while there is nothing to add. */
PITH_API pith_status pith_rows_flush(pith_rows *rows, pith_error *err);

/* Writes the end of the table and frees the handle, whatever the outcome. A row
 * that was begun and not ended is an error. */
PITH_API pith_status pith_rows_close(pith_rows *rows, pith_error *err);

/* Frees the handle without writing an end: what is in the sink is incomplete. */
PITH_API void pith_rows_abandon(pith_rows *rows);

/* A table on its way in: feed it pieces of any size, take whole rows out. For
 * formats that can stream, memory is bounded by the longest row; for the others
 * the text is collected and the elements of the root array are handed out at the
 * end (or the root itself when it is no array). */
typedef struct pith_reader pith_reader;

PITH_API pith_reader *pith_reader_open(const char *format, const pith_options *options,
                                       pith_error *err);

/* Adds a piece of input, which is copied. */
PITH_API pith_status pith_reader_feed(pith_reader *reader, const char *data, size_t len,
                                      pith_error *err);

/* Says that there is no more input. */
PITH_API pith_status pith_reader_end(pith_reader *reader, pith_error *err);

/* The next whole row in `*row`, valid until the next call on the reader. PITH_OK
 * with no value means: feed more, or, after pith_reader_end, that was the last.
 * An error's line counts from the start of the input and its offset likewise. It
 * sticks. */
PITH_API pith_status pith_reader_next(pith_reader *reader, pith_value *row,
                                      pith_error *err);

/* The same with up to `rows_max` rows, as the elements of an array in `*rows`; no value when
 * there is none. `*done` says that there will be no more. When it is false and there are no
 * rows, feed more or end the input. What is wrong with a row is told after the rows before
 * it were handed out. */
PITH_API pith_status pith_reader_batch(pith_reader *reader, size_t rows_max,
                                       pith_value *rows, bool *done, pith_error *err);

/* The names of the columns, in formats that tell them before the first row (CSV, and the
 * tables of TOON, GCF, Pith and SochDB): the first `room` go to `columns`, valid until the
 * next call on the reader; returns how many there are. 0 when they have not arrived, and
 * when rows have none. A failure is told by the next call for rows. */
PITH_API size_t pith_reader_columns(pith_reader *reader, pith_text *columns, size_t room);

/* True when no more input can bring a row: it has ended, or all rows that the setting `rows`
 * or `at` asks for were handed out. What is fed after that is not looked at. */
PITH_API bool pith_reader_done(const pith_reader *reader);

PITH_API void pith_reader_free(pith_reader *reader);

/* ---------------------------------------------------------------- 6 checking */

/* Called for each problem, in the order found; return false to stop. */
typedef bool (*pith_report)(void *ctx, const pith_error *problem);

/* Reads `text` as `format` (NULL: the content decides), reports every problem
 * that does not merely follow from an earlier one, and keeps nothing. In formats whose
 * readers let something pass unless strict=true, that is a problem, too. PITH_OK when
 * there was none; the first problem's status, also in `err`, when there was one; and
 * PITH_NO_MEMORY, whatever was reported, when the reading could not be finished. */
PITH_API pith_status pith_check(const char *format, const char *text, size_t len,
                                const pith_options *options, pith_report report,
                                void *ctx, pith_error *err);

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
} pith_format;

/* The format at that index, from 0; NULL beyond the last. The first is JSON. Static. */
PITH_API const pith_format *pith_format_at(size_t index);

/* The format of that name, in any case of letters; "jsonl" is "ndjson". NULL when this build
 * has none. */
PITH_API const pith_format *pith_format_find(const char *name);

/* The format of a file, by its name and by its content, of which the beginning is enough.
 * A suffix that one format goes by stands for that format. One that several go by is
 * that of a family: ".gcf" of all of GCF and GCF 1, ".gcf1" of GCF 1, ".toon" of TOON, its
 * row dialect and SochDB's tables, as text and as bytes. Of a family the content tells
 * the member, and the first is meant where it does not: so without a text, `len` 0, it is
 * the format to write to a file of that name. Without a suffix that is known, or with a
 * NULL `path`, the content alone tells. NULL when nothing does. Never allocates. */
PITH_API const pith_format *pith_format_of(const char *path, const char *text,
                                           size_t len);

/* The setting at that index, from 0, of those that every format knows; NULL beyond the last.
 * Static. They concern the conversion and not the text. Those of writing:
 *
 *     guard=true       when the text takes no fewer tokens than compact JSON, that is
 *                      written instead, and the outcome says so
 *     verify=true      the text is read back and compared before any of it is written;
 *                      should it not say the same, the call fails with "not_verified"
 *     optimize=tokens  of the forms that the format allows, the one that takes the
 *                      fewest tokens, found by counting; settings you give are kept
 *     budget=2000      as many rows as fit into so many tokens, and everything else.
 *                      Rows are the elements of the value, when it is an array, else of
 *                      the largest array that is reached through objects alone. Of a graph
 *                      in a graph format the symbols with the highest scores stay, with the
 *                      edges between them, and the first line states budget and tokens.
 *                      Counts are those of what is there; where the format has comments,
 *                      one says what was left out. When even one row is too much, the call
 *                      fails with "budget_exceeded" and tells the size.
 *     keep=spread      which rows stay: the first, the last, or at even steps
 *     rows-max=100     at most so many rows
 *     final-newline=true  the text, if there is any, ends with a newline
 *     safe=true        nothing in the text is hidden: controls, U+2028, U+2029, marks of
 *                      direction, zero-width and tag characters are escaped; where the
 *                      format has no escape for one, the call fails with
 *                      "hidden_character" and its path
 *
 * All but final-newline need the whole value in memory, and rows are collected. What leaves as it is made,
 * the streams of graphs, the turns of a session and deltas, refuses them by name.
 *
 * Those of reading say which part of the text is wanted, in whichever way it is read; they
 * are done in this order, and docs/selecting.md is their manual:
 *
 *     at=items[0]      the value at a path, also as a JSON Pointer, /items/0. A star stands
 *                      for every member or element, or for any letters of a name, and a name
 *                      passes through arrays: items.name is an array of all names
 *     rows=0:10        of its rows (as for budget) those from 0 up to but not including 10;
 *                      either may be left out
 *     fields=id,user.login   of its objects, or of those in its arrays, only these members
 *     drop=*_url,node_id     without these, at any depth where it is one name; /id is only
 *                      at the top
 *     drop-null=true   without members that are null
 *
 * A path that leads nowhere fails with "no_such_path", which names what is there, and rows
 * that are not there with "no_such_rows"; something to drop that never came is a notice. In
 * formats that stream, rows are gone through one by one, in bounded memory. */
PITH_API const pith_setting *pith_setting_common(size_t index);

/* ------------------------------------------------------------------ 8 tables */

/* What a column holds, or a cell. */
typedef enum pith_type {
    PITH_TYPE_ANY,   /* of a column: every cell for itself, null too. Of a cell: null */
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
 * In a document a cell is what JSON would make of it: bytes are a string of base64 with
 * "b64:" before it, NaN and the infinities are the strings "NaN", "Inf" and "-Inf", a
 * vector is an array of numbers, a reference the object {"$ref":"users","id":42}. The
 * calls above see that, and so do formats without types; those below see what it is. */

/* What the value is: PITH_TYPE_ANY for null and no value, PITH_TYPE_INT for every whole
 * number. A string or an object that merely looks like one of the above is not. */
PITH_API pith_type pith_value_type(pith_value value);

/* The first `room` bytes go to `to`; returns how many there are, 0 when the value is
 * not PITH_TYPE_BYTES. */
PITH_API size_t pith_value_bytes(pith_value value, void *to, size_t room);

/* The same for the numbers of a PITH_TYPE_VEC. */
PITH_API size_t pith_value_vector(pith_value value, double *to, size_t room);

/* The table and the row's number of a PITH_TYPE_REF; else false. */
PITH_API bool pith_value_ref(pith_value value, pith_text *table, uint64_t *id);

/* --- tables
 *
 * A table is a view of a document: an array of objects whose columns are known. The formats
 * "soch" and "soch-bin" name the types of columns, so what is read from them has tables; rows
 * may be put into a document with types; and tables can be made of any value.
 *
 *     pith_field id = {.type = PITH_TYPE_UINT};
 *     rows = pith_rows_into(doc, NULL, &err);
 *     pith_rows_begin_table(rows, users, columns, 2, false, NULL);
 *     pith_rows_declare(rows, 0, &id);
 *     ...cells and pith_rows_end_row...
 *     status = pith_rows_close(rows, &err);
 *
 *     pith_doc_table(doc, 0, &table);
 *     pith_value_text(pith_table_cell(&table, 0, 1));
 */

/* An object of tables, as pith_rows_open_object begins one, that becomes the value of the
 * emptied document. It has the tables when there is nothing else in it and no row lacks a
 * cell. Whole numbers become floats, and arrays of numbers vectors, in columns of those; any
 * other cell that is not what its column holds fails the end ("type_mismatch",
 * "out_of_range", "null_not_allowed", "vector_size_mismatch"), and after a failure the
 * document is empty. Numbers are of 64 bits, whatever the column. */
PITH_API pith_rows *pith_rows_into(pith_doc *doc, const pith_options *options,
                                   pith_error *err);

/* What pith_doc_table fills in; all of it is valid as long as the document is. */
typedef struct pith_table {
    pith_text name; /* "_" when it has none; names may repeat */
    const pith_field *fields;
    size_t field_count;
    size_t row_count;
    pith_value rows; /* the array; of a value that is no table, the value */

    /* The rest is private. */
    bool single;
    uint32_t near_at;
    size_t near_row;
    uint64_t reserved[2];
} pith_table;

/* How many tables the document has. */
PITH_API size_t pith_doc_table_count(const pith_doc *doc);

/* The table at that index, from 0; false beyond the last. */
PITH_API bool pith_doc_table(const pith_doc *doc, size_t index, pith_table *table);

/* The cell of a row and a column; no value where there is none. At once where no row has
 * arrays or objects, else by counting from the row that was asked for last. */
PITH_API pith_value pith_table_cell(pith_table *table, size_t row, size_t column);

/* Makes tables of a document that has none, and finds the types of their columns: of an array
 * of objects with the same keys, of an object of such arrays, and of any other value one with
 * a single cell. See docs/formats/soch.md. */
PITH_API pith_status pith_doc_make_tables(pith_doc *doc, pith_error *err);

/* ------------------------------------------------------------------ 9 graphs */

/* A code graph, symbols such as functions and types and edges between them such as calls,
 * is a value like any other:
 *
 *     {"tool": "context_for_task", "token_budget": 5000, "tokens_used": 1847,
 *      "symbols": [{"qualified_name": "pkg.Auth", "kind": "function", "score": 0.78,
 *                   "provenance": "lsp_resolved", "distance": 0}],
 *      "edges":   [{"source": "pkg.Server", "target": "pkg.Auth", "edge_type": "calls"}]}
 *
 * and is built, looked at, read and written as one; examples/graph_build.h builds it. Only
 * symbols must be there, and of a symbol its name, kind and provenance, all of them without
 * white space. Further members are pack_root, header (an object of strings: other fields
 * of a first line), an edge's status, and of a symbol file, line, column, end_line and
 * end_column; camelCase is read as well. Identity is the pair of kind and name: where two
 * kinds share a name an edge says which with source_kind and target_kind, else it is refused
 * ("ambiguous_edge"). So are members a graph has no place for ("unknown_member") and edges
 * to symbols that are not there, unless gcf-graph is told lossy=true.
 *
 * The formats "gcf-graph" and "gcf1-graph" write it. Symbols and edges can leave as they are
 * found: pith_rows_open_object takes the tables "symbols" and "edges", in this order. */

/* --- sessions: a symbol is told once and then only referred to
 *
 * Both ends of a conversation keep a session each. The writer's gives every symbol an id
 * that stays, declares a symbol when it is new or has another score or provenance, and
 * else writes a bare reference; the reader's fills the references in. A session belongs
 * to one conversation of one user: never share it. It either writes or reads.
 *
 * When a limit is reached the writer writes a graph that needs no session and starts
 * a new one; so does the reader when it gets one. Time is in seconds, whatever they count
 * from, and always given by you.
 *
 * With the write setting turns=true a comment says which turn a text is and what it
 * follows; a reader that finds it refuses every other turn ("out_of_turn"). */
typedef struct pith_session pith_session;

/* Zero means the default. */
typedef struct pith_session_limits {
    size_t size;       /* see pith_options */
    uint64_t idle_max; /* seconds without a text; 1,800 */
    uint64_t life_max; /* seconds from the first text; 86,400 */
    size_t ids_max;    /* symbols; 100,000 */
} pith_session_limits;

/* NULL limits are the defaults; NULL is returned when out of memory. */
PITH_API pith_session *pith_session_new(const pith_session_limits *limits,
                                        const pith_options *options);
PITH_API void pith_session_free(pith_session *session);

/* Writes a graph for the reader at the other end, at the time `now`, as "gcf-graph" (NULL)
 * or "gcf1-graph", whose settings the options may have. After a failure, that of the sink
 * included, the session is as if nothing had been said. */
PITH_API pith_status pith_session_write(pith_session *session, pith_value graph,
                                        const char *format, uint64_t now,
                                        const pith_options *options, pith_sink sink,
                                        pith_error *err);

/* Call this when the last text was lost, or perhaps was: what it declared is declared again,
 * under the same ids; where the next text cannot do that in their order, it starts a new
 * session. */
PITH_API void pith_session_lost(pith_session *session);

/* Reads a text of the writer at the other end into the emptied document. A reference that
 * cannot be resolved is refused ("unknown_reference"): ask for the whole graph then, and
 * take a new session. After a failure the session is as before, the document empty. */
PITH_API pith_status pith_session_read(pith_session *session, pith_doc *doc,
                                       const char *text, size_t len, uint64_t now,
                                       const pith_options *options, pith_error *err);

/* Writes all a session knows, a line of JSON, to go on later or elsewhere; limits are not
 * part of it. */
PITH_API pith_status pith_session_save(const pith_session *session, pith_sink sink,
                                       pith_error *err);

/* Takes up what was saved. Anything but a whole and unchanged save is refused
 * ("bad_session") and leaves the session as it was. */
PITH_API pith_status pith_session_restore(pith_session *session, const void *data,
                                          size_t len, pith_error *err);

/* ----------------------------------------------------------------- 10 deltas */

/* A snapshot here is a set of flat rows that one field tells apart, or a code graph:
 *
 *     an array of objects       [{"id":7,"sum":2}]     with a field as its key
 *     an object of objects      {"ann":{"age":7}}      whose keys are the key
 *     an object with one such member, which gives it a name
 *     an object with `symbols`, and no key given: a graph
 *
 * The order of the rows and of the fields in a row means nothing. Rows whose members
 * are arrays or objects are refused ("nested_value"), and so are rows without a key or
 * with that of another ("missing_key", "duplicate_key").
 *
 * The root of a snapshot is a hash of its content ("gcf-pack-root-v1"): equal content
 * has an equal root in every implementation of GCF. Whoever holds a snapshot says so
 * by its root, and is sent one of three things: nothing has changed, these rows have, or
 * everything anew. */
#define PITH_ROOT_SIZE 72

/* "sha256:" and 64 hexadecimal digits; NUL-terminated. */
typedef struct pith_root {
    char text[PITH_ROOT_SIZE];
} pith_root;

/* The root of a value. `key` names the field that tells the rows of an array apart; it is
 * empty for an object of objects, and for a graph. (A pith_snapshot rounds the scores of a
 * graph to the two decimals that travel; here they count as they are.) */
PITH_API pith_status pith_value_root(pith_value value, pith_text key,
                                     const pith_options *options, pith_root *root,
                                     pith_error *err);

/* What a delta, the text that is sent, can be. */
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

/* Looks at the first line of a delta and at nothing else. */
PITH_API pith_status pith_delta_look(const char *text, size_t len, pith_delta_info *info,
                                     pith_error *err);

/* When to send everything although changes would do: over many turns a model loses
 * track of a long chain of them. */
typedef enum pith_anchor {
    PITH_ANCHOR_TURNS, /* every so many turns */
    PITH_ANCHOR_SIZE,  /* once the changes since everything was sent add up to it */
    PITH_ANCHOR_NEVER
} pith_anchor;

#define PITH_TURNS_DEFAULT 15
#define PITH_GUARD_DEFAULT 60
#define PITH_GUARD_OFF UINT32_MAX

/* How deltas are made. Zero-initialise; zero means the default everywhere. */
typedef struct pith_policy {
    size_t size;    /* see pith_options */
    pith_text key;  /* see pith_value_root; empty: that of the rows held before; copied */
    pith_text tool; /* for the first line of a full delta; may be empty; copied */
    const char *format; /* of the deltas: "gcf" (NULL), or for graphs "gcf-graph" or
                           "gcf1-graph" */
    pith_anchor anchor;
    uint32_t turns;         /* for PITH_ANCHOR_TURNS; 0 is PITH_TURNS_DEFAULT */
    uint32_t guard_percent; /* changes must be smaller than this part of
                               everything; 0 is PITH_GUARD_DEFAULT */
} pith_policy;

/* A snapshot that is held. The side that knows the data holds the one it sent last and
 * writes deltas; the other side holds the same one and applies them:
 *
 *     pith_snapshot_write(ours, root_they_sent, value, sink, NULL, &err);
 *     pith_snapshot_apply(theirs, text, len, NULL, &err);
 *     send(pith_snapshot_root(theirs));
 */
typedef struct pith_snapshot pith_snapshot;

/* An empty one; NULL with `err` filled on failure. Either may be NULL. The options are
 * kept: their write settings are those of the policy's format, and with a vocabulary, which
 * must outlive the handle, changes say how many tokens they save. */
PITH_API pith_snapshot *pith_snapshot_new(const pith_policy *policy,
                                          const pith_options *options, pith_error *err);
PITH_API void pith_snapshot_free(pith_snapshot *snapshot);

/* Takes the value as what is held, and writes nothing. */
PITH_API pith_status pith_snapshot_set(pith_snapshot *snapshot, pith_value value,
                                       pith_error *err);

/* Writes the delta for someone who holds the snapshot with the root `held` (NULL: none) and
 * wants to hold `value`, which is then held here as well; in `*kind`, which may be NULL,
 * what it was. Changes are told only from the snapshot that is held here; any other root gets
 * everything, and so does a change of the fields, the key or the name, and what changes
 * cannot say (of graphs: an edge that is there twice, or whose end shares its name with a
 * symbol of another kind). A call that fails leaves the snapshot as it was, and what it
 * wrote is to be discarded. */
PITH_API pith_status pith_snapshot_write(pith_snapshot *snapshot, const char *held,
                                         pith_value value, pith_sink sink,
                                         pith_delta_kind *kind, pith_error *err);

/* Applies a delta: all of it, or nothing. It is refused when it was made for another
 * snapshot ("base_mismatch"), when it contradicts the one that is held ("added_exists",
 * "changed_missing", "removed_missing", "changed_and_removed", "schema_mismatch"; of
 * graphs "delta_invalid"), when it is not whole ("malformed_delta", "count_mismatch" ...),
 * and when what comes of it is not what it promises ("root_mismatch"); the old snapshot is
 * then held as before, and the remedy is to ask for everything. */
PITH_API pith_status pith_snapshot_apply(pith_snapshot *snapshot, const char *text,
                                         size_t len, pith_delta_kind *kind,
                                         pith_error *err);

/* What is held, valid until the next call that changes it; no value before the first. */
PITH_API pith_value pith_snapshot_value(const pith_snapshot *snapshot);

/* Its root, to be sent to the side that writes; empty before the first. Of a graph only
 * symbols and edges count: its first line, places in files and the status of edges are no
 * part of the root, and neither are more than two decimals of a score. */
PITH_API const char *pith_snapshot_root(const pith_snapshot *snapshot);

/* ---------------------------------------------------------------- 11 tokens */

/* A vocabulary: the tokens of a family of models and the rule by which text is cut
 * into them. It never changes once opened, so any number of threads may use one. */
typedef struct pith_vocab pith_vocab;

/* The name of the built-in vocabulary at that index, from 0; NULL beyond the last.
 * The first is the default, "o200k_base". Static. */
PITH_API const char *pith_vocab_name_at(size_t index);

/* Opens a built-in vocabulary by its name; NULL is the default. The ids are those of
 * tiktoken, for every UTF-8 text. The name "estimate" opens a guess instead, one token
 * for four bytes, which counts and does nothing else. NULL on failure. */
PITH_API pith_vocab *pith_vocab_open(const char *name, const pith_options *options,
                                     pith_error *err);

/* Opens the vocabulary of another model from the text of its tokenizer.json, as Hugging
 * Face's libraries write it: byte-level BPE, such as Llama 3, Qwen and Mistral have. What
 * is not supported is refused by its name, with PITH_UNREPRESENTABLE. The text is not
 * needed afterwards. NULL on failure. */
PITH_API pith_vocab *pith_vocab_read(const char *text, size_t len,
                                     const pith_options *options, pith_error *err);

/* Writes a vocabulary as bytes, to be used where they are by pith_vocab_map: a file that is
 * mapped into memory opens without being read. They are for machines of the same byte
 * order and for this version of the library. */
PITH_API pith_status pith_vocab_save(const pith_vocab *vocab, pith_sink sink,
                                     pith_error *err);

/* Opens what pith_vocab_save wrote. Nothing of it is copied: the bytes, at an address
 * that is a multiple of eight, must stay as they are until the vocabulary is freed. What
 * was damaged, cut off or made up is "bad_vocabulary". NULL on failure. */
PITH_API pith_vocab *pith_vocab_map(const void *data, size_t len,
                                    const pith_options *options, pith_error *err);

/* Frees the vocabulary, which no counter may use any more. */
PITH_API void pith_vocab_free(pith_vocab *vocab);

/* What a vocabulary is. The name lives as long as the vocabulary. */
typedef struct pith_vocab_info {
    const char *name; /* "o200k_base", or "tokenizer.json" when it was read */
    bool exact;       /* false for "estimate": show its counts as a guess */
    size_t size;      /* one more than the largest id; 0 for "estimate" */
    uint64_t reserved[4];
} pith_vocab_info;

PITH_API pith_vocab_info pith_vocab_describe(const pith_vocab *vocab);

/* The number of tokens of a text, in `*count`. What looks like a special token, such
 * as <|endoftext|>, is text like any other. Ill-formed UTF-8, which no model can be
 * sent, is "invalid_utf8". Of the options the allocator counts. */
PITH_API pith_status pith_vocab_count(const pith_vocab *vocab, const char *text,
                                      size_t len, const pith_options *options,
                                      size_t *count, pith_error *err);

/* A growing list of token ids. Zero-initialise, or set `alloc` first. */
typedef struct pith_tokens {
    uint32_t *ids;
    size_t count;
    size_t cap;
    pith_alloc alloc;
} pith_tokens;

/* Frees what the list holds and makes it empty again. */
PITH_API void pith_tokens_free(pith_tokens *tokens);

/* Whether the text of a special token stands for that token. */
typedef enum pith_special {
    PITH_SPECIAL_IS_TEXT, /* it does not: text like any other */
    PITH_SPECIAL_IS_TOKEN /* it does, wherever it stands in the text */
} pith_special;

/* Appends the ids of a text to `tokens`. After a failure the list is as before. */
PITH_API pith_status pith_vocab_encode(const pith_vocab *vocab, const char *text,
                                       size_t len, pith_special special,
                                       pith_tokens *tokens, pith_error *err);

/* Writes the text of the ids, special tokens among them. A single id may stand for
 * a part of a character: then its bytes alone are not UTF-8. An id that the
 * vocabulary does not have is "unknown_token". Of the options, `output_max` and
 * `alloc` count. */
PITH_API pith_status pith_vocab_decode(const pith_vocab *vocab, const uint32_t *ids,
                                       size_t count, const pith_options *options,
                                       pith_sink sink, pith_error *err);

/* Counts the tokens of a text that arrives in pieces; the answer does not depend on
 * where those were cut. A counter also remembers what it has counted, so that the
 * next text is faster: keep one for each thread. */
typedef struct pith_counter pith_counter;

/* A counter that uses `vocab`, which must outlive it; NULL when out of memory. */
PITH_API pith_counter *pith_counter_new(const pith_vocab *vocab,
                                        const pith_options *options);
PITH_API void pith_counter_free(pith_counter *counter);

/* Where the pieces go; so a conversion can be counted without being kept. The first
 * failure sticks until the total is asked for. */
PITH_API pith_sink pith_counter_sink(pith_counter *counter);

/* Ends the text and gives its number of tokens, or the failure, with its line and column
 * in all of the text. The counter is then ready for the next text. */
PITH_API pith_status pith_counter_total(pith_counter *counter, size_t *count,
                                        pith_error *err);

/* --- parts
 *
 * Endless rows as texts of at most `tokens_max` tokens each, for prompts of a certain size.
 * Every part is a whole table in the format, with its own header and count, and ends with a
 * newline; memory is bounded by the rows of about two parts.
 *
 *     parts = pith_parts_open("toon", columns, 2, 8000, NULL, take_part, ctx, &err);
 *     status = pith_parts_add_cells(parts, cells, count, &err);
 *     status = pith_parts_close(parts, &err);
 */
typedef struct pith_part {
    const char *text; /* lives as long as the call that hands it out */
    size_t len;
    const char *format; /* that it is in: one of those that "auto" became. Static. */
    size_t tokens;      /* of the text, exactly where the vocabulary is exact */
    uint64_t first_row; /* from 0 */
    uint64_t rows;
    bool
        too_long; /* one row that does not fit even alone: tokens are more than allowed */
} pith_part;

/* Takes a part. Another status than PITH_OK stops everything, and is what the call that
 * made the part returns. */
typedef pith_status (*pith_part_sink)(void *ctx, const pith_part *part);

typedef struct pith_parts pith_parts;

/* `columns` as in pith_rows_open. Of the options, what pith_value_write takes; `vocab` has to
 * live as long as the parts. guard, budget, keep and rows-max are refused. NULL on
 * failure. */
PITH_API pith_parts *pith_parts_open(const char *format, const pith_text *columns,
                                     size_t count, size_t tokens_max,
                                     const pith_options *options, pith_part_sink part,
                                     void *ctx, pith_error *err);

/* Rows as cells, as pith_rows_add_cells takes them; or one row that is any value. The first
 * failure sticks. */
PITH_API pith_status pith_parts_add_cells(pith_parts *parts, const pith_cell *cells,
                                          size_t count, pith_error *err);
PITH_API pith_status pith_parts_add_row(pith_parts *parts, pith_value row,
                                        pith_error *err);

/* Hands out the last parts and frees the handle, whatever the outcome; NULL is fine. Without
 * any row there is no part. */
PITH_API pith_status pith_parts_close(pith_parts *parts, pith_error *err);

/* Frees the handle: rows that are in no part yet are lost. */
PITH_API void pith_parts_abandon(pith_parts *parts);

/* ----------------------------------------------------------------- 12 arrow */

/* Tables of Arrow, in and out, by its C data and stream interfaces: pyarrow, Polars, DuckDB
 * and many more hand over such structs. docs/arrow.md says what becomes of each type. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
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

/* Writes a stream of batches as any format. The stream is read to its end and released,
 * whatever the outcome. What is wrong with a cell is told with its row and column. */
PITH_API pith_status pith_arrow_write(struct ArrowArrayStream *stream, const char *format,
                                      const pith_options *options, pith_sink sink,
                                      pith_error *err);

/* The same batch by batch: pith_rows_open with the columns of the schema, a struct, which is
 * not needed afterwards, and then batches, which stay yours. NULL on failure. Rows that
 * come in other ways may be among them. */
PITH_API pith_rows *pith_rows_open_arrow(const char *format,
                                         const struct ArrowSchema *schema,
                                         const pith_options *options, pith_sink sink,
                                         pith_error *err);
PITH_API pith_status pith_rows_add_arrow(pith_rows *rows, const struct ArrowArray *batch,
                                         pith_error *err);

/* And into parts of so many tokens: see pith_parts_open. */
PITH_API pith_parts *pith_parts_open_arrow(const char *format,
                                           const struct ArrowSchema *schema,
                                           size_t tokens_max, const pith_options *options,
                                           pith_part_sink part, void *ctx,
                                           pith_error *err);
PITH_API pith_status pith_parts_add_arrow(pith_parts *parts,
                                          const struct ArrowArray *batch,
                                          pith_error *err);

/* How a table becomes a stream. Zero-initialise; zero means the default everywhere. */
typedef struct pith_arrow_plan {
    size_t size; /* see pith_options */

    /* The columns and their types, a struct, borrowed for the call; columns that are not in
     * it are an error, and those that only it has are null. NULL: the types are those of the
     * table, where it has some, else those that hold all cells of the first rows. */
    const struct ArrowSchema *want;
    size_t look;       /* so many first rows; 0: all of them */
    size_t batch_rows; /* the most rows in a batch; 0: 65,536 */
} pith_arrow_plan;

/* Makes a stream of a text, or of a value that is rows: an array of objects. The stream has
 * all it needs but the allocator, and is yours to release; after a failure there is none. A
 * cell that does not fit its column fails the stream: its get_last_error tells the row and
 * the column. `plan` may be NULL. */
PITH_API pith_status pith_arrow_read(const char *format, const char *text, size_t len,
                                     const pith_arrow_plan *plan,
                                     const pith_options *options,
                                     struct ArrowArrayStream *out, pith_error *err);
PITH_API pith_status pith_value_arrow(pith_value rows, const pith_arrow_plan *plan,
                                      const pith_options *options,
                                      struct ArrowArrayStream *out, pith_error *err);

/* ---------------------------------------------------------------- 13 frames */

/* The compression that the bytes begin a frame of, "ZSTD", "LZ4" or "GZIP"; NULL when
 * they do not, or are fewer than four. Without bytes, NULL and 0, the one that the suffix of
 * a file's name stands for: .zst, .lz4 or .gz, in any case of letters. `path` may be NULL. Whether it is
 * built in is another question. Static. */
PITH_API const char *pith_packing(const char *path, const char *data, size_t len);

/* Writes what is in a frame, or in several one after the other, in pieces: memory does
 * not grow with it. Of the options, `alloc`, `output_max` and `memory_max`, beyond which
 * bytes it fails with "memory_limit" whether they are kept or not. It fails with
 * "invalid_compression" when a frame is damaged or cut off, and with "not_built_in" when
 * this build has not got the library; what was written until then is of no use. */
PITH_API pith_status pith_unpack(const char *data, size_t len,
                                 const pith_options *options, pith_sink sink,
                                 pith_error *err);

/* A frame on its way out: what is given to its sink reaches `sink` compressed, in pieces.
 * `packing` is "ZSTD", "LZ4" or "GZIP"; another fails with "unknown_packing", one that this
 * build has not got with "not_built_in". Of the options, `alloc`. NULL on failure. */
typedef struct pith_packer pith_packer;

PITH_API pith_packer *pith_packer_open(const char *packing, const pith_options *options,
                                       pith_sink sink, pith_error *err);
PITH_API pith_sink pith_packer_sink(pith_packer *packer);

/* Ends the frame and frees the handle, whatever the outcome; NULL is fine. */
PITH_API pith_status pith_packer_close(pith_packer *packer, pith_error *err);

/* Frees the handle: what is in the sink is no whole frame. */
PITH_API void pith_packer_abandon(pith_packer *packer);

#ifdef __cplusplus
}
#endif

#endif /* PITH_H */
