#!/usr/bin/env python3
"""Fails unless every validation rule has its own number, a test that trips it and a page. usage: rules.py ROOT

A rule is a line RULE(NAME, number, ...) of include/weft/rules.def; a test names it as WEFT_RULE_<NAME>; its page
is docs/codes/W<number>.md."""
import pathlib
import re
import sys

RULE = re.compile(r"^RULE\(\s*(\w+)\s*,\s*(\d+)\s*,", re.MULTILINE)


def main():
    root = pathlib.Path(sys.argv[1])
    rules = RULE.findall((root / "include/weft/rules.def").read_text(encoding="utf-8"))
    tests = "".join(path.read_text(encoding="utf-8") for path in (root / "tests").rglob("*.c"))
    tested = set(re.findall(r"\bWEFT_RULE_(\w+)", tests))

    problems, names = [], {}
    for name, number in rules:
        code = f"W{int(number):04}"
        if code in names:
            problems.append(f"{code}: both {names[code]} and {name}")
        names[code] = name
        if name not in tested:
            problems.append(f"{code} {name}: no test trips it")
        if not (root / f"docs/codes/{code}.md").exists():
            problems.append(f"{code} {name}: no page docs/codes/{code}.md")
    problems += [f"{page.name}: no such rule" for page in sorted((root / "docs/codes").glob("W*.md"))
                 if page.stem not in names]
    print("\n".join(problems) if problems else f"rules: {len(rules)}, each tested and explained")
    return bool(problems) or not rules


if __name__ == "__main__":
    sys.exit(main())
