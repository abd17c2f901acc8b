/*
 * fixtures.c - finding and reading the files of a public suite.
 */
#define _POSIX_C_SOURCE 200809L

#include "fixtures.h"

#include <dirent.h>

enum { FIXTURES_MOST = 1024, FIXTURE_NAME_MOST = 256 };

static bool fixtures_in(char *path, const char *root, const char *suite)
{
    snprintf(path, FIXTURE_PATH_MOST, "%s/%s", root, suite);
    DIR *folder = opendir(path);
    if (folder) {
        closedir(folder);
    }
    return folder != NULL;
}

bool fixtures_find(char *path, const char *suite)
{
    const char *named = getenv("PITH_CONFORMANCE");
    if (named) {
        return fixtures_in(path, named, suite);
    }
#ifdef PITH_TESTS_DIR
    if (fixtures_in(path, PITH_TESTS_DIR "/../../shared/conformance", suite)) {
        return true;
    }
#endif
    return fixtures_in(path, "../shared/conformance", suite);
}

static int fixtures_by_name(const void *a, const void *b)
{
    return strcmp((const char *)a, (const char *)b);
}

static void fixtures_run(const char *path, const char *name, fixture_run each, void *ctx)
{
    char file_name[2 * FIXTURE_PATH_MOST];
    char block[4096];
    size_t got;
    pith_buffer text = {0};
    pith_sink sink = pith_sink_buffer(&text);
    snprintf(file_name, sizeof file_name, "%s/%s", path, name);
    FILE *file = fopen(file_name, "rb");
    assert_non_null(file);
    while ((got = fread(block, 1, sizeof block, file)) > 0) {
        assert_int_equal(sink.write(sink.ctx, block, got), PITH_OK);
    }
    fclose(file);
    pith_doc *doc = must_parse("json", text.data, text.len, NULL);
    each(ctx, name, pith_doc_root(doc));
    pith_doc_free(doc);
    pith_buffer_free(&text);
}

bool fixtures_each(const char *path, const char *folder, fixture_run each, void *ctx)
{
    static char names[FIXTURES_MOST][FIXTURE_NAME_MOST];
    char place[2 * FIXTURE_PATH_MOST];
    size_t count = 0;
    snprintf(place, sizeof place, "%s/%s", path, folder);
    DIR *open = opendir(place);
    if (!open) {
        return false;
    }
    for (struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
        size_t len = strlen(entry->d_name);
        if (len > 5 && strcmp(entry->d_name + len - 5, ".json") == 0) {
            assert_true(count < FIXTURES_MOST);
            snprintf(names[count++], FIXTURE_NAME_MOST, "%.100s/%.150s", folder,
                     entry->d_name);
        }
    }
    closedir(open);
    qsort(names, count, sizeof names[0], fixtures_by_name);
    for (size_t i = 0; i < count; i++) {
        fixtures_run(path, names[i], each, ctx);
    }
    return true;
}
