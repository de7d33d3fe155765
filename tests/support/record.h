/// Pieces to record with: targets, shaders and pipelines whose every need is known. Include it
/// after the fixture; the shaders are those of tests/support/shaders.
#pragma once

#include "support/fixture.h"

#include "mesh.frag.spv.h"
#include "mesh.vert.spv.h"
#include "plain.frag.spv.h"
#include "plain.vert.spv.h"
#include "store.comp.spv.h"

#define RECORD_WIDTH  64u
#define RECORD_HEIGHT 32u

static inline weft_texture record_texture(struct fixture *f, weft_format format,
                                          weft_texture_usage usage, uint32_t samples)
{
    weft_texture texture;
    const weft_texture_desc desc = {
        .format = format,
        .width = RECORD_WIDTH,
        .height = RECORD_HEIGHT,
        .samples = samples,
        .usage = usage,
    };
    EXPECT_EQ(weft_texture_create(f->dev, &desc, &texture), WEFT_OK);
    return texture;
}

static inline weft_texture_view record_view(struct fixture *f, weft_texture texture)
{
    weft_texture_view view;
    EXPECT_EQ(
        weft_texture_view_create(f->dev, &(weft_texture_view_desc){.texture = texture}, &view),
        WEFT_OK);
    return view;
}

static inline weft_buffer record_buffer(struct fixture *f, uint64_t size, weft_buffer_usage usage)
{
    weft_buffer buffer;
    const weft_buffer_desc desc = {.size = size, .usage = usage};
    EXPECT_EQ(weft_buffer_create(f->dev, &desc, &buffer), WEFT_OK);
    return buffer;
}

static inline weft_shader record_shader(struct fixture *f, const uint32_t *code, size_t size)
{
    weft_shader shader;
    const weft_shader_desc desc = {.code = code, .size = size};
    const weft_result result = weft_shader_create(f->dev, &desc, &shader);
    if (result != WEFT_OK)
        test_fail(__FILE__, __LINE__, "the shader was refused: %s", f->log->message);
    return shader;
}

#define RECORD_SHADER(f, name) record_shader(f, name, sizeof(name))

static inline weft_command_buffer *record_begin(struct fixture *f)
{
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(f->dev, NULL, &cmd), WEFT_OK);
    return cmd;
}

static inline weft_render_encoder *record_pass(weft_command_buffer *cmd, weft_texture_view view)
{
    return weft_command_begin_render(cmd, &(weft_render_pass_desc){
                                              .colors[0] = {.view = view, .load = WEFT_LOAD_CLEAR},
                                              .label = "pass",
                                          });
}

static inline uint64_t record_submit(struct fixture *f, weft_command_buffer *cmd)
{
    uint64_t serial = 0;
    const weft_submit desc = {.commands = &cmd, .command_count = 1};
    EXPECT_EQ(weft_queue_submit(f->dev, WEFT_QUEUE_GRAPHICS, &desc, &serial), WEFT_OK);
    return serial;
}

/// A pipeline without inputs, and what it needs to be drawn.
struct record_plain {
    weft_shader vertex, fragment;
    weft_graphics_pipeline pipeline;
    weft_texture target;
    weft_texture_view view;
};

static inline weft_graphics_pipeline_desc record_plain_desc(const struct record_plain *p)
{
    return (weft_graphics_pipeline_desc){
        .vertex = {.shader = p->vertex},
        .fragment = {.shader = p->fragment},
        .colors = {WEFT_FORMAT_RGBA8_UNORM},
        .label = "plain",
    };
}

static inline struct record_plain record_plain_create(struct fixture *f)
{
    struct record_plain p = {
        .vertex = RECORD_SHADER(f, plain_vert),
        .fragment = RECORD_SHADER(f, plain_frag),
        .target = record_texture(f, WEFT_FORMAT_RGBA8_UNORM,
                                 WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_COPY_SRC, 1),
    };
    p.view = record_view(f, p.target);
    const weft_graphics_pipeline_desc desc = record_plain_desc(&p);
    const weft_result result = weft_graphics_pipeline_create(f->dev, &desc, &p.pipeline);
    if (result != WEFT_OK)
        test_fail(__FILE__, __LINE__, "the pipeline was refused: %s", f->log->message);
    return p;
}

static inline void record_plain_destroy(struct fixture *f, struct record_plain *p)
{
    weft_graphics_pipeline_destroy(f->dev, p->pipeline);
    weft_shader_destroy(f->dev, p->vertex);
    weft_shader_destroy(f->dev, p->fragment);
    weft_texture_view_destroy(f->dev, p->view);
    weft_texture_destroy(f->dev, p->target);
}

/// A pipeline that needs everything: two vertex streams, two tables, a root block in two parts.
struct record_mesh {
    weft_shader vertex, fragment;
    weft_graphics_pipeline pipeline;
    weft_texture target, texture;
    weft_texture_view view, texture_view;
    weft_sampler sampler;
    weft_buffer vertices, instances, indices, uniforms;
    weft_argument_table globals, material;
};

static const weft_vertex_stream record_mesh_streams[] = {
    {.slot = 0, .stride = 20},
    {.slot = 5, .stride = 16, .rate = WEFT_STEP_INSTANCE},
};

static const weft_vertex_attribute record_mesh_attributes[] = {
    {.location = 0, .slot = 0, .offset = 0, .format = WEFT_VERTEX_FORMAT_FLOAT32X3},
    {.location = 1, .slot = 0, .offset = 12, .format = WEFT_VERTEX_FORMAT_FLOAT32X2},
    {.location = 4, .slot = 5, .offset = 0, .format = WEFT_VERTEX_FORMAT_FLOAT32X4},
};

static inline weft_graphics_pipeline_desc record_mesh_desc(const struct record_mesh *m)
{
    return (weft_graphics_pipeline_desc){
        .vertex = {.shader = m->vertex},
        .fragment = {.shader = m->fragment},
        .streams = record_mesh_streams,
        .stream_count = 2,
        .attributes = record_mesh_attributes,
        .attribute_count = 3,
        .colors = {WEFT_FORMAT_RGBA8_UNORM},
        .label = "mesh",
    };
}

static inline weft_argument_table record_table(struct fixture *f, weft_argument_layout layout,
                                               const weft_argument_write *writes, uint32_t count)
{
    weft_argument_table table;
    const weft_argument_table_desc desc = {
        .layout = layout, .writes = writes, .write_count = count, .label = "table"};
    const weft_result result = weft_argument_table_create(f->dev, &desc, &table);
    if (result != WEFT_OK)
        test_fail(__FILE__, __LINE__, "the table was refused: %s", f->log->message);
    return table;
}

static inline void record_mesh_tables(struct fixture *f, struct record_mesh *m)
{
    const weft_argument_write globals = {.buffer = m->uniforms, .size = 256};
    m->globals =
        record_table(f, weft_graphics_pipeline_layout(f->dev, m->pipeline, 0), &globals, 1);
    const weft_argument_write material[] = {
        {.binding = 0, .view = m->texture_view, .sampler = m->sampler},
        {.binding = 1, .buffer = m->uniforms, .offset = 256, .size = 64},
    };
    m->material =
        record_table(f, weft_graphics_pipeline_layout(f->dev, m->pipeline, 1), material, 2);
}

static inline struct record_mesh record_mesh_create(struct fixture *f)
{
    struct record_mesh m = {
        .vertex = RECORD_SHADER(f, mesh_vert),
        .fragment = RECORD_SHADER(f, mesh_frag),
        .target = record_texture(f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_RENDER, 1),
        .texture = record_texture(f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_SAMPLED, 1),
        .vertices = record_buffer(f, 3 * 20, WEFT_BUFFER_USAGE_VERTEX),
        .instances = record_buffer(f, 2 * 16, WEFT_BUFFER_USAGE_VERTEX),
        .indices = record_buffer(f, 12, WEFT_BUFFER_USAGE_INDEX),
        .uniforms = record_buffer(f, 512, WEFT_BUFFER_USAGE_UNIFORM),
    };
    m.view = record_view(f, m.target);
    m.texture_view = record_view(f, m.texture);
    EXPECT_EQ(weft_sampler_create(f->dev, &(weft_sampler_desc){0}, &m.sampler), WEFT_OK);
    const weft_graphics_pipeline_desc desc = record_mesh_desc(&m);
    const weft_result result = weft_graphics_pipeline_create(f->dev, &desc, &m.pipeline);
    if (result != WEFT_OK)
        test_fail(__FILE__, __LINE__, "the pipeline was refused: %s", f->log->message);
    record_mesh_tables(f, &m);
    return m;
}

/// Sets everything that a draw needs.
static inline void record_mesh_bind(weft_render_encoder *enc, const struct record_mesh *m)
{
    const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    weft_render_set_pipeline(enc, m->pipeline);
    weft_render_set_arguments(enc, 0, m->globals, NULL, 0);
    weft_render_set_arguments(enc, 1, m->material, NULL, 0);
    weft_render_set_vertex_buffer(enc, 0, m->vertices, 0);
    weft_render_set_vertex_buffer(enc, 5, m->instances, 0);
    weft_render_set_index_buffer(enc, m->indices, 0, WEFT_INDEX_UINT16);
    weft_render_set_root(enc, WEFT_SHADER_STAGE_VERTEX, 0, matrix, sizeof matrix);
    weft_render_set_root(enc, WEFT_SHADER_STAGE_FRAGMENT, 64, matrix, 16);
}

static inline void record_mesh_destroy(struct fixture *f, struct record_mesh *m)
{
    weft_argument_table_destroy(f->dev, m->globals);
    weft_argument_table_destroy(f->dev, m->material);
    weft_graphics_pipeline_destroy(f->dev, m->pipeline);
    weft_shader_destroy(f->dev, m->vertex);
    weft_shader_destroy(f->dev, m->fragment);
    weft_sampler_destroy(f->dev, m->sampler);
    weft_texture_view_destroy(f->dev, m->view);
    weft_texture_view_destroy(f->dev, m->texture_view);
    weft_texture_destroy(f->dev, m->target);
    weft_texture_destroy(f->dev, m->texture);
    weft_buffer_destroy(f->dev, m->vertices);
    weft_buffer_destroy(f->dev, m->instances);
    weft_buffer_destroy(f->dev, m->indices);
    weft_buffer_destroy(f->dev, m->uniforms);
}
