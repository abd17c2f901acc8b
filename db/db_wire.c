/*
 * db_wire.c - see db_wire.h.
 */
#include "db_wire.h"

#include <stdio.h>
#include <string.h>

/* The types whose values are dates and times, by their numbers in the protocol. */
enum { TYPE_DATE = 10, TYPE_CLOCK = 11, TYPE_NEW_DATE = 14 };

/* ---------------------------------------------------------------------------- numbers */

size_t wire_left(const wire *packet)
{
    return packet->bad ? 0 : (size_t)(packet->end - packet->at);
}

const unsigned char *wire_bytes(wire *packet, uint64_t count)
{
    const unsigned char *at = packet->at;
    if (packet->bad || count > (uint64_t)(packet->end - packet->at)) {
        packet->bad = true;
        return NULL;
    }
    packet->at += count;
    return at;
}

uint64_t wire_number(wire *packet, size_t bytes)
{
    const unsigned char *at = wire_bytes(packet, bytes);
    uint64_t number = 0;
    for (size_t i = bytes; at && i > 0; i--)
        number = number << 8 | at[i - 1];
    return number;
}

uint64_t wire_length(wire *packet)
{
    enum { IS_NULL = 251, TWO = 252, THREE = 253, EIGHT = 254 };
    uint64_t first = wire_number(packet, 1);
    switch (first) {
    case TWO:
        return wire_number(packet, 2);
    case THREE:
        return wire_number(packet, 3);
    case EIGHT:
        return wire_number(packet, 8);
    default:
        packet->bad = packet->bad || first >= IS_NULL;
        return packet->bad ? 0 : first;
    }
}

const unsigned char *wire_text(wire *packet, size_t *len)
{
    uint64_t count = wire_length(packet);
    const unsigned char *at = wire_bytes(packet, count);
    *len = at ? (size_t)count : 0;
    return at;
}

/* ---------------------------------------------------------------------------- columns */

static bool is_word(const unsigned char *at, size_t len, const char *word)
{
    return len == strlen(word) && memcmp(at, word, len) == 0;
}

/* MariaDB says more of some types: their name (0) or their format (1). */
static void read_extra(wire_column *column, const unsigned char *at, size_t len)
{
    wire extra = {at, at + len, false};
    while (wire_left(&extra) > 0) {
        size_t word_len;
        uint64_t what = wire_number(&extra, 1);
        const unsigned char *word = wire_text(&extra, &word_len);
        if (!word)
            return;
        column->json = column->json || (what == 1 && is_word(word, word_len, "json"));
        column->spelled =
            column->spelled || (what == 0 && (is_word(word, word_len, "uuid") ||
                                              is_word(word, word_len, "inet4") ||
                                              is_word(word, word_len, "inet6")));
    }
}

bool wire_read_column(wire *packet, wire_column *column)
{
    enum { NAME = 4, NAMES = 6, FIXED = 12 };
    *column = (wire_column){0};
    for (int i = 0; i < NAMES; i++) {
        size_t len;
        const unsigned char *at = wire_text(packet, &len);
        if (i == NAME) {
            column->name = at;
            column->name_len = len;
        }
    }
    /* What MariaDB adds comes before the fixed part, whose size is known. */
    if (wire_left(packet) > 1 + FIXED) {
        size_t len;
        const unsigned char *at = wire_text(packet, &len);
        if (at)
            read_extra(column, at, len);
    }
    packet->bad = packet->bad || wire_length(packet) != FIXED;
    column->charset = (unsigned)wire_number(packet, 2);
    column->length = wire_number(packet, 4);
    column->type = (unsigned)wire_number(packet, 1);
    column->flags = (unsigned)wire_number(packet, 2);
    column->decimals = (unsigned)wire_number(packet, 1);
    wire_number(packet, 2);
    return !packet->bad && wire_left(packet) == 0;
}

/* ---------------------------------------------------------------------------- answers */

bool wire_is_end(const wire *packet, unsigned *status)
{
    enum { END = 254, END_SIZE_MAX = 9 };
    wire end = *packet;
    if (wire_left(&end) == 0 || wire_left(&end) >= END_SIZE_MAX ||
        wire_number(&end, 1) != END)
        return false;
    wire_number(&end, 2); /* warnings */
    *status = (unsigned)wire_number(&end, 2);
    return true;
}

bool wire_read_ok(wire *packet, wire_ok *ok)
{
    ok->changed = wire_length(packet);
    wire_length(packet); /* the last id */
    ok->status = (unsigned)wire_number(packet, 2);
    return !packet->bad;
}

bool wire_read_greeting(wire *packet, uint32_t *abilities)
{
    enum { PROTOCOL = 10, FIRST = 8, SECOND_MIN = 13, PADDING = 10, SCRAMBLE_MIN = 21 };
    uint64_t protocol = wire_number(packet, 1);
    const unsigned char *version = packet->at;
    const unsigned char *end = memchr(version, '\0', wire_left(packet));
    if (protocol != PROTOCOL || !end)
        return false;
    wire_bytes(packet, (uint64_t)(end - version) + 1);
    wire_bytes(packet, 4 + FIRST + 1);
    *abilities = (uint32_t)wire_number(packet, 2);
    wire_bytes(packet, 1 + 2); /* its character set, its status */
    *abilities |= (uint32_t)wire_number(packet, 2) << 16;
    uint64_t scramble = wire_number(packet, 1);
    wire_bytes(packet, PADDING);
    bool named = (*abilities & WIRE_PLUGINS) != 0;
    uint64_t second = named && scramble > SCRAMBLE_MIN ? scramble - FIRST : SECOND_MIN;
    wire_bytes(packet, second);
    if (packet->bad || (named && scramble < SCRAMBLE_MIN))
        return false;
    return (*abilities & WIRE_PROTOCOL_41) && (*abilities & WIRE_SECURE);
}

/* ------------------------------------------------------------------------------ times */

/* ".5" of 500000 microseconds with one digit; empty without digits. */
static void write_fraction(char to[16], unsigned decimals, uint64_t microseconds)
{
    enum { DIGITS_MAX = 6, AS_NEEDED = 39 };
    uint64_t divisor = 1;
    to[0] = '\0';
    if (decimals == AS_NEEDED && microseconds > 0)
        decimals = DIGITS_MAX;
    if (decimals == 0 || decimals > DIGITS_MAX)
        return;
    for (unsigned i = decimals; i < DIGITS_MAX; i++)
        divisor *= 10;
    snprintf(to, 16, ".%0*u", (int)decimals, (unsigned)(microseconds / divisor));
}

static size_t write_clock(char to[WIRE_TIME_SIZE], wire *value, unsigned decimals)
{
    char fraction[16];
    bool negative = wire_left(value) > 0 && wire_number(value, 1) != 0;
    uint64_t days = wire_left(value) > 0 ? wire_number(value, 4) : 0;
    bool any = wire_left(value) > 0;
    uint64_t hours = days * 24 + (any ? wire_number(value, 1) : 0);
    unsigned minutes = any ? (unsigned)wire_number(value, 1) : 0;
    unsigned seconds = any ? (unsigned)wire_number(value, 1) : 0;
    write_fraction(fraction, decimals, wire_left(value) > 0 ? wire_number(value, 4) : 0);
    int len = snprintf(to, WIRE_TIME_SIZE, "%s%02llu:%02u:%02u%s", negative ? "-" : "",
                       (unsigned long long)hours, minutes, seconds, fraction);
    return (size_t)len;
}

static size_t write_date(char to[WIRE_TIME_SIZE], wire *value, bool day_only,
                         unsigned decimals)
{
    unsigned parts[6] = {0}; /* year, month, day, hour, minute, second */
    char fraction[16];
    for (size_t i = 0; i < 6 && wire_left(value) > 0; i++)
        parts[i] = (unsigned)wire_number(value, i == 0 ? 2 : 1);
    write_fraction(fraction, decimals, wire_left(value) > 0 ? wire_number(value, 4) : 0);
    int len =
        snprintf(to, WIRE_TIME_SIZE, "%04u-%02u-%02u", parts[0], parts[1], parts[2]);
    if (!day_only) {
        len += snprintf(to + len, WIRE_TIME_SIZE - (size_t)len, " %02u:%02u:%02u%s",
                        parts[3], parts[4], parts[5], fraction);
    }
    return (size_t)len;
}

size_t wire_write_time(char to[WIRE_TIME_SIZE], wire *packet, unsigned type,
                       unsigned decimals)
{
    uint64_t len = wire_length(packet);
    const unsigned char *at = wire_bytes(packet, len);
    bool clock = type == TYPE_CLOCK;
    bool fine = clock ? len == 0 || len == 8 || len == 12
                      : len == 0 || len == 4 || len == 7 || len == 11;
    if (!at || !fine) {
        packet->bad = true;
        return 0;
    }
    wire value = {at, at + len, false};
    bool day_only = type == TYPE_DATE || type == TYPE_NEW_DATE;
    return clock ? write_clock(to, &value, decimals)
                 : write_date(to, &value, day_only, decimals);
}
