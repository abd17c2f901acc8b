/*
 * client_libevent.c - the functions of libevent that are called; see db/db_client.h.
 */
#include "db/db_client.h"

#include "proxy.h"

#ifdef PITH_LIBEVENT_INSIDE

pith_status mcp_load(pith_error *err)
{
    (void)err;
    return PITH_OK;
}

#else

#include <event2/event.h>

typedef struct event_base base;

#define CALLS(X)                                                                         \
    X(struct event_config *, event_config_new, (void), ())                               \
    X(int, event_config_require_features, (struct event_config * of, int features),      \
      (of, features))                                                                    \
    X(void, event_config_free, (struct event_config * of), (of))                         \
    X(base *, event_base_new_with_config, (const struct event_config *of), (of))         \
    X(void, event_base_free, (base * of), (of))                                          \
    X(int, event_base_loop, (base * of, int flags), (of, flags))                         \
    X(int, event_base_loopbreak, (base * of), (of))                                      \
    X(struct event *, event_new,                                                         \
      (base * of, evutil_socket_t fd, short what, event_callback_fn call, void *ctx),    \
      (of, fd, what, call, ctx))                                                         \
    X(void, event_free, (struct event * one), (one))                                     \
    X(int, event_add, (struct event * one, const struct timeval *after), (one, after))   \
    X(int, event_del, (struct event * one), (one))

static struct calls {
    CALLS(DB_CALL_PLACE)
} calls;

CALLS(DB_CALL_PASS)

static const db_call names[] = {CALLS(DB_CALL_NAME)};

DB_CLIENT(mcp_libevent, "pith mcp", DB_LIBRARY("event_core-2.1", "7"),
          "libevent-core-2.1-7");

pith_status mcp_load(pith_error *err)
{
    return db_load(&mcp_libevent, err);
}

#endif
