/*
 * arrays.c - schemas, arrays and streams of Arrow, made by hand.
 */
#include "arrays.h"
#include "testing.h"

#include <errno.h>

enum { CHILDREN_MOST = 200, BUFFERS_MOST = 8 };

static long alive;

long arrays_alive(void)
{
    return alive;
}

/* ---------------------------------------------------------------------- schemas */

typedef struct own_schema {
    struct ArrowSchema *children[CHILDREN_MOST];
    char metadata[128];
} own_schema;

static void release_schema(struct ArrowSchema *schema)
{
    assert_non_null(schema->release);
    for (int64_t i = 0; i < schema->n_children; i++)
        drop_schema(schema->children[i]);
    drop_schema(schema->dictionary);
    free(schema->private_data);
    schema->release = NULL;
    alive--;
}

void drop_schema(struct ArrowSchema *schema)
{
    if (schema && schema->release)
        schema->release(schema);
    free(schema);
}

static struct ArrowSchema *bare_schema(const char *format, const char *name)
{
    struct ArrowSchema *schema = (struct ArrowSchema *)calloc(1, sizeof *schema);
    own_schema *own = (own_schema *)calloc(1, sizeof *own);
    if (!schema || !own)
        abort();
    schema->format = format;
    schema->name = name;
    schema->flags = ARROW_FLAG_NULLABLE;
    schema->children = own->children;
    schema->release = release_schema;
    schema->private_data = own;
    alive++;
    return schema;
}

struct ArrowSchema *make_schema(const char *format, const char *name, ...)
{
    struct ArrowSchema *schema = bare_schema(format, name);
    struct ArrowSchema *child;
    va_list children;
    va_start(children, name);
    while ((child = va_arg(children, struct ArrowSchema *)) != NULL)
        schema->children[schema->n_children++] = child;
    va_end(children);
    return schema;
}

struct ArrowSchema *make_dictionary_schema(const char *format, const char *name,
                                           struct ArrowSchema *values)
{
    struct ArrowSchema *schema = bare_schema(format, name);
    schema->dictionary = values;
    return schema;
}

static char *put_metadata(char *at, const char *text)
{
    int32_t len = (int32_t)strlen(text);
    memcpy(at, &len, sizeof len);
    memcpy(at + sizeof len, text, (size_t)len);
    return at + sizeof len + len;
}

struct ArrowSchema *extend_schema(struct ArrowSchema *schema, const char *extension)
{
    own_schema *own = (own_schema *)schema->private_data;
    int32_t pairs = 2;
    memcpy(own->metadata, &pairs, sizeof pairs);
    char *at = put_metadata(own->metadata + sizeof pairs, "other");
    at = put_metadata(at, "thing");
    at = put_metadata(at, "ARROW:extension:name");
    put_metadata(at, extension);
    schema->metadata = own->metadata;
    return schema;
}

/* ----------------------------------------------------------------------- arrays */

typedef struct own_array {
    const void *buffers[BUFFERS_MOST];
    struct ArrowArray *children[CHILDREN_MOST];
} own_array;

static void release_array(struct ArrowArray *array)
{
    assert_non_null(array->release);
    for (int64_t i = 0; i < array->n_children; i++)
        drop_array(array->children[i]);
    drop_array(array->dictionary);
    free(array->private_data);
    array->release = NULL;
    alive--;
}

void drop_array(struct ArrowArray *array)
{
    if (array && array->release)
        array->release(array);
    free(array);
}

struct ArrowArray *make_array(int64_t length, int64_t null_count, int64_t offset,
                              size_t buffer_count, const void *const *buffers)
{
    struct ArrowArray *array = (struct ArrowArray *)calloc(1, sizeof *array);
    own_array *own = (own_array *)calloc(1, sizeof *own);
    if (!array || !own || buffer_count > BUFFERS_MOST)
        abort();
    memcpy(own->buffers, buffers, buffer_count * sizeof *buffers);
    array->length = length;
    array->null_count = null_count;
    array->offset = offset;
    array->n_buffers = (int64_t)buffer_count;
    array->buffers = own->buffers;
    array->children = own->children;
    array->release = release_array;
    array->private_data = own;
    alive++;
    return array;
}

struct ArrowArray *add_child(struct ArrowArray *array, struct ArrowArray *child)
{
    array->children[array->n_children++] = child;
    return array;
}

struct ArrowArray *add_dictionary(struct ArrowArray *array, struct ArrowArray *values)
{
    array->dictionary = values;
    return array;
}

/* ---------------------------------------------------------------------- streams */

typedef struct own_stream {
    struct ArrowSchema *schema;
    struct ArrowArray *arrays[CHILDREN_MOST];
    size_t count, next, fail_at;
} own_stream;

static int stream_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    own_stream *own = (own_stream *)stream->private_data;
    if (!own->schema)
        return EIO;
    *out = *own->schema;
    free(own->schema);
    own->schema = NULL;
    return 0;
}

static int stream_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    own_stream *own = (own_stream *)stream->private_data;
    if (own->next + 1 == own->fail_at)
        return EIO;
    memset(out, 0, sizeof *out);
    if (own->next == own->count)
        return 0;
    *out = *own->arrays[own->next];
    free(own->arrays[own->next++]);
    return 0;
}

static const char *stream_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "the disk is on fire";
}

static void stream_release(struct ArrowArrayStream *stream)
{
    assert_non_null(stream->release);
    own_stream *own = (own_stream *)stream->private_data;
    drop_schema(own->schema);
    for (size_t i = own->next; i < own->count; i++)
        drop_array(own->arrays[i]);
    free(own);
    stream->release = NULL;
    alive--;
}

struct ArrowArrayStream make_stream(struct ArrowSchema *schema,
                                    struct ArrowArray **arrays, size_t count,
                                    size_t fail_at)
{
    own_stream *own = (own_stream *)calloc(1, sizeof *own);
    if (!own || count > CHILDREN_MOST)
        abort();
    own->schema = schema;
    own->count = count;
    own->fail_at = fail_at;
    memcpy(own->arrays, arrays, count * sizeof *arrays);
    struct ArrowArrayStream stream = {stream_schema, stream_next, stream_error,
                                      stream_release, own};
    alive++;
    return stream;
}
