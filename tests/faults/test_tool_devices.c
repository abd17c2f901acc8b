/*
 * test_tool_devices.c - every command, on devices that are slow, interrupted, full and
 * broken.
 *
 * What is merely slow changes nothing: short reads and writes, interruptions, a pipe
 * that does not block. What is broken is told with the exit code 3 and the system's own
 * words, at whichever byte it comes; the output file is then as it was, and nothing is
 * left beside it. A reader that went away is no error. A signal, whenever it comes, ends
 * the work in silence.
 */
#include "faults/cases.h"

#include "testing.h"

#include "cli/diag.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static const char old[] = "old\n";

static bool same(const bytes *a, const bytes *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->ptr, b->ptr, a->len) == 0);
}

static size_t show(const tool_case *one, const tool_result *found, const char *what,
                   const char *wrong)
{
    fprintf(stderr, "%s, %s: %s (exit %d)%s%s\n", tool_line(one), what, wrong,
            found->code, found->litter[0] ? ", left " : "", found->litter);
    show_bytes("  stdout", found->out.ptr, found->out.len);
    show_bytes("  file", found->file.ptr, found->file.len);
    show_bytes("  stderr", found->err.ptr, found->err.len);
    show_bytes("  state", found->state.ptr, found->state.len);
    return 1;
}

/* --------------------------------------------------------------- what is slow */

static size_t judge_same(const tool_case *one, const tool_result *found,
                         const tool_result *plain, const char *what)
{
    if (found->code != plain->code)
        return show(one, found, what, "another exit code");
    if (!same(&found->out, &plain->out) || !same(&found->file, &plain->file) ||
        !same(&found->err, &plain->err))
        return show(one, found, what, "another result");
    if (found->counts.live_blocks != 0 || found->litter[0] != '\0')
        return show(one, found, what, "something is left");
    return 0;
}

static size_t compare_with_plain(const tool_case *one, const faults *convert_jobs,
                                 tool_stdout to, const char *what, size_t *met)
{
    tool_result plain = tool_run(one, NULL, TOOL_TO_FILE, old);
    tool_result found = tool_run(one, convert_jobs, to, old);
    size_t failures = judge_same(one, &found, &plain, what);
    *met += found.counts.writes > plain.counts.writes ||
            found.counts.reads > plain.counts.reads || found.counts.calls_refused > 0;
    tool_free(&found);
    tool_free(&plain);
    return failures;
}

static void slow_devices_change_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        faults convert_jobs;
    } rows[] = {
        {"one byte a call", {.write_most = 1, .read_most = 1}},
        {"interrupted",
         {.write_every = 2,
          .write_every_error = EINTR,
          .read_every = 2,
          .read_every_error = EINTR}},
        {"both",
         {.write_most = 5,
          .write_every = 3,
          .write_every_error = EINTR,
          .read_most = 7,
          .read_every = 3,
          .read_every_error = EINTR}},
        {"not ready",
         {.write_every = 3,
          .write_every_error = EAGAIN,
          .read_every = 3,
          .read_every_error = EAGAIN}},
        {"fsync interrupted", {.call = "fsync", .call_at = 1, .call_error = EINTR}},
        {"close interrupted", {.call = "close", .call_error = EINTR}},
        {"open interrupted", {.call = "open", .call_at = 1, .call_error = EINTR}},
        {"flock interrupted", {.call = "flock", .call_at = 1, .call_error = EINTR}},
        {"flock busy", {.call = "flock", .call_at = 1, .call_error = EWOULDBLOCK}},
        {"files with names", {.nameless_unknown = true, .write_most = 7}},
    };
    size_t failures = 0;
    for (size_t k = 0; k < ROWS(rows); k++) {
        size_t met = 0;
        for (size_t i = 0; case_at(i) != NULL; i++) {
            failures += compare_with_plain(case_at(i), &rows[k].convert_jobs,
                                           TOOL_TO_FILE, rows[k].what, &met);
        }
        assert_true(met > 0); /* it did happen */
    }
    assert_int_equal(failures, 0);
}

/* Some programs leave their pipes in a mode in which a full one is not waited for. */
static void a_pipe_that_does_not_block(void **state)
{
    (void)state;
    static const tool_case large[] = {
        {.words = {"help", "--man"}},
        {.words = {"formats", "--json"}},
        {.words = {"rows.ndjson", "--to", "csv"}},
    };
    size_t failures = 0;
    size_t met = 0;
    for (size_t i = 0; i < ROWS(large); i++) {
        failures +=
            compare_with_plain(&large[i], NULL, TOOL_TO_SLOW_PIPE, "slow pipe", &met);
    }
    assert_true(met > 0); /* it was full, and waited for */
    assert_int_equal(failures, 0);
}

/* ------------------------------------------------------------- what is broken */

/* After a failure of a device: told, and no file is changed. */
static size_t judge_broken(const tool_case *one, const tool_result *found,
                           const tool_result *plain, const char *what, const char *words)
{
    if (found->code != EXIT_MACHINE)
        return show(one, found, what, "the exit code does not tell");
    if (!tool_says(found, words))
        return show(one, found, what, "the reason is not told");
    if (one->output && (!found->made || found->file.len != strlen(old) ||
                        memcmp(found->file.ptr, old, found->file.len) != 0))
        return show(one, found, what, "the output file has changed");
    if (!tool_kept_state(one, found))
        return show(one, found, what, "the state of the session has changed");
    size_t len = found->out.len;
    bool beginning = len <= plain->out.len &&
                     (len == 0 || memcmp(found->out.ptr, plain->out.ptr, len) == 0);
    if (!beginning && one->parts == PARTS_NONE)
        return show(one, found, what, "what was printed is no part of the result");
    if (found->counts.live_blocks != 0 || found->litter[0] != '\0')
        return show(one, found, what, "something is left");
    return 0;
}

/* Some twenty places over a range, the first and the last among them. */
static size_t step_of(size_t range)
{
    return range / 20 + 1;
}

static size_t break_writes(const tool_case *one, int number)
{
    size_t failures = 0;
    tool_result plain = tool_run(one, NULL, TOOL_TO_FILE, old);
    for (size_t room = 0; room < plain.counts.written;
         room += step_of(plain.counts.written)) {
        char what[64];
        faults convert_jobs = {.write_room = room, .write_error = number};
        snprintf(what, sizeof what, "room for %zu bytes", room);
        tool_result found = tool_run(one, &convert_jobs, TOOL_TO_FILE, old);
        failures += judge_broken(one, &found, &plain, what, strerror(number));
        tool_free(&found);
    }
    tool_free(&plain);
    return failures;
}

static void full_and_broken_devices_are_told(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; case_at(i) != NULL; i++)
        failures += break_writes(case_at(i), i & 1 ? EIO : ENOSPC);
    assert_int_equal(failures, 0);
}

static void broken_inputs_are_told(void **state)
{
    (void)state;
    size_t failures = 0;
    size_t met = 0;
    for (size_t i = 0; case_at(i) != NULL; i++) {
        const tool_case *one = case_at(i);
        tool_result plain = tool_run(one, NULL, TOOL_TO_FILE, old);
        for (size_t room = 0; plain.counts.reads > 0 && room < 64; room = 2 * room + 1) {
            faults convert_jobs = {.read_room = room, .read_error = EIO};
            tool_result found = tool_run(one, &convert_jobs, TOOL_TO_FILE, old);
            if (found.counts.reads_refused > 0) {
                met++;
                failures +=
                    judge_broken(one, &found, &plain, "a broken input", strerror(EIO));
            }
            tool_free(&found);
        }
        tool_free(&plain);
    }
    assert_true(met > 0);
    assert_int_equal(failures, 0);
}

/* A write that takes nothing would be tried for ever. */
static void writes_of_nothing_end(void **state)
{
    (void)state;
    static const tool_case one = {.words = {"rows.json", "--to", "gcf", "-o", "out.gcf"},
                                  .output = "out.gcf"};
    static const faults convert_jobs = {.write_every = 1};
    tool_result plain = tool_run(&one, NULL, TOOL_TO_FILE, old);
    tool_result found = tool_run(&one, &convert_jobs, TOOL_TO_FILE, old);
    assert_int_equal(judge_broken(&one, &found, &plain, "nothing taken", strerror(EIO)),
                     0);
    tool_free(&found);
    tool_free(&plain);
}

/* The calls around the bytes: those for files that are written to a file. */
static void broken_calls_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *call;
        int number;
        bool named; /* the file has a name while it is written */
    } rows[] = {
        {"fsync", EIO, false},    {"rename", EIO, false},    {"close", EIO, false},
        {"open", EMFILE, false},  {"open", EEXIST, false},   {"access", EROFS, false},
        {"linkat", EXDEV, false}, {"linkat", EEXIST, false}, {"fchmod", EPERM, false},
        {"fsync", EIO, true},     {"rename", EIO, true},     {"close", EIO, true},
        {"open", EMFILE, true},   {"open", EEXIST, true},    {"fchmod", EPERM, true},
    };
    size_t failures = 0;
    for (size_t i = 0; case_at(i) != NULL; i++) {
        const tool_case *one = case_at(i);
        tool_result plain = tool_run(one, NULL, TOOL_TO_FILE, old);
        for (size_t k = 0; one->output && k < ROWS(rows); k++) {
            faults convert_jobs = {.nameless_unknown = rows[k].named,
                                   .call = rows[k].call,
                                   .call_error = rows[k].number};
            tool_result found = tool_run(one, &convert_jobs, TOOL_TO_FILE, old);
            failures +=
                judge_broken(one, &found, &plain, rows[k].call, strerror(rows[k].number));
            tool_free(&found);
        }
        tool_free(&plain);
    }
    assert_int_equal(failures, 0);
}

/* A file may take the place of another whose owner it cannot have. Then it has none of
 * the bits that would lend rights. */
static void rights_of_others_are_not_lent(void **state)
{
    (void)state;
    static const tool_case one = {.words = {"rows.json", "--to", "gcf", "-o", "out.gcf"},
                                  .output = "out.gcf",
                                  .output_mode = 04640};
    static const faults given = {.foreign = true};
    static const faults kept = {.foreign = true, .call = "fchown", .call_error = EPERM};
    static const faults lost = {.call = "fstat", .call_at = 2, .call_error = EIO};
    tool_result plain = tool_run(&one, &given, TOOL_TO_FILE, old);
    assert_int_equal(plain.code, EXIT_DONE);
    assert_int_equal(plain.mode, 04640);
    tool_result found = tool_run(&one, &kept, TOOL_TO_FILE, old);
    assert_int_equal(judge_same(&one, &found, &plain, "not the owner"), 0);
    assert_int_equal(found.mode, 0640);
    tool_free(&found);
    found = tool_run(&one, &lost, TOOL_TO_FILE, old);
    assert_int_equal(judge_broken(&one, &found, &plain, "no facts", strerror(EIO)), 0);
    assert_int_equal(found.mode, 04640);
    tool_free(&found);
    tool_free(&plain);
}

/* Were it to go on, a file it opens would be taken for its standard output. */
static void a_standard_file_that_cannot_be_occupied(void **state)
{
    (void)state;
    static const tool_case one = {.words = {"rows.json", "--to", "gcf", "-o", "out.gcf"},
                                  .output = "out.gcf"};
    static const faults convert_jobs = {
        .call = "open", .call_at = 1, .call_error = EMFILE};
    tool_result plain = tool_run(&one, NULL, TOOL_TO_NOTHING, old);
    assert_int_equal(plain.code, EXIT_DONE); /* it is not needed */
    assert_true(plain.file.len > strlen(old));
    tool_result found = tool_run(&one, &convert_jobs, TOOL_TO_NOTHING, old);
    assert_int_equal(found.code, EXIT_MACHINE);
    assert_int_equal(found.file.len, strlen(old));
    assert_memory_equal(found.file.ptr, old, found.file.len);
    assert_int_equal(found.counts.reads, 0);
    assert_int_equal(found.counts.live_blocks, 0);
    tool_free(&found);
    tool_free(&plain);
}

/* /dev/full is a disk without room, and a reader that went away is no error. */
static void standard_output_fails_for_real(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; case_at(i) != NULL; i++) {
        const tool_case *one = case_at(i);
        tool_result plain = tool_run(one, NULL, TOOL_TO_FILE, old);
        if (plain.out.len > 0) {
            tool_result full = tool_run(one, NULL, TOOL_TO_FULL, old);
            tool_result gone = tool_run(one, NULL, TOOL_TO_NOBODY, old);
            if (full.code != EXIT_MACHINE || !tool_says(&full, strerror(ENOSPC)))
                failures += show(one, &full, "a full device", "it is not told");
            if (gone.code != plain.code || tool_says(&gone, strerror(EPIPE)))
                failures += show(one, &gone, "no reader", "it is told");
            tool_free(&full);
            tool_free(&gone);
        }
        tool_free(&plain);
    }
    assert_int_equal(failures, 0);
}

/* ---------------------------------------------------------------- interruptions */

/* A signal ends the work wherever it is: files are old or new, and nothing is told. */
static size_t judge_interrupted(const tool_case *one, const tool_result *found,
                                const tool_result *plain, const char *what)
{
    if (found->counts.raised != SIGTERM)
        return show(one, found, what, "the signal is not passed on");
    bool untouched = one->output && found->made && found->file.len == strlen(old) &&
                     memcmp(found->file.ptr, old, found->file.len) == 0;
    if (one->output && !untouched && !same(&found->file, &plain->file))
        return show(one, found, what, "the output file is neither old nor new");
    /* which holds the time, so that two of them are not the same */
    if (!tool_kept_state(one, found) && found->state.len != plain->state.len)
        return show(one, found, what, "the state of the session is neither old nor new");
    if (tool_says(found, "interrupted") || tool_says(found, strerror(EINTR)))
        return show(one, found, what, "the interruption is told");
    if (tool_says(found, "error:") && !tool_says(plain, "error:"))
        return show(one, found, what, "an error is told");
    if (found->counts.live_blocks != 0 || found->litter[0] != '\0')
        return show(one, found, what, "something is left");
    return 0;
}

static size_t interrupt_everywhere(const tool_case *one)
{
    size_t failures = 0;
    tool_result plain = tool_run(one, NULL, TOOL_TO_FILE, old);
    size_t moments = plain.counts.moments;
    for (size_t at = 1; at <= moments && failures < 3; at += moments / 60 + 1) {
        char what[64];
        faults convert_jobs = {.signal_at = at, .nameless_unknown = at % 2 == 1};
        snprintf(what, sizeof what, "a signal at call %zu of %zu", at, moments);
        tool_result found = tool_run(one, &convert_jobs, TOOL_TO_FILE, old);
        failures += judge_interrupted(one, &found, &plain, what);
        tool_free(&found);
    }
    tool_free(&plain);
    return failures;
}

static void signals_leave_old_files_or_new_ones(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; case_at(i) != NULL; i++)
        failures += interrupt_everywhere(case_at(i));
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_leave_old_files_or_new_ones),
        cmocka_unit_test(slow_devices_change_nothing),
        cmocka_unit_test(a_pipe_that_does_not_block),
        cmocka_unit_test(full_and_broken_devices_are_told),
        cmocka_unit_test(broken_inputs_are_told),
        cmocka_unit_test(writes_of_nothing_end),
        cmocka_unit_test(broken_calls_are_told),
        cmocka_unit_test(rights_of_others_are_not_lent),
        cmocka_unit_test(a_standard_file_that_cannot_be_occupied),
        cmocka_unit_test(standard_output_fails_for_real),
    };
    return cmocka_run_group_tests(tests, cases_begin, cases_end);
}
