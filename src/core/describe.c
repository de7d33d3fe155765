// Modules as text, for people. Needs no device.
#include "core/argument.h"
#include "core/shader.h"

#include "base/text.h"
#include "shader/disasm.h"
#include "shader/reflect.h"

#include <inttypes.h>
#include <string.h>

static const char *class_name(weft_sample_class class)
{
    switch (class) {
    case WEFT_SAMPLE_CLASS_UINT:
        return "uint";
    case WEFT_SAMPLE_CLASS_SINT:
        return "int";
    default:
        return "float";
    }
}

static void append_binding(struct wf_base_text *text, const weft_reflected_binding *b)
{
    wf_base_text_format(text, ";   slot %u, binding %u: %s", b->slot, b->binding,
                        wf_core_argument_name(b->type));
    if (b->count == 0)
        wf_base_text_append(text, " array of any length");
    else if (b->count > 1)
        wf_base_text_format(text, " array of %u", b->count);
    if (b->size > 0)
        wf_base_text_format(text, ", %" PRIu64 " bytes", b->size);
    if (b->storage != WEFT_FORMAT_NONE)
        wf_base_text_format(text, ", %s", weft_format_get_info(b->storage)->name);
    wf_base_text_format(text, "%s%s%s\n", b->written ? ", written" : "", b->name[0] ? ", " : "",
                        b->name);
}

static void append_varyings(struct wf_base_text *text, const char *what,
                            const weft_reflected_varying *varyings, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        const weft_reflected_varying *v = &varyings[i];
        wf_base_text_format(text, ";   %s %u: %s%u x %u", what, v->location, class_name(v->type),
                            v->bits, v->components);
        if (v->locations > 1)
            wf_base_text_format(text, ", %u locations", v->locations);
        wf_base_text_format(text, "%s%s%s%s\n", v->flat ? ", flat" : "",
                            v->per_primitive ? ", per primitive" : "", v->name[0] ? ", " : "",
                            v->name);
    }
}

static void append_features(struct wf_base_text *text, weft_feature_set features)
{
    if (features == 0)
        return;
    wf_base_text_append(text, ";   needs");
    for (uint32_t bit = 0; bit < 64; ++bit) {
        if (features >> bit & 1)
            wf_base_text_format(text, " %s", weft_feature_name(bit));
    }
    wf_base_text_append(text, "\n");
}

static void append_entry(struct wf_base_text *text, const weft_reflection *r)
{
    wf_base_text_format(text, "; entry point \"%s\": %s\n", r->entry, wf_core_stage_name(r->stage));
    if (!(r->stage & (WEFT_SHADER_STAGE_VERTEX | WEFT_SHADER_STAGE_FRAGMENT)))
        wf_base_text_format(text, ";   workgroup %u x %u x %u\n", r->workgroup[0], r->workgroup[1],
                            r->workgroup[2]);
    if (r->output_vertices > 0)
        wf_base_text_format(text, ";   up to %u vertices, %u primitives\n", r->output_vertices,
                            r->output_primitives);
    if (r->payload_size > 0)
        wf_base_text_format(text, ";   payload: %u bytes\n", r->payload_size);
    if (r->root_size > 0)
        wf_base_text_format(text, ";   root block: %u bytes\n", r->root_size);
    for (uint32_t i = 0; i < r->binding_count; ++i)
        append_binding(text, &r->bindings[i]);
    append_varyings(text, "input", r->inputs, r->input_count);
    append_varyings(text, "output", r->outputs, r->output_count);
    for (uint32_t i = 0; i < r->constant_count; ++i)
        wf_base_text_format(text, ";   constant %u: %u bits, 0x%" PRIx64 "%s%s\n",
                            r->constants[i].id, r->constants[i].bits, r->constants[i].value,
                            r->constants[i].name[0] ? ", " : "", r->constants[i].name);
    append_features(text, r->features);
}

static void append_findings(struct wf_base_text *text, const struct wf_shader_reflection *r)
{
    for (uint32_t i = 0; i < r->finding_count; ++i)
        wf_base_text_format(text, ";   warning: %s\n", r->findings[i].message);
}

static void append_module(struct wf_base_text *text, const struct wf_core_module *module)
{
    for (uint32_t i = 0; i < module->entry_count; ++i) {
        append_entry(text, &module->entries[i]);
        append_findings(text, module->reflections[i]);
    }
    wf_shader_disassemble(module->read, text);
}

weft_result weft_shader_describe(const void *code, size_t size, char **out)
{
    if (!out)
        return WEFT_ERROR_USAGE;
    *out = NULL;
    const struct wf_base_allocator *allocator = wf_base_allocator_default();
    struct wf_core_module module = {0};
    struct wf_shader_error error = {0};
    struct wf_base_text text;
    wf_base_text_init(&text, allocator);
    weft_result result = wf_core_module_read(allocator, code, code ? size : 0, &module, &error);
    if (result == WEFT_OK) {
        append_module(&text, &module);
    } else if (result == WEFT_ERROR_SHADER) {
        char place[192];
        wf_base_text_format(&text, "word %u: %s%s", error.word, error.message,
                            wf_core_error_place(&error, place));
    }
    if (result != WEFT_ERROR_MEMORY)
        *out = text.failed ? NULL : wf_base_copy_string(allocator, wf_base_text_string(&text));
    if (!*out)
        result = WEFT_ERROR_MEMORY;
    wf_base_text_finish(&text);
    wf_core_module_unread(&module);
    return result;
}

char *weft_text_copy(const char *text)
{
    return text ? wf_base_copy_string(wf_base_allocator_default(), text) : NULL;
}

void weft_text_free(char *text)
{
    if (text)
        wf_base_free(wf_base_allocator_default(), text, strlen(text) + 1);
}
