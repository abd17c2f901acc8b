/*
 * db_client.h - the databases' client libraries, loaded when a database is asked for.
 *
 * They bring twenty libraries with them, which a `pith` that converts a file should not
 * wait for. So the tool is linked with none of them, and a driver still calls, say,
 * sqlite3_step: client_sqlite.c defines a function of that name, declared by the
 * library's own header, which passes the call on to where db_load has found the real one.
 *
 *     driver -- sqlite3_step(s) --> client_sqlite.c -- calls.sqlite3_step(s) --> library
 *
 * A function that a driver calls is one line in the list of its client_*.c: what it
 * returns, its name, its parameters, and these as values. One that is not in the list
 * does not link; one that is in it with the wrong type does not compile.
 */
#ifndef PITH_DB_DB_CLIENT_H
#define PITH_DB_DB_CLIENT_H

#include "pith.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is made of a line of the list: a place for the address, its name for the loader,
 * and the function that passes calls on. */
#define DB_CALL_PLACE(type, name, parameters, values) type(*name) parameters;
#define DB_CALL_NAME(type, name, parameters, values)                                     \
    {#name, offsetof(struct calls, name)},
#define DB_CALL_PASS(type, name, parameters, values)                                     \
    type name parameters                                                                 \
    {                                                                                    \
        return calls.name values;                                                        \
    }

/* The file that a version of a library is in. */
#ifdef __APPLE__
#define DB_LIBRARY(name, version) "lib" name "." version ".dylib"
#else
#define DB_LIBRARY(name, version) "lib" name ".so." version
#endif

/* Says in the program itself which library it will ask for, where those who make packages
 * look for what it depends on: the note of the ELF dlopen metadata specification. */
#if defined(__ELF__) && defined(__GNUC__)
#define DB_CLIENT_NOTE(title, library)                                                   \
    DB_CLIENT_NOTE_OF("[{\"feature\":\"" title "\",\"description\":\"pith query\","      \
                      "\"priority\":\"suggested\",\"soname\":[\"" library "\"]}]")
#define DB_CLIENT_NOTE_OF(json)                                                          \
    static const struct {                                                                \
        uint32_t name_size, text_size, type;                                             \
        char name[4];                                                                    \
        _Alignas(4) char text[sizeof(json)];                                             \
    } db_client_note __attribute__((used, aligned(4), section(".note.dlopen"))) = {      \
        4, sizeof(json), 0x407c0c0a, "FDO", json};
#else
#define DB_CLIENT_NOTE(title, library)
#endif

typedef struct db_call {
    const char *name;
    size_t place; /* in bytes from `places` on */
} db_call;

typedef struct db_client {
    const char *title; /* "PostgreSQL" */
    const char *library;
    const char *package; /* Debian's */
    const db_call *calls;
    size_t count;
    void *places; /* where the addresses go */
    bool loaded;
} db_client;

/* The end of a client_*.c, after its `calls` and `names`. */
#define DB_CLIENT(client, its_title, its_library, its_package)                           \
    DB_CLIENT_NOTE(its_title, its_library)                                               \
    db_client client = {.title = its_title,                                              \
                        .library = its_library,                                          \
                        .package = its_package,                                          \
                        .calls = names,                                                  \
                        .count = sizeof names / sizeof names[0],                         \
                        .places = &calls}

/* Loads the library and finds its functions, once; it then stays for as long as the
 * process. Must have come back before one of them is called, and must not be called by
 * two threads at once. A library that is missing or too old is "no_driver". */
pith_status db_load(db_client *client, pith_error *err);

#endif
