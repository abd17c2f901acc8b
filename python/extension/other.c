/*
 * other.c - the rarer kinds of objects.
 *
 * Subclasses of the plain types, bytes, dates, times and decimals are known here. For every
 * other type pith._objects.plan is asked, once in a call, which says in Python what it is:
 *
 *     a tuple of names    its attributes are the members (dataclasses, named tuples, attrs)
 *     a str               it is a decimal, whose digits are kept
 *     a function          that gives what it stands for (Enum, UUID, pydantic, numpy)
 *     None                nothing is known: `default` is asked
 */
#include "pithpy.h"

#include <datetime.h>
#include <string.h>

/* Loaded with the first object that is not plain: `import pith` need not wait for it. */
static bool dates_ready(dumper *d)
{
    if (PyDateTimeAPI)
        return true;
    if (dump_enter_python(d))
        PyDateTime_IMPORT;
    return PyDateTimeAPI != NULL;
}

/* -------------------------------------------------------------- dates and decimals */

static size_t put_digits(char *to, int number, size_t width)
{
    for (size_t i = width; i > 0; i--, number /= 10)
        to[i - 1] = (char)('0' + number % 10);
    return width;
}

static size_t put_date(char *to, PyObject *date)
{
    size_t len = put_digits(to, PyDateTime_GET_YEAR(date), 4);
    to[len++] = '-';
    len += put_digits(to + len, PyDateTime_GET_MONTH(date), 2);
    to[len++] = '-';
    return len + put_digits(to + len, PyDateTime_GET_DAY(date), 2);
}

static size_t put_time(char *to, int hour, int minute, int second, int fraction)
{
    size_t len = put_digits(to, hour, 2);
    to[len++] = ':';
    len += put_digits(to + len, minute, 2);
    to[len++] = ':';
    len += put_digits(to + len, second, 2);
    if (fraction > 0) {
        to[len++] = '.';
        len += put_digits(to + len, fraction, 6);
    }
    return len;
}

/* What str() or another method without arguments makes of it. */
static bool dump_method(dumper *d, PyObject *object, const char *method,
                        pith_cell_kind kind)
{
    if (!dump_enter_python(d))
        return false;
    PyObject *text = PyObject_CallMethod(object, method, NULL);
    Py_ssize_t len;
    const char *data =
        text && PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, &len) : NULL;
    bool done = data && dump_copied(d, data, (size_t)len, kind);
    Py_XDECREF(text);
    if (!done && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%s() of %s gives no str", method,
                     Py_TYPE(object)->tp_name);
    return done;
}

static bool dump_planned(dumper *d, PyObject *object);

static bool dump_datetime(dumper *d, PyObject *object)
{
    char text[40];
    PyObject *zone = PyDateTime_DATE_GET_TZINFO(object);
    if (!PyDateTime_CheckExact(object))
        return dump_planned(d, object); /* NaT of pandas is one, too */
    if (zone != Py_None && zone != PyDateTime_TimeZone_UTC)
        return dump_method(d, object, "isoformat", PITH_CELL_TEXT);
    size_t len = put_date(text, object);
    text[len++] = 'T';
    len += put_time(
        text + len, PyDateTime_DATE_GET_HOUR(object), PyDateTime_DATE_GET_MINUTE(object),
        PyDateTime_DATE_GET_SECOND(object), PyDateTime_DATE_GET_MICROSECOND(object));
    if (zone != Py_None) {
        memcpy(text + len, "+00:00", 6);
        len += 6;
    }
    return dump_copied(d, text, len, PITH_CELL_TEXT);
}

/* The digits as they are; JSON's grammar is Decimal's but for what is no number. */
static bool dump_decimal(dumper *d, PyObject *object)
{
    if (!dump_enter_python(d))
        return false;
    PyObject *finite = PyObject_CallMethod(object, "is_finite", NULL);
    int is_finite = finite ? PyObject_IsTrue(finite) : -1;
    Py_XDECREF(finite);
    if (is_finite > 0)
        return dump_method(d, object, "__str__", PITH_CELL_DIGITS);
    if (is_finite < 0)
        return false;
    PyObject *number = PyNumber_Float(object);
    bool done = number && dump_double(d, PyFloat_AS_DOUBLE(number));
    Py_XDECREF(number);
    return done;
}

/* ------------------------------------------------------------------ bytes, arrays */

static bool dump_bytes(dumper *d, PyObject *object)
{
    Py_buffer view;
    if (PyObject_GetBuffer(object, &view, PyBUF_SIMPLE) != 0)
        return false;
    bool done = dump_copied(d, view.buf, (size_t)view.len, PITH_CELL_BYTES);
    PyBuffer_Release(&view);
    return done;
}

/* The numbers of one dimension, or the arrays of the next. Depth is that of the view, which
 * Python bounds at 64. */
static bool dump_floats(dumper *d, const Py_buffer *view, int level, const char *data)
{
    if (!dump_cell(d, PITH_CELL_ARRAY))
        return false;
    for (Py_ssize_t i = 0; i < view->shape[level]; i++) {
        const char *item = data + i * view->strides[level];
        bool done;
        if (level + 1 < view->ndim)
            done = dump_floats(d, view, level + 1, item);
        else if (view->format[0] == 'd')
            done = dump_double(d, *(const double *)(const void *)item);
        else
            done = dump_single(d, *(const float *)(const void *)item);
        if (!done)
            return false;
    }
    return dump_cell(d, PITH_CELL_CLOSE) != NULL;
}

/* A memoryview of floats is an array of them, one of bytes is bytes. */
static bool dump_view(dumper *d, PyObject *object)
{
    Py_buffer *view = PyMemoryView_GET_BUFFER(object);
    const char *format = view->format ? view->format : "B";
    if ((strcmp(format, "f") == 0 || strcmp(format, "d") == 0) && view->ndim > 0 &&
        !view->suboffsets && ((uintptr_t)view->buf % (size_t)view->itemsize) == 0)
        return dump_floats(d, view, 0, view->buf);
    if (view->ndim == 1 && view->itemsize == 1)
        return dump_bytes(d, object);
    return dump_enter_python(d) &&
           dump_replacement(d, PyObject_CallMethod(object, "tolist", NULL));
}

/* ---------------------------------------------------------------------- the rest */

/* The plan for a type, borrowed; NULL with an exception. */
static PyObject *find_plan(dumper *d, PyTypeObject *type)
{
    if (!d->plans && !(d->plans = PyDict_New()))
        return NULL;
    PyObject *plan = PyDict_GetItemWithError(d->plans, (PyObject *)type);
    if (plan || PyErr_Occurred() || !dump_enter_python(d))
        return plan;
    plan = PyObject_CallOneArg(d->call->state->plan, (PyObject *)type);
    if (!plan)
        return NULL;
    int failed = PyDict_SetItem(d->plans, (PyObject *)type, plan);
    Py_DECREF(plan); /* the dict has it */
    return failed ? NULL : plan;
}

static bool dump_by_call(dumper *d, PyObject *function, PyObject *object)
{
    if (!dump_enter_python(d))
        return false;
    return dump_replacement(d, PyObject_CallOneArg(function, object));
}

static bool dump_planned(dumper *d, PyObject *object)
{
    PyObject *plan = find_plan(d, Py_TYPE(object));
    bool done = false;
    if (plan && PyTuple_Check(plan))
        done = dump_named(d, object, plan);
    else if (plan && PyUnicode_Check(plan))
        done = dump_decimal(d, object);
    else if (plan && plan != Py_None)
        done = dump_by_call(d, plan, object);
    else if (plan && d->call->default_call)
        done = dump_by_call(d, d->call->default_call, object);
    else if (plan)
        PyErr_Format(PyExc_TypeError,
                     "%s cannot be written; default= can say what it stands for",
                     Py_TYPE(object)->tp_name);
    return done;
}

/* A subclass of dict, in the order in which it says it is. */
static bool dump_mapping(dumper *d, PyObject *mapping)
{
    if (Py_TYPE(mapping)->tp_iter == PyDict_Type.tp_iter)
        return dump_dict(d, mapping);
    if (!dump_enter_python(d))
        return false;
    PyObject *plain = PyDict_New();
    PyObject *items = plain ? PyMapping_Items(mapping) : NULL;
    if (!items || PyDict_MergeFromSeq2(plain, items, 1) != 0)
        Py_CLEAR(plain);
    Py_XDECREF(items);
    return dump_replacement(d, plain);
}

static bool dump_known(dumper *d, PyObject *object)
{
    if (PyDateTime_Check(object))
        return dump_datetime(d, object);
    if (PyDate_CheckExact(object)) {
        char text[16];
        return dump_copied(d, text, put_date(text, object), PITH_CELL_TEXT);
    }
    if (PyDate_Check(object) || PyTime_Check(object))
        return dump_method(d, object, "isoformat", PITH_CELL_TEXT);
    if (PyBytes_Check(object) || PyByteArray_Check(object))
        return dump_bytes(d, object);
    if (PyMemoryView_Check(object))
        return dump_view(d, object);
    if (PyDict_Check(object))
        return dump_mapping(d, object);
    if (PyList_Check(object))
        return dump_sequence(d, object, FRAME_LIST);
    if (PyUnicode_Check(object))
        return dump_text(d, object, PITH_CELL_TEXT);
    if (PyLong_Check(object))
        return dump_long(d, object);
    if (PyFloat_Check(object))
        return dump_double(d, PyFloat_AS_DOUBLE(object));
    return dump_planned(d, object);
}

bool dump_other(dumper *d, PyObject *object)
{
    Py_INCREF(object);
    bool done = dates_ready(d) && dump_known(d, object);
    return list_add(&d->s->dead, object) && done;
}
