#!/usr/bin/env python3
"""Writes src/tokens/class_table.h: what the tokenizers' patterns ask of a code point.

    pip install tiktoken && python3 tools/gen_token_classes.py > src/tokens/class_table.h

The patterns name classes such as \\p{Lu} and \\s, and what those hold depends on the
Unicode version of the regular expressions that tiktoken is built with. So the classes
are not taken from a copy of Unicode's data but asked of tiktoken itself: a vocabulary
of the 256 bytes whose pattern is one class gives back exactly the characters in it.

One flag is no class of a pattern: whether Normalization Form C may change a text on
account of this character. That comes from Python, and a combining mark that Python does
not know yet has the flag.

A code point's class is a byte of flags (see class.h). The table has two steps: the
upper bits choose a block of 256 classes, and equal blocks are kept once.
"""

import unicodedata

import tiktoken

FLAGS = {  # flag: the patterns that set it
    1: [r"\p{Lu}", r"\p{Lt}", r"\p{Lm}", r"\p{Lo}", r"\p{M}"],
    2: [r"\p{Ll}", r"\p{Lm}", r"\p{Lo}", r"\p{M}"],
    4: [r"\p{L}"],
    8: [r"\p{N}"],
    16: [r"\s"],
    32: [r"[\r\n]"],
    64: [r"\p{P}", r"\p{S}"],
}
UNSTABLE = 128
JOINING = (7, 9)  # combining classes of signs that stay where they are
LAST = 0x110000
BLOCK = 256
SURROGATES = range(0xD800, 0xE000)


def members(pattern):
    """The code points that tiktoken's regular expressions find in a class."""
    probe = tiktoken.Encoding(
        "probe",
        pat_str=pattern,
        mergeable_ranks={bytes([i]): i for i in range(256)},
        special_tokens={},
    )
    codes = [code for code in range(LAST) if code not in SURROGATES]
    for i in range(0, len(codes), 4096):
        text = "".join(map(chr, codes[i : i + 4096]))
        yield from map(ord, bytes(probe.encode_ordinary(text)).decode())


def unstable():
    """The code points that make a text one that Normalization Form C might change."""
    seconds = set()
    for code in range(LAST):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            seconds.add(int(parts[1], 16))
    seconds.update(range(0x1161, 0x1176))  # the vowels and finals of Hangul
    seconds.update(range(0x11A8, 0x11C3))
    for code in range(LAST):
        char = chr(code)
        if code in SURROGATES:
            continue
        moves = unicodedata.combining(char) not in (0, *JOINING)
        changes = unicodedata.normalize("NFC", char) != char
        if moves or changes or code in seconds:
            yield code


def newest_version():
    """The newest Unicode version whose name the regular expressions know."""
    for major in range(30, 14, -1):
        try:
            next(members(rf"\p{{Age={major}.0}}"))
            return major
        except ValueError:
            continue
    raise SystemExit("no Unicode version is known")


def rows(values, width):
    line = "   "
    for value in values:
        entry = f" {value},"
        if len(line) + len(entry) > width:
            yield line
            line = "   "
        line += entry
    yield line


def main():
    classes = bytearray(LAST)
    for flag, patterns in FLAGS.items():
        for pattern in patterns:
            for code in members(pattern):
                classes[code] |= flag
    for code in unstable():
        classes[code] |= UNSTABLE
    for code in members(r"\p{M}"):
        if unicodedata.category(chr(code)) == "Cn":
            classes[code] |= UNSTABLE
    blocks, steps = [], []
    for i in range(0, LAST, BLOCK):
        block = bytes(classes[i : i + BLOCK])
        if block not in blocks:
            blocks.append(block)
        steps.append(blocks.index(block))
    assert len(blocks) <= 256
    print(
        f"""/*
 * class_table.h - flags of every code point, for Unicode {newest_version()}. Written by
 * tools/gen_token_classes.py from tiktoken {tiktoken.__version__}; change it there.
 */
#ifndef TOKENS_CLASS_TABLE_H
#define TOKENS_CLASS_TABLE_H

#include <stdint.h>

/* clang-format off */
static const uint8_t class_steps[{len(steps)}] = {{"""
    )
    print("\n".join(rows(steps, 90)))
    print(f"}};\n\nstatic const uint8_t class_blocks[{len(blocks)}][{BLOCK}] = {{")
    for block in blocks:
        print("    {")
        print("\n".join("    " + line for line in rows(block, 86)))
        print("    },")
    print("};\n/* clang-format on */\n\n#endif")


main()
