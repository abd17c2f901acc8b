/*
 * threads.c - what the header allows several threads to share, shared by several threads
 * under the thread sanitizer.
 *
 * Shared: vocabularies, built in and read from a tokenizer.json; a finished document; a
 * finished table; the options. What single calls say of them is noted first, by one
 * thread alone. Then all threads make the same calls at once, each beginning elsewhere in
 * the list, and must get the same answers; beside that each has handles of its own, which
 * must share nothing that can change. The sanitizer sees whoever writes what another
 * reads, whether or not the answer was hurt by it.
 *
 * `threads race` lets the threads write to one place on purpose, `threads unset` reads
 * memory that was never set. The sanitizer must complain: else the program was built
 * without it, and its silence means nothing.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables.h"
#include "bytes.h"
#include "fitting.h"
#include "piece.h"
#include "pith.h"

enum { THREADS = 4, ROUNDS = 3, VOCABS = 4, ANSWERS_MOST = 64, ROWS = 40 };

#define REQUIRE(condition)                                                               \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__,            \
                    #condition);                                                         \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

/* What a call wrote, or with which status it refused. */
typedef struct answer {
    const char *format, *settings;
    pith_status status;
    pith_buffer text;
} answer;

typedef struct shared {
    pith_vocab *vocabs[VOCABS];
    pith_tokens ids[VOCABS]; /* of `text` */
    bytes text;
    pith_doc *doc;
    typed_table *table;
    pith_options options; /* with a vocabulary */
    answer answers[ANSWERS_MOST];
    size_t answer_count;
    answer table_answer;
    bool race;
    int raced; /* all of them write here when `race` is set */
} shared;

/* Which thread, and what it shares with the others. */
typedef struct worker {
    shared *with;
    size_t number;
    pthread_t thread;
} worker;

/* ------------------------------------------------------------------ making things */

/* Rows with words, numbers, absent keys, nesting and letters beyond ASCII. */
static bytes make_rows(void)
{
    bytes text = {0};
    for (int row = 0; row < ROWS; row++) {
        bytes_print(&text,
                    "%s{\"id\":%d,\"name\":\"Zo\xc3\xab, who isn't %d|\xe6\x9d\xb1\"",
                    row ? "," : "[", row, row * row);
        bytes_print(&text, ",\"price\":%d.25,\"sold\":%s", row,
                    row % 2 ? "true" : "null");
        bytes_put(&text, row % 3 ? "}" : ",\"tags\":[\"new\",{\"a\":1.5e300}]}");
    }
    bytes_put(&text, "]");
    return text;
}

/* The smallest tokenizer.json with all bytes in it, and a merge. */
static bytes make_tokenizer(void)
{
    bytes text = {0};
    bytes_put(&text, "{\"added_tokens\":[],\"normalizer\":{\"type\":\"NFC\"},"
                     "\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":"
                     "false,\"use_regex\":true},\"model\":{\"type\":\"BPE\",\"vocab\":{");
    unsigned hidden = 0x100;
    for (unsigned byte = 0; byte < 256; byte++) {
        bool visible = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
        bytes_print(&text, "\"\\u%04x\":%u,", visible ? byte : hidden++, byte);
    }
    bytes_put(&text, "\"na\":256,\"name\":257,\"me\":258},"
                     "\"merges\":[\"n a\",\"m e\",\"na me\"]}}");
    return text;
}

static pith_vocab *read_tokenizer(void)
{
    bytes text = make_tokenizer();
    pith_vocab *vocab = pith_vocab_read(text.ptr, text.len, NULL, NULL);
    REQUIRE(vocab);
    bytes_free(&text);
    return vocab;
}

static typed_table *make_table(void)
{
    typed_table *table = table_new("t", NULL);
    REQUIRE(table);
    table_add_field(table, "id", PITH_TYPE_UINT, false);
    table_add_field(table, "word", PITH_TYPE_TEXT, true);
    for (int row = 0; row < ROWS; row++) {
        pith_doc_add_int64(table_row(table), row);
        pith_doc_add_text(table_row(table), "some, text", 10);
        REQUIRE(table_end_row(table, NULL) == PITH_OK);
    }
    REQUIRE(table_finish(table, NULL) == PITH_OK);
    return table;
}

/* ------------------------------------------------------- calls that share what is read */

/* The document in a format; where it cannot hold it, so it is refused every time. */
static void write_document(const shared *with, answer *to)
{
    pith_options options = with->options;
    options.write = to->settings;
    to->status = pith_value_write(pith_doc_root(with->doc), to->format, &options,
                                  pith_sink_buffer(&to->text), NULL);
}

static void write_table(const shared *with, answer *to)
{
    to->status = table_write(with->table, "soch", &with->options,
                             pith_sink_buffer(&to->text), NULL);
}

static void require_same_answer(const answer *now, const answer *alone)
{
    REQUIRE(now->status == alone->status);
    REQUIRE(now->text.len == alone->text.len);
    REQUIRE(now->status || !memcmp(now->text.data, alone->text.data, now->text.len));
}

static void repeat_answer(const shared *with, size_t index)
{
    const answer *alone = &with->answers[index];
    answer now = {alone->format, alone->settings, PITH_OK, {0}};
    write_document(with, &now);
    require_same_answer(&now, alone);
    pith_buffer_free(&now.text);
}

static void repeat_table(const shared *with)
{
    answer now = {0};
    write_table(with, &now);
    require_same_answer(&now, &with->table_answer);
    pith_buffer_free(&now.text);
    REQUIRE(table_find(with->table, "word") == 1);
    pith_text word = pith_value_text(table_get(with->table, ROWS - 1, "word"));
    REQUIRE(word.len == 10);
}

static void walk_document(const shared *with)
{
    pith_value rows = pith_doc_root(with->doc);
    int64_t expected = 0;
    for (pith_value row = pith_value_first(rows); row.doc; row = pith_value_next(row)) {
        int64_t id = -1;
        double price = 0;
        REQUIRE(pith_value_int64(pith_value_get(row, "id", 2), &id) && id == expected);
        REQUIRE(pith_value_double(pith_value_get(row, "price", 5), &price));
        REQUIRE(price == (double)id + 0.25);
        REQUIRE(pith_value_equal(row, row));
        expected++;
    }
    REQUIRE(expected == ROWS);
}

/* Counts, cuts into tokens and puts together again. */
static void use_vocab(const shared *with, size_t index)
{
    const pith_vocab *vocab = with->vocabs[index];
    const pith_tokens *alone = &with->ids[index];
    size_t count = 0;
    REQUIRE(pith_vocab_count(vocab, with->text.ptr, with->text.len, NULL, &count, NULL) ==
            PITH_OK);
    REQUIRE(count == alone->count);
    pith_tokens ids = {0};
    REQUIRE(pith_vocab_encode(vocab, with->text.ptr, with->text.len,
                              PITH_SPECIAL_IS_TOKEN, &ids, NULL) == PITH_OK);
    REQUIRE(ids.count == count && !memcmp(ids.ids, alone->ids, count * sizeof *ids.ids));
    pith_buffer out = {0};
    REQUIRE(pith_vocab_decode(vocab, ids.ids, ids.count, NULL, pith_sink_buffer(&out),
                              NULL) == PITH_OK);
    REQUIRE(out.len == with->text.len && !memcmp(out.data, with->text.ptr, out.len));
    pith_buffer_free(&out);
    pith_tokens_free(&ids);
}

/* A counter of one's own remembers pieces of the shared vocabulary. */
static void count_in_pieces(const shared *with, size_t index)
{
    pith_counter *counter = pith_counter_new(with->vocabs[index], NULL);
    REQUIRE(counter);
    for (size_t at = 0; at < with->text.len; at += 100) {
        size_t rest = with->text.len - at;
        REQUIRE(count_piece(counter, with->text.ptr + at, rest < 100 ? rest : 100) ==
                PITH_OK);
    }
    size_t count = 0;
    REQUIRE(pith_counter_total(counter, &count, NULL) == PITH_OK);
    REQUIRE(count == with->ids[index].count);
    pith_counter_free(counter);
}

/* As many rows as fit, counted with the shared vocabulary. */
static void fit_document(const shared *with)
{
    fitting fit = {0};
    fit.tokens_max = with->ids[0].count / 2;
    pith_buffer out = {0};
    REQUIRE(fit_value(pith_doc_root(with->doc), "toon", &fit, &with->options,
                      pith_sink_buffer(&out), NULL) == PITH_OK);
    REQUIRE(fit.rows > 0 && fit.tokens <= fit.tokens_max);
    pith_buffer_free(&out);
}

/* Handles of one's own: whatever they share must be constant. */
static void convert_alone(const shared *with)
{
    pith_buffer out = {0};
    REQUIRE(pith_convert("json", "pith", with->text.ptr, with->text.len, NULL,
                         pith_sink_buffer(&out), NULL) == PITH_OK);
    pith_doc *back = pith_doc_parse("pith", out.data, out.len, NULL, NULL);
    REQUIRE(back && pith_value_equal(pith_doc_root(back), pith_doc_root(with->doc)));
    pith_doc_free(back);
    pith_buffer_free(&out);
}

/* ---------------------------------------------------------------- alone, then at once */

static void note_answer(shared *with, const char *format, const char *settings)
{
    REQUIRE(with->answer_count < ANSWERS_MOST);
    answer *next = &with->answers[with->answer_count++];
    next->format = format;
    next->settings = settings;
    write_document(with, next);
}

static void note_answers(shared *with)
{
    const pith_format *format;
    for (size_t i = 0; (format = pith_format_at(i)) != NULL; i++) {
        if (format->direction & PITH_WRITE) {
            note_answer(with, format->name, NULL);
            note_answer(with, format->name, "guard=true verify=true");
        }
    }
    note_answer(with, "toon", "optimize=tokens");
    note_answer(with, "auto", NULL);
    size_t refused = 0;
    for (size_t i = 0; i < with->answer_count; i++)
        refused += with->answers[i].status != PITH_OK;
    REQUIRE(refused < with->answer_count / 2);
    write_table(with, &with->table_answer);
    REQUIRE(with->table_answer.status == PITH_OK);
}

static void note_tokens(shared *with)
{
    for (size_t i = 0; i < VOCABS; i++) {
        const char *name = pith_vocab_name_at(i);
        with->vocabs[i] =
            i + 1 < VOCABS ? pith_vocab_open(name, NULL, NULL) : read_tokenizer();
        REQUIRE(with->vocabs[i] && pith_vocab_describe(with->vocabs[i]).exact);
        REQUIRE(pith_vocab_encode(with->vocabs[i], with->text.ptr, with->text.len,
                                  PITH_SPECIAL_IS_TOKEN, &with->ids[i], NULL) == PITH_OK);
    }
    with->options.vocab = with->vocabs[0];
}

static void *work(void *argument)
{
    worker *self = (worker *)argument;
    shared *with = self->with;
    if (with->race)
        with->raced++;
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < VOCABS; i++) {
            use_vocab(with, (i + self->number) % VOCABS);
            count_in_pieces(with, (i + self->number) % VOCABS);
        }
        for (size_t i = 0; i < with->answer_count; i++)
            repeat_answer(with, (i + 5 * self->number) % with->answer_count);
        repeat_table(with);
        walk_document(with);
        fit_document(with);
        convert_alone(with);
    }
    return NULL;
}

static void run_threads(shared *with)
{
    worker workers[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        workers[i].with = with;
        workers[i].number = i;
        REQUIRE(!pthread_create(&workers[i].thread, NULL, work, &workers[i]));
    }
    for (size_t i = 0; i < THREADS; i++)
        REQUIRE(!pthread_join(workers[i].thread, NULL));
}

static void free_shared(shared *with)
{
    for (size_t i = 0; i < with->answer_count; i++)
        pith_buffer_free(&with->answers[i].text);
    pith_buffer_free(&with->table_answer.text);
    for (size_t i = 0; i < VOCABS; i++) {
        pith_tokens_free(&with->ids[i]);
        pith_vocab_free(with->vocabs[i]);
    }
    table_free(with->table);
    pith_doc_free(with->doc);
    bytes_free(&with->text);
}

/* The library is given more of a block than was ever filled. */
static void look_at_unset_memory(void)
{
    bytes text = {0};
    bytes_put(&text, "[");
    REQUIRE(text.cap > text.len + 1);
    pith_doc_free(pith_doc_parse("json", text.ptr, text.cap, NULL, NULL));
    bytes_free(&text);
}

int main(int argc, char **argv)
{
    shared with = {0};
    if (argc > 1 && strcmp(argv[1], "unset") == 0)
        look_at_unset_memory();
    with.race = argc > 1 && strcmp(argv[1], "race") == 0;
    with.text = make_rows();
    with.doc = pith_doc_parse("json", with.text.ptr, with.text.len, NULL, NULL);
    REQUIRE(with.doc);
    with.table = make_table();
    note_tokens(&with);
    note_answers(&with);
    run_threads(&with);
    printf("%d threads, %zu ways to write, the same each time\n", THREADS,
           with.answer_count);
    free_shared(&with);
    return 0;
}
