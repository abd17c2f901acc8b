/*
 * tool.c - see tool.h.
 *
 * Should the tool crash, the sanitizer ends the process; its report goes to the real
 * standard error, with the command line and the plan after it.
 */
#define _GNU_SOURCE

#include "faults/tool.h"

#include "testing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int pith_main(int argc, char **argv);

enum { NAMES_MAX = 64, PIPE_PIECE = 300 };

static char folder[1024];
static char *known[NAMES_MAX]; /* the inputs */
static size_t known_count;
static int real_stdout = -1;
static int real_stderr = -1;
static char running[600]; /* what is being run, should it crash */

/* Of the sanitizer, where there is one. */
void __sanitizer_set_report_fd(void *fd) __attribute__((weak));
void __sanitizer_set_death_callback(void (*call)(void)) __attribute__((weak));

/* -------------------------------------------------------------------- the directory */

static void put_bytes(const char *path, const char *data, size_t len)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
}

static bool take_bytes(const char *path, bytes *into)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    char piece[4096];
    size_t got;
    while ((got = fread(piece, 1, sizeof piece, file)) > 0)
        bytes_add(into, piece, got);
    fclose(file);
    return true;
}

void tool_put(const char *name, const char *data, size_t len)
{
    put_bytes(name, data, len);
    assert_true(known_count < NAMES_MAX);
    known[known_count] = strdup(name);
    assert_non_null(known[known_count]);
    known_count++;
}

void tool_remove(const char *name)
{
    if (name)
        unlink(name);
}

static bool is_known(const tool_case *one, const char *name)
{
    if (name[0] == '.' && (name[1] == '\0' || strcmp(name, "..") == 0))
        return true;
    if ((one->output && strcmp(name, one->output) == 0) ||
        (one->state && strcmp(name, one->state) == 0))
        return true;
    for (size_t i = 0; i < known_count; i++)
        if (strcmp(known[i], name) == 0)
            return true;
    return false;
}

/* Finds what a run left that is no output of it, and removes it. */
static void sweep_up(const tool_case *one, char litter[256])
{
    DIR *all = opendir(".");
    assert_non_null(all);
    const struct dirent *entry;
    while ((entry = readdir(all)) != NULL) {
        if (!is_known(one, entry->d_name)) {
            snprintf(litter, 256, "%s", entry->d_name);
            unlink(entry->d_name);
        }
    }
    closedir(all);
}

static void tell_crash(void)
{
    if (write(real_stderr, running, strlen(running)) < 0)
        _exit(1);
}

void tool_begin(void)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/pith-faults-XXXXXX",
             temporary != NULL ? temporary : P_tmpdir);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    setenv("TMPDIR", folder, 1);
    real_stdout = dup(1);
    real_stderr = dup(2);
    if (__sanitizer_set_report_fd && __sanitizer_set_death_callback) {
        __sanitizer_set_report_fd((void *)(intptr_t)real_stderr);
        __sanitizer_set_death_callback(tell_crash);
    }
}

void tool_end(void)
{
    tool_case nothing = {0};
    char litter[256];
    while (known_count > 0) {
        known_count--;
        unlink(known[known_count]);
        free(known[known_count]);
    }
    sweep_up(&nothing, litter);
    assert_int_equal(chdir("/"), 0);
    rmdir(folder);
    close(real_stdout);
    close(real_stderr);
}

/* ------------------------------------------------------------------------ one run */

static int must_open(const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    assert_true(fd >= 0);
    return fd;
}

/* The descriptor that becomes the child's standard output; `*reader` the other end of a
 * pipe, or -1. */
static int open_stdout(tool_stdout to, const char *path, int *reader)
{
    int ends[2];
    *reader = -1;
    switch (to) {
    case TOOL_TO_FULL:
        return must_open("/dev/full", O_WRONLY);
    case TOOL_TO_SLOW_PIPE:
        assert_int_equal(pipe(ends), 0);
        fcntl(ends[1], F_SETPIPE_SZ, 4096);
        fcntl(ends[1], F_SETFL, O_NONBLOCK);
        *reader = ends[0];
        return ends[1];
    case TOOL_TO_NOBODY:
        assert_int_equal(pipe(ends), 0);
        close(ends[0]);
        return ends[1];
    case TOOL_TO_FILE:
    case TOOL_TO_NOTHING: /* closed in its place */
        break;
    }
    return must_open(path, O_WRONLY | O_CREAT | O_TRUNC);
}

static void call_main(const tool_case *one, const faults *plan, tool_result *result)
{
    char *argv[TOOL_WORDS + 2] = {(char *)"pith"};
    int argc = 1;
    while (argc <= TOOL_WORDS && one->words[argc - 1]) {
        argv[argc] = (char *)(uintptr_t)one->words[argc - 1];
        argc++;
    }
    snprintf(running, sizeof running, "crashed: %s, allocation %zu%s\n", tool_line(one),
             plan ? plan->memory_at : 0, plan && plan->memory_onwards ? " on" : "");
    faults_set(plan);
    result->code = pith_main(argc, argv);
    result->counts = faults_seen();
    faults_set(NULL);
    fflush(stderr);
}

/* Copies from the pipe to the file, slowly, in a process of its own. */
static pid_t start_reader(int reader, int writer, const char *path)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0)
        return child;
    close(writer); /* or the end would never come */
    struct timespec moment = {0, 200000};
    char piece[PIPE_PIECE];
    ssize_t got;
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    while ((got = read(reader, piece, sizeof piece)) > 0) {
        if (write(to, piece, (size_t)got) != got)
            _exit(1);
        nanosleep(&moment, NULL);
    }
    _exit(0);
}

static void move_to(int fd, int standard)
{
    dup2(fd, standard);
    close(fd);
}

static void set_up_output(const tool_case *one, const char *before)
{
    tool_remove(one->output);
    if (one->output && before)
        put_bytes(one->output, before, strlen(before));
    if (one->output && before && one->output_mode)
        assert_int_equal(chmod(one->output, one->output_mode), 0);
}

static bool take_output(const tool_case *one, tool_result *into)
{
    struct stat facts;
    if (!one->output || !take_bytes(one->output, &into->file))
        return false;
    assert_int_equal(stat(one->output, &facts), 0);
    into->mode = (unsigned)facts.st_mode & 07777;
    return true;
}

static void set_up_state(const tool_case *one)
{
    bytes before = {0};
    tool_remove(one->state);
    if (one->state_from && take_bytes(one->state_from, &before))
        put_bytes(one->state, before.ptr, before.len);
    bytes_free(&before);
}

tool_result tool_run(const tool_case *one, const faults *plan, tool_stdout to,
                     const char *before)
{
    tool_result result = {0};
    char out_path[sizeof folder + 4], err_path[sizeof folder + 4];
    snprintf(out_path, sizeof out_path, "%s.out", folder);
    snprintf(err_path, sizeof err_path, "%s.err", folder);
    set_up_output(one, before);
    set_up_state(one);
    int reader;
    int in = must_open(one->input ? one->input : "/dev/null", O_RDONLY);
    int out = open_stdout(to, out_path, &reader);
    int err = must_open(err_path, O_WRONLY | O_CREAT | O_TRUNC);
    fflush(NULL);
    move_to(in, 0);
    move_to(err, 2);
    pid_t child = -1;
    if (reader >= 0) {
        child = start_reader(reader, out, out_path);
        close(reader);
    }
    move_to(out, 1);
    if (to == TOOL_TO_NOTHING)
        close(1);
    call_main(one, plan, &result);
    dup2(real_stdout, 1);
    dup2(real_stderr, 2);
    while (child > 0 && waitpid(child, NULL, 0) < 0)
        assert_int_equal(errno, EINTR);
    take_bytes(out_path, &result.out);
    take_bytes(err_path, &result.err);
    result.made = take_output(one, &result);
    if (one->state)
        take_bytes(one->state, &result.state);
    tool_remove(one->output);
    tool_remove(one->state);
    sweep_up(one, result.litter);
    unlink(out_path);
    unlink(err_path);
    return result;
}

void tool_free(tool_result *result)
{
    bytes_free(&result->out);
    bytes_free(&result->err);
    bytes_free(&result->file);
    bytes_free(&result->state);
}

const char *tool_line(const tool_case *one)
{
    static char line[512];
    size_t len = (size_t)snprintf(line, sizeof line, "pith");
    for (size_t i = 0; i < TOOL_WORDS && one->words[i] && len < sizeof line; i++)
        len += (size_t)snprintf(line + len, sizeof line - len, " %s", one->words[i]);
    return line;
}

bool tool_says(const tool_result *result, const char *text)
{
    return memmem(result->err.ptr ? result->err.ptr : "", result->err.len, text,
                  strlen(text)) != NULL;
}

bool tool_kept_state(const tool_case *one, const tool_result *result)
{
    bytes before = {0};
    if (one->state_from)
        take_bytes(one->state_from, &before);
    bool kept =
        before.len == result->state.len &&
        (before.len == 0 || memcmp(before.ptr, result->state.ptr, before.len) == 0);
    bytes_free(&before);
    return kept;
}
