/*
 * pithmodule.c - Python objects to text and back, on nothing but pith.h.
 *
 * A prototype to measure with: it shows what the batches of pith.h are worth, and how a
 * binding uses them. It is no package: bench/python/run builds it and compares.
 *
 *     dumps(value, format) -> bytes      dicts become cells, 512 at a time
 *     loads(bytes, format) -> value      events become objects, 256 at a time
 *
 * Keys are the same few strings over and over. On the way out a dict is compared with the
 * one before it that began with the same key: by the addresses of its keys, for Python
 * shares them. On the way in the keys of a shape are made once.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "pith.h"

#include <math.h>

enum { CELLS = 512, EVENTS = 256, WIDTH_MOST = 256, KNOWN = 256 };

static PyObject *fail(const pith_error *err)
{
    if (err->status == PITH_NO_MEMORY)
        return PyErr_NoMemory();
    if (err->line)
        PyErr_Format(PyExc_ValueError, "line %zu, column %zu: %s", err->line, err->column,
                     err->message);
    else
        PyErr_SetString(PyExc_ValueError, err->message);
    return NULL;
}

/* ------------------------------------------------------------------------- dumps */

typedef struct known_keys {
    PyObject **keys; /* owned */
    Py_ssize_t count;
    uint32_t shape;
} known_keys;

typedef struct dumper {
    pith_doc *doc;
    size_t count;
    pith_cell cells[CELLS];
    known_keys known[KNOWN];
} dumper;

static void flush_cells(dumper *d)
{
    pith_doc_add_cells(d->doc, d->cells, d->count);
    d->count = 0;
}

static inline pith_cell *next_cell(dumper *d, pith_cell_kind kind)
{
    if (d->count == CELLS)
        flush_cells(d);
    pith_cell *cell = &d->cells[d->count++];
    cell->kind = (uint8_t)kind;
    cell->flags = 0;
    return cell;
}

static inline bool add_text(dumper *d, PyObject *text, pith_cell_kind kind)
{
    pith_cell *cell = next_cell(d, kind);
    Py_ssize_t len;
    if (PyUnicode_IS_COMPACT_ASCII(text)) {
        len = PyUnicode_GET_LENGTH(text);
        cell->u.text = (const char *)PyUnicode_1BYTE_DATA(text);
    } else {
        cell->u.text = PyUnicode_AsUTF8AndSize(text, &len);
        if (!cell->u.text)
            return false;
    }
    if ((uint64_t)len > UINT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "a text of 4 GiB or more");
        return false;
    }
    cell->flags = PITH_CELL_TRUSTED;
    cell->len = (uint32_t)len;
    return true;
}

/* An integer beyond 64 bits is its digits, which go at once: nobody keeps them. */
static bool add_long_digits(dumper *d, PyObject *number)
{
    PyObject *digits = PyNumber_ToBase(number, 10);
    if (!digits)
        return false;
    bool done = add_text(d, digits, PITH_CELL_DIGITS);
    flush_cells(d);
    Py_DECREF(digits);
    return done;
}

static inline bool add_long(dumper *d, PyObject *number)
{
    int overflow = 0;
    long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow)
        return add_long_digits(d, number);
    next_cell(d, PITH_CELL_INT64)->u.integer = value;
    return true;
}

static bool add_object(dumper *d, PyObject *object);

static bool add_list(dumper *d, PyObject *list)
{
    Py_ssize_t count = PySequence_Fast_GET_SIZE(list);
    next_cell(d, PITH_CELL_ARRAY);
    for (Py_ssize_t i = 0; i < count; i++)
        if (!add_object(d, PySequence_Fast_GET_ITEM(list, i)))
            return false;
    next_cell(d, PITH_CELL_CLOSE);
    return true;
}

static void forget_keys(known_keys *known)
{
    for (Py_ssize_t i = 0; i < known->count; i++)
        Py_DECREF(known->keys[i]);
    PyMem_Free(known->keys);
    memset(known, 0, sizeof *known);
}

/* Makes a shape of the keys; false with an exception set. Where there is no room for a
 * shape, it is 0. */
static bool learn_keys(dumper *d, known_keys *known, PyObject **keys, Py_ssize_t count)
{
    pith_text texts[WIDTH_MOST];
    forget_keys(known);
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_ssize_t len;
        if (!PyUnicode_Check(keys[i])) {
            PyErr_SetString(PyExc_TypeError, "keys must be str");
            return false;
        }
        texts[i].ptr = PyUnicode_AsUTF8AndSize(keys[i], &len);
        texts[i].len = (size_t)len;
        if (!texts[i].ptr)
            return false;
    }
    known->keys = PyMem_Malloc((size_t)count * sizeof *keys);
    if (!known->keys)
        return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < count; i++)
        known->keys[i] = Py_NewRef(keys[i]);
    known->count = count;
    known->shape = pith_doc_shape(d->doc, texts, (size_t)count);
    return true;
}

static bool add_with_keys(dumper *d, PyObject *dict)
{
    Py_ssize_t at = 0;
    PyObject *key;
    PyObject *value;
    next_cell(d, PITH_CELL_OBJECT);
    while (PyDict_Next(dict, &at, &key, &value)) {
        if (!PyUnicode_Check(key)) {
            PyErr_SetString(PyExc_TypeError, "keys must be str");
            return false;
        }
        if (!add_text(d, key, PITH_CELL_KEY) || !add_object(d, value))
            return false;
    }
    next_cell(d, PITH_CELL_CLOSE);
    return true;
}

static bool add_dict(dumper *d, PyObject *dict)
{
    PyObject *keys[WIDTH_MOST];
    PyObject *values[WIDTH_MOST];
    Py_ssize_t count = PyDict_GET_SIZE(dict);
    Py_ssize_t at = 0;
    if (count == 0 || count > WIDTH_MOST)
        return add_with_keys(d, dict);
    PyDict_Next(dict, &at, &keys[0], &values[0]);
    known_keys *known =
        &d->known[((uintptr_t)keys[0] / 64 + (uintptr_t)count * 7) % KNOWN];
    bool same = known->count == count && known->keys[0] == keys[0];
    for (Py_ssize_t i = 1; i < count; i++) {
        PyDict_Next(dict, &at, &keys[i], &values[i]);
        same = same && known->keys[i] == keys[i];
    }
    if (!same && !learn_keys(d, known, keys, count))
        return false;
    if (known->shape == 0)
        return add_with_keys(d, dict);
    next_cell(d, PITH_CELL_SHAPED)->u.natural = known->shape;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!add_object(d, values[i]))
            return false;
    return true;
}

static bool add_container(dumper *d, PyObject *object)
{
    if (Py_EnterRecursiveCall(" while a value is written"))
        return false;
    bool done = PyDict_Check(object) ? add_dict(d, object) : add_list(d, object);
    Py_LeaveRecursiveCall();
    return done;
}

static inline bool add_object(dumper *d, PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    if (type == &PyUnicode_Type)
        return add_text(d, object, PITH_CELL_TEXT);
    if (type == &PyLong_Type)
        return add_long(d, object);
    if (type == &PyFloat_Type) {
        double number = PyFloat_AS_DOUBLE(object);
        if (isfinite(number))
            next_cell(d, PITH_CELL_DOUBLE)->u.number = number;
        else
            next_cell(d, PITH_CELL_NULL); /* as orjson does */
        return true;
    }
    if (object == Py_None || object == Py_True || object == Py_False) {
        next_cell(d, object == Py_None   ? PITH_CELL_NULL
                     : object == Py_True ? PITH_CELL_TRUE
                                         : PITH_CELL_FALSE);
        return true;
    }
    if (type == &PyDict_Type || type == &PyList_Type || type == &PyTuple_Type)
        return add_container(d, object);
    PyErr_Format(PyExc_TypeError, "%s cannot be written", type->tp_name);
    return false;
}

/* A sink that grows a bytes object, so that the result is not copied once more. */
typedef struct bytes_sink {
    PyObject *bytes;
    size_t len;
} bytes_sink;

static pith_status write_bytes(void *ctx, const char *data, size_t len)
{
    bytes_sink *sink = ctx;
    size_t room = (size_t)PyBytes_GET_SIZE(sink->bytes);
    if (len > room - sink->len &&
        _PyBytes_Resize(&sink->bytes, (Py_ssize_t)((sink->len + len) * 2)) != 0)
        return PITH_NO_MEMORY;
    memcpy(PyBytes_AS_STRING(sink->bytes) + sink->len, data, len);
    sink->len += len;
    return PITH_OK;
}

static PyObject *write_doc(const pith_doc *doc, const char *format)
{
    bytes_sink to = {PyBytes_FromStringAndSize(NULL, 4096), 0};
    pith_sink sink = {write_bytes, &to};
    pith_error err;
    if (!to.bytes)
        return NULL;
    if (pith_value_write(pith_doc_root(doc), format, NULL, sink, &err) != PITH_OK) {
        Py_XDECREF(to.bytes);
        return PyErr_Occurred() ? NULL : fail(&err);
    }
    _PyBytes_Resize(&to.bytes, (Py_ssize_t)to.len);
    return to.bytes;
}

static PyObject *dumps(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    pith_error err;
    PyObject *result = NULL;
    const char *format = count == 2 ? PyUnicode_AsUTF8(args[1]) : NULL;
    if (!format)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "value, format");
    dumper *d = PyMem_Calloc(1, sizeof *d);
    if (!d)
        return PyErr_NoMemory();
    d->doc = pith_doc_new(NULL);
    if (d->doc && add_object(d, args[0])) {
        flush_cells(d);
        if (pith_doc_finish(d->doc, &err) == PITH_OK)
            result = write_doc(d->doc, format);
        else
            fail(&err);
    } else if (!d->doc) {
        PyErr_NoMemory();
    }
    for (size_t i = 0; i < KNOWN; i++)
        forget_keys(&d->known[i]);
    pith_doc_free(d->doc);
    PyMem_Free(d);
    return result;
}

/* ------------------------------------------------------------------------- loads */

/* A container that is being filled. */
typedef struct level {
    PyObject *container;
    PyObject **keys; /* of a dict: those of the next values */
    PyObject *list;  /* of keys that no shape keeps, or NULL */
    Py_ssize_t at;
    Py_ssize_t count;
} level;

typedef struct loader {
    pith_doc *doc;
    pith_walk walk;
    PyObject **shapes; /* tuples of keys, by shape */
    size_t shape_count;
    level *levels;
    size_t depth;
    size_t room;
    PyObject *root;
} loader;

static PyObject *make_keys(loader *l, const pith_event *event)
{
    size_t count = pith_walk_keys(&l->walk, event, NULL, 0);
    pith_text *texts = PyMem_Malloc((count + 1) * sizeof *texts);
    PyObject *keys = PyTuple_New((Py_ssize_t)count);
    if (!texts || !keys) {
        PyMem_Free(texts);
        Py_XDECREF(keys);
        return PyErr_NoMemory();
    }
    pith_walk_keys(&l->walk, event, texts, count);
    for (size_t i = 0; i < count && keys; i++) {
        PyObject *key =
            PyUnicode_DecodeUTF8(texts[i].ptr, (Py_ssize_t)texts[i].len, NULL);
        if (key) {
            PyUnicode_InternInPlace(&key);
            PyObject_Hash(key);
            PyTuple_SET_ITEM(keys, (Py_ssize_t)i, key);
        } else {
            Py_CLEAR(keys);
        }
    }
    PyMem_Free(texts);
    return keys;
}

/* The keys of an object: remembered, or in `*owned`. */
static PyObject *find_keys(loader *l, const pith_event *event, PyObject **owned)
{
    *owned = NULL;
    if (event->shape == 0)
        return *owned = make_keys(l, event);
    if (event->shape >= l->shape_count) {
        size_t count = (size_t)event->shape * 2 + 64;
        PyObject **grown = PyMem_Realloc(l->shapes, count * sizeof *grown);
        if (!grown)
            return PyErr_NoMemory();
        memset(grown + l->shape_count, 0, (count - l->shape_count) * sizeof *grown);
        l->shapes = grown;
        l->shape_count = count;
    }
    if (!l->shapes[event->shape])
        l->shapes[event->shape] = make_keys(l, event);
    return l->shapes[event->shape];
}

static bool push(loader *l, level opened)
{
    if (l->depth == l->room) {
        size_t room = l->room * 2 + 32;
        level *grown = PyMem_Realloc(l->levels, room * sizeof *grown);
        if (!grown)
            return PyErr_NoMemory() != NULL;
        l->levels = grown;
        l->room = room;
    }
    l->levels[l->depth++] = opened;
    return true;
}

static PyObject *make_text(const pith_event *event)
{
    Py_ssize_t len = (Py_ssize_t)event->len;
    if (!(event->flags & PITH_EVENT_ASCII) || len < 2)
        return PyUnicode_DecodeUTF8(event->u.text, len, NULL);
    PyObject *text = PyUnicode_New(len, 127);
    if (text)
        memcpy(PyUnicode_1BYTE_DATA(text), event->u.text, event->len);
    return text;
}

static PyObject *make_big(const pith_event *event)
{
    PyObject *text = PyUnicode_DecodeASCII(event->u.text, (Py_ssize_t)event->len, NULL);
    PyObject *number = text ? PyLong_FromUnicodeObject(text, 10) : NULL;
    Py_XDECREF(text);
    return number;
}

static PyObject *make_container(loader *l, const pith_event *event)
{
    level opened = {.count = (Py_ssize_t)event->len};
    if (event->kind == PITH_OBJECT) {
        PyObject *keys = find_keys(l, event, &opened.list);
        if (!keys)
            return NULL;
        opened.keys = &PyTuple_GET_ITEM(keys, 0);
        opened.container = _PyDict_NewPresized(opened.count);
    } else {
        opened.container = PyList_New(opened.count);
    }
    if (!opened.container || (opened.count > 0 && !push(l, opened))) {
        Py_XDECREF(opened.list);
        Py_XDECREF(opened.container);
        return NULL;
    }
    if (opened.count == 0)
        Py_XDECREF(opened.list);
    return opened.container;
}

static inline PyObject *make_value(loader *l, const pith_event *event)
{
    switch (event->kind) {
    case PITH_NULL:
        return Py_NewRef(Py_None);
    case PITH_FALSE:
        return Py_NewRef(Py_False);
    case PITH_TRUE:
        return Py_NewRef(Py_True);
    case PITH_INTEGER:
        return event->flags & PITH_EVENT_DIGITS ? make_big(event)
                                                : PyLong_FromLongLong(event->u.integer);
    case PITH_DECIMAL:
        return PyFloat_FromDouble(event->u.number);
    case PITH_STRING:
        return make_text(event);
    default:
        return make_container(l, event);
    }
}

/* Puts the value, which is taken, where it belongs. */
static inline bool put_value(loader *l, level *in, PyObject *value)
{
    if (!in) {
        l->root = value;
        return true;
    }
    Py_ssize_t at = in->at++;
    if (!in->keys) {
        PyList_SET_ITEM(in->container, at, value);
        return true;
    }
    PyObject *key = in->keys[at];
    int failed = _PyDict_SetItem_KnownHash(in->container, key, value,
                                           ((PyASCIIObject *)key)->hash);
    Py_DECREF(value);
    return failed == 0;
}

static bool add_event(loader *l, const pith_event *event)
{
    size_t outer = l->depth;
    PyObject *value = make_value(l, event);
    if (!value || !put_value(l, outer ? &l->levels[outer - 1] : NULL, value))
        return false;
    while (l->depth > 0 && l->levels[l->depth - 1].at == l->levels[l->depth - 1].count) {
        l->depth--;
        Py_XDECREF(l->levels[l->depth].list);
    }
    return true;
}

static bool load_all(loader *l)
{
    pith_event events[EVENTS];
    size_t count;
    pith_walk_begin(&l->walk, pith_doc_root(l->doc), 0);
    while ((count = pith_walk_next(&l->walk, events, EVENTS)) > 0)
        for (size_t i = 0; i < count; i++)
            if (!add_event(l, &events[i]))
                return false;
    return true;
}

static PyObject *loads(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    (void)self;
    pith_error err;
    char *text;
    Py_ssize_t len;
    const char *format = count == 2 ? PyUnicode_AsUTF8(args[1]) : NULL;
    if (!format || PyBytes_AsStringAndSize(args[0], &text, &len) != 0)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "bytes, format");
    loader l = {.doc = pith_doc_parse(format, text, (size_t)len, NULL, &err)};
    if (!l.doc)
        return fail(&err);
    if (!load_all(&l)) {
        for (size_t i = 0; i < l.depth; i++)
            Py_XDECREF(l.levels[i].list);
        Py_CLEAR(l.root);
    }
    for (size_t i = 0; i < l.shape_count; i++)
        Py_XDECREF(l.shapes[i]);
    PyMem_Free(l.shapes);
    PyMem_Free(l.levels);
    pith_doc_free(l.doc);
    return l.root;
}

static PyMethodDef methods[] = {
    {"dumps", (PyCFunction)(void (*)(void))dumps, METH_FASTCALL, "dumps(value, format)"},
    {"loads", (PyCFunction)(void (*)(void))loads, METH_FASTCALL, "loads(bytes, format)"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "pith", .m_size = -1,
                                    .m_methods = methods};

PyMODINIT_FUNC PyInit_pith(void)
{
    return PyModule_Create(&module);
}
