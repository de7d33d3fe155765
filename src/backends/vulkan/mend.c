// What lavapipe does wrong in shaders is said in another way to it: some instructions of a module
// are replaced, and the result is read and checked like any module.
#include "backends/vulkan/mend.h"

#include <assert.h>
#include <string.h>

enum {
    MOST_IDS = 12,   ///< That replace one instruction.
    MOST_WORDS = 96, ///< Added for it, constants included.
    IMPORT_WORDS = 6,
    F_MAX = 40, ///< Of GLSL.std.450.
};

enum target { TARGET_NONE, TARGET_SIZE, TARGET_CLAMP };

struct mending {
    const struct wf_shader_module *module;
    uint32_t clamped; ///< Locations of inputs, a bit each.
    uint32_t import;  ///< Of GLSL.std.450; 0: none yet.
    uint32_t next;    ///< Id of the target's first.
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

static enum target target_of(const struct mending *m, const struct wf_shader_instruction *ins)
{
    if (ins->opcode == SpvOpImageQuerySizeLod)
        return m->module->ids[ins->operands[1]].role == WF_SHADER_ROLE_CONSTANT ? TARGET_NONE
                                                                                : TARGET_SIZE;
    if (ins->opcode != SpvOpLoad || m->clamped == 0)
        return TARGET_NONE;
    const struct wf_shader_variable *from = loaded_from(m->module, ins->operands[0]);
    const bool clamp = from && from->storage == SpvStorageClassInput && from->location < 32 &&
                       m->clamped & 1u << from->location && is_float(m->module, from->type);
    return clamp ? TARGET_CLAMP : TARGET_NONE;
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

/// The instructions' constants, or the functions with what stands for them.
static void put_targets(struct mending *m, bool constants)
{
    static void (*const puts[][2])(struct mending *, const struct wf_shader_instruction *) = {
        [TARGET_SIZE] = {put_size, put_size_constants},
        [TARGET_CLAMP] = {put_clamp, put_clamp_constants},
    };
    const struct wf_shader_module *module = m->module;
    struct wf_shader_instruction ins;
    m->next = module->bound + 1;
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

/// All up to the functions, with an import of GLSL.std.450.
static void put_head(struct mending *m)
{
    static const char name[] = "GLSL.std.450";
    const struct wf_shader_module *module = m->module;
    struct wf_shader_instruction ins = {.word = 0};
    uint32_t at = 5;
    while (wf_shader_next(module, &at, module->word_count, &ins) &&
           ins.opcode != SpvOpMemoryModel) {
    }
    copy(m, 0, ins.word);
    for (uint32_t i = 0; i < module->import_count; i++)
        m->import = module->imports[i].glsl ? module->imports[i].id : m->import;
    if (m->import == 0) {
        uint32_t operands[IMPORT_WORDS - 1] = {m->import = module->bound};
        memcpy(operands + 1, name, sizeof name);
        put(m, SpvOpExtInstImport, operands, IMPORT_WORDS - 1);
    }
    copy(m, ins.word, module->first_function);
}

bool wf_vk_mend_module(const struct wf_vk_device *dev, const struct wf_shader_module *module,
                       uint32_t snorm_inputs, struct wf_shader_module **out)
{
    *out = NULL;
    if (dev->adapter.properties12.driverID != VK_DRIVER_ID_MESA_LLVMPIPE)
        return true;
    struct mending m = {.module = module, .clamped = snorm_inputs};
    uint32_t targets = 0;
    struct wf_shader_instruction ins;
    for (uint32_t at = module->first_function;
         wf_shader_next(module, &at, module->word_count, &ins);)
        targets += target_of(&m, &ins) != TARGET_NONE;
    if (targets == 0)
        return true;
    const size_t most =
        (module->word_count + IMPORT_WORDS + (size_t)targets * MOST_WORDS) * sizeof *m.words;
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
