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
    if (!fixtures_find(root, suite))
        return false;
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

/* The names in a folder that end with `ending`, in order; as many as there are, or
 * SIZE_MAX when there is no such folder. */
static size_t suite_list(const char *place, const char *ending,
                         char (*names)[SUITE_NAME_MOST])
{
    size_t count = 0;
    DIR *open = opendir(place);
    if (!open)
        return SIZE_MAX;
    for (struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
        size_t len = strlen(entry->d_name);
        size_t end = strlen(ending);
        if (entry->d_name[0] != '.' && len > end &&
            strcmp(entry->d_name + len - end, ending) == 0) {
            assert_true(count < SUITE_FILES_MOST);
            snprintf(names[count++], SUITE_NAME_MOST, "%.200s", entry->d_name);
        }
    }
    closedir(open);
    qsort(names, count, sizeof names[0], suite_by_name);
    return count;
}

bool suite_each(const char *path, const char *folder, suite_case each, void *ctx)
{
    static char names[SUITE_FILES_MOST][SUITE_NAME_MOST];
    char place[2 * SUITE_PATH_MOST];
    char name[2 * SUITE_NAME_MOST];
    snprintf(place, sizeof place, "%s/%s", path, folder);
    size_t count = suite_list(place, ".json", names);
    for (size_t i = 0; count != SIZE_MAX && i < count; i++) {
        snprintf(name, sizeof name, "%.200s/%s", folder, names[i]);
        suite_run(path, name, each, ctx);
    }
    return count != SIZE_MAX;
}

void suite_all(const char *path, suite_case each, void *ctx)
{
    static char folders[SUITE_FILES_MOST][SUITE_NAME_MOST];
    size_t count = suite_list(path, "", folders);
    assert_true(count != SIZE_MAX);
    for (size_t i = 0; i < count; i++)
        suite_each(path, folders[i], each, ctx);
}
