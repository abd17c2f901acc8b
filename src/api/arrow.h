/*
 * arrow.h - types of Arrow, as the files that read and write its arrays share them.
 *
 * A schema is a tree of structs from elsewhere. It is made a list once, parents before
 * children and the children of one side by side, and checked on the way; from then on
 * everything goes by numbers in that list:
 *
 *     {id: int64, tags: list<utf8>}     0 struct, children 1 and 2
 *                                       1 int "id"
 *                                       2 list "tags", child 3
 *                                       3 text
 */
#ifndef API_ARROW_H
#define API_ARROW_H

#include "base/arena.h"
#include "base/list.h"
#include "base/text.h"
#include "pith.h"

enum {
    ARROW_DEPTH_MOST = 64,
    ARROW_NODES_MOST = 100000,
    ARROW_SCALE_MOST = 1000,
    ARROW_MEMBERS_MOST = 128
};

typedef enum arrow_kind {
    ARROW_NULL,
    ARROW_BOOL,
    ARROW_INT,     /* width: 1, 2, 4, 8 */
    ARROW_UINT,    /* likewise */
    ARROW_FLOAT,   /* width: 2, 4, 8 */
    ARROW_DECIMAL, /* width: 4, 8, 16, 32; scale, precision */
    ARROW_TEXT,    /* width of an offset: 4 or 8 */
    ARROW_TEXT_VIEW,
    ARROW_BYTES, /* as TEXT */
    ARROW_BYTES_VIEW,
    ARROW_BYTES_FIXED,  /* size */
    ARROW_DATE,         /* width: 4 for days, 8 for milliseconds */
    ARROW_TIME,         /* width: 4 or 8; digits of the fraction: 0, 3, 6, 9 */
    ARROW_TIMESTAMP,    /* digits; zone */
    ARROW_DURATION,     /* digits */
    ARROW_MONTHS,       /* intervals: months, */
    ARROW_DAYS_MILLIS,  /* days and milliseconds, */
    ARROW_MONTHS_NANOS, /* months, days and nanoseconds */
    ARROW_LIST,         /* width of an offset: 4 or 8 */
    ARROW_LIST_VIEW,    /* likewise */
    ARROW_LIST_FIXED,   /* size */
    ARROW_STRUCT,
    ARROW_MAP,
    ARROW_UNION, /* dense or not; types */
    ARROW_RUNS
} arrow_kind;

/* What else a type is told to be. */
typedef enum arrow_extension {
    ARROW_PLAIN,
    ARROW_JSON, /* texts that are JSON */
    ARROW_UUID  /* 16 bytes */
} arrow_extension;

typedef enum arrow_zone {
    ARROW_LOCAL,  /* no zone is told */
    ARROW_UTC,    /* UTC, or a zone by its name, whose offset nobody here knows */
    ARROW_OFFSET, /* a fixed one */
} arrow_zone;

typedef struct arrow_type {
    arrow_kind kind;
    arrow_extension extension;
    uint8_t width;
    uint8_t digits;
    bool nullable;
    bool dense;
    arrow_zone zone;
    int32_t zone_seconds; /* of ARROW_OFFSET */
    bool named_zone;      /* of ARROW_UTC: it has a name of its own */
    int32_t precision;
    int32_t scale;
    int32_t size;
    uint16_t depth;
    pith_text name;
    pith_text format; /* as it was told */
    int8_t *members;  /* of a union: the number in it of each type, -1 for none */
    uint32_t first_child;
    uint32_t child_count;
    uint32_t dictionary; /* 0 for none */
} arrow_type;

typedef struct arrow_types {
    pith_alloc alloc;
    pith_arena texts;
    LIST(arrow_type) list; /* the first is the whole */
} arrow_types;

/* Copies a schema. Free the list whatever the outcome. */
pith_status arrow_types_read(arrow_types *types, const struct ArrowSchema *schema,
                             pith_alloc alloc, pith_error *err);
void arrow_types_free(arrow_types *types);

/* A copy that lives as long as the list, with a NUL after it; false when out of memory. */
bool arrow_keep_text(arrow_types *types, pith_text text, pith_text *kept);

/* PITH_OK when the whole is a struct: the columns of a table. */
pith_status arrow_types_check_table(const arrow_types *types, pith_error *err);

static inline bool arrow_is_scalar(const arrow_type *type)
{
    return type->kind < ARROW_LIST;
}

/* --- texts of numbers and times; each call returns the bytes written */

enum { ARROW_TEXT_MOST = 128 };

/* An integer of `width` bytes, two's complement, with a point before its last `scale`
 * digits: at most ARROW_TEXT_MOST + ARROW_SCALE_MOST bytes. */
size_t arrow_write_decimal(char *to, const uint8_t *bytes, unsigned width, int32_t scale);

/* The other way; false when digits would be lost or it does not fit. */
bool arrow_read_decimal(pith_text digits, const arrow_type *type, uint8_t *bytes);

/* The number with the fewest digits that a half-precision float of these bits is nearest
 * to, and the half that a double is, if it is one. */
double arrow_half_to_double(uint16_t half);
bool arrow_double_to_half(double number, uint16_t *half);

/* What the integer in a column of dates, times, timestamps or durations means. A time of
 * day that there is none of has no text: 0. */
size_t arrow_write_time(char *to, const arrow_type *type, int64_t number);

/* An interval, as it is in memory. */
size_t arrow_write_interval(char *to, const arrow_type *type, const uint8_t *bytes);

size_t arrow_write_uuid(char *to, const uint8_t *bytes);

/* The other way; false when it is not such a text, or the column cannot hold it. */
bool arrow_read_time(pith_text text, const arrow_type *type, int64_t *number);
bool arrow_read_uuid(pith_text text, uint8_t *bytes);

#endif
