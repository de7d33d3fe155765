// Root blocks as large as there are, of which each stage has one of its own.
#include "cases.h"
#include "mesh.h"

#include "root_full.frag.spv.h"
#include "root_full.mesh.spv.h"
#include "root_full.task.spv.h"
#include "root_full.vert.spv.h"

#include <string.h>

enum { SIDE = 24 };

/// As in root_full.glsl.
struct root {
    uint32_t cell[2], choice;
    float across, colors[4][4], parts[3][4];
};

/// The block of a cell as one stage sees it: `kind` 0 that before the fragment stage. What must not
/// be chosen is far too bright.
static struct root root_of(uint32_t x, uint32_t y, uint32_t kind)
{
    const uint32_t choice = (x + y + kind) % 4;
    struct root root = {.cell = {x, y}, .choice = choice, .across = SIDE};
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t k = 0; k < 4; k++)
            root.colors[i][k] = i == choice ? (float)(10 * (k % 2 ? y : x) + kind) / 255 : 1;
    }
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t k = 0; k < 4; k++)
            root.parts[i][k] = i == choice % 3 ? (float)(k + 1) / 255 : 1;
    }
    return root;
}

/// Some cells have one block for all stages.
static bool is_apart(uint32_t x, uint32_t y)
{
    return (x + 3 * y) % 7 != 0;
}

static struct conform_texel cell_color(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t kind = is_apart(x, y);
    (void)user, (void)z;
    if (y == SIDE - 1)
        return (struct conform_texel){{1, 0, 0, 1}};
    return (struct conform_texel){{(10 * x + 1) / 255.0, (10 * y + 2) / 255.0,
                                   (10 * x + kind + 3) / 255.0, (10 * y + kind + 4) / 255.0}};
}

/// All cells, then the last row anew with a pipeline whose root block is smaller.
static void draw_cells(struct conform *c, weft_graphics_pipeline pipeline, bool mesh)
{
    static const float last_row[4] = {-1, -1, 1, 2.0F / SIDE - 1};
    const weft_shader_stages first = mesh ? WEFT_SHADER_STAGE_MESH : WEFT_SHADER_STAGE_VERTEX;
    const weft_graphics_pipeline rect =
        conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIDE, SIDE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t x = i % SIDE, y = i / SIDE;
        const struct root before = root_of(x, y, 0), fragment = root_of(x, y, is_apart(x, y));
        weft_render_set_root(enc, first, 0, &before, sizeof before);
        weft_render_set_root(enc, WEFT_SHADER_STAGE_FRAGMENT, 0, &fragment, sizeof fragment);
        if (mesh)
            weft_render_draw_mesh(enc, 1, 1, 1);
        else
            weft_render_draw(enc, 6, 1, 0, 0);
    }
    weft_render_set_pipeline(enc, rect);
    conform_draw_clip_rect(enc, last_row, 0.5F, conform_red);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, cell_color, NULL, 0.5 / 255);
}

/// Twice, for what was recorded is used again.
void case_root_full(struct conform *c)
{
    const weft_graphics_pipeline pipeline = conform_pipeline(
        c, &(weft_graphics_pipeline_desc){.vertex = {.shader = CONFORM_SHADER(c, root_full_vert)},
                                          .fragment = {.shader = CONFORM_SHADER(c, root_full_frag)},
                                          .colors = {WEFT_FORMAT_RGBA8_UNORM}});
    draw_cells(c, pipeline, false);
    draw_cells(c, pipeline, false);
}

void case_root_full_mesh(struct conform *c)
{
    const weft_graphics_pipeline pipeline = mesh_pipeline(
        c,
        (weft_graphics_pipeline_desc){.task = {.shader = CONFORM_SHADER(c, root_full_task)},
                                      .mesh = {.shader = CONFORM_SHADER(c, root_full_mesh)},
                                      .fragment = {.shader = CONFORM_SHADER(c, root_full_frag)}});
    draw_cells(c, pipeline, true);
}
