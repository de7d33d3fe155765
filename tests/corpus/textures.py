"""Textures as the tests describe them: contents, filters and formats."""
import dataclasses
import struct

from shader_test import NotApplicable

# GL's internal formats: ours, and what a view makes of the components that GL's has not.
FORMATS = {
    "GL_RGBA": ("rgba8_unorm", "===="), "GL_RGBA8": ("rgba8_unorm", "===="),
    "GL_RGB": ("rgba8_unorm", "===1"), "GL_RGB8": ("rgba8_unorm", "===1"),
    "GL_ALPHA": ("rgba8_unorm", "000a"), "GL_LUMINANCE": ("rgba8_unorm", "rrr1"),
    "GL_INTENSITY": ("rgba8_unorm", "rrrr"), "GL_LUMINANCE_ALPHA": ("rgba8_unorm", "rrra"),
    "GL_R8": ("r8_unorm", "===="), "GL_RG8": ("rg8_unorm", "===="), "GL_RED": ("r8_unorm", "===="),
    "GL_RG": ("rg8_unorm", "===="), "GL_RGBA16": ("rgba16_unorm", "===="),
    "GL_RGBA16F": ("rgba16_float", "===="), "GL_RGBA32F": ("rgba32_float", "===="),
    "GL_R32F": ("r32_float", "===="), "GL_RG32F": ("rg32_float", "===="),
    "GL_R16F": ("r16_float", "===="), "GL_RG16F": ("rg16_float", "===="),
    "GL_R32UI": ("r32_uint", "===="), "GL_R32I": ("r32_sint", "===="),
    "GL_RGBA32UI": ("rgba32_uint", "===="), "GL_RGBA32I": ("rgba32_sint", "===="),
    "GL_RGBA16UI": ("rgba16_uint", "===="), "GL_RGBA16I": ("rgba16_sint", "===="),
    "GL_RGBA8UI": ("rgba8_uint", "===="), "GL_RGBA8I": ("rgba8_sint", "===="),
    "GL_RG32UI": ("rg32_uint", "===="), "GL_RG32I": ("rg32_sint", "===="),
}
TARGETS = {"1D": "1d", "2D": "2d", "3D": "3d", "Rect": "2d", "Cube": "cube", "1DArray": "1d_array",
           "2DArray": "2d_array", "2DRect": "2d"}
RED, GREEN, BLUE, WHITE = (1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1), (1, 1, 1, 1)
WHEEL = [RED, GREEN, BLUE, WHITE]  # of layers and mips


@dataclasses.dataclass
class Texture:
    """One unit's texture, with GL's texture parameters."""
    view: str  # kind of view, as in stage/objects.c
    format: str
    width: int
    height: int = 1
    depth: int = 1   # slices or layers
    mips: int = 1
    swizzle: str = "===="
    samples: int = 1
    mag: str = "nearest"
    min: str = "nearest"
    wrap: list = dataclasses.field(default_factory=lambda: ["edge", "edge", "edge"])
    compare: str = "none"
    lod_bias: float = 0.0
    base_level: int = 0
    max_level: int = 1000
    object: int = 0

    def kind(self):
        return self.view.split("_")[0]

    def layers(self):
        if self.view == "cube":
            return 6
        return 1 if self.view == "3d" else self.depth

    def create(self, script):
        self.object = script.object()
        depth = self.depth if self.view == "3d" else 1
        script.line("texture", self.object, self.kind(), self.format, self.width, self.height, depth,
                    self.layers(), self.mips, self.samples)

    def fill(self, script, mip, layer, color_at, same_rows=False):
        """Texels of one layer or slice of one mip: color_at(x, y, width, height)."""
        width, height = max(1, self.width >> mip), max(1, self.height >> mip)
        rows = 1 if same_rows else height
        data = b"".join(encode(self.format, color_at(x, y, width, height))
                        for y in range(rows) for x in range(width))
        place = (0, layer) if self.view == "3d" else (layer, 0)
        script.line("texels", self.object, mip, *place, 0, 0, width, height,
                    data=data * (height if same_rows else 1))

    def sampler(self):
        """Words of the stage's `sampler` line."""
        base, last = self.base_level, min(self.max_level, self.mips - 1)
        mip = "linear" if self.min.endswith("mipmap_linear") else "nearest"
        mipped = "mipmap" in self.min
        compare = self.compare
        wraps = self.wrap
        return [self.mag, self.min.split("_")[0], mip, *wraps, compare, 0, max(0, last - base),
                self.lod_bias, 0 if mipped and last > base else 1]


def encode(format_, color):
    """One texel."""
    base, kind = format_.rsplit("_", 1)
    count = {"r": 1, "d": 1, "rg": 2, "rgba": 4}[base.rstrip("0123456789")]
    bits = int(base.lstrip("rgbad"))
    values = list(color)[:count]
    if kind == "float":
        return struct.pack("<" + {16: "e", 32: "f"}[bits] * count, *values)
    if kind == "unorm":
        top = (1 << bits) - 1
        scaled = [int(min(1.0, max(0.0, v)) * top + 0.5) for v in values]
        return struct.pack("<" + {8: "B", 16: "H"}[bits] * count, *scaled)
    return struct.pack("<" + {8: "B", 16: "H", 32: "I"}[bits] * count,
                       *[int(v) & (1 << bits) - 1 for v in values])


def known_format(name):
    if name not in FORMATS:
        raise NotApplicable("format", name)
    return FORMATS[name]


def rgbw(width, height, internal):
    format_, swizzle = known_format(internal)
    return Texture("2d", format_, width, height, swizzle=swizzle)


def rgbw_color(x, y, width, height):
    """Quadrants: red, green, blue and white, from the first texel on."""
    return WHEEL[(1 if x >= width // 2 else 0) + (2 if y >= height // 2 else 0)]


def quads_color(size, colors):
    """Squares of `size`, in turns of two by two colors."""
    def color(x, y, width, height):
        return colors[(x // max(1, size[0]) & 1) + 2 * (y // max(1, size[1]) & 1)]
    return color


def ramp_color(x, y, width, height):
    """Depth rises from column to column."""
    value = x / (width - 1) if width > 1 else 0.0
    return (value, 0, 0, 0)


def solid(color):
    return lambda x, y, width, height: color
