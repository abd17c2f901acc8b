/*
 * split.c - the patterns of the tokenizers, by hand.
 *
 * Each pattern is a list of alternatives tried in order, the first that matches wins,
 * and its repetitions take as much as they can:
 *
 *   word     [^\r\n\p{L}\p{N}]?\p{L}+     for o200k with the cases in order: see below
 *   digits   \p{N}{1,3}
 *   symbol    ?[^\s\p{L}\p{N}]+[\r\n/]*
 *   blank    \s*[\r\n]+  |  \s+(?!\S)  |  \s+
 *
 * What a general engine finds by going back is here decided by looking: a function
 * for each alternative, which says where it would end. Everything reads characters
 * through split_peek, which notes when the end of the text was in sight: if more may
 * follow, the piece is not decided yet. So a text in pieces is cut like a whole one.
 *
 * A piece is read at most a few times over, so time is linear.
 */
#include "tokens/split.h"

#include "base/utf8.h"
#include "tokens/class.h"
#include "tokens/form_c.h"

#ifndef PITH_OMIT_TOKENS

splitter split_start(const split_rule *rule, const char *end, bool open)
{
    splitter split = {rule, end, open, false, NULL, NULL, false};
    return split;
}

typedef struct split_char {
    unsigned flags; /* 0 at the end of the text */
    size_t len;     /* 0 likewise */
} split_char;

/* Whether the bytes at `at` are the beginning of a character cut off by the end. */
static bool split_is_cut(const char *at, const char *end)
{
    char probe[UTF8_MAX_LEN];
    size_t have = (size_t)(end - at);
    if (have >= UTF8_MAX_LEN)
        return false;
    /* Some continuation makes it whole, if any does: these are the extremes. */
    static const char fill[2] = {'\x80', '\xBF'};
    for (size_t i = 0; i < sizeof fill; i++) {
        for (size_t k = 0; k < UTF8_MAX_LEN; k++)
            probe[k] = k < have ? at[k] : fill[i];
        if (utf8_decode(probe, UTF8_MAX_LEN, NULL) > have)
            return true;
    }
    return false;
}

static split_char split_peek_wide(splitter *split, const char *at)
{
    split_char found = {0, 0};
    uint32_t code;
    size_t len = utf8_decode(at, (size_t)(split->end - at), &code);
    if (len > 0) {
        found.flags = class_of(code);
        found.len = len;
    } else if (split->open && split_is_cut(at, split->end)) {
        split->met_end = true;
    } else if (!split->bad) {
        split->bad = at;
    }
    return found;
}

static inline split_char split_peek(splitter *split, const char *at)
{
    split_char found = {0, 0};
    if (at == split->end) {
        split->met_end = true;
    } else if ((unsigned char)*at < 0x80) {
        found.flags = class_blocks[0][(unsigned char)*at];
        found.len = 1;
    } else {
        found = split_peek_wide(split, at);
    }
    return found;
}

/* The end of the run of characters that have one of the flags. */
static const char *split_run(splitter *split, const char *at, unsigned flags)
{
    for (;;) {
        split_char next = split_peek(split, at);
        if (!(next.flags & flags))
            return at;
        at += next.len;
    }
}

/* The end of the run of characters that have none of the flags. */
static const char *split_run_without(splitter *split, const char *at, unsigned flags)
{
    for (;;) {
        split_char next = split_peek(split, at);
        if (next.len == 0 || next.flags & flags)
            return at;
        at += next.len;
    }
}

/* ------------------------------------------------------------------- endings */

/* The character at `at` in lower case if it is an ASCII letter and case does not
 * matter; U+017F, the long s, is an s then. Other characters are 0. */
static char split_ending_letter(splitter *split, const char *at, size_t *len)
{
    split_char next = split_peek(split, at);
    bool folded = split->rule->endings == SPLIT_ENDINGS_FOLDED;
    *len = next.len;
    if (next.len == 1)
        return folded && *at >= 'A' && *at <= 'Z' ? (char)(*at | 0x20) : *at;
    return folded && next.len == 2 && at[0] == '\xC5' && at[1] == '\xBF' ? 's' : '\0';
}

/* After 's 't 'm 'd 're 've 'll; `at` itself when there is none. */
static const char *split_ending(splitter *split, const char *at)
{
    if (split->rule->endings == SPLIT_ENDINGS_NONE || split_peek(split, at).len != 1 ||
        *at != '\'')
        return at;
    size_t len;
    char first = split_ending_letter(split, at + 1, &len);
    const char *after = at + 1 + len;
    if (first == 's' || first == 't' || first == 'm' || first == 'd')
        return after;
    if (first != 'r' && first != 'v' && first != 'l')
        return at;
    char second = split_ending_letter(split, after, &len);
    return second == (first == 'l' ? 'l' : 'e') ? after + len : at;
}

/* --------------------------------------------------------------------- words */

/* One letter of the tail at least, after any number of the head:
 * [UPPER]*[LOWER]+. Where nothing of the tail follows, the head gives back its end up
 * to the last character that may stand in both. NULL when there is none. */
static const char *split_word_low(splitter *split, const char *at)
{
    const char *head = at;
    const char *both = NULL;
    split_char next;
    while ((next = split_peek(split, head)).flags & CLASS_UPPER) {
        head += next.len;
        both = next.flags & CLASS_LOWER ? head : both;
    }
    return next.flags & CLASS_LOWER ? split_run(split, head, CLASS_LOWER) : both;
}

/* Where that fails there is nothing of the tail: [UPPER]+, or NULL. */
static const char *split_word_high(splitter *split, const char *at)
{
    const char *end = split_run(split, at, CLASS_UPPER);
    return end > at ? end : NULL;
}

static const char *split_word_o200k(splitter *split, const char *at, split_char first)
{
    const char *after = at + first.len;
    bool leads = !(first.flags & (CLASS_LINE | CLASS_WORD));
    const char *end = leads ? split_word_low(split, after) : NULL;
    end = end ? end : split_word_low(split, at);
    end = !end && leads ? split_word_high(split, after) : end;
    end = end ? end : split_word_high(split, at);
    return end ? split_ending(split, end) : NULL;
}

static const char *split_word_cl100k(splitter *split, const char *at, split_char first)
{
    bool leads = !(first.flags & (CLASS_LINE | CLASS_WORD));
    const char *start = leads ? at + first.len : at;
    const char *end = split_run(split, start, CLASS_LETTER);
    return end > start ? end : NULL;
}

/* ------------------------------------------------------- digits, symbols, blanks */

static const char *split_digits(splitter *split, const char *at)
{
    unsigned most = split->rule->digits;
    if (most == 0)
        return split_run(split, at, CLASS_NUMBER);
    for (unsigned i = 0; i < most; i++) {
        split_char next = split_peek(split, at);
        if (!(next.flags & CLASS_NUMBER))
            break;
        at += next.len;
    }
    return at;
}

/* Symbols, and the line ends after them where the family takes those along. */
static const char *split_symbols(splitter *split, const char *at)
{
    const char *end = split_run_without(split, at, CLASS_SPACE | CLASS_WORD);
    if (end == at || split->rule->family == SPLIT_GPT2)
        return end > at ? end : NULL;
    for (;;) {
        split_char next = split_peek(split, end);
        bool slash = split->rule->slashes && next.len == 1 && *end == '/';
        if (!(next.flags & CLASS_LINE) && !slash)
            return end;
        end++;
    }
}

/* White space: up to the last line end in it, else all but the last character if
 * something follows, for that one belongs to what follows. */
static const char *split_blank(splitter *split, const char *at)
{
    const char *line = NULL;
    const char *last = at;
    const char *end = at;
    split_char next;
    while ((next = split_peek(split, end)).flags & CLASS_SPACE) {
        last = end;
        end += next.len;
        line = next.flags & CLASS_LINE ? end : line;
    }
    if (line && split->rule->family != SPLIT_GPT2)
        return line;
    return next.len == 0 || last == at ? end : last;
}

/* ------------------------------------------------------------------ the families */

static const char *split_gpt2(splitter *split, const char *at, split_char first)
{
    const char *end = split_ending(split, at);
    if (end > at)
        return end;
    const char *start = *at == ' ' ? at + 1 : at;
    split_char next = start > at ? split_peek(split, start) : first;
    if (next.flags & CLASS_LETTER)
        return split_run(split, start, CLASS_LETTER);
    if (next.flags & CLASS_NUMBER)
        return split_digits(split, start);
    end = split_symbols(split, start);
    return end ? end : split_blank(split, at);
}

static const char *split_modern(splitter *split, const char *at, split_char first)
{
    const char *end;
    if (first.flags & CLASS_NUMBER)
        return split_digits(split, at);
    if (split->rule->family == SPLIT_O200K) {
        end = split_word_o200k(split, at, first);
    } else {
        end = split_ending(split, at);
        end = end > at ? end : split_word_cl100k(split, at, first);
    }
    end = end ? end : split_symbols(split, *at == ' ' ? at + 1 : at);
    return end ? end : split_blank(split, at);
}

/* --- DeepSeek: marks are letters, and numbers are none of its business */

enum { SPLIT_LETTERS = CLASS_UPPER | CLASS_LOWER | CLASS_LETTER };

static bool split_is_ascii_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* A symbol of ASCII takes the ASCII letters after it along. */
static const char *split_ascii_word(splitter *split, const char *at, split_char first)
{
    const char *end = at + 1;
    if (first.len != 1 || !(first.flags & CLASS_SYMBOL))
        return NULL;
    while (split_peek(split, end).len == 1 && split_is_ascii_letter(*end))
        end++;
    return end > at + 1 ? end : NULL;
}

/* [^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+ */
static const char *split_word_deepseek(splitter *split, const char *at, split_char first)
{
    bool leads = !(first.flags & (CLASS_LINE | SPLIT_LETTERS | CLASS_SYMBOL));
    const char *start = leads ? at + first.len : at;
    const char *end = split_run(split, start, SPLIT_LETTERS);
    return end > start ? end : NULL;
}

static const char *split_symbols_deepseek(splitter *split, const char *at)
{
    const char *end = split_run(split, at, CLASS_SYMBOL);
    return end > at ? split_run(split, end, CLASS_LINE) : NULL;
}

/* What no alternative takes, up to where one does. */
static const char *split_leftover(splitter *split, const char *at)
{
    for (;;) {
        split_char next = split_peek(split, at);
        if (next.len == 0 || next.flags & (SPLIT_LETTERS | CLASS_SYMBOL | CLASS_SPACE))
            return at;
        if (split_peek(split, at + next.len).flags & SPLIT_LETTERS)
            return at;
        at += next.len;
    }
}

static const char *split_deepseek(splitter *split, const char *at, split_char first)
{
    const char *end = split_ascii_word(split, at, first);
    end = end ? end : split_word_deepseek(split, at, first);
    end = end ? end : split_symbols_deepseek(split, *at == ' ' ? at + 1 : at);
    if (!end && first.flags & CLASS_SPACE)
        end = split_blank(split, at);
    return end ? end : split_leftover(split, at + first.len);
}

/* ----------------------------------------------------------------- stretches */

static bool split_is_kana(const splitter *split, const char *at, split_char found)
{
    uint32_t code = 0;
    if (found.len != 3 || split->rule->apart != SPLIT_DIGITS_AND_KANA_APART)
        return false;
    utf8_decode(at, found.len, &code);
    return (code >= 0x3040 && code <= 0x30FF) || (code >= 0x4E00 && code <= 0x9FA5);
}

/* The end of the stretch at `at`, which begins with no digit: where digits begin, or
 * kana end or begin. What is bad is left for whoever reads it. */
static const char *split_stretch(const splitter *split, const char *at, split_char first)
{
    splitter look = *split;
    bool kana = split_is_kana(split, at, first);
    for (;;) {
        split_char next = split_peek(&look, at);
        if (next.len == 0)
            return split->end;
        if (next.flags & CLASS_NUMBER || split_is_kana(split, at, next) != kana)
            return at;
        at += next.len;
    }
}

/* A stretch is a text of its own, so its end is as good as that of the text. It is
 * looked for once, not for each piece in it. */
static const char *split_apart_piece(splitter *split, const char *at, split_char first)
{
    if (first.flags & CLASS_NUMBER)
        return split_digits(split, at);
    if (!split->stretch || at >= split->stretch)
        split->stretch = split_stretch(split, at, first);
    splitter part = *split;
    part.end = split->stretch;
    part.met_end = false;
    const char *end = part.rule->family == SPLIT_GPT2 ? split_gpt2(&part, at, first)
                                                      : split_deepseek(&part, at, first);
    split->bad = part.bad;
    split->met_end = part.met_end && part.end == split->end;
    return end;
}

static const char *split_next(splitter *split, const char *at, split_char first)
{
    if (split->rule->apart != SPLIT_NOTHING_APART)
        return split_apart_piece(split, at, first);
    return split->rule->family == SPLIT_GPT2 ? split_gpt2(split, at, first)
                                             : split_modern(split, at, first);
}

/* Combining marks after each other are always in one piece, since every pattern takes
 * as many as there are; so a piece can be asked about form C alone. */
const char *split_piece(splitter *split, const char *at)
{
    split->met_end = false;
    split_char first = split_peek(split, at);
    const char *end = first.len > 0 ? split_next(split, at, first) : at;
    if (split->bad || (split->open && split->met_end))
        return NULL;
    if (split->rule->nfc) {
        split->bad = form_c_find(at, end);
        split->unstable = split->bad != NULL;
    }
    return split->bad ? NULL : end;
}

#endif
