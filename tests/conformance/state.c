// State: what setting a pipeline installs and what it leaves alone, passes without attachments,
// tests before the shader, depth ranges.
#include "cases.h"
#include "draw.h"

#include "early.frag.spv.h"

enum { SIZE = 8 };

/// A pipeline brings its own first state along, and leaves scissor, blend constant and root alone.
void case_state_of_a_pipeline(struct conform *c)
{
    static const float half[4] = {0.4F, 0.4F, 0.4F, 1};
    const weft_pipeline_state states[2] = {
        {.blend.targets[0] = {.enable = true,
                              .color = {WEFT_BLEND_CONSTANT, WEFT_BLEND_ZERO, WEFT_BLEND_OP_ADD}}},
        {.blend.targets[0].mask = WEFT_COLOR_MASK_R}};
    weft_graphics_pipeline_desc desc = {
        .colors = {WEFT_FORMAT_RGBA8_UNORM}, .states = states, .state_count = 2};
    conform_rect_shaders(c, &desc);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_blend_constant(enc, half);
    weft_render_set_scissor(enc, &(weft_rect){0, 0, SIZE, SIZE / 2});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_blend(enc, &states[1].blend);
    conform_draw_clip_rect(enc, (const float[4]){-1, -1, 0, 1}, 0, conform_white); // red only
    weft_render_set_pipeline(enc, pipeline);                                       // again its own
    conform_draw_clip_rect(enc, (const float[4]){0, -1, 1, 1}, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    uint8_t texels[SIZE][SIZE][4];
    if (!conform_read_texels(c, target, texels, sizeof texels))
        return;
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        const uint32_t x = i % SIZE, y = i / SIZE;
        const uint8_t *t = texels[y][x];
        const uint32_t red = y >= SIZE / 2  ? 0
                             : x < SIZE / 2 ? 255
                                            : 102,
                       green = y >= SIZE / 2 || x < SIZE / 2 ? 0 : 102;
        if (t[0] != red || t[1] != green)
            conform_fail(c, "texel %u, %u is %u, %u; not %u, %u", x, y, t[0], t[1], red, green);
    }
}

/// A pass of 5×3 without attachments runs fragments all the same: an occlusion query counts them.
void case_state_no_attachments(struct conform *c)
{
    weft_query_pool pool;
    weft_query_pool_create(conform_device(c),
                           &(weft_query_pool_desc){.kind = WEFT_QUERY_OCCLUSION, .count = 2},
                           &pool);
    conform_check(c);
    weft_graphics_pipeline_desc desc = {0};
    conform_rect_shaders(c, &desc);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.width = 5, .height = 3, .occlusion = pool});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_begin_occlusion(enc, 0);
    conform_fill(enc, 0, conform_white);
    weft_render_end_occlusion(enc);
    weft_render_begin_occlusion(enc, 1);
    conform_draw_rect(enc, &(weft_rect){1, 0, 3, 2}, 5, 3, 0, conform_white);
    weft_render_end_occlusion(enc);
    weft_render_end(enc);
    conform_submit(c, cmd);
    uint64_t got[2];
    CONFORM_EXPECT(c,
                   weft_query_pool_read(conform_device(c), pool, 0, 2, got, sizeof got) == WEFT_OK);
    if (conform_draws(c))
        CONFORM_EXPECT(c, got[0] == 15 && got[1] == 6);
}

/// A pass with a depth that is cleared to 1, and a rectangle at `z` through that viewport range.
static weft_texture depth_of(struct conform *c, const weft_graphics_pipeline_desc *given, float z,
                             const float range[2], weft_texture *color)
{
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_ALWAYS, .depth_write = true}};
    weft_graphics_pipeline_desc desc = *given;
    desc.states = &state;
    desc.state_count = 1;
    desc.colors[0] = WEFT_FORMAT_RGBA8_UNORM;
    desc.depth_stencil = WEFT_FORMAT_D32_FLOAT;
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    *color = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    const weft_texture depth = conform_target(c, WEFT_FORMAT_D32_FLOAT, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = conform_view(c, *color),
                                                    .load = WEFT_LOAD_CLEAR,
                                                    .clear = {.f = {0, 0, 0, 1}}},
                                      .depth_stencil = conform_view(c, depth),
                                      .depth_load = WEFT_LOAD_CLEAR,
                                      .clear_depth = 1});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_viewport(enc, &(weft_viewport){0, 0, SIZE, SIZE, range[0], range[1]});
    conform_fill(enc, z, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return depth;
}

/// A range may run backwards.
void case_state_reversed_depth_range(struct conform *c)
{
    weft_graphics_pipeline_desc desc = {0};
    conform_rect_shaders(c, &desc);
    weft_texture color;
    conform_expect_color(c, depth_of(c, &desc, 0.25F, (const float[2]){1, 0}, &color),
                         (const double[4]){0.75, 0, 0, 1}, 0);
}

/// Clamping keeps depth within the viewport's range.
void case_state_clamp_to_the_range(struct conform *c)
{
    weft_graphics_pipeline_desc desc = {.flags = WEFT_PIPELINE_DEPTH_CLAMP};
    conform_rect_shaders(c, &desc);
    weft_texture color;
    conform_expect_color(c, depth_of(c, &desc, 2, (const float[2]){0.25F, 0.5F}, &color),
                         (const double[4]){0.5, 0, 0, 1}, 0);
    conform_expect_color(c, depth_of(c, &desc, -1, (const float[2]){0.25F, 0.5F}, &color),
                         (const double[4]){0.25, 0, 0, 1}, 0);
}

/// With early tests depth is written even where the shader gives up.
void case_state_early_tests(struct conform *c)
{
    weft_graphics_pipeline_desc desc = {0};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, early_frag);
    weft_texture color;
    conform_expect_color(c, depth_of(c, &desc, 0.25F, (const float[2]){0, 1}, &color),
                         (const double[4]){0.25, 0, 0, 1}, 0);
    struct conform_marks marks = {0};
    for (uint32_t x = 0; x < SIZE; x += 2)
        conform_mark(&marks, x, 0, 1, SIZE);
    conform_expect_texels(c, color, NULL, conform_marked, &marks, 0);
}
