/*
 * test_note.c - what a text says of what was left out of it.
 */
#include "api/note.h"
#include "testing.h"

static void a_note_is_half_a_sentence(void **state)
{
    (void)state;
    static const struct {
        cut_tally tally;
        const char *text;
    } notes[] = {
        {{.rows = 2, .rows_left_out = 3}, "3 of 5 rows left out"},
        {{.members = 1, .members_left_out = 1}, "1 of 2 members left out"},
        {{.rows = 2, .rows_left_out = 3, .texts_clipped = 1},
         "3 of 5 rows left out, 1 text clipped"},
        {{.texts_clipped = 2}, "2 texts clipped"},
        {{.rows = 3,
          .rows_left_out = 7,
          .named = {{"users", 2, 4}, {"teams", 1, 3}},
          .name_count = 2},
         "4 of 6 users, 3 of 4 teams left out"},
        {{.rows = 3,
          .rows_left_out = 7,
          .named = {{"users", 2, 4}, {"teams", 1, 3}},
          .name_count = CUT_NAMES_MOST + 1},
         "7 of 10 rows left out"},
        {{.rows = 9}, ""},
    };
    for (size_t i = 0; i < ROWS(notes); i++) {
        char text[NOTE_TEXT_MOST];
        assert_int_equal(note_write(&notes[i].tally, "rows", text),
                         strlen(notes[i].text));
        assert_string_equal(text, notes[i].text);
        assert_int_equal(note_is_due(&notes[i].tally), notes[i].text[0] != '\0');
    }
}

/* The most that can be said fits. */
static void the_longest_note_fits(void **state)
{
    (void)state;
    char text[NOTE_TEXT_MOST];
    cut_tally tally = {.rows_left_out = SIZE_MAX / 2,
                       .texts_clipped = SIZE_MAX,
                       .name_count = CUT_NAMES_MOST};
    for (size_t i = 0; i < CUT_NAMES_MOST; i++) {
        memset(tally.named[i].name, 'n', CUT_NAME_LEN - 1);
        tally.named[i].kept = SIZE_MAX / 2;
        tally.named[i].gone = SIZE_MAX / 2;
    }
    size_t len = note_write(&tally, "rows", text);
    assert_true(len < NOTE_TEXT_MOST - 8);
    assert_non_null(strstr(text, " texts clipped"));
}

static void a_line_has_its_place_by_format(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        const char *settings;
        char last;
        const char *line;
    } lines[] = {
        {"gcf", NULL, '\n', "# 1 of 2 rows left out"},
        {"gcf", NULL, 'x', "\n# 1 of 2 rows left out"},
        {"pith", "final-newline=true", 'x', "\n# 1 of 2 rows left out\n"},
        {"pith", "note=none", 'x', ""},
        {"pith", "note=member", 'x', ""},
        {"toon", NULL, 'x', ""},
        {"json", NULL, 'x', ""},
    };
    cut_tally tally = {.rows = 1, .rows_left_out = 1};
    for (size_t i = 0; i < ROWS(lines); i++) {
        api_side to;
        char line[NOTE_TEXT_MOST];
        pith_options options = with_settings(NULL, lines[i].settings);
        assert_int_equal(side_for_writing(&to, lines[i].format, &options, NULL), PITH_OK);
        assert_int_equal(note_line(&to, &tally, "rows", lines[i].last, line),
                         strlen(lines[i].line));
        assert_string_equal(line, lines[i].line);
    }
}

/* A key that is there already is not used twice. */
static void a_member_has_a_key_of_its_own(void **state)
{
    (void)state;
    static const char *const notes[][2] = {
        {"{\"a\":1}", "{\"_note\":\"1 of 2 rows left out\"}"},
        {"{\"_note\":1,\"__note\":2}", "{\"___note\":\"1 of 2 rows left out\"}"},
        {"[1]", "[{\"_note\":\"1 of 2 rows left out\"}]"},
    };
    cut_tally tally = {.rows = 1, .rows_left_out = 1};
    for (size_t i = 0; i < ROWS(notes); i++) {
        pith_doc *doc = must_parse_json(notes[i][0]);
        pith_doc *copy = pith_doc_new(NULL);
        if (notes[i][0][0] == '[')
            pith_doc_open_array(copy);
        else
            pith_doc_open_object(copy);
        note_add(copy, pith_doc_root(doc), &tally, "rows");
        assert_int_equal(pith_doc_finish(copy, NULL), PITH_OK);
        must_write_as(pith_doc_root(copy), "json", NULL, notes[i][1]);
        pith_doc_free(copy);
        pith_doc_free(doc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_note_is_half_a_sentence),
        cmocka_unit_test(the_longest_note_fits),
        cmocka_unit_test(a_line_has_its_place_by_format),
        cmocka_unit_test(a_member_has_a_key_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
