// Buffers and query pools.
#include <string.h>

#include "backends/software/software.h"

// More than any load needs, so that a placed buffer may be used for everything.
#define BUFFER_ALIGNMENT 256u

void wf_sw_buffer_needs(struct wf_hal_device *dev, const weft_buffer_desc *desc,
                        weft_memory_needs *out)
{
    (void)dev;
    *out = (weft_memory_needs){.size = desc->size, .alignment = BUFFER_ALIGNMENT};
}

weft_result wf_sw_buffer_create(struct wf_hal_device *hal, const weft_buffer_desc *desc,
                                const struct wf_hal_placement *place, struct wf_hal_buffer **out)
{
    struct wf_sw_device *dev = wf_sw_device(hal);
    *out = NULL;
    struct wf_sw_buffer *buf = wf_base_alloc(hal->allocator, sizeof *buf);
    if (!buf)
        return WEFT_ERROR_MEMORY;
    *buf = (struct wf_sw_buffer){
        .base = {.size = desc->size, .usage = desc->usage, .memory = desc->memory}};

    const bool addressable = (desc->usage & WEFT_BUFFER_USAGE_ADDRESS) != 0;
    buf->placed = place && place->block;
    if (buf->placed)
        buf->memory = ((struct wf_sw_memory_block *)place->block)->memory + place->offset;
    else
        buf->memory = wf_sw_arena_alloc(&dev->arena, desc->size, addressable);
    if (!buf->memory) {
        wf_base_free(hal->allocator, buf, sizeof *buf);
        return WEFT_ERROR_DEVICE_MEMORY;
    }
    if (desc->memory != WEFT_MEMORY_GPU)
        buf->base.mapped = buf->memory;
    if (addressable)
        buf->base.address = wf_sw_arena_address(&dev->arena, buf->memory);
    *out = &buf->base;
    return WEFT_OK;
}

void wf_sw_buffer_destroy(struct wf_hal_device *hal, struct wf_hal_buffer *base)
{
    struct wf_sw_buffer *buf = wf_sw_buffer(base);
    if (!buf->placed)
        wf_sw_arena_free(&wf_sw_device(hal)->arena, buf->memory);
    wf_base_free(hal->allocator, buf, sizeof *buf);
}

void wf_sw_buffer_flush(struct wf_hal_device *dev, struct wf_hal_buffer *buf, uint64_t offset,
                        uint64_t size)
{
    (void)dev, (void)buf, (void)offset, (void)size; // one memory for all
}

// ---- query pools -------------------------------------------------------------------------------

weft_result wf_sw_query_pool_create(struct wf_hal_device *hal, const weft_query_pool_desc *desc,
                                    struct wf_hal_query_pool **out)
{
    *out = NULL;
    struct wf_sw_query_pool *pool = wf_base_alloc(hal->allocator, sizeof *pool);
    if (!pool)
        return WEFT_ERROR_MEMORY;
    *pool = (struct wf_sw_query_pool){.base = {.kind = desc->kind, .count = desc->count}};
    pool->words = desc->kind == WEFT_QUERY_STATISTICS
                      ? (uint32_t)(sizeof(weft_pipeline_statistics) / sizeof(uint64_t))
                      : 1;
    pool->values = wf_base_alloc_array(hal->allocator, (size_t)desc->count * pool->words,
                                       sizeof *pool->values);
    pool->passes = wf_base_alloc_array(hal->allocator, desc->count, sizeof *pool->passes);
    if (!pool->values || !pool->passes) {
        wf_sw_query_pool_destroy(hal, &pool->base);
        return WEFT_ERROR_MEMORY;
    }
    *out = &pool->base;
    return WEFT_OK;
}

void wf_sw_query_pool_destroy(struct wf_hal_device *hal, struct wf_hal_query_pool *base)
{
    struct wf_sw_query_pool *pool = wf_sw_query_pool(base);
    const size_t count = base->count;
    wf_base_free(hal->allocator, pool->values, count * pool->words * sizeof *pool->values);
    wf_base_free(hal->allocator, pool->passes, count * sizeof *pool->passes);
    wf_base_free(hal->allocator, pool, sizeof *pool);
}

weft_result wf_sw_query_pool_read(struct wf_hal_device *dev, struct wf_hal_query_pool *base,
                                  uint32_t first, uint32_t count, uint64_t *out)
{
    const struct wf_sw_query_pool *pool = wf_sw_query_pool(base);
    (void)dev;
    memcpy(out, pool->values + (size_t)first * pool->words,
           (size_t)count * pool->words * sizeof *out);
    return WEFT_OK;
}
