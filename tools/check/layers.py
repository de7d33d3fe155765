#!/usr/bin/env python3
"""Fails when an #include points up or across the layers of docs/ARCHITECTURE.md. usage: layers.py ROOT"""
import pathlib
import re
import sys

# layer: what it may include besides itself and the public headers
ALLOWED = {
    "base": set(),
    "shader": {"base"},
    "hal": {"base"},
    "core": {"base", "hal", "shader"},
    "frame": {"base"},  # a client of core's public API
    "backends": {"base", "hal", "shader"},
}
HOSTS = ("tools", "examples")  # use the public headers only
NATIVE = re.compile(r"(vulkan|volk|d3d1[12]|dxgi|Metal|webgpu|GL|GLES\d?|EGL|epoxy|windows|X11|xcb|wayland-\w+)[/.]")
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')


def includes(path):
    """(line number, is quoted, name) of each #include in a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(1) == '"', found.group(2)


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in {".c", ".h", ".m", ".cpp"})


def unit(path):
    """(layer, backend) of a path relative to src/."""
    layer = path.parts[0]
    return layer, path.parts[1] if layer == "backends" and len(path.parts) > 2 else ""


def check_layers(src):
    for path in sources(src):
        here = path.relative_to(src)
        layer, backend = unit(here)
        for number, quoted, name in includes(path):
            where = f"src/{here}:{number}: {name}: "
            if not quoted or name.startswith("weft/"):
                system = layer == "base" and here.stem.endswith("_win32") and name == "windows.h"
                if NATIVE.match(name) and layer != "backends" and not system:
                    yield where + "native header outside backends"
                continue
            beside = (path.parent / name).resolve()
            if not beside.exists() and not (src / name).exists():
                continue  # generated at build time, into the target's own folder
            target = beside if beside.exists() else src / name
            other, other_backend = unit(target.relative_to(src))
            if other not in ALLOWED:
                yield where + "not a layer"
            elif other != layer and other not in ALLOWED[layer]:
                yield where + f"{layer} may not include {other}"
            elif other == layer == "backends" and other_backend != backend:
                yield where + "a backend may not include another"


def check_host(root, host):
    """A host includes system headers, <weft/...> and files of its own folder."""
    src = root / "src"
    for path in sources(root / host):
        for number, quoted, name in includes(path):
            beside = (path.parent / name).resolve()
            if quoted and (src in beside.parents or (src / name).exists() and not beside.exists()):
                yield f"{path.relative_to(root)}:{number}: {name}: hosts use public headers only"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    if not sources(root / "src"):
        sys.exit(f"layers: no C files below {root / 'src'}")
    problems = list(check_layers(root / "src"))
    problems += [problem for host in HOSTS for problem in check_host(root, host)]
    print("\n".join(problems) if problems else "layers: clean")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
