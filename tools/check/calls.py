#!/usr/bin/env python3
"""Fails unless each pointer and handle that the public API takes is tested where it is wrong. usage: calls.py ROOT

tests/rules/nulls.def holds a row for each pointer parameter of each function: NULLS(function, parameter, ...).
tests/rules/handles_*.c and tests/frame/frame_handles.c hold a row for each handle: "function: parameter" or, where it
lies in a description, "function: member.member", arrays and pointers like what they hold.
tests/faults/lost.def holds a row for each function of a device that returns a result: LOST(function, ...)."""
import pathlib
import re
import sys

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
FUNCTION = re.compile(r"WEFT_API\s+[\w\s*]*?\b(weft_\w+)\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)\s*;")
DEVICE = re.compile(r"WEFT_API\s+weft_result\s+(weft_\w+)\(weft_device \*")
STRUCT = re.compile(r"typedef struct (weft_\w+) \{(.*?)\n\} \1;", re.DOTALL)
HANDLE = re.compile(r"typedef struct (weft_\w+) \{\s*uint32_t index, generation;\s*\}")
# Kinds that cannot be made.
PASSIVE = set()
# Handles that are not looked at: asked before there is a place; for a message only; where only sizes count.
UNSEEN = {"weft_buffer_memory_needs: place.block", "weft_texture_memory_needs: place.block",
          "weft_device_report: object"} | {
    f"weft_acceleration_structure_{call}: geometries.{name}" for call in ("create", "sizes")
    for name in ("buffer", "indices", "transform")}
# Calls that are another one, which rows make in its place as well.
SAME = {"weft_frame_draw_mesh": "weft_frame_draw", "weft_frame_draw_instances": "weft_frame_draw"}


def split(parameters):
    """The parameters, cut at commas outside of parentheses."""
    parts, depth, part = [], 0, ""
    for c in parameters:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    return [" ".join(p.split()) for p in parts + [part]]


def parameter(text):
    """Type, name and whether it is a pointer."""
    callback = re.match(r".*\(\*(\w+)\)\(", text)
    if callback:
        return "callback", callback.group(1), True
    match = re.match(r"(?:const )?(\w+) ?((?:\*const )?\**)(\w+)((?:\[\w+\])?)$", text)
    return match.group(1), match.group(3), bool(match.group(2) or match.group(4)), text.startswith("const ")


def members(body):
    """Type and name of each member."""
    for line in body.split(";"):
        match = re.match(r"(?:const )?(?:struct )?(\w+) (.+)$", " ".join(line.split()))
        if match:
            for name in match.group(2).split(","):
                yield match.group(1), re.sub(r"\[.*|\*(?:const )?", "", name).strip()


def sites(kind, structs, handles):
    """Paths to the handles in a description."""
    for member, name in members(structs.get(kind, "")):
        if member in handles:
            yield name
        elif member in structs and member not in PASSIVE:
            yield from (f"{name}.{path}" for path in sites(member, structs, handles))


def main():
    root = pathlib.Path(sys.argv[1])
    text = "\n".join(COMMENT.sub("", path.read_text(encoding="utf-8"))
                     for path in sorted((root / "include/weft").rglob("*.h")))
    handles = (set(HANDLE.findall(text)) | {"weft_object"}) - PASSIVE
    structs = {name: body for name, body in STRUCT.findall(text) if name not in handles}
    table = (root / "tests/rules/nulls.def").read_text(encoding="utf-8")
    nulls = set(re.findall(r"^NULLS\((\w+), (\w+),", table, re.MULTILINE))
    rows = set()
    for path in [*(root / "tests/rules").glob("handles_*.c"), root / "tests/frame/frame_handles.c"]:
        rows |= set(re.findall(r'"(weft_\w+: [\w.]+)"', path.read_text(encoding="utf-8")))

    problems, wanted, functions = [], set(UNSEEN), FUNCTION.findall(text)
    for function, parameters in functions:
        for each in split(parameters):
            if each == "void":
                continue
            kind, name, pointer, *const = parameter(each)
            if pointer and (function, name) not in nulls:
                problems.append(f"tests/rules/nulls.def: no row for {name} of {function}()")
            call = SAME.get(function, function)
            if kind in handles and not (pointer and const == [False]):
                wanted.add(f"{call}: {name}")
            elif pointer and const == [True]:
                wanted |= {f"{call}: {path}" for path in sites(kind, structs, handles)}
    lost = set(re.findall(r"^LOST\((\w+),", (root / "tests/faults/lost.def").read_text(encoding="utf-8"), re.MULTILINE))
    problems += [f"tests/faults/lost.def: no row for {name}()" for name in DEVICE.findall(text) if name not in lost]
    tests = "tests/rules/handles_*.c, tests/frame/frame_handles.c"
    problems += [f"{tests}: no row \"{row}\"" for row in sorted(wanted - rows - UNSEEN)]
    problems += [f"{tests}: there is no \"{row}\"" for row in sorted(rows - wanted)]
    print("\n".join(problems) if problems else
          f"calls: {len(nulls)} pointers and {len(wanted - UNSEEN)} handles of {len(functions)} functions, each tested")
    return bool(problems) or not functions


if __name__ == "__main__":
    sys.exit(main())
