/*
 * fuzz_trip_toon.c - drawn values through TOON of every version and back. See trip.h.
 *
 * Nothing is refused, and everything comes back, in its canonical digits. Folded keys need
 * expand=safe on the way back, which no key of the value with a point in it survives: those
 * need only be read, and what comes back may fold once more.
 */
#include "trip.h"

static bool has_point(pith_value value)
{
    for (pith_value v = pith_value_first(value); v.doc; v = pith_value_next(v)) {
        pith_text key = pith_value_key(v);
        if ((key.len && memchr(key.ptr, '.', key.len)) || has_point(v))
            return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trip t;
    trip_begin(&t, "toon", data, size, "");
    bool folded = strstr(t.write, "fold=safe") && strstr(t.write, "version=3");
    bool exact = !folded || !has_point(t.value);
    if (folded && exact)
        trip_say(t.read, "expand", "safe", 4);
    if (exact) {
        trip_all(&t, "", TRIP_LOOSE);
        return 0;
    }
    if (trip_there(&t, "")) {
        trip_back(&t, TRIP_READABLE);
        trip_limit(&t);
        trip_convert(&t);
    }
    trip_end(&t);
    return 0;
}
