/*
 * drawn.c - a value drawn from any bytes: the reader of the notation in drawn.h.
 *
 * Depth is bounded by DRAWN_LEVELS, so functions may call each other. The document is made
 * through the builder, which must take everything that is given to it here.
 */
#include "drawn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWN_LEVELS = 20, DRAWN_MEMBERS = 40, DRAWN_TEXT = 200, DRAWN_COLUMNS = 24 };

#define PIECE(text)                                                                      \
    {                                                                                    \
        text, sizeof text - 1                                                            \
    }

static const pith_text drawn_pieces[] = {
    PIECE(""),
    PIECE("id"),
    PIECE("name"),
    PIECE("true"),
    PIECE("null"),
    PIECE("-"),
    PIECE("~"),
    PIECE("007"),
    PIECE("1e5"),
    PIECE("-0"),
    PIECE("+1"),
    PIECE(".5"),
    PIECE("12"),
    PIECE("1.0"),
    PIECE("0x1F"),
    PIECE("NaN"),
    PIECE("a,b"),
    PIECE("a|b"),
    PIECE("a\tb"),
    PIECE("a:b"),
    PIECE("a: b"),
    PIECE("a;b"),
    PIECE("a=b"),
    PIECE("a.b"),
    PIECE("a>b"),
    PIECE(">"),
    PIECE("#"),
    PIECE("# a"),
    PIECE("##"),
    PIECE("##! summary"),
    PIECE("## a [2]"),
    PIECE("[2]{a,b}:"),
    PIECE("a[2]:"),
    PIECE("filter[name]"),
    PIECE("- a"),
    PIECE("{"),
    PIECE("}"),
    PIECE("["),
    PIECE("]"),
    PIECE("{}"),
    PIECE("[]"),
    PIECE("("),
    PIECE(")"),
    PIECE("\""),
    PIECE("\"a\""),
    PIECE("'"),
    PIECE("\\"),
    PIECE("\\n"),
    PIECE("\n"),
    PIECE("\r"),
    PIECE("a\nb"),
    PIECE(" "),
    PIECE(" a"),
    PIECE("a "),
    PIECE("\t"),
    PIECE("\0"),
    PIECE("\x1b[31m"),
    PIECE("\x7f"),
    PIECE("\xc2\x85"),
    PIECE("\xc2\xa0"),
    PIECE("\xe2\x80\xa8"),
    PIECE("\xe2\x80\xae"),
    PIECE("\xef\xbb\xbf"),
    PIECE("\xef\xbf\xbd"),
    PIECE("\xc3\xa9"),
    PIECE("e\xcc\x81"),
    PIECE("\xe6\x97\xa5"),
    PIECE("\xf0\x9f\x98\x80"),
    PIECE("@0"),
    PIECE("@"),
    PIECE("^"),
    PIECE("^{a}"),
    PIECE("$"),
    PIECE("$ref"),
    PIECE("!"),
    PIECE("!9"),
    PIECE("*"),
    PIECE("&a"),
    PIECE("%"),
    PIECE("?"),
    PIECE("/"),
    PIECE("//"),
    PIECE("b64:AAE="),
    PIECE("Inf"),
    PIECE("T"),
    PIECE("F"),
    PIECE("\xe2\x88\x85"),
    PIECE("constructor"),
    PIECE("__proto__"),
    PIECE("_key"),
    PIECE("key"),
    PIECE("column_1"),
    PIECE("sep=,"),
    PIECE("GCF profile=generic"),
    PIECE("2026-11-16T06:00:00Z"),
    PIECE("sixteen bytes..."),
    PIECE("a text that is longer than sixteen bytes, and than thirty-two"),
};

static const char *const drawn_numbers[10] = {"0",
                                              "1",
                                              "-1",
                                              "-0",
                                              "42",
                                              "0.5",
                                              "1.50",
                                              "1e5",
                                              "9223372036854775808",
                                              "0.1000000000000000055511151231257827"};

pith_text draw_piece(uint8_t byte)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    if (byte >= 'a' && byte <= 'z') {
        pith_text letter = {letters + (byte - 'a'), 1};
        return letter;
    }
    return drawn_pieces[byte % (sizeof drawn_pieces / sizeof *drawn_pieces)];
}

/* ------------------------------------------------------------------------- texts */

/* Writes a code point; the ranges that UTF-8 has no place for become U+FFFD. */
static size_t put_point(char *to, uint32_t point)
{
    if (point < 0x80) {
        to[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        to[0] = (char)(0xC0 | point >> 6);
        to[1] = (char)(0x80 | (point & 63));
        return 2;
    }
    point = point >= 0xD800 && point < 0xE000 ? 0xFFFD : point;
    if (point < 0x10000) {
        to[0] = (char)(0xE0 | point >> 12);
        to[1] = (char)(0x80 | (point >> 6 & 63));
        to[2] = (char)(0x80 | (point & 63));
        return 3;
    }
    point = point > 0x10FFFF ? 0xFFFD + 0x10000 : point;
    to[0] = (char)(0xF0 | point >> 18);
    to[1] = (char)(0x80 | (point >> 12 & 63));
    to[2] = (char)(0x80 | (point >> 6 & 63));
    to[3] = (char)(0x80 | (point & 63));
    return 4;
}

/* Bytes up to `stop`. Those from 80 on are the beginning of a code point in three. */
static size_t draw_text(draw *from, char stop, char *to, size_t room)
{
    size_t len = 0;
    while (from->at < from->end && len + 4 <= room) {
        uint32_t byte = draw_byte(from);
        if (byte == (uint8_t)stop)
            break;
        if (byte >= 0x80) {
            byte = (byte & 0x1F) << 16 | (uint32_t)draw_byte(from) << 8;
            byte |= draw_byte(from);
        }
        len += put_point(to + len, byte);
    }
    return len;
}

static size_t digits_at(const char *text, size_t len, size_t at)
{
    while (at < len && text[at] >= '0' && text[at] <= '9')
        at++;
    return at;
}

/* JSON's grammar, told once more. */
static bool is_number(const char *text, size_t len)
{
    size_t start = len > 0 && text[0] == '-' ? 1 : 0;
    size_t at = digits_at(text, len, start);
    if (at == start || (text[start] == '0' && at > start + 1))
        return false;
    if (at < len && text[at] == '.') {
        size_t point = at + 1;
        at = digits_at(text, len, point);
        if (at == point)
            return false;
    }
    if (at < len && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        at += at < len && (text[at] == '+' || text[at] == '-') ? 1 : 0;
        size_t power = at;
        at = digits_at(text, len, power);
        if (at == power)
            return false;
    }
    return at == len;
}

/* -------------------------------------------------------------------------- keys */

typedef struct drawn_keys {
    char text[DRAWN_MEMBERS][DRAWN_TEXT];
    size_t len[DRAWN_MEMBERS];
    size_t count;
} drawn_keys;

static bool has_key(const drawn_keys *keys, const char *text, size_t len)
{
    for (size_t i = 0; i < keys->count; i++)
        if (keys->len[i] == len && memcmp(keys->text[i], text, len) == 0)
            return true;
    return false;
}

/* Draws a key that is not yet there; false when there is no more room. */
static bool draw_key(draw *from, drawn_keys *keys)
{
    if (keys->count == DRAWN_MEMBERS)
        return false;
    char *text = keys->text[keys->count];
    size_t len;
    uint8_t byte = draw_byte(from);
    if (byte == '\'') {
        len = draw_text(from, '\'', text, DRAWN_TEXT - 32);
    } else {
        pith_text piece = draw_piece(byte);
        len = piece.len;
        memcpy(text, piece.ptr, len);
    }
    for (size_t again = 2, plain = len; has_key(keys, text, len); again++)
        len = plain + (size_t)snprintf(text + plain, DRAWN_TEXT - plain, "%zu", again);
    keys->len[keys->count++] = len;
    return true;
}

static void add_last_key(pith_doc *doc, const drawn_keys *keys)
{
    pith_doc_add_key(doc, keys->text[keys->count - 1], keys->len[keys->count - 1]);
}

static drawn_keys *new_keys(void)
{
    drawn_keys *keys = (drawn_keys *)malloc(sizeof *keys);
    if (!keys)
        abort();
    keys->count = 0;
    return keys;
}

/* -------------------------------------------------------------------- containers */

static bool ends(draw *from, char close)
{
    if (from->at < from->end && *from->at == (uint8_t)close) {
        from->at++;
        return true;
    }
    return from->at >= from->end;
}

static void draw_array(draw *from, pith_doc *doc, unsigned levels)
{
    pith_doc_open_array(doc);
    while (!ends(from, ']'))
        draw_value(from, doc, levels - 1);
    pith_doc_close(doc);
}

static void draw_members(draw *from, pith_doc *doc, drawn_keys *keys, char close,
                         unsigned levels)
{
    while (from->at < from->end && *from->at != (uint8_t)close && *from->at != '|' &&
           draw_key(from, keys)) {
        add_last_key(doc, keys);
        draw_value(from, doc, levels - 1);
    }
}

static void draw_object(draw *from, pith_doc *doc, unsigned levels)
{
    drawn_keys *keys = new_keys();
    pith_doc_open_object(doc);
    draw_members(from, doc, keys, '}', levels);
    pith_doc_close(doc);
    (void)ends(from, '}');
    free(keys);
}

/* One row, as an object: the columns, and what else stands before the bar. */
static void draw_row(draw *from, pith_doc *doc, const drawn_keys *columns, char close,
                     unsigned levels)
{
    drawn_keys *keys = new_keys();
    bool backwards = from->at < from->end && *from->at == '~';
    from->at += backwards ? 1 : 0;
    memcpy(keys, columns, sizeof *keys);
    pith_doc_open_object(doc);
    for (size_t i = 0; i < columns->count; i++) {
        size_t which = backwards ? columns->count - 1 - i : i;
        if (from->at >= from->end || *from->at == '|' || *from->at == (uint8_t)close)
            break;
        if (*from->at == '-') {
            from->at++;
            continue;
        }
        pith_doc_add_key(doc, columns->text[which], columns->len[which]);
        draw_value(from, doc, levels - 1);
    }
    draw_members(from, doc, keys, close, levels);
    pith_doc_close(doc);
    free(keys);
}

static void draw_table(draw *from, pith_doc *doc, bool keyed, unsigned levels)
{
    char close = keyed ? '>' : ')';
    drawn_keys *columns = new_keys();
    drawn_keys *names = new_keys();
    while (from->at < from->end && *from->at != '|' && *from->at != (uint8_t)close &&
           columns->count < DRAWN_COLUMNS && draw_key(from, columns)) {
    }
    keyed ? pith_doc_open_object(doc) : pith_doc_open_array(doc);
    while (!ends(from, close)) {
        from->at += *from->at == '|' ? 1 : 0;
        if (keyed && !draw_key(from, names))
            break;
        if (keyed)
            add_last_key(doc, names);
        if (from->at < from->end && *from->at == '!') {
            from->at++;
            draw_value(from, doc, levels - 1);
        } else {
            draw_row(from, doc, columns, close, levels - 1);
        }
    }
    pith_doc_close(doc);
    free(names);
    free(columns);
}

/* ------------------------------------------------------------------------ values */

static void draw_container(draw *from, pith_doc *doc, uint8_t byte, unsigned levels)
{
    switch (byte) {
    case '[':
        draw_array(from, doc, levels);
        break;
    case '{':
        draw_object(from, doc, levels);
        break;
    default:
        draw_table(from, doc, byte == '<', levels);
    }
}

void draw_value(draw *from, pith_doc *doc, unsigned levels)
{
    char text[DRAWN_TEXT];
    size_t len;
    uint8_t byte = draw_byte(from);
    pith_text piece = draw_piece(byte);
    switch (byte) {
    case '[':
    case '{':
    case '(':
    case '<':
        if (levels > 2)
            draw_container(from, doc, byte, levels);
        else
            pith_doc_add_null(doc);
        break;
    case 'n':
        pith_doc_add_null(doc);
        break;
    case 't':
    case 'f':
        pith_doc_add_bool(doc, byte == 't');
        break;
    case '\'':
        len = draw_text(from, '\'', text, sizeof text);
        pith_doc_add_text(doc, text, len);
        break;
    case '+':
        len = draw_text(from, ';', text, sizeof text);
        if (is_number(text, len))
            pith_doc_add_number(doc, text, len);
        else
            pith_doc_add_text(doc, text, len);
        break;
    default:
        if (byte >= '0' && byte <= '9') {
            const char *number = drawn_numbers[byte - '0'];
            pith_doc_add_number(doc, number, strlen(number));
        } else {
            pith_doc_add_text(doc, piece.ptr, piece.len);
        }
    }
}

pith_doc *draw_doc(draw *from)
{
    pith_doc *doc = pith_doc_new(NULL);
    if (!doc)
        abort();
    draw_value(from, doc, DRAWN_LEVELS);
    pith_error err = {0};
    if (pith_doc_finish(doc, &err) != PITH_OK) {
        fprintf(stderr, "a drawn value is refused: %s\n", err.message);
        abort();
    }
    return doc;
}
