/*
 * fuzz_trip_gcf.c - drawn values through GCF and back. See trip.h.
 *
 * A number that GCF has no place for is refused. Rows put in groups come back in the order
 * of their groups; all else comes back, in its canonical digits.
 */
#include "trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trip t;
    trip_begin(&t, "gcf", data, size, " tokens ");
    bool grouped = strstr(t.write, "group=") != NULL;
    if (trip_there(&t, grouped ? " out_of_range not_groupable " : " out_of_range ")) {
        trip_back(&t, grouped ? TRIP_READABLE : TRIP_LOOSE);
        if (grouped)
            trip_settled(&t); /* the columns may be met in another order then */
        else
            trip_again(&t);
        trip_limit(&t);
        trip_convert(&t);
    }
    trip_end(&t);
    return 0;
}
