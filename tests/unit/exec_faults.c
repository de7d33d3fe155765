#include <string.h>

#include "base/alloc.h"
#include "exec_support.h"
#include "shader_builder.h"

#include "exec_flow.comp.spv.h"
#include "exec_group.comp.spv.h"
#include "exec_stage.vert.spv.h"

static struct wf_shader_module *read(const uint32_t *words, size_t bytes)
{
    struct wf_shader_module *module;
    struct wf_shader_error error;
    EXPECT(wf_shader_read(wf_base_allocator_default(), words, bytes, &module, &error));
    return module;
}

TEST(exec_faults, a_program_without_memory_is_refused_and_leaks_nothing)
{
    struct wf_shader_module *module = read(exec_flow_comp, sizeof exec_flow_comp);
    const struct wf_sw_program_desc desc = {.module = module, .entry = &module->entries[0]};
    struct wf_base_counting_allocator c;
    bool made = false;
    for (uint64_t n = 1; !made; n++) {
        struct wf_sw_program *program;
        struct wf_shader_error error;
        EXPECT(n < 1000);
        wf_base_counting_init(&c, wf_base_allocator_default());
        wf_base_counting_fail(&c, n, false);
        made = wf_sw_program_create(&c.allocator, &desc, &program, &error);
        EXPECT_EQ(program != NULL, made);
        EXPECT(made || strstr(error.message, "out of memory"));
        wf_sw_program_destroy(program);
        EXPECT_EQ(atomic_load(&c.live_blocks), 0);
    }
    wf_shader_free(module);
}

static struct exec group_of(uint32_t invocations, uint32_t *out, size_t bytes, uint32_t *counters)
{
    const struct wf_shader_specialization constants[] = {{0, invocations}};
    struct exec e = exec_open(exec_group_comp, sizeof exec_group_comp,
                              &(struct exec_options){.constants = constants, .constant_count = 1});
    exec_buffer(&e, 0, out, bytes);
    exec_buffer(&e, 1, counters, 8 * sizeof *counters);
    return e;
}

TEST(exec_faults, a_program_that_does_not_fit_leaves_the_last_one_whole)
{
    static uint32_t out[3 + 1024];
    uint32_t counters[8] = {0};
    struct exec small = group_of(100, out, sizeof out, counters);
    struct exec large = group_of(1024, out, sizeof out, counters);
    struct wf_base_counting_allocator c;
    wf_base_counting_init(&c, wf_base_allocator_default());
    wf_sw_context_destroy(small.context);
    wf_sw_context_destroy(large.context);
    large.context = NULL;
    small.context = wf_sw_context_create(&c.allocator);
    EXPECT_EQ(exec_group(&small), WF_SW_OK);
    EXPECT_EQ(out[2], 100);
    large.context = small.context;
    wf_base_counting_fail(&c, 1, true);
    EXPECT_EQ(exec_group(&large), WF_SW_MEMORY);
    memset(out, 0, sizeof out);
    EXPECT_EQ(exec_group(&small), WF_SW_OK); // in the memory that it had
    EXPECT_EQ(out[2], 100);
    EXPECT_EQ(out[3 + 99], 99);
    large.context = NULL;
    exec_close(&large);
    exec_close(&small);
}

/// A vertex shader that stores to an output array of 2 arrays at an index that is known only when
/// it runs, at a constant and at a specialization constant far beyond.
static void build_far_stores(struct builder *b)
{
    enum {
        TWO = B_FREE,
        MANY,
        FAR,
        SPEC,
        ROW,
        ARRAY,
        TO_ARRAY,
        TO_FLOAT,
        OUT,
        VARIABLE,
        INDEX,
        AT
    };
    *b = (struct builder){.words = {SpvMagicNumber, 0x10500, 0, 100, 0}, .count = 5};
    I(b, SpvOpCapability, SpvCapabilityShader);
    I(b, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
    I(b, SpvOpEntryPoint, SpvExecutionModelVertex, B_MAIN, 0x6E69616D, 0, OUT);
    I(b, SpvOpDecorate, OUT, SpvDecorationLocation, 0);
    I(b, SpvOpDecorate, SPEC, SpvDecorationSpecId, 0);
    builder_types(b);
    I(b, SpvOpConstant, B_UINT, TWO, 2);
    I(b, SpvOpConstant, B_UINT, MANY, 4000);
    I(b, SpvOpConstant, B_UINT, FAR, 8000);
    I(b, SpvOpSpecConstant, B_UINT, SPEC, 0);
    I(b, SpvOpTypeArray, ROW, B_FLOAT, MANY);
    I(b, SpvOpTypeArray, ARRAY, ROW, TWO);
    I(b, SpvOpTypePointer, TO_ARRAY, SpvStorageClassOutput, ARRAY);
    I(b, SpvOpTypePointer, TO_FLOAT, SpvStorageClassOutput, B_FLOAT);
    I(b, SpvOpVariable, TO_ARRAY, OUT, SpvStorageClassOutput);
    I(b, SpvOpFunction, B_VOID, B_MAIN, 0, B_FUNCTION_TYPE);
    I(b, SpvOpLabel, B_ENTRY);
    I(b, SpvOpVariable, B_LOCAL, VARIABLE, SpvStorageClassFunction);
    I(b, SpvOpLoad, B_UINT, INDEX, VARIABLE);
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t index = k == 0 ? INDEX : k == 1 ? FAR : SPEC;
        I(b, SpvOpAccessChain, TO_FLOAT, AT + k, OUT, index, B_ZERO);
        I(b, SpvOpStore, AT + k, B_HALF);
    }
    builder_end(b);
}

TEST(exec_faults, constant_indices_beyond_an_array_store_nowhere)
{
    static struct builder b;
    const struct wf_shader_specialization far = {0, UINT32_MAX};
    const struct exec_options options = {.constants = &far, .constant_count = 1};
    build_far_stores(&b);
    struct exec e = exec_open(b.words, b.count * sizeof b.words[0], &options);
    struct wf_sw_batch batch;
    EXPECT(wf_sw_prepare(e.context, e.program, &batch));
    batch.active = 1;
    EXPECT_EQ(wf_sw_run(e.context, e.program, &e.resources, &batch), WF_SW_OK);
    EXPECT(exec_float(batch.outputs[exec_output(&e, WF_SHADER_NONE, 0, 0)][0]) == 0.5f);
    exec_close(&e);
}

/// A compute shader with one atomic on a word of a uniform block or of the root block.
static void build_atomic(struct builder *b, uint32_t storage, uint16_t opcode)
{
    enum { BLOCK = B_FREE, TO_BLOCK, TO_WORD, VARIABLE, AT, RESULT };
    builder_head(b);
    I(b, SpvOpDecorate, BLOCK, SpvDecorationBlock);
    I(b, SpvOpMemberDecorate, BLOCK, 0, SpvDecorationOffset, 0);
    if (storage == SpvStorageClassUniform) {
        I(b, SpvOpDecorate, VARIABLE, SpvDecorationDescriptorSet, 0);
        I(b, SpvOpDecorate, VARIABLE, SpvDecorationBinding, 0);
    }
    builder_types(b);
    I(b, SpvOpTypeStruct, BLOCK, B_UINT);
    I(b, SpvOpTypePointer, TO_BLOCK, storage, BLOCK);
    I(b, SpvOpTypePointer, TO_WORD, storage, B_UINT);
    I(b, SpvOpVariable, TO_BLOCK, VARIABLE, storage);
    I(b, SpvOpFunction, B_VOID, B_MAIN, 0, B_FUNCTION_TYPE);
    I(b, SpvOpLabel, B_ENTRY);
    I(b, SpvOpAccessChain, TO_WORD, AT, VARIABLE, B_ZERO);
    if (opcode == SpvOpAtomicLoad)
        I(b, opcode, B_UINT, RESULT, AT, B_ONE, B_ZERO);
    else if (opcode == SpvOpAtomicStore)
        I(b, opcode, AT, B_ONE, B_ZERO, B_ONE);
    else
        I(b, opcode, B_UINT, RESULT, AT, B_ONE, B_ZERO, B_ONE);
    builder_end(b);
}

TEST(exec_faults, atomics_write_to_no_read_only_memory)
{
    static const uint32_t storages[] = {SpvStorageClassUniform, SpvStorageClassPushConstant};
    static const uint16_t opcodes[] = {SpvOpAtomicLoad, SpvOpAtomicStore, SpvOpAtomicIAdd,
                                       SpvOpAtomicExchange};
    static struct builder b;
    for (size_t k = 0; k < 8; k++) {
        build_atomic(&b, storages[k / 4], opcodes[k % 4]);
        struct exec e = exec_try(b.words, b.count * sizeof b.words[0], NULL);
        EXPECT_EQ(e.program != NULL, k % 4 == 0);
        EXPECT(e.program || strstr(e.error.message, "read-only memory"));
        exec_close(&e);
    }
}

TEST(exec_faults, layers_can_be_chosen)
{
    static const uint32_t capabilities[] = {SpvCapabilityShaderLayer,
                                            SpvCapabilityShaderViewportIndexLayerEXT};
    static struct builder b;
    for (size_t k = 0; k < 2; k++) {
        builder_start(&b);
        builder_end(&b);
        memmove(&b.words[7], &b.words[5], (b.count - 5) * sizeof b.words[0]);
        b.words[6] = capabilities[k];
        b.count += 2;
        struct exec e = exec_try(b.words, b.count * sizeof b.words[0], NULL);
        EXPECT(e.program != NULL);
        exec_close(&e);
    }
}

// The capability Geometry, which PrimitiveId takes, allows these outputs as well.
TEST(exec_faults, viewports_are_refused_as_outputs_too)
{
    enum { POINTER = B_FREE, OUTPUT };
    static const uint32_t builtins[] = {SpvBuiltInLayer, SpvBuiltInViewportIndex};
    static struct builder b;
    for (size_t k = 0; k < 2; k++) {
        b = (struct builder){.words = {SpvMagicNumber, 0x10500, 0, 100, 0}, .count = 5};
        I(&b, SpvOpCapability, SpvCapabilityShader);
        I(&b, SpvOpCapability, SpvCapabilityGeometry);
        if (k == 1)
            I(&b, SpvOpCapability, SpvCapabilityMultiViewport);
        I(&b, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
        I(&b, SpvOpEntryPoint, SpvExecutionModelVertex, B_MAIN, 0x6E69616D, 0, OUTPUT);
        I(&b, SpvOpDecorate, OUTPUT, SpvDecorationBuiltIn, builtins[k]);
        builder_types(&b);
        I(&b, SpvOpTypePointer, POINTER, SpvStorageClassOutput, B_UINT);
        I(&b, SpvOpVariable, POINTER, OUTPUT, SpvStorageClassOutput);
        I(&b, SpvOpFunction, B_VOID, B_MAIN, 0, B_FUNCTION_TYPE);
        I(&b, SpvOpLabel, B_ENTRY);
        I(&b, SpvOpStore, OUTPUT, B_ONE);
        builder_end(&b);
        struct exec e = exec_try(b.words, b.count * sizeof b.words[0], NULL);
        EXPECT_EQ(e.program != NULL, k == 0);
        EXPECT(e.program || strstr(e.error.message, "Viewport"));
        exec_close(&e);
    }
}

TEST(exec_faults, a_context_grows_once_for_each_program)
{
    struct wf_shader_module *module = read(exec_stage_vert, sizeof exec_stage_vert);
    const struct wf_sw_program_desc desc = {.module = module, .entry = &module->entries[0]};
    struct wf_sw_program *program;
    struct wf_shader_error error;
    EXPECT(wf_sw_program_create(wf_base_allocator_default(), &desc, &program, &error));
    struct wf_base_counting_allocator c;
    wf_base_counting_init(&c, wf_base_allocator_default());
    struct wf_sw_context *context = wf_sw_context_create(&c.allocator);
    struct wf_sw_batch batch;
    wf_base_counting_fail(&c, 1, true);
    EXPECT(!wf_sw_prepare(context, program, &batch));
    wf_base_counting_fail(&c, 0, false);
    EXPECT(wf_sw_prepare(context, program, &batch));
    const uint64_t blocks = atomic_load(&c.live_blocks);
    wf_base_counting_fail(&c, 1, true); // nothing more is asked for
    EXPECT(wf_sw_prepare(context, program, &batch));
    const struct wf_sw_resources none = {0};
    batch.active = UINT64_MAX;
    EXPECT_EQ(wf_sw_run(context, program, &none, &batch), WF_SW_OK);
    EXPECT_EQ(atomic_load(&c.live_blocks), blocks);
    wf_sw_context_destroy(context);
    EXPECT_EQ(atomic_load(&c.live_blocks), 0);
    wf_sw_program_destroy(program);
    wf_shader_free(module);
}
