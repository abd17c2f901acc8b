/*
 * test_input_end.c - nothing is read after the end of an input.
 *
 * A document borrows its texts from the input, and short ones are copied and compared
 * sixteen bytes at a time, except near the end. Here stand texts that are easy to forget
 * there: in front of many values that take no room in the input, because they are said
 * once for all rows. The input is a block of just its size, so that the address sanitizer
 * sees the first byte too many.
 */
#include "bytes.h"
#include "testing.h"

enum { COLUMNS = 60 };

/* What begins the text, what stands for each column, what ends it. */
typedef struct ending {
    const char *format;
    const char *head;
    const char *column; /* with a %d */
    const char *tail;
} ending;

static const ending endings[] = {
    {"pith", "[2{x", ",c%d=1", "}\nab\ncd\n]"},
    {"pith", "[2{x", ",c%d=one", "}\nab\ncd\n]"},
    {"pith", "[2{x,g{y", ",c%d=1", "}}\nab,c\nd,e\n]"},
    {"pith", "{2{x", ",c%d=1", "}\na:b\nc:d\n}"},
    {"pith", "[1{t[2{x", ",c%d=1", "}]}\n[ab;cd]\n]"},
    {"pith", "[?{x", ",c%d=\"\"", "}\nab\ncd\n]2"},
    {"gcf", "GCF profile=generic\n## [2]{x", ",c%d=1", "}\nab\ncd\n"},
};

static bytes spell(const ending *given)
{
    bytes text = {0};
    bytes_put(&text, given->head);
    for (int i = 0; i < COLUMNS; i++) {
        char column[32];
        const char *mark = strstr(given->column, "%d");
        assert_non_null(mark);
        snprintf(column, sizeof column, "%.*s%d%s", (int)(mark - given->column),
                 given->column, i, mark + 2);
        bytes_put(&text, column);
    }
    bytes_put(&text, given->tail);
    return text;
}

/* In every format that can hold it. */
static void write_all(pith_value value)
{
    for (size_t i = 0; pith_format_at(i); i++) {
        if (pith_format_at(i)->direction & PITH_WRITE) {
            pith_buffer out = {0};
            pith_value_write(value, pith_format_at(i)->name, NULL, pith_sink_buffer(&out),
                             NULL);
            pith_buffer_free(&out);
        }
    }
}

/* Whole and, if it is a table, in two pieces. */
static void read_and_write(const ending *given, const char *text, size_t len)
{
    pith_doc *doc = pith_doc_parse(given->format, text, len, NULL, NULL);
    assert_non_null(doc);
    write_all(pith_doc_root(doc));
    pith_doc_free(doc);
    pith_reader *reader = pith_reader_open(given->format, NULL, NULL);
    assert_non_null(reader);
    pith_status status = pith_reader_feed(reader, text, len / 2, NULL);
    if (status == PITH_OK)
        status = pith_reader_feed(reader, text + len / 2, len - len / 2, NULL);
    if (status == PITH_OK)
        status = pith_reader_end(reader, NULL);
    pith_value row = {0};
    while (status == PITH_OK && pith_reader_next(reader, &row, NULL) == PITH_OK &&
           row.doc)
        write_all(row);
    pith_reader_free(reader);
}

static void values_that_take_no_input(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(endings); i++) {
        bytes text = spell(&endings[i]);
        char *exact = malloc(text.len);
        assert_non_null(exact);
        memcpy(exact, text.ptr, text.len);
        read_and_write(&endings[i], exact, text.len);
        free(exact);
        bytes_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_that_take_no_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
