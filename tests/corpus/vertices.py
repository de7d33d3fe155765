"""Vertex data, and GL's primitives as lists of indices."""
import re
import struct

from values import pack
from shader_test import NotApplicable

KINDS = {"float": ("float", 32, "float32"), "int": ("int", 32, "sint32"), "uint": ("uint", 32, "uint32")}


class Column:
    """One attribute of [vertex data], tightly packed."""

    def __init__(self, heading):
        words = heading.split("/")
        if len(words) not in (3, 4) or words[1] not in KINDS:
            raise NotApplicable("vertex", heading)
        self.name = re.sub(r"\[0\]$", "", words[0])
        self.kind, self.bits, self.format = KINDS[words[1]]
        self.count = int(re.sub(r"\D", "", words[2])[-1])
        self.index = int(words[3]) if len(words) == 4 else 0  # of a matrix's column
        self.data = bytearray()

    def vertex_format(self):
        return self.format + (f"x{self.count}" if self.count > 1 else "")


def read_vertex_data(text):
    """The columns of a [vertex data] section; none if it is empty."""
    lines = [line.split("#")[0].split() for line in text.split("\n")]
    lines = [line for line in lines if line]
    if not lines:
        return []
    columns = [Column(heading) for heading in lines[0]]
    for line in lines[1:]:
        words = iter(line)
        for column in columns:
            for _ in range(column.count):
                column.data += pack(next(words), column.kind, column.bits)
    return columns


def indices(mode, first, count, provoking_first):
    """(topology, indices) of a GL primitive, for a device whose provoking vertex is the first."""
    v = range(first, first + count)
    if mode == "GL_POINTS":
        return "points", list(v)
    if mode in ("GL_LINES", "GL_LINE_STRIP", "GL_LINE_LOOP"):
        if mode == "GL_LINES":
            lines = [(v[i], v[i + 1]) for i in range(0, count - 1, 2)]
        else:
            lines = [(v[i], v[i + 1]) for i in range(count - 1)]
            if mode == "GL_LINE_LOOP":
                lines.append((v[-1], v[0]))
        return "lines", [i for line in lines for i in (line if provoking_first else line[::-1])]
    triangles = split_triangles(mode, v, count)
    return "triangles", [i for (t, place) in triangles for i in turn(t, place if provoking_first else 2)]


def turn(triangle, place):
    """The same triangle, beginning with another vertex."""
    return triangle[place:] + triangle[:place]


def split_triangles(mode, v, count):
    """Triangles, and which of their vertices provokes where the first one does; else the last does."""
    if mode == "GL_TRIANGLES":
        return [((v[i], v[i + 1], v[i + 2]), 0) for i in range(0, count - 2, 3)]
    if mode == "GL_TRIANGLE_STRIP":
        return [((v[i + (i & 1)], v[i + 1 - (i & 1)], v[i + 2]), i & 1) for i in range(count - 2)]
    if mode in ("GL_TRIANGLE_FAN", "GL_POLYGON"):
        return [((v[0], v[i], v[i + 1]), 1) for i in range(1, count - 1)]
    if mode == "GL_QUADS":  # each is two, so primitives count otherwise
        return [(t, 0) for i in range(0, count - 3, 4)
                for t in ((v[i], v[i + 1], v[i + 3]), (v[i + 1], v[i + 2], v[i + 3]))]
    raise NotApplicable("command", f"drawing {mode}")


def pack_indices(numbers):
    return struct.pack(f"<{len(numbers)}I", *numbers)
