/*
 * made_values.c - see made_values.h.
 *
 * A value is made top-down. Tables come from a schema: a handful of columns, each with a
 * recipe for its cells (a scalar, always the same, an object of a schema of its own, rows
 * of one). Then some rows lack a cell, have a stranger among them, or, rarely, list their
 * members in another order.
 */
#include "made_values.h"

#include <stdbool.h>
#include <string.h>

enum { COLUMNS_MOST = 4, DEPTH_MOST = 4, KEYS_MOST = 6 };

/* Pieces of text: everything that means something somewhere, every kind of space and of
 * control, what looks like a number or a word, and ordinary text. */
static const char *const text_parts[] = {
    "a",
    "b",
    "name",
    "Ada Lovelace",
    "x y",
    ",",
    ";",
    ":",
    "=",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    "\n",
    "\r",
    "\t",
    "\x01",
    "\x1f",
    "\x7f",
    " ",
    "  ",
    "\xc2\x80",
    "\xc2\x85",
    "\xc2\x9f",
    "\xc2\xa0",
    "\xe1\x9a\x80",
    "\xe2\x80\x80",
    "\xe2\x80\x8a",
    "\xe2\x80\x8b",
    "\xe2\x80\xa8",
    "\xe2\x80\xa9",
    "\xe2\x80\xaf",
    "\xe2\x81\x9f",
    "\xe3\x80\x80",
    "\xef\xbb\xbf",
    "\xc3\xa9",
    "\xe6\x97\xa5\xe6\x9c\xac",
    "\xf0\x9f\x98\x80",
    "null",
    "true",
    "false",
    "0",
    "1",
    "-1",
    "01",
    "+1",
    ".5",
    "1.",
    "1e5",
    "-",
    "+",
    ".",
    "e",
    "?",
    "2{",
    "[2{a}",
    "]2",
    "~",
    "#",
    "//",
    "'",
    "|",
    "/",
    "u0041",
    "2024-01-02T03:04:05Z",
    "http://x.org/a?b=1&c=2#d",
    "a text that is longer than sixteen bytes",
};

static const char *const number_parts[] = {
    "0",
    "-0",
    "1",
    "2",
    "7",
    "42",
    "-17",
    "1.0",
    "1.00",
    "0.5",
    "1e5",
    "1E+5",
    "-1.5e-10",
    "1e400",
    "12345678",
    "3.14159",
    "9007199254740993",
    "123456789012345678901234567890",
    "100",
    "99.90",
};

/* Keys, all different; those that need quotes are the minority, as in life. */
static const char *const key_parts[] = {
    "id",
    "name",
    "a",
    "b",
    "c",
    "x",
    "y",
    "qty",
    "sku",
    "t",
    "g",
    "tags",
    "items",
    "key 1",
    "1",
    "null",
    "true",
    "01",
    "k=v",
    "a:b",
    "a,b",
    "",
    " s",
    "s ",
    "q\"q",
    "b\\s",
    "n\nl",
    "?",
    "{",
    "]",
    "\xc3\xa9",
    "\x7f",
    "2{a}",
    "\xc2\xa0",
    ";",
    "-",
    "\xe2\x80\xa8",
    "a rather long key of more than sixteen bytes",
};

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

static size_t below(uint64_t *state, size_t limit)
{
    return random_below(state, limit);
}

static bool one_in(uint64_t *state, size_t limit)
{
    return random_below(state, limit) == 0;
}

/* ---------------------------------------------------------------------- scalars */

static void put_char(bytes *json, char byte)
{
    bytes_add(json, &byte, 1);
}

/* Text inside quotes, with the shortest escapes there are. */
static void put_inside(bytes *json, const char *text)
{
    static const char special[] = "\"\\\b\f\n\r\t";
    static const char letter[] = "\"\\bfnrt";
    const char *plain = text; /* what has not been written yet */
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte >= 0x20 && byte != '"' && byte != '\\') {
            continue;
        }
        bytes_add(json, plain, (size_t)(text - plain));
        plain = text + 1;
        const char *at = strchr(special, byte);
        if (at) {
            put_char(json, '\\');
            put_char(json, letter[at - special]);
        } else {
            bytes_print(json, "\\u%04x", byte);
        }
    }
    bytes_add(json, plain, (size_t)(text - plain));
}

static void put_text(bytes *json, const char *text)
{
    put_char(json, '"');
    put_inside(json, text);
    put_char(json, '"');
}

static void make_text(bytes *json, uint64_t *state)
{
    size_t parts = one_in(state, 8) ? 0 : 1 + (one_in(state, 4) ? below(state, 4) : 0);
    put_char(json, '"');
    for (size_t i = 0; i < parts; i++) {
        put_inside(json, text_parts[below(state, COUNT_OF(text_parts))]);
    }
    if (one_in(state, 1000)) {
        for (size_t i = below(state, 2000); i > 0; i--) {
            put_char(json, 'z');
        }
    }
    if (one_in(state, 200)) {
        bytes_put(json, "\\u0000");
    }
    put_char(json, '"');
}

static void make_number(bytes *json, uint64_t *state)
{
    if (one_in(state, 2)) {
        bytes_put(json, number_parts[below(state, COUNT_OF(number_parts))]);
        return;
    }
    bytes_print(json, "%u", (unsigned)below(state, 1000));
    if (one_in(state, 3)) {
        bytes_print(json, ".%u", (unsigned)below(state, 1000));
    }
}

static void make_scalar(bytes *json, uint64_t *state)
{
    static const char *const words[] = {"null", "true", "false"};
    size_t kind = below(state, 10);
    if (kind < 5) {
        make_text(json, state);
    } else if (kind < 8) {
        make_number(json, state);
    } else {
        bytes_put(json, words[below(state, 3)]);
    }
}

/* ------------------------------------------------------------------------ keys */

/* Some different keys, in an order that is mostly that of the list. */
static size_t make_keys(uint64_t *state, size_t most, const char **keys)
{
    size_t count = 0;
    size_t at = below(state, 4);
    size_t want = 1 + below(state, most);
    while (count < want && at < COUNT_OF(key_parts)) {
        keys[count++] = key_parts[at];
        at += 1 + (one_in(state, 3) ? below(state, 12) : 0);
    }
    if (count > 1 && one_in(state, 12)) {
        size_t other = below(state, count);
        const char *first = keys[0];
        keys[0] = keys[other];
        keys[other] = first;
    }
    return count;
}

/* ---------------------------------------------------------------------- tables */

typedef enum recipe { ANY, SAME, EMPTY, OBJECT, ROWS, LIST, RECIPES } recipe;

/* What the rows of a table have in common. Inner objects and rows have a schema that is
 * made anew from `seed` wherever it is needed. */
typedef struct schema {
    const char *keys[COLUMNS_MOST];
    recipe recipes[COLUMNS_MOST];
    uint64_t seeds[COLUMNS_MOST];
    size_t count;
    size_t absent; /* one cell in so many is; 0 for none */
} schema;

static schema make_schema(uint64_t *state, size_t depth)
{
    schema made;
    made.count = make_keys(state, COLUMNS_MOST, made.keys);
    made.absent = one_in(state, 2) ? 0 : 2 + below(state, 6);
    for (size_t i = 0; i < made.count; i++) {
        size_t kind = below(state, 18);
        made.recipes[i] =
            kind < (size_t)RECIPES && depth < DEPTH_MOST ? (recipe)kind : ANY;
        made.seeds[i] = random_next(state);
    }
    return made;
}

static void make_any(bytes *json, uint64_t *state, size_t depth);
static void make_row(bytes *json, uint64_t *state, const schema *columns, size_t depth);

/* Rows in a cell; recursion ends at DEPTH_MOST. */
static void make_rows(bytes *json, uint64_t *state, uint64_t seed, size_t depth,
                      size_t most)
{
    schema inner = make_schema(&seed, depth);
    size_t count = below(state, most);
    put_char(json, '[');
    for (size_t i = 0; i < count; i++) {
        bytes_put(json, i > 0 ? "," : "");
        make_row(json, state, &inner, depth);
    }
    put_char(json, ']');
}

static void make_list(bytes *json, uint64_t *state)
{
    size_t count = below(state, 4);
    put_char(json, '[');
    for (size_t i = 0; i < count; i++) {
        bytes_put(json, i > 0 ? "," : "");
        make_scalar(json, state);
    }
    put_char(json, ']');
}

static void make_cell(bytes *json, uint64_t *state, const schema *columns, size_t column,
                      size_t depth)
{
    uint64_t seed = columns->seeds[column];
    schema inner;
    switch (columns->recipes[column]) {
    case SAME:
        make_scalar(json, one_in(state, 20) ? state : &seed);
        break;
    case EMPTY:
        bytes_put(json, seed % 2 ? "[]" : "{}");
        break;
    case OBJECT:
        inner = make_schema(&seed, depth + 1);
        make_row(json, state, &inner, depth + 1);
        break;
    case ROWS:
        make_rows(json, state, seed, depth + 1, 4);
        break;
    case LIST:
        make_list(json, state);
        break;
    default:
        if (one_in(state, 30)) {
            make_any(json, state, depth + 1);
        } else {
            make_scalar(json, state);
        }
    }
}

static void make_row(bytes *json, uint64_t *state, const schema *columns, size_t depth)
{
    bool first = true;
    bool stranger = one_in(state, 40);
    size_t turn = one_in(state, 50) ? 1 + below(state, columns->count) : 0;
    put_char(json, '{');
    for (size_t i = 0; i < columns->count; i++) {
        size_t column = (i + turn) % columns->count;
        if (columns->absent && one_in(state, columns->absent)) {
            continue;
        }
        bytes_put(json, first ? "" : ",");
        put_text(json, columns->keys[column]);
        put_char(json, ':');
        make_cell(json, state, columns, column, depth);
        first = false;
    }
    if (stranger) {
        bytes_put(json, first ? "" : ",");
        bytes_put(json, "\"stranger\":1");
    }
    put_char(json, '}');
}

/* An object of objects. */
static void make_map(bytes *json, uint64_t *state, size_t depth)
{
    const char *keys[KEYS_MOST];
    schema inner = make_schema(state, depth + 1);
    size_t count = make_keys(state, KEYS_MOST, keys);
    put_char(json, '{');
    for (size_t i = 0; i < count; i++) {
        bytes_put(json, i > 0 ? "," : "");
        put_text(json, keys[i]);
        put_char(json, ':');
        make_row(json, state, &inner, depth + 1);
    }
    put_char(json, '}');
}

/* ------------------------------------------------------------------------ anything */

static void make_object(bytes *json, uint64_t *state, size_t depth)
{
    const char *keys[KEYS_MOST];
    size_t count = make_keys(state, KEYS_MOST, keys);
    put_char(json, '{');
    for (size_t i = 0; i < count; i++) {
        bytes_put(json, i > 0 ? "," : "");
        put_text(json, keys[i]);
        put_char(json, ':');
        make_any(json, state, depth + 1);
    }
    put_char(json, '}');
}

static void make_array(bytes *json, uint64_t *state, size_t depth)
{
    size_t count = below(state, 5);
    put_char(json, '[');
    for (size_t i = 0; i < count; i++) {
        bytes_put(json, i > 0 ? "," : "");
        make_any(json, state, depth + 1);
    }
    put_char(json, ']');
}

/* Recursion ends at DEPTH_MOST. */
static void make_any(bytes *json, uint64_t *state, size_t depth)
{
    size_t kind = below(state, 12);
    if (depth >= DEPTH_MOST || kind < 4) {
        make_scalar(json, state);
    } else if (kind < 7) {
        make_rows(json, state, random_next(state), depth, 3);
    } else if (kind < 8) {
        make_map(json, state, depth);
    } else if (kind < 10) {
        make_object(json, state, depth);
    } else {
        make_array(json, state, depth);
    }
}

void make_value(bytes *json, uint64_t *state)
{
    size_t kind = below(state, 8);
    if (kind < 4) {
        make_rows(json, state, random_next(state), 1, 5);
    } else if (kind < 5) {
        make_map(json, state, 0);
    } else if (kind < 6) {
        make_object(json, state, 2);
    } else {
        make_any(json, state, 1);
    }
}
