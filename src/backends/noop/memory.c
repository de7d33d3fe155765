#include "backends/noop/noop.h"

/// What buffers and textures ask for in a block, in bytes.
#define ALIGNMENT 256u

void wf_noop_buffer_needs(struct wf_hal_device *dev, const weft_buffer_desc *desc,
                          weft_memory_needs *out)
{
    (void)dev;
    *out = (weft_memory_needs){desc->size, ALIGNMENT};
}

void wf_noop_texture_needs(struct wf_hal_device *dev, const weft_texture_desc *desc,
                           weft_memory_needs *out)
{
    (void)dev;
    // An upper bound: every mip as large as the first.
    const uint64_t image =
        weft_format_image_bytes(desc->format, desc->width, desc->height, desc->depth);
    *out = (weft_memory_needs){image * desc->layers * desc->mips * desc->samples, ALIGNMENT};
}

weft_result wf_noop_memory_block_create(struct wf_hal_device *dev,
                                        const weft_memory_block_desc *desc,
                                        struct wf_hal_memory_block **out)
{
    struct wf_hal_memory_block *block = wf_noop_new(dev, sizeof *block);
    *out = block;
    if (!block)
        return WEFT_ERROR_MEMORY;
    *block = (struct wf_hal_memory_block){.size = desc->size, .memory = desc->memory};
    atomic_fetch_add(&wf_noop_device(dev)->allocated, block->size);
    return WEFT_OK;
}

void wf_noop_memory_block_destroy(struct wf_hal_device *dev, struct wf_hal_memory_block *block)
{
    atomic_fetch_sub(&wf_noop_device(dev)->allocated, block->size);
    wf_base_free(dev->allocator, block, sizeof *block);
}

weft_memory_budget wf_noop_memory_budget(struct wf_hal_device *dev)
{
    return (weft_memory_budget){.used = atomic_load(&wf_noop_device(dev)->allocated)};
}
