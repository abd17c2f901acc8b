#!/usr/bin/env python3
"""gen_crc32c_table.py - writes src/base/crc32c_table.h: CRC-32C, eight bytes at a step.

Row 0 is the usual table of one byte; row k is the same byte followed by k zero bytes.

    usage: gen_crc32c_table.py [--check]
"""

import pathlib
import sys

POLYNOMIAL = 0x82F63B78
TARGET = pathlib.Path(__file__).parent.parent / "src" / "base" / "crc32c_table.h"

HEAD = """\
/*
 * crc32c_table.h - CRC-32C of each byte followed by 0 to 7 zero bytes. Written by
 * tools/gen_crc32c_table.py; change it there.
 */
#ifndef BASE_CRC32C_TABLE_H
#define BASE_CRC32C_TABLE_H

#include <stdint.h>

/* clang-format off */
static const uint32_t crc32c_table[8][256] = {
"""
TAIL = """\
};
/* clang-format on */

#endif
"""


def step(value):
    for _ in range(8):
        value = value >> 1 ^ (POLYNOMIAL if value & 1 else 0)
    return value


def text():
    rows = [[step(byte) for byte in range(256)]]
    for _ in range(7):
        rows.append([value >> 8 ^ rows[0][value & 255] for value in rows[-1]])
    lines = []
    for row in rows:
        lines.append("    {\n")
        for at in range(0, 256, 6):
            words = ", ".join(f"0x{value:08x}" for value in row[at : at + 6])
            lines.append(f"        {words},\n")
        lines.append("    },\n")
    return HEAD + "".join(lines) + TAIL


def main():
    if sys.argv[1:] == ["--check"]:
        if TARGET.read_text() != text():
            sys.exit(f"{TARGET.name} is not what {pathlib.Path(__file__).name} writes")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        TARGET.write_text(text())


main()
