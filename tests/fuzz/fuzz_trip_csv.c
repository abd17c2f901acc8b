/*
 * fuzz_trip_csv.c - drawn values through CSV and TSV and back. See trip.h.
 *
 * An odd size of the input makes it TSV. A table comes back with every type, unless a
 * setting gives something up: names, nested values, the difference between null and
 * nothing, or texts that begin as formulas do. Without all quotes, cells have to be read
 * one by one.
 */
#include "trip.h"

static trip_match closeness(const trip *t)
{
    bool given_up = strstr(t->write, "header=false") || strstr(t->write, "nested=json") ||
                    strstr(t->write, "absent=null") || strstr(t->write, "absent=union") ||
                    strstr(t->write, "formulas=quote");
    return given_up ? TRIP_READABLE : TRIP_LOOSE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trip t;
    trip_begin(&t, size % 2 ? "tsv" : "csv", data, size, "");
    if (strstr(t.write, "quote=needed"))
        trip_say(t.read, "types", "cells", 5);
    if (trip_there(&t, " not_an_array not_an_object no_fields nested_value "
                       "missing_field extra_field formula ")) {
        trip_back(&t, closeness(&t));
        if (closeness(&t) == TRIP_LOOSE)
            trip_again(&t);
        trip_limit(&t);
        trip_convert(&t);
        trip_pieces(&t);
    }
    trip_end(&t);
    return 0;
}
