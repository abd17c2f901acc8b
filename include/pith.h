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
 *     8  tokens      what a text costs a model: count, encode, decode
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
#define PITH_VERSION_MINOR 1
#define PITH_VERSION_PATCH 0
#define PITH_VERSION_TEXT "0.1.0"

/* The version of the library that is running, such as "0.1.0"; compare it with
 * PITH_VERSION_TEXT, which is the version you compiled against. Static. */
PITH_API const char *pith_version(void);

/* What became of a call. One list gives the enum, the names and the sentences. */
#define PITH_STATUS_LIST(X)                                                              \
    X(PITH_OK, "ok", "done")                                                             \
    X(PITH_BAD_INPUT, "bad_input", "the input is not what its format allows")            \
    X(PITH_UNREPRESENTABLE, "unrepresentable", "the target format cannot hold this")     \
    X(PITH_LIMIT, "limit", "a limit was reached")                                        \
    X(PITH_BAD_USE, "bad_use", "unknown format or setting, or a call out of order")      \
    X(PITH_NO_MEMORY, "no_memory", "out of memory")                                      \
    X(PITH_IO, "io", "reading or writing failed")

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
} pith_error;

/* A span of UTF-8 text. Not NUL-terminated. */
typedef struct pith_text {
    const char *ptr;
    size_t len;
} pith_text;

/* One function in the manner of realloc, told both sizes: `ptr` NULL and
 * `old_size` 0 to allocate, `new_size` 0 to free (the result is ignored). It
 * returns NULL on failure and then leaves the old block as it was. Memory is
 * aligned for any type. Leave `resize` NULL for the C library's allocator. */
typedef struct pith_alloc {
    void *(*resize)(void *ctx, void *ptr, size_t old_size, size_t new_size);
    void *ctx;
} pith_alloc;

#define PITH_DEPTH_DEFAULT 512
#define PITH_DEPTH_MOST 1000000
#define PITH_HOLD_DEFAULT (16 * 1024 * 1024)

/* How to do it. Zero-initialise; zero means the default everywhere.
 *
 * Settings travel as words, separated by spaces: "indent=2 ascii=true". A value
 * that holds spaces or quotes is written as a JSON string: "group=\"my field\"".
 * pith_format_at lists the words each format knows; an unknown word or value is
 * PITH_BAD_USE, with the nearest right one in the message. */
typedef struct pith_options {
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

    /* Some formats say how many rows there are before the first one. Rows that arrive
     * one by one are then held back as text, in memory up to this many bytes, beyond
     * it in a temporary file; 0 is PITH_HOLD_DEFAULT. */
    size_t hold_max;

    /* Called now and then while a text is read, with the bytes done so far;
     * NULL for none. Return false to stop: the call fails with "cancelled". */
    bool (*progress)(void *ctx, size_t bytes_done);
    void *progress_ctx;
} pith_options;

/* ------------------------------------------------------------------- 2 sinks */

/* Where output goes. `write` takes all `len` bytes and returns PITH_OK, or the
 * status with which the whole call then fails (PITH_IO; errno is noted). It is
 * called with pieces of any size; when there is no output at all, once with an empty
 * one. */
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
 * `from` may be NULL: then the content decides, as in pith_format_sniff. Output
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

/* The first element or member value; then the one behind it; no value at the
 * end:  for (v = pith_value_first(list); v.doc; v = pith_value_next(v)) ... */
PITH_API pith_value pith_value_first(pith_value container);
PITH_API pith_value pith_value_next(pith_value value);

/* The container that holds the value; no value at the root. */
PITH_API pith_value pith_value_parent(pith_value value);

/* The key under which a member value stands; empty text elsewhere. */
PITH_API pith_text pith_value_key(pith_value member);

/* The member of that name, or no value. Linear in the number of members. */
PITH_API pith_value pith_value_get(pith_value object, const char *key);
PITH_API pith_value pith_value_get_len(pith_value object, const char *key, size_t len);

/* The element or member value at that index, from 0. Linear in the index. */
PITH_API pith_value pith_value_at(pith_value container, size_t index);

/* --- reading scalars */

/* A string's text, or a number's digits as they were written. */
PITH_API pith_text pith_value_text(pith_value value);

/* True when the value is PITH_TRUE. */
PITH_API bool pith_value_bool(pith_value value);

/* The number, exactly: false, with `*out` untouched, when the value is not an
 * integer or does not fit. `1.0` and `1e3` are decimals, not integers. */
PITH_API bool pith_value_int64(pith_value value, int64_t *out);
PITH_API bool pith_value_uint64(pith_value value, uint64_t *out);

/* The double nearest to the number; false when the value is no number. Digits
 * beyond the largest double give an infinity. */
PITH_API bool pith_value_double(pith_value value, double *out);

/* The same kind, digits, text, keys, members and order, all the way down. */
PITH_API bool pith_value_equal(pith_value a, pith_value b);

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
 * are not numbers here: they fail with "not_finite". */
PITH_API void pith_doc_add_double(pith_doc *doc, double number);

/* A number by its digits, in JSON's grammar, kept as they are. */
PITH_API void pith_doc_add_number(pith_doc *doc, const char *digits, size_t len);
PITH_API void pith_doc_add_text(pith_doc *doc, const char *text, size_t len);

/* A copy of a value of another document, with everything in it. */
PITH_API void pith_doc_add_value(pith_doc *doc, pith_value value);

/* The verdict: PITH_OK when the document holds exactly one whole value. */
PITH_API pith_status pith_doc_finish(pith_doc *doc, pith_error *err);

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
 * rows are any values at all, given whole with pith_rows_add_row. NULL on failure. */
PITH_API pith_rows *pith_rows_open(const char *format, const char *const *columns,
                                   size_t count, const pith_options *options,
                                   pith_sink sink, pith_error *err);

/* One cell each, in column order. pith_rows_skip leaves the column out of this
 * row (absent, which is not null). pith_rows_add_value copies any value. The
 * first failure sticks and is returned by pith_rows_end_row. */
PITH_API void pith_rows_add_null(pith_rows *rows);
PITH_API void pith_rows_add_bool(pith_rows *rows, bool truth);
PITH_API void pith_rows_add_int64(pith_rows *rows, int64_t number);
PITH_API void pith_rows_add_uint64(pith_rows *rows, uint64_t number);
PITH_API void pith_rows_add_double(pith_rows *rows, double number);
PITH_API void pith_rows_add_number(pith_rows *rows, const char *digits, size_t len);
PITH_API void pith_rows_add_text(pith_rows *rows, const char *text, size_t len);
PITH_API void pith_rows_add_value(pith_rows *rows, pith_value value);
PITH_API void pith_rows_skip(pith_rows *rows);

/* Ends the row; every column must have had its cell. */
PITH_API pith_status pith_rows_end_row(pith_rows *rows, pith_error *err);

/* A whole row at once: any value when there are no columns, else an object whose
 * keys are among the columns (those it lacks are absent). */
PITH_API pith_status pith_rows_add_row(pith_rows *rows, pith_value row, pith_error *err);

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
 * with no value means: feed more, or, behind pith_reader_end, that was the last.
 * An error's line counts from the start of the input and its offset likewise. It
 * sticks. */
PITH_API pith_status pith_reader_next(pith_reader *reader, pith_value *row,
                                      pith_error *err);

PITH_API void pith_reader_free(pith_reader *reader);

/* ---------------------------------------------------------------- 6 checking */

/* Called for each problem, in the order found; return false to stop. */
typedef bool (*pith_report)(void *ctx, const pith_error *problem);

/* Reads `text` as `format` (NULL: the content decides), reports every problem
 * that does not merely follow from an earlier one, and keeps nothing. PITH_OK when
 * there was none; the first problem's status, also in `err`, when there was one. */
PITH_API pith_status pith_check(const char *format, const char *text, size_t len,
                                const pith_options *options, pith_report report,
                                void *ctx, pith_error *err);

/* ----------------------------------------------------------------- 7 formats */

enum { PITH_READ = 1, PITH_WRITE = 2 };

typedef enum pith_setting_type {
    PITH_SETTING_BOOL,   /* true or false */
    PITH_SETTING_NUMBER, /* a whole number in [least, most] */
    PITH_SETTING_CHOICE, /* one of `choices` */
    PITH_SETTING_TEXT    /* anything */
} pith_setting_type;

typedef struct pith_setting {
    const char *word;
    pith_setting_type type;
    unsigned sides;       /* PITH_READ, PITH_WRITE or both */
    const char *choices;  /* "off|safe", else NULL */
    uint64_t least, most; /* for numbers */
    const char *normally; /* the value when nothing is said */
    const char *help;     /* half a sentence */
} pith_setting;

typedef struct pith_format {
    const char *name;       /* "json" */
    const char *suffixes;   /* ".ndjson .jsonl"; the first is the one to give */
    const char *media_type; /* "application/json" */
    const char *summary;    /* half a sentence */
    unsigned sides;         /* PITH_READ, PITH_WRITE or both */
    unsigned streams;       /* the sides on which every text is rows, in bounded memory */
    bool binary;            /* not text: no newline may be added */
    const pith_setting *settings;
    size_t setting_count;
} pith_format;

/* The format at that index, from 0; NULL beyond the last. Static. */
PITH_API const pith_format *pith_format_at(size_t index);

/* The format of that name; NULL when this build has none. */
PITH_API const pith_format *pith_format_find(const char *name);

/* The format a file name's suffix stands for; NULL when there is none. */
PITH_API const pith_format *pith_format_for_path(const char *path);

/* The format the content looks like, from its first bytes; NULL when no format
 * claims it. Never allocates. */
PITH_API const pith_format *pith_format_sniff(const char *text, size_t len);

/* The nearest of `count` words to a mistyped one, or NULL when none is near. */
PITH_API const char *pith_nearest_word(const char *typed, const char *const *words,
                                       size_t count);

/* ------------------------------------------------------------------ 8 tokens */

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

/* Frees the vocabulary, which no counter may use any more. */
PITH_API void pith_vocab_free(pith_vocab *vocab);

/* Its name: "o200k_base", or "tokenizer.json" when it was read. It lives as long as the vocabulary. */
PITH_API const char *pith_vocab_name(const pith_vocab *vocab);

/* False for "estimate": the counts are a guess and must be shown as one. */
PITH_API bool pith_vocab_is_exact(const pith_vocab *vocab);

/* One more than the largest id; 0 for "estimate". */
PITH_API size_t pith_vocab_size(const pith_vocab *vocab);

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

/* Adds a piece. The first failure sticks until pith_counter_reset. */
PITH_API pith_status pith_counter_add(pith_counter *counter, const char *data, size_t len,
                                      pith_error *err);

/* The counter as the place where output goes, so that a conversion can be counted
 * without being kept. */
PITH_API pith_sink pith_counter_sink(pith_counter *counter);

/* Ends the text and gives its number of tokens; the counter is ready for the next. */
PITH_API pith_status pith_counter_total(pith_counter *counter, size_t *count,
                                        pith_error *err);

/* Forgets the text so far, and a failure; what it learned it keeps. */
PITH_API void pith_counter_reset(pith_counter *counter);

#ifdef __cplusplus
}
#endif

#endif /* PITH_H */
