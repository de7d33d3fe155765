// Every capability of the grammar, alone in a module.
#include <stdio.h>
#include <string.h>

#include "backends/software/exec/exec.h"
#include "base/alloc.h"
#include "shader/tables.h"
#include "support/test.h"

static bool runs(uint32_t capability, struct wf_shader_error *error)
{
    const uint32_t words[] = {
        0x07230203,
        0x10600,
        0,
        8,
        0, // a header
        SpvOpCapability | 2u << 16,
        SpvCapabilityShader, //
        SpvOpCapability | 2u << 16,
        capability, //
        SpvOpMemoryModel | 3u << 16,
        0,
        1, // Logical GLSL450
        SpvOpEntryPoint | 4u << 16,
        5,
        3,
        0, // GLCompute %3 ""
        SpvOpExecutionMode | 6u << 16,
        3,
        17,
        1,
        1,
        1, // LocalSize
        SpvOpTypeVoid | 2u << 16,
        1, //
        SpvOpTypeFunction | 3u << 16,
        2,
        1, //
        SpvOpFunction | 5u << 16,
        1,
        3,
        0,
        2, //
        SpvOpLabel | 2u << 16,
        4, //
        SpvOpReturn | 1u << 16,
        SpvOpFunctionEnd | 1u << 16, //
    };
    struct wf_shader_module *module = NULL;
    struct wf_sw_program *program = NULL;
    if (wf_shader_read(wf_base_allocator_default(), words, sizeof words, &module, error)) {
        const struct wf_sw_program_desc desc = {.module = module, .entry = &module->entries[0]};
        wf_sw_program_create(wf_base_allocator_default(), &desc, &program, error);
    }
    const bool ok = program != NULL;
    wf_sw_program_destroy(program);
    wf_shader_free(module);
    return ok;
}

TEST(spirv_capabilities, each_is_known_or_refused_by_name)
{
    uint32_t known = 0, refused = 0;
    for (uint32_t k = 0; k < UINT16_MAX; k++) {
        const struct wf_shader_enumerant *found = wf_shader_enumerant(WF_SHADER_KIND_CAPABILITY, k);
        struct wf_shader_error error = {0};
        if (!found)
            continue;
        if (runs(k, &error)) {
            known++;
            continue;
        }
        char message[128];
        (void)snprintf(message, sizeof message, "capability %s is not supported",
                       wf_shader_enumerant_name(found));
        if (!strstr(error.message, message))
            test_fail(__FILE__, __LINE__, "%s: \"%s\"", message, error.message);
        EXPECT_EQ(error.word, 7);
        refused++;
    }
    EXPECT(known > 60 && refused > 60);
}
