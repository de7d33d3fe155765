#include "core/lint.h"

#include "base/bits.h"

#include <inttypes.h>
#include <stdio.h>

enum limit_type { U32, U64, F32 };

struct limit {
    const char *name;
    size_t offset;
    enum limit_type type;
    bool at_most; ///< Smaller is better: alignments.
};

#define LIMIT(member, type, at_most)                                                               \
    {                                                                                              \
#member, offsetof(weft_limits, member), type, at_most                                      \
    }

static const struct limit limits[] = {
    LIMIT(max_buffer_size, U64, false),
    LIMIT(max_texture_1d, U32, false),
    LIMIT(max_texture_2d, U32, false),
    LIMIT(max_texture_3d, U32, false),
    LIMIT(max_texture_layers, U32, false),
    LIMIT(max_color_targets, U32, false),
    LIMIT(max_samples, U32, false),
    LIMIT(max_root_bytes, U32, false),
    LIMIT(max_vertex_streams, U32, false),
    LIMIT(max_vertex_attributes, U32, false),
    LIMIT(max_vertex_stride, U32, false),
    LIMIT(max_dynamic_offsets, U32, false),
    LIMIT(max_uniform_range, U32, false),
    LIMIT(max_storage_range, U32, false),
    LIMIT(uniform_offset_alignment, U32, true),
    LIMIT(storage_offset_alignment, U32, true),
    LIMIT(max_texel_elements, U32, false),
    LIMIT(texel_offset_alignment, U32, true),
    LIMIT(copy_offset_alignment, U32, true),
    LIMIT(copy_row_alignment, U32, true),
    LIMIT(max_uniform_buffers, U32, false),
    LIMIT(max_storage_buffers, U32, false),
    LIMIT(max_sampled_textures, U32, false),
    LIMIT(max_storage_textures, U32, false),
    LIMIT(max_samplers, U32, false),
    LIMIT(max_heap_textures, U32, false),
    LIMIT(max_heap_samplers, U32, false),
    LIMIT(max_workgroup_size[0], U32, false),
    LIMIT(max_workgroup_size[1], U32, false),
    LIMIT(max_workgroup_size[2], U32, false),
    LIMIT(max_workgroup_invocations, U32, false),
    LIMIT(max_workgroup_memory, U32, false),
    LIMIT(max_workgroups, U32, false),
    LIMIT(max_mesh_workgroups, U32, false),
    LIMIT(max_mesh_workgroups_total, U32, false),
    LIMIT(max_mesh_workgroup_size[0], U32, false),
    LIMIT(max_mesh_workgroup_size[1], U32, false),
    LIMIT(max_mesh_workgroup_size[2], U32, false),
    LIMIT(max_mesh_workgroup_invocations, U32, false),
    LIMIT(max_mesh_workgroup_memory, U32, false),
    LIMIT(max_task_payload, U32, false),
    LIMIT(max_mesh_output_vertices, U32, false),
    LIMIT(max_mesh_output_primitives, U32, false),
    LIMIT(max_mesh_output_components, U32, false),
    LIMIT(max_geometries, U32, false),
    LIMIT(max_geometry_primitives, U32, false),
    LIMIT(max_instances, U32, false),
    LIMIT(max_acceleration_structures, U32, false),
    LIMIT(max_heap_accelerations, U32, false),
    LIMIT(max_indirect_count, U32, false),
    LIMIT(max_viewport, U32, false),
    LIMIT(max_clip_distances, U32, false),
    LIMIT(subgroup_size, U32, false),
    LIMIT(max_anisotropy, F32, false),
    LIMIT(timestamp_period, F32, true),
};
#undef LIMIT

static double limit_read(const weft_limits *from, const struct limit *limit)
{
    const char *at = (const char *)from + limit->offset;
    switch (limit->type) {
    case U64:
        return (double)*(const uint64_t *)(const void *)at;
    case F32:
        return (double)*(const float *)(const void *)at;
    case U32:
        break;
    }
    return *(const uint32_t *)(const void *)at;
}

static bool limit_unmet(const weft_limits *have, const weft_limits *need,
                        char reason[WF_HAL_REASON_LENGTH])
{
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        const double has = limit_read(have, &limits[i]);
        const double wants = limit_read(need, &limits[i]);
        if (wants == 0.0)
            continue;
        const bool met = limits[i].at_most ? has != 0.0 && has <= wants : has >= wants;
        if (met)
            continue;
        (void)snprintf(reason, WF_HAL_REASON_LENGTH, "limit %s is %.17g, %s %.17g is required",
                       limits[i].name, has, limits[i].at_most ? "at most" : "at least", wants);
        return true;
    }
    return false;
}

static const char *const cap_names[] = {
    "be sampled",
    "be filtered",
    "be stored to",
    "be rendered to",
    "be blended",
    "be depth-stencil",
    "be resolved",
    "be copied",
    "have atomics",
    "have 4 samples",
    "have 2 samples",
    "have 8 samples",
    "be loaded from texel buffers",
    "be stored to texel buffers",
};

static bool format_unmet(const weft_capabilities *caps, const weft_requirements *require,
                         char reason[WF_HAL_REASON_LENGTH])
{
    const size_t count = sizeof require->formats / sizeof require->formats[0];
    for (size_t i = 0; i < count && require->formats[i].format != WEFT_FORMAT_NONE; ++i) {
        const weft_format format = require->formats[i].format;
        const weft_format_caps has =
            (unsigned)format < WEFT_FORMAT_COUNT ? caps->formats[format] : 0;
        const weft_format_caps missing = require->formats[i].caps & ~has;
        if (missing == 0)
            continue;
        const uint32_t bit = wf_base_ctz32(missing);
        const bool known = bit < sizeof cap_names / sizeof cap_names[0];
        (void)snprintf(reason, WF_HAL_REASON_LENGTH, "format %s cannot %s",
                       weft_format_get_info(format)->name,
                       known ? cap_names[bit] : "do what is asked");
        return true;
    }
    return false;
}

bool wf_core_caps_unmet(const weft_capabilities *caps, const weft_requirements *require,
                        char reason[WF_HAL_REASON_LENGTH])
{
    const weft_feature_set missing = require->features & ~caps->features;
    if (missing != 0) {
        const uint32_t bit = wf_base_ctz64(missing);
        const char *name = weft_feature_name(bit);
        if (name)
            (void)snprintf(reason, WF_HAL_REASON_LENGTH, "feature %s is missing", name);
        else
            (void)snprintf(reason, WF_HAL_REASON_LENGTH, "feature bit %" PRIu32 " is unknown", bit);
        return true;
    }
    return limit_unmet(&caps->limits, &require->limits, reason) ||
           format_unmet(caps, require, reason);
}

bool wf_core_need(const struct wf_core_subject *on, weft_feature_set feature, const char *what)
{
    if (!wf_core_has(on->dev, feature))
        return wf_core_broken(on, WEFT_RULE_FEATURE_MISSING,
                              "%s needs the feature %s, which this device lacks.", what,
                              weft_feature_name(wf_base_ctz64(feature)));
    if (on->dev->lint)
        wf_core_lint_feature(on, feature, what);
    return true;
}
