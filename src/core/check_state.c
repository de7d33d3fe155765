// State blocks: set by command, or listed in a pipeline.
#include "core/record.h"

static bool check_face(const struct wf_core_subject *on, const weft_stencil_face *face)
{
    bool ok = true;
    ok &= wf_core_check_enum(on, (unsigned)face->compare, WEFT_COMPARE_ALWAYS, "comparison");
    ok &= wf_core_check_enum(on, (unsigned)face->fail, WEFT_STENCIL_DECREMENT_WRAP,
                             "stencil operation");
    ok &= wf_core_check_enum(on, (unsigned)face->depth_fail, WEFT_STENCIL_DECREMENT_WRAP,
                             "stencil operation");
    ok &= wf_core_check_enum(on, (unsigned)face->pass, WEFT_STENCIL_DECREMENT_WRAP,
                             "stencil operation");
    return ok;
}

bool wf_core_check_depth_stencil(const struct wf_core_subject *on,
                                 const weft_depth_stencil_state *state)
{
    bool ok = check_face(on, &state->front);
    ok &= check_face(on, &state->back);
    ok &= wf_core_check_enum(on, (unsigned)state->depth, WEFT_COMPARE_ALWAYS, "comparison");
    if (state->depth_write && state->depth == WEFT_COMPARE_DEFAULT)
        ok = wf_core_broken(on, WEFT_RULE_STATE_DEPTH_WRITE,
                            "Depth is written, and the depth test is off.");
    if (state->stencil)
        ok &= wf_core_need(on, WEFT_FEATURE_STENCIL, "The stencil test");
    return ok;
}

static bool is_dual_source(weft_blend_factor factor)
{
    return factor >= WEFT_BLEND_SRC1;
}

static bool check_equation(const struct wf_core_subject *on, const weft_blend_equation *equation)
{
    bool ok = true;
    ok &= wf_core_check_enum(on, (unsigned)equation->src, WEFT_BLEND_ONE_MINUS_SRC1_ALPHA,
                             "blend factor");
    ok &= wf_core_check_enum(on, (unsigned)equation->dst, WEFT_BLEND_ONE_MINUS_SRC1_ALPHA,
                             "blend factor");
    ok &= wf_core_check_enum(on, (unsigned)equation->op, WEFT_BLEND_OP_MAX, "blend operation");
    if (is_dual_source(equation->src) || is_dual_source(equation->dst))
        ok &= wf_core_need(on, WEFT_FEATURE_DUAL_SOURCE, "A blend factor of the second source");
    return ok;
}

bool wf_core_check_blend(const struct wf_core_subject *on, const weft_blend_state *state)
{
    bool ok = true;
    if (state->independent)
        ok = wf_core_need(on, WEFT_FEATURE_INDEPENDENT_BLEND, "Blend state for each color");
    const uint32_t count = state->independent ? WF_HAL_MAX_COLORS : 1;
    for (uint32_t i = 0; i < count; ++i) {
        const weft_blend_target *target = &state->targets[i];
        ok &= check_equation(on, &target->color);
        ok &= check_equation(on, &target->alpha);
        if (target->mask > 0x1f)
            ok = wf_core_broken(on, WEFT_RULE_BITS_UNKNOWN, "The color mask 0x%x has unknown bits.",
                                target->mask);
    }
    return ok;
}

bool wf_core_check_raster(const struct wf_core_subject *on, const weft_raster_state *state)
{
    bool ok = true;
    ok &= wf_core_check_enum(on, (unsigned)state->cull, WEFT_CULL_BACK, "culling");
    ok &= wf_core_check_enum(on, (unsigned)state->front, WEFT_FRONT_CLOCKWISE, "front face");
    ok &= wf_core_check_enum(on, (unsigned)state->fill, WEFT_FILL_LINE, "fill");
    if (state->fill == WEFT_FILL_LINE)
        ok &= wf_core_need(on, WEFT_FEATURE_LINE_FILL, "Filling with lines");
    if (state->depth_bias != 0.0f || state->depth_bias_slope != 0.0f)
        ok &= wf_core_need(on, WEFT_FEATURE_DEPTH_BIAS, "A depth bias");
    return ok;
}

static weft_stencil_face face_resolved(weft_stencil_face face)
{
    if (face.compare == WEFT_COMPARE_DEFAULT)
        face.compare = WEFT_COMPARE_ALWAYS;
    return face;
}

weft_depth_stencil_state wf_core_depth_stencil_resolved(const weft_depth_stencil_state *state)
{
    weft_depth_stencil_state full = *state;
    full.front = face_resolved(full.front);
    full.back = face_resolved(full.back);
    if (full.read_mask == 0)
        full.read_mask = 0xff;
    if (full.no_stencil_write)
        full.write_mask = 0;
    else if (full.write_mask == 0)
        full.write_mask = 0xff;
    return full;
}

static weft_blend_equation equation_resolved(weft_blend_equation equation)
{
    if (equation.src == WEFT_BLEND_DEFAULT)
        equation.src = WEFT_BLEND_ONE;
    if (equation.dst == WEFT_BLEND_DEFAULT)
        equation.dst = WEFT_BLEND_ZERO;
    return equation;
}

weft_blend_state wf_core_blend_resolved(const weft_blend_state *state)
{
    weft_blend_state full = *state;
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i) {
        weft_blend_target *target = &full.targets[i];
        target->color = equation_resolved(target->color);
        target->alpha = equation_resolved(target->alpha);
        if (target->mask == 0)
            target->mask = 0xf;
    }
    return full;
}
