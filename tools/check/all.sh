#!/bin/bash
# What `make test` runs: every configuration is built and tested, the checks among the tests of the first one.
# gcc builds them but the last, where clang's sanitizer is two to three times as quick: both compilers see everything.
# Exact arithmetic, and the suite on any number of threads (both labelled `proof`), judge the release build, which is
# quick. asan sees all tests but these, which run the same code as the others, over far more inputs. tsan, the slowest,
# sees what has threads or hands work to them (label `threads`).
# What Windows gets is built, and run under Wine where that is there.
# All results are counted by ctest; the last line sums them up.
# usage: all.sh [JOBS]
set -uo pipefail
cd "$(dirname "$0")/../.."
jobs=${1:-$(nproc)}
results=$PWD/build/results
rm -rf "$results" && mkdir -p "$results"

# ThreadSanitizer cannot live with the address layout of newer kernels.
fixed_layout=()
! setarch -R true 2>/dev/null || fixed_layout=(setarch -R)

# run PRESET [CTEST ARGUMENT...]
run() {
    local preset=$1 start=$SECONDS
    shift
    echo "== $preset"
    if cmake --preset "$preset" >"$results/$preset.log" 2>&1 &&
        cmake --build --preset "$preset" -j "$jobs" >>"$results/$preset.log" 2>&1; then
        "${fixed_layout[@]}" ctest --preset "$preset" -j "$jobs" --output-junit "$results/$preset.xml" "$@"
    else
        tail -n 60 "$results/$preset.log"
    fi
    echo "== $preset: $((SECONDS - start)) s"
}

presets=(debug release asan tsan)
run debug -LE proof
run release -LE check
run asan -LE "check|proof"
run tsan -L threads
if command -v x86_64-w64-mingw32-gcc >/dev/null; then
    presets+=(mingw)
    run mingw
else
    echo "== mingw: skipped, no gcc-mingw-w64-x86-64"
fi
tools/check/sum.py "$results" "${presets[@]}"
