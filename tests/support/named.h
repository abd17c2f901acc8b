/*
 * named.h - tables by names that are strings, as tests have them.
 */
#ifndef PITH_TEST_NAMED_H
#define PITH_TEST_NAMED_H

#include "pith.h"

#include <stdlib.h>
#include <string.h>

static inline pith_text named(const char *string)
{
    return (pith_text){string, string ? strlen(string) : 0};
}

/* The names as texts, for the caller to free; NULL when there is no list. */
static inline pith_text *named_all(const char *const *names, size_t count)
{
    pith_text *texts = names ? (pith_text *)calloc(count + 1, sizeof *texts) : NULL;
    for (size_t i = 0; texts && i < count; i++)
        texts[i] = named(names[i]);
    return texts;
}

/* pith_rows_open */
static inline pith_rows *rows_open_named(const char *format, const char *const *names,
                                         size_t count, const pith_options *options,
                                         pith_sink sink, pith_error *err)
{
    pith_text *columns = named_all(names, count);
    pith_rows *rows = pith_rows_open(format, columns, count, options, sink, err);
    free(columns);
    return rows;
}

/* pith_rows_begin_table */
static inline pith_status rows_begin_named(pith_rows *rows, const char *name,
                                           const char *const *names, size_t count,
                                           pith_error *err)
{
    pith_text *columns = named_all(names, count);
    pith_status status =
        pith_rows_begin_table(rows, named(name), columns, count, false, err);
    free(columns);
    return status;
}

/* pith_rows_begin_keyed */
static inline pith_status rows_begin_keyed_named(pith_rows *rows, const char *name,
                                                 const char *const *names, size_t count,
                                                 pith_error *err)
{
    pith_text *columns = named_all(names, count);
    pith_status status =
        pith_rows_begin_table(rows, named(name), columns, count, true, err);
    free(columns);
    return status;
}

/* pith_rows_add_member */
static inline pith_status rows_add_named(pith_rows *rows, const char *name,
                                         pith_value value, pith_error *err)
{
    return pith_rows_add_member(rows, named(name), value, err);
}

#endif /* PITH_TEST_NAMED_H */
