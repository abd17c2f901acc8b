/*
 * spill.c - put aside in memory, then in a file; see spill.h.
 */
#include "base/spill.h"

#include "base/system.h"

#include <assert.h>
#include <errno.h>

enum { SPILL_BLOCK = 64 * 1024 };

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
        system_close(spill->file);
        spill->file = -1;
    }
}

/* ------------------------------------------------------------------------ the file */

static bool spill_write_file(pith_spill *spill, const char *data, size_t len)
{
    bool written = system_write(spill->file, spill->file_len, data, len);
    spill->file_len += written ? len : 0;
    return written;
}

/* Moves what is in memory to the file. */
static bool spill_move(pith_spill *spill)
{
    spill->file = system_open_temporary();
    if (spill->file < 0 || !spill_write_file(spill, spill->data, spill->len))
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
        size_t got = system_read_at(spill->file, done, block, SPILL_BLOCK);
        if (got == 0)
            return spill_read_failed(err, errno);
        out_bytes(out, block, got);
        done += got;
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
