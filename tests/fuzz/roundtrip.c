/*
 * roundtrip.c - any number of random values from JSON to a format and back, as fast as
 * they can be made, until one does not come back.
 *
 *     roundtrip FORMAT COUNT [SEED]     COUNT values, with random settings
 *     roundtrip FORMAT =NUMBER [SEED]   only that one, shown
 *
 * Each value is read as JSON, written, read back, and compared; what came back must be
 * written as the same text again, and every fourth must survive JSON. Values are equal if their members
 * are, in the same order but for members of rows, which follow their table's header.
 *
 * Of every fourth what was written is then damaged, in one of five ways: a line dropped or doubled, a
 * digit changed, the end cut off, a bit flipped. Such a text is refused, or it stands for
 * a value that is written and read back as itself. Where the whole text is one table
 * with a line for each row, a row less, a row more and another count are always
 * refused.
 */
#include <time.h>

#include "fuzzing.h"
#include "making.h"
#include "random.h"

enum { SETTINGS_MOST = 128, KEPT_MOST = 32 };

/* Blocks that were given back, for the next who asks for that size: the library asks for
 * the same few again and again. */
typedef struct keeper {
    void *blocks[KEPT_MOST];
    size_t sizes[KEPT_MOST];
    size_t next; /* the one that is thrown out when there are too many */
} keeper;

typedef struct trip {
    keeper kept;
    pith_options options;
    const char *format;
    bool gcf;
    uint64_t seed;
    char settings[SETTINGS_MOST];
    bytes json;
    pith_buffer text;
    pith_buffer again;
    pith_doc *from;
    pith_doc *back;
    pith_doc *third;
    size_t number;
    size_t values, slots, skipped, refused, grouped, by_json, damaged, accepted;
} trip;

static void *keep_resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    keeper *kept = ctx;
    if (new_size == 0) {
        size_t at = kept->next++ % KEPT_MOST;
        free(kept->blocks[at]);
        kept->blocks[at] = ptr;
        kept->sizes[at] = old_size;
        return NULL;
    }
    for (size_t i = 0; !ptr && i < KEPT_MOST; i++) {
        if (kept->sizes[i] == new_size && kept->blocks[i]) {
            void *block = kept->blocks[i];
            kept->blocks[i] = NULL;
            return block;
        }
    }
    return realloc(ptr, new_size);
}

static void keep_nothing(keeper *kept)
{
    for (size_t i = 0; i < KEPT_MOST; i++)
        free(kept->blocks[i]);
}

static void show(const char *label, const char *text, size_t len)
{
    fprintf(stderr, "%s\n", label);
    fwrite(text, 1, len, stderr);
    fputs("\n", stderr);
}

/* Says which value it was and stops. */
static void lose(const trip *t, const char *what, const pith_error *err)
{
    fprintf(stderr, "value %zu: %s\n", t->number, what);
    if (err && err->status)
        fprintf(stderr, "%zu:%zu: %s: %s\n", err->line, err->column, err->code,
                err->message);
    fprintf(stderr, "settings: %s\n", t->settings);
    show("JSON:", t->json.ptr, t->json.len);
    if (t->text.data)
        show("written:", t->text.data, t->text.len);
    if (t->again.data)
        show("written again:", t->again.data, t->again.len);
    exit(1);
}

/* ---------------------------------------------------------------------- comparing */

/* True when the children are rows of a table, or could be. */
static bool holds_rows(pith_value container)
{
    if (pith_value_count(container) <
        (pith_value_kind(container) == PITH_ARRAY ? 1u : 2u))
        return false;
    for (pith_value v = pith_value_first(container); v.doc; v = pith_value_next(v)) {
        if (pith_value_kind(v) != PITH_OBJECT)
            return false;
    }
    return true;
}

/* Values as fuzz_same_value has it, and their order. */
static bool comes_back(trip *t, pith_value a, pith_value b, bool row)
{
    pith_kind kind = pith_value_kind(a);
    t->slots++;
    if (kind != PITH_ARRAY && kind != PITH_OBJECT)
        return fuzz_same_value(a, b);
    if (kind != pith_value_kind(b) || pith_value_count(a) != pith_value_count(b))
        return false;
    bool rows = holds_rows(a);
    pith_value next = pith_value_first(b);
    for (pith_value v = pith_value_first(a); v.doc; v = pith_value_next(v)) {
        pith_value other = next;
        pith_text key = pith_value_key(v);
        if (kind == PITH_OBJECT &&
            (!other.doc || !fuzz_same_text(key, pith_value_key(other)))) {
            if (!row)
                return false;
            other = pith_value_get_len(b, key.ptr, key.len);
        }
        if (!other.doc || !comes_back(t, v, other, rows))
            return false;
        next = pith_value_next(other);
    }
    return true;
}

/* -------------------------------------------------------------------- one value */

static void choose_settings(trip *t)
{
    static const char *const truth[] = {"true", "false"};
    uint64_t bits = random_next(&t->seed);
    t->settings[0] = '\0';
    if (t->gcf && bits % 2)
        snprintf(t->settings, sizeof t->settings,
                 "level=%s flatten=%s inline-schema=%s shared-schema=%s",
                 bits & 16 ? "3.6" : "3.5", truth[bits >> 5 & 1], truth[bits >> 6 & 1],
                 truth[bits >> 7 & 1]);
}

/* True when the rows all have a text under the key, and equal ones stand together: then
 * groups by that field leave the rows where they are. */
static bool stands_in_groups(pith_value rows, pith_text key)
{
    for (pith_value row = pith_value_first(rows); row.doc; row = pith_value_next(row)) {
        pith_value value = pith_value_get_len(row, key.ptr, key.len);
        bool apart = false;
        if (pith_value_kind(row) != PITH_OBJECT || pith_value_kind(value) != PITH_STRING)
            return false;
        for (pith_value v = pith_value_next(row); v.doc; v = pith_value_next(v)) {
            bool equal = pith_value_equal(value, pith_value_get_len(v, key.ptr, key.len));
            if (equal && apart)
                return false;
            apart = !equal;
        }
    }
    return true;
}

/* A name that a setting can hold as it is. */
static bool is_plain_name(pith_text name)
{
    for (size_t i = 0; i < name.len; i++) {
        if ((name.ptr[i] | 0x20) < 'a' || (name.ptr[i] | 0x20) > 'z')
            return false;
    }
    return name.len > 0 && name.len < 16;
}

/* Groups by some field of the first row where that keeps the value. */
static void choose_group(trip *t, pith_value root)
{
    if (!strstr(t->settings, "level=3.6") || pith_value_kind(root) != PITH_ARRAY ||
        pith_value_kind(pith_value_first(root)) != PITH_OBJECT)
        return;
    for (pith_value field = pith_value_first(pith_value_first(root)); field.doc;
         field = pith_value_next(field)) {
        pith_text key = pith_value_key(field);
        if (is_plain_name(key) && stands_in_groups(root, key)) {
            size_t len = strlen(t->settings);
            snprintf(t->settings + len, sizeof t->settings - len, " group=%.*s",
                     (int)key.len, key.ptr);
            return;
        }
    }
}

static void drop_group(trip *t)
{
    char *group = strstr(t->settings, " group=");
    if (group)
        *group = '\0';
}

static pith_status write_to(const trip *t, pith_value value, const char *format,
                            pith_buffer *out, pith_error *err)
{
    pith_options options = t->options;
    options.write = strcmp(format, t->format) == 0 ? t->settings : NULL;
    out->len = 0;
    return pith_value_write(value, format, &options, pith_sink_buffer(out), err);
}

static bool same_buffers(const pith_buffer *a, const pith_buffer *b)
{
    return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

/* There, and back. False when the format has no place for the value. */
static bool go(trip *t)
{
    pith_error err = {0};
    pith_value value = pith_doc_root(t->from);
    pith_status status = write_to(t, value, t->format, &t->text, &err);
    if (status == PITH_UNREPRESENTABLE && strcmp(err.code, "not_groupable") == 0) {
        drop_group(t); /* no field tells the rows apart */
        status = write_to(t, value, t->format, &t->text, &err);
    }
    if (status == PITH_UNREPRESENTABLE)
        return false;
    t->grouped += strstr(t->settings, " group=") != NULL;
    if (status != PITH_OK)
        lose(t, "cannot be written", &err);
    if (pith_doc_read(t->back, t->format, t->text.data, t->text.len, NULL, &err) !=
        PITH_OK)
        lose(t, "cannot be read back", &err);
    pith_value back = pith_doc_root(t->back);
    if (!comes_back(t, value, back, false))
        lose(t, "comes back as something else", NULL);
    if (write_to(t, back, t->format, &t->again, &err) != PITH_OK ||
        !same_buffers(&t->text, &t->again))
        lose(t, "is written differently when it has come back", &err);
    return true;
}

/* JSON is a format of its own, and tested elsewhere; a part of the values is enough. */
static void go_by_json(trip *t)
{
    pith_error err = {0};
    pith_value back = pith_doc_root(t->back);
    t->by_json++;
    if (write_to(t, back, "json", &t->again, &err) != PITH_OK ||
        pith_doc_read(t->third, "json", t->again.data, t->again.len, NULL, &err) !=
            PITH_OK ||
        !pith_value_equal(back, pith_doc_root(t->third)))
        lose(t, "is lost on the way to JSON", &err);
}

/* ----------------------------------------------------------------------- damage */

/* The start of a line behind the first two, or NULL when there are none. */
static char *some_line(trip *t, size_t from, size_t *len)
{
    char *at = t->text.data;
    char *end = at + t->text.len;
    for (size_t i = 0; i < from; i++) {
        char *feed = memchr(at, '\n', (size_t)(end - at));
        if (!feed || feed + 1 == end)
            return NULL;
        at = feed + 1;
    }
    size_t skip = random_below(&t->seed, 8);
    for (;;) {
        char *feed = memchr(at, '\n', (size_t)(end - at));
        *len = (size_t)((feed ? feed + 1 : end) - at);
        if (skip-- == 0 || !feed || feed + 1 == end)
            return at;
        at = feed + 1;
    }
}

/* True when each line but the first two is a row of one table with a count. */
static bool is_rows_only(const trip *t)
{
    const char *head = memchr(t->text.data, '\n', t->text.len);
    if (!t->gcf || !head || strncmp(head + 1, "## [", 4) != 0)
        return false;
    const char *feed = strchr(head + 1, '\n');
    const char *brace = memchr(head + 1, '{', (size_t)(feed - head));
    return brace && brace[-1] == ']' && !strstr(feed, "\n@") && !strchr(feed, '^');
}

static void splice(pith_buffer *text, char *at, size_t gone, size_t twice)
{
    bytes made = {0};
    size_t before = (size_t)(at - text->data);
    bytes_add(&made, text->data, before + twice);
    bytes_add(&made, at + gone, text->len - before - gone);
    text->len = 0;
    pith_sink sink = pith_sink_buffer(text);
    REQUIRE(sink.write(sink.ctx, made.ptr ? made.ptr : "", made.len) == PITH_OK);
    bytes_free(&made);
}

/* Damages the text; true when it must be refused now, false when it may be. */
static bool damage(trip *t)
{
    bool rows = is_rows_only(t);
    size_t len = 0;
    char *line = some_line(t, 2, &len);
    size_t at = random_below(&t->seed, t->text.len);
    char *head = memchr(t->text.data, '[', t->text.len);
    switch (random_below(&t->seed, 5)) {
    case 0:
        if (!line)
            return false;
        splice(&t->text, line, len, 0);
        return rows;
    case 1:
        if (!line)
            return false;
        splice(&t->text, line, 0, len);
        return rows;
    case 2:
        if (!head || head[1] < '1' || head[1] > '9')
            return false;
        head[1] =
            (char)('1' + ((size_t)(head[1] - '1' + 1) + random_below(&t->seed, 8)) % 9);
        return rows;
    case 3:
        t->text.len = at;
        return false;
    default:
        t->text.data[at] = (char)(t->text.data[at] ^ (1 << random_below(&t->seed, 8)));
        return false;
    }
}

/* What a damaged text stands for, if for anything, is a value like any other. */
static void try_damage(trip *t)
{
    pith_error err = {0};
    bool must_fail = damage(t);
    drop_group(t);
    t->damaged++;
    if (pith_doc_read(t->back, t->format, t->text.data, t->text.len, NULL, &err) !=
        PITH_OK) {
        fuzz_is_whole_error(&err, t->text.len);
        return;
    }
    t->accepted++;
    if (must_fail)
        lose(t, "is accepted with a row or a count that is wrong", NULL);
    pith_value value = pith_doc_root(t->back);
    if (write_to(t, value, t->format, &t->again, &err) != PITH_OK ||
        pith_doc_read(t->third, t->format, t->again.data, t->again.len, NULL, &err) !=
            PITH_OK ||
        !comes_back(t, value, pith_doc_root(t->third), true))
        lose(t, "damaged, is read as something that does not come back", &err);
}

/* ------------------------------------------------------------------------- runs */

static void run_value(trip *t, uint64_t seed, size_t number)
{
    pith_error err = {0};
    t->number = number;
    t->seed = seed + number * UINT64_C(0x9E3779B97F4A7C15);
    t->json.len = 0;
    make_json(&t->json, &t->seed);
    choose_settings(t);
    if (pith_doc_read(t->from, "json", t->json.ptr, t->json.len, NULL, &err) != PITH_OK) {
        if (strcmp(err.code, "duplicate_key") != 0)
            lose(t, "is no JSON", &err);
        t->skipped++;
        return;
    }
    choose_group(t, pith_doc_root(t->from));
    if (!go(t)) {
        t->refused++;
        return;
    }
    t->values++;
    if (number % 4 == 0)
        go_by_json(t);
    if (number % 4 == 1 && t->text.len > 0)
        try_damage(t);
}

static void report_runs(const trip *t, double seconds)
{
    printf("%s: %zu values (%zu with everything in them) came back in %.0f s, %.0f a "
           "second\n",
           t->format, t->values, t->slots, seconds,
           seconds > 0 ? (double)t->values / seconds : 0.0);
    printf(
        "%zu were written in groups, %zu refused as out of range, %zu had a key twice; of "
        "%zu damaged texts %zu stood for another value\n",
        t->grouped, t->refused, t->skipped, t->damaged, t->accepted);
}

int main(int argc, char **argv)
{
    trip t = {0};
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "usage: %s FORMAT COUNT|=NUMBER [SEED]\n", argv[0]);
        return 2;
    }
    bool one = argv[2][0] == '=';
    size_t count = (size_t)strtoull(argv[2] + (one ? 1 : 0), NULL, 10);
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    t.format = argv[1];
    t.gcf = strcmp(t.format, "gcf") == 0;
    t.options.alloc.resize = keep_resize;
    t.options.alloc.ctx = &t.kept;
    t.from = pith_doc_new(&t.options);
    t.back = pith_doc_new(&t.options);
    t.third = pith_doc_new(&t.options);
    REQUIRE(t.from && t.back && t.third);
    clock_t start = clock();
    if (one) {
        run_value(&t, seed, count);
        show("JSON:", t.json.ptr, t.json.len);
    }
    for (size_t number = 0; !one && t.values < count; number++)
        run_value(&t, seed, number);
    report_runs(&t, (double)(clock() - start) / CLOCKS_PER_SEC);
    bytes_free(&t.json);
    pith_buffer_free(&t.text);
    pith_buffer_free(&t.again);
    pith_doc_free(t.from);
    pith_doc_free(t.back);
    pith_doc_free(t.third);
    keep_nothing(&t.kept);
    return 0;
}
