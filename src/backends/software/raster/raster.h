/// The tile rasterizer of the software device: draws of one render pass, in API order, to the same
/// bits for any number of threads.
///
/// Sort-middle: wf_sw_raster_draw() shades vertices and sets triangles up in parallel batches and
/// bins them by 64×64 tile; a flush (at pass end, or when the bins are over their budget) gives
/// each tile to one worker, which walks the bins in API order over tile-local color and depth. It
/// knows no command, no handle and no table: whoever executes commands fills these structures.
#ifndef WF_SOFTWARE_RASTER_RASTER_H
#define WF_SOFTWARE_RASTER_RASTER_H

#include <weft/weft.h>

#include "base/alloc.h"
#include "base/tasks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_sw_program;   ///< exec/exec.h
struct wf_sw_resources; ///< exec/exec.h
struct wf_sw_raster;    ///< One per device queue. One thread drives it.

#define WF_SW_RASTER_COLORS     8u
#define WF_SW_RASTER_ATTRIBUTES 32u
#define WF_SW_RASTER_SAMPLES    8u
#define WF_SW_RASTER_INPUTS     128u   ///< Components of inputs that a program may read.
#define WF_SW_RASTER_BUILTINS   48u    ///< And of built-ins.
#define WF_SW_RASTER_MAX_SIZE   16384u ///< Most texels of a target in x and y.

/// One mip of an image, as layers of rows of texels. Unused: data NULL.
struct wf_sw_raster_plane {
    uint8_t *data;         ///< Texel (0, 0) of sample 0 of the first layer.
    uint64_t row_bytes;    ///< From one row to the next.
    uint64_t sample_bytes; ///< From one sample's plane to the next; not read for one sample.
    uint64_t layer_bytes;  ///< From one layer to the next; not read for one layer.
    weft_format format;    ///< Of the view: sRGB or its twin.
};

struct wf_sw_raster_color {
    struct wf_sw_raster_plane plane;   ///< Format NONE: unused slot.
    struct wf_sw_raster_plane resolve; ///< One sample; data NULL: none.
    weft_load load;
    weft_store store;
    weft_clear_color clear;
};

/// Targets of one pass. Attachments are at least width × height texels.
struct wf_sw_raster_pass {
    struct wf_sw_raster_color colors[WF_SW_RASTER_COLORS];
    /// Depth values by the plane's format (D16: uint16, D24: uint32 with 24 low bits, D32: float);
    /// stencil bytes are a plane of their own, format S8. Either may be unused.
    struct wf_sw_raster_plane depth, stencil;
    weft_load depth_load, stencil_load;
    weft_store depth_store, stencil_store;
    float clear_depth;
    uint32_t clear_stencil;
    uint32_t width, height; ///< May be 0: nothing is drawn.
    uint32_t samples;       ///< 1, 2, 4 or 8.
    uint32_t layers;        ///< Of all attachments; 0: 1.
};

/// One vertex attribute with the memory behind it.
struct wf_sw_raster_attribute {
    uint32_t location;
    weft_vertex_format format;
    weft_step_rate rate;
    const uint8_t *data; ///< The stream from its offset on; NULL reads zero.
    uint64_t size;       ///< Bytes of `data`: what lies past them reads zero.
    uint32_t offset;     ///< Of the attribute within an element.
    uint32_t stride;     ///< Bytes; 0: every vertex reads the same.
};

/// One draw. Everything is copied by wf_sw_raster_draw(), except what `data`, programs, tables
/// behind the resources, the label and counters point to: those stay until wf_sw_raster_end() has
/// returned.
struct wf_sw_draw {
    const struct wf_sw_program *vertex;
    const struct wf_sw_program *fragment; ///< NULL: depth and stencil only.
    /// Copied, with the root block that they point to (WF_SW_RASTER_ROOT_BYTES of it at most).
    const struct wf_sw_resources *vertex_resources, *fragment_resources;
    const struct wf_sw_raster_attribute *attributes;
    uint32_t attribute_count; ///< At most WF_SW_RASTER_ATTRIBUTES.

    weft_index_type index_type; ///< NONE: not indexed.
    const uint8_t *indices;     ///< From the buffer's offset on.
    uint64_t index_size;        ///< Bytes of `indices`: indices past them read 0.
    weft_index_type restart;    ///< Strips: all ones of this width cut the strip. NONE: never.

    uint32_t first, count; ///< Of vertices or indices.
    int32_t vertex_offset; ///< Added to each index.
    uint32_t first_instance, instance_count;
    uint32_t draw_id; ///< DrawIndex of an indirect draw.

    weft_topology topology;
    weft_pipeline_flags flags;
    uint32_t sample_mask;
    bool serial; ///< On this thread, after all draws before it and before all others.
    weft_depth_stencil_state depth_stencil; ///< Without write, if the pass may not write.
    weft_blend_state blend;
    weft_raster_state raster;
    weft_viewport viewport;
    weft_rect scissor; ///< May exceed the target.
    uint32_t stencil_reference;
    float blend_constant[4];

    uint64_t *occlusion;                  ///< Samples that passed are added; NULL: none.
    weft_pipeline_statistics *statistics; ///< Counts are added; NULL: none.

    const char *label; ///< What wf_sw_raster_stopped() tells; not read otherwise. May be NULL.
};

#define WF_SW_RASTER_ROOT_BYTES 128u

/// Counts the components that a vertex or fragment program reads. False: too many to be drawn with.
bool wf_sw_raster_takes(const struct wf_sw_program *program, uint32_t *inputs, uint32_t *builtins);

/// Nanoseconds of the caller's time in each phase since the last reset, for benches.
struct wf_sw_raster_times {
    uint64_t geometry, tiles;
    uint64_t triangles; ///< Set up, after clipping and culling.
    uint64_t flushes;
};

/// `tasks` and `allocator` outlive the rasterizer. NULL when out of memory.
struct wf_sw_raster *wf_sw_raster_create(struct wf_base_tasks *tasks,
                                         const struct wf_base_allocator *allocator);
/// NULL does nothing. No pass may be open.
void wf_sw_raster_destroy(struct wf_sw_raster *r);

/// Opens a pass. The pass is copied; the planes stay until wf_sw_raster_end() has returned.
weft_result wf_sw_raster_begin(struct wf_sw_raster *r, const struct wf_sw_raster_pass *pass);

/// Draws. Failures (WEFT_ERROR_MEMORY; WEFT_ERROR_LOST when a shader ran over its budget) stick:
/// later draws do nothing and wf_sw_raster_end() returns the first one.
weft_result wf_sw_raster_draw(struct wf_sw_raster *r, const struct wf_sw_draw *draw);

/// Draws what is still binned now, so that its results are in the planes and counters: before
/// something outside of the rasterizer looks at them in mid-pass.
weft_result wf_sw_raster_flush(struct wf_sw_raster *r);

/// Flushes, stores, resolves, closes the pass.
weft_result wf_sw_raster_end(struct wf_sw_raster *r);

/// Label of a draw of the pass that ended last whose shader ran over its budget; NULL if none did.
const char *wf_sw_raster_stopped(const struct wf_sw_raster *r);

struct wf_sw_raster_times wf_sw_raster_times_take(struct wf_sw_raster *r);

#ifdef __cplusplus
}
#endif

#endif
