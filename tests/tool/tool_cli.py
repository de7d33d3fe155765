#!/usr/bin/env python3
"""Runs the weft command as a user does: exit codes, lines on stderr, files.
usage: tool_cli.py WEFT MODELS SCRATCH [NAME...]"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import xml.dom.minidom

TESTS = {}


def test(function):
    TESTS[function.__name__] = function
    return function


class Tool:
    """The command, the models, and a folder of the test's own."""

    def __init__(self, weft, models, scratch):
        self.weft, self.models, self.scratch = weft, models, scratch

    def run(self, *arguments, timeout=120):
        return subprocess.run([self.weft, *map(str, arguments)], capture_output=True, text=True, timeout=timeout,
                              errors="replace")

    def good(self, *arguments):
        """Succeeds without a word on stderr."""
        done = self.run(*arguments)
        assert done.returncode == 0, (arguments, done.returncode, done.stderr)
        assert done.stderr == "", (arguments, done.stderr)
        return done.stdout

    def bad(self, code, *arguments, has=()):
        """Fails with `code` and one line on stderr that holds all of `has`."""
        done = self.run(*arguments)
        assert done.returncode == code, (arguments, done.returncode, done.stderr)
        lines = done.stderr.splitlines()
        assert len(lines) == 1 and lines[0].startswith("weft: "), (arguments, done.stderr)
        for part in (has,) if isinstance(has, str) else has:
            assert part in lines[0], (part, lines[0])
        return lines[0]

    def usage(self, *arguments, has=()):
        line = self.bad(2, *arguments, has=has)
        assert "--help" in line, line

    def model(self, name):
        return self.models / name


# ---- the command itself ----------------------------------------------------------------------------------


@test
def help_and_version(tool):
    assert "render" in tool.good("--help")
    assert tool.good("--version").startswith("weft 0.")
    for command in ("render", "view", "info", "shader", "explain", "conform"):
        text = tool.good(command, "--help")
        assert text.startswith(f"Usage: weft {command}") and "--help" in text, text


@test
def usage_errors(tool):
    out = tool.scratch / "a.png"
    box = tool.model("sound/orientation.glb")
    tool.usage(has="command is missing")
    tool.usage("paint", has='unknown command "paint"')
    tool.usage("render", has="MODEL is missing")
    tool.usage("render", box, has="-o FILE.png")
    tool.usage("render", box, box, "-o", out, has="unexpected argument")
    tool.usage("render", box, "-o", "a.gif", has=".png and .ppm")
    tool.usage("render", box, "-o", out, "--nonsense", has="--nonsense")
    for size in ("0x5", "5x0", "5", "axb", "-5x5", "99999x5", "5x5x5"):
        tool.usage("render", box, "-o", out, "--size", size, has="--size")
    for option, value in (("--frames", 0), ("--frames", 10000),
                          ("--threads", -1), ("--background", "#12"), ("--background", "reddish"),
                          ("--plan", "plan.png")):
        tool.usage("render", box, "-o", out, option, value, has=option)
    tool.usage("render", box, "-o", out, "--samples", "2", has="--samples 2")
    tool.usage("render", box, "-o", out, "--samples", "x", has="invalid numeric value")
    tool.usage("info", "more", has="unexpected")
    tool.usage("explain", has="CODE is missing")
    tool.usage("explain", "1", "2", has="unexpected")
    tool.usage("shader", has="FILE.spv is missing")
    assert not out.exists()


@test
def a_closed_output_is_an_error(tool):
    with open("/dev/full", "w") as full:
        done = subprocess.run([tool.weft, "info"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and "standard output" in done.stderr


# ---- info, explain, shader -------------------------------------------------------------------------------


@test
def info(tool):
    text = tool.good("info")
    assert "software" in text and "max_texture_2d" in text and "rgba8_unorm_srgb" in text
    data = json.loads(tool.good("info", "--json"))
    software = [a for a in data["adapters"] if a["backend"] == "software"][0]
    assert software["features"]["pointers"] is True
    assert software["limits"]["max_root_bytes"] >= 128
    assert "blend" in software["formats"]["rgba8_unorm"]
    only = json.loads(tool.good("info", "--json", "--backend", "noop"))
    assert [a["backend"] for a in only["adapters"]] == ["noop"]
    tool.bad(1, "info", "--backend", "fast", has=("unknown backend", "software, noop"))


@test
def conform(tool):
    names = tool.good("conform", "--list").splitlines()
    assert "scissor/inside_the_target" in names and len(set(names)) == len(names)
    some = tool.good("conform", "--filter", "scissor/", "--backend", "software")
    assert "scissor/empty" in some and "viewport" not in some and ", 0 failed" in some, some
    records = json.loads(tool.good("conform", "--filter", "scissor/", "--json"))
    assert {r["backend"] for r in records} >= {"software", "noop"}
    assert all(r["result"] == "pass" and r["reason"] == "" for r in records), records
    listed = json.loads(tool.good("conform", "--filter", "scissor/", "--json", "--list"))
    assert listed == [name for name in names if "scissor/" in name], listed
    page = tool.scratch / "page"
    tool.good("conform", "--filter", "scissor/inside", "--backend", "software", "--html", page)
    text = (page / "index.html").read_text()
    pictures = [p.name for p in page.iterdir() if p.suffix == ".png"]
    assert len(pictures) == 3 and all(p in text for p in pictures), pictures
    tool.bad(1, "conform", "--filter", "no such case", has="--list")
    tool.bad(1, "conform", "--backend", "fast", has="unknown backend")
    # A folder that cannot be written to is told before any case runs.
    (tool.scratch / "file").write_text("")
    for folder, has in ((tool.scratch / "none/page", "none/page"), ("", "--html"), (tool.scratch / "file", "file"),
                        (tool.scratch / "file/page", "file/page")):
        done = tool.run("conform", "--filter", "scissor/inside", "--html", folder)
        assert done.returncode == (1 if folder else 2) and done.stdout == "" and has in done.stderr, (folder, done)
    tool.usage("conform", "more", has="unexpected")
    tool.usage("conform", "--threads", "-1", has="--threads")


@test
def explain(tool):
    listed = tool.good("explain", "--list").splitlines()
    assert len(listed) > 50 and listed[0].startswith("W0001 HANDLE_STALE")
    text = tool.good("explain", "W0001")
    assert text.startswith("W0001 HANDLE_STALE") and "Remedy: " in text
    for same in ("w1", "1", "0001", "HANDLE_STALE", "handle_stale", "WEFT_RULE_HANDLE_STALE"):
        assert tool.good("explain", same) == text
    for none in ("W9999", "0", "-1", "NOTHING", "99999999999"):
        if none != "-1":
            tool.bad(1, "explain", none, has="--list")


@test
def shader(tool):
    spirv = tool.scratch / "lit.spv"
    spirv.write_bytes(pathlib.Path(os.environ["TOOL_SPIRV"]).read_bytes())
    text = tool.good("shader", spirv)
    for part in ('entry point "main"', "slot 1, binding 1", "OpEntryPoint", "software: accepted", "noop: accepted"):
        assert part in text, part
    assert "noop" not in tool.good("shader", "--backend", "software", spirv)
    for name in ("text.spv", "zero.spv"):
        tool.bad(1, "shader", tool.model("broken") / name, has=name)
    cut = tool.scratch / "cut.spv"
    cut.write_bytes(spirv.read_bytes()[:-4])
    tool.bad(1, "shader", cut, has=("cut.spv", "word"))
    tool.bad(1, "shader", tool.scratch / "none.spv", has="No such file")


# ---- render: what goes wrong -----------------------------------------------------------------------------


@test
def view_needs_a_display(tool):
    tool.usage("view", "a.glb", "b.glb", has="b.glb")
    tool.usage("view", "--frames", "-1", has="--frames")
    tool.usage("view", "--size", "0x5", has="--size")
    tool.usage("view", "--screenshot", "a.gif", has=".png")
    env = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    done = subprocess.run([tool.weft, "view"], env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and "weft render" in done.stderr and done.stderr.count("\n") == 1, done.stderr


@test
def broken_models(tool):
    drawn = ("empty_texture.gltf", "missing_texture.gltf", "broken_texture.gltf", "bad_material.obj")
    out = tool.scratch / "broken.png"
    names = sorted(p.name for p in tool.model("broken").iterdir() if p.suffix in (".glb", ".gltf", ".obj", ".xyz"))
    assert len(names) > 30
    for name in names:
        if name not in drawn:
            tool.bad(1, "render", tool.model("broken") / name, "-o", out, has=name)
    tool.bad(1, "render", "no\nmodel.glb", "-o", out, has="no?model.glb")
    os.mkfifo(tool.scratch / "pipe.obj")
    tool.bad(1, "render", tool.scratch / "pipe.obj", "-o", out, has="not a regular file")
    tool.bad(1, "render", tool.scratch, "-o", out, has="unknown kind of model")
    assert not out.exists()


@test
def a_crash_of_assimp_is_a_reason(tool):
    out = tool.scratch / "crash.png"
    done = tool.run("render", tool.model("broken/bad_material.obj"), "-o", out, "--size", "8x8")
    assert done.returncode in (0, 1), done  # newer versions of assimp read it
    if done.returncode == 1:
        assert done.stderr.count("\n") == 1 and "bad_material.obj: assimp crashed" in done.stderr, done.stderr


@test
def unreadable_textures_are_replaced(tool):
    for name in ("empty_texture.gltf", "missing_texture.gltf", "broken_texture.gltf"):
        out = tool.scratch / "texture.png"
        done = tool.run("render", tool.model("broken") / name, "-o", out, "--size", "32x32")
        assert done.returncode == 0 and out.exists()
        assert done.stderr.count("\n") == 1 and "warning" in done.stderr and "checker board" in done.stderr
        out.unlink()


@test
def nothing_is_left_out_in_silence(tool):
    out = tool.scratch / "more.png"
    for name, words in (("more_than_drawn.glb", ("1 primitive(s) of points or lines are not drawn", "morph", "skin",
                                                 "1 animation(s) are not played", "KHR_lights_punctual is ignored")),
                        ("lines.obj", ("2 point(s) or line(s) are not drawn",))):
        done = tool.run("render", tool.model("partial") / name, "-o", out, "--size", "32x32")
        lines = done.stderr.splitlines()
        assert done.returncode == 0 and out.exists() and len(lines) == len(words), (name, done)
        for line, word in zip(lines, words):
            assert line.startswith("weft: warning: ") and name in line and word in line, line
        out.unlink()


@test
def unwritable_outputs(tool):
    box = tool.model("sound/orientation.glb")
    tool.bad(1, "render", box, "-o", tool.scratch / "none/a.png", has="none/a.png")
    tool.bad(1, "render", box, "-o", tool.scratch / "a.png", "--plan", tool.scratch / "none/a.txt", has="none/a.txt")
    (tool.scratch / "folder.png").mkdir()
    tool.bad(1, "render", box, "-o", tool.scratch / "folder.png", has="folder")
    full = tool.scratch / "full.png"
    full.symlink_to("/dev/full")
    tool.bad(1, "render", box, "-o", full, "--size", "64x64", has="full.png")
    # It is found out before the model is even looked at.
    tool.bad(1, "render", "none.glb", "-o", tool.scratch / "none/a.png", has="none/a.png")
    assert sorted(p.name for p in tool.scratch.iterdir()) == ["folder.png", "full.png"]


@test
def wrong_choices(tool):
    box, out = tool.model("sound/cameras.glb"), tool.scratch / "a.png"
    tool.bad(1, "render", box, "-o", out, "--backend", "fast", has=("unknown backend", "software, noop"))
    tool.bad(1, "render", box, "-o", out, "--backend", "metal", has=("not in this build", "software, noop"))
    tool.bad(1, "render", box, "-o", out, "--camera", "2", has="2 cameras")
    tool.bad(1, "render", box, "-o", out, "--camera", "1,2,3,4", has="AZIMUTH")
    tool.bad(1, "render", box, "-o", out, "--camera", "0,91", has="elevation is -90 to 90")
    tool.bad(1, "render", box, "-o", out, "--camera", "0,90,0", has="distance is above 0")
    assert not out.exists()


@test
def an_interrupt_leaves_nothing(tool):
    out = tool.scratch / "turn.png"
    arguments = [tool.weft, "render", tool.model("sound/metal_rough.glb"), "-o", out, "--frames", "500", "--turntable"]
    with subprocess.Popen(list(map(str, arguments)), stderr=subprocess.PIPE) as process:
        deadline = time.time() + 60
        while not list(tool.scratch.glob("turn_*.png")) and time.time() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.wait(30)
    assert process.returncode == -signal.SIGINT
    assert not [p for p in tool.scratch.iterdir() if p.name.startswith(".")], "a temporary was left"
    for picture in tool.scratch.glob("turn_*.png"):
        assert picture.read_bytes()[-8:-4] == b"IEND", picture


# ---- render: files ---------------------------------------------------------------------------------------


@test
def frames_are_numbered(tool):
    tool.good("render", tool.model("sound/orientation.glb"), "-o", tool.scratch / "t.ppm", "--frames", "3", "--turntable",
              "--size", "32x16")
    assert sorted(p.name for p in tool.scratch.iterdir()) == ["t_0001.ppm", "t_0002.ppm", "t_0003.ppm"]
    assert (tool.scratch / "t_0001.ppm").read_bytes() != (tool.scratch / "t_0002.ppm").read_bytes()


@test
def plans_are_written(tool):
    model = tool.model("sound/alpha_modes.glb")
    text, data, picture = (tool.scratch / name for name in ("plan.txt", "plan.json", "plan.svg"))
    for plan in (text, data, picture):
        tool.good("render", model, "-o", tool.scratch / "a.png", "--size", "32x32", "--plan", plan)
    assert "transparent" in text.read_text() and "world" in text.read_text()
    plan = json.loads(data.read_text())
    assert {layer["name"] for layer in plan["layers"]} >= {"world", "transparent"}
    assert {target["kind"] for target in plan["targets"]} == {"present"} and plan["accesses"]
    assert plan["passes"][0]["kind"] == "render" and plan["passes"][0]["load"] == "clear"
    root = xml.dom.minidom.parse(str(picture)).documentElement
    words = [text.firstChild.data for text in root.getElementsByTagName("text")]
    assert "Pass 0: model" in words and any(word.startswith("transparent, depth") for word in words), words


@test
def pictures_do_not_depend_on_threads(tool):
    pictures = set()
    for threads in (1, 2, 5):
        out = tool.scratch / f"{threads}.png"
        tool.good("render", tool.model("sound/metal_rough.glb"), "-o", out, "--size", "200x100", "--threads", threads)
        pictures.add(out.read_bytes())
    assert len(pictures) == 1


@test
def noop_says_that_it_draws_nothing(tool):
    out = tool.scratch / "a.png"
    done = tool.run("render", tool.model("sound/orientation.glb"), "-o", out, "--backend", "noop", "--size", "16x16")
    assert done.returncode == 0 and "draws nothing" in done.stderr and out.exists()


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    weft, models, scratch = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
    failed = 0
    for name in sys.argv[4:] or TESTS:
        folder = scratch / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            TESTS[name](Tool(weft, models, folder))
            print(f"ok     {name}")
        except (AssertionError, subprocess.TimeoutExpired) as problem:
            failed += 1
            print(f"FAILED {name}: {problem!r}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
