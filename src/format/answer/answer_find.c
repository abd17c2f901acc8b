/*
 * answer_find.c - where in an answer the data is, and which of it is taken.
 *
 * The text is looked at from the likely to the unlikely, and the first way that finds
 * anything is the one that counts:
 *
 *     whole    all of it is data
 *     blocks   fences and tags, whose words may name the format
 *     prose    values in the text, a notation of ours after a label, a Markdown table
 *
 * What a block holds is looked at like an answer of its own. In prose a bracket is tried as
 * the beginning of a value. What was tried in vain is read again, which is bounded: after so
 * many bytes the search goes on where the last try has come, so time is linear.
 *
 * Finds are collected in an array at the root of the tape; one find alone takes its place at
 * the end. A try that fails leaves the tape as it was (answer_mark).
 */
#include "base/lex.h"
#include "base/utf8.h"
#include "format/answer/answer.h"
#include "format/read.h"

enum { FIND_AGAIN = 4, FIND_TRIES = 64 };

/* Why the best of what was found cannot be read. */
typedef struct answer_trouble {
    int weight; /* 0: there is none */
    size_t offset;
    const char *code;
    char message[sizeof((pith_error *)0)->message];
} answer_trouble;

/* The state of the document before a try. */
typedef struct answer_mark {
    size_t count;
    size_t unshaped;
    size_t depth;
    size_t mends;
    size_t more;
    answer_level more_level;
    uint32_t open;
    uint32_t children;
    bool duplicates;
} answer_mark;

typedef struct answer_finder {
    decode_job *job;
    pith_doc *doc;
    loose r;
    answer_mends mends;
    answer_level allowed;
    unsigned pick;
    size_t finds;
    size_t work; /* bytes that may still be read again */
    answer_trouble trouble;
    answer_mark last; /* before the last find */
} answer_finder;

static answer_mark answer_here(const answer_finder *a)
{
    const pith_doc *doc = a->doc;
    answer_mark mark = {
        doc->count,          doc->unshaped_count,     doc->depth,
        a->mends.list.count, a->mends.more,           a->mends.more_level,
        doc->open,           doc->slots[doc->open].n, doc->has_duplicates};
    return mark;
}

static void answer_back(answer_finder *a, const answer_mark *mark)
{
    pith_doc *doc = a->doc;
    doc->count = mark->count;
    doc->unshaped_count = mark->unshaped;
    doc->depth = mark->depth;
    doc->open = mark->open;
    doc->slots[doc->open].n = mark->children;
    doc->has_duplicates = mark->duplicates;
    a->mends.list.count = mark->mends;
    a->mends.more = mark->more;
    a->mends.more_level = mark->more_level;
}

static bool answer_stopped(const answer_finder *a)
{
    return read_stopped(&a->r.in) || a->job->report->count > 0;
}

/* --------------------------------------------------------------------------- trouble */

enum { TROUBLE_TRIED = 1, TROUBLE_BROKEN, TROUBLE_NEEDS_MEND };

static void answer_note(answer_finder *a, int weight, size_t offset, const char *code,
                        const char *format, ...) ERROR_FORMAT(5, 6);

static void answer_note(answer_finder *a, int weight, size_t offset, const char *code,
                        const char *format, ...)
{
    answer_trouble *trouble = &a->trouble;
    if (trouble->weight >= weight)
        return;
    trouble->weight = weight;
    trouble->offset = offset;
    trouble->code = code;
    va_list args;
    va_start(args, format);
    size_t used = print_list(trouble->message, sizeof trouble->message, format, args);
    va_end(args);
    trouble->message[utf8_find_invalid(trouble->message, used)] = '\0';
}

typedef struct mend_words {
    const char *code;
    const char *what;
    const char *how;
} mend_words;

static mend_words answer_words(answer_mend_id id)
{
    static const mend_words all[] = {
#define ANSWER_MEND_WORDS(id, code, level, what, how) {code, what, how},
        ANSWER_MENDS(ANSWER_MEND_WORDS)
#undef ANSWER_MEND_WORDS
    };
    return all[id];
}

/* The highest level of the mends since the mark. */
static answer_level answer_level_since(const answer_finder *a, const answer_mark *mark)
{
    answer_level level = a->mends.more > mark->more ? a->mends.more_level : MEND_NONE;
    for (size_t i = mark->mends; i < a->mends.list.count; i++) {
        answer_level one = answer_mend_level(a->mends.list.at[i].id);
        level = one > level ? one : level;
    }
    return level;
}

static const char mend_is_needed[] = "%s would have to be %s; mend=%s does that";

static const char *mend_allowing(const answer_mend *mend)
{
    return answer_mend_level(mend->id) == MEND_SAFE ? "safe" : "all";
}

/* Notes that one of the mends since the mark is not allowed. */
static void answer_note_mend(answer_finder *a, const answer_mark *mark)
{
    for (size_t i = mark->mends; i < a->mends.list.count; i++) {
        const answer_mend *mend = &a->mends.list.at[i];
        answer_level level = answer_mend_level(mend->id);
        if (level > a->allowed) {
            mend_words said = answer_words(mend->id);
            answer_note(a, TROUBLE_NEEDS_MEND, mend->offset, said.code, mend_is_needed,
                        said.what, said.how, mend_allowing(mend));
            return;
        }
    }
}

/* ----------------------------------------------------------------------------- finds */

/* A find has been read since the mark. */
static void answer_count(answer_finder *a, const answer_mark *mark)
{
    assert(a->doc->open == 0 && mark->open == 0);
    a->finds++;
    a->last = *mark;
}

static bool answer_has_enough(const answer_finder *a)
{
    return a->pick == PICK_FIRST && a->finds > 0;
}

/* What a try at a value came to. */
typedef enum try_result {
    TRY_GOOD,    /* a value, and all mends are allowed */
    TRY_GUESS,   /* the same, with guesses among them */
    TRY_WEAK,    /* a value that may be no data: [] or [1] in a sentence */
    TRY_REFUSED, /* a value, if more mends were allowed; noted */
    TRY_BROKEN,  /* it is data and cannot be read; noted */
    TRY_NOTHING,
    TRY_STOPPED
} try_result;

static bool answer_is_weak(const answer_finder *a, size_t at)
{
    const pith_slot *slot = &a->doc->slots[at];
    if (!slot_is_container(slot))
        return false;
    const pith_slot *first = slot + 1;
    return slot->n == 0 || (slot->n == 1 && slot->kind == PITH_ARRAY &&
                            (first->kind == PITH_INTEGER || first->kind == PITH_DECIMAL));
}

static void answer_note_bad(answer_finder *a, int weight)
{
    const loose *r = &a->r;
    error_excerpt found = error_quote(
        r->bad, (size_t)(r->limit - r->bad) > 20 ? 20 : (size_t)(r->limit - r->bad));
    answer_note(a, weight, read_at(&r->in, r->bad), r->bad_code, "%s, found '%s'",
                r->bad_why, found.text);
}

/* Whether what could not be read is data all the same, which must not be taken apart. */
static bool answer_is_data(const answer_finder *a, const answer_mark *mark)
{
    return a->r.named > 0 || a->doc->count > mark->count + 2;
}

/* Reads one value at `*at`; a string of the text must be the whole of it. */
static try_result answer_try_value(answer_finder *a, const char **at, bool first)
{
    answer_mark mark = answer_here(a);
    loose_end end = loose_read(&a->r, at);
    if (end == LOOSE_STOP)
        return TRY_STOPPED;
    bool data = answer_is_data(a, &mark);
    try_result result = TRY_GOOD;
    if (end == LOOSE_CUT) {
        bool value = a->doc->count > mark.count;
        if (!value || (!first && !data && a->doc->count < mark.count + 2)) {
            answer_back(a, &mark);
            return TRY_NOTHING;
        }
        if (!loose_complete(&a->r))
            return TRY_STOPPED;
    } else if (end == LOOSE_BAD) {
        if (data || first)
            answer_note_bad(a, data ? TROUBLE_BROKEN : TROUBLE_TRIED);
        result = data ? TRY_BROKEN : TRY_NOTHING;
    }
    answer_level level = answer_level_since(a, &mark);
    if (result == TRY_GOOD && level > a->allowed) {
        answer_note_mend(a, &mark);
        result = TRY_REFUSED;
    } else if (result == TRY_GOOD && level == MEND_ALL) {
        result = TRY_GUESS;
    } else if (result == TRY_GOOD && answer_is_weak(a, mark.count)) {
        result = TRY_WEAK;
    }
    if (result == TRY_BROKEN || result == TRY_NOTHING || result == TRY_REFUSED)
        answer_back(a, &mark);
    return result;
}

static try_result try_worse(try_result a, try_result b)
{
    return a > b ? a : b;
}

/* Reads the value at `*at` and those that follow it with nothing but white space between,
 * or with commas, which is a guess: then they are one find, an array. */
static try_result answer_try_values(answer_finder *a, const char **at, bool first)
{
    answer_mark mark = answer_here(a);
    const char *from = *at;
    const char *const end = a->r.limit;
    try_result result = answer_try_value(a, at, first);
    if (result > TRY_WEAK)
        return result;
    const char *next = scan_spaces(*at, end);
    bool comma = next < end && *next == ',' && answer_is_open(from, end);
    next = comma ? scan_spaces(next + 1, end) : next;
    if (!answer_is_open(next, end) || *next != *from)
        return result;
    const char *one_end = *at;
    answer_back(a, &mark);
    if (comma)
        loose_mend(&a->r, from, MEND_NO_BRACKETS);
    if (!read_open(&a->r.in, PITH_ARRAY, from))
        return TRY_STOPPED;
    *at = from;
    size_t count = 0;
    const char *after = from;
    for (next = from; answer_is_open(next, end) && *next == *from; count++) {
        *at = next;
        try_result one = answer_try_value(a, at, first);
        if (one == TRY_STOPPED)
            return one;
        if (one > TRY_WEAK)
            break;
        result = try_worse(result, one == TRY_WEAK ? TRY_GOOD : one);
        after = *at;
        next = scan_spaces(after, end);
        if (comma && next < end && *next == ',')
            next = scan_spaces(next + 1, end);
    }
    *at = after;
    if (count > 1) {
        bool fine = read_built(&a->r.in, build_close(a->doc), from);
        answer_level level = answer_level_since(a, &mark);
        if (fine && level <= a->allowed)
            return level == MEND_ALL ? TRY_GUESS : result == TRY_WEAK ? TRY_GOOD : result;
        if (!fine)
            return TRY_STOPPED;
        answer_note_mend(a, &mark);
    }
    answer_back(a, &mark);
    *at = from;
    result = answer_try_value(a, at, first);
    assert(*at == one_end);
    (void)one_end;
    return result;
}

/* ------------------------------------------------------------------- other notations */

/* What is read in another notation, and what is wrong with it. */
typedef struct answer_notation_read {
    answer_finder *finder;
    pith_error why; /* the first problem that is none that can be mended */
} answer_notation_read;

/* A problem in such a text. Wrong counts and widths are mended, and reading goes on. */
static bool answer_forgives(void *ctx, const pith_error *problem)
{
    answer_notation_read *read = (answer_notation_read *)ctx;
    answer_finder *a = read->finder;
    bool count = strcmp(problem->code, "count_mismatch") == 0;
    if (!count && strcmp(problem->code, "row_width_mismatch") != 0) {
        read->why = *problem;
        return false;
    }
    loose_mend(&a->r, a->r.start + problem->offset, count ? MEND_COUNT : MEND_ROW);
    return true;
}

/* Reads the text as that format and copies what it holds to the tape. */
static pith_status answer_read_own(answer_notation_read *read, pith_doc *own,
                                   pith_text text, const codec *format, const char *words)
{
    answer_finder *a = read->finder;
    reporter *report = a->job->report;
    reporter sub;
    settings set;
    report_init(&sub, text);
    sub.callback = answer_forgives;
    sub.ctx = read;
    sub.keeps_rows = true;
    if (doc_is_input(report->input, text.ptr))
        sub.start = report_place(report, (size_t)(text.ptr - report->input.ptr));
    pith_status status = settings_read(&set, &format->info, PITH_READ, words, &read->why);
    assert(status == PITH_OK);
    decode_job inner = {own, text, &set, &sub, a->job->meter};
    read_whole(format, &inner);
    status = read->why.status;
    if (status == PITH_OK && report_result(&sub, NULL) == PITH_NO_MEMORY)
        status = PITH_NO_MEMORY;
    if (status == PITH_OK && (own->count == 0 || own->open != SLOT_NONE)) {
        status = report_result(&sub, &read->why); /* nothing came of mending */
        assert(status != PITH_OK);
    }
    if (status == PITH_OK)
        read_built(&a->r.in, build_copy(a->doc, own, 0), text.ptr);
    else if (status == PITH_NO_MEMORY)
        report_no_memory(report);
    else if (status == PITH_LIMIT)
        report_problem(report, status, read->why.code, read->why.offset, "%s",
                       read->why.message);
    return status;
}

/* Reads the text as that format; a good one is a find. */
static bool answer_try_format(answer_finder *a, pith_text text, const codec *format,
                              const char *words, pith_error *why)
{
    answer_mark mark = answer_here(a);
    answer_notation_read read = {.finder = a};
    pith_options options = {.alloc = a->doc->alloc, .depth_max = a->doc->depth_max - 1};
    pith_doc *own = pith_doc_new(&options);
    if (!own) {
        report_no_memory(a->job->report);
        return false;
    }
    pith_status status = answer_read_own(&read, own, text, format, words);
    *why = read.why;
    pith_doc_free(own);
    if (answer_stopped(a))
        return false;
    if (status == PITH_OK && answer_level_since(a, &mark) <= a->allowed) {
        answer_count(a, &mark);
        return true;
    }
    if (status == PITH_OK)
        answer_note_mend(a, &mark);
    answer_back(a, &mark);
    return false;
}

/* A text in Pith that was cut off, with what it lacks: a quote, and brackets for all that are
 * open, outermost last. Nothing when the brackets do not fit; NULL when memory ran out. */
static pith_text answer_completed(answer_finder *a, pith_text text)
{
    size_t most = 2 * text.len + 2;
    char *room = arena_take(&a->doc->arena, most);
    if (!room) {
        report_no_memory(a->job->report);
        return text_of(NULL, 0);
    }
    char *open = room + most; /* what closes those that are open, innermost first */
    const char *const end = text.ptr + text.len;
    const char *p = text.ptr;
    bool quoted = false;
    for (; p < end; p++)
        if (*p == '\\' && quoted)
            p++;
        else if (*p == '"')
            quoted = !quoted;
        else if (!quoted && (*p == '{' || *p == '['))
            *--open = *p == '{' ? '}' : ']';
        else if (!quoted && (*p == '}' || *p == ']') &&
                 (open == room + most || *open++ != *p))
            return text_of("", 0);
    size_t closing = (size_t)(room + most - open);
    size_t len = text.len - (p > end); /* without a backslash that stands alone */
    memcpy(room, text.ptr, len);
    if (quoted)
        room[len++] = '"';
    room[len++] = '\n';
    memmove(room + len, open, closing);
    return text_of(room, closing > 0 ? len + closing : 0);
}

/* Reads a text in Pith as if it had not been cut off. */
static bool answer_read_cut(answer_finder *a, pith_text text, const codec *format)
{
    pith_error why;
    answer_mark mark = answer_here(a);
    const char *packed = a->r.packed;
    pith_text whole = answer_completed(a, text);
    if (whole.len == 0)
        return false;
    loose_mend(&a->r, text.ptr + text.len, MEND_CUT);
    a->r.packed = packed ? packed : text.ptr + text.len;
    answer_level allowed = a->allowed;
    a->allowed = MEND_ALL; /* what is allowed is asked below */
    bool fine = answer_try_format(a, whole, format, NULL, &why);
    a->allowed = allowed;
    a->r.packed = packed;
    if (fine && a->allowed < MEND_ALL) {
        answer_note_mend(a, &mark);
        a->finds--;
        fine = false;
    }
    if (!fine && !answer_stopped(a))
        answer_back(a, &mark);
    return fine;
}

/* The same for any format, cut off or not. */
static bool answer_read_format(answer_finder *a, pith_text text, const codec *format,
                               bool sure)
{
    pith_error why;
    if (answer_try_format(a, text, format, NULL, &why))
        return true;
    if (answer_stopped(a))
        return false;
    bool cut = strcmp(format->info.name, "pith") == 0 && why.code &&
               (strcmp(why.code, "unclosed") == 0 ||
                strcmp(why.code, "unterminated_quote") == 0) &&
               answer_has_table(text); /* else it may as well be JSON */
    if (cut && (answer_read_cut(a, text, format) || answer_stopped(a)))
        return !answer_stopped(a);
    if (sure && why.code)
        answer_note(a, TROUBLE_BROKEN, why.offset, why.code, "%s", why.message);
    return false;
}

/* ----------------------------------------------------------------------------- prose */

/* A bracket that is worth coming back to. */
typedef struct answer_later {
    const char *weak;
    const char *guess;
    const char *doubtful; /* data that is passed over if anything better is found */
} answer_later;

static void answer_keep_later(answer_later *later, try_result result, const char *at)
{
    if (result == TRY_WEAK && !later->weak)
        later->weak = at;
    if (result == TRY_GUESS && !later->guess)
        later->guess = at;
    if (result == TRY_GUESS)
        later->doubtful = at;
}

/* Tries every bracket of the text. False when it holds data that cannot be read. */
static bool answer_scan(answer_finder *a, pith_text text, answer_later *later)
{
    const char *const end = text.ptr + text.len;
    const char *p = text.ptr;
    while (p < end && !answer_has_enough(a)) {
        if (!answer_is_open(p, end)) {
            p++;
            continue;
        }
        answer_mark mark = answer_here(a);
        const char *at = p;
        try_result result = answer_try_values(a, &at, p == text.ptr);
        size_t used = (size_t)(at - p);
        switch (result) {
        case TRY_GOOD:
            if (later->doubtful)
                loose_mend(&a->r, later->doubtful, MEND_PASSED);
            later->doubtful = NULL;
            answer_count(a, &mark);
            p = at;
            break;
        case TRY_WEAK:
        case TRY_GUESS:
            answer_back(a, &mark);
            answer_keep_later(later, result, p);
            p = at;
            break;
        case TRY_REFUSED:
            later->doubtful = p;
            p = at;
            break;
        case TRY_NOTHING:
            p = a->work < used ? at : p + 1;
            a->work -= a->work < used ? a->work : used;
            p = p > end ? end : p;
            break;
        case TRY_BROKEN:
        case TRY_STOPPED:
            return false;
        }
        p += p < at && a->work == 0 ? 1 : 0;
    }
    return true;
}

/* Reads what was found on the way and is all there is. */
static void answer_come_back(answer_finder *a, const char *at, const char *first)
{
    answer_mark mark = answer_here(a);
    const char *from = at;
    if (answer_try_values(a, &at, from == first) <= TRY_WEAK)
        answer_count(a, &mark);
}

/* A text in one of our notations, somewhere among the lines. */
static bool answer_scan_notations(answer_finder *a, pith_text text)
{
    const char *const end = text.ptr + text.len;
    size_t tries = 0;
    for (const char *p = text.ptr; p < end && tries < FIND_TRIES;) {
        pith_text rest = text_between(p, end);
        bool begins = answer_is_header(p, end) || text_begins(rest, "GCF ");
        const codec *format = begins ? answer_notation(rest, false) : NULL;
        const char *stop = format ? answer_paragraph_end(p, end) : p;
        tries += format != NULL;
        if (format && (answer_read_format(a, text_between(p, stop), format, true) ||
                       answer_stopped(a)))
            return true;
        p = format ? stop : answer_line_end(p, end);
        p += p < end;
    }
    return false;
}

/* Markdown tables: as CSV, which has types. */
static void answer_scan_tables(answer_finder *a, pith_text text)
{
    const char *const end = text.ptr + text.len;
    const char *p = text.ptr;
    while (p < end && !answer_has_enough(a) && !answer_stopped(a)) {
        const char *from = p;
        const char *bad_row = NULL;
        pith_text table = answer_table(&a->doc->arena, &p, end, &bad_row);
        if (!table.ptr) {
            report_no_memory(a->job->report);
            return;
        }
        if (table.len == 0) {
            p = answer_line_end(p, end);
            p += p < end;
            continue;
        }
        answer_mark mark = answer_here(a);
        pith_error why;
        if (bad_row) {
            loose_mend(&a->r, bad_row, MEND_ROW);
            if (a->allowed < MEND_ALL) {
                answer_note_mend(a, &mark);
                answer_back(a, &mark);
                continue;
            }
        }
        if (!answer_try_format(a, table, format_find("csv"), "delimiter=comma", &why))
            answer_note(a, TROUBLE_BROKEN, read_at(&a->r.in, from), why.code, "%s",
                        why.message);
    }
}

/* A text that is one strict scalar of JSON, or a string of JSON that holds data. */
static bool answer_read_scalar(answer_finder *a, pith_text text)
{
    const char *at = text.ptr;
    answer_mark mark = answer_here(a);
    const codec *json = format_find("json");
    if (text.len == 0 || answer_is_open(at, at + 1) || !json->sniff(text))
        return false;
    if (loose_read(&a->r, &at) != LOOSE_DONE || at != text.ptr + text.len ||
        answer_level_since(a, &mark) > MEND_NONE) {
        if (!answer_stopped(a))
            answer_back(a, &mark);
        return false;
    }
    answer_count(a, &mark);
    return true;
}

/* Members of an object that has no brackets; none of them is taken for the whole. */
static bool answer_read_members(answer_finder *a, pith_text text)
{
    const char *const end = text.ptr + text.len;
    const char *at =
        text.len > 0 && *text.ptr == '"' ? lex_skip_quoted(text.ptr, end) : end;
    at = at ? scan_spaces(at, end) : end;
    if (at == end || *at != ':')
        return false;
    answer_mark mark = answer_here(a);
    at = text.ptr;
    loose_mend(&a->r, at, MEND_NO_BRACKETS);
    loose_end result = loose_read_members(&a->r, &at, false);
    if (result == LOOSE_STOP || (result == LOOSE_CUT && !loose_complete(&a->r)))
        return true;
    bool fine = (result == LOOSE_DONE || result == LOOSE_CUT) && at == end;
    if (fine && a->allowed == MEND_ALL)
        answer_count(a, &mark);
    else if (fine)
        answer_note_mend(a, &mark);
    if (a->allowed < MEND_ALL || !fine)
        answer_back(a, &mark);
    return fine;
}

static void answer_region(answer_finder *a, pith_text text, pith_text word, bool fenced);

/* A text in which quotes and lines are escaped: what it says, in the arena. */
static pith_text answer_unescaped(answer_finder *a, pith_text text)
{
    char *room = arena_take(&a->doc->arena, text.len + 1);
    if (!room) {
        report_no_memory(a->job->report);
        return text_of("", 0);
    }
    const char *at = text.ptr;
    const char *end = text.ptr + text.len;
    char *to = room;
    while (at < end) {
        to = lex_unescape(&at, end, LEX_LETTERS, to);
        if (at < end)
            *to++ = *at++;
    }
    return text_between(room, to);
}

/* Reads a text that is not in the input; all of it is at the place of `at`. */
static void answer_inner(answer_finder *a, pith_text text, const char *at)
{
    const char *stop = a->r.limit;
    bool outer = a->r.packed == NULL;
    if (outer)
        a->r.packed = at;
    answer_region(a, text, text_of("", 0), true);
    if (outer)
        a->r.packed = NULL;
    a->r.limit = stop;
}

/* A JSON string whose text is data; nested no deeper than a few times. */
static bool answer_read_string(answer_finder *a, pith_text text)
{
    if (text.len < 4 || *text.ptr != '"' || text.ptr[text.len - 1] != '"' || a->r.packed)
        return false;
    pith_text inside = text_of(text.ptr + 1, text.len - 2);
    const char *p = scan_spaces(inside.ptr, inside.ptr + inside.len);
    bool escaped = text_begins(text_between(p, inside.ptr + inside.len), "\\n");
    if (!escaped && !answer_is_open(p, inside.ptr + inside.len))
        return false;
    if (lex_skip_quoted(text.ptr, text.ptr + text.len) != text.ptr + text.len)
        return false;
    pith_text said = answer_trim(answer_unescaped(a, inside));
    if (!answer_is_open(said.ptr, said.ptr + said.len))
        return false;
    answer_inner(a, said, text.ptr);
    return true;
}

/* Data with a backslash before each quote: {\"a\": 1}. */
static bool answer_read_escaped(answer_finder *a, pith_text text)
{
    const char *quote = (const char *)memchr(text.ptr, '"', text.len);
    if (!quote || quote == text.ptr || quote[-1] != '\\' || a->r.packed)
        return false;
    answer_mark mark = answer_here(a);
    loose_mend(&a->r, quote, MEND_ESCAPED);
    if (a->allowed < MEND_ALL) {
        answer_note_mend(a, &mark);
        answer_back(a, &mark);
        return true;
    }
    size_t finds = a->finds;
    answer_inner(a, answer_unescaped(a, text), quote);
    if (a->finds == finds && !answer_stopped(a))
        answer_back(a, &mark);
    return true;
}

/* All of the text as JSON, to its end. */
static bool answer_read_all(answer_finder *a, pith_text text, answer_level most)
{
    if (!answer_is_open(text.ptr, text.ptr + text.len))
        return false;
    answer_mark mark = answer_here(a);
    const char *at = text.ptr;
    answer_level allowed = a->allowed;
    answer_trouble trouble = a->trouble;
    a->allowed = most < allowed ? most : allowed;
    try_result result = answer_try_values(a, &at, true);
    a->allowed = allowed;
    a->trouble = trouble; /* what is allowed is asked again */
    if (result == TRY_STOPPED)
        return false;
    bool whole = result <= TRY_WEAK && loose_skip(NULL, at, a->r.limit) == a->r.limit;
    if (whole)
        answer_count(a, &mark);
    else if (result <= TRY_WEAK)
        answer_back(a, &mark);
    return whole;
}

/* Looks for data in a text of which nothing is known but perhaps a word. */
static void answer_region(answer_finder *a, pith_text text, pith_text word, bool fenced)
{
    answer_later later = {NULL, NULL, NULL};
    const codec *named = answer_format_of(word);
    size_t finds = a->finds;
    text = answer_trim(text);
    a->r.limit = text.ptr + text.len;
    if (text.len == 0)
        return;
    if (named && answer_read_format(a, text, named, true))
        return;
    if (answer_stopped(a) || answer_read_all(a, text, MEND_SAFE) || answer_stopped(a))
        return;
    const codec *looks = named ? NULL : answer_notation(text, fenced);
    if (looks && answer_read_format(a, text, looks, true))
        return;
    if (answer_stopped(a) || answer_read_string(a, text) ||
        answer_read_escaped(a, text) || answer_read_scalar(a, text) ||
        answer_read_members(a, text) || answer_stopped(a))
        return;
    if (named && !answer_is_open(text.ptr, a->r.limit))
        return;
    if (answer_scan_notations(a, text))
        return;
    int weight = a->trouble.weight;
    bool goes_on = answer_scan(a, text, &later);
    if (weight >= TROUBLE_BROKEN)
        later.weak = NULL; /* the count of a table that cannot be read is no data */
    if (goes_on && a->finds == finds && later.guess && !answer_stopped(a))
        answer_come_back(a, later.guess, text.ptr);
    if (goes_on && a->finds == finds && !answer_stopped(a))
        answer_scan_tables(a, text);
    if (goes_on && a->finds == finds && later.weak && !answer_stopped(a))
        answer_come_back(a, later.weak, text.ptr);
}

/* ---------------------------------------------------------------------------- blocks */

static void answer_blocks(answer_finder *a, pith_text text, bool programs)
{
    const char *const end = text.ptr + text.len;
    const char *p = text.ptr;
    answer_ahead ahead = {p, answer_line_end(p, end), {SIZE_MAX, SIZE_MAX}};
    answer_block block;
    while (!answer_has_enough(a) && !answer_stopped(a) &&
           answer_next_block(&ahead, p, end, &block)) {
        p = block.after > p ? block.after : p + 1;
        if (answer_is_program(block.word) != programs)
            continue;
        size_t finds = a->finds;
        answer_mark mark = answer_here(a);
        answer_region(a, block.text, block.word, true);
        if (block.open && a->finds > finds && !answer_stopped(a)) {
            loose_mend(&a->r, end, MEND_FENCE);
            if (a->allowed < MEND_SAFE) {
                answer_note_mend(a, &mark);
                answer_back(a, &mark);
                a->finds = finds;
            }
        }
    }
}

/* ----------------------------------------------------------------------------- whole */

/* Lines that are quoted, without their marks, in the arena; empty when they are not. */
static pith_text answer_quoted_lines(answer_finder *a, pith_text text)
{
    const char *const end = text.ptr + text.len;
    char *room = NULL;
    char *to = NULL;
    for (const char *p = text.ptr; p < end;) {
        const char *feed = answer_line_end(p, end);
        const char *after = feed + (feed < end);
        if (*p == '>') {
            if (!room) {
                room = to = arena_take(&a->doc->arena, text.len + 1);
                if (!room) {
                    report_no_memory(a->job->report);
                    break;
                }
            }
            p += 1 + (p + 1 < feed && p[1] == ' ');
            memcpy(to, p, (size_t)(after - p));
            to += after - p;
        }
        p = after;
    }
    return text_between(room ? room : "", room ? to : "");
}

static void answer_search(answer_finder *a, pith_text text, bool again)
{
    pith_text whole = answer_trim(text);
    a->r.limit = whole.ptr + whole.len;
    if (answer_read_all(a, whole, MEND_SAFE) || answer_stopped(a))
        return;
    answer_blocks(a, whole, false);
    if (a->finds == 0 && !answer_stopped(a) && a->trouble.weight < TROUBLE_BROKEN)
        answer_blocks(a, whole, true);
    if (a->finds > 0 || answer_stopped(a) || a->trouble.weight >= TROUBLE_BROKEN)
        return;
    pith_text quoted = again ? text_of("", 0) : answer_quoted_lines(a, whole);
    if (quoted.len > 0 && !answer_stopped(a)) {
        a->r.packed = (const char *)memchr(whole.ptr, '>', whole.len);
        answer_search(a, quoted, true);
        a->r.packed = NULL;
    }
    if (a->finds == 0 && !answer_stopped(a))
        answer_region(a, whole, text_of("", 0), false);
}

/* ----------------------------------------------------------------------------- ending */

/* One find alone: the value at `at` takes the place of the array. */
static void answer_unwrap(pith_doc *doc, uint32_t at)
{
    size_t count = doc_after_at(doc, at) - at;
    memmove(doc->slots, doc->slots + at, count * sizeof *doc->slots);
    for (size_t i = 0; i < count; i++) {
        pith_slot *slot = &doc->slots[i];
        if (slot_is_container(slot)) {
            slot->u.link.next -= at;
            slot->u.link.parent = i == 0 ? SLOT_NONE : slot->u.link.parent - at;
        }
    }
    doc->count = count;
}

/* Leaves the find that is asked for, and what was mended in it. */
static void answer_take(answer_finder *a)
{
    pith_doc *doc = a->doc;
    uint32_t at = 1;
    if (a->pick == PICK_ALL)
        return;
    for (uint32_t next = 1; a->pick == PICK_LAST && next < doc->count;
         next = doc_after_at(doc, next))
        at = next;
    answer_unwrap(doc, at);
    if (a->finds < 2)
        return;
    size_t kept = a->mends.list.count - a->last.mends;
    if (kept > 0)
        memmove(a->mends.list.at, a->mends.list.at + a->last.mends,
                kept * sizeof *a->mends.list.at);
    a->mends.list.count = kept;
    a->mends.more -= a->last.more;
}

void answer_tell(reporter *report, const answer_mends *mends)
{
    for (size_t i = 0; i < mends->list.count; i++) {
        const answer_mend *mend = &mends->list.at[i];
        mend_words said = answer_words(mend->id);
        report_notice(report, said.code, mend->offset, "%s was %s", said.what, said.how);
    }
    if (mends->more > 0)
        report_notice(report, "more_mends", REPORT_NOWHERE,
                      "%zu more such mends were made", mends->more);
}

void answer_refuse_mend(reporter *report, const answer_mend *mend)
{
    mend_words said = answer_words(mend->id);
    report_bad(report, said.code, mend->offset, mend_is_needed, said.what, said.how,
               mend_allowing(mend));
}

answer_level answer_allowed(const settings *set)
{
    uint64_t mend = settings_number(set, ANSWER_MEND);
    return mend == ANSWER_MEND_SAFE   ? MEND_SAFE
           : mend == ANSWER_MEND_NONE ? MEND_NONE
                                      : MEND_ALL;
}

static void answer_finish(answer_finder *a)
{
    reporter *report = a->job->report;
    pith_doc *doc = a->doc;
    if (a->finds == 0) {
        const answer_trouble *why = &a->trouble;
        pith_text text = answer_trim(a->job->input);
        if (why->weight > 0)
            report_bad(report, why->code, why->offset, "%s", why->message);
        else if (text.len == 0)
            report_bad(report, "no_data", 0, "the answer is empty");
        else
            report_bad(report, "no_data", 0,
                       "there is no data in the answer, which begins '%s'",
                       error_quote(text.ptr, text.len).text);
        return;
    }
    if (!read_built(&a->r.in, build_close(doc), a->r.start))
        return;
    if (doc->has_duplicates && !doc_merge_duplicates(doc)) {
        report_no_memory(report);
        return;
    }
    answer_take(a);
    doc_mark_near_end(doc, a->job->input, SIZE_MAX);
    doc->finished = true;
    answer_tell(report, &a->mends);
}

void answer_decode(decode_job *job)
{
    answer_finder a = {.job = job, .doc = job->doc};
    size_t bad = utf8_find_invalid(job->input.ptr, job->input.len);
    read_init(&a.r.in, job->doc, job->report->input, job->report);
    a.r.mends = &a.mends;
    a.r.last_wins = settings_number(job->set, ANSWER_DUPLICATES) == 1;
    a.r.replace = settings_number(job->set, ANSWER_SURROGATES) == 1;
    a.pick = (unsigned)settings_number(job->set, ANSWER_PICK);
    a.allowed = answer_allowed(job->set);
    a.work = FIND_AGAIN * job->input.len;
    if (bad < job->input.len) {
        read_bad_utf8(&a.r.in, job->input.ptr + bad);
        return;
    }
    size_t depth_max = job->doc->depth_max;
    job->doc->depth_max++;
    a.r.lent_depth = 1;
    if (read_open(&a.r.in, PITH_ARRAY, a.r.start)) {
        answer_search(&a, answer_after_thoughts(job->input), false);
        if (!answer_stopped(&a))
            answer_finish(&a);
    }
    job->doc->depth_max = depth_max;
    LIST_FREE(&a.mends.list, &job->doc->alloc);
}
