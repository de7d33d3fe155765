#include <weft/weft.h>

#include "hal/hal.h"

#include <string.h>

uint32_t weft_version(void)
{
    return WEFT_VERSION_MAJOR << 16 | WEFT_VERSION_MINOR << 8 | WEFT_VERSION_PATCH;
}

const char *weft_result_name(weft_result result)
{
    switch (result) {
    case WEFT_OK:
        return "WEFT_OK";
    case WEFT_PENDING:
        return "WEFT_PENDING";
    case WEFT_SKIP:
        return "WEFT_SKIP";
    case WEFT_ERROR_USAGE:
        return "WEFT_ERROR_USAGE";
    case WEFT_ERROR_MEMORY:
        return "WEFT_ERROR_MEMORY";
    case WEFT_ERROR_DEVICE_MEMORY:
        return "WEFT_ERROR_DEVICE_MEMORY";
    case WEFT_ERROR_LOST:
        return "WEFT_ERROR_LOST";
    case WEFT_ERROR_UNSUPPORTED:
        return "WEFT_ERROR_UNSUPPORTED";
    case WEFT_ERROR_SHADER:
        return "WEFT_ERROR_SHADER";
    case WEFT_ERROR_SURFACE:
        return "WEFT_ERROR_SURFACE";
    case WEFT_ERROR_TIMEOUT:
        return "WEFT_ERROR_TIMEOUT";
    case WEFT_ERROR_BACKEND:
        return "WEFT_ERROR_BACKEND";
    }
    return "unknown result";
}

static const char *const backend_names[WEFT_BACKEND_COUNT] = {
    [WEFT_BACKEND_VULKAN] = "vulkan", [WEFT_BACKEND_METAL] = "metal",
    [WEFT_BACKEND_D3D12] = "d3d12",   [WEFT_BACKEND_D3D11] = "d3d11",
    [WEFT_BACKEND_OPENGL] = "opengl", [WEFT_BACKEND_WEBGPU] = "webgpu",
    [WEFT_BACKEND_WEBGL2] = "webgl2", [WEFT_BACKEND_SOFTWARE] = "software",
    [WEFT_BACKEND_NOOP] = "noop",
};

const char *weft_backend_name(weft_backend backend)
{
    return (unsigned)backend < WEFT_BACKEND_COUNT ? backend_names[backend] : "unknown";
}

weft_backend weft_backend_from_name(const char *name)
{
    for (unsigned i = 0; name && i < WEFT_BACKEND_COUNT; ++i) {
        if (strcmp(name, backend_names[i]) == 0)
            return (weft_backend)i;
    }
    return WEFT_BACKEND_COUNT;
}

bool weft_backend_is_built(weft_backend backend)
{
    return wf_hal_backend_find(backend) != NULL;
}

static const char *const feature_names[] = {
    "pointers",
    "heap",
    "compute",
    "indirect_draws",
    "indirect_count",
    "indirect_first_instance",
    "multi_draw",
    "multiple_render_targets",
    "stencil_clips",
    "int64",
    "float16",
    "float64",
    "subgroups",
    "mesh_shaders",
    "ray_query",
    "line_fill",
    "timestamps",
    "timestamps_anywhere",
    "occlusion_queries",
    "pipeline_statistics",
    "dynamic_blend",
    "dual_source",
    "split_barriers",
    "timeline_any_order",
    "blocking_wait",
    "texture_views",
    "multisample",
    "sample_shading",
    "depth_clamp",
    "depth_bias",
    "cube_arrays",
    "anisotropy",
    "bc",
    "etc2",
    "astc",
    "placed_resources",
    "root_stride",
    "storage_in_vertex",
    "fragment_stores",
    "independent_blend",
    "clip_distance",
    "glsl",
    "stencil",
    "textures_1d",
    "textures_3d",
    "texture_arrays",
    "storage_textures",
    "points_and_lines",
    "alpha_to_coverage",
    "primitive_restart",
    "generate_mips",
    "pipeline_cache",
    "gpu_heap_writes",
    "residency",
    "layered_rendering",
    "int64_atomics",
    "float_atomics",
    "float_min_max_atomics",
    "variable_pointers",
    "workgroup_layout",
    "float64_atomics",
    "subgroups_in_vertex",
};

const char *weft_feature_name(uint32_t bit)
{
    return bit < sizeof feature_names / sizeof feature_names[0] ? feature_names[bit] : NULL;
}
