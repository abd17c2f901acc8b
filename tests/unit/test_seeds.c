/*
 * test_seeds.c - nothing that is written depends on the seed of the hash tables.
 *
 * The program has a hash_draw_seed of its own, which the linker takes instead of the one
 * in the library, so a test can choose the seed. The same values, with keys that go
 * through every table there is, are then written in every format under several seeds,
 * read back, and must be the same bytes.
 */
#include "bytes.h"
#include "testing.h"

#include "base/text.h"

#include "base/hash.h"

static uint64_t chosen_seed;

uint64_t hash_draw_seed(void)
{
    return chosen_seed;
}

static const uint64_t seeds[] = {
    0, 1, 2, UINT64_MAX, UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0x0123456789ABCDEF)};

static bytes make_json(void)
{
    bytes json = {0};
    bytes_put(&json, "{\"wide\":{");
    for (int i = 0; i < 700; i++)
        bytes_print(&json, "%s\"key %d\":%d", i ? "," : "", i * 7919 % 1009, i);
    bytes_put(&json, "},\"sparse\":[");
    for (int i = 0; i < 200; i++) {
        bytes_print(&json, "%s{\"id\":%d,\"f%d\":1,\"g%d\":{\"x\":%d}}", i ? "," : "", i,
                    i * 7 % 11, i % 5, i);
    }
    bytes_put(&json,
              "],\"dots\":{\"a.b\":1,\"a.c\":2,\"d\":{\"e\":{\"f\":1}}},\"mixed\":[");
    for (int i = 0; i < 120; i++) {
        bytes_print(&json, "%s{\"%s\":1,\"%s\":2,\"t\":[{\"y\":1}]}", i ? "," : "",
                    i % 2 ? "m" : "n", i % 2 ? "n" : "m");
    }
    bytes_put(&json, "]}");
    return json;
}

/* What is told in every way that a table of names has a part in, one after the other. */
static const struct {
    const char *from;
    const char *to;
    const char *settings;
    const char *text; /* NULL: that of make_json */
} ways[] = {
    {"json", "json", NULL, NULL},
    {"json", "toon", NULL, NULL},
    {"json", "toon", "version=3 fold=safe", NULL},
    {"json", "gcf", NULL, NULL},
    {"json", "gcf1", NULL, NULL},
    {"json", "pith", NULL, NULL},
    {"json", "pith", "order=free", NULL},
    {"json", "csv", "absent=null",
     "[{\"a\":1,\"b\":2,\"c\":3},{\"b\":3,\"a\":4},{\"c\":1,\"b\":5}]"},
    {"json", "soch", "fill-missing=true",
     "[{\"a\":1,\"b\":2},{\"b\":3,\"a\":4},{\"c\":1,\"b\":5}]"},
    {"json", "soch-bin", "fill-missing=true",
     "[{\"a\":1,\"b\":2},{\"b\":3,\"a\":4},{\"c\":1,\"b\":5}]"},
    {"json", "gcf", "level=3.6 group=b",
     "[{\"a\":1,\"b\":\"x\"},{\"a\":2,\"b\":\"y\"},{\"a\":3,\"b\":\"x\"}]"},
    {"json", "gcf-graph", NULL,
     "{\"tool\":\"t\",\"symbols\":[{\"qualified_name\":\"f\",\"kind\":\"a\",\"score\":0.5,"
     "\"provenance\":\"p\",\"distance\":3},{\"qualified_name\":\"g\",\"kind\":\"b\","
     "\"score\":0.5,\"provenance\":\"q\",\"distance\":1}],\"edges\":[{\"source\":\"f\","
     "\"target\":\"g\",\"edge_type\":\"calls\"}]}"},
};

static void the_bytes_are_the_same(void **state)
{
    (void)state;
    int failures = 0;
    bytes json = make_json();
    for (size_t i = 0; i < ROWS(ways); i++) {
        pith_buffer first[2] = {{0}, {0}};
        for (size_t s = 0; s < ROWS(seeds); s++) {
            chosen_seed = seeds[s];
            const char *text = ways[i].text ? ways[i].text : json.ptr;
            size_t len = ways[i].text ? strlen(ways[i].text) : json.len;
            pith_buffer there = {0}, back = {0};
            pith_error err = {0};
            pith_options options = with_settings(NULL, ways[i].settings);
            if (pith_convert(ways[i].from, ways[i].to, text, len, &options,
                             pith_sink_buffer(&there), &err) != PITH_OK ||
                pith_convert(ways[i].to, "json", there.data, there.len, NULL,
                             pith_sink_buffer(&back), &err) != PITH_OK) {
                fprintf(stderr, "%s: %s\n", ways[i].to, err.message);
                failures++;
            } else if (s == 0) {
                first[0] = there;
                first[1] = back;
                continue;
            } else if (!same_bytes(ways[i].to, there.data, there.len, first[0].data,
                                   first[0].len) ||
                       !same_bytes("back", back.data, back.len, first[1].data,
                                   first[1].len)) {
                failures++;
            }
            pith_buffer_free(&there);
            pith_buffer_free(&back);
        }
        pith_buffer_free(&first[0]);
        pith_buffer_free(&first[1]);
    }
    bytes_free(&json);
    assert_int_equal(failures, 0);
}

/* A full answer and a delta after it. */
static void deltas_are_the_same(void **state)
{
    (void)state;
    static const char *const snapshots[] = {
        "[{\"id\":\"c\",\"v\":1},{\"id\":\"a\",\"w\":2},{\"id\":\"b\",\"v\":3}]",
        "[{\"id\":\"b\",\"v\":4},{\"id\":\"d\",\"w\":2},{\"id\":\"c\",\"v\":1}]"};
    pith_buffer first = {0};
    for (size_t s = 0; s < ROWS(seeds); s++) {
        chosen_seed = seeds[s];
        pith_policy policy = {0};
        policy.key = text_from("id");
        policy.guard_percent = PITH_GUARD_OFF;
        pith_snapshot *producer = pith_snapshot_new(&policy, NULL, NULL);
        pith_buffer told = {0};
        pith_root held = {{0}};
        for (size_t i = 0; i < 2; i++) {
            pith_doc *doc = must_parse_json(snapshots[i]);
            assert_int_equal(pith_snapshot_write(producer, i ? held.text : NULL,
                                                 pith_doc_root(doc),
                                                 pith_sink_buffer(&told), NULL, NULL),
                             PITH_OK);
            snprintf(held.text, sizeof held.text, "%s", pith_snapshot_root(producer));
            pith_doc_free(doc);
        }
        pith_snapshot_free(producer);
        if (s == 0) {
            first = told;
        } else {
            assert_true(same_bytes("told", told.data, told.len, first.data, first.len));
            pith_buffer_free(&told);
        }
    }
    pith_buffer_free(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_are_the_same),
        cmocka_unit_test(deltas_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
