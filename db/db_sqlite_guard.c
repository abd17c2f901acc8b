/*
 * db_sqlite_guard.c - what a SQLite connection is kept from, whatever the statement or
 * the file says.
 *
 * That a file is opened read-only protects the file. A statement that a stranger wrote
 * could still attach another database, register a tokenizer at an address of its choice,
 * or use up the memory; a file that a stranger made could call functions from its views.
 * So the connection is set up defensively, values and memory have limits, and an
 * authorizer, which SQLite asks while it prepares a statement and those below it, allows
 * what reading needs and nothing else.
 *
 * Reading a database with a write-ahead log makes two files beside it, which a connection
 * that may not write cannot remove. When they were not there before, a second connection
 * is opened for that: SQLite removes them when the last one closes, under its own locks.
 */
#define _POSIX_C_SOURCE 200809L

#include "db_sqlite_guard.h"

#include "db_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---------------------------------------------------------------------- authorizing */

typedef struct pragma {
    const char *word;
    bool argument; /* with one it still reads: it names a table */
} pragma;

static const pragma reading[] = {
    {"application_id", false},     {"auto_vacuum", false},
    {"busy_timeout", false},       {"cache_size", false},
    {"collation_list", false},     {"compile_options", false},
    {"data_version", false},       {"database_list", false},
    {"encoding", false},           {"foreign_key_check", true},
    {"foreign_key_list", true},    {"foreign_keys", false},
    {"freelist_count", false},     {"function_list", false},
    {"index_info", true},          {"index_list", true},
    {"index_xinfo", true},         {"integrity_check", true},
    {"journal_mode", false},       {"journal_size_limit", false},
    {"locking_mode", false},       {"max_page_count", false},
    {"mmap_size", false},          {"module_list", false},
    {"page_count", false},         {"page_size", false},
    {"pragma_list", false},        {"query_only", false},
    {"quick_check", true},         {"recursive_triggers", false},
    {"schema_version", false},     {"secure_delete", false},
    {"synchronous", false},        {"table_info", true},
    {"table_list", true},          {"table_xinfo", true},
    {"temp_store", false},         {"user_version", false},
    {"wal_autocheckpoint", false},
};

/* These undo what is set up here, or name folders for the whole process. */
static const char *const pragmas_never[] = {
    "writable_schema",      "trusted_schema",  "temp_store_directory",
    "data_store_directory", "hard_heap_limit", "soft_heap_limit",
};

/* These reach beyond the database: into memory, libraries and files. */
static const char *const functions_never[] = {
    "fts3_tokenizer", "load_extension", "icu_load_collation",
    "readfile",       "writefile",      "edit",
};

static bool is_listed(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (word && sqlite3_stricmp(word, list[i]) == 0)
            return true;
    return false;
}

#define IS_LISTED(word, list) is_listed(word, list, sizeof(list) / sizeof((list)[0]))

static bool pragma_reads(const char *word, const char *argument)
{
    for (size_t i = 0; i < sizeof reading / sizeof reading[0]; i++)
        if (word && sqlite3_stricmp(word, reading[i].word) == 0)
            return !argument || reading[i].argument;
    return false;
}

/* Refuses what no statement may do, with --write or without. */
static bool refuse_always(sqlite_guard *guard, int action, const char *first,
                          const char *second)
{
    pith_error *why = &guard->refused;
    /* VACUUM attaches a file without a name, which is temporary. */
    if (action == SQLITE_ATTACH && (!first || first[0] != '\0')) {
        db_fail(why, PITH_BAD_INPUT, "not_allowed",
                "ATTACH and VACUUM INTO are not allowed: a statement works on the "
                "database that was named, and on no other file");
        return true;
    }
    if (action == SQLITE_FUNCTION && IS_LISTED(second, functions_never)) {
        db_fail(why, PITH_BAD_INPUT, "not_allowed",
                "the function %.60s is not allowed: it reaches beyond the database",
                second);
        return true;
    }
    if (action == SQLITE_PRAGMA && IS_LISTED(first, pragmas_never)) {
        db_fail(why, PITH_BAD_INPUT, "not_allowed",
                "the pragma %.60s is not allowed: it moves the bounds that a statement "
                "is kept in",
                first);
        return true;
    }
    return false;
}

/* A virtual table declares its columns by what looks like a change of the schema, and an
 * R-tree prepares the statements that would change its own tables as soon as it is read.
 * SQLite lets no other statement do that: such tables are not writable, or shadows of a
 * virtual table, and a statement that does not read as a whole is refused anyway. */
static bool belongs_to_virtual_table(int action, const char *table)
{
    static const char *const endings[] = {"_node", "_rowid", "_parent"};
    size_t len = table ? strlen(table) : 0;
    if (action == SQLITE_UPDATE && table && strcmp(table, "sqlite_master") == 0)
        return true;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t ending = strlen(endings[i]);
        if (len > ending && strcmp(table + len - ending, endings[i]) == 0)
            return true;
    }
    return false;
}

static bool action_reads(int action, const char *first, const char *second)
{
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_RECURSIVE:
        return true;
    case SQLITE_PRAGMA:
        return pragma_reads(first, second);
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
        return belongs_to_virtual_table(action, first);
    default:
        return false;
    }
}

static int authorize(void *ctx, int action, const char *first, const char *second,
                     const char *database, const char *within)
{
    sqlite_guard *guard = ctx;
    (void)database;
    (void)within;
    if (guard->ours)
        return SQLITE_OK;
    if (refuse_always(guard, action, first, second))
        return SQLITE_DENY;
    if (!guard->options.write && !action_reads(action, first, second)) {
        db_fail(&guard->refused, PITH_BAD_INPUT, "read_only", "%s", DB_READ_ONLY);
        return SQLITE_DENY;
    }
    return SQLITE_OK;
}

/* ------------------------------------------------------------------------- settings */

/* False where this SQLite does not know one of them. */
static bool set_up(sqlite3 *file)
{
    static const struct {
        int what;
        int value;
    } settings[] = {
        {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        int now = -1;
        int code = sqlite3_db_config(file, settings[i].what, settings[i].value, &now);
        if (code != SQLITE_OK || now != settings[i].value)
            return false;
    }
    return true;
}

/* The limit of memory is one for the whole process; SQLite has no other. */
static void set_limits(const db_options *options, sqlite3 *file)
{
    sqlite3_limit(file, SQLITE_LIMIT_LENGTH, (int)options->value_max);
    sqlite3_limit(file, SQLITE_LIMIT_SQL_LENGTH, (int)options->value_max);
    sqlite3_limit(file, SQLITE_LIMIT_WORKER_THREADS, 0);
    sqlite3_hard_heap_limit64((sqlite3_int64)options->memory_max);
}

/* A parameter that takes away the locks, or what else keeps readers and writers apart.
 * SQLite itself has taken the URI apart. */
static const char *unsafe_parameter(const char *path)
{
    static const char *const unsafe[] = {"immutable", "nolock", "vfs"};
    for (size_t i = 0; i < sizeof unsafe / sizeof unsafe[0]; i++)
        if (sqlite3_uri_parameter(path, unsafe[i]))
            return unsafe[i];
    return NULL;
}

/* ------------------------------------------------------------------- the log's files */

static bool has_log_file(const char *path, const char *ending)
{
    size_t size = strlen(path) + strlen(ending) + 1;
    char *name = malloc(size);
    if (!name)
        return true; /* then it is left alone */
    snprintf(name, size, "%s%s", path, ending);
    bool found = access(name, F_OK) == 0;
    free(name);
    return found;
}

static bool has_log(const char *path)
{
    return has_log_file(path, "-wal") || has_log_file(path, "-shm");
}

static void watch_log(sqlite_guard *guard, const char *path)
{
    if (!guard->options.write && !guard->options.trust_uri && path[0] != '\0') {
        guard->path = strdup(path);
        guard->had_log = has_log(path);
    }
}

void sqlite_guard_end(sqlite_guard *guard)
{
    if (guard->path && !guard->had_log && has_log(guard->path)) {
        sqlite3 *file = NULL;
        if (sqlite3_open_v2(guard->path, &file, SQLITE_OPEN_READWRITE, NULL) ==
                SQLITE_OK &&
            set_up(file))
            sqlite3_exec(file, "PRAGMA schema_version", NULL, NULL, NULL);
        sqlite3_close(file);
    }
    free(guard->path);
    guard->path = NULL;
}

/* --------------------------------------------------------------------------- opening */

pith_status sqlite_guard_start(sqlite_guard *guard, sqlite3 *file, pith_error *err)
{
    const char *path = sqlite3_db_filename(file, "main");
    const char *unsafe =
        path && !guard->options.trust_uri ? unsafe_parameter(path) : NULL;
    if (unsafe) {
        return db_fail(err, PITH_BAD_USE, "unsafe_uri",
                       "%s in the URI can make SQLite read what somebody else is just "
                       "writing; --trust-uri allows it",
                       unsafe);
    }
    if (!set_up(file)) {
        return db_fail(err, PITH_IO, "open_failed",
                       "this SQLite (%s) cannot be kept from running what is in the "
                       "file; 3.31 and later can",
                       sqlite3_libversion());
    }
    set_limits(&guard->options, file);
    sqlite3_set_authorizer(file, authorize, guard);
    watch_log(guard, path ? path : "");
    return PITH_OK;
}

/* -------------------------------------------------------------------------- failing */

/* Whether the limit is what memory ran into: with the largest request that was ever made
 * it would have been reached. */
static bool reached_limit(const sqlite_guard *guard)
{
    sqlite3_int64 now = 0, used = 0, largest = 0;
    sqlite3_status64(SQLITE_STATUS_MEMORY_USED, &now, &used, 0);
    sqlite3_status64(SQLITE_STATUS_MALLOC_SIZE, &now, &largest, 0);
    return (uint64_t)used + (uint64_t)largest >= guard->options.memory_max;
}

pith_status sqlite_guard_explain(const sqlite_guard *guard, int code, pith_error *err)
{
    if (guard->refused.status != PITH_OK) {
        if (err)
            *err = guard->refused;
        return guard->refused.status;
    }
    if (code == SQLITE_NOMEM && reached_limit(guard)) {
        return db_fail(err, PITH_LIMIT, "memory_limit",
                       "SQLite needs more memory than %llu MiB; --max-memory allows more",
                       (unsigned long long)(guard->options.memory_max >> 20));
    }
    if (code == SQLITE_READONLY &&
        !guard->options.write) { /* it never writes to the file */
        return db_fail(err, PITH_IO, "open_failed",
                       "SQLite cannot make the files of the database's write-ahead log; "
                       "if no process writes to it, --trust-uri and sqlite:file:PATH?"
                       "immutable=1 read it");
    }
    if (code == SQLITE_TOOBIG) {
        return db_fail(err, PITH_LIMIT, "value_too_long",
                       "a value or the statement is longer than %llu bytes; --max-value "
                       "allows more",
                       (unsigned long long)guard->options.value_max);
    }
    return PITH_OK;
}
