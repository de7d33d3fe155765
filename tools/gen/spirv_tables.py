#!/usr/bin/env python3
"""Writes the SPIR-V tables of src/shader/tables.c from the grammar files of spirv-headers.

usage: spirv_tables.py GRAMMAR_FOLDER OUTPUT.h

Everything is an offset into one string pool or one byte pool, so the tables need no relocations and stay small.
What only OpenCL on FPGAs has (names that end in INTEL or ALTERA) is left out; the reader names such opcodes by number.
"""
import json
import os
import re
import sys

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
OP_HAS_TYPE, OP_HAS_ID, OP_HAS_EXTENSION = 1, 2, 4
KIND_BITS, KIND_VALUES = 1, 2
WIDEST_VALUE = 0xFFFF  # some experimental enumerations start at a billion: left out as well, unknown to the reader
LEFT_OUT = re.compile(r"(INTEL|ALTERA)$")
SUFFIXES = [r"KHR$", r"EXT$", r"(NV|NVX|AMD|GOOGLE|QCOM|ARM|HUAWEI|MESA|VALVE)$"]


class Strings:
    """Zero-terminated strings in one pool, each once; offset 0 is the empty one."""

    def __init__(self):
        self.offsets, self.data = {"": 0}, bytearray(b"\0")

    def add(self, text):
        if text not in self.offsets:
            self.offsets[text] = len(self.data)
            self.data += text.encode("ascii") + b"\0"
        return self.offsets[text]


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
        self.strings, self.patterns, self.lists = Strings(), Lists(), Lists()
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

    def instructions(self):
        rows = []
        for opcode, entry in unique(self.core["instructions"], "opname", "opcode"):
            operands = entry.get("operands", [])
            present = {operand["kind"] for operand in operands}
            flags = (OP_HAS_TYPE if "IdResultType" in present else 0) | (OP_HAS_ID if "IdResult" in present else 0)
            flags |= OP_HAS_EXTENSION if entry.get("extensions") else 0
            group = class_of(entry)
            rows.append((opcode, self.strings.add(entry["opname"][2:]), self.pattern(operands),
                         self.capability_list(entry), version_byte(entry.get("version")),
                         CLASSES.index(group) if group in CLASSES else 0, flags))
        return rows

    def enumerants(self):
        """Rows of all enumerants, and per kind its first row, count, flags and name."""
        rows, kinds = [], []
        for kind in self.kinds:
            bits = kind["category"] == "BitEnum"
            first = len(rows)
            for value, entry in unique(kind.get("enumerants", []), "enumerant", "value"):
                if bits and (value == 0 or value & (value - 1)):
                    continue
                if not bits and value > WIDEST_VALUE:
                    continue
                extra = self.capability_list(entry) if kind["kind"] == "Capability" else 0
                rows.append((value.bit_length() - 1 if bits else value, self.strings.add(entry["enumerant"]),
                             self.pattern(entry.get("parameters", [])), extra))
            flags = KIND_BITS if bits else KIND_VALUES if kind["category"] == "ValueEnum" else 0
            kinds.append((first, len(rows) - first, self.strings.add(kind["kind"]), flags))
        return rows, kinds

    def extended(self, grammar):
        """Rows by number: name and count of operands, 255 for a variable count."""
        by_number = {entry["opcode"]: entry for entry in grammar["instructions"]}
        rows = []
        for opcode in range(max(by_number) + 1):
            entry = by_number.get(opcode, {"opname": ""})
            operands = entry.get("operands", [])
            variable = any("quantifier" in operand for operand in operands)
            rows.append((self.strings.add(entry["opname"]), 255 if variable else len(operands)))
        return rows


def write_rows(out, declaration, rows):
    out.write(f"static const {declaration}[] = {{\n")
    for row in rows:
        out.write("    {" + ", ".join(str(field) for field in row) + "},\n")
    out.write("};\n\n")


def write_numbers(out, declaration, numbers):
    out.write(f"static const {declaration}[] = {{\n")
    for start in range(0, len(numbers), 16):
        out.write("    " + ", ".join(str(field) for field in numbers[start:start + 16]) + ",\n")
    out.write("};\n\n")


def write_tables(out, grammar, glsl, debug):
    rows = grammar.instructions()
    enumerants, kinds = grammar.enumerants()
    glsl_rows, debug_rows = grammar.extended(glsl), grammar.extended(debug)
    for pool in (grammar.strings.data, grammar.patterns.data, grammar.lists.data, enumerants):
        assert len(pool) < 65536, "offsets are 16 bits"
    assert len(kinds) < OPTIONAL, "kinds share a byte with the quantifiers"
    out.write("// Made by tools/gen/spirv_tables.py from spirv-headers' grammar. Included by tables.c only.\n")
    write_rows(out, "struct wf_shader_op op_rows", rows)
    write_rows(out, "struct wf_shader_enumerant enumerant_rows", enumerants)
    write_rows(out, "struct kind_row kind_rows", kinds)
    write_rows(out, "struct extended_row glsl_rows", glsl_rows)
    write_rows(out, "struct extended_row debug_rows", debug_rows)
    write_numbers(out, "uint8_t pattern_pool", grammar.patterns.data)
    write_numbers(out, "uint16_t list_pool", grammar.lists.data)
    write_numbers(out, "char string_pool", list(grammar.strings.data))


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
