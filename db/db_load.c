/*
 * db_load.c - see db_client.h.
 */
#include "db_driver.h"

#include "db_client.h"

#include <dlfcn.h>
#include <string.h>

/* NULL when all are found, or the name of the first that is not. */
static const char *find_calls(void *library, const db_client *client)
{
    for (size_t i = 0; i < client->count; i++) {
        void *address = dlsym(library, client->calls[i].name);
        if (!address)
            return client->calls[i].name;
        memcpy((char *)client->places + client->calls[i].place, &address, sizeof address);
    }
    return NULL;
}

pith_status db_load(db_client *client, pith_error *err)
{
    if (client->loaded)
        return PITH_OK;
    void *library = dlopen(client->library, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        return db_fail(err, PITH_BAD_USE, "no_driver",
                       "%s needs %s, in Debian's package %s: %s", client->title,
                       client->library, client->package,
                       why ? why : "it cannot be loaded");
    }
    const char *missing = find_calls(library, client);
    if (missing) {
        dlclose(library);
        return db_fail(err, PITH_BAD_USE, "no_driver",
                       "%s needs a newer %s, in Debian's package %s: this one has no %s",
                       client->title, client->library, client->package, missing);
    }
    client->loaded = true;
    return PITH_OK;
}
