#!/usr/bin/env python3
"""Fails unless a test trips every rule of the SPIR-V reader. usage: refusals.py ROOT TEST...

A rule is a message in src/shader that a module is refused with. The tests note each message that they saw and expected in
the file that WEFT_REFUSALS names; a rule that is none of them, from its first letter to its last, has no test. Where two
places of the sources have the same message, one test does for both."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CALL = re.compile(r"\b(wf_shader_(?:reflector_)?fail(?:_operand|_result)?|about_varying|about|problem)\s*\(")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
# What the functions put before the sentence that they are given.
BEFORE = {
    "wf_shader_fail_operand": "operand %%%u must be ",
    "wf_shader_fail_result": "its type %%%u must be ",
    "about_varying": "location %u, input \"%s\" of \"%s\": ",
}
# What no module can show: memory that ran out, a sentence that stands elsewhere, and guards: operands are counted, defined
# and known to be values or types before these are reached; no enumeration of the grammar nests deeper than the reader's array.
BEYOND = {"out of memory", "%s", "a value with a type", "it lacks operand %u", "it reaches %%%u, which is no type",
          "operand %s is nested too deep"}


def calls(text):
    """All calls: the function and the argument list."""
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
        if not re.search(r"\b(bool|int|void)\s*$", text[:match.start()]):
            yield match[1], text[match.end():at - 1]


def messages(path):
    """Every message of a file, as a regular expression and as it stands; the branches of a choice are messages of their own."""
    text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    for name, arguments in calls(text):
        whole = re.sub(r'"\s*"', "", arguments)
        sentences = [sentence.replace('\\"', '"') for sentence in STRING.findall(whole)]
        if not sentences:
            continue
        if "?" in whole[:whole.index('"')]:
            for sentence in sentences:
                yield pattern(BEFORE.get(name, "") + sentence), sentence
            continue
        yield pattern(BEFORE.get(name, "") + sentences[0]), sentences[0]
        for part in sentences[1:]:  # is what some %s of the first stands for
            places = [match.start() for match in re.finditer("%s", sentences[0])]
            ways = [sentences[0][:at] + part.replace("%", "%%") + sentences[0][at + 2:] for at in places]
            yield "|".join(pattern(BEFORE.get(name, "") + way) for way in ways), f"{sentences[0]}: {part}"


def pattern(sentence):
    parts = re.split(r"(%%|%\.?\d*[a-z]+)", sentence)
    return "".join(".*" if part.startswith("%") and part != "%%" else re.escape(part.replace("%%", "%")) for part in parts)


def main():
    root, tests = pathlib.Path(sys.argv[1]), sys.argv[2:]
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as seen:
        for test in tests:
            subprocess.run([test], env=dict(os.environ, WEFT_REFUSALS=seen.name), stdout=subprocess.DEVNULL, check=True)
        lines = {re.sub(r"^word \d+(, \w+)?: ", "", line) for line in seen.read().splitlines()}
    rules = [(path.name, *rule) for path in sorted((root / "src/shader").glob("*.c")) for rule in messages(path)]
    problems = [f"{name}: no test is refused with \"{sentence}\"" for name, expression, sentence in rules
                if sentence not in BEYOND and not any(re.fullmatch(expression, line) for line in lines)]
    print("\n".join(problems) if problems else f"refusals: {len(rules)} rules of the reader, each tripped by a test")
    return bool(problems) or not rules


if __name__ == "__main__":
    sys.exit(main())
