/*
 * fuzz_trip_delta.c - drawn snapshots, told by a producer and held by a consumer.
 *
 *     byte 0   bit 0     the key is the field a; else there is none
 *              bits 1-2  what a delta may take of the full answer: 60, 10, 100 percent, all
 *              bits 3-4  when to send everything: usual, by size, never, usual
 *              bit 5     the consumer asks with a root it does not hold
 *     the rest is up to six values, see drawn.h
 *
 * What must hold: what is no snapshot is refused and changes nothing; after every other
 * answer the consumer holds the root of the value it was asked for, and so does the
 * producer.
 */
#include "drawn.h"
#include "fuzzing.h"

#include "base/text.h"

enum { TURNS_MOST = 6 };

static void check_answer(pith_snapshot *consumer, const pith_buffer *text,
                         const char *root)
{
    pith_error err = {0};
    pith_delta_kind got = PITH_DELTA_FULL;
    pith_delta_info info;
    REQUIRE(pith_delta_look(text->data, text->len, &info, &err) == PITH_OK);
    pith_status status = pith_snapshot_apply(consumer, text->data, text->len, &got, &err);
    if (status != PITH_OK) {
        fprintf(stderr, "%s: %s\n%.*s\n", err.code, err.message, (int)text->len,
                text->data);
    }
    REQUIRE(status == PITH_OK && got == info.kind);
    REQUIRE(strcmp(pith_snapshot_root(consumer), root) == 0);
}

static void turn(pith_snapshot *producer, pith_snapshot *consumer, pith_value value,
                 const char *key, bool strange)
{
    pith_root before, wanted;
    pith_error err = {0};
    pith_buffer text = {0};
    pith_delta_kind answer = PITH_DELTA_FULL;
    snprintf(before.text, sizeof before.text, "%s", pith_snapshot_root(producer));
    bool rooted = pith_value_root(value, text_from(key), NULL, &wanted, NULL) == PITH_OK;
    const char *held = strange ? "sha256:00" : pith_snapshot_root(consumer);
    pith_status status = pith_snapshot_write(producer, held[0] ? held : NULL, value,
                                             pith_sink_buffer(&text), &answer, &err);
    if (status == PITH_OK) {
        REQUIRE(rooted);
        check_answer(consumer, &text, pith_snapshot_root(producer));
    } else {
        bool keyless = !key && status == PITH_BAD_USE; /* rows that nothing tells apart */
        REQUIRE(keyless || status == PITH_UNREPRESENTABLE || status == PITH_BAD_INPUT ||
                strcmp(err.code, "sparse_limit") == 0);
        REQUIRE(err.code != NULL && err.message[0] != '\0');
        REQUIRE(strcmp(pith_snapshot_root(producer), before.text) == 0);
    }
    pith_buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t guards[] = {0, 10, 100, PITH_GUARD_OFF};
    static const pith_anchor anchors[] = {PITH_ANCHOR_TURNS, PITH_ANCHOR_SIZE,
                                          PITH_ANCHOR_NEVER, PITH_ANCHOR_TURNS};
    draw from = draw_from(data, size);
    uint8_t byte = draw_byte(&from);
    pith_policy policy = {0};
    policy.key = text_from(byte & 1 ? "a" : NULL);
    policy.guard_percent = guards[byte >> 1 & 3];
    policy.anchor = anchors[byte >> 3 & 3];
    policy.turns = 4;
    pith_snapshot *producer = pith_snapshot_new(&policy, NULL, NULL);
    pith_snapshot *consumer = pith_snapshot_new(NULL, NULL, NULL);
    REQUIRE(producer != NULL && consumer != NULL);
    for (int i = 0; i < TURNS_MOST && from.at < from.end; i++) {
        pith_doc *doc = draw_doc(&from);
        turn(producer, consumer, pith_doc_root(doc), byte & 1 ? "a" : NULL, byte & 32);
        pith_doc_free(doc);
    }
    pith_snapshot_free(producer);
    pith_snapshot_free(consumer);
    return 0;
}
