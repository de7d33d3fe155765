#!/bin/bash
# Installs a build into a folder of its own, moves that, and builds and runs tests/package against it twice:
# through find_package(weft) with weft_compile_shader(), and through pkg-config. usage: package.sh ROOT BUILD
set -euo pipefail
root=$(cd "$1" && pwd) build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/staged" >"$work/log"
mv "$work/staged" "$work/installed"
installed=$work/installed

cmake -S "$root/tests/package" -B "$work/build" "-DCMAKE_PREFIX_PATH=$installed" >>"$work/log"
cmake --build "$work/build" >>"$work/log" || { cat "$work/log"; exit 1; }
"$work/build/outside"
"$work/build/outside_static"

PKG_CONFIG_PATH=$(dirname "$(find "$installed" -name weft.pc)")
export PKG_CONFIG_PATH
libdir=$(pkg-config --variable=libdir weft)
# shellcheck disable=SC2046 # pkg-config prints words
cc -std=c11 -I "$work/build/outside_shaders" "$root/tests/package/outside.c" $(pkg-config --cflags --libs weft) \
    "-Wl,-rpath,$libdir" -o "$work/outside"
"$work/outside"
[ ! -e "$installed/bin/weft" ] || "$installed/bin/weft" --version
echo "package: works from CMake and from pkg-config"
