/*
 * text.c - dumps, loads, convert, check: objects and texts, whole.
 */
#include "pithpy.h"

#include <string.h>

/* Below so many bytes a call is over before another thread would get the GIL. */
enum { SHORT_TEXT = 4096, FEW_CELLS_BYTES = 65536 };

PyObject *text_object(const char *data, size_t len, bool bytes)
{
    if (bytes)
        return PyBytes_FromStringAndSize(data, (Py_ssize_t)len);
    return PyUnicode_DecodeUTF8(data, (Py_ssize_t)len, NULL);
}

/* Mutable bytes are copied: another thread could change them. */
static bool copy_of(PyObject *object, pith_text *text, PyObject **kept)
{
    *kept = PyBytes_FromObject(object);
    if (!*kept) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            PyErr_Format(PyExc_TypeError, "a text is a str or bytes, not %s",
                         Py_TYPE(object)->tp_name);
        return false;
    }
    text->ptr = PyBytes_AS_STRING(*kept);
    text->len = (size_t)PyBytes_GET_SIZE(*kept);
    return true;
}

static bool str_text(PyObject *object, pith_text *text, PyObject **kept)
{
    Py_ssize_t len = PyUnicode_GET_LENGTH(object);
    if (PyUnicode_IS_COMPACT_ASCII(object)) {
        text->ptr = (const char *)PyUnicode_1BYTE_DATA(object);
    } else if (len <= SHORT_TEXT) {
        text->ptr = PyUnicode_AsUTF8AndSize(object, &len); /* which the str then keeps */
        if (!text->ptr)
            return false;
    } else {
        *kept = PyUnicode_AsUTF8String(object);
        if (!*kept)
            return false;
        text->ptr = PyBytes_AS_STRING(*kept);
        len = PyBytes_GET_SIZE(*kept);
    }
    text->len = (size_t)len;
    return true;
}

bool text_of(PyObject *object, pith_text *text, PyObject **kept)
{
    *kept = NULL;
    if (PyUnicode_Check(object))
        return str_text(object, text, kept);
    if (PyBytes_Check(object)) {
        text->ptr = PyBytes_AS_STRING(object);
        text->len = (size_t)PyBytes_GET_SIZE(object);
        return true;
    }
    if (PyByteArray_Check(object) || PyMemoryView_Check(object))
        return copy_of(object, text, kept);
    PyErr_Format(PyExc_TypeError, "a text is a str or bytes, not %s",
                 Py_TYPE(object)->tp_name);
    return false;
}

/* ------------------------------------------------------------------------- dumps */

static bool is_binary(const char *format)
{
    const pith_format *known = format ? pith_format_find(format) : NULL;
    return known && known->binary;
}

/* A part of the value: selecting is done by reading, so it goes by way of JSON. */
static pith_status write_part(call *c, scratch *s, pith_value value, pith_error *err)
{
    pith_buffer json = {0};
    pith_options plain = {.progress = call_progress, .progress_ctx = c};
    pith_status status =
        pith_value_write(value, "json", &plain, pith_sink_buffer(&json), err);
    if (status == PITH_OK)
        status = pith_convert("json", c->format, json.data, json.len, &c->options,
                              pith_sink_buffer(&s->out), err);
    pith_buffer_free(&json);
    return status;
}

static bool write_value(call *c, scratch *s, pith_value value)
{
    pith_error err = {0};
    bool long_one = s->doc_bytes > FEW_CELLS_BYTES;
    if (long_one)
        call_release(c);
    pith_status status = c->options.read
                             ? write_part(c, s, value, &err)
                             : pith_value_write(value, c->format, &c->options,
                                                pith_sink_buffer(&s->out), &err);
    if (long_one)
        call_acquire(c);
    if (status != PITH_OK)
        raise_error(c->state, &err);
    return status == PITH_OK;
}

/* Tables of Arrow go straight to the library, unless a part of them is wanted. */
static bool write_object(call *c, scratch *s, PyObject *object)
{
    pith_value value;
    int arrow = c->options.read ? ARROW_NONE : arrow_kind(object);
    if (arrow != ARROW_NONE) {
        bool done = arrow_write(c, object, arrow, pith_sink_buffer(&s->out));
        if (done || !PyErr_ExceptionMatches(PyExc_ImportError))
            return done;
        PyErr_Clear(); /* pandas needs pyarrow for it: the columns will do */
    }
    return dump_value(c, s, object, &value) && write_value(c, s, value);
}

/* (text, format, tokens, json_tokens, rows, rows_left_out) */
static PyObject *told(const call *c, PyObject *text)
{
    if (!text)
        return NULL;
    const pith_outcome *outcome = &c->outcome;
    return Py_BuildValue("(Nsnnnn)", text, outcome->format ? outcome->format : "",
                         (Py_ssize_t)outcome->tokens, (Py_ssize_t)outcome->json_tokens,
                         (Py_ssize_t)outcome->rows, (Py_ssize_t)outcome->rows_left_out);
}

typedef enum dump_form { FORM_STR, FORM_BYTES, FORM_TOLD } dump_form;

static PyObject *dump_text_object(call *c, PyObject *object, dump_form form)
{
    PyObject *text = NULL;
    scratch *s = scratch_take(c->state, c->options.depth_max);
    if (!s)
        return NULL;
    if (form == FORM_STR && is_binary(c->format))
        PyErr_Format(PyExc_TypeError, "%s is bytes: use dumpb", c->format);
    else if (write_object(c, s, object))
        text = text_object(s->out.data, s->out.len,
                           form == FORM_BYTES || is_binary(c->format));
    if (form == FORM_TOLD)
        text = told(c, text);
    scratch_give(c->state, s);
    return text;
}

static PyObject *dump_as(PyObject *module, PyObject *const *args, Py_ssize_t count,
                         PyObject *names, dump_form form)
{
    call c;
    PyObject *result = NULL;
    if (call_begin(&c, state_of(module), "auto", args, count, names,
                   TAKES_FORMAT | TAKES_DEFAULT | TAKES_SELECT))
        result = dump_text_object(&c, args[0], form);
    if (!call_end(&c, result != NULL))
        Py_CLEAR(result);
    return result;
}

static PyObject *dumps(PyObject *module, PyObject *const *args, Py_ssize_t count,
                       PyObject *names)
{
    return dump_as(module, args, count, names, FORM_STR);
}

static PyObject *dumpb(PyObject *module, PyObject *const *args, Py_ssize_t count,
                       PyObject *names)
{
    return dump_as(module, args, count, names, FORM_BYTES);
}

static PyObject *dump_told(PyObject *module, PyObject *const *args, Py_ssize_t count,
                           PyObject *names)
{
    return dump_as(module, args, count, names, FORM_TOLD);
}

/* ------------------------------------------------------------------------- loads */

static PyObject *load_text(call *c, pith_text text)
{
    pith_error err = {0};
    PyObject *result = NULL;
    scratch *s = scratch_take(c->state, c->options.depth_max);
    if (!s)
        return NULL;
    if (text.len > SHORT_TEXT)
        call_release(c);
    pith_status status =
        pith_doc_read(s->doc, c->format, text.ptr, text.len, &c->options, &err);
    if (c->released)
        call_acquire(c);
    if (status == PITH_OK)
        result = load_value(c, pith_doc_root(s->doc));
    else
        raise_error(c->state, &err);
    scratch_give(c->state, s);
    return result;
}

static PyObject *loads(PyObject *module, PyObject *const *args, Py_ssize_t count,
                       PyObject *names)
{
    call c;
    PyObject *kept;
    PyObject *result = NULL;
    pith_text text;
    if (call_begin(&c, state_of(module), NULL, args, count, names,
                   TAKES_FORMAT | TAKES_READ | TAKES_HOOKS) &&
        text_of(args[0], &text, &kept)) {
        result = load_text(&c, text);
        Py_XDECREF(kept);
    }
    if (!call_end(&c, result != NULL))
        Py_CLEAR(result);
    return result;
}

/* ----------------------------------------------------------------------- convert */

static PyObject *convert_text(call *c, pith_text text, dump_form form)
{
    pith_error err = {0};
    pith_buffer out = {0};
    PyObject *result = NULL;
    if (text.len > SHORT_TEXT)
        call_release(c);
    pith_status status = pith_convert(c->from, c->format, text.ptr, text.len, &c->options,
                                      pith_sink_buffer(&out), &err);
    if (c->released)
        call_acquire(c);
    if (status == PITH_OK)
        result = text_object(out.data, out.len, is_binary(c->format));
    else
        raise_error(c->state, &err);
    pith_buffer_free(&out);
    return form == FORM_TOLD ? told(c, result) : result;
}

static PyObject *convert_as(PyObject *module, PyObject *const *args, Py_ssize_t count,
                            PyObject *names, dump_form form)
{
    call c;
    PyObject *kept;
    PyObject *result = NULL;
    pith_text text;
    if (call_begin(&c, state_of(module), "auto", args, count, names,
                   TAKES_BOTH | TAKES_SELECT) &&
        text_of(args[0], &text, &kept)) {
        result = convert_text(&c, text, form);
        Py_XDECREF(kept);
    }
    if (!call_end(&c, result != NULL))
        Py_CLEAR(result);
    return result;
}

static PyObject *convert(PyObject *module, PyObject *const *args, Py_ssize_t count,
                         PyObject *names)
{
    return convert_as(module, args, count, names, FORM_STR);
}

static PyObject *convert_told(PyObject *module, PyObject *const *args, Py_ssize_t count,
                              PyObject *names)
{
    return convert_as(module, args, count, names, FORM_TOLD);
}

/* ------------------------------------------------------------------------- check */

enum { PROBLEMS_MOST = 1000 };

/* Problems are found without the GIL, and become objects afterwards. */
typedef struct problem_list {
    pith_error *problems;
    size_t count;
} problem_list;

static bool keep_problem(void *ctx, const pith_error *problem)
{
    problem_list *list = ctx;
    list->problems[list->count++] = *problem;
    return list->count < PROBLEMS_MOST;
}

static PyObject *problem_objects(module_state *state, const problem_list *found)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < found->count; i++) {
        PyObject *error = error_object(state, &found->problems[i]);
        if (!error || PyList_Append(list, error) != 0)
            Py_CLEAR(list);
        Py_XDECREF(error);
    }
    return list;
}

static PyObject *check_text(call *c, pith_text text)
{
    pith_error err = {0};
    problem_list found = {calloc(PROBLEMS_MOST, sizeof(pith_error)), 0};
    if (!found.problems)
        return PyErr_NoMemory();
    call_release(c);
    pith_status status = pith_check(c->format, text.ptr, text.len, &c->options,
                                    keep_problem, &found, &err);
    call_acquire(c);
    PyObject *list = NULL;
    if (status != PITH_OK && found.count == 0)
        raise_error(c->state, &err);
    else if (!PyErr_Occurred())
        list = problem_objects(c->state, &found);
    free(found.problems);
    return list;
}

static PyObject *check(PyObject *module, PyObject *const *args, Py_ssize_t count,
                       PyObject *names)
{
    call c;
    PyObject *kept;
    PyObject *result = NULL;
    pith_text text;
    if (call_begin(&c, state_of(module), NULL, args, count, names,
                   TAKES_FORMAT | TAKES_READ) &&
        text_of(args[0], &text, &kept)) {
        result = check_text(&c, text);
        Py_XDECREF(kept);
    }
    if (!call_end(&c, result != NULL))
        Py_CLEAR(result);
    return result;
}

/* ----------------------------------------------------------------------- formats */

static PyObject *setting_object(const pith_setting *setting)
{
    static const char *const TYPES[] = {"bool", "number", "choice", "text"};
    return Py_BuildValue(
        "{ss,ss,si,sz,sK,sK,sz,ss}", "word", setting->word, "type", TYPES[setting->type],
        "direction", (int)setting->direction, "choices", setting->choices, "min",
        (unsigned long long)setting->min, "max", (unsigned long long)setting->max,
        "default", setting->default_value, "help", setting->help);
}

static bool append_setting(PyObject *list, const pith_setting *setting)
{
    PyObject *made = setting_object(setting);
    bool done = made && PyList_Append(list, made) == 0;
    Py_XDECREF(made);
    return done;
}

static PyObject *format_object(const pith_format *format)
{
    PyObject *settings = PyList_New(0);
    for (size_t i = 0; settings && i < format->setting_count; i++)
        if (!append_setting(settings, &format->settings[i]))
            Py_CLEAR(settings);
    if (!settings)
        return NULL;
    return Py_BuildValue("{ss,ss,ss,ss,sO,sO,sO,sO,sO,sN}", "name", format->name,
                         "suffixes", format->suffixes, "media_type", format->media_type,
                         "summary", format->summary, "reads",
                         format->direction & PITH_READ ? Py_True : Py_False, "writes",
                         format->direction & PITH_WRITE ? Py_True : Py_False, "binary",
                         format->binary ? Py_True : Py_False, "exchange",
                         format->exchange ? Py_True : Py_False, "chooses",
                         format->chooses ? Py_True : Py_False, "settings", settings);
}

/* (formats, settings that all of them know) */
static PyObject *formats(PyObject *module, PyObject *none)
{
    (void)module;
    (void)none;
    PyObject *list = PyList_New(0);
    PyObject *common = PyList_New(0);
    const pith_format *format;
    const pith_setting *setting;
    bool done = list && common;
    for (size_t i = 0; done && (format = pith_format_at(i)); i++) {
        PyObject *made = format_object(format);
        done = made && PyList_Append(list, made) == 0;
        Py_XDECREF(made);
    }
    for (size_t i = 0; done && (setting = pith_setting_common(i)); i++)
        done = append_setting(common, setting);
    if (done)
        return Py_BuildValue("(NN)", list, common);
    Py_XDECREF(list);
    Py_XDECREF(common);
    return NULL;
}

/* format_of(path, text): by name and content; either may be None. */
static PyObject *format_of(PyObject *module, PyObject *args)
{
    (void)module;
    const char *path;
    PyObject *object;
    PyObject *kept = NULL;
    pith_text text = {"", 0};
    if (!PyArg_ParseTuple(args, "zO", &path, &object) ||
        (object != Py_None && !text_of(object, &text, &kept)))
        return NULL;
    const pith_format *format = pith_format_of(path, text.ptr, text.len);
    Py_XDECREF(kept);
    return format ? PyUnicode_FromString(format->name) : Py_NewRef(Py_None);
}

/* unpack(data): what is in a frame of ZSTD, LZ4 or gzip; other bytes are themselves */
static PyObject *unpack(PyObject *module, PyObject *data)
{
    pith_text text;
    PyObject *kept;
    pith_error err = {0};
    pith_buffer out = {0};
    if (!text_of(data, &text, &kept))
        return NULL;
    PyObject *made = NULL;
    if (!pith_packing(NULL, text.ptr, text.len))
        made = Py_NewRef(data);
    else if (pith_unpack(text.ptr, text.len, NULL, pith_sink_buffer(&out), &err) !=
             PITH_OK)
        raise_error(state_of(module), &err);
    else
        made = PyBytes_FromStringAndSize(out.data, (Py_ssize_t)out.len);
    pith_buffer_free(&out);
    Py_XDECREF(kept);
    return made;
}

/* pack_for(path, data): the bytes as a frame, where the suffix of the path says so */
static PyObject *pack_for(PyObject *module, PyObject *args)
{
    const char *path;
    Py_buffer data;
    pith_error err = {0};
    pith_buffer out = {0};
    if (!PyArg_ParseTuple(args, "sy*", &path, &data))
        return NULL;
    const char *packing = pith_packing(path, NULL, 0);
    if (!packing) {
        PyBuffer_Release(&data);
        return Py_NewRef(PyTuple_GET_ITEM(args, 1));
    }
    pith_packer *packer = pith_packer_open(packing, NULL, pith_sink_buffer(&out), &err);
    pith_status status = packer ? PITH_OK : err.status;
    if (packer) {
        pith_sink sink = pith_packer_sink(packer);
        sink.write(sink.ctx, data.buf, (size_t)data.len); /* closing tells what failed */
        status = pith_packer_close(packer, &err);
    }
    PyObject *made = status == PITH_OK
                         ? PyBytes_FromStringAndSize(out.data, (Py_ssize_t)out.len)
                         : raise_error(state_of(module), &err);
    pith_buffer_free(&out);
    PyBuffer_Release(&data);
    return made;
}

#define KEYWORDS(function)                                                               \
    (PyCFunction)(void (*)(void)) function, METH_FASTCALL | METH_KEYWORDS

PyMethodDef text_methods[] = {
    {"dumps", KEYWORDS(dumps),
     "dumps($module, /, obj, format='auto', **settings)\n--\n\nThe object as text."},
    {"dumpb", KEYWORDS(dumpb),
     "dumpb($module, /, obj, format='auto', **settings)\n--\n\nThe object as UTF-8, or as the "
     "bytes of a binary format."},
    {"dump_told", KEYWORDS(dump_told), NULL},
    {"loads", KEYWORDS(loads),
     "loads($module, /, text, format=None, **settings)\n--\n\nThe object that a text or bytes say; "
     "without a format the content decides."},
    {"convert", KEYWORDS(convert),
     "convert($module, /, text, to='auto', from_=None, **settings)\n--\n\nA text in another format."},
    {"convert_told", KEYWORDS(convert_told), NULL},
    {"check", KEYWORDS(check),
     "check($module, /, text, format=None, **settings)\n--\n\nEvery problem in a text."},
    {"formats", formats, METH_NOARGS, NULL},
    {"format_of", format_of, METH_VARARGS, NULL},
    {"unpack", unpack, METH_O, NULL},
    {"pack_for", pack_for, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
