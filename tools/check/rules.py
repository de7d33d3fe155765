#!/usr/bin/env python3
"""Fails unless every validation rule has its own number, a sentence, a remedy and a test. usage: rules.py ROOT

A rule is a line RULE(NAME, number, object, "sentence", "remedy") of include/weft/rules.def, which is also what
`weft explain W<number>` prints; where that needs more room there is docs/codes/W<number>.md as well.
A test names the rule that it trips as WEFT_RULE_<NAME>."""
import pathlib
import re
import sys

RULE = re.compile(r'^RULE\((\w+), (\d+), \w+,\s*"([^"]*)",\s*"([^"]*)"\)$', re.MULTILINE)


def main():
    root = pathlib.Path(sys.argv[1])
    table = (root / "include/weft/rules.def").read_text(encoding="utf-8")
    rules = RULE.findall(table)
    tests = "".join(path.read_text(encoding="utf-8") for path in (root / "tests").rglob("*.c"))
    tested = set(re.findall(r"\bWEFT_RULE_(\w+)", tests))

    problems, codes, last = [], set(), 0
    for name, number, sentence, remedy in rules:
        code = f"W{int(number):04}"
        codes.add(code)
        if int(number) <= last:
            problems.append(f"{code} {name}: not in order of numbers, or the number is taken")
        last = int(number)
        if not (sentence.endswith(".") and remedy.endswith(".")):
            problems.append(f"{code} {name}: the sentence and the remedy end with a full stop")
        if name not in tested:
            problems.append(f"{code} {name}: no test trips it")
    if len(rules) != len(re.findall(r"^\s*RULE\(", table, re.MULTILINE)):
        problems.append("include/weft/rules.def: a line that is not RULE(NAME, number, object, \"...\", \"...\")")
    problems += [f"docs/codes/{page.name}: no such rule" for page in sorted((root / "docs/codes").glob("W*.md"))
                 if page.stem not in codes]
    print("\n".join(problems) if problems else f"rules: {len(rules)}, each explained and tested")
    return bool(problems) or not rules


if __name__ == "__main__":
    sys.exit(main())
