// How many samples a second one core takes: batches of 64 lanes that walk over a texture as a
// rasterizer would, 2×2 quads in 16×4 blocks. Prints the median of five runs per CPU-second. An
// argument picks the scenes whose names contain it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/software/image/image.h"

struct scene {
    const char *name;
    weft_texture_kind kind;
    weft_format format;
    weft_sampler_desc sampler;
    float texels_per_pixel;
};

enum { SIDE = 1024, RUNS = 5, BATCHES = 1 << 15 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Pixel positions of a batch: 16 quads, 8 across and 2 down, at batch `b` of the screen.
static void place(uint32_t b, float scale, float rows[3][WF_SW_IMAGE_LANES])
{
    const uint32_t x0 = b * 16 % SIDE, y0 = b * 16 / SIDE * 4 % SIDE;
    for (uint32_t i = 0; i < WF_SW_IMAGE_LANES; i++) {
        const uint32_t quad = i / 4, x = x0 + quad % 8 * 2, y = y0 + quad / 8 * 2;
        rows[0][i] = ((float)(x + (i & 1)) + 0.3f) * scale;
        rows[1][i] = ((float)(y + (i >> 1 & 1)) + 0.3f) * scale;
        rows[2][i] = 0.4f;
    }
}

static double run(const struct wf_sw_view *view, const struct wf_sw_sampler *sampler,
                  const struct scene *scene)
{
    const float scale = scene->texels_per_pixel / SIDE;
    static float rows[256][3][WF_SW_IMAGE_LANES];
    uint32_t out[4][WF_SW_IMAGE_LANES], sum = 0;
    double taken = 0;
    for (uint32_t b = 0; b < BATCHES; b += 256) {
        for (uint32_t k = 0; k < 256; k++)
            place(b + k, scale, rows[k]);
        const double start = seconds();
        for (uint32_t k = 0; k < 256; k++) {
            const struct wf_sw_sample_args args = {.coords = {rows[k][0], rows[k][1], rows[k][2]}};
            wf_sw_image_sample(view, sampler, &args, UINT64_MAX, out);
            sum += out[0][k % WF_SW_IMAGE_LANES];
        }
        taken += seconds() - start;
    }
    volatile uint32_t sink = sum; // the results count
    (void)sink;
    return taken;
}

static void measure(const struct scene *scene)
{
    struct wf_sw_image image;
    if (!wf_sw_image_init(&image, &(weft_texture_desc){.kind = scene->kind,
                                                       .format = scene->format,
                                                       .width = SIDE,
                                                       .height = SIDE,
                                                       .mips = WEFT_MIPS_ALL}))
        return;
    image.memory = aligned_alloc(WF_SW_IMAGE_ALIGN, image.size);
    if (!image.memory)
        return;
    for (uint64_t i = 0; i < image.size; i++)
        image.memory[i] = (uint8_t)(i * 2654435761u >> 16);
    struct wf_sw_view view;
    struct wf_sw_sampler sampler;
    double times[RUNS];
    wf_sw_sampler_init(&sampler, &scene->sampler);
    if (wf_sw_view_init(&view, &image, &(struct wf_sw_view_desc){0})) {
        for (int i = 0; i < RUNS; i++)
            times[i] = run(&view, &sampler, scene);
        qsort(times, RUNS, sizeof times[0], compare_doubles);
        printf("%-28s %8.1f Mpix/s per core\n", scene->name,
               (double)BATCHES * WF_SW_IMAGE_LANES / times[RUNS / 2] / 1e6);
    }
    free(image.memory);
}

#define LINEAR .mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR

static const struct scene scenes[] = {
    {"nearest rgba8", WEFT_TEXTURE_2D, WEFT_FORMAT_RGBA8_UNORM, {.only_base_mip = true}, 0.9f},
    {"bilinear rgba8 repeat",
     WEFT_TEXTURE_2D,
     WEFT_FORMAT_RGBA8_UNORM,
     {LINEAR, .only_base_mip = true},
     0.9f},
    {"bilinear rgba8 clamp",
     WEFT_TEXTURE_2D,
     WEFT_FORMAT_RGBA8_UNORM,
     {LINEAR, .only_base_mip = true, .u = WEFT_ADDRESS_CLAMP_TO_EDGE,
      .v = WEFT_ADDRESS_CLAMP_TO_EDGE},
     0.9f},
    {"bilinear rgba8 srgb",
     WEFT_TEXTURE_2D,
     WEFT_FORMAT_RGBA8_UNORM_SRGB,
     {LINEAR, .only_base_mip = true},
     0.9f},
    {"trilinear rgba8",
     WEFT_TEXTURE_2D,
     WEFT_FORMAT_RGBA8_UNORM,
     {LINEAR, .mip = WEFT_FILTER_LINEAR},
     1.7f},
    {"trilinear rgba8 srgb",
     WEFT_TEXTURE_2D,
     WEFT_FORMAT_RGBA8_UNORM_SRGB,
     {LINEAR, .mip = WEFT_FILTER_LINEAR},
     1.7f},
    {"trilinear rgba8 cube",
     WEFT_TEXTURE_CUBE,
     WEFT_FORMAT_RGBA8_UNORM,
     {LINEAR, .mip = WEFT_FILTER_LINEAR},
     1.7f},
    {"bilinear r8", WEFT_TEXTURE_2D, WEFT_FORMAT_R8_UNORM, {LINEAR, .only_base_mip = true}, 0.9f},
    {"bilinear rgba16f",
     WEFT_TEXTURE_2D,
     WEFT_FORMAT_RGBA16_FLOAT,
     {LINEAR, .only_base_mip = true},
     0.9f},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        if (argc < 2 || strstr(scenes[i].name, argv[1]))
            measure(&scenes[i]);
    return 0;
}
