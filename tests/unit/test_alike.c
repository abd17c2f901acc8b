/*
 * test_alike.c - objects side by side: alike, alike in another order, unlike.
 */
#include "testing.h"

#include "doc/alike.h"

typedef struct alike_row {
    const char *pair; /* an array of two objects, the first without arrays */
    doc_likeness likeness;
    bool nulls;
} alike_row;

static const alike_row rows[] = {
    {"[{\"a\":1},{\"a\":\"x\"}]", DOC_ALIKE, false},
    {"[{\"a\":1},{\"a\":null}]", DOC_ALIKE, true},
    {"[{\"a\":null},{\"a\":1}]", DOC_ALIKE, false},
    {"[{\"a\":1},{\"b\":1}]", DOC_UNLIKE, false},
    {"[{\"a\":1},{\"a\":1,\"b\":2}]", DOC_UNLIKE, false},
    {"[{\"a\":1},{\"a\":[]}]", DOC_UNLIKE, false},
    {"[{\"a\":1},{\"a\":{}}]", DOC_UNLIKE, false},
    {"[{\"a\":{\"b\":1}},{\"a\":2}]", DOC_UNLIKE, false},
    {"[{\"a\":1,\"b\":2},{\"b\":3,\"a\":4}]", DOC_REORDERED, false},
    {"[{\"a\":{\"b\":1,\"c\":2}},{\"a\":{\"b\":3,\"c\":null}}]", DOC_ALIKE, true},
    {"[{\"a\":{\"b\":1,\"c\":2}},{\"a\":{\"c\":3,\"b\":4}}]", DOC_REORDERED, false},
    {"[{\"a\":{\"b\":1},\"c\":2},{\"a\":{\"b\":3,\"c\":4},\"c\":5}]", DOC_UNLIKE, false},
};

static void objects_are_compared(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_doc *doc = must_parse_json(rows[i].pair);
        const pith_slot *first = doc->slots + 1;
        bool nulls = false;
        doc_likeness found = doc_compare(doc, first, doc_after(doc, first), &nulls);
        if (found != rows[i].likeness || (found == DOC_ALIKE && nulls != rows[i].nulls)) {
            fprintf(stderr, "%s: %d, nulls: %d\n", rows[i].pair, (int)found, nulls);
            failures++;
        }
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

/* Objects that are too wide for a shape have a slot for their keys. */
static void wide_objects_are_compared_by_their_keys(void **state)
{
    (void)state;
    static char text[2 * 300 * 16];
    for (int last = 0; last < 2; last++) {
        size_t len = (size_t)sprintf(text, "[");
        for (int object = 0; object < 2; object++) {
            len += (size_t)sprintf(text + len, object ? ",{" : "{");
            for (int i = 0; i < 299; i++)
                len += (size_t)sprintf(text + len, "\"k%d\":%d,", i, i);
            len += (size_t)sprintf(text + len, "\"last%d\":0}", object && last ? 1 : 0);
        }
        sprintf(text + len, "]");
        pith_doc *doc = must_parse_json(text);
        const pith_slot *first = doc->slots + 1;
        bool nulls;
        assert_true(doc_is_unshaped(first));
        assert_int_equal(doc_compare(doc, first, doc_after(doc, first), &nulls),
                         last ? DOC_UNLIKE : DOC_ALIKE);
        pith_doc_free(doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_compared),
        cmocka_unit_test(wide_objects_are_compared_by_their_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
