/*
 * oom_gcf.c - GCF and its older wire without memory; see sweep.h.
 *
 * oom_sweep.c has what every format can hold. Here stand the forms that GCF alone has and
 * no value leads to: counts left open, groups, paths, fields that come too early, layouts
 * shared by many rows; and values whose tables take memory of every kind to be written.
 * They are large enough for each list after them to grow more than once. Each text is
 * also read with a long comment before it: that much of it is looked at to guess how many
 * values follow, so the tape has to grow on the way.
 */
#include "sweep.h"

#define FIRST "GCF profile=generic\n"

/* printf for every number below `count`, with the number for each of the two %d. */
static void put_each(bytes *text, int count, const char *format)
{
    for (int i = 0; i < count; i++)
        bytes_print(text, format, i, i);
}

/* -------------------------------------------------------------------------- reading */

static void put_members(bytes *text)
{
    put_each(text, 300, "k%d=%d\n");
}

static void put_sections(bytes *text)
{
    put_each(text, 300, "## s%d [?]{a%d}\n1\n");
    bytes_put(text, "##! summary counts=1");
    for (int i = 1; i < 300; i++)
        bytes_put(text, ",1");
    bytes_put(text, "\n");
}

static void put_lists(bytes *text)
{
    put_each(text, 60, "l%d[3]: %d,x,y\n");
}

static void put_groups(bytes *text)
{
    bytes_put(text, "## [40]{@id,d} group=d\n");
    put_each(text, 40, "d=%d.50 [1]\n%d\n");
}

static void put_named_groups(bytes *text)
{
    bytes_put(text, "## [40]{@id,d} group=d\n");
    put_each(text, 40, "d=name%d [1]\n%d\n");
}

static void put_paths(bytes *text)
{
    bytes_put(text, "## [2]{id");
    put_each(text, 70, ",\"o%d>x\",\"o%d>y\"");
    bytes_put(text, "}\n0");
    put_each(text, 70, "|%d|%d");
    bytes_put(text, "\n1");
    put_each(text, 70, "|-|-");
    bytes_put(text, "\n");
}

static void put_deep_paths(bytes *text)
{
    bytes_put(text, "## [1]{\"a");
    put_each(text, 120, ">b%d");
    bytes_put(text, "\"}\n1\n");
}

static void put_constants(bytes *text)
{
    bytes_put(text, "## [2]{id");
    put_each(text, 90, ",c%d=%d");
    bytes_put(text, "}\n0\n1\n");
}

static void put_first_line_fields(bytes *text)
{
    text->len--;
    put_each(text, 40, " f%d=%d");
    bytes_put(text, "\na=1\n");
}

static void put_summary_alone(bytes *text)
{
    bytes_put(text, "##! summary\n");
}

static void put_bodies(bytes *text)
{
    bytes_put(text, "## [60]{id,c,\"p>q\",d}\n@0 0|^{x,y}|1|^{z}\n1|2\n3\n");
    for (int i = 1; i < 60; i++)
        bytes_print(text, "@%d %d|^|%s|^\n4|5\n6\n", i, i, i % 3 ? "-" : "~");
}

/* Between two bodies stand values, in rows of a shape of their own. */
static void put_values_between_bodies(bytes *text)
{
    bytes_put(text, "## [2]{a,b");
    put_each(text, 70, ",k%d");
    bytes_put(text, ",c}\n@0 ~|^{x}");
    put_each(text, 70, "|%d");
    bytes_put(text, "|^{y}\n1\n2\n@1 3|^");
    put_each(text, 70, "|%d");
    bytes_put(text, "|^\n4\n5\n");
}

/* A body comes before the attachment of a column in front of it. */
static void put_early_bodies(bytes *text)
{
    bytes_put(text, "## [30]{id,a,b}\n@0 0|^|^{x}\n1\n.a {}\n");
    for (int i = 1; i < 30; i++)
        bytes_print(text, "@%d %d|^|^\n2\n.a {}\n", i, i);
}

/* Attachments in an order that is not that of the columns. */
static void put_out_of_order(bytes *text)
{
    bytes_put(text, "## [50]{id,a,b,\"p>q\",c,\"r>s\"}\n");
    for (int i = 0; i < 50; i++) {
        bytes_print(text, "@%d 1|^|^|%d|^|-\n.\"u>v\" =%d\n.c [1]{x%d}\n    1\n", i, i, i,
                    i);
        bytes_print(text, ".\"w>%d\" [1]{m,n}\n    1|2\n.b {}\n    k%d=1\n.a [0]\n", i,
                    i);
    }
}

/* The first row has many fields that are no columns; the layouts of their tables hold
 * for the rows after it. */
static void put_early_fields(bytes *text)
{
    bytes_put(text, "## [2]{a}\n@0 ^\n");
    put_each(text, 70, ".\"u>%d\" [1]{m%d}\n    1\n");
    bytes_put(text, ".a {}\n@1 ^\n.a {}\n");
    put_each(text, 70, ".\"u>%d\" [1]\n    %d\n");
}

static void put_sparse_members(bytes *text)
{
    bytes_put(text, "## [400:]{key,a,b}\n");
    put_each(text, 400, "k%d|~|%d\n");
}

static void put_sparse_rows(bytes *text)
{
    bytes_put(text, "## [?]{a,b,\"o>x\",\"o>y\"}\n");
    put_each(text, 100, "%d|~|%d|1\n1|2|-|-\n~|3|~|~\n");
}

static void put_deep_order(bytes *text)
{
    bytes_put(text, "## [1]{a,b}\n@0 ^|^\n.b {}\n");
    for (size_t i = 0; i < 70; i++) {
        bytes_repeat(text, "  ", i + 2);
        bytes_put(text, "## n\n");
    }
    bytes_put(text, ".a {}\n");
}

/* Ever new keys: when there are too many shapes they are forgotten, and what was worked
 * out for the rows of the table is worked out again. */
static void put_renewed_shapes(bytes *text)
{
    bytes_put(text, "## [?]{id,o,c");
    put_each(text, 300, ",w%d");
    bytes_put(text, "}\n");
    for (int i = 0; i < 25; i++) {
        bytes_print(text, "@%d %d|^|^%s", i, i, i ? "" : "{x,y}");
        bytes_repeat(text, "|1", 300);
        bytes_put(text, "\n.o {}\n");
        for (int k = 0; k < 200; k++)
            bytes_print(text, "    k%d_%d=1\n", i, k);
        bytes_put(text, "7|8\n");
    }
}

/* Items of GCF 1 become objects when they end. */
static void put_empty_items(bytes *text)
{
    bytes_put(text, "## l [200]\n");
    put_each(text, 200, "@%d\n");
}

static const struct {
    const char *format;
    const char *name;
    void (*put)(bytes *text);
} forms[] = {
    {"gcf", "members", put_members},
    {"gcf", "sections", put_sections},
    {"gcf", "lists", put_lists},
    {"gcf", "groups", put_groups},
    {"gcf", "named groups", put_named_groups},
    {"gcf", "paths", put_paths},
    {"gcf", "deep paths", put_deep_paths},
    {"gcf", "constants", put_constants},
    {"gcf", "first line", put_first_line_fields},
    {"gcf", "summary alone", put_summary_alone},
    {"gcf", "bodies", put_bodies},
    {"gcf", "values between bodies", put_values_between_bodies},
    {"gcf", "early bodies", put_early_bodies},
    {"gcf", "out of order", put_out_of_order},
    {"gcf", "early fields", put_early_fields},
    {"gcf", "sparse members", put_sparse_members},
    {"gcf", "sparse rows", put_sparse_rows},
    {"gcf", "deep order", put_deep_order},
    {"gcf", "renewed shapes", put_renewed_shapes},
    {"gcf1", "empty items", put_empty_items},
};

static void forms_are_read(void **state)
{
    (void)state;
    pith_options options = {.depth_max = 500};
    size_t failures = 0;
    for (size_t i = 0; i < 2 * ROWS(forms); i++) {
        sweep_job job = {.format = forms[i / 2].format};
        bytes_put(&job.text, strcmp(job.format, "gcf") == 0 ? FIRST : "");
        if (i % 2) {
            bytes_put(&job.text, "# ");
            bytes_repeat(&job.text, "-", 5000);
            bytes_put(&job.text, "\n");
        }
        forms[i / 2].put(&job.text);
        failures += sweep_run(forms[i / 2].name, sweep_parse, &job, &options);
        failures += sweep_run(forms[i / 2].name, sweep_check, &job, &options);
        failures += sweep_run(forms[i / 2].name, sweep_read_pieces, &job, &options);
        bytes_free(&job.text);
    }
    assert_int_equal(failures, 0);
}

/* -------------------------------------------------------------------------- writing */

/* Rows of many shapes, and under the first of them two tables with rows like those: what
 * is known of the shapes has to be found again for the rows after. */
static void put_crooked_rows(bytes *text)
{
    static const char *const format = ",{\"c\":1,\"a%d\":%d,\"d\":2,\"e\":3}";
    enum { HALF = 30 };
    bytes_put(text, "[{\"id\":0,\"x\":[{\"z\":1}");
    for (int i = 0; i < HALF; i++)
        bytes_print(text, format, i, i);
    bytes_put(text, "],\"y\":[{\"z\":1}");
    for (int i = HALF; i < 2 * HALF; i++)
        bytes_print(text, format, i, i);
    bytes_put(text, "]}");
    for (int i = 0; i < 2 * HALF; i++)
        bytes_print(text, format, i, i);
    bytes_put(text, "]");
}

static void put_flat_depth(bytes *text)
{
    bytes_put(text, "[");
    bytes_repeat(text, "{\"o\":", 90);
    bytes_put(text, "1");
    bytes_repeat(text, "}", 90);
    bytes_put(text, "]");
}

static void put_empty_containers(bytes *text)
{
    bytes_put(text, "[{\"id\":1");
    put_each(text, 80, ",\"e%d\":[],\"o%d\":{}");
    bytes_put(text, "}]");
}

static void put_pathlike_names(bytes *text)
{
    bytes_put(text, "[{\"id\":1");
    put_each(text, 80, ",\"a>%d\":%d");
    bytes_put(text, "}]");
}

static void put_wide_objects(bytes *text)
{
    bytes_put(text, "[{\"o\":{\"p\":{\"x\":1");
    put_each(text, 70, ",\"k%d\":%d");
    bytes_put(text, "}}},{\"o\":{\"p\":{\"x\":null");
    put_each(text, 70, ",\"k%d\":%d");
    bytes_put(text, "}}}]");
}

/* GCF 1 puts what is nested after the columns. */
static void put_nested_first(bytes *text)
{
    bytes_put(text, "[{\"o\":{\"x\":1}");
    put_each(text, 40, ",\"k%d\":%d");
    bytes_put(text, "},{\"o\":{\"x\":2}");
    put_each(text, 40, ",\"k%d\":%d");
    bytes_put(text, "}]");
}

/* Keys with a shape and without one that have something hidden in them. */
static void put_hidden(bytes *text)
{
    bytes_put(text, "[{\"a\\u200b\":\"\\u2028\",\"b\":1},{\"z\\u202e\":0");
    put_each(text, 300, ",\"k%d\":%d");
    bytes_put(text, "}]");
}

static const struct {
    const char *format;
    const char *settings;
    void (*put)(bytes *text);
} values[] = {
    {"gcf", "", put_crooked_rows},     {"gcf", "", put_flat_depth},
    {"gcf", "", put_empty_containers}, {"gcf", "", put_pathlike_names},
    {"gcf", "", put_wide_objects},     {"gcf1", "", put_nested_first},
    {"pith", "safe=true", put_hidden}, {"soch", "safe=true", put_hidden},
};

static void values_are_written(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(values); i++) {
        bytes json = {0};
        values[i].put(&json);
        pith_options options = with_settings(NULL, values[i].settings);
        sweep_job job = {.format = values[i].format};
        job.doc = must_parse("json", json.ptr, json.len, NULL);
        failures += sweep_run(values[i].format, sweep_write, &job, &options);
        pith_doc_free(job.doc);
        bytes_free(&json);
    }
    assert_int_equal(failures, 0);
}

/* Everything a graph of GCF 1 has memory for: further fields of the first line, groups to
 * be put in order, a root to be computed; and, read back, ids and edges. */
static void a_graph_of_gcf1(void **state)
{
    (void)state;
    bytes json = {0};
    sweep_job job = {.format = "gcf1-graph"};
    bytes_put(&json, "{\"header\":{\"trace\":\"");
    bytes_repeat(&json, "t", 3500);
    bytes_put(&json, "\",\"note\":\"\"},\"symbols\":[");
    for (int i = 0; i < 150; i++) {
        bytes_print(&json,
                    "%s{\"qualified_name\":\"s%d\",\"kind\":\"fn\",\"score\":0.125,"
                    "\"provenance\":\"p\",\"distance\":%d}",
                    i ? "," : "", i, i % 3);
    }
    bytes_put(&json, "],\"edges\":[{\"source\":\"s1\",\"target\":\"s0\",\"edge_type\":"
                     "\"calls\",\"status\":\"added\"}]}");
    pith_options options = with_settings(NULL, "tool=t pack_root=exact tokens=exact");
    job.doc = must_parse("json", json.ptr, json.len, NULL);
    pith_buffer text = must_write(pith_doc_root(job.doc), "gcf1-graph", &options);
    bytes_add(&job.text, text.data, text.len);
    assert_int_equal(sweep_run("written", sweep_write, &job, &options), 0);
    assert_int_equal(sweep_run("read", sweep_parse, &job, NULL), 0);
    assert_int_equal(sweep_run("checked", sweep_check, &job, NULL), 0);
    pith_buffer_free(&text);
    pith_doc_free(job.doc);
    bytes_free(&job.text);
    bytes_free(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_read),
        cmocka_unit_test(values_are_written),
        cmocka_unit_test(a_graph_of_gcf1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
