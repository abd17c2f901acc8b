/* A small C program that uses the installed library; it prints its result. */
#include <pith.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *text = "{\"id\": 7, \"tags\": [\"a\", \"b\"]}";
    pith_error err;
    pith_doc *doc = pith_doc_parse("json", text, strlen(text), NULL, &err);
    if (!doc) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    int64_t id = 0;
    pith_value root = pith_doc_root(doc);
    bool whole = pith_value_int64(pith_value_get(root, "id", 2), &id);
    size_t tags = pith_value_count(pith_value_get(root, "tags", 4));
    pith_doc_free(doc);
    printf("pith %s: id %d, %d tags\n", pith_version(), whole ? (int)id : -1, (int)tags);
    return strcmp(pith_version(), PITH_VERSION_TEXT) == 0 ? 0 : 1;
}
