/*
 * test_tool_memory.c - every command, with every allocation of it failing in turn.
 *
 * A command line runs once with enough memory. Then it runs with its first allocation
 * failing, its second, and so on until it asks for no more than it is given; and once
 * more for each with all allocations failing from there on. Whenever one failed, the
 * tool must say so with its exit code and the word no_memory and leave the files as
 * they were, or do without and give the very same result. It never crashes, never
 * leaves a part of a file, and gives every block back.
 */
#include "faults/cases.h"
#include "faults/database_memory.h"

#include "testing.h"

#include "cli/diag.h"

/* More than any case makes: a sweep that does not end has to. */
enum { SWEEP_MOST = 20000 };

static bool same(const bytes *a, const bytes *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->ptr, b->ptr, a->len) == 0);
}

static bool begins_with(const bytes *whole, const bytes *part)
{
    size_t len = part->len;
    if (len > 0 && part->ptr[len - 1] == '\n')
        len--; /* what ends early still ends with a newline */
    return len <= whole->len && (len == 0 || memcmp(whole->ptr, part->ptr, len) == 0);
}

/* What is wrong with a run that was told of a failure; NULL when nothing is. */
static const char *judge_failed(const tool_case *one, const tool_result *found,
                                const tool_result *plain, const tool_result *untouched)
{
    if (!tool_says(found, "no_memory"))
        return "it does not say that memory ran out";
    if (tool_says(found, "error:  ["))
        return "it has no sentence for it";
    if (found->made != untouched->made || !same(&found->file, &untouched->file))
        return "the output file has changed";
    if (!tool_kept_state(one, found))
        return "the state of the session has changed";
    if (one->parts == PARTS_NONE && found->out.len > 0)
        return "it printed a part of the result";
    if (one->parts == PARTS_FIRST && !begins_with(&plain->out, &found->out))
        return "it printed what is no beginning of the result";
    return NULL;
}

static bool wants_json_errors(const tool_case *one)
{
    bool wanted = false;
    for (size_t i = 0; i < TOOL_WORDS && one->words[i]; i++)
        wanted = wanted || strcmp(one->words[i], "--errors=json") == 0;
    return wanted;
}

static const char *judge(const tool_case *one, const tool_result *found,
                         const tool_result *plain, const tool_result *untouched)
{
    if (found->counts.live_blocks != 0)
        return "it kept memory";
    if (found->litter[0] != '\0')
        return "it left a file behind";
    if (found->code == EXIT_MACHINE && found->counts.memory_refused > 0)
        return judge_failed(one, found, plain, untouched);
    if (found->code != plain->code)
        return "another exit code";
    if (!same(&found->out, &plain->out) || !same(&found->file, &plain->file))
        return "another result";
    /* Errors are told as JSON while there is memory for it, and then as text. */
    bool as_text = wants_json_errors(one) && found->counts.memory_refused > 0;
    if (as_text ? found->err.len == 0 : !same(&found->err, &plain->err))
        return "other words";
    return NULL;
}

static void show(const tool_case *one, const tool_result *found,
                 const faults *convert_jobs, const char *wrong)
{
    fprintf(stderr, "%s, allocation %zu%s of %zu: %s (exit %d, %ld blocks kept%s%s)\n",
            tool_line(one), convert_jobs->memory_at,
            convert_jobs->memory_onwards ? " and all after" : "", found->counts.memory,
            wrong, found->code, found->counts.live_blocks, found->litter[0] ? ", " : "",
            found->litter);
    show_bytes("  stdout", found->out.ptr, found->out.len);
    show_bytes("  stderr", found->err.ptr, found->err.len);
}

static size_t runs; /* for whoever wants to know how many there were */

static size_t sweep(const tool_case *one, bool onwards, const char *before)
{
    faults convert_jobs = {0};
    size_t failures = 0;
    tool_result plain = tool_run(one, NULL, TOOL_TO_FILE, before);
    tool_result untouched = {.made = one->output != NULL && before != NULL};
    if (untouched.made)
        bytes_put(&untouched.file, before);
    const char *wrong = judge(one, &plain, &plain, &untouched);
    if (wrong) {
        show(one, &plain, &convert_jobs, wrong);
        failures++;
    }
    convert_jobs.memory_onwards = onwards;
    bool all_given = false;
    while (!all_given && failures < 5 && convert_jobs.memory_at < SWEEP_MOST) {
        convert_jobs.memory_at++;
        runs++;
        tool_result found = tool_run(one, &convert_jobs, TOOL_TO_FILE, before);
        wrong = judge(one, &found, &plain, &untouched);
        if (wrong) {
            show(one, &found, &convert_jobs, wrong);
            failures++;
        }
        all_given = found.counts.memory_refused == 0;
        tool_free(&found);
    }
    tool_free(&plain);
    tool_free(&untouched);
    return failures + (!all_given && failures == 0);
}

static void every_allocation_fails(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; case_at(i) != NULL; i++)
        failures += sweep(case_at(i), false, NULL);
    assert_int_equal(failures, 0);
}

/* The same where there is no memory any more, over files that are there already. */
static void memory_runs_out(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; case_at(i) != NULL; i++)
        failures += sweep(case_at(i), true, "old\n");
    print_message("%zu runs without some of their memory\n", runs);
    assert_int_equal(failures, 0);
}

/* --------------------------------------------------------- what was found this way */

static void must_pass(const tool_case *one)
{
    assert_int_equal(sweep(one, false, NULL) + sweep(one, true, "old\n"), 0);
}

/* It ended with the problems it had room for, and said nothing of the others. */
static void check_tells_that_problems_are_missing(void **state)
{
    (void)state;
    must_pass(&(tool_case){.words = {"check", "bad.json"}});
}

/* It printed the tables without the curve, and was content. */
static void compare_does_not_drop_the_curve(void **state)
{
    (void)state;
    must_pass(&(tool_case){.words = {"compare", "t.csv", "--markdown", "--curve",
                                     "--tokenizer", "./tiny.json"}});
}

/* It left tokens out of the text, and was content. */
static void show_does_not_skip_tokens(void **state)
{
    (void)state;
    must_pass(
        &(tool_case){.words = {"count", "--show", "t.csv", "--tokenizer", "./tiny.json"},
                     .parts = PARTS_FIRST});
}

/* It printed an empty line for the list. */
static void lists_are_whole_or_not_there(void **state)
{
    (void)state;
    must_pass(&(tool_case){.words = {"formats", "--json"}});
}

/* It called the statement bad, and ran SQL that ended before a name. */
static void statements_are_whole(void **state)
{
    (void)state;
    must_pass(&(tool_case){.words = {"query", "--db", "sqlite::memory:", "--import",
                                     "u=t.csv", "--to", "json", "-"},
                           .input = "query.sql",
                           .parts = PARTS_FIRST});
}

/* It said "cannot write: Success". */
static void states_that_cannot_be_made_are_told(void **state)
{
    (void)state;
    must_pass(&(tool_case){
        .words = {"graph.json", "--to", "gcf-graph", "--session", "new.state"},
        .state = "new.state"});
}

/* It said that the output could not be written. */
static void frames_that_do_not_fit_into_memory(void **state)
{
    (void)state;
    must_pass(&(tool_case){.words = {"rows.zst", "--from", "json", "--to", "soch"}});
}

/* It asked for a key that the file names. */
static void the_key_of_an_answer_is_not_missed(void **state)
{
    (void)state;
    must_pass(&(tool_case){.words = {"root", "full.gcf"}});
}

static int set_up(void **state)
{
    database_memory_fails_too();
    return cases_begin(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_has_a_case),
        cmocka_unit_test(every_allocation_fails),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(check_tells_that_problems_are_missing),
        cmocka_unit_test(compare_does_not_drop_the_curve),
        cmocka_unit_test(show_does_not_skip_tokens),
        cmocka_unit_test(lists_are_whole_or_not_there),
        cmocka_unit_test(statements_are_whole),
        cmocka_unit_test(states_that_cannot_be_made_are_told),
        cmocka_unit_test(frames_that_do_not_fit_into_memory),
        cmocka_unit_test(the_key_of_an_answer_is_not_missed),
    };
    return cmocka_run_group_tests(tests, set_up, cases_end);
}
