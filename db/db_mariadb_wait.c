/*
 * db_mariadb_wait.c - what the library calls while it waits for a server, and when it has
 * read something.
 *
 * Whenever the library waits it asks a function of ours, which notices the deadline and
 * an interrupt; and whenever it has read something, it shows that to another, which
 * notices a server that never stops talking, and looks at the greeting before the library
 * does.
 */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L

#include "client_mariadb.h"
#include "db_mariadb.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

/* Whose connection the library is at work on in this thread. Its functions of ours are
 * given nothing that says so. The model is that of programs: the one for libraries
 * would need the loader. */
#if defined(__GNUC__)
__attribute__((tls_model("initial-exec")))
#endif
static _Thread_local db *maria_at_work;

db *maria_work_for(db *from)
{
    db *before = maria_at_work;
    maria_at_work = from;
    return before;
}

int maria_wait(my_socket socket, my_bool to_read, int timeout)
{
    db *from = maria_at_work;
    maria_state *state = from ? from->state : NULL;
    double limit = timeout < 1000 ? timeout : timeout / 1000.0;
    double until = timeout > 0 ? db_now() + limit : 0;
    for (;;) {
        struct pollfd one = {socket, (short)(to_read ? POLLIN : POLLOUT), 0};
        int ready = poll(&one, 1, 200);
        if (ready > 0)
            return 1;
        bool failed = ready < 0 && errno != EINTR;
        if (state && state->over == PITH_OK) {
            state->over = failed ? db_fail(&state->why, PITH_IO, "connection_lost",
                                           "waiting for the server failed")
                                 : db_may_go_on(from, &state->why);
            state->unanswered = state->over != PITH_OK;
        }
        if (failed || !state || state->over != PITH_OK ||
            (until > 0 && db_now() >= until)) {
            errno = ETIMEDOUT;
            return 0;
        }
    }
}

/* Looks at the greeting, before which nothing has been said by this side. */
static void maria_check_greeting(db *from, const unsigned char *data, size_t len)
{
    maria_state *state = from->state;
    size_t room = sizeof state->greeting - state->greeting_len;
    memcpy(state->greeting + state->greeting_len, data, len < room ? len : room);
    state->greeting_len += len < room ? len : room;
    wire head = {state->greeting, state->greeting + state->greeting_len, false};
    uint64_t size = wire_number(&head, 3);
    wire_number(&head, 1);
    if (head.bad)
        return;
    bool huge = size > sizeof state->greeting - 4;
    if (!huge && wire_left(&head) < size)
        return;
    uint32_t abilities = 0;
    wire packet = {head.at, head.at + (huge ? 0 : size), false};
    bool refusal = !huge && size > 0 && head.at[0] == 255;
    state->greeted = true;
    if (!refusal && !wire_read_greeting(&packet, &abilities)) {
        state->over =
            db_fail(&state->why, PITH_IO, "connect_failed",
                    "MariaDB: the server breaks its protocol: its greeting is not valid");
    } else if (!refusal && state->url.ssl == MARIA_YES && !(abilities & WIRE_TLS)) {
        state->over = db_fail(
            &state->why, PITH_IO, "connect_failed",
            "MariaDB: TLS was requested but the server does not offer it; ssl=false "
            "in the URL goes without");
    }
}

/* Sees what the library has read, which it has not yet looked at. A socket that is shut
 * here gives it nothing more and takes nothing from it. From the first byte on the socket
 * does not block, which the library believes it does: otherwise TLS would wait by itself.
 * */
static void maria_seen(int what, MYSQL *server, const unsigned char *data, size_t len)
{
    db *from = maria_at_work;
    maria_state *state = from ? from->state : NULL;
    if (!state || what != 0 || len == 0 || len > PTRDIFF_MAX)
        return;
    int socket = (int)mysql_get_socket(server);
    if (!state->greeted) {
        fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
        maria_check_greeting(from, data, len);
    }
    if (state->over == PITH_OK) {
        state->over = db_may_go_on(from, &state->why);
        state->unanswered = state->over != PITH_OK;
    }
    if (state->over != PITH_OK)
        shutdown(socket, SHUT_RDWR);
}

static void maria_register(void)
{
    ma_pvio_register_callback(1, maria_seen);
}

/* Once for the process: the library has no working way to take it back, and would free it
 * twice if it were ended and begun again. */
void maria_watch(void)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    pthread_once(&watched, maria_register);
}
