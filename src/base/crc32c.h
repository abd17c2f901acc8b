/*
 * crc32c.h - the Castagnoli checksum: reflected polynomial 0x82F63B78, all ones before
 * and after. "123456789" gives 0xE3069283.
 */
#ifndef BASE_CRC32C_H
#define BASE_CRC32C_H

#include "pith.h"

/* Goes on from `sum`, which is 0 at the start. */
uint32_t crc32c(uint32_t sum, const void *data, size_t len);

/* The checksum of two texts, one after the other, from the checksums of each and the
 * length of the second: what came first may be known last. */
uint32_t crc32c_join(uint32_t first, uint32_t second, uint64_t second_len);

#endif
