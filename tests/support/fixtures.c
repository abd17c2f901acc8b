/*
 * fixtures.c - finding and reading the public fixtures.
 */
#define _POSIX_C_SOURCE 200809L

#include "fixtures.h"
#include "testing.h"

#include <dirent.h>

bool fixtures_have(const char *path)
{
    DIR *folder = opendir(path);
    if (folder)
        closedir(folder);
    return folder != NULL;
}

/* True when `root` holds the suite; then it is the path. */
static bool is_root(char *path, const char *root, const char *suite)
{
    char probe[FIXTURE_PATH_MOST + 64];
    snprintf(probe, sizeof probe, "%s/%s", root, suite);
    snprintf(path, FIXTURE_PATH_MOST, "%s", root);
    return fixtures_have(probe);
}

bool fixtures_find(char *path, const char *suite)
{
    const char *named = getenv("PITH_CONFORMANCE");
    if (named)
        return is_root(path, named, suite);
    static const char *const near[] = {
#ifdef PITH_TESTS_DIR
        PITH_TESTS_DIR "/../build/conformance",
        PITH_TESTS_DIR "/../../shared/conformance",
#endif
        "build/conformance",
        "../shared/conformance",
        "../../shared/conformance",
        "../../../shared/conformance"};
    for (size_t i = 0; i < ROWS(near); i++)
        if (is_root(path, near[i], suite))
            return true;
    return false;
}

pith_buffer fixtures_read(const char *path)
{
    pith_buffer text = {0};
    char block[4096];
    size_t got;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    pith_sink sink = pith_sink_buffer(&text);
    while ((got = fread(block, 1, sizeof block, file)) > 0)
        assert_int_equal(sink.write(sink.ctx, block, got), PITH_OK);
    fclose(file);
    return text;
}

pith_buffer fixtures_own(const char *name)
{
    char path[FIXTURE_PATH_MOST];
#ifdef PITH_TESTS_DIR
    snprintf(path, sizeof path, "%s/vectors/%s", PITH_TESTS_DIR, name);
#else
    snprintf(path, sizeof path, "tests/vectors/%s", name);
#endif
    return fixtures_read(path);
}

static bool skipped;

void fixtures_skip(const char *what)
{
    printf("%s: skipped, it is not here; './dev conformance' says where to get it\n",
           what);
    skipped = true;
    skip();
}

int fixtures_result(int failed)
{
    return failed == 0 && skipped ? FIXTURES_SKIPPED : failed;
}
