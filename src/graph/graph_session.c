/*
 * graph_session.c - sessions: limits, turns, and the line that says which turn it is.
 */
#include "graph/graph_session.h"

#include "base/print.h"
#include "base/sha256.h"
#include "graph/graph_delta.h"

#include <limits.h>

#ifndef PITH_OMIT_GRAPHS

enum { SESSION_IDLE = 1800, SESSION_LIFE = 86400, SESSION_IDS = 100000 };

/* ------------------------------------------------------------------- the basics */

pith_session *pith_session_new(const pith_session_limits *limits,
                               const pith_options *options)
{
    pith_alloc alloc = alloc_from(options);
    pith_session *session = (pith_session *)alloc_zeroed(&alloc, sizeof *session);
    if (!session)
        return NULL;
    session->alloc = alloc;
    graph_init(&session->known, alloc);
    if (limits)
        session->limits = *limits;
    pith_session_limits *own = &session->limits;
    own->idle_max = own->idle_max ? own->idle_max : (uint64_t)SESSION_IDLE;
    own->life_max = own->life_max ? own->life_max : (uint64_t)SESSION_LIFE;
    own->ids_max = own->ids_max ? own->ids_max : (size_t)SESSION_IDS;
    return session;
}

void session_clear(pith_session *session)
{
    graph_free(&session->known);
    LIST_FREE(&session->told, &session->alloc);
}

void pith_session_free(pith_session *session)
{
    if (!session)
        return;
    pith_alloc alloc = session->alloc;
    session_clear(session);
    alloc_free(&alloc, session, sizeof *session);
}

void session_reset(pith_session *session)
{
    graph_reset(&session->known);
    session->told.count = 0;
    session->role = SESSION_FRESH;
    session->begun = false;
    session->turn = 0;
    session->started = 0;
    session->used = 0;
    session->mark = 0;
    session->unsure = false;
}

void pith_session_lost(pith_session *session)
{
    if (!session->begun) {
        session->turn = 1; /* what started anew was lost: it must once more */
        return;
    }
    session->unsure = true;
    for (size_t i = 0; i < session->known.symbols.count; i++)
        if (session->told.at[i] == session->turn)
            session->told.at[i] = 0;
}

bool session_is_over(const pith_session *session, uint64_t now)
{
    if (!session->begun)
        return session->turn > 0;
    /* A clock that was set back has not made anything older. */
    uint64_t idle = now > session->used ? now - session->used : 0;
    uint64_t life = now > session->started ? now - session->started : 0;
    return idle > session->limits.idle_max || life > session->limits.life_max ||
           session->turn == UINT32_MAX;
}

/* Numbers as they are hashed. */
static void session_number(char to[4], uint32_t number)
{
    for (size_t i = 0; i < 4; i++)
        to[i] = (char)(unsigned char)(number >> (8 * i));
}

/* ------------------------------------------------------------------------ turns */

static bool session_same(const code_graph *graph, const graph_node *node,
                         const graph_symbol *known)
{
    char left[GRAPH_SCORE_MAX_LEN];
    char right[GRAPH_SCORE_MAX_LEN];
    if (!text_equal(node->provenance, graph->words.at[known->provenance].text))
        return false;
    if (text_equal(node->score, graph_score(known)))
        return true;
    /* Only two decimals travel. */
    size_t len = graph_write_score(left, node->score);
    return len == graph_write_score(right, graph_score(known)) &&
           memcmp(left, right, len) == 0;
}

/* What the session is to know of a symbol that it knows already. */
static bool session_update(pith_session *session, const graph_node *node, uint32_t id,
                           graph_symbol *value)
{
    code_graph *known = &session->known;
    *value = known->symbols.at[id];
    const char *score = arena_copy(&known->arena, node->score.ptr, node->score.len);
    value->provenance = graph_need_word(known, node->provenance);
    if (!score || value->provenance == GRAPH_NONE)
        return false;
    value->score = score;
    value->score_len = (uint32_t)node->score.len;
    return true;
}

static bool session_place_symbol(pith_session *session, const code_graph *graph,
                                 uint32_t at, session_turn *turn)
{
    code_graph *known = &session->known;
    graph_node node = graph_node_of(graph, at);
    node.distance = 0;
    uint32_t id = graph_find(known, node.kind, node.name);
    turn->bare[at] = 0;
    if (id == GRAPH_NONE) {
        turn->ids[at] = (uint32_t)known->symbols.count;
        if (graph_add_symbol(known, &node) != PITH_OK)
            return false;
        turn->values[at] = known->symbols.at[turn->ids[at]];
        return true;
    }
    turn->ids[at] = id;
    if (session->told.at[id] != 0 && session_same(known, &node, &known->symbols.at[id])) {
        turn->bare[at] = 1;
        turn->values[at] = known->symbols.at[id];
        return true;
    }
    return session_update(session, &node, id, &turn->values[at]);
}

/* A hash of the turns before and of the symbols of this one, as they travel. */
static uint32_t session_mark(uint32_t before, const code_graph *graph,
                             const uint32_t *order, const session_turn *turn)
{
    unsigned char digest[SHA256_BYTES];
    char score[GRAPH_SCORE_MAX_LEN];
    char number[4];
    sha256 hash;
    sha256_init(&hash);
    session_number(number, before);
    sha256_add(&hash, number, sizeof number);
    for (size_t i = 0; i < turn->count; i++) {
        uint32_t at = order ? order[i] : (uint32_t)i;
        graph_node node = graph_node_of(graph, at);
        session_number(number, turn->ids[at]);
        sha256_add(&hash, number, sizeof number);
        sha256_add(&hash, score, graph_write_score(score, node.score));
        const pith_text texts[] = {node.kind, node.name, node.provenance};
        for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
            sha256_add(&hash, "\n", 1);
            sha256_add(&hash, texts[n].ptr, texts[n].len);
        }
    }
    sha256_end(&hash, digest);
    return (uint32_t)digest[3] << 24 | (uint32_t)digest[2] << 16 |
           (uint32_t)digest[1] << 8 | digest[0];
}

bool session_prepare(pith_session *session, const code_graph *graph,
                     const uint32_t *order, bool anew, session_turn *turn)
{
    const pith_alloc *alloc = &session->alloc;
    size_t room = graph->symbols.count + 1;
    memset(turn, 0, sizeof *turn);
    turn->before = session->known.symbols.count;
    turn->count = graph->symbols.count;
    turn->ids = (uint32_t *)alloc_resize(alloc, NULL, 0, room * sizeof *turn->ids);
    turn->bare = (uint8_t *)alloc_resize(alloc, NULL, 0, room);
    turn->values =
        (graph_symbol *)alloc_resize(alloc, NULL, 0, room * sizeof *turn->values);
    bool fine = turn->ids && turn->bare && turn->values;
    for (size_t i = 0; fine && i < graph->symbols.count; i++)
        fine = session_place_symbol(session, graph, order ? order[i] : (uint32_t)i, turn);
    fine = fine && LIST_RESERVE(&session->told, alloc,
                                session->known.symbols.count - session->told.count);
    if (fine)
        turn->mark = session_mark(anew ? 0 : session->mark, graph, order, turn);
    return fine;
}

bool session_in_step(const pith_session *session, const session_turn *turn,
                     const uint32_t *order)
{
    size_t next = turn->before;
    while (next > 0 && session->told.at[next - 1] == 0)
        next--;
    if (next == turn->before)
        return true;
    for (size_t i = 0; i < turn->count; i++) {
        uint32_t id = turn->ids[order[i]];
        if (id > next)
            return false;
        next += id == next;
    }
    return true;
}

static void session_turn_free(pith_session *session, session_turn *turn)
{
    const pith_alloc *alloc = &session->alloc;
    size_t room = turn->count + 1;
    alloc_free(alloc, turn->ids, room * sizeof *turn->ids);
    alloc_free(alloc, turn->bare, room);
    alloc_free(alloc, turn->values, room * sizeof *turn->values);
    memset(turn, 0, sizeof *turn);
}

void session_commit(pith_session *session, session_turn *turn, session_role role,
                    uint64_t now)
{
    session->turn++;
    session->role = role;
    session->started = session->begun ? session->started : now;
    session->used = now;
    session->begun = true;
    session->mark = turn->mark;
    session->told.count = session->known.symbols.count;
    for (size_t i = 0; i < turn->count; i++) {
        uint32_t id = turn->ids[i];
        if (!turn->bare[i]) {
            session->known.symbols.at[id] = turn->values[i];
            session->told.at[id] = session->turn;
        }
    }
    session_turn_free(session, turn);
}

void session_forget(pith_session *session, session_turn *turn)
{
    graph_truncate(&session->known, turn->before);
    session->known.fault.status = PITH_OK;
    session_turn_free(session, turn);
}

/* ------------------------------------------------------------ which turn it is */

static const char session_turn_word[] = "# turn ";
static const char session_after_word[] = " after ";

void session_turn_line(const pith_session *session, char line[SESSION_LINE_MAX])
{
    unsigned long turn = (unsigned long)(session->begun ? session->turn : 0) + 1;
    if (turn == 1 || session->unsure) {
        print_into(line, SESSION_LINE_MAX, "%s%lu", session_turn_word, turn);
    } else {
        print_into(line, SESSION_LINE_MAX, "%s%lu%s%08lx", session_turn_word, turn,
                   session_after_word, (unsigned long)session->mark);
    }
}

/* Takes `word` off the front of the text. */
static bool session_skip(pith_text *text, const char *word)
{
    bool begins = text_begins(*text, word);
    *text = text_after(*text, begins ? strlen(word) : 0);
    return begins;
}

/* Eight digits of hexadecimal, and nothing after them. */
static bool session_read_mark(pith_text digits, uint32_t *mark)
{
    static const char hexadecimal[] = "0123456789abcdef";
    *mark = 0;
    for (size_t i = 0; i < digits.len && digits.len == 8; i++) {
        const char *digit =
            digits.ptr[i] != '\0' ? strchr(hexadecimal, digits.ptr[i]) : NULL;
        if (!digit)
            return false;
        *mark = *mark << 4 | (uint32_t)(digit - hexadecimal);
    }
    return digits.len == 8;
}

/* What such a line says; false for any other comment. */
static bool session_read_line(pith_text line, session_place *place)
{
    memset(place, 0, sizeof *place);
    pith_text rest = line;
    if (!session_skip(&rest, session_turn_word))
        return false;
    uint64_t number = 0;
    while (rest.len > 0 && *rest.ptr >= '0' && *rest.ptr <= '9' && number < UINT32_MAX) {
        number = number * 10 + (uint64_t)(*rest.ptr - '0');
        rest = text_of(rest.ptr + 1, rest.len - 1);
    }
    place->follows = session_skip(&rest, session_after_word);
    if (number == 0 || number >= UINT32_MAX ||
        (place->follows ? !session_read_mark(rest, &place->mark) : rest.len > 0))
        return false;
    place->number = number;
    return true;
}

/* Reports why the turn cannot come next. */
static bool session_refuse(const pith_session *session, const session_place *place,
                           size_t offset, reporter *report)
{
    static const char code[] = "out_of_turn";
    static const char anew[] = "else start anew at both ends";
    unsigned long number = (unsigned long)place->number;
    unsigned long last = session->begun ? session->turn : 0;
    if (last == 0) {
        report_bad(report, code, offset,
                   "this is turn %lu of a session, and no turn of it was "
                   "read here: read the earlier ones first, %s",
                   number, anew);
    } else if (number <= last) {
        report_bad(report, code, offset,
                   "this is turn %lu of a session, and turn %lu was read "
                   "already: read each once and in order, %s",
                   number, last, anew);
    } else if (number > last + 1) {
        report_bad(report, code, offset,
                   "this is turn %lu of a session, and turn %lu was the last "
                   "to be read: read those between first, %s",
                   number, last, anew);
    } else {
        report_bad(report, code, offset,
                   "this turn %lu does not follow the turn %lu that was read: "
                   "they come from two sessions; read the right one, %s",
                   number, last, anew);
    }
    return false;
}

bool session_take_line(const pith_session *session, pith_text line, session_place *place,
                       reporter *report)
{
    unsigned long last = session->begun ? session->turn : 0;
    if (!session_read_line(line, place) ||
        (place->follows ? session->begun && place->mark == session->mark
                        : place->number > last))
        return true;
    return session_refuse(session, place, (size_t)(line.ptr - report->input.ptr), report);
}

bool session_check_id(const pith_session *session, const graph_node *node, uint64_t id,
                      size_t *new_ids, uint64_t *expected, const char **why)
{
    const code_graph *known = &session->known;
    uint32_t old = graph_find(known, node->kind, node->name);
    bool is_new = old == GRAPH_NONE;
    *expected = is_new ? known->symbols.count + *new_ids : old;
    *why = is_new ? "the next new id of this session"
                  : "the id the symbol has in this session";
    *new_ids += is_new && id == *expected;
    return id == *expected;
}

#else

pith_session *pith_session_new(const pith_session_limits *limits,
                               const pith_options *options)
{
    (void)limits, (void)options;
    return NULL;
}

void pith_session_free(pith_session *session)
{
    (void)session;
}

void pith_session_lost(pith_session *session)
{
    (void)session;
}

#endif
