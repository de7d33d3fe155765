"""Pictures of frames are XML that any reader takes, whatever hosts call things.

Usage: tool_plans.py PROGRAM FOLDER
"""
import pathlib
import shutil
import subprocess
import sys
import xml.dom.minidom

ELEMENTS = {"svg", "g", "rect", "path", "text", "title"}


def check(path):
    text = path.read_bytes().decode("utf-8")
    root = xml.dom.minidom.parseString(text).documentElement
    assert root.tagName == "svg" and root.getAttribute("version") == "1.1", path
    assert {e.tagName for e in root.getElementsByTagName("*")} <= ELEMENTS, path
    height = int(root.getAttribute("height"))
    for box in root.getElementsByTagName("rect"):
        if "%" not in box.getAttribute("width"):
            assert int(box.getAttribute("width")) >= 0 and int(box.getAttribute("height")) >= 0, path
            assert int(box.getAttribute("y")) <= height, path
    blocks = len(root.getElementsByTagName("g"))
    assert blocks < 3000, (path, blocks, "not readable")


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    pictures = []
    for run in ("one", "two"):
        scratch = folder / run
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        subprocess.run([program, str(scratch)], check=True)
        pictures.append({p.name: p.read_bytes() for p in scratch.iterdir()})
    assert pictures[0] == pictures[1], "not the same twice"
    for path in sorted((folder / "one").iterdir()):
        check(path)
    print(len(pictures[0]), "pictures")


if __name__ == "__main__":
    main()
