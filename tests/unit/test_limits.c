/*
 * test_limits.c - every limit of docs/limits.md: one less, exactly that, one more.
 *
 * The list below has a row for each row of the table in the manual, with the number and
 * the code as the program has them. Both must agree, so neither can be changed alone. The
 * limits that nobody can reach in a test, because they stand at four billion, are tried
 * by tests/limits in a build that has smaller ones.
 */
#include "bytes.h"
#include "fitting.h"
#include "graphs.h"
#include "testing.h"

#include "base/error.h"
#include "base/out.h"
#include "base/spill.h"
#include "doc/doc.h"
#include "format/settings.h"
#include "graph/graph_session.h"
#include "tokens/bpe.h"
#include "tokens/vocab.h"

/* True when a call ended as it should: well when `code` is NULL, else with that. */
static bool ended(const char *what, long step, pith_status status, const pith_error *err,
                  const char *code)
{
    bool fine =
        code ? status != PITH_OK && strcmp(err->code, code) == 0 : status == PITH_OK;
    if (!fine) {
        fprintf(stderr, "%s, limit %+ld: expected %s, found %s: %s\n", what, step,
                code ? code : "ok", status == PITH_OK ? "ok" : err->code,
                status == PITH_OK ? "" : err->message);
    }
    return fine;
}

/* ---------------------------------------------------------------------------- depth */

/* A value of a known depth that the format can hold. */
static const struct {
    const char *format;
    const char *json;
    size_t depth;
} nested[] = {
    {"json", "{\"a\":{\"a\":{\"a\":{\"a\":1}}}}", 4},
    {"json", "[[[[[]]]]]", 5},
    {"ndjson", "[[[[1]]],[]]", 4},
    {"csv", "[{\"a\":1},{\"a\":2}]", 2},
    {"tsv", "[{\"a\":1},{\"a\":2}]", 2},
    {"toon", "{\"a\":{\"a\":{\"a\":{\"a\":1}}}}", 4},
    {"toon", "[[[[1]]]]", 4},
    {"toon", "[{\"a\":[{\"b\":[{\"c\":1}]}]}]", 6},
    {"toon-rows", "[{\"a\":1},{\"a\":2}]", 2},
    {"gcf", "{\"a\":{\"a\":{\"a\":{\"a\":1}}}}", 4},
    {"gcf", "[[[[1]]]]", 4},
    {"gcf", "[{\"a\":{\"b\":{\"c\":1}}},{\"a\":{\"b\":{\"c\":2}}}]", 4},
    {"gcf", "[{\"a\":[{\"b\":[{\"c\":1}]}]}]", 6},
    {"gcf1", "{\"a\":{\"b\":{\"c\":1}}}", 3},
    {"gcf1", "[{},{}]", 2},
    {"soch", "{\"t\":[{\"a\":[[1],[2]]}]}", 5},
    {"soch-bin", "{\"t\":[{\"a\":[[1],[2]]}]}", 5},
    {"pith", "{\"a\":{\"a\":{\"a\":{\"a\":1}}}}", 4},
    {"pith", "[[[[1]]]]", 4},
    {"pith", "[{\"a\":{\"b\":{\"c\":1}}},{\"a\":{\"b\":{\"c\":2}}}]", 4},
    {"gcf-graph",
     "{\"tool\":\"t\",\"symbols\":[{\"qualified_name\":\"f\",\"kind\":\"k\","
     "\"score\":0.5,\"provenance\":\"p\",\"distance\":0}],\"edges\":[]}",
     3},
    {"gcf1-graph",
     "{\"tool\":\"t\",\"symbols\":[{\"qualified_name\":\"f\",\"kind\":\"k\","
     "\"score\":0.5,\"provenance\":\"p\",\"distance\":0}],\"edges\":[]}",
     3},
};

static bool depth_of_formats(void)
{
    bool fine = true;
    for (size_t i = 0; i < ROWS(nested); i++) {
        pith_doc *doc = must_parse_json(nested[i].json);
        pith_buffer text = must_write(pith_doc_root(doc), nested[i].format, NULL);
        for (long step = -1; step <= 1; step++) {
            pith_options options = {0};
            pith_error err = {0};
            options.depth_max = (size_t)((long)nested[i].depth + step);
            pith_doc *back =
                pith_doc_parse(nested[i].format, text.data, text.len, &options, &err);
            fine = ended(nested[i].json, step, back ? PITH_OK : err.status, &err,
                         step < 0 ? "depth_limit" : NULL) &&
                   fine;
            pith_doc_free(back);
        }
        pith_buffer_free(&text);
        pith_doc_free(doc);
    }
    return fine;
}

static bool depth_is(size_t asked, size_t most)
{
    bool fine = true;
    for (long step = -1; step <= 1; step++) {
        pith_options options = {0};
        pith_error err = {0};
        options.depth_max = asked;
        size_t depth = (size_t)((long)most + step);
        bytes text = {0};
        bytes_repeat(&text, "[", depth);
        bytes_repeat(&text, "]", depth);
        pith_doc *doc = pith_doc_parse("json", text.ptr, text.len, &options, &err);
        fine = ended("arrays", step, doc ? PITH_OK : err.status, &err,
                     step > 0 ? "depth_limit" : NULL) &&
               fine;
        pith_doc_free(doc);
        bytes_free(&text);

        doc = pith_doc_new(&options);
        for (size_t i = 0; i < depth; i++)
            pith_doc_open_array(doc);
        for (size_t i = 0; i < depth; i++)
            pith_doc_close(doc);
        pith_status status = pith_doc_finish(doc, &err);
        fine =
            ended("built arrays", step, status, &err, step > 0 ? "depth_limit" : NULL) &&
            fine;
        pith_doc_free(doc);
    }
    return fine;
}

static bool try_depth(void)
{
    return depth_of_formats() && depth_is(0, PITH_DEPTH_DEFAULT) &&
           depth_is(SIZE_MAX, PITH_DEPTH_MOST);
}

/* --------------------------------------------------------------------------- output */

static bool try_output(void)
{
    bool fine = true;
    for (size_t i = 0; i < ROWS(nested); i++) {
        pith_doc *doc = must_parse_json(nested[i].json);
        pith_buffer text = must_write(pith_doc_root(doc), nested[i].format, NULL);
        for (long step = -1; step <= 1; step++) {
            pith_options options = {0};
            pith_error err = {0};
            pith_buffer out = {0};
            options.output_max = (size_t)((long)text.len + step);
            pith_status status = pith_value_write(pith_doc_root(doc), nested[i].format,
                                                  &options, pith_sink_buffer(&out), &err);
            fine = ended(nested[i].format, step, status, &err,
                         step < 0 ? "output_limit" : NULL) &&
                   fine;
            fine = out.len <= options.output_max && fine;
            pith_buffer_free(&out);
        }
        pith_buffer_free(&text);
        pith_doc_free(doc);
    }
    return fine;
}

static pith_status swallow(void *ctx, const char *data, size_t len)
{
    (void)ctx;
    (void)data;
    (void)len;
    return PITH_OK;
}

/* So much indentation beside so much else. */
static pith_status indent(uint64_t other, uint64_t spaces, pith_error *err)
{
    static const char block[4096];
    pith_out out;
    out_init(&out, (pith_sink){swallow, NULL}, NULL);
    for (; other > 0; other -= other < sizeof block ? other : sizeof block)
        out_bytes(&out, block, other < sizeof block ? (size_t)other : sizeof block);
    out_indent(&out, spaces);
    return out_finish(&out, err);
}

static bool try_indentation(void)
{
    bool fine = true;
    for (long step = -1; step <= 1; step++) {
        pith_error err = {0};
        const uint64_t other = 2 * 1024 * 1024;
        const char *code = step > 0 ? "output_limit" : NULL;
        pith_status status = indent(0, OUT_INDENT_FREE + (uint64_t)step, &err);
        fine = ended("indentation alone", step, status, &err, code) && fine;
        status = indent(other, (other + 1) * 64 - 1 + (uint64_t)step, &err);
        fine = ended("indentation beside text", step, status, &err, code) && fine;
    }
    return fine;
}

static bool try_hold(void)
{
    enum { MOST = 100 };
    bool fine = true;
    pith_alloc alloc = alloc_from(NULL);
    for (int step = -1; step <= 1; step++) {
        char text[MOST + 1];
        pith_spill spill;
        pith_out out;
        pith_buffer back = {0};
        memset(text, 'x', sizeof text);
        spill_init(&spill, MOST, alloc);
        pith_sink sink = spill_sink(&spill);
        fine = sink.write(sink.ctx, text, (size_t)(MOST + step)) == PITH_OK && fine;
        fine = (spill.file >= 0) == (step > 0) && fine;
        out_init(&out, pith_sink_buffer(&back), NULL);
        fine = spill_take(&spill, &out, NULL) == PITH_OK && fine;
        fine = out_finish(&out, NULL) == PITH_OK && back.len == (size_t)(MOST + step) &&
               fine;
        pith_buffer_free(&back);
        spill_free(&spill);
    }
    return fine;
}

/* --------------------------------------------------------------------------- memory */

static bool count_problem(void *ctx, const pith_error *problem)
{
    (void)problem;
    ++*(size_t *)ctx;
    return true;
}

/* Reads with a limit on memory. */
static pith_status read_within(const char *format, pith_text text, size_t memory_max,
                               pith_error *err)
{
    pith_options options = {.memory_max = memory_max};
    pith_doc *doc = pith_doc_parse(format, text.ptr, text.len, &options, err);
    pith_doc_free(doc);
    return doc ? PITH_OK : err->status;
}

/* The least that is enough for it. */
static size_t memory_of(const char *format, pith_text text)
{
    pith_error err = {0};
    size_t least = 0, most = 1024 * 1024;
    while (most - least > 1) {
        size_t middle = least + (most - least) / 2;
        if (read_within(format, text, middle, &err) == PITH_OK)
            most = middle;
        else
            least = middle;
    }
    return most;
}

static bool memory_of_formats(void)
{
    bool fine = true;
    for (size_t i = 0; i < ROWS(nested); i++) {
        pith_doc *doc = must_parse_json(nested[i].json);
        pith_buffer out = must_write(pith_doc_root(doc), nested[i].format, NULL);
        pith_text text = {out.data, out.len};
        size_t exact = memory_of(nested[i].format, text);
        for (int step = -1; step <= 1; step++) {
            pith_error err = {0};
            size_t most = exact + (size_t)step;
            pith_status status =
                most == 0 ? PITH_OK : read_within(nested[i].format, text, most, &err);
            fine = ended(nested[i].format, step, status, &err,
                         step < 0 && most > 0 ? "memory_limit" : NULL) &&
                   fine;
        }
        pith_buffer_free(&out);
        pith_doc_free(doc);
    }
    return fine;
}

/* Columns that are the same in all rows, and groups within groups: what a row stands for
 * is many times what it takes in the text. */
static void constants_of_gcf(bytes *text)
{
    bytes_put(text, "GCF profile=generic\n## [20000]{a");
    for (int i = 0; i < 2000; i++)
        bytes_print(text, ",b%d=1", i);
    bytes_put(text, "}\n");
    bytes_repeat(text, "1\n", 20000);
}

static void path_of_gcf(bytes *text)
{
    bytes_put(text, "GCF profile=generic\n## [100000]{\"a");
    bytes_repeat(text, ">a", 504);
    bytes_put(text, "\"}\n");
    bytes_repeat(text, "1\n", 100000);
}

static void constants_of_pith(bytes *text)
{
    bytes_put(text, "[8000{a");
    for (int i = 0; i < 8000; i++)
        bytes_print(text, ",c%d=1", i);
    bytes_put(text, "}\n");
    bytes_repeat(text, "1\n", 8000);
    bytes_put(text, "]");
}

static void groups_of_pith(bytes *text)
{
    bytes_put(text, "[100000{a,");
    bytes_repeat(text, "g{", 400);
    bytes_put(text, "x");
    bytes_repeat(text, "}", 401);
    bytes_put(text, "\n");
    bytes_repeat(text, ",1\n", 100000);
    bytes_put(text, "]");
}

static void groups_of_toon(bytes *text)
{
    bytes_put(text, "[100000]{id,");
    bytes_repeat(text, "g{", 250);
    bytes_put(text, "x");
    bytes_repeat(text, "}", 251);
    bytes_put(text, ":\n");
    bytes_repeat(text, "  1,1\n", 100000);
}

static const struct {
    const char *what;
    const char *format;
    void (*make)(bytes *text);
} expanding[] = {
    {"constants of gcf", "gcf", constants_of_gcf},
    {"a path of gcf", "gcf", path_of_gcf},
    {"constants of pith", "pith", constants_of_pith},
    {"groups of pith", "pith", groups_of_pith},
    {"groups of toon", "toon", groups_of_toon},
};

/* All rows in one batch. */
static pith_status batch_of(const char *format, pith_text text, pith_error *err)
{
    pith_reader *reader = pith_reader_open(format, NULL, err);
    if (!reader)
        return err->status;
    pith_value rows;
    bool done;
    pith_status status = pith_reader_feed(reader, text.ptr, text.len, err);
    if (status == PITH_OK)
        status = pith_reader_end(reader, err);
    if (status == PITH_OK)
        status = pith_reader_batch(reader, SIZE_MAX, &rows, &done, err);
    pith_reader_free(reader);
    return status;
}

/* Everything that reads: the whole text, its rows, and checking it. */
static bool try_expanding(const char *what, const char *format, pith_text text)
{
    pith_error err = {0};
    pith_status status = read_within(format, text, 0, &err);
    bool fine = ended(what, 1, status, &err, "memory_limit") && err.line > 1;
    size_t told = 0;
    status = pith_check(format, text.ptr, text.len, NULL, count_problem, &told, &err);
    fine = ended(what, 1, status, &err, "memory_limit") && told == 1 && fine;
    status = batch_of(format, text, &err);
    return ended(what, 1, status, &err, "memory_limit") && err.line > 1 && fine;
}

/* A frame of so many zero bytes; false when this build makes none. */
static bool pack_zeros(const char *before, size_t before_len, size_t count,
                       pith_buffer *frame)
{
    static const char zeros[64 * 1024];
    pith_packer *packer = pith_packer_open("ZSTD", NULL, pith_sink_buffer(frame), NULL);
    if (!packer)
        return false;
    pith_sink sink = pith_packer_sink(packer);
    sink.write(sink.ctx, before, before_len);
    for (size_t piece; count > 0; count -= piece) {
        piece = count < sizeof zeros ? count : sizeof zeros;
        sink.write(sink.ctx, zeros, piece);
    }
    return pith_packer_close(packer, NULL) == PITH_OK;
}

static void put_varint(bytes *text, uint64_t number)
{
    for (; number > 127; number >>= 7)
        bytes_add(text, &(char){(char)(number | 128)}, 1);
    bytes_add(text, &(char){(char)number}, 1);
}

/* A table of so many rows with one null each, compressed: a few kilobytes. */
static bool nulls_of_soch(uint64_t count, bytes *text)
{
    static const char schema[] = "\1_\1\1a"; /* and the type of a null, which is 0 */
    char rows[8];
    pith_buffer frame = {0};
    if (!pack_zeros(schema, sizeof schema - 1, 1 + (size_t)count, &frame))
        return false;
    for (int i = 0; i < 8; i++)
        rows[i] = (char)(count >> 8 * i);
    bytes_add(text, "TOON\1\0\12\0", 8);
    bytes_add(text, rows, 8);
    put_varint(text, sizeof schema + count);
    put_varint(text, frame.len);
    bytes_add(text, frame.data, frame.len);
    pith_buffer_free(&frame);
    return true;
}

static bool memory_of_packed(void)
{
    bytes few = {0}, many = {0};
    pith_error err = {0};
    bool fine = true;
    if (nulls_of_soch(1000, &few) && nulls_of_soch(20000000, &many)) {
        pith_text small = {few.ptr, few.len}, large = {many.ptr, many.len};
        pith_status status = read_within("soch-bin", small, 0, &err);
        fine = ended("packed rows", 0, status, &err, NULL);
        status = read_within("soch-bin", large, 0, &err);
        fine = ended("packed rows", 1, status, &err, "memory_limit") && fine;
    }
    bytes_free(&few);
    bytes_free(&many);
    return fine;
}

static bool try_memory(void)
{
    bool fine = memory_of_formats() && memory_of_packed();
    for (size_t i = 0; i < ROWS(expanding); i++) {
        bytes text = {0};
        expanding[i].make(&text);
        fine = try_expanding(expanding[i].what, expanding[i].format,
                             (pith_text){text.ptr, text.len}) &&
               fine;
        bytes_free(&text);
    }
    return fine;
}

static pith_status take_nothing(void *ctx, const char *data, size_t len)
{
    (void)ctx;
    (void)data;
    (void)len;
    return PITH_OK;
}

static bool unpacks_within(size_t count, size_t memory_max, long step, const char *code)
{
    pith_error err = {0};
    pith_buffer frame = {0};
    pith_options options = {.memory_max = memory_max};
    bool fine = true;
    if (pack_zeros("", 0, count, &frame)) {
        pith_status status =
            pith_unpack(frame.data, frame.len, &options,
                        (pith_sink){.write = take_nothing, .ctx = NULL}, &err);
        fine = ended("a frame", step, status, &err, code);
    }
    pith_buffer_free(&frame);
    return fine;
}

static bool try_unpacked(void)
{
    return unpacks_within(9999, 10000, -1, NULL) &&
           unpacks_within(10000, 10000, 0, NULL) &&
           unpacks_within(10001, 10000, 1, "memory_limit") &&
           unpacks_within(PITH_MEMORY_DEFAULT, 0, 0, NULL) &&
           unpacks_within(PITH_MEMORY_DEFAULT * 3 / 2, 0, 1, "memory_limit");
}

/* ------------------------------------------------------------------------- problems */

static bool try_problems(void)
{
    bool fine = true;
    for (int step = -1; step <= 1; step++) {
        bytes text = {0};
        size_t told = 0;
        bytes_put(&text, "[0");
        bytes_repeat(&text, ",01", (size_t)(REPORT_MOST + step));
        bytes_put(&text, "]");
        pith_check("json", text.ptr, text.len, NULL, count_problem, &told, NULL);
        fine = told == (size_t)(step > 0 ? REPORT_MOST : REPORT_MOST + step) && fine;
        bytes_free(&text);
    }
    return fine;
}

/* --------------------------------------------------------------------------- graphs */

static bool try_graph_fields(void)
{
    bool fine = true;
    for (int step = -1; step <= 1; step++) {
        bytes text = {0};
        pith_error err = {0};
        bytes_put(&text, "GCF profile=graph tool=t");
        for (int i = 2; i < 64 + step; i++)
            bytes_print(&text, " x%d=1", i);
        bytes_put(&text, "\n");
        code_graph *graph = made_graph_new(NULL);
        pith_status status =
            made_graph_read(graph, "gcf-graph", text.ptr, text.len, NULL, &err);
        fine = ended("fields", step, status, &err, step > 0 ? "too_many_fields" : NULL) &&
               fine;
        made_graph_free(graph);
        bytes_free(&text);
    }
    return fine;
}

static code_graph *graph_of(size_t symbols)
{
    code_graph *graph = made_graph_new(NULL);
    for (size_t i = 0; i < symbols; i++) {
        char name[32];
        made_symbol symbol = {0};
        int len = snprintf(name, sizeof name, "pkg.f%zu", i);
        symbol.name = (pith_text){name, (size_t)len};
        symbol.kind = (pith_text){"function", 8};
        symbol.provenance = (pith_text){"p", 1};
        symbol.score = 0.5;
        made_graph_add_symbol(graph, &symbol);
    }
    assert_int_equal(made_graph_finish(graph, NULL), PITH_OK);
    return graph;
}

static bool try_session_ids(void)
{
    enum { MOST = 5 };
    bool fine = true;
    pith_session *usual = pith_session_new(NULL, NULL);
    fine = usual->limits.ids_max == 100000 && fine;
    pith_session_free(usual);
    for (int step = -1; step <= 1; step++) {
        pith_session_limits limits = {.ids_max = MOST}, more = {.ids_max = MOST + 1};
        pith_session *writer = pith_session_new(&limits, NULL);
        pith_session *teller = pith_session_new(&more, NULL);
        pith_session *reader = pith_session_new(&limits, NULL);
        code_graph *graph = graph_of((size_t)(MOST + step)), *back = made_graph_new(NULL);
        pith_buffer text = {0}, told = {0};
        pith_error err = {0};
        pith_status status =
            made_graph_tell(writer, graph, 1, NULL, pith_sink_buffer(&text), &err);
        fine = ended("writer", step, status, &err, NULL) && fine;
        /* beyond it the writer knows nothing */
        fine = made_graph_known(writer) == (step > 0 ? 0 : (size_t)(MOST + step)) && fine;
        made_graph_tell(teller, graph, 1, NULL, pith_sink_buffer(&told), NULL);
        status = made_graph_hear(reader, back, told.data, told.len, 1, &err);
        fine = ended("reader", step, status, &err, step > 0 ? "session_limit" : NULL) &&
               fine;
        pith_buffer_free(&text);
        pith_buffer_free(&told);
        made_graph_free(graph);
        made_graph_free(back);
        pith_session_free(writer);
        pith_session_free(teller);
        pith_session_free(reader);
    }
    return fine;
}

/* A session that began at 1000 and was used last at `used`, looked at at `now`. */
static bool over_at(uint64_t used, uint64_t now, uint32_t turn)
{
    pith_session *session = pith_session_new(NULL, NULL);
    session->begun = true;
    session->started = 1000;
    session->used = used;
    session->turn = turn;
    bool over = session_is_over(session, now);
    pith_session_free(session);
    return over;
}

static bool try_session_idle(void)
{
    return !over_at(1000, 1000 + 1799, 1) && !over_at(1000, 1000 + 1800, 1) &&
           over_at(1000, 1000 + 1801, 1);
}

static bool try_session_life(void)
{
    const uint64_t day = 86400;
    return !over_at(1000 + day - 1, 1000 + day - 1, 1) &&
           !over_at(1000 + day, 1000 + day, 1) && over_at(1000 + day, 1001 + day, 1);
}

/* The turn of the highest number is over, and there is none after it. */
static bool try_session_turns(void)
{
    return !over_at(1000, 1000, UINT32_MAX - 2) && !over_at(1000, 1000, UINT32_MAX - 1) &&
           over_at(1000, 1000, UINT32_MAX);
}

/* -------------------------------------------------------------------------- deltas */

/* Rows with an id and `own` of them with a field that no other row has. There is a width
 * at which the cells exceed what the values pay for, and the formula says where. */
static bool try_sparse(void)
{
    bool fine = true;
    size_t passed = 0, refused = 0;
    for (size_t rows = 1110; rows < 1140; rows++) {
        bytes text = {0};
        pith_error err = {0};
        pith_root root;
        bytes_put(&text, "[");
        for (size_t i = 0; i < rows; i++)
            bytes_print(&text, "%s{\"id\":%zu,\"f%zu\":1}", i ? "," : "", i, i);
        bytes_put(&text, "]");
        pith_doc *doc = must_parse("json", text.ptr, text.len, NULL);
        bool many = rows * (rows + 1) > doc->count * 64 + 1048576;
        pith_status status =
            pith_value_root(pith_doc_root(doc), text_from("id"), NULL, &root, &err);
        fine =
            ended("snapshot", (long)rows, status, &err, many ? "sparse_limit" : NULL) &&
            fine;
        passed += !many;
        refused += many;
        pith_doc_free(doc);
        bytes_free(&text);
    }
    return fine && passed > 0 && refused > 0;
}

/* ----------------------------------------------------------------------------- soch */

static bool try_raw(void)
{
    bool fine = true;
    static const char *const packings[] = {"compress=lz4", "compress=zstd"};
    for (size_t i = 0; i < ROWS(packings); i++) {
        bytes json = {0};
        pith_error err = {0};
        bytes_put(&json, "[{\"a\":0}");
        bytes_repeat(&json, ",{\"a\":12345678}", 300);
        bytes_put(&json, "]");
        pith_doc *doc = must_parse("json", json.ptr, json.len, NULL);
        pith_buffer text = {0};
        pith_options writing = with_settings(NULL, packings[i]);
        pith_status status = pith_value_write(pith_doc_root(doc), "soch-bin", &writing,
                                              pith_sink_buffer(&text), &err);
        if (status == PITH_BAD_USE) {
            pith_buffer_free(&text); /* not built in */
            pith_doc_free(doc);
            bytes_free(&json);
            continue;
        }
        pith_options reading = with_settings("raw-max=1", NULL);
        assert_null(pith_doc_parse("soch-bin", text.data, text.len, &reading, &err));
        unsigned long long size = 0;
        assert_int_equal(sscanf(err.message, "the body would be %llu", &size), 1);
        for (int step = -1; step <= 1; step++) {
            char setting[64];
            snprintf(setting, sizeof setting, "raw-max=%llu",
                     (unsigned long long)((long long)size + step));
            reading.read = setting;
            pith_doc *back =
                pith_doc_parse("soch-bin", text.data, text.len, &reading, &err);
            fine = ended(packings[i], step, back ? PITH_OK : err.status, &err,
                         step < 0 ? "raw_limit" : NULL) &&
                   fine;
            pith_doc_free(back);
        }
        pith_buffer_free(&text);
        pith_doc_free(doc);
        bytes_free(&json);
    }
    return fine;
}

static bool try_vector(void)
{
    bool fine = true;
    for (int step = -1; step <= 1; step++) {
        char text[64];
        pith_error err = {0};
        snprintf(text, sizeof text, "t[0]{v:vec(%llu)}:",
                 (unsigned long long)UINT32_MAX + (unsigned long long)step);
        pith_doc *doc = pith_doc_parse("soch", text, strlen(text), NULL, &err);
        fine = ended(text, step, doc ? PITH_OK : err.status, &err,
                     step > 0 ? "unknown_type" : NULL) &&
               fine;
        pith_doc_free(doc);
    }
    return fine;
}

/* ---------------------------------------------------------------- settings, numbers */

static bool try_settings(void)
{
    bool fine = true;
    pith_doc *doc = must_parse_json("[1]");
    for (int step = -1; step <= 1; step++) {
        static const char *const quotes[] = {"", "\""};
        for (size_t i = 0; i < ROWS(quotes); i++) {
            bytes words = {0};
            pith_error err = {0};
            pith_buffer out = {0};
            bytes_print(&words, "tool=%s", quotes[i]);
            bytes_repeat(&words, "x", (size_t)(SETTINGS_TEXT_MOST + step));
            bytes_put(&words, quotes[i]);
            bytes_add(&words, "", 1);
            pith_options options = with_settings(NULL, words.ptr);
            pith_status status = pith_value_write(pith_doc_root(doc), "gcf", &options,
                                                  pith_sink_buffer(&out), &err);
            fine =
                ended("setting", step, status, &err, step > 0 ? "bad_setting" : NULL) &&
                fine;
            pith_buffer_free(&out);
            bytes_free(&words);
        }
    }
    pith_doc_free(doc);
    return fine;
}

static bool convert_ends(const char *from, const char *to, const char *text, long step,
                         const char *code)
{
    pith_buffer out = {0};
    pith_error err = {0};
    pith_status status =
        pith_convert(from, to, text, strlen(text), NULL, pith_sink_buffer(&out), &err);
    pith_buffer_free(&out);
    return ended(text, step, status, &err, code);
}

static bool try_integers(void)
{
    static const char *const numbers[] = {"9223372036854775806", "9223372036854775807",
                                          "9223372036854775808"};
    bool fine = true;
    for (int step = -1; step <= 1; step++) {
        char text[128];
        const char *number = numbers[step + 1];
        const char *code = step > 0 ? "out_of_range" : NULL;
        snprintf(text, sizeof text, "[{\"a\":%s}]", number);
        fine = convert_ends("json", "gcf", text, step, code) && fine;
        snprintf(text, sizeof text, "GCF profile=generic\na=%s\n", number);
        fine = convert_ends("gcf", "json", text, step, code) && fine;
        snprintf(text, sizeof text, "t[1]{a:int}:%s", number);
        fine = convert_ends("soch", "json", text, step, code) && fine;
    }
    return fine;
}

static bool try_naturals(void)
{
    static const char *const numbers[] = {"18446744073709551614", "18446744073709551615",
                                          "18446744073709551616"};
    bool fine = true;
    for (int step = -1; step <= 1; step++) {
        char text[128];
        const char *code = step > 0 ? "out_of_range" : NULL;
        snprintf(text, sizeof text, "[{\"a\":%s}]", numbers[step + 1]);
        fine = convert_ends("json", "soch", text, step, code) && fine;
        fine = convert_ends("json", "soch-bin", text, step, code) && fine;
        snprintf(text, sizeof text, "t[1]{a:uint}:%s", numbers[step + 1]);
        fine = convert_ends("soch", "json", text, step, code) && fine;
    }
    return fine;
}

/* --------------------------------------------------------------------------- tokens */

static bytes tokenizer_with(size_t id, size_t merges)
{
    bytes text = {0};
    unsigned hidden = 0x100;
    bytes_put(&text,
              "{\"version\":\"1.0\",\"added_tokens\":[],\"normalizer\":null,"
              "\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":false,"
              "\"use_regex\":true},\"model\":{\"type\":\"BPE\",\"vocab\":{");
    for (unsigned byte = 0; byte < 256; byte++) {
        bool visible = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
        bytes_print(&text, "\"\\u%04x\":%u,", visible ? byte : hidden++, byte);
    }
    bytes_print(&text, "\"ab\":%zu},\"merges\":[\"a b\"", id);
    bytes_repeat(&text, ",\"a b\"", merges - 1);
    bytes_put(&text, "]}}");
    return text;
}

static bool vocab_ends(size_t id, size_t merges, long step, const char *code)
{
    pith_error err = {0};
    bytes text = tokenizer_with(id, merges);
    alloc_meter meter = {.inner = alloc_from(NULL), .most = alloc_limit(0, text.len)};
    pith_options within = {.alloc = alloc_counted(&meter)};
    pith_vocab *vocab = pith_vocab_read(text.ptr, text.len, &within, &err);
    bool fine = ended("tokenizer.json", step, vocab ? PITH_OK : err.status, &err, code);
    pith_vocab_free(vocab);
    bytes_free(&text);
    return fine;
}

static bool try_token_id(void)
{
    return vocab_ends(VOCAB_ID_MOST - 2, 1, -1, NULL) &&
           vocab_ends(VOCAB_ID_MOST - 1, 1, 0, NULL) &&
           vocab_ends(VOCAB_ID_MOST, 1, 1, "token_limit");
}

static bool try_merges(void)
{
    return vocab_ends(300, VOCAB_MERGES_MOST - 2, -1, NULL) &&
           vocab_ends(300, VOCAB_MERGES_MOST - 1, 0, NULL) &&
           vocab_ends(300, VOCAB_MERGES_MOST, 1, "token_limit");
}

/* The least that can be written is the text with no rows. */
static bool try_budget(void)
{
    static const char *const formats[] = {"json", "gcf", "toon", "pith", "csv"};
    bool fine = true;
    pith_doc *doc = must_parse_json("[{\"a\":1},{\"a\":2},{\"a\":3}]");
    for (size_t i = 0; i < ROWS(formats); i++) {
        pith_buffer out = {0};
        pith_error err = {0};
        fitting all = {0};
        all.tokens_max = 1000;
        assert_int_equal(fit_value(pith_doc_root(doc), formats[i], &all, NULL,
                                   pith_sink_buffer(&out), &err),
                         PITH_OK);
        pith_buffer_free(&out);
        for (int step = -1; step <= 1; step++) {
            fitting fit = {0};
            fit.tokens_max = all.tokens + (size_t)step;
            pith_status status = fit_value(pith_doc_root(doc), formats[i], &fit, NULL,
                                           pith_sink_buffer(&out), &err);
            /* one token less and something has to go, or nothing fits at all */
            bool right = status == PITH_OK
                             ? fit.tokens <= fit.tokens_max &&
                                   (fit.rows_left_out > 0) == (step < 0)
                             : step < 0 && strcmp(err.code, "budget_exceeded") == 0;
            if (!right) {
                fprintf(stderr, "%s, budget %+d: %zu tokens\n", formats[i], step,
                        fit.tokens);
            }
            fine = right && fine;
            pith_buffer_free(&out);
        }
        fitting none = {0};
        none.tokens_max = 1;
        pith_status status = fit_value(pith_doc_root(doc), formats[i], &none, NULL,
                                       pith_sink_buffer(&out), &err);
        if (strcmp(formats[i], "gcf") == 0) /* nothing at all is more than a token */
            fine = ended(formats[i], 1, status, &err, "budget_exceeded") && fine;
        pith_buffer_free(&out);
    }
    pith_doc_free(doc);
    return fine;
}

/* ------------------------------------------------------------------- the whole list */

/* What is before and after a text of `most` bytes, one less and one more. */
typedef struct pith_repeat {
    const char *before;
    const char *after;
    size_t most;
} pith_repeat;

static bool try_repeats(const pith_repeat *repeats, size_t count)
{
    bool fine = true;
    for (size_t i = 0; i < count; i++) {
        for (int step = -1; step <= 1; step++) {
            bytes text = {0};
            pith_error err = {0};
            bytes_put(&text, repeats[i].before);
            bytes_repeat(&text, "y", (size_t)((long)repeats[i].most + step));
            bytes_put(&text, repeats[i].after);
            pith_doc *doc = pith_doc_parse("pith", text.ptr, text.len, NULL, &err);
            fine = ended(repeats[i].before, step, doc ? PITH_OK : err.status, &err,
                         step > 0 ? "repeat_limit" : NULL) &&
                   fine;
            pith_doc_free(doc);
            bytes_free(&text);
        }
    }
    return fine;
}

/* Each has 4096 bytes as JSON with the quotes and what is around the text. */
static bool try_repeated(void)
{
    static const pith_repeat repeats[] = {
        {"[\\1=", ",\\1]", 4094},
        {"[\\1=", ",\\1x]", 4094},
        {"[\\1=", "\\x,\\1]", 4094},
        {"[\\1=[1,{k:", "}],\\1]", 4096 - 12},
        {"[\\1={k:\"\\n", "\"},\\1{}]", 4096 - 4},
        {"[2{a=,b}\n", ",1\n,2\n]", 4094},
        {"[2{a=[", "],b}\n,1\n,2\n]", 4094},
        {"{2{a=}\nk:[", "]\nl:\n}", 4092},
    };
    return try_repeats(repeats, ROWS(repeats));
}

static bool try_template(void)
{
    static const pith_repeat repeats[] = {
        {"[1{a=[", "*]}\n1\n]", 255},
        {"[1{a=[x*", "]}\n1\n]", 254},
    };
    return try_repeats(repeats, ROWS(repeats));
}

static const struct limit_row {
    const char *name;
    uint64_t normally; /* 0: none */
    const char *code;  /* NULL when it is no error, or one of the system */
    bool (*try)(void); /* NULL: elsewhere, see `file` */
    const char *file;  /* from tests/ on */
} limits[] = {
    {"levels of arrays and objects", PITH_DEPTH_DEFAULT, "depth_limit", try_depth, NULL},
    {"bytes of memory that reading takes, beyond 64 for each byte read",
     PITH_MEMORY_DEFAULT, "memory_limit", try_memory, NULL},
    {"bytes that a ZSTD, LZ4 or gzip frame becomes, beyond 64 for each of its own",
     PITH_MEMORY_DEFAULT, "memory_limit", try_unpacked, NULL},
    {"bytes written", 0, "output_limit", try_output, NULL},
    {"bytes of indentation, unless they are less than 64 times everything else",
     OUT_INDENT_FREE, "output_limit", try_indentation, NULL},
    {"bytes of rows held back in memory", PITH_HOLD_DEFAULT, NULL, try_hold, NULL},
    {"problems told of one text by `pith_check`", REPORT_MOST, NULL, try_problems, NULL},
    {"bytes of a string, key or number", SLOT_TEXT_MOST, "too_large", NULL,
     "limits/small.c"},
    {"bytes of a line of toon, gcf and gcf1", SLOT_TEXT_MOST, "too_large", NULL,
     "limits/small.c"},
    {"values in a document", SLOT_COUNT_MOST, "no_memory", NULL, "limits/small.c"},
    {"columns of a table written row by row", SLOT_COUNT_MOST / 2, "no_memory", NULL,
     "limits/small.c"},
    {"symbols, edges or words in a graph", GRAPH_MOST, "no_memory", NULL,
     "limits/small.c"},
    {"bytes of a symbol's name", GRAPH_TEXT_MOST, "too_large", NULL, "limits/small.c"},
    {"fields in the first line of a graph", 64, "too_many_fields", try_graph_fields,
     NULL},
    {"symbols a session knows", 100000, "session_limit", try_session_ids, NULL},
    {"seconds a session may be idle", 1800, NULL, try_session_idle, NULL},
    {"seconds a session lives", 86400, NULL, try_session_life, NULL},
    {"turns of a session", UINT32_MAX, NULL, try_session_turns, NULL},
    {"cells of a snapshot beyond 64 for each value", 1048576, "sparse_limit", try_sparse,
     NULL},
    {"bytes that compressed rows of soch-bin become", 1073741824, "raw_limit", try_raw,
     NULL},
    {"bytes of JSON that a name, an empty place or an empty cell of pith repeats", 4096,
     "repeat_limit", try_repeated, NULL},
    {"bytes of a template of pith", 255, "repeat_limit", try_template, NULL},
    {"numbers in a vector of soch and soch-bin", UINT32_MAX, "unknown_type", try_vector,
     NULL},
    {"bytes in all texts of the settings together", SETTINGS_TEXT_MOST, "bad_setting",
     try_settings, NULL},
    {"the largest id in a tokenizer.json", VOCAB_ID_MOST - 1, "token_limit", try_token_id,
     NULL},
    {"merges in a tokenizer.json", VOCAB_MERGES_MOST - 1, "token_limit", try_merges,
     NULL},
    {"bytes of a word that is counted in tokens", BPE_PIECE_MOST, "piece_limit", NULL,
     "limits/small.c"},
    {"tokens of what has to fit", 0, "budget_exceeded", try_budget, NULL},
    {"rows of a query", 0, NULL, NULL, "cli/query_limit_edges/cmd"},
    {"seconds until a database is connected", 30, "connect_failed", NULL, "db/connect.c"},
    {"seconds of a query", 0, "timeout", NULL, "cli/query_timeout/cmd"},
    {"integers in gcf, and those of type int in soch", INT64_MAX, "out_of_range",
     try_integers, NULL},
    {"natural numbers in soch and soch-bin", UINT64_MAX, "out_of_range", try_naturals,
     NULL},
    {"symbolic links to the file that is written", 40, "create_failed", NULL,
     "cli/file_links_many/cmd"},
    {"seconds a turn waits for the lock of its STATE", 10, "locked", NULL,
     "files/sessions"},
    {"seconds a snapshot or delta that is a pipe waits for its writer", 10, "no_writer",
     NULL, "files/sessions"},
};

static void every_limit(void **state)
{
    (void)state;
    int failures = 0;
    for (size_t i = 0; i < ROWS(limits); i++) {
        bool fine;
        if (limits[i].try) {
            fine = limits[i].try();
        } else {
            char path[1024];
            snprintf(path, sizeof path, "%s/%s", PITH_TESTS_DIR, limits[i].file);
            FILE *file = fopen(path, "r");
            fine = file != NULL;
            if (file)
                fclose(file);
        }
        if (!fine) {
            fprintf(stderr, "failed: %s\n", limits[i].name);
            failures++;
        }
    }
    assert_int_equal(failures, 0);
}

/* ----------------------------------------------------------------------- the manual */

/* The cell of that number of a row of the table, without the blanks around it. */
static pith_text cell_of(const char *line, int number)
{
    const char *at = line;
    for (; number >= 0 && at; number--) {
        at = strchr(at, '|');
        at = at ? at + 1 : NULL;
    }
    const char *end = at ? strchr(at, '|') : NULL;
    if (!end)
        return (pith_text){"", 0};
    while (at < end && *at == ' ')
        at++;
    while (end > at && end[-1] == ' ')
        end--;
    return (pith_text){at, (size_t)(end - at)};
}

static bool is_text(pith_text text, const char *string)
{
    return text.len == strlen(string) && memcmp(text.ptr, string, text.len) == 0;
}

static bool row_agrees(const struct limit_row *row, const char *line)
{
    char number[32] = "none", code[64] = "";
    if (row->normally > 0)
        snprintf(number, sizeof number, "%llu", (unsigned long long)row->normally);
    snprintf(code, sizeof code, "`%s`", row->code ? row->code : "");
    pith_text last = cell_of(line, 5);
    bool coded =
        row->code ? last.len >= strlen(code) && memcmp(last.ptr, code, strlen(code)) == 0
                  : last.len > 0 && last.ptr[0] != '`';
    return coded && is_text(cell_of(line, 1), number);
}

static void the_manual_agrees(void **state)
{
    (void)state;
    FILE *file = fopen(PITH_TESTS_DIR "/../docs/limits.md", "r");
    assert_non_null(file);
    char line[1024];
    size_t rows = 0;
    int failures = 0;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "## ", 3) == 0)
            break; /* other tables follow */
        if (line[0] != '|' || strncmp(line, "| limit |", 9) == 0 || line[1] == '-')
            continue;
        size_t i = 0;
        while (i < ROWS(limits) && !is_text(cell_of(line, 0), limits[i].name))
            i++;
        if (i == ROWS(limits) || !row_agrees(&limits[i], line)) {
            fprintf(stderr, "docs/limits.md does not say what the program does: %s",
                    line);
            failures++;
        }
        rows++;
    }
    fclose(file);
    assert_int_equal(failures, 0);
    assert_int_equal(rows, ROWS(limits)); /* and none is missing */
}

/* ---------------------------------------------------------------------- sparse rows */

enum { SPARSE_ROWS = 6000, SPARSE_MEMORY = 16 * 1024 * 1024 };

/* As many keys as rows: a table of them has the square of that in cells, 72 MB. */
static pith_doc *sparse_rows(bytes *text)
{
    bytes_put(text, "[{}");
    for (int i = 0; i < SPARSE_ROWS; i++)
        bytes_print(text, ",{\"%x\":1}", i);
    bytes_add(text, "]", 2);
    return must_parse_json(text->ptr);
}

static pith_status write_sparse(const pith_doc *doc, const char *words, size_t output_max,
                                pith_error *err)
{
    alloc_meter meter = {.inner = alloc_from(NULL), .most = SPARSE_MEMORY};
    pith_options options = {
        .alloc = alloc_counted(&meter), .write = words, .output_max = output_max};
    return pith_value_write(pith_doc_root(doc), "gcf", &options,
                            (pith_sink){.write = take_nothing, .ctx = NULL}, err);
}

/* What counts does not write such a table to its end, let alone keep it. */
static void counting_stops(void **state)
{
    (void)state;
    bytes text = {0};
    pith_doc *doc = sparse_rows(&text);
    pith_error err = {0};
    assert_int_equal(write_sparse(doc, "budget=1000", 0, &err), PITH_OK);
    assert_int_equal(write_sparse(doc, "guard=true", 0, &err), PITH_OK);
    pith_doc_free(doc);
    bytes_free(&text);
}

/* Rows of a byte under a name as long as all of them: 10 GB of JSON, a few bytes a row as a
 * table. The guard may write neither to its end before it knows the other. */
static void the_guard_stops_json(void **state)
{
    enum { LONG_NAME = 100000 };
    (void)state;
    bytes text = {0};
    pith_error err = {0};
    pith_outcome outcome = {0};
    pith_options options = {.write = "guard=true", .outcome = &outcome};
    bytes_repeat(&text, "k", LONG_NAME);
    bytes_repeat(&text, "\n1", LONG_NAME);
    assert_int_equal(pith_convert("csv", "gcf", text.ptr, text.len, &options,
                                  (pith_sink){.write = take_nothing, .ctx = NULL}, &err),
                     PITH_OK);
    assert_string_equal(outcome.format, "gcf");
    assert_true(outcome.tokens > 0 && outcome.json_tokens == 0);
    bytes_free(&text);
}

static void rows_expand(void **state)
{
    (void)state;
    bytes text = {0};
    pith_doc *doc = sparse_rows(&text);
    pith_error err = {0};
    assert_int_equal(write_sparse(doc, "", 1000000, &err), PITH_LIMIT);
    assert_string_equal(err.code, "output_limit");
    assert_non_null(strstr(err.message, "sparse=expand"));
    assert_int_equal(write_sparse(doc, "sparse=expand verify=true", 1000000, &err),
                     PITH_OK);
    pith_doc_free(doc);
    bytes_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_limit),    cmocka_unit_test(the_manual_agrees),
        cmocka_unit_test(counting_stops), cmocka_unit_test(the_guard_stops_json),
        cmocka_unit_test(rows_expand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
