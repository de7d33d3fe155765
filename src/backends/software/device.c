// Opening a device, and what it says of itself.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "backends/software/execute.h"
#include "backends/software/software.h"
#include "base/bits.h"
#include "base/system.h"
#include "base/text.h"

#define RESERVE          (UINT64_C(64) << 30) // addresses, not memory
#define DEFAULT_BUDGET   (UINT64_C(1) << 26)
#define DEFAULT_SUBGROUP 32u

void wf_sw_label_copy(char out[WF_SW_LABEL_BYTES], const char *label)
{
    size_t length = 0;
    for (size_t step; label && label[length]; length += step) {
        step = wf_base_utf8_length(label + length, strlen(label + length));
        if (step == 0 || length + step >= WF_SW_LABEL_BYTES)
            break;
    }
    memcpy(out, label ? label : "", length);
    out[length] = 0;
}

// ---- capabilities ------------------------------------------------------------------------------

static const weft_feature_set features =
    WEFT_FEATURE_POINTERS | WEFT_FEATURE_HEAP | WEFT_FEATURE_COMPUTE | WEFT_FEATURE_INDIRECT_DRAWS |
    WEFT_FEATURE_INDIRECT_COUNT | WEFT_FEATURE_INDIRECT_FIRST_INSTANCE | WEFT_FEATURE_MULTI_DRAW |
    WEFT_FEATURE_MULTIPLE_RENDER_TARGETS | WEFT_FEATURE_TIMESTAMPS |
    WEFT_FEATURE_TIMESTAMPS_ANYWHERE | WEFT_FEATURE_OCCLUSION_QUERIES | WEFT_FEATURE_DYNAMIC_BLEND |
    WEFT_FEATURE_SPLIT_BARRIERS | WEFT_FEATURE_BLOCKING_WAIT | WEFT_FEATURE_TEXTURE_VIEWS |
    WEFT_FEATURE_MULTISAMPLE | WEFT_FEATURE_PLACED_RESOURCES | WEFT_FEATURE_ROOT_STRIDE |
    WEFT_FEATURE_STORAGE_IN_VERTEX | WEFT_FEATURE_FRAGMENT_STORES | WEFT_FEATURE_INDEPENDENT_BLEND |
    WEFT_FEATURE_TEXTURES_1D | WEFT_FEATURE_TEXTURES_3D | WEFT_FEATURE_TEXTURE_ARRAYS |
    WEFT_FEATURE_CUBE_ARRAYS | WEFT_FEATURE_STORAGE_TEXTURES | WEFT_FEATURE_GENERATE_MIPS |
    WEFT_FEATURE_GPU_HEAP_WRITES | WEFT_FEATURE_INT64 | WEFT_FEATURE_FLOAT16 |
    WEFT_FEATURE_FLOAT64 | WEFT_FEATURE_PIPELINE_STATISTICS | WEFT_FEATURE_DUAL_SOURCE |
    WEFT_FEATURE_SAMPLE_SHADING | WEFT_FEATURE_DEPTH_CLAMP | WEFT_FEATURE_DEPTH_BIAS |
    WEFT_FEATURE_CLIP_DISTANCE | WEFT_FEATURE_STENCIL | WEFT_FEATURE_POINTS_AND_LINES |
    WEFT_FEATURE_ALPHA_TO_COVERAGE | WEFT_FEATURE_PRIMITIVE_RESTART | WEFT_FEATURE_BC |
    WEFT_FEATURE_ETC2 | WEFT_FEATURE_ASTC | WEFT_FEATURE_SUBGROUPS | WEFT_FEATURE_ANISOTROPY |
    WEFT_FEATURE_LINE_FILL | WEFT_FEATURE_LAYERED_RENDERING | WEFT_FEATURE_INT64_ATOMICS |
    WEFT_FEATURE_FLOAT_ATOMICS | WEFT_FEATURE_FLOAT_MIN_MAX_ATOMICS |
    WEFT_FEATURE_VARIABLE_POINTERS | WEFT_FEATURE_WORKGROUP_LAYOUT | WEFT_FEATURE_FLOAT64_ATOMICS |
    WEFT_FEATURE_SUBGROUPS_IN_VERTEX;

static const weft_limits limits = {
    .max_buffer_size = UINT64_C(1) << 32,
    .max_texture_1d = WF_SW_IMAGE_MAX_SIDE,
    .max_texture_2d = WF_SW_IMAGE_MAX_SIDE,
    .max_texture_3d = WF_SW_IMAGE_MAX_DEPTH,
    .max_texture_layers = WF_SW_IMAGE_MAX_LAYERS,
    .max_color_targets = WF_SW_RASTER_COLORS,
    .max_samples = 8,
    .max_root_bytes = WF_SW_ROOT_BYTES,
    .max_vertex_streams = WF_SW_VERTEX_STREAMS,
    .max_vertex_attributes = WF_SW_RASTER_ATTRIBUTES,
    .max_vertex_stride = 2048,
    .max_dynamic_offsets = 64,
    .max_uniform_range = UINT32_C(1) << 30,
    .max_storage_range = UINT32_C(1) << 31,
    .uniform_offset_alignment = 16,
    .storage_offset_alignment = 16,
    .max_texel_elements = UINT32_C(1) << 27,
    .texel_offset_alignment = 16,
    .copy_offset_alignment = 1,
    .copy_row_alignment = 1,
    .max_uniform_buffers = 64,
    .max_storage_buffers = 64,
    .max_sampled_textures = 1024,
    .max_storage_textures = 64,
    .max_samplers = 1024,
    .max_heap_textures = WF_SW_HEAP_STORAGE,
    .max_heap_samplers = WF_SW_HEAP_SAMPLERS,
    .max_workgroup_size = {WF_SW_MAX_WORKGROUP, WF_SW_MAX_WORKGROUP, 64},
    .max_workgroup_invocations = WF_SW_MAX_WORKGROUP,
    .max_workgroup_memory = 32768,
    .max_workgroups = 65535,
    .max_indirect_count = UINT32_MAX,
    .max_viewport = WF_SW_RASTER_MAX_SIZE,
    .max_clip_distances = 8,
    .max_anisotropy = WF_SW_IMAGE_ANISOTROPY,
    .timestamp_period = 1,
};

static void fill_capabilities(weft_capabilities *caps, uint32_t threads, uint32_t subgroup_size)
{
    char processor[80];
    wf_base_processor_name(processor, sizeof processor);
    *caps = (weft_capabilities){
        .backend = WEFT_BACKEND_SOFTWARE,
        .type = WEFT_ADAPTER_CPU,
        .memory = wf_base_physical_memory(),
        .graphics_queues = 1,
        .features = features,
        .limits = limits,
    };
    caps->limits.subgroup_size = subgroup_size;
    (void)snprintf(caps->name, sizeof caps->name, "Weft software device (%u thread%s%s%s)", threads,
                   threads == 1 ? "" : "s", processor[0] ? ", " : "", processor);
    (void)snprintf(caps->driver, sizeof caps->driver, "weft %d.%d.%d, interpreter",
                   WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
    wf_sw_formats_fill(caps->formats);
}

static weft_result adapters(weft_capabilities *out, uint32_t *count)
{
    if (out && *count > 0)
        fill_capabilities(out, wf_base_cpu_count(), DEFAULT_SUBGROUP);
    *count = 1;
    return WEFT_OK;
}

// ---- opening -----------------------------------------------------------------------------------

static bool make_heap(struct wf_sw_device *dev)
{
    const uint32_t counts[3] = {WF_SW_HEAP_SAMPLED, WF_SW_HEAP_STORAGE, WF_SW_HEAP_SAMPLERS};
    uint32_t first = 0;
    for (uint32_t i = 0; i < 3; i++) {
        dev->heap_ranges[i] = (struct wf_sw_binding_range){first, counts[i]};
        first += counts[i];
    }
    // The arena's memory costs nothing until it is touched, and goes with the arena.
    dev->heap = (void *)wf_sw_arena_alloc(&dev->arena, first * sizeof *dev->heap, false);
    return dev->heap != NULL;
}

// All that destroy takes apart, but the executor thread.
static const char *make_parts(struct wf_sw_device *dev, const weft_software_options *options)
{
    if (!wf_sw_arena_init(&dev->arena, RESERVE,
                          wf_base_min_u64(wf_base_physical_memory(), RESERVE)))
        return "the system refuses to reserve addresses for its memory";
    dev->tasks = wf_base_tasks_create(options->threads, dev->base.allocator);
    if (!dev->tasks || !make_heap(dev))
        return "the host's memory is exhausted";
    dev->executor = wf_sw_executor_create(dev);
    return dev->executor ? NULL : "the host's memory is exhausted";
}

static void free_parts(struct wf_sw_device *dev)
{
    if (dev->executor)
        wf_sw_executor_destroy(dev->executor);
    wf_base_tasks_destroy(dev->tasks);
    wf_sw_arena_finish(&dev->arena);
    wf_base_free(dev->base.allocator, dev, sizeof *dev);
}

static weft_result open_device(const struct wf_hal_open *open, struct wf_hal_device **out,
                               char reason[WF_HAL_REASON_LENGTH])
{
    const weft_software_options *options = open->software;
    *out = NULL;
    if (open->surface && !wf_sw_surface_possible(open->surface->kind, reason))
        return WEFT_ERROR_UNSUPPORTED;
    struct wf_sw_device *dev = wf_base_alloc_zero(open->allocator, sizeof *dev);
    if (!dev) {
        (void)snprintf(reason, WF_HAL_REASON_LENGTH, "the host's memory is exhausted");
        return WEFT_ERROR_MEMORY;
    }
    dev->base.ops = &wf_sw_device_ops;
    dev->base.tells = true;
    dev->base.allocator = open->allocator;
    dev->base.log = open->log;
    dev->budget = options->shader_budget ? options->shader_budget : DEFAULT_BUDGET;
    dev->subgroup_size = options->subgroup_size ? options->subgroup_size : DEFAULT_SUBGROUP;
    dev->serial_atomics = options->serial_atomics;
    const char *problem = make_parts(dev, options);
    if (!problem && !wf_sw_queue_init(dev))
        problem = "the system refuses to start a thread";
    if (problem) {
        (void)snprintf(reason, WF_HAL_REASON_LENGTH, "%s", problem);
        free_parts(dev);
        return WEFT_ERROR_MEMORY;
    }
    fill_capabilities(&dev->base.caps, wf_base_tasks_count(dev->tasks), dev->subgroup_size);
    *out = &dev->base;
    return WEFT_OK;
}

void wf_sw_destroy(struct wf_hal_device *hal)
{
    struct wf_sw_device *dev = wf_sw_device(hal);
    wf_sw_queue_finish(dev);
    free_parts(dev);
}

const struct wf_hal_backend wf_sw_backend = {
    .id = WEFT_BACKEND_SOFTWARE,
    .adapters = adapters,
    .open = open_device,
};
