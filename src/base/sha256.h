/*
 * sha256.h - SHA-256 (FIPS 180-4), for the roots that name a snapshot.
 *
 *     sha256 hash;
 *     sha256_init(&hash);
 *     sha256_add(&hash, bytes, len);      as often as you like
 *     sha256_end(&hash, digest);
 */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32, SHA256_BLOCK = 64, SHA256_HEX = 64 };

typedef struct sha256 {
    uint32_t state[8];
    uint64_t total; /* bytes added */
    unsigned char block[SHA256_BLOCK];
} sha256;

void sha256_init(sha256 *hash);
void sha256_add(sha256 *hash, const void *bytes, size_t len);
void sha256_end(sha256 *hash, unsigned char digest[SHA256_BYTES]);

/* The digest in 64 lowercase hexadecimal digits; no NUL after them. */
void sha256_hex(const unsigned char digest[SHA256_BYTES], char hex[SHA256_HEX]);

#endif
