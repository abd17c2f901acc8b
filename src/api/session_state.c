/*
 * session_state.c - a session as a text, to go on later or elsewhere.
 *
 *     {"pith_session":3,"role":"writes","started":0,"used":60,"turn":2,"mark":471,
 *      "unsure":false,"symbols":[[1,"function","pkg.Auth","0.78","lsp"],...],
 *      "checksum":"<SHA-256 of everything before its key>"}
 *
 * in one line. A symbol has the turn that told it last, its kind, name, score and
 * provenance. What is restored is built beside the session it replaces: a file that was cut
 * off, changed, or is something else altogether changes nothing.
 */
#include "base/sha256.h"
#include "format/session.h"

#include "api/api.h"

#ifndef PITH_OMIT_GRAPHS

enum { STATE_VERSION = 3, STATE_SYMBOL = 5 };

static const char state_head[] = "{\"pith_session\":";
static const char state_check[] = ",\"checksum\":\"";
static const char state_tail[] = "\"}\n";
static const char *const state_roles[SESSION_ROLES] = {"fresh", "writes", "reads"};

enum {
    STATE_TAIL_LEN = sizeof state_tail - 1,
    STATE_END_LEN = sizeof state_check - 1 + SHA256_HEX + STATE_TAIL_LEN
};

/* The checksum and all around it, after a text. */
static void state_write_end(char to[STATE_END_LEN], const char *text, size_t len)
{
    unsigned char digest[SHA256_BYTES];
    sha256 hash;
    sha256_init(&hash);
    sha256_add(&hash, text, len);
    sha256_end(&hash, digest);
    memcpy(to, state_check, sizeof state_check - 1);
    sha256_hex(digest, to + sizeof state_check - 1);
    memcpy(to + STATE_END_LEN - STATE_TAIL_LEN, state_tail, STATE_TAIL_LEN);
}

/* ---------------------------------------------------------------------- saving */

static void state_add_key(pith_doc *doc, const char *key)
{
    pith_doc_add_key(doc, key, strlen(key));
}

static void state_add_number(pith_doc *doc, const char *key, uint64_t number)
{
    state_add_key(doc, key);
    pith_doc_add_uint64(doc, number);
}

static void state_add_symbol(pith_doc *doc, const pith_session *session, size_t i)
{
    graph_node node = graph_node_of(&session->known, (uint32_t)i);
    const pith_text texts[] = {node.kind, node.name, node.score, node.provenance};
    pith_doc_open_array(doc);
    pith_doc_add_uint64(doc, session->told.at[i]);
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++)
        pith_doc_add_text(doc, texts[n].ptr, texts[n].len);
    pith_doc_close(doc);
}

static pith_status state_build(const pith_session *session, pith_doc *doc,
                               pith_error *err)
{
    pith_doc_open_object(doc);
    state_add_number(doc, "pith_session", STATE_VERSION);
    state_add_key(doc, "role");
    pith_doc_add_text(doc, state_roles[session->role],
                      strlen(state_roles[session->role]));
    state_add_number(doc, "started", session->started);
    state_add_number(doc, "used", session->used);
    state_add_number(doc, "turn", session->turn);
    state_add_number(doc, "mark", session->mark);
    state_add_key(doc, "unsure");
    pith_doc_add_bool(doc, session->unsure);
    state_add_key(doc, "symbols");
    pith_doc_open_array(doc);
    for (size_t i = 0; i < session->known.symbols.count; i++)
        state_add_symbol(doc, session, i);
    pith_doc_close(doc);
    pith_doc_close(doc);
    return pith_doc_finish(doc, err);
}

pith_status pith_session_save(const pith_session *session, pith_sink sink,
                              pith_error *err)
{
    pith_options options = {.alloc = session->alloc};
    pith_buffer text = {.alloc = session->alloc};
    pith_doc *doc = pith_doc_new(&options);
    char end[STATE_END_LEN];
    pith_status status = doc ? state_build(session, doc, err) : error_no_memory(err);
    if (status == PITH_OK) {
        status = pith_value_write(pith_doc_root(doc), "json", &options,
                                  pith_sink_buffer(&text), err);
    }
    if (status == PITH_OK) {
        text.len--; /* the brace comes after the checksum */
        state_write_end(end, text.data, text.len);
        status = pith_sink_buffer(&text).write(&text, end, sizeof end) == PITH_OK
                     ? out_hand(sink, text.data, text.len, err)
                     : error_no_memory(err);
    }
    pith_doc_free(doc);
    pith_buffer_free(&text);
    return status;
}

/* ------------------------------------------------------------------- restoring */

/* Why a text is no state, as far as that can be seen without reading it; else NULL. */
static const char *state_complaint(pith_text text)
{
    char end[STATE_END_LEN];
    const size_t head = sizeof state_head - 1;
    size_t same = text.len < head ? text.len : head;
    if (text.len == 0)
        return "expected a saved session, found nothing in it";
    if (text_begins(text, "pithsess"))
        return "the session was saved by another version; start anew at both ends";
    if (memcmp(text.ptr, state_head, same) != 0)
        return "this is no saved session";
    if (text.len < head + STATE_END_LEN || !memchr(text.ptr, '\n', text.len))
        return "the saved session is cut off";
    state_write_end(end, text.ptr, text.len - STATE_END_LEN);
    return memcmp(end, text.ptr + text.len - STATE_END_LEN, STATE_END_LEN) != 0
               ? "the saved session was changed"
               : NULL;
}

/* The number of a member; false when there is none up to `most`. */
static bool state_number(pith_value object, const char *key, uint64_t most,
                         uint64_t *number)
{
    return pith_value_uint64(pith_value_get(object, key, strlen(key)), number) &&
           *number <= most;
}

static bool state_read_symbol(pith_session *fresh, pith_value row)
{
    uint64_t told;
    pith_value cell = pith_value_first(row);
    pith_text texts[STATE_SYMBOL - 1] = {{NULL, 0}};
    if (pith_value_count(row) != STATE_SYMBOL || !pith_value_uint64(cell, &told) ||
        told > fresh->turn)
        return false;
    for (size_t i = 0; i < STATE_SYMBOL - 1; i++) {
        cell = pith_value_next(cell);
        texts[i] = pith_value_text(cell);
    }
    graph_node node = {texts[0], texts[1], texts[2], texts[3], 0};
    uint32_t *kept = LIST_ADD(&fresh->told, &fresh->alloc);
    if (!kept) {
        error_no_memory(&fresh->known.fault);
        return false;
    }
    *kept = (uint32_t)told;
    return text_equal(node.kind, graph_expand_kind(node.kind)) && /* as it was saved */
           graph_add_symbol(&fresh->known, &node) == PITH_OK;
}

static bool state_read(pith_session *fresh, pith_value state)
{
    uint64_t turn = 0;
    uint64_t mark = 0;
    pith_text role = pith_value_text(pith_value_get(state, "role", 4));
    pith_value symbols = pith_value_get(state, "symbols", 7);
    pith_kind unsure = pith_value_kind(pith_value_get(state, "unsure", 6));
    size_t number = 0;
    while (number < SESSION_ROLES && !text_is(role, state_roles[number]))
        number++;
    if (number == SESSION_ROLES || (unsure != PITH_TRUE && unsure != PITH_FALSE) ||
        pith_value_kind(symbols) != PITH_ARRAY ||
        !state_number(state, "started", UINT64_MAX, &fresh->started) ||
        !state_number(state, "used", UINT64_MAX, &fresh->used) ||
        !state_number(state, "turn", UINT32_MAX, &turn) ||
        !state_number(state, "mark", UINT32_MAX, &mark))
        return false;
    fresh->role = (session_role)number;
    fresh->turn = (uint32_t)turn;
    fresh->mark = (uint32_t)mark;
    fresh->unsure = unsure == PITH_TRUE;
    fresh->begun = fresh->role != SESSION_FRESH;
    bool fine = true;
    for (pith_value row = pith_value_first(symbols); row.doc && fine;
         row = pith_value_next(row))
        fine = state_read_symbol(fresh, row);
    return fine;
}

pith_status pith_session_restore(pith_session *session, const void *data, size_t len,
                                 pith_error *err)
{
    uint64_t version = 0;
    pith_error local;
    pith_text text = text_of(len ? (const char *)data : "", len);
    pith_options options = {.alloc = session->alloc};
    const char *complaint = state_complaint(text);
    err = err ? err : &local;
    if (complaint)
        return error_set(err, PITH_BAD_INPUT, "bad_session", "%s", complaint);
    pith_doc *doc = pith_doc_parse("json", text.ptr, text.len, &options, err);
    if (!doc && err->status == PITH_NO_MEMORY)
        return err->status;
    pith_session fresh = {.alloc = session->alloc, .limits = session->limits};
    graph_init(&fresh.known, session->alloc);
    pith_value state = {NULL, 0, 0, 0};
    if (doc)
        state = pith_doc_root(doc);
    bool fine = state_number(state, "pith_session", UINT64_MAX, &version) &&
                version == STATE_VERSION && state_read(&fresh, state);
    pith_status status = PITH_OK;
    if (fine) {
        session_clear(session);
        *session = fresh;
    } else {
        status = fresh.known.fault.status == PITH_NO_MEMORY
                     ? error_no_memory(err)
                     : error_set(err, PITH_BAD_INPUT, "bad_session",
                                 version != STATE_VERSION
                                     ? "the session was saved by another version; start "
                                       "anew at both ends"
                                     : "the saved session contradicts itself");
        session_clear(&fresh);
    }
    pith_doc_free(doc);
    return status;
}

#endif
