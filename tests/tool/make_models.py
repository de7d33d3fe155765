#!/usr/bin/env python3
"""Writes small models for the tests of the weft tool: sound ones that show a feature each, and broken ones.
usage: make_models.py FOLDER

Standard library only. tests/tool/checker.jpg is the one file that it cannot make."""
import base64
import json
import math
import pathlib
import struct
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent
FLOAT, UBYTE, USHORT, UINT = 5126, 5121, 5123, 5125
COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
PACK = {FLOAT: "f", UBYTE: "B", USHORT: "H", UINT: "I"}


def png(width, height, texel):
    """A PNG file; texel(x, y) gives (r, g, b, a) as bytes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"".join(bytes(texel(x, y)) for x in range(width)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def letter_f(x, y):
    """64x64: a white F on black, a red top left corner, a green top right, a blue bottom left."""
    if x < 12 and y < 12:
        return 255, 0, 0, 255
    if x >= 52 and y < 12:
        return 0, 255, 0, 255
    if x < 12 and y >= 52:
        return 0, 0, 255, 255
    stem = 20 <= x < 28 and 14 <= y < 52
    arms = 20 <= x < 46 and 14 <= y < 22 or 20 <= x < 40 and 28 <= y < 36
    return (255, 255, 255, 255) if stem or arms else (0, 0, 0, 255)


class Gltf:
    """A glTF file under construction."""

    def __init__(self):
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": []}], "nodes": [], "meshes": []}
        self.data = bytearray()

    def add(self, key, value):
        self.json.setdefault(key, []).append(value)
        return len(self.json[key]) - 1

    def view(self, data):
        self.data += b"\0" * (-len(self.data) % 4)
        self.data += data
        return self.add("bufferViews", {"buffer": 0, "byteOffset": len(self.data) - len(data),
                                        "byteLength": len(data)})

    def accessor(self, kind, component, values, normalized=False):
        flat = [c for v in values for c in (v if isinstance(v, (tuple, list)) else (v,))]
        view = self.view(struct.pack(f"<{len(flat)}{PACK[component]}", *flat))
        entry = {"bufferView": view, "componentType": component, "count": len(values), "type": kind}
        if kind == "VEC3" and component == FLOAT:
            entry["min"] = [min(v[i] for v in values) for i in range(3)]
            entry["max"] = [max(v[i] for v in values) for i in range(3)]
        if normalized:
            entry["normalized"] = True
        return self.add("accessors", entry)

    def mesh(self, positions, indices, index_type=USHORT, **more):
        attributes = {"POSITION": self.accessor("VEC3", FLOAT, positions)}
        if "uvs" in more:
            attributes["TEXCOORD_0"] = self.accessor("VEC2", FLOAT, more["uvs"])
        if "normals" in more:
            attributes["NORMAL"] = self.accessor("VEC3", FLOAT, more["normals"])
        if "colors" in more:
            attributes["COLOR_0"] = self.accessor(*more["colors"])
        primitive = {"attributes": attributes, "indices": self.accessor("SCALAR", index_type, indices)}
        if "material" in more:
            primitive["material"] = more["material"]
        return self.add("meshes", {"primitives": [primitive]})

    def node(self, root=True, **members):
        index = self.add("nodes", members)
        if root:
            self.json["scenes"][0]["nodes"].append(index)
        return index

    def image(self, data, mime="image/png"):
        return self.add("images", {"bufferView": self.view(data), "mimeType": mime})

    def texture(self, image, **sampler):
        entry = {"source": image}
        if sampler:
            entry["sampler"] = self.add("samplers", sampler)
        return self.add("textures", entry)

    def material(self, texture=None, unlit=False, color=(1, 1, 1, 1), metallic=0, roughness=1, **more):
        pbr = {"baseColorFactor": list(color), "metallicFactor": metallic, "roughnessFactor": roughness}
        if texture is not None:
            pbr["baseColorTexture"] = {"index": texture}
        if "metal_rough" in more:
            pbr["metallicRoughnessTexture"] = {"index": more.pop("metal_rough")}
        entry = {"pbrMetallicRoughness": pbr, **more}
        if unlit:
            entry["extensions"] = {"KHR_materials_unlit": {}}
            self.json["extensionsUsed"] = ["KHR_materials_unlit"]
        return self.add("materials", entry)

    def finish(self, uri=None):
        if self.data or uri:
            self.json["buffers"] = [{"byteLength": len(self.data)}]
            if uri:
                self.json["buffers"][0]["uri"] = uri
        return self.json

    def glb(self):
        text = json.dumps(self.finish()).encode()
        return glb_of(text, bytes(self.data))


def glb_of(text, data):
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text
    if data:
        body += struct.pack("<I4s", len(data), b"BIN\0") + data
    return struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body


QUAD = [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]
QUAD_UV = [(0, 1), (1, 1), (1, 0), (0, 0)]
QUAD_NORMALS = [(0, 0, 1)] * 4
QUAD_INDICES = [0, 1, 2, 0, 2, 3]


def quad(gltf, **more):
    return gltf.mesh(QUAD, QUAD_INDICES, uvs=QUAD_UV, normals=QUAD_NORMALS, **more)


def sphere(rings=24, sectors=32):
    positions, uvs, indices = [], [], []
    for r in range(rings + 1):
        for s in range(sectors + 1):
            theta, phi = math.pi * r / rings, 2 * math.pi * s / sectors
            position = (math.sin(theta) * math.sin(phi), math.cos(theta), math.sin(theta) * math.cos(phi))
            positions.append(tuple(round(c, 6) for c in position))
            uvs.append((s / sectors, r / rings))
    for r in range(rings):
        for s in range(sectors):
            a, b = r * (sectors + 1) + s, (r + 1) * (sectors + 1) + s
            indices += [a, b, a + 1, a + 1, b, b + 1]
    return positions, uvs, indices


# ---- sound models ----------------------------------------------------------------------------------------


def orientation(embedded=True):
    gltf = Gltf()
    image = gltf.image(png(64, 64, letter_f)) if embedded else gltf.add("images", {"uri": "letter%20f.png"})
    quad(gltf, material=gltf.material(gltf.texture(image, magFilter=9728, minFilter=9729), unlit=True))
    gltf.node(mesh=0)
    return gltf


def jpeg():
    gltf = Gltf()
    image = gltf.image((HERE / "checker.jpg").read_bytes(), "image/jpeg")
    quad(gltf, material=gltf.material(gltf.texture(image), unlit=True))
    gltf.node(mesh=0)
    return gltf


def alpha_modes():
    """Left to right: OPAQUE, MASK, BLEND; alpha is 0.25 in the upper half, 0.75 in the lower."""
    gltf = Gltf()
    texture = gltf.texture(gltf.image(png(8, 8, lambda x, y: (255, 255, 255, 64 if y < 4 else 191))),
                           magFilter=9728, minFilter=9728)
    for i, mode in enumerate(("OPAQUE", "MASK", "BLEND")):
        mesh = quad(gltf, material=gltf.material(texture, unlit=True, alphaMode=mode, alphaCutoff=0.5))
        gltf.node(mesh=mesh, translation=[2.5 * (i - 1), 0, 0])
    return gltf


def blend_order():
    """A red pane in front of a green one, named in the wrong order; half transparent."""
    gltf = Gltf()
    for color, z in (((1, 0, 0, 0.5), 1), ((0, 1, 0, 0.5), 0)):
        mesh = quad(gltf, material=gltf.material(unlit=True, color=color, alphaMode="BLEND"))
        gltf.node(mesh=mesh, translation=[0, 0, z])
    return gltf


def metal_rough():
    """Metal to the left, polished at the top: both from the map."""
    gltf = Gltf()
    texture = gltf.texture(gltf.image(png(16, 16, lambda x, y: (0, 40 if y < 8 else 230, 255 if x < 8 else 0, 255))))
    positions, uvs, indices = sphere()
    material = gltf.material(color=(0.9, 0.6, 0.3, 1), metallic=1, roughness=1, metal_rough=texture)
    gltf.node(mesh=gltf.mesh(positions, indices, uvs=uvs, normals=positions, material=material))
    return gltf


def normal_map():
    """A flat quad whose map leans to the left in its left half, to the right in its right half."""
    gltf = Gltf()
    texture = gltf.texture(gltf.image(png(16, 16, lambda x, y: (38 if x < 8 else 217, 128, 217, 255))))
    quad(gltf, material=gltf.material(color=(0.8, 0.8, 0.8, 1), normalTexture={"index": texture}))
    gltf.node(mesh=0)
    return gltf


def cameras():
    """Two cameras: one from the front, one from above that stands in a rotated node."""
    gltf = Gltf()
    quad(gltf, material=gltf.material(unlit=True, color=(1, 0, 0, 1)))
    floor = gltf.mesh([(-1, 0, 1), (1, 0, 1), (1, 0, -1), (-1, 0, -1)], QUAD_INDICES, uvs=QUAD_UV,
                      normals=[(0, 1, 0)] * 4, material=gltf.material(unlit=True, color=(0, 0, 1, 1)))
    gltf.node(mesh=0)
    gltf.node(mesh=floor)
    for name in ("front", "above"):
        gltf.add("cameras", {"name": name, "type": "perspective", "perspective": {"yfov": 1.0, "znear": 0.1}})
    gltf.node(camera=0, translation=[0, 0, 5])
    turned = gltf.node(root=False, camera=1, translation=[0, 0, 5])
    gltf.node(children=[turned], rotation=[-math.sqrt(0.5), 0, 0, math.sqrt(0.5)])
    return gltf


def transforms():
    """A chain of nodes that ends at x = 3: translation, scale, matrix."""
    gltf = Gltf()
    quad(gltf, material=gltf.material(unlit=True, color=(1, 0, 0, 1)))
    quad(gltf, material=gltf.material(unlit=True, color=(0, 1, 0, 1)))
    gltf.node(mesh=0)
    inner = gltf.node(root=False, mesh=1, matrix=[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1])
    middle = gltf.node(root=False, children=[inner], scale=[2, 1, 1])
    gltf.node(children=[middle], translation=[1, 0, 0])
    return gltf


def mirrored():
    """The same single-sided quad with a scale of -1: drawn, and mirrored."""
    gltf = orientation()
    gltf.json["nodes"][0]["scale"] = [-1, 1, 1]
    return gltf


def vertex_colors():
    gltf = Gltf()
    colors = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]
    gltf.mesh(QUAD, QUAD_INDICES, UBYTE, normals=QUAD_NORMALS, material=gltf.material(unlit=True),
              colors=("VEC3", UBYTE, colors, True))
    gltf.node(mesh=0)
    return gltf


def no_normals():
    gltf = Gltf()
    positions, _, indices = sphere()
    gltf.mesh(positions, indices, UINT, material=gltf.material(color=(0.7, 0.7, 0.7, 1)))
    gltf.node(mesh=0)
    return gltf


def strip():
    gltf = Gltf()
    gltf.mesh([QUAD[0], QUAD[1], QUAD[3], QUAD[2]], [0, 1, 2, 3], material=gltf.material(unlit=True))
    gltf.json["meshes"][0]["primitives"][0]["mode"] = 5
    gltf.node(mesh=0)
    return gltf


def texture_transform():
    """The lower left corner of the letter fills the quad: mostly blue."""
    gltf = orientation()
    gltf.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["extensions"] = {
        "KHR_texture_transform": {"offset": [0, 0.75], "scale": [0.25, 0.25]}}
    return gltf


def emissive_occlusion():
    gltf = Gltf()
    glow = gltf.texture(gltf.image(png(2, 2, lambda x, y: (255, 255, 255, 255) if x == 0 else (0, 0, 0, 255))),
                        magFilter=9728, minFilter=9728)
    shade = gltf.texture(gltf.image(png(2, 2, lambda x, y: (255, 0, 0, 255) if y == 0 else (0, 0, 0, 255))),
                         magFilter=9728, minFilter=9728)
    quad(gltf, material=gltf.material(color=(0.5, 0.5, 0.5, 1), emissiveFactor=[0, 0, 1],
                                      emissiveTexture={"index": glow}, occlusionTexture={"index": shade}))
    gltf.node(mesh=0)
    return gltf


def sparse():
    """One corner of the quad is moved by a sparse accessor, over a base of zeros."""
    gltf = Gltf()
    quad(gltf, material=gltf.material(unlit=True))
    indices = gltf.view(struct.pack("<3H", 1, 2, 3))
    values = gltf.view(struct.pack("<9f", 2, 0, 0, 2, 2, 0, 0, 2, 0))
    gltf.json["accessors"][0] = {"componentType": FLOAT, "count": 4, "type": "VEC3", "min": [0, 0, 0],
                                 "max": [2, 2, 0], "sparse": {
                                     "count": 3, "indices": {"bufferView": indices, "componentType": USHORT},
                                     "values": {"bufferView": values}}}
    gltf.node(mesh=0)
    return gltf


def data_uri():
    gltf = orientation(embedded=False)
    gltf.json["images"][0]["uri"] = "data:image/png;base64," + base64.b64encode(png(64, 64, letter_f)).decode()
    document = gltf.finish("data:application/octet-stream;base64," + base64.b64encode(bytes(gltf.data)).decode())
    return json.dumps(document)


OBJ = """mtllib quad.mtl
v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0
vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1
usemtl letter
f 1/1 2/2 3/3 4/4
"""


def sound(folder):
    (folder / "letter f.png").write_bytes(png(64, 64, letter_f))
    models = {"orientation": orientation(), "jpeg": jpeg(), "alpha_modes": alpha_modes(), "blend_order": blend_order(),
              "metal_rough": metal_rough(), "normal_map": normal_map(), "cameras": cameras(),
              "transforms": transforms(), "mirrored": mirrored(), "vertex_colors": vertex_colors(),
              "no_normals": no_normals(), "strip": strip(), "texture_transform": texture_transform(),
              "emissive_occlusion": emissive_occlusion(), "sparse": sparse()}
    for name, gltf in models.items():
        (folder / f"{name}.glb").write_bytes(gltf.glb())
    external = orientation(embedded=False)
    (folder / "external.gltf").write_text(json.dumps(external.finish("external%20data.bin")))
    (folder / "external data.bin").write_bytes(bytes(external.data))
    (folder / "data_uri.gltf").write_text(data_uri())
    (folder / "quad.obj").write_text(OBJ)
    (folder / "quad.mtl").write_text("newmtl letter\nKd 1 1 1\nmap_Kd letter f.png\n")
    (folder / "plain.obj").write_text(OBJ.replace("mtllib quad.mtl\n", "").replace("usemtl letter\n", ""))


def more_than_drawn():
    """A quad that is drawn, and one of everything that is not."""
    gltf = orientation()
    primitives = gltf.json["meshes"][0]["primitives"]
    primitives[0]["targets"] = [{"POSITION": primitives[0]["attributes"]["POSITION"]}]
    primitives.append({"attributes": primitives[0]["attributes"], "mode": 1})
    gltf.json["skins"] = [{"joints": [0]}]
    time = gltf.accessor("SCALAR", FLOAT, [0, 1])
    way = gltf.accessor("VEC3", FLOAT, [(0, 0, 0), (1, 0, 0)])
    gltf.json["animations"] = [{"samplers": [{"input": time, "output": way}],
                                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}]
    gltf.json["extensionsUsed"] = ["KHR_materials_unlit", "KHR_lights_punctual"]
    return gltf


def partial(folder):
    """Models that draw, with warnings."""
    (folder / "more_than_drawn.glb").write_bytes(more_than_drawn().glb())
    (folder / "lines.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nl 1 3\nl 2 3\n")


# ---- broken models ---------------------------------------------------------------------------------------


def broken_json(change):
    gltf = orientation()
    document = gltf.finish()
    change(document)
    return glb_of(json.dumps(document).encode(), bytes(gltf.data))


def chain(length):
    gltf = Gltf()
    quad(gltf)
    gltf.json["nodes"] = [{"children": [i + 1]} for i in range(length - 1)] + [{"mesh": 0}]
    gltf.json["scenes"][0]["nodes"] = [0]
    return gltf


def out_of_range():
    gltf = Gltf()
    gltf.mesh(QUAD, [0, 1, 2, 0, 2, 4])
    gltf.node(mesh=0)
    return gltf


def shared(primitives):
    """A file of some hundred kilobytes that asks for hundreds of millions of vertices: all share one accessor."""
    gltf = orientation()
    gltf.json["accessors"][0].update(count=1 << 17, bufferView=gltf.view(bytes(12 << 17)))
    only = {"attributes": {"POSITION": 0}}
    gltf.json["meshes"][0]["primitives"] = [only] * primitives
    return gltf


def recursive():
    gltf = Gltf()
    quad(gltf)
    gltf.json["nodes"] = [{"children": [1], "mesh": 0}, {"children": [0]}]
    gltf.json["scenes"][0]["nodes"] = [0]
    return gltf


def broken(folder):
    whole = orientation().glb()

    def put(name, data):
        (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())

    put("empty.glb", b"")
    put("empty.obj", b"")
    put("magic_only.glb", b"glTF")
    for part in (16, 24, 200, len(whole) // 2, len(whole) - 4):
        put(f"truncated_{part}.glb", whole[:part])
    put("chunk_too_long.glb", whole[:12] + struct.pack("<I", 0x7fffffff) + whole[16:])
    put("version_1.glb", whole[:4] + struct.pack("<I", 1) + whole[8:])
    put("not_json.gltf", "this is not JSON {")
    put("not_gltf.gltf", "{}")
    put("nested_json.gltf", '{"asset":{"version":"2.0"},"extras":' + "[" * 100000 + "]" * 100000 + "}")
    put("out_of_range.glb", out_of_range().glb())
    put("recursive.glb", recursive().glb())
    put("shared.glb", shared(5000).glb())
    put("deep.glb", chain(200000).glb())
    put("own_child.glb", broken_json(lambda d: d["nodes"][0].update(children=[0])))
    put("no_mesh.glb", broken_json(lambda d: d["nodes"][0].pop("mesh")))
    put("mesh_index.glb", broken_json(lambda d: d["nodes"][0].update(mesh=7)))
    put("material_index.glb", broken_json(lambda d: d["meshes"][0]["primitives"][0].update(material=-1)))
    put("view_beyond.glb", broken_json(lambda d: d["bufferViews"][0].update(byteLength=1 << 30)))
    put("view_overflow.glb", broken_json(lambda d: d["bufferViews"][0].update(byteOffset=(1 << 32) - 1)))
    put("huge_count.glb", broken_json(lambda d: d["accessors"][0].update(count=4000000000)))
    put("large_count.glb", broken_json(lambda d: d["accessors"][0].update(count=100000000)))
    put("float_count.glb", broken_json(lambda d: d["accessors"][0].update(count=1.5)))
    put("bad_type.glb", broken_json(lambda d: d["accessors"][0].update(type="VEC9")))
    put("wrong_type.glb", broken_json(lambda d: d["accessors"][0].update(type="SCALAR")))
    put("no_buffer.glb", broken_json(lambda d: d["buffers"][0].update(uri="missing.bin")))
    put("short_buffer.glb", broken_json(lambda d: d["buffers"][0].update(byteLength=1 << 20)))
    put("draco.glb", broken_json(lambda d: d.update(extensionsRequired=["KHR_draco_mesh_compression"])))
    put("bad_base64.gltf", json.dumps({"asset": {"version": "2.0"},
                                       "buffers": [{"byteLength": 4, "uri": "data:;base64,AA*="}]}))
    put("not_finite.glb", whole.replace(struct.pack("<f", -1.0), struct.pack("<f", math.nan), 1))
    put("bad_face.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
    put("no_face.obj", "v 0 0 0\n")
    put("not_finite.obj", "v 0 0 0\nv 1e39 0 0\nv 0 1 0\nf 1 2 3\n")
    put("bad_material.obj", OBJ.replace("quad.mtl", "bad.mtl"))  # assimp 5.2 crashes on its material
    put("bad.mtl", "Kd 1 1 1\n")
    put("model.xyz", "0 0 0\n")
    # These draw, with a warning and a checker board.
    put("zero.png", b"")
    put("empty_texture.gltf", (folder.parent / "sound/external.gltf").read_text().replace("letter%20f.png", "zero.png")
        .replace("external%20data.bin", "../sound/external%20data.bin"))
    put("missing_texture.gltf", (folder.parent / "sound/external.gltf").read_text()
        .replace("external%20data.bin", "../sound/external%20data.bin"))
    # The same for a picture that breaks off.
    put("broken.png", png(64, 64, letter_f)[:100])
    put("broken_texture.gltf", (folder / "empty_texture.gltf").read_text().replace("zero.png", "broken.png"))
    # No SPIR-V at all.
    put("text.spv", "void main() {}\n")
    put("zero.spv", b"")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    for name, make in (("sound", sound), ("partial", partial), ("broken", broken)):
        (root / name).mkdir(parents=True, exist_ok=True)
        make(root / name)


if __name__ == "__main__":
    main()
