"""Plays the [test] section of a test: GL's state, and what it makes the stage draw."""
import re
import struct

import draws
import images
import probes
import textures
import values
import vertices
from shader_test import NotApplicable
from stage import Script
from targets import Target

WINDOW = 250  # pixels a side, unless the test asks for another size


class Scene:
    def __init__(self, test, program):
        self.test, self.program = test, program
        self.script = Script()
        self.columns = vertices.read_vertex_data(test.vertex_data)
        self.uniforms = dict(program.initial)
        self.units = {}         # texture units
        self.image_formats = {}  # image units
        self.storage, self.counters, self.blocks = {}, {}, {}
        self.array_index = 0
        self.clear_color, self.clear_depth = (0.0, 0.0, 0.0, 0.0), 1.0
        self.current_color = [1.0] * 4
        self.projection = identity()
        self.planes = [[0.0] * 4 for _ in range(8)]
        self.enabled = set()
        self.depth_compare = "less"
        self.provoking_first = False
        self.tolerance = probes.DEFAULT_TOLERANCE
        self.objects = {}       # what was made, by its description
        self.window = self.make_window()
        self.draw_target = self.read_target = self.window
        self.play()

    def make_window(self):
        size = self.test.required(r"SIZE\s+(\d+)\s+(\d+)")
        width, height = (int(size.group(1)), int(size.group(2))) if size else (WINDOW, WINDOW)
        target = Target(width, height)
        texture = textures.Texture("2d", "rgba8_unorm", width, height)
        texture.create(self.script)
        target.attach(self.script, texture, 0, 0)
        if re.search(r"depth", "\n".join(self.test.require + self.test.commands), re.I):
            depth = textures.Texture("2d", "d32_float", width, height)
            depth.create(self.script)
            target.depth = self.script.object()
            self.script.line("view", target.depth, depth.object, "2d", 0, 1, 0, 1, "depth", "====")
        draws.clear(self, target)
        return target

    def play(self):
        for line in self.test.commands:
            for pattern, command in COMMANDS:
                match = pattern.fullmatch(line)
                if match:
                    command(self, *match.groups())
                    break
            else:
                raise NotApplicable("command", line)

    # ---- state ----

    def set_clear_color(self, rest):
        self.clear_color = tuple(values.floats(rest)[:4])

    def set_current_color(self, rest):
        self.current_color = values.floats(rest)[:4]

    def set_clear_depth(self, rest):
        self.clear_depth = values.floats(rest)[0]

    def clear(self):
        draws.clear(self, self.draw_target)

    def set_tolerance(self, rest):
        numbers = values.floats(rest)
        self.tolerance = (numbers + numbers[-1:] * 4)[:4]

    def set_uniform(self, _, name, rest):
        name = self.program.uniform_locations.get(name, name)
        self.uniforms[name, self.array_index] = values.split(rest)
        self.uniforms[name] = values.split(rest)

    def set_array_index(self, index):
        self.array_index = int(index)

    def set_ortho(self, rest):
        numbers = values.floats(rest) or [0, self.draw_target.width, 0, self.draw_target.height]
        left, right, bottom, top = numbers[:4]
        m = identity()
        m[0], m[5], m[10] = 2 / (right - left), 2 / (top - bottom), -1.0
        m[12], m[13] = -(right + left) / (right - left), -(top + bottom) / (top - bottom)
        self.projection = m

    def set_frustum(self, rest):
        left, right, bottom, top, near, far = values.floats(rest)[:6]
        m = [0.0] * 16
        m[0], m[5] = 2 * near / (right - left), 2 * near / (top - bottom)
        m[8], m[9] = (right + left) / (right - left), (top + bottom) / (top - bottom)
        m[10], m[11], m[14] = -(far + near) / (far - near), -1.0, -2 * far * near / (far - near)
        self.projection = m

    def set_clip_plane(self, index, rest):
        self.planes[int(index)] = values.floats(rest)[:4]

    def enable(self, name):
        known = ("GL_VERTEX_PROGRAM_TWO_SIDE", "GL_PROGRAM_POINT_SIZE", "GL_DEPTH_TEST", "GL_CULL_FACE",
                 "GL_DEPTH_CLAMP")
        if name not in known and not name.startswith("GL_CLIP_PLANE"):
            raise NotApplicable("command", "enable " + name)
        self.enabled.add(name)

    def disable(self, name):
        self.enabled.discard(name)

    def set_depth_compare(self, name):
        self.depth_compare = {"GL_LESS": "less", "GL_LEQUAL": "less_equal", "GL_EQUAL": "equal",
                              "GL_GREATER": "greater", "GL_GEQUAL": "greater_equal", "GL_NEVER": "never",
                              "GL_NOTEQUAL": "not_equal", "GL_ALWAYS": "always"}[name]

    def set_provoking(self, which):
        self.provoking_first = which == "first"

    def nothing(self, *_):
        """What is so anyway, or is said by the shaders (translate.Options)."""

    # ---- buffers ----

    def make_storage(self, index, size):
        self.storage[int(index)] = self.make_buffer(bytes((int(size) + 3) // 4 * 4))

    def fill_storage(self, index, kind, offset, value):
        contents = values.pack(value, kind, 32)
        self.script.line("write", self.storage[int(index)], offset, data=contents)

    def make_buffer(self, contents):
        number = self.script.object()
        self.script.line("buffer", number, data=contents)
        return number

    def make_counters(self, count):
        self.make_counter_buffer(0, count)

    def make_counter_buffer(self, index, count):
        self.counters[int(index)] = self.make_buffer(bytes(4 * int(count)))

    def set_counter(self, index, place, value):
        self.script.line("write", self.counters[int(index)], 4 * int(place),
                         data=values.pack(value, "uint", 32))

    # ---- drawing ----

    def draw_rect(self, rest):
        draws.rect(self, values.floats(rest)[:4], None)

    def draw_rect_textured(self, rest):
        numbers = values.floats(rest)
        draws.rect(self, numbers[:4], numbers[4:8])

    def draw_rect_ortho(self, rest):
        x, y, width, height = values.floats(rest)[:4]
        window = self.window
        draws.rect(self, [-1 + 2 * x / window.width, -1 + 2 * y / window.height,
                          2 * width / window.width, 2 * height / window.height], None)

    def draw_rect_instanced(self, count, rest):
        draws.rect(self, values.floats(rest)[:4], None, int(count))

    def draw_arrays(self, mode, first, count):
        draws.arrays(self, mode, int(first), int(count), 1)

    def draw_arrays_instanced(self, mode, first, count, instances):
        draws.arrays(self, mode, int(first), int(count), int(instances))

    def compute(self, x, y, z):
        draws.dispatch(self, (x, y, z))

    # ---- textures and targets ----

    def make_texture(self, kind, rest):
        images.make(self, kind, rest)

    def bind_image(self, unit, format_):
        self.image_formats[int(unit)] = textures.known_format(format_)[0]

    def set_parameter(self, target, name, rest):
        images.set_parameter(self, target, name, rest)

    def bind_target(self, which, rest):
        target = images.make_target(self, rest)
        if which != "read ":
            self.draw_target = target
        if which != "draw ":
            self.read_target = target

    # ---- probes ----

    def probe(self, rect, expected, relative=False):
        target = self.read_target
        if relative:
            scale = (target.width, target.height, target.width, target.height)
            rect = [int(r * s) for r, s in zip(rect, scale)]
            rect[0], rect[1] = min(rect[0], target.width - 1), min(rect[1], target.height - 1)
        x, y, width, height = (int(r) for r in rect)
        texture, mip, layer, _ = target.colors[0]
        if texture.format not in probes.READABLE or target.samples > 1:
            raise NotApplicable("command", "reading this target")
        tolerance = self.tolerance
        slice_ = layer if texture.view == "3d" else 0
        self.script.read(probes.color_checker(texture.format, (x, y, width, height), expected, tolerance),
                         "read_texture", texture.object, mip, 0 if texture.view == "3d" else layer, slice_,
                         x, y, width, height, "color", width * height * probes.pixel_bytes(texture.format))

    def probe_pixel(self, relative, components, rest):
        numbers = values.floats(rest)
        x, y = numbers[:2]
        expected = numbers[2:2 + len(components)]
        if relative:
            target = self.read_target
            x, y = min(int(x * target.width), target.width - 1), min(int(y * target.height), target.height - 1)
        self.probe([x, y, 1, 1], expected)

    def probe_rect(self, relative, components, _, rest):
        numbers = values.floats(rest)
        self.probe(numbers[:4], numbers[4:4 + len(components)], bool(relative))

    def probe_all(self, components, rest):
        expected = values.floats(rest)[:len(components)]
        self.probe([0, 0, self.read_target.width, self.read_target.height], expected)

    def probe_counter(self, index, place, comparison, expected):
        self.probe_number(f"atomic counter {place}", self.counters[int(index or 0)], 4 * int(place), "uint",
                          comparison, expected)

    def probe_storage(self, kind, index, offset, comparison, expected):
        self.probe_number(f"ssbo {index} at {offset}", self.storage[int(index)], int(offset), kind,
                          comparison, expected)

    def probe_number(self, what, buffer, offset, kind, comparison, expected):
        code = values.CODES[kind, 32]
        want = struct.unpack("<" + code, values.pack(expected, kind, 32))[0]
        self.script.read(probes.number_checker(what, code, comparison, want), "read_buffer", buffer, offset, 4)


def identity():
    return [1.0 if i % 5 == 0 else 0.0 for i in range(16)]


COMMANDS = [(re.compile(pattern), command) for pattern, command in [
    (r"uniform (\w+) (\S+) (.*)", Scene.set_uniform),
    (r"probe (?:warn )?all (rgba?) (.*)", Scene.probe_all),
    (r"(relative )?probe rect (rgba?)( int)? *(\(.*)", Scene.probe_rect),
    (r"(relative )?probe (rgba?) (.*)", Scene.probe_pixel),
    (r"probe atomic counter buffer (\d+) (\d+) (\S+) (\S+)", Scene.probe_counter),
    (r"probe atomic counter()? (\d+) (\S+) (\S+)", Scene.probe_counter),
    (r"probe ssbo (u?int|float) (\d+) (\d+) (\S+) (\S+)", Scene.probe_storage),
    (r"draw rect ortho (.*)", Scene.draw_rect_ortho),
    (r"draw rect tex (.*)", Scene.draw_rect_textured),
    (r"draw rect ([-\d.].*)", Scene.draw_rect),
    (r"draw instanced rect (\d+) (.*)", Scene.draw_rect_instanced),
    (r"draw arrays (GL_\w+) (\d+) (\d+)", Scene.draw_arrays),
    (r"draw arrays instanced (GL_\w+) (\d+) (\d+) (\d+)", Scene.draw_arrays_instanced),
    (r"compute (\d+) (\d+) (\d+)", Scene.compute),
    (r"color (.*)", Scene.set_current_color),
    (r"clear color (.*)", Scene.set_clear_color),
    (r"clear depth (.*)", Scene.set_clear_depth),
    (r"clear", Scene.clear),
    (r"texture storage (.*)", lambda scene, rest: images.make_storage(scene, rest)),
    (r"texture (rgbw|checkerboard|quads|miptree|integer|shadow\w+|junk)(.*)", Scene.make_texture),
    (r"texparameter (\w+) (\w+) (.*)", Scene.set_parameter),
    (r"image texture (\d+) (\w+)", Scene.bind_image),
    (r"fb (draw |read |)(tex 2d .*|tex slice .*|winsys)", Scene.bind_target),
    (r"ssbo (\d+) subdata (\w+) (\d+) (\S+)", Scene.fill_storage),
    (r"ssbo (\d+) (\d+)", Scene.make_storage),
    (r"atomic counters (\d+)", Scene.make_counters),
    (r"atomic counter buffer (\d+) (\d+)", Scene.make_counter_buffer),
    (r"atomic counter (\d+) (\d+) (\d+)", Scene.set_counter),
    (r"ubo array index (\d+)", Scene.set_array_index),
    (r"ortho(.*)", Scene.set_ortho),
    (r"frustum (.*)", Scene.set_frustum),
    (r"clip plane (\d) (.*)", Scene.set_clip_plane),
    (r"enable (\w+)", Scene.enable),
    (r"disable (\w+)", Scene.disable),
    (r"depthfunc (\w+)", Scene.set_depth_compare),
    (r"provoking vertex (\w+)", Scene.set_provoking),
    (r"tolerance (.*)", Scene.set_tolerance),
    (r"(link success|shade model \w+|memory barrier .*|hint .*|block .*|active shader program .*)",
     Scene.nothing),
]]
