/*
 * errors.c - a pith_error as an exception.
 *
 * Running out of memory is a MemoryError and a failed read or write an OSError; everything
 * else is a pith.Error, a ValueError that says where and why. What Python itself raised on
 * the way, such as a KeyboardInterrupt, is left as it is.
 */
#include "pithpy.h"

#include <stdarg.h>

static PyObject *raise_io(const pith_error *err)
{
    PyObject *arguments = Py_BuildValue("(is)", err->system, err->message);
    if (arguments) {
        PyErr_SetObject(PyExc_OSError, arguments);
        Py_DECREF(arguments);
    }
    return NULL;
}

PyObject *error_object(module_state *state, const pith_error *err)
{
    return PyObject_CallFunction(state->error_type, "sssnnn", err->message,
                                 err->code ? err->code : "",
                                 pith_status_name(err->status), (Py_ssize_t)err->line,
                                 (Py_ssize_t)err->column, (Py_ssize_t)err->offset);
}

PyObject *raise_error(module_state *state, const pith_error *err)
{
    if (PyErr_Occurred())
        return NULL;
    if (err->status == PITH_NO_MEMORY)
        return PyErr_NoMemory();
    if (err->status == PITH_IO)
        return raise_io(err);
    PyObject *exception = error_object(state, err);
    if (exception) {
        PyErr_SetObject(state->error_type, exception);
        Py_DECREF(exception);
    }
    return NULL;
}

PyObject *raise_code(module_state *state, pith_status status, const char *code,
                     const char *format, ...)
{
    pith_error err = {.status = status, .code = code};
    va_list arguments;
    va_start(arguments, format);
    PyOS_vsnprintf(err.message, sizeof err.message, format, arguments);
    va_end(arguments);
    return raise_error(state, &err);
}
