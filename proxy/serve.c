/*
 * serve.c - see serve.h.
 *
 * Two eras of the protocol are spoken. In the first a connection begins with `initialize`;
 * in the second every request says in its _meta which version it is of. A request tells by
 * that which it belongs to.
 */
#define _POSIX_C_SOURCE 200809L

#include "serve.h"

#include "calls.h"
#include "lines.h"
#include "loop.h"
#include "splice.h"
#include "worker.h"

#include "base/error.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define MODERN "2026-07-28"
#define LEGACY_NEWEST "2025-11-25"
#define META "io.modelcontextprotocol/"

static const char *const legacy_versions[] = {"2024-11-05", "2025-03-26", "2025-06-18",
                                              LEGACY_NEWEST};

enum {
    REQUEST_MOST = 16 << 20, /* bytes of a line */
    CALLS_WAITING_MOST = 100,
    TOOLS_TTL_MS = 3600000
};

/* The numbers of JSON-RPC, and one of the protocol's. */
enum {
    BAD_JSON = -32700,
    BAD_REQUEST = -32600,
    NO_METHOD = -32601,
    BAD_PARAMS = -32602,
    FAILED = -32603,
    BAD_VERSION = -32022
};

typedef struct server {
    const mcp_service *service;
    struct event_base *base;
    line_reader from;
    line_writer to;
    worker *worker;
    struct event *signals[3];
    mcp_call *calls; /* that were not answered */
    size_t call_count;
    bool ended; /* there will be no more requests */
    int problem;
} server;

struct mcp_call {
    work work;
    server *of;
    const mcp_tool *tool;
    bytes line; /* the request, in which spans lie */
    span id, arguments;
    bool modern;
    atomic_bool stopped;
    pith_buffer text;
    pith_status status;
    pith_error err;
    mcp_call *next;
};

bool mcp_call_stopped(const mcp_call *one)
{
    return atomic_load(&one->stopped);
}

/* --- answers */

typedef struct request {
    span id, params;
    bool modern;
    bool batched; /* in an array of them */
} request;

static void fail(server *s)
{
    s->problem = ENOMEM;
    event_base_loopbreak(s->base);
}

/* Sends a line: the id, and the bytes that come after it. */
static void send_line(server *s, span id, const char *kind, const bytes *body)
{
    bytes line = {0};
    bool fits =
        bytes_text(&line, "{\"jsonrpc\":\"2.0\",\"id\":") &&
        (id.at ? bytes_add(&line, id.at, span_len(id)) : bytes_text(&line, "null")) &&
        bytes_text(&line, ",\"") && bytes_text(&line, kind) && bytes_text(&line, "\":") &&
        bytes_add(&line, body->data, body->len) && bytes_text(&line, "}\n") &&
        line_writer_take(&s->to, line);
    if (!fits)
        fail(s);
}

/* Sends a result: the members of an object. Those of the modern era say that it is whole. */
static void send_result(server *s, span id, bool modern, bytes *members)
{
    bytes body = {0};
    const char *type = !modern            ? ""
                       : members->len > 0 ? "\"resultType\":\"complete\","
                                          : "\"resultType\":\"complete\"";
    if (bytes_text(&body, "{") && bytes_text(&body, type) &&
        bytes_add(&body, members->data, members->len) && bytes_text(&body, "}"))
        send_line(s, id, "result", &body);
    else
        fail(s);
    bytes_free(&body);
    bytes_free(members);
}

static void send_error(server *s, span id, int number, const char *message,
                       const char *data)
{
    char code[32];
    bytes body = {0};
    snprintf(code, sizeof code, "{\"code\":%d,\"message\":", number);
    if (bytes_text(&body, code) && bytes_literal(&body, message, strlen(message)) &&
        bytes_text(&body, data) && bytes_text(&body, "}"))
        send_line(s, id, "error", &body);
    else
        fail(s);
    bytes_free(&body);
}

/* --- methods */

static bool add_member(bytes *to, const char *name, const char *text)
{
    return bytes_text(to, "\"") && bytes_text(to, name) && bytes_text(to, "\":") &&
           bytes_literal(to, text, strlen(text));
}

static bool add_server_info(const server *s, bytes *to)
{
    return bytes_text(to, "{") && add_member(to, "name", s->service->name) &&
           bytes_text(to, ",") && add_member(to, "version", pith_version()) &&
           bytes_text(to, "}");
}

static void do_initialize(server *s, const request *asked)
{
    bytes to = {0};
    const char *version = LEGACY_NEWEST;
    span wanted = span_member(asked->params, "protocolVersion");
    for (size_t i = 0; i < sizeof legacy_versions / sizeof *legacy_versions; i++)
        if (span_is(wanted, legacy_versions[i]))
            version = legacy_versions[i];
    bool fits = add_member(&to, "protocolVersion", version) &&
                bytes_text(&to, ",\"capabilities\":{\"tools\":{}},\"serverInfo\":") &&
                add_server_info(s, &to) && bytes_text(&to, ",") &&
                add_member(&to, "instructions", s->service->instructions);
    if (!fits)
        fail(s);
    send_result(s, asked->id, false, &to);
}

static void do_discover(server *s, const request *asked)
{
    bytes to = {0};
    bool fits =
        bytes_text(&to, "\"supportedVersions\":[\"" MODERN "\"],\"capabilities\":{"
                        "\"tools\":{}},\"ttlMs\":3600000,\"cacheScope\":\"private\",") &&
        add_member(&to, "instructions", s->service->instructions) &&
        bytes_text(&to, ",\"_meta\":{\"" META "serverInfo\":") &&
        add_server_info(s, &to) && bytes_text(&to, "}");
    if (!fits)
        fail(s);
    send_result(s, asked->id, true, &to);
}

static bool add_tool(bytes *to, const mcp_tool *tool)
{
    return bytes_text(to, "{") && add_member(to, "name", tool->name) &&
           bytes_text(to, ",") && add_member(to, "description", tool->about) &&
           bytes_text(to, ",\"inputSchema\":") && bytes_text(to, tool->schema) &&
           bytes_text(to, ",\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":"
                          "false,\"idempotentHint\":true,\"openWorldHint\":false}}");
}

static void do_tools_list(server *s, const request *asked)
{
    bytes to = {0};
    bool fits = bytes_text(&to, "\"tools\":[");
    for (size_t i = 0; fits && i < s->service->tool_count; i++)
        fits = bytes_text(&to, i > 0 ? "," : "") && add_tool(&to, &s->service->tools[i]);
    fits = fits && bytes_text(&to, "]");
    if (asked->modern)
        fits = fits && bytes_text(&to, ",\"ttlMs\":3600000,\"cacheScope\":\"private\"");
    if (!fits)
        fail(s);
    send_result(s, asked->id, asked->modern, &to);
}

static void do_ping(server *s, const request *asked)
{
    bytes none = {0};
    send_result(s, asked->id, asked->modern, &none);
}

/* --- calls */

static void free_call(mcp_call *one)
{
    mcp_call **at = &one->of->calls;
    while (*at != one)
        at = &(*at)->next;
    *at = one->next;
    one->of->call_count--;
    bytes_free(&one->line);
    pith_buffer_free(&one->text);
    free(one);
}

static void run_call(work *of)
{
    mcp_call *one = (mcp_call *)of;
    pith_doc *doc = NULL;
    pith_value arguments = {0};
    if (mcp_call_stopped(one))
        return;
    if (one->arguments.at) {
        doc = pith_doc_parse("json", one->arguments.at, span_len(one->arguments), NULL,
                             &one->err);
        if (!doc) {
            one->status = one->err.status;
            return;
        }
        arguments = pith_doc_root(doc);
    }
    one->status = one->tool->call(one->of->service->ctx, one, arguments,
                                  pith_sink_buffer(&one->text), &one->err);
    pith_doc_free(doc);
}

/* What failed is a result, too: the model can mend what it asked for. */
static bool add_outcome(const mcp_call *one, bytes *to)
{
    bool fine = one->status == PITH_OK;
    const char *text = fine ? one->text.data : one->err.message;
    size_t len = fine ? one->text.len : strlen(one->err.message);
    bytes said = {0};
    bool fits = bytes_add(&said, text ? text : "", len);
    if (!fine)
        fits = fits && bytes_text(&said, " [") && bytes_text(&said, one->err.code) &&
               bytes_text(&said, "]");
    fits = fits && bytes_text(to, "\"content\":[{\"type\":\"text\",\"text\":") &&
           bytes_literal(to, said.data ? said.data : "", said.len) &&
           bytes_text(to, fine ? "}]" : "}],\"isError\":true");
    bytes_free(&said);
    return fits;
}

static void look(server *s);

static void end_call(work *of)
{
    mcp_call *one = (mcp_call *)of;
    server *s = one->of;
    bytes members = {0};
    if (!mcp_call_stopped(one)) {
        if (!add_outcome(one, &members))
            fail(s);
        send_result(s, one->id, one->modern, &members);
    }
    free_call(one);
    look(s);
}

static void drop_call(work *of)
{
    free_call((mcp_call *)of);
}

static const mcp_tool *find_tool(const server *s, span name)
{
    for (size_t i = 0; i < s->service->tool_count; i++)
        if (span_is(name, s->service->tools[i].name))
            return &s->service->tools[i];
    return NULL;
}

/* A span of one line in a copy of that line. */
static span moved(span of, const bytes *from, const bytes *to)
{
    span none = {NULL, NULL};
    return of.at
               ? (span){to->data + (of.at - from->data), to->data + (of.end - from->data)}
               : none;
}

static void do_tools_call(server *s, const request *asked, const bytes *line)
{
    const mcp_tool *tool = find_tool(s, span_member(asked->params, "name"));
    span arguments = span_member(asked->params, "arguments");
    if (!tool) {
        send_error(s, asked->id, BAD_PARAMS, "there is no such tool", "");
        return;
    }
    if (s->call_count == CALLS_WAITING_MOST) {
        send_error(s, asked->id, FAILED, "too many calls are waiting", "");
        return;
    }
    mcp_call *one = calloc(1, sizeof *one);
    if (!one || !bytes_add(&one->line, line->data, line->len)) {
        free(one);
        fail(s);
        return;
    }
    one->work = (work){run_call, end_call, drop_call, NULL};
    one->of = s;
    one->tool = tool;
    one->id = moved(asked->id, line, &one->line);
    one->arguments = moved(arguments, line, &one->line);
    one->modern = asked->modern;
    one->next = s->calls;
    s->calls = one;
    s->call_count++;
    worker_give(s->worker, &one->work);
}

/* The client waits no longer: the call stops, and no answer follows. */
static void note_cancelled(server *s, span params)
{
    span id = span_member(params, "requestId");
    for (mcp_call *one = s->calls; one; one = one->next)
        if (calls_same_id(one->id, id))
            atomic_store(&one->stopped, true);
}

/* --- requests */

/* Which era a request is of, and whether it says all that it has to; false after an
 * answer. */
static bool check_era(server *s, request *asked)
{
    static const char *const names[] = {META "protocolVersion",
                                        META "clientCapabilities"};
    span found[2], meta = span_member(asked->params, "_meta");
    if (!span_is_object(meta) || !span_members(meta, names, 2, found) || !found[0].at)
        return true;
    asked->modern = true;
    if (asked->batched) {
        send_error(s, asked->id, BAD_REQUEST, "this version has no arrays of requests",
                   "");
        return false;
    }
    if (!span_is(found[0], MODERN)) {
        bytes data = {0};
        if (bytes_text(&data,
                       ",\"data\":{\"supported\":[\"" MODERN "\"],\"requested\":") &&
            bytes_add(&data, found[0].at, span_len(found[0])) && bytes_add(&data, "}", 2))
            send_error(s, asked->id, BAD_VERSION, "unsupported protocol version",
                       data.data);
        else
            fail(s);
        bytes_free(&data);
        return false;
    }
    if (!span_is_object(found[1])) {
        send_error(s, asked->id, BAD_PARAMS, "_meta has no clientCapabilities", "");
        return false;
    }
    return true;
}

static void do_request(server *s, request *asked, span method, const bytes *line)
{
    if (!check_era(s, asked))
        return;
    if (span_is(method, "tools/call"))
        do_tools_call(s, asked, line);
    else if (span_is(method, "tools/list"))
        do_tools_list(s, asked);
    else if (span_is(method, "server/discover") && asked->modern)
        do_discover(s, asked);
    else if (span_is(method, "initialize") && !asked->modern)
        do_initialize(s, asked);
    else if (span_is(method, "ping") && !asked->modern)
        do_ping(s, asked);
    else
        send_error(s, asked->id, NO_METHOD, "there is no such method", "");
}

static void do_message(server *s, span message, bool batched, const bytes *line)
{
    static const char *const names[] = {"id", "method", "params", "jsonrpc"};
    span found[4];
    if (!span_members(message, names, 4, found) || !span_is_string(found[1]) ||
        !span_is(found[3], "2.0") ||
        (found[0].at && !span_is_string(found[0]) &&
         (*found[0].at < '-' || *found[0].at > '9'))) {
        send_error(s, (span){NULL, NULL}, BAD_REQUEST, "this is not a request", "");
        return;
    }
    request asked = {.id = found[0], .params = found[2], .batched = batched};
    if (asked.id.at)
        do_request(s, &asked, found[1], line);
    else if (span_is(found[1], "notifications/cancelled"))
        note_cancelled(s, asked.params);
}

/* A line that is an array is a batch, which one old version has. */
static void take_line(void *ctx, bytes line)
{
    server *s = ctx;
    span whole;
    span_walk walk;
    if (!span_parse(line.data, line.len, &whole)) {
        if (whole.at < line.data + line.len) /* a blank line is nothing */
            send_error(s, (span){NULL, NULL}, BAD_JSON, "this line is not JSON", "");
    } else if (span_is_array(whole) && (walk = span_walk_of(whole), span_next(&walk))) {
        do
            do_message(s, walk.value, true, &line);
        while (span_next(&walk));
    } else {
        do_message(s, whole, false, &line);
    }
    bytes_free(&line);
    look(s);
}

static void take_piece(void *ctx, const char *data, size_t len)
{
    server *s = ctx;
    span none = {NULL, NULL};
    if (data[len - 1] == '\n')
        send_error(s, none, BAD_REQUEST, "this request is too long", "");
}

static void take_end(void *ctx, int problem)
{
    server *s = ctx;
    s->ended = true;
    if (problem == ENOMEM)
        fail(s);
    look(s);
}

static const line_events events = {take_line, take_piece, take_end};

/* It is over when all that was asked has been answered, or nobody listens. */
static void look(server *s)
{
    if (s->to.broken) {
        for (mcp_call *one = s->calls; one; one = one->next)
            atomic_store(&one->stopped, true);
        s->ended = true;
    }
    line_reader_pause(&s->from, s->ended || s->to.waiting > LOOP_QUEUE_MOST);
    if (s->ended && s->call_count == 0 && s->to.waiting == 0)
        event_base_loopbreak(s->base);
}

static void queue_moved(void *ctx)
{
    look(ctx);
}

static void note_signal(evutil_socket_t number, short what, void *ctx)
{
    server *s = ctx;
    (void)number;
    (void)what;
    for (mcp_call *one = s->calls; one; one = one->next)
        atomic_store(&one->stopped, true);
    event_base_loopbreak(s->base);
}

static bool open_server(server *s)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    s->base = loop_new();
    if (!s->base || !(s->worker = worker_new(s->base)))
        return false;
    for (size_t i = 0; i < 3; i++) {
        s->signals[i] =
            event_new(s->base, numbers[i], EV_SIGNAL | EV_PERSIST, note_signal, s);
        if (!s->signals[i] || event_add(s->signals[i], NULL) != 0)
            return false;
    }
    return line_writer_open(&s->to, s->base, STDOUT_FILENO, queue_moved, s) &&
           line_reader_open(&s->from, s->base, STDIN_FILENO, REQUEST_MOST, &events, s);
}

pith_status mcp_serve(const mcp_service *service, pith_error *err)
{
    server s = {.service = service, .from = {.fd = -1}};
    pith_status status = PITH_OK;
    if (!open_server(&s))
        status = error_no_memory(err);
    else
        loop_run(s.base);
    if (s.problem != 0)
        status = error_no_memory(err);
    line_reader_close(&s.from);
    worker_free(s.worker);
    line_writer_close(&s.to);
    for (size_t i = 0; i < 3; i++)
        if (s.signals[i])
            event_free(s.signals[i]);
    if (s.base)
        event_base_free(s.base);
    return status;
}
