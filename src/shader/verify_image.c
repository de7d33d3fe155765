// Types of image operations.
#include "shader/verify.h"

/// The operands of a kind of image operation.
struct image_rule {
    bool sampled_image; ///< The first operand is a sampled image, otherwise an image.
    bool integer;       ///< Coordinates are ints.
    bool projected;
    uint8_t reference; ///< Operand of the depth reference, 0: none.
    uint8_t component; ///< Operand of the gather's component, 0: none.
    uint8_t texel;     ///< Operand of the written texel, 0: none.
    uint8_t operands;  ///< Where image operands may start.
    bool scalar;       ///< The result is one component.
    bool sparse;
};

static bool rule_of(uint16_t opcode, struct image_rule *rule)
{
    const struct image_rule sample = {.sampled_image = true, .operands = 2};
    *rule = sample;
    switch (opcode) {
    case SpvOpImageSparseSampleImplicitLod:
    case SpvOpImageSparseSampleExplicitLod:
        rule->sparse = true;
        return true;
    case SpvOpImageSampleImplicitLod:
    case SpvOpImageSampleExplicitLod:
        return true;
    case SpvOpImageSampleProjImplicitLod:
    case SpvOpImageSampleProjExplicitLod:
        rule->projected = true;
        return true;
    case SpvOpImageSampleDrefImplicitLod:
    case SpvOpImageSampleDrefExplicitLod:
    case SpvOpImageSparseSampleDrefImplicitLod:
    case SpvOpImageSparseSampleDrefExplicitLod:
        *rule = (struct image_rule){
            .sampled_image = true, .reference = 2, .operands = 3, .scalar = true};
        rule->sparse = opcode == SpvOpImageSparseSampleDrefImplicitLod ||
                       opcode == SpvOpImageSparseSampleDrefExplicitLod;
        return true;
    case SpvOpImageSampleProjDrefImplicitLod:
    case SpvOpImageSampleProjDrefExplicitLod:
        *rule = (struct image_rule){.sampled_image = true,
                                    .projected = true,
                                    .reference = 2,
                                    .operands = 3,
                                    .scalar = true};
        return true;
    case SpvOpImageFetch:
    case SpvOpImageSparseFetch:
    case SpvOpImageRead:
    case SpvOpImageSparseRead:
        *rule = (struct image_rule){.integer = true, .operands = 2};
        rule->sparse = opcode == SpvOpImageSparseFetch || opcode == SpvOpImageSparseRead;
        return true;
    case SpvOpImageWrite:
        *rule = (struct image_rule){.integer = true, .texel = 2, .operands = 3};
        return true;
    case SpvOpImageGather:
    case SpvOpImageSparseGather:
        *rule = (struct image_rule){.sampled_image = true, .component = 2, .operands = 3};
        rule->sparse = opcode == SpvOpImageSparseGather;
        return true;
    case SpvOpImageDrefGather:
    case SpvOpImageSparseDrefGather:
        *rule = (struct image_rule){.sampled_image = true, .reference = 2, .operands = 3};
        rule->sparse = opcode == SpvOpImageSparseDrefGather;
        return true;
    default:
        return false;
    }
}

static uint32_t dimensions(uint32_t dim)
{
    switch (dim) {
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

/// The image type of the n-th operand, a sampled image or an image as asked for; NULL after
/// failing.
static const struct wf_shader_type *image_operand(struct wf_shader_reader *reader, uint32_t at,
                                                  bool sampled)
{
    const struct wf_shader_type *type = wf_shader_operand_type(reader, at);
    if (type && sampled && type->kind == WF_SHADER_TYPE_SAMPLED_IMAGE)
        return wf_shader_type(reader->module, type->component);
    if (type && !sampled && type->kind == WF_SHADER_TYPE_IMAGE)
        return type;
    wf_shader_fail_operand(reader, at, sampled ? "a sampled image" : "an image");
    return NULL;
}

static bool verify_coordinate(struct wf_shader_reader *reader, const struct wf_shader_type *image,
                              const struct image_rule *rule)
{
    const struct wf_shader_shape shape =
        wf_shader_shape_of(reader->module, reader->ids[reader->ins.operands[1]].type);
    const uint8_t kind = rule->integer ? WF_SHADER_TYPE_INT : WF_SHADER_TYPE_FLOAT;
    // Cube images that are read or written are addressed by face.
    const uint32_t needed =
        dimensions(image->image.dim) +
        (image->image.arrayed && !(rule->integer && image->image.dim == SpvDimCube)) +
        rule->projected;
    if (shape.kind != kind)
        return wf_shader_fail_operand(reader, 1,
                                      rule->integer ? "int coordinates" : "float coordinates");
    return shape.count >= needed ||
           wf_shader_fail(reader, "%u coordinates are too few, it needs %u", shape.count, needed);
}

static bool verify_texel(struct wf_shader_reader *reader, const struct wf_shader_type *image,
                         uint32_t type_id, const struct image_rule *rule)
{
    const struct wf_shader_module *module = reader->module;
    const struct wf_shader_type *type = wf_shader_type(module, type_id);
    if (rule->sparse) {
        if (!type || type->kind != WF_SHADER_TYPE_STRUCT || type->count != 2)
            return wf_shader_fail_result(reader, "a structure of a residency code and a texel");
        type = wf_shader_type(module, type->members[1].type);
    }
    const struct wf_shader_shape shape = wf_shader_shape_of(module, type ? type->id : 0);
    const struct wf_shader_shape sampled = wf_shader_shape_of(module, image->component);
    const bool read = !rule->sampled_image;
    const bool count = rule->scalar ? shape.count == 1 : read || shape.count == 4;
    return (shape.kind == sampled.kind && shape.width == sampled.width && count) ||
           wf_shader_fail(reader,
                          "the texel's type %%%u does not fit the image's sampled type %%%u",
                          type_id, image->component);
}

/// Image operands: a mask, then ids in order of its bits.
static bool verify_operands(struct wf_shader_reader *reader, uint32_t at)
{
    if (at >= reader->ins.operand_count)
        return true;
    const uint32_t mask = reader->ins.operands[at++];
    for (uint32_t bit = 0; bit < 32; bit++) {
        if ((mask >> bit & 1) == 0)
            continue;
        const uint32_t flag = (uint32_t)1 << bit;
        const uint32_t ids = flag == SpvImageOperandsGradMask    ? 2
                             : flag > SpvImageOperandsMinLodMask ? 0
                                                                 : 1;
        if (flag > SpvImageOperandsMinLodMask)
            break; // scopes and flags
        const bool is_float = flag == SpvImageOperandsBiasMask ||
                              flag == SpvImageOperandsGradMask ||
                              flag == SpvImageOperandsMinLodMask;
        for (uint32_t i = 0; i < ids && at < reader->ins.operand_count; i++, at++) {
            const uint32_t type = reader->ids[reader->ins.operands[at]].type;
            const struct wf_shader_shape shape = wf_shader_shape_of(reader->module, type);
            if (flag == SpvImageOperandsConstOffsetsMask)
                continue;
            const bool number =
                shape.kind == WF_SHADER_TYPE_INT || shape.kind == WF_SHADER_TYPE_FLOAT;
            if (flag == SpvImageOperandsLodMask
                    ? !number || shape.count != 1
                    : (shape.kind == WF_SHADER_TYPE_FLOAT) != is_float || !number)
                return wf_shader_fail_operand(reader, at,
                                              is_float ? "float" : "a number of its kind");
        }
    }
    return true;
}

static bool verify_access(struct wf_shader_reader *reader, const struct image_rule *rule)
{
    const struct wf_shader_type *image = image_operand(reader, 0, rule->sampled_image);
    if (!image || !verify_coordinate(reader, image, rule))
        return false;
    const uint32_t texel =
        rule->texel != 0 ? reader->ids[reader->ins.operands[rule->texel]].type : reader->ins.type;
    if (!verify_texel(reader, image, texel, rule))
        return false;
    if (rule->reference != 0) {
        const struct wf_shader_shape shape = wf_shader_shape_of(
            reader->module, reader->ids[reader->ins.operands[rule->reference]].type);
        if (shape.kind != WF_SHADER_TYPE_FLOAT || shape.count != 1)
            return wf_shader_fail_operand(reader, rule->reference, "a float scalar");
    }
    if (rule->component != 0) {
        const struct wf_shader_shape shape = wf_shader_shape_of(
            reader->module, reader->ids[reader->ins.operands[rule->component]].type);
        if (shape.kind != WF_SHADER_TYPE_INT || shape.count != 1)
            return wf_shader_fail_operand(reader, rule->component, "an int scalar");
    }
    const bool storage = reader->ins.opcode == SpvOpImageWrite;
    if (storage && image->image.sampled != 2)
        return wf_shader_fail_operand(reader, 0, "a storage image");
    if (reader->ins.opcode == SpvOpImageFetch && image->image.sampled != 1)
        return wf_shader_fail_operand(reader, 0, "an image that is sampled");
    return verify_operands(reader, rule->operands);
}

static bool verify_size(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *image = image_operand(reader, 0, false);
    if (!image)
        return false;
    const uint32_t own = image->image.dim == SpvDimCube ? 2 : dimensions(image->image.dim);
    const struct wf_shader_shape shape = wf_shader_shape_of(reader->module, reader->ins.type);
    if (shape.kind != WF_SHADER_TYPE_INT || shape.count != own + image->image.arrayed)
        return wf_shader_fail_result(reader, "int, one per dimension and one for layers");
    return reader->ins.opcode == SpvOpImageQuerySize ||
           wf_shader_verify_signature(reader, "Ixc", 0);
}

/// Types that differ in nothing but Depth combine with each other: it is a hint.
static bool same_but_depth(const struct wf_shader_type *a, const struct wf_shader_type *b)
{
    return a->component == b->component && a->image.dim == b->image.dim &&
           a->image.format == b->image.format && a->image.arrayed == b->image.arrayed &&
           a->image.multisampled == b->image.multisampled && a->image.sampled == b->image.sampled;
}

static bool verify_combine(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *result = wf_shader_type(reader->module, reader->ins.type);
    const struct wf_shader_type *image = image_operand(reader, 0, false);
    const struct wf_shader_type *sampler = wf_shader_operand_type(reader, 1);
    if (!image)
        return false;
    if (result->kind != WF_SHADER_TYPE_SAMPLED_IMAGE ||
        !same_but_depth(wf_shader_type(reader->module, result->component), image))
        return wf_shader_fail_result(reader, "a sampled image of its image's type");
    return (sampler && sampler->kind == WF_SHADER_TYPE_SAMPLER) ||
           wf_shader_fail_operand(reader, 1, "a sampler");
}

static bool verify_texel_pointer(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *result = wf_shader_type(reader->module, reader->ins.type);
    const struct wf_shader_type *pointer = wf_shader_operand_type(reader, 0);
    const struct wf_shader_type *image = pointer && pointer->kind == WF_SHADER_TYPE_POINTER
                                             ? wf_shader_type(reader->module, pointer->component)
                                             : NULL;
    if (!image || image->kind != WF_SHADER_TYPE_IMAGE)
        return wf_shader_fail_operand(reader, 0, "a pointer to an image");
    if (result->kind != WF_SHADER_TYPE_POINTER || result->storage != SpvStorageClassImage ||
        result->component != image->component)
        return wf_shader_fail_result(
            reader, "a pointer to the image's sampled type, of the storage class Image");
    const struct image_rule rule = {.integer = true};
    return verify_coordinate(reader, image, &rule) && wf_shader_verify_signature(reader, "Zxxc", 0);
}

static bool verify_image_of(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *image = image_operand(reader, 0, true);
    if (!image)
        return false;
    return image->id == reader->ins.type ||
           wf_shader_fail_result(reader, "the sampled image's image type");
}

static bool verify_query_lod(struct wf_shader_reader *reader)
{
    const struct image_rule rule = {.sampled_image = true};
    const struct wf_shader_type *image = image_operand(reader, 0, true);
    if (!image)
        return false;
    struct wf_shader_type plain = *image;
    plain.image.arrayed = 0;
    const struct wf_shader_shape shape = wf_shader_shape_of(reader->module, reader->ins.type);
    if (shape.kind != WF_SHADER_TYPE_FLOAT || shape.count != 2)
        return wf_shader_fail_result(reader, "a vector of 2 floats");
    return verify_coordinate(reader, &plain, &rule);
}

bool wf_shader_verify_image(struct wf_shader_reader *reader, bool *known)
{
    *known = true;
    switch (reader->ins.opcode) {
    case SpvOpSampledImage:
        return verify_combine(reader);
    case SpvOpImage:
        return verify_image_of(reader);
    case SpvOpImageTexelPointer:
        return verify_texel_pointer(reader);
    case SpvOpImageQuerySize:
    case SpvOpImageQuerySizeLod:
        return verify_size(reader);
    case SpvOpImageQueryLod:
        return verify_query_lod(reader);
    case SpvOpImageQueryLevels:
    case SpvOpImageQuerySamples:
        return image_operand(reader, 0, false) && wf_shader_verify_signature(reader, "I", 0);
    default:
        break;
    }
    struct image_rule rule;
    *known = rule_of(reader->ins.opcode, &rule);
    return !*known || verify_access(reader, &rule);
}
