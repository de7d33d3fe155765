#!/usr/bin/env python3
"""Makes SPIR-V modules and their tests from a file of cases.

usage: assemble.py FILE.cases SPIRV_AS SPIRV_VAL GRAMMAR FOLDER   writes FOLDER/FILE.cases.h and a .spv for each case

A case is a shader that is run, and the words that it must store; or one that must be refused:

    case NAME
      LINES of SPIR-V assembly that stand before functions, in any order
    body
      LINES of the entry point's function, without its label and end
    after
      LINES of other functions
    size 8              invocations (one workgroup, or fragments in quads); each stores its own words. Default 1
    subgroup 8          size of a subgroup; default 64
    stage fragment      or vertex; default compute
    helpers 0xc         mask of the lanes that are helpers
    killed 0x2          mask of the lanes that must have been discarded
    constant 3 7        specialization constant 3 is 7
    varying 1 VALUES    input at location 1, for each invocation; a float is 100 more at the centroid
    builtin 26 VALUES   the same of a built-in input that the caller gives
    result 9 VALUES     what a built-in output must hold
    root VALUES         the root block
    input VALUES        what `in` reads
    output VALUES       what is in the output buffer before; else zeros
    expect VALUES       what `out` has stored; x is anything
    near 2              floats may be so many units in the last place away
    refuse TEXT @OpName a word of the module is at fault: that of the last OpName, or with @OpName 2 of the second one;
                        the message contains TEXT
    about OpName ...    the opcodes that are refused wherever they stand
    raw                 the lines are the whole module, in this order
    invalid             spirv-val need not accept it

Short forms: `%a = in TYPE K` reads row K of the input, `out K TYPE %a` writes row K of the output. A row holds a word
for each invocation; types of 64 bits and vectors take several rows, narrow types a row for each component.
Types, constants and pointer types declare themselves: %uint %v2float %mat2v3float %ulong %half %uchar ..., %uint_5
%int_m5 %float_1p5 %true, %ptr_Function_uint, %arr4_uint (no stride). %lane is the invocation's number.
VALUES: 5 -1 0x1f are words, 1.5 a float, 1.5h a half, 1.5H a half in a word, 1.5d a double, 7l of 64 bits, 7s of 16,
7c of 8, +inf +nan with the same letters behind; 4*7 four of them. They are packed side by side.
"""
import json
import os
import re
import struct
import subprocess
import sys

SCALARS = {
    "void": "OpTypeVoid", "bool": "OpTypeBool", "float": "OpTypeFloat 32", "half": "OpTypeFloat 16",
    "double": "OpTypeFloat 64", "uint": "OpTypeInt 32 0", "int": "OpTypeInt 32 1", "ushort": "OpTypeInt 16 0",
    "short": "OpTypeInt 16 1", "uchar": "OpTypeInt 8 0", "char": "OpTypeInt 8 1", "ulong": "OpTypeInt 64 0",
    "long": "OpTypeInt 64 1",
}
NEEDS = {"half": "Float16", "double": "Float64", "ushort": "Int16", "short": "Int16", "uchar": "Int8", "char": "Int8",
         "ulong": "Int64", "long": "Int64"}
WIDTH = {"half": 16, "ushort": 16, "short": 16, "uchar": 8, "char": 8, "double": 64, "ulong": 64, "long": 64}
ORDER = ["OpCapability", "OpExtension", "OpExtInstImport", "OpMemoryModel", "OpEntryPoint", "OpExecutionMode",
         "OpExecutionModeId", "OpString", "OpSourceExtension", "OpSource", "OpSourceContinued", "OpName",
         "OpMemberName", "OpModuleProcessed", "OpDecorationGroup"]
STRICT = "SPIRV-Tools v2023.1 "
ANNOTATION = re.compile(r"Op(Member|Group|GroupMember)?Decorate(Id|String|StringGOOGLE)?$")
WORDS = {"size", "subgroup", "stage", "helpers", "killed", "constant", "varying", "builtin", "root", "input", "output",
         "expect", "near", "refuse", "about", "invalid", "raw", "result"}


class Case:
    def __init__(self, name, line):
        self.name, self.line = name, line
        self.globals, self.body, self.after = [], [], []
        self.options = {}

    def number(self, key, default):
        return int(self.options[key][0][0], 0) if key in self.options else default

    def values(self, key):
        return [token for line in self.options.get(key, []) for token in line]

    @property
    def refused(self):
        """(text, name of the instruction at fault, which of that name or 0 for the last), or None."""
        if "refuse" not in self.options:
            return None
        text, _, place = " ".join(self.options["refuse"][0]).partition(" @")
        if not place:
            sys.exit(f"case {self.name}: which instruction is at fault? refuse TEXT @OpName")
        name, _, which = place.partition(" ")
        return text, name, int(which or 0)


def parse(path):
    """All cases of a file."""
    cases, into = [], None
    for number, raw in enumerate(open(path, encoding="utf-8"), 1):
        line = raw.split(";")[0].rstrip()
        if not line.strip():
            continue
        words = line.split()
        if raw[0].isspace():
            into.append(words if into and isinstance(into[0], list) else line.strip())
        elif words[0] == "case":
            cases.append(Case(words[1], number))
            into = cases[-1].globals
        elif words[0] in ("body", "after"):
            into = getattr(cases[-1], words[0])
        elif words[0] in WORDS:
            into = cases[-1].options.setdefault(words[0], [])
            into.append(words[1:])
        else:
            sys.exit(f"{path}:{number}: what is {words[0]}?")
    names = [case.name for case in cases]
    assert len(names) == len(set(names)), f"{path}: a name stands twice"
    return cases


# ---- the module ---------------------------------------------------------------------------------

def split_vector(name):
    match = re.fullmatch(r"v([234])(\w+)", name)
    return (match[2], int(match[1])) if match else (name, 1)


class Module:
    """The text of one module. Lines are expanded first, then whatever they name and nobody declares is declared."""

    def __init__(self, case):
        self.case, self.fresh = case, 0
        self.size = case.number("size", 1)
        self.stage = case.options.get("stage", [["compute"]])[0][0]

    def id(self):
        self.fresh += 1
        return f"%tmp{self.fresh}"

    def place(self, buffer, row):
        """A pointer to a row of this invocation."""
        index, lines = f"%uint_{row * self.size}", []
        if self.size > 1:
            at = self.id()
            lines.append(f"{at} = OpIAdd %uint %lane {index}")
            index = at
        pointer = self.id()
        lines.append(f"{pointer} = OpAccessChain %ptr_StorageBuffer_uint %{buffer}_buffer %uint_0 {index}")
        return lines, pointer

    def read(self, target, type_name, row):
        scalar, count = split_vector(type_name)
        width = WIDTH.get(scalar, 32)
        words = []
        lines = []
        for k in range(count * (2 if width == 64 else 1)):
            more, pointer = self.place("in", row + k)
            words.append(self.id())
            lines += more + [f"{words[-1]} = OpLoad %uint {pointer}"]
        parts = []
        for c in range(count):
            part = self.id() if count > 1 else target
            parts.append(part)
            if width == 64:
                pair = self.id()
                lines += [f"{pair} = OpCompositeConstruct %v2uint {words[2 * c]} {words[2 * c + 1]}",
                          f"{part} = OpBitcast %{scalar} {pair}"]
            elif scalar == "bool":
                lines.append(f"{part} = OpINotEqual %bool {words[c]} %uint_0")
            elif width == 32:
                lines.append(f"{part} = OpBitcast %{scalar} {words[c]}" if scalar != "uint"
                             else f"{part} = OpCopyObject %uint {words[c]}")
            else:
                bits = "ushort" if width == 16 else "uchar"
                narrow = self.id() if scalar != bits else part
                lines.append(f"{narrow} = OpUConvert %{bits} {words[c]}")
                if scalar != bits:
                    lines.append(f"{part} = OpBitcast %{scalar} {narrow}")
        if count > 1:
            lines.append(f"{target} = OpCompositeConstruct %{type_name} {' '.join(parts)}")
        return lines

    def write(self, row, type_name, value):
        scalar, count = split_vector(type_name)
        width = WIDTH.get(scalar, 32)
        lines, words = [], []
        for c in range(count):
            part = value
            if count > 1:
                part = self.id()
                lines.append(f"{part} = OpCompositeExtract %{scalar} {value} {c}")
            word = self.id()
            if width == 64:
                low, high = self.id(), self.id()
                lines += [f"{word} = OpBitcast %v2uint {part}", f"{low} = OpCompositeExtract %uint {word} 0",
                          f"{high} = OpCompositeExtract %uint {word} 1"]
                words += [low, high]
                continue
            if scalar == "bool":
                lines.append(f"{word} = OpSelect %uint {part} %uint_1 %uint_0")
            elif scalar == "uint":
                word = part
            elif width == 32:
                lines.append(f"{word} = OpBitcast %uint {part}")
            else:
                bits = "ushort" if width == 16 else "uchar"
                if scalar != bits:
                    narrow = self.id()
                    lines.append(f"{narrow} = OpBitcast %{bits} {part}")
                    part = narrow
                lines.append(f"{word} = OpUConvert %uint {part}")
            words.append(word)
        for k, word in enumerate(words):
            more, pointer = self.place("out", row + k)
            lines += more + [f"OpStore {pointer} {word}"]
        return lines

    def expand(self, line):
        words = line.split()
        if len(words) == 5 and words[1:3] == ["=", "in"]:
            return self.read(words[0], words[3], int(words[4]))
        if words[0] == "out":
            return self.write(int(words[1]), words[2], words[3])
        return [line]

    def declare(self, name, lines, known):
        """Appends the declaration of a name, and before it of what that needs."""
        if name in known:
            return
        known.add(name)

        def need(other):
            self.declare(other, lines, known)
            return "%" + other

        constant = re.fullmatch(r"(\w+?)_(m?[0-9]\w*)", name)
        matrix = re.fullmatch(r"mat([234])(v[234]\w+)", name)
        pointer = re.fullmatch(r"ptr_([A-Za-z]+)_(\w+)", name)
        array = re.fullmatch(r"arr(\d+)_(\w+)", name)
        if name in SCALARS:
            text = SCALARS[name]
            if name in NEEDS:
                self.capabilities.add(NEEDS[name])
        elif name in ("true", "false"):
            text = f"OpConstant{name.title()} {need('bool')}"
        elif matrix:
            text = f"OpTypeMatrix {need(matrix[2])} {matrix[1]}"
        elif split_vector(name)[1] > 1:
            scalar, count = split_vector(name)
            text = f"OpTypeVector {need(scalar)} {count}"
        elif pointer:
            text = f"OpTypePointer {pointer[1]} {need(pointer[2])}"
        elif array:
            text = f"OpTypeArray {need(array[2])} {need('uint_' + array[1])}"
        elif constant and constant[1] in SCALARS:
            value = constant[2].replace("m", "-").replace("p", ".")
            text = f"OpConstant {need(constant[1])} {value}"
        else:
            raise ValueError(f"case {self.case.name}: %{name} is not declared")
        lines.append(f"%{name} = {text}")

    def text(self):
        case = self.case
        if "raw" in case.options:
            return "\n".join(case.globals + case.body + case.after) + "\n"
        body = [line for raw in case.body for line in self.expand(raw)]
        after = [line for raw in case.after for line in self.expand(raw)]
        used = set(re.findall(r"%(\w+)", "\n".join(body + after + case.globals)))
        buffers = [name for name in ("in", "out") if f"{name}_buffer" in used]
        interface, annotations, extra = [], [], []
        if "lane" in used:
            interface.append("%lane_input")
            annotations.append("OpDecorate %lane_input " + ("BuiltIn LocalInvocationIndex" if self.stage == "compute"
                                                            else "Location 0"))
            if self.stage == "fragment":
                annotations.append("OpDecorate %lane_input Flat")
            extra.append("%lane_input = OpVariable %ptr_Input_uint Input")
            first = next((k for k, line in enumerate(body) if "= OpVariable" not in line), 0)
            body.insert(first, "%lane = OpLoad %uint %lane_input")
        for binding, name in (("0", "out"), ("1", "in")):
            if name not in buffers:
                continue
            interface.append(f"%{name}_buffer")
            annotations += [f"OpDecorate %{name}_buffer DescriptorSet 0", f"OpDecorate %{name}_buffer Binding {binding}"]
            extra.append(f"%{name}_buffer = OpVariable %ptr_StorageBuffer_words_block StorageBuffer")
        if buffers:
            annotations += ["OpDecorate %words_block Block", "OpMemberDecorate %words_block 0 Offset 0",
                            "OpDecorate %words_array ArrayStride 4"]
            extra = ["%words_array = OpTypeRuntimeArray %uint", "%words_block = OpTypeStruct %words_array"] + extra
        parts = {key: [] for key in ORDER}
        rest = []
        for line in case.globals:
            opcode = line.split(" = ")[-1].split()[0]
            if opcode in parts:
                parts[opcode].append(line)
            elif ANNOTATION.match(opcode):
                annotations.append(line)
            else:
                rest.append(line)
        interface += re.findall(r"(%\w+) = OpVariable %\w+ \w+", "\n".join(rest))
        self.capabilities = {"Shader"} | {line.split()[1] for line in parts["OpCapability"]}
        declared = ["%void = OpTypeVoid", "%main_type = OpTypeFunction %void"]
        known = {"void", "main_type", "main", "main_label"} | {m for line in rest + extra + body + after + case.globals
                                         for m in re.findall(r"^%(\w+) =", line)}
        for line in extra + rest:
            for name in re.findall(r"%(\w+)", line.split(" = ", 1)[-1]):
                self.declare(name, declared, known)
            declared.append(line)
        for name in re.findall(r"%(\w+)", "\n".join(body + after)):
            self.declare(name, declared, known)
        if not parts["OpMemoryModel"]:
            parts["OpMemoryModel"] = ["OpMemoryModel Logical GLSL450"]
        if not parts["OpEntryPoint"]:
            model = {"compute": "GLCompute", "fragment": "Fragment", "vertex": "Vertex"}[self.stage]
            parts["OpEntryPoint"] = [f'OpEntryPoint {model} %main "main" {" ".join(interface)}']
        if self.stage == "fragment":
            parts["OpExecutionMode"].append("OpExecutionMode %main OriginUpperLeft")
        elif self.stage == "compute" and not any("LocalSize" in line for line in parts["OpExecutionMode"]):
            parts["OpExecutionMode"].append(f"OpExecutionMode %main LocalSize {self.size} 1 1")
        parts["OpCapability"] = [f"OpCapability {name}" for name in sorted(self.capabilities)]
        ends = any(line.startswith("OpFunctionEnd") for line in body)
        lines = [line for key in ORDER for line in parts[key]] + annotations + declared
        lines += ["%main = OpFunction %void None %main_type", "%main_label = OpLabel"] + body
        lines += [] if ends else ["OpReturn", "OpFunctionEnd"]
        return "\n".join(lines + after) + "\n"


# ---- values -------------------------------------------------------------------------------------

def packed(tokens):
    """The bytes of values, and whether each matters."""
    data, matter = b"", b""
    for token in tokens:
        count, _, value = token.rpartition("*")
        if value == "x":
            one, sense = bytes(4), bytes(4)
        else:
            match = re.fullmatch(r"([-+]?0x[0-9a-fA-F]+|[-+]?[0-9.]+(?:e[-+]?\d+)?|[-+]inf|[-+]nan)([hHdlsc]?)", value)
            if not match:
                raise ValueError(f"what is the value {value}?")
            text, letter = match[1], match[2]
            if "0x" not in text and (letter in ("h", "H", "d") or re.search(r"[.en]", text)):
                one = struct.pack({"h": "<e", "H": "<exx", "d": "<d"}.get(letter, "<f"), float(text))
            else:
                size = {"l": 8, "s": 2, "c": 1}.get(letter, 4)
                one = (int(text, 0) % (1 << size * 8)).to_bytes(size, "little")
            sense = b"\xff" * len(one)
        data += one * int(count or 1)
        matter += sense * int(count or 1)
    data += bytes(-len(data) % 4)
    matter += bytes(-len(matter) % 4)
    return data, matter


def words_of(data):
    return struct.unpack(f"<{len(data) // 4}I", data)


def quoted(text):
    return '"' + text.replace('"', '\\"') + '"'


def array(name, words):
    return f"static const uint32_t {name}[] = {{{', '.join(f'{word:#x}' for word in words) or '0'}}};\n"


def word_of(module, case, grammar):
    """Where the instruction is that a case is refused for."""
    _, name, which = case.refused
    found, at = [], 5
    opcode = next(entry["opcode"] for entry in grammar["instructions"]
                  if name in (entry["opname"], *entry.get("aliases", [])))
    while at < len(module):
        if module[at] & 0xFFFF == opcode:
            found.append(at)
        at += max(module[at] >> 16, 1)
    if len(found) < max(which, 1):
        sys.exit(f"case {case.name}: the module has no such {name}")
    return found[which - 1]


def header(case, module, grammar):
    n = case.name
    text = array(f"{n}_module", module)
    input_data, output, root = (packed(case.values(key))[0] for key in ("input", "output", "root"))
    expected, matter = packed(case.values("expect"))
    for key, data in (("input", input_data), ("output", output), ("root", root), ("expected", expected),
                      ("matter", matter)):
        text += array(f"{n}_{key}", words_of(data))
    given = [(0xFFFFFFFF, int(line[0]), line[1:]) for line in case.options.get("varying", [])]
    given += [(int(line[0]), 0xFFFFFFFF, line[1:]) for line in case.options.get("builtin", [])]
    inputs = len(given)
    given += [(int(line[0]), 0xFFFFFFFF, line[1:]) for line in case.options.get("result", [])]
    for k, (_, _, values) in enumerate(given):
        text += array(f"{n}_row{k}", words_of(packed(values)[0]))
    refused, word = (case.refused[0], word_of(module, case, grammar)) if case.refused else ("", 0)
    stage = ["compute", "vertex", "fragment"].index(case.options.get("stage", [["compute"]])[0][0])
    constants = [f"{{{int(line[0])}, {int(line[1], 0)}}}" for line in case.options.get("constant", [])]
    text += f"static const struct spirv_case {n} = {{\n"
    text += f"    .module = {n}_module, .bytes = sizeof {n}_module, .input = {n}_input, .input_bytes = {len(input_data)},\n"
    text += f"    .output = {n}_output, .output_bytes = {len(output)}, .root = {n}_root, .root_bytes = {len(root)},\n"
    text += f"    .expected = {n}_expected, .matter = {n}_matter, .expected_bytes = {len(expected)},\n"
    text += f"    .size = {case.number('size', 1)}, .subgroup = {case.number('subgroup', 0)}, .stage = {stage},\n"
    text += f"    .helpers = {case.number('helpers', 0)}, .killed = {case.number('killed', 0)}, "
    text += f".near = {case.number('near', 0)},\n"
    text += f"    .refused = {quoted(refused)}, .word = {word},\n"
    text += f"    .constants = {{{', '.join(constants) or '{0, 0}'}}}, .constant_count = {len(constants)},\n"
    rows = [f"{{{builtin}u, {location}u, {n}_row{k}, sizeof {n}_row{k} / 4}}" for k, (builtin, location, _) in enumerate(given)]
    text += f"    .rows = {{{', '.join(rows) or '{0, 0, NULL, 0}'}}}, .row_count = {inputs}, .result_count = {len(rows) - inputs},\n}};\n"
    return text + f"TEST(spirv, {n})\n{{\n    spirv_run(&{n});\n}}\n\n"


def main():
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    path, assembler, validator, headers, folder = sys.argv[1:]
    with open(os.path.join(headers, "spirv.core.grammar.json"), encoding="utf-8") as file:
        grammar = json.load(file)
    os.makedirs(folder, exist_ok=True)
    refused = []
    out = '// Made by assemble.py.\n#include "spirv_run.h"\n\n'
    for case in parse(path):
        base = os.path.join(folder, case.name)
        with open(base + ".spvasm", "w", encoding="utf-8") as file:
            file.write(Module(case).text())
        binary = base + (".refused" if case.refused else "") + ".spv"
        subprocess.run([assembler, "--target-env", "spv1.6", "-o", binary, base + ".spvasm"], check=True)
        if not case.refused and "invalid" not in case.options:
            if subprocess.run([validator, "--target-env", "vulkan1.3", binary], check=False).returncode:
                print(f"{path}:{case.line}: spirv-val does not accept case {case.name}: {base}.spvasm", file=sys.stderr)
                refused.append(case.name)
        with open(binary, "rb") as file:
            out += header(case, words_of(file.read()), grammar)
    # Other versions know more or less than the one that the cases were written with.
    if refused and STRICT in subprocess.run([validator, "--version"], capture_output=True, text=True, check=True).stdout:
        sys.exit(1)
    with open(os.path.join(folder, os.path.basename(path) + ".h"), "w", encoding="utf-8") as file:
        file.write(out)


if __name__ == "__main__":
    main()
