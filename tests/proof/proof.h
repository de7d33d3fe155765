/// \file proof.h
/// What the proofs share: targets that are drawn into through the public API, and the way back from
/// them to numbers. docs/proofs.md tells what a proof is.
#pragma once

#include <weft/weft.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Sub-pixel positions of the device: 8 bits.
#define PROOF_STEPS 256

/// Exact integers for oracles: edge functions of 24-bit positions, and products of those.
typedef __int128 wide;

struct proof_point {
    int64_t x, y; // 1/256 pixels
};
/// The edge function of a → b at p; twice the area of a, b, p. With y down it is positive where the
/// three go clockwise.
static inline wide proof_edge(struct proof_point a, struct proof_point b, struct proof_point p)
{
    return (wide)(b.x - a.x) * (p.y - a.y) - (wide)(b.y - a.y) * (p.x - a.x);
}
/// p is inside of an edge of a clockwise polygon: on the edge if that goes up (a left one), or
/// level to the right (a top one).
static inline bool proof_owns(struct proof_point a, struct proof_point b, struct proof_point p)
{
    const wide e = proof_edge(a, b, p);
    return e > 0 || (e == 0 && (b.y < a.y || (b.y == a.y && b.x > a.x)));
}
/// A triangle of either winding covers p: none of no area does.
static inline bool proof_covers(struct proof_point a, struct proof_point b, struct proof_point c,
                                struct proof_point p)
{
    const wide area = proof_edge(a, b, c);
    if (area < 0)
        return proof_covers(a, c, b, p);
    return area > 0 && proof_owns(a, b, p) && proof_owns(b, c, p) && proof_owns(c, a, p);
}

/// `quick` times WEFT_PROOF (1 if the environment does not say).
uint32_t proof_rounds(uint32_t quick);

/// Numbers: the same everywhere, uniform in [0, 2^32), in [0, below) and in [low, high].
uint32_t proof_random(uint64_t *seed);
uint32_t proof_below(uint64_t *seed, uint32_t below);
int32_t proof_between(uint64_t *seed, int32_t low, int32_t high);

struct proof_desc {
    uint32_t threads; ///< 0: 2.
    uint32_t width, height;
    uint32_t samples;      ///< 0: 1.
    weft_format colors[4]; ///< Until the first NONE.
    weft_format depth;
};

/// A device of its own, and targets of one size.
struct proof {
    weft_device *device;
    uint32_t width, height, samples, color_count;
    weft_format color_formats[4], depth_format;
    weft_texture colors[4], depth;
    weft_texture_view color_views[4], depth_view;
    weft_buffer vertices, indices, fetched;
    uint64_t vertex_room, index_room;
    weft_compute_pipeline fetch;
};
void proof_open(struct proof *p, const struct proof_desc *desc);
void proof_close(struct proof *p);

/// Ends the test if a call failed.
void proof_expect(weft_result result, const char *what);
#define PROOF_EXPECT(call) proof_expect((call), #call)

weft_shader proof_shader(struct proof *p, const uint32_t *code, size_t size);
#define PROOF_SHADER(p, name) proof_shader(p, name, sizeof(name))

/// A vertex of the proofs' shaders: clip position, and a value.
struct proof_vertex {
    float at[4], value[4];
};
/// Fills in what follows from the targets and the vertices, and makes the pipeline.
weft_graphics_pipeline proof_pipeline(struct proof *p, weft_graphics_pipeline_desc desc);

/// One draw. Fields that are zero leave what the pass or the pipeline says.
struct proof_draw {
    weft_graphics_pipeline pipeline;
    uint32_t first, count; ///< Of the vertices, or of the indices.
    bool indexed;
    const weft_viewport *viewport;
    const weft_rect *scissor;
    const weft_pipeline_state *state;
    const void *root;
    uint32_t root_bytes;
    const float *blend_constant;
    weft_argument_table arguments; ///< Of slot 0.
};
/// Uploads vertices and indices (may be NULL) for the draws to come.
void proof_upload(struct proof *p, const struct proof_vertex *vertices, uint32_t count,
                  const uint32_t *indices, uint32_t index_count);
/// A pass of these draws. `clear`: colors and depth 1 are cleared first, otherwise loaded.
void proof_run(struct proof *p, const float *clear, const struct proof_draw *draws, uint32_t count);
/// A pass that clears colors to 0 and loads depth.
void proof_run_over_depth(struct proof *p, const struct proof_draw *draws, uint32_t count);

/// Ends a command buffer, runs it and waits.
void proof_submit(struct proof *p, weft_command_buffer *cmd);

/// Every sample of a color target (`color` below color_count) or of the depth target (`color` is
/// color_count), as floats: out[(sample × height + y) × width + x].
void proof_read(struct proof *p, uint32_t color, float (*out)[4]);

/// Standard sample locations (Vulkan, "Multisampling"), in 1/256 pixels.
struct proof_point proof_sample(uint32_t samples, uint32_t sample);
/// The same in the pixel at (x, y).
struct proof_point proof_sample_at(uint32_t samples, uint32_t sample, int64_t x, int64_t y);

/// A vertex that the viewport transform of a `width` × `height` target puts exactly there if both
/// sides are powers of two and the products with w have 24 bits.
struct proof_vertex proof_vertex_at(const struct proof *p, struct proof_point at, float z, float w);
/// An order-dependent hash of bytes.
uint64_t proof_hash(const void *data, size_t size);
