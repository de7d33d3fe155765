"""What was drawn against what a test expects."""
import struct

from stage import Failure

# Readable formats: code of struct, components, divisor of normalised ones.
READABLE = {
    "rgba8_unorm": ("B", 4, 255.0), "r8_unorm": ("B", 1, 255.0), "rg8_unorm": ("B", 2, 255.0),
    "rgba16_unorm": ("H", 4, 65535.0), "rgba8_snorm": ("b", 4, 127.0),
    "rgba32_float": ("f", 4, None), "rg32_float": ("f", 2, None), "r32_float": ("f", 1, None),
    "rgba16_float": ("e", 4, None), "rg16_float": ("e", 2, None), "r16_float": ("e", 1, None),
    "rgba32_uint": ("I", 4, None), "rgba32_sint": ("i", 4, None), "r32_uint": ("I", 1, None),
    "r32_sint": ("i", 1, None), "rg32_uint": ("I", 2, None), "rg32_sint": ("i", 2, None),
    "rgba8_uint": ("B", 4, None), "rgba8_sint": ("b", 4, None), "d32_float": ("f", 1, None),
    "rgba16_uint": ("H", 4, None), "rgba16_sint": ("h", 4, None),
}
DEFAULT_TOLERANCE = [3.0 / 256.0] * 4


def pixel_bytes(format_):
    code, count, _ = READABLE[format_]
    return struct.calcsize(code) * count


def color_checker(format_, rect, expected, tolerance):
    """A reader that holds every pixel of a rectangle against one color."""
    x, y, width, height = rect
    size = pixel_bytes(format_)

    def check(data):
        for texel, place in distinct(data, size):
            values = decode(format_, texel)
            if any(not abs(values[i] - want) < max(tolerance[i], 1e-9) and values[i] != want
                   for i, want in enumerate(expected)):
                got = ", ".join(f"{v:g}" for v in values[:len(expected)])
                want = ", ".join(f"{v:g}" for v in expected)
                raise Failure(f"pixel ({x + place % width}, {y + place // width}) is ({got}), "
                              f"expected ({want})")
    return check


def distinct(data, size):
    """(texel, place) of each different texel, by place."""
    if data == data[:size] * (len(data) // size):
        return [(data[:size], 0)]
    seen = {}
    for start in range(0, len(data), size):
        seen.setdefault(data[start:start + size], start // size)
    return list(seen.items())


def decode(format_, texel):
    code, count, divisor = READABLE[format_]
    values = list(struct.unpack(f"<{count}{code}", texel))
    if divisor:
        values = [max(-1.0, v / divisor) for v in values]
    return values + [0.0, 0.0, 0.0, 1.0][count:]


COMPARE = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
           ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b}


def number_checker(what, code, comparison, expected):
    """A reader of one number in a buffer."""
    def check(data):
        got = struct.unpack("<" + code, data)[0]
        if not COMPARE[comparison](got, expected):
            raise Failure(f"{what} is {got}, expected {comparison} {expected}")
    return check
