// Blending against the formula in doubles. 8-bit targets: within one step, as Vulkan asks.
#include "cases.h"
#include "draw.h"

#include "dual.frag.spv.h"
#include "two.frag.spv.h"

#include <math.h>

#define STEP (1.0 / 255)

/// What is drawn, what is there (both exact in 8 bits), and the constant.
static const float source[4] = {0.8F, 0.4F, 0.2F, 0.6F}, stored[4] = {0.2F, 0.6F, 1, 0.4F},
                   second[4] = {0.2F, 0.4F, 0.6F, 0.8F}, constant[4] = {0.5F, 0.25F, 0.75F, 0.1F};

static double factor_of(weft_blend_factor factor, uint32_t i)
{
    const double inverse = 1;
    switch (factor) {
    case WEFT_BLEND_ZERO:
        return 0;
    case WEFT_BLEND_SRC:
        return source[i];
    case WEFT_BLEND_ONE_MINUS_SRC:
        return inverse - source[i];
    case WEFT_BLEND_SRC_ALPHA:
        return source[3];
    case WEFT_BLEND_ONE_MINUS_SRC_ALPHA:
        return inverse - source[3];
    case WEFT_BLEND_DST:
        return stored[i];
    case WEFT_BLEND_ONE_MINUS_DST:
        return inverse - stored[i];
    case WEFT_BLEND_DST_ALPHA:
        return stored[3];
    case WEFT_BLEND_ONE_MINUS_DST_ALPHA:
        return inverse - stored[3];
    case WEFT_BLEND_SRC_ALPHA_SATURATED:
        return i == 3 ? 1 : fmin(source[3], inverse - stored[3]);
    case WEFT_BLEND_CONSTANT:
        return constant[i];
    case WEFT_BLEND_ONE_MINUS_CONSTANT:
        return inverse - constant[i];
    case WEFT_BLEND_SRC1:
        return second[i];
    case WEFT_BLEND_ONE_MINUS_SRC1:
        return inverse - second[i];
    case WEFT_BLEND_SRC1_ALPHA:
        return second[3];
    case WEFT_BLEND_ONE_MINUS_SRC1_ALPHA:
        return inverse - second[3];
    default:
        return 1;
    }
}

static double blend(const weft_blend_equation *e, uint32_t i)
{
    const double s = source[i] * factor_of(e->src, i), d = stored[i] * factor_of(e->dst, i);
    switch (e->op) {
    case WEFT_BLEND_OP_SUBTRACT:
        return s - d;
    case WEFT_BLEND_OP_REVERSE_SUBTRACT:
        return d - s;
    case WEFT_BLEND_OP_MIN:
        return fmin(source[i], stored[i]);
    case WEFT_BLEND_OP_MAX:
        return fmax(source[i], stored[i]);
    default:
        return s + d;
    }
}

/// One texel for each state, in a row.
struct row {
    uint32_t count;
    bool unlisted; ///< The pipeline lists none of the states.
    weft_pipeline_state states[16];
};

static struct conform_texel blended(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct row *row = user;
    const weft_blend_target *target = &row->states[x].blend.targets[0];
    (void)y;
    (void)z;
    struct conform_texel out;
    for (uint32_t i = 0; i < 4; i++)
        out.v[i] = fmin(fmax(blend(i < 3 ? &target->color : &target->alpha, i), 0), 1);
    return out;
}

/// Draws the source over the stored color, texel by texel with the states of the row.
static weft_texture draw_row(struct conform *c, const struct row *row, weft_shader fragment)
{
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, row->count, 1);
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM},
                                        .states = row->states,
                                        .state_count = row->unlisted ? 0 : row->count};
    conform_rect_shaders(c, &desc);
    if (!weft_shader_is_none(fragment)) {
        desc.fragment.shader = fragment;
        desc.flags = WEFT_PIPELINE_DUAL_SOURCE;
    }
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), stored);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_blend_constant(enc, constant);
    for (uint32_t x = 0; x < row->count; x++) {
        weft_render_set_blend(enc, &row->states[x].blend);
        conform_draw_rect(enc, &(weft_rect){(int32_t)x, 0, 1, 1}, row->count, 1, 0, source);
    }
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

static weft_blend_target target_of(weft_blend_factor src, weft_blend_factor dst, weft_blend_op op)
{
    return (weft_blend_target){.enable = true, .color = {src, dst, op}, .alpha = {dst, src, op}};
}

/// Every source factor with every destination factor; alpha has the two the other way round.
void case_blend_factors(struct conform *c)
{
    for (weft_blend_factor src = WEFT_BLEND_ZERO; src <= WEFT_BLEND_ONE_MINUS_CONSTANT; src++) {
        struct row row = {.count = WEFT_BLEND_ONE_MINUS_CONSTANT};
        for (uint32_t x = 0; x < row.count; x++)
            row.states[x].blend.targets[0] =
                target_of(src, (weft_blend_factor)(WEFT_BLEND_ZERO + x), WEFT_BLEND_OP_ADD);
        conform_expect_texels(c, draw_row(c, &row, (weft_shader){0}), NULL, blended, &row, STEP);
    }
}

/// Every operation for color with every one for alpha. MIN and MAX take no factors.
void case_blend_operations(struct conform *c)
{
    for (weft_blend_op alpha = WEFT_BLEND_OP_ADD; alpha <= WEFT_BLEND_OP_MAX; alpha++) {
        struct row row = {.count = WEFT_BLEND_OP_MAX + 1};
        for (uint32_t x = 0; x < row.count; x++)
            row.states[x].blend.targets[0] = (weft_blend_target){
                .enable = true,
                .color = {WEFT_BLEND_SRC_ALPHA, WEFT_BLEND_CONSTANT, (weft_blend_op)x},
                .alpha = {WEFT_BLEND_ONE, WEFT_BLEND_CONSTANT, alpha}};
        conform_expect_texels(c, draw_row(c, &row, (weft_shader){0}), NULL, blended, &row, STEP);
    }
}

/// States that the pipeline does not list cost no variant of it.
void case_blend_dynamic(struct conform *c)
{
    const weft_device_counters before = weft_device_get_counters(conform_device(c));
    if (!(conform_capabilities(c)->features & WEFT_FEATURE_DYNAMIC_BLEND))
        conform_refuse(c, "here each blend state is a variant of the pipeline");
    struct row row = {.count = 12, .unlisted = true};
    for (uint32_t x = 0; x < row.count; x++)
        row.states[x].blend.targets[0] =
            target_of((weft_blend_factor)(WEFT_BLEND_ZERO + x), WEFT_BLEND_ONE_MINUS_SRC_ALPHA,
                      x % 2 ? WEFT_BLEND_OP_ADD : WEFT_BLEND_OP_REVERSE_SUBTRACT);
    conform_expect_texels(c, draw_row(c, &row, (weft_shader){0}), NULL, blended, &row, STEP);
    const weft_device_counters after = weft_device_get_counters(conform_device(c));
    CONFORM_EXPECT(c, after.pipeline_variants == before.pipeline_variants);
}

static void draw_depth(struct conform *c, weft_command_buffer *cmd, weft_texture_view view,
                       const weft_pipeline_state *state)
{
    weft_graphics_pipeline_desc desc = {
        .depth_stencil = WEFT_FORMAT_D16_UNORM, .states = state, .state_count = 1};
    conform_rect_shaders(c, &desc);
    desc.fragment = (weft_shader_use){0};
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.depth_stencil = view, .depth_load = WEFT_LOAD_CLEAR});
    weft_render_set_pipeline(enc, conform_pipeline(c, &desc));
    conform_fill(enc, 0.5F, conform_white);
    weft_render_end(enc);
}

/// A pass without colors between two with the same state takes nothing from the second.
void case_blend_kept(struct conform *c)
{
    struct row row = {.count = 2};
    for (uint32_t x = 0; x < row.count; x++)
        row.states[x].blend.targets[0] =
            target_of(WEFT_BLEND_ONE_MINUS_DST, WEFT_BLEND_SRC_ALPHA, WEFT_BLEND_OP_ADD);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, row.count, 1);
    const weft_texture_view view = conform_view(c, target),
                            depth = conform_view(
                                c, conform_target(c, WEFT_FORMAT_D16_UNORM, row.count, 1));
    const weft_graphics_pipeline pipeline =
        conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, &row.states[0]);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, view, stored);
    for (uint32_t x = 0; x < row.count; x++) {
        if (x > 0) {
            draw_depth(c, cmd, depth, &row.states[0]);
            conform_barrier(cmd);
            enc = weft_command_begin_render(
                cmd, &(weft_render_pass_desc){.colors[0] = {.view = view, .load = WEFT_LOAD_LOAD}});
        }
        weft_render_set_pipeline(enc, pipeline);
        conform_draw_rect(enc, &(weft_rect){(int32_t)x, 0, 1, 1}, row.count, 1, 0, source);
        weft_render_end(enc);
    }
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, blended, &row, STEP);
}

void case_blend_dual_source(struct conform *c)
{
    const weft_shader fragment = CONFORM_SHADER(c, dual_frag);
    for (weft_blend_factor src = WEFT_BLEND_SRC1; src <= WEFT_BLEND_ONE_MINUS_SRC1_ALPHA; src++) {
        struct row row = {.count = 4};
        for (uint32_t x = 0; x < row.count; x++)
            row.states[x].blend.targets[0] =
                target_of(src, (weft_blend_factor)(WEFT_BLEND_SRC1 + x), WEFT_BLEND_OP_ADD);
        conform_expect_texels(c, draw_row(c, &row, fragment), NULL, blended, &row, STEP);
    }
}

static struct conform_texel masked(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)y;
    (void)z;
    struct conform_texel out;
    for (uint32_t i = 0; i < 4; i++)
        out.v[i] = x >> i & 1 ? source[i] : stored[i];
    return out;
}

/// Texel x has write mask x; what is masked keeps its bits.
void case_blend_write_masks(struct conform *c)
{
    struct row row = {.count = 16};
    for (uint32_t x = 0; x < row.count; x++)
        row.states[x].blend.targets[0].mask = x ? x : WEFT_COLOR_MASK_NO_COLOR;
    conform_expect_texels(c, draw_row(c, &row, (weft_shader){0}), NULL, masked, NULL, 1e-6);
}

/// Color 0 is added, color 1 keeps blue and alpha and multiplies the rest.
void case_blend_independent(struct conform *c)
{
    const weft_pipeline_state state = {
        .blend = {.independent = true,
                  .targets = {{.enable = true,
                               .color = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD},
                               .alpha = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD}},
                              {.enable = true,
                               .color = {WEFT_BLEND_DST, WEFT_BLEND_ZERO, WEFT_BLEND_OP_ADD},
                               .mask = WEFT_COLOR_MASK_R | WEFT_COLOR_MASK_G}}}};
    weft_graphics_pipeline_desc desc = {
        .colors = {WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_RGBA8_UNORM},
        .states = &state,
        .state_count = 1};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, two_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    weft_texture targets[2];
    weft_render_pass_desc pass = {0};
    for (uint32_t i = 0; i < 2; i++) {
        targets[i] = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 4, 4);
        pass.colors[i] =
            (weft_color_attachment){.view = conform_view(c, targets[i]),
                                    .load = WEFT_LOAD_CLEAR,
                                    .clear = {.f = {stored[0], stored[1], stored[2], stored[3]}}};
    }
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(cmd, &pass);
    weft_render_set_pipeline(enc, pipeline);
    conform_fill(enc, 0, source);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_color(c, targets[0], (const double[4]){1, 1, 1, 1}, STEP);
    conform_expect_color(c, targets[1],
                         (const double[4]){(double)source[0] * stored[0],
                                           (double)source[1] * stored[1], stored[2], stored[3]},
                         STEP);
}

static weft_texture blend_once(struct conform *c, weft_format format, const float under[4],
                               const float over[4], const weft_blend_target *target)
{
    const weft_pipeline_state state = {.blend.targets[0] = *target};
    const weft_texture texture = conform_target(c, format, 4, 4);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, texture), under);
    weft_render_set_pipeline(enc, conform_rect_pipeline(c, format, WEFT_FORMAT_NONE, &state));
    conform_fill(enc, 0, over);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return texture;
}

/// sRGB targets blend linear light, and alpha is linear as it is. One step of the code is up to
/// 2.4 / 1.055 steps of light.
void case_blend_srgb(struct conform *c)
{
    static const weft_format formats[] = {WEFT_FORMAT_RGBA8_UNORM_SRGB,
                                          WEFT_FORMAT_BGRA8_UNORM_SRGB};
    static const float over[4] = {1, 0.25F, 0, 0.4F};
    const weft_blend_target target = {
        .enable = true,
        .color = {WEFT_BLEND_SRC_ALPHA, WEFT_BLEND_ONE_MINUS_SRC_ALPHA, WEFT_BLEND_OP_ADD},
        .alpha = {WEFT_BLEND_ONE, WEFT_BLEND_ZERO, WEFT_BLEND_OP_ADD}};
    for (uint32_t i = 0; i < 2; i++) {
        conform_need_format(c, formats[i], WEFT_FORMAT_CAN_BLEND);
        conform_expect_color(
            c, blend_once(c, formats[i], (const float[4]){0, 1, 1, 1}, over, &target),
            (const double[4]){0.4, 0.25 * 0.4 + 0.6, 0.6, 0.4}, STEP * 2.4 / 1.055);
    }
}

/// Floats are not clamped: not the source, not the factors, not what comes out. All exact.
void case_blend_floats(struct conform *c)
{
    static const weft_format formats[] = {WEFT_FORMAT_RGBA16_FLOAT, WEFT_FORMAT_RGBA32_FLOAT};
    const weft_blend_target target = {
        .enable = true,
        .color = {WEFT_BLEND_SRC_ALPHA, WEFT_BLEND_DST, WEFT_BLEND_OP_SUBTRACT},
        .alpha = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD}};
    for (uint32_t i = 0; i < 2; i++) {
        if (!(conform_capabilities(c)->formats[formats[i]] & WEFT_FORMAT_CAN_BLEND))
            continue;
        conform_expect_color(c,
                             blend_once(c, formats[i], (const float[4]){2, 8, -4, 100},
                                        (const float[4]){16, -3, 0.5F, 4}, &target),
                             (const double[4]){60, -76, -14, 104}, 0);
    }
}
