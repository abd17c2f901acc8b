/*
 * select_path.c - reading paths, and following them.
 *
 *     paths   = path *( "," path )
 *     path    = pointer / [ "." ] part *( "." name / bracket )
 *     pointer = 1*( "/" name )                   ~1 is a stroke in it, ~0 a tilde
 *     part    = name / bracket
 *     bracket = "[" ( number / "*" / string ) "]"    a string as in JSON, taken literally
 *
 * A star in a name stands for any letters; a name that is a star alone is every member or
 * element.
 */
#include "doc/select_path.h"
#include "base/lex.h"
#include "base/num.h"
#include "base/utf8.h"

#include <string.h>

/* ------------------------------------------------------------------------ reading */

typedef struct path_reader {
    path_list *list;
    const pith_alloc *alloc;
    const char *at;
    const char *end;
    char *names; /* where the next name goes */
    path_rule rule;
    const char *word;
    pith_error *err;
} path_reader;

static pith_status path_bad(const path_reader *r, const char *expected)
{
    error_excerpt rest = error_quote(r->at, (size_t)(r->end - r->at));
    return r->at < r->end ? error_set(r->err, PITH_BAD_USE, "bad_setting",
                                      "setting %s: expected %s, found '%s'", r->word,
                                      expected, rest.text)
                          : error_set(r->err, PITH_BAD_USE, "bad_setting",
                                      "setting %s: expected %s, and it ends there",
                                      r->word, expected);
}

static bool path_ends(const path_reader *r)
{
    return r->at == r->end || (*r->at == ',' && r->rule != PATH_ONE);
}

static pith_status path_add_step(path_reader *r, path_step step)
{
    path_step *added = LIST_ADD(&r->list->steps, r->alloc);
    if (!added)
        return error_no_memory(r->err);
    *added = step;
    value_path *path = &r->list->paths.at[r->list->paths.count - 1];
    path->many = path->many || step.kind == STEP_PATTERN || step.kind == STEP_EACH;
    if (++path->count == PATH_LOST - 1)
        return path_bad(r, "fewer steps");
    return PITH_OK;
}

/* A number without zeros before it. */
static uint32_t path_index(pith_text name)
{
    uint64_t index;
    bool plain = name.len > 0 && (name.len == 1 || name.ptr[0] != '0') &&
                 scan_digits(name.ptr, name.ptr + name.len) == name.ptr + name.len;
    return plain && num_to_uint64(name, &index) && index < PATH_NO_INDEX ? (uint32_t)index
                                                                         : PATH_NO_INDEX;
}

static pith_status path_add_name(path_reader *r, pith_text name)
{
    path_step step = {STEP_NAME, name, PATH_NO_INDEX};
    if (name.len == 1 && name.ptr[0] == '*')
        step.kind = STEP_EACH;
    else if (name.len > 0 && memchr(name.ptr, '*', name.len))
        step.kind = STEP_PATTERN;
    else
        step.index = path_index(name);
    return path_add_step(r, step);
}

/* A name of a pointer, without the stroke before it. */
static pith_status path_read_pointed(path_reader *r)
{
    char *from = r->names;
    for (; !path_ends(r) && *r->at != '/'; r->at++) {
        bool escaped = *r->at == '~';
        if (escaped && (r->end - r->at < 2 || (r->at[1] != '0' && r->at[1] != '1')))
            return path_bad(r, "~0 or ~1 after a tilde");
        r->at += escaped;
        *r->names++ = !escaped ? *r->at : *r->at == '1' ? '/' : '~';
    }
    return path_add_name(r, text_between(from, r->names));
}

static pith_status path_read_dotted(path_reader *r)
{
    const char *from = r->at;
    while (!path_ends(r) && *r->at != '.' && *r->at != '[')
        r->at++;
    if (r->at == from)
        return path_bad(r, "a name");
    size_t len = (size_t)(r->at - from);
    char *name = r->names;
    memcpy(name, from, len);
    r->names += len;
    return path_add_name(r, text_of(name, len));
}

/* A string in brackets, up to the closing quote. */
static bool path_read_string(path_reader *r, pith_text *name)
{
    char *from = r->names;
    for (r->at++; r->at < r->end && *r->at != '"';) {
        uint32_t code;
        size_t used = 1;
        if (*r->at != '\\') {
            *r->names++ = *r->at++;
            continue;
        }
        if (lex_read_escape(r->at, r->end, &code, &used) != LEX_FINE)
            return false;
        r->names += utf8_encode(code, r->names); /* never longer than the escape */
        r->at += used;
    }
    *name = text_between(from, r->names);
    return r->at < r->end && r->at++;
}

static pith_status path_read_bracket(path_reader *r)
{
    pith_text name = {NULL, 0};
    path_step step = {STEP_INDEX, name, PATH_NO_INDEX};
    const char *from = ++r->at;
    if (r->at < r->end && *r->at == '"') {
        step.kind = STEP_NAME;
        if (!path_read_string(r, &step.name))
            return path_bad(r, "a string that ends with a quote");
    } else if (r->at < r->end && *r->at == '*') {
        step.kind = STEP_EACH;
        r->at++;
    } else {
        r->at = scan_digits(r->at, r->end);
        step.index = path_index(text_between(from, r->at));
        if (step.index == PATH_NO_INDEX) {
            r->at = from;
            return path_bad(r, "a number, * or a string in quotes after [");
        }
    }
    if (r->at == r->end || *r->at != ']')
        return path_bad(r, "]");
    r->at++;
    return path_add_step(r, step);
}

static pith_status path_read_steps(path_reader *r)
{
    bool pointer = r->at < r->end && *r->at == '/';
    bool dot = r->at < r->end && *r->at == '.';
    bool first = true;
    pith_status status = PITH_OK;
    do {
        if (!pointer && r->at < r->end && *r->at == '[') {
            status = path_read_bracket(r);
        } else if (first && !pointer && !dot) {
            status = path_read_dotted(r);
        } else if (r->at < r->end && *r->at == (pointer ? '/' : '.')) {
            r->at++;
            status = pointer ? path_read_pointed(r) : path_read_dotted(r);
        } else {
            status = path_bad(r, "a dot or [");
        }
        first = false;
    } while (status == PITH_OK && !path_ends(r));
    return status;
}

static pith_status path_read(path_reader *r)
{
    value_path *path = LIST_ADD(&r->list->paths, r->alloc);
    const char *from = r->at;
    if (!path)
        return error_no_memory(r->err);
    memset(path, 0, sizeof *path);
    path->first = r->list->steps.count;
    pith_status status = path_read_steps(r);
    path->spelled = text_between(from, r->at);
    const path_step *step = &r->list->steps.at[path->first];
    path->anywhere = status == PITH_OK && r->rule == PATH_LOOSE && path->count == 1 &&
                     *from != '/' && *from != '.' && step->kind != STEP_INDEX;
    return status;
}

pith_status path_list_read(path_list *list, pith_text text, path_rule rule,
                           const char *word, const pith_alloc *alloc, pith_error *err)
{
    assert(!list->names);
    list->names_size = text.len + 1;
    list->names = (char *)alloc_resize(alloc, NULL, 0, 2 * list->names_size);
    if (!list->names)
        return error_no_memory(err);
    char *spelled = list->names + list->names_size; /* the text may not live as long */
    memcpy(spelled, text.ptr, text.len);
    path_reader r = {list,        alloc, spelled, spelled + text.len,
                     list->names, rule,  word,    err};
    pith_status status = path_read(&r);
    while (status == PITH_OK && r.at < r.end) {
        r.at++; /* the comma */
        status = path_read(&r);
    }
    return status;
}

void path_list_free(path_list *list, const pith_alloc *alloc)
{
    LIST_FREE(&list->paths, alloc);
    LIST_FREE(&list->steps, alloc);
    alloc_free(alloc, list->names, 2 * list->names_size);
    memset(list, 0, sizeof *list);
}

/* ---------------------------------------------------------------------- following */

/* The place after the first `part` in the text; NULL when it is not there. */
static const char *path_find_part(pith_text text, pith_text part)
{
    while (text.len >= part.len) {
        const char *hit =
            (const char *)memchr(text.ptr, part.ptr[0], text.len - part.len + 1);
        if (!hit)
            return NULL;
        if (memcmp(hit, part.ptr, part.len) == 0)
            return hit + part.len;
        text = text_between(hit + 1, text.ptr + text.len);
    }
    return NULL;
}

/* Whether the text is what the pattern says. What stands between two stars is taken where it
 * comes first, which leaves the most for the rest: nothing is tried twice. */
static bool path_is_like(pith_text pattern, pith_text text)
{
    pith_text part = text_split(&pattern, '*');
    if (text.len < part.len || (part.len && memcmp(text.ptr, part.ptr, part.len) != 0))
        return false;
    text = text_after(text, part.len);
    while (pattern.len > 0 && memchr(pattern.ptr, '*', pattern.len)) {
        part = text_split(&pattern, '*');
        const char *after = part.len ? path_find_part(text, part) : text.ptr;
        if (!after)
            return false;
        text = text_between(after, text.ptr + text.len);
    }
    size_t tail = pattern.len;
    return text.len >= tail &&
           (tail == 0 || memcmp(text.ptr + text.len - tail, pattern.ptr, tail) == 0);
}

uint16_t path_into_member(const path_list *list, const value_path *path, uint16_t stands,
                          pith_text key)
{
    const path_step *step = path_step_at(list, path, stands);
    bool leads = false;
    switch (step->kind) {
    case STEP_NAME:
        leads = text_equal(step->name, key);
        break;
    case STEP_PATTERN:
        leads = path_is_like(step->name, key);
        break;
    case STEP_EACH:
        leads = true;
        break;
    case STEP_INDEX:
        break;
    }
    return leads ? (uint16_t)(stands + 1) : PATH_LOST;
}

uint16_t path_into_element(const path_list *list, const value_path *path, uint16_t stands,
                           uint64_t index)
{
    const path_step *step = path_step_at(list, path, stands);
    if (step->kind == STEP_EACH)
        return (uint16_t)(stands + 1);
    if (step->index == PATH_NO_INDEX)
        return stands;
    return step->index == index ? (uint16_t)(stands + 1) : PATH_LOST;
}
