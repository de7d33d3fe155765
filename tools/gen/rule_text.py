#!/usr/bin/env python3
"""Writes the texts of include/weft/rules.def, packed, for src/core/rules.c.

usage: rule_text.py RULES.def OUTPUT.h

They are the name, the sentence and the remedy of each rule in turn, each with a zero byte after it.
"""
import re
import sys

import pack

RULE = re.compile(r'^RULE\((\w+), \d+, \w+,\s*"([^"\\]*)",\s*"([^"\\]*)"\)$', re.MULTILINE)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as table:
        lines = table.read()
    rules = RULE.findall(lines)
    if len(rules) != len(re.findall(r"^\s*RULE\(", lines, re.MULTILINE)):
        sys.exit(f'{sys.argv[1]}: a line that is not RULE(NAME, number, object, "...", "...") without escapes')
    with open(sys.argv[2], "w", encoding="ascii") as out:
        out.write("// Made by tools/gen/rule_text.py from rules.def. Included by rules.c only.\n")
        pack.write(out, "rule_text", "".join(text + "\0" for rule in rules for text in rule).encode("utf-8"))


if __name__ == "__main__":
    main()
