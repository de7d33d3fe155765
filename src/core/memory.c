#include "core/object.h"

#include "base/bits.h"

#include <inttypes.h>

static bool check_block_desc(struct weft_device *dev, const weft_memory_block_desc *desc)
{
    const struct wf_core_subject on = wf_core_about_new(dev, WEFT_OBJECT_MEMORY_BLOCK, desc->label);
    bool ok = wf_core_need(&on, WEFT_FEATURE_PLACED_RESOURCES, "A memory block");
    if (desc->size == 0)
        ok = wf_core_broken(&on, WEFT_RULE_BLOCK_SIZE_ZERO,
                            "A memory block of 0 bytes was asked for.");
    ok &= wf_core_check_enum(&on, (unsigned)desc->memory, WEFT_MEMORY_READBACK, "kind of memory");
    return ok;
}

weft_result weft_memory_block_create(weft_device *device, const weft_memory_block_desc *desc,
                                     weft_memory_block *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    weft_memory_block_desc full = *desc;
    if (full.memory == WEFT_MEMORY_AUTO)
        full.memory = WEFT_MEMORY_GPU;
    full.label = full.label ? full.label : "";
    // also at validation OFF: the hook may be missing
    if (!check_block_desc(device, &full))
        return WEFT_ERROR_USAGE;
    struct wf_core_memory_block *block = wf_core_memory_block_take(device, full.label, out);
    if (!block)
        return WEFT_ERROR_MEMORY;
    const weft_result result = device->ops->memory_block_create(device->hal, &full, &block->hal);
    if (result != WEFT_OK) {
        wf_core_memory_block_give(device, out);
        const struct wf_core_subject on =
            wf_core_about_new(device, WEFT_OBJECT_MEMORY_BLOCK, full.label);
        return wf_core_failed(&on, result, NULL);
    }
    block->size = full.size;
    block->memory = full.memory;
    return WEFT_OK;
}

static void release(struct weft_device *dev, void *object, uint64_t extra)
{
    (void)extra;
    dev->ops->memory_block_destroy(dev->hal, object);
}

void wf_core_memory_block_discard(struct weft_device *dev, void *object)
{
    struct wf_core_memory_block *block = object;
    wf_core_retire(dev, release, block->hal, 0, block->size);
}

void weft_memory_block_destroy(weft_device *device, weft_memory_block block)
{
    if (!device)
        return;
    wf_base_mutex_lock(&device->object_lock);
    const struct wf_core_memory_block *live = wf_core_memory_block_find(device, block);
    const uint32_t placed = live ? live->placed : 0;
    if (placed == 0)
        wf_core_memory_block_destroy(device, block);
    wf_base_mutex_unlock(&device->object_lock);
    if (placed > 0)
        wf_core_broken_object(device, wf_core_memory_block_object(block), WEFT_RULE_BLOCK_IN_USE,
                              "%" PRIu32 " resources are placed in this block.", placed);
}

static bool check_place(uint64_t offset, const struct wf_core_memory_block *block,
                        const struct wf_core_placed *placed)
{
    const weft_memory_needs *needs = &placed->needs;
    bool ok = true;
    if (!wf_base_is_aligned(offset, needs->alignment))
        ok = wf_core_broken(&placed->on, WEFT_RULE_PLACEMENT_ALIGNMENT,
                            "The offset is %" PRIu64 ", the alignment %" PRIu64 ".", offset,
                            needs->alignment);
    if (!wf_base_range_fits(offset, needs->size, block->size))
        ok =
            wf_core_broken(&placed->on, WEFT_RULE_PLACEMENT_RANGE,
                           "%" PRIu64 " bytes from %" PRIu64 " leave a block of %" PRIu64 " bytes.",
                           needs->size, offset, block->size);
    if (placed->memory != block->memory)
        ok = wf_core_broken(&placed->on, WEFT_RULE_PLACEMENT_MEMORY,
                            "The resource asks for memory %d, the block has memory %d.",
                            (int)placed->memory, (int)block->memory);
    return ok;
}

weft_result wf_core_place(const weft_placement *place, const struct wf_core_placed *placed,
                          struct wf_hal_placement *out)
{
    struct weft_device *dev = placed->on.dev;
    // Counted first: then no other thread can destroy it.
    wf_base_mutex_lock(&dev->object_lock);
    struct wf_core_memory_block *block = wf_core_memory_block_find(dev, place->block);
    if (block)
        ++block->placed;
    wf_base_mutex_unlock(&dev->object_lock);
    if (!block) {
        (void)wf_core_memory_block_get(dev, place->block); // says why
        return WEFT_ERROR_USAGE;
    }
    if (!check_place(place->offset, block, placed)) {
        wf_core_unplace(dev, place->block);
        return WEFT_ERROR_USAGE;
    }
    *out = (struct wf_hal_placement){.block = block->hal, .offset = place->offset};
    return WEFT_OK;
}

void wf_core_unplace(struct weft_device *dev, weft_memory_block block)
{
    if (weft_memory_block_is_none(block))
        return;
    wf_base_mutex_lock(&dev->object_lock);
    struct wf_core_memory_block *live = wf_core_memory_block_find(dev, block);
    if (live)
        --live->placed;
    wf_base_mutex_unlock(&dev->object_lock);
}
