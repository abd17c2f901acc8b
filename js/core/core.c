/*
 * core.c - what JavaScript calls: pith.h with numbers and addresses for arguments.
 *
 * An instance of the module has one `core`: the document that is being built or read, the
 * text that was written last, and the error. JavaScript puts texts into memory that it gets
 * from `malloc`, calls, and takes the result out before the next call.
 *
 * Values cross in batches. On the way in JavaScript fills an array of pith_cell and one long
 * text, in which the texts of all cells stand one after the other; a cell's `len` counts
 * UTF-16 units, and core_cells finds the bytes. On the way out core_walk does the reverse: an
 * array of pith_event, and all texts in one, each `len` in UTF-16 units.
 */
#include "pith.h"

#include <stdlib.h>
#include <string.h>

#define CALL(name) __attribute__((export_name("core_" #name)))

/* The one thing that is asked of JavaScript while it waits. */
__attribute__((import_module("pith"), import_name("progress"))) extern int core_progress(
    double bytes_done);

enum {
    CORE_CELLS = 4096,
    CORE_EVENTS = 1024,
    CORE_TEXT = 192 * 1024, /* 64 Ki units, in UTF-8 */
    CORE_SURE_DIGITS = 15   /* so many are the same in any double */
};

/* The first members are read by JavaScript, by their addresses: keep their order. */
static struct core {
    pith_error err;
    pith_outcome outcome;
    pith_buffer out;
    pith_cell *cells;
    char *text;
    pith_event *events;
    pith_buffer texts; /* of the events */
    pith_buffer lens;  /* of keys */
    uint32_t flag;     /* what a call says besides its result */

    pith_options options;
    pith_doc *doc, *notices, *scratch;
    size_t depth_max; /* of `doc` */
    pith_value value; /* what core_walk goes through, and core_write writes */
    pith_walk walk;
    pith_counter *counter;
    const pith_vocab *counter_vocab;
} core;

CALL(layout) const void *core_layout(void)
{
    static const uint32_t layout[] = {
        offsetof(struct core, outcome),
        offsetof(struct core, out),
        offsetof(struct core, cells),
        offsetof(struct core, text),
        offsetof(struct core, events),
        offsetof(struct core, texts),
        offsetof(struct core, lens),
        offsetof(struct core, flag),
        CORE_CELLS,
        CORE_TEXT,
    };
    return layout;
}

/* ------------------------------------------------------------------------- ground */

static void core_no_memory(void)
{
    static const char message[] = "out of memory";
    core.err = (pith_error){.status = PITH_NO_MEMORY, .code = "no_memory"};
    memcpy(core.err.message, message, sizeof message);
}

/* A remark becomes an object in a list that JavaScript asks for afterwards. */
static void core_note(const pith_error *remark)
{
    static const pith_text keys[] = {PITH_TEXT("code"),   PITH_TEXT("message"),
                                     PITH_TEXT("line"),   PITH_TEXT("column"),
                                     PITH_TEXT("offset"), PITH_TEXT("status")};
    const char *status = pith_status_name(remark->status);
    uint32_t shape = pith_doc_shape(core.notices, keys, 6);
    pith_cell cells[] = {
        {.kind = PITH_CELL_SHAPED, .u.natural = shape},
        {.kind = PITH_CELL_TEXT,
         .len = (uint32_t)strlen(remark->code),
         .u.text = remark->code},
        {.kind = PITH_CELL_TEXT,
         .len = (uint32_t)strlen(remark->message),
         .u.text = remark->message},
        {.kind = PITH_CELL_UINT64, .u.natural = remark->line},
        {.kind = PITH_CELL_UINT64, .u.natural = remark->column},
        {.kind = PITH_CELL_UINT64, .u.natural = remark->offset},
        {.kind = PITH_CELL_TEXT, .len = (uint32_t)strlen(status), .u.text = status}};
    if (shape == 0)
        return; /* out of memory, which the next call will tell */
    core.flag++;
    pith_doc_add_cells(core.notices, cells, sizeof cells / sizeof cells[0]);
}

static void core_notice(void *ctx, const pith_error *remark)
{
    (void)ctx;
    core_note(remark);
}

static bool core_problem(void *ctx, const pith_error *problem)
{
    (void)ctx;
    core_note(problem);
    return core.flag < 1000;
}

static bool core_go_on(void *ctx, size_t done)
{
    (void)ctx;
    return core_progress((double)done) != 0;
}

static void core_forget_notices(void)
{
    core.flag = 0;
    pith_doc_reset(core.notices);
    pith_doc_open_array(core.notices);
}

/* Before anything else, with random numbers; NULL when there is no memory. */
CALL(begin) struct core *core_begin(uint32_t seed, uint32_t more)
{
    pith_options *options = &core.options;
    options->alloc.seed = (uint64_t)seed << 32 | more;
    options->size = sizeof *options;
    core.doc = pith_doc_new(options);
    core.notices = pith_doc_new(options);
    core.scratch = pith_doc_new(options);
    core.cells = malloc(CORE_CELLS * sizeof *core.cells);
    core.events = malloc(CORE_EVENTS * sizeof *core.events);
    core.text = malloc(CORE_TEXT);
    bool whole = core.doc && core.notices && core.scratch && core.cells && core.events &&
                 core.text;
    return whole ? &core : NULL;
}

/* Sets the options of the calls that follow. The two texts are borrowed until they are set
 * anew; `counted` is a vocabulary or NULL. */
CALL(options)
void core_options(const char *read, const char *write, size_t depth_max,
                  size_t output_max, size_t memory_max, const pith_vocab *vocab,
                  int progress)
{
    core.options.read = read;
    core.options.write = write;
    core.options.depth_max = depth_max;
    core.options.output_max = output_max;
    core.options.memory_max = memory_max;
    core.options.vocab = vocab;
    core.options.outcome = &core.outcome;
    core.options.progress = progress ? core_go_on : NULL;
    core.options.notice = core_notice;
    core.outcome = (pith_outcome){0};
    core_forget_notices();
}

/* Empties the text; a large one is given back, so that memory is there for other things. */
static pith_sink core_out(void)
{
    core.out.len = 0;
    if (core.out.cap > CORE_TEXT)
        pith_buffer_free(&core.out);
    return pith_sink_buffer(&core.out);
}

CALL(convert)
int core_convert(const char *from, const char *to, const char *text, size_t len)
{
    return pith_convert(from, to, text, len, &core.options, core_out(), &core.err);
}

/* The format of a text by its content; NULL when nothing tells. */
CALL(format_of) const char *core_format_of(const char *path, const char *text, size_t len)
{
    const pith_format *format = pith_format_of(path, text, len);
    return format != NULL ? format->name : NULL;
}

CALL(check) int core_check(const char *format, const char *text, size_t len)
{
    return pith_check(format, text, len, &core.options, core_problem, NULL, &core.err);
}

/* The notices, or problems, as JSON in the text. */
CALL(notices) int core_notices(void)
{
    pith_sink sink = core_out();
    pith_doc_close(core.notices);
    pith_status status = pith_doc_finish(core.notices, NULL);
    if (status == PITH_OK)
        status =
            pith_value_write(pith_doc_root(core.notices), "json", NULL, sink, &core.err);
    else
        core_no_memory();
    core_forget_notices();
    return status;
}

/* ---------------------------------------------------------------- values on the way in */

/* Begins a value, which may be so deep. A document keeps the depth that it was made with. */
CALL(start) int core_start(size_t depth_max)
{
    if (depth_max != core.depth_max) {
        pith_options options = {.alloc = core.options.alloc, .depth_max = depth_max};
        pith_doc *doc = pith_doc_new(&options);
        if (doc == NULL) {
            core_no_memory();
            return PITH_NO_MEMORY;
        }
        pith_doc_free(core.doc);
        core.doc = doc;
        core.depth_max = depth_max;
    }
    pith_doc_reset(core.doc);
    return PITH_OK;
}

/* The bytes at `text` that are so many UTF-16 units; less when it ends between two halves. */
static size_t bytes_of_units(const char *text, size_t units)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t done = 0;
    while (done < units) {
        unsigned len = *at < 0x80 ? 1 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : 4;
        at += len;
        done += len == 4 ? 2 : 1;
    }
    core.flag |= done > units;
    return (size_t)(at - (const unsigned char *)text);
}

/* Gives cells their texts, out of the long one; false where a character would be cut, which
 * is how a lone surrogate shows that stands beside another one. */
static bool find_texts(size_t count, bool ascii)
{
    const char *at = core.text;
    core.flag = 0;
    for (size_t i = 0; i < count; i++) {
        pith_cell *cell = &core.cells[i];
        if (cell->kind != PITH_CELL_TEXT && cell->kind != PITH_CELL_KEY &&
            cell->kind != PITH_CELL_DIGITS)
            continue;
        if (!ascii)
            cell->len = (uint32_t)bytes_of_units(at, cell->len);
        cell->flags = PITH_CELL_TRUSTED;
        cell->u.text = at;
        at += cell->len;
    }
    return core.flag == 0;
}

/* Adds cells to the document, or to rows when that is not NULL. */
CALL(cells) int core_cells(size_t count, int ascii)
{
    if (!find_texts(count, ascii != 0))
        return 1;
    pith_doc_add_cells(core.doc, core.cells, count);
    return 0;
}

/* One text, or bytes, that is too long for the others. */
CALL(long_text) void core_long_text(int kind, const char *text, size_t len)
{
    pith_cell cell = {.kind = (uint8_t)kind,
                      .flags = PITH_CELL_TRUSTED,
                      .len = (uint32_t)len,
                      .u.text = text};
    if (kind == PITH_CELL_BYTES)
        cell.flags = 0;
    pith_doc_add_cells(core.doc, &cell, 1);
}

/* The shape of the keys that are the first `count` cells; 0 when it can have none. */
CALL(shape) uint32_t core_shape(size_t count, int ascii)
{
    static pith_text keys[256];
    if (count > 256 || !find_texts(count, ascii != 0))
        return 0;
    for (size_t i = 0; i < count; i++)
        keys[i] = (pith_text){core.cells[i].u.text, core.cells[i].len};
    return pith_doc_shape(core.doc, keys, count);
}

CALL(finish) int core_finish(void)
{
    pith_status status = pith_doc_finish(core.doc, &core.err);
    core.value = pith_doc_root(core.doc);
    return status;
}

CALL(write) int core_write(const char *format)
{
    return pith_value_write(core.value, format, &core.options, core_out(), &core.err);
}

/* The same with no settings: what was read, as JSON. */
CALL(write_plain) int core_write_plain(const char *format)
{
    pith_options options = {.alloc = core.options.alloc};
    return pith_value_write(core.value, format, &options, core_out(), &core.err);
}

/* --------------------------------------------------------------- values on the way out */

CALL(read) int core_read(const char *format, const char *text, size_t len)
{
    pith_status status =
        pith_doc_read(core.doc, format, text, len, &core.options, &core.err);
    core.value = pith_doc_root(core.doc);
    return status;
}

/* Whether any double of that many digits prints as they are. */
static bool digits_are_few(const pith_event *event)
{
    return event->len <= CORE_SURE_DIGITS &&
           memchr(event->u.text, 'e', event->len) == NULL &&
           memchr(event->u.text, 'E', event->len) == NULL;
}

/* Whether the doubles that are the first `count` cells have the digits of those events. */
static bool digits_are_shortest(const uint16_t *unsure, size_t count)
{
    pith_walk walk;
    pith_event shortest[64];
    size_t done = 0, got;
    pith_doc_reset(core.scratch);
    pith_doc_open_array(core.scratch);
    pith_doc_add_cells(core.scratch, core.cells, count);
    pith_doc_close(core.scratch);
    if (pith_doc_finish(core.scratch, NULL) != PITH_OK)
        return false;
    pith_walk_begin(&walk, pith_doc_root(core.scratch), PITH_WALK_DIGITS);
    pith_walk_next(&walk, shortest, 1); /* the array */
    while ((got = pith_walk_next(&walk, shortest, 64)) > 0)
        for (size_t i = 0; i < got; i++) {
            const pith_event *event = &core.events[unsure[done++]];
            if (shortest[i].len != event->len ||
                memcmp(shortest[i].u.text, event->u.text, event->len) != 0)
                return false;
        }
    return true;
}

/* The same for a batch of events with their digits, beside it one with their doubles. */
static bool events_are_plain(const pith_event *doubles, size_t count)
{
    uint16_t unsure[CORE_EVENTS];
    size_t many = 0;
    for (size_t i = 0; i < count; i++) {
        const pith_event *event = &core.events[i];
        bool number = event->kind == PITH_INTEGER || event->kind == PITH_DECIMAL;
        if (event->type == PITH_TYPE_BYTES ||
            (event->type == PITH_TYPE_FLOAT && event->kind == PITH_STRING))
            return false;
        if (!number || digits_are_few(event))
            continue;
        if (event->kind == PITH_INTEGER)
            return false;
        core.cells[many] =
            (pith_cell){.kind = PITH_CELL_DOUBLE, .u.number = doubles[i].u.number};
        unsure[many++] = (uint16_t)i;
    }
    return many == 0 || digits_are_shortest(unsure, many);
}

/* Whether there is nothing but texts and short numbers, as mostly. */
static bool core_is_simple(void)
{
    size_t count;
    pith_walk_begin(&core.walk, core.value, PITH_WALK_DIGITS);
    while ((count = pith_walk_next(&core.walk, core.events, CORE_EVENTS)) > 0)
        for (size_t i = 0; i < count; i++) {
            const pith_event *event = &core.events[i];
            bool number = event->kind == PITH_INTEGER || event->kind == PITH_DECIMAL;
            if ((number && !digits_are_few(event)) || event->type != 0)
                return false;
        }
    return true;
}

/* Whether JSON.parse makes of the value what it is, as far as that is quickly known. */
CALL(plain) int core_plain(void)
{
    static pith_event doubles[CORE_EVENTS];
    pith_walk walk;
    size_t count;
    if (core_is_simple())
        return 1;
    pith_walk_begin(&core.walk, core.value, PITH_WALK_DIGITS);
    pith_walk_begin(&walk, core.value, 0);
    while ((count = pith_walk_next(&core.walk, core.events, CORE_EVENTS)) > 0)
        if (pith_walk_next(&walk, doubles, CORE_EVENTS) != count ||
            !events_are_plain(doubles, count))
            return 0;
    return 1;
}

static uint32_t units_of_bytes(const char *text, size_t len)
{
    uint32_t units = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char byte = (unsigned char)text[i];
        units += (byte & 0xC0) != 0x80;
        units += byte >= 0xF0;
    }
    return units;
}

/* Adds a text to those of the events; its units in `*units`. */
static bool core_take(const char *text, size_t len, bool ascii, uint32_t *units)
{
    pith_sink sink = pith_sink_buffer(&core.texts);
    if (sink.write(sink.ctx, text, len) != PITH_OK)
        return false;
    *units = ascii ? (uint32_t)len : units_of_bytes(text, len);
    return true;
}

CALL(walk_begin) void core_walk_begin(int digits)
{
    pith_walk_begin(&core.walk, core.value, digits ? PITH_WALK_DIGITS : 0);
}

/* The next events; (size_t)-1 when there is no memory. */
CALL(walk) size_t core_walk(void)
{
    size_t count = pith_walk_next(&core.walk, core.events, CORE_EVENTS);
    core.texts.len = 0;
    for (size_t i = 0; i < count; i++) {
        pith_event *event = &core.events[i];
        bool string = event->kind == PITH_STRING;
        if (!string && !(event->flags & PITH_EVENT_DIGITS))
            continue;
        uint32_t units;
        bool ascii = !string || (event->flags & PITH_EVENT_ASCII);
        if (!core_take(event->u.text, event->len, ascii, &units)) {
            core_no_memory();
            return (size_t)-1;
        }
        event->len = units;
    }
    return count;
}

/* The keys of the object that is event number `at`, how many there are: their texts replace
 * those of the events, so call it when these were read; their lengths are in `lens`. */
CALL(keys) size_t core_keys(size_t at)
{
    static pith_text few[256];
    pith_text *keys = few;
    const pith_event *object = &core.events[at];
    size_t count = pith_walk_keys(&core.walk, object, few, 256);
    pith_sink lens = pith_sink_buffer(&core.lens);
    bool room = true;
    core.texts.len = core.lens.len = 0;
    if (count > 256) {
        keys = malloc(count * sizeof *keys);
        room = keys != NULL && pith_walk_keys(&core.walk, object, keys, count) == count;
    }
    for (size_t i = 0; room && i < count; i++) {
        uint32_t units;
        room = core_take(keys[i].ptr, keys[i].len, false, &units) &&
               lens.write(lens.ctx, (const char *)&units, sizeof units) == PITH_OK;
    }
    if (keys != few)
        free(keys);
    if (!room)
        core_no_memory();
    return room ? count : (size_t)-1;
}

/* ---------------------------------------------------------------------------- streams */

CALL(reader_open) pith_reader *core_reader_open(const char *format)
{
    return pith_reader_open(format, &core.options, &core.err);
}

CALL(reader_feed) int core_reader_feed(pith_reader *reader, const char *data, size_t len)
{
    return pith_reader_feed(reader, data, len, &core.err);
}

CALL(reader_end) int core_reader_end(pith_reader *reader)
{
    return pith_reader_end(reader, &core.err);
}

/* The next rows, for core_walk and core_write. `flag`: bit 0, there are some; bit 1, there
 * will be no more. */
CALL(reader_rows) int core_reader_rows(pith_reader *reader, size_t most)
{
    bool done = false;
    pith_status status = pith_reader_batch(reader, most, &core.value, &done, &core.err);
    core.flag = (uint32_t)(core.value.doc != NULL) | (uint32_t)done << 1;
    return status;
}

CALL(reader_free) void core_reader_free(pith_reader *reader)
{
    pith_reader_free(reader);
}

CALL(answer_open) pith_answer *core_answer_open(void)
{
    return pith_answer_open(&core.options, &core.err);
}

CALL(answer_feed) int core_answer_feed(pith_answer *answer, const char *data, size_t len)
{
    return pith_answer_feed(answer, data, len, &core.err);
}

CALL(answer_end) int core_answer_end(pith_answer *answer)
{
    return pith_answer_end(answer, &core.err);
}

CALL(answer_free) void core_answer_free(pith_answer *answer)
{
    pith_answer_free(answer);
}

/* The value so far, for core_walk and core_write; 1 when there is one. */
CALL(answer_value) int core_answer_value(const pith_answer *answer)
{
    core.value = pith_answer_root(answer);
    return core.value.doc != NULL;
}

CALL(answer_complete) size_t core_answer_complete(const pith_answer *answer)
{
    return pith_answer_complete(answer);
}

CALL(answer_finished) int core_answer_finished(const pith_answer *answer)
{
    return pith_answer_finished(answer);
}

/* The columns are the `count` first cells, keys; without any, rows are any values. */
CALL(rows_open)
pith_rows *core_rows_open(const char *format, size_t count, int ascii)
{
    static pith_text columns[CORE_CELLS];
    if (!find_texts(count, ascii != 0))
        count = 0;
    for (size_t i = 0; i < count; i++)
        columns[i] = (pith_text){core.cells[i].u.text, core.cells[i].len};
    return pith_rows_open(format, count ? columns : NULL, count, &core.options,
                          core_out(), &core.err);
}

/* Adds the document that was finished as a row. What is written then is in the text. */
CALL(rows_add) int core_rows_add(pith_rows *rows)
{
    return pith_rows_add_row(rows, core.value, &core.err);
}

/* Before rows are added whose text is taken afterwards. */
CALL(rows_out) void core_rows_out(void)
{
    core_out();
}

CALL(rows_flush) int core_rows_flush(pith_rows *rows)
{
    return pith_rows_flush(rows, &core.err);
}

CALL(rows_close) int core_rows_close(pith_rows *rows)
{
    return pith_rows_close(rows, &core.err);
}

CALL(rows_abandon) void core_rows_abandon(pith_rows *rows)
{
    pith_rows_abandon(rows);
}

/* A part is a text in front of which stand five numbers: its length in bytes, tokens, first
 * row, rows, and whether it is too long; behind its format, with a NUL. */
static pith_status core_part(void *ctx, const pith_part *part)
{
    pith_sink sink = pith_sink_buffer(&core.out);
    double head[5] = {(double)part->len, (double)part->tokens, (double)part->first_row,
                      (double)part->rows, part->too_long};
    (void)ctx;
    pith_status status = sink.write(sink.ctx, (const char *)head, sizeof head);
    if (status == PITH_OK)
        status = sink.write(sink.ctx, part->format, strlen(part->format) + 1);
    return status == PITH_OK ? sink.write(sink.ctx, part->text, part->len) : status;
}

CALL(parts_open)
pith_parts *core_parts_open(const char *format, size_t count, int ascii, size_t tokens)
{
    static pith_text columns[CORE_CELLS];
    if (!find_texts(count, ascii != 0))
        count = 0;
    for (size_t i = 0; i < count; i++)
        columns[i] = (pith_text){core.cells[i].u.text, core.cells[i].len};
    core_out();
    return pith_parts_open(format, count ? columns : NULL, count, tokens, &core.options,
                           core_part, NULL, &core.err);
}

CALL(parts_add) int core_parts_add(pith_parts *parts)
{
    return pith_parts_add_row(parts, core.value, &core.err);
}

CALL(parts_close) int core_parts_close(pith_parts *parts)
{
    return pith_parts_close(parts, &core.err);
}

CALL(parts_abandon) void core_parts_abandon(pith_parts *parts)
{
    pith_parts_abandon(parts);
}

/* ----------------------------------------------------------------------------- tokens */

CALL(vocab_open) pith_vocab *core_vocab_open(const char *name)
{
    return pith_vocab_open(name, &core.options, &core.err);
}

/* The bytes stay where they are. */
CALL(vocab_map) pith_vocab *core_vocab_map(const void *data, size_t len)
{
    return pith_vocab_map(data, len, &core.options, &core.err);
}

CALL(vocab_read) pith_vocab *core_vocab_read(const char *text, size_t len)
{
    return pith_vocab_read(text, len, &core.options, &core.err);
}

/* The counter that remembers is kept for the vocabulary that was used last. The number is
 * in `flag`. */
CALL(count) int core_count(const pith_vocab *vocab, const char *text, size_t len)
{
    size_t count = 0;
    if (core.counter_vocab != vocab) {
        pith_counter_free(core.counter);
        core.counter = pith_counter_new(vocab, &core.options);
        core.counter_vocab = core.counter ? vocab : NULL;
    }
    if (core.counter == NULL) {
        core_no_memory();
        return PITH_NO_MEMORY;
    }
    pith_sink sink = pith_counter_sink(core.counter);
    sink.write(sink.ctx, text, len);
    pith_status status = pith_counter_total(core.counter, &count, &core.err);
    core.flag = (uint32_t)count;
    return status;
}

CALL(count_out) int core_count_out(const pith_vocab *vocab)
{
    return core_count(vocab, core.out.data, core.out.len);
}

/* The ids of a text, as numbers of 32 bits in the text. */
CALL(tokenize)
int core_tokenize(const pith_vocab *vocab, const char *text, size_t len, int special)
{
    pith_tokens tokens = {0};
    pith_sink sink = core_out();
    pith_status status =
        pith_vocab_encode(vocab, text, len, (pith_special)special, &tokens, &core.err);
    if (status == PITH_OK) {
        status = sink.write(sink.ctx, (const char *)tokens.ids,
                            tokens.count * sizeof(uint32_t));
        if (status != PITH_OK)
            core_no_memory();
    }
    pith_tokens_free(&tokens);
    return status;
}

CALL(detokenize)
int core_detokenize(const pith_vocab *vocab, const uint32_t *ids, size_t count)
{
    return pith_vocab_decode(vocab, ids, count, &core.options, core_out(), &core.err);
}

/* ---------------------------------------------------------------------------- formats */

static void add_text(pith_doc *doc, const char *text)
{
    if (text != NULL)
        pith_doc_add_text(doc, text, strlen(text));
    else
        pith_doc_add_null(doc);
}

static void add_member(pith_doc *doc, const char *key, const char *text)
{
    pith_doc_add_key(doc, key, strlen(key));
    add_text(doc, text);
}

static void add_number(pith_doc *doc, const char *key, uint64_t number)
{
    pith_doc_add_key(doc, key, strlen(key));
    pith_doc_add_uint64(doc, number);
}

static void add_setting(pith_doc *doc, const pith_setting *setting)
{
    static const char *const types[] = {"bool", "number", "choice", "text"};
    pith_doc_open_object(doc);
    add_member(doc, "word", setting->word);
    add_member(doc, "type", types[setting->type]);
    add_number(doc, "direction", setting->direction);
    add_member(doc, "choices", setting->choices);
    add_number(doc, "min", setting->min);
    add_number(doc, "max", setting->max);
    add_member(doc, "default", setting->default_value);
    add_member(doc, "help", setting->help);
    pith_doc_close(doc);
}

/* All formats and settings, as JSON in the text. */
CALL(formats) int core_formats(void)
{
    pith_doc *doc = core.doc;
    pith_doc_reset(doc);
    pith_doc_open_object(doc);
    add_member(doc, "version", pith_version());
    pith_doc_add_key(doc, "formats", 7);
    pith_doc_open_array(doc);
    for (size_t i = 0; pith_format_at(i) != NULL; i++) {
        const pith_format *format = pith_format_at(i);
        pith_doc_open_object(doc);
        add_member(doc, "name", format->name);
        add_member(doc, "suffixes", format->suffixes);
        add_member(doc, "mediaType", format->media_type);
        add_member(doc, "summary", format->summary);
        add_number(doc, "direction", format->direction);
        add_number(doc, "streams", format->streams);
        add_number(doc, "binary", format->binary);
        add_number(doc, "chooses", format->chooses);
        pith_doc_add_key(doc, "settings", 8);
        pith_doc_open_array(doc);
        for (size_t j = 0; j < format->setting_count; j++)
            add_setting(doc, &format->settings[j]);
        pith_doc_close(doc);
        pith_doc_close(doc);
    }
    pith_doc_close(doc);
    pith_doc_add_key(doc, "common", 6);
    pith_doc_open_array(doc);
    for (size_t i = 0; pith_setting_common(i) != NULL; i++)
        add_setting(doc, pith_setting_common(i));
    pith_doc_close(doc);
    pith_doc_close(doc);
    int status = core_finish();
    return status == PITH_OK ? core_write_plain("json") : status;
}
