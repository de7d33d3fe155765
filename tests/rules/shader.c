#include "support/record.h"

#include "far_set.frag.spv.h"
#include "heap_wrong.frag.spv.h"
#include "interlock.frag.spv.h"
#include "large_memory.comp.spv.h"
#include "large_root.vert.spv.h"
#include "not_uniform.frag.spv.h"
#include "open_array.frag.spv.h"
#include "stage.geom.spv.h"

/// Creates a shader that breaks exactly one rule.
static void refused(struct fixture *f, const void *code, size_t size, weft_rule rule,
                    weft_result wanted)
{
    weft_shader shader = {.index = 1};
    const weft_shader_desc desc = {.code = code, .size = size};
    EXPECT_EQ(weft_shader_create(f->dev, &desc, &shader), wanted);
    EXPECT(fixture_took(f, rule));
    EXPECT(weft_shader_is_none(shader));
}

#define REFUSED(f, name, rule) refused(f, name, sizeof(name), rule, WEFT_ERROR_SHADER)

TEST(shader_rules, what_is_no_module_is_refused)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    refused(&f, NULL, 0, WEFT_RULE_SHADER_SOURCE, WEFT_ERROR_USAGE);
    refused(&f, plain_vert, 6, WEFT_RULE_SHADER_SIZE, WEFT_ERROR_USAGE);
    refused(&f, plain_vert, 0, WEFT_RULE_SHADER_SIZE, WEFT_ERROR_USAGE);
    refused(&f, plain_vert, sizeof plain_vert - 8, WEFT_RULE_SHADER_MALFORMED, WEFT_ERROR_SHADER);
    fixture_close(&f);
}

TEST(shader_rules, glsl_needs_its_feature)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_shader shader;
    const weft_shader_desc desc = {.glsl = "void main() {}", .stage = WEFT_SHADER_STAGE_VERTEX};
    EXPECT_EQ(weft_shader_create(f.dev, &desc, &shader), WEFT_ERROR_UNSUPPORTED);
    EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    fixture_close(&f);
}

TEST(shader_rules, what_the_device_or_the_interface_lacks_is_refused)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    REFUSED(&f, far_set_frag, WEFT_RULE_SHADER_SET);
    REFUSED(&f, heap_wrong_frag, WEFT_RULE_SHADER_HEAP);
    REFUSED(&f, open_array_frag, WEFT_RULE_SHADER_RUNTIME_ARRAY);
    REFUSED(&f, large_root_vert, WEFT_RULE_SHADER_ROOT_SIZE);
    REFUSED(&f, stage_geom, WEFT_RULE_SHADER_STAGE);
    REFUSED(&f, large_memory_comp, WEFT_RULE_SHADER_WORKGROUP);
    fixture_close(&f);
}

TEST(shader_rules, a_non_uniform_index_without_its_decoration_is_a_warning)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_shader shader = RECORD_SHADER(&f, not_uniform_frag);
    EXPECT_EQ(f.log->severity, WEFT_SEVERITY_WARNING);
    EXPECT(fixture_took(&f, WEFT_RULE_SHADER_NON_UNIFORM));
    weft_shader_destroy(f.dev, shader);
    fixture_close(&f);
}

TEST(shader_rules, what_a_backend_cannot_run_is_refused)
{
    if (!weft_backend_is_built(WEFT_BACKEND_SOFTWARE))
        test_skip("the software backend is not built");
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    REFUSED(&f, interlock_frag, WEFT_RULE_SHADER_REFUSED);
    fixture_close(&f);
}
