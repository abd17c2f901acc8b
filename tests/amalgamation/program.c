/*
 * A small program against the amalgamation, compiled as C11 and as C++17. The
 * functions of its own bear names that the library uses inside: were those visible
 * outside pith.c, the program would not link.
 */
#include "pith.h"

#include <stdio.h>
#include <string.h>

void out_byte(void);
void arena_init(void);

void out_byte(void)
{
}

void arena_init(void)
{
}

static bool convert_is(const char *from, const char *to, const char *text,
                       const char *expected)
{
    pith_buffer out;
    memset(&out, 0, sizeof out);
    pith_error err;
    pith_status status =
        pith_convert(from, to, text, strlen(text), NULL, pith_sink_buffer(&out), &err);
    bool same = status == PITH_OK && strcmp(out.data, expected) == 0;
    if (!same) {
        fprintf(stderr, "%s to %s: found %s, expected %s\n", from, to,
                status == PITH_OK ? out.data : err.message, expected);
    }
    pith_buffer_free(&out);
    return same;
}

int main(void)
{
    out_byte();
    arena_init();
    bool fine = strcmp(pith_version(), PITH_VERSION_TEXT) == 0;
    fine =
        convert_is("json", "json", " [1.50, {\"a\" : null}] ", "[1.50,{\"a\":null}]") &&
        fine;
    fine = convert_is("json", "ndjson", "[{\"a\":1},2]", "{\"a\":1}\n2\n") && fine;
    fine = convert_is("ndjson", "json", "{\"a\":1}\n2\n", "[{\"a\":1},2]") && fine;
    puts(fine ? "fine" : "not fine");
    return fine ? 0 : 1;
}
