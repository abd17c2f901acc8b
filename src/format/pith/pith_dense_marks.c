/*
 * pith_dense_marks.c - what the cells of a column share: ditto, default and template.
 *
 *     day=              an empty cell is as in the row above
 *     state=[open]      an empty cell is open
 *     mail=[*@x.org]    the cell goes in place of the star
 *
 * The rows are gone through up to three times, all columns of a row at once:
 *
 *     first     prices; cells like the one above; four values of which one is the most
 *               frequent, if any fills a quarter of the cells; how all strings begin
 *     second    how often those four are there; how all strings end
 *     third     what the cells of a template take
 *
 * The four are found by voting: a cell that is none of them takes a vote from each, and a
 * value without votes gives up its place. What is more frequent than one in five keeps it.
 */
#include "format/pith/pith_column.h"
#include "format/pith/pith_dense.h"

#include "base/utf8.h"

/* What a mark must save to be worth it, and what it costs. */
enum { PN_MARK_SAVES = 8, PN_DITTO_COST = 4, PN_DEFAULT_COST = 6, PN_TEMPLATE_COST = 4 };

enum { PN_BY_LETTER = 1, PN_BY_DIGIT = 2 };

static unsigned pn_neighbour(unsigned char byte)
{
    if (scan_is_digit(byte))
        return PN_BY_DIGIT;
    return byte >= 0x80 || (unsigned char)((byte | 0x20) - 'a') < 26 ? PN_BY_LETTER : 0;
}

/* True when the text of the cell begins with a letter. */
static bool pn_begins_with_letter(const pn_dense *dense, uint32_t at)
{
    const pith_slot *slot = &dense->doc->slots[at];
    if (slot_is_container(slot) || slot->n == 0 || (*pn_word(dense, at) & PN_QUOTED))
        return false;
    unsigned char first = (unsigned char)slot->u.text[0];
    return (unsigned char)((first | 0x20) - 'a') < 26;
}

/* ---------------------------------------------------------------------- first pass */

/* Votes for the value of the cell. */
static void pn_vote(const pn_dense *dense, pn_column_marks *marks, uint32_t at)
{
    unsigned free = PN_FREQUENT;
    for (unsigned i = 0; i < PN_FREQUENT; i++) {
        if (marks->votes[i] == 0) {
            free = i;
        } else if (pn_same_value(dense, marks->frequent[i], at)) {
            marks->votes[i]++;
            marks->voted = (uint8_t)i;
            return;
        }
    }
    marks->voted = (uint8_t)free;
    if (free < PN_FREQUENT) {
        marks->frequent[free] = at;
        marks->votes[free] = 1;
        return;
    }
    for (unsigned i = 0; i < PN_FREQUENT; i++)
        marks->votes[i]--;
}

static void pn_note_fill(const pn_dense *dense, pn_column_marks *marks, uint32_t at,
                         uint32_t price)
{
    bool same = marks->present > 0 && pn_same_value(dense, marks->above, at);
    marks->above = at;
    if (same && pn_is_small(dense, at)) {
        marks->equal++;
        marks->emptied += (int64_t)price - pn_begins_with_letter(dense, at);
    }
    if (same && marks->voted < PN_FREQUENT && marks->votes[marks->voted] > 0)
        marks->votes[marks->voted]++;
    else
        pn_vote(dense, marks, at);
}

/* How many bytes both begin with, at most `most`. */
static uint32_t pn_shared(const char *a, const char *b, uint32_t most)
{
    uint32_t i = 0;
    while (i < most && a[i] == b[i])
        i++;
    return i;
}

/* How many bytes both end with, at most `most`. */
static uint32_t pn_shared_end(pith_text a, pith_text b, uint32_t most)
{
    uint32_t i = 0;
    while (i < most && a.ptr[a.len - 1 - i] == b.ptr[b.len - 1 - i])
        i++;
    return i;
}

static void pn_note_text(const pn_dense *dense, pn_column_marks *marks, uint32_t at)
{
    const pith_slot *slot = &dense->doc->slots[at];
    const pith_slot *first = &dense->doc->slots[marks->first];
    marks->quoted = marks->quoted || (*pn_word(dense, at) & PN_QUOTED);
    if (marks->begin == 0 && marks->end == 0 && marks->present > 0)
        return;
    if (slot == first) {
        marks->begin = marks->end = slot->n;
        return;
    }
    uint32_t most = slot->n < marks->begin ? slot->n : marks->begin;
    uint32_t shared = pn_shared(first->u.text, slot->u.text, most);
    if (shared < marks->begin)
        marks->neighbours = (uint8_t)pn_neighbour((unsigned char)first->u.text[shared]);
    marks->begin = shared;
    if (slot->n > shared)
        marks->neighbours |= (uint8_t)pn_neighbour((unsigned char)slot->u.text[shared]);
    most = slot->n < marks->end ? slot->n : marks->end;
    marks->end = pn_shared_end(slot_text(first), slot_text(slot), most);
}

static void pn_note_cell(const pn_dense *dense, pn_column_marks *marks, uint32_t at)
{
    uint32_t price = pn_price_of(dense, at);
    marks->prices += price;
    if (marks->present == 0)
        marks->first = at;
    if (dense->fill)
        pn_note_fill(dense, marks, at, price);
    marks->strings = marks->strings && dense->doc->slots[at].kind == PITH_STRING;
    if (marks->strings)
        pn_note_text(dense, marks, at);
    marks->present++;
}

/* -------------------------------------------------------------- beginnings and ends */

/* The bytes of `text` before the first that no template may hold. */
static uint32_t pn_plain_begin(const char *text, uint32_t len)
{
    uint32_t at = 0;
    while (at < len && !pn_is_mark((unsigned char)text[at]) && text[at] != '*')
        at++;
    while (at > 0 && utf8_holds(text, at, UTF8_CONTROLS | UTF8_BREAKS | UTF8_MARKS))
        do
            at--;
        while (at > 0 && ((unsigned char)text[at] & 0xC0) == 0x80);
    return at;
}

/* Of the last `len` bytes of the text before `end`, those after the last that no template
 * may hold. */
static uint32_t pn_plain_end(const char *end, uint32_t len)
{
    uint32_t count = 0;
    while (count < len && !pn_is_mark((unsigned char)end[-1 - (int64_t)count]) &&
           end[-1 - (int64_t)count] != '*')
        count++;
    while (count > 0 && ((unsigned char)end[-(int64_t)count] & 0xC0) == 0x80)
        count--; /* half a character */
    while (count > 0 &&
           utf8_holds(end - count, count, UTF8_CONTROLS | UTF8_BREAKS | UTF8_MARKS))
        do
            count--;
        while (count > 0 && ((unsigned char)end[-(int64_t)count] & 0xC0) == 0x80);
    return count;
}

/* Cuts the beginning of the template where no word or number is cut. */
static void pn_cut_begin(const pn_dense *dense, pn_column_marks *marks)
{
    const char *text = dense->doc->slots[marks->first].u.text;
    uint32_t cut = pn_plain_begin(text, marks->begin);
    unsigned after =
        cut < marks->begin ? pn_neighbour((unsigned char)text[cut]) : marks->neighbours;
    while (cut > 0 && (pn_neighbour((unsigned char)text[cut - 1]) & after)) {
        cut--;
        after = pn_neighbour((unsigned char)text[cut]);
    }
    marks->begin = cut;
}

/* The same for its end. */
static void pn_cut_end(const pn_dense *dense, pn_column_marks *marks)
{
    const pith_slot *slot = &dense->doc->slots[marks->first];
    const char *end = slot->u.text + slot->n;
    uint32_t cut = pn_plain_end(end, marks->end);
    unsigned before = cut < marks->end
                          ? pn_neighbour((unsigned char)end[-1 - (int64_t)cut])
                          : marks->neighbours;
    while (cut > 0 && (pn_neighbour((unsigned char)end[-(int64_t)cut]) & before)) {
        before = pn_neighbour((unsigned char)end[-(int64_t)cut]);
        cut--;
    }
    marks->end = cut;
}

/* ---------------------------------------------------------------------- second pass */

/* Counts the values that may be the most frequent. */
static void pn_count_cell(const pn_dense *dense, pn_column_marks *marks, uint32_t at)
{
    for (unsigned i = 0; i < PN_FREQUENT; i++) {
        if (marks->frequent[i] == SLOT_NONE ||
            !pn_same_value(dense, marks->frequent[i], at))
            continue;
        if (marks->votes[i]++ == 0)
            marks->frequent[i] = at; /* the first of them */
        return;
    }
}

/* Finds how all strings end, after what they begin with. */
static void pn_trim_cell(const pn_dense *dense, pn_column_marks *marks, uint32_t at)
{
    const pith_slot *slot = &dense->doc->slots[at];
    const pith_slot *first = &dense->doc->slots[marks->first];
    uint32_t rest = slot->n - marks->begin;
    uint32_t most = rest < marks->end ? rest : marks->end;
    if (slot == first) {
        marks->end = rest;
        marks->neighbours = 0;
        return;
    }
    uint32_t shared = pn_shared_end(slot_text(first), slot_text(slot), most);
    if (shared < marks->end)
        marks->neighbours =
            (uint8_t)pn_neighbour((unsigned char)first->u.text[first->n - 1 - shared]);
    marks->end = shared;
    if (rest > shared)
        marks->neighbours |=
            (uint8_t)pn_neighbour((unsigned char)slot->u.text[slot->n - 1 - shared]);
}

/* ----------------------------------------------------------------------- third pass */

static void pn_fill_cell(const pn_dense *dense, pn_column_marks *marks, uint32_t at)
{
    const pith_slot *slot = &dense->doc->slots[at];
    const char *cell = slot->u.text + marks->begin;
    size_t len = slot->n - marks->begin - marks->end;
    bool bare = pn_is_bare_cell(cell, len);
    marks->cells += bare ? pn_weigh(cell, len) : pn_weigh_quoted(cell, len);
    marks->bytes += pn_scalar_len(slot, false);
    marks->bytes -= bare ? (int64_t)len : pn_quoted_len(cell, len);
}

/* --------------------------------------------------------------------------- passes */

typedef enum pn_pass { PN_NOTE, PN_COUNT, PN_FILL } pn_pass;

static inline void pn_pass_cell(const pn_dense *dense, pn_column_marks *marks,
                                uint32_t at, pn_pass pass)
{
    if (pass == PN_NOTE) {
        pn_note_cell(dense, marks, at);
    } else if (pass == PN_FILL) {
        if (marks->filled)
            pn_fill_cell(dense, marks, at);
    } else {
        if (marks->counted)
            pn_count_cell(dense, marks, at);
        if (marks->trimmed)
            pn_trim_cell(dense, marks, at);
    }
}

/* Goes through the rows of the step. */
static void pn_pass_rows(const pn_search *search, const pn_step *step, pn_pass pass)
{
    const pn_plan *plan = search->plan;
    const pith_doc *doc = plan->doc;
    const pn_record *records = pn_records(plan);
    const pn_level *level = pn_level_at(plan, step->level);
    pn_column_marks *marks = search->marks.at + step->sums;
    pn_cursor cursor = pn_before_rows(&step->rows);
    while (pn_cursor_next(search, &cursor)) {
        uint32_t row = records[cursor.row].slot;
        const pith_slot *object = &doc->slots[row];
        const uint32_t *map =
            level->shape == SHAPE_NONE ? pn_map_of(plan, level, object) : NULL;
        uint32_t at = row + 1;
        for (uint32_t i = 0; i < object->n; i++) {
            pn_pass_cell(plan->dense, &marks[map ? map[i] : i], at, pass);
            at = doc_after_at(doc, at);
        }
    }
}

/* ------------------------------------------------------------------------- decisions */

/* Puts the most frequent value first and returns how often it is there. */
static uint32_t pn_most_frequent(pn_column_marks *marks)
{
    unsigned best = 0;
    for (unsigned i = 1; i < PN_FREQUENT; i++)
        if (marks->votes[i] > marks->votes[best] ||
            (marks->votes[i] == marks->votes[best] &&
             marks->frequent[i] < marks->frequent[best]))
            best = i;
    marks->frequent[0] = marks->frequent[best];
    return marks->votes[best];
}

static void pn_try_mark(pn_column_marks *marks, pn_mark_kind mark, int64_t part)
{
    if (marks->prices - part >= PN_MARK_SAVES && part < marks->part) {
        marks->part = part;
        marks->mark = (uint8_t)mark;
    }
}

static void pn_try_default(const pn_dense *dense, pn_column_marks *marks, uint64_t rows)
{
    uint32_t count = pn_most_frequent(marks);
    uint32_t at = marks->frequent[0];
    if (count < 2 || 4 * (uint64_t)count < rows || at == SLOT_NONE)
        return;
    const pith_slot *slot = &dense->doc->slots[at];
    if ((slot_is_container(slot) && slot->n > 0) || !pn_is_small(dense, at))
        return;
    int64_t emptied = (int64_t)pn_price_of(dense, at) - pn_begins_with_letter(dense, at);
    pn_try_mark(marks, PN_DEFAULT,
                PN_DEFAULT_COST + pn_weight_of(dense, at) + marks->prices -
                    (int64_t)count * emptied);
}

static void pn_try_template(const pn_dense *dense, pn_column_marks *marks)
{
    const pith_slot *slot = &dense->doc->slots[marks->first];
    const char *end = slot->u.text + slot->n - marks->end;
    if (marks->bytes <= 4 + (int64_t)marks->begin + marks->end)
        return; /* =[*] */
    pn_try_mark(marks, PN_TEMPLATE,
                PN_TEMPLATE_COST + marks->cells +
                    pn_weigh_joined(slot->u.text, marks->begin, end, marks->end));
}

static bool pn_is_space(uint32_t code)
{
    return code == ' ' || utf8_class(code) == UTF8_SPACES;
}

/* True when the template neither begins nor ends with a space and is not too long. */
static bool pn_is_template(const pn_dense *dense, const pn_column_marks *marks)
{
    const pith_slot *slot = &dense->doc->slots[marks->first];
    bool begins = marks->begin > 0 && pn_is_space(utf8_first(slot->u.text, slot->n));
    bool ends = marks->end > 0 && pn_is_space(utf8_last(slot->u.text, slot->n));
    return !begins && !ends && marks->begin + marks->end + 1 <= PN_TEMPLATE_MOST;
}

/* After the first pass: what the second has to find out. True when there is something. */
static bool pn_prepare_second(const pn_dense *dense, pn_column_marks *marks,
                              uint64_t rows)
{
    bool worth = marks->prices >= PN_MARK_SAVES + PN_DITTO_COST; /* the least */
    bool full = dense->fill && marks->present == rows && worth;
    marks->part = marks->prices;
    marks->strings = marks->strings && dense->templates && marks->present >= 2 && worth;
    marks->counted = false;
    for (unsigned i = 0; i < PN_FREQUENT; i++) {
        /* A cell that was outvoted took a vote from four others as well: no value lost
         * more than a fifth of all, and a quarter of all is needed. */
        bool may = full && marks->votes[i] > 0 && 20 * (uint64_t)marks->votes[i] >= rows;
        marks->counted |= may;
        marks->frequent[i] = may ? marks->frequent[i] : SLOT_NONE;
        marks->votes[i] = 0;
    }
    if (full && 4 * (uint64_t)marks->equal >= rows)
        pn_try_mark(marks, PN_DITTO, PN_DITTO_COST + marks->prices - marks->emptied);
    if (marks->strings)
        pn_cut_begin(dense, marks);
    marks->trimmed = marks->strings && marks->end > 0;
    return marks->counted || marks->trimmed;
}

/* After the second pass, the same for the third. */
static bool pn_prepare_third(const pn_dense *dense, pn_column_marks *marks, uint64_t rows)
{
    if (marks->counted)
        pn_try_default(dense, marks, rows);
    if (marks->trimmed)
        pn_cut_end(dense, marks);
    marks->filled = marks->strings && pn_is_template(dense, marks) &&
                    (marks->begin > 0 || marks->end > 0 || marks->quoted);
    return marks->filled;
}

bool pn_mark_columns(pn_search *search, const pn_step *step, uint32_t columns)
{
    const pn_dense *dense = search->plan->dense;
    uint64_t rows = step->rows.rows;
    pn_column_marks *marks = LIST_ROOM(&search->marks, &search->plan->alloc, columns);
    bool second = false;
    bool third = false;
    if (!marks)
        return false;
    assert(search->marks.count == step->sums);
    memset(marks, 0, columns * sizeof *marks);
    search->marks.count += columns;
    for (uint32_t i = 0; i < columns; i++)
        marks[i].strings = true;
    pn_pass_rows(search, step, PN_NOTE);
    for (uint32_t i = 0; i < columns; i++)
        second |= pn_prepare_second(dense, &marks[i], rows);
    if (second && rows >= 2)
        pn_pass_rows(search, step, PN_COUNT);
    for (uint32_t i = 0; i < columns && rows >= 2; i++)
        third |= pn_prepare_third(dense, &marks[i], rows);
    if (third)
        pn_pass_rows(search, step, PN_FILL);
    for (uint32_t i = 0; i < columns; i++)
        if (marks[i].filled)
            pn_try_template(dense, &marks[i]);
    return true;
}
