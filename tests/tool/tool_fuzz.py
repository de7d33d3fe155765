#!/usr/bin/env python3
"""Changes a .glb file at random and has the tool load it: it may refuse, but never crash or hang.
usage: tool_fuzz.py WEFT MODELS SCRATCH [COUNT [SEED]]

The model is drawn on the noop device at 1x1 texels, so that nothing but the loading takes time."""
import os
import pathlib
import random
import subprocess
import sys


def mutate(data, rng):
    data = bytearray(data)
    kind = rng.randrange(4)
    if kind == 0:  # bits
        for _ in range(rng.choice((1, 1, 2, 8, 64))):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif kind == 1:  # a cut, and the length that says so or not
        data = data[:rng.randrange(len(data))]
        if rng.randrange(2) and len(data) >= 12:
            data[8:12] = len(data).to_bytes(4, "little")
    elif kind == 2:  # digits of the JSON
        digits = [i for i, byte in enumerate(data[:len(data) // 2]) if 48 <= byte < 58]
        for _ in range(rng.choice((1, 2, 4))):
            data[rng.choice(digits)] = rng.randrange(48, 58)
    else:  # bytes of interest
        for _ in range(rng.choice((1, 4))):
            at = rng.randrange(len(data) - 4)
            data[at:at + 4] = rng.choice((b"\0\0\0\0", b"\xff\xff\xff\xff", b"\0\0\xc0\x7f", b"\xff\xff\xff\x7f"))
    return bytes(data)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    weft, models, scratch = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 200
    rng = random.Random(int(sys.argv[5]) if len(sys.argv) > 5 else 1)
    scratch.mkdir(parents=True, exist_ok=True)
    originals = [p.read_bytes() for p in sorted((models / "sound").glob("*.glb")) if p.stat().st_size < 20000]
    # A sanitizer's report must not look like a refusal.
    environment = {**os.environ, "ASAN_OPTIONS": "exitcode=99", "UBSAN_OPTIONS": "exitcode=99", "TSAN_OPTIONS": "exitcode=99"}
    accepted = 0
    for number in range(count):
        case = scratch / "case.glb"
        case.write_bytes(mutate(rng.choice(originals), rng))
        try:
            done = subprocess.run([weft, "render", case, "-o", scratch / "case.png", "--size", "1x1", "--backend",
                                   "noop"], capture_output=True, timeout=60, env=environment)
            code = done.returncode
        except subprocess.TimeoutExpired:
            code = "hang"
        if code not in (0, 1):
            kept = scratch / f"crash_{number}.glb"
            kept.write_bytes(case.read_bytes())
            print(f"fuzz: case {number} ended with {code}; kept as {kept}")
            print(done.stderr.decode(errors="replace")[-2000:] if code != "hang" else "")
            return 1
        accepted += code == 0
    print(f"fuzz: {count} files, {accepted} accepted, {count - accepted} refused, none crashed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
