// Module-scope variables.
#include "shader/reader.h"

static void decorate(const struct wf_shader_reader *reader, struct wf_shader_variable *variable,
                     const struct wf_shader_decoration *decoration)
{
    const uint32_t value = decoration->count != 0 ? reader->module->words[decoration->word] : 0;
    switch (decoration->kind) {
    case SpvDecorationDescriptorSet:
        variable->set = value;
        break;
    case SpvDecorationBinding:
        variable->binding = value;
        break;
    case SpvDecorationLocation:
        variable->location = value;
        break;
    case SpvDecorationComponent:
        variable->component = value;
        break;
    case SpvDecorationIndex:
        variable->index = value;
        break;
    case SpvDecorationBuiltIn:
        variable->builtin = value;
        break;
    case SpvDecorationInputAttachmentIndex:
        variable->input_attachment = value;
        break;
    case SpvDecorationFlat:
        variable->flat = true;
        break;
    case SpvDecorationNoPerspective:
        variable->no_perspective = true;
        break;
    case SpvDecorationCentroid:
        variable->centroid = true;
        break;
    case SpvDecorationSample:
        variable->sample = true;
        break;
    case SpvDecorationPatch:
        variable->patch = true;
        break;
    case SpvDecorationPerPrimitiveEXT:
        variable->per_primitive = true;
        break;
    case SpvDecorationInvariant:
        variable->invariant = true;
        break;
    case SpvDecorationNonWritable:
        variable->non_writable = true;
        break;
    case SpvDecorationNonReadable:
        variable->non_readable = true;
        break;
    case SpvDecorationCoherent:
        variable->coherent = true;
        break;
    case SpvDecorationVolatile:
        variable->is_volatile = true;
        break;
    case SpvDecorationRestrict:
    case SpvDecorationRestrictPointer:
        variable->restrict_pointer = true;
        break;
    case SpvDecorationAliased:
    case SpvDecorationAliasedPointer:
        variable->aliased = true;
        break;
    default:
        break;
    }
}

static bool check(struct wf_shader_reader *reader, const struct wf_shader_type *pointer)
{
    const struct wf_shader_instruction *ins = &reader->ins;
    const uint32_t storage = ins->operands[0];
    if (pointer->kind != WF_SHADER_TYPE_POINTER || pointer->storage != storage)
        return wf_shader_fail(reader, "its type %%%u is no pointer to its storage class",
                              pointer->id);
    if (storage == SpvStorageClassFunction)
        return wf_shader_fail(reader, "the storage class Function is for variables in functions");
    if (storage == SpvStorageClassPhysicalStorageBuffer)
        return wf_shader_fail(reader,
                              "the storage class PhysicalStorageBuffer is for pointers only");
    if (ins->operand_count < 2)
        return true;
    const struct wf_shader_id *initial = &reader->ids[ins->operands[1]];
    const uint32_t wanted =
        initial->role == WF_SHADER_ROLE_VARIABLE ? pointer->id : pointer->component;
    if (initial->type != wanted)
        return wf_shader_fail(reader, "the initializer %%%u is of another type", ins->operands[1]);
    return true;
}

bool wf_shader_read_variable(struct wf_shader_reader *reader)
{
    struct wf_shader_module *module = reader->module;
    const struct wf_shader_instruction *ins = &reader->ins;
    const struct wf_shader_type *pointer = wf_shader_type(module, ins->type);
    if (!check(reader, pointer))
        return false;
    struct wf_shader_variable *variable = &reader->variables[module->variable_count];
    *variable = (struct wf_shader_variable){
        .id = ins->id,
        .word = ins->word,
        .pointer_type = pointer->id,
        .type = pointer->component,
        .storage = pointer->storage,
        .initializer = ins->operand_count > 1 ? ins->operands[1] : 0,
        .set = WF_SHADER_NONE,
        .binding = WF_SHADER_NONE,
        .location = WF_SHADER_NONE,
        .component = WF_SHADER_NONE,
        .index = WF_SHADER_NONE,
        .builtin = WF_SHADER_NONE,
        .input_attachment = WF_SHADER_NONE,
        .name = wf_shader_name(module, ins->id),
    };
    uint32_t count;
    const struct wf_shader_decoration *list = wf_shader_decorations(module, ins->id, &count);
    for (uint32_t i = 0; i < count; i++)
        decorate(reader, variable, &list[i]);
    return wf_shader_define(reader, WF_SHADER_ROLE_VARIABLE, module->variable_count++);
}
