/*
 * fuzz_toon3.c - any bytes as version 3 of TOON, and of what readers before 3.1 understand. See toon_target.h.
 */
#include "toon_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return toon_target(TOON_3, data, size);
}
