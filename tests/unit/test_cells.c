/*
 * test_cells.c - values in batches: arrays of cells into documents.
 *
 * What a batch means is what the same cells mean one by one, through the calls of the
 * builder. So most tests here do both, with random cells and random cuts, and compare
 * values and failures.
 */
#include <float.h>
#include <math.h>

#include "bytes.h"
#include "random.h"
#include "testing.h"

#define CELL(what) ((pith_cell){.kind = PITH_CELL_##what})
#define INT(value) ((pith_cell){.kind = PITH_CELL_INT64, .u.integer = (value)})
#define TEXT(chars)                                                                      \
    ((pith_cell){.kind = PITH_CELL_TEXT, .len = sizeof(chars) - 1, .u.text = (chars)})
#define KEY(chars)                                                                       \
    ((pith_cell){.kind = PITH_CELL_KEY, .len = sizeof(chars) - 1, .u.text = (chars)})
#define DIGITS(chars)                                                                    \
    ((pith_cell){.kind = PITH_CELL_DIGITS, .len = sizeof(chars) - 1, .u.text = (chars)})
#define SHAPED(shape) ((pith_cell){.kind = PITH_CELL_SHAPED, .u.natural = (shape)})
#define KEYTEXT(text) ((pith_text){(text), sizeof(text) - 1})

static void must_become(pith_doc *doc, const char *json)
{
    pith_error err = {0};
    if (pith_doc_finish(doc, &err) != PITH_OK)
        fail_msg("%s", err.message);
    must_hold_json(doc, json);
}

/* ------------------------------------------------------------------- every kind */

static void every_kind_of_cell(void **state)
{
    (void)state;
    const pith_cell cells[] = {
        CELL(ARRAY),
        CELL(NULL),
        CELL(FALSE),
        CELL(TRUE),
        INT(INT64_MIN),
        INT(-1),
        {.kind = PITH_CELL_UINT64, .u.natural = UINT64_MAX},
        {.kind = PITH_CELL_UINT64},
        {.kind = PITH_CELL_DOUBLE, .u.number = 0.1},
        {.kind = PITH_CELL_DOUBLE, .u.number = -100},
        {.kind = PITH_CELL_DOUBLE, .u.number = 1e300},
        {.kind = PITH_CELL_FLOAT, .u.single = 1.1f},
        {.kind = PITH_CELL_FLOAT, .u.single = -0.0f},
        {.kind = PITH_CELL_FLOAT, .u.single = 16777216.0f},
        DIGITS("12345678901234567890123"),
        DIGITS("1.50e3"),
        TEXT(""),
        TEXT("a"),
        TEXT("plain, and longer than sixteen bytes"),
        TEXT("tab\t, quote\" and \xc3\xa9"),
        {.kind = PITH_CELL_TEXT,
         .flags = PITH_CELL_TRUSTED,
         .len = 2,
         .u.text = "\xc3\xa9"},
        {.kind = PITH_CELL_BYTES, .len = 3, .u.text = "\0\1\2"},
        CELL(OBJECT),
        KEY("k"),
        CELL(ARRAY),
        CELL(CLOSE),
        KEY("l"),
        CELL(OBJECT),
        CELL(CLOSE),
        CELL(CLOSE),
        CELL(CLOSE),
    };
    pith_doc *doc = pith_doc_new(NULL);
    pith_doc_add_cells(doc, cells, ROWS(cells));
    must_become(doc,
                "[null,false,true,-9223372036854775808,-1,18446744073709551615,0,0.1,"
                "-100.0,1e+300,1.1,-0.0,16777216.0,12345678901234567890123,1.50e3,\"\","
                "\"a\",\"plain, and longer than sixteen bytes\",\"tab\\t, quote\\\" and "
                "\xc3\xa9\",\"\xc3\xa9\",\"b64:AAEC\",{\"k\":[],\"l\":{}}]");
    pith_value last = pith_value_at(pith_doc_root(doc), 20);
    assert_int_equal(pith_value_type(last), PITH_TYPE_BYTES);
    pith_doc_free(doc);
}

/* Any value, and what JSON does not have: by cells, and by calls. */
static void values_and_typed_values(void **state)
{
    (void)state;
    static const double numbers[] = {1, 0.5};
    pith_doc *from = must_parse_json("{\"a\":[1,null]}");
    const pith_value root = pith_doc_root(from);
    const pith_cell cells[] = {
        CELL(ARRAY),
        {.kind = PITH_CELL_VALUE, .u.value = &root},
        {.kind = PITH_CELL_VECTOR, .len = 2, .u.numbers = numbers},
        {.kind = PITH_CELL_VECTOR},
    };
    pith_doc *doc = pith_doc_new(NULL);
    pith_doc_add_cells(doc, cells, ROWS(cells));
    pith_doc_add_ref(doc, (pith_text)PITH_TEXT("users"), 42);
    pith_doc_add_bytes(doc, "\0\1\2", 3);
    pith_doc_close(doc);
    must_become(doc, "[{\"a\":[1,null]},[1.0,0.5],[],{\"$ref\":\"users\",\"id\":42},"
                     "\"b64:AAEC\"]");
    static const pith_type types[] = {PITH_TYPE_OBJECT, PITH_TYPE_VEC, PITH_TYPE_VEC,
                                      PITH_TYPE_REF, PITH_TYPE_BYTES};
    for (size_t i = 0; i < ROWS(types); i++)
        assert_int_equal(pith_value_type(pith_value_at(pith_doc_root(doc), i)), types[i]);
    pith_doc_free(doc);
    pith_doc_free(from);
}

/* The fewest digits, which are found by trying, read back as the same float. */
static void floats_have_digits_of_their_own(void **state)
{
    (void)state;
    uint64_t seed = 7;
    static const float edges[] = {FLT_MIN,  FLT_MAX,     FLT_EPSILON, 1e-45f,
                                  8388608., 16777216.0f, 1e10f,       0.3f};
    pith_doc *doc = pith_doc_new(NULL);
    for (size_t i = 0; i < OFTEN(20000); i++) {
        float number;
        uint32_t bits = (uint32_t)random_next(&seed);
        memcpy(&number, &bits, sizeof number);
        if (i < ROWS(edges))
            number = edges[i];
        if (!isfinite(number))
            continue;
        char shortest[64];
        size_t precision = 1;
        do
            snprintf(shortest, sizeof shortest, "%.*g", (int)precision++, (double)number);
        while (strtof(shortest, NULL) != number);
        const pith_cell cell = {.kind = PITH_CELL_FLOAT, .u.single = number};
        pith_doc_reset(doc);
        pith_doc_add_cells(doc, &cell, 1);
        assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
        pith_text digits = pith_value_text(pith_doc_root(doc));
        char text[64] = "";
        memcpy(text, digits.ptr, digits.len);
        assert_true(strtof(text, NULL) == number);
        /* As many digits as were needed: the zeros that lay it out do not count. */
        size_t significant = 0;
        size_t zeros = 0;
        for (const char *c = text; *c && *c != 'e'; c++) {
            if (*c >= '1' && *c <= '9') {
                significant += 1 + (significant ? zeros : 0);
                zeros = 0;
            } else if (*c == '0') {
                zeros++;
            }
        }
        assert_true(number == 0 || significant <= precision - 1);
    }
    pith_doc_free(doc);
}

/* Each length, at each place of a block that ends right after it. */
static void texts_of_every_length(void **state)
{
    (void)state;
    static const char *const odd[] = {"", "\"", "\n", "\\", "\xc3\xa9", "\x7f"};
    for (size_t len = 0; len < 70; len++) {
        for (size_t which = 0; which < ROWS(odd); which++) {
            size_t odd_len = strlen(odd[which]);
            for (size_t at = 0; at + odd_len <= len; at++) {
                char *text = malloc(len ? len : 1);
                assert_non_null(text);
                memset(text, 'x', len);
                memcpy(text + at, odd[which], odd_len);
                const pith_cell cell = {
                    .kind = PITH_CELL_TEXT, .len = (uint32_t)len, .u.text = text};
                pith_doc *one = pith_doc_new(NULL);
                pith_doc *many = pith_doc_new(NULL);
                pith_doc_add_text(one, text, len);
                pith_doc_add_cells(many, &cell, 1);
                free(text);
                assert_int_equal(pith_doc_finish(one, NULL), PITH_OK);
                assert_int_equal(pith_doc_finish(many, NULL), PITH_OK);
                pith_buffer json = must_write(pith_doc_root(one), "json", NULL);
                must_write_as(pith_doc_root(many), "json", NULL, json.data);
                pith_buffer_free(&json);
                pith_doc_free(one);
                pith_doc_free(many);
            }
        }
    }
}

/* ----------------------------------------------------------------------- shapes */

static void objects_of_a_shape(void **state)
{
    (void)state;
    const pith_text outer[] = {KEYTEXT("id"), KEYTEXT("in"), KEYTEXT("a\"b")};
    const pith_text inner[] = {KEYTEXT("x")};
    pith_doc *doc = pith_doc_new(NULL);
    uint32_t row = pith_doc_shape(doc, outer, 3);
    uint32_t point = pith_doc_shape(doc, inner, 1);
    uint32_t empty = pith_doc_shape(doc, NULL, 0);
    assert_true(row && point && empty);
    assert_int_equal(pith_doc_shape(doc, outer, 3), row);
    const pith_cell cells[] = {
        CELL(ARRAY),   SHAPED(row),  INT(1),      SHAPED(point), INT(2),
        CELL(NULL),    SHAPED(row),  CELL(ARRAY), SHAPED(empty), CELL(CLOSE),
        SHAPED(point), SHAPED(row),  INT(3),      INT(4),        INT(5),
        CELL(TRUE),    CELL(OBJECT), KEY("x"),    SHAPED(point), INT(6),
        CELL(CLOSE),   CELL(CLOSE),
    };
    pith_doc_add_cells(doc, cells, ROWS(cells));
    must_become(doc, "[{\"id\":1,\"in\":{\"x\":2},\"a\\\"b\":null},{\"id\":[{}],\"in\":"
                     "{\"x\":{\"id\":3,\"in\":4,\"a\\\"b\":5}},\"a\\\"b\":true},"
                     "{\"x\":{\"x\":6}}]");
    pith_doc_free(doc);
}

static void values_may_be_absent(void **state)
{
    (void)state;
    const pith_text keys[] = {KEYTEXT("a"), KEYTEXT("b"), KEYTEXT("c"), KEYTEXT("d")};
    for (unsigned mask = 0; mask < 16; mask++) {
        pith_doc *doc = pith_doc_new(NULL);
        bytes expected = {0};
        pith_cell cells[40] = {CELL(ARRAY), SHAPED(pith_doc_shape(doc, keys, 4))};
        size_t count = 2;
        bytes_put(&expected, "[{");
        for (unsigned i = 0; i < 4; i++) {
            if (mask >> i & 1) {
                cells[count++] = CELL(ABSENT);
                continue;
            }
            bytes_print(&expected, "%s\"%c\":[%u,{\"k\":[%u]}]",
                        expected.ptr[expected.len - 1] == '{' ? "" : ",", 'a' + i, i, i);
            cells[count++] = CELL(ARRAY);
            cells[count++] = INT(i);
            cells[count++] = CELL(OBJECT);
            cells[count++] = KEY("k");
            cells[count++] = CELL(ARRAY);
            cells[count++] = INT(i);
            cells[count++] = CELL(CLOSE);
            cells[count++] = CELL(CLOSE);
            cells[count++] = CELL(CLOSE);
        }
        bytes_add(&expected, LIT("},7]\0"));
        cells[count++] = INT(7);
        cells[count++] = CELL(CLOSE);
        for (size_t i = 0; i < count; i += 1 + mask % 3)
            pith_doc_add_cells(doc, cells + i,
                               count - i < 1 + mask % 3 ? count - i : 1 + mask % 3);
        must_become(doc, expected.ptr);
        bytes_free(&expected);
        pith_doc_free(doc);
    }
}

/* The calls one by one work in an object of a shape as well. */
static void shapes_and_single_calls(void **state)
{
    (void)state;
    const pith_text keys[] = {KEYTEXT("a"), KEYTEXT("b")};
    pith_doc *doc = pith_doc_new(NULL);
    pith_cell cell = SHAPED(pith_doc_shape(doc, keys, 2));
    pith_doc_add_cells(doc, &cell, 1);
    pith_doc_add_int64(doc, 1);
    pith_doc_add_cells(doc, &cell, 1);
    pith_doc_open_array(doc);
    pith_doc_close(doc);
    pith_doc_add_text(doc, "x", 1);
    must_become(doc, "{\"a\":1,\"b\":{\"a\":[],\"b\":\"x\"}}");
    pith_doc_free(doc);
}

static void shapes_that_do_not_fit(void **state)
{
    (void)state;
    static char names[300][4];
    pith_text keys[300];
    for (size_t i = 0; i < ROWS(keys); i++) {
        snprintf(names[i], sizeof names[i], "%zu", i);
        keys[i] = (pith_text){names[i], strlen(names[i])};
    }
    pith_doc *doc = pith_doc_new(NULL);
    pith_cell null = CELL(NULL);
    assert_true(pith_doc_shape(doc, keys, 256) != 0);
    assert_int_equal(pith_doc_shape(doc, keys, 257), 0);
    pith_doc_add_cells(doc, &null, 1);
    assert_int_equal(pith_doc_finish(doc, NULL), PITH_OK);
    pith_doc_free(doc);
}

/* ---------------------------------------------------------------------- mistakes */

static void mistakes_stick(void **state)
{
    (void)state;
    static const char bad[] = "\xff and more than sixteen bytes";
    const pith_text keys[] = {KEYTEXT("a"), KEYTEXT("b")};
    struct {
        pith_cell cells[4];
        size_t count;
        const char *code;
    } cases[] = {
        {{CELL(ARRAY), CELL(CLOSE), INT(1)}, 3, "second_root"},
        {{CELL(OBJECT), INT(1)}, 2, "expected_key"},
        {{CELL(OBJECT), KEY("a"), KEY("b")}, 3, "expected_value"},
        {{CELL(OBJECT), KEY("a"), CELL(CLOSE)}, 3, "expected_value"},
        {{CELL(ARRAY), KEY("a")}, 2, "expected_value"},
        {{KEY("a")}, 1, "expected_value"},
        {{CELL(CLOSE)}, 1, "nothing_open"},
        {{CELL(ARRAY)}, 1, "unclosed"},
        {{CELL(ABSENT)}, 1, "not_shaped"},
        {{CELL(OBJECT), CELL(ABSENT)}, 2, "not_shaped"},
        {{SHAPED(0)}, 1, "unknown_shape"},
        {{SHAPED(UINT64_C(65536))}, 1, "unknown_shape"},
        {{SHAPED(1000)}, 1, "unknown_shape"},
        {{SHAPED(3), INT(1)}, 2, "unclosed"},
        {{SHAPED(3), CELL(CLOSE)}, 2, "expected_value"},
        {{SHAPED(3), KEY("a")}, 2, "expected_value"},
        {{SHAPED(3), INT(1), INT(2), INT(3)}, 4, "second_root"},
        {{{.kind = 0}}, 1, "unknown_cell"},
        {{{.kind = PITH_CELL_VECTOR + 1}}, 1, "unknown_cell"},
        {{CELL(ARRAY), {.kind = 255}}, 2, "unknown_cell"},
        {{DIGITS("01")}, 1, "invalid_number"},
        {{DIGITS("")}, 1, "invalid_number"},
        {{{.kind = PITH_CELL_DOUBLE, .u.number = (double)NAN}}, 1, "not_finite"},
        {{{.kind = PITH_CELL_FLOAT, .u.single = INFINITY}}, 1, "not_finite"},
        {{TEXT("\xc3")}, 1, "invalid_utf8"},
        {{{.kind = PITH_CELL_TEXT, .len = sizeof bad - 1, .u.text = bad}},
         1,
         "invalid_utf8"},
        {{CELL(OBJECT), KEY("\xc3")}, 2, "invalid_utf8"},
        {{CELL(ARRAY), CELL(ARRAY), CELL(ARRAY)}, 3, "depth_limit"},
        {{CELL(ARRAY), CELL(ARRAY), SHAPED(3)}, 3, "depth_limit"},
    };
    pith_options options = {.depth_max = 2};
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(cases); i++) {
        pith_error err = {0};
        pith_doc *doc = pith_doc_new(&options);
        pith_cell more = CELL(NULL);
        assert_int_equal(pith_doc_shape(doc, keys, 2), 3);
        pith_doc_add_cells(doc, cases[i].cells, cases[i].count);
        if (strcmp(cases[i].code, "unclosed") != 0)
            pith_doc_add_cells(doc, &more, 1);
        if (pith_doc_finish(doc, &err) == PITH_OK ||
            strcmp(err.code, cases[i].code) != 0) {
            fprintf(stderr, "case %zu: %s, expected %s\n", i, err.code, cases[i].code);
            failures++;
        }
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

static void keys_of_a_shape_differ(void **state)
{
    (void)state;
    const pith_text same[] = {KEYTEXT("a"), KEYTEXT("a")};
    const pith_text bad[] = {KEYTEXT("\xff")};
    pith_error err = {0};
    pith_doc *doc = pith_doc_new(NULL);
    assert_int_equal(pith_doc_shape(doc, same, 2), 0);
    assert_int_equal(pith_doc_finish(doc, &err), PITH_BAD_INPUT);
    assert_string_equal(err.code, "duplicate_key");
    pith_doc_reset(doc);
    assert_int_equal(pith_doc_shape(doc, bad, 1), 0);
    assert_int_equal(pith_doc_finish(doc, &err), PITH_BAD_INPUT);
    assert_string_equal(err.code, "invalid_utf8");
    pith_doc_free(doc);
}

/* --------------------------------------------------------- the same as one by one */

static void add_one(pith_doc *doc, const pith_cell *cell)
{
    switch (cell->kind) {
    case PITH_CELL_NULL:
        pith_doc_add_null(doc);
        break;
    case PITH_CELL_TRUE:
        pith_doc_add_bool(doc, true);
        break;
    case PITH_CELL_INT64:
        pith_doc_add_int64(doc, cell->u.integer);
        break;
    case PITH_CELL_UINT64:
        pith_doc_add_uint64(doc, cell->u.natural);
        break;
    case PITH_CELL_DOUBLE:
        pith_doc_add_double(doc, cell->u.number);
        break;
    case PITH_CELL_DIGITS:
        pith_doc_add_number(doc, cell->u.text, cell->len);
        break;
    case PITH_CELL_TEXT:
        pith_doc_add_text(doc, cell->u.text, cell->len);
        break;
    case PITH_CELL_KEY:
        pith_doc_add_key(doc, cell->u.text, cell->len);
        break;
    case PITH_CELL_ARRAY:
        pith_doc_open_array(doc);
        break;
    case PITH_CELL_OBJECT:
        pith_doc_open_object(doc);
        break;
    default:
        pith_doc_close(doc);
        break;
    }
}

static const char *const texts[] = {"",      "a",
                                    "b",     "key",
                                    "\n",    "\xc3\xa9",
                                    "\"",    "seventeen bytes..",
                                    "value", "\xf0\x9f\x98\x80"};

static pith_cell draw_text(uint64_t *seed)
{
    const char *text = texts[random_small(seed, ROWS(texts))];
    return (pith_cell){
        .kind = PITH_CELL_TEXT, .len = (uint32_t)strlen(text), .u.text = text};
}

/* Keys in an order that mostly repeats, so that few are equal. */
static pith_cell draw_key(uint64_t *seed, size_t *last)
{
    static const char *const keys[] = {
        "a", "b", "id", "name", "\"", "\xc3\xa9", "street", "seventeen bytes..",
        "x", "y", "z",  "",     "k",  "l",        "m",      "n",
        "o", "p", "q",  "r",    "s",  "t",        "u",      "v",
        "w"};
    *last = (*last + 1 + (random_small(seed, 20) == 0)) % ROWS(keys);
    const char *key = keys[*last];
    return (pith_cell){
        .kind = PITH_CELL_KEY, .len = (uint32_t)strlen(key), .u.text = key};
}

/* Mostly a whole value: the grammar is followed, and broken now and then. */
static size_t draw_cells(uint64_t *seed, pith_cell *cells, size_t room)
{
    char open[64];
    size_t depth = 0;
    size_t count = 0;
    size_t key = 0;
    do {
        bool object = depth > 0 && open[depth - 1] == '{';
        size_t pick = random_small(seed, 12);
        if (random_small(seed, 300) == 0) {
            cells[count++] = CELL(CLOSE);
        } else if (depth > 1 && (pick < 3 || room - count < 2 * depth + 8)) {
            cells[count++] = CELL(CLOSE);
            depth--;
            continue;
        }
        if (object && random_small(seed, 300) > 0)
            cells[count++] = draw_key(seed, &key);
        if (depth == 0 ||
            (pick < 6 && depth < ROWS(open) && room - count > 4 * depth + 8)) {
            open[depth++] = pick % 2 ? '{' : '[';
            cells[count++] = pick % 2 ? CELL(OBJECT) : CELL(ARRAY);
        } else if (pick < 9) {
            cells[count++] = draw_text(seed);
        } else if (pick == 9) {
            cells[count++] = INT((int64_t)random_next(seed) >> random_small(seed, 64));
        } else if (pick == 10) {
            cells[count++] =
                (pith_cell){.kind = PITH_CELL_DOUBLE,
                            .u.number = (double)random_small(seed, 1u << 30) /
                                        (double)(1 + random_small(seed, 999))};
        } else {
            cells[count++] = CELL(NULL);
        }
    } while (depth > 0 && room - count > 2 * depth + 6 && count + 2 < room);
    while (depth-- > 0)
        cells[count++] = CELL(CLOSE);
    return count;
}

static bool same_documents(pith_doc *one, pith_doc *many)
{
    pith_error a = {0};
    pith_error b = {0};
    pith_status status = pith_doc_finish(one, &a);
    if (pith_doc_finish(many, &b) != status)
        return false;
    if (status != PITH_OK)
        return strcmp(a.code, b.code) == 0 && strcmp(a.message, b.message) == 0;
    static const char *const formats[] = {"json", "toon", "gcf", "pith", "soch"};
    bool same = pith_value_equal(pith_doc_root(one), pith_doc_root(many));
    for (size_t f = 0; f < ROWS(formats) && same; f++) {
        pith_buffer x = {0};
        pith_buffer y = {0};
        pith_value_write(pith_doc_root(one), formats[f], NULL, pith_sink_buffer(&x),
                         NULL);
        pith_value_write(pith_doc_root(many), formats[f], NULL, pith_sink_buffer(&y),
                         NULL);
        same = same_bytes(formats[f], y.data, y.len, x.data, x.len);
        pith_buffer_free(&x);
        pith_buffer_free(&y);
    }
    return same;
}

static void batches_are_the_same_as_calls(void **state)
{
    (void)state;
    enum { ROOM = 300 };
    uint64_t seed = 20;
    pith_cell cells[ROOM];
    pith_options options = {.depth_max = 60};
    pith_doc *one = pith_doc_new(&options);
    pith_doc *many = pith_doc_new(&options);
    size_t good = 0;
    for (size_t i = 0; i < OFTEN(6000); i++) {
        size_t count = draw_cells(&seed, cells, ROOM / 2 + random_small(&seed, ROOM / 2));
        pith_doc_reset(one);
        pith_doc_reset(many);
        for (size_t c = 0; c < count; c++)
            add_one(one, &cells[c]);
        for (size_t c = 0, some; c < count; c += some) {
            some = 1 + random_small(&seed, count);
            some = some < count - c ? some : count - c;
            pith_doc_add_cells(many, cells + c, some);
        }
        assert_true(same_documents(one, many));
        good += pith_doc_root(one).doc != NULL;
    }
    assert_true(good > OFTEN(500) && good < OFTEN(5900));
    pith_doc_free(one);
    pith_doc_free(many);
}

/* So many that the tape and the arena grow, and a run is not enough. */
static void a_long_batch(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    pith_cell *cells = calloc(COUNT + 2, sizeof *cells);
    pith_doc *one = pith_doc_new(NULL);
    pith_doc *many = pith_doc_new(NULL);
    assert_non_null(cells);
    cells[0] = CELL(ARRAY);
    for (size_t i = 1; i <= COUNT; i++)
        cells[i] = i % 3 ? INT((int64_t)i) : TEXT("some text that takes room");
    cells[COUNT + 1] = CELL(CLOSE);
    for (size_t i = 0; i < COUNT + 2; i++)
        add_one(one, &cells[i]);
    pith_doc_add_cells(many, cells, COUNT + 2);
    assert_true(same_documents(one, many));
    pith_doc_free(one);
    pith_doc_free(many);
    free(cells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_cell),
        cmocka_unit_test(values_and_typed_values),
        cmocka_unit_test(floats_have_digits_of_their_own),
        cmocka_unit_test(texts_of_every_length),
        cmocka_unit_test(objects_of_a_shape),
        cmocka_unit_test(values_may_be_absent),
        cmocka_unit_test(shapes_and_single_calls),
        cmocka_unit_test(shapes_that_do_not_fit),
        cmocka_unit_test(mistakes_stick),
        cmocka_unit_test(keys_of_a_shape_differ),
        cmocka_unit_test(batches_are_the_same_as_calls),
        cmocka_unit_test(a_long_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
