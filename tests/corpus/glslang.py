"""Compiles GLSL with glslangValidator, and keeps what it made."""
import hashlib
import os
import re
import subprocess

from shader_test import NotApplicable

# piglit expects min() and max() to prefer numbers, which is left open; tests about that say so.
NAN_TESTS = re.compile(r"nan|not_a_number", re.I)
OPTIONS = ["-V", "-R", "--target-env", "vulkan1.3", "--auto-map-locations", "--auto-map-bindings"]
SUFFIX = {"vertex": "vert", "fragment": "frag", "compute": "comp"}


class Compiler:
    """One per process: it owns a folder for the files of one call."""

    def __init__(self, cache):
        self.cache = cache
        self.folder = os.path.join(cache, f"work-{os.getpid()}")
        os.makedirs(self.folder, exist_ok=True)

    def compile(self, stage, texts):
        """SPIR-V of the linked shaders of one stage; NotApplicable with glslang's first error."""
        options = OPTIONS + ["--nan-clamp"] * bool(NAN_TESTS.search("".join(texts)))
        key = hashlib.sha256("\0".join([stage] + options + texts).encode()).hexdigest()
        path = os.path.join(self.cache, key[:2], key[2:])
        if not os.path.exists(path + ".spv") and not os.path.exists(path + ".txt"):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            self.run(stage, options, texts, path)
        if os.path.exists(path + ".txt"):
            with open(path + ".txt", encoding="utf-8") as file:
                raise NotApplicable("glslang", file.read())
        with open(path + ".spv", "rb") as file:
            return file.read()

    def run(self, stage, options, texts, path):
        sources = []
        for number, text in enumerate(texts):
            sources.append(os.path.join(self.folder, f"{number}.{SUFFIX[stage]}"))
            with open(sources[-1], "w", encoding="utf-8") as file:
                file.write(text)
        output = os.path.join(self.folder, "out.spv")
        done = subprocess.run(["glslangValidator", *options, *sources, "-o", output],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        if done.returncode == 0:
            os.replace(output, path + ".spv")
            return
        with open(path + ".txt", "w", encoding="utf-8") as file:
            file.write(first_error(done.stdout.decode(errors="replace"), done.returncode))


def first_error(output, code):
    for line in output.split("\n"):
        match = re.match(r"ERROR: (?:\S*:\d+: )?(.*)", line)
        if match:
            return match.group(1).strip()
    return f"glslangValidator ended with {code}"
