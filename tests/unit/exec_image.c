#include <math.h>
#include <string.h>

#include "backends/software/image/image.h"
#include "base/alloc.h"
#include "exec_support.h"

#include "exec_image.frag.spv.h"

enum { SIDE = 4, IMAGES = 4 };

struct pictures {
    struct exec e;
    struct wf_sw_image images[IMAGES];
    struct wf_sw_view views[IMAGES];
    struct wf_sw_sampler nearest, linear;
    struct wf_sw_binding elements[6], heap[3];
    struct wf_sw_binding_range ranges[5], heap_range;
    struct wf_sw_batch b;
};

static uint32_t *texel(struct pictures *p, int image, size_t x, size_t y)
{
    const struct wf_sw_image *i = &p->images[image];
    return (uint32_t *)(void *)wf_sw_image_row(i, &i->main, 0, 0, 0, (uint32_t)y) + x;
}

static void make_image(struct pictures *p, int i, weft_format format)
{
    const weft_texture_desc desc = {.format = format, .width = SIDE, .height = SIDE};
    EXPECT(wf_sw_image_init(&p->images[i], &desc));
    p->images[i].memory = wf_base_alloc_aligned(wf_base_allocator_default(), p->images[i].size, 64);
    memset(p->images[i].memory, 0, p->images[i].size);
    EXPECT(wf_sw_view_init(&p->views[i], &p->images[i], &(struct wf_sw_view_desc){0}));
    for (size_t y = 0; y < SIDE; y++) {
        for (size_t x = 0; x < SIDE && i < 2; x++)
            *texel(p, i, x, y) = (uint32_t)(y * 16 + x) | (uint32_t)i * 0x8000 | 0xff000000u;
    }
}

static void run(struct pictures *p)
{
    memset(p, 0, sizeof *p);
    p->e = exec_open(exec_image_frag, sizeof exec_image_frag, NULL);
    for (int i = 0; i < IMAGES; i++)
        make_image(p, i, i == 3 ? WEFT_FORMAT_R32_UINT : WEFT_FORMAT_RGBA8_UNORM);
    wf_sw_sampler_init(
        &p->nearest, &(weft_sampler_desc){.min = WEFT_FILTER_NEAREST, .mag = WEFT_FILTER_NEAREST});
    p->elements[0] = (struct wf_sw_binding){.view = &p->views[0], .sampler = &p->nearest};
    p->elements[1].view = &p->views[0];
    p->elements[2].view = &p->views[1];
    p->elements[3].sampler = &p->nearest;
    p->elements[4].view = &p->views[2];
    p->elements[5].view = &p->views[3];
    static const struct wf_sw_binding_range ranges[5] = {{0, 1}, {1, 2}, {3, 1}, {4, 1}, {5, 1}};
    memcpy(p->ranges, ranges, sizeof ranges);
    p->heap[0].view = &p->views[0];
    p->heap[2].view = &p->views[1];
    p->heap_range.count = 3;
    p->e.resources.sets[0] = (struct wf_sw_table){p->elements, p->ranges, 5};
    p->e.resources.sets[3] = (struct wf_sw_table){p->heap, &p->heap_range, 1};
    EXPECT(wf_sw_prepare(p->e.context, p->e.program, &p->b));
    for (size_t i = 0; i < 64; i++) {
        const size_t quad = i / 4, x = quad % 2 * 2 + (i & 1), y = quad / 2 % 2 * 2 + (i >> 1 & 1);
        p->b.inputs[exec_input(&p->e, WF_SHADER_NONE, 0, 0)][i] = exec_bits(((float)x + 0.5f) / 4);
        p->b.inputs[exec_input(&p->e, WF_SHADER_NONE, 0, 1)][i] = exec_bits(((float)y + 0.5f) / 4);
    }
    p->b.active = 0xffff;
    EXPECT_EQ(wf_sw_run(p->e.context, p->e.program, &p->e.resources, &p->b), WF_SW_OK);
}

static void finish(struct pictures *p)
{
    for (int i = 0; i < IMAGES; i++)
        wf_base_free(wf_base_allocator_default(), p->images[i].memory, p->images[i].size);
    exec_close(&p->e);
}

static float color(const struct pictures *p, uint32_t location, uint32_t c, size_t lane)
{
    return exec_float(p->b.outputs[exec_output(&p->e, WF_SHADER_NONE, location, c)][lane]);
}

TEST(exec_image, textures_are_sampled_and_fetched)
{
    static struct pictures p;
    run(&p);
    for (size_t i = 0; i < 16; i++) {
        const size_t quad = i / 4, x = quad % 2 * 2 + (i & 1), y = quad / 2 * 2 + (i >> 1 & 1);
        const float red = (float)(y * 16 + x) / 255;
        EXPECT_NEAR(color(&p, 0, 0, i), red, 1e-6);
        EXPECT_NEAR(color(&p, 0, 1, i), 0, 1e-6);
        EXPECT_NEAR(color(&p, 1, 0, i), red + 4, 1e-5);
        EXPECT_NEAR(color(&p, 1, 1, i), 128.0f / 255 + 4, 1e-5);
        EXPECT_NEAR(color(&p, 1, 2, i), 1, 1e-5);
    }
    finish(&p);
}

TEST(exec_image, lanes_may_differ_in_their_descriptors)
{
    static struct pictures p;
    run(&p);
    for (size_t i = 0; i < 16; i++) {
        const size_t quad = i / 4, x = quad % 2 * 2 + (i & 1), y = quad / 2 * 2 + (i >> 1 & 1);
        const float red = (float)(y * 16 + x) / 255;
        EXPECT_NEAR(color(&p, 2, 0, i), red, 1e-6);
        EXPECT_NEAR(color(&p, 2, 1, i), (x & 1) ? 128.0f / 255 : 0, 1e-6);
        const bool there = y == 0 || y == 2; // element 1 is empty, element 3 is not there
        EXPECT_NEAR(color(&p, 3, 0, i), there ? red : 0, 1e-6);
        EXPECT_NEAR(color(&p, 3, 1, i), y == 2 ? 128.0f / 255 : 0, 1e-6);
        EXPECT(color(&p, 3, 3, i) == (there ? 1.0f : 0.0f)); // mips
    }
    finish(&p);
}

TEST(exec_image, images_are_written_and_counted_in)
{
    static struct pictures p;
    run(&p);
    for (size_t y = 0; y < SIDE; y++) {
        for (size_t x = 0; x < SIDE; x++) {
            const uint32_t t = *texel(&p, 2, x, y);
            EXPECT_NEAR((double)(t & 255), (x + 0.5) / 4 * 255, 0.51);
            EXPECT_NEAR((double)(t >> 8 & 255), (y + 0.5) / 4 * 255, 0.51);
            EXPECT_EQ(t >> 24, 255);
        }
    }
    EXPECT_EQ(*texel(&p, 3, 0, 0), 16);
    const struct wf_sw_program_info *info = wf_sw_program_info(p.e.program);
    EXPECT(info->side_effects && info->derivatives);
    finish(&p);
}
