/*
 * load.c - a value of the library as Python objects.
 *
 * Events come in batches, a container before what it holds, and containers that are not full
 * yet are on a stack. Objects with the same keys have the same shape, so the keys of a shape
 * are made once; and the texts of keys are looked up among those read lately.
 */
#include "pithpy.h"

#include <string.h>

enum { EVENTS = 256, KEY_LEN_MOST = 64 };

/* The keys of a shape, a tuple, and once it comes again a dict that has them: copying that
 * and replacing its values is faster than adding members one by one. */
typedef struct known_shape {
    PyObject *keys;
    PyObject *form;
} known_shape;

/* A container that is being filled. */
typedef struct level {
    PyObject *container;
    PyObject **keys; /* of an object: those of the next values */
    PyObject *list;  /* of keys that no shape keeps, or NULL */
    Py_ssize_t at;
    Py_ssize_t count;
} level;

typedef struct loader {
    call *call;
    pith_walk walk;
    known_shape *shapes;
    size_t shape_count;
    level *levels;
    size_t depth;
    size_t room;
    PyObject *root;
} loader;

/* --------------------------------------------------------------------------- keys */

static PyObject *make_ascii_or_not(const char *text, size_t len)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)len, NULL);
}

static inline size_t key_slot(const char *text, size_t len)
{
    uint64_t hash = len;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return (hash ^ (hash >> 32)) % KEYS_KEPT;
}

/* A key as an interned str: one of those read lately, if it is among them. */
static PyObject *make_key(module_state *state, pith_text text)
{
    if (text.len > KEY_LEN_MOST)
        return make_ascii_or_not(text.ptr, text.len);
    PyObject **slot = &state->keys[key_slot(text.ptr, text.len)];
    if (*slot && PyUnicode_IS_COMPACT_ASCII(*slot) &&
        (size_t)PyUnicode_GET_LENGTH(*slot) == text.len &&
        memcmp(PyUnicode_1BYTE_DATA(*slot), text.ptr, text.len) == 0)
        return Py_NewRef(*slot);
    PyObject *key = make_ascii_or_not(text.ptr, text.len);
    if (!key)
        return NULL;
    PyUnicode_InternInPlace(&key);
    Py_XSETREF(*slot, Py_NewRef(key));
    return key;
}

static PyObject *make_keys(loader *l, const pith_event *event)
{
    pith_text few[32];
    size_t count = event->len;
    pith_text *texts = count <= 32 ? few : PyMem_Malloc(count * sizeof *texts);
    PyObject *keys = PyTuple_New((Py_ssize_t)count);
    if (!texts)
        PyErr_NoMemory();
    else if (keys)
        pith_walk_keys(&l->walk, event, texts, count);
    for (size_t i = 0; i < count && texts && keys; i++) {
        PyObject *key = make_key(l->call->state, texts[i]);
        if (!key || PyObject_Hash(key) == -1)
            Py_CLEAR(keys);
        else
            PyTuple_SET_ITEM(keys, (Py_ssize_t)i, key);
    }
    if (texts != few)
        PyMem_Free(texts);
    return texts ? keys : NULL;
}

/* Room for what is known about a shape; false with an exception. */
static bool make_shape_room(loader *l, size_t shape)
{
    size_t count = shape * 2 + 8;
    known_shape *grown = PyMem_Realloc(l->shapes, count * sizeof *grown);
    if (!grown) {
        PyErr_NoMemory();
        return false;
    }
    memset(grown + l->shape_count, 0, (count - l->shape_count) * sizeof *grown);
    l->shapes = grown;
    l->shape_count = count;
    return true;
}

static PyObject *make_form(PyObject *keys)
{
    PyObject *form = PyDict_New();
    for (Py_ssize_t i = 0; form && i < PyTuple_GET_SIZE(keys); i++)
        if (PyDict_SetItem(form, PyTuple_GET_ITEM(keys, i), Py_None) != 0)
            Py_CLEAR(form);
    return form;
}

/* ------------------------------------------------------------------------- values */

static inline PyObject *make_text(const pith_event *event)
{
    Py_ssize_t len = (Py_ssize_t)event->len;
    if (!(event->flags & PITH_EVENT_ASCII) || len < 2)
        return PyUnicode_DecodeUTF8(event->u.text, len, NULL);
    PyObject *text = PyUnicode_New(len, 127);
    if (text)
        memcpy(PyUnicode_1BYTE_DATA(text), event->u.text, event->len);
    return text;
}

/* What JSON has no word for: bytes, and what is no number. */
static PyObject *make_typed(const pith_event *event)
{
    PyObject *text = make_text(event);
    PyObject *made = NULL;
    if (event->type == PITH_TYPE_FLOAT && text)
        made = PyFloat_FromString(text);
    else if (text) {
        PyObject *binascii = PyImport_ImportModule("binascii");
        if (binascii)
            made = PyObject_CallMethod(binascii, "a2b_base64", "s#", event->u.text + 4,
                                       (Py_ssize_t)event->len - 4);
        Py_XDECREF(binascii);
    }
    Py_XDECREF(text);
    return made;
}

static PyObject *make_string(const pith_event *event)
{
    if (event->type == PITH_TYPE_BYTES || event->type == PITH_TYPE_FLOAT)
        return make_typed(event);
    return make_text(event);
}

static PyObject *digits_by(PyObject *function, PyObject *text)
{
    return function ? PyObject_CallOneArg(function, text) : NULL;
}

/* A number by its digits: what a hook makes of them, or the plain kind. */
static PyObject *make_number(loader *l, const pith_event *event)
{
    bool integer = event->kind == PITH_INTEGER;
    PyObject *hook = integer ? l->call->parse_int : l->call->parse_float;
    PyObject *text = PyUnicode_DecodeASCII(event->u.text, (Py_ssize_t)event->len, NULL);
    PyObject *number = NULL;
    if (text && hook)
        number = digits_by(hook, text);
    else if (text)
        number = integer ? PyLong_FromUnicodeObject(text, 10) : PyFloat_FromString(text);
    Py_XDECREF(text);
    return number;
}

/* The next level, empty, and not open yet; NULL with an exception. */
static inline level *next_level(loader *l)
{
    if (l->depth == l->room) {
        size_t room = l->room * 2 + 32;
        level *grown = PyMem_Realloc(l->levels, room * sizeof *grown);
        if (!grown) {
            PyErr_NoMemory();
            return NULL;
        }
        l->levels = grown;
        l->room = room;
    }
    level *next = &l->levels[l->depth];
    next->keys = NULL;
    next->list = NULL;
    next->at = 0;
    return next;
}

/* For object_pairs_hook an object is a list of pairs until it is full. */
static PyObject *new_object(loader *l, Py_ssize_t count)
{
    if (l->call->pairs_hook)
        return PyList_New(count);
#if PY_VERSION_HEX < 0x030D0000
    return _PyDict_NewPresized(count);
#else
    return PyDict_New();
#endif
}

/* An object whose shape is known: NULL with an exception. */
static PyObject *copy_form(loader *l, known_shape *known, Py_ssize_t count)
{
    if (l->call->pairs_hook || count == 0)
        return new_object(l, count);
    if (!known->form)
        known->form = make_form(known->keys);
    return known->form ? PyDict_Copy(known->form) : NULL;
}

static PyObject *make_object(loader *l, const pith_event *event, level *opened)
{
    PyObject *keys;
    PyObject *made = NULL;
    if (event->shape == 0) {
        keys = opened->list = make_keys(l, event);
        made = keys ? new_object(l, opened->count) : NULL;
    } else if (event->shape < l->shape_count && l->shapes[event->shape].keys) {
        keys = l->shapes[event->shape].keys;
        made = copy_form(l, &l->shapes[event->shape], opened->count);
    } else {
        if (event->shape >= l->shape_count && !make_shape_room(l, event->shape))
            return NULL;
        keys = l->shapes[event->shape].keys = make_keys(l, event);
        made = keys ? new_object(l, opened->count) : NULL;
    }
    if (keys)
        opened->keys = &PyTuple_GET_ITEM(keys, 0);
    return made;
}

static PyObject *make_container(loader *l, const pith_event *event)
{
    level *opened = next_level(l);
    if (!opened)
        return NULL;
    opened->count = (Py_ssize_t)event->len;
    opened->container = event->kind == PITH_OBJECT ? make_object(l, event, opened)
                                                   : PyList_New(opened->count);
    if (opened->container)
        l->depth++;
    else
        Py_CLEAR(opened->list);
    return opened->container;
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
        return event->flags & PITH_EVENT_DIGITS ? make_number(l, event)
                                                : PyLong_FromLongLong(event->u.integer);
    case PITH_DECIMAL:
        return event->flags & PITH_EVENT_DIGITS ? make_number(l, event)
                                                : PyFloat_FromDouble(event->u.number);
    case PITH_STRING:
        return event->type ? make_string(event) : make_text(event);
    default:
        return make_container(l, event);
    }
}

static inline bool put_member(loader *l, level *in, PyObject *key, PyObject *value)
{
    if (l->call->pairs_hook) {
        PyObject *pair = PyTuple_Pack(2, key, value);
        Py_DECREF(value);
        if (pair)
            PyList_SET_ITEM(in->container, in->at - 1, pair);
        return pair != NULL;
    }
#if PY_VERSION_HEX < 0x030D0000
    int failed = _PyDict_SetItem_KnownHash(in->container, key, value,
                                           ((PyASCIIObject *)key)->hash);
#else
    int failed = PyDict_SetItem(in->container, key, value);
#endif
    Py_DECREF(value);
    return failed == 0;
}

/* Puts the value, which is taken, where it belongs. */
static inline bool put_value(loader *l, PyObject *value)
{
    if (l->depth == 0) {
        l->root = value;
        return true;
    }
    level *in = &l->levels[l->depth - 1];
    Py_ssize_t at = in->at++;
    if (in->keys)
        return put_member(l, in, in->keys[at], value);
    PyList_SET_ITEM(in->container, at, value);
    return true;
}

/* Puts the containers that are full where they belong. */
static bool close_full(loader *l)
{
    while (l->depth > 0 && l->levels[l->depth - 1].at == l->levels[l->depth - 1].count) {
        level full = l->levels[--l->depth];
        Py_XDECREF(full.list);
        if (full.keys && l->call->pairs_hook)
            Py_SETREF(full.container,
                      PyObject_CallOneArg(l->call->pairs_hook, full.container));
        if (!full.container || !put_value(l, full.container))
            return false;
    }
    return true;
}

static inline bool add_event(loader *l, const pith_event *event)
{
    size_t depth = l->depth;
    PyObject *value = make_value(l, event);
    if (!value)
        return false;
    if (l->depth == depth && !put_value(l, value))
        return false;
    level *in = l->depth > 0 ? &l->levels[l->depth - 1] : NULL;
    return !in || in->at < in->count || close_full(l);
}

static bool load_all(loader *l, pith_value value)
{
    pith_event events[EVENTS];
    size_t count;
    bool digits = l->call->parse_float || l->call->parse_int;
    pith_walk_begin(&l->walk, value, digits ? PITH_WALK_DIGITS : 0);
    while ((count = pith_walk_next(&l->walk, events, EVENTS)) > 0) {
        for (size_t i = 0; i < count; i++)
            if (!add_event(l, &events[i]))
                return false;
        if (PyErr_CheckSignals() != 0)
            return false;
    }
    return true;
}

PyObject *load_value(call *c, pith_value value)
{
    loader l = {.call = c};
    if (!load_all(&l, value))
        Py_CLEAR(l.root);
    while (l.depth > 0) {
        l.depth--;
        Py_XDECREF(l.levels[l.depth].list);
        Py_XDECREF(l.levels[l.depth].container);
    }
    for (size_t i = 0; i < l.shape_count; i++) {
        Py_XDECREF(l.shapes[i].keys);
        Py_XDECREF(l.shapes[i].form);
    }
    PyMem_Free(l.shapes);
    PyMem_Free(l.levels);
    return l.root;
}
