#!/bin/bash
# Fails when the stripped library is too big or needs more than libc, libm and threads. usage: size.sh LIBRARY
set -euo pipefail
limit=760000 # docs/decisions/0026-the-frame-layer-whole.md
copy=$(mktemp)
trap 'rm -f "$copy"' EXIT
strip --strip-unneeded -o "$copy" "$1"
size=$(stat -c %s "$copy")
needed=$(readelf --dynamic "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
extra=$(grep -Ev '^(libc|libm|libpthread|ld-linux.*)\.so' <<<"$needed" || true)
echo "size: $size of $limit bytes; needs" $needed
[ -z "$extra" ] || { echo "size: not allowed:" $extra; exit 1; }
[ "$size" -le "$limit" ]
