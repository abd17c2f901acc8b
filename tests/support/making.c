/*
 * making.c - random JSON, in shapes.
 */
#include "making.h"
#include "random.h"
#include "words.h"

#include <stdbool.h>
#include <string.h>

enum {
    DEPTH_LIMIT = 512, /* PITH_DEPTH_DEFAULT */
    LONG_MOST = 40000, /* code points of a very long text */
    WIDE_MOST = 300    /* members of a very wide object */
};

/* How large a value becomes. */
typedef struct making_size {
    size_t children; /* at most, of a container */
    size_t depth;    /* beyond it there are scalars only, */
    size_t bytes;    /* and after so many bytes */
} making_size;

typedef struct maker {
    bytes *to;
    uint64_t seed; /* of the content */
    size_t start;  /* where the value began */
    making_size size;
    uint64_t repeats; /* of what comes again: four seeds from this one on, or 0 */
} maker;

static size_t pick(uint64_t *seed, size_t limit)
{
    return random_small(seed, limit);
}

/* True once in `times`. */
static bool seldom(maker *m, size_t times)
{
    return pick(&m->seed, times) == 0;
}

static void put(maker *m, char byte)
{
    bytes_add(m->to, &byte, 1);
}

/* ------------------------------------------------------------------------ strings */

/* A byte inside a JSON string, in the shortest way there is. */
static void put_escaped(maker *m, char byte)
{
    static const char special[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    static const char digits[] = "0123456789abcdef";
    const char *at = byte ? strchr(special, byte) : NULL;
    char text[6] = {'\\', 'u', '0', '0'};
    if (at) {
        text[1] = letters[at - special];
        bytes_add(m->to, text, 2);
        return;
    }
    text[4] = digits[byte >> 4];
    text[5] = digits[byte & 15];
    bytes_add(m->to, text, 6);
}

static void put_word(maker *m, word text)
{
    size_t plain = 0; /* what has not been written yet begins here */
    for (size_t i = 0; i < text.len; i++) {
        unsigned char byte = (unsigned char)text.ptr[i];
        if (byte < 0x20 || byte == '"' || byte == '\\') {
            bytes_add(m->to, text.ptr + plain, i - plain);
            put_escaped(m, text.ptr[i]);
            plain = i + 1;
        }
    }
    bytes_add(m->to, text.ptr + plain, text.len - plain);
}

/* Any code point there is, each of the lengths of UTF-8 as often as the others. */
static void put_code_point(maker *m, uint64_t *seed)
{
    static const uint32_t ends[] = {0x80, 0x800, 0x10000, 0x110000};
    static const unsigned char leads[] = {0, 0xc0, 0xe0, 0xf0};
    size_t size = pick(seed, 4);
    uint32_t start = size ? ends[size - 1] : 0;
    uint32_t code = start + (uint32_t)pick(seed, ends[size] - start);
    char text[4];
    if (code >= 0xd800 && code < 0xe000)
        code -= 0x800;
    if (size == 0) {
        text[0] = (char)code;
        put_word(m, (word){text, 1});
        return;
    }
    for (size_t i = size; i > 0; i--, code >>= 6)
        text[i] = (char)(0x80 | (code & 0x3f));
    text[0] = (char)(leads[size] | code);
    bytes_add(m->to, text, size + 1);
}

static void put_code_points(maker *m, uint64_t *seed, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_code_point(m, seed);
}

static void put_words(maker *m, uint64_t *seed, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_word(m, words_odd[pick(seed, words_odd_count)]);
}

/* What stands between the quotes of a key or a text. */
static void make_inside(maker *m, uint64_t *seed)
{
    size_t kind = pick(seed, 16);
    if (kind < 6)
        put_word(m, words_plain[pick(seed, words_plain_count)]);
    else if (kind < 11)
        put_words(m, seed, 1);
    else if (kind < 13)
        put_words(m, seed, 2 + pick(seed, 3));
    else if (kind < 14)
        put_word(m, words_numbers[pick(seed, words_numbers_all)]);
    else
        put_code_points(m, seed, 1 + pick(seed, 5));
}

/* A beginning that other texts share. */
static void make_stem(maker *m)
{
    static const char *const stems[] = {"https://api.example.com/v1/users/",
                                        "https://api.example.com/v1/",
                                        "#/definitions/models.",
                                        "node_modules/@types/",
                                        "\xC3\xA9t\xC3\xA9-2024-05-",
                                        "SKU-0",
                                        "a-b-c-d-e-f-*",
                                        "x y z/ "};
    bytes_put(m->to, stems[pick(&m->seed, 8)]);
}

static void make_text(maker *m)
{
    put(m, '"');
    if (m->repeats && seldom(m, 2))
        make_stem(m);
    make_inside(m, &m->seed);
    put(m, '"');
}

/* ------------------------------------------------------------------------ numbers */

static void make_digits(maker *m, size_t most)
{
    char digits[24];
    size_t count = 1 + pick(&m->seed, most);
    uint64_t source = random_next(&m->seed);
    for (size_t i = 0; i < count; i++, source /= 10)
        digits[i] = (char)('0' + source % 10);
    bytes_add(m->to, digits, count);
}

static void make_long_number(maker *m)
{
    static const char *const starts[] = {"3", "-3", "1", "-7"};
    static const char *const exponents[] = {"e-290", "e-7",  "e-5", "e0",  "E+3",
                                            "e15",   "e016", "e22", "e280"};
    bytes_put(m->to, starts[pick(&m->seed, 4)]);
    make_digits(m, 17);
    if (seldom(m, 2))
        return;
    put(m, '.');
    make_digits(m, 18);
    if (seldom(m, 3))
        bytes_put(m->to, exponents[pick(&m->seed, 9)]);
}

static void make_number(maker *m)
{
    size_t kind = pick(&m->seed, 64);
    if (kind < 2) {
        size_t at = words_numbers_count + pick(&m->seed, 9);
        bytes_add(m->to, words_numbers[at].ptr, words_numbers[at].len);
    } else if (kind < 32) {
        const word *number = &words_numbers[pick(&m->seed, words_numbers_count)];
        bytes_add(m->to, number->ptr, number->len);
    } else if (kind < 52) {
        char digits[3] = {(char)('1' + pick(&m->seed, 9)), (char)('0' + kind % 10), '5'};
        bytes_add(m->to, digits, 1 + kind % 3);
    } else {
        make_long_number(m);
    }
}

static void make_scalar(maker *m)
{
    static const char *const literals[] = {"null", "true", "false"};
    size_t kind = pick(&m->seed, 16);
    if (kind < 2)
        bytes_put(m->to, literals[pick(&m->seed, 3)]);
    else if (kind < 7)
        make_number(m);
    else
        make_text(m);
}

/* ------------------------------------------------------------------------- shapes */

static void make_shaped(maker *m, uint64_t shape, size_t depth);

/* The keys of an object. Those of a list all differ, being taken in turn; those made of
 * anything nearly always do. */
typedef struct key_walk {
    const word *list; /* NULL: made of anything */
    size_t count;
    size_t at;
    size_t step;
    uint64_t seed;
} key_walk;

static key_walk walk_keys(uint64_t *shape)
{
    key_walk walk = {words_plain, words_plain_count, 0, 1, random_next(shape)};
    size_t kind = walk.seed % 8;
    if (kind < 2) {
        walk.list = words_odd;
        walk.count = words_odd_count;
    } else if (kind == 2) {
        walk.list = NULL;
    }
    walk.at = pick(shape, walk.count);
    return walk;
}

static void make_key(maker *m, key_walk *walk)
{
    put(m, '"');
    if (walk->list) {
        put_word(m, walk->list[walk->at]);
    } else {
        uint64_t seed = walk->seed + walk->at * 977;
        make_inside(m, &seed);
        make_inside(m, &seed);
    }
    put(m, '"');
    put(m, ':');
    walk->at = (walk->at + walk->step) % walk->count;
}

/* The turns a member can take; the rest are as the shape has it. */
enum { TURN_NULL, TURN_OTHER, TURN_EMPTY, TURNS = 40 };

static void make_member(maker *m, uint64_t shape, size_t depth)
{
    switch (pick(&m->seed, TURNS)) {
    case TURN_NULL:
        bytes_put(m->to, "null");
        break;
    case TURN_OTHER:
        make_shaped(m, random_next(&m->seed), depth);
        break;
    case TURN_EMPTY:
        bytes_put(m->to, shape & 1 ? "[]" : "{}");
        break;
    default:
        make_shaped(m, shape, depth);
    }
}

static void make_object(maker *m, uint64_t shape, size_t depth)
{
    key_walk keys = walk_keys(&shape);
    size_t count = pick(&shape, m->size.children + 1);
    uint64_t absent = random_next(&shape) % 16; /* one member in so many, or none */
    bool first = true;
    if (seldom(m, 40)) { /* the other way round */
        keys.at = (keys.at + count) % keys.count;
        keys.step = keys.count - 1;
    }
    put(m, '{');
    for (size_t i = 0; i < count; i++) {
        uint64_t child = random_next(&shape);
        if (absent > 1 && absent < 8 && seldom(m, (size_t)absent)) {
            keys.at = (keys.at + keys.step) % keys.count;
            continue;
        }
        if (!first)
            put(m, ',');
        first = false;
        make_key(m, &keys);
        make_member(m, child, depth + 1);
    }
    put(m, '}');
}

/* Rows of one shape, in an array or under keys. */
static void make_rows(maker *m, uint64_t shape, size_t depth, bool keyed)
{
    key_walk keys = walk_keys(&m->seed);
    size_t count = pick(&m->seed, m->size.children + 2);
    put(m, keyed ? '{' : '[');
    for (size_t i = 0; i < count; i++) {
        if (i)
            put(m, ',');
        if (keyed)
            make_key(m, &keys);
        if (seldom(m, 40))
            make_shaped(m, random_next(&m->seed), depth + 1);
        else
            make_object(m, shape, depth + 1);
    }
    put(m, keyed ? '}' : ']');
}

static void make_list(maker *m, size_t depth)
{
    bool mixed = seldom(m, 3);
    size_t count = pick(&m->seed, m->size.children + 2);
    put(m, '[');
    for (size_t i = 0; i < count; i++) {
        if (i)
            put(m, ',');
        if (mixed)
            make_shaped(m, random_next(&m->seed), depth + 1);
        else
            make_scalar(m);
    }
    put(m, ']');
}

/* A column that never changes, or nearly never. */
static void make_constant(maker *m, uint64_t shape)
{
    uint64_t content = m->seed;
    if (seldom(m, 20)) {
        make_scalar(m);
        return;
    }
    m->seed = shape;
    make_scalar(m);
    m->seed = content;
}

static void make_new(maker *m, uint64_t shape, size_t depth);

/* A value, or where values repeat now and then one that was there before. */
static void make_shaped(maker *m, uint64_t shape, size_t depth)
{
    uint64_t content = m->seed;
    bool repeats = m->repeats && depth > 0 && seldom(m, 3);
    if (repeats) {
        content = m->seed;
        uint64_t again = m->repeats + pick(&content, 4);
        m->seed = again;
        shape = pick(&content, 2) ? again : shape;
    }
    make_new(m, shape, depth);
    m->seed = repeats ? content : m->seed;
}

/* Recursion ends where the size says. */
static void make_new(maker *m, uint64_t shape, size_t depth)
{
    size_t kind = pick(&shape, depth == 0 ? 8 : 20);
    if (depth >= m->size.depth || m->to->len - m->start > m->size.bytes)
        kind = kind < 9 ? 9 : kind;
    if (kind < 3)
        make_rows(m, random_next(&shape), depth, false);
    else if (kind < 5)
        make_object(m, shape, depth);
    else if (kind < 6)
        make_rows(m, random_next(&shape), depth, true);
    else if (kind < 7)
        make_list(m, depth);
    else if (kind == 10)
        make_constant(m, shape);
    else
        make_scalar(m);
}

/* A table all of whose rows have all columns; its cells are scalars. */
static void make_table(maker *m)
{
    uint64_t shape = random_next(&m->seed);
    key_walk start = walk_keys(&shape);
    size_t columns = 1 + pick(&m->seed, m->size.children);
    size_t rows = pick(&m->seed, m->size.children + 2);
    put(m, '[');
    for (size_t row = 0; row < rows; row++) {
        key_walk keys = start;
        bytes_put(m->to, row ? ",{" : "{");
        for (size_t i = 0; i < columns; i++) {
            if (i)
                put(m, ',');
            make_key(m, &keys);
            if ((shape >> i & 7) == 0)
                make_constant(m, shape + i);
            else
                make_scalar(m);
        }
        put(m, '}');
    }
    put(m, ']');
}

/* -------------------------------------------------------------------- extremes */

/* Containers in one another, down to the limit or a little less. */
static void make_deep(maker *m)
{
    size_t depth = seldom(m, 2) ? DEPTH_LIMIT : 1 + pick(&m->seed, DEPTH_LIMIT);
    size_t arrays = pick(&m->seed, 4); /* of every three levels */
    uint64_t again = m->seed;
    for (size_t i = 0; i < depth; i++) {
        if (pick(&m->seed, 3) < arrays) {
            put(m, '[');
        } else {
            bytes_put(m->to, "{\"");
            put_word(m, words_odd[(size_t)(again + i) % words_odd_count]);
            bytes_put(m->to, "\":");
        }
    }
    make_scalar(m);
    for (size_t i = 0; i < depth; i++) { /* chance is asked backwards */
        uint64_t state = again + (depth - 1 - i) * RANDOM_STEP;
        put(m, pick(&state, 3) < arrays ? ']' : '}');
    }
}

static void make_long(maker *m)
{
    bool key = seldom(m, 2);
    bytes_put(m->to, key ? "{\"" : "[\"");
    if (seldom(m, 2))
        put_code_points(m, &m->seed, pick(&m->seed, LONG_MOST / 4));
    else
        bytes_repeat(m->to, seldom(m, 2) ? "z" : "ab cd, ", pick(&m->seed, LONG_MOST));
    bytes_put(m->to, key ? "\":1}" : "\"]");
}

static void make_wide(maker *m)
{
    size_t count = pick(&m->seed, WIDE_MOST);
    bool list = seldom(m, 3);
    put(m, list ? '[' : '{');
    for (size_t i = 0; i < count; i++) {
        if (i)
            put(m, ',');
        if (!list)
            bytes_print(m->to, "\"k%zu\":", i);
        make_scalar(m);
    }
    put(m, list ? ']' : '}');
}

static void make_extreme(maker *m)
{
    size_t kind = pick(&m->seed, 4);
    if (kind == 0)
        make_deep(m);
    else if (kind == 1)
        make_long(m);
    else if (kind == 2)
        make_wide(m);
    else {
        m->size = (making_size){40, 6, 20000};
        make_shaped(m, random_next(&m->seed), 0);
    }
}

/* ----------------------------------------------------------------------- values */

static making_size choose_size(maker *m)
{
    static const making_size sizes[] = {{2, 2, 40}, {3, 3, 120}, {5, 5, 600}};
    size_t kind = pick(&m->seed, 32);
    return sizes[kind < 22 ? 0 : kind < 31 ? 1 : 2];
}

void make_json(bytes *to, uint64_t *seed, make_what what)
{
    maker m = {to, random_next(seed), to->len, {0, 0, 0}, 0};
    m.size = choose_size(&m);
    if (what == MAKE_REPEATS) {
        m.repeats = random_next(&m.seed) | 1;
        m.size.children += 4;
        m.size.bytes *= 8;
    }
    size_t kind = pick(&m.seed, 4096);
    if (kind == 0)
        make_extreme(&m);
    else if (what == MAKE_TABLE ? kind < 3600 : kind < 400)
        make_table(&m);
    else if (what == MAKE_LIST && kind < 1800)
        make_list(&m, 0);
    else if (what == MAKE_LIST && kind < 3600)
        make_rows(&m, random_next(&m.seed), 0, false);
    else
        make_shaped(&m, random_next(&m.seed), 0);
}
