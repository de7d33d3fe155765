// Passes over several layers: each has tiles, and an order, of its own.
#include <stdlib.h>
#include <string.h>

#include "raster_support.h"
#include "support/test.h"

#include "base/hash.h"

enum { WIDTH = 150, HEIGHT = 100, LAYERS = 5, TRIANGLES = 300 };

/// A pass with planes of several layers in place of the fixture's.
struct layered {
    struct raster_fixture f;
    float *color, *resolve;
    size_t plane; ///< Floats of one sample of a layer.
    uint32_t samples;
};

static void open_layered(struct layered *l, uint32_t threads, uint32_t samples)
{
    const struct wf_sw_raster_plane plane = {.row_bytes = WIDTH * sizeof(float),
                                             .format = WEFT_FORMAT_R32_FLOAT};
    l->f = raster_open(threads, WIDTH, HEIGHT, samples, WEFT_FORMAT_NONE, WEFT_FORMAT_NONE);
    l->samples = samples;
    l->plane = (size_t)WIDTH * HEIGHT;
    l->color = calloc(l->plane * samples * LAYERS, sizeof(float));
    l->resolve = calloc(l->plane * LAYERS, sizeof(float));
    struct wf_sw_raster_color *out = &l->f.pass.colors[0];
    out->plane = plane;
    out->plane.data = (uint8_t *)l->color;
    out->plane.sample_bytes = l->plane * sizeof(float);
    out->plane.layer_bytes = l->plane * samples * sizeof(float);
    out->load = WEFT_LOAD_CLEAR;
    if (samples > 1) {
        out->resolve = plane;
        out->resolve.data = (uint8_t *)l->resolve;
        out->resolve.layer_bytes = l->plane * sizeof(float);
    }
    l->f.pass.layers = LAYERS;
    l->f.draw.vertex = &vertex_layers;
    l->f.draw.fragment = &fragment_layer;
}

static void close_layered(struct layered *l)
{
    raster_close(&l->f);
    free(l->color);
    free(l->resolve);
}

static float texel(const struct layered *l, uint32_t layer, uint32_t sample, uint32_t at)
{
    return l->color[(layer * l->samples + sample) * l->plane + at];
}

TEST(raster_layers, each_goes_to_its_own_and_others_to_none)
{
    for (uint32_t samples = 1; samples <= 8; samples *= 2) {
        struct layered l;
        static struct raster_vertex v[6 * 4];
        static const float layers[4] = {3, -1, 0, LAYERS};
        open_layered(&l, 3, samples);
        for (uint32_t i = 0; i < 4; i++)
            raster_quad(v + (size_t)6 * i, 0.5f, (const float[4]){1, 1, 1, layers[i]});
        raster_once(&l.f, v, 6 * 4);
        for (uint32_t layer = 0; layer < LAYERS; layer++) {
            const float want = layer == 0 || layer == 3 ? (float)layer + 1 : 0;
            for (uint32_t at = 0; at < WIDTH * HEIGHT; at += 7) {
                for (uint32_t s = 0; s < samples; s++)
                    EXPECT(texel(&l, layer, s, at) == want);
                EXPECT(samples == 1 || l.resolve[layer * l.plane + at] == want);
            }
        }
        close_layered(&l);
    }
}

static uint64_t draw_many(uint32_t threads, uint32_t samples)
{
    static struct raster_vertex v[3 * TRIANGLES];
    struct layered l;
    uint64_t seed = 11;
    open_layered(&l, threads, samples);
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        const float layer = (float)(i / 3 * 7 % (LAYERS + 1));
        v[i] = (struct raster_vertex){(float)raster_random(&seed) * 0x1p-30f - 1,
                                      (float)raster_random(&seed) * 0x1p-30f - 1,
                                      0.5f,
                                      1,
                                      {1, 1, 1, layer}};
    }
    l.f.draw.blend.targets[0] =
        (weft_blend_target){.enable = true,
                            .color = {.src = WEFT_BLEND_ONE, .dst = WEFT_BLEND_CONSTANT},
                            .alpha = {.src = WEFT_BLEND_ONE, .dst = WEFT_BLEND_ONE}};
    l.f.draw.blend_constant[0] = 0.75f; // the order shows
    raster_once(&l.f, v, 3 * TRIANGLES);
    uint64_t hash = wf_base_hash_bytes(l.color, l.plane * samples * LAYERS * sizeof(float));
    hash =
        wf_base_hash_combine(hash, wf_base_hash_bytes(l.resolve, l.plane * LAYERS * sizeof(float)));
    close_layered(&l);
    return hash;
}

TEST(raster_layers, the_bits_are_the_same_on_any_number_of_threads)
{
    for (uint32_t samples = 1; samples <= 4; samples *= 4) {
        const uint64_t one = draw_many(1, samples);
        EXPECT_EQ(draw_many(2, samples), one);
        EXPECT_EQ(draw_many(7, samples), one);
    }
}
