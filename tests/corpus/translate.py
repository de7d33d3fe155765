"""Rewrites OpenGL's GLSL for glslang's Vulkan rules (relaxed: default uniforms make a block).

What glslang does not do is done here: desktop versions before 4.60 become 4.60, the built-ins of the
compatibility profile become variables of our own, and the vertex shader's position is mapped from
GL's clip space (z from -w to w, y towards the last row) to Vulkan's.
"""
import re

from glsl_names import (COLORS, COMMON_BUILTINS, CORE_EXTENSIONS, FIXED_FUNCTION, FOREIGN_EXTENSIONS,
                        FRAGMENT_BUILTINS, OLD_FUNCTIONS, OLD_SHADOWS, REFUSED_EXTENSIONS, RENAMED_EXTENSIONS,
                        TRINARY, VERTEX_BUILTINS)
from options import strip_comments
from shader_test import NotApplicable

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


def compatibility_inputs(test, texts, options):
    """The compatibility profile's varyings that a fragment shader reads: the vertex shader has them all."""
    inputs = set()
    for text in texts:
        translated = translate(test, "fragment", text, options)
        inputs |= set(re.findall(r"\bin vec4 (wf_(?:Front|Back)\w+);", translated))
        if "wf_TexCoord" in translated:
            inputs.add("wf_TexCoord")
    return inputs


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
        if name in REFUSED_EXTENSIONS and not depth:
            raise NotApplicable("refused", "GL_" + name)
        if name in CORE_EXTENSIONS:
            line = f"#extension GL_{name} : enable"  # a warning where glslang does not know it
        (rest if depth else head).extend(line.replace(name, other)
                                         for other in RENAMED_EXTENSIONS.get(name, [name]))
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
        body = replace_whole_centers(body)
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


def replace_whole_centers(body):
    """Vulkan has the centers of pixels at halves only."""
    body, count = re.subn(r"\blayout\s*\(\s*pixel_center_integer\s*\)\s*in\s+vec4\s+gl_FragCoord\s*;", "", body)
    if count:
        body = re.sub(r"\bgl_FragCoord\b", "(gl_FragCoord - vec4(0.5, 0.5, 0.0, 0.0))", body)
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
