// Device memory: chunks of each memory type, cut up in constant time, and dedicated allocations.
#include "backends/vulkan/vulkan.h"

#include "base/bits.h"

#include <stdio.h>
#include <string.h>

#define UNIT        256u                  ///< Bytes: every piece begins and ends at one.
#define FIRST_CHUNK (UINT64_C(4) << 20)   ///< Each next chunk of a type is twice as large.
#define BAR_BYTES   (UINT64_C(256) << 20) ///< A window this small is left to the driver.

struct wf_vk_chunk {
    struct wf_vk_chunk *next;
    struct wf_vk_chunks *list;
    VkDeviceMemory handle;
    uint64_t size;
    uint8_t *mapped;
    struct wf_base_ranges ranges; ///< Of units.
    struct wf_vk_buffer whole;    ///< Over all of it, for copies; handle null for images.
};

// ---- types -------------------------------------------------------------------------------------

static VkMemoryPropertyFlags flags_of(const struct wf_vk_device *dev, uint32_t type)
{
    return dev->adapter.memory.memoryTypes[type].propertyFlags;
}

bool wf_vk_memory_is_coherent(const struct wf_vk_device *dev, uint32_t type)
{
    return (flags_of(dev, type) & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
}

uint64_t wf_vk_memory_end(const struct wf_vk_memory *memory)
{
    return memory->chunk ? memory->chunk->size : memory->size;
}

struct wf_hal_buffer *wf_vk_memory_whole(const struct wf_vk_memory *memory)
{
    return memory->chunk && memory->chunk->whole.handle ? &memory->chunk->whole.base : NULL;
}

static bool is_mapped(const struct wf_vk_memory_request *request)
{
    return request->memory == WEFT_MEMORY_DEFAULT || request->memory == WEFT_MEMORY_READBACK;
}

/// How well a type suits, 0: not at all.
static uint32_t fitness(const struct wf_vk_device *dev, uint32_t type,
                        const struct wf_vk_memory_request *request)
{
    const VkPhysicalDeviceMemoryProperties *memory = &dev->adapter.memory;
    const VkMemoryPropertyFlags flags = flags_of(dev, type);
    const bool local = (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
    const bool visible = (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0;
    const bool cached = (flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT) != 0;
    const bool coherent = (flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0;
    const bool lazy = (flags & VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT) != 0;
    if (!(request->needs.memoryTypeBits & 1u << type) ||
        flags & (VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD) ||
        (lazy && !request->transient) || (is_mapped(request) && !visible))
        return 0;
    if (!is_mapped(request))
        return 1 + 8 * local + 4 * lazy + 2 * !visible;
    if (request->memory == WEFT_MEMORY_READBACK)
        return 1 + 8 * cached + 4 * coherent + 2 * !local;
    const uint64_t heap = memory->memoryHeaps[memory->memoryTypes[type].heapIndex].size;
    const bool wide = local && heap > BAR_BYTES && !request->staging;
    return 1 + 8 * coherent + 4 * wide + 2 * !cached + (wide || !local);
}

/// The best type of those not in `tried`; VK_MAX_MEMORY_TYPES: none.
static uint32_t best_type(const struct wf_vk_device *dev,
                          const struct wf_vk_memory_request *request, uint32_t tried)
{
    uint32_t best = VK_MAX_MEMORY_TYPES, most = 0;
    for (uint32_t i = 0; i < dev->adapter.memory.memoryTypeCount; i++) {
        const uint32_t fit = tried & 1u << i ? 0 : fitness(dev, i, request);
        if (fit > most) {
            most = fit;
            best = i;
        }
    }
    return best;
}

// ---- allocations -------------------------------------------------------------------------------

static VkResult allocate(struct wf_vk_device *dev, const struct wf_vk_memory_request *request,
                         uint32_t type, uint64_t size, VkDeviceMemory *out)
{
    // more than there can be must not be asked for (VUID-vkAllocateMemory-pAllocateInfo-01713)
    const VkPhysicalDeviceMemoryProperties *memory = &dev->adapter.memory;
    if (size > memory->memoryHeaps[memory->memoryTypes[type].heapIndex].size ||
        size > dev->adapter.properties11.maxMemoryAllocationSize)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
        .buffer = request->for_buffer,
        .image = request->for_image,
    };
    VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .flags = dev->base.caps.features & WEFT_FEATURE_POINTERS && !request->for_image
                     ? VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT
                     : 0u,
    };
    if (request->for_buffer || request->for_image)
        flags.pNext = &dedicated;
    const VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &flags,
        .allocationSize = size,
        .memoryTypeIndex = type,
    };
    const VkResult result = dev->vk.AllocateMemory(dev->handle, &info, NULL, out);
    if (result == VK_SUCCESS)
        atomic_fetch_add(&dev->allocated, size);
    return result;
}

static void release(struct wf_vk_device *dev, VkDeviceMemory memory, uint64_t size)
{
    dev->vk.FreeMemory(dev->handle, memory, NULL);
    atomic_fetch_sub(&dev->allocated, size);
}

/// Memory that the CPU can see is mapped as long as it lives.
static VkResult map(struct wf_vk_device *dev, uint32_t type, VkDeviceMemory memory, uint8_t **out)
{
    void *mapped = NULL;
    VkResult result = VK_SUCCESS;
    if (flags_of(dev, type) & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
        result = dev->vk.MapMemory(dev->handle, memory, 0, VK_WHOLE_SIZE, 0, &mapped);
    if (result == VK_SUCCESS && (uintptr_t)mapped == UINTPTR_MAX) // what lavapipe's mmap() said
        result = VK_ERROR_OUT_OF_HOST_MEMORY;
    *out = mapped;
    return result;
}

static VkResult take_dedicated(struct wf_vk_device *dev, const struct wf_vk_memory_request *request,
                               uint32_t type, struct wf_vk_memory *out)
{
    *out = (struct wf_vk_memory){.size = request->needs.size, .type = type};
    VkResult result = allocate(dev, request, type, out->size, &out->handle);
    if (result != VK_SUCCESS)
        return result;
    result = map(dev, type, out->handle, &out->mapped);
    if (result != VK_SUCCESS) {
        release(dev, out->handle, out->size);
        *out = (struct wf_vk_memory){0};
    }
    return result;
}

// ---- chunks; memory_lock is held ---------------------------------------------------------------

static void chunk_free(struct wf_vk_device *dev, struct wf_vk_chunk *chunk)
{
    if (chunk->whole.handle)
        dev->vk.DestroyBuffer(dev->handle, chunk->whole.handle, NULL);
    if (chunk->handle)
        release(dev, chunk->handle, chunk->size);
    wf_base_ranges_finish(&chunk->ranges);
    wf_base_free(dev->base.allocator, chunk, sizeof *chunk);
}

/// A buffer over all of a chunk, where it can lie there. Buffers that share memory see the same
/// bytes.
static VkResult make_whole(struct wf_vk_device *dev, uint32_t type, struct wf_vk_chunk *chunk)
{
    struct wf_vk_buffer *whole = &chunk->whole;
    uint32_t families[WEFT_QUEUE_COUNT];
    const uint32_t count = wf_vk_families(dev, (1u << WEFT_QUEUE_COUNT) - 1, families);
    const VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = chunk->size,
        .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        .sharingMode = count > 1 ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = count > 1 ? count : 0,
        .pQueueFamilyIndices = families,
    };
    VkResult result = dev->vk.CreateBuffer(dev->handle, &info, NULL, &whole->handle);
    if (result != VK_SUCCESS)
        return result;
    const VkBufferMemoryRequirementsInfo2 ask = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2,
        .buffer = whole->handle,
    };
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    dev->vk.GetBufferMemoryRequirements2(dev->handle, &ask, &needs);
    const VkMemoryRequirements *r = &needs.memoryRequirements;
    if (!(r->memoryTypeBits & 1u << type) || r->size > chunk->size) {
        dev->vk.DestroyBuffer(dev->handle, whole->handle, NULL);
        whole->handle = VK_NULL_HANDLE;
        return VK_SUCCESS;
    }
    const VkBindBufferMemoryInfo bind = {
        .sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO,
        .buffer = whole->handle,
        .memory = chunk->handle,
    };
    whole->base.size = chunk->size;
    return dev->vk.BindBufferMemory2(dev->handle, 1, &bind);
}

static VkResult chunk_new(struct wf_vk_device *dev, uint32_t type, struct wf_vk_chunks *list,
                          uint64_t least, struct wf_vk_chunk **out)
{
    *out = NULL;
    struct wf_vk_chunk *chunk = wf_base_alloc_zero(dev->base.allocator, sizeof *chunk);
    if (!chunk)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const uint64_t next = list->next_size ? list->next_size : FIRST_CHUNK;
    chunk->size = wf_base_max_u64(next, wf_base_align_up(least + least / 4, UNIT));
    chunk->list = list;
    const struct wf_vk_memory_request plain = {0};
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (wf_base_ranges_init(&chunk->ranges, dev->base.allocator, (uint32_t)(chunk->size / UNIT)))
        result = allocate(dev, &plain, type, chunk->size, &chunk->handle);
    if (result == VK_SUCCESS)
        result = map(dev, type, chunk->handle, &chunk->mapped);
    if (result == VK_SUCCESS && list == &dev->chunks[type][0])
        result = make_whole(dev, type, chunk);
    if (result != VK_SUCCESS) {
        chunk_free(dev, chunk);
        return result;
    }
    list->next_size = wf_base_min_u64(chunk->size * 2, WF_VK_MEMORY_CHUNK);
    chunk->next = list->first;
    list->first = chunk;
    *out = chunk;
    return VK_SUCCESS;
}

/// A piece of a chunk. Pieces begin at multiples of UNIT; a larger alignment takes more room.
static bool cut(struct wf_vk_chunk *chunk, uint64_t size, uint64_t align, uint32_t type,
                struct wf_vk_memory *out)
{
    const uint64_t room = size + (align > UNIT ? align - UNIT : 0);
    uint32_t at;
    const uint32_t range =
        wf_base_ranges_take(&chunk->ranges, (uint32_t)(wf_base_align_up(room, UNIT) / UNIT), &at);
    if (range == WF_BASE_RANGES_NONE)
        return false;
    const uint64_t offset = wf_base_align_up((uint64_t)at * UNIT, align);
    *out = (struct wf_vk_memory){
        .handle = chunk->handle,
        .offset = offset,
        .size = size,
        .mapped = chunk->mapped ? chunk->mapped + offset : NULL,
        .chunk = chunk,
        .range = range,
        .type = type,
    };
    return true;
}

static VkResult take_piece(struct wf_vk_device *dev, const struct wf_vk_memory_request *request,
                           uint32_t type, struct wf_vk_memory *out)
{
    struct wf_vk_chunks *list = &dev->chunks[type][request->image];
    const uint64_t size = request->needs.size, align = request->needs.alignment;
    for (struct wf_vk_chunk *chunk = list->first; chunk; chunk = chunk->next) {
        if (cut(chunk, size, align, type, out))
            return VK_SUCCESS;
    }
    struct wf_vk_chunk *chunk;
    const VkResult result = chunk_new(dev, type, list, size + align, &chunk);
    if (result != VK_SUCCESS)
        return result;
    return cut(chunk, size, align, type, out) ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VkResult take(struct wf_vk_device *dev, const struct wf_vk_memory_request *request,
                     uint32_t type, struct wf_vk_memory *out)
{
    if (request->dedicated || request->needs.size > WF_VK_MEMORY_CHUNK / 4)
        return take_dedicated(dev, request, type, out);
    wf_base_mutex_lock(&dev->memory_lock);
    const VkResult result = take_piece(dev, request, type, out);
    wf_base_mutex_unlock(&dev->memory_lock);
    return result;
}

/// Whether another type may do where this one did not.
static bool is_full(VkResult result)
{
    return result == VK_ERROR_OUT_OF_DEVICE_MEMORY || result == VK_ERROR_MEMORY_MAP_FAILED;
}

weft_result wf_vk_memory_take(struct wf_vk_device *dev, const struct wf_vk_memory_request *request,
                              struct wf_vk_memory *out)
{
    *out = (struct wf_vk_memory){0};
    uint32_t type = best_type(dev, request, 0);
    if (type == VK_MAX_MEMORY_TYPES)
        return WEFT_ERROR_UNSUPPORTED; // there is none of that kind
    VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    for (uint32_t tried = 0; type < VK_MAX_MEMORY_TYPES && is_full(result);
         type = best_type(dev, request, tried)) {
        result = take(dev, request, type, out);
        tried |= 1u << type;
    }
    return wf_vk_result(dev, result, "allocating memory");
}

void wf_vk_memory_give(struct wf_vk_device *dev, struct wf_vk_memory *memory)
{
    if (!memory->handle)
        return;
    if (!memory->chunk) {
        release(dev, memory->handle, memory->size);
    } else {
        wf_base_mutex_lock(&dev->memory_lock);
        struct wf_vk_chunk *chunk = memory->chunk;
        wf_base_ranges_give(&chunk->ranges, memory->range);
        // One empty chunk of a list stays for what comes next.
        if (chunk->ranges.used == 0 && (chunk != chunk->list->first || chunk->next)) {
            struct wf_vk_chunk **at = &chunk->list->first;
            while (*at != chunk)
                at = &(*at)->next;
            *at = chunk->next;
            chunk_free(dev, chunk);
        }
        wf_base_mutex_unlock(&dev->memory_lock);
    }
    *memory = (struct wf_vk_memory){0};
}

void wf_vk_memory_finish(struct wf_vk_device *dev)
{
    for (uint32_t i = 0; i < VK_MAX_MEMORY_TYPES * 2; i++) {
        struct wf_vk_chunks *list = &dev->chunks[i / 2][i % 2];
        while (list->first) {
            struct wf_vk_chunk *chunk = list->first;
            list->first = chunk->next;
            chunk_free(dev, chunk);
        }
    }
}

// ---- blocks that resources are placed in -------------------------------------------------------

static uint64_t granularity(const struct wf_vk_device *dev)
{
    return dev->adapter.properties.properties.limits.bufferImageGranularity;
}

void wf_vk_buffer_needs(struct wf_hal_device *hal, const weft_buffer_desc *desc,
                        weft_memory_needs *out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    uint32_t families[WEFT_QUEUE_COUNT];
    VkBufferCreateInfo info;
    wf_vk_buffer_info(dev, desc, &info, families);
    const VkDeviceBufferMemoryRequirements ask = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS,
        .pCreateInfo = &info,
    };
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    dev->vk.GetDeviceBufferMemoryRequirements(dev->handle, &ask, &needs);
    const VkMemoryRequirements *r = &needs.memoryRequirements;
    *out = (weft_memory_needs){r->size, wf_base_max_u64(r->alignment, granularity(dev))};
    if (desc->usage & WEFT_BUFFER_USAGE_ACCELERATION)
        out->alignment = wf_base_max_u64(out->alignment, WF_VK_ACCELERATION_ALIGNMENT);
    // Flushing one must leave its neighbours alone.
    if (desc->memory != WEFT_MEMORY_GPU)
        out->alignment = wf_base_max_u64(
            out->alignment, dev->adapter.properties.properties.limits.nonCoherentAtomSize);
}

void wf_vk_texture_needs(struct wf_hal_device *hal, const weft_texture_desc *desc,
                         weft_memory_needs *out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_image_info info;
    wf_vk_image_info(dev, desc, &info);
    const VkDeviceImageMemoryRequirements ask = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS,
        .pCreateInfo = &info.info,
    };
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    dev->vk.GetDeviceImageMemoryRequirements(dev->handle, &ask, &needs);
    const VkMemoryRequirements *r = &needs.memoryRequirements;
    *out = (weft_memory_needs){r->size, wf_base_max_u64(r->alignment, granularity(dev))};
}

static uint32_t texture_types(struct wf_vk_device *dev, weft_format format,
                              weft_texture_usage usage)
{
    const weft_texture_desc desc = {
        .format = format,
        .width = 64,
        .height = 64,
        .depth = 1,
        .layers = 1,
        .mips = 1,
        .samples = 1,
        .usage = usage,
    };
    struct wf_vk_image_info info;
    wf_vk_image_info(dev, &desc, &info);
    const VkDeviceImageMemoryRequirements ask = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS,
        .pCreateInfo = &info.info,
    };
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    dev->vk.GetDeviceImageMemoryRequirements(dev->handle, &ask, &needs);
    return needs.memoryRequirements.memoryTypeBits;
}

/// Each usage more can only take types away.
static uint32_t buffer_types(struct wf_vk_device *dev)
{
    const weft_feature_set features = dev->base.caps.features;
    const weft_buffer_usage lacks =
        (features & WEFT_FEATURE_POINTERS ? 0u : (weft_buffer_usage)WEFT_BUFFER_USAGE_ADDRESS) |
        (features & WEFT_FEATURE_RAY_QUERY ? 0u
                                           : (weft_buffer_usage)WEFT_BUFFER_USAGE_ACCELERATION);
    const weft_buffer_desc desc = {
        .size = 65536,
        .usage = WEFT_BUFFER_USAGE_ALL_BITS & ~lacks,
    };
    uint32_t families[WEFT_QUEUE_COUNT];
    VkBufferCreateInfo info;
    wf_vk_buffer_info(dev, &desc, &info, families);
    const VkDeviceBufferMemoryRequirements ask = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS,
        .pCreateInfo = &info,
    };
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    dev->vk.GetDeviceBufferMemoryRequirements(dev->handle, &ask, &needs);
    return needs.memoryRequirements.memoryTypeBits;
}

/// Nobody knows what will lie in a block, so its memory suits everything that may. Vulkan promises
/// that types do not depend on more: they are the same for all formats with colors, and for each
/// one with depth or stencil.
static void find_block_types(struct wf_vk_device *dev)
{
    const uint32_t buffers = buffer_types(dev);
    uint32_t all = buffers & texture_types(dev, WEFT_FORMAT_RGBA8_UNORM,
                                           WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_RENDER);
    for (unsigned i = WEFT_FORMAT_NONE + 1; i < WEFT_FORMAT_COUNT; i++) {
        if (dev->base.caps.formats[i] & WEFT_FORMAT_CAN_DEPTH_STENCIL)
            all &= texture_types(dev, (weft_format)i, WEFT_TEXTURE_USAGE_RENDER);
    }
    dev->block_types[0] = all;
    dev->block_types[1] = buffers; // no texture lies in memory that the CPU sees
    if (all == 0)
        dev->base.caps.features &= ~WEFT_FEATURE_PLACED_RESOURCES;
}

weft_result wf_vk_place_enter(struct wf_vk_device *dev, const struct wf_hal_placement *at,
                              const VkMemoryRequirements *needs, struct wf_vk_place *place,
                              bool *shared)
{
    struct wf_vk_block *block = (struct wf_vk_block *)at->block;
    if (!(needs->memoryTypeBits & 1u << block->memory.type)) {
        wf_base_log(dev->base.log, WF_BASE_LOG_ERROR,
                    "Vulkan: a block of memory type %u does not suit what is placed in it, which "
                    "takes types 0x%x",
                    block->memory.type, needs->memoryTypeBits);
        return WEFT_ERROR_UNSUPPORTED;
    }
    *place = (struct wf_vk_place){block, NULL, at->offset, at->offset + needs->size};
    *shared = false;
    wf_base_mutex_lock(&dev->memory_lock);
    for (const struct wf_vk_place *p = block->places; p; p = p->next)
        *shared |= p->begin < place->end && place->begin < p->end;
    place->next = block->places;
    block->places = place;
    wf_base_mutex_unlock(&dev->memory_lock);
    return WEFT_OK;
}

void wf_vk_place_leave(struct wf_vk_device *dev, struct wf_vk_place *place)
{
    if (!place->block)
        return;
    wf_base_mutex_lock(&dev->memory_lock);
    struct wf_vk_place **at = &place->block->places;
    while (*at != place)
        at = &(*at)->next;
    *at = place->next;
    wf_base_mutex_unlock(&dev->memory_lock);
}

void wf_vk_memory_init(struct wf_vk_device *dev)
{
    find_block_types(dev);
}

weft_result wf_vk_memory_block_create(struct wf_hal_device *hal, const weft_memory_block_desc *desc,
                                      struct wf_hal_memory_block **out)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    *out = NULL;
    struct wf_vk_block *block = wf_base_alloc_zero(hal->allocator, sizeof *block);
    if (!block)
        return WEFT_ERROR_MEMORY;
    block->base = (struct wf_hal_memory_block){.size = desc->size, .memory = desc->memory};
    const struct wf_vk_memory_request request = {
        .needs = {.size = desc->size,
                  .alignment = 1,
                  .memoryTypeBits = dev->block_types[desc->memory != WEFT_MEMORY_GPU]},
        .memory = desc->memory,
        .dedicated = true,
    };
    const weft_result result = wf_vk_memory_take(dev, &request, &block->memory);
    if (result != WEFT_OK) {
        wf_base_free(hal->allocator, block, sizeof *block);
        return result;
    }
    wf_vk_name(dev, VK_OBJECT_TYPE_DEVICE_MEMORY, (uint64_t)block->memory.handle, desc->label);
    *out = &block->base;
    return WEFT_OK;
}

void wf_vk_memory_block_destroy(struct wf_hal_device *hal, struct wf_hal_memory_block *base)
{
    struct wf_vk_block *block = (struct wf_vk_block *)base;
    wf_vk_memory_give(wf_vk_device(hal), &block->memory);
    wf_base_free(hal->allocator, block, sizeof *block);
}

weft_memory_budget wf_vk_memory_budget(struct wf_hal_device *hal)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    const bool known = wf_vk_has(dev, WF_VK_EXT_MEMORY_BUDGET);
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
        .pNext = known ? &budget : NULL,
    };
    dev->instance.fn.GetPhysicalDeviceMemoryProperties2(dev->adapter.handle, &memory);
    weft_memory_budget out = {.used = atomic_load(&dev->allocated)};
    for (uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; i++) {
        const VkMemoryHeap *heap = &memory.memoryProperties.memoryHeaps[i];
        if (heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
            out.available += known ? budget.heapBudget[i] : heap->size;
    }
    return out;
}
