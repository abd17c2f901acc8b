/*
 * fuzz_trip_soch.c - drawn values through SochDB's tables, as text and as bytes. See trip.h.
 *
 * What is written as text is written as bytes too, unless one of them has no place for a
 * name or a number; both come back as the same tables. A value comes back as it was, but
 * for the order of keys and the spelling of numbers, unless missing cells were filled or a
 * table was given a name.
 */
#include "trip.h"

static const char refusals[] =
    " out_of_range unrepresentable not_an_array not_an_object no_fields unknown_column ";

/* The bytes of the tables that the text stands for, and back as text. */
static void as_bytes(const trip *t)
{
    pith_value root = pith_doc_root(t->back);
    pith_buffer bytes = fuzz_write(root, "soch-bin", NULL);
    pith_doc *doc = pith_doc_parse("soch-bin", bytes.data, bytes.len, NULL, NULL);
    TRIP_REQUIRE(t, doc != NULL);
    /* The original grammar has no exponents, so floats are spelled otherwise there. */
    bool spelled = strstr(t->write, "seed-only=true") != NULL;
    TRIP_REQUIRE(t, spelled ? fuzz_same_value(pith_doc_root(doc), root)
                            : pith_value_equal(pith_doc_root(doc), root));
    pith_buffer text = fuzz_write(pith_doc_root(doc), "soch", t->write);
    TRIP_REQUIRE(t, trip_same_text(t, &text));
    pith_buffer_free(&text);
    pith_buffer_free(&bytes);
    pith_doc_free(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    trip t;
    trip_begin(&t, "soch", data, size, " tokens ");
    bool filled = strstr(t.write, "fill-missing=true") || strstr(t.write, "name=");
    if (trip_there(&t, refusals)) {
        trip_back(&t, filled ? TRIP_READABLE : TRIP_LOOSE);
        trip_again(&t);
        trip_limit(&t);
        trip_convert(&t);
        trip_pieces(&t);
        as_bytes(&t);
    }
    trip_end(&t);
    return 0;
}
