/*
 * state.c - conversations: sessions of code graphs, and snapshots that are told by deltas.
 *
 * Both are handles of the library with a call that lives as long as they do. Time is in
 * seconds and is given by the Python side.
 */
#include "pithpy.h"

#include <string.h>

typedef struct state_object {
    PyObject_HEAD call call;
    PyObject *kept;
    pith_session *session;
    pith_snapshot *snapshot;
} state_object;

static void state_dealloc(PyObject *self)
{
    state_object *s = (state_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    pith_session_free(s->session);
    pith_snapshot_free(s->snapshot);
    s->call.remark_count = 0;
    call_end(&s->call, true);
    Py_XDECREF(s->kept);
    type->tp_free(self);
    Py_DECREF(type);
}

static state_object *state_begin(PyObject *module, PyObject *const *args,
                                 Py_ssize_t count, PyObject *names, const char *format)
{
    module_state *state = state_of(module);
    PyTypeObject *type = (PyTypeObject *)state->state_type;
    state_object *s = (state_object *)type->tp_alloc(type, 0);
    if (!s)
        return NULL;
    s->kept = call_keep(args, count, names);
    s->call.state = state;
    if (!s->kept || !call_begin(&s->call, state, format, args, count, names,
                                TAKES_FORMAT | TAKES_DEFAULT))
        Py_CLEAR(s);
    return s;
}

static PyObject *state_leave(state_object *s, PyObject *made)
{
    if (!call_tell(&s->call, made != NULL))
        Py_CLEAR(made);
    return made;
}

/* What a function of the library wrote, as a str; `made` says that it did not fail. */
static PyObject *written(state_object *s, pith_buffer *out, pith_status status,
                         const pith_error *err)
{
    PyObject *text = status == PITH_OK ? text_object(out->data, out->len, false)
                                       : raise_error(s->call.state, err);
    pith_buffer_free(out);
    return text;
}

/* ------------------------------------------------------------------------- sessions */

/* session((idle, life, ids), format, **settings) */
static PyObject *session(PyObject *module, PyObject *const *args, Py_ssize_t count,
                         PyObject *names)
{
    unsigned long long idle;
    unsigned long long life;
    Py_ssize_t ids;
    state_object *s = state_begin(module, args, count, names, "gcf-graph");
    if (!s)
        return NULL;
    if (!PyArg_ParseTuple(args[0], "KKn", &idle, &life, &ids)) {
        Py_DECREF(s);
        return NULL;
    }
    pith_session_limits limits = {
        .idle_max = idle, .life_max = life, .ids_max = (size_t)ids};
    s->session = pith_session_new(&limits, &s->call.options);
    if (!s->session) {
        Py_DECREF(s);
        return PyErr_NoMemory();
    }
    return (PyObject *)s;
}

static PyObject *session_write(PyObject *self, PyObject *args)
{
    state_object *s = (state_object *)self;
    PyObject *graph;
    unsigned long long now;
    pith_error err = {0};
    pith_buffer out = {0};
    pith_value value;
    PyObject *text = NULL;
    if (!PyArg_ParseTuple(args, "OK", &graph, &now))
        return NULL;
    scratch *memory = scratch_take(s->call.state, s->call.options.depth_max);
    if (!memory)
        return NULL;
    if (dump_value(&s->call, memory, graph, &value)) {
        pith_status status =
            pith_session_write(s->session, value, s->call.format, now, &s->call.options,
                               pith_sink_buffer(&out), &err);
        text = written(s, &out, status, &err);
    }
    scratch_give(s->call.state, memory);
    return state_leave(s, text);
}

static PyObject *session_read(PyObject *self, PyObject *args)
{
    state_object *s = (state_object *)self;
    PyObject *object;
    PyObject *kept;
    unsigned long long now;
    pith_error err = {0};
    pith_text text;
    PyObject *graph = NULL;
    if (!PyArg_ParseTuple(args, "OK", &object, &now) || !text_of(object, &text, &kept))
        return NULL;
    scratch *memory = scratch_take(s->call.state, s->call.options.depth_max);
    pith_options options = s->call.options;
    options.write = NULL;
    if (memory && pith_session_read(s->session, memory->doc, text.ptr, text.len, now,
                                    &options, &err) == PITH_OK)
        graph = load_value(&s->call, pith_doc_root(memory->doc));
    else if (memory)
        raise_error(s->call.state, &err);
    if (memory)
        scratch_give(s->call.state, memory);
    Py_XDECREF(kept);
    return state_leave(s, graph);
}

static PyObject *session_lost(PyObject *self, PyObject *none)
{
    (void)none;
    pith_session_lost(((state_object *)self)->session);
    return Py_NewRef(Py_None);
}

static PyObject *session_save(PyObject *self, PyObject *none)
{
    (void)none;
    state_object *s = (state_object *)self;
    pith_error err = {0};
    pith_buffer out = {0};
    pith_status status = pith_session_save(s->session, pith_sink_buffer(&out), &err);
    return written(s, &out, status, &err);
}

static PyObject *session_restore(PyObject *self, PyObject *object)
{
    state_object *s = (state_object *)self;
    PyObject *kept;
    pith_error err = {0};
    pith_text text;
    if (!text_of(object, &text, &kept))
        return NULL;
    pith_status status = pith_session_restore(s->session, text.ptr, text.len, &err);
    Py_XDECREF(kept);
    return status == PITH_OK ? Py_NewRef(Py_None) : raise_error(s->call.state, &err);
}

/* ------------------------------------------------------------------------- snapshots */

static const char *const KINDS[] = {"unchanged", "changes", "full"};

/* snapshot((key, tool, anchor, turns, guard), format, **settings) */
static PyObject *snapshot(PyObject *module, PyObject *const *args, Py_ssize_t count,
                          PyObject *names)
{
    pith_policy policy = {0};
    pith_error err = {0};
    int anchor;
    unsigned turns;
    unsigned guard;
    Py_ssize_t key_len;
    Py_ssize_t tool_len;
    state_object *s = state_begin(module, args, count, names, NULL);
    if (!s)
        return NULL;
    if (!PyArg_ParseTuple(args[0], "s#s#iII", &policy.key.ptr, &key_len, &policy.tool.ptr,
                          &tool_len, &anchor, &turns, &guard)) {
        Py_DECREF(s);
        return NULL;
    }
    policy.key.len = (size_t)key_len;
    policy.tool.len = (size_t)tool_len;
    policy.anchor = (pith_anchor)anchor;
    policy.turns = turns;
    policy.guard_percent = guard;
    policy.format = s->call.format;
    s->snapshot = pith_snapshot_new(&policy, &s->call.options, &err);
    if (s->snapshot)
        return (PyObject *)s;
    raise_error(s->call.state, &err);
    Py_DECREF(s);
    return NULL;
}

/* tell(held or None, value): (text, kind) */
static PyObject *snapshot_tell(PyObject *self, PyObject *args)
{
    state_object *s = (state_object *)self;
    const char *held;
    PyObject *object;
    pith_error err = {0};
    pith_buffer out = {0};
    pith_value value;
    pith_delta_kind kind = PITH_DELTA_FULL;
    PyObject *text = NULL;
    if (!PyArg_ParseTuple(args, "zO", &held, &object))
        return NULL;
    scratch *memory = scratch_take(s->call.state, s->call.options.depth_max);
    if (!memory)
        return NULL;
    if (dump_value(&s->call, memory, object, &value)) {
        pith_status status = pith_snapshot_write(s->snapshot, held, value,
                                                 pith_sink_buffer(&out), &kind, &err);
        text = written(s, &out, status, &err);
    }
    scratch_give(s->call.state, memory);
    return state_leave(s, text ? Py_BuildValue("(Ns)", text, KINDS[kind]) : NULL);
}

static PyObject *snapshot_set(PyObject *self, PyObject *object)
{
    state_object *s = (state_object *)self;
    pith_error err = {0};
    pith_value value;
    PyObject *done = NULL;
    scratch *memory = scratch_take(s->call.state, s->call.options.depth_max);
    if (!memory)
        return NULL;
    if (dump_value(&s->call, memory, object, &value))
        done = pith_snapshot_set(s->snapshot, value, &err) == PITH_OK
                   ? Py_NewRef(Py_None)
                   : raise_error(s->call.state, &err);
    scratch_give(s->call.state, memory);
    return state_leave(s, done);
}

static PyObject *snapshot_apply(PyObject *self, PyObject *object)
{
    state_object *s = (state_object *)self;
    PyObject *kept;
    pith_error err = {0};
    pith_text text;
    pith_delta_kind kind = PITH_DELTA_FULL;
    if (!text_of(object, &text, &kept))
        return NULL;
    pith_status status =
        pith_snapshot_apply(s->snapshot, text.ptr, text.len, &kind, &err);
    Py_XDECREF(kept);
    return state_leave(s, status == PITH_OK ? PyUnicode_FromString(KINDS[kind])
                                            : raise_error(s->call.state, &err));
}

static PyObject *snapshot_value(PyObject *self, PyObject *none)
{
    (void)none;
    state_object *s = (state_object *)self;
    pith_value value = pith_snapshot_value(s->snapshot);
    return value.doc ? load_value(&s->call, value) : Py_NewRef(Py_None);
}

static PyObject *snapshot_root(PyObject *self, PyObject *none)
{
    (void)none;
    return PyUnicode_FromString(pith_snapshot_root(((state_object *)self)->snapshot));
}

/* root(obj, key=''): the name of a snapshot */
static PyObject *root(PyObject *module, PyObject *args)
{
    call c;
    PyObject *object;
    const char *key;
    Py_ssize_t key_len;
    pith_value value;
    pith_root name;
    pith_error err = {0};
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "Os#", &object, &key, &key_len) ||
        !call_begin(&c, state_of(module), NULL, &object, 1, NULL, TAKES_NONE))
        return NULL;
    scratch *memory = scratch_take(c.state, 0);
    if (memory && dump_value(&c, memory, object, &value))
        result = pith_value_root(value, (pith_text){key, (size_t)key_len}, &c.options,
                                 &name, &err) == PITH_OK
                     ? PyUnicode_FromString(name.text)
                     : raise_error(c.state, &err);
    if (memory)
        scratch_give(c.state, memory);
    if (!call_end(&c, result != NULL))
        Py_CLEAR(result);
    return result;
}

/* -------------------------------------------------------------------------- the type */

static PyMethodDef handle_methods[] = {
    {"write", session_write, METH_VARARGS, NULL},
    {"read", session_read, METH_VARARGS, NULL},
    {"lost", session_lost, METH_NOARGS, NULL},
    {"save", session_save, METH_NOARGS, NULL},
    {"restore", session_restore, METH_O, NULL},
    {"tell", snapshot_tell, METH_VARARGS, NULL},
    {"set", snapshot_set, METH_O, NULL},
    {"apply", snapshot_apply, METH_O, NULL},
    {"value", snapshot_value, METH_NOARGS, NULL},
    {"root", snapshot_root, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot state_slots[] = {
    {Py_tp_dealloc, state_dealloc},
    {Py_tp_methods, handle_methods},
    {0, NULL},
};

static PyType_Spec state_spec = {"pith._pith.State", sizeof(state_object), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 state_slots};

#define KEYWORDS(function)                                                               \
    (PyCFunction)(void (*)(void)) function, METH_FASTCALL | METH_KEYWORDS

static PyMethodDef state_methods[] = {
    {"session", KEYWORDS(session), NULL},
    {"snapshot", KEYWORDS(snapshot), NULL},
    {"root", root, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

int state_ready(PyObject *module, module_state *state)
{
    state->state_type = PyType_FromModuleAndSpec(module, &state_spec, NULL);
    return state->state_type ? PyModule_AddFunctions(module, state_methods) : -1;
}
