#!/usr/bin/env python3
"""Compiles every header alone: public ones as strict C11 and C++17, internal ones as C11.
usage: headers.py ROOT CC CXX"""
import concurrent.futures
import os
import pathlib
import subprocess
import sys

NATIVE = {"interop/vulkan.h": "vulkan/vulkan_core.h"}  # public headers that include one of a backend's own
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-unused-function", "-fsyntax-only"]


def there(cc, header):
    return subprocess.run([cc, "-E", "-xc", "-"], input=f"#include <{header}>\n", capture_output=True, text=True).returncode == 0


def jobs(root, cc, cxx):
    include, src = root / "include", root / "src"
    c11 = [cc, "-std=c11", "-xc", "-I", str(include), *STRICT]
    for header in sorted(include.rglob("*.h")):
        name = f"<{header.relative_to(include)}>"
        native = NATIVE.get(str(header.relative_to(include / "weft")))
        if native and not there(cc, native):
            print(f"headers: {name} is left out, for there is no <{native}>")
            continue
        yield name, c11
        yield name, [cxx, "-std=c++17", "-xc++", "-I", str(include), *STRICT]
    for header in sorted(src.rglob("*.h")):
        yield f'"{header.relative_to(src)}"', [*c11, "-D_POSIX_C_SOURCE=200809L", "-I", str(src)]


def compile_alone(job):
    name, command = job
    run = subprocess.run([*command, "-"], input=f"#include {name}\ntypedef int alone;\n", capture_output=True, text=True)
    return "" if run.returncode == 0 else f"{name} alone: {' '.join(command)}\n{run.stderr}"


def main():
    todo = list(jobs(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = [problem for problem in pool.map(compile_alone, todo) if problem]
    print("".join(problems) if problems else f"headers: {len(todo)} compilations, clean")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
