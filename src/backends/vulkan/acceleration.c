// Acceleration structures. Their memory is a buffer, their inputs are addresses.
#include "backends/vulkan/vulkan.h"

#include "base/bits.h"

struct wf_vk_acceleration {
    struct wf_hal_acceleration base;
    VkAccelerationStructureKHR handle;
    struct wf_hal_buffer *memory;
};

static struct wf_vk_acceleration *acceleration_of(struct wf_hal_acceleration *structure)
{
    return (struct wf_vk_acceleration *)structure; // `base` is the first member
}

VkAccelerationStructureKHR wf_vk_acceleration_handle(struct wf_hal_acceleration *structure)
{
    return structure ? acceleration_of(structure)->handle : VK_NULL_HANDLE;
}

// ---- what is built -----------------------------------------------------------------------------

/// 0 without a buffer: where only sizes are asked for.
static VkDeviceAddress address_of(const struct wf_vk_device *dev, struct wf_hal_buffer *buf,
                                  uint64_t offset)
{
    if (!buf)
        return 0;
    const VkBufferDeviceAddressInfo ask = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = wf_vk_buffer(buf)->handle,
    };
    return dev->vk.GetBufferDeviceAddress(dev->handle, &ask) + offset;
}

static VkAccelerationStructureGeometryTrianglesDataKHR triangles_of(const struct wf_vk_device *dev,
                                                                    const struct wf_hal_geometry *g)
{
    static const VkIndexType types[] = {
        [WEFT_INDEX_NONE] = VK_INDEX_TYPE_NONE_KHR,
        [WEFT_INDEX_UINT16] = VK_INDEX_TYPE_UINT16,
        [WEFT_INDEX_UINT32] = VK_INDEX_TYPE_UINT32,
    };
    VkAccelerationStructureGeometryTrianglesDataKHR out = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
        .vertexFormat = wf_vk_vertex_format(g->format),
        .vertexData.deviceAddress = address_of(dev, g->buffer, g->offset),
        .vertexStride = g->stride,
        .maxVertex = g->vertex_count > 0 ? g->vertex_count - 1 : 0,
        .indexType = types[g->index_type],
        .indexData.deviceAddress = address_of(dev, g->indices, g->index_offset),
        .transformData.deviceAddress = address_of(dev, g->transform, g->transform_offset),
    };
    if (g->transformed && !g->transform)
        out.transformData.deviceAddress = 16; // for sizes it only counts that there is one
    return out;
}

static VkAccelerationStructureGeometryKHR geometry_of(const struct wf_vk_device *dev,
                                                      const struct wf_hal_geometry *g)
{
    const bool boxes = g->kind == WEFT_GEOMETRY_BOXES;
    VkAccelerationStructureGeometryKHR out = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
        .geometryType = boxes ? VK_GEOMETRY_TYPE_AABBS_KHR : VK_GEOMETRY_TYPE_TRIANGLES_KHR,
        .flags =
            (g->flags & WEFT_GEOMETRY_OPAQUE ? VK_GEOMETRY_OPAQUE_BIT_KHR : 0u) |
            (g->flags & WEFT_GEOMETRY_ONCE ? VK_GEOMETRY_NO_DUPLICATE_ANY_HIT_INVOCATION_BIT_KHR
                                           : 0u),
    };
    if (boxes)
        out.geometry.aabbs = (VkAccelerationStructureGeometryAabbsDataKHR){
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
            .data.deviceAddress = address_of(dev, g->buffer, g->offset),
            .stride = g->stride,
        };
    else
        out.geometry.triangles = triangles_of(dev, g);
    return out;
}

static VkAccelerationStructureGeometryKHR instances_of(VkDeviceAddress address)
{
    return (VkAccelerationStructureGeometryKHR){
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
        .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
        .geometry.instances =
            {
                .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                .data.deviceAddress = address,
            },
    };
}

static VkAccelerationStructureBuildGeometryInfoKHR info_of(weft_acceleration_level level,
                                                           weft_acceleration_flags flags)
{
    static const struct {
        weft_acceleration_flags weft;
        VkBuildAccelerationStructureFlagsKHR vulkan;
    } rows[] = {
        {WEFT_ACCELERATION_UPDATE, VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR},
        {WEFT_ACCELERATION_FAST_TRACE, VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR},
        {WEFT_ACCELERATION_FAST_BUILD, VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_BUILD_BIT_KHR},
        {WEFT_ACCELERATION_LOW_MEMORY, VK_BUILD_ACCELERATION_STRUCTURE_LOW_MEMORY_BIT_KHR},
    };
    VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = level == WEFT_ACCELERATION_TOP ? VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR
                                               : VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
        .mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        info.flags |= flags & rows[i].weft ? rows[i].vulkan : 0u;
    return info;
}

#define FEW 16u

/// The parts of a build: in place for most, else in memory for a moment.
struct parts {
    VkAccelerationStructureGeometryKHR few[FEW], *geometries;
    VkAccelerationStructureBuildRangeInfoKHR few_ranges[FEW], *ranges;
    uint32_t few_counts[FEW], *counts;
    uint32_t count;
};

static void parts_finish(const struct wf_vk_device *dev, struct parts *p)
{
    if (p->count <= FEW)
        return;
    wf_base_free(dev->base.allocator, p->geometries, p->count * sizeof *p->geometries);
    wf_base_free(dev->base.allocator, p->ranges, p->count * sizeof *p->ranges);
    wf_base_free(dev->base.allocator, p->counts, p->count * sizeof *p->counts);
}

/// False when out of memory; nothing is to be finished then.
static bool parts_init(const struct wf_vk_device *dev, uint32_t count, struct parts *p)
{
    p->geometries = p->few;
    p->ranges = p->few_ranges;
    p->counts = p->few_counts;
    p->count = count;
    if (count <= FEW)
        return true;
    p->geometries = wf_base_alloc_array(dev->base.allocator, count, sizeof *p->geometries);
    p->ranges = wf_base_alloc_array(dev->base.allocator, count, sizeof *p->ranges);
    p->counts = wf_base_alloc_array(dev->base.allocator, count, sizeof *p->counts);
    if (p->geometries && p->ranges && p->counts)
        return true;
    parts_finish(dev, p);
    return false;
}

/// Geometries or, without any, that many instances.
static bool parts_of(const struct wf_vk_device *dev, const struct wf_hal_acceleration_build *build,
                     weft_acceleration_level level, struct parts *p)
{
    const bool top = level == WEFT_ACCELERATION_TOP;
    if (!parts_init(dev, top ? 1 : build->geometry_count, p))
        return false;
    if (top)
        p->geometries[0] = instances_of(address_of(dev, build->instances, build->instance_offset));
    for (uint32_t i = 0; i < p->count; i++) {
        if (!top)
            p->geometries[i] = geometry_of(dev, &build->geometries[i]);
        p->counts[i] = top ? build->instance_count : build->geometries[i].count;
        p->ranges[i] = (VkAccelerationStructureBuildRangeInfoKHR){.primitiveCount = p->counts[i]};
    }
    return true;
}

// ---- life --------------------------------------------------------------------------------------

void wf_vk_acceleration_sizes(struct wf_hal_device *hal,
                              const struct wf_hal_acceleration_desc *desc,
                              weft_acceleration_sizes *out)
{
    const struct wf_vk_device *dev = wf_vk_device(hal);
    const struct wf_hal_acceleration_build most = {.geometries = desc->geometries,
                                                   .geometry_count = desc->geometry_count,
                                                   .instance_count = desc->instance_count};
    struct parts parts;
    *out = (weft_acceleration_sizes){0};
    if (!parts_of(dev, &most, desc->level, &parts))
        return; // creating it fails, too
    VkAccelerationStructureBuildGeometryInfoKHR info = info_of(desc->level, desc->flags);
    info.geometryCount = parts.count;
    info.pGeometries = parts.geometries;
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    dev->vk.GetAccelerationStructureBuildSizesKHR(
        dev->handle, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info, parts.counts, &sizes);
    *out = (weft_acceleration_sizes){
        sizes.accelerationStructureSize, sizes.buildScratchSize,
        desc->flags & WEFT_ACCELERATION_UPDATE ? sizes.updateScratchSize : 0};
    parts_finish(dev, &parts);
}

static weft_result create_in(struct wf_vk_device *dev, const struct wf_hal_acceleration_desc *desc,
                             struct wf_vk_acceleration *structure)
{
    const weft_buffer_desc memory = {.size = wf_base_align_up(structure->base.size, 256),
                                     .usage = WEFT_BUFFER_USAGE_ACCELERATION,
                                     .memory = WEFT_MEMORY_GPU,
                                     .label = ""};
    const weft_result result =
        wf_vk_buffer_create(&dev->base, &memory, &(struct wf_hal_placement){0}, &structure->memory);
    if (result != WEFT_OK)
        return result;
    const VkAccelerationStructureCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = wf_vk_buffer(structure->memory)->handle,
        .size = structure->base.size,
        .type = info_of(desc->level, 0).type,
    };
    return wf_vk_result(
        dev, dev->vk.CreateAccelerationStructureKHR(dev->handle, &info, NULL, &structure->handle),
        "creating an acceleration structure");
}

weft_result wf_vk_acceleration_create(struct wf_hal_device *hal,
                                      const struct wf_hal_acceleration_desc *desc,
                                      struct wf_hal_acceleration **out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    *out = NULL;
    weft_acceleration_sizes sizes;
    wf_vk_acceleration_sizes(hal, desc, &sizes);
    if (sizes.size == 0)
        return WEFT_ERROR_MEMORY;
    struct wf_vk_acceleration *structure = wf_base_alloc_zero(hal->allocator, sizeof *structure);
    if (!structure)
        return WEFT_ERROR_MEMORY;
    structure->base = (struct wf_hal_acceleration){
        .level = desc->level, .flags = desc->flags, .size = sizes.size};
    const weft_result result = create_in(dev, desc, structure);
    if (result != WEFT_OK) {
        wf_vk_acceleration_destroy(hal, &structure->base);
        return result;
    }
    const VkAccelerationStructureDeviceAddressInfoKHR ask = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
        .accelerationStructure = structure->handle,
    };
    structure->base.address = dev->vk.GetAccelerationStructureDeviceAddressKHR(dev->handle, &ask);
    *out = &structure->base;
    return WEFT_OK;
}

void wf_vk_acceleration_destroy(struct wf_hal_device *hal, struct wf_hal_acceleration *base)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_acceleration *structure = acceleration_of(base);
    if (structure->handle)
        dev->vk.DestroyAccelerationStructureKHR(dev->handle, structure->handle, NULL);
    if (structure->memory)
        wf_vk_buffer_destroy(hal, structure->memory);
    wf_base_free(hal->allocator, structure, sizeof *structure);
}

// ---- builds ------------------------------------------------------------------------------------

void wf_vk_cmd_build_acceleration(struct wf_hal_command *base,
                                  const struct wf_hal_acceleration_build *build)
{
    struct wf_vk_command *cmd = wf_vk_command(base);
    const struct wf_vk_device *dev = wf_vk_device(base->dev);
    VkAccelerationStructureKHR handle = wf_vk_acceleration_handle(build->structure);
    struct parts parts;
    if (!parts_of(dev, build, build->structure->level, &parts)) {
        wf_vk_command_fail(cmd, WEFT_ERROR_MEMORY);
        return;
    }
    VkAccelerationStructureBuildGeometryInfoKHR info =
        info_of(build->structure->level, build->structure->flags);
    if (build->update)
        info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
    info.srcAccelerationStructure = build->update ? handle : VK_NULL_HANDLE;
    info.dstAccelerationStructure = handle;
    info.geometryCount = parts.count;
    info.pGeometries = parts.geometries;
    info.scratchData.deviceAddress = address_of(dev, build->scratch, build->scratch_offset);
    const VkAccelerationStructureBuildRangeInfoKHR *ranges = parts.ranges;
    cmd->vk->CmdBuildAccelerationStructuresKHR(cmd->handle, 1, &info, &ranges);
    parts_finish(dev, &parts);
}
