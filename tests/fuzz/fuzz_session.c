/*
 * fuzz_session.c - any bytes as a saved session.
 *
 *     byte 0   bit 0     the bytes are what is hashed: the right hash goes after them
 *     byte 1   nothing
 *     the rest is the file
 *
 * What must hold: it is refused, and the session is what it was; or it is taken, and then
 * saving it gives the same bytes. With the right hash after them the bytes get past the
 * first check, to all the others.
 */
#include "fuzzing.h"
#include "graphs.h"

#include "base/sha256.h"

static pith_buffer save(const pith_session *session)
{
    pith_buffer out = {0};
    REQUIRE(pith_session_save(session, pith_sink_buffer(&out), NULL) == PITH_OK);
    return out;
}

static void check_restore(const char *data, size_t len)
{
    static const char start[] = "GCF profile=graph session=true\n## targets\n"
                                "@0 fn a 0.50 p\n@1 fn b 0.25 p\n";
    pith_session *session = pith_session_new(NULL, NULL);
    code_graph *graph = made_graph_new(NULL);
    pith_error err = {0};
    REQUIRE(made_graph_hear(session, graph, start, sizeof start - 1, 1, NULL) == PITH_OK);
    pith_buffer before = save(session);
    pith_status status = pith_session_restore(session, data, len, &err);
    pith_buffer after = save(session);
    if (status == PITH_OK) {
        REQUIRE(after.len == len && memcmp(after.data, data, len) == 0);
    } else {
        REQUIRE(status == PITH_BAD_INPUT && strcmp(err.code, "bad_session") == 0);
        REQUIRE(after.len == before.len &&
                memcmp(after.data, before.data, after.len) == 0);
    }
    pith_buffer_free(&before);
    pith_buffer_free(&after);
    pith_session_free(session);
    made_graph_free(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t len = size - 2;
    uint8_t *file = (uint8_t *)malloc(len + SHA256_BYTES);
    REQUIRE(file != NULL);
    memcpy(file, data + 2, len);
    if (data[0] & 1) {
        sha256 hash;
        sha256_init(&hash);
        sha256_add(&hash, file, len);
        sha256_end(&hash, file + len);
        len += SHA256_BYTES;
    }
    char *copy = fuzz_copy(file, len);
    check_restore(copy, len);
    free(copy);
    free(file);
    return 0;
}
