/*
 * client.h - the client libraries of the databases, failing when told to.
 *
 * They are shared objects with memory and sockets of their own, which no layer of ours is
 * below. So the calls into them are led through wrappers (the linker's --wrap), of which
 * one may fail as the library would: without memory, or because the server has gone.
 */
#ifndef PITH_TEST_CLIENT_H
#define PITH_TEST_CLIENT_H

#include <stddef.h>

/* The call that fails from now on, from 1; 0 for none. The count begins anew. Waiting for
 * the server is counted by itself, because nobody knows how often that is done. */
void client_fails_at(size_t call);
void client_wait_fails_at(size_t call);

/* The wait that a signal ends. */
void client_wait_ends_at(size_t call);

/* The name of the call that failed since, or NULL. */
const char *client_failed(void);

#endif /* PITH_TEST_CLIENT_H */
