// Pipelines. Lines before `graphics` say what the next one is made of; it starts afresh after it.
#include "stage.h"

#include <string.h>

static const char *const compares[] = {"none",       "never",   "less",      "equal",
                                       "less_equal", "greater", "not_equal", "greater_equal",
                                       "always",     NULL};
static const char *const stencil_ops[] = {"keep",           "zero",           "replace",
                                          "increment",      "decrement",      "invert",
                                          "increment_wrap", "decrement_wrap", NULL};
static const char *const factors[] = {"default",
                                      "zero",
                                      "one",
                                      "src",
                                      "one_minus_src",
                                      "src_alpha",
                                      "one_minus_src_alpha",
                                      "dst",
                                      "one_minus_dst",
                                      "dst_alpha",
                                      "one_minus_dst_alpha",
                                      "src_alpha_saturated",
                                      "constant",
                                      "one_minus_constant",
                                      "src1",
                                      "one_minus_src1",
                                      "src1_alpha",
                                      "one_minus_src1_alpha",
                                      NULL};
static const char *const blend_ops[] = {"add", "subtract", "reverse_subtract", "min", "max", NULL};
static const char *const topologies[] = {"triangles",  "triangle_strip", "lines",
                                         "line_strip", "points",         NULL};
static const char *const culls[] = {"none", "front", "back", NULL};
static const char *const fronts[] = {"ccw", "cw", NULL};
static const char *const fills[] = {"solid", "line", NULL};
static const char *const rates[] = {"vertex", "instance", NULL};

// stream SLOT STRIDE RATE
void stage_stream(struct stage *s, struct stage_line *line)
{
    if (s->pipeline.stream_count == sizeof s->streams / sizeof *s->streams) {
        stage_fail(s, "the script has too many vertex streams");
        return;
    }
    weft_vertex_stream *stream = &s->streams[s->pipeline.stream_count++];
    stream->slot = stage_number(line);
    stream->stride = stage_number(line);
    stream->rate = (weft_step_rate)stage_choice(s, line, rates);
}

// attribute LOCATION SLOT OFFSET FORMAT
void stage_attribute(struct stage *s, struct stage_line *line)
{
    if (s->pipeline.attribute_count == sizeof s->attributes / sizeof *s->attributes) {
        stage_fail(s, "the script has too many vertex attributes");
        return;
    }
    weft_vertex_attribute *attribute = &s->attributes[s->pipeline.attribute_count++];
    attribute->location = stage_number(line);
    attribute->slot = stage_number(line);
    attribute->offset = stage_number(line);
    const char *word = stage_word(line);
    for (uint32_t i = 1; i < WEFT_VERTEX_FORMAT_COUNT; i++)
        if (strcmp(weft_vertex_format_get_info((weft_vertex_format)i)->name, word) == 0)
            attribute->format = (weft_vertex_format)i;
}

// target INDEX FORMAT
void stage_target(struct stage *s, struct stage_line *line)
{
    const uint32_t index = stage_number(line) % 8;
    s->pipeline.colors[index] = stage_format(s, line);
}

// depth FORMAT COMPARE WRITE
void stage_depth(struct stage *s, struct stage_line *line)
{
    s->pipeline.depth_stencil = stage_format(s, line);
    s->state.depth_stencil.depth = (weft_compare)stage_choice(s, line, compares);
    s->state.depth_stencil.depth_write = stage_number(line) != 0;
}

// stencil COMPARE FAIL DEPTH_FAIL PASS READ_MASK WRITE_MASK
void stage_stencil(struct stage *s, struct stage_line *line)
{
    weft_depth_stencil_state *state = &s->state.depth_stencil;
    state->stencil = true;
    state->front.compare = (weft_compare)stage_choice(s, line, compares);
    state->front.fail = (weft_stencil_op)stage_choice(s, line, stencil_ops);
    state->front.depth_fail = (weft_stencil_op)stage_choice(s, line, stencil_ops);
    state->front.pass = (weft_stencil_op)stage_choice(s, line, stencil_ops);
    state->back = state->front;
    state->read_mask = (uint8_t)stage_number(line);
    state->write_mask = (uint8_t)stage_number(line);
}

// blend SRC DST OP SRC_ALPHA DST_ALPHA OP_ALPHA
void stage_blend(struct stage *s, struct stage_line *line)
{
    weft_blend_target *target = &s->state.blend.targets[0];
    weft_blend_equation *const equations[] = {&target->color, &target->alpha};
    target->enable = true;
    for (uint32_t i = 0; i < 2; i++) {
        equations[i]->src = (weft_blend_factor)stage_choice(s, line, factors);
        equations[i]->dst = (weft_blend_factor)stage_choice(s, line, factors);
        equations[i]->op = (weft_blend_op)stage_choice(s, line, blend_ops);
    }
}

// no_color: the fragment shader writes none
void stage_no_color(struct stage *s, struct stage_line *line)
{
    (void)line;
    s->state.blend.targets[0].mask = WEFT_COLOR_MASK_NO_COLOR;
}

// raster CULL FRONT FILL DEPTH_CLAMP
void stage_raster(struct stage *s, struct stage_line *line)
{
    s->state.raster.cull = (weft_cull)stage_choice(s, line, culls);
    s->state.raster.front = (weft_front_face)stage_choice(s, line, fronts);
    s->state.raster.fill = (weft_fill)stage_choice(s, line, fills);
    if (stage_number(line))
        s->pipeline.flags |= WEFT_PIPELINE_DEPTH_CLAMP;
}

// graphics ID VERTEX FRAGMENT TOPOLOGY SAMPLES
void stage_graphics(struct stage *s, struct stage_line *line)
{
    weft_graphics_pipeline *out = &stage_object(s, line)->graphics;
    s->pipeline.vertex.shader = stage_object(s, line)->shader;
    s->pipeline.fragment.shader = stage_object(s, line)->shader;
    s->pipeline.topology = (weft_topology)stage_choice(s, line, topologies);
    s->pipeline.samples = stage_number(line);
    s->pipeline.streams = s->streams;
    s->pipeline.attributes = s->attributes;
    s->pipeline.states = &s->state;
    s->pipeline.state_count = 1;
    stage_check(s, weft_graphics_pipeline_create(s->device, &s->pipeline, out),
                "weft_graphics_pipeline_create");
    memset(&s->pipeline, 0, sizeof s->pipeline);
    memset(&s->state, 0, sizeof s->state);
}

// compute ID SHADER
void stage_compute(struct stage *s, struct stage_line *line)
{
    weft_compute_pipeline *out = &stage_object(s, line)->compute;
    const weft_compute_pipeline_desc desc = {.compute.shader = stage_object(s, line)->shader};
    stage_check(s, weft_compute_pipeline_create(s->device, &desc, out),
                "weft_compute_pipeline_create");
}
