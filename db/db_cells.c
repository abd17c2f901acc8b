/*
 * db_cells.c - cells as all databases spell them here.
 */
#include "base/num.h"
#include "base/text.h"
#include "base/utf8.h"
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

/* The shortest digits of the nearest double mean the same number. */
static bool is_double(pith_text digits, const num_parts *parts)
{
    double number = num_to_double(digits);
    if (!isfinite(number))
        return false;
    num_decimal shortest = num_shortest(number);
    size_t high = parts->high.len;
    return parts->significant == (size_t)shortest.count &&
           parts->magnitude == shortest.exponent &&
           text_equal(text_of(shortest.digits, high), parts->high) &&
           text_equal(text_of(shortest.digits + high, parts->low.len), parts->low);
}

bool db_is_too_long(const db *from, const char *digits, size_t len)
{
    pith_text lexeme = {digits, len};
    num_parts parts;
    int64_t whole;
    if (!from->options.narrow || !num_scan(lexeme, &parts))
        return false;
    return parts.integer ? !num_to_int64(lexeme, &whole) : !is_double(lexeme, &parts);
}

void db_put_number(db *from, pith_rows *rows, size_t column, const char *digits,
                   size_t len)
{
    pith_text given = {digits, len};
    num_parts ignored;
    /* Columns that are filled with zeros begin with them; numbers do not. */
    while (len > 1 && digits[0] == '0' && is_digit(digits[1])) {
        digits++;
        len--;
    }
    if (!num_scan(text_of(digits, len), &ignored)) {
        pith_doc_add_text(pith_rows_row(rows), given.ptr, given.len);
        return;
    }
    if (!db_is_too_long(from, digits, len)) {
        pith_doc_add_number(pith_rows_row(rows), digits, len);
        return;
    }
    if (!from->narrow_noted) {
        from->narrow_noted = true;
        db_note(from, false,
                "the format cannot hold all digits of \"%.60s\" as a number; such "
                "numbers are written as text",
                from->columns[column].name);
    }
    pith_doc_add_text(pith_rows_row(rows), digits, len);
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
    pith_doc_add_number(pith_rows_row(rows), digits, (size_t)len);
}

void db_put_double(pith_rows *rows, double number, bool single)
{
    if (isnan(number)) {
        pith_doc_add_text(pith_rows_row(rows), "NaN", 3);
    } else if (isinf(number)) {
        const char *word = number < 0 ? "-Infinity" : "Infinity";
        pith_doc_add_text(pith_rows_row(rows), word, strlen(word));
    } else if (single) {
        put_single(rows, (float)number);
    } else {
        pith_doc_add_double(pith_rows_row(rows), number);
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

pith_status db_put_text(db *from, pith_rows *rows, size_t column, const char *text,
                        size_t len, pith_error *err)
{
    if (utf8_find_invalid(text, len) < len)
        return not_utf8(from, column, err);
    pith_doc_add_text(pith_rows_row(rows), text, len);
    return PITH_OK;
}

pith_status db_put_binary(db *from, pith_rows *rows, const void *data, size_t len,
                          pith_error *err)
{
    (void)from;
    (void)err;
    pith_doc_add_bytes(pith_rows_row(rows), data, len);
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
        return error_no_memory(err);
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
        return error_no_memory(err);
    pith_status status = pith_doc_read(from->scratch, "json", text, len, &options, err);
    if (status == PITH_NO_MEMORY)
        return status;
    if (status != PITH_OK)
        return db_put_text(from, rows, column, text, len, err);
    pith_doc_add_value(pith_rows_row(rows), pith_doc_root(from->scratch));
    return PITH_OK;
}
