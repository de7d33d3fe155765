#!/usr/bin/env python3
"""Fails on a file of 1000 lines or a function of more than 100 (but for what is one flat switch); lists functions above 60.
usage: length.py ROOT"""
import pathlib
import re
import sys

FILE_LIMIT, FUNCTION_LIMIT, JUSTIFIED = 1000, 100, 60
FOLDERS = ("include", "src", "tools", "tests", "bench", "examples")


def functions(lines):
    """(first line, name, body) of each function; the formatter puts its braces alone in the first column."""
    start = None
    for number, line in enumerate(lines):
        if line == "{":
            start = number
        elif line == "}" and start is not None:
            head = " ".join(lines[max(0, start - 4):start])
            names = re.findall(r"(\w+)\(", head)
            yield start + 1, names[-1] if names else "?", lines[start + 1:number]
            start = None


def longest_switch(body):
    """Lines of the longest switch in the body, or in a loop that is all of it."""
    longest, start = 0, {}
    for number, line in enumerate(body):
        opened = re.match(r"( {4}| {8})switch \(", line)
        if opened:
            start[opened[1]] = number
        for indent in [i for i in start if line == i + "}"]:
            longest = max(longest, number - start.pop(indent))
    return longest


def main():
    root, failures = pathlib.Path(sys.argv[1]), 0
    files = [p for folder in FOLDERS for p in sorted((root / folder).rglob("*")) if p.suffix in {".c", ".h", ".inc"}]
    for path in files:
        lines, name = path.read_text(encoding="utf-8").splitlines(), path.relative_to(root)
        if len(lines) >= FILE_LIMIT:
            failures += 1
            print(f"{name}: {len(lines)} lines: split it by job")
        for number, function, body in functions(lines):
            flat_switch = longest_switch(body) > len(body) / 2
            if len(body) > FUNCTION_LIMIT and not flat_switch:
                failures += 1
                print(f"{name}:{number}: {function}: {len(body)} lines: too long")
            elif len(body) > JUSTIFIED:
                print(f"{name}:{number}: {function}: {len(body)} lines")
    print(f"length: {len(files)} files, {failures} too long")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
