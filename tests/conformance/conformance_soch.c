/*
 * conformance_soch.c - the vectors of SochDB's tables, read with our own JSON reader.
 *
 * A vector decodes text or bytes, or encodes a table, which is built here with the
 * public calls. Whatever is accepted is also written again, in every form the vector
 * gives, and has to come out byte for byte.
 */
#include "tables.h"
#include "fixtures.h"
#include "testing.h"

#include <math.h>

/* ----------------------------------------------------------------- small helpers */

static bool is_text(pith_text text, const char *expected)
{
    return text.len == strlen(expected) && memcmp(text.ptr, expected, text.len) == 0;
}

static bool same_text(pith_text a, pith_text b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static unsigned hex_digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static pith_buffer from_hex(pith_text hex)
{
    pith_buffer out = {0};
    pith_sink sink = pith_sink_buffer(&out);
    sink.write(sink.ctx, "", 0);
    for (size_t i = 0; i + 1 < hex.len; i += 2) {
        char byte =
            (char)(unsigned char)(hex_digit(hex.ptr[i]) << 4 | hex_digit(hex.ptr[i + 1]));
        sink.write(sink.ctx, &byte, 1);
    }
    return out;
}

static double float_of(pith_text text)
{
    char copy[64];
    snprintf(copy, sizeof copy, "%.*s", (int)text.len, text.ptr);
    return is_text(text, "NaN")    ? (double)NAN
           : is_text(text, "Inf")  ? (double)INFINITY
           : is_text(text, "-Inf") ? -(double)INFINITY
                                   : strtod(copy, NULL);
}

static bool same_float(double a, double b)
{
    return (isnan(a) && isnan(b)) || (memcmp(&a, &b, sizeof a) == 0);
}

static const char *code_of(pith_text word)
{
    static const char *const codes[][2] = {
        {"E_COUNT", "count_mismatch"},
        {"E_FIELDS", "row_width_mismatch"},
        {"E_NULL", "null_not_allowed"},
        {"E_RANGE", "out_of_range"},
        {"E_TYPE", "type_mismatch"},
        {"E_TYPESYNTAX", "unknown_type"},
        {"E_SYNTAX", "syntax"},
        {"E_EMPTYROW", "empty_row"},
        {"E_EMPTY", "empty_value"},
        {"E_UNTERMINATED", "unterminated_quote"},
        {"E_ESCAPE", "invalid_escape"},
        {"E_BASE64", "invalid_base64"},
        {"E_DIM", "vector_size_mismatch"},
        {"E_UNREPRESENTABLE", "unrepresentable"},
        {"E_TRAILING", "trailing_content"},
        {"E_UTF8", "invalid_utf8"},
        {"E_MAGIC", "not_this_format"},
        {"E_VERSION", "unknown_version"},
        {"E_FLAGS", "unknown_flags"},
        {"E_CRC", "checksum_mismatch"},
        {"E_TRUNCATED", "truncated"},
        {"E_TAG", "unknown_tag"},
        {"E_VARINT", "invalid_varint"},
    };
    for (size_t i = 0; i < ROWS(codes); i++)
        if (is_text(word, codes[i][0]))
            return codes[i][1];
    return "(no such error word)";
}

/* -------------------------------------------------------------------- comparing */

/* Whether a cell is the tagged value {"int":"7"}. Vectors are shallow: recursion is
 * fine. */
static bool is_value(pith_value cell, pith_value tagged)
{
    pith_value wanted = pith_value_first(tagged);
    pith_text tag = pith_value_key(wanted);
    double number = 0;
    if (is_text(tag, "null"))
        return pith_value_kind(cell) == PITH_NULL;
    if (is_text(tag, "bool")) {
        return pith_value_type(cell) == PITH_TYPE_BOOL &&
               pith_value_kind(cell) == pith_value_kind(wanted);
    }
    if (is_text(tag, "int")) {
        return pith_value_type(cell) == PITH_TYPE_INT &&
               same_text(pith_value_text(cell), pith_value_text(wanted));
    }
    if (is_text(tag, "float")) {
        return pith_value_type(cell) == PITH_TYPE_FLOAT &&
               pith_value_double(cell, &number) &&
               same_float(number, float_of(pith_value_text(wanted)));
    }
    if (is_text(tag, "text")) {
        return pith_value_type(cell) == PITH_TYPE_TEXT &&
               same_text(pith_value_text(cell), pith_value_text(wanted));
    }
    if (is_text(tag, "bytes_hex")) {
        char bytes[256];
        pith_buffer expected = from_hex(pith_value_text(wanted));
        size_t len = pith_value_bytes(cell, bytes, sizeof bytes);
        bool same = pith_value_type(cell) == PITH_TYPE_BYTES && len == expected.len &&
                    memcmp(bytes, expected.data, len) == 0;
        pith_buffer_free(&expected);
        return same;
    }
    if (is_text(tag, "vec")) {
        double numbers[16];
        size_t count = pith_value_vector(cell, numbers, 16);
        bool same = count == pith_value_count(wanted) && count <= 16;
        for (size_t i = 0; i < count && same; i++) {
            same = same_float(numbers[i],
                              float_of(pith_value_text(pith_value_at(wanted, i))));
        }
        return same;
    }
    if (is_text(tag, "ref")) {
        pith_text table;
        uint64_t id;
        char digits[32];
        if (!pith_value_ref(cell, &table, &id))
            return false;
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)id);
        return same_text(table, pith_value_text(pith_value_at(wanted, 0))) &&
               is_text(pith_value_text(pith_value_at(wanted, 1)), digits);
    }
    bool object = is_text(tag, "object");
    if (pith_value_type(cell) != (object ? PITH_TYPE_OBJECT : PITH_TYPE_ARRAY) ||
        pith_value_count(cell) != pith_value_count(wanted))
        return false;
    pith_value child = pith_value_first(cell);
    for (pith_value v = pith_value_first(wanted); v.doc; v = pith_value_next(v)) {
        if (object &&
            !same_text(pith_value_key(child), pith_value_text(pith_value_at(v, 0))))
            return false;
        if (!is_value(child, object ? pith_value_at(v, 1) : v))
            return false;
        child = pith_value_next(child);
    }
    return true;
}

static pith_type type_of(pith_value word, uint32_t *size)
{
    static const char *const words[] = {"int",   "uint", "float", "text",   "bool",
                                        "bytes", "vec",  "array", "object", "ref"};
    pith_text text = pith_value_text(word);
    *size = 0;
    if (text.len > 4 && memcmp(text.ptr, "vec(", 4) == 0) {
        *size = (uint32_t)strtoul(text.ptr + 4, NULL, 10);
        return PITH_TYPE_VEC;
    }
    for (size_t i = 0; i < ROWS(words); i++)
        if (is_text(text, words[i]))
            return (pith_type)(i + 1);
    return PITH_TYPE_ANY;
}

static bool is_table(const typed_table *table, pith_value wanted)
{
    pith_value fields = pith_value_get(wanted, LIT("fields"));
    pith_value rows = pith_value_get(wanted, LIT("rows"));
    if (!same_text(table->view.name,
                   pith_value_text(pith_value_get(wanted, LIT("name")))) ||
        table->view.field_count != pith_value_count(fields) ||
        table->view.row_count != pith_value_count(rows))
        return false;
    for (size_t i = 0; i < pith_value_count(fields); i++) {
        pith_value field = pith_value_at(fields, i);
        const pith_field *found = &table->view.fields[i];
        uint32_t size;
        pith_type type = type_of(pith_value_at(field, 1), &size);
        if (!same_text(found->name, pith_value_text(pith_value_at(field, 0))) ||
            found->type != type || found->size != size ||
            found->nullable != (pith_value_kind(pith_value_at(field, 2)) == PITH_TRUE))
            return false;
    }
    for (size_t row = 0; row < pith_value_count(rows); row++) {
        pith_value cells = pith_value_at(rows, row);
        for (size_t i = 0; i < pith_value_count(fields); i++)
            if (!is_value(table_cell(table, row, i), pith_value_at(cells, i)))
                return false;
    }
    return true;
}

static bool writes_as(const char *id, const typed_table *table, const char *format,
                      const char *settings, const char *expected, size_t len)
{
    pith_options options = with_settings(NULL, settings);
    pith_buffer out = {0};
    pith_error err = {0};
    if (table_write(table, format, &options, pith_sink_buffer(&out), &err) != PITH_OK) {
        fprintf(stderr, "%s: %s %s: %s\n", id, format, settings, err.message);
        pith_buffer_free(&out);
        return false;
    }
    bool same = same_bytes(id, out.data, out.len, expected, len);
    pith_buffer_free(&out);
    return same;
}

static bool writes_text(const char *id, const typed_table *table, const char *settings,
                        pith_value expected)
{
    pith_text text = pith_value_text(expected);
    return writes_as(id, table, "soch", settings, text.ptr, text.len);
}

static bool writes_binary(const char *id, const typed_table *table, const char *settings,
                          pith_value hex)
{
    pith_buffer expected = from_hex(pith_value_text(hex));
    bool same = writes_as(id, table, "soch-bin", settings, expected.data, expected.len);
    pith_buffer_free(&expected);
    return same;
}

/* --------------------------------------------------------------------- operations */

static bool check_refusal(const char *id, pith_value vector, const pith_error *err)
{
    const char *code = code_of(pith_value_text(pith_value_get(vector, LIT("error"))));
    if (!err->code || strcmp(err->code, code) != 0) {
        fprintf(stderr, "%s: expected %s, found %s: %s\n", id, code, err->code,
                err->message);
        return false;
    }
    return true;
}

static bool run_decode_text(const char *id, pith_value vector)
{
    pith_text text = pith_value_text(pith_value_get(vector, LIT("input_text")));
    pith_error err = {0};
    pith_doc *tables = tables_read("soch", text.ptr, text.len, NULL, &err);
    bool accept =
        is_text(pith_value_text(pith_value_get(vector, LIT("result"))), "accept");
    if (!accept || !tables) {
        bool right = !accept && !tables ? check_refusal(id, vector, &err) : false;
        if (accept != (tables != NULL)) {
            fprintf(stderr, "%s: %s %s\n", id, accept ? "refused:" : "accepted",
                    err.message);
        }
        pith_doc_free(tables);
        return right;
    }
    pith_value wanted = pith_value_get(vector, LIT("tables"));
    bool right = pith_doc_table_count(tables) == pith_value_count(wanted);
    for (size_t i = 0; i < pith_doc_table_count(tables) && right; i++) {
        typed_table view = table_at(tables, i);
        const typed_table *table = &view;
        right = is_table(table, pith_value_at(wanted, i));
        if (!right)
            fprintf(stderr, "%s: table %zu differs\n", id, i);
        right =
            right &&
            writes_text(
                id, table, "",
                pith_value_at(pith_value_get(vector, LIT("canonical_text")), i)) &&
            writes_text(
                id, table, "types=all",
                pith_value_at(pith_value_get(vector, LIT("canonical_text_types_all")),
                              i)) &&
            writes_binary(id, table, "",
                          pith_value_at(pith_value_get(vector, LIT("binary_hex")), i));
    }
    pith_doc_free(tables);
    return right;
}

static bool run_decode_binary(const char *id, pith_value vector)
{
    pith_buffer bytes = from_hex(pith_value_text(pith_value_get(vector, LIT("hex"))));
    pith_error err = {0};
    typed_table *table = table_parse("soch-bin", bytes.data, bytes.len, NULL, &err);
    bool accept =
        is_text(pith_value_text(pith_value_get(vector, LIT("result"))), "accept");
    bool right = accept == (table != NULL);
    if (!right)
        fprintf(stderr, "%s: %s\n", id, table ? "accepted" : err.message);
    else if (table)
        right = is_table(table, pith_value_get(vector, LIT("table")));
    else
        right = check_refusal(id, vector, &err);
    table_free(table);
    pith_buffer_free(&bytes);
    return right;
}

/* Adds a tagged value with the call for it. Nothing nested is encoded. */
static void add_cell(typed_table *table, pith_value tagged)
{
    pith_value value = pith_value_first(tagged);
    pith_text tag = pith_value_key(value);
    pith_text text = pith_value_text(value);
    if (is_text(tag, "null")) {
        pith_doc_add_null(table_row(table));
    } else if (is_text(tag, "bool")) {
        pith_doc_add_bool(table_row(table), pith_value_kind(value) == PITH_TRUE);
    } else if (is_text(tag, "int") && text.ptr[0] == '-') {
        pith_doc_add_int64(table_row(table), strtoll(text.ptr, NULL, 10));
    } else if (is_text(tag, "int")) {
        pith_doc_add_uint64(table_row(table), strtoull(text.ptr, NULL, 10));
    } else if (is_text(tag, "float")) {
        pith_doc_add_double(table_row(table), float_of(text));
    } else if (is_text(tag, "text")) {
        pith_doc_add_text(table_row(table), text.ptr, text.len);
    } else if (is_text(tag, "vec")) {
        double numbers[16];
        size_t count = 0;
        for (pith_value v = pith_value_first(value); v.doc; v = pith_value_next(v))
            numbers[count++] = float_of(pith_value_text(v));
        pith_doc_add_vector(table_row(table), numbers, count);
    } else {
        fail_msg("no call for %.*s", (int)tag.len, tag.ptr);
    }
}

static typed_table *build_table(pith_value wanted)
{
    char name[64];
    pith_text text = pith_value_text(pith_value_get(wanted, LIT("name")));
    snprintf(name, sizeof name, "%.*s", (int)text.len, text.ptr);
    typed_table *table = table_new(name, NULL);
    assert_non_null(table);
    pith_value fields = pith_value_get(wanted, LIT("fields"));
    for (pith_value v = pith_value_first(fields); v.doc; v = pith_value_next(v)) {
        pith_field field = {0};
        field.name = pith_value_text(pith_value_at(v, 0));
        field.type = type_of(pith_value_at(v, 1), &field.size);
        field.nullable = pith_value_kind(pith_value_at(v, 2)) == PITH_TRUE;
        table_add_column(table, &field);
    }
    pith_value rows = pith_value_get(wanted, LIT("rows"));
    for (pith_value row = pith_value_first(rows); row.doc; row = pith_value_next(row)) {
        for (pith_value v = pith_value_first(row); v.doc; v = pith_value_next(v))
            add_cell(table, v);
        table_end_row(table, NULL);
    }
    pith_error err = {0};
    if (table_finish(table, &err) != PITH_OK)
        fail_msg("%s: %s", name, err.message);
    return table;
}

static bool run_encode(const char *id, pith_value vector)
{
    typed_table *table = build_table(pith_value_get(vector, LIT("table")));
    bool right =
        is_table(table, pith_value_get(vector, LIT("table"))) &&
        writes_text(id, table, "", pith_value_get(vector, LIT("text_compact"))) &&
        writes_text(id, table, "rows=lines", pith_value_get(vector, LIT("text_lines"))) &&
        writes_text(id, table, "types=all",
                    pith_value_get(vector, LIT("text_types_all"))) &&
        writes_text(id, table, "null=null bool=long",
                    pith_value_get(vector, LIT("text_null_word_bool_word"))) &&
        writes_binary(id, table, "", pith_value_get(vector, LIT("binary_hex"))) &&
        writes_binary(id, table, "checksum=false",
                      pith_value_get(vector, LIT("binary_nocrc_hex")));
    table_free(table);
    return right;
}

static bool run_vector(pith_value vector)
{
    pith_text op = pith_value_text(pith_value_get(vector, LIT("op")));
    pith_text name = pith_value_text(pith_value_get(vector, LIT("id")));
    char id[64];
    snprintf(id, sizeof id, "%.*s", (int)name.len, name.ptr);
    if (is_text(op, "decode_text"))
        return run_decode_text(id, vector);
    if (is_text(op, "decode_binary"))
        return run_decode_binary(id, vector);
    assert_true(is_text(op, "encode"));
    return run_encode(id, vector);
}

static void all_vectors(void **state)
{
    (void)state;
    pith_buffer text = fixtures_own("soch-vectors.json");
    pith_doc *doc = must_parse("json", text.data, text.len, NULL);
    size_t ran = 0;
    size_t passed = 0;
    pith_value vectors = pith_value_get(pith_doc_root(doc), LIT("vectors"));
    for (pith_value v = pith_value_first(vectors); v.doc; v = pith_value_next(v)) {
        ran++;
        passed += run_vector(v);
    }
    printf("soch: %zu of %zu vectors\n", passed, ran);
    assert_true(ran > 0);
    assert_int_equal(passed, ran);
    pith_doc_free(doc);
    pith_buffer_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
