#include <string.h>

#include "base/alloc.h"
#include "exec_support.h"

#include "exec_flow.comp.spv.h"
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
