"""Draws and dispatches: pipelines, arguments and vertex streams for the stage."""
import math
import struct

import spirv
import textures
import values
import vertices
from program import DEFAULT_BLOCK
from shader_test import NotApplicable
from vertices import pack_indices

# What GL takes for attributes that no array feeds.
CURRENT = {"wf_Normal": (0, 0, 1, 0)}
POSITIONS = ("piglit_vertex", "wf_Vertex")
COORDINATES = ("piglit_texcoord", "wf_MultiTexCoord0")


def clear(scene, target):
    bits = color_bits(scene, target)
    for index, (_, _, _, view) in enumerate(target.colors):
        scene.script.line("attach", index, view, "clear", *bits)
    if target.depth:
        scene.script.line("attach_depth", target.depth, "clear", scene.clear_depth, 0)
    scene.script.line("clear")


def color_bits(scene, target):
    """The clear color as the bits that the target's format wants."""
    kind = target.colors[0][0].format.rsplit("_", 1)[1]
    if kind == "uint":
        return [int(max(0, v)) for v in scene.clear_color]
    if kind == "sint":
        return [int(v) & 0xffffffff for v in scene.clear_color]
    return struct.unpack("<4I", struct.pack("<4f", *scene.clear_color))


def rect(scene, box, coordinates, instances=1):
    """A rectangle of four vertices, as two triangles."""
    x, y, width, height = box
    corners = [(x, y), (x + width, y), (x, y + height), (x + width, y + height)]
    feeds = {name: ("float32x2", 8, floats(corners)) for name in POSITIONS}
    if not any(name in scene.program.attributes for name in POSITIONS):
        feeds[0] = feeds[POSITIONS[0]]  # attribute 0 is the position
    if coordinates:
        s, t, wide, high = coordinates
        corners = [(s, t), (s + wide, t), (s, t + high), (s + wide, t + high)]
        feeds.update({name: ("float32x2", 8, floats(corners)) for name in COORDINATES})
    draw(scene, feeds, *vertices.indices("GL_TRIANGLE_STRIP", 0, 4, scene.provoking_first), instances)


def floats(rows):
    return b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)


def arrays(scene, mode, first, count, instances):
    if mode == "GL_QUADS" and "gl_PrimitiveID" in scene.program.stages["fragment"].text:
        raise NotApplicable("legacy", "primitive numbers of quads")
    feeds = {}
    for column in scene.columns:
        key = column.name if column.index == 0 else (column.name, column.index)
        feeds[key] = column.vertex_format(), column.count * column.bits // 8, bytes(column.data)
    draw(scene, feeds, *vertices.indices(mode, first, count, scene.provoking_first), instances)


def draw(scene, feeds, topology, indices, instances):
    script, target = scene.script, scene.draw_target
    streams = feed_attributes(scene, feeds)
    pipeline = graphics_pipeline(scene, streams, topology)
    bind_resources(scene, ("vertex", "fragment"))
    for slot, (_, _, buffer) in enumerate(streams):
        script.line("vertices", slot, buffer)
    script.line("indices", shared_buffer(scene, pack_indices(indices)))
    for index, (_, _, _, view) in enumerate(target.colors):
        script.line("attach", index, view, "load", 0, 0, 0, 0)
    if target.depth:
        script.line("attach_depth", target.depth, "load", 0, 0)
    script.line("draw", pipeline, len(indices), instances, 0, 0, 0)


def feed_attributes(scene, feeds):
    """(location, format and stride, buffer) of each location of the vertex shader's inputs."""
    module = scene.program.stages["vertex"].module
    streams, fed = [], set()
    for name, (location, type_) in scene.program.attributes.items():
        element, dimensions = module.element(type_)
        count = math.prod(dimensions)
        if module.types[element][0] == spirv.TYPE_MATRIX:
            count *= module.types[element][1][1]
        for index in range(count):
            feed = feeds.get(name if index == 0 else (name, index)) or feeds.get(location + index)
            if feed is None:
                feed = current_value(scene, module, name, element)
            if location + index in fed:  # another component of the same attribute
                continue
            fed.add(location + index)
            format_, stride, data = feed
            streams.append((location + index, (format_, stride), shared_buffer(scene, data)))
    return streams


def current_value(scene, module, name, type_):
    """A stream that gives every vertex the same."""
    opcode, operands = module.types[type_]
    while opcode in (spirv.TYPE_VECTOR, spirv.TYPE_MATRIX):
        opcode, operands = module.types[operands[0]]
    if operands[0] == 64:
        raise NotApplicable("vertex", name)
    if opcode == spirv.TYPE_FLOAT:
        return "float32x4", 0, floats([scene.current_color if name == "wf_Color_in"
                                        else CURRENT.get(name, (0, 0, 0, 1))])
    return ("sint32x4" if operands[1] else "uint32x4"), 0, struct.pack("<4I", 0, 0, 0, 1)


def shared_buffer(scene, data):
    """A buffer with these contents, made once; nothing writes to it."""
    data += bytes(-len(data) % 4)
    if data not in scene.objects:
        scene.objects[data] = scene.make_buffer(data)
    return scene.objects[data]


def shader(scene, stage):
    key = "shader", stage
    if key not in scene.objects:
        scene.objects[key] = scene.script.object()
        scene.script.line("shader", scene.objects[key], data=scene.program.stages[stage].module.bytes())
    return scene.objects[key]


def graphics_pipeline(scene, streams, topology):
    script, target = scene.script, scene.draw_target
    formats = tuple(texture.format for texture, _, _, _ in target.colors)
    depth = scene.depth_compare if "GL_DEPTH_TEST" in scene.enabled else "none"
    cull = "back" if "GL_CULL_FACE" in scene.enabled else "none"
    clamp = int("GL_DEPTH_CLAMP" in scene.enabled)
    layout = tuple((location, format_) for location, format_, _ in streams)
    key = "graphics", layout, topology, formats, bool(target.depth), depth, cull, clamp, target.samples
    if key in scene.objects:
        return scene.objects[key]
    shaders = shader(scene, "vertex"), shader(scene, "fragment")
    fragment = scene.program.stages["fragment"].module
    for slot, (location, (format_, stride)) in enumerate(layout):
        script.line("stream", slot, stride, "vertex")
        script.line("attribute", location, slot, 0, format_)
    for index, format_ in enumerate(formats):
        script.line("target", index, format_)
    if target.depth:
        script.line("depth", "d32_float", depth, int(depth != "none"))
    if not any(v.storage == spirv.OUTPUT and spirv.LOCATION in fragment.decorations.get(v.id, {})
               for v in fragment.variables):
        script.line("no_color")
    script.line("raster", cull, "cw", "solid", clamp)  # the vertex shader turns y round
    scene.objects[key] = script.object()
    script.line("graphics", scene.objects[key], *shaders, topology, target.samples)
    return scene.objects[key]


def dispatch(scene, groups):
    key = "compute",
    if key not in scene.objects:
        module = shader(scene, "compute")
        scene.objects[key] = scene.script.object()
        scene.script.line("compute", scene.objects[key], module)
    bind_resources(scene, ("compute",))
    scene.script.line("dispatch", scene.objects[key], *groups)


def bind_resources(scene, stages):
    for stage in stages:
        for resource in scene.program.stages[stage].resources:
            for element, suffix in enumerate(resource.elements()):
                BINDERS[resource.kind](scene, resource, element, suffix)


def bind_line(scene, resource, element, *words):
    scene.script.line("bind", resource.slot, resource.binding, element, *words)


def bind_uniform(scene, resource, element, _):
    contents = bytearray(resource.size)
    for path, leaf in resource.leaves.items():
        given = uniform_words(scene, resource, path, element)
        if given:
            for index, word in enumerate(given[:leaf.rows * leaf.columns]):
                place = leaf.component_offset(index)
                contents[place:place + leaf.bits // 8] = values.pack(word, leaf.kind, leaf.bits)
    bind_line(scene, resource, element, "buffer", shared_buffer(scene, bytes(contents)))


def uniform_words(scene, resource, path, element):
    """What the test gave for a member; the state of the runner's own; None for nothing."""
    if path == "wf_MVP" or path == "wf_Projection":
        return [repr(v) for v in scene.projection]
    if path == "wf_ModelView" or path.startswith("wf_TextureMatrix"):
        return [repr(1.0 if i % 5 == 0 else 0.0) for i in range(16)]
    if path.startswith("wf_ClipPlane"):
        return [repr(v) for v in scene.planes[int(path[13])]]
    if path.startswith("wf_ClipEnabled"):
        return [str(int(f"GL_CLIP_PLANE{path[15]}" in scene.enabled))]
    for name in (path, path[:-3] if path.endswith("[0]") else path):
        if resource.name != DEFAULT_BLOCK and resource.dimensions:
            if (name, element) in scene.uniforms:
                return scene.uniforms[name, element]
        elif name in scene.uniforms:
            return scene.uniforms[name]
    return None


def bind_storage(scene, resource, element, _):
    index = (resource.explicit or 0) + element
    if index not in scene.storage:
        scene.storage[index] = scene.make_buffer(bytes(max(16, resource.size)))
    bind_line(scene, resource, element, "buffer", scene.storage[index])


def bind_counters(scene, resource, element, _):
    if resource.explicit not in scene.counters:
        scene.make_counter_buffer(resource.explicit, 64)
    bind_line(scene, resource, element, "buffer", scene.counters[resource.explicit])


def unit_of(scene, resource, element, suffix):
    names = [resource.name + suffix] + [resource.name] * (element == 0)
    for name in names:
        if name in scene.uniforms:
            return int(scene.uniforms[name][0], 0)
    return (resource.explicit or 0) + element


def bind_texture(scene, resource, element, suffix):
    texture = scene.units.get(unit_of(scene, resource, element, suffix))
    if texture is None or texture.view != resource.view:
        texture = stand_in(scene, resource)
    levels = max(1, min(texture.max_level, texture.mips - 1) - texture.base_level + 1)
    aspect = "depth" if texture.format[0] == "d" else "color"
    view = made(scene, "view", texture.object, texture.view, texture.base_level, levels, 0, texture.layers(),
                aspect, texture.swizzle)
    words = texture.sampler()
    if not resource.shadow:
        words[6] = "none"
    bind_line(scene, resource, element, "texture", view, made(scene, "sampler", *words))


def bind_image(scene, resource, element, suffix):
    texture = scene.units.get(unit_of(scene, resource, element, suffix))
    if resource.formatless:
        raise NotApplicable("format", f"the image {resource.name}, of any format")
    if texture is None:
        texture = stand_in(scene, resource)
    view = made(scene, "view", texture.object, resource.view, 0, 1, 0,
                1 if resource.view in ("1d", "2d", "3d") else texture.layers(), "color", "====")
    bind_line(scene, resource, element, "image", view)


def stand_in(scene, resource):
    """For a unit that has no fitting texture: GL samples black from it."""
    key = "stand-in", resource.view, resource.sampled, resource.shadow
    if key not in scene.objects:
        kind = {"float": "rgba8_unorm", "int": "rgba32_sint", "uint": "rgba32_uint"}[resource.sampled]
        texture = textures.Texture(resource.view, "d16_unorm" if resource.shadow else kind, 1,
                                   samples=4 if resource.multisampled else 1)
        texture.create(scene.script)
        for layer in range(texture.layers() if not resource.multisampled else 0):
            texture.fill(scene.script, 0, layer, textures.solid((0, 0, 0, 1)))
        scene.objects[key] = texture
    return scene.objects[key]


def made(scene, command, *words):
    """The object that a line of the script makes, made once."""
    key = (command,) + words
    if key not in scene.objects:
        scene.objects[key] = scene.script.object()
        scene.script.line(command, scene.objects[key], *words)
    return scene.objects[key]


BINDERS = {"uniform": bind_uniform, "storage": bind_storage, "atomic": bind_counters,
           "texture": bind_texture, "image": bind_image}
