#!/usr/bin/env python3
"""Holds docs/spirv.md and docs/formats.md to what the tests prove. usage: spirv.py ROOT BUILD TOOL GRAMMAR [--write]

What is implemented is what a test runs: the modules of tests/spirv, of tests/unit/exec_* and of tests/conformance, as they
were built, are read, and an instruction counts if its result, by way of others, is stored, decides where control goes, or
has another effect; what is stored in a variable of the shader's own counts if something that counts reads the variable. So
fails
- an opcode, a capability or an instruction of GLSL.std.450 that the interpreter's sources name and no test runs,
- one that is neither run nor refused: by a capability that the interpreter does not know (tests/spirv/spirv_capabilities.c shows
  that each of those is refused by name), or by a case of tests/spirv that is `about` it,
- a table that says anything else. --write writes the tables.
TOOL is the weft program, which knows what the software device does with each format, and the conformance cases. GRAMMAR is
spirv-headers' folder."""
import json
import pathlib
import re
import struct
import subprocess
import sys

ID_KINDS = ("IdRef", "IdScope", "IdMemorySemantics", "IdResultType", "IdResult")
ENTRY_POINT, CAPABILITY, EXT_IMPORT, EXT_INST, VARIABLE, STORE, COPY_MEMORY = 15, 17, 11, 12, 59, 62, 63
CHAINS = (65, 66, 67, 70, 83)  # OpAccessChain and its like, and OpCopyObject
FUNCTION, PRIVATE = 7, 6
MODF, FREXP = 35, 51
# What is read past, on this device, and what has no ids that matter.
SILENT = re.compile(r"Op(Name|MemberName|Source\w*|String|Line|NoLine|ModuleProcessed|Nop|AssumeTrueKHR|MemoryBarrier)$")
NO_EFFECT = re.compile(r"Op(Name|MemberName|Source|String|Line|NoLine|ModuleProcessed|Nop|.*Decorate.*)")
VENDOR = re.compile(r"(INTEL|ALTERA|AMD|NV|NVX|ARM|QCOM|HUAWEI|MESA|VALVE|GOOGLE)$")
# The grammar of Debian 12. With another one the page would be another.
GRAMMAR = "1.6.1, 703 instructions"
# What is checked of each format, what it is checked with, and the cases that do it.
COLOR = "every color format that is not compressed"
BLOCKS = "bc1, etc2_rgb8, astc_4x4 and astc_10x8; the others are decoded in `tests/unit/block_*.c`"
FORMAT_CASES = [
    ("sample", COLOR, ["texel_formats/color"]),
    ("sample", "depth and stencil", ["texel_formats/depth", "texel_formats/stencil", "depth_format/d16", "depth_format/d24",
                                     "depth_format/d24_s8", "depth_format/d32", "depth_format/d32_s8"]),
    ("sample", BLOCKS, ["compressed/bc_fetch", "compressed/etc2_fetch", "compressed/astc_fetch",
                        "compressed/astc_fetch_10x8"]),
    ("sample", "sRGB of bc1, etc2_rgb8 and astc_4x4",
     ["compressed/bc_srgb", "compressed/etc2_srgb", "compressed/astc_srgb"]),
    ("filter", COLOR, ["sample/linear_of_every_format", "generate_mips/of_every_format"]),
    ("filter", "every depth format", ["depth_format/linear"]),
    ("filter", "comparisons of d32_float", ["sample_compare/linear"]),
    ("filter", BLOCKS, ["compressed/bc_sample", "compressed/etc2_sample", "compressed/astc_sample",
                        "compressed/astc_sample_10x8"]),
    ("store", "every format", ["storage_formats/written", "storage_formats/read"]),
    ("atomic", "integers", ["storage_texture/atomics"]),
    ("atomic", "r32_float", ["atomics/float_texture"]),
    ("render", "every format", ["clear/every_color_format", "render_formats/float", "render_formats/uint",
                                "render_formats/sint"]),
    ("blend", "every format", ["blend/every_format", "blend/write_masks_of_every_format"]),
    ("depth", "every depth format", ["depth_format/d16", "depth_format/d24", "depth_format/d24_s8", "depth_format/d32",
                                     "depth_format/d32_s8"]),
    ("depth", "stencil", ["clear/stencil", "stencil/without_depth"]),
    ("resolve", "every format", ["multisample/every_format_of_2", "multisample/every_format_of_4",
                                 "multisample/every_format_of_8"]),
    ("samples", "d32_float, and one format with stencil", ["multisample/depth_of_each_sample", "multisample/stencil_of_each_sample"]),
    ("copy", COLOR, ["texture_copy/every_format"]),
    ("copy", "depth of 16 and 32 bits, and stencil", ["depth_copy/upload_and_read_back", "depth_copy/aspects_apart",
                                   "depth_copy/by_way_of_a_buffer", "depth_copy/at_odd_offsets"]),
    ("copy", "bc1, etc2_rgb8 and astc_4x4", ["compressed/bc_copy", "compressed/etc2_copy", "compressed/astc_copy"]),
    ("texels", "every float and unsigned format", ["texel_buffer/every_format"]),
    ("texel_stores", "r32_uint", ["texel_buffer/written_and_counted"]),
    ("vertex", "every vertex format", ["vertex_format/float", "vertex_format/sint", "vertex_format/snorm",
                                       "vertex_format/uint", "vertex_format/unorm"]),
]


class Grammar:
    def __init__(self, folder, known_names):
        core = json.loads((folder / "spirv.core.grammar.json").read_text())
        glsl = json.loads((folder / "extinst.glsl.std.450.grammar.json").read_text())

        def best(entry, key):
            """Names differ from one version of the grammar to the next: the one that the tables have."""
            names = [entry[key], *entry.get("aliases", [])]
            return next((name for name in names if name.removeprefix("Op") in known_names), names[0])

        self.version = "{major_version}.{minor_version}.{revision}".format(**core)
        self.version += f", {len(core['instructions'])} instructions"
        self.ops, self.capabilities, self.implies, self.alias = {}, {}, {}, {}
        enumerants = next(kind for kind in core["operand_kinds"] if kind["kind"] == "Capability")["enumerants"]
        for entry in enumerants:
            name = best(entry, "enumerant")
            self.capabilities.setdefault(entry["value"], name)
            for other in [entry["enumerant"], *entry.get("aliases", [])]:
                self.alias[other] = self.capabilities[entry["value"]]
        for entry in enumerants:
            self.implies.setdefault(self.alias[entry["enumerant"]], set()).update(
                self.alias[name] for name in entry.get("capabilities", []))
        for entry in core["instructions"]:
            name = best(entry, "opname")
            if entry["opcode"] not in self.ops or name.removeprefix("Op") in known_names:
                self.ops[entry["opcode"]] = (name, entry)
        self.by_name = {}
        for entry in core["instructions"]:
            for other in [entry["opname"], *entry.get("aliases", [])]:
                self.by_name[other] = entry["opcode"]
        self.glsl = {entry["opcode"]: entry["opname"] for entry in glsl["instructions"]}

    def needed(self, opcode):
        return {self.alias[name] for name in self.ops[opcode][1].get("capabilities", []) if name in self.alias}

    def closure(self, names):
        found, left = set(), list(names)
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += self.implies.get(name, ())
        return found


class Module:
    """What a module holds, and what of it has an effect."""

    def __init__(self, path, grammar):
        data = path.read_bytes()
        words = struct.unpack(f"<{len(data) // 4}I", data)
        self.opcodes, self.capabilities, self.glsl = set(), set(), set()
        self.instructions, makers, at, glsl_set = [], {}, 5, None
        while at < len(words):
            count, opcode = words[at] >> 16, words[at] & 0xFFFF
            one = words[at + 1:at + count]
            ids, result = self.ids(grammar, opcode, one)
            if opcode == CAPABILITY:
                self.capabilities.add(grammar.capabilities[one[0]])
            if opcode == EXT_IMPORT and struct.pack(f"<{count - 2}I", *one[1:]).startswith(b"GLSL.std.450\0"):
                glsl_set = result
            if result is not None:
                makers.setdefault(result, len(self.instructions))
            self.instructions.append((opcode, ids, result, one))
            at += count
        written, left = {}, []
        for k, (opcode, ids, result, one) in enumerate(self.instructions):
            target = self.target(opcode, ids, one, glsl_set)
            while target in makers and self.instructions[makers[target]][0] in CHAINS:
                target = self.instructions[makers[target]][1][1]
            own = target in makers and self.own_variable(*self.instructions[makers[target]])
            if own:
                written.setdefault(makers[target], []).append(k)
            elif target is not None or self.has_effect(grammar, opcode, result):
                left.append(k)
        live = set(left)
        while left:
            k = left.pop()
            opcode, ids, _, _ = self.instructions[k]
            # That a variable is of the interface does not say that it is read.
            more = [makers[target] for target in (ids[:1] if opcode == ENTRY_POINT else ids) if target in makers]
            for maker in more + written.get(k, []):
                if maker not in live:
                    live.add(maker)
                    left.append(maker)
        for k, (opcode, _, _, one) in enumerate(self.instructions):
            if k in live or SILENT.match(grammar.ops[opcode][0]):
                self.opcodes.add(opcode)
                if opcode == EXT_INST and one[2] == glsl_set:
                    self.glsl.add(one[3])

    @staticmethod
    def target(opcode, ids, one, glsl_set):
        """The pointer that an instruction writes through, or None."""
        if opcode in (STORE, COPY_MEMORY):
            return ids[0]
        if opcode == EXT_INST and one[2] == glsl_set and one[3] in (MODF, FREXP):
            return one[5]
        return None

    @staticmethod
    def own_variable(opcode, _ids, _result, one):
        return opcode == VARIABLE and one[2] in (FUNCTION, PRIVATE)

    @staticmethod
    def has_effect(grammar, opcode, result):
        name = grammar.ops[opcode][0]
        return result is None or name.startswith(("OpAtomic", "OpFunction", "OpLabel"))

    @staticmethod
    def ids(grammar, opcode, words):
        """The ids that an instruction uses, and the one that it makes. What follows an operand that may have more behind
        it is taken for ids."""
        name, entry = grammar.ops[opcode]
        used, result, at = [], None, 0
        if re.match("OpGroup(Member)?Decorate", name):
            return [words[0]], None
        if NO_EFFECT.match(name):
            return [], words[0] if name in ("OpString", "OpDecorationGroup") else None
        for operand in entry.get("operands", []):
            if at >= len(words):
                break
            kind = operand["kind"]
            if operand.get("quantifier") == "*" or kind in ("ImageOperands", "MemoryAccess", "PairIdRefIdRef"):
                used += words[at:]
                break
            if kind == "LiteralString":
                while at < len(words) and all(words[at] >> 8 * k & 0xFF for k in range(4)):
                    at += 1
            elif kind == "IdResult":
                result = words[at]
            elif kind in ID_KINDS:
                used.append(words[at])
            at += 1
        return used, result


# ---- what the tests hold ------------------------------------------------------------------------

def test_of(path):
    """The test that runs a module, or None; lower numbers are nearer to it."""
    folder = path.parent.name
    name = path.name.removesuffix(".spv")
    if path.parent.parent.name == "spirv":
        return 0, "spirv." + name
    if folder == "test_exec_shaders" and not name.startswith(("exec_subpass", "exec_endless")):
        return 1, name
    if folder == "weft_conformance_shaders" and not name.startswith(("mesh_", "ray_")):  # those run elsewhere
        return 2, "conform: " + name
    return None


class Tests:
    def __init__(self, root, build, grammar, old):
        self.opcodes, self.capabilities, self.glsl, self.refused = {}, {}, {}, {}
        sys.dont_write_bytecode = True
        sys.path.insert(0, str(root / "tests/spirv"))
        import assemble  # pylint: disable=import-outside-toplevel
        cases = {path.stem: assemble.parse(path) for path in sorted((root / "tests/spirv").glob("*.cases"))}
        run = {(stem, case.name + ".spv") for stem, some in cases.items() for case in some if not case.refused}
        for path in sorted((build / "tests").rglob("*.spv")):
            left_behind = path.parent.parent.name == "spirv" and (path.parent.name, path.name) not in run
            if left_behind or not test_of(path):
                continue
            module, test = Module(path, grammar), test_of(path)
            for mine, theirs in ((self.opcodes, module.opcodes), (self.capabilities, module.capabilities),
                                 (self.glsl, module.glsl)):
                for key in theirs:
                    mine.setdefault(key, []).append(test)
        # The page keeps a test that it has, so that another one changes nothing.
        kept = set(re.findall(r"^\| (\w+) \| `([^`]*)` \|$", old, re.MULTILINE))
        names = (lambda key: grammar.ops[key][0], lambda key: key, lambda key: grammar.glsl.get(key))
        for mine, name in zip((self.opcodes, self.capabilities, self.glsl), names):
            for key, tests in mine.items():
                mine[key] = min(tests, key=lambda test: ((name(key), test[1]) not in kept, test))
        for some in cases.values():
            for case in some:
                for opcode in case.values("about"):
                    self.refused.setdefault(grammar.by_name[opcode], (case.refused[0], "spirv." + case.name))


def claims(root):
    """Capabilities that the interpreter knows, and opcodes and instructions that its sources name."""
    folder = root / "src/backends/software/exec"
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.c")))
    known = re.findall(r"case SpvCapability(\w+):", (folder / "lower.c").read_text(encoding="utf-8"))
    return set(known), set(re.findall(r"\bSpv(Op[A-Z]\w+)", text)), set(re.findall(r"\bGLSLstd450(\w+)", text))


# ---- the tables ---------------------------------------------------------------------------------

def lines_of(names):
    """Names, wrapped."""
    text, line = "", ""
    for name in names:
        if len(line) + len(name) + 2 > 118:
            text, line = text + line.rstrip() + "\n", ""
        line += name + ", "
    return text + line.rstrip(", ") + "\n"


def spirv_page(grammar, tests, known, problems, seen):
    rows, silent, refused, own = [], [], {}, []
    reach = grammar.closure(known)
    for opcode, (name, _) in sorted(grammar.ops.items(), key=lambda item: item[1][0]):
        needed = grammar.needed(opcode)
        if opcode in tests.opcodes:
            (silent if SILENT.match(name) else rows).append((name, tests.opcodes[opcode][1]))
        elif opcode in tests.refused:
            own.append((name, *tests.refused[opcode]))
        elif needed and not needed & reach:
            first = sorted(needed)[0]
            if not VENDOR.search(first) and not VENDOR.search(name) and (seen is None or name[2:] in seen):
                refused.setdefault(first, []).append(name)
        elif seen is None or name[2:] in seen:
            problems.append(f"{name} is neither run by a test nor refused by one")
    text = PAGE_HEAD.replace("VERSION", grammar.version) + "\n| Opcode | Test |\n|---|---|\n" + "".join(f"| {a} | `{b}` |\n" for a, b in rows)
    text += SILENT_HEAD + "".join(f"| {a} | `{b}` |\n" for a, b in silent)
    text += "\n## Opcodes that are refused by themselves\n\n| Opcode | Message | Test |\n|---|---|---|\n"
    text += "".join(f"| {a} | \"{b}\" | `{c}` |\n" for a, b, c in own)
    text += "\n## Capabilities\n\n| Capability | Test |\n|---|---|\n"
    for name in sorted(known):
        if name in tests.capabilities:
            text += f"| {name} | `{tests.capabilities[name][1]}` |\n"
        elif not any(name in grammar.closure({other}) - {other} for other in tests.capabilities):
            problems.append(f"capability {name} is known, but no test has it")
        else:
            text += f"| {name} | implied by another |\n"
    others = [name for value, name in sorted(grammar.capabilities.items()) if name not in known and
              not VENDOR.search(name) and (seen is None or name in seen)]
    text += REFUSED_HEAD + lines_of(sorted(others))
    text += "\nWith them go the opcodes that need them:\n\n| Capability | Opcodes |\n|---|---|\n"
    text += "".join(f"| {name} | {', '.join(ops)} |\n" for name, ops in sorted(refused.items()))
    text += "\n## GLSL.std.450\n\n| Instruction | Test |\n|---|---|\n"
    for number, name in sorted(grammar.glsl.items()):
        if number in tests.glsl:
            text += f"| {name} | `{tests.glsl[number][1]}` |\n"
        elif name == "IMix":
            text += "| IMix | refused, as the specification has withdrawn it: `spirv.no_mix_of_integers` |\n"
        else:
            problems.append(f"GLSL.std.450 {name} is not run by a test")
    return text


PAGE_HEAD = """# SPIR-V on the software device

Made by `make tables` (`tools/check/spirv.py`); `make test` sees that it is true. A row says which test runs a shader
whose result depends on the instruction, and compares what comes out: `spirv.*` is a case of `tests/spirv`, `exec_*` a
shader of `tests/unit` that the file of that name runs, `conform: *` one of the conformance suite. What is not in the tables
is refused when a shader or pipeline is created, with an error that names it and the word of the module.

Of SPIR-V VERSION (spirv-headers of Debian 12); with another version the tests are looked at, and not this page.

## Opcodes
"""
SILENT_HEAD = """
## Opcodes that are accepted and change nothing

Names, sources and places go into messages; the rest asks for what holds anyway. The test has the instruction in a shader
that runs.

| Opcode | Test |
|---|---|
"""
REFUSED_HEAD = """
### Refused

The error is "capability NAME is not supported"; `spirv_capabilities.each_is_known_or_refused_by_name` tries each of them.
Capabilities of single vendors are refused the same way and not listed.

"""
FORMATS_HEAD = """# Formats on the software device

Made by `tools/check/spirv.py --write`, which `make test` runs to see that it is true: the table is what
`weft info --backend software` says. A device that says that it can do something with a format is held to it by the
conformance cases below. Where all formats are meant, they are all those of which the device says that.

| What | Formats | Cases |
|---|---|---|
"""


def formats_page(root, tool, problems):
    run = lambda *arguments: subprocess.run([tool, *arguments], capture_output=True, text=True, check=True).stdout
    formats = json.loads(run("info", "--backend", "software", "--json"))["adapters"][0]["formats"]
    cases = set(run("conform", "--list").split())
    columns = ["sample", "filter", "store", "atomic", "render", "blend", "depth", "resolve", "copy", "texels",
               "texel_stores"]
    text = FORMATS_HEAD
    for title, which, names in FORMAT_CASES:
        problems += [f"conformance case {name} is not there" for name in names if name not in cases]
        text += f"| {title} | {which} | {', '.join(f'`{name}`' for name in names)} |\n"
    told = {flag for can in formats.values() for flag in can if not flag.startswith("msaa")}
    problems += [f"docs/formats.md has no column {flag}" for flag in sorted(told - set(columns))]
    text += "\n| Format | " + " | ".join(columns) + " | samples |\n" + "|---" * (len(columns) + 2) + "|\n"
    for name, can in formats.items():
        samples = ", ".join(["1"] + [flag[4:] for flag in can if flag.startswith("msaa")])
        text += f"| {name} | " + " | ".join("yes" if column in can else "" for column in columns)
        text += f" | {samples if {'render', 'depth'} & set(can) else ''} |\n"
    table = (root / "src/hal/formats.def").read_text(encoding="utf-8")
    names = re.findall(r'^WF_VERTEX_FORMAT(?:_BGRA)?\(\w+, "(\w+)"', table, re.MULTILINE)
    return text + "\nVertex formats, all of them: " + lines_of(names)


def main():
    write = "--write" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    if len(arguments) != 4:
        sys.exit(__doc__)
    root, build, tool, folder = (pathlib.Path(argument) for argument in arguments)
    page = root / "docs/spirv.md"
    old = page.read_text(encoding="utf-8") if page.exists() else ""
    words = re.findall(r"\w+", old)
    seen = set(words) | {word[2:] for word in words if word.startswith("Op")}
    grammar, problems = Grammar(folder, seen), []
    if write and grammar.version != GRAMMAR:
        sys.exit(f"the page is of SPIR-V {GRAMMAR}, as in Debian 12, and this is {grammar.version}")
    tests = Tests(root, build, grammar, old)
    known, opcodes, glsl = claims(root)
    known = {grammar.alias.get(name, name) for name in known}
    for name in sorted(opcodes):
        if name in grammar.by_name and grammar.by_name[name] not in tests.opcodes:
            problems.append(f"the interpreter names {name}, but no test runs it")
    numbers = {name: number for number, name in grammar.glsl.items()}
    problems += [f"the interpreter names GLSL.std.450 {name}, but no test runs it" for name in sorted(glsl)
                 if name in numbers and numbers[name] not in tests.glsl]
    pages = {page: spirv_page(grammar, tests, known, problems, None if write else seen),
             root / "docs/formats.md": formats_page(root, tool, problems)}
    for path, text in pages.items():
        if not write and path == page and grammar.version not in old:
            continue
        if write:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            problems.append(f"docs/{path.name} is out of date: make tables")
    print("\n".join(problems) if problems else f"spirv: {len(tests.opcodes)} opcodes, {len(known)} capabilities, "
          f"{len(tests.glsl)} instructions of GLSL.std.450, each run by a test")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
