/*
 * test_sinks.c - the library's sinks, and the file that rows are put aside in, on devices
 * that fail.
 *
 * Short writes, interruptions and both together change nothing. After an error the call
 * fails with the status of the sink and its errno, at whichever byte it came.
 */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700

#include "tables.h"
#include "bytes.h"
#include "faults/layer.h"
#include "fitting.h"
#include "testing.h"

#include "base/text.h"
#include "named.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char json[] = "[{\"id\":1,\"name\":\"first\"},{\"id\":2,\"name\":\"sec\"}]";

/* What every writer is given: where to, and with which options. */
typedef struct writer {
    const char *name;
    pith_status (*run)(pith_sink sink, pith_options *options, pith_error *err);
} writer;

static pith_status write_converted(pith_sink sink, pith_options *options, pith_error *err)
{
    return pith_convert("json", "gcf", json, sizeof json - 1, options, sink, err);
}

static pith_status write_value(pith_sink sink, pith_options *options, pith_error *err)
{
    pith_doc *doc = must_parse_json(json);
    pith_status status = pith_value_write(pith_doc_root(doc), "toon", options, sink, err);
    pith_doc_free(doc);
    return status;
}

static pith_status write_rows(const char *format, pith_sink sink, pith_options *options,
                              pith_error *err)
{
    static const char *const columns[] = {"id", "name"};
    pith_rows *rows = rows_open_named(format, columns, 2, options, sink, err);
    if (!rows)
        return err->status;
    pith_status status = PITH_OK;
    for (int64_t i = 0; i < 40 && status == PITH_OK; i++) {
        pith_doc_add_int64(pith_rows_row(rows), i);
        pith_doc_add_text(pith_rows_row(rows), LIT("a name"));
        status = pith_rows_end_row(rows, err);
    }
    return pith_rows_close(rows, err);
}

static pith_status write_ndjson(pith_sink sink, pith_options *options, pith_error *err)
{
    return write_rows("ndjson", sink, options, err);
}

/* Rows that are put aside, since their number comes first: mostly in a file. */
static pith_status write_held(pith_sink sink, pith_options *options, pith_error *err)
{
    options->hold_max = 16;
    return write_rows("toon", sink, options, err);
}

/* The number of rows is put into the header at the end, where the sink can go back. */
static pith_status write_patched(pith_sink sink, pith_options *options, pith_error *err)
{
    return write_rows("soch-bin", sink, options, err);
}

static pith_status write_table(pith_sink sink, pith_options *options, pith_error *err)
{
    static const char text[] = "t[2]{id:uint,name}:1,Ada;2,Bob";
    typed_table *table = table_parse("soch", text, sizeof text - 1, NULL, NULL);
    pith_status status = table_write(table, "soch-bin", options, sink, err);
    table_free(table);
    return status;
}

static pith_doc *some_graph(void)
{
    static const char text[] =
        "{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"fn\",\"provenance\":\"p\"}]}";
    return pith_doc_parse("json", text, sizeof text - 1, NULL, NULL);
}

static pith_status write_graph(pith_sink sink, pith_options *options, pith_error *err)
{
    pith_doc *graph = some_graph();
    pith_status status =
        pith_value_write(pith_doc_root(graph), "gcf-graph", options, sink, err);
    pith_doc_free(graph);
    return status;
}

static pith_status write_stream(pith_sink sink, pith_options *options, pith_error *err)
{
    static const char *const columns[] = {"qualified_name", "kind", "provenance"};
    pith_rows *rows = pith_rows_open_object("gcf-graph", options, sink, err);
    if (!rows)
        return err->status;
    rows_begin_named(rows, "symbols", columns, 3, NULL);
    for (size_t i = 0; i < 3; i++)
        pith_doc_add_text(pith_rows_row(rows), "a", 1);
    pith_rows_end_row(rows, NULL);
    return pith_rows_close(rows, err);
}

static pith_status write_session(pith_sink sink, pith_options *options, pith_error *err)
{
    pith_doc *graph = some_graph();
    pith_session *session = pith_session_new(NULL, NULL);
    pith_buffer saved = {0};
    pith_status status =
        pith_session_write(session, pith_doc_root(graph), NULL, 1, options, sink, err);
    assert_int_equal(pith_session_save(session, pith_sink_buffer(&saved), NULL), PITH_OK);
    assert_true(status == PITH_OK || strstr(saved.data, "\"symbols\":[]"));
    pith_buffer_free(&saved);
    pith_session_free(session);
    pith_doc_free(graph);
    return status;
}

static pith_status write_saved(pith_sink sink, pith_options *options, pith_error *err)
{
    pith_session *session = pith_session_new(NULL, options);
    pith_status status = pith_session_save(session, sink, err);
    pith_session_free(session);
    return status;
}

static pith_status write_answer(pith_sink sink, pith_options *options, pith_error *err)
{
    pith_policy policy = {.key = text_from("id")};
    pith_doc *doc = must_parse_json(json);
    pith_snapshot *producer = pith_snapshot_new(&policy, options, err);
    pith_status status =
        pith_snapshot_write(producer, NULL, pith_doc_root(doc), sink, NULL, err);
    assert_true(status == PITH_OK || pith_snapshot_root(producer)[0] == '\0');
    pith_snapshot_free(producer);
    pith_doc_free(doc);
    return status;
}

static pith_status write_tokens(pith_sink sink, pith_options *options, pith_error *err)
{
    static const uint32_t ids[] = {100, 200, 300};
    pith_vocab *vocab = pith_vocab_open("r50k_base", NULL, NULL);
    pith_status status = pith_vocab_decode(vocab, ids, 3, options, sink, err);
    pith_vocab_free(vocab);
    return status;
}

static pith_status write_fitting(pith_sink sink, pith_options *options, pith_error *err)
{
    fitting fit = {.tokens_max = 30, .newline = true};
    pith_vocab *vocab = pith_vocab_open("estimate", NULL, NULL);
    pith_doc *doc = must_parse_json(json);
    options->vocab = vocab;
    pith_status status = fit_value(pith_doc_root(doc), "gcf", &fit, options, sink, err);
    pith_doc_free(doc);
    pith_vocab_free(vocab);
    return status;
}

static pith_status write_unpacked(pith_sink sink, pith_options *options, pith_error *err)
{
    static const char frame[] = "\x28\xB5\x2F\xFD\x20\x05\x29\0\0hello";
    return pith_unpack(frame, sizeof frame - 1, options, sink, err);
}

static const writer writers[] = {
    {"convert", write_converted},    {"value", write_value},
    {"ndjson rows", write_ndjson},   {"held rows", write_held},
    {"patched rows", write_patched}, {"table", write_table},
    {"graph", write_graph},          {"graph stream", write_stream},
    {"session", write_session},      {"saved session", write_saved},
    {"answer", write_answer},        {"tokens", write_tokens},
    {"what fits", write_fitting},    {"what was packed", write_unpacked},
};

/* ------------------------------------------------------------------- a descriptor */

/* A new file without a name. */
static int open_temporary(void)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    int fd = dup(fileno(file));
    assert_true(fd >= 0);
    fclose(file);
    return fd;
}

/* Writes to a new file under the plan; `content` is what is in it then. */
static pith_status write_file(const writer *one, const faults *plan, bytes *content,
                              fault_counts *counts, pith_error *err)
{
    int fd = open_temporary();
    pith_options options = {0};
    *err = (pith_error){0};
    faults_set(plan);
    pith_status status = one->run(pith_sink_fd(fd), &options, err);
    *counts = faults_seen();
    faults_set(NULL);
    char piece[4096];
    ssize_t got;
    for (off_t at = 0; (got = pread(fd, piece, sizeof piece, at)) > 0; at += got)
        bytes_add(content, piece, (size_t)got);
    close(fd);
    return status;
}

static void short_and_interrupted_writes_change_nothing(void **state)
{
    (void)state;
    static const faults plans[] = {
        {.write_most = 1, .read_most = 1},
        {.write_every = 2,
         .write_every_error = EINTR,
         .read_every = 2,
         .read_every_error = EINTR},
        {.write_most = 3,
         .write_every = 3,
         .write_every_error = EINTR,
         .read_most = 7,
         .read_every = 3,
         .read_every_error = EINTR},
    };
    for (size_t i = 0; i < ROWS(writers); i++) {
        bytes plain = {0};
        fault_counts counts;
        pith_error err;
        pith_status status = write_file(&writers[i], NULL, &plain, &counts, &err);
        for (size_t k = 0; k < ROWS(plans); k++) {
            bytes found = {0};
            fault_counts seen;
            assert_int_equal(write_file(&writers[i], &plans[k], &found, &seen, &err),
                             status);
            assert_true(
                same_bytes(writers[i].name, found.ptr, found.len, plain.ptr, plain.len));
            assert_true(seen.writes > counts.writes || plain.len < 2);
            bytes_free(&found);
        }
        bytes_free(&plain);
    }
}

/* The error, at every byte: of the file, and of the one that rows are put aside in. */
static void errors_are_told_with_their_number(void **state)
{
    (void)state;
    static const int numbers[] = {ENOSPC, EIO, EPIPE, EAGAIN, EDQUOT};
    for (size_t i = 0; i < ROWS(writers); i++) {
        bytes plain = {0};
        fault_counts counts;
        pith_error err;
        if (write_file(&writers[i], NULL, &plain, &counts, &err) != PITH_OK) {
            assert_string_equal(err.code, "not_built_in");
            continue;
        }
        for (size_t room = 0; room < counts.written; room++) {
            int number = numbers[room % ROWS(numbers)];
            faults plan = {.write_room = room, .write_error = number};
            bytes found = {0};
            fault_counts seen;
            pith_status status = write_file(&writers[i], &plan, &found, &seen, &err);
            if (status != PITH_IO || err.system != number) {
                fprintf(stderr, "%s, room for %zu bytes: %s, errno %d: %s\n",
                        writers[i].name, room, pith_status_name(status), err.system,
                        err.message);
            }
            assert_int_equal(status, PITH_IO);
            assert_string_equal(err.code, "write_failed");
            assert_int_equal(err.system, number);
            assert_true(err.message[0] != '\0');
            assert_true(found.len <= room);
            bytes_free(&found);
        }
        bytes_free(&plain);
    }
}

/* A write that takes nothing would be tried for ever. */
static void writes_of_nothing_end(void **state)
{
    (void)state;
    static const faults plan = {.write_every = 1};
    for (size_t i = 0; i < ROWS(writers); i++) {
        bytes found = {0};
        fault_counts counts;
        pith_error err;
        if (write_file(&writers[i], &plan, &found, &counts, &err) == PITH_IO)
            assert_int_equal(err.system, EIO);
        else
            assert_string_equal(err.code, "not_built_in");
        bytes_free(&found);
    }
}

/* The file that rows are put aside in cannot be made, or not be read back. */
static void rows_put_aside_can_be_lost(void **state)
{
    (void)state;
    static const writer held = {"held rows", write_held};
    bytes found = {0};
    fault_counts counts;
    pith_error err;
    faults plan = {.nameless_unknown = true, .call = "mkostemp", .call_error = EMFILE};
    faults_set(NULL);
    int fd = open_temporary();
    pith_options options = {0};
    faults_set(&plan);
    pith_status status = write_held(pith_sink_fd(fd), &options, &err);
    faults_set(NULL);
    close(fd);
    assert_int_equal(status, PITH_IO);
    assert_int_equal(err.system, EMFILE);
    plan = (faults){.read_error = EIO, .read_room = 20};
    assert_int_equal(write_file(&held, &plan, &found, &counts, &err), PITH_IO);
    assert_string_equal(err.code, "read_failed");
    assert_int_equal(err.system, EIO);
    bytes_free(&found);
}

/* --------------------------------------------------------------------- a callback */

typedef struct refusing {
    size_t room;
    size_t taken;
    pith_status status;
} refusing;

static pith_status refuse(void *ctx, const char *data, size_t len)
{
    refusing *to = ctx;
    assert_true(data != NULL);
    if (to->taken + len > to->room) {
        errno = EXDEV;
        return to->status;
    }
    to->taken += len;
    return PITH_OK;
}

/* Whatever a callback answers is what the call answers. */
static void a_callbacks_status_is_handed_through(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(writers); i++) {
        refusing all = {.room = SIZE_MAX / 2, .status = PITH_IO};
        pith_options options = {0};
        pith_error err = {0};
        pith_sink sink = {refuse, &all};
        if (writers[i].run(sink, &options, &err) != PITH_OK)
            continue;
        for (int status = PITH_BAD_INPUT; status <= PITH_IO; status++) {
            refusing some = {.room = all.taken - 1, .status = (pith_status)status};
            pith_sink refuses = {refuse, &some};
            options = (pith_options){0};
            err = (pith_error){0};
            pith_status found = writers[i].run(refuses, &options, &err);
            if (found != (pith_status)status || err.status != found) {
                fprintf(stderr, "%s: %s, and in err %s, for %s\n", writers[i].name,
                        pith_status_name(found), pith_status_name(err.status),
                        pith_status_name((pith_status)status));
            }
            assert_int_equal(found, status);
            assert_int_equal(err.status, status);
            assert_string_equal(err.code,
                                status == PITH_NO_MEMORY ? "no_memory" : "write_failed");
            assert_int_equal(err.system, status == PITH_IO ? EXDEV : 0);
        }
    }
}

/* An output that is empty is handed over too, once: a buffer then holds "". */
static void empty_output_reaches_the_sink(void **state)
{
    (void)state;
    static const char frame[] = "\x28\xB5\x2F\xFD\x20\0\1\0\0";
    pith_buffer out = {0};
    pith_error err = {0};
    pith_status status =
        pith_unpack(frame, sizeof frame - 1, NULL, pith_sink_buffer(&out), &err);
    assert_true(status == PITH_OK || strcmp(err.code, "not_built_in") == 0);
    assert_true(status != PITH_OK || (out.data && out.len == 0));
    pith_buffer_free(&out);
    assert_int_equal(
        pith_convert("ndjson", "ndjson", "", 0, NULL, pith_sink_buffer(&out), &err),
        PITH_OK);
    assert_non_null(out.data);
    pith_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_and_interrupted_writes_change_nothing),
        cmocka_unit_test(errors_are_told_with_their_number),
        cmocka_unit_test(writes_of_nothing_end),
        cmocka_unit_test(rows_put_aside_can_be_lost),
        cmocka_unit_test(a_callbacks_status_is_handed_through),
        cmocka_unit_test(empty_output_reaches_the_sink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
