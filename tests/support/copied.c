/*
 * copied.c - events become cells.
 */
#include "copied.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A container that is open on the way. */
typedef struct level {
    size_t left; /* values */
    pith_text
        *keys; /* of an object that is copied with its keys, those left; else NULL */
    pith_text *list; /* all of them, to be freed */
    bool closes;     /* it needs a cell for its end */
} level;

typedef struct copying {
    pith_doc *doc;
    pith_walk walk;
    pith_cell *cells;
    size_t count;
    size_t batch;
    level *levels;
    size_t depth;
    size_t room;
    bool shaped;
} copying;

static void must(bool holds)
{
    if (!holds) {
        fprintf(stderr, "a value cannot be copied by cells\n");
        abort();
    }
}

static void put_cell(copying *c, pith_cell cell)
{
    c->cells[c->count++] = cell;
    if (c->count == c->batch) {
        pith_doc_add_cells(c->doc, c->cells, c->count);
        c->count = 0;
    }
}

static void put_text(copying *c, pith_cell_kind kind, const char *text, size_t len)
{
    pith_cell cell = {.kind = (uint8_t)kind, .len = (uint32_t)len};
    cell.u.text = text;
    put_cell(c, cell);
}

static void put_open(copying *c, const pith_event *event)
{
    level opened = {.left = event->len, .closes = true};
    pith_cell cell = {.kind = PITH_CELL_ARRAY};
    if (event->kind == PITH_OBJECT) {
        opened.list = calloc(event->len + 1, sizeof *opened.list);
        must(opened.list != NULL);
        pith_walk_keys(&c->walk, event, opened.list, event->len);
        cell.kind = PITH_CELL_OBJECT;
        if (c->shaped)
            cell.u.natural = pith_doc_shape(c->doc, opened.list, event->len);
        if (cell.u.natural != 0) {
            cell.kind = PITH_CELL_SHAPED;
            opened.closes = false;
        } else {
            opened.keys = opened.list;
        }
    }
    put_cell(c, cell);
    if (c->depth == c->room) {
        c->room = c->room * 2 + 16;
        c->levels = realloc(c->levels, c->room * sizeof *c->levels);
        must(c->levels != NULL);
    }
    c->levels[c->depth++] = opened;
}

static void put_value(copying *c, const pith_event *event)
{
    switch (event->kind) {
    case PITH_INTEGER:
    case PITH_DECIMAL:
        put_text(c, PITH_CELL_DIGITS, event->u.text, event->len);
        break;
    case PITH_STRING:
        put_text(c, PITH_CELL_TEXT, event->u.text, event->len);
        break;
    case PITH_ARRAY:
    case PITH_OBJECT:
        put_open(c, event);
        break;
    default:
        put_text(c, (pith_cell_kind)(PITH_CELL_NULL + event->kind - PITH_NULL), NULL, 0);
        break;
    }
}

/* Ends the containers that have all their values. A key that a cell points to is in the
 * document that is copied, so that the list of them can go. */
static void put_ends(copying *c)
{
    while (c->depth > 0 && c->levels[c->depth - 1].left == 0) {
        level *last = &c->levels[--c->depth];
        free(last->list);
        if (last->closes)
            put_text(c, PITH_CELL_CLOSE, NULL, 0);
    }
}

static void put_event(copying *c, const pith_event *event)
{
    if (c->depth > 0) {
        level *in = &c->levels[c->depth - 1];
        in->left--;
        if (in->keys) {
            pith_text key = *in->keys++;
            put_text(c, PITH_CELL_KEY, key.ptr, key.len);
        }
    }
    put_value(c, event);
    put_ends(c);
}

pith_doc *copied(pith_value value, size_t batch, bool shaped)
{
    pith_options options = {.depth_max = PITH_DEPTH_MOST};
    pith_event events[16];
    size_t count;
    copying c = {.batch = batch, .shaped = shaped};
    c.doc = pith_doc_new(&options);
    c.cells = calloc(batch, sizeof *c.cells);
    must(c.doc != NULL && c.cells != NULL);
    pith_walk_begin(&c.walk, value, PITH_WALK_DIGITS);
    while ((count = pith_walk_next(&c.walk, events, batch < 16 ? batch : 16)) > 0)
        for (size_t i = 0; i < count; i++)
            put_event(&c, &events[i]);
    pith_doc_add_cells(c.doc, c.cells, c.count);
    must(pith_doc_finish(c.doc, NULL) == PITH_OK);
    free(c.cells);
    free(c.levels);
    return c.doc;
}
