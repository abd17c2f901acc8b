/*
 * cmd_why.c - `pith why`: which parts of a file cost the tokens.
 *
 * The value is written as compact JSON, which is what it costs without any effort, and the
 * text is cut where one part of the value ends and the next begins:
 *
 *     {"id":7,"user":{"login":"x"}}
 *     ^ top  ^ id, its value       each member has its key, from the comma or the quote to
 *      ^^^^^ id, its key           the colon; braces and brackets belong to what they enclose
 *
 * A token belongs to the part in which it begins. So the numbers add up to the tokens of the
 * whole, whatever the vocabulary makes of the borders.
 */
#include "context.h"
#include "format_args.h"
#include "json_out.h"
#include "load.h"
#include "token_args.h"
#include "value_paths.h"
#include "width.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHY_LINES = 20, WHY_BAR = 20, WHY_DROPS = 12 };

/* What is at a path. */
typedef struct part {
    uint32_t path;
    size_t keys; /* tokens */
    size_t values;
    size_t scalars; /* that are there, */
    size_t useless; /* and those of them that a model can seldom use */
    size_t containers;
    pith_buffer spelled; /* the path, of those that are printed */
} part;

typedef struct piece {
    size_t end; /* in the text */
    uint32_t path;
    bool key;
} piece;

typedef struct open_part {
    uint32_t path;
    bool object;
} open_part;

typedef struct why {
    context *ctx;
    const char *file;
    pith_vocab *vocab;
    value_paths paths;
    pith_buffer text; /* compact JSON */
    LIST(piece) pieces;
    LIST(part) parts; /* by the number of their path; then the dearest first */
    LIST(open_part) open;
    size_t tokens;
    pith_buffer drop; /* the line to paste */
    size_t dropped;   /* tokens that are left with it; 0 when it is not known */
    pith_error err;
} why;

static bool refuse(why *w)
{
    error_no_memory(&w->err);
    return false;
}

/* --- cutting the text into pieces */

static part *part_of(why *w, uint32_t path)
{
    while (w->parts.count <= path) {
        part *added = LIST_ADD(&w->parts, &w->paths.alloc);
        if (added == NULL)
            return NULL;
        *added = (part){.path = (uint32_t)(w->parts.count - 1)};
    }
    return &w->parts.at[path];
}

static bool add_piece(why *w, size_t end, uint32_t path, bool key)
{
    piece *added = LIST_ADD(&w->pieces, &w->paths.alloc);
    if (added == NULL || part_of(w, path) == NULL)
        return refuse(w);
    *added = (piece){end, path, key};
    return true;
}

/* The end of a string that begins at `at`. */
static size_t after_string(const char *text, size_t at)
{
    for (at++; text[at] != '"'; at++)
        at += text[at] == '\\';
    return at + 1;
}

/* Addresses, names that only machines read, and nothing at all. */
static bool is_useless(const char *text, size_t len)
{
    pith_text value = text_of(text, len);
    if (text_is(value, "null") || text_begins(value, "\"http://") ||
        text_begins(value, "\"https://"))
        return true;
    size_t digits = 0;
    size_t letters = 0;
    for (size_t i = 1; i + 1 < len && text[0] == '"'; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        bool letter = (text[i] >= 'a' && text[i] <= 'z') ||
                      (text[i] >= 'A' && text[i] <= 'Z') || strchr("=+/_-", text[i]);
        if (!digit && !letter)
            return false;
        digits += digit;
        letters += letter;
    }
    return len >= 18 && digits >= 3 && letters >= 3;
}

/* A value that is no container, at `at`; where it ends. */
static size_t cut_scalar(why *w, size_t at, uint32_t path)
{
    const char *text = w->text.data;
    size_t end =
        text[at] == '"' ? after_string(text, at) : at + strcspn(text + at, ",]}");
    part *there = part_of(w, path);
    if (there == NULL || !add_piece(w, end, path, false))
        return SIZE_MAX;
    there = part_of(w, path);
    there->scalars++;
    there->useless += is_useless(text + at, end - at);
    return end;
}

/* A key and what is before it, from `at` to the colon. */
static size_t cut_key(why *w, size_t at, uint32_t object, uint32_t *path)
{
    const char *text = w->text.data;
    size_t from = at + (text[at] == ',');
    size_t end = after_string(text, from);
    *path =
        paths_member(&w->paths, object, text_between(text + from + 1, text + end - 1));
    if (*path == PATH_REFUSED || !add_piece(w, end + 1, *path, true))
        return SIZE_MAX;
    return end + 1;
}

static bool open_container(why *w, uint32_t path, bool object)
{
    open_part *level = LIST_ADD(&w->open, &w->paths.alloc);
    if (level == NULL)
        return refuse(w);
    *level = (open_part){path, object};
    w->parts.at[path].containers++;
    return true;
}

/* The value at `at`: all of a scalar, or the bracket that begins it. */
static size_t cut_value(why *w, size_t at, uint32_t path)
{
    char c = w->text.data[at];
    if (c != '{' && c != '[')
        return cut_scalar(w, at, path);
    if (!add_piece(w, at + 1, path, false) || !open_container(w, path, c == '{'))
        return SIZE_MAX;
    return at + 1;
}

/* The next key and value, element, or end of the innermost container. */
static size_t cut_next(why *w, size_t at)
{
    open_part level = w->open.at[w->open.count - 1];
    const char *text = w->text.data;
    uint32_t path = level.path;
    if (text[at] == '}' || text[at] == ']') {
        w->open.count--;
        return add_piece(w, at + 1, path, false) ? at + 1 : SIZE_MAX;
    }
    if (level.object)
        at = cut_key(w, at, level.path, &path);
    else if (text[at] == ',')
        at = add_piece(w, at + 1, path, false) ? at + 1 : SIZE_MAX;
    return at == SIZE_MAX ? at : cut_value(w, at, path);
}

static bool cut_text(why *w)
{
    size_t at = part_of(w, PATH_TOP) == NULL ? SIZE_MAX : cut_value(w, 0, PATH_TOP);
    while (at != SIZE_MAX && w->open.count > 0)
        at = cut_next(w, at);
    return at != SIZE_MAX || refuse(w);
}

/* --- counting */

/* How many bytes a token has. */
static bool token_length(why *w, uint32_t id, size_t *len)
{
    pith_buffer bytes = {0};
    pith_status status =
        pith_vocab_decode(w->vocab, &id, 1, NULL, pith_sink_buffer(&bytes), &w->err);
    *len = bytes.len;
    pith_buffer_free(&bytes);
    return status == PITH_OK;
}

static bool count_tokens(why *w)
{
    pith_tokens tokens = {0};
    size_t at = 0;
    size_t piece_at = 0;
    bool fine = pith_vocab_encode(w->vocab, w->text.data, w->text.len,
                                  PITH_SPECIAL_IS_TEXT, &tokens, &w->err) == PITH_OK;
    w->tokens = tokens.count;
    for (size_t i = 0; fine && i < tokens.count; i++) {
        size_t len = 0;
        while (piece_at + 1 < w->pieces.count && at >= w->pieces.at[piece_at].end)
            piece_at++;
        const piece *in = &w->pieces.at[piece_at];
        part *there = &w->parts.at[in->path];
        *(in->key ? &there->keys : &there->values) += 1;
        fine = token_length(w, tokens.ids[i], &len);
        at += len;
    }
    pith_tokens_free(&tokens);
    return fine;
}

/* --- what to drop */

/* All that has this name, added up; `useless` when a model could do without all of it. */
typedef struct named {
    pith_text name;
    size_t tokens;
    bool useless;
} named;

static int by_cost(const void *a, const void *b)
{
    const named *first = a;
    const named *second = b;
    if (first->tokens != second->tokens)
        return first->tokens > second->tokens ? -1 : 1;
    return text_order(first->name, second->name);
}

static void add_name(named *names, size_t *count, pith_text name, const part *of)
{
    size_t i = 0;
    while (i < *count && !text_equal(names[i].name, name))
        i++;
    if (i == *count)
        names[(*count)++] = (named){name, 0, true};
    names[i].tokens += of->keys + of->values;
    names[i].useless = names[i].useless && of->containers == 0 && of->scalars > 0 &&
                       of->useless == of->scalars;
}

static bool ends_with(pith_text name, const char *end)
{
    size_t len = strlen(end);
    return name.len > len && memcmp(name.ptr + name.len - len, end, len) == 0;
}

/* Whether all names that end in _url are useless, and there are some. */
static bool drops_urls(const named *names, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (ends_with(names[i].name, "_url") && !names[i].useless)
            return false;
        found += ends_with(names[i].name, "_url");
    }
    return found > 1;
}

static bool add_drop(why *w, const char *text, pith_text name)
{
    pith_sink sink = pith_sink_buffer(&w->drop);
    if (w->drop.len > 0 && sink.write(sink.ctx, ",", 1) != PITH_OK)
        return refuse(w);
    bool fine = text != NULL ? sink.write(sink.ctx, text, strlen(text)) == PITH_OK
                             : paths_spell_name(name, true, &w->drop);
    return fine || refuse(w);
}

/* Names what a model can do without, or else the dearest name. */
static bool choose_drops(why *w, named *names, size_t count)
{
    const char *given = w->ctx->given.value[OPTION_DROP];
    bool urls = drops_urls(names, count);
    size_t taken = 0;
    qsort(names, count, sizeof *names, by_cost);
    if (given != NULL && !add_drop(w, given, text_of("", 0)))
        return false;
    if (urls && !add_drop(w, "*_url", text_of("", 0)))
        return false;
    for (size_t i = 0; i < count && taken < WHY_DROPS; i++) {
        if (!names[i].useless || (urls && ends_with(names[i].name, "_url")))
            continue;
        if (!add_drop(w, NULL, names[i].name))
            return false;
        taken++;
    }
    if (taken == 0 && !urls && count > 0)
        return add_drop(w, NULL, names[0].name);
    return true;
}

static bool find_drops(why *w)
{
    size_t count = 0;
    size_t most = w->parts.count < 4096 ? w->parts.count : 4096;
    named *names = calloc(most + 1, sizeof *names);
    if (names == NULL)
        return refuse(w);
    for (size_t i = 1; i < most; i++)
        if (!text_is(w->paths.names.at[i].name, "*")) /* which would drop everything */
            add_name(names, &count, w->paths.names.at[i].name, &w->parts.at[i]);
    bool fine = choose_drops(w, names, count);
    free(names);
    return fine;
}

/* Counts what is left with the line that is proposed. */
static bool count_dropped(why *w, const loaded *file)
{
    context *ctx = w->ctx;
    const char *given = ctx->given.value[OPTION_DROP];
    chosen_settings settings = {0};
    pith_buffer text = {0};
    ctx->given.value[OPTION_DROP] = w->drop.data;
    bool fine = settings_sort(&settings, ctx, file->format, NULL);
    ctx->given.value[OPTION_DROP] = given;
    if (!fine)
        refuse(w);
    pith_options options = {.read = settings.read.data,
                            .depth_max = args_number(&ctx->given, OPTION_DEPTH),
                            .memory_max = file->in.memory_max};
    pith_doc *doc =
        fine ? pith_doc_parse(file->format->name, file->in.len > 0 ? file->in.text : "",
                              file->in.len, &options, &w->err)
             : NULL;
    fine = doc != NULL &&
           pith_value_write(pith_doc_root(doc), "json", NULL, pith_sink_buffer(&text),
                            &w->err) == PITH_OK &&
           pith_vocab_count(w->vocab, text.data, text.len, NULL, &w->dropped, &w->err) ==
               PITH_OK;
    pith_doc_free(doc);
    pith_buffer_free(&text);
    settings_free(&settings);
    return fine;
}

/* --- what is printed */

static int dearest_first(const void *a, const void *b)
{
    const part *first = a;
    const part *second = b;
    size_t one = first->keys + first->values;
    size_t other = second->keys + second->values;
    if (one != other)
        return one > other ? -1 : 1;
    return first->path < second->path ? -1 : 1;
}

static double share(size_t tokens, size_t of)
{
    return of > 0 ? 100.0 * (double)tokens / (double)of : 0;
}

static void print_line(why *w, const part *of, const char *path, size_t dearest)
{
    char bar[WHY_BAR + 1] = "";
    size_t all = of->keys + of->values;
    size_t len = dearest > 0 ? (all * WHY_BAR + dearest - 1) / dearest : 0;
    memset(bar, '#', len < WHY_BAR ? len : WHY_BAR);
    output_format(&w->ctx->out, "%9zu %5.1f%% %8zu %8zu  %-*s  ", all,
                  share(all, w->tokens), of->keys, of->values, WHY_BAR, bar);
    output_text(&w->ctx->out, path);
    output_text(&w->ctx->out, "\n");
}

static void print_parts(why *w)
{
    part others = {0};
    size_t dearest = w->parts.at[0].keys + w->parts.at[0].values;
    output_text(&w->ctx->out, "   tokens  share     keys   values\n");
    for (size_t i = 0; i < w->parts.count; i++) {
        const part *of = &w->parts.at[i];
        if (i >= WHY_LINES && w->parts.count > WHY_LINES + 1) {
            others.keys += of->keys;
            others.values += of->values;
        } else {
            print_line(w, of,
                       of->path == PATH_TOP ? "(the value itself)" : of->spelled.data,
                       dearest);
        }
    }
    if (others.keys + others.values > 0) {
        char name[64];
        snprintf(name, sizeof name, "(%zu others)", w->parts.count - WHY_LINES);
        print_line(w, &others, name, dearest);
    }
}

/* A word of a command line, in quotes where the shell would see more in it. */
static void print_word(output *out, const char *word)
{
    bool plain = word[0] != '\0' &&
                 word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789_./-:,=+@")] == '\0';
    output_text(out, plain ? "" : "'");
    for (const char *at = word; *at != '\0'; at++)
        output_format(out, *at == '\'' ? "'\\''" : "%c", *at);
    output_text(out, plain ? "" : "'");
}

static void print_drop(why *w)
{
    output *out = &w->ctx->out;
    static const option_id kept[] = {OPTION_FROM, OPTION_AT, OPTION_ROWS, OPTION_FIELDS};
    if (w->drop.len == 0)
        return;
    output_text(out, "pith");
    if (strcmp(w->file, "-") != 0) {
        output_text(out, " ");
        print_word(out, w->file);
    }
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        const char *value = w->ctx->given.value[kept[i]];
        if (value == NULL)
            continue;
        output_format(out, " --%s ", option_of(kept[i])->word);
        print_word(out, value);
    }
    output_text(out, args_has(&w->ctx->given, OPTION_DROP_NULL) ? " --drop-null" : "");
    output_format(out, " --drop '%s'", w->drop.data);
    if (w->dropped > 0)
        output_format(out, "  # %zu tokens, %.1f%% fewer", w->dropped,
                      share(w->tokens - w->dropped, w->tokens));
    output_text(out, "\n");
}

static void add_all(pith_doc *doc, const void *from)
{
    const why *w = from;
    pith_doc_open_object(doc);
    json_text(doc, "file", input_name(w->file));
    json_text(doc, "tokenizer", pith_vocab_describe(w->vocab).name);
    json_number(doc, "tokens", w->tokens);
    json_array(doc, "paths");
    for (size_t i = 0; i < w->parts.count; i++) {
        const part *of = &w->parts.at[i];
        pith_doc_open_object(doc);
        json_text(doc, "path", of->spelled.len > 0 ? of->spelled.data : "");
        json_number(doc, "tokens", of->keys + of->values);
        json_number(doc, "keys", of->keys);
        json_number(doc, "values", of->values);
        pith_doc_close(doc);
    }
    pith_doc_close(doc);
    if (w->drop.len > 0) {
        json_text(doc, "drop", w->drop.data);
        json_number(doc, "tokens_after_drop", w->dropped);
    }
    pith_doc_close(doc);
}

static void print_all(why *w)
{
    if (args_has(&w->ctx->given, OPTION_JSON)) {
        json_print(w->ctx, add_all, w);
        return;
    }
    output_text(&w->ctx->out, input_name(w->file));
    output_format(&w->ctx->out, ": %zu %s by %s as compact JSON\n", w->tokens,
                  w->tokens == 1 ? "token" : "tokens",
                  pith_vocab_describe(w->vocab).name);
    print_parts(w);
    print_drop(w);
}

/* --- one file */

/* Spells what is printed first, so that nothing is when memory runs out. */
static bool spell_parts(why *w)
{
    size_t count = w->parts.count;
    if (!args_has(&w->ctx->given, OPTION_JSON) && count > WHY_LINES + 1)
        count = WHY_LINES;
    for (size_t i = 0; i < count; i++)
        if (!paths_spell(&w->paths, w->parts.at[i].path, &w->parts.at[i].spelled))
            return refuse(w);
    return true;
}

static bool look_into(why *w, const loaded *file)
{
    if (pith_value_write(pith_doc_root(file->doc), "json", NULL,
                         pith_sink_buffer(&w->text), &w->err) != PITH_OK ||
        !cut_text(w) || !count_tokens(w) || !find_drops(w))
        return false;
    if (w->drop.len > 0 && !count_dropped(w, file))
        return false;
    qsort(w->parts.at, w->parts.count, sizeof *w->parts.at, dearest_first);
    return spell_parts(w);
}

static void explain_file(context *ctx, pith_vocab *vocab, const char *path)
{
    why w = {.ctx = ctx, .file = path, .vocab = vocab};
    loaded file = {.format = NULL};
    if (load_document(ctx, path, &file)) {
        bool fine = paths_begin(&w.paths) ? look_into(&w, &file) : refuse(&w);
        if (fine)
            print_all(&w);
        else
            load_report(&file, ctx, &w.err);
    }
    LIST_FREE(&w.pieces, &w.paths.alloc);
    for (size_t i = 0; i < w.parts.count; i++)
        pith_buffer_free(&w.parts.at[i].spelled);
    LIST_FREE(&w.parts, &w.paths.alloc);
    LIST_FREE(&w.open, &w.paths.alloc);
    paths_free(&w.paths);
    pith_buffer_free(&w.text);
    pith_buffer_free(&w.drop);
    load_free(&file);
}

static void run_why(context *ctx)
{
    if (would_wait(ctx))
        return;
    pith_vocab *vocab = tokenizer_open(ctx);
    if (vocab != NULL && !pith_vocab_describe(vocab).exact) {
        diag_usage(&ctx->errors, "bad_value", "name a vocabulary, such as o200k_base",
                   "'why' looks at the tokens, and an estimate has none");
    } else if (vocab != NULL) {
        for (size_t i = 0; i < ctx->path_count && ctx->errors.exit_code != EXIT_USAGE;
             i++)
            explain_file(ctx, vocab, ctx->paths[i]);
    }
    progress_stop(&ctx->line);
    pith_vocab_free(vocab);
}

const command command_why = {
    .name = "why",
    .operands = "[FILE|-]...",
    .takes = OPERAND_FILES,
    .summary = "show which parts of a file cost the tokens",
    .about =
        "Lists the paths of each FILE with the tokens that they cost as compact JSON, keys "
        "and values apart, the dearest first. Arrays have no path of their own: items.name "
        "is the name of every item. Of an object with more than 200 names the others are "
        "one, '*'.\n"
        "A token belongs to the part in which it begins; a member's key has the comma "
        "before it and the colon after it, and brackets belong to what they enclose. So the "
        "numbers add up to the tokens of the whole.\n"
        "The last line is a command to paste, which drops what a model can seldom use: "
        "members that are nothing but addresses, names for machines, or null, or else the "
        "dearest one. What it would cost then has been counted.",
    .examples = EXAMPLES({"pith why issues.json", "where the tokens go"},
                         {"pith why issues.json --at items --drop body", "of the rest"},
                         {"pith why rows.ndjson --json", "all paths, as JSON"}),
    .options =
        OPTIONS(OPTION_FROM, OPTION_SET, OPTION_AT, OPTION_ROWS, OPTION_FIELDS,
                OPTION_DROP, OPTION_DROP_NULL, OPTION_BAD, OPTION_TOKENIZER, OPTION_JSON,
                OPTION_DEPTH, OPTION_MEMORY_MAX, OPTION_ERRORS, OPTION_COLOR,
                OPTION_NO_PROGRESS, OPTION_QUIET, OPTION_HELP, OPTION_VERSION),
    .run = run_why,
};
