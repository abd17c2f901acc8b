/*
 * rows.c - rows that leave or arrive a few at a time: the handles under pith.Writer,
 * pith.Reader and pith.pack.
 *
 * What is written collects in memory, and each call hands it out: files and sockets are
 * Python's matter. A handle keeps its call, for settings and callbacks, and the arguments
 * that the call borrows from.
 */
#include "pithpy.h"

#include <string.h>

typedef struct rows_object {
    PyObject_HEAD call call;
    PyObject *kept;    /* the arguments, a tuple */
    PyObject *columns; /* a tuple of str; NULL: rows are any values */
    pith_rows *rows;
    pith_parts *parts;
    pith_reader *reader;
    pith_buffer out;
    PyObject *made;                 /* parts, a list, while a call runs */
    struct ArrowArrayStream stream; /* batches that become parts */
    struct ArrowSchema schema;
    bool done; /* of a reader: there is no more */
    bool busy; /* a call runs: another thread has to wait for its own */
} rows_object;

/* ------------------------------------------------------------------------ the type */

static void rows_dealloc(PyObject *self)
{
    rows_object *r = (rows_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    pith_rows_abandon(r->rows);
    pith_parts_abandon(r->parts);
    pith_reader_free(r->reader);
    pith_buffer_free(&r->out);
    if (r->schema.release)
        r->schema.release(&r->schema);
    if (r->stream.release)
        r->stream.release(&r->stream);
    r->call.remark_count = 0;
    call_end(&r->call, true);
    Py_XDECREF(r->columns);
    Py_XDECREF(r->made);
    Py_XDECREF(r->kept);
    type->tp_free(self);
    Py_DECREF(type);
}

/* A handle whose call has been read: (columns or None, format, keywords). */
static rows_object *rows_begin(PyObject *module, PyObject *const *args, Py_ssize_t count,
                               PyObject *names, unsigned takes)
{
    module_state *state = state_of(module);
    PyTypeObject *type = (PyTypeObject *)state->rows_type;
    rows_object *r = (rows_object *)type->tp_alloc(type, 0);
    if (!r)
        return NULL;
    r->call.state = state;
    r->kept = call_keep(args, count, names);
    if (!r->kept || !call_begin(&r->call, state, "auto", args, count, names, takes)) {
        Py_DECREF(r);
        return NULL;
    }
    if (args[0] != Py_None) {
        r->columns = PySequence_Tuple(args[0]);
        if (!r->columns)
            Py_CLEAR(r);
    }
    return r;
}

/* One call at a time; false with an exception when one is running. */
static bool rows_enter(rows_object *r)
{
    if (r->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another call on this is still running");
        return false;
    }
    r->busy = true;
    return true;
}

/* Ends a call: notices are told, and what was made is the answer. */
static PyObject *rows_leave(rows_object *r, PyObject *made)
{
    r->busy = false;
    if (!call_tell(&r->call, made != NULL))
        Py_CLEAR(made);
    return made;
}

/* The names of the columns, which live as long as the tuple; NULL with an exception. */
static pith_text *column_texts(PyObject *columns)
{
    Py_ssize_t count = columns ? PyTuple_GET_SIZE(columns) : 0;
    pith_text *texts = PyMem_Calloc((size_t)count + 1, sizeof *texts);
    if (!texts)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; texts && i < count; i++) {
        Py_ssize_t len = 0;
        PyObject *name = PyTuple_GET_ITEM(columns, i);
        texts[i].ptr = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &len) : NULL;
        texts[i].len = (size_t)len;
        if (!texts[i].ptr) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_TypeError, "the names of columns are str");
            PyMem_Free(texts);
            return NULL;
        }
    }
    return texts;
}

/* --------------------------------------------------------------------- rows to cells */

static pith_status add_to_rows(void *ctx, const pith_cell *cells, size_t count,
                               pith_error *err)
{
    return pith_rows_add_cells(ctx, cells, count, err);
}

static pith_status add_to_parts(void *ctx, const pith_cell *cells, size_t count,
                                pith_error *err)
{
    return pith_parts_add_cells(ctx, cells, count, err);
}

static bool refuse_column(rows_object *r, PyObject *dict)
{
    Py_ssize_t at = 0;
    PyObject *key;
    while (PyDict_Next(dict, &at, &key, NULL)) {
        int found = PySequence_Contains(r->columns, key);
        if (found == 0 && PyUnicode_Check(key))
            raise_code(r->call.state, PITH_UNREPRESENTABLE, "no_column",
                       "a row has the field '%.100s', and there is no such column",
                       PyUnicode_AsUTF8(key));
        if (found <= 0)
            return false;
    }
    return true;
}

/* The cells of a dict by the names of the columns. */
static bool add_dict(rows_object *r, dumper *d, PyObject *dict)
{
    Py_ssize_t count = PyTuple_GET_SIZE(r->columns);
    Py_ssize_t found = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *cell = PyDict_GetItemWithError(dict, PyTuple_GET_ITEM(r->columns, i));
        if (!cell && PyErr_Occurred())
            return false;
        found += cell != NULL;
        if (cell ? !dump_object(d, cell) : !dump_cell(d, PITH_CELL_ABSENT))
            return false;
    }
    return found == PyDict_GET_SIZE(dict) || refuse_column(r, dict);
}

static bool add_sequence(rows_object *r, dumper *d, PyObject *row)
{
    Py_ssize_t count = PyTuple_GET_SIZE(r->columns);
    PyObject *fast = PySequence_Fast(row, "a row is a dict or a sequence of cells");
    bool done = fast != NULL;
    if (done && PySequence_Fast_GET_SIZE(fast) != count) {
        raise_code(r->call.state, PITH_BAD_USE, "row_width_mismatch",
                   "a row has %zd cells, and there are %zd columns",
                   PySequence_Fast_GET_SIZE(fast), count);
        done = false;
    }
    for (Py_ssize_t i = 0; done && i < count && i < PySequence_Fast_GET_SIZE(fast); i++)
        done = dump_object(d, PySequence_Fast_GET_ITEM(fast, i));
    done = done && dump_flush(d); /* its texts may be the list's alone */
    Py_XDECREF(fast);
    return done;
}

/* Another kind of row, such as a dataclass, as a dict: pith._objects tells. */
static bool add_other(rows_object *r, dumper *d, PyObject *row)
{
    if (!dump_enter_python(d))
        return false;
    PyObject *dict = PyObject_CallOneArg(r->call.state->row_dict, row);
    bool done = dict && add_dict(r, d, dict) && dump_flush(d);
    Py_XDECREF(dict);
    return done;
}

static bool add_row(rows_object *r, dumper *d, PyObject *row)
{
    if (PyDict_Check(row))
        return add_dict(r, d, row);
    if (PyList_Check(row) || PyTuple_Check(row))
        return add_sequence(r, d, row);
    return add_other(r, d, row);
}

/* A row that is any value goes through a document. */
static bool add_value(rows_object *r, PyObject *row)
{
    pith_value value;
    pith_error err = {0};
    scratch *s = scratch_take(r->call.state, r->call.options.depth_max);
    if (!s)
        return false;
    bool done = dump_value(&r->call, s, row, &value);
    if (done) {
        pith_status status = r->rows ? pith_rows_add_row(r->rows, value, &err)
                                     : pith_parts_add_row(r->parts, value, &err);
        done = status == PITH_OK || raise_error(r->call.state, &err) != NULL;
    }
    scratch_give(r->call.state, s);
    return done;
}

static bool add_cells(rows_object *r, PyObject *list)
{
    dumper d;
    scratch *s = scratch_take(r->call.state, r->call.options.depth_max);
    if (!s)
        return false;
    dumper_begin(&d, &r->call, s);
    d.target = r->rows ? (cell_target){add_to_rows, r->rows}
                       : (cell_target){add_to_parts, r->parts};
    bool done = true;
    for (Py_ssize_t i = 0; done && i < PyList_GET_SIZE(list); i++) {
        PyObject *row = Py_NewRef(PyList_GET_ITEM(list, i));
        done = add_row(r, &d, row) && list_add(&s->dead, row);
    }
    done = done && dump_flush(&d);
    dumper_end(&d);
    scratch_give(r->call.state, s);
    return done;
}

/* ----------------------------------------------------------------------- the writer */

static PyObject *rows_drain(rows_object *r)
{
    PyObject *bytes = PyBytes_FromStringAndSize(r->out.data, (Py_ssize_t)r->out.len);
    r->out.len = 0;
    return bytes;
}

static bool rows_is_open(rows_object *r)
{
    if (r->rows || r->parts)
        return true;
    PyErr_SetString(PyExc_ValueError, "it is closed");
    return false;
}

/* add(list of rows): what was written meanwhile, bytes or a list of parts. */
static PyObject *rows_add(PyObject *self, PyObject *list)
{
    rows_object *r = (rows_object *)self;
    if (!PyList_Check(list))
        return PyErr_Format(PyExc_TypeError, "rows are given in a list");
    if (!rows_is_open(r) || !rows_enter(r))
        return NULL;
    bool done = true;
    if (r->parts)
        r->made = PyList_New(0);
    if (r->columns)
        done = add_cells(r, list);
    for (Py_ssize_t i = 0; done && !r->columns && i < PyList_GET_SIZE(list); i++)
        done = add_value(r, PyList_GET_ITEM(list, i));
    PyObject *made = r->parts ? r->made : rows_drain(r);
    r->made = NULL;
    if (!done)
        Py_CLEAR(made);
    return rows_leave(r, made);
}

/* close(): the rest. */
static PyObject *rows_close(PyObject *self, PyObject *none)
{
    (void)none;
    rows_object *r = (rows_object *)self;
    pith_error err = {0};
    if (!rows_is_open(r) || !rows_enter(r))
        return NULL;
    bool parts = r->parts != NULL;
    if (parts)
        r->made = PyList_New(0);
    pith_status status =
        parts ? pith_parts_close(r->parts, &err) : pith_rows_close(r->rows, &err);
    r->rows = NULL;
    r->parts = NULL;
    PyObject *made = parts ? r->made : rows_drain(r);
    r->made = NULL;
    if (status != PITH_OK) {
        raise_error(r->call.state, &err);
        Py_CLEAR(made);
    }
    return rows_leave(r, made);
}

static PyObject *rows_flush(PyObject *self, PyObject *none)
{
    (void)none;
    rows_object *r = (rows_object *)self;
    pith_error err = {0};
    if (!r->rows)
        return PyErr_Format(PyExc_ValueError, "it is closed");
    if (pith_rows_flush(r->rows, &err) != PITH_OK)
        return raise_error(r->call.state, &err);
    return rows_drain(r);
}

static PyObject *row_writer(PyObject *module, PyObject *const *args, Py_ssize_t count,
                            PyObject *names)
{
    pith_error err = {0};
    rows_object *r = rows_begin(module, args, count, names, TAKES_FORMAT | TAKES_DEFAULT);
    pith_text *columns = r ? column_texts(r->columns) : NULL;
    if (!columns) {
        Py_XDECREF(r);
        return NULL;
    }
    r->rows = pith_rows_open(r->call.format, r->columns ? columns : NULL,
                             r->columns ? (size_t)PyTuple_GET_SIZE(r->columns) : 0,
                             &r->call.options, pith_sink_buffer(&r->out), &err);
    PyMem_Free(columns);
    if (r->rows)
        return (PyObject *)r;
    raise_error(r->call.state, &err);
    Py_DECREF(r);
    return NULL;
}

/* ------------------------------------------------------------------------- the parts */

static bool keep_part(rows_object *r, const pith_part *part)
{
    PyObject *made = NULL;
    PyObject *text = text_object(part->text, part->len, false);
    if (text && r->made)
        made = PyObject_CallFunction(
            r->call.state->part_type, "NnKKsO", text, (Py_ssize_t)part->tokens,
            (unsigned long long)part->first_row, (unsigned long long)part->rows,
            part->format, part->too_long ? Py_True : Py_False);
    bool done = made && PyList_Append(r->made, made) == 0;
    Py_XDECREF(made);
    return done;
}

/* Tables of Arrow are cut without the GIL, so that it may have to be taken here. */
static pith_status take_part(void *ctx, const pith_part *part)
{
    rows_object *r = ctx;
    bool released = r->call.released != NULL;
    if (released)
        call_acquire(&r->call);
    bool done = keep_part(r, part);
    if (released)
        call_release(&r->call);
    return done ? PITH_OK : PITH_CANCELLED;
}

static bool packer_ready(rows_object *r)
{
    if (r && !r->call.state->part_type)
        r->call.state->part_type = import_name("pith._rows", "Part");
    return r && r->call.state->part_type;
}

static PyObject *row_packer(PyObject *module, PyObject *const *args, Py_ssize_t count,
                            PyObject *names)
{
    pith_error err = {0};
    rows_object *r = rows_begin(module, args, count, names,
                                TAKES_FORMAT | TAKES_DEFAULT | TAKES_TOKENS);
    pith_text *columns = packer_ready(r) ? column_texts(r->columns) : NULL;
    if (!columns) {
        Py_XDECREF(r);
        return NULL;
    }
    r->parts = pith_parts_open(r->call.format, r->columns ? columns : NULL,
                               r->columns ? (size_t)PyTuple_GET_SIZE(r->columns) : 0,
                               r->call.tokens, &r->call.options, take_part, r, &err);
    PyMem_Free(columns);
    if (r->parts)
        return (PyObject *)r;
    raise_error(r->call.state, &err);
    Py_DECREF(r);
    return NULL;
}

/* --- parts of tables of Arrow */

/* arrow_packer(None, format, tokens=): opened by the first batch */
static PyObject *arrow_packer(PyObject *module, PyObject *const *args, Py_ssize_t count,
                              PyObject *names)
{
    rows_object *r = rows_begin(module, args, count, names, TAKES_FORMAT | TAKES_TOKENS);
    if (!packer_ready(r))
        Py_CLEAR(r);
    return (PyObject *)r;
}

static pith_status add_batch(rows_object *r, const struct ArrowSchema *schema,
                             const struct ArrowArray *array, pith_error *err)
{
    if (!r->parts)
        r->parts = pith_parts_open_arrow(r->call.format, schema, r->call.tokens,
                                         &r->call.options, take_part, r, err);
    return r->parts ? pith_parts_add_arrow(r->parts, array, err) : err->status;
}

/* The parts that a batch filled. */
static PyObject *batch_parts(rows_object *r, const struct ArrowSchema *schema,
                             const struct ArrowArray *array)
{
    pith_error err = {0};
    r->made = PyList_New(0);
    call_release(&r->call);
    pith_status status = add_batch(r, schema, array, &err);
    call_acquire(&r->call);
    PyObject *made = r->made;
    r->made = NULL;
    if (status != PITH_OK) {
        raise_error(r->call.state, &err);
        Py_CLEAR(made);
    }
    return made;
}

/* add_arrow(batch): the parts that it filled */
static PyObject *rows_add_arrow(PyObject *self, PyObject *batch)
{
    rows_object *r = (rows_object *)self;
    struct ArrowSchema schema = {0};
    struct ArrowArray array = {0};
    if (!rows_enter(r))
        return NULL;
    if (!arrow_batch(batch, &schema, &array))
        return rows_leave(r, NULL);
    PyObject *made = batch_parts(r, &schema, &array);
    arrow_release(&schema, &array);
    return rows_leave(r, made);
}

static PyObject *stream_failed(rows_object *r)
{
    const char *why = r->stream.get_last_error(&r->stream);
    if (!PyErr_Occurred())
        raise_code(r->call.state, PITH_BAD_INPUT, "arrow_stream", "%.150s",
                   why ? why : "the stream of batches failed");
    return NULL;
}

/* begin_arrow(table): next_arrow will take its batches */
static PyObject *rows_begin_arrow(PyObject *self, PyObject *table)
{
    rows_object *r = (rows_object *)self;
    if (!rows_enter(r))
        return NULL;
    bool done = !r->stream.release && arrow_stream(table, &r->stream) &&
                (r->stream.get_schema(&r->stream, &r->schema) == 0 || stream_failed(r));
    return rows_leave(r, done ? Py_NewRef(Py_None) : NULL);
}

/* next_arrow(): the parts that the next batch filled; None after the last */
static PyObject *rows_next_arrow(PyObject *self, PyObject *none)
{
    (void)none;
    rows_object *r = (rows_object *)self;
    struct ArrowArray array = {0};
    if (!rows_enter(r))
        return NULL;
    call_release(&r->call);
    int failed = r->stream.get_next(&r->stream, &array);
    call_acquire(&r->call);
    if (failed)
        return rows_leave(r, stream_failed(r));
    if (!array.release)
        return rows_leave(r, Py_NewRef(Py_None));
    PyObject *made = batch_parts(r, &r->schema, &array);
    array.release(&array);
    return rows_leave(r, made);
}

/* ------------------------------------------------------------------------ the reader */

static PyObject *row_reader(PyObject *module, PyObject *const *args, Py_ssize_t count,
                            PyObject *names)
{
    pith_error err = {0};
    rows_object *r =
        rows_begin(module, args, count, names, TAKES_FORMAT | TAKES_READ | TAKES_HOOKS);
    if (!r)
        return NULL;
    r->reader = pith_reader_open(r->call.format, &r->call.options, &err);
    if (r->reader)
        return (PyObject *)r;
    raise_error(r->call.state, &err);
    Py_DECREF(r);
    return NULL;
}

/* feed(data), or feed(None) at the end */
static PyObject *rows_feed(PyObject *self, PyObject *data)
{
    rows_object *r = (rows_object *)self;
    pith_error err = {0};
    PyObject *kept = NULL;
    pith_text text = {"", 0};
    if (!r->reader)
        return PyErr_Format(PyExc_ValueError, "it is closed");
    if ((data != Py_None && !text_of(data, &text, &kept)) || !rows_enter(r))
        return NULL;
    call_release(&r->call);
    pith_status status = data == Py_None
                             ? pith_reader_end(r->reader, &err)
                             : pith_reader_feed(r->reader, text.ptr, text.len, &err);
    call_acquire(&r->call);
    Py_XDECREF(kept);
    if (status != PITH_OK)
        raise_error(r->call.state, &err);
    return rows_leave(r, status == PITH_OK ? Py_NewRef(Py_None) : NULL);
}

/* take(most): a list of rows, empty when more has to be fed; None after the last */
static PyObject *rows_take(PyObject *self, PyObject *number)
{
    rows_object *r = (rows_object *)self;
    pith_error err = {0};
    pith_value rows;
    size_t most = PyLong_AsSize_t(number);
    if (PyErr_Occurred())
        return NULL;
    if (!r->reader || r->done)
        return Py_NewRef(Py_None);
    if (!rows_enter(r))
        return NULL;
    call_release(&r->call);
    pith_status status = pith_reader_batch(r->reader, most, &rows, &r->done, &err);
    call_acquire(&r->call);
    PyObject *list = NULL;
    if (status != PITH_OK)
        raise_error(r->call.state, &err);
    else
        list = rows.doc ? load_value(&r->call, rows) : PyList_New(0);
    if (list && r->done && PyList_GET_SIZE(list) == 0)
        Py_SETREF(list, Py_NewRef(Py_None));
    return rows_leave(r, list);
}

/* columns(): their names, a tuple; empty when they are not known */
static PyObject *rows_columns(PyObject *self, PyObject *none)
{
    (void)none;
    rows_object *r = (rows_object *)self;
    if (r->columns)
        return Py_NewRef(r->columns);
    size_t count = r->reader ? pith_reader_columns(r->reader, NULL, 0) : 0;
    pith_text *texts = PyMem_Calloc(count + 1, sizeof *texts);
    PyObject *names = texts ? PyTuple_New((Py_ssize_t)count) : PyErr_NoMemory();
    if (count > 0 && names)
        pith_reader_columns(r->reader, texts, count);
    for (size_t i = 0; names && i < count; i++) {
        PyObject *name = text_object(texts[i].ptr, texts[i].len, false);
        if (name)
            PyTuple_SET_ITEM(names, (Py_ssize_t)i, name);
        else
            Py_CLEAR(names);
    }
    PyMem_Free(texts);
    return names;
}

/* -------------------------------------------------------------------------- the type */

static PyMethodDef handle_methods[] = {
    {"add", rows_add, METH_O, NULL},
    {"add_arrow", rows_add_arrow, METH_O, NULL},
    {"begin_arrow", rows_begin_arrow, METH_O, NULL},
    {"next_arrow", rows_next_arrow, METH_NOARGS, NULL},
    {"close", rows_close, METH_NOARGS, NULL},
    {"flush", rows_flush, METH_NOARGS, NULL},
    {"feed", rows_feed, METH_O, NULL},
    {"take", rows_take, METH_O, NULL},
    {"columns", rows_columns, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot rows_slots[] = {
    {Py_tp_dealloc, rows_dealloc},
    {Py_tp_methods, handle_methods},
    {0, NULL},
};

static PyType_Spec rows_spec = {"pith._pith.Rows", sizeof(rows_object), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                rows_slots};

#define KEYWORDS(function)                                                               \
    (PyCFunction)(void (*)(void)) function, METH_FASTCALL | METH_KEYWORDS

static PyMethodDef rows_methods[] = {
    {"row_writer", KEYWORDS(row_writer), NULL},
    {"row_packer", KEYWORDS(row_packer), NULL},
    {"arrow_packer", KEYWORDS(arrow_packer), NULL},
    {"row_reader", KEYWORDS(row_reader), NULL},
    {NULL, NULL, 0, NULL},
};

int rows_ready(PyObject *module, module_state *state)
{
    state->rows_type = PyType_FromModuleAndSpec(module, &rows_spec, NULL);
    return state->rows_type ? PyModule_AddFunctions(module, rows_methods) : -1;
}
