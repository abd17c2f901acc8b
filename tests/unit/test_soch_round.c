/*
 * test_soch_round.c - what is written is read back: random tables of every type, through
 * text in every mode and binary in every compression; random damage is refused.
 */
#include "tables.h"
#include "meter.h"
#include "random.h"
#include "testing.h"

#include <math.h>

enum { TABLES = 400, FIELDS_MOST = 8, ROWS_MOST = 12, TEXT_MOST = 40 };

/* ---------------------------------------------------------------- random tables */

static const char *const odd_texts[] = {
    "",
    "null",
    "\xE2\x88\x85",
    "T",
    "F",
    "true",
    "false",
    "NaN",
    "Inf",
    "-Inf",
    "0",
    "007",
    "+5",
    ".5",
    "5.",
    "1e5",
    "1E5",
    "-0",
    "ref(x",
    "ref(a,1)",
    "b64:",
    "b64:AA==",
    " pad",
    "pad ",
    "a,b",
    "a;b",
    "a\"b",
    "[x]",
    "{x}",
    "a\nb",
    "a\tb",
    "a\\b",
    "\xC2\xA0x",
    "x\xE3\x80\x80",
    "_",
    "a:b",
    "#x",
    "\x7F",
    "\x01",
    "@u:1",
    "0xFF",
    "\xEF\xBB\xBFx",
    "plain",
    "two words",
    "x\r",
    "Gr\xC3\xB6\xC3\x9F\x65",
};

static pith_text random_text(uint64_t *seed, char *to)
{
    static const char letters[] = "ab ,;\"{}[]:\\()\n\tT1.-_\xC3";
    if (random_below(seed, 2) == 0) {
        const char *text = odd_texts[random_below(seed, ROWS(odd_texts))];
        pith_text span = {text, strlen(text)};
        return span;
    }
    size_t len = random_below(seed, TEXT_MOST);
    for (size_t i = 0; i < len; i++) {
        to[i] = letters[random_below(seed, sizeof letters - 1)];
        if (to[i] == '\xC3') {
            if (i + 1 == len)
                to[i] = 'e';
            else
                to[++i] = '\xA9';
        }
    }
    pith_text span = {to, len};
    return span;
}

static double random_double(uint64_t *seed)
{
    uint64_t bits = random_next(seed);
    double number;
    switch (random_below(seed, 6)) {
    case 0:
        return (double)(int64_t)random_below(seed, 2000) / 100 - 5;
    case 1:
        return (double)random_below(seed, 1000);
    case 2: {
        static const double odd[] = {0.0, -0.0, 1e16, 1e15, 1e-5, 0.0001, 5e-324, 1e300};
        return odd[random_below(seed, ROWS(odd))];
    }
    case 3:
        return random_below(seed, 3) == 0   ? (double)NAN
               : random_below(seed, 2) == 0 ? (double)INFINITY
                                            : -(double)INFINITY;
    default:
        memcpy(&number, &bits, sizeof number);
        return isnan(number) ? 0.5 : number;
    }
}

static int64_t random_int(uint64_t *seed)
{
    return (int64_t)random_next(seed) >> random_below(seed, 64);
}

/* Any value, as a document that the caller frees. */
static void add_random(pith_doc *doc, uint64_t *seed, int depth)
{
    char room[TEXT_MOST + 2];
    pith_text text;
    double number;
    switch (random_below(seed, depth > 3 ? 5 : 7)) {
    case 0:
        pith_doc_add_null(doc);
        return;
    case 1:
        pith_doc_add_bool(doc, random_below(seed, 2) == 0);
        return;
    case 2:
        pith_doc_add_int64(doc, random_int(seed));
        return;
    case 3:
        number = random_double(seed);
        pith_doc_add_double(doc, isfinite(number) ? number : 1.5);
        return;
    case 4:
        text = random_text(seed, room);
        pith_doc_add_text(doc, text.ptr, text.len);
        return;
    default:
        break;
    }
    bool object = random_below(seed, 2) == 0;
    size_t count = random_below(seed, 4);
    if (object)
        pith_doc_open_object(doc);
    else
        pith_doc_open_array(doc);
    for (size_t i = 0; i < count; i++) {
        if (object) {
            char key[24];
            snprintf(key, sizeof key, "%c%zu", "k $_"[random_below(seed, 4)], i);
            pith_doc_add_key(doc, key, strlen(key));
        }
        add_random(doc, seed, depth + 1);
    }
    pith_doc_close(doc);
}

static pith_doc *random_doc(uint64_t *seed)
{
    pith_doc *doc = pith_doc_new(NULL);
    assert_non_null(doc);
    add_random(doc, seed, 0);
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    return doc;
}

/* A document whose value is of that kind. */
static pith_doc *random_container(uint64_t *seed, pith_kind kind)
{
    for (;;) {
        pith_doc *doc = random_doc(seed);
        if (pith_value_kind(pith_doc_root(doc)) == kind)
            return doc;
        pith_doc_free(doc);
    }
}

static void add_random_cell(typed_table *table, const pith_field *field, uint64_t *seed)
{
    char room[TEXT_MOST + 2];
    pith_text text;
    double numbers[5];
    pith_doc *doc;
    pith_type type = field->type;
    if (field->nullable && random_below(seed, 5) == 0) {
        pith_doc_add_null(table_row(table));
        return;
    }
    if (type == PITH_TYPE_ANY) {
        type = (pith_type)(1 + random_below(seed, 10));
        type = type == PITH_TYPE_VEC ? PITH_TYPE_TEXT : type;
    }
    switch (type) {
    case PITH_TYPE_INT:
        pith_doc_add_int64(table_row(table), random_int(seed));
        break;
    case PITH_TYPE_UINT:
        pith_doc_add_uint64(table_row(table),
                            random_next(seed) >> random_below(seed, 64));
        break;
    case PITH_TYPE_FLOAT:
        pith_doc_add_double(table_row(table), random_double(seed));
        break;
    case PITH_TYPE_TEXT:
        text = random_text(seed, room);
        pith_doc_add_text(table_row(table), text.ptr, text.len);
        break;
    case PITH_TYPE_BOOL:
        pith_doc_add_bool(table_row(table), random_below(seed, 2) == 0);
        break;
    case PITH_TYPE_BYTES:
        text = random_text(seed, room);
        if (random_below(seed, 8) == 0)
            pith_doc_add_bytes(table_row(table), "\x9E\xE9\x65", 3); /* b64:null */
        else
            pith_doc_add_bytes(table_row(table), text.ptr, text.len);
        break;
    case PITH_TYPE_VEC:
        for (size_t i = 0; i < 5; i++)
            numbers[i] = random_double(seed);
        pith_doc_add_vector(table_row(table), numbers, field->size);
        break;
    case PITH_TYPE_REF:
        pith_doc_add_ref(table_row(table),
                         named(field->target.len ? "users" : "my \"table\""),
                         random_next(seed) >> random_below(seed, 64));
        break;
    default:
        doc = random_container(seed, type == PITH_TYPE_ARRAY ? PITH_ARRAY : PITH_OBJECT);
        pith_doc_add_value(table_row(table), pith_doc_root(doc));
        pith_doc_free(doc);
        break;
    }
}

static typed_table *random_table(uint64_t *seed)
{
    static const char *const names[] = {"users",    "_",   "",
                                        "my table", "\\_", "Gr\xC3\xB6"};
    typed_table *table = table_new(names[random_below(seed, ROWS(names))], NULL);
    assert_non_null(table);
    size_t fields = 1 + random_below(seed, FIELDS_MOST);
    for (size_t i = 0; i < fields; i++) {
        char name[16];
        pith_field field = {0};
        snprintf(name, sizeof name, "%s%zu", random_below(seed, 3) ? "f" : "a b", i);
        if (i == 0 && random_below(seed, 4) == 0)
            snprintf(name, sizeof name, "_");
        field.name.ptr = name;
        field.name.len = strlen(name);
        field.type = (pith_type)random_below(seed, 11);
        field.nullable = random_below(seed, 2) == 0;
        field.size = (uint32_t)random_below(seed, 5);
        if (random_below(seed, 2) == 0) {
            field.target.ptr = "users";
            field.target.len = 5;
        }
        table_add_column(table, &field);
    }
    size_t rows = random_below(seed, ROWS_MOST);
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < fields; i++)
            add_random_cell(table, &table->fields[i], seed);
        table_end_row(table, NULL);
    }
    pith_error err = {0};
    if (table_finish(table, &err) != PITH_OK)
        fail_msg("%s", err.message);
    return table;
}

/* -------------------------------------------------------------------- comparing */

static pith_buffer written(const typed_table *table, const char *format,
                           const char *settings)
{
    pith_options options = with_settings(NULL, settings);
    pith_buffer out = {0};
    pith_error err = {0};
    if (table_write(table, format, &options, pith_sink_buffer(&out), &err) != PITH_OK)
        fail_msg("%s %s: %s", format, settings, err.message);
    return out;
}

static typed_table *must_read(const char *format, const pith_buffer *text)
{
    pith_error err = {0};
    typed_table *table = table_parse(format, text->data, text->len, NULL, &err);
    if (!table) {
        show_bytes(format, text->data, text->len);
        fail_msg("%s", err.message);
    }
    return table;
}

/* Values and their types, to the bottom. Recursion is bounded by add_random. */
static bool same_value(pith_value a, pith_value b)
{
    if (pith_value_type(a) != pith_value_type(b) ||
        pith_value_kind(a) != pith_value_kind(b))
        return false;
    double x = 0;
    double y = 0;
    if (pith_value_type(a) == PITH_TYPE_FLOAT) { /* however it is spelled */
        return pith_value_double(a, &x) && pith_value_double(b, &y) &&
               ((isnan(x) && isnan(y)) || memcmp(&x, &y, sizeof x) == 0);
    }
    if (pith_value_count(a) == 0 || pith_value_type(a) == PITH_TYPE_REF)
        return pith_value_equal(a, b);
    pith_value other = pith_value_first(b);
    for (pith_value v = pith_value_first(a); v.doc; v = pith_value_next(v)) {
        pith_text key = pith_value_key(v);
        pith_text twin = pith_value_key(other);
        if (!other.doc || !same_value(v, other) || key.len != twin.len ||
            memcmp(key.ptr, twin.ptr, key.len) != 0)
            return false;
        other = pith_value_next(other);
    }
    return !other.doc;
}

/* The same name, fields and cells; types of columns do not count. */
static bool same_cells(const typed_table *a, const typed_table *b)
{
    pith_text one = a->view.name;
    pith_text other = b->view.name;
    if (one.len != other.len || memcmp(one.ptr, other.ptr, one.len) != 0 ||
        a->view.row_count != b->view.row_count ||
        a->view.field_count != b->view.field_count)
        return false;
    for (size_t row = 0; row < a->view.row_count; row++) {
        for (size_t i = 0; i < a->view.field_count; i++) {
            pith_value x = table_cell(a, row, i);
            pith_value y = table_cell(b, row, i);
            if (!same_value(x, y) || memcmp(pith_value_key(x).ptr, pith_value_key(y).ptr,
                                            pith_value_key(x).len) != 0)
                return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------ tests */

static void check_text(const typed_table *table, const pith_buffer *binary)
{
    static const char *const rows[] = {"compact", "lines", "nl"};
    static const char *const types[] = {"auto", "all"};
    static const char *const words[] = {"", " null=null bool=long", " min-tokens=true"};
    for (size_t i = 0; i < ROWS(rows) * ROWS(types) * ROWS(words); i++) {
        char settings[96];
        size_t type = i / 3 % 2;
        snprintf(settings, sizeof settings, "rows=%s types=%s%s", rows[i % 3],
                 types[type], words[i / 6]);
        pith_buffer text = written(table, "soch", settings);
        typed_table *back = must_read("soch", &text);
        pith_buffer again = written(back, "soch", settings);
        if (!same_cells(table, back)) {
            show_bytes(settings, text.data, text.len);
            fail_msg("another table came back");
        }
        assert_true(same_bytes(settings, again.data, again.len, text.data, text.len));
        if (type == 1) {
            pith_buffer bytes = written(back, "soch-bin", "");
            assert_true(
                same_bytes(settings, bytes.data, bytes.len, binary->data, binary->len));
            pith_buffer_free(&bytes);
        }
        pith_buffer_free(&again);
        table_free(back);
        pith_buffer_free(&text);
    }
}

static void check_binary(const typed_table *table, const pith_buffer *binary)
{
    static const char *const settings[] = {"",
                                           "checksum=false",
                                           "compress=lz4",
                                           "compress=zstd",
                                           "compress=zstd checksum=false",
                                           "compress=lz4 checksum=false"};
    for (size_t i = 0; i < ROWS(settings); i++) {
        pith_options options = with_settings(NULL, settings[i]);
        pith_buffer bytes = {0};
        pith_error err = {0};
        if (table_write(table, "soch-bin", &options, pith_sink_buffer(&bytes), &err) !=
            PITH_OK) {
            assert_string_equal(err.code, "not_built_in");
            pith_buffer_free(&bytes);
            continue;
        }
        typed_table *back = must_read("soch-bin", &bytes);
        pith_buffer again = written(back, "soch-bin", "");
        assert_true(same_cells(table, back));
        assert_true(
            same_bytes(settings[i], again.data, again.len, binary->data, binary->len));
        pith_buffer_free(&again);
        table_free(back);
        pith_buffer_free(&bytes);
    }
}

static void random_tables(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < TABLES; n++) {
        uint64_t seed = n;
        typed_table *table = random_table(&seed);
        pith_buffer binary = written(table, "soch-bin", "");
        check_text(table, &binary);
        check_binary(table, &binary);
        pith_buffer_free(&binary);
        table_free(table);
    }
}

/* Any JSON value comes back from text and from binary. */
static void random_json(void **state)
{
    (void)state;
    static const char *const formats[] = {"soch", "soch-bin"};
    for (uint64_t n = 0; n < OFTEN(3000); n++) {
        uint64_t seed = n + 77777;
        pith_doc *doc = random_doc(&seed);
        for (size_t i = 0; i < 2; i++) {
            pith_buffer text = must_write(pith_doc_root(doc), formats[i], NULL);
            pith_doc *back = must_parse(formats[i], text.data, text.len, NULL);
            pith_buffer again = must_write(pith_doc_root(back), formats[i], NULL);
            assert_true(same_value(pith_doc_root(doc), pith_doc_root(back)));
            assert_true(
                same_bytes(formats[i], again.data, again.len, text.data, text.len));
            pith_buffer_free(&again);
            pith_buffer_free(&text);
            pith_doc_free(back);
        }
        pith_doc_free(doc);
    }
}

/* -------------------------------------------------------------------- ill-formed */

static pith_status try_binary(const char *bytes, size_t len, pith_error *err)
{
    typed_table *table = table_parse("soch-bin", bytes, len, NULL, err);
    pith_status status = table ? PITH_OK : err->status;
    table_free(table);
    return status;
}

static void damage_is_refused(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 30; n++) {
        uint64_t seed = n;
        typed_table *table = random_table(&seed);
        pith_buffer bytes = written(table, "soch-bin", n % 2 ? "compress=none" : "");
        for (size_t len = 0; len < bytes.len; len++) {
            pith_error err = {0};
            char *copy = (char *)malloc(len ? len : 1); /* for the sanitizer */
            assert_non_null(copy);
            memcpy(copy, bytes.data, len);
            assert_int_equal(try_binary(copy, len, &err), PITH_BAD_INPUT);
            free(copy);
        }
        for (size_t at = 0; at < bytes.len; at++) {
            pith_error err = {0};
            bytes.data[at] = (char)(bytes.data[at] ^ (1 << random_below(&seed, 8)));
            pith_status status = try_binary(bytes.data, bytes.len, &err);
            assert_true(status == PITH_BAD_INPUT || status == PITH_LIMIT ||
                        status == PITH_BAD_USE);
            pith_buffer_free(&bytes);
            bytes = written(table, "soch-bin", n % 2 ? "compress=none" : "");
        }
        pith_buffer_free(&bytes);
        table_free(table);
    }
}

/* Small files that claim to be large, in hexadecimal, and what they must be told. */
static void lies_cost_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        const char *code;
    } lies[] = {
        {"544f4f4e01000800ffffffffffffffff017401016100", "truncated"},
        {"544f4f4e0100080001000000000000000174ffffffffffffffff7f", "truncated"},
        {"544f4f4e01000800010000000000000001740101610070ffffffffffffffffff01",
         "truncated"},
        {"544f4f4e01000800010000000000000001740101610071ffffffffffffffffff01",
         "truncated"},
        {"544f4f4e01000800010000000000000001740101610090ffffffffffffffffff0141",
         "truncated"},
        {"544f4f4e010008000100000000000000017401016100a0ffffffffffffffffff01",
         "truncated"},
        {"544f4f4e01000800010000000000000001740101610062ffffffff41", "truncated"},
        {"544f4f4e010008000100000000000000ffffffffffffffffff01", "truncated"},
        {"544f4f4e010008000100000000000000017401016100b0ffffffffffffffffffff01",
         "invalid_varint"},
        {"544f4f4e010008000100000000000000017401016100b0ffffffffffffffffff02",
         "invalid_varint"},
        {"544f4f4e01000900010000000000000080808080800410", "raw_limit"},
        {"544f4f4e01000a00010000000000000080808080800410", "raw_limit"},
        {"544f4f4e010009000100000000000000ffffff7f0210aa", "invalid_compression"},
        {"544f4f4e01000a000100000000000000ffffff7f0210aa", "invalid_compression"},
        {"544f4f4e01000800010000000000000001740101610b15", "unknown_type"},
        {"544f4f4e01000800010000000000000001740101618015", "unknown_type"},
        {"544f4f4e010008000100000000000000017402016100016100", "duplicate_key"},
        {"544f4f4e01000800010000000000000001740015", "unrepresentable"},
        {"544f4f4e01000b0000000000000000000174", "unknown_flags"},
        {"544f4f4e010000000000000000000000017400", "unknown_flags"},
    };
    for (size_t i = 0; i < ROWS(lies); i++) {
        char bytes[128];
        size_t len = strlen(lies[i].hex) / 2;
        for (size_t k = 0; k < len; k++) {
            char pair[3] = {lies[i].hex[2 * k], lies[i].hex[2 * k + 1], '\0'};
            bytes[k] = (char)(unsigned char)strtoul(pair, NULL, 16);
        }
        meter counts = {0};
        pith_options options = {0};
        pith_error err = {0};
        options.alloc = meter_alloc(&counts);
        assert_null(table_parse("soch-bin", bytes, len, &options, &err));
        if (strcmp(err.code, lies[i].code) != 0 && strcmp(err.code, "not_built_in") != 0)
            fail_msg("%s: %s, expected %s", lies[i].hex, err.code, lies[i].code);
        assert_true(counts.peak_bytes < 1024 * 1024);
        assert_true(meter_clean(&counts));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tables),
        cmocka_unit_test(random_json),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(lies_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
