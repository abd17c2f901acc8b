/*
 * cmd_schema.c - `pith schema`: what a file looks like, without its rows.
 *
 * Every value is looked at once, and what is known of its path is brought up to date: the
 * kinds of values, how many there are, the smallest and the largest number, the first few
 * different texts. The elements of an array have a path of their own below that of the array,
 * whose name no member can have.
 */
#include "context.h"
#include "json_out.h"
#include "load.h"
#include "rows_out.h"
#include "value_paths.h"

#include <stdio.h>
#include <string.h>

enum { SCHEMA_VALUES = 6, SCHEMA_SHORT = 24 };

static const pith_text element = {"\xFF", 1};

/* What is known of a path. */
typedef struct facts {
    size_t kinds[PITH_OBJECT + 1]; /* values of each kind */
    size_t all;
    pith_text different[SCHEMA_VALUES]; /* texts and numbers, */
    size_t count;
    bool more;                       /* and there are more */
    pith_text least_text, most_text; /* of numbers */
    double least, most;
    size_t shortest, longest;         /* of arrays, in elements */
    uint32_t child, last_child, next; /* paths below it, in order; 0 for none */
} facts;

/* A container that is being looked into. */
typedef struct inside {
    pith_value at; /* its next child */
    uint32_t path;
    bool object;
} inside;

typedef struct schema {
    context *ctx;
    value_paths paths;
    LIST(facts) list; /* by path */
    LIST(inside) open;
} schema;

/* --- looking */

static facts *facts_of(schema *s, uint32_t path)
{
    while (s->list.count <= path) {
        facts *added = LIST_ADD(&s->list, &s->paths.alloc);
        if (added == NULL)
            return NULL;
        memset(added, 0, sizeof *added);
    }
    return &s->list.at[path];
}

/* The path of a child, which is put on the list of its parent when it is new. */
static uint32_t child_path(schema *s, uint32_t parent, pith_text name)
{
    size_t before = s->paths.names.count;
    uint32_t path = paths_member(&s->paths, parent, name);
    if (path == PATH_REFUSED || facts_of(s, path) == NULL)
        return PATH_REFUSED;
    if (s->paths.names.count > before) {
        facts *of = &s->list.at[parent];
        if (of->child == 0)
            of->child = path;
        else
            s->list.at[of->last_child].next = path;
        of->last_child = path;
    }
    return path;
}

static void note_text(facts *of, pith_text text)
{
    size_t i = 0;
    while (i < of->count && !text_equal(of->different[i], text))
        i++;
    if (i < of->count)
        return;
    if (of->count < SCHEMA_VALUES)
        of->different[of->count++] = text;
    else
        of->more = true;
}

static void note_number(facts *of, pith_value value)
{
    double number = 0;
    pith_text text = pith_value_text(value);
    size_t before = of->kinds[PITH_INTEGER] + of->kinds[PITH_DECIMAL];
    pith_value_double(value, &number);
    if (before == 1 || number < of->least) {
        of->least = number;
        of->least_text = text;
    }
    if (before == 1 || number > of->most) {
        of->most = number;
        of->most_text = text;
    }
}

static void note_value(facts *of, pith_value value)
{
    pith_kind kind = pith_value_kind(value);
    size_t count = pith_value_count(value);
    of->kinds[kind]++;
    of->all++;
    if (kind == PITH_INTEGER || kind == PITH_DECIMAL)
        note_number(of, value);
    if (kind == PITH_STRING)
        note_text(of, pith_value_text(value));
    if (kind == PITH_ARRAY) {
        bool first = of->kinds[PITH_ARRAY] == 1;
        of->shortest = first || count < of->shortest ? count : of->shortest;
        of->longest = first || count > of->longest ? count : of->longest;
    }
}

/* Looks at a value and goes into it. */
static bool look_at(schema *s, pith_value value, uint32_t path)
{
    pith_kind kind = pith_value_kind(value);
    note_value(&s->list.at[path], value);
    if (kind != PITH_ARRAY && kind != PITH_OBJECT)
        return true;
    inside *into = LIST_ADD(&s->open, &s->paths.alloc);
    if (into != NULL)
        *into = (inside){pith_value_first(value), path, kind == PITH_OBJECT};
    return into != NULL;
}

static bool look_at_all(schema *s, pith_value root)
{
    bool fine = paths_begin(&s->paths) && facts_of(s, PATH_TOP) != NULL &&
                look_at(s, root, PATH_TOP);
    while (fine && s->open.count > 0) {
        inside *in = &s->open.at[s->open.count - 1];
        pith_value value = in->at;
        if (value.doc == NULL) {
            s->open.count--;
            continue;
        }
        in->at = pith_value_next(value);
        uint32_t path =
            child_path(s, in->path, in->object ? pith_value_key(value) : element);
        fine = path != PATH_REFUSED && look_at(s, value, path);
    }
    return fine;
}

/* --- words */

static const char *const kind_words[] = {
    "", "null", "boolean", "boolean", "integer", "number", "string", "array", "object"};

/* The kinds of the values at a path, the most usual first; how many there are. */
static size_t kinds_of(const facts *of, pith_kind into[PITH_OBJECT + 1])
{
    size_t counts[PITH_OBJECT + 1];
    size_t found = 0;
    memcpy(counts, of->kinds, sizeof counts);
    counts[PITH_TRUE] += counts[PITH_FALSE];
    counts[PITH_FALSE] = 0;
    if (counts[PITH_DECIMAL] > 0) {
        counts[PITH_DECIMAL] += counts[PITH_INTEGER];
        counts[PITH_INTEGER] = 0;
    }
    for (;;) {
        pith_kind best = PITH_NONE;
        for (int kind = PITH_NULL; kind <= PITH_OBJECT; kind++)
            if (counts[kind] > counts[best])
                best = (pith_kind)kind;
        if (best == PITH_NONE)
            return found;
        counts[best] = 0;
        into[found++] = best;
    }
}

/* A text that is put together; nothing of it counts once memory has run out. */
typedef struct cell {
    pith_buffer text;
    bool failed;
} cell;

static void add(cell *into, const char *text, size_t len)
{
    pith_sink sink = pith_sink_buffer(&into->text);
    if (sink.write(sink.ctx, text, len) != PITH_OK)
        into->failed = true;
}

static void add_word(cell *into, const char *word)
{
    add(into, word, strlen(word));
}

static void add_types(cell *into, const facts *of)
{
    pith_kind kinds[PITH_OBJECT + 1];
    size_t count = kinds_of(of, kinds);
    for (size_t i = 0; i < count; i++) {
        add_word(into, i > 0 ? "|" : "");
        add_word(into, kind_words[kinds[i]]);
    }
}

/* A text, cut where it is long, between characters. */
static void add_short(cell *into, pith_text text)
{
    size_t len = text.len < SCHEMA_SHORT ? text.len : SCHEMA_SHORT;
    while (len < text.len && len > 0 && ((unsigned char)text.ptr[len] & 0xC0) == 0x80)
        len--;
    add(into, text.ptr, len);
    add_word(into, len < text.len ? "..." : "");
}

static void add_texts(cell *into, const facts *of)
{
    bool all_differ = of->count > 2 && of->count == of->kinds[PITH_STRING];
    bool some = of->more || all_differ;
    size_t shown = some ? 2 : of->count;
    for (size_t i = 0; i < shown; i++) {
        add_word(into, i > 0 ? "|" : "");
        add_short(into, of->different[i]);
    }
    add_word(into, some ? "|..." : "");
}

/* "1..9", "red|green", "0..3 long" */
static void add_values(cell *into, const facts *of)
{
    char elements[64];
    const char *between = "";
    if (of->least_text.len > 0) {
        bool one = text_equal(of->least_text, of->most_text);
        add(into, of->least_text.ptr, of->least_text.len);
        add_word(into, one ? "" : "..");
        add(into, of->most_text.ptr, one ? 0 : of->most_text.len);
        between = "; ";
    }
    if (of->count > 0) {
        add_word(into, between);
        add_texts(into, of);
        between = "; ";
    }
    if (of->kinds[PITH_ARRAY] > 0) {
        bool one = of->shortest == of->longest;
        snprintf(elements, sizeof elements, one ? "%s%zu long" : "%s%zu..%zu long",
                 between, of->shortest, of->longest);
        add_word(into, elements);
    }
}

/* --- as a table */

static bool is_element(const schema *s, uint32_t path)
{
    return path != PATH_TOP && text_equal(s->paths.names.at[path].name, element);
}

/* Elements that are objects or arrays say nothing that their members do not. */
static bool is_listed(const schema *s, uint32_t path)
{
    const facts *of = &s->list.at[path];
    return of->all > 0 && (!is_element(s, path) ||
                           of->all > of->kinds[PITH_OBJECT] + of->kinds[PITH_ARRAY]);
}

static void add_path(const schema *s, uint32_t path, cell *into)
{
    uint32_t steps[64];
    size_t count = 0;
    uint32_t at = path;
    for (; at != PATH_TOP && count < 64; at = s->paths.names.at[at].parent)
        if (!is_element(s, at))
            steps[count++] = at;
    for (size_t i = count; i-- > 0;)
        into->failed = !paths_spell_name(s->paths.names.at[steps[i]].name, i + 1 == count,
                                         &into->text) ||
                       into->failed;
    if (path == PATH_TOP)
        add_word(into, ".");
    for (at = path; is_element(s, at); at = s->paths.names.at[at].parent)
        add_word(into, "[*]");
}

static bool add_row(const schema *s, uint32_t path, pith_rows *rows)
{
    const facts *of = &s->list.at[path];
    cell cells[3] = {0};
    bool fine = true;
    char present[48] = "all";
    uint32_t parent = s->paths.names.at[path].parent;
    size_t most = path == PATH_TOP || is_element(s, path)
                      ? of->all
                      : s->list.at[parent].kinds[PITH_OBJECT];
    if (of->all < most)
        snprintf(present, sizeof present, "%zu of %zu", of->all, most);
    add_path(s, path, &cells[0]);
    add_types(&cells[1], of);
    add_values(&cells[2], of);
    pith_doc *row = pith_rows_row(rows);
    for (size_t i = 0; i < 3; i++) {
        const pith_buffer *text = &cells[i].text;
        if (i == 2)
            pith_doc_add_text(row, present, strlen(present));
        pith_doc_add_text(row, text->data ? text->data : "", text->len);
        fine = fine && !cells[i].failed;
        pith_buffer_free(&cells[i].text);
    }
    return fine;
}

/* The path after one in document order: its first child, or what follows it or whatever it
 * is in. PATH_TOP after the last. */
static uint32_t path_after(const schema *s, uint32_t path, bool *up)
{
    *up = s->list.at[path].child == 0;
    if (!*up)
        return s->list.at[path].child;
    while (path != PATH_TOP && s->list.at[path].next == 0)
        path = s->paths.names.at[path].parent;
    return path == PATH_TOP ? PATH_TOP : s->list.at[path].next;
}

static pith_status write_rows(const schema *s, rows_out *table, pith_error *err)
{
    static const pith_text columns[] = {PITH_TEXT("path"), PITH_TEXT("type"),
                                        PITH_TEXT("present"), PITH_TEXT("values")};
    pith_status status = rows_out_begin(table, columns, 4, false, err);
    uint32_t path = PATH_TOP;
    bool up;
    while (status == PITH_OK) {
        if (is_listed(s, path)) {
            bool fine = add_row(s, path, table->rows);
            status = fine ? pith_rows_end_row(table->rows, err) : error_no_memory(err);
        }
        path = path_after(s, path, &up);
        if (path == PATH_TOP)
            break;
    }
    return status;
}

/* --- as JSON Schema */

static void add_schema_type(pith_doc *doc, const facts *of)
{
    pith_kind kinds[PITH_OBJECT + 1];
    size_t count = kinds_of(of, kinds);
    json_key(doc, "type");
    if (count > 1)
        pith_doc_open_array(doc);
    for (size_t i = 0; i < count; i++)
        pith_doc_add_text(doc, kind_words[kinds[i]], strlen(kind_words[kinds[i]]));
    if (count > 1)
        pith_doc_close(doc);
}

static void add_schema_values(pith_doc *doc, const facts *of)
{
    if (of->least_text.len > 0) {
        json_key(doc, "minimum");
        pith_doc_add_number(doc, of->least_text.ptr, of->least_text.len);
        json_key(doc, "maximum");
        pith_doc_add_number(doc, of->most_text.ptr, of->most_text.len);
    }
    if (of->count > 0) {
        json_array(doc, "examples");
        for (size_t i = 0; i < of->count && i < 2; i++)
            pith_doc_add_text(doc, of->different[i].ptr, of->different[i].len);
        pith_doc_close(doc);
    }
}

/* The members that every object at the path has. */
static void add_required(pith_doc *doc, const schema *s, uint32_t path)
{
    const facts *of = &s->list.at[path];
    json_array(doc, "required");
    for (uint32_t child = of->child; child != 0; child = s->list.at[child].next) {
        pith_text name = s->paths.names.at[child].name;
        if (!is_element(s, child) && s->list.at[child].all == of->kinds[PITH_OBJECT])
            pith_doc_add_text(doc, name.ptr, name.len);
    }
    pith_doc_close(doc);
}

/* Opens the schema of a path; what is below it is added next. */
static void open_schema(pith_doc *doc, const schema *s, uint32_t path)
{
    pith_doc_open_object(doc);
    if (path == PATH_TOP)
        json_text(doc, "$schema", "https://json-schema.org/draft/2020-12/schema");
    add_schema_type(doc, &s->list.at[path]);
    add_schema_values(doc, &s->list.at[path]);
    if (s->list.at[path].kinds[PITH_OBJECT] > 0)
        add_required(doc, s, path);
}

/* The children of a path that are members come in one object, the element by itself. */
static uint32_t next_of_kind(const schema *s, uint32_t path, bool want_element)
{
    while (path != 0 && is_element(s, path) != want_element)
        path = s->list.at[path].next;
    return path;
}

/* All paths, each after the one that it is in. */
static void add_schema(pith_doc *doc, const void *from)
{
    const schema *s = from;
    uint32_t path = PATH_TOP;
    open_schema(doc, s, path);
    for (;;) {
        uint32_t items = next_of_kind(s, s->list.at[path].child, true);
        uint32_t member = next_of_kind(s, s->list.at[path].child, false);
        if (items != 0) { /* first the elements, then the members */
            json_key(doc, "items");
            open_schema(doc, s, path = items);
            continue;
        }
        if (member != 0) {
            json_key(doc, "properties");
            pith_doc_open_object(doc);
        }
        while (member == 0) { /* up, to where something is left */
            pith_doc_close(doc);
            if (path == PATH_TOP)
                return;
            bool was_items = is_element(s, path);
            uint32_t parent = s->paths.names.at[path].parent;
            member = next_of_kind(
                s, was_items ? s->list.at[parent].child : s->list.at[path].next, false);
            if (member != 0 && was_items) {
                json_key(doc, "properties");
                pith_doc_open_object(doc);
            } else if (member == 0 && !was_items) {
                pith_doc_close(doc); /* the properties */
            }
            path = parent;
        }
        pith_text name = s->paths.names.at[member].name;
        pith_doc_add_key(doc, name.ptr, name.len);
        open_schema(doc, s, path = member);
    }
}

/* --- one file */

static void print_schema(schema *s, const loaded *file)
{
    context *ctx = s->ctx;
    pith_error err = {0};
    rows_out table;
    if (!look_at_all(s, pith_doc_root(file->doc))) {
        error_no_memory(&err);
        load_report(file, ctx, &err);
    } else if (args_has(&ctx->given, OPTION_JSON)) {
        json_print(ctx, add_schema, s);
    } else if (rows_out_open(&table, ctx)) {
        rows_out_end(&table, write_rows(s, &table, &err), &err);
    } else {
        rows_out_drop(&table);
    }
}

static void describe(context *ctx, const char *path)
{
    schema s = {.ctx = ctx};
    loaded file = {.format = NULL};
    if (load_document(ctx, path, &file))
        print_schema(&s, &file);
    LIST_FREE(&s.list, &s.paths.alloc);
    LIST_FREE(&s.open, &s.paths.alloc);
    paths_free(&s.paths);
    load_free(&file);
}

static void run_schema(context *ctx)
{
    if (args_has(&ctx->given, OPTION_JSON) && args_has(&ctx->given, OPTION_BUDGET)) {
        diag_usage(&ctx->errors, "unused_option", NULL,
                   "--budget does not apply to a JSON Schema, which is whole or wrong");
        return;
    }
    if (!would_wait(ctx) && ctx->path_count == 1)
        describe(ctx, ctx->paths[0]);
    else if (ctx->path_count > 1)
        diag_usage(&ctx->errors, "several_inputs", NULL, "'schema' takes one file");
    progress_stop(&ctx->line);
}

const command command_schema = {
    .name = "schema",
    .operands = "[FILE|-]",
    .takes = OPERAND_FILES,
    .summary = "describe what is in a file, path by path",
    .about =
        "Lists the paths of FILE: the types of the values there, in how many of the objects "
        "they are, and what they are: the range of numbers, the different texts where there "
        "are few, else two of them, the lengths of arrays. items.name is the name of every "
        "item, tags[*] an element of tags. The list is a table in the format of --to, "
        "and --budget leaves out its last paths.\n"
        "With --json it is a JSON Schema, by which the file itself is valid.",
    .examples = EXAMPLES({"pith schema issues.json", "a table of paths"},
                         {"pith schema issues.json --budget 500", "the first of them"},
                         {"pith schema orders.ndjson --json", "a JSON Schema"}),
    .options = OPTIONS(OPTION_FROM, OPTION_AT, OPTION_ROWS, OPTION_FIELDS, OPTION_DROP,
                       OPTION_DROP_NULL, OPTION_BAD, OPTION_JSON, OPTION_TO,
                       OPTION_OUTPUT, OPTION_BUDGET, OPTION_TOKENIZER, OPTION_NO_NEWLINE,
                       OPTION_DEPTH, OPTION_MEMORY_MAX, OPTION_ERRORS, OPTION_COLOR,
                       OPTION_NO_PROGRESS, OPTION_QUIET, OPTION_HELP, OPTION_VERSION),
    .run = run_schema,
};
