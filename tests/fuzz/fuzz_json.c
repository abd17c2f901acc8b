/*
 * fuzz_json.c - any bytes as JSON.
 *
 *     byte 0   bit 0     duplicates=last
 *              bit 1     surrogates=replace
 *              bits 2-3  the depth limit: usual, 3, 20, the most
 *              bits 4-7  the indentation to try
 *     byte 1   the size of the pieces a reader is fed
 *     the rest is the text
 *
 * What must hold: a text is refused with a place and a reason, and pith_check finds
 * that reason first; or it is accepted, and then pith_check finds nothing, every way
 * to write it reads back as the same value, and writing that again gives the same
 * bytes. Being lenient changes nothing about texts that need no leniency.
 */
#include "fuzzing.h"

typedef struct choices {
    pith_options options;
    char indent[16];
    size_t piece;
} choices;

static void choose(choices *c, uint8_t first, uint8_t second)
{
    static const char *const read[] = {NULL, "duplicates=last", "surrogates=replace",
                                       "surrogates=replace duplicates=last"};
    static const size_t depths[] = {0, 3, 20, PITH_DEPTH_MOST};
    memset(c, 0, sizeof *c);
    c->options.read = read[first & 3];
    c->options.depth_max = depths[first >> 2 & 3];
    snprintf(c->indent, sizeof c->indent, "indent=%d", first >> 4);
    c->piece = second % 64 + 1u;
}

/* Every way to write it, and back. */
static void check_writing(const choices *c, pith_value root)
{
    pith_buffer compact = fuzz_write(root, "json", NULL);
    fuzz_reads_back("json", &compact, root);

    pith_options most = {0};
    most.depth_max = PITH_DEPTH_MOST;
    pith_buffer again = {0};
    REQUIRE(pith_convert("json", "json", compact.data, compact.len, &most,
                         pith_sink_buffer(&again), NULL) == PITH_OK);
    REQUIRE(fuzz_same_bytes(&again, &compact));
    pith_buffer_free(&again);
    pith_buffer_free(&compact);

    pith_buffer indented = fuzz_write(root, "json", c->indent);
    fuzz_reads_back("json", &indented, root);
    pith_buffer_free(&indented);

    pith_buffer ascii = fuzz_write(root, "json", "ascii=true");
    for (size_t i = 0; i < ascii.len; i++)
        REQUIRE((unsigned char)ascii.data[i] < 0x80);
    fuzz_reads_back("json", &ascii, root);
    pith_buffer_free(&ascii);

    if (pith_value_kind(root) == PITH_ARRAY) {
        pith_buffer lines = fuzz_write(root, "ndjson", NULL);
        fuzz_reads_back("ndjson", &lines, root);
        pith_buffer_free(&lines);
    }
}

/* Fed in pieces, the elements of the root come out. */
static void check_reader(const choices *c, const char *text, size_t len, pith_value root)
{
    pith_reader *reader = pith_reader_open("json", &c->options, NULL);
    REQUIRE(reader != NULL);
    for (size_t at = 0; at < len; at += c->piece) {
        size_t size = len - at < c->piece ? len - at : c->piece;
        REQUIRE(pith_reader_feed(reader, text + at, size, NULL) == PITH_OK);
    }
    REQUIRE(pith_reader_end(reader, NULL) == PITH_OK);
    bool array = pith_value_kind(root) == PITH_ARRAY;
    pith_value expected = array ? pith_value_first(root) : root;
    for (;;) {
        pith_value row = {0};
        REQUIRE(pith_reader_next(reader, &row, NULL) == PITH_OK);
        if (!row.doc)
            break;
        REQUIRE(pith_value_equal(row, expected));
        expected = pith_value_next(expected);
    }
    REQUIRE(!expected.doc);
    pith_reader_free(reader);
}

/* A copy is equal, and so is every element found by walking, by index and by key. */
static void check_walking(const choices *c, pith_value root)
{
    pith_doc *copy = pith_doc_new(&c->options);
    REQUIRE(copy != NULL);
    pith_doc_add_value(copy, root);
    REQUIRE(pith_doc_finish(copy, NULL) == PITH_OK);
    REQUIRE(pith_value_equal(pith_doc_root(copy), root));
    size_t index = 0;
    for (pith_value v = pith_value_first(root); v.doc; v = pith_value_next(v)) {
        if (index < 50) {
            REQUIRE(pith_value_equal(pith_value_at(root, index), v));
            pith_text key = pith_value_key(v);
            if (pith_value_kind(root) == PITH_OBJECT) {
                pith_value found = pith_value_get(root, key.ptr, key.len);
                REQUIRE(pith_value_equal(found, v));
            }
        }
        index++;
    }
    REQUIRE(index == pith_value_count(root));
    pith_doc_free(copy);
}

/* What is right without leniency is the same with it. */
static void check_leniency(const choices *c, const char *text, size_t len,
                           pith_value root)
{
    pith_options other = c->options;
    other.read = NULL;
    pith_doc *strict = pith_doc_parse("json", text, len, &other, NULL);
    if (strict)
        REQUIRE(pith_value_equal(pith_doc_root(strict), root));
    if (!c->options.read)
        REQUIRE(strict != NULL);
    pith_doc_free(strict);
    other.read = "duplicates=last surrogates=replace";
    pith_doc *lenient = pith_doc_parse("json", text, len, &other, NULL);
    REQUIRE(lenient != NULL);
    if (!c->options.read)
        REQUIRE(pith_value_equal(pith_doc_root(lenient), root));
    pith_doc_free(lenient);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    choices c;
    choose(&c, data[0], data[1]);
    size_t len = size - 2;
    char *text = fuzz_copy(data + 2, len);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse("json", text, len, &c.options, &err);
    if (!doc) {
        fuzz_refused("json", text, len, &c.options, &err);
    } else {
        fuzz_accepted("json", text, len, &c.options, pith_doc_root(doc));
        check_writing(&c, pith_doc_root(doc));
        check_reader(&c, text, len, pith_doc_root(doc));
        check_walking(&c, pith_doc_root(doc));
        check_leniency(&c, text, len, pith_doc_root(doc));
        pith_doc_free(doc);
    }
    /* looking at content never fails, whatever it is */
    const pith_format *guess = pith_format_of(NULL, text, len);
    REQUIRE(guess == NULL || (guess->direction & PITH_READ));
    free(text);
    return 0;
}
