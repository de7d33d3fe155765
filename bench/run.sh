#!/bin/bash
# Runs every benchmark of a build folder, one after the other, and prints what they print.
# usage: bench/run.sh BUILD [MODEL]    (MODEL: a .glb, .gltf or .obj file that `weft render` draws as well)
set -euo pipefail
build=$1
model=${2:-}

processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
echo "machine: $(nproc) x ${processor:-unknown processor}, $(uname -sr)"
echo "date:    $(date -u +%Y-%m-%d)"

# What draws on Vulkan does so on lavapipe, if it is there.
driver=("$(dirname "$0")/../tools/check/drivers.py" lavapipe)
"${driver[@]}" true || driver=()

status=0
for program in "$build"/bench/bench_*; do
    [ -x "$program" ] && [ -f "$program" ] || continue
    printf '\n== %s\n' "$(basename "$program")"
    "${driver[@]}" "$program" || { status=1; echo "failed: $program" >&2; }
done

if [ -n "$model" ]; then
    printf '\n== weft render %s\n' "$(basename "$model")"
    out=$(mktemp -d)
    trap 'rm -rf "$out"' EXIT
    TIMEFORMAT='%R s elapsed, %U s user'
    for _ in 1 2 3; do
        time "$build/tools/weft/weft" render "$model" \
            --backend software --size 1280x720 -o "$out/image.png" --quiet || status=1
    done
fi
exit $status
