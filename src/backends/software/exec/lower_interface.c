#include "backends/software/exec/lower.h"

#include "shader/tables.h"

uint32_t wf_sw_use_of(struct wf_sw_lower *l, uint32_t set, uint32_t binding)
{
    if (set >= WF_SW_SETS)
        wf_sw_fail(l->ir, "descriptor set %u: there are sets 0 to %u", set, WF_SW_SETS - 1);
    for (uint32_t i = 0; i < l->use_count; i++) {
        if (l->uses[i].set == set && l->uses[i].binding == binding)
            return i;
    }
    if (l->use_count == UINT16_MAX - 1) // see WF_SW_CHOSEN
        wf_sw_fail(l->ir, "more than %u descriptor bindings", UINT16_MAX);
    l->uses = wf_sw_ir_grow(l->ir, l->uses, &l->use_capacity, l->use_count + 1, sizeof *l->uses);
    l->uses[l->use_count] = (struct wf_sw_use){.set = set, .binding = binding};
    return l->use_count++;
}

// ---- rows --------------------------------------------------------------------------------------

/// Where the components of an interface variable come from, while its type is walked.
struct walk {
    struct wf_sw_variable *variable;
    struct wf_sw_row row; ///< Of the next component, but for its type.
    uint32_t component;   ///< Of the variable.
};

static uint32_t add_row(struct wf_sw_lower *l, const struct wf_sw_row *row, bool output)
{
    l->rows = wf_sw_ir_grow(l->ir, l->rows, &l->row_capacity, l->row_count + 1, sizeof *l->rows);
    l->row_is_output = wf_sw_ir_grow(l->ir, l->row_is_output, &l->row_flag_capacity,
                                     l->row_count + 1, sizeof *l->row_is_output);
    l->rows[l->row_count] = *row;
    l->row_is_output[l->row_count] = output;
    return l->row_count++;
}

static uint8_t row_type(const struct wf_shader_type *scalar)
{
    if (scalar->kind == WF_SHADER_TYPE_FLOAT)
        return WF_SW_F32;
    return scalar->kind == WF_SHADER_TYPE_INT && scalar->is_signed ? WF_SW_I32 : WF_SW_U32;
}

/// A scalar or vector, the unit that takes locations.
static void walk_vector(struct wf_sw_lower *l, struct walk *w, const struct wf_shader_type *t)
{
    const struct wf_shader_type *scalar = wf_sw_scalar_of(l, t);
    const uint32_t words = scalar->width == 64 ? 2 : 1;
    const uint32_t start = w->row.component;
    for (uint32_t i = 0; i < wf_sw_scalars(l, t) * words; i++) {
        w->row.type = row_type(scalar);
        if (words == 2)
            w->row.type = i & 1 ? WF_SW_HIGH : WF_SW_LOW;
        w->variable->rows[w->component++] = add_row(l, &w->row, w->variable->output);
        w->row.component++;
        if (w->row.builtin == WF_SHADER_NONE && w->row.component == 4 &&
            i + 1 < wf_sw_scalars(l, t) * words) {
            w->row.component = 0;
            w->row.location++;
        }
    }
    if (w->row.builtin == WF_SHADER_NONE) {
        w->row.component = start;
        w->row.location++;
    }
}

static void walk_type(struct wf_sw_lower *l, struct walk *w, uint32_t type);

static void walk_member(struct wf_sw_lower *l, struct walk *w, const struct wf_shader_type *t,
                        uint32_t index)
{
    const struct wf_shader_member *m = &t->members[index];
    const struct wf_sw_row outer = w->row;
    if (m->builtin != WF_SHADER_NONE) {
        w->row = (struct wf_sw_row){.builtin = m->builtin, .location = WF_SHADER_NONE};
    } else if (m->location != WF_SHADER_NONE) {
        w->row.location = m->location;
        w->row.component = m->component != WF_SHADER_NONE ? m->component : 0;
    }
    const struct wf_shader_module *module = l->module;
    w->row.flat |= wf_shader_decoration(module, t->id, index, SpvDecorationFlat) != NULL;
    w->row.no_perspective |=
        wf_shader_decoration(module, t->id, index, SpvDecorationNoPerspective) != NULL;
    w->row.centroid |= wf_shader_decoration(module, t->id, index, SpvDecorationCentroid) != NULL;
    w->row.sample |= wf_shader_decoration(module, t->id, index, SpvDecorationSample) != NULL;
    walk_type(l, w, m->type);
    const uint32_t next = w->row.location;
    w->row = outer;
    if (m->builtin == WF_SHADER_NONE)
        w->row.location = next;
}

/// Nesting is limited by the reader, the number of components by wf_sw_type_words().
static void walk_type(struct wf_sw_lower *l, struct walk *w, uint32_t type)
{
    const struct wf_shader_type *t = wf_sw_type(l, type);
    switch (t->kind) {
    case WF_SHADER_TYPE_STRUCT:
        for (uint32_t i = 0; i < t->count; i++)
            walk_member(l, w, t, i);
        break;
    case WF_SHADER_TYPE_ARRAY:
    case WF_SHADER_TYPE_MATRIX:
        for (uint32_t i = 0; i < wf_sw_part_count(l, t); i++)
            walk_type(l, w, t->component);
        break;
    case WF_SHADER_TYPE_BOOL:
    case WF_SHADER_TYPE_INT:
    case WF_SHADER_TYPE_FLOAT:
    case WF_SHADER_TYPE_VECTOR:
        walk_vector(l, w, t);
        break;
    default:
        wf_sw_fail(l->ir, "an input or output of this type is not supported");
    }
}

static bool builtin_known(const struct wf_sw_lower *l, uint32_t builtin, bool output)
{
    const bool vertex = l->entry->model == SpvExecutionModelVertex;
    switch (builtin) {
    case SpvBuiltInPosition:
    case SpvBuiltInPointSize:
        return vertex && output;
    case SpvBuiltInClipDistance:
    case SpvBuiltInCullDistance:
    case SpvBuiltInLayer:
        return output == vertex;
    case SpvBuiltInVertexIndex:
    case SpvBuiltInInstanceIndex:
    case SpvBuiltInBaseVertex:
    case SpvBuiltInBaseInstance:
    case SpvBuiltInDrawIndex:
        return vertex && !output;
    case SpvBuiltInViewIndex:
        return !output;
    case SpvBuiltInFragCoord:
    case SpvBuiltInFrontFacing:
    case SpvBuiltInPointCoord:
    case SpvBuiltInPrimitiveId:
    case SpvBuiltInSampleId:
    case SpvBuiltInSamplePosition:
    case SpvBuiltInHelperInvocation:
    case SpvBuiltInViewportIndex: // 0: a pass has one viewport
        return !vertex && !output;
    case SpvBuiltInSampleMask:
        return !vertex;
    case SpvBuiltInFragDepth:
    case SpvBuiltInFragStencilRefEXT:
        return !vertex && output;
    default:
        return false;
    }
}

static bool builtin_computed(uint32_t builtin)
{
    switch (builtin) {
    case SpvBuiltInNumWorkgroups:
    case SpvBuiltInWorkgroupSize:
    case SpvBuiltInWorkgroupId:
    case SpvBuiltInLocalInvocationId:
    case SpvBuiltInGlobalInvocationId:
    case SpvBuiltInLocalInvocationIndex:
    case SpvBuiltInDeviceIndex:
    case SpvBuiltInSubgroupSize:
    case SpvBuiltInNumSubgroups:
    case SpvBuiltInSubgroupId:
    case SpvBuiltInSubgroupLocalInvocationId:
    case SpvBuiltInSubgroupEqMask:
    case SpvBuiltInSubgroupGeMask:
    case SpvBuiltInSubgroupGtMask:
    case SpvBuiltInSubgroupLeMask:
    case SpvBuiltInSubgroupLtMask:
        return true;
    default:
        return false;
    }
}

static void check_builtin(struct wf_sw_lower *l, uint32_t builtin, bool output)
{
    if (builtin == WF_SHADER_NONE || builtin_known(l, builtin, output) ||
        (!output && builtin_computed(builtin)))
        return;
    wf_sw_fail(l->ir, "BuiltIn %s is not supported as %s of this stage",
               wf_shader_value_name(WF_SHADER_KIND_BUILTIN, builtin),
               output ? "an output" : "an input");
}

/// Gives each component its row.
static void describe_rows(struct wf_sw_lower *l, struct wf_sw_variable *v,
                          const struct wf_shader_variable *global)
{
    struct walk w = {
        .variable = v,
        .row =
            {
                .builtin = global->builtin,
                .location = global->location,
                .component = global->component != WF_SHADER_NONE ? global->component : 0,
                .index = global->index != WF_SHADER_NONE ? global->index : 0,
                .flat = global->flat,
                .no_perspective = global->no_perspective,
                .centroid = global->centroid,
                .sample = global->sample,
            },
    };
    v->rows = wf_sw_ir_alloc(l->ir, v->count, sizeof *v->rows);
    const uint32_t first = l->row_count;
    walk_type(l, &w, v->type);
    for (uint32_t i = first; i < l->row_count; i++)
        check_builtin(l, l->rows[i].builtin, v->output);
}

// ---- inputs ------------------------------------------------------------------------------------

static uint32_t input_row(struct wf_sw_lower *l, uint32_t builtin, uint32_t component)
{
    for (uint32_t i = 0; i < l->row_count; i++) {
        const struct wf_sw_row *row = &l->rows[i];
        if (!l->row_is_output[i] && row->builtin == builtin && row->component == component)
            return i;
    }
    const struct wf_sw_row row = {.builtin = builtin,
                                  .location = WF_SHADER_NONE,
                                  .component = component,
                                  .type = WF_SW_U32,
                                  .flat = true};
    return add_row(l, &row, false);
}

uint32_t wf_sw_builtin_input(struct wf_sw_lower *l, uint32_t builtin, uint32_t component)
{
    return wf_sw_ir_add_first(l->ir, WF_SW_IR_INPUT, input_row(l, builtin, component));
}

/// Word `component` of the mask of lanes below, at or above this one in its subgroup.
static uint32_t subgroup_mask(struct wf_sw_lower *l, uint32_t builtin, uint32_t component)
{
    struct wf_sw_ir *ir = l->ir;
    if (component > 1)
        return wf_sw_ir_const(ir, 0);
    const uint32_t lane = wf_sw_ir_bin(ir, WF_SW_IR_AND, wf_sw_ir_add_first(ir, WF_SW_IR_LANE, 0),
                                       wf_sw_ir_const(ir, l->subgroup_size - 1));
    const uint32_t args[2] = {lane, wf_sw_ir_const(ir, component)};
    const uint32_t below = wf_sw_ir_call(ir, WF_SW_FUN_MASK_BELOW, args, 2);
    const uint32_t equal = wf_sw_ir_call(ir, WF_SW_FUN_MASK_EQUAL, args, 2);
    const uint32_t left = l->subgroup_size > component * 32 ? l->subgroup_size - component * 32 : 0;
    const uint32_t all = wf_sw_ir_const(ir, left >= 32 ? UINT32_MAX : (1u << left) - 1);
    switch (builtin) {
    case SpvBuiltInSubgroupEqMask:
        return equal;
    case SpvBuiltInSubgroupLtMask:
        return below;
    case SpvBuiltInSubgroupLeMask:
        return wf_sw_ir_bin(ir, WF_SW_IR_OR, below, equal);
    case SpvBuiltInSubgroupGeMask:
        return wf_sw_ir_bin(ir, WF_SW_IR_AND, all, wf_sw_ir_un(ir, WF_SW_IR_NOT, below));
    default:
        return wf_sw_ir_bin(
            ir, WF_SW_IR_AND, all,
            wf_sw_ir_un(ir, WF_SW_IR_NOT, wf_sw_ir_bin(ir, WF_SW_IR_OR, below, equal)));
    }
}

/// What the stage computes instead of being given it.
static uint32_t computed_input(struct wf_sw_lower *l, uint32_t builtin, uint32_t component)
{
    struct wf_sw_ir *ir = l->ir;
    const uint32_t *size = l->info->workgroup_size;
    const uint32_t invocations = size[0] * size[1] * size[2];
    const uint32_t axis = component < 3 ? component : 2;
    switch (builtin) {
    case SpvBuiltInNumWorkgroups:
        return wf_sw_ir_add_first(ir, WF_SW_IR_SYSTEM, WF_SW_SYSTEM_GROUPS + axis);
    case SpvBuiltInWorkgroupId:
        return wf_sw_ir_add_first(ir, WF_SW_IR_SYSTEM, WF_SW_SYSTEM_GROUP + axis);
    case SpvBuiltInWorkgroupSize:
        return wf_sw_ir_const(ir, size[axis]);
    case SpvBuiltInGlobalInvocationId: {
        const uint32_t group = computed_input(l, SpvBuiltInWorkgroupId, axis);
        const uint32_t first =
            wf_sw_ir_bin(ir, WF_SW_IR_IMUL, group, wf_sw_ir_const(ir, size[axis]));
        const uint32_t local = wf_sw_builtin_input(l, SpvBuiltInLocalInvocationId, axis);
        return wf_sw_ir_bin(ir, WF_SW_IR_IADD, local, first);
    }
    case SpvBuiltInDeviceIndex:
        return wf_sw_ir_const(ir, 0); // a device is one
    case SpvBuiltInSubgroupSize:
        return wf_sw_ir_const(ir, l->subgroup_size);
    case SpvBuiltInNumSubgroups:
        return wf_sw_ir_const(ir, (invocations + l->subgroup_size - 1) / l->subgroup_size);
    case SpvBuiltInSubgroupId: {
        uint32_t shift = 0;
        while ((1u << shift) < l->subgroup_size)
            shift++;
        return wf_sw_ir_bin(ir, WF_SW_IR_SHR,
                            wf_sw_builtin_input(l, SpvBuiltInLocalInvocationIndex, 0),
                            wf_sw_ir_const(ir, shift));
    }
    case SpvBuiltInSubgroupLocalInvocationId:
        return wf_sw_ir_bin(ir, WF_SW_IR_AND, wf_sw_ir_add_first(ir, WF_SW_IR_LANE, 0),
                            wf_sw_ir_const(ir, l->subgroup_size - 1));
    case SpvBuiltInLocalInvocationId:
    case SpvBuiltInLocalInvocationIndex:
        return wf_sw_builtin_input(l, builtin, axis);
    default:
        return subgroup_mask(l, builtin, component);
    }
}

uint32_t wf_sw_input_value(struct wf_sw_lower *l, struct wf_sw_variable *v, uint32_t component)
{
    if (v->values[component] != WF_SW_NONE)
        return v->values[component];
    struct wf_sw_ir *ir = l->ir;
    const uint32_t row = v->rows[component];
    const uint32_t builtin = l->rows[row].builtin;
    const uint32_t index = l->rows[row].component;
    const uint32_t at = ir->at;
    uint32_t value;
    ir->at = 0;
    if (builtin != WF_SHADER_NONE && builtin_computed(builtin)) {
        value = computed_input(l, builtin, index);
    } else if (builtin == SpvBuiltInHelperInvocation) {
        value = wf_sw_ir_add_first(ir, WF_SW_IR_HELPER, 0);
    } else {
        value = wf_sw_ir_add_first(ir, WF_SW_IR_INPUT, row);
        if (builtin == SpvBuiltInFrontFacing)
            value = wf_sw_ir_bin(ir, WF_SW_IR_INE, value, wf_sw_ir_const(ir, 0));
    }
    ir->at = at;
    v->values[component] = value;
    return value;
}

uint32_t wf_sw_input_at(struct wf_sw_lower *l, uint32_t row, bool centroid)
{
    struct wf_sw_row wanted = l->rows[row];
    wanted.centroid = centroid;
    for (uint32_t i = 0; i < l->row_count; i++) {
        const struct wf_sw_row *have = &l->rows[i];
        if (!l->row_is_output[i] && have->builtin == wanted.builtin &&
            have->location == wanted.location && have->component == wanted.component &&
            have->centroid == centroid)
            return wf_sw_ir_add_first(l->ir, WF_SW_IR_INPUT, i);
    }
    return wf_sw_ir_add_first(l->ir, WF_SW_IR_INPUT, add_row(l, &wanted, false));
}

// ---- variables ---------------------------------------------------------------------------------

static void initialize(struct wf_sw_lower *l, uint32_t variable,
                       const struct wf_shader_variable *global)
{
    struct wf_sw_variable *v = &l->variables[variable];
    const struct wf_sw_pointer p = {.space = WF_SW_POINTER_VARIABLE,
                                    .type = v->type,
                                    .variable = variable,
                                    .index = WF_SW_NONE};
    const uint32_t count = v->count;
    uint32_t *words = wf_sw_ir_alloc(l->ir, count, sizeof *words);
    if (v->input) {
        for (uint32_t i = 0; i < count; i++)
            words[i] = wf_sw_input_value(l, v, i);
        v->input = false; // from here on it is a variable in scratch rows
    } else if (wf_shader_constant(l->module, global->initializer)) {
        wf_sw_copy_words(l, global->initializer, words, count);
    } else if (global->initializer) {
        wf_sw_fail(l->ir, "a variable that starts as the address of another is not supported");
    } else {
        return;
    }
    wf_sw_variable_store(l, &p, words, count);
}

static uint32_t add_global(struct wf_sw_lower *l, const struct wf_shader_variable *global)
{
    struct wf_sw_ir *ir = l->ir;
    const uint32_t variable = wf_sw_variable_add(l, global->type, l->dynamic[global->id]);
    struct wf_sw_variable *v = &l->variables[variable];
    v->global = (uint32_t)(global - l->module->variables);
    v->input = global->storage == SpvStorageClassInput;
    v->output = global->storage == SpvStorageClassOutput;
    if (v->input || v->output) {
        describe_rows(l, v, global);
        v->values = wf_sw_ir_alloc(ir, v->count, sizeof *v->values);
        for (uint32_t i = 0; i < v->count; i++)
            v->values[i] = WF_SW_NONE;
    }
    if (v->output)
        v->stored = wf_sw_ir_alloc(ir, v->count, sizeof *v->stored);
    const uint32_t at = ir->at;
    ir->at = 0;
    if (v->scratch != WF_SW_NONE || !v->input)
        initialize(l, variable, global);
    ir->at = at;
    return variable;
}

static struct wf_sw_pointer
descriptor_pointer(struct wf_sw_lower *l, const struct wf_shader_variable *global, uint8_t space)
{
    const struct wf_shader_type *t = wf_sw_type(l, global->type);
    struct wf_sw_pointer p = {.space = space, .type = global->type, .index = WF_SW_NONE};
    if (global->set == WF_SHADER_NONE || global->binding == WF_SHADER_NONE)
        wf_sw_fail(l->ir, "variable %s has no set and binding", global->name);
    p.use = wf_sw_use_of(l, global->set, global->binding);
    p.desc = wf_sw_ir_const(l->ir, 0);
    p.offset = WF_SW_NONE;
    p.described = t->kind == WF_SHADER_TYPE_ARRAY || t->kind == WF_SHADER_TYPE_RUNTIME_ARRAY;
    while (t->kind == WF_SHADER_TYPE_ARRAY || t->kind == WF_SHADER_TYPE_RUNTIME_ARRAY)
        t = wf_sw_type(l, t->component);
    p.read_only = global->storage == SpvStorageClassUniform && !t->buffer_block;
    return p;
}

/// Bytes of memory that a value with a layout of its own takes, with the lengths that
/// specialization gives: the size of its type is by their defaults.
static uint64_t layout_bytes(struct wf_sw_lower *l, const struct wf_shader_type *t)
{
    uint64_t end = 0;
    switch (t->kind) {
    case WF_SHADER_TYPE_STRUCT:
        for (uint32_t k = 0; k < t->count; k++) {
            const struct wf_shader_member *m = &t->members[k];
            const struct wf_shader_type *inner = wf_sw_type(l, m->type);
            uint64_t bytes = layout_bytes(l, inner);
            if (inner->kind == WF_SHADER_TYPE_MATRIX) // however it lies
                bytes = (uint64_t)m->matrix_stride * 4;
            if (m->offset != WF_SHADER_NONE && m->offset + bytes > end)
                end = m->offset + bytes;
        }
        return end;
    case WF_SHADER_TYPE_ARRAY:
        return (uint64_t)t->stride * wf_sw_part_count(l, t);
    default:
        return wf_sw_type_words_any(l, t->id) * UINT64_C(4);
    }
}

/// Blocks have a layout, and all lie in the same place.
static struct wf_sw_pointer shared_pointer(struct wf_sw_lower *l,
                                           const struct wf_shader_variable *global)
{
    const struct wf_shader_type *t = wf_sw_type(l, global->type);
    const uint64_t bytes =
        t->block ? layout_bytes(l, t) : wf_sw_type_words_any(l, global->type) * 4;
    struct wf_sw_pointer p = {.space = WF_SW_POINTER_SHARED,
                              .type = global->type,
                              .packed = !t->block,
                              .index = WF_SW_NONE,
                              .offset = WF_SW_NONE,
                              .at = t->block ? 0 : l->shared_bytes};
    if (bytes > (1u << 20) || p.at + bytes > (1u << 20))
        wf_sw_fail(l->ir, "more than 1 MiB of shared memory");
    l->shared_bytes = wf_base_max_u32(l->shared_bytes, (uint32_t)(p.at + bytes + 15) & ~15u);
    return p;
}

/// A pointer to a module's variable, made when it is first used.
struct wf_sw_pointer wf_sw_global_pointer(struct wf_sw_lower *l,
                                          const struct wf_shader_variable *global)
{
    switch (global->storage) {
    case SpvStorageClassInput:
    case SpvStorageClassOutput:
    case SpvStorageClassPrivate: {
        const uint32_t variable = add_global(l, global);
        return (struct wf_sw_pointer){.space = WF_SW_POINTER_VARIABLE,
                                      .type = global->type,
                                      .variable = variable,
                                      .index = WF_SW_NONE};
    }
    case SpvStorageClassUniform:
    case SpvStorageClassStorageBuffer:
        return descriptor_pointer(l, global, WF_SW_POINTER_BUFFER);
    case SpvStorageClassUniformConstant:
        return descriptor_pointer(l, global, WF_SW_POINTER_OPAQUE);
    case SpvStorageClassPushConstant:
        return (struct wf_sw_pointer){.space = WF_SW_POINTER_ROOT,
                                      .type = global->type,
                                      .read_only = true,
                                      .index = WF_SW_NONE,
                                      .offset = WF_SW_NONE};
    case SpvStorageClassWorkgroup:
        return shared_pointer(l, global);
    default:
        wf_sw_fail(l->ir, "StorageClass %s is not supported",
                   wf_shader_value_name(WF_SHADER_KIND_STORAGE_CLASS, global->storage));
    }
}

void wf_sw_outputs(struct wf_sw_lower *l)
{
    for (uint32_t k = 0; k < l->variable_count; k++) {
        if (!l->variables[k].output)
            continue;
        const uint32_t count = l->variables[k].count;
        for (uint32_t i = 0; i < count; i++) {
            if (!l->variables[k].stored[i])
                continue;
            const struct wf_sw_pointer p = {.space = WF_SW_POINTER_VARIABLE,
                                            .variable = k,
                                            .component = i,
                                            .index = WF_SW_NONE};
            uint32_t value;
            wf_sw_variable_load(l, &p, &value, 1);
            wf_sw_ir_add(l->ir, WF_SW_IR_OUTPUT, l->variables[k].rows[i], &value, 1, 0);
        }
    }
}
