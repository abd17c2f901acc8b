/*
 * counter.c - text in, a number out.
 *
 * Most pieces of a text have been seen before: the same keys, words and runs of
 * punctuation again and again. So a counter remembers how many tokens a short piece
 * was. A memo is two words and is its own key: the piece's bytes, then one byte with
 * the length below and the number of tokens above.
 *
 *     low   | b0 b1 b2 b3 b4 b5 b6 b7 |
 *     high  | b8 b9 .. b14 | tokens:4 length:4 |
 *
 * A piece has one place where its memo may be; the newest stays. There are few places at
 * first, for a short text should not wait until many are zeroed, and more when they fill
 * up. The memory belongs to the counter, so that counters of one vocabulary share nothing
 * that changes.
 *
 * Text in pieces: whatever the splitter cannot decide yet is held and looked at again
 * with what comes next; a long run that stays undecided is looked at only when it has
 * doubled, so that time stays linear.
 */
#include "tokens/counter.h"

#include "base/scan.h"
#include "base/utf8.h"
#include "base/window.h"

#include <assert.h>

#ifndef PITH_OMIT_TOKENS

enum {
    COUNTER_MEMO_BITS_FIRST = 11,
    COUNTER_MEMO_BITS_MOST = 14, /* 256 KB: what the second cache of a core holds */
    COUNTER_MEMO_LEN = 15,
    COUNTER_COUNT_SHIFT = 60
};

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define COUNTER_LITTLE_ENDIAN 1
#else
#define COUNTER_LITTLE_ENDIAN 0
#endif

#define COUNTER_KEY_BITS (~(UINT64_C(0xF) << COUNTER_COUNT_SHIFT))

static const text_place counter_beginning = {0, 1, 1};

static counter_memo *counter_new_memos(const pith_alloc *alloc, unsigned bits)
{
    return (counter_memo *)alloc_zeroed(alloc, sizeof(counter_memo) << bits);
}

bool counter_init(pith_counter *counter, const pith_vocab *vocab, pith_alloc alloc)
{
    memset(counter, 0, sizeof *counter);
    counter->vocab = vocab;
    counter->place = counter_beginning;
    counter->work.alloc = alloc;
    counter->memo_bits = COUNTER_MEMO_BITS_FIRST;
    counter->memos = counter_new_memos(&alloc, counter->memo_bits);
    return counter->memos != NULL;
}

void counter_free(pith_counter *counter)
{
    const pith_alloc *alloc = &counter->work.alloc;
    alloc_free(alloc, counter->memos, sizeof(counter_memo) << counter->memo_bits);
    LIST_FREE(&counter->held, alloc);
    bpe_free(&counter->work);
}

void counter_reset(pith_counter *counter)
{
    counter->total = 0;
    counter->held.count = 0;
    counter->enough = 0;
    counter->bytes = 0;
    counter->place = counter_beginning;
    counter->failure.status = PITH_OK;
}

/* ------------------------------------------------------------------ one piece */

/* The key of a piece of at most COUNTER_MEMO_LEN bytes, which may be read up to 16
 * bytes on if `roomy`. */
static inline counter_memo counter_key(const char *piece, size_t len, bool roomy)
{
    char copy[16] = {0};
    if (!roomy || !COUNTER_LITTLE_ENDIAN) {
        memcpy(copy, piece, len);
        piece = copy;
    }
    counter_memo key = {scan_load8(piece), scan_load8(piece + 8)};
    if (!COUNTER_LITTLE_ENDIAN) {
        key.high >>= 8;
    } else if (len < 8) {
        key.low &= (UINT64_C(1) << 8 * len) - 1;
        key.high = 0;
    } else {
        key.high &= (UINT64_C(1) << 8 * (len - 8)) - 1;
    }
    key.high |= (uint64_t)len << 56;
    return key;
}

static inline size_t counter_place(counter_memo key, unsigned bits)
{
    uint64_t mixed = (key.low ^ key.high * UINT64_C(0xD6E8FEB86659FD93)) *
                     UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(mixed >> (64 - bits));
}

/* Twice the places. Without memory for them it stays as it is, only slower. */
static void counter_grow_memos(pith_counter *counter)
{
    unsigned bits = counter->memo_bits + 1;
    counter_memo *memos = counter_new_memos(&counter->work.alloc, bits);
    counter->memo_fresh = 0;
    if (!memos)
        return;
    for (size_t i = 0; i < (size_t)1 << counter->memo_bits; i++) {
        counter_memo key = counter->memos[i];
        key.high &= COUNTER_KEY_BITS;
        memos[counter_place(key, bits)] = counter->memos[i];
    }
    alloc_free(&counter->work.alloc, counter->memos,
               sizeof(counter_memo) << counter->memo_bits);
    counter->memos = memos;
    counter->memo_bits = bits;
}

static void counter_remember(pith_counter *counter, counter_memo key)
{
    size_t places = (size_t)1 << counter->memo_bits;
    if (counter->memo_bits < COUNTER_MEMO_BITS_MOST && ++counter->memo_fresh > places / 2)
        counter_grow_memos(counter);
    counter_memo *memo = &counter->memos[counter_place(key, counter->memo_bits)];
    key.high |= (uint64_t)counter->work.ids.count << COUNTER_COUNT_SHIFT;
    *memo = key;
}

/* The tokens of a piece that is not remembered. */
static pith_status counter_learn(pith_counter *counter, const char *at, size_t len)
{
    pith_status status = bpe_encode(&counter->work, counter->vocab, at, len);
    counter->total += status == PITH_OK ? counter->work.ids.count : 0;
    return status;
}

static inline pith_status counter_add_piece(pith_counter *counter, const char *at,
                                            size_t len, bool roomy)
{
    if (len > COUNTER_MEMO_LEN)
        return counter_learn(counter, at, len);
    counter_memo key = counter_key(at, len, roomy);
    const counter_memo *memo = &counter->memos[counter_place(key, counter->memo_bits)];
    if (memo->low == key.low && (memo->high & COUNTER_KEY_BITS) == key.high) {
        counter->total += (size_t)(memo->high >> COUNTER_COUNT_SHIFT);
        return PITH_OK;
    }
    pith_status status = counter_learn(counter, at, len);
    if (status == PITH_OK)
        counter_remember(counter, key);
    return status;
}

/* --------------------------------------------------------------- ASCII at speed */

/* In a window of ASCII text a piece ends where these say, for the families that take
 * any one character along in front of a word; 0 where the window cannot tell. The
 * rules are those of split.c, and the tests compare the two. */

/* The end of the word whose letters begin at `at`. */
static inline unsigned counter_word_end(const text_window *in, unsigned at,
                                        split_family family)
{
    if (family == SPLIT_CL100K)
        return at + window_run(in->letter, at);
    unsigned head = at + window_run(in->upper, at);
    return head + window_run(in->letter & ~in->upper, head);
}

static inline unsigned counter_symbol_end(const text_window *in, unsigned at,
                                          bool slashes)
{
    uint64_t symbol = ~(in->letter | in->digit | in->blank | in->wide);
    unsigned end = at + window_run(symbol, at);
    return end + window_run(slashes ? in->line | in->slash : in->line, end);
}

static inline unsigned counter_blank_end(const text_window *in, unsigned at)
{
    unsigned len = window_run(in->blank, at);
    uint64_t lines = in->line >> at & ((UINT64_C(1) << len) - 1);
    if (at + len >= WINDOW_LEN - 1 || window_has(in->wide, at + len))
        return 0;
    if (lines)
        return at + scan_high_bit(lines) + 1;
    return at + len - (len > 1);
}

/* The end of the piece at `at`, which is no digit. */
static inline unsigned counter_piece_end(const text_window *in, unsigned at,
                                         split_family family, bool slashes)
{
    unsigned start = at + !window_has(in->letter, at);
    uint64_t alone = in->wide | (family == SPLIT_CL100K ? in->quote : 0);
    if (window_has(alone, at))
        return 0;
    if (window_has(in->letter, start) && !(start > at && window_has(in->line, at))) {
        unsigned end = counter_word_end(in, start, family);
        uint64_t goes_on = in->wide | (family == SPLIT_O200K ? in->quote : 0);
        return window_has(goes_on, end) ? 0 : end;
    }
    unsigned symbol = at + window_has(in->space, at);
    if (!window_has(in->letter | in->digit | in->blank | in->wide, symbol)) {
        unsigned end = counter_symbol_end(in, symbol, slashes);
        return window_has(in->wide, end) ? 0 : end;
    }
    return counter_blank_end(in, at);
}

/* A run of digits is cut into threes, each of them a token. Returns the bytes done; a
 * rest of one or two waits when it is not known what follows. */
static inline unsigned counter_add_digits(pith_counter *counter, const text_window *in,
                                          unsigned at)
{
    unsigned len = window_run(in->digit, at);
    if (at + len >= WINDOW_LEN - 1 || window_has(in->wide, at + len))
        len -= len % 3;
    counter->total += (len + 2) / 3;
    return len;
}

/* Counts pieces up to the first that takes the splitter, or up to the end's vicinity;
 * returns where. */
static inline const char *counter_run(pith_counter *counter, const char *at,
                                      const char *end, split_family family, bool slashes,
                                      pith_status *status)
{
    while (end - at >= WINDOW_LEN + 16) {
        text_window window = window_read(at);
        unsigned from = 0;
        while (from < WINDOW_LEN - 8) {
            if (window_has(window.digit, from)) {
                unsigned done = counter_add_digits(counter, &window, from);
                from += done;
                if (done == 0)
                    break;
                continue;
            }
            unsigned to = counter_piece_end(&window, from, family, slashes);
            if (to == 0 || to >= WINDOW_LEN - 1)
                break;
            *status = counter_add_piece(counter, at + from, to - from, true);
            if (*status != PITH_OK)
                return at;
            from = to;
        }
        if (from == 0)
            break;
        at += from;
    }
    return at;
}

/* Goes as far as ASCII text can be counted by windows; returns where that ended. */
static const char *counter_hurry(pith_counter *counter, const char *at, const char *end,
                                 pith_status *status)
{
    /* Of the built-in ones, those with short digits have one of two rules. */
    const split_rule *rule = &counter->vocab->rule;
    if (WINDOW_IS_FAST && (unsigned char)*at < 0x80 && counter->vocab->short_digits) {
        assert(rule->slashes == (rule->family == SPLIT_O200K));
        assert(rule->slashes ? rule->endings != SPLIT_ENDINGS_NONE
                             : rule->family == SPLIT_CL100K);
        return rule->family == SPLIT_O200K
                   ? counter_run(counter, at, end, SPLIT_O200K, true, status)
                   : counter_run(counter, at, end, SPLIT_CL100K, false, status);
    }
    return at;
}

/* ------------------------------------------------------------------- the text */

static pith_status counter_fail(pith_counter *counter, pith_status status)
{
    if (status == PITH_NO_MEMORY)
        return error_no_memory(&counter->failure);
    return error_set(&counter->failure, status, "piece_limit",
                     "a single word of 4 GB or more cannot be counted");
}

/* What the splitter met in `text`, with its place in all that was given. */
static pith_status counter_refuse(pith_counter *counter, pith_text text,
                                  const splitter *split)
{
    reporter report;
    report_init(&report, text);
    report.start = counter->place;
    report_bad(&report, split_bad_code(split->unstable), (size_t)(split->bad - text.ptr),
               "%s", split_bad_message(split->unstable));
    return report_result(&report, &counter->failure);
}

/* Moves the place after `text`. A byte order mark is part of no column. */
static void counter_pass(pith_counter *counter, pith_text text)
{
    text_place *place = &counter->place;
    size_t bom = place->offset == 0 ? utf8_bom(text.ptr, text.len) : 0;
    const char *end = text.ptr + text.len;
    const char *line = text.ptr + bom;
    size_t feeds = 0;
    for (size_t i = 0; i < text.len; i++)
        feeds += text.ptr[i] == '\n';
    if (feeds > 0) {
        place->line += feeds;
        place->column = 1;
        for (line = end; line[-1] != '\n'; line--) {
        }
    }
    place->column += utf8_count(line, (size_t)(end - line));
    place->offset += text.len;
}

/* Counts the pieces of a text as far as they are decided; `*used` is how far. */
static pith_status counter_scan(pith_counter *counter, const char *text, size_t len,
                                bool last, size_t *used)
{
    const char *at = text;
    const char *end = text + len;
    pith_status status = PITH_OK;
    splitter split = split_start(&counter->vocab->rule, end, !last);
    while (at < end) {
        at = counter_hurry(counter, at, end, &status);
        const char *next = status == PITH_OK ? split_piece(&split, at) : at;
        if (!next)
            break;
        if (status == PITH_OK)
            status = counter_add_piece(counter, at, (size_t)(next - at), end - at >= 16);
        if (status != PITH_OK)
            return counter_fail(counter, status);
        at = next;
    }
    if (split.bad)
        return counter_refuse(counter, text_of(text, len), &split);
    *used = (size_t)(at - text);
    if (!last)
        counter_pass(counter, text_of(text, *used));
    return PITH_OK;
}

static bool counter_hold(pith_counter *counter, const char *data, size_t len)
{
    if (!LIST_RESERVE(&counter->held, &counter->work.alloc, len))
        return false;
    if (len > 0)
        memcpy(counter->held.at + counter->held.count, data, len);
    counter->held.count += len;
    return true;
}

/* Decides what is held, as far as it goes, and keeps the rest. */
static pith_status counter_scan_held(pith_counter *counter, bool last)
{
    size_t used = 0;
    pith_status status =
        counter_scan(counter, counter->held.at, counter->held.count, last, &used);
    if (status == PITH_OK) {
        counter->held.count -= used;
        memmove(counter->held.at, counter->held.at + used, counter->held.count);
        counter->enough = 2 * counter->held.count;
    }
    return status;
}

/* What is held is decided with some of the new text after it, at least as much again;
 * once the rest of that is new text alone, it can be read where it is. */
static const size_t counter_taste = 64;

/* Takes some of the new text to what is held. True when some is left for the caller. */
static bool counter_take(pith_counter *counter, pith_text *data, bool last)
{
    size_t held = counter->held.count;
    size_t taken = held > counter_taste ? held : counter_taste;
    taken = taken < data->len ? taken : data->len;
    if (!counter_hold(counter, data->ptr, taken)) {
        counter_fail(counter, PITH_NO_MEMORY);
        return false;
    }
    *data = text_of(data->ptr + taken, data->len - taken);
    bool over = data->len == 0;
    if (!over || last || counter->held.count >= counter->enough)
        counter_scan_held(counter, over && last);
    if (!over && counter->held.count <= taken) {
        *data = text_of(data->ptr - counter->held.count, data->len + counter->held.count);
        counter->held.count = 0;
    }
    return !over && counter->failure.status == PITH_OK;
}

pith_status counter_add(pith_counter *counter, const char *data, size_t len, bool last)
{
    pith_text rest = text_of(data, len);
    if (counter->failure.status != PITH_OK)
        return counter->failure.status;
    while (counter->held.count > 0)
        if (!counter_take(counter, &rest, last))
            return counter->failure.status;
    size_t used = 0;
    if (counter_scan(counter, rest.ptr, rest.len, last, &used) == PITH_OK &&
        !counter_hold(counter, rest.ptr + used, rest.len - used))
        return counter_fail(counter, PITH_NO_MEMORY);
    counter->enough = 2 * counter->held.count;
    return counter->failure.status;
}

#endif
