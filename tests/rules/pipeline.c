#include "support/record.h"

#include "array.frag.spv.h"
#include "disagrees.vert.spv.h"
#include "other_uv.vert.spv.h"
#include "whole.frag.spv.h"

/// Creates a graphics pipeline that breaks exactly one rule.
static void refused(struct fixture *f, const weft_graphics_pipeline_desc *desc, weft_rule rule)
{
    weft_graphics_pipeline pipeline = {.index = 1};
    EXPECT_EQ(weft_graphics_pipeline_create(f->dev, desc, &pipeline), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
    EXPECT(weft_graphics_pipeline_is_none(pipeline));
}

TEST(pipeline_rules, entry_points_and_constants_exist)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_mesh m = record_mesh_create(&f);
    weft_graphics_pipeline_desc desc = record_mesh_desc(&m);
    desc.vertex.entry = "start";
    refused(&f, &desc, WEFT_RULE_PIPELINE_ENTRY);
    desc = record_mesh_desc(&m);
    desc.vertex.shader = m.fragment;
    refused(&f, &desc, WEFT_RULE_PIPELINE_ENTRY);
    desc = record_mesh_desc(&m);
    desc.vertex.shader = (weft_shader){0};
    refused(&f, &desc, WEFT_RULE_HANDLE_NONE);

    desc = record_mesh_desc(&m);
    weft_constant constants[2] = {{.id = 99}};
    desc.fragment.constants = constants;
    desc.fragment.constant_count = 1;
    refused(&f, &desc, WEFT_RULE_CONSTANT_UNKNOWN);
    constants[0] = (weft_constant){.id = 4, .value = 2}; // a bool
    refused(&f, &desc, WEFT_RULE_CONSTANT_VALUE);
    constants[0] = constants[1] = (weft_constant){.id = 3, .value = 2};
    desc.fragment.constant_count = 2;
    refused(&f, &desc, WEFT_RULE_CONSTANT_TWICE);
    record_mesh_destroy(&f, &m);
    fixture_close(&f);
}

TEST(pipeline_rules, stages_fit_each_other)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_mesh m = record_mesh_create(&f);
    weft_graphics_pipeline_desc desc = record_mesh_desc(&m);
    weft_shader plain = RECORD_SHADER(&f, plain_vert);
    desc.vertex.shader = plain;
    refused(&f, &desc, WEFT_RULE_PIPELINE_VARYING); // nothing is written
    weft_shader other = RECORD_SHADER(&f, other_uv_vert);
    desc.vertex.shader = other;
    weft_graphics_pipeline pipeline;
    EXPECT_EQ(weft_graphics_pipeline_create(f.dev, &desc, &pipeline), WEFT_ERROR_USAGE);
    EXPECT(fixture_saw(&f, WEFT_RULE_PIPELINE_VARYING)); // another type
    fixture_clear(&f);
    weft_shader disagrees = RECORD_SHADER(&f, disagrees_vert);
    desc.vertex.shader = disagrees;
    EXPECT_EQ(weft_graphics_pipeline_create(f.dev, &desc, &pipeline), WEFT_ERROR_USAGE);
    EXPECT_EQ(fixture_last_rule(&f), WEFT_RULE_PIPELINE_STAGES_DISAGREE);
    fixture_clear(&f);
    weft_shader_destroy(f.dev, plain);
    weft_shader_destroy(f.dev, other);
    weft_shader_destroy(f.dev, disagrees);
    record_mesh_destroy(&f, &m);
    fixture_close(&f);
}

TEST(pipeline_rules, vertex_streams_and_attributes_fit)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_mesh m = record_mesh_create(&f);
    weft_vertex_stream streams[3] = {record_mesh_streams[0], record_mesh_streams[1]};
    weft_vertex_attribute attributes[4] = {record_mesh_attributes[0], record_mesh_attributes[1],
                                           record_mesh_attributes[2]};
    weft_graphics_pipeline_desc desc = record_mesh_desc(&m);
    desc.streams = streams;
    desc.attributes = attributes;

    streams[0].stride = 4096;
    refused(&f, &desc, WEFT_RULE_VERTEX_STREAM);
    streams[0] = record_mesh_streams[0];
    streams[0].rate = (weft_step_rate)7;
    refused(&f, &desc, WEFT_RULE_ENUM_UNKNOWN);
    streams[0] = record_mesh_streams[0];
    streams[2] = streams[1];
    desc.stream_count = 3;
    refused(&f, &desc, WEFT_RULE_VERTEX_STREAM);
    streams[2].slot = 77;
    refused(&f, &desc, WEFT_RULE_VERTEX_STREAM);
    desc.stream_count = 2;

    attributes[1].offset = 16; // leaves the element
    refused(&f, &desc, WEFT_RULE_VERTEX_ATTRIBUTE);
    attributes[1].offset = 11;
    refused(&f, &desc, WEFT_RULE_VERTEX_ATTRIBUTE);
    attributes[1] = record_mesh_attributes[1];
    attributes[1].slot = 3;
    refused(&f, &desc, WEFT_RULE_VERTEX_ATTRIBUTE);
    attributes[1] = record_mesh_attributes[1];
    attributes[3] = attributes[0];
    desc.attribute_count = 4;
    refused(&f, &desc, WEFT_RULE_VERTEX_ATTRIBUTE);
    desc.attribute_count = 2;
    refused(&f, &desc, WEFT_RULE_ATTRIBUTE_MISSING);
    desc.attribute_count = 3;
    attributes[1].format = WEFT_VERTEX_FORMAT_UINT32X2;
    refused(&f, &desc, WEFT_RULE_ATTRIBUTE_CLASS);
    record_mesh_destroy(&f, &m);
    fixture_close(&f);
}

TEST(pipeline_rules, targets_fit_the_device_and_the_shader)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_plain p = record_plain_create(&f);
    weft_graphics_pipeline_desc desc = record_plain_desc(&p);
    desc.colors[0] = WEFT_FORMAT_BC7_RGBA_UNORM;
    refused(&f, &desc, WEFT_RULE_PIPELINE_FORMAT);
    desc = record_plain_desc(&p);
    desc.depth_stencil = WEFT_FORMAT_RGBA8_UNORM;
    refused(&f, &desc, WEFT_RULE_PIPELINE_FORMAT);
    desc = record_plain_desc(&p);
    desc.samples = 3;
    EXPECT_EQ(weft_graphics_pipeline_create(f.dev, &desc, &(weft_graphics_pipeline){0}),
              WEFT_ERROR_USAGE);
    EXPECT_EQ(fixture_last_rule(&f), WEFT_RULE_PIPELINE_SAMPLES);
    fixture_clear(&f);

    desc = record_plain_desc(&p);
    desc.colors[1] = WEFT_FORMAT_RGBA8_UNORM;
    refused(&f, &desc, WEFT_RULE_OUTPUT_MISSING);
    weft_pipeline_state state = {.blend = {.independent = true}};
    state.blend.targets[1].mask = WEFT_COLOR_MASK_NO_COLOR;
    desc.states = &state;
    desc.state_count = 1;
    weft_graphics_pipeline masked;
    EXPECT_EQ(weft_graphics_pipeline_create(f.dev, &desc, &masked), WEFT_OK);
    weft_graphics_pipeline_destroy(f.dev, masked);

    weft_shader whole = RECORD_SHADER(&f, whole_frag);
    desc = record_plain_desc(&p);
    desc.fragment.shader = whole;
    refused(&f, &desc, WEFT_RULE_OUTPUT_CLASS);
    weft_shader_destroy(f.dev, whole);
    record_plain_destroy(&f, &p);
    fixture_close(&f);
}

TEST(pipeline_rules, fixed_state_fits)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_plain p = record_plain_create(&f);
    weft_graphics_pipeline_desc desc = record_plain_desc(&p);
    desc.topology = (weft_topology)9;
    refused(&f, &desc, WEFT_RULE_ENUM_UNKNOWN);
    desc = record_plain_desc(&p);
    desc.restart = WEFT_INDEX_UINT16;
    refused(&f, &desc, WEFT_RULE_PIPELINE_RESTART);
    desc = record_plain_desc(&p);
    desc.flags = WEFT_PIPELINE_ALPHA_TO_COVERAGE;
    refused(&f, &desc, WEFT_RULE_PIPELINE_COVERAGE);
    desc.flags = 1u << 20;
    refused(&f, &desc, WEFT_RULE_BITS_UNKNOWN);

    weft_pipeline_state state = {.depth_stencil = {.depth = WEFT_COMPARE_LESS}};
    desc = record_plain_desc(&p);
    desc.states = &state;
    desc.state_count = 1;
    refused(&f, &desc, WEFT_RULE_STATE_WITHOUT_ASPECT);
    state = (weft_pipeline_state){.depth_stencil = {.stencil = true}};
    refused(&f, &desc, WEFT_RULE_STATE_WITHOUT_ASPECT);
    state = (weft_pipeline_state){.depth_stencil = {.depth_write = true}};
    desc.depth_stencil = WEFT_FORMAT_D32_FLOAT;
    refused(&f, &desc, WEFT_RULE_STATE_DEPTH_WRITE);
    state = (weft_pipeline_state){.depth_stencil = {.depth = (weft_compare)44}};
    refused(&f, &desc, WEFT_RULE_ENUM_UNKNOWN);

    state = (weft_pipeline_state){.raster = {.cull = (weft_cull)5}};
    refused(&f, &desc, WEFT_RULE_ENUM_UNKNOWN);
    state = (weft_pipeline_state){0};
    state.blend.targets[0].enable = true;
    state.blend.targets[0].color.src = WEFT_BLEND_SRC1;
    refused(&f, &desc, WEFT_RULE_BLEND_SECOND_SOURCE);
    state.blend.targets[0].mask = 0x80;
    desc.flags = WEFT_PIPELINE_DUAL_SOURCE;
    refused(&f, &desc, WEFT_RULE_BITS_UNKNOWN);

    weft_shader whole = RECORD_SHADER(&f, whole_frag);
    desc = record_plain_desc(&p);
    desc.fragment.shader = whole;
    desc.colors[0] = WEFT_FORMAT_RGBA8_UINT;
    state = (weft_pipeline_state){0};
    state.blend.targets[0].enable = true;
    desc.states = &state;
    desc.state_count = 1;
    refused(&f, &desc, WEFT_RULE_BLEND_FORMAT);
    weft_shader_destroy(f.dev, whole);
    record_plain_destroy(&f, &p);
    fixture_close(&f);
}

// ---- layouts -----------------------------------------------------------------------------------

static weft_argument_layout layout(struct fixture *f, const weft_argument *arguments,
                                   uint32_t count)
{
    weft_argument_layout out;
    const weft_argument_layout_desc desc = {.arguments = arguments, .argument_count = count};
    EXPECT_EQ(weft_argument_layout_create(f->dev, &desc, &out), WEFT_OK);
    return out;
}

/// The mesh pipeline with a given layout for slot 1 that breaks one rule.
static void layout_refused(struct fixture *f, const struct record_mesh *m,
                           const weft_argument arguments[2], uint32_t count, weft_rule rule)
{
    weft_graphics_pipeline_desc desc = record_mesh_desc(m);
    desc.layouts[1] = layout(f, arguments, count);
    refused(f, &desc, rule);
    weft_argument_layout_destroy(f->dev, desc.layouts[1]);
}

TEST(pipeline_rules, a_given_layout_fits_the_shader)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_mesh m = record_mesh_create(&f);
    const weft_argument good[2] = {{.binding = 0, .type = WEFT_ARGUMENT_COMBINED},
                                   {.binding = 1, .type = WEFT_ARGUMENT_UNIFORM_BUFFER}};
    weft_argument a[2] = {good[0], good[1]};
    layout_refused(&f, &m, a, 1, WEFT_RULE_LAYOUT_MISSING);
    a[0].type = WEFT_ARGUMENT_SAMPLED_TEXTURE;
    layout_refused(&f, &m, a, 2, WEFT_RULE_LAYOUT_WRONG_TYPE);
    a[0] = good[0];
    a[1].stages = WEFT_SHADER_STAGE_VERTEX;
    layout_refused(&f, &m, a, 2, WEFT_RULE_LAYOUT_STAGES);
    a[1] = good[1];
    a[0].view = WEFT_VIEW_CUBE;
    layout_refused(&f, &m, a, 2, WEFT_RULE_LAYOUT_VIEW);
    a[0] = good[0];
    a[0].multisampled = true;
    layout_refused(&f, &m, a, 2, WEFT_RULE_LAYOUT_VIEW);
    a[0] = good[0];
    a[0].sampled = WEFT_SAMPLE_CLASS_UINT;
    layout_refused(&f, &m, a, 2, WEFT_RULE_LAYOUT_CLASS);
    weft_shader array = RECORD_SHADER(&f, array_frag);
    struct record_mesh other = m;
    other.fragment = array;
    a[0] = good[0];
    a[0].count = 3;
    layout_refused(&f, &other, a, 1, WEFT_RULE_LAYOUT_COUNT);
    weft_shader_destroy(f.dev, array);
    record_mesh_destroy(&f, &m);
    fixture_close(&f);
}

static void compute_refused(struct fixture *f, const weft_compute_pipeline_desc *desc,
                            weft_rule rule)
{
    weft_compute_pipeline pipeline;
    EXPECT_EQ(weft_compute_pipeline_create(f->dev, desc, &pipeline), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
}

TEST(pipeline_rules, compute_pipelines_fit)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_shader shader = RECORD_SHADER(&f, store_comp);
    weft_constant size = {.id = 0, .value = 4096};
    weft_compute_pipeline_desc desc = {
        .compute = {.shader = shader, .constants = &size, .constant_count = 1}};
    compute_refused(&f, &desc, WEFT_RULE_SHADER_WORKGROUP);
    size.value = 64;
    desc.flags = WEFT_PIPELINE_DEPTH_CLAMP;
    compute_refused(&f, &desc, WEFT_RULE_BITS_UNKNOWN);
    desc.flags = 0;
    const weft_argument written[2] = {
        {.binding = 0, .type = WEFT_ARGUMENT_STORAGE_BUFFER, .flags = WEFT_ARGUMENT_READ_ONLY},
        {.binding = 2, .type = WEFT_ARGUMENT_STORAGE_BUFFER}};
    desc.layouts[0] = layout(&f, written, 2);
    compute_refused(&f, &desc, WEFT_RULE_LAYOUT_WRITTEN);
    weft_argument_layout_destroy(f.dev, desc.layouts[0]);
    weft_shader_destroy(f.dev, shader);
    fixture_close(&f);
}

static void layout_create_refused(struct fixture *f, const weft_argument *arguments, uint32_t count,
                                  weft_rule rule)
{
    weft_argument_layout out;
    const weft_argument_layout_desc desc = {.arguments = arguments, .argument_count = count};
    EXPECT_EQ(weft_argument_layout_create(f->dev, &desc, &out), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
}

TEST(pipeline_rules, layouts_are_well_formed)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_sampler sampler;
    EXPECT_EQ(weft_sampler_create(f.dev, &(weft_sampler_desc){0}, &sampler), WEFT_OK);
    const weft_argument uniform = {.type = WEFT_ARGUMENT_UNIFORM_BUFFER};
    weft_argument a[2] = {{0}};
    layout_create_refused(&f, a, 1, WEFT_RULE_LAYOUT_TYPE);
    a[0] = a[1] = uniform;
    layout_create_refused(&f, a, 2, WEFT_RULE_LAYOUT_BINDING_TWICE);
    a[0] = (weft_argument){.type = WEFT_ARGUMENT_SAMPLER, .flags = WEFT_ARGUMENT_DYNAMIC};
    layout_create_refused(&f, a, 1, WEFT_RULE_LAYOUT_DYNAMIC);
    a[0] = uniform;
    a[0].flags = WEFT_ARGUMENT_READ_ONLY;
    layout_create_refused(&f, a, 1, WEFT_RULE_LAYOUT_READ_ONLY);
    a[0] = uniform;
    a[0].fixed = sampler;
    layout_create_refused(&f, a, 1, WEFT_RULE_LAYOUT_FIXED);
    a[0] = (weft_argument){.type = WEFT_ARGUMENT_STORAGE_TEXTURE};
    layout_create_refused(&f, a, 1, WEFT_RULE_LAYOUT_STORAGE_FORMAT);
    a[0] = uniform;
    a[0].count = 1u << 20;
    layout_create_refused(&f, a, 1, WEFT_RULE_LAYOUT_SIZE);
    layout_create_refused(&f, a, 100000, WEFT_RULE_LAYOUT_SIZE);
    a[0].count = 0;
    a[0].binding = 65536;
    layout_create_refused(&f, a, 1, WEFT_RULE_LAYOUT_SIZE);
    a[0].binding = 0;
    a[0].count = 17;
    layout_create_refused(&f, a, 1, WEFT_RULE_LAYOUT_LIMIT);
    weft_sampler_destroy(f.dev, sampler);
    fixture_close(&f);
}

TEST(pipeline_rules, the_layout_of_a_pipeline_is_its_own)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_mesh m = record_mesh_create(&f);
    weft_argument_layout_destroy(f.dev, weft_graphics_pipeline_layout(f.dev, m.pipeline, 0));
    EXPECT(fixture_took(&f, WEFT_RULE_OBJECT_NOT_YOURS));
    weft_graphics_pipeline_layout(f.dev, m.pipeline, 3);
    EXPECT(fixture_took(&f, WEFT_RULE_ARGUMENT_SLOT));
    EXPECT(weft_argument_layout_is_none(weft_graphics_pipeline_layout(f.dev, m.pipeline, 2)));
    record_mesh_destroy(&f, &m);
    fixture_close(&f);
}
