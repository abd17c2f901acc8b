/*
 * db_mariadb.h - what the parts of the MariaDB driver share.
 *
 *     db_mariadb.c          runs statements and hands out rows
 *     db_mariadb_connect.c  opens and closes a connection
 *     db_mariadb_packets.c  sends, receives, and says why it failed
 *     db_mariadb_wait.c     waits for the server, and looks at its greeting
 *     db_mariadb_cells.c    columns, and the cells of a row
 *
 * The library connects, speaks TLS and authenticates; then it moves packets, and what is
 * in them is read by db_wire.c, which believes nothing.
 */
#ifndef PITH_DB_DB_MARIADB_H
#define PITH_DB_DB_MARIADB_H

#include "db_driver.h"
#include "db_wire.h"

#include <mysql.h>

typedef enum maria_choice { MARIA_UNSAID, MARIA_YES, MARIA_NO } maria_choice;

/* The parts of mariadb://user@host:port/database?socket=...; empty where missing. */
typedef struct maria_url {
    char user[128];
    char host[256];
    char port[8];
    char database[256];
    char socket[256];
    char ca[512];
    maria_choice ssl;
    maria_choice verify; /* the server's certificate */
    unsigned seconds;    /* until connected */
} maria_url;

/* What is left of the server's answer. */
typedef enum maria_rest {
    MARIA_NOTHING,
    MARIA_RESULT,
    MARIA_COLUMNS,
    MARIA_ROWS
} maria_rest;

typedef struct maria_state {
    MYSQL *server;
    struct maria_column *columns; /* of db_mariadb_cells.c */
    size_t count;
    uint64_t statement; /* its number; 0 for none */
    bool procedure;     /* its columns were not described before it ran */
    maria_rest rest;
    int sequence;     /* of the last packet; -1 before the first of an answer */
    bool unanswered;  /* the server is at work, and waiting for it has ended */
    pith_status over; /* why nothing more is read; PITH_OK while it is */
    pith_error why;
    unsigned char greeting[512];
    size_t greeting_len;
    bool greeted;
    maria_url url;
} maria_state;

/* ----------------------------------------------------------------------- connecting */

/* As db_driver has them. */
pith_status maria_open(db *from, const char *url, pith_error *err);
void maria_close(db *from);

/* -------------------------------------------------------------------------- packets */

/* Why the library gave up: what our own functions found, or what it says itself. */
pith_status maria_lost(db *from, pith_error *err);

/* Sends a command, whose answer is then received packet by packet. */
pith_status maria_send(db *from, enum enum_server_command command, const char *data,
                       size_t len, pith_error *err);

/* The next packet of an answer, which lasts until the one after it is received. */
pith_status maria_receive(db *from, wire *packet, pith_error *err);

/* Reads the OK after a command or a statement that has no rows. */
pith_status maria_read_ok(db *from, wire *packet, wire_ok *ok, pith_error *err);

/* Reads the packet that ends the columns. */
pith_status maria_read_end(db *from, pith_error *err);

/* Reads to the end of the answer before something else is asked. */
pith_status maria_drop_rest(db *from, pith_error *err);

/* -------------------------------------------------------------------------- waiting */

/* Says whose connection the library is at work on in this thread from now on, NULL for
 * none; returns the one before. */
db *maria_work_for(db *from);

/* The library's way to wait, as MARIADB_OPT_IO_WAIT takes it. It has seconds here and
 * milliseconds there, and what is less than a second was meant as the former. */
int maria_wait(my_socket socket, my_bool to_read, int timeout);

/* Lets the library show what it reads, for as long as the process lives. */
void maria_watch(void);

/* ---------------------------------------------------------------- columns and cells */

/* Reads the definitions of so many columns and what ends them. */
pith_status maria_read_columns(db *from, size_t count, pith_error *err);
void maria_drop_columns(maria_state *state);

/* Remarks on columns whose type is not known. */
void maria_note_types(db *from);

/* Writes the row that a packet holds. */
pith_status maria_put_row(db *from, pith_rows *rows, wire *row, pith_error *err);

#endif
