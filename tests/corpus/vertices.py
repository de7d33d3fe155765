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
    triangles = [t if provoking_first else (t[2], t[0], t[1]) for t in split_triangles(mode, v, count)]
    return "triangles", [i for triangle in triangles for i in triangle]


def split_triangles(mode, v, count):
    if mode == "GL_TRIANGLES":
        return [(v[i], v[i + 1], v[i + 2]) for i in range(0, count - 2, 3)]
    if mode == "GL_TRIANGLE_STRIP":
        return [(v[i + (i & 1)], v[i + 1 - (i & 1)], v[i + 2]) for i in range(count - 2)]
    if mode in ("GL_TRIANGLE_FAN", "GL_POLYGON"):
        return [(v[0], v[i], v[i + 1]) for i in range(1, count - 1)]
    if mode == "GL_QUADS":
        return [t for i in range(0, count - 3, 4)
                for t in ((v[i], v[i + 1], v[i + 3]), (v[i + 1], v[i + 2], v[i + 3]))]
    raise NotApplicable("command", f"drawing {mode}")


def pack_indices(numbers):
    return struct.pack(f"<{len(numbers)}I", *numbers)
