/*
 * without_libevent.c - what a build without libevent says.
 */
#include "proxy.h"

#include "base/error.h"

static pith_status not_built_in(pith_error *err)
{
    return error_set(err, PITH_BAD_USE, "not_built_in",
                     "this pith was built without libevent, which 'pith mcp' needs; "
                     "install libevent-dev and build it again");
}

pith_status mcp_load(pith_error *err)
{
    return not_built_in(err);
}

pith_status mcp_relay(const mcp_settings *settings, char *const *command,
                      int *exit_status, pith_error *err)
{
    (void)settings;
    (void)command;
    (void)exit_status;
    return not_built_in(err);
}

pith_status mcp_serve(const mcp_service *service, pith_error *err)
{
    (void)service;
    return not_built_in(err);
}

bool mcp_call_stopped(const mcp_call *one)
{
    (void)one;
    return true;
}
