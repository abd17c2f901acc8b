/*
 * families.c - inputs made to hurt, each for a number n.
 *
 * Nothing here is random: a family is the same on every run, and 4n is n four times over.
 */
#include "growth.h"

#include <string.h>

/* Where rows or keys should come in no order that helps: a step without a common factor. */
static size_t scattered(size_t i, size_t n)
{
    return (i * 7919 + 13) % n;
}

/* A list of `n` things between brackets, with commas. */
static void each(bytes *text, const char *open, size_t n, const char *close,
                 void (*one)(bytes *text, size_t i, size_t n))
{
    bytes_put(text, open);
    for (size_t i = 0; i < n; i++) {
        bytes_put(text, i ? "," : "");
        one(text, i, n);
    }
    bytes_put(text, close);
}

static void around(bytes *text, const char *open, const char *inside, const char *close,
                   size_t n)
{
    bytes_repeat(text, open, n);
    bytes_put(text, inside);
    bytes_repeat(text, close, n);
}

/* ---------------------------------------------------------------- values: repeats */

static void one_beginning(bytes *text, size_t i, size_t n)
{
    bytes_put(text, "\"https://example.org/");
    bytes_repeat(text, "a/", 40);
    bytes_print(text, "%zu\"", scattered(i, n));
}

/* Texts that all begin alike, as far as a stem can reach. */
static void same_beginnings(bytes *text, size_t n)
{
    each(text, "[", n, "]", one_beginning);
}

static void one_of_a_kind(bytes *text, size_t i, size_t n)
{
    bytes_print(text, "\"%zu-word/of text.%zu\"", scattered(i, n), i);
}

static void all_different(bytes *text, size_t n)
{
    each(text, "[", n, "]", one_of_a_kind);
}

static void one_equal(bytes *text, size_t i, size_t n)
{
    (void)i;
    (void)n;
    bytes_put(text, "{\"a\":[\"one two three four five\"],\"b\":{\"c\":1}}");
}

static void all_equal(bytes *text, size_t n)
{
    each(text, "[0,", n, "]", one_equal);
}

static void one_nest(bytes *text, size_t i, size_t n)
{
    (void)n;
    around(text, "[", i % 2 ? "\"one two three four\"" : "{\"a\":{\"a\":{\"a\":1}}}", "]",
           40);
}

/* Values in values that are all in others again. */
static void nested_repeats(bytes *text, size_t n)
{
    each(text, "[", n, "]", one_nest);
}

/* ------------------------------------------------------------------ values: depth */

static void deep_arrays(bytes *text, size_t n)
{
    around(text, "[", "1", "]", n);
}

static void deep_objects(bytes *text, size_t n)
{
    around(text, "{\"a\":", "1", "}", n);
}

static void deep_tables(bytes *text, size_t n)
{
    around(text, "[{\"a\":", "1", ",\"b\":2}]", n);
}

static void deep_paths(bytes *text, size_t n)
{
    bytes_put(text, "[");
    around(text, "{\"a\":", "1", ",\"b\":2}", n);
    bytes_put(text, "]");
}

static void deep_pairs(bytes *text, size_t n)
{
    around(text, "[{\"a\":1},", "1", "]", n);
}

static void deep_maps(bytes *text, size_t n)
{
    around(text, "{\"k\":{\"x\":1},\"l\":", "1", "}", n);
}

/* ----------------------------------------------------------- values: keys and rows */

static void one_member(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text, "\"k%zu\":%zu", i, i);
}

static void many_keys(bytes *text, size_t n)
{
    each(text, "{", n, "}", one_member);
}

static void many_columns(bytes *text, size_t n)
{
    each(text, "[{", n, "},", one_member);
    each(text, "{", n, "},", one_member);
    each(text, "{", n, "}]", one_member);
}

static void wide_group(bytes *text, size_t n)
{
    each(text, "[{\"a\":{", n, "}},", one_member);
    each(text, "{\"a\":{", n, "}}]", one_member);
}

static void like_member(bytes *text, size_t i, size_t n)
{
    static const char same[] =
        "the_same_bytes_at_the_beginning_of_every_one_of_the_keys_";
    (void)n;
    bytes_print(text, "\"%s%08zu_%s\":%zu", same, i, same, i);
}

static void keys_alike(bytes *text, size_t n)
{
    each(text, "{", n, "}", like_member);
}

static void scattered_row(bytes *text, size_t i, size_t n)
{
    bytes_print(text, "{\"a\":%zu,\"k%zu\":1,\"k%zu\":2}", i, scattered(i, n), i + n);
}

static void sparse_fields(bytes *text, size_t n)
{
    each(text, "[", n, "]", scattered_row);
}

static void shuffled_row(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_put(text, "{");
    for (size_t k = 0; k < 7; k++) {
        bytes_print(text, "%s\"c%zu\":%zu", k ? "," : "", (k * (i % 6 + 1) + i / 6) % 7,
                    i);
    }
    bytes_put(text, "}");
}

static void shuffled_keys(bytes *text, size_t n)
{
    each(text, "[", n, "]", shuffled_row);
}

static void tiny_row(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text, "{\"a\":%zu}", i % 10);
}

static void tiny_rows(bytes *text, size_t n)
{
    each(text, "[", n, "]", tiny_row);
}

static void flat_row(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text, "{\"id\":%zu,\"name\":\"som\xc3\xa9where %zu\"}", i, i % 7);
}

static void flat_rows(bytes *text, size_t n)
{
    each(text, "[", n, "]", flat_row);
}

static void optional_row(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text, "{\"a\":%zu", i);
    for (size_t k = 0; k < 12; k++)
        if (i >> k & 1)
            bytes_print(text, ",\"o%zu\":null", k);
    bytes_put(text, "}");
}

/* Every subset of twelve fields. */
static void optional_fields(bytes *text, size_t n)
{
    each(text, "[", n, "]", optional_row);
}

static void one_group(bytes *text, size_t i, size_t n)
{
    bytes_print(text, "{\"a\":\"group %zu\",\"n\":%zu}", scattered(i, n), i);
}

static void many_groups(bytes *text, size_t n)
{
    each(text, "[", n, "]", one_group);
}

static void changing_row(bytes *text, size_t i, size_t n)
{
    static const char *const cells[] = {"1",  "\"x\"",     "null",      "[]",
                                        "{}", "[1,\"b\"]", "{\"y\":1}", "1.5"};
    (void)n;
    bytes_print(text, "{\"a\":%s,\"b\":%s}", cells[i % 8], cells[i / 8 % 8]);
}

static void mixed_cells(bytes *text, size_t n)
{
    each(text, "[", n, "]", changing_row);
}

static void attached_row(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text, "{\"a\":%zu,\"t\":[{\"x\":1},{\"y\":%zu}],\"u\":{\"v\":[%zu]}}", i,
                i, i);
}

static void attachments(bytes *text, size_t n)
{
    each(text, "[", n, "]", attached_row);
}

static void sharing_row(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text, "{\"a\":%zu,\"t\":[{\"x\":1,\"y\":%zu},{\"x\":2,\"y\":3}]}", i, i);
}

static void shared_schemas(bytes *text, size_t n)
{
    each(text, "[", n, "]", sharing_row);
}

static void own_field_row(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text, "{\"a\":%zu,\"t%zu\":[{\"x\":1}]}", i, i % 50);
}

static void many_table_fields(bytes *text, size_t n)
{
    each(text, "[", n, "]", own_field_row);
}

static void one_entry(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text, "\"key %zu\":{\"a\":%zu,\"b\":\"x\"}", i, i);
}

static void map_of_rows(bytes *text, size_t n)
{
    each(text, "{", n, "}", one_entry);
}

static void one_list(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text, "\"key %zu\":[{\"a\":%zu,\"b\":\"x\"}]", i, i);
}

static void map_of_tables(bytes *text, size_t n)
{
    each(text, "{", n, "}", one_list);
}

static void empty_thing(bytes *text, size_t i, size_t n)
{
    static const char *const things[] = {"[]", "{}", "\"\"", "[[]]", "[{}]"};
    (void)n;
    bytes_put(text, things[i % 5]);
}

static void empties(bytes *text, size_t n)
{
    each(text, "[", n, "]", empty_thing);
}

static void growing_list(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_put(text, "[0");
    bytes_repeat(text, ",1", i % 20);
    bytes_put(text, "]");
}

static void ragged_lists(bytes *text, size_t n)
{
    each(text, "[", n, "]", growing_list);
}

/* ---------------------------------------------------------------- values: scalars */

static void in_string(bytes *text, const char *unit, size_t n)
{
    bytes_put(text, "{\"s\":\"");
    bytes_repeat(text, unit, n);
    bytes_put(text, "\"}");
}

static void long_string(bytes *text, size_t n)
{
    in_string(text, "words and ", n);
}

static void escapes(bytes *text, size_t n)
{
    in_string(text, "\\n\\u0001\\\"\\\\", n);
}

static void wide_string(bytes *text, size_t n)
{
    in_string(text, "日本\\ud83d\\ude00é", n);
}

static void structure_string(bytes *text, size_t n)
{
    in_string(text, "|,;:[{}]()##@- ^~", n);
}

static void long_key(bytes *text, size_t n)
{
    bytes_put(text, "{\"");
    bytes_repeat(text, "key|", n);
    bytes_put(text, "\":1}");
}

static void structure_cell(bytes *text, size_t i, size_t n)
{
    static const char *const cells[] = {
        "#", "-",  "@0", "^",   "~",    "true", "07",  "1e5",  "a|b", "a,b",
        "",  " x", "x ", "\\n", "\\\"", "[1]:", "{a}", "a: b", ";",   "."};
    bytes_print(text, "{\"a\":\"%s\",\"%s\":\"%s\"}", cells[i % 20], "x|y",
                cells[scattered(i, n) % 20]);
}

static void structure_cells(bytes *text, size_t n)
{
    each(text, "[", n, "]", structure_cell);
}

static void long_number(bytes *text, size_t n)
{
    bytes_put(text, "[1");
    bytes_repeat(text, "0123456789", n);
    bytes_put(text, ",0.1");
    bytes_repeat(text, "9876543210", n);
    bytes_put(text, ",1");
    bytes_repeat(text, "7", n);
    bytes_put(text, "e-300]");
}

static void odd_number(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text, "%zu.%zue%d", i + 1, i * 7919 % 100003, (int)(i % 600) - 300);
}

static void odd_numbers(bytes *text, size_t n)
{
    each(text, "[", n, "]", odd_number);
}

static void plain_number(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text, "%zu", i);
}

static void one_long_line(bytes *text, size_t n)
{
    each(text, "{\"a\":[", n, "]}", plain_number);
}

/* Names that mean something to a format: paths of GCF, dotted keys of TOON 3. */
static void long_path(bytes *text, const char *unit, size_t n)
{
    bytes_put(text, "{\"r\":[{\"a");
    bytes_repeat(text, unit, n);
    bytes_put(text, "\":1}],\"a");
    bytes_repeat(text, unit, n);
    bytes_put(text, "\":1}");
}

static void dotted_key(bytes *text, size_t n)
{
    long_path(text, ".b", n);
}

static void arrow_key(bytes *text, size_t n)
{
    long_path(text, ">b", n);
}

static void dotted_member(bytes *text, size_t i, size_t n)
{
    bytes_print(text, "\"a.b%zu.c%zu\":%zu", scattered(i, n) / 3, i, i);
}

static void dotted_keys(bytes *text, size_t n)
{
    each(text, "{", n, "}", dotted_member);
}

static void folded_member(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text, "\"k%zu\":{\"b\":{\"c\":%zu}}", i, i);
}

static void foldable(bytes *text, size_t n)
{
    each(text, "{", n, "}", folded_member);
}

/* -------------------------------------------------------------------------- texts */

static void many_members_twice(bytes *text, size_t n)
{
    each(text, "{", n, ",", one_member);
    each(text, "", n, "}", one_member);
}

static void one_key_again(bytes *text, size_t n)
{
    bytes_put(text, "{\"a\":0");
    bytes_repeat(text, ",\"a\":[1]", n);
    bytes_put(text, "}");
}

static void bad_lines(bytes *text, size_t n)
{
    bytes_repeat(text, "{\"a\":01}\n[}\n\"\\q\"\n", n);
}

static void csv_quotes(bytes *text, size_t n)
{
    bytes_put(text, "a,b\n");
    bytes_repeat(text, "\"\"\"\"\"\",\"x\"\"\n\"\n", n);
}

static void csv_open_quotes(bytes *text, size_t n)
{
    bytes_put(text, "a,b\n");
    bytes_repeat(text, "\"x,1\n", n);
}

static void csv_stray_quotes(bytes *text, size_t n)
{
    bytes_put(text, "a,b\n");
    bytes_repeat(text, "\"x\"y,1,2\n", n);
}

static void csv_column(bytes *text, size_t i, size_t n)
{
    bytes_print(text, "c%zu", i % (n / 2));
}

static void csv_same_names(bytes *text, size_t n)
{
    each(text, "", n, "\n", csv_column);
    each(text, "", n, "\n", plain_number);
}

static void csv_ragged(bytes *text, size_t n)
{
    bytes_put(text, "a,b,c\n");
    bytes_repeat(text, "1,2\n1,2,3,4\n", n);
}

static void toon_headers(bytes *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes_print(text, "k%zu[1]{a,b}:\n  1,2\n", i);
}

static void toon_wide_header(bytes *text, size_t n)
{
    bytes_put(text, "r[1]");
    each(text, "{", n, "}:\n  ", csv_column);
    each(text, "", n, "\n", plain_number);
}

static void toon_items(bytes *text, size_t n)
{
    bytes_print(text, "r[%zu]:\n", n);
    bytes_repeat(text, "  - a: 1\n    b: x\n", n);
}

static void toon_bad_rows(bytes *text, size_t n)
{
    bytes_print(text, "r[%zu]{a,b}:\n", n);
    bytes_repeat(text, "  1,2,3\n  \"x,1\n  1\n", n);
}

static void toon_missing(bytes *text, size_t n)
{
    bytes_repeat(text, "r[999]{a,b}:\n  1,2\nq[3]: 1\n", n);
}

static void toon_dashes(bytes *text, size_t n)
{
    bytes_put(text, "r[1]:\n  ");
    bytes_repeat(text, "- ", n);
    bytes_put(text, "1\n");
}

static void toon_steps(bytes *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bytes_repeat(text, "  ", i % 200);
        bytes_put(text, "a:\n");
    }
}

static void gcf_wide_header(bytes *text, size_t n)
{
    bytes_put(text, "GCF profile=generic\n## w [1]{\"p>k0\"");
    for (size_t i = 1; i < n; i++)
        bytes_print(text, ",\"p>k%zu\"", i);
    bytes_put(text, "}\n1");
    bytes_repeat(text, "|1", n - 1);
    bytes_print(text, "\n## s [%zu]{t}\n", n);
    for (size_t i = 0; i < n; i++)
        bytes_print(text, "@%zu ^\n.t [1]{\"x>%s\"}\n    1\n", i, i % 2 ? "y" : "z");
}

static void gcf_long_path(bytes *text, size_t n)
{
    bytes_put(text, "GCF profile=generic\n## r [1]{id,\"a");
    bytes_repeat(text, ">b", n);
    bytes_put(text, "\"}\n1|2\n");
}

static void gcf_shared(bytes *text, size_t n)
{
    bytes_put(text, "GCF profile=generic\n## [2]{id}\n@0 1\n");
    for (size_t i = 0; i < n; i++)
        bytes_print(text, ".\"%zu>\" [1]{a,b}\n    1|2\n", i);
    bytes_put(text, "@1 2\n");
    for (size_t i = n; i-- > 0;)
        bytes_print(text, ".\"%zu>\" [1]\n    3|4\n", i);
}

static void gcf_bad_rows(bytes *text, size_t n)
{
    bytes_print(text, "GCF profile=generic\n## r [%zu]{a,b}\n", n);
    bytes_repeat(text, "1|2|3\n\"x|1\n1\n@7 ^|1\n.q [1]\n", n);
}

static void gcf_orphans(bytes *text, size_t n)
{
    bytes_put(text, "GCF profile=generic\n## r [1]{a,b}\n@0 1|^\n");
    for (size_t i = 0; i < n; i++)
        bytes_print(text, ".k%zu [1]{x}\n    1\n", i);
}

static void gcf_sparse(bytes *text, size_t n)
{
    bytes_print(text, "GCF profile=generic\n## r [%zu]{a,b,c,d,e,f,g,h,i,j,k,l}\n", n);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < 12; k++) {
            bytes_put(text, k ? "|" : "");
            bytes_put(text, i >> k & 1 ? "~" : "1");
        }
        bytes_put(text, "\n");
    }
}

static void graph_lines(bytes *text, size_t n)
{
    bytes_put(text, "GCF profile=graph\n");
    bytes_repeat(text, "@0 fn a.b 0.5 x\n@0<@0 calls\n@x\n## edges\n", n);
}

static void gcf1_bad_rows(bytes *text, size_t n)
{
    bytes_print(text, "## r [%zu]{a,b}\n", n);
    bytes_repeat(text, "1|2|3\n1\n=\n   x=1\n", n);
}

static void gcf1_counts(bytes *text, size_t n)
{
    bytes_repeat(text, " [1]{", n);
    bytes_put(text, "}x}=1\n## ");
    bytes_repeat(text, " [1]{", n);
    bytes_put(text, "}x}\n");
}

/* Members that follow a section, and rows that look like members, without indentation. */
static void gcf1_unindented(bytes *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bytes_print(text, "## s%zu\nx=1\n## t%zu [1]{a}\n@0 1\n.c\ny=1\n", i, i);
}

static void soch_parens(bytes *text, size_t n)
{
    bytes_print(text, "t[%zu]{a:array,b}:", n);
    bytes_repeat(text, "[[1],[2,[3]]],\"x\";", n);
}

static void soch_bad(bytes *text, size_t n)
{
    bytes_print(text, "t[%zu]{a:int,b:bool}:\n", n);
    bytes_repeat(text, "x,y;1;\"1,2,3;\n", n);
}

/* A quote that nothing closes, and in it more of them. */
static void soch_open_quotes(bytes *text, size_t n)
{
    bytes_put(text, "t[2]{a,b}:\"array(:]");
    bytes_repeat(text, "\"\\", n);
    bytes_put(text, "]ref(a,1)");
}

/* Nothing is looked for again behind each fence: not its end, and not that of its line. */
static void answer_fences(bytes *text, size_t n)
{
    bytes_repeat(text, ",```", n);
}

static void answer_inline_fences(bytes *text, size_t n)
{
    bytes_repeat(text, "x```{`}```\n", n);
}

/* Rows of a byte or two under a name that is as long as all of them. */
static void csv_long_name(bytes *text, size_t n)
{
    bytes_put(text, "id,\"");
    bytes_repeat(text, "\"\"x", n / 3);
    bytes_put(text, "\"\n");
    bytes_repeat(text, "1,2\n3,\n", n / 6);
}

static void pith_header(bytes *text, size_t n)
{
    bytes_put(text, "[1");
    each(text, "{", n, "}\n", csv_column);
    each(text, "", n, "\n]", plain_number);
}

static void pith_groups(bytes *text, size_t n)
{
    bytes_put(text, "[1{");
    bytes_repeat(text, "a{", n);
    bytes_put(text, "b");
    bytes_repeat(text, "}", n);
    bytes_put(text, "}\n1\n]");
}

static void pith_bad(bytes *text, size_t n)
{
    bytes_print(text, "{r:[%zu{a,b}\n", n);
    bytes_repeat(text, "1,2,3\n\"x,1\n1\n{a:}\n", n);
}

static void pith_name(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text, "\\%zu=[%zu]", i + 1, i);
}

static void pith_names(bytes *text, size_t n)
{
    each(text, "[", n, "]", pith_name);
}

/* Each is like the one before it. */
static void pith_likes(bytes *text, size_t n)
{
    bytes_put(text, "[\\1={a:1,b:2}");
    for (size_t i = 2; i <= n; i++)
        bytes_print(text, ",\\%zu=\\%zu{,%zu}", i, i - 1, i);
    bytes_put(text, "]");
}

/* A text by name, by place and by the row above. */
static void pith_repeats(bytes *text, size_t n)
{
    bytes_put(text, "[\\1={a:\"\\n");
    bytes_repeat(text, "y", 400);
    bytes_put(text, "\"}");
    bytes_repeat(text, ",\\1,\\1{}", n);
    bytes_print(text, ",[%zu{a=,b}\n\\1,1", n + 1);
    bytes_repeat(text, "\n,1", n);
    bytes_put(text, "\n]]");
}

static void pith_named_rows(bytes *text, size_t n)
{
    bytes_put(text, "[?{a,b=}");
    for (size_t i = 0; i < n; i++)
        bytes_print(text, "\n\\%zu={x:%zu},%s", i + 1, i, i % 3 ? "" : "[1,2]");
    bytes_put(text, "\n]");
}

/* ---------------------------------------------------------------- the other calls */

static void a_symbol(bytes *text, size_t i, size_t n)
{
    bytes_print(text,
                "{\"qualified_name\":\"pkg.f%zu\",\"kind\":\"%s%zu\",\"score\":0.%02zu,"
                "\"provenance\":\"p%zu\",\"distance\":%zu}",
                i, i % 2 ? "fn" : "kind", i % 2 ? 0 : i, i % 100, i % 7,
                scattered(i, n) / 2);
}

static void hub_edge(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text,
                "{\"source\":\"pkg.f%zu\",\"target\":\"pkg.f0\",\"edge_type\":\"e%zu\"}",
                i, i);
}

static void hub(bytes *text, size_t n)
{
    each(text, "{\"tool\":\"t\",\"symbols\":[", n, "],", a_symbol);
    each(text, "\"edges\":[", n, "]}", hub_edge);
}

static void namesake(bytes *text, size_t i, size_t n)
{
    (void)n;
    bytes_print(text,
                "{\"qualified_name\":\"same\",\"kind\":\"k%zu\",\"score\":0.5,"
                "\"provenance\":\"p\",\"distance\":0}",
                i);
}

static void namesakes(bytes *text, size_t n)
{
    each(text, "{\"tool\":\"t\",\"symbols\":[", n, "],\"edges\":[]}", namesake);
}

static void old_row(bytes *text, size_t i, size_t n)
{
    bytes_print(text, "{\"id\":%zu,\"v\":%zu,\"w\":\"x\"}", scattered(i, n), i);
}

static void new_row(bytes *text, size_t i, size_t n)
{
    bytes_print(text, "{\"id\":%zu,\"v\":%zu,\"w\":\"x\"}", i + n / 3, i / 2);
}

static void changes(bytes *text, size_t n)
{
    each(text, "[[", n, "],", old_row);
    each(text, "[", n, "]]", new_row);
}

static void vocabulary(bytes *text, size_t n)
{
    unsigned hidden = 0x100;
    bytes_put(text,
              "{\"version\":\"1.0\",\"added_tokens\":[],\"normalizer\":null,"
              "\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":false,"
              "\"use_regex\":true},\"model\":{\"type\":\"BPE\",\"vocab\":{");
    for (unsigned byte = 0; byte < 256; byte++) {
        int visible = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
        bytes_print(text, "%s\"\\u%04x\":%u", byte ? "," : "", visible ? byte : hidden++,
                    byte);
    }
    /* pairs of letters, as many as there are: n is at most 8,464 */
    static const char letters[] =
        "!#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`"
        "abcdefghijklmnopqrstuvwxyz{|}~";
    size_t many = sizeof letters - 1;
    for (size_t i = 0; i < n; i++)
        bytes_print(text, ",\"%c%c\":%zu", letters[i / many], letters[i % many], 256 + i);
    bytes_put(text, "},\"merges\":[\"! !\"");
    for (size_t i = 1; i < n; i++)
        bytes_print(text, ",\"%c %c\"", letters[i / many], letters[i % many]);
    bytes_put(text, "]}}");
}

/* One text of each unit would be a family of its own; what a run of anything costs is
 * told by RUN below. */
#define RUN(name, unit)                                                                  \
    static void name(bytes *text, size_t n)                                              \
    {                                                                                    \
        bytes_repeat(text, unit, n);                                                     \
    }

RUN(run_spaces, " ")
RUN(run_letters, "a")
RUN(run_capitals, "A")
RUN(run_digits, "1")
RUN(run_lines, "\n")
RUN(run_breaks, "\r\n")
RUN(run_tabs, "\t")
RUN(run_signs, "=")
RUN(run_quotes, "'")
RUN(run_shortened, "'s ")
RUN(run_camel, "aA")
RUN(run_accents, "é")
RUN(run_marks, "\u0301")
RUN(run_han, "日")
RUN(run_faces, "😀")
RUN(run_words, "word 12 ")
RUN(run_spaced_lines, " \n")

/* ---------------------------------------------------------------------- the list */

#define VALUE(make, n)                                                                   \
    {                                                                                    \
#make, GROWTH_VALUE, NULL, NULL, make, n                                         \
    }
#define CUT_OFF(make, n)                                                                 \
    {                                                                                    \
#make, GROWTH_CUT_OFF, NULL, NULL, make, n                                       \
    }
#define TEXT(format, make, n)                                                            \
    {                                                                                    \
#make, GROWTH_TEXT, format, NULL, make, n                                        \
    }
#define TOKENS(make, n)                                                                  \
    {                                                                                    \
#make, GROWTH_TOKENS, NULL, NULL, make, n                                        \
    }

const growth_family growth_families[] = {
    VALUE(same_beginnings, 200),
    VALUE(all_different, 400),
    VALUE(all_equal, 300),
    VALUE(nested_repeats, 400),
    VALUE(deep_arrays, 150),
    VALUE(deep_objects, 150),
    VALUE(deep_tables, 100),
    VALUE(deep_paths, 150),
    VALUE(deep_pairs, 100),
    VALUE(deep_maps, 80),
    VALUE(many_keys, 750),
    VALUE(many_columns, 400),
    VALUE(wide_group, 400),
    VALUE(keys_alike, 150),
    VALUE(sparse_fields, 60),
    VALUE(shuffled_keys, 150),
    VALUE(tiny_rows, 750),
    VALUE(optional_fields, 300),
    VALUE(many_groups, 400),
    VALUE(mixed_cells, 400),
    VALUE(attachments, 150),
    VALUE(shared_schemas, 150),
    VALUE(many_table_fields, 200),
    VALUE(map_of_rows, 350),
    VALUE(map_of_tables, 350),
    VALUE(empties, 750),
    VALUE(ragged_lists, 350),
    VALUE(long_string, 1000),
    VALUE(escapes, 1000),
    VALUE(wide_string, 500),
    VALUE(structure_string, 500),
    VALUE(structure_cells, 300),
    VALUE(long_key, 2000),
    VALUE(long_number, 2000),
    VALUE(odd_numbers, 400),
    VALUE(one_long_line, 1000),
    VALUE(dotted_key, 250),
    VALUE(arrow_key, 250),
    VALUE(dotted_keys, 400),
    VALUE(foldable, 300),

    CUT_OFF(deep_objects, 500),
    CUT_OFF(deep_tables, 400),
    CUT_OFF(deep_paths, 500),
    CUT_OFF(deep_maps, 300),
    CUT_OFF(sparse_fields, 400),
    CUT_OFF(optional_fields, 1000),
    CUT_OFF(many_columns, 1500),
    CUT_OFF(attachments, 500),
    TEXT("json", many_members_twice, 1000),
    {"many_members_twice, the last wins", GROWTH_TEXT, "json", "duplicates=last",
     many_members_twice, 1000},
    TEXT("json", one_key_again, 1500),
    {"one_key_again, the last wins", GROWTH_TEXT, "json", "duplicates=last",
     one_key_again, 1500},
    TEXT("ndjson", bad_lines, 800),
    TEXT("json", bad_lines, 800),
    TEXT("csv", csv_quotes, 1500),
    TEXT("csv", csv_open_quotes, 3000),
    TEXT("csv", csv_stray_quotes, 1500),
    TEXT("csv", csv_same_names, 2000),
    {"csv_same_names, numbered", GROWTH_TEXT, "csv", "duplicates=number", csv_same_names,
     2000},
    TEXT("csv", csv_ragged, 1500),
    TEXT("toon", toon_headers, 1000),
    TEXT("toon", toon_wide_header, 2000),
    TEXT("toon", toon_items, 1000),
    TEXT("toon", toon_bad_rows, 1000),
    TEXT("toon", toon_missing, 1000),
    TEXT("toon", toon_dashes, 1000),
    TEXT("toon", toon_steps, 800),
    TEXT("gcf", gcf_wide_header, 800),
    TEXT("gcf", gcf_long_path, 1500),
    TEXT("gcf", gcf_shared, 500),
    TEXT("gcf", gcf_bad_rows, 800),
    TEXT("gcf", gcf_orphans, 800),
    TEXT("gcf", gcf_sparse, 800),
    TEXT("gcf-graph", graph_lines, 800),
    TEXT("gcf1", gcf1_bad_rows, 1000),
    TEXT("gcf1", gcf1_counts, 2000),
    TEXT("gcf1", gcf1_unindented, 400),
    TEXT("soch", soch_parens, 800),
    TEXT("soch", soch_bad, 800),
    TEXT("soch", soch_open_quotes, 1500),
    TEXT("answer", answer_fences, 800),
    TEXT("answer", answer_inline_fences, 500),
    {"csv_long_name", GROWTH_EVERY, "csv", NULL, csv_long_name, 1200},
    TEXT("pith", pith_header, 2000),
    TEXT("pith", pith_groups, 1000),
    TEXT("pith", pith_bad, 1000),
    TEXT("pith", pith_names, 1000),
    TEXT("pith", pith_likes, 1000),
    TEXT("pith", pith_repeats, 1000),
    TEXT("pith", pith_named_rows, 1000),

    {"runs", GROWTH_RUNS, NULL, NULL, NULL, 400},

    {"hub", GROWTH_GRAPH, NULL, NULL, hub, 250},
    {"namesakes", GROWTH_GRAPH, NULL, NULL, namesakes, 400},
    {"changes", GROWTH_DELTA, NULL, NULL, changes, 400},
    {"calls", GROWTH_CALLS, NULL, NULL, NULL, 300},
    {"larger pieces", GROWTH_PIECES, NULL, NULL, flat_rows, 6000},
    {"pieces against whole", GROWTH_WHOLE, NULL, NULL, flat_rows, 6000},
    {"counting, tiny_rows", GROWTH_FIT, NULL, NULL, tiny_rows, 500},
    {"counting, sparse_fields", GROWTH_FIT, NULL, NULL, sparse_fields, 1200},
    {"counting, deep_objects", GROWTH_FIT, NULL, NULL, deep_objects, 300},
    {"vocabulary", GROWTH_VOCAB, NULL, NULL, vocabulary, 2000},

    TOKENS(run_spaces, 1500),
    TOKENS(run_letters, 1500),
    TOKENS(run_capitals, 1500),
    TOKENS(run_digits, 1500),
    TOKENS(run_lines, 1500),
    TOKENS(run_breaks, 900),
    TOKENS(run_tabs, 1500),
    TOKENS(run_signs, 1500),
    TOKENS(run_quotes, 1500),
    TOKENS(run_shortened, 600),
    TOKENS(run_camel, 900),
    TOKENS(run_accents, 900),
    TOKENS(run_marks, 900),
    TOKENS(run_han, 600),
    TOKENS(run_faces, 480),
    TOKENS(run_words, 300),
    TOKENS(run_spaced_lines, 900),
};

const size_t growth_family_count = sizeof growth_families / sizeof *growth_families;
