#!/usr/bin/env python3
"""Writes samples for unpack.c, plain and packed. usage: unpack_samples.py TOOLS_GEN_FOLDER OUTPUT.h"""
import random
import sys


def samples():
    any_byte = random.Random(1)
    noise = bytes(any_byte.randrange(256) for _ in range(2000))
    few = bytes(any_byte.choice(b"\0\1\xff") for _ in range(2000))
    yield "empty", b""
    yield "one", b"\xff"
    yield "noise", noise
    yield "few", few
    yield "zeros", bytes(1100)  # longer than the longest match, which has 1,024
    yield "far", noise[:1100] + few + noise[:1100]
    yield "text", b"".join(b"%d bottles of beer on the wall, %d bottles of beer. " % (n, n) for n in range(99, 0, -1))


def main():
    sys.path.insert(0, sys.argv[1])
    import pack
    with open(sys.argv[2], "w", encoding="ascii") as out:
        for name, data in samples():
            numbers = "".join(f"{byte},\n" for byte in data + b"\0")  # C has no empty array
            out.write(f"static const unsigned char {name}_plain[] = {{\n{numbers}}};\n")
            pack.write(out, name, data)


if __name__ == "__main__":
    main()
