/*
 * small_vocab.c - see small_vocab.h.
 *
 * Real files are megabytes. This one is read in a moment, which counts where it is
 * read once for each allocation it makes.
 */
#include "small_vocab.h"

#include <stdbool.h>
#include <stdio.h>

#define PATTERN                                                                          \
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?\\\\p{L}+|"              \
    "\\\\p{N}{1,3}| ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n]*|\\\\s*[\\\\r\\\\n]+|"        \
    "\\\\s+(?!\\\\S)|\\\\s+"

/* Each byte by its visible character, as GPT-2 has it. */
static void put_alphabet(bytes *text)
{
    unsigned hidden = 0x100;
    for (unsigned byte = 0; byte < 256; byte++) {
        bool visible = (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte != 0xAD);
        bytes_print(text, "\"\\u%04x\":%u,", visible ? byte : hidden++, byte + 10);
    }
}

/* With more tokens and merges in front of its own. */
static bytes make_json(const char *tokens, const char *merges)
{
    bytes text = {0};
    bytes_put(&text,
              "{\"version\":\"1.0\",\"added_tokens\":[{\"id\":5,\"content\":\"<|end|>\","
              "\"special\":true}],\"normalizer\":null,\"pre_tokenizer\":{\"type\":"
              "\"Sequence\",\"pretokenizers\":[{\"type\":\"Split\",\"pattern\":{"
              "\"Regex\":\"" PATTERN "\"},\"behavior\":\"Isolated\",\"invert\":false},"
              "{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"use_regex\":false}]},"
              "\"model\":{\"type\":\"BPE\",\"vocab\":{");
    put_alphabet(&text);
    bytes_print(&text, "%s\"na\":400,\"nam\":300,\"am\":350,\"id\":310},", tokens);
    bytes_print(&text, "\"merges\":[%s\"a m\",\"n a\",\"n am\",[\"i\",\"d\"]]}}", merges);
    return text;
}

bytes small_vocab_json(void)
{
    return make_json("", "");
}

bytes small_vocab_json_joining(unsigned digits)
{
    char token[32], merge[32];
    snprintf(token, sizeof token, "\"%02u\":410,", digits % 100);
    snprintf(merge, sizeof merge, "\"%u %u\",", digits / 10 % 10, digits % 10);
    return make_json(token, merge);
}
