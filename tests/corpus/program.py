"""The linked program of a test: compiled stages whose interface the runner has laid out itself."""
import dataclasses
import re

import spirv
import translate
from options import Options
from shader_test import STAGES, NotApplicable

SLOTS = {"vertex": 0, "fragment": 1, "compute": 0}  # of the arguments of a stage
DEFAULT_BLOCK = "gl_DefaultUniformBlock"


@dataclasses.dataclass
class Resource:
    """A block, texture or image of one stage."""
    kind: str        # uniform, storage, atomic, texture or image
    name: str        # as GL knows it: of the block, or of the sampler
    slot: int
    binding: int     # ours
    dimensions: list  # of arrays
    explicit: int    # the binding in the source, or None
    leaves: dict = dataclasses.field(default_factory=dict)
    size: int = 0
    view: str = ""   # textures and images: kind of view
    sampled: str = ""  # float, int or uint
    shadow: bool = False
    multisampled: bool = False
    formatless: bool = False  # an image that names no format

    def elements(self):
        """Suffixes of the names of all elements, in order: [0][0], [0][1] and so on."""
        suffixes = [""]
        for size in self.dimensions:
            suffixes = [f"{suffix}[{index}]" for suffix in suffixes for index in range(size)]
        return suffixes


class Stage:
    def __init__(self, name, module, text):
        self.name = name
        self.module = module
        self.text = text  # translated source
        self.resources = []

    def interface(self, storage):
        return [v for v in self.module.variables
                if v.storage == storage and not self.module.is_built_in(v)]

    def interface_name(self, variable):
        """What matches between stages: the variable's name, or its block's."""
        type_ = self.module.element(variable.type)[0]
        if spirv.BLOCK in self.module.decorations.get(type_, {}):
            return "block " + self.module.names[type_]
        return variable.name

    def layout_says(self, name, word):
        """The number that the source gives with `word` in a layout of `name`; None if there is none."""
        match = re.search(rf"layout\s*\(([^)]*\b{word}\b[^)]*)\)[^;{{}}]*(?:\{{[^}}]*\}})?[^;{{}}]*?"
                          rf"\b{re.escape(name)}\b", self.text)
        value = match and re.search(rf"\b{word}\s*=\s*(\w+)", match.group(1))
        if not value:
            return None
        return int(value.group(1), 0) if value.group(1)[0].isdigit() else -1


class Program:
    def __init__(self, test, compiler):
        self.options = Options(test.commands)
        texts = {stage: stage_texts(test, stage) for stage in STAGES}
        self.options.read_initial_values(texts)
        self.options.fragment_inputs = translate.compatibility_inputs(test, texts["fragment"], self.options)
        self.stages = {stage: self.compile(test, compiler, stage, texts[stage])
                       for stage in STAGES if texts[stage]}
        if "compute" not in self.stages and "fragment" not in self.stages:
            raise NotApplicable("command", "no fragment shader: fixed function or none")
        self.attributes = {}
        if "vertex" in self.stages:
            self.place_attributes(self.stages["vertex"])
            self.place_varyings(self.stages["vertex"], self.stages["fragment"])
        self.uniform_locations = {}  # names of uniforms by the location that the source gives
        for stage in self.stages.values():
            found = re.findall(r"layout\s*\(\s*location\s*=\s*(\d+)\s*\)\s*uniform\s+\w+\s+(\w+)", stage.text)
            self.uniform_locations.update(found)
        self.initial = {}  # words of uniforms before any command, by their full names
        for stage in self.stages.values():
            self.place_resources(stage)

    def compile(self, test, compiler, stage, texts):
        """GLSL 4.60 first; a source that this breaks, in its own version."""
        error = None
        for version in (460, 140):
            translated = [translate.translate(test, stage, text, self.options, version) for text in texts]
            try:
                code = compiler.compile(stage, translated)
                return Stage(stage, spirv.Module(code), "\n".join(translated))
            except NotApplicable as refusal:
                error = error or refusal
        raise error

    def place_attributes(self, stage):
        """Locations of vertex inputs, in the order of their names."""
        taken = set()
        for variable in sorted(stage.interface(spirv.INPUT), key=lambda v: v.name):
            size = stage.module.locations(variable.type)
            location = take(taken, size, stage.layout_says(variable.name, "location"))
            stage.module.redecorate(variable.id, spirv.LOCATION, location)
            self.attributes[variable.name] = location, variable.type

    def place_varyings(self, vertex, fragment):
        """Outputs and inputs of one name get one location; those with one in the source keep it."""
        places, taken = {}, set()
        sides = [(stage, variable) for stage, storage in ((vertex, spirv.OUTPUT), (fragment, spirv.INPUT))
                 for variable in stage.interface(storage)]
        free = []
        for stage, variable in sides:
            location = stage.module.decoration(variable.id, spirv.LOCATION)
            name = stage.interface_name(variable)
            if location is None:
                taken.update(member_locations(stage.module, variable))
            elif stage.layout_says(name.split()[-1], "location") is not None:
                taken.update(range(location, location + stage.module.locations(variable.type)))
                places[name] = location
            else:
                free.append((stage, variable, name))
        for stage, variable, name in free:
            if name not in places:
                places[name] = take(taken, stage.module.locations(variable.type), None)
            stage.module.redecorate(variable.id, spirv.LOCATION, places[name])

    def place_resources(self, stage):
        """One binding after another, in the stage's own slot."""
        module = stage.module
        for variable in module.variables:
            if spirv.BINDING not in module.decorations.get(variable.id, {}):
                continue
            resource = describe(stage, variable)
            if variable.id not in module.used:
                continue
            resource.binding = len(stage.resources)
            module.redecorate(variable.id, spirv.BINDING, resource.binding)
            module.redecorate(variable.id, spirv.DESCRIPTOR_SET, resource.slot)
            stage.resources.append(resource)
            self.take_initial(resource)

    def take_initial(self, resource):
        """Deals the numbers of a uniform's initial value out to its members, in their order."""
        for name, words in self.options.initial.items():
            leaves = [(path, leaf) for path, leaf in resource.leaves.items()
                      if re.split(r"[\[.]", path)[0] == name]
            if len(leaves) == 1 and len(words) == 1:
                path, leaf = leaves[0]
                self.initial[path] = words * leaf.rows
                continue
            rest = iter(words)
            for path, leaf in leaves:
                self.initial[path] = [next(rest, "0") for _ in range(leaf.rows * leaf.columns)]


def stage_texts(test, stage):
    texts = test.shaders(stage)
    if f"{stage} shader spirv" in test.headings():
        raise NotApplicable("spirv", "")
    if stage == "vertex" and not texts and "compute" not in " ".join(test.headings()):
        texts = [translate.PASSTHROUGH if "vertex shader passthrough" in test.headings()
                 else translate.FIXED_VERTEX]
    return texts


def take(taken, size, wanted):
    """Marks `size` locations in a row as taken and returns the first."""
    first = wanted
    if first is None or first < 0:
        first = 0
        while any(place in taken for place in range(first, first + size)):
            first += 1
    taken.update(range(first, first + size))
    return first


def member_locations(module, variable):
    """Locations of a block whose members carry them."""
    type_ = module.element(variable.type)[0]
    for index, member in enumerate(module.types[type_][1]):
        location = module.member_decorations.get((type_, index), {}).get(spirv.LOCATION)
        if location:
            yield from range(location[0], location[0] + module.locations(member))


def describe(stage, variable):
    module = stage.module
    type_, dimensions = module.element(variable.type)
    opcode, operands = module.types[type_]
    slot = SLOTS[stage.name]
    if variable.storage == spirv.UNIFORM_CONSTANT and opcode == spirv.TYPE_STRUCT:
        raise NotApplicable("opaque", "")
    if opcode != spirv.TYPE_STRUCT:
        return describe_image(stage, variable, type_, dimensions)
    block = module.names[type_]
    if block.startswith("gl_AtomicCounterBlock_"):
        return Resource("atomic", block, slot, 0, dimensions, int(block.rsplit("_", 1)[1]))
    storage = variable.storage == spirv.STORAGE_BUFFER or spirv.BUFFER_BLOCK in module.decorations[type_]
    resource = Resource("storage" if storage else "uniform", block, slot, 0, dimensions,
                        stage.layout_says(block, "binding"))
    prefix = block + "." if variable.name and not storage else ""
    resource.leaves = {prefix + path: leaf for path, leaf in module.leaves(type_)}
    resource.size = module.size(type_)
    return resource


def describe_image(stage, variable, type_, dimensions):
    module = stage.module
    kind = "image"
    opcode, operands = module.types[type_]
    if opcode == spirv.TYPE_SAMPLED_IMAGE:
        kind = "texture"
        opcode, operands = module.types[operands[0]]
    if opcode != spirv.TYPE_IMAGE:
        raise NotApplicable("command", "a resource that GL has not")
    component, dimension, depth, arrayed, multisampled = operands[:5]
    views = {0: "1d", 1: "2d", 2: "3d", 3: "cube", 4: "2d"}
    if dimension not in views:
        raise NotApplicable("command", "buffer textures")
    view = views[dimension] + ("_array" if arrayed else "")
    number = module.types[component]
    sampled = "float" if number[0] == spirv.TYPE_FLOAT else "int" if number[1][1] else "uint"
    return Resource(kind, variable.name, SLOTS[stage.name], 0, dimensions,
                    stage.layout_says(variable.name, "binding"), view=view, sampled=sampled,
                    shadow=depth == 1, multisampled=bool(multisampled), formatless=operands[6] == 0)
