// The bindless heap: which index belongs to whom. Views and samplers get single indices when they
// are first asked for; ranges are contiguous and filled by the host. An entry is emptied, and its
// index given again, only when the GPU has left it.
#include "core/check_acceleration.h"
#include "core/object.h"

#include "base/bits.h"

#define KINDS 4u

/// A range until the GPU has left it.
struct wf_core_range {
    struct wf_core_range *prev, *next;
    weft_heap_kind kind;
    uint32_t first, count;
    const void *entries[]; ///< What was written: hal views or samplers.
};

/// The indices of one kind.
struct indices {
    uint64_t *used; ///< One bit an index.
    uint32_t capacity;
    uint32_t hint; ///< Below it, all are taken.
};

struct wf_core_heap {
    struct wf_base_mutex lock;
    struct indices indices[KINDS];
    struct wf_core_range *ranges;
};

static size_t words_of(const struct indices *indices)
{
    return ((size_t)indices->capacity + 63) / 64;
}

weft_result wf_core_heap_create(struct weft_device *dev)
{
    if (!wf_core_has(dev, WEFT_FEATURE_HEAP))
        return WEFT_OK;
    struct wf_core_heap *heap = wf_base_alloc_zero(dev->allocator, sizeof *heap);
    if (!heap)
        return WEFT_ERROR_MEMORY;
    if (!wf_base_mutex_init(&heap->lock)) {
        wf_base_free(dev->allocator, heap, sizeof *heap);
        return WEFT_ERROR_MEMORY;
    }
    dev->heap = heap;
    heap->indices[WEFT_HEAP_SAMPLED].capacity = dev->caps.limits.max_heap_textures;
    heap->indices[WEFT_HEAP_STORAGE].capacity = dev->caps.limits.max_heap_textures;
    heap->indices[WEFT_HEAP_SAMPLER].capacity = dev->caps.limits.max_heap_samplers;
    heap->indices[WEFT_HEAP_ACCELERATION].capacity = dev->caps.limits.max_heap_accelerations;
    for (uint32_t k = 0; k < KINDS; ++k) {
        struct indices *indices = &heap->indices[k];
        if (indices->capacity == 0)
            continue;
        indices->used = wf_base_alloc_array(dev->allocator, words_of(indices), sizeof(uint64_t));
        if (!indices->used)
            return WEFT_ERROR_MEMORY; // the device is closed, and this with it
    }
    return WEFT_OK;
}

void wf_core_heap_destroy(struct weft_device *dev)
{
    struct wf_core_heap *heap = dev->heap;
    if (!heap)
        return;
    for (uint32_t k = 0; k < KINDS; ++k)
        wf_base_free(dev->allocator, heap->indices[k].used,
                     words_of(&heap->indices[k]) * sizeof(uint64_t));
    wf_base_mutex_finish(&heap->lock);
    wf_base_free(dev->allocator, heap, sizeof *heap);
    dev->heap = NULL;
}

// ---- indices; the lock is held -----------------------------------------------------------------

static bool is_used(const struct indices *indices, uint32_t index)
{
    return indices->used[index / 64] >> index % 64 & 1;
}

/// First of `count` free indices in a row, or UINT32_MAX. Full words are skipped whole.
static uint32_t find_free(struct indices *indices, uint32_t count)
{
    uint32_t start = indices->hint;
    uint32_t length = 0;
    for (uint32_t i = indices->hint; i < indices->capacity; ++i) {
        if (i % 64 == 0 && indices->used[i / 64] == UINT64_MAX) {
            i += 63;
            length = 0;
            continue;
        }
        if (is_used(indices, i)) {
            length = 0;
            continue;
        }
        if (length++ == 0)
            start = i;
        if (length == count)
            return start;
    }
    return UINT32_MAX;
}

static uint32_t indices_take(struct indices *indices, uint32_t count)
{
    const uint32_t first = find_free(indices, count);
    if (first == UINT32_MAX)
        return first;
    for (uint32_t i = first; i < first + count; ++i)
        indices->used[i / 64] |= UINT64_C(1) << i % 64;
    if (first == indices->hint)
        indices->hint = first + count;
    return first;
}

static void indices_give(struct indices *indices, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; ++i)
        indices->used[i / 64] &= ~(UINT64_C(1) << i % 64);
    indices->hint = wf_base_min_u32(indices->hint, first);
}

/// Writes an entry: a hal view, sampler or acceleration structure, by its kind. NULL empties it.
static void put(struct weft_device *dev, weft_heap_kind kind, uint32_t index, void *entry)
{
    if (kind == WEFT_HEAP_ACCELERATION)
        dev->ops->heap_write_acceleration(dev->hal, index, entry);
    else if (kind == WEFT_HEAP_SAMPLER)
        dev->ops->heap_write(dev->hal, kind, index, NULL, entry);
    else
        dev->ops->heap_write(dev->hal, kind, index, entry, NULL);
}

static void forget_index(struct weft_device *dev, weft_heap_kind kind, uint32_t index)
{
    if (index == UINT32_MAX)
        return;
    put(dev, kind, index, NULL);
    indices_give(&dev->heap->indices[kind], index, 1);
}

static void forget_in_ranges(struct weft_device *dev, const void *entry)
{
    for (struct wf_core_range *range = dev->heap->ranges; range; range = range->next) {
        for (uint32_t i = 0; i < range->count; ++i) {
            if (range->entries[i] != entry)
                continue;
            range->entries[i] = NULL;
            dev->ops->heap_write(dev->hal, range->kind, range->first + i, NULL, NULL);
        }
    }
}

void wf_core_heap_forget_view(struct weft_device *dev, struct wf_hal_texture_view *view,
                              const uint32_t index[2], bool in_range)
{
    if (!dev->heap || (index[0] == UINT32_MAX && index[1] == UINT32_MAX && !in_range))
        return;
    wf_base_mutex_lock(&dev->heap->lock);
    forget_index(dev, WEFT_HEAP_SAMPLED, index[0]);
    forget_index(dev, WEFT_HEAP_STORAGE, index[1]);
    if (in_range)
        forget_in_ranges(dev, view);
    wf_base_mutex_unlock(&dev->heap->lock);
}

void wf_core_heap_forget_sampler(struct weft_device *dev, struct wf_hal_sampler *sampler,
                                 uint32_t index, bool in_range)
{
    if (!dev->heap || (index == UINT32_MAX && !in_range))
        return;
    wf_base_mutex_lock(&dev->heap->lock);
    forget_index(dev, WEFT_HEAP_SAMPLER, index);
    if (in_range)
        forget_in_ranges(dev, sampler);
    wf_base_mutex_unlock(&dev->heap->lock);
}

void wf_core_heap_forget_acceleration(struct weft_device *dev, uint32_t index)
{
    if (!dev->heap || index == UINT32_MAX)
        return;
    wf_base_mutex_lock(&dev->heap->lock);
    forget_index(dev, WEFT_HEAP_ACCELERATION, index);
    wf_base_mutex_unlock(&dev->heap->lock);
}

// ---- views, samplers and acceleration structures -----------------------------------------------

/// Takes an index and writes the entry, unless `*index` is one already.
static uint32_t assign(const struct wf_core_subject *on, weft_heap_kind kind, uint32_t *index,
                       void *entry)
{
    struct weft_device *dev = on->dev;
    weft_result result = WEFT_OK;
    wf_base_mutex_lock(&dev->heap->lock);
    if (*index == UINT32_MAX) {
        result = dev->ops->heap_open(dev->hal);
        if (result == WEFT_OK)
            *index = indices_take(&dev->heap->indices[kind], 1);
        if (*index != UINT32_MAX)
            put(dev, kind, *index, entry);
    }
    const uint32_t got = *index;
    wf_base_mutex_unlock(&dev->heap->lock);
    if (result != WEFT_OK)
        wf_core_failed(on, result, "make the heap");
    else if (got == UINT32_MAX)
        wf_core_broken(on, WEFT_RULE_HEAP_FULL, "All %u indices are taken.",
                       dev->heap->indices[kind].capacity);
    return got;
}

/// Whether a view may stand in the heap as that kind.
static bool check_view_kind(const struct wf_core_subject *on,
                            const struct wf_core_texture_view *view, weft_heap_kind kind)
{
    if (kind != WEFT_HEAP_SAMPLED && kind != WEFT_HEAP_STORAGE)
        return wf_core_broken(on, WEFT_RULE_HEAP_KIND,
                              "A texture view was given for the heap kind %d.", (int)kind);
    const weft_texture_usage need =
        kind == WEFT_HEAP_SAMPLED ? WEFT_TEXTURE_USAGE_SAMPLED : WEFT_TEXTURE_USAGE_STORAGE;
    const weft_texture_usage has = view->hal->texture->desc.usage;
    if (on->dev->validate && !(has & need))
        return wf_core_broken(on, WEFT_RULE_HEAP_VIEW_USAGE,
                              "The texture was created with usage 0x%x.", has);
    return true;
}

uint32_t weft_texture_view_index(weft_device *device, weft_texture_view view, weft_heap_kind kind)
{
    struct wf_core_texture_view *hot = wf_core_view_use(device, NULL, view);
    const struct wf_core_subject on = wf_core_about(device, wf_core_texture_view_object(view));
    if (!hot || !wf_core_need(&on, WEFT_FEATURE_HEAP, "A heap index") ||
        !check_view_kind(&on, hot, kind))
        return UINT32_MAX;
    return assign(&on, kind, &hot->heap_index[kind], hot->hal);
}

uint32_t weft_sampler_index(weft_device *device, weft_sampler sampler)
{
    struct wf_core_sampler *hot = wf_core_sampler_get(device, sampler);
    const struct wf_core_subject on = wf_core_about(device, wf_core_sampler_object(sampler));
    if (!hot || !wf_core_need(&on, WEFT_FEATURE_HEAP, "A heap index"))
        return UINT32_MAX;
    return assign(&on, WEFT_HEAP_SAMPLER, &hot->heap_index, hot->hal);
}

uint32_t weft_acceleration_structure_index(weft_device *device,
                                           weft_acceleration_structure structure)
{
    struct wf_core_acceleration_structure *hot =
        wf_core_acceleration_structure_get(device, structure);
    const struct wf_core_subject on =
        wf_core_about(device, wf_core_acceleration_structure_object(structure));
    if (!hot || !wf_core_need(&on, WEFT_FEATURE_HEAP, "A heap index") ||
        !wf_core_check_acceleration_level(&on, hot->hal))
        return UINT32_MAX;
    return assign(&on, WEFT_HEAP_ACCELERATION, &hot->heap_index, hot->hal);
}

// ---- ranges ------------------------------------------------------------------------------------

static size_t range_bytes(uint32_t count)
{
    return sizeof(struct wf_core_range) + (size_t)count * sizeof(void *);
}

/// Takes indices for a range and links it. WEFT_ERROR_USAGE when the heap is full.
static weft_result range_link(struct weft_device *dev, struct wf_core_range *range)
{
    struct wf_core_heap *heap = dev->heap;
    wf_base_mutex_lock(&heap->lock);
    weft_result result = dev->ops->heap_open(dev->hal);
    if (result == WEFT_OK) {
        range->first = indices_take(&heap->indices[range->kind], range->count);
        if (range->first == UINT32_MAX)
            result = WEFT_ERROR_USAGE;
    }
    if (result == WEFT_OK) {
        range->next = heap->ranges;
        if (range->next)
            range->next->prev = range;
        heap->ranges = range;
    }
    wf_base_mutex_unlock(&heap->lock);
    return result;
}

static bool check_range(struct weft_device *dev, weft_heap_kind kind, uint32_t count)
{
    const struct wf_core_subject on = wf_core_about_new(dev, WEFT_OBJECT_HEAP_RANGE, "");
    if (!wf_core_need(&on, WEFT_FEATURE_HEAP, "A heap range"))
        return false;
    if ((unsigned)kind >= KINDS)
        return wf_core_broken(&on, WEFT_RULE_ENUM_UNKNOWN, "%u is no kind of heap.",
                              (unsigned)kind);
    if (kind == WEFT_HEAP_ACCELERATION)
        return wf_core_broken(&on, WEFT_RULE_HEAP_KIND,
                              "A range of acceleration structures was asked for.");
    if (count == 0)
        return wf_core_broken(&on, WEFT_RULE_HEAP_RANGE_COUNT,
                              "A range of 0 indices was asked for.");
    if (count > dev->heap->indices[kind].capacity)
        return wf_core_broken(&on, WEFT_RULE_HEAP_FULL,
                              "A range of %u was asked for; the heap has %u.", count,
                              dev->heap->indices[kind].capacity);
    return true;
}

weft_result weft_heap_range_create(weft_device *device, weft_heap_kind kind, uint32_t count,
                                   weft_heap_range *out)
{
    const weft_result entered = wf_core_enter_result(device, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    if (!check_range(device, kind, count))
        return WEFT_ERROR_USAGE;
    struct wf_core_heap_range *hot = wf_core_heap_range_take(device, NULL, out);
    if (!hot)
        return WEFT_ERROR_MEMORY;
    const struct wf_core_subject on = wf_core_about_new(device, WEFT_OBJECT_HEAP_RANGE, "");
    struct wf_core_range *range = wf_base_alloc_zero(device->allocator, range_bytes(count));
    if (!range) {
        wf_core_heap_range_give(device, out);
        return wf_core_failed(&on, WEFT_ERROR_MEMORY, NULL);
    }
    range->kind = kind;
    range->count = count;
    hot->range = range;
    const weft_result result = range_link(device, range);
    if (result == WEFT_OK)
        return WEFT_OK;
    wf_base_free(device->allocator, range, range_bytes(count));
    wf_core_heap_range_give(device, out);
    if (result != WEFT_ERROR_USAGE)
        return wf_core_failed(&on, result, "make the heap");
    wf_core_broken(&on, WEFT_RULE_HEAP_FULL, "No %u indices in a row are free.", count);
    return WEFT_ERROR_USAGE;
}

static void release(struct weft_device *dev, void *object, uint64_t extra)
{
    (void)extra;
    struct wf_core_range *range = object;
    struct wf_core_heap *heap = dev->heap;
    wf_base_mutex_lock(&heap->lock);
    for (uint32_t i = 0; i < range->count; ++i) {
        if (range->entries[i])
            dev->ops->heap_write(dev->hal, range->kind, range->first + i, NULL, NULL);
    }
    indices_give(&heap->indices[range->kind], range->first, range->count);
    if (range->prev)
        range->prev->next = range->next;
    else
        heap->ranges = range->next;
    if (range->next)
        range->next->prev = range->prev;
    wf_base_mutex_unlock(&heap->lock);
    wf_base_free(dev->allocator, range, range_bytes(range->count));
}

void wf_core_heap_range_discard(struct weft_device *dev, void *object)
{
    struct wf_core_heap_range *range = object;
    wf_core_retire(dev, release, range->range, 0, 0);
}

void weft_heap_range_destroy(weft_device *device, weft_heap_range range)
{
    wf_core_heap_range_destroy(device, range);
}

uint32_t weft_heap_range_first(weft_device *device, weft_heap_range range)
{
    const struct wf_core_heap_range *hot = wf_core_heap_range_get(device, range);
    return hot ? hot->range->first : UINT32_MAX;
}

bool wf_core_heap_enter(const struct wf_core_heap_place *place, weft_texture_view view,
                        weft_sampler sampler, struct wf_core_heap_entry *out)
{
    struct weft_device *dev = place->dev;
    struct wf_core_subject on = {
        .dev = dev, .object = wf_core_heap_range_object(place->range), .origin = place->origin};
    const struct wf_core_heap_range *hot =
        wf_core_heap_range_get_at(dev, place->origin, place->range);
    if (!hot)
        return false;
    struct wf_core_range *into = hot->range;
    if (place->element >= into->count) {
        wf_core_broken(&on, WEFT_RULE_HEAP_ELEMENT, "Entry %u of a range of %u was to be written.",
                       place->element, into->count);
        return false;
    }
    struct wf_core_texture_view *v = NULL;
    struct wf_core_sampler *s = NULL;
    if (into->kind == WEFT_HEAP_SAMPLER)
        s = wf_core_sampler_get_at(dev, place->origin, sampler);
    else
        v = wf_core_view_use(dev, place->origin, view);
    on.object = wf_core_texture_view_object(view);
    if ((!v && !s) || (v && !check_view_kind(&on, v, into->kind)))
        return false;
    *out = (struct wf_core_heap_entry){
        .kind = into->kind,
        .index = into->first + place->element,
        .view = v ? v->hal : NULL,
        .sampler = s ? s->hal : NULL,
        .range = into,
    };
    wf_base_mutex_lock(&dev->heap->lock);
    if (v)
        v->in_range = true;
    else
        s->in_range = true;
    wf_base_mutex_unlock(&dev->heap->lock);
    return true;
}

void wf_core_heap_commit(struct weft_device *dev, const struct wf_core_heap_entry *entry)
{
    struct wf_core_range *into = entry->range;
    wf_base_mutex_lock(&dev->heap->lock);
    into->entries[entry->index - into->first] =
        entry->view ? (const void *)entry->view : entry->sampler;
    wf_base_mutex_unlock(&dev->heap->lock);
}

weft_result weft_heap_range_write(weft_device *device, weft_heap_range range, uint32_t element,
                                  weft_texture_view view, weft_sampler sampler)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    struct wf_core_heap_entry entry;
    const struct wf_core_heap_place place = {device, NULL, range, element};
    if (!wf_core_heap_enter(&place, view, sampler, &entry))
        return WEFT_ERROR_USAGE;
    wf_core_heap_commit(device, &entry);
    wf_base_mutex_lock(&device->heap->lock);
    device->ops->heap_write(device->hal, entry.kind, entry.index, entry.view, entry.sampler);
    wf_base_mutex_unlock(&device->heap->lock);
    return WEFT_OK;
}
