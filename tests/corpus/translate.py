"""Rewrites OpenGL's GLSL for glslang's Vulkan rules (relaxed: default uniforms make a block).

What glslang does not do is done here: desktop versions before 4.60 become 4.60, the built-ins of the
compatibility profile become variables of our own, and the vertex shader's position is mapped from
GL's clip space (z from -w to w, y towards the last row) to Vulkan's.
"""
import re

from shader_test import NotApplicable

# Extensions whose contents GLSL 4.60 has of itself, if under other names.
CORE_EXTENSIONS = """
ARB_arrays_of_arrays ARB_bit_encoding ARB_compute_shader ARB_conservative_depth ARB_cull_distance
ARB_derivative_control ARB_draw_buffers ARB_draw_instanced ARB_enhanced_layouts
ARB_explicit_attrib_location ARB_explicit_uniform_location ARB_fragment_coord_conventions
ARB_gpu_shader5 ARB_gpu_shader_fp64 ARB_separate_shader_objects ARB_shader_atomic_counters
ARB_shader_bit_encoding ARB_shader_image_load_store ARB_shader_image_size ARB_shader_precision
ARB_shader_storage_buffer_object ARB_shader_texture_lod ARB_shading_language_420pack
ARB_shading_language_packing ARB_texture_cube_map_array ARB_texture_gather ARB_texture_query_levels
ARB_texture_query_lod ARB_texture_rectangle ARB_uniform_buffer_object ARB_vertex_attrib_64bit
EXT_gpu_shader4 EXT_separate_shader_objects EXT_shader_integer_mix EXT_texture_array
MESA_shader_integer_functions OES_standard_derivatives EXT_frag_depth EXT_shader_texture_lod
ARB_shader_atomic_counter_ops OES_shader_image_atomic EXT_shader_implicit_conversions
EXT_shader_image_load_formatted AMD_shader_trinary_minmax
""".split()

# Names of older GLSL that are functions of today under another name.
OLD_FUNCTIONS = {
    "texture1D": "texture", "texture2D": "texture", "texture3D": "texture", "textureCube": "texture",
    "texture1DProj": "textureProj", "texture2DProj": "textureProj", "texture3DProj": "textureProj",
    "texture1DLod": "textureLod", "texture2DLod": "textureLod", "texture3DLod": "textureLod",
    "textureCubeLod": "textureLod", "texture1DProjLod": "textureProjLod",
    "texture2DProjLod": "textureProjLod", "texture3DProjLod": "textureProjLod",
    "texture1DArray": "texture", "texture2DArray": "texture",
    "texture1DArrayLod": "textureLod", "texture2DArrayLod": "textureLod",
    "texture2DRect": "texture", "texture2DRectProj": "textureProj",
    "texture1DGradARB": "textureGrad", "texture2DGradARB": "textureGrad",
    "texture3DGradARB": "textureGrad", "textureCubeGradARB": "textureGrad",
    "texture1DProjGradARB": "textureProjGrad", "texture2DProjGradARB": "textureProjGrad",
    "texture2DRectGradARB": "textureGrad", "textureQueryLOD": "textureQueryLod",
    "atomicCounterAddARB": "atomicCounterAdd", "atomicCounterSubtractARB": "atomicCounterSubtract",
    "atomicCounterMinARB": "atomicCounterMin", "atomicCounterMaxARB": "atomicCounterMax",
    "atomicCounterAndARB": "atomicCounterAnd", "atomicCounterOrARB": "atomicCounterOr",
    "atomicCounterXorARB": "atomicCounterXor", "atomicCounterExchangeARB": "atomicCounterExchange",
    "atomicCounterCompSwapARB": "atomicCounterCompSwap",
}
# Functions of three numbers, in terms of those of two.
TRINARY = {"min3": "min(a, min(b, c))", "max3": "max(a, max(b, c))",
           "mid3": "max(min(a, b), min(max(a, b), c))"}
# Comparing lookups gave four components.
OLD_SHADOWS = {
    "shadow1D": "texture", "shadow2D": "texture", "shadow1DArray": "texture",
    "shadow2DArray": "texture", "shadow2DRect": "texture", "shadow1DProj": "textureProj",
    "shadow2DProj": "textureProj", "shadow2DRectProj": "textureProj", "shadow1DLod": "textureLod",
    "shadow2DLod": "textureLod", "shadow1DProjLod": "textureProjLod",
    "shadow2DProjLod": "textureProjLod", "shadow1DGradARB": "textureGrad",
    "shadow2DGradARB": "textureGrad", "shadow2DRectGradARB": "textureGrad",
    "shadow2DProjGradARB": "textureProjGrad", "shadow1DProjGradARB": "textureProjGrad",
    "shadow2DRectProjGradARB": "textureProjGrad",
}

# The compatibility profile's built-ins as variables of our own: name, then what declares it.
# {io} is the varying keyword of the stage.
VERTEX_BUILTINS = {
    "gl_Vertex": ("wf_Vertex", "in vec4 wf_Vertex;"),
    "gl_Color": ("wf_Color_in", "in vec4 wf_Color_in;"),
    "gl_SecondaryColor": ("wf_Secondary_in", "in vec4 wf_Secondary_in;"),
    "gl_Normal": ("wf_Normal", "in vec3 wf_Normal;"),
    "gl_FrontColor": ("wf_FrontColor", "{color}out vec4 wf_FrontColor;"),
    "gl_BackColor": ("wf_BackColor", "{color}out vec4 wf_BackColor;"),
    "gl_FrontSecondaryColor": ("wf_FrontSecondary", "{color}out vec4 wf_FrontSecondary;"),
    "gl_BackSecondaryColor": ("wf_BackSecondary", "{color}out vec4 wf_BackSecondary;"),
    "gl_TexCoord": ("wf_TexCoord", "out vec4 wf_TexCoord[8];"),
    "gl_FogFragCoord": ("wf_FogFragCoord", "out float wf_FogFragCoord;"),
    "gl_ClipVertex": ("wf_ClipVertex", "vec4 wf_ClipVertex;"),
}
for unit in range(8):
    VERTEX_BUILTINS[f"gl_MultiTexCoord{unit}"] = (f"wf_MultiTexCoord{unit}",
                                                  f"in vec4 wf_MultiTexCoord{unit};")
FRAGMENT_BUILTINS = {
    "gl_FragColor": ("wf_FragColor", "layout(location = 0) out vec4 wf_FragColor;"),
    "gl_FragData": ("wf_FragData", "layout(location = 0) out vec4 wf_FragData[8];"),
    "gl_TexCoord": ("wf_TexCoord", "in vec4 wf_TexCoord[8];"),
    "gl_FogFragCoord": ("wf_FogFragCoord", "in float wf_FogFragCoord;"),
}
COMMON_BUILTINS = {
    "gl_ModelViewProjectionMatrix": ("wf_MVP", "uniform mat4 wf_MVP;"),
    "gl_ModelViewMatrix": ("wf_ModelView", "uniform mat4 wf_ModelView;"),
    "gl_ProjectionMatrix": ("wf_Projection", "uniform mat4 wf_Projection;"),
    "gl_TextureMatrix": ("wf_TextureMatrix", "uniform mat4 wf_TextureMatrix[8];"),
    "gl_DepthRange": ("wf_DepthRange", "struct wf_DepthRangeType { float near, far, diff; };\n"
                      "const wf_DepthRangeType wf_DepthRange = wf_DepthRangeType(0.0, 1.0, 1.0);"),
    "gl_MaxTextureUnits": ("wf_MaxTextureUnits", "const int wf_MaxTextureUnits = 8;"),
    "gl_MaxTextureCoords": ("wf_MaxTextureCoords", "const int wf_MaxTextureCoords = 8;"),
    "gl_MaxClipPlanes": ("wf_MaxClipPlanes", "const int wf_MaxClipPlanes = 8;"),
    "gl_MaxLights": ("wf_MaxLights", "const int wf_MaxLights = 8;"),
    "gl_InstanceIDARB": ("gl_InstanceID", ""),
}
COLORS = ("wf_FrontColor", "wf_BackColor", "wf_FrontSecondary", "wf_BackSecondary")
FIXED_FUNCTION = re.compile(r"\bgl_(LightSource|LightModel|FrontMaterial|FrontLightModelProduct|Fog\b|"
                            r"FrontLightProduct|Point\b|NormalMatrix|NormalScale|ClipPlane\b)")

PASSTHROUGH = """
in vec4 piglit_vertex;
void main() { gl_Position = piglit_vertex; }
"""
# What fixed function does where a test gives no vertex shader: only position, colors, coordinates.
FIXED_VERTEX = """
void main()
{
    gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;
    gl_FrontColor = gl_Color;
    gl_TexCoord[0] = gl_MultiTexCoord0;
}
"""


# Extensions for which neither Vulkan nor glslang's Vulkan rules have anything.
FOREIGN_EXTENSIONS = """
ARB_bindless_texture ARB_compute_variable_group_size ARB_shading_language_include
EXT_shader_framebuffer_fetch EXT_shader_framebuffer_fetch_non_coherent
INTEL_shader_integer_functions2 NV_viewport_array2 AMD_texture_texture4 INTEL_shader_atomic_float_minmax
NV_shader_atomic_float NV_compute_shader_derivatives ARB_shader_clock
""".split()
DEPTH_MODES = {"luminance": "vec4(vec3({}), 1.0)", "intensity": "vec4({})",
               "alpha": "vec4(vec3(0.0), {})", "red": "vec4({}, 0.0, 0.0, 1.0)"}
INITIALIZED = re.compile(r"\buniform\s+((?:highp\s+|mediump\s+|lowp\s+)?\w+(?:\s*\[[^\]]*\])*)\s+"
                         r"(\w+)((?:\s*\[[^\]]*\])*)\s*=([^;]*);")


class Options:
    """What a test's commands and its other shaders change about a shader."""

    def __init__(self, commands):
        modes = {line.split()[-1] for line in commands if re.match(r"texparameter \w+ depth_mode", line)}
        if len(modes) > 1:
            raise NotApplicable("legacy", "several depth modes")
        self.depth_mode = DEPTH_MODES[modes.pop() if modes else "luminance"]
        formats = {line.split()[-1] for line in commands if line.startswith("image texture")}
        self.image_format = formats.pop() if len(formats) == 1 else None
        self.set_uniforms = {re.split(r"[\[.]", line.split()[2])[0] for line in commands
                             if line.startswith("uniform ")}
        self.initial = {}    # numbers of uniforms with initial values that commands do change
        self.constants = {}  # uniforms with initial values that no command changes
        self.fragment_inputs = set()  # compatibility varyings that the fragment shader reads
        self.flat = "shade model flat" in commands
        self.two_sided = any("VERTEX_PROGRAM_TWO_SIDE" in line for line in commands)
        self.clip_planes = sorted({int(match.group(1)) for line in commands
                                   for match in [re.match(r"enable GL_CLIP_PLANE(\d)", line)] if match})


    def read_sources(self, test, texts):
        for stage_texts in texts.values():
            for text in stage_texts:
                for match in INITIALIZED.finditer(strip_comments(text)):
                    if match.group(2) not in self.set_uniforms:
                        self.constants[match.group(2)] = match.groups()
                    else:
                        self.initial[match.group(2)] = initial_words(match.group(4))
        for text in texts.get("fragment", []):
            translated = translate(test, "fragment", text, self)
            self.fragment_inputs |= set(re.findall(r"\bin vec4 (wf_(?:Front|Back)\w+);", translated))
            if "wf_TexCoord" in translated:
                self.fragment_inputs.add("wf_TexCoord")


def initial_words(expression):
    """The numbers of a constructor of numbers."""
    expression = re.sub(r"\[[^\]]*\]", "", expression)
    expression = re.sub(r"\b[bdiu]?vec([234])\s*\(([^(),]+)\)",
                        lambda match: ",".join([match.group(2)] * int(match.group(1))), expression)
    words = re.findall(r"(?<![\w.])(?:true|false|[-+]?(?:0x[0-9a-fA-F]+|\d*\.?\d+(?:[eE][-+]?\d+)?))", expression)
    return [{"true": "1", "false": "0"}.get(word, word) for word in words]


def source_version(test, text):
    """Number and profile of a shader: its own #version, or what the test requires."""
    own = re.search(r"^\s*#\s*version\s+(\d+)\s*(\w*)", text, re.M)
    if own:
        number = int(own.group(1))
        return number, number == 100 or own.group(2) == "es"
    needs = test.required(r"GLSL( ES)?\s*>=\s*(\d)\.(\d+)")
    if not needs:
        return 110, bool(test.required(r"GL ES"))
    return int(needs.group(2)) * 100 + int(needs.group(3).ljust(2, "0")), bool(needs.group(1))


def strip_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n") or " ", text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def translate(test, stage, text, options, version=460):
    """The text for glslang. `version` is the desktop version to use."""
    number, es = source_version(test, text)
    if FIXED_FUNCTION.search(text):
        raise NotApplicable("legacy", FIXED_FUNCTION.search(text).group())
    if re.search(r"\bsampler2DRect(Shadow)?\b", text):
        raise NotApplicable("format", "rectangle textures")
    if re.search(r"\bsubroutine\b", text):
        raise NotApplicable("subroutine", "")
    body = fold_extensions(strip_comments(text))
    body = re.sub(r"^\s*#\s*version[^\n]*", "", body, flags=re.M)
    extensions, body = take_extensions(body)
    declarations = []
    body = replace_varyings(stage, body)
    body = replace_builtins(stage, body, options, declarations)
    body = replace_functions(body, options)
    body = replace_initialized(body, options)
    body = add_image_format(body, options)
    declarations += [f"#define {name}(a, b, c) {formula}" for name, formula in TRINARY.items()
                     if re.search(rf"\b{name}\s*\(", body)]
    if stage == "vertex" and re.search(r"\bmain\s*\(\s*(void)?\s*\)\s*\{", body):
        body += vertex_epilogue(options, body, declarations)
    head = "#version 310 es" if es else f"#version {max(number, version)}"
    precision = []
    if es:
        head = "#version 310 es" if number < 320 else "#version 320 es"
        precision = ["precision highp float;", "precision highp int;"]
    return "\n".join([head] + extensions + precision + declarations + [body]) + "\n"


def fold_extensions(body):
    """Answers what conditionals ask about extensions whose names glslang does not define."""
    def fold(match):
        line = match.group()
        for name in CORE_EXTENSIONS:
            if "GL_" + name not in line:
                continue
            line = re.sub(rf"^(\s*#\s*)if(n?)def\s+GL_{name}\b",
                          lambda m: f"{m.group(1)}if {0 if m.group(2) else 1}", line)
            line = re.sub(rf"\bdefined\s*(\(\s*)?GL_{name}\b(?(1)\s*\))", "1", line)
            line = re.sub(rf"\bGL_{name}\b", "1", line)
        return line
    return re.sub(r"^[ \t]*#[ \t]*(if|elif)[^\n]*", fold, body, flags=re.M)


def take_extensions(body):
    """Lines for the head, and the text without its #extension lines.

    An extension inside of a conditional stays where it is.
    """
    head, rest, depth = [], [], 0
    for line in body.split("\n"):
        if re.match(r"\s*#\s*if", line):
            depth += 1
        elif re.match(r"\s*#\s*endif", line):
            depth -= 1
        match = re.match(r"\s*#\s*extension\s+GL_(\w+)\s*:", line)
        if not match:
            rest.append(line)
            continue
        name = match.group(1)
        if name in FOREIGN_EXTENSIONS and not depth:
            raise NotApplicable("extension", "GL_" + name)
        if name in CORE_EXTENSIONS:
            line = f"#extension GL_{name} : enable"  # a warning where glslang does not know it
        (rest if depth else head).append(line)
    return head, "\n".join(rest)


def replace_varyings(stage, body):
    body = re.sub(r"\battribute\b", "in", body)
    return re.sub(r"\bvarying\b", "out" if stage == "vertex" else "in", body)


def replace_builtins(stage, body, options, declarations):
    if "ftransform" in body:
        body = re.sub(r"\bftransform\s*\(\s*\)", "(gl_ModelViewProjectionMatrix * gl_Vertex)", body)
    color = "flat " if options.flat else ""
    tables = [COMMON_BUILTINS]
    if stage == "vertex":
        tables.append(VERTEX_BUILTINS)
    elif stage == "fragment":
        tables.append(FRAGMENT_BUILTINS)
        body = replace_fragment_colors(body, options, declarations)
    if "gl_FragData" in body:
        body = re.sub(r"\bgl_FragColor\b", "gl_FragData[0]", body)
    for table in tables:
        for name, (ours, declaration) in table.items():
            if not re.search(rf"\b{name}\b", body):
                continue
            declared = redeclaration(body, name)
            body = body.replace(declared, "") if declared else body
            body = re.sub(rf"\b{name}\b", ours, body)
            if name == "gl_FragColor" and re.search(r"^\s*out\s", body, re.M):
                declaration = declaration.split(") ")[1]  # among others: glslang places it
            declarations.append(re.sub(rf"\b{name}\b", ours, declared) if declared
                                else declaration.replace("{color}", color))
    return body


def redeclaration(body, name):
    """A built-in that the shader declares anew, to qualify or size it; "" if it does not."""
    match = re.search(rf"^[ \t]*((?:flat|smooth|noperspective|centroid|invariant|in|out)\s+)+"
                      rf"(vec4|float)\s+{name}\s*(\[\s*\d*\s*\])?\s*;", body, re.M)
    return match.group() if match else ""


def replace_fragment_colors(body, options, declarations):
    """gl_Color in a fragment shader is the vertex shader's front or back color."""
    for name, vertex in (("gl_Color", "Color"), ("gl_SecondaryColor", "Secondary")):
        if not re.search(rf"\b{name}\b", body):
            continue
        declared = redeclaration(body, name)
        body = body.replace(declared, "") if declared else body
        line = declared.strip() or ("flat " if options.flat else "") + f"in vec4 {name};"
        declarations.append(line.replace(name, f"wf_Front{vertex}"))
        ours = f"wf_Front{vertex}"
        if options.two_sided:
            declarations.append(line.replace(name, f"wf_Back{vertex}"))
            ours = f"(gl_FrontFacing ? wf_Front{vertex} : wf_Back{vertex})"
        body = re.sub(rf"\b{name}\b", ours, body)
    return body


def replace_functions(body, options):
    for old, new in OLD_FUNCTIONS.items():
        if old in body:
            body = re.sub(rf"\b{old}(?=\s*\()", new, body)
    for old, new in OLD_SHADOWS.items():
        if old in body:
            body = re.sub(rf"\b{old}(?=\s*\()", f"vec4_{new}", body)
    return expand_shadows(body, options.depth_mode) if "vec4_texture" in body else body


def replace_initialized(body, options):
    """glslang ignores initial values of uniforms: those that stay are constants."""
    for name, (type_, _, dimensions, value) in options.constants.items():
        body = re.sub(rf"\buniform\s+(?:\w+\s+)?\w+(?:\s*\[[^\]]*\])*\s+{name}\b(?:\s*\[[^\]]*\])*(?:\s*=[^;]*)?;",
                      lambda _, text=f"const {type_} {name}{dimensions} ={value};": text, body)
    return body


def add_image_format(body, options):
    """A format for images that are declared without one, as the test binds them."""
    qualifier = {"GL_RGBA8": "rgba8", "GL_RGBA32F": "rgba32f", "GL_R32UI": "r32ui", "GL_R32I": "r32i",
                 "GL_RGBA16F": "rgba16f", "GL_R32F": "r32f"}.get(options.image_format)
    if not qualifier:
        return body
    return re.sub(r"(\blayout\s*\([^)]*\)\s*)?((?:(?:readonly|writeonly|coherent|restrict|volatile)\s+)*"
                  r"uniform\s+(?:(?:high|medium|low)p\s+)?[iu]?image\w+)",
                  lambda match: match.group() if re.search(r"\br(g|gba)?\d", match.group(1) or "")
                  else f"{with_format(match.group(1), qualifier)}{match.group(2)}", body)


def with_format(layout, qualifier):
    return layout.replace(")", f", {qualifier})") if layout else f"layout({qualifier}) "


def expand_shadows(body, mode):
    """vec4_f(arguments) becomes four components of f(arguments), as the depth mode has it."""
    out, place = [], 0
    for match in re.finditer(r"\bvec4_(\w+)\s*\(", body):
        if match.start() < place:
            raise NotApplicable("legacy", "nested comparing lookups")
        depth, end = 1, match.end()
        while depth and end < len(body):
            depth += {"(": 1, ")": -1}.get(body[end], 0)
            end += 1
        out.append(body[place:match.start()])
        out.append(mode.format(f"{match.group(1)}({body[match.end():end]}"))
        place = end
    return "".join(out) + body[place:]


def vertex_epilogue(options, body, declarations):
    """Runs the test's main(), then maps its position."""
    lines = ["", "#undef main", "void main()", "{"]
    for name in sorted(options.fragment_inputs):
        if not re.search(rf"\bout vec4 {name}\b", "\n".join(declarations)):
            array = "[8]" if name == "wf_TexCoord" else ""
            declarations.append(("flat " if options.flat else "") + f"out vec4 {name}{array};")
            lines.append(f"    {name}{'[0]' if array else ''} = vec4(0.0);")
    lines.append("    wf_main();")
    lines += [f"    {name} = clamp({name}, 0.0, 1.0);" for name in COLORS if f"out vec4 {name};" in
              "\n".join(declarations)]
    lines += clip_lines(options, body, declarations)
    declarations.append("#define main wf_main")
    lines += ["    gl_Position.y = -gl_Position.y;",
              "    gl_Position.z = (gl_Position.z + gl_Position.w) * 0.5;", "}"]
    return "\n".join(lines)


def clip_lines(options, body, declarations):
    """A clip distance that is not enabled does not clip; planes of fixed function are distances, too."""
    declared = re.search(r"\bfloat\s+gl_ClipDistance\s*\[\s*(\d+)\s*\]", body)
    written = [int(index) for index in re.findall(r"(?<!float )\bgl_ClipDistance\s*\[\s*(\d+)\s*\]", body)]
    if declared:
        written = range(int(declared.group(1)))
    if not options.clip_planes:
        return []
    declarations.append("uniform vec4 wf_ClipPlane[8];\nuniform int wf_ClipEnabled[8];")
    if written:
        return [f"    if (wf_ClipEnabled[{plane}] == 0) gl_ClipDistance[{plane}] = 1.0;"
                for plane in sorted(set(written))]
    if "gl_ClipDistance" in body:
        return []
    source = "wf_ClipVertex" if "wf_ClipVertex" in body else "gl_Position"
    count = options.clip_planes[-1] + 1
    declarations.append(f"out float gl_ClipDistance[{count}];")
    return [f"    gl_ClipDistance[{plane}] = wf_ClipEnabled[{plane}] == 0 ? 1.0 : "
            f"dot({source}, wf_ClipPlane[{plane}]);" for plane in range(count)]
