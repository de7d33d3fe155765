// Gathers and depth comparisons.
#include <math.h>

#include "image_fixture.h"

static float texel_of(const struct wf_sw_view *view, int x, int y, uint32_t c)
{
    const int w = (int)view->plane->mips[0].width, h = (int)view->plane->mips[0].height;
    uint32_t words[4];
    x = (x % w + w) % w;
    y = (y % h + h) % h;
    image_load(view->image, view->format, (struct place){.x = (uint32_t)x, .y = (uint32_t)y},
               words);
    return wf_base_float_from_bits(words[c]);
}

TEST(image_gather, four_texels_come_in_their_order)
{
    struct rng rng = {1};
    struct wf_sw_image image = image_open(
        &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM, .width = 6, .height = 7});
    image_fill_random(&image, &rng);
    const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
    struct wf_sw_sampler sampler;
    wf_sw_sampler_init(&sampler, &(weft_sampler_desc){0}); // the filter does not matter
    static const int32_t four[4][2] = {{0, 0}, {3, -1}, {-2, 5}, {7, 7}};
    for (int round = 0; round < 100; round++) {
        float u[64], v[64];
        int32_t dx[64];
        for (int i = 0; i < 64; i++) {
            u[i] = (float)((int)rng_below(&rng, 96) - 32) / 16;
            v[i] = (float)((int)rng_below(&rng, 96) - 32) / 16;
            dx[i] = (int32_t)rng_below(&rng, 9) - 4;
        }
        const uint32_t component = rng_below(&rng, 4);
        struct wf_sw_sample_args args = {
            .coords = {u, v}, .gather = true, .component = component, .offset = {dx}};
        uint32_t out[4][64], apart[4][64];
        wf_sw_image_sample(&view, &sampler, &args, UINT64_MAX, out);
        args.offset[0] = NULL;
        args.gather_offsets = four;
        wf_sw_image_sample(&view, &sampler, &args, UINT64_MAX, apart);
        for (uint32_t i = 0; i < 64; i++) {
            const int x = (int)floor(u[i] * 6.0 - 0.5), y = (int)floor(v[i] * 7.0 - 0.5);
            static const int step[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
            for (uint32_t k = 0; k < 4; k++) {
                EXPECT(lane_float(out, k, i) ==
                       texel_of(&view, x + step[k][0] + dx[i], y + step[k][1], component));
                EXPECT(lane_float(apart, k, i) ==
                       texel_of(&view, x + four[k][0], y + four[k][1], component));
            }
        }
    }
    image_close(&image);
}

TEST(image_gather, comparisons_come_before_the_filter)
{
    static const weft_format formats[] = {WEFT_FORMAT_D16_UNORM, WEFT_FORMAT_D24_UNORM_S8_UINT,
                                          WEFT_FORMAT_D32_FLOAT};
    struct rng rng = {2};
    for (int f = 0; f < 3; f++)
        for (int op = WEFT_COMPARE_NEVER; op <= WEFT_COMPARE_ALWAYS; op++) {
            struct wf_sw_image image =
                image_open(&(weft_texture_desc){.format = formats[f], .width = 8, .height = 8});
            image_fill_random(&image, &rng);
            const struct wf_sw_view view = image_view(&image, &(struct wf_sw_view_desc){0});
            EXPECT_EQ(view.aspect, WEFT_ASPECT_DEPTH);
            struct wf_sw_sampler sampler;
            wf_sw_sampler_init(&sampler, &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR,
                                                              .min = WEFT_FILTER_LINEAR,
                                                              .compare = (weft_compare)op});
            float u[64], v[64], ref[64];
            for (int i = 0; i < 64; i++) {
                u[i] = (float)rng_below(&rng, 64) / 64;
                v[i] = (float)rng_below(&rng, 64) / 64;
                ref[i] = i % 3 ? (float)rng_below(&rng, 101) / 100
                               : texel_of(&view, (int)floor(u[i] * 8 - 0.5f),
                                          (int)floor(v[i] * 8 - 0.5f), 0);
            }
            ref[5] = 7.0f; // beyond what fixed point holds: as 1
            struct wf_sw_sample_args args = {.coords = {u, v}, .dref = ref};
            uint32_t out[4][64], gathered[4][64];
            wf_sw_image_sample(&view, &sampler, &args, UINT64_MAX, out);
            args.gather = true;
            wf_sw_image_sample(&view, &sampler, &args, UINT64_MAX, gathered);
            for (uint32_t i = 0; i < 64; i++) {
                const double x = u[i] * 8 - 0.5, y = v[i] * 8 - 0.5;
                const double wx = x - floor(x), wy = y - floor(y);
                const float r = f < 2 && ref[i] > 1 ? 1 : ref[i];
                double pass[4];
                for (int k = 0; k < 4; k++) {
                    const float d =
                        texel_of(&view, (int)floor(x) + (k & 1), (int)floor(y) + (k >> 1), 0);
                    const bool results[] = {false,  false,  r<d, r == d, r <= d, r> d,
                                            r != d, r >= d, true};
                    pass[k] = results[op];
                }
                EXPECT_NEAR(lane_float(out, 0, i),
                            (pass[0] * (1 - wx) + pass[1] * wx) * (1 - wy) +
                                (pass[2] * (1 - wx) + pass[3] * wx) * wy,
                            1e-6);
                EXPECT_EQ(out[1][i], 0);
                EXPECT_NEAR(lane_float(out, 3, i), 1, 0);
                EXPECT_NEAR(lane_float(gathered, 0, i), pass[2], 0);
                EXPECT_NEAR(lane_float(gathered, 1, i), pass[3], 0);
                EXPECT_NEAR(lane_float(gathered, 2, i), pass[1], 0);
                EXPECT_NEAR(lane_float(gathered, 3, i), pass[0], 0);
            }
            image_close(&image);
        }
}

TEST(image_gather, stencil_reads_as_integers)
{
    struct wf_sw_image image = image_open(
        &(weft_texture_desc){.format = WEFT_FORMAT_D32_FLOAT_S8_UINT, .width = 4, .height = 1});
    uint8_t *row = wf_sw_image_row(&image, &image.stencil, 0, 0, 0, 0);
    memcpy(row, (const uint8_t[4]){1, 2, 3, 255}, 4);
    const struct wf_sw_view view =
        image_view(&image, &(struct wf_sw_view_desc){.aspect = WEFT_ASPECT_STENCIL});
    EXPECT_EQ(view.sample_class, WEFT_SAMPLE_CLASS_UINT);
    struct wf_sw_sampler sampler;
    wf_sw_sampler_init(&sampler, &(weft_sampler_desc){0});
    float u[64];
    for (int i = 0; i < 64; i++)
        u[i] = ((float)(i % 4) + 0.5f) / 4;
    uint32_t out[4][64];
    wf_sw_image_sample(&view, &sampler, &(struct wf_sw_sample_args){.coords = {u}}, UINT64_MAX,
                       out);
    EXPECT_EQ(out[0][2], 3);
    EXPECT_EQ(out[0][3], 255);
    EXPECT_EQ(out[1][3], 0);
    EXPECT_EQ(out[3][3], 1);
    image_close(&image);
}
