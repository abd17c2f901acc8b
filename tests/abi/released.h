
#ifndef PITH_H
#define PITH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PITH_API
#if defined(__GNUC__)
#define PITH_API __attribute__((visibility("default")))
#else
#define PITH_API
#endif
#endif

#define PITH_VERSION_MAJOR 0
#define PITH_VERSION_MINOR 2
#define PITH_VERSION_PATCH 0
#define PITH_VERSION_TEXT "0.2.0"

PITH_API const char *pith_version(void);

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

PITH_API const char *pith_status_name(pith_status status);

typedef struct pith_error {
    pith_status status;
    size_t line, column;
    size_t offset;
    const char *code;
    int system;
    char message[192];
    uint64_t reserved[4];
} pith_error;

typedef struct pith_text {
    const char *ptr;
    size_t len;
} pith_text;

#define PITH_TEXT(literal)                                                               \
    {                                                                                    \
        literal, sizeof(literal) - 1                                                     \
    }

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

typedef struct pith_outcome {
    const char
        *format;
    size_t bytes;

    size_t tokens;
    size_t json_tokens;

    size_t rows, rows_left_out;
    size_t members, members_left_out;
    size_t texts_clipped;
    const char *unit;
    uint64_t reserved[6];
} pith_outcome;

typedef struct pith_options {

    size_t size;
    pith_alloc alloc;
    const char *read;
    const char *write;

    size_t depth_max;

    size_t output_max;

    size_t memory_max;

    size_t hold_max;

    bool (*progress)(void *ctx, size_t bytes_done);
    void *progress_ctx;

    const struct pith_vocab *vocab;
    pith_outcome *outcome;

    void (*notice)(void *ctx, const pith_error *remark);
    void *notice_ctx;
} pith_options;

typedef struct pith_sink {
    pith_status (*write)(void *ctx, const char *data, size_t len);
    void *ctx;
} pith_sink;

typedef struct pith_buffer {
    char *data;
    size_t len, cap;
    pith_alloc alloc;
} pith_buffer;

PITH_API pith_sink pith_sink_buffer(pith_buffer *buffer);
PITH_API void pith_buffer_free(pith_buffer *buffer);

PITH_API pith_sink pith_sink_fd(int fd);

PITH_API pith_status pith_convert(const char *from, const char *to, const char *text,
    size_t len, const pith_options *options, pith_sink sink, pith_error *err);

typedef struct pith_doc pith_doc;

typedef struct pith_value {
    const pith_doc *doc;
    uint32_t at, parent, index;
} pith_value;

typedef enum pith_kind {
    PITH_NONE,
    PITH_NULL,
    PITH_FALSE,
    PITH_TRUE,
    PITH_INTEGER,
    PITH_DECIMAL,
    PITH_STRING,
    PITH_ARRAY,
    PITH_OBJECT
} pith_kind;

PITH_API pith_doc *pith_doc_new(const pith_options *options);
PITH_API void pith_doc_free(pith_doc *doc);
PITH_API void pith_doc_reset(pith_doc *doc);

PITH_API pith_status pith_doc_read(pith_doc *doc, const char *format, const char *text,
    size_t len, const pith_options *options, pith_error *err);
PITH_API pith_doc *pith_doc_parse(const char *format, const char *text, size_t len,
    const pith_options *options, pith_error *err);

PITH_API pith_status pith_value_write(pith_value value, const char *format,
    const pith_options *options, pith_sink sink, pith_error *err);

PITH_API pith_value pith_doc_root(const pith_doc *doc);
PITH_API pith_kind pith_value_kind(pith_value value);
PITH_API size_t pith_value_count(pith_value value);

PITH_API pith_value pith_value_first(pith_value container);
PITH_API pith_value pith_value_next(pith_value value);

PITH_API pith_text pith_value_key(pith_value member);
PITH_API pith_value pith_value_get(pith_value object, const char *key, size_t len);

PITH_API pith_value pith_value_at(pith_value container, size_t index);

PITH_API pith_text pith_value_text(pith_value value);

PITH_API bool pith_value_int64(pith_value value, int64_t *out);
PITH_API bool pith_value_uint64(pith_value value, uint64_t *out);

PITH_API bool pith_value_double(pith_value value, double *out);

PITH_API bool pith_value_equal(pith_value a, pith_value b);

typedef struct pith_event {
    uint8_t kind;
    uint8_t flags;
    uint8_t type;
    uint8_t zero;
    uint32_t shape;
    size_t len;
    union {
        const char *text;
        int64_t integer;
        double number;
        size_t place;
    } u;
} pith_event;

#define PITH_EVENT_ASCII 1
#define PITH_EVENT_DIGITS 2
#define PITH_WALK_DIGITS 1

typedef struct pith_walk {
    const pith_doc *doc;
    uint32_t at, end;
    unsigned flags;
    uint32_t reserved[5];
} pith_walk;

PITH_API void pith_walk_begin(pith_walk *walk, pith_value value, unsigned flags);
PITH_API size_t pith_walk_next(pith_walk *walk, pith_event *events, size_t room);

PITH_API size_t pith_walk_keys(
    const pith_walk *walk, const pith_event *object, pith_text *keys, size_t room);

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

PITH_API void pith_doc_add_double(pith_doc *doc, double number);
PITH_API void pith_doc_add_number(pith_doc *doc, const char *digits, size_t len);

PITH_API void pith_doc_add_bytes(pith_doc *doc, const void *bytes, size_t len);
PITH_API void pith_doc_add_vector(pith_doc *doc, const double *numbers, size_t count);
PITH_API void pith_doc_add_ref(pith_doc *doc, pith_text table, uint64_t row);

PITH_API void pith_doc_add_value(pith_doc *doc, pith_value value);

PITH_API void pith_doc_skip(pith_doc *doc);

typedef enum pith_cell_kind {
    PITH_CELL_NULL = 1,
    PITH_CELL_FALSE,
    PITH_CELL_TRUE,
    PITH_CELL_INT64,
    PITH_CELL_UINT64,
    PITH_CELL_DOUBLE,
    PITH_CELL_FLOAT,
    PITH_CELL_DIGITS,
    PITH_CELL_TEXT,
    PITH_CELL_BYTES,
    PITH_CELL_KEY,
    PITH_CELL_ARRAY,
    PITH_CELL_OBJECT,
    PITH_CELL_SHAPED,
    PITH_CELL_ABSENT,
    PITH_CELL_CLOSE,
    PITH_CELL_VALUE,
    PITH_CELL_VECTOR
} pith_cell_kind;

#define PITH_CELL_TRUSTED 1

typedef struct pith_cell {
    uint8_t kind;
    uint8_t flags;
    uint16_t zero;
    uint32_t len;
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

PITH_API uint32_t pith_doc_shape(pith_doc *doc, const pith_text *keys, size_t count);

typedef struct pith_rows pith_rows;

PITH_API pith_rows *pith_rows_open(const char *format, const pith_text *columns,
    size_t count, const pith_options *options, pith_sink sink, pith_error *err);

PITH_API void pith_rows_expect(pith_rows *rows, uint64_t count);

struct pith_field;
PITH_API void pith_rows_declare(
    pith_rows *rows, size_t column, const struct pith_field *field);

PITH_API pith_doc *pith_rows_row(pith_rows *rows);
PITH_API pith_status pith_rows_end_row(pith_rows *rows, pith_error *err);

PITH_API pith_status pith_rows_add_row(pith_rows *rows, pith_value row, pith_error *err);

PITH_API pith_status pith_rows_add_cells(
    pith_rows *rows, const pith_cell *cells, size_t count, pith_error *err);

PITH_API pith_status pith_rows_flush(pith_rows *rows, pith_error *err);

PITH_API pith_status pith_rows_close(pith_rows *rows, pith_error *err);
PITH_API void pith_rows_abandon(pith_rows *rows);

PITH_API pith_rows *pith_rows_open_object(
    const char *format, const pith_options *options, pith_sink sink, pith_error *err);

PITH_API pith_status pith_rows_add_member(
    pith_rows *rows, pith_text name, pith_value value, pith_error *err);

PITH_API pith_status pith_rows_begin_table(pith_rows *rows, pith_text name,
    const pith_text *columns, size_t count, bool keyed, pith_error *err);

PITH_API pith_status pith_rows_save(pith_rows *rows, pith_sink sink, pith_error *err);
PITH_API pith_status pith_rows_merge(
    pith_rows *rows, const char *state, size_t len, pith_error *err);
PITH_API pith_rows *pith_rows_restore(const char *format, const char *state, size_t len,
    const pith_options *options, pith_sink sink, pith_error *err);

typedef struct pith_reader pith_reader;
PITH_API pith_reader *pith_reader_open(
    const char *format, const pith_options *options, pith_error *err);
PITH_API void pith_reader_free(pith_reader *reader);
PITH_API pith_status pith_reader_feed(
    pith_reader *reader, const char *data, size_t len, pith_error *err);
PITH_API pith_status pith_reader_end(pith_reader *reader, pith_error *err);

PITH_API pith_status pith_reader_next(
    pith_reader *reader, pith_value *row, pith_error *err);

PITH_API pith_status pith_reader_batch(
    pith_reader *reader, size_t rows_max, pith_value *rows, bool *done, pith_error *err);

PITH_API size_t pith_reader_columns(pith_reader *reader, pith_text *columns, size_t room);

PITH_API bool pith_reader_done(const pith_reader *reader);

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

typedef bool (*pith_report)(void *ctx, const pith_error *problem);

PITH_API pith_status pith_check(const char *format, const char *text, size_t len,
    const pith_options *options, pith_report report, void *ctx, pith_error *err);

enum { PITH_READ = 1, PITH_WRITE = 2 };

typedef enum pith_setting_type {
    PITH_SETTING_BOOL,
    PITH_SETTING_NUMBER,
    PITH_SETTING_CHOICE,
    PITH_SETTING_TEXT
} pith_setting_type;

typedef struct pith_setting {
    const char *word;
    pith_setting_type type;
    unsigned direction;
    const char *choices;
    uint64_t min, max;
    const char *default_value;
    const char *help;
} pith_setting;

typedef enum pith_numbers {
    PITH_NUMBERS_ANY,
    PITH_NUMBERS_64
} pith_numbers;

typedef struct pith_format {
    const char *name;
    const char *suffixes;
    const char *media_type;
    const char *summary;
    unsigned direction;
    unsigned streams;
    bool binary;
    const pith_setting *settings;
    size_t setting_count;
    bool exchange;
    bool chooses;
    pith_numbers numbers;
    unsigned sessions;
    bool lines;
    const char *dense;
} pith_format;

PITH_API const pith_format *pith_format_at(size_t index);
PITH_API const pith_format *pith_format_find(const char *name);

PITH_API const pith_format *pith_format_of(
    const char *path, const char *text, size_t len);

PITH_API const pith_setting *pith_setting_common(size_t index);

typedef enum pith_type {
    PITH_TYPE_ANY,
    PITH_TYPE_INT,
    PITH_TYPE_UINT,
    PITH_TYPE_FLOAT,
    PITH_TYPE_TEXT,
    PITH_TYPE_BOOL,
    PITH_TYPE_BYTES,
    PITH_TYPE_VEC,
    PITH_TYPE_ARRAY,
    PITH_TYPE_OBJECT,
    PITH_TYPE_REF
} pith_type;

typedef struct pith_field {
    pith_text name;
    pith_type type;
    bool nullable;
    uint32_t size;
    pith_text target;
    uint64_t reserved[2];
} pith_field;

PITH_API pith_type pith_value_type(pith_value value);

PITH_API size_t pith_value_bytes(pith_value value, void *to, size_t room);
PITH_API size_t pith_value_vector(pith_value value, double *to, size_t room);

PITH_API bool pith_value_ref(pith_value value, pith_text *table, uint64_t *id);

PITH_API pith_rows *pith_rows_into(
    pith_doc *doc, const pith_options *options, pith_error *err);

typedef struct pith_table {
    pith_text name;
    const pith_field *fields;
    size_t field_count, row_count;
    pith_value rows;
    bool single;
    uint32_t near_at;
    size_t near_row;
    uint64_t reserved[2];
} pith_table;

PITH_API size_t pith_doc_table_count(const pith_doc *doc);
PITH_API bool pith_doc_table(const pith_doc *doc, size_t index, pith_table *table);

PITH_API pith_value pith_table_cell(pith_table *table, size_t row, size_t column);

PITH_API pith_status pith_doc_make_tables(pith_doc *doc, pith_error *err);

typedef struct pith_session pith_session;

typedef struct pith_session_limits {
    size_t size;
    uint64_t idle_max;
    uint64_t life_max;
    size_t ids_max;
} pith_session_limits;
PITH_API pith_session *pith_session_new(
    const pith_session_limits *limits, const pith_options *options);
PITH_API void pith_session_free(pith_session *session);

PITH_API pith_status pith_session_write(pith_session *session, pith_value graph,
    const char *format, uint64_t now, const pith_options *options, pith_sink sink,
    pith_error *err);

PITH_API void pith_session_lost(pith_session *session);

PITH_API pith_status pith_session_read(pith_session *session, pith_doc *doc,
    const char *text, size_t len, uint64_t now, const pith_options *options,
    pith_error *err);

PITH_API pith_status pith_session_save(
    const pith_session *session, pith_sink sink, pith_error *err);
PITH_API pith_status pith_session_restore(
    pith_session *session, const void *data, size_t len, pith_error *err);

#define PITH_ROOT_SIZE 72

typedef struct pith_root {
    char text[PITH_ROOT_SIZE];
} pith_root;

PITH_API pith_status pith_value_root(pith_value value, pith_text key,
    const pith_options *options, pith_root *root, pith_error *err);

typedef enum pith_delta_kind {
    PITH_DELTA_UNCHANGED,
    PITH_DELTA_CHANGES,
    PITH_DELTA_FULL
} pith_delta_kind;

typedef struct pith_delta_info {
    pith_delta_kind kind;
    pith_text key;
    pith_text base_root;
    pith_text root;
    bool session;
    bool has_count;
    uint64_t count;
    uint64_t reserved[4];
} pith_delta_info;

PITH_API pith_status pith_delta_look(
    const char *text, size_t len, pith_delta_info *info, pith_error *err);

typedef enum pith_anchor {
    PITH_ANCHOR_TURNS,
    PITH_ANCHOR_SIZE,
    PITH_ANCHOR_NEVER
} pith_anchor;

#define PITH_TURNS_DEFAULT 15
#define PITH_GUARD_DEFAULT 60
#define PITH_GUARD_OFF UINT32_MAX

typedef struct pith_policy {
    size_t size;
    pith_text key;
    pith_text tool;
    const char *format;
    pith_anchor anchor;
    uint32_t turns;
    uint32_t guard_percent;
} pith_policy;

typedef struct pith_snapshot pith_snapshot;

PITH_API pith_snapshot *pith_snapshot_new(
    const pith_policy *policy, const pith_options *options, pith_error *err);
PITH_API void pith_snapshot_free(pith_snapshot *snapshot);

PITH_API pith_status pith_snapshot_set(
    pith_snapshot *snapshot, pith_value value, pith_error *err);

PITH_API pith_status pith_snapshot_write(pith_snapshot *snapshot, const char *held,
    pith_value value, pith_sink sink, pith_delta_kind *kind, pith_error *err);

PITH_API pith_status pith_snapshot_apply(pith_snapshot *snapshot, const char *text,
    size_t len, pith_delta_kind *kind, pith_error *err);

PITH_API pith_value pith_snapshot_value(const pith_snapshot *snapshot);
PITH_API const char *pith_snapshot_root(const pith_snapshot *snapshot);

typedef struct pith_vocab pith_vocab;

PITH_API const char *pith_vocab_name_at(size_t index);

PITH_API pith_vocab *pith_vocab_open(
    const char *name, const pith_options *options, pith_error *err);

PITH_API pith_vocab *pith_vocab_read(
    const char *text, size_t len, const pith_options *options, pith_error *err);

PITH_API pith_status pith_vocab_save(
    const pith_vocab *vocab, pith_sink sink, pith_error *err);
PITH_API pith_vocab *pith_vocab_map(
    const void *data, size_t len, const pith_options *options, pith_error *err);
PITH_API void pith_vocab_free(pith_vocab *vocab);

typedef struct pith_vocab_info {
    const char *name;
    bool exact;
    size_t size;
    uint64_t reserved[4];
} pith_vocab_info;
PITH_API pith_vocab_info pith_vocab_describe(const pith_vocab *vocab);

PITH_API pith_status pith_vocab_count(const pith_vocab *vocab, const char *text,
    size_t len, const pith_options *options, size_t *count, pith_error *err);

typedef struct pith_tokens {
    uint32_t *ids;
    size_t count, cap;
    pith_alloc alloc;
} pith_tokens;
PITH_API void pith_tokens_free(pith_tokens *tokens);

typedef enum pith_special {
    PITH_SPECIAL_IS_TEXT,
    PITH_SPECIAL_IS_TOKEN
} pith_special;

PITH_API pith_status pith_vocab_encode(const pith_vocab *vocab, const char *text,
    size_t len, pith_special special, pith_tokens *tokens, pith_error *err);

PITH_API pith_status pith_vocab_decode(const pith_vocab *vocab, const uint32_t *ids,
    size_t count, const pith_options *options, pith_sink sink, pith_error *err);

typedef struct pith_counter pith_counter;
PITH_API pith_counter *pith_counter_new(
    const pith_vocab *vocab, const pith_options *options);
PITH_API void pith_counter_free(pith_counter *counter);
PITH_API pith_sink pith_counter_sink(pith_counter *counter);
PITH_API pith_status pith_counter_total(
    pith_counter *counter, size_t *count, pith_error *err);

typedef struct pith_part {
    const char *text;
    size_t len;
    const char *format;
    size_t tokens;
    uint64_t first_row, rows;
    bool too_long;
} pith_part;

typedef pith_status (*pith_part_sink)(void *ctx, const pith_part *part);
typedef struct pith_parts pith_parts;

PITH_API pith_parts *pith_parts_open(const char *format, const pith_text *columns,
    size_t count, size_t tokens_max, const pith_options *options, pith_part_sink part,
    void *ctx, pith_error *err);

PITH_API pith_status pith_parts_add_cells(
    pith_parts *parts, const pith_cell *cells, size_t count, pith_error *err);
PITH_API pith_status pith_parts_add_row(
    pith_parts *parts, pith_value row, pith_error *err);

PITH_API pith_status pith_parts_close(pith_parts *parts, pith_error *err);
PITH_API void pith_parts_abandon(pith_parts *parts);

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

PITH_API pith_status pith_arrow_write(struct ArrowArrayStream *stream, const char *format,
    const pith_options *options, pith_sink sink, pith_error *err);

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

typedef struct pith_arrow_plan {
    size_t size;

    const struct ArrowSchema *want;
    size_t look;
    size_t batch_rows;
} pith_arrow_plan;

PITH_API pith_status pith_arrow_read(const char *format, const char *text, size_t len,
    const pith_arrow_plan *plan, const pith_options *options,
    struct ArrowArrayStream *out, pith_error *err);
PITH_API pith_status pith_value_arrow(pith_value rows, const pith_arrow_plan *plan,
    const pith_options *options, struct ArrowArrayStream *out, pith_error *err);

PITH_API const char *pith_packing(const char *path, const char *data, size_t len);

PITH_API pith_status pith_unpack(const char *data, size_t len,
    const pith_options *options, pith_sink sink, pith_error *err);

typedef struct pith_packer pith_packer;
PITH_API pith_packer *pith_packer_open(
    const char *packing, const pith_options *options, pith_sink sink, pith_error *err);
PITH_API pith_sink pith_packer_sink(pith_packer *packer);

PITH_API pith_status pith_packer_close(pith_packer *packer, pith_error *err);
PITH_API void pith_packer_abandon(pith_packer *packer);

#ifdef __cplusplus
}
#endif

#endif

