#!/usr/bin/env python3
"""Runs a program for Windows under Wine, on a display and in a home of its own. usage: wine.py PROGRAM [ARGUMENT...]
77: there is no Wine, says which package has it."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "window"))
import display  # noqa: E402

LIMIT_S = 580


def main():
    try:
        wine = display.need("wine", "wine wine64")
        with display.x11() as env, tempfile.TemporaryDirectory(prefix="weft-wine-", ignore_cleanup_errors=True) as home:
            # Nothing is asked for, and nothing is fetched: neither Mono nor a browser's engine.
            env |= {"WINEPREFIX": home, "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree=;mshtml=;winedbg.exe=d"}
            try:
                return subprocess.run([wine, *sys.argv[1:]], env=env, timeout=LIMIT_S).returncode
            finally:
                subprocess.run(["wineserver", "-k"], env=env, timeout=60)
    except display.drivers.Absent as absent:
        print(f"skipped: {absent}")
        return display.SKIPPED


if __name__ == "__main__":
    sys.exit(main())
