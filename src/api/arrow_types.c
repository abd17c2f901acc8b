/*
 * arrow_types.c - schemas of Arrow, read once into a list.
 *
 * The format of a type is a short word, such as "l", "d:38,2" or "tsu:UTC". Everything
 * that such a word can have wrong is found here, with the name of the column, so that
 * whoever reads arrays looks at nothing but numbers.
 */
#include "api/arrow.h"
#include "base/error.h"

/* --------------------------------------------------------------------- one word */

typedef struct arrow_word {
    const char *word; /* the whole of it, or how it begins when it ends in ':' */
    uint8_t kind;
    uint8_t width;
    uint8_t digits;
} arrow_word;

static const arrow_word arrow_words[] = {
    {"n", ARROW_NULL, 0, 0},          {"b", ARROW_BOOL, 0, 0},
    {"c", ARROW_INT, 1, 0},           {"C", ARROW_UINT, 1, 0},
    {"s", ARROW_INT, 2, 0},           {"S", ARROW_UINT, 2, 0},
    {"i", ARROW_INT, 4, 0},           {"I", ARROW_UINT, 4, 0},
    {"l", ARROW_INT, 8, 0},           {"L", ARROW_UINT, 8, 0},
    {"e", ARROW_FLOAT, 2, 0},         {"f", ARROW_FLOAT, 4, 0},
    {"g", ARROW_FLOAT, 8, 0},         {"u", ARROW_TEXT, 4, 0},
    {"U", ARROW_TEXT, 8, 0},          {"vu", ARROW_TEXT_VIEW, 0, 0},
    {"z", ARROW_BYTES, 4, 0},         {"Z", ARROW_BYTES, 8, 0},
    {"vz", ARROW_BYTES_VIEW, 0, 0},   {"w:", ARROW_BYTES_FIXED, 0, 0},
    {"d:", ARROW_DECIMAL, 16, 0},     {"tdD", ARROW_DATE, 4, 0},
    {"tdm", ARROW_DATE, 8, 0},        {"tts", ARROW_TIME, 4, 0},
    {"ttm", ARROW_TIME, 4, 3},        {"ttu", ARROW_TIME, 8, 6},
    {"ttn", ARROW_TIME, 8, 9},        {"tss:", ARROW_TIMESTAMP, 8, 0},
    {"tsm:", ARROW_TIMESTAMP, 8, 3},  {"tsu:", ARROW_TIMESTAMP, 8, 6},
    {"tsn:", ARROW_TIMESTAMP, 8, 9},  {"tDs", ARROW_DURATION, 8, 0},
    {"tDm", ARROW_DURATION, 8, 3},    {"tDu", ARROW_DURATION, 8, 6},
    {"tDn", ARROW_DURATION, 8, 9},    {"tiM", ARROW_MONTHS, 4, 0},
    {"tiD", ARROW_DAYS_MILLIS, 8, 0}, {"tin", ARROW_MONTHS_NANOS, 16, 0},
    {"+l", ARROW_LIST, 4, 0},         {"+L", ARROW_LIST, 8, 0},
    {"+vl", ARROW_LIST_VIEW, 4, 0},   {"+vL", ARROW_LIST_VIEW, 8, 0},
    {"+w:", ARROW_LIST_FIXED, 0, 0},  {"+s", ARROW_STRUCT, 0, 0},
    {"+m", ARROW_MAP, 4, 0},          {"+us:", ARROW_UNION, 0, 0},
    {"+ud:", ARROW_UNION, 1, 0},      {"+r", ARROW_RUNS, 0, 0},
};

static const arrow_word *arrow_find_word(pith_text format)
{
    for (size_t i = 0; i < sizeof arrow_words / sizeof *arrow_words; i++) {
        pith_text word = text_from(arrow_words[i].word);
        bool begins = word.ptr[word.len - 1] == ':';
        if (begins ? text_begins(format, word.ptr) : text_equal(format, word))
            return &arrow_words[i];
    }
    return NULL;
}

/* Takes a whole number off the text; false when there is none, or it is too large. */
static bool arrow_take_number(pith_text *text, int32_t *number)
{
    bool negative = text->len > 0 && *text->ptr == '-';
    int64_t size = 0;
    size_t at = negative;
    for (; at < text->len && text->ptr[at] >= '0' && text->ptr[at] <= '9'; at++) {
        size = size * 10 + (text->ptr[at] - '0');
        if (size > INT32_MAX)
            return false;
    }
    if (at == negative)
        return false;
    *number = (int32_t)(negative ? -size : size);
    *text = text_after(*text, at);
    return true;
}

static bool arrow_take_comma(pith_text *text)
{
    if (text->len == 0 || *text->ptr != ',')
        return false;
    *text = text_after(*text, 1);
    return true;
}

/* 38,2 or 38,2,256 */
static bool arrow_read_digits(arrow_type *type, pith_text rest)
{
    static const struct {
        int32_t bits, most;
    } widths[] = {{32, 9}, {64, 18}, {128, 38}, {256, 76}};
    int32_t bits = 128;
    if (!arrow_take_number(&rest, &type->precision) || !arrow_take_comma(&rest) ||
        !arrow_take_number(&rest, &type->scale) ||
        (arrow_take_comma(&rest) && !arrow_take_number(&rest, &bits)) || rest.len > 0)
        return false;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        if (widths[i].bits == bits) {
            type->width = (uint8_t)(bits / 8);
            return type->precision > 0 && type->precision <= widths[i].most &&
                   type->scale <= ARROW_SCALE_MOST && type->scale >= -ARROW_SCALE_MOST;
        }
    }
    return false;
}

static bool arrow_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* +05:30 or +0530 */
static bool arrow_read_offset(pith_text zone, int32_t *seconds)
{
    char digits[4];
    size_t count = 0;
    if (zone.len < 5 || zone.len > 6 || (*zone.ptr != '+' && *zone.ptr != '-') ||
        (zone.len == 6 && zone.ptr[3] != ':'))
        return false;
    for (size_t i = 1; i < zone.len; i++) {
        if (i == 3 && zone.len == 6)
            continue;
        if (!arrow_is_digit(zone.ptr[i]))
            return false;
        digits[count++] = (char)(zone.ptr[i] - '0');
    }
    int32_t hours = digits[0] * 10 + digits[1];
    int32_t minutes = digits[2] * 10 + digits[3];
    *seconds = (hours * 60 + minutes) * 60 * (*zone.ptr == '-' ? -1 : 1);
    return hours < 24 && minutes < 60;
}

static void arrow_read_zone(arrow_type *type, pith_text zone)
{
    if (zone.len == 0) {
        type->zone = ARROW_LOCAL;
    } else if (arrow_read_offset(zone, &type->zone_seconds)) {
        type->zone = type->zone_seconds ? ARROW_OFFSET : ARROW_UTC;
    } else {
        type->zone = ARROW_UTC;
        type->named_zone = !text_is(zone, "UTC") && !text_is(zone, "Z") &&
                           !text_is(zone, "Etc/UTC") && !text_is(zone, "GMT");
    }
}

/* The numbers of a union's children: 0,1,5. They are the members in this order. */
static bool arrow_read_members(arrow_type *type, pith_text rest, int64_t child_count)
{
    int32_t number = 0;
    int64_t count = 0;
    memset(type->members, -1, ARROW_MEMBERS_MOST);
    while (rest.len > 0) {
        if (count > 0 && !arrow_take_comma(&rest))
            return false;
        if (!arrow_take_number(&rest, &number) || number < 0 ||
            number >= ARROW_MEMBERS_MOST || type->members[number] >= 0)
            return false;
        type->members[number] = (int8_t)count++;
    }
    return count == child_count;
}

/* What follows the colon. */
static bool arrow_read_rest(arrow_type *type, pith_text rest, int64_t child_count)
{
    switch (type->kind) {
    case ARROW_BYTES_FIXED:
    case ARROW_LIST_FIXED:
        return arrow_take_number(&rest, &type->size) && rest.len == 0 && type->size >= 0;
    case ARROW_DECIMAL:
        return arrow_read_digits(type, rest);
    case ARROW_TIMESTAMP:
        arrow_read_zone(type, rest);
        return true;
    case ARROW_UNION:
        type->dense = type->width == 1;
        return arrow_read_members(type, rest, child_count);
    default:
        return rest.len == 0;
    }
}

/* ------------------------------------------------------------------- extensions */

/* A number of metadata, and what is after it. */
static int32_t arrow_take_length(const char **at)
{
    int32_t length;
    memcpy(&length, *at, sizeof length);
    *at += sizeof length;
    return length < 0 ? 0 : length;
}

static pith_text arrow_take_span(const char **at)
{
    size_t length = (size_t)arrow_take_length(at);
    pith_text span = text_of(*at, length);
    *at += length;
    return span;
}

static pith_text arrow_find_extension(const char *metadata)
{
    int32_t count = metadata ? arrow_take_length(&metadata) : 0;
    for (int32_t i = 0; i < count; i++) {
        pith_text key = arrow_take_span(&metadata);
        pith_text value = arrow_take_span(&metadata);
        if (text_is(key, "ARROW:extension:name"))
            return value;
    }
    return text_of(NULL, 0);
}

static arrow_extension arrow_read_extension(const arrow_type *type, const char *metadata)
{
    pith_text name = arrow_find_extension(metadata);
    bool text = type->kind == ARROW_TEXT || type->kind == ARROW_TEXT_VIEW;
    if (text && text_is(name, "arrow.json"))
        return ARROW_JSON;
    if (type->kind == ARROW_BYTES_FIXED && type->size == 16 &&
        text_is(name, "arrow.uuid"))
        return ARROW_UUID;
    return ARROW_PLAIN;
}

/* -------------------------------------------------------------------- the tree */

/* Where each type came from. */
typedef LIST(const struct ArrowSchema *) arrow_sources;

static pith_status arrow_refuse(pith_error *err, const char *code, pith_text name,
                                const char *sentence)
{
    return error_set(err, PITH_BAD_INPUT, code, "column \"%s\" of the schema: %s",
                     error_quote(name.ptr, name.len).text, sentence);
}

/* A copy, with a NUL after it for those who want one. */
bool arrow_keep_text(arrow_types *types, pith_text text, pith_text *kept)
{
    char *copy = arena_take(&types->texts, text.len + 1);
    if (!copy)
        return false;
    if (text.len)
        memcpy(copy, text.ptr, text.len);
    copy[text.len] = '\0';
    *kept = text_of(copy, text.len);
    return true;
}

/* How many children the kind must have; -1 for any number. */
static int64_t arrow_children_of(const arrow_type *type)
{
    switch (type->kind) {
    case ARROW_LIST:
    case ARROW_LIST_VIEW:
    case ARROW_LIST_FIXED:
    case ARROW_MAP:
        return 1;
    case ARROW_RUNS:
        return 2;
    case ARROW_STRUCT:
    case ARROW_UNION:
        return -1;
    default:
        return 0;
    }
}

/* Adds the children of the type at `at`, not read yet; their first number is `*first`. */
static pith_status arrow_add_children(arrow_types *types, arrow_sources *sources,
                                      size_t at, struct ArrowSchema *const *children,
                                      size_t count, uint32_t *first, pith_error *err)
{
    pith_text name = types->list.at[at].name;
    uint16_t depth = (uint16_t)(types->list.at[at].depth + 1);
    *first = (uint32_t)types->list.count;
    if (count > 0 &&
        (depth > ARROW_DEPTH_MOST || count > ARROW_NODES_MOST - types->list.count)) {
        return error_set(
            err, PITH_LIMIT, "depth_limit",
            "column \"%s\" of the schema: types are nested more than %d deep, "
            "or there are more than %d",
            error_quote(name.ptr, name.len).text, (int)ARROW_DEPTH_MOST,
            (int)ARROW_NODES_MOST);
    }
    for (size_t i = 0; i < count; i++) {
        if (!children || !children[i])
            return arrow_refuse(err, "bad_schema", name, "a child is missing");
        arrow_type *type = LIST_ADD(&types->list, &types->alloc);
        const struct ArrowSchema **source = LIST_ADD(sources, &types->alloc);
        if (!type || !source)
            return error_no_memory(err);
        memset(type, 0, sizeof *type);
        type->depth = depth;
        *source = children[i];
    }
    return PITH_OK;
}

/* Reads the word of a type. The list does not grow meanwhile. */
static pith_status arrow_read_type(arrow_types *types, arrow_type *type,
                                   const struct ArrowSchema *schema, pith_error *err)
{
    if (!schema->release) {
        return error_set(err, PITH_BAD_USE, "released",
                         "the schema, or a child of it, has been released already");
    }
    if (!arrow_keep_text(types, text_from(schema->name), &type->name) ||
        !arrow_keep_text(types, text_from(schema->format), &type->format))
        return error_no_memory(err);
    const arrow_word *word = arrow_find_word(type->format);
    if (!word) {
        return error_set(err, PITH_UNREPRESENTABLE, "unknown_type",
                         "column \"%s\" of the schema: there is no type \"%s\"",
                         error_quote(type->name.ptr, type->name.len).text,
                         error_quote(type->format.ptr, type->format.len).text);
    }
    size_t begins = strlen(word->word);
    type->kind = (arrow_kind)word->kind;
    type->width = word->width;
    type->digits = word->digits;
    type->nullable = (schema->flags & ARROW_FLAG_NULLABLE) != 0;
    if (schema->n_children < 0 || schema->n_children > ARROW_NODES_MOST)
        return arrow_refuse(err, "bad_schema", type->name,
                            "it cannot have so many children");
    if (type->kind == ARROW_UNION)
        type->members = (int8_t *)arena_take(&types->texts, ARROW_MEMBERS_MOST);
    if (type->kind == ARROW_UNION && !type->members)
        return error_no_memory(err);
    if (!arrow_read_rest(type, text_after(type->format, begins), schema->n_children))
        return arrow_refuse(err, "bad_schema", type->name,
                            "its type is not written as such types are");
    int64_t children = arrow_children_of(type);
    if (children >= 0 && schema->n_children != children)
        return arrow_refuse(err, "bad_schema", type->name,
                            "its type has another number of children");
    type->extension = arrow_read_extension(type, schema->metadata);
    return PITH_OK;
}

/* Reads the type at `at` and adds its children. */
static pith_status arrow_read_node(arrow_types *types, arrow_sources *sources, size_t at,
                                   pith_error *err)
{
    const struct ArrowSchema *schema = sources->at[at];
    pith_status status = arrow_read_type(types, &types->list.at[at], schema, err);
    size_t count = (size_t)schema->n_children;
    uint32_t first = 0;
    if (status == PITH_OK)
        status =
            arrow_add_children(types, sources, at, schema->children, count, &first, err);
    if (status != PITH_OK)
        return status;
    types->list.at[at].first_child = first;
    types->list.at[at].child_count = (uint32_t)count;
    if (!schema->dictionary)
        return PITH_OK;
    arrow_kind kind = types->list.at[at].kind;
    if (kind != ARROW_INT && kind != ARROW_UINT)
        return arrow_refuse(err, "bad_schema", types->list.at[at].name,
                            "the indexes into a dictionary are not integers");
    status = arrow_add_children(types, sources, at, &schema->dictionary, 1, &first, err);
    if (status == PITH_OK)
        types->list.at[at].dictionary = first;
    return status;
}

/* What can be said when the children have been read. */
static pith_status arrow_check_children(const arrow_types *types, const arrow_type *type,
                                        pith_error *err)
{
    const arrow_type *child = types->list.at + type->first_child;
    if (type->kind == ARROW_MAP &&
        (child->kind != ARROW_STRUCT || child->child_count != 2))
        return arrow_refuse(err, "bad_schema", type->name,
                            "the entries of a map are structs of a key and a value");
    if (type->kind == ARROW_RUNS &&
        (child->kind != ARROW_INT || child->width < 2 || child->dictionary))
        return arrow_refuse(err, "bad_schema", type->name,
                            "the ends of runs are integers of 16, 32 or 64 bits");
    return PITH_OK;
}

static pith_status arrow_types_fill(arrow_types *types, const struct ArrowSchema *schema,
                                    arrow_sources *sources, pith_error *err)
{
    arrow_type *root = LIST_ADD(&types->list, &types->alloc);
    const struct ArrowSchema **source = LIST_ADD(sources, &types->alloc);
    if (!root || !source)
        return error_no_memory(err);
    memset(root, 0, sizeof *root);
    *source = schema;
    pith_status status = PITH_OK;
    for (size_t i = 0; i < types->list.count && status == PITH_OK; i++)
        status = arrow_read_node(types, sources, i, err);
    for (size_t i = 0; i < types->list.count && status == PITH_OK; i++)
        status = arrow_check_children(types, &types->list.at[i], err);
    return status;
}

pith_status arrow_types_read(arrow_types *types, const struct ArrowSchema *schema,
                             pith_alloc alloc, pith_error *err)
{
    arrow_sources sources = {0};
    memset(types, 0, sizeof *types);
    types->alloc = alloc;
    arena_init(&types->texts, alloc);
    pith_status status = arrow_types_fill(types, schema, &sources, err);
    LIST_FREE(&sources, &alloc);
    return status;
}

void arrow_types_free(arrow_types *types)
{
    LIST_FREE(&types->list, &types->alloc);
    arena_free(&types->texts);
}

pith_status arrow_types_check_table(const arrow_types *types, pith_error *err)
{
    const arrow_type *table = types->list.at;
    if (table->kind == ARROW_STRUCT)
        return PITH_OK;
    return error_set(err, PITH_UNREPRESENTABLE, "not_a_table",
                     "a table is batches of structs, and these are of the type \"%s\"",
                     error_quote(table->format.ptr, table->format.len).text);
}
