/*
 * arrive.c - feeds a file to pith_answer by pieces, looks at the document so far after each,
 * and prints the seconds that takes: arrive FILE PIECE
 */
#include <pith.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
    pith_buffer text = {0};
    pith_error err;
    char block[65536];
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    size_t piece = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    if (!file || piece == 0)
        return 2;
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        if (pith_sink_buffer(&text).write(&text, block, got) != PITH_OK)
            return 1;
    fclose(file);
    clock_t from = clock();
    size_t seen = 0;
    pith_answer *answer = pith_answer_open(NULL, &err);
    for (size_t at = 0; answer && at < text.len; at += piece) {
        size_t len = text.len - at < piece ? text.len - at : piece;
        if (pith_answer_feed(answer, text.data + at, len, &err) != PITH_OK)
            return 1;
        seen += pith_value_count(pith_answer_root(answer));
    }
    if (!answer || pith_answer_end(answer, &err) != PITH_OK || seen == 0)
        return 1;
    printf("%.4f\n", (double)(clock() - from) / CLOCKS_PER_SEC);
    pith_answer_free(answer);
    pith_buffer_free(&text);
    return 0;
}
