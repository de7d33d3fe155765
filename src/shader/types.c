// Type declarations, and structure members with their layout.
#include "shader/reader.h"

static uint64_t add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/// The end of the last of `count` items.
static uint64_t span(uint64_t count, uint64_t stride, uint64_t size)
{
    return count == 0 ? 0 : add(multiply(count - 1, stride), size);
}

static const struct wf_shader_type *operand_type(const struct wf_shader_reader *reader, uint32_t at)
{
    return wf_shader_type(reader->module, reader->ins.operands[at]);
}

static bool read_number(struct wf_shader_reader *reader, struct wf_shader_type *type)
{
    const struct wf_shader_instruction *ins = &reader->ins;
    type->width = ins->operands[0];
    type->size = type->width / 8;
    const bool power = type->width == 16 || type->width == 32 || type->width == 64;
    if (ins->opcode == SpvOpTypeInt) {
        type->kind = WF_SHADER_TYPE_INT;
        type->is_signed = ins->operands[1] != 0;
        if (ins->operands[1] > 1 || (!power && type->width != 8))
            return wf_shader_fail(reader, "width %u, signedness %u is no integer type", type->width,
                                  ins->operands[1]);
        return true;
    }
    type->kind = WF_SHADER_TYPE_FLOAT;
    if (!power || ins->operand_count > 1)
        return wf_shader_fail(reader, "it is not an IEEE float of 16, 32 or 64 bits");
    return true;
}

static bool read_vector(struct wf_shader_reader *reader, struct wf_shader_type *type)
{
    const struct wf_shader_type *part = operand_type(reader, 0);
    const bool matrix = reader->ins.opcode == SpvOpTypeMatrix;
    type->kind = matrix ? WF_SHADER_TYPE_MATRIX : WF_SHADER_TYPE_VECTOR;
    type->component = part->id;
    type->count = reader->ins.operands[1];
    if (type->count < 2 || type->count > 4)
        return wf_shader_fail(reader, "%u parts are not 2 to 4", type->count);
    const bool scalar = part->kind == WF_SHADER_TYPE_BOOL || part->kind == WF_SHADER_TYPE_INT ||
                        part->kind == WF_SHADER_TYPE_FLOAT;
    const bool column =
        part->kind == WF_SHADER_TYPE_VECTOR &&
        wf_shader_type(reader->module, part->component)->kind == WF_SHADER_TYPE_FLOAT;
    if (matrix ? !column : !scalar)
        return wf_shader_fail(reader, "%%%u is no %s", part->id,
                              matrix ? "float vector" : "scalar type");
    type->width = part->width;
    type->size = type->count * part->size;
    type->leaves = type->count * part->leaves;
    return true;
}

static bool is_data(const struct wf_shader_type *type)
{
    return type->kind != WF_SHADER_TYPE_VOID && type->kind != WF_SHADER_TYPE_FUNCTION;
}

/// Whether the id is a pointer type to come, which OpTypeForwardPointer announced.
static bool is_announced(const struct wf_shader_reader *reader, uint32_t id)
{
    return reader->ids[id].role == WF_SHADER_ROLE_NONE && reader->forward[id] != 0;
}

static bool read_array(struct wf_shader_reader *reader, struct wf_shader_type *type)
{
    const struct wf_shader_module *module = reader->module;
    const struct wf_shader_type pointer = {
        .id = reader->ins.operands[0], .kind = WF_SHADER_TYPE_POINTER, .size = 8, .leaves = 1};
    const bool announced = is_announced(reader, pointer.id);
    const struct wf_shader_type *element = announced ? &pointer : operand_type(reader, 0);
    const uint32_t stride =
        wf_shader_decoration_value(module, type->id, WF_SHADER_NONE, SpvDecorationArrayStride);
    if (!element)
        return wf_shader_fail(reader, "%%%u is no type that is known here", pointer.id);
    type->component = element->id;
    type->depth = (uint8_t)(element->depth + 1);
    type->stride = stride == WF_SHADER_NONE ? 0 : stride;
    if (!is_data(element) || element->kind == WF_SHADER_TYPE_RUNTIME_ARRAY)
        return wf_shader_fail(reader, "%%%u cannot be an array's element", element->id);
    if (reader->ins.opcode == SpvOpTypeRuntimeArray) {
        type->kind = WF_SHADER_TYPE_RUNTIME_ARRAY;
        type->leaves = element->leaves;
        return true;
    }
    type->kind = WF_SHADER_TYPE_ARRAY;
    type->length_id = reader->ins.operands[1];
    const struct wf_shader_constant *length = wf_shader_constant(module, type->length_id);
    const struct wf_shader_type *length_type = wf_shader_type(module, length->type);
    if (length_type->kind != WF_SHADER_TYPE_INT || length->opcode == SpvOpUndef)
        return wf_shader_fail(reader, "the length %%%u is no integer constant", type->length_id);
    const bool negative = length_type->is_signed && (length->value >> (length_type->width - 1) & 1);
    if (length->value == 0 || length->value > UINT32_MAX || negative)
        return wf_shader_fail(reader, "the length %%%u is not 1 to %u", type->length_id,
                              UINT32_MAX);
    type->count = (uint32_t)length->value;
    type->size = span(type->count, type->stride != 0 ? type->stride : element->size, element->size);
    type->leaves = multiply(type->count, element->leaves);
    return true;
}

static bool read_pointer(struct wf_shader_reader *reader, struct wf_shader_type *type)
{
    const uint32_t stride = wf_shader_decoration_value(reader->module, type->id, WF_SHADER_NONE,
                                                       SpvDecorationArrayStride);
    type->kind = WF_SHADER_TYPE_POINTER;
    type->storage = reader->ins.operands[0];
    type->component = reader->ins.operands[1];
    type->stride = stride == WF_SHADER_NONE ? 0 : stride;
    type->size = 8;
    if (operand_type(reader, 1)->kind == WF_SHADER_TYPE_VOID)
        return wf_shader_fail(reader, "it points to void");
    return true;
}

static bool read_function(struct wf_shader_reader *reader, struct wf_shader_type *type)
{
    const struct wf_shader_instruction *ins = &reader->ins;
    type->kind = WF_SHADER_TYPE_FUNCTION;
    type->component = ins->operands[0];
    type->count = ins->operand_count - 1u;
    type->parameters = ins->operands + 1;
    if (type->count > WF_SHADER_MAX_PARAMETERS)
        return wf_shader_fail(reader, "%u parameters are more than %u", type->count,
                              WF_SHADER_MAX_PARAMETERS);
    if (operand_type(reader, 0)->kind == WF_SHADER_TYPE_FUNCTION)
        return wf_shader_fail(reader, "its result is a function type");
    for (uint32_t i = 0; i < type->count; i++) {
        if (!is_data(operand_type(reader, 1 + i)))
            return wf_shader_fail(reader, "parameter type %%%u is no data type",
                                  type->parameters[i]);
    }
    return true;
}

static bool read_image(struct wf_shader_reader *reader, struct wf_shader_type *type)
{
    const uint32_t *operands = reader->ins.operands;
    const struct wf_shader_type *sampled = operand_type(reader, 0);
    type->kind = WF_SHADER_TYPE_IMAGE;
    type->component = sampled->id;
    if (sampled->kind != WF_SHADER_TYPE_INT && sampled->kind != WF_SHADER_TYPE_FLOAT)
        return wf_shader_fail(reader, "its sampled type is no number");
    if (operands[2] > 2 || operands[3] > 1 || operands[4] > 1 || operands[5] < 1 || operands[5] > 2)
        return wf_shader_fail(
            reader, "depth %u, arrayed %u, multisampled %u, sampled %u are not all in range",
            operands[2], operands[3], operands[4], operands[5]);
    type->image.dim = operands[1];
    type->image.depth = (uint8_t)operands[2];
    type->image.arrayed = (uint8_t)operands[3];
    type->image.multisampled = (uint8_t)operands[4];
    type->image.sampled = (uint8_t)operands[5];
    type->image.format = operands[6];
    return true;
}

static void decorate_member(const struct wf_shader_reader *reader, struct wf_shader_member *member,
                            const struct wf_shader_decoration *decoration)
{
    const uint32_t value = decoration->count != 0 ? reader->module->words[decoration->word] : 0;
    switch (decoration->kind) {
    case SpvDecorationOffset:
        member->offset = value;
        break;
    case SpvDecorationMatrixStride:
        member->matrix_stride = value;
        break;
    case SpvDecorationRowMajor:
        member->row_major = true;
        break;
    case SpvDecorationBuiltIn:
        member->builtin = value;
        break;
    case SpvDecorationLocation:
        member->location = value;
        break;
    case SpvDecorationComponent:
        member->component = value;
        break;
    case SpvDecorationNonWritable:
        member->non_writable = true;
        break;
    case SpvDecorationNonReadable:
        member->non_readable = true;
        break;
    case SpvDecorationFlat:
        member->flat = true;
        break;
    case SpvDecorationNoPerspective:
        member->no_perspective = true;
        break;
    case SpvDecorationCentroid:
        member->centroid = true;
        break;
    case SpvDecorationSample:
        member->sample = true;
        break;
    case SpvDecorationPatch:
        member->patch = true;
        break;
    case SpvDecorationPerPrimitiveEXT:
        member->per_primitive = true;
        break;
    default:
        break;
    }
}

/// Decorations and names of all members, in one sweep each.
static bool decorate_members(struct wf_shader_reader *reader, struct wf_shader_type *type,
                             struct wf_shader_member *members)
{
    uint32_t count;
    const struct wf_shader_decoration *list =
        wf_shader_decorations(reader->module, type->id, &count);
    for (uint32_t i = 0; i < count; i++) {
        type->block |= list[i].member == WF_SHADER_NONE && list[i].kind == SpvDecorationBlock;
        type->buffer_block |=
            list[i].member == WF_SHADER_NONE && list[i].kind == SpvDecorationBufferBlock;
        if (list[i].member == WF_SHADER_NONE)
            continue;
        if (list[i].member >= type->count)
            return wf_shader_fail(reader, "member %u is decorated, but there are %u",
                                  list[i].member, type->count);
        decorate_member(reader, &members[list[i].member], &list[i]);
    }
    for (uint32_t i = reader->named_members[type->id]; i < reader->named_members[type->id + 1];
         i++) {
        const struct wf_shader_decoration *name = &reader->member_names[i];
        if (name->member >= type->count)
            return wf_shader_fail(reader, "member %u is named, but there are %u", name->member,
                                  type->count);
        members[name->member].name = reader->storage->text + (size_t)name->word * 4;
    }
    return true;
}

/// Bytes of a matrix, or of nested arrays of one, with the member's stride.
static uint64_t matrix_member_size(const struct wf_shader_module *module,
                                   const struct wf_shader_member *member)
{
    uint64_t count_span = 0;
    const struct wf_shader_type *type = wf_shader_type(module, member->type);
    while (type && type->kind == WF_SHADER_TYPE_ARRAY) {
        count_span = add(count_span, multiply(type->count - 1u, type->stride));
        type = wf_shader_type(module, type->component);
    }
    if (!type || type->kind != WF_SHADER_TYPE_MATRIX)
        return UINT64_MAX;
    const struct wf_shader_type *column = wf_shader_type(module, type->component);
    const uint64_t scalar = type->width / 8;
    const uint64_t size = member->row_major
                              ? span(column->count, member->matrix_stride, type->count * scalar)
                              : span(type->count, member->matrix_stride, column->size);
    return add(count_span, size);
}

static bool is_matrix_member(const struct wf_shader_module *module,
                             const struct wf_shader_type *type)
{
    while (type->kind == WF_SHADER_TYPE_ARRAY)
        type = wf_shader_type(module, type->component);
    return type->kind == WF_SHADER_TYPE_MATRIX;
}

static bool read_member(struct wf_shader_reader *reader, struct wf_shader_type *type,
                        struct wf_shader_member *member, bool last)
{
    const struct wf_shader_module *module = reader->module;
    const struct wf_shader_type *part = wf_shader_type(module, member->type);
    if (!part) {
        if (!is_announced(reader, member->type))
            return wf_shader_fail(reader, "member type %%%u is no type that is known here",
                                  member->type);
        member->size = 8; // a pointer that OpTypeForwardPointer announced
        type->leaves = add(type->leaves, 1);
        return true;
    }
    if (!is_data(part) || (part->kind == WF_SHADER_TYPE_RUNTIME_ARRAY && !last))
        return wf_shader_fail(reader, "%%%u cannot be a member here", member->type);
    member->size = member->matrix_stride != 0 && is_matrix_member(module, part)
                       ? matrix_member_size(module, member)
                       : part->size;
    type->leaves = add(type->leaves, part->leaves);
    if (part->kind != WF_SHADER_TYPE_POINTER && part->depth >= type->depth)
        type->depth = (uint8_t)(part->depth + 1);
    return true;
}

static bool read_struct(struct wf_shader_reader *reader, struct wf_shader_type *type)
{
    const uint32_t count = reader->ins.operand_count;
    type->kind = WF_SHADER_TYPE_STRUCT;
    type->count = count;
    type->leaves = 0;
    if (count > WF_SHADER_MAX_MEMBERS)
        return wf_shader_fail(reader, "%u members are more than %u", count, WF_SHADER_MAX_MEMBERS);
    if (count == 0)
        return true;
    struct wf_shader_member *members = wf_base_arena_array(reader->arena, count, sizeof *members);
    if (!members)
        return wf_shader_fail_memory(reader);
    for (uint32_t i = 0; i < count; i++) {
        members[i] = (struct wf_shader_member){
            .type = reader->ins.operands[i],
            .offset = WF_SHADER_NONE,
            .builtin = WF_SHADER_NONE,
            .location = WF_SHADER_NONE,
            .component = WF_SHADER_NONE,
            .name = "",
        };
    }
    type->members = members;
    if (!decorate_members(reader, type, members))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!read_member(reader, type, &members[i], i + 1 == count))
            return false;
        const uint64_t start = members[i].offset != WF_SHADER_NONE ? members[i].offset : type->size;
        const uint64_t end = add(start, members[i].size);
        type->size = end > type->size ? end : type->size;
    }
    return true;
}

static bool read_forward_pointer(struct wf_shader_reader *reader)
{
    reader->forward[reader->ins.operands[0]] = 1;
    return true;
}

static bool read_kind(struct wf_shader_reader *reader, struct wf_shader_type *type)
{
    switch (reader->ins.opcode) {
    case SpvOpTypeVoid:
        type->kind = WF_SHADER_TYPE_VOID;
        type->leaves = 0;
        return true;
    case SpvOpTypeBool:
        type->kind = WF_SHADER_TYPE_BOOL;
        type->size = 4;
        return true;
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        return read_number(reader, type);
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        return read_vector(reader, type);
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
        return read_array(reader, type);
    case SpvOpTypeStruct:
        return read_struct(reader, type);
    case SpvOpTypePointer:
        return read_pointer(reader, type);
    case SpvOpTypeFunction:
        return read_function(reader, type);
    case SpvOpTypeImage:
        return read_image(reader, type);
    case SpvOpTypeSampler:
        type->kind = WF_SHADER_TYPE_SAMPLER;
        return true;
    case SpvOpTypeSampledImage:
        type->kind = WF_SHADER_TYPE_SAMPLED_IMAGE;
        type->component = reader->ins.operands[0];
        return operand_type(reader, 0)->kind == WF_SHADER_TYPE_IMAGE ||
               wf_shader_fail(reader, "%%%u is no image type", type->component);
    case SpvOpTypeAccelerationStructureKHR:
        type->kind = WF_SHADER_TYPE_ACCELERATION_STRUCTURE;
        return true;
    case SpvOpTypeRayQueryKHR:
        type->kind = WF_SHADER_TYPE_RAY_QUERY;
        return true;
    default:
        type->kind = WF_SHADER_TYPE_OTHER;
        return true;
    }
}

bool wf_shader_read_type(struct wf_shader_reader *reader)
{
    if (reader->ins.opcode == SpvOpTypeForwardPointer)
        return read_forward_pointer(reader);
    struct wf_shader_type *type = &reader->types[reader->module->type_count];
    *type = (struct wf_shader_type){.id = reader->ins.id, .depth = 1, .leaves = 1};
    if (!read_kind(reader, type))
        return false;
    if (type->depth > WF_SHADER_MAX_TYPE_DEPTH)
        return wf_shader_fail(reader, "types nest more than %u deep", WF_SHADER_MAX_TYPE_DEPTH);
    return wf_shader_define(reader, WF_SHADER_ROLE_TYPE, reader->module->type_count++);
}
