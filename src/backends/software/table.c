// Argument layouts and the versions of argument tables.
#include <assert.h>
#include <string.h>

#include "backends/software/software.h"

static struct wf_sw_layout *layout_of(const struct wf_hal_layout *layout)
{
    return (struct wf_sw_layout *)layout;
}

static bool is_texels(weft_argument_type type)
{
    return type == WEFT_ARGUMENT_UNIFORM_TEXELS || type == WEFT_ARGUMENT_STORAGE_TEXELS;
}

static void fill_layout(struct wf_sw_layout *layout, const struct wf_hal_argument *arguments,
                        uint32_t count)
{
    layout->base.arguments = layout->arguments;
    layout->base.argument_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const struct wf_hal_argument *argument = &arguments[i];
        layout->arguments[i] = *argument;
        layout->ranges[argument->binding] =
            (struct wf_sw_binding_range){argument->first_element, argument->count};
        layout->base.element_count += argument->count;
        layout->has_texels |= is_texels(argument->type);
        if (argument->flags & WEFT_ARGUMENT_DYNAMIC)
            layout->base.dynamic_count += argument->count;
    }
}

weft_result wf_sw_layout_create(struct wf_hal_device *dev, const struct wf_hal_argument *arguments,
                                uint32_t argument_count, struct wf_hal_layout **out)
{
    *out = NULL;
    struct wf_sw_layout *layout = wf_base_alloc_zero(dev->allocator, sizeof *layout);
    if (!layout)
        return WEFT_ERROR_MEMORY;
    layout->base.argument_count = argument_count; // for destroying half of one
    const uint64_t ranges =
        argument_count ? (uint64_t)arguments[argument_count - 1].binding + 1 : 0;
    layout->range_count = (uint32_t)ranges;
    layout->arguments =
        wf_base_alloc_array(dev->allocator, argument_count, sizeof *layout->arguments);
    layout->ranges = wf_base_alloc_array(dev->allocator, (size_t)ranges, sizeof *layout->ranges);
    if (ranges > UINT32_MAX || !layout->arguments || !layout->ranges) {
        wf_sw_layout_destroy(dev, &layout->base);
        return WEFT_ERROR_MEMORY;
    }
    fill_layout(layout, arguments, argument_count);
    *out = &layout->base;
    return WEFT_OK;
}

void wf_sw_layout_destroy(struct wf_hal_device *dev, struct wf_hal_layout *base)
{
    struct wf_sw_layout *layout = layout_of(base);
    wf_base_free(dev->allocator, layout->arguments,
                 base->argument_count * sizeof *layout->arguments);
    wf_base_free(dev->allocator, layout->ranges, layout->range_count * sizeof *layout->ranges);
    wf_base_free(dev->allocator, layout, sizeof *layout);
}

static struct wf_sw_argument_table *table_of(struct wf_hal_table *table)
{
    return (struct wf_sw_argument_table *)table;
}

static const struct wf_sw_sampler *sampler_of(const struct wf_hal_sampler *sampler)
{
    return sampler ? &((const struct wf_sw_hal_sampler *)sampler)->sampler : NULL;
}

weft_result wf_sw_table_create(struct wf_hal_device *dev, struct wf_hal_layout *layout,
                               struct wf_hal_table **out)
{
    *out = NULL;
    struct wf_sw_argument_table *table = wf_base_alloc_zero(dev->allocator, sizeof *table);
    if (!table)
        return WEFT_ERROR_MEMORY;
    table->base.layout = layout;
    const size_t count = layout->element_count;
    table->elements = wf_base_alloc_array(dev->allocator, count, sizeof *table->elements);
    table->room = wf_base_alloc_array(dev->allocator, count, sizeof *table->room);
    const bool has_texels = layout_of(layout)->has_texels;
    if (has_texels)
        table->texels = wf_base_alloc_array(dev->allocator, count, sizeof *table->texels);
    if (!table->elements || !table->room || (has_texels && !table->texels)) {
        wf_sw_table_destroy(dev, &table->base);
        return WEFT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < layout->argument_count; i++) {
        const struct wf_hal_argument *argument = &layout->arguments[i];
        for (uint32_t k = 0; k < argument->count; k++)
            table->elements[argument->first_element + k].sampler = sampler_of(argument->fixed);
    }
    *out = &table->base;
    return WEFT_OK;
}

void wf_sw_table_destroy(struct wf_hal_device *dev, struct wf_hal_table *base)
{
    struct wf_sw_argument_table *table = table_of(base);
    const size_t count = base->layout->element_count;
    wf_base_free(dev->allocator, table->elements, count * sizeof *table->elements);
    wf_base_free(dev->allocator, table->room, count * sizeof *table->room);
    wf_base_free(dev->allocator, table->texels, count * sizeof *table->texels);
    wf_base_free(dev->allocator, table, sizeof *table);
}

/// Sees a range of a buffer as one row of texels; a rest that is no whole texel is left out.
static const struct wf_sw_view *see_texels(struct wf_sw_texels *texels, weft_format format,
                                           const struct wf_sw_binding *range)
{
    const uint32_t bytes = wf_hal_format_get(format)->codec.texel_bytes;
    const uint32_t width = (uint32_t)(range->size / bytes);
    texels->image = (struct wf_sw_image){
        .kind = WEFT_TEXTURE_1D,
        .format = format,
        .width = width,
        .height = 1,
        .depth = 1,
        .layers = 1,
        .mips = 1,
        .samples = 1,
        .memory = range->data,
        .size = range->size,
        .main = {.block_bytes = bytes, .mips[0] = {.width = width, .height = 1, .depth = 1}}};
    const bool fits = wf_sw_view_init(&texels->view, &texels->image, &(struct wf_sw_view_desc){0});
    assert(fits); // core checked the format
    (void)fits;
    return &texels->view;
}

weft_result wf_sw_table_write(struct wf_hal_device *dev, struct wf_hal_table *base,
                              const struct wf_hal_write *writes, uint32_t count)
{
    struct wf_sw_argument_table *table = table_of(base);
    (void)dev;
    for (uint32_t i = 0; i < count; i++) {
        const struct wf_hal_write *write = &writes[i];
        const struct wf_hal_argument *argument = &base->layout->arguments[write->argument];
        const uint32_t at = argument->first_element + write->element;
        assert(write->element < argument->count);
        struct wf_sw_binding element = {0};
        if (write->buffer) {
            element.data = wf_sw_buffer(write->buffer)->memory + write->offset;
            element.size = write->size;
            table->room[at] = write->buffer->size - write->offset;
        }
        if (is_texels(argument->type) && write->buffer)
            element.view = see_texels(&table->texels[at], argument->storage, &element);
        if (write->view)
            element.view = &wf_sw_texture_view(write->view)->view;
        element.sampler = sampler_of(argument->fixed ? argument->fixed : write->sampler);
        table->elements[at] = element;
    }
    return WEFT_OK;
}
