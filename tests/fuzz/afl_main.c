/*
 * afl_main.c - a fuzz target under AFL++: many inputs in one process, through memory that
 * the fuzzer shares with it.
 *
 *     fuzz_json            under afl-fuzz
 *     fuzz_json FILE...    these inputs, to look at a finding again
 */
#include <unistd.h>

#include "fuzzing.h"

enum { AFL_ROUNDS = 10000 };

__AFL_FUZZ_INIT();

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 2;
    }
    uint8_t *data = NULL;
    size_t len = 0;
    size_t got = 1;
    while (got > 0) {
        data = (uint8_t *)realloc(data, len + 4096);
        REQUIRE(data != NULL);
        got = fread(data + len, 1, 4096, file);
        len += got;
    }
    fclose(file);
    LLVMFuzzerTestOneInput(data, len);
    free(data);
    return 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int status = run_file(argv[i]);
        if (status)
            return status;
    }
    if (argc > 1)
        return 0;
    __AFL_INIT();
    const uint8_t *data = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(AFL_ROUNDS))
        LLVMFuzzerTestOneInput(data, (size_t)__AFL_FUZZ_TESTCASE_LEN);
    return 0;
}
