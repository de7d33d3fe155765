#!/usr/bin/env python3
"""Runs clang-tidy 14 over the sources of a build folder, in parallel; without it: skipped (77).
A file that was clean is run again only when what the compiler sees of it changed. The analyzer follows a function's paths
to a quarter of its default, and leaves out tests, which the sanitizers judge: half of the time. --deep: all of it.
usage: tidy.py ROOT BUILD [--deep]"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

SHALLOW = ["--extra-arg=-Xclang", "--extra-arg=-analyzer-config", "--extra-arg=-Xclang", "--extra-arg=max-nodes=60000"]
NO_ANALYZER = ["--checks=-clang-analyzer-*"]


def fingerprint(root, entry, options):
    """A hash of everything the result depends on: settings, flags, and the source with all it includes."""
    command = shlex.split(entry["command"])
    command = command[1:] if "ccache" in command[0] else command
    command[command.index("-o") + 1] = "-"
    seen = subprocess.run([*command, "-E"], cwd=entry["directory"], capture_output=True)
    settings = (root / ".clang-tidy").read_bytes()
    return hashlib.sha256(settings + repr(options).encode() + entry["command"].encode() + seen.stdout).hexdigest()


def run(tidy, root, build, entry):
    in_tests = pathlib.Path(entry["file"]).is_relative_to(root / "tests")
    command = [tidy, "--quiet", *([] if "--deep" in sys.argv else NO_ANALYZER if in_tests else SHALLOW)]
    stamp = build / "tidy" / fingerprint(root, entry, command[1:])
    if stamp.exists():
        return ""
    done = subprocess.run([*command, "-p", str(build), entry["file"]], capture_output=True, text=True)
    if done.returncode == 0:
        stamp.touch()
        return ""
    return done.stdout + (done.stderr if "error" in done.stderr else "")


def main():
    root, build = (pathlib.Path(arg).resolve() for arg in sys.argv[1:3])
    tidy = shutil.which("clang-tidy-14")
    if not tidy:
        print("tidy: skipped, no clang-tidy-14")
        return 77
    entries = [entry for entry in json.loads((build / "compile_commands.json").read_text())
               if not pathlib.Path(entry["file"]).is_relative_to(build)]
    (build / "tidy").mkdir(exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [text for text in pool.map(lambda entry: run(tidy, root, build, entry), entries) if text]
    print("\n".join(problems) if problems else f"tidy: {len(entries)} files, clean")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
