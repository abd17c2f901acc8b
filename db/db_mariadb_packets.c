/*
 * db_mariadb_packets.c - packets that go to a server and come from it.
 *
 * The library cuts what is sent into packets and puts together what is received. Here an
 * answer is followed from its first packet to its last: the packets must be in order, and
 * before something else is asked the rest is read and dropped. What a server or the
 * library calls an error becomes one of ours.
 */
#include "db_mariadb.h"

#include <errmsg.h>

enum {
    ERROR_SHUTDOWN = 1053,
    ERROR_EMPTY = 1065,
    ERROR_READ_ONLY = 1792,
    ERROR_KILLED = 1927,
    ERROR_TIMEOUT = 1969,
    ERROR_TIMEOUT_MYSQL = 3024
};

/* ------------------------------------------------------------------------- failing */

static pith_status maria_failed(db *from, unsigned number, const char *message,
                                pith_error *err)
{
    switch (number) {
    case CR_SERVER_GONE_ERROR:
    case CR_SERVER_LOST:
    case ERROR_SHUTDOWN:
    case ERROR_KILLED:
        return db_fail(err, PITH_IO, "connection_lost", "MariaDB: %s", message);
    case CR_OUT_OF_MEMORY:
        return error_no_memory(err);
    case ERROR_EMPTY:
        return db_no_statement(err);
    case ERROR_READ_ONLY:
        return db_fail(err, PITH_BAD_INPUT, "read_only",
                       "the statement would change the database; --write allows it "
                       "(MariaDB: %s)",
                       message);
    case ERROR_TIMEOUT:
    case ERROR_TIMEOUT_MYSQL:
        return from->options.timeout_max > 0
                   ? db_timed_out(from, err)
                   : db_fail(err, PITH_LIMIT, "timeout", "MariaDB: %s", message);
    default:
        return db_fail(err, PITH_BAD_INPUT, "query_failed", "MariaDB: %s", message);
    }
}

pith_status maria_lost(db *from, pith_error *err)
{
    maria_state *state = from->state;
    if (state->over != PITH_OK) {
        if (err)
            *err = state->why;
        return state->over;
    }
    unsigned number = mysql_errno(state->server);
    return maria_failed(from, number ? number : CR_SERVER_LOST,
                        number ? mysql_error(state->server) : "the connection is lost",
                        err);
}

/* ------------------------------------------------------------------------- packets */

pith_status maria_send(db *from, enum enum_server_command command, const char *data,
                       size_t len, pith_error *err)
{
    maria_state *state = from->state;
    MYSQL *server = state->server;
    db *before = maria_work_for(from);
    state->sequence = -1;
    int failed = server->methods->db_command(server, command, data, len, 1, NULL);
    maria_work_for(before);
    return failed ? maria_lost(from, err) : PITH_OK;
}

/* The packets of an answer are numbered. Only the first may have any number: reports of
 * progress, which the library keeps to itself, come before it. */
static bool maria_is_in_order(maria_state *state, size_t len)
{
    enum { PACKET_MAX = 0xFFFFFF, NUMBERS = 256 };
    int pieces = (int)(len / PACKET_MAX % NUMBERS) + 1;
    int last = (int)(state->server->net.pkt_nr + NUMBERS - 1) % NUMBERS;
    bool fine = state->sequence < 0 || (state->sequence + pieces) % NUMBERS == last;
    state->sequence = last;
    return fine;
}

pith_status maria_receive(db *from, wire *packet, pith_error *err)
{
    maria_state *state = from->state;
    db *before = maria_work_for(from);
    unsigned long len = mysql_net_read_packet(state->server);
    maria_work_for(before);
    if (len >= packet_error || state->over != PITH_OK) {
        state->rest = MARIA_NOTHING;
        return maria_lost(from, err);
    }
    *packet =
        (wire){state->server->net.read_pos, state->server->net.read_pos + len, false};
    if (!maria_is_in_order(state, len))
        return db_fault(from, err, "its packets are out of order");
    return PITH_OK;
}

pith_status maria_read_ok(db *from, wire *packet, wire_ok *ok, pith_error *err)
{
    maria_state *state = from->state;
    uint64_t first = wire_number(packet, 1);
    if (first == WIRE_FILE_WANTED)
        return db_fault(from, err, "it wants a file of this machine (LOCAL INFILE)");
    if (first != 0)
        return db_fault(from, err, "it answers a command with rows");
    if (!wire_read_ok(packet, ok))
        return db_fault(from, err, "its OK is cut short");
    state->rest = ok->status & WIRE_MORE_RESULTS ? MARIA_RESULT : MARIA_NOTHING;
    return PITH_OK;
}

pith_status maria_read_end(db *from, pith_error *err)
{
    wire packet;
    unsigned status;
    pith_status got = maria_receive(from, &packet, err);
    if (got == PITH_OK && !wire_is_end(&packet, &status))
        got = db_fault(from, err, "it sends more columns than it says");
    return got;
}

/* Drops a packet of what is left of an answer. */
static pith_status maria_drop_packet(db *from, pith_error *err)
{
    maria_state *state = from->state;
    wire packet;
    wire_ok ok;
    unsigned status;
    pith_status got = maria_receive(from, &packet, err);
    if (got != PITH_OK)
        return got;
    if (state->rest == MARIA_RESULT) {
        bool columns = packet.at[0] != 0;
        state->rest = MARIA_COLUMNS;
        return columns ? PITH_OK : maria_read_ok(from, &packet, &ok, err);
    }
    if (wire_is_end(&packet, &status)) {
        bool more = (status & WIRE_MORE_RESULTS) != 0;
        state->rest = state->rest == MARIA_COLUMNS ? MARIA_ROWS
                      : more                       ? MARIA_RESULT
                                                   : MARIA_NOTHING;
    }
    return PITH_OK;
}

pith_status maria_drop_rest(db *from, pith_error *err)
{
    maria_state *state = from->state;
    pith_status status = PITH_OK;
    while (status == PITH_OK && state->rest != MARIA_NOTHING)
        status = maria_drop_packet(from, err);
    return status;
}
