// Vertex streams: gaps in slots and locations, rates, stride 0, missing and surplus attributes.
#include "cases.h"
#include "draw.h"

#include "streams.vert.spv.h"
#include "value_float.frag.spv.h"

enum { COLUMNS = 4, HEIGHT = 2 };

static const float corners[6][2] = {{0, -1}, {1, -1}, {0, 1}, {0, 1}, {1, -1}, {1, 1}};
static const float red_greens[COLUMNS][2] = {{0, 1}, {0.2F, 0.8F}, {0.4F, 0.6F}, {1, 0}};
static const float blues[COLUMNS] = {1, 0.8F, 0.2F, 0};

/// Corners in slot 1, colors in slots 3 and 6, locations 0, 2 and 5.
static const weft_vertex_stream streams[3] = {{.slot = 1, .stride = 8, .rate = WEFT_STEP_VERTEX},
                                              {.slot = 3, .stride = 8, .rate = WEFT_STEP_INSTANCE},
                                              {.slot = 6, .stride = 4, .rate = WEFT_STEP_INSTANCE}};
static const weft_vertex_attribute attributes[4] = {
    {.location = 0, .slot = 1, .format = WEFT_VERTEX_FORMAT_FLOAT32X2},
    {.location = 2, .slot = 3, .format = WEFT_VERTEX_FORMAT_FLOAT32X2},
    {.location = 5, .slot = 6, .format = WEFT_VERTEX_FORMAT_FLOAT32},
    {.location = 9, .slot = 3, .format = WEFT_VERTEX_FORMAT_UINT8X4}};

static weft_graphics_pipeline_desc describe(struct conform *c, const weft_vertex_stream *given,
                                            uint32_t attribute_count)
{
    return (weft_graphics_pipeline_desc){.vertex.shader = CONFORM_SHADER(c, streams_vert),
                                         .fragment.shader = CONFORM_SHADER(c, value_float_frag),
                                         .streams = given,
                                         .stream_count = 3,
                                         .attributes = attributes,
                                         .attribute_count = attribute_count,
                                         .colors = {WEFT_FORMAT_RGBA8_UNORM}};
}

/// Which element of each stream an instance reads.
struct elements {
    bool red_green, blue; ///< By the instance's number; false: the first.
    uint32_t first;       ///< Of the instances.
};

static struct conform_texel expected(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct elements *e = user;
    (void)y;
    (void)z;
    if (x < e->first)
        return (struct conform_texel){{0, 0, 0, 1}};
    const float *rg = red_greens[e->red_green ? x : 0];
    return (struct conform_texel){{rg[0], rg[1], blues[e->blue ? x : 0], 1}};
}

static void draw_and_compare(struct conform *c, const weft_vertex_stream *given,
                             uint32_t attribute_count, struct elements elements)
{
    const weft_graphics_pipeline_desc desc = describe(c, given, attribute_count);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, COLUMNS, HEIGHT);
    const float columns = COLUMNS;
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(
        enc, 1, conform_buffer(c, WEFT_BUFFER_USAGE_VERTEX, sizeof corners, corners), 0);
    weft_render_set_vertex_buffer(
        enc, 3, conform_buffer(c, WEFT_BUFFER_USAGE_VERTEX, sizeof red_greens, red_greens), 0);
    weft_render_set_vertex_buffer(
        enc, 6, conform_buffer(c, WEFT_BUFFER_USAGE_VERTEX, sizeof blues, blues), 0);
    weft_render_set_root(enc, 0, 0, &columns, sizeof columns);
    weft_render_draw(enc, 6, COLUMNS - elements.first, 0, elements.first);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, expected, &elements, 0.6 / 255);
}

void case_vertex_gaps_and_rates(struct conform *c)
{
    draw_and_compare(c, streams, 3, (struct elements){true, true, 0});
}

/// Instance data begins at the first instance, as the columns do.
void case_vertex_first_instance(struct conform *c)
{
    draw_and_compare(c, streams, 3, (struct elements){true, true, 2});
}

/// Stride 0: every instance, or every vertex, reads the first element.
void case_vertex_stride_0(struct conform *c)
{
    weft_vertex_stream given[3] = {streams[0], streams[1], streams[2]};
    given[1].stride = 0;
    draw_and_compare(c, given, 3, (struct elements){false, true, 0});
    given[1] = streams[1];
    given[2] = (weft_vertex_stream){.slot = 6, .stride = 0, .rate = WEFT_STEP_VERTEX};
    draw_and_compare(c, given, 3, (struct elements){true, false, 0});
}

/// Bytes that no shader reads may be described all the same.
void case_vertex_surplus_attribute(struct conform *c)
{
    draw_and_compare(c, streams, 4, (struct elements){true, true, 0});
}

/// What the shader reads must be described.
void case_vertex_missing_attribute(struct conform *c)
{
    const weft_graphics_pipeline_desc desc = describe(c, streams, 2);
    weft_graphics_pipeline out = {.index = 1};
    const weft_result result = weft_graphics_pipeline_create(conform_device(c), &desc, &out);
    conform_expect_rule(c, WEFT_RULE_ATTRIBUTE_MISSING);
    CONFORM_EXPECT(c, result == WEFT_ERROR_USAGE);
    CONFORM_EXPECT(c, out.index == 0 && out.generation == 0);
}
