/// \file renderer_internal.h
/// What the renderer's files share.
#pragma once

#include "renderer.h"

/// Globals of lit.glsl.
struct gpu_globals {
    struct mat4 view_projection;
    float eye[4], key_direction[4], fill_direction[4];
};

/// Material of lit.glsl.
struct gpu_material {
    float base_color[4], emissive[4], factors[4];
    float uv_row_u[4], uv_row_v[4];
    uint32_t uv_sets[8];
};

/// The specialization constants of lit.frag, by their number.
enum {
    LIT_BASE_COLOR_MAP = 1u << 0,
    LIT_METAL_ROUGH_MAP = 1u << 1,
    LIT_NORMAL_MAP = 1u << 2,
    LIT_OCCLUSION_MAP = 1u << 3,
    LIT_EMISSIVE_MAP = 1u << 4,
    LIT_UNLIT = 1u << 5,
    LIT_ALPHA_MASK = 1u << 6,
    LIT_ALPHA_BLEND = 1u << 7,
    LIT_BITS = 8,
};
#define LIT_MAPS 5u

struct gpu_mesh {
    weft_buffer vertices, indices;
    weft_index_type index_type;
    struct vec3 middle; ///< Of its bounds, in its own space.
};

/// A scene's image on the device, once as colors and once as numbers, as materials need it.
struct gpu_texture {
    weft_texture texture;
    weft_texture_view view;
};

struct gpu_sampler {
    struct scene_texture settings;
    weft_sampler sampler;
};

struct gpu_pipeline {
    uint32_t features;
    weft_graphics_pipeline pipeline;
};

/// A scene's material; [1] is for instances that mirror.
struct gpu_drawable {
    weft_argument_table table;
    weft_material materials[2];
};

struct renderer {
    const struct scene *scene;
    weft_device *device;
    struct complaints complaints;
    weft_surface surface;     ///< HEADLESS, for pictures, of `width` × `height`.
    weft_surface window;      ///< None: no window.
    weft_format color_format; ///< Of both.
    bool swap_red_blue;       ///< The surface's texels are BGRA.
    uint32_t width, height, samples;
    uint32_t asked[2]; ///< The window's size when its surface was configured last.
    float background[4];

    weft_shader vertex, fragment;
    weft_argument_layout globals_layout, material_layout;
    weft_argument_table globals;
    weft_buffer material_buffer; ///< One gpu_material each, `material_stride` apart.
    uint32_t material_stride;
    struct gpu_texture white;
    struct gpu_texture *textures; ///< Two for each image: sRGB, linear.
    struct gpu_sampler *samplers;
    struct gpu_pipeline *pipelines;
    struct gpu_mesh *meshes;
    struct gpu_drawable *drawables;
    uint32_t sampler_count, pipeline_count;
};

/// Gives the surface for pictures a size.
bool renderer_resize(struct renderer *renderer, uint32_t width, uint32_t height,
                     struct failure *why);
/// Turns a failed call into the reason that the device gave. Returns false.
bool renderer_fail(struct renderer *renderer, const char *what, weft_result result,
                   struct failure *why);

/// Moves the images that materials use onto the device, with their mips.
bool renderer_load_textures(struct renderer *renderer, struct failure *why);
/// The view of an image as colors (`srgb`) or numbers.
weft_texture_view renderer_view(const struct renderer *renderer,
                                const struct scene_texture *texture, bool srgb);
/// A sampler with the texture's settings, which is made when it is first asked for.
bool renderer_sampler(struct renderer *renderer, const struct scene_texture *texture,
                      weft_sampler *out, struct failure *why);
bool renderer_load_materials(struct renderer *renderer, struct failure *why);
bool renderer_load_meshes(struct renderer *renderer, struct failure *why);
