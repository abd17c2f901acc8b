/*
 * answer_live.c - the document so far, of an answer that is still arriving.
 *
 *     Here it is: ```json {"name":"Ada","notes":["one","tw
 *                         ^ found       ^ complete     ^ shown, partial
 *
 * Where the data begins is looked for in the text as it comes: at the beginning, in a fence
 * or a tag, at a bracket that a key or a value follows. From there the forgiving reader goes
 * as far as the bytes tell, and stops where what follows could change what it makes of them.
 * In a string it remembers how far it has looked, so that no byte is read often; a word or a
 * number that is long is tried again when it has grown by an eighth.
 *
 * Between two pieces the tape is sealed: what is open gets its end, as if it were closed
 * there, and the string that is arriving stands in its place. That is undone before the next
 * piece, so it costs as much as the value is deep. Objects have no shapes (read.h), because
 * the keys of open ones must be a list.
 *
 * Equal keys end it, for which of them counts is known when their object has ended, and
 * merging them moves what was shown.
 *
 * All this is a view. When the answer has ended it is read again as a whole (answer_find.c).
 */
#include "base/lex.h"
#include "base/utf8.h"
#include "format/answer/answer.h"

enum {
    LIVE_TAG_MOST = 200, /* bytes in which a tag must end */
    LIVE_AT_ONCE = 256   /* what is shorter is tried again with every piece */
};

static const char *const thoughts[] = {"think", "thinking", "reasoning"};

/* ----------------------------------------------------------------------- the view */

/* The string so far, decoded, as far as it is certain. False when memory ran out. */
static bool live_decode(answer_live *live, const char *stop)
{
    const loose_string *string = &live->r.string;
    const char *p = string->from + live->decoded;
    char *to = LIST_ROOM(&live->text, &live->r.doc->alloc, (size_t)(stop - p) + 4);
    if (!to)
        return false;
    while (p < stop && !live->literal) {
        const char *mark = (const char *)memchr(p, '\\', (size_t)(stop - p));
        size_t plain = (size_t)((mark ? mark : stop) - p);
        memcpy(to, p, plain);
        to += plain;
        p += plain;
        if (!mark)
            break;
        uint32_t code;
        size_t used;
        lex_fault fault = lex_read_escape(p, stop, &code, &used);
        bool unicode = stop - p > 1 && p[1] == 'u';
        bool cut = stop - p < (unicode ? 6 : 2) ||
                   (fault == LEX_LONE_SURROGATE && stop - p < 12);
        if (cut && stop == string->scan)
            break;
        live->literal = fault == LEX_BAD_ESCAPE;
        if (live->literal)
            break;
        to += utf8_encode(code, to);
        p += used;
    }
    live->decoded = (size_t)(p - string->from);
    live->text.count = (size_t)(to - live->text.at);
    return true;
}

/* Puts the string that is arriving on the tape. */
static bool live_show_string(answer_live *live)
{
    loose *r = &live->r;
    const loose_string *string = &r->string;
    const char *stop = string->scan < r->limit ? string->scan : r->limit;
    pith_text said = text_between(string->from, stop);
    if (live->shown != string->from - r->start) {
        live->shown = string->from - r->start;
        live->decoded = live->text.count = 0;
        live->literal = false;
    }
    if (string->escapes && !live_decode(live, stop))
        return false;
    if (string->escapes && !live->literal)
        said = text_of(live->text.at, live->text.count);
    if (said.len > SLOT_TEXT_MOST)
        return true;
    if (r->has_key && !build_unshaped_key(r->doc, r->key.flags, r->key.text, r->key.len))
        return false;
    uint8_t flags = SLOT_ESCAPE | SLOT_WIDE | SLOT_NEAR_END | SLOT_PARTIAL;
    live->string =
        build_text(r->doc, PITH_STRING, flags, said.ptr, said.len) == BUILD_DONE;
    return live->string;
}

/* Gives everything that is open an end. False when memory ran out. */
static bool live_seal(answer_live *live)
{
    loose *r = &live->r;
    pith_doc *doc = r->doc;
    live->count = doc->count;
    live->keys = doc->unshaped_count;
    live->string = false;
    live->sealed = true;
    bool value = r->has_key ||
                 (doc->open != SLOT_NONE && doc->slots[doc->open].kind == PITH_ARRAY);
    if (live->phase == LIVE_INSIDE && r->in_string && value && !live_show_string(live))
        return false;
    if (!doc_reserve(doc, doc->depth) || !shapes_list(&doc->shapes, SHAPE_EMPTY))
        return false;
    const pith_key *keys = doc->unshaped + doc->unshaped_count;
    for (uint32_t at = doc->open; at != SLOT_NONE; at = doc->slots[at].u.link.parent) {
        pith_slot *slot = &doc->slots[at];
        if (slot->kind == PITH_OBJECT && slot->n == 0) {
            slot->shape =
                SHAPE_EMPTY; /* only objects with keys may have a list of them */
        } else if (slot->kind == PITH_OBJECT) {
            keys -= slot->n;
            pith_slot *end = &doc->slots[doc->count++];
            slot_set(end, PITH_NULL, 0, NULL, slot->n);
            end->kind = SLOT_KEYS;
            end->u.keys = keys;
        }
        slot->flags |= SLOT_PARTIAL;
        slot->u.link.next = (uint32_t)doc->count;
    }
    return true;
}

static void live_unseal(answer_live *live)
{
    pith_doc *doc = live->r.doc;
    if (!live->sealed)
        return;
    live->sealed = false;
    doc->count = live->count;
    doc->unshaped_count = live->keys;
    if (live->string)
        doc->slots[doc->open].n--;
    for (uint32_t at = doc->open; at != SLOT_NONE; at = doc->slots[at].u.link.parent) {
        doc->slots[at].shape = SHAPE_NONE;
        doc->slots[at].flags &= (uint8_t)~SLOT_PARTIAL;
        doc->slots[at].u.link.next = SLOT_NONE;
    }
}

/* --------------------------------------------------------------------- the beginning */

typedef enum live_found {
    FOUND_NOTHING, /* go on after it */
    FOUND_WAIT,    /* more bytes are needed */
    FOUND_DATA,    /* it begins there */
    FOUND_OTHER    /* a notation that is not read while it arrives */
} live_found;

/* Whether data begins at the bracket `p`; `sure`: if it is any, it does. */
static live_found live_bracket(const char *p, const char *end, bool sure)
{
    const char *n = scan_spaces(p + 1, end);
    const char *digits = scan_digits(n, end);
    if (n == end || digits == end)
        return FOUND_WAIT;
    if (digits > n &&
        (*digits == '{' || (*p == '[' && *digits == ']' && digits + 1 == end)))
        return *digits == '{' ? FOUND_OTHER : FOUND_WAIT;
    if (answer_is_header(p, end))
        return FOUND_OTHER;
    if (strchr("\"'{[", *n))
        return FOUND_DATA;
    return sure ? FOUND_DATA : FOUND_NOTHING;
}

/* What is in a fence or a tag, from `*p` on. */
static live_found live_inside(const char **p, const char *end)
{
    *p = scan_spaces(*p, end);
    if (*p == end)
        return FOUND_WAIT;
    return **p == '{' || **p == '[' ? live_bracket(*p, end, true) : FOUND_NOTHING;
}

static live_found live_fence(answer_live *live, const char **at, const char *end)
{
    const char *p = *at;
    size_t run = answer_run(p, end, *p);
    const char *word = p + run;
    p = word;
    while (p < end && answer_is_word(*p))
        p++;
    if (p == end)
        return FOUND_WAIT;
    if (run < 3 || answer_is_program(text_between(word, p))) {
        live->fence = run < 3 ? '\0' : **at;
        *at = p;
        return FOUND_NOTHING;
    }
    const codec *named = answer_format_of(text_between(word, p));
    *at = p;
    return named && strcmp(named->info.name, "ndjson") != 0 ? FOUND_OTHER
                                                            : live_inside(at, end);
}

static live_found live_tag(answer_live *live, const char **at, const char *end)
{
    const char *name = *at + 1;
    const char *limit = end - name > LIVE_TAG_MOST ? name + LIVE_TAG_MOST : end;
    const char *p = name;
    while (p < limit && *p != '>' && *p != '<' && *p != '\n')
        p++;
    if (p == end)
        return FOUND_WAIT;
    if (p == limit || *p != '>' || p == name) {
        *at = name;
        return FOUND_NOTHING;
    }
    *at = p + 1;
    for (size_t i = 0; i < 3 && !live->prose; i++)
        if (text_is(text_between(name, p), thoughts[i]))
            live->thought = thoughts[i];
    return live->thought ? FOUND_NOTHING : live_inside(at, end);
}

/* Passes over what ends with `mark`; false when that has not come. */
static bool live_pass(const char **at, const char *end, const char *mark)
{
    size_t len = strlen(mark);
    for (const char *p = *at; end - p >= (ptrdiff_t)len; p++) {
        p = (const char *)memchr(p, *mark, (size_t)(end - p) - len + 1);
        if (!p)
            break;
        if (memcmp(p, mark, len) == 0) {
            *at = p + len;
            return true;
        }
    }
    *at = end - *at >= (ptrdiff_t)len ? end - len + 1 : *at;
    return false;
}

/* Passes over thoughts and programs; false when their end has not come. */
static bool live_pass_all(answer_live *live, const char **p, const char *end)
{
    char mark[16] = "</";
    char fence[] = {'\n', live->fence, live->fence, live->fence, '\0'};
    if (live->thought) {
        memcpy(mark + 2, live->thought, strlen(live->thought) + 1);
        mark[2 + strlen(live->thought)] = '>';
        if (!live_pass(p, end, mark))
            return false;
        live->thought = NULL;
    }
    if (live->fence && !live_pass(p, end, fence))
        return false;
    live->fence = '\0';
    return true;
}

/* Whether only a few spaces are before it on its line. */
static bool live_begins_line(const char *start, const char *p)
{
    const char *least = p - start > 8 ? p - 8 : start;
    while (p > least && (p[-1] == ' ' || p[-1] == '\t'))
        p--;
    return p == start || p[-1] == '\n';
}

/* Looks for the beginning of the data from `*at` on, and leaves it there. */
static live_found live_search(answer_live *live, const char **at, const char *end)
{
    const char *p = *at;
    live_found found = FOUND_NOTHING;
    while (found == FOUND_NOTHING && live_pass_all(live, &p, end) && p < end) {
        bool line = !live->prose || live_begins_line(live->r.start, p);
        const char *from = p;
        if (*p == '{' || *p == '[') {
            found = live_bracket(p, end, line);
            p += found == FOUND_NOTHING;
        } else if (*p == '`' || *p == '~') {
            found = live_fence(live, &p, end);
        } else if (*p == '<') {
            found = live_tag(live, &p, end);
        } else {
            live->prose = live->prose || !scan_is_space((unsigned char)*p);
            p++;
        }
        if (found == FOUND_WAIT)
            p = from;
    }
    *at = p;
    return found;
}

/* -------------------------------------------------------------------------- feeding */

void answer_live_open(answer_live *live, pith_doc *doc, const settings *set)
{
    memset(live, 0, sizeof *live);
    live->r.doc = doc;
    live->allowed = answer_allowed(set);
    live->r.replace = settings_number(set, ANSWER_SURROGATES) == 1;
    live->shown = -1;
    if (settings_number(set, ANSWER_PICK) != PICK_FIRST)
        live->phase = LIVE_OVER;
}

void answer_live_free(answer_live *live)
{
    LIST_FREE(&live->text, &live->r.doc->alloc);
    LIST_FREE(&live->mends.list, &live->r.doc->alloc);
}

void answer_live_move(answer_live *live, const char *from, const char *to)
{
    loose *r = &live->r;
    const char **const all[] = {&live->s.p, &live->s.comma, &r->string.from,
                                &r->string.scan, &r->string.inner};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (*all[i])
            *all[i] = to + (*all[i] - from);
}

/* The root has ended at `p`. Another value right after it makes them an array, which is seen
 * when the answer has ended. */
static void live_after(answer_live *live, const char *p, const char *end)
{
    p = scan_spaces(p, end);
    live->finished = p == end || (*p != '{' && *p != '[' && *p != ',');
    live->phase = p == end ? LIVE_AFTER : LIVE_OVER;
}

static bool live_is_allowed(const answer_live *live, size_t mends)
{
    for (; mends < live->mends.list.count; mends++)
        if (answer_mend_level(live->mends.list.at[mends].id) > live->allowed)
            return false;
    return live->mends.more == 0 || live->mends.more_level <= live->allowed;
}

/* Takes a step. What it made is taken back if that was not allowed. */
static loose_end live_step(answer_live *live)
{
    pith_doc *doc = live->r.doc;
    size_t mends = live->mends.list.count;
    size_t count = doc->count;
    size_t keys = doc->unshaped_count;
    uint32_t open = doc->open;
    uint32_t n = open == SLOT_NONE ? 0 : doc->slots[open].n;
    loose_end end = loose_go(&live->r, &live->s);
    if (end == LOOSE_MORE || live_is_allowed(live, mends))
        return end;
    if (open != SLOT_NONE && doc->open == open) {
        doc->count = count;
        doc->unshaped_count = keys;
        doc->slots[open].n = n;
    }
    return LOOSE_BAD;
}

/* Takes steps, as many as the bytes tell. */
static void live_go(answer_live *live)
{
    const loose *r = &live->r;
    loose_end end = LOOSE_GOES_ON;
    while (end == LOOSE_GOES_ON) {
        end = live_step(live);
        if (end == LOOSE_GOES_ON && r->doc->count > 0)
            live->complete = r->doc->slots[0].n - (r->doc->depth > 1);
    }
    if (end == LOOSE_DONE)
        live_after(live, live->s.p, r->limit);
    else if (end != LOOSE_MORE)
        live->phase = LIVE_OVER;
}

/* Where what waits for more bytes begins. */
static const char *live_waiting(const answer_live *live)
{
    if (live->phase == LIVE_SEARCH)
        return live->r.start + live->look;
    return live->r.in_string ? live->r.string.scan : live->s.p;
}

static void live_read(answer_live *live)
{
    loose *r = &live->r;
    if (live->phase == LIVE_SEARCH) {
        const char *p = r->start + live->look;
        live_found found = live_search(live, &p, r->limit);
        live->look = (size_t)(p - r->start);
        if (found == FOUND_OTHER)
            live->phase = LIVE_OVER;
        if (found == FOUND_DATA) {
            live->phase = LIVE_INSIDE;
            loose_begin(r, &live->s, p);
        }
    }
    if (live->phase == LIVE_INSIDE)
        live_go(live);
    else if (live->phase == LIVE_AFTER)
        live_after(live, live->s.p, r->limit);
    size_t waits = (size_t)(r->limit - live_waiting(live));
    live->wake = (size_t)(r->limit - r->start) + (waits > LIVE_AT_ONCE ? waits / 8 : 0);
}

/* Checks the bytes that came; the end of what is UTF-8. What is no UTF-8 ends the view. */
static const char *live_checked(answer_live *live, pith_text all)
{
    const char *from = all.ptr + live->checked;
    size_t len = all.len - live->checked;
    size_t good = utf8_find_invalid(from, len);
    if (len - good > 3)
        live->phase = LIVE_OVER;
    live->checked += good;
    return from + good;
}

pith_status answer_live_feed(answer_live *live, pith_text all)
{
    loose *r = &live->r;
    live_unseal(live);
    if (live->phase == LIVE_OVER)
        return live_seal(live) ? PITH_OK : PITH_NO_MEMORY;
    text_reader *in = &r->in;
    report_init(&live->report, all);
    in->report = &live->report;
    in->start = all.ptr;
    in->end = r->limit = live_checked(live, all);
    in->waits = in->keep_key_places = true;
    r->mends = &live->mends;
    if (live->look == 0)
        live->look = utf8_bom(all.ptr, all.len);
    if (live->phase != LIVE_OVER && (size_t)(r->limit - r->start) >= live->wake)
        live_read(live);
    pith_status status = report_result(&live->report, NULL);
    if (status != PITH_OK)
        live->phase = LIVE_OVER;
    if (status == PITH_NO_MEMORY || !live_seal(live))
        return PITH_NO_MEMORY;
    return PITH_OK;
}
