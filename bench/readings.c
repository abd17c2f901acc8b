/*
 * readings.c - the same rows, read from several formats.
 *
 * Rates in MB of input would say little here: the files differ in size. What counts is how
 * long the same rows take, so the three are read by turns, and the best of each is
 * compared with that of JSON.
 */
#include "readings.h"

#include <stdio.h>

#include "measure.h"
#include "pith.h"

typedef struct reading {
    const char *format;
    pith_buffer text;
    double best_s;
} reading;

enum { READINGS = 3, RUNS_LEAST = 3 };

static bool read_file(const char *path, pith_buffer *out)
{
    FILE *file = fopen(path, "rb");
    pith_sink sink = pith_sink_buffer(out);
    bool fine = file != NULL;
    while (fine) {
        char piece[65536];
        size_t got = fread(piece, 1, sizeof piece, file);
        if (got == 0) {
            fine = ferror(file) == 0;
            break;
        }
        fine = sink.write(sink.ctx, piece, got) == PITH_OK;
    }
    if (file != NULL)
        fclose(file);
    return fine;
}

static bool read_once(reading *one, pith_error *err)
{
    double start = measure_now();
    pith_doc *doc = pith_doc_parse(one->format, one->text.data, one->text.len, NULL, err);
    double took = measure_now() - start;
    pith_doc_free(doc);
    if (one->best_s <= 0 || took < one->best_s)
        one->best_s = took;
    return doc != NULL;
}

/* All of them are there: by turns until the time is over. */
static bool read_by_turns(reading all[READINGS], double seconds, pith_error *err)
{
    double end = measure_now() + seconds;
    for (int run = 0; run < RUNS_LEAST || measure_now() < end; run++) {
        for (int i = 0; i < READINGS; i++)
            if (!read_once(&all[i], err))
                return false;
    }
    return true;
}

static bool measure_all(reading all[READINGS], const char *path, double seconds)
{
    pith_error err = {0};
    if (!read_file(path, &all[0].text)) {
        perror(path);
        return false;
    }
    bool fine = true;
    for (int i = 1; i < READINGS && fine; i++) {
        fine = pith_convert("json", all[i].format, all[0].text.data, all[0].text.len,
                            NULL, pith_sink_buffer(&all[i].text), &err) == PITH_OK;
    }
    if (!fine || !read_by_turns(all, seconds, &err)) {
        fprintf(stderr, "%s: %s [%s]\n", path, err.message, err.code);
        return false;
    }
    return true;
}

bool readings_measure(const char *path, double seconds)
{
    reading all[READINGS] = {
        {.format = "json"}, {.format = "soch"}, {.format = "soch-bin"}};
    bool fine = measure_all(all, path, seconds);
    if (fine) {
        printf("{\"json_ms\":%.2f,\"soch_ms\":%.2f,\"soch_bin_ms\":%.2f,"
               "\"soch_ratio\":%.2f,\"soch_bin_ratio\":%.2f}\n",
               all[0].best_s * 1e3, all[1].best_s * 1e3, all[2].best_s * 1e3,
               all[0].best_s / all[1].best_s, all[0].best_s / all[2].best_s);
        fine = fflush(stdout) == 0;
    }
    for (int i = 0; i < READINGS; i++)
        pith_buffer_free(&all[i].text);
    return fine;
}
