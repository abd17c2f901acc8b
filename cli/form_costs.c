/*
 * form_costs.c - a value in every format that can hold it, and what each form costs.
 *
 * A form counts only if it can be read back, so each is written with verify=value: a
 * format that would lose more than the spelling of numbers drops out, however short it is.
 * So does one that is many times as long as JSON, before it is written to its end.
 */
#include "form_costs.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A form is written as far as this many times compact JSON, and that many bytes. */
enum { FORM_LENGTHS_MAX = 16, FORM_BYTES_FREE = 64 * 1024 };

/* Writes a form into the counter, with these settings before its own. */
static pith_status write_form(const form_counting *counting, pith_value value,
                              const form_cost *form, const char *first, size_t output_max,
                              pith_outcome *outcome, pith_error *err)
{
    char words[128];
    bool optimize = counting->optimize && !form->plain && !form->indented;
    snprintf(words, sizeof words, "%s%s%s%s", first, form->settings != NULL ? " " : "",
             form->settings != NULL ? form->settings : "",
             optimize ? " optimize=tokens" : "");
    pith_options options = {.write = words,
                            .output_max = output_max,
                            .vocab = counting->vocab,
                            .outcome = outcome};
    return pith_value_write(value, form->format, &options,
                            pith_counter_sink(counting->counter), err);
}

/* Counts one form. PITH_UNREPRESENTABLE: it cannot hold the value. */
static pith_status count_form(const form_counting *counting, pith_value value,
                              size_t output_max, form_cost *form, size_t *rows,
                              pith_error *err)
{
    char words[64] = "verify=value note=none";
    pith_outcome outcome = {0};
    if (counting->rows_max > 0)
        snprintf(words, sizeof words, "verify=value note=none rows-max=%zu",
                 counting->rows_max);
    pith_status status =
        write_form(counting, value, form, words, output_max, &outcome, err);
    form->bytes = outcome.bytes;
    *rows = outcome.rows;
    pith_status counted = pith_counter_total(counting->counter, &form->tokens,
                                             status == PITH_OK ? err : NULL);
    return status == PITH_OK ? counted : status;
}

/* Counts the rows that fit into the budget, as a conversion would write them: none where even
 * one is too much. */
static pith_status count_rows(const form_counting *counting, pith_value value,
                              form_cost *form, pith_error *err)
{
    char words[64];
    size_t tokens;
    pith_outcome outcome = {0};
    snprintf(words, sizeof words, "final-newline=true budget=%zu", counting->budget);
    pith_status status = write_form(counting, value, form, words, 0, &outcome, err);
    pith_counter_total(counting->counter, &tokens, NULL);
    form->rows = status == PITH_OK ? outcome.rows : 0;
    return status == PITH_LIMIT ? PITH_OK : status;
}

static int by_tokens(const void *a, const void *b)
{
    const form_cost *first = a;
    const form_cost *second = b;
    if (first->tokens != second->tokens)
        return first->tokens < second->tokens ? -1 : 1;
    return first->order < second->order ? -1 : 1;
}

/* The bytes that are worth writing, when JSON has so many; 0 is no limit. */
static size_t most_bytes(size_t json)
{
    bool many = json > (SIZE_MAX - FORM_BYTES_FREE) / FORM_LENGTHS_MAX;
    return json == 0 || many ? 0 : FORM_LENGTHS_MAX * json + FORM_BYTES_FREE;
}

/* Adds a form to the list, unless it cannot hold the value. */
static bool add_form(const form_counting *counting, pith_value value, form_costs *into,
                     form_cost form, pith_error *err)
{
    size_t rows;
    form.order = into->count;
    size_t most = most_bytes(into->json.bytes);
    pith_status status = count_form(counting, value, most, &form, &rows, err);
    if (status == PITH_OK && counting->budget > 0)
        status = count_rows(counting, value, &form, err);
    if (status == PITH_OK && into->count < FORMS_MAX) {
        into->rows = rows;
        into->list[into->count++] = form;
        into->json = form.plain ? form : into->json;
        into->indented = form.indented ? form : into->indented;
    }
    bool refused = status == PITH_UNREPRESENTABLE || status == PITH_LIMIT;
    bool expected = strstr(form.format, "-graph") != NULL && !counting->all;
    if (refused && !expected && form.settings == NULL &&
        into->refused_count < FORMS_MAX) {
        form_refused *one = &into->refused[into->refused_count++];
        one->format = form.format;
        snprintf(one->why, sizeof one->why, "%.190s", err->message);
    }
    return status == PITH_OK || refused;
}

/* Adds the text that was read, which takes what it takes. */
static bool add_as_it_is(const form_counting *counting, form_costs *into, pith_error *err)
{
    pith_text text = counting->as_it_is;
    if (text.ptr == NULL || into->count == FORMS_MAX)
        return true;
    form_cost form = {.format = "as it is", .as_it_is = true, .bytes = text.len};
    pith_sink counter = pith_counter_sink(counting->counter);
    form.order = into->count;
    counter.write(counter.ctx, text.ptr, text.len);
    if (pith_counter_total(counting->counter, &form.tokens, err) != PITH_OK)
        return false;
    into->list[into->count++] = form;
    return true;
}

/* The others are of the past, or a dialect. */
static bool is_usual(const pith_format *format)
{
    return strncmp(format->name, "gcf1", 4) != 0 &&
           strcmp(format->name, "toon-rows") != 0;
}

static bool is_compared(const pith_format *format, bool all)
{
    return (all || is_usual(format)) && (format->direction & PITH_WRITE) != 0 &&
           (format->direction & PITH_READ) != 0 && !format->binary;
}

bool form_costs_count(const form_counting *counting, pith_value value, form_costs *into,
                      pith_error *err)
{
    form_cost json = {.format = "json", .plain = true};
    form_cost indented = {.format = "json", .settings = "indent=2", .indented = true};
    *into = (form_costs){0};
    if (!add_form(counting, value, into, json, err) ||
        !add_form(counting, value, into, indented, err))
        return false;
    for (size_t i = 1; pith_format_at(i) != NULL; i++) { /* the first is JSON */
        const pith_format *format = pith_format_at(i);
        form_cost form = {.format = format->name};
        if (is_compared(format, counting->all) &&
            !add_form(counting, value, into, form, err))
            return false;
        form_cost dense = {
            .format = format->name, .settings = format->dense, .dense = true};
        if (is_compared(format, counting->all) && format->dense != NULL &&
            !add_form(counting, value, into, dense, err))
            return false;
    }
    if (!add_as_it_is(counting, into, err))
        return false;
    qsort(into->list, into->count, sizeof into->list[0], by_tokens);
    return true;
}

static form_cost *find_like(form_costs *among, const form_cost *like)
{
    for (size_t i = 0; i < among->count; i++) {
        form_cost *form = &among->list[i];
        if (strcmp(form->format, like->format) == 0 && form->indented == like->indented &&
            form->dense == like->dense)
            return form;
    }
    return NULL;
}

static void add_cost(form_cost *to, const form_cost *more)
{
    to->tokens += more->tokens;
    to->bytes += more->bytes;
    to->rows += more->rows;
}

void form_costs_add(form_costs *total, const form_costs *more)
{
    form_costs other = *more;
    size_t kept = 0;
    if (total->count == 0) {
        *total = other;
        total->refused_count = 0;
        return;
    }
    for (size_t i = 0; i < total->count; i++) {
        const form_cost *there = find_like(&other, &total->list[i]);
        if (there == NULL)
            continue;
        total->list[kept] = total->list[i];
        add_cost(&total->list[kept++], there);
    }
    total->count = kept;
    total->json.tokens += other.json.tokens;
    total->indented.tokens = other.indented.tokens == 0 || total->indented.tokens == 0
                                 ? 0
                                 : total->indented.tokens + other.indented.tokens;
    qsort(total->list, total->count, sizeof total->list[0], by_tokens);
}

long form_saving(size_t tokens, size_t against)
{
    assert(against > 0);
    double share = ((double)against - (double)tokens) / (double)against;
    return (long)(share * 1000 + (share < 0 ? -0.5 : 0.5));
}
