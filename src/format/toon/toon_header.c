/*
 * toon_header.c - headers, and what the rows under them look like on the tape.
 *
 *     orders[2|]{id|customer{name|country}|total}:
 *     key  count, delimiter  fields          rest
 *
 * Rows are flat, but the objects they stand for nest as the fields do, and every row
 * of a table nests alike. So the layout of a row is worked out once, as a list of
 * stamps with places relative to the row, and a row costs its cells and little more:
 *
 *     0 OPEN  n=3 next=6        {id,customer,total}
 *     1 CELLS 1                 id
 *     2 OPEN  n=2 next=5 in 0   {name,country}
 *     3 CELLS 2                 name, country
 *     5 CELLS 1                 total
 *
 * A list of names that has no shape (too wide, or with a name twice where that is
 * tolerated) ends with a stamp KEYS, the slot that points at its keys. All rows point
 * at the same list of keys, so that 10,000 columns are stored once. Only where a name
 * stands twice does every row need a list of its own, because merging changes it.
 *
 * Nesting is followed with the lists' own parent links, not with recursion, and names
 * are compared with each other by way of shapes or a hash: a header of a million
 * fields is read in one pass.
 */
#include "base/scan.h"
#include "format/toon/toon_read.h"

static bool toon_refuse(toon_fault *fault, const char *at, const char *sentence)
{
    fault->code = "invalid_header";
    fault->at = at;
    fault->sentence = sentence;
    return false;
}

/* The problem was reported already, or memory ran out. */
static bool toon_refuse_silently(toon_fault *fault)
{
    fault->code = NULL;
    return false;
}

/* ------------------------------------------------------------ growing a layout */

static toon_op *toon_new_op(toon_reader *r, toon_op_kind kind)
{
    toon_op *op = LIST_ADD(&r->layout.ops, &r->doc->alloc);
    if (!op) {
        read_failed(&r->in);
        return NULL;
    }
    memset(op, 0, sizeof *op);
    op->kind = kind;
    op->parent = SLOT_NONE;
    return op;
}

/* The slot, counted from the start of the row, that comes next. */
static uint32_t toon_next_slot(const toon_layout *t)
{
    return (uint32_t)t->slots;
}

static bool toon_add_field(toon_reader *r, const pith_key *key, uint32_t list)
{
    toon_layout *t = &r->layout;
    toon_field *field = LIST_ADD(&t->fields, &r->doc->alloc);
    if (!field) {
        return read_failed(&r->in);
    }
    field->key = *key;
    field->list = list;
    t->ops.at[t->lists.at[list].op].n++;

    uint16_t *shape = &t->lists.at[list].shape;
    if (key->flags & TOON_KEY_PATH) {
        *shape = SHAPE_NONE;
    } else if (*shape != SHAPE_NONE) {
        uint16_t next =
            shapes_step(&r->doc->shapes, *shape, key->text, key->len, key->flags);
        *shape = next == SHAPE_DUPLICATE ? (uint16_t)SHAPE_NONE : next;
    }
    return true;
}

/* Opens a list of names inside another (SLOT_NONE: the outermost); its number, or
 * SLOT_NONE when out of memory. */
static uint32_t toon_open_list(toon_reader *r, uint32_t parent)
{
    toon_layout *t = &r->layout;
    toon_op *op = toon_new_op(r, TOON_OPEN);
    toon_field_list *list = op ? LIST_ADD(&t->lists, &r->doc->alloc) : NULL;
    if (!list) {
        read_failed(&r->in);
        return SLOT_NONE;
    }
    /* The slot of the parent's object is kept in `next` until the list closes. */
    op->parent = parent == SLOT_NONE ? SLOT_NONE : t->ops.at[t->lists.at[parent].op].next;
    op->next = toon_next_slot(t);
    t->slots++;
    list->op = (uint32_t)(t->ops.count - 1);
    list->parent = parent;
    list->shape = SHAPE_EMPTY;
    list->depth = parent == SLOT_NONE ? 1 : t->lists.at[parent].depth + 1;
    t->depth = list->depth > t->depth ? list->depth : t->depth;
    return (uint32_t)(t->lists.count - 1);
}

static bool toon_close_list(toon_reader *r, uint32_t list)
{
    toon_layout *t = &r->layout;
    uint32_t opened = t->lists.at[list].op;
    uint32_t object = t->ops.at[opened].next;
    uint16_t shape = t->lists.at[list].shape;
    t->ops.at[opened].shape = shape;
    if (shape == SHAPE_NONE) {
        toon_op *op = toon_new_op(r, TOON_KEYS);
        if (!op) {
            return false;
        }
        op->n = t->ops.at[opened].n;
        op->next = object;
        op->parent = list;
        t->slots++;
    } else if (!shapes_list(&r->doc->shapes, shape)) {
        return read_failed(&r->in);
    }
    t->ops.at[opened].next = toon_next_slot(t);
    return true;
}

static bool toon_add_cell(toon_reader *r)
{
    toon_layout *t = &r->layout;
    toon_op *last = t->ops.count ? &t->ops.at[t->ops.count - 1] : NULL;
    if (!last || last->kind != TOON_CELLS) {
        last = toon_new_op(r, TOON_CELLS);
    }
    if (!last) {
        return false;
    }
    last->n++;
    t->slots++;
    t->cells++;
    return true;
}

/* ------------------------------------------------------- lists without a shape */

static bool toon_note_equal(void *ctx, uint32_t first, uint32_t later)
{
    (void)first;
    (void)later;
    *(bool *)ctx = true;
    return false;
}

/* Looks for names that stand twice in one list. */
static bool toon_check_names(toon_reader *r, toon_op *op)
{
    bool found = false;
    if (!doc_find_equal_keys(r->doc, op->keys, op->n, toon_note_equal, &found)) {
        return read_failed(&r->in);
    }
    if (!found) {
        return true;
    }
    op->repeated = true;
    r->layout.repeated = true;
    if (r->rules.strict) {
        return read_check_keys(&r->in, op->keys, op->n, true, "duplicate_key",
                               "duplicate key");
    }
    return !read_stopped(&r->in);
}

/* Gathers the names of each list without a shape: they stand among those of the lists
 * inside it. */
static bool toon_gather_names(toon_reader *r)
{
    toon_layout *t = &r->layout;
    size_t bytes = t->lists.count * sizeof(pith_key *);
    pith_key **room = (pith_key **)alloc_resize(&r->doc->alloc, NULL, 0, bytes);
    bool fine = room != NULL;
    for (size_t i = 0; i < t->lists.count && fine; i++) {
        const toon_op *op = &t->ops.at[t->lists.at[i].op];
        room[i] = NULL;
        if (op->shape == SHAPE_NONE) {
            room[i] =
                (pith_key *)arena_take_aligned(&r->doc->arena, op->n * sizeof **room);
            fine = room[i] != NULL;
        }
    }
    for (size_t i = 0; i < t->ops.count && fine; i++) {
        if (t->ops.at[i].kind == TOON_KEYS) {
            t->ops.at[i].keys = room[t->ops.at[i].parent];
        }
    }
    for (size_t i = 0; i < t->fields.count && fine; i++) {
        pith_key **to = &room[t->fields.at[i].list];
        if (*to) {
            *(*to)++ = t->fields.at[i].key;
        }
    }
    alloc_free(&r->doc->alloc, room, bytes);
    return fine || read_failed(&r->in);
}

/* All lists are closed: works out what needs the whole header. */
static bool toon_finish_fields(toon_reader *r)
{
    toon_layout *t = &r->layout;
    bool loose = false;
    for (size_t i = 0; i < t->lists.count; i++) {
        loose = loose || t->lists.at[i].shape == SHAPE_NONE;
    }
    if (!loose) {
        return true;
    }
    if (!toon_gather_names(r)) {
        return false;
    }
    for (size_t i = 0; i < t->ops.count; i++) {
        if (t->ops.at[i].kind == TOON_KEYS && !toon_check_names(r, &t->ops.at[i])) {
            return false;
        }
    }
    return true;
}

/* --------------------------------------------------------------- reading fields */

/* The end of a name: the first delimiter of any kind, or brace, outside quotes. */
static const char *toon_name_end(const char *at, const char *end)
{
    while (at < end) {
        switch (*at) {
        case ',':
        case '\t':
        case '|':
        case '{':
        case '}':
            return at;
        case '"':
            at = toon_skip_quoted(at, end);
            break;
        default:
            at++;
            break;
        }
    }
    return end;
}

static const char *toon_skip_blanks(const toon_reader *r, const char *at, const char *end)
{
    while (at < end && toon_is_blank(r, *at) && *at != r->layout.delimiter) {
        at++;
    }
    return at;
}

/* Why the name that ends at `stop` cannot be one; NULL when it can. */
static const char *toon_name_fault(const toon_reader *r, pith_text name, const char *stop,
                                   bool first)
{
    if (*stop == '{') {
        return name.len == 0                 ? "expected a name before '{'"
               : stop != name.ptr + name.len ? "expected no space before '{'"
               : !r->rules.groups            ? "expected names only: fields in fields "
                                               "came with version 4"
                                             : NULL;
    }
    if (*stop != '}' && *stop != r->layout.delimiter) {
        return "expected the delimiter that the brackets declare";
    }
    if (name.len == 0) {
        return first && *stop == '}' ? "expected at least one field name"
                                     : "expected a field name";
    }
    return NULL;
}

/* Behind a brace that closed a list: closes those around it that end here too.
 * `*at` is then behind the delimiter before the next name, or the list is SLOT_NONE
 * and `*at` behind the last brace. */
static bool toon_after_brace(toon_reader *r, const char **at, const char *end,
                             uint32_t *list, toon_fault *fault)
{
    toon_layout *t = &r->layout;
    const char *p = *at;
    for (;;) {
        uint32_t closed = *list;
        if (!toon_close_list(r, closed)) {
            return toon_refuse_silently(fault);
        }
        *list = t->lists.at[closed].parent;
        if (*list == SLOT_NONE) {
            *at = p;
            return true;
        }
        p = toon_skip_blanks(r, p, end);
        if (p == end) {
            return toon_refuse(fault, p, "expected '}' at the end of the field names");
        }
        if (*p != '}') {
            break;
        }
        p++;
    }
    if (*p != t->delimiter) {
        return toon_refuse(fault, p, "expected the delimiter or '}' after '}'");
    }
    *at = p + 1;
    return true;
}

/* Reads the field list behind its opening brace; `*at` moves behind the last one. */
static bool toon_read_fields(toon_reader *r, const char **at, const char *end,
                             toon_fault *fault)
{
    toon_layout *t = &r->layout;
    t->ops.count = t->fields.count = t->lists.count = 0;
    t->cells = t->slots = t->depth = 0;
    t->repeated = false;
    const char *p = *at;
    bool first = true;
    uint32_t list = toon_open_list(r, SLOT_NONE);
    while (list != SLOT_NONE) {
        p = toon_skip_blanks(r, p, end);
        const char *stop = toon_name_end(p, end);
        if (stop == end) {
            return toon_refuse(fault, end, "expected '}' at the end of the field names");
        }
        pith_text name = toon_trim(r, p, stop);
        const char *sentence = toon_name_fault(r, name, stop, first);
        if (sentence) {
            return toon_refuse(fault, stop, sentence);
        }
        pith_key key;
        if (!toon_read_key(r, name, &key) || !toon_add_field(r, &key, list)) {
            return toon_refuse_silently(fault);
        }
        p = stop + 1;
        first = *stop == '{';
        if (first) {
            list = toon_open_list(r, list);
        } else if (!toon_add_cell(r)) {
            return toon_refuse_silently(fault);
        } else if (*stop == '}' && !toon_after_brace(r, &p, end, &list, fault)) {
            return false;
        }
    }
    *at = p;
    return !read_stopped(&r->in) && toon_finish_fields(r) ? true
                                                          : toon_refuse_silently(fault);
}

/* -------------------------------------------------------------- reading brackets */

static bool toon_length_fault(const char *p, const char *end, toon_fault *fault)
{
    if (p < end && *p == '#') {
        return toon_refuse(fault, p,
                           "expected a count; [#N] went with version 1, write [N]");
    }
    if (p < end && *p == ']') {
        return toon_refuse(fault, p,
                           "expected a count between the brackets; an empty array "
                           "is `key: []`");
    }
    if (p < end && *p == '0') {
        return toon_refuse(fault, p, "expected a count without leading zeros");
    }
    return toon_refuse(fault, p, "expected a count, digits only, after '['");
}

/* The digits of a count; behind them, or NULL. */
static const char *toon_read_count(const char *at, const char *end, toon_count *count,
                                   toon_fault *fault)
{
    const char *stop = scan_digits(at, end);
    size_t len = (size_t)(stop - at);
    if (len == 0 || (*at == '0' && len > 1)) {
        toon_length_fault(at, end, fault);
        return NULL;
    }
    count->digits = text_of(at, len);
    count->value = read_count(count->digits);
    return stop;
}

/* [N], [N|], [N:], [N:|]; behind the closing bracket, or NULL. */
static const char *toon_read_brackets(const toon_reader *r, const char *at,
                                      const char *end, toon_header *header,
                                      toon_fault *fault)
{
    const char *p = toon_read_count(at + 1, end, &header->count, fault);
    if (!p) {
        return NULL;
    }
    header->delimiter = ',';
    header->keyed = p < end && *p == ':' && r->rules.groups;
    p += header->keyed ? 1 : 0;
    bool comma = p < end && *p == ',';
    if (p < end && (*p == '\t' || *p == '|' || (comma && r->rules.rows_only))) {
        header->delimiter = *p++;
    } else if (comma && !header->keyed && end - p > 1 && p[1] == ']') {
        toon_refuse(fault, p,
                    "a comma is not declared in TOON; the format toon-rows reads "
                    "tables with [N,]");
        return NULL;
    }
    if (p == end || *p != ']') {
        toon_refuse(fault, p, "expected ']' after the count");
        return NULL;
    }
    return p + 1;
}

/* The key before the bracket. */
static bool toon_header_key(const toon_reader *r, const char *at, const char *bracket,
                            toon_header *header, toon_fault *fault)
{
    header->key = text_of(NULL, 0);
    if (at == bracket) {
        return true;
    }
    const char *stop = bracket;
    while (stop > at && (stop[-1] == ' ' || stop[-1] == '\t')) {
        stop--;
    }
    if (stop != bracket && !r->rules.key_spaces) {
        return toon_refuse(fault, stop, "expected no space between the key and '['");
    }
    header->key = text_of(at, (size_t)(stop - at));
    return true;
}

bool toon_read_header(toon_reader *r, const char *at, const char *end,
                      const char *bracket, toon_header *header, toon_fault *fault)
{
    header->at = bracket;
    header->fields = false;
    if (!toon_header_key(r, at, bracket, header, fault)) {
        return false;
    }
    const char *p = toon_read_brackets(r, bracket, end, header, fault);
    if (!p) {
        return false;
    }
    header->fields = p < end && *p == '{';
    if (header->fields) {
        p++;
        r->layout.delimiter = header->delimiter;
        if (!toon_read_fields(r, &p, end, fault)) {
            return false;
        }
    } else if (header->keyed) {
        return toon_refuse(fault, p, "expected field names in braces after [N:]");
    }
    if (p == end || *p != ':') {
        return toon_refuse(fault, p,
                           header->fields ? "expected ':' after '}'"
                                          : "expected ':' or '{' after ']'");
    }
    header->rest = toon_trim(r, p + 1, end);
    if (header->fields && header->rest.len > 0) {
        return toon_refuse(fault, header->rest.ptr,
                           "expected nothing after the ':' behind field names; rows "
                           "stand on lines of their own");
    }
    return true;
}

void toon_layout_free(toon_reader *r)
{
    const pith_alloc *alloc = &r->doc->alloc;
    toon_layout *t = &r->layout;
    LIST_FREE(&t->ops, alloc);
    LIST_FREE(&t->fields, alloc);
    LIST_FREE(&t->lists, alloc);
    memset(t, 0, sizeof *t);
}
