/// Builds small modules word by word, for what no compiler would write.
#pragma once

#include "base/alloc.h"
#include "shader/module.h"
#include "support/refusal.h"
#include "support/test.h"

#include <string.h>

/// A module under construction. Ids 1 to 19 are taken by builder_start().
struct builder {
    uint32_t words[2048];
    uint32_t count;
};

enum {
    B_MAIN = 1,
    B_VOID,
    B_FUNCTION_TYPE, ///< void ()
    B_UINT,
    B_FLOAT,
    B_BOOL,
    B_ZERO,  ///< uint 0
    B_ONE,   ///< uint 1
    B_TRUE,  ///< bool
    B_HALF,  ///< float 0.5
    B_VEC4,  ///< of float
    B_UVEC2, ///< of uint
    B_LOCAL, ///< pointer to uint, Function
    B_SCOPE, ///< uint 2: workgroup
    B_ENTRY, ///< first label of main
    B_FREE = 20
};

static inline void emit(struct builder *b, uint16_t opcode, const uint32_t *operands,
                        uint32_t count)
{
    b->words[b->count++] = opcode | (count + 1) << 16;
    for (uint32_t i = 0; i < count; i++)
        b->words[b->count + i] = operands[i];
    b->count += count;
}

/// One instruction: opcode and operand words.
#define I(b, opcode, ...)                                                                          \
    emit(b, opcode, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
/// One without operands.
#define I0(b, opcode) emit(b, opcode, NULL, 0)

/// The header and what stands before annotations.
static inline void builder_head(struct builder *b)
{
    *b = (struct builder){.words = {SpvMagicNumber, 0x10500, 0, 100, 0}, .count = 5};
    I(b, SpvOpCapability, SpvCapabilityShader);
    I(b, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
    I(b, SpvOpEntryPoint, SpvExecutionModelGLCompute, B_MAIN, 0x6E69616D, 0);
    I(b, SpvOpExecutionMode, B_MAIN, SpvExecutionModeLocalSize, 1, 1, 1);
}

static inline void builder_types(struct builder *b)
{
    I(b, SpvOpTypeVoid, B_VOID);
    I(b, SpvOpTypeFunction, B_FUNCTION_TYPE, B_VOID);
    I(b, SpvOpTypeInt, B_UINT, 32, 0);
    I(b, SpvOpTypeFloat, B_FLOAT, 32);
    I(b, SpvOpTypeBool, B_BOOL);
    I(b, SpvOpConstant, B_UINT, B_ZERO, 0);
    I(b, SpvOpConstant, B_UINT, B_ONE, 1);
    I(b, SpvOpConstantTrue, B_BOOL, B_TRUE);
    I(b, SpvOpConstant, B_FLOAT, B_HALF, 0x3F000000);
    I(b, SpvOpTypeVector, B_VEC4, B_FLOAT, 4);
    I(b, SpvOpTypeVector, B_UVEC2, B_UINT, 2);
    I(b, SpvOpTypePointer, B_LOCAL, SpvStorageClassFunction, B_UINT);
    I(b, SpvOpConstant, B_UINT, B_SCOPE, 2);
}

/// Head, types, and main() up to its first label.
static inline void builder_start(struct builder *b)
{
    builder_head(b);
    builder_types(b);
    I(b, SpvOpFunction, B_VOID, B_MAIN, 0, B_FUNCTION_TYPE);
    I(b, SpvOpLabel, B_ENTRY);
}

/// Returns from main() and ends it.
static inline void builder_end(struct builder *b)
{
    I0(b, SpvOpReturn);
    I0(b, SpvOpFunctionEnd);
}

/// Reads it; the error is kept for the checks below.
static inline struct wf_shader_module *builder_read(const struct builder *b,
                                                    struct wf_shader_error *error)
{
    struct wf_shader_module *module;
    *error = (struct wf_shader_error){0};
    wf_shader_read(wf_base_allocator_default(), b->words, b->count * sizeof b->words[0], &module,
                   error);
    return module;
}

/// The instruction that starts at this word; 0: none does.
static inline uint16_t opcode_at(const struct builder *b, uint32_t word)
{
    uint32_t at = 5;
    while (at < word && b->words[at] >> 16 != 0)
        at += b->words[at] >> 16;
    return at == word && at < b->count ? (uint16_t)b->words[at] : 0;
}

/// Expects a refusal whose message has this text in it, and that it names an instruction, or the
/// module as a whole.
static inline void expect_refused(const struct builder *b, const char *text, const char *file,
                                  int line)
{
    struct wf_shader_error error;
    struct wf_shader_module *module = builder_read(b, &error);
    if (module) {
        wf_shader_free(module);
        test_fail(file, line, "accepted, but should be refused: %s", text);
    }
    if (!strstr(error.message, text))
        test_fail(file, line, "the message is \"%s\", without \"%s\"", error.message, text);
    const uint16_t at = opcode_at(b, error.word); // OpSpecConstantOp is told as its operation
    if (error.word != 0 && at != error.opcode && at != SpvOpSpecConstantOp)
        test_fail(file, line, "no such instruction is at word %u: %s", error.word, error.message);
    test_note_refusal(error.message);
}

static inline void expect_accepted(const struct builder *b, const char *file, int line)
{
    struct wf_shader_error error;
    struct wf_shader_module *module = builder_read(b, &error);
    if (!module)
        test_fail(file, line, "refused: %s", error.message);
    wf_shader_free(module);
}

#define EXPECT_REFUSED(b, text) expect_refused(b, text, __FILE__, __LINE__)
#define EXPECT_ACCEPTED(b)      expect_accepted(b, __FILE__, __LINE__)
