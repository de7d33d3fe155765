// Mesh shaders: workgroups that write vertices and primitives by themselves, and task shaders
// before them. Shaders say in their files what they draw; cells are of targets of 8 by 8 texels or
// times that, so that edges lie between texels and every texel's color is known.
#include "cases.h"
#include "mesh.h"

#include "mesh_cells.mesh.spv.h"
#include "mesh_color.frag.spv.h"
#include "mesh_full.mesh.spv.h"
#include "mesh_layers.mesh.spv.h"
#include "mesh_lines.mesh.spv.h"
#include "mesh_points.mesh.spv.h"
#include "mesh_primitives.frag.spv.h"
#include "mesh_primitives.mesh.spv.h"
#include "mesh_rows.mesh.spv.h"
#include "mesh_rows.task.spv.h"

#define EXACT (0.5 / 255) ///< Colors are multiples of 1 / 255.

weft_graphics_pipeline mesh_pipeline(struct conform *c, weft_graphics_pipeline_desc desc)
{
    if (weft_shader_is_none(desc.mesh.shader))
        desc.mesh.shader = CONFORM_SHADER(c, mesh_cells_mesh);
    if (weft_shader_is_none(desc.fragment.shader))
        desc.fragment.shader = CONFORM_SHADER(c, mesh_color_frag);
    desc.colors[0] = WEFT_FORMAT_RGBA8_UNORM;
    return conform_pipeline(c, &desc);
}

struct conform_texel mesh_cell_color(const uint32_t groups[3], uint32_t number)
{
    const uint32_t x = number % groups[0], y = number / groups[0] % groups[1];
    const uint32_t z = number / groups[0] / groups[1];
    if (z >= groups[2])
        return (struct conform_texel){{0, 0, 0, 1}};
    return (struct conform_texel){
        {(x * 20 + 5) / 255.0, (y * 20 + 5) / 255.0, (z * 20 + 5) / 255.0, 1}};
}

struct conform_texel mesh_cells(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct mesh_cells *cells = user;
    (void)z;
    return mesh_cell_color(cells->groups, y / cells->size * 8 + x / cells->size);
}

/// One pass with one draw on a black target.
static weft_texture draw(struct conform *c, weft_graphics_pipeline pipeline, uint32_t size,
                         const uint32_t groups[3])
{
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, size, size);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_draw_mesh(enc, groups[0], groups[1], groups[2]);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

void case_mesh_groups(struct conform *c)
{
    static const uint32_t shapes[][3] = {{1, 1, 1}, {8, 8, 1}, {3, 2, 4}, {5, 1, 11}, {1, 12, 1}};
    const weft_graphics_pipeline pipeline =
        mesh_pipeline(c, (weft_graphics_pipeline_desc){.label = "cells"});
    for (uint32_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        struct mesh_cells cells = {{shapes[i][0], shapes[i][1], shapes[i][2]}, 4};
        conform_expect_texels(c, draw(c, pipeline, 32, cells.groups), NULL, mesh_cells, &cells,
                              EXACT);
    }
}

void case_mesh_no_groups(struct conform *c)
{
    const weft_graphics_pipeline pipeline =
        mesh_pipeline(c, (weft_graphics_pipeline_desc){.label = "cells"});
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t groups[3] = {4, 4, 4};
        groups[i] = 0;
        conform_expect_color(c, draw(c, pipeline, 8, groups), (const double[4]){0, 0, 0, 1}, 0);
    }
}

/// Workgroups of other sizes draw the same.
void case_mesh_specialized(struct conform *c)
{
    const weft_shader shader = CONFORM_SHADER(c, mesh_cells_mesh);
    for (uint32_t size = 1; size <= 64; size *= 4) {
        const weft_constant constant = {.id = 0, .value = size};
        struct mesh_cells cells = {{4, 5, 1}, 2};
        const weft_graphics_pipeline pipeline = mesh_pipeline(
            c, (weft_graphics_pipeline_desc){
                   .mesh = {.shader = shader, .constants = &constant, .constant_count = 1}});
        conform_expect_texels(c, draw(c, pipeline, 16, cells.groups), NULL, mesh_cells, &cells,
                              EXACT);
    }
}

/// Before and after a mesh draw, the same pass takes ordinary ones, with what was set before.
void case_mesh_among_others(struct conform *c)
{
    struct mesh_cells cells = {{8, 1, 1}, 1};
    const weft_graphics_pipeline mesh =
        mesh_pipeline(c, (weft_graphics_pipeline_desc){.label = "cells"});
    const weft_graphics_pipeline rect =
        conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 8, 8);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_red);
    weft_render_set_pipeline(enc, rect);
    conform_fill(enc, 0.5F, conform_white);
    weft_render_set_pipeline(enc, mesh);
    weft_render_draw_mesh(enc, 8, 1, 1);
    weft_render_set_pipeline(enc, rect);
    conform_draw_clip_rect(enc, (const float[4]){-1, -1, 1, 0.75F}, 0.5F, conform_black);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, mesh_cells, &cells, EXACT);
}

/// Both triangles of a cell face front; culling those leaves nothing.
void case_mesh_state(struct conform *c)
{
    struct mesh_cells cells = {{8, 8, 1}, 1};
    for (uint32_t i = 0; i < 2; i++) {
        const weft_pipeline_state state = {
            .raster = {.cull = WEFT_CULL_BACK,
                       .front = i == 0 ? WEFT_FRONT_CLOCKWISE : WEFT_FRONT_COUNTER_CLOCKWISE}};
        const weft_graphics_pipeline pipeline =
            mesh_pipeline(c, (weft_graphics_pipeline_desc){.states = &state, .state_count = 1});
        const weft_texture target = draw(c, pipeline, 8, cells.groups);
        if (i == 0)
            conform_expect_texels(c, target, NULL, mesh_cells, &cells, EXACT);
        else
            conform_expect_color(c, target, (const double[4]){0, 0, 0, 1}, 0);
    }
}

// ---- tasks -------------------------------------------------------------------------------------

static struct conform_texel rows(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t step = *(const uint32_t *)user;
    (void)z;
    if (x >= y % 5)
        return (struct conform_texel){{0, 0, 0, 1}};
    return (struct conform_texel){{10 * x / 255.0, y / 255.0, step * x / 255.0, 1}};
}

void case_mesh_tasks(struct conform *c)
{
    uint32_t step = 30;
    const weft_graphics_pipeline pipeline = mesh_pipeline(
        c, (weft_graphics_pipeline_desc){.task.shader = CONFORM_SHADER(c, mesh_rows_task),
                                         .mesh.shader = CONFORM_SHADER(c, mesh_rows_mesh)});
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 8, 8);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_root(enc, WEFT_SHADER_STAGE_TASK, 0, &step, sizeof step);
    weft_render_draw_mesh(enc, 8, 1, 1);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, rows, &step, EXACT);
}

// ---- what comes with primitives ----------------------------------------------------------------

static struct conform_texel quads(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t quad = x / 4;
    (void)user, (void)z;
    if (quad == 1)
        return (struct conform_texel){{0, 0, 0, 1}};
    return (struct conform_texel){{quad * 50 / 255.0, (y + 0.5) / 16, 1, 1}};
}

void case_mesh_primitives(struct conform *c)
{
    const weft_graphics_pipeline pipeline = mesh_pipeline(
        c,
        (weft_graphics_pipeline_desc){.mesh.shader = CONFORM_SHADER(c, mesh_primitives_mesh),
                                      .fragment.shader = CONFORM_SHADER(c, mesh_primitives_frag)});
    const weft_texture target = draw(c, pipeline, 16, (const uint32_t[]){1, 1, 1});
    // Interpolated heights lie near the middle of steps of 1 / 16: rounding may go either way.
    conform_expect_texels(c, target, NULL, quads, NULL, 1.1 / 255);
}

void case_mesh_layers(struct conform *c)
{
    const weft_graphics_pipeline pipeline = mesh_pipeline(
        c, (weft_graphics_pipeline_desc){.mesh.shader = CONFORM_SHADER(c, mesh_layers_mesh)});
    const weft_texture target =
        conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                                .width = 8,
                                                .height = 8,
                                                .layers = 8,
                                                .usage = WEFT_TEXTURE_USAGE_RENDER});
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_draw_mesh(enc, 1, 1, 1);
    weft_render_end(enc);
    conform_submit(c, cmd);
    for (uint32_t i = 0; i < 8; i++) {
        struct conform_texel want = {{i % 2 == 0, 0, 0, 1}};
        conform_expect_texels(c, target, &(weft_texture_region){.layer = i}, mesh_same, &want, 0);
    }
}

struct conform_texel mesh_same(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)x, (void)y, (void)z;
    return *(const struct conform_texel *)user;
}

// ---- points and lines --------------------------------------------------------------------------

static struct conform_texel points(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user, (void)z;
    if (x % 2 == 1 || y >= 5)
        return (struct conform_texel){{0, 0, 0, 1}};
    return (struct conform_texel){{x * 20 / 255.0, y * 40 / 255.0, 0, 1}};
}

void case_mesh_points(struct conform *c)
{
    const weft_graphics_pipeline pipeline = mesh_pipeline(
        c, (weft_graphics_pipeline_desc){.mesh.shader = CONFORM_SHADER(c, mesh_points_mesh)});
    conform_expect_texels(c, draw(c, pipeline, 8, (const uint32_t[]){5, 1, 1}), NULL, points, NULL,
                          EXACT);
}

static struct conform_texel lines(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user, (void)z;
    if (x < 2 || x > 5 || y % 2 == 0 || y > 5)
        return (struct conform_texel){{0, 0, 0, 1}};
    return (struct conform_texel){{(y * 20 - 10) / 255.0, 0, 0, 1}};
}

void case_mesh_lines(struct conform *c)
{
    const weft_graphics_pipeline pipeline = mesh_pipeline(
        c, (weft_graphics_pipeline_desc){.mesh.shader = CONFORM_SHADER(c, mesh_lines_mesh)});
    conform_expect_texels(c, draw(c, pipeline, 8, (const uint32_t[]){1, 1, 1}), NULL, lines, NULL,
                          EXACT);
}

// ---- much of it --------------------------------------------------------------------------------

static struct conform_texel slope(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t rows_drawn = *(const uint32_t *)user;
    (void)z;
    if (y >= rows_drawn * 4)
        return (struct conform_texel){{0, 0, 0, 1}};
    return (struct conform_texel){{(x + 0.5) / 32, (y + 0.5) / 32, 1, 1}};
}

void case_mesh_full(struct conform *c)
{
    const weft_graphics_pipeline pipeline = mesh_pipeline(
        c, (weft_graphics_pipeline_desc){.mesh.shader = CONFORM_SHADER(c, mesh_full_mesh)});
    for (uint32_t count = 0; count <= 8; count += 4) {
        const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 32, 32);
        weft_command_buffer *cmd = conform_begin(c);
        weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
        weft_render_set_pipeline(enc, pipeline);
        weft_render_set_root(enc, 0, 0, &count, sizeof count);
        weft_render_draw_mesh(enc, 1, 1, 1);
        weft_render_end(enc);
        conform_submit(c, cmd);
        conform_expect_texels(c, target, NULL, slope, &count, 1.1 / 255);
    }
}
