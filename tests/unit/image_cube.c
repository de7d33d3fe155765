// Cube maps against an oracle that folds points over the edges of a cube in three dimensions.
#include <math.h>

#include "image_fixture.h"

/// The face and coordinates (0 to 1) of a direction: the table of the Vulkan specification.
static int face_naive(const double r[3], double *s, double *t)
{
    const double x = fabs(r[0]), y = fabs(r[1]), z = fabs(r[2]);
    double sc, tc, major;
    int face;
    if (z >= x && z >= y) {
        face = r[2] < 0 ? 5 : 4;
        sc = r[2] < 0 ? -r[0] : r[0];
        tc = -r[1];
        major = z;
    } else if (y >= x) {
        face = r[1] < 0 ? 3 : 2;
        sc = r[0];
        tc = r[1] < 0 ? -r[2] : r[2];
        major = y;
    } else {
        face = r[0] < 0 ? 1 : 0;
        sc = r[0] < 0 ? r[2] : -r[2];
        tc = -r[1];
        major = x;
    }
    *s = sc / major / 2 + 0.5;
    *t = tc / major / 2 + 0.5;
    return face;
}

/// The direction of a point of a face.
static void direction(int face, double s, double t, double r[3])
{
    const double sc = 2 * s - 1, tc = 2 * t - 1;
    const double table[6][3] = {{1, -tc, -sc}, {-1, -tc, sc}, {sc, 1, tc},
                                {sc, -1, -tc}, {sc, -tc, 1},  {-sc, -tc, -1}};
    memcpy(r, table[face], sizeof table[face]);
}

static double texel_naive(const struct wf_sw_view *view, int face, int x, int y, int c)
{
    uint32_t words[4];
    image_load(view->image, view->format,
               (struct place){view->mip, view->layer + (uint32_t)face, 0, (uint32_t)x, (uint32_t)y},
               words);
    return wf_base_float_from_bits(words[c]);
}

/// A texel that may lie off one edge: its middle is folded onto the neighbouring face. NAN where
/// the cube has a corner.
static double folded_naive(const struct wf_sw_view *view, int n, int face, int x, int y, int c)
{
    const bool x_out = x < 0 || x >= n, y_out = y < 0 || y >= n;
    if (x_out && y_out)
        return NAN;
    double r[3], s = (x + 0.5) / n, t = (y + 0.5) / n;
    if (x_out || y_out) {
        direction(face, fmin(fmax(s, 0), 1), fmin(fmax(t, 0), 1), r); // on the edge
        double middle[3];
        direction(face, 0.5, 0.5, middle);
        for (int a = 0; a < 3; a++) // down the other face by half a texel
            if (middle[a] != 0)
                r[a] -= middle[a] / n;
        face = face_naive(r, &s, &t);
        x = (int)floor(s * n);
        y = (int)floor(t * n);
    }
    return texel_naive(view, face, x, y, c);
}

static double sample_naive(const struct wf_sw_view *view, const double r[3], bool linear, int c)
{
    const int n = (int)view->plane->mips[view->mip].width;
    double s, t;
    const int face = face_naive(r, &s, &t);
    if (!linear)
        return texel_naive(view, face, (int)fmin(floor(s * n), n - 1),
                           (int)fmin(floor(t * n), n - 1), c);
    const double x = s * n - 0.5, y = t * n - 0.5, wx = x - floor(x), wy = y - floor(y);
    double v[4], sum = 0;
    int missing = -1;
    for (int k = 0; k < 4; k++) {
        v[k] = folded_naive(view, n, face, (int)floor(x) + (k & 1), (int)floor(y) + (k >> 1), c);
        if (isnan(v[k]))
            missing = k;
        else
            sum += v[k];
    }
    if (missing >= 0)
        v[missing] = sum / 3;
    return (v[0] * (1 - wx) + v[1] * wx) * (1 - wy) + (v[2] * (1 - wx) + v[3] * wx) * wy;
}

static struct wf_sw_image open_cube(weft_format format, uint32_t side, uint32_t layers,
                                    struct rng *rng)
{
    struct wf_sw_image image = image_open(&(weft_texture_desc){.kind = WEFT_TEXTURE_CUBE,
                                                               .format = format,
                                                               .width = side,
                                                               .height = side,
                                                               .layers = layers,
                                                               .mips = WEFT_MIPS_ALL});
    image_fill_random(&image, rng);
    return image;
}

static double random_component(struct rng *rng)
{
    return ((int)rng_below(rng, 2001) - 1000) / 64.0;
}

static void check_cube(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                       struct rng *rng)
{
    float rows[4][64];
    double r[64][3];
    for (int i = 0; i < 64; i++) {
        // One component is the largest by far or by little: all faces, edges and corners.
        for (int a = 0; a < 3; a++)
            r[i][a] = random_component(rng);
        const int major = (int)rng_below(rng, 3);
        r[i][major] = (rng_below(rng, 2) ? 16 : -16);
        for (int a = 0; a < 3; a++)
            rows[a][i] = (float)r[i][a];
        rows[3][i] = 0;
    }
    const struct wf_sw_sample_args args = {.coords = {rows[0], rows[1], rows[2], rows[3]},
                                           .mode = WF_SW_LOD_EXPLICIT};
    uint32_t out[4][64];
    wf_sw_image_sample(view, sampler, &args, UINT64_MAX, out);
    for (uint32_t i = 0; i < 64; i++)
        for (int c = 0; c < 3; c++)
            EXPECT_NEAR(lane_float(out, (uint32_t)c, i),
                        sample_naive(view, r[i], sampler->mag == WEFT_FILTER_LINEAR, c), 1e-5);
}

TEST(image_cube, linear_filter_folds_over_edges)
{
    static const weft_format formats[] = {WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_RGBA8_UNORM_SRGB,
                                          WEFT_FORMAT_RGBA32_FLOAT};
    struct rng rng = {1};
    struct wf_sw_sampler linear;
    wf_sw_sampler_init(&linear,
                       &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR});
    for (int f = 0; f < 3; f++)
        for (uint32_t side = 1; side < 20; side = side * 2 + 1) {
            struct wf_sw_image image = open_cube(formats[f], side, 6, &rng);
            for (uint32_t mip = 0; mip < image.mips; mip++) {
                const struct wf_sw_view view =
                    image_view(&image, &(struct wf_sw_view_desc){.mip = mip});
                EXPECT_EQ(view.kind, WEFT_VIEW_CUBE);
                for (int round = 0; round < 20; round++)
                    check_cube(&view, &linear, &rng);
            }
            image_close(&image);
        }
}

TEST(image_cube, nearest_stays_on_its_face)
{
    struct rng rng = {2};
    struct wf_sw_sampler nearest;
    wf_sw_sampler_init(&nearest, &(weft_sampler_desc){0});
    struct wf_sw_image image = open_cube(WEFT_FORMAT_RGBA8_UNORM, 16, 6, &rng);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    for (int round = 0; round < 50; round++)
        check_cube(&view, &nearest, &rng);
    image_close(&image);
}

TEST(image_cube, each_axis_has_its_face)
{
    struct wf_sw_image image = image_open(&(weft_texture_desc){
        .kind = WEFT_TEXTURE_CUBE, .format = WEFT_FORMAT_R8_UNORM, .width = 2, .height = 2});
    for (uint32_t face = 0; face < 6; face++)
        for (uint32_t y = 0; y < 2; y++)
            memset(wf_sw_image_row(&image, &image.main, 0, face, 0, y), (int)face * 10, 2);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    struct wf_sw_sampler sampler;
    wf_sw_sampler_init(&sampler, &(weft_sampler_desc){0});
    float rows[3][64] = {{0}};
    for (int face = 0; face < 6; face++)
        rows[face / 2][face] = face % 2 ? -3.0f : 3.0f;
    uint32_t out[4][64];
    wf_sw_image_sample(&view, &sampler,
                       &(struct wf_sw_sample_args){.coords = {rows[0], rows[1], rows[2]}}, 0x3f,
                       out);
    for (uint32_t face = 0; face < 6; face++)
        EXPECT_NEAR(lane_float(out, 0, face), face * 10 / 255.0, 1e-7);
    image_close(&image);
}

TEST(image_cube, arrays_round_and_clamp_the_layer)
{
    struct rng rng = {3};
    struct wf_sw_image image = open_cube(WEFT_FORMAT_RGBA8_UNORM, 8, 24, &rng);
    const struct wf_sw_view array =
        image_view(&image, &(struct wf_sw_view_desc){.layer = 6, .layer_count = 18});
    EXPECT_EQ(array.kind, WEFT_VIEW_CUBE_ARRAY);
    static const struct {
        float layer;
        uint32_t cube;
    } cases[] = {{-5, 1}, {0.4f, 1}, {0.5f, 1}, {0.6f, 2}, {1.5f, 3}, {2.5f, 3}, {7, 3}, {NAN, 1}};
    struct wf_sw_sampler sampler;
    wf_sw_sampler_init(&sampler,
                       &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR});
    for (int k = 0; k < 8; k++) {
        const struct wf_sw_view one = image_view(
            &image, &(struct wf_sw_view_desc){
                        .kind = WEFT_VIEW_CUBE, .layer = 6 * cases[k].cube, .layer_count = 6});
        float rows[4][64];
        for (int i = 0; i < 64; i++) {
            for (int a = 0; a < 3; a++)
                rows[a][i] = (float)random_component(&rng);
            rows[3][i] = cases[k].layer;
        }
        const struct wf_sw_sample_args args = {.coords = {rows[0], rows[1], rows[2], rows[3]},
                                               .mode = WF_SW_LOD_EXPLICIT};
        uint32_t a[4][64], b[4][64];
        wf_sw_image_sample(&array, &sampler, &args, UINT64_MAX, a);
        wf_sw_image_sample(&one, &sampler, &args, UINT64_MAX, b);
        EXPECT_MEM(a, b, sizeof a);
    }
    image_close(&image);
}

/// A smooth function of the direction stays smooth across edges and corners.
TEST(image_cube, seams_are_invisible)
{
    enum { N = 64 };
    struct wf_sw_image image = image_open(&(weft_texture_desc){
        .kind = WEFT_TEXTURE_CUBE, .format = WEFT_FORMAT_R32_FLOAT, .width = N, .height = N});
    for (int face = 0; face < 6; face++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                double r[3];
                direction(face, (x + 0.5) / N, (y + 0.5) / N, r);
                const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
                const float value = (float)((r[0] + 2 * r[1] - r[2]) / length);
                memcpy(image_texel(&image,
                                   (struct place){0, (uint32_t)face, 0, (uint32_t)x, (uint32_t)y}),
                       &value, 4);
            }
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    struct wf_sw_sampler sampler;
    wf_sw_sampler_init(&sampler,
                       &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR});
    struct rng rng = {4};
    for (int round = 0; round < 200; round++) {
        float rows[3][64];
        uint32_t out[4][64];
        for (int i = 0; i < 64; i++)
            for (int a = 0; a < 3; a++)
                rows[a][i] = (float)rng_below(&rng, 3) - 1 + (float)random_component(&rng) * 0.002f;
        wf_sw_image_sample(&view, &sampler,
                           &(struct wf_sw_sample_args){.coords = {rows[0], rows[1], rows[2]}},
                           UINT64_MAX, out);
        for (uint32_t i = 0; i < 64; i++) {
            const double x = rows[0][i], y = rows[1][i], z = rows[2][i];
            const double length = sqrt(x * x + y * y + z * z);
            if (length > 0.5)
                EXPECT_NEAR(lane_float(out, 0, i), (x + 2 * y - z) / length, 0.02);
        }
    }
    image_close(&image);
}
