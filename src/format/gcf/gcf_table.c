/*
 * gcf_table.c - the fields of a table and how its rows fill them.
 */
#include "format/gcf/gcf_table.h"

enum { GCF_LOOKUP_LEAST = 16, GCF_SHAPES_LEAST = 32 };

void gcf_tables_init(gcf_tables *tables, const pith_doc *doc, const gcf_options *options,
                     pith_alloc alloc)
{
    memset(tables, 0, sizeof *tables);
    tables->alloc = alloc;
    tables->doc = doc;
    tables->options = *options;
}

void gcf_tables_free(gcf_tables *tables)
{
    const pith_alloc *alloc = &tables->alloc;
    LIST_FREE(&tables->fields, alloc);
    LIST_FREE(&tables->lookup, alloc);
    LIST_FREE(&tables->maps, alloc);
    LIST_FREE(&tables->names, alloc);
    LIST_FREE(&tables->cells, alloc);
    LIST_FREE(&tables->loose, alloc);
    alloc_free(alloc, tables->shapes, tables->shape_cap * sizeof *tables->shapes);
    alloc_free(alloc, tables->objects, tables->doc->count);
}

/* ---------------------------------------------------------------------- shapes */

static gcf_shape_info *gcf_shape_place(gcf_shape_info *shapes, size_t cap, uint16_t shape)
{
    size_t at = shape & (cap - 1);
    while (shapes[at].shape != shape && shapes[at].shape != SHAPE_NONE) {
        at = (at + 1) & (cap - 1);
    }
    return &shapes[at];
}

static bool gcf_shapes_grow(gcf_tables *tables)
{
    size_t cap = tables->shape_cap ? 2 * tables->shape_cap : (size_t)GCF_SHAPES_LEAST;
    gcf_shape_info *shapes =
        (gcf_shape_info *)alloc_zeroed(&tables->alloc, cap * sizeof *shapes);
    if (!shapes) {
        tables->failed = true;
        return false;
    }
    for (size_t i = 0; i < tables->shape_cap; i++) {
        const gcf_shape_info *old = &tables->shapes[i];
        if (old->shape != SHAPE_NONE) {
            *gcf_shape_place(shapes, cap, old->shape) = *old;
        }
    }
    alloc_free(&tables->alloc, tables->shapes, tables->shape_cap * sizeof *shapes);
    tables->shapes = shapes;
    tables->shape_cap = cap;
    return true;
}

/* What is known about a shape; NULL when out of memory. Good until the next call. A
 * document may know many shapes of documents before it, so only those that are met have
 * a place. */
static gcf_shape_info *gcf_shape_of(gcf_tables *tables, uint16_t shape)
{
    gcf_shape_info *info = NULL;
    if (tables->shape_cap) {
        info = gcf_shape_place(tables->shapes, tables->shape_cap, shape);
        if (info->shape == shape) {
            return info;
        }
    }
    if (2 * tables->shape_count >= tables->shape_cap) {
        if (!gcf_shapes_grow(tables)) {
            return NULL;
        }
        info = gcf_shape_place(tables->shapes, tables->shape_cap, shape);
    }
    assert(info); /* without room there was nothing, so there is room now */
    info->shape = shape;
    tables->shape_count++;
    return info;
}

/* ------------------------------------------------------------------------ keys */

static uint8_t gcf_look_at_keys(const pith_key *keys, uint32_t count)
{
    unsigned known = GCF_KEYS_KNOWN | GCF_KEYS_BARE | GCF_KEYS_CLEAN;
    for (uint32_t i = 0; i < count; i++) {
        if (!gcf_is_bare_key(keys[i].text, keys[i].len)) {
            known &= ~(unsigned)GCF_KEYS_BARE;
            if (keys[i].len == 0 || gcf_is_pathlike(&keys[i])) {
                return GCF_KEYS_KNOWN;
            }
        }
    }
    return (uint8_t)known;
}

uint8_t gcf_know_keys(gcf_tables *tables, const pith_slot *object)
{
    if (object->shape == SHAPE_NONE) {
        return gcf_look_at_keys(doc_keys(tables->doc, object), object->n);
    }
    gcf_shape_info *info = gcf_shape_of(tables, object->shape);
    if (info && info->keys) {
        return info->keys;
    }
    uint8_t known = gcf_look_at_keys(doc_keys(tables->doc, object), object->n);
    if (info) { /* if not, it is asked again */
        info->keys = known;
    }
    return known;
}

/* ---------------------------------------------------------------------- lookup */

static uint32_t *gcf_lookup(const gcf_tables *tables, const gcf_table *table)
{
    return tables->lookup.at + table->lookup;
}

static size_t gcf_lookup_start(const gcf_tables *tables, const gcf_table *table,
                               const pith_key *key)
{
    uint64_t seed = tables->doc->shapes.seed;
    return (size_t)hash_text(seed, key->text, key->len) & (table->lookup_size - 1);
}

static void gcf_lookup_add(gcf_tables *tables, const gcf_table *table, uint32_t field)
{
    const pith_key *key = gcf_fields(tables, table)[field].key;
    uint32_t *lookup = gcf_lookup(tables, table);
    size_t at = gcf_lookup_start(tables, table, key);
    while (lookup[at]) {
        at = (at + 1) & (table->lookup_size - 1);
    }
    lookup[at] = field + 1;
}

/* Makes the lookup large enough for one more field. The table is the newest. */
static bool gcf_lookup_grow(gcf_tables *tables, gcf_table *table)
{
    if (2 * (table->field_count + 1) <= table->lookup_size) {
        return true;
    }
    size_t size = table->lookup_size ? 2 * table->lookup_size : (size_t)GCF_LOOKUP_LEAST;
    while (size < 2 * (table->field_count + 1)) {
        size *= 2;
    }
    tables->lookup.count = table->lookup;
    if (!LIST_RESERVE(&tables->lookup, &tables->alloc, size)) {
        return false;
    }
    tables->lookup.count += size;
    table->lookup_size = size;
    memset(gcf_lookup(tables, table), 0, size * sizeof(uint32_t));
    for (uint32_t i = 0; i < table->field_count; i++) {
        gcf_lookup_add(tables, table, i);
    }
    return true;
}

enum { GCF_NO_FIELD = UINT32_MAX };

/* The field of that name, most likely number `guess`; GCF_NO_FIELD when there is none. */
static uint32_t gcf_lookup_find(const gcf_tables *tables, const gcf_table *table,
                                const pith_key *key, uint32_t guess)
{
    const gcf_table_field *fields = gcf_fields(tables, table);
    if (guess < table->field_count && gcf_keys_match(fields[guess].key, key)) {
        return guess;
    }
    assert(table->lookup_size > 0); /* since the first row that is not straight */
    const uint32_t *lookup = gcf_lookup(tables, table);
    size_t at = gcf_lookup_start(tables, table, key);
    for (; lookup[at]; at = (at + 1) & (table->lookup_size - 1)) {
        if (gcf_keys_match(fields[lookup[at] - 1].key, key)) {
            return lookup[at] - 1;
        }
    }
    return (uint32_t)GCF_NO_FIELD;
}

/* ------------------------------------------------------------------- the fields */

static void gcf_field_init(const gcf_tables *tables, gcf_table_field *field,
                           const pith_key *key, bool bare)
{
    memset(field, 0, sizeof *field);
    field->key = key;
    field->columns = 1;
    field->bare = bare;
    field->may_be_flat = tables->options.flatten && key->len > 0;
    field->may_be_inline = tables->options.inline_schema;
    field->may_be_shared = tables->options.shared_schema;
}

/* One field for each key, without asking whether they are there already. */
static bool gcf_list_fields(gcf_tables *tables, gcf_table *table, const pith_key *keys,
                            uint32_t count, bool bare)
{
    if (!LIST_RESERVE(&tables->fields, &tables->alloc, count + (size_t)1)) {
        return false;
    }
    gcf_table_field *field = tables->fields.at + tables->fields.count;
    for (uint32_t i = 0; i < count; i++) {
        gcf_field_init(tables, &field[i], &keys[i],
                       bare || gcf_is_bare_key(keys[i].text, keys[i].len));
    }
    tables->fields.count += count;
    table->field_count += count;
    return true;
}

static bool gcf_append_field(gcf_tables *tables, gcf_table *table, const pith_key *key)
{
    if (!gcf_lookup_grow(tables, table) ||
        !gcf_list_fields(tables, table, key, 1, false)) {
        return false;
    }
    gcf_lookup_add(tables, table, (uint32_t)table->field_count - 1);
    return true;
}

/* Writes the field of each key to `map`, adding those that are new. */
static bool gcf_match_keys(gcf_tables *tables, gcf_table *table, const pith_slot *row,
                           uint32_t *map)
{
    const pith_key *keys = doc_keys(tables->doc, row);
    uint32_t guess = 0;
    for (uint32_t i = 0; i < row->n; i++) {
        uint32_t field = gcf_lookup_find(tables, table, &keys[i], guess);
        if (field == GCF_NO_FIELD) {
            field = (uint32_t)table->field_count;
            if (!gcf_append_field(tables, table, &keys[i])) {
                return false;
            }
        }
        map[i] = field;
        guess = field + 1;
    }
    return true;
}

/* The fields of a row's members: a part of a stack, which may move but stays as it is. */
typedef struct gcf_map {
    gcf_numbers *stack;
    size_t from;
} gcf_map;

static inline const uint32_t *gcf_map_at(const gcf_map *map)
{
    return map->stack->at + map->from;
}

/* Puts the field of each member on top of the stack; false when out of memory. */
static bool gcf_match_row(gcf_tables *tables, gcf_table *table, const pith_slot *row,
                          gcf_map *map, gcf_numbers *stack)
{
    map->stack = stack;
    map->from = stack->count;
    return map->from <= UINT32_MAX &&
           LIST_RESERVE(stack, &tables->alloc, row->n + (size_t)1) &&
           gcf_match_keys(tables, table, row, stack->at + map->from);
}

/* The fields of a row's members; false when out of memory. Rows of one shape are matched
 * once. Only if a table that was open in between had that shape too it is matched again,
 * which costs no more than looking at the row's keys. The map of a row without a shape
 * is good until the next call. */
static bool gcf_row_map(gcf_tables *tables, gcf_table *table, const pith_slot *row,
                        gcf_map *map)
{
    if (row->shape == SHAPE_NONE) {
        return gcf_match_row(tables, table, row, map, &tables->loose);
    }
    gcf_shape_info *info = gcf_shape_of(tables, row->shape);
    if (info && info->stamp == table->number) {
        map->stack = &tables->maps;
        map->from = info->map;
        return true;
    }
    if (!info || !gcf_match_row(tables, table, row, map, &tables->maps)) {
        return false;
    }
    tables->maps.count += row->n;
    info->map = (uint32_t)map->from;
    info->stamp = table->number;
    return true;
}

const pith_slot **gcf_row_cells(gcf_tables *tables, gcf_table *table,
                                const pith_slot *row)
{
    const pith_doc *doc = tables->doc;
    size_t count = table->field_count;
    if (!LIST_RESERVE(&tables->cells, &tables->alloc, count + 1)) {
        return NULL;
    }
    const pith_slot **cells = tables->cells.at;
    const pith_slot *at = row + 1;
    if (gcf_is_straight(table, row)) {
        for (size_t i = 0; i < count; i++) {
            cells[i] = i < row->n ? at : NULL;
            at = i < row->n ? gcf_behind(doc, at) : at;
        }
        return cells;
    }
    gcf_map map;
    if (!gcf_row_map(tables, table, row, &map)) {
        return NULL;
    }
    memset((void *)cells, 0, count * sizeof *cells);
    for (uint32_t i = 0; i < row->n; i++) {
        cells[gcf_map_at(&map)[i]] = at;
        at = gcf_behind(doc, at);
    }
    return cells;
}

bool gcf_row_fields(gcf_tables *tables, gcf_table *table, const pith_slot *row,
                    const uint32_t **fields)
{
    gcf_map map;
    *fields = NULL;
    if (gcf_is_straight(table, row)) {
        return true;
    }
    if (!gcf_row_map(tables, table, row, &map)) {
        return false;
    }
    *fields = gcf_map_at(&map);
    return true;
}

/* ----------------------------------------------------------- shared by all tables */

static void gcf_table_begin(gcf_tables *tables, gcf_table *table,
                            const pith_slot *container)
{
    memset(table, 0, sizeof *table);
    table->rows = container;
    table->row = container + 1;
    table->key = container->kind == PITH_OBJECT ? doc_keys(tables->doc, container) : NULL;
    table->number = ++tables->opened;
    table->fields = tables->fields.count;
    table->lookup = tables->lookup.count;
    table->maps = tables->maps.count;
    table->names = tables->names.count;
}

void gcf_table_close(gcf_tables *tables, const gcf_table *table)
{
    tables->fields.count = table->fields;
    tables->lookup.count = table->lookup;
    tables->maps.count = table->maps;
    tables->names.count = table->names;
}

/* ------------------------------------------------------------------- meeting values */

static inline uint8_t gcf_seen_bit(uint8_t kind)
{
    static const uint8_t bits[] = {0,
                                   GCF_SEEN_NULL,
                                   GCF_SEEN_SCALAR,
                                   GCF_SEEN_SCALAR,
                                   GCF_SEEN_SCALAR,
                                   GCF_SEEN_SCALAR,
                                   GCF_SEEN_SCALAR,
                                   GCF_SEEN_ARRAY,
                                   GCF_SEEN_OBJECT};
    return bits[kind];
}

static bool gcf_meet_container(gcf_tables *tables, const gcf_table *table, size_t index,
                               const pith_slot *value, bool first_row)
{
    gcf_table_field *field = gcf_fields(tables, table) + index;
    if (!field->sample && !first_row) {
        /* What is named in the first row must be in the first row. */
        field->may_be_inline = false;
        field->may_be_shared = false;
    }
    return value->kind == PITH_OBJECT
               ? gcf_meet_object(tables, field, value)
               : gcf_meet_array(tables, table->fields + index, value);
}

/* Shows the values of a row, whose members are the fields from the first on, to them. */
static bool gcf_meet_straight_row(gcf_tables *tables, gcf_table *table,
                                  const pith_slot *row, bool first_row)
{
    const pith_slot *at = row + 1;
    gcf_table_field *fields = gcf_fields(tables, table);
    for (uint32_t k = 0; k < row->n; k++) {
        fields[k].seen |= gcf_seen_bit(at->kind);
        if (at->kind < PITH_ARRAY) {
            at++;
            continue;
        }
        if (!gcf_meet_container(tables, table, k, at, first_row)) {
            return false;
        }
        fields = gcf_fields(tables, table);
        at = tables->doc->slots + at->u.link.next;
    }
    return true;
}

/* The same for any row, which has this map. */
static bool gcf_meet_crooked_row(gcf_tables *tables, gcf_table *table,
                                 const pith_slot *row, const gcf_map *map, bool first_row)
{
    const pith_slot *at = row + 1;
    /* Tables that are opened meanwhile must not write over the map. */
    size_t kept = map->stack == &tables->loose ? row->n : 0;
    tables->loose.count += kept;
    bool fits = true;
    for (uint32_t k = 0; k < row->n && fits; k++) {
        size_t index = gcf_map_at(map)[k];
        gcf_fields(tables, table)[index].seen |= gcf_seen_bit(at->kind);
        if (at->kind >= PITH_ARRAY) {
            fits = gcf_meet_container(tables, table, index, at, first_row);
        }
        at = gcf_behind(tables->doc, at);
    }
    tables->loose.count -= kept;
    return fits;
}

static bool gcf_meet_row(gcf_tables *tables, gcf_table *table, const pith_slot *row,
                         bool first_row)
{
    gcf_map map;
    if (gcf_is_straight(table, row)) {
        return gcf_meet_straight_row(tables, table, row, first_row);
    }
    return gcf_row_map(tables, table, row, &map) &&
           gcf_meet_crooked_row(tables, table, row, &map, first_row);
}

/* Shows the rows from the first to number `until`, not included, to their fields. */
static bool gcf_meet_rows(gcf_tables *tables, gcf_table *table, uint32_t until)
{
    const pith_slot *row = table->rows + 1;
    for (uint32_t i = 0; i < until; i++) {
        if (!gcf_meet_row(tables, table, row, i == 0)) {
            return false;
        }
        row = tables->doc->slots + row->u.link.next;
    }
    return true;
}

/* -------------------------------------------------------------------- the union */

/* The keys of the first row are the first fields; its shape is matched with them. */
static bool gcf_begin_fields(gcf_tables *tables, gcf_table *table)
{
    const pith_slot *first = table->rows + 1;
    table->straight = first->shape;
    bool bare = (gcf_know_keys(tables, first) & GCF_KEYS_BARE) != 0;
    return gcf_list_fields(tables, table, doc_keys(tables->doc, first), first->n, bare);
}

/* How a table looks while its rows are gone through. */
typedef struct gcf_survey {
    bool nested; /* some row has more than scalars and empty containers */
    bool uniform;
    bool plain; /* only the union is wanted, not what becomes of its fields */
} gcf_survey;

/* One row more: a new shape brings new fields, a nested value tells what its field may
 * become. Rows before the first with a nested value are shown to the fields then. */
static bool gcf_survey_row(gcf_tables *tables, gcf_table *table, gcf_survey *survey,
                           const pith_slot *row, uint32_t index)
{
    bool straight = gcf_is_straight(table, row);
    gcf_map map;
    /* Before this row has a map, which theirs may take the place of. */
    if (!survey->plain && !survey->nested && !gcf_is_shallow(tables->doc, row)) {
        survey->nested = true;
        if (!gcf_meet_rows(tables, table, index)) {
            return false;
        }
    }
    if (!straight) {
        /* From now on keys have to be looked up. */
        if (survey->uniform && !gcf_lookup_grow(tables, table)) {
            return false;
        }
        survey->uniform = false;
        if (!gcf_row_map(tables, table, row, &map)) {
            return false;
        }
    }
    if (!survey->nested) {
        return true;
    }
    return straight ? gcf_meet_straight_row(tables, table, row, index == 0)
                    : gcf_meet_crooked_row(tables, table, row, &map, index == 0);
}

/* Goes through all rows, which are objects of at least one shape. */
static gcf_verdict gcf_survey_rows(gcf_tables *tables, gcf_table *table,
                                   gcf_survey *survey)
{
    const pith_slot *row = table->rows + 1;
    survey->uniform = true;
    if (row->kind != PITH_OBJECT) {
        return GCF_NO_TABLE;
    }
    if (!gcf_begin_fields(tables, table)) {
        return GCF_NO_MEMORY;
    }
    for (uint32_t i = 0; i < table->rows->n; i++) {
        if (row->kind != PITH_OBJECT) {
            return GCF_NO_TABLE;
        }
        if (!gcf_survey_row(tables, table, survey, row, i)) {
            return GCF_NO_MEMORY;
        }
        row = tables->doc->slots + row->u.link.next;
    }
    return table->field_count > 0 ? GCF_IS_TABLE : GCF_NO_TABLE;
}

gcf_verdict gcf_union_open(gcf_tables *tables, gcf_table *table,
                           const pith_slot *container)
{
    gcf_survey survey = {false, true, true};
    gcf_table_begin(tables, table, container);
    return gcf_survey_rows(tables, table, &survey);
}

/* -------------------------------------------------------------------- the forms */

static void gcf_decide(const gcf_tables *tables, gcf_table *table, gcf_table_field *field)
{
    unsigned kinds = field->seen & ~(unsigned)GCF_SEEN_NULL;
    bool pathlike = !field->bare && gcf_is_pathlike(field->key);
    bool shared = kinds == GCF_SEEN_ARRAY && field->may_be_shared;
    if (pathlike) {
        table->has_pathlike = true;
        field->columns = 0;
        field->form = shared ? GCF_SHARED : GCF_PATHLIKE;
    } else if (kinds == GCF_SEEN_OBJECT && field->may_be_flat) {
        field->form = GCF_FLAT;
        field->columns = gcf_count_leaves(tables, field->sample);
    } else if (kinds == GCF_SEEN_OBJECT && field->may_be_inline) {
        field->form = GCF_INLINE;
    } else if (shared) {
        field->form = GCF_SHARED;
    }
}

/* True when some field is a column. */
static bool gcf_decide_all(const gcf_tables *tables, gcf_table *table, bool nested)
{
    gcf_table_field *fields = gcf_fields(tables, table);
    bool columns = false;
    table->attach_from = table->field_count;
    for (size_t i = 0; i < table->field_count; i++) {
        gcf_decide(tables, table, &fields[i]);
        columns |= fields[i].columns > 0;
        /* Where nothing is nested no value was looked at, but some may be empty
         * containers: they change nothing but stand below their row all the same. */
        bool containers =
            !nested || (fields[i].seen & (GCF_SEEN_OBJECT | GCF_SEEN_ARRAY));
        if ((containers && fields[i].form != GCF_FLAT) || fields[i].columns == 0) {
            table->attach_from = i < table->attach_from ? i : table->attach_from;
            table->attach_until = i + 1;
        }
    }
    return columns;
}

/* -------------------------------------------------------------------- constants */

/* Makes the plain fields whose scalar is the same in all rows constants. */
static bool gcf_find_constants(gcf_tables *tables, gcf_table *table)
{
    const pith_slot *row = table->rows + 1;
    size_t left = 0;
    for (uint32_t i = 0; i < table->rows->n && (i == 0 || left > 0); i++) {
        const pith_slot **cells = gcf_row_cells(tables, table, row);
        if (!cells) {
            return false;
        }
        gcf_table_field *fields = gcf_fields(tables, table);
        for (size_t k = 0; k < table->field_count; k++) {
            gcf_table_field *field = &fields[k];
            bool scalar = cells[k] && cells[k]->kind < PITH_ARRAY;
            if (i == 0 && field->form == GCF_PLAIN && scalar) {
                field->form = GCF_CONSTANT;
                field->sample = cells[k];
                left++;
            } else if (i > 0 && field->form == GCF_CONSTANT &&
                       (!scalar || !gcf_same_scalar(field->sample, cells[k]))) {
                field->form = GCF_PLAIN;
                left--;
            }
        }
        row = tables->doc->slots + row->u.link.next;
    }
    return true;
}

/* A row needs a column: if all are constants, the last is none after all. */
static void gcf_keep_a_column(const gcf_tables *tables, const gcf_table *table)
{
    gcf_table_field *last = NULL;
    gcf_table_field *fields = gcf_fields(tables, table);
    for (size_t i = 0; i < table->field_count; i++) {
        if (fields[i].form == GCF_CONSTANT) {
            last = &fields[i];
        } else if (fields[i].columns > 0) {
            return;
        }
    }
    if (last) {
        last->form = GCF_PLAIN;
    }
}

/* -------------------------------------------------------------------- the table */

/* True when every row is an object of one and the same shape with nothing nested but
 * empty containers, and no field is named like a path: one look at each row. */
static bool gcf_is_simple(gcf_tables *tables, const gcf_table *table)
{
    const pith_doc *doc = tables->doc;
    const pith_slot *row = table->rows + 1;
    uint16_t shape = row->shape;
    uint32_t size = row->n + 1;
    if (shape == SHAPE_NONE || row->n == 0 || row->kind != PITH_OBJECT) {
        return false;
    }
    for (uint32_t i = 0; i < table->rows->n; i++) {
        const pith_slot *next = row + size;
        if (row->kind != PITH_OBJECT || row->shape != shape ||
            doc->slots + row->u.link.next != next) {
            return false;
        }
        row = next;
    }
    return (gcf_know_keys(tables, table->rows + 1) & GCF_KEYS_CLEAN) != 0;
}

static gcf_verdict gcf_table_try(gcf_tables *tables, gcf_table *table, bool constants)
{
    gcf_survey survey = {false, true, false};
    constants = constants && table->rows->n >= 2;
    if (!constants && gcf_is_simple(tables, table)) {
        table->simple = true;
        table->straight = table->rows[1].shape;
        table->field_count = table->rows[1].n;
        return GCF_IS_TABLE;
    }
    gcf_verdict verdict = gcf_survey_rows(tables, table, &survey);
    if (verdict != GCF_IS_TABLE) {
        return verdict;
    }
    if (!gcf_decide_all(tables, table, survey.nested)) {
        return GCF_NO_TABLE;
    }
    if (constants) {
        if (!gcf_find_constants(tables, table)) {
            return GCF_NO_MEMORY;
        }
        gcf_keep_a_column(tables, table);
    }
    table->only_columns = !constants && !table->has_pathlike;
    return GCF_IS_TABLE;
}

gcf_verdict gcf_table_open(gcf_tables *tables, gcf_table *table,
                           const pith_slot *container, bool constants)
{
    gcf_table_begin(tables, table, container);
    gcf_verdict verdict = gcf_table_try(tables, table, constants);
    if (verdict != GCF_IS_TABLE) {
        gcf_table_close(tables, table);
    }
    return verdict;
}
