/*
 * arrays.h - schemas, arrays and streams of Arrow, made by hand.
 *
 * Each is freed by its release callback and counted: arrays_alive says how many have not
 * been released, and a second release ends the test.
 */
#ifndef PITH_TEST_ARRAYS_H
#define PITH_TEST_ARRAYS_H

#include "pith.h"

/* A schema with children, which are taken over; end the list with NULL. Nullable. */
struct ArrowSchema *make_schema(const char *format, const char *name, ...);

/* The same with a dictionary, which is taken over. */
struct ArrowSchema *make_dictionary_schema(const char *format, const char *name,
                                           struct ArrowSchema *values);

/* Gives it the name of an extension. */
struct ArrowSchema *extend_schema(struct ArrowSchema *schema, const char *extension);

/* An array; its buffers are borrowed. */
struct ArrowArray *make_array(int64_t length, int64_t null_count, int64_t offset,
                              size_t buffer_count, const void *const *buffers);
#define BUFFERS(...)                                                                     \
    sizeof((const void *[]){__VA_ARGS__}) / sizeof(void *), (const void *[])             \
    {                                                                                    \
        __VA_ARGS__                                                                      \
    }

/* Gives it a child, or its dictionary; they are taken over. */
struct ArrowArray *add_child(struct ArrowArray *array, struct ArrowArray *child);
struct ArrowArray *add_dictionary(struct ArrowArray *array, struct ArrowArray *values);

/* Releases and frees what make_schema and make_array made; NULL is fine. */
void drop_schema(struct ArrowSchema *schema);
void drop_array(struct ArrowArray *array);

/* A stream of these, which are taken over. `fail_at`: number of the call of get_next,
 * from 1, that fails; 0: none. */
struct ArrowArrayStream make_stream(struct ArrowSchema *schema,
                                    struct ArrowArray **arrays, size_t count,
                                    size_t fail_at);

/* Schemas, arrays and streams that were made and not released. */
long arrays_alive(void);

#endif /* PITH_TEST_ARRAYS_H */
