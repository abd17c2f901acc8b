/*
 * fuzz_trip_gcf1.c - drawn values through GCF 1 and back. See trip.h.
 *
 * GCF 1 cannot hold everything: it refuses what would be lost, and what it lets through
 * comes back. With lossy=true everything is written, and what is not lost as it is without.
 */
#include "trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trip t;
    trip_begin(&t, "gcf1", data, size, " lossy ");
    char words[TRIP_WORDS];
    memcpy(words, t.write, sizeof words);
    trip_say(words, "lossy", "true", 4);
    pith_buffer lax = fuzz_write(t.value, "gcf1", words);
    if (trip_there(&t, " lossy ")) {
        TRIP_REQUIRE(&t, trip_same_text(&t, &lax));
        trip_back(&t, TRIP_LOOSE);
        trip_limit(&t);
        trip_convert(&t);
        trip_pieces(&t);
    }
    pith_buffer_free(&lax);
    trip_end(&t);
    return 0;
}
