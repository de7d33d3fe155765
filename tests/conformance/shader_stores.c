// Storage buffers in the stages of a draw.
#include "cases.h"

#include "count_texels.frag.spv.h"
#include "rect.vert.spv.h"
#include "stored_corners.vert.spv.h"
#include "white.frag.spv.h"

enum { WIDTH = 16, HEIGHT = 8 };

static const float black[4] = {0, 0, 0, 1}, white[4] = {1, 1, 1, 1};

static bool is_inside(const weft_rect *r, uint32_t x, uint32_t y)
{
    const int64_t dx = (int64_t)x - r->x, dy = (int64_t)y - r->y;
    return dx >= 0 && dx < r->width && dy >= 0 && dy < r->height;
}

static struct conform_texel inside(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const double v = is_inside(user, x, y);
    (void)z;
    return (struct conform_texel){{v, v, v, 1}};
}

/// A pipeline whose slot 0 is `buffer`, set on a pass of its own.
static weft_render_encoder *begin(struct conform *c, weft_command_buffer *cmd, weft_texture target,
                                  const weft_shader shaders[2], weft_buffer buffer)
{
    const weft_graphics_pipeline pipeline =
        conform_pipeline(c, &(weft_graphics_pipeline_desc){.vertex = {.shader = shaders[0]},
                                                           .fragment = {.shader = shaders[1]},
                                                           .colors = {WEFT_FORMAT_RGBA8_UNORM}});
    const weft_argument_write write = {.binding = 0, .buffer = buffer};
    const weft_argument_table table =
        conform_table(c, weft_graphics_pipeline_layout(conform_device(c), pipeline, 0), &write, 1);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_arguments(enc, 0, table, NULL, 0);
    return enc;
}

void case_shader_stores_vertex_reads(struct conform *c)
{
    // Texels 4 to 12 across, all down: x from -1/2 to 1/2.
    static const float corners[6][2] = {{-0.5f, 1},  {0.5f, 1}, {-0.5f, -1},
                                        {-0.5f, -1}, {0.5f, 1}, {0.5f, -1}};
    weft_rect r = {4, 0, 8, HEIGHT};
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, WIDTH, HEIGHT);
    const weft_buffer buffer =
        conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof corners, corners);
    const weft_shader shaders[2] = {CONFORM_SHADER(c, stored_corners_vert),
                                    CONFORM_SHADER(c, white_frag)};
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = begin(c, cmd, target, shaders, buffer);
    weft_render_draw(enc, 6, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, inside, &r, 0);
}

/// Each texel once; helper lanes beside the edges and the diagonal store nothing.
void case_shader_stores_fragment_counts(struct conform *c)
{
    static const weft_rect r = {3, 1, 9, 5};
    uint32_t counts[HEIGHT * WIDTH] = {0};
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, WIDTH, HEIGHT);
    const weft_buffer buffer = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof counts, counts);
    const weft_shader shaders[2] = {CONFORM_SHADER(c, rect_vert),
                                    CONFORM_SHADER(c, count_texels_frag)};
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = begin(c, cmd, target, shaders, buffer);
    conform_draw_rect(enc, &r, WIDTH, HEIGHT, 0, white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    for (uint32_t i = 0; i < HEIGHT * WIDTH; i++)
        counts[i] = is_inside(&r, i % WIDTH, i / WIDTH);
    conform_expect_bytes(c, buffer, 0, counts, sizeof counts);
}
