/*
 * trip.c - there, back, and what must be true then.
 */
#include "trip.h"

#include <stdlib.h>
#include <string.h>

void trip_open(trip *t)
{
    t->from = pith_doc_new(NULL);
    t->back = pith_doc_new(NULL);
    t->third = pith_doc_new(NULL);
    if (!t->from || !t->back || !t->third)
        abort();
}

void trip_close(trip *t)
{
    bytes_free(&t->json);
    pith_buffer_free(&t->text);
    pith_buffer_free(&t->again);
    pith_doc_free(t->from);
    pith_doc_free(t->back);
    pith_doc_free(t->third);
}

pith_status trip_write(trip *t, pith_value value, pith_buffer *out)
{
    pith_options options = {0};
    options.write = t->write;
    out->len = 0;
    return pith_value_write(value, t->way->format, &options, pith_sink_buffer(out),
                            &t->err);
}

pith_status trip_read(trip *t, pith_doc *doc, const pith_buffer *text)
{
    pith_options options = {0};
    options.read = t->read;
    return pith_doc_read(doc, t->way->format, text->data, text->len, &options, &t->err);
}

/* True when the list of words, separated by spaces, has that one. */
static bool is_listed(const char *list, const char *code)
{
    size_t len = strlen(code);
    for (const char *at = strstr(list, code); at; at = strstr(at + 1, code)) {
        bool starts = at == list || at[-1] == ' ';
        if (starts && (at[len] == ' ' || at[len] == '\0'))
            return true;
    }
    return false;
}

static void drop_group(trip *t)
{
    char *group = strstr(t->write, " group=");
    if (group)
        *group = '\0';
}

static bool is_longer_than_json(const trip *t)
{
    return strcmp(t->way->name, "pith") == 0 && t->write[0] == '\0' &&
           t->text.len > t->json.len;
}

/* Level 2 is written only where it is shorter. */
static bool is_longer_than_level_1(trip *t)
{
    if (strcmp(t->way->name, "pith-2") != 0)
        return false;
    pith_options options = {0};
    options.write = strstr(t->write, "rows=inline") ? "rows=inline" : NULL;
    t->again.len = 0;
    pith_value_write(pith_doc_root(t->from), "pith", &options,
                     pith_sink_buffer(&t->again), &t->err);
    return t->text.len > t->again.len;
}

const char *trip_go(trip *t, bool *refused)
{
    pith_value value = pith_doc_root(t->from);
    pith_status status = trip_write(t, value, &t->text);
    if (status == PITH_UNREPRESENTABLE && strcmp(t->err.code, "not_groupable") == 0) {
        drop_group(t); /* no field tells the rows apart */
        status = trip_write(t, value, &t->text);
    }
    *refused = status == PITH_UNREPRESENTABLE && is_listed(t->way->refuses, t->err.code);
    if (*refused)
        return NULL;
    if (status != PITH_OK)
        return "cannot be written";
    if (trip_read(t, t->back, &t->text) != PITH_OK)
        return "cannot be read back";
    t->err.status = PITH_OK;
    if (!trip_alike(value, pith_doc_root(t->back), t->way->promise))
        return "comes back as something else";
    if (is_longer_than_json(t))
        return "is longer than JSON";
    if (is_longer_than_level_1(t))
        return "is longer than level 1";
    return NULL;
}

const char *trip_go_again(trip *t)
{
    bool same = trip_write(t, pith_doc_root(t->back), &t->again) == PITH_OK &&
                t->again.len == t->text.len &&
                memcmp(t->again.data, t->text.data, t->text.len) == 0;
    return same ? NULL : "is written differently when it has come back";
}

const char *trip_go_by_json(trip *t)
{
    pith_value back = pith_doc_root(t->back);
    t->again.len = 0;
    bool same = pith_value_write(back, "json", NULL, pith_sink_buffer(&t->again),
                                 &t->err) == PITH_OK &&
                pith_doc_read(t->third, "json", t->again.data, t->again.len, NULL,
                              &t->err) == PITH_OK &&
                pith_value_equal(back, pith_doc_root(t->third));
    return same ? NULL : "is lost on the way to JSON";
}
