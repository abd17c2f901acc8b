/*
 * oom_select.c - parts of a text, whole and in pieces, with every allocation failing.
 */
#include "sweep.h"

static const char *const reads[] = {
    "at=user.login",  "fields=id,user.login",        "drop=*d",
    "drop-null=true", "at=tags.k rows=1:2 fields=a", "at=/0/tags drop=b"};

static const char rows[] =
    "{\"id\":1,\"user\":{\"login\":\"a\\tb\",\"id\":null},\"tags\":[{\"k\":{\"a\":1,"
    "\"b\":2}},{\"k\":{\"a\":3}}]}\n"
    "{\"id\":2,\"user\":{\"login\":\"b\",\"id\":1},\"tags\":[{\"k\":{\"a\":4,\"c\":[]}}]}\n";

/* Takes rows, and asks whether there will be more. */
static pith_status run_rows(const void *job, pith_options *options, bytes *result)
{
    pith_error err = {0};
    options->read = job;
    pith_reader *reader = pith_reader_open("ndjson", options, &err);
    if (!reader)
        return sweep_failure(&err);
    pith_status status = pith_reader_feed(reader, LIT(rows), &err);
    pith_value row = {NULL, 0, 0, 0};
    if (status == PITH_OK)
        status = pith_reader_end(reader, &err);
    do {
        if (status == PITH_OK)
            status = pith_reader_next(reader, &row, &err);
        if (status == PITH_OK && row.doc)
            sweep_add_value(result, row);
    } while (status == PITH_OK && row.doc);
    assert_true(status != PITH_OK || pith_reader_done(reader));
    pith_reader_free(reader);
    return status == PITH_OK ? PITH_OK : sweep_failure(&err);
}

static void parts_are_selected(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(reads); i++) {
        sweep_job job = {.format = "ndjson"};
        pith_options options = with_settings(reads[i], NULL);
        bytes_add(&job.text, LIT(rows));
        failures += sweep_run(reads[i], sweep_parse, &job, &options);
        failures += sweep_run(reads[i], sweep_read_pieces, &job, &options);
        failures += sweep_run(reads[i], run_rows, reads[i], NULL);
        bytes_free(&job.text);
    }
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_selected)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
