// Features that no device of this library has yet: what needs them is refused and says why. A
// device that reports one fails here until a case in cases.def needs that feature and judges it.
#include "cases.h"

/// Goes on only on a device without it.
static void expect_unreported(struct conform *c, weft_feature_set feature)
{
    if (conform_capabilities(c)->features & feature)
        conform_fail(c, "the device reports a feature (bits %#llx) that no case judges",
                     (unsigned long long)(conform_capabilities(c)->features & feature));
}

void case_unreported_glsl(struct conform *c)
{
    static const char text[] = "#version 460\nvoid main() {}\n";
    expect_unreported(c, WEFT_FEATURE_GLSL);
    weft_shader shader;
    const weft_shader_desc desc = {.glsl = text, .stage = WEFT_SHADER_STAGE_COMPUTE};
    CONFORM_EXPECT(c, weft_shader_create(conform_device(c), &desc, &shader) < 0);
    CONFORM_EXPECT(c, weft_shader_is_none(shader));
    conform_expect_rule(c, WEFT_RULE_FEATURE_MISSING);
}

/// Neither the GPU nor the CPU waits for what nothing will signal.
void case_unreported_any_order(struct conform *c)
{
    weft_device *const device = conform_device(c);
    expect_unreported(c, WEFT_FEATURE_TIMELINE_ANY_ORDER);
    weft_timeline timeline;
    weft_timeline_create(device, NULL, &timeline);
    conform_check(c);
    const weft_timeline_point wait = {.timeline = timeline, .value = 1};
    const weft_submit submit = {.waits = &wait, .wait_count = 1};
    CONFORM_EXPECT(c, weft_queue_submit(device, WEFT_QUEUE_GRAPHICS, &submit, NULL) < 0);
    conform_expect_rule(c, WEFT_RULE_TIMELINE_NOT_SUBMITTED);
    CONFORM_EXPECT(c, weft_timeline_wait(device, timeline, 1, 0) == WEFT_ERROR_USAGE);
    conform_expect_rule(c, WEFT_RULE_TIMELINE_NOT_SUBMITTED);
}

/// The API has no call yet that would use them, so no device can keep what such a bit promises.
void case_unreported_without_a_call(struct conform *c)
{
    expect_unreported(c, WEFT_FEATURE_STENCIL_CLIPS | WEFT_FEATURE_RESIDENCY);
}
