/*
 * relay.c - between standard input and output and a command.
 *
 *     client --- stdin ---> messages_sent ------- as it is -----------> server
 *     client <-- stdout --- answer_rewrite <----- messages_received --- server
 *
 * One loop does it all, but for results above a size, which a thread rewrites while other
 * messages go on. Whichever side is slow stops the other: nothing is read while much waits.
 *
 * It ends with the server. A client that hangs up has its server hang up; one that does not
 * end by itself is asked to, and then made to.
 */
#define _POSIX_C_SOURCE 200809L

#include "child.h"
#include "lines.h"
#include "loop.h"
#include "messages.h"
#include "proxy.h"

#include "base/error.h"
#include "base/hash.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LATER_SIZE = 1 << 20, /* longer results are for the worker */
    LATER_MOST = 4,       /* results that may wait for it */
    TICK_MS = 100,        /* how often deadlines are looked at, while there are any */
    END_MS = 5000,        /* until a server that was hung up is asked to end */
    KILL_MS = 2000        /* and then is ended */
};

enum { SIGNAL_COUNT = 5 };

typedef struct relay {
    const mcp_settings *settings;
    struct event_base *base;
    child server;
    line_reader from_client, from_server;
    line_writer to_client, to_server;
    messages messages;
    rewriter *here, *there; /* the loop's and the worker's */
    worker *worker;
    stats *stats;
    struct event *signals[SIGNAL_COUNT];
    struct event *tick;
    bool client_gone;   /* it sends nothing more */
    bool server_silent; /* its output has ended */
    bool server_gone;   /* it has ended */
    bool signalled;     /* we were asked to end */
    int told;           /* what waitpid said */
    uint64_t end_at;    /* when the server is asked to end; 0: not yet */
    uint64_t kill_at;   /* when it is made to */
    int problem;        /* errno of what ended it all */
} relay;

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void start_ticking(relay *r)
{
    struct timeval soon = {0, TICK_MS * 1000};
    event_add(r->tick, &soon);
}

/* From now on the server has a while to end by itself. */
static void start_ending(relay *r, uint64_t patience)
{
    if (r->end_at == 0 || r->end_at > now_ms() + patience)
        r->end_at = now_ms() + patience;
    start_ticking(r);
}

/* Everything has been said, or nobody listens. */
static bool is_over(const relay *r)
{
    return r->server_gone && r->server_silent && worker_waiting(r->worker) == 0 &&
           r->to_client.waiting == 0;
}

/* The client need not wait for what will never come. */
static void answer_for(relay *r, const call *one, const char *why)
{
    bytes line = {0};
    if (!one->answered && bytes_text(&line, "{\"jsonrpc\":\"2.0\",\"id\":") &&
        bytes_text(&line, one->id) &&
        bytes_text(&line, ",\"error\":{\"code\":-32603,\"message\":\"") &&
        bytes_text(&line, why) && bytes_text(&line, "\"}}\n"))
        line_writer_take(&r->to_client, line);
    else
        bytes_free(&line);
}

static void answer_all(relay *r)
{
    char why[64] = "upstream closed its output";
    calls *pending = &r->messages.pending;
    if (r->server_gone && WIFSIGNALED(r->told))
        snprintf(why, sizeof why, "upstream exited (signal %d)", WTERMSIG(r->told));
    else if (r->server_gone)
        snprintf(why, sizeof why, "upstream exited (status %d)", WEXITSTATUS(r->told));
    for (size_t i = 0; i < pending->count; i++) {
        answer_for(r, &pending->at[i], why);
        call_free(&pending->at[i]);
    }
    pending->count = 0;
}

/* What depends on how things stand: asked after everything that may change it. */
static void look(relay *r)
{
    bool full = r->to_client.waiting > LOOP_QUEUE_MOST ||
                (r->worker && worker_waiting(r->worker) >= LATER_MOST);
    if (full)
        line_reader_pause(&r->from_server, true);
    else if (r->to_client.waiting < LOOP_QUEUE_LOW && !r->server_silent)
        line_reader_pause(&r->from_server, false);
    if (r->to_server.waiting > LOOP_QUEUE_MOST)
        line_reader_pause(&r->from_client, true);
    else if (r->to_server.waiting < LOOP_QUEUE_LOW && !r->client_gone)
        line_reader_pause(&r->from_client, false);

    if (r->to_client.broken && !r->client_gone) {
        r->client_gone = true; /* nobody reads what the server says */
        line_reader_pause(&r->from_client, true);
        start_ending(r, END_MS);
    }
    if (r->client_gone && r->to_server.waiting == 0)
        child_hang_up(&r->server);
    if (r->server_gone && r->server_silent)
        answer_all(r);
    if (is_over(r))
        event_base_loopbreak(r->base);
}

static void fail(relay *r, int problem)
{
    r->problem = problem;
    event_base_loopbreak(r->base);
}

static void queue_moved(void *ctx)
{
    look(ctx);
}

/* --- the client */

static void client_line(void *ctx, bytes line)
{
    relay *r = ctx;
    messages_sent(&r->messages, &line, now_ms());
    if (!line_writer_take(&r->to_server, line))
        fail(r, ENOMEM);
    if (r->settings->timeout > 0)
        start_ticking(r);
    look(r);
}

static void client_piece(void *ctx, const char *data, size_t len)
{
    relay *r = ctx;
    if (!line_writer_add(&r->to_server, data, len))
        fail(r, ENOMEM);
    look(r);
}

static void client_end(void *ctx, int problem)
{
    relay *r = ctx;
    r->client_gone = true;
    if (problem == ENOMEM)
        fail(r, problem);
    start_ending(r, END_MS);
    look(r);
}

static const line_events client_events = {client_line, client_piece, client_end};

/* --- the server */

static void send_answer(answer *one)
{
    relay *r = one->ctx;
    for (size_t i = 0; r->stats && i < one->count; i++)
        stats_add(r->stats, one->targets[i].about.tool, &one->targets[i].record);
    if (!line_writer_take(&r->to_client, answer_bytes(one)))
        fail(r, ENOMEM);
    answer_free(one);
    look(r);
}

static void work_run(work *one)
{
    answer_rewrite((answer *)one);
}

static void work_done(work *one)
{
    send_answer((answer *)one);
}

static void work_drop(work *one)
{
    answer_free((answer *)one);
}

static void server_line(void *ctx, bytes line)
{
    relay *r = ctx;
    answer *one = messages_received(&r->messages, &line);
    if (!one) {
        if (!line_writer_take(&r->to_client, line))
            fail(r, ENOMEM);
        look(r);
        return;
    }
    bool later = one->line.len > LATER_SIZE && answer_can_wait(one);
    one->ctx = r;
    one->with = later ? r->there : r->here;
    one->work = (work){work_run, work_done, work_drop, NULL};
    if (later) {
        worker_give(r->worker, &one->work);
        look(r);
    } else {
        answer_rewrite(one);
        send_answer(one);
    }
}

static void server_piece(void *ctx, const char *data, size_t len)
{
    relay *r = ctx;
    if (!line_writer_add(&r->to_client, data, len))
        fail(r, ENOMEM);
    look(r);
}

static void server_end(void *ctx, int problem)
{
    relay *r = ctx;
    r->server_silent = true;
    if (problem == ENOMEM)
        fail(r, problem);
    start_ending(r, END_MS);
    look(r);
}

static const line_events server_events = {server_line, server_piece, server_end};

/* --- signals and time */

static void note_signal(evutil_socket_t number, short what, void *ctx)
{
    relay *r = ctx;
    (void)what;
    if (number == SIGUSR1) {
        if (r->stats)
            stats_print(r->stats, stderr);
        return;
    }
    if (number == SIGCHLD) {
        if (!r->server_gone && waitpid(r->server.pid, &r->told, WNOHANG) > 0) {
            r->server_gone = true;
            start_ticking(r); /* what it started may keep its output open */
            r->kill_at = now_ms() + KILL_MS;
        }
        look(r);
        return;
    }
    child_signal(&r->server, r->signalled ? SIGKILL : SIGTERM);
    r->signalled = true;
    start_ending(r, 0);
}

/* Calls that took too long are answered by us, and called off at the server. */
static void check_deadlines(relay *r, uint64_t now)
{
    calls *pending = &r->messages.pending;
    for (size_t i = 0; i < pending->count; i++) {
        call *one = &pending->at[i];
        if (one->deadline == 0 || one->deadline > now || one->answered)
            continue;
        bytes off = {0};
        answer_for(r, one, "timeout");
        one->answered = true;
        if (bytes_text(&off,
                       "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
                       "\"params\":{\"requestId\":") &&
            bytes_text(&off, one->id) && bytes_text(&off, ",\"reason\":\"timeout\"}}\n"))
            line_writer_take(&r->to_server, off);
        else
            bytes_free(&off);
    }
}

static bool has_deadlines(const relay *r)
{
    return r->end_at > 0 || r->kill_at > 0 ||
           (r->settings->timeout > 0 && r->messages.pending.count > 0);
}

static void note_tick(evutil_socket_t fd, short what, void *ctx)
{
    relay *r = ctx;
    uint64_t now = now_ms();
    (void)fd;
    (void)what;
    check_deadlines(r, now);
    if (r->end_at > 0 && r->end_at <= now && r->kill_at == 0) {
        child_signal(&r->server, SIGTERM);
        r->kill_at = now + KILL_MS;
    }
    if (r->kill_at > 0 && r->kill_at <= now) {
        child_signal(&r->server, SIGKILL);
        if (r->server_gone && !r->server_silent) { /* whoever holds it is not ours */
            line_reader_pause(&r->from_server, true);
            r->server_silent = true;
        }
        if (r->signalled) /* a client that does not read is not waited for */
            event_base_loopbreak(r->base);
    }
    if (has_deadlines(r))
        start_ticking(r);
    look(r);
}

/* --- opening and closing */

static bool open_signals(relay *r)
{
    static const int numbers[SIGNAL_COUNT] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGUSR1};
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        r->signals[i] =
            event_new(r->base, numbers[i], EV_SIGNAL | EV_PERSIST, note_signal, r);
        if (!r->signals[i] || event_add(r->signals[i], NULL) != 0)
            return false;
    }
    r->tick = event_new(r->base, -1, 0, note_tick, r);
    return r->tick != NULL;
}

static bool open_pipes(relay *r)
{
    size_t most = r->settings->rewrite_max;
    unblock(r->server.in);
    unblock(r->server.out);
    return line_writer_open(&r->to_client, r->base, STDOUT_FILENO, queue_moved, r) &&
           line_writer_open(&r->to_server, r->base, r->server.in, queue_moved, r) &&
           line_reader_open(&r->from_server, r->base, r->server.out, most, &server_events,
                            r) &&
           line_reader_open(&r->from_client, r->base, STDIN_FILENO, most, &client_events,
                            r);
}

static pith_status open_rewriters(relay *r, pith_error *err)
{
    const mcp_settings *from = r->settings;
    rewrite_settings settings = {.vocab = from->vocab,
                                 .allow = from->allow,
                                 .tokens_min = from->tokens_min,
                                 .count_structured = from->stats};
    r->messages.settings = from;
    r->messages.seed = hash_draw_seed();
    r->here = rewriter_new(&settings, err);
    r->there = r->here ? rewriter_new(&settings, err) : NULL;
    if (!r->there)
        return err->status;
    if (from->stats && !(r->stats = stats_new(from->tokenizer, from->stats_lines)))
        return error_no_memory(err);
    return PITH_OK;
}

static void free_event(struct event *one)
{
    if (one)
        event_free(one);
}

static void close_relay(relay *r)
{
    line_reader_close(&r->from_client);
    line_reader_close(&r->from_server);
    line_writer_close(&r->to_client);
    line_writer_close(&r->to_server);
    worker_free(r->worker);
    for (size_t i = 0; i < SIGNAL_COUNT; i++)
        free_event(r->signals[i]);
    free_event(r->tick);
    if (r->base)
        event_base_free(r->base);
    child_hang_up(&r->server);
    if (r->server.pid > 0)
        close(r->server.out);
    messages_free(&r->messages);
    rewriter_free(r->here);
    rewriter_free(r->there);
    stats_free(r->stats);
}

static pith_status run_loop(relay *r, pith_error *err)
{
    pith_status status = PITH_OK;
    loop_run(r->base);
    if (r->problem != 0)
        status = error_no_memory(err);
    if (!r->server_gone) {
        child_signal(&r->server, SIGKILL);
        waitpid(r->server.pid, &r->told, 0);
    }
    if (r->stats)
        stats_print(r->stats, stderr);
    return status;
}

pith_status mcp_relay(const mcp_settings *settings, char *const *command,
                      int *exit_status, pith_error *err)
{
    relay r = {.settings = settings,
               .server = {-1, -1, -1},
               .from_client = {.fd = -1},
               .from_server = {.fd = -1}};
    pith_status status = open_rewriters(&r, err);
    if (status == PITH_OK) {
        r.base = loop_new();
        if (!r.base || !open_signals(&r) || !(r.worker = worker_new(r.base)))
            status = error_no_memory(err);
    }
    if (status == PITH_OK)
        status = child_start(&r.server, command, err);
    if (status == PITH_OK && !open_pipes(&r)) {
        child_signal(&r.server, SIGKILL);
        waitpid(r.server.pid, NULL, 0);
        status = error_no_memory(err);
    } else if (status == PITH_OK) {
        status = run_loop(&r, err);
        *exit_status = child_exit_status(r.told);
    }
    close_relay(&r);
    return status;
}
