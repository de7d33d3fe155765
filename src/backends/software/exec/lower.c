#include "backends/software/exec/lower.h"

#include "shader/tables.h"

static bool capability_known(uint32_t capability)
{
    switch (capability) {
    case SpvCapabilityMatrix:
    case SpvCapabilityShader:
    case SpvCapabilityGeometry: // of a fragment shader that reads PrimitiveId or Layer
    case SpvCapabilityShaderLayer:
    case SpvCapabilityShaderViewportIndexLayerEXT:
    case SpvCapabilityShaderViewportIndex:
    case SpvCapabilityMultiViewport:
    case SpvCapabilityFloat16:
    case SpvCapabilityFloat64:
    case SpvCapabilityInt64:
    case SpvCapabilityInt16:
    case SpvCapabilityInt8:
    case SpvCapabilityImageGatherExtended:
    case SpvCapabilityStorageImageMultisample:
    case SpvCapabilityUniformBufferArrayDynamicIndexing:
    case SpvCapabilitySampledImageArrayDynamicIndexing:
    case SpvCapabilityStorageBufferArrayDynamicIndexing:
    case SpvCapabilityStorageImageArrayDynamicIndexing:
    case SpvCapabilityClipDistance:
    case SpvCapabilityCullDistance:
    case SpvCapabilityImageCubeArray:
    case SpvCapabilitySampleRateShading:
    case SpvCapabilitySampled1D:
    case SpvCapabilityImage1D:
    case SpvCapabilitySampledBuffer:
    case SpvCapabilityImageBuffer:
    case SpvCapabilitySampledCubeArray:
    case SpvCapabilityImageMSArray:
    case SpvCapabilityStorageImageExtendedFormats:
    case SpvCapabilityImageQuery:
    case SpvCapabilityDerivativeControl:
    case SpvCapabilityInterpolationFunction:
    case SpvCapabilityStorageImageReadWithoutFormat:
    case SpvCapabilityStorageImageWriteWithoutFormat:
    case SpvCapabilityDrawParameters:
    case SpvCapabilityMultiView:
    case SpvCapabilityMinLod:
    case SpvCapabilityStorageBuffer16BitAccess:
    case SpvCapabilityUniformAndStorageBuffer16BitAccess:
    case SpvCapabilityStoragePushConstant16:
    case SpvCapabilityStorageInputOutput16:
    case SpvCapabilityStorageBuffer8BitAccess:
    case SpvCapabilityUniformAndStorageBuffer8BitAccess:
    case SpvCapabilityStoragePushConstant8:
    case SpvCapabilityShaderNonUniform:
    case SpvCapabilityRuntimeDescriptorArray:
    case SpvCapabilityUniformBufferArrayNonUniformIndexing:
    case SpvCapabilitySampledImageArrayNonUniformIndexing:
    case SpvCapabilityStorageBufferArrayNonUniformIndexing:
    case SpvCapabilityStorageImageArrayNonUniformIndexing:
    case SpvCapabilityVulkanMemoryModel:
    case SpvCapabilityVulkanMemoryModelDeviceScope:
    case SpvCapabilityPhysicalStorageBufferAddresses:
    case SpvCapabilityDemoteToHelperInvocation:
    case SpvCapabilitySignedZeroInfNanPreserve:
    case SpvCapabilityDenormPreserve:
    case SpvCapabilityRoundingModeRTE:
    case SpvCapabilityGroupNonUniform:
    case SpvCapabilityGroupNonUniformVote:
    case SpvCapabilityGroupNonUniformArithmetic:
    case SpvCapabilityGroupNonUniformBallot:
    case SpvCapabilityGroupNonUniformShuffle:
    case SpvCapabilityGroupNonUniformShuffleRelative:
    case SpvCapabilityGroupNonUniformClustered:
    case SpvCapabilityGroupNonUniformQuad:
    case SpvCapabilityGroupNonUniformRotateKHR:
    case SpvCapabilitySubgroupBallotKHR:
    case SpvCapabilitySubgroupVoteKHR:
    case SpvCapabilityInt64Atomics:
    case SpvCapabilityAtomicFloat32AddEXT:
    case SpvCapabilityAtomicFloat64AddEXT:
    case SpvCapabilityAtomicFloat32MinMaxEXT:
    case SpvCapabilityAtomicFloat64MinMaxEXT:
    case SpvCapabilityDotProduct:
    case SpvCapabilityDotProductInputAll:
    case SpvCapabilityDotProductInput4x8Bit:
    case SpvCapabilityDotProductInput4x8BitPacked:
    case SpvCapabilityDeviceGroup:
    case SpvCapabilityExpectAssumeKHR:
    case SpvCapabilityVariablePointersStorageBuffer:
    case SpvCapabilityVariablePointers:
    case SpvCapabilityWorkgroupMemoryExplicitLayoutKHR:
    case SpvCapabilityWorkgroupMemoryExplicitLayout8BitAccessKHR:
    case SpvCapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR:
    case SpvCapabilityUniformTexelBufferArrayDynamicIndexing:
    case SpvCapabilityStorageTexelBufferArrayDynamicIndexing:
    case SpvCapabilityUniformTexelBufferArrayNonUniformIndexing:
    case SpvCapabilityStorageTexelBufferArrayNonUniformIndexing:
        return true;
    default:
        return false;
    }
}

/// What fails from here on is the fault of the instruction before functions that starts with these
/// operands.
static void blame(struct wf_sw_lower *l, uint16_t opcode, const uint32_t *operands, uint32_t count)
{
    struct wf_shader_instruction i;
    for (uint32_t at = 5; wf_shader_next(l->module, &at, l->module->first_function, &i);) {
        if (i.opcode == opcode && memcmp(i.operands, operands, count * sizeof *operands) == 0) {
            l->ir->word = i.word;
            return;
        }
    }
}

static void check_mode(struct wf_sw_lower *l, uint32_t bit, uint32_t mode)
{
    if ((l->entry->modes & bit) == 0)
        return;
    blame(l, SpvOpExecutionMode, (const uint32_t[]){l->entry->function, mode}, 2);
    wf_sw_fail(l->ir, "execution mode %s is not supported",
               wf_shader_value_name(WF_SHADER_KIND_EXECUTION_MODE, mode));
}

void wf_sw_check_capabilities(struct wf_sw_lower *l)
{
    const struct wf_shader_module *m = l->module;
    for (uint32_t i = 0; i < m->capability_count; i++) {
        if (capability_known(m->capabilities[i]))
            continue;
        blame(l, SpvOpCapability, &m->capabilities[i], 1);
        wf_sw_fail(l->ir, "capability %s is not supported",
                   wf_shader_value_name(WF_SHADER_KIND_CAPABILITY, m->capabilities[i]));
    }
    check_mode(l, WF_SHADER_MODE_PIXEL_CENTER_INTEGER, SpvExecutionModePixelCenterInteger);
    check_mode(l, WF_SHADER_MODE_ORIGIN_LOWER_LEFT, SpvExecutionModeOriginLowerLeft);
    const uint32_t model = l->entry->model;
    if (model == SpvExecutionModelVertex || model == SpvExecutionModelFragment ||
        model == SpvExecutionModelGLCompute)
        return;
    l->ir->word = l->entry->word;
    wf_sw_fail(l->ir, "execution model %s is not supported",
               wf_shader_value_name(WF_SHADER_KIND_EXECUTION_MODEL, model));
}

static void lower_call(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    struct wf_sw_ir *ir = l->ir;
    struct wf_sw_frame frame = {
        .function = wf_shader_function(l->module, i->operands[0]),
        .done = wf_sw_ir_block(ir, 0),
        .result = WF_SW_NONE,
    };
    if (!frame.function || i->operand_count - 1u != frame.function->parameter_count)
        wf_sw_fail(ir, "the arguments do not fit the function");
    for (uint32_t k = 0; k < frame.function->parameter_count; k++) {
        const uint32_t from = i->operands[k + 1], to = frame.function->parameters[k];
        const struct wf_shader_type *t = wf_shader_type_of(l->module, from);
        l->opaque_of[to] = l->opaque_of[from];
        if (l->opaque_of[from])
            continue;
        if (t->kind == WF_SHADER_TYPE_POINTER) {
            const struct wf_sw_pointer p = wf_sw_pointer(l, from);
            wf_sw_publish_pointer(l, to, &p);
            if (p.space != WF_SW_POINTER_PHYSICAL)
                continue;
        }
        const uint32_t count = wf_sw_type_words(l, t->id);
        uint32_t *words = wf_sw_ir_alloc(ir, count, sizeof *words);
        wf_sw_copy_words(l, from, words, count);
        memcpy(wf_sw_define(l, to, count), words, count * sizeof *words);
    }
    const uint32_t count = wf_sw_type_words(l, i->type);
    if (count)
        frame.result = wf_sw_variable_add(l, i->type, false);
    wf_sw_lower_function(l, &frame);
    wf_sw_ir_begin(ir, frame.done);
    ir->word = i->word;
    if (count) {
        uint32_t *words = wf_sw_ir_alloc(ir, count, sizeof *words);
        const uint32_t first = l->variables[frame.result].first;
        for (uint32_t k = 0; k < count; k++)
            words[k] = wf_sw_component_read(l, first + k);
        memcpy(wf_sw_define(l, i->id, count), words, count * sizeof *words);
    }
}

static void lower_derivative(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const struct wf_shader_type *t = wf_sw_type(l, i->type);
    const uint32_t n = wf_sw_scalars(l, t), width = wf_sw_scalar_of(l, t)->width;
    if (width == 64)
        wf_sw_fail(l->ir, "not supported for 64-bit floats");
    const bool coarse = i->opcode == SpvOpDPdxCoarse || i->opcode == SpvOpDPdyCoarse ||
                        i->opcode == SpvOpFwidthCoarse;
    const uint32_t along_x = coarse ? WF_SW_FUN_DDX_COARSE : WF_SW_FUN_DDX_FINE;
    const uint32_t along_y = coarse ? WF_SW_FUN_DDY_COARSE : WF_SW_FUN_DDY_FINE;
    uint32_t *out = wf_sw_ir_alloc(l->ir, n, sizeof *out);
    l->info->derivatives = true;
    for (uint32_t c = 0; c < n; c++) {
        const uint32_t a = wf_sw_word(l, i->operands[0], c);
        uint32_t x = WF_SW_NONE, y = WF_SW_NONE;
        const bool is_y =
            i->opcode == SpvOpDPdy || i->opcode == SpvOpDPdyFine || i->opcode == SpvOpDPdyCoarse;
        const bool is_x =
            i->opcode == SpvOpDPdx || i->opcode == SpvOpDPdxFine || i->opcode == SpvOpDPdxCoarse;
        if (!is_y)
            out[c] = x = wf_sw_ir_add(l->ir, WF_SW_IR_CROSS, along_x, &a, 1, 1);
        if (!is_x)
            out[c] = y = wf_sw_ir_add(l->ir, WF_SW_IR_CROSS, along_y, &a, 1, 1);
        if (!is_x && !is_y)
            out[c] = wf_sw_ir_bin(l->ir, WF_SW_IR_FADD, wf_sw_ir_un(l->ir, WF_SW_IR_FABS, x),
                                  wf_sw_ir_un(l->ir, WF_SW_IR_FABS, y));
        out[c] = wf_sw_round(l, out[c], width);
    }
    memcpy(wf_sw_define(l, i->id, n), out, n * sizeof *out);
}

static void lower_barrier(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    uint32_t scope = SpvScopeWorkgroup;
    if (wf_sw_constant_u32(l, i->operands[0], &scope) && scope != SpvScopeWorkgroup)
        return; // a subgroup runs in step anyway
    if (l->entry->model != SpvExecutionModelGLCompute)
        wf_sw_fail(l->ir, "not in this stage");
    l->info->barriers = true;
    wf_sw_ir_add(l->ir, WF_SW_IR_BARRIER, 0, NULL, 0, 0);
}

/// OpExpectKHR says what is likely; the value is what counts.
static void lower_expect(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const uint32_t count = wf_sw_type_words(l, i->type);
    uint32_t *words = wf_sw_ir_alloc(l->ir, count, sizeof *words);
    wf_sw_copy_words(l, i->operands[0], words, count);
    memcpy(wf_sw_define(l, i->id, count), words, count * sizeof *words);
}

static bool lower_other(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    switch (i->opcode) {
    case SpvOpNop:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
    case SpvOpAssumeTrueKHR:
    case SpvOpMemoryBarrier: // lanes, batches and their memory are always in order
        return true;
    case SpvOpFunctionCall:
        lower_call(l, i);
        return true;
    case SpvOpExtInst:
        wf_sw_lower_extended(l, i);
        return true;
    case SpvOpDPdx:
    case SpvOpDPdy:
    case SpvOpFwidth:
    case SpvOpDPdxFine:
    case SpvOpDPdyFine:
    case SpvOpFwidthFine:
    case SpvOpDPdxCoarse:
    case SpvOpDPdyCoarse:
    case SpvOpFwidthCoarse:
        lower_derivative(l, i);
        return true;
    case SpvOpExpectKHR:
        lower_expect(l, i);
        return true;
    case SpvOpControlBarrier:
        lower_barrier(l, i);
        return true;
    case SpvOpDemoteToHelperInvocation:
        l->info->discards = true;
        wf_sw_ir_add(l->ir, WF_SW_IR_DEMOTE, 0, NULL, 0, 0);
        return true;
    case SpvOpIsHelperInvocationEXT:
        *wf_sw_define(l, i->id, 1) = wf_sw_ir_add(l->ir, WF_SW_IR_HELPER, 0, NULL, 0, 1);
        return true;
    default:
        return false;
    }
}

void wf_sw_lower_instruction(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    if (wf_sw_lower_arithmetic(l, i) || wf_sw_lower_memory(l, i) || wf_sw_lower_composite(l, i) ||
        wf_sw_lower_convert(l, i) || wf_sw_lower_image(l, i) || wf_sw_lower_atomic(l, i) ||
        wf_sw_lower_group(l, i) || wf_sw_lower_dot(l, i) || lower_other(l, i))
        return;
    wf_sw_fail(l->ir, "not supported");
}
