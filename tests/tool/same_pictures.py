#!/usr/bin/env python3
"""The weft command draws the same picture on a backend as on the software device: the root of the mean square of the
differences is below 1/255, and at most 0.1 % of the texels are off by more than 8/255 where the software device's
picture is smooth (3x3 texels within 16/255). Where a driver's edges are coarse, the mean may be larger.
usage: same_pictures.py [--driver DRIVER] [--demo PROGRAM] WEFT BACKEND SCRATCH MODEL...

DRIVER is one of tools/check/drivers.py. PROGRAM is the demo, which draws as well. Exit code 77: no such driver."""
import argparse
import os
import pathlib
import subprocess
import sys

from picture import Picture, compare

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/check"))
import drivers  # noqa: E402

RMS, OFF = 1.0, 0.001
COARSE = {"swiftshader": 2.0}  # its edges lie on sixteenths of a texel, those of the others on 256ths
DEVICE_NAME = (0.75, 0.9, 1.0, 0.97)  # where the demo says what drew it: left, top, right, bottom
SIZE = "400x300"


def draw(options, model, backend, environment):
    """The picture of a model, or of the demo, which is its own model."""
    out = pathlib.Path(options.scratch) / f"{pathlib.Path(model).stem}_{backend}.png"
    command = [options.weft, "render", model, "-o", out, "--size", SIZE, "--backend", backend, "--quiet"]
    if model == options.demo:
        command = [model, out, backend]
    subprocess.run(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, check=True, timeout=300)
    return Picture(out)


def judge(options, model, environment):
    """Whether it is near enough; prints how near."""
    try:
        reference = draw(options, model, "software", {})
        picture = draw(options, model, options.backend, environment)
        if model == options.demo:
            picture.take(reference, DEVICE_NAME)
        rms, off = compare(picture, reference)
    except (subprocess.SubprocessError, AssertionError) as why:
        print(f"FAILED {pathlib.Path(model).name}: {why!r}")
        return False
    fine = rms < COARSE.get(options.driver, RMS) and off <= OFF
    print(f"{'ok    ' if fine else 'FAILED'} {pathlib.Path(model).name}: RMS {rms:.3f}/255, {100 * off:.3f} % off where it "
          "is smooth")
    return fine


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", choices=sorted(drivers.DRIVERS))
    parser.add_argument("--demo")
    parser.add_argument("weft")
    parser.add_argument("backend")
    parser.add_argument("scratch")
    parser.add_argument("models", nargs="*")
    options = parser.parse_args()
    try:
        environment = drivers.find(options.driver) if options.driver else {}
    except drivers.Absent as why:
        print(f"skipped: {why}")
        return 77
    pathlib.Path(options.scratch).mkdir(parents=True, exist_ok=True)
    models = [options.demo] * bool(options.demo) + options.models
    return not all([judge(options, model, environment) for model in models])


if __name__ == "__main__":
    sys.exit(main())
