/*
 * path.c - the way from a value down to one that is in it.
 *
 * Scalars do not know what they are in, so the way is searched from above: of each
 * container the child that reaches beyond the place. That takes as long as reading the
 * tape once, and is done when something has failed.
 */
#include "doc/path.h"

#include "base/utf8.h"

#include <assert.h>
#include <stdio.h>

enum { PATH_MOST = 80, PATH_CUT_LEN = 3 };

typedef struct doc_path {
    char text[PATH_MOST];
    size_t len;
} doc_path;

/* Adds a step; where there is no room for it, the first ones make room. */
static void path_add(doc_path *path, const char *step)
{
    size_t more = strlen(step);
    assert(more + PATH_CUT_LEN < PATH_MOST);
    if (path->len + more >= PATH_MOST) {
        size_t keep = PATH_MOST - 1 - more - PATH_CUT_LEN;
        const char *from = path->text + path->len - keep;
        while (keep > 0 && utf8_is_continuation(*from)) {
            from++;
            keep--;
        }
        memmove(path->text + PATH_CUT_LEN, from, keep);
        memcpy(path->text, "...", PATH_CUT_LEN);
        path->len = PATH_CUT_LEN + keep;
    }
    memcpy(path->text + path->len, step, more + 1);
    path->len += more;
}

/* Letters, digits and _, which need no quotes. */
static bool path_is_word(const pith_key *key)
{
    for (uint32_t i = 0; i < key->len; i++) {
        unsigned char c = (unsigned char)key->text[i];
        bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        if (!letter && !(c >= '0' && c <= '9') && c != '_')
            return false;
    }
    return key->len > 0;
}

static void path_add_key(doc_path *path, const pith_key *key)
{
    char step[72];
    error_excerpt name = error_quote(key->text, key->len);
    if (!path_is_word(key))
        snprintf(step, sizeof step, "[\"%s\"]", name.text);
    else
        snprintf(step, sizeof step, "%s%s", path->len > 0 ? "." : "", name.text);
    path_add(path, step);
}

static void path_add_index(doc_path *path, uint32_t index)
{
    char step[16];
    snprintf(step, sizeof step, "[%u]", (unsigned)index);
    path_add(path, step);
}

/* Adds the step into the container at `from`, towards `at`; the child it leads to. */
static uint32_t path_go_down(doc_path *path, const pith_doc *doc, uint32_t from,
                             uint32_t at)
{
    const pith_slot *container = &doc->slots[from];
    assert(slot_is_container(container) && from < at);
    uint32_t index = 0;
    uint32_t child = from + 1;
    for (; doc_after_at(doc, child) <= at; index++)
        child = doc_after_at(doc, child);
    if (container->kind == PITH_OBJECT)
        path_add_key(path, &doc_keys(doc, container)[index]);
    else
        path_add_index(path, index);
    return child;
}

void error_put_path(pith_error *err, const pith_doc *doc, uint32_t root, uint32_t at)
{
    doc_path path = {.len = 0};
    char message[sizeof err->message];
    if (!err || at == root)
        return;
    for (uint32_t child = root; child != at;)
        child = path_go_down(&path, doc, child, at);
    memcpy(message, err->message, sizeof message);
    error_set(err, err->status, err->code, "%s: %s", path.text, message);
}
