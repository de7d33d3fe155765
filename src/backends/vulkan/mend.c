// What lavapipe does wrong in shaders is said in another way to it: some instructions of a module
// are replaced, and the result is read and checked like any module.
#include "backends/vulkan/mend.h"

#include <assert.h>
#include <string.h>

enum {
    LOCATIONS = 32,
    MOST_IDS = 2 + 2 * LOCATIONS,     ///< That replace one instruction.
    MOST_WORDS = 32 + 16 * LOCATIONS, ///< Added for it, constants included.
    HEAD_IDS = 4,
    HEAD_WORDS = 24,
    F_MAX = 40, ///< Of GLSL.std.450, like the next two.
    INTERPOLATE_AT_CENTROID = 76,
    INTERPOLATE_AT_OFFSET = 78,
};

enum target { TARGET_NONE, TARGET_SIZE, TARGET_CLAMP, TARGET_RETURN, TARGET_LINEAR };

struct mending {
    const struct wf_shader_module *module;
    const struct wf_vk_mend *how;
    uint32_t import; ///< Of GLSL.std.450; 0: none yet.
    uint32_t place;  ///< Id of the input FragCoord; 0: none yet.
    uint32_t place_type;
    uint32_t next; ///< Id of the target's first.
    uint32_t *words;
    uint32_t count;
};

static bool is_float(const struct wf_shader_module *module, uint32_t id)
{
    const struct wf_shader_type *type = wf_shader_type(module, id);
    if (type->kind == WF_SHADER_TYPE_VECTOR)
        type = wf_shader_type(module, type->component);
    return type->kind == WF_SHADER_TYPE_FLOAT && type->width == 32;
}

/// The input of which a load reads all or a component.
static const struct wf_shader_variable *loaded_from(const struct wf_shader_module *module,
                                                    uint32_t pointer)
{
    const uint16_t opcode = module->ids[pointer].opcode;
    if (opcode == SpvOpAccessChain || opcode == SpvOpInBoundsAccessChain)
        pointer = wf_shader_at(module, module->ids[pointer].word).operands[0];
    return wf_shader_variable(module, pointer);
}

static bool is_at(const struct wf_shader_variable *variable, uint32_t storage, uint32_t locations)
{
    return variable && variable->storage == storage && variable->location < LOCATIONS &&
           locations & 1u << variable->location;
}

static bool is_fragment(const struct mending *m)
{
    return m->how->entry && m->how->entry->model == SpvExecutionModelFragment;
}

static enum target target_of_load(const struct mending *m, const struct wf_shader_instruction *ins)
{
    const struct wf_shader_variable *from = loaded_from(m->module, ins->operands[0]);
    const uint32_t linear = is_fragment(m) ? m->how->linear : 0;
    if (!is_at(from, SpvStorageClassInput, m->how->snorm_inputs | linear) ||
        !is_float(m->module, from->type))
        return TARGET_NONE;
    return is_fragment(m) ? TARGET_LINEAR : TARGET_CLAMP;
}

static enum target target_of(const struct mending *m, const struct wf_shader_instruction *ins)
{
    if (ins->opcode == SpvOpImageQuerySizeLod)
        return m->module->ids[ins->operands[1]].role == WF_SHADER_ROLE_CONSTANT ? TARGET_NONE
                                                                                : TARGET_SIZE;
    if (ins->opcode == SpvOpLoad)
        return target_of_load(m, ins);
    if (ins->opcode != SpvOpReturn || m->how->linear == 0 || is_fragment(m))
        return TARGET_NONE;
    const struct wf_shader_function *main = wf_shader_function(m->module, m->how->entry->function);
    return ins->word > main->word && ins->word < main->end ? TARGET_RETURN : TARGET_NONE;
}

static void put(struct mending *m, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    m->words[m->count++] = (count + 1) << SpvWordCountShift | opcode;
    memcpy(m->words + m->count, operands, count * sizeof *operands);
    m->count += count;
}

static void copy(struct mending *m, uint32_t from, uint32_t to)
{
    memcpy(m->words + m->count, m->module->words + from, (to - from) * sizeof *m->words);
    m->count += to - from;
}

/// The type's scalar, and how many of them it has.
static uint32_t scalar_of(const struct wf_shader_module *module, uint32_t id, uint32_t *count)
{
    const struct wf_shader_type *type = wf_shader_type(module, id);
    const bool vector = type->kind == WF_SHADER_TYPE_VECTOR;
    *count = vector ? type->count : 1;
    return vector ? type->component : id;
}

/// A vector (or the scalar itself) of `id`, but for a last component of `last` if that is not 0.
static uint32_t put_vector(struct mending *m, uint32_t opcode, uint32_t type, uint32_t result,
                           uint32_t id, uint32_t last)
{
    uint32_t count;
    (void)scalar_of(m->module, type, &count);
    if (count == 1)
        return id;
    const uint32_t operands[6] = {type,
                                  result,
                                  id,
                                  count == 2 && last ? last : id,
                                  count == 3 && last ? last : id,
                                  last ? last : id};
    put(m, opcode, operands, 2 + count);
    return result;
}

/// The size of level 0, shifted to the right; but for layers, and no less than 1. lavapipe takes
/// the level of the first invocation for all ("FIXME" in lp_build_size_query_soa).
static void put_size(struct mending *m, const struct wf_shader_instruction *ins)
{
    const uint32_t n = m->next, type = ins->type, image = ins->operands[0];
    uint32_t count, lod = ins->operands[1];
    const uint32_t scalar = scalar_of(m->module, type, &count);
    const bool arrayed = wf_shader_type_of(m->module, image)->image.arrayed;
    put(m, SpvOpImageQuerySizeLod, (const uint32_t[]){type, n + 6, image, n}, 4);
    if (m->module->ids[lod].type != scalar) {
        put(m, SpvOpBitcast, (const uint32_t[]){scalar, n + 7, lod}, 3);
        lod = n + 7;
    }
    const uint32_t by =
        put_vector(m, SpvOpCompositeConstruct, type, n + 8, lod, arrayed ? n + 1 : 0);
    const uint32_t one = count == 1 ? n + 2 : n + 4, last = count == 1 ? n + 3 : n + 5;
    put(m, SpvOpShiftRightLogical, (const uint32_t[]){type, n + 9, n + 6, by}, 4);
    put(m, SpvOpISub, (const uint32_t[]){type, n + 10, n + 9, one}, 4);
    put(m, SpvOpShiftRightLogical, (const uint32_t[]){type, n + 11, n + 10, last}, 4);
    put(m, SpvOpIAdd, (const uint32_t[]){type, ins->id, n + 9, n + 11}, 4);
}

static void put_size_constants(struct mending *m, const struct wf_shader_instruction *ins)
{
    const uint32_t n = m->next;
    uint32_t count;
    const uint32_t scalar = scalar_of(m->module, ins->type, &count);
    put(m, SpvOpConstantNull, (const uint32_t[]){m->module->ids[ins->operands[1]].type, n}, 2);
    put(m, SpvOpConstantNull, (const uint32_t[]){scalar, n + 1}, 2);
    put(m, SpvOpConstant, (const uint32_t[]){scalar, n + 2, 1}, 3);
    put(m, SpvOpConstant, (const uint32_t[]){scalar, n + 3, 31}, 3);
    (void)put_vector(m, SpvOpConstantComposite, ins->type, n + 4, n + 2, 0);
    (void)put_vector(m, SpvOpConstantComposite, ins->type, n + 5, n + 3, 0);
}

/// -2^(n-1) is -1, too (Vulkan, "Conversion From Normalized Fixed-Point to Floating-Point"), which
/// lavapipe's fetch of vertices leaves out.
static void put_clamp(struct mending *m, const struct wf_shader_instruction *ins)
{
    uint32_t count;
    (void)scalar_of(m->module, ins->type, &count);
    const uint32_t start = m->count;
    copy(m, ins->word, ins->word + ins->count);
    m->words[start + 2] = m->next + 2;
    put(m, SpvOpExtInst,
        (const uint32_t[]){ins->type, ins->id, m->import, F_MAX, m->next + 2,
                           count == 1 ? m->next : m->next + 1},
        6);
}

static void put_clamp_constants(struct mending *m, const struct wf_shader_instruction *ins)
{
    const float least = -1;
    uint32_t bits, count;
    memcpy(&bits, &least, sizeof bits);
    const uint32_t scalar = scalar_of(m->module, ins->type, &count);
    put(m, SpvOpConstant, (const uint32_t[]){scalar, m->next, bits}, 3);
    (void)put_vector(m, SpvOpConstantComposite, ins->type, m->next + 1, m->next, 0);
}

// ---- varyings without perspective --------------------------------------------------------------

// lavapipe divides by 0 where it clips an edge that is upright on the screen and whose ends have
// not one w (interp in draw_pipe_clip.c). The vertex shader multiplies such outputs by w, they are
// interpolated with perspective, and the fragment shader multiplies by FragCoord's 1/w.

static uint32_t float_of(const struct wf_shader_module *module, uint32_t id)
{
    uint32_t count;
    return scalar_of(module, id, &count);
}

static void put_product(struct mending *m, uint32_t type, uint32_t result, uint32_t a, uint32_t b)
{
    const bool vector = wf_shader_type(m->module, type)->kind == WF_SHADER_TYPE_VECTOR;
    put(m, vector ? SpvOpVectorTimesScalar : SpvOpFMul, (const uint32_t[]){type, result, a, b}, 4);
}

/// The output that is, or whose member is the position; NULL: none. `*member`: WF_SHADER_NONE: it
/// is.
static const struct wf_shader_variable *position_of(const struct wf_shader_module *module,
                                                    uint32_t *member)
{
    *member = WF_SHADER_NONE;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const struct wf_shader_variable *v = &module->variables[i];
        const struct wf_shader_type *type = wf_shader_type(module, v->type);
        if (v->storage != SpvStorageClassOutput)
            continue;
        if (v->builtin == SpvBuiltInPosition)
            return v;
        for (*member = 0; type->members && *member < type->count; ++*member)
            if (type->members[*member].builtin == SpvBuiltInPosition)
                return v;
        *member = WF_SHADER_NONE;
    }
    return NULL;
}

static void put_return(struct mending *m, const struct wf_shader_instruction *ins)
{
    const struct wf_shader_module *module = m->module;
    uint32_t member, n = m->next + 2;
    const struct wf_shader_variable *position = position_of(module, &member);
    const bool in_block = member != WF_SHADER_NONE;
    const struct wf_shader_type *block = wf_shader_type(module, position->type);
    const uint32_t scalar =
        float_of(module, in_block ? block->members[member].type : position->type);
    put(m, SpvOpLoad, (const uint32_t[]){position->type, m->next, position->id}, 3);
    put(m, SpvOpCompositeExtract,
        (const uint32_t[]){scalar, m->next + 1, m->next, in_block ? member : 3, 3},
        in_block ? 5 : 4);
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const struct wf_shader_variable *v = &module->variables[i];
        if (!is_at(v, SpvStorageClassOutput, m->how->linear))
            continue;
        put(m, SpvOpLoad, (const uint32_t[]){v->type, n, v->id}, 3);
        put_product(m, v->type, n + 1, n, m->next + 1);
        put(m, SpvOpStore, (const uint32_t[]){v->id, n + 1}, 2);
        n += 2;
    }
    copy(m, ins->word, ins->word + ins->count);
}

static void put_linear(struct mending *m, const struct wf_shader_instruction *ins)
{
    const uint32_t start = m->count, n = m->next;
    copy(m, ins->word, ins->word + ins->count);
    m->words[start + 2] = n;
    put(m, SpvOpLoad, (const uint32_t[]){m->place_type, n + 1, m->place}, 3);
    put(m, SpvOpCompositeExtract,
        (const uint32_t[]){float_of(m->module, ins->type), n + 2, n + 1, 3}, 4);
    put_product(m, ins->type, ins->id, n, n + 2);
}

static void put_nothing(struct mending *m, const struct wf_shader_instruction *ins)
{
    (void)m;
    (void)ins;
}

/// The place among the entry's inputs, if it is not there.
static void find_place(struct mending *m)
{
    const struct wf_shader_module *module = m->module;
    for (uint32_t i = 0; i < m->how->entry->interface_count; i++) {
        const struct wf_shader_variable *v =
            wf_shader_variable(module, m->how->entry->interface_ids[i]);
        if (v && v->builtin == SpvBuiltInFragCoord) {
            m->place = v->id;
            m->place_type = v->type;
        }
    }
}

static void put_place(struct mending *m)
{
    const struct wf_shader_module *module = m->module;
    uint32_t scalar = 0, vector = 0;
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (is_at(&module->variables[i], SpvStorageClassInput, m->how->linear))
            scalar = float_of(module, module->variables[i].type);
    for (uint32_t i = 0; i < module->type_count; i++) {
        const struct wf_shader_type *t = &module->types[i];
        if (t->kind == WF_SHADER_TYPE_VECTOR && t->component == scalar && t->count == 4)
            vector = t->id;
    }
    if (vector == 0) {
        vector = module->bound + 2;
        put(m, SpvOpTypeVector, (const uint32_t[]){vector, scalar, 4}, 3);
    }
    m->place_type = vector;
    put(m, SpvOpTypePointer, (const uint32_t[]){module->bound + 3, SpvStorageClassInput, vector},
        3);
    put(m, SpvOpVariable, (const uint32_t[]){module->bound + 3, m->place, SpvStorageClassInput}, 3);
}

/// Whether an instruction before the functions takes away a varying's perspective; those of
/// vertex shaders say nothing.
static bool flattens(const struct mending *m, const struct wf_shader_instruction *ins)
{
    return is_fragment(m) && ins->opcode == SpvOpDecorate &&
           ins->operands[1] == SpvDecorationNoPerspective &&
           is_at(wf_shader_variable(m->module, ins->operands[0]), SpvStorageClassInput,
                 m->how->linear);
}

// ---- modules -----------------------------------------------------------------------------------

/// The instructions' constants, or the functions with what stands for them.
static void put_targets(struct mending *m, bool constants)
{
    static void (*const puts[][2])(struct mending *, const struct wf_shader_instruction *) = {
        [TARGET_SIZE] = {put_size, put_size_constants},
        [TARGET_CLAMP] = {put_clamp, put_clamp_constants},
        [TARGET_RETURN] = {put_return, put_nothing},
        [TARGET_LINEAR] = {put_linear, put_nothing},
    };
    const struct wf_shader_module *module = m->module;
    struct wf_shader_instruction ins;
    m->next = module->bound + HEAD_IDS;
    for (uint32_t at = module->first_function;
         wf_shader_next(module, &at, module->word_count, &ins);) {
        const enum target target = target_of(m, &ins);
        if (target != TARGET_NONE) {
            puts[target][constants](m, &ins);
            m->next += MOST_IDS;
        } else if (!constants) {
            copy(m, ins.word, at);
        }
    }
}

static void put_import(struct mending *m)
{
    static const char name[] = "GLSL.std.450";
    for (uint32_t i = 0; i < m->module->import_count; i++)
        m->import = m->module->imports[i].glsl ? m->module->imports[i].id : m->import;
    if (m->import != 0)
        return;
    uint32_t operands[1 + (sizeof name + 3) / 4] = {m->import = m->module->bound};
    memcpy(operands + 1, name, sizeof name);
    put(m, SpvOpExtInstImport, operands, sizeof operands / sizeof *operands);
}

/// All up to the functions, with what they will need.
static void put_head(struct mending *m)
{
    const struct wf_shader_module *module = m->module;
    const bool linear = is_fragment(m) && m->how->linear != 0;
    struct wf_shader_instruction ins;
    if (linear)
        find_place(m);
    const bool lacks_place = linear && m->place == 0;
    bool decorated = !lacks_place;
    if (lacks_place)
        m->place = module->bound + 1;
    copy(m, 0, 5);
    for (uint32_t at = 5; wf_shader_next(module, &at, module->first_function, &ins);) {
        if (ins.opcode == SpvOpMemoryModel)
            put_import(m);
        if (!flattens(m, &ins))
            copy(m, ins.word, at);
        else if (!decorated)
            put(m, SpvOpDecorate,
                (const uint32_t[]){m->place, SpvDecorationBuiltIn, SpvBuiltInFragCoord}, 3);
        decorated |= flattens(m, &ins);
        if (lacks_place && ins.word == m->how->entry->word) {
            m->words[m->count - ins.count] += 1u << SpvWordCountShift;
            m->words[m->count++] = m->place;
        }
    }
    if (lacks_place)
        put_place(m);
}

bool wf_vk_mend_module(const struct wf_vk_device *dev, const struct wf_shader_module *module,
                       const struct wf_vk_mend *how, struct wf_shader_module **out)
{
    *out = NULL;
    if (dev->adapter.properties12.driverID != VK_DRIVER_ID_MESA_LLVMPIPE)
        return true;
    struct mending m = {.module = module, .how = how};
    uint32_t targets = 0;
    struct wf_shader_instruction ins;
    for (uint32_t at = module->first_function;
         wf_shader_next(module, &at, module->word_count, &ins);)
        targets += target_of(&m, &ins) != TARGET_NONE;
    if (targets == 0)
        return true;
    const size_t most =
        (module->word_count + HEAD_WORDS + (size_t)targets * MOST_WORDS) * sizeof *m.words;
    m.words = wf_base_alloc(dev->base.allocator, most);
    if (!m.words)
        return false;
    put_head(&m);
    put_targets(&m, true);
    put_targets(&m, false);
    m.words[3] = m.next;
    const bool read =
        wf_shader_read(dev->base.allocator, m.words, m.count * sizeof *m.words, out, NULL);
    wf_base_free(dev->base.allocator, m.words, most);
    return read;
}

// ---- which varyings ----------------------------------------------------------------------------

/// Locations that one variable of floats has for itself.
static uint32_t plain_locations(const struct wf_shader_module *module, uint32_t storage)
{
    uint32_t plain = 0, seen = 0;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const struct wf_shader_variable *v = &module->variables[i];
        if (!is_at(v, storage, UINT32_MAX))
            continue;
        const uint32_t bit = 1u << v->location;
        const bool alone = !(seen & bit) && is_float(module, v->type) &&
                           (v->component == 0 || v->component == WF_SHADER_NONE);
        plain = alone ? plain | bit : plain & ~bit;
        seen |= bit;
    }
    return plain;
}

/// Fragment inputs without perspective that are decorated by themselves and read at the texel.
static uint32_t linear_inputs(const struct wf_shader_module *module)
{
    uint32_t linear = 0;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        const struct wf_shader_variable *v = &module->variables[i];
        const struct wf_shader_decoration *d =
            wf_shader_decoration(module, v->id, WF_SHADER_NONE, SpvDecorationNoPerspective);
        if (is_at(v, SpvStorageClassInput, UINT32_MAX) && d && !v->centroid && !v->sample &&
            module->words[d->word - 3] == (3u << SpvWordCountShift | SpvOpDecorate) &&
            module->words[d->word - 2] == v->id)
            linear |= 1u << v->location;
    }
    return linear;
}

/// Whether an instruction may use a varying in a way that is not replaced.
static bool uses_otherwise(const struct wf_shader_module *module,
                           const struct wf_shader_instruction *ins, uint32_t linear)
{
    if (ins->opcode == SpvOpLoad || ins->opcode == SpvOpAccessChain ||
        ins->opcode == SpvOpInBoundsAccessChain)
        return false;
    if (ins->opcode == SpvOpExtInst && ins->operands[1] >= INTERPOLATE_AT_CENTROID &&
        ins->operands[1] <= INTERPOLATE_AT_OFFSET)
        return true;
    for (uint32_t i = 0; i < ins->operand_count; i++)
        if (is_at(wf_shader_variable(module, ins->operands[i]), SpvStorageClassInput, linear))
            return true;
    return false;
}

uint32_t wf_vk_linear_varyings(const struct wf_shader_module *vertex,
                               const struct wf_shader_module *fragment)
{
    uint32_t member;
    const uint32_t linear = linear_inputs(fragment) &
                            plain_locations(fragment, SpvStorageClassInput) &
                            plain_locations(vertex, SpvStorageClassOutput);
    struct wf_shader_instruction ins;
    // with several entry points, the position that is found may be another's
    if (linear == 0 || vertex->entry_count > 1 || !position_of(vertex, &member))
        return 0;
    for (uint32_t at = fragment->first_function;
         wf_shader_next(fragment, &at, fragment->word_count, &ins);)
        if (uses_otherwise(fragment, &ins, linear))
            return 0;
    return linear;
}
