// The depth test: comparisons, writes, a second pass over the same triangles, read-only depth.
#include "cases.h"
#include "draw.h"

#include "depth_out.frag.spv.h"
#include "fetch.frag.spv.h"

enum { SIZE = 8 };

static weft_texture depth_target(struct conform *c, uint32_t width, uint32_t height)
{
    return conform_target(c, WEFT_FORMAT_D32_FLOAT, width, height);
}

/// A pass on a black color and a depth that is cleared to `clear`.
static weft_render_encoder *begin(struct conform *c, weft_command_buffer *cmd, weft_texture color,
                                  weft_texture depth, float clear)
{
    return weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = conform_view(c, color),
                                                    .load = WEFT_LOAD_CLEAR,
                                                    .clear = {.f = {0, 0, 0, 1}}},
                                      .depth_stencil = conform_view(c, depth),
                                      .depth_load = WEFT_LOAD_CLEAR,
                                      .clear_depth = clear});
}

/// Row by row each comparison, at depths below, at and above the stored 0.5.
void case_depth_compares(struct conform *c)
{
    static const float depths[] = {0.25F, 0.5F, 0.75F};
    const weft_texture color = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 3, 8);
    const weft_texture depth = depth_target(c, 3, 8);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = begin(c, cmd, color, depth, 0.5F);
    weft_render_set_pipeline(
        enc, conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_D32_FLOAT, NULL));
    struct conform_marks marks = {0};
    for (int32_t row = 0; row < 8; row++) {
        const weft_compare compare = (weft_compare)(WEFT_COMPARE_NEVER + row);
        weft_render_set_depth_stencil(enc, &(weft_depth_stencil_state){.depth = compare});
        for (int32_t x = 0; x < 3; x++) {
            conform_draw_rect(enc, &(weft_rect){x, row, 1, 1}, 3, 8, depths[x], conform_white);
            marks.at[row][x] = conform_compares(compare, depths[x], 0.5);
        }
    }
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, color, NULL, conform_marked, &marks, 0);
    conform_expect_color(c, depth, (const double[4]){0.5, 0, 0, 1}, 0);
}

static struct conform_texel stored_depth(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)y;
    (void)z;
    // 0: written; 1: not written; 2: failed the test; 3: the test is off, so nothing is written.
    return (struct conform_texel){{x == 0 ? 0.25 : 0.5, 0, 0, 1}};
}

/// Depth changes only where it is written, by fragments that pass.
void case_depth_write(struct conform *c)
{
    static const weft_depth_stencil_state states[4] = {
        {.depth = WEFT_COMPARE_LESS, .depth_write = true},
        {.depth = WEFT_COMPARE_LESS},
        {.depth = WEFT_COMPARE_GREATER, .depth_write = true},
        {0}};
    const weft_texture color = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 4, 4);
    const weft_texture depth = depth_target(c, 4, 4);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = begin(c, cmd, color, depth, 0.5F);
    weft_render_set_pipeline(
        enc, conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_D32_FLOAT, NULL));
    for (int32_t x = 0; x < 4; x++) {
        weft_render_set_depth_stencil(enc, &states[x]);
        conform_draw_rect(enc, &(weft_rect){x, 0, 1, 4}, 4, 4, 0.25F, conform_white);
    }
    weft_render_end(enc);
    conform_submit(c, cmd);
    struct conform_marks marks = {0};
    conform_mark(&marks, 0, 0, 4, 4);
    for (uint32_t y = 0; y < 4; y++)
        marks.at[y][2] = false;
    conform_expect_texels(c, color, NULL, conform_marked, &marks, 0);
    conform_expect_texels(c, depth, NULL, stored_depth, NULL, 0);
}

/// Slanted triangles that meet along a diagonal and cover the target, with awkward numbers.
static weft_buffer slanted(struct conform *c)
{
    static const struct conform_vertex vertices[6] = {
        {{-1.3F, -1.7F, 0.1F, 1}, {1, 1, 1, 1}}, {{2.6F, -2.2F, 1.37F, 2}, {1, 1, 1, 1}},
        {{-1.1F, 1.9F, 0.77F, 1}, {1, 1, 1, 1}}, {{-1.1F, 1.9F, 0.77F, 1}, {1, 1, 1, 1}},
        {{2.6F, -2.2F, 1.37F, 2}, {1, 1, 1, 1}}, {{4.1F, 4.7F, 0.9F, 3}, {1, 1, 1, 1}}};
    return conform_vertices(c, vertices, 6);
}

static void draw_slanted(struct conform *c, weft_render_encoder *enc, weft_buffer vertices,
                         weft_format format, const weft_pipeline_state *state)
{
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM},
                                        .depth_stencil = format,
                                        .states = state,
                                        .state_count = 1};
    conform_vertex_shaders(c, &desc);
    weft_render_set_pipeline(enc, conform_pipeline(c, &desc));
    weft_render_set_vertex_buffer(enc, 0, vertices, 0);
    weft_render_draw(enc, 6, 1, 0, 0);
}

/// What a first pass wrote, a second one meets exactly: once over a target that starts black.
void case_depth_equal_retest(struct conform *c)
{
    static const weft_format formats[] = {WEFT_FORMAT_D16_UNORM, WEFT_FORMAT_D24_UNORM,
                                          WEFT_FORMAT_D32_FLOAT};
    const weft_buffer vertices = slanted(c);
    for (uint32_t i = 0; i < 3; i++) {
        if (~conform_capabilities(c)->formats[formats[i]] &
            (WEFT_FORMAT_CAN_DEPTH_STENCIL | WEFT_FORMAT_CAN_SAMPLE))
            continue; // 24 bits are not everywhere
        const weft_texture color = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 32, 32);
        const weft_texture depth = conform_target(c, formats[i], 32, 32);
        weft_command_buffer *cmd = conform_begin(c);
        weft_render_encoder *enc = begin(c, cmd, color, depth, 1);
        draw_slanted(c, enc, vertices, formats[i],
                     &(weft_pipeline_state){
                         .depth_stencil = {.depth = WEFT_COMPARE_LESS, .depth_write = true},
                         .blend.targets[0].mask = WEFT_COLOR_MASK_NO_COLOR});
        weft_render_end(enc);
        conform_barrier(cmd);
        enc = weft_command_begin_render(
            cmd, &(weft_render_pass_desc){
                     .colors[0] = {.view = conform_view(c, color), .load = WEFT_LOAD_LOAD},
                     .depth_stencil = conform_view(c, depth),
                     .depth_load = WEFT_LOAD_LOAD,
                 });
        draw_slanted(c, enc, vertices, formats[i],
                     &(weft_pipeline_state){.depth_stencil = {.depth = WEFT_COMPARE_EQUAL}});
        weft_render_end(enc);
        conform_submit(c, cmd);
        conform_expect_color(c, color, (const double[4]){1, 1, 1, 1}, 0);
    }
}

static struct conform_texel tested_and_sampled(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)y;
    (void)z;
    // Depth 0.25 on the left fails LESS against 0.5; on the right 0.75 is stored, sampled and
    // shown.
    return (struct conform_texel){{x < SIZE / 2 ? 0 : 0.75, 0, 0, 1}};
}

/// Depth is tested and sampled in the same pass.
void case_depth_read_only_sampled(struct conform *c)
{
    const weft_pipeline_state write = {.depth_stencil = {.depth = WEFT_COMPARE_ALWAYS,
                                                         .depth_write = true}},
                              test = {.depth_stencil = {.depth = WEFT_COMPARE_LESS}};
    conform_need_format(c, WEFT_FORMAT_RGBA16_FLOAT, WEFT_FORMAT_CAN_RENDER);
    const weft_texture color = conform_target(c, WEFT_FORMAT_RGBA16_FLOAT, SIZE, SIZE);
    const weft_texture depth = depth_target(c, SIZE, SIZE);
    const weft_texture_view view = conform_view(c, depth);
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA16_FLOAT},
                                        .depth_stencil = WEFT_FORMAT_D32_FLOAT,
                                        .states = &test,
                                        .state_count = 1};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, fetch_frag);
    const weft_graphics_pipeline sampling = conform_pipeline(c, &desc);
    const weft_argument_table table =
        conform_table(c, weft_graphics_pipeline_layout(conform_device(c), sampling, 0),
                      &(weft_argument_write){.view = view}, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = begin(c, cmd, color, depth, 0.25F);
    weft_render_set_pipeline(
        enc, conform_rect_pipeline(c, WEFT_FORMAT_RGBA16_FLOAT, WEFT_FORMAT_D32_FLOAT, &write));
    conform_draw_rect(enc, &(weft_rect){SIZE / 2, 0, SIZE / 2, SIZE}, SIZE, SIZE, 0.75F,
                      conform_black);
    weft_render_end(enc);
    conform_barrier(cmd);
    enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){
                 .colors[0] = {.view = conform_view(c, color), .load = WEFT_LOAD_LOAD},
                 .depth_stencil = view,
                 .depth_load = WEFT_LOAD_LOAD,
                 .read_only = WEFT_ASPECT_DEPTH});
    weft_render_set_pipeline(enc, sampling);
    weft_render_set_arguments(enc, 0, table, NULL, 0);
    conform_fill(enc, 0.5F, (const float[4]){1, 0, 0, 1});
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, color, NULL, tested_and_sampled, NULL, 0);
}

/// The viewport maps 0–1 to its depth range: 0, 0.5 and 1 to 0.25, 0.5 and 0.75.
void case_depth_viewport_range(struct conform *c)
{
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_ALWAYS, .depth_write = true}};
    for (int32_t i = 0; i < 3; i++) {
        const weft_texture color = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
        const weft_texture depth = depth_target(c, SIZE, SIZE);
        weft_command_buffer *cmd = conform_begin(c);
        weft_render_encoder *enc = begin(c, cmd, color, depth, 1);
        weft_render_set_pipeline(
            enc, conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_D32_FLOAT, &state));
        weft_render_set_viewport(enc, &(weft_viewport){0, 0, SIZE, SIZE, 0.25F, 0.75F});
        conform_fill(enc, (float)i / 2, conform_white);
        weft_render_end(enc);
        conform_submit(c, cmd);
        conform_expect_color(c, depth, (const double[4]){0.25 + 0.25 * i, 0, 0, 1}, 0);
    }
}

/// What a fragment shader writes is tested and stored, not the geometry's depth.
void case_depth_from_the_shader(struct conform *c)
{
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_LESS, .depth_write = true}};
    const weft_texture color = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 2, 1);
    const weft_texture depth = depth_target(c, 2, 1);
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM},
                                        .depth_stencil = WEFT_FORMAT_D32_FLOAT,
                                        .states = &state,
                                        .state_count = 1};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, depth_out_frag);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = begin(c, cmd, color, depth, 0.5F);
    weft_render_set_pipeline(enc, conform_pipeline(c, &desc));
    conform_draw_rect(enc, &(weft_rect){0, 0, 1, 1}, 2, 1, 0.75F, (const float[4]){0.5F, 0, 0, 1});
    conform_draw_rect(enc, &(weft_rect){0, 0, 1, 1}, 2, 1, 0.75F, (const float[4]){0.375F});
    conform_draw_rect(enc, &(weft_rect){1, 0, 1, 1}, 2, 1, 0.25F, (const float[4]){0.625F});
    weft_render_end(enc);
    conform_submit(c, cmd);
    struct conform_marks marks = {.at[0][0] = true};
    conform_expect_texels(c, color, NULL, conform_marked, &marks, 0);
    static const float wanted[2] = {0.375F, 0.5F};
    float got[2];
    if (conform_read_texels(c, depth, got, sizeof got))
        CONFORM_EXPECT(c, got[0] == wanted[0] && got[1] == wanted[1]);
}
