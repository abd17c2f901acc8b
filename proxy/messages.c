/*
 * messages.c - see messages.h.
 *
 * Requests of the client are noted by their ids, so that answers can be told apart; those
 * of the server, notifications, errors, and all that is not understood pass.
 */
#define _POSIX_C_SOURCE 200809L

#include "messages.h"

#include "base/hash.h"

#include <string.h>
#include <time.h>

enum { AT_ID, AT_METHOD, AT_PARAMS, AT_RESULT, AT_ERROR, MESSAGE_MEMBERS };
static const char *const message_names[] = {"id", "method", "params", "result", "error"};

void messages_free(messages *all)
{
    calls_free(&all->pending);
    known_free(&all->tools);
    known_free(&all->tasks);
}

static void say_once(const messages *all, bool *said, const char *sentence)
{
    if (!*said)
        all->settings->note(all->settings->ctx, sentence);
    *said = true;
}

/* Calls `each` for the message of a line, or for each of an array of them. */
static void each_message(span line, void (*each)(void *ctx, span message), void *ctx)
{
    if (!span_is_array(line)) {
        each(ctx, line);
        return;
    }
    for (span_walk walk = span_walk_of(line); span_next(&walk);)
        each(ctx, walk.value);
}

/* --- what the client sends */

typedef struct sending {
    messages *all;
    uint64_t now;
} sending;

static uint64_t same_call(const messages *all, span name, span arguments)
{
    uint64_t seed = hash_text(all->seed, name.at, span_len(name));
    return hash_text(seed, arguments.at ? arguments.at : "", span_len(arguments));
}

static bool is_modern(span params)
{
    span meta = span_member(params, "_meta");
    return span_member(meta, "io.modelcontextprotocol/protocolVersion").at != NULL;
}

static void note_tool(messages *all, const span *found, const char *tool, span name,
                      uint64_t now)
{
    call *one = calls_add(&all->pending, found[AT_ID], tool);
    if (!one)
        return;
    one->kind = CALL_TOOL;
    one->how = policy_for(all->settings->policies, tool);
    one->same = same_call(all, name, span_member(found[AT_PARAMS], "arguments"));
    one->modern = is_modern(found[AT_PARAMS]);
    if (all->settings->timeout > 0)
        one->deadline = now + UINT64_C(1000) * all->settings->timeout;
    if (one->modern && one->how->delta)
        say_once(all, &all->said_no_delta,
                 "delta= is for sessions, and this client has none: results stay whole");
}

static void note_request(messages *all, const span *found, uint64_t now)
{
    char text[CALL_TEXT_MOST];
    span method = found[AT_METHOD], params = found[AT_PARAMS];
    if (span_is(method, "tools/call")) {
        span name = span_member(params, "name");
        if (span_decode(name, text, sizeof text)) {
            note_tool(all, found, text, name, now);
            return;
        }
    } else if (span_is(method, "tasks/result")) {
        span name = span_member(params, "taskId");
        known *task =
            span_decode(name, text, sizeof text) ? known_find(&all->tasks, text) : NULL;
        if (task) {
            note_tool(all, found, task->tool, name, now);
            return;
        }
    }
    call *one = calls_add(&all->pending, found[AT_ID], NULL);
    if (one && span_is(method, "tools/list"))
        one->kind = CALL_LIST;
}

/* The client waits no longer; whatever comes all the same passes as it is. */
static void note_cancelled(messages *all, span params)
{
    call gone;
    span id = span_member(params, "requestId");
    if (id.at && calls_take(&all->pending, id, &gone))
        call_free(&gone);
}

static void note_sent(void *ctx, span message)
{
    sending *with = ctx;
    span found[MESSAGE_MEMBERS];
    if (!span_members(message, message_names, MESSAGE_MEMBERS, found) ||
        !found[AT_METHOD].at)
        return;
    if (found[AT_ID].at)
        note_request(with->all, found, with->now);
    else if (span_is(found[AT_METHOD], "notifications/cancelled"))
        note_cancelled(with->all, found[AT_PARAMS]);
}

void messages_sent(messages *all, const bytes *line, uint64_t now)
{
    span whole;
    sending with = {all, now};
    if (span_parse(line->data, line->len, &whole))
        each_message(whole, note_sent, &with);
}

/* --- what the server sends */

/* An interface is made of what such a tool's result has in structuredContent. */
static bool has_interface(span tool)
{
    span meta = span_member(tool, "_meta");
    return span_member(meta, "ui").at || span_member(meta, "openai/outputTemplate").at;
}

static void note_listed(messages *all, answer *one, span tool)
{
    char name[CALL_TEXT_MOST];
    if (!span_is_object(tool) ||
        !span_decode(span_member(tool, "name"), name, sizeof name))
        return;
    known *listed = known_add(&all->tools, name);
    if (!listed)
        return;
    listed->ui = has_interface(tool);
    const policy *how = policy_for(all->settings->policies, name);
    if (!listed->ui && !how->off && how->how == STRUCTURED_TEXT &&
        span_member(tool, "outputSchema").at)
        edits_add(&one->edits, span_removal(tool, "outputSchema"), (bytes){NULL, 0, 0});
}

static void note_list(messages *all, answer *one, span result)
{
    span tools = span_member(result, "tools");
    if (!span_is_array(tools))
        return;
    for (span_walk walk = span_walk_of(tools); span_next(&walk);)
        note_listed(all, one, walk.value);
}

/* A call that became a task is answered later, under another id. */
static bool note_task(messages *all, const call *about, span result)
{
    char id[CALL_TEXT_MOST];
    span name = span_member(span_member(result, "task"), "taskId");
    if (!span_decode(name, id, sizeof id))
        return false;
    known *task = known_add(&all->tasks, id);
    if (task && !task->tool)
        task->tool = strdup(about->tool);
    return true;
}

/* A tool that was never listed may have an interface. */
static bool structure_stays(messages *all, const call *about)
{
    const known *tool = known_find(&all->tools, about->tool);
    bool stays = !tool || tool->ui;
    if (stays && about->how->budget > 0)
        say_once(all, &all->said_no_budget,
                 "a budget does not apply to tools whose structuredContent has to stay");
    return stays;
}

typedef struct receiving {
    messages *all;
    answer *one;
    bool batch;
    bool failed;
} receiving;

static void add_target(receiving *with, span result, call about)
{
    answer *one = with->one;
    struct target *grown = realloc(one->targets, (one->count + 1) * sizeof *one->targets);
    if (!grown) {
        with->failed = true;
        call_free(&about);
        return;
    }
    one->targets = grown;
    grown[one->count++] =
        (struct target){.result = result,
                        .about = about,
                        .structure_stays = structure_stays(with->all, &about)};
}

static void note_received(void *ctx, span message)
{
    receiving *with = ctx;
    span found[MESSAGE_MEMBERS];
    call about;
    if (!span_members(message, message_names, MESSAGE_MEMBERS, found) ||
        found[AT_METHOD].at || !found[AT_ID].at ||
        !calls_take(&with->all->pending, found[AT_ID], &about))
        return;
    if (about.answered) {
        with->one->dropped = !with->batch; /* others may be in it */
    } else if (about.kind == CALL_LIST && span_is_object(found[AT_RESULT])) {
        note_list(with->all, with->one, found[AT_RESULT]);
    } else if (about.kind == CALL_TOOL && span_is_object(found[AT_RESULT]) &&
               !found[AT_ERROR].at && !note_task(with->all, &about, found[AT_RESULT])) {
        add_target(with, found[AT_RESULT], about);
        return;
    }
    call_free(&about);
}

/* Whether something is to be done; else it passes as it is. */
static bool has_work(const answer *one)
{
    return one->count > 0 || one->edits.count > 0 || one->dropped;
}

answer *messages_received(messages *all, bytes *line)
{
    span whole;
    receiving with = {.all = all, .one = calloc(1, sizeof(answer))};
    if (!with.one)
        return NULL;
    if (!span_parse(line->data, line->len, &whole)) {
        if (all->settings->verbose)
            say_once(all, &all->said_not_json,
                     "a line of the server is not JSON; it is passed on");
    } else {
        with.batch = span_is_array(whole);
        each_message(whole, note_received, &with);
    }
    if (with.failed || !has_work(with.one)) {
        answer_free(with.one);
        return NULL;
    }
    with.one->line = *line;
    *line = (bytes){NULL, 0, 0};
    return with.one;
}

/* --- an answer */

bool answer_can_wait(const answer *one)
{
    for (size_t i = 0; i < one->count; i++)
        if (one->targets[i].about.how->delta)
            return false;
    return true;
}

static uint64_t microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void answer_rewrite(answer *one)
{
    for (size_t i = 0; i < one->count; i++) {
        struct target *target = &one->targets[i];
        rewrite_call about = {.how = target->about.how,
                              .structure_stays = target->structure_stays,
                              .changes = !target->about.modern,
                              .same = target->about.same};
        uint64_t begin = microseconds();
        rewrite_result(one->with, &about, target->result, &one->edits, &target->record);
        target->record.microseconds = microseconds() - begin;
        target->record.bytes_before = one->line.len;
        target->record.bytes_after = one->line.len;
    }
    span line = {one->line.data, one->line.data + one->line.len};
    if (one->edits.count == 0)
        return;
    bool done = splice(line, &one->edits, &one->changed);
    if (!done)
        bytes_free(&one->changed);
    for (size_t i = 0; i < one->count; i++) {
        call_record *record = &one->targets[i].record;
        if (done)
            record->bytes_after = one->changed.len;
        else
            *record = (call_record){.outcome = "no_memory",
                                    .before = record->before,
                                    .after = record->before,
                                    .bytes_before = one->line.len,
                                    .bytes_after = one->line.len};
    }
}

bytes answer_bytes(answer *one)
{
    bytes none = {NULL, 0, 0};
    bytes *from = one->changed.data ? &one->changed : &one->line;
    bytes sent = one->dropped ? none : *from;
    if (!one->dropped)
        *from = none;
    return sent;
}

void answer_free(answer *one)
{
    for (size_t i = 0; i < one->count; i++)
        call_free(&one->targets[i].about);
    free(one->targets);
    edits_free(&one->edits);
    bytes_free(&one->line);
    bytes_free(&one->changed);
    free(one);
}
