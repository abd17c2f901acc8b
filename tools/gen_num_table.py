#!/usr/bin/env python3
"""Writes src/base/num_table.h, the powers of ten that src/base/num.c multiplies by.

    tools/gen_num_table.py            write the table
    tools/gen_num_table.py --check    fail when the file on disk is another one, or
                                      when a claim that num.c rests on does not hold

The claims are checked for every exponent a double can have, with whole numbers only:
the shift-and-multiply logarithms are right, and no scaled double comes so close to an
integer that 128 bits of a power of ten could put it on the wrong side (see "shortest
digits" in num.c, which says what the margins are for).
"""

import math
import pathlib
import sys
from fractions import Fraction

# The least power reading needs: 19 digits times 10^-343 are less than half of the
# smallest double. The most that writing needs: 5e-324 is scaled up by 10^324.
POWER_LEAST, POWER_MOST = -342, 324

# A finite double is c * 2^e with c < 2^53 and e in this range.
EXPONENT_LEAST, EXPONENT_MOST = -1074, 971

# 5^55 is the last power of five within 128 bits, and twos only move the point.
EXACT_MOST = 55

TABLE = pathlib.Path(__file__).resolve().parent.parent / "src" / "base" / "num_table.h"

HEAD = f"""\
/*
 * num_table.h - powers of ten to 128 bits. Written by tools/gen_num_table.py; change it
 * there.
 *
 * Row i stands for 10^p with p = i + NUM_POWER_LEAST. Its two words, the high one first,
 * are the 128-bit number g with its top bit set for which
 *
 *     (g - 1) * 2^(b - 127)  <  10^p  <=  g * 2^(b - 127),     b = floor(log2(10^p)),
 *
 * that is, the power rounded up. It is exact for p from 0 to {EXACT_MOST}.
 */
#ifndef BASE_NUM_TABLE_H
#define BASE_NUM_TABLE_H

#include <stdint.h>

enum {{ NUM_POWER_LEAST = {POWER_LEAST}, NUM_POWER_MOST = {POWER_MOST} }};

/* clang-format off */
static const uint64_t num_powers_of_ten[NUM_POWER_MOST - NUM_POWER_LEAST + 1][2] = {{
"""

TAIL = """\
};
/* clang-format on */

#endif
"""


def power(base, exponent):
    return Fraction(base) ** exponent


def floor_log2(value):
    """floor(log2(value)) of a positive Fraction."""
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if power(2, guess) <= value else guess - 1


def floor_log10(value):
    """floor(log10(value)) of a positive Fraction."""
    guess = floor_log2(value) * 30103 // 100000 - 1
    while power(10, guess + 1) <= value:
        guess += 1
    return guess


def row(exponent):
    ten = power(10, exponent)
    g = math.ceil(ten * power(2, 127 - floor_log2(ten)))
    assert 1 << 127 <= g < 1 << 128
    high, low = divmod(g, 1 << 64)
    return f"    {{0x{high:016x}u, 0x{low:016x}u}}, /* {exponent} */\n"


def table():
    rows = (row(p) for p in range(POWER_LEAST, POWER_MOST + 1))
    return HEAD + "".join(rows) + TAIL


def distances_to_integers(ratio, most):
    """How near x * ratio comes to an integer from above and from below, over all whole x
    in [1, most] for which it is none. The two record holders found so far, x1 above and
    x2 below, can only be beaten by x1 + x2: Euclid's algorithm, walked in strides."""
    a, b = ratio.numerator, ratio.denominator
    if b <= most:
        return Fraction(1, b), Fraction(1, b)
    x1, above = 1, a % b
    x2, below = 1, b - a % b
    while x1 + x2 <= most:
        if above >= below:
            stride = min((above - 1) // below, (most - x1) // x2)
            x1, above = x1 + stride * x2, above - stride * below
        else:
            stride = min((below - 1) // above, (most - x2) // x1)
            x2, below = x2 + stride * x1, below - stride * above
        if stride == 0:
            break
    return Fraction(above, b), Fraction(below, b)


def check_claims():
    """Every claim about numbers that a comment in num.c makes."""
    for p in range(POWER_LEAST, POWER_MOST + 1):
        assert floor_log2(power(10, p)) == (p * 217706) >> 16, p
    assert 5**EXACT_MOST < 2**128 < 5 ** (EXACT_MOST + 1)
    above = below = Fraction(1)
    for e in range(EXPONENT_LEAST, EXPONENT_MOST + 1):
        two = power(2, e)
        even = floor_log10(two)
        uneven = floor_log10(two * Fraction(3, 4))
        assert even == (e * 315653) >> 20, e
        assert uneven == (e * 315653 - 131008) >> 20, e
        for k in (even, uneven):
            assert POWER_LEAST <= -k <= POWER_MOST, e
            assert 0 <= e + floor_log2(power(10, -k)) + 1 <= 4, e
            near = distances_to_integers(two / power(10, k), 4 * 2**53)
            above, below = min(above, near[0]), min(below, near[1])
    assert above > power(2, -66) and below > power(2, -66)


def main(arguments):
    if arguments == ["--check"]:
        check_claims()
        if TABLE.read_text(encoding="ascii") != table():
            sys.exit(f"{TABLE.name} is not what {pathlib.Path(__file__).name} writes")
    elif arguments:
        sys.exit(__doc__)
    else:
        TABLE.write_text(table(), encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1:])
