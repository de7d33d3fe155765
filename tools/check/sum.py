#!/usr/bin/env python3
"""Adds up ctest's results over configurations; one without results counts as a failure.
Ends with 'N passed, N failed'. usage: sum.py FOLDER CONFIGURATION..."""
import pathlib
import sys
import xml.etree.ElementTree


def main():
    passed = failed = 0
    for name in sys.argv[2:]:
        results = pathlib.Path(sys.argv[1]) / f"{name}.xml"
        if not results.exists():
            print(f"{name}: not built or not run")
            failed += 1
            continue
        suite = xml.etree.ElementTree.parse(results).getroot()
        total, bad, skipped = (int(suite.get(key)) for key in ("tests", "failures", "skipped"))
        skipped += int(suite.get("disabled", 0))
        print(f"{name}: {total - bad - skipped} passed, {bad} failed, {skipped} skipped")
        passed += total - bad - skipped
        failed += bad if total else 1
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
