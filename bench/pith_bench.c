/*
 * pith_bench.c - the command: measures a conversion, or makes a file to measure.
 *
 * It sees the library as any program does, through pith.h, so what it reports is
 * what a caller gets. Figures go to stdout as one line of JSON; reading several
 * of them side by side is the business of the script `run`.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counting.h"
#include "datasets.h"
#include "generate.h"
#include "graphs.h"
#include "measure.h"
#include "pith.h"
#include "readings.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* ----------------------------------------------------- what is measured, how */

typedef struct conversion {
    const char *path;
    const char *from;
    const char *to;
    pith_options options;
    double seconds;
    measure_memory memory;
} conversion;

static bool explain(const conversion *work, const pith_error *err)
{
    fprintf(stderr, "%s:", work->path);
    if (err->line > 0)
        fprintf(stderr, "%zu:%zu:", err->line, err->column);
    fprintf(stderr, " error: %s [%s]\n", err->message, err->code);
    return false;
}

static bool time_whole(const conversion *work, const char *text, size_t len,
                       double *seconds, size_t *output_bytes, pith_error *err)
{
    double start = measure_now();
    pith_buffer out = {0};
    pith_status status = pith_convert(work->from, work->to, text, len, &work->options,
                                      pith_sink_buffer(&out), err);
    *output_bytes = out.len;
    pith_buffer_free(&out);
    *seconds = measure_now() - start;
    return status == PITH_OK;
}

static bool time_halves(const conversion *work, const char *text, size_t len,
                        double seconds[MEASURE_PARTS], size_t *output_bytes,
                        pith_error *err)
{
    double start = measure_now();
    pith_doc *doc = pith_doc_parse(work->from, text, len, &work->options, err);
    seconds[MEASURE_DECODE] = measure_now() - start;
    if (doc == NULL)
        return false;
    start = measure_now();
    pith_buffer out = {0};
    pith_status status = pith_value_write(pith_doc_root(doc), work->to, &work->options,
                                          pith_sink_buffer(&out), err);
    seconds[MEASURE_ENCODE] = measure_now() - start;
    *output_bytes = out.len;
    pith_buffer_free(&out);
    pith_doc_free(doc);
    return status == PITH_OK;
}

static bool run(void *ctx, const char *text, size_t len, double seconds[MEASURE_PARTS],
                size_t *output_bytes)
{
    const conversion *work = ctx;
    pith_error err;
    size_t again;
    if (!time_whole(work, text, len, &seconds[MEASURE_WHOLE], output_bytes, &err) ||
        !time_halves(work, text, len, seconds, &again, &err))
        return explain(work, &err);
    if (again != *output_bytes) { /* then the two did not do the same work */
        fprintf(stderr, "%s: %zu bytes in one step, %zu in two\n", work->path,
                *output_bytes, again);
        return false;
    }
    return true;
}

/* The output leaves as it is made, as on the command line. */
static pith_status discard(void *ctx, const char *data, size_t len)
{
    (void)ctx;
    (void)data;
    (void)len;
    return PITH_OK;
}

static bool convert(void *ctx, const char *text, size_t len)
{
    const conversion *work = ctx;
    pith_error err;
    pith_sink nowhere = {discard, NULL};
    if (pith_convert(work->from, work->to, text, len, &work->options, nowhere, &err))
        return explain(work, &err);
    return true;
}

static int measure(conversion *work)
{
    measure_subject subject = {run, convert, work, 0};
    measure_result result = {0};
    if (!measure_file(&subject, work->path, work->seconds, work->memory, &result))
        return EXIT_FAILED;
    measure_print("pith", pith_version(), work->path, work->from, work->to, &result);
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_FAILED;
}

/* ------------------------------------------------------------- command lines */

static void print_usage(FILE *file)
{
    fputs(
        "usage: pith-bench FILE FROM TO [--seconds S] [--warm] [--set word=value]...\n"
        "       pith-bench FILE FROM tokens [--seconds S] [--warm]\n"
        "       pith-bench generate KIND SIZE_MB SEED\n"
        "       pith-bench graph SYMBOLS\n"
        "       pith-bench dataset NAME SEED\n"
        "       pith-bench read FILE SECONDS\n"
        "\n"
        "The first prints one line of JSON: the speed of converting FILE, in MB of\n"
        "input a second, and the memory it takes. Every run takes its large blocks\n"
        "from the system, or with --warm from what the runs before left. A setting\n"
        "goes to each side that knows its word.\n"
        "The second counts the tokens of FILE instead of converting it.\n"
        "The fourth times a code graph, with three edges to a symbol. The fifth writes\n"
        "one of the documents that bench/sizes compares. The sixth reads a JSON file\n"
        "and the same as soch and soch-bin, by turns.\n"
        "The third writes a JSON file to stdout; the kinds are:\n",
        file);
    const shape *kind;
    for (size_t i = 0; (kind = shape_at(i)) != NULL; i++)
        fprintf(file, "    %-10s %s\n", kind->name, kind->summary);
    fputs("The fifth writes a small document, for sizes rather than for speed:\n", file);
    const dataset *set;
    for (size_t i = 0; (set = dataset_at(i)) != NULL; i++)
        fprintf(file, "    %-14s %s\n", set->name, set->summary);
}

static int usage(void)
{
    print_usage(stderr);
    return EXIT_USAGE;
}

static int refuse(const char *what, const char *which)
{
    fprintf(stderr, "pith-bench: %s: %s\n", what, which);
    return EXIT_USAGE;
}

/* A number in [least, most], or false. */
static bool read_number(const char *text, double least, double most, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && *out >= least && *out <= most;
}

static bool read_seed(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

static int generate_command(int argc, char **argv)
{
    double size_mb;
    uint64_t seed;
    if (argc != 5)
        return usage();
    const shape *kind = shape_find(argv[2]);
    if (kind == NULL)
        return refuse("no such kind of file", argv[2]);
    if (!read_number(argv[3], 0, 1e6, &size_mb))
        return refuse("expected a size in MB", argv[3]);
    if (!read_seed(argv[4], &seed))
        return refuse("expected a whole number as seed", argv[4]);
    if (!generate(kind, (size_t)(size_mb * 1e6 + 0.5), seed, stdout)) {
        perror("pith-bench: cannot write");
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

static int graph_command(int argc, char **argv)
{
    double symbols;
    if (argc != 3)
        return usage();
    if (!read_number(argv[2], 1, 1e8, &symbols))
        return refuse("expected a number of symbols", argv[2]);
    return graphs_measure((size_t)symbols) ? EXIT_DONE : EXIT_FAILED;
}

static int dataset_command(int argc, char **argv)
{
    uint64_t seed;
    if (argc != 4)
        return usage();
    const dataset *set = dataset_find(argv[2]);
    if (set == NULL)
        return refuse("no such set of data", argv[2]);
    if (!read_seed(argv[3], &seed))
        return refuse("expected a whole number as seed", argv[3]);
    if (!dataset_write(set, seed, stdout)) {
        perror("pith-bench: cannot write");
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

static int read_command(int argc, char **argv)
{
    double seconds;
    if (argc != 4)
        return usage();
    if (!read_number(argv[3], 0, 3600, &seconds))
        return refuse("expected a number of seconds", argv[3]);
    return readings_measure(argv[2], seconds) ? EXIT_DONE : EXIT_FAILED;
}

static bool knows(const char *format, unsigned side, const char *word, size_t len)
{
    const pith_format *known = pith_format_find(format);
    for (size_t i = 0; known != NULL && i < known->setting_count; i++) {
        const pith_setting *setting = &known->settings[i];
        if ((setting->direction & side) && strlen(setting->word) == len &&
            memcmp(setting->word, word, len) == 0)
            return true;
    }
    return false;
}

/* Settings of one side on their way into pith_options; there is room for all
 * arguments together. */
typedef struct settings {
    char *text;
    size_t len;
} settings;

static void append(settings *side, const char *setting)
{
    size_t len = strlen(setting);
    memcpy(side->text + side->len, setting, len);
    side->len += len;
    side->text[side->len++] = ' ';
}

/* Adds "word=value" on each side that knows the word. */
static bool add_setting(const conversion *work, const char *setting, settings *read,
                        settings *write)
{
    size_t len = strcspn(setting, "=");
    bool on_read = knows(work->from, PITH_READ, setting, len);
    bool on_write = knows(work->to, PITH_WRITE, setting, len);
    if (on_read)
        append(read, setting);
    if (on_write)
        append(write, setting);
    return on_read || on_write;
}

static int read_arguments(conversion *work, int argc, char **argv, settings *read,
                          settings *write)
{
    for (int i = 4; i < argc; i++) {
        if (strcmp(argv[i], "--warm") == 0) {
            work->memory = MEASURE_WARM;
            continue;
        }
        const char *option = argv[i];
        const char *value = argv[++i]; /* NULL after the last argument */
        if (value != NULL && strcmp(option, "--seconds") == 0) {
            if (!read_number(value, 0, 3600, &work->seconds))
                return refuse("expected a number of seconds", value);
        } else if (value != NULL && strcmp(option, "--set") == 0) {
            if (!add_setting(work, value, read, write))
                return refuse("neither format knows this setting", value);
        } else {
            return usage();
        }
    }
    work->options.read = read->text;
    work->options.write = write->text;
    return EXIT_DONE;
}

static int measure_command(int argc, char **argv)
{
    if (argc < 4)
        return usage();
    conversion work = {.path = argv[1], .from = argv[2], .to = argv[3], .seconds = 2};
    if (pith_format_find(work.from) == NULL)
        return refuse("no such format", work.from);
    bool counts = strcmp(work.to, COUNTING_WORD) == 0;
    if (!counts && pith_format_find(work.to) == NULL)
        return refuse("no such format", work.to);
    size_t room = 1;
    for (int i = 4; i < argc; i++)
        room += strlen(argv[i]) + 1;
    settings read = {calloc(room, 1), 0};
    settings write = {calloc(room, 1), 0};
    int code = EXIT_FAILED;
    if (read.text == NULL || write.text == NULL)
        perror("pith-bench");
    else
        code = read_arguments(&work, argc, argv, &read, &write);
    if (code == EXIT_DONE && counts) {
        code = counting_measure(work.path, work.from, work.seconds, work.memory)
                   ? EXIT_DONE
                   : EXIT_FAILED;
    } else if (code == EXIT_DONE) {
        code = measure(&work);
    }
    free(read.text);
    free(write.text);
    return code;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "generate") == 0)
        return generate_command(argc, argv);
    if (argc > 1 && strcmp(argv[1], "graph") == 0)
        return graph_command(argc, argv);
    if (argc > 1 && strcmp(argv[1], "dataset") == 0)
        return dataset_command(argc, argv);
    if (argc > 1 && strcmp(argv[1], "read") == 0)
        return read_command(argc, argv);
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        print_usage(stdout);
        return EXIT_DONE;
    }
    return measure_command(argc, argv);
}
