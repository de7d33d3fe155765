/// Reading modules that must be good.
#pragma once

#include "base/alloc.h"
#include "shader/reflect.h"
#include "support/test.h"

static inline struct wf_shader_module *read_good(const uint32_t *words, size_t bytes)
{
    struct wf_shader_module *module;
    struct wf_shader_error error = {0};
    if (!wf_shader_read(wf_base_allocator_default(), words, bytes, &module, &error))
        test_fail(__FILE__, __LINE__, "refused: %s", error.message);
    return module;
}

/// Of the module's first entry point.
static inline struct wf_shader_reflection *reflect_good(const struct wf_shader_module *module)
{
    struct wf_shader_reflection *reflection;
    struct wf_shader_error error = {0};
    if (!wf_shader_reflect(wf_base_allocator_default(), module, module->entries, &reflection,
                           &error))
        test_fail(__FILE__, __LINE__, "not reflected: %s", error.message);
    return reflection;
}
