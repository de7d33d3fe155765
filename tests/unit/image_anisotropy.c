// Anisotropic filtering by the formulas of the Vulkan specification ("Texel Anisotropic
// Filtering"): of eta = min(longer / shorter, most) the level is log2(longer / eta), and ceil(eta)
// places along the longer side are averaged.
#include <float.h>
#include <math.h>

#include "image_fixture.h"

enum { SIDE = 64 };

static struct wf_sw_sampler sampler_of(float anisotropy)
{
    struct wf_sw_sampler sampler;
    wf_sw_sampler_init(&sampler, &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR,
                                                      .min = WEFT_FILTER_LINEAR,
                                                      .mip = WEFT_FILTER_LINEAR,
                                                      .anisotropy = anisotropy});
    return sampler;
}

static struct wf_sw_image open_random(weft_texture_kind kind, weft_format format, uint32_t layers)
{
    struct rng rng = {7};
    const bool volume = kind == WEFT_TEXTURE_3D;
    struct wf_sw_image image = image_open(&(weft_texture_desc){.kind = kind,
                                                               .format = format,
                                                               .width = SIDE,
                                                               .height = SIDE,
                                                               .depth = volume ? SIDE : 1,
                                                               .layers = layers,
                                                               .mips = WEFT_MIPS_ALL});
    image_fill_random(&image, &rng);
    return image;
}

/// One place, at a level, with no footprint at all.
static double sample_at(const struct wf_sw_view *view, const double at[3], double layer, double lod)
{
    const struct wf_sw_sampler plain = sampler_of(1);
    float rows[4][64], level[64];
    for (uint32_t k = 0; k < 3; k++)
        fill_row_f(rows[k], (float)at[k]);
    if (view->kind == WEFT_VIEW_2D_ARRAY)
        fill_row_f(rows[2], (float)layer);
    fill_row_f(level, (float)lod);
    uint32_t out[4][64];
    const struct wf_sw_sample_args args = {
        .coords = {rows[0], rows[1], rows[2]}, .mode = WF_SW_LOD_EXPLICIT, .lod = level};
    wf_sw_image_sample(view, &plain, &args, 1, out);
    return (double)lane_float(out, 0, 0);
}

/// The rule, in doubles. `d`: changes along x and y of the screen.
static double expected(const struct wf_sw_view *view, const double at[3], double layer,
                       double d[2][3], double most)
{
    double length[2] = {0, 0}, sum = 0;
    for (int k = 0; k < 2; k++) {
        for (int c = 0; c < 3; c++)
            length[k] += d[k][c] * d[k][c] * SIDE * SIDE;
        length[k] = sqrt(length[k]);
    }
    const int longer = length[0] > length[1] ? 0 : 1;
    const double ratio = length[longer] / length[1 - longer];
    const double eta = fmin(ratio, most);
    const int count = (int)ceil(eta);
    for (int i = 1; i <= count; i++) {
        double moved[3];
        for (int c = 0; c < 3; c++)
            moved[c] = at[c] + d[longer][c] * ((double)i / (count + 1) - 0.5);
        sum += sample_at(view, moved, layer, log2(length[longer] / eta));
    }
    return sum / count;
}

static void check_kind(weft_texture_kind kind, weft_view_kind view_kind, bool gradient)
{
    struct wf_sw_image image =
        open_random(kind, WEFT_FORMAT_R32_FLOAT, view_kind == WEFT_VIEW_2D_ARRAY ? 3 : 1);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){.kind = view_kind});
    const struct wf_sw_sampler sampler = sampler_of(6);
    const int axes = view_kind == WEFT_VIEW_3D ? 3 : 2;
    struct rng rng = {3};
    for (int round = 0; round < 300; round++) {
        double at[3] = {0}, d[2][3] = {{0}};
        float rows[3][64], dd[2][3][64];
        for (int c = 0; c < axes; c++) {
            at[c] = rng_below(&rng, 4096) / 4096.0;
            for (int k = 0; k < 2; k++) {
                d[k][c] = ((double)rng_below(&rng, 512) - 256) / 4096 / (k ? 1 : 8);
                fill_row_f(dd[k][c], (float)d[k][c]);
            }
            // The middle of a quad's first lane; the others follow.
            for (int i = 0; i < 64; i++)
                rows[c][i] = (float)(at[c] + (i & 1 ? d[0][c] : 0) + (i & 2 ? d[1][c] : 0));
        }
        fill_row_f(rows[2], axes == 2 ? (float)(round % 3) : rows[2][0]);
        for (int i = 0; axes == 3 && i < 64; i++)
            rows[2][i] = (float)(at[2] + (i & 1 ? d[0][2] : 0) + (i & 2 ? d[1][2] : 0));
        struct wf_sw_sample_args args = {.coords = {rows[0], rows[1], rows[2]}};
        if (gradient) {
            args.mode = WF_SW_LOD_GRADIENT;
            for (int c = 0; c < axes; c++) {
                args.ddx[c] = dd[0][c];
                args.ddy[c] = dd[1][c];
            }
        }
        uint32_t out[4][64];
        wf_sw_image_sample(&view, &sampler, &args, 1u << 4, out);
        EXPECT_NEAR(lane_float(out, 0, 4), expected(&view, at, round % 3, d, 6), 2e-4);
    }
    image_close(&image);
}

TEST(image_anisotropy, probes_lie_along_the_longer_side)
{
    check_kind(WEFT_TEXTURE_2D, WEFT_VIEW_2D, true);
    check_kind(WEFT_TEXTURE_2D, WEFT_VIEW_2D, false);
}

TEST(image_anisotropy, layers_stay_and_volumes_have_three_axes)
{
    check_kind(WEFT_TEXTURE_2D, WEFT_VIEW_2D_ARRAY, true);
    check_kind(WEFT_TEXTURE_2D, WEFT_VIEW_2D_ARRAY, false);
    check_kind(WEFT_TEXTURE_3D, WEFT_VIEW_3D, true);
    check_kind(WEFT_TEXTURE_3D, WEFT_VIEW_3D, false);
}

/// On the middle of a face, directions change as coordinates do: the level and the probes are those
/// of the face as a picture.
TEST(image_anisotropy, a_cube_is_sampled_as_its_face)
{
    struct wf_sw_image image = open_random(WEFT_TEXTURE_CUBE, WEFT_FORMAT_R32_FLOAT, 6);
    const struct wf_sw_view cube = image_view(&image, &(struct wf_sw_view_desc){0});
    const struct wf_sw_view face = image_view(
        &image, &(struct wf_sw_view_desc){.kind = WEFT_VIEW_2D, .layer = 4, .layer_count = 1});
    const struct wf_sw_sampler sampler = sampler_of(8);
    float x[64], y[64], z[64], zero[64], step[64], small[64], u[64], v[64], half_step[64],
        half_small[64];
    for (int i = 0; i < 64; i++) {
        x[i] = (float)i / 128 - 0.25f;
        y[i] = (float)(i % 7) / 64 - 0.05f;
        z[i] = 1;
        zero[i] = 0;
        step[i] = 0.125f;
        small[i] = 0.03125f;
        half_step[i] = 0.0625f;
        half_small[i] = 0.015625f;
        u[i] = x[i] / 2 + 0.5f;
        v[i] = -y[i] / 2 + 0.5f;
    }
    const struct wf_sw_sample_args in_cube = {.coords = {x, y, z},
                                              .mode = WF_SW_LOD_GRADIENT,
                                              .ddx = {step, zero, zero},
                                              .ddy = {zero, small, zero}};
    const struct wf_sw_sample_args in_face = {.coords = {u, v},
                                              .mode = WF_SW_LOD_GRADIENT,
                                              .ddx = {half_step, zero},
                                              .ddy = {zero, half_small}};
    uint32_t got[4][64], want[4][64];
    wf_sw_image_sample(&cube, &sampler, &in_cube, UINT64_MAX, got);
    wf_sw_image_sample(&face, &sampler, &in_face, UINT64_MAX, want);
    for (uint32_t i = 0; i < 64; i++)
        EXPECT_NEAR(lane_float(got, 0, i), lane_float(want, 0, i), 1e-4);
    image_close(&image);
}

static struct wf_sw_sample_args rows_of(float u[64], float v[64])
{
    for (int i = 0; i < 64; i++) {
        u[i] = (float)i / 64;
        v[i] = (float)(i * 5 % 64) / 64;
    }
    return (struct wf_sw_sample_args){.coords = {u, v}};
}

/// Whether both samplers find the same in all lanes.
static bool same(const struct wf_sw_view *view, const struct wf_sw_sampler *one,
                 const struct wf_sw_sampler *other, const struct wf_sw_sample_args *args)
{
    uint32_t a[4][64], b[4][64];
    wf_sw_image_sample(view, one, args, UINT64_MAX, a);
    wf_sw_image_sample(view, other, args, UINT64_MAX, b);
    return memcmp(a[0], b[0], sizeof a[0]) == 0;
}

TEST(image_anisotropy, integers_and_explicit_levels_are_left_alone)
{
    struct wf_sw_image image = open_random(WEFT_TEXTURE_2D, WEFT_FORMAT_R32_UINT, 1);
    const struct wf_sw_view integers = image_view(&image, &(struct wf_sw_view_desc){0});
    struct wf_sw_image other = open_random(WEFT_TEXTURE_2D, WEFT_FORMAT_R32_FLOAT, 1);
    const struct wf_sw_view floats = image_view(&other, &(struct wf_sw_view_desc){0});
    const struct wf_sw_sampler plain = sampler_of(1), many = sampler_of(16);
    float u[64], v[64], wide[64], level[64];
    for (int i = 0; i < 64; i++) {
        wide[i] = 0.125f;
        level[i] = (float)i / 16;
    }
    struct wf_sw_sample_args args = rows_of(u, v);
    args.mode = WF_SW_LOD_GRADIENT;
    args.ddx[0] = wide;
    EXPECT(same(&integers, &plain, &many, &args));
    EXPECT(!same(&floats, &plain, &many, &args)); // where it is not left alone
    args = rows_of(u, v);
    args.mode = WF_SW_LOD_EXPLICIT;
    args.lod = level;
    EXPECT(same(&floats, &plain, &many, &args));
    image_close(&other);
    image_close(&image);
}

TEST(image_anisotropy, footprints_that_are_no_numbers_stay_within_the_texture)
{
    struct wf_sw_image image = open_random(WEFT_TEXTURE_2D, WEFT_FORMAT_RGBA8_UNORM, 1);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    const struct wf_sw_sampler many = sampler_of(16);
    float u[64], v[64], bad[64];
    for (int i = 0; i < 64; i++)
        bad[i] = i % 4 == 0 ? NAN : i % 4 == 1 ? INFINITY : i % 4 == 2 ? -INFINITY : FLT_MAX;
    struct wf_sw_sample_args args = rows_of(u, v);
    args.mode = WF_SW_LOD_GRADIENT;
    for (int k = 0; k < 3; k++) { // along x, along y, along both
        args.ddx[0] = k == 1 ? NULL : bad;
        args.ddy[1] = k == 0 ? NULL : bad;
        uint32_t out[4][64];
        wf_sw_image_sample(&view, &many, &args, UINT64_MAX, out);
        for (uint32_t i = 0; i < 64; i++) // a mix of texels, which are 0 to 1
            EXPECT(lane_float(out, 0, i) >= 0 && lane_float(out, 0, i) <= 1);
    }
    image_close(&image);
}

/// What a query tells is the level that would be sampled.
TEST(image_anisotropy, queries_know_of_it)
{
    struct wf_sw_image image = open_random(WEFT_TEXTURE_2D, WEFT_FORMAT_R32_FLOAT, 1);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    static const struct {
        float along_x, along_y, most, level;
    } rows[] = {{8, 1, 16, 0}, {8, 1, 4, 1},  {8, 1, 1, 3},
                {1, 8, 2, 2},  {4, 4, 16, 2}, {16, 4, 16, 2}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const struct wf_sw_sampler sampler = sampler_of(rows[k].most);
        float u[64], v[64], out[2][64];
        for (int i = 0; i < 64; i++) {
            u[i] = (i & 1 ? rows[k].along_x : 0) / SIDE;
            v[i] = (i & 2 ? rows[k].along_y : 0) / SIDE;
        }
        wf_sw_image_query_lod(&view, &sampler, &(struct wf_sw_sample_args){.coords = {u, v}}, 0xf,
                              out);
        EXPECT_NEAR(out[0][2], rows[k].level, 1e-5);
        EXPECT_NEAR(out[1][3], rows[k].level, 1e-5);
    }
    image_close(&image);
}
