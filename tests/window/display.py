#!/usr/bin/env python3
"""Runs a command on a display of its own. usage: display.py [--driver NAME] DISPLAY COMMAND...
DISPLAY is x11; x11-unshared: a server without MIT-SHM; wayland: windows fill the screen; or wayland-floating. --driver
tests the Vulkan backend on a driver of tools/check/drivers.py. 77: there is no such server, says which package has it."""
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/check"))
import drivers  # noqa: E402

SKIPPED = 77
WIDTH, HEIGHT = 2560, 2048  # of the X screen; more than one request holds
START_S, COMMAND_S = 30, 280


def need(program, package):
    path = shutil.which(program)
    if not path:
        raise drivers.Absent(f"{program} is not there; on Debian: apt-get install {package}")
    return path


@contextlib.contextmanager
def process(arguments, **options):
    """Ends with the block, in the end by force."""
    child = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, **options)
    try:
        yield child
    finally:
        child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def wait_until(done, child, what):
    end = time.monotonic() + START_S
    while not done():
        if child.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"{what} did not start")
        time.sleep(0.02)


@contextlib.contextmanager
def x11(shared=True):
    """The environment of an X server on a free number, which it chooses itself."""
    server = need("Xvfb", "xvfb")
    read, write = os.pipe()
    arguments = [server, "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp",
                 "-noreset", *([] if shared else ["-extension", "MIT-SHM"])]
    with process(arguments, pass_fds=[write], stderr=subprocess.DEVNULL):
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()  # ends when the server does
        if not number:
            raise RuntimeError("Xvfb did not start")
        env = {key: value for key, value in os.environ.items() if key not in ("WAYLAND_DISPLAY", "XAUTHORITY")}
        yield {**env, "DISPLAY": ":" + number, "SDL_VIDEODRIVER": "x11",
               "NODEVICE_SELECT": "1"}  # Mesa's layer, which looks for Wayland and complains where there is none


@contextlib.contextmanager
def wayland(shell="kiosk", width=640, height=480):
    """The environment of a compositor in an X server's window: without any screen it would have no mouse and keyboard,
    which SDL 2.26 does not survive. It takes screenshots, into the current folder, by weston-screenshooter."""
    server = need("weston", "weston")
    with x11() as x, tempfile.TemporaryDirectory(prefix="weft-wayland-") as folder:
        env = {**x, "XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "weft-test", "SDL_VIDEODRIVER": "wayland",
               "SDL_VIDEO_WAYLAND_ALLOW_LIBDECOR": "0"}  # its plugins talk on stderr
        arguments = [server, "--backend=x11-backend.so", "--use-pixman", f"--shell={shell}-shell.so", "--debug",
                     "--socket=weft-test", f"--width={width}", f"--height={height}", "--idle-time=0", "--no-config",
                     f"--log={folder}/log"]
        with process(arguments, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            wait_until(lambda: (pathlib.Path(folder) / "weft-test").exists(), child, "weston")
            env |= {"WEFT_TEST_SERVER": str(child.pid)} | ({"WEFT_TEST_FLOATING": "1"} if shell == "desktop" else {})
            del env["DISPLAY"]
            yield env


DISPLAYS = {"x11": x11, "x11-unshared": lambda: x11(shared=False), "wayland": wayland,
            "wayland-floating": lambda: wayland("desktop")}


def need_windows(driver, display):
    """SwiftShader before mid-2026 asks libwayland for functions that are inline in its headers, and calls NULL."""
    library = drivers.CHROMIUM / "libvk_swiftshader.so"
    if driver == "swiftshader" and display.startswith("wayland") and b"wl_display_create_queue" not in library.read_bytes():
        raise drivers.Absent(f"{library} crashes in vkCreateWaylandSurfaceKHR; a newer chromium-common does not")


@contextlib.contextmanager
def opened(words):
    """The environment that `[--driver NAME] DISPLAY` asks for, and the words behind it."""
    added = {}
    if words[0] == "--driver":
        added = {"WEFT_TEST_BACKEND": "vulkan", **drivers.find(words[1])}
        need_windows(words[1], words[2])
        words = words[2:]
    with DISPLAYS[words[0]]() as env:
        yield {**env, **added}, words[1:]


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the servers end, too
    try:
        with opened(sys.argv[1:]) as (env, command):
            return subprocess.run(command, env=env, timeout=COMMAND_S).returncode
    except drivers.Absent as absent:
        print(f"skipped: {absent}")
        return SKIPPED


if __name__ == "__main__":
    sys.exit(main())
