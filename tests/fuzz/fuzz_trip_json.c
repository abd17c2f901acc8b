/*
 * fuzz_trip_json.c - drawn values through JSON and back. See trip.h.
 *
 * Nothing is refused, and everything comes back as it was.
 */
#include "trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trip t;
    trip_begin(&t, "json", data, size, "");
    trip_all(&t, "", TRIP_EXACT);
    return 0;
}
