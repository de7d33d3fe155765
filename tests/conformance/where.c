// Where values are taken: at the center, inside of what is covered, or at each sample.
#include "cases.h"
#include "draw.h"

#include "centroid.frag.spv.h"
#include "centroid.vert.spv.h"
#include "sample_in.frag.spv.h"
#include "sample_in.vert.spv.h"

enum { SIZE = 16, TRIANGLES = 64 };

struct target {
    weft_texture resolved;
    weft_command_buffer *cmd;
    weft_render_encoder *enc;
};

static struct target begin(struct conform *c, weft_format format, const float clear[4])
{
    conform_need_format(c, format, WEFT_FORMAT_CAN_MSAA_4 | WEFT_FORMAT_CAN_RESOLVE);
    const weft_texture samples =
        conform_texture(c, &(weft_texture_desc){.format = format,
                                                .width = SIZE,
                                                .height = SIZE,
                                                .samples = 4,
                                                .usage = WEFT_TEXTURE_USAGE_RENDER});
    struct target t = {.resolved = conform_target(c, format, SIZE, SIZE), .cmd = conform_begin(c)};
    t.enc = weft_command_begin_render(
        t.cmd, &(weft_render_pass_desc){
                   .colors[0] = {.view = conform_view(c, samples),
                                 .resolve = conform_view(c, t.resolved),
                                 .load = WEFT_LOAD_CLEAR,
                                 .clear = {.f = {clear[0], clear[1], clear[2], clear[3]}}}});
    return t;
}

/// Small triangles by chance; their corners have 0 or 1 in each component.
static weft_buffer small_triangles(struct conform *c)
{
    struct conform_vertex vertices[TRIANGLES * 3];
    uint32_t random = 3;
    for (uint32_t i = 0; i < TRIANGLES * 3; i++) {
        float at[2];
        for (uint32_t k = 0; k < 2; k++) {
            random = random * 1664525 + 1013904223;
            const uint32_t cell = k == 0 ? i / 3 % 8 : i / 24, offset = random >> 8 & 511;
            at[k] = ((float)cell * 2 + (float)offset / 256) / 8 - 1;
        }
        const uint32_t corner = i % 3;
        vertices[i] = (struct conform_vertex){
            {at[0], at[1], 0, 1},
            {corner == 0 ? 1 : 0, corner == 1 ? 1 : 0, corner == 2 ? 1 : 0, corner == 0 ? 0 : 1}};
    }
    return conform_vertices(c, vertices, TRIANGLES * 3);
}

/// At the edges of triangles values at the center may lie beyond those of the corners; a centroid's
/// never do. Samples that nothing covers are cleared to the same red.
void case_where_centroid(struct conform *c)
{
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}, .samples = 4};
    conform_vertex_shaders(c, &desc);
    desc.vertex.shader = CONFORM_SHADER(c, centroid_vert);
    desc.fragment.shader = CONFORM_SHADER(c, centroid_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    struct target t = begin(c, WEFT_FORMAT_RGBA8_UNORM, (const float[4]){1, 1, 0, 1});
    weft_render_set_pipeline(t.enc, pipeline);
    weft_render_set_vertex_buffer(t.enc, 0, small_triangles(c), 0);
    weft_render_draw(t.enc, TRIANGLES * 3, 1, 0, 0);
    weft_render_end(t.enc);
    conform_submit(c, t.cmd);
    uint8_t texels[SIZE * SIZE][4];
    if (!conform_read_texels(c, t.resolved, texels, sizeof texels))
        return;
    uint32_t beyond = 0;
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        if (texels[i][0] != 255)
            conform_fail(c, "texel %u, %u: the centroid is outside", i % SIZE, i / SIZE);
        beyond += texels[i][1] != 255;
    }
    // Half of the small triangles' texels are at an edge: without some the case would say nothing.
    CONFORM_EXPECT(c, beyond > 10);
}

/// A varying declared `sample` has the place of each sample: the mean of the squares of Vulkan's
/// standard positions, which is not the square of the center.
void case_where_sample(struct conform *c)
{
    static const uint8_t positions[4][2] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
    double mean[2] = {0, 0};
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 2; k++)
            mean[k] += positions[i][k] * positions[i][k] / 256.0 / 4;
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}, .samples = 4};
    desc.vertex.shader = CONFORM_SHADER(c, sample_in_vert);
    desc.fragment.shader = CONFORM_SHADER(c, sample_in_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    struct target t = begin(c, WEFT_FORMAT_RGBA8_UNORM, (const float[4]){0});
    weft_render_set_pipeline(t.enc, pipeline);
    conform_fill(t.enc, 0, conform_white);
    weft_render_end(t.enc);
    conform_submit(c, t.cmd);
    conform_expect_color(c, t.resolved, (const double[4]){mean[0], mean[1], 0, 1}, 1.5 / 255);
}
