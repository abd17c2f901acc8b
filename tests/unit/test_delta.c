/*
 * test_delta.c - roots, answers, and histories of them.
 *
 * The main test is a property: over random histories of 200 turns a consumer
 * that applies whatever it is answered holds exactly the producer's snapshot at
 * every turn; and when any one byte of a delta is changed it refuses, and still
 * holds the old one.
 */
#include "testing.h"

#include "base/text.h"

#include "bytes.h"
#include "random.h"

/* ----------------------------------------------------------------------
 * helpers */

/* A snapshot whose rows have this key. */
static pith_snapshot *keyed_by(const char *key)
{
    pith_policy policy = {.key = text_from(key)};
    pith_snapshot *snapshot = pith_snapshot_new(&policy, NULL, NULL);
    assert_non_null(snapshot);
    return snapshot;
}

typedef struct pair {
    pith_snapshot *producer;
    pith_snapshot *consumer;
} pair;

static pair pair_new(const pith_policy *policy)
{
    pith_error err;
    pair both = {pith_snapshot_new(policy, NULL, &err),
                 pith_snapshot_new(NULL, NULL, &err)};
    assert_non_null(both.producer);
    assert_non_null(both.consumer);
    return both;
}

static void pair_free(pair both)
{
    pith_snapshot_free(both.producer);
    pith_snapshot_free(both.consumer);
}

/* The answer to a consumer that wants to hold this value. */
static pith_delta_kind must_answer(pair both, pith_value value, pith_buffer *wire)
{
    pith_error err;
    pith_delta_kind answer = PITH_DELTA_FULL;
    pith_status status =
        pith_snapshot_write(both.producer, pith_snapshot_root(both.consumer), value,
                            pith_sink_buffer(wire), &answer, &err);
    if (status != PITH_OK)
        fail_msg("%s: %s", err.code, err.message);
    return answer;
}

static void must_apply(pith_snapshot *consumer, const pith_buffer *wire,
                       pith_delta_kind expected)
{
    pith_error err;
    pith_delta_kind answer = PITH_DELTA_FULL;
    pith_status status =
        pith_snapshot_apply(consumer, wire->data, wire->len, &answer, &err);
    if (status != PITH_OK) {
        show_bytes("answer", wire->data, wire->len);
        fail_msg("%s: %s", err.code, err.message);
    }
    assert_int_equal(answer, expected);
}

/* The row with that key in an array or map. */
static pith_value find_row(pith_value rows, const char *key, pith_value like)
{
    if (pith_value_kind(rows) == PITH_OBJECT) {
        pith_text name = pith_value_key(like);
        return pith_value_get(rows, name.ptr, name.len);
    }
    pith_value none = {NULL, 0, 0, 0};
    pith_text id = pith_value_text(pith_value_get(like, key, strlen(key)));
    for (pith_value row = pith_value_first(rows); row.doc; row = pith_value_next(row)) {
        pith_text other = pith_value_text(pith_value_get(row, key, strlen(key)));
        if (other.len == id.len && memcmp(other.ptr, id.ptr, id.len) == 0)
            return row;
    }
    return none;
}

static bool same_cell(pith_value a, pith_value b)
{
    double x = 0, y = 0;
    if (pith_value_double(a, &x) && pith_value_double(b, &y))
        return x <= y && y <= x;
    return pith_value_equal(a, b);
}

static bool same_row(pith_value a, pith_value b)
{
    if (!b.doc || pith_value_count(a) != pith_value_count(b))
        return false;
    for (pith_value cell = pith_value_first(a); cell.doc; cell = pith_value_next(cell)) {
        pith_text name = pith_value_key(cell);
        if (!same_cell(cell, pith_value_get(b, name.ptr, name.len)))
            return false;
    }
    return true;
}

/* The same rows with the same cells, nulls and gaps included, in any order. */
static bool same_set(pith_value a, pith_value b, const char *key)
{
    if (pith_value_kind(a) != pith_value_kind(b) ||
        pith_value_count(a) != pith_value_count(b))
        return false;
    for (pith_value row = pith_value_first(a); row.doc; row = pith_value_next(row))
        if (!same_row(row, find_row(b, key, row)))
            return false;
    return true;
}

/* -------------------------------------------------------------- random
 * histories */

enum { HISTORY_TURNS = 200, HISTORY_KEYS = 48 };

/* A row that is there or not, and what its cells hold. */
typedef struct model_row {
    bool there;
    uint8_t cell[4];
} model_row;

typedef struct model {
    model_row rows[HISTORY_KEYS];
    size_t width; /* fields beside the key */
    bool map;
    bool plain; /* only cells that have a single spelling */
} model;

static void add_cell(pith_doc *doc, uint8_t cell, bool plain)
{
    static const char *const texts[] = {
        "",    "a|b",   "true",        "-",    "~",     "12", "x, y", "\xc3\xa9t\xc3\xa9",
        " s ", "\"q\"", "line\nbreak", "\x1f", "[1]: z"};
    switch (cell % 6) {
    case 0:
        pith_doc_add_null(doc);
        break;
    case 1:
        pith_doc_add_bool(doc, cell & 32);
        break;
    case 2:
        pith_doc_add_int64(doc, (int64_t)cell * 1000003 - 90000000);
        break;
    case 3:
        if (plain)
            pith_doc_add_number(doc, LIT("2.75"));
        else
            pith_doc_add_double(doc, (double)cell * 1.5e21);
        break;
    default: {
        const char *text = texts[cell % (plain ? 6 : ROWS(texts))];
        pith_doc_add_text(doc, text, strlen(text));
    }
    }
}

static pith_doc *model_doc(const model *m)
{
    static const char *const names[] = {"age", "b c", "Z", "note"};
    pith_doc *doc = pith_doc_new(NULL);
    pith_error err;
    char key[32];
    if (m->map)
        pith_doc_open_object(doc);
    else
        pith_doc_open_array(doc);
    for (size_t i = 0; i < HISTORY_KEYS; i++) {
        if (!m->rows[i].there)
            continue;
        snprintf(key, sizeof key, i % 3 ? "%zu" : "k %zu", i);
        if (m->map)
            pith_doc_add_key(doc, key, strlen(key));
        pith_doc_open_object(doc);
        if (!m->map) {
            pith_doc_add_key(doc, LIT("id"));
            pith_doc_add_text(doc, key, strlen(key));
        }
        for (size_t f = 0; f < m->width; f++) {
            if (m->rows[i].cell[f] % 11 != 0) {
                pith_doc_add_key(doc, names[f], strlen(names[f]));
                add_cell(doc, m->rows[i].cell[f], m->plain);
            }
        }
        pith_doc_close(doc);
    }
    pith_doc_close(doc);
    assert_int_equal(pith_doc_finish(doc, &err), PITH_OK);
    return doc;
}

static void model_change(model *m, uint64_t *seed)
{
    for (size_t changes = random_below(seed, 4); changes > 0; changes--) {
        model_row *row = &m->rows[random_below(seed, HISTORY_KEYS)];
        row->there = random_below(seed, 5) != 0;
        row->cell[random_below(seed, 4)] = (uint8_t)random_next(seed);
    }
    if (random_below(seed, 40) == 0)
        m->width = 1 + random_below(seed, 4);
    /* A map must have a field, and in this model something to hold. */
    m->rows[0].there = true;
    m->rows[0].cell[0] = 2;
}

/* Changes one byte, which must then be refused, or, when `spelling` allows for
 * another spelling of the same, at least do no harm. */
static void try_damage(const pith_buffer *wire, size_t at, char byte, pith_value old,
                       pith_value now, const char *key, bool spelling)
{
    pith_error err;
    char *text = (char *)malloc(wire->len);
    assert_non_null(text);
    memcpy(text, wire->data, wire->len);
    text[at] = byte;
    pith_snapshot *consumer = keyed_by(key);
    assert_int_equal(pith_snapshot_set(consumer, old, &err), PITH_OK);
    pith_status status = pith_snapshot_apply(consumer, text, wire->len, NULL, &err);
    bool refused = status != PITH_OK && same_set(pith_snapshot_value(consumer), old, key);
    bool harmless = spelling && status == PITH_OK &&
                    same_set(pith_snapshot_value(consumer), now, key);
    if (!refused && !harmless) {
        show_bytes("damaged", text, wire->len);
        fail_msg("byte %zu changed to 0x%02X: %s", at, (unsigned char)byte,
                 status == PITH_OK ? "applied" : "refused, but not what was held");
    }
    pith_snapshot_free(consumer);
    free(text);
}

static void damage(const pith_buffer *wire, pith_value old, pith_value now,
                   const char *key, bool spelling, uint64_t *seed)
{
    static const char likely[] = " \n\r\t?@#|,\"-~^0129aE+[]{}=:.";
    for (int i = 0; i < 12; i++) {
        size_t at = random_below(seed, wire->len);
        char byte = random_below(seed, 2) ? likely[random_below(seed, sizeof likely - 1)]
                                          : (char)random_next(seed);
        if (byte != wire->data[at])
            try_damage(wire, at, byte, old, now, key, spelling);
    }
    /* The last one is the most likely to be thought of no account. */
    for (const char *c = likely; *c; c++)
        if (*c != '\n')
            try_damage(wire, wire->len - 1, *c, old, now, key, spelling);
}

static void run_history(uint64_t seed, bool map, bool plain, const pith_policy *policy)
{
    model m;
    size_t count[3] = {0, 0, 0};
    memset(&m, 0, sizeof m);
    m.width = 3;
    m.map = map;
    m.plain = plain;
    const char *key = map ? "key" : "id";
    pair both = pair_new(policy);
    pith_doc *old = NULL;
    for (size_t i = 0; i < HISTORY_KEYS; i++)
        m.rows[i].there = i % 4 != 3;
    for (int turn = 0; turn < HISTORY_TURNS; turn++) {
        model_change(&m, &seed);
        pith_doc *doc = model_doc(&m);
        pith_buffer wire = {0};
        pith_delta_kind answer = must_answer(both, pith_doc_root(doc), &wire);
        count[answer]++;
        if (answer == PITH_DELTA_CHANGES && turn % SLOWNESS == 0)
            damage(&wire, pith_doc_root(old), pith_doc_root(doc), key, !plain, &seed);
        must_apply(both.consumer, &wire, answer);
        assert_true(
            same_set(pith_snapshot_value(both.consumer), pith_doc_root(doc), key));
        assert_string_equal(pith_snapshot_root(both.consumer),
                            pith_snapshot_root(both.producer));
        pith_buffer_free(&wire);
        pith_doc_free(old);
        old = doc;
    }
    pith_doc_free(old);
    pair_free(both);
    for (size_t i = 0; i < 3; i++)
        assert_true(count[i] > 0); /* or the history says little */
}

static void test_histories(void **state)
{
    (void)state;
    static const pith_anchor anchors[] = {PITH_ANCHOR_TURNS, PITH_ANCHOR_SIZE,
                                          PITH_ANCHOR_NEVER};
    for (uint64_t i = 0; i < 12; i++) {
        pith_policy policy = {0};
        policy.key = text_from(i % 2 ? "key" : "id");
        policy.anchor = anchors[i % 3];
        policy.turns = 5 + (uint32_t)i;
        policy.guard_percent = i % 4 < 2 ? PITH_GUARD_OFF : 100;
        run_history(i * 7919 + 1, i % 2, i < 6, &policy);
    }
}

/* -------------------------------------------------------------------------
 * graphs */

enum { GRAPH_NAMES = 40, GRAPH_EDGES = 60 };

typedef struct graph_model {
    bool there[GRAPH_NAMES];
    unsigned score[GRAPH_NAMES];
    unsigned distance[GRAPH_NAMES];
    size_t source[GRAPH_EDGES];
    size_t target[GRAPH_EDGES];
    bool linked[GRAPH_EDGES];
} graph_model;

static void graph_change(graph_model *m, uint64_t *seed)
{
    for (size_t changes = random_below(seed, 4); changes > 0; changes--) {
        size_t i = random_below(seed, GRAPH_NAMES);
        m->there[i] = random_below(seed, 4) != 0;
        m->score[i] = (unsigned)random_below(seed, 100);
        m->distance[i] = (unsigned)random_below(seed, 5);
        size_t e = random_below(seed, GRAPH_EDGES);
        m->linked[e] = random_below(seed, 3) != 0;
        m->source[e] = random_below(seed, GRAPH_NAMES);
        m->target[e] = random_below(seed, GRAPH_NAMES);
    }
}

static bool is_second(const graph_model *m, size_t e)
{
    for (size_t i = 0; i < e; i++)
        if (m->linked[i] && m->source[i] == m->source[e] && m->target[i] == m->target[e])
            return true;
    return false;
}

static pith_doc *graph_doc(const graph_model *m)
{
    static char text[64 * 1024];
    size_t len = (size_t)snprintf(text, sizeof text, "{\"tool\":\"t\",\"symbols\":[");
    const char *comma = "";
    for (size_t i = 0; i < GRAPH_NAMES; i++) {
        if (m->there[i]) {
            len += (size_t)snprintf(text + len, sizeof text - len,
                                    "%s{\"qualified_name\":\"pkg.name%zu\",\"kind\":"
                                    "\"%s\",\"score\":0.%02u,"
                                    "\"provenance\":\"lsp\",\"distance\":%u}",
                                    comma, i, i % 3 ? "function" : "type", m->score[i],
                                    m->distance[i]);
            comma = ",";
        }
    }
    len += (size_t)snprintf(text + len, sizeof text - len, "],\"edges\":[");
    comma = "";
    for (size_t e = 0; e < GRAPH_EDGES; e++) {
        if (m->linked[e] && m->there[m->source[e]] && m->there[m->target[e]] &&
            !is_second(m, e)) {
            len += (size_t)snprintf(text + len, sizeof text - len,
                                    "%s{\"source\":\"pkg.name%zu\",\"target\":\"pkg."
                                    "name%zu\",\"edge_type\":"
                                    "\"calls\"}",
                                    comma, m->source[e], m->target[e]);
            comma = ",";
        }
    }
    snprintf(text + len, sizeof text - len, "]}");
    /* A copy: the text is used again for the next. */
    pith_error err;
    pith_doc *read = must_parse_json(text);
    pith_doc *doc = pith_doc_new(NULL);
    pith_doc_add_value(doc, pith_doc_root(read));
    assert_int_equal(pith_doc_finish(doc, &err), PITH_OK);
    pith_doc_free(read);
    return doc;
}

/* The same symbols and edges, in any order: that is what a root says. */
static bool same_graph(pith_value a, pith_value b)
{
    pith_root x, y;
    return pith_value_root(a, text_from(NULL), NULL, &x, NULL) == PITH_OK &&
           pith_value_root(b, text_from(NULL), NULL, &y, NULL) == PITH_OK &&
           strcmp(x.text, y.text) == 0;
}

/* One byte changed: refused, or, in what is only for information, harmless. */
static void damage_graph(const pith_buffer *wire, pith_value old, pith_value now,
                         uint64_t *seed)
{
    pith_error err;
    for (int i = 0; i < 20; i++) {
        size_t at = i == 0 ? wire->len - 1 : random_below(seed, wire->len);
        char *text = (char *)malloc(wire->len);
        assert_non_null(text);
        memcpy(text, wire->data, wire->len);
        text[at] = (char)(i == 0 ? ' ' : (int)random_next(seed));
        if (text[at] != wire->data[at]) {
            pith_snapshot *consumer = pith_snapshot_new(NULL, NULL, &err);
            assert_int_equal(pith_snapshot_set(consumer, old, &err), PITH_OK);
            pith_status status =
                pith_snapshot_apply(consumer, text, wire->len, NULL, &err);
            pith_value held = pith_snapshot_value(consumer);
            if (!same_graph(held, status == PITH_OK ? now : old) ||
                (i == 0 && status == PITH_OK)) {
                show_bytes("damaged", text, wire->len);
                fail_msg("byte %zu: status %d", at, (int)status);
            }
            pith_snapshot_free(consumer);
        }
        free(text);
    }
}

static void test_graph_histories(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 4; round++) {
        uint64_t seed = round * 104729 + 3;
        size_t count[3] = {0, 0, 0};
        graph_model m;
        pith_policy policy = {0};
        pith_doc *old = NULL;
        memset(&m, 0, sizeof m);
        for (size_t i = 0; i < GRAPH_NAMES; i++)
            m.there[i] = true;
        policy.anchor = round % 2 ? PITH_ANCHOR_SIZE : PITH_ANCHOR_TURNS;
        policy.guard_percent = round < 2 ? PITH_GUARD_OFF : 0;
        pair both = pair_new(&policy);
        for (int turn = 0; turn < HISTORY_TURNS; turn++) {
            graph_change(&m, &seed);
            pith_doc *doc = graph_doc(&m);
            pith_buffer wire = {0};
            pith_delta_kind answer = must_answer(both, pith_doc_root(doc), &wire);
            count[answer]++;
            if (answer == PITH_DELTA_CHANGES && turn % SLOWNESS == 0)
                damage_graph(&wire, pith_doc_root(old), pith_doc_root(doc), &seed);
            must_apply(both.consumer, &wire, answer);
            assert_true(
                same_graph(pith_snapshot_value(both.consumer), pith_doc_root(doc)));
            pith_buffer_free(&wire);
            pith_doc_free(old);
            old = doc;
        }
        for (size_t i = 0; i < 3; i++)
            assert_true(count[i] > 0);
        pith_doc_free(old);
        pair_free(both);
    }
}

/* Every byte of one delta, changed to every third of the others in turn. */
static void test_every_byte(void **state)
{
    (void)state;
    static const char old_text[] = "[{\"id\":1,\"n\":\"ann\"},{\"id\":2,\"n\":"
                                   "\"bob\"},{\"id\":3,\"n\":null}]";
    static const char new_text[] = "[{\"id\":1,\"n\":\"ann\"},{\"id\":2,\"n\":"
                                   "\"b|c\"},{\"id\":4,\"n\":2.5}]";
    pith_policy policy = {0};
    policy.key = text_from("id");
    policy.guard_percent = PITH_GUARD_OFF;
    pith_doc *old = must_parse_json(old_text);
    pith_doc *now = must_parse_json(new_text);
    pith_buffer wire = {0};
    pair both = pair_new(&policy);
    must_answer(both, pith_doc_root(old), &wire);
    must_apply(both.consumer, &wire, PITH_DELTA_FULL);
    wire.len = 0;
    assert_int_equal(must_answer(both, pith_doc_root(now), &wire), PITH_DELTA_CHANGES);
    for (size_t at = 0; at < wire.len; at++) {
        int step = 3 * SLOWNESS;
        for (int byte = (int)at % step; byte < 256; byte += step) {
            if ((char)byte != wire.data[at]) {
                try_damage(&wire, at, (char)byte, pith_doc_root(old), pith_doc_root(now),
                           "id", false);
            }
        }
    }
    pith_buffer_free(&wire);
    pith_doc_free(old);
    pith_doc_free(now);
    pair_free(both);
}

/* ---------------------------------------------------------------- what is
 * refused */

typedef struct refusal {
    const char *sections;
    const char *code;
} refusal;

static const refusal refusals[] = {
    {"## added [1]{@id,n}\n1|x\n", "added_exists"},
    {"## changed [1]{@id,n}\n9|x\n", "changed_missing"},
    {"## removed [1]{@id}\n9\n", "removed_missing"},
    {"## changed [1]{@id,n}\n1|x\n## removed [1]{@id}\n1\n", "changed_and_removed"},
    {"## added [2]{@id,n}\n7|x\n7|y\n", "duplicate_key"},
    {"## removed [2]{@id}\n1\n1\n", "duplicate_key"},
    {"## added [1]{@id,n}\n7|x\n## added [1]{@id,n}\n8|x\n", "duplicate_key"},
    {"## added [1]{@id,other}\n7|x\n", "schema_mismatch"},
    {"## added [1]{@id}\n7\n", "schema_mismatch"},
    {"## removed [1]{@id,n}\n1|ann\n", "malformed_delta"},
    {"## added [1]{id,n}\n7|x\n", "malformed_delta"},
    {"## swapped [1]{@id,n}\n7|x\n", "malformed_delta"},
    {"added=7\n", "malformed_delta"},
    {"## added [1:]{@id,n}\nk|x\n", "malformed_delta"},
    {"## [1]{@id,n}\n7|x\n", "malformed_delta"},
    {"## added [?]{@id,n}\n7|x\n", "malformed_delta"},
    {"## added [2]{@id,n}\n7|x\n", "count_mismatch"},
    {"## added [1]{@id,n}\n7|x\n8|y\n", "count_mismatch"},
    {"## added [1]{@id,n}\n7|^\n.n [0]\n", NULL},
    {"## added [1]{@id,n}\n@0 7|^\n.n [0]\n", "nested_value"},
    {"## added [1]{@id,n}\n-|x\n", NULL},
    {"## added [1]{@n,id}\nx|7\n", "invalid_key"},
    {"## changed [1]{@id,n}\n1|z\n", "root_mismatch"},
    {"", "root_mismatch"},
};

static void test_refusals(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("[{\"id\":1,\"n\":\"ann\"},{\"id\":2,\"n\":null}]");
    pith_error err;
    pith_root root;
    size_t failures = 0;
    assert_int_equal(
        pith_value_root(pith_doc_root(doc), text_from("id"), NULL, &root, &err), PITH_OK);
    for (size_t i = 0; i < ROWS(refusals); i++) {
        char wire[1024];
        pith_snapshot *consumer = keyed_by("id");
        assert_int_equal(pith_snapshot_set(consumer, pith_doc_root(doc), &err), PITH_OK);
        snprintf(wire, sizeof wire,
                 "GCF profile=generic delta=true base_root=%s new_root=sha256:%064d "
                 "key=id\n%s",
                 root.text, 0, refusals[i].sections);
        pith_status status =
            pith_snapshot_apply(consumer, wire, strlen(wire), NULL, &err);
        const char *code = refusals[i].code;
        if (status != PITH_BAD_INPUT || (code && strcmp(err.code, code) != 0) ||
            strcmp(pith_snapshot_root(consumer), root.text) != 0) {
            fprintf(stderr, "%s: found %s: %s\n", refusals[i].sections, err.code,
                    err.message);
            failures++;
        }
        pith_snapshot_free(consumer);
    }
    pith_doc_free(doc);
    assert_int_equal(failures, 0);
}

static const refusal first_lines[] = {
    {"GCF profile=generic delta=true base_root=%s new_root=%s\n", "malformed_delta"},
    {"GCF profile=generic delta=true base_root=%s key=id\n", "malformed_delta"},
    {"GCF profile=generic delta=true base_root=sha256:0 new_root=%s key=id\n",
     "base_mismatch"},
    {"GCF profile=generic delta=true base_root=%s new_root=%s key=n\n",
     "schema_mismatch"},
    {"GCF profile=generic delta=true unchanged=true base_root=%s new_root=%s "
     "key=n\n",
     "malformed_delta"},
    {"GCF profile=generic base_root=%s new_root=%s key=id\n", "malformed_delta"},
    {"GCF profile=generic delta=true base_root=%s new_root=%s key=id", "malformed_delta"},
    {"GCF profile=generic unchanged=true pack_root=sha256:0 count=1\n", "base_mismatch"},
    {"GCF profile=generic unchanged=true pack_root=%s count=2\n", "count_mismatch"},
    {"GCF profile=generic unchanged=true pack_root=%s count=1\na=1\n", "malformed_delta"},
    {"GCF profile=generic key=id\n## [1]{@id}\n1\n", "malformed_delta"},
    {"GCF profile=generic pack_root=sha256:0 key=id\n## [1]{@id}\n1\n", "root_mismatch"},
    {"GCF profile=generic pack_root=sha256:0 key=id\n=1\n", "not_a_set"},
    {"GCF profile=generic pack_root=sha256:0 key=k\n## [2:]{key,k}\na|1\nb|2\n",
     "key_taken"},
    {"GCF profile=generic pack_root=sha256:0 key=k\n## a\n  k=1\n## b\n  ## t [1]{@k,z}\n"
     "  1|2\n",
     "key_taken"},
    {"", "missing_header"},
};

static void test_first_lines(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("[{\"id\":1}]");
    pith_error err;
    pith_root root;
    size_t failures = 0;
    assert_int_equal(
        pith_value_root(pith_doc_root(doc), text_from("id"), NULL, &root, &err), PITH_OK);
    for (size_t i = 0; i < ROWS(first_lines); i++) {
        char wire[1024];
        pith_snapshot *consumer = keyed_by("id");
        pith_snapshot_set(consumer, pith_doc_root(doc), &err);
        size_t len = 0;
        for (const char *at = first_lines[i].sections; *at; at++) {
            if (*at == '%') {
                len += (size_t)snprintf(wire + len, sizeof wire - len, "%s", root.text);
                at++;
            } else {
                wire[len++] = *at;
            }
        }
        memset(&err, 0, sizeof err);
        pith_snapshot_apply(consumer, wire, len, NULL, &err);
        if (!err.code || strcmp(err.code, first_lines[i].code) != 0) {
            fprintf(stderr, "%sfound %s: %s\n", first_lines[i].sections,
                    err.code ? err.code : "nothing", err.message);
            failures++;
        }
        pith_snapshot_free(consumer);
    }
    pith_doc_free(doc);
    assert_int_equal(failures, 0);
}

/* The delta from one value to the next. */
static pith_buffer delta_between(const char *before, const char *after, const char *key)
{
    pith_policy policy = {.key = text_from(key), .guard_percent = PITH_GUARD_OFF};
    pith_doc *old = must_parse_json(before);
    pith_doc *now = must_parse_json(after);
    pair both = pair_new(&policy);
    pith_buffer wire = {0};
    must_answer(both, pith_doc_root(old), &wire);
    must_apply(both.consumer, &wire, PITH_DELTA_FULL);
    wire.len = 0;
    assert_int_equal(must_answer(both, pith_doc_root(now), &wire), PITH_DELTA_CHANGES);
    pair_free(both);
    pith_doc_free(old);
    pith_doc_free(now);
    return wire;
}

static void must_refuse(pith_snapshot *consumer, const pith_buffer *wire,
                        const char *code)
{
    pith_error err = {0};
    pith_root before;
    snprintf(before.text, sizeof before.text, "%s", pith_snapshot_root(consumer));
    assert_int_equal(pith_snapshot_apply(consumer, wire->data, wire->len, NULL, &err),
                     PITH_BAD_INPUT);
    assert_string_equal(err.code, code);
    assert_string_equal(pith_snapshot_root(consumer), before.text);
}

#define NODE(name, more)                                                                 \
    "{\"qualified_name\":\"" name "\",\"kind\":\"type\",\"score\":0.5,"                  \
    "\"provenance\":\"p\",\"distance\":0" more "}"
#define LINK "{\"source\":\"a\",\"target\":\"b\",\"edge_type\":\"t\"}"
#define GRAPH_A "{\"symbols\":[" NODE("a", "") "],\"edges\":[]}"
#define GRAPH_AB "{\"symbols\":[" NODE("a", "") "," NODE("b", "") "],\"edges\":[]}"

/* Rows do not change a graph, a graph does not change rows, and nothing is no base. */
static void test_wrong_base(void **state)
{
    (void)state;
    static const char rows_text[] = "[{\"id\":1}]";
    pith_buffer rows = delta_between(rows_text, "[{\"id\":2}]", "id");
    pith_buffer graph = delta_between(GRAPH_A, GRAPH_AB, NULL);
    const struct {
        const char *held; /* NULL for nothing */
        const char *key;
        const pith_buffer *wire;
    } all[] = {{NULL, NULL, &rows},
               {NULL, NULL, &graph},
               {GRAPH_A, NULL, &rows},
               {rows_text, "id", &graph}};
    for (size_t i = 0; i < ROWS(all); i++) {
        pith_snapshot *consumer = keyed_by(all[i].key);
        pith_doc *doc = must_parse_json(all[i].held ? all[i].held : "null");
        if (all[i].held) {
            assert_int_equal(pith_snapshot_set(consumer, pith_doc_root(doc), NULL),
                             PITH_OK);
        }
        must_refuse(consumer, all[i].wire, "base_mismatch");
        pith_snapshot_free(consumer);
        pith_doc_free(doc);
    }
    pith_buffer_free(&rows);
    pith_buffer_free(&graph);
}

/* The keys of a map are texts; the rows of a delta may have others. */
static void test_keys_of_a_map(void **state)
{
    (void)state;
    pith_doc *doc = must_parse_json("{\"a\":{\"x\":1},\"b\":{\"x\":2}}");
    pith_snapshot *consumer = keyed_by("k");
    assert_int_equal(pith_snapshot_set(consumer, pith_doc_root(doc), NULL), PITH_OK);
    char text[512];
    pith_buffer wire = {.data = text};
    wire.len = (size_t)snprintf(
        text, sizeof text,
        "GCF profile=generic delta=true base_root=%s new_root=sha256:%064d key=k\n"
        "## added [1]{@k,x}\n7|3\n",
        pith_snapshot_root(consumer), 0);
    must_refuse(consumer, &wire, "schema_mismatch");
    pith_snapshot_free(consumer);
    pith_doc_free(doc);
}

/* Every member of the one is there; a graph that was told has its root besides. */
static bool holds_all(pith_value held, pith_value told)
{
    for (pith_value v = pith_value_first(told); v.doc; v = pith_value_next(v)) {
        pith_text name = pith_value_key(v);
        if (!pith_value_equal(pith_value_get(held, name.ptr, name.len), v))
            return false;
    }
    return true;
}

/* What no delta can say is told whole: a graph after rows, places, an edge that is there
 * twice. */
static void test_told_whole(void **state)
{
    (void)state;
    static const char *const steps[][2] = {
        {"{\"rows\":{\"a\":{\"x\":1}}}", GRAPH_A},
        {GRAPH_A, "{\"rows\":{\"a\":{\"x\":1}}}"},
        {GRAPH_A, "{\"symbols\":[" NODE("a", ",\"file\":\"a.c\",\"line\":1,"
                                             "\"column\":2") "],\"edges\":[]}"},
        {GRAPH_AB, "{\"symbols\":[" NODE("a", "") "," NODE("b", "") "],\"edges\":[" LINK
                                                                    "," LINK "]}"},
    };
    for (size_t i = 0; i < ROWS(steps); i++) {
        pith_policy policy = {.guard_percent = PITH_GUARD_OFF};
        pair both = pair_new(&policy);
        for (size_t k = 0; k < 2; k++) {
            pith_doc *doc = must_parse_json(steps[i][k]);
            pith_buffer wire = {0};
            assert_int_equal(must_answer(both, pith_doc_root(doc), &wire),
                             PITH_DELTA_FULL);
            must_apply(both.consumer, &wire, PITH_DELTA_FULL);
            assert_true(
                holds_all(pith_snapshot_value(both.consumer), pith_doc_root(doc)));
            pith_buffer_free(&wire);
            pith_doc_free(doc);
        }
        pair_free(both);
    }
}

/* No value, and a graph that is nested deeper than it may be: nothing is held. */
static void test_nothing_to_hold(void **state)
{
    (void)state;
    pith_error err = {0};
    pith_value none = {0};
    pith_options shallow = {.depth_max = 2};
    pith_doc *doc = must_parse_json(GRAPH_A);
    pith_snapshot *producer = pith_snapshot_new(NULL, &shallow, &err);
    pith_snapshot *consumer = pith_snapshot_new(NULL, &shallow, &err);
    assert_int_equal(pith_snapshot_set(producer, none, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "no_value");
    assert_int_equal(pith_snapshot_set(consumer, none, &err), PITH_BAD_USE);
    assert_string_equal(err.code, "no_value");
    assert_int_equal(pith_snapshot_set(producer, pith_doc_root(doc), &err), PITH_LIMIT);
    assert_string_equal(err.code, "depth_limit");
    assert_string_equal(pith_snapshot_root(producer), "");
    assert_int_equal(pith_snapshot_set(consumer, pith_doc_root(doc), &err), PITH_LIMIT);
    assert_string_equal(err.code, "depth_limit");
    assert_string_equal(pith_snapshot_root(consumer), "");
    pith_snapshot_free(producer);
    pith_snapshot_free(consumer);
    pith_doc_free(doc);
}

typedef struct bad_set {
    const char *json;
    const char *key;
    const char *code;
} bad_set;

static const bad_set bad_sets[] = {
    {"7", "id", "not_a_set"},
    {"[1]", "id", "not_a_set"},
    {"{\"a\":1}", NULL, "not_a_set"},
    {"[{\"id\":1}]", NULL, "missing_key"},
    {"[{\"a\":1}]", "id", "missing_key"},
    {"[{\"id\":1},{\"a\":1}]", "id", "missing_key"},
    {"[{\"id\":null}]", "id", "missing_key"},
    {"[{\"id\":1},{\"id\":1.0}]", "id", "duplicate_key"},
    {"[{\"id\":1,\"a\":{}}]", "id", "nested_value"},
    {"[{\"id\":18446744073709551616}]", "id", "out_of_range"},
    {"[{\"id\":1,\"a\\tb\":1}]", "id", "invalid_field"},
    {"{\"a\":{\"k\":1},\"b\":{\"k\":2}}", "k", "key_taken"},
};

static void test_bad_sets(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(bad_sets); i++) {
        pith_doc *doc = must_parse_json(bad_sets[i].json);
        pith_error err = {0};
        pith_root root;
        pith_value_root(pith_doc_root(doc), text_from(bad_sets[i].key), NULL, &root,
                        &err);
        if (!err.code || strcmp(err.code, bad_sets[i].code) != 0) {
            fprintf(stderr, "%s: found %s: %s\n", bad_sets[i].json,
                    err.code ? err.code : "nothing", err.message);
            failures++;
        }
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

/* A map's keys are called key, or _key, and so on, for as long as that is reasonable. */
static void test_names_for_keys(void **state)
{
    (void)state;
    enum { MOST = 32 };
    bytes text = {0};
    bytes_put(&text, "{\"a\":{\"x\":1");
    for (size_t i = 0; i <= MOST; i++) {
        pith_error err = {0};
        pith_root root;
        bytes_put(&text, ",\"");
        bytes_repeat(&text, "_", i);
        bytes_put(&text, "key\":1");
        bytes whole = {0};
        bytes_add(&whole, text.ptr, text.len);
        bytes_put(&whole, "}}");
        pith_doc *doc = must_parse("json", whole.ptr, whole.len, NULL);
        pith_status status =
            pith_value_root(pith_doc_root(doc), text_from(NULL), NULL, &root, &err);
        assert_int_equal(status, i < MOST ? PITH_OK : PITH_UNREPRESENTABLE);
        assert_true(i < MOST || strcmp(err.code, "key_taken") == 0);
        pith_doc_free(doc);
        bytes_free(&whole);
    }
    bytes_free(&text);
}

/* Sets that have a root, but no place in the text of an answer. */
static const bad_set bad_answers[] = {
    {"[{\"the id\":1}]", "the id", "invalid_key"},
    {"[{\"\u00e9\":1}]", "\u00e9", "invalid_key"},
    {"[{\"id\":1,\"a>b\":1}]", "id", "invalid_field"},
    {"{\"a\":{},\"b\":{}}", "id", "no_fields"},
};

static void test_bad_answers(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t i = 0; i < ROWS(bad_answers); i++) {
        pith_policy policy = {.key = text_from(bad_answers[i].key)};
        pith_doc *doc = must_parse_json(bad_answers[i].json);
        pith_error err = {0};
        pith_snapshot *producer = pith_snapshot_new(&policy, NULL, &err);
        pith_buffer wire = {0};
        pith_delta_kind answer;
        assert_non_null(producer);
        pith_status status = pith_snapshot_write(producer, NULL, pith_doc_root(doc),
                                                 pith_sink_buffer(&wire), &answer, &err);
        if (status != PITH_UNREPRESENTABLE || wire.len > 0 ||
            strcmp(err.code, bad_answers[i].code) != 0) {
            fprintf(stderr, "%s: found %s: %s\n", bad_answers[i].json,
                    err.code ? err.code : "nothing", err.message);
            failures++;
        }
        pith_buffer_free(&wire);
        pith_snapshot_free(producer);
        pith_doc_free(doc);
    }
    assert_int_equal(failures, 0);
}

/* --------------------------------------------------------------------------
 * roots */

static pith_root root_of(const char *json, const char *key)
{
    pith_root root;
    pith_error err;
    pith_doc *doc = must_parse_json(json);
    assert_int_equal(
        pith_value_root(pith_doc_root(doc), text_from(key), NULL, &root, &err), PITH_OK);
    pith_doc_free(doc);
    return root;
}

static void test_roots(void **state)
{
    (void)state;
    pith_root a = root_of("[{\"id\":1,\"x\":1.50},{\"id\":2,\"x\":null}]", "id");
    pith_root b = root_of("{\"t\":[{\"id\":2},{\"x\":1.5,\"id\":1.0}]}", "id");
    pith_root c = root_of("[{\"id\":1,\"x\":\"1.5\"},{\"id\":2,\"x\":null}]", "id");
    assert_string_equal(a.text, b.text);
    assert_string_not_equal(a.text, c.text);
    /* A map is the table with its keys in a field. */
    pith_root d = root_of("{\"a\":{\"x\":1},\"b\":{\"x\":2}}", NULL);
    pith_root e = root_of("[{\"key\":\"b\",\"x\":2},{\"key\":\"a\",\"x\":1}]", "key");
    assert_string_equal(d.text, e.text);
    assert_string_equal(
        root_of("[]", "id").text,
        "sha256:"
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

/* -----------------------------------------------------------------------
 * protocol */

static void test_three_outcomes(void **state)
{
    (void)state;
    char text[4096];
    size_t len = (size_t)snprintf(text, sizeof text, "[");
    for (int i = 0; i < 40; i++) {
        len +=
            (size_t)snprintf(text + len, sizeof text - len,
                             "%s{\"id\":%d,\"name\":\"someone %d\"}", i ? "," : "", i, i);
    }
    snprintf(text + len, sizeof text - len, "]");
    pith_policy policy = {0};
    policy.key = text_from("id");
    pair both = pair_new(&policy);
    pith_doc *doc = must_parse_json(text);
    pith_buffer wire = {0};
    assert_int_equal(must_answer(both, pith_doc_root(doc), &wire), PITH_DELTA_FULL);
    must_apply(both.consumer, &wire, PITH_DELTA_FULL);
    size_t full = wire.len;
    wire.len = 0;
    assert_int_equal(must_answer(both, pith_doc_root(doc), &wire), PITH_DELTA_UNCHANGED);
    must_apply(both.consumer, &wire, PITH_DELTA_UNCHANGED);
    /* One row of forty is a delta of less than 60%. */
    *strstr(text, "someone 7") = 'S';
    pith_doc_free(doc);
    doc = must_parse_json(text);
    wire.len = 0;
    assert_int_equal(must_answer(both, pith_doc_root(doc), &wire), PITH_DELTA_CHANGES);
    assert_true(wire.len * 100 < full * 60);
    /* Someone who holds something else gets everything. */
    pith_error err;
    pith_delta_kind answer = PITH_DELTA_CHANGES;
    wire.len = 0;
    assert_int_equal(pith_snapshot_write(both.producer, "sha256:0", pith_doc_root(doc),
                                         pith_sink_buffer(&wire), &answer, &err),
                     PITH_OK);
    assert_int_equal(answer, PITH_DELTA_FULL);
    wire.len = 0;
    assert_int_equal(pith_snapshot_write(both.producer, NULL, pith_doc_root(doc),
                                         pith_sink_buffer(&wire), &answer, &err),
                     PITH_OK);
    assert_int_equal(answer, PITH_DELTA_FULL);
    must_apply(both.consumer, &wire, PITH_DELTA_FULL);
    pith_buffer_free(&wire);
    pith_doc_free(doc);
    pair_free(both);
}

static pith_status failing_write(void *ctx, const char *data, size_t len)
{
    (void)ctx;
    (void)data;
    (void)len;
    return PITH_IO;
}

/* A producer whose answer did not leave goes on as if it had not been asked. */
static void test_sink_fails(void **state)
{
    (void)state;
    pith_policy policy = {0};
    pith_sink broken = {failing_write, NULL};
    pith_error err;
    policy.key = text_from("id");
    pair both = pair_new(&policy);
    pith_doc *doc = must_parse_json("[{\"id\":1}]");
    assert_int_equal(
        pith_snapshot_write(both.producer, NULL, pith_doc_root(doc), broken, NULL, &err),
        PITH_IO);
    assert_string_equal(pith_snapshot_root(both.producer), "");
    pith_doc_free(doc);
    pair_free(both);
}

static void test_savings(void **state)
{
    (void)state;
    pith_policy policy = {0};
    policy.key = text_from("id");
    policy.guard_percent = PITH_GUARD_OFF;
    char text[8192];
    size_t len = (size_t)snprintf(text, sizeof text, "[{\"id\":-1,\"v\":7}");
    for (int i = 0; i < 200; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, ",{\"id\":%d,\"v\":1}", i);
    snprintf(text + len, sizeof text - len, "]");
    pith_vocab *vocab = pith_vocab_open("o200k_base", NULL, NULL);
    pith_options options = {.vocab = vocab};
    pair both = pair_new(&policy);
    pith_snapshot_free(both.producer);
    both.producer = pith_snapshot_new(&policy, &options, NULL);
    pith_buffer wire = {0};
    pith_doc *doc = must_parse_json(text);
    must_answer(both, pith_doc_root(doc), &wire);
    must_apply(both.consumer, &wire, PITH_DELTA_FULL);
    pith_doc_free(doc);
    *strchr(text, '7') = '8';
    doc = must_parse_json(text);
    wire.len = 0;
    assert_int_equal(must_answer(both, pith_doc_root(doc), &wire), PITH_DELTA_CHANGES);
    assert_non_null(strstr(wire.data, " key=id savings=8"));
    must_apply(both.consumer, &wire, PITH_DELTA_CHANGES);
    pith_buffer_free(&wire);
    pith_doc_free(doc);
    pair_free(both);
    pith_vocab_free(vocab);
}

/* ------------------------------------------------------------------ out of
 * memory */

/* An allocator whose allocation number `fail_at` fails; 0 for none. */
typedef struct scarce {
    size_t asked;
    size_t fail_at;
} scarce;

static void *scarce_resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    scarce *memory = (scarce *)ctx;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    memory->asked++;
    return memory->asked == memory->fail_at ? NULL : realloc(ptr, new_size);
}

/* A producer and a consumer over three turns; true when nothing failed. A
 * consumer that fails holds what it held. */
static bool run_scarcely(const char *const *turns, const char *key, scarce *memory)
{
    pith_options options = {0};
    pith_policy policy = {0};
    pith_error err = {0};
    bool fine = true;
    options.alloc.resize = scarce_resize;
    options.alloc.ctx = memory;
    policy.key = text_from(key);
    policy.guard_percent = PITH_GUARD_OFF;
    pith_snapshot *producer = pith_snapshot_new(&policy, &options, &err);
    pith_snapshot *consumer = producer ? pith_snapshot_new(NULL, &options, &err) : NULL;
    for (size_t i = 0; consumer && fine && i < 3; i++) {
        pith_buffer wire = {0};
        pith_root before;
        pith_doc *doc = must_parse_json(turns[i]);
        snprintf(before.text, sizeof before.text, "%s", pith_snapshot_root(consumer));
        pith_status status =
            pith_snapshot_write(producer, before.text, pith_doc_root(doc),
                                pith_sink_buffer(&wire), NULL, &err);
        if (status == PITH_OK) {
            status = pith_snapshot_apply(consumer, wire.data, wire.len, NULL, &err);
            assert_true(status == PITH_OK ||
                        strcmp(pith_snapshot_root(consumer), before.text) == 0);
        }
        assert_true(status == PITH_OK || status == PITH_NO_MEMORY);
        fine = status == PITH_OK;
        pith_buffer_free(&wire);
        pith_doc_free(doc);
    }
    fine = fine && consumer;
    pith_snapshot_free(consumer);
    pith_snapshot_free(producer);
    return fine;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    static const char *const tables[] = {
        "[{\"id\":1,\"n\":\"a\"},{\"id\":2},{\"id\":3,\"n\":1e300}]",
        "[{\"id\":1,\"n\":\"b\"},{\"id\":2},{\"id\":4,\"n\":null}]",
        "[{\"id\":1,\"other\":\"b\"}]",
    };
    static const char *const maps[] = {
        "{\"a\":{\"x\":1},\"b\":{\"x\":2}}",
        "{\"a\":{\"x\":1},\"b\":{\"x\":3}}",
        "{\"a\":{\"x\":1},\"b\":{\"x\":3}}",
    };
    static const char *const graphs[] = {
        "{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"type\",\"score\":0.5,"
        "\"provenance\":\"p\",\"distance\":0}],\"edges\":[]}",
        "{\"symbols\":[{\"qualified_name\":\"a\",\"kind\":\"type\",\"score\":0.5,"
        "\"provenance\":\"p\",\"distance\":0},{\"qualified_name\":\"b\",\"kind\":"
        "\"type\",\"score\":0.25,\"provenance\":\"p\",\"distance\":1}],\"edges\":"
        "[{"
        "\"source\":\"a\",\"target\":\"b\",\"edge_type\":\"calls\"}]}",
        "{\"symbols\":[],\"edges\":[]}",
    };
    static const struct {
        const char *const *turns;
        const char *key;
    } runs[] = {{tables, "id"}, {maps, NULL}, {graphs, NULL}};
    for (size_t i = 0; i < ROWS(runs); i++) {
        scarce memory = {0, 0};
        do {
            memory.asked = 0;
            memory.fail_at++;
        } while (!run_scarcely(runs[i].turns, runs[i].key, &memory) ||
                 memory.asked >= memory.fail_at);
        assert_true(memory.fail_at > 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_roots),           cmocka_unit_test(test_bad_sets),
        cmocka_unit_test(test_three_outcomes),  cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_first_lines),     cmocka_unit_test(test_sink_fails),
        cmocka_unit_test(test_savings),         cmocka_unit_test(test_every_byte),
        cmocka_unit_test(test_histories),       cmocka_unit_test(test_graph_histories),
        cmocka_unit_test(test_out_of_memory),   cmocka_unit_test(test_wrong_base),
        cmocka_unit_test(test_keys_of_a_map),   cmocka_unit_test(test_told_whole),
        cmocka_unit_test(test_nothing_to_hold), cmocka_unit_test(test_names_for_keys),
        cmocka_unit_test(test_bad_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
