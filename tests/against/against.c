/*
 * against.c - any input, given to an older library and to this one: both must do the same.
 *
 *     byte 0          even: a text of the format follows; odd: a JSON text is made by
 *                     chance, written, and read back whole and with a mistake
 *     bytes 1 to 8    the seed of the settings, of the pieces and of what is made
 *     the rest        the text
 *
 * The format is the one that the environment variable AGAINST names. The first difference
 * is shown, and ends the program. `run` beside this file builds and starts it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff/mutate.h"
#include "making.h"
#include "random.h"
#include "side.h"

enum { SHOWN_MOST = 300, HEADER = 9 };

static const char *const others[] = {"json", "toon", "gcf",    "soch",    "pith",
                                     "csv",  "gcf1", "ndjson", "soch-bin"};

static void show(const char *label, const bytes *text, size_t at)
{
    size_t from = at > SHOWN_MOST ? at - SHOWN_MOST : 0;
    size_t most = text->len - from < 2 * SHOWN_MOST ? text->len - from : 2 * SHOWN_MOST;
    fprintf(stderr, "--- %s\n", label);
    fwrite(text->ptr + from, 1, most, stderr);
    fputc('\n', stderr);
}

static void compare(const side_input *in, bytes *made)
{
    bytes before = {0};
    bytes after = {0};
    bytes ignored = {0};
    old_run(in, &before, made);
    new_run(in, &after, &ignored);
    size_t same = 0;
    while (same < before.len && same < after.len && before.ptr[same] == after.ptr[same])
        same++;
    if (same < before.len || same < after.len) {
        fprintf(stderr, "%s differs; read '%s', write '%s'%s\n", in->format, in->read,
                in->write, in->is_json ? ", from JSON" : "");
        fprintf(stderr, "--- input (%zu bytes)\n", in->len);
        fwrite(in->text, 1, in->len < 2000 ? in->len : 2000, stderr);
        fputc('\n', stderr);
        show("before", &before, same);
        show("after", &after, same);
        abort();
    }
    bytes_free(&before);
    bytes_free(&after);
    bytes_free(&ignored);
}

static void compare_text(side_input *in, const char *text, size_t len)
{
    bytes made = {0};
    /* A block of its own, so that whatever reads beyond it is seen. */
    char *copy = malloc(len ? len : 1);
    if (copy) {
        memcpy(copy, text, len);
        in->text = copy;
        in->len = len;
        compare(in, &made);
    }
    free(copy);
    bytes_free(&made);
}

static void compare_made(side_input *in, uint64_t *seed, int table)
{
    bytes json = {0};
    bytes text = {0};
    make_json(&json, seed, table ? MAKE_TABLE : MAKE_ANY);
    if (json.len < 20000) {
        in->text = json.ptr;
        in->len = json.len;
        in->is_json = 1;
        compare(in, &text);
        in->is_json = 0;
        if (text.len > 0) {
            bytes wrong = {0};
            compare_text(in, text.ptr, text.len);
            mutate_text(&wrong, text.ptr, text.len, seed);
            compare_text(in, wrong.ptr, wrong.len);
            bytes_free(&wrong);
        }
    }
    bytes_free(&json);
    bytes_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char read[256];
    char write[256];
    uint64_t seed = 0;
    const char *format = getenv("AGAINST");
    if (size < HEADER || !format)
        return 0;
    memcpy(&seed, data + 1, sizeof seed);
    side_input in = {.format = format, .read = read, .write = write};
    if (seed == 0) { /* what the seeds in the corpus have: no settings */
        read[0] = write[0] = '\0';
    } else {
        old_settings(format, 1, &seed, read);
        old_settings(format, 2, &seed, write);
    }
    in.seed = random_next(&seed);
    in.other = others[random_below(&seed, sizeof others / sizeof *others)];
    if (data[0] % 2 == 0) {
        compare_text(&in, (const char *)data + HEADER, size - HEADER);
    } else {
        for (size_t i = 0; i < size - HEADER; i++)
            seed = seed * 31 + data[HEADER + i];
        compare_made(&in, &seed, data[0] & 2);
    }
    return 0;
}
