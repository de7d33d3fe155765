"""Packs bytes for wf_base_unpack(): src/base/unpack.h describes the format. The generators beside it import it.

The parse into literals and matches is the cheapest for given prices of their bits, and the prices are those that the
parse before paid; the first one is greedy, and a few rounds settle it.
"""
import functools
import math

SHORTEST, LONGEST, FARTHEST = 2, 1 << 10, (1 << 16) - 1
TOP = 15  # numbers have at most this many bits below their first
SLOWEST = 5  # a model's last rate
ROUNDS = 3
EVEN = None  # the model of a bit that either way costs the same


def number_steps(name, value):
    """The steps, (model, bit), of a number from 1: the count of bits below the first in unary, then these bits."""
    top = value.bit_length() - 1
    for place in range(top):
        yield (name, place), 1
    if top < TOP:
        yield (name, top), 0
    for place in reversed(range(top)):
        yield EVEN, value >> place & 1


def literal_steps(before, byte, after_match):
    yield ("match", after_match), 0
    node = 1
    for place in reversed(range(8)):
        bit = byte >> place & 1
        yield ("literal", before >> 5, node), bit
        node = node * 2 + bit


def match_steps(length, distance, after_match):
    yield ("match", after_match), 1
    yield from number_steps("length", length - 1)
    yield from number_steps("distance", distance)


def steps(data, parse):
    """All steps of a parse, which is a list of (length, distance); literals have length 1."""
    at, after_match = 0, 0
    for length, distance in parse:
        if length == 1:
            yield from literal_steps(data[at - 1] if at else 0, data[at], after_match)
        else:
            yield from match_steps(length, distance, after_match)
        after_match = int(length > 1)
        at += length


def find_matches(data):
    """At each position, the nearest distance of each length that occurs before."""
    seen, pairs, found = {}, {}, []
    for at in range(len(data)):
        key, nearest, longest = data[at:at + 3], {}, 1
        if key[:2] in pairs and at - pairs[key[:2]] <= FARTHEST and len(key) >= 2:
            longest = 2
            nearest[2] = at - pairs[key[:2]]
        limit = min(LONGEST, len(data) - at)
        for start in reversed(seen.get(key, []) if limit >= 3 else []):
            length = 3
            if at - start > FARTHEST:
                break
            while length < limit and data[start + length] == data[at + length]:
                length += 1
            nearest.update((shorter, at - start) for shorter in range(longest + 1, length + 1))
            longest = max(longest, length)
            if longest == limit:
                break
        found.append(nearest)
        seen.setdefault(key, []).append(at)
        pairs[key[:2]] = at
    return found


def greedy(data, found):
    parse, at = [], 0
    while at < len(data):
        length = max(found[at], default=1)
        parse.append((length, found[at][length]) if length > 3 else (1, 0))
        at += parse[-1][0]
    return parse


def prices(data, parse):
    """What each bit of each model costs on average, as a function of steps."""
    counts = {}
    for model, bit in steps(data, parse):
        counts.setdefault(model, [0.4, 0.4])[bit] += 1
    bits = {(model, bit): math.log2(sum(count) / count[bit]) for model, count in counts.items() for bit in (0, 1)}
    return lambda these: sum(1 if model is EVEN else bits.get((model, bit), 5) for model, bit in these)


def cheapest(data, found, price):
    literal = functools.lru_cache(None)(lambda before, byte: price(literal_steps(before, byte, 0)))
    far = functools.lru_cache(None)(lambda distance: price(number_steps("distance", distance)))
    long = functools.lru_cache(None)(
        lambda length: price(match_steps(length, 1, 0)) - price(number_steps("distance", 1)))
    cost, choice = [0.0] * (len(data) + 1), [None] * len(data)
    for at in reversed(range(len(data))):
        best = literal(data[at - 1] if at else 0, data[at]) + cost[at + 1]
        choice[at] = (1, 0)
        for length, distance in found[at].items():
            total = long(length) + far(distance) + cost[at + length]
            if total < best:
                best, choice[at] = total, (length, distance)
        cost[at] = best
    parse, at = [], 0
    while at < len(data):
        parse.append(choice[at])
        at += choice[at][0]
    return parse


class Coder:
    """The range coder: what struct input of unpack.c undoes."""

    def __init__(self):
        self.out, self.low, self.range, self.models = bytearray(), 0, 0xFFFFFFFF, {}

    def bit(self, model, bit):
        if model is EVEN:
            bound = self.range >> 1
        else:
            zero, rate = self.models.get(model, (1 << 15, 1))
            bound = (self.range >> 16) * zero
            zero += -(zero >> rate) if bit else (0x10000 - zero) >> rate
            self.models[model] = (zero, min(rate + 1, SLOWEST))
        self.low += bound if bit else 0
        self.range = self.range - bound if bit else bound
        self.carry()
        while self.range < 1 << 24:
            self.out.append(self.low >> 24)
            self.low = self.low << 8 & 0xFFFFFFFF
            self.range <<= 8

    def carry(self):
        if self.low >> 32:
            at = len(self.out) - 1
            while self.out[at] == 0xFF:
                self.out[at] = 0
                at -= 1
            self.out[at] += 1
            self.low &= 0xFFFFFFFF

    def finish(self):
        return bytes(self.out) + self.low.to_bytes(4, "big")


def checksum(data):
    """FNV-1a."""
    value = 0x811C9DC5
    for byte in data:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def pack(data):
    data = bytes(data)
    found = find_matches(data)
    parse = greedy(data, found)
    for _ in range(ROUNDS):
        parse = cheapest(data, found, prices(data, parse))
    coder = Coder()
    for model, bit in steps(data, parse):
        coder.bit(model, bit)
    return checksum(data).to_bytes(4, "big") + coder.finish()


def write(out, symbol, data):
    """Writes C: the array `symbol` has the packed bytes, and the macro SYMBOL_SIZE is how many they unpack to."""
    packed = pack(data)
    out.write(f"#define {symbol.upper()}_SIZE {len(data)}\n\nstatic const unsigned char {symbol}[{len(packed)}] = {{\n")
    for at in range(0, len(packed), 24):
        out.write("    " + ",".join(str(byte) for byte in packed[at:at + 24]) + ",\n")
    out.write("};\n")
