/*
 * dump.c - Python objects to cells, which the library takes many at a time.
 *
 * The walk does not recurse: the containers that are open are on a stack of frames. A dict
 * is taken apart at once: its values wait on a stack of their own, in order. Where a dict
 * has the same keys as one before it, it is written as a shape and its values. Keys are
 * compared by their addresses, for Python shares them; a list of keys is learned when it
 * comes the second time.
 *
 *     frames   [list 3/10] [dict: values 4..7]
 *     values   ... | "Ada" 7 None          borrowed from the dict, until pinned
 *     cells    SHAPED 1, TEXT "Ada", ...   texts borrowed from the str objects
 *
 * All this is borrowed, which is safe while no code of Python runs: not a property, not a
 * `default`, not a signal's handler. Before any of that, dump_enter_python sends the cells
 * and takes references to the values that wait (`pinned` of them have one). A reference that
 * is no longer needed waits in `dead` until cells have been sent, for its text may be in
 * one, and is given up between two objects: that runs code, too.
 */
#include "pithpy.h"

#include <math.h>
#include <string.h>

void dumper_begin(dumper *d, call *c, scratch *s)
{
    memset(d, 0, sizeof *d);
    d->call = c;
    d->s = s;
    d->depth_max = c->options.depth_max ? c->options.depth_max : PITH_DEPTH_DEFAULT;
    s->cell_count = s->text_len = 0;
    s->flushes = 0;
    if (++s->round == 0) {
        memset(s->known, 0, sizeof s->known);
        s->round = 1;
    }
}

static void pin_values(scratch *s)
{
    for (; s->pinned < s->values.count; s->pinned++)
        Py_INCREF(s->values.items[s->pinned]);
}

static void bury(scratch *s)
{
    pin_values(s);
    while (s->dead.count > 0)
        Py_DECREF(s->dead.items[--s->dead.count]);
}

static bool send_cells(dumper *d)
{
    scratch *s = d->s;
    size_t count = s->cell_count;
    pith_error err = {0};
    s->cell_count = s->text_len = 0;
    if (!d->target.add) {
        pith_doc_add_cells(s->doc, s->cells, count);
        return true;
    }
    if (count == 0 || d->target.add(d->target.ctx, s->cells, count, &err) == PITH_OK)
        return true;
    raise_error(d->call->state, &err);
    return false;
}

bool dump_flush(dumper *d)
{
    d->s->flushes++;
    return send_cells(d);
}

bool dump_enter_python(dumper *d)
{
    if (d->s->cell_count > 0 && !dump_flush(d))
        return false;
    pin_values(d->s);
    return true;
}

/* Now and then, when nothing is borrowed: gives up what is dead, looks at signals. */
static bool take_breath(dumper *d)
{
    if (!dump_enter_python(d))
        return false;
    bury(d->s);
    d->s->flushes = 0;
    return PyErr_CheckSignals() == 0;
}

static inline bool has_room(dumper *d)
{
    return d->s->cell_count < CELLS || dump_flush(d);
}

/* The next cell, for which there has to be room. */
static inline pith_cell *put_cell(dumper *d, pith_cell_kind kind)
{
    pith_cell *cell = &d->s->cells[d->s->cell_count++];
    cell->kind = (uint8_t)kind;
    cell->flags = 0;
    return cell;
}

pith_cell *dump_cell(dumper *d, pith_cell_kind kind)
{
    return has_room(d) ? put_cell(d, kind) : NULL;
}

/* ------------------------------------------------------------------------ scalars */

static bool refuse_surrogate(dumper *d)
{
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError))
        return false;
    PyErr_Clear();
    raise_code(d->call->state, PITH_UNREPRESENTABLE, "invalid_utf8",
               "a text holds half a surrogate pair, which no UTF-8 can hold: replace it, "
               "as text.encode('utf-8', 'replace') does");
    return false;
}

bool dump_text(dumper *d, PyObject *text, pith_cell_kind kind)
{
    Py_ssize_t len;
    const char *data;
    if (PyUnicode_IS_COMPACT_ASCII(text)) {
        len = PyUnicode_GET_LENGTH(text);
        data = (const char *)PyUnicode_1BYTE_DATA(text);
    } else {
        data = PyUnicode_AsUTF8AndSize(text, &len);
        if (!data)
            return refuse_surrogate(d);
    }
    if ((uint64_t)len > UINT32_MAX)
        return raise_code(d->call->state, PITH_LIMIT, "text_limit",
                          "a text has 4 GiB or more") != NULL;
    if (!has_room(d))
        return false;
    pith_cell *cell = put_cell(d, kind);
    cell->u.text = data;
    cell->flags = PITH_CELL_TRUSTED;
    cell->len = (uint32_t)len;
    return true;
}

/* A text that goes away after this: it is copied, or sent at once. */
bool dump_copied(dumper *d, const char *text, size_t len, pith_cell_kind kind)
{
    scratch *s = d->s;
    if (len > UINT32_MAX)
        return raise_code(d->call->state, PITH_LIMIT, "text_limit",
                          "a text has 4 GiB or more") != NULL;
    if ((s->cell_count == CELLS || len > TEXTS - s->text_len) && !dump_flush(d))
        return false;
    bool fits = len <= TEXTS;
    pith_cell *cell = put_cell(d, kind);
    cell->len = (uint32_t)len;
    cell->u.text = text;
    if (fits) {
        memcpy(s->texts + s->text_len, text, len);
        cell->u.text = s->texts + s->text_len;
        s->text_len += len;
    }
    return fits || dump_flush(d);
}

/* An integer beyond 64 bits is its digits. */
static bool dump_long_digits(dumper *d, PyObject *number)
{
    PyObject *digits = PyNumber_ToBase(number, 10);
    if (!digits)
        return false;
    bool done = dump_copied(d, (const char *)PyUnicode_1BYTE_DATA(digits),
                            (size_t)PyUnicode_GET_LENGTH(digits), PITH_CELL_DIGITS);
    Py_DECREF(digits);
    return done;
}

bool dump_long(dumper *d, PyObject *number)
{
    int overflow = 0;
    long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow)
        return dump_long_digits(d, number);
    if (!has_room(d))
        return false;
    put_cell(d, PITH_CELL_INT64)->u.integer = value;
    return true;
}

static bool dump_not_finite(dumper *d, double number)
{
    const char *word = isnan(number) ? "NaN" : number > 0 ? "Inf" : "-Inf";
    if (d->call->nan == NAN_TEXT)
        return dump_copied(d, word, strlen(word), PITH_CELL_TEXT);
    if (d->call->nan == NAN_NULL)
        return dump_cell(d, PITH_CELL_NULL) != NULL;
    raise_code(d->call->state, PITH_UNREPRESENTABLE, "not_finite",
               "%s is no number of JSON; nan='null' writes null, nan='text' its name",
               word);
    return false;
}

bool dump_double(dumper *d, double number)
{
    if (!isfinite(number))
        return dump_not_finite(d, number);
    if (!has_room(d))
        return false;
    put_cell(d, PITH_CELL_DOUBLE)->u.number = number;
    return true;
}

bool dump_single(dumper *d, float number)
{
    if (!isfinite(number))
        return dump_not_finite(d, (double)number);
    if (!has_room(d))
        return false;
    put_cell(d, PITH_CELL_FLOAT)->u.single = number;
    return true;
}

/* --------------------------------------------------------------------- containers */

/* What has been opened too often: one inside of itself, or merely many. */
static bool refuse_depth(dumper *d, PyObject *container)
{
    for (size_t i = 0; container && i < d->s->depth; i++)
        if (d->s->frames[i].container == container) {
            raise_code(d->call->state, PITH_UNREPRESENTABLE, "circular_reference",
                       "a %s holds itself, so that writing it would never end",
                       Py_TYPE(container)->tp_name);
            return false;
        }
    raise_code(d->call->state, PITH_LIMIT, "depth_limit",
               "the object nests deeper than %zu: depth= allows more", d->depth_max);
    return false;
}

static frame *push_frame(dumper *d, PyObject *container, frame_kind kind)
{
    scratch *s = d->s;
    if (s->nesting >= d->depth_max || s->depth > 2 * d->depth_max + 16) {
        refuse_depth(d, container);
        return NULL;
    }
    if (s->depth == s->frame_room) {
        size_t room = s->frame_room * 2 + 32;
        frame *grown = realloc(s->frames, room * sizeof *grown);
        if (!grown) {
            PyErr_NoMemory();
            return NULL;
        }
        s->frames = grown;
        s->frame_room = room;
    }
    frame *f = &s->frames[s->depth++];
    *f = (frame){Py_XNewRef(container), kind, true, 0, 0};
    s->nesting += container != NULL;
    return f;
}

static bool pop_values(dumper *d, size_t count)
{
    scratch *s = d->s;
    while (s->values.count > count) {
        PyObject *value = s->values.items[--s->values.count];
        if (s->values.count < s->pinned) {
            s->pinned = s->values.count;
            if (!list_add(&s->dead, value))
                return false;
        }
    }
    return true;
}

static bool pop_frame(dumper *d)
{
    scratch *s = d->s;
    frame *f = &s->frames[s->depth - 1];
    PyObject *container = f->container;
    bool values = f->kind == FRAME_VALUES || f->kind == FRAME_MEMBERS;
    size_t begin = (size_t)f->begin;
    if (f->close && !has_room(d))
        return false;
    if (f->close)
        put_cell(d, PITH_CELL_CLOSE);
    s->depth--;
    s->nesting -= container != NULL;
    /* A container that others hold needs no care: its end is not ours. */
    if (container && Py_REFCNT(container) > 1)
        Py_DECREF(container);
    else if (container && !list_add(&s->dead, container))
        return false;
    return !values || pop_values(d, begin);
}

bool dump_sequence(dumper *d, PyObject *sequence, frame_kind kind)
{
    return dump_cell(d, PITH_CELL_ARRAY) && push_frame(d, sequence, kind);
}

/* --- dicts */

static inline uint64_t mix(uint64_t hash, const void *key)
{
    return ((hash << 7) | (hash >> 57)) ^ ((uintptr_t)key >> 4);
}

static bool learn_keys(dumper *d, known_keys *known, PyObject **keys, size_t count)
{
    pith_text texts[WIDTH_MOST];
    scratch *s = d->s;
    for (size_t i = 0; i < count; i++) {
        Py_ssize_t len;
        texts[i].ptr = PyUnicode_AsUTF8AndSize(keys[i], &len);
        texts[i].len = (size_t)len;
        if (!texts[i].ptr)
            return refuse_surrogate(d);
    }
    known->first = (uint32_t)s->keys.count;
    known->count = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        if (list_add(&s->keys, keys[i]))
            Py_INCREF(keys[i]);
        else
            return false;
    known->shape = pith_doc_shape(s->doc, texts, count);
    return true;
}

/* The shape of the keys: 0 when they are new, or cannot be one; false with an exception. */
static bool find_shape(dumper *d, PyObject **keys, size_t count, uint64_t hash,
                       uint32_t *shape)
{
    scratch *s = d->s;
    known_keys *known = &s->known[(hash ^ (hash >> 8) ^ (hash >> 17)) % KNOWN];
    *shape = 0;
    if (known->round != s->round || known->hash != hash) {
        *known = (known_keys){.hash = hash, .round = s->round};
        return true;
    }
    if (known->count == 0 && !learn_keys(d, known, keys, count))
        return false;
    if (known->count == count &&
        memcmp(s->keys.items + known->first, keys, count * sizeof *keys) == 0)
        *shape = known->shape;
    return true;
}

static bool refuse_key(PyObject *key)
{
    PyErr_Format(PyExc_TypeError, "keys have to be str, not %s", Py_TYPE(key)->tp_name);
    return false;
}

/* The members of an object, `count` keys and values: those values wait. */
static bool dump_members(dumper *d, PyObject *container, PyObject **keys,
                         PyObject **values, size_t count, uint64_t hash)
{
    scratch *s = d->s;
    uint32_t shape = 0;
    if (!d->target.add && count > 0 && !find_shape(d, keys, count, hash, &shape))
        return false;
    frame *f = push_frame(d, container, shape ? FRAME_VALUES : FRAME_MEMBERS);
    if (!f || !has_room(d))
        return false;
    put_cell(d, shape ? PITH_CELL_SHAPED : PITH_CELL_OBJECT)->u.natural = shape;
    f = &s->frames[s->depth - 1];
    f->close = shape == 0;
    f->at = f->begin = (Py_ssize_t)s->values.count;
    for (size_t i = 0; i < count; i++)
        if ((!shape && !list_add(&s->values, keys[i])) ||
            !list_add(&s->values, values[i]))
            return false;
    return true;
}

/* A dict of more members than a shape may have. */
static bool dump_wide(dumper *d, PyObject *dict)
{
    scratch *s = d->s;
    Py_ssize_t at = 0;
    PyObject *key;
    PyObject *value;
    frame *f = push_frame(d, dict, FRAME_MEMBERS);
    if (!f || !dump_cell(d, PITH_CELL_OBJECT))
        return false;
    f->at = f->begin = (Py_ssize_t)s->values.count;
    while (PyDict_Next(dict, &at, &key, &value)) {
        if (!PyUnicode_Check(key))
            return refuse_key(key);
        if (!list_add(&s->values, key) || !list_add(&s->values, value))
            return false;
    }
    return true;
}

bool dump_dict(dumper *d, PyObject *dict)
{
    PyObject *keys[WIDTH_MOST];
    PyObject *values[WIDTH_MOST];
    size_t count = 0;
    uint64_t hash = (uint64_t)PyDict_GET_SIZE(dict);
    Py_ssize_t at = 0;
    if (PyDict_GET_SIZE(dict) > WIDTH_MOST)
        return dump_wide(d, dict);
    while (PyDict_Next(dict, &at, &keys[count], &values[count])) {
        PyObject *key = keys[count++];
        if (!PyUnicode_Check(key))
            return refuse_key(key);
        hash = mix(hash, key);
    }
    return dump_members(d, dict, keys, values, count, hash);
}

/* An object whose attributes are its members: a dataclass, a named tuple. */
bool dump_named(dumper *d, PyObject *object, PyObject *names)
{
    PyObject *values[WIDTH_MOST];
    size_t count = (size_t)PyTuple_GET_SIZE(names);
    size_t got = 0;
    uint64_t hash = count;
    PyObject **keys = &PyTuple_GET_ITEM(names, 0);
    if (count > WIDTH_MOST) {
        PyErr_Format(PyExc_TypeError, "%s has more than %d fields",
                     Py_TYPE(object)->tp_name, WIDTH_MOST);
        return false;
    }
    if (!dump_enter_python(d))
        return false;
    for (; got < count; got++) {
        hash = mix(hash, keys[got]);
        values[got] = PyObject_GetAttr(object, keys[got]);
        if (!values[got])
            break;
    }
    bool done = got == count && dump_members(d, object, keys, values, count, hash);
    if (done)
        pin_values(d->s);
    while (got > 0)
        Py_DECREF(values[--got]);
    return done;
}

/* What an object stands for; the reference is taken. */
bool dump_replacement(dumper *d, PyObject *object)
{
    scratch *s = d->s;
    if (!object)
        return false;
    frame *f = push_frame(d, NULL, FRAME_VALUES);
    if (!f || !list_add(&s->values, object)) {
        Py_DECREF(object);
        return false;
    }
    f->at = f->begin = (Py_ssize_t)s->values.count - 1;
    f->close = false;
    s->pinned = s->values.count; /* all before it are: Python code has made it */
    return true;
}

/* ----------------------------------------------------------------------- the walk */

static inline bool dump_any(dumper *d, PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    if (type == &PyUnicode_Type)
        return dump_text(d, object, PITH_CELL_TEXT);
    if (type == &PyLong_Type)
        return dump_long(d, object);
    if (type == &PyFloat_Type)
        return dump_double(d, PyFloat_AS_DOUBLE(object));
    if (object == Py_None)
        return dump_cell(d, PITH_CELL_NULL) != NULL;
    if (type == &PyBool_Type)
        return dump_cell(d, object == Py_True ? PITH_CELL_TRUE : PITH_CELL_FALSE) != NULL;
    if (type == &PyDict_Type)
        return dump_dict(d, object);
    if (type == &PyList_Type)
        return dump_sequence(d, object, FRAME_LIST);
    if (type == &PyTuple_Type)
        return dump_sequence(d, object, FRAME_TUPLE);
    return dump_other(d, object);
}

/* The next object of a frame; NULL after the last. */
static inline PyObject *frame_next(scratch *s, frame *f)
{
    switch (f->kind) {
    case FRAME_LIST:
        return f->at < PyList_GET_SIZE(f->container)
                   ? PyList_GET_ITEM(f->container, f->at++)
                   : NULL;
    case FRAME_TUPLE:
        return f->at < PyTuple_GET_SIZE(f->container)
                   ? PyTuple_GET_ITEM(f->container, f->at++)
                   : NULL;
    default:
        return f->at < (Py_ssize_t)s->values.count ? s->values.items[f->at++] : NULL;
    }
}

static bool step(dumper *d)
{
    scratch *s = d->s;
    size_t depth = s->depth;
    while (s->depth == depth) {
        if ((s->flushes >= 64 || s->dead.count >= DEAD_MOST) && !take_breath(d))
            return false;
        frame *f = &s->frames[depth - 1];
        PyObject *object = frame_next(s, f);
        if (!object)
            return pop_frame(d);
        if (f->kind == FRAME_MEMBERS) {
            if (!dump_text(d, object, PITH_CELL_KEY))
                return false;
            object = frame_next(s, &s->frames[depth - 1]);
        }
        if (!dump_any(d, object))
            return false;
    }
    return true;
}

bool dump_object(dumper *d, PyObject *object)
{
    scratch *s = d->s;
    size_t depth = s->depth;
    bool done = dump_any(d, object);
    while (done && s->depth > depth)
        done = step(d);
    return done;
}

void dumper_end(dumper *d)
{
    scratch *s = d->s;
    s->cell_count = 0;
    while (s->depth > 0)
        Py_XDECREF(s->frames[--s->depth].container);
    s->nesting = 0;
    while (s->values.count > 0) {
        PyObject *value = s->values.items[--s->values.count];
        if (s->values.count < s->pinned)
            Py_DECREF(value);
    }
    s->pinned = 0;
    bury(s);
    while (s->keys.count > 0)
        Py_DECREF(s->keys.items[--s->keys.count]);
    Py_CLEAR(d->plans);
}

bool dump_value(call *c, scratch *s, PyObject *object, pith_value *value)
{
    dumper d;
    pith_error err = {0};
    dumper_begin(&d, c, s);
    bool done = dump_object(&d, object) && dump_flush(&d);
    dumper_end(&d);
    if (!done)
        return false;
    if (pith_doc_finish(s->doc, &err) != PITH_OK) {
        raise_error(c->state, &err);
        return false;
    }
    *value = pith_doc_root(s->doc);
    return true;
}
