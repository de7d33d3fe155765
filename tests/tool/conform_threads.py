#!/usr/bin/env python3
"""The conformance suite passes with any number of threads, with the same verdict of every case and the same hash of what
it reads back. Outside of the hash are what a racing exchange of integers returned, times, and what is compared with the
one right value anyway: see docs/conformance.md.
usage: conform_threads.py WEFT"""
import json
import subprocess
import sys


def outcomes(weft, threads):
    """The (result, hash) of every case. Fails if one of them failed."""
    done = subprocess.run([weft, "conform", "--backend", "software", "--json", "--threads", str(threads)],
                          stdout=subprocess.PIPE, text=True)
    records = json.loads(done.stdout) if done.stdout else []
    for record in records:
        if record["result"] == "fail":
            print(f"{record['name']} fails on {threads} threads: {record['reason']}")
    if done.returncode != 0:
        sys.exit(f"weft conform --threads {threads}: exit code {done.returncode}")
    return {record["name"]: (record["result"], record["hash"]) for record in records}


def main():
    weft = sys.argv[1]
    first = outcomes(weft, 1)
    bad = 0
    for threads in (2, 7, 16):
        other = outcomes(weft, threads)
        for name in sorted(first.keys() | other.keys()):
            if other.get(name) != first.get(name):
                bad += 1
                print(f"{name}: {first.get(name)} on 1 thread, {other.get(name)} on {threads}")
    print(f"{len(first)} cases on 1, 2, 7 and 16 threads: {bad} differ")
    return bad > 0 or not first


if __name__ == "__main__":
    sys.exit(main())
