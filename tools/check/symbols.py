#!/usr/bin/env python3
"""Fails unless the library exports exactly what the public headers declare. usage: symbols.py ROOT LIBRARY"""
import pathlib
import re
import subprocess
import sys

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
DECLARED = re.compile(r"\bWEFT_API\b[^;{]*?\b(\w+)\s*\(")


def declared(include):
    names = set()
    for header in include.rglob("*.h"):
        text = COMMENT.sub("", header.read_text(encoding="utf-8"))
        text = re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)
        names.update(DECLARED.findall(text))
    return names


def exported(library):
    listing = subprocess.run(["nm", "--dynamic", "--defined-only", "--format=posix", library],
                             check=True, capture_output=True, text=True).stdout
    return {line.split()[0] for line in listing.splitlines()}


def main():
    names, symbols = declared(pathlib.Path(sys.argv[1]) / "include"), exported(sys.argv[2])
    problems = [f"{name}: declared but not exported" for name in sorted(names - symbols)]
    problems += [f"{name}: exported but not declared" for name in sorted(symbols - names)]
    problems += [f"{name}: does not start with weft_" for name in sorted(names) if not name.startswith("weft_")]
    print("\n".join(problems) if problems else f"symbols: {len(symbols)}, all declared")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
