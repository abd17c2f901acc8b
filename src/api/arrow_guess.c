/*
 * arrow_guess.c - the types of columns that nobody has told, found by looking at rows.
 *
 * Every place that values can be at is a node: a column, a member of the objects in it,
 * the elements of the lists in it. Nodes are names with parents, so meeting a key says
 * which node it is. A node notes what kinds of values it has seen, and what their numbers
 * need. In the end it becomes the smallest type that holds all of them exactly:
 *
 *     7, -1                 l          18446744073709551615   L
 *     7, 0.5                g          0.12345678901234567891 d:20,20
 *     "a"                   u          7, "a"                 u, JSON, of the values
 */
#include "api/arrow_out.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/num.h"
#include "doc/names.h"
#include "doc/spelled.h"
#include "doc/typed.h"

#include <stdio.h>

enum {
    SEEN_BOOL = 1,
    SEEN_NUMBER = 2,
    SEEN_TEXT = 4,
    SEEN_BYTES = 8,
    SEEN_LIST = 16,
    SEEN_OBJECT = 32,
    SEEN_TOO_DEEP = 64 /* and what else no type holds */
};

typedef struct guess_node {
    uint8_t seen;
    bool decimal;               /* of the numbers: one has a point or an exponent, */
    bool beyond_int;            /* one is no int64_t, */
    bool beyond_uint;           /* no uint64_t, */
    bool inexact;               /* no double */
    bool binary;                /* one is a double, NaN perhaps */
    bool vector;                /* of the lists: all are vectors of one size */
    int64_t whole;              /* the most digits before the point */
    int64_t scale;              /* and after it */
    uint32_t size;              /* of vectors */
    uint32_t first, last, next; /* children, and siblings; 0 for none */
    uint16_t depth;
} guess_node;

/* A list or an object that is being looked at. */
typedef struct guess_frame {
    uint32_t node;
    uint32_t at;         /* the next slot */
    uint32_t left;       /* values to come */
    uint32_t hint;       /* most likely the node of the next */
    const pith_key *key; /* of the next, in an object; else NULL */
} guess_frame;

typedef struct arrow_guess {
    pith_alloc alloc;
    const pith_doc *doc;
    name_list names;
    LIST(guess_node) nodes;
    LIST(uint32_t) order; /* the node of each type; 0 for none but the first */
    guess_frame frames[ARROW_DEPTH_MOST + 1];
    size_t depth;
} arrow_guess;

static const pith_key guess_element = {"", 0, 0, 0};

/* The node of a value in `parent` under the key; 0 when out of memory. */
static uint32_t guess_meet(arrow_guess *g, uint32_t parent, const pith_key *key,
                           uint32_t hint)
{
    uint32_t number = names_meet_in(&g->names, parent, key, hint);
    if (number == NAMES_NONE)
        return 0;
    if (number < g->nodes.count)
        return number;
    guess_node *node = LIST_ADD(&g->nodes, &g->alloc);
    if (!node)
        return 0;
    memset(node, 0, sizeof *node);
    guess_node *above = &g->nodes.at[parent];
    node->depth = (uint16_t)(above->depth + 1);
    if (above->last)
        g->nodes.at[above->last].next = number;
    else
        above->first = number;
    above->last = number;
    return number;
}

/* --------------------------------------------------------------------- numbers */

/* Whether the shortest digits of the nearest double are this number. */
static bool guess_is_double(pith_text digits, const num_parts *parts)
{
    if (parts->significant > NUM_DECIMAL_MAX_DIGITS)
        return false;
    if (parts->significant <= 15 && parts->magnitude < 300 && parts->magnitude > -290)
        return true;
    double number = num_to_double(digits);
    if (number == 0 || number - number != 0)
        return parts->zero;
    num_decimal shortest = num_shortest(number);
    return (size_t)shortest.count == parts->significant &&
           shortest.exponent == parts->magnitude &&
           memcmp(shortest.digits, parts->high.ptr, parts->high.len) == 0 &&
           (parts->low.len == 0 || memcmp(shortest.digits + parts->high.len,
                                          parts->low.ptr, parts->low.len) == 0);
}

static void guess_note_number(guess_node *node, const pith_slot *slot)
{
    pith_text digits = slot_text(slot);
    int64_t number;
    uint64_t natural;
    num_parts parts;
    if (slot->kind == PITH_INTEGER && digits.len <= 15) { /* a double, too */
        node->beyond_uint = node->beyond_uint || *digits.ptr == '-';
        if ((int64_t)digits.len > node->whole)
            node->whole = (int64_t)digits.len;
        return;
    }
    if (!num_scan(digits, &parts))
        return;
    if (slot->kind == PITH_DECIMAL)
        node->decimal = true;
    else if (!num_to_int64(digits, &number))
        node->beyond_int = true;
    if (slot->kind == PITH_INTEGER && !num_to_uint64(digits, &natural))
        node->beyond_uint = true;
    node->inexact = node->inexact || !guess_is_double(digits, &parts);
    if (parts.zero)
        return;
    int64_t scale = (int64_t)parts.significant - 1 - parts.magnitude;
    if (parts.magnitude + 1 > node->whole)
        node->whole = parts.magnitude + 1;
    if (scale > node->scale)
        node->scale = scale;
}

/* ---------------------------------------------------------------------- values */

static void guess_note_text(guess_node *node, const pith_slot *slot)
{
    if (!(slot->flags & SLOT_TYPED))
        node->seen |= SEEN_TEXT;
    else if (typed_of(slot) == PITH_TYPE_BYTES)
        node->seen |= SEEN_BYTES;
    else {
        node->seen |= SEEN_NUMBER; /* NaN or an infinity */
        node->decimal = true;
        node->binary = true;
    }
}

static void guess_note_vector(guess_node *node, const pith_slot *slot)
{
    bool vector = (slot->flags & SLOT_TYPED) != 0;
    bool first = !(node->seen & SEEN_LIST);
    node->vector = vector && (first || (node->vector && node->size == slot->n));
    node->size = slot->n;
}

/* Looks at a value; a container is opened. */
static void guess_note(arrow_guess *g, uint32_t at, uint32_t number)
{
    guess_node *node = &g->nodes.at[number];
    const pith_slot *slot = &g->doc->slots[at];
    switch (slot->kind) {
    case PITH_NULL:
        return;
    case PITH_FALSE:
    case PITH_TRUE:
        node->seen |= SEEN_BOOL;
        return;
    case PITH_INTEGER:
    case PITH_DECIMAL:
        node->seen |= SEEN_NUMBER;
        if (slot_is_double(slot))
            node->decimal = node->binary = true;
        else
            guess_note_number(node, slot);
        return;
    case PITH_STRING:
        guess_note_text(node, slot);
        return;
    default:
        break;
    }
    bool object = slot->kind == PITH_OBJECT;
    if (!object)
        guess_note_vector(node, slot);
    node->seen |= object ? SEEN_OBJECT : SEEN_LIST;
    if (g->depth >= ARROW_DEPTH_MOST - 2) {
        node->seen |= SEEN_TOO_DEEP;
        return;
    }
    guess_frame frame = {number, at + 1, slot->n, node->first,
                         object ? doc_keys(g->doc, slot) : NULL};
    g->frames[g->depth++] = frame;
}

/* Looks at the next value of the innermost container. False when out of memory, or there
 * are too many nodes. */
static bool guess_step(arrow_guess *g)
{
    guess_frame *frame = &g->frames[g->depth - 1];
    if (frame->left == 0) {
        g->depth--;
        return true;
    }
    uint32_t number =
        guess_meet(g, frame->node, frame->key ? frame->key : &guess_element, frame->hint);
    if (number == 0 || number >= ARROW_NODES_MOST)
        return false;
    uint32_t at = frame->at;
    frame->at = doc_after_at(g->doc, at);
    frame->left--;
    if (frame->key) {
        frame->key++;
        frame->hint = g->nodes.at[number].next;
    }
    guess_note(g, at, number);
    return true;
}

static pith_status guess_look(arrow_guess *g, uint32_t rows, size_t look, pith_error *err)
{
    uint32_t at = rows + 1;
    size_t count = g->doc->slots[rows].n;
    if (look > 0 && look < count)
        count = look;
    for (size_t i = 0; i < count; i++, at = doc_after_at(g->doc, at)) {
        bool going = true;
        if (g->doc->slots[at].kind == PITH_OBJECT)
            guess_note(g, at, 0);
        while (going && g->depth > 0)
            going = guess_step(g);
        if (!going && g->nodes.count >= ARROW_NODES_MOST) {
            return error_set(
                err, PITH_LIMIT, "too_large",
                "row %zu: there are more than %d columns and members of them", i + 1,
                (int)ARROW_NODES_MOST);
        }
        if (!going)
            return error_no_memory(err);
    }
    return PITH_OK;
}

/* ----------------------------------------------------------------------- types */

static void guess_number_type(const guess_node *node, arrow_type *type)
{
    int64_t whole = node->whole > 0 ? node->whole : 0;
    int64_t precision = whole + node->scale;
    type->width = 8;
    if (!node->decimal && !node->beyond_int) {
        type->kind = ARROW_INT;
    } else if (!node->decimal && !node->beyond_uint) {
        type->kind = ARROW_UINT;
    } else if (!node->inexact && node->decimal) {
        type->kind = ARROW_FLOAT;
    } else if (precision <= 76 && whole <= 76 && !node->binary) {
        type->kind = ARROW_DECIMAL;
        type->precision = precision > 0 ? (int32_t)precision : 1;
        type->scale = (int32_t)node->scale;
        type->width = precision <= 38 ? 16 : 32;
    } else {
        type->kind = ARROW_TEXT;
        type->extension = ARROW_JSON;
        type->width = 4;
    }
}

/* The type that holds what the node has seen. */
static void guess_type(const guess_node *node, arrow_type *type)
{
    type->nullable = true;
    type->depth = node->depth;
    type->width = 4;
    switch (node->seen) {
    case 0:
        type->kind = ARROW_NULL;
        return;
    case SEEN_BOOL:
        type->kind = ARROW_BOOL;
        return;
    case SEEN_NUMBER:
        guess_number_type(node, type);
        return;
    case SEEN_BYTES:
        type->kind = ARROW_BYTES;
        return;
    case SEEN_LIST:
        type->kind = node->vector && node->size > 0 ? ARROW_LIST_FIXED : ARROW_LIST;
        type->size = (int32_t)node->size;
        return;
    case SEEN_OBJECT:
        type->kind = ARROW_STRUCT;
        if (node->first)
            return;
        break; /* structs without members trouble many */
    case SEEN_TEXT:
        type->kind = ARROW_TEXT;
        return;
    default:
        break;
    }
    type->kind = ARROW_TEXT;
    type->extension = ARROW_JSON;
}

/* Writes the word of a type that was found here. */
static bool guess_format(arrow_types *types, arrow_type *type)
{
    char word[32];
    switch (type->kind) {
    case ARROW_DECIMAL:
        snprintf(word, sizeof word, type->width == 32 ? "d:%d,%d,256" : "d:%d,%d",
                 (int)type->precision, (int)type->scale);
        break;
    case ARROW_LIST_FIXED:
        snprintf(word, sizeof word, "+w:%d", (int)type->size);
        break;
    default:
        snprintf(word, sizeof word, "%s",
                 type->kind == ARROW_NULL     ? "n"
                 : type->kind == ARROW_BOOL   ? "b"
                 : type->kind == ARROW_INT    ? "l"
                 : type->kind == ARROW_UINT   ? "L"
                 : type->kind == ARROW_FLOAT  ? "g"
                 : type->kind == ARROW_BYTES  ? "z"
                 : type->kind == ARROW_LIST   ? "+l"
                 : type->kind == ARROW_STRUCT ? "+s"
                                              : "u");
    }
    return arrow_keep_text(types, text_from(word), &type->format);
}

/* What a table says of its column, which decides where it says something. */
static void guess_take_field(arrow_type *type, const pith_field *field)
{
    static const uint8_t kinds[] = {
        [PITH_TYPE_INT] = ARROW_INT,     [PITH_TYPE_UINT] = ARROW_UINT,
        [PITH_TYPE_FLOAT] = ARROW_FLOAT, [PITH_TYPE_TEXT] = ARROW_TEXT,
        [PITH_TYPE_BOOL] = ARROW_BOOL,   [PITH_TYPE_BYTES] = ARROW_BYTES};
    type->nullable = field->nullable;
    bool known = field->type >= PITH_TYPE_INT && field->type <= PITH_TYPE_BYTES;
    if (!known || type->extension == ARROW_JSON)
        return;
    type->kind = (arrow_kind)kinds[field->type];
    type->width = type->kind == ARROW_TEXT || type->kind == ARROW_BYTES ? 4 : 8;
}

/* Adds the types of the children of the type at `at`, which was found for `node`. */
static bool guess_add_children(arrow_guess *g, arrow_types *types, size_t at,
                               uint32_t node)
{
    arrow_type *type = &types->list.at[at];
    bool list = type->kind == ARROW_LIST || type->kind == ARROW_LIST_FIXED;
    uint16_t depth = type->depth;
    if (type->kind != ARROW_STRUCT && !list)
        return true;
    type->first_child = (uint32_t)types->list.count;
    uint32_t child = node ? g->nodes.at[node].first : g->nodes.at[0].first;
    do {
        arrow_type *added = LIST_ADD(&types->list, &g->alloc);
        uint32_t *from = LIST_ADD(&g->order, &g->alloc);
        if (!added || !from)
            return false;
        memset(added, 0, sizeof *added);
        *from = child;
        added->depth = (uint16_t)(depth + 1);
        added->nullable = true;
        types->list.at[at].child_count++;
        pith_text name = list ? text_from("item") : key_text(&g->names.keys.at[child]);
        if (child)
            guess_type(&g->nodes.at[child], added);
        if (!arrow_keep_text(types, name, &added->name))
            return false;
        child = child ? g->nodes.at[child].next : 0;
    } while (child);
    return true;
}

static bool guess_make_types(arrow_guess *g, arrow_types *types, const doc_table *table)
{
    arrow_type *root = LIST_ADD(&types->list, &g->alloc);
    uint32_t *from = LIST_ADD(&g->order, &g->alloc);
    if (!root || !from)
        return false;
    memset(root, 0, sizeof *root);
    root->kind = ARROW_STRUCT;
    root->name = text_from("");
    *from = 0;
    for (size_t i = 0; i < types->list.count; i++) {
        uint32_t node = g->order.at[i];
        bool leaf = (i > 0 && !node) || (i == 0 && !g->nodes.at[0].first);
        if (!leaf && !guess_add_children(g, types, i, node))
            return false;
        for (size_t c = 0; i == 0 && table && c < table->field_count; c++)
            if (c < types->list.at[0].child_count)
                guess_take_field(&types->list.at[1 + c], &table->fields[c]);
        if (!guess_format(types, &types->list.at[i]))
            return false;
    }
    return true;
}

pith_status arrow_types_guess(arrow_types *types, const pith_doc *doc, uint32_t rows,
                              const doc_table *table, size_t look, pith_alloc alloc,
                              pith_error *err)
{
    arrow_guess *g = (arrow_guess *)alloc_zeroed(&alloc, sizeof *g);
    memset(types, 0, sizeof *types);
    types->alloc = alloc;
    arena_init(&types->texts, alloc);
    if (!g)
        return error_no_memory(err);
    g->alloc = alloc;
    g->doc = doc;
    names_init(&g->names, alloc, hash_seed(alloc));
    guess_node *root = LIST_ADD(&g->nodes, &alloc);
    pith_status status = PITH_OK;
    if (root)
        memset(root, 0, sizeof *root);
    if (!root || !names_add_in(&g->names, NAMES_NONE, &guess_element))
        status = error_no_memory(err);
    if (status == PITH_OK)
        status = guess_look(g, rows, look, err);
    if (status == PITH_OK && !guess_make_types(g, types, table))
        status = error_no_memory(err);
    names_free(&g->names);
    LIST_FREE(&g->nodes, &alloc);
    LIST_FREE(&g->order, &alloc);
    alloc_free(&alloc, g, sizeof *g);
    return status;
}
