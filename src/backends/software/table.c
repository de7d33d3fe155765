// Argument layouts and the versions of argument tables.
#include <assert.h>
#include <string.h>

#include "backends/software/software.h"

static struct wf_sw_layout *layout_of(const struct wf_hal_layout *layout)
{
    return (struct wf_sw_layout *)layout;
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
    if (!table->elements || !table->room) {
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
    wf_base_free(dev->allocator, table, sizeof *table);
}

void wf_sw_table_write(struct wf_hal_device *dev, struct wf_hal_table *base,
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
        if (write->view)
            element.view = &wf_sw_texture_view(write->view)->view;
        element.sampler = sampler_of(argument->fixed ? argument->fixed : write->sampler);
        table->elements[at] = element;
    }
}
