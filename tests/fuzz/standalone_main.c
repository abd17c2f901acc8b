/*
 * standalone_main.c - a fuzz target without a fuzzer: the same inputs in every run.
 *
 *     fuzz_json_short RUNS      that many inputs, made from a fixed seed
 *     fuzz_json_short FILE...   exactly these inputs, to look at a failure again
 *
 * A run that fails says its number; with FUZZ_KEEP=<number> in the environment the
 * input of that run is written to a file.
 *
 * First come the files of the target's corpus, tests/fuzz/corpus/<target>/, and all that a
 * fuzzer ever found, tests/fuzz/found/<target>/, as they are. Of the rest a quarter is made
 * up: values nested at random, written the way people and machines write JSON, and broken
 * now and then, with two bytes before them that choose settings. The others are those files
 * with bytes changed, cut, doubled, crossed with each other, and with words of the target's
 * dictionary put in.
 */
#include <dirent.h>
#include <signal.h>

#include "bytes.h"
#include "fuzzing.h"
#include "random.h"

#ifndef PITH_TESTS_DIR
#define PITH_TESTS_DIR "tests"
#endif

enum { SEEDS_MOST = 512, WORDS_MOST = 256, MADE_DEPTH_MOST = 8, MUTATIONS_MOST = 6 };

typedef struct seeds {
    bytes files[SEEDS_MOST];
    size_t count;
    bytes words[WORDS_MOST]; /* of the dictionary */
    size_t word_count;
} seeds;

/* ----------------------------------------------------------------- making values */

/* Pieces of strings that are right. */
static const char *const string_parts[] = {
    "a",
    "name",
    "0123456789abcdef",
    " ",
    "\\n",
    "\\\"",
    "\\\\",
    "\\u0041",
    "\\u0000",
    "\\u20ac",
    "\\ud83d\\ude00",
    "\xc3\xa9",
    "\xe2\x82\xac",
    "\xf0\x9f\x98\x80",
    "/",
    "\\/",
    "\x7f",
    "long enough for a block",
};

static const char *const number_parts[] = {
    "0",
    "-0",
    "1",
    "-1",
    "42",
    "0.5",
    "1.50",
    "1e5",
    "1E-5",
    "9223372036854775807",
    "18446744073709551616",
    "123456789.123456789e-12",
};

/* What may be wrong. */
static const char *const faults[] = {
    "01",
    "1.",
    "-",
    "tru",
    "nul",
    "\\q",
    "\"",
    "\\ud800",
    "\xff",
    "\xc3",
    "\xed\xa0\x80",
    "\x01",
    ",,",
    "]",
    "}",
    ":",
    "{",
    "[",
    "'a'",
    "//",
    "NaN",
    "\xef\xbb\xbf",
    "\n\n",
    "\\u12",
};

static void make_string(bytes *to, uint64_t *seed)
{
    bytes_put(to, "\"");
    size_t parts = random_below(seed, 4);
    for (size_t i = 0; i < parts; i++) {
        size_t count = sizeof string_parts / sizeof *string_parts;
        bytes_put(to, string_parts[random_below(seed, count)]);
    }
    bytes_put(to, "\"");
}

static void make_space(bytes *to, uint64_t *seed)
{
    static const char *const kinds[] = {" ", "  ", "\t", "\r\n", "\n"};
    if (random_below(seed, 8) == 0)
        bytes_put(to, kinds[random_below(seed, 5)]);
}

/* One value; recursion is bounded by MADE_DEPTH_MOST. */
static void make_value(bytes *to, uint64_t *seed, size_t depth)
{
    static const char *const words[] = {"null", "true", "false"};
    make_space(to, seed);
    size_t kind = random_below(seed, depth < MADE_DEPTH_MOST ? 10 : 6);
    if (kind < 2) {
        bytes_put(
            to,
            number_parts[random_below(seed, sizeof number_parts / sizeof *number_parts)]);
    } else if (kind < 5) {
        make_string(to, seed);
    } else if (kind < 6) {
        bytes_put(to, words[random_below(seed, 3)]);
    } else {
        bool object = kind >= 8;
        size_t count = random_below(seed, random_below(seed, 20) == 0 ? 60 : 5);
        bytes_put(to, object ? "{" : "[");
        for (size_t i = 0; i < count; i++) {
            if (i)
                bytes_put(to, ",");
            make_space(to, seed);
            if (object) {
                if (random_below(seed, 3))
                    bytes_print(to, "\"k%zu\"", i);
                else
                    make_string(to, seed);
                make_space(to, seed);
                bytes_put(to, ":");
            }
            make_value(to, seed, depth + 1);
        }
        make_space(to, seed);
        bytes_put(to, object ? "}" : "]");
    }
    make_space(to, seed);
}

static void make_text(bytes *to, uint64_t *seed)
{
    size_t lines = random_below(seed, 3) ? 1 : 1 + random_below(seed, 6);
    for (size_t i = 0; i < lines; i++) {
        if (i)
            bytes_put(to, random_below(seed, 4) ? "\n" : "\r\n");
        make_value(to, seed, 0);
    }
}

/* --------------------------------------------------------------------- mutations */

/* Puts `len` bytes in place of `gone` bytes at `at`. */
static void splice(bytes *text, size_t at, size_t gone, const char *data, size_t len)
{
    bytes made = {0};
    const char *from = text->ptr ? text->ptr : "";
    bytes_add(&made, from, at);
    bytes_add(&made, data, len);
    bytes_add(&made, from + at + gone, text->len - at - gone);
    bytes_free(text);
    *text = made;
}

static void mutate(bytes *text, uint64_t *seed, const bytes *other, const seeds *all)
{
    size_t at = random_below(seed, text->len + 1);
    size_t left = text->len - at;
    size_t some = left ? random_below(seed, left < 16 ? left + 1 : 16) : 0;
    const char *fault = faults[random_below(seed, sizeof faults / sizeof *faults)];
    char byte = (char)random_below(seed, 256);
    bytes piece = {0};
    switch (random_below(seed, all->word_count ? 10 : 7)) {
    case 7:
    case 8:
    case 9: {
        const bytes *word = &all->words[random_below(seed, all->word_count)];
        splice(text, at, random_below(seed, 2) ? some : 0, word->ptr, word->len);
        break;
    }
    case 0:
        splice(text, at, left ? 1 : 0, &byte, 1);
        break;
    case 1:
        splice(text, at, some, "", 0);
        break;
    case 2:
        splice(text, at, 0, fault, strlen(fault));
        break;
    case 3:
        bytes_add(&piece, (text->ptr ? text->ptr : "") + at, some);
        splice(text, at, 0, piece.ptr, piece.len);
        break;
    case 4:
        text->len = at;
        break;
    case 5:
        if (other->len) {
            size_t from = random_below(seed, other->len);
            splice(text, at, some, other->ptr + from, (other->len - from) / 2 + 1);
        }
        break;
    default:
        if (left)
            text->ptr[at] = (char)(text->ptr[at] ^ (1 << random_below(seed, 8)));
    }
    bytes_free(&piece);
}

/* ------------------------------------------------------------------------ corpus */

static bool read_file(const char *path, bytes *to)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    char block[4096];
    size_t len;
    while ((len = fread(block, 1, sizeof block, file)) > 0)
        bytes_add(to, block, len);
    fclose(file);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The files of a folder in the order of their names, which is the same everywhere. */
static void read_folder(seeds *all, const char *kind, const char *target)
{
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/fuzz/%s/%s", PITH_TESTS_DIR, kind, target);
    char *names[SEEDS_MOST];
    size_t count = 0;
    DIR *dir = opendir(folder);
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        REQUIRE(all->count + count < SEEDS_MOST);
        size_t size = strlen(folder) + strlen(entry->d_name) + 2;
        names[count] = (char *)malloc(size);
        REQUIRE(names[count] != NULL);
        snprintf(names[count], size, "%s/%s", folder, entry->d_name);
        count++;
    }
    closedir(dir);
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        REQUIRE(read_file(names[i], &all->files[all->count++]));
        free(names[i]);
    }
}

/* A word of a dictionary: what stands in quotes in a line, with its escapes. */
static void read_word(const char *line, bytes *word)
{
    const char *at = strchr(line, '"');
    for (at++; *at && *at != '"'; at++) {
        char byte = *at;
        if (byte == '\\' && at[1] == 'x') {
            char digits[3] = {at[2], at[3], '\0'};
            byte = (char)strtoul(digits, NULL, 16);
            at += 3;
        } else if (byte == '\\') {
            byte = *++at;
        }
        bytes_add(word, &byte, 1);
    }
}

static void read_words(seeds *all, const char *target)
{
    char path[1024];
    char line[1024];
    snprintf(path, sizeof path, "%s/fuzz/%s.dict", PITH_TESTS_DIR, target);
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    while (fgets(line, sizeof line, file)) {
        if (line[0] != '#' && strchr(line, '"')) {
            REQUIRE(all->word_count < WORDS_MOST);
            read_word(line, &all->words[all->word_count++]);
        }
    }
    fclose(file);
}

/* Every target has a corpus and a dictionary. */
static void read_seeds(seeds *all, const char *target)
{
    read_folder(all, "corpus", target);
    REQUIRE(all->count > 0);
    read_folder(all, "found", target);
    read_words(all, target);
}

/* The target's name: the program's, without folder and without "_short". */
static void target_name(const char *program, char *name, size_t size)
{
    const char *slash = strrchr(program, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : program);
    char *tail = strstr(name, "_short");
    if (tail)
        *tail = '\0';
}

/* -------------------------------------------------------------------------- runs */

static void run_one(const bytes *input)
{
    LLVMFuzzerTestOneInput((const uint8_t *)input->ptr, input->len);
}

/* The run that is under way, for whoever must report its death. */
static volatile size_t current_run;

/* libc's way out (a requirement that does not hold) and the sanitizers' one. */
static void tell_run(void)
{
    fprintf(stderr, "in run %zu; FUZZ_KEEP=%zu writes its input to a file\n",
            (size_t)current_run, (size_t)current_run);
}

static void on_abort(int signal_number)
{
    (void)signal_number;
    tell_run();
}

#if defined(__GNUC__)
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
#endif

static void report_deaths(void)
{
    signal(SIGABRT, on_abort);
#if defined(__GNUC__)
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(tell_run);
#endif
}

/* Leaves the input where the program was started. */
static void leave(const bytes *input, const char *target, size_t run)
{
    char path[256];
    snprintf(path, sizeof path, "%s-run-%zu.input", target, run);
    FILE *file = fopen(path, "wb");
    if (!file)
        return;
    fwrite(input->ptr, 1, input->len, file);
    fclose(file);
    fprintf(stderr, "the input of run %zu is in %s\n", run, path);
}

/* The input of a run: made up, or from the corpus, and then changed. */
static bytes make_input(const seeds *all, size_t run)
{
    uint64_t seed = 0x70697468u + run * 1000003u;
    const bytes *other = &all->files[random_below(&seed, all->count)];
    bytes input = {0};
    if (run < all->count) { /* first the corpus as it is */
        bytes_add(&input, all->files[run].ptr, all->files[run].len);
        return input;
    }
    if (run % 4 == 0) {
        char options[2] = {(char)random_below(&seed, 256),
                           (char)random_below(&seed, 256)};
        bytes_add(&input, options, 2);
        make_text(&input, &seed);
    } else {
        const bytes *one = &all->files[random_below(&seed, all->count)];
        bytes_add(&input, one->ptr, one->len);
    }
    size_t mutations = random_below(&seed, 3) ? random_below(&seed, MUTATIONS_MOST) : 0;
    for (size_t i = 0; i < mutations; i++)
        mutate(&input, &seed, other, all);
    return input;
}

static void run_many(const seeds *all, const char *target, size_t runs)
{
    const char *keep = getenv("FUZZ_KEEP");
    size_t kept = keep ? (size_t)strtoul(keep, NULL, 10) : SIZE_MAX;
    report_deaths();
    for (size_t run = 0; run < runs; run++) {
        current_run = run;
        bytes input = make_input(all, run);
        if (run == kept)
            leave(&input, target, run);
        run_one(&input);
        bytes_free(&input);
    }
}

int main(int argc, char **argv)
{
    char target[128];
    char *end = NULL;
    target_name(argv[0], target, sizeof target);
    size_t runs = argc == 2 ? (size_t)strtoul(argv[1], &end, 10) : 0;
    if (argc == 2 && end != argv[1] && *end == '\0') {
        seeds *all = (seeds *)calloc(1, sizeof *all);
        REQUIRE(all != NULL);
        read_seeds(all, target);
        run_many(all, target, runs < all->count ? all->count : runs);
        printf("%s: %zu runs from %zu seeds\n", target, runs, all->count);
        for (size_t i = 0; i < all->count; i++)
            bytes_free(&all->files[i]);
        for (size_t i = 0; i < all->word_count; i++)
            bytes_free(&all->words[i]);
        free(all);
        return 0;
    }
    if (argc < 2) {
        fprintf(stderr, "usage: %s RUNS | FILE...\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        bytes input = {0};
        if (!read_file(argv[i], &input)) {
            perror(argv[i]);
            return 2;
        }
        run_one(&input);
        bytes_free(&input);
    }
    printf("%s: %d files\n", target, argc - 1);
    return 0;
}
