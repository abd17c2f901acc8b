/*
 * cmd_compare.c - `pith compare`: what a file costs in every format.
 *
 * Savings are always against compact JSON, because that is what the data costs without
 * any effort; against indented JSON they stand in a second column, since that is what
 * most claims compare with. When compact JSON is the cheapest, the verdict says so.
 */
#include "choose.h"
#include "command.h"
#include "interrupt.h"
#include "load.h"
#include "tokenizer.h"
#include "weigh.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what is printed */

enum { CURVE_STEPS = 4, BAR_WIDTH = 24, SAVING_MAX = 48 };

static const size_t curve_rows[CURVE_STEPS] = {10, 100, 500, SIZE_MAX};

/* The tokens of a form with fewer rows. */
typedef struct curve {
    size_t steps;
    size_t rows[CURVE_STEPS];
    weights forms[CURVE_STEPS];
} curve;

typedef struct comparison {
    session *with;
    const char *name;
    const char *vocab;
    bool exact;
    size_t rows;
    double price; /* a million tokens; 0 when none is given */
    weights all;
    curve *curve; /* NULL for none */
} comparison;

static const char *form_name(const weight *form)
{
    return form->indented ? "json, indented" : form->format;
}

/* A saving of 382 tenths is -38.2%: fewer tokens, so less. Empty without a form to
 * compare with: what is nested too deeply has none that is indented. */
static void print_saving(char into[SAVING_MAX], size_t tokens, size_t against)
{
    into[0] = '\0';
    if (against == 0)
        return;
    long tenths = weigh_saving(tokens, against);
    snprintf(into, SAVING_MAX, "%s%ld.%ld%%",
             tenths > 0   ? "-"
             : tenths < 0 ? "+"
                          : "",
             labs(tenths) / 10, labs(tenths) % 10);
}

static const weight *find_form(const weights *among, const weight *like)
{
    for (size_t i = 0; i < among->count; i++)
        if (among->forms[i].indented == like->indented &&
            strcmp(among->forms[i].format, like->format) == 0)
            return &among->forms[i];
    return NULL;
}

/* The price of a thousand times that text. */
static double price_of(const comparison *one, size_t tokens)
{
    return one->price * (double)tokens / 1000;
}

/* --- as a table in the terminal */

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

static size_t most_tokens(const weights *all)
{
    return all->forms[all->count - 1].tokens;
}

static void print_verdict(const comparison *one, const char *before, const char *after)
{
    output *out = &one->with->out;
    const weight *best = &one->all.forms[0];
    output_text(out, before);
    if (best->tokens == one->all.json.tokens) {
        output_text(out, "Compact JSON is already the cheapest form.");
    } else {
        char saving[SAVING_MAX];
        print_saving(saving, best->tokens, one->all.json.tokens);
        output_format(out, "%s saves %s of the tokens of compact JSON.", best->format,
                      saving + (saving[0] == '-')); /* not even 0.1% may be saved */
    }
    output_text(out, after);
}

static void print_table(const comparison *one)
{
    output *out = &one->with->out;
    const weights *all = &one->all;
    output_format(out, "%s: tokens by %s%s\n", one->name, one->vocab,
                  one->exact ? "" : " (a guess)");
    output_format(out, "%-14s  %10s  %10s  %8s  %11s", "format", "tokens", "bytes",
                  "vs json", "vs indented");
    output_text(out, one->price > 0 ? "      per 1000\n" : "\n");
    for (size_t i = 0; i < all->count; i++) {
        const weight *form = &all->forms[i];
        char plain[SAVING_MAX];
        char indented[SAVING_MAX];
        print_saving(plain, form->tokens, all->json.tokens);
        print_saving(indented, form->tokens, all->indented.tokens);
        output_format(out, "%-14s  %10zu  %10zu  %8s  %11s", form_name(form),
                      form->tokens, form->bytes, plain, indented);
        if (one->price > 0)
            output_format(out, "  %12.4f", price_of(one, form->tokens));
        if (out->terminal)
            print_bar(out, form->tokens, most_tokens(all));
        output_text(out, "\n");
    }
    print_verdict(one, "", "\n");
}

static void print_step_name(char into[SAVING_MAX], const curve *steps, size_t step)
{
    snprintf(into, SAVING_MAX, "%zu rows", steps->rows[step]);
}

static void print_curve(const comparison *one)
{
    output *out = &one->with->out;
    const curve *steps = one->curve;
    char text[SAVING_MAX];
    output_format(out, "\n%-14s", "vs json");
    for (size_t s = 0; s < steps->steps; s++) {
        print_step_name(text, steps, s);
        output_format(out, "  %12s", text);
    }
    output_text(out, "\n");
    for (size_t i = 0; i < one->all.count; i++) {
        const weight *form = &one->all.forms[i];
        output_format(out, "%-14s", form_name(form));
        for (size_t s = 0; s < steps->steps; s++) {
            const weight *there = find_form(&steps->forms[s], form);
            text[0] = '\0';
            if (there != NULL)
                print_saving(text, there->tokens, steps->forms[s].json.tokens);
            output_format(out, "  %12s", text);
        }
        output_text(out, "\n");
    }
}

/* --- as Markdown */

static void print_markdown(const comparison *one)
{
    output *out = &one->with->out;
    const weights *all = &one->all;
    output_format(out, "| %s | tokens (%s) | bytes | vs compact JSON | vs indented |%s\n",
                  one->name, one->vocab, one->price > 0 ? " per 1000 |" : "");
    output_format(out, "|---|---:|---:|---:|---:|%s\n", one->price > 0 ? "---:|" : "");
    for (size_t i = 0; i < all->count; i++) {
        const weight *form = &all->forms[i];
        char plain[SAVING_MAX];
        char indented[SAVING_MAX];
        print_saving(plain, form->tokens, all->json.tokens);
        print_saving(indented, form->tokens, all->indented.tokens);
        output_format(out, "| %s | %zu | %zu | %s | %s |", form_name(form), form->tokens,
                      form->bytes, plain, indented);
        if (one->price > 0)
            output_format(out, " %.4f |", price_of(one, form->tokens));
        output_text(out, "\n");
    }
    print_verdict(one, "\n", "\n");
}

static void print_markdown_curve(const comparison *one)
{
    output *out = &one->with->out;
    const curve *steps = one->curve;
    char text[SAVING_MAX];
    output_text(out, "\n| vs compact JSON |");
    for (size_t s = 0; s < steps->steps; s++) {
        print_step_name(text, steps, s);
        output_format(out, " %s |", text);
    }
    output_text(out, "\n|---|");
    for (size_t s = 0; s < steps->steps; s++)
        output_text(out, "---:|");
    output_text(out, "\n");
    for (size_t i = 0; i < one->all.count; i++) {
        const weight *form = &one->all.forms[i];
        output_format(out, "| %s |", form_name(form));
        for (size_t s = 0; s < steps->steps; s++) {
            const weight *there = find_form(&steps->forms[s], form);
            text[0] = '\0';
            if (there != NULL)
                print_saving(text, there->tokens, steps->forms[s].json.tokens);
            output_format(out, " %s |", text);
        }
        output_text(out, "\n");
    }
}

/* --- as JSON, one object a file */

static void add_key(pith_doc *doc, const char *key)
{
    pith_doc_add_key(doc, key, strlen(key));
}

static void add_text(pith_doc *doc, const char *key, const char *text)
{
    add_key(doc, key);
    pith_doc_add_text(doc, text, strlen(text));
}

static void add_size(pith_doc *doc, const char *key, size_t size)
{
    add_key(doc, key);
    pith_doc_add_uint64(doc, size);
}

/* A share with three digits: 0.382; null without a form to compare with. */
static void add_saving(pith_doc *doc, const char *key, size_t tokens, size_t against)
{
    add_key(doc, key);
    if (against == 0) {
        pith_doc_add_null(doc);
        return;
    }
    char digits[24];
    long tenths = weigh_saving(tokens, against);
    int len = snprintf(digits, sizeof digits, "%s%ld.%03ld", tenths < 0 ? "-" : "",
                       labs(tenths) / 1000, labs(tenths) % 1000);
    pith_doc_add_number(doc, digits, (size_t)len);
}

static void add_forms(pith_doc *doc, const comparison *one, const weights *all)
{
    add_key(doc, "formats");
    pith_doc_open_array(doc);
    for (size_t i = 0; i < all->count; i++) {
        const weight *form = &all->forms[i];
        pith_doc_open_object(doc);
        add_text(doc, "format", form->format);
        if (form->settings != NULL)
            add_text(doc, "settings", form->settings);
        add_size(doc, "tokens", form->tokens);
        add_size(doc, "bytes", form->bytes);
        add_saving(doc, "saving", form->tokens, all->json.tokens);
        add_saving(doc, "saving_to_indented", form->tokens, all->indented.tokens);
        if (one->price > 0) {
            add_key(doc, "price_per_1000");
            pith_doc_add_double(doc, price_of(one, form->tokens));
        }
        pith_doc_close(doc);
    }
    pith_doc_close(doc);
}

static void add_curve(pith_doc *doc, const comparison *one)
{
    add_key(doc, "curve");
    pith_doc_open_array(doc);
    for (size_t s = 0; s < one->curve->steps; s++) {
        pith_doc_open_object(doc);
        add_size(doc, "rows", one->curve->rows[s]);
        add_forms(doc, one, &one->curve->forms[s]);
        pith_doc_close(doc);
    }
    pith_doc_close(doc);
}

static void print_json(const comparison *one)
{
    session *with = one->with;
    pith_error err;
    pith_doc *doc = pith_doc_new(NULL);
    pith_status status = error_no_memory(&err);
    if (doc != NULL) {
        pith_doc_open_object(doc);
        add_text(doc, "file", one->name);
        add_text(doc, "tokenizer", one->vocab);
        add_key(doc, "exact");
        pith_doc_add_bool(doc, one->exact);
        add_text(doc, "best", one->all.forms[0].format);
        add_forms(doc, one, &one->all);
        if (one->curve != NULL)
            add_curve(doc, one);
        pith_doc_close(doc);
        status = pith_doc_finish(doc, &err);
    }
    if (status == PITH_OK) {
        status = pith_value_write(pith_doc_root(doc), "json", NULL,
                                  output_sink(&with->out), &err);
    }
    if (status == PITH_OK)
        output_text(&with->out, "\n");
    else if (with->out.failed == 0)
        diag_problem(&with->errors, NULL, &err, NULL);
    pith_doc_free(doc);
}

/* --- measuring */

/* Weighs the value with fewer rows, for each step that is not beyond all of them. */
static bool measure_curve(comparison *one, const scale *on, pith_value value,
                          pith_error *err)
{
    curve *steps = one->curve;
    pith_value rows = pith_value_rows(value);
    size_t all = pith_value_count(rows);
    pith_doc *doc = pith_doc_new(NULL);
    bool fine = doc != NULL;
    for (size_t s = 0; fine && s < CURVE_STEPS; s++) {
        size_t keep = curve_rows[s] < all ? curve_rows[s] : all;
        if (steps->steps > 0 && steps->rows[steps->steps - 1] == keep)
            break;
        pith_doc_reset(doc);
        if (rows.doc == NULL)
            pith_doc_add_value(doc, value);
        else
            pith_doc_add_value_cut(doc, value, rows, keep, PITH_KEEP_FIRST);
        steps->rows[steps->steps] = keep;
        fine = pith_doc_finish(doc, err) == PITH_OK &&
               weigh_all(on, pith_doc_root(doc), &steps->forms[steps->steps++], err);
    }
    if (doc == NULL)
        error_no_memory(err);
    pith_doc_free(doc);
    return fine;
}

static void print_comparison(const comparison *one)
{
    const args *given = &one->with->given;
    if (args_has(given, OPTION_JSON)) {
        print_json(one);
        return;
    }
    bool markdown = args_has(given, OPTION_MARKDOWN);
    (markdown ? print_markdown : print_table)(one);
    if (one->curve != NULL)
        (markdown ? print_markdown_curve : print_curve)(one);
}

static void compare_value(comparison *one, const scale *on, pith_value value)
{
    pith_error err = {0};
    bool fine = weigh_all(on, value, &one->all, &err);
    if (fine && one->curve != NULL)
        fine = measure_curve(one, on, value, &err);
    progress_clear(&one->with->line);
    if (fine)
        print_comparison(one);
    else
        diag_problem(&one->with->errors, one->name, &err, NULL);
}

static void compare_path(session *with, const scale *on, const char *path, double price)
{
    loaded document;
    comparison one = {.with = with, .price = price};
    bool wanted = args_has(&with->given, OPTION_CURVE);
    curve *steps = wanted ? calloc(1, sizeof *steps) : NULL;
    if (wanted && steps == NULL) {
        diag_system(&with->errors, path, "cannot compare", "no_memory", ENOMEM);
        return;
    }
    if (load_document(with, path, &document)) {
        one.name = document.in.name;
        one.vocab = pith_vocab_name(on->vocab);
        one.exact = pith_vocab_is_exact(on->vocab);
        one.curve = steps;
        compare_value(&one, on, pith_doc_root(document.doc));
    }
    free(steps);
    load_free(&document);
}

/* The value of --price; false after a complaint. */
static bool read_price(session *with, double *price)
{
    const char *text = with->given.value[OPTION_PRICE];
    char *end = NULL;
    *price = text != NULL ? strtod(text, &end) : 0;
    if (text != NULL && (*end != '\0' || !(*price > 0) || *price > 1e12)) {
        diag_usage(&with->errors, "bad_price", "the price of a million tokens, as 2.50",
                   "'%s' is no price", text);
        return false;
    }
    return true;
}

static void compare_all(session *with, const scale *on, double price)
{
    static const char *standard[] = {"-"};
    const char **paths = with->operand_count > 0 ? with->operands : standard;
    size_t count = with->operand_count > 0 ? with->operand_count : 1;
    for (size_t i = 0; i < count; i++) {
        if (with->errors.exit_code == EXIT_USAGE || interrupt_pending() != 0)
            break;
        if (i > 0 && !args_has(&with->given, OPTION_JSON))
            output_text(&with->out, "\n");
        compare_path(with, on, paths[i], price);
    }
    if (with->errors.exit_code < EXIT_USAGE)
        choose_all_used(with);
}

static void run_compare(session *with)
{
    double price;
    if (!read_price(with, &price) || command_would_wait(with))
        return;
    pith_vocab *vocab = tokenizer_open(with);
    pith_counter *counter = vocab != NULL ? pith_counter_new(vocab, NULL) : NULL;
    if (counter != NULL) {
        scale on = {vocab, counter, args_has(&with->given, OPTION_OPTIMIZE)};
        compare_all(with, &on, price);
    } else if (vocab != NULL) {
        diag_system(&with->errors, NULL, "cannot compare", "no_memory", ENOMEM);
    }
    progress_stop(&with->line);
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
             "indented by two spaces.\n"
             "With --curve a second table shows the saving against compact JSON for "
             "the first 10, 100 and 500 rows and for all of them.",
    .examples =
        (const example[]){
            {"pith compare data.json", "every form, the cheapest first"},
            {"pith compare --optimize tokens data.json",
             "each in the best of its variants"},
            {"pith compare --price 2.50 data.json",
             "and the price of sending it 1000 times"},
            {"pith compare --markdown data.json >>README.md", "for a page"},
            {NULL, NULL},
        },
    .options =
        (const option_id[]){OPTION_FROM, OPTION_SET, OPTION_TOKENIZER, OPTION_OPTIMIZE,
                            OPTION_PRICE, OPTION_CURVE, OPTION_JSON, OPTION_MARKDOWN,
                            OPTION_DEPTH, OPTION_ERRORS, OPTION_COLOR, OPTION_NO_PROGRESS,
                            OPTION_HELP, OPTION_VERSION, OPTION_END},
    .run = run_compare,
};
