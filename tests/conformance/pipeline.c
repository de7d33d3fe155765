// Pipelines: constants, building in the background, what may be destroyed, varyings of every shape,
// and what is refused.
#include "cases.h"
#include "draw.h"

#include "flat_uint.frag.spv.h"
#include "packed.frag.spv.h"
#include "packed.vert.spv.h"
#include "special.frag.spv.h"

#include <string.h>

enum { SIZE = 8 };

static weft_texture draw(struct conform *c, weft_graphics_pipeline pipeline)
{
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    conform_fill(enc, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

static weft_graphics_pipeline_desc describe(struct conform *c)
{
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    conform_rect_shaders(c, &desc);
    return desc;
}

static uint64_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// Constants by their ids, in any order; what is not given keeps its default. Two pipelines of one
/// shader do not disturb each other.
void case_pipeline_constants(struct conform *c)
{
    const weft_constant some[2] = {{4, 1}, {3, bits_of(0.4F)}}, other[1] = {{9, 255}};
    weft_graphics_pipeline_desc desc = describe(c);
    desc.fragment = (weft_shader_use){
        .shader = CONFORM_SHADER(c, special_frag), .constants = some, .constant_count = 2};
    const weft_graphics_pipeline first = conform_pipeline(c, &desc);
    desc.fragment.constants = other;
    desc.fragment.constant_count = 1;
    const weft_graphics_pipeline second = conform_pipeline(c, &desc);
    conform_expect_color(c, draw(c, first), (const double[4]){0.4, 1, 0.2, 1}, 0.6 / 255);
    conform_expect_color(c, draw(c, second), (const double[4]){0, 0, 1, 1}, 0.6 / 255);
}

/// Built on another thread; it draws as soon as it is ready.
void case_pipeline_background(struct conform *c)
{
    weft_graphics_pipeline_desc desc = describe(c);
    desc.flags = WEFT_PIPELINE_BACKGROUND;
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    weft_result ready = WEFT_PENDING;
    for (uint32_t i = 0; i < 100000000 && ready == WEFT_PENDING; i++)
        ready = weft_graphics_pipeline_ready(conform_device(c), pipeline);
    CONFORM_EXPECT(c, ready == WEFT_OK);
    conform_expect_color(c, draw(c, pipeline), (const double[4]){1, 1, 1, 1}, 0);
}

/// A pipeline outlives its shaders, and work in flight the pipeline.
void case_pipeline_outlives(struct conform *c)
{
    const weft_graphics_pipeline_desc desc = describe(c);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    weft_shader_destroy(conform_device(c), desc.vertex.shader);
    weft_shader_destroy(conform_device(c), desc.fragment.shader);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    conform_fill(enc, 0, conform_red);
    weft_render_end(enc);
    uint64_t serial = 0;
    CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_OK);
    CONFORM_EXPECT(c, weft_queue_submit(conform_device(c), WEFT_QUEUE_GRAPHICS,
                                        &(weft_submit){.commands = &cmd, .command_count = 1},
                                        &serial) == WEFT_OK);
    weft_graphics_pipeline_destroy(conform_device(c), pipeline);
    CONFORM_EXPECT(c, weft_serial_wait(conform_device(c), serial, UINT64_MAX) == WEFT_OK);
    conform_expect_color(c, target, (const double[4]){1, 0, 0, 1}, 0);
}

static struct conform_texel all_through(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)y;
    (void)z;
    return (struct conform_texel){{22 / 255.0, (x + 0.5) / SIZE, 0, 1}};
}

/// Twenty-two numbers in parts of locations, a matrix, an array and a block; a last one varies.
void case_pipeline_varyings(struct conform *c)
{
    weft_graphics_pipeline_desc desc = describe(c);
    desc.vertex.shader = CONFORM_SHADER(c, packed_vert);
    desc.fragment.shader = CONFORM_SHADER(c, packed_frag);
    conform_expect_texels(c, draw(c, conform_pipeline(c, &desc)), NULL, all_through, NULL,
                          0.6 / 255);
}

static void refuses(struct conform *c, const weft_graphics_pipeline_desc *desc, weft_rule rule)
{
    weft_graphics_pipeline out = {.index = 1};
    const weft_result result = weft_graphics_pipeline_create(conform_device(c), desc, &out);
    conform_expect_rule(c, rule);
    CONFORM_EXPECT(c, result == WEFT_ERROR_USAGE && out.index == 0 && out.generation == 0);
}

void case_pipeline_refusals(struct conform *c)
{
    weft_graphics_pipeline_desc desc = describe(c);
    desc.restart = WEFT_INDEX_UINT16; // of a list
    refuses(c, &desc, WEFT_RULE_PIPELINE_RESTART);
    desc = describe(c);
    desc.flags = WEFT_PIPELINE_ALPHA_TO_COVERAGE; // of one sample
    refuses(c, &desc, WEFT_RULE_PIPELINE_COVERAGE);
    desc = describe(c);
    desc.samples = 3;
    refuses(c, &desc, WEFT_RULE_PIPELINE_SAMPLES);
    desc = describe(c);
    desc.colors[0] = WEFT_FORMAT_D32_FLOAT;
    refuses(c, &desc, WEFT_RULE_PIPELINE_FORMAT);
    desc = describe(c);
    desc.colors[0] = WEFT_FORMAT_RGBA8_UINT; // from a float
    refuses(c, &desc, WEFT_RULE_OUTPUT_CLASS);
    desc = describe(c);
    desc.fragment.shader = CONFORM_SHADER(c, packed_frag); // whose inputs nobody writes
    refuses(c, &desc, WEFT_RULE_PIPELINE_VARYING);
    const weft_pipeline_state blending = {.blend.targets[0].enable = true};
    desc = describe(c);
    desc.fragment.shader = CONFORM_SHADER(c, flat_uint_frag);
    desc.colors[0] = WEFT_FORMAT_RGBA8_UINT;
    desc.states = &blending;
    desc.state_count = 1;
    refuses(c, &desc, WEFT_RULE_BLEND_FORMAT);
}

/// A pipeline is for the formats and samples of its pass.
void case_pipeline_for_another_pass(struct conform *c)
{
    const weft_graphics_pipeline_desc desc = describe(c);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_R8_UNORM, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    conform_fill(enc, 0, conform_white);
    weft_render_end(enc);
    CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_ERROR_USAGE);
    conform_expect_rule(c, WEFT_RULE_PIPELINE_TARGETS);
}
