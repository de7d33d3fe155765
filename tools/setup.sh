#!/bin/bash
# Installs the Debian packages that a command of the Makefile uses. Quick when they are there already;
# never changes apt's sources. docs/dependencies.md tells what each package is for.
# usage: setup.sh demo|test|coverage|fuzz|bench|corpus|ci
set -euo pipefail

build="cmake ninja-build gcc libc6-dev pkg-config python3 glslang-tools spirv-headers"
tool="libassimp-dev libpng-dev libjpeg-dev libjansson-dev libpopt-dev libsdl2-dev"
vulkan="libvulkan-dev mesa-vulkan-drivers"
window="xvfb weston libxcb1-dev libxcb-xtest0-dev"
case "${1:-}" in
demo) wanted="$build libpng-dev" ;;
test)
    wanted="$build $tool $window g++ clang libclang-rt-dev libcmocka-dev spirv-tools"
    wanted+=" $vulkan vulkan-validationlayers chromium-common"
    ;;
coverage) wanted="$build $tool $vulkan $window libcmocka-dev spirv-tools gcovr" ;;
fuzz) wanted="$build $tool libcmocka-dev spirv-tools clang libclang-rt-dev" ;;
bench) wanted="$build $tool $vulkan valgrind" ;;
corpus) wanted="$build g++ glslang-dev spirv-tools piglit" ;;
ci) wanted="clang-format-14 clang-tidy-14 gcc-mingw-w64-x86-64 wine wine64" ;; # what the checks skip where it is absent
*) sed -n '2,4s/^# //p' "$0" >&2 && exit 2 ;;
esac

installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
for package in $wanted; do
    installed "$package" || missing+=("$package")
done

# The drivers that Debian 12 lacks; without them the tests that need them are skipped, and say so.
finish() {
    case "$wanted" in
    *mesa-vulkan-drivers*)
        "$(dirname "$0")/mesa.sh" "$(dirname "$0")/../build/drivers/mesa" ||
            echo "setup.sh: no private Mesa; see above" >&2
        ;;
    esac
    exit 0
}
[ ${#missing[@]} -gt 0 ] || finish

as_root=()
if [ "$(id -u)" != 0 ]; then
    as_root=(sudo -n)
    if ! sudo -n true 2>/dev/null; then
        echo "Missing packages; as root, run: apt-get install ${missing[*]}" >&2
        exit 1
    fi
fi
apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" </dev/null
}
apt update
if [ "$1" = ci ]; then # these exist in some releases only
    known=()
    for package in "${missing[@]}"; do
        [ -z "$(apt-cache madison "$package")" ] || known+=("$package")
    done
    missing=("${known[@]}")
    [ ${#missing[@]} -gt 0 ] || finish
fi
echo "Installing: ${missing[*]}"
apt install -y --no-install-recommends "${missing[@]}" >/dev/null
finish
