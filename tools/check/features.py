#!/usr/bin/env python3
"""Fails unless the conformance suite judges every feature that a device can report. usage: features.py ROOT

A feature is a WEFT_FEATURE_* of include/weft/device.h. A case of tests/conformance/cases.def names those that it needs,
so that it is refused where they are not reported. What no device reports has no such case: tests/conformance/
unreported.c judges that its calls are refused, and fails on a device that reports it all the same. A feature stands
in one of the two."""
import pathlib
import re
import sys

FEATURE = re.compile(r"\bWEFT_FEATURE_([A-Z0-9_]+)\b")


def main():
    root = pathlib.Path(sys.argv[1])

    def named(path):
        return set(FEATURE.findall((root / path).read_text(encoding="utf-8")))

    defined = set(re.findall(r"^#define WEFT_FEATURE_(\w+)", (root / "include/weft/device.h").read_text(encoding="utf-8"),
                             re.MULTILINE))
    needed, unreported = named("tests/conformance/cases.def"), named("tests/conformance/unreported.c")
    problems = [f"{name}: no case needs it, and unreported.c does not name it"
                for name in sorted(defined - needed - unreported)]
    problems += [f"{name}: a case needs it; take it out of unreported.c" for name in sorted(needed & unreported)]
    problems += [f"{name}: no such feature" for name in sorted((needed | unreported) - defined)]
    print("\n".join(problems) if problems
          else f"features: {len(defined)}, {len(needed)} needed by cases, {len(unreported)} reported by no device")
    return bool(problems) or not defined


if __name__ == "__main__":
    sys.exit(main())
