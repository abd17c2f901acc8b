/*
 * db.h - rows out of databases, over the public row API.
 *
 *     db *from = db_open("sqlite:shop.db", NULL, &err);
 *     db_start(from, "SELECT id, name FROM orders WHERE id > ?", params, 1, &err);
 *     rows = pith_rows_open("gcf", names, count, NULL, sink, &err);
 *     while (db_next(from, rows, &more, &err) == PITH_OK && more) {
 *     }
 *     pith_rows_close(rows, &err);
 *     db_close(from);
 *
 * SQLite, MariaDB (and MySQL) and PostgreSQL are spoken to through their own client
 * libraries, each of which a build may lack. Results are streamed: a row is fetched,
 * handed to a pith_rows and forgotten. Parameters are bound, never pasted into the SQL.
 *
 * Read-only is the default. A SQLite file is opened so and an authorizer allows nothing
 * else; the servers are sent statements that begin with a word of reading, in a read-only
 * transaction. With `write` one statement runs as it is and takes effect at once.
 *
 * How values arrive:
 *
 *     integers, decimals     numbers, with their digits (see `narrow`)
 *     floats                 the shortest digits that mean the same float
 *     NaN and infinities     the texts NaN, Infinity, -Infinity
 *     booleans               true and false
 *     dates and times        text, ISO 8601; years beyond four digits with a sign
 *     JSON, arrays           nested values
 *     binary                 bytes; in formats without them text, base64
 *     everything else        its text
 */
#ifndef PITH_DB_DB_H
#define PITH_DB_DB_H

#include "pith.h"

typedef struct db db;

/* The limits of SQLite where the options have none. */
#define DB_VALUE_USUAL ((uint64_t)128 << 20)
#define DB_MEMORY_USUAL ((uint64_t)1 << 30)

/* How to go about it. Zero-initialise; zero means the default everywhere. */
typedef struct db_options {
    bool write;           /* let the statement change things */
    bool narrow;          /* numbers beyond 64-bit integers and doubles become text */
    unsigned timeout_max; /* seconds a statement may take; 0 for no limit */
    unsigned connect_max; /* seconds until connected, name lookup and all; 0 for 30, or
                             timeout_max if that is less */

    /* For SQLite alone, and refused elsewhere: the bytes of the longest value, the bytes
     * of memory it may use in this process, and that immutable, nolock and vfs may be
     * in a file: URI. */
    uint64_t value_max;
    uint64_t memory_max;
    bool trust_uri;

    /* Asked now and then while a server is waited for; true ends it with "cancelled". */
    bool (*stop)(void *ctx);

    /* Told what might surprise: a repeated column name, or, minor, a type that is not
     * known. */
    void (*note)(void *ctx, bool minor, const char *sentence);

    /* Asked when the server wants a password and none was given: writes it into `into`,
     * with a NUL after it, or returns false. */
    bool (*password)(void *ctx, const char *who, char *into, size_t size);
    void *ctx; /* for all three */
} db_options;

typedef struct db_column {
    const char *name; /* different from every other */
    const char *type; /* as the database calls it; may be empty */
    bool nested;      /* values may be arrays or objects */
} db_column;

/* Connects. The URL is one of
 *
 *     sqlite:PATH   sqlite:file:URI   sqlite::memory:
 *     mariadb://[USER@]HOST[:PORT]/DATABASE[?socket=PATH&ssl=true]   or mysql://
 *     postgres://[USER@]HOST[:PORT]/DATABASE[?...]   as libpq has it
 *
 * A host other than this machine must have TLS and a certificate that can be verified,
 * unless the URL says otherwise (sslmode=...; ssl=false, ssl-verify=false). A server
 * without TLS never gets the password itself, only proof that it is known.
 *
 * A password in it is refused, because command lines can be read by everybody. It is
 * taken from the environment (PITH_DB_PASSWORD; PGPASSWORD, MYSQL_PWD), from the client's
 * own files (~/.pgpass, ~/.my.cnf), or asked for. NULL on failure, with a message that
 * never holds it. */
db *db_open(const char *url, const db_options *options, pith_error *err);

/* What is said when a statement took longer than `timeout_max`; returns PITH_LIMIT. */
pith_status db_explain_timeout(unsigned seconds, pith_error *err);

/* Ends what is running and disconnects; NULL is fine. */
void db_close(db *from);

/* Runs one statement with its parameters, which are text, or NULL for null. */
pith_status db_start(db *from, const char *sql, const char *const *params, size_t count,
                     pith_error *err);

/* The same, with a name, without its sign, for those values that are for a parameter that
 * has one (:id, @id, $id), and NULL for the others, which go to the parameters that are left,
 * in order. Only SQLite has such parameters. */
pith_status db_start_named(db *from, const char *sql, const char *const *names,
                           const char *const *params, size_t count, pith_error *err);

/* The columns of the statement that runs; they live until the next one. */
size_t db_column_count(const db *from);
const db_column *db_column_at(const db *from, size_t index);

/* What the type of a column says that it holds, as far as a pith_field can say; null is
 * always allowed. Of SQLite that is a claim: its columns hold whatever is put there. */
pith_field db_column_holds(const db *from, size_t index);

/* Adds the next row to `rows`, which must have those columns; `*more` is false when
 * there was none left. With NULL the row is fetched and dropped. */
pith_status db_next(db *from, pith_rows *rows, bool *more, pith_error *err);

/* Rows changed by the statement, once db_next has said that there are no more. */
uint64_t db_changed(const db *from);

/* Adds an object as a row of a table in the memory of sqlite::memory:. The first one
 * makes the table, with its keys as columns; others may bring more. */
pith_status db_import(db *into, const char *table, pith_value row, pith_error *err);

/* A description of every table and view, one row for each: its name, how many rows it has
 * (null for a view), its columns as "id integer key, user_id integer -> users.id", and with a
 * `sample` so many of its rows, as an array. The names are the first DB_TABLE_COLUMN_COUNT of
 * DB_TABLE_COLUMNS, and with a sample all of them. */
#define DB_TABLE_COLUMNS                                                                 \
    PITH_TEXT("table"), PITH_TEXT("rows"), PITH_TEXT("columns"), PITH_TEXT("sample")
enum { DB_TABLE_COLUMN_COUNT = 3 };
pith_status db_tables(db *from, pith_rows *rows, size_t sample, pith_error *err);

#endif
