/*
 * module.c - the module: its state, and its list of functions.
 *
 * Each interpreter has a module of its own with all that is kept in its state, so that
 * subinterpreters share nothing. On free-threaded Python importing it turns the GIL on: the
 * walk over objects borrows from them.
 */
#include "pithpy.h"

module_state *state_of(PyObject *module)
{
    return PyModule_GetState(module);
}

PyObject *import_name(const char *module, const char *name)
{
    PyObject *imported = PyImport_ImportModule(module);
    PyObject *found = imported ? PyObject_GetAttrString(imported, name) : NULL;
    Py_XDECREF(imported);
    return found;
}

static bool import_all(module_state *state)
{
    return (state->error_type = import_name("pith._errors", "Error")) &&
           (state->notice_type = import_name("pith._errors", "Notice")) &&
           (state->plan = import_name("pith._objects", "plan")) &&
           (state->row_dict = import_name("pith._objects", "row_dict"));
}

static int module_exec(PyObject *module)
{
    module_state *state = state_of(module);
    if (!import_all(state) || PyModule_AddFunctions(module, token_methods) != 0 ||
        PyModule_AddStringConstant(module, "version", pith_version()) != 0)
        return -1;
    if (arrow_ready(module) != 0 || rows_ready(module, state) != 0 ||
        state_ready(module, state) != 0)
        return -1;
    return tokens_ready(module, state);
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    module_state *state = state_of(module);
    Py_VISIT(state->error_type);
    Py_VISIT(state->notice_type);
    Py_VISIT(state->plan);
    Py_VISIT(state->row_dict);
    Py_VISIT(state->part_type);
    Py_VISIT(state->rows_type);
    Py_VISIT(state->state_type);
    Py_VISIT(state->vocab_type);
    Py_VISIT(state->vocabs);
    return 0;
}

static int module_clear(PyObject *module)
{
    module_state *state = state_of(module);
    Py_CLEAR(state->error_type);
    Py_CLEAR(state->notice_type);
    Py_CLEAR(state->plan);
    Py_CLEAR(state->row_dict);
    Py_CLEAR(state->part_type);
    Py_CLEAR(state->rows_type);
    Py_CLEAR(state->state_type);
    Py_CLEAR(state->vocab_type);
    Py_CLEAR(state->vocabs);
    for (size_t i = 0; i < KEYS_KEPT; i++)
        Py_CLEAR(state->keys[i]);
    return 0;
}

static void module_free(void *module)
{
    module_state *state = state_of(module);
    module_clear(module);
    for (size_t i = 0; i < SCRATCHES_KEPT; i++)
        scratch_free(atomic_exchange(&state->scratches[i], NULL));
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
    {0, NULL},
};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT,     .m_name = "pith._pith",  .m_size = sizeof(module_state),
    .m_methods = text_methods, .m_slots = module_slots, .m_traverse = module_traverse,
    .m_clear = module_clear,   .m_free = module_free,
};

PyMODINIT_FUNC PyInit__pith(void);

PyMODINIT_FUNC PyInit__pith(void)
{
    return PyModuleDef_Init(&module_def);
}
