/*
 * taking.c - feeding a reader in pieces.
 */
#include "taking.h"

#include "testing.h"

bool take_rows(const char *format, const char *read, const char *data, size_t len,
               size_t size, bytes *rows, pith_error *err)
{
    pith_options options = {.read = read};
    pith_reader *reader = pith_reader_open(format, &options, err);
    assert_non_null(reader);
    bool fine = true;
    for (size_t at = 0; fine && at <= len; at += size) {
        size_t piece = len - at < size ? len - at : size;
        /* A block of its own, so that nothing outlives it. */
        char *copy = malloc(piece ? piece : 1);
        assert_non_null(copy);
        memcpy(copy, data + at, piece);
        fine = pith_reader_feed(reader, copy, piece, err) == PITH_OK;
        free(copy);
        if (fine && at + size > len)
            fine = pith_reader_end(reader, err) == PITH_OK;
        while (fine) {
            pith_value row;
            fine = pith_reader_next(reader, &row, err) == PITH_OK;
            if (!fine || !row.doc)
                break;
            pith_buffer out = must_write(row, "json", NULL);
            bytes_add(rows, out.data, out.len);
            bytes_put(rows, "\n");
            pith_buffer_free(&out);
        }
    }
    pith_reader_free(reader);
    return fine;
}
