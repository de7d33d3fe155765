// Running out of memory anywhere in recording is a clean failure: no crash, no leak.
#include "support/record.h"

#include "support/host_counting.h"

/// As record_mesh_create(), but nothing is expected to succeed.
static struct record_mesh try_mesh(weft_device *dev)
{
    struct record_mesh m = {0};
    (void)weft_shader_create(dev, &(weft_shader_desc){.code = mesh_vert, .size = sizeof mesh_vert},
                             &m.vertex);
    (void)weft_shader_create(dev, &(weft_shader_desc){.code = mesh_frag, .size = sizeof mesh_frag},
                             &m.fragment);
    const weft_texture_desc texture = {.format = WEFT_FORMAT_RGBA8_UNORM,
                                       .width = 8,
                                       .height = 8,
                                       .usage =
                                           WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_SAMPLED};
    (void)weft_texture_create(dev, &texture, &m.target);
    (void)weft_texture_view_create(dev, &(weft_texture_view_desc){.texture = m.target}, &m.view);
    (void)weft_sampler_create(dev, &(weft_sampler_desc){0}, &m.sampler);
    weft_buffer_desc buffer = {.size = 512, .usage = WEFT_BUFFER_USAGE_VERTEX};
    (void)weft_buffer_create(dev, &buffer, &m.vertices);
    (void)weft_buffer_create(dev, &buffer, &m.instances);
    buffer.usage = WEFT_BUFFER_USAGE_INDEX;
    (void)weft_buffer_create(dev, &buffer, &m.indices);
    buffer.usage = WEFT_BUFFER_USAGE_UNIFORM;
    (void)weft_buffer_create(dev, &buffer, &m.uniforms);
    const weft_graphics_pipeline_desc desc = record_mesh_desc(&m);
    (void)weft_graphics_pipeline_create(dev, &desc, &m.pipeline);
    const weft_argument_write globals = {.buffer = m.uniforms, .size = 256};
    (void)weft_argument_table_create(
        dev,
        &(weft_argument_table_desc){
            .layout = weft_graphics_pipeline_layout(dev, m.pipeline, 0),
            .writes = &globals,
            .write_count = 1,
        },
        &m.globals);
    const weft_argument_write material[] = {
        {.binding = 0, .view = m.view, .sampler = m.sampler},
        {.binding = 1, .buffer = m.uniforms, .offset = 256, .size = 64},
    };
    (void)weft_argument_table_create(
        dev,
        &(weft_argument_table_desc){
            .layout = weft_graphics_pipeline_layout(dev, m.pipeline, 1),
            .writes = material,
            .write_count = 2,
        },
        &m.material);
    return m;
}

/// Ends and submits, or gives back.
static void try_submit(weft_device *dev, weft_command_buffer *cmd, const weft_submit *rest)
{
    if (!cmd || weft_command_end(cmd) != WEFT_OK)
        return;
    weft_submit desc = rest ? *rest : (weft_submit){0};
    desc.commands = &cmd;
    desc.command_count = 1;
    if (weft_queue_submit(dev, WEFT_QUEUE_GRAPHICS, &desc, NULL) != WEFT_OK)
        weft_command_discard(cmd);
}

static void try_draw(weft_device *dev, const struct record_mesh *m)
{
    weft_command_buffer *cmd;
    (void)weft_command_begin(dev, NULL, &cmd);
    weft_render_encoder *enc = record_pass(cmd, m->view);
    record_mesh_bind(enc, m);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    try_submit(dev, cmd, NULL);
}

static void use_draws(weft_device *dev)
{
    struct fixture f = {.dev = dev};
    struct record_mesh m = try_mesh(dev);
    const weft_argument_write write = {.buffer = m.uniforms, .size = 128};
    try_draw(dev, &m);
    if (!weft_argument_table_is_none(m.globals))
        (void)weft_argument_table_write(dev, m.globals, &write, 1);
    try_draw(dev, &m);
    record_mesh_destroy(&f, &m);
}

static void use_compute(weft_device *dev)
{
    weft_shader shader;
    weft_compute_pipeline pipeline;
    (void)weft_shader_create(
        dev, &(weft_shader_desc){.code = store_comp, .size = sizeof store_comp}, &shader);
    const weft_compute_pipeline_desc desc = {.compute = {.shader = shader}};
    (void)weft_compute_pipeline_create(dev, &desc, &pipeline);
    weft_query_pool pool;
    (void)weft_query_pool_create(dev, &(weft_query_pool_desc){.count = 2}, &pool);
    weft_timeline line;
    (void)weft_timeline_create(dev, NULL, &line);
    weft_command_allocator allocator;
    (void)weft_command_allocator_create(dev, NULL, &allocator);
    weft_command_buffer *cmd;
    (void)weft_command_begin(dev, &(weft_command_desc){.allocator = allocator}, &cmd);
    weft_command_write_timestamp(cmd, pool, 1);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_end(enc);
    const weft_timeline_point signal = {.timeline = line, .value = 1};
    try_submit(dev, cmd, &(weft_submit){.signals = &signal, .signal_count = 1});
    weft_compute_pipeline_destroy(dev, pipeline);
    weft_shader_destroy(dev, shader);
    weft_query_pool_destroy(dev, pool);
    weft_timeline_destroy(dev, line);
    weft_command_allocator_destroy(dev, allocator);
}

static void use_surface(weft_device *dev)
{
    weft_surface surface;
    (void)weft_surface_create(dev, &(weft_surface_desc){0}, &surface);
    if (weft_surface_is_none(surface))
        return;
    static uint8_t pixels[8 * 8 * 4];
    const weft_surface_config config = {.width = 8, .height = 8};
    if (weft_surface_configure(dev, surface, &config) == WEFT_OK &&
        weft_surface_present_pixels(dev, surface, pixels, 0) == WEFT_OK)
        (void)weft_surface_read(dev, surface, pixels, sizeof pixels);
    weft_surface_destroy(dev, surface);
}

/// One life of a device whose n-th allocation fails (and, if `after`, all later ones). Returns
/// whether that many were made.
static bool live_once(weft_backend backend, uint64_t n, bool after)
{
    struct host host = {0};
    wf_base_counting_init(&host.counting, wf_base_allocator_default());
    wf_base_counting_fail(&host.counting, n, after);
    const weft_host_hooks hooks = {.alloc = host_alloc,
                                   .free = host_free,
                                   .diagnostic = host_diagnostic,
                                   .log = host_log,
                                   .user = &host};
    const weft_device_desc desc = {
        .backends = 1u << backend,
        .hooks = &hooks,
        .software = &(weft_software_options){.threads = 1},
    };
    weft_device *dev;
    (void)weft_device_start(&desc, &dev);
    if (dev && weft_device_wait(dev, 0) == WEFT_OK) {
        use_draws(dev);
        use_compute(dev);
        use_surface(dev);
        EXPECT_EQ(weft_device_startup(dev).state, WEFT_DEVICE_READY);
    }
    weft_device_destroy(dev);
    const bool failed = atomic_load(&host.counting.calls) >= n;
    EXPECT(!failed || !dev || host.errors > 0);
    EXPECT_EQ(atomic_load(&host.counting.live_bytes), 0);
    return failed;
}

TEST(record_faults, a_shader_is_not_blamed_for_the_lack_of_memory)
{
    struct host host;
    const weft_host_hooks hooks = host_hooks(&host);
    const weft_device_desc desc = {.backends = 1u << WEFT_BACKEND_NOOP, .hooks = &hooks};
    weft_device *dev;
    EXPECT_EQ(weft_device_start(&desc, &dev), WEFT_OK);
    weft_shader shader = {0};
    for (uint64_t n = 1; weft_shader_is_none(shader); ++n) {
        wf_base_counting_fail(&host.counting, n, false);
        const weft_result result = weft_shader_create(
            dev, &(weft_shader_desc){.code = mesh_vert, .size = sizeof mesh_vert}, &shader);
        EXPECT_EQ(result, weft_shader_is_none(shader) ? WEFT_ERROR_MEMORY : WEFT_OK);
    }
    wf_base_counting_fail(&host.counting, 0, false);
    weft_shader_destroy(dev, shader);
    weft_device_destroy(dev);
}

TEST(record_faults, any_failed_allocation_is_a_clean_error_on_noop)
{
    uint64_t n = 1;
    while (live_once(WEFT_BACKEND_NOOP, n, false))
        ++n;
    EXPECT(n > 100);
    for (n = 1; live_once(WEFT_BACKEND_NOOP, n, true);)
        n += 3;
}
