/*
 * suite.c - finding and reading the files of a public suite.
 */
#define _POSIX_C_SOURCE 200809L

#include "suite.h"

#include "fixtures.h"

#include <dirent.h>

enum { SUITE_FILES_MOST = 1024, SUITE_NAME_MOST = 256 };

bool suite_find(char *path, const char *suite)
{
    char root[FIXTURE_PATH_MOST];
    if (!fixtures_find(root, suite)) {
        return false;
    }
    snprintf(path, SUITE_PATH_MOST, "%s/%s", root, suite);
    return true;
}

static int suite_by_name(const void *a, const void *b)
{
    return strcmp((const char *)a, (const char *)b);
}

static void suite_run(const char *path, const char *name, suite_case each, void *ctx)
{
    char file_name[2 * SUITE_PATH_MOST];
    snprintf(file_name, sizeof file_name, "%s/%s", path, name);
    pith_buffer text = fixtures_read(file_name);
    pith_doc *doc = must_parse("json", text.data, text.len, NULL);
    each(ctx, name, pith_doc_root(doc));
    pith_doc_free(doc);
    pith_buffer_free(&text);
}

bool suite_each(const char *path, const char *folder, suite_case each, void *ctx)
{
    static char names[SUITE_FILES_MOST][SUITE_NAME_MOST];
    char place[2 * SUITE_PATH_MOST];
    size_t count = 0;
    snprintf(place, sizeof place, "%s/%s", path, folder);
    DIR *open = opendir(place);
    if (!open) {
        return false;
    }
    for (struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
        size_t len = strlen(entry->d_name);
        if (len > 5 && strcmp(entry->d_name + len - 5, ".json") == 0) {
            assert_true(count < SUITE_FILES_MOST);
            snprintf(names[count++], SUITE_NAME_MOST, "%.100s/%.150s", folder,
                     entry->d_name);
        }
    }
    closedir(open);
    qsort(names, count, sizeof names[0], suite_by_name);
    for (size_t i = 0; i < count; i++) {
        suite_run(path, names[i], each, ctx);
    }
    return true;
}
