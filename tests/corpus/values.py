"""Numbers as the tests write them, and as bytes."""
import re
import struct

CODES = {("float", 16): "e", ("float", 32): "f", ("float", 64): "d",
         ("int", 8): "b", ("int", 16): "h", ("int", 32): "i", ("int", 64): "q",
         ("uint", 8): "B", ("uint", 16): "H", ("uint", 32): "I", ("uint", 64): "Q"}


def parse(word, kind, bits):
    """A number of that kind; hexadecimal digits of a float are its bits."""
    if kind == "float":
        if re.match(r"[-+]?0x", word, re.I):
            unsigned = struct.pack("<" + CODES["uint", bits], int(word, 16) & (1 << bits) - 1)
            return struct.unpack("<" + CODES["float", bits], unsigned)[0]
        return float(word)
    word = word.rstrip("uU")
    try:
        value = int(word, 0)
    except ValueError:
        value = int(word, 8) if re.match(r"-?0\d+$", word) else int(float(word))
    return value & (1 << bits) - 1


def pack(word, kind, bits):
    value = parse(word, kind, bits)
    if kind != "float":
        return struct.pack("<" + CODES["uint", bits], value)
    try:
        return struct.pack("<" + CODES[kind, bits], value)
    except OverflowError:
        return struct.pack("<" + CODES[kind, bits], float("inf") if value > 0 else float("-inf"))


def split(text):
    """Words between blanks, commas, brackets and semicolons."""
    return re.findall(r"[^\s,();]+", text)


def floats(text):
    return [parse(word, "float", 32) for word in split(text)]
