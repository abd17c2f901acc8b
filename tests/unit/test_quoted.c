/*
 * test_quoted.c - quoted texts: what is borrowed, what is decoded, and what is wrong, by
 * the rules of each format. The texts end where their memory does.
 */
#include "testing.h"

#include "base/lex.h"
#include "format/quoted.h"

static const quoted_rules json = {
    .letters = LEX_LETTERS,
    .unchecked = true,
    .unclosed = {"unclosed", "no end"},
    .escape = {"escape", "no such letter"},
    .hex = {"hex", "no four digits"},
    .surrogate = {"surrogate", "%.6s is half"},
    .control = {"control", "%04x and %04x"},
    .line_break = {"line_break", "a line break"},
};

static const quoted_rules lenient = {
    .letters = LEX_LETTERS,
    .unchecked = true,
    .replace = true,
    .unclosed = {"unclosed", "no end"},
};

static const quoted_rules line = {
    .letters = LEX_LETTERS,
    .unclosed = {"unclosed", "no end"},
    .escape = {"escape", "no such letter"},
    .hex = {"hex", "no four digits"},
    .surrogate = {"surrogate", "%.6s is half"},
    .control = {"control", "%04x"},
};

static const quoted_rules few = {
    .letters = "\"\\nrtu",
    .raw_controls = true,
    .no_pairs = true,
    .unclosed = {"unclosed", "no end"},
    .escape = {"escape", "no such letter"},
    .hex = {"hex", "no four digits"},
    .surrogate = {"surrogate", "%.6s is one"},
};

static const quoted_rules doubled = {
    .letters = "\"\\/bfnrt",
    .raw_controls = true,
    .doubled = true,
    .one_problem = true,
    .unclosed = {"unclosed", "no end"},
    .escape = {"escape", "no such letter"},
    .hex = {"escape", "no such letter"},
    .surrogate = {"surrogate", "half"},
};

typedef struct quoted_row {
    const quoted_rules *rules;
    const char *input;
    const char *text; /* NULL: it is wrong */
    const char *code; /* of the first problem, */
    size_t offset;    /* which is there, */
    size_t problems;  /* and how many there are */
} quoted_row;

static bool count_problem(void *ctx, const pith_error *problem)
{
    (void)problem;
    (*(size_t *)ctx)++;
    return true;
}

/* All problems are collected, or reading stops at the first. */
static bool check_row(const quoted_row *row, bool collect)
{
    size_t len = strlen(row->input);
    char *input = (char *)malloc(len);
    memcpy(input, row->input, len);
    pith_text whole = {input, len};
    pith_doc *doc = pith_doc_new(NULL);
    reporter report;
    text_reader r;
    pith_slot slot;
    size_t problems = 0;
    assert_non_null(doc);
    report_init(&report, whole);
    report.callback = collect ? count_problem : NULL;
    report.ctx = &problems;
    read_init(&r, doc, whole, &report);
    const char *after = quoted_read(&r, row->rules, input, input + len, &slot);
    bool fine;
    if (row->text) {
        fine = after &&
               same_bytes(row->input, slot.u.text, slot.n, row->text, strlen(row->text));
        fine = fine && after[-1] == '"' && report_result(&report, NULL) == PITH_OK;
    } else {
        bool goes_on = collect && row->rules->unchecked && strcmp(row->code, "unclosed");
        fine = (after != NULL) == goes_on && report.first.code &&
               strcmp(report.first.code, row->code) == 0 &&
               report.first.offset == row->offset &&
               (!collect || problems == row->problems);
    }
    if (!fine) {
        print_message("%s: %s at %zu, %zu problems\n", row->input, report.first.code,
                      (size_t)report.first.offset, problems);
    }
    pith_doc_free(doc);
    free(input);
    return fine;
}

static void texts_by_their_rules(void **state)
{
    (void)state;
    static const quoted_row rows[] = {
        {&json, "\"\"", "", NULL, 0, 0},
        {&json, "\"plain\", more", "plain", NULL, 0, 0},
        {&json, "\"a\\n\\u00e4\\ud83d\\ude00\"", "a\n\xC3\xA4\xF0\x9F\x98\x80", NULL, 0,
         0},
        {&json, "\"\xC3\xA4\"", "\xC3\xA4", NULL, 0, 0},
        {&json, "\"a\xC3\"", NULL, "invalid_utf8", 2, 1},
        {&json, "\"a\\x\\ud800\\u12\"", NULL, "escape", 2, 3},
        {&json, "\"a\n\x01\"", NULL, "line_break", 2, 2},
        {&json, "\"\\ud800\"", NULL, "surrogate", 1, 1},
        {&json, "\"abc", NULL, "unclosed", 0, 1},
        {&json, "\"abc\\", NULL, "unclosed", 0, 1},
        {&json, "\"abc\\u12", NULL, "unclosed", 0, 1},
        {&json, "\"a\\", NULL, "unclosed", 0, 1},
        {&lenient, "\"\\ud800\"", "\xEF\xBF\xBD", NULL, 0, 0},
        {&line, "\"a\\/\\b\"", "a/\b", NULL, 0, 0},
        {&line, "\"a\x01\\q\"", NULL, "control", 2, 2},
        {&line, "\"\\q\\u12x\"", NULL, "escape", 1, 2},
        {&line, "\"\\q", NULL, "unclosed", 0, 1},
        {&line, "\"\\q\xC3\"", NULL, "escape", 1, 1},
        {&few, "\"a\x01\\u00e4\\t\"", "a\x01\xC3\xA4\t", NULL, 0, 0},
        {&few, "\"a\x01\"", "a\x01", NULL, 0, 0},
        {&few, "\"\\b\\ud83d\\ude00\\ud800\"", NULL, "escape", 1, 3},
        {&few, "\"\\ud83d\\ude00\"", NULL, "surrogate", 1, 1},
        {&doubled, "\"a\"\"b\\n\"", "a\"b\n", NULL, 0, 0},
        {&doubled, "\"\"\"\"", "\"", NULL, 0, 0},
        {&doubled, "\"\"\"", NULL, "unclosed", 0, 1},
        {&doubled, "\"\"\"\\q\\q\"", NULL, "escape", 3, 1},
        {&doubled, "\"\\u0041\"", NULL, "escape", 1, 1},
        {&doubled, "\"\\ud800\"", NULL, "surrogate", 1, 1},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        failures += !check_row(&rows[i], false);
        failures += !check_row(&rows[i], true);
    }
    assert_int_equal(failures, 0);
}

static void only_what_changes_is_copied(void **state)
{
    (void)state;
    const char *input = "x\"plain\" \"\\n\"";
    pith_text whole = {input, strlen(input)};
    pith_doc *doc = pith_doc_new(NULL);
    reporter report;
    text_reader r;
    pith_slot slot;
    report_init(&report, whole);
    read_init(&r, doc, whole, &report);
    assert_non_null(quoted_read(&r, &json, input + 1, r.end, &slot));
    assert_ptr_equal(slot.u.text, input + 2);
    assert_int_equal(read_text_offset(&r, slot.u.text), 1);
    assert_non_null(quoted_read(&r, &json, input + 9, r.end, &slot));
    assert_int_equal(read_text_offset(&r, slot.u.text), 9);
    pith_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_by_their_rules),
        cmocka_unit_test(only_what_changes_is_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
