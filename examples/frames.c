/*
 * frames.c - a text that is compressed on its way out, and unpacked again.
 *
 * Which compressors there are depends on the build; the suffix of a file's name says which
 * is meant.
 */
#include "pith.h"

#include <stdio.h>

static const char text[] = "[{\"id\":1,\"city\":\"Oslo\"},{\"id\":2,\"city\":\"Lima\"}]";

/* The rows as GCF, in a frame. */
static pith_status pack(const char *packing, pith_buffer *out, pith_error *err)
{
    pith_packer *packer = pith_packer_open(packing, NULL, pith_sink_buffer(out), err);
    if (!packer)
        return err->status;
    pith_status status = pith_convert("json", "gcf", text, sizeof text - 1, NULL,
                                      pith_packer_sink(packer), err);
    if (status == PITH_OK)
        return pith_packer_close(packer, err);
    pith_packer_abandon(packer);
    return status;
}

int main(int argc, char **argv)
{
    const char *packing = pith_packing(argc > 1 ? argv[1] : "rows.gcf.zst", NULL, 0);
    pith_error err = {0};
    pith_buffer out = {0};
    if (!packing) {
        fprintf(stderr, "that suffix stands for no compression\n");
        return 2;
    }
    pith_status status = pack(packing, &out, &err);
    if (status == PITH_BAD_USE) { /* this build has not got it */
        printf("%s\n", err.message);
        return 0;
    }
    if (status == PITH_OK) {
        printf("%zu bytes of %s\n", out.len, pith_packing(NULL, out.data, out.len));
        fflush(stdout);
        status = pith_unpack(out.data, out.len, NULL, pith_sink_fd(1), &err);
    }
    if (status != PITH_OK)
        fprintf(stderr, "%s\n", err.message);
    pith_buffer_free(&out);
    return status == PITH_OK ? 0 : 1;
}
