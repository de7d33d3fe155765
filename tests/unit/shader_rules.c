// Modules that break a rule, each in one place.
#include "shader_builder.h"

TEST(shader_rules, the_builder_makes_a_good_module)
{
    struct builder b;
    builder_start(&b);
    builder_end(&b);
    EXPECT_ACCEPTED(&b);
}

TEST(shader_rules, headers_are_checked)
{
    struct builder good, b;
    builder_start(&good);
    builder_end(&good);
    struct wf_shader_module *module;
    struct wf_shader_error error;
    EXPECT(!wf_shader_read(wf_base_allocator_default(), good.words, 0, &module, &error) && !module);
    EXPECT(!wf_shader_read(wf_base_allocator_default(), good.words, (size_t)good.count * 4 - 1,
                           &module, &error));
    EXPECT(!wf_shader_read(wf_base_allocator_default(), good.words, 16, &module, NULL));
    b = good;
    b.words[0] = 0x12345678;
    EXPECT_REFUSED(&b, "the first word is 0x12345678");
    const uint32_t versions[] = {0, 0x10700, 0x20000, 0x10001};
    for (uint32_t i = 0; i < 4; i++) {
        b = good;
        b.words[1] = versions[i];
        EXPECT_REFUSED(&b, "version");
    }
    b = good;
    b.words[3] = 0;
    EXPECT_REFUSED(&b, "bound 0");
    b.words[3] = 4000000;
    EXPECT_REFUSED(&b, "far above the ids");
    b = good;
    b.words[4] = 1;
    EXPECT_REFUSED(&b, "schema 1");
}

TEST(shader_rules, every_version_is_accepted)
{
    for (uint32_t minor = 0; minor <= 6; minor++) {
        struct builder b;
        builder_start(&b);
        builder_end(&b);
        b.words[1] = 0x10000 | minor << 8;
        EXPECT_ACCEPTED(&b);
    }
}

TEST(shader_rules, word_counts_stay_in_the_module)
{
    struct builder b;
    builder_start(&b);
    builder_end(&b);
    b.words[b.count - 1] = SpvOpFunctionEnd | 2u << 16;
    EXPECT_REFUSED(&b, "its 2 words do not lie in the module");
    b.words[b.count - 1] = SpvOpFunctionEnd;
    EXPECT_REFUSED(&b, "its 0 words");
}

TEST(shader_rules, unknown_opcodes_are_named_by_number)
{
    struct builder b;
    builder_start(&b);
    I(&b, 60000, 1, 2);
    builder_end(&b);
    EXPECT_REFUSED(&b, "opcode 60000 is unknown");
}

TEST(shader_rules, operands_follow_the_grammar)
{
    struct builder b;
    builder_start(&b);
    I(&b, SpvOpIAdd, B_UINT, 20, B_ONE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "OpIAdd: it lacks an operand");
    builder_start(&b);
    I(&b, SpvOpIAdd, B_UINT, 20, B_ONE, B_ONE, B_ONE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "words after its last operand");
    builder_head(&b);
    I(&b, SpvOpDecorate, B_UINT, 59999);
    EXPECT_REFUSED(&b, "Decoration has the unknown value 59999");
    builder_head(&b);
    I(&b, SpvOpName, B_UINT, 0x61616161);
    EXPECT_REFUSED(&b, "a string does not end");
    builder_start(&b);
    I(&b, SpvOpSelectionMerge, 20, 0x80000000);
    builder_end(&b);
    EXPECT_REFUSED(&b, "unknown bit");
    builder_start(&b);
    I(&b, SpvOpLoad, B_UINT, 20, B_ONE, SpvMemoryAccessAlignedMask);
    builder_end(&b);
    EXPECT_REFUSED(&b, "lacks an operand");
}

TEST(shader_rules, ids_are_below_the_bound_and_defined_once)
{
    struct builder b;
    builder_start(&b);
    I(&b, SpvOpIAdd, B_UINT, 100, B_ONE, B_ONE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "id 100 is not 1 to 99");
    builder_start(&b);
    I(&b, SpvOpIAdd, B_UINT, 0, B_ONE, B_ONE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "id 0 is not");
    builder_start(&b);
    I(&b, SpvOpIAdd, B_UINT, B_ONE, B_ONE, B_ONE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "result %8 is already defined by the OpConstant");
}

TEST(shader_rules, ids_have_the_role_of_their_place)
{
    struct builder b;
    builder_start(&b);
    I(&b, SpvOpIAdd, B_ONE, 20, B_ONE, B_ONE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "operand %8 must be a type, but it is an OpConstant");
    builder_start(&b);
    I(&b, SpvOpIAdd, B_UINT, 20, B_UINT, B_ONE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "operand %4 must be a value, but it is an OpTypeInt");
    builder_start(&b);
    I(&b, SpvOpBranch, B_ONE);
    I0(&b, SpvOpFunctionEnd);
    EXPECT_REFUSED(&b, "operand %8 must be a label");
    builder_start(&b);
    I(&b, SpvOpFunctionCall, B_VOID, 20, B_ONE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "operand %8 must be a function");
    builder_start(&b);
    I(&b, SpvOpIAdd, B_UINT, 20, B_ONE, 21);
    I(&b, SpvOpIAdd, B_UINT, 21, B_ONE, B_ONE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "operand %21 is used before its definition");
    builder_start(&b);
    I(&b, SpvOpBranch, 21);
    I0(&b, SpvOpFunctionEnd);
    EXPECT_REFUSED(&b, "operand %21 is not defined anywhere");
    builder_start(&b);
    I(&b, SpvOpControlBarrier, B_UINT, B_SCOPE, B_ZERO);
    builder_end(&b);
    EXPECT_REFUSED(&b, "must be a constant");
}

TEST(shader_rules, sections_keep_their_order)
{
    struct builder b;
    builder_head(&b);
    I(&b, SpvOpCapability, SpvCapabilityMatrix);
    EXPECT_REFUSED(&b, "it stands after its section");
    builder_start(&b);
    I(&b, SpvOpTypeInt, 20, 64, 0);
    builder_end(&b);
    EXPECT_REFUSED(&b, "it stands after its section");
    builder_head(&b);
    builder_types(&b);
    I(&b, SpvOpDecorate, B_UINT, SpvDecorationRelaxedPrecision);
    EXPECT_REFUSED(&b, "it stands after its section");
    builder_head(&b);
    builder_types(&b);
    I(&b, SpvOpIAdd, B_UINT, 20, B_ONE, B_ONE);
    EXPECT_REFUSED(&b, "outside of a function");
}

TEST(shader_rules, models_and_capabilities_are_needed)
{
    struct builder b;
    b = (struct builder){.words = {SpvMagicNumber, 0x10000, 0, 10, 0}, .count = 5};
    EXPECT_REFUSED(&b, "no OpMemoryModel");
    I(&b, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
    EXPECT_REFUSED(&b, "lacks the capability Shader");
    builder_start(&b);
    I(&b, SpvOpGroupNonUniformElect, B_BOOL, 20, B_SCOPE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "lacks the capability GroupNonUniform");
    builder_start(&b);
    I(&b, SpvOpCopyLogical, B_UINT, 20, B_ONE);
    builder_end(&b);
    b.words[1] = 0x10300;
    EXPECT_REFUSED(&b, "it needs SPIR-V 1.4, the module is 1.3");
    b = (struct builder){.words = {SpvMagicNumber, 0x10000, 0, 10, 0}, .count = 5};
    I(&b, SpvOpCapability, SpvCapabilityShader);
    I(&b, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
    EXPECT_REFUSED(&b, "no entry point");
}

TEST(shader_rules, types_are_checked)
{
    struct builder b;
    builder_head(&b);
    builder_types(&b);
    const struct builder start = b;
    I(&b, SpvOpTypeInt, 20, 33, 0);
    EXPECT_REFUSED(&b, "width 33");
    b = start;
    I(&b, SpvOpTypeFloat, 20, 8);
    EXPECT_REFUSED(&b, "not an IEEE float");
    b = start;
    I(&b, SpvOpTypeVector, 20, B_FLOAT, 5);
    EXPECT_REFUSED(&b, "5 parts are not 2 to 4");
    b = start;
    I(&b, SpvOpTypeMatrix, 20, B_UVEC2, 2);
    EXPECT_REFUSED(&b, "no float vector");
    b = start;
    I(&b, SpvOpTypeArray, 20, B_UINT, B_ZERO);
    EXPECT_REFUSED(&b, "is not 1 to");
    b = start;
    I(&b, SpvOpTypeArray, 20, B_UINT, B_HALF);
    EXPECT_REFUSED(&b, "no integer constant");
    b = start;
    I(&b, SpvOpTypeStruct, 20, B_UINT, 20);
    EXPECT_REFUSED(&b, "no type that is known here");
    b = start;
    I(&b, SpvOpTypeRuntimeArray, 20, B_UINT);
    I(&b, SpvOpTypeStruct, 21, 20, B_UINT);
    EXPECT_REFUSED(&b, "cannot be a member here");
    b = start;
    I(&b, SpvOpTypeForwardPointer, 20, SpvStorageClassPhysicalStorageBuffer);
    EXPECT_REFUSED(&b, "capability");
}

TEST(shader_rules, types_nest_to_a_limit)
{
    struct builder b;
    builder_head(&b);
    b.words[3] = 1000;
    builder_types(&b);
    I(&b, SpvOpTypeStruct, 20, B_UINT, B_UINT);
    for (uint32_t i = 0; i < 70; i++)
        I(&b, SpvOpTypeStruct, 21 + i, 20 + i, 20 + i);
    EXPECT_REFUSED(&b, "types nest more than 64 deep");
}

TEST(shader_rules, constants_fit_their_types)
{
    struct builder b;
    builder_head(&b);
    builder_types(&b);
    const struct builder start = b;
    I(&b, SpvOpConstantTrue, B_UINT, 20);
    EXPECT_REFUSED(&b, "does not fit");
    b = start;
    I(&b, SpvOpConstant, B_BOOL, 20, 1);
    EXPECT_REFUSED(&b, "not int or float");
    builder_head(&b);
    I(&b, SpvOpTypeInt, 20, 64, 0);
    I(&b, SpvOpConstant, 20, 21, 1);
    EXPECT_REFUSED(&b, "too short for its last operand");
    b = start;
    I(&b, SpvOpConstantComposite, B_UVEC2, 20, B_ONE);
    EXPECT_REFUSED(&b, "1 parts do not make its type");
    b = start;
    I(&b, SpvOpConstantComposite, B_UVEC2, 20, B_ONE, B_HALF);
    EXPECT_REFUSED(&b, "part %10 is not of type %4");
    b = start;
    I(&b, SpvOpSpecConstantOp, B_UINT, 20, SpvOpIAdd, B_ONE, B_HALF);
    EXPECT_REFUSED(&b, "operand %10 must be int");
    b = start;
    I(&b, SpvOpSpecConstantOp, B_FLOAT, 20, SpvOpFAdd, B_HALF, B_HALF);
    EXPECT_REFUSED(&b, "not worked out");
    b = start;
    I(&b, SpvOpSpecConstantOp, B_UINT, 20, SpvOpStore, B_ONE, B_ONE);
    EXPECT_REFUSED(&b, "not one that makes a value");
}

TEST(shader_rules, functions_have_their_parts)
{
    struct builder b;
    builder_start(&b);
    EXPECT_REFUSED(&b, "no OpFunctionEnd");
    builder_start(&b);
    I0(&b, SpvOpFunctionEnd);
    EXPECT_REFUSED(&b, "the last block has no terminator");
    builder_start(&b);
    builder_end(&b);
    I(&b, SpvOpFunction, B_VOID, 20, 0, B_FUNCTION_TYPE);
    I0(&b, SpvOpFunctionEnd);
    EXPECT_REFUSED(&b, "has no body");
    builder_start(&b);
    I(&b, SpvOpLabel, 20);
    EXPECT_REFUSED(&b, "the block before it has no terminator");
    builder_start(&b);
    I0(&b, SpvOpReturn);
    I0(&b, SpvOpReturn);
    EXPECT_REFUSED(&b, "outside of a block");
    builder_start(&b);
    I(&b, SpvOpReturnValue, B_ONE);
    I0(&b, SpvOpFunctionEnd);
    EXPECT_REFUSED(&b, "the function returns none");
    builder_start(&b);
    I(&b, SpvOpStore, B_ONE, B_ONE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "operand %8 must be a pointer");
    builder_start(&b);
    I(&b, SpvOpIAdd, B_UINT, 20, B_ONE, B_ONE);
    I(&b, SpvOpVariable, B_LOCAL, 21, SpvStorageClassFunction);
    builder_end(&b);
    EXPECT_REFUSED(&b, "at the start of the function's first block");
}

TEST(shader_rules, recursion_is_refused)
{
    struct builder b;
    builder_start(&b);
    I(&b, SpvOpFunctionCall, B_VOID, 20, 21);
    builder_end(&b);
    I(&b, SpvOpFunction, B_VOID, 21, 0, B_FUNCTION_TYPE);
    I(&b, SpvOpLabel, 22);
    I(&b, SpvOpFunctionCall, B_VOID, 23, 24);
    builder_end(&b);
    const struct builder open = b;
    I(&b, SpvOpFunction, B_VOID, 24, 0, B_FUNCTION_TYPE);
    I(&b, SpvOpLabel, 25);
    builder_end(&b);
    EXPECT_ACCEPTED(&b);
    b = open;
    I(&b, SpvOpFunction, B_VOID, 24, 0, B_FUNCTION_TYPE);
    I(&b, SpvOpLabel, 25);
    I(&b, SpvOpFunctionCall, B_VOID, 26, 21);
    builder_end(&b);
    EXPECT_REFUSED(&b, "recursion is not allowed");
}

TEST(shader_rules, call_depth_is_limited)
{
    struct builder b;
    builder_start(&b);
    b.words[3] = 2000;
    I(&b, SpvOpFunctionCall, B_VOID, 1000, 20);
    builder_end(&b);
    static uint32_t words[16384];
    uint32_t count = b.count;
    memcpy(words, b.words, sizeof b.words);
    for (uint32_t i = 0; i < 300; i++) {
        b.count = 0;
        I(&b, SpvOpFunction, B_VOID, 20 + i, 0, B_FUNCTION_TYPE);
        I(&b, SpvOpLabel, 400 + i);
        if (i < 299)
            I(&b, SpvOpFunctionCall, B_VOID, 800 + i + (i >= 200 ? 400 : 0), 21 + i);
        builder_end(&b);
        memcpy(words + count, b.words, (size_t)b.count * 4);
        count += b.count;
    }
    struct wf_shader_module *module;
    struct wf_shader_error error;
    EXPECT(!wf_shader_read(wf_base_allocator_default(), words, (size_t)count * 4, &module, &error));
    EXPECT(strstr(error.message, "calls nest more than 256 deep"));
}

TEST(shader_rules, values_stay_in_their_function)
{
    struct builder b;
    builder_start(&b);
    I(&b, SpvOpIAdd, B_UINT, 20, B_ONE, B_ONE);
    builder_end(&b);
    I(&b, SpvOpFunction, B_VOID, 21, 0, B_FUNCTION_TYPE);
    I(&b, SpvOpLabel, 22);
    I(&b, SpvOpIAdd, B_UINT, 23, 20, B_ONE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "operand %20 belongs to another function");
}

TEST(shader_rules, groups_of_decorations_are_limited)
{
    static uint32_t words[32768];
    struct builder b;
    builder_head(&b);
    for (uint32_t i = 0; i < 600; i++)
        I(&b, SpvOpDecorate, 50, SpvDecorationRestrict);
    I(&b, SpvOpDecorationGroup, 50);
    memcpy(words, b.words, (size_t)b.count * 4);
    uint32_t count = b.count;
    words[count++] = SpvOpGroupDecorate | 1002u << 16;
    words[count++] = 50;
    for (uint32_t i = 0; i < 1000; i++)
        words[count++] = B_UINT;
    b.count = 0;
    builder_types(&b);
    memcpy(words + count, b.words, (size_t)b.count * 4);
    count += b.count;
    struct wf_shader_module *module;
    struct wf_shader_error error;
    EXPECT(!wf_shader_read(wf_base_allocator_default(), words, (size_t)count * 4, &module, &error));
    EXPECT(strstr(error.message, "decoration groups make more than"));
}
