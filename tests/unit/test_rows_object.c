/*
 * test_rows_object.c - objects of members and tables that leave piece by piece.
 *
 * A script is a line of words, one for each call, so that a case can be read at a
 * glance:
 *
 *     m:NAME=JSON     a member           c:JSON   a cell
 *     t:NAME=a,b      a table            s        a cell that is skipped
 *     k:NAME=a,b      a keyed table      e        the end of the row
 *     K:TEXT          the key of a row   r:JSON   a whole row
 *
 * JSON and GCF stream such objects, TOON is given them collected. What GCF holds must
 * read back as the value that JSON holds.
 */
#include "meter.h"
#include "testing.h"
#include "named.h"

enum { WORD_MOST = 256, COLUMNS_MOST = 8 };

/* Cuts "NAME=a,b" into its name and its columns; the columns' number. */
static size_t cut_columns(char *word, const char **columns)
{
    size_t count = 0;
    char *at = strchr(word, '=');
    assert_non_null(at);
    *at++ = '\0';
    while (*at) {
        assert_true(count < COLUMNS_MOST);
        columns[count++] = at;
        at += strcspn(at, ",");
        if (*at)
            *at++ = '\0';
    }
    return count;
}

static pith_status play_word(pith_rows *rows, char *word, pith_error *err)
{
    const char *columns[COLUMNS_MOST];
    pith_status status = PITH_OK;
    pith_doc *doc = NULL;
    char *rest = word[0] && word[1] ? word + 2 : word + 1;
    char *value = strchr(rest, '=');
    size_t count = 0;
    switch (*word) {
    case 'm':
        doc = must_parse_json(value + 1);
        *value = '\0';
        status = rows_add_named(rows, rest, pith_doc_root(doc), err);
        break;
    case 't':
        count = cut_columns(rest, columns);
        status = rows_begin_named(rows, rest, columns, count, err);
        break;
    case 'k':
        count = cut_columns(rest, columns);
        status = rows_begin_keyed_named(rows, rest, columns, count, err);
        break;
    case 'K':
        pith_doc_add_key(pith_rows_row(rows), rest, strlen(rest));
        break;
    case 'c':
        doc = must_parse_json(rest);
        pith_doc_add_value(pith_rows_row(rows), pith_doc_root(doc));
        break;
    case 's':
        pith_doc_skip(pith_rows_row(rows));
        break;
    case 'e':
        status = pith_rows_end_row(rows, err);
        break;
    case 'r':
        doc = must_parse_json(rest);
        status = pith_rows_add_row(rows, pith_doc_root(doc), err);
        break;
    default:
        fail_msg("no such word: %s", word);
    }
    pith_doc_free(doc);
    return status;
}

/* Plays all words, whatever becomes of them, and closes. */
static pith_status play(const char *format, const char *script,
                        const pith_options *options, pith_buffer *out, pith_error *err)
{
    char word[WORD_MOST];
    *out = (pith_buffer){0};
    pith_rows *rows = pith_rows_open_object(format, options, pith_sink_buffer(out), err);
    if (!rows)
        return err->status;
    for (const char *at = script; *at;) {
        size_t len = strcspn(at, " ");
        assert_true(len < sizeof word);
        memcpy(word, at, len);
        word[len] = '\0';
        play_word(rows, word, NULL);
        at += len + (at[len] == ' ');
    }
    return pith_rows_close(rows, err);
}

static bool gives(const char *format, const char *script, const char *expected)
{
    pith_buffer out;
    pith_error err = {0};
    pith_status status = play(format, script, NULL, &out, &err);
    bool right = status == PITH_OK &&
                 same_bytes(script, out.data, out.len, expected, strlen(expected));
    if (status != PITH_OK)
        fprintf(stderr, "%s (%s): %s\n", script, format, err.message);
    pith_buffer_free(&out);
    return right;
}

/* The streamed GCF is the value that was collected for JSON. */
static bool reads_back(const char *script, const char *json)
{
    pith_buffer out;
    pith_error err = {0};
    assert_int_equal(play("gcf", script, NULL, &out, &err), PITH_OK);
    pith_doc *doc = pith_doc_parse("gcf", out.data, out.len, NULL, &err);
    bool right = doc != NULL;
    if (doc) {
        pith_buffer back = must_write(pith_doc_root(doc), "json", NULL);
        right = same_bytes(script, back.data, back.len, json, strlen(json));
        pith_buffer_free(&back);
    } else {
        fprintf(stderr, "%s at %zu:%zu: %s\n%s\n", err.code, err.line, err.column,
                err.message, out.data);
    }
    pith_doc_free(doc);
    pith_buffer_free(&out);
    return right;
}

#define FIRST "GCF profile=generic\n"

static void objects_of_tables(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        const char *json;
        const char *gcf;
    } all[] = {
        {"", "{}", FIRST},
        {"m:a=1 m:b=[1,\"x\"] m:c={\"d\":{}} m:e=[] m:f=[{\"g\":1},{\"g\":2}] m:h=null",
         "{\"a\":1,\"b\":[1,\"x\"],\"c\":{\"d\":{}},\"e\":[],\"f\":[{\"g\":1},{\"g\":2}],"
         "\"h\":null}",
         FIRST "a=1\nb[2]: 1,x\n## c\n  ## d\n## e [0]\n## f [2]{g}\n1\n2\nh=-\n"},
        {"t:a=x,y c:1 s e c:2 c:null e", "{\"a\":[{\"x\":1},{\"x\":2,\"y\":null}]}",
         FIRST "## a [?]{x,y}\n1|~\n2|-\n##! summary counts=2\n"},
        {"m:n=\"N\" m:l=[1,2] t:a=x c:1 e t:b=y k:k=z,w K:p c:1 c:2 e K:q s c:3 e",
         "{\"n\":\"N\",\"l\":[1,2],\"a\":[{\"x\":1}],\"b\":[],"
         "\"k\":{\"p\":{\"z\":1,\"w\":2},\"q\":{\"w\":3}}}",
         FIRST "n=N\nl[2]: 1,2\n## a [?]{x}\n1\n## b [?]{y}\n## k [?:]{key,z,w}\n"
               "p|1|2\nq|~|3\n##! summary counts=1,0,2\n"},
        /* members that begin with ## can stand after a table, and any after those */
        {"t:a=x c:1 e m:o={\"p\":1} m:s=2 t:b=x c:3 e m:q=[{\"r\":1}] m:v=[] m:l=[4,[]]",
         "{\"a\":[{\"x\":1}],\"o\":{\"p\":1},\"s\":2,\"b\":[{\"x\":3}],\"q\":[{\"r\":1}],"
         "\"v\":[],\"l\":[4,[]]}",
         FIRST "## a [?]{x}\n1\n## o\n  p=1\ns=2\n## b [?]{x}\n3\n## q [1]{r}\n1\n"
               "## v [0]\n## l [2]\n@0 =4\n@1 [0]\n##! summary counts=1,1\n"},
        /* whole rows, in any order of their members; names that need quotes */
        {"t:a-b=x,y|z r:{\"y|z\":1,\"x\":\"\"} r:{} k:=key K:1 r:{\"key\":2}",
         "{\"a-b\":[{\"x\":\"\",\"y|z\":1},{}],\"\":{\"1\":{\"key\":2}}}",
         FIRST "## \"a-b\" [?]{x,\"y|z\"}\n\"\"|1\n~|~\n## \"\" [?:]{_key,key}\n\"1\"|2\n"
               "##! summary counts=2,1\n"},
        /* the label of the keys is the first that is free */
        {"k:a=_key K:x c:1 e k:b=key,__key,_key,x K:y s s s s e k:c=Key,_ke,keys",
         "{\"a\":{\"x\":{\"_key\":1}},\"b\":{\"y\":{}},\"c\":{}}",
         FIRST "## a [?:]{key,_key}\nx|1\n## b [?:]{___key,key,__key,_key,x}\ny|~|~|~|~\n"
               "## c [?:]{key,Key,_ke,keys}\n##! summary counts=1,1,0\n"},
        {"k:a=x K:-7 c:1 e K:# c:2 e K: c:3 e K:a|b c:4 e",
         "{\"a\":{\"-7\":{\"x\":1},\"#\":{\"x\":2},\"\":{\"x\":3},\"a|b\":{\"x\":4}}}",
         FIRST "## a [?:]{key,x}\n\"-7\"|1\n\"#\"|2\n\"\"|3\n\"a|b\"|4\n"
               "##! summary counts=4\n"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(all); i++) {
        failures += !gives("json", all[i].script, all[i].json);
        failures += !gives("gcf", all[i].script, all[i].gcf);
        failures += !reads_back(all[i].script, all[i].json);
    }
    assert_int_equal(failures, 0);
    assert_true(gives("toon", "m:a=1 t:b=x c:1 e c:2 e", "a: 1\nb[2]{x}:\n  1\n  2"));
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        const char *script;
        pith_status status;
        const char *code;
        const char *part; /* of the message */
    } all[] = {
        {"gcf", "t:a=x m:b=1", PITH_UNREPRESENTABLE, "member_after_table", "\"b\""},
        {"gcf", "t:a=x c:1 e m:b=[1]", PITH_UNREPRESENTABLE, "member_after_table", "row"},
        {"gcf", "k:a=x m:b=null", PITH_UNREPRESENTABLE, "member_after_table", "before"},
        {"gcf", "t:a=x>y", PITH_UNREPRESENTABLE, "invalid_column", "x>y"},
        {"gcf", "k:a=x,> K:1", PITH_UNREPRESENTABLE, "invalid_column", ">"},
        {"gcf", "t:a=x c:[] e", PITH_UNREPRESENTABLE, "nested_value", "row 1"},
        {"gcf", "t:a=x c:1 e t:b=x c:1 e c:{} e", PITH_UNREPRESENTABLE, "nested_value",
         "row 2"},
        {"gcf", "t:a=x c:1e999 e", PITH_UNREPRESENTABLE, "out_of_range", "1e999"},
        {"gcf", "m:a=[1e999]", PITH_UNREPRESENTABLE, "out_of_range", "1e999"},
        {"ndjson", "", PITH_UNREPRESENTABLE, "not_an_array", "ndjson"},
        {"json", "m:a=1 m:a=2", PITH_BAD_INPUT, "duplicate_key", "\"a\""},
        {"gcf", "m:a=1 t:a=x", PITH_BAD_INPUT, "duplicate_key", "\"a\""},
        {"gcf", "t:a=x k:a=x", PITH_BAD_INPUT, "duplicate_key", "\"a\""},
        {"toon", "k:a=x K:k c:1 e K:k c:2 e", PITH_BAD_INPUT, "duplicate_key", "\"k\""},
        {"gcf", "t:a=x,x", PITH_BAD_INPUT, "duplicate_key", "\"x\""},
        {"gcf", "m:\xff=1", PITH_BAD_INPUT, "invalid_utf8", "name"},
        {"gcf", "t:a=\xff", PITH_BAD_INPUT, "invalid_utf8", "UTF-8"},
        {"gcf", "k:a=x K:\xff c:1 e", PITH_BAD_INPUT, "invalid_utf8", "UTF-8"},
        {"gcf", "t:a=", PITH_BAD_USE, "no_columns", "columns"},
        {"gcf", "c:1 e", PITH_BAD_USE, "no_columns", "begun"},
        {"json", "r:{}", PITH_BAD_USE, "no_columns", "begun"},
        {"json", "t:a=x m:b=1 c:1 e", PITH_BAD_USE, "no_columns", "begun"},
        {"gcf", "t:a=x,y c:1 m:b={}", PITH_BAD_USE, "row_unfinished", "ended"},
        {"gcf", "t:a=x,y c:1 t:b=x", PITH_BAD_USE, "row_unfinished", "ended"},
        {"json", "t:a=x,y c:1", PITH_BAD_USE, "row_unfinished", "ended"},
        {"json", "k:a=x K:k", PITH_BAD_USE, "row_unfinished", "ended"},
        {"gcf", "k:a=x K:k t:b=x", PITH_BAD_USE, "row_unfinished", "ended"},
        {"gcf", "k:a=x K:k K:l", PITH_BAD_USE, "row_unfinished", "before"},
        {"gcf", "k:a=x,y K:k c:1 K:l", PITH_BAD_USE, "row_unfinished", "before"},
        {"gcf", "t:a=x K:k c:1 e", PITH_BAD_USE, "not_keyed", "keys"},
        {"gcf", "k:a=x c:1 e", PITH_BAD_USE, "expected_key", "key"},
        {"json", "k:a=x K:k c:1 e c:1 e", PITH_BAD_USE, "expected_key", "key"},
        {"json", "k:a=x r:{\"x\":1}", PITH_BAD_USE, "expected_key", "key"},
        /* the first failure sticks */
        {"gcf", "t:a=x m:b=1 m:c={} c:1 e", PITH_UNREPRESENTABLE, "member_after_table",
         "\"b\""},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_buffer out;
        pith_error err = {0};
        pith_status status = play(all[i].format, all[i].script, NULL, &out, &err);
        bool right = status == all[i].status && err.status == status &&
                     strcmp(err.code, all[i].code) == 0 &&
                     strstr(err.message, all[i].part);
        if (!right)
            fprintf(stderr, "%s: %s %s: %s\n", all[i].script, pith_status_name(status),
                    status ? err.code : "", status ? err.message : "");
        failures += !right;
        pith_buffer_free(&out);
    }
    assert_int_equal(failures, 0);

    /* no value is no member */
    pith_buffer out = {0};
    pith_error err = {0};
    pith_value none = {0};
    pith_rows *rows = pith_rows_open_object("json", NULL, pith_sink_buffer(&out), &err);
    assert_int_equal(rows_add_named(rows, "a", none, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "no_value");
    assert_int_equal(pith_rows_close(rows, NULL), PITH_BAD_USE);
    pith_buffer_free(&out);

    /* one table is no object */
    static const char *const columns[] = {"x"};
    rows = rows_open_named("gcf", columns, 1, NULL, pith_sink_buffer(&out), &err);
    assert_int_equal(rows_begin_named(rows, "a", columns, 1, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "not_an_object");
    assert_int_equal(pith_rows_close(rows, NULL), PITH_BAD_USE);
    pith_buffer_free(&out);
}

static void without_a_summary(void **state)
{
    (void)state;
    pith_options options = with_settings(NULL, "summary=false tool=t");
    pith_buffer out;
    pith_error err = {0};
    assert_int_equal(play("gcf", "m:a=1 t:b=x c:1 e t:c=x", &options, &out, &err),
                     PITH_OK);
    assert_true(same_bytes(
        "text", out.data, out.len,
        LIT("GCF profile=generic tool=t\na=1\n## b [?]{x}\n1\n## c [?]{x}\n")));
    pith_buffer_free(&out);
}

/* The layout is that of the whole object written at once. */
static void indented_json(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        "", "m:a={\"b\":[1]} m:c=[]", "t:a=x k:b=y", "m:a=1 t:b=x c:1 e c:2 e m:c={}",
        "k:a=x,y K:k c:1 s e K:l s s e t:c=x c:[1,{}] e"};
    pith_options options = with_settings(NULL, "indent=3");
    for (size_t i = 0; i < ROWS(scripts); i++) {
        pith_buffer out;
        assert_int_equal(play("json", scripts[i], &options, &out, NULL), PITH_OK);
        pith_doc *doc = must_parse_json(out.data);
        must_write_as(pith_doc_root(doc), "json", "indent=3", out.data);
        pith_doc_free(doc);
        pith_buffer_free(&out);
    }
}

/* Taken off a stream, one table gives its rows; of several, the rows of the first are
 * out when the second comes, and that is said. A text that begins with members is
 * collected. */
static void read_in_pieces(void **state)
{
    (void)state;
    static const struct {
        const char *script;
        size_t rows;
        const char *code;
    } all[] = {
        {"t:a=x c:1 e c:2 e c:3 e", 3, NULL},
        {"t:a=x c:1 e c:2 e t:b=x c:3 e", 2, "not_a_table"},
        {"m:n=1 t:a=x c:1 e t:b=x c:3 e", 1, NULL},
        {"k:a=x K:k c:1 e K:l c:2 e", 1, NULL},
    };
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_buffer out;
        pith_error err = {0};
        assert_int_equal(play("gcf", all[i].script, NULL, &out, &err), PITH_OK);
        pith_reader *reader = pith_reader_open("gcf", NULL, NULL);
        size_t rows = 0;
        pith_status status = PITH_OK;
        for (size_t at = 0; at <= out.len && status == PITH_OK; at++) {
            status = at < out.len ? pith_reader_feed(reader, out.data + at, 1, &err)
                                  : pith_reader_end(reader, &err);
            for (pith_value row = {0}; status == PITH_OK; rows++) {
                status = pith_reader_next(reader, &row, &err);
                if (!row.doc)
                    break;
            }
        }
        assert_int_equal(rows, all[i].rows);
        assert_int_equal(status, all[i].code ? PITH_BAD_INPUT : PITH_OK);
        if (all[i].code)
            assert_string_equal(err.code, all[i].code);
        pith_reader_free(reader);
        pith_buffer_free(&out);
    }
}

static pith_status drop(void *ctx, const char *data, size_t len)
{
    (void)data;
    *(size_t *)ctx += len;
    return PITH_OK;
}

/* However many rows there are, in however many columns and tables. */
static void memory_is_constant(void **state)
{
    (void)state;
    static const char *const columns[] = {"id", "text"};
    size_t peaks[4];
    for (size_t round = 0; round < ROWS(peaks); round++) {
        meter counts = {0};
        size_t written = 0;
        pith_options options = {0};
        options.alloc = meter_alloc(&counts);
        pith_sink sink = {drop, &written};
        pith_rows *rows =
            pith_rows_open_object(round % 2 ? "json" : "gcf", &options, sink, NULL);
        assert_non_null(rows);
        for (size_t table = 0; table < 4; table++) {
            char name[8] = {(char)('a' + table), '\0'};
            assert_int_equal(table % 2
                                 ? rows_begin_named(rows, name, columns, 2, NULL)
                                 : rows_begin_keyed_named(rows, name, columns, 2, NULL),
                             PITH_OK);
            for (uint64_t i = 0; i < (round > 1 ? 20000 : 200); i++) {
                if (table % 2 == 0)
                    pith_doc_add_key(pith_rows_row(rows),
                                     (const char *)&"0123456789"[i % 10], 1);
                pith_doc_add_uint64(pith_rows_row(rows), i);
                pith_doc_add_text(pith_rows_row(rows), LIT("some text"));
                assert_int_equal(pith_rows_end_row(rows, NULL), PITH_OK);
            }
        }
        assert_int_equal(pith_rows_close(rows, NULL), PITH_OK);
        peaks[round] = counts.peak_bytes;
        assert_true(meter_clean(&counts));
    }
    assert_true(peaks[2] <= peaks[0]);
    assert_true(peaks[3] <= peaks[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_of_tables), cmocka_unit_test(refusals),
        cmocka_unit_test(without_a_summary), cmocka_unit_test(read_in_pieces),
        cmocka_unit_test(indented_json),     cmocka_unit_test(memory_is_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
