/*
 * test_worst.c - the most memory that a byte of a text takes, and the most JSON it becomes.
 *
 * For every format that is read: texts of 256 KiB in which a byte or two stand for as much
 * as the format allows (cells of a table with names of 200 letters, constants, paths through
 * objects, deep nesting), with the normal limits. The table in docs/limits.md has what was
 * measured; it must be neither less than that nor twice as much. The allocator of the tests
 * has the old block and the new one at once when a block grows.
 */
#include "bytes.h"
#include "meter.h"
#include "testing.h"

enum { WORST_SIZE = 256 * 1024, NAME_LEN = 200 };

typedef void (*worst_text)(bytes *text);

/* So many names of NAME_LEN letters, all different. */
static void put_names(bytes *text, int count, const char *after)
{
    for (int i = 0; i < count; i++) {
        char name[NAME_LEN + 1];
        memset(name, 'a', NAME_LEN);
        name[NAME_LEN] = '\0';
        name[(size_t)snprintf(name, sizeof name, "n%d", i)] = 'a';
        bytes_print(text, "%s%s%s", i ? "," : "", name, after);
    }
}

/* `unit` up to the size, then `end`. */
static void fill(bytes *text, const char *unit, const char *end)
{
    while (text->len < WORST_SIZE)
        bytes_put(text, unit);
    bytes_put(text, end);
}

static void put_numbers(bytes *text)
{
    bytes_put(text, "[1");
    fill(text, ",1", "]");
}

static void put_brackets(bytes *text)
{
    bytes_repeat(text, "[", WORST_SIZE / 2);
    bytes_repeat(text, "]", WORST_SIZE / 2);
}

static void put_members(bytes *text)
{
    bytes_put(text, "{\"k\":0");
    for (int i = 0; text->len < WORST_SIZE; i++)
        bytes_print(text, ",\"%x\":1", i);
    bytes_put(text, "}");
}

static void put_lines(bytes *text)
{
    fill(text, "1\n", "");
}

/* Rows of nothing but commas, and long names: half of the text each. */
static void put_csv(bytes *text)
{
    put_names(text, 600, "");
    bytes_put(text, "\n");
    char row[601];
    memset(row, ',', 599);
    row[599] = '\n';
    row[600] = '\0';
    while (text->len < WORST_SIZE)
        bytes_put(text, row);
}

static void put_tsv(bytes *text)
{
    put_csv(text);
    for (size_t i = 0; i < text->len; i++)
        text->ptr[i] = text->ptr[i] == ',' ? '\t' : text->ptr[i];
}

/* Constants, of which a row shows none. */
static void put_gcf(bytes *text, int constants)
{
    size_t rows = (WORST_SIZE - (size_t)constants * (NAME_LEN + 3)) / 2;
    bytes_print(text, "GCF profile=generic\n## [%zu]{a,", rows);
    put_names(text, constants, "=1");
    bytes_put(text, "}\n");
    bytes_repeat(text, "1\n", rows);
}

static void put_pith(bytes *text, int constants)
{
    size_t rows = (WORST_SIZE - (size_t)constants * (NAME_LEN + 3)) / 2;
    bytes_print(text, "[%zu{a,", rows);
    put_names(text, constants, "=1");
    bytes_put(text, "}\n");
    bytes_repeat(text, "1\n", rows);
    bytes_put(text, "]");
}

/* Level 2: cells that are empty because they are as those above, which are as large as may be
 * repeated: a text, of which there is one, or arrays, which are copied. */
static void put_dense(bytes *text, const char *open, const char *unit, size_t count,
                      const char *close)
{
    bytes_put(text, "[?{a=,b=}\n");
    for (int i = 0; i < 2; i++) {
        bytes_put(text, open);
        bytes_repeat(text, unit, count);
        bytes_put(text, close);
        bytes_put(text, i == 0 ? "," : "");
    }
    size_t more = (WORST_SIZE - text->len) / 2;
    bytes_repeat(text, "\n,", more);
    bytes_print(text, "\n]%zu", more + 1);
}

static void put_dense_texts(bytes *text)
{
    put_dense(text, "", "y", 4094, "");
}

static void put_dense_arrays(bytes *text)
{
    put_dense(text, "[1", ",1", 2046, "]");
}

/* Objects that only lead to the next. */
static void put_toon(bytes *text, size_t groups)
{
    char name[NAME_LEN + 1];
    size_t rows = (WORST_SIZE - groups * NAME_LEN) / 6;
    memset(name, 'g', NAME_LEN - 2);
    name[NAME_LEN - 2] = '\0';
    bytes_print(text, "[%zu]{id,", rows);
    for (size_t i = 0; i < groups; i++)
        bytes_print(text, "%s{", name);
    bytes_put(text, "x");
    bytes_repeat(text, "}", groups);
    bytes_put(text, "}:\n");
    bytes_repeat(text, "  1,1\n", rows);
}

/* So many that the text is refused, and nearly as many as are not. */
enum { REFUSED = 600, ACCEPTED = 20 };

static void put_refused_gcf(bytes *text)
{
    put_gcf(text, REFUSED);
}

static void put_accepted_gcf(bytes *text)
{
    put_gcf(text, ACCEPTED);
}

static void put_refused_pith(bytes *text)
{
    put_pith(text, REFUSED);
}

static void put_accepted_pith(bytes *text)
{
    put_pith(text, ACCEPTED);
}

static void put_refused_toon(bytes *text)
{
    put_toon(text, REFUSED);
}

static void put_accepted_toon(bytes *text)
{
    put_toon(text, 3 * ACCEPTED);
}

static void put_toon_rows(bytes *text)
{
    size_t rows = (WORST_SIZE - 600 * (NAME_LEN + 1)) / (2 * 600 + 2);
    bytes_print(text, "[%zu,]{", rows);
    put_names(text, 600, "");
    bytes_put(text, "}:\n");
    for (size_t i = 0; i < rows; i++) {
        bytes_put(text, "  ");
        bytes_repeat(text, "1,", 599);
        bytes_put(text, "1\n");
    }
}

static void put_gcf1_rows(bytes *text)
{
    size_t rows = (WORST_SIZE - 600 * (NAME_LEN + 1)) / 600;
    bytes_print(text, "## [%zu]{", rows);
    put_names(text, 600, "");
    bytes_put(text, "}\n");
    for (size_t i = 0; i < rows; i++) {
        bytes_repeat(text, "|", 599);
        bytes_put(text, "\n");
    }
}

static void put_soch_rows(bytes *text)
{
    size_t rows = (WORST_SIZE - 600 * (NAME_LEN + 1)) / (2 * 600);
    bytes_print(text, "t[%zu]{", rows);
    put_names(text, 600, "");
    bytes_put(text, "}:");
    for (size_t i = 0; i < rows; i++) {
        bytes_repeat(text, "1,", 599);
        bytes_put(text, i + 1 < rows ? "1;" : "1");
    }
}

/* What soch-bin makes of rows of nulls, a byte each. */
static void put_soch_bin(bytes *text)
{
    bytes csv = {0};
    pith_buffer binary = {0};
    put_csv(&csv);
    assert_int_equal(pith_convert("csv", "soch-bin", csv.ptr, csv.len, NULL,
                                  pith_sink_buffer(&binary), NULL),
                     PITH_OK);
    bytes_add(text, binary.data, binary.len);
    bytes_free(&csv);
    pith_buffer_free(&binary);
}

enum { SYMBOLS = 12000, LONG_SYMBOLS = 600 };

static void put_symbols(bytes *text)
{
    bytes_put(text, "## targets\n");
    for (int i = 0; i < SYMBOLS; i++)
        bytes_print(text, "@%d fn a%d 0.50 p\n", i, i);
}

/* Long names, and edges that tell them by two numbers. */
static void put_edges(bytes *text)
{
    char name[NAME_LEN + 1];
    memset(name, 'a', NAME_LEN);
    name[NAME_LEN] = '\0';
    bytes_put(text, "## targets\n");
    for (int i = 0; i < LONG_SYMBOLS; i++)
        bytes_print(text, "@%d fn %s%d 0.50 p\n", i, name, i);
    bytes_put(text, "## edges\n");
    for (int i = 0; text->len < WORST_SIZE; i++)
        bytes_print(text, "@%d<@%d c\n", i % 10, i / 10 % LONG_SYMBOLS);
}

static void put_graph(bytes *text)
{
    bytes_print(text, "GCF profile=graph tool=t symbols=%d\n", SYMBOLS);
    put_symbols(text);
}

static void put_graph_edges(bytes *text)
{
    bytes_print(text, "GCF profile=graph tool=t symbols=%d\n", LONG_SYMBOLS);
    put_edges(text);
}

static void put_graph_1_edges(bytes *text)
{
    bytes_print(text, "GCF tool=t symbols=%d\n", LONG_SYMBOLS);
    put_edges(text);
}

static void put_graph_1(bytes *text)
{
    bytes_print(text, "GCF tool=t symbols=%d\n", SYMBOLS);
    put_symbols(text);
}

typedef struct worst_row {
    const char *format;
    worst_text texts[5];
    size_t memory; /* bytes for each of the text, as docs/limits.md says */
    size_t output; /* the same of JSON */
} worst_row;

static const worst_row rows[] = {
    {"json", {put_numbers, put_brackets, put_members}, 20, 1},
    {"ndjson", {put_lines}, 20, 2},
    {"csv", {put_csv}, 18, 120},
    {"tsv", {put_tsv}, 18, 120},
    {"toon", {put_refused_toon, put_accepted_toon}, 450, 2000},
    {"toon-rows", {put_toon_rows}, 12, 60},
    {"gcf", {put_refused_gcf, put_accepted_gcf}, 450, 2100},
    {"gcf-graph", {put_graph, put_graph_edges}, 14, 24},
    {"gcf1", {put_gcf1_rows}, 30, 120},
    {"gcf1-graph", {put_graph_1, put_graph_1_edges}, 32, 24},
    {"soch", {put_soch_rows}, 13, 60},
    {"soch-bin", {put_soch_bin}, 25, 120},
    {"pith",
     {put_refused_pith, put_accepted_pith, put_brackets, put_dense_texts,
      put_dense_arrays},
     450,
     4000},
    {"answer", {put_refused_toon, put_accepted_toon, put_brackets}, 450, 1},
};

static pith_status count_sink(void *ctx, const char *data, size_t len)
{
    (void)data;
    *(size_t *)ctx += len;
    return PITH_OK;
}

/* What a text takes, and what it becomes, for each of its bytes, rounded up. */
static void measure(const char *format, worst_text make, size_t *memory, size_t *output)
{
    bytes text = {0};
    meter counts = {0};
    size_t written = 0;
    make(&text);
    pith_options options = {.alloc = meter_alloc(&counts), .depth_max = PITH_DEPTH_MOST};
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse(format, text.ptr, text.len, &options, &err);
    size_t taken = (counts.peak_bytes + text.len - 1) / text.len;
    if (doc)
        assert_int_equal(pith_value_write(pith_doc_root(doc), "json", NULL,
                                          (pith_sink){count_sink, &written}, NULL),
                         PITH_OK);
    else
        assert_string_equal(err.code, "memory_limit");
    size_t became = (written + text.len - 1) / text.len;
    *memory = taken > *memory ? taken : *memory;
    *output = became > *output ? became : *output;
    pith_doc_free(doc);
    assert_true(meter_clean(&counts));
    bytes_free(&text);
}

/* Neither less than measured nor twice as much. */
static bool is_told(const char *what, const char *format, size_t found, size_t told)
{
    if (found <= told && told < 2 * found + 2)
        return true;
    fprintf(stderr, "%s of %s: %zu bytes a byte, and the table says %zu\n", what, format,
            found, told);
    return false;
}

static bool page_has(const char *line)
{
    FILE *file = fopen(PITH_TESTS_DIR "/../docs/limits.md", "r");
    char found[1024];
    bool has = false;
    assert_non_null(file);
    while (!has && fgets(found, sizeof found, file))
        has = strcmp(found, line) == 0;
    fclose(file);
    if (!has)
        fprintf(stderr, "docs/limits.md lacks %s", line);
    return has;
}

static void the_table_tells_the_worst(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        size_t memory = 0;
        size_t output = 0;
        char line[128];
        for (size_t k = 0; k < ROWS(rows[i].texts) && rows[i].texts[k]; k++)
            measure(rows[i].format, rows[i].texts[k], &memory, &output);
        failures += !is_told("memory", rows[i].format, memory, rows[i].memory);
        failures += !is_told("output", rows[i].format, output, rows[i].output);
        snprintf(line, sizeof line, "| `%s` | %zu | %zu |\n", rows[i].format,
                 rows[i].memory, rows[i].output);
        failures += !page_has(line);
    }
    assert_int_equal(failures, 0);
}

/* Every format that is read is in it. */
static void no_format_is_missing(void **state)
{
    (void)state;
    const pith_format *format;
    for (size_t i = 0; (format = pith_format_at(i)) != NULL; i++) {
        bool found = !(format->direction & PITH_READ);
        for (size_t k = 0; k < ROWS(rows); k++)
            found = found || strcmp(rows[k].format, format->name) == 0;
        assert_true(found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_tells_the_worst),
        cmocka_unit_test(no_format_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
