/// The software device's own objects: what the hal's pointers stand for. Only the files of this
/// folder include it; the rooms exec/, raster/ and image/ know each other's headers alone.
///
/// Recording writes records into chunks (command.h); submitting hands them to one executor thread
/// (queue.h), which carries them out in submission order over all queues (execute.h), with the
/// thread pool's help. So recording the next frame overlaps executing this one, and barriers have
/// nothing left to do.
#ifndef WF_SOFTWARE_SOFTWARE_H
#define WF_SOFTWARE_SOFTWARE_H

#include "backends/software/exec/exec.h"
#include "backends/software/image/image.h"
#include "backends/software/memory.h"
#include "backends/software/queue.h"
#include "backends/software/raster/raster.h"
#include "base/library.h"
#include "base/tasks.h"
#include "hal/hal.h"

#define WF_SW_ROOT_BYTES     WF_SW_RASTER_ROOT_BYTES
#define WF_SW_VERTEX_STREAMS 16u
#define WF_SW_HEAP_SAMPLED   65536u
#define WF_SW_HEAP_STORAGE   16384u
#define WF_SW_HEAP_SAMPLERS  2048u
#define WF_SW_LABEL_BYTES    64u

struct wf_sw_executor; ///< execute.h

struct wf_sw_device {
    struct wf_hal_device base;
    struct wf_sw_arena arena;
    struct wf_base_tasks *tasks;
    uint64_t budget; ///< Instructions per invocation.
    uint32_t subgroup_size;
    bool serial_atomics;
    /// The heap as descriptor set 3: sampled images, storage images, samplers.
    struct wf_sw_binding *heap;
    struct wf_sw_binding_range heap_ranges[3];
    struct wf_sw_queue queue;
    struct wf_sw_executor *executor;
};

struct wf_sw_memory_block {
    struct wf_hal_memory_block base;
    uint8_t *memory;
};

struct wf_sw_buffer {
    struct wf_hal_buffer base;
    uint8_t *memory; ///< base.size bytes.
    bool placed;     ///< The memory is a block's.
};

struct wf_sw_texture {
    struct wf_hal_texture base;
    struct wf_sw_image image;
    bool placed;
};

struct wf_sw_texture_view {
    struct wf_hal_texture_view base;
    struct wf_sw_view view;
};

struct wf_sw_hal_sampler {
    struct wf_hal_sampler base;
    struct wf_sw_sampler sampler;
};

struct wf_sw_query_pool {
    struct wf_hal_query_pool base;
    uint64_t *values; ///< `words` per query.
    uint32_t *passes; ///< The render pass that counted into the query last.
    uint32_t words;   ///< 1; statistics: 7.
};

struct wf_sw_layout {
    struct wf_hal_layout base;
    struct wf_hal_argument *arguments;
    struct wf_sw_binding_range *ranges; ///< By binding number.
    uint32_t range_count;
    bool has_texels;
};

/// A texel buffer, as a 1D image over its memory.
struct wf_sw_texels {
    struct wf_sw_image image;
    struct wf_sw_view view;
};

/// A version of an argument table: what the interpreter reads, and how far each buffer goes.
struct wf_sw_argument_table {
    struct wf_hal_table base;
    struct wf_sw_binding *elements;
    uint64_t *room; ///< Bytes from an element's data to its buffer's end, for dynamic offsets.
    struct wf_sw_texels *texels; ///< By element; NULL if the layout has no texel buffer.
};

struct wf_sw_shader {
    struct wf_hal_shader base;
};

struct wf_sw_pipeline {
    struct wf_hal_pipeline base;
    struct wf_sw_program *vertex, *fragment, *compute;
    struct wf_sw_raster_attribute attributes[WF_SW_RASTER_ATTRIBUTES]; ///< `data` NULL.
    uint32_t slots[WF_SW_RASTER_ATTRIBUTES];                           ///< Stream of each.
    uint32_t attribute_count;
    weft_topology topology;
    weft_index_type restart;
    weft_pipeline_flags flags;
    uint32_t sample_mask;
    bool serial; ///< Runs on one thread, in order.
    char label[WF_SW_LABEL_BYTES];
};

static inline struct wf_sw_device *wf_sw_device(struct wf_hal_device *dev)
{
    return (struct wf_sw_device *)dev; // `base` is the first member, here and below
}

static inline struct wf_sw_buffer *wf_sw_buffer(struct wf_hal_buffer *buf)
{
    return (struct wf_sw_buffer *)buf;
}

static inline struct wf_sw_texture *wf_sw_texture(struct wf_hal_texture *tex)
{
    return (struct wf_sw_texture *)tex;
}

static inline struct wf_sw_texture_view *wf_sw_texture_view(struct wf_hal_texture_view *view)
{
    return (struct wf_sw_texture_view *)view;
}

static inline struct wf_sw_query_pool *wf_sw_query_pool(struct wf_hal_query_pool *pool)
{
    return (struct wf_sw_query_pool *)pool;
}

/// Copies a label into WF_SW_LABEL_BYTES, cut on a UTF-8 boundary. NULL is "".
void wf_sw_label_copy(char out[WF_SW_LABEL_BYTES], const char *label);

// ---- hooks, and others by file -----------------------------------------------------------------

extern const struct wf_hal_backend wf_sw_backend;       ///< device.c
extern const struct wf_hal_device_ops wf_sw_device_ops; ///< command.c

// The hooks of the hal, each in the file of its object; those that record are in command.c.
#define WF_HAL_HOOK(result, name, parameters) result wf_sw_##name parameters;
#include "hal/hooks.def"

// format.c
void wf_sw_formats_fill(weft_format_caps out[WEFT_FORMAT_COUNT]);

// surface.c
/// Whether such a surface can be made on this machine; `reason` says why not.
bool wf_sw_surface_possible(weft_surface_kind kind, char reason[WF_BASE_LIBRARY_REASON]);

#endif
