/*
 * place.c - where a path that is written to leads, and the names beside it.
 *
 * A directory such as /tmp is everybody's: any user who knows the name of a file to come
 * can put something there first, a link to a file that only we may write or a file that
 * he can read afterwards. Such directories are recognised because they are sticky.
 */
#define _DEFAULT_SOURCE /* getentropy */
#define _POSIX_C_SOURCE 200809L

#include "place.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <sys/random.h>
#endif

#define LINKS_MAX 40 /* of symbolic links, as in the kernel */

char *place_beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t dir = slash == NULL || name[0] == '/' ? 0 : (size_t)(slash - path) + 1;
    size_t len = strlen(name);
    char *joined = malloc(dir + len + 1);
    if (joined != NULL) {
        memcpy(joined, path, dir);
        memcpy(joined + dir, name, len + 1);
    }
    return joined;
}

char *place_hidden(const char *path)
{
    uint64_t drawn;
    char name[32];
    if (getentropy(&drawn, sizeof drawn) != 0)
        return NULL;
    snprintf(name, sizeof name, ".pith-%016llx", (unsigned long long)drawn);
    return place_beside(path, name);
}

/* True when no other user may put files into the directory of the path; else what is
 * wrong is in `fault`, or errno. A directory that cannot be looked at passes: whatever is
 * done there fails by itself. */
static bool is_private(const char *path, place_fault *fault, place_fault otherwise)
{
    struct stat facts;
    char *folder = place_beside(path, ".");
    if (folder == NULL)
        return false;
    bool shared = stat(folder, &facts) == 0 && (facts.st_mode & S_ISVTX) != 0;
    free(folder);
    if (shared) {
        *fault = otherwise;
        errno = EPERM;
    }
    return !shared;
}

bool place_is_ours(const char *path, const struct stat *facts, place_fault *fault)
{
    static const place_fault foreign = {
        "foreign_file",
        "this is a file of another user in a directory where anybody may put files; "
        "choose another name",
    };
    return facts->st_uid == geteuid() || is_private(path, fault, foreign);
}

static bool may_follow(const char *path, place_fault *fault)
{
    static const place_fault unsafe = {
        "unsafe_link",
        "this is a symbolic link in a directory where anybody may put files; name the "
        "file it leads to",
    };
    return is_private(path, fault, unsafe);
}

char *place_resolve(const char *path, place_fault *fault)
{
    *fault = (place_fault){NULL, NULL};
    char *at = strdup(path);
    for (int links = 0; at != NULL; links++) {
        char next[PATH_MAX];
        ssize_t len = readlink(at, next, sizeof next - 1);
        if (len < 0)
            return at;
        next[len] = '\0';
        char *after = NULL;
        if (links >= LINKS_MAX)
            errno = ELOOP;
        else if (may_follow(at, fault))
            after = place_beside(at, next);
        int number = errno;
        free(at);
        errno = number;
        at = after;
    }
    return NULL;
}

void place_explain(diag *errors, const char *path, const char *what, const char *code,
                   const place_fault *fault, int number)
{
    if (fault->code == NULL) {
        diag_system(errors, path, what, code, number);
        return;
    }
    pith_error problem = {.status = PITH_IO, .code = fault->code};
    snprintf(problem.message, sizeof problem.message, "%s: %s", what, fault->message);
    diag_problem(errors, path, &problem, NULL);
}

bool place_is_directory(const char *path)
{
    struct stat facts;
    size_t len = strlen(path);
    return (len > 0 && path[len - 1] == '/') ||
           (stat(path, &facts) == 0 && S_ISDIR(facts.st_mode));
}

bool place_make_directory(const char *path, diag *errors)
{
    if (path == NULL || mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    diag_system(errors, path, "cannot create", "create_failed", errno);
    return false;
}
