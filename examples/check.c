/*
 * check.c - every problem in a text, each with its place.
 *
 * The format is known by the name of the file, or by the content. Try it with a file of
 * your own.
 */
#include "pith.h"

#include <stdio.h>

static bool print_problem(void *ctx, const pith_error *problem)
{
    printf("%s:%zu:%zu: %s [%s]\n", (const char *)ctx, problem->line, problem->column,
           problem->message, problem->code);
    return true; /* false would stop here */
}

int main(int argc, char **argv)
{
    static char text[1 << 20];
    const char *path = argc > 1 ? argv[1] : "orders.json";
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    size_t len = fread(text, 1, sizeof text, file);
    fclose(file);

    const pith_format *format = pith_format_of(path, text, len);
    if (!format)
        format = pith_format_find("json");
    pith_error err;
    pith_status status =
        pith_check(format->name, text, len, NULL, print_problem, (void *)path, &err);
    printf("%s: %s: %s\n", path, format->summary, pith_status_name(status));
    return status == PITH_OK ? 0 : 1;
}
