#include "backends/software/exec/lower.h"

#include "backends/software/image/image.h"
#include "shader/tables.h"

void wf_sw_set_opaque(struct wf_sw_lower *l, uint32_t id, const struct wf_sw_opaque *o)
{
    l->opaques = wf_sw_ir_grow(l->ir, l->opaques, &l->opaque_capacity, l->opaque_count + 1,
                               sizeof *l->opaques);
    l->opaques[l->opaque_count++] = *o;
    l->opaque_of[id] = l->opaque_count;
}

static struct wf_sw_opaque opaque(struct wf_sw_lower *l, uint32_t id)
{
    if (!l->opaque_of[id])
        wf_sw_fail(l->ir, "image or sampler %%%u is chosen at run time, which is not supported",
                   id);
    return l->opaques[l->opaque_of[id] - 1];
}

/// An instruction being put together.
struct build {
    struct wf_sw_image_op op;
    uint32_t values[WF_SW_IMAGE_OPERANDS]; ///< WF_SW_NONE: absent.
    const struct wf_shader_type *type;     ///< Of the image.
};

static void start(struct wf_sw_lower *l, struct build *b, uint32_t id, uint8_t kind)
{
    const struct wf_sw_opaque o = opaque(l, id);
    *b = (struct build){
        .op = {.kind = kind, .use = (uint16_t)o.use, .sampler_use = (uint16_t)o.sampler_use}};
    for (uint32_t k = 0; k < WF_SW_IMAGE_OPERANDS; k++)
        b->values[k] = WF_SW_NONE;
    b->values[WF_SW_IMAGE_DESC] = o.desc;
    if (kind == WF_SW_IMAGE_SAMPLE || kind == WF_SW_IMAGE_QUERY_LOD)
        b->values[WF_SW_IMAGE_SAMPLER_DESC] = o.sampler_desc;
    b->type = wf_sw_type(l, o.type);
    if (b->type->image.dim == SpvDimSubpassData)
        wf_sw_fail(l->ir, "Dim %s is not supported",
                   wf_shader_value_name(WF_SHADER_KIND_DIM, b->type->image.dim));
    if (wf_sw_type(l, b->type->component)->width == 64)
        wf_sw_fail(l->ir, "64-bit images are not supported");
}

static uint32_t coordinates(const struct wf_shader_type *image)
{
    switch (image->image.dim) {
    case SpvDim1D:
    case SpvDimBuffer:
        return 1;
    case SpvDim3D:
    case SpvDimCube:
        return 3;
    default:
        return 2;
    }
}

static void set_coords(struct wf_sw_lower *l, struct build *b, uint32_t id, bool proj)
{
    const uint32_t n = coordinates(b->type);
    const uint32_t total = wf_base_min_u32(n + b->type->image.arrayed, 4);
    const uint32_t given = wf_sw_type_words(l, l->module->ids[id].type);
    const uint32_t last = given ? wf_sw_word(l, id, given - 1) : WF_SW_NONE;
    for (uint32_t k = 0; k < total && k < given; k++) {
        uint32_t value = wf_sw_word(l, id, k);
        if (proj && k < n)
            value = wf_sw_ir_bin(l->ir, WF_SW_IR_FDIV, value, last);
        b->values[WF_SW_IMAGE_COORD + k] = value;
    }
    if (proj && b->values[WF_SW_IMAGE_DREF] != WF_SW_NONE)
        b->values[WF_SW_IMAGE_DREF] =
            wf_sw_ir_bin(l->ir, WF_SW_IR_FDIV, b->values[WF_SW_IMAGE_DREF], last);
}

static void set_offsets(struct wf_sw_lower *l, struct build *b, uint32_t id)
{
    b->op.has_offsets = true;
    for (uint32_t k = 0; k < 8; k++) {
        uint32_t bits = 0;
        if (!wf_sw_ir_is_const(l->ir, wf_sw_word(l, id, k), &bits))
            wf_sw_fail(l->ir, "ConstOffsets are not constant");
        b->op.offsets[k / 2][k % 2] = (int32_t)bits;
    }
}

/// Image operands from `k` on.
static void set_operands(struct wf_sw_lower *l, struct build *b,
                         const struct wf_shader_instruction *i, uint32_t k)
{
    const uint32_t n = coordinates(b->type);
    if (k >= i->operand_count)
        return;
    const uint32_t mask = i->operands[k++];
    const uint32_t known = SpvImageOperandsBiasMask | SpvImageOperandsLodMask |
                           SpvImageOperandsGradMask | SpvImageOperandsConstOffsetMask |
                           SpvImageOperandsOffsetMask | SpvImageOperandsConstOffsetsMask |
                           SpvImageOperandsSampleMask | SpvImageOperandsMinLodMask | 0xff00u;
    if (mask & ~known)
        wf_sw_fail(l->ir, "image operands 0x%x are not supported", mask & ~known);
    for (uint32_t bit = 1; bit <= SpvImageOperandsMakeTexelVisibleMask; bit <<= 1) {
        if (!(mask & bit) || k >= i->operand_count)
            continue;
        const uint32_t id = i->operands[k++];
        switch (bit) {
        case SpvImageOperandsLodMask:
            b->op.mode = WF_SW_LOD_EXPLICIT;
            b->values[WF_SW_IMAGE_LOD] = wf_sw_word(l, id, 0);
            break;
        case SpvImageOperandsBiasMask:
            b->values[WF_SW_IMAGE_LOD] = wf_sw_word(l, id, 0);
            break;
        case SpvImageOperandsGradMask:
            b->op.mode = WF_SW_LOD_GRADIENT;
            for (uint32_t c = 0; c < n && k < i->operand_count; c++) {
                b->values[WF_SW_IMAGE_DDX + c] = wf_sw_word(l, id, c);
                b->values[WF_SW_IMAGE_DDY + c] = wf_sw_word(l, i->operands[k], c);
            }
            k++;
            break;
        case SpvImageOperandsConstOffsetMask:
        case SpvImageOperandsOffsetMask:
            for (uint32_t c = 0; c < n; c++)
                b->values[WF_SW_IMAGE_OFFSET + c] = wf_sw_word(l, id, c);
            break;
        case SpvImageOperandsConstOffsetsMask:
            set_offsets(l, b, id);
            break;
        case SpvImageOperandsSampleMask:
            b->values[WF_SW_IMAGE_SAMPLE_INDEX] = wf_sw_word(l, id, 0);
            break;
        case SpvImageOperandsMinLodMask:
            b->values[WF_SW_IMAGE_LOD_MIN] = wf_sw_word(l, id, 0);
            break;
        default:
            break; // availability and visibility: one address space, always coherent
        }
    }
}

/// Adds the instruction; its four results.
static uint32_t finish(struct wf_sw_lower *l, const struct build *b)
{
    struct wf_sw_ir *ir = l->ir;
    uint32_t args[WF_SW_IMAGE_OPERANDS], count = 0;
    ir->images =
        wf_sw_ir_grow(ir, ir->images, &ir->image_capacity, ir->image_count + 1, sizeof *ir->images);
    struct wf_sw_image_op *op = &ir->images[ir->image_count];
    *op = b->op;
    for (uint32_t k = 0; k < WF_SW_IMAGE_OPERANDS; k++) {
        if (b->values[k] == WF_SW_NONE)
            continue;
        op->operands[k] = WF_SW_OPERAND_ROW;
        args[count++] = b->values[k];
    }
    return wf_sw_ir_add(ir, WF_SW_IR_IMAGE, ir->image_count++, args, count, 4);
}

static void define(struct wf_sw_lower *l, const struct wf_shader_instruction *i, uint32_t first)
{
    const uint32_t n = wf_sw_type_words(l, i->type);
    if (n > 4)
        wf_sw_fail(l->ir, "a result of this type is not supported");
    uint32_t *words = wf_sw_define(l, i->id, n);
    for (uint32_t k = 0; k < n; k++)
        words[k] = first + k;
}

static void lower_sample(struct wf_sw_lower *l, const struct wf_shader_instruction *i,
                         bool explicit, bool dref, bool proj)
{
    struct build b;
    start(l, &b, i->operands[0], WF_SW_IMAGE_SAMPLE);
    const bool fragment = l->entry->model == SpvExecutionModelFragment;
    b.op.mode = explicit || !fragment ? WF_SW_LOD_EXPLICIT : WF_SW_LOD_IMPLICIT;
    if (b.op.mode == WF_SW_LOD_IMPLICIT)
        l->info->derivatives = true;
    if (dref)
        b.values[WF_SW_IMAGE_DREF] = wf_sw_word(l, i->operands[2], 0);
    set_coords(l, &b, i->operands[1], proj);
    set_operands(l, &b, i, dref ? 3 : 2);
    define(l, i, finish(l, &b));
}

static void lower_gather(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    struct build b;
    start(l, &b, i->operands[0], WF_SW_IMAGE_SAMPLE);
    b.op.mode = WF_SW_LOD_EXPLICIT;
    b.op.gather = true;
    if (i->opcode == SpvOpImageDrefGather) {
        b.values[WF_SW_IMAGE_DREF] = wf_sw_word(l, i->operands[2], 0);
    } else {
        uint32_t component = 0;
        if (!wf_sw_constant_u32(l, i->operands[2], &component) || component > 3)
            wf_sw_fail(l->ir, "the component is not a constant from 0 to 3");
        b.op.component = (uint8_t)component;
    }
    set_coords(l, &b, i->operands[1], false);
    set_operands(l, &b, i, 3);
    define(l, i, finish(l, &b));
}

static void lower_texel(struct wf_sw_lower *l, const struct wf_shader_instruction *i, uint8_t kind)
{
    struct build b;
    start(l, &b, i->operands[0], kind);
    set_coords(l, &b, i->operands[1], false);
    set_operands(l, &b, i, kind == WF_SW_IMAGE_WRITE ? 3 : 2);
    if (kind != WF_SW_IMAGE_WRITE) {
        define(l, i, finish(l, &b));
        return;
    }
    const uint32_t n = wf_sw_type_words(l, l->module->ids[i->operands[2]].type);
    for (uint32_t k = 0; k < n && k < 4; k++)
        b.values[WF_SW_IMAGE_TEXEL + k] = wf_sw_word(l, i->operands[2], k);
    l->uses[b.op.use].stores = true;
    l->info->side_effects = true;
    finish(l, &b);
}

static void lower_query(struct wf_sw_lower *l, const struct wf_shader_instruction *i, uint8_t kind)
{
    struct build b;
    start(l, &b, i->operands[0], kind);
    if (i->opcode == SpvOpImageQuerySizeLod)
        b.values[WF_SW_IMAGE_LOD] = wf_sw_word(l, i->operands[1], 0);
    if (kind == WF_SW_IMAGE_QUERY_LOD) {
        const uint32_t n = coordinates(b.type);
        for (uint32_t k = 0; k < n; k++)
            b.values[WF_SW_IMAGE_COORD + k] = wf_sw_word(l, i->operands[1], k);
        l->info->derivatives = true;
    }
    define(l, i, finish(l, &b));
}

static void lower_texel_pointer(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const struct wf_sw_pointer image = wf_sw_pointer(l, i->operands[0]);
    if (image.space != WF_SW_POINTER_OPAQUE)
        wf_sw_fail(l->ir, "not a pointer to an image");
    const struct wf_sw_opaque o = {.type = image.type,
                                   .use = image.use,
                                   .desc = image.desc,
                                   .sampler_use = image.use,
                                   .sampler_desc = image.desc};
    wf_sw_set_opaque(l, i->id, &o);
    const struct wf_sw_pointer p = {.space = WF_SW_POINTER_TEXEL,
                                    .type = wf_sw_type(l, i->type)->component,
                                    .image = i->id,
                                    .coords = i->operands[1],
                                    .sample = i->operands[2]};
    wf_sw_set_pointer(l, i->id, &p);
}

uint32_t wf_sw_image_atomic_at(struct wf_sw_lower *l, const struct wf_sw_pointer *p, uint32_t op,
                               uint32_t value, uint32_t compare)
{
    struct build b;
    start(l, &b, p->image, WF_SW_IMAGE_ATOMIC);
    b.op.atomic = (uint8_t)op;
    set_coords(l, &b, p->coords, false);
    b.values[WF_SW_IMAGE_SAMPLE_INDEX] = wf_sw_word(l, p->sample, 0);
    b.values[WF_SW_IMAGE_TEXEL] = value;
    b.values[WF_SW_IMAGE_TEXEL + 1] = compare;
    l->uses[b.op.use].stores = true;
    return finish(l, &b);
}

static void lower_pair(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    struct wf_sw_opaque o = opaque(l, i->operands[0]);
    const struct wf_sw_opaque sampler = opaque(l, i->operands[1]);
    o.sampler_use = sampler.use;
    o.sampler_desc = sampler.desc;
    wf_sw_set_opaque(l, i->id, &o);
}

bool wf_sw_lower_image(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    switch (i->opcode) {
    case SpvOpSampledImage:
        lower_pair(l, i);
        return true;
    case SpvOpImage:
        l->opaque_of[i->id] = l->opaque_of[i->operands[0]];
        return true;
    case SpvOpImageSampleImplicitLod:
    case SpvOpImageSampleExplicitLod:
        lower_sample(l, i, i->opcode == SpvOpImageSampleExplicitLod, false, false);
        return true;
    case SpvOpImageSampleDrefImplicitLod:
    case SpvOpImageSampleDrefExplicitLod:
        lower_sample(l, i, i->opcode == SpvOpImageSampleDrefExplicitLod, true, false);
        return true;
    case SpvOpImageSampleProjImplicitLod:
    case SpvOpImageSampleProjExplicitLod:
        lower_sample(l, i, i->opcode == SpvOpImageSampleProjExplicitLod, false, true);
        return true;
    case SpvOpImageSampleProjDrefImplicitLod:
    case SpvOpImageSampleProjDrefExplicitLod:
        lower_sample(l, i, i->opcode == SpvOpImageSampleProjDrefExplicitLod, true, true);
        return true;
    case SpvOpImageGather:
    case SpvOpImageDrefGather:
        lower_gather(l, i);
        return true;
    case SpvOpImageFetch:
        lower_texel(l, i, WF_SW_IMAGE_FETCH);
        return true;
    case SpvOpImageRead:
        lower_texel(l, i, WF_SW_IMAGE_READ);
        return true;
    case SpvOpImageWrite:
        lower_texel(l, i, WF_SW_IMAGE_WRITE);
        return true;
    case SpvOpImageQuerySize:
    case SpvOpImageQuerySizeLod:
        lower_query(l, i, WF_SW_IMAGE_SIZE);
        return true;
    case SpvOpImageQueryLevels:
        lower_query(l, i, WF_SW_IMAGE_LEVELS);
        return true;
    case SpvOpImageQuerySamples:
        lower_query(l, i, WF_SW_IMAGE_SAMPLES);
        return true;
    case SpvOpImageQueryLod:
        lower_query(l, i, WF_SW_IMAGE_QUERY_LOD);
        return true;
    case SpvOpImageTexelPointer:
        lower_texel_pointer(l, i);
        return true;
    default:
        return false;
    }
}
