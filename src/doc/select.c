/*
 * select.c - going through a tape and leaving out what was not asked for.
 *
 * Both walks, the one to what `at` means and the one that leaves members out, keep a list of
 * the containers they are in. The next slot is written where nothing will be read any more:
 * what is written is never ahead of what is read.
 *
 *     read     0 { 1 a 2 [ 3 b 4 c ] 5 d }          fields=a,d
 *     written  0 { 1 a 2 d }
 */
#include "doc/select.h"
#include "base/nearest.h"
#include "base/num.h"
#include "base/scan.h"
#include "doc/cut.h"

#include <stdio.h>

/* ---------------------------------------------------------------- what was asked for */

/* "A:B" with either left out. */
static bool select_read_slice(pith_text text, uint64_t *first, uint64_t *after)
{
    *first = 0;
    *after = UINT64_MAX;
    if (text.len == 0 || !memchr(text.ptr, ':', text.len))
        return false;
    pith_text from = text_split(&text, ':');
    const char *digits = scan_digits(from.ptr, from.ptr + from.len);
    const char *more = scan_digits(text.ptr, text.ptr + text.len);
    return digits == from.ptr + from.len && more == text.ptr + text.len &&
           (from.len == 0 || num_to_uint64(from, first)) &&
           (text.len == 0 || num_to_uint64(text, after)) && *first < *after;
}

static pith_status select_read(selection *select, const select_words *words,
                               pith_error *err)
{
    pith_status status = PITH_OK;
    const pith_alloc *alloc = &select->alloc;
    if (words->at.len > 0)
        status = path_list_read(&select->at, words->at, PATH_ONE, "at", alloc, err);
    if (status == PITH_OK && words->fields.len > 0)
        status = path_list_read(&select->fields, words->fields, PATH_SEVERAL, "fields",
                                alloc, err);
    if (status == PITH_OK && words->drop.len > 0)
        status =
            path_list_read(&select->drop, words->drop, PATH_LOOSE, "drop", alloc, err);
    select->drop_null = words->drop_null;
    select->slices = words->rows.len > 0;
    select->after = UINT64_MAX;
    if (status == PITH_OK && select->slices &&
        !select_read_slice(words->rows, &select->first, &select->after)) {
        status =
            error_set(err, PITH_BAD_USE, "bad_setting",
                      "setting rows is A:B, from row A, counted from 0, up to row B, "
                      "which is larger and not included, not '%s'",
                      error_quote(words->rows.ptr, words->rows.len).text);
    }
    for (size_t i = 0; i < select->drop.paths.count; i++)
        select->drops_anywhere |= select->drop.paths.at[i].anywhere;
    return status;
}

pith_status select_check(const select_words *words, const pith_alloc *alloc,
                         pith_error *err)
{
    selection select;
    memset(&select, 0, sizeof select);
    select.alloc = *alloc;
    pith_status status = select_read(&select, words, err);
    select_close(&select);
    return status;
}

bool select_open(selection *select, const select_words *words, pith_alloc alloc)
{
    select->alloc = alloc;
    pith_status status = select_read(select, words, NULL);
    assert(status == PITH_OK || status == PITH_NO_MEMORY);
    return status == PITH_OK;
}

void select_close(selection *select)
{
    path_list_free(&select->at, &select->alloc);
    path_list_free(&select->fields, &select->alloc);
    path_list_free(&select->drop, &select->alloc);
    LIST_FREE(&select->levels, &select->alloc);
    LIST_FREE(&select->keys, &select->alloc);
    LIST_FREE(&select->stands, &select->alloc);
}

/* ------------------------------------------------------- why a path leads nowhere */

/* Where a step would have been looked for. */
typedef struct select_place {
    const pith_slot *slot;
    const pith_key *keys; /* of an object */
} select_place;

/* Whether the next step leads somewhere. All elements of an empty array are where it does. */
static bool select_step_leads(const path_list *list, const value_path *path,
                              uint16_t stands, const select_place *place)
{
    const pith_slot *slot = place->slot;
    if (slot->kind == PITH_ARRAY) {
        const path_step *step = path_step_at(list, path, stands);
        return step->kind == STEP_EACH || step->index == PATH_NO_INDEX ||
               step->index < slot->n;
    }
    if (slot->kind == PITH_OBJECT && slot->n == 0 && path->many)
        return true;
    for (uint32_t i = 0; slot->kind == PITH_OBJECT && i < slot->n; i++)
        if (path_into_member(list, path, stands, key_text(&place->keys[i])) != PATH_LOST)
            return true;
    return false;
}

/* A sentence being written. */
typedef struct select_sentence {
    char *to;
    size_t len, size;
} select_sentence;

static void select_say(select_sentence *say, const char *text, size_t len)
{
    size_t room = say->size - 1 - say->len;
    error_excerpt shown = error_quote(text, len);
    size_t shown_len = strlen(shown.text);
    size_t taken = shown_len < room ? shown_len : room;
    memcpy(say->to + say->len, shown.text, taken);
    say->len += taken;
    say->to[say->len] = '\0';
}

static void select_say_word(select_sentence *say, const char *word)
{
    select_say(say, word, strlen(word));
}

enum { SELECT_KEYS_NEAR = 128, SELECT_KEY_LONGEST = 33 };

/* The nearest key to a name, if one is near. */
static bool select_nearest(const select_place *place, pith_text name,
                           char nearest[SELECT_KEY_LONGEST])
{
    char words[SELECT_KEYS_NEAR][SELECT_KEY_LONGEST];
    const char *list[SELECT_KEYS_NEAR];
    char typed[SELECT_KEY_LONGEST];
    size_t count = 0;
    if (name.len >= sizeof typed)
        return false;
    memcpy(typed, name.ptr, name.len);
    typed[name.len] = '\0';
    for (uint32_t i = 0; i < place->slot->n && count < SELECT_KEYS_NEAR; i++) {
        pith_text key = key_text(&place->keys[i]);
        if (key.len >= SELECT_KEY_LONGEST)
            continue;
        memcpy(words[count], key.ptr, key.len);
        words[count][key.len] = '\0';
        list[count] = words[count];
        count++;
    }
    const char *near = nearest_word(typed, list, count);
    if (near)
        memcpy(nearest, near, strlen(near) + 1);
    return near != NULL;
}

/* "there is no 'itmes', perhaps 'items'; there are id, items, kind" */
static void select_say_members(select_sentence *say, const select_place *place,
                               const path_step *step)
{
    char near[SELECT_KEY_LONGEST];
    bool named = step->kind == STEP_NAME || step->kind == STEP_PATTERN;
    if (place->slot->n == 0) {
        select_say_word(say, "the object there is empty");
        return;
    }
    if (!named) {
        select_say_word(say, "an object is there, with ");
    } else {
        select_say_word(say, "there is no '");
        select_say(say, step->name.ptr, step->name.len);
        if (step->kind == STEP_NAME && select_nearest(place, step->name, near)) {
            select_say_word(say, "', perhaps '");
            select_say_word(say, near);
        }
        select_say_word(say, "'; there is ");
    }
    for (uint32_t i = 0; i < place->slot->n; i++) {
        if (say->len + 24 > say->size) {
            select_say_word(say, ", ...");
            return;
        }
        if (i > 0)
            select_say_word(say, ", ");
        select_say(say, place->keys[i].text, place->keys[i].len);
    }
}

static void select_say_why(const path_list *list, value_path *path, uint16_t stands,
                           const select_place *place)
{
    static const char *const kinds[] = {"nothing",  "null",     "false",   "true",
                                        "a number", "a number", "a string"};
    select_sentence say = {path->why, 0, sizeof path->why};
    char count[32];
    if (place->slot->kind == PITH_OBJECT) {
        select_say_members(&say, place, path_step_at(list, path, stands));
    } else if (place->slot->kind == PITH_ARRAY) {
        snprintf(count, sizeof count, "%lu", (unsigned long)place->slot->n);
        select_say_word(&say, "the array there has ");
        select_say_word(&say, count);
        select_say_word(&say, place->slot->n == 1 ? " element" : " elements");
    } else {
        const pith_text before =
            stands > 0 ? path_step_at(list, path, stands - 1)->name : text_of(NULL, 0);
        select_say_word(&say, before.len > 0 ? "in '" : "there is only ");
        select_say(&say, before.ptr ? before.ptr : "", before.len);
        select_say_word(&say, before.len > 0 ? "' there is only " : "");
        select_say_word(&say, kinds[place->slot->kind]);
    }
}

/* Remembers what is there when a path that was not found yet has come further than before:
 * a few times for each path, however large the document is. */
static void select_follow(const path_list *list, value_path *path, uint16_t stands,
                          const select_place *place)
{
    bool typed = (place->slot->flags & SLOT_TYPED) != 0;
    if (path->found || stands < path->followed)
        return;
    if (!typed && select_step_leads(list, path, stands, place)) {
        bool passes = place->slot->kind == PITH_ARRAY &&
                      path_step_at(list, path, stands)->index == PATH_NO_INDEX &&
                      path_step_at(list, path, stands)->kind != STEP_EACH;
        path->followed = passes ? stands : (uint16_t)(stands + 1);
    } else {
        select_say_why(list, path, stands, place);
        path->followed = (uint16_t)(stands + 1);
    }
}

/* --------------------------------------------------------------------- containers */

/* Whether a value is gone into: others are taken or left as one. */
static bool select_enters(const pith_slot *slot)
{
    return slot_is_container(slot) && !(slot->flags & SLOT_TYPED);
}

static select_level *select_push(selection *select, const pith_doc *doc, uint32_t from)
{
    select_level *level = LIST_ADD(&select->levels, &select->alloc);
    if (!level) {
        select->refused = true;
        return NULL;
    }
    memset(level, 0, sizeof *level);
    level->was = doc->slots[from];
    level->from = from;
    level->end = doc_children_end(&level->was);
    level->keys = level->was.kind == PITH_OBJECT ? doc_keys(doc, &level->was) : NULL;
    level->kept_keys = select->keys.count;
    return level;
}

static select_level *select_top(selection *select)
{
    return select->levels.count ? &select->levels.at[select->levels.count - 1] : NULL;
}

/* Copies a value to `to`, which is not after it, as a child of `parent`; the slot after
 * the copy. */
static uint32_t select_move(pith_doc *doc, uint32_t from, uint32_t to, uint32_t parent)
{
    pith_slot *slots = doc->slots;
    uint32_t end = doc_after_at(doc, from);
    uint32_t back = from - to;
    assert(to <= from);
    for (uint32_t i = from; i < end; i++) {
        pith_slot slot = slots[i];
        if (slot_is_container(&slot)) {
            slot.u.link.next -= back;
            slot.u.link.parent = i == from ? parent : slot.u.link.parent - back;
        }
        slots[i - back] = slot;
    }
    return end - back;
}

/* ------------------------------------------------------------------------- `at` */

typedef struct select_search {
    selection *select;
    pith_doc *doc;
    uint32_t to;     /* where the next match goes */
    uint32_t found;  /* matches */
    bool many;       /* there may be several, so they become an array */
    size_t counts;   /* the level whose elements count, plus 1; 0 for none */
    uint32_t before; /* matches before the element that is being looked into */
} select_search;

/* Enters a value in which the path stands at that step. */
static void select_search_enter(select_search *search, uint32_t at, uint16_t stands)
{
    selection *select = search->select;
    value_path *path = &select->at.paths.at[0];
    const pith_slot *slot = &search->doc->slots[at];
    bool object = slot->kind == PITH_OBJECT;
    select_place place = {slot, object ? doc_keys(search->doc, slot) : NULL};
    select_follow(&select->at, path, stands, &place);
    if (!select_enters(slot))
        return;
    bool array = slot->kind == PITH_ARRAY;
    const path_step *step = path_step_at(&select->at, path, stands);
    bool maps = array && (step->kind == STEP_EACH || step->index == PATH_NO_INDEX);
    select_level *level = select_push(select, search->doc, at);
    if (!level)
        return;
    level->stands = stands;
    search->many = search->many || maps;
    if (maps && search->counts == 0)
        search->counts = select->levels.count;
}

/* Notes whether the element that was looked into last had something. */
static void select_search_count(select_search *search, const select_level *level)
{
    if (search->counts != search->select->levels.count || level->keys ||
        level->index == 0)
        return;
    search->select->looked++;
    search->select->without += search->found == search->before;
    search->before = search->found;
}

static void select_search_child(select_search *search, select_level *level, uint32_t at)
{
    selection *select = search->select;
    value_path *path = &select->at.paths.at[0];
    uint16_t stands = (uint16_t)level->stands;
    uint32_t index = level->index++;
    stands = level->keys ? path_into_member(&select->at, path, stands,
                                            key_text(&level->keys[index]))
                         : path_into_element(&select->at, path, stands, index);
    if (stands == PATH_LOST)
        return;
    if (stands < path->count) {
        select_search_enter(search, at, stands);
        return;
    }
    path->found = true;
    search->to = select_move(search->doc, at, search->to, 0);
    search->found++;
}

/* Puts what the path leads to, from `stands` on, in the place of the document's value. What
 * it finds goes to slot 1 and after it, so that slot 0 can become the array of it. */
static bool select_search_all(select_search *search, uint16_t stands)
{
    selection *select = search->select;
    pith_doc *doc = search->doc;
    uint32_t at = 1;
    select->levels.count = 0;
    select_search_enter(search, 0, stands);
    select_level *level;
    while ((level = select_top(select)) != NULL && !select->refused) {
        select_search_count(search, level);
        if (at == level->end) {
            at = level->was.u.link.next;
            select->levels.count--;
            continue;
        }
        uint32_t child = at;
        size_t depth = select->levels.count;
        uint32_t next = doc_after_at(doc, child);
        select_search_child(search, level, child);
        at = select->levels.count > depth ? child + 1 : next;
    }
    return !select->refused;
}

/* Makes the matches the document's value: the one there is, or an array. */
static void select_found(pith_doc *doc, uint32_t found, uint32_t to, bool many)
{
    if (found == 0 && !many) {
        slot_set_word(&doc->slots[0], PITH_NULL);
        doc->count = 1;
    } else if (many) {
        pith_slot *array = &doc->slots[0];
        memset(array, 0, sizeof *array);
        array->kind = PITH_ARRAY;
        array->n = found;
        array->u.link.next = to;
        array->u.link.parent = SLOT_NONE;
        doc->count = to;
    } else {
        doc->count = select_move(doc, 1, 0, SLOT_NONE);
    }
}

/* Leaves what `at` leads to; false when out of memory. */
static bool select_at(selection *select, pith_doc *doc)
{
    select_search search = {select, doc, 1, 0, select->at.paths.at[0].many, 0, 0};
    if (!select_search_all(&search, 0))
        return false;
    select_found(doc, search.found, search.to, search.many);
    return true;
}

/* ----------------------------------------------------------- leaving members out */

typedef struct select_filter {
    selection *select;
    pith_doc *doc;
    uint32_t to;   /* where the next slot goes */
    uint32_t rows; /* the array that is sliced, or SLOT_NONE */
    uint64_t first, after;
    uint64_t before; /* rows before those of the document's array */
} select_filter;

/* How a child of a level is dealt with. */
typedef struct select_verdict {
    bool whole; /* all of it is asked for, but for what `drop` says */
    bool alive; /* or a path leads further into it */
    bool drops; /* a path of `drop` does */
    bool gone;  /* it is left out */
} select_verdict;

/* Where the paths stand in a level: those of `fields`, then those of `drop`. */
static uint16_t *select_stands(selection *select, const select_level *level)
{
    return select->stands.at + level->stands;
}

static size_t select_path_count(const selection *select)
{
    return select->fields.paths.count + select->drop.paths.count;
}

/* Room for where the paths stand one level deeper; NULL when out of memory. */
static uint16_t *select_deeper(selection *select)
{
    size_t count = select_path_count(select);
    uint16_t *room = LIST_ROOM(&select->stands, &select->alloc, count + 1);
    if (!room)
        select->refused = true;
    return room;
}

static uint16_t select_advance(const path_list *list, const value_path *path,
                               uint16_t stands, const select_level *level, uint64_t index)
{
    if (stands == PATH_LOST)
        return PATH_LOST;
    return level->keys
               ? path_into_member(list, path, stands, key_text(&level->keys[index]))
               : path_into_element(list, path, stands, index);
}

/* Moves the paths of `fields` on into a child. */
static void select_judge_fields(selection *select, const select_level *level,
                                uint64_t index, const uint16_t *stands, uint16_t *into,
                                select_verdict *verdict)
{
    path_list *list = &select->fields;
    verdict->whole = level->whole;
    for (size_t i = 0; i < list->paths.count && !level->whole; i++) {
        value_path *path = &list->paths.at[i];
        into[i] = select_advance(list, path, stands[i], level, index);
        if (into[i] == path->count) {
            path->found = true;
            verdict->whole = true;
        }
        verdict->alive = verdict->alive || into[i] < path->count;
    }
    verdict->gone = !verdict->whole && !verdict->alive;
}

static void select_judge_drop(selection *select, const select_level *level,
                              uint64_t index, const uint16_t *stands, uint16_t *into,
                              select_verdict *verdict)
{
    path_list *list = &select->drop;
    for (size_t i = 0; i < list->paths.count && !verdict->gone; i++) {
        value_path *path = &list->paths.at[i];
        if (path->anywhere && !level->keys) {
            into[i] = 0; /* one name, which an array has not got */
            continue;
        }
        into[i] = select_advance(list, path, stands[i], level, index);
        verdict->gone = into[i] == path->count;
        path->found = path->found || verdict->gone;
        verdict->drops = verdict->drops || into[i] < path->count;
        if (path->anywhere)
            into[i] = 0;
    }
}

static void select_judge_paths(selection *select, const select_level *level,
                               uint64_t index, uint16_t *into, select_verdict *verdict)
{
    const uint16_t *stands = select_stands(select, level);
    size_t fields = select->fields.paths.count;
    select_judge_fields(select, level, index, stands, into, verdict);
    select_judge_drop(select, level, index, stands + fields, into + fields, verdict);
}

/* Where the paths stand in the child goes after where they stand in the level. */
static select_verdict select_judge(select_filter *filter, const select_level *level,
                                   uint32_t index, const pith_slot *child)
{
    selection *select = filter->select;
    select_verdict verdict = {false, false, false, false};
    uint16_t *into = select_deeper(select);
    if (!into)
        return verdict;
    uint64_t number = index + (level->from == 0 ? filter->before : 0);
    if (level->from == filter->rows &&
        (number < filter->first || number >= filter->after)) {
        verdict.gone = true;
        return verdict;
    }
    select_judge_paths(select, level, number, into, &verdict);
    if (level->keys && child->kind == PITH_NULL && select->drop_null)
        verdict.gone = true;
    return verdict;
}

/* The keys that are left, as the shape they make or as a list. */
static bool select_end_object(select_filter *filter, const select_level *level,
                              pith_slot *slot)
{
    pith_doc *doc = filter->doc;
    pith_key *keys = filter->select->keys.at + level->kept_keys;
    uint16_t shape = SHAPE_EMPTY;
    for (uint32_t i = 0; i < level->kept && shape != SHAPE_NONE; i++) {
        shape =
            shapes_step(&doc->shapes, shape, keys[i].text, keys[i].len, keys[i].flags);
        shape = shape == SHAPE_DUPLICATE ? (uint16_t)SHAPE_NONE : shape;
    }
    slot->shape = shape;
    if (shape != SHAPE_NONE)
        return shapes_list(&doc->shapes, shape) != NULL;
    size_t bytes = level->kept * sizeof *keys;
    pith_key *list = (pith_key *)arena_take_aligned(&doc->arena, bytes);
    if (!list)
        return false;
    memcpy(list, keys, bytes);
    pith_slot *end = &doc->slots[filter->to++];
    memset(end, 0, sizeof *end);
    end->kind = SLOT_KEYS;
    end->n = level->kept;
    end->u.keys = list;
    return true;
}

/* Ends a container that was gone through; whether it stays. */
static bool select_close_level(select_filter *filter, const select_level *level,
                               const select_level *parent)
{
    pith_doc *doc = filter->doc;
    pith_slot slot = level->was;
    if (parent && parent->keys && !level->whole && !level->found) {
        filter->to = level->to;
        return false;
    }
    if (slot.kind == PITH_OBJECT && level->kept < slot.n)
        filter->select->refused |= !select_end_object(filter, level, &slot);
    else if (doc_is_unshaped(&slot))
        doc->slots[filter->to++] = doc->slots[level->end];
    slot.n = level->kept;
    slot.u.link.next = filter->to;
    slot.u.link.parent = parent ? parent->to : SLOT_NONE;
    doc->slots[level->to] = slot;
    return true;
}

/* A child has come to stay. */
static void select_keep(selection *select, select_level *level, uint32_t index,
                        bool found)
{
    level->kept++;
    level->found = level->found || found;
    if (!level->keys)
        return;
    pith_key *key = LIST_ADD(&select->keys, &select->alloc);
    if (key)
        *key = level->keys[index];
    else
        select->refused = true;
}

static void select_follow_fields(selection *select, const uint16_t *stands,
                                 const select_place *place)
{
    for (size_t i = 0; i < select->fields.paths.count; i++) {
        value_path *path = &select->fields.paths.at[i];
        if (stands[i] < path->count)
            select_follow(&select->fields, path, stands[i], place);
    }
}

/* Looks, in a container that is entered, whether the paths go on. */
static void select_follow_all(selection *select, const select_level *level)
{
    const uint16_t *stands = select_stands(select, level);
    select_place place = {&level->was, level->keys};
    if (!level->whole)
        select_follow_fields(select, stands, &place);
    stands += select->fields.paths.count;
    for (size_t i = 0; i < select->drop.paths.count; i++) {
        value_path *path = &select->drop.paths.at[i];
        if (stands[i] < path->count && (!path->anywhere || level->keys))
            select_follow(&select->drop, path, stands[i], &place);
    }
}

/* Enters a container; where the paths stand in it is after the last that counts. */
static void select_enter(select_filter *filter, uint32_t from, bool whole)
{
    selection *select = filter->select;
    select_level *level = select_push(select, filter->doc, from);
    if (!level)
        return;
    level->to = filter->to++;
    level->whole = whole;
    level->stands = select->stands.count;
    select->stands.count += select_path_count(select);
    select_follow_all(select, level);
}

/* A value that no path leads into and in which nothing is looked for. */
static bool select_is_settled(const select_filter *filter, uint32_t at, uint32_t after,
                              const select_verdict *verdict)
{
    const selection *select = filter->select;
    bool sliced = filter->rows >= at && filter->rows < after;
    return !sliced && verdict->whole && !verdict->drops && !select->drops_anywhere &&
           !select->drop_null;
}

/* Takes or leaves the child at `at` of the innermost level; the slot to go on with. */
static uint32_t select_child(select_filter *filter, uint32_t at)
{
    selection *select = filter->select;
    pith_doc *doc = filter->doc;
    select_level *level = select_top(select);
    uint32_t index = level->index++;
    uint32_t after = doc_after_at(doc, at);
    select_verdict verdict = select_judge(filter, level, index, &doc->slots[at]);
    if (select->refused || verdict.gone)
        return after;
    if (select_enters(&doc->slots[at]) &&
        !select_is_settled(filter, at, after, &verdict)) {
        select_enter(filter, at, verdict.whole);
        return at + 1;
    }
    if (!verdict.whole) {
        select_place place = {&doc->slots[at], NULL};
        select_follow_fields(select, select->stands.at + select->stands.count, &place);
    } else {
        filter->to = select_move(doc, at, filter->to, level->to);
        select_keep(select, level, index, true);
    }
    return after;
}

/* Ends the innermost level, and hands it to the one around it. */
static uint32_t select_leave(select_filter *filter)
{
    selection *select = filter->select;
    select_level level = select->levels.at[--select->levels.count];
    select_level *parent = select_top(select);
    bool stays = select_close_level(filter, &level, parent);
    select->keys.count = level.kept_keys;
    select->stands.count = level.stands;
    if (stays && parent)
        select_keep(select, parent, parent->index - 1, level.whole || level.found);
    return level.was.u.link.next;
}

/* Goes through the document, in whose value the paths stand where select->stands says. */
static bool select_filter_all(select_filter *filter, bool whole)
{
    selection *select = filter->select;
    uint32_t at = 1;
    if (!select_enters(&filter->doc->slots[0])) {
        select_place place = {&filter->doc->slots[0], NULL};
        select_follow_fields(select, select->stands.at, &place);
        return true;
    }
    select->levels.count = 0;
    select->keys.count = 0;
    filter->to = 0;
    select_enter(filter, 0, whole);
    const select_level *level;
    while ((level = select_top(select)) != NULL && !select->refused)
        at = at == level->end ? select_leave(filter) : select_child(filter, at);
    filter->doc->count = filter->to;
    return !select->refused;
}

static bool select_filters(const selection *select)
{
    return select_path_count(select) > 0 || select->drop_null;
}

/* All paths stand at their beginning. */
static bool select_begin(selection *select)
{
    select->stands.count = 0;
    uint16_t *stands = select_deeper(select);
    if (stands)
        memset(stands, 0, select_path_count(select) * sizeof *stands);
    return stands != NULL;
}

/* ------------------------------------------------------------------------ the whole */

/* The rows of the value, where they are sliced. */
static void select_slice(selection *select, select_filter *filter)
{
    if (!select->slices)
        return;
    pith_value rows = doc_find_rows(pith_doc_root(filter->doc));
    if (!rows.doc)
        return;
    uint64_t count = pith_value_count(rows);
    uint64_t after = select->after < count ? select->after : count;
    filter->rows = rows.at;
    filter->first = select->first;
    filter->after = select->after;
    select->rows += count;
    select->wanted += after > select->first ? after - select->first : 0;
}

/* All but `at`. */
static bool select_members(selection *select, pith_doc *doc)
{
    select_filter filter = {.select = select, .doc = doc, .rows = SLOT_NONE};
    select_slice(select, &filter);
    if (filter.rows == SLOT_NONE && !select_filters(select))
        return true;
    return select_begin(select) &&
           select_filter_all(&filter, select->fields.paths.count == 0);
}

/* Types of columns are told for all rows alike, and some may have lost theirs. */
static void select_forget_tables(pith_doc *doc)
{
    doc->table_count = 0;
}

bool select_in_document(selection *select, pith_doc *doc)
{
    assert(doc->finished && doc->count > 0);
    select_forget_tables(doc);
    if (select->at.paths.count > 0 && !select_at(select, doc))
        return false;
    bool there = select->at.paths.count == 0 || select->at.paths.at[0].found;
    return !there || select_members(select, doc);
}

/* -------------------------------------------------------------------- row by row */

/* Whether the first step of a path is the number of a row. */
static bool select_is_numbered(const path_list *list, const value_path *path)
{
    const path_step *step = path_step_at(list, path, 0);
    return step->kind != STEP_EACH && step->index != PATH_NO_INDEX;
}

/* Leaves what `at` leads to in a row. SELECT_ALL: that is the value, and no other row has
 * any part in it. */
static select_result select_at_in_row(selection *select, pith_doc *doc, uint64_t number)
{
    value_path *path = &select->at.paths.at[0];
    uint16_t stands = path_into_element(&select->at, path, 0, number);
    bool numbered = select_is_numbered(&select->at, path);
    select->done = numbered && number >= path_step_at(&select->at, path, 0)->index;
    if (stands == PATH_LOST)
        return SELECT_NONE;
    if (stands == path->count) {
        path->found = true;
        return numbered ? SELECT_ALL : SELECT_ONE;
    }
    select_search search = {select, doc, 1, 0, path->many, 0, 0};
    search.counts = numbered ? 0 : SIZE_MAX; /* else it is the rows that count */
    if (!select_search_all(&search, stands))
        return SELECT_NONE;
    select->looked += !numbered;
    select->without += !numbered && search.found == 0;
    bool array = numbered ? search.many : search.found > 1;
    if (search.found == 0)
        return SELECT_NONE;
    select_found(doc, search.found, search.to, array);
    return numbered ? SELECT_ALL : array ? SELECT_ELEMENTS : SELECT_ONE;
}

/* Several rows, which are the elements of the document's array. */
static bool select_from_rows(selection *select, pith_doc *doc)
{
    select_filter filter = {.select = select, .doc = doc, .rows = SLOT_NONE};
    uint64_t before = select->rows;
    filter.before = before;
    if (select->slices) {
        filter.rows = 0;
        filter.first = select->first;
        filter.after = select->after;
    }
    select->rows += doc->slots[0].n;
    bool fine = select_begin(select) &&
                select_filter_all(&filter, select->fields.paths.count == 0);
    select->wanted += doc->slots[0].n;
    return fine;
}

/* One row. The array that all rows are in is not there, but the paths go through it. */
static bool select_from_row(selection *select, pith_doc *doc)
{
    uint64_t number = select->rows++;
    select_filter filter = {.select = select, .doc = doc, .rows = SLOT_NONE};
    select_level rows = {.whole = select->fields.paths.count == 0};
    select_verdict verdict = {false, false, false, false};
    if (number < select->first || number >= select->after || !select_begin(select))
        return false;
    select->wanted++;
    select->stands.count = select_path_count(select);
    uint16_t *into = select_deeper(select);
    if (!into)
        return false;
    select_judge_paths(select, &rows, number, into, &verdict);
    bool enters = select_enters(&doc->slots[0]);
    if (!enters && !verdict.whole) {
        select_place place = {&doc->slots[0], NULL};
        select_follow_fields(select, into, &place);
    }
    if (verdict.gone || (!enters && !verdict.whole))
        return false;
    return !enters || select_is_settled(&filter, 0, 1, &verdict) ||
           select_filter_all(&filter, verdict.whole);
}

select_result select_in_row(selection *select, pith_doc *doc)
{
    assert(doc->finished && doc->count > 0);
    select_result result = SELECT_ONE;
    uint64_t number = select->numbers++;
    select_forget_tables(doc);
    if (select->at.paths.count > 0)
        result = select_at_in_row(select, doc, number);
    if (result == SELECT_ONE && !select_from_row(select, doc))
        result = SELECT_NONE;
    if (result == SELECT_ELEMENTS && !select_from_rows(select, doc))
        result = SELECT_NONE;
    if (result == SELECT_ALL) {
        const pith_slot *root = &doc->slots[0];
        bool array = root->kind == PITH_ARRAY && !(root->flags & SLOT_TYPED);
        result = !select_members(select, doc) ? SELECT_NONE
                 : array                      ? SELECT_ELEMENTS
                                              : SELECT_ONE;
    } else {
        select->done = select->done || select->rows >= select->after;
    }
    return result;
}

/* ------------------------------------------------------------------------- columns */

static bool select_keeps_column(const selection *select, pith_text name)
{
    const path_list *drop = &select->drop;
    const path_list *fields = &select->fields;
    bool kept = fields->paths.count == 0;
    for (size_t i = 0; i < fields->paths.count; i++)
        if (path_into_member(fields, &fields->paths.at[i], 0, name) != PATH_LOST)
            kept = true;
    for (size_t i = 0; i < drop->paths.count; i++)
        if (path_into_member(drop, &drop->paths.at[i], 0, name) ==
            drop->paths.at[i].count)
            kept = false;
    return kept;
}

size_t select_columns(const selection *select, pith_text *names, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count && select->at.paths.count == 0; i++)
        if (select_keeps_column(select, names[i]))
            names[kept++] = names[i];
    return kept;
}

/* ------------------------------------------------------------------- what to tell */

static void select_end_at(selection *select, reporter *report)
{
    if (select->at.paths.count == 0)
        return;
    value_path *path = &select->at.paths.at[0];
    error_excerpt spelled = error_quote(path->spelled.ptr, path->spelled.len);
    if (!path->found && path->why[0]) {
        report_problem(report, PITH_BAD_INPUT, "no_such_path", REPORT_NOWHERE,
                       "nothing is at '%s': %s", spelled.text, path->why);
    } else if (!path->found && select->numbers > 0 &&
               select_is_numbered(&select->at, path)) {
        report_problem(report, PITH_BAD_INPUT, "no_such_path", REPORT_NOWHERE,
                       "nothing is at '%s': the array there has %llu elements",
                       spelled.text, (unsigned long long)select->numbers);
    } else if (path->found && select->without > 0) {
        report_notice(report, "no_such_path", REPORT_NOWHERE,
                      "%llu of %llu elements have nothing at '%s' and are left out",
                      (unsigned long long)select->without,
                      (unsigned long long)select->looked, spelled.text);
    }
}

void select_end(selection *select, reporter *report)
{
    select_end_at(select, report);
    for (size_t i = 0; i < select->fields.paths.count; i++) {
        const value_path *path = &select->fields.paths.at[i];
        if (!path->found && path->why[0]) {
            report_problem(report, PITH_BAD_INPUT, "no_such_path", REPORT_NOWHERE,
                           "no field is '%s': %s",
                           error_quote(path->spelled.ptr, path->spelled.len).text,
                           path->why);
        }
    }
    if (select->rows > 0 && select->wanted == 0 && select->slices) {
        report_problem(report, PITH_BAD_INPUT, "no_such_rows", REPORT_NOWHERE,
                       "rows from %llu on were asked for, and there are %llu",
                       (unsigned long long)select->first,
                       (unsigned long long)select->rows);
    }
    for (size_t i = 0; i < select->drop.paths.count; i++) {
        const value_path *path = &select->drop.paths.at[i];
        error_excerpt spelled = error_quote(path->spelled.ptr, path->spelled.len);
        if (path->found || !path->why[0] || report->count > 0)
            continue;
        if (path->anywhere)
            report_notice(report, "nothing_dropped", REPORT_NOWHERE,
                          "no member is called '%s', so none was dropped", spelled.text);
        else
            report_notice(report, "nothing_dropped", REPORT_NOWHERE,
                          "nothing to drop is at '%s': %s", spelled.text, path->why);
    }
}
