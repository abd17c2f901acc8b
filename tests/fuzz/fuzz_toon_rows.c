/*
 * fuzz_toon_rows.c - any bytes as toon-rows, one flat table. See toon_target.h.
 */
#include "toon_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return toon_target(TOON_ROWS, data, size);
}
