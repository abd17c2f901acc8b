/*
 * json_read.c - RFC 8259 to the letter, in one pass.
 *
 * The grammar is in json_loop.h; here are the scalars and keys of JSON, and its problems.
 *
 * Speed comes from not looking at bytes: keys are compared with the key that was
 * there in the last object of this shape (shape.h) and leave no trace on the tape,
 * plain strings are scanned 16 bytes at a time, numbers stay text.
 *
 * Duplicate keys are found when an object without a shape closes; a duplicate makes
 * it one. To say where both are, the text is read again with keep_key_places (doc/read.h).
 *
 * Problems. Normally the first one ends the reading. When problems are being
 * collected, the functions named json_bad_* say how to go on, and the values that
 * are made up on the way do not matter, because nobody gets to see the document.
 */
#include "base/lex.h"
#include "base/utf8.h"
#include "format/json/json_values.h"

typedef struct json_reader {
    JSON_READER;
    const quoted_rules *rules; /* of strings */
} json_reader;

/* ------------------------------------------------------------------ problems */

/* A problem of structure; silent while an earlier one is being recovered from. */
static bool json_structure(json_reader *r, const char *code, const char *p,
                           const char *sentence)
{
    if (r->quiet)
        return true;
    r->quiet = true;
    r->quiet_from = p;
    if (utf8_decode(p, (size_t)(r->end - p), NULL) == 0)
        return read_bad_utf8(&r->in, p);
    return read_problem(&r->in, p, code, "%s", sentence);
}

static bool json_is_delimiter(char c)
{
    return scan_is_space((unsigned char)c) ||
           (c != '\0' && strchr(",:[]{}\"", c) != NULL);
}

static const char *json_skip_token(const json_reader *r, const char *p)
{
    while (p < r->end && !json_is_delimiter(*p))
        p++;
    return p;
}

static bool json_is_word_byte(unsigned char c)
{
    return scan_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           c == '+' || c == '-' || c == '.' || c == '_';
}

static void json_loop_end(json_reader *r, uint32_t open)
{
    json_ends_open(&r->in, open, "empty_input");
}

static bool json_bad_token(json_reader *r, const char *p)
{
    unsigned char c = (unsigned char)*p;
    const char *token_end = json_skip_token(r, p);
    error_excerpt token = error_quote(p, (size_t)(token_end - p));
    if ((size_t)(token_end - p) > SLOT_TEXT_MOST &&
        lex_read_number(p, r->end).end == token_end) {
        return report_problem(r->report, PITH_LIMIT, "too_large", read_at(&r->in, p),
                              "a number of 4 GiB or more");
    }
    if (scan_is_digit(c) || c == '-' || c == '+' || c == '.')
        return read_problem(&r->in, p, "invalid_number", "'%s' is not a number",
                            token.text);
    if (json_is_word_byte(c)) {
        return read_problem(&r->in, p, "invalid_literal",
                            "'%s' is not true, false or null; is it text without quotes?",
                            token.text);
    }
    return json_structure(r, "expected_value", p, "expected a value");
}

/* Something that is no value is where one must be. Says where to go on, with null in
 * its place; NULL to stop. */
static const char *json_bad_value(json_reader *r, const char *p, bool first, bool object)
{
    bool delimiter = json_is_delimiter(*p);
    if (delimiter) {
        const char *sentence = object  ? "expected a value after ':'"
                               : first ? "expected a value or ']' after '['"
                                       : "expected a value after ','";
        if (!json_structure(r, "expected_value", p, sentence))
            return NULL;
        return *p == ':' ? p + 1 : p;
    }
    return json_bad_token(r, p) ? json_skip_token(r, p) : NULL;
}

/* True when what is at `p` belongs to the number or word before it: 1.5.0, nullx. */
static bool json_goes_on(const pith_slot *last, const char *p)
{
    return last->kind < PITH_STRING && last->n > 0 && last->u.text + last->n == p &&
           json_is_word_byte((unsigned char)*p);
}

/* After a value there is neither comma nor bracket. */
static json_step json_bad_separator(json_reader *r, const char **at,
                                    const pith_slot *last, bool object)
{
    const char *p = *at;
    if (json_goes_on(last, p)) {
        *at = json_skip_token(r, p);
        return json_bad_token(r, last->u.text) ? JSON_AGAIN : JSON_STOP;
    }
    if (!json_structure(r, "expected_separator", p,
                        object ? "expected ',' or '}' after a member"
                               : "expected ',' or ']' after an element"))
        return JSON_STOP;
    if (*p == ']' || *p == '}') {
        *at = p + 1;
        return JSON_CLOSE;
    }
    if (*p == ':') {
        *at = p + 1;
        return JSON_MEMBER;
    }
    if (json_is_delimiter(*p) || json_is_word_byte((unsigned char)*p))
        return JSON_MEMBER;
    *at = json_skip_token(r, p);
    return JSON_AGAIN;
}

/* A key must come and does not. JSON_MEMBER: a key was made up, go on at the colon. */
static json_step json_bad_key(json_reader *r, const char **at, bool first)
{
    const char *p = *at;
    if (!json_structure(r, "expected_key", p,
                        first ? "expected a key in quotes or '}' after '{'"
                              : "expected a key in quotes after ','"))
        return JSON_STOP;
    if (*p == ']' || *p == '}') {
        *at = p + 1;
        return JSON_CLOSE;
    }
    if (*p == ',') {
        *at = p + 1;
        return JSON_AGAIN;
    }
    *at = json_skip_token(r, p);
    return JSON_MEMBER;
}

/* ------------------------------------------------------------------- reading */

static inline bool json_is_word(const char *p, const char *end, const char *word,
                                size_t len)
{
    return (size_t)(end - p) >= len && memcmp(p, word, len) == 0;
}

/* Reads the scalar at `p` into a slot; what follows it, or NULL when there is
 * none, or when it is a string and reading has to stop. */
static inline const char *json_read_scalar(json_reader *r, const char *p, pith_slot *slot)
{
    const char *const end = r->end;
    switch (*p) {
    case '"':
        return json_read_text(&r->in, r->rules, p, slot);
    case 't':
        slot_set(slot, PITH_TRUE, 0, p, 4);
        return json_is_word(p, end, "true", 4) ? p + 4 : NULL;
    case 'f':
        slot_set(slot, PITH_FALSE, 0, p, 5);
        return json_is_word(p, end, "false", 5) ? p + 5 : NULL;
    case 'n':
        slot_set(slot, PITH_NULL, 0, p, 4);
        return json_is_word(p, end, "null", 4) ? p + 4 : NULL;
    default: {
        lex_number number = lex_read_number(p, end);
        if (!number.end || (size_t)(number.end - p) > SLOT_TEXT_MOST)
            return NULL;
        slot_set(slot, number.decimal ? PITH_DECIMAL : PITH_INTEGER,
                 number.plain ? SLOT_CANONICAL : 0, p, (size_t)(number.end - p));
        return number.end;
    }
    }
}

/* Reads a value that is no container; null stands in for one that is none. */
static inline const char *json_loop_scalar(json_reader *r, const char *p, pith_slot *slot,
                                           const json_place *in)
{
    const char *rest = json_read_scalar(r, p, slot);
    if (!rest && *p != '"') {
        /* A string that cannot be read has said so, and nothing can follow it. */
        slot_set(slot, PITH_NULL, 0, NULL, 0);
        rest = json_bad_value(r, p, in->count == 0, json_in_object(in));
    }
    return rest;
}

/* Reads the key at `p`, whose node is probably `guess`; the slot of the value serves to
 * hold it meanwhile. What follows it; NULL when reading has to stop or, with `*none` set,
 * when there is no key. */
static inline const char *json_loop_key(json_reader *r, const char *p, uint16_t guess,
                                        uint16_t *shape, pith_slot *slot, bool *none)
{
    const shape_node *node = &r->doc->shapes.nodes[guess];
    *none = *p != '"';
    if (*none)
        return NULL;
    if (json_matches(node, p, r->end)) {
        *shape = guess;
        return p + node->key.len + 2;
    }
    const char *rest = json_read_text(&r->in, r->rules, p, slot);
    return rest && json_add_key(&r->in, shape, slot) ? rest : NULL;
}

#define LOOP(name) json_##name
#include "format/json/json_loop.h"

/* What follows the value, other than white space, does not belong there. */
static void json_check_rest(json_reader *r, const char *p)
{
    const char *rest = json_skip_space(p, r->end);
    if (rest == r->end)
        return;
    const pith_slot *last = &r->doc->slots[r->doc->count - 1];
    if (json_goes_on(last, rest)) {
        json_bad_token(r, last->u.text);
    } else {
        json_structure(r, "trailing_content", rest,
                       "expected the end of the text after the value");
    }
}

static const char *json_begin(json_reader *r, pith_doc *doc, pith_text text,
                              json_read_options options, reporter *report)
{
    static const quoted_rules json_rules[] = {
        JSON_QUOTED_RULES("unterminated_string", false),
        JSON_QUOTED_RULES("unterminated_string", true),
    };
    r->rules = &json_rules[options.replace];
    read_init(&r->in, doc, report->input, report);
    r->end = text.ptr + text.len;
    r->quoted = true;
    r->last_wins = options.last_wins;
    if (doc->count == 0 && !doc_reserve_for(doc, text, ",:[{")) {
        report_no_memory(report);
        return NULL;
    }
    return json_read_one(r, text.ptr);
}

void json_read_value(pith_doc *doc, pith_text text, json_read_options options,
                     reporter *report)
{
    json_reader r = {0};
    const char *p = json_begin(&r, doc, text, options, report);
    if (p)
        json_check_rest(&r, p);
}

const char *json_read_front(pith_doc *doc, pith_text text, json_read_options options,
                            reporter *report)
{
    json_reader r = {0};
    const char *p = json_begin(&r, doc, text, options, report);
    return p ? json_skip_space(p, r.end) : NULL;
}

void json_read_finish(pith_doc *doc, pith_text input, json_read_options options,
                      reporter *report)
{
    if (report->count == 0) {
        doc_mark_near_end(doc, input, 0);
        if (options.last_wins && doc->has_duplicates && !doc_merge_duplicates(doc))
            report_no_memory(report);
    }
    doc->finished = report->count == 0;
}
