#include "backends/software/exec/lower.h"

/// One scalar of a value in memory.
struct access {
    uint64_t offset; ///< Bytes from the pointer.
    uint8_t width;   ///< enum wf_sw_width
};

struct accesses {
    struct access *items;
    uint32_t count;
};

/// How a matrix in memory is laid out, and a vector cut out of one.
struct layout {
    bool packed, row_major;
    uint32_t matrix_stride, stride;
};

void wf_sw_set_pointer(struct wf_sw_lower *l, uint32_t id, const struct wf_sw_pointer *p)
{
    l->pointers = wf_sw_ir_grow(l->ir, l->pointers, &l->pointer_capacity, l->pointer_count + 1,
                                sizeof *l->pointers);
    l->pointers[l->pointer_count++] = *p;
    l->pointer_of[id] = l->pointer_count;
}

/// Whether what a pointer leads to lies as its type says, and not as a structure around it does.
static bool lies_by_itself(struct wf_sw_lower *l, const struct wf_sw_pointer *p)
{
    const struct wf_shader_type *t = wf_sw_type(l, p->type);
    while (t->kind == WF_SHADER_TYPE_ARRAY || t->kind == WF_SHADER_TYPE_RUNTIME_ARRAY)
        t = wf_sw_type(l, t->component);
    return p->packed || (t->kind != WF_SHADER_TYPE_MATRIX && !p->stride);
}

struct wf_sw_pointer wf_sw_pointer(struct wf_sw_lower *l, uint32_t id)
{
    if (l->pointer_of[id])
        return l->pointers[l->pointer_of[id] - 1];
    const struct wf_shader_variable *global = wf_shader_variable(l->module, id);
    if (global) {
        const struct wf_sw_pointer p = wf_sw_global_pointer(l, global);
        wf_sw_set_pointer(l, id, &p);
        return p;
    }
    const struct wf_shader_type *t = wf_shader_type_of(l->module, id);
    const bool choosable = t && wf_sw_is_choosable(t) && l->variable_pointers;
    if (!t || t->kind != WF_SHADER_TYPE_POINTER ||
        (t->storage != SpvStorageClassPhysicalStorageBuffer && !choosable))
        wf_sw_fail(l->ir, "pointer %%%u is chosen at run time, which is not supported", id);
    const struct wf_sw_pointer p = {
        .space = choosable ? WF_SW_POINTER_CHOSEN : WF_SW_POINTER_PHYSICAL,
        .type = t->component,
        .packed = t->storage == SpvStorageClassWorkgroup && !l->shared_blocks,
        .array_stride = t->stride,
        .index = WF_SW_NONE,
        .offset = WF_SW_NONE,
        .low = wf_sw_word(l, id, 0),
        .high = wf_sw_word(l, id, 1),
    };
    if (!lies_by_itself(l, &p))
        wf_sw_fail(l->ir, "pointer %%%u to a matrix has no layout, as it is chosen at run time",
                   id);
    return p;
}

/// A pointer into a buffer or shared memory as one that is chosen.
static void choose_pointer(struct wf_sw_lower *l, struct wf_sw_pointer *p)
{
    struct wf_sw_ir *ir = l->ir;
    uint32_t desc, low = p->space == WF_SW_POINTER_CHOSEN ? p->low : p->offset;
    const uint32_t at = wf_sw_ir_const(ir, p->at > UINT32_MAX ? UINT32_MAX : (uint32_t)p->at);
    if (low == WF_SW_NONE)
        low = at;
    else if (p->at)
        low = wf_sw_ir_bin(ir, WF_SW_IR_ADDSAT, low, at);
    if (p->space == WF_SW_POINTER_SHARED) {
        p->high = wf_sw_ir_const(ir, WF_SW_CHOSEN_SHARED);
    } else if (p->space == WF_SW_POINTER_BUFFER) {
        if (wf_sw_ir_is_const(ir, p->desc, &desc))
            p->high = wf_sw_ir_const(ir, WF_SW_CHOSEN(p->use, wf_base_min_u32(desc, 0xffff)));
        else
            p->high =
                wf_sw_ir_bin(ir, WF_SW_IR_OR, wf_sw_ir_const(ir, WF_SW_CHOSEN(p->use, 0)),
                             wf_sw_ir_bin(ir, WF_SW_IR_UMIN, p->desc, wf_sw_ir_const(ir, 0xffff)));
    }
    p->low = low;
    p->at = 0;
    p->offset = WF_SW_NONE;
    p->space = WF_SW_POINTER_CHOSEN;
}

void wf_sw_publish_pointer(struct wf_sw_lower *l, uint32_t id, const struct wf_sw_pointer *p)
{
    struct wf_sw_pointer chosen = *p;
    wf_sw_set_pointer(l, id, p);
    if (!l->variable_pointers || p->described || !lies_by_itself(l, p) ||
        (p->space != WF_SW_POINTER_BUFFER && p->space != WF_SW_POINTER_SHARED &&
         p->space != WF_SW_POINTER_CHOSEN))
        return;
    choose_pointer(l, &chosen);
    uint32_t *words = wf_sw_define(l, id, 2);
    words[0] = chosen.low;
    words[1] = chosen.high;
}

/// The 32-bit value of an index of any width. Negative and huge ones stay far out of range.
static uint32_t index_value(struct wf_sw_lower *l, uint32_t id)
{
    struct wf_sw_ir *ir = l->ir;
    const struct wf_shader_type *t = wf_shader_type_of(l->module, id);
    const uint32_t low = wf_sw_word(l, id, 0);
    if (t->width == 64) {
        const uint32_t high = wf_sw_word(l, id, 1);
        const uint32_t fits = wf_sw_ir_bin(ir, WF_SW_IR_IEQ, high, wf_sw_ir_const(ir, 0));
        return wf_sw_ir_ter(ir, WF_SW_IR_SELECT, fits, low, wf_sw_ir_const(ir, UINT32_MAX));
    }
    return t->is_signed ? wf_sw_sign_extend(l, low, t->width) : low;
}

static void add_to_address(struct wf_sw_lower *l, uint32_t *low, uint32_t *high, uint32_t add_low,
                           uint32_t add_high)
{
    const uint32_t sum = wf_sw_ir_bin(l->ir, WF_SW_IR_IADD, *low, add_low);
    const uint32_t carry = wf_sw_carry(l, sum, *low);
    *low = sum;
    *high = wf_sw_ir_bin(l->ir, WF_SW_IR_IADD, *high, add_high);
    *high = wf_sw_ir_bin(l->ir, WF_SW_IR_IADD, *high, carry);
}

/// Adds sign-extended `index` * `stride` to a 64-bit address.
static void move_address(struct wf_sw_lower *l, struct wf_sw_pointer *p, uint32_t id,
                         uint32_t stride)
{
    struct wf_sw_ir *ir = l->ir;
    const struct wf_shader_type *t = wf_shader_type_of(l->module, id);
    uint32_t low = wf_sw_word(l, id, 0), high;
    if (t->is_signed)
        low = wf_sw_sign_extend(l, low, t->width);
    const uint32_t factor = wf_sw_ir_const(ir, stride);
    const uint32_t product = wf_sw_ir_bin(ir, WF_SW_IR_IMUL, low, factor);
    const uint32_t args[2] = {low, factor};
    if (t->width == 64) {
        high = wf_sw_ir_bin(ir, WF_SW_IR_IADD, wf_sw_ir_call(ir, WF_SW_FUN_UMULHI, args, 2),
                            wf_sw_ir_bin(ir, WF_SW_IR_IMUL, wf_sw_word(l, id, 1), factor));
    } else {
        high = wf_sw_ir_call(ir, t->is_signed ? WF_SW_FUN_SMULHI : WF_SW_FUN_UMULHI, args, 2);
    }
    add_to_address(l, &p->low, &p->high, product, high);
}

/// Steps `index` parts of `stride` bytes (or components, for variables) further.
static void step(struct wf_sw_lower *l, struct wf_sw_pointer *p, uint32_t id, uint64_t stride)
{
    struct wf_sw_ir *ir = l->ir;
    uint32_t constant;
    if (stride == 0)
        return;
    if (wf_sw_constant_u32(l, id, &constant)) {
        const struct wf_shader_type *t = wf_shader_type_of(l->module, id);
        const bool back = p->space == WF_SW_POINTER_PHYSICAL && t && t->is_signed;
        const uint64_t index = back ? (uint64_t)(int64_t)(int32_t)constant : constant;
        if (p->space == WF_SW_POINTER_VARIABLE)
            p->component =
                wf_base_min_u32(WF_SW_MAX_WORDS, constant) * (uint32_t)stride + p->component;
        else
            p->at += index * stride;
        return;
    }
    if (stride > UINT32_MAX)
        stride = UINT32_MAX;
    if (p->space == WF_SW_POINTER_PHYSICAL) {
        move_address(l, p, id, (uint32_t)stride);
        return;
    }
    const uint32_t limit = UINT32_MAX / (uint32_t)stride;
    const uint32_t offset =
        wf_sw_ir_ter(ir, WF_SW_IR_INDEX, index_value(l, id), wf_sw_ir_const(ir, (uint32_t)stride),
                     wf_sw_ir_const(ir, limit));
    uint32_t *sum = p->space == WF_SW_POINTER_VARIABLE ? &p->index
                    : p->space == WF_SW_POINTER_CHOSEN ? &p->low
                                                       : &p->offset;
    *sum = *sum == WF_SW_NONE ? offset : wf_sw_ir_bin(ir, WF_SW_IR_ADDSAT, *sum, offset);
}

static uint32_t scalar_bytes(const struct wf_shader_type *t)
{
    if (t->kind == WF_SHADER_TYPE_POINTER)
        return 8;
    return t->kind == WF_SHADER_TYPE_BOOL ? 4 : t->width / 8;
}

static void step_member(struct wf_sw_lower *l, struct wf_sw_pointer *p,
                        const struct wf_shader_type *t, uint32_t id)
{
    uint32_t index = 0, component;
    if (!wf_sw_constant_u32(l, id, &index) || t->count == 0)
        wf_sw_fail(l->ir, "a structure's member is not named by a constant");
    if (index >= t->count)
        index = t->count - 1;
    const struct wf_shader_member *m = &t->members[index];
    if (p->space == WF_SW_POINTER_VARIABLE) {
        p->type = wf_sw_part(l, t, index, &component);
        p->component += component;
        return;
    }
    if (p->packed) {
        for (uint32_t i = 0; i < index; i++)
            p->at += wf_sw_type_words_any(l, t->members[i].type) * 4;
    } else {
        p->at += m->offset == WF_SHADER_NONE ? 0 : m->offset;
        p->row_major = m->row_major;
        p->matrix_stride = m->matrix_stride;
    }
    p->type = m->type;
}

/// Bytes, or components, from one part of an array, matrix or vector to the next.
static uint64_t part_stride(struct wf_sw_lower *l, struct wf_sw_pointer *p,
                            const struct wf_shader_type *t)
{
    const uint64_t words = wf_sw_type_words_any(l, t->component);
    if (p->space == WF_SW_POINTER_VARIABLE)
        return words;
    if (p->packed)
        return words * 4;
    switch (t->kind) {
    case WF_SHADER_TYPE_MATRIX:
        if (!p->row_major)
            return p->matrix_stride;
        p->stride = p->matrix_stride;
        return scalar_bytes(wf_sw_scalar_of(l, t));
    case WF_SHADER_TYPE_VECTOR:
        return p->stride ? p->stride : scalar_bytes(wf_sw_scalar_of(l, t));
    default:
        return t->stride;
    }
}

/// Arrays of descriptors, arrays of such arrays too, are one range of elements.
static void step_descriptor(struct wf_sw_lower *l, struct wf_sw_pointer *p,
                            const struct wf_shader_type *t, uint32_t id)
{
    struct wf_sw_ir *ir = l->ir;
    const struct wf_shader_type *inner = wf_sw_type(l, t->component);
    const uint32_t length = wf_sw_ir_const(ir, wf_sw_part_count(l, t));
    const uint32_t before = wf_sw_ir_bin(ir, WF_SW_IR_IMUL, p->desc, length);
    p->desc = wf_sw_ir_bin(ir, WF_SW_IR_ADDSAT, before, index_value(l, id));
    p->described =
        inner->kind == WF_SHADER_TYPE_ARRAY || inner->kind == WF_SHADER_TYPE_RUNTIME_ARRAY;
    p->type = t->component;
}

static void step_into(struct wf_sw_lower *l, struct wf_sw_pointer *p, uint32_t id)
{
    const struct wf_shader_type *t = wf_sw_type(l, p->type);
    switch (t->kind) {
    case WF_SHADER_TYPE_STRUCT:
        step_member(l, p, t, id);
        return;
    case WF_SHADER_TYPE_ARRAY:
    case WF_SHADER_TYPE_RUNTIME_ARRAY:
        if (p->described) {
            step_descriptor(l, p, t, id);
            return;
        }
        break;
    case WF_SHADER_TYPE_MATRIX:
    case WF_SHADER_TYPE_VECTOR:
        break;
    default:
        wf_sw_fail(l->ir, "an index into something that has no parts");
    }
    step(l, p, id, part_stride(l, p, t));
    p->type = t->component;
}

/// Bytes from one element that a pointer may step to, to the next.
static uint32_t element_stride(struct wf_sw_lower *l, const struct wf_sw_pointer *p, uint32_t id)
{
    const struct wf_shader_type *t = wf_shader_type_of(l->module, id);
    return p->packed ? wf_sw_type_words(l, t->component) * 4 : t->stride;
}

static void need_stride(struct wf_sw_lower *l, uint32_t stride)
{
    if (!stride)
        wf_sw_fail(l->ir, "the pointer's type has no ArrayStride");
}

/// Steps over elements, back as well: offsets wrap around. What 32 bits cannot say leads nowhere.
static void step_element(struct wf_sw_lower *l, struct wf_sw_pointer *p, uint32_t id,
                         uint32_t index)
{
    struct wf_sw_ir *ir = l->ir;
    const struct wf_shader_type *t = wf_shader_type_of(l->module, id);
    const uint32_t stride = element_stride(l, p, id);
    if (!wf_sw_is_choosable(t) || !l->variable_pointers || p->described)
        wf_sw_fail(ir, "supported only for physical and variable pointers");
    need_stride(l, stride);
    choose_pointer(l, p);
    const bool wide = wf_shader_type_of(l->module, index)->width == 64;
    const uint32_t low = wide ? wf_sw_word(l, index, 0) : index_value(l, index);
    const uint32_t by = wf_sw_ir_bin(ir, WF_SW_IR_IMUL, low, wf_sw_ir_const(ir, stride));
    p->low = wf_sw_ir_bin(ir, WF_SW_IR_IADD, p->low, by);
    if (wide) {
        const uint32_t sign = wf_sw_ir_bin(ir, WF_SW_IR_SAR, low, wf_sw_ir_const(ir, 31));
        const uint32_t fits = wf_sw_ir_bin(ir, WF_SW_IR_IEQ, wf_sw_word(l, index, 1), sign);
        p->high =
            wf_sw_ir_ter(ir, WF_SW_IR_SELECT, fits, p->high, wf_sw_ir_const(ir, WF_SW_CHOSEN_NULL));
    }
}

/// OpPtrEqual, OpPtrNotEqual, OpPtrDiff.
static void lower_compare(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    struct wf_sw_ir *ir = l->ir;
    uint32_t a[2], b[2];
    wf_sw_copy_words(l, i->operands[0], a, 2);
    wf_sw_copy_words(l, i->operands[1], b, 2);
    if (i->opcode == SpvOpPtrDiff) {
        const struct wf_sw_pointer p = wf_sw_pointer(l, i->operands[0]);
        const uint32_t words = wf_sw_type_words(l, i->type);
        const uint32_t stride = element_stride(l, &p, i->operands[0]);
        if (p.space == WF_SW_POINTER_PHYSICAL)
            wf_sw_fail(ir, "supported only for variable pointers");
        need_stride(l, stride);
        const uint32_t args[2] = {wf_sw_ir_bin(ir, WF_SW_IR_ISUB, a[0], b[0]),
                                  wf_sw_ir_const(ir, stride)};
        const uint32_t elements = wf_sw_ir_call(ir, WF_SW_FUN_SDIV, args, 2);
        const uint32_t width = wf_sw_type(l, i->type)->width;
        const uint32_t out[2] = {wf_sw_truncate(l, elements, width),
                                 wf_sw_ir_bin(ir, WF_SW_IR_SAR, elements, wf_sw_ir_const(ir, 31))};
        memcpy(wf_sw_define(l, i->id, words), out, words * sizeof *out);
        return;
    }
    const uint32_t same = wf_sw_ir_bin(ir, WF_SW_IR_AND, wf_sw_ir_bin(ir, WF_SW_IR_IEQ, a[0], b[0]),
                                       wf_sw_ir_bin(ir, WF_SW_IR_IEQ, a[1], b[1]));
    const uint32_t value = i->opcode == SpvOpPtrEqual ? same : wf_sw_ir_un(ir, WF_SW_IR_NOT, same);
    *wf_sw_define(l, i->id, 1) = value;
}

static void lower_chain(struct wf_sw_lower *l, const struct wf_shader_instruction *i, bool element)
{
    struct wf_sw_pointer p = wf_sw_pointer(l, i->operands[0]);
    uint32_t k = 1;
    if (element && p.space == WF_SW_POINTER_PHYSICAL) {
        need_stride(l, p.array_stride);
        step(l, &p, i->operands[k++], p.array_stride);
    } else if (element) {
        step_element(l, &p, i->operands[0], i->operands[k++]);
    }
    for (; k < i->operand_count; k++)
        step_into(l, &p, i->operands[k]);
    if (p.space == WF_SW_POINTER_PHYSICAL) {
        // The chain is a value too: it may be stored, compared or converted.
        uint32_t low = p.low, high = p.high;
        add_to_address(l, &low, &high, wf_sw_ir_const(l->ir, (uint32_t)p.at),
                       wf_sw_ir_const(l->ir, (uint32_t)(p.at >> 32)));
        uint32_t *words = wf_sw_define(l, i->id, 2);
        words[0] = low;
        words[1] = high;
        p.array_stride = wf_sw_type(l, i->type)->stride;
    }
    wf_sw_publish_pointer(l, i->id, &p);
}

// ---- the scalars of a value in memory ----------------------------------------------------------

static void walk_scalar(struct wf_sw_lower *l, struct accesses *a, const struct wf_shader_type *t,
                        uint64_t offset, bool packed)
{
    uint32_t words = 1;
    uint8_t width = WF_SW_WIDTH_32;
    if (t->kind == WF_SHADER_TYPE_POINTER || t->width == 64)
        words = 2;
    else if (!packed && t->width == 16)
        width = t->kind == WF_SHADER_TYPE_FLOAT ? WF_SW_WIDTH_HALF : WF_SW_WIDTH_U16;
    else if (!packed && t->width == 8)
        width = WF_SW_WIDTH_U8;
    if (t->kind == WF_SHADER_TYPE_POINTER && t->storage != SpvStorageClassPhysicalStorageBuffer)
        wf_sw_fail(l->ir, "a pointer in memory is not a physical one");
    for (uint32_t i = 0; i < words; i++)
        a->items[a->count++] = (struct access){offset + i * UINT64_C(4), width};
}

/// Nesting is limited by the reader, the number of scalars by wf_sw_type_words().
static void walk(struct wf_sw_lower *l, struct accesses *a, uint32_t type, uint64_t offset,
                 const struct layout *at)
{
    const struct wf_shader_type *t = wf_sw_type(l, type);
    struct layout inner = *at;
    uint64_t stride = 0;
    switch (t->kind) {
    case WF_SHADER_TYPE_STRUCT:
        for (uint32_t i = 0; i < t->count; i++) {
            const struct wf_shader_member *m = &t->members[i];
            if (!at->packed)
                inner =
                    (struct layout){.row_major = m->row_major, .matrix_stride = m->matrix_stride};
            walk(l, a, m->type,
                 offset + (at->packed || m->offset == WF_SHADER_NONE ? stride : m->offset), &inner);
            stride += wf_sw_type_words_any(l, m->type) * 4;
        }
        return;
    case WF_SHADER_TYPE_ARRAY:
        stride = at->packed ? wf_sw_type_words_any(l, t->component) * 4 : t->stride;
        break;
    case WF_SHADER_TYPE_MATRIX:
        stride = at->packed ? wf_sw_type_words_any(l, t->component) * 4 : at->matrix_stride;
        if (!at->packed && at->row_major) {
            stride = scalar_bytes(wf_sw_scalar_of(l, t));
            inner.stride = at->matrix_stride;
        }
        break;
    case WF_SHADER_TYPE_VECTOR:
        stride = at->packed ? wf_sw_type_words_any(l, t->component) * 4 : at->stride;
        if (stride == 0)
            stride = scalar_bytes(wf_sw_scalar_of(l, t));
        break;
    case WF_SHADER_TYPE_BOOL:
    case WF_SHADER_TYPE_INT:
    case WF_SHADER_TYPE_FLOAT:
    case WF_SHADER_TYPE_POINTER:
        walk_scalar(l, a, t, offset, at->packed);
        return;
    default:
        wf_sw_fail(l->ir, "a value of this type cannot be in memory");
    }
    for (uint32_t i = 0; i < wf_sw_part_count(l, t); i++)
        walk(l, a, t->component, offset + i * stride, &inner);
}

static struct accesses find_accesses(struct wf_sw_lower *l, const struct wf_sw_pointer *p,
                                     uint32_t count)
{
    struct accesses a = {.items = wf_sw_ir_alloc(l->ir, count, sizeof *a.items)};
    const struct layout at = {p->packed, p->row_major, p->matrix_stride, p->stride};
    walk(l, &a, p->type, 0, &at);
    assert(a.count == count);
    return a;
}

static uint32_t width_bytes(uint8_t width)
{
    static const uint8_t bytes[] = {4, 2, 1, 2};
    return bytes[width];
}

/// How many accesses from `first` on lie side by side.
static uint32_t run_length(const struct accesses *a, uint32_t first)
{
    uint32_t n = 1;
    while (n < 16 && first + n < a->count && a->items[first + n].width == a->items[first].width &&
           a->items[first + n].offset ==
               a->items[first].offset + n * (uint64_t)width_bytes(a->items[first].width))
        n++;
    return n;
}

uint32_t wf_sw_memory_record(struct wf_sw_lower *l, const struct wf_sw_pointer *p, uint64_t offset,
                             uint32_t *args, uint32_t *arg_count)
{
    struct wf_sw_ir *ir = l->ir;
    struct wf_sw_mem mem = {.use = (uint16_t)p->use};
    uint64_t at = p->at + offset;
    switch (p->space) {
    case WF_SW_POINTER_BUFFER:
        mem.space = WF_SW_SPACE_BUFFER;
        mem.desc = WF_SW_OPERAND_ROW;
        args[(*arg_count)++] = p->desc;
        break;
    case WF_SW_POINTER_ROOT:
        mem.space = WF_SW_SPACE_ROOT;
        break;
    case WF_SW_POINTER_SHARED:
        mem.space = WF_SW_SPACE_SHARED;
        break;
    case WF_SW_POINTER_PHYSICAL: {
        mem.space = WF_SW_SPACE_POINTER;
        mem.low = mem.high = WF_SW_OPERAND_ROW;
        uint32_t low = p->low, high = p->high;
        if (at > UINT32_MAX / 2) {
            add_to_address(l, &low, &high, wf_sw_ir_const(ir, (uint32_t)at),
                           wf_sw_ir_const(ir, (uint32_t)(at >> 32)));
            at = 0;
        }
        args[(*arg_count)++] = low;
        args[(*arg_count)++] = high;
        break;
    }
    case WF_SW_POINTER_CHOSEN:
        mem.space = WF_SW_SPACE_CHOSEN;
        mem.low = mem.high = WF_SW_OPERAND_ROW;
        args[(*arg_count)++] = p->low;
        args[(*arg_count)++] = p->high;
        break;
    default:
        wf_sw_fail(ir, "a pointer of this kind cannot be read or written");
    }
    if (p->space != WF_SW_POINTER_PHYSICAL && p->space != WF_SW_POINTER_CHOSEN &&
        p->offset != WF_SW_NONE) {
        mem.offset = WF_SW_OPERAND_ROW;
        args[(*arg_count)++] = p->offset;
    }
    mem.at = at > UINT32_MAX ? UINT32_MAX : (uint32_t)at;
    ir->mems = wf_sw_ir_grow(ir, ir->mems, &ir->mem_capacity, ir->mem_count + 1, sizeof *ir->mems);
    ir->mems[ir->mem_count] = mem;
    return ir->mem_count++;
}

// ---- loads -------------------------------------------------------------------------------------

static uint32_t uniform_word(struct wf_sw_lower *l, uint32_t space, uint32_t use, uint32_t desc,
                             uint32_t offset)
{
    struct wf_sw_ir *ir = l->ir;
    uint64_t key = wf_base_hash_combine(space, use);
    key = wf_base_hash_combine(key, desc);
    key = wf_base_hash_combine(key, offset);
    const uint64_t found = wf_base_map_get(&l->uniform, key, UINT64_MAX);
    if (found != UINT64_MAX) {
        const struct wf_sw_uword *w = &ir->uwords[found];
        if (w->space == space && w->use == use && w->desc == desc && w->offset == offset)
            return w->value;
    }
    const uint32_t index = ir->uword_count;
    ir->uwords = wf_sw_ir_grow(ir, ir->uwords, &ir->uword_capacity, index + 1, sizeof *ir->uwords);
    ir->uword_count++;
    ir->uwords[index] =
        (struct wf_sw_uword){.space = space, .use = use, .desc = desc, .offset = offset};
    ir->uwords[index].value = wf_sw_ir_add_first(ir, WF_SW_IR_UWORD, index);
    if (!wf_base_map_set(&l->uniform, key, index))
        wf_sw_fail_memory(ir);
    return ir->uwords[index].value;
}

static bool is_uniform_word(struct wf_sw_lower *l, const struct wf_sw_pointer *p,
                            const struct access *a, uint32_t *desc)
{
    *desc = 0;
    if (!p->read_only || p->offset != WF_SW_NONE || a->width != WF_SW_WIDTH_32 ||
        p->at + a->offset > UINT32_MAX - 64)
        return false;
    return p->space == WF_SW_POINTER_ROOT ||
           (wf_sw_ir_is_const(l->ir, p->desc, desc) && *desc <= UINT16_MAX);
}

static void load_memory(struct wf_sw_lower *l, const struct wf_sw_pointer *p, uint32_t *out,
                        uint32_t count)
{
    const struct accesses a = find_accesses(l, p, count);
    for (uint32_t i = 0; i < count;) {
        uint32_t desc;
        if (is_uniform_word(l, p, &a.items[i], &desc)) {
            const uint32_t offset = (uint32_t)(p->at + a.items[i].offset);
            if (p->space == WF_SW_POINTER_ROOT)
                out[i++] = uniform_word(l, WF_SW_SPACE_ROOT, 0, 0, offset);
            else
                out[i++] = uniform_word(l, WF_SW_SPACE_BUFFER, p->use, desc, offset);
            continue;
        }
        const uint32_t n = run_length(&a, i);
        uint32_t args[8], arg_count = 0;
        const uint32_t record = wf_sw_memory_record(l, p, a.items[i].offset, args, &arg_count);
        l->ir->mems[record].width = a.items[i].width;
        l->ir->mems[record].count = (uint8_t)n;
        const uint32_t first = wf_sw_ir_add(l->ir, WF_SW_IR_LOAD, record, args, arg_count, n);
        for (uint32_t k = 0; k < n; k++)
            out[i++] = first + k;
    }
}

void wf_sw_load(struct wf_sw_lower *l, const struct wf_sw_pointer *p, uint32_t *out, uint32_t count)
{
    if (p->space == WF_SW_POINTER_VARIABLE)
        wf_sw_variable_load(l, p, out, count);
    else
        load_memory(l, p, out, count);
}

static void store_memory(struct wf_sw_lower *l, const struct wf_sw_pointer *p, const uint32_t *in,
                         uint32_t count)
{
    const struct accesses a = find_accesses(l, p, count);
    if (p->space == WF_SW_POINTER_BUFFER)
        l->uses[p->use].stores = true;
    if (p->space != WF_SW_POINTER_SHARED)
        l->info->side_effects = true;
    for (uint32_t i = 0; i < count;) {
        const uint32_t n = run_length(&a, i);
        uint32_t args[8 + 16], arg_count = 0;
        const uint32_t record = wf_sw_memory_record(l, p, a.items[i].offset, args, &arg_count);
        l->ir->mems[record].width = a.items[i].width;
        l->ir->mems[record].count = (uint8_t)n;
        for (uint32_t k = 0; k < n; k++)
            args[arg_count++] = in[i++];
        wf_sw_ir_add(l->ir, WF_SW_IR_STORE, record, args, arg_count, 0);
    }
}

void wf_sw_store(struct wf_sw_lower *l, const struct wf_sw_pointer *p, const uint32_t *in,
                 uint32_t count)
{
    if (p->space == WF_SW_POINTER_VARIABLE)
        wf_sw_variable_store(l, p, in, count);
    else if (p->read_only)
        wf_sw_fail(l->ir, "writes to read-only memory");
    else
        store_memory(l, p, in, count);
}

// ---- instructions ------------------------------------------------------------------------------

static void lower_variable(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const uint32_t type = wf_sw_type(l, i->type)->component;
    const uint32_t before = l->scratch_of[i->id]; // an inlined function's rows serve all its calls
    const uint32_t variable = wf_sw_variable_add(l, type, l->dynamic[i->id] && !before);
    struct wf_sw_variable *v = &l->variables[variable];
    if (before)
        v->scratch = before - 1;
    else if (v->scratch != WF_SW_NONE)
        l->scratch_of[i->id] = v->scratch + 1;
    const struct wf_sw_pointer p = {
        .space = WF_SW_POINTER_VARIABLE, .type = type, .variable = variable, .index = WF_SW_NONE};
    const uint32_t count = v->count, first = v->first;
    const bool scratch = v->scratch != WF_SW_NONE;
    wf_sw_set_pointer(l, i->id, &p);
    if (i->operand_count > 1) {
        uint32_t *words = wf_sw_ir_alloc(l->ir, count, sizeof *words);
        wf_sw_copy_words(l, i->operands[1], words, count);
        wf_sw_variable_store(l, &p, words, count);
    } else if (!scratch) {
        for (uint32_t k = 0; k < count; k++)
            wf_sw_component_write(l, first + k, wf_sw_ir_const(l->ir, 0));
    }
}

/// Whether a pointer is to HelperInvocation, which changes while a shader runs.
static bool is_helper(struct wf_sw_lower *l, const struct wf_sw_pointer *p)
{
    if (p->space != WF_SW_POINTER_VARIABLE)
        return false;
    const struct wf_sw_variable *v = &l->variables[p->variable];
    return v->input && p->component < v->count &&
           l->rows[v->rows[p->component]].builtin == SpvBuiltInHelperInvocation;
}

static void lower_load(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const struct wf_sw_pointer p = wf_sw_pointer(l, i->operands[0]);
    const struct wf_shader_type *t = wf_sw_type(l, i->type);
    if (p.space == WF_SW_POINTER_OPAQUE) {
        const bool sampler = t->kind == WF_SHADER_TYPE_SAMPLER;
        const struct wf_sw_opaque o = {
            .type = t->kind == WF_SHADER_TYPE_SAMPLED_IMAGE ? t->component
                    : sampler                               ? 0
                                                            : t->id,
            .use = p.use,
            .desc = p.desc,
            .sampler_use = p.use,
            .sampler_desc = p.desc,
        };
        wf_sw_set_opaque(l, i->id, &o);
        return;
    }
    const uint32_t count = wf_sw_type_words(l, i->type);
    uint32_t *out = wf_sw_ir_alloc(l->ir, count, sizeof *out);
    if (i->operand_count > 1 && i->operands[1] & SpvMemoryAccessVolatileMask && is_helper(l, &p))
        out[0] = wf_sw_ir_add(l->ir, WF_SW_IR_HELPER, 0, NULL, 0, 1);
    else
        wf_sw_load(l, &p, out, count);
    memcpy(wf_sw_define(l, i->id, count), out, count * sizeof *out);
}

static void lower_store(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const struct wf_sw_pointer p = wf_sw_pointer(l, i->operands[0]);
    const uint32_t count = wf_sw_type_words(l, p.type);
    uint32_t *in = wf_sw_ir_alloc(l->ir, count, sizeof *in);
    wf_sw_copy_words(l, i->operands[1], in, count);
    wf_sw_store(l, &p, in, count);
}

static void lower_copy(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const struct wf_sw_pointer to = wf_sw_pointer(l, i->operands[0]);
    const struct wf_sw_pointer from = wf_sw_pointer(l, i->operands[1]);
    const uint32_t count = wf_sw_type_words(l, to.type);
    if (wf_sw_type_words(l, from.type) != count)
        wf_sw_fail(l->ir, "source and target differ in type");
    uint32_t *words = wf_sw_ir_alloc(l->ir, count, sizeof *words);
    wf_sw_load(l, &from, words, count);
    wf_sw_store(l, &to, words, count);
}

static void lower_length(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    struct wf_sw_ir *ir = l->ir;
    const struct wf_sw_pointer p = wf_sw_pointer(l, i->operands[0]);
    const struct wf_shader_type *t = wf_sw_type(l, p.type);
    if (p.space != WF_SW_POINTER_BUFFER || t->kind != WF_SHADER_TYPE_STRUCT ||
        i->operands[1] >= t->count)
        wf_sw_fail(ir, "not the last member of a storage buffer");
    const struct wf_shader_member *m = &t->members[i->operands[1]];
    const uint32_t stride = wf_sw_type(l, m->type)->stride;
    uint32_t args[8], arg_count = 0;
    const uint32_t record = wf_sw_memory_record(l, &p, 0, args, &arg_count);
    const uint32_t bytes = wf_sw_ir_add(ir, WF_SW_IR_LENGTH, record, args, arg_count, 1);
    const uint32_t start = wf_sw_ir_const(ir, m->offset);
    const uint32_t past =
        wf_sw_ir_bin(ir, WF_SW_IR_ISUB, wf_sw_ir_bin(ir, WF_SW_IR_UMAX, bytes, start), start);
    const uint32_t quotient[2] = {past, wf_sw_ir_const(ir, stride ? stride : 1)};
    const uint32_t value = wf_sw_ir_call(ir, WF_SW_FUN_UDIV, quotient, 2);
    *wf_sw_define(l, i->id, 1) = value;
}

bool wf_sw_lower_memory(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    switch (i->opcode) {
    case SpvOpVariable:
        lower_variable(l, i);
        return true;
    case SpvOpLoad:
        lower_load(l, i);
        return true;
    case SpvOpStore:
        lower_store(l, i);
        return true;
    case SpvOpCopyMemory:
        lower_copy(l, i);
        return true;
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
        lower_chain(l, i, false);
        return true;
    case SpvOpPtrAccessChain:
        lower_chain(l, i, true);
        return true;
    case SpvOpPtrEqual:
    case SpvOpPtrNotEqual:
    case SpvOpPtrDiff:
        lower_compare(l, i);
        return true;
    case SpvOpArrayLength:
        lower_length(l, i);
        return true;
    default:
        return false;
    }
}
