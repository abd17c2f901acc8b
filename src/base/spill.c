/*
 * spill.c - put aside in memory, then in a file; see spill.h.
 *
 * What is put aside may be secret, and where it lies is often a folder of everybody. So
 * the file never has a name where the system can do without one; else it has one that
 * nobody can guess, and loses it before the first byte is written. No program that is
 * started meanwhile inherits it, and a program with the rights of somebody else does not
 * let the environment say where it lies.
 */
#define _GNU_SOURCE /* O_TMPFILE, mkostemp and secure_getenv, where they are */
#define _POSIX_C_SOURCE 200809L
#define _XOPEN_SOURCE 700

#include "base/spill.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SPILL_BLOCK = 64 * 1024, SPILL_PATH_MOST = 4096 };

void spill_init(pith_spill *spill, size_t most, pith_alloc alloc)
{
    memset(spill, 0, sizeof *spill);
    spill->alloc = alloc;
    spill->most = most;
    spill->file = -1;
}

void spill_free(pith_spill *spill)
{
    alloc_free(&spill->alloc, spill->data, spill->cap);
    spill->data = NULL;
    spill->len = 0;
    spill->cap = 0;
    if (spill->file >= 0) {
        close(spill->file);
        spill->file = -1;
    }
}

/* ------------------------------------------------------------------------ the file */

/* Where temporary files go: the environment's word counts unless this program runs with
 * the rights of somebody else. */
static const char *spill_folder(void)
{
#if defined(__linux__)
    const char *folder = secure_getenv("TMPDIR");
#else
    bool own = getuid() == geteuid() && getgid() == getegid();
    const char *folder = own ? getenv("TMPDIR") : NULL;
#endif
    return folder && *folder ? folder : P_tmpdir;
}

/* A file that never has a name; -1 where the system or the folder knows none. */
static int spill_open_nameless(const char *folder)
{
#if defined(O_TMPFILE)
    return open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
#else
    (void)folder;
    return -1;
#endif
}

static int spill_open_named(const char *folder)
{
    char path[SPILL_PATH_MOST];
    int len = snprintf(path, sizeof path, "%s/pith-XXXXXX", folder);
    if (len < 0 || (size_t)len >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
#if defined(__linux__)
    int file = mkostemp(path, O_CLOEXEC);
#else
    int file = mkstemp(path);
    if (file >= 0)
        fcntl(file, F_SETFD, FD_CLOEXEC);
#endif
    if (file >= 0)
        unlink(path);
    return file;
}

static bool spill_open(pith_spill *spill)
{
    assert(spill->file < 0);
    const char *folder = spill_folder();
    spill->file = spill_open_nameless(folder);
    if (spill->file < 0)
        spill->file = spill_open_named(folder);
    return spill->file >= 0;
}

static bool spill_write_file(pith_spill *spill, const char *data, size_t len)
{
    while (len > 0) {
        ssize_t sent = pwrite(spill->file, data, len, (off_t)spill->file_len);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0) {
            errno = sent < 0 ? errno : EIO; /* nothing was taken: it never would be */
            return false;
        }
        data += sent;
        len -= (size_t)sent;
        spill->file_len += (uint64_t)sent;
    }
    return true;
}

/* Moves what is in memory to the file. */
static bool spill_move(pith_spill *spill)
{
    if (!spill_open(spill) || !spill_write_file(spill, spill->data, spill->len))
        return false;
    alloc_free(&spill->alloc, spill->data, spill->cap);
    spill->data = NULL;
    spill->len = 0;
    spill->cap = 0;
    return true;
}

/* ------------------------------------------------------------------------ going in */

static pith_status spill_write(void *ctx, const char *data, size_t len)
{
    pith_spill *spill = (pith_spill *)ctx;
    assert(spill->len <= spill->most || spill->file >= 0);
    if (spill->file < 0 && len > spill->most - spill->len && !spill_move(spill))
        return PITH_IO;
    if (spill->file >= 0)
        return spill_write_file(spill, data, len) ? PITH_OK : PITH_IO;
    void *block = spill->data;
    if (!alloc_grow(&spill->alloc, &block, &spill->cap, spill->len + len, 1))
        return PITH_NO_MEMORY;
    spill->data = (char *)block;
    memcpy(spill->data + spill->len, data, len);
    spill->len += len;
    return PITH_OK;
}

pith_sink spill_sink(pith_spill *spill)
{
    pith_sink sink = {spill_write, spill};
    return sink;
}

/* ---------------------------------------------------------------------- coming out */

static pith_status spill_read_failed(pith_error *err, int number)
{
    error_set(err, PITH_IO, "read_failed", "the temporary file could not be read back");
    if (err)
        err->system = number;
    return PITH_IO;
}

static pith_status spill_take_file(pith_spill *spill, pith_out *out, char *block,
                                   pith_error *err)
{
    uint64_t done = 0;
    while (done < spill->file_len && out->status == PITH_OK) {
        ssize_t got = pread(spill->file, block, SPILL_BLOCK, (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return spill_read_failed(err, got < 0 ? errno : EIO);
        out_bytes(out, block, (size_t)got);
        done += (uint64_t)got;
    }
    return PITH_OK;
}

pith_status spill_take(pith_spill *spill, pith_out *out, pith_error *err)
{
    if (spill->file < 0) {
        out_bytes(out, spill->data, spill->len);
        return PITH_OK;
    }
    char *block = (char *)alloc_resize(&spill->alloc, NULL, 0, SPILL_BLOCK);
    if (!block)
        return error_no_memory(err);
    pith_status status = spill_take_file(spill, out, block, err);
    alloc_free(&spill->alloc, block, SPILL_BLOCK);
    return status;
}
