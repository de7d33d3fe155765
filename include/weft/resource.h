/// \file resource.h
/// Buffers, textures, views, samplers, memory blocks, the heap, uploads and reads.
///
/// Every create function writes `*out` (the none handle on failure), reports each broken rule,
/// copies its description and may be called from any thread. Destroying the none handle does
/// nothing; destroying an object in flight retires it behind the last submission that could use it.
#ifndef WEFT_RESOURCE_H
#define WEFT_RESOURCE_H

#include <weft/base.h>
#include <weft/format.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where memory lives.
typedef enum weft_memory {
    WEFT_MEMORY_AUTO = 0, ///< GPU if initial data is given, otherwise DEFAULT.
    WEFT_MEMORY_DEFAULT,  ///< CPU-mapped, GPU-readable.
    WEFT_MEMORY_GPU,      ///< Private to the GPU; mapping it is an error.
    WEFT_MEMORY_READBACK, ///< CPU-cached, written by the GPU.
} weft_memory;

/// Queues that may use a resource at the same time. 0: one at a time, handed over by a barrier.
typedef uint32_t weft_queue_set;
enum {
    WEFT_QUEUE_SET_GRAPHICS = 1u << 0,
    WEFT_QUEUE_SET_COMPUTE = 1u << 1,
    WEFT_QUEUE_SET_COPY = 1u << 2,
};

typedef uint32_t weft_buffer_usage;
enum {
    WEFT_BUFFER_USAGE_COPY_SRC = 1u << 0,
    WEFT_BUFFER_USAGE_COPY_DST = 1u << 1,
    WEFT_BUFFER_USAGE_VERTEX = 1u << 2,
    WEFT_BUFFER_USAGE_INDEX = 1u << 3,
    WEFT_BUFFER_USAGE_UNIFORM = 1u << 4,
    WEFT_BUFFER_USAGE_STORAGE = 1u << 5,
    WEFT_BUFFER_USAGE_INDIRECT = 1u << 6,
    WEFT_BUFFER_USAGE_ADDRESS = 1u << 7, ///< weft_buffer_address(). Needs WEFT_FEATURE_POINTERS.
    WEFT_BUFFER_USAGE_QUERY = 1u << 8,   ///< Query results are resolved into it.
    WEFT_BUFFER_USAGE_TEXEL = 1u << 9,   ///< Uniform or storage texel buffers.
    WEFT_BUFFER_USAGE_ACCELERATION =
        1u << 10, ///< Builds read or write it. Needs WEFT_FEATURE_RAY_QUERY.
    WEFT_BUFFER_USAGE_ALL_BITS = (1u << 11) - 1u,
};

/// A place in a memory block, or what the host made itself. None: the resource has memory of its
/// own.
typedef struct weft_placement {
    weft_memory_block block;
    uint64_t offset;           ///< Bytes; a multiple of the alignment that the size query tells.
    const weft_native *native; ///< The resource is the host's own: weft/interop/. NULL: it is not.
} weft_placement;

/// Parameters of weft_buffer_create(). Zero-initialise, then set what differs.
typedef struct weft_buffer_desc {
    uint64_t size; ///< Bytes, a multiple of 4, up to weft_limits.max_buffer_size. Required.
    weft_buffer_usage usage; ///< 0: COPY_DST.
    weft_memory memory;
    const void *data; ///< `size` bytes, copied at once; NULL: contents are undefined.
    weft_queue_set queues;
    weft_placement place;
    const char *label; ///< UTF-8, copied; NULL: none. Shown in errors.
} weft_buffer_desc;

WEFT_API weft_result weft_buffer_create(weft_device *device, const weft_buffer_desc *desc,
                                        weft_buffer *out);
WEFT_API void weft_buffer_destroy(weft_device *device, weft_buffer buffer);

/// The buffer's bytes for the CPU, from `offset`; NULL and a diagnostic for GPU memory or a bad
/// handle. The pointer stays valid until the buffer is destroyed or rebound. Persistent: there is
/// no unmap.
WEFT_API void *weft_buffer_map(weft_device *device, weft_buffer buffer, uint64_t offset,
                               uint64_t size);
/// Makes CPU writes in the range visible to later submissions. A no-op where memory is coherent.
WEFT_API weft_result weft_buffer_flush(weft_device *device, weft_buffer buffer, uint64_t offset,
                                       uint64_t size);
/// The address of byte 0. 0 and a diagnostic without WEFT_FEATURE_POINTERS or usage ADDRESS.
WEFT_API weft_gpu_ptr weft_buffer_address(weft_device *device, weft_buffer buffer);
/// Gives the buffer new backing memory, contents undefined, under the same handle. Work recorded
/// before keeps the old memory; argument tables follow when they are set next; addresses taken
/// before stay the old ones.
WEFT_API weft_result weft_buffer_rebind(weft_device *device, weft_buffer buffer);
/// Writes `size` bytes (a multiple of 4, as is `offset`) ahead of the next submission. `data` is
/// copied at once. Writes take effect in call order. Large writes are split.
WEFT_API weft_result weft_buffer_write(weft_device *device, weft_buffer buffer, uint64_t offset,
                                       const void *data, uint64_t size);
/// Waits for the GPU, then reads. Needs WEFT_FEATURE_BLOCKING_WAIT and usage COPY_SRC or mapped
/// memory.
WEFT_API weft_result weft_buffer_read(weft_device *device, weft_buffer buffer, uint64_t offset,
                                      void *data, uint64_t size);
/// The description as resolved (`data` and `label` NULL); false for a bad handle.
WEFT_API bool weft_buffer_get_desc(weft_device *device, weft_buffer buffer, weft_buffer_desc *out);

// ---- textures ----------------------------------------------------------------------------------

typedef enum weft_texture_kind {
    WEFT_TEXTURE_2D = 0,
    WEFT_TEXTURE_1D,
    WEFT_TEXTURE_3D,
    WEFT_TEXTURE_CUBE, ///< 6 layers each.
} weft_texture_kind;

typedef uint32_t weft_texture_usage;
enum {
    WEFT_TEXTURE_USAGE_SAMPLED = 1u << 0,
    WEFT_TEXTURE_USAGE_STORAGE = 1u << 1,
    WEFT_TEXTURE_USAGE_RENDER = 1u << 2, ///< Color, depth or stencil attachment.
    WEFT_TEXTURE_USAGE_COPY_SRC = 1u << 3,
    WEFT_TEXTURE_USAGE_COPY_DST = 1u << 4,
    WEFT_TEXTURE_USAGE_TRANSIENT = 1u << 5, ///< Never loaded nor stored: no memory on tilers.
    WEFT_TEXTURE_USAGE_ALL_BITS = (1u << 6) - 1u,
};

/// All mips down to 1×1.
#define WEFT_MIPS_ALL UINT32_MAX

/// A clear value: which member is read follows from the format.
typedef union weft_clear_color {
    float f[4];
    int32_t i[4];
    uint32_t u[4];
} weft_clear_color;

typedef struct weft_clear_value {
    weft_clear_color color;
    float depth;
    uint32_t stencil;
} weft_clear_value;

/// Parameters of weft_texture_create(). Zero-initialise, then set what differs.
typedef struct weft_texture_desc {
    weft_texture_kind kind;
    weft_format format;                 ///< Required.
    uint32_t width, height, depth;      ///< Texels; 0: 1.
    uint32_t layers, mips, samples;     ///< 0: 1 (cube: 6 layers). WEFT_MIPS_ALL: the chain.
    weft_texture_usage usage;           ///< 0: SAMPLED | COPY_DST.
    weft_format view_format;            ///< The sRGB twin, if views need it; NONE: only `format`.
    const weft_clear_value *fast_clear; ///< A hint; other clears stay legal.
    weft_queue_set queues;
    weft_placement place;
    const char *label;
} weft_texture_desc;

WEFT_API weft_result weft_texture_create(weft_device *device, const weft_texture_desc *desc,
                                         weft_texture *out);
WEFT_API void weft_texture_destroy(weft_device *device, weft_texture texture);
/// The description as resolved (`label` and `fast_clear` NULL); false for a bad handle.
WEFT_API bool weft_texture_get_desc(weft_device *device, weft_texture texture,
                                    weft_texture_desc *out);

/// A box of texels in one mip of some layers (or slices of a 3D texture).
typedef struct weft_texture_region {
    uint32_t mip;
    uint32_t layer, layer_count;   ///< layer_count 0: 1. Not for 3D.
    uint32_t x, y, z;              ///< Texels; multiples of the block.
    uint32_t width, height, depth; ///< Texels; 0: to the edge.
    weft_aspect_set aspect;        ///< 0: color, or depth for depth formats.
} weft_texture_region;

/// How texels lie in a buffer or in memory.
typedef struct weft_texel_layout {
    uint64_t offset;     ///< Bytes, a multiple of the block size.
    uint32_t row_bytes;  ///< From one row of blocks to the next; 0: tight.
    uint32_t slice_rows; ///< Rows of blocks from one slice or layer to the next; 0: tight.
} weft_texel_layout;

/// Writes texels ahead of the next submission. `data` is copied at once. Here and below a NULL
/// region is mip 0 of layer 0, a NULL layout tight.
WEFT_API weft_result weft_texture_write(weft_device *device, weft_texture texture,
                                        const weft_texture_region *region, const void *data,
                                        const weft_texel_layout *layout);
/// Waits for the GPU, then reads. Needs WEFT_FEATURE_BLOCKING_WAIT and usage COPY_SRC. `size`
/// bounds `data`.
WEFT_API weft_result weft_texture_read(weft_device *device, weft_texture texture,
                                       const weft_texture_region *region, void *data, uint64_t size,
                                       const weft_texel_layout *layout);

typedef enum weft_view_kind {
    WEFT_VIEW_DEFAULT = 0, ///< The texture's own kind; an array if it has more than one layer.
    WEFT_VIEW_1D,
    WEFT_VIEW_1D_ARRAY,
    WEFT_VIEW_2D,
    WEFT_VIEW_2D_ARRAY,
    WEFT_VIEW_3D,
    WEFT_VIEW_CUBE,
    WEFT_VIEW_CUBE_ARRAY,
} weft_view_kind;

typedef enum weft_swizzle {
    WEFT_SWIZZLE_SAME = 0, ///< The component itself.
    WEFT_SWIZZLE_ZERO,
    WEFT_SWIZZLE_ONE,
    WEFT_SWIZZLE_R,
    WEFT_SWIZZLE_G,
    WEFT_SWIZZLE_B,
    WEFT_SWIZZLE_A,
} weft_swizzle;

/// Parameters of weft_texture_view_create().
typedef struct weft_texture_view_desc {
    weft_texture texture; ///< Required.
    weft_view_kind kind;
    weft_format format;          ///< NONE: the texture's; else its declared view_format.
    uint32_t mip, mip_count;     ///< mip_count 0: the rest.
    uint32_t layer, layer_count; ///< layer_count 0: the rest.
    weft_aspect_set aspect;      ///< 0: color, or depth for depth formats (both when rendered to).
    weft_swizzle swizzle[4];     ///< For sampling only.
    weft_view_pool pool;         ///< None: the device's own store.
    const char *label;
} weft_texture_view_desc;

WEFT_API weft_result weft_texture_view_create(weft_device *device,
                                              const weft_texture_view_desc *desc,
                                              weft_texture_view *out);
WEFT_API void weft_texture_view_destroy(weft_device *device, weft_texture_view view);
/// A view, resolved.
typedef struct weft_texture_view_info {
    weft_texture texture;
    weft_view_kind kind; ///< Never DEFAULT.
    weft_format format;
    uint32_t width, height, depth; ///< Texels of its first mip.
    uint32_t mips, layers, samples;
} weft_texture_view_info;
/// False for a bad handle, which is not reported.
WEFT_API bool weft_texture_view_get_info(weft_device *device, weft_texture_view view,
                                         weft_texture_view_info *out);
/// The texture behind a view; none for a bad handle.
WEFT_API weft_texture weft_texture_view_texture(weft_device *device, weft_texture_view view);

/// A store of `capacity` views which weft_view_pool_reset() destroys all at once.
typedef struct weft_view_pool_desc {
    uint32_t capacity; ///< Required.
    const char *label;
} weft_view_pool_desc;
WEFT_API weft_result weft_view_pool_create(weft_device *device, const weft_view_pool_desc *desc,
                                           weft_view_pool *out);
WEFT_API weft_result weft_view_pool_reset(weft_device *device, weft_view_pool pool);
WEFT_API void weft_view_pool_destroy(weft_device *device, weft_view_pool pool);

// ---- samplers ----------------------------------------------------------------------------------

typedef enum weft_filter {
    WEFT_FILTER_NEAREST = 0,
    WEFT_FILTER_LINEAR,
} weft_filter;

typedef enum weft_address_mode {
    WEFT_ADDRESS_REPEAT = 0,
    WEFT_ADDRESS_MIRROR_REPEAT,
    WEFT_ADDRESS_CLAMP_TO_EDGE,
    WEFT_ADDRESS_CLAMP_TO_BORDER,
} weft_address_mode;

typedef enum weft_border_color {
    WEFT_BORDER_TRANSPARENT_BLACK = 0,
    WEFT_BORDER_OPAQUE_BLACK,
    WEFT_BORDER_OPAQUE_WHITE,
} weft_border_color;

typedef enum weft_compare {
    WEFT_COMPARE_DEFAULT = 0, ///< Samplers: no comparison. Depth test: off. Stencil: ALWAYS.
    WEFT_COMPARE_NEVER,
    WEFT_COMPARE_LESS,
    WEFT_COMPARE_EQUAL,
    WEFT_COMPARE_LESS_EQUAL,
    WEFT_COMPARE_GREATER,
    WEFT_COMPARE_NOT_EQUAL,
    WEFT_COMPARE_GREATER_EQUAL,
    WEFT_COMPARE_ALWAYS,
} weft_compare;

/// Parameters of weft_sampler_create(). Zero-initialised: nearest, repeat, all mips.
typedef struct weft_sampler_desc {
    weft_filter mag, min, mip;
    weft_address_mode u, v, w;
    weft_border_color border;
    weft_compare compare;   ///< Not DEFAULT: a comparison sampler.
    float lod_bias;         ///< Mips, -16 to 16.
    float lod_min, lod_max; ///< Mips, 0 <= lod_min <= lod_max; lod_max 0: no upper limit.
    /// 0 and 1: none; up to weft_limits.max_anisotropy. Above 1 it needs WEFT_FEATURE_ANISOTROPY
    /// and three linear filters; it changes nothing where a shader names the level or gathers, nor
    /// for textures of integers, which are not filtered.
    float anisotropy;
    bool only_base_mip; ///< lod_max is taken as exactly 0.
    /// It samples textures of integers, and its border is of integers, too. Without it, what they
    /// read at the border is undefined on drivers; with it, what others read there is.
    bool integer_border;
    const char *label;
} weft_sampler_desc;
WEFT_API weft_result weft_sampler_create(weft_device *device, const weft_sampler_desc *desc,
                                         weft_sampler *out);
WEFT_API void weft_sampler_destroy(weft_device *device, weft_sampler sampler);

// ---- memory blocks -----------------------------------------------------------------------------

/// Size and alignment that a resource needs in a block, in bytes.
typedef struct weft_memory_needs {
    uint64_t size, alignment;
} weft_memory_needs;
WEFT_API weft_result weft_buffer_memory_needs(weft_device *device, const weft_buffer_desc *desc,
                                              weft_memory_needs *out);
WEFT_API weft_result weft_texture_memory_needs(weft_device *device, const weft_texture_desc *desc,
                                               weft_memory_needs *out);

/// Memory that placed resources share. Needs WEFT_FEATURE_PLACED_RESOURCES. A block must outlive
/// what is placed in it; destroying it earlier is refused.
typedef struct weft_memory_block_desc {
    uint64_t size;      ///< Bytes. Required.
    weft_memory memory; ///< AUTO: GPU.
    const char *label;
} weft_memory_block_desc;
WEFT_API weft_result weft_memory_block_create(weft_device *device,
                                              const weft_memory_block_desc *desc,
                                              weft_memory_block *out);
WEFT_API void weft_memory_block_destroy(weft_device *device, weft_memory_block block);

// ---- the heap ----------------------------------------------------------------------------------

typedef enum weft_heap_kind {
    WEFT_HEAP_SAMPLED = 0,  ///< Set 3 binding 0.
    WEFT_HEAP_STORAGE,      ///< Set 3 binding 1.
    WEFT_HEAP_SAMPLER,      ///< Set 3 binding 2.
    WEFT_HEAP_ACCELERATION, ///< Set 3 binding 3.
} weft_heap_kind;

/// The view's index in the heap, assigned at first use and freed with the view. UINT32_MAX and a
/// diagnostic without WEFT_FEATURE_HEAP, for a bad handle, when the heap is full, or when there is
/// no memory for it: some drivers need a lot, which is taken when the first index is asked for.
WEFT_API uint32_t weft_texture_view_index(weft_device *device, weft_texture_view view,
                                          weft_heap_kind kind);
WEFT_API uint32_t weft_sampler_index(weft_device *device, weft_sampler sampler);

/// `count` contiguous indices that the host fills itself. Not of WEFT_HEAP_ACCELERATION.
WEFT_API weft_result weft_heap_range_create(weft_device *device, weft_heap_kind kind,
                                            uint32_t count, weft_heap_range *out);
WEFT_API void weft_heap_range_destroy(weft_device *device, weft_heap_range range);
/// First index of a range; UINT32_MAX for a bad handle.
WEFT_API uint32_t weft_heap_range_first(weft_device *device, weft_heap_range range);
/// Writes entry `element` of the range. Live: the GPU may see it at once.
WEFT_API weft_result weft_heap_range_write(weft_device *device, weft_heap_range range,
                                           uint32_t element, weft_texture_view view,
                                           weft_sampler sampler);

// ---- acceleration structures -------------------------------------------------------------------

// What shaders trace rays through with ray queries (GLSL: GL_EXT_ray_query). A bottom level holds
// triangles or boxes, a top level instances of bottom levels; shaders read top levels, from tables
// (WEFT_ARGUMENT_ACCELERATION_STRUCTURE) or the heap. They are made on the GPU, by
// weft_compute_build_acceleration_structure() (command.h). All of it needs WEFT_FEATURE_RAY_QUERY.

typedef enum weft_acceleration_level {
    WEFT_ACCELERATION_BOTTOM = 0,
    WEFT_ACCELERATION_TOP,
} weft_acceleration_level;

typedef uint32_t weft_acceleration_flags;
enum {
    WEFT_ACCELERATION_UPDATE = 1u << 0, ///< Builds may keep it and only move what is in it.
    WEFT_ACCELERATION_FAST_TRACE = 1u << 1,
    WEFT_ACCELERATION_FAST_BUILD = 1u << 2, ///< Not together with FAST_TRACE.
    WEFT_ACCELERATION_LOW_MEMORY = 1u << 3,
    WEFT_ACCELERATION_SCRATCH_GIVEN = 1u << 4, ///< Builds bring scratch memory; else it owns some.
    WEFT_ACCELERATION_ALL_FLAGS = (1u << 5) - 1u,
};

typedef enum weft_index_type {
    WEFT_INDEX_NONE = 0,
    WEFT_INDEX_UINT16,
    WEFT_INDEX_UINT32,
} weft_index_type;

typedef enum weft_geometry_kind {
    WEFT_GEOMETRY_TRIANGLES = 0,
    WEFT_GEOMETRY_BOXES, ///< Candidates that the shader decides on by itself.
} weft_geometry_kind;

typedef uint32_t weft_geometry_flags;
enum {
    WEFT_GEOMETRY_OPAQUE = 1u << 0, ///< Triangles are hits, and no candidates.
    WEFT_GEOMETRY_ONCE = 1u << 1,   ///< Each is a candidate once at most.
    WEFT_GEOMETRY_ALL_FLAGS = (1u << 2) - 1u,
};

/// One geometry of a bottom level. Creating looks at `kind`, `flags`, `count`, `vertex_count`,
/// `format`, `index_type` and whether there is a transform; of buffers only builds take note. They
/// have usage ACCELERATION.
typedef struct weft_acceleration_geometry {
    weft_geometry_kind kind;
    weft_geometry_flags flags;
    uint32_t count;        ///< Triangles or boxes.
    weft_buffer buffer;    ///< Vertices, or boxes: six floats each, the least x, y, z, the most.
    uint64_t offset;       ///< Bytes, a multiple of 4; boxes: of 8.
    uint32_t stride;       ///< Likewise. 0: tight.
    uint32_t vertex_count; ///< Indices are below it.
    weft_vertex_format
        format; ///< FLOAT32X3 or X2, FLOAT16X4 or X2, SNORM16X4 or X2 (whose w is 1).
    weft_index_type index_type; ///< NONE: three vertices each, in order.
    weft_buffer indices;
    uint64_t index_offset;     ///< Bytes, a multiple of the index size.
    bool transformed;          ///< By three rows of four floats.
    weft_buffer transform;     ///< Where they are.
    uint64_t transform_offset; ///< Bytes, a multiple of 16.
} weft_acceleration_geometry;

/// Parameters of weft_acceleration_structure_create(): the most that is ever built into it.
typedef struct weft_acceleration_structure_desc {
    weft_acceleration_level level;
    weft_acceleration_flags flags;
    const weft_acceleration_geometry *geometries; ///< Bottom levels: all of one kind.
    uint32_t geometry_count;
    uint32_t instance_count; ///< Top levels.
    const char *label;
} weft_acceleration_structure_desc;

/// Bytes that a structure takes.
typedef struct weft_acceleration_sizes {
    uint64_t size;
    uint64_t build_scratch, update_scratch; ///< Of scratch memory. The latter with UPDATE only.
} weft_acceleration_sizes;
WEFT_API weft_result weft_acceleration_structure_sizes(weft_device *device,
                                                       const weft_acceleration_structure_desc *desc,
                                                       weft_acceleration_sizes *out);
WEFT_API weft_result weft_acceleration_structure_create(
    weft_device *device, const weft_acceleration_structure_desc *desc,
    weft_acceleration_structure *out);
WEFT_API void weft_acceleration_structure_destroy(weft_device *device,
                                                  weft_acceleration_structure structure);
/// What instances name it by; 0 for a bad handle. Instances do not keep it: it lives at least until
/// the last work that reads them is submitted.
WEFT_API weft_gpu_ptr weft_acceleration_structure_address(weft_device *device,
                                                          weft_acceleration_structure structure);
/// The top level's index in the heap, as weft_texture_view_index().
WEFT_API uint32_t weft_acceleration_structure_index(weft_device *device,
                                                    weft_acceleration_structure structure);

typedef uint32_t weft_instance_flags;
enum {
    WEFT_INSTANCE_NO_CULL = 1u << 0,   ///< Rays that cull triangles by facing do not here.
    WEFT_INSTANCE_FLIP = 1u << 1,      ///< Front and back of triangles are exchanged.
    WEFT_INSTANCE_OPAQUE = 1u << 2,    ///< In place of what geometries say.
    WEFT_INSTANCE_NO_OPAQUE = 1u << 3, ///< Likewise.
};

/// One instance of a bottom level, as a top level's build reads it: byte for byte Vulkan's
/// VkAccelerationStructureInstanceKHR.
typedef struct weft_acceleration_instance {
    float transform[12];       ///< Three rows of four: from the bottom level's space to the world.
    uint32_t index_and_mask;   ///< gl_...InstanceCustomIndex: 24 bits; then the mask of 8.
    uint32_t record_and_flags; ///< Record offset: 24 bits; then WEFT_INSTANCE_*.
    weft_gpu_ptr structure;    ///< weft_acceleration_structure_address(); 0: inactive.
} weft_acceleration_instance;

// ---- transient memory --------------------------------------------------------------------------

/// A piece of one frame's memory. Valid until the frame slot comes round again.
typedef struct weft_transient {
    weft_buffer buffer;    ///< One handle for the whole ring.
    uint64_t offset, size; ///< Bytes.
    void *cpu;             ///< Write here; NULL on failure.
    weft_gpu_ptr gpu;      ///< 0 without WEFT_FEATURE_POINTERS.
} weft_transient;

/// Takes `size` bytes at a multiple of `align` (0: 256; a power of two) for work that is submitted
/// before weft_transient_advance(). No heap allocation once the ring has grown to its size.
WEFT_API weft_transient weft_transient_alloc(weft_device *device, uint64_t size, uint64_t align);
/// Begins the next of the device's frames in flight: waits until the GPU has left that slot, then
/// reuses its memory. weft_frame_begin() does it for its host.
WEFT_API weft_result weft_transient_advance(weft_device *device);

// ---- reads without blocking --------------------------------------------------------------------

/// A read under way. 0 is none.
typedef uint64_t weft_read;

/// Starts copying a range for the CPU, behind everything submitted so far.
WEFT_API weft_result weft_read_begin_buffer(weft_device *device, weft_buffer buffer,
                                            uint64_t offset, uint64_t size, weft_read *out);
WEFT_API weft_result weft_read_begin_texture(weft_device *device, weft_texture texture,
                                             const weft_texture_region *region, weft_read *out);
/// WEFT_OK when the data is there, WEFT_PENDING before, an error if it was lost.
WEFT_API weft_result weft_read_poll(weft_device *device, weft_read read);
/// Copies the data (texels tightly packed) and ends the read. `size` bounds `data`. A read that is
/// not ready stays (WEFT_PENDING).
WEFT_API weft_result weft_read_take(weft_device *device, weft_read read, void *data, uint64_t size);

#ifdef __cplusplus
}
#endif

#endif
