#include "shader/reflect.h"

#include "base/bits.h"
#include "shader/message.h"
#include "shader/reflector.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool wf_shader_reflector_fail(struct wf_shader_reflector *reflector, uint32_t word,
                              const char *format, ...)
{
    struct wf_shader_error *error = reflector->error;
    if (!error)
        return false;
    *error = (struct wf_shader_error){.word = word};
    va_list args;
    va_start(args, format);
    wf_shader_vappend(error->message, sizeof error->message, format, args);
    va_end(args);
    const struct wf_shader_line *line = wf_shader_line(reflector->module, word);
    if (word != 0)
        error->opcode = wf_shader_at(reflector->module, word).opcode;
    if (line) {
        wf_shader_append(error->file, sizeof error->file, "%s",
                         wf_shader_string(reflector->module, line->file));
        error->line = line->line;
        error->column = line->column;
    }
    return false;
}

bool wf_shader_reflector_fail_memory(struct wf_shader_reflector *reflector)
{
    wf_shader_reflector_fail(reflector, 0, "out of memory");
    if (reflector->error)
        reflector->error->out_of_memory = true;
    return false;
}

void wf_shader_finding_locate(struct wf_shader_finding *finding,
                              const struct wf_shader_module *module)
{
    const struct wf_shader_line *line =
        finding->word != 0 ? wf_shader_line(module, finding->word) : NULL;
    if (!line)
        return;
    wf_shader_append(finding->file, sizeof finding->file, "%s",
                     wf_shader_string(module, line->file));
    finding->line = line->line;
    finding->column = line->column;
}

enum wf_shader_scalar wf_shader_scalar_of(const struct wf_shader_module *module,
                                          const struct wf_shader_type *type, uint32_t *width)
{
    while (type && (type->kind == WF_SHADER_TYPE_VECTOR || type->kind == WF_SHADER_TYPE_MATRIX))
        type = wf_shader_type(module, type->component);
    *width = type ? type->width : 0;
    if (!type)
        return WF_SHADER_SCALAR_NONE;
    switch (type->kind) {
    case WF_SHADER_TYPE_BOOL:
        *width = 1;
        return WF_SHADER_SCALAR_BOOL;
    case WF_SHADER_TYPE_INT:
        return type->is_signed ? WF_SHADER_SCALAR_SINT : WF_SHADER_SCALAR_UINT;
    case WF_SHADER_TYPE_FLOAT:
        return WF_SHADER_SCALAR_FLOAT;
    default:
        return WF_SHADER_SCALAR_NONE;
    }
}

static uint32_t stage_of(uint32_t model)
{
    switch (model) {
    case SpvExecutionModelVertex:
        return WF_SHADER_STAGE_VERTEX;
    case SpvExecutionModelFragment:
        return WF_SHADER_STAGE_FRAGMENT;
    case SpvExecutionModelGLCompute:
        return WF_SHADER_STAGE_COMPUTE;
    case SpvExecutionModelTaskEXT:
        return WF_SHADER_STAGE_TASK;
    case SpvExecutionModelMeshEXT:
        return WF_SHADER_STAGE_MESH;
    case SpvExecutionModelTessellationControl:
        return WF_SHADER_STAGE_TESSELLATION_CONTROL;
    case SpvExecutionModelTessellationEvaluation:
        return WF_SHADER_STAGE_TESSELLATION_EVALUATION;
    case SpvExecutionModelGeometry:
        return WF_SHADER_STAGE_GEOMETRY;
    default:
        return WF_SHADER_STAGE_OTHER;
    }
}

/// Bits for capabilities that the module declares.
static void reflect_capabilities(struct wf_shader_reflection *out)
{
    static const struct {
        uint32_t capability, use, subgroup;
    } rows[] = {
        {SpvCapabilityPhysicalStorageBufferAddresses, WF_SHADER_USE_POINTERS, 0},
        {SpvCapabilityInt8, WF_SHADER_USE_INT8, 0},
        {SpvCapabilityInt16, WF_SHADER_USE_INT16, 0},
        {SpvCapabilityInt64, WF_SHADER_USE_INT64, 0},
        {SpvCapabilityFloat16, WF_SHADER_USE_FLOAT16, 0},
        {SpvCapabilityFloat64, WF_SHADER_USE_FLOAT64, 0},
        {SpvCapabilityInt64Atomics, WF_SHADER_USE_INT64_ATOMICS, 0},
        {SpvCapabilityStorageBuffer8BitAccess, WF_SHADER_USE_SMALL_STORAGE, 0},
        {SpvCapabilityUniformAndStorageBuffer8BitAccess, WF_SHADER_USE_SMALL_STORAGE, 0},
        {SpvCapabilityStoragePushConstant8, WF_SHADER_USE_SMALL_STORAGE, 0},
        {SpvCapabilityStorageBuffer16BitAccess, WF_SHADER_USE_SMALL_STORAGE, 0},
        {SpvCapabilityUniformAndStorageBuffer16BitAccess, WF_SHADER_USE_SMALL_STORAGE, 0},
        {SpvCapabilityStoragePushConstant16, WF_SHADER_USE_SMALL_STORAGE, 0},
        {SpvCapabilityStorageInputOutput16, WF_SHADER_USE_SMALL_STORAGE, 0},
        {SpvCapabilityRayQueryKHR, WF_SHADER_USE_RAY_QUERY, 0},
        {SpvCapabilityGroupNonUniform, WF_SHADER_USE_SUBGROUPS, WF_SHADER_SUBGROUP_BASIC},
        {SpvCapabilityGroupNonUniformVote, WF_SHADER_USE_SUBGROUPS, WF_SHADER_SUBGROUP_VOTE},
        {SpvCapabilityGroupNonUniformArithmetic, WF_SHADER_USE_SUBGROUPS,
         WF_SHADER_SUBGROUP_ARITHMETIC},
        {SpvCapabilityGroupNonUniformBallot, WF_SHADER_USE_SUBGROUPS, WF_SHADER_SUBGROUP_BALLOT},
        {SpvCapabilityGroupNonUniformShuffle, WF_SHADER_USE_SUBGROUPS, WF_SHADER_SUBGROUP_SHUFFLE},
        {SpvCapabilityGroupNonUniformShuffleRelative, WF_SHADER_USE_SUBGROUPS,
         WF_SHADER_SUBGROUP_SHUFFLE_RELATIVE},
        {SpvCapabilityGroupNonUniformClustered, WF_SHADER_USE_SUBGROUPS,
         WF_SHADER_SUBGROUP_CLUSTERED},
        {SpvCapabilityGroupNonUniformQuad, WF_SHADER_USE_SUBGROUPS, WF_SHADER_SUBGROUP_QUAD},
        {SpvCapabilityGroupNonUniformRotateKHR, WF_SHADER_USE_SUBGROUPS, 0},
        {SpvCapabilitySubgroupBallotKHR, WF_SHADER_USE_SUBGROUPS, WF_SHADER_SUBGROUP_BALLOT},
        {SpvCapabilitySubgroupVoteKHR, WF_SHADER_USE_SUBGROUPS, WF_SHADER_SUBGROUP_VOTE},
        {SpvCapabilityAtomicFloat32AddEXT, WF_SHADER_USE_FLOAT_ATOMICS, 0},
        {SpvCapabilityAtomicFloat64AddEXT, WF_SHADER_USE_FLOAT_ATOMICS, 0},
        {SpvCapabilityAtomicFloat32MinMaxEXT, WF_SHADER_USE_FLOAT_ATOMICS, 0},
        {SpvCapabilityAtomicFloat64MinMaxEXT, WF_SHADER_USE_FLOAT_ATOMICS, 0},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (wf_shader_has_capability(out->module, rows[i].capability)) {
            out->uses |= rows[i].use;
            out->subgroups |= rows[i].subgroup;
        }
    }
}

static int compare_specs(const void *a, const void *b)
{
    const struct wf_shader_spec *x = a;
    const struct wf_shader_spec *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->constant < y->constant ? -1 : x->constant > y->constant;
}

static bool reflect_specs(struct wf_shader_reflector *r)
{
    const struct wf_shader_module *module = r->module;
    uint32_t count = 0;
    for (uint32_t i = 0; i < module->constant_count; i++)
        count += module->constants[i].spec_id != WF_SHADER_NONE;
    if (count == 0)
        return true;
    struct wf_shader_spec *specs = wf_base_arena_array(r->arena, count, sizeof *specs);
    if (!specs)
        return wf_shader_reflector_fail_memory(r);
    r->out->specs = specs;
    for (uint32_t i = 0; i < module->constant_count; i++) {
        const struct wf_shader_constant *constant = &module->constants[i];
        if (constant->spec_id == WF_SHADER_NONE)
            continue;
        struct wf_shader_spec *spec = &specs[r->out->spec_count++];
        *spec = (struct wf_shader_spec){
            .id = constant->spec_id,
            .constant = constant->id,
            .value = constant->value,
            .name = wf_shader_name(module, constant->id),
        };
        spec->base =
            wf_shader_scalar_of(module, wf_shader_type(module, constant->type), &spec->width);
    }
    qsort(specs, count, sizeof *specs, compare_specs);
    return true;
}

static void reflect_workgroup(struct wf_shader_reflector *r)
{
    const struct wf_shader_module *module = r->module;
    struct wf_shader_reflection *out = r->out;
    wf_shader_workgroup_size(module, r->entry, NULL, out->workgroup);
    const struct wf_shader_constant *whole = wf_shader_constant(module, module->workgroup_size_id);
    const bool composite = whole && (whole->opcode == SpvOpConstantComposite ||
                                     whole->opcode == SpvOpSpecConstantComposite);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t id = r->entry->local_size_id[i];
        if (composite)
            id = wf_shader_at(module, whole->word).operands[i];
        const struct wf_shader_constant *one =
            whole && !composite ? whole : wf_shader_constant(module, id);
        out->workgroup_spec[i] = one ? one->spec_id : WF_SHADER_NONE;
        out->workgroup_is_specialized |= one && one->spec;
    }
}

/// Blocks lie in one place, where the others lie one after the other.
static void reflect_workgroup_memory(struct wf_shader_reflector *r)
{
    const struct wf_shader_module *module = r->module;
    uint64_t sum = 0, blocks = 0;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const struct wf_shader_variable *variable = &module->variables[i];
        if (variable->storage != SpvStorageClassWorkgroup || r->access[variable->id] == 0)
            continue;
        const struct wf_shader_type *type = wf_shader_type(module, variable->type);
        if (type->block)
            blocks = wf_base_max_u64(blocks, type->size);
        else
            sum = type->size > UINT64_MAX - sum ? UINT64_MAX : sum + type->size;
    }
    r->out->workgroup_memory = wf_base_max_u64(sum, blocks);
}

/// An entry point has one payload at most.
static void reflect_payload(struct wf_shader_reflector *r)
{
    for (uint32_t i = 0; i < r->module->variable_count; i++) {
        const struct wf_shader_variable *variable = &r->module->variables[i];
        if (variable->storage == SpvStorageClassTaskPayloadWorkgroupEXT &&
            r->access[variable->id] != 0)
            r->out->payload_size = wf_base_max_u64(r->out->payload_size,
                                                   wf_shader_type(r->module, variable->type)->size);
    }
}

static bool reflect_all(struct wf_shader_reflector *r)
{
    reflect_capabilities(r->out);
    if ((r->entry->modes & WF_SHADER_MODE_EARLY_FRAGMENT_TESTS) != 0)
        r->out->uses |= WF_SHADER_USE_EARLY_TESTS;
    if (!wf_shader_reflect_access(r) || !wf_shader_reflect_bindings(r) ||
        !wf_shader_reflect_varyings(r) || !reflect_specs(r))
        return false;
    reflect_workgroup(r);
    reflect_workgroup_memory(r);
    reflect_payload(r);
    return wf_shader_reflect_uniformity(r);
}

bool wf_shader_reflect(const struct wf_base_allocator *allocator,
                       const struct wf_shader_module *module, const struct wf_shader_entry *entry,
                       struct wf_shader_reflection **out, struct wf_shader_error *error)
{
    *out = NULL;
    struct wf_shader_reflector r = {.module = module, .entry = entry, .error = error};
    struct wf_shader_reflection_storage *storage = wf_base_alloc_zero(allocator, sizeof *storage);
    if (!storage)
        return wf_shader_reflector_fail_memory(&r);
    storage->allocator = allocator;
    storage->reflection = (struct wf_shader_reflection){
        .module = module,
        .entry = entry,
        .stage = stage_of(entry->model),
        .storage = storage,
    };
    wf_base_arena_init(&storage->arena, allocator, 4096, 0);
    wf_base_arena_init(&r.scratch, allocator, 0, 0);
    r.out = &storage->reflection;
    r.arena = &storage->arena;
    const bool ok = reflect_all(&r);
    wf_base_arena_finish(&r.scratch);
    if (ok)
        *out = &storage->reflection;
    else
        wf_shader_reflection_free(&storage->reflection);
    return ok;
}

void wf_shader_reflection_free(struct wf_shader_reflection *reflection)
{
    if (!reflection)
        return;
    struct wf_shader_reflection_storage *storage = reflection->storage;
    wf_base_arena_finish(&storage->arena);
    wf_base_free(storage->allocator, storage, sizeof *storage);
}

const char *wf_shader_resource_name(enum wf_shader_resource resource)
{
    static const char *const names[] = {
        [WF_SHADER_RESOURCE_UNIFORM_BUFFER] = "uniform buffer",
        [WF_SHADER_RESOURCE_STORAGE_BUFFER] = "storage buffer",
        [WF_SHADER_RESOURCE_SAMPLED_IMAGE] = "sampled texture",
        [WF_SHADER_RESOURCE_STORAGE_IMAGE] = "storage texture",
        [WF_SHADER_RESOURCE_SAMPLER] = "sampler",
        [WF_SHADER_RESOURCE_COMBINED] = "combined texture and sampler",
        [WF_SHADER_RESOURCE_UNIFORM_TEXELS] = "uniform texel buffer",
        [WF_SHADER_RESOURCE_STORAGE_TEXELS] = "storage texel buffer",
        [WF_SHADER_RESOURCE_ACCELERATION_STRUCTURE] = "acceleration structure",
        [WF_SHADER_RESOURCE_INPUT_ATTACHMENT] = "input attachment",
    };
    return (size_t)resource < sizeof names / sizeof names[0] ? names[resource] : "?";
}

const char *wf_shader_scalar_name(enum wf_shader_scalar scalar)
{
    static const char *const names[] = {
        [WF_SHADER_SCALAR_NONE] = "none",   [WF_SHADER_SCALAR_BOOL] = "bool",
        [WF_SHADER_SCALAR_SINT] = "int",    [WF_SHADER_SCALAR_UINT] = "uint",
        [WF_SHADER_SCALAR_FLOAT] = "float",
    };
    return (size_t)scalar < sizeof names / sizeof names[0] ? names[scalar] : "?";
}
