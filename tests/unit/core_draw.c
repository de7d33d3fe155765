// Pipelines, tables and draws on the noop device, where nothing is broken.
#include "support/record.h"

#include "core/record.h"

TEST(core_draw, a_plain_pipeline_draws)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_plain p = record_plain_create(&f);
    EXPECT_EQ(weft_graphics_pipeline_ready(f.dev, p.pipeline), WEFT_OK);
    weft_command_buffer *cmd = record_begin(&f);
    weft_render_encoder *enc = record_pass(cmd, p.view);
    weft_render_set_pipeline(enc, p.pipeline);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&f, cmd);
    EXPECT_EQ(weft_device_get_counters(f.dev).draws, 1);
    record_plain_destroy(&f, &p);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(core_draw, a_mesh_draws_with_all_that_it_needs)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_mesh m = record_mesh_create(&f);
    weft_command_buffer *cmd = record_begin(&f);
    weft_render_encoder *enc = record_pass(cmd, m.view);
    record_mesh_bind(enc, &m);
    weft_render_draw(enc, 3, 2, 0, 0);
    weft_render_draw_indexed(enc, 6, 1, 0, 0, 1);
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&f, cmd);
    EXPECT_EQ(weft_device_get_counters(f.dev).draws, 2);
    record_mesh_destroy(&f, &m);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(core_draw, zero_sized_work_is_no_error)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_plain p = record_plain_create(&f);
    weft_command_buffer *cmd = record_begin(&f);
    weft_render_encoder *enc = record_pass(cmd, p.view);
    weft_render_draw(enc, 0, 1, 0, 0);
    weft_render_draw(enc, 3, 0, 0, 0);
    weft_render_draw_indexed(enc, 0, 1, 0, 0, 0);
    weft_render_draw_mesh(enc, 0, 1, 1);
    weft_render_draw_indirect(enc, &(weft_indirect_draws){0});
    weft_render_end(enc);
    weft_compute_encoder *compute = weft_command_begin_compute(cmd, NULL);
    weft_compute_dispatch(compute, 0, 1, 1);
    weft_compute_end(compute);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&f, cmd);
    EXPECT_EQ(weft_device_get_counters(f.dev).draws, 0);
    record_plain_destroy(&f, &p);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

/// One frame that writes a table anew, sets it and draws.
static void frame(struct fixture *f, struct record_mesh *m, uint64_t offset)
{
    const weft_argument_write write = {
        .binding = 1, .buffer = m->uniforms, .offset = offset, .size = 64};
    EXPECT_EQ(weft_argument_table_write(f->dev, m->material, &write, 1), WEFT_OK);
    weft_command_buffer *cmd = record_begin(f);
    weft_render_encoder *enc = record_pass(cmd, m->view);
    record_mesh_bind(enc, m);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    weft_command_barrier(cmd, WEFT_STAGE_TARGET, WEFT_STAGE_TARGET, 0); // the next draws there, too
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(f, cmd);
}

TEST(core_draw, a_frame_with_tables_allocates_nothing_once_it_runs)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_mesh m = record_mesh_create(&f);
    for (int i = 0; i < 8; ++i)
        frame(&f, &m, (uint64_t)(i & 1) * 256);
    const uint64_t before = weft_device_get_counters(f.dev).allocations;
    for (int i = 0; i < 200; ++i)
        frame(&f, &m, (uint64_t)(i & 1) * 256);
    EXPECT_EQ(weft_device_get_counters(f.dev).allocations, before);
    record_mesh_destroy(&f, &m);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(core_draw, a_table_that_is_written_while_open_gets_another_version)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_mesh m = record_mesh_create(&f);
    weft_command_buffer *cmd = record_begin(&f);
    weft_render_encoder *enc = record_pass(cmd, m.view);
    const struct wf_core_table *table = wf_core_argument_table_find(f.dev, m.material)->table;
    for (uint32_t i = 0; i < 5; ++i) {
        const weft_argument_write write = {.binding = 1, .buffer = m.uniforms, .size = 64};
        EXPECT_EQ(weft_argument_table_write(f.dev, m.material, &write, 1), WEFT_OK);
        record_mesh_bind(enc, &m);
        weft_render_draw(enc, 3, 1, 0, 0);
        EXPECT_EQ(table->versions, i + 1);
        record_mesh_bind(enc, &m);
        EXPECT_EQ(table->versions, i + 1); // not written in between
    }
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&f, cmd);
    weft_device_poll(f.dev);
    frame(&f, &m, 0);
    EXPECT_EQ(table->versions, 5); // one that had finished was taken
    record_mesh_destroy(&f, &m);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(core_draw, pipelines_are_built_in_the_background)
{
    struct fixture f = fixture_open_validation(WEFT_BACKEND_NOOP, WEFT_VALIDATION_ERRORS);
    struct record_plain p = record_plain_create(&f);
    weft_graphics_pipeline late[16];
    for (int i = 0; i < 16; ++i) {
        weft_graphics_pipeline_desc desc = record_plain_desc(&p);
        desc.flags = WEFT_PIPELINE_BACKGROUND;
        EXPECT_EQ(weft_graphics_pipeline_create(f.dev, &desc, &late[i]), WEFT_OK);
        if (i % 3 == 0)
            weft_graphics_pipeline_destroy(f.dev, late[i]);
    }
    weft_command_buffer *cmd = record_begin(&f);
    weft_render_encoder *enc = record_pass(cmd, p.view);
    weft_render_set_pipeline(enc, late[1]); // waits
    EXPECT_EQ(weft_graphics_pipeline_ready(f.dev, late[1]), WEFT_OK);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&f, cmd);
    for (int i = 0; i < 16; ++i) {
        if (i % 3 != 0)
            weft_graphics_pipeline_destroy(f.dev, late[i]);
    }
    record_plain_destroy(&f, &p);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(core_draw, layouts_with_the_same_contents_are_compatible)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_mesh m = record_mesh_create(&f);
    weft_argument_layout own;
    const weft_argument argument = {.type = WEFT_ARGUMENT_UNIFORM_BUFFER,
                                    .stages = WEFT_SHADER_STAGE_VERTEX};
    const weft_argument_layout_desc desc = {.arguments = &argument, .argument_count = 1};
    EXPECT_EQ(weft_argument_layout_create(f.dev, &desc, &own), WEFT_OK);
    const weft_argument_write write = {.buffer = m.uniforms, .size = 64};
    weft_argument_table table = record_table(&f, own, &write, 1);
    weft_command_buffer *cmd = record_begin(&f);
    weft_render_encoder *enc = record_pass(cmd, m.view);
    record_mesh_bind(enc, &m);
    weft_render_set_arguments(enc, 0, table, NULL, 0);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    weft_command_discard(cmd);
    weft_argument_table_destroy(f.dev, table);
    weft_argument_layout_destroy(f.dev, own);
    record_mesh_destroy(&f, &m);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(core_draw, a_compute_pipeline_dispatches)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_shader shader = RECORD_SHADER(&f, store_comp);
    const weft_constant size = {.id = 0, .value = 64};
    weft_compute_pipeline pipeline;
    const weft_compute_pipeline_desc desc = {
        .compute = {.shader = shader, .constants = &size, .constant_count = 1}};
    EXPECT_EQ(weft_compute_pipeline_create(f.dev, &desc, &pipeline), WEFT_OK);
    weft_buffer buffer = record_buffer(&f, 256, WEFT_BUFFER_USAGE_STORAGE);
    const weft_argument_write writes[] = {{.binding = 0, .buffer = buffer, .size = 128},
                                          {.binding = 2, .buffer = buffer, .offset = 128}};
    weft_argument_table table =
        record_table(&f, weft_compute_pipeline_layout(f.dev, pipeline, 0), writes, 2);
    weft_command_buffer *cmd = record_begin(&f);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_set_root(enc, 0, &(uint32_t){7}, 4);
    weft_compute_dispatch(enc, 2, 1, 1);
    weft_compute_end(enc);
    weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_ALL, 0);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&f, cmd);
    EXPECT_EQ(weft_device_get_counters(f.dev).dispatches, 1);
    weft_argument_table_destroy(f.dev, table);
    weft_buffer_destroy(f.dev, buffer);
    weft_compute_pipeline_destroy(f.dev, pipeline);
    weft_shader_destroy(f.dev, shader);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(core_draw, a_shader_tells_what_it_needs)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_shader shader = RECORD_SHADER(&f, mesh_frag);
    weft_reflection r;
    EXPECT(weft_shader_reflect(f.dev, shader, 0, &r));
    EXPECT_STR(r.entry, "main");
    EXPECT_EQ(r.stage, WEFT_SHADER_STAGE_FRAGMENT);
    EXPECT_EQ(r.binding_count, 2);
    EXPECT_EQ(r.bindings[0].type, WEFT_ARGUMENT_COMBINED);
    EXPECT_EQ(r.bindings[1].size, 64);
    EXPECT_EQ(r.root_size, 80);
    EXPECT_EQ(r.constant_count, 2);
    EXPECT_EQ(r.constants[0].id, 3);
    EXPECT_EQ(r.constants[0].value, 4);
    EXPECT_EQ(r.input_count, 1);
    EXPECT_EQ(r.outputs[0].type, WEFT_SAMPLE_CLASS_FLOAT);
    EXPECT(!weft_shader_reflect(f.dev, shader, 1, &r));
    weft_shader_destroy(f.dev, shader);
    fixture_close(&f);
}

TEST(core_draw, a_module_is_described_without_a_device)
{
    char *text;
    EXPECT_EQ(weft_shader_describe(mesh_frag, sizeof mesh_frag, &text), WEFT_OK);
    EXPECT(strstr(text, "entry point \"main\": fragment") != NULL);
    EXPECT(strstr(text, "slot 1, binding 1: uniform buffer, 64 bytes") != NULL);
    EXPECT(strstr(text, "OpFunctionEnd") != NULL);
    weft_text_free(text);
    EXPECT_EQ(weft_shader_describe("no shader at all", 16, &text), WEFT_ERROR_SHADER);
    EXPECT(strlen(text) > 10);
    weft_text_free(text);
}

TEST(core_draw, a_blend_state_that_is_not_listed_is_noted_where_it_is_baked)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    f.dev->caps.features &= ~WEFT_FEATURE_DYNAMIC_BLEND;
    struct record_plain p = record_plain_create(&f);
    weft_command_buffer *cmd = record_begin(&f);
    weft_render_encoder *enc = record_pass(cmd, p.view);
    weft_render_set_pipeline(enc, p.pipeline);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_set_blend(enc, &(weft_blend_state){0}); // the one that is listed
    weft_render_draw(enc, 3, 1, 0, 0);
    EXPECT_EQ(fixture_count(&f), 0);
    weft_render_set_blend(enc, &(weft_blend_state){.targets[0].enable = true});
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_draw(enc, 3, 1, 0, 0);
    EXPECT_EQ(f.log->severity, WEFT_SEVERITY_PERFORMANCE);
    EXPECT(fixture_took(&f, WEFT_RULE_PIPELINE_VARIANT));
    EXPECT_EQ(weft_device_get_counters(f.dev).pipeline_variants, 1);
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    weft_command_discard(cmd);
    record_plain_destroy(&f, &p);
    fixture_close(&f);
}

TEST(core_draw, a_query_is_pending_until_its_submission_has_finished)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_query_pool pool;
    EXPECT_EQ(weft_query_pool_create(f.dev, &(weft_query_pool_desc){.count = 4}, &pool), WEFT_OK);
    weft_command_buffer *cmd = record_begin(&f);
    const weft_compute_pass_desc pass = {.times = {.pool = pool, .begin = 1, .end = 3}};
    weft_compute_end(weft_command_begin_compute(cmd, &pass));
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    const uint64_t serial = record_submit(&f, cmd);
    struct wf_core_queries *queries = wf_core_query_pool_find(f.dev, pool)->queries;
    EXPECT_EQ(atomic_load(&queries->serials[0]), 0);
    EXPECT_EQ(atomic_load(&queries->serials[1]), serial);
    EXPECT_EQ(atomic_load(&queries->serials[2]), 0);
    EXPECT_EQ(atomic_load(&queries->serials[3]), serial);
    uint64_t results[4];
    EXPECT_EQ(weft_query_pool_read(f.dev, pool, 0, 4, results, sizeof results), WEFT_OK);
    atomic_store(&queries->serials[2], serial + 1); // noop is never late by itself
    EXPECT_EQ(weft_query_pool_read(f.dev, pool, 0, 4, results, sizeof results), WEFT_PENDING);
    EXPECT_EQ(weft_query_pool_read(f.dev, pool, 0, 2, results, sizeof results), WEFT_OK);
    weft_query_pool_destroy(f.dev, pool);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}
