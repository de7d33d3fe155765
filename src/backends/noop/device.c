#include "backends/noop/noop.h"

#include <stdio.h>
#include <string.h>

extern const struct wf_hal_backend wf_noop_backend;

/// Everything that has a hook. GLSL text has none yet.
#define FEATURES                                                                                   \
    (WEFT_FEATURE_POINTERS | WEFT_FEATURE_HEAP | WEFT_FEATURE_COMPUTE |                            \
     WEFT_FEATURE_INDIRECT_DRAWS | WEFT_FEATURE_INDIRECT_COUNT |                                   \
     WEFT_FEATURE_INDIRECT_FIRST_INSTANCE | WEFT_FEATURE_MULTI_DRAW |                              \
     WEFT_FEATURE_MULTIPLE_RENDER_TARGETS | WEFT_FEATURE_INT64 | WEFT_FEATURE_FLOAT16 |            \
     WEFT_FEATURE_FLOAT64 | WEFT_FEATURE_SUBGROUPS | WEFT_FEATURE_LINE_FILL |                      \
     WEFT_FEATURE_TIMESTAMPS | WEFT_FEATURE_TIMESTAMPS_ANYWHERE | WEFT_FEATURE_OCCLUSION_QUERIES | \
     WEFT_FEATURE_PIPELINE_STATISTICS | WEFT_FEATURE_DYNAMIC_BLEND | WEFT_FEATURE_DUAL_SOURCE |    \
     WEFT_FEATURE_SPLIT_BARRIERS | WEFT_FEATURE_BLOCKING_WAIT | WEFT_FEATURE_TEXTURE_VIEWS |       \
     WEFT_FEATURE_MULTISAMPLE | WEFT_FEATURE_SAMPLE_SHADING | WEFT_FEATURE_DEPTH_CLAMP |           \
     WEFT_FEATURE_DEPTH_BIAS | WEFT_FEATURE_CUBE_ARRAYS | WEFT_FEATURE_ANISOTROPY |                \
     WEFT_FEATURE_BC | WEFT_FEATURE_ETC2 | WEFT_FEATURE_ASTC | WEFT_FEATURE_PLACED_RESOURCES |     \
     WEFT_FEATURE_ROOT_STRIDE | WEFT_FEATURE_STORAGE_IN_VERTEX | WEFT_FEATURE_FRAGMENT_STORES |    \
     WEFT_FEATURE_INDEPENDENT_BLEND | WEFT_FEATURE_CLIP_DISTANCE | WEFT_FEATURE_STENCIL |          \
     WEFT_FEATURE_TEXTURES_1D | WEFT_FEATURE_TEXTURES_3D | WEFT_FEATURE_TEXTURE_ARRAYS |           \
     WEFT_FEATURE_STORAGE_TEXTURES | WEFT_FEATURE_POINTS_AND_LINES |                               \
     WEFT_FEATURE_ALPHA_TO_COVERAGE | WEFT_FEATURE_PRIMITIVE_RESTART |                             \
     WEFT_FEATURE_GENERATE_MIPS | WEFT_FEATURE_GPU_HEAP_WRITES | WEFT_FEATURE_LAYERED_RENDERING |  \
     WEFT_FEATURE_INT64_ATOMICS | WEFT_FEATURE_FLOAT_ATOMICS |                                     \
     WEFT_FEATURE_FLOAT_MIN_MAX_ATOMICS | WEFT_FEATURE_VARIABLE_POINTERS |                         \
     WEFT_FEATURE_WORKGROUP_LAYOUT | WEFT_FEATURE_PIPELINE_CACHE | WEFT_FEATURE_MESH_SHADERS |     \
     WEFT_FEATURE_RAY_QUERY | WEFT_FEATURE_FLOAT64_ATOMICS | WEFT_FEATURE_SUBGROUPS_IN_VERTEX)

static const weft_limits limits = {
    .max_buffer_size = UINT64_C(1) << 32,
    .max_texture_1d = 16384,
    .max_texture_2d = 16384,
    .max_texture_3d = 2048,
    .max_texture_layers = 2048,
    .max_color_targets = 8,
    .max_samples = 8,
    .max_root_bytes = 128,
    .max_vertex_streams = 16,
    .max_vertex_attributes = 32,
    .max_vertex_stride = 2048,
    .max_dynamic_offsets = 16,
    .max_uniform_range = 65536,
    .max_storage_range = UINT32_MAX,
    .uniform_offset_alignment = 256,
    .storage_offset_alignment = 32,
    .max_texel_elements = UINT32_C(1) << 27,
    .texel_offset_alignment = 64,
    .copy_offset_alignment = 4,
    .copy_row_alignment = 1,
    .max_uniform_buffers = 16,
    .max_storage_buffers = 16,
    .max_sampled_textures = 64,
    .max_storage_textures = 16,
    .max_samplers = 16,
    .max_heap_textures = 65536,
    .max_heap_samplers = 2048,
    .max_workgroup_size = {1024, 1024, 64},
    .max_workgroup_invocations = 1024,
    .max_workgroup_memory = 32768,
    .max_workgroups = 65535,
    .max_mesh_workgroups = 65535,
    .max_mesh_workgroups_total = 1u << 22,
    .max_mesh_workgroup_size = {128, 128, 128},
    .max_mesh_workgroup_invocations = 128,
    .max_mesh_workgroup_memory = 28672,
    .max_task_payload = 16384,
    .max_mesh_output_vertices = 256,
    .max_mesh_output_primitives = 256,
    .max_mesh_output_components = 128,
    .max_geometries = (1u << 24) - 1,
    .max_geometry_primitives = (1u << 29) - 1,
    .max_instances = (1u << 24) - 1,
    .max_acceleration_structures = 16,
    .max_heap_accelerations = 1024,
    .max_indirect_count = 1u << 20,
    .max_viewport = 16384,
    .max_clip_distances = 8,
    .subgroup_size = 32,
    .max_anisotropy = 16.0f,
    .timestamp_period = 1.0f,
};

static void fill_capabilities(weft_capabilities *caps)
{
    memset(caps, 0, sizeof *caps);
    caps->backend = WEFT_BACKEND_NOOP;
    caps->type = WEFT_ADAPTER_NONE;
    (void)snprintf(caps->name, sizeof caps->name, "Weft noop device");
    (void)snprintf(caps->driver, sizeof caps->driver, "weft %d.%d.%d", WEFT_VERSION_MAJOR,
                   WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
    caps->features = FEATURES;
    caps->limits = limits;
    wf_noop_fill_formats(caps);
}

void wf_noop_destroy(struct wf_hal_device *dev)
{
    struct wf_noop_device *noop = wf_noop_device(dev);
    wf_base_cond_finish(&noop->changed);
    wf_base_mutex_finish(&noop->lock);
    wf_base_free(dev->allocator, noop, sizeof *noop);
}

static const struct wf_hal_device_ops noop_ops = {
#define WF_HAL_HOOK(result, name, parameters) .name = wf_noop_##name,
#define WF_HAL_OPTIONAL(feature, result, name, parameters)
#include "hal/hooks.def"
    .memory_block_create = wf_noop_memory_block_create,
    .memory_block_destroy = wf_noop_memory_block_destroy,
    .acceleration_sizes = wf_noop_acceleration_sizes,
    .acceleration_create = wf_noop_acceleration_create,
    .acceleration_destroy = wf_noop_acceleration_destroy,
    .heap_open = wf_noop_heap_open,
    .heap_write_acceleration = wf_noop_heap_write_acceleration,
    .heap_write = wf_noop_heap_write,
    .pipeline_cache_save = wf_noop_pipeline_cache_save,
    .pipeline_cache_load = wf_noop_pipeline_cache_load,
    .timeline_wait = wf_noop_timeline_wait,
    .serial_wait = wf_noop_serial_wait,
    .cmd_signal_after = wf_noop_cmd_signal_after,
    .cmd_wait_before = wf_noop_cmd_wait_before,
    .cmd_write_timestamp = wf_noop_cmd_write_timestamp,
    .cmd_draw_indirect = wf_noop_cmd_draw_indirect,
    .cmd_draw_indexed_indirect = wf_noop_cmd_draw_indexed_indirect,
    .cmd_draw_mesh = wf_noop_cmd_draw_mesh,
    .cmd_draw_mesh_indirect = wf_noop_cmd_draw_indirect,
    .cmd_begin_occlusion = wf_noop_cmd_begin_occlusion,
    .cmd_end_occlusion = wf_noop_cmd_end_occlusion,
    .cmd_begin_statistics = wf_noop_cmd_begin_statistics,
    .cmd_end_statistics = wf_noop_cmd_end_statistics,
    .cmd_dispatch = wf_noop_cmd_dispatch,
    .cmd_dispatch_indirect = wf_noop_cmd_dispatch_indirect,
    .cmd_build_acceleration = wf_noop_cmd_build_acceleration,
    .cmd_generate_mips = wf_noop_cmd_generate_mips,
    .cmd_write_heap = wf_noop_cmd_write_heap,
};

static weft_result noop_adapters(weft_capabilities *out, uint32_t *count)
{
    if (out && *count > 0)
        fill_capabilities(out);
    *count = 1;
    return WEFT_OK;
}

static weft_result noop_open(const struct wf_hal_open *open, struct wf_hal_device **out,
                             char reason[WF_HAL_REASON_LENGTH])
{
    *out = NULL;
    struct wf_noop_device *noop = wf_base_alloc_zero(open->allocator, sizeof *noop);
    if (!noop) {
        (void)snprintf(reason, WF_HAL_REASON_LENGTH, "out of memory");
        return WEFT_ERROR_MEMORY;
    }
    const bool lock = wf_base_mutex_init(&noop->lock);
    if (!lock || !wf_base_cond_init(&noop->changed)) {
        if (lock)
            wf_base_mutex_finish(&noop->lock);
        wf_base_free(open->allocator, noop, sizeof *noop);
        (void)snprintf(reason, WF_HAL_REASON_LENGTH, "the system has no room for a lock");
        return WEFT_ERROR_MEMORY;
    }
    atomic_store(&noop->next_address, UINT64_C(1) << 20);
    noop->base.ops = &noop_ops;
    noop->base.allocator = open->allocator;
    noop->base.log = open->log;
    fill_capabilities(&noop->base.caps);
    *out = &noop->base;
    return WEFT_OK;
}

struct wf_noop_counts wf_noop_counts_get(struct wf_hal_device *dev)
{
    struct wf_noop_device *noop = wf_noop_device(dev);
    wf_base_mutex_lock(&noop->lock);
    const struct wf_noop_counts counts = noop->counts;
    wf_base_mutex_unlock(&noop->lock);
    return counts;
}

const struct wf_hal_backend wf_noop_backend = {
    .id = WEFT_BACKEND_NOOP,
    .adapters = noop_adapters,
    .open = noop_open,
};
