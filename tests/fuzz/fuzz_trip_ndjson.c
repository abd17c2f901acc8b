/*
 * fuzz_trip_ndjson.c - drawn values through lines of JSON and back. See trip.h.
 *
 * A value that is no array is refused; every array comes back as it was.
 */
#include "trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trip t;
    trip_begin(&t, "ndjson", data, size, "");
    trip_all(&t, " not_an_array ", TRIP_EXACT);
    return 0;
}
