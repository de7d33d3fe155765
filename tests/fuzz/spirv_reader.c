// Reads any bytes as a module; what is accepted is reflected, specialized, merged and listed.
#include "support/fuzz.h"

#include "base/alloc.h"
#include "base/text.h"
#include "shader/check.h"
#include "shader/disasm.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 4 };

static void use_reflections(const struct wf_shader_module *module)
{
    const struct wf_base_allocator *allocator = wf_base_allocator_default();
    struct wf_shader_reflection *reflections[MAX_ENTRIES] = {NULL};
    const struct wf_shader_reflection *stages[MAX_ENTRIES];
    struct wf_shader_finding items[4];
    struct wf_shader_findings findings = {.items = items, .capacity = 4};
    uint32_t count = 0;
    size_t bindings = 0;
    for (uint32_t i = 0; i < module->entry_count && i < MAX_ENTRIES; i++) {
        struct wf_shader_reflection *r;
        struct wf_shader_error error;
        if (!wf_shader_reflect(allocator, module, &module->entries[i], &r, &error))
            continue;
        reflections[i] = r;
        stages[count++] = r;
        bindings += r->binding_count;
        wf_shader_check_interface(r, r, &findings);
        wf_shader_check_interface(stages[0], r, &findings);
    }
    struct wf_shader_layout_entry *entries = calloc(bindings + 1, sizeof *entries);
    if (entries)
        wf_shader_merge_bindings(stages, count, entries, &findings);
    free(entries);
    for (uint32_t i = 0; i < MAX_ENTRIES; i++)
        wf_shader_reflection_free(reflections[i]);
}

static void use_constants(const struct wf_shader_module *module)
{
    const struct wf_shader_specialization given[] = {{0, 0}, {1, UINT64_MAX}, {2, 7}};
    struct wf_shader_value *values = calloc((size_t)module->constant_count + 1, sizeof *values);
    if (!values)
        return;
    wf_shader_specialize(module, given, 3, values);
    uint32_t size[3];
    for (uint32_t i = 0; i < module->entry_count; i++)
        wf_shader_workgroup_size(module, &module->entries[i], values, size);
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t *words = malloc(size + 4); // aligned
    if (!words)
        return 0;
    memcpy(words, data, size);
    struct wf_shader_module *module;
    struct wf_shader_error error;
    const bool ok = wf_shader_read(wf_base_allocator_default(), words, size, &module, &error);
    free(words);
    if (!ok)
        return 0;
    use_reflections(module);
    use_constants(module);
    struct wf_base_text text;
    wf_base_text_init(&text, wf_base_allocator_default());
    wf_shader_disassemble(module, &text);
    wf_base_text_finish(&text);
    wf_shader_free(module);
    return 0;
}
