// What a device says of itself fits together, and with what it does.
#include "cases.h"
#include "draw.h"

static bool has(const struct conform *c, weft_feature_set feature)
{
    return (conform_capabilities(c)->features & feature) != 0;
}

/// Promises of device.h that hold on every device.
void case_device_limits(struct conform *c)
{
    const weft_limits *l = &conform_capabilities(c)->limits;
    CONFORM_EXPECT(c, l->max_color_targets >= 1 && l->max_color_targets <= 8);
    CONFORM_EXPECT(c, has(c, WEFT_FEATURE_MULTIPLE_RENDER_TARGETS) == (l->max_color_targets > 1));
    CONFORM_EXPECT(c, l->max_root_bytes >= 128 && l->max_vertex_streams >= 8);
    CONFORM_EXPECT(c, l->max_vertex_attributes >= 16 && l->max_vertex_stride >= 2048);
    CONFORM_EXPECT(c, l->max_samples == 1 || l->max_samples == 2 || l->max_samples == 4 ||
                          l->max_samples == 8);
    CONFORM_EXPECT(c, !has(c, WEFT_FEATURE_MULTISAMPLE) || l->max_samples >= 4);
    CONFORM_EXPECT(c, has(c, WEFT_FEATURE_HEAP) == (l->max_heap_textures > 0));
    CONFORM_EXPECT(c, has(c, WEFT_FEATURE_SUBGROUPS) == (l->subgroup_size > 0));
    CONFORM_EXPECT(c, has(c, WEFT_FEATURE_ANISOTROPY) == (l->max_anisotropy > 1));
    CONFORM_EXPECT(c, l->max_anisotropy >= 1);
    CONFORM_EXPECT(c, has(c, WEFT_FEATURE_TIMESTAMPS) == (l->timestamp_period > 0));
    const uint32_t powers[] = {l->uniform_offset_alignment, l->storage_offset_alignment,
                               l->copy_offset_alignment, l->copy_row_alignment,
                               l->texel_offset_alignment};
    for (uint32_t i = 0; i < sizeof powers / sizeof *powers; i++)
        CONFORM_EXPECT(c, powers[i] != 0 && (powers[i] & (powers[i] - 1)) == 0);
    if (has(c, WEFT_FEATURE_COMPUTE))
        CONFORM_EXPECT(c, l->max_workgroup_invocations >= 1 && l->max_workgroups >= 1);
    const bool mesh = has(c, WEFT_FEATURE_MESH_SHADERS); // what Vulkan demands of every device
    CONFORM_EXPECT(c, (l->max_mesh_workgroups >= 65535) == mesh);
    CONFORM_EXPECT(c, (l->max_mesh_workgroups_total >= 1u << 22) == mesh);
    CONFORM_EXPECT(c, (l->max_mesh_workgroup_invocations >= 128) == mesh);
    CONFORM_EXPECT(c, (l->max_mesh_workgroup_memory >= 28672) == mesh);
    CONFORM_EXPECT(c, (l->max_task_payload >= 16384) == mesh);
    CONFORM_EXPECT(c, (l->max_mesh_output_vertices >= 256) == mesh);
    CONFORM_EXPECT(c, (l->max_mesh_output_primitives >= 256) == mesh);
    CONFORM_EXPECT(c, (l->max_mesh_output_components >= 128) == mesh);
}

/// What a format can do includes what that takes.
void case_device_formats(struct conform *c)
{
    const struct {
        weft_format_caps can, takes;
    } rules[] = {{WEFT_FORMAT_CAN_FILTER, WEFT_FORMAT_CAN_SAMPLE},
                 {WEFT_FORMAT_CAN_BLEND, WEFT_FORMAT_CAN_RENDER},
                 {WEFT_FORMAT_CAN_RESOLVE, WEFT_FORMAT_CAN_RENDER},
                 {WEFT_FORMAT_CAN_ATOMIC, WEFT_FORMAT_CAN_STORE}};
    for (weft_format f = WEFT_FORMAT_NONE + 1; f < WEFT_FORMAT_COUNT; f++) {
        const weft_format_caps caps = conform_capabilities(c)->formats[f];
        const weft_format_info *info = weft_format_get_info(f);
        for (uint32_t i = 0; i < sizeof rules / sizeof *rules; i++)
            if ((caps & rules[i].can) && !(caps & rules[i].takes))
                conform_fail(c, "%s can do 0x%x, but not 0x%x", info->name, rules[i].can,
                             rules[i].takes);
        if ((caps & WEFT_FORMAT_CAN_BLEND) && info->sample_class != WEFT_SAMPLE_CLASS_FLOAT)
            conform_fail(c, "%s holds integers, and can be blended", info->name);
        if (info->compressed && (caps & (WEFT_FORMAT_CAN_RENDER | WEFT_FORMAT_CAN_STORE)))
            conform_fail(c, "%s is compressed, and can be written", info->name);
    }
    const weft_format_caps all = WEFT_FORMAT_CAN_SAMPLE | WEFT_FORMAT_CAN_FILTER |
                                 WEFT_FORMAT_CAN_RENDER | WEFT_FORMAT_CAN_BLEND |
                                 WEFT_FORMAT_CAN_COPY;
    conform_need_format(c, WEFT_FORMAT_RGBA8_UNORM, all); // the one that is everywhere
}

/// Bits without a name are not set.
void case_device_features(struct conform *c)
{
    for (uint32_t bit = 0; bit < 64; bit++)
        if (conform_capabilities(c)->features >> bit & 1)
            CONFORM_EXPECT(c, weft_feature_name(bit) != NULL);
    uint32_t count = 0, found = 0;
    weft_adapter_list(NULL, &count);
    CONFORM_EXPECT(c, count > 0 && count <= 16);
    static weft_capabilities adapters[16];
    weft_adapter_list(adapters, &count);
    for (uint32_t i = 0; i < count; i++)
        found += adapters[i].backend == conform_capabilities(c)->backend;
    CONFORM_EXPECT(c, found > 0);
}

/// Counters count what was recorded, once it was submitted.
void case_device_counters(struct conform *c)
{
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 4, 4);
    const weft_graphics_pipeline pipeline =
        conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL);
    const weft_buffer from = conform_buffer(c, 0, 64, NULL), to = conform_buffer(c, 0, 64, NULL);
    conform_submit(c, conform_begin(c)); // what waits to be uploaded goes first
    const weft_device_counters before = weft_device_get_counters(conform_device(c));
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    conform_fill(enc, 0, conform_red);
    conform_fill(enc, 0, conform_white);
    weft_render_end(enc);
    conform_barrier(cmd);
    weft_compute_encoder *compute = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer(compute, from, 0, to, 0, 64);
    weft_compute_end(compute);
    conform_submit(c, cmd);
    const weft_device_counters after = weft_device_get_counters(conform_device(c));
    CONFORM_EXPECT(c, after.draws == before.draws + 2);
    CONFORM_EXPECT(c, after.render_passes == before.render_passes + 1);
    CONFORM_EXPECT(c, after.copies == before.copies + 1);
    CONFORM_EXPECT(c, after.barriers == before.barriers + 1);
    CONFORM_EXPECT(c, after.command_buffers == before.command_buffers + 1);
    CONFORM_EXPECT(c, after.submissions == before.submissions + 1);
    CONFORM_EXPECT(c, after.dispatches == before.dispatches);
}
