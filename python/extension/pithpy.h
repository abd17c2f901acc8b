/*
 * pithpy.h - what the files of the extension share.
 *
 * The extension is a thin layer between Python's objects and pith.h, which is all of Pith
 * that it includes:
 *
 *     module.c     the module, its state and its list of functions
 *     call.c       keyword arguments as options and settings; notices; signals
 *     errors.c     a pith_error as an exception
 *     scratch.c    memory that calls hand on to the next
 *     dump.c       objects to cells          other.c   the rarer kinds of objects
 *     load.c       events to objects
 *     text.c       dumps, loads, convert, check
 *     arrow.c      tables of Arrow
 *     rows.c       rows in pieces: Writer, Reader, pack
 *     state.c      sessions and snapshots
 *     tokens.c     vocabularies: count, encode, decode
 *
 * Three rules. Code of Python may run only where nothing is borrowed from an object: see
 * dump.c. The GIL is released around what may take long, and what then runs touches no
 * object. Whatever is kept between calls is in a scratch, which one call has at a time.
 */
#ifndef PITHPY_H
#define PITHPY_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "pith.h"

#include <stdatomic.h>

typedef struct scratch scratch;

enum { SCRATCHES_KEPT = 8, KEYS_KEPT = 1024, VOCABS_KEPT = 8 };

/* What the module of one interpreter has. */
typedef struct module_state {
    PyObject *error_type;  /* pith.Error */
    PyObject *notice_type; /* pith.Notice, a warning */
    PyObject *plan;        /* of pith._objects: how to write a type of objects */
    PyObject *row_dict;    /* of the same: a row as a dict */
    PyObject *vocab_type;
    PyObject *rows_type;
    PyObject *state_type;
    PyObject *part_type;       /* pith.Part */
    PyObject *vocabs;          /* dict: name -> vocabulary */
    PyObject *keys[KEYS_KEPT]; /* texts of keys that were read lately */
    _Atomic(scratch *) scratches[SCRATCHES_KEPT];
} module_state;

module_state *state_of(PyObject *module);
PyObject *import_name(const char *module, const char *name);

/* --- errors.c */

/* Sets the exception that the failure is, unless one is set. Always NULL. */
PyObject *raise_error(module_state *state, const pith_error *err);

/* The failure as a pith.Error that is not raised. */
PyObject *error_object(module_state *state, const pith_error *err);

/* The same for what the extension itself finds. */
PyObject *raise_code(module_state *state, pith_status status, const char *code,
                     const char *format, ...);

/* --- call.c */

typedef enum nan_words { NAN_REFUSE, NAN_NULL, NAN_TEXT } nan_words;

enum { REMARKS_MOST = 64 };

typedef struct remark {
    const char *code;
    size_t line, column;
    char message[192];
} remark;

/* One call of a function: what it was told, and how it goes. */
typedef struct call {
    module_state *state;
    pith_options options;
    pith_outcome outcome;
    const char *format; /* NULL: by content */
    const char *from;   /* of convert; likewise */
    nan_words nan;
    bool special;
    size_t tokens;
    PyObject *default_call; /* these are borrowed from the arguments */
    PyObject *notice;
    PyObject *parse_float;
    PyObject *parse_int;
    PyObject *pairs_hook;
    PyObject *schema;
    PyObject *vocab; /* owned */
    pith_buffer read_words, write_words;
    PyThreadState *released; /* while the GIL is */
    int64_t next_look;       /* for signals, in milliseconds */
    remark *remarks;
    size_t remark_count;
} call;

/* The keyword arguments a function takes beside settings. */
enum {
    TAKES_DEFAULT = 1, /* default, nan */
    TAKES_HOOKS = 2,   /* parse_float, parse_int, object_pairs_hook */
    TAKES_READ = 4,    /* settings are those of reading */
    TAKES_BOTH = 8,  /* settings are those of writing, read= has the others; to, from_ */
    TAKES_NONE = 16, /* no settings at all */
    TAKES_FORMAT = 32,  /* format, which may be the second argument as well */
    TAKES_SPECIAL = 64, /* special: of encode */
    TAKES_TOKENS = 128, /* tokens: of pack */
    TAKES_SELECT =
        256, /* at, rows, fields, drop, drop_null, where settings are of writing */
    TAKES_SCHEMA = 512 /* schema: a capsule */
};

/* Reads the arguments, of which the first is the caller's: `count` of them, then the values
 * of the keywords. False with an exception; call_end is due in either case. */
bool call_begin(call *c, module_state *state, const char *format, PyObject *const *args,
                Py_ssize_t count, PyObject *names, unsigned takes);

/* Tells the notices so far; false with an exception, that of the call or a warning's. */
bool call_tell(call *c, bool done);

/* The same, and the end of the call. */
bool call_end(call *c, bool done);

/* All arguments, a tuple, for a call that outlives the function it was made in. */
PyObject *call_keep(PyObject *const *args, Py_ssize_t count, PyObject *names);

/* A setting as a word of the options. */
bool call_add_setting(call *c, pith_buffer *words, PyObject *name, PyObject *value);

/* Without the GIL between the two. Signals are looked at by call_progress meanwhile. */
void call_release(call *c);
void call_acquire(call *c);
bool call_progress(void *ctx, size_t done);

/* The format of that name, checked; NULL with an exception. */
const char *call_format(module_state *state, PyObject *name);

/* The text of a str or of an object with bytes. What has to be kept is in `*kept`. */
bool text_of(PyObject *object, pith_text *text, PyObject **kept);

/* --- scratch.c */

enum { CELLS = 512, TEXTS = 16384, KNOWN = 256, DEAD_MOST = 256, WIDTH_MOST = 256 };

typedef struct known_keys {
    uint64_t hash;
    uint32_t round; /* the call it counts for */
    uint32_t shape; /* 0: seen once, and not learned yet */
    uint32_t first; /* of its keys in keys[] */
    uint32_t count;
} known_keys;

typedef enum frame_kind {
    FRAME_LIST,
    FRAME_TUPLE,
    FRAME_VALUES,
    FRAME_MEMBERS
} frame_kind;

/* A container that is being written. */
typedef struct frame {
    PyObject *container; /* owned; NULL for what stands for another object */
    frame_kind kind;
    bool close;
    Py_ssize_t at, begin; /* in the container, or in values[] */
} frame;

/* Lists that grow. */
typedef struct object_list {
    PyObject **items;
    size_t count, room;
} object_list;

struct scratch {
    pith_doc *doc;
    size_t doc_bytes;
    size_t doc_depth; /* its limit */
    pith_buffer out;

    /* Of dumps: see dump.c. */
    size_t cell_count;
    size_t text_len;
    unsigned flushes;
    uint32_t round;
    object_list values;
    size_t pinned;
    object_list keys;
    frame *frames;
    size_t depth, frame_room, nesting;
    object_list dead;
    known_keys known[KNOWN];
    pith_cell cells[CELLS];
    char texts[TEXTS];
};

/* One whose document may nest as deep as that, 0 for the default. */
scratch *scratch_take(module_state *state, size_t depth_max);
void scratch_give(module_state *state, scratch *s);
void scratch_free(scratch *s);
bool list_add(object_list *list, PyObject *item);

/* --- dump.c */

/* Where cells go: into the scratch's document, or as rows somewhere else. */
typedef struct cell_target {
    pith_status (*add)(void *ctx, const pith_cell *cells, size_t count, pith_error *err);
    void *ctx;
} cell_target;

typedef struct dumper {
    call *call;
    scratch *s;
    cell_target target; /* without `add`: s->doc */
    PyObject *plans;    /* dict: type -> plan, or NULL */
    size_t depth_max;
} dumper;

void dumper_begin(dumper *d, call *c, scratch *s);
void dumper_end(dumper *d);

/* Adds the cells of an object; false with an exception. */
bool dump_object(dumper *d, PyObject *object);

/* Sends the cells that wait. */
bool dump_flush(dumper *d);

/* For other.c. */
pith_cell *dump_cell(dumper *d, pith_cell_kind kind);
bool dump_enter_python(dumper *d);
bool dump_text(dumper *d, PyObject *text, pith_cell_kind kind);
bool dump_copied(dumper *d, const char *text, size_t len, pith_cell_kind kind);
bool dump_double(dumper *d, double number);
bool dump_single(dumper *d, float number);
bool dump_long(dumper *d, PyObject *number);
bool dump_sequence(dumper *d, PyObject *sequence, frame_kind kind);
bool dump_dict(dumper *d, PyObject *dict);
bool dump_replacement(dumper *d, PyObject *object); /* takes the reference */
bool dump_named(dumper *d, PyObject *object, PyObject *names);

/* --- other.c */

bool dump_other(dumper *d, PyObject *object);

/* An object as a value in the scratch's document. */
bool dump_value(call *c, scratch *s, PyObject *object, pith_value *value);

/* --- load.c */

PyObject *load_value(call *c, pith_value value);

/* --- text.c */

/* The bytes as a str, or as bytes where the format is binary or `bytes` is asked for. */
PyObject *text_object(const char *data, size_t len, bool bytes);

extern PyMethodDef text_methods[];
extern PyMethodDef token_methods[];

/* --- arrow.c */

enum { ARROW_NONE, ARROW_STREAM, ARROW_ARRAY };

/* Whether the object hands out tables of Arrow, and how. */
int arrow_kind(PyObject *object);

/* What it hands out, to be released by the caller; false with an exception. */
bool arrow_stream(PyObject *object, struct ArrowArrayStream *stream);
bool arrow_batch(PyObject *object, struct ArrowSchema *schema, struct ArrowArray *array);
void arrow_release(struct ArrowSchema *schema, struct ArrowArray *array);

/* Writes it; false with an exception. */
bool arrow_write(call *c, PyObject *object, int kind, pith_sink sink);
int arrow_ready(PyObject *module);

/* --- rows.c, state.c */

int rows_ready(PyObject *module, module_state *state);
int state_ready(PyObject *module, module_state *state);

/* --- tokens.c */

int tokens_ready(PyObject *module, module_state *state);

/* The vocabulary that the argument names, or is; NULL with an exception. A new reference. */
PyObject *vocab_find(module_state *state, PyObject *name);
const pith_vocab *vocab_of(PyObject *vocab);

/* The name of the vocabulary of a model, which pith._models knows; NULL with an exception. */
PyObject *model_vocab(PyObject *model);

#endif /* PITHPY_H */
