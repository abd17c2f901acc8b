/*
 * fuzz_delta.c - any bytes as an answer to someone who holds a snapshot.
 *
 *     byte 0   which snapshot is held: 0 none, 1 a table, 2 a map, 3 a graph
 *     the rest is the answer; %B in it stands for the root of what is held
 *
 * What must hold: the answer is refused with a reason, and what is held is what it was;
 * or it is accepted, and then the root of what is held is the root of its value.
 */
#include "fuzzing.h"

#include "base/text.h"

static const char *const snapshots[] = {
    NULL,
    "[{\"id\":1,\"n\":\"ann\"},{\"id\":2,\"n\":null},{\"id\":\"x\"}]",
    "{\"ann\":{\"age\":7},\"bob\":{\"age\":8,\"at\":\"sea\"}}",
    "{\"tool\":\"t\",\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"type\",\"score\":0.5,"
    "\"provenance\":\"p\",\"distance\":0},{\"qualified_name\":\"b\",\"kind\":\"type\","
    "\"score\":0.25,\"provenance\":\"p\",\"distance\":1}],\"edges\":[{\"source\":\"a\","
    "\"target\":\"b\",\"edge_type\":\"calls\"}]}",
};

/* The answer with roots in their places; the caller frees it. */
static char *put_roots(const uint8_t *data, size_t size, const char *root, size_t *len)
{
    size_t root_len = strlen(root);
    char *text = (char *)malloc(size * (root_len + 1) + 1);
    REQUIRE(text != NULL);
    *len = 0;
    for (size_t i = 0; i < size; i++) {
        if (data[i] == '%' && i + 1 < size && data[i + 1] == 'B') {
            memcpy(text + *len, root, root_len);
            *len += root_len;
            i++;
        } else {
            text[(*len)++] = (char)data[i];
        }
    }
    return text;
}

static void check_held(const pith_snapshot *consumer, const char *key)
{
    pith_root root;
    pith_value value = pith_snapshot_value(consumer);
    if (value.doc && key) {
        pith_error err = {0};
        pith_status status = pith_value_root(value, text_from(key), NULL, &root, &err);
        REQUIRE(status == PITH_OK);
        REQUIRE(strcmp(root.text, pith_snapshot_root(consumer)) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const keys[] = {"id", "id", "key", NULL};
    if (size < 1)
        return 0;
    unsigned which = data[0] & 3;
    pith_error err = {0};
    pith_delta_kind answer = PITH_DELTA_FULL;
    pith_policy policy = {.key = text_from(snapshots[which] ? keys[which] : NULL)};
    pith_snapshot *consumer = pith_snapshot_new(&policy, NULL, &err);
    REQUIRE(consumer != NULL);
    if (snapshots[which]) {
        pith_doc *doc = pith_doc_parse("json", snapshots[which], strlen(snapshots[which]),
                                       NULL, &err);
        REQUIRE(doc != NULL);
        REQUIRE(pith_snapshot_set(consumer, pith_doc_root(doc), &err) == PITH_OK);
        pith_doc_free(doc);
    }
    pith_root before;
    snprintf(before.text, sizeof before.text, "%s", pith_snapshot_root(consumer));
    size_t len;
    char *wide = put_roots(data + 1, size - 1, before.text, &len);
    char *text = fuzz_copy((const uint8_t *)wide, len);
    free(wide);
    pith_status status = pith_snapshot_apply(consumer, text, len, &answer, &err);
    if (status != PITH_OK) {
        REQUIRE(err.code != NULL && err.message[0] != '\0');
        REQUIRE(strcmp(pith_snapshot_root(consumer), before.text) == 0);
    } else if (answer != PITH_DELTA_FULL) {
        check_held(consumer, which == 0 || which == 3 ? NULL : keys[which]);
    }
    pith_snapshot_free(consumer);
    free(text);
    return 0;
}
