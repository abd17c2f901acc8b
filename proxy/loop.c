/*
 * loop.c - see loop.h.
 */
#define _POSIX_C_SOURCE 200809L

#include "loop.h"

#include "lines.h"

#include <fcntl.h>
#include <unistd.h>

struct event_base *loop_new(void)
{
    struct event_config *config = event_config_new();
    if (!config)
        return NULL;
    event_config_require_features(config, EV_FEATURE_FDS);
    struct event_base *base = event_base_new_with_config(config);
    event_config_free(config);
    return base;
}

void loop_run(struct event_base *base)
{
    int in = unblock(STDIN_FILENO), out = unblock(STDOUT_FILENO);
    event_base_loop(base, 0);
    if (in >= 0)
        fcntl(STDIN_FILENO, F_SETFL, in);
    if (out >= 0)
        fcntl(STDOUT_FILENO, F_SETFL, out);
}
