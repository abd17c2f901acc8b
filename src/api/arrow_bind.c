/*
 * arrow_bind.c - where the values of each type are in a batch, which is checked on the way.
 *
 * Arrays say how long they are and how many buffers they have, and nothing of the size of
 * buffers: whoever hands over an array vouches for these. All else that could be wrong is
 * found here, or when an element is looked at.
 */
#include "api/arrow_in.h"
#include "base/error.h"

/* How many buffers the arrays of a type have, of views at least. */
static int64_t arrow_buffers_of(const arrow_type *type)
{
    switch (type->kind) {
    case ARROW_NULL:
    case ARROW_RUNS:
        return 0;
    case ARROW_STRUCT:
    case ARROW_LIST_FIXED:
        return 1;
    case ARROW_TEXT:
    case ARROW_BYTES:
    case ARROW_TEXT_VIEW:
    case ARROW_BYTES_VIEW:
    case ARROW_LIST_VIEW:
        return 3;
    case ARROW_UNION:
        return type->dense ? 2 : 1;
    default:
        return 2;
    }
}

static bool arrow_has_validity(const arrow_type *type)
{
    return type->kind != ARROW_NULL && type->kind != ARROW_UNION &&
           type->kind != ARROW_RUNS;
}

static const char *arrow_check_array(const arrow_type *type,
                                     const struct ArrowArray *array)
{
    int64_t buffers = arrow_buffers_of(type);
    bool more = type->kind == ARROW_TEXT_VIEW || type->kind == ARROW_BYTES_VIEW ||
                type->kind == ARROW_NULL; /* Polars has one there, and nobody reads it */
    if (array->length < 0 || array->offset < 0 ||
        array->offset > INT64_MAX / 64 - array->length)
        return "its length or its offset is not one";
    if (array->null_count < -1 || array->null_count > array->length)
        return "its number of nulls is not one";
    if (more ? array->n_buffers < buffers : array->n_buffers != buffers)
        return "it has another number of buffers than its type";
    if (array->n_children != (int64_t)type->child_count ||
        (type->child_count > 0 && !array->children))
        return "it has another number of children than its type";
    if ((array->dictionary != NULL) != (type->dictionary != 0))
        return "it has a dictionary, or lacks one, against its type";
    if (buffers > 0 && !array->buffers)
        return "it has no buffers";
    return NULL;
}

/* Sets where the values are; what is wrong with that, or NULL. */
static const char *arrow_set_place(const arrow_type *type, arrow_place *place)
{
    const struct ArrowArray *array = place->array;
    size_t first = arrow_has_validity(type);
    size_t count = (size_t)arrow_buffers_of(type);
    place->offset = array->offset;
    place->length = array->length;
    place->valid = NULL;
    if (first && array->null_count != 0)
        place->valid = (const uint8_t *)array->buffers[0];
    if (first && array->null_count > 0 && !place->valid)
        return "it has nulls and no bits that say which";
    place->data = count > first ? (const uint8_t *)array->buffers[first] : NULL;
    place->more = count > first + 1 ? (const uint8_t *)array->buffers[first + 1] : NULL;
    bool values = count > first && !(type->kind == ARROW_BYTES_FIXED && type->size == 0);
    if (values && array->length > 0 && !place->data)
        return "it has values and no buffer for them";
    bool pairs =
        type->kind == ARROW_LIST_VIEW || (type->kind == ARROW_UNION && type->dense);
    if (pairs && array->length > 0 && !place->more)
        return "it has lists or members and no buffer for where they are";
    return NULL;
}

/* The child of a struct, a fixed list or a sparse union has as many elements as it needs. */
static bool arrow_is_long_enough(const arrow_type *type, const arrow_place *place,
                                 const struct ArrowArray *child)
{
    int64_t need = place->offset + place->length;
    if (type->kind == ARROW_LIST_FIXED) {
        if (type->size > 0 && need > INT64_MAX / 64 / type->size)
            return false;
        need *= type->size;
    } else if (type->kind != ARROW_STRUCT && (type->kind != ARROW_UNION || type->dense)) {
        return true;
    }
    return child->length >= need;
}

static pith_status arrow_bind_fails(const arrow_type *type, const char *sentence,
                                    pith_error *err)
{
    return error_set(err, PITH_BAD_INPUT, "bad_array", "the array of \"%s\": %s",
                     error_quote(type->name.ptr, type->name.len).text, sentence);
}

static pith_status arrow_bind_one(arrow_in *in, uint32_t at,
                                  const struct ArrowArray *array, pith_error *err)
{
    const arrow_type *type = &in->types.list.at[at];
    arrow_place *place = &in->places[at];
    if (!array)
        return arrow_bind_fails(type, "it is missing", err);
    if (!array->release) {
        return error_set(err, PITH_BAD_USE, "released",
                         "the array of \"%s\" has been released already",
                         error_quote(type->name.ptr, type->name.len).text);
    }
    const char *wrong = arrow_check_array(type, array);
    place->array = array;
    if (!wrong)
        wrong = arrow_set_place(type, place);
    for (uint32_t i = 0; !wrong && i < type->child_count; i++)
        if (array->children[i] && !arrow_is_long_enough(type, place, array->children[i]))
            wrong = "a child is shorter than it has to be";
    if (wrong)
        return arrow_bind_fails(type, wrong, err);
    for (uint32_t i = 0; i < type->child_count; i++)
        in->places[type->first_child + i].array = array->children[i];
    if (type->dictionary)
        in->places[type->dictionary].array = array->dictionary;
    return PITH_OK;
}

pith_status arrow_bind(arrow_in *in, const struct ArrowArray *batch, pith_error *err)
{
    pith_status status = arrow_bind_one(in, 0, batch, err);
    for (size_t i = 1; i < in->types.list.count && status == PITH_OK; i++)
        status = arrow_bind_one(in, (uint32_t)i, in->places[i].array, err);
    return status;
}
