// Descriptor arrays that are indexed by values which may differ between invocations; see
// wf_shader_finding_kind.
#include "shader/message.h"
#include "shader/operands.h"
#include "shader/reflector.h"
#include "shader/tables.h"

/// Loops and variables can hand values backwards; so many walks of the code follow them. More would
/// only matter to chains of variables that each are written after they are read.
enum { MAX_WALKS = 16, MAX_FINDINGS = 64 };

/// One analysis.
struct spread {
    struct wf_shader_reflector *r;
    const struct wf_shader_module *module;
    uint8_t
        *varying; ///< By id: the value may differ; of a pointer: its address, or what it points to.
    uint8_t *decorated; ///< By id: NonUniform.
    uint8_t *returns;   ///< By function index: its result may differ.
    bool changed;
};

static bool is_uniform_builtin(uint32_t builtin)
{
    switch (builtin) {
    case SpvBuiltInWorkgroupId:
    case SpvBuiltInNumWorkgroups:
    case SpvBuiltInWorkgroupSize:
    case SpvBuiltInDrawIndex:
    case SpvBuiltInBaseVertex:
    case SpvBuiltInBaseInstance:
    case SpvBuiltInViewIndex:
    case SpvBuiltInDeviceIndex:
    case SpvBuiltInSubgroupSize:
    case SpvBuiltInNumSubgroups:
        return true;
    default:
        return false;
    }
}

static void spread_to(struct spread *s, uint32_t id)
{
    s->changed |= s->varying[id] == 0;
    s->varying[id] = 1;
}

static bool any_operand_varies(const struct spread *s, const struct wf_shader_instruction *ins)
{
    struct wf_shader_operands walk;
    struct wf_shader_operand operand;
    wf_shader_operands_start(&walk, s->module, ins, wf_shader_op(ins->opcode));
    while (wf_shader_operand_next(&walk, &operand) > 0) {
        if (operand.kind == WF_SHADER_KIND_ID && s->varying[ins->words[operand.at]])
            return true;
    }
    return false;
}

/// The variable that a pointer leads into, or 0.
static uint32_t root_of(const struct spread *s, uint32_t pointer)
{
    // Definitions come before uses, so this ends; chains of chains are short in practice, and cut
    // here.
    for (uint32_t i = 0; i < 64; i++) {
        const struct wf_shader_id *id = &s->module->ids[pointer];
        switch (id->opcode) {
        case SpvOpVariable:
            return pointer;
        case SpvOpAccessChain:
        case SpvOpInBoundsAccessChain:
        case SpvOpCopyObject:
            pointer = wf_shader_at(s->module, id->word).operands[0];
            break;
        default:
            return 0;
        }
    }
    return 0;
}

/// Variables that only this invocation sees take on what is stored in them.
static void spread_store(struct spread *s, uint32_t pointer, uint32_t value)
{
    if (!s->varying[value] && !s->varying[pointer])
        return;
    const struct wf_shader_type *type = wf_shader_type_of(s->module, pointer);
    const uint32_t root = root_of(s, pointer);
    if (type && root != 0 &&
        (type->storage == SpvStorageClassFunction || type->storage == SpvStorageClassPrivate))
        spread_to(s, root);
}

static void spread_call(struct spread *s, const struct wf_shader_instruction *ins)
{
    const struct wf_shader_function *callee = wf_shader_function(s->module, ins->operands[0]);
    for (uint32_t i = 0; i < callee->parameter_count; i++) {
        const uint32_t argument = ins->operands[i + 1];
        const uint32_t root = root_of(s, argument);
        if (s->varying[argument] || (root != 0 && s->varying[root]))
            spread_to(s, callee->parameters[i]);
        // What the callee stores through a pointer comes back.
        const struct wf_shader_type *type = wf_shader_type_of(s->module, argument);
        if (root != 0 && s->varying[callee->parameters[i]] && type &&
            type->storage == SpvStorageClassFunction)
            spread_to(s, root);
    }
    if (s->returns[callee - s->module->functions])
        spread_to(s, ins->id);
}

/// A store through a pointer parameter makes the parameter itself vary, for spread_call().
static void spread_parameter_store(struct spread *s, uint32_t pointer, uint32_t value)
{
    if (!s->varying[value])
        return;
    for (uint32_t i = 0; i < 64; i++) {
        const struct wf_shader_id *id = &s->module->ids[pointer];
        if (id->opcode == SpvOpFunctionParameter) {
            spread_to(s, pointer);
            return;
        }
        if (id->opcode != SpvOpAccessChain && id->opcode != SpvOpInBoundsAccessChain)
            return;
        pointer = wf_shader_at(s->module, id->word).operands[0];
    }
}

/// What a ray met may differ, whatever it was made of.
static bool is_asked_of_a_ray(const struct spread *s, const struct wf_shader_instruction *ins)
{
    const struct wf_shader_type *pointer = ins->operand_count > 0 && ins->opcode != SpvOpAccessChain
                                               ? wf_shader_type_of(s->module, ins->operands[0])
                                               : NULL;
    return pointer && pointer->kind == WF_SHADER_TYPE_POINTER &&
           wf_shader_type(s->module, pointer->component)->kind == WF_SHADER_TYPE_RAY_QUERY;
}

static void spread_instruction(struct spread *s, const struct wf_shader_instruction *ins,
                               uint32_t function)
{
    switch (ins->opcode) {
    case SpvOpStore:
        spread_store(s, ins->operands[0], ins->operands[1]);
        spread_parameter_store(s, ins->operands[0], ins->operands[1]);
        return;
    case SpvOpCopyMemory:
        spread_store(s, ins->operands[0], ins->operands[1]);
        return;
    case SpvOpFunctionCall:
        spread_call(s, ins);
        return;
    case SpvOpReturnValue:
        if (s->varying[ins->operands[0]] && !s->returns[function]) {
            s->returns[function] = 1;
            s->changed = true;
        }
        return;
    case SpvOpVariable:
        return;
    default:
        break;
    }
    if (ins->id != 0 && !s->varying[ins->id] &&
        wf_shader_op(ins->opcode)->group != WF_SHADER_CLASS_ATOMIC &&
        (any_operand_varies(s, ins) || is_asked_of_a_ray(s, ins)))
        spread_to(s, ins->id);
}

static void seed(struct spread *s)
{
    for (uint32_t i = 0; i < s->module->decoration_count; i++) {
        const struct wf_shader_decoration *decoration = &s->module->decorations[i];
        if (decoration->kind == SpvDecorationNonUniform && decoration->member == WF_SHADER_NONE)
            s->decorated[decoration->target] = 1;
    }
    for (uint32_t i = 0; i < s->module->variable_count; i++) {
        const struct wf_shader_variable *variable = &s->module->variables[i];
        if (variable->storage == SpvStorageClassInput && !is_uniform_builtin(variable->builtin))
            s->varying[variable->id] = 1;
    }
}

static void spread_all(struct spread *s)
{
    s->changed = true;
    for (uint32_t walk = 0; walk < MAX_WALKS && s->changed; walk++) {
        s->changed = false;
        // Callers first: arguments flow down; results come up in the next walk.
        for (uint32_t i = s->r->function_count; i-- > 0;) {
            const uint32_t index = s->r->functions[i];
            const struct wf_shader_function *function = &s->module->functions[index];
            struct wf_shader_instruction ins;
            for (uint32_t at = function->word; wf_shader_next(s->module, &at, function->end, &ins);)
                spread_instruction(s, &ins, index);
        }
    }
}

static bool is_descriptor(const struct wf_shader_type *type, uint32_t storage)
{
    if (!type)
        return false;
    if (storage == SpvStorageClassUniformConstant)
        return type->kind != WF_SHADER_TYPE_ARRAY && type->kind != WF_SHADER_TYPE_RUNTIME_ARRAY;
    return type->kind == WF_SHADER_TYPE_STRUCT && (type->block || type->buffer_block);
}

/// The index of a descriptor array that varies, or 0.
static uint32_t varying_index(const struct spread *s, const struct wf_shader_instruction *ins)
{
    const struct wf_shader_type *pointer = wf_shader_type_of(s->module, ins->operands[0]);
    const uint32_t storage = pointer->storage;
    if (storage != SpvStorageClassUniformConstant && storage != SpvStorageClassUniform &&
        storage != SpvStorageClassStorageBuffer)
        return 0;
    const struct wf_shader_type *type = wf_shader_type(s->module, pointer->component);
    const struct wf_shader_type *innermost = type;
    while (innermost && (innermost->kind == WF_SHADER_TYPE_ARRAY ||
                         innermost->kind == WF_SHADER_TYPE_RUNTIME_ARRAY))
        innermost = wf_shader_type(s->module, innermost->component);
    if (innermost == type || !is_descriptor(innermost, storage))
        return 0;
    for (uint32_t i = 1; i < ins->operand_count && type != innermost; i++) {
        if (s->varying[ins->operands[i]] && !s->decorated[ins->operands[i]])
            return ins->operands[i];
        type = wf_shader_type(s->module, type->component);
    }
    return 0;
}

/// Whether a later instruction that takes the pointer is decorated: glslang decorates chain, load
/// and image.
static bool use_is_decorated(const struct spread *s, const struct wf_shader_function *function,
                             const struct wf_shader_instruction *chain)
{
    if (s->decorated[chain->id])
        return true;
    struct wf_shader_instruction ins;
    // The use that matters is near; looking at a bounded distance keeps this linear.
    uint32_t left = 64;
    for (uint32_t at = chain->word + chain->count;
         left-- > 0 && wf_shader_next(s->module, &at, function->end, &ins);) {
        const bool takes = ins.operand_count != 0 && ins.operands[0] == chain->id;
        if (ins.id != 0 && takes && s->decorated[ins.id])
            return true;
    }
    return false;
}

static void report(struct spread *s, const struct wf_shader_instruction *ins, uint32_t index,
                   struct wf_shader_finding *finding)
{
    const uint32_t root = root_of(s, ins->operands[0]);
    const struct wf_shader_variable *variable = wf_shader_variable(s->module, root);
    *finding = (struct wf_shader_finding){
        .kind = WF_SHADER_FINDING_NON_UNIFORM_INDEX,
        .word = ins->word,
        .id = index,
        .set = variable ? variable->set : WF_SHADER_NONE,
        .binding = variable ? variable->binding : WF_SHADER_NONE,
        .location = WF_SHADER_NONE,
        .component = WF_SHADER_NONE,
    };
    wf_shader_append(
        finding->message, sizeof finding->message,
        "word %u: index %%%u of the array \"%.60s\" may differ between invocations and is not "
        "NonUniform",
        ins->word, index, variable ? variable->name : "");
    wf_shader_finding_locate(finding, s->module);
}

static bool find_all(struct spread *s)
{
    struct wf_shader_finding *findings =
        wf_base_arena_array(&s->r->scratch, MAX_FINDINGS, sizeof *findings);
    uint32_t count = 0;
    if (!findings)
        return wf_shader_reflector_fail_memory(s->r);
    for (uint32_t i = 0; i < s->r->function_count && count < MAX_FINDINGS; i++) {
        const struct wf_shader_function *function = &s->module->functions[s->r->functions[i]];
        struct wf_shader_instruction ins;
        for (uint32_t at = function->word;
             count < MAX_FINDINGS && wf_shader_next(s->module, &at, function->end, &ins);) {
            if (ins.opcode != SpvOpAccessChain && ins.opcode != SpvOpInBoundsAccessChain)
                continue;
            const uint32_t index = varying_index(s, &ins);
            if (index != 0 && !use_is_decorated(s, function, &ins))
                report(s, &ins, index, &findings[count++]);
        }
    }
    s->r->out->finding_count = count;
    if (count == 0)
        return true;
    s->r->out->findings = wf_base_arena_copy(s->r->arena, findings, count * sizeof *findings);
    return s->r->out->findings != NULL || wf_shader_reflector_fail_memory(s->r);
}

/// Whether a descriptor array is indexed at all; most modules have none, and skip the walks.
static bool has_arrays(const struct wf_shader_reflection *out)
{
    for (uint32_t i = 0; i < out->binding_count; i++) {
        if (out->bindings[i].count != 1)
            return true;
    }
    return false;
}

bool wf_shader_reflect_uniformity(struct wf_shader_reflector *r)
{
    if (!has_arrays(r->out))
        return true;
    struct spread s = {.r = r, .module = r->module};
    s.varying = wf_base_arena_array(&r->scratch, r->module->bound, sizeof *s.varying);
    s.decorated = wf_base_arena_array(&r->scratch, r->module->bound, sizeof *s.decorated);
    s.returns = wf_base_arena_array(&r->scratch, r->module->function_count, sizeof *s.returns);
    if (!s.varying || !s.decorated || !s.returns)
        return wf_shader_reflector_fail_memory(r);
    seed(&s);
    spread_all(&s);
    return find_all(&s);
}
