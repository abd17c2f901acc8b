#!/usr/bin/env python3
"""Writes src/tokens/class_table.h: what the tokenizers' patterns ask of a code point.

    pip install --require-hashes --no-deps -r tests/tokens/requirements.txt
    python3 tools/gen_token_classes.py > src/tokens/class_table.h

The patterns name classes such as \\p{Lu} and \\s, and what those hold depends on the
Unicode version of the regular expressions that tiktoken is built with. So the classes
are not taken from a copy of Unicode's data but asked of tiktoken itself: a vocabulary
of the 256 bytes whose pattern is one class gives back exactly the characters in it.

One flag is no class of a pattern: whether Normalization Form C may change a text on
account of this character: it is one of those in the table of gen_form_c.py.

A code point's class is a byte of flags (see class.h). The table has two steps: the
upper bits choose a block of 256 classes, and equal blocks are kept once.
"""

import tiktoken

from gen_form_c import orders

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
    for code in orders(set(members(r"\p{M}"))):
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


if __name__ == "__main__":
    main()
