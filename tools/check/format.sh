#!/bin/bash
# Fails when clang-format 14 would change a C file; other versions format differently, so without it: skipped (77).
# usage: format.sh ROOT [--fix]
set -euo pipefail
cd "$1"
formatter=$(command -v clang-format-14) || { echo "format: skipped, no clang-format-14"; exit 77; }
mode=(--dry-run -Werror)
[ "${2:-}" != --fix ] || mode=(-i)
find . \( -path './build*' -o -path ./.git \) -prune -o \( -name '*.c' -o -name '*.h' \) -print0 |
    xargs -0 "$formatter" "${mode[@]}"
echo "format: clean"
