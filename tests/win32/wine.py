#!/usr/bin/env python3
"""Runs a program for Windows under Wine, on a display of its own; Wine's files are made beside the program, once.
usage: wine.py PROGRAM [ARGUMENT...]. 77: there is no Wine, says which package has it."""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "window"))
import display  # noqa: E402

START_S, LIMIT_S = 120, 580
# Nothing is asked for, and nothing is fetched: neither Mono nor a browser's engine.
QUIET = {"WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree=;mshtml=;winedbg.exe=d"}


def run(command, env, limit):
    """In `env`; nothing of Wine is left behind."""
    try:
        return subprocess.run(command, env=env, timeout=limit).returncode
    finally:
        subprocess.run(["wineserver", "-k"], env=env, timeout=START_S)


def main():
    try:
        wine = display.need("wine", "wine wine64")
        home = pathlib.Path(sys.argv[1]).resolve().parent / "wine"
        with display.x11() as env:
            env |= QUIET
            if not home.exists():
                new = home.with_suffix(".new")
                shutil.rmtree(new, ignore_errors=True)
                run([wine, "wineboot", "-i"], {**env, "WINEPREFIX": str(new)}, START_S)
                new.rename(home)
            return run([wine, *sys.argv[1:]], {**env, "WINEPREFIX": str(home)}, LIMIT_S)
    except display.drivers.Absent as absent:
        print(f"skipped: {absent}")
        return display.SKIPPED


if __name__ == "__main__":
    sys.exit(main())
