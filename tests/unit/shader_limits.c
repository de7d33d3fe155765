// Modules that are too large in one way, and stages that do not fit each other.
#include <stdlib.h>

#include "shader/check.h"
#include "shader/reflect.h"
#include "shader_builder.h"
#include "shader_support.h"

/// A module of any size.
struct words {
    uint32_t *at;
    size_t count;
};

static void add(struct words *w, uint16_t opcode, const uint32_t *operands, uint32_t count)
{
    w->at[w->count++] = opcode | (count + 1) << 16;
    for (uint32_t i = 0; i < count; i++)
        w->at[w->count++] = operands[i];
}

#define ADD(w, opcode, ...)                                                                        \
    add(w, opcode, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

static void start(struct words *w, size_t room, uint32_t bound)
{
    const uint32_t header[5] = {SpvMagicNumber, 0x10500, 0, bound, 0};
    w->at = calloc(room, sizeof *w->at);
    EXPECT(w->at != NULL);
    memcpy(w->at, header, sizeof header);
    w->count = 5;
    ADD(w, SpvOpCapability, SpvCapabilityShader);
    ADD(w, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
}

static void expect_words_refused(struct words *w, const char *text)
{
    struct wf_shader_module *module = NULL;
    struct wf_shader_error error = {0};
    const bool ok =
        wf_shader_read(wf_base_allocator_default(), w->at, w->count * 4, &module, &error);
    wf_shader_free(module);
    free(w->at);
    if (ok || !strstr(error.message, text))
        test_fail(__FILE__, __LINE__, "\"%s\", without \"%s\"", error.message, text);
    test_note_refusal(error.message);
}

TEST(shader_limits, bytes_of_a_module)
{
    struct words w;
    start(&w, (WF_SHADER_MAX_BYTES + 4) / 4, 10);
    w.count = (WF_SHADER_MAX_BYTES + 4) / 4;
    expect_words_refused(&w, "bytes, more than");
    start(&w, 100, 10);
    w.count = 4;
    expect_words_refused(&w, "16 bytes are no SPIR-V module");
}

TEST(shader_limits, entry_points_of_a_module)
{
    struct words w;
    start(&w, 4000, 10);
    for (uint32_t k = 0; k <= WF_SHADER_MAX_ENTRIES; k++)
        ADD(&w, SpvOpEntryPoint, SpvExecutionModelGLCompute, 1, 0x30303030 + k, 0);
    expect_words_refused(&w, "the module has 257 entry points, more than 256");
}

TEST(shader_limits, parameters_and_members)
{
    struct words w;
    start(&w, 1000, 10);
    ADD(&w, SpvOpTypeVoid, 2);
    ADD(&w, SpvOpTypeInt, 3, 32, 0);
    uint32_t many[WF_SHADER_MAX_MEMBERS + 2] = {4, 2};
    for (size_t k = 2; k < sizeof many / sizeof *many; k++)
        many[k] = 3;
    add(&w, SpvOpTypeFunction, many, 2 + WF_SHADER_MAX_PARAMETERS + 1);
    expect_words_refused(&w, "256 parameters are more than 255");
    start(&w, 20000, 10);
    ADD(&w, SpvOpTypeInt, 3, 32, 0);
    many[1] = 3;
    add(&w, SpvOpTypeStruct, many, WF_SHADER_MAX_MEMBERS + 2);
    expect_words_refused(&w, "16384 members are more than 16383");
}

TEST(shader_limits, decorations_by_groups)
{
    enum { EACH = 4000, TARGETS = 10000 };
    struct words w;
    uint32_t *targets = calloc(TARGETS + 1, sizeof *targets);
    EXPECT(targets != NULL);
    targets[0] = 1;
    for (uint32_t k = 1; k <= TARGETS; k++)
        targets[k] = 2;
    start(&w, EACH * 3 + TARGETS + 100, 10);
    for (uint32_t k = 0; k < EACH; k++)
        ADD(&w, SpvOpDecorate, 1, SpvDecorationRelaxedPrecision);
    ADD(&w, SpvOpDecorationGroup, 1);
    add(&w, SpvOpGroupDecorate, targets, TARGETS + 1);
    ADD(&w, SpvOpTypeVoid, 2);
    free(targets);
    expect_words_refused(&w, "decoration groups make more than");
}

TEST(shader_limits, calls_in_calls)
{
    enum { DEPTH = WF_SHADER_MAX_CALL_DEPTH + 8 };
    struct words w;
    start(&w, DEPTH * 20 + 100, DEPTH * 3 + 100);
    ADD(&w, SpvOpEntryPoint, SpvExecutionModelGLCompute, 10, 0x6E69616D, 0);
    ADD(&w, SpvOpExecutionMode, 10, SpvExecutionModeLocalSize, 1, 1, 1);
    ADD(&w, SpvOpTypeVoid, 1);
    ADD(&w, SpvOpTypeFunction, 2, 1);
    for (uint32_t k = 0; k < DEPTH; k++) {
        ADD(&w, SpvOpFunction, 1, 10 + k * 3, 0, 2);
        ADD(&w, SpvOpLabel, 11 + k * 3);
        if (k + 1 < DEPTH)
            ADD(&w, SpvOpFunctionCall, 1, 12 + k * 3, 10 + (k + 1) * 3);
        add(&w, SpvOpReturn, NULL, 0);
        add(&w, SpvOpFunctionEnd, NULL, 0);
    }
    expect_words_refused(&w, "calls nest more than 256 deep");
}

TEST(shader_limits, an_operation_that_lacks_an_operand)
{
    struct builder b;
    builder_head(&b);
    builder_types(&b);
    I(&b, SpvOpSpecConstantOp, B_UINT, B_FREE, SpvOpIAdd, B_ONE);
    EXPECT_REFUSED(&b, "it lacks an operand (IdRef)");
}

// ---- stages ------------------------------------------------------------------------------------

/// One variable of a stage: what of it differs from one uint at location 0.
struct variable {
    uint32_t array, decoration; ///< Elements, 0: none; a decoration without operands, or 0.
    uint32_t inner;             ///< Elements of an array in a structure in that array; 0: none.
};

/// A vertex shader that writes a variable, or a fragment shader that reads it.
static struct builder stage_of(bool vertex, const struct variable *v)
{
    const uint32_t storage = vertex ? SpvStorageClassOutput : SpvStorageClassInput;
    struct builder b = {.words = {SpvMagicNumber, 0x10500, 0, 100, 0}, .count = 5};
    I(&b, SpvOpCapability, SpvCapabilityShader);
    I(&b, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
    I(&b, SpvOpEntryPoint, vertex ? SpvExecutionModelVertex : SpvExecutionModelFragment, B_MAIN,
      0x6E69616D, 0, 30);
    if (!vertex)
        I(&b, SpvOpExecutionMode, B_MAIN, SpvExecutionModeOriginUpperLeft);
    I(&b, SpvOpDecorate, 30, SpvDecorationLocation, 0);
    if (v->decoration)
        I(&b, SpvOpDecorate, 30, v->decoration);
    builder_types(&b);
    uint32_t type = B_UINT;
    if (v->inner) {
        I(&b, SpvOpConstant, B_UINT, 20, v->inner);
        I(&b, SpvOpTypeArray, 21, type, 20);
        I(&b, SpvOpTypeStruct, 22, 21);
        type = 22;
    }
    if (v->array) {
        I(&b, SpvOpConstant, B_UINT, 23, v->array);
        I(&b, SpvOpTypeArray, 24, type, 23);
        type = 24;
    }
    I(&b, SpvOpTypePointer, 25, storage, type);
    I(&b, SpvOpVariable, 25, 30, storage);
    I(&b, SpvOpFunction, B_VOID, B_MAIN, 0, B_FUNCTION_TYPE);
    I(&b, SpvOpLabel, B_ENTRY);
    if (vertex) {
        I(&b, SpvOpUndef, type, 31);
        I(&b, SpvOpStore, 30, 31);
    } else {
        I(&b, SpvOpLoad, type, 31, 30);
    }
    builder_end(&b);
    return b;
}

static void expect_finding(const struct variable *out, const struct variable *in, const char *text)
{
    const struct builder first = stage_of(true, out), second = stage_of(false, in);
    struct wf_shader_module *a = read_good(first.words, first.count * sizeof *first.words);
    struct wf_shader_module *b = read_good(second.words, second.count * sizeof *second.words);
    struct wf_shader_reflection *v = reflect_good(a), *f = reflect_good(b);
    struct wf_shader_finding items[4];
    struct wf_shader_findings findings = {.items = items, .capacity = 4};
    wf_shader_check_interface(v, f, &findings);
    EXPECT_EQ(findings.count, 1);
    EXPECT(strstr(items[0].message, text));
    EXPECT_EQ(items[0].word, b->ids[30].word);
    test_note_refusal(items[0].message);
    wf_shader_reflection_free(v);
    wf_shader_reflection_free(f);
    wf_shader_free(a);
    wf_shader_free(b);
}

TEST(shader_limits, stages_that_do_not_fit)
{
    const struct variable plain = {0}, flat = {.decoration = SpvDecorationFlat};
    const struct variable two = {.array = 2, .decoration = SpvDecorationFlat};
    const struct variable patch = {.decoration = SpvDecorationPatch};
    expect_finding(&plain, &plain, "it is uint of 32 bits, and must be Flat");
    expect_finding(&plain, &two, "writes location 1, which is part of it");
    expect_finding(&patch, &flat, "only one of it and the output");
    const struct variable primitive = {.decoration = SpvDecorationPerPrimitiveEXT};
    expect_finding(&flat, &primitive, "is PerPrimitiveEXT");
}

TEST(shader_limits, inputs_and_outputs_of_a_stage)
{
    const struct variable many[2] = {{.array = 600, .inner = 1}, {.array = 100, .inner = 1}};
    for (size_t k = 0; k < 2; k++) {
        const struct builder b = stage_of(true, &many[k]);
        struct wf_shader_module *module = read_good(b.words, b.count * sizeof *b.words);
        struct wf_shader_reflection *r = NULL;
        struct wf_shader_error error = {0};
        const bool ok =
            wf_shader_reflect(wf_base_allocator_default(), module, module->entries, &r, &error);
        EXPECT_EQ(ok, k == 1);
        if (!ok) {
            EXPECT(strstr(error.message, "more than 512 inputs or outputs"));
            EXPECT_EQ(error.word, module->ids[30].word);
            test_note_refusal(error.message);
        }
        wf_shader_reflection_free(r);
        wf_shader_free(module);
    }
}
