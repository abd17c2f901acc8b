/*
 * db_driver.h - what a database provides, and what the drivers share.
 *
 * A driver is a table of functions over a `db`, called db_NAME, where cmake/db.cmake has
 * a line for NAME. It keeps its own things in `state`, fills in the columns when a
 * statement starts, and turns each cell into one call of the row API through the db_put_*
 * functions, so that all databases spell values alike.
 */
#ifndef PITH_DB_DB_DRIVER_H
#define PITH_DB_DB_DRIVER_H

#include "base/error.h"
#include "db.h"
#include "db_client.h"
#include "db_statement.h"

#include <stdarg.h>

#if defined(__GNUC__)
#define DB_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define DB_FORMAT(text, first)
#endif

typedef struct db_driver {
    const char *title; /* "PostgreSQL" */

    /* Connects to what `url` names, scheme included. Fills in from->state even on
     * failure if there is something to close. */
    pith_status (*open)(db *from, const char *url, pith_error *err);
    void (*close)(db *from);

    /* Runs a statement, after ending the one before, and names its columns with
     * db_name_column. */
    pith_status (*start)(db *from, const char *sql, const char *const *params,
                         size_t count, pith_error *err);
    pith_status (*next)(db *from, pith_rows *rows, bool *more, pith_error *err);

    /* SQL that lists table, column, type, nullable (as 'yes' or 'no'), key (as 'yes' or
     * 'no'), what to count the rows of, ready for FROM, or null, and the column that it
     * refers to, or null; by table and place. */
    const char *tables;

    /* As db_import; NULL where that cannot be done. */
    pith_status (*import)(db *into, const char *table, pith_value row, pith_error *err);

    bool named; /* parameters may have names: see db.names */
    db_dialect dialect;
    db_client *client; /* the library it calls */
} db_driver;

struct db {
    const db_driver *driver;
    db_options options;
    void *state;
    const char *const *names; /* of the parameters, while a statement starts; or NULL */
    uint64_t rows;            /* fetched from this statement */
    bool narrow_noted;
    uint64_t changed;
    double deadline;     /* in seconds of db_now; 0 for none */
    unsigned connecting; /* seconds given to connect; 0 once that is done */
    db_column *columns;
    size_t column_count;
    pith_doc *scratch; /* for nested values */
    char *buffer;      /* for texts that have to change */
    size_t buffer_size;
};

/* ------------------------------------------------------------------------ failing */

#define DB_READ_ONLY "the statement would change the database; --write allows it"

pith_status db_fail(pith_error *err, pith_status status, const char *code,
                    const char *format, ...) DB_FORMAT(4, 5);
pith_status db_no_statement(pith_error *err);
pith_status db_several_statements(pith_error *err);

/* PITH_OK when a statement with that many parameters was given as many values. */
pith_status db_check_params(size_t wanted, size_t given, pith_error *err);

/* That the server has done what its protocol does not allow; the sentence says what. */
pith_status db_fault(const db *from, pith_error *err, const char *format, ...)
    DB_FORMAT(3, 4);

/* A remark for the callback of the options. */
void db_note(db *from, bool minor, const char *format, ...) DB_FORMAT(3, 4);

/* ------------------------------------------------------------------------ waiting */

/* Seconds of a clock that only goes forward. */
double db_now(void);

/* Lets connecting take so many seconds from now, as the URL says, or with 0 as the
 * options do; in any case no longer than a statement may take. */
void db_begin_connecting(db *from, unsigned seconds);

/* That the time given by the options is over. */
pith_status db_timed_out(const db *from, pith_error *err);

/* PITH_OK, or why the statement must end: it took too long, or somebody said stop. */
pith_status db_may_go_on(const db *from, pith_error *err);

/* Waits a moment until the socket can be read (or written); PITH_OK also when it still
 * cannot. */
pith_status db_wait(const db *from, int socket, bool to_write, pith_error *err);

/* ----------------------------------------------------------------------- connecting */

/* True for this machine: no name, a socket's path, localhost, a loopback address. What a
 * name server says does not count. */
bool db_is_local(const char *host);

enum { DB_ADDRESS_SIZE = 64, DB_ADDRESS_COUNT = 8 };

/* The numeric addresses of a host, looked up without blocking for longer than the
 * deadline allows. */
pith_status db_look_up(const db *from, const char *host,
                       char found[DB_ADDRESS_COUNT][DB_ADDRESS_SIZE], size_t *count,
                       pith_error *err);

/* Asks for the password of a user; the time that takes does not count. The caller forgets
 * the password. */
bool db_ask_password(db *from, const char *user, const char *host, char *into,
                     size_t size);

/* Overwrites what must not be found in memory. */
void db_forget(void *secret, size_t size);

/* Runs `work` in a process of its own, which ends within seconds whatever happens; waits
 * for it no longer than a moment. For calls of client libraries that block. */
void db_run_apart(void (*work)(void *ctx), void *ctx);

/* True when a URL's setting of that name holds a secret. */
bool db_is_secret(const char *word);

/* Copies a part of a URL with its %XX made bytes; false when it is cut because it does
 * not fit. */
bool db_url_part(char *to, size_t size, const char *at, size_t len);
int db_hex_digit(char digit); /* -1 for all other characters */

/* That a URL holds one. */
pith_status db_password_in_url(pith_error *err);

/* ------------------------------------------------------------------------ columns */

/* Makes room for the columns of a statement; false when out of memory. */
bool db_set_columns(db *from, size_t count);

/* Names a column; both texts are copied. */
bool db_name_column(db *from, size_t index, const char *name, const char *type,
                    bool nested);

/* Sees to it that no two columns have the same name. */
bool db_make_distinct(db *from);

/* -------------------------------------------------------------------------- cells */

/* Room for `size` bytes that are overwritten by the next call; NULL when out of
 * memory. */
char *db_room(db *from, size_t size);

/* Digits, when they are a number in JSON's grammar but perhaps for leading zeros, and
 * not too long; otherwise the text. */
void db_put_number(db *from, pith_rows *rows, size_t column, const char *digits,
                   size_t len);

/* True when numbers are `narrow` and neither a 64-bit integer nor a double is this one.
 * */
bool db_is_too_long(const db *from, const char *digits, size_t len);

/* Also for what is not finite. With `single` it is a float of 4 bytes. */
void db_put_double(pith_rows *rows, double number, bool single);

/* Text, which must be UTF-8. */
pith_status db_put_text(db *from, pith_rows *rows, size_t column, const char *text,
                        size_t len, pith_error *err);

pith_status db_put_binary(db *from, pith_rows *rows, const void *data, size_t len,
                          pith_error *err);

/* A date or time as databases print them: "2024-01-02 03:04:05+00", "0044-03-15 BC". */
pith_status db_put_time(db *from, pith_rows *rows, size_t column, const char *text,
                        size_t len, pith_error *err);

/* Rewrites such a text into `to`, which has room for len + DB_TIME_EXTRA bytes; returns
 * the length. */
enum { DB_TIME_EXTRA = 8 };
size_t db_write_time(char *to, const char *text, size_t len);

/* The value a JSON text holds; the text itself when it is not JSON. */
pith_status db_put_json(db *from, pith_rows *rows, size_t column, const char *text,
                        size_t len, pith_error *err);

/* ------------------------------------------------------------------------- running */

/* Runs a statement and keeps all rows: an array of objects, in a document that the
 * caller frees together with `text`, from which it borrows. NULL on failure. */
pith_doc *db_collect(db *from, const char *sql, pith_buffer *text, pith_error *err);

#endif
