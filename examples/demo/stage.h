/// \file stage.h
/// The device and what the demo makes on it.
#pragma once

#include "font.h"
#include "mesh.h"
#include "vec.h"

#include <weft/weft.h>

enum { STAGE_WIDTH = 1280, STAGE_HEIGHT = 720, STAGE_SAMPLES = 4, STAGE_SHADOW = 1024 };

/// Globals of shaders/globals.glsl.
struct stage_globals {
    struct mat4 view_projection, to_shadow;
    float eye[4], light[4], fog[4];
};

/// Material of shaders/material.glsl.
struct stage_surface {
    float color[4];
    float metallic, roughness, repeats, fades;
};

/// One instance of shaders/instances.vert.
struct stage_instance {
    float place[4], turn[4], color[4];
};

enum { MESH_FLOOR = 0, MESH_KNOT, MESH_SPHERE, MESH_CUBE, MESH_PANE, MESH_COUNT };
enum { PICTURE_WHITE = 0, PICTURE_WEAVE, PICTURE_TILES, PICTURE_ATLAS, PICTURE_COUNT };
enum {
    MATERIAL_FLOOR = 0,
    MATERIAL_KNOT,
    MATERIAL_GOLD,
    MATERIAL_CHROME,
    MATERIAL_CUBES,
    MATERIAL_GLASS_0,
    MATERIAL_GLASS_1,
    MATERIAL_GLASS_2,
    MATERIAL_SHADOW,       ///< Into the shadow map.
    MATERIAL_SHADOW_CUBES, ///< Likewise, for instances.
    MATERIAL_COUNT
};

enum {
    PIPELINE_LIT = 0,
    PIPELINE_INSTANCES,
    PIPELINE_GLASS,
    PIPELINE_SHADOW,
    PIPELINE_SHADOW_INSTANCES,
    PIPELINE_COUNT
};
enum { SHADER_MESH = 0, SHADER_INSTANCES, SHADER_LIT, SHADER_GLASS, SHADER_SHADOW, SHADER_COUNT };

struct stage_mesh {
    weft_buffer vertices, indices;
    uint32_t index_count;
};

struct stage_picture {
    weft_texture texture;
    weft_texture_view view;
};

struct stage_material {
    weft_buffer surface;       ///< One stage_surface.
    weft_argument_table table; ///< Slot 1.
    weft_material material;
};

struct stage {
    weft_device *device;
    weft_surface surface;
    struct font font;
    struct stage_mesh meshes[MESH_COUNT];
    struct stage_picture pictures[PICTURE_COUNT];
    weft_sampler repeat, clamp;
    weft_shader shaders[SHADER_COUNT];
    weft_argument_layout globals_layout, material_layout;
    weft_graphics_pipeline pipelines[PIPELINE_COUNT];
    struct stage_material materials[MATERIAL_COUNT];
    weft_argument_table shadow_globals, globals; ///< Slot 0 of each pass.
};

/// Everything up to the first frame. A failure was reported on stderr by the device, or is in
/// `why`.
bool stage_create(struct stage *out, weft_backend_set backends, struct failure *why);
void stage_destroy(struct stage *stage);
