// Draws that the GPU decides on by itself: a compute shader reads what there is through a pointer,
// writes the draws and their number through another, and the vertex shader fetches through a third.
#include "cases.h"
#include "draw.h"

#include "driven.comp.spv.h"
#include "driven.vert.spv.h"
#include "layer.frag.spv.h"

enum { SIZE = 16, THINGS = 100 };

/// As in driven.glsl.
struct thing {
    float at[2], size;
    uint32_t wanted;
    float color[4];
};

struct scene {
    struct thing things[THINGS];
    uint32_t most; ///< Draws at most: fewer than are wanted, perhaps.
};

static void fill(struct scene *s)
{
    for (uint32_t i = 0; i < THINGS; i++) {
        const uint32_t cell = i * 37 % (SIZE * SIZE), row = cell / SIZE; // all different
        s->things[i] = (struct thing){.at = {(float)(cell % SIZE), (float)row},
                                      .size = 1,
                                      .wanted = i % 3 != 1,
                                      .color = {(float)i / 255, 1, 0.5F, 1}};
    }
}

static void draw_things(struct conform *c, const struct scene *s, weft_buffer draws,
                        weft_texture target)
{
    const weft_buffer things =
        conform_buffer(c, WEFT_BUFFER_USAGE_ADDRESS, sizeof s->things, s->things);
    const uint32_t count = THINGS;
    const weft_graphics_pipeline pipeline = conform_pipeline(
        c, &(weft_graphics_pipeline_desc){.vertex.shader = CONFORM_SHADER(c, driven_vert),
                                          .fragment.shader = CONFORM_SHADER(c, layer_frag),
                                          .colors = {WEFT_FORMAT_RGBA8_UNORM}});
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *compute = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(compute, conform_compute(c, CONFORM_SHADER(c, driven_comp)));
    weft_compute_set_root_pointer(compute, 0, things, 0);
    weft_compute_set_root_pointer(compute, 8, draws, 0);
    weft_compute_set_root(compute, 16, &count, sizeof count);
    weft_compute_dispatch(compute, 1, 1, 1);
    weft_compute_end(compute);
    conform_barrier(cmd);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_root_pointer(enc, WEFT_SHADER_STAGE_VERTEX, 0, things, 0);
    weft_render_draw_indirect(
        enc, &(weft_indirect_draws){
                 .buffer = draws, .offset = 16, .max_count = s->most, .count_buffer = draws});
    weft_render_end(enc);
    conform_submit(c, cmd);
}

static struct conform_texel wanted(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct scene *s = user;
    (void)z;
    for (uint32_t i = 0; i < THINGS; i++) {
        const struct thing *t = &s->things[i];
        if (t->wanted && t->at[0] == (float)x && t->at[1] == (float)(SIZE - 1 - y))
            return (struct conform_texel){{i / 255.0, 1, 0.5, 1}};
    }
    return (struct conform_texel){{0, 0, 0, 1}};
}

void case_gpu_driven_draws(struct conform *c)
{
    struct scene s = {.most = THINGS};
    fill(&s);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    const weft_buffer draws =
        conform_buffer(c, WEFT_BUFFER_USAGE_ADDRESS | WEFT_BUFFER_USAGE_INDIRECT, 16 + 16 * THINGS,
                       (const uint8_t[16 + 16 * THINGS]){0});
    draw_things(c, &s, draws, target);
    conform_expect_texels(c, target, NULL, wanted, &s, 0.6 / 255);
}

/// Fewer draws than were written: which ones is up to the device, how many is not.
void case_gpu_driven_at_most(struct conform *c)
{
    struct scene s = {.most = 20};
    fill(&s);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    const weft_buffer draws =
        conform_buffer(c, WEFT_BUFFER_USAGE_ADDRESS | WEFT_BUFFER_USAGE_INDIRECT, 16 + 16 * THINGS,
                       (const uint8_t[16 + 16 * THINGS]){0});
    draw_things(c, &s, draws, target);
    uint8_t texels[SIZE][SIZE][4];
    if (!conform_read_texels(c, target, texels, sizeof texels))
        return;
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        drawn += texels[i / SIZE][i % SIZE][1] == 255;
    if (drawn != s.most)
        conform_fail(c, "%u draws were done, not %u", drawn, s.most);
}
