/*
 * arrow.c - a table as a stream of Arrow, and such a stream as text.
 *
 * A program that uses Arrow hands its own stream to pith_arrow_write; this one has a text
 * made into a stream first.
 */
#include <pith.h>
#include <stdio.h>
#include <string.h>

static const char rows[] = "[{\"id\":1,\"name\":\"Ada\",\"score\":0.5},"
                           "{\"id\":2,\"name\":\"Grace\",\"score\":null}]";

int main(void)
{
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    pith_error err = {0};
    if (pith_arrow_read("json", rows, strlen(rows), NULL, NULL, &stream, &err) !=
        PITH_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    if (stream.get_schema(&stream, &schema) == 0) {
        for (int64_t i = 0; i < schema.n_children; i++)
            printf("%s: %s\n", schema.children[i]->name, schema.children[i]->format);
        schema.release(&schema);
    }
    fflush(stdout);
    /* The stream is read to its end and released, whatever the outcome. */
    if (pith_arrow_write(&stream, "toon", NULL, pith_sink_fd(1), &err) != PITH_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    printf("\n");
    return 0;
}
