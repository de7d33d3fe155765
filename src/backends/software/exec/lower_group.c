#include "backends/software/exec/lower.h"

#include "shader/tables.h"

/// Operations of a subgroup. They take the active lanes as a row, so that they stand where they do.

static uint32_t number(struct wf_sw_lower *l, uint32_t bits)
{
    return wf_sw_ir_const(l->ir, bits);
}

static uint32_t lane_in_subgroup(struct wf_sw_lower *l)
{
    const uint32_t lane = wf_sw_ir_add(l->ir, WF_SW_IR_LANE, 0, NULL, 0, 1);
    return wf_sw_ir_bin(l->ir, WF_SW_IR_AND, lane, number(l, l->subgroup_size - 1));
}

static uint32_t active(struct wf_sw_lower *l)
{
    return wf_sw_ir_add(l->ir, WF_SW_IR_EXEC, 0, NULL, 0, 1);
}

/// A function of the active lanes, the subgroup's size, and up to four rows.
static uint32_t cross(struct wf_sw_lower *l, uint32_t fun, const uint32_t *rows, uint32_t count,
                      uint32_t results)
{
    uint32_t args[6] = {active(l), number(l, l->subgroup_size)};
    for (uint32_t k = 0; k < count; k++)
        args[2 + k] = rows[k];
    return wf_sw_ir_add(l->ir, WF_SW_IR_CROSS, fun, args, count + 2, results);
}

static void check_scope(struct wf_sw_lower *l, uint32_t id)
{
    uint32_t scope = SpvScopeSubgroup;
    if (wf_sw_constant_u32(l, id, &scope) && scope != SpvScopeSubgroup)
        wf_sw_fail(l->ir, "supported in subgroup scope only");
}

/// The cluster's size, a constant.
static uint32_t cluster_size(struct wf_sw_lower *l, uint32_t id)
{
    uint32_t size;
    if (!wf_sw_constant_u32(l, id, &size) || !wf_base_is_pow2(size) || size > l->subgroup_size)
        wf_sw_fail(l->ir, "the cluster's size is no power of two up to the subgroup's size");
    return size;
}

/// What a sum or count is of: vendors have operations of their own, which are not these.
static void check_operation(struct wf_sw_lower *l, const struct wf_shader_instruction *i,
                            bool has_clusters)
{
    const uint32_t operation = i->operands[1];
    if (operation == SpvGroupOperationClusteredReduce && has_clusters) {
        if (i->operand_count < 4)
            wf_sw_fail(l->ir, "ClusteredReduce needs a ClusterSize");
    } else if (operation > SpvGroupOperationExclusiveScan) {
        wf_sw_fail(l->ir, "group operation %u is not supported", operation);
    }
}

/// Older extensions have no scope before the value.
static uint32_t value_operand(const struct wf_shader_instruction *i)
{
    return i->opcode >= SpvOpSubgroupBallotKHR && i->opcode != SpvOpGroupNonUniformRotateKHR ? 0
                                                                                             : 1;
}

// ---- votes and ballots -------------------------------------------------------------------------

static uint32_t ballot(struct wf_sw_lower *l, uint32_t condition)
{
    return cross(l, WF_SW_FUN_BALLOT, &condition, 1, 2);
}

/// Bit `index` of a ballot, as a boolean.
static uint32_t bit_of(struct wf_sw_lower *l, const uint32_t *words, uint32_t index)
{
    struct wf_sw_ir *ir = l->ir;
    const uint32_t upper = wf_sw_ir_bin(ir, WF_SW_IR_ULE, number(l, 32), index);
    const uint32_t word = wf_sw_ir_ter(ir, WF_SW_IR_SELECT, upper, words[1], words[0]);
    const uint32_t bit =
        wf_sw_ir_bin(ir, WF_SW_IR_AND, wf_sw_ir_bin(ir, WF_SW_IR_SHR, word, index), number(l, 1));
    return wf_sw_ir_bin(ir, WF_SW_IR_INE, bit, number(l, 0));
}

/// The bits of a ballot that belong to lanes of the subgroup, or of those up to this one.
static void keep_bits(struct wf_sw_lower *l, uint32_t *words, uint32_t operation)
{
    struct wf_sw_ir *ir = l->ir;
    for (uint32_t k = 0; k < 2; k++) {
        const uint32_t left = l->subgroup_size > k * 32 ? l->subgroup_size - k * 32 : 0;
        uint32_t mask = number(l, left >= 32 ? UINT32_MAX : (1u << left) - 1);
        if (operation != SpvGroupOperationReduce) {
            const uint32_t args[2] = {lane_in_subgroup(l), number(l, k)};
            mask = wf_sw_ir_call(ir, WF_SW_FUN_MASK_BELOW, args, 2);
            if (operation == SpvGroupOperationInclusiveScan)
                mask = wf_sw_ir_bin(ir, WF_SW_IR_OR, mask,
                                    wf_sw_ir_call(ir, WF_SW_FUN_MASK_EQUAL, args, 2));
        }
        words[k] = wf_sw_ir_bin(ir, WF_SW_IR_AND, words[k], mask);
    }
}

static uint32_t count_bits(struct wf_sw_lower *l, const uint32_t *words)
{
    return wf_sw_ir_bin(l->ir, WF_SW_IR_IADD,
                        wf_sw_ir_call(l->ir, WF_SW_FUN_BITCOUNT, &words[0], 1),
                        wf_sw_ir_call(l->ir, WF_SW_FUN_BITCOUNT, &words[1], 1));
}

static uint32_t find_bit(struct wf_sw_lower *l, const uint32_t *words, bool lowest)
{
    struct wf_sw_ir *ir = l->ir;
    const uint32_t fun = lowest ? WF_SW_FUN_FINDLSB : WF_SW_FUN_FINDUMSB;
    const uint32_t low = wf_sw_ir_call(ir, fun, &words[0], 1);
    const uint32_t high =
        wf_sw_ir_bin(ir, WF_SW_IR_IADD, wf_sw_ir_call(ir, fun, &words[1], 1), number(l, 32));
    const uint32_t first = words[lowest ? 0 : 1];
    const uint32_t there = wf_sw_ir_bin(ir, WF_SW_IR_INE, first, number(l, 0));
    return wf_sw_ir_ter(ir, WF_SW_IR_SELECT, there, lowest ? low : high, lowest ? high : low);
}

static bool lower_ballot(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    uint32_t words[2] = {0}, result;
    const bool reads = i->opcode == SpvOpGroupNonUniformInverseBallot ||
                       i->opcode == SpvOpGroupNonUniformBallotBitExtract ||
                       i->opcode == SpvOpGroupNonUniformBallotBitCount ||
                       i->opcode == SpvOpGroupNonUniformBallotFindLSB ||
                       i->opcode == SpvOpGroupNonUniformBallotFindMSB;
    const uint32_t at = i->opcode == SpvOpGroupNonUniformBallotBitCount ? 2 : 1;
    for (uint32_t k = 0; reads && k < 2; k++)
        words[k] = wf_sw_word(l, i->operands[at], k);
    switch (i->opcode) {
    case SpvOpSubgroupBallotKHR:
    case SpvOpGroupNonUniformBallot: {
        const uint32_t first = ballot(l, wf_sw_word(l, i->operands[value_operand(i)], 0));
        const uint32_t zero = number(l, 0);
        uint32_t *out = wf_sw_define(l, i->id, 4);
        out[0] = first;
        out[1] = first + 1;
        out[2] = out[3] = zero;
        return true;
    }
    case SpvOpGroupNonUniformInverseBallot:
        result = bit_of(l, words, lane_in_subgroup(l));
        break;
    case SpvOpGroupNonUniformBallotBitExtract:
        result = bit_of(l, words, wf_sw_word(l, i->operands[2], 0));
        break;
    case SpvOpGroupNonUniformBallotBitCount:
        check_operation(l, i, false);
        keep_bits(l, words, i->operands[1]);
        result = count_bits(l, words);
        break;
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
        keep_bits(l, words, SpvGroupOperationReduce);
        result = find_bit(l, words, i->opcode == SpvOpGroupNonUniformBallotFindLSB);
        break;
    default:
        return false;
    }
    *wf_sw_define(l, i->id, 1) = result;
    return true;
}

/// Whether a float equals that of the first active lane: zeros of both signs do, NaN never does.
static uint32_t is_first_float(struct wf_sw_lower *l, uint32_t id, uint32_t at, bool wide)
{
    uint32_t args[4];
    for (uint32_t k = 0; k < (wide ? 2 : 1); k++) {
        args[k] = wf_sw_word(l, id, at + k);
        args[2 + k] = cross(l, WF_SW_FUN_FIRST, &args[k], 1, 1);
    }
    return wide ? wf_sw_ir_call(l->ir, WF_SW_FUN_DEQ, args, 4)
                : wf_sw_ir_bin(l->ir, WF_SW_IR_FEQ, args[0], args[2]);
}

static bool lower_vote(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    uint32_t fun, result = WF_SW_NONE;
    switch (i->opcode) {
    case SpvOpGroupNonUniformElect:
        result = cross(l, WF_SW_FUN_ELECT, NULL, 0, 1);
        *wf_sw_define(l, i->id, 1) = result;
        return true;
    case SpvOpSubgroupAllKHR:
    case SpvOpGroupNonUniformAll:
        fun = WF_SW_FUN_VOTE_ALL;
        break;
    case SpvOpSubgroupAnyKHR:
    case SpvOpGroupNonUniformAny:
        fun = WF_SW_FUN_VOTE_ANY;
        break;
    case SpvOpSubgroupAllEqualKHR:
    case SpvOpGroupNonUniformAllEqual:
        fun = WF_SW_FUN_VOTE_EQUAL;
        break;
    default:
        return false;
    }
    const uint32_t id = i->operands[value_operand(i)];
    const struct wf_shader_type *t = wf_sw_type(l, l->module->ids[id].type);
    const struct wf_shader_type *scalar = wf_sw_scalar_of(l, t);
    const bool is_float = scalar->kind == WF_SHADER_TYPE_FLOAT;
    const uint32_t count = wf_sw_type_words(l, t->id);
    const uint32_t step = is_float && scalar->width == 64 ? 2 : 1;
    for (uint32_t k = 0; k < count; k += step) {
        const uint32_t value =
            is_float ? is_first_float(l, id, k, step == 2) : wf_sw_word(l, id, k);
        const uint32_t one = cross(l, is_float ? WF_SW_FUN_VOTE_ALL : fun, &value, 1, 1);
        result = k == 0 ? one : wf_sw_ir_bin(l->ir, WF_SW_IR_AND, result, one);
    }
    *wf_sw_define(l, i->id, 1) = result;
    return true;
}

// ---- moves between lanes -----------------------------------------------------------------------

/// The lane that each lane reads; WF_SW_NONE: the first active one.
static bool source_lane(struct wf_sw_lower *l, const struct wf_shader_instruction *i, uint32_t *out,
                        bool *quad)
{
    struct wf_sw_ir *ir = l->ir;
    const uint32_t at = value_operand(i) + 1;
    const uint32_t given = i->operand_count > at ? wf_sw_word(l, i->operands[at], 0) : WF_SW_NONE;
    uint32_t direction;
    *quad = false;
    switch (i->opcode) {
    case SpvOpSubgroupFirstInvocationKHR:
    case SpvOpGroupNonUniformBroadcastFirst:
        *out = WF_SW_NONE;
        return true;
    case SpvOpGroupNonUniformRotateKHR: {
        const uint32_t cluster =
            i->operand_count > 3 ? cluster_size(l, i->operands[3]) : l->subgroup_size;
        const uint32_t low = number(l, cluster - 1), lane = lane_in_subgroup(l);
        const uint32_t sum = wf_sw_ir_bin(ir, WF_SW_IR_IADD, lane, given);
        *out =
            wf_sw_ir_bin(ir, WF_SW_IR_OR, wf_sw_ir_bin(ir, WF_SW_IR_AND, sum, low),
                         wf_sw_ir_bin(ir, WF_SW_IR_AND, lane, wf_sw_ir_un(ir, WF_SW_IR_NOT, low)));
        return true;
    }
    case SpvOpSubgroupReadInvocationKHR:
    case SpvOpGroupNonUniformBroadcast:
    case SpvOpGroupNonUniformShuffle:
        *out = given;
        return true;
    case SpvOpGroupNonUniformShuffleXor:
        *out = wf_sw_ir_bin(ir, WF_SW_IR_XOR, lane_in_subgroup(l), given);
        return true;
    case SpvOpGroupNonUniformShuffleUp:
        *out = wf_sw_ir_bin(ir, WF_SW_IR_ISUB, lane_in_subgroup(l), given);
        return true;
    case SpvOpGroupNonUniformShuffleDown:
        *out = wf_sw_ir_bin(ir, WF_SW_IR_IADD, lane_in_subgroup(l), given);
        return true;
    case SpvOpGroupNonUniformQuadBroadcast:
        *out = given;
        *quad = true;
        return true;
    case SpvOpGroupNonUniformQuadSwap: // 0 horizontal, 1 vertical, 2 diagonal
        if (!wf_sw_constant_u32(l, i->operands[at], &direction) || direction > 2)
            wf_sw_fail(ir, "a swap's direction is a constant: 0, 1 or 2");
        *out = wf_sw_ir_bin(ir, WF_SW_IR_XOR, lane_in_subgroup(l),
                            wf_sw_ir_bin(ir, WF_SW_IR_IADD, given, number(l, 1)));
        *quad = true;
        return true;
    default:
        return false;
    }
}

static bool lower_move(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    uint32_t from;
    bool quad;
    if (!source_lane(l, i, &from, &quad))
        return false;
    const uint32_t count = wf_sw_type_words(l, i->type);
    uint32_t *out = wf_sw_ir_alloc(l->ir, count, sizeof *out);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t args[2] = {wf_sw_word(l, i->operands[value_operand(i)], k), from};
        if (quad)
            out[k] = wf_sw_ir_add(l->ir, WF_SW_IR_CROSS, WF_SW_FUN_QUAD, args, 2, 1);
        else if (from == WF_SW_NONE)
            out[k] = cross(l, WF_SW_FUN_FIRST, args, 1, 1);
        else
            out[k] = cross(l, WF_SW_FUN_SHUFFLE, args, 2, 1);
    }
    memcpy(wf_sw_define(l, i->id, count), out, count * sizeof *out);
    return true;
}

// ---- sums and their like -----------------------------------------------------------------------

static bool scan_of(uint16_t opcode, uint32_t *fun, bool *is_signed)
{
    *is_signed = opcode == SpvOpGroupNonUniformSMin || opcode == SpvOpGroupNonUniformSMax;
    switch (opcode) {
#define SCAN(name, operation)                                                                      \
    case SpvOpGroupNonUniform##name:                                                               \
        *fun = WF_SW_FUN_SCAN_##operation;                                                         \
        return true;
        SCAN(IAdd, IADD)
        SCAN(FAdd, FADD)
        SCAN(IMul, IMUL)
        SCAN(FMul, FMUL)
        SCAN(SMin, SMIN)
        SCAN(UMin, UMIN)
        SCAN(FMin, FMIN)
        SCAN(SMax, SMAX)
        SCAN(UMax, UMAX)
        SCAN(FMax, FMAX)
        SCAN(BitwiseAnd, AND)
        SCAN(BitwiseOr, OR)
        SCAN(BitwiseXor, XOR)
        SCAN(LogicalAnd, AND)
        SCAN(LogicalOr, OR)
        SCAN(LogicalXor, XOR)
#undef SCAN
    default:
        return false;
    }
}

/// Sums of 64 bits are one function, told which by its last argument.
static uint32_t wide_scan(struct wf_sw_lower *l, const uint32_t *args, uint32_t value,
                          uint32_t high, uint32_t which)
{
    const uint32_t wide[6] = {args[0], args[1], value, args[3], high, number(l, which)};
    return wf_sw_ir_add(l->ir, WF_SW_IR_CROSS, WF_SW_FUN_SCAN64, wide, 6, 2);
}

static bool lower_scan(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    struct wf_sw_ir *ir = l->ir;
    uint32_t fun, cluster = l->subgroup_size;
    bool is_signed;
    if (!scan_of(i->opcode, &fun, &is_signed))
        return false;
    const struct wf_shader_type *t = wf_sw_type(l, i->type), *scalar = wf_sw_scalar_of(l, t);
    const uint32_t n = wf_sw_scalars(l, t), total = wf_sw_type_words(l, i->type);
    check_operation(l, i, true);
    if (i->operands[1] == SpvGroupOperationClusteredReduce)
        cluster = cluster_size(l, i->operands[3]);
    const uint32_t mode = i->operands[1] == SpvGroupOperationInclusiveScan   ? 1
                          : i->operands[1] == SpvGroupOperationExclusiveScan ? 2
                                                                             : 0;
    const bool integer = scalar->kind == WF_SHADER_TYPE_INT;
    const bool shifted = integer && is_signed && scalar->width < 32; // so that identities fit
    const uint32_t by = number(l, shifted ? 32 - scalar->width : 0);
    uint32_t *out = wf_sw_ir_alloc(ir, total, sizeof *out);
    for (size_t c = 0; c < n; c++) {
        const uint32_t id = i->operands[2];
        uint32_t args[4] = {active(l), number(l, cluster), WF_SW_NONE, number(l, mode)};
        if (total == n * 2) {
            out[c * 2] =
                wide_scan(l, args, wf_sw_word(l, id, (uint32_t)c * 2),
                          wf_sw_word(l, id, (uint32_t)c * 2 + 1), fun - WF_SW_FUN_SCAN_IADD);
            out[c * 2 + 1] = out[c * 2] + 1;
            continue;
        }
        args[2] = wf_sw_word(l, id, (uint32_t)c);
        if (shifted)
            args[2] = wf_sw_ir_bin(ir, WF_SW_IR_SHL, args[2], by);
        out[c] = wf_sw_ir_add(ir, WF_SW_IR_CROSS, fun, args, 4, 1);
        if (shifted)
            out[c] = wf_sw_ir_bin(ir, WF_SW_IR_SHR, out[c], by);
        else if (integer)
            out[c] = wf_sw_truncate(l, out[c], scalar->width);
        else if (scalar->kind == WF_SHADER_TYPE_FLOAT)
            out[c] = wf_sw_round(l, out[c], scalar->width);
    }
    memcpy(wf_sw_define(l, i->id, total), out, total * sizeof *out);
    return true;
}

bool wf_sw_lower_group(struct wf_sw_lower *l, const struct wf_shader_instruction *i)
{
    const bool core =
        i->opcode >= SpvOpGroupNonUniformElect && i->opcode <= SpvOpGroupNonUniformQuadSwap;
    if (core || i->opcode == SpvOpGroupNonUniformRotateKHR)
        check_scope(l, i->operands[0]);
    else if (i->opcode < SpvOpSubgroupBallotKHR || i->opcode > SpvOpSubgroupReadInvocationKHR)
        return false;
    return lower_vote(l, i) || lower_ballot(l, i) || lower_move(l, i) || lower_scan(l, i);
}
