#!/usr/bin/env python3
"""The conformance suite ends as it must on the devices that are always there: a case that turns from passed into refused,
because the device lost a feature, is a failure here. usage: conform_verdicts.py WEFT BACKEND [OPTION...]

The options go to `weft conform`."""
import json
import subprocess
import sys

# The cases that a device refuses; docs/conformance.md tells why. All others pass.
REFUSED = {
    "software": set(),
    "noop": {"depth_format/linear", "sample_compare/linear", "surface/lost_with_a_frame_acquired"},
}


def main():
    weft, backend, *options = sys.argv[1:]
    done = subprocess.run([weft, "conform", "--backend", backend, "--json", *options], stdout=subprocess.PIPE, text=True)
    records = json.loads(done.stdout) if done.stdout else []
    bad = 0
    for record in records:
        wanted = "refused" if record["name"] in REFUSED[backend] else "pass"
        if (record["backend"], record["result"]) != (backend, wanted):
            bad += 1
            print(f"{record['name']}: {record['result']} on {record['backend']}, not {wanted}: {record['reason']}")
    print(f"{len(records)} cases on {backend}: {bad} not as they must be; exit code {done.returncode}")
    return bad > 0 or not records or done.returncode != 0


if __name__ == "__main__":
    sys.exit(main())
