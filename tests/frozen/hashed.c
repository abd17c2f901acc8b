/*
 * hashed.c - adding to a hash.
 */
#include "hashed.h"

#include <stdio.h>
#include <string.h>

static void add(void *ctx, const char *label, const void *data, size_t len)
{
    hashed *one = ctx;
    sha256_add(&one->hash, label, strlen(label) + 1);
    sha256_add(&one->hash, data ? data : "", len);
    if (one->show) {
        printf("%s ", label);
        fwrite(data ? data : "", 1, len, stdout);
        putchar('\n');
    }
}

void hashed_start(hashed *one, bool show)
{
    one->to = (record){add, one};
    sha256_init(&one->hash);
    one->show = show;
}

void hashed_end(hashed *one, const char *way_name, const char *step_name)
{
    unsigned char digest[SHA256_BYTES];
    char hex[SHA256_HEX];
    sha256_end(&one->hash, digest);
    sha256_hex(digest, hex);
    printf("%-16s %-7s %.32s\n", way_name, step_name, hex);
}
