// Ray queries: the types of their operands and results.
#include "shader_builder.h"
#include "shader_support.h"

enum {
    R_STRUCTURE = B_FREE, ///< The type, a pointer to it, and a variable.
    R_STRUCTURE_POINTER,
    R_SCENE,
    R_QUERY,
    R_QUERY_POINTER,
    R_VEC2,
    R_VEC3,
    R_MATRIX,
    R_VECTOR, ///< Of three floats.
    R_VARIABLE,
    R_LOADED,
    R_UVEC,
    R_FREE,
};

/// main() with a query in a variable and a structure that was loaded.
static void start(struct builder *b)
{
    *b = (struct builder){.words = {SpvMagicNumber, 0x10500, 0, 100, 0}, .count = 5};
    I(b, SpvOpCapability, SpvCapabilityShader);
    I(b, SpvOpCapability, SpvCapabilityRayQueryKHR);
    I(b, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
    I(b, SpvOpEntryPoint, SpvExecutionModelGLCompute, B_MAIN, 0x6E69616D, 0, R_SCENE);
    I(b, SpvOpExecutionMode, B_MAIN, SpvExecutionModeLocalSize, 1, 1, 1);
    I(b, SpvOpDecorate, R_SCENE, SpvDecorationDescriptorSet, 0);
    I(b, SpvOpDecorate, R_SCENE, SpvDecorationBinding, 0);
    builder_types(b);
    I(b, SpvOpTypeAccelerationStructureKHR, R_STRUCTURE);
    I(b, SpvOpTypePointer, R_STRUCTURE_POINTER, SpvStorageClassUniformConstant, R_STRUCTURE);
    I(b, SpvOpVariable, R_STRUCTURE_POINTER, R_SCENE, SpvStorageClassUniformConstant);
    I(b, SpvOpTypeRayQueryKHR, R_QUERY);
    I(b, SpvOpTypePointer, R_QUERY_POINTER, SpvStorageClassFunction, R_QUERY);
    I(b, SpvOpTypeVector, R_VEC2, B_FLOAT, 2);
    I(b, SpvOpTypeVector, R_VEC3, B_FLOAT, 3);
    I(b, SpvOpTypeMatrix, R_MATRIX, R_VEC3, 4);
    I(b, SpvOpConstantComposite, R_VEC3, R_VECTOR, B_HALF, B_HALF, B_HALF);
    I(b, SpvOpConstantComposite, B_UVEC2, R_UVEC, B_ONE, B_ONE);
    I(b, SpvOpFunction, B_VOID, B_MAIN, 0, B_FUNCTION_TYPE);
    I(b, SpvOpLabel, B_ENTRY);
    I(b, SpvOpVariable, R_QUERY_POINTER, R_VARIABLE, SpvStorageClassFunction);
    I(b, SpvOpLoad, R_STRUCTURE, R_LOADED, R_SCENE);
}

/// OpRayQueryInitializeKHR with one operand that is another.
static void initialize(struct builder *b, uint32_t at, uint32_t other)
{
    uint32_t operands[8] = {R_VARIABLE, R_LOADED, B_ONE, B_ONE, R_VECTOR, B_HALF, R_VECTOR, B_HALF};
    if (at < 8)
        operands[at] = other;
    start(b);
    emit(b, SpvOpRayQueryInitializeKHR, operands, 8);
    builder_end(b);
}

TEST(shader_ray, a_query_begins_with_a_ray)
{
    struct builder b;
    initialize(&b, 8, 0);
    struct wf_shader_module *module = read_good(b.words, b.count * sizeof *b.words);
    struct wf_shader_reflection *r = reflect_good(module);
    EXPECT((r->uses & WF_SHADER_USE_RAY_QUERY) != 0);
    EXPECT_EQ(r->binding_count, 1);
    EXPECT_EQ(r->bindings[0].type, WF_SHADER_RESOURCE_ACCELERATION_STRUCTURE);
    EXPECT(r->bindings[0].read && !r->bindings[0].written);
    wf_shader_reflection_free(r);
    wf_shader_free(module);
    static const struct {
        uint32_t at, other;
        const char *text;
    } rows[] = {{0, R_SCENE, "must be a pointer to a ray query"},
                {0, B_ONE, "must be a pointer to a ray query"},
                {1, B_ONE, "must be an acceleration structure"},
                {2, B_HALF, "must be a 32-bit int scalar"},
                {3, R_UVEC, "must be a 32-bit int scalar"},
                {4, B_HALF, "must be a vector of three 32-bit floats"},
                {5, B_ONE, "must be a 32-bit float scalar"},
                {6, R_UVEC, "must be a vector of three 32-bit floats"},
                {7, R_VECTOR, "must be a 32-bit float scalar"}};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        initialize(&b, rows[i].at, rows[i].other);
        EXPECT_REFUSED(&b, rows[i].text);
    }
}

TEST(shader_ray, questions_have_answers_of_their_types)
{
    static const struct {
        uint16_t opcode;
        uint16_t type;
        bool which; ///< It asks for one of two intersections.
        const char *text;
    } rows[] = {
        {SpvOpRayQueryProceedKHR, B_BOOL, false, "a bool"},
        {SpvOpRayQueryGetIntersectionTypeKHR, B_UINT, true, "a 32-bit int scalar"},
        {SpvOpRayQueryGetRayTMinKHR, B_FLOAT, false, "a 32-bit float scalar"},
        {SpvOpRayQueryGetIntersectionInstanceCustomIndexKHR, B_UINT, true, "a 32-bit int scalar"},
        {SpvOpRayQueryGetIntersectionBarycentricsKHR, R_VEC2, true,
         "a vector of two 32-bit floats"},
        {SpvOpRayQueryGetIntersectionFrontFaceKHR, B_BOOL, true, "a bool"},
        {SpvOpRayQueryGetWorldRayOriginKHR, R_VEC3, false, "a vector of three 32-bit floats"},
        {SpvOpRayQueryGetIntersectionObjectToWorldKHR, R_MATRIX, true,
         "a matrix of four columns of three floats"},
    };
    struct builder b;
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t count = rows[i].which ? 4 : 3;
        for (uint32_t wrong = 0; wrong < 2; wrong++) {
            const uint32_t operands[] = {wrong ? B_VEC4 : rows[i].type, R_FREE, R_VARIABLE, B_ONE};
            start(&b);
            emit(&b, rows[i].opcode, operands, count);
            builder_end(&b);
            if (wrong)
                EXPECT_REFUSED(&b, rows[i].text);
            else
                EXPECT_ACCEPTED(&b);
        }
    }
    for (uint32_t i = 0; i < 3; i++) { // neither two, nor a float, nor what is no constant
        const uint32_t which[] = {B_SCOPE, B_HALF, R_FREE};
        start(&b);
        I(&b, SpvOpIAdd, B_UINT, R_FREE, B_ONE, B_ZERO);
        I(&b, SpvOpRayQueryGetIntersectionTypeKHR, B_UINT, R_FREE + 1, R_VARIABLE, which[i]);
        builder_end(&b);
        EXPECT_REFUSED(&b, "must be a constant 0 or 1");
    }
}

TEST(shader_ray, structures_are_made_of_addresses)
{
    struct builder b;
    start(&b);
    I(&b, SpvOpConvertUToAccelerationStructureKHR, R_STRUCTURE, R_FREE, R_UVEC);
    builder_end(&b);
    EXPECT_ACCEPTED(&b);
    start(&b);
    I(&b, SpvOpConvertUToAccelerationStructureKHR, R_STRUCTURE, R_FREE, B_ONE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "must be 64 bits of int");
    start(&b);
    I(&b, SpvOpConvertUToAccelerationStructureKHR, B_UINT, R_FREE, R_UVEC);
    builder_end(&b);
    EXPECT_REFUSED(&b, "must be an acceleration structure");
}

/// The answers differ between invocations, whatever was asked.
TEST(shader_ray, answers_are_not_uniform)
{
    for (uint32_t decorated = 0; decorated < 2; decorated++) {
        struct builder b;
        b = (struct builder){.words = {SpvMagicNumber, 0x10500, 0, 100, 0}, .count = 5};
        I(&b, SpvOpCapability, SpvCapabilityShader);
        I(&b, SpvOpCapability, SpvCapabilityRayQueryKHR);
        I(&b, SpvOpCapability, SpvCapabilityShaderNonUniform);
        I(&b, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
        I(&b, SpvOpEntryPoint, SpvExecutionModelGLCompute, B_MAIN, 0x6E69616D, 0, R_SCENE);
        I(&b, SpvOpExecutionMode, B_MAIN, SpvExecutionModeLocalSize, 1, 1, 1);
        I(&b, SpvOpDecorate, R_SCENE, SpvDecorationDescriptorSet, 0);
        I(&b, SpvOpDecorate, R_SCENE, SpvDecorationBinding, 0);
        if (decorated)
            I(&b, SpvOpDecorate, R_FREE, SpvDecorationNonUniform);
        builder_types(&b);
        I(&b, SpvOpTypeAccelerationStructureKHR, R_STRUCTURE);
        I(&b, SpvOpTypeArray, R_VEC2, R_STRUCTURE, B_SCOPE);
        I(&b, SpvOpTypePointer, R_VEC3, SpvStorageClassUniformConstant, R_VEC2);
        I(&b, SpvOpTypePointer, R_STRUCTURE_POINTER, SpvStorageClassUniformConstant, R_STRUCTURE);
        I(&b, SpvOpVariable, R_VEC3, R_SCENE, SpvStorageClassUniformConstant);
        I(&b, SpvOpTypeRayQueryKHR, R_QUERY);
        I(&b, SpvOpTypePointer, R_QUERY_POINTER, SpvStorageClassFunction, R_QUERY);
        I(&b, SpvOpFunction, B_VOID, B_MAIN, 0, B_FUNCTION_TYPE);
        I(&b, SpvOpLabel, B_ENTRY);
        I(&b, SpvOpVariable, R_QUERY_POINTER, R_VARIABLE, SpvStorageClassFunction);
        I(&b, SpvOpRayQueryGetIntersectionInstanceCustomIndexKHR, B_UINT, R_FREE, R_VARIABLE,
          B_ONE);
        I(&b, SpvOpAccessChain, R_STRUCTURE_POINTER, R_FREE + 1, R_SCENE, R_FREE);
        I(&b, SpvOpLoad, R_STRUCTURE, R_LOADED, R_FREE + 1);
        builder_end(&b);
        struct wf_shader_module *module = read_good(b.words, b.count * sizeof *b.words);
        struct wf_shader_reflection *r = reflect_good(module);
        EXPECT_EQ(r->finding_count, 1 - decorated);
        EXPECT_EQ(r->bindings[0].count, 2);
        wf_shader_reflection_free(r);
        wf_shader_free(module);
    }
}
