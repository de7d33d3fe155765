#!/usr/bin/env python3
"""The conformance suite ends as it must on a device: a case that turns from passed into refused, because the device lost
a feature, is a failure here, and so is one that is refused for want of another capability than the one listed.
usage: conform_verdicts.py [--driver DRIVER] [--layer LAYER] [--families FOLDER] [--inserted NAME] [--evidence FILE] WEFT
           BACKEND [OPTION...]

The OPTIONs go to `weft conform`. conform_refused.txt lists what is refused. DRIVER, LAYER and FOLDER are those of
tools/check/drivers.py; each message of the layer that layer_exceptions.txt does not list is a failure. NAME is a layer
that the environment asks for. The loader passes over layers that it does not find: here, each must have been there.
FILE gets a page about the run. Exit code 77: the driver or the Khronos layer is not there."""
import argparse
import collections
import datetime
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools/check"))
import drivers  # noqa: E402


def sections(name):
    """{section: [(first word, rest of the line)]} of a text file with [section] lines and # comments."""
    found, here = collections.defaultdict(list), None
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        line = line.strip()
        if line.startswith("[") and line.endswith("]"):
            here = line[1:-1]
        elif line and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            found[here].append((word, rest.strip()))
    return found


# ---- the layer's messages ----------------------------------------------------------------------------------------

# VUID-...(ERROR / SPEC): msgNum: 501368146 - Validation Error: [ VUID-... ] text        (until 1.3.280 or so)
# Validation Error: [ VUID-... ] | MessageID = 0x1de24552                                (text on the next lines)
OLD = re.compile(r"^(\S+)\((?:ERROR|WARN|PERF|INFO|DEBUG)[^)]*\): msgNum: -?\d+ - (.*)$")
NEW = re.compile(r"^Validation (?:Error|Warning|Performance Warning)[^\[]*: \[ (\S+) \](.*)$")


def layer_messages(text):
    """[(id, text)] of what the layer logged."""
    messages, rest = [], []
    for line in text.splitlines():
        start = OLD.match(line) or NEW.match(line)
        if start:
            rest = [start.group(2)]
            messages.append((start.group(1), rest))
        elif not line.strip():
            rest = []  # of no message
        else:
            rest.append(line.strip())
    return [(name, " ".join(lines)) for name, lines in messages]


def judge_messages(messages, driver, layer):
    """Prints those that are no exception, each kind once, and returns how many kinds."""
    listed = sections("layer_exceptions.txt")
    allowed = [rule for part in ("all", driver, layer) for rule in listed[part]]
    kinds = {}
    for name, text in messages:
        if not any(fnmatch.fnmatchcase(name, pattern) and word in text for pattern, word in allowed):
            kinds.setdefault(name, []).append(text)
    for name, texts in kinds.items():
        print(f"{layer} layer: {name}, {len(texts)} times: {texts[0][:1500]}")
    return len(kinds)


def crash_of(column):
    """The case that takes the driver's process down by a fault of its own; None: there is none."""
    found = [name for name, why in sections("conform_faults.txt")[column] if why.startswith("crashes")]
    assert len(found) <= 1, f"weft conform skips one case, not {found}"
    return found[0] if found else None


# ---- the verdicts ------------------------------------------------------------------------------------------------

def judge_records(records, backend, column):
    """Prints each that is not as it must be, and returns how many."""
    refused = sections("conform_refused.txt")[column]
    faults = sections("conform_faults.txt")[column]
    bad = 0
    for record in records:
        wanted = [why for pattern, why in refused if fnmatch.fnmatchcase(record["name"], pattern)]
        fault = any(fnmatch.fnmatchcase(record["name"], pattern) for pattern, _ in faults)
        fine = record["result"] == ("fail" if fault else "refused" if wanted else "pass")
        fine = fine and (not wanted or any(why in record["reason"] for why in wanted))
        if not fine or record["backend"] != backend:
            bad += 1
            must = "fail" if fault else f"refused for {' or '.join(wanted)}" if wanted else "pass"
            print(f"{record['name']}: {record['result']} on {column}, not {must}: {record['reason']}")
    return bad


def layers_of(options):
    """The names of those that must have been there."""
    return ([options.inserted] if options.inserted else []) + ([drivers.LAYER] if options.layer else []) + \
        ([drivers.FAMILIES] if options.families else [])


def judge_layers(names, log):
    """Prints those that the loader did not insert, and returns how many."""
    absent = [name for name in names if f'Inserted device layer "{name}"' not in log]
    for name in absent:
        print(f"{name} was not there")
    return len(absent)


def run(command, environment, with_layer):
    if with_layer:
        environment = {**environment, "VK_LOADER_DEBUG": "layer"}  # so that the layers are known to be there
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, errors="replace")
    start = re.search(r"^\[", done.stdout, re.MULTILINE)  # Chromium's layer says on stdout where its log goes
    try:
        records = json.loads(done.stdout[start.start():]) if start else []
    except json.JSONDecodeError as why:
        print(f"{' '.join(command)}: {why}")
        records = []
    return records, done


def environment_of(options):
    if not options.driver:
        return {}
    try:
        return drivers.environment(options.driver, options.layer, options.families)
    except drivers.Absent as why:
        print(f"skipped: {why}")
        sys.exit(77)


def write_evidence(options, environment, records, messages):
    """A page for docs/evidence/: who was judged, and how it ended."""
    told = subprocess.run([options.weft, "info", "--backend", options.backend], env={**os.environ, **environment},
                          capture_output=True, text=True, check=True).stdout
    counts = collections.Counter(record["result"] for record in records)
    lines = [f"# The conformance suite on {options.driver or options.backend}", "",
             f"{datetime.date.today()}: {len(records)} cases, {counts['pass']} passed, {counts['fail']} failed, "
             f"{counts['refused']} refused.", ""]
    if crash_of(options.driver):
        lines += [f"Not run: {crash_of(options.driver)}, on which the driver crashes.", ""]
    if options.layer:
        lines += [f"Judged by the Khronos layer ({options.layer}'s) with synchronization validation: "
                  f"{len(messages)} messages.", ""]
    lines += ["Written by `tests/tool/conform_verdicts.py --evidence`; the device as `weft info` tells it:", ""]
    lines += [("    " + line).rstrip() for line in told.splitlines() if line.strip() and "Layer Info" not in line]
    for result in ("fail", "refused"):
        some = [record for record in records if record["result"] == result]
        if some:
            lines += ["", f"## {result.capitalize()}{'ed' if result == 'fail' else ''}", "", "| case | reason |", "| --- | --- |"]
            lines += [f"| {record['name']} | {record['reason'].replace('|', '/')} |" for record in some]
    pathlib.Path(options.evidence).write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", choices=sorted(drivers.DRIVERS))
    parser.add_argument("--layer", choices=sorted(drivers.LAYERS))
    parser.add_argument("--families", metavar="FOLDER")
    parser.add_argument("--inserted", metavar="NAME")
    parser.add_argument("--evidence", metavar="FILE")
    parser.add_argument("weft")
    parser.add_argument("backend")
    options, others = parser.parse_known_args()
    environment = environment_of(options)
    command = [options.weft, "conform", "--backend", options.backend, "--json", *others]
    if crash_of(options.driver):
        command += ["--skip", crash_of(options.driver)]
    records, done = run(command, environment, bool(layers_of(options)))
    messages = layer_messages(done.stderr)
    bad = judge_records(records, options.backend, options.driver or options.backend)
    if options.layer:
        bad += judge_messages(messages, options.driver, options.layer)
    bad += judge_layers(layers_of(options), done.stderr)
    failed = any(record["result"] == "fail" for record in records)
    if done.returncode != failed:
        quiet = [line for line in done.stderr.splitlines() if " | LAYER:" not in line and "[Loader" not in line]
        print("\n".join(quiet[-20:]))
    if options.evidence:
        write_evidence(options, environment, records, messages)
    told = f", {len(messages)} messages of the layer" if options.layer else ""
    print(f"{len(records)} cases on {options.driver or options.backend}{told}: {bad} not as they must be; "
          f"exit code {done.returncode}")
    return bad > 0 or not records or done.returncode != failed


if __name__ == "__main__":
    sys.exit(main())
