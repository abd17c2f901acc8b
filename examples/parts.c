/*
 * parts.c - rows without end as prompts of at most so many tokens.
 *
 * Each part is a table of its own. Here it is printed with its size; a program would send it
 * to a model.
 */
#include "pith.h"

#include <stdio.h>

static pith_status print_part(void *ctx, const pith_part *part)
{
    (void)ctx;
    printf("rows from %llu on, %zu tokens%s\n", (unsigned long long)part->first_row,
           part->tokens, part->too_long ? ", too long" : "");
    return fwrite(part->text, 1, part->len, stdout) == part->len ? PITH_OK : PITH_IO;
}

int main(void)
{
    static const pith_text columns[] = {{"step", 4}, {"square", 6}};
    pith_error err;
    pith_parts *parts =
        pith_parts_open("toon", columns, 2, 40, NULL, print_part, NULL, &err);
    pith_status status = parts ? PITH_OK : err.status;
    for (int64_t step = 1; status == PITH_OK && step <= 12; step++) {
        pith_cell row[] = {{.kind = PITH_CELL_INT64, .u.integer = step},
                           {.kind = PITH_CELL_INT64, .u.integer = step * step}};
        status = pith_parts_add_cells(parts, row, 2, &err);
    }
    pith_status closed = pith_parts_close(parts, &err);
    status = status == PITH_OK ? closed : status;
    if (status != PITH_OK)
        fprintf(stderr, "%s\n", err.message);
    return status == PITH_OK ? 0 : 1;
}
