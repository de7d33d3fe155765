#!/usr/bin/env python3
"""Writes the SPIR-V tables of src/shader/tables.c from the grammar files of spirv-headers.

usage: spirv_tables.py GRAMMAR_FOLDER OUTPUT.h

Two packed streams come of it. `grammar` is numbers, 7 bits a byte, lowest first, the high bit set where more follow; it
is read in this order:
  instructions   each the step from the opcode before it, then pattern, capabilities, version, class, flags
  kinds          each its flags and the count of its enumerants, which follow: each the step from the value before it, the
                 pattern, and the capabilities that it implies
  GLSL           the count of operands of each instruction by number
  patterns, capability lists
Patterns and lists are told by their offset in these. `names` is the names of all instructions, kinds, enumerants, and
instructions of GLSL and of DebugInfo, each with a zero byte after it.
What only OpenCL on FPGAs has (names that end in INTEL or ALTERA) is left out; the reader names such opcodes by number.
"""
import json
import os
import re
import sys

import pack

# Operand kinds that C code names: enum wf_shader_kind in tables.h has the same order. Others follow.
FIXED_KINDS = [
    "None", "IdResultType", "IdResult", "IdRef", "IdMemorySemantics", "IdScope", "LiteralInteger", "LiteralString",
    "LiteralContextDependentNumber", "LiteralExtInstInteger", "LiteralSpecConstantOpInteger", "LiteralFloat",
    "PairLiteralIntegerIdRef", "PairIdRefLiteralInteger", "PairIdRefIdRef", "Capability", "Decoration",
    "ExecutionMode", "ExecutionModel", "StorageClass", "BuiltIn", "Dim", "ImageFormat", "ImageOperands",
    "MemoryAccess", "AddressingModel", "MemoryModel", "SourceLanguage",
]
# enum wf_shader_class in tables.h has the same order.
CLASSES = [
    "Other", "Debug", "Annotation", "Extension", "Mode-Setting", "Type-Declaration", "Constant-Creation", "Memory",
    "Function", "Image", "Conversion", "Composite", "Arithmetic", "Bit", "Relational_and_Logical", "Derivative",
    "Control-Flow", "Atomic", "Primitive", "Barrier", "Group", "Non-Uniform",
]
PREFIX_CLASSES = [("OpType", "Type-Declaration"), ("OpConstant", "Constant-Creation"),
                  ("OpSpecConstant", "Constant-Creation"), ("OpAtomic", "Atomic")]
OPTIONAL, VARIADIC = 0xFE, 0xFF
NO_INSTRUCTION, ANY_COUNT = 0xFE, 0xFF
OP_HAS_TYPE, OP_HAS_ID, OP_HAS_EXTENSION = 1, 2, 4
KIND_BITS, KIND_VALUES = 1, 2
# What compilers write and the oldest grammar that is used here lacks.
ADDED = {"ExecutionMode": [{"enumerant": "MaximallyReconvergesKHR", "value": 6023}]}
WIDEST_VALUE = 0xFFFF  # some experimental enumerations start at a billion: left out as well, unknown to the reader
LEFT_OUT = re.compile(r"(INTEL|ALTERA)$")
SUFFIXES = [r"KHR$", r"EXT$", r"(NV|NVX|AMD|GOOGLE|QCOM|ARM|HUAWEI|MESA|VALVE)$"]


class Lists:
    """Lists of numbers in one pool: a count, then the numbers; offset 0 is the empty list."""

    def __init__(self):
        self.offsets, self.data = {(): 0}, [0]

    def add(self, numbers):
        key = tuple(numbers)
        if key not in self.offsets:
            self.offsets[key] = len(self.data)
            self.data += [len(key), *key]
        return self.offsets[key]


def number(value):
    return int(value, 0) if isinstance(value, str) else value


def version_byte(text):
    """ "1.3" is 0x13; "None" (only by extension) and an absent one are 0."""
    match = re.fullmatch(r"(\d+)\.(\d+)", text or "")
    return int(match[1]) << 4 | int(match[2]) if match else 0


def rank(name):
    """How official a name is: 0 is best."""
    return next((place + 1 for place, suffix in enumerate(SUFFIXES) if re.search(suffix, name)), 0)


def unique(entries, name_key, value_key):
    """One entry per value, in order of value. Of aliases, the most official wins."""
    best = {}
    for entry in entries:
        value = number(entry[value_key])
        name = entry[name_key]
        if LEFT_OUT.search(name):
            continue
        if value not in best or rank(name) < rank(best[value][name_key]):
            best[value] = entry
    return sorted(best.items())


def class_of(entry):
    """Extensions' instructions are all of the class Reserved, but their names tell."""
    for prefix, group in PREFIX_CLASSES:
        if entry["opname"].startswith(prefix):
            return group
    return entry.get("class", "Other")


class Grammar:
    def __init__(self, core):
        self.core = core
        self.patterns, self.lists = Lists(), Lists()
        self.numbers, self.names = [], []
        by_name = {kind["kind"]: kind for kind in core["operand_kinds"]}
        names = FIXED_KINDS + sorted(set(by_name) - set(FIXED_KINDS))
        self.kind_number = {name: index for index, name in enumerate(names)}
        self.kinds = [by_name.get(name, {"kind": name, "category": "Id"}) for name in names]
        self.capabilities = {}
        for entry in by_name["Capability"]["enumerants"]:
            self.capabilities[entry["enumerant"]] = number(entry["value"])
            for alias in entry.get("aliases", []):
                self.capabilities[alias] = number(entry["value"])

    def pattern(self, operands):
        data = []
        for operand in operands:
            quantifier = operand.get("quantifier")
            if quantifier:
                data.append(VARIADIC if quantifier == "*" else OPTIONAL)
            data.append(self.kind_number[operand["kind"]])
        return self.patterns.add(data)

    def capability_list(self, entry):
        return self.lists.add(sorted(self.capabilities[name] for name in entry.get("capabilities", [])
                                     if name in self.capabilities))

    def row(self, name, *numbers):
        self.names.append(name)
        self.numbers += numbers

    def add_instructions(self):
        rows, last = unique(self.core["instructions"], "opname", "opcode"), 0
        for opcode, entry in rows:
            operands = entry.get("operands", [])
            present = {operand["kind"] for operand in operands}
            flags = (OP_HAS_TYPE if "IdResultType" in present else 0) | (OP_HAS_ID if "IdResult" in present else 0)
            flags |= OP_HAS_EXTENSION if entry.get("extensions") else 0
            group = class_of(entry)
            self.row(entry["opname"][2:], opcode - last, self.pattern(operands), self.capability_list(entry),
                     version_byte(entry.get("version")), CLASSES.index(group) if group in CLASSES else 0, flags)
            last = opcode
        return len(rows)

    def enumerants(self, kind):
        """Those that the reader knows, with the value or the bit's number of each."""
        bits = kind["category"] == "BitEnum"
        entries = kind.get("enumerants", []) + ADDED.get(kind["kind"], [])
        for value, entry in unique(entries, "enumerant", "value"):
            if bits and value and not value & (value - 1):
                yield value.bit_length() - 1, entry
            elif not bits and value <= WIDEST_VALUE:
                yield value, entry

    def add_kinds(self):
        self.names += [kind["kind"] for kind in self.kinds]
        count = 0
        for kind in self.kinds:
            rows, last = list(self.enumerants(kind)), 0
            self.numbers += [{"BitEnum": KIND_BITS, "ValueEnum": KIND_VALUES}.get(kind["category"], 0), len(rows)]
            for value, entry in rows:
                implied = self.capability_list(entry) if kind["kind"] == "Capability" else 0
                self.row(entry["enumerant"], value - last, self.pattern(entry.get("parameters", [])), implied)
                last = value
            count += len(rows)
        return count

    def add_glsl(self, grammar):
        rows = by_number(grammar)
        for entry in rows:
            operands = entry.get("operands", [])
            variable = any("quantifier" in operand for operand in operands)
            self.row(entry["opname"], ANY_COUNT if variable else len(operands) if entry["opname"] else NO_INSTRUCTION)
        return len(rows)

    def add_debug(self, grammar):
        rows = by_number(grammar)
        self.names += [entry["opname"] for entry in rows]
        return len(rows)


def by_number(grammar):
    """The instructions of an extended set; numbers that have none have an empty name."""
    known = {entry["opcode"]: entry for entry in grammar["instructions"]}
    return [known.get(opcode, {"opname": ""}) for opcode in range(max(known) + 1)]


def coded(numbers):
    for value in numbers:
        while value > 0x7F:
            yield value & 0x7F | 0x80
            value >>= 7
        yield value


def write_tables(out, grammar, glsl, debug):
    counts = {
        "OP": grammar.add_instructions(), "KIND": len(grammar.kinds), "ENUMERANT": grammar.add_kinds(),
        "GLSL": grammar.add_glsl(glsl), "DEBUG": grammar.add_debug(debug),
        "PATTERN_POOL": len(grammar.patterns.data), "LIST_POOL": len(grammar.lists.data),
    }
    assert len(grammar.kinds) < OPTIONAL, "kinds share a byte with the quantifiers"
    names = "".join(name + "\0" for name in grammar.names).encode("ascii")
    assert max(*counts.values(), len(names)) < 65536, "offsets are 16 bits"
    out.write("// Made by tools/gen/spirv_tables.py from spirv-headers' grammar. Included by tables.c only.\n")
    out.write("enum {\n" + "".join(f"    {name}_COUNT = {count},\n" for name, count in counts.items()) + "};\n")
    pack.write(out, "grammar", bytes(coded(grammar.numbers + grammar.patterns.data + grammar.lists.data)))
    pack.write(out, "names", names)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, output = sys.argv[1:]
    load = lambda name: json.load(open(os.path.join(folder, name), encoding="utf-8"))
    try:
        core = load("spirv.core.grammar.json")
        glsl = load("extinst.glsl.std.450.grammar.json")
        debug = load("extinst.nonsemantic.shader.debuginfo.100.grammar.json")
    except OSError as error:
        sys.exit(f"spirv_tables.py: {error}; on Debian: apt-get install spirv-headers")
    with open(output, "w", encoding="ascii") as out:
        write_tables(out, Grammar(core), glsl, debug)


if __name__ == "__main__":
    main()
