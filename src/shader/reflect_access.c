// Which functions an entry point runs, and how they use what they name. A use is passed from each
// value to what it was made from: instructions are walked backwards, functions callees first.
#include "shader/operands.h"
#include "shader/reflector.h"
#include "shader/tables.h"

/// The functions reachable from the entry point, each after those that it calls. The reader refused
/// recursion.
static bool order_functions(struct wf_shader_reflector *r)
{
    const struct wf_shader_module *module = r->module;
    uint32_t path[WF_SHADER_MAX_CALL_DEPTH];
    uint32_t depth = 0;
    r->functions = wf_base_arena_array(&r->scratch, module->function_count, sizeof *r->functions);
    uint32_t *cursor = wf_base_arena_array(&r->scratch, module->function_count, sizeof *cursor);
    if (!r->functions || !cursor)
        return wf_shader_reflector_fail_memory(r);
    const uint32_t first = module->ids[r->entry->function].index;
    path[depth++] = first;
    cursor[first] = module->functions[first].word;
    while (depth > 0) {
        const uint32_t index = path[depth - 1];
        struct wf_shader_instruction ins;
        bool entered = false;
        while (!entered &&
               wf_shader_next(module, &cursor[index], module->functions[index].end, &ins)) {
            if (ins.opcode != SpvOpFunctionCall)
                continue;
            const uint32_t callee = module->ids[ins.operands[0]].index;
            if (cursor[callee] != 0)
                continue;
            cursor[callee] = module->functions[callee].word;
            path[depth++] = callee;
            entered = true;
        }
        if (!entered) {
            r->functions[r->function_count++] = index;
            depth--;
        }
    }
    return true;
}

static void mark(struct wf_shader_reflector *r, uint32_t id, uint32_t bits)
{
    r->access[id] |= (uint8_t)(bits | WF_SHADER_ACCESS_USED);
}

static bool is_opaque(const struct wf_shader_type *type)
{
    return type &&
           (type->kind == WF_SHADER_TYPE_IMAGE || type->kind == WF_SHADER_TYPE_SAMPLED_IMAGE ||
            type->kind == WF_SHADER_TYPE_SAMPLER ||
            type->kind == WF_SHADER_TYPE_ACCELERATION_STRUCTURE);
}

/// Anything that this file has no rule for reads the variables and images that it names.
static void mark_operands(struct wf_shader_reflector *r, const struct wf_shader_instruction *ins,
                          uint32_t bits)
{
    struct wf_shader_operands walk;
    struct wf_shader_operand operand;
    wf_shader_operands_start(&walk, r->module, ins, wf_shader_op(ins->opcode));
    while (wf_shader_operand_next(&walk, &operand) > 0) {
        if (operand.kind != WF_SHADER_KIND_ID)
            continue;
        const uint32_t id = ins->words[operand.at];
        const struct wf_shader_type *type = wf_shader_type_of(r->module, id);
        if (type && (type->kind == WF_SHADER_TYPE_POINTER || is_opaque(type)))
            mark(r, id, bits);
    }
}

static bool is_pointer(const struct wf_shader_reflector *r, uint32_t id)
{
    const struct wf_shader_type *type = wf_shader_type_of(r->module, id);
    return type && type->kind == WF_SHADER_TYPE_POINTER;
}

static void mark_call(struct wf_shader_reflector *r, const struct wf_shader_instruction *ins)
{
    const struct wf_shader_function *callee = wf_shader_function(r->module, ins->operands[0]);
    for (uint32_t i = 0; i < callee->parameter_count; i++) {
        if (r->access[callee->parameters[i]] != 0)
            mark(r, ins->operands[i + 1], r->access[callee->parameters[i]]);
    }
}

static void mark_atomic(struct wf_shader_reflector *r, const struct wf_shader_instruction *ins)
{
    uint32_t bits = WF_SHADER_ACCESS_ATOMIC;
    if (ins->opcode != SpvOpAtomicStore)
        bits |= WF_SHADER_ACCESS_READ;
    if (ins->opcode != SpvOpAtomicLoad)
        bits |= WF_SHADER_ACCESS_WRITE;
    const struct wf_shader_type *pointer = wf_shader_type_of(r->module, ins->operands[0]);
    const struct wf_shader_type *value =
        pointer ? wf_shader_type(r->module, pointer->component) : NULL;
    mark(r, ins->operands[0], bits);
    r->out->uses |= WF_SHADER_USE_ATOMICS;
    if (value && value->width == 64 && value->kind == WF_SHADER_TYPE_INT)
        r->out->uses |= WF_SHADER_USE_INT64_ATOMICS;
    if (value && value->kind == WF_SHADER_TYPE_FLOAT) // loads and exchanges have no capability
        r->out->uses |= WF_SHADER_USE_FLOAT_ATOMICS;
    if (pointer && (bits & WF_SHADER_ACCESS_WRITE) != 0 &&
        pointer->storage == SpvStorageClassPhysicalStorageBuffer)
        r->out->uses |= WF_SHADER_USE_BUFFER_WRITES;
}

static void mark_store(struct wf_shader_reflector *r, uint32_t pointer)
{
    const struct wf_shader_type *type = wf_shader_type_of(r->module, pointer);
    mark(r, pointer, WF_SHADER_ACCESS_WRITE);
    if (type && type->storage == SpvStorageClassPhysicalStorageBuffer)
        r->out->uses |= WF_SHADER_USE_BUFFER_WRITES;
}

/// An access chain hands on how its result is used. glslang declares gl_PerVertex whole, so that
/// only here it shows which of its built-ins are written.
static void mark_chain(struct wf_shader_reflector *r, const struct wf_shader_instruction *ins)
{
    const uint32_t access = r->access[ins->id];
    mark(r, ins->operands[0], access);
    const struct wf_shader_variable *variable = wf_shader_variable(r->module, ins->operands[0]);
    if (!variable || variable->storage != SpvStorageClassOutput || ins->operand_count < 2 ||
        (access & WF_SHADER_ACCESS_WRITE) == 0)
        return;
    const struct wf_shader_type *type = wf_shader_type(r->module, variable->type);
    uint32_t at = 1;
    if (type->kind == WF_SHADER_TYPE_ARRAY && ins->operand_count > 2) {
        type = wf_shader_type(r->module, type->component); // per vertex
        at = 2;
    }
    const struct wf_shader_constant *index = wf_shader_constant(r->module, ins->operands[at]);
    if (type->kind == WF_SHADER_TYPE_STRUCT && index && index->value < type->count)
        wf_shader_note_output(r, type->members[index->value].builtin);
}

/// Bits for opcodes, whatever their operands are.
static uint32_t uses_of(uint16_t opcode)
{
    switch (opcode) {
    case SpvOpKill:
    case SpvOpTerminateInvocation:
    case SpvOpDemoteToHelperInvocation:
        return WF_SHADER_USE_DISCARD;
    case SpvOpImageSampleImplicitLod:
    case SpvOpImageSampleDrefImplicitLod:
    case SpvOpImageSampleProjImplicitLod:
    case SpvOpImageSampleProjDrefImplicitLod:
    case SpvOpImageSparseSampleImplicitLod:
    case SpvOpImageSparseSampleDrefImplicitLod:
    case SpvOpImageQueryLod:
        return WF_SHADER_USE_DERIVATIVES;
    case SpvOpControlBarrier:
        return WF_SHADER_USE_BARRIERS;
    case SpvOpImageWrite:
        return WF_SHADER_USE_IMAGE_WRITES;
    default:
        return 0;
    }
}

static void walk_instruction(struct wf_shader_reflector *r, const struct wf_shader_instruction *ins)
{
    const struct wf_shader_op *op = wf_shader_op(ins->opcode);
    r->out->uses |= uses_of(ins->opcode);
    if (op->group == WF_SHADER_CLASS_DERIVATIVE)
        r->out->uses |= WF_SHADER_USE_DERIVATIVES;
    if (op->group == WF_SHADER_CLASS_ATOMIC || ins->opcode == SpvOpAtomicFAddEXT ||
        ins->opcode == SpvOpAtomicFMinEXT || ins->opcode == SpvOpAtomicFMaxEXT) {
        mark_atomic(r, ins);
        return;
    }
    switch (ins->opcode) {
    case SpvOpLoad: {
        const bool handle = is_opaque(wf_shader_type(r->module, ins->type));
        mark(r, ins->operands[0],
             handle ? r->access[ins->id] | WF_SHADER_ACCESS_USED : WF_SHADER_ACCESS_READ);
        break;
    }
    case SpvOpStore:
        mark_store(r, ins->operands[0]);
        if (is_pointer(r, ins->operands[1]))
            mark(r, ins->operands[1], WF_SHADER_ACCESS_READ | WF_SHADER_ACCESS_WRITE);
        break;
    case SpvOpCopyMemory:
        mark_store(r, ins->operands[0]);
        mark(r, ins->operands[1], WF_SHADER_ACCESS_READ);
        break;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        mark_chain(r, ins);
        break;
    case SpvOpPtrAccessChain:
    case SpvOpInBoundsPtrAccessChain:
    case SpvOpCopyObject:
    case SpvOpImageTexelPointer:
    case SpvOpImage:
        mark(r, ins->operands[0], r->access[ins->id]);
        break;
    case SpvOpSampledImage:
        mark(r, ins->operands[0], r->access[ins->id]);
        mark(r, ins->operands[1], r->access[ins->id]);
        break;
    case SpvOpImageWrite:
        mark(r, ins->operands[0], WF_SHADER_ACCESS_WRITE);
        break;
    case SpvOpFunctionCall:
        mark_call(r, ins);
        break;
    case SpvOpPhi:
    case SpvOpSelect:
    case SpvOpReturnValue:
        // What a chosen pointer is used for may stand before the choice, in a loop.
        mark_operands(r, ins, WF_SHADER_ACCESS_READ | WF_SHADER_ACCESS_WRITE);
        break;
    default:
        mark_operands(r, ins, WF_SHADER_ACCESS_READ);
        break;
    }
}

/// What only one stage has.
static bool check_stage(struct wf_shader_reflector *r, const struct wf_shader_instruction *ins)
{
    const uint32_t stage = ins->opcode == SpvOpEmitMeshTasksEXT    ? WF_SHADER_STAGE_TASK
                           : ins->opcode == SpvOpSetMeshOutputsEXT ? WF_SHADER_STAGE_MESH
                                                                   : r->out->stage;
    return stage == r->out->stage ||
           wf_shader_reflector_fail(r, ins->word, "Op%s is not for the stage of \"%.60s\"",
                                    wf_shader_op_name(wf_shader_op(ins->opcode)), r->entry->name);
}

static bool walk_function(struct wf_shader_reflector *r, const struct wf_shader_function *function)
{
    const struct wf_base_arena_mark saved = wf_base_arena_mark_get(&r->scratch);
    uint32_t *words = wf_base_arena_alloc(
        &r->scratch, (size_t)(function->end - function->word) * sizeof *words, 4);
    if (!words)
        return wf_shader_reflector_fail_memory(r);
    uint32_t count = 0;
    struct wf_shader_instruction ins;
    for (uint32_t at = function->word; wf_shader_next(r->module, &at, function->end, &ins);)
        words[count++] = ins.word;
    while (count > 0) {
        ins = wf_shader_at(r->module, words[--count]);
        if (!check_stage(r, &ins))
            return false;
        walk_instruction(r, &ins);
    }
    wf_base_arena_rewind(&r->scratch, saved);
    return true;
}

bool wf_shader_reflect_access(struct wf_shader_reflector *r)
{
    r->access = wf_base_arena_array(&r->scratch, r->module->bound, sizeof *r->access);
    if (!r->access)
        return wf_shader_reflector_fail_memory(r);
    if (!order_functions(r))
        return false;
    for (uint32_t i = 0; i < r->function_count; i++) {
        if (!walk_function(r, &r->module->functions[r->functions[i]]))
            return false;
    }
    return true;
}
