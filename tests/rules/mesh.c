// Mesh pipelines and their draws; each test breaks one rule after the other.
#include "support/meshlets.h"

#include "alone.mesh.spv.h"
#include "large.mesh.spv.h"
#include "large.task.spv.h"

static void refused(struct fixture *f, const weft_graphics_pipeline_desc *desc, weft_rule rule)
{
    weft_graphics_pipeline pipeline = {.index = 1};
    EXPECT_EQ(weft_graphics_pipeline_create(f->dev, desc, &pipeline), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
    EXPECT(weft_graphics_pipeline_is_none(pipeline));
}

TEST(mesh_rules, pipelines_have_a_mesh_shader_in_place_of_vertices)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct meshlets m = meshlets_create(&f);
    struct record_mesh other = record_mesh_create(&f);
    const weft_graphics_pipeline_desc good = meshlets_desc(&m);
    weft_graphics_pipeline_desc desc = good;
    desc.vertex.shader = other.vertex;
    refused(&f, &desc, WEFT_RULE_PIPELINE_MESH);
    desc = good;
    desc.mesh.shader = (weft_shader){0};
    refused(&f, &desc, WEFT_RULE_PIPELINE_MESH);
    desc = good;
    desc.streams = record_mesh_streams;
    desc.stream_count = 1;
    refused(&f, &desc, WEFT_RULE_PIPELINE_MESH_INPUT);
    desc = good;
    desc.topology = WEFT_TOPOLOGY_LINE_LIST;
    refused(&f, &desc, WEFT_RULE_PIPELINE_MESH_INPUT);
    desc = good;
    desc.task.shader = m.mesh;
    refused(&f, &desc, WEFT_RULE_PIPELINE_ENTRY);
    record_mesh_destroy(&f, &other);
    meshlets_destroy(&f, &m);
    fixture_close(&f);
}

TEST(mesh_rules, shaders_of_a_pipeline_fit_each_other)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct meshlets m = meshlets_create(&f);
    const weft_shader alone = RECORD_SHADER(&f, alone_mesh);
    const weft_graphics_pipeline_desc good = meshlets_desc(&m);
    weft_graphics_pipeline_desc desc = good;
    desc.task.shader = (weft_shader){0};
    refused(&f, &desc, WEFT_RULE_PIPELINE_PAYLOAD);
    desc = good;
    desc.mesh.shader = alone;
    weft_graphics_pipeline pipeline;
    EXPECT_EQ(weft_graphics_pipeline_create(f.dev, &desc, &pipeline), WEFT_ERROR_USAGE);
    EXPECT_EQ(fixture_count(&f), 2); // four components are one; only one comes with primitives
    EXPECT(strstr(f.log->message, "PerPrimitiveEXT") != NULL);
    fixture_clear(&f);
    const weft_constant sizes[] = {{.id = 0, .value = 129}, {.id = 0, .value = 0}};
    for (int i = 0; i < 2; ++i) {
        desc = good;
        desc.mesh.constants = &sizes[i];
        desc.mesh.constant_count = 1;
        refused(&f, &desc, WEFT_RULE_SHADER_WORKGROUP);
    }
    weft_shader_destroy(f.dev, alone);
    meshlets_destroy(&f, &m);
    fixture_close(&f);
}

TEST(mesh_rules, what_is_handed_on_is_within_limits)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_shader shader;
    weft_shader_desc desc = {.code = large_mesh, .size = sizeof large_mesh};
    EXPECT_EQ(weft_shader_create(f.dev, &desc, &shader), WEFT_ERROR_SHADER);
    EXPECT(strstr(f.log->message, "132 output components") != NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_SHADER_MESH));
    desc = (weft_shader_desc){.code = large_task, .size = sizeof large_task};
    EXPECT_EQ(weft_shader_create(f.dev, &desc, &shader), WEFT_ERROR_SHADER);
    EXPECT(fixture_saw(&f, WEFT_RULE_SHADER_WORKGROUP) && fixture_saw(&f, WEFT_RULE_SHADER_MESH));
    fixture_clear(&f);
    fixture_close(&f);
}

TEST(mesh_rules, reflection_tells_what_is_handed_on)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct meshlets m = meshlets_create(&f);
    weft_reflection r;
    EXPECT(weft_shader_reflect(f.dev, m.mesh, 0, &r));
    EXPECT_EQ(r.stage, WEFT_SHADER_STAGE_MESH);
    EXPECT(r.output_vertices == 3 && r.output_primitives == 1 && r.payload_size == 16);
    EXPECT(r.output_count == 2 && !r.outputs[0].per_primitive && r.outputs[1].per_primitive);
    EXPECT_EQ(r.outputs[0].locations, 1);
    EXPECT_EQ(r.features, WEFT_FEATURE_MESH_SHADERS);
    EXPECT(weft_shader_reflect(f.dev, m.task, 0, &r));
    EXPECT(r.stage == WEFT_SHADER_STAGE_TASK && r.payload_size == 16 && r.workgroup[0] == 4);
    EXPECT(weft_shader_reflect(f.dev, m.fragment, 0, &r));
    EXPECT(r.input_count == 2 && r.inputs[1].per_primitive);
    meshlets_destroy(&f, &m);
    fixture_close(&f);
}

// ---- draws -------------------------------------------------------------------------------------

struct recording {
    struct fixture f;
    struct meshlets m;
    struct record_plain plain;
    weft_command_buffer *cmd;
    weft_render_encoder *enc;
};

static void begin(struct recording *r)
{
    r->cmd = record_begin(&r->f);
    r->enc = record_pass(r->cmd, r->plain.view);
    meshlets_bind(r->enc, &r->m);
}

static struct recording recording(void)
{
    struct recording r = {.f = fixture_open(WEFT_BACKEND_NOOP)};
    r.m = meshlets_create(&r.f);
    r.plain = record_plain_create(&r.f);
    begin(&r);
    return r;
}

static void took(struct recording *r, weft_rule rule)
{
    weft_render_end(r->enc);
    EXPECT_EQ(weft_command_end(r->cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&r->f, rule));
    begin(r);
}

/// The last recording is good.
static void finish(struct recording *r)
{
    weft_render_draw_mesh(r->enc, 1, 2, 3);
    weft_render_set_pipeline(r->enc, r->plain.pipeline);
    weft_render_draw(r->enc, 3, 1, 0, 0);
    weft_render_set_pipeline(r->enc, r->m.pipeline);
    weft_render_draw_mesh(r->enc, 4, 1, 1);
    weft_render_end(r->enc);
    EXPECT_EQ(weft_command_end(r->cmd), WEFT_OK);
    record_submit(&r->f, r->cmd);
    EXPECT_EQ(weft_device_get_counters(r->f.dev).draws, 3);
    EXPECT_EQ(fixture_count(&r->f), 0);
    meshlets_destroy(&r->f, &r->m);
    record_plain_destroy(&r->f, &r->plain);
    fixture_close(&r->f);
}

TEST(mesh_rules, draws_are_of_their_kind)
{
    struct recording r = recording();
    weft_buffer arguments =
        record_buffer(&r.f, 64, WEFT_BUFFER_USAGE_INDIRECT | WEFT_BUFFER_USAGE_INDEX);
    const weft_indirect_draws draws = {.buffer = arguments, .max_count = 1};
    weft_render_draw_mesh(r.enc, 1, 1, 1); // from here on the fast path would take other draws
    weft_render_draw(r.enc, 3, 1, 0, 0);
    took(&r, WEFT_RULE_DRAW_PIPELINE);
    weft_render_set_index_buffer(r.enc, arguments, 0, WEFT_INDEX_UINT32);
    weft_render_draw_mesh(r.enc, 1, 1, 1);
    weft_render_draw_indexed(r.enc, 3, 1, 0, 0, 0);
    took(&r, WEFT_RULE_DRAW_PIPELINE);
    weft_render_draw_indirect(r.enc, &draws);
    took(&r, WEFT_RULE_DRAW_PIPELINE);
    weft_render_set_pipeline(r.enc, r.plain.pipeline);
    weft_render_draw_mesh(r.enc, 1, 1, 1);
    took(&r, WEFT_RULE_DRAW_PIPELINE);
    weft_render_set_pipeline(r.enc, r.plain.pipeline);
    weft_render_draw_mesh_indirect(r.enc, &draws);
    took(&r, WEFT_RULE_DRAW_PIPELINE);
    weft_buffer_destroy(r.f.dev, arguments);
    finish(&r);
}

TEST(mesh_rules, draws_fit)
{
    struct recording r = recording();
    weft_render_draw_mesh(r.enc, 65536, 1, 1);
    took(&r, WEFT_RULE_DRAW_MESH_SIZE);
    weft_render_draw_mesh(r.enc, 2048, 2049, 1);
    took(&r, WEFT_RULE_DRAW_MESH_SIZE);
    weft_render_draw_mesh(r.enc, 65535, 1, 65535);
    took(&r, WEFT_RULE_DRAW_MESH_SIZE);
    weft_render_draw_mesh(r.enc, 65536, 0, 1); // draws nothing
    weft_render_draw_mesh_indirect(r.enc, &(weft_indirect_draws){.max_count = 0});
    weft_render_end(r.enc);
    r.enc = record_pass(r.cmd, r.plain.view);
    weft_render_draw_mesh(r.enc, 1, 1, 1);
    took(&r, WEFT_RULE_PIPELINE_MISSING);
    weft_render_end(r.enc);
    r.enc = record_pass(r.cmd, r.plain.view);
    weft_render_set_pipeline(r.enc, r.m.pipeline);
    weft_render_set_root(r.enc, WEFT_SHADER_STAGE_FRAGMENT, 0, &(uint32_t[8]){0}, 32);
    weft_render_draw_mesh(r.enc, 1, 1, 1);
    took(&r, WEFT_RULE_ROOT_UNWRITTEN);
    weft_render_end(r.enc);
    weft_command_barrier(r.cmd, WEFT_STAGE_TARGET, WEFT_STAGE_TARGET, 0);
    r.enc = record_pass(r.cmd, r.plain.view);
    weft_render_set_pipeline(r.enc, r.m.pipeline);
    weft_render_set_root(r.enc, 0, 0, &(uint32_t[8]){0}, 32); // of every stage
    finish(&r);
}

TEST(mesh_rules, indirect_draws_fit)
{
    struct recording r = recording();
    weft_buffer arguments = record_buffer(&r.f, 48, WEFT_BUFFER_USAGE_INDIRECT);
    weft_indirect_draws draws = {.buffer = arguments, .max_count = 4, .count_buffer = arguments};
    weft_render_draw_mesh_indirect(r.enc, &draws); // 12 bytes each
    EXPECT_EQ(fixture_count(&r.f), 0);
    draws.max_count = 5;
    weft_render_draw_mesh_indirect(r.enc, &draws);
    took(&r, WEFT_RULE_COMMAND_BUFFER_RANGE);
    draws = (weft_indirect_draws){.buffer = arguments, .max_count = 2, .stride = 8};
    weft_render_draw_mesh_indirect(r.enc, &draws);
    took(&r, WEFT_RULE_INDIRECT_STRIDE);
    weft_buffer_destroy(r.f.dev, arguments);
    finish(&r);
}

TEST(mesh_rules, statistics_count_no_meshlets)
{
    struct recording r = recording();
    weft_query_pool pool;
    EXPECT_EQ(
        weft_query_pool_create(
            r.f.dev, &(weft_query_pool_desc){.kind = WEFT_QUERY_STATISTICS, .count = 1}, &pool),
        WEFT_OK);
    weft_render_begin_statistics(r.enc, pool, 0);
    weft_render_draw_mesh(r.enc, 1, 1, 1);
    weft_render_end_statistics(r.enc);
    took(&r, WEFT_RULE_STATISTICS_MESH);
    weft_query_pool_destroy(r.f.dev, pool);
    finish(&r);
}

TEST(mesh_rules, indirect_arguments_are_ordered_by_barriers)
{
    struct recording r = recording();
    weft_buffer arguments =
        record_buffer(&r.f, 64, WEFT_BUFFER_USAGE_INDIRECT | WEFT_BUFFER_USAGE_COPY_DST);
    weft_command_discard(r.cmd);
    for (int barrier = 1; barrier >= 0; --barrier) {
        r.cmd = record_begin(&r.f);
        weft_compute_encoder *enc = weft_command_begin_compute(r.cmd, NULL);
        weft_compute_fill_buffer(enc, arguments, 0, 0, 0);
        weft_compute_end(enc);
        if (barrier)
            weft_command_barrier(r.cmd, WEFT_STAGE_COPY, WEFT_STAGE_DRAW_INDIRECT,
                                 WEFT_HAZARD_DRAW_ARGUMENTS);
        r.enc = record_pass(r.cmd, r.plain.view);
        meshlets_bind(r.enc, &r.m);
        weft_render_draw_mesh_indirect(r.enc,
                                       &(weft_indirect_draws){.buffer = arguments, .max_count = 2});
        weft_render_end(r.enc);
        weft_command_barrier(r.cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
        EXPECT_EQ(weft_command_end(r.cmd), WEFT_OK);
        record_submit(&r.f, r.cmd);
        EXPECT_EQ(fixture_count(&r.f), !barrier);
    }
    EXPECT(strstr(r.f.log->message, "bytes 0 to 23"));
    EXPECT(fixture_took(&r.f, WEFT_RULE_BARRIER_MISSING));
    weft_buffer_destroy(r.f.dev, arguments);
    meshlets_destroy(&r.f, &r.m);
    record_plain_destroy(&r.f, &r.plain);
    fixture_close(&r.f);
}
