/*
 * db_cells.c - cells as all databases spell them here.
 */
#include "db_driver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *db_room(db *from, size_t size)
{
    if (size > from->buffer_size) {
        size_t wanted = size + size / 2 + 64;
        char *larger = realloc(from->buffer, wanted);
        if (!larger)
            return NULL;
        from->buffer = larger;
        from->buffer_size = wanted;
    }
    return from->buffer;
}

/* ------------------------------------------------------------------------- numbers */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && is_digit(*at))
        at++;
    return at;
}

/* True for [-]digits[.digits][e[+-]digits]. */
static bool is_number(const char *at, const char *end)
{
    at += at < end && *at == '-';
    const char *from = at;
    at = skip_digits(at, end);
    if (at == from)
        return false;
    if (at < end && *at == '.') {
        from = ++at;
        at = skip_digits(at, end);
        if (at == from)
            return false;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < end && (*at == '+' || *at == '-');
        from = at;
        at = skip_digits(at, end);
        if (at == from)
            return false;
    }
    return at == end;
}

/* A decimal as its significant digits and the place of the point after the first; two
 * spellings of one number are the same here. */
typedef struct plain_number {
    char digits[20];
    size_t count; /* of all significant digits, also those that are not kept */
    long exponent;
} plain_number;

static plain_number to_plain(const char *at, const char *end)
{
    enum { BEYOND_DOUBLES = 100000 }; /* by any number of digits that are looked at */
    plain_number plain = {.count = 0};
    bool point = false;
    size_t zeros = 0; /* that count only if another digit follows */
    at += at < end && *at == '-';
    for (; at < end && (is_digit(*at) || *at == '.'); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        bool leading = *at == '0' && plain.count == 0;
        plain.exponent += point ? -(leading != 0) : plain.count + zeros > 0 || !leading;
        if (*at == '0') {
            zeros += !leading;
            continue;
        }
        for (; zeros > 0; zeros--, plain.count++)
            if (plain.count < sizeof plain.digits)
                plain.digits[plain.count] = '0';
        if (plain.count < sizeof plain.digits)
            plain.digits[plain.count] = *at;
        plain.count++;
    }
    if (at < end) {
        long exponent = strtol(at + 1, NULL, 10);
        bool beyond = exponent > BEYOND_DOUBLES || exponent < -BEYOND_DOUBLES;
        plain.exponent += !beyond        ? exponent
                          : exponent < 0 ? -BEYOND_DOUBLES
                                         : BEYOND_DOUBLES;
    }
    if (plain.count == 0)
        plain.exponent = 0;
    return plain;
}

static bool same_plain(const plain_number *a, const plain_number *b)
{
    return a->count == b->count && a->exponent == b->exponent &&
           a->count <= sizeof a->digits && memcmp(a->digits, b->digits, a->count) == 0;
}

/* The shortest digits of the nearest double mean the same number. */
static bool is_double(const char *digits, const plain_number *plain)
{
    char again[40];
    double number = strtod(digits, NULL);
    if (!isfinite(number) || (number == 0 && plain->count > 0))
        return false;
    for (int precision = 1; precision <= 17; precision++) {
        int len = snprintf(again, sizeof again, "%.*e", precision - 1, number);
        if (strtod(again, NULL) == number) {
            plain_number shortest = to_plain(again, again + len);
            return same_plain(&shortest, plain);
        }
    }
    return false;
}

bool db_is_too_long(const db *from, const char *digits, size_t len)
{
    enum { ALWAYS_A_DOUBLE = 15, NUMBER_MOST = 400 };
    char copy[NUMBER_MOST];
    if (!from->options.narrow)
        return false;
    if (len >= sizeof copy)
        return true;
    memcpy(copy, digits, len);
    copy[len] = '\0';
    bool whole = strspn(copy, "-0123456789") == len;
    if (whole) {
        char again[32];
        snprintf(again, sizeof again, "%lld", strtoll(copy, NULL, 10));
        return strcmp(again, copy) != 0 && strcmp(copy, "-0") != 0;
    }
    plain_number plain = to_plain(copy, copy + len);
    bool usual = plain.count <= ALWAYS_A_DOUBLE && labs(plain.exponent) < 300;
    return !usual && !is_double(copy, &plain);
}

void db_put_number(db *from, pith_rows *rows, size_t column, const char *digits,
                   size_t len)
{
    if (!is_number(digits, digits + len)) {
        pith_rows_add_text(rows, digits, len);
        return;
    }
    /* Columns that are filled with zeros have them in front; numbers have not. */
    while (len > 1 && digits[0] == '0' && is_digit(digits[1])) {
        digits++;
        len--;
    }
    if (!db_is_too_long(from, digits, len)) {
        pith_rows_add_number(rows, digits, len);
        return;
    }
    if (!from->narrow_noted) {
        from->narrow_noted = true;
        db_note(from, false,
                "the format cannot hold all digits of \"%.60s\" as a number; such "
                "numbers are written as text",
                from->columns[column].name);
    }
    pith_rows_add_text(rows, digits, len);
}

/* The fewest digits that read back as the same float. */
static void put_single(pith_rows *rows, float number)
{
    char digits[32];
    int len = 0;
    for (int precision = 6; precision <= 9; precision++) {
        len = snprintf(digits, sizeof digits, "%.*g", precision, (double)number);
        if (strtof(digits, NULL) == number)
            break;
    }
    pith_rows_add_number(rows, digits, (size_t)len);
}

void db_put_double(pith_rows *rows, double number, bool single)
{
    if (isnan(number)) {
        pith_rows_add_text(rows, "NaN", 3);
    } else if (isinf(number)) {
        const char *word = number < 0 ? "-Infinity" : "Infinity";
        pith_rows_add_text(rows, word, strlen(word));
    } else if (single) {
        put_single(rows, (float)number);
    } else {
        pith_rows_add_double(rows, number);
    }
}

/* --------------------------------------------------------------------------- texts */

static pith_status not_utf8(const db *from, size_t column, pith_error *err)
{
    return db_fail(err, PITH_UNREPRESENTABLE, "invalid_utf8",
                   "row %llu: the text in column \"%.60s\" is not UTF-8; cast it to a "
                   "binary type to get its bytes as base64",
                   (unsigned long long)from->rows + 1, from->columns[column].name);
}

/* The length of the well-formed sequence at `at`; 0 when there is none. */
static size_t sequence_len(const unsigned char *at, size_t len)
{
    unsigned char first = at[0];
    size_t size = first < 0x80   ? 1
                  : first < 0xC2 ? 0
                  : first < 0xE0 ? 2
                  : first < 0xF0 ? 3
                                 : 4;
    if (size == 0 || first > 0xF4 || size > len)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    bool bad = (first == 0xE0 && at[1] < 0xA0) || (first == 0xED && at[1] > 0x9F) ||
               (first == 0xF0 && at[1] < 0x90) || (first == 0xF4 && at[1] > 0x8F);
    return bad ? 0 : size;
}

static bool is_utf8(const char *text, size_t len)
{
    const unsigned char *at = (const unsigned char *)text;
    for (size_t i = 0; i < len;) {
        if (at[i] < 0x80) {
            i++;
            continue;
        }
        size_t size = sequence_len(at + i, len - i);
        if (size == 0)
            return false;
        i += size;
    }
    return true;
}

pith_status db_put_text(db *from, pith_rows *rows, size_t column, const char *text,
                        size_t len, pith_error *err)
{
    if (!is_utf8(text, len))
        return not_utf8(from, column, err);
    pith_rows_add_text(rows, text, len);
    return PITH_OK;
}

size_t db_base64_len(size_t len)
{
    return (len + 2) / 3 * 4;
}

void db_write_base64(char *to, const unsigned char *data, size_t len)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < len; i += 3) {
        size_t left = len - i;
        unsigned three = (unsigned)data[i] << 16;
        three |= left > 1 ? (unsigned)data[i + 1] << 8 : 0;
        three |= left > 2 ? (unsigned)data[i + 2] : 0;
        *to++ = digits[three >> 18];
        *to++ = digits[three >> 12 & 63];
        *to++ = left > 1 ? digits[three >> 6 & 63] : '=';
        *to++ = left > 2 ? digits[three & 63] : '=';
    }
}

pith_status db_put_binary(db *from, pith_rows *rows, const void *data, size_t len,
                          pith_error *err)
{
    (void)from;
    (void)err;
    pith_rows_add_bytes(rows, data, len);
    return PITH_OK;
}

/* --------------------------------------------------------------------------- times */

/* The year as ISO 8601 has it: with a sign when it has more than four digits or lies
 * before the year 0, which is 1 BC. */
static char *write_year(char *to, const char *digits, size_t len, bool before)
{
    char year[24];
    long long number = 0;
    for (size_t i = 0; i < len && i < 15; i++)
        number = number * 10 + (digits[i] - '0');
    number = before ? 1 - number : number;
    const char *sign = number < 0 ? "-" : len > 4 ? "+" : "";
    int made =
        snprintf(year, sizeof year, "%s%04lld", sign, number < 0 ? -number : number);
    memcpy(to, year, (size_t)made);
    return to + made;
}

size_t db_write_time(char *to, const char *text, size_t len)
{
    const char *end = text + len;
    const char *year_end = skip_digits(text, end);
    char *out = to;
    bool before = len > 3 && memcmp(end - 3, " BC", 3) == 0;
    if (before)
        end -= 3;
    if (year_end - text >= 4 && year_end < end && *year_end == '-') {
        out = write_year(out, text, (size_t)(year_end - text), before);
        text = year_end;
    }
    bool clock = false;
    for (; text < end; text++) {
        if (*text == ' ' && text + 1 < end && is_digit(text[1])) {
            *out++ = 'T';
            continue;
        }
        clock = clock || *text == ':';
        *out++ = *text;
        /* The zone +02 is +02:00. */
        if (clock && (*text == '+' || *text == '-') && end - text == 3) {
            memcpy(out, text + 1, 2);
            memcpy(out + 2, ":00", 3);
            return (size_t)(out + 5 - to);
        }
    }
    return (size_t)(out - to);
}

pith_status db_put_time(db *from, pith_rows *rows, size_t column, const char *text,
                        size_t len, pith_error *err)
{
    char *made = db_room(from, len + DB_TIME_EXTRA);
    if (!made)
        return db_no_memory(err);
    size_t made_len = db_write_time(made, text, len);
    return db_put_text(from, rows, column, made, made_len, err);
}

/* -------------------------------------------------------------------------- nested */

pith_status db_put_json(db *from, pith_rows *rows, size_t column, const char *text,
                        size_t len, pith_error *err)
{
    pith_options options = {.read = "duplicates=last", .depth_max = PITH_DEPTH_MOST};
    if (!from->scratch)
        from->scratch = pith_doc_new(&options);
    if (!from->scratch)
        return db_no_memory(err);
    pith_status status = pith_doc_read(from->scratch, "json", text, len, &options, err);
    if (status == PITH_NO_MEMORY)
        return status;
    if (status != PITH_OK)
        return db_put_text(from, rows, column, text, len, err);
    pith_rows_add_value(rows, pith_doc_root(from->scratch));
    return PITH_OK;
}
