/// What the files of the rasterizer share. Nobody else includes this.
///
/// One flush goes through four structures: a `draw` (a copy of its description and the plan made
/// from it), its `batch`es (at most BATCH_PRIMITIVES primitives each, the unit of work of the
/// geometry phase), `triangle`s in fixed point, and `segment`s: the triangles of one batch that
/// touch one tile. Segments are linked per tile in API order before the tile phase, so that which
/// worker made a batch never shows.
#ifndef WF_SOFTWARE_RASTER_PARTS_H
#define WF_SOFTWARE_RASTER_PARTS_H

#include "backends/software/exec/exec.h"
#include "backends/software/raster/raster.h"
#include "base/arena.h"
#include "base/bits.h"
#include "hal/format.h"
#include "hal/texel.h"

#include <stdatomic.h>

#define TILE             64 ///< Pixels in x and y.
#define TILE_QUADS       1024
#define TILE_PIXELS      4096
#define LANES            64 ///< Of a batch of invocations: 16 quads.
#define QUADS            16
#define ALL_SAMPLES      0x11111111u ///< Times a lane mask: that mask for every sample.
#define BATCH_PRIMITIVES 320
#define BATCH_VERTICES   (3 * BATCH_PRIMITIVES)
#define SUBPIXEL         256 ///< Steps per pixel of fixed-point positions.
/// Half the width of the guard band, in pixels from the target's origin: positions then have 24
/// bits, their products 48, and doubles hold every edge function exactly.
#define GUARD       30000.0f
#define MAX_POLYGON 22 ///< Vertices of a triangle cut by all planes.
#define BIG_TILES   32 ///< A triangle over more tiles is not binned but offered to all of them.

// ---- plans -------------------------------------------------------------------------------------

enum varying_mode {
    VARYING_PERSPECTIVE,
    VARYING_LINEAR,
    VARYING_FLAT,
};

/// One component that goes from vertex to fragment shader.
struct varying {
    int16_t vertex_row; ///< Output row of the vertex program; -1: nothing writes it, it is zero.
    uint16_t input_row; ///< Input row of the fragment program.
    uint8_t mode;       ///< enum varying_mode
    bool centroid;
};

/// A row that the rasterizer itself fills.
struct builtin_row {
    uint32_t builtin; ///< SpvBuiltIn
    uint16_t row, component;
};

/// An attribute with the rows that want its components.
struct fetch {
    uint32_t attribute;  ///< Of the draw.
    uint32_t bytes;      ///< Of the format.
    uint32_t components; ///< Of the format, if it is 32-bit floats or integers; 0: to be decoded.
    int16_t rows[4];     ///< Input rows by component; -1: not read.
};

#define MAX_CLIP 8

/// How vertices are fetched and shaded.
struct vertex_plan {
    struct fetch fetches[WF_SW_RASTER_ATTRIBUTES];
    uint32_t fetch_count;
    struct builtin_row builtins[WF_SW_RASTER_BUILTINS];
    uint32_t builtin_count;
    uint16_t zero_rows[WF_SW_RASTER_INPUTS]; ///< Inputs without an attribute.
    uint32_t zero_row_count;
    int16_t position_rows[4], point_size_row, layer_row, clip_rows[MAX_CLIP], cull_rows[MAX_CLIP];
    uint32_t clip_count, cull_count;
};

/// Where one color target's components come from.
struct color_plan {
    int16_t rows[4];        ///< Output rows of the fragment program; -1: not written.
    int16_t second_rows[4]; ///< Dual source.
    bool written;           ///< Something reaches this target.
    bool blends;            ///< Reads the target.
    bool partial;           ///< Write mask or components leave bits alone.
    weft_blend_target state;
    uint8_t keep_mask[16]; ///< Bytes of a texel: bits that are written.
};

struct fragment_plan {
    struct varying varyings[WF_SW_RASTER_INPUTS];
    uint32_t varying_count;
    struct builtin_row builtins[WF_SW_RASTER_BUILTINS];
    uint32_t builtin_count;
    struct color_plan colors[WF_SW_RASTER_COLORS];
    int16_t depth_row, sample_mask_row;
    int16_t alpha_row; ///< For alpha to coverage; -1: off.
    bool shades;       ///< Runs the program at all.
    bool late;         ///< Tests, writes and counts samples after shading, not before.
    bool test_ahead;   ///< Late, but a depth test without write before shading is right and cheap.
    bool per_sample;
    bool unique;         ///< No sample may be twice in a batch.
    bool needs_centroid; ///< Some varying is, in pixels that may be partly covered.
};

/// Shared by the draws that have it in common.
struct plan {
    struct vertex_plan vertex;
    struct fragment_plan fragment;
};

struct draw {
    struct wf_sw_draw desc;
    const struct plan *plan;
    struct wf_sw_resources vertex_resources, fragment_resources;
    uint8_t vertex_root[WF_SW_RASTER_ROOT_BYTES], fragment_root[WF_SW_RASTER_ROOT_BYTES];
    uint64_t primitives_per_instance;
    int32_t bounds[4]; ///< x0, y0, x1, y1 in pixels, x1 and y1 outside; of triangles.
    /// Likewise of each sample, where the viewport's sides go through the samples of a pixel.
    int32_t sample_bounds[WF_SW_RASTER_SAMPLES][4];
    bool sides_cut;
    int32_t point_bounds[4];   ///< Of points and lines: the scissor alone.
    float scale[3], offset[3]; ///< Viewport transform: screen = clip / w × scale + offset.
    float depth_range[2];      ///< Smaller first.
    uint32_t sample_lanes;     ///< Bits 4s to 4s + 3 are set for each sample s of the mask.
    bool depth_test, depth_write, stencil_test;
    atomic_uint_fast64_t occlusion, fragments; ///< Added up by the workers.
};

// ---- geometry ----------------------------------------------------------------------------------

/// A triangle ready for the tiles. Edge function i is that of the edge opposite to vertex i, with
/// the inside positive, at (x, y) in 1/256 pixels: edge_x x + edge_y y + edge_c.
struct triangle {
    int64_t edge_c[3];
    int32_t edge_x[3], edge_y[3];
    double inv_area;             ///< 1 over twice the area, in the unit of the edge functions.
    double z, z_slope[2];        ///< Depth at the origin (bias included), and per pixel in x, y.
    const uint32_t *varyings[3]; ///< Of the vertices.
    const struct cut *cuts;      ///< By near, far and clip distances.
    float inv_w[3];
    float point[3];         ///< Points: center x, y and size in pixels.
    int16_t x0, y0, x1, y1; ///< Bounds in pixels, x1 and y1 outside.
    uint32_t order;         ///< Within the batch.
    uint32_t pair;      ///< Several samples: the same in both halves of a point or line; 0: whole.
    uint32_t primitive; ///< PrimitiveId.
    uint32_t layer;
    uint8_t cut_count;
    uint8_t exclusive; ///< Bit i: samples on edge i are outside.
    bool front;
};

/// A plane that cuts a triangle sample by sample: what is on its wrong side is negative. Values at
/// the corners, between which they are linear on the screen.
struct cut {
    double at[3];
};

struct segment {
    struct segment *next; ///< Next in API order in the same tile.
    struct batch *batch;
    const struct triangle *const *triangles; ///< In order.
    uint32_t count;
    uint32_t tile;
};

/// How far a walk along strips with restart has come.
struct strip {
    uint32_t start;      ///< Position after the last cut that was seen.
    uint32_t primitives; ///< Whole ones so far, of the instance.
};

struct batch {
    struct draw *draw;
    uint64_t first; ///< Primitive, over all instances.
    uint32_t count;
    uint32_t index;     ///< In API order within the flush.
    struct strip strip; ///< Strips with restart: where this batch's first primitive is in them.
    struct segment *segments;
    uint32_t segment_count;
    const struct triangle **big; ///< Triangles offered to all tiles.
    uint32_t big_count;
    struct batch *next, *next_big;
    uint64_t primitives, vertices_shaded, clipped_in, clipped_out; ///< Statistics.
};

enum vertex_code {
    CODE_NEAR = 1 << 0,
    CODE_FAR = 1 << 1,
    CODE_LEFT = 1 << 2,
    CODE_RIGHT = 1 << 3,
    CODE_TOP = 1 << 4,
    CODE_BOTTOM = 1 << 5,
    CODE_W = 1 << 6,      ///< Not in front of the eye.
    CODE_GUARD = 1 << 7,  ///< Outside of the guard band.
    CODE_CLIP0 = 1 << 8,  ///< This and the next seven: clip distances.
    CODE_CULL0 = 1 << 16, ///< Cull distances likewise.
    CODE_BAD = 1 << 24,   ///< Not finite.
    CODE_SIDES = CODE_LEFT | CODE_RIGHT | CODE_TOP | CODE_BOTTOM,
    CODE_REJECT = CODE_NEAR | CODE_FAR | CODE_LEFT | CODE_RIGHT | CODE_TOP | CODE_BOTTOM | CODE_W |
                  (0xff * CODE_CLIP0) | (0xff * CODE_CULL0),
    /// Planes that cut filled triangles sample by sample, and those that make them polygons first.
    CODE_SAMPLES = CODE_NEAR | CODE_FAR | (0xff * CODE_CLIP0),
    CODE_POLYGON = CODE_W | CODE_GUARD,
    CODE_CUT = CODE_SAMPLES | CODE_POLYGON,
};

/// A shaded vertex as primitive assembly sees it.
struct vertex {
    float clip[4];
    float inv_w;
    float z;      ///< Screen depth.
    int32_t x, y; ///< Screen, 1/256 pixels.
    float distance[MAX_CLIP];
    uint32_t culls; ///< CODE_CULL0 bits.
    uint32_t code;  ///< enum vertex_code
    float point_size;
    uint32_t layer;
    const uint32_t *varyings;
};

/// A (tile, triangle) pair before it is sorted into segments.
struct bin_pair {
    uint32_t tile;
    const struct triangle *triangle;
};

#define VERTEX_HASH 2048

// ---- tiles -------------------------------------------------------------------------------------

/// A 2×2 quad that waits to be shaded. Bit 4s + l of `mask` is sample s of lane l.
struct quad {
    const struct triangle *triangle;
    uint32_t mask;
    uint32_t covered; ///< As `mask`, before depth and stencil tests.
    uint8_t x, y;     ///< Pixels within the tile, even.
    uint8_t sample;   ///< Per-sample shading: the sample; otherwise 0.
};

/// One tile's targets. Texels are in quad order: that of sample s in quad q (32 to a row), lane l
/// is number (s × 1024 + q) × 4 + l. Depth is a float: the value itself, or the integer that D16
/// and D24 store.
struct tile {
    int32_t x, y; ///< Origin in pixels.
    uint32_t layer;
    uint32_t width, height;
    uint8_t *colors[WF_SW_RASTER_COLORS];
    float *depth;
    uint8_t *stencil;
};

struct worker {
    struct wf_sw_raster *raster;
    struct wf_sw_context *context;
    struct wf_base_arena arena; ///< Triangles, varyings, segments: until the flush is over.

    // geometry
    uint16_t hash_slots[VERTEX_HASH];
    uint32_t hash_stamps[VERTEX_HASH];
    uint32_t stamp;
    uint32_t vertex_index[BATCH_VERTICES + LANES], vertex_instance[BATCH_VERTICES + LANES];
    uint32_t vertex_count;
    uint16_t corners[BATCH_PRIMITIVES][3]; ///< Vertices of each primitive; 0xffff: cut by restart.
    uint32_t primitives[BATCH_PRIMITIVES]; ///< PrimitiveId of each.
    struct vertex vertices[BATCH_VERTICES + LANES];
    struct triangle *block; ///< Free triangles.
    uint32_t block_left;
    uint32_t order;
    uint32_t layer; ///< Of the primitive at hand.
    struct bin_pair *pairs;
    uint32_t pair_count, pair_room;
    const struct triangle **big;
    uint32_t big_count, big_room;
    uint32_t *tile_counts; ///< Per tile; all zero between batches.
    uint32_t *touched;
    uint32_t tile_room;
    struct batch *batch; ///< Being made.

    // tiles
    struct tile tile;
    uint8_t *tile_memory;
    size_t tile_bytes;
    const struct draw *draw; ///< Whose quads are queued.
    struct quad quads[QUADS];
    uint32_t quad_count;
    uint32_t pending[TILE_QUADS]; ///< Samples of each quad that are queued, if the draw cares.
    /// What the halves of one point or line cover so far: a pixel in both is shaded once.
    uint32_t held[TILE_QUADS]; ///< By quad; all zero but those listed.
    uint16_t held_quads[TILE_QUADS];
    uint32_t held_count;
    const struct triangle *held_of; ///< One of the halves: both have the same planes.
    uint64_t passed, shaded;        ///< Of the current draw in the current tile.
};

struct wf_sw_raster {
    const struct wf_base_allocator *allocator;
    struct wf_base_tasks *tasks;
    struct worker *workers;
    uint32_t worker_count;

    bool open;
    atomic_int result;             ///< weft_result: the first failure of the pass.
    _Atomic(const char *) stopped; ///< Label of a draw with a shader that was stopped.
    struct wf_sw_raster_pass pass;
    uint32_t tiles_x, tiles_y;                 ///< Of each layer.
    uint32_t tile_count;                       ///< Of all layers.
    uint32_t color_bytes[WF_SW_RASTER_COLORS]; ///< Per texel; 0: unused.
    uint32_t depth_bits;                       ///< 16, 24, 32 (float); 0: none.
    bool serial;                               ///< A draw runs that must be alone.
    bool loaded;                     ///< The pass has been flushed: tiles load what was stored.
    bool last_flush;                 ///< Store operations and resolves apply.
    bool depth_dirty, stencil_dirty; ///< To be stored.

    struct wf_base_arena arena; ///< Draws, plans and batches of the flush.
    struct draw *last_draw;     ///< Whose plan may serve again.
    struct batch **round;       ///< Batches whose geometry has not run.
    uint32_t *groups;           ///< Where each item of the round starts in it.
    uint32_t round_count, round_primitives, group_count;
    struct batch *first, *last; ///< All batches of the flush, in API order.
    struct batch *first_big, *last_big;
    uint32_t batch_count;
    struct segment **heads, **tails; ///< Per tile.
    uint32_t *tile_list;
    uint32_t tile_room, tile_list_count;
    struct wf_sw_raster_times times;
};

// raster.c
void wf_sw_raster_fail(struct wf_sw_raster *r, weft_result result);
/// The same for a program that did not run to its end.
void wf_sw_raster_stop(struct wf_sw_raster *r, const struct draw *d, enum wf_sw_result result);

// plan.c
/// Copies a draw into the flush's arena and plans it. NULL: out of memory.
struct draw *wf_sw_raster_plan(struct wf_sw_raster *r, const struct wf_sw_draw *desc);

// geometry.c, vertex.c, clip.c, setup.c, bin.c: the geometry phase
void wf_sw_raster_batch(struct worker *w, struct batch *b);
/// Walks from primitive `from` to primitive `to`, which is not counted.
void wf_sw_raster_strip_walk(const struct wf_sw_draw *d, uint32_t from, uint32_t to,
                             struct strip *strip);
/// Reads index `at` of a draw: 0 past the end of the indices.
uint32_t wf_sw_raster_index(const struct wf_sw_draw *d, uint64_t at);
/// Shades w->vertex_index[0..vertex_count) into w->vertices. False: out of memory or budget.
bool wf_sw_raster_shade_vertices(struct worker *w, struct draw *d);
/// Fills screen position and code of a vertex from its clip position.
void wf_sw_raster_project(const struct draw *d, struct vertex *v);
/// Cuts a triangle by the planes in `codes` and sets up what is left. Filled ones only where they
/// go behind the eye or beyond the guard band; the other planes are left to the samples.
void wf_sw_raster_clip(struct worker *w, struct draw *d, const struct vertex *const v[3],
                       uint32_t codes, uint32_t primitive);
/// Cuts a line in place: both ends are copies. False: nothing is left.
bool wf_sw_raster_clip_line(struct worker *w, const struct draw *d, struct vertex ends[2]);
/// Gives every corner the flat values of the provoking vertex: any of them may lead a piece. False:
/// out of memory.
bool wf_sw_raster_spread_flat(struct worker *w, const struct draw *d, struct vertex *corners,
                              uint32_t count);
/// `codes`: planes of CODE_SAMPLES that cut it.
void wf_sw_raster_setup(struct worker *w, struct draw *d, const struct vertex *const v[3],
                        uint32_t codes, uint32_t primitive);
void wf_sw_raster_setup_point(struct worker *w, struct draw *d, const struct vertex *v,
                              uint32_t primitive);
void wf_sw_raster_setup_line(struct worker *w, struct draw *d, const struct vertex *a,
                             const struct vertex *b, uint32_t primitive);
/// The edges of a triangle as lines, whose way round and depth bias follow from `piece`: the
/// triangle, or a part that clipping left of it. False: the piece has no area and tells nothing.
bool wf_sw_raster_setup_edges(struct worker *w, struct draw *d, const struct vertex *const v[3],
                              const struct vertex *const piece[3], uint32_t primitive);
void wf_sw_raster_bin(struct worker *w, const struct triangle *t);
bool wf_sw_raster_bin_finish(struct worker *w, struct batch *b);

// tile.c, coverage.c, fragment.c, interpolate.c, depth.c, blend.c, texel.c, store.c: the tile phase
void wf_sw_raster_tile(struct worker *w, uint32_t number);
void wf_sw_raster_cover(struct worker *w, const struct draw *d, const struct triangle *t);
/// Takes the quads that are held for a second half.
void wf_sw_raster_release(struct worker *w, const struct draw *d);
/// Takes one covered quad: tests early, queues for shading. `x`, `y`: pixels within the tile.
void wf_sw_raster_quad(struct worker *w, const struct draw *d, const struct triangle *t, uint32_t x,
                       uint32_t y, uint32_t mask);
/// Shades what is queued.
void wf_sw_raster_shade(struct worker *w);
void wf_sw_raster_interpolate(const struct worker *w, uint32_t (*inputs)[LANES]);
/// Depth and stencil tests of one quad. Returns the samples that pass. `z`: per sample and lane, in
/// the tile's unit; read only where the mask is set. `write`: targets change as well.
uint32_t wf_sw_raster_test(struct worker *w, const struct draw *d, const struct quad *q,
                           const float (*z)[4], bool write);
/// Depth of one sample of a quad's lanes, in the tile's unit.
void wf_sw_raster_depth(const struct worker *w, const struct draw *d, const struct quad *q,
                        uint32_t sample, float z[4]);
/// A depth in the tile's unit, clamped as the draw says.
float wf_sw_raster_depth_value(const struct wf_sw_raster *r, const struct draw *d, float z);
/// Writes one target from the fragment program's outputs, where the queued quads' masks are set.
void wf_sw_raster_write_color(struct worker *w, const struct draw *d, uint32_t color,
                              const uint32_t (*outputs)[LANES]);
/// 64 texels, tightly packed, from rows and to rows; missing components are not touched.
void wf_sw_raster_encode(weft_format format, const uint32_t *const rows[4], uint8_t *texels);
void wf_sw_raster_decode(weft_format format, const uint8_t *texels, uint32_t rows[4][LANES]);
void wf_sw_raster_tile_load(struct worker *w);
void wf_sw_raster_tile_store(struct worker *w);
/// Bytes that one tile's targets need, and their places in `memory` (NULL: only count).
size_t wf_sw_raster_tile_layout(const struct wf_sw_raster *r, struct tile *tile, uint8_t *memory);
/// Averages one target's samples into its resolve plane.
void wf_sw_raster_resolve(const struct worker *w, uint32_t color);

/// Quad number of a position within a tile.
static inline uint32_t raster_quad_at(uint32_t x, uint32_t y)
{
    return (y >> 1) * (TILE / 2) + (x >> 1);
}

/// First texel of one sample of a quad.
static inline uint32_t raster_texel_at(uint32_t sample, uint32_t quad)
{
    return (sample * TILE_QUADS + quad) * 4;
}

/// Where sample `s` of `samples` lies in a pixel, in 1/16 pixels from its top-left corner.
extern const uint8_t wf_sw_raster_positions[4][WF_SW_RASTER_SAMPLES][2]; ///< By log2 of samples.

static inline uint32_t raster_log2(uint32_t samples)
{
    return samples >= 8 ? 3 : samples >= 4 ? 2 : samples >= 2 ? 1 : 0;
}

/// Sample position in 1/256 pixels from the pixel's top-left corner.
static inline int32_t raster_sample_x(uint32_t samples, uint32_t sample)
{
    return 16 * wf_sw_raster_positions[raster_log2(samples)][sample][0];
}

static inline int32_t raster_sample_y(uint32_t samples, uint32_t sample)
{
    return 16 * wf_sw_raster_positions[raster_log2(samples)][sample][1];
}

#endif
