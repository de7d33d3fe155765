// Resources and the root block of an entry point.
#include "shader/reflector.h"

#include <stdlib.h>

enum { HEAP_SET = 3 };

static bool is_resource(const struct wf_shader_variable *variable)
{
    return variable->storage == SpvStorageClassUniformConstant ||
           variable->storage == SpvStorageClassUniform ||
           variable->storage == SpvStorageClassStorageBuffer;
}

/// Takes arrays off a type; `*count` becomes its elements, 0 if one of the arrays is runtime-sized.
static const struct wf_shader_type *strip_arrays(const struct wf_shader_module *module,
                                                 const struct wf_shader_type *type, uint32_t *count)
{
    uint64_t elements = 1;
    while (type &&
           (type->kind == WF_SHADER_TYPE_ARRAY || type->kind == WF_SHADER_TYPE_RUNTIME_ARRAY)) {
        elements *= type->kind == WF_SHADER_TYPE_RUNTIME_ARRAY ? 0 : type->count;
        elements = elements > UINT32_MAX ? UINT32_MAX : elements;
        type = wf_shader_type(module, type->component);
    }
    *count = (uint32_t)elements;
    return type;
}

static bool describe_image(struct wf_shader_reflector *r, struct wf_shader_binding *binding,
                           const struct wf_shader_type *type)
{
    const struct wf_shader_type *image = type;
    if (type->kind == WF_SHADER_TYPE_SAMPLED_IMAGE)
        image = wf_shader_type(r->module, type->component);
    const bool sampled = image->image.sampled == 1;
    binding->dim = image->image.dim;
    binding->format = image->image.format;
    binding->depth = image->image.depth == 1;
    binding->arrayed = image->image.arrayed != 0;
    binding->multisampled = image->image.multisampled != 0;
    binding->sampled = wf_shader_scalar_of(r->module, wf_shader_type(r->module, image->component),
                                           &binding->sampled_width);
    if (image->image.dim == SpvDimSubpassData)
        binding->type = WF_SHADER_RESOURCE_INPUT_ATTACHMENT;
    else if (image->image.dim == SpvDimBuffer)
        binding->type =
            sampled ? WF_SHADER_RESOURCE_UNIFORM_TEXELS : WF_SHADER_RESOURCE_STORAGE_TEXELS;
    else if (type->kind == WF_SHADER_TYPE_SAMPLED_IMAGE)
        binding->type = WF_SHADER_RESOURCE_COMBINED;
    else
        binding->type =
            sampled ? WF_SHADER_RESOURCE_SAMPLED_IMAGE : WF_SHADER_RESOURCE_STORAGE_IMAGE;
    return true;
}

static bool describe_block(struct wf_shader_reflector *r, struct wf_shader_binding *binding,
                           const struct wf_shader_variable *variable,
                           const struct wf_shader_type *type)
{
    const bool uniform = variable->storage == SpvStorageClassUniform && !type->buffer_block;
    binding->type = uniform ? WF_SHADER_RESOURCE_UNIFORM_BUFFER : WF_SHADER_RESOURCE_STORAGE_BUFFER;
    binding->size = type->size;
    if (binding->name[0] == '\0')
        binding->name = wf_shader_name(r->module, type->id);
    if (!type->block && !type->buffer_block)
        return wf_shader_reflector_fail(r, variable->word,
                                        "variable %%%u is a buffer, but its structure %%%u is not "
                                        "decorated Block",
                                        variable->id, type->id);
    bool non_writable = true;
    bool non_readable = true;
    for (uint32_t i = 0; i < type->count; i++) {
        non_writable &= type->members[i].non_writable;
        non_readable &= type->members[i].non_readable;
        if (type->members[i].offset == WF_SHADER_NONE)
            return wf_shader_reflector_fail(r, variable->word,
                                            "variable %%%u is a buffer, but member %u of its "
                                            "structure %%%u has no Offset",
                                            variable->id, i, type->id);
    }
    binding->non_writable |= uniform || (non_writable && type->count != 0);
    binding->non_readable |= non_readable && type->count != 0;
    const struct wf_shader_type *last =
        type->count != 0 ? wf_shader_type(r->module, type->members[type->count - 1].type) : NULL;
    if (last && last->kind == WF_SHADER_TYPE_RUNTIME_ARRAY) {
        const struct wf_shader_type *element = wf_shader_type(r->module, last->component);
        binding->runtime_stride = last->stride != 0 ? last->stride : element->size;
    }
    return true;
}

static bool describe(struct wf_shader_reflector *r, struct wf_shader_binding *binding,
                     const struct wf_shader_variable *variable)
{
    const uint8_t access = r->access[variable->id];
    *binding = (struct wf_shader_binding){
        .set = variable->set,
        .binding = variable->binding,
        .id = variable->id,
        .name = variable->name,
        .non_writable = variable->non_writable,
        .non_readable = variable->non_readable,
        .read = (access & WF_SHADER_ACCESS_READ) != 0,
        .written = (access & WF_SHADER_ACCESS_WRITE) != 0,
        .atomic = (access & WF_SHADER_ACCESS_ATOMIC) != 0,
        .input_attachment = variable->input_attachment,
    };
    if (variable->set == WF_SHADER_NONE || variable->binding == WF_SHADER_NONE)
        return wf_shader_reflector_fail(
            r, variable->word, "resource variable %%%u \"%.60s\" lacks %s", variable->id,
            variable->name, variable->set == WF_SHADER_NONE ? "DescriptorSet" : "Binding");
    const struct wf_shader_type *type =
        strip_arrays(r->module, wf_shader_type(r->module, variable->type), &binding->count);
    switch (type ? type->kind : WF_SHADER_TYPE_OTHER) {
    case WF_SHADER_TYPE_STRUCT:
        return describe_block(r, binding, variable, type);
    case WF_SHADER_TYPE_IMAGE:
    case WF_SHADER_TYPE_SAMPLED_IMAGE:
        return describe_image(r, binding, type);
    case WF_SHADER_TYPE_SAMPLER:
        binding->type = WF_SHADER_RESOURCE_SAMPLER;
        return true;
    case WF_SHADER_TYPE_ACCELERATION_STRUCTURE:
        binding->type = WF_SHADER_RESOURCE_ACCELERATION_STRUCTURE;
        return true;
    default:
        return wf_shader_reflector_fail(r, variable->word,
                                        "resource variable %%%u \"%.60s\" is of no resource type",
                                        variable->id, variable->name);
    }
}

static int compare(const void *a, const void *b)
{
    const struct wf_shader_binding *x = a;
    const struct wf_shader_binding *y = b;
    if (x->set != y->set)
        return x->set < y->set ? -1 : 1;
    if (x->binding != y->binding)
        return x->binding < y->binding ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static bool describe_root(struct wf_shader_reflector *r, const struct wf_shader_variable *variable)
{
    struct wf_shader_root *root = &r->out->root;
    const struct wf_shader_type *type = wf_shader_type(r->module, variable->type);
    if (root->id != 0)
        return wf_shader_reflector_fail(r, variable->word,
                                        "the entry point uses two push constant blocks");
    if (!type || type->kind != WF_SHADER_TYPE_STRUCT || !type->block)
        return wf_shader_reflector_fail(r, variable->word,
                                        "push constant variable %%%u is no structure decorated "
                                        "Block",
                                        variable->id);
    if (type->size > UINT32_MAX)
        return wf_shader_reflector_fail(r, variable->word, "the push constant block has no end");
    root->id = variable->id;
    root->size = (uint32_t)type->size;
    root->offset = root->size;
    if (type->count == 0)
        return true;
    struct wf_shader_root_member *members =
        wf_base_arena_array(r->arena, type->count, sizeof *members);
    if (!members)
        return wf_shader_reflector_fail_memory(r);
    for (uint32_t i = 0; i < type->count; i++) {
        const struct wf_shader_member *member = &type->members[i];
        if (member->offset == WF_SHADER_NONE)
            return wf_shader_reflector_fail(
                r, variable->word, "member %u of the push constant block has no Offset", i);
        members[i] = (struct wf_shader_root_member){member->offset, member->type, member->size,
                                                    member->name};
        root->offset = member->offset < root->offset ? member->offset : root->offset;
    }
    root->members = members;
    root->member_count = type->count;
    return true;
}

static void note_uses(struct wf_shader_reflection *out, const struct wf_shader_binding *binding)
{
    if (binding->set == HEAP_SET)
        out->uses |= WF_SHADER_USE_HEAP;
    if (!binding->written)
        return;
    const bool buffer = binding->type == WF_SHADER_RESOURCE_STORAGE_BUFFER;
    out->uses |= buffer ? WF_SHADER_USE_BUFFER_WRITES : WF_SHADER_USE_IMAGE_WRITES;
}

bool wf_shader_reflect_bindings(struct wf_shader_reflector *r)
{
    const struct wf_shader_module *module = r->module;
    uint32_t count = 0;
    for (uint32_t i = 0; i < module->variable_count; i++)
        count += is_resource(&module->variables[i]) && r->access[module->variables[i].id] != 0;
    struct wf_shader_binding *bindings = NULL;
    if (count != 0) {
        bindings = wf_base_arena_array(r->arena, count, sizeof *bindings);
        if (!bindings)
            return wf_shader_reflector_fail_memory(r);
    }
    r->out->bindings = bindings;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const struct wf_shader_variable *variable = &module->variables[i];
        if (r->access[variable->id] == 0)
            continue;
        if (variable->storage == SpvStorageClassPushConstant && !describe_root(r, variable))
            return false;
        if (!is_resource(variable) || !bindings)
            continue;
        struct wf_shader_binding *binding = &bindings[r->out->binding_count++];
        if (!describe(r, binding, variable))
            return false;
        note_uses(r->out, binding);
    }
    if (count > 1)
        qsort(bindings, count, sizeof *bindings, compare);
    return true;
}
