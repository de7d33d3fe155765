#include "backends/vulkan/root_module.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "shader/module.h"

#include <string.h>

/// The structure of a module's root block, or NULL.
static const struct wf_shader_type *root_type(const struct wf_shader_module *module, uint32_t from,
                                              uint32_t *next)
{
    for (uint32_t i = from; i < module->variable_count; i++) {
        if (module->variables[i].storage != SpvStorageClassPushConstant)
            continue;
        *next = i + 1;
        return wf_shader_type(module, module->variables[i].type);
    }
    return NULL;
}

void wf_vk_root_range(const struct wf_shader_module *module, uint32_t *begin, uint32_t *end)
{
    *begin = UINT32_MAX;
    *end = 0;
    uint32_t at = 0;
    const struct wf_shader_type *type;
    while ((type = root_type(module, at, &at)) != NULL) {
        for (uint32_t i = 0; i < type->count && type->members; i++)
            *begin = wf_base_min_u32(*begin, type->members[i].offset & ~3u);
        // Members that no stage reads may lie further on.
        const uint32_t size = (uint32_t)wf_base_min_u64(type->size, WF_VK_ROOT_BYTES);
        *end = wf_base_max_u32(*end, (size + 3) & ~3u);
    }
}

// ---- further on in the push constants ----------------------------------------------------------

/// Moves the root block of a copied module on. Root blocks of several entry points may be of one
/// type.
static void move_root(const struct wf_shader_module *module, uint32_t by, uint32_t *words)
{
    uint32_t at = 0;
    const struct wf_shader_type *type;
    while ((type = root_type(module, at, &at)) != NULL) {
        for (uint32_t i = 0; i < module->decoration_count; i++) {
            const struct wf_shader_decoration *d = &module->decorations[i];
            if (d->target == type->id && d->member != WF_SHADER_NONE &&
                d->kind == SpvDecorationOffset)
                words[d->word] = module->words[d->word] + by;
        }
    }
}

// ---- behind a pointer --------------------------------------------------------------------------

// A variable `R *root` in PushConstant becomes `struct { R *block; } *root`, where `block` points
// to a PhysicalStorageBuffer. Pointers into the block keep their ids and change their storage
// class; who names the variable gets the pointer, loaded in front of it.

/// A module that is written anew; once to count the words, once into memory.
struct rewrite {
    const struct wf_shader_module *module;
    const uint8_t *scalars; ///< By type: bytes of the largest scalar in it.
    uint32_t *out;          ///< NULL: only counts.
    uint32_t count;
    uint32_t offset; ///< Of the pointer in the push constants.
    uint32_t zero;   ///< A constant.
    uint32_t next;   ///< Id.
    bool extended, decorated;
};

static void put(struct rewrite *r, uint32_t word)
{
    if (r->out)
        r->out[r->count] = word;
    r->count++;
}

static void put_op(struct rewrite *r, SpvOp opcode, uint32_t count, const uint32_t *operands)
{
    put(r, (count + 1) << SpvWordCountShift | (uint32_t)opcode);
    for (uint32_t i = 0; i < count; i++)
        put(r, operands[i]);
}
#define PUT(r, opcode, ...)                                                                        \
    put_op(r, opcode, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t),                  \
           (const uint32_t[]){__VA_ARGS__})

/// New types of the root block `index` among the variables.
enum { HOLDER, HOLDER_POINTER, BLOCK_POINTER, TYPES };

static uint32_t type_id(const struct rewrite *r, uint32_t index, uint32_t which)
{
    return r->module->bound + TYPES * index + which;
}

static bool is_root(const struct rewrite *r, uint32_t id)
{
    const struct wf_shader_variable *variable = wf_shader_variable(r->module, id);
    return variable && variable->storage == SpvStorageClassPushConstant;
}

/// What it may do with pointers, in front of everything.
static void put_capabilities(struct rewrite *r)
{
    PUT(r, SpvOpCapability, SpvCapabilityPhysicalStorageBufferAddresses);
    if (wf_shader_has_capability(r->module, SpvCapabilityStoragePushConstant16))
        PUT(r, SpvOpCapability, SpvCapabilityStorageBuffer16BitAccess);
    if (wf_shader_has_capability(r->module, SpvCapabilityStoragePushConstant8))
        PUT(r, SpvOpCapability, SpvCapabilityStorageBuffer8BitAccess);
}

static void put_extension(struct rewrite *r)
{
    static const char name[] = "SPV_KHR_physical_storage_buffer";
    uint32_t text[(sizeof name + 3) / 4] = {0};
    memcpy(text, name, sizeof name);
    put_op(r, SpvOpExtension, sizeof text / sizeof *text, text);
}

static void put_decorations(struct rewrite *r)
{
    for (uint32_t i = 0; i < r->module->variable_count; i++) {
        if (r->module->variables[i].storage != SpvStorageClassPushConstant)
            continue;
        PUT(r, SpvOpDecorate, type_id(r, i, HOLDER), SpvDecorationBlock);
        PUT(r, SpvOpMemberDecorate, type_id(r, i, HOLDER), 0, SpvDecorationOffset, r->offset);
    }
}

/// The index 0, behind all types. There may not be two same types of integers.
static void put_zero(struct rewrite *r)
{
    uint32_t type = 0;
    for (uint32_t i = 0; i < r->module->type_count && type == 0; i++) {
        const struct wf_shader_type *t = &r->module->types[i];
        type = t->kind == WF_SHADER_TYPE_INT && t->width == 32 ? t->id : 0;
    }
    if (type == 0) {
        type = r->next++;
        PUT(r, SpvOpTypeInt, type, 32, 0);
    }
    r->zero = r->next++;
    PUT(r, SpvOpConstant, type, r->zero, 0);
}

static void put_root(struct rewrite *r, uint32_t id)
{
    const uint32_t index = r->module->ids[id].index;
    const uint32_t holder = type_id(r, index, HOLDER),
                   holder_pointer = type_id(r, index, HOLDER_POINTER);
    const uint32_t pointer = r->module->variables[index].pointer_type;
    PUT(r, SpvOpTypeStruct, holder, pointer);
    PUT(r, SpvOpTypePointer, holder_pointer, SpvStorageClassPushConstant, holder);
    PUT(r, SpvOpTypePointer, type_id(r, index, BLOCK_POINTER), SpvStorageClassPushConstant,
        pointer);
    PUT(r, SpvOpVariable, holder_pointer, id, SpvStorageClassPushConstant);
}

/// The block's address; returns its id.
static uint32_t put_address(struct rewrite *r, uint32_t root)
{
    const uint32_t index = r->module->ids[root].index;
    const uint32_t member = r->next++, address = r->next++;
    PUT(r, SpvOpAccessChain, type_id(r, index, BLOCK_POINTER), member, root, r->zero);
    PUT(r, SpvOpLoad, r->module->variables[index].pointer_type, address, member);
    return address;
}

/// Where an instruction names what it reads through; 0: it reads nothing.
static uint32_t pointer_at(const struct wf_shader_instruction *ins)
{
    switch (ins->opcode) {
    case SpvOpLoad:
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpCopyObject:
        return 3;
    case SpvOpCopyMemory:
        return 2;
    default:
        return 0;
    }
}

/// Where a load's or copy's memory operands for what it reads are, or would be.
static uint32_t access_at(const struct wf_shader_instruction *ins)
{
    const uint32_t with_operand = SpvMemoryAccessAlignedMask |
                                  SpvMemoryAccessMakePointerAvailableMask |
                                  SpvMemoryAccessMakePointerVisibleMask;
    const uint32_t at = pointer_at(ins) + 1;
    if (ins->opcode != SpvOpCopyMemory || at >= ins->count)
        return at;
    // Where there are two, the second is that of the source.
    const uint32_t second = at + 1 + wf_base_popcount32(ins->words[at] & with_operand);
    return second < ins->count ? second : at;
}

/// Such pointers must be said to be aligned. `pointer` names what it reads through.
static void put_read(struct rewrite *r, const struct wf_shader_instruction *ins, uint32_t pointer,
                     uint32_t alignment)
{
    const uint32_t at = access_at(ins), from = pointer_at(ins);
    const bool has = at < ins->count;
    const uint32_t mask = has ? ins->words[at] : 0;
    const uint32_t rest = !has ? at : mask & SpvMemoryAccessAlignedMask ? at + 2 : at + 1;
    put(r, (at + 2 + ins->count - rest) << SpvWordCountShift | ins->opcode);
    for (uint32_t i = 1; i < at; i++)
        put(r, i == from ? pointer : ins->words[i]);
    put(r, mask | SpvMemoryAccessAlignedMask);
    put(r, alignment);
    for (uint32_t i = rest; i < ins->count; i++)
        put(r, ins->words[i]);
}

/// An instruction that may read the root block.
static void put_use(struct rewrite *r, const struct wf_shader_instruction *ins)
{
    const struct wf_shader_module *module = r->module;
    const uint32_t from = pointer_at(ins);
    uint32_t pointer = ins->words[from];
    const struct wf_shader_type *type = wf_shader_type_of(module, pointer);
    const bool reads = ins->opcode == SpvOpLoad || ins->opcode == SpvOpCopyMemory;
    const bool ours = type && type->kind == WF_SHADER_TYPE_POINTER &&
                      type->storage == SpvStorageClassPushConstant;
    if (is_root(r, pointer))
        pointer = put_address(r, pointer);
    if (ours && reads) {
        put_read(r, ins, pointer, r->scalars[module->ids[type->component].index]);
        return;
    }
    for (uint32_t i = 0; i < ins->count; i++)
        put(r, i == from ? pointer : ins->words[i]);
}

/// What stands in front of the first instruction of its kind.
static void put_before(struct rewrite *r, const struct wf_shader_instruction *ins)
{
    if (!r->extended && ins->opcode != SpvOpCapability) {
        r->extended = true;
        if (r->module->version < 0x00010500)
            put_extension(r);
    }
    // The root block's structure is decorated.
    if (!r->decorated && (ins->opcode == SpvOpDecorate || ins->opcode == SpvOpMemberDecorate)) {
        r->decorated = true;
        put_decorations(r);
    }
    if (ins->word == r->module->first_function)
        put_zero(r);
}

static void put_instruction(struct rewrite *r, const struct wf_shader_instruction *ins)
{
    if (pointer_at(ins) != 0) {
        put_use(r, ins);
        return;
    }
    if (ins->opcode == SpvOpVariable && is_root(r, ins->id)) {
        put_root(r, ins->id);
        return;
    }
    const uint32_t start = r->count;
    for (uint32_t i = 0; i < ins->count; i++)
        put(r, ins->words[i]);
    if (!r->out)
        return;
    if (ins->opcode == SpvOpMemoryModel)
        r->out[start + 1] = SpvAddressingModelPhysicalStorageBuffer64;
    if (ins->opcode == SpvOpTypePointer && ins->words[2] == SpvStorageClassPushConstant)
        r->out[start + 2] = SpvStorageClassPhysicalStorageBuffer;
}

#define HEADER 5u
#define BOUND  3u ///< Its word.

/// `scalars` and the rest of `r` but for `out` stay as they are.
static void put_module(struct rewrite *r)
{
    const struct wf_shader_module *module = r->module;
    r->count = 0;
    r->next = module->bound + TYPES * module->variable_count;
    r->extended = r->decorated = false;
    for (uint32_t i = 0; i < HEADER; i++)
        put(r, module->words[i]);
    put_capabilities(r);
    struct wf_shader_instruction ins;
    for (uint32_t at = HEADER; wf_shader_next(module, &at, module->word_count, &ins);) {
        put_before(r, &ins);
        put_instruction(r, &ins);
    }
    if (r->out)
        r->out[BOUND] = r->next;
}

/// Of a part of type `i`: parts are defined before what is made of them, but for pointers that were
/// announced.
static uint8_t scalar_of_part(const struct wf_shader_module *module, const uint8_t *scalars,
                              uint32_t i, uint32_t part)
{
    const uint32_t index = module->ids[part].index;
    return index < i ? scalars[index] : 8;
}

/// The largest scalar of each type.
static void find_scalars(const struct wf_shader_module *module, uint8_t *scalars)
{
    for (uint32_t i = 0; i < module->type_count; i++) {
        const struct wf_shader_type *type = &module->types[i];
        scalars[i] = 1;
        switch (type->kind) {
        case WF_SHADER_TYPE_INT:
        case WF_SHADER_TYPE_FLOAT:
            scalars[i] = (uint8_t)(type->width / 8);
            break;
        case WF_SHADER_TYPE_POINTER:
            scalars[i] = 8;
            break;
        case WF_SHADER_TYPE_VECTOR:
        case WF_SHADER_TYPE_MATRIX:
        case WF_SHADER_TYPE_ARRAY:
            scalars[i] = scalar_of_part(module, scalars, i, type->component);
            break;
        case WF_SHADER_TYPE_STRUCT:
            for (uint32_t k = 0; k < type->count; k++) {
                const uint8_t part = scalar_of_part(module, scalars, i, type->members[k].type);
                scalars[i] = part > scalars[i] ? part : scalars[i];
            }
            break;
        default:
            break;
        }
    }
}

static uint32_t *by_pointer(const struct wf_base_allocator *allocator,
                            const struct wf_shader_module *module, uint32_t offset, size_t *count)
{
    uint8_t *scalars = wf_base_alloc_array(allocator, module->type_count, 1);
    if (!scalars)
        return NULL;
    find_scalars(module, scalars);
    struct rewrite r = {.module = module, .scalars = scalars, .offset = offset};
    put_module(&r);
    *count = r.count;
    r.out = wf_base_alloc_array(allocator, r.count, sizeof *r.out);
    if (r.out)
        put_module(&r);
    wf_base_free(allocator, scalars, module->type_count);
    return r.out;
}

uint32_t *wf_vk_root_placed(const struct wf_base_allocator *allocator,
                            const struct wf_shader_module *module,
                            const struct wf_vk_root_place *place, size_t *count)
{
    if (place->by_pointer)
        return by_pointer(allocator, module, place->at, count);
    *count = module->word_count;
    uint32_t *words = wf_base_copy_bytes(allocator, module->words, *count * sizeof *words);
    if (words)
        move_root(module, place->at, words);
    return words;
}
