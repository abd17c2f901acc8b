/*
 * soch.h - SochDB's typed tables, as text and as binary: what both have in common.
 *
 *     users[2]{id:uint,name:text}:1,Alice;2,Bob
 *
 * docs/formats/soch.md is the specification. Values that JSON does not have are on the
 * tape as JSON would spell them, with a flag (see SLOT_TYPED), and the types of columns
 * are beside the document (see doc/schema.h). So both decoders make documents that every
 * encoder can write, and both encoders write documents of any decoder.
 */
#ifndef FORMAT_SOCH_SOCH_H
#define FORMAT_SOCH_SOCH_H

#include "doc/build.h"
#include "doc/typed.h"
#include "format/format.h"

/* The settings of `soch`, in the order of their table. */
enum {
    SOCH_ROWS,
    SOCH_TYPES,
    SOCH_NULL,
    SOCH_BOOL,
    SOCH_MIN_TOKENS,
    SOCH_SEED_ONLY,
    SOCH_FILL_MISSING,
    SOCH_NAME,
    SOCH_STRICT,
    SOCH_COMPAT,
    SOCH_FIELDS,
    SOCH_REFS
};

/* The settings of `soch-bin`. */
enum {
    SOCH_BIN_COMPRESS,
    SOCH_BIN_CHECKSUM,
    SOCH_BIN_FILL_MISSING,
    SOCH_BIN_NAME,
    SOCH_BIN_RAW_MAX,
    SOCH_BIN_TYPES,
    SOCH_BIN_FIELDS,
    SOCH_BIN_REFS
};

enum { SOCH_ROWS_COMPACT, SOCH_ROWS_LINES, SOCH_ROWS_NL };
enum { SOCH_TYPES_AUTO, SOCH_TYPES_ALL, SOCH_TYPES_NONE, SOCH_TYPES_INFER };

/* The settings that both forms have. */
#define SOCH_SETTING_FILL                                                                \
    {                                                                                    \
        "fill-missing", PITH_SETTING_BOOL, PITH_WRITE, NULL, 0, 0, "false",              \
            "make a table of objects that differ, with null for what is missing"         \
    }
#define SOCH_SETTING_NAME                                                                \
    {                                                                                    \
        "name", PITH_SETTING_TEXT, PITH_WRITE, NULL, 0, 0, "",                           \
            "the name of a table that has none"                                          \
    }
#define SOCH_SETTING_FIELDS                                                              \
    {                                                                                    \
        "fields", PITH_SETTING_TEXT, PITH_WRITE, NULL, 0, 0, "",                         \
            "the types of columns, as in id:uint,amount:float; what does not fit is "    \
            "refused"                                                                    \
    }
#define SOCH_SETTING_REFS                                                                \
    {                                                                                    \
        "refs", PITH_SETTING_CHOICE, PITH_READ | PITH_WRITE, "object|text", 0, 0,        \
            "object",                                                                    \
            "a reference outside this format: an object, or the text ref(users,42)"      \
    }

/* What the settings of either form ask of the tables to be written. */
typedef struct soch_wish {
    unsigned types;   /* SOCH_TYPES_... */
    pith_text fields; /* columns that are declared, as a header has them */
    pith_text name;   /* of a table that has none; or empty */
    bool fill;        /* a missing cell is null */
    bool seed_only;
    bool refs; /* a text ref(users,42) is a reference */
} soch_wish;

#define SOCH_NULL_SIGN "\xE2\x88\x85" /* U+2205, the empty set */

/* The name of the table that stands for a value without one. */
#define SOCH_UNNAMED "_"

void soch_decode(decode_job *job);
extern const read_codec soch_read;
pith_status soch_encode(encode_job *job);
void soch_bin_decode(decode_job *job);
extern const read_codec soch_bin_read;
pith_status soch_bin_encode(encode_job *job);

extern const struct row_format soch_row_format;
extern const struct row_format soch_bin_row_format;

extern const codec soch_format;
extern const codec soch_bin_format;

/* ------------------------------------------------- names, texts, types: soch_text.c */

/* A text that would be trimmed, be null or a reference; it is not empty. */
bool soch_is_special(pith_text text);

/* Must be quoted in every column: it is that, or empty, or would end. */
bool soch_must_quote(pith_text text);

/* Would be read as something else than text where no type is known: a number, a bool,
 * bytes. In a column of texts it needs no quotes. */
bool soch_looks_like(pith_text text);

/* A name that needs no quotes. */
bool soch_is_identifier(pith_text name);

/* The word for a type, such as "uint"; of vec and ref without what is in parentheses.
 * NULL for PITH_TYPE_ANY. */
const char *soch_type_word(pith_type type);

/* The type of that name, aliases included; PITH_TYPE_ANY when there is none. Of `*basic`
 * says whether the seed's grammar has it. */
pith_type soch_type_named(pith_text word, bool *basic);

/* ------------------------------------------------------------ roots: soch_root.c */

/* The tables of a document have been read, one after the other, each an array of
 * objects: makes them one value, as the specification says.
 *
 *     one unnamed table of one cell `_`     that cell
 *     one unnamed table                     an array of objects
 *     names that differ                     an object: {"users":[...],"orders":[...]}
 *     any others                            an array: [{"users":[...]},{"users":[...]}]
 *
 * `wrapped` says that slot 0 was left free for the root. False when out of memory. */
bool soch_make_root(pith_doc *doc, bool wrapped);

/* What is around a lone cell will go, so it counts for nothing when depth is limited: if
 * the table whose header was read last may be one, the limit of the document grows, by
 * the number that is returned. Whoever reads takes it back. */
size_t soch_lend_depth(pith_doc *doc);

/* True when the root that was made is deeper than the limit after all: there was lent
 * depth and no lone cell, or objects came around tables. */
bool soch_is_too_deep(const pith_doc *doc, size_t lent);

#endif
