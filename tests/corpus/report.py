"""Tables of what a run came to."""
import collections

from explained import explain
from packages import versions
from reasons import REASONS

HEAD = """# The shader corpus

`make corpus` runs the shader tests of Debian's `piglit` package on the software device: GLSL for OpenGL with the pixels that
it must draw. It is off by default: the package unpacks to 2 GB. `tests/corpus/` is the runner: Python translates each shader
to what glslang takes for Vulkan and lays out its interface, `corpus_stage` draws through the public API.

Worthwhile are the tests that have only vertex, fragment and compute shaders, and something to probe, without the 18,626 tests
of vertex inputs that are alike but for types and order. `corpus.py --list` prints them.

What the runner does to a test, so that the device sees the same work as OpenGL would:

- `translate.py` makes GLSL 4.60 of every version, in which built-ins of the compatibility profile are variables of its own; the
  vertex shader's y is turned round and its z mapped from −w..w to 0..w. What glslang then rejects is tried in its own version.
- glslang compiles with relaxed rules: default uniforms become a block, whose members `program.py` finds in the SPIR-V. Locations
  and bindings are the runner's: glslang's own overlap for 64-bit inputs, and OpenGL numbers each kind of binding apart.
- `scene.py` plays the test's commands and writes a script for `corpus_stage`, which draws it on a device of its own, one thread,
  with a time limit: a crash or a hang is that test's failure. Probes compare with piglit's tolerances.

`corpus.py --only REGEX` runs some of the tests, `--every N` a sample, `--verdicts FILE` writes a line for each.
This page is written by `corpus.py --write`.
"""


def folder_of(name):
    """generated_tests/spec/glsl-1.10/... counts as spec/glsl-1.10."""
    words = name.split("/")
    return "/".join(words[1:3]) if len(words) > 3 else words[1]


class Summary:
    def __init__(self, results):
        self.folders = collections.defaultdict(collections.Counter)
        self.reasons = collections.Counter()
        self.all = collections.Counter()
        self.failed = []
        for name, verdict, detail in results:
            kind = verdict.split()[0]
            self.folders[folder_of(name)][kind] += 1
            self.all[kind] += 1
            if kind == "n/a":
                self.reasons[verdict.split()[1]] += 1
            if kind == "failed":
                self.failed.append((name, detail, explain(name)))

    def rows(self):
        """(folder, passed, failed, not applicable), the sum last."""
        for folder, counts in sorted(self.folders.items()) + [("all", self.all)]:
            yield folder, counts["passed"], counts["failed"], counts["n/a"]

    def sentence(self):
        total, judged = sum(self.all.values()), self.all["passed"] + self.all["failed"]
        return (f"Of {total:,} worthwhile tests {self.all['n/a']:,} ({100 * self.all['n/a'] / max(1, total):.1f} %) "
                f"are not applicable; of the others {self.all['passed']:,} "
                f"({100 * self.all['passed'] / max(1, judged):.2f} %) pass and {self.all['failed']:,} fail.")


def print_summary(summary):
    print(f"{'folder':48} passed failed    n/a")
    for row in summary.rows():
        print("{:48} {:6} {:6} {:6}".format(*row))
    for reason, count in summary.reasons.most_common():
        print(f"{count:6} not applicable: {REASONS[reason]}")
    for name, detail, explanation in summary.failed:
        print(f"FAILED {name}: {detail}" + (f" (known: {explanation})" if explanation else ""))
    print(summary.sentence())


def write_page(summary, path):
    packages = ", ".join(versions(["piglit", "glslang-dev"])) or "unknown packages"
    lines = [HEAD, f"With {packages}:", "", summary.sentence(), "", "| Folder | Passed | Failed | Not applicable |",
             "|---|--:|--:|--:|"]
    lines += ["| {} | {} | {} | {} |".format(*row) for row in summary.rows()]
    lines += ["", "## Why tests are not applicable", "", "| Tests | The test |", "|--:|---|"]
    lines += [f"| {count} | {REASONS[reason]} |" for reason, count in summary.reasons.most_common()]
    lines += ["", "## Failures", ""]
    by_sentence = collections.defaultdict(list)
    for name, _, explanation in summary.failed:
        by_sentence[explanation or "not looked into yet"].append(name.rsplit(".", 1)[0])
    for sentence, names in sorted(by_sentence.items()):
        lines += [f"- {sentence}:"] + [f"  `{name}`" for name in names]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def finish(results, options):
    """Prints and writes; 1 if there are failures that are not explained."""
    if options.verdicts:
        with open(options.verdicts, "w", encoding="utf-8") as file:
            file.writelines("\t".join(result) + "\n" for result in results)
    summary = Summary(results)
    print_summary(summary)
    if options.write:
        write_page(summary, options.write)
    return 1 if any(not explanation for _, _, explanation in summary.failed) else 0
