// A shader in a pipeline: its constants, its workgroup, and the layouts that it meets.
#include "core/pipeline.h"

#include "core/check.h"
#include "core/check_argument.h"

#include "shader/check.h"
#include "shader/module.h"

#include <inttypes.h>

// ---- constants ---------------------------------------------------------------------------------

static const weft_reflected_constant *constant_of(const weft_reflection *entry, uint32_t id)
{
    for (uint32_t i = 0; i < entry->constant_count; ++i) {
        if (entry->constants[i].id == id)
            return &entry->constants[i];
    }
    return NULL;
}

static bool value_fits(const weft_reflected_constant *constant, uint64_t value)
{
    return constant->bits >= 64 || value >> constant->bits == 0;
}

static bool check_constants(const struct wf_core_subject *on, const struct wf_core_stage *stage)
{
    const weft_reflection *entry = wf_core_stage_entry(stage);
    const weft_shader_use *use = stage->use;
    const char *name = wf_core_stage_name(stage->stage);
    bool ok = true;
    for (uint32_t i = 0; i < use->constant_count; ++i) {
        const weft_constant *given = &use->constants[i];
        const weft_reflected_constant *constant = constant_of(entry, given->id);
        if (!constant)
            ok =
                wf_core_broken(on, WEFT_RULE_CONSTANT_UNKNOWN,
                               "The %s shader has no specialization constant %u.", name, given->id);
        else if (!value_fits(constant, given->value))
            ok = wf_core_broken(on, WEFT_RULE_CONSTANT_VALUE,
                                "Constant %u of the %s shader has %u bits and was given 0x%" PRIx64
                                ".",
                                given->id, name, constant->bits, given->value);
        for (uint32_t k = 0; k < i; ++k) {
            if (use->constants[k].id == given->id)
                ok = wf_core_broken(on, WEFT_RULE_CONSTANT_TWICE,
                                    "Constant %u of the %s shader was given twice.", given->id,
                                    name);
        }
    }
    return ok;
}

// ---- workgroups --------------------------------------------------------------------------------

/// The size that the constants give. False when out of memory.
static bool workgroup_of(struct weft_device *dev, const struct wf_core_stage *stage,
                         uint32_t size[3])
{
    const struct wf_shader_module *module = stage->module->read;
    const uint32_t count = stage->use->constant_count;
    struct wf_shader_specialization *given =
        wf_base_alloc_array(dev->allocator, (size_t)count + 1, sizeof *given);
    struct wf_shader_value *values =
        wf_base_alloc_array(dev->allocator, (size_t)module->constant_count + 1, sizeof *values);
    bool ok = given && values;
    for (uint32_t i = 0; ok && i < count; ++i)
        given[i] = (struct wf_shader_specialization){stage->use->constants[i].id,
                                                     stage->use->constants[i].value};
    if (ok) {
        wf_shader_specialize(module, given, count, values);
        wf_shader_workgroup_size(module, &module->entries[stage->entry], values, size);
    }
    wf_base_free(dev->allocator, given, ((size_t)count + 1) * sizeof *given);
    wf_base_free(dev->allocator, values, ((size_t)module->constant_count + 1) * sizeof *values);
    return ok;
}

static bool check_workgroup(const struct wf_core_subject *on, const struct wf_core_stage *stage)
{
    uint32_t size[3];
    if (!workgroup_of(on->dev, stage, size)) {
        wf_core_failed(on, WEFT_ERROR_MEMORY, "work constants out");
        return false;
    }
    const weft_limits *limits = &on->dev->caps.limits;
    const bool compute = stage->stage == WEFT_SHADER_STAGE_COMPUTE;
    const uint32_t *most = compute ? limits->max_workgroup_size : limits->max_mesh_workgroup_size;
    const uint32_t together =
        compute ? limits->max_workgroup_invocations : limits->max_mesh_workgroup_invocations;
    uint64_t invocations = 1;
    bool fits = true;
    for (int i = 0; i < 3; ++i) {
        fits &= size[i] > 0 && size[i] <= most[i];
        invocations *= fits ? size[i] : 1;
    }
    if (fits && invocations <= together)
        return true;
    return wf_core_broken(
        on, WEFT_RULE_SHADER_WORKGROUP,
        "The %s workgroup is %u x %u x %u; the device has up to %u x %u x %u, %u together.",
        wf_core_stage_name(stage->stage), size[0], size[1], size[2], most[0], most[1], most[2],
        together);
}

bool wf_core_check_stage(const struct wf_core_subject *on, const struct wf_core_stage *stage)
{
    if (!stage->module)
        return true;
    bool ok = wf_core_check_array(on, stage->use->constants, stage->use->constant_count,
                                  "specialization constants") &&
              check_constants(on, stage);
    if (ok && stage->stage != WEFT_SHADER_STAGE_VERTEX &&
        stage->stage != WEFT_SHADER_STAGE_FRAGMENT)
        ok = check_workgroup(on, stage);
    return ok;
}

// ---- layouts -----------------------------------------------------------------------------------

static const struct wf_hal_argument *argument_of(const struct wf_core_shape *shape,
                                                 uint32_t binding)
{
    for (uint32_t i = 0; i < shape->argument_count; ++i) {
        if (shape->arguments[i].binding == binding)
            return &shape->arguments[i];
    }
    return NULL;
}

/// A shader's float may read depth and unfiltered floats, too.
static bool class_fits(weft_sample_class layout, weft_sample_class shader)
{
    const bool layout_float = layout == WEFT_SAMPLE_CLASS_FLOAT ||
                              layout == WEFT_SAMPLE_CLASS_UNFILTERABLE_FLOAT ||
                              layout == WEFT_SAMPLE_CLASS_DEPTH;
    const bool shader_float =
        shader == WEFT_SAMPLE_CLASS_FLOAT || shader == WEFT_SAMPLE_CLASS_DEPTH;
    return layout == shader || (layout_float && shader_float);
}

static bool check_class(const struct wf_core_subject *on, const struct wf_shader_layout_entry *e,
                        const struct wf_hal_argument *a)
{
    const struct wf_shader_binding *b = e->first;
    const weft_format storage = wf_core_reflected_format(b);
    bool ok = true;
    if (!class_fits(a->sampled, wf_core_reflected_class(b)))
        ok = wf_core_broken(on, WEFT_RULE_LAYOUT_CLASS,
                            "Slot %u, binding %u: the shader reads class %d, the layout says %d.",
                            e->set, e->binding, (int)wf_core_reflected_class(b), (int)a->sampled);
    if (storage != WEFT_FORMAT_NONE && storage != a->storage)
        ok = wf_core_broken(on, WEFT_RULE_LAYOUT_CLASS,
                            "Slot %u, binding %u: the shader stores %s, the layout says %s.",
                            e->set, e->binding, weft_format_get_info(storage)->name,
                            weft_format_get_info(a->storage)->name);
    return ok;
}

static bool check_texture(const struct wf_core_subject *on, const struct wf_shader_layout_entry *e,
                          const struct wf_hal_argument *a)
{
    const struct wf_shader_binding *b = e->first;
    bool ok = true;
    if (a->view != wf_core_reflected_view(b))
        ok = wf_core_broken(on, WEFT_RULE_LAYOUT_VIEW,
                            "Slot %u, binding %u: the shader's view is %s, the layout's %s.",
                            e->set, e->binding, wf_core_view_name(wf_core_reflected_view(b)),
                            wf_core_view_name(a->view));
    if (a->multisampled != b->multisampled)
        ok = wf_core_broken(on, WEFT_RULE_LAYOUT_VIEW,
                            "Slot %u, binding %u: only %s is multisampled.", e->set, e->binding,
                            b->multisampled ? "the shader's" : "the layout's");
    return check_class(on, e, a) && ok;
}

bool wf_core_check_layout_fits(const struct wf_core_subject *on,
                               const struct wf_shader_layout_entry *e,
                               const struct wf_core_shape *shape)
{
    const struct wf_hal_argument *a = argument_of(shape, e->binding);
    const weft_argument_type type = wf_core_argument_type(e->type);
    if (!a)
        return wf_core_broken(
            on, WEFT_RULE_LAYOUT_MISSING,
            "Slot %u, binding %u: the shader reads \"%s\", the layout has nothing.", e->set,
            e->binding, e->first->name);
    if (a->type != type)
        return wf_core_broken(on, WEFT_RULE_LAYOUT_WRONG_TYPE,
                              "Slot %u, binding %u: \"%s\" is a %s, the layout has a %s.", e->set,
                              e->binding, e->first->name, wf_core_argument_name(type),
                              wf_core_argument_name(a->type));
    bool ok = true;
    if (e->count > a->count)
        ok = wf_core_broken(on, WEFT_RULE_LAYOUT_COUNT,
                            "Slot %u, binding %u: the shader reads %u elements, the layout has %u.",
                            e->set, e->binding, e->count, a->count);
    if (e->stages & ~a->stages)
        ok = wf_core_broken(on, WEFT_RULE_LAYOUT_STAGES,
                            "Slot %u, binding %u: the stages 0x%x read it, the layout says 0x%x.",
                            e->set, e->binding, e->stages, a->stages);
    if (e->written && a->flags & WEFT_ARGUMENT_READ_ONLY)
        ok = wf_core_broken(on, WEFT_RULE_LAYOUT_WRITTEN,
                            "Slot %u, binding %u: the shader writes it, the layout says READ_ONLY.",
                            e->set, e->binding);
    if (wf_core_argument_is_texels(type))
        return check_class(on, e, a) && ok;
    return wf_core_argument_is_texture(type) ? check_texture(on, e, a) && ok : ok;
}
