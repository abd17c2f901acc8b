/*
 * mutate.c - see mutate.h.
 *
 * Every mistake is the same splice: a span of the text goes, and something takes its
 * place. What differs is how the span is chosen, and what comes there.
 */
#include "mutate.h"
#include "random.h"

#include <stdbool.h>
#include <string.h>

/* What is put in: everything that has a meaning in some format, and what might be
 * mistaken for it. */
static const char *const inserts[] = {
    ",",
    "|",
    "\t",
    ";",
    ":",
    ": ",
    "=",
    "\"",
    "\\",
    "\\u00e9",
    "\\x",
    "{",
    "}",
    "[",
    "]",
    "[1]",
    "[2]:",
    "{a}",
    "-",
    "- ",
    "--",
    "~",
    "^",
    "^{",
    "#",
    "##",
    "## ",
    "# x",
    "@",
    "@0",
    "@1 ",
    ".",
    ".a ",
    ">",
    "<",
    "'",
    "/",
    " ",
    "  ",
    "    ",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "0",
    "1",
    "9",
    "-1",
    "01",
    "1.5",
    "1e5",
    "1e999",
    "+1",
    ".5",
    "true",
    "null",
    "a",
    "b",
    "a: ",
    "a=",
    "key",
    "_",
    "\x01",
    "\x7f",
    "\xc2\x85",
    "\xc2\xa0",
    "\xe2\x80\xa8",
    "\xef\xbb\xbf",
    "\xf0\x9f\x98\x80",
    "\\ud83d",
    "\\ude00",
    "[]",
    "{}",
    "()",
    "[+1]",
    "[0]",
    "[03]",
    "[1,]",
    "[1|]",
    "[1:]",
    "a[1]: ",
    "a.b: ",
    "\"a\": ",
    "##! summary counts=1",
    "18446744073709551616",
    "group=a",
    "a=1 [1]",
};

typedef struct span {
    size_t start, end;
} span;

static bool continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* Some code point; empty at the end of the text. */
static span some_character(const bytes *text, uint64_t *seed)
{
    size_t at = random_below(seed, text->len + 1);
    while (at > 0 && at < text->len && continues(text->ptr[at]))
        at--;
    span found = {at, at};
    while (found.end < text->len && (found.end == at || continues(text->ptr[found.end])))
        found.end++;
    return found;
}

/* Some line, with its newline if it has one. */
static span some_line(const bytes *text, uint64_t *seed)
{
    size_t at = random_below(seed, text->len + 1);
    span found = {at, at};
    while (found.start > 0 && text->ptr[found.start - 1] != '\n')
        found.start--;
    while (found.end < text->len && text->ptr[found.end] != '\n')
        found.end++;
    found.end += found.end < text->len;
    return found;
}

/* A line that has something in it is more telling than where a random place happens to
 * be: digits are changed where there are some. */
static span some_digit(const bytes *text, uint64_t *seed)
{
    size_t from = text->len > 0 ? random_below(seed, text->len) : 0;
    for (size_t i = 0; i < text->len; i++) {
        size_t at = (from + i) % text->len;
        if (text->ptr[at] >= '0' && text->ptr[at] <= '9')
            return (span){at, at + 1};
    }
    return some_character(text, seed);
}

static void splice_text(bytes *text, span gone, const char *put, size_t len)
{
    bytes made = {0};
    if (gone.start > 0)
        bytes_add(&made, text->ptr, gone.start);
    bytes_add(&made, put, len);
    if (gone.end < text->len)
        bytes_add(&made, text->ptr + gone.end, text->len - gone.end);
    text->len = 0;
    bytes_add(text, made.ptr ? made.ptr : "", made.len);
    bytes_free(&made);
}

static void move_line(bytes *text, uint64_t *seed, bool twice)
{
    span line = some_line(text, seed);
    bytes copy = {0};
    bytes_add(&copy, text->ptr + line.start, line.end - line.start);
    if (!twice)
        splice_text(text, line, "", 0);
    span there = some_line(text, seed);
    there.end = there.start;
    splice_text(text, there, copy.ptr ? copy.ptr : "", copy.len);
    bytes_free(&copy);
}

static void indent_line(bytes *text, uint64_t *seed)
{
    static const char *const margins[] = {" ", "  ", "    ", "\t"};
    const char *margin = margins[random_below(seed, 4)];
    span line = some_line(text, seed);
    line.end = line.start;
    if (random_below(seed, 2) == 0) {
        splice_text(text, line, margin, strlen(margin));
        return;
    }
    while (line.end < text->len && text->ptr[line.end] == ' ' &&
           line.end - line.start < 2)
        line.end++;
    splice_text(text, line, "", 0);
}

static void mistake(bytes *text, uint64_t *seed)
{
    const char *put = inserts[random_below(seed, sizeof inserts / sizeof *inserts)];
    span place = some_character(text, seed);
    switch (random_below(seed, 10)) {
    case 0:
        splice_text(text, place, "", 0);
        break;
    case 1:
    case 2:
        splice_text(text, place, put, strlen(put));
        break;
    case 3:
    case 4:
        place.end = place.start;
        splice_text(text, place, put, strlen(put));
        break;
    case 5:
        splice_text(text, some_line(text, seed), "", 0);
        break;
    case 6:
        move_line(text, seed, random_below(seed, 2) == 0);
        break;
    case 7:
        indent_line(text, seed);
        break;
    case 8:
        place = some_digit(text, seed);
        splice_text(text, place, &"0123456789"[random_below(seed, 10)], 1);
        break;
    default:
        text->len = place.start;
    }
}

void mutate_text(bytes *to, const char *text, size_t len, uint64_t *seed)
{
    bytes_add(to, text, len);
    mistake(to, seed);
    if (random_below(seed, 4) == 0)
        mistake(to, seed);
}
