/// \file base.h
/// Results, handles and the few types that every other header uses.
///
/// Pointers. Labels, a callback's user data, arrays with a count of 0, and what a comment says may
/// be NULL. Anywhere else a call with NULL fails with WEFT_ERROR_USAGE and reports it to its
/// device. Without a device, command buffer, encoder or frame, whose making failed and was
/// reported, calls do nothing and fail silently, so that nothing needs to be checked on the way.
/// A few functions have no device to report to: they fail with WEFT_ERROR_USAGE alone, and say so.
#ifndef WEFT_BASE_H
#define WEFT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(WEFT_SHARED)
#if defined(WEFT_BUILDING)
#define WEFT_API __declspec(dllexport)
#else
#define WEFT_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_API
#endif

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/// What a call came to. Zero is success, positive is success with something to know, negative is a
/// failure for which a diagnostic was reported (device.h).
typedef enum weft_result {
    WEFT_OK = 0,
    WEFT_PENDING = 1,              ///< Not finished yet; ask again later.
    WEFT_SKIP = 2,                 ///< Nothing to do now (zero-sized surface, dropped present).
    WEFT_ERROR_USAGE = -1,         ///< The caller broke a rule; each broken rule was reported.
    WEFT_ERROR_MEMORY = -2,        ///< The host's memory is exhausted.
    WEFT_ERROR_DEVICE_MEMORY = -3, ///< The device's memory is exhausted.
    WEFT_ERROR_LOST = -4,          ///< The device is lost; start another.
    WEFT_ERROR_UNSUPPORTED = -5,   ///< This device cannot do it (see the capability snapshot).
    WEFT_ERROR_SHADER = -6,        ///< The shader is malformed or needs what the device lacks.
    WEFT_ERROR_SURFACE = -7,       ///< The surface is lost or refuses the configuration.
    WEFT_ERROR_TIMEOUT = -8,       ///< The time ran out before the event came.
    WEFT_ERROR_BACKEND = -9,       ///< The driver failed in a way that it should not.
} weft_result;

/// The constant's name, such as "WEFT_ERROR_USAGE"; "unknown result" for any other value.
WEFT_API const char *weft_result_name(weft_result result);

/// The version of the library that is running, as (major << 16 | minor << 8 | patch).
WEFT_API uint32_t weft_version(void);

typedef struct weft_device weft_device; ///< device.h

/// An address in GPU memory that shaders can dereference; 0 is null. Needs WEFT_FEATURE_POINTERS.
typedef uint64_t weft_gpu_ptr;

/// Handles. All zero is "none". `generation` is checked at every use: a handle that outlives its
/// object is reported as stale, one of another device as foreign; neither can crash. The top byte
/// of `generation` names the device.
typedef struct weft_buffer { ///< A range of GPU-visible memory.
    uint32_t index, generation;
} weft_buffer;
typedef struct weft_texture { ///< An image with mips, layers and samples.
    uint32_t index, generation;
} weft_texture;
typedef struct weft_texture_view { ///< A texture seen with a format, a kind and a range of mips and
                                   ///< layers.
    uint32_t index, generation;
} weft_texture_view;
typedef struct weft_view_pool { ///< A fixed store of texture views that is reset as one.
    uint32_t index, generation;
} weft_view_pool;
typedef struct weft_sampler { ///< How a texture is filtered and addressed.
    uint32_t index, generation;
} weft_sampler;
typedef struct weft_memory_block { ///< Memory into which buffers and textures are placed.
    uint32_t index, generation;
} weft_memory_block;
typedef struct weft_shader { ///< One SPIR-V module, read and reflected.
    uint32_t index, generation;
} weft_shader;
typedef struct weft_graphics_pipeline { ///< Shaders and the fixed state that cannot change by
                                        ///< command.
    uint32_t index, generation;
} weft_graphics_pipeline;
typedef struct weft_compute_pipeline { ///< One compute shader with its constants.
    uint32_t index, generation;
} weft_compute_pipeline;
typedef struct weft_argument_layout { ///< What one argument slot holds.
    uint32_t index, generation;
} weft_argument_layout;
typedef struct weft_argument_table { ///< Resources for one argument slot.
    uint32_t index, generation;
} weft_argument_table;
typedef struct weft_acceleration_structure { ///< A ray-query structure.
    uint32_t index, generation;
} weft_acceleration_structure;
typedef struct weft_query_pool { ///< Timestamps, occlusion counts or statistics.
    uint32_t index, generation;
} weft_query_pool;
typedef struct weft_timeline { ///< A 64-bit counter shared by queues and the CPU.
    uint32_t index, generation;
} weft_timeline;
typedef struct weft_surface { ///< Something that frames are presented to.
    uint32_t index, generation;
} weft_surface;
typedef struct weft_heap_range { ///< A contiguous range of heap indices.
    uint32_t index, generation;
} weft_heap_range;
typedef struct weft_command_allocator { ///< Memory that command buffers record into.
    uint32_t index, generation;
} weft_command_allocator;

/// True for the none handle of a buffer.
static inline bool weft_buffer_is_none(weft_buffer handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of a texture.
static inline bool weft_texture_is_none(weft_texture handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of a texture view.
static inline bool weft_texture_view_is_none(weft_texture_view handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of a view pool.
static inline bool weft_view_pool_is_none(weft_view_pool handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of a sampler.
static inline bool weft_sampler_is_none(weft_sampler handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of a memory block.
static inline bool weft_memory_block_is_none(weft_memory_block handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of a shader.
static inline bool weft_shader_is_none(weft_shader handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of a graphics pipeline.
static inline bool weft_graphics_pipeline_is_none(weft_graphics_pipeline handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of a compute pipeline.
static inline bool weft_compute_pipeline_is_none(weft_compute_pipeline handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of an argument layout.
static inline bool weft_argument_layout_is_none(weft_argument_layout handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of an argument table.
static inline bool weft_argument_table_is_none(weft_argument_table handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of an acceleration structure.
static inline bool weft_acceleration_structure_is_none(weft_acceleration_structure handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of a query pool.
static inline bool weft_query_pool_is_none(weft_query_pool handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of a timeline.
static inline bool weft_timeline_is_none(weft_timeline handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of a surface.
static inline bool weft_surface_is_none(weft_surface handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of a heap range.
static inline bool weft_heap_range_is_none(weft_heap_range handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// True for the none handle of a command allocator.
static inline bool weft_command_allocator_is_none(weft_command_allocator handle)
{
    return handle.index == 0 && handle.generation == 0;
}

/// Any handle, with its kind; what a diagnostic names.
typedef enum weft_object_kind {
    WEFT_OBJECT_NONE = 0,
    WEFT_OBJECT_DEVICE,
    WEFT_OBJECT_BUFFER,
    WEFT_OBJECT_TEXTURE,
    WEFT_OBJECT_TEXTURE_VIEW,
    WEFT_OBJECT_VIEW_POOL,
    WEFT_OBJECT_SAMPLER,
    WEFT_OBJECT_MEMORY_BLOCK,
    WEFT_OBJECT_SHADER,
    WEFT_OBJECT_GRAPHICS_PIPELINE,
    WEFT_OBJECT_COMPUTE_PIPELINE,
    WEFT_OBJECT_ARGUMENT_LAYOUT,
    WEFT_OBJECT_ARGUMENT_TABLE,
    WEFT_OBJECT_ACCELERATION_STRUCTURE,
    WEFT_OBJECT_QUERY_POOL,
    WEFT_OBJECT_TIMELINE,
    WEFT_OBJECT_SURFACE,
    WEFT_OBJECT_HEAP_RANGE,
    WEFT_OBJECT_COMMAND_ALLOCATOR,
    WEFT_OBJECT_COMMAND_BUFFER,
    WEFT_OBJECT_FRAME,
} weft_object_kind;

typedef struct weft_object {
    uint32_t index, generation; ///< The handle; {0, 0} where there is none.
    weft_object_kind kind;
} weft_object;

typedef struct weft_native weft_native; ///< interop/native.h: what is the host's own.

/// A rectangle in texels, origin top-left.
typedef struct weft_rect {
    int32_t x, y;
    uint32_t width, height;
} weft_rect;

/// Severity of diagnostics and log lines.
typedef enum weft_severity {
    WEFT_SEVERITY_INFO = 0,
    WEFT_SEVERITY_PERFORMANCE, ///< It works but costs more than it need.
    WEFT_SEVERITY_WARNING,     ///< It works but is probably not what was meant.
    WEFT_SEVERITY_ERROR,       ///< The operation failed.
} weft_severity;

#ifdef __cplusplus
}
#endif

#endif
