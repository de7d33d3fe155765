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

// ---- hooks, by file ----------------------------------------------------------------------------

extern const struct wf_hal_backend wf_sw_backend;       ///< device.c
extern const struct wf_hal_device_ops wf_sw_device_ops; ///< command.c

// device.c
void wf_sw_device_destroy(struct wf_hal_device *hal);

// format.c
void wf_sw_formats_fill(weft_format_caps out[WEFT_FORMAT_COUNT]);

// memory.c
weft_result wf_sw_memory_block_create(struct wf_hal_device *hal, const weft_memory_block_desc *desc,
                                      struct wf_hal_memory_block **out);
void wf_sw_memory_block_destroy(struct wf_hal_device *hal, struct wf_hal_memory_block *base);
weft_memory_budget wf_sw_memory_budget(struct wf_hal_device *hal);

// buffer.c
void wf_sw_buffer_needs(struct wf_hal_device *dev, const weft_buffer_desc *desc,
                        weft_memory_needs *out);
weft_result wf_sw_buffer_create(struct wf_hal_device *hal, const weft_buffer_desc *desc,
                                const struct wf_hal_placement *place, struct wf_hal_buffer **out);
void wf_sw_buffer_destroy(struct wf_hal_device *hal, struct wf_hal_buffer *base);
void wf_sw_buffer_flush(struct wf_hal_device *dev, struct wf_hal_buffer *buf, uint64_t offset,
                        uint64_t size);
weft_result wf_sw_query_pool_create(struct wf_hal_device *hal, const weft_query_pool_desc *desc,
                                    struct wf_hal_query_pool **out);
void wf_sw_query_pool_destroy(struct wf_hal_device *hal, struct wf_hal_query_pool *base);
weft_result wf_sw_query_pool_read(struct wf_hal_device *dev, struct wf_hal_query_pool *base,
                                  uint32_t first, uint32_t count, uint64_t *out);

// texture.c
void wf_sw_texture_needs(struct wf_hal_device *dev, const weft_texture_desc *desc,
                         weft_memory_needs *out);
weft_result wf_sw_texture_create(struct wf_hal_device *hal, const weft_texture_desc *desc,
                                 const struct wf_hal_placement *place, struct wf_hal_texture **out);
void wf_sw_texture_destroy(struct wf_hal_device *hal, struct wf_hal_texture *base);
weft_result wf_sw_texture_view_create(struct wf_hal_device *hal, struct wf_hal_texture *tex,
                                      const weft_texture_view_desc *desc,
                                      struct wf_hal_texture_view **out);
void wf_sw_texture_view_destroy(struct wf_hal_device *hal, struct wf_hal_texture_view *view);
weft_result wf_sw_sampler_create(struct wf_hal_device *hal, const weft_sampler_desc *desc,
                                 struct wf_hal_sampler **out);
void wf_sw_sampler_destroy(struct wf_hal_device *hal, struct wf_hal_sampler *sampler);
void wf_sw_heap_write(struct wf_hal_device *hal, weft_heap_kind kind, uint32_t index,
                      struct wf_hal_texture_view *view, struct wf_hal_sampler *sampler);

// pipeline.c
weft_result wf_sw_shader_create(struct wf_hal_device *hal, const struct wf_shader_module *module,
                                struct wf_hal_shader **out, struct wf_shader_error *error);
void wf_sw_shader_destroy(struct wf_hal_device *hal, struct wf_hal_shader *shader);
weft_result wf_sw_graphics_pipeline_create(struct wf_hal_device *hal,
                                           const struct wf_hal_graphics_pipeline_desc *desc,
                                           struct wf_hal_pipeline **out,
                                           struct wf_shader_error *error);
weft_result wf_sw_compute_pipeline_create(struct wf_hal_device *hal,
                                          const struct wf_hal_compute_pipeline_desc *desc,
                                          struct wf_hal_pipeline **out,
                                          struct wf_shader_error *error);
void wf_sw_pipeline_destroy(struct wf_hal_device *hal, struct wf_hal_pipeline *base);

// table.c
weft_result wf_sw_layout_create(struct wf_hal_device *dev, const struct wf_hal_argument *arguments,
                                uint32_t argument_count, struct wf_hal_layout **out);
void wf_sw_layout_destroy(struct wf_hal_device *dev, struct wf_hal_layout *base);
weft_result wf_sw_table_create(struct wf_hal_device *dev, struct wf_hal_layout *layout,
                               struct wf_hal_table **out);
void wf_sw_table_destroy(struct wf_hal_device *dev, struct wf_hal_table *base);
weft_result wf_sw_table_write(struct wf_hal_device *dev, struct wf_hal_table *base,
                              const struct wf_hal_write *writes, uint32_t count);

// surface.c
/// Whether such a surface can be made on this machine; `reason` says why not.
bool wf_sw_surface_possible(weft_surface_kind kind, char reason[WF_BASE_LIBRARY_REASON]);
weft_result wf_sw_surface_create(struct wf_hal_device *dev, const weft_surface_target *target,
                                 struct wf_hal_surface **out);
void wf_sw_surface_destroy(struct wf_hal_device *dev, struct wf_hal_surface *base);
weft_result wf_sw_surface_query(struct wf_hal_device *dev, struct wf_hal_surface *base,
                                weft_surface_info *out);
weft_result wf_sw_surface_configure(struct wf_hal_device *dev, struct wf_hal_surface *base,
                                    weft_surface_config *config);
weft_acquire_status wf_sw_surface_acquire(struct wf_hal_device *dev, struct wf_hal_surface *base,
                                          struct wf_hal_texture **out);
weft_result wf_sw_surface_present(struct wf_hal_device *dev, struct wf_hal_surface *base,
                                  const weft_rect *damage, uint32_t damage_count);
struct wf_hal_texture *wf_sw_surface_presented(struct wf_hal_device *dev,
                                               struct wf_hal_surface *base);

#endif
