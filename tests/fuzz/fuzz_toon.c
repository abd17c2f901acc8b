/*
 * fuzz_toon.c - any bytes as version 4 of TOON. See toon_target.h.
 */
#include "toon_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return toon_target(TOON_4, data, size);
}
