"""What a test says of its shaders outside of each of them."""
import re

from shader_test import NotApplicable

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

    def read_initial_values(self, texts):
        """Finds the uniforms that the source gives values."""
        for stage_texts in texts.values():
            for text in stage_texts:
                for match in INITIALIZED.finditer(strip_comments(text)):
                    if match.group(2) not in self.set_uniforms:
                        self.constants[match.group(2)] = match.groups()
                    else:
                        self.initial[match.group(2)] = initial_words(match.group(4))


def initial_words(expression):
    """The numbers of a constructor of numbers."""
    expression = re.sub(r"\[[^\]]*\]", "", expression)
    expression = re.sub(r"\b[bdiu]?vec([234])\s*\(([^(),]+)\)",
                        lambda match: ",".join([match.group(2)] * int(match.group(1))), expression)
    words = re.findall(r"(?<![\w.])(?:true|false|[-+]?(?:0x[0-9a-fA-F]+|\d*\.?\d+(?:[eE][-+]?\d+)?))", expression)
    return [{"true": "1", "false": "0"}.get(word, word) for word in words]


def strip_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n") or " ", text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)
