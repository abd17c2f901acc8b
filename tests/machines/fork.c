/*
 * fork.c - a process forks while its threads read one document.
 *
 * The digits of doubles from a binary table are written when they are first asked for,
 * by whichever thread asks. The child of a fork has none of the other threads: were one of
 * them to hold something then, the child would wait for it for ever. So the child reads the
 * whole document, converts and counts, and has to end in time.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bytes.h"
#include "pith.h"

enum { THREADS = 3, FORKS = 30, ROWS = 4000, CHILD_SECONDS = 60 };

#define REQUIRE(condition)                                                               \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__,            \
                    #condition);                                                         \
            _exit(1);                                                                    \
        }                                                                                \
    } while (0)

/* A binary table of floats, whose digits nobody has asked for. */
static pith_buffer make_table(void)
{
    bytes text = {0};
    for (int row = 0; row < ROWS; row++)
        bytes_print(&text, "%s{\"x\":%.17g,\"y\":%.17g}", row ? "," : "[",
                    1.0 / (row + 3), 1e30 / (row + 7));
    bytes_put(&text, "]");
    pith_buffer out = {0};
    REQUIRE(pith_convert("json", "soch-bin", text.ptr, text.len, NULL,
                         pith_sink_buffer(&out), NULL) == PITH_OK);
    bytes_free(&text);
    return out;
}

/* The bytes of all digits, and in `*sum` what they are. */
static size_t read_digits(const pith_doc *doc, unsigned *sum)
{
    size_t len = 0;
    *sum = 0;
    pith_value row = pith_value_first(pith_doc_root(doc));
    for (; row.doc; row = pith_value_next(row)) {
        for (pith_value cell = pith_value_first(row); cell.doc;
             cell = pith_value_next(cell)) {
            pith_text digits = pith_value_text(cell);
            REQUIRE(digits.len > 0);
            len += digits.len;
            for (size_t i = 0; i < digits.len; i++)
                *sum = *sum * 31 + (unsigned char)digits.ptr[i];
        }
    }
    return len;
}

static void *read_all(void *doc)
{
    unsigned sum;
    REQUIRE(read_digits(doc, &sum) > 0);
    return NULL;
}

/* What is left of the process may use the document and make handles of its own. */
static void live_on(const pith_doc *doc, const pith_vocab *vocab, unsigned expected)
{
    alarm(CHILD_SECONDS);
    unsigned sum;
    read_digits(doc, &sum);
    REQUIRE(sum == expected);
    size_t count = 0;
    REQUIRE(pith_vocab_count(vocab, "some text", 9, NULL, &count, NULL) == PITH_OK);
    pith_buffer out = {0};
    REQUIRE(count == 2 && pith_value_write(pith_doc_root(doc), "toon", NULL,
                                           pith_sink_buffer(&out), NULL) == PITH_OK);
    pith_buffer_free(&out);
    _exit(0);
}

int main(void)
{
    pith_buffer table = make_table();
    pith_vocab *vocab = pith_vocab_open(NULL, NULL, NULL);
    REQUIRE(vocab);
    unsigned expected = 0;
    for (int round = -1; round < FORKS; round++) {
        pith_doc *doc = pith_doc_parse("soch-bin", table.data, table.len, NULL, NULL);
        REQUIRE(doc);
        if (round < 0) {
            read_digits(doc, &expected); /* alone, to know what is right */
            pith_doc_free(doc);
            continue;
        }
        pthread_t threads[THREADS];
        for (size_t i = 0; i < THREADS; i++)
            REQUIRE(!pthread_create(&threads[i], NULL, read_all, doc));
        pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0)
            live_on(doc, vocab, expected);
        int how = 0;
        REQUIRE(waitpid(child, &how, 0) == child);
        REQUIRE(WIFEXITED(how) && WEXITSTATUS(how) == 0);
        for (size_t i = 0; i < THREADS; i++)
            REQUIRE(!pthread_join(threads[i], NULL));
        pith_doc_free(doc);
    }
    printf("%d forks, and every child read on\n", FORKS);
    pith_vocab_free(vocab);
    pith_buffer_free(&table);
    return 0;
}
