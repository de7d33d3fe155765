#include "core/upload.h"

#include "core/check.h"
#include "core/upload_order.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

#define CHUNK_BYTES   (UINT64_C(1) << 20)
#define BELT_BYTES    (UINT64_C(64) << 20) ///< Above this the belt waits instead of growing.
#define MAX_REGIONS   256u                 ///< Of one copy.
#define MIN_ALIGNMENT 16u                  ///< Of texels.

/// A piece of staging memory.
struct chunk {
    struct chunk *next;
    struct wf_hal_buffer *buffer;
    uint64_t used;
    uint64_t serial; ///< Of the submission that reads it.
};

struct chunk_list {
    struct chunk *first, *last;
};

/// Memory for commands, used again when its commands have finished.
struct recorder {
    struct recorder *next;
    struct wf_hal_command_pool *pool;
    uint64_t serial;
};

/// Buffer writes that one copy will do: all from one chunk to one buffer.
struct pending {
    struct wf_hal_buffer *from, *to;
    uint32_t count; ///< 0: none.
    struct wf_hal_buffer_copy regions[MAX_REGIONS];
};

struct wf_core_belt {
    struct wf_base_latch lock;
    struct chunk_list filling;      ///< Read by `command`; the last one has room.
    struct chunk_list busy;         ///< Submitted, oldest first.
    struct chunk_list idle;         ///< Free.
    uint64_t bytes;                 ///< Of all chunks.
    struct recorder *recorders;     ///< Least recently used first.
    struct recorder *recorder;      ///< That of `command`.
    struct wf_hal_command *command; ///< Pending; NULL: none.
    bool ended;                     ///< It is executable: a submission with it failed.
    bool encoding;                  ///< Inside of a compute encoder.
    struct wf_core_open open;       ///< Links `command` into the open ones.
    struct wf_core_order order;     ///< What the copies of the encoder write.
    struct pending pending;         ///< Not yet recorded.
};

// ---- chunks ------------------------------------------------------------------------------------

static void push(struct chunk_list *list, struct chunk *chunk)
{
    chunk->next = NULL;
    if (list->last)
        list->last->next = chunk;
    else
        list->first = chunk;
    list->last = chunk;
}

static struct chunk *pop(struct chunk_list *list)
{
    struct chunk *chunk = list->first;
    if (!chunk)
        return NULL;
    list->first = chunk->next;
    if (!list->first)
        list->last = NULL;
    return chunk;
}

static void chunk_free(struct weft_device *dev, struct chunk *chunk)
{
    dev->belt->bytes -= chunk->buffer->size;
    dev->ops->buffer_destroy(dev->hal, chunk->buffer);
    wf_base_free(dev->allocator, chunk, sizeof *chunk);
}

static void chunks_free(struct weft_device *dev, struct chunk_list *list)
{
    struct chunk *chunk;
    while ((chunk = pop(list)) != NULL)
        chunk_free(dev, chunk);
}

static weft_result chunk_new(struct weft_device *dev, uint64_t size, struct chunk **out)
{
    *out = NULL;
    struct chunk *chunk = wf_base_alloc_zero(dev->allocator, sizeof *chunk);
    if (!chunk)
        return WEFT_ERROR_MEMORY;
    const weft_buffer_desc desc = {
        .size = size,
        .usage = WEFT_BUFFER_USAGE_COPY_SRC,
        .memory = WEFT_MEMORY_DEFAULT,
        .label = "upload belt",
    };
    const weft_result result =
        dev->ops->buffer_create(dev->hal, &desc, &(struct wf_hal_placement){0}, &chunk->buffer);
    if (result != WEFT_OK) {
        wf_base_free(dev->allocator, chunk, sizeof *chunk);
        return result;
    }
    dev->belt->bytes += size;
    *out = chunk;
    return WEFT_OK;
}

/// Moves what the GPU has left to the idle ones. Chunks of more than the usual size go.
static void recycle(struct weft_device *dev)
{
    struct wf_core_belt *belt = dev->belt;
    const uint64_t finished = wf_core_finished(dev);
    while (belt->busy.first && belt->busy.first->serial <= finished) {
        struct chunk *chunk = pop(&belt->busy);
        chunk->used = 0;
        if (chunk->buffer->size == CHUNK_BYTES)
            push(&belt->idle, chunk);
        else
            chunk_free(dev, chunk);
    }
}

/// Too much is on its way: submits what is pending and waits for the oldest chunk.
static weft_result drain(struct weft_device *dev)
{
    struct wf_core_belt *belt = dev->belt;
    weft_result result = wf_core_submit_uploads_locked(dev);
    if (result != WEFT_OK || !belt->busy.first)
        return result;
    result = wf_core_wait_serial(dev, belt->busy.first->serial, UINT64_MAX);
    recycle(dev);
    return result == WEFT_PENDING ? WEFT_OK : result; // cannot wait: grow after all
}

/// Makes the last filling chunk one with room for `size` bytes.
static weft_result next_chunk(struct weft_device *dev, uint64_t size)
{
    struct wf_core_belt *belt = dev->belt;
    const uint64_t bytes = wf_base_max_u64(size, CHUNK_BYTES);
    recycle(dev);
    if (belt->bytes + bytes > BELT_BYTES && !belt->idle.first) {
        const weft_result result = drain(dev);
        if (result != WEFT_OK)
            return result;
    }
    struct chunk *chunk = bytes == CHUNK_BYTES ? pop(&belt->idle) : NULL;
    if (!chunk) {
        const weft_result result = chunk_new(dev, bytes, &chunk);
        if (result != WEFT_OK)
            return wf_core_failed(&dev->on, result, "stage an upload");
    }
    push(&belt->filling, chunk);
    return WEFT_OK;
}

/// `size` bytes of staging memory at a multiple of `align`.
static weft_result stage(struct weft_device *dev, uint64_t size, uint64_t align,
                         struct chunk **chunk, uint64_t *offset)
{
    struct wf_core_belt *belt = dev->belt;
    *chunk = belt->filling.last;
    *offset = *chunk ? wf_base_align_up((*chunk)->used, align) : 0;
    if (!*chunk || !wf_base_range_fits(*offset, size, (*chunk)->buffer->size)) {
        const weft_result result = next_chunk(dev, size);
        if (result != WEFT_OK)
            return result;
        *chunk = belt->filling.last;
        *offset = 0;
    }
    assert(*chunk != NULL);
    (*chunk)->used = *offset + size;
    return WEFT_OK;
}

// ---- recording ---------------------------------------------------------------------------------

static void recorder_append(struct wf_core_belt *belt, struct recorder *recorder)
{
    struct recorder **at = &belt->recorders;
    while (*at)
        at = &(*at)->next;
    recorder->next = NULL;
    *at = recorder;
}

/// The least recently used recorder, if its commands have finished, or a new one.
static weft_result recorder_take(struct weft_device *dev, struct recorder **out)
{
    struct wf_core_belt *belt = dev->belt;
    struct recorder *recorder = belt->recorders;
    if (recorder && recorder->serial <= wf_core_finished(dev)) {
        belt->recorders = recorder->next;
        dev->ops->command_pool_reset(dev->hal, recorder->pool);
    } else {
        recorder = wf_base_alloc_zero(dev->allocator, sizeof *recorder);
        if (!recorder)
            return WEFT_ERROR_MEMORY;
        const weft_result result =
            dev->ops->command_pool_create(dev->hal, WEFT_QUEUE_GRAPHICS, &recorder->pool);
        if (result != WEFT_OK) {
            wf_base_free(dev->allocator, recorder, sizeof *recorder);
            return result;
        }
    }
    recorder_append(belt, recorder);
    *out = recorder;
    return WEFT_OK;
}

static inline bool is_recording(const struct wf_core_belt *belt)
{
    return belt->command && !belt->ended;
}

/// Makes `command` one that records. Everything earlier may still read what is written now.
static weft_result begin(struct weft_device *dev)
{
    struct wf_core_belt *belt = dev->belt;
    if (belt->ended) { // a submission failed: this one must go first
        const weft_result result = wf_core_submit_uploads_locked(dev);
        if (result != WEFT_OK)
            return result;
    }
    weft_result result = recorder_take(dev, &belt->recorder);
    if (result == WEFT_OK)
        result = dev->ops->command_begin(dev->hal, belt->recorder->pool, &belt->command);
    if (result != WEFT_OK) {
        belt->command = NULL;
        return wf_core_failed(&dev->on, result, "record an upload");
    }
    belt->recorder->serial = UINT64_MAX; // until it is submitted
    wf_core_open_add(dev, &belt->open);
    dev->ops->cmd_barrier(belt->command, WEFT_STAGE_ALL, WEFT_STAGE_COPY, 0);
    return WEFT_OK;
}

/// A command buffer that records and `size` bytes of staging memory for it.
static weft_result prepare(struct weft_device *dev, uint64_t size, uint64_t align,
                           struct chunk **chunk, uint64_t *offset)
{
    const struct wf_core_belt *belt = dev->belt;
    weft_result result = is_recording(belt) ? WEFT_OK : begin(dev);
    if (result == WEFT_OK)
        result = stage(dev, size, align, chunk, offset);
    if (result == WEFT_OK && !is_recording(belt))
        result = begin(dev); // staging has submitted the first
    return result;
}

/// Records what is pending.
static void copy_pending(struct weft_device *dev)
{
    struct pending *p = &dev->belt->pending;
    if (p->count > 0)
        dev->ops->cmd_copy_buffer(dev->belt->command, p->from, p->to, p->regions, p->count);
    p->count = 0;
}

static void encode_end(struct weft_device *dev)
{
    struct wf_core_belt *belt = dev->belt;
    if (!belt->encoding)
        return;
    copy_pending(dev);
    dev->ops->cmd_end_compute(belt->command);
    belt->encoding = false;
}

static void encode_begin(struct weft_device *dev)
{
    if (dev->belt->encoding)
        return;
    dev->ops->cmd_begin_compute(dev->belt->command, NULL, UINT32_MAX, UINT32_MAX, "uploads");
    dev->belt->encoding = true;
}

/// A write meets an earlier one: what follows comes after.
static void encode_anew(struct weft_device *dev)
{
    encode_end(dev);
    dev->ops->cmd_barrier(dev->belt->command, WEFT_STAGE_COPY, WEFT_STAGE_COPY, 0);
    wf_core_order_reset(&dev->belt->order);
}

// ---- for submissions ---------------------------------------------------------------------------

void wf_core_belt_lock(struct weft_device *dev)
{
    wf_base_latch_lock(&dev->belt->lock);
}

void wf_core_belt_unlock(struct weft_device *dev)
{
    wf_base_latch_unlock(&dev->belt->lock);
}

weft_result wf_core_belt_end(struct weft_device *dev, struct wf_hal_command **out)
{
    struct wf_core_belt *belt = dev->belt;
    *out = belt->command;
    if (!belt->command || belt->ended)
        return WEFT_OK;
    encode_end(dev);
    dev->ops->cmd_barrier(belt->command, WEFT_STAGE_COPY, WEFT_STAGE_ALL,
                          WEFT_HAZARD_DRAW_ARGUMENTS);
    for (struct chunk *chunk = belt->filling.first; chunk; chunk = chunk->next)
        dev->ops->buffer_flush(dev->hal, chunk->buffer, 0, chunk->used);
    const weft_result result = dev->ops->command_end(belt->command);
    if (result == WEFT_OK) {
        belt->ended = true;
        return WEFT_OK;
    }
    // The writes are lost, and whoever submits is told.
    dev->ops->command_discard(belt->command);
    *out = NULL;
    wf_core_belt_done(dev, 0);
    return wf_core_failed(&dev->on, result, "record the uploads");
}

void wf_core_belt_done(struct weft_device *dev, uint64_t serial)
{
    struct wf_core_belt *belt = dev->belt;
    struct chunk *chunk;
    while ((chunk = pop(&belt->filling)) != NULL) {
        chunk->serial = serial;
        push(&belt->busy, chunk);
    }
    belt->recorder->serial = serial;
    belt->command = NULL;
    belt->ended = false;
    belt->encoding = false;
    belt->pending.count = 0;
    wf_core_order_reset(&belt->order);
    wf_core_open_remove(dev, &belt->open);
}

bool wf_core_belt_waits(struct weft_device *dev)
{
    if (!dev->belt)
        return false;
    wf_core_belt_lock(dev);
    const bool waits = dev->belt->command != NULL;
    wf_core_belt_unlock(dev);
    return waits;
}

uint64_t wf_core_belt_bytes(struct weft_device *dev)
{
    wf_core_belt_lock(dev);
    const uint64_t bytes = dev->belt->bytes;
    wf_core_belt_unlock(dev);
    return bytes;
}

weft_result wf_core_belt_create(struct weft_device *dev)
{
    struct wf_core_belt *belt = wf_base_alloc_zero(dev->allocator, sizeof *belt);
    if (!belt)
        return WEFT_ERROR_MEMORY;
    if (!wf_base_latch_init(&belt->lock)) {
        wf_base_free(dev->allocator, belt, sizeof *belt);
        return WEFT_ERROR_MEMORY;
    }
    dev->belt = belt;
    return WEFT_OK;
}

void wf_core_belt_destroy(struct weft_device *dev)
{
    struct wf_core_belt *belt = dev->belt;
    if (!belt)
        return;
    if (belt->command) {
        dev->ops->command_discard(belt->command);
        wf_core_belt_done(dev, 0);
    }
    chunks_free(dev, &belt->filling);
    chunks_free(dev, &belt->busy);
    chunks_free(dev, &belt->idle);
    while (belt->recorders) {
        struct recorder *recorder = belt->recorders;
        belt->recorders = recorder->next;
        dev->ops->command_pool_destroy(dev->hal, recorder->pool);
        wf_base_free(dev->allocator, recorder, sizeof *recorder);
    }
    wf_base_latch_finish(&belt->lock);
    wf_base_free(dev->allocator, belt, sizeof *belt);
    dev->belt = NULL;
}

// ---- buffers -----------------------------------------------------------------------------------

/// Adds to what is pending: next to the last region, it becomes a part of that.
static void add_region(struct weft_device *dev, struct wf_hal_buffer *from,
                       struct wf_hal_buffer *to, const struct wf_hal_buffer_copy *region)
{
    struct pending *p = &dev->belt->pending;
    if (p->count > 0 && (p->from != from || p->to != to))
        copy_pending(dev);
    struct wf_hal_buffer_copy *last = p->count > 0 ? &p->regions[p->count - 1] : NULL;
    if (last && last->src_offset + last->size == region->src_offset &&
        last->dst_offset + last->size == region->dst_offset) {
        last->size += region->size;
        return;
    }
    if (p->count == MAX_REGIONS)
        copy_pending(dev);
    p->from = from;
    p->to = to;
    p->regions[p->count++] = *region;
}

static weft_result upload_piece(struct weft_device *dev, struct wf_hal_buffer *dst, uint64_t offset,
                                const void *data, uint64_t size)
{
    struct chunk *chunk;
    uint64_t at;
    const weft_result result = prepare(dev, size, 4, &chunk, &at);
    if (result != WEFT_OK)
        return result;
    memcpy(chunk->buffer->mapped + at, data, size);
    struct wf_core_order *order = &dev->belt->order;
    if (!wf_core_order_add_range(order, dst, offset, offset + size)) {
        encode_anew(dev);
        wf_core_order_add_range(order, dst, offset, offset + size);
    }
    encode_begin(dev);
    // The watch knows the buffer only by its own name.
    if (dst->whole && !dev->full) {
        offset += dst->whole_offset;
        dst = dst->whole;
    }
    add_region(dev, chunk->buffer, dst, &(struct wf_hal_buffer_copy){at, offset, size});
    return WEFT_OK;
}

weft_result wf_core_upload_buffer(struct weft_device *dev, struct wf_hal_buffer *dst,
                                  uint64_t offset, const void *data, uint64_t size)
{
    weft_result result = WEFT_OK;
    wf_core_belt_lock(dev);
    for (uint64_t done = 0; done < size && result == WEFT_OK;) {
        const uint64_t piece = wf_base_min_u64(size - done, CHUNK_BYTES);
        result = upload_piece(dev, dst, offset + done, (const char *)data + done, piece);
        done += piece;
    }
    wf_core_belt_unlock(dev);
    return result;
}

// ---- textures ----------------------------------------------------------------------------------

/// One texture write on its way.
struct texture_write {
    struct wf_hal_texture *dst;
    const weft_texture_region *region;
    const char *data;
    struct wf_hal_texel_layout from; ///< Of `data`.
    uint64_t row_bytes;              ///< Tight.
    uint64_t pitch;                  ///< Of staged rows.
    uint64_t align;                  ///< Of staged pieces.
    uint32_t rows, slices;
    uint32_t block_height;
};

/// The part of the region that `rows` rows from `row` on of `slices` slices from `slice` on are.
static weft_texture_region part_of(const struct texture_write *w, uint32_t slice, uint32_t slices,
                                   uint32_t row, uint32_t rows)
{
    weft_texture_region part = *w->region;
    if (w->dst->desc.kind == WEFT_TEXTURE_3D) {
        part.z += slice;
        part.depth = slices;
    } else {
        part.layer += slice;
        part.layer_count = slices;
    }
    const uint32_t skipped = row * w->block_height;
    part.y += skipped;
    part.height = wf_base_min_u32(rows * w->block_height, w->region->height - skipped);
    return part;
}

static struct wf_core_order_box box_of(const struct wf_hal_texture *dst,
                                       const weft_texture_region *r)
{
    return (struct wf_core_order_box){
        .texture = dst,
        .mip = r->mip,
        .aspect = r->aspect,
        .begin = {r->x, r->y, r->z, r->layer},
        .end = {(uint64_t)r->x + r->width, (uint64_t)r->y + r->height, (uint64_t)r->z + r->depth,
                (uint64_t)r->layer + r->layer_count},
    };
}

static weft_result upload_rows(struct weft_device *dev, const struct texture_write *w,
                               uint32_t slice, uint32_t slices, uint32_t row, uint32_t rows)
{
    struct chunk *chunk;
    uint64_t at;
    const weft_result result = prepare(dev, w->pitch * rows * slices, w->align, &chunk, &at);
    if (result != WEFT_OK)
        return result;
    uint8_t *to = chunk->buffer->mapped + at;
    for (uint32_t s = slice; s < slice + slices; ++s) {
        const char *from =
            w->data + w->from.offset + (s * w->from.slice_rows + row) * w->from.row_bytes;
        for (uint32_t r = 0; r < rows; ++r, to += w->pitch, from += w->from.row_bytes)
            memcpy(to, from, w->row_bytes);
    }
    const weft_texture_region part = part_of(w, slice, slices, row, rows);
    const struct wf_core_order_box box = box_of(w->dst, &part);
    if (!wf_core_order_add_box(&dev->belt->order, &box)) {
        encode_anew(dev);
        wf_core_order_add_box(&dev->belt->order, &box);
    }
    encode_begin(dev);
    const struct wf_hal_texel_layout layout = {
        .offset = at, .row_bytes = w->pitch, .slice_rows = rows};
    dev->ops->cmd_copy_buffer_to_texture(dev->belt->command, chunk->buffer, &layout, w->dst, &part);
    return WEFT_OK;
}

/// All slices at once if they fit into a chunk, otherwise bands of rows.
static weft_result upload_slices(struct weft_device *dev, const struct texture_write *w)
{
    const uint64_t slice_bytes = w->pitch * w->rows;
    if (slice_bytes <= CHUNK_BYTES && w->slices <= CHUNK_BYTES / slice_bytes)
        return upload_rows(dev, w, 0, w->slices, 0, w->rows);
    const uint32_t band =
        (uint32_t)wf_base_min_u64(wf_base_max_u64(CHUNK_BYTES / w->pitch, 1), w->rows);
    weft_result result = WEFT_OK;
    for (uint32_t s = 0; s < w->slices; ++s) {
        for (uint32_t row = 0; row < w->rows && result == WEFT_OK; row += band)
            result = upload_rows(dev, w, s, 1, row, wf_base_min_u32(band, w->rows - row));
    }
    return result;
}

weft_result wf_core_upload_texture(struct weft_device *dev, struct wf_hal_texture *dst,
                                   const weft_texture_region *region, const void *data,
                                   const struct wf_hal_texel_layout *layout)
{
    const struct wf_core_extent extent = wf_core_region_extent(&dst->desc, region);
    const weft_limits *limits = &dev->caps.limits;
    const uint64_t row_align = wf_base_max_u32(limits->copy_row_alignment, 1);
    const struct texture_write w = {
        .dst = dst,
        .region = region,
        .data = data,
        .from = *layout,
        .row_bytes = extent.row_bytes,
        .pitch = wf_base_align_up(extent.row_bytes, row_align),
        .align = wf_base_max_u32(limits->copy_offset_alignment, MIN_ALIGNMENT),
        .rows = extent.rows,
        .slices = extent.slices,
        .block_height = weft_format_get_info(dst->desc.format)->block_height,
    };
    assert(extent.row_bytes > 0 && extent.rows > 0 && extent.slices > 0);
    wf_core_belt_lock(dev);
    const weft_result result = upload_slices(dev, &w);
    wf_core_belt_unlock(dev);
    return result;
}
