// Argument layouts: shapes shared by content, and the handles to them.
#include "core/check_argument.h"
#include "core/record.h"

#include "base/array.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

const char *wf_core_argument_name(weft_argument_type type)
{
    static const char *const names[] = {
        [WEFT_ARGUMENT_NONE] = "nothing",
        [WEFT_ARGUMENT_UNIFORM_BUFFER] = "uniform buffer",
        [WEFT_ARGUMENT_STORAGE_BUFFER] = "storage buffer",
        [WEFT_ARGUMENT_SAMPLED_TEXTURE] = "sampled texture",
        [WEFT_ARGUMENT_STORAGE_TEXTURE] = "storage texture",
        [WEFT_ARGUMENT_SAMPLER] = "sampler",
        [WEFT_ARGUMENT_COMBINED] = "combined texture and sampler",
        [WEFT_ARGUMENT_UNIFORM_TEXELS] = "uniform texel buffer",
        [WEFT_ARGUMENT_STORAGE_TEXELS] = "storage texel buffer",
        [WEFT_ARGUMENT_ACCELERATION_STRUCTURE] = "acceleration structure",
    };
    return (unsigned)type < sizeof names / sizeof names[0] ? names[type] : "unknown argument";
}

// ---- shapes ------------------------------------------------------------------------------------

static bool same_sampler(const struct wf_hal_sampler *a, const struct wf_hal_sampler *b)
{
    if (!a || !b)
        return a == b;
    const weft_sampler_desc *x = &a->desc, *y = &b->desc;
    return x->mag == y->mag && x->min == y->min && x->mip == y->mip && x->u == y->u &&
           x->v == y->v && x->w == y->w && x->border == y->border && x->compare == y->compare &&
           x->lod_bias == y->lod_bias && x->lod_min == y->lod_min && x->lod_max == y->lod_max &&
           x->anisotropy == y->anisotropy && x->only_base_mip == y->only_base_mip;
}

static bool same_argument(const struct wf_hal_argument *a, const struct wf_hal_argument *b)
{
    return a->binding == b->binding && a->count == b->count && a->type == b->type &&
           a->stages == b->stages && a->flags == b->flags && a->view == b->view &&
           a->multisampled == b->multisampled && a->sampled == b->sampled &&
           a->storage == b->storage && same_sampler(a->fixed, b->fixed);
}

static uint64_t hash_arguments(const struct wf_hal_argument *arguments, uint32_t count)
{
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; ++i) {
        const struct wf_hal_argument *a = &arguments[i];
        hash = wf_base_hash_combine(hash, (uint64_t)a->binding << 32 | a->count);
        hash = wf_base_hash_combine(hash, (uint64_t)a->type << 32 | a->stages);
        hash = wf_base_hash_combine(hash, (uint64_t)a->view << 32 | a->flags);
        hash = wf_base_hash_combine(hash, (uint64_t)a->storage << 32 | a->sampled);
        hash = wf_base_hash_combine(hash, (uint64_t)a->multisampled << 1 | (a->fixed != NULL));
    }
    return hash;
}

/// layout_lock is held.
static struct wf_core_shape *shape_find(const struct wf_core_recorders *r, uint64_t hash,
                                        const struct wf_hal_argument *arguments, uint32_t count)
{
    for (size_t i = 0; i < r->shape_count; ++i) {
        struct wf_core_shape *shape = r->shapes[i];
        if (shape->hash != hash || shape->argument_count != count)
            continue;
        uint32_t same = 0;
        while (same < count && same_argument(&shape->arguments[same], &arguments[same]))
            ++same;
        if (same == count)
            return shape;
    }
    return NULL;
}

static void shape_free(struct weft_device *dev, struct wf_core_shape *shape)
{
    if (shape->hal)
        dev->ops->layout_destroy(dev->hal, shape->hal);
    for (uint32_t i = 0; shape->arguments && i < shape->argument_count; ++i) {
        if (shape->arguments[i].fixed)
            dev->ops->sampler_destroy(dev->hal, shape->arguments[i].fixed);
    }
    wf_base_free(dev->allocator, shape->arguments,
                 shape->argument_count * sizeof *shape->arguments);
    wf_base_free(dev->allocator, shape, sizeof *shape);
}

/// Fixed samplers are made anew, so that the host may destroy his own.
static weft_result shape_fill(struct weft_device *dev, struct wf_core_shape *shape,
                              const struct wf_hal_argument *arguments)
{
    for (uint32_t i = 0; i < shape->argument_count; ++i) {
        struct wf_hal_argument *a = &shape->arguments[i];
        *a = arguments[i];
        a->fixed = NULL;
        a->first_element = shape->element_count;
        shape->element_count += a->count;
        if (a->flags & WEFT_ARGUMENT_DYNAMIC)
            shape->dynamic_count += a->count;
        if (!arguments[i].fixed)
            continue;
        const weft_result result =
            dev->ops->sampler_create(dev->hal, &arguments[i].fixed->desc, &a->fixed);
        if (result != WEFT_OK)
            return result;
    }
    return dev->ops->layout_create(dev->hal, shape->arguments, shape->argument_count, &shape->hal);
}

static struct wf_core_shape *shape_new(struct weft_device *dev,
                                       const struct wf_hal_argument *arguments, uint32_t count,
                                       weft_result *result)
{
    *result = WEFT_ERROR_MEMORY;
    struct wf_core_shape *shape = wf_base_alloc_zero(dev->allocator, sizeof *shape);
    if (!shape)
        return NULL;
    shape->argument_count = count;
    shape->arguments = wf_base_alloc_array(dev->allocator, count, sizeof *shape->arguments);
    if (shape->arguments)
        *result = shape_fill(dev, shape, arguments);
    if (*result == WEFT_OK)
        return shape;
    shape_free(dev, shape);
    return NULL;
}

/// layout_lock is held.
static struct wf_core_shape *shape_add(struct weft_device *dev, uint64_t hash,
                                       const struct wf_hal_argument *arguments, uint32_t count,
                                       weft_result *result)
{
    struct wf_core_recorders *r = dev->recorders;
    *result = WEFT_ERROR_MEMORY;
    struct wf_core_shape **shapes =
        wf_base_array_grow(dev->allocator, r->shapes, &r->shape_capacity, r->shape_count + 1,
                           sizeof(struct wf_core_shape *));
    if (!shapes)
        return NULL;
    r->shapes = shapes;
    struct wf_core_shape *shape = shape_new(dev, arguments, count, result);
    if (!shape)
        return NULL;
    shape->hash = hash;
    shapes[r->shape_count++] = shape;
    return shape;
}

struct wf_core_shape *wf_core_shape_get(struct weft_device *dev,
                                        const struct wf_hal_argument *arguments, uint32_t count,
                                        const char *label)
{
    struct wf_core_recorders *r = dev->recorders;
    const uint64_t hash = hash_arguments(arguments, count);
    weft_result result = WEFT_OK;
    wf_base_mutex_lock(&r->layout_lock);
    struct wf_core_shape *shape = shape_find(r, hash, arguments, count);
    if (!shape)
        shape = shape_add(dev, hash, arguments, count, &result);
    if (shape)
        ++shape->references;
    wf_base_mutex_unlock(&r->layout_lock);
    if (!shape)
        wf_core_failed(&(struct wf_core_subject){.dev = dev,
                                                 .object = {.kind = WEFT_OBJECT_ARGUMENT_LAYOUT},
                                                 .label = label},
                       result, NULL);
    return shape;
}

void wf_core_shape_keep(struct weft_device *dev, struct wf_core_shape *shape)
{
    wf_base_mutex_lock(&dev->recorders->layout_lock);
    ++shape->references;
    wf_base_mutex_unlock(&dev->recorders->layout_lock);
}

void wf_core_shape_drop(struct weft_device *dev, struct wf_core_shape *shape)
{
    struct wf_core_recorders *r = dev->recorders;
    if (!shape)
        return;
    wf_base_mutex_lock(&r->layout_lock);
    const bool last = --shape->references == 0;
    for (size_t i = 0; last && i < r->shape_count; ++i) {
        if (r->shapes[i] == shape) {
            r->shapes[i] = r->shapes[--r->shape_count];
            break;
        }
    }
    wf_base_mutex_unlock(&r->layout_lock);
    if (last)
        shape_free(dev, shape);
}

// ---- layouts -----------------------------------------------------------------------------------

weft_argument_layout wf_core_layout_wrap(struct weft_device *dev, struct wf_core_shape *shape,
                                         const char *label, bool internal)
{
    weft_argument_layout handle;
    struct wf_core_argument_layout *layout = wf_core_argument_layout_take(dev, label, &handle);
    if (!layout)
        return (weft_argument_layout){0};
    wf_core_shape_keep(dev, shape);
    layout->shape = shape;
    layout->internal = internal;
    return handle;
}

weft_format wf_core_texels_format(weft_format given, weft_sample_class sampled)
{
    if (given != WEFT_FORMAT_NONE)
        return given;
    return sampled == WEFT_SAMPLE_CLASS_UINT   ? WEFT_FORMAT_RGBA32_UINT
           : sampled == WEFT_SAMPLE_CLASS_SINT ? WEFT_FORMAT_RGBA32_SINT
                                               : WEFT_FORMAT_RGBA32_FLOAT;
}

static struct wf_hal_argument resolve(const weft_argument *given)
{
    struct wf_hal_argument a = {
        .binding = given->binding,
        .count = given->count > 0 ? given->count : 1,
        .type = given->type,
        .stages = given->stages != 0 ? given->stages : WEFT_SHADER_STAGE_ALL_BITS,
        .flags = given->flags,
    };
    if (wf_core_argument_is_texture(given->type)) {
        a.view = given->view != WEFT_VIEW_DEFAULT ? given->view : WEFT_VIEW_2D;
        a.multisampled = given->multisampled;
        a.sampled =
            given->sampled != WEFT_SAMPLE_CLASS_NONE ? given->sampled : WEFT_SAMPLE_CLASS_FLOAT;
    }
    if (given->type == WEFT_ARGUMENT_STORAGE_TEXTURE)
        a.storage = given->storage;
    if (wf_core_argument_is_texels(given->type)) {
        a.storage = wf_core_texels_format(given->storage, given->sampled);
        a.sampled = weft_format_get_info(a.storage)->sample_class;
    }
    return a;
}

static int by_binding(const void *a, const void *b)
{
    const weft_argument *x = a, *y = b;
    return (x->binding > y->binding) - (x->binding < y->binding);
}

/// Sorts, resolves and checks; `sorted` and `arguments` have room for all.
static bool prepare(struct weft_device *dev, const weft_argument_layout_desc *desc,
                    weft_argument *sorted, struct wf_hal_argument *arguments)
{
    const uint32_t count = desc->argument_count;
    if (count > 0)
        memcpy(sorted, desc->arguments, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_binding);
    bool ok = true;
    for (uint32_t i = 0; i < count; ++i) {
        arguments[i] = resolve(&sorted[i]);
        if (weft_sampler_is_none(sorted[i].fixed))
            continue;
        const struct wf_core_sampler *sampler = wf_core_sampler_get(dev, sorted[i].fixed);
        ok = ok && sampler;
        arguments[i].fixed = sampler ? sampler->hal : NULL;
    }
    return wf_core_check_layout_desc(dev, arguments, sorted, count, desc->label) && ok;
}

/// Most entries of one layout: what comes from a host is bounded before it is multiplied.
#define MAX_ARGUMENTS 4096u

weft_result weft_argument_layout_create(weft_device *device, const weft_argument_layout_desc *desc,
                                        weft_argument_layout *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    const struct wf_core_subject on =
        wf_core_about_new(device, WEFT_OBJECT_ARGUMENT_LAYOUT, desc->label);
    if (!wf_core_check_array(&on, desc->arguments, desc->argument_count, "arguments"))
        return WEFT_ERROR_USAGE;
    if (desc->argument_count > MAX_ARGUMENTS) {
        wf_core_broken(&on, WEFT_RULE_LAYOUT_SIZE, "A layout of %u entries was asked for.",
                       desc->argument_count);
        return WEFT_ERROR_USAGE;
    }
    const size_t room = desc->argument_count > 0 ? desc->argument_count : 1;
    weft_argument *sorted = wf_base_alloc_array(device->allocator, room, sizeof *sorted);
    struct wf_hal_argument *arguments =
        wf_base_alloc_array(device->allocator, room, sizeof *arguments);
    weft_result result = WEFT_ERROR_MEMORY;
    if (!sorted || !arguments)
        wf_core_failed(&on, result, NULL);
    else if (!prepare(device, desc, sorted, arguments))
        result = WEFT_ERROR_USAGE;
    else {
        struct wf_core_shape *shape =
            wf_core_shape_get(device, arguments, desc->argument_count, desc->label);
        if (shape)
            *out = wf_core_layout_wrap(device, shape, desc->label, false);
        wf_core_shape_drop(device, shape);
        result = weft_argument_layout_is_none(*out) ? WEFT_ERROR_MEMORY : WEFT_OK;
    }
    wf_base_free(device->allocator, sorted, room * sizeof *sorted);
    wf_base_free(device->allocator, arguments, room * sizeof *arguments);
    return result;
}

void wf_core_argument_layout_discard(struct weft_device *dev, void *object)
{
    struct wf_core_argument_layout *hot = object;
    // Whatever is in flight keeps the shape by itself.
    wf_core_retire_unreserve(dev);
    wf_core_shape_drop(dev, hot->shape);
}

void weft_argument_layout_destroy(weft_device *device, weft_argument_layout layout)
{
    if (!device)
        return;
    const struct wf_core_argument_layout *live = wf_core_argument_layout_find(device, layout);
    if (live && live->internal) {
        wf_core_broken_object(device, wf_core_argument_layout_object(layout),
                              WEFT_RULE_OBJECT_NOT_YOURS, "This layout belongs to a pipeline.");
        return;
    }
    wf_core_argument_layout_destroy(device, layout);
}
