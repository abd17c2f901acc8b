/*
 * cmd_compare.c - `pith compare`: what a file costs in every format.
 *
 * Savings are always against compact JSON, because that is what the data costs without
 * any effort; against indented JSON they are in a second column, since that is what
 * most claims compare with. When compact JSON is the cheapest, the verdict says so.
 */
#include "context.h"
#include "form_costs.h"
#include "format_args.h"
#include "interrupt.h"
#include "json_out.h"
#include "load.h"
#include "token_args.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what is printed */

enum {
    CURVE_STEPS = 4,
    BAR_WIDTH = 24,
    SAVING_MAX = 48,
    NAME_WIDTH = 14,
    ROWS_WIDTH = 14,
    UNIT_MAX = 8
};

static const size_t curve_rows[CURVE_STEPS] = {10, 100, 500, 1000000000};

/* What a million tokens cost. */
typedef struct price_unit {
    double amount; /* 0 when none is given */
    const char *unit;
} price_unit;

/* The tokens of a form with fewer rows. */
typedef struct curve {
    size_t steps;
    size_t rows[CURVE_STEPS];
    form_costs costs[CURVE_STEPS];
} curve;

typedef struct comparison {
    context *ctx;
    const char *name;
    const char *vocab;
    bool exact;
    double price; /* a million tokens; 0 when none is given */
    const char *unit;
    size_t budget; /* tokens; 0 when none is given */
    bool markdown;
    bool measured; /* `costs` has been */
    form_costs costs;
    curve *curve; /* NULL for none */
} comparison;

static const char *form_name(const form_cost *form)
{
    return form->indented ? "json, indented" : form->dense ? "pith, dense" : form->format;
}

/* A saving of 382 tenths is -38.2%: fewer tokens, so less. Empty without a form to
 * compare with: what is nested too deeply has none that is indented. */
static void write_saving(char into[SAVING_MAX], size_t tokens, size_t against)
{
    into[0] = '\0';
    if (against == 0)
        return;
    long tenths = form_saving(tokens, against);
    snprintf(into, SAVING_MAX, "%s%ld.%ld%%",
             tenths > 0   ? "-"
             : tenths < 0 ? "+"
                          : "",
             labs(tenths) / 10, labs(tenths) % 10);
}

static const form_cost *find_form(const form_costs *among, const form_cost *like)
{
    for (size_t i = 0; i < among->count; i++)
        if (among->list[i].indented == like->indented &&
            among->list[i].dense == like->dense &&
            strcmp(among->list[i].format, like->format) == 0)
            return &among->list[i];
    return NULL;
}

/* The price of a thousand times that text. */
static double price_of(const comparison *result, size_t tokens)
{
    return result->price * (double)tokens / 1000;
}

/* --- as tables, in columns or as Markdown */

static void print_bar(output *out, size_t tokens, size_t most)
{
    size_t eighths = most == 0 ? 0 : tokens * BAR_WIDTH * 8 / most;
    static const char *const parts[] = {"",       "\u258f", "\u258e", "\u258d",
                                        "\u258c", "\u258b", "\u258a", "\u2589"};
    output_text(out, "  ");
    for (size_t i = 0; i < eighths / 8; i++)
        output_text(out, "\u2588");
    output_text(out, parts[eighths % 8]);
}

/* A cell of a row: the first is on the left, the others are on the right of their
 * columns, which are `width` wide where there is no Markdown. */
static void print_cell(const comparison *result, bool first, int width, const char *text)
{
    output *out = &result->ctx->out;
    if (result->markdown)
        output_format(out, first ? "| %s |" : " %s |", text);
    else
        output_format(out, first ? "%-*s" : "  %*s", width, text);
}

static void print_number(const comparison *result, int width, size_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", number);
    print_cell(result, false, width, text);
}

/* The saving against another form, as -38.2%; empty where there is no such form. */
static void print_saving(const comparison *result, int width, size_t tokens,
                         size_t against)
{
    char text[SAVING_MAX];
    write_saving(text, tokens, against);
    print_cell(result, false, width, text);
}

/* The line between the head of a Markdown table and its rows. */
static void print_rule(const comparison *result, size_t columns)
{
    output_text(&result->ctx->out, "\n");
    if (!result->markdown)
        return;
    output_text(&result->ctx->out, "|---|");
    for (size_t i = 0; i < columns; i++)
        output_text(&result->ctx->out, "---:|");
    output_text(&result->ctx->out, "\n");
}

static void print_head(const comparison *result)
{
    output *out = &result->ctx->out;
    char tokens[128] = "tokens";
    if (result->markdown) {
        snprintf(tokens, sizeof tokens, "tokens (%s)", result->vocab);
    } else {
        output_format(out, "%s: tokens by %s%s\n", result->name, result->vocab,
                      result->exact ? "" : " (a guess)");
    }
    print_cell(result, true, NAME_WIDTH, result->markdown ? result->name : "format");
    print_cell(result, false, 10, tokens);
    print_cell(result, false, 10, "bytes");
    print_cell(result, false, 8, result->markdown ? "vs compact JSON" : "vs json");
    print_cell(result, false, 11, "vs indented");
    if (result->price > 0) {
        char head[32];
        snprintf(head, sizeof head, "%s per 1000", result->unit);
        print_cell(result, false, 12, head);
    }
    if (result->budget > 0) {
        char rows[48];
        snprintf(rows, sizeof rows, "rows in %zu", result->budget);
        print_cell(result, false, ROWS_WIDTH, rows);
    }
    print_rule(result, 4u + (result->price > 0) + (result->budget > 0));
}

static void print_form(const comparison *result, const form_cost *form)
{
    output *out = &result->ctx->out;
    const form_costs *costs = &result->costs;
    print_cell(result, true, NAME_WIDTH, form_name(form));
    char tokens[32];
    snprintf(tokens, sizeof tokens, "%s%zu", result->exact ? "" : "~", form->tokens);
    print_cell(result, false, 10, tokens);
    print_number(result, 10, form->bytes);
    print_saving(result, 8, form->tokens, costs->json.tokens);
    print_saving(result, 11, form->tokens, costs->indented.tokens);
    if (result->price > 0) {
        char price[48];
        snprintf(price, sizeof price, "%.4f", price_of(result, form->tokens));
        print_cell(result, false, 12, price);
    }
    if (result->budget > 0 && form->as_it_is)
        print_cell(result, false, ROWS_WIDTH, "");
    else if (result->budget > 0)
        print_number(result, ROWS_WIDTH, form->rows);
    if (out->terminal && !result->markdown)
        print_bar(out, form->tokens, costs->list[costs->count - 1].tokens);
    output_text(out, "\n");
}

/* Which formats are not in the list, and why; those with the same reason together. */
static void print_refused(const comparison *result)
{
    output *out = &result->ctx->out;
    const form_refused *list = result->costs.refused;
    size_t count = result->costs.refused_count;
    for (size_t i = 0; i < count; i++) {
        size_t before = 0;
        while (before < i && strcmp(list[before].why, list[i].why) != 0)
            before++;
        if (before < i)
            continue;
        output_format(out, "%s%s", result->markdown ? "\n" : "", list[i].format);
        for (size_t k = i + 1; k < count; k++)
            if (strcmp(list[k].why, list[i].why) == 0)
                output_format(out, ", %s", list[k].format);
        output_format(out, " cannot hold it: %s\n", list[i].why);
    }
}

static void print_verdict(const comparison *result)
{
    output *out = &result->ctx->out;
    const form_cost *best = &result->costs.list[0];
    if (result->markdown)
        output_text(out, "\n");
    if (best->tokens == result->costs.json.tokens) {
        output_text(out, "Compact JSON is already the cheapest form.\n");
        return;
    }
    if (best->as_it_is) {
        output_text(out, "As it is, it is the cheapest already.\n");
        return;
    }
    char saving[SAVING_MAX];
    write_saving(saving, best->tokens, result->costs.json.tokens);
    output_format(out, "%s saves %s of the tokens of compact JSON.\n", form_name(best),
                  saving + (saving[0] == '-')); /* not even 0.1% may be saved */
}

static void print_curve(const comparison *result)
{
    output *out = &result->ctx->out;
    const curve *steps = result->curve;
    output_text(out, "\n");
    print_cell(result, true, NAME_WIDTH,
               result->markdown ? "vs compact JSON" : "vs json");
    for (size_t s = 0; s < steps->steps; s++) {
        char title[48];
        snprintf(title, sizeof title, "%zu rows", steps->rows[s]);
        print_cell(result, false, 12, title);
    }
    print_rule(result, steps->steps);
    for (size_t i = 0; i < result->costs.count; i++) {
        const form_cost *form = &result->costs.list[i];
        if (form->as_it_is)
            continue;
        print_cell(result, true, NAME_WIDTH, form_name(form));
        for (size_t s = 0; s < steps->steps; s++) {
            const form_cost *there = find_form(&steps->costs[s], form);
            size_t tokens = there != NULL ? there->tokens : 0;
            print_saving(result, 12, tokens,
                         there != NULL ? steps->costs[s].json.tokens : 0);
        }
        output_text(out, "\n");
    }
}

static void print_tables(const comparison *result)
{
    print_head(result);
    for (size_t i = 0; i < result->costs.count; i++)
        print_form(result, &result->costs.list[i]);
    print_verdict(result);
    print_refused(result);
    if (result->curve != NULL)
        print_curve(result);
}

/* --- as JSON, one object a file */

/* A share with three digits: 0.382; null without a form to compare with. */
static void add_saving(pith_doc *doc, const char *key, size_t tokens, size_t against)
{
    json_key(doc, key);
    if (against == 0) {
        pith_doc_add_null(doc);
        return;
    }
    char digits[24];
    long tenths = form_saving(tokens, against);
    int len = snprintf(digits, sizeof digits, "%s%ld.%03ld", tenths < 0 ? "-" : "",
                       labs(tenths) / 1000, labs(tenths) % 1000);
    pith_doc_add_number(doc, digits, (size_t)len);
}

static void add_forms(pith_doc *doc, const comparison *result, const form_costs *costs)
{
    bool with_rows = result->budget > 0 && costs == &result->costs;
    json_array(doc, "formats");
    for (size_t i = 0; i < costs->count; i++) {
        const form_cost *form = &costs->list[i];
        pith_doc_open_object(doc);
        json_text(doc, "format", form->format);
        if (form->as_it_is)
            json_bool(doc, "as_it_is", true);
        if (form->settings != NULL)
            json_text(doc, "settings", form->settings);
        json_number(doc, "tokens", form->tokens);
        json_number(doc, "bytes", form->bytes);
        add_saving(doc, "saving", form->tokens, costs->json.tokens);
        add_saving(doc, "saving_to_indented", form->tokens, costs->indented.tokens);
        if (result->price > 0) {
            json_key(doc, "price_per_1000");
            pith_doc_add_double(doc, price_of(result, form->tokens));
        }
        if (with_rows && !form->as_it_is)
            json_number(doc, "rows", form->rows);
        pith_doc_close(doc);
    }
    pith_doc_close(doc);
}

static void add_curve(pith_doc *doc, const comparison *result)
{
    json_array(doc, "curve");
    for (size_t s = 0; s < result->curve->steps; s++) {
        pith_doc_open_object(doc);
        json_number(doc, "rows", result->curve->rows[s]);
        add_forms(doc, result, &result->curve->costs[s]);
        pith_doc_close(doc);
    }
    pith_doc_close(doc);
}

static void add_comparison(pith_doc *doc, const void *from)
{
    const comparison *result = from;
    pith_doc_open_object(doc);
    json_text(doc, "file", result->name);
    json_text(doc, "tokenizer", result->vocab);
    json_bool(doc, "exact", result->exact);
    if (result->budget > 0)
        json_number(doc, "budget", result->budget);
    if (result->price > 0)
        json_text(doc, "price_unit", result->unit);
    json_text(doc, "best", result->costs.list[0].format);
    add_forms(doc, result, &result->costs);
    if (result->costs.refused_count > 0) {
        json_array(doc, "refused");
        for (size_t i = 0; i < result->costs.refused_count; i++) {
            pith_doc_open_object(doc);
            json_text(doc, "format", result->costs.refused[i].format);
            json_text(doc, "why", result->costs.refused[i].why);
            pith_doc_close(doc);
        }
        pith_doc_close(doc);
    }
    if (result->curve != NULL)
        add_curve(doc, result);
    pith_doc_close(doc);
}

/* --- measuring */

/* Counts the value with fewer rows, for each step that is not beyond all of them. */
static bool measure_curve(comparison *result, const form_counting *counting,
                          pith_value value, pith_error *err)
{
    curve *steps = result->curve;
    for (size_t s = 0; s < CURVE_STEPS; s++) {
        form_costs *costs = &steps->costs[s];
        form_counting step = *counting;
        step.rows_max = curve_rows[s];
        step.budget = 0;
        step.as_it_is = (pith_text){NULL, 0};
        if (!form_costs_count(&step, value, costs, err))
            return false;
        steps->rows[s] = costs->rows;
        if (s > 0 && steps->rows[s - 1] == costs->rows)
            break;
        steps->steps = s + 1;
    }
    return true;
}

static void compare_value(comparison *result, const form_counting *counting,
                          pith_value value)
{
    pith_error err = {0};
    bool fine = form_costs_count(counting, value, &result->costs, &err);
    if (fine && result->curve != NULL)
        fine = measure_curve(result, counting, value, &err);
    result->measured = fine;
    progress_clear(&result->ctx->line);
    if (fine && args_has(&result->ctx->given, OPTION_JSON))
        json_print(result->ctx, add_comparison, result);
    else if (fine)
        print_tables(result);
    else
        diag_problem(&result->ctx->errors, result->name, &err, NULL);
}

/* The text of the document, where the document is all of it. */
static pith_text text_as_it_is(context *ctx, const loaded *document)
{
    static const option_id parts[] = {OPTION_AT,   OPTION_ROWS,      OPTION_FIELDS,
                                      OPTION_DROP, OPTION_DROP_NULL, OPTION_BAD};
    pith_text none = {NULL, 0};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (args_has(&ctx->given, parts[i]))
            return none;
    return document->format->binary || document->in.len == 0
               ? none
               : (pith_text){document->in.text, document->in.len};
}

/* What is the same for all files. */
static comparison comparison_of(context *ctx, const form_counting *counting,
                                const price_unit *price)
{
    return (comparison){
        .ctx = ctx,
        .price = price->amount,
        .unit = price->unit,
        .markdown = args_has(&ctx->given, OPTION_MARKDOWN),
        .vocab = pith_vocab_describe(counting->vocab).name,
        .exact = pith_vocab_describe(counting->vocab).exact,
        .budget = counting->budget,
    };
}

static void compare_path(comparison *total, const form_counting *counting,
                         const char *path, const price_unit *price)
{
    context *ctx = total->ctx;
    loaded document = {.format = NULL};
    comparison result = comparison_of(ctx, counting, price);
    bool wanted = args_has(&ctx->given, OPTION_CURVE);
    curve *steps = wanted ? calloc(1, sizeof *steps) : NULL;
    if (wanted && steps == NULL) {
        diag_system(&ctx->errors, path, "cannot compare", "no_memory", ENOMEM);
        return;
    }
    if (load_document(ctx, path, &document)) {
        form_counting own = *counting;
        own.as_it_is = text_as_it_is(ctx, &document);
        result.name = document.in.name;
        result.curve = steps;
        compare_value(&result, &own, pith_doc_root(document.doc));
        if (result.measured)
            form_costs_add(&total->costs, &result.costs);
        total->measured = total->measured || result.measured;
    }
    free(steps);
    load_free(&document);
}

/* The value of --price, a number and perhaps its unit; false after a complaint. */
static bool read_price(context *ctx, price_unit *into)
{
    const char *text = ctx->given.value[OPTION_PRICE];
    char *end = NULL;
    *into = (price_unit){.amount = text != NULL ? strtod(text, &end) : 0, .unit = "$"};
    if (text == NULL)
        return true;
    while (*end == ' ')
        end++;
    bool fine = into->amount > 0 && into->amount <= 1e12 && strlen(end) <= UNIT_MAX &&
                strpbrk(end, "0123456789.,-|") == NULL;
    if (!fine)
        diag_usage(&ctx->errors, "bad_price",
                   "dollars for a million tokens, as 2.50, or with a unit, as 2.50EUR",
                   "'%s' is not a price", text);
    into->unit = *end != '\0' ? end : into->unit;
    return fine;
}

static void compare_all(context *ctx, const form_counting *counting,
                        const price_unit *price)
{
    comparison total = comparison_of(ctx, counting, price);
    bool json = args_has(&ctx->given, OPTION_JSON);
    for (size_t i = 0; i < ctx->path_count; i++) {
        if (ctx->errors.exit_code == EXIT_USAGE || interrupt_pending() != 0)
            break;
        if (i > 0 && !json)
            output_text(&ctx->out, "\n");
        compare_path(&total, counting, ctx->paths[i], price);
    }
    total.name = "total";
    if (ctx->path_count > 1 && total.measured && interrupt_pending() == 0) {
        output_text(&ctx->out, json ? "" : "\n");
        if (json)
            json_print(ctx, add_comparison, &total);
        else
            print_tables(&total);
    }
    if (ctx->errors.exit_code < EXIT_USAGE)
        settings_check_used(ctx);
}

static void run_compare(context *ctx)
{
    price_unit price;
    if (!read_price(ctx, &price) || would_wait(ctx))
        return;
    pith_vocab *vocab = tokenizer_open(ctx);
    pith_counter *counter = vocab != NULL ? pith_counter_new(vocab, NULL) : NULL;
    if (counter != NULL) {
        form_counting counting = {.vocab = vocab,
                                  .counter = counter,
                                  .budget = args_number(&ctx->given, OPTION_BUDGET),
                                  .all = args_has(&ctx->given, OPTION_ALL),
                                  .optimize = args_has(&ctx->given, OPTION_OPTIMIZE)};
        compare_all(ctx, &counting, &price);
    } else if (vocab != NULL) {
        diag_system(&ctx->errors, NULL, "cannot compare", "no_memory", ENOMEM);
    }
    progress_stop(&ctx->line);
    pith_counter_free(counter);
    pith_vocab_free(vocab);
}

const command command_compare = {
    .name = "compare",
    .operands = "[FILE|-]...",
    .takes = OPERAND_FILES,
    .summary = "list what files cost in every format, in tokens and bytes",
    .about = "Writes each FILE in every format that can hold it without loss, reads "
             "that back, and lists the tokens and bytes of each form, the cheapest "
             "first. The first saving is against compact JSON, the second against JSON "
             "indented by two spaces. 'as it is' is the text that was read. At the end "
             "are the formats that cannot hold it, and why; several files get a total. "
             "--all adds the first GCF and the row dialect of TOON.\n"
             "With --budget a column shows how many rows each form gets into N tokens; 0 "
             "where even one is too much.\n"
             "With --curve a second table shows the saving against compact JSON for "
             "the first 10, 100 and 500 rows and for all of them.",
    .examples = EXAMPLES(
        {"pith compare data.json", "every form, the cheapest first"},
        {"pith compare --optimize tokens data.json", "each in the best of its variants"},
        {"pith compare --price 2.50 data.json", "and the price of sending it 1000 times"},
        {"pith compare --budget 2000 data.json",
         "and the rows that fit into 2000 tokens"},
        {"pith compare --markdown data.json >>README.md", "for a page"}),
    .options = OPTIONS(OPTION_FROM, OPTION_SET, OPTION_AT, OPTION_ROWS, OPTION_FIELDS,
                       OPTION_DROP, OPTION_DROP_NULL, OPTION_BAD, OPTION_TOKENIZER,
                       OPTION_OPTIMIZE, OPTION_ALL, OPTION_PRICE, OPTION_BUDGET,
                       OPTION_CURVE, OPTION_JSON, OPTION_MARKDOWN, OPTION_DEPTH,
                       OPTION_MEMORY_MAX, OPTION_ERRORS, OPTION_COLOR, OPTION_NO_PROGRESS,
                       OPTION_QUIET, OPTION_HELP, OPTION_VERSION),
    .run = run_compare,
};
