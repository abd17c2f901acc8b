/*
 * fuzz_trip_pith.c - drawn values through the Pith notation and back. See trip.h.
 *
 * Nothing is refused. Unless a setting gives up order or digits, everything comes back as
 * it was, in no more bytes than compact JSON.
 */
#include "trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trip t;
    trip_begin(&t, "pith", data, size, "");
    bool loose = strstr(t.write, "numbers=shortest") || strstr(t.write, "order=free");
    pith_buffer json = fuzz_write(t.value, "json", NULL);
    pith_buffer text = fuzz_write(t.value, "pith", t.write);
    TRIP_REQUIRE(&t, text.len <= json.len);
    pith_buffer_free(&text);
    pith_buffer_free(&json);
    trip_all(&t, "", loose ? TRIP_LOOSE : TRIP_EXACT);
    return 0;
}
