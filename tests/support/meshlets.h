/// A mesh pipeline with a task shader, and what it needs to be drawn. Include it after record.h.
#pragma once

#include "support/record.h"

#include "meshlet.frag.spv.h"
#include "meshlet.mesh.spv.h"
#include "meshlet.task.spv.h"

struct meshlets {
    weft_shader task, mesh, fragment;
    weft_graphics_pipeline pipeline;
};

static inline weft_graphics_pipeline_desc meshlets_desc(const struct meshlets *m)
{
    return (weft_graphics_pipeline_desc){
        .task = {.shader = m->task},
        .mesh = {.shader = m->mesh},
        .fragment = {.shader = m->fragment},
        .colors = {WEFT_FORMAT_RGBA8_UNORM},
        .label = "meshlets",
    };
}

static inline struct meshlets meshlets_create(struct fixture *f)
{
    struct meshlets m = {
        .task = RECORD_SHADER(f, meshlet_task),
        .mesh = RECORD_SHADER(f, meshlet_mesh),
        .fragment = RECORD_SHADER(f, meshlet_frag),
    };
    const weft_graphics_pipeline_desc desc = meshlets_desc(&m);
    const weft_result result = weft_graphics_pipeline_create(f->dev, &desc, &m.pipeline);
    if (result != WEFT_OK)
        test_fail(__FILE__, __LINE__, "the pipeline was refused: %s", f->log->message);
    return m;
}

/// Sets everything that a draw needs.
static inline void meshlets_bind(weft_render_encoder *enc, const struct meshlets *m)
{
    const uint32_t count = 1;
    const float scale[4] = {1, 1, 1, 1};
    weft_render_set_pipeline(enc, m->pipeline);
    weft_render_set_root(enc, WEFT_SHADER_STAGE_TASK, 0, &count, sizeof count);
    weft_render_set_root(enc, WEFT_SHADER_STAGE_FRAGMENT, 16, scale, sizeof scale);
}

static inline void meshlets_destroy(struct fixture *f, const struct meshlets *m)
{
    weft_graphics_pipeline_destroy(f->dev, m->pipeline);
    weft_shader_destroy(f->dev, m->task);
    weft_shader_destroy(f->dev, m->mesh);
    weft_shader_destroy(f->dev, m->fragment);
}
