// Rules of argument layouts. They are checked at every level: a layout is made rarely, and what it
// says bounds everything after it.
#include "core/check_argument.h"

#define MAX_COUNT   (1u << 16)
#define MAX_BINDING ((1u << 16) - 1) // backends index arrays by it

static bool check_enums(const struct wf_core_subject *on, const struct wf_hal_argument *a)
{
    bool ok = true;
    if (a->type == WEFT_ARGUMENT_NONE)
        ok = wf_core_broken(on, WEFT_RULE_LAYOUT_TYPE, "Binding %u has no type.", a->binding);
    else if ((unsigned)a->type > WEFT_ARGUMENT_ACCELERATION_STRUCTURE)
        ok = wf_core_broken(on, WEFT_RULE_ENUM_UNKNOWN, "%u is no type of an argument.",
                            (unsigned)a->type);
    ok &= wf_core_check_enum(on, (unsigned)a->view, WEFT_VIEW_CUBE_ARRAY, "kind of a view");
    if ((unsigned)a->sampled > WEFT_SAMPLE_CLASS_DEPTH)
        ok = wf_core_broken(on, WEFT_RULE_ENUM_UNKNOWN, "%u is no sample class.",
                            (unsigned)a->sampled);
    ok &= wf_core_check_bits(on, a->stages, WEFT_SHADER_STAGE_ALL_BITS, "stages");
    ok &= wf_core_check_bits(on, a->flags, WEFT_ARGUMENT_DYNAMIC | WEFT_ARGUMENT_READ_ONLY,
                             "argument flags");
    return ok;
}

static bool check_flags(const struct wf_core_subject *on, const struct wf_hal_argument *a)
{
    const bool storage = a->type == WEFT_ARGUMENT_STORAGE_BUFFER ||
                         a->type == WEFT_ARGUMENT_STORAGE_TEXTURE ||
                         a->type == WEFT_ARGUMENT_STORAGE_TEXELS;
    bool ok = true;
    if (a->flags & WEFT_ARGUMENT_DYNAMIC && a->type != WEFT_ARGUMENT_UNIFORM_BUFFER &&
        a->type != WEFT_ARGUMENT_STORAGE_BUFFER)
        ok = wf_core_broken(on, WEFT_RULE_LAYOUT_DYNAMIC, "Binding %u is a dynamic %s.", a->binding,
                            wf_core_argument_name(a->type));
    if (a->flags & WEFT_ARGUMENT_READ_ONLY && !storage)
        ok = wf_core_broken(on, WEFT_RULE_LAYOUT_READ_ONLY, "Binding %u is a read-only %s.",
                            a->binding, wf_core_argument_name(a->type));
    return ok;
}

static bool check_size(const struct wf_core_subject *on, const struct wf_hal_argument *a)
{
    if (a->count <= MAX_COUNT && a->binding <= MAX_BINDING)
        return true;
    return wf_core_broken(on, WEFT_RULE_LAYOUT_SIZE, "Binding %u has %u elements.", a->binding,
                          a->count);
}

static bool check_details(const struct wf_core_subject *on, const struct wf_hal_argument *a,
                          const weft_argument *given)
{
    bool ok = true;
    if (!weft_sampler_is_none(given->fixed) && !wf_core_argument_has_sampler(a->type))
        ok = wf_core_broken(on, WEFT_RULE_LAYOUT_FIXED, "Binding %u is a %s with a fixed sampler.",
                            a->binding, wf_core_argument_name(a->type));
    const weft_format_caps need =
        a->type == WEFT_ARGUMENT_STORAGE_TEXTURE  ? WEFT_FORMAT_CAN_STORE
        : a->type == WEFT_ARGUMENT_STORAGE_TEXELS ? WEFT_FORMAT_CAN_STORE_TEXELS
        : a->type == WEFT_ARGUMENT_UNIFORM_TEXELS ? WEFT_FORMAT_CAN_LOAD_TEXELS
                                                  : 0;
    if (need && ((unsigned)a->storage >= WEFT_FORMAT_COUNT ||
                 weft_format_get_info(a->storage)->aspects != WEFT_ASPECT_COLOR ||
                 weft_format_get_info(a->storage)->compressed ||
                 !(on->dev->caps.formats[a->storage] & need)))
        ok = wf_core_broken(on, WEFT_RULE_LAYOUT_STORAGE_FORMAT,
                            "Binding %u has the storage format %s.", a->binding,
                            weft_format_get_info(a->storage)->name);
    if (a->type == WEFT_ARGUMENT_STORAGE_TEXTURE)
        ok &= wf_core_need(on, WEFT_FEATURE_STORAGE_TEXTURES, "A storage texture in a layout");
    if (a->type == WEFT_ARGUMENT_ACCELERATION_STRUCTURE)
        ok &= wf_core_need(on, WEFT_FEATURE_RAY_QUERY, "An acceleration structure in a layout");
    return ok;
}

/// Counts per kind of resource, for the stage that sees most of them.
struct totals {
    uint64_t uniform, storage, sampled, stored, samplers, accelerations;
};

static void count(struct totals *t, const struct wf_hal_argument *a)
{
    switch (a->type) {
    case WEFT_ARGUMENT_UNIFORM_BUFFER:
        t->uniform += a->count;
        break;
    case WEFT_ARGUMENT_STORAGE_BUFFER:
    case WEFT_ARGUMENT_STORAGE_TEXELS:
        t->storage += a->count;
        break;
    case WEFT_ARGUMENT_COMBINED:
        t->samplers += a->count;
        t->sampled += a->count;
        break;
    case WEFT_ARGUMENT_SAMPLED_TEXTURE:
    case WEFT_ARGUMENT_UNIFORM_TEXELS:
        t->sampled += a->count;
        break;
    case WEFT_ARGUMENT_STORAGE_TEXTURE:
        t->stored += a->count;
        break;
    case WEFT_ARGUMENT_SAMPLER:
        t->samplers += a->count;
        break;
    case WEFT_ARGUMENT_ACCELERATION_STRUCTURE:
        t->accelerations += a->count;
        break;
    case WEFT_ARGUMENT_NONE:
        break;
    }
}

static bool check_limit(const struct wf_core_subject *on, uint64_t have, uint32_t most,
                        const char *what)
{
    if (have <= most)
        return true;
    return wf_core_broken(on, WEFT_RULE_LAYOUT_LIMIT,
                          "One stage sees %llu %s; the device allows %u.", (unsigned long long)have,
                          what, most);
}

static bool check_totals(const struct wf_core_subject *on, const struct wf_hal_argument *arguments,
                         uint32_t argument_count)
{
    const weft_limits *limits = &on->dev->caps.limits;
    struct totals most = {0};
    uint64_t dynamic = 0;
    for (weft_shader_stages stage = 1; stage < WEFT_SHADER_STAGE_ALL_BITS; stage <<= 1) {
        struct totals t = {0};
        for (uint32_t i = 0; i < argument_count; ++i) {
            if (arguments[i].stages & stage)
                count(&t, &arguments[i]);
        }
        uint64_t *to = (uint64_t *)&most;
        const uint64_t *from = (const uint64_t *)&t; // all members are uint64_t
        for (size_t i = 0; i < sizeof t / sizeof *to; ++i)
            to[i] = to[i] > from[i] ? to[i] : from[i];
    }
    for (uint32_t i = 0; i < argument_count; ++i) {
        if (arguments[i].flags & WEFT_ARGUMENT_DYNAMIC)
            dynamic += arguments[i].count;
    }
    bool ok = check_limit(on, most.uniform, limits->max_uniform_buffers, "uniform buffers");
    ok &= check_limit(on, most.storage, limits->max_storage_buffers, "storage buffers");
    ok &= check_limit(on, most.sampled, limits->max_sampled_textures, "sampled textures");
    ok &= check_limit(on, most.stored, limits->max_storage_textures, "storage textures");
    ok &= check_limit(on, most.samplers, limits->max_samplers, "samplers");
    ok &= check_limit(on, most.accelerations, limits->max_acceleration_structures,
                      "acceleration structures");
    if (dynamic > limits->max_dynamic_offsets)
        ok = wf_core_broken(on, WEFT_RULE_LAYOUT_LIMIT,
                            "%llu elements are dynamic; max_dynamic_offsets is %u.",
                            (unsigned long long)dynamic, limits->max_dynamic_offsets);
    return ok;
}

bool wf_core_check_layout_desc(struct weft_device *dev, const struct wf_hal_argument *arguments,
                               const weft_argument *given, uint32_t argument_count,
                               const char *label)
{
    const struct wf_core_subject on = wf_core_about_new(dev, WEFT_OBJECT_ARGUMENT_LAYOUT, label);
    bool ok = true;
    for (uint32_t i = 0; i < argument_count; ++i) {
        ok &= check_enums(&on, &arguments[i]);
        ok &= check_flags(&on, &arguments[i]);
        ok &= check_size(&on, &arguments[i]);
        ok &= check_details(&on, &arguments[i], &given[i]);
        if (i > 0 && arguments[i].binding == arguments[i - 1].binding)
            ok = wf_core_broken(&on, WEFT_RULE_LAYOUT_BINDING_TWICE, "Binding %u is there twice.",
                                arguments[i].binding);
    }
    return ok && check_totals(&on, arguments, argument_count);
}

bool wf_core_check_layout_size(struct weft_device *dev, const struct wf_hal_argument *arguments,
                               uint32_t argument_count, const char *label)
{
    const struct wf_core_subject on = wf_core_about_new(dev, WEFT_OBJECT_ARGUMENT_LAYOUT, label);
    bool ok = true;
    for (uint32_t i = 0; i < argument_count; ++i)
        ok &= check_size(&on, &arguments[i]);
    return ok && check_totals(&on, arguments, argument_count);
}
