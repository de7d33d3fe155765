#!/bin/bash
# What `make test` runs: every configuration is built and tested, and each test in those where it tells something new.
#   debug    gcc. The checks, and what is labelled `debug`: it wants assertions, and no sanitizer.
#   release  gcc. All else but injected faults of Vulkan (label `faults`), which want assertions. Here alone, as it is
#            quick: exact arithmetic, the suite on any number of threads and on Vulkan (all labelled `proof`).
#   asan     clang, whose sanitizers compile in half the time of gcc's, with assertions. All tests but those of `proof`,
#            which run the same code as the others, over far more inputs.
#   tsan     clang. What has threads or hands work to them (label `threads`), and only that is built.
#   mingw    What Windows gets, under Wine where that is there.
# So both compilers see everything. All results are counted by ctest; the last line sums them up.
# usage: all.sh [JOBS]
set -uo pipefail
cd "$(dirname "$0")/../.."
jobs=${1:-$(nproc)}
results=$PWD/build/results
rm -rf "$results" && mkdir -p "$results"

# ThreadSanitizer cannot live with the address layout of newer kernels.
fixed_layout=()
! setarch -R true 2>/dev/null || fixed_layout=(setarch -R)

# run PRESET TARGET [CTEST ARGUMENT...]
run() {
    local preset=$1 target=$2 start=$SECONDS built
    shift 2
    echo "== $preset"
    if cmake --preset "$preset" >"$results/$preset.log" 2>&1 &&
        cmake --build --preset "$preset" -j "$jobs" --target "$target" >>"$results/$preset.log" 2>&1; then
        built=$((SECONDS - start))
        "${fixed_layout[@]}" ctest --preset "$preset" -j "$jobs" --output-junit "$results/$preset.xml" "$@"
        echo "== $preset: $((SECONDS - start)) s, $built of them for building"
    else
        tail -n 60 "$results/$preset.log"
        echo "== $preset: not built"
    fi
}

presets=(debug release asan tsan)
run debug all -L "check|debug"
run release all -LE "check|debug|faults"
run asan all -LE "check|debug|proof"
run tsan tests_threads -L threads
if command -v x86_64-w64-mingw32-gcc >/dev/null; then
    presets+=(mingw)
    run mingw all
else
    echo "== mingw: skipped, no gcc-mingw-w64-x86-64"
fi
tools/check/sum.py "$results" "${presets[@]}"
