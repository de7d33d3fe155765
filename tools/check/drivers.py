#!/usr/bin/env python3
"""The Vulkan drivers that the tests know, and the environment that makes a program see one of them alone.
usage: drivers.py                           # one line for each: its files, or why it is not there
       drivers.py NAME COMMAND [ARGUMENT...]  # runs the command with that driver
       drivers.py --layer NAME COMMAND...   # and with the Khronos validation layer, which judges synchronization too"""
import functools
import glob
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRIVATE = ROOT / "build/drivers/mesa"  # what tools/mesa.sh unpacked
CHROMIUM = pathlib.Path("/usr/lib/chromium/vk_swiftshader_icd.json")
FOLDERS = ("/etc/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/usr/share/vulkan/icd.d")
LAYERS = ("/etc/vulkan/explicit_layer.d", "/usr/local/share/vulkan/explicit_layer.d", "/usr/share/vulkan/explicit_layer.d")
LAYER = "VK_LAYER_KHRONOS_validation"


class Absent(Exception):
    """Why a driver or layer is not there."""


def icd(path):
    return {"VK_ICD_FILENAMES": str(path), "VK_DRIVER_FILES": str(path)}  # the loader's old and new name for it


def installed(pattern, package):
    for folder in FOLDERS:
        for path in sorted(glob.glob(f"{folder}/{pattern}")):
            return icd(path)
    raise Absent(f"no {pattern} in {', '.join(FOLDERS)}; install {package}")


@functools.lru_cache(maxsize=None)
def mesa_version():
    """(22, 3, 6) of the system's Mesa, () without it."""
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "mesa-vulkan-drivers"], capture_output=True, text=True)
    number = asked.stdout.split("-")[0].split("~")[0].split(":")[-1]
    return tuple(int(part) for part in number.split(".") if part.isdigit()) if asked.returncode == 0 else ()


def lavapipe():
    """Mesa 25 or newer: the system's, or the private one."""
    if mesa_version() >= (25,):
        return installed("lvp_icd*.json", "mesa-vulkan-drivers")
    if not (PRIVATE / "env").exists():
        raise Absent(f"the system's Mesa is {'.'.join(map(str, mesa_version())) or 'absent'}, older than 25, and "
                     f"{PRIVATE.relative_to(ROOT)} is not unpacked; run tools/setup.sh test")
    told = subprocess.run(["bash", "-c", '. "$0"/env && env -0', PRIVATE], capture_output=True, text=True, check=True)
    pairs = dict(line.split("=", 1) for line in told.stdout.split("\0") if "=" in line)
    return {name: pairs[name] for name in ("LD_LIBRARY_PATH", "VK_ICD_FILENAMES", "VK_DRIVER_FILES")}


def mesa22():
    """Debian 12's own lavapipe, without descriptor indexing."""
    if mesa_version()[:1] != (22,):
        raise Absent(f"the system's Mesa is {'.'.join(map(str, mesa_version())) or 'absent'}, not the 22.3 of Debian 12")
    return installed("lvp_icd*.json", "mesa-vulkan-drivers")


def swiftshader():
    if not CHROMIUM.exists():
        raise Absent(f"no {CHROMIUM}; install chromium-common")
    return icd(CHROMIUM)


def nvidia():
    """A real GPU with NVIDIA's driver; no test is registered for it, tests/tool/conform_vulkan.py takes its name."""
    return installed("nvidia_icd*.json", "NVIDIA's driver")


DRIVERS = {"lavapipe": lavapipe, "swiftshader": swiftshader, "mesa22": mesa22, "nvidia": nvidia}


def find(name):
    """The environment to add for a driver; raises Absent."""
    return DRIVERS[name]()


def layer(settings):
    """The environment to add for the Khronos layer, whose settings go to the file `settings`; its messages go to stderr."""
    if not any(glob.glob(f"{folder}/VkLayer_khronos_validation.json") for folder in LAYERS):
        raise Absent("no VkLayer_khronos_validation.json; install vulkan-validationlayers")
    text = "".join(f"khronos_validation.{line}\n" for line in (
        "debug_action = VK_DBG_LAYER_ACTION_LOG_MSG",
        "report_flags = error,warn,perf",
        "log_filename = /dev/stderr",
        "enable_message_limit = false",
        "duplicate_message_limit = 0",
        "enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT",
    ))
    pathlib.Path(settings).write_text(text, encoding="utf-8")
    return {"VK_INSTANCE_LAYERS": LAYER, "VK_LAYER_SETTINGS_PATH": str(settings)}


def show():
    for name in DRIVERS:
        try:
            found = find(name)
        except Absent as why:
            print(f"{name}: absent: {why}")
        else:
            print(f"{name}: {' '.join(f'{key}={value}' for key, value in found.items())}")


def main():
    words = sys.argv[1:]
    if not words:
        return show()
    with_layer = words[0] == "--layer"
    words = words[with_layer:]
    if len(words) < 2 or words[0] not in DRIVERS:
        sys.exit(__doc__)
    try:
        environment = {**os.environ, **find(words[0])}
        if with_layer:
            (ROOT / "build/drivers").mkdir(parents=True, exist_ok=True)
            environment.update(layer(ROOT / "build/drivers/vk_layer_settings.txt"))
    except Absent as why:
        sys.exit(f"{words[0]}: absent: {why}")
    os.execvpe(words[1], words[1:], environment)


if __name__ == "__main__":
    sys.exit(main())
