/*
 * cut.c - a value with less in it.
 *
 * What can be left out without a lie is elements of lists: arrays, and objects that are maps,
 * with many members of a kind. The outermost ones go first, all in the same proportion, so
 * that rows stay whole:
 *
 *     {"page":1,"users":[u u u u u u],"teams":[t t t],"tags":["a","b"]}
 *     {"page":1,"users":[u u],"teams":[t],"tags":["a","b"]}
 *
 * A list that is small beside the largest is left alone: it would save nothing. Whoever needs
 * more makes a plan of the copy. There the lists are down to one element and count as none,
 * so the next plan has what is inside of them, and the smaller ones.
 */
#include "doc/cut.h"
#include "base/num.h"
#include "base/print.h"
#include "base/sort.h"
#include "base/utf8.h"

enum {
    CUT_SMALL = 16,    /* a list of less than such a part of the largest is small */
    CUT_MAP_WIDE = 16, /* an object of so many values of one kind is a map */
    CUT_TEXT_SHARE = 8 /* so many bytes of text weigh as much as a slot */
};

/* ------------------------------------------------------------------------- rows */

static pith_value cut_value_at(const pith_doc *doc, uint32_t at)
{
    uint32_t parent = doc->slots[at].u.link.parent;
    uint32_t index = 0;
    if (parent != SLOT_NONE)
        for (uint32_t child = parent + 1; child < at; child = doc_after_at(doc, child))
            index++;
    return doc_value(doc, at, parent, index);
}

/* Arrays inside arrays are parts of rows; so the walk enters objects only. */
pith_value doc_find_rows(pith_value value)
{
    pith_value none = {NULL, 0, 0, 0};
    if (!value.doc)
        return none;
    uint32_t end = doc_after_at(value.doc, value.at);
    uint32_t best = SLOT_NONE;
    uint32_t most = 0;
    for (uint32_t at = value.at; at < end;) {
        const pith_slot *slot = &value.doc->slots[at];
        bool array = slot->kind == PITH_ARRAY;
        if (array && slot->n > 0 && slot->u.link.next - at > most) {
            best = at;
            most = slot->u.link.next - at;
        }
        at = array ? slot->u.link.next : at + 1;
    }
    return best == SLOT_NONE ? none : cut_value_at(value.doc, best);
}

/* ------------------------------------------------------------------------- best */

/* The field of a row: the member of that name, or one inside of it. */
static pith_value cut_field(pith_value row, pith_text path)
{
    pith_value found = pith_value_get(row, path.ptr, path.len);
    while (!found.doc && path.len > 0 && row.doc) {
        pith_text name = text_split(&path, '.');
        row = pith_value_get(row, name.ptr, name.len);
        found = path.len == 0 ? row : found;
    }
    return found;
}

/* What rows are compared by. */
typedef struct cut_score {
    unsigned kind; /* numbers come before texts, and those before all else */
    double number;
    pith_text text;
} cut_score;

static cut_score cut_score_of(pith_value value)
{
    cut_score score = {0, 0, {NULL, 0}};
    if (pith_value_double(value, &score.number)) {
        score.kind = 2;
    } else if (pith_value_kind(value) == PITH_STRING) {
        score.kind = 1;
        score.text = pith_value_text(value);
    }
    return score;
}

static int cut_compare_texts(pith_text a, pith_text b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    int order = len > 0 ? memcmp(a.ptr, b.ptr, len) : 0;
    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* True when `a` is the better row. */
static bool cut_is_better(const void *ctx, uint32_t a, uint32_t b)
{
    const cut_score *left = (const cut_score *)ctx + a;
    const cut_score *right = (const cut_score *)ctx + b;
    if (left->kind != right->kind)
        return left->kind > right->kind;
    if (left->kind == 2)
        return left->number > right->number;
    return left->kind == 1 && cut_compare_texts(left->text, right->text) > 0;
}

/* Finds the rank of each element: 0 is the best. False when out of memory. */
static bool cut_rank(cut_plan *plan, const pith_doc *doc, cut_list *list)
{
    size_t count = list->count;
    size_t bytes = count * (sizeof(cut_score) + sizeof(uint32_t));
    cut_score *scores = (cut_score *)alloc_resize(&plan->alloc, NULL, 0, bytes);
    uint32_t *ranks = LIST_ROOM(&plan->ranks, &plan->alloc, count);
    bool fine = scores && ranks;
    if (fine) {
        uint32_t *order = (uint32_t *)(void *)(scores + count);
        pith_value row = pith_value_first(doc_value(doc, list->at, SLOT_NONE, 0));
        for (size_t i = 0; i < count; i++, row = pith_value_next(row))
            scores[i] = cut_score_of(cut_field(row, plan->field));
        fine = sort_indexes(&plan->alloc, order, count, cut_is_better, scores);
        for (size_t i = 0; fine && i < count; i++)
            ranks[order[i]] = (uint32_t)i;
    }
    alloc_free(&plan->alloc, scores, scores ? bytes : 0);
    list->ranks = plan->ranks.count;
    plan->ranks.count += fine ? count : 0;
    return fine;
}

/* ------------------------------------------------------------------------- plans */

void cut_plan_init(cut_plan *plan, rows_keep keep, pith_text field, pith_alloc alloc)
{
    memset(plan, 0, sizeof *plan);
    plan->keep = keep;
    plan->field = field;
    plan->alloc = alloc;
}

void cut_plan_free(cut_plan *plan)
{
    LIST_FREE(&plan->lists, &plan->alloc);
    LIST_FREE(&plan->ranks, &plan->alloc);
}

static void cut_plan_empty(cut_plan *plan)
{
    plan->lists.count = 0;
    plan->ranks.count = 0;
    plan->most = 0;
}

static bool cut_plan_add(cut_plan *plan, const pith_doc *doc, uint32_t at, size_t weight)
{
    cut_list *list = LIST_ADD(&plan->lists, &plan->alloc);
    if (!list)
        return false;
    list->at = at;
    list->count = doc->slots[at].n;
    list->map = doc->slots[at].kind == PITH_OBJECT;
    list->weight = weight;
    list->ranks = 0;
    return true;
}

/* Ends the plan: ranks rows where that is asked for. */
static bool cut_plan_end(cut_plan *plan, const pith_doc *doc)
{
    bool fine = true;
    for (size_t i = 0; i < plan->lists.count && fine; i++) {
        cut_list *list = &plan->lists.at[i];
        plan->most = list->count > plan->most ? list->count : plan->most;
        fine = plan->keep != ROWS_KEEP_BEST || cut_rank(plan, doc, list);
    }
    return fine;
}

bool cut_plan_rows(cut_plan *plan, pith_value rows)
{
    cut_plan_empty(plan);
    return !rows.doc ||
           (cut_plan_add(plan, rows.doc, rows.at, 0) && cut_plan_end(plan, rows.doc));
}

/* Members are of a kind when half of them are objects with the keys of the first, or when
 * there are many and all are objects, or arrays, or texts, and so on. */
static bool cut_is_map(const pith_doc *doc, uint32_t at)
{
    const pith_slot *object = &doc->slots[at];
    const pith_slot *first = &doc->slots[at + 1];
    uint32_t alike = 0;
    bool one_kind = true;
    uint32_t child = at + 1;
    for (uint32_t i = 0; i < object->n; i++, child = doc_after_at(doc, child)) {
        const pith_slot *slot = &doc->slots[child];
        one_kind = one_kind && slot->kind == first->kind;
        alike += slot->kind == PITH_OBJECT && slot->n > 0 && slot->shape != SHAPE_NONE &&
                 slot->shape == first->shape;
    }
    return one_kind && (object->n >= CUT_MAP_WIDE ||
                        (first->kind == PITH_OBJECT && alike >= (object->n + 1) / 2));
}

static bool cut_is_list(const pith_doc *doc, uint32_t at)
{
    const pith_slot *slot = &doc->slots[at];
    if (!slot_is_container(slot) || slot->n < 2 || (slot->flags & SLOT_TYPED))
        return false;
    return slot->kind == PITH_ARRAY || cut_is_map(doc, at);
}

size_t cut_weight(const pith_doc *doc, uint32_t at)
{
    uint32_t end = doc_after_at(doc, at);
    size_t weight = end - at;
    for (; at < end; at++)
        if (doc->slots[at].kind == PITH_STRING)
            weight += doc->slots[at].n / CUT_TEXT_SHARE;
    return weight;
}

/* Drops the lists that are small beside the largest. */
static void cut_plan_heavy(cut_plan *plan)
{
    size_t heaviest = 0;
    size_t kept = 0;
    for (size_t i = 0; i < plan->lists.count; i++)
        if (plan->lists.at[i].weight > heaviest)
            heaviest = plan->lists.at[i].weight;
    for (size_t i = 0; i < plan->lists.count; i++)
        if (plan->lists.at[i].weight >= heaviest / CUT_SMALL)
            plan->lists.at[kept++] = plan->lists.at[i];
    plan->lists.count = kept;
}

bool cut_plan_lists(cut_plan *plan, pith_value value)
{
    const pith_doc *doc = value.doc;
    uint32_t end = doc_after_at(doc, value.at);
    cut_plan_empty(plan);
    for (uint32_t at = value.at; at < end;) {
        const pith_slot *slot = &doc->slots[at];
        bool list = cut_is_list(doc, at);
        bool whole = slot_is_container(slot) && (list || (slot->flags & SLOT_TYPED));
        uint32_t next = whole ? slot->u.link.next : at + 1;
        if (list && !cut_plan_add(plan, doc, at, cut_weight(doc, at)))
            return false;
        at = next;
    }
    cut_plan_heavy(plan);
    return cut_plan_end(plan, doc);
}

/* ------------------------------------------------------------------------- copying */

/* A container that is being copied. */
typedef struct cut_frame {
    pith_value child; /* the next one */
    bool object;
    const cut_list *list; /* NULL when all of it stays */
    uint64_t index;
    uint64_t keep;
} cut_frame;

typedef struct cut_copier {
    pith_doc *doc;
    const cut_plan *plan;
    size_t step;
    size_t clip;
    size_t next; /* list of the plan */
    cut_tally *tally;
    LIST(cut_frame) frames;
} cut_copier;

/* Whether the next child of a list is among those that stay. */
static bool cut_stays(const cut_copier *copy, const cut_frame *frame)
{
    const cut_list *list = frame->list;
    switch (copy->plan->keep) {
    case ROWS_KEEP_LAST:
        return frame->index >= list->count - frame->keep;
    case ROWS_KEEP_SPREAD:
        return frame->index * frame->keep % list->count < frame->keep;
    case ROWS_KEEP_BEST:
        return copy->plan->ranks.at[list->ranks + frame->index] < frame->keep;
    default:
        return frame->index < frame->keep;
    }
}

/* A text of more characters than may stay, up to there, with a mark. */
static void cut_copy_text(cut_copier *copy, pith_text text)
{
    size_t characters = text.len > copy->clip ? utf8_count(text.ptr, text.len) : 0;
    if (copy->clip == 0 || characters <= copy->clip) {
        pith_doc_add_text(copy->doc, text.ptr, text.len);
        return;
    }
    size_t len = 0;
    for (size_t i = 0; i < copy->clip; i++)
        len += utf8_decode(text.ptr + len, text.len - len, NULL);
    char mark[40];
    size_t mark_len =
        print_into(mark, sizeof mark, "\xE2\x80\xA6[+%zu]", characters - copy->clip);
    size_t bytes = len + mark_len;
    char *clipped = (char *)alloc_resize(&copy->doc->alloc, NULL, 0, bytes);
    if (!clipped) {
        if (copy->doc->fault.status == PITH_OK)
            error_no_memory(&copy->doc->fault);
        return;
    }
    memcpy(clipped, text.ptr, len);
    memcpy(clipped + len, mark, mark_len);
    pith_doc_add_text(copy->doc, clipped, bytes);
    alloc_free(&copy->doc->alloc, clipped, bytes);
    copy->tally->texts_clipped++;
}

/* Whether a key can stand in a note: it is short, and on one line. */
static bool cut_can_be_said(pith_text key)
{
    for (size_t i = 0; i < key.len; i++)
        if (key.ptr[i] <= ' ' || key.ptr[i] > '~')
            return false;
    return key.len > 0 && key.len < CUT_NAME_LEN;
}

/* Counts what happens to a list under its name. */
static void cut_name(cut_tally *tally, pith_text key, size_t kept, size_t gone)
{
    size_t i = 0;
    while (i < tally->name_count && i < CUT_NAMES_MOST &&
           !text_is(key, tally->named[i].name))
        i++;
    bool fits = cut_can_be_said(key) && i < CUT_NAMES_MOST;
    if (!fits || tally->name_count > CUT_NAMES_MOST) {
        tally->name_count = CUT_NAMES_MOST + 1;
        return;
    }
    cut_named *named = &tally->named[i];
    if (i == tally->name_count) {
        memset(named, 0, sizeof *named);
        memcpy(named->name, key.ptr, key.len);
        tally->name_count++;
    }
    named->kept += kept;
    named->gone += gone;
}

static void cut_count(cut_copier *copy, const cut_frame *frame, pith_text key)
{
    size_t gone = (size_t)(frame->list->count - frame->keep);
    if (gone > 0)
        cut_name(copy->tally, key, (size_t)frame->keep, gone);
    if (frame->list->map) {
        copy->tally->members += (size_t)frame->keep;
        copy->tally->members_left_out += gone;
    } else {
        copy->tally->rows += (size_t)frame->keep;
        copy->tally->rows_left_out += gone;
    }
}

/* Goes into a container. */
static void cut_open(cut_copier *copy, pith_value value)
{
    const cut_plan *plan = copy->plan;
    cut_frame *frame = LIST_ADD(&copy->frames, &copy->doc->alloc);
    if (!frame) {
        if (copy->doc->fault.status == PITH_OK)
            error_no_memory(&copy->doc->fault);
        return;
    }
    memset(frame, 0, sizeof *frame);
    frame->child = pith_value_first(value);
    frame->object = pith_value_kind(value) == PITH_OBJECT;
    if (copy->next < plan->lists.count && plan->lists.at[copy->next].at == value.at) {
        frame->list = &plan->lists.at[copy->next++];
        uint64_t share = (uint64_t)frame->list->count * copy->step;
        frame->keep = (share + plan->most - 1) / plan->most;
        cut_count(copy, frame, pith_value_key(value));
    }
    if (frame->object)
        pith_doc_open_object(copy->doc);
    else
        pith_doc_open_array(copy->doc);
}

/* Copies a value, or begins to. */
static void cut_copy_value(cut_copier *copy, pith_value value)
{
    const cut_plan *plan = copy->plan;
    const pith_slot *slot = &value.doc->slots[value.at];
    uint32_t end = doc_after_at(value.doc, value.at);
    bool typed = (slot->flags & SLOT_TYPED) != 0;
    bool lists = copy->next < plan->lists.count && plan->lists.at[copy->next].at < end;
    if (slot_is_container(slot) && (lists || (copy->clip > 0 && !typed)))
        cut_open(copy, value);
    else if (slot->kind == PITH_STRING && !typed)
        cut_copy_text(copy, slot_text(slot));
    else
        pith_doc_add_value(copy->doc, value);
}

/* The next child of the innermost container, if it stays. */
static void cut_copy_child(cut_copier *copy, cut_frame *frame)
{
    pith_value child = frame->child;
    bool stays = !frame->list || cut_stays(copy, frame);
    frame->child = pith_value_next(child);
    frame->index++;
    if (!stays)
        return;
    if (frame->object) {
        pith_text key = pith_value_key(child);
        pith_doc_add_key(copy->doc, key.ptr, key.len);
    }
    cut_copy_value(copy, child);
}

void cut_copy(pith_doc *doc, pith_value value, const cut_plan *plan, size_t step,
              size_t clip, bool leave_open, cut_tally *tally)
{
    cut_copier copy;
    memset(&copy, 0, sizeof copy);
    copy.doc = doc;
    copy.plan = plan;
    copy.step = step;
    copy.clip = clip;
    copy.tally = tally;
    if (leave_open && slot_is_container(&value.doc->slots[value.at]))
        cut_open(&copy, value);
    else
        cut_copy_value(&copy, value);
    while (copy.frames.count > 0 && doc->fault.status == PITH_OK) {
        cut_frame *frame = &copy.frames.at[copy.frames.count - 1];
        if (frame->child.doc) {
            cut_copy_child(&copy, frame);
            continue;
        }
        copy.frames.count--;
        if (copy.frames.count > 0 || !leave_open)
            pith_doc_close(doc);
    }
    LIST_FREE(&copy.frames, &doc->alloc);
}

void doc_copy_rows(pith_doc *doc, pith_value value, pith_value rows, size_t count,
                   rows_keep keep)
{
    cut_plan plan;
    cut_tally tally;
    memset(&tally, 0, sizeof tally);
    cut_plan_init(&plan, keep, text_of(NULL, 0), doc->alloc);
    if (cut_plan_rows(&plan, rows))
        cut_copy(doc, value, &plan, count, 0, false, &tally);
    else if (doc->fault.status == PITH_OK)
        error_no_memory(&doc->fault);
    cut_plan_free(&plan);
}
