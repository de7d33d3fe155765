#!/usr/bin/env python3
"""Writes src/hal/srgb.c: the sRGB transfer function as tables that are right to the last bit.

usage: srgb.py > src/hal/srgb.c
"""
from decimal import Decimal, getcontext
import struct

getcontext().prec = 60
FIRST_OCTAVE = 114  # biased exponent of 2^-13; the first threshold lies above it
OCTAVES = 13
BUCKETS = 64  # per octave: at most two thresholds fall into each

HEAD = """// Made by tools/gen/srgb.py; do not edit.
#include "hal/texel.h"

#include "base/half.h"

// clang-format off
"""

ENCODE = """
uint8_t wf_hal_linear_to_srgb(float linear)
{
    const uint32_t bits = wf_base_float_bits(linear);
    if (!(linear >= 0x1p-13f))
        return 0;
    if (linear >= 1.0f)
        return 255;
    const uint32_t code = first[(bits - 0x39000000u) >> 17];
    return (uint8_t)(code + (bits >= limits[code]) + (bits >= limits[code + 1]));
}"""


def to_linear(encoded):
    if encoded <= Decimal("0.04045"):
        return encoded / Decimal("12.92")
    return ((encoded + Decimal("0.055")) / Decimal("1.055")) ** Decimal("2.4")


def from_bits(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def bits_below(value):
    """Bits of the largest positive float that is not above `value`."""
    low, high = 0, 0x7F800000
    while high - low > 1:
        middle = (low + high) // 2
        if Decimal(from_bits(middle)) <= value:
            low = middle
        else:
            high = middle
    return low


def nearest_bits(value):
    low = bits_below(value)
    below, above = Decimal(from_bits(low)), Decimal(from_bits(low + 1))
    if value - below < above - value or (value - below == above - value and low % 2 == 0):
        return low
    return low + 1


def print_table(declaration, texts, per_line):
    print(f"{declaration} = {{")
    for i in range(0, len(texts), per_line):
        print("    " + ", ".join(texts[i:i + per_line]) + ",")
    print("};")


def main():
    decoded = [nearest_bits(to_linear(Decimal(i) / 255)) for i in range(256)]
    # The smallest float that encodes to more than i; a threshold is never exactly a float.
    limits = [bits_below(to_linear((Decimal(i) + Decimal("0.5")) / 255)) + 1 for i in range(255)]
    limits.append(0x7F800000)
    first = []
    for bucket in range(OCTAVES * BUCKETS):
        start = (FIRST_OCTAVE << 23) + (bucket << 17)
        inside = [b for b in limits if start < b <= start + 0x1FFFF]
        assert len(inside) <= 2
        first.append(sum(1 for b in limits if b <= start))

    print(HEAD)
    print_table("const float wf_hal_srgb_to_linear[256]", [from_bits(b).hex() + "f" for b in decoded], 4)
    print("\n/// Bits of the smallest float that encodes to more than the index.")
    print_table("static const uint32_t limits[256]", [f"0x{b:08x}" for b in limits], 8)
    print("\n/// Code at the start of each 1/64 octave, from 2^-13 to 1.")
    print_table(f"static const uint8_t first[{len(first)}]", [str(f) for f in first], 24)
    print("// clang-format on")
    print(ENCODE)


main()
