/*
 * run.c - the vectors of the formats: what is read, refused and written, as text files.
 *
 *     usage: vectors [-k PART] FILE..       runs those whose name has PART in it
 *            UPDATE=1 vectors FILE..        writes what comes out now, to be looked at
 *
 * A file is a list of vectors, and each is a name, one input, and what comes of it:
 *
 *     === tables 3: too few rows
 *     --- toon version=3
 *     t[2]{x}:
 *       1
 *     --- error count_mismatch 2:4
 *     expected 2 rows, found 1
 *
 * The first `---` line names the format and its settings: the lines below are a text in it,
 * which is read. `--- json to toon indent=4` reads JSON and writes TOON instead. How bytes
 * that cannot be seen are written, and a newline at the end, is said in form.h. Lines before
 * the first vector are for readers. An empty line before `===` belongs to nothing.
 *
 * Whatever comes of an input is put into the same form and compared with the lines below
 * it; so a vector cannot be wrong in a way that is not shown. Of a text:
 *
 *     --- json                what it means
 *     --- error CODE PLACE    instead, each problem that pith_check finds, with its message
 *     --- text                what was written
 *
 * Some things must hold of every vector, and are said only where they do not:
 *
 *     --- first error         reading finds another problem first than checking
 *     --- offset N            line and column are not those of the offset
 *     --- rows                the reader of rows does not give the elements of the array,
 *                             or the one value, or not the same error
 *     --- rows by N           in pieces of N bytes, from 1 on, it does not give the same
 *     --- as pith             a JSON text is not the same in Pith, which has it all
 *     --- back                what was written is not the value when it is read
 *     --- again               and not the same text when that is written
 *
 * Every text is in a block of exactly its size, so that the address sanitizer sees a
 * reader that looks one byte too far.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "fixtures.h"
#include "form.h"
#include "testing.h"

enum { WORDS_MOST = 256, LINE_MOST = 1024, PIECES_MOST = 300 };

/* The first `---` line of a vector and the text below it. */
typedef struct input {
    char from[WORDS_MOST];
    char to[WORDS_MOST]; /* "" when the text is only read */
    char settings[WORDS_MOST];
    bool escaped, newline;
    bytes text;
} input;

/* ------------------------------------------------------------------ what comes of it */

static char *exact_copy(const char *text, size_t len)
{
    char *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    if (len > 0)
        memcpy(copy, text, len);
    return copy;
}

static void put_error(bytes *to, const char *head, const pith_error *err)
{
    char line[LINE_MOST];
    char place[64] = "";
    if (err->line > 0)
        snprintf(place, sizeof place, " %zu:%zu", err->line, err->column);
    else if (err->offset > 0) /* of bytes that have no lines */
        snprintf(place, sizeof place, " at %zu", err->offset);
    const char *status =
        err->status == PITH_BAD_INPUT ? "" : pith_status_name(err->status);
    snprintf(line, sizeof line, "%s %s%s%s%s", head, err->code ? err->code : "?", place,
             *status ? " " : "", status);
    form_put(to, line, err->message, strlen(err->message));
}

static void put_json(bytes *to, const char *head, pith_value value)
{
    pith_buffer json = must_write(value, "json", NULL);
    form_put(to, head, json.data ? json.data : "", json.len);
    pith_buffer_free(&json);
}

typedef struct problems {
    bytes *to;
    pith_error first;
} problems;

static bool add_problem(void *ctx, const pith_error *problem)
{
    problems *all = ctx;
    if (all->first.status == PITH_OK)
        all->first = *problem;
    put_error(all->to, "error", problem);
    return true;
}

static bool same_problem(const pith_error *a, const pith_error *b)
{
    return a->status == b->status &&
           strcmp(a->code ? a->code : "", b->code ? b->code : "") == 0 &&
           a->offset == b->offset && a->line == b->line && a->column == b->column &&
           strcmp(a->message, b->message) == 0;
}

/* Line and column of the offset, counted the slow way. */
static bool place_agrees(const char *text, size_t len, const pith_error *err)
{
    size_t line = 1;
    size_t column = 1;
    for (size_t i = 0; i < err->offset && i < len; i++) {
        if (text[i] == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)text[i] & 0xc0) != 0x80) {
            column++;
        }
    }
    return err->line == 0 || (line == err->line && column == err->column);
}

static void put_row_error(bytes *to, const pith_error *err)
{
    bytes_print(to, "error %s %zu %zu:%zu\n", err->code, err->offset, err->line,
                err->column);
    bytes_put(to, err->message);
    bytes_put(to, "\n");
}

/* The rows as lines, or the error. */
static void take_pieces(bytes *to, const input *in, const pith_options *options,
                        size_t size)
{
    pith_error err = {0};
    pith_reader *reader = pith_reader_open(in->from, options, &err);
    assert_non_null(reader);
    bool fine = true;
    for (size_t at = 0; fine && at <= in->text.len; at += size) {
        size_t piece = in->text.len - at < size ? in->text.len - at : size;
        char *copy = exact_copy(in->text.ptr + at, piece);
        fine = pith_reader_feed(reader, copy, piece, &err) == PITH_OK;
        free(copy);
        if (fine && at + size > in->text.len)
            fine = pith_reader_end(reader, &err) == PITH_OK;
        pith_value row = {0};
        while (fine && (fine = pith_reader_next(reader, &row, &err) == PITH_OK) &&
               row.doc) {
            pith_buffer out = must_write(row, "json", NULL);
            bytes_add(to, out.data, out.len);
            bytes_put(to, "\n");
            pith_buffer_free(&out);
        }
    }
    if (!fine) {
        to->len = 0; /* rows before an error may come, or not yet */
        put_row_error(to, &err);
    }
    pith_reader_free(reader);
}

/* What the reader must give: the elements of an array, or the value; or the error. */
static void put_rows_of(bytes *to, const pith_doc *doc, const pith_error *err)
{
    if (!doc) {
        put_row_error(to, err);
        return;
    }
    pith_value root = pith_doc_root(doc);
    bool array = pith_value_kind(root) == PITH_ARRAY;
    for (pith_value v = array ? pith_value_first(root) : root; v.doc;
         v = array ? pith_value_next(v) : (pith_value){0}) {
        pith_buffer out = must_write(v, "json", NULL);
        bytes_add(to, out.data, out.len);
        bytes_put(to, "\n");
        pith_buffer_free(&out);
    }
}

static bool same_text(const bytes *a, const bytes *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->ptr, b->ptr, a->len) == 0);
}

static void put_rows(bytes *to, const input *in, const pith_options *options,
                     const pith_doc *doc, const pith_error *err)
{
    bytes expected = {0};
    bytes all = {0};
    put_rows_of(&expected, doc, err);
    take_pieces(&all, in, options, in->text.len + 1);
    if (!same_text(&all, &expected))
        form_put(to, "rows", all.ptr ? all.ptr : "", all.len);
    size_t most = in->text.len < PIECES_MOST ? in->text.len : PIECES_MOST;
    bool same = true;
    for (size_t size = 1; same && size <= most; size++) {
        bytes some = {0};
        char head[32];
        take_pieces(&some, in, options, size);
        snprintf(head, sizeof head, "rows by %zu", size);
        same = same_text(&some, &all);
        if (!same)
            form_put(to, head, some.ptr ? some.ptr : "", some.len);
        bytes_free(&some);
    }
    bytes_free(&expected);
    bytes_free(&all);
}

/* JSON is Pith; but for a byte order mark, and what settings change. */
static void put_as_pith(bytes *to, const input *in, const char *text, const pith_doc *doc)
{
    if (strcmp(in->from, "json") != 0 || in->settings[0] || in->text.len == 0 ||
        text[0] == '\xef')
        return;
    pith_error err = {0};
    pith_doc *other = pith_doc_parse("pith", text, in->text.len, NULL, &err);
    if (!other)
        put_error(to, "as pith", &err);
    else if (!pith_value_equal(pith_doc_root(doc), pith_doc_root(other)))
        put_json(to, "as pith", pith_doc_root(other));
    pith_doc_free(other);
}

static void run_read(bytes *to, const input *in)
{
    pith_options options = with_settings(in->settings, NULL);
    pith_error err = {0};
    problems all = {to, {0}};
    char *text = exact_copy(in->text.ptr, in->text.len);
    pith_doc *doc = pith_doc_parse(in->from, text, in->text.len, &options, &err);
    if (doc) {
        put_json(to, "json", pith_doc_root(doc));
        put_as_pith(to, in, text, doc);
    }
    pith_check(in->from, text, in->text.len, &options, add_problem, &all, NULL);
    if (!doc && !same_problem(&err, &all.first))
        put_error(to, "first error", &err);
    if (!doc && !place_agrees(text, in->text.len, &err))
        bytes_print(to, "--- offset %zu\n", err.offset);
    put_rows(to, in, &options, doc, &err);
    pith_doc_free(doc);
    free(text);
}

/* Those of the settings for writing that are also settings for reading. */
static void settings_for_reading(char *words, const input *in)
{
    const pith_format *format = pith_format_find(in->to);
    words[0] = '\0';
    for (const char *at = in->settings; *at;) {
        size_t len = strcspn(at, " ");
        for (size_t i = 0; format && i < format->setting_count; i++) {
            const pith_setting *setting = &format->settings[i];
            size_t word = strlen(setting->word);
            if ((setting->direction & PITH_READ) && word < len && at[word] == '=' &&
                memcmp(setting->word, at, word) == 0) {
                strncat(words, at, len);
                strcat(words, " ");
            }
        }
        at += len + (at[len] == ' ');
    }
}

static void put_back(bytes *to, const input *in, pith_value value, const pith_buffer *out)
{
    char words[2 * WORDS_MOST];
    settings_for_reading(words, in);
    pith_options options = with_settings(words, in->settings);
    pith_error err = {0};
    char *text = exact_copy(out->data ? out->data : "", out->len);
    pith_doc *back = pith_doc_parse(in->to, text, out->len, &options, &err);
    if (!back) {
        put_error(to, "back", &err);
        free(text);
        return;
    }
    if (!pith_value_equal(value, pith_doc_root(back)))
        put_json(to, "back", pith_doc_root(back));
    pith_buffer again = {0};
    if (pith_value_write(pith_doc_root(back), in->to, &options, pith_sink_buffer(&again),
                         &err) != PITH_OK)
        put_error(to, "again", &err);
    else if (again.len != out->len ||
             (out->len > 0 && memcmp(again.data, out->data, out->len) != 0))
        form_put(to, "again", again.data ? again.data : "", again.len);
    pith_buffer_free(&again);
    pith_doc_free(back);
    free(text);
}

static void run_write(bytes *to, const input *in)
{
    pith_options options = with_settings(NULL, in->settings);
    pith_error err = {0};
    pith_buffer out = {0};
    pith_doc *doc = must_parse(in->from, in->text.ptr, in->text.len, NULL);
    pith_status status = pith_value_write(pith_doc_root(doc), in->to, &options,
                                          pith_sink_buffer(&out), &err);
    if (status != PITH_OK) {
        put_error(to, "error", &err);
        if (out.len > 0)
            form_put(to, "text before it", out.data, out.len);
    } else {
        form_put(to, "text", out.data ? out.data : "", out.len);
        const pith_format *format = pith_format_find(in->to);
        if (format && (format->direction & PITH_READ))
            put_back(to, in, pith_doc_root(doc), &out);
    }
    pith_buffer_free(&out);
    pith_doc_free(doc);
}

/* --------------------------------------------------------------------------- files */

typedef struct tally {
    const char *part; /* only names with this in them; NULL for all */
    bool update;
    size_t ran, failed;
} tally;

static const char *line_end(const char *at, const char *end)
{
    const char *found = memchr(at, '\n', (size_t)(end - at));
    return found ? found + 1 : end;
}

static bool starts(const char *at, const char *end, const char *mark)
{
    return (size_t)(end - at) >= strlen(mark) && memcmp(at, mark, strlen(mark)) == 0;
}

/* The first line from `at` on that begins with the mark, or the end. */
static const char *next_mark(const char *at, const char *end, const char *mark)
{
    while (at < end && !starts(at, end, mark))
        at = line_end(at, end);
    return at;
}

static void take_word(const char **at, char *word)
{
    size_t len = strcspn(*at, " ");
    snprintf(word, WORDS_MOST, "%.*s", (int)len, *at);
    *at += len + ((*at)[len] == ' ');
}

/* The words of a `---` line: [escaped] [newline] FORMAT [to FORMAT] [SETTING..] */
static void read_head(input *in, const char *line, size_t len)
{
    char words[LINE_MOST];
    const char *at = words;
    snprintf(words, sizeof words, "%.*s", (int)len, line);
    take_word(&at, in->from);
    while (strcmp(in->from, "escaped") == 0 || strcmp(in->from, "newline") == 0) {
        in->escaped = in->escaped || in->from[0] == 'e';
        in->newline = in->newline || in->from[0] == 'n';
        take_word(&at, in->from);
    }
    if (strncmp(at, "to ", 3) == 0) {
        at += 3;
        take_word(&at, in->to);
    }
    snprintf(in->settings, sizeof in->settings, "%s", at);
}

/* Reads the input of a vector whose first `---` line is at `at`; where the lines below
 * the input begin is returned. */
static const char *read_input(input *in, const char *at, const char *end)
{
    const char *body = line_end(at, end);
    const char *rest = next_mark(body, end, "---");
    read_head(in, at + 4, (size_t)(body - at) - 5);
    size_t len = (size_t)(rest - body);
    len -= len > 0; /* the newline before the next mark */
    if (in->escaped)
        form_put_unescaped(&in->text, body, len);
    else
        bytes_add(&in->text, body, len);
    bytes_put(&in->text, in->newline ? "\n" : "");
    return rest;
}

static bool run_vector(tally *count, const char *at, const char *end, bytes *copy)
{
    input in = {.escaped = false};
    const char *name_end = line_end(at, end);
    const char *input_at = next_mark(name_end, end, "---");
    const char *rest = read_input(&in, input_at, end);
    const char *gap = end; /* before the empty line that belongs to nothing */
    gap -= gap - rest >= 2 && gap[-1] == '\n' && gap[-2] == '\n';
    bytes found = {0};
    if (in.to[0])
        run_write(&found, &in);
    else
        run_read(&found, &in);
    size_t expected = (size_t)(gap - rest);
    bool right = found.len == expected && memcmp(found.ptr, rest, expected) == 0;
    count->ran++;
    if (count->update) {
        bytes_add(copy, at, (size_t)(rest - at));
        bytes_add(copy, found.ptr, found.len);
        bytes_add(copy, gap, (size_t)(end - gap));
    } else if (!right) {
        count->failed++;
        fprintf(stderr, "%.*sexpected\n%.*sfound\n%.*s\n", (int)(input_at - at), at,
                (int)expected, rest, (int)found.len, found.ptr);
    }
    bytes_free(&found);
    bytes_free(&in.text);
    return right;
}

static bool is_chosen(const tally *count, const char *at, const char *end)
{
    size_t len = (size_t)(line_end(at, end) - at);
    char name[LINE_MOST];
    snprintf(name, sizeof name, "%.*s", (int)len, at);
    return !count->part || strstr(name, count->part);
}

static void run_file(tally *count, const char *path)
{
    bytes copy = {0};
    pith_buffer file = fixtures_read(path);
    const char *end = file.data + file.len;
    const char *at = next_mark(file.data, end, "===");
    size_t failed = count->failed;
    bytes_add(&copy, file.data, (size_t)(at - file.data));
    while (at < end) {
        const char *next = next_mark(line_end(at, end), end, "===");
        if (is_chosen(count, at, end))
            run_vector(count, at, next, &copy);
        at = next;
    }
    if (failed < count->failed)
        fprintf(stderr, "in %s\n", path);
    if (count->update && !count->part) {
        FILE *out = fopen(path, "wb");
        assert_non_null(out);
        assert_int_equal(fwrite(copy.ptr, 1, copy.len, out), copy.len);
        fclose(out);
    }
    pith_buffer_free(&file);
    bytes_free(&copy);
}

int main(int argc, char **argv)
{
    tally count = {.update = getenv("UPDATE") != NULL};
    int first = 1;
    if (argc > 2 && strcmp(argv[1], "-k") == 0) {
        count.part = argv[2];
        first = 3;
    }
    for (int i = first; i < argc; i++)
        run_file(&count, argv[i]);
    printf("%zu vectors, %zu failed\n", count.ran, count.failed);
    return count.failed > 0 || count.ran == 0;
}
