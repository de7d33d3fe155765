"""PNG pictures as the weft command writes them, and how far two of them are apart."""
import math
import struct
import zlib


class Picture:
    """A PNG file as libpng's simplified writer makes it: 8 bits, RGB or RGBA."""

    def __init__(self, path):
        data, at, packed = path.read_bytes(), 8, b""
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + size]
            if kind == b"IHDR":
                self.width, self.height, depth, color = struct.unpack(">IIBB", body[:10])
                assert depth == 8 and color in (2, 6)
                self.channels = 3 if color == 2 else 4
            elif kind == b"IDAT":
                packed += body
            at += 12 + size
        self.rows = self.unfilter(zlib.decompress(packed))

    def unfilter(self, data):
        stride, step, rows, above = self.width * self.channels, self.channels, [], None
        above = bytearray(stride)
        for y in range(self.height):
            kind = data[y * (stride + 1)]
            row = bytearray(data[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
            for x in range(stride if kind else 0):
                left = row[x - step] if x >= step else 0
                corner = above[x - step] if x >= step else 0
                row[x] = (row[x] + (left, above[x], (left + above[x]) // 2,
                                    self.paeth(left, above[x], corner))[kind - 1]) & 255
            rows.append(row)
            above = row
        return rows

    @staticmethod
    def paeth(a, b, c):
        p = a + b - c
        return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]

    def at(self, u, v):
        """The texel at u, v from 0 to 1, from the top left, as (r, g, b, a)."""
        x, y = min(int(u * self.width), self.width - 1), min(int(v * self.height), self.height - 1)
        texel = tuple(self.rows[y][x * self.channels:(x + 1) * self.channels])
        return texel if self.channels == 4 else texel + (255,)

    def take(self, other, box):
        """Replaces (left, top, right, bottom), from 0 to 1, by what another picture has there."""
        left, right = (int(box[i] * self.width) * self.channels for i in (0, 2))
        for y in range(int(box[1] * self.height), int(box[3] * self.height)):
            self.rows[y][left:right] = other.rows[y][left:right]

    def box(self, background):
        """(left, top, right, bottom) of what differs from the background, from 0 to 1."""
        background = bytes(background[:self.channels])
        xs, ys = [], []
        for y, row in enumerate(self.rows):
            hit = [x for x in range(self.width) if row[x * self.channels:(x + 1) * self.channels] != background]
            if hit:
                ys.append(y)
                xs += (hit[0], hit[-1])
        assert xs, "nothing was drawn"
        return min(xs) / self.width, ys[0] / self.height, (max(xs) + 1) / self.width, (ys[-1] + 1) / self.height


# ---- comparing ---------------------------------------------------------------------------------------------------

SMOOTH = 16  # steps of 255 within 3x3 texels, where a picture counts as smooth
FAR = 8  # steps that a texel may be off there


def spread(picture):
    """For each row, the largest span of a channel among each texel and its neighbours."""
    def lines(rows, pick):
        return [bytes(map(pick, *three)) for three in zip([rows[0]] + rows[:-1], rows, rows[1:] + [rows[-1]])]

    def across(row, pick):
        n = picture.channels
        return bytes(map(pick, row[:n] + row[:-n], row, row[n:] + row[-n:]))

    rows = [bytes(row) for row in picture.rows]
    high = [across(row, max) for row in lines(rows, max)]
    low = [across(row, min) for row in lines(rows, min)]
    return [largest(bytes(a - b for a, b in zip(up, down)), picture.channels) for up, down in zip(high, low)]


def largest(row, channels):
    return bytes(map(max, *(row[c::channels] for c in range(channels))))


def compare(picture, reference):
    """(root of the mean square of the differences, in steps of 255; share of the texels that are off by more than FAR
    where the reference is smooth)."""
    assert (picture.width, picture.height, picture.channels) == (reference.width, reference.height, reference.channels)
    square = off = 0
    for row, other, rough in zip(picture.rows, reference.rows, spread(reference)):
        apart = bytes(map(abs, map(int.__sub__, row, other)))
        square += sum(d * d for d in apart)
        off += sum(d > FAR and span <= SMOOTH for d, span in zip(largest(apart, picture.channels), rough))
    texels = picture.width * picture.height
    return math.sqrt(square / (texels * picture.channels)), off / texels
