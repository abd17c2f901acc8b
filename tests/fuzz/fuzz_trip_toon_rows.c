/*
 * fuzz_trip_toon_rows.c - drawn values through toon-rows and back. See trip.h.
 *
 * It holds one flat table; what is none is refused.
 */
#include "trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trip t;
    trip_begin(&t, "toon-rows", data, size, "");
    trip_all(&t,
             " not_an_array not_an_object no_fields nested_value missing_field "
             "extra_field number_range ",
             TRIP_LOOSE);
    return 0;
}
