/*
 * oom_answer.c - an answer that is looked at while it arrives, with every allocation of it
 * failing in turn.
 */
#include "sweep.h"

static pith_status run_arrive(const void *job, pith_options *options, bytes *result)
{
    const char *text = job;
    size_t len = strlen(text);
    pith_error err = {0};
    options->read = "mend=all";
    pith_answer *answer = pith_answer_open(options, &err);
    if (!answer)
        return sweep_failure(&err);
    pith_status status = PITH_OK;
    for (size_t at = 0; at < len && status == PITH_OK; at += 40) {
        status = pith_answer_feed(answer, text + at, len - at < 40 ? len - at : 40, &err);
        pith_value root = pith_answer_root(answer);
        bytes_print(result, "%zu%d%d ", pith_answer_complete(answer),
                    pith_value_partial(root), pith_answer_finished(answer));
    }
    if (status == PITH_OK)
        status = pith_answer_end(answer, &err);
    if (status == PITH_OK)
        sweep_add_value(result, pith_answer_root(answer));
    pith_answer_free(answer);
    return status == PITH_OK ? PITH_OK : sweep_failure(&err);
}

static void answers_arrive(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "Here it is:\n```json\n{\"a\":[1,2.50,{\"b\":\"one\\ntwo \\u00e9 and much more of it, so "
        "that it takes several pieces\"}],\"c\":{\"d\":null,'e':\"f\",},\"g\":\"cut",
        "[{\"id\":1,\"name\":\"Ada\"},{\"id\":2,\"name\":\"Bob\"},{\"id\":3,\"name\":\"Eve\"}]"};
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(texts); i++)
        failures += sweep_run("arrives", run_arrive, texts[i], NULL);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_arrive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
