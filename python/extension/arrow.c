/*
 * arrow.c - tables of Arrow, by the PyCapsule interface: in with __arrow_c_stream__ or
 * __arrow_c_array__, out as a capsule that every DataFrame library takes.
 *
 * What a capsule holds belongs to it until it is taken out: then the struct is copied and
 * the one in the capsule is marked as released, so that nobody releases it twice.
 */
#include "pithpy.h"

#include <string.h>

int arrow_kind(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    if (type == &PyDict_Type || type == &PyList_Type || type == &PyUnicode_Type)
        return ARROW_NONE;
    if (PyObject_HasAttrString((PyObject *)type, "to_list"))
        return ARROW_NONE; /* a series, which is a column and no table */
    if (PyObject_HasAttrString((PyObject *)type, "__arrow_c_stream__"))
        return ARROW_STREAM;
    if (PyObject_HasAttrString((PyObject *)type, "__arrow_c_array__"))
        return ARROW_ARRAY;
    return ARROW_NONE;
}

bool arrow_stream(PyObject *object, struct ArrowArrayStream *stream)
{
    PyObject *capsule = PyObject_CallMethod(object, "__arrow_c_stream__", NULL);
    struct ArrowArrayStream *inside =
        capsule ? PyCapsule_GetPointer(capsule, "arrow_array_stream") : NULL;
    if (inside) {
        *stream = *inside;
        inside->release = NULL;
    }
    Py_XDECREF(capsule);
    return inside != NULL;
}

bool arrow_batch(PyObject *object, struct ArrowSchema *schema, struct ArrowArray *array)
{
    PyObject *pair = PyObject_CallMethod(object, "__arrow_c_array__", NULL);
    struct ArrowSchema *its_schema = NULL;
    struct ArrowArray *its_array = NULL;
    if (pair && PyTuple_Check(pair) && PyTuple_GET_SIZE(pair) == 2) {
        its_schema = PyCapsule_GetPointer(PyTuple_GET_ITEM(pair, 0), "arrow_schema");
        its_array = PyCapsule_GetPointer(PyTuple_GET_ITEM(pair, 1), "arrow_array");
    } else if (pair) {
        PyErr_SetString(PyExc_TypeError, "__arrow_c_array__ gives a pair of capsules");
    }
    bool done = its_schema && its_array;
    if (done) {
        *schema = *its_schema;
        *array = *its_array;
        its_schema->release = NULL;
        its_array->release = NULL;
    }
    Py_XDECREF(pair);
    return done;
}

void arrow_release(struct ArrowSchema *schema, struct ArrowArray *array)
{
    if (schema->release)
        schema->release(schema);
    if (array->release)
        array->release(array);
}

static pith_status write_batch(call *c, const struct ArrowSchema *schema,
                               const struct ArrowArray *array, pith_sink sink,
                               pith_error *err)
{
    pith_rows *rows = pith_rows_open_arrow(c->format, schema, &c->options, sink, err);
    if (!rows)
        return err->status;
    pith_status status = pith_rows_add_arrow(rows, array, err);
    if (status == PITH_OK)
        return pith_rows_close(rows, err);
    pith_rows_abandon(rows);
    return status;
}

bool arrow_write(call *c, PyObject *object, int kind, pith_sink sink)
{
    struct ArrowArrayStream stream = {0};
    struct ArrowSchema schema = {0};
    struct ArrowArray array = {0};
    pith_error err = {0};
    pith_status status;
    if (kind == ARROW_STREAM ? !arrow_stream(object, &stream)
                             : !arrow_batch(object, &schema, &array))
        return false;
    call_release(c);
    if (kind == ARROW_STREAM)
        status = pith_arrow_write(&stream, c->format, &c->options, sink, &err);
    else
        status = write_batch(c, &schema, &array, sink, &err);
    call_acquire(c);
    arrow_release(&schema, &array);
    if (status != PITH_OK)
        raise_error(c->state, &err);
    return status == PITH_OK;
}

/* ----------------------------------------------------------------------------- out */

static void capsule_free(PyObject *capsule)
{
    struct ArrowArrayStream *stream = PyCapsule_GetPointer(capsule, "arrow_array_stream");
    if (stream && stream->release)
        stream->release(stream);
    PyMem_Free(stream);
}

/* The schema that someone asks for, borrowed from its capsule; NULL for none. */
static bool wanted(PyObject *capsule, const struct ArrowSchema **schema)
{
    *schema = NULL;
    if (capsule && capsule != Py_None)
        *schema = PyCapsule_GetPointer(capsule, "arrow_schema");
    return !PyErr_Occurred();
}

static PyObject *new_stream(call *c, PyObject *object, const struct ArrowSchema *want)
{
    pith_error err = {0};
    pith_arrow_plan how = {.want = want};
    pith_value value;
    pith_text text;
    PyObject *kept = NULL;
    pith_status status = PITH_BAD_USE;
    struct ArrowArrayStream *stream = PyMem_Calloc(1, sizeof *stream);
    scratch *s = scratch_take(c->state, c->options.depth_max);
    bool is_text = PyUnicode_Check(object) || PyBytes_Check(object);
    bool ready =
        stream && s &&
        (is_text ? text_of(object, &text, &kept) : dump_value(c, s, object, &value));
    if (ready) {
        call_release(c);
        status = is_text ? pith_arrow_read(c->format, text.ptr, text.len, &how,
                                           &c->options, stream, &err)
                         : pith_value_arrow(value, &how, &c->options, stream, &err);
        call_acquire(c);
        if (status != PITH_OK)
            raise_error(c->state, &err);
    }
    Py_XDECREF(kept);
    if (s)
        scratch_give(c->state, s);
    PyObject *capsule = status == PITH_OK
                            ? PyCapsule_New(stream, "arrow_array_stream", capsule_free)
                            : NULL;
    if (!capsule)
        PyMem_Free(stream);
    return capsule;
}

/* arrow_capsule(text or rows, format, schema=capsule, **settings) */
static PyObject *arrow_capsule(PyObject *module, PyObject *const *args, Py_ssize_t count,
                               PyObject *names)
{
    call c;
    PyObject *result = NULL;
    const struct ArrowSchema *want;
    if (call_begin(&c, state_of(module), NULL, args, count, names,
                   TAKES_FORMAT | TAKES_READ | TAKES_DEFAULT | TAKES_SCHEMA) &&
        wanted(c.schema, &want))
        result = new_stream(&c, args[0], want);
    if (!call_end(&c, result != NULL))
        Py_CLEAR(result);
    return result;
}

static PyMethodDef arrow_methods[] = {
    {"arrow_capsule", (PyCFunction)(void (*)(void))arrow_capsule,
     METH_FASTCALL | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL},
};

int arrow_ready(PyObject *module)
{
    return PyModule_AddFunctions(module, arrow_methods);
}
