/*
 * compare.c - values and texts, ours beside another implementation's.
 *
 *     compare FORMAT MODEL SEED FROM COUNT VARIANT... -- PEER ARGUMENT...
 *
 * Makes the values FROM, FROM+1, ... of a seed, or takes requests in the form of peer.h
 * from stdin when COUNT is `-`. A variant is our settings for writing and for reading,
 * with a slash between them; its number tells the peer to set itself likewise. Each value
 * is seen by the peer as three requests:
 *
 *     encode    both write it, and the bytes must be equal; where they are not, each must
 *               still read what the other wrote
 *     decode    the peer reads our text, and must find in it what we find
 *     verdict   both read a text with a mistake in it: both refuse it, or both find the
 *               same in it
 *
 * Each difference is a line of JSON on stdout, and judging it is left to the caller. The
 * last line counts what was done. The exit status is 0 unless the peer ended early.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "making.h"
#include "model.h"
#include "mutate.h"
#include "peer.h"
#include "pith.h"
#include "random.h"

enum { BATCH = 256, VARIANTS_MOST = 10, WRAPS_MOST = 40 };

typedef struct variant {
    char *write;
    char *read;
} variant;

/* A value on its way, or a text alone. */
typedef struct item {
    uint64_t number;
    size_t variant;
    bool has_value;
    bytes value;    /* as JSON */
    bytes text;     /* ours */
    bytes mistaken; /* what both sides are to judge; may be empty all the same */
    bool judged;
    bool wrote; /* we could write the value */
    char problem[256];
} item;

typedef struct comparison {
    const char *format;
    model held;
    variant variants[VARIANTS_MOST];
    size_t variant_count;
    peer other;
    item items[BATCH];
    size_t item_count;
    pith_doc *source, *taken, *ours, *theirs;
    pith_buffer buffer;
    bytes scratch;
    bytes report;
    uint64_t values, texts, accepted, differences;
} comparison;

/* --------------------------------------------------------------------------- JSON */

/* Adds the text as a JSON string, in ASCII but for what is above it. */
static void put_json_string(bytes *to, const char *text, size_t len)
{
    bytes_put(to, "\"");
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            bytes_print(to, "\\%c", c);
        else if (c < 0x20)
            bytes_print(to, "\\u%04x", c);
        else
            bytes_add(to, text + i, 1);
    }
    bytes_put(to, "\"");
}

static void put_field(bytes *to, const char *name, const char *text, size_t len)
{
    bytes_print(to, ",\"%s\":", name);
    put_json_string(to, text, len);
}

/* Adds the value as `format`; false, with the reason, when that cannot be. */
static bool put_value(comparison *c, bytes *to, pith_value value, const char *format,
                      const char *settings, char *problem, size_t room)
{
    pith_error err = {0};
    pith_options options = {0};
    options.write = settings;
    c->buffer.len = 0;
    pith_status status =
        pith_value_write(value, format, &options, pith_sink_buffer(&c->buffer), &err);
    if (status != PITH_OK) {
        snprintf(problem, room, "%s: %s", err.code, err.message);
        return false;
    }
    bytes_add(to, c->buffer.data ? c->buffer.data : "", c->buffer.len);
    return true;
}

/* Reads a text as the peer's model would hold it into `to`; false with the reason. */
static bool take_text(comparison *c, pith_doc *to, const bytes *text, size_t number,
                      char *problem, size_t room)
{
    pith_error err = {0};
    pith_options options = {0};
    options.read = c->variants[number].read;
    if (pith_doc_read(c->source, c->format, text->ptr ? text->ptr : "", text->len,
                      &options, &err) != PITH_OK) {
        snprintf(problem, room, "%zu:%zu: %s: %s", err.line, err.column, err.code,
                 err.message);
        return false;
    }
    model_take(to, pith_doc_root(c->source), c->held);
    return true;
}

/* ---------------------------------------------------------------------- reporting */

static void begin_difference(comparison *c, const item *it, const char *kind)
{
    c->differences++;
    c->report.len = 0;
    bytes_print(&c->report, "{\"number\":%" PRIu64 ",\"variant\":%zu,\"kind\":\"%s\"",
                it->number, it->variant, kind);
    if (it->has_value) {
        bytes_put(&c->report, ",\"value\":");
        bytes_add(&c->report, it->value.ptr, it->value.len);
    }
}

static void end_difference(comparison *c)
{
    bytes_put(&c->report, "}\n");
    fwrite(c->report.ptr, 1, c->report.len, stdout);
}

/* Adds what our side found in a text: a value, or why there is none. */
static void put_our_reading(comparison *c, bool accepted, const char *problem)
{
    char unused[8];
    if (!accepted) {
        put_field(&c->report, "our_error", problem, strlen(problem));
        return;
    }
    bytes_put(&c->report, ",\"our_value\":");
    put_value(c, &c->report, pith_doc_root(c->ours), "json", NULL, unused, sizeof unused);
}

/* Adds the peer's answer to a request to read. */
static void put_their_reading(comparison *c, const char *answer, size_t len)
{
    bytes_put(&c->report, answer[0] == '=' ? ",\"their_json\":" : ",\"their_error\":");
    if (answer[0] == '=')
        put_json_string(&c->report, answer + 1, len - 1);
    else
        bytes_add(&c->report, answer + 1, len - 1);
}

/* ------------------------------------------------------------------- the questions */

static void ask_text(comparison *c, const item *it, const bytes *text)
{
    c->scratch.len = 0;
    put_json_string(&c->scratch, text->ptr ? text->ptr : "", text->len);
    peer_ask(&c->other, 'D', it->variant, c->scratch.ptr, c->scratch.len);
}

static void ask(comparison *c, item *it)
{
    if (it->has_value)
        peer_ask(&c->other, 'E', it->variant, it->value.ptr, it->value.len);
    if (it->has_value && it->wrote)
        ask_text(c, it, &it->text);
    if (it->judged)
        ask_text(c, it, &it->mistaken);
}

/* Fills in the item for a value: its JSON as the peer will hold it, and our text. False
 * when it is no value, for an object in it has a key twice, or none for the peer. */
static bool set_value(comparison *c, item *it, const char *json, size_t len)
{
    it->has_value = true;
    it->value.len = it->text.len = it->mistaken.len = 0;
    if (pith_doc_read(c->source, "json", json, len, NULL, NULL) != PITH_OK ||
        !model_can_hold(pith_doc_root(c->source)))
        return false;
    model_take(c->taken, pith_doc_root(c->source), c->held);
    pith_value value = pith_doc_root(c->taken);
    put_value(c, &it->value, value, "json", NULL, it->problem, sizeof it->problem);
    it->wrote = put_value(c, &it->text, value, c->format, c->variants[it->variant].write,
                          it->problem, sizeof it->problem);
    it->judged = false;
    return true;
}

/* Some values are put further down, for depth is a border too. */
static void make_item_json(bytes *json, uint64_t *seed, make_what what)
{
    size_t wraps = random_below(seed, 64) == 0 ? random_below(seed, WRAPS_MOST) : 0;
    uint64_t kinds = random_next(seed);
    for (size_t i = 0; i < wraps; i++)
        bytes_put(json, kinds >> i & 1 ? "[" : "{\"a\":");
    make_json(json, seed, what);
    for (size_t i = wraps; i-- > 0;)
        bytes_put(json, kinds >> i & 1 ? "]" : "}");
}

static void make_item(comparison *c, uint64_t base, uint64_t number)
{
    item *it = &c->items[c->item_count];
    uint64_t seed = base + number * UINT64_C(0x9E3779B97F4A7C15);
    it->number = number;
    it->variant = random_below(&seed, c->variant_count);
    do {
        c->scratch.len = 0;
        make_item_json(&c->scratch, &seed,
                       strcmp(c->format, "ndjson") == 0 ? MAKE_LIST : MAKE_ANY);
    } while (!set_value(c, it, c->scratch.ptr, c->scratch.len));
    if (it->wrote) {
        mutate_text(&it->mistaken, it->text.ptr ? it->text.ptr : "", it->text.len, &seed);
        it->judged = true;
    }
    c->item_count++;
    ask(c, it);
}

/* A request from stdin. */
static void take_request(comparison *c, const char *line, size_t len, uint64_t number)
{
    item *it = &c->items[c->item_count];
    size_t head = 3;
    it->number = number;
    it->variant = len > head ? (size_t)(line[1] - '0') : 0;
    if (len <= head || it->variant >= c->variant_count ||
        pith_doc_read(c->theirs, "json", line + head, len - head, NULL, NULL) != PITH_OK)
        return;
    if (line[0] == 'E') {
        if (!set_value(c, it, line + head, len - head))
            return;
    } else {
        pith_text text = pith_value_text(pith_doc_root(c->theirs));
        it->has_value = false;
        it->judged = true;
        it->mistaken.len = 0;
        bytes_add(&it->mistaken, text.ptr ? text.ptr : "", text.len);
    }
    c->item_count++;
    ask(c, it);
}

/* -------------------------------------------------------------------- the answers */

/* We read what the peer wrote, having written something else. */
static void read_theirs(comparison *c, item *it)
{
    char problem[256];
    bool accepted =
        take_text(c, c->ours, &c->scratch, it->variant, problem, sizeof problem);
    pith_doc_read(c->taken, "json", it->value.ptr, it->value.len, NULL, NULL);
    if (accepted &&
        model_compare(pith_doc_root(c->taken), pith_doc_root(c->ours)) != DIFFERENT)
        return;
    begin_difference(c, it, "read");
    put_field(&c->report, "text", c->scratch.ptr, c->scratch.len);
    put_our_reading(c, accepted, problem);
    end_difference(c);
}

static void judge_encode(comparison *c, item *it)
{
    size_t len;
    const char *answer = peer_answer(&c->other, &len);
    bool they_wrote = answer[0] == '=';
    pith_text theirs = {"", 0};
    if (!they_wrote && !it->wrote)
        return;
    if (they_wrote &&
        pith_doc_read(c->theirs, "json", answer + 1, len - 1, NULL, NULL) == PITH_OK)
        theirs = pith_value_text(pith_doc_root(c->theirs));
    if (they_wrote && it->wrote && theirs.len == it->text.len &&
        (theirs.len == 0 || memcmp(theirs.ptr, it->text.ptr, theirs.len) == 0))
        return;
    begin_difference(c, it, "encode");
    if (it->wrote)
        put_field(&c->report, "ours", it->text.ptr ? it->text.ptr : "", it->text.len);
    else
        put_field(&c->report, "our_error", it->problem, strlen(it->problem));
    bytes_put(&c->report, they_wrote ? ",\"theirs\":" : ",\"their_error\":");
    bytes_add(&c->report, answer + 1, len - 1);
    end_difference(c);
    if (they_wrote) {
        c->scratch.len = 0;
        bytes_add(&c->scratch, theirs.ptr ? theirs.ptr : "", theirs.len);
        read_theirs(c, it);
    }
}

/* Both have read the text: compares what they found in it. */
static void judge_reading(comparison *c, item *it, const bytes *text, const char *kind)
{
    size_t len;
    char problem[256];
    const char *answer = peer_answer(&c->other, &len);
    bool they_accept = answer[0] == '=';
    bool accepted = take_text(c, c->ours, text, it->variant, problem, sizeof problem);
    c->accepted += accepted;
    if (!accepted && !they_accept)
        return;
    if (accepted && they_accept) {
        sameness found = DIFFERENT;
        if (pith_doc_read(c->theirs, "json", answer + 1, len - 1, NULL, NULL) == PITH_OK)
            found = model_compare(pith_doc_root(c->ours), pith_doc_root(c->theirs));
        if (found == SAME)
            return;
        if (found == SAME_BUT_ORDER)
            kind = "order";
    }
    begin_difference(c, it, kind);
    put_field(&c->report, "text", text->ptr ? text->ptr : "", text->len);
    put_our_reading(c, accepted, problem);
    put_their_reading(c, answer, len);
    end_difference(c);
}

/* What we write we must read, whatever the peer makes of it. */
static void read_ours(comparison *c, item *it)
{
    char problem[256];
    bool accepted =
        take_text(c, c->ours, &it->text, it->variant, problem, sizeof problem);
    pith_doc_read(c->taken, "json", it->value.ptr, it->value.len, NULL, NULL);
    if (accepted &&
        model_compare(pith_doc_root(c->taken), pith_doc_root(c->ours)) != DIFFERENT)
        return;
    begin_difference(c, it, "own");
    put_field(&c->report, "text", it->text.ptr ? it->text.ptr : "", it->text.len);
    put_our_reading(c, accepted, problem);
    end_difference(c);
}

static void judge(comparison *c, item *it)
{
    if (it->has_value) {
        c->values++;
        judge_encode(c, it);
        if (it->wrote) {
            read_ours(c, it);
            judge_reading(c, it, &it->text, "decode");
        }
    }
    if (it->judged) {
        c->texts++;
        judge_reading(c, it, &it->mistaken, "verdict");
    }
}

/* -------------------------------------------------------------------------- batches */

static bool finish_batch(comparison *c)
{
    if (c->item_count == 0)
        return true;
    if (!peer_exchange(&c->other)) {
        fprintf(stderr, "compare: in the batch of values %" PRIu64 " to %" PRIu64 "\n",
                c->items[0].number, c->items[c->item_count - 1].number);
        return false;
    }
    for (size_t i = 0; i < c->item_count; i++)
        judge(c, &c->items[i]);
    c->item_count = 0;
    return true;
}

static bool make_all(comparison *c, uint64_t seed, uint64_t from, uint64_t count)
{
    bool whole = true;
    for (uint64_t i = 0; whole && i < count; i++) {
        make_item(c, seed, from + i);
        if (c->item_count == BATCH)
            whole = finish_batch(c);
    }
    return whole && finish_batch(c);
}

static bool take_all(comparison *c)
{
    bytes line = {0};
    bool whole = true;
    uint64_t number = 0;
    for (int next = getchar(); whole && next != EOF; next = getchar()) {
        char byte = (char)next;
        if (next != '\n') {
            bytes_add(&line, &byte, 1);
            continue;
        }
        take_request(c, line.ptr, line.len, number++);
        line.len = 0;
        if (c->item_count == BATCH)
            whole = finish_batch(c);
    }
    bytes_free(&line);
    return whole && finish_batch(c);
}

static void add_variant(comparison *c, char *settings)
{
    char *slash = strchr(settings, '/');
    if (!slash || c->variant_count == VARIANTS_MOST) {
        fprintf(stderr, "compare: bad variant: %s\n", settings);
        exit(2);
    }
    *slash = '\0';
    c->variants[c->variant_count].write = settings;
    c->variants[c->variant_count].read = slash + 1;
    c->variant_count++;
}

static void clean_up(comparison *c)
{
    for (size_t i = 0; i < BATCH; i++) {
        bytes_free(&c->items[i].value);
        bytes_free(&c->items[i].text);
        bytes_free(&c->items[i].mistaken);
    }
    bytes_free(&c->scratch);
    bytes_free(&c->report);
    pith_buffer_free(&c->buffer);
    pith_doc_free(c->source);
    pith_doc_free(c->taken);
    pith_doc_free(c->ours);
    pith_doc_free(c->theirs);
}

int main(int argc, char **argv)
{
    static comparison c;
    int at = 6;
    if (argc < 9 || !model_find(argv[2], &c.held)) {
        fprintf(stderr, "usage: compare FORMAT MODEL SEED FROM COUNT|- VARIANT... -- "
                        "PEER ARGUMENT...\n");
        return 2;
    }
    c.format = argv[1];
    while (at < argc && strcmp(argv[at], "--") != 0)
        add_variant(&c, argv[at++]);
    if (at + 1 >= argc)
        return 2;
    c.source = pith_doc_new(NULL);
    c.taken = pith_doc_new(NULL);
    c.ours = pith_doc_new(NULL);
    c.theirs = pith_doc_new(NULL);
    peer_start(&c.other, argv + at + 1);
    bool whole = strcmp(argv[5], "-") == 0
                     ? take_all(&c)
                     : make_all(&c, strtoull(argv[3], NULL, 10),
                                strtoull(argv[4], NULL, 10), strtoull(argv[5], NULL, 10));
    peer_end(&c.other);
    printf("{\"values\":%" PRIu64 ",\"texts\":%" PRIu64 ",\"accepted\":%" PRIu64
           ",\"differences\":%" PRIu64 "}\n",
           c.values, c.texts, c.accepted, c.differences);
    clean_up(&c);
    return whole ? 0 : 3;
}
