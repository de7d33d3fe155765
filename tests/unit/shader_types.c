// Types of operands and results: for each group of instructions one good module, and ways to break
// it.
#include "shader_builder.h"

#include <spirv/unified1/GLSL.std.450.h>

/// Ids of start_with_types(), above those of the builder.
enum {
    T_MAT3 = 20, ///< Three columns of three.
    T_VEC3,
    T_STRUCT, ///< {uint, vec3}
    T_STRUCT_POINTER,
    T_VARIABLE, ///< Of the structure.
    T_VEC3_POINTER,
    T_FLOAT_POINTER,
    T_IMAGE,
    T_SAMPLED_IMAGE,
    T_SAMPLER,
    T_IMAGE_POINTER,
    T_SAMPLER_POINTER,
    T_IMAGE_VARIABLE,
    T_SAMPLER_VARIABLE,
    T_MATRIX, ///< An undefined mat3.
    T_VECTOR, ///< An undefined vec3.
    T_COORDINATE,
    T_VEC2,
    T_GLSL,
    T_STORAGE,
    T_STORAGE_POINTER,
    T_STORAGE_VARIABLE,
    T_TWO, ///< {uint, uint}
    T_FREE = 50
};

/// main() with a structure variable, and an image, a storage image and a sampler that it can load.
static void start_with_types(struct builder *b)
{
    *b = (struct builder){.words = {SpvMagicNumber, 0x10500, 0, 100, 0}, .count = 5};
    I(b, SpvOpCapability, SpvCapabilityShader);
    I(b, SpvOpExtInstImport, T_GLSL, 0x4C534C47, 0x6474732E, 0x3035342E, 0);
    I(b, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
    I(b, SpvOpEntryPoint, SpvExecutionModelGLCompute, B_MAIN, 0x6E69616D, 0);
    builder_types(b);
    I(b, SpvOpTypeVector, T_VEC3, B_FLOAT, 3);
    I(b, SpvOpTypeVector, T_VEC2, B_FLOAT, 2);
    I(b, SpvOpTypeMatrix, T_MAT3, T_VEC3, 3);
    I(b, SpvOpTypeStruct, T_STRUCT, B_UINT, T_VEC3);
    I(b, SpvOpTypeStruct, T_TWO, B_UINT, B_UINT);
    I(b, SpvOpTypePointer, T_STRUCT_POINTER, SpvStorageClassFunction, T_STRUCT);
    I(b, SpvOpTypePointer, T_VEC3_POINTER, SpvStorageClassFunction, T_VEC3);
    I(b, SpvOpTypePointer, T_FLOAT_POINTER, SpvStorageClassFunction, B_FLOAT);
    I(b, SpvOpTypeImage, T_IMAGE, B_FLOAT, SpvDim2D, 0, 0, 0, 1, 0);
    I(b, SpvOpTypeImage, T_STORAGE, B_FLOAT, SpvDim2D, 0, 0, 0, 2, SpvImageFormatRgba8);
    I(b, SpvOpTypeSampledImage, T_SAMPLED_IMAGE, T_IMAGE);
    I(b, SpvOpTypeSampler, T_SAMPLER);
    I(b, SpvOpTypePointer, T_IMAGE_POINTER, SpvStorageClassUniformConstant, T_IMAGE);
    I(b, SpvOpTypePointer, T_STORAGE_POINTER, SpvStorageClassUniformConstant, T_STORAGE);
    I(b, SpvOpTypePointer, T_SAMPLER_POINTER, SpvStorageClassUniformConstant, T_SAMPLER);
    I(b, SpvOpVariable, T_IMAGE_POINTER, T_IMAGE_VARIABLE, SpvStorageClassUniformConstant);
    I(b, SpvOpVariable, T_STORAGE_POINTER, T_STORAGE_VARIABLE, SpvStorageClassUniformConstant);
    I(b, SpvOpVariable, T_SAMPLER_POINTER, T_SAMPLER_VARIABLE, SpvStorageClassUniformConstant);
    I(b, SpvOpUndef, T_MAT3, T_MATRIX);
    I(b, SpvOpUndef, T_VEC3, T_VECTOR);
    I(b, SpvOpUndef, T_VEC2, T_COORDINATE);
    I(b, SpvOpFunction, B_VOID, B_MAIN, 0, B_FUNCTION_TYPE);
    I(b, SpvOpLabel, B_ENTRY);
    I(b, SpvOpVariable, T_STRUCT_POINTER, T_VARIABLE, SpvStorageClassFunction);
}

/// Puts one instruction into main() and expects `refusal`, or to be accepted if it is NULL.
static void try_one(uint16_t opcode, const uint32_t *operands, uint32_t count, const char *refusal,
                    int line)
{
    struct builder b;
    start_with_types(&b);
    emit(&b, opcode, operands, count);
    builder_end(&b);
    if (refusal)
        expect_refused(&b, refusal, __FILE__, line);
    else
        expect_accepted(&b, __FILE__, line);
}

#define TRY(refusal, opcode, ...)                                                                  \
    try_one(opcode, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4,  \
            refusal, __LINE__)

enum { R = T_FREE }; // the result

TEST(shader_types, arithmetic)
{
    TRY(NULL, SpvOpFAdd, T_VEC3, R, T_VECTOR, T_VECTOR);
    TRY("must be a scalar or vector of float", SpvOpFAdd, B_UINT, R, B_ONE, B_ONE);
    TRY("operand %10 must be of the result's type", SpvOpFAdd, T_VEC3, R, T_VECTOR, B_HALF);
    TRY("must be a scalar or vector of int", SpvOpIAdd, B_FLOAT, R, B_HALF, B_HALF);
    TRY("must be int, with the result's width and count", SpvOpIAdd, B_UINT, R, B_ONE, B_HALF);
    TRY(NULL, SpvOpULessThan, B_BOOL, R, B_ONE, B_ZERO);
    TRY("must be a scalar or vector of bool", SpvOpULessThan, B_UINT, R, B_ONE, B_ZERO);
    TRY("must be int, with as many components", SpvOpULessThan, B_BOOL, R, B_HALF, B_ZERO);
    TRY("must be of the type of the operand before it", SpvOpFOrdLessThan, B_BOOL, R, B_HALF,
        B_ONE);
    TRY(NULL, SpvOpConvertFToU, B_UINT, R, B_HALF);
    TRY("must be float, with as many", SpvOpConvertFToU, B_UINT, R, B_ONE);
    TRY(NULL, SpvOpBitcast, B_FLOAT, R, B_ONE);
    TRY("must be as many bits wide", SpvOpBitcast, B_FLOAT, R, T_VECTOR);
    TRY("must be a number", SpvOpBitcast, B_BOOL, R, B_ONE);
}

TEST(shader_types, selections)
{
    TRY(NULL, SpvOpSelect, B_UINT, R, B_TRUE, B_ONE, B_ZERO);
    TRY("operand %8 must be a bool, or one per component", SpvOpSelect, B_UINT, R, B_ONE, B_ONE,
        B_ZERO);
    TRY("must be of the result's type", SpvOpSelect, B_UINT, R, B_TRUE, B_ONE, B_HALF);
    TRY("must be a vector of bool", SpvOpAll, B_BOOL, R, B_TRUE);
    TRY("must be a structure of two equal members", SpvOpIAddCarry, T_STRUCT, R, B_ONE, B_ONE);
    TRY(NULL, SpvOpIAddCarry, T_TWO, R, B_ONE, B_ONE);
    TRY("must be of the type of the operand before it", SpvOpIAddCarry, T_TWO, R, B_ONE, B_HALF);
}

TEST(shader_types, memory)
{
    TRY(NULL, SpvOpLoad, T_STRUCT, R, T_VARIABLE);
    TRY("must be a pointer to the result's type", SpvOpLoad, B_UINT, R, T_VARIABLE);
    TRY("must be a pointer", SpvOpLoad, B_UINT, R, B_ONE);
    TRY("must be of the type that the pointer points to", SpvOpStore, T_VARIABLE, B_ONE);
    TRY(NULL, SpvOpAccessChain, B_LOCAL, R, T_VARIABLE, B_ZERO);
    TRY(NULL, SpvOpAccessChain, T_FLOAT_POINTER, R, T_VARIABLE, B_ONE, B_ZERO);
    TRY("it ends at type %4, but its result points to %5", SpvOpAccessChain, T_FLOAT_POINTER, R,
        T_VARIABLE, B_ZERO);
    TRY("is no constant below 2", SpvOpAccessChain, B_LOCAL, R, T_VARIABLE, B_SCOPE);
    TRY("which has no parts", SpvOpAccessChain, B_LOCAL, R, T_VARIABLE, B_ZERO, B_ZERO);
    TRY("must be an int scalar", SpvOpAccessChain, B_LOCAL, R, T_VARIABLE, B_HALF);
    TRY("a pointer to the base's storage class", SpvOpAccessChain, T_IMAGE_POINTER, R, T_VARIABLE,
        B_ZERO);
    TRY("is not a runtime array at the structure's end", SpvOpArrayLength, B_UINT, R, T_VARIABLE,
        1);
    TRY("must be a pointer to a number of its kind", SpvOpAtomicIAdd, B_UINT, R, T_VARIABLE, B_ONE,
        B_ZERO, B_ONE);
    TRY("must be a pointer to the same type", SpvOpCopyMemory, T_VARIABLE, T_IMAGE_VARIABLE);
}

TEST(shader_types, composites)
{
    TRY(NULL, SpvOpCompositeConstruct, B_UVEC2, R, B_ONE, B_ZERO);
    TRY("3 components do not make a vector of 2", SpvOpCompositeConstruct, B_UVEC2, R, B_ONE, B_ONE,
        B_ONE);
    TRY("must be a scalar or vector of the result's component type", SpvOpCompositeConstruct,
        B_UVEC2, R, B_ONE, B_HALF);
    TRY(NULL, SpvOpCompositeConstruct, T_STRUCT, R, B_ONE, T_VECTOR);
    TRY("must be of the type of its part", SpvOpCompositeConstruct, T_STRUCT, R, T_VECTOR, B_ONE);
    TRY("1 parts do not make its type, which has 2", SpvOpCompositeConstruct, T_STRUCT, R, B_ONE);
    TRY("must be a composite", SpvOpCompositeConstruct, B_UINT, R, B_ONE);
    TRY(NULL, SpvOpCompositeExtract, B_FLOAT, R, T_MATRIX, 2, 2);
    TRY("has no part 3", SpvOpCompositeExtract, B_FLOAT, R, T_MATRIX, 3, 0);
    TRY("must be that of the part", SpvOpCompositeExtract, B_UINT, R, T_MATRIX, 2, 2);
    TRY(NULL, SpvOpCompositeInsert, T_VEC3, R, B_HALF, T_VECTOR, 1);
    TRY("must be of the part's type", SpvOpCompositeInsert, T_VEC3, R, B_ONE, T_VECTOR, 1);
    TRY(NULL, SpvOpVectorShuffle, T_VEC2, R, T_VECTOR, T_VECTOR, 5, UINT32_MAX);
    TRY("component 6 is not below 6", SpvOpVectorShuffle, T_VEC2, R, T_VECTOR, T_VECTOR, 6, 0);
    TRY("one component per literal", SpvOpVectorShuffle, T_VEC2, R, T_VECTOR, T_VECTOR, 0);
    TRY("must be a vector", SpvOpVectorShuffle, T_VEC2, R, B_HALF, T_VECTOR, 0, 0);
    TRY("must be the vector's component type", SpvOpVectorExtractDynamic, B_UINT, R, T_VECTOR,
        B_ONE);
}

TEST(shader_types, matrices)
{
    TRY(NULL, SpvOpMatrixTimesVector, T_VEC3, R, T_MATRIX, T_VECTOR);
    TRY(NULL, SpvOpVectorTimesMatrix, T_VEC3, R, T_VECTOR, T_MATRIX);
    TRY(NULL, SpvOpMatrixTimesMatrix, T_MAT3, R, T_MATRIX, T_MATRIX);
    TRY(NULL, SpvOpOuterProduct, T_MAT3, R, T_VECTOR, T_VECTOR);
    TRY("not vectors or matrices of one float type", SpvOpMatrixTimesVector, T_VEC3, R, T_VECTOR,
        T_MATRIX);
    TRY("not vectors or matrices of one float type", SpvOpVectorTimesMatrix, T_MAT3, R, T_MATRIX,
        T_MATRIX);
    TRY("3x3 times 2x1 does not make 3x1", SpvOpMatrixTimesVector, T_VEC3, R, T_MATRIX,
        T_COORDINATE);
    TRY(NULL, SpvOpTranspose, T_MAT3, R, T_MATRIX);
    TRY("it needs a matrix here", SpvOpTranspose, T_MAT3, R, T_VECTOR);
    TRY(NULL, SpvOpDot, B_FLOAT, R, T_VECTOR, T_VECTOR);
    TRY("must be of the type of the operand before it", SpvOpDot, B_FLOAT, R, T_VECTOR,
        T_COORDINATE);
    TRY("must be a scalar of the matrix's component type", SpvOpMatrixTimesScalar, T_MAT3, R,
        T_MATRIX, B_ONE);
}

/// Loads image, storage image and sampler (60, 61, 62), combines them (63), and tries one
/// instruction.
static void try_image(uint16_t opcode, const uint32_t *operands, uint32_t count,
                      const char *refusal, int line)
{
    struct builder b;
    start_with_types(&b);
    I(&b, SpvOpLoad, T_IMAGE, 60, T_IMAGE_VARIABLE);
    I(&b, SpvOpLoad, T_STORAGE, 61, T_STORAGE_VARIABLE);
    I(&b, SpvOpLoad, T_SAMPLER, 62, T_SAMPLER_VARIABLE);
    I(&b, SpvOpSampledImage, T_SAMPLED_IMAGE, 63, 60, 62);
    I(&b, SpvOpUndef, B_UVEC2, 64);
    I(&b, SpvOpUndef, B_VEC4, 65);
    emit(&b, opcode, operands, count);
    builder_end(&b);
    if (refusal)
        expect_refused(&b, refusal, __FILE__, line);
    else
        expect_accepted(&b, __FILE__, line);
}

#define TRY_IMAGE(refusal, opcode, ...)                                                            \
    try_image(opcode, (const uint32_t[]){__VA_ARGS__},                                             \
              sizeof((const uint32_t[]){__VA_ARGS__}) / 4, refusal, __LINE__)

TEST(shader_types, images)
{
    const uint32_t lod = SpvImageOperandsLodMask;
    TRY_IMAGE(NULL, SpvOpImageSampleExplicitLod, B_VEC4, R, 63, T_COORDINATE, lod, B_HALF);
    TRY_IMAGE("must be a sampled image", SpvOpImageSampleExplicitLod, B_VEC4, R, 60, T_COORDINATE,
              lod, B_HALF);
    TRY_IMAGE("must be float coordinates", SpvOpImageSampleExplicitLod, B_VEC4, R, 63, 64, lod,
              B_HALF);
    TRY_IMAGE("1 coordinates are too few, it needs 2", SpvOpImageSampleExplicitLod, B_VEC4, R, 63,
              B_HALF, lod, B_HALF);
    TRY_IMAGE("does not fit the image's sampled type", SpvOpImageSampleExplicitLod, T_VEC3, R, 63,
              T_COORDINATE, lod, B_HALF);
    TRY_IMAGE("must be a number of its kind", SpvOpImageSampleExplicitLod, B_VEC4, R, 63,
              T_COORDINATE, lod, B_TRUE);
    TRY_IMAGE(NULL, SpvOpImageFetch, B_VEC4, R, 60, 64);
    TRY_IMAGE("must be an image that is sampled", SpvOpImageFetch, B_VEC4, R, 61, 64);
    TRY_IMAGE(NULL, SpvOpImageWrite, 61, 64, 65);
    TRY_IMAGE("must be a storage image", SpvOpImageWrite, 60, 64, 65);
    TRY_IMAGE("does not fit the image's sampled type", SpvOpImageWrite, 61, 64, 64);
    TRY_IMAGE("must be a sampler", SpvOpSampledImage, T_SAMPLED_IMAGE, R, 60, 60);
    TRY_IMAGE("a sampled image of its image's type", SpvOpSampledImage, T_SAMPLED_IMAGE, R, 61, 62);
    TRY_IMAGE("must be the sampled image's image type", SpvOpImage, T_STORAGE, R, 63);
}

TEST(shader_types, extended_instructions)
{
    TRY(NULL, SpvOpExtInst, B_FLOAT, R, T_GLSL, GLSLstd450Sqrt, B_HALF);
    TRY("must be of the result's type", SpvOpExtInst, B_FLOAT, R, T_GLSL, GLSLstd450Sqrt, B_ONE);
    TRY("Sqrt has 1 operands, not 2", SpvOpExtInst, B_FLOAT, R, T_GLSL, GLSLstd450Sqrt, B_HALF,
        B_HALF);
    TRY("has no operation 999", SpvOpExtInst, B_FLOAT, R, T_GLSL, 999, B_HALF);
    TRY(NULL, SpvOpExtInst, B_FLOAT, R, T_GLSL, GLSLstd450Determinant, T_MATRIX);
    TRY("must be a square matrix", SpvOpExtInst, B_FLOAT, R, T_GLSL, GLSLstd450Determinant,
        T_VECTOR);
    TRY(NULL, SpvOpExtInst, B_FLOAT, R, T_GLSL, GLSLstd450Length, T_VECTOR);
    TRY("must be a float scalar", SpvOpExtInst, T_VEC3, R, T_GLSL, GLSLstd450Length, T_VECTOR);
    TRY("must be what the operation packs from", SpvOpExtInst, B_UINT, R, T_GLSL,
        GLSLstd450PackHalf2x16, T_VECTOR);
    TRY("must be a vector of 3", SpvOpExtInst, T_VEC2, R, T_GLSL, GLSLstd450Cross, T_COORDINATE,
        T_COORDINATE);
    TRY("must be a pointer to the result's type", SpvOpExtInst, B_FLOAT, R, T_GLSL, GLSLstd450Modf,
        B_HALF, T_VARIABLE);
}

TEST(shader_types, announced_pointers_may_be_elements)
{
    struct builder b = {.words = {SpvMagicNumber, 0x10500, 0, 100, 0}, .count = 5};
    I(&b, SpvOpCapability, SpvCapabilityShader);
    I(&b, SpvOpCapability, SpvCapabilityPhysicalStorageBufferAddresses);
    I(&b, SpvOpMemoryModel, SpvAddressingModelPhysicalStorageBuffer64, SpvMemoryModelGLSL450);
    I(&b, SpvOpEntryPoint, SpvExecutionModelGLCompute, B_MAIN, 0x6E69616D, 0);
    builder_types(&b);
    const struct builder start = b;
    I(&b, SpvOpTypeForwardPointer, 20, SpvStorageClassPhysicalStorageBuffer);
    I(&b, SpvOpTypeArray, 21, 20, B_SCOPE);
    I(&b, SpvOpTypeStruct, 22, 21);
    const struct builder open = b;
    I(&b, SpvOpTypePointer, 20, SpvStorageClassPhysicalStorageBuffer, 22);
    I(&b, SpvOpFunction, B_VOID, B_MAIN, 0, B_FUNCTION_TYPE);
    I(&b, SpvOpLabel, B_ENTRY);
    builder_end(&b);
    EXPECT_ACCEPTED(&b);
    b = open;
    I(&b, SpvOpTypeStruct, 20, B_UINT);
    I(&b, SpvOpFunction, B_VOID, B_MAIN, 0, B_FUNCTION_TYPE);
    I(&b, SpvOpLabel, B_ENTRY);
    builder_end(&b);
    EXPECT_REFUSED(&b, "is no pointer to this storage class");
    b = start;
    I(&b, SpvOpTypeArray, 21, 20, B_SCOPE);
    EXPECT_REFUSED(&b, "%20 is no type that is known here");
}
