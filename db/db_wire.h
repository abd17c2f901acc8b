/*
 * db_wire.h - the packets of MariaDB's protocol, read with care.
 *
 * The client library takes a server at its word: before 3.3.20 it reads the cells of a
 * row without a look at where the packet ends, and all versions call through a table by a
 * type that the server chose. So the library makes the connection, with its TLS and its
 * ways to authenticate, and moves packets; what is in them is read here. Nothing below
 * looks beyond the end of its packet.
 *
 *     COM_STMT_PREPARE  -->  OK: id, columns, parameters; a definition of each
 *     COM_STMT_EXECUTE  -->  count of columns, definitions, EOF, rows, EOF
 *     a row                  0, a bit for each null, the cells that are not null
 */
#ifndef PITH_DB_DB_WIRE_H
#define PITH_DB_DB_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first byte of an answer that asks for a file of this machine. */
enum { WIRE_FILE_WANTED = 251 };

/* A packet that is being read. The first thing that is not there makes it bad, and all
 * that is read afterwards is zero. */
typedef struct wire {
    const unsigned char *at, *end;
    bool bad;
} wire;

size_t wire_left(const wire *packet);

/* A number of so many bytes, 8 at the most, the lowest first. */
uint64_t wire_number(wire *packet, size_t bytes);

/* A number whose first byte is its length. */
uint64_t wire_length(wire *packet);

/* So many bytes, or as many as a length before them says; NULL when they are not there.
 * */
const unsigned char *wire_bytes(wire *packet, uint64_t count);
const unsigned char *wire_text(wire *packet, size_t *len);

/* What a server says of a column. */
typedef struct wire_column {
    const unsigned char *name;
    size_t name_len;
    unsigned charset;
    uint64_t length;
    unsigned type;
    unsigned flags;
    unsigned decimals;
    bool json;    /* text that is JSON */
    bool spelled; /* bytes that come as text: uuid, inet4, inet6 */
} wire_column;

bool wire_read_column(wire *packet, wire_column *column);

/* True for the packet that ends columns and rows; its status in `*status`. */
bool wire_is_end(const wire *packet, unsigned *status);

/* What comes after the first byte of an OK. */
typedef struct wire_ok {
    uint64_t changed;
    unsigned status;
} wire_ok;

bool wire_read_ok(wire *packet, wire_ok *ok);

/* A greeting that a client can do something with; what the server can do in `*abilities`.
 * */
bool wire_read_greeting(wire *packet, uint32_t *abilities);

/* A date or time as the server packs it, written as text: the length, or 0 when it is no
 * such thing. */
enum { WIRE_TIME_SIZE = 64 };
size_t wire_write_time(char to[WIRE_TIME_SIZE], wire *packet, unsigned type,
                       unsigned decimals);

enum {
    WIRE_TLS = 0x800, /* abilities */
    WIRE_PROTOCOL_41 = 0x200,
    WIRE_SECURE = 0x8000,
    WIRE_PLUGINS = 0x80000,
    WIRE_NO_EOF = 0x1000000,
    WIRE_MORE_RESULTS = 8 /* status */
};

#endif
