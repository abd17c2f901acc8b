/*
 * soch_compress.h - LZ4 and ZSTD, as far as this build has them.
 */
#ifndef FORMAT_SOCH_SOCH_COMPRESS_H
#define FORMAT_SOCH_SOCH_COMPRESS_H

#include "base/list.h"

/* As in the flags of the binary form and in the setting `compress`. */
typedef enum soch_packing { SOCH_PLAIN, SOCH_LZ4, SOCH_ZSTD } soch_packing;

/* Its name, and whether this build has it. */
const char *soch_packing_name(soch_packing packing);
bool soch_packing_here(soch_packing packing);

/* A block of memory. */
typedef struct soch_block {
    pith_alloc alloc;
    char *data;
    size_t len;
    size_t cap;
} soch_block;

void soch_block_free(soch_block *block);

typedef enum soch_compressed {
    SOCH_COMPRESSED,
    SOCH_COMPRESS_DAMAGED, /* or it does not make the promised length */
    SOCH_COMPRESS_NO_MEMORY
} soch_compressed;

/* Appends the compressed bytes to the block. */
soch_compressed soch_compress(soch_packing packing, soch_block *to, const char *data,
                              size_t len);

/* Makes the block exactly `raw_len` bytes of what was compressed. Memory is taken as the
 * bytes come, never for the length alone. */
soch_compressed soch_expand(soch_packing packing, soch_block *to, size_t raw_len,
                            const char *data, size_t len);

#endif
