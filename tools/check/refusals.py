#!/usr/bin/env python3
"""Fails unless a test trips every rule of the SPIR-V reader. usage: refusals.py ROOT TEST...

A rule is a message in src/shader that a module is refused with. The tests note each message that they saw and expected in
the file that WEFT_REFUSALS names; a rule that makes none of them has no test."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CALL = re.compile(r"\b(wf_shader_(?:reflector_)?fail(?:_operand|_result)?|about_varying|about|wf_shader_problem)\s*\(")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
# What no module can show: memory that ran out, a sentence that stands elsewhere, and guards: operands are counted, defined
# and known to be values or types before these are reached.
BEYOND = {"out of memory", "%s", "a value with a type", "it lacks operand %u", "it reaches %%%u, which is no type"}


def calls(text):
    """The argument lists of all calls."""
    for match in CALL.finditer(text):
        depth, at, quoted = 1, match.end(), False
        while depth:
            letter = text[at]
            if letter == "\\" and quoted:
                at += 1
            elif letter == '"':
                quoted = not quoted
            elif not quoted:
                depth += {"(": 1, ")": -1}.get(letter, 0)
            at += 1
        yield text[match.end():at - 1]


def messages(path):
    """Every sentence of a file; the branches of a choice are sentences of their own."""
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    for arguments in calls(text):
        whole = re.sub(r'"\s*"', "", arguments)
        branches = STRING.findall(whole)
        chosen = "?" in STRING.sub("", whole)
        for sentence in branches if chosen else branches[:1]:
            yield sentence.replace('\\"', '"')
    for sentence in re.findall(r'->problem = "([^"]*)"', text):
        yield sentence


def pattern(sentence):
    parts = re.split(r"%%|%\.?\d*[a-z]+", sentence)
    return re.compile(".*".join(re.escape(part) for part in parts))


def main():
    root, tests = pathlib.Path(sys.argv[1]), sys.argv[2:]
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as seen:
        for test in tests:
            subprocess.run([test], env=dict(os.environ, WEFT_REFUSALS=seen.name), stdout=subprocess.DEVNULL, check=True)
        lines = seen.read()
    rules = [(path.name, sentence) for path in sorted((root / "src/shader").glob("*.c")) for sentence in messages(path)]
    problems = [f"{name}: no test is refused with \"{sentence}\"" for name, sentence in rules
                if sentence not in BEYOND and not pattern(sentence).search(lines)]
    print("\n".join(problems) if problems else f"refusals: {len(rules)} rules of the reader, each tripped by a test")
    return bool(problems) or not rules


if __name__ == "__main__":
    sys.exit(main())
