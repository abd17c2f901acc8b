/*
 * child.c - see child.h.
 */
#define _GNU_SOURCE

#include "child.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

/* A pipe that no program inherits; false with errno set. */
static bool open_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        ends[0] = ends[1] = -1;
        return false;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

static void close_pipe(const int ends[2])
{
    for (size_t i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
}

/* In the new process: becomes the command, or says in `news` why it cannot. */
static void become(char *const *command, int in, int out, int news)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
        execvp(command[0], command);
    int problem = errno;
    ssize_t put = write(news, &problem, sizeof problem);
    (void)put;
    _exit(127);
}

/* Waits until the command runs, or hears why it does not: errno. */
static int hear(int news)
{
    int problem = 0;
    ssize_t got = read(news, &problem, sizeof problem);
    while (got < 0 && errno == EINTR)
        got = read(news, &problem, sizeof problem);
    return got == (ssize_t)sizeof problem ? problem : 0;
}

static pith_status cannot_run(const char *name, int problem, pith_error *err)
{
    pith_status status = error_set(err, PITH_IO, "command_failed", "cannot run '%s': %s",
                                   name, strerror(problem));
    err->system = problem;
    return status;
}

pith_status child_start(child *one, char *const *command, pith_error *err)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, news[2] = {-1, -1};
    *one = (child){-1, -1, -1};
    if (!open_pipe(in) || !open_pipe(out) || !open_pipe(news) ||
        (one->pid = fork()) < 0) {
        int problem = errno;
        close_pipe(in);
        close_pipe(out);
        close_pipe(news);
        return cannot_run(command[0], problem, err);
    }
    if (one->pid == 0)
        become(command, in[0], out[1], news[1]);
    setpgid(one->pid, one->pid); /* both do it: whoever is first */
    close(in[0]);
    close(out[1]);
    close(news[1]);
    int problem = hear(news[0]);
    close(news[0]);
    one->in = in[1];
    one->out = out[0];
    if (problem == 0)
        return PITH_OK;
    close(one->in);
    close(one->out);
    waitpid(one->pid, NULL, 0);
    return cannot_run(command[0], problem, err);
}

void child_signal(const child *one, int number)
{
    if (one->pid > 0)
        kill(-one->pid, number);
}

void child_hang_up(child *one)
{
    if (one->in >= 0)
        close(one->in);
    one->in = -1;
}

int child_exit_status(int told)
{
    return WIFSIGNALED(told) ? 128 + WTERMSIG(told) : WEXITSTATUS(told);
}
