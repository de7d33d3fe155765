#!/usr/bin/env python3
"""Runs piglit's shader tests on Weft's software device.

usage: corpus.py [--programs FOLDER] [--every N] [--only REGEX] [--jobs N] [--threads N] [--list]
                 [--write FILE] [--verdicts FILE]

Every shader is translated to Vulkan's GLSL and compiled by glslang, the runner lays out the
interface itself, and corpus_stage draws. Exit code 1 if a test fails that explained.py does not know.
"""
import argparse
import multiprocessing
import os
import re
import sys
import traceback

import report
import shader_test
from glslang import Compiler
from program import Program
from scene import Scene
from shader_test import NotApplicable
from stage import Failure, Stage

SECONDS = 60  # for one test


class Worker:
    """One process's compiler and stage."""
    current = None

    def __init__(self, options, root):
        self.root = root
        self.compiler = Compiler(os.path.join(options.programs, "corpus_compile"), options.cache)
        self.stage = Stage(os.path.join(options.programs, "corpus_stage"), SECONDS, options.threads)

    def run(self, test):
        """(verdict, detail): passed, failed or not applicable."""
        try:
            program = Program(test, self.compiler)
            self.stage.play(Scene(test, program).script)
            return "passed", ""
        except NotApplicable as refusal:
            return "n/a " + refusal.args[0], refusal.args[1]
        except Failure as failure:
            return "failed", str(failure)
        except Exception:  # a mistake of the runner is a failure, too
            return "failed", "runner: " + traceback.format_exc().strip().replace("\n", " | ")[-400:]


def start_worker(options, root):
    Worker.current = Worker(options, root)


def run_one(name):
    worker = Worker.current
    return (name, *worker.run(shader_test.ShaderTest(worker.root, name)))


def parse_options():
    folder = os.path.dirname(os.path.abspath(__file__))
    build = os.path.join(folder, "..", "..", "build")
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", default=os.path.join(build, "corpus", "tests", "corpus"),
                        help="folder of corpus_compile and corpus_stage")
    parser.add_argument("--cache", default=os.path.join(build, "corpus", "shaders"), help="compiled shaders")
    parser.add_argument("--every", type=int, default=1, help="run only every n-th test")
    parser.add_argument("--only", default="", help="run only tests with this regular expression in their name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--threads", type=int, default=1, help="of each test's device")
    parser.add_argument("--list", action="store_true", help="print the names of the worthwhile tests")
    parser.add_argument("--write", help="write the table to this file")
    parser.add_argument("--verdicts", help="write a line for each test to this file")
    return parser.parse_args()


def main():
    options = parse_options()
    root = shader_test.find_root()
    if not root:
        sys.exit("piglit is not installed (tools/setup.sh corpus)")
    names = [name for name in shader_test.find_all(root) if re.search(options.only, name)]
    names = [test.name for test in shader_test.find_worthwhile(root, names)][::options.every]
    if options.list:
        print("\n".join(names))
        return 0
    os.makedirs(options.cache, exist_ok=True)
    results = []
    with multiprocessing.Pool(options.jobs, start_worker, (options, root)) as pool:
        for result in pool.imap_unordered(run_one, names, chunksize=4):
            results.append(result)
            if sys.stderr.isatty():
                print(f"\r{len(results)}/{len(names)}", end="", file=sys.stderr)
    results.sort()
    return report.finish(results, options)


if __name__ == "__main__":
    sys.exit(main())
