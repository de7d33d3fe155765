// Argument tables and their versions. See argument.h.
#include "core/check_argument.h"
#include "core/record.h"

// ---- contents ----------------------------------------------------------------------------------

static const struct wf_hal_argument *argument_at(const struct wf_core_shape *shape,
                                                 uint32_t binding)
{
    uint32_t low = 0, high = shape->argument_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (shape->arguments[middle].binding < binding)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == shape->argument_count || shape->arguments[low].binding != binding)
        return NULL;
    return &shape->arguments[low];
}

static bool resolve_buffer(const struct wf_core_subject *on, const weft_argument_write *given,
                           struct wf_hal_write *out)
{
    const struct wf_core_buffer *buf = wf_core_buffer_get(on->dev, given->buffer);
    if (!buf)
        return false;
    if (!wf_base_range_fits(given->offset, given->size, buf->size) || given->offset == buf->size)
        return wf_core_broken(on, WEFT_RULE_ARGUMENT_RANGE,
                              "Binding %u was given %llu bytes at %llu of a buffer of %llu.",
                              given->binding, (unsigned long long)given->size,
                              (unsigned long long)given->offset, (unsigned long long)buf->size);
    out->buffer = buf->hal;
    out->offset = given->offset;
    out->size = given->size > 0 ? given->size : buf->size - given->offset;
    return true;
}

/// Reports that a binding was given none of what it takes, perhaps but another kind. False if so.
static bool check_kind(const struct wf_core_subject *on, const struct wf_hal_argument *argument,
                       const weft_argument_write *given)
{
    const weft_argument_type type = argument->type;
    const char *lacks = NULL;
    if (wf_core_argument_is_buffer(type) && weft_buffer_is_none(given->buffer))
        lacks = "buffer";
    else if (wf_core_argument_is_texture(type) && weft_texture_view_is_none(given->view))
        lacks = "texture view";
    else if (wf_core_argument_has_sampler(type) && !argument->fixed &&
             weft_sampler_is_none(given->sampler))
        lacks = "sampler";
    else if (type == WEFT_ARGUMENT_ACCELERATION_STRUCTURE &&
             weft_acceleration_structure_is_none(given->acceleration))
        lacks = "acceleration structure";
    if (!lacks)
        return true;
    const char *has = !weft_buffer_is_none(given->buffer)       ? "a buffer"
                      : !weft_texture_view_is_none(given->view) ? "a texture view"
                      : !weft_sampler_is_none(given->sampler)   ? "a sampler"
                      : !weft_acceleration_structure_is_none(given->acceleration)
                          ? "an acceleration structure"
                          : "nothing";
    return wf_core_broken(on, WEFT_RULE_HANDLE_NONE,
                          "Binding %u, element %u, of table \"%s\" is a %s: it takes a %s, and was "
                          "given %s.",
                          given->binding, given->element,
                          on->label ? on->label : wf_core_label(on->dev, on->object),
                          wf_core_argument_name(type), lacks, has);
}

/// The hal's form of one write. False after reporting.
static bool resolve(const struct wf_core_subject *on, const struct wf_core_shape *shape,
                    const weft_argument_write *given, struct wf_hal_write *out)
{
    const struct wf_hal_argument *argument = argument_at(shape, given->binding);
    if (!argument || given->element >= argument->count)
        return wf_core_broken(on, WEFT_RULE_ARGUMENT_BINDING,
                              "The layout has no binding %u with an element %u.", given->binding,
                              given->element);
    *out = (struct wf_hal_write){
        .argument = (uint32_t)(argument - shape->arguments),
        .element = given->element,
    };
    if (!check_kind(on, argument, given))
        return false;
    bool ok = true;
    if (wf_core_argument_is_buffer(argument->type))
        ok = resolve_buffer(on, given, out);
    if (wf_core_argument_is_texture(argument->type)) {
        const struct wf_core_texture_view *view = wf_core_view_use(on->dev, NULL, given->view);
        out->view = view ? view->hal : NULL;
        ok = view != NULL;
    }
    if (wf_core_argument_has_sampler(argument->type) && !argument->fixed) {
        const struct wf_core_sampler *sampler = wf_core_sampler_get(on->dev, given->sampler);
        out->sampler = sampler ? sampler->hal : NULL;
        ok = ok && sampler;
    }
    if (argument->type == WEFT_ARGUMENT_ACCELERATION_STRUCTURE) {
        const struct wf_core_acceleration_structure *structure =
            wf_core_acceleration_structure_get(on->dev, given->acceleration);
        out->acceleration = structure ? structure->hal : NULL;
        ok = structure != NULL;
    }
    if (!ok || !on->dev->validate)
        return ok;
    return wf_core_check_table_write(on, argument, given, out);
}

static void store(struct weft_device *dev, struct wf_core_table *table,
                  const weft_argument_write *given, const struct wf_hal_write *write)
{
    const struct wf_hal_argument *argument = &table->shape->arguments[write->argument];
    const uint32_t index = argument->first_element + write->element;
    table->writes[index] = *write;
    const struct wf_core_buffer *buf =
        write->buffer ? wf_core_buffer_find(dev, given->buffer) : NULL;
    table->elements[index] = (struct wf_core_element){
        .backing = buf ? buf->backing : 0,
        .buffer = write->buffer ? given->buffer : (weft_buffer){0},
        .view = write->view ? given->view : (weft_texture_view){0},
        .sampler = write->sampler ? given->sampler : (weft_sampler){0},
        .acceleration =
            write->acceleration ? given->acceleration : (weft_acceleration_structure){0},
        .stamp = table->stamp,
    };
}

/// Writes that break no rule take effect even if others do.
static bool write_all(const struct wf_core_subject *on, struct wf_core_table *table,
                      const weft_argument_write *writes, uint32_t count)
{
    if (!wf_core_check_array(on, writes, count, "writes"))
        return false;
    bool ok = true;
    wf_base_mutex_lock(&table->lock);
    ++table->stamp;
    for (uint32_t i = 0; i < count; ++i) {
        struct wf_hal_write write = {0};
        if (resolve(on, table->shape, &writes[i], &write))
            store(on->dev, table, &writes[i], &write);
        else
            ok = false;
    }
    if (count > 0)
        atomic_store_explicit(&table->dirty, true, memory_order_release);
    wf_base_mutex_unlock(&table->lock);
    return ok;
}

// ---- life --------------------------------------------------------------------------------------

static void table_free(struct weft_device *dev, struct wf_core_table *table)
{
    const size_t count = table->shape->element_count;
    wf_base_free(dev->allocator, table->elements, count * sizeof *table->elements);
    wf_base_free(dev->allocator, table->writes, count * sizeof *table->writes);
    wf_base_mutex_finish(&table->lock);
    wf_core_shape_drop(dev, table->shape);
    wf_base_free(dev->allocator, table, sizeof *table);
}

static struct wf_core_table *table_new(struct weft_device *dev, struct wf_core_shape *shape)
{
    struct wf_core_table *table = wf_base_alloc_zero(dev->allocator, sizeof *table);
    if (!table)
        return NULL;
    if (!wf_base_mutex_init(&table->lock)) {
        wf_base_free(dev->allocator, table, sizeof *table);
        return NULL;
    }
    wf_core_shape_keep(dev, shape);
    table->shape = shape;
    const size_t count = shape->element_count;
    if (count == 0)
        return table;
    table->elements = wf_base_alloc_array(dev->allocator, count, sizeof *table->elements);
    table->writes = wf_base_alloc_array(dev->allocator, count, sizeof *table->writes);
    if (table->elements && table->writes)
        return table;
    table_free(dev, table);
    return NULL;
}

static size_t version_size(const struct wf_core_shape *shape)
{
    return sizeof(struct wf_core_table_version) +
           shape->element_count * sizeof(struct wf_core_bound_extent);
}

static void version_free(struct weft_device *dev, struct wf_core_table_version *version)
{
    dev->ops->table_destroy(dev->hal, version->hal);
    wf_base_free(dev->allocator, version, version_size(version->table->shape));
}

static struct wf_core_table_version *version_new(struct weft_device *dev,
                                                 struct wf_core_table *table, weft_result *result)
{
    *result = WEFT_ERROR_MEMORY;
    struct wf_core_table_version *version =
        wf_base_alloc_zero(dev->allocator, version_size(table->shape));
    if (!version)
        return NULL;
    *result = dev->ops->table_create(dev->hal, table->shape->hal, &version->hal);
    if (*result != WEFT_OK) {
        wf_base_free(dev->allocator, version, version_size(table->shape));
        return NULL;
    }
    version->table = table;
    ++table->versions;
    return version;
}

/// From the retirement queue: nothing reads this version any more.
static void version_back(struct weft_device *dev, void *object, uint64_t extra)
{
    (void)extra;
    struct wf_core_table_version *version = object;
    struct wf_core_table *table = version->table;
    wf_base_mutex_lock(&table->lock);
    const bool dead = table->dead;
    if (!dead) {
        version->next = table->free;
        table->free = version;
    }
    const bool last = dead && --table->versions == 0;
    wf_base_mutex_unlock(&table->lock);
    if (dead)
        version_free(dev, version);
    if (last)
        table_free(dev, table);
}

void wf_core_argument_table_discard(struct weft_device *dev, void *object)
{
    struct wf_core_argument_table *hot = object;
    struct wf_core_table *table = hot->table;
    wf_base_mutex_lock(&table->lock);
    table->dead = true;
    struct wf_core_table_version *free = table->free;
    struct wf_core_table_version *current = atomic_load(&table->current);
    table->free = NULL;
    for (struct wf_core_table_version *v = free; v; v = v->next)
        --table->versions;
    const bool last = table->versions == 0;
    wf_base_mutex_unlock(&table->lock);
    for (struct wf_core_table_version *next; free; free = next) {
        next = free->next;
        version_free(dev, free);
    }
    wf_core_retire_unreserve(dev); // each version has a place of its own
    if (last)
        table_free(dev, table);
    else if (current)
        wf_core_retire(dev, version_back, current, 0, 0);
}

weft_result weft_argument_table_create(weft_device *device, const weft_argument_table_desc *desc,
                                       weft_argument_table *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    const struct wf_core_argument_layout *layout =
        wf_core_argument_layout_get(device, desc->layout);
    if (!layout)
        return WEFT_ERROR_USAGE;
    struct wf_core_argument_table *hot = wf_core_argument_table_take(device, desc->label, out);
    if (!hot)
        return WEFT_ERROR_MEMORY;
    const struct wf_core_subject on =
        wf_core_about_new(device, WEFT_OBJECT_ARGUMENT_TABLE, desc->label ? desc->label : "");
    weft_result result = WEFT_OK;
    hot->table = table_new(device, layout->shape);
    if (!hot->table)
        result = wf_core_failed(&on, WEFT_ERROR_MEMORY, NULL);
    else if (!write_all(&on, hot->table, desc->writes, desc->write_count)) {
        table_free(device, hot->table);
        result = WEFT_ERROR_USAGE;
    }
    if (result != WEFT_OK)
        wf_core_argument_table_give(device, out);
    return result;
}

void weft_argument_table_destroy(weft_device *device, weft_argument_table table)
{
    wf_core_argument_table_destroy(device, table);
}

static weft_argument public_argument(const struct wf_hal_argument *a)
{
    return (weft_argument){
        .binding = a->binding,
        .count = a->count,
        .type = a->type,
        .stages = a->stages,
        .flags = a->flags,
        .view = a->view,
        .multisampled = a->multisampled,
        .sampled = a->sampled,
        .storage = a->storage,
    };
}

bool weft_argument_table_get(weft_device *device, weft_argument_table table, uint32_t index,
                             weft_argument *argument, weft_argument_write *out)
{
    if (!wf_core_given(device, out, WF_CORE_RESULT))
        return false;
    *out = (weft_argument_write){0};
    if (argument)
        *argument = (weft_argument){0};
    const struct wf_core_argument_table *hot = wf_core_argument_table_find(device, table);
    if (!hot || index >= hot->table->shape->element_count)
        return false;
    const struct wf_core_shape *shape = hot->table->shape;
    uint32_t a = 0;
    while (index >= shape->arguments[a].first_element + shape->arguments[a].count)
        ++a;
    if (argument)
        *argument = public_argument(&shape->arguments[a]);
    wf_base_mutex_lock(&hot->table->lock);
    const struct wf_core_element element = hot->table->elements[index];
    const struct wf_hal_write write = hot->table->writes[index];
    wf_base_mutex_unlock(&hot->table->lock);
    *out = (weft_argument_write){
        .binding = shape->arguments[a].binding,
        .element = index - shape->arguments[a].first_element,
        .buffer = element.buffer,
        .offset = element.stamp ? write.offset : 0,
        .size = element.stamp ? write.size : 0,
        .view = element.view,
        .sampler = element.sampler,
        .acceleration = element.acceleration,
    };
    return true;
}

weft_result weft_argument_table_write(weft_device *device, weft_argument_table handle,
                                      const weft_argument_write *writes, uint32_t count)
{
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    const struct wf_core_argument_table *hot = wf_core_argument_table_get(device, handle);
    if (!hot)
        return WEFT_ERROR_USAGE;
    const struct wf_core_subject on = wf_core_about(device, wf_core_argument_table_object(handle));
    const bool ok = write_all(&on, hot->table, writes, count);
    return ok ? WEFT_OK : WEFT_ERROR_USAGE;
}

// ---- snapshots ---------------------------------------------------------------------------------

/// Whether what an element holds still lives. A buffer that was rebound is followed to its new
/// memory. The table's lock is held.
static bool element_lives(struct weft_device *dev, struct wf_core_table *table, uint32_t index)
{
    struct wf_core_element *element = &table->elements[index];
    struct wf_hal_write *write = &table->writes[index];
    if (write->buffer) {
        const struct wf_core_buffer *buf = wf_core_buffer_find(dev, element->buffer);
        if (!buf || !wf_base_range_fits(write->offset, write->size, buf->size))
            return false;
        if (buf->backing != element->backing) {
            write->buffer = buf->hal;
            element->backing = buf->backing;
            element->stamp = ++table->stamp;
            atomic_store_explicit(&table->dirty, true, memory_order_release);
        }
    }
    if (write->view) {
        const struct wf_core_texture_view *view = wf_core_texture_view_find(dev, element->view);
        if (!view || view->hal != write->view)
            return false;
    }
    if (write->acceleration && !wf_core_acceleration_structure_find(dev, element->acceleration))
        return false;
    return !write->sampler || wf_core_sampler_find(dev, element->sampler);
}

static void report_dead(struct weft_command_buffer *cmd, weft_argument_table handle,
                        const struct wf_core_table *table, uint32_t index)
{
    const struct wf_hal_write *write = &table->writes[index];
    const uint32_t binding = table->shape->arguments[write->argument].binding;
    wf_core_command_broken(cmd, wf_core_argument_table_object(handle), WEFT_RULE_ARGUMENT_DEAD,
                           "Binding %u, element %u of the table holds a %s that was destroyed.",
                           binding, write->element,
                           write->buffer         ? "buffer"
                           : write->acceleration ? "acceleration structure"
                                                 : "texture view or sampler");
}

/// Whether all that the table holds still lives; at every level, for its pointers would dangle.
static bool recheck(struct weft_command_buffer *cmd, weft_argument_table handle,
                    struct wf_core_table *table, uint64_t deaths)
{
    bool ok = true;
    wf_base_mutex_lock(&table->lock);
    for (uint32_t i = 0; i < table->shape->element_count; ++i) {
        if (table->elements[i].stamp == 0 || element_lives(cmd->dev, table, i))
            continue;
        report_dead(cmd, handle, table, i);
        ok = false;
    }
    if (ok)
        atomic_store_explicit(&table->checked, deaths, memory_order_relaxed);
    wf_base_mutex_unlock(&table->lock);
    return ok;
}

/// Brings a version up to the table's contents: runs of elements that are newer than it. After a
/// failure it is as old as it was.
static weft_result version_update(struct weft_device *dev, struct wf_core_table *table,
                                  struct wf_core_table_version *version)
{
    weft_result result = WEFT_OK;
    const uint32_t count = table->shape->element_count;
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i;
        while (end < count && table->elements[end].stamp > version->stamp)
            ++end;
        if (end > i)
            result = dev->ops->table_write(dev->hal, version->hal, &table->writes[i], end - i);
        if (result != WEFT_OK)
            return result;
        for (; i < end; ++i) {
            const struct wf_hal_write *write = &table->writes[i];
            version->extents[i].bytes = write->buffer ? write->size : 1;
            version->extents[i].slack =
                write->buffer ? write->buffer->size - write->offset - write->size : 0;
        }
        ++i;
    }
    version->stamp = table->stamp;
    return result;
}

/// The lock is held. A version that nothing reads, up to date, or NULL.
static struct wf_core_table_version *version_take(struct weft_device *dev,
                                                  struct wf_core_table *table, weft_result *result)
{
    *result = WEFT_ERROR_MEMORY;
    if (!wf_core_retire_reserve(dev))
        return NULL;
    struct wf_core_table_version *version = table->free;
    if (version)
        table->free = version->next;
    else
        version = version_new(dev, table, result);
    if (version)
        *result = version_update(dev, table, version);
    if (version && *result != WEFT_OK) {
        version->next = table->free;
        table->free = version;
        version = NULL;
    }
    if (!version)
        wf_core_retire_unreserve(dev);
    return version;
}

static struct wf_core_table_version *renew(struct weft_command_buffer *cmd,
                                           weft_argument_table handle, struct wf_core_table *table)
{
    struct weft_device *dev = cmd->dev;
    weft_result result = WEFT_OK;
    wf_base_mutex_lock(&table->lock);
    struct wf_core_table_version *old = atomic_load(&table->current);
    struct wf_core_table_version *version = old;
    if (!old || atomic_load(&table->dirty)) {
        version = version_take(dev, table, &result);
        if (version) {
            atomic_store_explicit(&table->current, version, memory_order_release);
            atomic_store_explicit(&table->dirty, false, memory_order_release);
        }
    }
    wf_base_mutex_unlock(&table->lock);
    if (!version) {
        const struct wf_core_subject on =
            wf_core_about_in(cmd, wf_core_argument_table_object(handle));
        wf_core_failed(&on, result, "snapshot an argument table");
    } else if (old && old != version) {
        wf_core_retire(dev, version_back, old, 0, 0);
    }
    return version;
}

struct wf_core_table_version *wf_core_table_snapshot(struct weft_command_buffer *cmd,
                                                     weft_argument_table handle,
                                                     struct wf_core_table *table)
{
    const uint64_t deaths = atomic_load_explicit(&cmd->dev->deaths, memory_order_acquire);
    if (atomic_load_explicit(&table->checked, memory_order_relaxed) != deaths &&
        !recheck(cmd, handle, table, deaths))
        return NULL;
    // Dirty first: when it is false, `current` is at least the version that made it so.
    if (!atomic_load_explicit(&table->dirty, memory_order_acquire)) {
        struct wf_core_table_version *version =
            atomic_load_explicit(&table->current, memory_order_acquire);
        if (version)
            return version;
    }
    return renew(cmd, handle, table);
}
