// The missing-barrier check: pairs of commands with and without the barrier that they need.
#include "support/record.h"

enum { BYTES = 4096 };

/// One buffer and one texture that everything uses, and what else is needed to use them.
struct world {
    struct fixture f;
    struct record_mesh mesh;
    weft_buffer all, other;
    weft_texture texture, samples, depth;
    weft_texture_view view, samples_view, depth_view;
    weft_argument_table uniform, sampled; ///< For slot 1 of the mesh.
    weft_shader shader;
    weft_compute_pipeline store;
    weft_argument_table storing, loading, aside; ///< Into the buffer, from it, past it.
    weft_query_pool queries;
};

typedef void action(const struct world *w, weft_command_buffer *cmd);

static weft_texture texture(struct world *w, weft_format format, uint32_t samples,
                            const char *label)
{
    weft_texture out;
    const weft_texture_desc desc = {
        .format = format,
        .width = RECORD_WIDTH,
        .height = RECORD_HEIGHT,
        .samples = samples,
        .layers = samples > 1 ? 1 : 2,
        .mips = samples > 1 ? 1 : 3,
        .usage = WEFT_TEXTURE_USAGE_RENDER |
                 (samples > 1 ? 0
                              : WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_SRC |
                                    WEFT_TEXTURE_USAGE_COPY_DST),
        .label = label,
    };
    EXPECT_EQ(weft_texture_create(w->f.dev, &desc, &out), WEFT_OK);
    return out;
}

static weft_texture_view view(struct world *w, weft_texture of)
{
    weft_texture_view out;
    const weft_texture_view_desc desc = {.texture = of, .mip_count = 1, .layer_count = 1};
    EXPECT_EQ(weft_texture_view_create(w->f.dev, &desc, &out), WEFT_OK);
    return out;
}

static void make_tables(struct world *w)
{
    weft_device *dev = w->f.dev;
    const weft_argument_layout layout = weft_graphics_pipeline_layout(dev, w->mesh.pipeline, 1);
    const weft_argument_write uniform[] = {
        {.binding = 0, .view = w->mesh.texture_view, .sampler = w->mesh.sampler},
        {.binding = 1, .buffer = w->all, .size = 64},
    };
    w->uniform = record_table(&w->f, layout, uniform, 2);
    const weft_argument_write sampled[] = {
        {.binding = 0, .view = w->view, .sampler = w->mesh.sampler},
        {.binding = 1, .buffer = w->mesh.uniforms, .size = 64},
    };
    w->sampled = record_table(&w->f, layout, sampled, 2);
    const weft_argument_layout store = weft_compute_pipeline_layout(dev, w->store, 0);
    const weft_argument_write storing[] = {{.binding = 0, .buffer = w->all, .size = 64},
                                           {.binding = 2, .buffer = w->other, .size = 64}};
    w->storing = record_table(&w->f, store, storing, 2);
    const weft_argument_write loading[] = {{.binding = 0, .buffer = w->other, .size = 64},
                                           {.binding = 2, .buffer = w->all, .size = 64}};
    w->loading = record_table(&w->f, store, loading, 2);
    const weft_argument_write aside[] = {{.binding = 0, .buffer = w->other, .size = 64},
                                         {.binding = 2, .buffer = w->other, .size = 64}};
    w->aside = record_table(&w->f, store, aside, 2);
}

static struct world world_open(weft_backend backend)
{
    struct world w = {.f = fixture_open(backend)};
    w.mesh = record_mesh_create(&w.f);
    const weft_buffer_usage usage = WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST |
                                    WEFT_BUFFER_USAGE_VERTEX | WEFT_BUFFER_USAGE_INDEX |
                                    WEFT_BUFFER_USAGE_UNIFORM | WEFT_BUFFER_USAGE_STORAGE |
                                    WEFT_BUFFER_USAGE_INDIRECT | WEFT_BUFFER_USAGE_QUERY;
    weft_buffer_desc desc = {.size = BYTES, .usage = usage, .label = "all"};
    EXPECT_EQ(weft_buffer_create(w.f.dev, &desc, &w.all), WEFT_OK);
    desc.label = "other";
    EXPECT_EQ(weft_buffer_create(w.f.dev, &desc, &w.other), WEFT_OK);
    w.texture = texture(&w, WEFT_FORMAT_RGBA8_UNORM, 1, "picture");
    w.samples = texture(&w, WEFT_FORMAT_RGBA8_UNORM, 4, "samples");
    w.depth = texture(&w, WEFT_FORMAT_D32_FLOAT, 1, "depth");
    w.view = view(&w, w.texture);
    w.samples_view = view(&w, w.samples);
    w.depth_view = view(&w, w.depth);
    w.shader = RECORD_SHADER(&w.f, store_comp);
    const weft_compute_pipeline_desc store = {.compute = {.shader = w.shader}};
    EXPECT_EQ(weft_compute_pipeline_create(w.f.dev, &store, &w.store), WEFT_OK);
    make_tables(&w);
    const weft_query_pool_desc queries = {.kind = WEFT_QUERY_OCCLUSION, .count = 4};
    EXPECT_EQ(weft_query_pool_create(w.f.dev, &queries, &w.queries), WEFT_OK);
    EXPECT_EQ(fixture_count(&w.f), 0);
    return w;
}

static void world_close(struct world *w)
{
    weft_device *dev = w->f.dev;
    weft_query_pool_destroy(dev, w->queries);
    weft_argument_table_destroy(dev, w->uniform);
    weft_argument_table_destroy(dev, w->sampled);
    weft_argument_table_destroy(dev, w->storing);
    weft_argument_table_destroy(dev, w->loading);
    weft_argument_table_destroy(dev, w->aside);
    weft_compute_pipeline_destroy(dev, w->store);
    weft_shader_destroy(dev, w->shader);
    weft_texture_view_destroy(dev, w->view);
    weft_texture_view_destroy(dev, w->samples_view);
    weft_texture_view_destroy(dev, w->depth_view);
    weft_texture_destroy(dev, w->texture);
    weft_texture_destroy(dev, w->samples);
    weft_texture_destroy(dev, w->depth);
    weft_buffer_destroy(dev, w->all);
    weft_buffer_destroy(dev, w->other);
    record_mesh_destroy(&w->f, &w->mesh);
    fixture_close(&w->f);
}

// ---- actions on the buffer: bytes 0 to 63 ------------------------------------------------------

static void fill(const struct world *w, weft_command_buffer *cmd)
{
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_fill_buffer(enc, w->all, 0, 64, 0);
    weft_compute_end(enc);
}

static void copy_out(const struct world *w, weft_command_buffer *cmd)
{
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer(enc, w->all, 0, w->other, 1024, 64);
    weft_compute_end(enc);
}

static void fill_beside(const struct world *w, weft_command_buffer *cmd)
{
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_fill_buffer(enc, w->all, 64, 64, 0);
    weft_compute_end(enc);
}

static weft_compute_encoder *store_begin(const struct world *w, weft_command_buffer *cmd,
                                         weft_argument_table table)
{
    weft_compute_encoder *enc =
        weft_command_begin_compute(cmd, &(weft_compute_pass_desc){.label = "store"});
    weft_compute_set_pipeline(enc, w->store);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_set_root(enc, 0, &(uint32_t){1}, 4);
    return enc;
}

static void store(const struct world *w, weft_command_buffer *cmd)
{
    weft_compute_encoder *enc = store_begin(w, cmd, w->storing);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
}

static void load(const struct world *w, weft_command_buffer *cmd)
{
    weft_compute_encoder *enc = store_begin(w, cmd, w->loading);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
}

static void dispatch_indirect(const struct world *w, weft_command_buffer *cmd)
{
    weft_compute_encoder *enc = store_begin(w, cmd, w->aside);
    weft_compute_dispatch_indirect(enc, w->all, 0);
    weft_compute_end(enc);
}

static weft_render_encoder *mesh_begin(const struct world *w, weft_command_buffer *cmd)
{
    weft_render_encoder *enc = record_pass(cmd, w->mesh.view);
    record_mesh_bind(enc, &w->mesh);
    return enc;
}

static void draw_vertices(const struct world *w, weft_command_buffer *cmd)
{
    weft_render_encoder *enc = mesh_begin(w, cmd);
    weft_render_set_vertex_buffer(enc, 0, w->all, 0);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
}

static void draw_instances(const struct world *w, weft_command_buffer *cmd)
{
    weft_render_encoder *enc = mesh_begin(w, cmd);
    weft_render_set_vertex_buffer(enc, 5, w->all, 32);
    weft_render_draw(enc, 3, 1, 0, 1);
    weft_render_end(enc);
}

static void draw_indices(const struct world *w, weft_command_buffer *cmd)
{
    weft_render_encoder *enc = mesh_begin(w, cmd);
    weft_render_set_index_buffer(enc, w->all, 0, WEFT_INDEX_UINT32);
    weft_render_draw_indexed(enc, 3, 1, 3, 0, 0);
    weft_render_end(enc);
}

static void draw_uniform(const struct world *w, weft_command_buffer *cmd)
{
    weft_render_encoder *enc = mesh_begin(w, cmd);
    weft_render_set_arguments(enc, 1, w->uniform, NULL, 0);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
}

static void draw_indirect(const struct world *w, weft_command_buffer *cmd)
{
    weft_render_encoder *enc = mesh_begin(w, cmd);
    weft_render_draw_indirect(
        enc, &(weft_indirect_draws){.buffer = w->all, .offset = 4, .max_count = 2});
    weft_render_end(enc);
}

static void resolve_queries(const struct world *w, weft_command_buffer *cmd)
{
    weft_command_resolve_queries(cmd, w->queries, 0, 4, w->all, 32);
}

// ---- actions on the textures: mip 0 of layer 0 -------------------------------------------------

static void pass(const struct world *w, weft_command_buffer *cmd)
{
    weft_render_end(record_pass(cmd, w->view));
}

static void pass_loads(const struct world *w, weft_command_buffer *cmd)
{
    const weft_render_pass_desc desc = {.colors[0] = {.view = w->view, .load = WEFT_LOAD_LOAD},
                                        .label = "loads"};
    weft_render_end(weft_command_begin_render(cmd, &desc));
}

static void pass_resolves(const struct world *w, weft_command_buffer *cmd)
{
    const weft_render_pass_desc desc = {
        .colors[0] = {.view = w->samples_view, .resolve = w->view, .load = WEFT_LOAD_CLEAR}};
    weft_render_end(weft_command_begin_render(cmd, &desc));
}

static void sample(const struct world *w, weft_command_buffer *cmd)
{
    weft_render_encoder *enc = mesh_begin(w, cmd);
    weft_render_set_arguments(enc, 1, w->sampled, NULL, 0);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
}

static void copy_in(const struct world *w, weft_command_buffer *cmd)
{
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer_to_texture(enc, w->other, NULL, w->texture,
                                        &(weft_texture_region){.width = 8, .height = 8});
    weft_compute_end(enc);
}

static void copy_beside(const struct world *w, weft_command_buffer *cmd)
{
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer_to_texture(enc, w->other, NULL, w->texture,
                                        &(weft_texture_region){.x = 8, .width = 8, .height = 8});
    weft_compute_end(enc);
}

static void copy_other_layer(const struct world *w, weft_command_buffer *cmd)
{
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer_to_texture(
        enc, w->other, NULL, w->texture,
        &(weft_texture_region){.layer = 1, .width = 8, .height = 8});
    weft_compute_end(enc);
}

static void mips(const struct world *w, weft_command_buffer *cmd)
{
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_generate_mips(enc, w->texture);
    weft_compute_end(enc);
}

static void depth_pass(const struct world *w, weft_command_buffer *cmd)
{
    const weft_render_pass_desc desc = {.depth_stencil = w->depth_view,
                                        .depth_load = WEFT_LOAD_CLEAR};
    weft_render_end(weft_command_begin_render(cmd, &desc));
}

static void depth_reads(const struct world *w, weft_command_buffer *cmd)
{
    const weft_render_pass_desc desc = {.depth_stencil = w->depth_view,
                                        .depth_load = WEFT_LOAD_LOAD,
                                        .read_only = WEFT_ASPECT_DEPTH};
    weft_render_end(weft_command_begin_render(cmd, &desc));
}

// ---- pairs -------------------------------------------------------------------------------------

struct pair {
    action *first, *second;
    const char *hazard, *memory; ///< What the message says.
    weft_stage_set producers, consumers;
    weft_hazard_set hazards;
    const char *line; ///< What the hint says.
};

#define LINE(P, C, H) "weft_command_barrier(cmd, WEFT_STAGE_" P ", WEFT_STAGE_" C ", " H ");"
#define RAW           "Read after write: "
#define WAW           "Write after write: "
#define WAR           "Write after read: "
#define STAGE(name)   WEFT_STAGE_##name

static const struct pair pairs[] = {
    {fill, copy_out, RAW, "bytes 0 to 63 of buffer \"all\"", STAGE(COPY), STAGE(COPY), 0,
     LINE("COPY", "COPY", "0")},
    {copy_out, fill, WAR, "bytes 0 to 63 of buffer \"all\"", STAGE(COPY), STAGE(COPY), 0,
     LINE("COPY", "COPY", "0")},
    {fill, fill, WAW, "bytes 0 to 63 of buffer \"all\"", STAGE(COPY), STAGE(COPY), 0,
     LINE("COPY", "COPY", "0")},
    {fill, store, WAW, "bytes 0 to 63", STAGE(COPY), STAGE(COMPUTE), 0,
     LINE("COPY", "COMPUTE", "0")},
    {store, store, WAW, "bytes 0 to 63", STAGE(COMPUTE), STAGE(COMPUTE), 0,
     LINE("COMPUTE", "COMPUTE", "0")},
    {store, fill, WAW, "bytes 0 to 63", STAGE(COMPUTE), STAGE(COPY), 0,
     LINE("COMPUTE", "COPY", "0")},
    {load, fill, WAR, "bytes 0 to 63", STAGE(COMPUTE), STAGE(COPY), 0,
     LINE("COMPUTE", "COPY", "0")},
    {fill, load, RAW, "bytes 0 to 63", STAGE(COPY), STAGE(COMPUTE), 0,
     LINE("COPY", "COMPUTE", "0")},
    {fill, dispatch_indirect, RAW, "bytes 0 to 11", STAGE(COPY), STAGE(COMPUTE),
     WEFT_HAZARD_DRAW_ARGUMENTS, LINE("COPY", "COMPUTE", "WEFT_HAZARD_DRAW_ARGUMENTS")},
    {dispatch_indirect, fill, WAR, "bytes 0 to 11", STAGE(COMPUTE), STAGE(COPY), 0,
     LINE("COMPUTE", "COPY", "0")},
    {store, draw_vertices, RAW, "bytes 0 to 59", STAGE(COMPUTE), STAGE(VERTEX_INPUT), 0,
     LINE("COMPUTE", "VERTEX_INPUT", "0")},
    {draw_vertices, store, WAR, "bytes 0 to 59", STAGE(VERTEX_INPUT), STAGE(COMPUTE), 0,
     LINE("VERTEX_INPUT", "COMPUTE", "0")},
    {store, draw_instances, RAW, "bytes 48 to 63", STAGE(COMPUTE), STAGE(VERTEX_INPUT), 0,
     LINE("COMPUTE", "VERTEX_INPUT", "0")},
    {store, draw_indices, RAW, "bytes 12 to 23", STAGE(COMPUTE), STAGE(VERTEX_INPUT), 0,
     LINE("COMPUTE", "VERTEX_INPUT", "0")},
    {fill, draw_uniform, RAW, "bytes 0 to 63", STAGE(COPY), STAGE(FRAGMENT), 0,
     LINE("COPY", "FRAGMENT", "0")},
    {draw_uniform, fill, WAR, "bytes 0 to 63", STAGE(FRAGMENT), STAGE(COPY), 0,
     LINE("FRAGMENT", "COPY", "0")},
    {store, draw_indirect, RAW, "bytes 4 to 35", STAGE(COMPUTE), STAGE(DRAW_INDIRECT),
     WEFT_HAZARD_DRAW_ARGUMENTS, LINE("COMPUTE", "DRAW_INDIRECT", "WEFT_HAZARD_DRAW_ARGUMENTS")},
    {resolve_queries, load, RAW, "bytes 32 to 63", STAGE(COPY), STAGE(COMPUTE), 0,
     LINE("COPY", "COMPUTE", "0")},
    {pass, sample, RAW, "mip 0, layer 0 of texture \"picture\"", STAGE(TARGET), STAGE(FRAGMENT), 0,
     LINE("TARGET", "FRAGMENT", "0")},
    {sample, pass, WAR, "mip 0, layer 0", STAGE(FRAGMENT), STAGE(TARGET), 0,
     LINE("FRAGMENT", "TARGET", "0")},
    {pass, pass, WAW, "mip 0, layer 0", STAGE(TARGET), STAGE(TARGET), 0,
     LINE("TARGET", "TARGET", "0")},
    {copy_in, pass_loads, RAW, "mip 0, layer 0", STAGE(COPY), STAGE(TARGET), 0,
     LINE("COPY", "TARGET", "0")},
    {pass_resolves, sample, RAW, "mip 0, layer 0", STAGE(TARGET), STAGE(FRAGMENT), 0,
     LINE("TARGET", "FRAGMENT", "0")},
    {sample, pass_resolves, WAR, "mip 0, layer 0", STAGE(FRAGMENT), STAGE(TARGET), 0,
     LINE("FRAGMENT", "TARGET", "0")},
    {copy_in, copy_in, WAW, "mip 0, layer 0", STAGE(COPY), STAGE(COPY), 0,
     LINE("COPY", "COPY", "0")},
    {copy_in, mips, RAW, "mip 0, layer 0", STAGE(COPY), STAGE(COPY), 0, LINE("COPY", "COPY", "0")},
    {mips, pass, WAR, "mip 0, layer 0", STAGE(COPY), STAGE(TARGET), 0, LINE("COPY", "TARGET", "0")},
    {depth_pass, depth_reads, RAW, "mip 0, layer 0, depth, of texture \"depth\"", STAGE(TARGET),
     STAGE(TARGET), 0, LINE("TARGET", "TARGET", "0")},
};

/// Records and submits a pair, between barriers that keep the pairs apart.
static void play(struct world *w, const struct pair *p, bool barrier)
{
    weft_command_buffer *cmd = record_begin(&w->f);
    p->first(w, cmd);
    if (barrier)
        weft_command_barrier(cmd, p->producers, p->consumers, p->hazards);
    else // guards the targets of the draws, and nothing that a pair is about
        weft_command_buffer_barrier(cmd,
                                    &(weft_buffer_barrier){.buffer = w->other,
                                                           .producers = WEFT_STAGE_ALL,
                                                           .consumers = WEFT_STAGE_ALL},
                                    1);
    p->second(w, cmd);
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&w->f, cmd);
}

TEST(barrier_rules, every_hazard_is_told_with_the_barrier_that_mends_it)
{
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        const struct pair *p = &pairs[i];
        struct world w = world_open(WEFT_BACKEND_NOOP);
        play(&w, p, true);
        if (fixture_count(&w.f) != 0)
            test_fail(__FILE__, __LINE__, "pair %zu has its barrier: %s", i, w.f.log->message);
        play(&w, p, false);
        const bool told = strstr(w.f.log->message, p->hazard) == w.f.log->message &&
                          strstr(w.f.log->message, p->memory) &&
                          strstr(w.f.log->hint, p->line) == w.f.log->hint + strlen("Record ") &&
                          w.f.log->severity == WEFT_SEVERITY_WARNING;
        if (!told)
            test_fail(__FILE__, __LINE__, "pair %zu: %s %s", i, w.f.log->message, w.f.log->hint);
        EXPECT(fixture_took(&w.f, WEFT_RULE_BARRIER_MISSING));
        world_close(&w);
    }
}

TEST(barrier_rules, what_does_not_touch_or_only_reads_needs_no_barrier)
{
    static const struct {
        action *first, *second;
    } fine[] = {
        {fill, fill_beside},           {load, copy_out},
        {draw_uniform, draw_vertices}, {copy_in, copy_beside},
        {copy_in, copy_other_layer},   {sample, sample},
        {draw_indices, draw_uniform},  {fill, sample},
        {depth_reads, depth_reads},
    };
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; ++i) {
        struct world w = world_open(WEFT_BACKEND_NOOP);
        weft_command_buffer *cmd = record_begin(&w.f);
        fine[i].first(&w, cmd);
        // draws share a target, and some commands the other buffer
        weft_command_barrier(cmd, WEFT_STAGE_TARGET, WEFT_STAGE_TARGET, 0);
        weft_command_buffer_barrier(cmd,
                                    &(weft_buffer_barrier){.buffer = w.other,
                                                           .producers = WEFT_STAGE_ALL,
                                                           .consumers = WEFT_STAGE_ALL},
                                    1);
        fine[i].second(&w, cmd);
        EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
        record_submit(&w.f, cmd);
        EXPECT(!fixture_saw(&w.f, WEFT_RULE_BARRIER_MISSING));
        fixture_clear(&w.f);
        world_close(&w);
    }
}

// ---- sorts of barriers -------------------------------------------------------------------------

static void end(struct world *w, weft_command_buffer *cmd)
{
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&w->f, cmd);
}

/// Whether a missing barrier was told, and nothing else.
static bool missing(struct world *w)
{
    const bool saw = fixture_saw(&w->f, WEFT_RULE_BARRIER_MISSING);
    EXPECT(!saw || fixture_count(&w->f) == 1);
    fixture_clear(&w->f);
    return saw;
}

TEST(barrier_rules, commands_of_one_encoder_have_no_order)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd = record_begin(&w.f);
    weft_compute_encoder *enc = store_begin(&w, cmd, w.storing);
    weft_command_set_origin(cmd, 7);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_command_set_origin(cmd, 8);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    end(&w, cmd);
    EXPECT_EQ(w.f.log->command, 8);
    EXPECT_EQ(w.f.log->object.kind, WEFT_OBJECT_BUFFER);
    EXPECT_EQ(w.f.log->object.index, w.all.index);
    EXPECT(strcmp(w.f.log->label, "all") == 0);
    EXPECT(strcmp(w.f.log->pass, "store") == 0);
    EXPECT(strstr(w.f.log->message, "the dispatch, command 1 (origin 8) in \"store\""));
    EXPECT(strstr(w.f.log->message, "the dispatch, command 0 (origin 7) in \"store\""));
    EXPECT(strstr(w.f.log->hint, "End the encoder between them"));
    EXPECT(missing(&w));
    world_close(&w);
}

TEST(barrier_rules, the_draws_of_a_pass_draw_in_order)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd = record_begin(&w.f);
    weft_render_encoder *enc = mesh_begin(&w, cmd);
    for (int i = 0; i < 5; ++i)
        weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    end(&w, cmd);
    EXPECT(!missing(&w));
    world_close(&w);
}

TEST(barrier_rules, submissions_of_a_queue_need_barriers_between_them)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd = record_begin(&w.f);
    fill(&w, cmd);
    end(&w, cmd);
    cmd = record_begin(&w.f);
    load(&w, cmd);
    end(&w, cmd);
    EXPECT(missing(&w));
    cmd = record_begin(&w.f);
    weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_COPY, 0);
    fill(&w, cmd);
    weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_COMPUTE, 0);
    end(&w, cmd);
    cmd = record_begin(&w.f);
    load(&w, cmd);
    end(&w, cmd);
    EXPECT(!missing(&w));
    world_close(&w);
}

TEST(barrier_rules, a_loop_is_told_once)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    for (int i = 0; i < 10; ++i) {
        weft_command_buffer *cmd = record_begin(&w.f);
        fill(&w, cmd);
        load(&w, cmd);
        weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
        end(&w, cmd);
    }
    EXPECT(missing(&w));
    world_close(&w);
}

TEST(barrier_rules, what_the_cpu_waited_for_is_over)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd = record_begin(&w.f);
    fill(&w, cmd);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    EXPECT_EQ(weft_serial_wait(w.f.dev, record_submit(&w.f, cmd), UINT64_MAX), WEFT_OK);
    cmd = record_begin(&w.f);
    load(&w, cmd);
    end(&w, cmd);
    EXPECT(!missing(&w));
    world_close(&w);
}

TEST(barrier_rules, uploads_and_reads_guard_themselves)
{
    static const uint32_t words[16] = {1};
    struct world w = world_open(WEFT_BACKEND_NOOP);
    for (int i = 0; i < 3; ++i) {
        weft_read read;
        EXPECT_EQ(weft_buffer_write(w.f.dev, w.all, 0, words, sizeof words), WEFT_OK);
        EXPECT_EQ(weft_buffer_write(w.f.dev, w.all, 32, words, 8), WEFT_OK);
        EXPECT_EQ(weft_texture_write(w.f.dev, w.texture,
                                     &(weft_texture_region){.width = 4, .height = 4}, words, NULL),
                  WEFT_OK);
        weft_command_buffer *cmd = record_begin(&w.f);
        draw_uniform(&w, cmd);
        weft_command_barrier(cmd, WEFT_STAGE_TARGET, WEFT_STAGE_TARGET, 0);
        sample(&w, cmd);
        weft_command_barrier(cmd, WEFT_STAGE_TARGET | WEFT_STAGE_FRAGMENT,
                             WEFT_STAGE_TARGET | WEFT_STAGE_COMPUTE, 0);
        store(&w, cmd);
        end(&w, cmd);
        EXPECT_EQ(weft_read_begin_buffer(w.f.dev, w.all, 0, 64, &read), WEFT_OK);
        cmd = record_begin(&w.f);
        store(&w, cmd);
        end(&w, cmd);
        uint32_t got[16];
        EXPECT_EQ(weft_read_take(w.f.dev, read, got, sizeof got), WEFT_OK);
        cmd = record_begin(&w.f);
        weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_ALL, 0);
        end(&w, cmd);
    }
    EXPECT(!missing(&w));
    world_close(&w);
}

TEST(barrier_rules, chains_of_barriers_hold)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd = record_begin(&w.f);
    fill(&w, cmd);
    weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_VERTEX, 0);
    weft_command_barrier(cmd, WEFT_STAGE_VERTEX, WEFT_STAGE_COMPUTE, 0);
    load(&w, cmd);
    end(&w, cmd);
    EXPECT(!missing(&w));
    cmd = record_begin(&w.f);
    weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_COPY, 0);
    fill(&w, cmd);
    weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_VERTEX, 0);
    weft_command_barrier(cmd, WEFT_STAGE_FRAGMENT, WEFT_STAGE_COMPUTE, 0); // starts elsewhere
    load(&w, cmd);
    end(&w, cmd);
    EXPECT(fixture_saw(&w.f, WEFT_RULE_BARRIER_MISSING));
    fixture_clear(&w.f);
    world_close(&w);
}

TEST(barrier_rules, events_order_what_came_before_their_signal)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd = record_begin(&w.f);
    fill(&w, cmd);
    weft_command_signal_after(cmd, WEFT_STAGE_COPY, 3);
    weft_command_wait_before(cmd, WEFT_STAGE_COMPUTE, 0, 3);
    load(&w, cmd);
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
    end(&w, cmd);
    EXPECT(!missing(&w));
    cmd = record_begin(&w.f);
    weft_command_signal_after(cmd, WEFT_STAGE_COPY, 3);
    fill(&w, cmd); // too late
    weft_command_wait_before(cmd, WEFT_STAGE_COMPUTE, 0, 3);
    load(&w, cmd);
    end(&w, cmd);
    EXPECT(missing(&w));
    world_close(&w);
}

static void fence_buffer(const struct world *w, weft_command_buffer *cmd, uint64_t offset,
                         uint64_t size)
{
    weft_command_buffer_barrier(cmd,
                                &(weft_buffer_barrier){.buffer = w->all,
                                                       .offset = offset,
                                                       .size = size,
                                                       .producers = WEFT_STAGE_COPY,
                                                       .consumers = WEFT_STAGE_COMPUTE},
                                1);
}

TEST(barrier_rules, a_buffer_barrier_is_for_its_bytes)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd = record_begin(&w.f);
    fill(&w, cmd);
    fence_buffer(&w, cmd, 0, 32);
    fence_buffer(&w, cmd, 32, 0);
    load(&w, cmd);
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
    fill(&w, cmd);
    fence_buffer(&w, cmd, 0, 32);
    end(&w, cmd);
    EXPECT(!missing(&w));
    cmd = record_begin(&w.f);
    load(&w, cmd);
    end(&w, cmd);
    EXPECT(strstr(w.f.log->message, "bytes 32 to 63"));
    EXPECT(missing(&w));
    world_close(&w);
}

/// From RESTING to RESTING: an order alone; STORAGE: a change of state as well.
static void fence_texture(const struct world *w, weft_command_buffer *cmd, uint32_t layer,
                          weft_texture_state after)
{
    weft_command_texture_barrier(cmd,
                                 &(weft_texture_barrier){.texture = w->texture,
                                                         .layer = layer,
                                                         .layer_count = 1,
                                                         .after = after,
                                                         .producers = WEFT_STAGE_COPY,
                                                         .consumers = WEFT_STAGE_FRAGMENT},
                                 1);
}

TEST(barrier_rules, a_texture_barrier_is_for_its_subresources)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd = record_begin(&w.f);
    copy_in(&w, cmd);
    copy_other_layer(&w, cmd);
    fence_texture(&w, cmd, 0, WEFT_TEXTURE_STATE_RESTING);
    sample(&w, cmd);
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
    copy_in(&w, cmd);
    fence_texture(&w, cmd, 1, WEFT_TEXTURE_STATE_RESTING);
    end(&w, cmd);
    EXPECT(!missing(&w));
    cmd = record_begin(&w.f);
    sample(&w, cmd);
    end(&w, cmd);
    EXPECT(missing(&w));
    world_close(&w);
}

TEST(barrier_rules, a_change_of_state_waits_for_what_was_done)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd = record_begin(&w.f);
    copy_in(&w, cmd);
    fence_texture(&w, cmd, 0, WEFT_TEXTURE_STATE_STORAGE);
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
    pass(&w, cmd);
    end(&w, cmd);
    EXPECT(!missing(&w));
    cmd = record_begin(&w.f);
    fence_texture(&w, cmd, 0, WEFT_TEXTURE_STATE_STORAGE); // the pass was no copy
    end(&w, cmd);
    EXPECT(strstr(w.f.log->message, "the texture barrier"));
    EXPECT(strstr(w.f.log->hint, "Add WEFT_STAGE_TARGET to the producers"));
    EXPECT(missing(&w));
    world_close(&w);
}

static weft_object named(weft_buffer b)
{
    return (weft_object){.kind = WEFT_OBJECT_BUFFER, .index = b.index, .generation = b.generation};
}

TEST(barrier_rules, memory_is_handed_over_by_alias_barriers)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    weft_memory_block block;
    const weft_memory_block_desc of = {.size = BYTES, .memory = WEFT_MEMORY_GPU};
    EXPECT_EQ(weft_memory_block_create(w.f.dev, &of, &block), WEFT_OK);
    weft_buffer_desc desc = {.size = 256,
                             .usage = WEFT_BUFFER_USAGE_COPY_DST,
                             .memory = WEFT_MEMORY_GPU,
                             .place = {.block = block},
                             .label = "first"};
    weft_buffer first, second;
    EXPECT_EQ(weft_buffer_create(w.f.dev, &desc, &first), WEFT_OK);
    desc.label = "second";
    EXPECT_EQ(weft_buffer_create(w.f.dev, &desc, &second), WEFT_OK);
    for (int barrier = 1; barrier >= 0; --barrier) {
        weft_command_buffer *cmd = record_begin(&w.f);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_fill_buffer(enc, first, 0, 0, 0);
        weft_compute_end(enc);
        if (barrier)
            weft_command_alias_barrier(cmd, named(first), named(second));
        enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_fill_buffer(enc, second, 0, 0, 0);
        weft_compute_end(enc);
        weft_command_alias_barrier(cmd, (weft_object){0}, (weft_object){0});
        end(&w, cmd);
        EXPECT(barrier || strstr(w.f.log->hint, "before being \"first\" and after \"second\""));
        EXPECT(barrier ? fixture_count(&w.f) == 0
                       : fixture_took(&w.f, WEFT_RULE_BARRIER_ALIAS_MISSING));
    }
    weft_buffer_destroy(w.f.dev, first);
    weft_buffer_destroy(w.f.dev, second);
    weft_memory_block_destroy(w.f.dev, block);
    world_close(&w);
}

static weft_object texture_named(weft_texture t)
{
    return (weft_object){.kind = WEFT_OBJECT_TEXTURE, .index = t.index, .generation = t.generation};
}

TEST(barrier_rules, a_texture_that_shares_memory_is_named)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    weft_texture_desc desc = {.format = WEFT_FORMAT_R8_UNORM,
                              .width = 4,
                              .height = 4,
                              .usage = WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_COPY_DST};
    weft_memory_needs needs;
    EXPECT_EQ(weft_texture_memory_needs(w.f.dev, &desc, &needs), WEFT_OK);
    EXPECT_EQ(weft_memory_block_create(w.f.dev, &(weft_memory_block_desc){.size = needs.size},
                                       &desc.place.block),
              WEFT_OK);
    weft_texture turns[2];
    EXPECT_EQ(weft_texture_create(w.f.dev, &desc, &turns[0]), WEFT_OK);
    EXPECT_EQ(weft_texture_create(w.f.dev, &desc, &turns[1]), WEFT_OK);
    for (uint32_t i = 0; i < 4; ++i) {
        weft_command_buffer *cmd = record_begin(&w.f);
        weft_command_alias_barrier(cmd, (weft_object){0},
                                   i < 3 ? texture_named(turns[i % 2]) : (weft_object){0});
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_copy_buffer_to_texture(enc, w.all, NULL, turns[i % 2], NULL);
        weft_compute_end(enc);
        end(&w, cmd);
        EXPECT(i < 3 ? fixture_count(&w.f) == 0
                     : fixture_took(&w.f, WEFT_RULE_BARRIER_ALIAS_MISSING));
    }
    weft_texture_destroy(w.f.dev, turns[0]);
    weft_texture_destroy(w.f.dev, turns[1]);
    weft_memory_block_destroy(w.f.dev, desc.place.block);
    world_close(&w);
}

/// It was made second, and comes to life by a barrier, even where the first was never used.
TEST(barrier_rules, a_texture_over_others_is_named_for_its_first_use)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    weft_texture_desc desc = {.format = WEFT_FORMAT_R8_UNORM,
                              .width = 4,
                              .height = 4,
                              .usage = WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_COPY_DST,
                              .label = "below"};
    weft_memory_needs needs;
    weft_texture below, above;
    EXPECT_EQ(weft_texture_memory_needs(w.f.dev, &desc, &needs), WEFT_OK);
    EXPECT_EQ(weft_memory_block_create(w.f.dev, &(weft_memory_block_desc){.size = needs.size},
                                       &desc.place.block),
              WEFT_OK);
    EXPECT_EQ(weft_texture_create(w.f.dev, &desc, &below), WEFT_OK);
    desc.label = "above";
    EXPECT_EQ(weft_texture_create(w.f.dev, &desc, &above), WEFT_OK);
    weft_command_buffer *cmd = record_begin(&w.f);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer_to_texture(enc, w.all, NULL, above, NULL);
    weft_compute_end(enc);
    end(&w, cmd);
    EXPECT(strstr(w.f.log->message, "is also that of \"below\", which was made first"));
    EXPECT(fixture_took(&w.f, WEFT_RULE_BARRIER_ALIAS_MISSING));
    weft_texture_destroy(w.f.dev, below);
    weft_texture_destroy(w.f.dev, above);
    weft_memory_block_destroy(w.f.dev, desc.place.block);
    world_close(&w);
}

TEST(barrier_rules, a_barrier_that_orders_nothing_is_noted_once)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    for (int i = 0; i < 3; ++i) {
        weft_command_buffer *cmd = record_begin(&w.f);
        fill(&w, cmd);
        weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_ALL, 0);
        EXPECT_EQ(fixture_count(&w.f), i > 0);
        weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_COMPUTE, 0); // it is all done
        load(&w, cmd);
        weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_ALL, 0);
        end(&w, cmd);
    }
    EXPECT_EQ(w.f.log->severity, WEFT_SEVERITY_PERFORMANCE);
    EXPECT(strstr(w.f.log->message, "from WEFT_STAGE_COPY to WEFT_STAGE_COMPUTE"));
    EXPECT(fixture_took(&w.f, WEFT_RULE_BARRIER_UNNEEDED));
    world_close(&w);
}

TEST(barrier_rules, a_barrier_that_nothing_needs_is_noted_behind_the_next_of_everything)
{
    struct world w = world_open(WEFT_BACKEND_NOOP);
    weft_command_buffer *cmd = record_begin(&w.f);
    fill(&w, cmd);
    // Every barrier between two that conflict may be theirs: chains go through several.
    weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_FRAGMENT, 0);
    weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_COMPUTE, 0);
    load(&w, cmd);
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
    end(&w, cmd);
    EXPECT_EQ(fixture_count(&w.f), 0);
    cmd = record_begin(&w.f);
    copy_in(&w, cmd);
    weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_FRAGMENT, 0);
    draw_vertices(&w, cmd); // and samples something else
    end(&w, cmd);
    EXPECT_EQ(fixture_count(&w.f), 0);
    cmd = record_begin(&w.f);
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
    end(&w, cmd);
    EXPECT(strstr(w.f.log->message, "from WEFT_STAGE_COPY to WEFT_STAGE_FRAGMENT before command 1 "
                                    "orders nothing that anything after it needed"));
    EXPECT(fixture_took(&w.f, WEFT_RULE_BARRIER_UNNEEDED));
    world_close(&w);
}

TEST(barrier_rules, less_than_full_validation_looks_for_none)
{
    struct fixture f = fixture_open_validation(WEFT_BACKEND_NOOP, WEFT_VALIDATION_ERRORS);
    weft_buffer buffer = record_buffer(&f, 64, WEFT_BUFFER_USAGE_COPY_DST);
    weft_command_buffer *cmd = record_begin(&f);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_fill_buffer(enc, buffer, 0, 0, 0);
    weft_compute_fill_buffer(enc, buffer, 0, 0, 0);
    weft_compute_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&f, cmd);
    EXPECT_EQ(fixture_count(&f), 0);
    weft_buffer_destroy(f.dev, buffer);
    fixture_close(&f);
}
