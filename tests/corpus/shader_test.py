"""Reads the .shader_test files of piglit and says which of them are worth running."""
import glob
import os
import re

ROOTS = "/usr/lib/*/piglit"  # where Debian's package lies, by architecture
FOLDERS = ("generated_tests", "tests")
STAGES = ("vertex", "fragment", "compute")


class NotApplicable(Exception):
    """The test asks for what Vulkan or its compiler has not. Args: a key of reasons.REASONS, detail."""


class ShaderTest:
    """One file: requirements, shaders by stage, vertex data and the lines of its [test] section."""

    def __init__(self, root, name):
        self.name = name
        with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
            self.sections = split_sections(file.read())
        self.require = [line for line in clean_lines(self.text("require")) if line]
        self.vertex_data = self.text("vertex data")
        self.commands = [line for line in clean_lines(self.text("test")) if line]

    def text(self, heading):
        return "\n".join(body for head, body in self.sections if head == heading)

    def headings(self):
        return [head for head, _ in self.sections]

    def shaders(self, stage):
        """The texts of all shaders of a stage: GL links several into one."""
        return [body for head, body in self.sections if head == stage + " shader"]

    def required(self, pattern):
        """The first match of a pattern in the requirements."""
        for line in self.require:
            match = re.match(pattern, line)
            if match:
                return match
        return None


def split_sections(text):
    sections = []
    for line in text.split("\n"):
        head = re.match(r"\[([a-z][a-z ]*)\]\s*$", line)
        if head:
            sections.append((head.group(1), []))
        elif sections:
            sections[-1][1].append(line)
    return [(head, "\n".join(body)) for head, body in sections]


def clean_lines(text):
    return [" ".join(line.split("#")[0].split()) for line in text.split("\n")]


def find_root():
    for root in glob.glob(ROOTS):
        if os.path.isdir(os.path.join(root, FOLDERS[0])):
            return root
    return None


def find_all(root):
    """Names of all shader tests, relative to the root."""
    names = []
    for folder in FOLDERS:
        for path, _, files in os.walk(os.path.join(root, folder)):
            names += [os.path.relpath(os.path.join(path, file), root)
                      for file in files if file.endswith(".shader_test")]
    return sorted(names)


def is_attribute_permutation(name):
    """The 18,600 tests of vertex inputs, alike but for the types and their order."""
    return "vs_in" in name


def is_worthwhile(test):
    """Only stages that Weft has, and something to probe."""
    if not any(re.match(r"(relative )?probe ", line) for line in test.commands):
        return False
    stages = [head for head in test.headings() if " shader" in head or head.endswith("program")]
    return all(head.split()[0] in STAGES and not head.endswith("program") for head in stages
               if head != "shader include")


def find_worthwhile(root, names=None):
    for name in names or find_all(root):
        if not is_attribute_permutation(name):
            test = ShaderTest(root, name)
            if is_worthwhile(test):
                yield test
