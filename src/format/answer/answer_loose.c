/*
 * answer_loose.c - JSON, and what is almost JSON, in one pass.
 *
 * It is a loop of three steps, "a value must come", "a value has come", "a key must come",
 * and the tape's own links are the stack. What strict JSON does not allow is either noted as
 * a mend or the end of it (`bad`). A key is put on the tape together with its value: so a
 * key that the text was cut off after leaves no trace.
 *
 * The one hard question is where a string ends whose quotes are not escaped. A quote ends
 * it if what follows is what may follow a value there: a bracket, a colon after a key, a
 * comma and the beginning of a key or a value. Looking ahead is bounded by the white space
 * that is passed anyway, and by a few bytes of a key.
 */
#include "base/lex.h"
#include "base/utf8.h"
#include "format/answer/answer.h"

enum {
    LOOSE_KEY_LOOK = 100, /* bytes in which a key must show its colon */
    LOOSE_LOOK = 128 /* bytes that are enough to decide anything but where a text ends */
};

answer_level answer_mend_level(answer_mend_id id)
{
    static const uint8_t levels[] = {
#define ANSWER_MEND_LEVEL(id, code, level, what, how) level,
        ANSWER_MENDS(ANSWER_MEND_LEVEL)
#undef ANSWER_MEND_LEVEL
    };
    assert(id < MEND_KINDS);
    return (answer_level)levels[id];
}

void loose_mend(loose *r, const char *at, answer_mend_id id)
{
    answer_mends *mends = r->mends;
    if (mends->list.count >= ANSWER_MENDS_MOST) {
        answer_level level = answer_mend_level(id);
        mends->more_level = level > mends->more_level ? level : mends->more_level;
        mends->more++;
        return;
    }
    answer_mend *mend = LIST_ADD(&mends->list, &r->doc->alloc);
    if (!mend) {
        read_failed(&r->in);
        return;
    }
    mend->offset = read_at(&r->in, at);
    mend->id = id;
}

/* The value goes wrong at `at`; false. */
static bool loose_bad(loose *r, const char *at, const char *code, const char *why)
{
    if (!r->bad) {
        r->bad = at;
        r->bad_code = code;
        r->bad_why = why;
    }
    return false;
}

/* --------------------------------------------------------------------------- spaces */

/* The length of a space that JSON does not have, 0 when there is none. */
static size_t loose_odd_space(const char *p, const char *end)
{
    static const char *const odd[] = {"\xC2\xA0",     "\xEF\xBB\xBF", "\xE2\x80\x8B",
                                      "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF",
                                      "\xE3\x80\x80", "\xE2\x81\xA0"};
    assert(p < end);
    if ((unsigned char)*p < 0x80)
        return *p == '\f' || *p == '\v' ? 1 : 0;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if (text_begins(text_between(p, end), odd[i]))
            return strlen(odd[i]);
    return 0;
}

/* After the comment at `p`; NULL when there is none. */
static const char *loose_comment(const char *p, const char *end)
{
    pith_text rest = text_between(p, end);
    if (text_begins(rest, "/*")) {
        for (p += 2; end - p >= 2; p++)
            if (p[0] == '*' && p[1] == '/')
                return p + 2;
        return end;
    }
    if (!text_begins(rest, "//") && !text_begins(rest, "#"))
        return NULL;
    const char *feed = (const char *)memchr(p, '\n', rest.len);
    return feed ? feed : end;
}

const char *loose_skip(loose *r, const char *p, const char *end)
{
    for (;;) {
        p = scan_spaces(p, end);
        if (p == end)
            return p;
        size_t odd = loose_odd_space(p, end);
        const char *after = odd ? p + odd : loose_comment(p, end);
        if (!after)
            return p;
        if (r)
            loose_mend(r, p, odd ? MEND_SPACE : MEND_COMMENT);
        p = after;
    }
}

/* --------------------------------------------------------------------------- quotes */

/* The kinds of quotes: what opens a text, and what may close it. */
struct loose_quotes {
    const char *open;
    const char *close[4];
};

static const loose_quotes quotes[] = {
    {"\"", {"\""}},
    {"'", {"'"}},
    {"`", {"`"}},
    {"\xE2\x80\x9C", {"\xE2\x80\x9D", "\xE2\x80\x9C", "\""}},
    {"\xE2\x80\x9D", {"\xE2\x80\x9D", "\xE2\x80\x9C", "\""}},
    {"\xE2\x80\x9E", {"\xE2\x80\x9C", "\xE2\x80\x9D", "\""}},
    {"\xE2\x80\x98", {"\xE2\x80\x99", "\xE2\x80\x98", "'"}},
    {"\xE2\x80\x99", {"\xE2\x80\x99", "\xE2\x80\x98", "'"}},
    {"\xE2\x80\x9A", {"\xE2\x80\x98", "\xE2\x80\x99", "'"}},
};

enum { QUOTES_COUNT = sizeof quotes / sizeof *quotes };

static const loose_quotes *loose_quotes_at(const char *p, const char *end)
{
    bool maybe = p < end && (*p == '"' || *p == '\'' || *p == '`' || *p == '\xE2');
    for (size_t i = 0; maybe && i < QUOTES_COUNT; i++)
        if (text_begins(text_between(p, end), quotes[i].open))
            return &quotes[i];
    return NULL;
}

size_t loose_quote(const char *p, const char *end)
{
    const loose_quotes *found = loose_quotes_at(p, end);
    return found ? strlen(found->open) : 0;
}

/* The length of the closing quote at `p`, or 0. */
static size_t loose_closing(const loose_quotes *kind, const char *p, const char *end)
{
    for (size_t i = 0; i < 4 && kind->close[i]; i++)
        if (*p == *kind->close[i] && text_begins(text_between(p, end), kind->close[i]))
            return strlen(kind->close[i]);
    return 0;
}

static bool loose_is_key_byte(const char *p, const char *end)
{
    unsigned char c = (unsigned char)*p;
    if (c >= 0x80)
        return loose_quote(p, end) == 0 && loose_odd_space(p, end) == 0;
    return scan_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           c == '_' || c == '$' || c == '-' || c == '.' || c == '@';
}

/* After a key without quotes at `p`, at most LOOSE_KEY_LOOK bytes of it. */
static const char *loose_bare_key(const char *p, const char *end)
{
    const char *from = p;
    while (p < end && p - from < LOOSE_KEY_LOOK && loose_is_key_byte(p, end))
        p++;
    return p;
}

/* Whether a key and its colon are at `p`, as far as a few bytes tell. */
static bool loose_key_follows(const char *p, const char *end)
{
    const char *from = p;
    size_t quote = loose_quote(p, end);
    if (quote) {
        const loose_quotes *kind = loose_quotes_at(p, end);
        const char *limit = end - p > LOOSE_KEY_LOOK ? p + LOOSE_KEY_LOOK : end;
        for (p += quote; p < limit && !loose_closing(kind, p, end); p++)
            if (*p == '\n')
                return false;
        if (p == end)
            return true; /* it may be one that was cut off */
        if (p == limit)
            return false;
        p += loose_closing(kind, p, end);
    } else {
        p = loose_bare_key(p, end);
        if (p < end && loose_quote(p, end) && p > from)
            p += loose_quote(p, end);
    }
    p = scan_spaces(p, end);
    return p > from && (p == end || *p == ':' || (*p == '=' && quote == 0));
}

static bool loose_begins(const char *p, const char *end, const char *word)
{
    size_t len = strlen(word);
    return text_begins(text_between(p, end), word) &&
           (p + len == end || !loose_is_key_byte(p + len, end));
}

/* Words that are values, here or in other languages. */
typedef struct loose_word {
    const char *word;
    pith_kind kind;
    answer_mend_id mend; /* MEND_KINDS: JSON's own */
} loose_word;

static const loose_word loose_words[] = {
    {"true", PITH_TRUE, MEND_KINDS},
    {"false", PITH_FALSE, MEND_KINDS},
    {"null", PITH_NULL, MEND_KINDS},
    {"True", PITH_TRUE, MEND_WORD},
    {"False", PITH_FALSE, MEND_WORD},
    {"None", PITH_NULL, MEND_WORD},
    {"TRUE", PITH_TRUE, MEND_WORD},
    {"FALSE", PITH_FALSE, MEND_WORD},
    {"NULL", PITH_NULL, MEND_WORD},
    {"Null", PITH_NULL, MEND_WORD},
    {"nil", PITH_NULL, MEND_WORD},
    {"NaN", PITH_NULL, MEND_NOT_A_NUMBER},
    {"nan", PITH_NULL, MEND_NOT_A_NUMBER},
    {"-NaN", PITH_NULL, MEND_NOT_A_NUMBER},
    {"Infinity", PITH_NULL, MEND_NOT_A_NUMBER},
    {"-Infinity", PITH_NULL, MEND_NOT_A_NUMBER},
    {"+Infinity", PITH_NULL, MEND_NOT_A_NUMBER},
    {"inf", PITH_NULL, MEND_NOT_A_NUMBER},
    {"-inf", PITH_NULL, MEND_NOT_A_NUMBER},
    {"undefined", PITH_NULL, MEND_NOT_A_NUMBER},
};

enum { WORDS_COUNT = sizeof loose_words / sizeof *loose_words };

static const loose_word *loose_word_at(const char *p, const char *end)
{
    for (size_t i = 0; i < WORDS_COUNT; i++)
        if (*p == *loose_words[i].word && loose_begins(p, end, loose_words[i].word))
            return &loose_words[i];
    return NULL;
}

/* Whether the text ends inside of a word that is a value. */
static bool loose_word_is_cut(const char *p, const char *end)
{
    size_t len = (size_t)(end - p);
    for (size_t i = 0; i < WORDS_COUNT; i++)
        if (len < strlen(loose_words[i].word) && memcmp(p, loose_words[i].word, len) == 0)
            return true;
    return false;
}

static size_t loose_ellipsis(const char *p, const char *end)
{
    pith_text rest = text_between(p, end);
    return text_begins(rest, "...") ? 3 : text_begins(rest, "\xE2\x80\xA6") ? 3 : 0;
}

/* Whether a value begins at `p`. */
static bool loose_value_follows(const char *p, const char *end)
{
    unsigned char c = (unsigned char)*p;
    return c == '{' || c == '[' || c == '-' || scan_is_digit(c) || loose_quote(p, end) ||
           loose_word_at(p, end) != NULL;
}

static bool loose_is_comment(const char *p, const char *end)
{
    return loose_comment(p, end) != NULL;
}

/* Whether what follows a comma at `p` may follow one there. */
static bool loose_item_follows(const char *p, const char *end, loose_place in)
{
    if (p == end || *p == '}' || *p == ']' || *p == ',' || loose_is_comment(p, end) ||
        loose_ellipsis(p, end))
        return true;
    if (in == IN_OBJECT)
        return loose_quote(p, end) || *p == '{' || loose_key_follows(p, end);
    return *p == '(' || loose_value_follows(p, end);
}

/* Whether the bracket at `p`, after a quote, is one of the structure: it closes something
 * that is open, and no quote follows that would end the string instead. */
static bool loose_bracket_fits(const loose *r, const char *p)
{
    const char *const end = r->limit;
    bool open = (*p == '}' ? r->objects : r->arrays) > 0;
    while (p < end && (*p == ']' || *p == '}'))
        p++;
    if (p < end && loose_quote(p, end))
        return loose_key_follows(p, end);
    return open || scan_spaces(p, end) == end;
}

/* Whether a quote ends the string, if `p` is what follows it. */
static bool loose_ends(const loose *r, const char *p, loose_place in)
{
    const char *const end = r->limit;
    const char *n = scan_spaces(p, end);
    bool apart = n > p;
    if (n == end || in == IN_NOTHING)
        return true;
    if (in == IN_KEY)
        return *n == ':' || *n == '=' || *n == ',' || *n == '}' ||
               (apart && loose_value_follows(n, end));
    switch (*n) {
    case '}':
    case ']':
        return loose_bracket_fits(r, n);
    case ')':
        return r->tuples > 0;
    case ',':
    case ';':
        return loose_item_follows(scan_spaces(n + 1, end), end, in);
    case ':':
        return in == IN_ARRAY && r->objects > 0;
    default:
        break;
    }
    if (loose_is_comment(n, end))
        return true;
    if (in == IN_OBJECT)
        return apart && loose_key_follows(n, end);
    return (apart || loose_quote(n, end)) && loose_value_follows(n, end);
}

/* Whether the word at `p` and what follows it have come. */
static bool loose_sees_word(const char *p, const char *end)
{
    const char *to = loose_bare_key(p, end);
    if (to == p) /* the beginning of a comment, say */
        return end - p > 2;
    if (to < end)
        to += loose_quote(to, end);
    return scan_spaces(to, end) < end;
}

/* Whether what has come tells if a quote ends the string, `p` being after it. */
static bool loose_sees_enough(const loose *r, const char *p, loose_place in)
{
    const char *const end = r->limit;
    const char *n = scan_spaces(p, end);
    if (n == end)
        return false;
    bool key = in == IN_KEY && (*n == ':' || *n == '=' || *n == ',' || *n == '}');
    if (key || (in == IN_ARRAY && *n == ':'))
        return true;
    if (in != IN_KEY && (*n == ',' || *n == ';')) {
        n = scan_spaces(n + 1, end);
        if (n < end && (strchr("\"{[]},", *n) != NULL || loose_is_comment(n, end)))
            return true;
    } else if (in != IN_KEY && (*n == '}' || *n == ']')) {
        while (n < end && (*n == ']' || *n == '}'))
            n++;
        if (n < end && !loose_quote(n, end))
            return true;
    }
    return n < end &&
           (end - n > LOOSE_LOOK || (!loose_quote(n, end) && loose_sees_word(n, end)));
}

/* -------------------------------------------------------------------------- strings */

static const char *loose_back_over(const char *from, const char *p, const char *bytes)
{
    while (p > from && p[-1] != '\0' && strchr(bytes, p[-1]))
        p--;
    return p;
}

/* A quote in a value is followed by a colon: it may end a key, and the string before it has
 * no end. Where it ended then, before brackets and a comma; NULL when it is not so. */
static const char *loose_lost_end(const char *from, const char *key)
{
    if (!key)
        return NULL;
    const char *p = loose_back_over(from, key, " \t{[");
    bool broken = p > from && p[-1] == '\n';
    p = loose_back_over(from, p, " \t\r\n{[");
    bool comma = p > from && p[-1] == ',';
    p = loose_back_over(from, p - comma, " \t\r\n]}");
    return comma || broken ? p : NULL;
}

/* The text ends in a string, and in brackets: those may be meant as such. */
static const char *loose_lost_brackets(const loose *r, const char *from)
{
    const char *p = loose_back_over(from, r->limit, " \t\r\n]}");
    bool brackets = false;
    for (const char *q = p; q < r->limit; q++)
        brackets = brackets || *q == ']' || *q == '}';
    return brackets && p > from ? p : NULL;
}

/* The end of a key that has no quote at its end: before the first colon in it. */
static const char *loose_lost_key_end(const char *from, const char *to)
{
    const char *p = loose_bare_key(from, to);
    return p > from && p < to && *p == ':' ? p : NULL;
}

/* Ends the string at `at`, where a quote is missing. */
static void loose_lost(loose *r, loose_string *s, const char *at)
{
    s->controls = memchr(s->from, '\n', (size_t)(at - s->from)) != NULL;
    r->mends->list.count = s->mends;
    loose_mend(r, at, MEND_NO_QUOTE);
    s->to = at;
    s->after = at;
}

/* A quote at s->scan, of `close` bytes, does not end the string. Where it ended before, in
 * front of a key, because its own quote is missing; or NULL. */
static const char *loose_lost_before(const loose *r, const loose_string *s, size_t close,
                                     loose_place in)
{
    if (in == IN_KEY)
        return loose_lost_key_end(s->from, s->scan);
    const char *n = scan_spaces(s->scan + close, r->limit);
    bool key = in == IN_OBJECT && n < r->limit && *n == ':';
    return key ? loose_lost_end(s->from, s->inner) : NULL;
}

/* The text ends, and the string has not. */
static void loose_text_is_cut(loose *r, loose_string *s, loose_place in)
{
    const char *const end = r->limit;
    const char *lost =
        in == IN_KEY ? loose_lost_key_end(s->from, end) : loose_lost_brackets(r, s->from);
    if (lost && in != IN_NOTHING) {
        loose_lost(r, s, lost);
        return;
    }
    s->to = end;
    s->after = end;
    s->cut = true;
}

/* Finds the end of the string, from s->scan on. False when it may yet come. */
static bool loose_find_end(loose *r, loose_string *s, loose_place in)
{
    const char *const end = r->limit;
    while (s->scan < end) {
        const char *p = s->scan = s->kind == quotes ? scan_stop(s->scan, end) : s->scan;
        if (p == end)
            break;
        if (*p == '\\') {
            if (end - p == 1 && read_starved(&r->in))
                return false;
            s->escapes = true;
            s->scan += end - p > 1 ? 2 : 1;
            continue;
        }
        size_t close = loose_closing(s->kind, p, end);
        s->controls = s->controls || (unsigned char)*p < 0x20;
        if (close && r->waits && !loose_sees_enough(r, p + close, in))
            return !read_starved(&r->in);
        if (close && loose_ends(r, p + close, in)) {
            s->to = p;
            s->after = p + close;
            return true;
        }
        const char *lost = close ? loose_lost_before(r, s, close, in) : NULL;
        if (lost) {
            loose_lost(r, s, lost);
            return true;
        }
        if (close) {
            s->inner = p;
            loose_mend(r, p, MEND_QUOTE);
        }
        s->scan += close ? close : 1;
    }
    if (read_starved(&r->in))
        return false;
    loose_text_is_cut(r, s, in);
    return true;
}

/* A text in three quotes, as Python has it. */
static bool loose_find_triple(loose *r, loose_string *s, const char *p)
{
    const char *const end = r->limit;
    if (end - p < 3 && (end - p < 2 || p[1] == *p) && read_starved(&r->in))
        return false;
    if (end - p < 3 || p[1] != *p || p[2] != *p || (*p != '"' && *p != '\''))
        return false;
    for (const char *q = p + 3; end - q >= 3; q++) {
        if (q[0] == *p && q[1] == *p && q[2] == *p) {
            s->from = p + 3;
            s->to = q;
            s->after = q + 3;
            s->escapes = memchr(s->from, '\\', (size_t)(q - s->from)) != NULL;
            s->controls = false;
            return true;
        }
    }
    read_starved(&r->in);
    return false;
}

/* Escapes that other languages have: the character, 0 for none; `*used` bytes. */
static uint32_t loose_other_escape(const char *p, const char *end, bool single,
                                   size_t *used)
{
    *used = 2;
    if (end - p < 2)
        return 0;
    if (p[1] == '\'' || p[1] == '`')
        return (unsigned char)p[1];
    if (!single || p[1] != 'x' || end - p < 4)
        return 0;
    uint32_t code = 0;
    for (size_t i = 2; i < 4; i++) {
        char c = p[i] >= 'a' && p[i] <= 'f' ? (char)(p[i] - 32) : p[i];
        if (!scan_is_digit((unsigned char)c) && (c < 'A' || c > 'F'))
            return 0;
        code = code * 16 + (uint32_t)(c <= '9' ? c - '0' : c - 'A' + 10);
    }
    *used = 4;
    return code;
}

/* Decodes the escapes into `to`; the end of the text, or NULL when one of them is invalid.
 * An escape that was cut off is left out. */
static char *loose_unescape(loose *r, const loose_string *s, char *to, bool *other,
                            bool *half)
{
    const char *p = s->from;
    while (p < s->to) {
        const char *stop = (const char *)memchr(p, '\\', (size_t)(s->to - p));
        size_t plain = (size_t)((stop ? stop : s->to) - p);
        memcpy(to, p, plain);
        to += plain;
        p += plain;
        if (!stop)
            break;
        uint32_t code;
        size_t used;
        lex_fault fault = lex_read_escape(p, s->to, &code, &used);
        if (fault == LEX_BAD_ESCAPE) {
            code = loose_other_escape(p, s->to, s->single, &used);
            *other = *other || code != 0;
            bool begun = s->to - p < 6 && (s->to - p == 1 || p[1] == 'u');
            if (code == 0 && s->cut && begun)
                return to;
            if (code == 0)
                return NULL;
        }
        *half = *half || fault == LEX_LONE_SURROGATE;
        to += utf8_encode(code, to);
        p += used;
    }
    (void)r;
    return to;
}

/* A text that stays where it is: in the input, or, when that may move, in the arena, with
 * its place. The pointer is NULL when memory ran out. */
static const char *loose_keep(loose *r, const char *text, size_t len)
{
    if (!r->waits)
        return text;
    char *room = build_place_text(r->doc, read_at(&r->in, text), len);
    if (!room) {
        read_failed(&r->in);
        return NULL;
    }
    memcpy(room, text, len);
    build_end_text(r->doc, room, len);
    return room;
}

/* What a string says. */
static bool loose_text(loose *r, const loose_string *s, pith_key *text, bool key)
{
    size_t len = (size_t)(s->to - s->from);
    text->text = NULL;
    if (len > SLOT_TEXT_MOST)
        return read_built(&r->in, BUILD_TOO_LARGE, s->from);
    if (s->escapes || (key && r->packed)) {
        bool other = false;
        bool half = false;
        char *room = build_place_text(r->doc, read_at(&r->in, s->from), len + 4);
        if (!room)
            return read_failed(&r->in);
        char *to = loose_unescape(r, s, room, &other, &half);
        if (half && !r->replace) {
            build_drop_text(r->doc, room);
            read_bad(
                &r->in, s->from, "invalid_surrogate",
                "a text holds half of a surrogate pair; surrogates=replace reads it");
            return false;
        }
        if (to) {
            build_end_text(r->doc, room, (size_t)(to - room));
            text->text = room;
            len = (size_t)(to - room);
        } else {
            build_drop_text(r->doc, room);
        }
        if (!to || other)
            loose_mend(r, s->from, to ? MEND_ESCAPE : MEND_BAD_ESCAPE);
    }
    if (s->controls)
        loose_mend(r, s->from, MEND_CONTROL);
    if (!text->text && !(text->text = loose_keep(r, s->from, len)))
        return false;
    text->len = (uint32_t)len;
    text->flags = build_text_flags(text->text, len) |
                  doc_near_end_flag(r->report->input, text->text);
    text->dead = 0;
    return !read_stopped(&r->in);
}

/* Reads the string at `p`; what follows it, or NULL when reading has to stop. Where the text
 * ran out the last time, it goes on. */
static const char *loose_read_string(loose *r, const char *p, loose_place in,
                                     pith_key *text, bool *cut)
{
    loose_string *s = &r->string;
    bool triple = false;
    if (!r->in_string) {
        const loose_quotes *kind = loose_quotes_at(p, r->limit);
        const char *from = p + strlen(kind->open);
        *s = (loose_string){
            .kind = kind, .from = from, .scan = from, .single = *p == '\''};
        triple = loose_find_triple(r, s, p);
        if (r->starved)
            return NULL;
        if (kind != quotes || triple)
            loose_mend(r, p, MEND_QUOTES);
        s->mends = r->mends->list.count;
    }
    r->in_string = !triple && !loose_find_end(r, s, in);
    *cut = s->cut;
    return !r->in_string && loose_text(r, s, text, in == IN_KEY) ? s->after : NULL;
}

/* --------------------------------------------------------------------------- values */

/* Puts the key that waits on the tape: its value has come. */
static bool loose_put_key(loose *r, const char *at)
{
    if (!r->has_key)
        return true;
    r->has_key = false;
    return read_built(&r->in, build_key(r->doc, r->key.flags, r->key.text, r->key.len),
                      at);
}

static bool loose_put(loose *r, loose_state *s, const char *at, build_result result)
{
    s->last_number = false;
    s->comma = NULL;
    s->step = STEP_AFTER;
    return read_built(&r->in, result, at);
}

static bool loose_open(loose *r, loose_state *s)
{
    bool object = *s->p == '{';
    if (*s->p == '(') {
        r->tuples++;
        loose_mend(r, s->p, MEND_TUPLE);
    }
    if (!loose_put_key(r, s->p) ||
        !read_open(&r->in, object ? PITH_OBJECT : PITH_ARRAY, s->p))
        return false;
    *(object ? &r->objects : &r->arrays) += 1;
    s->step = object ? STEP_KEY : STEP_VALUE;
    s->comma = NULL;
    s->p++;
    return true;
}

static bool loose_in_object(const loose *r)
{
    return r->doc->slots[r->doc->open].kind == PITH_OBJECT;
}

/* Closes the innermost container. */
static bool loose_close(loose *r)
{
    *(loose_in_object(r) ? &r->objects : &r->arrays) -= 1;
    return read_close(&r->in, "duplicate_key", "duplicate key");
}

bool loose_complete(loose *r)
{
    r->has_key = false;
    while (r->arrays + r->objects > 0)
        if (!loose_close(r))
            return false;
    return true;
}

/* Whether a bracket at `p` would end the outermost object though members follow. */
static bool loose_is_surplus(const loose *r, const loose_state *s)
{
    const char *end = r->limit;
    const char *p = scan_spaces(s->p + 1, end);
    if (r->arrays + r->objects != 1 || *s->p != '}' || p == end || *p != ',')
        return false;
    p = scan_spaces(p + 1, end);
    return p < end && loose_quote(p, end) && loose_key_follows(p, end);
}

/* A closing bracket has come. */
static bool loose_bracket(loose *r, loose_state *s)
{
    if (r->has_key)
        return loose_bad(r, s->p, "expected_value", "a key has no value");
    bool object = *s->p == '}';
    if (object == loose_in_object(r) && loose_is_surplus(r, s)) {
        loose_mend(r, s->p++, MEND_SURPLUS);
        s->step = STEP_AFTER;
        return true;
    }
    if (s->comma)
        loose_mend(r, s->comma, MEND_COMMA);
    s->comma = NULL;
    s->step = STEP_AFTER;
    if (object == loose_in_object(r)) {
        r->tuples -= *s->p == ')' && r->tuples > 0;
        s->p++;
    } else if ((object ? r->objects : r->arrays) > 0) {
        loose_mend(r, s->p, MEND_NO_BRACKET);
    } else {
        loose_mend(r, s->p++, MEND_BRACKET);
    }
    s->last_number = false;
    return loose_close(r);
}

static bool loose_is_bracket(const loose *r, char c)
{
    return c == ']' || c == '}' || (c == ')' && r->tuples > 0);
}

/* Spells a number as JSON does, in the arena; an empty text when it is none. */
static pith_text loose_respell(loose *r, const char *p, const char *end)
{
    size_t len = (size_t)(end - p);
    char *room = arena_take(&r->doc->arena, len + 3);
    pith_text none = {"", 0};
    if (!room) {
        read_failed(&r->in);
        return none;
    }
    char *to = room;
    if (*p == '-')
        *to++ = '-';
    p += *p == '-' || *p == '+';
    while (end - p > 1 && p[0] == '0' && scan_is_digit((unsigned char)p[1]))
        p++;
    if (p < end && *p == '.')
        *to++ = '0';
    for (; p < end; p++) {
        bool lost = *p == '_' && to > room && scan_is_digit((unsigned char)to[-1]);
        if (to > room && to[-1] == '.' && !scan_is_digit((unsigned char)*p))
            *to++ = '0';
        if (!lost)
            *to++ = *p;
    }
    if (to > room && to[-1] == '.')
        *to++ = '0';
    lex_number number = lex_read_number(room, to);
    return number.end == to ? text_between(room, to) : none;
}

/* After what looks like a number: digits, signs, letters. */
static const char *loose_number_end(const char *p, const char *end)
{
    while (p < end && (loose_is_key_byte(p, end) || *p == '+' || *p == '%' || *p == ':'))
        p++;
    return p;
}

static bool loose_put_number(loose *r, loose_state *s, pith_text digits)
{
    digits.ptr = loose_keep(r, digits.ptr, digits.len);
    if (!digits.ptr)
        return false;
    bool decimal = lex_read_number(digits.ptr, digits.ptr + digits.len).decimal;
    uint8_t flags = build_number_flags(digits.ptr, digits.len);
    return loose_put(r, s, s->p,
                     build_text(r->doc, decimal ? PITH_DECIMAL : PITH_INTEGER, flags,
                                digits.ptr, digits.len));
}

/* A text without quotes. */
static bool loose_read_bare(loose *r, loose_state *s)
{
    const char *to = s->p;
    size_t depth = r->arrays + r->objects;
    while (to < r->limit && *to != ',' && *to != '}' && *to != ']' && *to != '\n' &&
           *to != '{' && *to != '[')
        to++;
    const char *after = to;
    bool cut = to == r->limit && depth > 0 && loose_word_is_cut(s->p, to);
    if (!r->has_key && depth < 2 && !cut)
        return loose_bad(r, s->p, "expected_value", "expected a value");
    if (to == r->limit && read_starved(&r->in))
        return false;
    while (to > s->p && scan_is_space((unsigned char)to[-1]))
        to--;
    bool quoted = to - s->p > 1 && to[-1] == '"';
    if (to == s->p || (after < r->limit && (*after == '{' || *after == '[')))
        return loose_bad(r, s->p, "expected_value", "expected a value");
    if (cut) {
        loose_mend(r, s->p, MEND_CUT_WORD);
        r->has_key = false;
        s->p = after;
        s->step = STEP_AFTER;
        return true;
    }
    loose_mend(r, s->p, quoted ? MEND_NO_QUOTE : MEND_BARE_TEXT);
    loose_string text = {.from = s->p, .to = to - quoted, .after = after};
    pith_key said;
    if (!loose_put_key(r, s->p) || !loose_text(r, &text, &said, false))
        return false;
    bool fine = loose_put(
        r, s, s->p, build_text(r->doc, PITH_STRING, said.flags, said.text, said.len));
    s->p = after;
    return fine;
}

static bool loose_read_number(loose *r, loose_state *s)
{
    const char *p = s->p;
    const char *to = loose_number_end(p, r->limit);
    bool inside = r->arrays + r->objects > 0;
    lex_number number = lex_read_number(p, to);
    pith_text digits = text_between(p, to);
    bool cut = to == r->limit && inside;
    if (to == r->limit && read_starved(&r->in))
        return false;
    if (number.end != to) {
        digits = loose_respell(r, p, to);
        if (read_stopped(&r->in))
            return false;
        if (digits.len == 0 && cut && (to - p == 1 || strchr("eE+-", to[-1]))) {
            loose_mend(r, p, MEND_CUT_WORD);
            r->has_key = false;
            s->p = to;
            s->step = STEP_AFTER;
            return true;
        }
        if (digits.len == 0)
            return loose_read_bare(r, s);
        if (!cut)
            loose_mend(r, p, MEND_NUMBER);
    }
    if (digits.len > SLOT_TEXT_MOST)
        return read_built(&r->in, BUILD_TOO_LARGE, p);
    if (cut)
        loose_mend(r, p, MEND_CUT_NUMBER);
    if (!loose_put_key(r, p) || !loose_put_number(r, s, digits))
        return false;
    s->last_number = true;
    s->p = to;
    return true;
}

/* A string in an array turns out to be the key of the object around it. */
static bool loose_is_key_after_array(const loose *r, const char *after)
{
    const char *p = scan_spaces(after, r->limit);
    const pith_doc *doc = r->doc;
    if (p == r->limit || *p != ':' || r->arrays + r->objects < 2 || loose_in_object(r))
        return false;
    uint32_t parent = doc->slots[doc->open].u.link.parent;
    return doc->slots[parent].kind == PITH_OBJECT;
}

static bool loose_read_text(loose *r, loose_state *s)
{
    pith_key text;
    bool cut;
    bool outermost = r->arrays + r->objects == 0;
    loose_place in = outermost ? IN_NOTHING : loose_in_object(r) ? IN_OBJECT : IN_ARRAY;
    const char *after = loose_read_string(r, s->p, in, &text, &cut);
    if (!after)
        return false;
    if (!outermost && loose_is_key_after_array(r, after)) {
        loose_mend(r, s->comma ? s->comma : s->p, MEND_NO_BRACKET);
        s->step = STEP_KEY;
        s->comma = NULL;
        return loose_close(r);
    }
    if (cut)
        loose_mend(r, s->p, MEND_CUT_TEXT);
    bool fine =
        loose_put_key(r, s->p) &&
        loose_put(r, s, s->p,
                  build_text(r->doc, PITH_STRING, text.flags, text.text, text.len));
    s->p = after;
    s->cut = s->cut || (cut && outermost);
    return fine;
}

static bool loose_read_word(loose *r, loose_state *s, const loose_word *word)
{
    const char *after = s->p + strlen(word->word);
    if (after == r->limit && read_starved(&r->in))
        return false;
    if (word->mend != MEND_KINDS)
        loose_mend(r, s->p, word->mend);
    if (!loose_put_key(r, s->p) || !loose_put(r, s, s->p, build_word(r->doc, word->kind)))
        return false;
    s->p = after;
    return true;
}

static bool loose_drop_ellipsis(loose *r, loose_state *s)
{
    loose_mend(r, s->p, MEND_ELLIPSIS);
    s->p += loose_ellipsis(s->p, r->limit);
    r->has_key = false;
    s->comma = NULL;
    s->step = STEP_AFTER;
    return true;
}

/* A comma with nothing before it. */
static bool loose_drop_comma(loose *r, loose_state *s)
{
    if (!s->comma || s->p != s->comma + 1)
        loose_mend(r, s->p, MEND_COMMA);
    s->comma = s->p++;
    return true;
}

static bool loose_value(loose *r, loose_state *s)
{
    char c = *s->p;
    bool array = r->arrays + r->objects > 0 && !loose_in_object(r);
    if (c == '{' || c == '[' || (c == '(' && (array || r->has_key)))
        return loose_open(r, s);
    if (loose_quote(s->p, r->limit))
        return loose_read_text(r, s);
    if (array && loose_is_bracket(r, c))
        return loose_bracket(r, s);
    if (array && c == ',')
        return loose_drop_comma(r, s);
    if (loose_ellipsis(s->p, r->limit) && (array || r->has_key))
        return loose_drop_ellipsis(r, s);
    const loose_word *word = loose_word_at(s->p, r->limit);
    if (word)
        return loose_read_word(r, s, word);
    if (scan_is_digit((unsigned char)c) || c == '-' || c == '+' || c == '.')
        return loose_read_number(r, s);
    if (r->has_key && (c == '}' || c == ']' || c == ','))
        return loose_bad(r, s->p, "expected_value", "a key has no value");
    return loose_read_bare(r, s);
}

/* ----------------------------------------------------------------------------- keys */

/* After the key: a colon, or what stands for one. */
static bool loose_colon(loose *r, loose_state *s)
{
    const char *p = s->p;
    s->step = STEP_VALUE;
    if (*p == ':') {
        s->p++;
    } else if (*p == '=') {
        if (r->limit - p == 1 && read_starved(&r->in))
            return false;
        loose_mend(r, p, MEND_COLON);
        s->p += r->limit - p > 1 && p[1] == '>' ? 2 : 1;
    } else if (loose_value_follows(p, r->limit)) {
        loose_mend(r, p, MEND_COLON);
    } else {
        return loose_bad(r, p, "expected_colon", "expected ':' after the key");
    }
    return true;
}

static bool loose_read_key(loose *r, loose_state *s)
{
    bool cut = false;
    const char *p = s->p;
    const char *after;
    if (loose_quote(p, r->limit)) {
        after = loose_read_string(r, p, IN_KEY, &r->key, &cut);
        r->named += after != NULL && !cut;
    } else {
        after = loose_bare_key(p, r->limit);
        cut = after == r->limit;
        if (cut && read_starved(&r->in))
            return false;
        if (after == p || (!cut && !loose_key_follows(p, r->limit)))
            return loose_bad(r, p, "expected_key",
                             scan_is_digit((unsigned char)*p)
                                 ? "expected a key and ':'; 1,234 is not read as 1234"
                                 : "expected a key and ':'");
        size_t quote = loose_quote(after, r->limit);
        loose_mend(r, p, quote ? MEND_NO_QUOTE : MEND_BARE_KEY);
        loose_string text = {.from = p, .to = after, .after = after};
        if (!loose_text(r, &text, &r->key, true))
            return false;
        after += quote;
    }
    if (!after)
        return false;
    r->has_key = true;
    s->comma = NULL;
    s->p = after;
    s->step = STEP_COLON;
    return true;
}

static bool loose_key(loose *r, loose_state *s)
{
    char c = *s->p;
    if (loose_is_bracket(r, c))
        return loose_bracket(r, s);
    if (c == ',')
        return loose_drop_comma(r, s);
    if (loose_ellipsis(s->p, r->limit))
        return loose_drop_ellipsis(r, s);
    uint32_t parent = r->doc->slots[r->doc->open].u.link.parent;
    if (c == '{' && s->comma && r->arrays > 0 && parent != SLOT_NONE &&
        r->doc->slots[parent].kind == PITH_ARRAY && r->arrays + r->objects > 1) {
        loose_mend(r, s->comma, MEND_NO_BRACKET);
        s->step = STEP_VALUE;
        return loose_close(r);
    }
    return loose_read_key(r, s);
}

/* ---------------------------------------------------------------------------- after */

static bool loose_separate(loose *r, loose_state *s, answer_mend_id mend)
{
    if (mend != MEND_KINDS)
        loose_mend(r, s->p, mend);
    s->step = loose_in_object(r) ? STEP_KEY : STEP_VALUE;
    return true;
}

/* There is neither comma nor bracket after a value. */
static bool loose_no_comma(loose *r, loose_state *s)
{
    const char *p = s->p;
    bool number = *p == '-' || scan_is_digit((unsigned char)*p);
    bool fits = loose_in_object(r) ? loose_key_follows(p, r->limit)
                                   : loose_value_follows(p, r->limit);
    if (!fits) {
        return loose_bad(r, p, "expected_separator",
                         loose_in_object(r) ? "expected ',' or '}' after a member"
                                            : "expected ',' or ']' after an element");
    }
    return loose_separate(r, s, number && s->last_number ? MEND_NUMBERS : MEND_NO_COMMA);
}

static bool loose_after(loose *r, loose_state *s)
{
    char c = *s->p;
    if (loose_is_bracket(r, c))
        return loose_bracket(r, s);
    if (c == ',' || c == ';') {
        bool fine = loose_separate(r, s, c == ';' ? MEND_SEMICOLON : MEND_KINDS);
        s->comma = s->p++;
        return fine;
    }
    if (loose_ellipsis(s->p, r->limit))
        return loose_drop_ellipsis(r, s);
    return loose_no_comma(r, s);
}

/* ----------------------------------------------------------------------------- loop */

static loose_end loose_cut(loose *r)
{
    if (r->has_key)
        loose_mend(r, r->limit, MEND_CUT_KEY);
    loose_mend(r, r->limit, MEND_CUT);
    return read_stopped(&r->in) ? LOOSE_STOP : LOOSE_CUT;
}

static bool loose_take_step(loose *r, loose_state *s)
{
    switch (s->step) {
    case STEP_VALUE:
        return loose_value(r, s);
    case STEP_KEY:
        return loose_key(r, s);
    case STEP_COLON:
        return loose_colon(r, s);
    default:
        return loose_after(r, s);
    }
}

/* A step came to nothing. When that may be for want of bytes it is taken again later. */
static loose_end loose_stumbled(loose *r, loose_state *s, const loose_state *before,
                                size_t mends)
{
    bool near_end = r->waits && r->bad && r->limit - before->p < LOOSE_LOOK;
    if (!r->starved && !near_end)
        return read_stopped(&r->in) ? LOOSE_STOP : LOOSE_BAD;
    *s = *before;
    r->starved = false;
    r->bad = NULL;
    if (!r->in_string)
        r->mends->list.count = mends;
    return LOOSE_MORE;
}

void loose_begin(loose *r, loose_state *s, const char *at)
{
    *s = (loose_state){.p = at, .step = STEP_VALUE, .outer = r->doc->depth};
    r->arrays = 0;
    r->objects = 0;
    r->tuples = 0;
    r->named = 0;
    r->has_key = false;
    r->in_string = false;
    r->bad = NULL;
}

loose_end loose_go(loose *r, loose_state *s)
{
    size_t mends = r->mends->list.count;
    if (s->step == STEP_AFTER && r->doc->depth == s->outer)
        return s->cut ? LOOSE_CUT : LOOSE_DONE;
    const char *p = loose_skip(r, s->p, r->limit);
    if (read_stopped(&r->in))
        return LOOSE_STOP;
    if (p == r->limit && r->waits) {
        r->mends->list.count = mends; /* of a comment, say, which is not complete */
        return LOOSE_MORE;
    }
    s->p = p;
    if (p == r->limit)
        return loose_cut(r);
    loose_state before = *s;
    mends = r->mends->list.count;
    if (!loose_take_step(r, s))
        return loose_stumbled(r, s, &before, mends);
    return report_goes_on(r->report, read_at(&r->in, s->p)) ? LOOSE_GOES_ON : LOOSE_STOP;
}

loose_end loose_read_members(loose *r, const char **at, bool one)
{
    loose_state s;
    loose_end end = LOOSE_GOES_ON;
    loose_begin(r, &s, *at);
    if (!read_open(&r->in, PITH_OBJECT, *at))
        return LOOSE_STOP;
    r->objects = 1;
    s.step = STEP_KEY;
    while (end == LOOSE_GOES_ON &&
           !(one && s.step == STEP_AFTER && r->doc->depth == s.outer + 1)) {
        end = loose_go(r, &s);
        *at = s.p;
    }
    if (end == LOOSE_GOES_ON)
        end = loose_complete(r) ? LOOSE_DONE : LOOSE_STOP;
    return end;
}

loose_end loose_read(loose *r, const char **at)
{
    loose_state s;
    loose_end end;
    loose_begin(r, &s, *at);
    do {
        end = loose_go(r, &s);
        *at = s.p;
    } while (end == LOOSE_GOES_ON);
    return end;
}
