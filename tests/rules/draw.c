#include "support/record.h"

/// A recording in a pass of the mesh's target; each test breaks one rule in it.
struct recording {
    struct fixture f;
    struct record_mesh m;
    weft_command_buffer *cmd;
    weft_render_encoder *enc;
};

static void begin(struct recording *r)
{
    r->cmd = record_begin(&r->f);
    r->enc = record_pass(r->cmd, r->m.view);
    record_mesh_bind(r->enc, &r->m);
}

static struct recording recording(void)
{
    struct recording r = {.f = fixture_open(WEFT_BACKEND_NOOP)};
    r.m = record_mesh_create(&r.f);
    begin(&r);
    return r;
}

/// Expects that one rule was broken, and begins anew.
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
    weft_render_draw(r->enc, 3, 1, 0, 0);
    weft_render_end(r->enc);
    EXPECT_EQ(weft_command_end(r->cmd), WEFT_OK);
    weft_command_discard(r->cmd);
    EXPECT_EQ(fixture_count(&r->f), 0);
    record_mesh_destroy(&r->f, &r->m);
    fixture_close(&r->f);
}

TEST(draw_rules, what_was_refused_is_told_once)
{
    struct recording r = recording();
    const weft_buffer none = {0};
    weft_render_end(r.enc);
    r.enc = record_pass(r.cmd, r.m.view); // nothing is bound
    weft_render_set_pipeline(r.enc, (weft_graphics_pipeline){0});
    weft_render_draw(r.enc, 3, 1, 0, 0);
    weft_render_draw_indexed(r.enc, 3, 1, 0, 0, 0);
    took(&r, WEFT_RULE_HANDLE_NONE);
    weft_render_set_vertex_buffer(r.enc, 0, none, 0);
    weft_render_draw(r.enc, 1u << 20, 1, 0, 0);
    took(&r, WEFT_RULE_HANDLE_NONE);
    weft_render_set_index_buffer(r.enc, none, 0, WEFT_INDEX_UINT16);
    weft_render_draw_indexed(r.enc, 1u << 20, 1, 0, 0, 0);
    took(&r, WEFT_RULE_HANDLE_NONE);
    weft_render_set_arguments(r.enc, 0, (weft_argument_table){0}, NULL, 0);
    weft_render_draw(r.enc, 1u << 20, 1, 0, 0);
    took(&r, WEFT_RULE_HANDLE_NONE);
    weft_render_set_root(r.enc, 0, 2, &r, 4);
    weft_render_draw(r.enc, 1u << 20, 1, 0, 0);
    took(&r, WEFT_RULE_ROOT_ALIGNMENT);

    // What is set well afterwards is looked at again.
    weft_render_set_vertex_buffer(r.enc, 0, none, 0);
    EXPECT(fixture_took(&r.f, WEFT_RULE_HANDLE_NONE));
    record_mesh_bind(r.enc, &r.m);
    weft_render_draw(r.enc, 1u << 20, 1, 0, 0);
    took(&r, WEFT_RULE_STREAM_RANGE);
    finish(&r);
}

TEST(draw_rules, a_pipeline_is_set_and_fits_the_pass)
{
    struct recording r = recording();
    weft_render_end(r.enc);
    r.enc = record_pass(r.cmd, r.m.view);
    weft_render_draw(r.enc, 3, 1, 0, 0);
    took(&r, WEFT_RULE_PIPELINE_MISSING);

    weft_graphics_pipeline_desc desc = record_mesh_desc(&r.m);
    desc.samples = 4;
    weft_graphics_pipeline many;
    EXPECT_EQ(weft_graphics_pipeline_create(r.f.dev, &desc, &many), WEFT_OK);
    weft_render_set_pipeline(r.enc, many);
    took(&r, WEFT_RULE_PIPELINE_TARGETS);
    weft_graphics_pipeline_destroy(r.f.dev, many);
    weft_render_set_pipeline(r.enc, many);
    took(&r, WEFT_RULE_HANDLE_STALE);
    finish(&r);
}

TEST(draw_rules, streams_are_bound_and_large_enough)
{
    struct recording r = recording();
    weft_render_draw(r.enc, 4, 1, 0, 0);
    took(&r, WEFT_RULE_STREAM_RANGE);
    weft_render_draw(r.enc, 3, 1, 0, 2);
    took(&r, WEFT_RULE_STREAM_RANGE);
    weft_render_draw(r.enc, UINT32_MAX, 1, UINT32_MAX, 0);
    took(&r, WEFT_RULE_STREAM_RANGE);
    weft_render_set_vertex_buffer(r.enc, 0, r.m.vertices, 20);
    weft_render_draw(r.enc, 3, 1, 0, 0);
    took(&r, WEFT_RULE_STREAM_RANGE);
    weft_render_set_vertex_buffer(r.enc, 16, r.m.vertices, 0);
    took(&r, WEFT_RULE_STREAM_SLOT);
    weft_render_set_vertex_buffer(r.enc, 0, r.m.uniforms, 0);
    took(&r, WEFT_RULE_COMMAND_BUFFER_USAGE);
    weft_render_set_vertex_buffer(r.enc, 0, r.m.vertices, 2);
    took(&r, WEFT_RULE_COMMAND_OFFSET_ALIGNMENT);
    weft_render_set_vertex_buffer(r.enc, 0, r.m.vertices, 64);
    took(&r, WEFT_RULE_COMMAND_BUFFER_RANGE);

    weft_render_end(r.enc);
    r.enc = record_pass(r.cmd, r.m.view);
    const float root[20] = {0};
    weft_render_set_pipeline(r.enc, r.m.pipeline);
    weft_render_set_arguments(r.enc, 0, r.m.globals, NULL, 0);
    weft_render_set_arguments(r.enc, 1, r.m.material, NULL, 0);
    weft_render_set_root(r.enc, 0, 0, root, sizeof root);
    weft_render_set_vertex_buffer(r.enc, 0, r.m.vertices, 0);
    weft_render_draw(r.enc, 3, 1, 0, 0);
    took(&r, WEFT_RULE_STREAM_MISSING);
    finish(&r);
}

TEST(draw_rules, indices_are_bound_and_large_enough)
{
    struct recording r = recording();
    weft_render_draw_indexed(r.enc, 7, 1, 0, 0, 0);
    took(&r, WEFT_RULE_INDEX_RANGE);
    weft_render_draw_indexed(r.enc, 6, 3, 0, 0, 0);
    took(&r, WEFT_RULE_STREAM_RANGE);
    weft_render_set_index_buffer(r.enc, r.m.indices, 1, WEFT_INDEX_UINT16);
    took(&r, WEFT_RULE_COMMAND_OFFSET_ALIGNMENT);
    weft_render_set_index_buffer(r.enc, r.m.indices, 0, WEFT_INDEX_NONE);
    took(&r, WEFT_RULE_ENUM_UNKNOWN);

    weft_graphics_pipeline_desc desc = record_mesh_desc(&r.m);
    desc.topology = WEFT_TOPOLOGY_TRIANGLE_STRIP;
    desc.restart = WEFT_INDEX_UINT32;
    weft_graphics_pipeline strip;
    EXPECT_EQ(weft_graphics_pipeline_create(r.f.dev, &desc, &strip), WEFT_OK);
    weft_render_set_pipeline(r.enc, strip);
    weft_render_draw_indexed(r.enc, 6, 1, 0, 0, 0);
    took(&r, WEFT_RULE_INDEX_RESTART);
    weft_graphics_pipeline_destroy(r.f.dev, strip);

    struct record_plain p = record_plain_create(&r.f);
    weft_render_end(r.enc);
    r.enc = record_pass(r.cmd, r.m.view);
    weft_render_set_pipeline(r.enc, p.pipeline);
    weft_render_draw_indexed(r.enc, 3, 1, 0, 0, 0);
    took(&r, WEFT_RULE_INDEX_MISSING);
    record_plain_destroy(&r.f, &p);
    finish(&r);
}

TEST(draw_rules, tables_are_set_and_fit)
{
    struct recording r = recording();
    weft_render_set_arguments(r.enc, 0, r.m.material, NULL, 0);
    weft_render_draw(r.enc, 3, 1, 0, 0);
    took(&r, WEFT_RULE_ARGUMENTS_LAYOUT);

    const weft_argument_layout layout = weft_graphics_pipeline_layout(r.f.dev, r.m.pipeline, 0);
    weft_argument_table empty = record_table(&r.f, layout, NULL, 0);
    weft_render_set_arguments(r.enc, 0, empty, NULL, 0);
    weft_render_draw(r.enc, 3, 1, 0, 0);
    took(&r, WEFT_RULE_ARGUMENT_UNWRITTEN);
    const weft_argument_write small = {.buffer = r.m.uniforms, .size = 32};
    EXPECT_EQ(weft_argument_table_write(r.f.dev, empty, &small, 1), WEFT_OK);
    weft_render_set_arguments(r.enc, 0, empty, NULL, 0);
    weft_render_draw(r.enc, 3, 1, 0, 0);
    took(&r, WEFT_RULE_ARGUMENT_BLOCK_SIZE);
    weft_argument_table_destroy(r.f.dev, empty);

    weft_render_end(r.enc);
    r.enc = record_pass(r.cmd, r.m.view);
    const float root[20] = {0};
    weft_render_set_pipeline(r.enc, r.m.pipeline);
    weft_render_set_root(r.enc, 0, 0, root, sizeof root);
    weft_render_set_arguments(r.enc, 1, r.m.material, NULL, 0);
    weft_render_set_vertex_buffer(r.enc, 0, r.m.vertices, 0);
    weft_render_set_vertex_buffer(r.enc, 5, r.m.instances, 0);
    weft_render_draw(r.enc, 3, 1, 0, 0);
    took(&r, WEFT_RULE_ARGUMENTS_MISSING);
    finish(&r);
}

TEST(draw_rules, the_root_block_is_written_and_fits)
{
    struct recording r = recording();
    const float root[40] = {0};
    weft_render_set_root(r.enc, 0, 2, root, 4);
    took(&r, WEFT_RULE_ROOT_ALIGNMENT);
    weft_render_set_root(r.enc, 0, 64, root, 68);
    took(&r, WEFT_RULE_ROOT_RANGE);
    weft_render_set_root(r.enc, WEFT_SHADER_STAGE_COMPUTE, 0, root, 4);
    took(&r, WEFT_RULE_BITS_UNKNOWN);
    weft_buffer pointed =
        record_buffer(&r.f, 64, WEFT_BUFFER_USAGE_ADDRESS | WEFT_BUFFER_USAGE_STORAGE);
    weft_render_set_root_pointer(r.enc, 0, 8, pointed, 16);
    weft_render_set_root_pointer(r.enc, 0, 4, pointed, 0);
    took(&r, WEFT_RULE_ROOT_POINTER_ALIGNMENT);
    weft_render_set_root_pointer(r.enc, 0, 8, r.m.uniforms, 0);
    took(&r, WEFT_RULE_COMMAND_BUFFER_USAGE);
    weft_render_set_root_pointer(r.enc, 0, 8, pointed, 65);
    took(&r, WEFT_RULE_COMMAND_BUFFER_RANGE);
    weft_buffer_destroy(r.f.dev, pointed);

    weft_render_end(r.enc);
    r.enc = record_pass(r.cmd, r.m.view);
    weft_render_set_pipeline(r.enc, r.m.pipeline);
    weft_render_set_arguments(r.enc, 0, r.m.globals, NULL, 0);
    weft_render_set_arguments(r.enc, 1, r.m.material, NULL, 0);
    weft_render_set_vertex_buffer(r.enc, 0, r.m.vertices, 0);
    weft_render_set_vertex_buffer(r.enc, 5, r.m.instances, 0);
    weft_render_set_root(r.enc, WEFT_SHADER_STAGE_VERTEX, 0, root, 80);
    weft_render_draw(r.enc, 3, 1, 0, 0);
    took(&r, WEFT_RULE_ROOT_UNWRITTEN);
    finish(&r);
}

TEST(draw_rules, state_fits_the_pass)
{
    struct recording r = recording();
    weft_render_set_depth_stencil(r.enc, &(weft_depth_stencil_state){.depth = WEFT_COMPARE_LESS});
    weft_render_draw(r.enc, 3, 1, 0, 0);
    took(&r, WEFT_RULE_STATE_WITHOUT_ASPECT);
    weft_render_set_depth_stencil(r.enc, &(weft_depth_stencil_state){.depth_write = true});
    took(&r, WEFT_RULE_STATE_DEPTH_WRITE);
    weft_render_set_viewport(r.enc, &(weft_viewport){.width = -1.0f, .height = 8.0f});
    took(&r, WEFT_RULE_VIEWPORT_SIZE);
    weft_render_set_viewport(r.enc,
                             &(weft_viewport){.width = 8.0f, .height = 8.0f, .max_depth = 1.5f});
    took(&r, WEFT_RULE_VIEWPORT_DEPTH);
    weft_render_set_stencil_reference(r.enc, 256);
    took(&r, WEFT_RULE_STENCIL_REFERENCE);
    weft_render_set_raster(r.enc, &(weft_raster_state){.front = (weft_front_face)3});
    took(&r, WEFT_RULE_ENUM_UNKNOWN);
    weft_blend_state blend = {0};
    blend.targets[0].mask = 0x40;
    weft_render_set_blend(r.enc, &blend);
    took(&r, WEFT_RULE_BITS_UNKNOWN);
    finish(&r);
}

TEST(draw_rules, what_is_read_only_is_not_written)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_plain p = record_plain_create(&f);
    weft_texture depth =
        record_texture(&f, WEFT_FORMAT_D24_UNORM_S8_UINT, WEFT_TEXTURE_USAGE_RENDER, 1);
    weft_texture_view view = record_view(&f, depth);
    weft_graphics_pipeline_desc desc = record_plain_desc(&p);
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_LESS, .depth_write = true}};
    desc.depth_stencil = WEFT_FORMAT_D24_UNORM_S8_UINT;
    desc.states = &state;
    desc.state_count = 1;
    weft_graphics_pipeline pipeline;
    EXPECT_EQ(weft_graphics_pipeline_create(f.dev, &desc, &pipeline), WEFT_OK);
    weft_command_buffer *cmd = record_begin(&f);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = p.view, .load = WEFT_LOAD_CLEAR},
                                      .depth_stencil = view,
                                      .depth_load = WEFT_LOAD_LOAD,
                                      .stencil_load = WEFT_LOAD_LOAD,
                                      .read_only = WEFT_ASPECT_DEPTH});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_STATE_READ_ONLY));
    weft_graphics_pipeline_destroy(f.dev, pipeline);
    weft_texture_view_destroy(f.dev, view);
    weft_texture_destroy(f.dev, depth);
    record_plain_destroy(&f, &p);
    fixture_close(&f);
}

TEST(draw_rules, indirect_draws_fit)
{
    struct recording r = recording();
    weft_buffer arguments = record_buffer(&r.f, 64, WEFT_BUFFER_USAGE_INDIRECT);
    weft_indirect_draws draws = {.buffer = arguments, .max_count = 4};
    weft_render_draw_indirect(r.enc, &draws);
    weft_render_draw_indexed_indirect(r.enc, &(weft_indirect_draws){arguments, .max_count = 3});
    EXPECT_EQ(fixture_count(&r.f), 0);
    draws.max_count = 5;
    weft_render_draw_indirect(r.enc, &draws);
    took(&r, WEFT_RULE_COMMAND_BUFFER_RANGE);
    draws.max_count = 2;
    draws.stride = 12;
    weft_render_draw_indirect(r.enc, &draws);
    took(&r, WEFT_RULE_INDIRECT_STRIDE);
    draws.stride = 0;
    draws.root_stride = 4;
    weft_render_draw_indirect(r.enc, &draws);
    took(&r, WEFT_RULE_INDIRECT_STRIDE);
    draws = (weft_indirect_draws){.buffer = r.m.uniforms, .max_count = 1};
    weft_render_draw_indirect(r.enc, &draws);
    took(&r, WEFT_RULE_COMMAND_BUFFER_USAGE);
    draws = (weft_indirect_draws){
        .buffer = arguments, .max_count = 1, .count_buffer = arguments, .count_offset = 62};
    weft_render_draw_indirect(r.enc, &draws);
    weft_render_end(r.enc);
    EXPECT_EQ(weft_command_end(r.cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_saw(&r.f, WEFT_RULE_COMMAND_OFFSET_ALIGNMENT));
    EXPECT(fixture_saw(&r.f, WEFT_RULE_COMMAND_BUFFER_RANGE));
    fixture_clear(&r.f);
    begin(&r);

    weft_buffer large = record_buffer(&r.f, 64u << 20, WEFT_BUFFER_USAGE_INDIRECT);
    draws = (weft_indirect_draws){.buffer = large, .max_count = (1u << 20) + 1};
    weft_render_draw_indirect(r.enc, &draws);
    took(&r, WEFT_RULE_INDIRECT_COUNT);
    weft_buffer_destroy(r.f.dev, large);
    weft_buffer_destroy(r.f.dev, arguments);
    finish(&r);
}

TEST(draw_rules, occlusion_and_statistics_are_bracketed)
{
    struct recording r = recording();
    weft_render_begin_occlusion(r.enc, 0);
    took(&r, WEFT_RULE_OCCLUSION_POOL);
    weft_render_end_occlusion(r.enc);
    took(&r, WEFT_RULE_OCCLUSION_NESTED);
    weft_query_pool pool;
    EXPECT_EQ(
        weft_query_pool_create(
            r.f.dev, &(weft_query_pool_desc){.kind = WEFT_QUERY_STATISTICS, .count = 2}, &pool),
        WEFT_OK);
    weft_render_begin_statistics(r.enc, pool, 2);
    took(&r, WEFT_RULE_QUERY_RANGE);
    weft_render_begin_statistics(r.enc, pool, 1);
    weft_render_begin_statistics(r.enc, pool, 0);
    weft_render_end_statistics(r.enc);
    took(&r, WEFT_RULE_STATISTICS_NESTED);
    weft_render_begin_statistics(r.enc, pool, 1); // and never ended
    took(&r, WEFT_RULE_STATISTICS_NESTED);
    weft_query_pool_destroy(r.f.dev, pool);
    finish(&r);
}

TEST(draw_rules, blending_needs_a_format_that_blends)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_plain p = record_plain_create(&f);
    weft_graphics_pipeline_desc desc = record_plain_desc(&p);
    const weft_pipeline_state none = {.blend.targets[0].mask = WEFT_COLOR_MASK_NO_COLOR};
    desc.colors[0] = WEFT_FORMAT_RGBA8_UINT;
    desc.fragment.shader = (weft_shader){0};
    desc.states = &none;
    desc.state_count = 1;
    weft_graphics_pipeline pipeline;
    EXPECT_EQ(weft_graphics_pipeline_create(f.dev, &desc, &pipeline), WEFT_OK);
    weft_texture whole = record_texture(&f, WEFT_FORMAT_RGBA8_UINT, WEFT_TEXTURE_USAGE_RENDER, 1);
    weft_texture_view view = record_view(&f, whole);
    weft_command_buffer *cmd = record_begin(&f);
    weft_render_encoder *enc = record_pass(cmd, view);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_blend(enc, &(weft_blend_state){.targets[0].enable = true});
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_BLEND_FORMAT));
    weft_texture_view_destroy(f.dev, view);
    weft_texture_destroy(f.dev, whole);
    weft_graphics_pipeline_destroy(f.dev, pipeline);
    record_plain_destroy(&f, &p);
    fixture_close(&f);
}

TEST(draw_rules, a_pipeline_that_is_not_ready_is_waited_for_and_noted)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_plain p = record_plain_create(&f);
    weft_graphics_pipeline_desc desc = record_plain_desc(&p);
    desc.flags = WEFT_PIPELINE_BACKGROUND;
    bool noted = false;
    for (int i = 0; i < 1000 && !noted; ++i) {
        weft_graphics_pipeline late;
        EXPECT_EQ(weft_graphics_pipeline_create(f.dev, &desc, &late), WEFT_OK);
        weft_command_buffer *cmd = record_begin(&f);
        weft_render_encoder *enc = record_pass(cmd, p.view);
        weft_render_set_pipeline(enc, late);
        weft_render_end(enc);
        EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
        weft_command_discard(cmd);
        weft_graphics_pipeline_destroy(f.dev, late);
        noted = fixture_count(&f) > 0;
    }
    if (noted)
        EXPECT(fixture_took(&f, WEFT_RULE_PIPELINE_NOT_READY));
    record_plain_destroy(&f, &p);
    fixture_close(&f);
}

// ---- a pipeline that cannot be built ------------------------------------------------------------

static pthread_t main_thread;

/// Memory for the thread that runs the test only.
static void *alloc_here(void *user, size_t size, size_t align)
{
    (void)user, (void)align;
    return pthread_equal(pthread_self(), main_thread) ? malloc(size) : NULL;
}

static void free_here(void *user, void *ptr, size_t size)
{
    (void)user, (void)size;
    free(ptr);
}

TEST(draw_rules, a_pipeline_that_could_not_be_built_is_not_set)
{
    main_thread = pthread_self();
    struct fixture f = fixture_open_desc(&(weft_device_desc){
        .backends = 1u << WEFT_BACKEND_NOOP,
        .validation = WEFT_VALIDATION_ERRORS,
        .hooks = &(weft_host_hooks){.alloc = alloc_here, .free = free_here},
    });
    struct record_plain p = record_plain_create(&f);
    weft_graphics_pipeline_desc desc = record_plain_desc(&p);
    desc.flags = WEFT_PIPELINE_BACKGROUND;
    weft_graphics_pipeline pipeline;
    EXPECT_EQ(weft_graphics_pipeline_create(f.dev, &desc, &pipeline), WEFT_OK);
    weft_command_buffer *cmd = record_begin(&f);
    weft_render_encoder *enc = record_pass(cmd, p.view);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT_EQ(fixture_count(&f), 2); // the failure, and its use
    EXPECT_EQ(fixture_last_rule(&f), WEFT_RULE_PIPELINE_BROKEN);
    EXPECT_EQ(weft_graphics_pipeline_ready(f.dev, pipeline), WEFT_ERROR_MEMORY);
    weft_graphics_pipeline_destroy(f.dev, pipeline);
    record_plain_destroy(&f, &p);
    fixture_close(&f);
}
