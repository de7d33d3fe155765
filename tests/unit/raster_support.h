/// What tests of the rasterizer share: a stand-in for the interpreter, whose programs are C
/// functions, so that what the rasterizer does is tested alone and exactly; and a fixture that
/// draws vertices of eight floats (clip position, color) into targets of its own.
#pragma once

#include "backends/software/exec/exec.h"
#include "backends/software/raster/raster.h"

typedef float (*rows)[WF_SW_LANES];

/// The stand-in's program.
struct wf_sw_program {
    struct wf_sw_program_info info;
    void (*run)(rows in, rows out, struct wf_sw_batch *batch);
};

/// Vertex: position and color through. Its outputs are Position and location 0.
extern const struct wf_sw_program vertex_plain;
/// As above, but moves x by a quarter for each instance (InstanceIndex).
extern const struct wf_sw_program vertex_instanced;
/// Position and PointSize from color's red, in pixels.
extern const struct wf_sw_program vertex_points;
/// As plain, with ClipDistance[0] from green and CullDistance[0] from blue.
extern const struct wf_sw_program vertex_distances;
/// As plain, with Layer from color's alpha.
extern const struct wf_sw_program vertex_layers;
/// Red is Layer, from one on.
extern const struct wf_sw_program fragment_layer;
/// Fragment: location 0 in, color 0 out; by interpolation.
extern const struct wf_sw_program fragment_color, fragment_flat, fragment_linear, fragment_centroid;
/// Color is FragCoord / FrontFacing (red: 1 or 0).
extern const struct wf_sw_program fragment_coord, fragment_facing;
/// Kills where red is above one half.
extern const struct wf_sw_program fragment_discard;
/// FragDepth is red.
extern const struct wf_sw_program fragment_depth;
/// SampleMask is red as a number, color is location 0.
extern const struct wf_sw_program fragment_sample_mask;
/// Color 0 is location 0 with index 0, and one minus it with index 1.
extern const struct wf_sw_program fragment_dual;
/// Color is SampleId / 8, SamplePosition, PrimitiveId.
extern const struct wf_sw_program fragment_sample;
/// Red is SampleMask as a number.
extern const struct wf_sw_program fragment_coverage;
/// Color is PointCoord.
extern const struct wf_sw_program fragment_point;
/// Integer color: location 0's floats converted.
extern const struct wf_sw_program fragment_integer;
/// No color, a store: counts lanes that are not helpers.
extern const struct wf_sw_program fragment_effect;
extern _Atomic uint32_t effect_count;

struct raster_vertex {
    float x, y, z, w;
    float color[4];
};

struct raster_fixture {
    struct wf_base_tasks *tasks;
    struct wf_sw_raster *raster;
    struct wf_sw_resources resources;
    struct wf_sw_raster_attribute attributes[2];
    struct wf_sw_raster_pass pass; ///< One color, and depth and stencil if they were asked for.
    struct wf_sw_draw draw;        ///< Fullscreen viewport and scissor, plain programs, no state.
    uint8_t *color, *resolve, *depth, *stencil;
    uint32_t width, height, samples, bytes;
};

/// Clears to zero, depth 1. Formats may be NONE; that of depth may have stencil, or be stencil.
struct raster_fixture raster_open(uint32_t threads, uint32_t width, uint32_t height,
                                  uint32_t samples, weft_format color, weft_format depth);
void raster_close(struct raster_fixture *f);

/// A pass of one draw: `f->draw` with these vertices.
void raster_once(struct raster_fixture *f, const struct raster_vertex *vertices, uint32_t count);
void raster_begin(struct raster_fixture *f);
/// The vertices must stay until the pass ends.
void raster_add(struct raster_fixture *f, const struct raster_vertex *vertices, uint32_t count);
void raster_end(struct raster_fixture *f);

/// One texel of the color target (or of the resolve target), decoded.
void raster_texel(const struct raster_fixture *f, uint32_t x, uint32_t y, uint32_t sample,
                  float out[4]);
void raster_resolved(const struct raster_fixture *f, uint32_t x, uint32_t y, float out[4]);
/// Red of a texel.
float raster_red(const struct raster_fixture *f, uint32_t x, uint32_t y);
uint64_t raster_hash(const struct raster_fixture *f);

/// Two triangles over the whole target at depth z.
void raster_quad(struct raster_vertex out[6], float z, const float color[4]);

/// Numbers for tests: the same everywhere.
uint32_t raster_random(uint64_t *seed);
