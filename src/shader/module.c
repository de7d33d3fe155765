#include "shader/module.h"

#include "shader/reader.h"

#include <string.h>

void wf_shader_free(struct wf_shader_module *module)
{
    if (!module)
        return;
    struct wf_shader_storage *storage = module->storage;
    const struct wf_base_allocator *allocator = storage->allocator;
    wf_base_arena_finish(&storage->arena);
    wf_base_free(allocator, storage, sizeof *storage);
}

struct wf_shader_instruction wf_shader_at(const struct wf_shader_module *module, uint32_t word)
{
    const uint32_t *words = module->words + word;
    struct wf_shader_instruction ins = {
        .words = words,
        .word = word,
        .opcode = (uint16_t)(words[0] & 0xFFFF),
        .count = (uint16_t)(words[0] >> 16),
    };
    const struct wf_shader_op *op = wf_shader_op(ins.opcode);
    uint32_t at = 1;
    if (op && (op->flags & WF_SHADER_OP_HAS_TYPE) && at < ins.count)
        ins.type = words[at++];
    if (op && (op->flags & WF_SHADER_OP_HAS_ID) && at < ins.count)
        ins.id = words[at++];
    ins.operands = words + at;
    ins.operand_count = (uint16_t)(ins.count - at);
    return ins;
}

bool wf_shader_next(const struct wf_shader_module *module, uint32_t *word, uint32_t end,
                    struct wf_shader_instruction *out)
{
    if (*word >= end || *word >= module->word_count)
        return false;
    *out = wf_shader_at(module, *word);
    *word += out->count;
    return true;
}

/// The id's record if it has this role.
static const struct wf_shader_id *find(const struct wf_shader_module *module, uint32_t id,
                                       enum wf_shader_role role)
{
    if (id >= module->bound || module->ids[id].role != role)
        return NULL;
    return &module->ids[id];
}

const struct wf_shader_type *wf_shader_type(const struct wf_shader_module *module, uint32_t id)
{
    const struct wf_shader_id *found = find(module, id, WF_SHADER_ROLE_TYPE);
    return found ? &module->types[found->index] : NULL;
}

const struct wf_shader_type *wf_shader_type_of(const struct wf_shader_module *module, uint32_t id)
{
    return id < module->bound ? wf_shader_type(module, module->ids[id].type) : NULL;
}

const struct wf_shader_constant *wf_shader_constant(const struct wf_shader_module *module,
                                                    uint32_t id)
{
    const struct wf_shader_id *found = find(module, id, WF_SHADER_ROLE_CONSTANT);
    return found ? &module->constants[found->index] : NULL;
}

const struct wf_shader_variable *wf_shader_variable(const struct wf_shader_module *module,
                                                    uint32_t id)
{
    const struct wf_shader_id *found = find(module, id, WF_SHADER_ROLE_VARIABLE);
    return found ? &module->variables[found->index] : NULL;
}

const struct wf_shader_function *wf_shader_function(const struct wf_shader_module *module,
                                                    uint32_t id)
{
    const struct wf_shader_id *found = find(module, id, WF_SHADER_ROLE_FUNCTION);
    return found ? &module->functions[found->index] : NULL;
}

const struct wf_shader_block *wf_shader_block(const struct wf_shader_module *module, uint32_t label)
{
    const struct wf_shader_id *found = find(module, label, WF_SHADER_ROLE_LABEL);
    return found ? &module->blocks[found->index] : NULL;
}

const struct wf_shader_import *wf_shader_import(const struct wf_shader_module *module, uint32_t id)
{
    const struct wf_shader_id *found = find(module, id, WF_SHADER_ROLE_EXT_IMPORT);
    return found ? &module->imports[found->index] : NULL;
}

const struct wf_shader_entry *wf_shader_entry(const struct wf_shader_module *module, uint32_t model,
                                              const char *name)
{
    for (uint32_t i = 0; i < module->entry_count; i++) {
        const struct wf_shader_entry *entry = &module->entries[i];
        if (entry->model == model && (!name || strcmp(entry->name, name) == 0))
            return entry;
    }
    return NULL;
}

bool wf_shader_has_capability(const struct wf_shader_module *module, uint32_t capability)
{
    if (capability >= WF_SHADER_CAPABILITY_BITS)
        return false;
    return module->storage->capabilities[capability / 64] >> capability % 64 & 1;
}

const char *wf_shader_name(const struct wf_shader_module *module, uint32_t id)
{
    const uint32_t word =
        id < module->bound && module->storage->names ? module->storage->names[id] : 0;
    return word != 0 ? module->storage->text + (size_t)word * 4 : "";
}

const char *wf_shader_string(const struct wf_shader_module *module, uint32_t id)
{
    const struct wf_shader_id *found = find(module, id, WF_SHADER_ROLE_STRING);
    return found ? module->storage->text + ((size_t)found->word + 2) * 4 : "";
}

const struct wf_shader_decoration *wf_shader_decorations(const struct wf_shader_module *module,
                                                         uint32_t id, uint32_t *count)
{
    *count = 0;
    if (id >= module->bound || module->decoration_count == 0)
        return NULL;
    const uint32_t *start = module->storage->decorated + id;
    *count = start[1] - start[0];
    return *count != 0 ? module->decorations + start[0] : NULL;
}

const struct wf_shader_decoration *wf_shader_decoration(const struct wf_shader_module *module,
                                                        uint32_t id, uint32_t member, uint32_t kind)
{
    uint32_t count;
    const struct wf_shader_decoration *list = wf_shader_decorations(module, id, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].member == member && list[i].kind == kind)
            return &list[i];
    }
    return NULL;
}

uint32_t wf_shader_decoration_value(const struct wf_shader_module *module, uint32_t id,
                                    uint32_t member, uint32_t kind)
{
    const struct wf_shader_decoration *found = wf_shader_decoration(module, id, member, kind);
    return found && found->count != 0 ? module->words[found->word] : WF_SHADER_NONE;
}

const struct wf_shader_line *wf_shader_line(const struct wf_shader_module *module, uint32_t word)
{
    uint32_t low = 0, high = module->line_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (module->lines[middle].word <= word)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || module->lines[low - 1].file == 0)
        return NULL;
    return &module->lines[low - 1];
}
