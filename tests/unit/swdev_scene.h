/// A small target, a pipeline with a position and a color per vertex, and a pass over both.
#pragma once

#include "swdev.h"

#define SCENE_SIDE 16u

struct scene_vertex {
    float x, y, z;
    uint8_t color[4];
};

struct scene_desc {
    const uint32_t *vertex, *fragment; ///< SPIR-V; NULL: colors.
    size_t vertex_bytes, fragment_bytes;
    weft_topology topology;
    weft_index_type restart;
    weft_pipeline_flags flags;
    uint32_t samples; ///< 0: 1.
};

struct scene {
    struct swdev s;
    struct wf_hal_texture *color, *resolved, *depth; ///< `resolved` is `color` with one sample.
    struct wf_hal_texture_view *color_view, *resolved_view, *depth_view;
    struct wf_hal_buffer *pixels, *vertices;
    struct wf_shader_module *modules[2];
    struct wf_hal_shader *shaders[2];
    struct wf_hal_pipeline *pipeline;
    struct wf_hal_command *cmd;
    uint32_t samples;
};

/// The vertex buffer begins with a red triangle at depth 0.5 that covers the lower left half.
void scene_open(struct scene *c, const struct scene_desc *desc);
void scene_close(struct scene *c);

/// Opens a pass that clears to blue, depth 0.5 and stencil 0, with all state at its default.
void scene_begin(struct scene *c, struct wf_hal_query_pool *occlusion);
/// Closes the pass, runs it and reads the pixels back.
void scene_end(struct scene *c);

const uint8_t *scene_pixel(const struct scene *c, uint32_t x, uint32_t y);
/// Expects that the pixel is as cleared or red.
bool scene_is_red(const struct scene *c, uint32_t x, uint32_t y);
uint32_t scene_count_red(const struct scene *c);
