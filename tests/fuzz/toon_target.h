/*
 * toon_target.h - any bytes as TOON, and any JSON through TOON and back: what the targets
 * for version 4, version 3 and toon-rows share.
 *
 *     byte 0   bit 0     of version 3: 3; else 3.0
 *              bit 1     nothing
 *              bit 2     strict=false
 *              bit 3     expand=safe, where the version has it
 *              bits 4-5  the delimiter to write with
 *              bits 6-7  the indentation: 1, 2, 3, 4
 *     byte 1   bit 0     nothing
 *              bit 1     the text is JSON, if it is
 *     the rest is the text
 *
 * What must hold: a text is refused with a place and a reason, and pith_check finds that
 * reason first; or it is accepted, and then pith_check finds nothing, being lenient
 * changes nothing about it, and the value survives JSON and TOON of every version and
 * delimiter. Rows may order their keys as the header does, and numbers are written in
 * their canonical digits: so keys are compared without regard to order and numbers by
 * value, but what TOON gives back must be written as the same TOON.
 */
#ifndef PITH_FUZZ_TOON_TARGET_H
#define PITH_FUZZ_TOON_TARGET_H

#include "fuzzing.h"

enum { DEPTH_MOST = 60 };

typedef enum toon_kind { TOON_4, TOON_3, TOON_ROWS } toon_kind;

typedef struct choices {
    const char *format;
    pith_options options;
    char read[64];
    char lax[64];
    char write[64];
    char read_back[64];
    bool version_3;
} choices;

static void choose(choices *c, toon_kind kind, uint8_t first)
{
    static const char *const delimiters[] = {"comma", "tab", "pipe", "comma"};
    memset(c, 0, sizeof *c);
    bool rows = kind == TOON_ROWS;
    int indent = (first >> 6) + 1;
    const char *version = kind == TOON_3 ? (first & 1 ? "3" : "3.0") : "4";
    c->format = rows ? "toon-rows" : "toon";
    c->version_3 = version[0] == '3';
    bool expand = c->version_3 && first & 8;
    if (rows) {
        snprintf(c->read, sizeof c->read, "indent=%d", indent);
        snprintf(c->lax, sizeof c->lax, "indent=%d", indent);
    } else {
        const char *paths = expand ? " expand=safe" : "";
        const char *strict = first & 4 ? "false" : "true";
        snprintf(c->read, sizeof c->read, "version=%s indent=%d strict=%s%s", version,
                 indent, strict, paths);
        snprintf(c->lax, sizeof c->lax, "version=%s indent=%d strict=false%s", version,
                 indent, paths);
    }
    snprintf(c->write, sizeof c->write, "version=%s indent=%d delimiter=%s", version,
             indent, delimiters[first >> 4 & 3]);
    snprintf(c->read_back, sizeof c->read_back, "version=%s indent=%d", version, indent);
    c->options.read = c->read;
    c->options.depth_max = DEPTH_MOST;
}

/* Through TOON and back. */
static void check_writing(const choices *c, pith_value root)
{
    pith_buffer toon = fuzz_write(root, "toon", c->write);
    pith_doc *doc = fuzz_read("toon", &toon, c->read_back);
    REQUIRE(fuzz_same_value(root, pith_doc_root(doc)));
    pith_buffer again = fuzz_write(pith_doc_root(doc), "toon", c->write);
    REQUIRE(fuzz_same_bytes(&again, &toon));
    pith_buffer_free(&again);
    pith_buffer_free(&toon);
    pith_doc_free(doc);
}

static void check_accepted(const choices *c, const char *text, size_t len,
                           pith_value root)
{
    fuzz_accepted(c->format, text, len, &c->options, root);
    pith_options lax = c->options;
    lax.read = c->lax;
    pith_doc *lenient = pith_doc_parse(c->format, text, len, &lax, NULL);
    REQUIRE(lenient != NULL);
    REQUIRE(pith_value_equal(pith_doc_root(lenient), root));
    pith_doc_free(lenient);
    check_writing(c, root);
}

static int toon_target(toon_kind kind, const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    choices c;
    choose(&c, kind, data[0]);
    size_t len = size - 2;
    char *text = fuzz_copy(data + 2, len);
    pith_error err = {0};
    pith_doc *doc = pith_doc_parse(c.format, text, len, &c.options, &err);
    if (doc)
        check_accepted(&c, text, len, pith_doc_root(doc));
    else
        fuzz_refused(c.format, text, len, &c.options, &err);
    pith_doc_free(doc);
    if (data[1] & 2) {
        pith_options options = {0};
        options.depth_max = DEPTH_MOST;
        doc = pith_doc_parse("json", text, len, &options, NULL);
        if (doc)
            check_writing(&c, pith_doc_root(doc));
        pith_doc_free(doc);
    }
    free(text);
    return 0;
}

#endif /* PITH_FUZZ_TOON_TARGET_H */
