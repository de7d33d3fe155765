// Stencil: operations, comparisons, masks, faces and the reference.
#include "cases.h"
#include "draw.h"

enum { OPS = 8, OUTCOMES = 3, VALUES = 6, WIDTH = OPS * OUTCOMES, REFERENCE = 0x5a };
static const uint8_t values[VALUES] = {0, 1, 2, 0x7f, 0xfe, 0xff};

struct scene {
    weft_texture color, stencil;
    uint32_t width, height;
    weft_command_buffer *cmd;
    weft_render_encoder *enc;
};

static const weft_depth_stencil_state replacing = {.depth = WEFT_COMPARE_DEFAULT,
                                                   .stencil = true,
                                                   .front = {.pass = WEFT_STENCIL_REPLACE},
                                                   .back = {.pass = WEFT_STENCIL_REPLACE}};

static struct scene begin(struct conform *c, uint32_t width, uint32_t height, uint32_t clear)
{
    const weft_format format = conform_depth_stencil_format(c);
    struct scene s = {.color = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, width, height),
                      .stencil = conform_target(c, format, width, height),
                      .width = width,
                      .height = height,
                      .cmd = conform_begin(c)};
    s.enc = weft_command_begin_render(
        s.cmd, &(weft_render_pass_desc){.colors[0] = {.view = conform_view(c, s.color),
                                                      .load = WEFT_LOAD_CLEAR,
                                                      .clear = {.f = {0, 0, 0, 1}}},
                                        .depth_stencil = conform_view(c, s.stencil),
                                        .depth_load = WEFT_LOAD_CLEAR,
                                        .stencil_load = WEFT_LOAD_CLEAR,
                                        .clear_depth = 0.5F,
                                        .clear_stencil = clear});
    weft_render_set_pipeline(s.enc,
                             conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, format, NULL));
    return s;
}

static void draw(struct scene *s, const weft_rect *rect, const weft_depth_stencil_state *state,
                 uint32_t reference)
{
    weft_render_set_depth_stencil(s->enc, state);
    weft_render_set_stencil_reference(s->enc, reference);
    conform_draw_rect(s->enc, rect, s->width, s->height, 0.25F, conform_white);
}

static void end(struct conform *c, struct scene *s)
{
    weft_render_end(s->enc);
    conform_submit(c, s->cmd);
}

static const weft_texture_region stencil_region = {.aspect = WEFT_ASPECT_STENCIL};

static uint32_t apply(weft_stencil_op op, uint32_t value, uint32_t reference)
{
    switch (op) {
    case WEFT_STENCIL_ZERO:
        return 0;
    case WEFT_STENCIL_REPLACE:
        return reference;
    case WEFT_STENCIL_INCREMENT_CLAMP:
        return value == 255 ? 255 : value + 1;
    case WEFT_STENCIL_DECREMENT_CLAMP:
        return value == 0 ? 0 : value - 1;
    case WEFT_STENCIL_INVERT:
        return ~value & 255;
    case WEFT_STENCIL_INCREMENT_WRAP:
        return (value + 1) & 255;
    case WEFT_STENCIL_DECREMENT_WRAP:
        return (value - 1) & 255;
    default:
        return value;
    }
}

// ---- operations --------------------------------------------------------------------------------

static struct conform_texel operated(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)z;
    return (struct conform_texel){
        {apply((weft_stencil_op)(x % OPS), values[y], REFERENCE), 0, 0, 1}};
}

/// `op` at that outcome, and another operation at the other two.
static weft_depth_stencil_state state_for(uint32_t outcome, weft_stencil_op op)
{
    const weft_stencil_op other = (weft_stencil_op)((op + 3) % OPS);
    const weft_stencil_face face = {
        .compare = outcome == 0 ? WEFT_COMPARE_NEVER : WEFT_COMPARE_ALWAYS,
        .fail = outcome == 0 ? op : other,
        .depth_fail = outcome == 1 ? op : other,
        .pass = outcome == 2 ? op : other,
    };
    return (weft_depth_stencil_state){
        .depth = outcome == 1 ? WEFT_COMPARE_GREATER : WEFT_COMPARE_LESS,
        .stencil = true,
        .front = face,
        .back = face,
    };
}

/// Every operation when stencil fails, when depth fails and when both pass, on values at the ends
/// and in the middle. Only the last draws.
void case_stencil_operations(struct conform *c)
{
    struct scene s = begin(c, WIDTH, VALUES, 0x33);
    for (int32_t y = 0; y < VALUES; y++)
        draw(&s, &(weft_rect){0, y, WIDTH, 1},
             &(weft_depth_stencil_state){.stencil = true,
                                         .front.pass = WEFT_STENCIL_REPLACE,
                                         .back.pass = WEFT_STENCIL_REPLACE},
             values[y]);
    const float black[4] = {0, 0, 0, 1};
    conform_draw_rect(s.enc, &(weft_rect){0, VALUES - 1, WIDTH, 1}, WIDTH, VALUES, 0.25F, black);
    for (int32_t x = 0; x < WIDTH; x++) {
        const weft_depth_stencil_state state =
            state_for((uint32_t)x / OPS, (weft_stencil_op)((uint32_t)x % OPS));
        weft_render_set_depth_stencil(s.enc, &state);
        weft_render_set_stencil_reference(s.enc, REFERENCE);
        conform_draw_rect(s.enc, &(weft_rect){x, 0, 1, VALUES}, WIDTH, VALUES, 0.25F, conform_red);
    }
    end(c, &s);
    conform_expect_texels(c, s.stencil, &stencil_region, operated, NULL, 0);
}

// ---- comparisons and masks ---------------------------------------------------------------------

/// The reference is compared with what is stored, in that order, both under the read mask. Rows:
/// comparisons; columns: stored values.
static void compares(struct conform *c, uint32_t reference, uint8_t mask)
{
    struct scene s = begin(c, VALUES, 8, 0);
    struct conform_marks marks = {0};
    weft_render_set_blend(s.enc, &(weft_blend_state){0});
    for (int32_t x = 0; x < VALUES; x++) {
        weft_depth_stencil_state never = replacing;
        never.front.compare = never.back.compare = WEFT_COMPARE_NEVER;
        never.front.fail = never.back.fail = WEFT_STENCIL_REPLACE;
        draw(&s, &(weft_rect){x, 0, 1, 8}, &never, values[x]);
    }
    for (int32_t y = 0; y < 8; y++) {
        const weft_compare compare = (weft_compare)(WEFT_COMPARE_NEVER + y);
        const weft_depth_stencil_state state = {
            .stencil = true, .front.compare = compare, .back.compare = compare, .read_mask = mask};
        draw(&s, &(weft_rect){0, y, VALUES, 1}, &state, reference);
        for (uint32_t x = 0; x < VALUES; x++)
            marks.at[y][x] = conform_compares(compare, reference & mask, values[x] & mask);
    }
    end(c, &s);
    conform_expect_texels(c, s.color, NULL, conform_marked, &marks, 0);
}

void case_stencil_compares(struct conform *c)
{
    compares(c, 2, 0xff);
    compares(c, 0x7f, 0xff);
}

void case_stencil_read_mask(struct conform *c)
{
    compares(c, 0x82, 0x03);
    compares(c, 0xff, 0x80);
}

static struct conform_texel masked(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)y;
    (void)z;
    // The reference's low four bits over the old high ones; all bits; none.
    const uint8_t wanted[3] = {(0xa5 & 0xf0) | (0x3c & 0x0f), 0x3c, 0xa5};
    return (struct conform_texel){{wanted[x], 0, 0, 1}};
}

/// Only bits of the write mask change. 0 stands for all; no_stencil_write for none.
void case_stencil_write_mask(struct conform *c)
{
    struct scene s = begin(c, 3, 2, 0xa5);
    weft_depth_stencil_state state = replacing;
    state.write_mask = 0x0f;
    draw(&s, &(weft_rect){0, 0, 1, 2}, &state, 0x3c);
    state.write_mask = 0;
    draw(&s, &(weft_rect){1, 0, 1, 2}, &state, 0x3c);
    state.no_stencil_write = true;
    draw(&s, &(weft_rect){2, 0, 1, 2}, &state, 0x3c);
    end(c, &s);
    conform_expect_texels(c, s.stencil, &stencil_region, masked, NULL, 0);
    conform_expect_color(c, s.color, (const double[4]){1, 1, 1, 1}, 0);
}

static struct conform_texel by_face(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const bool front_is_left = *(const bool *)user;
    (void)y;
    (void)z;
    return (struct conform_texel){{(x == 0) == front_is_left ? 11 : 9, 0, 0, 1}};
}

/// Front faces count up and back faces count down, whichever winding is front.
void case_stencil_faces(struct conform *c)
{
    const weft_depth_stencil_state state = {.stencil = true,
                                            .front.pass = WEFT_STENCIL_INCREMENT_CLAMP,
                                            .back.pass = WEFT_STENCIL_DECREMENT_CLAMP};
    for (uint32_t i = 0; i < 2; i++) {
        struct scene s = begin(c, 2, 2, 10);
        weft_render_set_depth_stencil(s.enc, &state);
        weft_render_set_raster(s.enc, &(weft_raster_state){.front = (weft_front_face)i});
        conform_draw_clip_rect(s.enc, (const float[4]){-1, -1, 0, 1}, 0, conform_white);
        conform_draw_clip_rect(s.enc, (const float[4]){0, 1, 1, -1}, 0, conform_white);
        end(c, &s);
        bool front_is_left = i == WEFT_FRONT_COUNTER_CLOCKWISE;
        conform_expect_texels(c, s.stencil, &stencil_region, by_face, &front_is_left, 0);
    }
}

static struct conform_texel by_reference(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)y;
    (void)z;
    return (struct conform_texel){{x < 2 ? 0 : 0xb7, 0, 0, 1}};
}

/// A format that has nothing but stencil; the reference is 0 at the beginning of a pass.
void case_stencil_alone(struct conform *c)
{
    conform_need_format(c, WEFT_FORMAT_S8_UINT, WEFT_FORMAT_CAN_DEPTH_STENCIL);
    const weft_texture target = conform_target(c, WEFT_FORMAT_S8_UINT, 4, 4);
    const weft_pipeline_state state = {.depth_stencil = replacing};
    weft_graphics_pipeline_desc desc = {
        .depth_stencil = WEFT_FORMAT_S8_UINT, .states = &state, .state_count = 1};
    conform_rect_shaders(c, &desc);
    desc.fragment = (weft_shader_use){0};
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.depth_stencil = conform_view(c, target),
                                      .stencil_load = WEFT_LOAD_CLEAR,
                                      .clear_stencil = 77});
    weft_render_set_pipeline(enc, conform_pipeline(c, &desc));
    conform_fill(enc, 0, conform_white);
    weft_render_set_stencil_reference(enc, 0xb7);
    conform_draw_rect(enc, &(weft_rect){2, 0, 2, 4}, 4, 4, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, by_reference, NULL, 0);
}

/// Draws that differ from the one before in one field of what decides whether they are seen: each
/// arrives, alone. What decides how they are seen (what is written, bias, blending) is left out.
void case_state_one_field_at_a_time(struct conform *c)
{
    static const struct step {
        weft_compare depth;
        weft_compare stencil; ///< Of both faces: the stencil is 1, the reference 3.
        bool on;              ///< The stencil test.
        uint32_t read_mask;   ///< 0: all bits.
        weft_cull cull;
        bool clockwise; ///< What faces the front; the rectangle is clockwise.
        bool seen;
    } steps[] = {
        {WEFT_COMPARE_LESS, WEFT_COMPARE_EQUAL, true, 1, WEFT_CULL_NONE, false, true},
        {WEFT_COMPARE_GREATER, WEFT_COMPARE_EQUAL, true, 1, WEFT_CULL_NONE, false, false},
        {WEFT_COMPARE_DEFAULT, WEFT_COMPARE_EQUAL, true, 1, WEFT_CULL_NONE, false, true},
        {WEFT_COMPARE_LESS, WEFT_COMPARE_EQUAL, true, 1, WEFT_CULL_NONE, false, true},
        {WEFT_COMPARE_LESS, WEFT_COMPARE_NEVER, true, 1, WEFT_CULL_NONE, false, false},
        {WEFT_COMPARE_LESS, WEFT_COMPARE_NEVER, false, 1, WEFT_CULL_NONE, false, true},
        {WEFT_COMPARE_LESS, WEFT_COMPARE_NEVER, true, 1, WEFT_CULL_NONE, false, false},
        {WEFT_COMPARE_LESS, WEFT_COMPARE_EQUAL, true, 1, WEFT_CULL_NONE, false, true},
        {WEFT_COMPARE_LESS, WEFT_COMPARE_EQUAL, true, 0, WEFT_CULL_NONE, false, false},
        {WEFT_COMPARE_LESS, WEFT_COMPARE_EQUAL, true, 1, WEFT_CULL_NONE, false, true},
        {WEFT_COMPARE_LESS, WEFT_COMPARE_EQUAL, true, 1, WEFT_CULL_BACK, false, false},
        {WEFT_COMPARE_LESS, WEFT_COMPARE_EQUAL, true, 1, WEFT_CULL_BACK, true, true},
        {WEFT_COMPARE_LESS, WEFT_COMPARE_EQUAL, true, 1, WEFT_CULL_FRONT, true, false},
        {WEFT_COMPARE_LESS, WEFT_COMPARE_EQUAL, true, 1, WEFT_CULL_FRONT, false, true},
    };
    const uint32_t count = sizeof steps / sizeof *steps;
    struct scene s = begin(c, count, 1, 1);
    struct conform_marks marks = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct step *step = &steps[i];
        const weft_stencil_face face = {.compare = step->stencil};
        const weft_raster_state raster = {.cull = step->cull,
                                          .front = step->clockwise ? WEFT_FRONT_CLOCKWISE
                                                                   : WEFT_FRONT_COUNTER_CLOCKWISE};
        const weft_depth_stencil_state state = {.depth = step->depth,
                                                .stencil = step->on,
                                                .front = face,
                                                .back = face,
                                                .read_mask = step->read_mask};
        if (step->seen)
            conform_mark(&marks, i, 0, 1, 1);
        weft_render_set_raster(s.enc, &raster);
        draw(&s, &(weft_rect){(int32_t)i, 0, 1, 1}, &state, 3);
    }
    end(c, &s);
    conform_expect_texels(c, s.color, NULL, conform_marked, &marks, 0);
}
