/*
 * test_walk.c - the values of a document in batches.
 *
 * A walk has to say what the calls on single values say, however large the batches are.
 */
#include <math.h>

#include "bytes.h"
#include "copied.h"
#include "testing.h"

/* ------------------------------------------------------ the same as one by one */

typedef struct walker {
    pith_walk walk;
    pith_event events[7];
    size_t room;
    size_t count;
    size_t at;
} walker;

static const pith_event *next_event(walker *w)
{
    if (w->at == w->count) {
        w->count = pith_walk_next(&w->walk, w->events, w->room);
        w->at = 0;
    }
    return w->at < w->count ? &w->events[w->at++] : NULL;
}

static void same_keys(walker *w, const pith_event *event, pith_value object)
{
    pith_text keys[600];
    size_t count = pith_walk_keys(&w->walk, event, keys, ROWS(keys));
    assert_int_equal(count, pith_value_count(object));
    assert_int_equal(pith_walk_keys(&w->walk, event, NULL, 0), count);
    pith_value member = pith_value_first(object);
    for (size_t i = 0; i < count; i++, member = pith_value_next(member)) {
        pith_text key = pith_value_key(member);
        assert_int_equal(keys[i].len, key.len);
        assert_memory_equal(keys[i].ptr, key.ptr, key.len);
    }
}

static void same_text(const pith_event *event, pith_value value)
{
    pith_text text = pith_value_text(value);
    assert_int_equal(event->len, text.len);
    assert_memory_equal(event->u.text, text.ptr, text.len);
}

static bool is_ascii(pith_text text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] >= 0x80)
            return false;
    return true;
}

static void same_value(walker *w, const pith_event *event, pith_value value)
{
    int64_t integer = 0;
    double number = 0;
    assert_non_null(event);
    assert_int_equal(event->kind, pith_value_kind(value));
    switch (pith_value_kind(value)) {
    case PITH_OBJECT:
        same_keys(w, event, value);
        assert_int_equal(event->len, pith_value_count(value));
        break;
    case PITH_ARRAY:
        assert_int_equal(event->len, pith_value_count(value));
        break;
    case PITH_INTEGER:
        if (event->flags & PITH_EVENT_DIGITS) {
            same_text(event, value);
            assert_true((w->walk.flags & PITH_WALK_DIGITS) ||
                        !pith_value_int64(value, &integer));
        } else {
            assert_true(pith_value_int64(value, &integer) && event->u.integer == integer);
        }
        break;
    case PITH_DECIMAL:
        assert_true(pith_value_double(value, &number));
        if (w->walk.flags & PITH_WALK_DIGITS)
            same_text(event, value);
        else
            assert_memory_equal(&event->u.number, &number, sizeof number);
        break;
    case PITH_STRING:
        same_text(event, value);
        assert_int_equal(event->flags,
                         is_ascii(pith_value_text(value)) ? PITH_EVENT_ASCII : 0);
        break;
    default:
        break;
    }
}

/* No stack is needed: a handle knows the way, and what comes after a value is its first
 * child, or what follows it or one of the containers around it. */
static pith_value after(pith_value value, pith_value *path, size_t *depth)
{
    pith_value next = pith_value_first(value);
    if (next.doc) {
        path[(*depth)++] = value;
        return next;
    }
    next = *depth ? pith_value_next(value) : next;
    while (!next.doc && *depth > 0) {
        value = path[--*depth];
        next = *depth ? pith_value_next(value) : next;
    }
    return next;
}

static void same_walk(pith_value root, size_t room, unsigned flags)
{
    static pith_value path[1000];
    size_t depth = 0;
    walker w = {.room = room};
    pith_walk_begin(&w.walk, root, flags);
    for (pith_value value = root; value.doc; value = after(value, path, &depth))
        same_value(&w, next_event(&w), value);
    assert_null(next_event(&w));
    assert_int_equal(pith_walk_next(&w.walk, w.events, w.room), 0);
}

static void walks_say_what_values_say(void **state)
{
    (void)state;
    bytes wide = {0};
    bytes_put(&wide, "[{");
    for (int i = 0; i < 300; i++)
        bytes_print(&wide, "%s\"k%d\":{\"x\":%d}", i ? "," : "", i, i);
    bytes_put(&wide, "},7,{\"a\":{}}]");
    const pith_text texts[] = {
        {LIT("null")},
        {LIT("[]")},
        {LIT("{}")},
        {LIT(
            "[true,false,null,1,-1,0,-0,1.5,1e400,-1e-400,\"\",\"a\",\"\\n\",\"\xc3\xa9\"]")},
        {LIT("[9223372036854775807,-9223372036854775808,9223372036854775808,"
             "-9223372036854775809,123456789012345678901234567890]")},
        {LIT("{\"a\":{\"b\":[{},[],{\"c\":1}]},\"d\":[[[2]]]}")},
        {wide.ptr, wide.len},
    };
    for (size_t i = 0; i < ROWS(texts); i++) {
        pith_doc *doc = must_parse("json", texts[i].ptr, texts[i].len, NULL);
        for (size_t room = 1; room <= 7; room++) {
            same_walk(pith_doc_root(doc), room, 0);
            same_walk(pith_doc_root(doc), room, PITH_WALK_DIGITS);
            same_walk(pith_value_at(pith_doc_root(doc), 0), room, 0);
            for (int shaped = 0; shaped < 2; shaped++) {
                pith_doc *copy = copied(pith_doc_root(doc), room, shaped);
                assert_true(pith_value_equal(pith_doc_root(copy), pith_doc_root(doc)));
                pith_doc_free(copy);
            }
        }
        pith_doc_free(doc);
    }
    bytes_free(&wide);
}

static void nothing_to_walk(void **state)
{
    (void)state;
    pith_walk walk;
    pith_event event;
    pith_value none = {NULL, 0, 0, 0};
    pith_walk_begin(&walk, none, 0);
    assert_int_equal(pith_walk_next(&walk, &event, 1), 0);
    pith_doc *doc = must_parse_json("[1]");
    pith_walk_begin(&walk, pith_doc_root(doc), 0);
    assert_int_equal(pith_walk_next(&walk, &event, 0), 0);
    assert_int_equal(pith_walk_next(&walk, &event, 1), 1);
    assert_int_equal(pith_walk_keys(&walk, &event, NULL, 0), 0); /* an array */
    pith_doc_free(doc);
}

static void equal_keys_have_one_shape(void **state)
{
    (void)state;
    pith_walk walk;
    pith_event e[16];
    pith_doc *doc =
        must_parse_json("[{\"a\":1,\"b\":2},{\"b\":1,\"a\":2},{\"a\":3,\"b\":4}]");
    pith_walk_begin(&walk, pith_doc_root(doc), 0);
    assert_int_equal(pith_walk_next(&walk, e, 16), 10);
    assert_true(e[1].shape != 0 && e[1].shape == e[7].shape && e[1].shape != e[4].shape);
    pith_doc_free(doc);
}

/* Values that are more than JSON, and doubles that have no digits yet. */
static void typed_values(void **state)
{
    (void)state;
    static const char text[] = "t[2]{f:float,b:bytes,v:vec(2)}:\n1.5,b64:AAEC,[1.0,2.0]\n"
                               "NaN,b64:,[0.5,0.25]\n";
    pith_buffer binary = {0};
    assert_int_equal(pith_convert("soch", "soch-bin", text, sizeof text - 1, NULL,
                                  pith_sink_buffer(&binary), NULL),
                     PITH_OK);
    pith_doc *doc = must_parse("soch-bin", binary.data, binary.len, NULL);
    pith_walk walk;
    pith_event e[32];
    pith_value rows = pith_value_first(pith_doc_root(doc));
    pith_walk_begin(&walk, rows, 0);
    assert_int_equal(pith_walk_next(&walk, e, 32), 13);
    assert_int_equal(e[3].type, PITH_TYPE_BYTES);
    assert_int_equal(e[4].type, PITH_TYPE_VEC);
    assert_int_equal(e[8].type, PITH_TYPE_FLOAT);
    assert_int_equal(e[8].kind, PITH_STRING);
    assert_true(e[2].u.number == 1.5 && e[2].type == PITH_TYPE_ANY);
    same_walk(pith_doc_root(doc), 3, 0);
    same_walk(pith_doc_root(doc), 3, PITH_WALK_DIGITS);
    pith_doc_free(doc);
    pith_buffer_free(&binary);
}

/* ------------------------------------------------------------ values by their index */

static void values_at_an_index(void **state)
{
    (void)state;
    static const char *const texts[] = {"[0,1,2,3]", "{\"a\":0,\"b\":1,\"c\":2,\"d\":3}",
                                        "[0,[],{\"x\":[1]},3]", "[[],1,2,[]]"};
    for (size_t i = 0; i < ROWS(texts); i++) {
        pith_doc *doc = must_parse_json(texts[i]);
        pith_value root = pith_doc_root(doc);
        pith_value value = pith_value_first(root);
        for (size_t at = 0; at < 4; at++, value = pith_value_next(value)) {
            pith_value found = pith_value_at(root, at);
            assert_true(found.doc == value.doc && found.at == value.at &&
                        found.parent == value.parent && found.index == value.index);
        }
        assert_null(pith_value_at(root, 4).doc);
        pith_doc_free(doc);
    }
}

/* With counting this would be 2 * 10^10 steps. */
static void scalars_are_found_at_once(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    pith_doc *doc = pith_doc_new(NULL);
    pith_doc_open_array(doc);
    for (int64_t i = 0; i < COUNT; i++)
        pith_doc_add_int64(doc, i);
    pith_doc_close(doc);
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    for (int64_t i = 0; i < COUNT; i++) {
        int64_t found = -1;
        pith_value_int64(pith_value_at(pith_doc_root(doc), (size_t)i), &found);
        assert_true(found == i);
    }
    pith_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_say_what_values_say),
        cmocka_unit_test(nothing_to_walk),
        cmocka_unit_test(equal_keys_have_one_shape),
        cmocka_unit_test(typed_values),
        cmocka_unit_test(values_at_an_index),
        cmocka_unit_test(scalars_are_found_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
