#!/usr/bin/env python3
"""Everything that the conformance suite reads back is the same for any number of threads.
usage: conform_threads.py WEFT"""
import json
import subprocess
import sys


def hashes(weft, threads):
    done = subprocess.run([weft, "conform", "--backend", "software", "--json", "--threads", str(threads)],
                          capture_output=True, text=True)
    return {record["name"]: record["hash"] for record in json.loads(done.stdout)}


def main():
    weft = sys.argv[1]
    first = hashes(weft, 1)
    bad = 0
    for threads in (2, 7, 16):
        other = hashes(weft, threads)
        for name, value in first.items():
            if other[name] != value:
                bad += 1
                print(f"{name}: {value} on 1 thread, {other[name]} on {threads}")
    print(f"{len(first)} cases on 1, 2, 7 and 16 threads: {bad} differ")
    return bad > 0 or not first


if __name__ == "__main__":
    sys.exit(main())
