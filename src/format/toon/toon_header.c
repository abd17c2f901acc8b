/*
 * toon_header.c - headers, and the columns that they declare.
 *
 *     orders[2|]{id|customer{name|country}|total}:
 *     key  count, delimiter  fields          rest
 *
 * The objects of a row nest as the fields do: doc/layout.c works out what a row is on the
 * tape. A list of names may have no shape: it is too wide, or some name is there twice
 * where that is tolerated. All rows point at the same list of keys then, so that 10,000
 * columns are stored once. Only where a name is there twice does every row need a list of
 * its own, because merging changes it.
 *
 * Nesting is followed along the columns' parents, not with recursion: a header of a
 * million fields is read in one pass.
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

/* ------------------------------------------------------------------- the layout */

/* One more name in a list; the list that it opens, or `list`. SLOT_NONE when out of
 * memory. */
static uint32_t toon_add_field(toon_reader *r, const pith_key *key, uint32_t list,
                               bool opens)
{
    row_layout *rows = &r->layout.rows;
    const pith_alloc *alloc = &r->doc->alloc;
    uint32_t cell = (uint32_t)rows->cell_count;
    uint32_t added = opens ? layout_group(rows, alloc, list, key)
                           : layout_cell(rows, alloc, list, key, cell);
    if (!added) {
        read_failed(&r->in);
        return SLOT_NONE;
    }
    if (key->flags & TOON_KEY_PATH)
        rows->columns.at[list].loose = true;
    return opens ? added : list;
}

static bool toon_note_equal(void *ctx, uint32_t first, uint32_t later)
{
    (void)first;
    (void)later;
    *(bool *)ctx = true;
    return false;
}

/* Looks for names that are twice in the list without a shape that stamp `number` ends. */
static bool toon_check_names(toon_reader *r, uint32_t number)
{
    const pith_slot *list = &r->layout.rows.full.stamps.at[number].slot;
    bool found = false;
    if (!doc_find_equal_keys(r->doc, list->u.keys, list->n, toon_note_equal, &found))
        return read_failed(&r->in);
    if (!found)
        return true;
    uint32_t *repeated = LIST_ADD(&r->layout.repeated, &r->doc->alloc);
    if (!repeated)
        return read_failed(&r->in);
    *repeated = number;
    return !r->rules.strict || read_check_keys(&r->in, list->u.keys, list->n, true,
                                               "duplicate_key", "duplicate key");
}

bool toon_plan_fields(toon_reader *r, pith_arena *arena)
{
    row_layout *rows = &r->layout.rows;
    r->layout.repeated.count = 0;
    if (!layout_plan(rows, r->doc, arena))
        return read_failed(&r->in);
    for (uint32_t i = 0; rows->loose && i < rows->full.stamps.count; i++)
        if (rows->full.stamps.at[i].slot.kind == SLOT_KEYS && !toon_check_names(r, i))
            return false;
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
    while (at < end && toon_is_blank(r, *at) && *at != r->layout.delimiter)
        at++;
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
    if (*stop != '}' && *stop != r->layout.delimiter)
        return "expected the delimiter that the brackets declare";
    if (name.len == 0) {
        return first && *stop == '}' ? "expected at least one field name"
                                     : "expected a field name";
    }
    return NULL;
}

/* After a brace that closed a list: leaves those around it that end here too. `*at` is
 * then after the delimiter before the next name, or the list is SLOT_NONE and `*at` after
 * the last brace. */
static bool toon_after_brace(toon_reader *r, const char **at, const char *end,
                             uint32_t *list, toon_fault *fault)
{
    toon_layout *t = &r->layout;
    const char *p = *at;
    for (;;) {
        if (*list == 0) {
            *list = SLOT_NONE;
            *at = p;
            return true;
        }
        *list = t->rows.columns.at[*list].parent;
        p = toon_skip_blanks(r, p, end);
        if (p == end)
            return toon_refuse(fault, p, "expected '}' at the end of the field names");
        if (*p != '}')
            break;
        p++;
    }
    if (*p != t->delimiter)
        return toon_refuse(fault, p, "expected the delimiter or '}' after '}'");
    *at = p + 1;
    return true;
}

/* True when the fields are those of the header before, letter by letter: a table in every
 * item of a list has a header every time. Names without a shape keep their place in the
 * input, so they are read each time. */
static bool toon_is_declared(const toon_layout *t, const char *at, const char *end,
                             char delimiter)
{
    size_t len = t->declared.len;
    return len > 0 && t->delimiter == delimiter && len <= (size_t)(end - at) &&
           memcmp(at, t->declared.ptr, len) == 0;
}

/* Reads the field list after its opening brace; `*at` moves after the last one. */
static bool toon_read_fields(toon_reader *r, const char **at, const char *end,
                             toon_fault *fault)
{
    toon_layout *t = &r->layout;
    const char *p = *at;
    bool first = true;
    uint32_t list = 0;
    t->declared.len = 0;
    if (!layout_clear(&t->rows, &r->doc->alloc)) {
        read_failed(&r->in);
        return toon_refuse_silently(fault);
    }
    while (list != SLOT_NONE) {
        p = toon_skip_blanks(r, p, end);
        const char *stop = toon_name_end(p, end);
        if (stop == end)
            return toon_refuse(fault, end, "expected '}' at the end of the field names");
        pith_text name = toon_trim(r, p, stop);
        const char *sentence = toon_name_fault(r, name, stop, first);
        if (sentence)
            return toon_refuse(fault, stop, sentence);
        pith_key key;
        p = stop + 1;
        first = *stop == '{';
        list = toon_read_key(r, name, &key) ? toon_add_field(r, &key, list, first)
                                            : SLOT_NONE;
        if (list == SLOT_NONE)
            return toon_refuse_silently(fault);
        if (*stop == '}' && !toon_after_brace(r, &p, end, &list, fault))
            return false;
    }
    if (read_stopped(&r->in) || !toon_plan_fields(r, &r->doc->arena))
        return toon_refuse_silently(fault);
    t->declared = text_of(*at, t->rows.loose ? 0 : (size_t)(p - *at));
    *at = p;
    return true;
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
    if (p < end && *p == '0')
        return toon_refuse(fault, p, "expected a count without leading zeros");
    return toon_refuse(fault, p, "expected a count, digits only, after '['");
}

/* The digits of a count; after them, or NULL. */
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

/* [N], [N|], [N:], [N:|]; after the closing bracket, or NULL. */
static const char *toon_read_brackets(const toon_reader *r, const char *at,
                                      const char *end, toon_header *header,
                                      toon_fault *fault)
{
    const char *p = toon_read_count(at + 1, end, &header->count, fault);
    if (!p)
        return NULL;
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
    if (at == bracket)
        return true;
    const char *stop = bracket;
    while (stop > at && (stop[-1] == ' ' || stop[-1] == '\t'))
        stop--;
    if (stop != bracket && !r->rules.key_spaces)
        return toon_refuse(fault, stop, "expected no space between the key and '['");
    header->key = text_of(at, (size_t)(stop - at));
    return true;
}

bool toon_read_header(toon_reader *r, const char *at, const char *end,
                      const char *bracket, toon_header *header, toon_fault *fault)
{
    header->at = bracket;
    header->fields = false;
    if (!toon_header_key(r, at, bracket, header, fault))
        return false;
    const char *p = toon_read_brackets(r, bracket, end, header, fault);
    if (!p)
        return false;
    header->fields = p < end && *p == '{';
    if (header->fields) {
        p++;
        if (toon_is_declared(&r->layout, p, end, header->delimiter)) {
            p += r->layout.declared.len;
        } else {
            r->layout.delimiter = header->delimiter;
            if (!toon_read_fields(r, &p, end, fault))
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
                           "expected nothing after the ':' after field names; rows "
                           "stand on lines of their own");
    }
    return true;
}
