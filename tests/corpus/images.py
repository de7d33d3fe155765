"""The commands that make textures and targets."""
import textures
import values
from shader_test import NotApplicable
from targets import Target
from textures import Texture

WRAPS = {"repeat": "repeat", "clamp_to_edge": "edge", "clamp_to_border": "border",
         "mirrored_repeat": "mirror"}
COMPARES = {"greater": "greater", "gequal": "greater_equal", "less": "less", "lequal": "less_equal",
            "equal": "equal", "notequal": "not_equal", "never": "never", "always": "always"}
AXES = {"wrap_s": 0, "wrap_t": 1, "wrap_r": 2}


def make(scene, kind, rest):
    """texture KIND REST: makes the texture of a unit."""
    words = values.split(rest)
    if kind.startswith("shadow"):
        texture = shadow(scene, kind[6:], words)
    elif kind in ("rgbw", "junk") and words[0] in textures.TARGETS:
        texture = layered(scene, words[0], words[1:], kind == "rgbw")
        words = words[1:]
    elif kind == "rgbw":
        size = int(words[1]), int(words[2])
        texture = textures.rgbw(*size, words[3] if len(words) > 3 else "GL_RGBA")
        texture.create(scene.script)
        texture.fill(scene.script, 0, 0, textures.rgbw_color)
    elif kind == "integer":
        texture = integers(scene, words)
    elif kind == "miptree":
        texture = miptree(scene)
    elif kind in ("checkerboard", "quads"):
        texture = quads(scene, kind, words)
    else:
        raise NotApplicable("command", f"texture {kind}")
    scene.units[int(words[0])] = texture


def shadow(scene, target, words):
    view = textures.TARGETS[target]
    sizes = [int(word) for word in words[1:]] + [1, 1]
    width, height, depth = sizes[0], sizes[1], sizes[2]
    if view == "1d_array":
        height, depth = 1, sizes[1]
    texture = Texture(view, "d16_unorm", width, height, depth, compare="greater")
    texture.create(scene.script)
    for layer in range(texture.layers()):
        texture.fill(scene.script, 0, layer, textures.ramp_color, same_rows=True)
    return texture


def layered(scene, target, words, filled):
    """Array textures, a color of the wheel to each layer."""
    view = textures.TARGETS[target]
    sizes = [int(word) for word in words[1:]]
    if "_array" not in view:
        raise NotApplicable("command", f"texture rgbw {target}")
    if view == "1d_array":
        sizes.insert(1, 1)
    texture = Texture(view, "rgba8_unorm", *sizes[:3])
    texture.create(scene.script)
    for layer in range(texture.layers() if filled else 0):
        texture.fill(scene.script, 0, layer, textures.solid(textures.WHEEL[layer % 4]), same_rows=True)
    return texture


def integers(scene, words):
    """Texels that number themselves: x and y steps of a row, from a base on."""
    width, height, row, base = (int(word) for word in words[1:5])
    texture = textures.rgbw(width, height, words[5])
    texture.create(scene.script)
    texture.fill(scene.script, 0, 0, lambda x, y, w, h: (base + x + y * row,) * 4)
    return texture


def miptree(scene):
    texture = Texture("2d", "rgba8_unorm", 8, 8, mips=4, min="nearest_mipmap_nearest")
    texture.create(scene.script)
    for mip, color in enumerate(textures.WHEEL):
        texture.fill(scene.script, mip, 0, textures.solid(color), same_rows=True)
    return texture


def quads(scene, kind, words):
    level, width, height = (int(word) for word in words[1:4])
    if level != 0:
        raise NotApplicable("command", "a texture without its first mip")
    rest = words[4:]
    size = width // 2, height // 2
    if kind == "quads":
        size = int(rest[0]), int(rest[1])
        rest = rest[2:]
    numbers = [float(word) for word in rest]
    colors = [tuple(numbers[i:i + 4]) for i in range(0, len(numbers), 4)]
    if kind == "checkerboard":
        colors = [colors[0], colors[1], colors[1], colors[0]]
    texture = Texture("2d", "rgba8_unorm", width, height)
    texture.create(scene.script)
    texture.fill(scene.script, 0, 0, textures.quads_color(size, colors))
    return texture


def make_storage(scene, rest):
    """texture storage UNIT TARGET FORMAT (LEVELS WIDTH [HEIGHT [DEPTH]])"""
    unit, target, internal, levels, *sizes = values.split(rest)
    if target not in textures.TARGETS:
        raise NotApplicable("format", f"texture storage {target}")
    view = textures.TARGETS[target]
    format_, swizzle = textures.known_format(internal)
    sizes = [int(word) for word in sizes]
    if view == "1d_array":
        sizes.insert(1, 1)
    texture = Texture(view, format_, *sizes, mips=int(levels), swizzle=swizzle, mag="linear",
                      min="nearest_mipmap_linear", wrap=["repeat"] * 3)
    texture.create(scene.script)
    for mip in range(texture.mips):
        slices = max(1, texture.depth >> mip) if view == "3d" else texture.layers()
        for layer in range(slices):
            texture.fill(scene.script, mip, layer, textures.solid((0, 0, 0, 0)), same_rows=True)
    scene.units[int(unit)] = texture


def set_parameter(scene, target, name, rest):
    """texparameter: of the texture that was bound last to that target."""
    if target not in textures.TARGETS:
        raise NotApplicable("format", f"texparameter {target}")
    fitting = [t for t in scene.units.values() if t.view == textures.TARGETS[target]]
    if not fitting:
        raise NotApplicable("command", f"texparameter {target} without a texture")
    texture, word = fitting[-1], rest.split()[0]
    if name in ("min", "mag"):
        setattr(texture, name, word)
    elif name in AXES and word in WRAPS:
        texture.wrap[AXES[name]] = WRAPS[word]
    elif name == "compare_func":
        texture.compare = COMPARES[word]
    elif name in ("lod_bias", "base_level", "max_level"):
        setattr(texture, name, float(word) if name == "lod_bias" else int(word))
    elif name == "swizzle_r":
        texture.swizzle = {"red": "r", "green": "g", "blue": "b", "alpha": "a"}[word] + texture.swizzle[1:]
    elif name != "depth_mode":  # that one is said by the shaders (translate.Options)
        raise NotApplicable("command", f"texparameter {name}")


def make_target(scene, rest):
    """fb ...: what is drawn to or read from."""
    words = values.split(rest)
    if words[0] == "winsys":
        return scene.window
    if words[1] == "2d":
        used = [scene.units[int(word)] for word in words[2:]]
        target = Target(used[-1].width, used[-1].height)
        for texture in used:
            target.attach(scene.script, texture, 0, 0)
        return target
    view, unit, mip, layer = textures.TARGETS.get(words[2]), int(words[3]), int(words[4]), int(words[5])
    if view is None or view not in ("2d", "2d_array", "cube"):
        raise NotApplicable("format", f"drawing to a {words[2]} texture")
    texture = scene.units[unit]
    target = Target(max(1, texture.width >> mip), max(1, texture.height >> mip))
    target.attach(scene.script, texture, mip, layer)
    return target
