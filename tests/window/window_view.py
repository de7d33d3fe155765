#!/usr/bin/env python3
"""Runs `weft view` on a display and compares what the display shows with what `weft render` draws.
usage: window_view.py [--driver NAME] DISPLAY WEFT PROBE SCRATCH [NAME...]
DISPLAY and --driver are as display.py has them, PROBE is test_window_probe."""
import pathlib
import subprocess
import sys
import time

import display

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tool"))
from picture import Picture  # noqa: E402

TESTS = {"x11": {}, "wayland": {}}
PATIENCE_S = 40
KEYS = {"f": 0x66, "s": 0x73, "escape": 0xff1b}
# A driver may not draw the same into two formats of surfaces.
DRIVER_TOLERANCE = 2


def test(kind):
    def register(function):
        TESTS[kind][function.__name__] = function
        return function
    return register


def read_ppm(path):
    """(width, height, bytes)"""
    kind, size, most, texels = path.read_bytes().split(b"\n", 3)
    assert kind == b"P6" and most == b"255", (kind, most)
    width, height = map(int, size.split())
    assert len(texels) == width * height * 3
    return width, height, texels


def read_png(path):
    picture = Picture(path)
    step = picture.channels
    texels = b"".join(bytes(c for i, c in enumerate(row) if i % step < 3) for row in picture.rows)
    return picture.width, picture.height, texels


def equal(a, b, tolerance=DRIVER_TOLERANCE):
    return a[:2] == b[:2] and (a[2] == b[2] or
                               (tolerance > 0 and max(abs(x - y) for x, y in zip(a[2], b[2])) <= tolerance))


def without_pointer(picture):
    """Without the place where the compositor draws its mouse pointer."""
    width, height, texels = picture
    texels = bytearray(texels)
    for y in range(90, 130):
        texels[(y * width + 90) * 3:(y * width + 130) * 3] = bytes(120)
    return width, height, bytes(texels)


def wait_for(what, check):
    """The first true value of `check`, which may fail as well until it does not."""
    end, last = time.monotonic() + PATIENCE_S, None
    while time.monotonic() < end:
        try:
            value = check()
            if value:
                return value
        except subprocess.CalledProcessError as error:
            last = error
        time.sleep(0.05)
    raise AssertionError(f"{what}: not within {PATIENCE_S} s; {last}")


class View:
    """A running `weft view`, with what it says."""

    def __init__(self, stage, *arguments):
        self.stage = stage
        self.child = subprocess.Popen([stage.weft, "view", "--backend", stage.backend, *map(str, arguments)], env=stage.env,
                                      cwd=stage.scratch, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.child.poll() is None:
            self.child.kill()
        out, err = self.child.communicate()
        if kind:
            print(f"it said: {out}{err}")

    def ends(self):
        """Well, and without a word on stderr; returns what is on stdout."""
        out, err = self.child.communicate(timeout=PATIENCE_S)
        assert self.child.returncode == 0 and err == "", (self.child.returncode, err)
        return out


class Stage:
    def __init__(self, env, weft, probe, scratch):
        self.env, self.weft, self.scratch = env, weft, scratch
        self.probe_program = probe
        self.backend = env.get("WEFT_TEST_BACKEND", "software")

    def same(self, a, b):
        """The software device draws to windows what it draws to files."""
        return equal(a, b, 0 if self.backend == "software" else DRIVER_TOLERANCE)

    def probe(self, *arguments):
        return subprocess.run([self.probe_program, *map(str, arguments)], env=self.env, check=True, timeout=30,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout

    def grab(self):
        """What the X server shows of the window."""
        path = self.scratch / "grab.ppm"
        self.probe("grab", path)
        return read_ppm(path)

    def screenshot(self):
        """What the compositor shows."""
        for old in self.scratch.glob("wayland-screenshot-*.png"):
            old.unlink()
        subprocess.run(["weston-screenshooter"], env=self.env, cwd=self.scratch, check=True, timeout=30,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return read_png(next(self.scratch.glob("wayland-screenshot-*.png")))

    def render(self, size):
        path = self.scratch / "want.ppm"
        subprocess.run([self.weft, "render", self.model, "--backend", self.backend, "-s", size, "-o", path], check=True,
                       env=self.env, timeout=120)
        return read_ppm(path)

    @property
    def model(self):
        return pathlib.Path(__file__).resolve().parent / "model.obj"


@test("x11")
def the_window_shows_what_render_draws(stage):
    with View(stage, stage.model, "--size", "400x300", "--screenshot", "end.ppm") as view:
        want = stage.render("400x300")
        wait_for("the picture", lambda: stage.same(stage.grab(), want))
        title = stage.probe("title")
        assert "model.obj" in title and " fps, " in title and stage.backend in title and "triangles" in title, title
        for size in ("517x291", "200x350", "640x480"):
            want = stage.render(size)
            stage.probe("resize", *size.split("x"))
            wait_for(f"the picture of {size}", lambda: stage.same(stage.grab(), want))
        stage.probe("close")
        assert view.ends() == ""
    assert stage.same(read_ppm(stage.scratch / "end.ppm"), want)


def changes(stage, what, action):
    """Does something to the window that changes what it shows; returns that."""
    before = stage.grab()
    action()
    return wait_for(what, lambda: (after := stage.grab()) != before and after)


@test("x11")
def the_camera_is_moved_by_hand(stage):
    with View(stage, stage.model, "--size", "300x200") as view:
        want = stage.render("300x200")
        wait_for("the picture", lambda: stage.same(stage.grab(), want))
        changes(stage, "turning", lambda: stage.probe("drag", 1, 60, 20))
        changes(stage, "moving", lambda: stage.probe("drag", 3, 30, -20))
        changes(stage, "zooming", lambda: stage.probe("wheel", 3))
        changes(stage, "the whole model", lambda: stage.probe("key", KEYS["f"]))
        stage.probe("key", KEYS["s"])
        written = stage.scratch / "weft-0001.png"
        wait_for("the screenshot", written.exists)
        assert stage.same(read_png(written), stage.grab())
        stage.probe("key", KEYS["escape"])
        assert view.ends() == "weft-0001.png\n"


@test("x11")
def a_window_that_was_hidden_comes_back(stage):
    with View(stage, stage.model, "--size", "300x200") as view:
        want = stage.render("300x200")
        wait_for("the picture", lambda: stage.same(stage.grab(), want))
        stage.probe("hide")
        time.sleep(0.5)
        stage.probe("show")
        wait_for("the picture again", lambda: stage.same(stage.grab(), want))
        stage.probe("close")
        view.ends()


@test("x11")
def a_window_is_dragged_to_many_sizes_while_it_draws(stage):
    with View(stage, stage.model, "--size", "300x200", "--frames", 1000000) as view:
        wait_for("the window", lambda: stage.probe("size"))
        for i in range(40):
            stage.probe("resize", 200 + 13 * (i % 17), 150 + 11 * (i % 13))
        size = "333x222"
        stage.probe("resize", *size.split("x"))
        want = stage.render(size)
        wait_for("the picture", lambda: stage.same(stage.grab(), want))
        stage.probe("close")
        view.ends()


def frames_end_by_themselves(stage):
    with View(stage, "--size", "160x120", "--frames", 4) as view:  # the model of its own
        assert view.ends() == ""


@test("wayland")
def the_compositor_shows_what_render_draws(stage):
    with View(stage, stage.model, "--size", "300x200") as view:  # it makes the window as large as the screen
        want = without_pointer(stage.render("640x480"))
        wait_for("the picture", lambda: stage.same(without_pointer(stage.screenshot()), want))
        assert view.child.poll() is None


for kind in TESTS:
    test(kind)(frames_end_by_themselves)


def run(stage, tests):
    failed = 0
    for function in tests:
        try:
            function(stage)
            print(f"ok     {function.__name__}")
        except (AssertionError, subprocess.SubprocessError) as problem:
            failed += 1
            print(f"FAILED {function.__name__}: {problem!r}")
    return failed > 0


def main():
    try:
        with display.opened(sys.argv[1:]) as (env, words):
            weft, probe, scratch = (pathlib.Path(word).resolve() for word in words[:3])
            scratch.mkdir(parents=True, exist_ok=True)
            for old in scratch.glob("*"):
                old.unlink()
            tests = TESTS["wayland" if "WAYLAND_DISPLAY" in env else "x11"]
            return run(Stage(env, weft, probe, scratch), [tests[name] for name in words[3:] or tests])
    except display.drivers.Absent as absent:
        print(f"skipped: {absent}")
        return display.SKIPPED


if __name__ == "__main__":
    sys.exit(main())
