// Functions: parameters, blocks, what may stand where in them; and calls.
#include "shader/reader.h"

static bool is_terminator(uint16_t opcode)
{
    switch (opcode) {
    case SpvOpBranch:
    case SpvOpBranchConditional:
    case SpvOpSwitch:
    case SpvOpKill:
    case SpvOpReturn:
    case SpvOpReturnValue:
    case SpvOpUnreachable:
    case SpvOpTerminateInvocation:
    case SpvOpIgnoreIntersectionKHR:
    case SpvOpTerminateRayKHR:
    case SpvOpEmitMeshTasksEXT:
        return true;
    default:
        return false;
    }
}

static bool begin_function(struct wf_shader_reader *reader)
{
    struct wf_shader_module *module = reader->module;
    const struct wf_shader_instruction *ins = &reader->ins;
    if (reader->function != 0)
        return wf_shader_fail(reader, "the function before it has no OpFunctionEnd");
    const struct wf_shader_type *type = wf_shader_type(module, ins->operands[1]);
    if (type->kind != WF_SHADER_TYPE_FUNCTION || type->component != ins->type)
        return wf_shader_fail(reader, "%%%u is no function type with its result", ins->operands[1]);
    uint32_t *parameters = NULL;
    if (type->count != 0) {
        parameters = wf_base_arena_array(reader->arena, type->count, sizeof *parameters);
        if (!parameters)
            return wf_shader_fail_memory(reader);
    }
    reader->functions[module->function_count] = (struct wf_shader_function){
        .id = ins->id,
        .word = ins->word,
        .type = type->id,
        .result = ins->type,
        .control = ins->operands[0],
        .parameters = parameters,
        .parameter_count = type->count,
        .first_block = module->block_count,
    };
    reader->parameters = parameters;
    reader->parameters_left = type->count;
    reader->function = module->function_count + 1;
    return wf_shader_define(reader, WF_SHADER_ROLE_FUNCTION, module->function_count++);
}

static bool read_parameter(struct wf_shader_reader *reader, struct wf_shader_function *function)
{
    if (function->block_count != 0 || reader->parameters_left == 0)
        return wf_shader_fail(reader, "the function's type has no such parameter");
    const struct wf_shader_type *type = wf_shader_type(reader->module, function->type);
    const uint32_t index = type->count - reader->parameters_left--;
    if (type->parameters[index] != reader->ins.type)
        return wf_shader_fail(reader, "the function's type has %%%u here", type->parameters[index]);
    reader->parameters[index] = reader->ins.id;
    return wf_shader_define(reader, WF_SHADER_ROLE_VALUE, WF_SHADER_NONE);
}

static bool begin_block(struct wf_shader_reader *reader, struct wf_shader_function *function)
{
    struct wf_shader_module *module = reader->module;
    if (reader->block != 0)
        return wf_shader_fail(reader, "the block before it has no terminator");
    if (reader->parameters_left != 0)
        return wf_shader_fail(reader, "the function lacks %u OpFunctionParameter",
                              reader->parameters_left);
    reader->blocks[module->block_count] = (struct wf_shader_block){
        .label = reader->ins.id,
        .word = reader->ins.word,
        .first = reader->ins.word + reader->ins.count,
    };
    function->block_count++;
    reader->block = module->block_count + 1;
    reader->body_started = false;
    reader->merge = 0;
    return wf_shader_define(reader, WF_SHADER_ROLE_LABEL, module->block_count++);
}

static bool end_function(struct wf_shader_reader *reader, struct wf_shader_function *function)
{
    if (reader->block != 0)
        return wf_shader_fail(reader, "the last block has no terminator");
    if (function->block_count == 0)
        return wf_shader_fail(reader, "the function has no body; Weft links no modules");
    function->end = reader->ins.word + reader->ins.count;
    reader->function = 0;
    return true;
}

static bool read_merge(struct wf_shader_reader *reader, struct wf_shader_block *block)
{
    block->merge = reader->ins.word;
    block->merge_label = reader->ins.operands[0];
    if (reader->ins.opcode == SpvOpLoopMerge)
        block->continue_label = reader->ins.operands[1];
    reader->merge = reader->ins.opcode;
    return true;
}

static bool end_block(struct wf_shader_reader *reader, struct wf_shader_block *block)
{
    const uint16_t opcode = reader->ins.opcode;
    if (reader->merge == SpvOpSelectionMerge && opcode != SpvOpBranchConditional &&
        opcode != SpvOpSwitch)
        return wf_shader_fail(
            reader, "OpSelectionMerge must be followed by OpBranchConditional or OpSwitch");
    if (reader->merge == SpvOpLoopMerge && opcode != SpvOpBranchConditional &&
        opcode != SpvOpBranch)
        return wf_shader_fail(reader,
                              "OpLoopMerge must be followed by OpBranch or OpBranchConditional");
    block->terminator = reader->ins.word;
    block->end = reader->ins.word + reader->ins.count;
    reader->block = 0;
    wf_shader_end_line(reader);
    return true;
}

/// OpPhi, OpVariable and lines may stand at a block's start, in this order; anything else starts
/// its body.
static bool check_place(struct wf_shader_reader *reader, const struct wf_shader_function *function)
{
    const uint16_t opcode = reader->ins.opcode;
    const bool entry = function->block_count == 1;
    if (opcode == SpvOpPhi && (reader->body_started || entry))
        return wf_shader_fail(reader, entry ? "a function's first block has no predecessor"
                                            : "it must stand at the start of its block");
    if (opcode == SpvOpVariable && (reader->body_started || !entry))
        return wf_shader_fail(reader, "it must stand at the start of the function's first block");
    return true;
}

static bool check_local_variable(struct wf_shader_reader *reader)
{
    const struct wf_shader_instruction *ins = &reader->ins;
    const struct wf_shader_type *pointer = wf_shader_type(reader->module, ins->type);
    if (ins->operands[0] != SpvStorageClassFunction)
        return wf_shader_fail(reader,
                              "a variable in a function must be of the storage class Function");
    if (pointer->kind != WF_SHADER_TYPE_POINTER || pointer->storage != SpvStorageClassFunction)
        return wf_shader_fail(reader, "its type %%%u is no pointer to the storage class Function",
                              pointer->id);
    const bool initialized = ins->operand_count > 1;
    const struct wf_shader_id *initial = initialized ? &reader->ids[ins->operands[1]] : NULL;
    if (initial && initial->type != (initial->role == WF_SHADER_ROLE_VARIABLE ? pointer->id
                                                                              : pointer->component))
        return wf_shader_fail(reader, "the initializer %%%u is of another type", ins->operands[1]);
    return true;
}

static bool is_neutral(const struct wf_shader_reader *reader)
{
    const uint16_t opcode = reader->ins.opcode;
    if (opcode != SpvOpExtInst)
        return opcode == SpvOpLine || opcode == SpvOpNoLine || opcode == SpvOpPhi ||
               opcode == SpvOpVariable;
    const struct wf_shader_import *import =
        wf_shader_import(reader->module, reader->ins.operands[0]);
    return import->non_semantic;
}

static bool define_value(struct wf_shader_reader *reader)
{
    if (reader->ins.id == 0)
        return true;
    const bool record = reader->ins.opcode == SpvOpExtInst && is_neutral(reader);
    return wf_shader_define(reader, record ? WF_SHADER_ROLE_OTHER : WF_SHADER_ROLE_VALUE,
                            reader->block - 1);
}

static bool read_in_block(struct wf_shader_reader *reader, struct wf_shader_function *function)
{
    struct wf_shader_block *block = &reader->blocks[reader->block - 1];
    const uint16_t opcode = reader->ins.opcode;
    const bool line = opcode == SpvOpLine || opcode == SpvOpNoLine;
    if (reader->merge != 0 && !line && !is_terminator(opcode))
        return wf_shader_fail(reader, "it stands between a merge instruction and its branch");
    if (!check_place(reader, function) || !wf_shader_read_line(reader))
        return false;
    if (!is_neutral(reader))
        reader->body_started = true;
    if (opcode == SpvOpVariable ? !check_local_variable(reader) : !wf_shader_verify(reader))
        return false;
    if (opcode == SpvOpFunctionCall)
        reader->calls[reader->call_count++] =
            (struct wf_shader_call){.caller = reader->function - 1,
                                    .callee = reader->ins.operands[0],
                                    .word = reader->ins.word};
    if (!define_value(reader))
        return false;
    if (opcode == SpvOpSelectionMerge || opcode == SpvOpLoopMerge)
        return read_merge(reader, block);
    return !is_terminator(opcode) || end_block(reader, block);
}

bool wf_shader_read_body(struct wf_shader_reader *reader)
{
    const uint16_t opcode = reader->ins.opcode;
    if (opcode == SpvOpFunction)
        return begin_function(reader);
    if (reader->function == 0) {
        const bool harmless = opcode == SpvOpLine || opcode == SpvOpNoLine;
        if (harmless)
            return wf_shader_read_line(reader);
        if (opcode == SpvOpExtInst && is_neutral(reader))
            return wf_shader_define(reader, WF_SHADER_ROLE_OTHER, 0);
        return wf_shader_fail(reader, "it stands outside of a function");
    }
    struct wf_shader_function *function = &reader->functions[reader->function - 1];
    switch (opcode) {
    case SpvOpFunctionParameter:
        return read_parameter(reader, function);
    case SpvOpLabel:
        return begin_block(reader, function);
    case SpvOpFunctionEnd:
        return end_function(reader, function);
    default:
        break;
    }
    if (reader->block != 0)
        return read_in_block(reader, function);
    if (opcode == SpvOpLine || opcode == SpvOpNoLine)
        return wf_shader_read_line(reader);
    return wf_shader_fail(reader, "it stands outside of a block");
}

/// A depth-first walk of the call graph, by hand. `height` is how deep calls nest below a function;
/// 0: not known yet.
struct call_walk {
    uint32_t *first; ///< By function: its first call; one more at the end.
    uint32_t *next;  ///< By function on the path: the call to look at next.
    uint32_t *path;
    uint32_t *height;
    bool *open; ///< By function: it is on the path.
};

static bool walk_calls(struct wf_shader_reader *reader, struct call_walk *walk, uint32_t root)
{
    uint32_t depth = 0;
    uint32_t entering = root;
    for (;;) {
        if (entering != WF_SHADER_NONE) {
            walk->path[depth++] = entering;
            walk->next[entering] = walk->first[entering];
            walk->height[entering] = 1;
            walk->open[entering] = true;
            entering = WF_SHADER_NONE;
        }
        const uint32_t function = walk->path[depth - 1];
        if (walk->next[function] == walk->first[function + 1]) {
            walk->open[function] = false;
            if (--depth == 0)
                return true;
            continue;
        }
        const struct wf_shader_call *call = &reader->calls[walk->next[function]];
        const uint32_t callee = reader->ids[call->callee].index;
        wf_shader_move_to(reader, call->word);
        if (walk->open[callee])
            return wf_shader_fail(reader, "function %%%u calls itself; recursion is not allowed",
                                  call->callee);
        if (depth == WF_SHADER_MAX_CALL_DEPTH || walk->height[callee] >= WF_SHADER_MAX_CALL_DEPTH)
            return wf_shader_fail(reader, "calls nest more than %u deep", WF_SHADER_MAX_CALL_DEPTH);
        if (walk->height[callee] == 0) {
            entering = callee; // and come back to this call
            continue;
        }
        walk->next[function]++;
        if (walk->height[callee] + 1 > walk->height[function])
            walk->height[function] = walk->height[callee] + 1;
    }
}

bool wf_shader_check_calls(struct wf_shader_reader *reader)
{
    const uint32_t count = reader->module->function_count;
    if (reader->call_count == 0)
        return true;
    struct call_walk walk = {
        .first = wf_base_arena_array(&reader->scratch, (size_t)count + 1, sizeof *walk.first),
        .next = wf_base_arena_array(&reader->scratch, count, sizeof *walk.next),
        .path = wf_base_arena_array(&reader->scratch, WF_SHADER_MAX_CALL_DEPTH, sizeof *walk.path),
        .height = wf_base_arena_array(&reader->scratch, count, sizeof *walk.height),
        .open = wf_base_arena_array(&reader->scratch, count, sizeof *walk.open),
    };
    if (!walk.first || !walk.next || !walk.path || !walk.height || !walk.open)
        return wf_shader_fail_memory(reader);
    // Calls were collected in order of their callers.
    for (uint32_t i = 0; i < reader->call_count; i++)
        walk.first[reader->calls[i].caller + 1]++;
    for (uint32_t i = 0; i < count; i++)
        walk.first[i + 1] += walk.first[i];
    for (uint32_t i = 0; i < count; i++) {
        if (walk.height[i] == 0 && !walk_calls(reader, &walk, i))
            return false;
    }
    return true;
}
