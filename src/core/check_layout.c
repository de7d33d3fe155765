// Rules of argument layouts. They are checked at every level: a layout is made rarely, and what it
// says bounds everything after it.
#include "core/check_argument.h"

struct check {
    struct weft_device *dev;
    const char *label;
    weft_object object;
};

#define MAX_COUNT   (1u << 16)
#define MAX_BINDING ((1u << 16) - 1) // backends index arrays by it

static bool check_enums(const struct check *c, const struct wf_hal_argument *a)
{
    bool ok = true;
    if (a->type == WEFT_ARGUMENT_NONE)
        ok = wf_core_broken(c->dev, WEFT_RULE_LAYOUT_TYPE, c->object, c->label,
                            "Binding %u has no type.", a->binding);
    else if ((unsigned)a->type > WEFT_ARGUMENT_ACCELERATION_STRUCTURE)
        ok = wf_core_broken(c->dev, WEFT_RULE_ENUM_UNKNOWN, c->object, c->label,
                            "%u is no type of an argument.", (unsigned)a->type);
    if ((unsigned)a->view > WEFT_VIEW_CUBE_ARRAY)
        ok = wf_core_broken(c->dev, WEFT_RULE_ENUM_UNKNOWN, c->object, c->label,
                            "%u is no kind of a view.", (unsigned)a->view);
    if ((unsigned)a->sampled > WEFT_SAMPLE_CLASS_DEPTH)
        ok = wf_core_broken(c->dev, WEFT_RULE_ENUM_UNKNOWN, c->object, c->label,
                            "%u is no sample class.", (unsigned)a->sampled);
    if (a->stages & ~(weft_shader_stages)WEFT_SHADER_STAGE_ALL_BITS)
        ok = wf_core_broken(c->dev, WEFT_RULE_BITS_UNKNOWN, c->object, c->label,
                            "The stages 0x%x have unknown bits.", a->stages);
    if (a->flags & ~(weft_argument_flags)(WEFT_ARGUMENT_DYNAMIC | WEFT_ARGUMENT_READ_ONLY))
        ok = wf_core_broken(c->dev, WEFT_RULE_BITS_UNKNOWN, c->object, c->label,
                            "The argument flags 0x%x have unknown bits.", a->flags);
    return ok;
}

static bool check_flags(const struct check *c, const struct wf_hal_argument *a)
{
    const bool storage = a->type == WEFT_ARGUMENT_STORAGE_BUFFER ||
                         a->type == WEFT_ARGUMENT_STORAGE_TEXTURE ||
                         a->type == WEFT_ARGUMENT_STORAGE_TEXELS;
    bool ok = true;
    if (a->flags & WEFT_ARGUMENT_DYNAMIC && a->type != WEFT_ARGUMENT_UNIFORM_BUFFER &&
        a->type != WEFT_ARGUMENT_STORAGE_BUFFER)
        ok = wf_core_broken(c->dev, WEFT_RULE_LAYOUT_DYNAMIC, c->object, c->label,
                            "Binding %u is a dynamic %s.", a->binding,
                            wf_core_argument_name(a->type));
    if (a->flags & WEFT_ARGUMENT_READ_ONLY && !storage)
        ok = wf_core_broken(c->dev, WEFT_RULE_LAYOUT_READ_ONLY, c->object, c->label,
                            "Binding %u is a read-only %s.", a->binding,
                            wf_core_argument_name(a->type));
    return ok;
}

static bool check_size(const struct check *c, const struct wf_hal_argument *a)
{
    if (a->count <= MAX_COUNT && a->binding <= MAX_BINDING)
        return true;
    return wf_core_broken(c->dev, WEFT_RULE_LAYOUT_SIZE, c->object, c->label,
                          "Binding %u has %u elements.", a->binding, a->count);
}

static bool check_details(const struct check *c, const struct wf_hal_argument *a,
                          const weft_argument *given)
{
    bool ok = true;
    if (!weft_sampler_is_none(given->fixed) && !wf_core_argument_has_sampler(a->type))
        ok = wf_core_broken(c->dev, WEFT_RULE_LAYOUT_FIXED, c->object, c->label,
                            "Binding %u is a %s with a fixed sampler.", a->binding,
                            wf_core_argument_name(a->type));
    if (a->type == WEFT_ARGUMENT_STORAGE_TEXTURE &&
        ((unsigned)a->storage >= WEFT_FORMAT_COUNT ||
         !(c->dev->caps.formats[a->storage] & WEFT_FORMAT_CAN_STORE)))
        ok = wf_core_broken(c->dev, WEFT_RULE_LAYOUT_STORAGE_FORMAT, c->object, c->label,
                            "Binding %u has the storage format %s.", a->binding,
                            weft_format_get_info(a->storage)->name);
    if (a->type == WEFT_ARGUMENT_STORAGE_TEXTURE)
        ok &= wf_core_need(c->dev, NULL, WEFT_FEATURE_STORAGE_TEXTURES, c->object, c->label,
                           "A storage texture in a layout");
    if (a->type == WEFT_ARGUMENT_ACCELERATION_STRUCTURE)
        ok &= wf_core_need(c->dev, NULL, WEFT_FEATURE_RAY_QUERY, c->object, c->label,
                           "An acceleration structure in a layout");
    return ok;
}

/// Counts per kind of resource, for the stage that sees most of them.
struct totals {
    uint64_t uniform, storage, sampled, stored, samplers;
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
    case WEFT_ARGUMENT_NONE:
    case WEFT_ARGUMENT_ACCELERATION_STRUCTURE:
        break;
    }
}

static bool check_limit(const struct check *c, uint64_t have, uint32_t most, const char *what)
{
    if (have <= most)
        return true;
    return wf_core_broken(c->dev, WEFT_RULE_LAYOUT_LIMIT, c->object, c->label,
                          "One stage sees %llu %s; the device allows %u.", (unsigned long long)have,
                          what, most);
}

static bool check_totals(const struct check *c, const struct wf_hal_argument *arguments,
                         uint32_t argument_count)
{
    const weft_limits *limits = &c->dev->caps.limits;
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
    bool ok = check_limit(c, most.uniform, limits->max_uniform_buffers, "uniform buffers");
    ok &= check_limit(c, most.storage, limits->max_storage_buffers, "storage buffers");
    ok &= check_limit(c, most.sampled, limits->max_sampled_textures, "sampled textures");
    ok &= check_limit(c, most.stored, limits->max_storage_textures, "storage textures");
    ok &= check_limit(c, most.samplers, limits->max_samplers, "samplers");
    if (dynamic > limits->max_dynamic_offsets)
        ok = wf_core_broken(c->dev, WEFT_RULE_LAYOUT_LIMIT, c->object, c->label,
                            "%llu elements are dynamic; max_dynamic_offsets is %u.",
                            (unsigned long long)dynamic, limits->max_dynamic_offsets);
    return ok;
}

bool wf_core_check_layout_desc(struct weft_device *dev, const struct wf_hal_argument *arguments,
                               const weft_argument *given, uint32_t argument_count,
                               const char *label)
{
    const struct check c = {dev, label, {.kind = WEFT_OBJECT_ARGUMENT_LAYOUT}};
    bool ok = true;
    for (uint32_t i = 0; i < argument_count; ++i) {
        ok &= check_enums(&c, &arguments[i]);
        ok &= check_flags(&c, &arguments[i]);
        ok &= check_size(&c, &arguments[i]);
        ok &= check_details(&c, &arguments[i], &given[i]);
        if (i > 0 && arguments[i].binding == arguments[i - 1].binding)
            ok = wf_core_broken(dev, WEFT_RULE_LAYOUT_BINDING_TWICE, c.object, label,
                                "Binding %u is there twice.", arguments[i].binding);
    }
    return ok && check_totals(&c, arguments, argument_count);
}

bool wf_core_check_layout_size(struct weft_device *dev, const struct wf_hal_argument *arguments,
                               uint32_t argument_count, const char *label)
{
    const struct check c = {dev, label, {.kind = WEFT_OBJECT_ARGUMENT_LAYOUT}};
    bool ok = true;
    for (uint32_t i = 0; i < argument_count; ++i)
        ok &= check_size(&c, &arguments[i]);
    return ok && check_totals(&c, arguments, argument_count);
}
