// Mesh draws whose sizes lie in buffers, and mesh shaders that read what was computed.
#include "cases.h"
#include "mesh.h"

#include "mesh_stored.comp.spv.h"
#include "mesh_stored.mesh.spv.h"

#include <string.h>

#define EXACT (0.5 / 255) ///< Colors are multiples of 1 / 255.

/// Two draws with something between them; the second draws over the first.
static const uint32_t arguments[] = {99, 3, 1, 1, 99, 99, 1, 2, 1, 99};

static weft_texture draw(struct conform *c, const weft_indirect_draws *draws)
{
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 8, 8);
    const weft_graphics_pipeline pipeline =
        mesh_pipeline(c, (weft_graphics_pipeline_desc){.label = "cells"});
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_draw_mesh_indirect(enc, draws);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

/// How many of the draws above are done.
static struct conform_texel drawn(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t count = *(const uint32_t *)user, number = y * 8 + x;
    (void)z;
    if (count > 1 && number < 2)
        return mesh_cell_color(&arguments[6], number);
    return mesh_cell_color(&arguments[1], count > 0 ? number : 64);
}

void case_mesh_indirect(struct conform *c)
{
    uint32_t count = 1;
    const weft_buffer buffer =
        conform_buffer(c, WEFT_BUFFER_USAGE_INDIRECT, sizeof arguments, arguments);
    const weft_texture target =
        draw(c, &(weft_indirect_draws){.buffer = buffer, .offset = 4, .max_count = 1});
    conform_expect_texels(c, target, NULL, drawn, &count, EXACT);
}

void case_mesh_indirect_many(struct conform *c)
{
    uint32_t count = 2;
    const weft_buffer buffer =
        conform_buffer(c, WEFT_BUFFER_USAGE_INDIRECT, sizeof arguments, arguments);
    const weft_texture target = draw(
        c, &(weft_indirect_draws){.buffer = buffer, .offset = 4, .stride = 20, .max_count = 2});
    conform_expect_texels(c, target, NULL, drawn, &count, EXACT);
}

void case_mesh_indirect_count(struct conform *c)
{
    for (uint32_t count = 0; count <= 3; count++) { // at most two
        uint32_t done = count < 2 ? count : 2;
        const uint32_t counts[2] = {99, count};
        const weft_indirect_draws draws = {
            .buffer = conform_buffer(c, WEFT_BUFFER_USAGE_INDIRECT, sizeof arguments, arguments),
            .offset = 4,
            .stride = 20,
            .max_count = 2,
            .count_buffer = conform_buffer(c, WEFT_BUFFER_USAGE_INDIRECT, sizeof counts, counts),
            .count_offset = 4,
        };
        conform_expect_texels(c, draw(c, &draws), NULL, drawn, &done, EXACT);
    }
}

void case_mesh_indirect_nothing(struct conform *c)
{
    static const uint32_t nothing[] = {4, 0, 4};
    const weft_buffer buffer =
        conform_buffer(c, WEFT_BUFFER_USAGE_INDIRECT, sizeof nothing, nothing);
    const weft_texture target = draw(c, &(weft_indirect_draws){.buffer = buffer, .max_count = 1});
    conform_expect_color(c, target, (const double[4]){0, 0, 0, 1}, 0);
}

// ---- computed ----------------------------------------------------------------------------------

static struct conform_texel stored(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t i = y * 8 + x;
    (void)user, (void)z;
    if (i >= 30)
        return (struct conform_texel){{0, 0, 0, 1}};
    return (struct conform_texel){{i * 3 / 255.0, (255 - i) / 255.0, i / 255.0, 1}};
}

/// The stages that read are MESH and DRAW_INDIRECT.
void case_mesh_computed(struct conform *c)
{
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 8, 8);
    const weft_buffer colors = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, 256, NULL);
    const weft_buffer draws =
        conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE | WEFT_BUFFER_USAGE_INDIRECT, 16, NULL);
    const weft_compute_pipeline fill = conform_compute(c, CONFORM_SHADER(c, mesh_stored_comp));
    const weft_graphics_pipeline pipeline = mesh_pipeline(
        c, (weft_graphics_pipeline_desc){.mesh.shader = CONFORM_SHADER(c, mesh_stored_mesh)});
    const weft_argument_write writes[] = {{.binding = 0, .buffer = colors},
                                          {.binding = 1, .buffer = draws}};
    const weft_argument_table filled =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), fill, 0), writes, 2);
    const weft_argument_table read =
        conform_table(c, weft_graphics_pipeline_layout(conform_device(c), pipeline, 0), writes, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *compute = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(compute, fill);
    weft_compute_set_arguments(compute, 0, filled, NULL, 0);
    weft_compute_dispatch(compute, 1, 1, 1);
    weft_compute_end(compute);
    weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_MESH | WEFT_STAGE_DRAW_INDIRECT,
                         WEFT_HAZARD_DRAW_ARGUMENTS);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_arguments(enc, 0, read, NULL, 0);
    weft_render_draw_mesh_indirect(
        enc, &(weft_indirect_draws){.buffer = draws, .offset = 4, .max_count = 1});
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, stored, NULL, EXACT);
}
