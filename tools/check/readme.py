#!/usr/bin/env python3
"""Fails unless README.md shows examples/triangle.c as it is. usage: readme.py ROOT"""
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
program = (root / "examples/triangle.c").read_text(encoding="utf-8")
shown = "".join("    " + line if line.strip() else line for line in program.splitlines(True))
if shown not in (root / "README.md").read_text(encoding="utf-8"):
    sys.exit("readme: the program in README.md is not examples/triangle.c; copy it, indented by 4")
print("readme: shows the triangle as it is")
