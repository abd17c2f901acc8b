/*
 * test_gcf_decode.c - GCF as it is read, rule by rule.
 *
 * Tables of two kinds: bodies that are accepted, with the JSON they stand for, and
 * bodies that are refused, with the specification's word for it and the place. The
 * first line is put before each body, so line 2 is where it begins. Every text is
 * handed over in a block of exactly its size, so that the address sanitizer sees a
 * reader that looks one byte too far. What is accepted must pass pith_check, and what
 * is refused must have the same first problem there.
 *
 * Where the fault is:
 *     a header, a name, a mark       the byte that cannot be there
 *     too few rows, items, values    the end of the last line
 *     too many                       the first beyond the count
 *     a row too short                its end; too long: the delimiter too many
 *     an indentation                 the first byte behind it; a tab: the line's start
 *     a duplicate                    the later one
 *     a missing attachment           its ^
 */
#include "bytes.h"
#include "meter.h"
#include "testing.h"

#define FIRST "GCF profile=generic\n"

typedef struct accepted {
    const char *text;
    size_t len;
    const char *json;
} accepted;

typedef struct refused {
    const char *text;
    size_t len;
    expected_error error;
} refused;

#define WHOLE(text, json)                                                                \
    {                                                                                    \
        LIT(text), json                                                                  \
    }
#define ACCEPT(body, json) WHOLE(FIRST body, json)
#define REFUSE_WHOLE(text, code, line, column)                                           \
    {                                                                                    \
        LIT(text),                                                                       \
        {                                                                                \
            PITH_BAD_INPUT, code, line, column                                           \
        }                                                                                \
    }
#define REFUSE(body, code, line, column) REFUSE_WHOLE(FIRST body, code, line, column)

static char *exact_copy(const char *text, size_t len)
{
    char *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    if (len)
        memcpy(copy, text, len);
    return copy;
}

static bool reads_as(const accepted *row)
{
    char *text = exact_copy(row->text, row->len);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("gcf", text, row->len, NULL, &err);
    bool right = doc != NULL;
    if (doc) {
        pith_buffer out = must_write(pith_doc_root(doc), "json", NULL);
        right = same_bytes("read", out.data, out.len, row->json, strlen(row->json));
        pith_buffer_free(&out);
    } else {
        fprintf(stderr, "%s at %zu:%zu: %s\n", err.code, err.line, err.column,
                err.message);
    }
    if (pith_check("gcf", text, row->len, NULL, NULL, NULL, NULL) != PITH_OK) {
        fputs("the check finds something\n", stderr);
        right = false;
    }
    if (!right)
        show_bytes("  of", row->text, row->len);
    pith_doc_free(doc);
    free(text);
    return right;
}

static bool first_problem_only(void *ctx, const pith_error *problem)
{
    *(pith_error *)ctx = *problem;
    return false;
}

static bool is_refused(const refused *row)
{
    char *text = exact_copy(row->text, row->len);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("gcf", text, row->len, NULL, &err);
    bool right = doc == NULL && same_error("refused", &err, &row->error);
    if (doc)
        fputs("accepted although it must be refused\n", stderr);
    pith_error first = {0};
    pith_check("gcf", text, row->len, NULL, first_problem_only, &first, NULL);
    right = same_error("checked", &first, &row->error) && right;
    if (!right)
        show_bytes("  of", row->text, row->len);
    pith_doc_free(doc);
    free(text);
    return right;
}

static void all_accepted(const accepted *rows, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++)
        failures += !reads_as(&rows[i]);
    assert_int_equal(failures, 0);
}

static void all_refused(const refused *rows, size_t count)
{
    size_t failures = 0;
    for (size_t i = 0; i < count; i++)
        failures += !is_refused(&rows[i]);
    assert_int_equal(failures, 0);
}

/* ---------------------------------------------------------- the first line: 3 */

static void first_lines(void **state)
{
    (void)state;
    static const accepted rows[] = {
        WHOLE("GCF profile=generic", "{}"),
        WHOLE("GCF profile=generic tool=x tokens=12 later=y \r\na=1\r\n", "{\"a\":1}"),
        WHOLE("GCF profile=generic pack_root=sha256:00 key=id\n"
              "## t [2]{@id,n}\n1|a\n2|b\n",
              "{\"t\":[{\"id\":1,\"n\":\"a\"},{\"id\":2,\"n\":\"b\"}]}"),
    };
    all_accepted(rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE_WHOLE("", "missing_header", 1, 1),
        REFUSE_WHOLE("a=1\n", "missing_header", 1, 1),
        REFUSE_WHOLE("GCF2 profile=generic\n", "missing_header", 1, 1),
        REFUSE_WHOLE("gcf profile=generic\n", "missing_header", 1, 1),
        REFUSE_WHOLE("\nGCF profile=generic\n", "missing_header", 1, 1),
        REFUSE_WHOLE("# c\nGCF profile=generic\n", "missing_header", 1, 1),
        REFUSE_WHOLE(" GCF profile=generic\n", "missing_header", 1, 1),
        REFUSE_WHOLE("\xEF\xBB\xBFGCF profile=generic\na=1", "missing_header", 1, 1),
        REFUSE_WHOLE("GCF", "missing_profile", 1, 4),
        REFUSE_WHOLE("GCF tool=x\na=1", "missing_profile", 1, 11),
        REFUSE_WHOLE("GCF tool=x profile=generic\n", "missing_profile", 1, 12),
        REFUSE_WHOLE("GCF profile=other\n", "unknown_profile", 1, 5),
        REFUSE_WHOLE("GCF tool=x profile=graph\n", "missing_profile", 1, 12),
        REFUSE_WHOLE("GCF profile=generic broken\n", "malformed_header_field", 1, 21),
        REFUSE_WHOLE("GCF profile=generic =x\n", "malformed_header_field", 1, 21),
        REFUSE_WHOLE("GCF profile=generic a=\n", "malformed_header_field", 1, 21),
        REFUSE_WHOLE("GCF profile=generic a-b=1\n", "malformed_header_field", 1, 21),
        REFUSE_WHOLE("GCF profile=generic  a=1\n", "malformed_header_field", 1, 21),
        REFUSE_WHOLE("GCF profile=generic a=\xC3\xA9\n", "malformed_header_field", 1, 21),
        REFUSE_WHOLE("GCF profile=generic a=1 a=2\n", "duplicate_header_field", 1, 25),
        REFUSE_WHOLE("GCF profile=generic profile=generic\n", "duplicate_header_field", 1,
                     21),
        REFUSE_WHOLE("GCF profile=generic delta=true\n", "not_a_document", 1, 21),
        REFUSE_WHOLE("GCF profile=generic unchanged=true\n", "not_a_document", 1, 21),
        REFUSE_WHOLE("GCF profile=generic\n## t [1]{@id,n}\n1|a\n", "invalid_key", 2, 10),
        REFUSE_WHOLE("GCF profile=generic key=n\n## t [1]{@id,n}\n1|a\n", "invalid_key",
                     2, 10),
        REFUSE_WHOLE("GCF profile=generic key=id\n## t [2]{@id,n}\n1|a\n1|b\n",
                     "duplicate_key", 4, 1),
        REFUSE_WHOLE("GCF profile=generic key=id\n## t [1]{@id,n}\n~|b\n",
                     "invalid_missing", 3, 1),
    };
    all_refused(bad, ROWS(bad));
}

/* ------------------------------------------------------------------ scalars: 2 */

static void scalars(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT("=42\n", "42"),
        ACCEPT("=-", "null"),
        ACCEPT("=", "\"\""),
        ACCEPT("=true\n# over\n\n", "true"),
        ACCEPT("=\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\"\n",
               "\"a\\\"\\\\/\\b\\f\\n\\r\\t\xC3\xA9\xF0\x9F\x98\x80\""),
        ACCEPT(
            "a=01\nb=1.\nc=.5\nd=+1\ne=NaN\nf=null\ng=0x1f\nh=-x\ni=--\nj=1.\xD9\xA5\n",
            "{\"a\":\"01\",\"b\":\"1.\",\"c\":\".5\",\"d\":\"+1\",\"e\":\"NaN\","
            "\"f\":\"null\",\"g\":\"0x1f\",\"h\":\"-x\",\"i\":\"--\","
            "\"j\":\"1.\xD9\xA5\"}"),
        ACCEPT("a=-0\nb=1E+2\nc=6.022e23\nd=-9223372036854775808\n"
               "e=9223372036854775807\nf=1e308\ng=True\nh=false\n",
               "{\"a\":-0,\"b\":1E+2,\"c\":6.022e23,\"d\":-9223372036854775808,"
               "\"e\":9223372036854775807,\"f\":1e308,\"g\":\"True\",\"h\":false}"),
        /* trimmed outside quotes, kept inside */
        ACCEPT("a= x y \t\nb=\" x \" \nc=\t7\nd=\n",
               "{\"a\":\"x y\",\"b\":\" x \",\"c\":7,\"d\":\"\"}"),
        ACCEPT("a=x\"y\"z\nb=a=b\nc=[x]\nd={}\ne=^{abc\nf=^x\ng=~~\nh=a|b,c\n",
               "{\"a\":\"x\\\"y\\\"z\",\"b\":\"a=b\",\"c\":\"[x]\",\"d\":\"{}\","
               "\"e\":\"^{abc\",\"f\":\"^x\",\"g\":\"~~\",\"h\":\"a|b,c\"}"),
        ACCEPT("a=\"~\"\nb=\"^\"\nc=\"^{a,b,c}\"\n",
               "{\"a\":\"~\",\"b\":\"^\",\"c\":\"^{a,b,c}\"}"),
        ACCEPT("a=x\x7Fy\nb=x\ty\n", "{\"a\":\"x\x7Fy\",\"b\":\"x\\ty\"}"),
    };
    all_accepted(rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE("a=\"x\n", "unterminated_quote", 2, 3),
        REFUSE("a=\"x\\\"\n", "unterminated_quote", 2, 3),
        REFUSE("a=\"x\\q\"\n", "invalid_escape", 2, 5),
        REFUSE("a=\"\\u00g9\"\n", "invalid_escape", 2, 4),
        REFUSE("a=\"\\|\"\n", "invalid_escape", 2, 4),
        REFUSE("a=\"x\ty\"\n", "invalid_escape", 2, 5),
        REFUSE("a=\"x\x01\"\n", "invalid_escape", 2, 5),
        REFUSE("a=\"x\"y\n", "trailing_characters", 2, 6),
        REFUSE("a=\"x\" y\n", "trailing_characters", 2, 6),
        REFUSE("a=~\n", "invalid_missing", 2, 3),
        REFUSE("a[2]: 1,~\n", "invalid_missing", 2, 9),
        REFUSE("=~\n", "invalid_missing", 2, 2),
        REFUSE("## a [1]\n@0 =~\n", "invalid_missing", 3, 5),
        REFUSE("a=^\n", "invalid_attachment_marker", 2, 3),
        REFUSE("a=^{x,y,z}\n", "invalid_attachment_marker", 2, 3),
        REFUSE("a[1]: ^\n", "invalid_attachment_marker", 2, 7),
        REFUSE("## a [1]\n@0 =^\n", "invalid_attachment_marker", 3, 5),
        REFUSE("a=\"\\ud800\"\n", "invalid_surrogate", 2, 4),
        REFUSE("a=\"\\udc00\"\n", "invalid_surrogate", 2, 4),
        REFUSE("a=\"\\ud83d\\u0041\"\n", "invalid_surrogate", 2, 4),
        REFUSE("a=\xED\xA0\x80\n", "invalid_surrogate", 2, 3),
        REFUSE("a=\xFF\n", "invalid_utf8", 2, 3),
        REFUSE("# \xC3\n", "invalid_utf8", 2, 3),
        REFUSE("a=1\n\xE2\x82", "invalid_utf8", 3, 1),
        REFUSE("a=9223372036854775808\n", "out_of_range", 2, 3),
        REFUSE("a=-9223372036854775809\n", "out_of_range", 2, 3),
        REFUSE("a=1e400\n", "out_of_range", 2, 3),
        REFUSE("## [1]{a,b}\n1|-1e999\n", "out_of_range", 3, 3),
    };
    all_refused(bad, ROWS(bad));
}

/* Numbers of so many digits that it takes all of them to tell whether they fit. */
static void long_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        const char *digit;
        size_t count;
        const char *after;
        bool fits;
    } rows[] = {
        {"0.", "1", 300, "", true},    {"1", "0", 300, ".5", true},
        {"-1", "0", 300, ".5", true},  {"1", "0", 400, ".5", false},
        {"-1", "0", 400, ".5", false}, {"1", "0", 400, "e-200", true},
        {"0.", "0", 300, "1e9", true}, {"9", "0", 300, "e99", false},
        {"1", "0", 300, "", false},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        bytes number = {0}, text = {0};
        bytes_put(&number, rows[i].before);
        bytes_repeat(&number, rows[i].digit, rows[i].count);
        bytes_put(&number, rows[i].after);
        bytes_add(&number, "", 1);
        bytes_put(&text, FIRST "=");
        bytes_add(&text, number.ptr, number.len - 1);
        pith_error err = {0};
        pith_doc *doc = pith_doc_parse("gcf", text.ptr, text.len, NULL, &err);
        assert_int_equal(doc != NULL, rows[i].fits);
        if (doc)
            must_hold_json(doc, number.ptr);
        else
            assert_string_equal(err.code, "out_of_range");
        pith_doc_free(doc);
        bytes_free(&text);
        bytes_free(&number);
    }
}

/* ------------------------------------------------------------------- objects: 7.2 */

static void objects(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT("", "{}"),
        ACCEPT("## a\n## b\n  ## c\n    x=1\n  y=2\nz=3\n",
               "{\"a\":{},\"b\":{\"c\":{\"x\":1},\"y\":2},\"z\":3}"),
        ACCEPT(
            "\"a b\"=1\n\"\"=2\n\"a=b\"=3\n\"a[1]\"=4\n\"c\\n\"=5\n## \"d [1]:\"\n  x=1\n"
            "\"e[2]\"[1]: 6\n_x1=7\n",
            "{\"a b\":1,\"\":2,\"a=b\":3,\"a[1]\":4,\"c\\n\":5,\"d [1]:\":{\"x\":1},"
            "\"e[2]\":[6],\"_x1\":7}"),
        /* keys of every format's own making survive */
        ACCEPT("\"filter[name]\"[2]: x,y\n\"]:\"=1\n\"a>b\"=2\n\"{\"=3\n\"|\"=4\n"
               "constructor=5\n",
               "{\"filter[name]\":[\"x\",\"y\"],\"]:\":1,\"a>b\":2,\"{\":3,\"|\":4,"
               "\"constructor\":5}"),
        ACCEPT(
            "a[0]:\nb[0]: \nc[2]: ,\nd[3]: 1, 2 ,\"a,b\"\n## e [0]\n## f [0]{x}\ng=1\n",
            "{\"a\":[],\"b\":[],\"c\":[\"\",\"\"],\"d\":[1,2,\"a,b\"],\"e\":[],"
            "\"f\":[],\"g\":1}"),
        ACCEPT("# comment\n\na=1\n  # deeper\n \t \n## b\n# none\n  c=2\n   \n",
               "{\"a\":1,\"b\":{\"c\":2}}"),
    };
    all_accepted(rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE("a=1\nb=2\na=3\n", "duplicate_key", 4, 1),
        REFUSE("a=1\n\"a\"=3\n", "duplicate_key", 3, 1),
        REFUSE("\"\\u0061\"=1\na=3\n", "duplicate_key", 3, 1),
        REFUSE("a=1\n\"\\u0061\"=3\n", "duplicate_key", 3, 1),
        REFUSE("## x\n  a=1\n  ## a\n", "duplicate_key", 4, 6),
        REFUSE("a-b=1\n", "invalid_key", 2, 2),
        REFUSE("a b=1\n", "invalid_key", 2, 2),
        REFUSE("a =1\n", "invalid_key", 2, 2),
        REFUSE("## a b\n", "invalid_key", 2, 5),
        REFUSE("## a-b [1]{x}\n1\n", "invalid_key", 2, 5),
        REFUSE("##  a\n", "invalid_key", 2, 4),
        REFUSE("##a\n", "invalid_line", 2, 1),
        REFUSE("##\n", "invalid_line", 2, 1),
        REFUSE("a\n", "invalid_line", 2, 1),
        REFUSE("1=2\n", "invalid_line", 2, 1),
        REFUSE("a=1\n=2\n", "invalid_line", 3, 1),
        REFUSE("@0 =1\n", "invalid_line", 2, 1),
        REFUSE("\"a\"x=1\n", "trailing_characters", 2, 4),
        REFUSE("\"a=1\n", "unterminated_quote", 2, 1),
        REFUSE("=1\na=2\n", "invalid_line", 3, 1),
        REFUSE("## [1]: 1\na=2\n", "invalid_line", 3, 1),
        REFUSE("a=1\n## [1]: 1\n", "invalid_header", 3, 4),
        REFUSE("## a [1]: 1\n", "invalid_header", 2, 9),
        REFUSE("a[1]{x}\n1\n", "invalid_header", 2, 2),
        REFUSE("## a [1\n", "invalid_header", 2, 6),
        REFUSE("## a [1]{x} y\n", "invalid_header", 2, 12),
        REFUSE("a[2]: 1\n", "count_mismatch", 2, 8),
        REFUSE("a[1]: 1,2\n", "count_mismatch", 2, 9),
        REFUSE("a[1]:\n", "count_mismatch", 2, 6),
        REFUSE("a[03]: 1,2,3\n", "invalid_count", 2, 3),
        REFUSE("a[+1]: 1\n", "invalid_count", 2, 3),
        REFUSE("a[]: 1\n", "invalid_count", 2, 3),
        REFUSE("a[b]=1\n", "invalid_count", 2, 3),
        REFUSE(".a {}\n", "orphan_attachment", 2, 1),
    };
    all_refused(bad, ROWS(bad));
}

/* --------------------------------------------------------------- indentation: 4.1 */

static void indentation(void **state)
{
    (void)state;
    static const refused bad[] = {
        REFUSE("## a\n\tb=1\n", "tab_indentation", 3, 1),
        REFUSE("## a\n  \tb=1\n", "tab_indentation", 3, 1),
        REFUSE("a=1\n\t# c\nb=2\n", "tab_indentation", 3, 1),
        REFUSE("## a [1]{x}\n  \t # c\n1\n", "tab_indentation", 3, 1),
        REFUSE("## a\n b=1\n", "invalid_indent", 3, 2),
        REFUSE("## a\n   b=1\n", "invalid_indent", 3, 4),
        REFUSE("## a\n    b=1\n", "invalid_indent", 3, 5),
        REFUSE("a=1\n  b=1\n", "invalid_indent", 3, 3),
        REFUSE("  a=1\n", "invalid_indent", 2, 3),
        REFUSE("## a [1]{x}\n  1\n", "invalid_indent", 3, 3),
        REFUSE("## a [1]{x}\n1\n  2\n", "invalid_indent", 4, 3),
        REFUSE("## a [1]{x}\n@0 ^\n.x {}\n      b=1\n", "invalid_indent", 5, 7),
        REFUSE("## a [1]\n@0 =1\n  b=1\n", "invalid_indent", 4, 3),
    };
    all_refused(bad, ROWS(bad));
}

/* -------------------------------------------------------------------- tables: 7.4 */

static void tables(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT("## [2]{id,name}\n1|Ada\n2|Bob\n",
               "[{\"id\":1,\"name\":\"Ada\"},{\"id\":2,\"name\":\"Bob\"}]"),
        ACCEPT("## t [2]{id,n}\n1|-\n2|~\nafter=1\n",
               "{\"t\":[{\"id\":1,\"n\":null},{\"id\":2}],\"after\":1}"),
        ACCEPT("## t [3]{a,b}\n~|~\n~|1\n2|~\n", "{\"t\":[{},{\"b\":1},{\"a\":2}]}"),
        ACCEPT("## t [2]{a,b}\n1 |\t\"x|y\" \n|\"\"\n",
               "{\"t\":[{\"a\":1,\"b\":\"x|y\"},{\"a\":\"\",\"b\":\"\"}]}"),
        /* a numbered row whose one cell is empty */
        ACCEPT("## t [2]{a}\n@0 \n@1  \r\n", "{\"t\":[{\"a\":\"\"},{\"a\":\"\"}]}"),
        ACCEPT("## t [1]{\"a,b\",\"c d\",\"\"}\nx,y|a=b|-1.5\n",
               "{\"t\":[{\"a,b\":\"x,y\",\"c d\":\"a=b\",\"\":-1.5}]}"),
        /* once the rows are there, what looks like a member is one */
        ACCEPT("## t [1]{a}\nx=1\nx=1\ny[2]: 1,2\n## z\n",
               "{\"t\":[{\"a\":\"x=1\"}],\"x\":1,\"y\":[1,2],\"z\":{}}"),
        ACCEPT("## o\n  ## t [1]{a}\n  1\n  b=2\nc=3\n",
               "{\"o\":{\"t\":[{\"a\":1}],\"b\":2},\"c\":3}"),
        ACCEPT("## t [2]{a}\n# c\n1\n\n  # c\n2\n", "{\"t\":[{\"a\":1},{\"a\":2}]}"),
        ACCEPT("## t [1]{a,b}\r\n1|x \r\n", "{\"t\":[{\"a\":1,\"b\":\"x\"}]}"),
        ACCEPT("## t [2]{a}\n@0 1\n@1 2\n", "{\"t\":[{\"a\":1},{\"a\":2}]}"),
        ACCEPT("## t [2]{a,b}\n-x|trueish\n12abc|\xC3\xA9t\xC3\xA9\n",
               "{\"t\":[{\"a\":\"-x\",\"b\":\"trueish\"},"
               "{\"a\":\"12abc\",\"b\":\"\xC3\xA9t\xC3\xA9\"}]}"),
        ACCEPT("## t [?]{a}\n1\n2\n## u [?]\n@0 =1\nv=1\n",
               "{\"t\":[{\"a\":1},{\"a\":2}],\"u\":[1],\"v\":1}"),
    };
    all_accepted(rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE("## t [3]{a}\n1\n2\n", "count_mismatch", 4, 2),
        REFUSE("## t [3]{a}\n1\n2\n## u\n", "count_mismatch", 4, 2),
        REFUSE("## t [1]{a}\n1\n2\n", "count_mismatch", 4, 1),
        REFUSE("## t [1]{a,b}\n1|2\n3|4\n", "count_mismatch", 4, 1),
        REFUSE("## [1]{a,b}\n1|2\n3|4\n", "count_mismatch", 4, 1),
        REFUSE("## [1]{a}\n1\nx=2\n", "count_mismatch", 4, 1),
        REFUSE("## t [0]{a}\n1\n", "count_mismatch", 3, 1),
        REFUSE("## t [1]{a}\n1\n@1 2\n", "count_mismatch", 4, 1),
        REFUSE("## o\n  ## t [2]{a}\n  1\nx=2\n", "count_mismatch", 4, 4),
        REFUSE("## t [999999999999999999999999]{a}\n1\n", "count_mismatch", 3, 2),
        REFUSE("## t [01]{a}\n1\n", "invalid_count", 2, 7),
        REFUSE("## t [-1]{a}\n1\n", "invalid_count", 2, 7),
        REFUSE("## t [1]{a,b}\n1\n", "row_width_mismatch", 3, 2),
        REFUSE("## t [1]{a,b}\n1|2|3\n", "row_width_mismatch", 3, 4),
        REFUSE("## t [1]{a,b}\n\"1|2\"\n", "row_width_mismatch", 3, 6),
        REFUSE("## t [?]{a,b}\n1|2\nx=1\n", "row_width_mismatch", 4, 4),
        REFUSE("## t [1]{a,b,a}\n1|2|3\n", "duplicate_field_name", 2, 14),
        REFUSE("## t [1]{\"\\u0061\",a}\n1|2\n", "duplicate_field_name", 2, 19),
        REFUSE("## t [1]{a-b}\n1\n", "invalid_key", 2, 11),
        REFUSE("## t [1]{a, b}\n1|2\n", "invalid_key", 2, 12),
        REFUSE("## t [1]{}\n1\n", "invalid_key", 2, 10),
        REFUSE("## t [1]{a,}\n1\n", "invalid_key", 2, 12),
        REFUSE("## t [1]{a\n1\n", "invalid_header", 2, 11),
        REFUSE("## t [1]{\"a\"b}\n1\n", "invalid_header", 2, 13),
        REFUSE("## t [1]{\"a}\n1\n", "unterminated_quote", 2, 10),
        REFUSE("## t [2]{a}\n1\n@2 2\n", "invalid_item_id", 4, 1),
        REFUSE("## t [1]{a}\n@00 2\n", "invalid_item_id", 3, 1),
        REFUSE("## t [1]{a}\n@0\n", "invalid_item_id", 3, 1),
        REFUSE("## t [1]{a}\n@ada\n", "invalid_item_id", 3, 1),
        REFUSE("## t [1]{a,b}\n\"x\"y|1\n", "trailing_characters", 3, 4),
        REFUSE("## t [1]{a,b}\n1|\"x\n", "unterminated_quote", 3, 3),
    };
    all_refused(bad, ROWS(bad));
}

/* ----------------------------------------------------- path columns: 7.4.6 */

static void path_columns(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT("## [1]{id,\"c>n\",\"c>m\",t}\n1|Ada|a@x|9\n",
               "[{\"id\":1,\"c\":{\"n\":\"Ada\",\"m\":\"a@x\"},\"t\":9}]"),
        ACCEPT("## [4]{\"c>n\",\"c>m\",t}\n-|-|1\n~|~|2\n-|x|3\n~|-|4\n",
               "[{\"c\":null,\"t\":1},{\"t\":2},{\"c\":{\"n\":null,\"m\":\"x\"},\"t\":3},"
               "{\"c\":{\"m\":null},\"t\":4}]"),
        /* at the place of the first leaf */
        ACCEPT("## [2]{\"c>n\",id,\"c>m\"}\nAda|1|x\n~|2|y\n",
               "[{\"c\":{\"n\":\"Ada\",\"m\":\"x\"},\"id\":1},"
               "{\"c\":{\"m\":\"y\"},\"id\":2}]"),
        ACCEPT("## [5]{\"a>b>c\",\"a>b>d\",\"a>e\"}\n1|2|3\n-|-|3\n~|~|3\n-|-|-\n~|-|~\n",
               "[{\"a\":{\"b\":{\"c\":1,\"d\":2},\"e\":3}},{\"a\":{\"b\":null,\"e\":3}},"
               "{\"a\":{\"e\":3}},{\"a\":null},{\"a\":{\"b\":{\"d\":null}}}]"),
        ACCEPT("## [1]{\">\",\"a>\",\">b\",\"c>>d\"}\n0|1|2|3\n",
               "[{\">\":0,\"a>\":1,\">b\":2,\"c>>d\":3}]"),
        ACCEPT("## [2]{\"a>b\",\"a>c\",l}\n@0 1|2|^\n.l [1]: x\n@1 -|-|^\n.l [0]\n",
               "[{\"a\":{\"b\":1,\"c\":2},\"l\":[\"x\"]},{\"a\":null,\"l\":[]}]"),
        ACCEPT("## [2:]{key,\"a>b\",\"a>c\"}\nx|1|2\ny|~|~\n",
               "{\"x\":{\"a\":{\"b\":1,\"c\":2}},\"y\":{}}"),
    };
    all_accepted(rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE("## [1]{a,\"a>b\"}\n1|2\n", "duplicate_field_name", 2, 10),
        REFUSE("## [1]{\"a>b\",a}\n1|2\n", "duplicate_field_name", 2, 14),
        REFUSE("## [1]{\"a>b\",\"a>b>c\"}\n1|2\n", "duplicate_field_name", 2, 14),
        REFUSE("## [1]{\"a>b\",x,\"a>b\"}\n1|2|3\n", "duplicate_field_name", 2, 16),
        REFUSE("## [1]{\"a>b\"}\n@0 ^\n.\"a>b\" {}\n", "invalid_attachment_marker", 3, 4),
    };
    all_refused(bad, ROWS(bad));
}

/* ------------------------------------------------------- attachments: 7.4.4 */

static void attachments(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT("## t [2]{id,c,l}\n@0 1|^|^\n.c {}\n    n=Ada\n    ## d\n      x=1\n"
               ".l [2]: a,b\n@1 2|^|~\n.c {}\n",
               "{\"t\":[{\"id\":1,\"c\":{\"n\":\"Ada\",\"d\":{\"x\":1}},"
               "\"l\":[\"a\",\"b\"]},{\"id\":2,\"c\":{}}]}"),
        /* one level beneath, and two for the body all the same */
        ACCEPT(
            "## t [1]{id,c,l}\n@0 1|^|^\n  .c {}\n    n=Ada\n  .l [2]{x}\n    1\n    2\n",
            "{\"t\":[{\"id\":1,\"c\":{\"n\":\"Ada\"},\"l\":[{\"x\":1},{\"x\":2}]}]}"),
        /* any order */
        ACCEPT("## t [1]{a,b,c,d}\n@0 ^|1|^|^\n.d [1]: d\n.a {}\n    x=1\n.c [1]{y}\n"
               "    2\n",
               "{\"t\":[{\"a\":{\"x\":1},\"b\":1,\"c\":[{\"y\":2}],\"d\":[\"d\"]}]}"),
        ACCEPT(
            "## t [2]{a,b}\n@0 ^|^\n.b {}\n    ## u [1]{p,q}\n    @0 ^|^\n    .q [1]: q\n"
            "    .p [1]: p\n.a [0]\n@1 ^|2\n.a [1]: a\nz=1\n",
            "{\"t\":[{\"a\":[],\"b\":{\"u\":[{\"p\":[\"p\"],\"q\":[\"q\"]}]}},"
            "{\"a\":[\"a\"],\"b\":2}],\"z\":1}"),
        ACCEPT("## t [1]{a,b,c}\n@0 ^|~|^\n.c [1]: c\n.a [1]: a\n",
               "{\"t\":[{\"a\":[\"a\"],\"c\":[\"c\"]}]}"),
        /* names with > stand last */
        ACCEPT("## t [2]{id}\n@0 1\n.\"a>b\" =x\n.\"c>\" {}\n    y=1\n@1 2\n"
               ".\"a>b\" [1]: 3\n",
               "{\"t\":[{\"id\":1,\"a>b\":\"x\",\"c>\":{\"y\":1}},"
               "{\"id\":2,\"a>b\":[3]}]}"),
        /* a field that is no column has its schema by its name, each table its own */
        ACCEPT("## t [3]{id}\n@0 1\n.\"a>\" [1]{x,y}\n    1|2\n.\"b>\" [1]{z}\n    3\n"
               "@1 2\n.\"b>\" [1]\n    4\n.\"a\\u003e\" [2]\n    5|6\n    7|~\n"
               "@2 3\n.\"a>\" [1]{q}\n    8\n.\"b>\" [2]\n    @0 =9\n    @1 {}\n",
               "{\"t\":[{\"id\":1,\"a>\":[{\"x\":1,\"y\":2}],\"b>\":[{\"z\":3}]},"
               "{\"id\":2,\"b>\":[{\"z\":4}],\"a>\":[{\"x\":5,\"y\":6},{\"x\":7}]},"
               "{\"id\":3,\"a>\":[{\"q\":8}],\"b>\":[9,{}]}]}"),
        ACCEPT("## t [2]{\"a>b\",i}\n@0 1|2\n.\"a>b\" [1]{x}\n    3\n@1 -|4\n"
               ".\"a>b\" [1]\n    5\n",
               "{\"t\":[{\"a\":{\"b\":1},\"i\":2,\"a>b\":[{\"x\":3}]},"
               "{\"a\":null,\"i\":4,\"a>b\":[{\"x\":5}]}]}"),
        ACCEPT("## t [1]{id,l}\n@0 1|^\n.\"a>b\" =x\n.l [1]: y\n",
               "{\"t\":[{\"id\":1,\"l\":[\"y\"],\"a>b\":\"x\"}]}"),
        ACCEPT("## t [1]{\"a b\",\"\"}\n@0 ^|^\n.\"a b\" [1]: 1\n.\"\" {}\n",
               "{\"t\":[{\"a b\":[1],\"\":{}}]}"),
        /* shared names of columns */
        ACCEPT("## t [4]{l}\n@0 ^\n.l [1]{a,b}\n    1|2\n@1 ^\n.l [2]\n    3|4\n    5|6\n"
               "@2 ^\n.l [1]{c}\n    7\n@3 ^\n.l [1]\n    8|9\n",
               "{\"t\":[{\"l\":[{\"a\":1,\"b\":2}]},{\"l\":[{\"a\":3,\"b\":4},"
               "{\"a\":5,\"b\":6}]},{\"l\":[{\"c\":7}]},{\"l\":[{\"a\":8,\"b\":9}]}]}"),
        ACCEPT("## t [3]{l}\n@0 ^\n.l [1]{a}\n    1\n@1 ^\n.l [2]\n    # c\n    @0 =1\n"
               "    @1 {}\n      a=2\n@2 ^\n.l [0]\n",
               "{\"t\":[{\"l\":[{\"a\":1}]},{\"l\":[1,{\"a\":2}]},{\"l\":[]}]}"),
        /* and of nothing further in */
        ACCEPT("## t [2]{l}\n@0 ^\n.l [1]{m}\n    @0 ^\n    .m [1]{a}\n        1\n"
               "@1 ^\n.l [1]\n    @0 ^\n    .m [1]\n        @0 =5\n",
               "{\"t\":[{\"l\":[{\"m\":[{\"a\":1}]}]},{\"l\":[{\"m\":[5]}]}]}"),
        ACCEPT("## t [1]{m}\n@0 ^\n.m [2:]{key,r}\n    a|1\n    b|2\n",
               "{\"t\":[{\"m\":{\"a\":{\"r\":1},\"b\":{\"r\":2}}}]}"),
        ACCEPT("## t [1]{l}\n@0 ^\n.l [2]\n    @0 [2]{a}\n      1\n      2\n    @1 [1]\n"
               "      @0 [0]\n",
               "{\"t\":[{\"l\":[[{\"a\":1},{\"a\":2}],[[]]]}]}"),
    };
    all_accepted(rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE("## t [1]{id,c}\n@0 1|x\n.c {}\n", "orphan_attachment", 4, 1),
        REFUSE("## t [1]{id,c}\n@0 1|x\n.d {}\n", "orphan_attachment", 4, 1),
        REFUSE("## t [1]{id,c}\n1|x\n.c {}\n", "orphan_attachment", 4, 1),
        REFUSE("## t [1]{id,c}\n1|x\n  .c {}\n", "orphan_attachment", 4, 3),
        REFUSE("## t [1]{id,c}\n.c {}\n", "orphan_attachment", 3, 1),
        REFUSE("## t [1]{id}\n1\n.\"a>b\" =1\n", "orphan_attachment", 4, 1),
        REFUSE("## t [1]{\">\"}\n@0 1\n.\">\" =1\n", "orphan_attachment", 4, 1),
        REFUSE("## t [1]{c}\n@0 ^{x,y,z}\n.c {}\n", "orphan_attachment", 4, 1),
        REFUSE("## t [1]{c}\n@0 ^\n", "missing_attachment", 3, 4),
        REFUSE("## t [2]{c}\n@0 ^\n@1 1\n", "missing_attachment", 3, 4),
        REFUSE("## t [1]{a,c}\n@0 ^|^\n.c {}\nx=1\n", "missing_attachment", 3, 4),
        REFUSE("## t [1]{c}\n@0 ^{x,y,z}\n", "missing_attachment", 3, 4),
        REFUSE("## t [1]{c}\n@0 ^\n.c {}\n.c {}\n", "duplicate_attachment", 5, 1),
        REFUSE("## t [1]{a,c}\n@0 ^|^\n.c {}\n.c {}\n.a {}\n", "duplicate_attachment", 5,
               1),
        REFUSE("## t [1]{c}\n@0 1\n.\"a>b\" =1\n.\"a>b\" =2\n", "duplicate_attachment", 5,
               2),
        REFUSE("## t [1]{c}\n^\n.c {}\n", "invalid_item_id", 3, 1),
        REFUSE("## t [1]{c}\n@0 ^\n.c =1\n", "invalid_line", 4, 4),
        REFUSE("## t [1]{c}\n@0 ^\n.c x\n", "invalid_line", 4, 4),
        REFUSE("## t [1]{c}\n@0 ^\n.c\n", "invalid_key", 4, 3),
        REFUSE("## t [1]{c}\n@0 ^\n.c-d {}\n", "invalid_key", 4, 3),
        REFUSE("## t [1]{l}\n@0 ^\n.l [2]: a\n", "count_mismatch", 4, 10),
        REFUSE("## t [1]{l}\n@0 ^\n.l [2]{a}\n    1\n", "count_mismatch", 5, 6),
        REFUSE("## t [1]{l}\n@0 ^\n.l [1]{a}\n    1\n    2\n", "count_mismatch", 6, 5),
        REFUSE("## t [1]{l}\n@0 ^\n.l [0]\n    @0 =1\n", "count_mismatch", 5, 5),
        REFUSE("## t [1]{l}\n@0 ^\n.l [1]{a}\n    ## x\n", "invalid_line", 5, 5),
        REFUSE("## t [1]{l}\n@0 ^\n.l [2]{a}\n  1\n  2\n", "count_mismatch", 4, 10),
        REFUSE("## t [2]{l}\n@0 ^\n.l [1]\n    1\n", "invalid_line", 5, 5),
        REFUSE("## t [3]{i}\n1\n@1 2\n.\"a>\" [1]{x}\n    1\n@2 3\n.\"a>\" [1]\n    2\n",
               "invalid_line", 9, 5),
        REFUSE("## t [2]{i}\n@0 1\n.\"a>\" [1]{x,y}\n    1|2\n@1 3\n.\"a>\" [1]\n    2\n",
               "row_width_mismatch", 8, 6),
    };
    all_refused(bad, ROWS(bad));
}

/* ------------------------------------------------- positional bodies: 7.4.5 */

static void positional_bodies(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT("## t [2]{id,c,s}\n@0 1|^{n,m,z}|x\nAda|a@x|\"7\"\n@1 2|^|y\nBob|-|8\n",
               "{\"t\":[{\"id\":1,\"c\":{\"n\":\"Ada\",\"m\":\"a@x\",\"z\":\"7\"},"
               "\"s\":\"x\"},{\"id\":2,\"c\":{\"n\":\"Bob\",\"m\":null,\"z\":8},"
               "\"s\":\"y\"}]}"),
        /* one level beneath; null and absent; a row that needs none */
        ACCEPT("## t [4]{id,c}\n@0 1|^{a,b}\n  1|2\n2|-\n3|~\n@3 4|^\n  \".x\"|3\n",
               "{\"t\":[{\"id\":1,\"c\":{\"a\":1,\"b\":2}},{\"id\":2,\"c\":null},"
               "{\"id\":3},{\"id\":4,\"c\":{\"a\":\".x\",\"b\":3}}]}"),
        /* both kinds in a row, in either order, and one kind for the other */
        ACCEPT("## t [3]{c,l,d}\n@0 ^{a,b}|^|^{x,y}\n1|2\n.l [1]: 5\n3|4\n"
               "@1 ^|^|^\n1|2\n3|4\n.l [1]: 6\n@2 ^|^|^\n.c {}\n    q=1\n.l [0]\n8|9\n",
               "{\"t\":[{\"c\":{\"a\":1,\"b\":2},\"l\":[5],\"d\":{\"x\":3,\"y\":4}},"
               "{\"c\":{\"a\":1,\"b\":2},\"l\":[6],\"d\":{\"x\":3,\"y\":4}},"
               "{\"c\":{\"q\":1},\"l\":[],\"d\":{\"x\":8,\"y\":9}}]}"),
        ACCEPT("## t [1]{c}\n@0 ^{\"a|b\",\"c,d\",\"e>f\"}\n1|2|3\nz=1\n",
               "{\"t\":[{\"c\":{\"a|b\":1,\"c,d\":2,\"e>f\":3}}],\"z\":1}"),
        /* what looks like a member is a body as long as one is waited for */
        ACCEPT("## t [1]{c}\n@0 ^{a}\nx=1\nx=1\n",
               "{\"t\":[{\"c\":{\"a\":\"x=1\"}}],\"x\":1}"),
        ACCEPT("## t [2]{c}\n@0 ^{a,b}\n1|2\n@1 ^{x,y}\n3|4\n",
               "{\"t\":[{\"c\":{\"a\":1,\"b\":2}},{\"c\":{\"x\":3,\"y\":4}}]}"),
    };
    all_accepted(rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE("## t [1]{c}\n@0 ^{a,b,c}\n1|2\n", "inline_width_mismatch", 4, 4),
        REFUSE("## t [1]{c}\n@0 ^{a,b}\n1|2|3\n", "inline_width_mismatch", 4, 4),
        REFUSE("## t [1]{c}\n@0 ^{a,b}\n1|2\n3|4\n", "orphan_inline_attachment", 5, 1),
        REFUSE("## t [1]{c}\n@0 ^{a,b}\n1|2\n  3|4\n", "orphan_inline_attachment", 5, 3),
        REFUSE("## t [1]{c}\n@0 1\n  3|4\n", "orphan_inline_attachment", 4, 3),
        REFUSE("## t [1]{c}\n@0 ^{a,b}\n1|~\n", "invalid_missing", 4, 3),
        REFUSE("## t [1]{c}\n@0 ^{a,b}\n1|^\n", "invalid_attachment_marker", 4, 3),
        REFUSE("## t [1]{c}\n@0 ^{a,b-c}\n1|2\n", "invalid_attachment_marker", 3, 5),
        REFUSE("## t [1]{c}\n@0 ^{}\n1|2\n", "invalid_attachment_marker", 3, 5),
        REFUSE("## t [1]{c}\n@0 ^{a=1,b}\n1|2\n", "invalid_attachment_marker", 3, 5),
        REFUSE("## t [1]{c}\n@0 ^{a,a}\n1|2\n", "duplicate_field_name", 3, 8),
        REFUSE("## t [2]{c}\n@0 ^\n1|2\n", "missing_attachment", 3, 4),
    };
    all_refused(bad, ROWS(bad));
}

/* ----------------------------------------------------------- keyed maps: 7.2a */

static void keyed_maps(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT("## [2:]{key,a,b}\nx|1|2\n\"7\"|~|-\n",
               "{\"x\":{\"a\":1,\"b\":2},\"7\":{\"b\":null}}"),
        ACCEPT("## m [1:]{_key,key}\nx|1\ny=2\n", "{\"m\":{\"x\":{\"key\":1}},\"y\":2}"),
        ACCEPT("## \"\" [?:]{key,a}\n\"\"|1\n\"\\u0041\"|2\n",
               "{\"\":{\"\":{\"a\":1},\"A\":{\"a\":2}}}"),
        ACCEPT("## [2:]{key,l}\n@0 x|^\n.l [1]: 1\n@1 y|^\n.l [0]\n",
               "{\"x\":{\"l\":[1]},\"y\":{\"l\":[]}}"),
        ACCEPT("## [1]\n@0 [2:]{key,a}\n  x|1\n  y|2\n",
               "[{\"x\":{\"a\":1},\"y\":{\"a\":2}}]"),
    };
    all_accepted(rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE("## [2:]{key,a}\nx|1\nx|2\n", "duplicate_key", 4, 1),
        REFUSE("## [2:]{key,a}\nx|1\n\"\\u0078\"|~\n", "duplicate_key", 4, 1),
        REFUSE("## [1:]{key}\nx\n", "keyed_map", 2, 8),
        REFUSE("## [1:]\nx\n", "keyed_map", 2, 8),
        REFUSE("## [0:]{key,a}\n", "keyed_map", 2, 4),
        REFUSE("## [2:]{key,a}\nx|1\n", "count_mismatch", 3, 4),
        REFUSE("## [1:]{key,a}\nx|1\ny|2\n", "count_mismatch", 4, 1),
        REFUSE("## [1:]{key,a}\nx|1|2\n", "row_width_mismatch", 3, 4),
        REFUSE("## [1:]{key,key}\nx|1\n", "duplicate_field_name", 2, 13),
        REFUSE("## [1:]{key,a}\n7|1\n", "invalid_key", 3, 1),
        REFUSE("## [1:]{key,a}\ntrue|~\n", "invalid_key", 3, 1),
        REFUSE("## [1:]{key,a}\n~|1\n", "invalid_missing", 3, 1),
        REFUSE("## [1:]{key,a}\n@0 ^|1\n", "invalid_attachment_marker", 3, 4),
        REFUSE("## [03:]{key,a}\nx|1\n", "invalid_count", 2, 5),
        REFUSE("## [:]{key,a}\nx|1\n", "invalid_count", 2, 5),
    };
    all_refused(bad, ROWS(bad));
}

/* ---------------------------------------------------------- expanded arrays: 7.6 */

static void items(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT("## a [5]\n@0 =x\n@1 {}\n  n=1\n  ## t [1]{y}\n  2\n@2 [2]: 1,-\n"
               "@3 [1]\n  @0 {}\n@4 [1]{z}\n  3\nb=1\n",
               "{\"a\":[\"x\",{\"n\":1,\"t\":[{\"y\":2}]},[1,null],[{}],[{\"z\":3}]],"
               "\"b\":1}"),
        ACCEPT("## [2]\n@0 =\"@1 {}\"\n@1 {}\n", "[\"@1 {}\",{}]"),
        ACCEPT("## [0]\n", "[]"),
        ACCEPT("## [?]\n", "[]"),
    };
    all_accepted(rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE("## a [2]\n@0 =1\n", "count_mismatch", 3, 6),
        REFUSE("## a [2]\n@0 =1\nb=1\n", "count_mismatch", 3, 6),
        REFUSE("## a [1]\n@0 =1\n@1 =2\n", "count_mismatch", 4, 1),
        REFUSE("## a [2]\n@0 =1\n@2 =2\n", "invalid_item_id", 4, 1),
        REFUSE("## a [1]\n@00 =1\n", "invalid_item_id", 3, 1),
        REFUSE("## a [1]\n@x =1\n", "invalid_item_id", 3, 1),
        REFUSE("## a [1]\n@0 x\n", "invalid_line", 3, 4),
        REFUSE("## a [1]\n@0 {} \n  b\n", "invalid_line", 4, 3),
        REFUSE("## a [1]\n@0 [1]{x=1,y}\n  1\n", "invalid_const_value", 3, 8),
    };
    all_refused(bad, ROWS(bad));
}

/* ------------------------------------------------------ deferred counts: 8 and 13 */

static void summaries(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT("## t [?]{a}\n1\n2\n##! summary counts=2\n",
               "{\"t\":[{\"a\":1},{\"a\":2}]}"),
        ACCEPT("## t [?]{a}\n## u [?]\n@0 =1\n## v [?:]{key,a}\nx|1\n"
               "##! summary counts=0,1,1\n# c\n\n",
               "{\"t\":[],\"u\":[1],\"v\":{\"x\":{\"a\":1}}}"),
        ACCEPT("## t [?]{l}\n@0 ^\n.l [?]{a}\n    1\n    2\n##! summary counts=1,2\n",
               "{\"t\":[{\"l\":[{\"a\":1},{\"a\":2}]}]}"),
        ACCEPT("a[?]: 1,2\n##! summary counts=2\n", "{\"a\":[1,2]}"),
        ACCEPT("## t [1]{a}\n1\n##! summary counts=7 more=x\n", "{\"t\":[{\"a\":1}]}"),
        ACCEPT("=1\n##! summary\n", "1"),
        ACCEPT("##! summary\n", "{}"),
    };
    all_accepted(rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE("## t [?]{a}\n1\n2\n##! summary counts=1\n", "count_mismatch", 5, 20),
        REFUSE("## t [?]{a}\n1\n##! summary counts=1,1\n", "count_mismatch", 4, 20),
        REFUSE("## t [?]{a}\n1\n##! summary\n", "count_mismatch", 4, 12),
        REFUSE("## t [?]{a}\n1\n##! summary counts=01\n", "invalid_count", 4, 20),
        REFUSE("## t [?]{a}\n1\n##! summary counts=t:1\n", "invalid_count", 4, 20),
        REFUSE("## t [?]{a}\n1\n##! summary counts\n", "malformed_header_field", 4, 13),
        REFUSE("a=1\n##! summary x=1 x=2\n", "duplicate_header_field", 3, 17),
        REFUSE("a=1\n##! other\n", "invalid_line", 3, 1),
        REFUSE("a=1\n##! summary\nb=2\n", "invalid_line", 4, 1),
        REFUSE("## o\n  ##! summary\n", "invalid_line", 3, 3),
    };
    all_refused(bad, ROWS(bad));
}

/* --------------------------------------------------------------- level 3.6 */

static void constant_columns(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT("## [2]{id,region=us-east,level}\n1|a\n2|b\n",
               "[{\"id\":1,\"region\":\"us-east\",\"level\":\"a\"},"
               "{\"id\":2,\"region\":\"us-east\",\"level\":\"b\"}]"),
        ACCEPT("## [2]{\"c>n\",k=7,\"c>m\",l}\n@0 1|2|^\n.l [0]\n-|-|~\n",
               "[{\"c\":{\"n\":1,\"m\":2},\"k\":7,\"l\":[]},{\"c\":null,\"k\":7}]"),
        ACCEPT("## t [1]{a=1,b=-,c=true,d=\"x,}\\\"y\",\"e f\"=2.50,g=\"\",h}\n9\n",
               "{\"t\":[{\"a\":1,\"b\":null,\"c\":true,\"d\":\"x,}\\\"y\",\"e f\":2.50,"
               "\"g\":\"\",\"h\":9}]}"),
        ACCEPT("## u [1]{a= x y ,b=^{abc,c}\n8\n",
               "{\"u\":[{\"a\":\"x y\",\"b\":\"^{abc\",\"c\":8}]}"),
        ACCEPT("## [?]{a=1,b}\n1\n2\n##! summary counts=2\n",
               "[{\"a\":1,\"b\":1},{\"a\":1,\"b\":2}]"),
    };
    all_accepted(rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE("## [1]{a=,b}\n1\n", "invalid_const_value", 2, 10),
        REFUSE("## [1]{a=~,b}\n1\n", "invalid_const_value", 2, 10),
        REFUSE("## [1]{a=^,b}\n1\n", "invalid_const_value", 2, 10),
        REFUSE("## [1]{b,a=^{x}}\n1\n", "invalid_const_value", 2, 12),
        REFUSE("## [1]{a=\"x\"y,b}\n1\n", "trailing_characters", 2, 13),
        REFUSE("## [1]{a=1e999,b}\n1\n", "out_of_range", 2, 10),
        REFUSE("## [1]{a=1}\n1\n", "no_bare_column", 2, 7),
        REFUSE("## [1]{a=1,a}\n1\n", "duplicate_field_name", 2, 12),
        REFUSE("## [1]{\"a>b\"=1,c}\n1\n", "invalid_const_value", 2, 8),
        REFUSE("## [1:]{key,a=1,b}\nx|1\n", "invalid_const_value", 2, 13),
        REFUSE("## [1]{l}\n@0 ^\n.l [1]{a=1,b}\n    1\n", "invalid_const_value", 4, 8),
        REFUSE("## [1]{a=1,b}\n@0 1\n.a {}\n", "orphan_attachment", 4, 1),
    };
    all_refused(bad, ROWS(bad));
}

static void groups(void **state)
{
    (void)state;
    static const accepted rows[] = {
        ACCEPT("## [3]{@id,name,dept} group=dept\ndept=Sales [2]\n1|Ada\n2|Bob\n"
               "dept=Tax [1]\n3|Eve\n",
               "[{\"id\":1,\"name\":\"Ada\",\"dept\":\"Sales\"},"
               "{\"id\":2,\"name\":\"Bob\",\"dept\":\"Sales\"},"
               "{\"id\":3,\"name\":\"Eve\",\"dept\":\"Tax\"}]"),
        ACCEPT(
            "## t [3]{d,@id,c=1,n} group=d\nd=\"a [1]\" [1]\n1|~\nd=- [1]\n2|x\nd=5 [1]\n"
            "3|-\nz=1\n",
            "{\"t\":[{\"d\":\"a [1]\",\"id\":1,\"c\":1},"
            "{\"d\":null,\"id\":2,\"c\":1,\"n\":\"x\"},"
            "{\"d\":5,\"id\":3,\"c\":1,\"n\":null}],\"z\":1}"),
        ACCEPT("## t [?]{@id,\"d e\"} group=\"d e\"\n\"d e\"=x [1]\n1\n## u\n",
               "{\"t\":[{\"id\":1,\"d e\":\"x\"}],\"u\":{}}"),
        ACCEPT("## [2]{@id,d} group=d\nd=1 [1]\n1\nd=\"1\" [1]\n\"1\"\n",
               "[{\"id\":1,\"d\":1},{\"id\":\"1\",\"d\":\"1\"}]"),
    };
    all_accepted(rows, ROWS(rows));
    static const refused bad[] = {
        REFUSE("## [2]{@id,d} group=d\nd=x [1]\n1\nd=x [1]\n2\n", "duplicate_group", 5,
               3),
        REFUSE("## [2]{@id,d} group=d\nd=1 [1]\n1\nd=1.0 [1]\n2\n", "duplicate_group", 5,
               3),
        REFUSE("## [2]{@id,d} group=d\nd=- [1]\n1\nd=- [1]\n2\n", "duplicate_group", 5,
               3),
        REFUSE("## [2]{@id,d} group=d\nd=x [2]\n1\n1\n", "duplicate_key", 5, 1),
        REFUSE("## [2]{@id,d} group=d\nd=x [1]\n1\nd=y [1]\n1e0\n", "duplicate_key", 6,
               1),
        REFUSE("## [2]{id,d} group=d\nd=x [1]\n1\n", "invalid_group_header", 2, 20),
        REFUSE("## [2]{@id,d} group=e\nd=x [1]\n1\n", "invalid_group_header", 2, 21),
        REFUSE("## [2]{@id,d} group=id\nd=x [1]\n1\n", "invalid_group_header", 2, 21),
        REFUSE("## [2]{@id,d=1} group=d\nd=x [1]\n1\n", "invalid_group_header", 2, 23),
        REFUSE("## [2]{@id,@d} group=d\nd=x [1]\n1\n", "invalid_header", 2, 12),
        REFUSE("## [1]{@id,d} group=d\n1\n", "invalid_group_header", 3, 2),
        REFUSE("## [1]{@id,d} group=d\ne=x [1]\n1\n", "invalid_group_header", 3, 1),
        REFUSE("## [1]{@id,d} group=d\nd=x [0]\n1\n", "invalid_count", 3, 6),
        REFUSE("## [1]{@id,d} group=d\nd=x [01]\n1\n", "invalid_count", 3, 6),
        REFUSE("## [1]{@id,d} group=d\nd=~ [1]\n1\n", "invalid_const_value", 3, 3),
        REFUSE("## [1]{@id,d} group=d\nd= [1]\n1\n", "invalid_const_value", 3, 3),
        REFUSE("## [1]{@id,d} group=d\nd=x [1]\n~\n", "invalid_group_header", 4, 1),
        REFUSE("## [1]{@id,d,e} group=d\nd=x [1]\n@0 1|^\n.e {}\n",
               "invalid_group_header", 4, 6),
        REFUSE("## [2]{@id,d} group=d\nd=x [2]\n1\n", "count_mismatch", 4, 2),
        REFUSE("## [3]{@id,d} group=d\nd=x [2]\n1\n2\n", "count_mismatch", 5, 2),
        REFUSE("## [1]{@id,d} group=d\nd=x [1]\n1\nd=y [1]\n2\n", "count_mismatch", 5, 1),
        REFUSE("## t [1]{@id,d} group=d\nd=x [1]\n1\nd=y [1]\n2\n", "count_mismatch", 5,
               1),
    };
    all_refused(bad, ROWS(bad));
}

/* What stands like an attachment right behind the head of a group was once passed over. */
static void nothing_is_attached_to_a_group(void **state)
{
    (void)state;
    static const refused rows[] = {
        REFUSE("## [1]{@id,d} group=d\nd=x [1]\n.a {}\n1\n", "orphan_attachment", 4, 1),
        REFUSE("## [2]{@id,d} group=d\nd=x [1]\n1\nd=y [1]\n.a {}\n2\n",
               "orphan_attachment", 6, 1),
        REFUSE("## [2]{@id,d} group=d\nd=x [1]\n1\nd=y [1]\n  .a {}\n2\n",
               "orphan_attachment", 6, 3),
        REFUSE("## [1]{@id,d} group=d\nd=x [1]\n.? no line\n1\n", "orphan_attachment", 4,
               1),
    };
    all_refused(rows, ROWS(rows));
}

/* ------------------------------------------------------------- mutated wire */

/* Wire in which anything that is lost must show. */
static const char wire[] = FIRST "title=all\n"
                                 "## t [3]{id,name,l}\n"
                                 "@0 1|Ada|^\n"
                                 ".l [2]{a,b}\n"
                                 "    1|2\n"
                                 "    3|4\n"
                                 "2|Bob|~\n"
                                 "@2 3|Eve|^\n"
                                 ".l [1]\n"
                                 "    5|6\n"
                                 "## m [2]\n"
                                 "@0 =1\n"
                                 "@1 {}\n"
                                 "  x=1\n"
                                 "## k [2:]{key,v}\n"
                                 "p|1\n"
                                 "q|2\n"
                                 "n[2]: 1,2\n";

static bool is_accepted(const char *text, size_t len)
{
    char *copy = exact_copy(text, len);
    pith_doc *doc = pith_doc_parse("gcf", copy, len, NULL, NULL);
    bool fine = pith_check("gcf", copy, len, NULL, NULL, NULL, NULL) == PITH_OK;
    assert_int_equal(fine, doc != NULL);
    pith_doc_free(doc);
    free(copy);
    return fine;
}

/* Each line but these can neither go nor stand twice. */
static bool may_go(const char *line)
{
    return strncmp(line, "title", 5) == 0 || strncmp(line, "  x=1", 5) == 0 ||
           strncmp(line, "n[2]", 4) == 0;
}

static void mutated_wire(void **state)
{
    (void)state;
    assert_true(is_accepted(wire, sizeof wire - 1));
    size_t failures = 0;
    for (const char *line = wire; *line;) {
        const char *next = strchr(line, '\n') + 1;
        bytes without = {0};
        bytes twice = {0};
        bytes_add(&without, wire, (size_t)(line - wire));
        bytes_put(&without, next);
        bytes_add(&twice, wire, (size_t)(next - wire));
        bytes_put(&twice, line);
        if (is_accepted(without.ptr, without.len) != may_go(line) ||
            is_accepted(twice.ptr, twice.len)) {
            show_bytes("line", line, (size_t)(next - line));
            failures++;
        }
        bytes_free(&without);
        bytes_free(&twice);
        line = next;
    }
    /* every digit in a bracket is a count */
    for (size_t i = 0; i + 2 < sizeof wire; i++) {
        if (wire[i] == '[' && wire[i + 1] >= '0' && wire[i + 1] <= '9') {
            for (char digit = '0'; digit <= '9'; digit++) {
                char changed[sizeof wire];
                memcpy(changed, wire, sizeof wire);
                changed[i + 1] = digit;
                failures +=
                    is_accepted(changed, sizeof wire - 1) != (digit == wire[i + 1]);
            }
        }
    }
    /* a tail that is cut leaves too few rows, items or members */
    static const char *const cuts[][2] = {
        {"]{id,name", "|^\n.l [1]\n"}, {"\n@0 =1", "{}\n  x=1"}, {"]{key", "2\nn[2]"}};
    for (size_t i = 0; i < ROWS(cuts); i++) {
        size_t from = (size_t)(strstr(wire, cuts[i][0]) - wire) + 1;
        size_t to = (size_t)(strstr(wire, cuts[i][1]) - wire);
        assert_true(from + 5 < to);
        for (size_t len = from; len < to; len++) {
            if (is_accepted(wire, len)) {
                show_bytes("cut", wire, len);
                failures++;
            }
        }
    }
    assert_int_equal(failures, 0);
}

/* ---------------------------------------------------------- several problems */

typedef struct found {
    char text[1024];
} found;

static bool collect(void *ctx, const pith_error *problem)
{
    found *all = (found *)ctx;
    size_t used = strlen(all->text);
    snprintf(all->text + used, sizeof all->text - used, "%s %zu:%zu\n", problem->code,
             problem->line, problem->column);
    return true;
}

static void several_problems(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *problems;
    } rows[] = {
        {FIRST "a=~\nb=\"x\nc=1\nc=2\nd-e=1\n",
         "invalid_missing 2:3\nunterminated_quote 3:3\ninvalid_key 6:2\n"
         "duplicate_key 5:1\n"},
        {FIRST "## t [3]{a,b}\n1|2|3\n4|~\n5\nx=^\n## u [2]\n@0 =1\n@5 =2\n",
         "row_width_mismatch 3:4\nrow_width_mismatch 5:2\n"
         "invalid_attachment_marker 6:3\ninvalid_item_id 9:1\n"},
        {FIRST "## t [2]{a}\n@0 ^\n@1 ^\n.a {}\n    x=~\n.a {}\n.b {}\n",
         "missing_attachment 3:4\ninvalid_missing 6:7\nduplicate_attachment 7:1\n"
         "orphan_attachment 8:1\n"},
        {FIRST "## t [1]{a}\n1\n2\n3\n## u [2]{a}\n1\n",
         "count_mismatch 4:1\ncount_mismatch 7:2\n"},
        {FIRST "## t [01]{a}\n1\n2\nx=1\n## u [1]{a,a}\n1|2\ny=~\n",
         "invalid_count 2:7\nduplicate_field_name 6:12\ninvalid_missing 8:3\n"},
        {FIRST "## t [1]{a-b}\n1\n2\n## u\n  x\n  y=1\n\tz=1\n",
         "invalid_key 2:11\ninvalid_line 6:3\ntab_indentation 8:1\n"},
        {FIRST "## t [2]{@id,d} group=d\nd=1e400 [1]\nd=x [2]\n1e400\n2\n",
         "out_of_range 3:3\nout_of_range 5:1\n"},
        {"GCF profile=generic a a=1 a=2\nx=~\n",
         "malformed_header_field 1:21\nduplicate_header_field 1:27\n"},
        {FIRST "a=\"\\q\\ud800\"\nb=\xFF\xFF\nc=\xFF\n",
         "invalid_escape 2:4\ninvalid_surrogate 2:6\ninvalid_utf8 3:3\n"
         "invalid_utf8 4:3\n"},
        {FIRST "## t [1]{a,\"a>b\",c,c}\n1|2|3|4\nx=~\n",
         "duplicate_field_name 2:20\nduplicate_field_name 2:12\ninvalid_missing 4:3\n"},
        /* what belongs to a row that could not be read is passed over */
        {FIRST "## t [2]{a,b}\n1|2|3\n 4|5\n  .a {}\n6|7\n",
         "row_width_mismatch 3:4\ninvalid_indent 4:2\n"},
        {FIRST "## t [2]{a,b}\n@0 ^{x,y}|^\n1|2|3\n.b [2]: 1\n@1 ^|^\n3|~\n.b {}\n",
         "inline_width_mismatch 4:4\ncount_mismatch 5:10\ninvalid_missing 7:3\n"},
    };
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(rows); i++) {
        found all = {{0}};
        pith_check("gcf", rows[i].text, strlen(rows[i].text), NULL, collect, &all, NULL);
        failures += !same_bytes(rows[i].text, all.text, strlen(all.text),
                                rows[i].problems, strlen(rows[i].problems));
    }
    assert_int_equal(failures, 0);
}

static void messages_name_the_expectation(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        const char *message;
    } rows[] = {
        {FIRST "## t [3]{a}\n1\n2\n", "3 rows declared in line 2, found 2"},
        {FIRST "## t [1]{a}\n1\n2\n", "1 row declared in line 2, found more"},
        {FIRST "## t [1]{a,b}\n1\n", "expected 2 cells, found 1"},
        {FIRST "a[2]: 1,2,3\n", "2 values declared, found 3"},
        {FIRST "## [2:]{key,x}\na|1\na|2\n",
         "duplicate member key \"a\"; it first stands in line 3, column 1"},
        {FIRST "## [1:]{key}\na\n",
         "a keyed table has at least two fields: the key and a value"},
        {FIRST "## [0:]{key,a}\n",
         "a keyed table with a zero count: an empty object has no table"},
        {FIRST "v=9223372036854775808\n",
         "9223372036854775808 does not fit 64 bits (-2^63 to 2^63-1); write it as text, "
         "in quotes"},
        {FIRST "## t [2]{a}\n1\n@7 2\n", "expected '@1 ', found '@7'"},
        {FIRST "## t [2]{a}\n1\n^\n.a {}\n", "expected @1 before a row with attachments"},
    };
    for (size_t i = 0; i < ROWS(rows); i++) {
        pith_error err = {0};
        pith_doc *doc =
            pith_doc_parse("gcf", rows[i].body, strlen(rows[i].body), NULL, &err);
        assert_null(doc);
        assert_string_equal(err.message, rows[i].message);
    }
}

/* Rows lack cells in every way, in every order, more than once: what is remembered of
 * one row must be right for the next. The expected text is put together here. */
static void rows_that_lack_cells(void **state)
{
    (void)state;
    /* the cell, what its key and value become; the second stands in an object */
    static const char *const cells[] = {"1", "~", "-"};
    bytes text = {0};
    bytes expected = {0};
    bytes_put(&text, FIRST "## [?]{a,\"o>x\",k=7,\"o>y\",z}\n");
    bytes_put(&expected, "[");
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 81; i++) {
            int a = i % 3, x = i / 3 % 3, y = i / 9 % 3, z = i / 27;
            bytes_print(&text, "%s|%s|%s|%s\n", cells[a], cells[x], cells[y], cells[z]);
            bytes_print(&expected, "%s{", i || round ? "," : "");
            if (a != 1)
                bytes_print(&expected, "\"a\":%s,", a ? "null" : "1");
            if (x == 2 && y == 2)
                bytes_put(&expected, "\"o\":null,");
            else if (x != 1 || y != 1) {
                bytes_put(&expected, "\"o\":{");
                if (x != 1)
                    bytes_print(&expected, "\"x\":%s%s", x ? "null" : "1",
                                y != 1 ? "," : "");
                if (y != 1)
                    bytes_print(&expected, "\"y\":%s", y ? "null" : "1");
                bytes_put(&expected, "},");
            }
            bytes_put(&expected, "\"k\":7");
            if (z != 1)
                bytes_print(&expected, ",\"z\":%s", z ? "null" : "1");
            bytes_put(&expected, "}");
        }
    }
    bytes_put(&expected, "]");
    pith_doc *doc = must_parse("gcf", text.ptr, text.len, NULL);
    pith_buffer out = must_write(pith_doc_root(doc), "json", NULL);
    assert_true(same_bytes("rows", out.data, out.len, expected.ptr, expected.len));
    pith_buffer_free(&out);
    pith_doc_free(doc);
    bytes_free(&text);
    bytes_free(&expected);
}

/* When there is no room for more shapes, what is remembered of a row that lacks cells must
 * not be its keys, which then stand with the row. */
static void rows_that_lack_cells_and_a_shape(void **state)
{
    (void)state;
    enum { SHAPES_MOST = 65534, KEYS = 250 };
    bytes text = {0};
    bytes_put(&text, FIRST "## [5]{a,b,o,c}\n@0 1|2|^|3\n.o {}\n");
    for (int i = 0; i * KEYS <= SHAPES_MOST; i++) {
        bytes_print(&text, "    ## s%d\n", i);
        for (int k = 0; k < KEYS; k++)
            bytes_print(&text, "      k%d_%d=1\n", i, k);
    }
    bytes_put(&text, "~|4|5|6\n~|7|8|~\n~|9|10|11\n~|12|13|~\n");
    pith_doc *doc = must_parse("gcf", text.ptr, text.len, NULL);
    static const char *const expected[] = {
        "{\"b\":4,\"o\":5,\"c\":6}", "{\"b\":7,\"o\":8}", "{\"b\":9,\"o\":10,\"c\":11}",
        "{\"b\":12,\"o\":13}"};
    pith_value row = pith_value_first(pith_doc_root(doc));
    for (size_t i = 0; i < ROWS(expected); i++) {
        row = pith_value_next(row);
        must_write_as(row, "json", NULL, expected[i]);
    }
    pith_doc_free(doc);
    bytes_free(&text);
}

/* ------------------------------------------------------------------- sizes */

/* A table of this many columns, of which the row has all, half or none. */
static void wide_tables(void **state)
{
    (void)state;
    enum { COLUMNS = 10000 };
    bytes text = {0};
    bytes_put(&text, FIRST "## [3]{");
    for (int i = 0; i < COLUMNS; i++)
        bytes_print(&text, "%sc%d", i ? "," : "", i);
    bytes_put(&text, "}\n");
    for (int i = 0; i < COLUMNS; i++)
        bytes_print(&text, "%s%d", i ? "|" : "", i);
    bytes_put(&text, "\n");
    for (int i = 0; i < COLUMNS; i++)
        bytes_print(&text, "%s%s", i ? "|" : "", i % 2 ? "x" : "~");
    bytes_put(&text, "\n@2 ");
    for (int i = 0; i < COLUMNS; i++)
        bytes_print(&text, "%s^", i ? "|" : "");
    bytes_put(&text, "\n");
    for (int i = COLUMNS; i-- > 0;)
        bytes_print(&text, ".c%d [1]: %d\n", i, i);
    pith_doc *doc = must_parse("gcf", text.ptr, text.len, NULL);
    pith_value row = pith_value_first(pith_doc_root(doc));
    assert_int_equal(pith_value_count(row), COLUMNS);
    row = pith_value_next(row);
    assert_int_equal(pith_value_count(row), COLUMNS / 2);
    row = pith_value_next(row);
    int64_t number = 0;
    assert_int_equal(pith_value_count(row), COLUMNS);
    pith_value cell = pith_value_first(row);
    for (int i = 0; i < COLUMNS; i++) {
        assert_true(pith_value_int64(pith_value_first(cell), &number));
        assert_int_equal(number, i);
        cell = pith_value_next(cell);
    }
    pith_doc_free(doc);
    bytes_free(&text);
}

static void declared_counts_cost_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {
        FIRST "## t [4000000000]{a}\n1\n",
        FIRST "## t [4000000000]\n@0 =1\n",
        FIRST "## t [4000000000:]{key,a}\nx|1\n",
        FIRST "t[4000000000]: 1\n",
        FIRST "## t [1]{@id,d} group=d\nd=x [4000000000]\n1\n",
    };
    for (size_t i = 0; i < ROWS(texts); i++) {
        meter counts = {0};
        pith_options options = {0};
        options.alloc = meter_alloc(&counts);
        pith_error err = {0};
        pith_doc *doc = pith_doc_parse("gcf", texts[i], strlen(texts[i]), &options, &err);
        assert_null(doc);
        assert_string_equal(err.code, "count_mismatch");
        assert_true(counts.peak_bytes < 1000000);
        assert_true(meter_clean(&counts));
    }
}

/* Sections, items, attachments and paths nest as deep as the options allow. */
static void deep_texts(void **state)
{
    (void)state;
    enum { DEPTH = 600 };
    bytes sections = {0}, lists = {0}, attached = {0}, path = {0}, body = {0};
    bytes_put(&sections, FIRST);
    bytes_put(&lists, FIRST "## [1]\n");
    bytes_put(&attached, FIRST "## [1]{a}\n");
    bytes_put(&path, FIRST "## [1]{\"a");
    for (int i = 0; i < DEPTH; i++) {
        bytes_repeat(&sections, "  ", (size_t)i);
        bytes_put(&sections, "## a\n");
        bytes_repeat(&lists, "  ", (size_t)i);
        bytes_put(&lists, "@0 [1]\n");
        bytes_repeat(&attached, "    ", (size_t)i);
        bytes_put(&attached, "@0 ^\n");
        bytes_repeat(&attached, "    ", (size_t)i);
        bytes_put(&attached, i + 1 < DEPTH ? ".a [1]{a}\n" : ".a [0]\n");
        bytes_put(&path, ">a");
    }
    bytes_repeat(&lists, "  ", DEPTH);
    bytes_put(&lists, "@0 =1\n");
    bytes_put(&path, "\"}\n1\n");
    bytes_put(&body, FIRST "## [1]{a,b}\n@0 1|^{x,y}\n2|3\n");
    bytes *const all[] = {&sections, &lists, &attached, &path, &body};
    static const size_t deepest[] = {DEPTH + 1, DEPTH + 1, 2 * DEPTH + 1, DEPTH + 2, 3};
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_options options = {0};
        pith_error err = {0};
        options.depth_max = deepest[i];
        pith_doc *doc = must_parse("gcf", all[i]->ptr, all[i]->len, &options);
        pith_doc_free(doc);
        options.depth_max--;
        assert_null(pith_doc_parse("gcf", all[i]->ptr, all[i]->len, &options, &err));
        assert_int_equal(err.status, PITH_LIMIT);
        assert_string_equal(err.code, "depth_limit");
        bytes_free(all[i]);
    }
}

/* The place of a null as a key was once that of a word outside the text. */
static void null_as_a_key_has_its_place(void **state)
{
    (void)state;
    static const refused rows[] = {
        REFUSE("## [2:]{key,a}\nx|1\n-|2\n", "invalid_key", 4, 1),
        REFUSE("## [2:]{key,a}\nx|1\ntrue|2\n", "invalid_key", 4, 1),
        REFUSE("## [2:]{key,a}\nx|1\n@1 -|^\n.a {}\n", "invalid_key", 4, 4),
    };
    all_refused(rows, sizeof rows / sizeof *rows);
}

/* The grammar of section 4 wants a space between the colon and the values; lists were once
 * read without it. */
static void lists_without_their_space(void **state)
{
    (void)state;
    static const refused rows[] = {
        REFUSE("a[2]:1,2\n", "invalid_header", 2, 6),
        REFUSE("a[1]:\tx\n", "invalid_header", 2, 6),
        REFUSE("## [1]:x\n", "invalid_header", 2, 8),
        REFUSE("## [1]\n@0 [1]:x\n", "invalid_header", 3, 8),
        REFUSE("## [1]{a}\n@0 ^\n.a [1]:x\n", "invalid_header", 4, 8),
    };
    all_refused(rows, sizeof rows / sizeof *rows);
}

static void out_of_memory(void **state)
{
    (void)state;
    static const char text[] = FIRST
        "a=\"\\n\"\n## t [3]{id,\"p>q\",\"p>r\",c,l}\n@0 1|2|3|^{x,y}|^\n4|5\n"
        ".l [1]{m}\n    @0 ^\n    .m [2]: 1,2\n1|-|-|~|-\n@2 1|2|3|^|^\n.l [1]\n    5\n"
        "4|5\n.\"u>v\" =1\n## k [2:]{key,v}\nx|1\ny|2\n## m [2]\n@0 =1\n@1 {}\n"
        "## g [2]{@id,d} group=d\nd=1.0 [2]\n1\n2\n##! summary\n";
    meter counts = {0};
    pith_options options = {0};
    options.alloc = meter_alloc(&counts);
    size_t failed = 0;
    for (size_t fail_at = 1;; fail_at++) {
        size_t before = counts.failures;
        counts.fail_at = fail_at;
        counts.requests = 0;
        pith_error err = {0};
        pith_doc *doc = pith_doc_parse("gcf", text, sizeof text - 1, &options, &err);
        /* Without the room it asks for first, reading asks again. */
        if (!doc)
            assert_int_equal(err.status, PITH_NO_MEMORY);
        failed += doc == NULL;
        pith_doc_free(doc);
        assert_true(meter_clean(&counts));
        if (counts.failures == before) {
            assert_non_null(doc);
            break;
        }
    }
    assert_true(failed > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_lines),
        cmocka_unit_test(scalars),
        cmocka_unit_test(long_numbers),
        cmocka_unit_test(objects),
        cmocka_unit_test(indentation),
        cmocka_unit_test(tables),
        cmocka_unit_test(path_columns),
        cmocka_unit_test(attachments),
        cmocka_unit_test(positional_bodies),
        cmocka_unit_test(keyed_maps),
        cmocka_unit_test(items),
        cmocka_unit_test(summaries),
        cmocka_unit_test(constant_columns),
        cmocka_unit_test(groups),
        cmocka_unit_test(nothing_is_attached_to_a_group),
        cmocka_unit_test(mutated_wire),
        cmocka_unit_test(several_problems),
        cmocka_unit_test(messages_name_the_expectation),
        cmocka_unit_test(rows_that_lack_cells),
        cmocka_unit_test(rows_that_lack_cells_and_a_shape),
        cmocka_unit_test(wide_tables),
        cmocka_unit_test(declared_counts_cost_nothing),
        cmocka_unit_test(deep_texts),
        cmocka_unit_test(lists_without_their_space),
        cmocka_unit_test(null_as_a_key_has_its_place),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
