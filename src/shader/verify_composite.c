// Types of vectors, matrices and other composites.
#include "shader/verify.h"

/// The type that literal indices lead to from `type`, or 0 after failing.
static uint32_t walk(struct wf_shader_reader *reader, uint32_t type_id, uint32_t first)
{
    for (uint32_t i = first; i < reader->ins.operand_count; i++) {
        const uint32_t index = reader->ins.operands[i];
        const struct wf_shader_type *type = wf_shader_type(reader->module, type_id);
        if (type && type->kind == WF_SHADER_TYPE_STRUCT && index < type->count) {
            type_id = type->members[index].type;
        } else if (type && index < type->count &&
                   (type->kind == WF_SHADER_TYPE_VECTOR || type->kind == WF_SHADER_TYPE_MATRIX ||
                    type->kind == WF_SHADER_TYPE_ARRAY)) {
            type_id = type->component;
        } else {
            wf_shader_fail(reader, "type %%%u has no part %u", type_id, index);
            return 0;
        }
    }
    return type_id;
}

static bool verify_extract(struct wf_shader_reader *reader)
{
    const uint32_t type = walk(reader, reader->ids[reader->ins.operands[0]].type, 1);
    if (type == 0)
        return false;
    return type == reader->ins.type || wf_shader_fail_result(reader, "that of the part");
}

static bool verify_insert(struct wf_shader_reader *reader)
{
    if (reader->ids[reader->ins.operands[1]].type != reader->ins.type)
        return wf_shader_fail_operand(reader, 1, "of the result's type");
    const uint32_t type = walk(reader, reader->ins.type, 2);
    if (type == 0)
        return false;
    return type == reader->ids[reader->ins.operands[0]].type ||
           wf_shader_fail_operand(reader, 0, "of the part's type");
}

static bool construct_vector(struct wf_shader_reader *reader, const struct wf_shader_type *result)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < reader->ins.operand_count; i++) {
        const struct wf_shader_type *part = wf_shader_operand_type(reader, i);
        if (part && part->kind == WF_SHADER_TYPE_VECTOR && part->component == result->component)
            count += part->count;
        else if (part && part->id == result->component)
            count++;
        else
            return wf_shader_fail_operand(reader, i,
                                          "a scalar or vector of the result's component type");
    }
    return count == result->count ||
           wf_shader_fail(reader, "%u components do not make a vector of %u", count, result->count);
}

static bool verify_construct(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *result = wf_shader_type(reader->module, reader->ins.type);
    if (result->kind == WF_SHADER_TYPE_VECTOR)
        return construct_vector(reader, result);
    if (result->kind != WF_SHADER_TYPE_MATRIX && result->kind != WF_SHADER_TYPE_ARRAY &&
        result->kind != WF_SHADER_TYPE_STRUCT)
        return wf_shader_fail_result(reader, "a composite");
    if (reader->ins.operand_count != result->count)
        return wf_shader_fail(reader, "%u parts do not make its type, which has %u",
                              reader->ins.operand_count, result->count);
    for (uint32_t i = 0; i < result->count; i++) {
        const uint32_t wanted =
            result->kind == WF_SHADER_TYPE_STRUCT ? result->members[i].type : result->component;
        if (reader->ids[reader->ins.operands[i]].type != wanted)
            return wf_shader_fail_operand(reader, i, "of the type of its part");
    }
    return true;
}

/// The type of the n-th operand if it is a vector; fails otherwise.
static const struct wf_shader_type *vector_operand(struct wf_shader_reader *reader, uint32_t at)
{
    const struct wf_shader_type *type = wf_shader_operand_type(reader, at);
    if (type && type->kind == WF_SHADER_TYPE_VECTOR)
        return type;
    wf_shader_fail_operand(reader, at, "a vector");
    return NULL;
}

static bool verify_shuffle(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *result = wf_shader_type(reader->module, reader->ins.type);
    const struct wf_shader_type *a = vector_operand(reader, 0);
    const struct wf_shader_type *b = a ? vector_operand(reader, 1) : NULL;
    if (!b)
        return false;
    if (result->kind != WF_SHADER_TYPE_VECTOR || result->count != reader->ins.operand_count - 2u)
        return wf_shader_fail_result(reader, "a vector with one component per literal");
    if (a->component != result->component || b->component != result->component)
        return wf_shader_fail_result(reader, "a vector of the operands' component type");
    for (uint32_t i = 2; i < reader->ins.operand_count; i++) {
        const uint32_t index = reader->ins.operands[i];
        if (index >= a->count + b->count && index != UINT32_MAX)
            return wf_shader_fail(reader, "component %u is not below %u", index,
                                  a->count + b->count);
    }
    return true;
}

static bool verify_dynamic(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *vector = vector_operand(reader, 0);
    if (!vector)
        return false;
    if (reader->ins.opcode == SpvOpVectorExtractDynamic) {
        if (reader->ins.type != vector->component)
            return wf_shader_fail_result(reader, "the vector's component type");
        return wf_shader_verify_signature(reader, "Zxc", 0);
    }
    return wf_shader_verify_signature(reader, "Zrsc", 0);
}

static const struct wf_shader_type *matrix_of(struct wf_shader_reader *reader,
                                              const struct wf_shader_type *type)
{
    if (type && type->kind == WF_SHADER_TYPE_MATRIX)
        return type;
    wf_shader_fail(reader, "it needs a matrix here");
    return NULL;
}

/// What a value times a value makes: rows and columns; a vector is one column (or one row, on the
/// left).
struct extent {
    uint32_t rows, columns, scalar;
};

static struct extent extent_of(const struct wf_shader_module *module, uint32_t id, bool as_row)
{
    const struct wf_shader_type *type = wf_shader_type(module, id);
    if (type && type->kind == WF_SHADER_TYPE_MATRIX) {
        const struct wf_shader_type *column = wf_shader_type(module, type->component);
        return (struct extent){column->count, type->count, column->component};
    }
    if (type && type->kind == WF_SHADER_TYPE_VECTOR)
        return as_row ? (struct extent){1, type->count, type->component}
                      : (struct extent){type->count, 1, type->component};
    return (struct extent){0, 0, id};
}

static bool verify_product(struct wf_shader_reader *reader)
{
    const struct wf_shader_module *module = reader->module;
    const uint32_t left = reader->ids[reader->ins.operands[0]].type;
    const uint32_t right = reader->ids[reader->ins.operands[1]].type;
    const bool outer = reader->ins.opcode == SpvOpOuterProduct;
    const bool row = reader->ins.opcode == SpvOpVectorTimesMatrix;
    const struct extent a = extent_of(module, left, row);
    const struct extent b = extent_of(module, right, outer);
    const struct extent c = extent_of(module, reader->ins.type, row);
    const struct wf_shader_type *scalar = wf_shader_type(module, a.scalar);
    const bool left_matrix =
        wf_shader_type(module, left) && wf_shader_type(module, left)->kind == WF_SHADER_TYPE_MATRIX;
    const bool right_matrix = wf_shader_type(module, right) &&
                              wf_shader_type(module, right)->kind == WF_SHADER_TYPE_MATRIX;
    const bool kinds = a.rows != 0 && b.rows != 0 && scalar &&
                       scalar->kind == WF_SHADER_TYPE_FLOAT && left_matrix == (!row && !outer) &&
                       right_matrix == (!outer && reader->ins.opcode != SpvOpMatrixTimesVector);
    if (!kinds || a.scalar != b.scalar || a.scalar != c.scalar)
        return wf_shader_fail(reader,
                              "operands and result are not vectors or matrices of one float type");
    return (a.columns == b.rows && c.rows == a.rows && c.columns == b.columns) ||
           wf_shader_fail(reader, "%ux%u times %ux%u does not make %ux%u", a.rows, a.columns,
                          b.rows, b.columns, c.rows, c.columns);
}

static bool verify_matrix_scalar(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *matrix =
        matrix_of(reader, wf_shader_type(reader->module, reader->ins.type));
    if (!matrix || !wf_shader_verify_signature(reader, "Zr", 0))
        return false;
    const uint32_t scalar = wf_shader_type(reader->module, matrix->component)->component;
    return reader->ids[reader->ins.operands[1]].type == scalar ||
           wf_shader_fail_operand(reader, 1, "a scalar of the matrix's component type");
}

static bool verify_transpose(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *from = matrix_of(reader, wf_shader_operand_type(reader, 0));
    const struct wf_shader_type *to =
        from ? matrix_of(reader, wf_shader_type(reader->module, reader->ins.type)) : NULL;
    if (!to)
        return false;
    const struct extent a = extent_of(reader->module, from->id, false);
    const struct extent b = extent_of(reader->module, to->id, false);
    return (a.rows == b.columns && a.columns == b.rows && a.scalar == b.scalar) ||
           wf_shader_fail_result(reader, "the transpose of its operand's");
}

static bool verify_dot(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *a = vector_operand(reader, 0);
    if (!a)
        return false;
    if (a->component != reader->ins.type)
        return wf_shader_fail_result(reader, "the operands' component type");
    return wf_shader_verify_signature(reader, "Fx=", 0);
}

/// Whether types match but for their decorations. Depth follows that of types; `*left` steps, since
/// a structure may have the same inner one many times over.
static bool match(const struct wf_shader_module *module, uint32_t a, uint32_t b, uint32_t *left)
{
    const struct wf_shader_type *x = wf_shader_type(module, a), *y = wf_shader_type(module, b);
    if (a == b)
        return true;
    if (!x || !y || x->kind != y->kind || x->count != y->count || *left == 0)
        return false;
    --*left;
    if (x->kind == WF_SHADER_TYPE_ARRAY)
        return match(module, x->component, y->component, left);
    for (uint32_t i = 0; x->kind == WF_SHADER_TYPE_STRUCT && i < x->count; i++) {
        if (!match(module, x->members[i].type, y->members[i].type, left))
            return false;
    }
    return x->kind == WF_SHADER_TYPE_STRUCT;
}

static bool verify_copy_logical(struct wf_shader_reader *reader)
{
    const struct wf_shader_type *from = wf_shader_operand_type(reader, 0);
    uint32_t left = 65536;
    return (from && match(reader->module, from->id, reader->ins.type, &left)) ||
           wf_shader_fail_operand(reader, 0, "like the result's type");
}

bool wf_shader_verify_composite(struct wf_shader_reader *reader, bool *known)
{
    *known = true;
    switch (reader->ins.opcode) {
    case SpvOpCompositeExtract:
        return verify_extract(reader);
    case SpvOpCompositeInsert:
        return verify_insert(reader);
    case SpvOpCompositeConstruct:
        return verify_construct(reader);
    case SpvOpVectorShuffle:
        return verify_shuffle(reader);
    case SpvOpVectorExtractDynamic:
    case SpvOpVectorInsertDynamic:
        return verify_dynamic(reader);
    case SpvOpVectorTimesScalar:
        return wf_shader_verify_signature(reader, "Frs", 0);
    case SpvOpMatrixTimesScalar:
        return verify_matrix_scalar(reader);
    case SpvOpVectorTimesMatrix:
    case SpvOpMatrixTimesVector:
    case SpvOpMatrixTimesMatrix:
    case SpvOpOuterProduct:
        return verify_product(reader);
    case SpvOpTranspose:
        return verify_transpose(reader);
    case SpvOpDot:
        return verify_dot(reader);
    case SpvOpCopyLogical:
        return verify_copy_logical(reader);
    default:
        *known = false;
        return true;
    }
}
