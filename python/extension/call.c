/*
 * call.c - one call: its keyword arguments, its notices, and signals while it runs.
 *
 * What a function knows by name is an option; every other keyword is a setting of the format
 * and becomes a word of pith.h: rows_max=5 is "rows-max=5". The library checks them, so its
 * errors name the nearest right word.
 *
 * Notices are collected while the GIL may be released, and told at the end.
 */
#include "pithpy.h"

#include <string.h>
#include <time.h>

/* ---------------------------------------------------------------------- settings */

static bool words_add(pith_buffer *words, const char *data, size_t len)
{
    pith_sink sink = pith_sink_buffer(words);
    if (sink.write(sink.ctx, data, len) == PITH_OK)
        return true;
    PyErr_NoMemory();
    return false;
}

/* The word of a keyword: itself where the format has it, else with dashes. */
static bool add_name(call *c, pith_buffer *words, const char *name)
{
    const pith_format *format = c->format ? pith_format_find(c->format) : NULL;
    for (size_t i = 0; format && i < format->setting_count; i++)
        if (strcmp(format->settings[i].word, name) == 0)
            return words_add(words, name, strlen(name));
    for (; *name; name++)
        if (!words_add(words, *name == '_' ? "-" : name, 1))
            return false;
    return true;
}

/* A value with spaces, quotes or nothing in it is a JSON string. */
static bool add_text_value(pith_buffer *words, const char *text, size_t len)
{
    if (len > 0 && len == strcspn(text, " \"\\\t\r\n"))
        return words_add(words, text, len);
    pith_doc *doc = pith_doc_new(NULL);
    pith_error err = {.status = PITH_NO_MEMORY};
    bool done = false;
    if (doc) {
        pith_doc_add_text(doc, text, len);
        done = pith_doc_finish(doc, &err) == PITH_OK &&
               pith_value_write(pith_doc_root(doc), "json", NULL, pith_sink_buffer(words),
                                &err) == PITH_OK;
        pith_doc_free(doc);
    }
    if (!done)
        PyErr_SetString(PyExc_ValueError, err.message);
    return done;
}

/* A list of texts is them with commas. */
static PyObject *joined(PyObject *value)
{
    PyObject *comma = PyUnicode_FromString(",");
    PyObject *text = comma ? PyUnicode_Join(comma, value) : NULL;
    Py_XDECREF(comma);
    return text;
}

static PyObject *setting_text(PyObject *value)
{
    if (value == Py_True || value == Py_False)
        return PyUnicode_FromString(value == Py_True ? "true" : "false");
    if (PyUnicode_Check(value))
        return Py_NewRef(value);
    if (PyLong_Check(value) || PyFloat_Check(value))
        return PyObject_Str(value);
    if (PyList_Check(value) || PyTuple_Check(value))
        return joined(value);
    return PyErr_Format(PyExc_TypeError,
                        "a setting is a str, an int, a bool or a list of str, not %s",
                        Py_TYPE(value)->tp_name);
}

bool call_add_setting(call *c, pith_buffer *words, PyObject *name, PyObject *value)
{
    const char *word = PyUnicode_AsUTF8(name);
    if (!word || value == Py_None)
        return word != NULL; /* None: as if nothing had been said */
    PyObject *text = setting_text(value);
    Py_ssize_t len = 0;
    const char *data = text ? PyUnicode_AsUTF8AndSize(text, &len) : NULL;
    bool done = data && (words->len == 0 || words_add(words, " ", 1)) &&
                add_name(c, words, word) && words_add(words, "=", 1) &&
                add_text_value(words, data, (size_t)len);
    Py_XDECREF(text);
    return done;
}

/* read={"strict": False} */
static bool read_settings(call *c, PyObject *settings)
{
    Py_ssize_t at = 0;
    PyObject *name;
    PyObject *value;
    if (!PyDict_Check(settings)) {
        PyErr_SetString(PyExc_TypeError, "read= is a dict of settings");
        return false;
    }
    const char *format = c->format;
    c->format = NULL;
    bool done = true;
    while (done && PyDict_Next(settings, &at, &name, &value))
        done = call_add_setting(c, &c->read_words, name, value);
    c->format = format;
    return done;
}

/* ----------------------------------------------------------------------- options */

static bool take_nan(call *c, PyObject *value)
{
    static const char *const WORDS[] = {"refuse", "null", "text"};
    for (size_t i = 0; PyUnicode_Check(value) && i < 3; i++)
        if (PyUnicode_CompareWithASCIIString(value, WORDS[i]) == 0) {
            c->nan = (nan_words)i;
            return true;
        }
    PyErr_SetString(PyExc_ValueError, "nan= is 'refuse', 'null' or 'text'");
    return false;
}

static bool take_size(PyObject *value, size_t *size)
{
    if (value == Py_None)
        return true;
    *size = PyLong_AsSize_t(value);
    return !PyErr_Occurred();
}

static bool take_call(const char *name, PyObject *value, PyObject **place)
{
    if (value == Py_None)
        return true;
    *place = value;
    if (PyCallable_Check(value))
        return true;
    PyErr_Format(PyExc_TypeError, "%s= has to be callable", name);
    return false;
}

static bool take_vocab(call *c, PyObject *value)
{
    if (value == Py_None)
        return true;
    Py_XSETREF(c->vocab, vocab_find(c->state, value));
    if (!c->vocab)
        return false;
    c->options.vocab = vocab_of(c->vocab);
    return true;
}

/* A model is known by the tokenizer it has. */
static bool take_model(call *c, PyObject *value)
{
    PyObject *name = model_vocab(value);
    bool done = name && take_vocab(c, name);
    Py_XDECREF(name);
    return done;
}

static bool take_format(call *c, PyObject *value, const char **format)
{
    if (value == Py_None)
        return true;
    *format = call_format(c->state, value);
    return *format != NULL;
}

typedef enum option_word {
    OPTION_FORMAT,
    OPTION_TO,
    OPTION_FROM,
    OPTION_DEPTH,
    OPTION_OUTPUT_MAX,
    OPTION_MEMORY_MAX,
    OPTION_NOTICE,
    OPTION_TOKENIZER,
    OPTION_DEFAULT,
    OPTION_NAN,
    OPTION_PARSE_FLOAT,
    OPTION_PARSE_INT,
    OPTION_PAIRS_HOOK,
    OPTION_READ,
    OPTION_MODEL,
    OPTION_SPECIAL,
    OPTION_TOKENS,
    OPTION_SCHEMA
} option_word;

static const struct {
    const char *name;
    unsigned needs; /* of `takes`; 0: every call has it */
} OPTIONS[] = {
    [OPTION_FORMAT] = {"format", TAKES_FORMAT},
    [OPTION_TO] = {"to", TAKES_BOTH},
    [OPTION_FROM] = {"from_", TAKES_BOTH},
    [OPTION_DEPTH] = {"depth", 0},
    [OPTION_OUTPUT_MAX] = {"output_max", 0},
    [OPTION_MEMORY_MAX] = {"memory_max", 0},
    [OPTION_NOTICE] = {"notice", 0},
    [OPTION_TOKENIZER] = {"tokenizer", 0},
    [OPTION_DEFAULT] = {"default", TAKES_DEFAULT},
    [OPTION_NAN] = {"nan", TAKES_DEFAULT},
    [OPTION_PARSE_FLOAT] = {"parse_float", TAKES_HOOKS},
    [OPTION_PARSE_INT] = {"parse_int", TAKES_HOOKS},
    [OPTION_PAIRS_HOOK] = {"object_pairs_hook", TAKES_HOOKS},
    [OPTION_READ] = {"read", TAKES_BOTH},
    [OPTION_MODEL] = {"model", 0},
    [OPTION_SPECIAL] = {"special", TAKES_SPECIAL},
    [OPTION_TOKENS] = {"tokens", TAKES_TOKENS},
    [OPTION_SCHEMA] = {"schema", TAKES_SCHEMA},
};

static bool take_option(call *c, option_word word, PyObject *value)
{
    switch (word) {
    case OPTION_FORMAT:
    case OPTION_TO:
        return take_format(c, value, &c->format);
    case OPTION_FROM:
        return take_format(c, value, &c->from);
    case OPTION_DEPTH:
        return take_size(value, &c->options.depth_max);
    case OPTION_OUTPUT_MAX:
        return take_size(value, &c->options.output_max);
    case OPTION_MEMORY_MAX:
        return take_size(value, &c->options.memory_max);
    case OPTION_NOTICE:
        return take_call("notice", value, &c->notice);
    case OPTION_TOKENIZER:
        return take_vocab(c, value);
    case OPTION_DEFAULT:
        return take_call("default", value, &c->default_call);
    case OPTION_NAN:
        return take_nan(c, value);
    case OPTION_PARSE_FLOAT:
        return take_call("parse_float", value, &c->parse_float);
    case OPTION_PARSE_INT:
        return take_call("parse_int", value, &c->parse_int);
    case OPTION_PAIRS_HOOK:
        return take_call("object_pairs_hook", value, &c->pairs_hook);
    case OPTION_READ:
        return read_settings(c, value);
    case OPTION_MODEL:
        return take_model(c, value);
    case OPTION_SPECIAL:
        c->special = PyObject_IsTrue(value) == 1;
        return !PyErr_Occurred();
    case OPTION_TOKENS:
        return take_size(value, &c->tokens);
    case OPTION_SCHEMA:
        c->schema = value;
        return true;
    }
    Py_UNREACHABLE();
}

/* The option of that name; -1 for none. */
static int find_option(PyObject *name, unsigned takes)
{
    for (size_t i = 0; i < sizeof OPTIONS / sizeof *OPTIONS; i++)
        if ((OPTIONS[i].needs == 0 || (OPTIONS[i].needs & takes)) &&
            PyUnicode_CompareWithASCIIString(name, OPTIONS[i].name) == 0)
            return (int)i;
    return -1;
}

/* Whether it says which part is wanted: a setting of reading, but for formats that have
 * one of that name themselves. */
static bool is_selection(const call *c, PyObject *name)
{
    static const char *const WORDS[] = {"at", "rows", "fields", "drop", "drop_null"};
    const pith_format *format = c->format ? pith_format_find(c->format) : NULL;
    for (size_t i = 0; format && i < format->setting_count; i++)
        if (PyUnicode_CompareWithASCIIString(name, format->settings[i].word) == 0)
            return false;
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (PyUnicode_CompareWithASCIIString(name, WORDS[i]) == 0)
            return true;
    return false;
}

static bool take_setting(call *c, PyObject *name, PyObject *value, unsigned takes)
{
    if (takes & TAKES_NONE) {
        PyErr_Format(PyExc_TypeError, "unexpected keyword argument '%U'", name);
        return false;
    }
    bool reads =
        (takes & TAKES_READ) || ((takes & TAKES_SELECT) && is_selection(c, name));
    return call_add_setting(c, reads ? &c->read_words : &c->write_words, name, value);
}

/* Options first: what a setting's word is depends on the format. */
static bool take_keywords(call *c, PyObject *const *values, PyObject *names,
                          unsigned takes)
{
    Py_ssize_t count = names ? PyTuple_GET_SIZE(names) : 0;
    bool settings = false;
    for (Py_ssize_t i = 0; i < count; i++) {
        int option = find_option(PyTuple_GET_ITEM(names, i), takes);
        settings = settings || option < 0;
        if (option >= 0 && !take_option(c, (option_word)option, values[i]))
            return false;
    }
    for (Py_ssize_t i = 0; i < count && settings; i++)
        if (find_option(PyTuple_GET_ITEM(names, i), takes) < 0 &&
            !take_setting(c, PyTuple_GET_ITEM(names, i), values[i], takes))
            return false;
    return true;
}

/* ----------------------------------------------------------------------- notices */

/* Without the GIL perhaps: nothing here is an object. */
static void keep_remark(void *ctx, const pith_error *notice)
{
    call *c = ctx;
    if (!c->remarks)
        c->remarks = calloc(REMARKS_MOST, sizeof *c->remarks);
    if (!c->remarks || c->remark_count == REMARKS_MOST)
        return;
    remark *kept = &c->remarks[c->remark_count++];
    kept->code = notice->code;
    kept->line = notice->line;
    kept->column = notice->column;
    memcpy(kept->message, notice->message, sizeof kept->message);
}

static bool tell(call *c, const remark *kept)
{
    PyObject *notice =
        PyObject_CallFunction(c->state->notice_type, "ssnn", kept->message, kept->code,
                              (Py_ssize_t)kept->line, (Py_ssize_t)kept->column);
    if (!notice)
        return false;
    bool done;
    if (c->notice) {
        PyObject *answer = PyObject_CallOneArg(c->notice, notice);
        done = answer != NULL;
        Py_XDECREF(answer);
    } else {
        done = PyErr_WarnEx(c->state->notice_type, kept->message, 1) == 0;
    }
    Py_DECREF(notice);
    return done;
}

/* ------------------------------------------------------------- signals, the GIL */

enum { LOOK_EVERY_MS = 40 };

static int64_t now_ms(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void call_release(call *c)
{
    c->released = PyEval_SaveThread();
}

void call_acquire(call *c)
{
    PyEval_RestoreThread(c->released);
    c->released = NULL;
}

bool call_progress(void *ctx, size_t done)
{
    (void)done;
    call *c = ctx;
    int64_t now = now_ms();
    if (now < c->next_look && now > c->next_look - 2 * LOOK_EVERY_MS)
        return true;
    c->next_look = now + LOOK_EVERY_MS;
    bool released = c->released != NULL;
    if (released)
        call_acquire(c);
    bool go_on = PyErr_CheckSignals() == 0;
    if (released)
        call_release(c);
    return go_on;
}

/* ------------------------------------------------------------------ begin and end */

const char *call_format(module_state *state, PyObject *name)
{
    const char *format = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
    if (!format && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "a format is a str, not %s",
                     Py_TYPE(name)->tp_name);
    (void)state;
    return format;
}

bool call_begin(call *c, module_state *state, const char *format, PyObject *const *args,
                Py_ssize_t count, PyObject *names, unsigned takes)
{
    memset(c, 0, sizeof *c);
    c->state = state;
    c->format = format;
    if (count < 1 || count > 2) {
        PyErr_Format(PyExc_TypeError, "expected 1 or 2 positional arguments, not %zd",
                     count);
        return false;
    }
    if (count == 2 &&
        !(takes & (TAKES_FORMAT | TAKES_BOTH) ? take_format(c, args[1], &c->format)
                                              : take_vocab(c, args[1])))
        return false;
    if (!take_keywords(c, args + count, names, takes))
        return false;
    c->options.read = c->read_words.data;
    c->options.write = c->write_words.data;
    c->options.outcome = &c->outcome;
    c->options.notice = keep_remark;
    c->options.notice_ctx = c;
    c->options.progress = call_progress;
    c->options.progress_ctx = c;
    return true;
}

bool call_tell(call *c, bool done)
{
    size_t count = c->remark_count;
    c->remark_count = 0;
    for (size_t i = 0; i < count && done; i++)
        done = tell(c, &c->remarks[i]);
    return done;
}

bool call_end(call *c, bool done)
{
    done = call_tell(c, done);
    free(c->remarks);
    pith_buffer_free(&c->read_words);
    pith_buffer_free(&c->write_words);
    Py_XDECREF(c->vocab);
    return done;
}

PyObject *call_keep(PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    Py_ssize_t total = count + (names ? PyTuple_GET_SIZE(names) : 0);
    PyObject *kept = PyTuple_New(total);
    for (Py_ssize_t i = 0; kept && i < total; i++)
        PyTuple_SET_ITEM(kept, i, Py_NewRef(args[i]));
    return kept;
}
