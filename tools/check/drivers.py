#!/usr/bin/env python3
"""The Vulkan drivers that the tests know, and the environment that makes a program see one of them alone.
usage: drivers.py                           # one line for each: its files, or why it is not there
       drivers.py [--layer NAME] [--families FOLDER] DRIVER COMMAND [ARGUMENT...]   # runs the command with that driver

--layer puts the Khronos validation layer between, with synchronization validation: `debian` is that of
vulkan-validationlayers, `chromium` the newer one that comes with chromium-common. Its messages go to stderr.
--families puts the layer of tests/families below that, out of its build folder: the device seems to have three
queue families."""
import functools
import glob
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = ROOT / "build/drivers"  # what tools/mesa.sh unpacked, and what is written here
CHROMIUM = pathlib.Path("/usr/lib/chromium")
FOLDERS = ("/etc/vulkan", "/usr/local/share/vulkan", "/usr/share/vulkan")
LAYER = "VK_LAYER_KHRONOS_validation"
FAMILIES = "VK_LAYER_WEFT_families"


class Absent(Exception):
    """Why a driver or a layer is not there."""


# ---- drivers ---------------------------------------------------------------------------------------------------

def icd(path):
    return {"VK_ICD_FILENAMES": str(path), "VK_DRIVER_FILES": str(path)}  # the loader's old and new name for it


def installed(kind, pattern, package):
    """The first of the system's manifests that fits."""
    for folder in FOLDERS:
        for path in sorted(glob.glob(f"{folder}/{kind}/{pattern}")):
            return path
    raise Absent(f"no {pattern} in {kind} of {', '.join(FOLDERS)}; install {package}")


@functools.lru_cache(maxsize=None)
def mesa_version():
    """(22, 3, 6) of the system's Mesa, () without it."""
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "mesa-vulkan-drivers"], capture_output=True, text=True)
    number = asked.stdout.split("-")[0].split("~")[0].split(":")[-1]
    return tuple(int(part) for part in number.split(".") if part.isdigit()) if asked.returncode == 0 else ()


def system_mesa():
    return "the system's Mesa is " + (".".join(map(str, mesa_version())) or "absent")


def lavapipe():
    """Mesa 25 or newer: the system's, or the private one."""
    if mesa_version() >= (25,):
        return icd(installed("icd.d", "lvp_icd*.json", "mesa-vulkan-drivers"))
    private = OWN / "mesa/env"
    if not private.exists():
        raise Absent(f"{system_mesa()}, older than 25, and there is no {private}; run tools/setup.sh test")
    told = subprocess.run(["bash", "-c", '. "$0" && env -0', private], capture_output=True, text=True, check=True)
    pairs = dict(line.split("=", 1) for line in told.stdout.split("\0") if "=" in line)
    return {name: pairs[name] for name in ("LD_LIBRARY_PATH", "VK_ICD_FILENAMES", "VK_DRIVER_FILES")}


def mesa22():
    """Debian 12's own lavapipe, without descriptor indexing."""
    if mesa_version()[:1] != (22,):
        raise Absent(f"{system_mesa()}, not the 22.3 of Debian 12")
    return icd(installed("icd.d", "lvp_icd*.json", "mesa-vulkan-drivers"))


def swiftshader():
    path = CHROMIUM / "vk_swiftshader_icd.json"
    if not path.exists():
        raise Absent(f"no {path}; install chromium-common")
    return icd(path)


def nvidia():
    """A real GPU. No test is registered for it: conform_verdicts.py takes its name by hand."""
    return icd(installed("icd.d", "nvidia_icd*.json", "NVIDIA's driver"))


DRIVERS = {"lavapipe": lavapipe, "swiftshader": swiftshader, "mesa22": mesa22, "nvidia": nvidia}


def find(name):
    """The environment to add for a driver; raises Absent."""
    return DRIVERS[name]()


# ---- the layer -------------------------------------------------------------------------------------------------

def debian_layer():
    """(manifest, whether it is of the kind that has a setting for each check)."""
    path = pathlib.Path(installed("explicit_layer.d", "VkLayer_khronos_validation.json", "vulkan-validationlayers"))
    version = json.loads(path.read_text(encoding="utf-8"))["layer"]["api_version"]
    return path, tuple(map(int, version.split("."))) >= (1, 3, 280)


def chromium_layer():
    """Chromium ships the layer without a manifest."""
    library = CHROMIUM / "libVkLayer_khronos_validation.so"
    if not library.exists():
        raise Absent(f"no {library}; install chromium-common")
    extensions = {"VK_EXT_debug_report": 9, "VK_EXT_debug_utils": 1, "VK_EXT_validation_features": 2,
                  "VK_EXT_layer_settings": 2}
    manifest = {"file_format_version": "1.2.0", "layer": {
        "name": LAYER, "type": "GLOBAL", "library_path": str(library), "api_version": "1.4.0",
        "implementation_version": "1", "description": "Khronos validation layer, as Chromium ships it",
        "instance_extensions": [{"name": name, "spec_version": str(of)} for name, of in extensions.items()]}}
    path = OWN / "layer/VkLayer_khronos_validation.json"
    replace(path, json.dumps(manifest))
    return path, True


LAYERS = {"debian": debian_layer, "chromium": chromium_layer}


def replace(path, text):
    """Writes a file that other processes may be reading."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def layer(name):
    """The environment to add for a layer; raises Absent."""
    manifest, is_new = LAYERS[name]()
    lines = ["debug_action = VK_DBG_LAYER_ACTION_LOG_MSG", "report_flags = error,warn,perf", "log_filename = /dev/stderr",
             "enable_message_limit = false",
             "validate_sync = true" if is_new else "enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT"]
    settings = OWN / f"layer/{name}.txt"
    replace(settings, "".join(f"khronos_validation.{line}\n" for line in lines))
    added = {"VK_INSTANCE_LAYERS": LAYER, "VK_LAYER_PATH": str(manifest.parent)}
    others = {key: f"{value}:{os.environ[key]}" for key, value in added.items() if os.environ.get(key)}
    return {**added, **others, "VK_LAYER_SETTINGS_PATH": str(settings)}


def below(folder, above):
    """The environment with which the layer of tests/families lies below what another one asks for."""
    return {name: ":".join(filter(None, (above.get(name), value)))
            for name, value in (("VK_INSTANCE_LAYERS", FAMILIES), ("VK_LAYER_PATH", folder))}


def environment(driver, khronos=None, families=None):
    """What to add for a driver and layers; raises Absent."""
    added = layer(khronos) if khronos else {}
    if families:
        added.update(below(families, added))
    return {**added, **find(driver)}


# ---- the command -----------------------------------------------------------------------------------------------

def show(table, make):
    for name in table:
        try:
            print(f"{name}: {' '.join(f'{key}={value}' for key, value in make(name).items())}")
        except Absent as why:
            print(f"{name}: absent: {why}")


def main():
    words = sys.argv[1:]
    if not words:
        show(DRIVERS, find)
        return print("layers") or show(LAYERS, layer)
    added, options = {}, {}
    while len(words) > 1 and words[0] in ("--layer", "--families"):
        options[words[0]] = words[1]
        words = words[2:]
    if len(words) < 2 or words[0] not in DRIVERS or options.get("--layer", "debian") not in LAYERS:
        sys.exit(__doc__)
    try:
        added = environment(words[0], options.get("--layer"), options.get("--families"))
    except Absent as why:
        sys.exit(f"absent: {why}")
    os.execvpe(words[1], words[1:], {**os.environ, **added})


if __name__ == "__main__":
    sys.exit(main())
