/*
 * base64.c - three bytes are four letters of six bits each.
 */
#include "base/base64.h"

#include <assert.h>

static const char base64_letters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t base64_write(char *to, const void *bytes, size_t len)
{
    const unsigned char *from = (const unsigned char *)bytes;
    char *start = to;
    for (; len >= 3; len -= 3, from += 3) {
        uint32_t group = (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];
        *to++ = base64_letters[group >> 18];
        *to++ = base64_letters[group >> 12 & 63];
        *to++ = base64_letters[group >> 6 & 63];
        *to++ = base64_letters[group & 63];
    }
    if (len > 0) {
        uint32_t group = (uint32_t)from[0] << 16 | (len > 1 ? (uint32_t)from[1] << 8 : 0);
        *to++ = base64_letters[group >> 18];
        *to++ = base64_letters[group >> 12 & 63];
        *to++ = len > 1 ? base64_letters[group >> 6 & 63] : '=';
        *to++ = '=';
    }
    return (size_t)(to - start);
}

/* The six bits of a letter; 64 for anything else. */
static unsigned base64_value(char letter)
{
    if (letter >= 'A' && letter <= 'Z')
        return (unsigned)(letter - 'A');
    if (letter >= 'a' && letter <= 'z')
        return (unsigned)(letter - 'a') + 26;
    if (letter >= '0' && letter <= '9')
        return (unsigned)(letter - '0') + 52;
    return letter == '+' ? 62 : letter == '/' ? 63 : 64;
}

bool base64_check(const char *text, size_t len, size_t *bytes)
{
    if (len % 4 != 0)
        return false;
    size_t padding = 0;
    while (padding < 2 && padding < len && text[len - 1 - padding] == '=')
        padding++;
    size_t letters = len - padding;
    unsigned last = 0;
    for (size_t i = 0; i < letters; i++) {
        last = base64_value(text[i]);
        if (last == 64)
            return false;
    }
    /* What does not fill a byte must be 0: two bits before =, four before ==. */
    if (padding > 0 && last & (padding == 1 ? 3u : 15u))
        return false;
    *bytes = len / 4 * 3 - padding;
    return true;
}

void base64_read(void *to, size_t room, const char *text, size_t len)
{
    assert(len % 4 == 0);
    unsigned char *out = (unsigned char *)to;
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t i = 0; i < len && text[i] != '=' && room > 0; i++) {
        bits = (bits << 6 | base64_value(text[i])) & 0xFFFFu;
        held += 6;
        if (held >= 8) {
            held -= 8;
            *out++ = (unsigned char)(bits >> held);
            room--;
        }
    }
}
