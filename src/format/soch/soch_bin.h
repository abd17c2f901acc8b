/*
 * soch_bin.h - the bytes of the binary form.
 *
 *     0  "TOON"   4  u16 version 1   6  u16 flags   8  u64 rows        a header
 *     16 str name, varint fields, { str name, u8 type, [varint N] [str table] }
 *        rows x fields tagged values, row after row                    the body
 *     u32 CRC-32C of everything before it, where the flags say so      the footer
 *
 * Numbers are little-endian. A str is a varint length and as many bytes of UTF-8. A
 * varint has seven bits a byte, the lowest first, and no byte too many. A file may hold
 * several tables, one after the other. A compressed body is varint raw length, varint
 * compressed length, and that many bytes.
 *
 * In names, the one that stands for none is "_"; so where a real name is "_", or that
 * with backslashes before it, it is written with one more.
 */
#ifndef FORMAT_SOCH_SOCH_BIN_H
#define FORMAT_SOCH_SOCH_BIN_H

#include "format/soch/soch.h"

#define SOCH_BIN_MAGIC "TOON"

enum {
    SOCH_BIN_VERSION = 1,
    SOCH_BIN_HEADER_LEN = 16,
    SOCH_BIN_FOOTER_LEN = 4,
    SOCH_BIN_VARINT_LEN = 10,
    SOCH_BIN_NULLABLE = 0x80 /* of a type */
};

/* Flags. */
enum {
    SOCH_BIN_PACKED = 3, /* how the body is compressed */
    SOCH_BIN_SUMMED = 4,
    SOCH_BIN_SCHEMA = 8, /* always */
    SOCH_BIN_FLAGS = 15
};

/* Tags. Those of small numbers and texts hold them in their lower half. */
enum {
    SOCH_TAG_NULL = 0x00,
    SOCH_TAG_FALSE = 0x01,
    SOCH_TAG_TRUE = 0x02,
    SOCH_TAG_SMALL = 0x10,    /* 0 to 15 */
    SOCH_TAG_NEGATIVE = 0x20, /* -16 to -1 */
    SOCH_TAG_INT8 = 0x30,
    SOCH_TAG_INT16 = 0x31,
    SOCH_TAG_INT32 = 0x32,
    SOCH_TAG_INT64 = 0x33,
    SOCH_TAG_FLOAT32 = 0x40,
    SOCH_TAG_FLOAT64 = 0x41,
    SOCH_TAG_SHORT = 0x50, /* a text of 0 to 15 bytes */
    SOCH_TAG_TEXT8 = 0x60,
    SOCH_TAG_TEXT16 = 0x61,
    SOCH_TAG_TEXT32 = 0x62,
    SOCH_TAG_ARRAY = 0x70,
    SOCH_TAG_OBJECT = 0x71,
    SOCH_TAG_REF = 0x80,
    SOCH_TAG_VECTOR = 0x90,
    SOCH_TAG_BYTES = 0xA0,
    SOCH_TAG_UINT64 = 0xB0 /* 2^63 and more */
};

/* True for "_" with any number of backslashes before it, from `least` on. */
static inline bool soch_bin_is_marked(pith_text name, size_t least)
{
    size_t slashes = 0;
    while (slashes < name.len && name.ptr[slashes] == '\\')
        slashes++;
    return slashes >= least && slashes + 1 == name.len && name.ptr[slashes] == '_';
}

static inline uint64_t soch_bin_load(const char *at, unsigned bytes)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < bytes; i++)
        number |= (uint64_t)(unsigned char)at[i] << (8 * i);
    return number;
}

/* The same for four and for eight, spelled out: compilers make one load of it. */
static inline uint32_t soch_bin_load4(const char *at)
{
    const unsigned char *s = (const unsigned char *)at;
    return (uint32_t)s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16 |
           (uint32_t)s[3] << 24;
}

static inline uint64_t soch_bin_load8(const char *at)
{
    return soch_bin_load4(at) | (uint64_t)soch_bin_load4(at + 4) << 32;
}

static inline void soch_bin_store(char *to, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (char)(unsigned char)(number >> (8 * i));
}

/* The same for all eight, spelled out as well. */
static inline void soch_bin_store8(char *to, uint64_t number)
{
    unsigned char *s = (unsigned char *)to;
    s[0] = (unsigned char)number;
    s[1] = (unsigned char)(number >> 8);
    s[2] = (unsigned char)(number >> 16);
    s[3] = (unsigned char)(number >> 24);
    s[4] = (unsigned char)(number >> 32);
    s[5] = (unsigned char)(number >> 40);
    s[6] = (unsigned char)(number >> 48);
    s[7] = (unsigned char)(number >> 56);
}

#endif
