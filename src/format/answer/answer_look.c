/*
 * answer_look.c - what a text looks like, before anything of it is read.
 *
 *     ```json        fences, whose word may name the format
 *     <answer>       tags with nothing but text in them
 *     users[2]{id}   the header of a notation of ours
 *     <think>        what is no part of the answer
 */
#include "base/scan.h"
#include "base/utf8.h"
#include "format/answer/answer.h"

/* ----------------------------------------------------------------------------- lines */

pith_text answer_trim(pith_text text)
{
    const char *end = text.ptr + text.len;
    const char *at = text.ptr;
    size_t bom = utf8_bom(at, text.len);
    at = scan_spaces(at + bom, end);
    while (end > at && scan_is_space((unsigned char)end[-1]))
        end--;
    return text_between(at, end);
}

bool answer_is_open(const char *p, const char *end)
{
    return p < end && (*p == '{' || *p == '[');
}

const char *answer_line_end(const char *p, const char *end)
{
    const char *feed = (const char *)memchr(p, '\n', (size_t)(end - p));
    return feed ? feed : end;
}

/* The end of the paragraph at `p`: a line without anything on it. */
const char *answer_paragraph_end(const char *p, const char *end)
{
    while (p < end) {
        const char *feed = answer_line_end(p, end);
        if (feed == end || scan_spaces(feed, end) == end)
            return feed;
        if (memchr(feed + 1, '\n', (size_t)(scan_spaces(feed + 1, end) - feed - 1)))
            return feed;
        p = feed + 1;
    }
    return end;
}

/* -------------------------------------------------------------------------- notations */

/* Formats that a word after a fence, or the name of a tag, stands for. */
const codec *answer_format_of(pith_text word)
{
    static const char *const names[][2] = {{"toon", "toon"},     {"gcf", "gcf"},
                                           {"pith", "pith"},     {"soch", "soch"},
                                           {"csv", "csv"},       {"tsv", "tsv"},
                                           {"ndjson", "ndjson"}, {"jsonl", "ndjson"},
                                           {"gcf1", "gcf1"},     {"jsonlines", "ndjson"}};
    char lower[16] = "";
    for (size_t i = 0; i < word.len && word.len < sizeof lower; i++)
        lower[i] = (char)(word.ptr[i] >= 'A' && word.ptr[i] <= 'Z' ? word.ptr[i] + 32
                                                                   : word.ptr[i]);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(lower, names[i][0]) == 0)
            return format_find(names[i][1]);
    return NULL;
}

/* Whether the line that begins at `p` is the header of a table: name[12]{a,b} or such. */
bool answer_is_header(const char *p, const char *end)
{
    if (text_begins(text_between(p, end), "## "))
        p += 3;
    while (p < end && *p != '[' && *p != '\n' && *p != ' ' && *p != '"')
        p++;
    if (p == end || *p != '[')
        return false;
    const char *digits = p + 1;
    p = scan_digits(digits, end);
    if (p > digits && p < end && *p == '{')
        return true;
    while (p < end && (*p == '\t' || *p == '|' || *p == ','))
        p++;
    return p > digits && end - p > 1 && *p == ']' &&
           (p[1] == '{' || p[1] == ':' || p[1] == '(');
}

bool answer_has_table(pith_text text)
{
    const char *const end = text.ptr + text.len;
    for (const char *p = text.ptr; p < end; p++) {
        if (!answer_is_open(p, end))
            continue;
        const char *digits = p + 1;
        const char *after = scan_digits(digits, end);
        after += after < end && *after == '?';
        if (after > digits && after < end && *after == '{')
            return true;
    }
    return false;
}

/* Whether an ellipsis stands before a closing bracket: Pith would take it for a text. */
static bool answer_has_ellipsis(pith_text text)
{
    const char *const end = text.ptr + text.len;
    for (const char *p = text.ptr; end - p > 3; p++) {
        p = (const char *)memchr(p, '\xE2', (size_t)(end - p - 3));
        if (!p)
            break;
        const char *after = scan_spaces(p + 3, end);
        if (text_begins(text_between(p, end), "\xE2\x80\xA6") && after < end &&
            (*after == ']' || *after == '}'))
            return true;
    }
    return false;
}

/* The notation of ours that the text looks like; NULL for none. */
const codec *answer_notation(pith_text text, bool fenced)
{
    static const char *const names[] = {"gcf", "gcf1", "soch", "toon", "pith"};
    enum { GCF, GCF1, SOCH, TOON, PITH };
    bool counted = answer_is_header(text.ptr, text.ptr + text.len);
    bool json = answer_is_open(text.ptr, text.ptr + text.len);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const codec *format = format_find(names[i]);
        bool tells =
            i == GCF || counted || (fenced && i == TOON && !json) || (json && i == PITH);
        if (tells && format->sniff(text) && !(i == PITH && answer_has_ellipsis(text)))
            return format;
    }
    return NULL;
}

/* ---------------------------------------------------------------------------- blocks */

size_t answer_run(const char *p, const char *end, char c)
{
    const char *from = p;
    while (p < end && *p == c)
        p++;
    return (size_t)(p - from);
}

bool answer_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-' || c == '+' || c == ':' || c == '.';
}

/* Where a fence of `count` closes; `end` when it does not. One at the beginning of a line
 * is looked for first. */
static const char *answer_fence_end(answer_ahead *ahead, const char *p, const char *end,
                                    char c, size_t count)
{
    size_t *none = &ahead->none[c == '~'];
    const char *any = end;
    const char *from = p;
    while (p < end && (any == end || count < *none)) {
        const char *hit = (const char *)memchr(p, c, (size_t)(end - p));
        if (!hit)
            break;
        size_t run = answer_run(hit, end, c);
        const char *back = hit;
        while (back > from && (back[-1] == ' ' || back[-1] == '\t'))
            back--;
        bool line = back == from || back[-1] == '\n' || back[-1] == '>';
        if (run >= count && line)
            return hit;
        const char *rest = hit + run;
        while (rest < end && (*rest == ' ' || *rest == '\r'))
            rest++;
        if (run >= count && any == end && (rest == end || *rest == '\n'))
            any = hit;
        p = hit + run;
    }
    *none = count < *none ? count : *none;
    return any;
}

/* The fence whose backticks or tildes are at `p`. */
static bool answer_fence(answer_ahead *ahead, const char *p, const char *end,
                         answer_block *block)
{
    char c = *p;
    size_t run = answer_run(p, end, c);
    if (run < 3)
        return false;
    p += run;
    const char *word = p;
    while (p < end && answer_is_word(*p))
        p++;
    block->word = text_between(word, p);
    if (ahead->feed < p)
        ahead->feed = answer_line_end(p, end);
    const char *feed = ahead->feed;
    while (p < feed && (*p == ' ' || *p == '\t' || *p == '\r'))
        p++;
    const char *same = p < feed ? (const char *)memchr(p, c, (size_t)(feed - p)) : NULL;
    bool ends = same && answer_run(same, feed, c) >= run;
    bool inlined = p < feed && (strchr("{[\"'(<", *p) != NULL || ends);
    const char *from = inlined ? p : feed + (feed < end);
    const char *close =
        inlined && ends ? same : answer_fence_end(ahead, from, end, c, run);
    block->text = text_between(from, close);
    block->open = close == end;
    block->after = close + answer_run(close, end, c);
    return true;
}

/* The tag at `p` with all that is in it, if nothing but text is. */
static bool answer_tag(answer_ahead *ahead, const char *p, const char *end,
                       answer_block *block)
{
    const char *name = p + 1;
    const char *at = name;
    while (at < end && answer_is_word(*at))
        at++;
    pith_text word = text_between(name, at);
    const char *limit = end - at > 200 ? at + 200 : end;
    while (at < limit && *at != '>' && *at != '<' && *at != '\n')
        at++;
    if (word.len == 0 || at == limit || *at != '>')
        return false;
    if (ahead->close < at) {
        const char *hit = at;
        do
            hit = (const char *)memchr(hit + 1, '<', (size_t)(end - hit - 1));
        while (hit && (end - hit < 2 || hit[1] != '/') && hit + 1 < end);
        ahead->close = hit ? hit : end;
    }
    const char *close = ahead->close;
    pith_text rest = text_between(close, end);
    block->open = false;
    if (rest.len < word.len + 3 || memcmp(rest.ptr + 2, word.ptr, word.len) != 0 ||
        rest.ptr[2 + word.len] != '>')
        return false;
    block->word = word;
    block->text = text_between(at + 1, close);
    block->after = close + word.len + 3;
    return true;
}

/* The next block from `p` on. */
bool answer_next_block(answer_ahead *ahead, const char *p, const char *end,
                       answer_block *block)
{
    for (; p < end; p++) {
        if ((*p == '`' || *p == '~') && answer_fence(ahead, p, end, block))
            return true;
        if (*p == '`' || *p == '~')
            p += answer_run(p, end, *p) - 1;
        else if (*p == '<' && answer_tag(ahead, p, end, block))
            return true;
    }
    return false;
}

/* Whether a block with that word holds a program rather than data. */
bool answer_is_program(pith_text word)
{
    static const char *const programs[] = {
        "python", "py",   "javascript", "js",  "typescript", "ts",   "bash", "sh",
        "sql",    "html", "java",       "c",   "cpp",        "go",   "rust", "diff",
        "shell",  "ruby", "css",        "jsx", "tsx",        "yaml", "xml"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (text_is(word, programs[i]))
            return true;
    return false;
}

/* Without what the model thought before it answered. */
pith_text answer_after_thoughts(pith_text text)
{
    static const char *const tags[] = {"think", "thinking", "reasoning"};
    const char *const end = text.ptr + text.len;
    pith_text whole = answer_trim(text);
    const char *after = whole.ptr;
    for (const char *p = whole.ptr; p < end; p++) {
        p = (const char *)memchr(p, '<', (size_t)(end - p));
        if (!p)
            break;
        for (size_t i = 0; i < 3; i++) {
            size_t len = strlen(tags[i]);
            bool closes = end - p > 2 && p[1] == '/';
            const char *name = p + 1 + closes;
            if ((size_t)(end - name) <= len || memcmp(name, tags[i], len) != 0 ||
                name[len] != '>')
                continue;
            if (closes)
                after = name + len + 1;
            else if (p == after)
                after = end; /* unless it is closed */
        }
    }
    return text_between(after, end);
}
