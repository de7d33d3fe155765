// The watch's life, and the objects that it knows.
#include "core/watch_state.h"

#include "base/array.h"
#include "shader/reflect.h"

#include <string.h>

// ---- resources ---------------------------------------------------------------------------------

/// The hooks get the backend's device; its `watch` is this.
static struct wf_core_watch *watch_of(const struct wf_hal_device *dev)
{
    return dev->watch;
}

static void resource_init(struct wf_core_watch *w, struct wf_watch_resource *r, const char *label,
                          const struct wf_hal_placement *place, uint64_t size)
{
    wf_core_label_set(r->label, label);
    if (!place->block || !place->block->watch)
        return;
    r->block = place->block->watch;
    r->begin = place->offset;
    r->end = place->offset + size;
    wf_base_mutex_lock(&w->lock);
    r->next = r->block->first;
    r->block->first = r;
    wf_base_mutex_unlock(&w->lock);
}

/// The lock is held.
static void resource_finish(struct wf_watch_resource *r)
{
    if (!r->block)
        return;
    struct wf_watch_resource **at = &r->block->first;
    while (*at && *at != r)
        at = &(*at)->next;
    if (*at)
        *at = r->next;
}

static weft_result block_create(struct wf_hal_device *dev, const weft_memory_block_desc *desc,
                                struct wf_hal_memory_block **out)
{
    struct wf_core_watch *w = watch_of(dev);
    const weft_result result = w->ops->memory_block_create(dev, desc, out);
    if (result == WEFT_OK)
        (*out)->watch = wf_base_alloc_zero(w->dev->allocator, sizeof(struct wf_watch_block));
    return result;
}

static void block_destroy(struct wf_hal_device *dev, struct wf_hal_memory_block *block)
{
    struct wf_core_watch *w = watch_of(dev);
    wf_base_free(w->dev->allocator, block->watch, sizeof(struct wf_watch_block));
    w->ops->memory_block_destroy(dev, block);
}

/// The first space that does not begin below `address`.
static uint32_t space_at(const struct wf_core_watch *w, uint64_t address)
{
    uint32_t low = 0, high = w->space_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (w->spaces[middle].begin < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// Without memory nothing that is done there is seen.
static void space_add(struct wf_core_watch *w, struct wf_watch_buffer *buf,
                      const struct wf_hal_buffer *hal)
{
    wf_base_mutex_lock(&w->lock);
    struct wf_watch_space *spaces =
        wf_base_array_grow(w->dev->allocator, w->spaces, &w->space_capacity,
                           (size_t)w->space_count + 1, sizeof *spaces);
    if (spaces) {
        w->spaces = spaces;
        const uint32_t at = space_at(w, hal->address);
        memmove(&spaces[at + 1], &spaces[at], (w->space_count++ - at) * sizeof *spaces);
        spaces[at] = (struct wf_watch_space){hal->address, hal->address + hal->size, buf};
    }
    wf_base_mutex_unlock(&w->lock);
}

/// The lock is held.
static void space_drop(struct wf_core_watch *w, const struct wf_watch_buffer *buf)
{
    for (uint32_t i = 0; i < w->space_count; ++i) {
        if (w->spaces[i].buffer != buf)
            continue;
        memmove(&w->spaces[i], &w->spaces[i + 1], (--w->space_count - i) * sizeof *w->spaces);
        return;
    }
}

static weft_result buffer_create(struct wf_hal_device *dev, const weft_buffer_desc *desc,
                                 const struct wf_hal_placement *place, struct wf_hal_buffer **out)
{
    struct wf_core_watch *w = watch_of(dev);
    const weft_result result = w->ops->buffer_create(dev, desc, place, out);
    if (result != WEFT_OK)
        return result;
    struct wf_watch_buffer *buf = wf_base_alloc_zero(w->dev->allocator, sizeof *buf);
    (*out)->watch = buf;
    if (!buf)
        return WEFT_OK;
    buf->written = (desc->usage & (WEFT_BUFFER_USAGE_COPY_DST | WEFT_BUFFER_USAGE_STORAGE |
                                   WEFT_BUFFER_USAGE_QUERY | WEFT_BUFFER_USAGE_TEXEL |
                                   WEFT_BUFFER_USAGE_ACCELERATION)) != 0;
    buf->written |= w->dev->hal->tells && desc->usage & WEFT_BUFFER_USAGE_ADDRESS;
    resource_init(w, &buf->base, desc->label, place, (*out)->size);
    if (w->dev->hal->tells && (*out)->address != 0)
        space_add(w, buf, *out);
    return WEFT_OK;
}

static void buffer_destroy(struct wf_hal_device *dev, struct wf_hal_buffer *buf)
{
    struct wf_core_watch *w = watch_of(dev);
    struct wf_watch_buffer *known = buf->watch;
    if (known) {
        wf_base_mutex_lock(&w->lock);
        wf_watch_settle(w);
        space_drop(w, known);
        resource_finish(&known->base);
        wf_watch_free_bytes(&w->memory, &known->segments);
        wf_base_mutex_unlock(&w->lock);
        wf_base_free(w->dev->allocator, known, sizeof *known);
    }
    w->ops->buffer_destroy(dev, buf);
}

static weft_result texture_create(struct wf_hal_device *dev, const weft_texture_desc *desc,
                                  const struct wf_hal_placement *place, struct wf_hal_texture **out)
{
    struct wf_core_watch *w = watch_of(dev);
    const weft_result result = w->ops->texture_create(dev, desc, place, out);
    if (result != WEFT_OK)
        return result;
    struct wf_watch_texture *tex = wf_base_alloc_zero(w->dev->allocator, sizeof *tex);
    (*out)->watch = tex;
    if (!tex)
        return WEFT_OK;
    tex->hal = *out;
    weft_memory_needs needs = {0};
    if (place->block)
        w->ops->texture_needs(dev, desc, &needs);
    resource_init(w, &tex->base, desc->label, place, needs.size);
    return WEFT_OK;
}

static void texture_free(struct wf_core_watch *w, struct wf_watch_texture *known)
{
    wf_base_mutex_lock(&w->lock);
    wf_watch_settle(w);
    resource_finish(&known->base);
    wf_watch_free_boxes(&w->memory, &known->boxes);
    wf_base_mutex_unlock(&w->lock);
    wf_base_free(w->dev->allocator, known, sizeof *known);
}

static void texture_destroy(struct wf_hal_device *dev, struct wf_hal_texture *tex)
{
    struct wf_core_watch *w = watch_of(dev);
    if (tex->watch)
        texture_free(w, tex->watch);
    w->ops->texture_destroy(dev, tex);
}

/// What was told of it, and waits, is judged while it is there.
static void view_destroy(struct wf_hal_device *dev, struct wf_hal_texture_view *view)
{
    struct wf_core_watch *w = watch_of(dev);
    wf_base_mutex_lock(&w->lock);
    wf_watch_settle(w);
    wf_base_mutex_unlock(&w->lock);
    w->ops->texture_view_destroy(dev, view);
}

void wf_core_watch_buffer(struct weft_device *dev, const struct wf_hal_buffer *buf,
                          weft_object object)
{
    struct wf_watch_buffer *known = dev->watch && buf ? buf->watch : NULL;
    if (known)
        known->base.object = object;
}

void wf_core_watch_texture(struct weft_device *dev, const struct wf_hal_texture *tex,
                           weft_object object)
{
    struct wf_watch_texture *known = dev->watch && tex ? tex->watch : NULL;
    if (known)
        known->base.object = object;
}

// ---- acceleration structures -------------------------------------------------------------------

static weft_result acceleration_create(struct wf_hal_device *dev,
                                       const struct wf_hal_acceleration_desc *desc,
                                       struct wf_hal_acceleration **out)
{
    struct wf_core_watch *w = watch_of(dev);
    const weft_result result = w->ops->acceleration_create(dev, desc, out);
    if (result != WEFT_OK)
        return result;
    struct wf_watch_acceleration *known = wf_base_alloc_zero(w->dev->allocator, sizeof *known);
    (*out)->watch = known;
    if (!known)
        return WEFT_OK;
    weft_acceleration_sizes sizes = {0};
    w->ops->acceleration_sizes(dev, desc, &sizes);
    known->base.written = true;
    known->scratch =
        sizes.update_scratch > sizes.build_scratch ? sizes.update_scratch : sizes.build_scratch;
    return WEFT_OK;
}

static void acceleration_destroy(struct wf_hal_device *dev, struct wf_hal_acceleration *structure)
{
    struct wf_core_watch *w = watch_of(dev);
    struct wf_watch_acceleration *known = structure->watch;
    if (known) {
        wf_base_mutex_lock(&w->lock);
        wf_watch_settle(w);
        wf_watch_free_bytes(&w->memory, &known->base.segments);
        wf_base_mutex_unlock(&w->lock);
        wf_base_free(w->dev->allocator, known, sizeof *known);
    }
    w->ops->acceleration_destroy(dev, structure);
}

void wf_core_watch_acceleration(struct weft_device *dev, const struct wf_hal_acceleration *hal,
                                weft_object object)
{
    struct wf_watch_acceleration *known = dev->watch ? hal->watch : NULL;
    if (!known)
        return;
    known->base.base.object = object;
    wf_core_label_set(known->base.base.label, wf_core_label(dev, object));
}

// ---- images of surfaces ------------------------------------------------------------------------

/// What the watch knows of a surface's image. Surface calls are serialised.
static struct wf_watch_texture *image_of(struct wf_core_watch *w, struct wf_hal_surface *surface,
                                         struct wf_hal_texture *hal)
{
    struct wf_watch_texture *image = w->images;
    while (image && (image->hal != hal || image->surface != surface))
        image = image->next;
    if (image)
        return image;
    image = wf_base_alloc_zero(w->dev->allocator, sizeof *image);
    if (!image)
        return NULL;
    image->hal = hal;
    image->surface = surface;
    image->next = w->images;
    wf_core_label_set(image->base.label, "surface");
    w->images = image;
    return image;
}

/// Whoever had the image is done with it: the acquisition says so to the GPU, too.
static weft_acquire_status surface_acquire(struct wf_hal_device *dev,
                                           struct wf_hal_surface *surface,
                                           struct wf_hal_texture **out)
{
    struct wf_core_watch *w = watch_of(dev);
    const weft_acquire_status status = w->ops->surface_acquire(dev, surface, out);
    if (status != WEFT_ACQUIRE_READY)
        return status;
    struct wf_watch_texture *image = image_of(w, surface, *out);
    (*out)->watch = image;
    if (image)
        wf_watch_acquired(w, image);
    return status;
}

/// What is read back was shown, and that comes after all that was done to it, on whatever queue.
static struct wf_hal_texture *surface_presented(struct wf_hal_device *dev,
                                                struct wf_hal_surface *surface)
{
    struct wf_core_watch *w = watch_of(dev);
    struct wf_hal_texture *texture = w->ops->surface_presented(dev, surface);
    if (texture && texture->watch)
        wf_watch_acquired(w, texture->watch);
    return texture;
}

/// `surface` NULL: of all.
static void images_drop(struct wf_core_watch *w, const struct wf_hal_surface *surface)
{
    struct wf_watch_texture **at = &w->images;
    while (*at) {
        struct wf_watch_texture *image = *at;
        if (surface && image->surface != surface) {
            at = &image->next;
            continue;
        }
        *at = image->next;
        texture_free(w, image);
    }
}

static void surface_destroy(struct wf_hal_device *dev, struct wf_hal_surface *surface)
{
    struct wf_core_watch *w = watch_of(dev);
    wf_base_mutex_lock(&w->lock);
    wf_watch_give_up(w);
    wf_base_mutex_unlock(&w->lock);
    images_drop(w, surface);
    w->ops->surface_destroy(dev, surface);
}

// ---- tables ------------------------------------------------------------------------------------

static size_t table_size(uint32_t count)
{
    return sizeof(struct wf_watch_table) + count * sizeof(struct wf_hal_write);
}

static weft_result table_create(struct wf_hal_device *dev, struct wf_hal_layout *layout,
                                struct wf_hal_table **out)
{
    struct wf_core_watch *w = watch_of(dev);
    const weft_result result = w->ops->table_create(dev, layout, out);
    if (result != WEFT_OK)
        return result;
    struct wf_watch_table *table =
        wf_base_alloc_zero(w->dev->allocator, table_size(layout->element_count));
    (*out)->watch = table;
    if (table)
        table->count = layout->element_count;
    return WEFT_OK;
}

static void table_destroy(struct wf_hal_device *dev, struct wf_hal_table *table)
{
    struct wf_core_watch *w = watch_of(dev);
    struct wf_watch_table *known = table->watch;
    if (known)
        wf_base_free(w->dev->allocator, known, table_size(known->count));
    w->ops->table_destroy(dev, table);
}

static weft_result table_write(struct wf_hal_device *dev, struct wf_hal_table *table,
                               const struct wf_hal_write *writes, uint32_t count)
{
    struct wf_watch_table *known = table->watch;
    for (uint32_t i = 0; known && i < count; ++i)
        known->writes[table->layout->arguments[writes[i].argument].first_element +
                      writes[i].element] = writes[i];
    return watch_of(dev)->ops->table_write(dev, table, writes, count);
}

// ---- pipelines ---------------------------------------------------------------------------------

/// Where the dynamic offsets of an argument begin.
static uint32_t dynamic_of(const struct wf_core_shape *shape,
                           const struct wf_hal_argument *argument)
{
    uint32_t before = 0;
    if (!(argument->flags & WEFT_ARGUMENT_DYNAMIC))
        return UINT32_MAX;
    for (const struct wf_hal_argument *a = shape->arguments; a < argument; ++a)
        before += a->flags & WEFT_ARGUMENT_DYNAMIC ? a->count : 0;
    return before;
}

static void binding_use(struct wf_core_pipeline *pipeline, const struct wf_shader_binding *b,
                        weft_shader_stages stage)
{
    const struct wf_core_shape *shape = b->set < WF_HAL_SLOTS ? pipeline->shapes[b->set] : NULL;
    const struct wf_hal_argument *argument = NULL;
    for (uint32_t i = 0; shape && i < shape->argument_count; ++i) {
        if (shape->arguments[i].binding == b->binding)
            argument = &shape->arguments[i];
    }
    if (!argument || argument->type == WEFT_ARGUMENT_SAMPLER ||
        (argument->type != WEFT_ARGUMENT_ACCELERATION_STRUCTURE && !b->read && !b->written))
        return;
    const bool texture = argument->type == WEFT_ARGUMENT_SAMPLED_TEXTURE ||
                         argument->type == WEFT_ARGUMENT_STORAGE_TEXTURE ||
                         argument->type == WEFT_ARGUMENT_COMBINED;
    uint8_t flags = stage == WEFT_SHADER_STAGE_COMPUTE ? 0 : WF_WATCH_SHADER;
    if (b->written)
        flags |= WF_WATCH_WRITE | (b->read ? WF_WATCH_READS : 0);
    if (b->atomic)
        flags |= WF_WATCH_ATOMIC;
    pipeline->uses[pipeline->use_count++] = (struct wf_core_binding_use){
        .slot = (uint8_t)b->set,
        .row = wf_watch_row_of(stage),
        .flags = flags,
        .texture = texture,
        .acceleration = argument->type == WEFT_ARGUMENT_ACCELERATION_STRUCTURE,
        .first_element = argument->first_element,
        .count = b->count < argument->count ? b->count : argument->count,
        .dynamic = dynamic_of(shape, argument),
    };
}

bool wf_core_watch_pipeline(struct weft_device *dev, struct wf_core_pipeline *pipeline,
                            const struct wf_core_stage *stages, uint32_t count)
{
    if (!dev->watch)
        return true;
    uint32_t room = 0;
    for (uint32_t i = 0; i < count; ++i)
        room += stages[i].module ? wf_core_stage_reflection(&stages[i])->binding_count : 0;
    pipeline->uses = wf_base_arena_array(&pipeline->arena, room + 1, sizeof *pipeline->uses);
    if (!pipeline->uses)
        return false;
    for (uint32_t i = 0; i < count; ++i) {
        if (!stages[i].module)
            continue;
        const struct wf_shader_reflection *r = wf_core_stage_reflection(&stages[i]);
        if (r->uses & (WF_SHADER_USE_POINTERS | WF_SHADER_USE_HEAP))
            pipeline->unseen |= 1u << wf_watch_row_of(stages[i].stage);
        for (uint32_t b = 0; b < r->binding_count; ++b)
            binding_use(pipeline, &r->bindings[b], stages[i].stage);
    }
    return true;
}

// ---- recordings --------------------------------------------------------------------------------

/// NULL without memory: what the command does is then not judged.
static struct wf_watch_recording *recording_take(struct wf_core_watch *w)
{
    wf_base_mutex_lock(&w->lock);
    struct wf_watch_recording *rec = w->free;
    if (rec)
        w->free = rec->next;
    wf_base_mutex_unlock(&w->lock);
    if (!rec)
        rec = wf_base_alloc_zero(w->dev->allocator, sizeof *rec);
    if (rec) {
        rec->watch = w;
        wf_watch_recording_reset(rec);
    }
    return rec;
}

/// The lock is held.
static void recording_give(struct wf_core_watch *w, struct wf_watch_recording *rec)
{
    rec->next = w->free;
    w->free = rec;
}

static weft_result command_begin(struct wf_hal_device *dev, struct wf_hal_command_pool *pool,
                                 struct wf_hal_command **out)
{
    struct wf_core_watch *w = watch_of(dev);
    const weft_result result = w->ops->command_begin(dev, pool, out);
    if (result != WEFT_OK)
        return result;
    struct wf_watch_recording *rec = recording_take(w);
    (*out)->watch = rec;
    if (rec)
        rec->queue = (*out)->queue;
    return WEFT_OK;
}

static void command_discard(struct wf_hal_command *cmd)
{
    struct wf_core_watch *w = watch_of(cmd->dev);
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (rec) {
        wf_base_mutex_lock(&w->lock);
        recording_give(w, rec);
        wf_base_mutex_unlock(&w->lock);
    }
    w->ops->command_discard(cmd);
}

void wf_core_watch_begin(struct weft_command_buffer *cmd)
{
    struct wf_watch_recording *rec = cmd->dev->watch ? wf_watch_of(cmd->hal) : NULL;
    if (!rec)
        return;
    rec->owner = cmd;
    wf_core_label_set(rec->title, cmd->label);
}

/// What the host records by itself is not seen, and may be barriers: nothing is judged.
static weft_result native_get(struct wf_hal_device *dev, weft_object_kind kind, void *object,
                              const struct wf_hal_native_place *place)
{
    if (kind == WEFT_OBJECT_COMMAND_BUFFER && wf_watch_of(object))
        wf_watch_of(object)->foreign = true;
    return watch_of(dev)->ops->native_get(dev, kind, object, place);
}

// ---- life --------------------------------------------------------------------------------------

static void object_hooks(struct wf_hal_device_ops *ops)
{
    ops->memory_block_create = block_create;
    ops->memory_block_destroy = block_destroy;
    ops->buffer_create = buffer_create;
    ops->buffer_destroy = buffer_destroy;
    ops->texture_create = texture_create;
    ops->texture_destroy = texture_destroy;
    ops->texture_view_destroy = view_destroy;
    ops->acceleration_create = acceleration_create;
    ops->acceleration_destroy = acceleration_destroy;
    ops->surface_acquire = surface_acquire;
    ops->surface_presented = surface_presented;
    ops->surface_destroy = surface_destroy;
    ops->table_create = table_create;
    ops->table_destroy = table_destroy;
    ops->table_write = table_write;
    ops->command_begin = command_begin;
    if (ops->native_get)
        ops->native_get = native_get;
    ops->command_discard = command_discard;
}

weft_result wf_core_watch_create(struct weft_device *dev)
{
    // Where a wait may come before its signal, the order of submission is not that of the work.
    if (!dev->full || wf_core_has(dev, WEFT_FEATURE_TIMELINE_ANY_ORDER))
        return WEFT_OK;
    struct wf_core_watch *w = wf_base_alloc_zero(dev->allocator, sizeof *w);
    if (!w)
        return WEFT_ERROR_MEMORY;
    if (!wf_base_mutex_init(&w->lock)) {
        wf_base_free(dev->allocator, w, sizeof *w);
        return WEFT_ERROR_MEMORY;
    }
    w->dev = dev;
    w->ops = dev->hal->ops;
    w->table = *w->ops;
    w->memory = (struct wf_watch_memory){.allocator = dev->allocator,
                                         .order = &w->order,
                                         .ordered = wf_watch_ordered,
                                         .hazard = wf_watch_hazard,
                                         .user = w};
    object_hooks(&w->table);
    wf_watch_record_hooks(&w->table);
    wf_watch_draw_hooks(&w->table);
    wf_watch_submit_hooks(w);
    dev->hal->watch = w;
    dev->watch = w;
    dev->ops = &w->table;
    return WEFT_OK;
}

static void recordings_free(struct wf_core_watch *w, struct wf_watch_recording *rec)
{
    const struct wf_base_allocator *a = w->dev->allocator;
    for (struct wf_watch_recording *next; rec; rec = next) {
        next = rec->next;
        wf_base_free(a, rec->touches, rec->touch_capacity * sizeof *rec->touches);
        wf_base_free(a, rec->ops, rec->capacity * sizeof *rec->ops);
        wf_base_free(a, rec, sizeof *rec);
    }
}

void wf_core_watch_destroy(struct weft_device *dev)
{
    struct wf_core_watch *w = dev->watch;
    if (!w)
        return;
    dev->ops = w->ops;
    dev->watch = NULL;
    dev->hal->touched = NULL;
    wf_watch_pending_finish(w);
    images_drop(w, NULL);
    recordings_free(w, w->free);
    recordings_free(w, w->lost);
    wf_watch_memory_finish(&w->memory);
    wf_base_free(dev->allocator, w->spaces, w->space_capacity * sizeof *w->spaces);
    wf_base_mutex_finish(&w->lock);
    wf_base_free(dev->allocator, w, sizeof *w);
}
