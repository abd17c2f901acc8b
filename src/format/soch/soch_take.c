/*
 * soch_take.c - rows of text off the front of a stream, one small document each.
 *
 *     users[3]{id,name}:      the columns are kept
 *     1,"a;b";                a row ends at a semicolon or line feed that stands in neither
 *     2,[1,                   quotes nor brackets nor a reference
 *        2];
 *
 * Where the header and each row end is found byte by byte, with a state that stays between
 * pieces, so that no byte is looked at twice in search of it. What lies before the end is
 * read by the code that reads whole texts, with the same words for what is wrong. Memory
 * holds the longest row.
 */
#include "format/soch/soch_take.h"
#include "base/utf8.h"
#include "format/soch/soch_read.h"

/* How far the search for an end has come. */
typedef struct soch_search {
    size_t looked; /* bytes of the unused input */
    size_t depth;  /* brackets that are open */
    unsigned word; /* letters of "ref(" seen at the start of a cell */
    bool begun;    /* of a header: its name */
    bool comment;
    bool quoted;
    bool escaped;
    bool closed;  /* of a header: the } */
    bool in_cell; /* its first letter has come */
    bool in_ref;
} soch_search;

typedef struct soch_taker {
    soch_phase phase;
    soch_reader reader; /* its layout and counts stay from row to row */
    pith_arena names;
    soch_search search;
    row_parts parts;
    bool named;
    bool semicolon; /* one has come since the last row */
    size_t renewed; /* of the document's shapes, when that of the rows was found */
} soch_taker;

/* ------------------------------------------------------------------------ searching */

/* Inside quotes: true while it stays there. */
static bool soch_search_quoted(soch_search *search, char c)
{
    if (!search->quoted) {
        search->quoted = c == '"';
        return search->quoted;
    }
    if (search->escaped) {
        search->escaped = false;
    } else if (c == '\\') {
        search->escaped = true;
    } else if (c == '"') {
        search->quoted = false;
    }
    return true;
}

/* True at the byte behind which a header ends, or cannot go on. */
static bool soch_ends_header(soch_search *search, char c)
{
    if (search->comment) {
        search->comment = c != '\n';
        return false;
    }
    if (!search->begun) {
        search->comment = c == '#';
        search->begun = !search->comment && !scan_is_space((unsigned char)c);
    }
    if (!search->begun || soch_search_quoted(search, c)) {
        return false;
    }
    if (search->closed) {
        return !scan_is_space((unsigned char)c);
    }
    search->closed = c == '}';
    return false;
}

/* A reference may have white space of all kinds inside it, other cells have not. */
static void soch_search_ref(soch_search *search, char c)
{
    if (search->in_ref) {
        search->in_ref = c != ')';
    } else if (c == ',') {
        search->in_cell = false;
        search->word = 0;
    } else if (!search->in_cell && c == "ref("[search->word]) {
        search->word++;
        search->in_ref = search->word == 4;
        search->in_cell = search->in_ref;
    } else if (search->word > 0 || (c != ' ' && c != '\t' && c != '\r')) {
        search->in_cell = true;
    }
}

/* True at the byte that ends a row. */
static bool soch_ends_row(soch_search *search, char c)
{
    if (soch_search_quoted(search, c)) {
        search->in_cell = true;
        return false;
    }
    if (c == '[' || c == '{') {
        search->depth++;
    } else if (c == ']' || c == '}') {
        search->depth -= search->depth > 0;
    }
    if (search->depth > 0) {
        search->in_cell = true;
        return false;
    }
    if (!search->in_ref && (c == ';' || c == '\n')) {
        return true;
    }
    soch_search_ref(search, c);
    return false;
}

/* The bytes up to the one that ends what is searched; false when it has not come. */
static bool soch_search_end(soch_search *search, pith_text rest,
                            bool (*ends)(soch_search *, char), size_t *len)
{
    for (size_t i = search->looked; i < rest.len; i++) {
        if (ends(search, rest.ptr[i])) {
            *len = i;
            return true;
        }
    }
    search->looked = rest.len;
    return false;
}

/* ---------------------------------------------------------------------- the reader */

static bool soch_take_utf8(soch_reader *r, size_t len)
{
    size_t bad = utf8_find_invalid(r->at, len);
    if (bad == len) {
        return true;
    }
    report_bad(r->report, "invalid_utf8", soch_offset(r, r->at + bad),
               "the text is not UTF-8 here");
    return false;
}

/* The reader at the front. */
static void soch_taker_place(soch_taker *taker, pith_doc *doc, pith_text input,
                             size_t used, reporter *report)
{
    soch_reader *r = &taker->reader;
    r->doc = doc;
    r->report = report;
    r->start = input.ptr;
    r->at = input.ptr + used;
    r->end = input.ptr + input.len;
    r->ref_shape = SHAPE_NONE;
}

/* Finds the shape of the rows again where the document has forgotten it; false when out of
 * memory. */
static bool soch_taker_shape(soch_taker *taker)
{
    soch_reader *r = &taker->reader;
    size_t seen = taker->renewed;
    taker->renewed = r->doc->shapes.renewed;
    return taker->renewed == seen || soch_layout_renew(&r->layout, r->doc) ||
           read_failed(&r->in);
}

static void soch_taker_use(soch_taker *taker, size_t *used)
{
    *used = soch_offset(&taker->reader, taker->reader.at);
    memset(&taker->search, 0, sizeof taker->search);
}

/* --------------------------------------------------------------------- the header */

static void soch_taker_start(soch_taker *taker, pith_doc *doc, pith_text input,
                             bool ended, size_t *used, reporter *report)
{
    soch_reader *r = &taker->reader;
    size_t bom = utf8_bom(input.ptr, input.len);
    size_t len;
    if (!ended && input.len < 3) {
        return; /* what may become a byte order mark */
    }
    if (taker->search.looked < bom) {
        taker->search.looked = bom;
    }
    /* Lenient reading goes by what comes later, and so does the one that allows the
     * least. */
    bool whole = !r->strict || r->seed_only;
    if (whole || !soch_search_end(&taker->search, input, soch_ends_header, &len)) {
        taker->phase = whole || ended ? SOCH_IN_WHOLE : SOCH_AT_START;
        return;
    }
    soch_taker_place(taker, doc, input, bom, report);
    if (!soch_take_utf8(r, len - bom)) {
        return;
    }
    soch_skip_to_header(r);
    size_t line = report_place(report, soch_offset(r, r->at)).line;
    if (!soch_read_header(r)) {
        return;
    }
    r->header_line = line;
    taker->renewed = doc->shapes.renewed;
    const doc_table *table = &doc->tables[doc->table_count - 1];
    taker->named = !table->unnamed;
    taker->phase = table->single ? SOCH_IN_WHOLE : SOCH_IN_ROWS;
    doc->table_count = 0;
    if (taker->phase == SOCH_IN_ROWS) {
        soch_taker_use(taker, used);
    }
}

/* ------------------------------------------------------------------------ the rows */

/* Behind a row: white space and one semicolon. True when something else is there. */
static bool soch_taker_gap(soch_taker *taker)
{
    soch_reader *r = &taker->reader;
    for (;;) {
        r->at = scan_spaces(r->at, r->end);
        if (r->at == r->end || *r->at != ';') {
            return r->at < r->end;
        }
        if (taker->semicolon || r->rows == 0) {
            report_bad(r->report, "empty_row", soch_offset(r, r->at), "row %llu is empty",
                       (unsigned long long)r->rows + 1);
            return false;
        }
        taker->semicolon = true;
        r->at++;
    }
}

static void soch_taker_row(soch_taker *taker, size_t len)
{
    soch_reader *r = &taker->reader;
    pith_doc *doc = r->doc;
    const char *from = r->at;
    const char *end = r->end;
    r->end = from + len;
    doc->depth = taker->named ? 2 : 1; /* as deep as it would be in the table */
    r->met_header = false;
    if (!soch_take_utf8(r, len) || !soch_read_row(r)) {
        if (r->met_header) {
            r->at = from;
            soch_bad_count(r, "");
        }
        return;
    }
    r->end = end;
    r->rows++;
    taker->semicolon = false;
    doc_mark_tail(doc, r->report->input, 0);
    doc->finished = true;
}

static void soch_taker_rows(soch_taker *taker, pith_doc *doc, pith_text input, bool ended,
                            size_t *used, reporter *report)
{
    soch_reader *r = &taker->reader;
    soch_taker_place(taker, doc, input, *used, report);
    if (!soch_taker_shape(taker)) {
        return;
    }
    if (taker->search.looked == 0) {
        bool more = soch_taker_gap(taker);
        if (report->count > 0) {
            return;
        }
        *used = soch_offset(r, r->at);
        if (r->rows == r->count) {
            taker->phase = more || ended ? SOCH_AT_END : SOCH_IN_ROWS;
            return;
        }
        if (!more) {
            if (ended) {
                soch_bad_count(r, "");
            }
            return;
        }
    }
    pith_text rest = text_of(r->at, (size_t)(r->end - r->at));
    size_t len = rest.len;
    if (soch_search_end(&taker->search, rest, soch_ends_row, &len) || ended) {
        soch_taker_row(taker, len);
        if (report->count == 0) {
            soch_taker_use(taker, used);
        }
    }
}

/* Behind the last row: comments, and nothing else. */
static void soch_taker_end(soch_taker *taker, pith_doc *doc, pith_text input, bool ended,
                           size_t *used, reporter *report)
{
    soch_reader *r = &taker->reader;
    soch_taker_place(taker, doc, input, *used, report);
    for (;;) {
        r->at = scan_spaces(r->at, r->end);
        *used = soch_offset(r, r->at);
        if (r->at == r->end) {
            return;
        }
        if (*r->at != '#') {
            break;
        }
        const char *feed = (const char *)memchr(r->at, '\n', soch_left(r));
        if (!feed && !ended) {
            return;
        }
        if (!soch_take_utf8(r, feed ? (size_t)(feed - r->at) : soch_left(r))) {
            return;
        }
        r->at = feed ? feed : r->end;
    }
    /* What it is shows in its line, and in the beginning of that. */
    if (!ended && soch_left(r) < 4096 && !memchr(r->at, '\n', soch_left(r))) {
        return;
    }
    if (soch_at_header(r)) {
        soch_not_a_table(report, *used);
    } else {
        soch_bad_count(r, "more than ");
    }
}

/* ------------------------------------------------------------------------- taking */

static void soch_taker_step(soch_taker *taker, row_source *source, pith_doc *doc,
                            pith_text input, bool ended, size_t *used, reporter *report)
{
    switch (taker->phase) {
    case SOCH_AT_START:
        soch_taker_start(taker, doc, input, ended, used, report);
        break;
    case SOCH_IN_ROWS:
        soch_taker_rows(taker, doc, input, ended, used, report);
        break;
    case SOCH_IN_WHOLE:
        if (parts_read(&taker->parts, soch_decode, source->set, doc, input, ended, used,
                       report)) {
            taker->phase = SOCH_IN_PARTS;
        }
        break;
    case SOCH_IN_PARTS:
        parts_next(&taker->parts, doc, report);
        break;
    case SOCH_AT_END:
        soch_taker_end(taker, doc, input, ended, used, report);
        break;
    }
}

static soch_taker *soch_taker_new(const row_source *source, pith_doc *doc,
                                  reporter *report)
{
    pith_text none = {"", 0};
    soch_taker *taker = (soch_taker *)alloc_zeroed(&source->alloc, sizeof *taker);
    if (!taker) {
        report_no_memory(report);
        return NULL;
    }
    soch_reader_init(&taker->reader, doc, none, report, source->set);
    arena_init(&taker->names, source->alloc);
    taker->reader.names = &taker->names;
    return taker;
}

void soch_take(row_source *source, pith_doc *doc, pith_text input, bool ended,
               size_t *used, reporter *report)
{
    *used = 0;
    if (!source->state) {
        source->state = soch_taker_new(source, doc, report);
        if (!source->state) {
            return;
        }
    }
    soch_taker *taker = (soch_taker *)source->state;
    soch_phase phase;
    do {
        phase = taker->phase;
        soch_taker_step(taker, source, doc, input, ended, used, report);
    } while (report->count == 0 && !doc->finished && taker->phase != phase);
}

void soch_forget(row_source *source)
{
    soch_taker *taker = (soch_taker *)source->state;
    pith_alloc alloc = source->alloc;
    arena_free(&taker->names);
    pith_doc_free(taker->parts.whole);
    alloc_free(&alloc, taker, sizeof *taker);
    source->state = NULL;
}
