/*
 * calls.h - the requests that have not been answered.
 */
#ifndef PITH_PROXY_CALLS_H
#define PITH_PROXY_CALLS_H

#include "policy.h"
#include "span.h"

#include <stdint.h>

/* Beyond these a request is passed on and forgotten: its answer stays as it is. */
enum { CALLS_MOST = 10000, CALL_TEXT_MOST = 1024, TOOLS_MOST = 10000 };

typedef enum call_kind {
    CALL_OTHER,
    CALL_TOOL, /* tools/call, or tasks/result of such a call */
    CALL_LIST  /* tools/list */
} call_kind;

typedef struct call {
    call_kind kind;
    bool modern;       /* of the era without sessions */
    bool answered;     /* by us, since it took too long: its answer is dropped */
    const policy *how; /* of CALL_TOOL */
    char *tool;        /* likewise */
    uint64_t same;     /* likewise: equal for calls with equal arguments */
    char *id;          /* as it was written */
    uint64_t deadline; /* in milliseconds; 0 for none */
} call;

/* Zeroed: none. */
typedef struct calls {
    call *at;
    size_t count, cap;
} calls;

/* Whether two ids are the same, however they are escaped. */
bool calls_same_id(span a, span b);

/* Notes a request, whose `id` and `tool` are copied. NULL when there are too many, or when
 * out of memory. */
call *calls_add(calls *all, span id, const char *tool);

/* The request that an answer belongs to, which is then forgotten: into `found`, whose
 * texts the caller frees with call_free. */
bool calls_take(calls *all, span id, call *found);
void call_free(call *one);
void calls_free(calls *all);

/* --- tools as tools/list named them, and tasks that calls became */

typedef struct known {
    char *name;
    char *tool; /* of a task: the tool that it runs */
    bool ui;    /* of a tool: an interface is made of its structuredContent */
} known;

typedef struct known_list {
    known *at;
    size_t count, cap;
} known_list;

/* The one of that name, or NULL. */
known *known_find(const known_list *all, const char *name);

/* Adds one, or finds the one that is there; NULL when there are too many. */
known *known_add(known_list *all, const char *name);
void known_free(known_list *all);

/* What a JSON string means, with a NUL after it; false when it is longer than `size`, has a
 * NUL in it, or is no string. */
bool span_decode(span string, char *to, size_t size);

#endif
