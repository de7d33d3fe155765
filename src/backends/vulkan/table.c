// Argument layouts, and tables: descriptor sets out of pools that a layout owns. A set that a
// table gave back is used again, so that a steady state allocates nothing.
#include "backends/vulkan/vulkan.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

#define FIRST_SETS 8u
#define MOST_SETS  512u

static struct wf_vk_layout *layout_of(const struct wf_hal_layout *layout)
{
    return (struct wf_vk_layout *)layout;
}

static bool is_texels(weft_argument_type type)
{
    return type == WEFT_ARGUMENT_UNIFORM_TEXELS || type == WEFT_ARGUMENT_STORAGE_TEXELS;
}

static VkDescriptorType type_of(const struct wf_hal_argument *argument)
{
    const bool dynamic = (argument->flags & WEFT_ARGUMENT_DYNAMIC) != 0;
    switch (argument->type) {
    case WEFT_ARGUMENT_UNIFORM_BUFFER:
        return dynamic ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
                       : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    case WEFT_ARGUMENT_STORAGE_BUFFER:
        return dynamic ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC
                       : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    case WEFT_ARGUMENT_SAMPLED_TEXTURE:
        return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    case WEFT_ARGUMENT_STORAGE_TEXTURE:
        return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    case WEFT_ARGUMENT_SAMPLER:
        return VK_DESCRIPTOR_TYPE_SAMPLER;
    case WEFT_ARGUMENT_COMBINED:
        return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    case WEFT_ARGUMENT_UNIFORM_TEXELS:
        return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    case WEFT_ARGUMENT_STORAGE_TEXELS:
        return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
    case WEFT_ARGUMENT_ACCELERATION_STRUCTURE:
        return VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR;
    case WEFT_ARGUMENT_NONE:
        break;
    }
    assert(!"no such type of argument");
    return VK_DESCRIPTOR_TYPE_SAMPLER;
}

// ---- layouts -----------------------------------------------------------------------------------

static void fill_layout(struct wf_vk_layout *layout, const struct wf_hal_argument *arguments,
                        uint32_t count)
{
    layout->base.arguments = layout->arguments;
    layout->base.argument_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const struct wf_hal_argument *argument = &arguments[i];
        layout->arguments[i] = *argument;
        layout->base.element_count += argument->count;
        if (is_texels(argument->type))
            layout->texel_count += argument->count;
        if (argument->flags & WEFT_ARGUMENT_DYNAMIC)
            layout->base.dynamic_count += argument->count;
    }
}

/// What vkCreateDescriptorSetLayout is told, in memory for a moment.
struct scratch {
    VkDescriptorSetLayoutBinding *bindings;
    VkDescriptorBindingFlags *flags;
    VkSampler *samplers;
};

static void fill_bindings(struct wf_vk_device *dev, const struct wf_vk_layout *layout,
                          struct scratch *s)
{
    const bool partial = dev->adapter.features12.descriptorBindingPartiallyBound;
    VkSampler *samplers = s->samplers;
    for (uint32_t i = 0; i < layout->base.argument_count; i++) {
        const struct wf_hal_argument *argument = &layout->arguments[i];
        s->bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = argument->binding,
            .descriptorType = type_of(argument),
            .descriptorCount = argument->count,
            .stageFlags = wf_vk_stages(argument->stages) & dev->root_stages,
        };
        s->flags[i] = partial ? VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT : 0u;
        if (!argument->fixed)
            continue;
        s->bindings[i].pImmutableSamplers = samplers;
        for (uint32_t k = 0; k < argument->count; k++)
            *samplers++ = ((struct wf_vk_sampler *)argument->fixed)->handle;
    }
}

static weft_result create_native(struct wf_vk_device *dev, struct wf_vk_layout *layout)
{
    const struct wf_base_allocator *allocator = dev->base.allocator;
    const uint32_t count = layout->base.argument_count, elements = layout->base.element_count;
    struct scratch s = {
        wf_base_alloc_array(allocator, count, sizeof *s.bindings),
        wf_base_alloc_array(allocator, count, sizeof *s.flags),
        wf_base_alloc_array(allocator, elements, sizeof(VkSampler)),
    };
    weft_result result = WEFT_ERROR_MEMORY;
    if (s.bindings && s.flags && s.samplers) {
        fill_bindings(dev, layout, &s);
        const VkDescriptorSetLayoutBindingFlagsCreateInfo how = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
            .bindingCount = count,
            .pBindingFlags = s.flags,
        };
        const VkDescriptorSetLayoutCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
            .pNext = &how,
            .bindingCount = count,
            .pBindings = s.bindings,
        };
        result = wf_vk_result(
            dev, dev->vk.CreateDescriptorSetLayout(dev->handle, &info, NULL, &layout->handle),
            "creating an argument layout");
    }
    wf_base_free(allocator, s.bindings, count * sizeof *s.bindings);
    wf_base_free(allocator, s.flags, count * sizeof *s.flags);
    wf_base_free(allocator, s.samplers, elements * sizeof(VkSampler));
    return result;
}

weft_result wf_vk_layout_create(struct wf_hal_device *hal, const struct wf_hal_argument *arguments,
                                uint32_t argument_count, struct wf_hal_layout **out)
{
    *out = NULL;
    struct wf_vk_layout *layout = wf_base_alloc_zero(hal->allocator, sizeof *layout);
    if (!layout || !wf_base_mutex_init(&layout->lock)) {
        wf_base_free(hal->allocator, layout, sizeof *layout);
        return WEFT_ERROR_MEMORY;
    }
    layout->base.argument_count = argument_count; // for destroying half of one
    layout->arguments =
        wf_base_alloc_array(hal->allocator, argument_count, sizeof *layout->arguments);
    weft_result result = WEFT_ERROR_MEMORY;
    if (layout->arguments) {
        fill_layout(layout, arguments, argument_count);
        result = create_native(wf_vk_device(hal), layout);
    }
    if (result != WEFT_OK) {
        wf_vk_layout_destroy(hal, &layout->base);
        return result;
    }
    *out = &layout->base;
    return WEFT_OK;
}

static void table_free(struct wf_hal_device *hal, struct wf_vk_table *table)
{
    wf_base_free(hal->allocator, table->texels,
                 table->base.layout->element_count * sizeof(VkBufferView));
    wf_base_free(hal->allocator, table, sizeof *table);
}

void wf_vk_layout_destroy(struct wf_hal_device *hal, struct wf_hal_layout *base)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_layout *layout = layout_of(base);
    while (layout->free) {
        struct wf_vk_table *table = layout->free;
        layout->free = table->next;
        table_free(hal, table);
    }
    while (layout->pools) {
        struct wf_vk_pool *pool = layout->pools;
        layout->pools = pool->next;
        dev->vk.DestroyDescriptorPool(dev->handle, pool->handle, NULL);
        wf_base_free(hal->allocator, pool, sizeof *pool);
    }
    if (layout->handle)
        dev->vk.DestroyDescriptorSetLayout(dev->handle, layout->handle, NULL);
    wf_base_mutex_finish(&layout->lock);
    wf_base_free(hal->allocator, layout->arguments,
                 base->argument_count * sizeof *layout->arguments);
    wf_base_free(hal->allocator, layout, sizeof *layout);
}

// ---- sets; the layout's lock is held -----------------------------------------------------------

#define MAX_SIZES 16u

/// Descriptors of each type in `sets` sets.
static uint32_t pool_sizes(const struct wf_vk_layout *layout, uint32_t sets,
                           VkDescriptorPoolSize out[MAX_SIZES])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < layout->base.argument_count; i++) {
        const VkDescriptorType type = type_of(&layout->arguments[i]);
        uint32_t at = 0;
        while (at < count && out[at].type != type)
            at++;
        if (at == count)
            out[count++] = (VkDescriptorPoolSize){type, 0};
        out[at].descriptorCount += layout->arguments[i].count * sets;
    }
    return count;
}

static weft_result pool_new(struct wf_vk_device *dev, struct wf_vk_layout *layout)
{
    struct wf_vk_pool *pool = wf_base_alloc_zero(dev->base.allocator, sizeof *pool);
    if (!pool)
        return WEFT_ERROR_MEMORY;
    const uint32_t sets = wf_base_min_u32(layout->made ? layout->made : FIRST_SETS, MOST_SETS);
    VkDescriptorPoolSize sizes[MAX_SIZES];
    const uint32_t size_count = pool_sizes(layout, sets, sizes);
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = sets,
        .poolSizeCount = size_count,
        .pPoolSizes = sizes,
    };
    const weft_result result =
        wf_vk_result(dev, dev->vk.CreateDescriptorPool(dev->handle, &info, NULL, &pool->handle),
                     "creating a descriptor pool");
    if (result != WEFT_OK) {
        wf_base_free(dev->base.allocator, pool, sizeof *pool);
        return result;
    }
    pool->left = sets;
    pool->next = layout->pools;
    layout->pools = pool;
    return WEFT_OK;
}

static weft_result set_new(struct wf_vk_device *dev, struct wf_vk_layout *layout,
                           VkDescriptorSet *out)
{
    if (!layout->pools || layout->pools->left == 0) {
        const weft_result result = pool_new(dev, layout);
        if (result != WEFT_OK)
            return result;
    }
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = layout->pools->handle,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout->handle,
    };
    const weft_result result = wf_vk_result(
        dev, dev->vk.AllocateDescriptorSets(dev->handle, &info, out), "creating an argument table");
    if (result == WEFT_OK) {
        layout->pools->left--;
        layout->made++;
    }
    return result;
}

static weft_result table_new(struct wf_vk_device *dev, struct wf_vk_layout *layout,
                             struct wf_vk_table **out)
{
    const struct wf_base_allocator *allocator = dev->base.allocator;
    struct wf_vk_table *table = wf_base_alloc_zero(allocator, sizeof *table);
    if (!table)
        return WEFT_ERROR_MEMORY;
    table->base.layout = &layout->base;
    weft_result result = WEFT_OK;
    if (layout->texel_count > 0) {
        table->texels =
            wf_base_alloc_array(allocator, layout->base.element_count, sizeof(VkBufferView));
        result = table->texels ? WEFT_OK : WEFT_ERROR_MEMORY;
    }
    if (result == WEFT_OK)
        result = set_new(dev, layout, &table->set);
    if (result != WEFT_OK) {
        table_free(&dev->base, table);
        return result;
    }
    *out = table;
    return WEFT_OK;
}

// ---- tables ------------------------------------------------------------------------------------

weft_result wf_vk_table_create(struct wf_hal_device *hal, struct wf_hal_layout *base,
                               struct wf_hal_table **out)
{
    struct wf_vk_layout *layout = layout_of(base);
    struct wf_vk_table *table = NULL;
    weft_result result = WEFT_OK;
    wf_base_mutex_lock(&layout->lock);
    if (layout->free) {
        table = layout->free;
        layout->free = table->next;
    } else {
        result = table_new(wf_vk_device(hal), layout, &table);
    }
    wf_base_mutex_unlock(&layout->lock);
    *out = table ? &table->base : NULL;
    return result;
}

void wf_vk_table_destroy(struct wf_hal_device *hal, struct wf_hal_table *base)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_table *table = (struct wf_vk_table *)base;
    struct wf_vk_layout *layout = layout_of(base->layout);
    for (uint32_t i = 0; table->texels && i < base->layout->element_count; i++) {
        if (table->texels[i])
            dev->vk.DestroyBufferView(dev->handle, table->texels[i], NULL);
        table->texels[i] = VK_NULL_HANDLE;
    }
    wf_base_mutex_lock(&layout->lock);
    table->next = layout->free;
    layout->free = table;
    wf_base_mutex_unlock(&layout->lock);
}

/// Sees a range of a buffer as texels.
static weft_result see_texels(struct wf_vk_device *dev, VkBufferView *view,
                              const struct wf_hal_argument *argument,
                              const struct wf_hal_write *write)
{
    const weft_format format = argument->storage;
    const uint32_t bytes = weft_format_get_info(format)->block_bytes;
    const VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = write->buffer ? wf_vk_buffer(write->buffer)->handle : VK_NULL_HANDLE,
        .format = wf_vk_format(format),
        .offset = write->offset,
        .range = write->size / bytes * bytes,
    };
    if (*view)
        dev->vk.DestroyBufferView(dev->handle, *view, NULL);
    *view = VK_NULL_HANDLE;
    if (!write->buffer)
        return WEFT_OK;
    return wf_vk_result(dev, dev->vk.CreateBufferView(dev->handle, &info, NULL, view),
                        "seeing a buffer as texels");
}

/// What one write says, in Vulkan's four forms.
struct element {
    VkDescriptorBufferInfo buffer;
    VkDescriptorImageInfo image;
    VkBufferView texels;
    VkAccelerationStructureKHR structure;
    VkWriteDescriptorSetAccelerationStructureKHR structures;
};

static weft_result fill_element(struct wf_vk_device *dev, struct wf_vk_table *table,
                                const struct wf_hal_argument *argument,
                                const struct wf_hal_write *write, struct element *out)
{
    *out = (struct element){0};
    weft_result result = WEFT_OK;
    if (is_texels(argument->type)) {
        VkBufferView *view = &table->texels[argument->first_element + write->element];
        result = see_texels(dev, view, argument, write);
        out->texels = *view;
    } else if (write->buffer) {
        out->buffer = (VkDescriptorBufferInfo){wf_vk_buffer(write->buffer)->handle, write->offset,
                                               write->size};
    }
    out->structure = wf_vk_acceleration_handle(write->acceleration);
    out->structures = (VkWriteDescriptorSetAccelerationStructureKHR){
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 1,
        .pAccelerationStructures = &out->structure,
    };
    const struct wf_hal_sampler *sampler = argument->fixed ? argument->fixed : write->sampler;
    if (sampler)
        out->image.sampler = ((const struct wf_vk_sampler *)sampler)->handle;
    if (write->view) {
        const struct wf_vk_texture_view *view = wf_vk_texture_view(write->view);
        out->image.imageView =
            argument->type == WEFT_ARGUMENT_STORAGE_TEXTURE ? view->storage : view->sampled;
        out->image.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    }
    return result;
}

#define BATCH 16u

weft_result wf_vk_table_write(struct wf_hal_device *hal, struct wf_hal_table *base,
                              const struct wf_hal_write *writes, uint32_t count)
{
    struct wf_vk_device *dev = wf_vk_device(hal);
    struct wf_vk_table *table = (struct wf_vk_table *)base;
    struct element elements[BATCH];
    VkWriteDescriptorSet natives[BATCH];
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct wf_hal_argument *argument = &base->layout->arguments[writes[i].argument];
        struct element *e = &elements[used];
        const weft_result result = fill_element(dev, table, argument, &writes[i], e);
        if (result != WEFT_OK)
            return result;
        const bool nothing = !e->buffer.buffer && !e->image.imageView && !e->texels &&
                             !e->structure && (!e->image.sampler || argument->fixed);
        if (nothing)
            continue;
        natives[used++] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .pNext = e->structure ? &e->structures : NULL,
            .dstSet = table->set,
            .dstBinding = argument->binding,
            .dstArrayElement = writes[i].element,
            .descriptorCount = 1,
            .descriptorType = type_of(argument),
            .pImageInfo = &e->image,
            .pBufferInfo = &e->buffer,
            .pTexelBufferView = &e->texels,
        };
        if (used == BATCH) {
            dev->vk.UpdateDescriptorSets(dev->handle, used, natives, 0, NULL);
            used = 0;
        }
    }
    if (used > 0)
        dev->vk.UpdateDescriptorSets(dev->handle, used, natives, 0, NULL);
    return WEFT_OK;
}
