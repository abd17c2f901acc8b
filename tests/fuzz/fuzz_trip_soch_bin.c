/*
 * fuzz_trip_soch_bin.c - drawn values through SochDB's binary tables and back. See trip.h.
 */
#include "trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trip t;
    trip_begin(&t, "soch-bin", data, size, "");
    bool filled = strstr(t.write, "fill-missing=true") || strstr(t.write, "name=");
    trip_all(&t, " out_of_range unknown_column ", filled ? TRIP_READABLE : TRIP_LOOSE);
    return 0;
}
