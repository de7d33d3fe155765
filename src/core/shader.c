// Shaders: from bytes to a module that pipelines are made of.
#include "core/shader.h"

#include "shader/module.h"

#include <stdio.h>
#include <string.h>

const char *wf_core_error_place(const struct wf_shader_error *error, char out[192])
{
    out[0] = '\0';
    if (error->line > 0)
        (void)snprintf(out, 192, " (%s:%u)", error->file, error->line);
    return out;
}

void wf_core_module_drop(struct weft_device *dev, struct wf_core_module *module)
{
    if (!module || atomic_fetch_sub_explicit(&module->references, 1, memory_order_acq_rel) > 1)
        return;
    if (module->hal)
        dev->ops->shader_destroy(dev->hal, module->hal);
    wf_core_module_unread(module);
    wf_base_free(dev->allocator, module, sizeof *module);
}

uint32_t wf_core_module_entry(const struct wf_core_module *module, weft_shader_stages stage,
                              const char *name)
{
    const char *wanted = name ? name : "main";
    for (uint32_t i = 0; i < module->entry_count; ++i) {
        if (module->entries[i].stage == stage && strcmp(module->entries[i].entry, wanted) == 0)
            return i;
    }
    return UINT32_MAX;
}

static weft_result report_error(const struct wf_core_subject *on, weft_rule rule,
                                const struct wf_shader_error *error)
{
    char place[192];
    wf_core_broken(on, rule, "%s%s", error->message, wf_core_error_place(error, place));
    return WEFT_ERROR_SHADER;
}

static bool check_desc(const struct wf_core_subject *on, const weft_shader_desc *desc)
{
    if (!desc->code == !desc->glsl)
        return wf_core_broken(on, WEFT_RULE_SHADER_SOURCE,
                              desc->code ? "Both code and glsl were given."
                                         : "Neither code nor glsl was given.");
    if (desc->code && (desc->size % 4 != 0 || desc->size == 0))
        return wf_core_broken(on, WEFT_RULE_SHADER_SIZE, "%zu bytes of SPIR-V were given.",
                              desc->size);
    return true;
}

/// Reads, checks and hands a module to the hal. What was made stays in `module` in any case.
static weft_result fill(const struct wf_core_subject *on, const weft_shader_desc *desc,
                        struct wf_core_module *module)
{
    struct weft_device *dev = on->dev;
    struct wf_shader_error error = {0};
    weft_result result =
        wf_core_module_read(dev->allocator, desc->code, desc->size, module, &error);
    if (result == WEFT_ERROR_SHADER)
        return report_error(on, WEFT_RULE_SHADER_MALFORMED, &error);
    if (result == WEFT_OK && !wf_core_check_module(on, module))
        return WEFT_ERROR_SHADER;
    if (result == WEFT_OK)
        result = dev->ops->shader_create(dev->hal, module->read, &module->hal, &error);
    if (result == WEFT_ERROR_SHADER)
        return report_error(on, WEFT_RULE_SHADER_REFUSED, &error);
    if (result != WEFT_OK)
        return wf_core_failed(on, result, NULL);
    return WEFT_OK;
}

weft_result weft_shader_create(weft_device *device, const weft_shader_desc *desc, weft_shader *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    const struct wf_core_subject on = wf_core_about_new(device, WEFT_OBJECT_SHADER, desc->label);
    if (!check_desc(&on, desc))
        return WEFT_ERROR_USAGE;
    if (desc->glsl) {
        // No build has a compiler yet, so the capability answers for it.
        wf_core_need(&on, WEFT_FEATURE_GLSL, "GLSL text");
        return WEFT_ERROR_UNSUPPORTED;
    }
    struct wf_core_module *module = wf_base_alloc_zero(device->allocator, sizeof *module);
    if (!module)
        return wf_core_failed(&on, WEFT_ERROR_MEMORY, NULL);
    atomic_store(&module->references, 1);
    weft_result result = fill(&on, desc, module);
    struct wf_core_shader *shader = NULL;
    if (result == WEFT_OK) {
        shader = wf_core_shader_take(device, desc->label, out);
        result = shader ? WEFT_OK : WEFT_ERROR_MEMORY;
    }
    if (shader)
        shader->module = module;
    else
        wf_core_module_drop(device, module);
    return result;
}

void wf_core_shader_discard(struct weft_device *dev, void *object)
{
    struct wf_core_shader *hot = object;
    wf_core_retire_unreserve(dev); // pipelines keep the module by themselves
    wf_core_module_drop(dev, hot->module);
}

void weft_shader_destroy(weft_device *device, weft_shader shader)
{
    wf_core_shader_destroy(device, shader);
}

bool weft_shader_reflect(weft_device *device, weft_shader shader, uint32_t index,
                         weft_reflection *out)
{
    if (!wf_core_given(device, out, WF_CORE_RESULT))
        return false;
    *out = (weft_reflection){0};
    const struct wf_core_shader *hot = wf_core_shader_get(device, shader);
    if (!hot || index >= hot->module->entry_count)
        return false;
    *out = hot->module->entries[index];
    return true;
}
