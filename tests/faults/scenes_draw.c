// A picture off screen, a picture on a surface.
#include "faults.h"

#include "support/record.h"

enum { SIDE = 8 };

struct draw {
    struct record_mesh mesh; ///< Without its textures.
    weft_texture many, one, depth;
    weft_texture_view many_view, one_view, depth_view;
    weft_buffer draws;
    weft_query_pool occlusion, statistics;
};

static bool make_texture(struct scene *s, weft_format format, uint32_t samples, weft_texture *out,
                         weft_texture_view *view)
{
    weft_texture_desc desc = {.format = format,
                              .width = SIDE,
                              .height = SIDE,
                              .samples = samples,
                              .usage = WEFT_TEXTURE_USAGE_RENDER};
    if (samples == 1)
        desc.usage |=
            WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_COPY_DST;
    return scene_ok(s, weft_texture_create(s->dev, &desc, out)) &&
           scene_ok(s, weft_texture_view_create(s->dev, &(weft_texture_view_desc){.texture = *out},
                                                view));
}

static bool make_buffer(struct scene *s, uint64_t size, weft_buffer_usage usage, const void *data,
                        weft_buffer *out)
{
    const weft_buffer_desc desc = {.size = size, .usage = usage, .data = data};
    return scene_ok(s, weft_buffer_create(s->dev, &desc, out));
}

static bool make_shader(struct scene *s, const void *code, size_t size, weft_shader *out)
{
    return scene_ok(
        s, weft_shader_create(s->dev, &(weft_shader_desc){.code = code, .size = size}, out));
}

static bool make_resources(struct scene *s, struct draw *d)
{
    static const float vertices[3][5] = {{-1, -1, 0.5f}, {3, -1, 0.5f}, {-1, 3, 0.5f}};
    static const float shifts[4] = {0};
    static const uint16_t indices[4] = {0, 1, 2, 0};
    static const float uniforms[128] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const weft_draw_indirect_args arguments = {.vertex_count = 3, .instance_count = 1};
    static const uint8_t texels[SIDE][SIDE][4];
    struct record_mesh *m = &d->mesh;
    return make_texture(s, WEFT_FORMAT_RGBA8_UNORM, 4, &d->many, &d->many_view) &&
           make_texture(s, WEFT_FORMAT_RGBA8_UNORM, 1, &d->one, &d->one_view) &&
           make_texture(s, WEFT_FORMAT_D32_FLOAT, 4, &d->depth, &d->depth_view) &&
           make_texture(s, WEFT_FORMAT_RGBA8_UNORM, 1, &m->texture, &m->texture_view) &&
           scene_ok(s, weft_texture_write(s->dev, m->texture, NULL, texels, NULL)) &&
           scene_ok(s, weft_sampler_create(s->dev, &(weft_sampler_desc){0}, &m->sampler)) &&
           make_buffer(s, sizeof vertices, WEFT_BUFFER_USAGE_VERTEX, vertices, &m->vertices) &&
           make_buffer(s, sizeof shifts, WEFT_BUFFER_USAGE_VERTEX, shifts, &m->instances) &&
           make_buffer(s, sizeof indices, WEFT_BUFFER_USAGE_INDEX, indices, &m->indices) &&
           make_buffer(s, sizeof uniforms, WEFT_BUFFER_USAGE_UNIFORM, uniforms, &m->uniforms) &&
           make_buffer(s, sizeof arguments, WEFT_BUFFER_USAGE_INDIRECT, &arguments, &d->draws) &&
           make_shader(s, mesh_vert, sizeof mesh_vert, &m->vertex) &&
           make_shader(s, mesh_frag, sizeof mesh_frag, &m->fragment);
}

static bool make_table(struct scene *s, uint32_t slot, weft_graphics_pipeline pipeline,
                       const weft_argument_write *writes, uint32_t count, weft_argument_table *out)
{
    const weft_argument_table_desc desc = {
        .layout = weft_graphics_pipeline_layout(s->dev, pipeline, slot),
        .writes = writes,
        .write_count = count};
    return scene_ok(s, weft_argument_table_create(s->dev, &desc, out));
}

static bool make_rest(struct scene *s, struct draw *d)
{
    struct record_mesh *m = &d->mesh;
    weft_graphics_pipeline_desc desc = record_mesh_desc(m);
    desc.samples = 4;
    desc.depth_stencil = WEFT_FORMAT_D32_FLOAT;
    const weft_argument_write globals = {.buffer = m->uniforms, .size = 256};
    const weft_argument_write material[] = {
        {.binding = 0, .view = m->texture_view, .sampler = m->sampler},
        {.binding = 1, .buffer = m->uniforms, .offset = 256, .size = 64},
    };
    const weft_query_pool_desc occlusion = {.kind = WEFT_QUERY_OCCLUSION, .count = 1};
    const weft_query_pool_desc statistics = {.kind = WEFT_QUERY_STATISTICS, .count = 1};
    return scene_ok(s, weft_graphics_pipeline_create(s->dev, &desc, &m->pipeline)) &&
           make_table(s, 0, m->pipeline, &globals, 1, &m->globals) &&
           make_table(s, 1, m->pipeline, material, 2, &m->material) &&
           scene_ok(s, weft_query_pool_create(s->dev, &occlusion, &d->occlusion)) &&
           (!(s->dev->caps.features & WEFT_FEATURE_PIPELINE_STATISTICS) ||
            scene_ok(s, weft_query_pool_create(s->dev, &statistics, &d->statistics)));
}

static void record(struct draw *d, weft_command_buffer *cmd)
{
    weft_render_encoder *enc =
        weft_command_begin_render(cmd, &(weft_render_pass_desc){
                                           .colors[0] = {.view = d->many_view,
                                                         .resolve = d->one_view,
                                                         .load = WEFT_LOAD_CLEAR,
                                                         .store = WEFT_STORE_DISCARD},
                                           .depth_stencil = d->depth_view,
                                           .depth_load = WEFT_LOAD_CLEAR,
                                           .clear_depth = 1,
                                           .occlusion = d->occlusion,
                                       });
    record_mesh_bind(enc, &d->mesh);
    weft_render_begin_occlusion(enc, 0);
    const bool statistics = !weft_query_pool_is_none(d->statistics);
    if (statistics)
        weft_render_begin_statistics(enc, d->statistics, 0);
    weft_render_draw(enc, 3, 1, 0, 0);
    if (statistics)
        weft_render_end_statistics(enc);
    weft_render_end_occlusion(enc);
    weft_render_set_blend(enc, &(weft_blend_state){.targets[0] = {.mask = WEFT_COLOR_MASK_R}});
    weft_render_draw_indexed(enc, 3, 1, 0, 0, 0);
    weft_render_draw_indirect(enc, &(weft_indirect_draws){.buffer = d->draws, .max_count = 1});
    weft_render_end(enc);
}

static void play(struct scene *s, struct draw *d)
{
    weft_command_buffer *cmd;
    if (!make_resources(s, d) || !make_rest(s, d) ||
        !scene_ok(s, weft_command_begin(s->dev, NULL, &cmd)))
        return;
    record(d, cmd);
    if (!scene_ok(s, weft_command_end(cmd)))
        return;
    const weft_submit work = {.commands = &cmd, .command_count = 1};
    if (!scene_ok(s, weft_queue_submit(s->dev, WEFT_QUEUE_GRAPHICS, &work, NULL))) {
        weft_command_discard(cmd);
        return;
    }
    uint8_t pixels[SIDE][SIDE][4];
    uint64_t count;
    if (scene_ok(s, weft_texture_read(s->dev, d->one, NULL, pixels, sizeof pixels, NULL)) &&
        scene_ok(s, weft_query_pool_read(s->dev, d->occlusion, 0, 1, &count, sizeof count)) &&
        s->dev->caps.backend == WEFT_BACKEND_SOFTWARE)
        EXPECT_EQ(count, SIDE * SIDE * 4);
}

void scene_draw(struct scene *s)
{
    struct draw d = {0};
    play(s, &d);
    struct fixture f = {.dev = s->dev};
    record_mesh_destroy(&f, &d.mesh);
    weft_texture_view_destroy(s->dev, d.many_view);
    weft_texture_view_destroy(s->dev, d.one_view);
    weft_texture_view_destroy(s->dev, d.depth_view);
    weft_texture_destroy(s->dev, d.many);
    weft_texture_destroy(s->dev, d.one);
    weft_texture_destroy(s->dev, d.depth);
    weft_buffer_destroy(s->dev, d.draws);
    weft_query_pool_destroy(s->dev, d.occlusion);
    weft_query_pool_destroy(s->dev, d.statistics);
}

// ---- a surface ---------------------------------------------------------------------------------

static bool show(struct scene *s, weft_surface surface)
{
    weft_surface_image image;
    if (!scene_ok(s, weft_surface_acquire(s->dev, surface, &image)))
        return false;
    if (image.status != WEFT_ACQUIRE_READY) { // not a failure, and nothing to draw on
        s->result = WEFT_SKIP;
        return false;
    }
    weft_command_buffer *cmd;
    if (!scene_ok(s, weft_command_begin(s->dev, NULL, &cmd)))
        return false;
    weft_render_end(record_pass(cmd, image.view));
    if (!scene_ok(s, weft_command_end(cmd)))
        return false;
    const weft_submit work = {
        .commands = &cmd, .command_count = 1, .surfaces = &surface, .surface_count = 1};
    if (!scene_ok(s, weft_queue_submit(s->dev, WEFT_QUEUE_GRAPHICS, &work, NULL))) {
        weft_command_discard(cmd);
        return false;
    }
    return scene_ok(s, weft_surface_present(s->dev, surface, NULL, 0));
}

void scene_surface(struct scene *s)
{
    static uint8_t pixels[SIDE][SIDE][4];
    weft_surface surface;
    weft_surface_config config = {
        .width = SIDE, .height = SIDE, .usage = WEFT_TEXTURE_USAGE_COPY_DST};
    bool ok = scene_ok(s, weft_surface_create(s->dev, &(weft_surface_desc){0}, &surface)) &&
              scene_ok(s, weft_surface_configure(s->dev, surface, &config)) && show(s, surface) &&
              scene_ok(s, weft_surface_read(s->dev, surface, pixels, sizeof pixels)) &&
              scene_ok(s, weft_surface_present_pixels(s->dev, surface, pixels, 0));
    config.width = SIDE / 2;
    ok = ok && scene_ok(s, weft_surface_configure(s->dev, surface, &config)) && show(s, surface);
    weft_surface_destroy(s->dev, surface);
    (void)ok;
}
