/*
 * pith_take.c - rows off the front of a stream, one small document each.
 *
 *     [?{id,tags}         the header is kept
 *     1,[a,b]             a row is whole when the separator behind it has come
 *     2,[]
 *     ]2                  then the counts are compared
 *
 * Where a row ends is found by a scanner that knows quotes and brackets and nothing else,
 * and that goes on where it stopped when more has arrived; so the work stays linear in
 * whatever pieces the bytes come, and memory holds one row. The row itself is read by the
 * same code that reads whole texts.
 *
 * Everything that is no table at the root (an object, a map, a plain array) is collected
 * and, when the input has ended, handed out as from a whole document: the elements of an
 * array, or the one value.
 */
#include "format/pith/pith_read.h"

typedef enum pn_phase {
    PN_AT_START, /* no header has come */
    PN_AT_ROW,   /* behind the header or a row */
    PN_AT_TOTAL, /* behind the bracket */
    PN_AT_END,   /* behind everything */
    PN_AT_WHOLE, /* no table: everything is collected */
    PN_AT_PARTS  /* of what was collected, values are handed out */
} pn_phase;

/* How far the end of a row or header has been looked for. */
typedef struct pn_scanner {
    size_t at; /* counted from the bytes that are not used yet */
    size_t depth;
    bool quoted;
    bool escaped;
} pn_scanner;

typedef struct pn_taker {
    pith_alloc alloc;
    pn_phase phase;
    pn_scanner scanner;
    pn_reader reader;  /* its lists stay from row to row */
    pith_doc stand_in; /* for freeing them: only its allocator counts */
    pith_arena texts;  /* of the header */
    pith_text header;
    size_t shapes; /* of the document, when it was seen last */

    pith_doc *whole;
    uint32_t next; /* the part to be handed out next */
    uint32_t parts;
} pn_taker;

/* ---------------------------------------------------------------------- scanning */

/* Goes on to the first byte outside quotes and brackets that ends a row, or, for a
 * header, to the brace that closes it. False when it has not come yet. */
static bool pn_scan_on(pn_scanner *scan, pith_text text, bool header)
{
    for (; scan->at < text.len; scan->at++) {
        char byte = text.ptr[scan->at];
        if (scan->quoted) {
            bool closes = byte == '"' && !scan->escaped;
            scan->escaped = byte == '\\' && !scan->escaped;
            if ((unsigned char)byte < 0x20) {
                return true; /* an error, and the reader will say so */
            }
            scan->quoted = !closes;
        } else if (byte == '"') {
            scan->quoted = true;
        } else if (byte == '[' || byte == '{') {
            scan->depth++;
        } else if (byte == ']' || byte == '}') {
            if (scan->depth == 0 || (header && scan->depth == 1)) {
                return true;
            }
            scan->depth--;
        } else if (!header && scan->depth == 0 &&
                   (byte == ';' || byte == '\n' || byte == '\r')) {
            return true;
        }
    }
    return false;
}

static void pn_scan_from(pn_scanner *scan, size_t at)
{
    memset(scan, 0, sizeof *scan);
    scan->at = at;
}

/* ------------------------------------------------------------------------ the reader */

/* The reader over these bytes, with everything it has learned. */
static void pn_taker_ready(pn_taker *taker, pith_doc *doc, pith_text input, size_t end,
                           reporter *report)
{
    pn_reader *r = &taker->reader;
    r->doc = doc;
    r->report = report;
    r->start = input.ptr;
    r->end = input.ptr + end;
    r->keep = &taker->texts;
    r->careful = report->callback != NULL;
    r->restart = false;
    r->quiet = false;
    r->strings.doc = doc;
    r->strings.report = report;
    r->strings.start = r->start;
    r->strings.end = r->end;
    r->strings.endless = "unterminated_quote";
}

/* Reads the header that begins at `p`; NULL when there is a problem. Its frame has no
 * table. */
static const char *pn_taker_header(pn_taker *taker, const char *p)
{
    pn_reader *r = &taker->reader;
    r->ops.count = 0;
    r->headers.count = 0;
    r->frames.count = 0;
    r->bare.count = 0;
    p = pn_read_header(r, p, SLOT_NONE, false, 1);
    if (!p && r->restart) {
        r->restart = false;
        r->careful = true;
        r->doc->loose_count = 0;
        p = pn_taker_header(taker, taker->header.ptr);
    }
    taker->shapes = r->doc->shapes.count;
    return p;
}
