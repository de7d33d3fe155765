#!/usr/bin/env python3
"""Draws the models of make_models.py with the weft command and looks at texels.
usage: tool_pictures.py WEFT MODELS SCRATCH [NAME...]"""
import pathlib
import subprocess
import sys

from picture import Picture

TESTS = {}


def test(function):
    TESTS[function.__name__] = function
    return function


class Tool:
    def __init__(self, weft, models, scratch):
        self.weft, self.models, self.scratch = weft, models, scratch

    def draw(self, name, *options, size="128x128"):
        out = self.scratch / (pathlib.Path(name).stem + ".png")
        subprocess.run([self.weft, "render", self.models / name, "-o", out, "--size", size, *options], check=True,
                       timeout=120)
        return Picture(out)


def near(texel, wanted, tolerance=12):
    assert all(abs(a - b) <= tolerance for a, b in zip(texel, wanted)), (texel, wanted)


def quad_at(picture, u, v):
    """The texel at u, v of a square that fills 85 % of the picture."""
    return picture.at(0.075 + 0.85 * u, 0.075 + 0.85 * v)


RED, GREEN, BLUE, WHITE, BLACK = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0)


def expect_letter(picture, mirrored=False):
    """The marks of letter_f(): corners, and the F's arms to the right of its stem."""
    for u, v, color in ((0.08, 0.08, RED), (0.92, 0.08, GREEN), (0.08, 0.92, BLUE), (0.92, 0.92, BLACK),
                        (0.37, 0.7, WHITE), (0.65, 0.28, WHITE), (0.55, 0.5, WHITE), (0.65, 0.7, BLACK)):
        near(quad_at(picture, 1 - u if mirrored else u, v), color)


@test
def nothing_is_mirrored_or_upside_down(tool):
    for name in ("orientation.glb", "external.gltf", "data_uri.gltf"):
        expect_letter(tool.draw(f"sound/{name}", "--camera", "0,0"))


@test
def obj_textures_are_upright_too(tool):
    picture = tool.draw("sound/quad.obj", "--camera", "0,0")
    red, blue, green = quad_at(picture, .08, .08), quad_at(picture, .08, .92), quad_at(picture, .92, .08)
    assert red[0] > 2 * red[1] and blue[2] > 2 * blue[1] and green[1] > 2 * green[0], (red, green, blue)


@test
def a_negative_scale_mirrors(tool):
    expect_letter(tool.draw("sound/mirrored.glb", "--camera", "0,0"), mirrored=True)


@test
def a_single_sided_quad_has_no_back(tool):
    picture = tool.draw("sound/orientation.glb", "--camera", "180,0", "--background", "#204060")
    near(picture.at(0.5, 0.5), (0x20, 0x40, 0x60), 1)


@test
def the_model_fills_85_percent(tool):
    for size, larger in (("128x128", None), ("192x96", 1), ("96x192", 0)):
        for name in ("orientation.glb", "transforms.glb", "metal_rough.glb"):
            left, top, right, bottom = tool.draw(f"sound/{name}", "--background", "#010203", size=size).box((1, 2, 3))
            assert 0.82 < max(right - left, bottom - top) < 0.9, (name, size, left, top, right, bottom)
            assert abs(left + right - 1) < 0.04 and abs(top + bottom - 1) < 0.04


@test
def jpeg_textures(tool):
    picture = tool.draw("sound/jpeg.glb", "--camera", "0,0")
    near(quad_at(picture, 0.25, 0.5), (220, 30, 30), 16)
    near(quad_at(picture, 0.75, 0.5), (30, 30, 220), 16)


@test
def alpha_modes(tool):
    picture = tool.draw("sound/alpha_modes.glb", "--camera", "0,0", "--background", "black", size="240x120")
    left, top, right, bottom = picture.box((0, 0, 0))
    middle = (top + bottom) / 2
    for i, (upper, lower) in enumerate(((255, 255), (0, 255), (None, None))):
        u = left + (right - left) * (1 + 2.5 * i) / 7
        above, below = picture.at(u, middle - 0.1), picture.at(u, middle + 0.1)
        if i < 2:
            near(above, (upper,) * 3)
            near(below, (lower,) * 3)
        else:  # blended in linear space: 64/255 and 191/255 as sRGB
            near(above, (137,) * 3)
            near(below, (224,) * 3)


@test
def transparent_things_are_sorted(tool):
    for camera, wanted in (("0,0", (188, 137, 0)), ):
        near(tool.draw("sound/blend_order.glb", "--camera", camera, "--background", "black").at(0.5, 0.5), wanted)


@test
def metal_and_roughness_come_from_their_map(tool):
    picture = tool.draw("sound/metal_rough.glb", "--camera", "0,0", size="200x200")
    # The seam of u is at the back: the left half of the sphere shows u from 3/4 to 1, which is no metal.
    texels = [picture.at(u, v) for u in (0.3, 0.7) for v in (0.3, 0.7)]
    assert len(set(texels)) == 4, texels


@test
def normal_maps_lean_the_light(tool):
    picture = tool.draw("sound/normal_map.glb", "--camera", "0,0")
    left, right = quad_at(picture, 0.25, 0.5), quad_at(picture, 0.75, 0.5)
    assert left[1] > right[1] + 40, (left, right)  # the key light comes from the upper left


@test
def cameras_of_the_file(tool):
    near(tool.draw("sound/cameras.glb", "--camera", "front").at(0.5, 0.45), RED)
    near(tool.draw("sound/cameras.glb", "--camera", "0").at(0.5, 0.45), RED)
    near(tool.draw("sound/cameras.glb", "--camera", "above").at(0.5, 0.55), BLUE)


@test
def node_transforms(tool):
    picture = tool.draw("sound/transforms.glb", "--camera", "0,0", size="192x96")
    near(picture.at(0.2, 0.5), RED)
    near(picture.at(0.6, 0.5), GREEN)
    near(picture.at(0.85, 0.5), GREEN)


@test
def vertex_colors(tool):
    picture = tool.draw("sound/vertex_colors.glb", "--camera", "0,0")
    for u, v, color in ((0.03, 0.97, RED), (0.97, 0.97, GREEN), (0.97, 0.03, BLUE), (0.03, 0.03, WHITE)):
        near(quad_at(picture, u, v), color, 50)


@test
def texture_transforms(tool):
    near(quad_at(tool.draw("sound/texture_transform.glb", "--camera", "0,0"), 0.5, 0.5), BLUE)


@test
def emission_and_occlusion(tool):
    picture = tool.draw("sound/emissive_occlusion.glb", "--camera", "0,0")
    glow, none = quad_at(picture, 0.25, 0.25), quad_at(picture, 0.75, 0.25)
    assert glow[2] > none[2] + 50, (glow, none)
    shaded = quad_at(picture, 0.75, 0.75)
    assert shaded[1] < none[1] - 5, (shaded, none)


@test
def transparent_background_is_straight_alpha(tool):
    picture = tool.draw("sound/blend_order.glb", "--camera", "0,0", "--background", "transparent")
    assert picture.channels == 4 and picture.at(0.01, 0.01)[3] == 0
    middle = picture.at(0.5, 0.5)
    near(middle, (213, 156, 0, 191))
    opaque = tool.draw("sound/orientation.glb", "--camera", "0,0", "--background", "#ffffff00")
    expect_letter(opaque)


@test
def edges_are_smooth_with_samples(tool):
    for samples, smooth in ((1, False), (4, True)):
        picture = tool.draw("sound/transforms.glb", "--camera", "20,20", "--background", "black", "--samples",
                            str(samples))
        shades = {row[x * picture.channels + c] for row in picture.rows for x in range(picture.width) for c in (0, 1)}
        assert (len(shades) > 2) == smooth, shades


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    weft, models, scratch = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
    scratch.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in sys.argv[4:] or TESTS:
        try:
            TESTS[name](Tool(weft, models, scratch))
            print(f"ok     {name}")
        except (AssertionError, subprocess.SubprocessError) as problem:
            failed += 1
            print(f"FAILED {name}: {problem!r}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
