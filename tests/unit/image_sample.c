// Sampling against a naive oracle in double precision. Coordinates are multiples of 1/256, so
// that the texels that a sample touches are beyond doubt.
#include <math.h>

#include "backends/software/image/sample_block.h"
#include "base/cpu.h"
#include "image_fixture.h"

struct point {
    double u[3]; ///< Cubes: the direction.
    double layer;
    double lod; ///< Already with every bias, clamped by the sampler.
    int offset[3];
};

static int wrap_naive(int i, int n, weft_address_mode mode)
{
    switch (mode) {
    case WEFT_ADDRESS_REPEAT:
        while (i < 0)
            i += n;
        return i % n;
    case WEFT_ADDRESS_MIRROR_REPEAT:
        while (i < 0)
            i += 2 * n;
        i %= 2 * n;
        return i < n ? i : 2 * n - 1 - i;
    case WEFT_ADDRESS_CLAMP_TO_EDGE:
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    case WEFT_ADDRESS_CLAMP_TO_BORDER:
        break;
    }
    return i < 0 || i >= n ? -1 : i;
}

static void border_naive(const struct wf_sw_view *view, weft_border_color border, double out[4])
{
    const uint32_t components = wf_hal_format_get(view->format)->codec.components;
    for (uint32_t c = 0; c < 4; c++) {
        out[c] = c < 3 ? border == WEFT_BORDER_OPAQUE_WHITE : border != 0;
        if (c >= components)
            out[c] = c == 3;
    }
}

static void texel_naive(const struct wf_sw_view *view, uint32_t level, uint32_t slice, int x, int y,
                        double out[4])
{
    uint32_t words[4];
    image_load(view->image, view->format,
               (struct place){view->mip + level, slice, 0, (uint32_t)x, (uint32_t)y}, words);
    for (int c = 0; c < 4; c++)
        out[c] = view->sample_class == WEFT_SAMPLE_CLASS_UINT   ? (double)words[c]
                 : view->sample_class == WEFT_SAMPLE_CLASS_SINT ? (double)(int32_t)words[c]
                                                                : wf_base_float_from_bits(words[c]);
}

static double fetch_c(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                      uint32_t level, uint32_t slice, const int at[3], int c)
{
    const struct wf_sw_mip *mip = &view->plane->mips[view->mip + level];
    const int sizes[3] = {(int)mip->width, (int)mip->height, (int)mip->depth};
    int w[3];
    double texel[4];
    for (int a = 0; a < 3; a++)
        w[a] = wrap_naive(at[a], sizes[a], sampler->address[a]);
    if (view->kind != WEFT_VIEW_3D)
        w[2] = 0;
    if (view->kind == WEFT_VIEW_1D || view->kind == WEFT_VIEW_1D_ARRAY)
        w[1] = 0;
    if (w[0] < 0 || w[1] < 0 || w[2] < 0)
        border_naive(view, sampler->border, texel);
    else
        texel_naive(view, level, slice + (uint32_t)w[2], w[0], w[1], texel);
    return texel[c];
}

static double lerp_naive(double a, double b, double w)
{
    return a * (1 - w) + b * w;
}

/// What is read of an image: one level, one slice, with one filter.
struct read {
    uint32_t level, slice;
    bool linear;
};

static double level_naive(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                          const struct point *p, const struct read *read, int c)
{
    const uint32_t level = read->level, slice = read->slice;
    const bool linear = read->linear;
    const struct wf_sw_mip *mip = &view->plane->mips[view->mip + level];
    const double sizes[3] = {mip->width, mip->height, mip->depth};
    int at[3];
    double weight[3], sum[2][2];
    for (int a = 0; a < 3; a++) {
        const double x = p->u[a] * sizes[a] - (linear ? 0.5 : 0);
        at[a] = (int)floor(x) + p->offset[a];
        weight[a] = linear ? x - floor(x) : 0;
    }
    for (int z = 0; z < 2; z++) {
        for (int y = 0; y < 2; y++) {
            const int here[3] = {at[0], at[1] + y, at[2] + z};
            const int next[3] = {at[0] + 1, at[1] + y, at[2] + z};
            sum[z][y] = lerp_naive(fetch_c(view, sampler, level, slice, here, c),
                                   fetch_c(view, sampler, level, slice, next, c), weight[0]);
        }
        sum[z][0] = lerp_naive(sum[z][0], sum[z][1], weight[1]);
    }
    return view->kind == WEFT_VIEW_3D ? lerp_naive(sum[0][0], sum[1][0], weight[2]) : sum[0][0];
}

static double sample_naive(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                           const struct point *p, int c)
{
    const bool integer = view->sample_class == WEFT_SAMPLE_CLASS_UINT ||
                         view->sample_class == WEFT_SAMPLE_CLASS_SINT;
    const bool linear =
        !integer && (p->lod > 0 ? sampler->min : sampler->mag) == WEFT_FILTER_LINEAR;
    const double d = fmin(fmax(p->lod, 0), view->mip_count - 1.0);
    double layer = nearbyint(p->layer);
    layer = fmin(fmax(layer, 0), view->layer_count - 1.0);
    const uint32_t slice = view->kind == WEFT_VIEW_3D ? 0 : view->layer + (uint32_t)layer;
    if (sampler->mip == WEFT_FILTER_NEAREST || integer) {
        const double level = sampler->mip == WEFT_FILTER_NEAREST ? ceil(d + 0.5) - 1 : floor(d);
        return level_naive(view, sampler, p, &(struct read){(uint32_t)level, slice, linear}, c);
    }
    const uint32_t first = (uint32_t)floor(d);
    const double near = level_naive(view, sampler, p, &(struct read){first, slice, linear}, c);
    if (d == floor(d))
        return near;
    return lerp_naive(near,
                      level_naive(view, sampler, p, &(struct read){first + 1, slice, linear}, c),
                      d - floor(d));
}

/// 64 random points, some far outside, against the oracle.
static void check_random(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                         struct rng *rng, bool offsets)
{
    float coords[4][64], lod[64];
    int32_t offset[3][64];
    struct point points[64];
    const bool array = view->kind == WEFT_VIEW_1D_ARRAY || view->kind == WEFT_VIEW_2D_ARRAY;
    const uint32_t layer_row = view->kind == WEFT_VIEW_1D_ARRAY ? 1 : 2;
    for (int i = 0; i < 64; i++) {
        for (int a = 0; a < 3; a++) {
            points[i].u[a] = ((int)rng_below(rng, 1536) - 640) / 256.0;
            coords[a][i] = (float)points[i].u[a];
            points[i].offset[a] = offsets ? (int)rng_below(rng, 16) - 8 : 0;
            offset[a][i] = points[i].offset[a];
        }
        points[i].lod = ((int)rng_below(rng, 128) - 32) / 16.0;
        lod[i] = (float)points[i].lod;
        points[i].layer = 0;
        if (array)
            coords[layer_row][i] = (float)(points[i].layer = ((int)rng_below(rng, 24) - 6) / 4.0);
    }
    struct wf_sw_sample_args args = {
        .coords = {coords[0], coords[1], coords[2]}, .mode = WF_SW_LOD_EXPLICIT, .lod = lod};
    for (int a = 0; a < 3 && offsets; a++)
        args.offset[a] = offset[a];
    uint32_t out[4][64];
    const uint64_t mask = rng_next(rng) % 3 ? UINT64_MAX : 0x8421ffff0000a5c3;
    memset(out, 0xee, sizeof out);
    wf_sw_image_sample(view, sampler, &args, mask, out);
    for (uint32_t i = 0; i < 64; i++)
        for (int c = 0; c < 4; c++) {
            if (!(mask >> i & 1)) {
                EXPECT_EQ(out[c][i], 0xeeeeeeee);
                continue;
            }
            const double want = sample_naive(view, sampler, &points[i], c);
            const double got = view->sample_class == WEFT_SAMPLE_CLASS_UINT ? (double)out[c][i]
                               : view->sample_class == WEFT_SAMPLE_CLASS_SINT
                                   ? (double)(int32_t)out[c][i]
                                   : lane_float(out, (uint32_t)c, i);
            if (!(fabs(got - want) <= 2e-6))
                test_fail(__FILE__, __LINE__,
                          "%s kind %d %ux%u lane %u component %d at %g %g %g lod %g modes %d %d: "
                          "%.9g, not %.9g",
                          weft_format_get_info(view->format)->name, view->kind, view->image->width,
                          view->image->height, i, c, points[i].u[0], points[i].u[1], points[i].u[2],
                          points[i].lod, sampler->address[0], sampler->address[1], got, want);
        }
}

static void check_samplers(const struct wf_sw_view *view, struct rng *rng)
{
    for (uint32_t bits = 0; bits < 8; bits++)
        for (uint32_t mode = 0; mode < 16; mode++) {
            struct wf_sw_sampler sampler;
            const weft_sampler_desc desc = {
                .mag = bits & 1,
                .min = bits >> 1 & 1,
                .mip = bits >> 2,
                .u = (weft_address_mode)(mode & 3),
                .v = (weft_address_mode)(mode >> 2),
                .w = (weft_address_mode)((mode + bits) & 3),
                .border = (weft_border_color)((mode + bits) % 3),
            };
            wf_sw_sampler_init(&sampler, &desc);
            // The oracle takes levels as they are; a sampler's minimum is tested on its own.
            sampler.lod_min = -1000.0f;
            check_random(view, &sampler, rng, false);
            check_random(view, &sampler, rng, true);
        }
}

static const weft_format some_formats[] = {
    WEFT_FORMAT_RGBA8_UNORM,      WEFT_FORMAT_RGBA8_UNORM_SRGB, WEFT_FORMAT_BGRA8_UNORM,
    WEFT_FORMAT_BGRA8_UNORM_SRGB, WEFT_FORMAT_R8_UNORM,         WEFT_FORMAT_RG16_FLOAT,
    WEFT_FORMAT_RGBA32_FLOAT,     WEFT_FORMAT_RGB9E5_UFLOAT,    WEFT_FORMAT_RG11B10_UFLOAT,
    WEFT_FORMAT_RGB10A2_UNORM,    WEFT_FORMAT_R32_UINT,         WEFT_FORMAT_RGBA8_SINT,
    WEFT_FORMAT_D16_UNORM,        WEFT_FORMAT_D32_FLOAT,        WEFT_FORMAT_RG8_SNORM,
};
enum { SOME_FORMATS = sizeof some_formats / sizeof some_formats[0] };

TEST(image_sample, two_dimensions_match_the_oracle)
{
    static const uint32_t sizes[][2] = {{1, 1}, {3, 5}, {65, 1}, {16, 16}, {7, 64}};
    struct rng rng = {1};
    for (int f = 0; f < SOME_FORMATS; f++)
        for (int s = 0; s < 5; s++) {
            struct wf_sw_image image = image_open(&(weft_texture_desc){.format = some_formats[f],
                                                                       .width = sizes[s][0],
                                                                       .height = sizes[s][1],
                                                                       .mips = WEFT_MIPS_ALL});
            image_fill_random(&image, &rng);
            const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
            check_samplers(&view, &rng);
            image_close(&image);
        }
}

TEST(image_sample, other_kinds_match_the_oracle)
{
    static const weft_texture_desc descs[] = {
        {.kind = WEFT_TEXTURE_1D, .width = 13, .mips = WEFT_MIPS_ALL},
        {.kind = WEFT_TEXTURE_1D, .width = 13, .layers = 4, .mips = WEFT_MIPS_ALL},
        {.width = 9, .height = 12, .layers = 5, .mips = 3},
        {.kind = WEFT_TEXTURE_3D, .width = 5, .height = 6, .depth = 9, .mips = WEFT_MIPS_ALL},
    };
    static const weft_format formats[] = {WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_R16_FLOAT,
                                          WEFT_FORMAT_RG32_UINT};
    struct rng rng = {2};
    for (int k = 0; k < 4; k++)
        for (int f = 0; f < 3; f++) {
            weft_texture_desc desc = descs[k];
            desc.format = formats[f];
            struct wf_sw_image image = image_open(&desc);
            image_fill_random(&image, &rng);
            const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
            check_samplers(&view, &rng);
            image_close(&image);
        }
}

TEST(image_sample, views_of_some_mips_and_layers_match_the_oracle)
{
    struct rng rng = {3};
    struct wf_sw_image image = image_open(&(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                                               .width = 40,
                                                               .height = 24,
                                                               .layers = 6,
                                                               .mips = WEFT_MIPS_ALL});
    image_fill_random(&image, &rng);
    const struct wf_sw_view_desc descs[] = {
        {.mip = 1, .mip_count = 2, .layer = 2, .layer_count = 3},
        {.kind = WEFT_VIEW_2D, .mip = 2, .layer = 5, .layer_count = 1},
        {.format = WEFT_FORMAT_RGBA8_UNORM_SRGB, .mip_count = 1, .layer = 1},
    };
    for (int i = 0; i < 3; i++) {
        const struct wf_sw_view view = image_view(&image, &descs[i]);
        check_samplers(&view, &rng);
    }
    image_close(&image);
}

TEST(image_sample, swizzles_apply_after_the_filter)
{
    struct rng rng = {4};
    static const weft_format formats[] = {WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_RGBA32_FLOAT,
                                          WEFT_FORMAT_RGBA16_UINT};
    for (int f = 0; f < 3; f++) {
        struct wf_sw_image image =
            image_open(&(weft_texture_desc){.format = formats[f], .width = 8, .height = 8});
        image_fill_random(&image, &rng);
        const struct wf_sw_view plain = image_view(&image, &(struct wf_sw_view_desc){0});
        const struct wf_sw_view view = image_view(
            &image, &(struct wf_sw_view_desc){.swizzle = {WEFT_SWIZZLE_A, WEFT_SWIZZLE_ONE,
                                                          WEFT_SWIZZLE_ZERO, WEFT_SWIZZLE_R}});
        struct wf_sw_sampler sampler;
        wf_sw_sampler_init(
            &sampler, &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR});
        float u[64], v[64];
        for (int i = 0; i < 64; i++) {
            u[i] = (float)rng_below(&rng, 1000) / 999;
            v[i] = (float)rng_below(&rng, 1000) / 999;
        }
        const struct wf_sw_sample_args args = {.coords = {u, v}};
        uint32_t a[4][64], b[4][64];
        wf_sw_image_sample(&plain, &sampler, &args, UINT64_MAX, a);
        wf_sw_image_sample(&view, &sampler, &args, UINT64_MAX, b);
        const uint32_t one = f == 2 ? 1 : wf_base_float_bits(1.0f);
        for (int i = 0; i < 64; i++) {
            EXPECT_EQ(b[0][i], a[3][i]);
            EXPECT_EQ(b[1][i], one);
            EXPECT_EQ(b[2][i], 0);
            EXPECT_EQ(b[3][i], a[0][i]);
        }
        image_close(&image);
    }
}

TEST(image_sample, odd_coordinates_are_safe)
{
    static const float odd[] = {
        NAN,        -NAN,         INFINITY,      -INFINITY, 1e38f,       -1e38f, 1e-40f,  -1e-40f,
        8388608.5f, -16777217.0f, 2147483648.0f, -0.0f,     0.99999994f, 1.0f,   -1e-10f, 3e9f};
    static const weft_texture_kind kinds[] = {WEFT_TEXTURE_2D, WEFT_TEXTURE_CUBE, WEFT_TEXTURE_3D,
                                              WEFT_TEXTURE_1D};
    struct rng rng = {5};
    for (int k = 0; k < 8; k++) {
        const weft_texture_kind kind = kinds[k & 3];
        struct wf_sw_image image = image_open(
            &(weft_texture_desc){.kind = kind,
                                 .format = k < 4 ? WEFT_FORMAT_RGBA8_UNORM : WEFT_FORMAT_R16_UNORM,
                                 .width = 5,
                                 .height = kind == WEFT_TEXTURE_1D     ? 1
                                           : kind == WEFT_TEXTURE_CUBE ? 5
                                                                       : 3,
                                 .depth = kind == WEFT_TEXTURE_3D ? 7 : 1,
                                 .mips = WEFT_MIPS_ALL});
        image_fill_random(&image, &rng);
        const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
        for (uint32_t round = 0; round < 256; round++) {
            struct wf_sw_sampler sampler;
            const weft_sampler_desc desc = {.mag = round & 1,
                                            .min = round & 1,
                                            .mip = round >> 1 & 1,
                                            .u = (weft_address_mode)(round >> 2 & 3),
                                            .v = (weft_address_mode)(round >> 4 & 3),
                                            .w = (weft_address_mode)(round >> 6 & 3)};
            wf_sw_sampler_init(&sampler, &desc);
            float rows[5][64];
            int32_t offset[64];
            for (int r = 0; r < 5; r++)
                for (int i = 0; i < 64; i++)
                    rows[r][i] = odd[rng_below(&rng, 16)];
            for (int i = 0; i < 64; i++)
                offset[i] = rng_below(&rng, 2) ? INT32_MIN : INT32_MAX;
            const struct wf_sw_sample_args args = {
                .coords = {rows[0], rows[1], rows[2]},
                .lod = rows[3],
                .mode = (enum wf_sw_lod)(round % 3),
                .ddx = {rows[3], rows[4], rows[0]},
                .ddy = {rows[1], rows[4], rows[2]},
                .lod_min = round % 5 ? NULL : rows[4],
                .offset = {round % 7 ? NULL : offset, NULL, NULL},
                .gather = round % 11 == 0};
            uint32_t out[4][64];
            wf_sw_image_sample(&view, &sampler, &args, UINT64_MAX, out);
            for (int i = 0; i < 64; i++)
                EXPECT(lane_float(out, 0, (uint32_t)i) >= 0 &&
                       lane_float(out, 0, (uint32_t)i) <= 1);
        }
        image_close(&image);
    }
}

TEST(image_sample, nearest_just_below_a_period_is_the_last_texel)
{
    struct rng rng = {6};
    struct wf_sw_image image = image_open(
        &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM, .width = 5, .height = 1});
    image_fill_random(&image, &rng);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    struct wf_sw_sampler sampler;
    wf_sw_sampler_init(&sampler, &(weft_sampler_desc){0});
    float u[64], v[64];
    fill_row_f(u, -1e-12f);
    fill_row_f(v, 0);
    uint32_t out[4][64];
    wf_sw_image_sample(&view, &sampler, &(struct wf_sw_sample_args){.coords = {u, v}}, UINT64_MAX,
                       out);
    double last[4];
    texel_naive(&view, 0, 0, 4, 0, last);
    for (uint32_t i = 0; i < 64; i++)
        EXPECT_NEAR(lane_float(out, 1, i), last[1], 0);
    image_close(&image);
}

TEST(image_sample, equal_texels_come_back_exactly)
{
    static const weft_format formats[] = {WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_RGBA8_UNORM_SRGB,
                                          WEFT_FORMAT_BGRA8_UNORM, WEFT_FORMAT_RG8_UNORM};
    for (int f = 0; f < 4; f++)
        for (int code = 0; code < 256; code++) {
            struct wf_sw_image image = image_open(&(weft_texture_desc){
                .format = formats[f], .width = 4, .height = 4, .mips = WEFT_MIPS_ALL});
            memset(image.memory, code, image.size);
            const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
            struct wf_sw_sampler sampler;
            wf_sw_sampler_init(&sampler, &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR,
                                                              .min = WEFT_FILTER_LINEAR,
                                                              .mip = WEFT_FILTER_LINEAR});
            float u[64], v[64], lod[64];
            for (int i = 0; i < 64; i++) {
                u[i] = (float)i * 0.0371f;
                v[i] = (float)i * -0.0517f;
                lod[i] = (float)i * 0.037f;
            }
            uint32_t out[4][64];
            wf_sw_image_sample(&view, &sampler,
                               &(struct wf_sw_sample_args){
                                   .coords = {u, v}, .mode = WF_SW_LOD_EXPLICIT, .lod = lod},
                               UINT64_MAX, out);
            double texel[4];
            texel_naive(&view, 0, 0, 0, 0, texel);
            for (uint32_t i = 0; i < 64; i++)
                for (uint32_t c = 0; c < 4; c++)
                    EXPECT(lane_float(out, c, i) == (float)texel[c]);
            image_close(&image);
        }
}

#if defined(WF_SW_IMAGE_AVX2)
TEST(image_sample, instruction_sets_give_the_same_bits)
{
    static const weft_format formats[] = {WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_BGRA8_UNORM_SRGB};
    struct rng rng = {8};
    if (!wf_base_cpu_has_avx2())
        test_skip("no AVX2");
    for (int round = 0; round < 4000; round++) {
        struct wf_sw_image image = image_open(&(weft_texture_desc){.format = formats[round & 1],
                                                                   .width = 1 + rng_below(&rng, 70),
                                                                   .height = 1 + rng_below(&rng, 9),
                                                                   .layers = 2,
                                                                   .mips = WEFT_MIPS_ALL});
        image_fill_random(&image, &rng);
        const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
        float s[16], t[16], toward[16], a[4][16], b[4][16];
        uint32_t slices[16], first[16];
        uint8_t linear[16];
        for (int i = 0; i < 16; i++) {
            s[i] = (float)((int)rng_below(&rng, 60000) - 30000) / 7919;
            t[i] = wf_base_float_from_bits(rng_next(&rng) << 8);
            slices[i] = rng_below(&rng, 2);
            first[i] = round % 3 ? 0 : rng_below(&rng, image.mips);
            toward[i] = first[i] + 1 < image.mips ? (float)rng_below(&rng, 100) / 100 : 0;
            linear[i] = round % 5 ? 1 : rng_below(&rng, 2) != 0;
        }
        struct wf_sw_block block = {.view = &view,
                                    .u = (weft_address_mode)rng_below(&rng, 3),
                                    .v = (weft_address_mode)rng_below(&rng, 3),
                                    .s = s,
                                    .t = t,
                                    .slices = slices,
                                    .first = first,
                                    .toward = toward,
                                    .linear = linear,
                                    .mask = 0xffff,
                                    .color = a};
        wf_sw_sample_block(&block);
        block.color = b;
        wf_sw_sample_block_avx2(&block);
        EXPECT_MEM(a, b, sizeof a);
        image_close(&image);
    }
}
#endif
