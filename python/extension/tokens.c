/*
 * tokens.c - vocabularies: what a text costs a model.
 *
 * A vocabulary never changes, so threads share one; those that have a name are opened once.
 * What counts is a counter of the library, which remembers the pieces it has met: each
 * vocabulary keeps a few, and a call takes one. Long texts are counted in pieces, so that a
 * signal is noticed.
 */
#include "pithpy.h"

#include <string.h>

enum { COUNTERS_KEPT = 8, PIECE = 1 << 18, SHORT_TEXT = 2048 };

typedef struct vocab_object {
    PyObject_HEAD pith_vocab *vocab;
    _Atomic(pith_counter *) counters[COUNTERS_KEPT];
} vocab_object;

const pith_vocab *vocab_of(PyObject *vocab)
{
    return ((vocab_object *)vocab)->vocab;
}

/* --------------------------------------------------------------------- vocabularies */

static PyObject *vocab_wrap(module_state *state, pith_vocab *vocab, const pith_error *err)
{
    if (!vocab)
        return raise_error(state, err);
    PyTypeObject *type = (PyTypeObject *)state->vocab_type;
    vocab_object *made = (vocab_object *)type->tp_alloc(type, 0);
    if (!made) {
        pith_vocab_free(vocab);
        return NULL;
    }
    made->vocab = vocab;
    return (PyObject *)made;
}

PyObject *model_vocab(PyObject *model)
{
    PyObject *models = PyImport_ImportModule("pith._models");
    PyObject *name =
        models ? PyObject_CallMethod(models, "tokenizer_of", "O", model) : NULL;
    Py_XDECREF(models);
    return name;
}

/* The vocabulary of what is no name of one, but may be that of a model. */
static PyObject *vocab_of_model(module_state *state, PyObject *model,
                                const pith_error *unknown)
{
    PyObject *name = model_vocab(model);
    if (!name && !PyErr_ExceptionMatches(PyExc_LookupError))
        return NULL;
    PyErr_Clear();
    PyObject *made = name ? vocab_find(state, name) : raise_error(state, unknown);
    Py_XDECREF(name);
    return made;
}

PyObject *vocab_find(module_state *state, PyObject *name)
{
    if (Py_TYPE(name) == (PyTypeObject *)state->vocab_type)
        return Py_NewRef(name);
    const char *word = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
    if (!word) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError,
                         "a tokenizer is a name or a pith.Tokenizer, not %s",
                         Py_TYPE(name)->tp_name);
        return NULL;
    }
    PyObject *known = PyDict_GetItemWithError(state->vocabs, name);
    if (known || PyErr_Occurred())
        return Py_XNewRef(known);
    pith_error err = {0};
    pith_vocab *vocab = pith_vocab_open(word, NULL, &err);
    if (!vocab && err.status == PITH_BAD_USE)
        return vocab_of_model(state, name, &err);
    PyObject *made = vocab_wrap(state, vocab, &err);
    if (made && PyDict_SetItem(state->vocabs, name, made) != 0)
        Py_CLEAR(made);
    return made;
}

static PyObject *vocab_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"name", NULL};
    PyObject *name;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "U:Tokenizer", names, &name))
        return NULL;
    return vocab_find(PyType_GetModuleState(type), name);
}

static PyObject *vocab_from_json(PyObject *type, PyObject *object)
{
    module_state *state = PyType_GetModuleState((PyTypeObject *)type);
    PyObject *kept;
    pith_text text;
    pith_error err = {0};
    if (!text_of(object, &text, &kept))
        return NULL;
    pith_vocab *vocab;
    Py_BEGIN_ALLOW_THREADS vocab = pith_vocab_read(text.ptr, text.len, NULL, &err);
    Py_END_ALLOW_THREADS Py_XDECREF(kept);
    return vocab_wrap(state, vocab, &err);
}

static void vocab_dealloc(PyObject *self)
{
    vocab_object *vocab = (vocab_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (size_t i = 0; i < COUNTERS_KEPT; i++)
        pith_counter_free(vocab->counters[i]);
    pith_vocab_free(vocab->vocab);
    type->tp_free(self);
    Py_DECREF(type);
}

/* ------------------------------------------------------------------------- counting */

static pith_counter *counter_take(vocab_object *vocab)
{
    pith_counter *counter = NULL;
    for (size_t i = 0; i < COUNTERS_KEPT && !counter; i++)
        counter = atomic_exchange(&vocab->counters[i], NULL);
    return counter ? counter : pith_counter_new(vocab->vocab, NULL);
}

static void counter_give(vocab_object *vocab, pith_counter *counter)
{
    for (size_t i = 0; i < COUNTERS_KEPT && counter; i++) {
        pith_counter *none = NULL;
        if (atomic_compare_exchange_strong(&vocab->counters[i], &none, counter))
            counter = NULL;
    }
    pith_counter_free(counter);
}

/* Gives the text to the counter, in pieces; false when a signal came. */
static bool count_pieces(call *c, pith_sink sink, pith_text text)
{
    while (text.len > 0) {
        size_t len = text.len < PIECE ? text.len : PIECE;
        if (sink.write(sink.ctx, text.ptr, len) != PITH_OK)
            return true; /* the total tells why */
        text.ptr += len;
        text.len -= len;
        if (text.len > 0 && !call_progress(c, 0))
            return false;
    }
    return true;
}

static PyObject *count_text(call *c, vocab_object *vocab, pith_text text)
{
    pith_error err = {0};
    size_t total = 0;
    pith_counter *counter = counter_take(vocab);
    if (!counter)
        return PyErr_NoMemory();
    bool released = text.len > SHORT_TEXT;
    if (released)
        call_release(c);
    bool whole = count_pieces(c, pith_counter_sink(counter), text);
    pith_status status = pith_counter_total(counter, &total, &err);
    if (released)
        call_acquire(c);
    counter_give(vocab, counter);
    if (!whole)
        return NULL;
    return status == PITH_OK ? PyLong_FromSize_t(total) : raise_error(c->state, &err);
}

/* The vocabulary of a call, that of tokenizer= or the default. */
static vocab_object *vocab_of_call(call *c)
{
    if (!c->vocab) {
        PyObject *name = PyUnicode_FromString(pith_vocab_name_at(0));
        c->vocab = name ? vocab_find(c->state, name) : NULL;
        Py_XDECREF(name);
    }
    return (vocab_object *)c->vocab;
}

static PyObject *count(PyObject *module, PyObject *const *args, Py_ssize_t arg_count,
                       PyObject *names)
{
    call c;
    PyObject *kept;
    PyObject *result = NULL;
    pith_text text;
    if (call_begin(&c, state_of(module), NULL, args, arg_count, names, TAKES_NONE) &&
        vocab_of_call(&c) && text_of(args[0], &text, &kept)) {
        result = count_text(&c, vocab_of_call(&c), text);
        Py_XDECREF(kept);
    }
    if (!call_end(&c, result != NULL))
        Py_CLEAR(result);
    return result;
}

/* ------------------------------------------------------------- encoding and decoding */

static PyObject *ids_object(const pith_tokens *tokens)
{
    PyObject *list = PyList_New((Py_ssize_t)tokens->count);
    for (size_t i = 0; list && i < tokens->count; i++) {
        PyObject *id = PyLong_FromUnsignedLong(tokens->ids[i]);
        if (!id)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, (Py_ssize_t)i, id);
    }
    return list;
}

static PyObject *encode_text(call *c, pith_text text)
{
    pith_error err = {0};
    pith_tokens tokens = {0};
    PyObject *list = NULL;
    if (text.len > SHORT_TEXT)
        call_release(c);
    pith_status status = pith_vocab_encode(
        vocab_of_call(c)->vocab, text.ptr, text.len,
        c->special ? PITH_SPECIAL_IS_TOKEN : PITH_SPECIAL_IS_TEXT, &tokens, &err);
    if (c->released)
        call_acquire(c);
    if (status == PITH_OK)
        list = ids_object(&tokens);
    else
        raise_error(c->state, &err);
    pith_tokens_free(&tokens);
    return list;
}

static PyObject *encode(PyObject *module, PyObject *const *args, Py_ssize_t arg_count,
                        PyObject *names)
{
    call c;
    PyObject *kept;
    PyObject *result = NULL;
    pith_text text;
    if (call_begin(&c, state_of(module), NULL, args, arg_count, names,
                   TAKES_NONE | TAKES_SPECIAL) &&
        vocab_of_call(&c) && text_of(args[0], &text, &kept)) {
        result = encode_text(&c, text);
        Py_XDECREF(kept);
    }
    if (!call_end(&c, result != NULL))
        Py_CLEAR(result);
    return result;
}

/* The ids of a sequence of ints, in memory of the caller; false with an exception. */
static bool read_ids(PyObject *fast, uint32_t *ids)
{
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast); i++) {
        unsigned long id = PyLong_AsUnsignedLong(PySequence_Fast_GET_ITEM(fast, i));
        if (PyErr_Occurred())
            return false;
        ids[i] = id > UINT32_MAX ? UINT32_MAX : (uint32_t)id;
    }
    return true;
}

/* Bytes: a token may be a part of a character. */
static PyObject *decode_ids(call *c, PyObject *fast)
{
    pith_error err = {0};
    pith_buffer out = {0};
    PyObject *bytes = NULL;
    size_t total = (size_t)PySequence_Fast_GET_SIZE(fast);
    uint32_t *ids = PyMem_Malloc((total + 1) * sizeof *ids);
    if (!ids)
        return PyErr_NoMemory();
    if (read_ids(fast, ids)) {
        if (pith_vocab_decode(vocab_of_call(c)->vocab, ids, total, &c->options,
                              pith_sink_buffer(&out), &err) == PITH_OK)
            bytes = PyBytes_FromStringAndSize(out.data, (Py_ssize_t)out.len);
        else
            raise_error(c->state, &err);
    }
    PyMem_Free(ids);
    pith_buffer_free(&out);
    return bytes;
}

static PyObject *decode_bytes(PyObject *module, PyObject *const *args,
                              Py_ssize_t arg_count, PyObject *names)
{
    call c;
    PyObject *result = NULL;
    if (call_begin(&c, state_of(module), NULL, args, arg_count, names, TAKES_NONE) &&
        vocab_of_call(&c)) {
        PyObject *fast = PySequence_Fast(args[0], "tokens are a sequence of int");
        result = fast ? decode_ids(&c, fast) : NULL;
        Py_XDECREF(fast);
    }
    if (!call_end(&c, result != NULL))
        Py_CLEAR(result);
    return result;
}

/* -------------------------------------------------------------------------- the type */

static PyObject *vocab_name(PyObject *self, void *none)
{
    (void)none;
    return PyUnicode_FromString(pith_vocab_describe(vocab_of(self)).name);
}

static PyObject *vocab_size(PyObject *self, void *none)
{
    (void)none;
    return PyLong_FromSize_t(pith_vocab_describe(vocab_of(self)).size);
}

static PyObject *vocab_exact(PyObject *self, void *none)
{
    (void)none;
    return PyBool_FromLong(pith_vocab_describe(vocab_of(self)).exact);
}

static PyObject *vocab_repr(PyObject *self)
{
    return PyUnicode_FromFormat("Tokenizer('%s')",
                                pith_vocab_describe(vocab_of(self)).name);
}

static PyGetSetDef vocab_members[] = {
    {"name", vocab_name, NULL, "its name", NULL},
    {"size", vocab_size, NULL, "one more than the largest token", NULL},
    {"exact", vocab_exact, NULL, "False for 'estimate'", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

typedef PyObject *token_function(PyObject *module, PyObject *const *args,
                                 Py_ssize_t arg_count, PyObject *names);

/* Methods are the functions of the module with tokenizer=self. */
static PyObject *vocab_call(PyObject *self, PyObject *argument, token_function *function)
{
    PyObject *arguments[] = {argument, self};
    return function(PyType_GetModule(Py_TYPE(self)), arguments, 2, NULL);
}

static PyObject *vocab_count(PyObject *self, PyObject *text)
{
    return vocab_call(self, text, count);
}

static PyObject *vocab_encode(PyObject *self, PyObject *text)
{
    return vocab_call(self, text, encode);
}

static PyObject *vocab_decode(PyObject *self, PyObject *tokens)
{
    PyObject *bytes = vocab_call(self, tokens, decode_bytes);
    PyObject *text = bytes ? PyUnicode_DecodeUTF8(PyBytes_AS_STRING(bytes),
                                                  PyBytes_GET_SIZE(bytes), "replace")
                           : NULL;
    Py_XDECREF(bytes);
    return text;
}

static PyMethodDef vocab_methods[] = {
    {"count", vocab_count, METH_O, "count($self, text)\n--\n\nThe tokens of a text."},
    {"encode", vocab_encode, METH_O,
     "encode($self, text)\n--\n\nThe tokens of a text, as ints."},
    {"decode", vocab_decode, METH_O, "decode($self, tokens)\n--\n\nThe text of tokens."},
    {"from_json", vocab_from_json, METH_O | METH_CLASS,
     "from_json($type, text)\n--\n\nThe tokenizer of a tokenizer.json, as Hugging Face writes it."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot vocab_slots[] = {
    {Py_tp_doc, "Tokenizer(name)\n--\n\nA vocabulary, by its name or that of a model."},
    {Py_tp_new, vocab_new},
    {Py_tp_dealloc, vocab_dealloc},
    {Py_tp_repr, vocab_repr},
    {Py_tp_getset, vocab_members},
    {Py_tp_methods, vocab_methods},
    {0, NULL},
};

static PyType_Spec vocab_spec = {"pith.Tokenizer", sizeof(vocab_object), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                                 vocab_slots};

int tokens_ready(PyObject *module, module_state *state)
{
    state->vocabs = PyDict_New();
    state->vocab_type = PyType_FromModuleAndSpec(module, &vocab_spec, NULL);
    if (!state->vocabs || !state->vocab_type)
        return -1;
    return PyModule_AddObjectRef(module, "Tokenizer", state->vocab_type);
}

#define KEYWORDS(function)                                                               \
    (PyCFunction)(void (*)(void)) function, METH_FASTCALL | METH_KEYWORDS

PyMethodDef token_methods[] = {
    {"count", KEYWORDS(count),
     "count($module, /, text, tokenizer='o200k_base', **options)\n--\n\nThe tokens of a text."},
    {"encode", KEYWORDS(encode),
     "encode($module, /, text, tokenizer='o200k_base', **options)\n--\n\nThe tokens of a text, as ints."},
    {"decode_bytes", KEYWORDS(decode_bytes),
     "decode_bytes($module, /, tokens, tokenizer='o200k_base', **options)\n--\n\nThe bytes of tokens."},
    {NULL, NULL, 0, NULL},
};
