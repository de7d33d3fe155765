#include "base/alloc.h"
#include "shader/module.h"
#include "shader_stage.comp.spv.h"
#include "shader_stage.frag.spv.h"
#include "shader_stage.vert.spv.h"
#include "support/test.h"

static struct wf_shader_module *read_ok(const uint32_t *words, size_t bytes)
{
    struct wf_shader_module *module;
    struct wf_shader_error error = {0};
    if (!wf_shader_read(wf_base_allocator_default(), words, bytes, &module, &error))
        test_fail(__FILE__, __LINE__, "refused: %s", error.message);
    return module;
}

TEST(shader_read, glslang_modules_are_accepted)
{
    wf_shader_free(read_ok(shader_stage_vert, sizeof shader_stage_vert));
    wf_shader_free(read_ok(shader_stage_frag, sizeof shader_stage_frag));
    wf_shader_free(read_ok(shader_stage_comp, sizeof shader_stage_comp));
}
