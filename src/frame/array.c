#include "frame/context.h"

#include "base/array.h"

#include <string.h>

void wf_frame_array_init(struct wf_frame_array *array, size_t item_size)
{
    *array = (struct wf_frame_array){.item_size = item_size};
}

bool wf_frame_reserve(struct weft_frame *frame, struct wf_frame_array *array, size_t count)
{
    size_t need;
    void *items = NULL;
    if (wf_base_add_size(array->count, count, &need) && need <= UINT32_MAX / 2)
        items = need <= array->capacity && array->items
                    ? array->items
                    : wf_base_array_grow(&frame->context->allocator, array->items, &array->capacity,
                                         need ? need : 1, array->item_size);
    if (!items) {
        wf_frame_out_of_memory(frame);
        return false;
    }
    array->items = items;
    return true;
}

void *wf_frame_append(struct weft_frame *frame, struct wf_frame_array *array, size_t count)
{
    if (!wf_frame_reserve(frame, array, count))
        return NULL;
    void *at = wf_frame_at(array, array->count);
    memset(at, 0, count * array->item_size);
    array->count += count;
    return at;
}

const char *wf_frame_keep(struct weft_frame *frame, const char *text)
{
    if (!text || !text[0])
        return "";
    const char *copy = wf_base_arena_string(&frame->arena, text);
    if (!copy)
        wf_frame_out_of_memory(frame);
    return copy ? copy : "";
}

void wf_frame_array_finish(const struct wf_base_allocator *allocator, struct wf_frame_array *array)
{
    wf_base_free(allocator, array->items, array->capacity * array->item_size);
    wf_frame_array_init(array, array->item_size);
}
