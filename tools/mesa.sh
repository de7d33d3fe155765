#!/bin/bash
# Debian 12's own lavapipe (Mesa 22.3) lacks descriptor indexing, so the tests also use the newer one of its backports:
# unpacked into a folder, with apt's own checks of what it downloads, while the system's apt sources and packages stay
# as they are. Needs no root, only that `apt-get update` ran once. On a newer Debian it does nothing: there
# mesa-vulkan-drivers itself is new enough.
# usage: mesa.sh DIR    (then `. DIR/env` in a shell that shall use it)
set -euo pipefail
[ $# = 1 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
. /etc/os-release
[ "${VERSION_CODENAME:-}" = bookworm ] || exit 0
[ ! -e "$1/env" ] || exit 0
dir=$(mkdir -p "$1" && cd "$1" && pwd)
state=$dir/apt root=$dir/root

rm -rf "$state" "$root"
mkdir -p "$state"/lists/partial "$state"/archives/partial "$root"
cp /var/lib/dpkg/status "$state/status" # so that only what is missing or older here is downloaded
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: $VERSION_CODENAME" \
    'Origin: Debian' 'Component: main' | sed -n 1p)
[ -n "$mirror" ] || { echo "mesa.sh: apt knows no $VERSION_CODENAME main: run apt-get update first" >&2; exit 1; }
printf 'deb %s %s main\n' "$mirror" "$VERSION_CODENAME" "$mirror" "$VERSION_CODENAME-backports" >"$state/sources.list"
private_apt() {
    apt-get -qq -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State="$state" -o Dir::State::status="$state/status" -o Dir::Cache="$state" \
        -o Debug::NoLocking=true -o APT::Sandbox::User=root -o Acquire::Languages=none \
        -o APT::Update::Post-Invoke-Success::= -o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false "$@"
}
private_apt update
private_apt install -y --no-install-recommends --download-only -t "$VERSION_CODENAME-backports" \
    mesa-vulkan-drivers >/dev/null
for package in "$state"/archives/*.deb; do
    dpkg-deb -x "$package" "$root"
done

icd=$(find "$root" -name 'lvp_icd*.json')
driver=$(find "$root" -name libvulkan_lvp.so)
[ -n "$icd" ] && [ -n "$driver" ] || { echo "mesa.sh: no lavapipe among the packages" >&2; exit 1; }
sed "s#\"library_path\" *: *\"[^\"]*\"#\"library_path\": \"$driver\"#" "$icd" >"$dir/lvp.json"
libraries=$(dirname "$driver")
rm -rf "$state"
cat >"$dir/env.new" <<END
export LD_LIBRARY_PATH="$libraries:${libraries/"$root/usr"/$root}\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
export VK_ICD_FILENAMES="$dir/lvp.json" VK_DRIVER_FILES="$dir/lvp.json"
END
mv "$dir/env.new" "$dir/env" # the last step: what has it is complete
echo "Unpacked Mesa from $VERSION_CODENAME-backports into $dir"
