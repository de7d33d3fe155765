#include "core/check.h"

#include "base/bits.h"

static weft_view_kind kind_of(const weft_texture_desc *texture, uint32_t layers)
{
    switch (texture->kind) {
    case WEFT_TEXTURE_1D:
        return layers > 1 ? WEFT_VIEW_1D_ARRAY : WEFT_VIEW_1D;
    case WEFT_TEXTURE_3D:
        return WEFT_VIEW_3D;
    case WEFT_TEXTURE_CUBE:
        if (layers == 6)
            return WEFT_VIEW_CUBE;
        if (layers % 6 == 0)
            return WEFT_VIEW_CUBE_ARRAY;
        break; // some faces
    case WEFT_TEXTURE_2D:
        break;
    }
    return layers > 1 ? WEFT_VIEW_2D_ARRAY : WEFT_VIEW_2D;
}

static uint32_t rest(uint32_t given, uint32_t start, uint32_t total)
{
    if (given != 0)
        return given;
    return start < total ? total - start : 0;
}

static weft_texture_view_desc view_desc_defaults(const weft_texture_view_desc *desc,
                                                 const weft_texture_desc *texture)
{
    weft_texture_view_desc full = *desc;
    full.mip_count = rest(full.mip_count, full.mip, texture->mips);
    if (full.layer_count == 0 && (full.kind == WEFT_VIEW_2D || full.kind == WEFT_VIEW_1D))
        full.layer_count = 1;
    if (full.layer_count == 0 && full.kind == WEFT_VIEW_CUBE)
        full.layer_count = 6;
    full.layer_count = rest(full.layer_count, full.layer, texture->layers);
    if (full.kind == WEFT_VIEW_DEFAULT)
        full.kind = kind_of(texture, full.layer_count);
    if (full.format == WEFT_FORMAT_NONE)
        full.format = texture->format;
    if (full.aspect == 0) {
        const weft_aspect_set has = weft_format_get_info(texture->format)->aspects;
        full.aspect = has & (0u - has);
    }
    return full;
}

// ---- chains; object_lock is held ---------------------------------------------------------------

static void link_view(struct weft_device *dev, weft_texture_view self, struct wf_core_texture *tex,
                      struct wf_core_texture_view *view)
{
    struct wf_core_texture_view *first = wf_core_texture_view_find(dev, tex->first_view);
    view->next = tex->first_view;
    if (first)
        first->prev = self;
    tex->first_view = self;
    struct wf_core_view_pool *pool = wf_core_view_pool_find(dev, view->pool);
    if (!pool)
        return;
    first = wf_core_texture_view_find(dev, pool->first);
    view->pool_next = pool->first;
    if (first)
        first->pool_prev = self;
    pool->first = self;
}

/// `view` may be a copy of one that has ended.
static void unlink_view(struct weft_device *dev, const struct wf_core_texture_view *view)
{
    struct wf_core_texture *tex = wf_core_texture_find(dev, view->texture);
    struct wf_core_texture_view *prev = wf_core_texture_view_find(dev, view->prev);
    struct wf_core_texture_view *next = wf_core_texture_view_find(dev, view->next);
    if (prev)
        prev->next = view->next;
    else if (tex)
        tex->first_view = view->next;
    if (next)
        next->prev = view->prev;
    struct wf_core_view_pool *pool = wf_core_view_pool_find(dev, view->pool);
    if (!pool)
        return;
    prev = wf_core_texture_view_find(dev, view->pool_prev);
    next = wf_core_texture_view_find(dev, view->pool_next);
    if (prev)
        prev->pool_next = view->pool_next;
    else
        pool->first = view->pool_next;
    if (next)
        next->pool_prev = view->pool_prev;
    --pool->count;
}

// ---- lifetime ----------------------------------------------------------------------------------

#define NO_INDEX 0x7fffffffu

static uint64_t pack(const struct wf_core_texture_view *view)
{
    const uint64_t sampled = view->heap_index[0] == UINT32_MAX ? NO_INDEX : view->heap_index[0];
    const uint64_t storage = view->heap_index[1] == UINT32_MAX ? NO_INDEX : view->heap_index[1];
    return sampled | storage << 31 | (uint64_t)view->in_range << 63;
}

static void release(struct weft_device *dev, void *object, uint64_t extra)
{
    const uint32_t packed[2] = {(uint32_t)extra & NO_INDEX, (uint32_t)(extra >> 31) & NO_INDEX};
    const uint32_t index[2] = {packed[0] == NO_INDEX ? UINT32_MAX : packed[0],
                               packed[1] == NO_INDEX ? UINT32_MAX : packed[1]};
    wf_core_heap_forget_view(dev, object, index, extra >> 63 != 0);
    dev->ops->texture_view_destroy(dev->hal, object);
}

void wf_core_texture_view_discard(struct weft_device *dev, void *object)
{
    struct wf_core_texture_view *view = object;
    unlink_view(dev, view);
    if (view->hal) // an orphan's went with its texture
        wf_core_retire(dev, release, view->hal, pack(view), 0);
}

void wf_core_views_orphan(struct weft_device *dev, weft_texture_view first)
{
    struct wf_core_texture_view *view = wf_core_texture_view_find(dev, first);
    while (view) {
        const weft_texture_view next = view->next;
        wf_core_retire(dev, release, view->hal, pack(view), 0);
        view->hal = NULL;
        view->prev = view->next = (weft_texture_view){0};
        view = wf_core_texture_view_find(dev, next);
    }
}

struct wf_core_texture_view *wf_core_view_use(struct weft_device *dev,
                                              struct wf_core_origin *origin, weft_texture_view view)
{
    struct wf_core_texture_view *hot = wf_core_texture_view_get_at(dev, origin, view);
    if (!hot || hot->hal)
        return hot;
    wf_core_broken(&(struct wf_core_subject){.dev = dev,
                                             .object = wf_core_texture_view_object(view),
                                             .origin = origin},
                   WEFT_RULE_HANDLE_STALE, "The texture behind this view was destroyed.");
    return NULL;
}

/// Counts a view in its pool. object_lock is not held.
static bool enter_pool(struct weft_device *dev, const weft_texture_view_desc *desc)
{
    if (weft_view_pool_is_none(desc->pool))
        return true;
    wf_base_mutex_lock(&dev->object_lock);
    struct wf_core_view_pool *pool = wf_core_view_pool_get(dev, desc->pool);
    const bool full = pool && pool->count == pool->capacity;
    if (pool && !full)
        ++pool->count;
    wf_base_mutex_unlock(&dev->object_lock);
    if (full)
        wf_core_broken_object(dev, wf_core_view_pool_object(desc->pool), WEFT_RULE_VIEW_POOL_FULL,
                              "All %u views of this pool are taken.", pool->capacity);
    return pool && !full;
}

static void leave_pool(struct weft_device *dev, weft_view_pool handle)
{
    wf_base_mutex_lock(&dev->object_lock);
    struct wf_core_view_pool *pool = wf_core_view_pool_find(dev, handle);
    if (pool)
        --pool->count;
    wf_base_mutex_unlock(&dev->object_lock);
}

weft_result wf_core_view_new(struct weft_device *dev, const weft_texture_view_desc *resolved,
                             weft_texture_view *out)
{
    struct wf_core_texture_view *view = wf_core_texture_view_take(dev, resolved->label, out);
    if (!view)
        return WEFT_ERROR_MEMORY;
    view->texture = resolved->texture;
    view->pool = resolved->pool;
    view->heap_index[0] = view->heap_index[1] = UINT32_MAX;
    weft_texture_view_desc bare = *resolved;
    bare.texture = (weft_texture){0};
    bare.pool = (weft_view_pool){0};
    bare.label = bare.label ? bare.label : "";
    wf_base_mutex_lock(&dev->object_lock);
    struct wf_core_texture *tex = wf_core_texture_find(dev, resolved->texture);
    weft_result result = WEFT_ERROR_USAGE;
    if (tex)
        result = dev->ops->texture_view_create(dev->hal, tex->hal, &bare, &view->hal);
    if (result == WEFT_OK)
        link_view(dev, *out, tex, view);
    wf_base_mutex_unlock(&dev->object_lock);
    if (result != WEFT_OK) {
        wf_core_texture_view_give(dev, out);
        if (!tex) { // destroyed by another thread meanwhile
            (void)wf_core_texture_get(dev, resolved->texture);
            return result;
        }
        const struct wf_core_subject on =
            wf_core_about_new(dev, WEFT_OBJECT_TEXTURE_VIEW, bare.label);
        return wf_core_failed(&on, result, NULL);
    }
    return WEFT_OK;
}

weft_result weft_texture_view_create(weft_device *device, const weft_texture_view_desc *desc,
                                     weft_texture_view *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    const struct wf_core_texture *tex = wf_core_texture_get(device, desc->texture);
    if (!tex)
        return WEFT_ERROR_USAGE;
    const weft_texture_view_desc full = view_desc_defaults(desc, &tex->hal->desc);
    if (device->validate && !wf_core_check_view_desc(device, &tex->hal->desc, &full))
        return WEFT_ERROR_USAGE;
    if (!enter_pool(device, &full))
        return WEFT_ERROR_USAGE;
    const weft_result result = wf_core_view_new(device, &full, out);
    if (result != WEFT_OK)
        leave_pool(device, full.pool);
    return result;
}

void weft_texture_view_destroy(weft_device *device, weft_texture_view view)
{
    if (!device)
        return;
    struct wf_core_texture_view *live = wf_core_texture_view_find(device, view);
    if (live && live->surface) {
        wf_core_broken_object(device, wf_core_texture_view_object(view), WEFT_RULE_OBJECT_NOT_YOURS,
                              "This view belongs to a surface.");
        return;
    }
    wf_base_mutex_lock(&device->object_lock);
    wf_core_texture_view_destroy(device, view);
    wf_base_mutex_unlock(&device->object_lock);
}

weft_texture weft_texture_view_texture(weft_device *device, weft_texture_view view)
{
    const struct wf_core_texture_view *hot = wf_core_texture_view_get(device, view);
    return hot ? hot->texture : (weft_texture){0};
}

bool weft_texture_view_get_info(weft_device *device, weft_texture_view view,
                                weft_texture_view_info *out)
{
    if (!wf_core_given(device, out, WF_CORE_RESULT))
        return false;
    *out = (weft_texture_view_info){0};
    const struct wf_core_texture_view *hot = wf_core_texture_view_find(device, view);
    if (!hot || !hot->hal)
        return false;
    const weft_texture_view_desc *desc = &hot->hal->desc;
    const weft_texture_desc *texture = &hot->hal->texture->desc;
    *out = (weft_texture_view_info){
        .texture = hot->texture,
        .kind = desc->kind,
        .format = desc->format,
        .width = wf_core_mip_side(texture->width, desc->mip),
        .height = wf_core_mip_side(texture->height, desc->mip),
        .depth = wf_core_mip_side(texture->depth, desc->mip),
        .mips = desc->mip_count,
        .layers = desc->layer_count,
        .samples = texture->samples,
    };
    return true;
}
