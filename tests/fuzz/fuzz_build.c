/*
 * fuzz_build.c - bytes as calls of the builder, right and wrong.
 *
 * Beside the library runs a model of it: it keeps the open containers and the keys
 * they have had, foresees whether each call is allowed, and writes the JSON that the
 * calls mean. At the end both must agree on the verdict, and where it is good, on
 * every byte. A second document is built from the same calls as cells, in batches that
 * end where the bytes say so, and must be the same.
 */
#include <math.h>

#include "fuzzing.h"

enum { DEPTH_MOST = 40, TEXT_MOST = 1 << 16, KEYS = 16 };

typedef struct model {
    pith_status failed; /* the first failure foreseen; PITH_OK while there is none */
    bool object[DEPTH_MOST + 1];
    uint32_t keys[DEPTH_MOST + 1]; /* a bit for each key the container has had */
    bool twice[DEPTH_MOST + 1];    /* one of them came again */
    bool first[DEPTH_MOST + 1];
    size_t depth;
    bool key_pending;
    bool has_root;
    char text[TEXT_MOST];
    size_t len;
    bool full; /* the model's own room is used up */
} model;

static void put(model *m, const char *text)
{
    size_t len = strlen(text);
    if (len > TEXT_MOST - m->len) {
        m->full = true;
        return;
    }
    memcpy(m->text + m->len, text, len);
    m->len += len;
}

static void foresee(model *m, pith_status status)
{
    if (m->failed == PITH_OK)
        m->failed = status;
}

/* Whether a value may come now; writes the comma before it. */
static bool value_allowed(model *m)
{
    if (m->failed != PITH_OK)
        return false;
    if (m->depth == 0 ? m->has_root : m->object[m->depth] && !m->key_pending) {
        foresee(m, PITH_BAD_USE);
        return false;
    }
    if (m->depth > 0 && !m->object[m->depth]) {
        if (!m->first[m->depth])
            put(m, ",");
        m->first[m->depth] = false;
    }
    m->key_pending = false;
    m->has_root = true;
    return true;
}

static void model_scalar(model *m, const char *text)
{
    if (value_allowed(m))
        put(m, text);
}

static void model_open(model *m, bool object)
{
    if (!value_allowed(m))
        return;
    if (m->depth == DEPTH_MOST) {
        foresee(m, PITH_LIMIT);
        return;
    }
    m->depth++;
    m->object[m->depth] = object;
    m->keys[m->depth] = 0;
    m->twice[m->depth] = false;
    m->first[m->depth] = true;
    put(m, object ? "{" : "[");
}

/* Keys are compared when the object closes. */
static void model_close(model *m)
{
    if (m->failed != PITH_OK)
        return;
    if (m->depth == 0 || m->key_pending) {
        foresee(m, PITH_BAD_USE);
    } else if (m->twice[m->depth]) {
        foresee(m, PITH_BAD_INPUT);
    } else {
        put(m, m->object[m->depth] ? "}" : "]");
        m->depth--;
    }
}

static void model_key(model *m, unsigned which, const char *json)
{
    if (m->failed != PITH_OK)
        return;
    if (m->depth == 0 || !m->object[m->depth] || m->key_pending) {
        foresee(m, PITH_BAD_USE);
        return;
    }
    if (m->keys[m->depth] & 1u << which)
        m->twice[m->depth] = true;
    m->keys[m->depth] |= 1u << which;
    if (!m->first[m->depth])
        put(m, ",");
    m->first[m->depth] = false;
    put(m, json);
    put(m, ":");
    m->key_pending = true;
}

/* Keys and texts, raw and as JSON. */
static const struct sample {
    const char *raw;
    size_t len;
    const char *json;
} samples[KEYS] = {
    {"", 0, "\"\""},
    {"a", 1, "\"a\""},
    {"b", 1, "\"b\""},
    {"a\0", 2, "\"a\\u0000\""},
    {"key", 3, "\"key\""},
    {"\n", 1, "\"\\n\""},
    {"\"", 1, "\"\\\"\""},
    {"\\", 1, "\"\\\\\""},
    {"\xc3\xa9", 2, "\"\xc3\xa9\""},
    {"\xf0\x9f\x98\x80", 4, "\"\xf0\x9f\x98\x80\""},
    {"a key of more than sixteen bytes", 32, "\"a key of more than sixteen bytes\""},
    {"sixteen bytes ..", 16, "\"sixteen bytes ..\""},
    {"fifteen bytes .", 15, "\"fifteen bytes .\""},
    {"seventeen bytes..", 17, "\"seventeen bytes..\""},
    {"\x7f/", 2, "\"\x7f/\""},
    {"1", 1, "\"1\""},
};

static const char *const numbers[] = {
    "0", "-0", "1.0", "1e5", "-12.50E-3", "123456789012345678901234567890", "0.1", "7"};

/* A document of its own, to copy from. */
static pith_doc *donor(void)
{
    static const char text[] = "{\"x\":[1,{\"y\":\"\\n\"}],\"z\":[]}";
    pith_doc *doc = pith_doc_parse("json", text, sizeof text - 1, NULL, NULL);
    REQUIRE(doc != NULL);
    return doc;
}

/* A copied value is three levels deep. */
static void model_copy(model *m, const char *json, size_t levels)
{
    if (!value_allowed(m))
        return;
    if (m->depth + levels > DEPTH_MOST) {
        foresee(m, PITH_LIMIT);
        return;
    }
    put(m, json);
}

/* Cells that wait to be added, and where to. */
typedef struct batch {
    pith_doc *doc;
    pith_cell cells[32];
    size_t count;
} batch;

static void flush(batch *b)
{
    pith_doc_add_cells(b->doc, b->cells, b->count);
    b->count = 0;
}

static pith_cell *cell(batch *b, pith_cell_kind kind)
{
    if (b->count == sizeof b->cells / sizeof *b->cells)
        flush(b);
    pith_cell *added = &b->cells[b->count++];
    memset(added, 0, sizeof *added);
    added->kind = (uint8_t)kind;
    return added;
}

static void cell_text(batch *b, pith_cell_kind kind, const char *text, size_t len)
{
    pith_cell *added = cell(b, kind);
    added->u.text = text;
    added->len = (uint32_t)len;
}

/* What step does with calls. */
static void step_cells(batch *b, const pith_doc *from, uint8_t byte)
{
    static const pith_cell_kind kinds[] = {
        PITH_CELL_ARRAY, PITH_CELL_ARRAY, PITH_CELL_OBJECT, PITH_CELL_OBJECT,
        PITH_CELL_CLOSE, PITH_CELL_CLOSE, PITH_CELL_KEY,    PITH_CELL_KEY,
        PITH_CELL_KEY,   PITH_CELL_TEXT};
    unsigned which = byte >> 4;
    unsigned call = byte & 15;
    const struct sample *sample = &samples[which];
    if (call == 10) {
        cell(b, PITH_CELL_INT64)->u.integer = (int64_t)which * 1000003 - 8000000;
    } else if (call == 11) {
        cell_text(b, PITH_CELL_DIGITS, numbers[which & 7], strlen(numbers[which & 7]));
    } else if (call == 12) {
        cell(b, PITH_CELL_DOUBLE)->u.number = which / 16.0 + 0.03125;
    } else if (call == 13) {
        cell(b, which & 1   ? PITH_CELL_NULL
                : which & 2 ? PITH_CELL_TRUE
                            : PITH_CELL_FALSE);
    } else if (call == 14) {
        pith_value root = pith_doc_root(from);
        flush(b);
        pith_doc_add_value(b->doc, which & 1 ? root : pith_value_get(root, "z", 1));
    } else if (call == 15 && which == 0) {
        cell_text(b, PITH_CELL_TEXT, "\xff", 1);
    } else if (call == 15 && which == 1) {
        cell(b, PITH_CELL_DOUBLE)->u.number = (double)NAN;
    } else if (call == 15 && which == 2) {
        cell_text(b, PITH_CELL_DIGITS, "01", 2);
    } else {
        cell_text(b, call < 10 ? kinds[call] : PITH_CELL_TEXT, sample->raw, sample->len);
    }
    if (which % 3 == 0)
        flush(b);
}

static void step(pith_doc *doc, model *m, const pith_doc *from, uint8_t byte)
{
    unsigned which = byte >> 4;
    const struct sample *sample = &samples[which];
    pith_value root = pith_doc_root(from);
    char number[32];
    switch (byte & 15) {
    case 0:
    case 1:
        pith_doc_open_array(doc);
        model_open(m, false);
        break;
    case 2:
    case 3:
        pith_doc_open_object(doc);
        model_open(m, true);
        break;
    case 4:
    case 5:
        pith_doc_close(doc);
        model_close(m);
        break;
    case 6:
    case 7:
    case 8:
        pith_doc_add_key(doc, sample->raw, sample->len);
        model_key(m, which, sample->json);
        break;
    case 9:
        pith_doc_add_text(doc, sample->raw, sample->len);
        model_scalar(m, sample->json);
        break;
    case 10:
        pith_doc_add_int64(doc, (int64_t)which * 1000003 - 8000000);
        snprintf(number, sizeof number, "%lld", (long long)which * 1000003 - 8000000);
        model_scalar(m, number);
        break;
    case 11:
        pith_doc_add_number(doc, numbers[which & 7], strlen(numbers[which & 7]));
        model_scalar(m, numbers[which & 7]);
        break;
    case 12:
        pith_doc_add_double(doc, which / 16.0 + 0.03125);
        snprintf(number, sizeof number, "%.17g", which / 16.0 + 0.03125);
        model_scalar(m, number);
        break;
    case 13:
        if (which & 1) {
            pith_doc_add_null(doc);
            model_scalar(m, "null");
        } else {
            pith_doc_add_bool(doc, which & 2);
            model_scalar(m, which & 2 ? "true" : "false");
        }
        break;
    case 14:
        if (which & 1) {
            pith_doc_add_value(doc, root);
            model_copy(m, "{\"x\":[1,{\"y\":\"\\n\"}],\"z\":[]}", 3);
        } else {
            pith_doc_add_value(doc, pith_value_get(root, "z", 1));
            model_copy(m, "[]", 1);
        }
        break;
    default:
        /* wrong whenever they come, but rare enough to let others pass */
        if (which == 0) {
            pith_doc_add_text(doc, "\xff", 1);
            if (value_allowed(m))
                foresee(m, PITH_BAD_INPUT);
        } else if (which == 1) {
            pith_doc_add_double(doc, NAN);
            foresee(m, PITH_BAD_INPUT);
        } else if (which == 2) {
            pith_doc_add_number(doc, "01", 2);
            foresee(m, PITH_BAD_INPUT);
        } else {
            pith_doc_add_text(doc, sample->raw, sample->len);
            model_scalar(m, sample->json);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    model *m = (model *)calloc(1, sizeof *m);
    pith_options options = {0};
    options.depth_max = DEPTH_MOST;
    pith_doc *doc = pith_doc_new(&options);
    pith_doc *from = donor();
    batch many = {.doc = pith_doc_new(&options)};
    REQUIRE(m != NULL && doc != NULL && many.doc != NULL);
    for (size_t i = 0; i < size; i++) {
        step(doc, m, from, data[i]);
        step_cells(&many, from, data[i]);
    }
    /* close what is open, so that many runs have a good end */
    while (m->failed == PITH_OK && m->depth > 0 && !m->key_pending && size % 4) {
        pith_doc_close(doc);
        cell(&many, PITH_CELL_CLOSE);
        model_close(m);
    }
    flush(&many);
    if (m->depth > 0 || !m->has_root)
        foresee(m, PITH_BAD_USE);

    pith_error err = {0};
    pith_status status = pith_doc_finish(doc, &err);
    REQUIRE(status == m->failed);
    pith_error again = {0};
    REQUIRE(pith_doc_finish(many.doc, &again) == status);
    REQUIRE(status == PITH_OK || strcmp(again.message, err.message) == 0);
    REQUIRE(pith_value_equal(pith_doc_root(many.doc), pith_doc_root(doc)));
    pith_doc_free(many.doc);
    if (status == PITH_OK && !m->full) {
        pith_buffer out = fuzz_write(pith_doc_root(doc), "json", NULL);
        REQUIRE(out.len == m->len && memcmp(out.data, m->text, m->len) == 0);
        fuzz_reads_back("json", &out, pith_doc_root(doc));
        pith_buffer_free(&out);
    } else if (status != PITH_OK) {
        REQUIRE(err.status == status && err.code && err.message[0]);
        REQUIRE(!pith_doc_root(doc).doc);
    }
    pith_doc_free(from);
    pith_doc_free(doc);
    free(m);
    return 0;
}
