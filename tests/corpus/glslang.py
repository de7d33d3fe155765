"""Compiles GLSL with glslang, and keeps what it made."""
import hashlib
import os
import re
import subprocess

from child import Child, ChildError
from packages import versions
from shader_test import NotApplicable
from stage import Failure

# piglit expects min() and max() to prefer numbers, which is left open; tests about that say so. Only
# glslang's command knows how.
NAN_TESTS = re.compile(r"nan|not_a_number", re.I)
COMMAND = ["glslangValidator", "-V", "-R", "--target-env", "vulkan1.3", "--auto-map-locations",
           "--auto-map-bindings", "--nan-clamp"]
SUFFIX = {"vertex": "vert", "fragment": "frag", "compute": "comp"}
SECONDS = 60  # for one shader


class Compiler:
    """One per process: corpus_compile, and a folder for what the command needs as files."""

    def __init__(self, program, cache):
        self.child = Child(program, SECONDS)
        self.cache = cache
        with open(program, "rb") as file:  # its bytes stand for the options that it compiles with
            self.salt = versions(["glslang-dev", "glslang-tools"]) + COMMAND + [digest(file.read())]

    def compile(self, stage, texts):
        """SPIR-V of the linked shaders of one stage; NotApplicable with glslang's first error.

        Raises Failure, and keeps nothing, if glslang crashes or does not end.
        """
        nan = bool(NAN_TESTS.search("".join(texts)))
        key = digest("\0".join([*self.salt, stage, str(nan), *texts]).encode())
        path = os.path.join(self.cache, key[:2], key[2:])
        if not os.path.exists(path + ".spv") and not os.path.exists(path + ".txt"):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            code, message = self.run_command(stage, texts, path) if nan else self.ask(stage, texts)
            write_whole(path + (".spv" if code else ".txt"), code or message.encode())
        if os.path.exists(path + ".txt"):
            with open(path + ".txt", encoding="utf-8") as file:
                raise NotApplicable("glslang", file.read())
        with open(path + ".spv", "rb") as file:
            return file.read()

    def ask(self, stage, texts):
        """(SPIR-V or None, what is wrong)."""
        parts = [f"{stage} {len(texts)}\n".encode()]
        for text in texts:
            parts += [f"{len(text.encode())}\n".encode(), text.encode()]
        self.child.request(b"".join(parts))
        try:
            kind, _, size = self.child.line().partition(" ")
            data = self.child.bytes(int(size))
        except ChildError as error:
            raise Failure(f"glslang: {error}") from None
        if kind == "spirv":
            return data, ""
        return None, first_error(data.decode(errors="replace"))

    def run_command(self, stage, texts, path):
        sources = [f"{path}-{os.getpid()}-{number}.{SUFFIX[stage]}" for number in range(len(texts))]
        output = f"{path}-{os.getpid()}.out"
        try:
            for source, text in zip(sources, texts):
                write_whole(source, text.encode())
            done = subprocess.run([*COMMAND, *sources, "-o", output], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
            if done.returncode < 0:
                raise Failure(f"glslang: crash: the process ended with {done.returncode}")
            if done.returncode > 0:
                return None, first_error(done.stdout.decode(errors="replace"))
            with open(output, "rb") as file:
                return file.read(), ""
        except subprocess.TimeoutExpired:
            raise Failure(f"glslang: hangs: no end after {SECONDS} s") from None
        finally:
            for name in filter(os.path.exists, [*sources, output]):
                os.remove(name)


def digest(data):
    return hashlib.sha256(data).hexdigest()


def write_whole(path, data):
    """No other process sees a part of the file."""
    part = f"{path}.{os.getpid()}"
    with open(part, "wb") as file:
        file.write(data)
    os.replace(part, path)


def first_error(output):
    for line in output.split("\n"):
        match = re.match(r"ERROR: (?:\S*:\d+: )?(.*)", line)
        if match:
            return match.group(1).strip()
    return "glslang ended without a message"
