// Reads: a copy into staging memory, submitted at once behind everything before, taken when its
// submission has finished. Slots keep their memory, so that a repeated read allocates nothing.
#include "core/check.h"
#include "core/watch.h"

#include "base/array.h"
#include "base/bits.h"

#include <inttypes.h>
#include <string.h>

struct slot {
    uint32_t generation; ///< Rises when the slot is taken; half of the read's name.
    bool taken;
    uint64_t serial;
    uint64_t size; ///< Bytes that the host gets.
    struct wf_hal_buffer *staging;
    struct wf_hal_command_pool *pool;
    weft_buffer mapped; ///< Read from this buffer's own mapping instead of `staging`.
    uint64_t mapped_offset;
    struct wf_core_extent extent; ///< Of texels; rows 0: plain bytes.
    uint64_t pitch;               ///< Of staged rows.
};

struct wf_core_reads {
    struct wf_base_mutex lock;
    struct slot *slots;
    size_t capacity;
    uint32_t count;
};

weft_result wf_core_reads_create(struct weft_device *dev)
{
    struct wf_core_reads *reads = wf_base_alloc_zero(dev->allocator, sizeof *reads);
    if (!reads)
        return WEFT_ERROR_MEMORY;
    if (!wf_base_mutex_init(&reads->lock)) {
        wf_base_free(dev->allocator, reads, sizeof *reads);
        return WEFT_ERROR_MEMORY;
    }
    dev->reads = reads;
    return WEFT_OK;
}

void wf_core_reads_destroy(struct weft_device *dev)
{
    struct wf_core_reads *reads = dev->reads;
    if (!reads)
        return;
    for (uint32_t i = 0; i < reads->count; ++i) {
        if (reads->slots[i].staging)
            dev->ops->buffer_destroy(dev->hal, reads->slots[i].staging);
        if (reads->slots[i].pool)
            dev->ops->command_pool_destroy(dev->hal, reads->slots[i].pool);
    }
    wf_base_free(dev->allocator, reads->slots, reads->capacity * sizeof *reads->slots);
    wf_base_mutex_finish(&reads->lock);
    wf_base_free(dev->allocator, reads, sizeof *reads);
    dev->reads = NULL;
}

// ---- slots; the lock is held -------------------------------------------------------------------

static uint64_t staged_bytes(const struct slot *slot)
{
    return slot->staging ? slot->staging->size : 0;
}

/// The free slot whose memory fits best: the smallest that is enough, else the largest.
static struct slot *slot_free(struct wf_core_reads *reads, uint64_t size)
{
    struct slot *best = NULL;
    for (uint32_t i = 0; i < reads->count; ++i) {
        struct slot *slot = &reads->slots[i];
        if (slot->taken)
            continue;
        const uint64_t has = staged_bytes(slot);
        const uint64_t best_has = best ? staged_bytes(best) : 0;
        const bool better =
            !best || (best_has < size ? has > best_has : has >= size && has < best_has);
        if (better)
            best = slot;
    }
    return best;
}

static struct slot *slot_take(struct weft_device *dev, uint64_t size)
{
    struct wf_core_reads *reads = dev->reads;
    struct slot *slot = slot_free(reads, size);
    if (!slot) {
        struct slot *slots = wf_base_array_grow(dev->allocator, reads->slots, &reads->capacity,
                                                (size_t)reads->count + 1, sizeof *slots);
        if (!slots)
            return NULL;
        reads->slots = slots;
        slot = &slots[reads->count++];
        *slot = (struct slot){0};
    }
    slot->taken = true;
    slot->generation = slot->generation == UINT32_MAX ? 1 : slot->generation + 1;
    slot->mapped = (weft_buffer){0};
    slot->extent = (struct wf_core_extent){0};
    return slot;
}

static weft_read name_of(const struct wf_core_reads *reads, const struct slot *slot)
{
    return (uint64_t)slot->generation << 32 | (uint32_t)(slot - reads->slots);
}

/// The slot of a read, or NULL after reporting.
static struct slot *slot_get(struct weft_device *dev, weft_read read)
{
    struct wf_core_reads *reads = dev->reads;
    const uint32_t index = (uint32_t)read;
    if (index < reads->count && reads->slots[index].taken &&
        reads->slots[index].generation == read >> 32)
        return &reads->slots[index];
    wf_core_broken(&dev->on, WEFT_RULE_READ_INVALID, "The read 0x%" PRIx64 " is not under way.",
                   read);
    return NULL;
}

/// Staging memory of at least `size` bytes, and somewhere to record.
static weft_result slot_prepare(struct weft_device *dev, struct slot *slot, uint64_t size)
{
    if (slot->staging && slot->staging->size < size) {
        dev->ops->buffer_destroy(dev->hal, slot->staging);
        slot->staging = NULL;
    }
    weft_result result = WEFT_OK;
    if (!slot->staging) {
        const weft_buffer_desc desc = {
            .size = wf_base_align_up(size, 4096),
            .usage = WEFT_BUFFER_USAGE_COPY_DST,
            .memory = WEFT_MEMORY_READBACK,
            .label = "read",
        };
        result =
            dev->ops->buffer_create(dev->hal, &desc, &(struct wf_hal_placement){0}, &slot->staging);
        if (result != WEFT_OK) {
            slot->staging = NULL;
            return result;
        }
    }
    if (slot->pool)
        dev->ops->command_pool_reset(dev->hal, slot->pool);
    else
        result = dev->ops->command_pool_create(dev->hal, WEFT_QUEUE_GRAPHICS, &slot->pool);
    return result;
}

// ---- begin -------------------------------------------------------------------------------------

/// What is copied: a range of a buffer or a region of a texture.
struct source {
    struct wf_hal_buffer *buffer; ///< NULL: the texture.
    uint64_t offset, size;
    struct wf_hal_texture *texture;
    weft_texture_region region;
    struct wf_hal_texel_layout layout;
};

static void record_copy(struct weft_device *dev, struct wf_hal_command *cmd,
                        const struct source *source, struct wf_hal_buffer *to)
{
    const struct wf_hal_device_ops *ops = dev->ops;
    ops->cmd_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_COPY, 0);
    ops->cmd_begin_compute(cmd, NULL, UINT32_MAX, UINT32_MAX, "read");
    if (source->buffer)
        ops->cmd_copy_buffer(cmd, source->buffer, to,
                             &(struct wf_hal_buffer_copy){source->offset, 0, source->size}, 1);
    else
        ops->cmd_copy_texture_to_buffer(cmd, source->texture, &source->region, to, &source->layout);
    ops->cmd_end_compute(cmd);
    // For the CPU, and for whoever writes next what was copied.
    ops->cmd_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_ALL, 0);
}

static weft_result submit_copy(struct weft_device *dev, struct slot *slot,
                               const struct source *source)
{
    struct wf_hal_command *cmd;
    weft_result result = dev->ops->command_begin(dev->hal, slot->pool, &cmd);
    if (result != WEFT_OK)
        return wf_core_failed(&dev->on, result, "record a read");
    record_copy(dev, cmd, source, slot->staging);
    result = dev->ops->command_end(cmd);
    if (result != WEFT_OK) {
        dev->ops->command_discard(cmd);
        return wf_core_failed(&dev->on, result, "record a read");
    }
    struct wf_hal_submit submit = {.commands = &cmd, .command_count = 1};
    result = wf_core_submit(dev, WEFT_QUEUE_GRAPHICS, &submit);
    if (result == WEFT_OK)
        slot->serial = submit.serial;
    else
        dev->ops->command_discard(cmd);
    return result;
}

static weft_result begin_copy(struct weft_device *dev, const struct source *source, uint64_t staged,
                              const struct wf_core_extent *extent, weft_read *out)
{
    wf_base_mutex_lock(&dev->reads->lock);
    struct slot *slot = slot_take(dev, staged);
    weft_result result = slot ? slot_prepare(dev, slot, staged) : WEFT_ERROR_MEMORY;
    if (result != WEFT_OK)
        result = wf_core_failed(&dev->on, result, "begin a read");
    else
        result = submit_copy(dev, slot, source);
    if (result == WEFT_OK) {
        slot->size = source->size;
        slot->pitch = source->layout.row_bytes;
        if (extent)
            slot->extent = *extent;
        *out = name_of(dev->reads, slot);
    } else if (slot) {
        slot->taken = false;
    }
    wf_base_mutex_unlock(&dev->reads->lock);
    return result;
}

/// A mapped buffer that cannot be copied from: the data is there once the GPU is done.
static weft_result begin_mapped(struct weft_device *dev, weft_buffer buffer, uint64_t offset,
                                uint64_t size, weft_read *out)
{
    weft_result result = wf_core_submit_uploads(dev);
    if (result != WEFT_OK)
        return result;
    wf_base_mutex_lock(&dev->reads->lock);
    struct slot *slot = slot_take(dev, 0);
    if (slot) {
        slot->serial = atomic_load(&dev->serial);
        slot->size = size;
        slot->mapped = buffer;
        slot->mapped_offset = offset;
        *out = name_of(dev->reads, slot);
    } else {
        result = wf_core_failed(&dev->on, WEFT_ERROR_MEMORY, "begin a read");
    }
    wf_base_mutex_unlock(&dev->reads->lock);
    return result;
}

static bool check_buffer_read(struct weft_device *dev, weft_buffer handle,
                              const struct wf_core_buffer *buf, uint64_t offset, uint64_t size)
{
    const struct wf_core_subject on = wf_core_about(dev, wf_core_buffer_object(handle));
    bool ok = wf_core_check_buffer_range(dev, handle, buf, offset, size, "Reading");
    if (buf->usage & WEFT_BUFFER_USAGE_COPY_SRC) {
        if (offset % 4 != 0 || size % 4 != 0)
            ok = wf_core_broken(&on, WEFT_RULE_BUFFER_READ_ALIGNMENT,
                                "%" PRIu64 " bytes were to be read at %" PRIu64 ".", size, offset);
    } else if (!buf->mapped) {
        ok = wf_core_broken(&on, WEFT_RULE_BUFFER_COPY_SRC,
                            "This buffer was created with usage 0x%x.", buf->usage);
    }
    if (size == 0)
        ok = wf_core_broken(&on, WEFT_RULE_READ_EMPTY, "0 bytes were to be read.");
    return ok;
}

weft_result weft_read_begin_buffer(weft_device *device, weft_buffer buffer, uint64_t offset,
                                   uint64_t size, weft_read *out)
{
    const weft_result entered = wf_core_enter_result(device, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    const struct wf_core_buffer *buf = wf_core_buffer_get(device, buffer);
    if (!buf || !check_buffer_read(device, buffer, buf, offset, size))
        return WEFT_ERROR_USAGE;
    if (!(buf->usage & WEFT_BUFFER_USAGE_COPY_SRC))
        return begin_mapped(device, buffer, offset, size, out);
    const struct source source = {.buffer = buf->hal, .offset = offset, .size = size};
    return begin_copy(device, &source, size, NULL, out);
}

/// Texture and region are set and checked.
static weft_result begin_texels(struct weft_device *dev, struct source *source, weft_read *out)
{
    const struct wf_core_extent extent =
        wf_core_region_extent(&source->texture->desc, &source->region);
    const uint32_t align = wf_base_max_u32(dev->caps.limits.copy_row_alignment, 1);
    source->layout.row_bytes = wf_base_align_up(extent.row_bytes, align);
    source->layout.slice_rows = extent.rows;
    source->size = extent.row_bytes * extent.rows * extent.slices;
    return begin_copy(dev, source, source->layout.row_bytes * extent.rows * extent.slices, &extent,
                      out);
}

weft_result weft_read_begin_texture(weft_device *device, weft_texture texture,
                                    const weft_texture_region *region, weft_read *out)
{
    const weft_result entered = wf_core_enter_result(device, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    const struct wf_core_texture *tex = wf_core_texture_get(device, texture);
    if (!tex)
        return WEFT_ERROR_USAGE;
    const struct wf_core_subject on = wf_core_about(device, wf_core_texture_object(texture));
    const weft_texture_desc *desc = &tex->hal->desc;
    struct source source = {.texture = tex->hal, .region = wf_core_region_resolve(desc, region)};
    bool ok = wf_core_check_region(&on, desc, &source.region);
    if (!(tex->usage & WEFT_TEXTURE_USAGE_COPY_SRC))
        ok = wf_core_broken(&on, WEFT_RULE_TEXTURE_COPY_SRC,
                            "This texture was created with usage 0x%x.", tex->usage);
    if (!ok)
        return WEFT_ERROR_USAGE;
    return begin_texels(device, &source, out);
}

// ---- take --------------------------------------------------------------------------------------

static weft_result status(struct weft_device *dev, const struct slot *slot)
{
    const bool finished = wf_core_finished(dev) >= slot->serial;
    // Asked afterwards: serials go on when a device is lost, what they stand for was not done.
    if (!wf_core_alive(dev))
        return wf_core_not_ready(dev);
    if (finished)
        wf_core_watch_finished(dev, slot->serial);
    return finished ? WEFT_OK : WEFT_PENDING;
}

weft_result weft_read_poll(weft_device *device, weft_read read)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    wf_base_mutex_lock(&device->reads->lock);
    const struct slot *slot = slot_get(device, read);
    const weft_result result = slot ? status(device, slot) : WEFT_ERROR_USAGE;
    wf_base_mutex_unlock(&device->reads->lock);
    return result;
}

static void copy_rows(const struct slot *slot, const struct wf_hal_texel_layout *to, void *data)
{
    const struct wf_core_extent *extent = &slot->extent;
    const uint8_t *from = slot->staging->mapped;
    for (uint32_t s = 0; s < extent->slices; ++s) {
        char *row = (char *)data + to->offset + s * to->slice_rows * to->row_bytes;
        for (uint32_t r = 0; r < extent->rows; ++r, from += slot->pitch, row += to->row_bytes)
            memcpy(row, from, extent->row_bytes);
    }
}

static weft_result copy_out(struct weft_device *dev, const struct slot *slot,
                            const weft_texel_layout *layout, void *data)
{
    if (!weft_buffer_is_none(slot->mapped)) {
        const struct wf_core_buffer *buf = wf_core_buffer_get(dev, slot->mapped);
        if (!buf)
            return WEFT_ERROR_USAGE;
        dev->ops->buffer_flush(dev->hal, buf->hal, slot->mapped_offset, slot->size);
        memcpy(data, buf->mapped + slot->mapped_offset, slot->size);
        return WEFT_OK;
    }
    dev->ops->buffer_flush(dev->hal, slot->staging, 0, slot->staging->size);
    if (slot->extent.rows == 0) {
        memcpy(data, slot->staging->mapped, slot->size);
    } else {
        const struct wf_hal_texel_layout to = wf_core_layout_resolve(&slot->extent, layout);
        copy_rows(slot, &to, data);
    }
    return WEFT_OK;
}

static uint64_t bytes_needed(const struct slot *slot, const weft_texel_layout *layout)
{
    if (slot->extent.rows == 0)
        return slot->size;
    const struct wf_hal_texel_layout to = wf_core_layout_resolve(&slot->extent, layout);
    return wf_core_layout_end(&slot->extent, &to);
}

/// The lock is held. `layout` NULL: tight.
static weft_result take(struct weft_device *dev, struct slot *slot, void *data, uint64_t size,
                        const weft_texel_layout *layout)
{
    weft_result result = status(dev, slot);
    if (result != WEFT_OK)
        return result;
    const uint64_t need = bytes_needed(slot, layout);
    if (size < need) {
        wf_core_broken(&dev->on, WEFT_RULE_READ_SIZE,
                       "There are %" PRIu64 " bytes to take, and room for %" PRIu64 ".", need,
                       size);
        return WEFT_ERROR_USAGE;
    }
    result = copy_out(dev, slot, layout, data);
    slot->taken = false;
    return result;
}

static weft_result take_named(struct weft_device *dev, weft_read read, void *data, uint64_t size,
                              const weft_texel_layout *layout)
{
    wf_base_mutex_lock(&dev->reads->lock);
    struct slot *slot = slot_get(dev, read);
    const weft_result result = slot ? take(dev, slot, data, size, layout) : WEFT_ERROR_USAGE;
    wf_base_mutex_unlock(&dev->reads->lock);
    return result;
}

weft_result weft_read_take(weft_device *device, weft_read read, void *data, uint64_t size)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    return wf_core_given(device, data, WF_CORE_RESULT) ? take_named(device, read, data, size, NULL)
                                                       : WEFT_ERROR_USAGE;
}

// ---- blocking ----------------------------------------------------------------------------------

/// Waits for a read and takes it. It is ended in any case.
static weft_result finish(struct weft_device *dev, weft_read read, void *data, uint64_t size,
                          const weft_texel_layout *layout)
{
    wf_base_mutex_lock(&dev->reads->lock);
    const uint64_t serial = dev->reads->slots[(uint32_t)read].serial;
    wf_base_mutex_unlock(&dev->reads->lock);
    weft_result result = wf_core_wait_serial(dev, serial, UINT64_MAX);
    if (result == WEFT_OK)
        result = take_named(dev, read, data, size, layout);
    if (result != WEFT_OK) {
        wf_base_mutex_lock(&dev->reads->lock);
        dev->reads->slots[(uint32_t)read].taken = false;
        wf_base_mutex_unlock(&dev->reads->lock);
    }
    wf_core_watch_tell(dev);
    return result;
}

weft_result weft_buffer_read(weft_device *device, weft_buffer buffer, uint64_t offset, void *data,
                             uint64_t size)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    const struct wf_core_subject on = wf_core_about(device, wf_core_buffer_object(buffer));
    if (!wf_core_need(&on, WEFT_FEATURE_BLOCKING_WAIT, "A blocking read"))
        return WEFT_ERROR_USAGE;
    if (size == 0)
        return wf_core_buffer_get(device, buffer) ? WEFT_OK : WEFT_ERROR_USAGE;
    if (!wf_core_given(device, data, WF_CORE_RESULT))
        return WEFT_ERROR_USAGE;
    weft_read read;
    const weft_result result = weft_read_begin_buffer(device, buffer, offset, size, &read);
    return result == WEFT_OK ? finish(device, read, data, size, NULL) : result;
}

weft_result weft_texture_read(weft_device *device, weft_texture texture,
                              const weft_texture_region *region, void *data, uint64_t size,
                              const weft_texel_layout *layout)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    const struct wf_core_texture *tex = wf_core_texture_get(device, texture);
    if (!tex || !wf_core_given(device, data, WF_CORE_RESULT))
        return WEFT_ERROR_USAGE;
    const struct wf_core_subject on = wf_core_about(device, wf_core_texture_object(texture));
    if (!wf_core_need(&on, WEFT_FEATURE_BLOCKING_WAIT, "A blocking read"))
        return WEFT_ERROR_USAGE;
    const weft_texture_desc *desc = &tex->hal->desc;
    const weft_texture_region full = wf_core_region_resolve(desc, region);
    if (!wf_core_check_region(&on, desc, &full))
        return WEFT_ERROR_USAGE;
    const struct wf_core_extent extent = wf_core_region_extent(desc, &full);
    const struct wf_hal_texel_layout lines = wf_core_layout_resolve(&extent, layout);
    const struct wf_core_texels texels = {
        .texture = desc, .region = &full, .layout = &lines, .size = size};
    if (!wf_core_check_layout(&on, &texels))
        return WEFT_ERROR_USAGE;
    weft_read read;
    const weft_result result = weft_read_begin_texture(device, texture, region, &read);
    return result == WEFT_OK ? finish(device, read, data, size, layout) : result;
}

weft_result wf_core_read_texture(struct weft_device *dev, struct wf_hal_texture *texture,
                                 const weft_texture_region *region, void *data, uint64_t size)
{
    struct source source = {.texture = texture, .region = *region};
    weft_read read;
    const weft_result result = begin_texels(dev, &source, &read);
    return result == WEFT_OK ? finish(dev, read, data, size, NULL) : result;
}
