/*
 * making.c - random JSON, in shapes.
 */
#include "making.h"
#include "random.h"

#include <stdbool.h>
#include <string.h>

enum { DEPTH_MOST = 4, CHILDREN_MOST = 5, BYTES_MOST = 500 };

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Everything is spelled as inside a JSON string. */
static const char *const ordinary_keys[] = {"id",   "name", "a",    "b",    "c",    "key",
                                            "_key", "tags", "item", "size", "when", "x1"};

static const char *const odd_keys[] = {"",
                                       ">",
                                       "a>b",
                                       "a>",
                                       ">b",
                                       "a>b>c",
                                       "filter[name]",
                                       "n[2]",
                                       "a]:",
                                       "=",
                                       "a=b",
                                       "a b",
                                       " a",
                                       "a ",
                                       "|",
                                       ",",
                                       ":",
                                       "{",
                                       "}",
                                       "[",
                                       "]",
                                       "\\\"",
                                       "\\\\",
                                       "\\n",
                                       "\\t",
                                       "\\u0000",
                                       "-",
                                       "~",
                                       "^",
                                       "^{a}",
                                       "#",
                                       "# a",
                                       "##",
                                       "##!",
                                       "## a [1]",
                                       "@0",
                                       "@id",
                                       ".a",
                                       "true",
                                       "null",
                                       "1",
                                       "01",
                                       "-1",
                                       "+1",
                                       ".5",
                                       "1e5",
                                       "key:",
                                       "a,b",
                                       "\xc3\xa9",
                                       "\xc2\x85",
                                       "\xc2\xa0",
                                       "\xe2\x80\xa8",
                                       "\xef\xbb\xbf",
                                       "\xe6\x97\xa5",
                                       "\xf0\x9f\x98\x80",
                                       "\x7f",
                                       "constructor",
                                       "__proto__",
                                       "__key",
                                       "a.b",
                                       "a-b",
                                       "$",
                                       "group=a",
                                       "dept=x [2]"};

static const char *const ordinary_texts[] = {
    "ok", "Ada", "north", "2026-01-31", "a b c", "x", "shipped", "user@host", "/a/b?c=d"};

/* Strings are one to four of these. */
static const char *const pieces[] = {"a",
                                     "Z",
                                     "_",
                                     "0",
                                     "7",
                                     "12",
                                     ".",
                                     "-",
                                     "+",
                                     "e",
                                     "E",
                                     " ",
                                     "  ",
                                     "\\t",
                                     "\\n",
                                     "\\r",
                                     "\\b",
                                     "\\f",
                                     "\\u0000",
                                     "\\u001f",
                                     "\\\"",
                                     "\\\\",
                                     "/",
                                     "\\/",
                                     "'",
                                     "`",
                                     ",",
                                     "|",
                                     ":",
                                     ";",
                                     "=",
                                     "#",
                                     "##",
                                     "##!",
                                     "@",
                                     "@0",
                                     "^",
                                     "~",
                                     "^{",
                                     "{",
                                     "}",
                                     "[",
                                     "]",
                                     "[2]",
                                     "[2]:",
                                     "[x] :",
                                     "<",
                                     ">",
                                     "a>b",
                                     "&",
                                     "true",
                                     "false",
                                     "null",
                                     "NaN",
                                     "0x1f",
                                     "1e5",
                                     "- ",
                                     "summary",
                                     "GCF profile=generic",
                                     "\x7f",
                                     "\xc2\x80",
                                     "\xc2\x85",
                                     "\xc2\x9f",
                                     "\xc2\xa0",
                                     "\xc3\xa9",
                                     "\xcc\x81",
                                     "\xd9\xa0",
                                     "\xe1\x9a\x80",
                                     "\xe1\xa0\x8e",
                                     "\xe2\x80\x80",
                                     "\xe2\x80\x8b",
                                     "\xe2\x80\xa8",
                                     "\xe2\x80\xa9",
                                     "\xe2\x80\xaf",
                                     "\xe2\x81\x9f",
                                     "\xe3\x80\x80",
                                     "\xe6\x97\xa5",
                                     "\xef\xbb\xbf",
                                     "\xef\xbc\x91",
                                     "\xf0\x9f\x98\x80",
                                     "\\ud83d\\ude00",
                                     "\\u00e9",
                                     "\\u2028",
                                     "long enough for a block"};

static const char *const numbers[] = {"0",
                                      "-0",
                                      "1",
                                      "-1",
                                      "0.0",
                                      "-0.0",
                                      "1.0",
                                      "1.50",
                                      "100.0",
                                      "1e2",
                                      "0.1",
                                      "1e-6",
                                      "9.99e-7",
                                      "1E+21",
                                      "5e-324",
                                      "1.7976931348623157e308",
                                      "9007199254740991",
                                      "9007199254740993",
                                      "9007199254740992.0",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "0.30000000000000004",
                                      "123456789012345678.25",
                                      "1e22"};

typedef struct maker {
    bytes *to;
    uint64_t seed; /* of the content */
    size_t start;  /* where the value began */
} maker;

/* True once in `times`. */
static bool seldom(maker *m, size_t times)
{
    return random_below(&m->seed, times) == 0;
}

static void put(maker *m, const char *text)
{
    bytes_put(m->to, text);
}

static void put_one(maker *m, const char *const *list, size_t count)
{
    put(m, list[random_below(&m->seed, count)]);
}

/* ------------------------------------------------------------------------ scalars */

static void make_pieces(maker *m)
{
    size_t count = 1 + random_below(&m->seed, 4);
    for (size_t i = 0; i < count; i++)
        put_one(m, pieces, COUNT(pieces));
}

static void make_text(maker *m)
{
    put(m, "\"");
    switch (random_below(&m->seed, 8)) {
    case 0:
        break;
    case 1:
        put_one(m, odd_keys, COUNT(odd_keys));
        break;
    case 2:
        put_one(m, numbers, COUNT(numbers));
        break;
    case 3:
    case 4:
        put_one(m, ordinary_texts, COUNT(ordinary_texts));
        break;
    default:
        make_pieces(m);
    }
    put(m, "\"");
}

static void make_digits(maker *m, size_t most)
{
    char digits[24];
    size_t count = 1 + random_below(&m->seed, most);
    uint64_t source = random_next(&m->seed);
    for (size_t i = 0; i < count; i++, source /= 10)
        digits[i] = (char)('0' + source % 10);
    bytes_add(m->to, digits, count);
}

static void make_number(maker *m)
{
    static const char *const signs[] = {"", "-", "1", "-7"};
    static const char *const exponents[] = {"e-290", "e-7",  "e-5", "e0",  "E+3",
                                            "e15",   "e016", "e22", "e280"};
    if (seldom(m, 2)) {
        put_one(m, numbers, COUNT(numbers));
        return;
    }
    size_t sign = random_below(&m->seed, COUNT(signs));
    put(m, signs[sign]);
    if (sign < 2)
        put(m, "3"); /* no digits may follow a zero */
    make_digits(m, 17);
    if (seldom(m, 2))
        return;
    put(m, ".");
    make_digits(m, 18);
    if (seldom(m, 3))
        put_one(m, exponents, COUNT(exponents));
}

static void make_scalar(maker *m)
{
    static const char *const words[] = {"null", "true", "false"};
    switch (random_below(&m->seed, 8)) {
    case 0:
        put_one(m, words, COUNT(words));
        break;
    case 1:
    case 2:
    case 3:
        make_number(m);
        break;
    default:
        make_text(m);
    }
}

/* ------------------------------------------------------------------------- shapes */

static void make_shaped(maker *m, uint64_t shape, size_t depth);

/* The first of some keys, and how far it is to the next: all differ, being of one list
 * whose length is no multiple of the step. */
typedef struct key_walk {
    const char *const *list;
    size_t count;
    size_t at;
    size_t step;
} key_walk;

static key_walk walk_keys(uint64_t *shape)
{
    key_walk walk;
    bool odd = random_below(shape, 3) == 0;
    walk.list = odd ? odd_keys : ordinary_keys;
    walk.count = odd ? COUNT(odd_keys) : COUNT(ordinary_keys);
    walk.at = random_below(shape, walk.count);
    walk.step = 1;
    return walk;
}

static void make_key(maker *m, key_walk *walk)
{
    put(m, "\"");
    put(m, walk->list[walk->at]);
    if (seldom(m, 64))
        put_one(m, pieces, COUNT(pieces));
    put(m, "\":");
    walk->at = (walk->at + walk->step) % walk->count;
}

static void make_object(maker *m, uint64_t shape, size_t depth)
{
    key_walk keys = walk_keys(&shape);
    size_t count = random_below(&shape, CHILDREN_MOST);
    bool first = true;
    if (seldom(m, 40)) { /* the other way round */
        keys.at = (keys.at + count * keys.step) % keys.count;
        keys.step = keys.count - 1;
    }
    put(m, "{");
    for (size_t i = 0; i < count; i++) {
        uint64_t child = random_next(&shape);
        size_t turn = random_below(&m->seed, 24);
        if (turn == 0) {
            keys.at = (keys.at + keys.step) % keys.count;
            continue;
        }
        if (!first)
            put(m, ",");
        first = false;
        make_key(m, &keys);
        if (turn == 1)
            put(m, "null");
        else
            make_shaped(m, turn == 2 ? random_next(&m->seed) : child, depth + 1);
    }
    put(m, "}");
}

/* Rows of one shape, in an array or under keys. */
static void make_rows(maker *m, uint64_t shape, size_t depth, bool keyed)
{
    key_walk keys = walk_keys(&m->seed);
    size_t count = random_below(&m->seed, CHILDREN_MOST);
    put(m, keyed ? "{" : "[");
    for (size_t i = 0; i < count; i++) {
        if (i)
            put(m, ",");
        if (keyed)
            make_key(m, &keys);
        if (seldom(m, 32))
            make_shaped(m, random_next(&m->seed), depth + 1);
        else
            make_object(m, shape, depth + 1);
    }
    put(m, keyed ? "}" : "]");
}

static void make_list(maker *m, size_t depth)
{
    bool mixed = depth < DEPTH_MOST && seldom(m, 3);
    size_t count = random_below(&m->seed, CHILDREN_MOST);
    put(m, "[");
    for (size_t i = 0; i < count; i++) {
        if (i)
            put(m, ",");
        if (mixed)
            make_shaped(m, random_next(&m->seed), depth + 1);
        else
            make_scalar(m);
    }
    put(m, "]");
}

/* Recursion ends at DEPTH_MOST, and early in a value that has become long. */
static void make_shaped(maker *m, uint64_t shape, size_t depth)
{
    size_t kind = random_below(&shape, depth == 0 ? 8 : 16);
    if (depth >= DEPTH_MOST || m->to->len - m->start > BYTES_MOST)
        kind = 15;
    if (kind < 3)
        make_rows(m, random_next(&shape), depth, false);
    else if (kind < 5)
        make_object(m, shape, depth);
    else if (kind < 6)
        make_rows(m, random_next(&shape), depth, true);
    else if (kind < 7)
        make_list(m, depth);
    else
        make_scalar(m);
}

void make_json(bytes *to, uint64_t *seed)
{
    maker m = {to, random_next(seed), to->len};
    uint64_t shape = random_next(seed);
    make_shaped(&m, shape, 0);
}
