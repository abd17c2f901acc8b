#!/usr/bin/env python3
"""Writes src/tokens/form_c_table.h: which characters Normalization Form C may touch.

    pip install --require-hashes --no-deps -r tests/tokens/requirements.txt
    python3 tools/gen_form_c.py > src/tokens/form_c_table.h

A text is in form C for certain when each of its characters may stand in such a text
(the property NFC_Quick_Check is Yes) and combining marks after each other are in the
order of their combining classes. So the table has the combining classes, and 255 for
characters that form C replaces or may join to the one before. It comes from Python's
copy of Unicode. A combining mark of tiktoken's newer Unicode that Python does not know
gets 255: nobody can say here that form C leaves it alone.
"""

import unicodedata

LAST = 0x110000
SURROGATES = range(0xD800, 0xE000)
CHANGES = 255


def seconds():
    """The characters that form C joins to the one before them, in some texts."""
    yield from range(0x1161, 0x1176)  # the vowels and finals of Hangul
    yield from range(0x11A8, 0x11C3)
    for code in range(LAST):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            pair = "".join(chr(int(part, 16)) for part in parts)
            if unicodedata.normalize("NFC", pair) == chr(code):
                yield int(parts[1], 16)


def orders(marks):
    """What the table says of each code point that is in it; `marks` are all of \\p{M}."""
    joined = set(seconds())
    found = {}
    for code in range(LAST):
        char = chr(code)
        if code in SURROGATES:
            continue
        unknown = code in marks and unicodedata.category(char) == "Cn"
        if unknown or code in joined or unicodedata.normalize("NFC", char) != char:
            found[code] = CHANGES
        elif unicodedata.combining(char):
            found[code] = unicodedata.combining(char)
    return found


def ranges(found):
    """Neighbours of one order together: first, last, order."""
    runs = []
    for code, order in sorted(found.items()):
        if runs and runs[-1][1] == code - 1 and runs[-1][2] == order:
            runs[-1][1] = code
        else:
            runs.append([code, code, order])
    return runs


def main():
    from gen_token_classes import members

    runs = ranges(orders(set(members(r"\p{M}"))))
    print(
        f"""/*
 * form_c_table.h - combining classes, for Unicode {unicodedata.unidata_version}; 255 is a
 * character that Normalization Form C replaces or may join. Written by
 * tools/gen_form_c.py; change it there.
 */
#ifndef TOKENS_FORM_C_TABLE_H
#define TOKENS_FORM_C_TABLE_H

#include <stdint.h>

typedef struct form_c_range {{
    uint32_t first;
    uint32_t last;
    uint8_t order;
}} form_c_range;

/* clang-format off */
static const form_c_range form_c_ranges[{len(runs)}] = {{"""
    )
    entries = [f"{{0x{first:X}, 0x{last:X}, {order}}}," for first, last, order in runs]
    for i in range(0, len(entries), 3):
        print("    " + " ".join(entries[i : i + 3]))
    print("};\n/* clang-format on */\n\n#endif")


if __name__ == "__main__":
    main()
