/*
 * scratch.c - memory that calls hand on to the next.
 *
 * Making a document and its arrays costs more than writing a small object. So a call takes
 * a scratch from a few that the module keeps, and gives it back; a call inside of a call (a
 * `default` function that calls dumps) takes another. Taking is one atomic exchange: no
 * thread waits for another, and a child after a fork merely misses those that were taken.
 * What has grown beyond a few megabytes is not kept.
 */
#include "pithpy.h"

enum { BYTES_KEPT = 4 << 20 };

/* Counts what a document takes; the sizes are told with each call. */
static void *resize_counted(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    size_t *bytes = ctx;
    void *moved = NULL;
    if (new_size == 0) {
        free(ptr);
    } else {
        moved = realloc(ptr, new_size);
        if (!moved)
            return NULL;
    }
    *bytes += new_size - old_size;
    return moved;
}

static bool make_doc(scratch *s, size_t depth_max)
{
    pith_options options = {0};
    options.alloc.resize = resize_counted;
    options.alloc.ctx = &s->doc_bytes;
    options.depth_max = depth_max;
    pith_doc_free(s->doc);
    s->doc = pith_doc_new(&options);
    s->doc_depth = depth_max;
    return s->doc != NULL;
}

void scratch_free(scratch *s)
{
    if (!s)
        return;
    pith_doc_free(s->doc);
    pith_buffer_free(&s->out);
    free(s->values.items);
    free(s->keys.items);
    free(s->dead.items);
    free(s->frames);
    free(s);
}

scratch *scratch_take(module_state *state, size_t depth_max)
{
    scratch *s = NULL;
    for (size_t i = 0; i < SCRATCHES_KEPT && !s; i++)
        s = atomic_exchange(&state->scratches[i], NULL);
    if (!s)
        s = calloc(1, sizeof *s);
    if (s && (s->doc == NULL || s->doc_depth != depth_max) && !make_doc(s, depth_max)) {
        scratch_free(s);
        s = NULL;
    }
    if (!s)
        PyErr_NoMemory();
    return s;
}

static bool is_small(const scratch *s)
{
    return s->doc_bytes <= BYTES_KEPT && s->out.cap <= BYTES_KEPT &&
           s->values.room <= BYTES_KEPT / sizeof(PyObject *) &&
           s->keys.room <= BYTES_KEPT / sizeof(PyObject *) &&
           s->dead.room <= BYTES_KEPT / sizeof(PyObject *) &&
           s->frame_room <= BYTES_KEPT / sizeof(frame);
}

void scratch_give(module_state *state, scratch *s)
{
    pith_doc_reset(s->doc);
    s->out.len = 0;
    for (size_t i = 0; i < SCRATCHES_KEPT && s && is_small(s); i++) {
        scratch *none = NULL;
        if (atomic_compare_exchange_strong(&state->scratches[i], &none, s))
            s = NULL;
    }
    scratch_free(s);
}

bool list_add(object_list *list, PyObject *item)
{
    if (list->count == list->room) {
        size_t room = list->room * 2 + 64;
        PyObject **grown = realloc(list->items, room * sizeof *grown);
        if (!grown) {
            PyErr_NoMemory();
            return false;
        }
        list->items = grown;
        list->room = room;
    }
    list->items[list->count++] = item;
    return true;
}
