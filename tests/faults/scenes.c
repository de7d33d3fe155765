// Small programs over all of core; those that render are in scenes_draw.c and scenes_frame.c.
#include "faults.h"

#include "store.comp.spv.h"

#include <string.h>

bool scene_ok(struct scene *s, weft_result result)
{
    if (s->result == WEFT_OK)
        s->result = result;
    return result == WEFT_OK;
}

// ---- buffers -----------------------------------------------------------------------------------

#define COPIES (WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST)

static void use_buffer(struct scene *s, weft_buffer buffer)
{
    uint32_t data[16] = {1, 2, 3}, got[16] = {0};
    weft_read read = 0;
    const bool ok = scene_ok(s, weft_buffer_write(s->dev, buffer, 0, data, sizeof data)) &&
                    scene_ok(s, weft_buffer_read(s->dev, buffer, 0, got, sizeof got)) &&
                    scene_ok(s, weft_buffer_rebind(s->dev, buffer)) &&
                    scene_ok(s, weft_buffer_write(s->dev, buffer, 0, data, sizeof data)) &&
                    scene_ok(s, weft_read_begin_buffer(s->dev, buffer, 0, sizeof got, &read)) &&
                    scene_ok(s, weft_device_wait_idle(s->dev)) &&
                    scene_ok(s, weft_read_take(s->dev, read, got, sizeof got));
    if (ok && s->dev->caps.backend == WEFT_BACKEND_SOFTWARE)
        EXPECT_MEM(got, data, sizeof got);
}

static void scene_buffers(struct scene *s)
{
    uint32_t data[16] = {0};
    weft_buffer gpu = {0}, mapped = {0}, placed = {0};
    weft_memory_block block = {0};
    weft_buffer_desc desc = {
        .size = sizeof data, .usage = COPIES, .memory = WEFT_MEMORY_GPU, .data = data};
    bool ok = scene_ok(s, weft_buffer_create(s->dev, &desc, &gpu));
    desc.memory = WEFT_MEMORY_READBACK;
    ok = ok && scene_ok(s, weft_buffer_create(s->dev, &desc, &mapped));
    ok = ok && scene_ok(s, weft_memory_block_create(s->dev, &(weft_memory_block_desc){.size = 4096},
                                                    &block));
    desc.memory = WEFT_MEMORY_GPU;
    desc.place.block = block;
    ok = ok && scene_ok(s, weft_buffer_create(s->dev, &desc, &placed));
    if (ok)
        use_buffer(s, gpu);
    weft_buffer_destroy(s->dev, placed);
    weft_memory_block_destroy(s->dev, block);
    weft_buffer_destroy(s->dev, mapped);
    weft_buffer_destroy(s->dev, gpu);
}

/// Its contents go in several pieces, each of which may fail with the earlier ones recorded.
static void scene_large_upload(struct scene *s)
{
    static const char data[(5 << 20) / 2];
    weft_buffer buffer;
    if (scene_ok(s, weft_buffer_create(
                        s->dev, &(weft_buffer_desc){.size = sizeof data, .data = data}, &buffer)))
        scene_ok(s, weft_device_wait_idle(s->dev));
    weft_buffer_destroy(s->dev, buffer);
}

static void scene_transient(struct scene *s)
{
    for (int frame = 0; frame < 3 && s->result == WEFT_OK; ++frame) {
        if (!weft_transient_alloc(s->dev, 1000, 0).cpu ||
            !weft_transient_alloc(s->dev, 400000, 0).cpu)
            s->result = wf_core_ready(s->dev) ? WEFT_ERROR_MEMORY : WEFT_ERROR_LOST;
        else
            scene_ok(s, weft_transient_advance(s->dev));
    }
}

// ---- textures and the heap ---------------------------------------------------------------------

static void submit(struct scene *s, weft_command_buffer *cmd)
{
    if (!scene_ok(s, weft_command_end(cmd)))
        return;
    const weft_submit desc = {.commands = &cmd, .command_count = 1};
    if (!scene_ok(s, weft_queue_submit(s->dev, WEFT_QUEUE_GRAPHICS, &desc, NULL)))
        weft_command_discard(cmd);
}

static void copy_texture(struct scene *s, weft_texture texture, weft_heap_range range,
                         weft_texture_view view)
{
    weft_command_buffer *cmd;
    if (!scene_ok(s, weft_command_begin(s->dev, NULL, &cmd)))
        return;
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_generate_mips(enc, texture);
    weft_compute_end(enc);
    weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_COPY, 0);
    enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_texture(enc, texture, &(weft_texture_region){.width = 2, .height = 2},
                              texture, &(weft_texture_region){.mip = 1});
    if (s->dev->caps.features & WEFT_FEATURE_GPU_HEAP_WRITES)
        weft_compute_write_heap(enc, range, 1, view, (weft_sampler){0});
    weft_compute_end(enc);
    submit(s, cmd);
}

static void use_texture(struct scene *s, weft_texture texture, weft_view_pool pool,
                        weft_heap_range range)
{
    char data[64] = {0};
    weft_texture_view view = {0};
    const weft_texture_view_desc desc = {.texture = texture, .pool = pool};
    const bool ok =
        scene_ok(s, weft_texture_write(s->dev, texture, NULL, data, NULL)) &&
        scene_ok(s, weft_texture_read(s->dev, texture, NULL, data, sizeof data, NULL)) &&
        scene_ok(s, weft_texture_view_create(s->dev, &desc, &view));
    const bool heap = (s->dev->caps.features & WEFT_FEATURE_HEAP) != 0;
    if (ok && heap && weft_texture_view_index(s->dev, view, WEFT_HEAP_SAMPLED) == UINT32_MAX)
        scene_ok(s, WEFT_ERROR_MEMORY);
    if (ok &&
        (!heap || scene_ok(s, weft_heap_range_write(s->dev, range, 3, view, (weft_sampler){0}))))
        copy_texture(s, texture, range, view);
    weft_texture_view_destroy(s->dev, view);
}

static void scene_textures(struct scene *s)
{
    const weft_texture_desc desc = {.format = WEFT_FORMAT_RGBA8_UNORM,
                                    .width = 4,
                                    .height = 4,
                                    .mips = 2,
                                    .usage =
                                        WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_RENDER |
                                        WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_COPY_DST};
    weft_texture texture = {0};
    weft_view_pool pool = {0};
    weft_sampler sampler = {0};
    weft_heap_range range = {0};
    bool ok =
        scene_ok(s, weft_texture_create(s->dev, &desc, &texture)) &&
        scene_ok(s, weft_view_pool_create(s->dev, &(weft_view_pool_desc){.capacity = 4}, &pool)) &&
        scene_ok(s, weft_sampler_create(s->dev, &(weft_sampler_desc){0}, &sampler));
    const bool heap = (s->dev->caps.features & WEFT_FEATURE_HEAP) != 0;
    ok = ok && (!heap || scene_ok(s, weft_heap_range_create(s->dev, WEFT_HEAP_SAMPLED, 8, &range)));
    if (ok && heap && weft_sampler_index(s->dev, sampler) == UINT32_MAX)
        ok = scene_ok(s, WEFT_ERROR_MEMORY);
    if (ok)
        use_texture(s, texture, pool, range);
    weft_texture_destroy(s->dev, texture);
    weft_view_pool_destroy(s->dev, pool);
    weft_sampler_destroy(s->dev, sampler);
    weft_heap_range_destroy(s->dev, range);
}

// ---- acceleration structures -------------------------------------------------------------------

static void build_structures(struct scene *s, const weft_acceleration_build builds[2])
{
    weft_command_buffer *cmd;
    if (!scene_ok(s, weft_command_begin(s->dev, NULL, &cmd)))
        return;
    for (int i = 0; i < 2; ++i) {
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_build_acceleration_structure(enc, &builds[i]);
        weft_compute_end(enc);
        weft_command_barrier(cmd, WEFT_STAGE_ACCELERATION, WEFT_STAGE_ACCELERATION, 0);
    }
    submit(s, cmd);
}

static void scene_rays(struct scene *s)
{
    if (!(s->dev->caps.features & WEFT_FEATURE_RAY_QUERY))
        return;
    weft_buffer buffer = {0};
    weft_acceleration_structure bottom = {0}, top = {0};
    bool ok = scene_ok(
        s, weft_buffer_create(
               s->dev, &(weft_buffer_desc){.size = 256, .usage = WEFT_BUFFER_USAGE_ACCELERATION},
               &buffer));
    const weft_acceleration_geometry triangle = {
        .count = 1, .buffer = buffer, .vertex_count = 3, .format = WEFT_VERTEX_FORMAT_FLOAT32X3};
    const weft_acceleration_structure_desc bottom_desc = {.geometries = &triangle,
                                                          .geometry_count = 1};
    const weft_acceleration_structure_desc top_desc = {.level = WEFT_ACCELERATION_TOP,
                                                       .instance_count = 1};
    ok = ok && scene_ok(s, weft_acceleration_structure_create(s->dev, &bottom_desc, &bottom)) &&
         scene_ok(s, weft_acceleration_structure_create(s->dev, &top_desc, &top));
    if (ok && weft_acceleration_structure_index(s->dev, top) == UINT32_MAX)
        ok = scene_ok(s, WEFT_ERROR_MEMORY);
    const weft_acceleration_build builds[2] = {
        {.structure = bottom, .geometries = &triangle, .geometry_count = 1},
        {.structure = top, .instances = buffer, .instance_count = 1}};
    if (ok)
        build_structures(s, builds);
    weft_acceleration_structure_destroy(s->dev, bottom);
    weft_acceleration_structure_destroy(s->dev, top);
    weft_buffer_destroy(s->dev, buffer);
}

// ---- compute, queries, timelines ---------------------------------------------------------------

struct compute {
    weft_shader shader;
    weft_compute_pipeline pipeline;
    weft_buffer source, values, times, arguments;
    weft_argument_table table;
    weft_query_pool queries;
    weft_timeline timeline;
    weft_command_allocator allocator;
};

static bool compute_objects(struct scene *s, struct compute *c)
{
    const weft_constant width = {.id = 0, .value = 4};
    const weft_buffer_usage storage = WEFT_BUFFER_USAGE_STORAGE | COPIES;
    static const uint32_t source[4] = {1, 2, 3, 4}, groups[3] = {1, 1, 1};
    weft_device *dev = s->dev;
    if (!scene_ok(s, weft_shader_create(
                         dev, &(weft_shader_desc){.code = store_comp, .size = sizeof store_comp},
                         &c->shader)))
        return false;
    const weft_compute_pipeline_desc pipeline = {
        .compute = {.shader = c->shader, .constants = &width, .constant_count = 1}};
    return scene_ok(s, weft_compute_pipeline_create(dev, &pipeline, &c->pipeline)) &&
           scene_ok(s, weft_buffer_create(
                           dev, &(weft_buffer_desc){.size = 16, .usage = storage, .data = source},
                           &c->source)) &&
           scene_ok(s, weft_buffer_create(dev, &(weft_buffer_desc){.size = 32, .usage = storage},
                                          &c->values)) &&
           scene_ok(s, weft_buffer_create(
                           dev, &(weft_buffer_desc){.size = 16, .usage = WEFT_BUFFER_USAGE_QUERY},
                           &c->times)) &&
           scene_ok(s, weft_buffer_create(dev,
                                          &(weft_buffer_desc){.size = 12,
                                                              .usage = WEFT_BUFFER_USAGE_INDIRECT |
                                                                       WEFT_BUFFER_USAGE_COPY_DST,
                                                              .data = groups},
                                          &c->arguments)) &&
           scene_ok(
               s, weft_query_pool_create(dev, &(weft_query_pool_desc){.count = 2}, &c->queries)) &&
           scene_ok(s, weft_timeline_create(dev, &(weft_timeline_desc){0}, &c->timeline)) &&
           scene_ok(s, weft_command_allocator_create(dev, &(weft_command_allocator_desc){0},
                                                     &c->allocator));
}

static bool compute_table(struct scene *s, struct compute *c)
{
    const weft_argument_write writes[] = {{.binding = 0, .buffer = c->values},
                                          {.binding = 2, .buffer = c->source}};
    const weft_argument_layout layout = weft_compute_pipeline_layout(s->dev, c->pipeline, 0);
    const weft_argument_table_desc desc = {.layout = layout, .writes = writes, .write_count = 2};
    return scene_ok(s, weft_argument_table_create(s->dev, &desc, &c->table));
}

static bool compute_submit(struct scene *s, struct compute *c, uint64_t round)
{
    weft_command_buffer *cmd;
    const weft_command_desc desc = {.allocator = c->allocator, .label = "round"};
    if (!scene_ok(s, weft_command_begin(s->dev, &desc, &cmd)))
        return false;
    weft_command_push_group(cmd, "group");
    weft_command_write_timestamp(cmd, c->queries, 0);
    weft_compute_encoder *enc = weft_command_begin_compute(
        cmd, &(weft_compute_pass_desc){.times = {.pool = c->queries, .begin = UINT32_MAX, .end = 1},
                                       .label = "pass"});
    const uint32_t add = 7;
    weft_compute_set_pipeline(enc, c->pipeline);
    weft_compute_set_arguments(enc, 0, c->table, NULL, 0);
    weft_compute_set_root(enc, 0, &add, 4);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_COMPUTE, 0);
    enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, c->pipeline);
    weft_compute_set_arguments(enc, 0, c->table, NULL, 0);
    weft_compute_set_root(enc, 0, &add, 4);
    weft_compute_dispatch_indirect(enc, c->arguments, 0);
    weft_compute_end(enc);
    weft_command_pop_group(cmd);
    weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_ALL, 0);
    weft_command_resolve_queries(cmd, c->queries, 0, 2, c->times, 0);
    weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_COPY, 0); // for the next round
    if (!scene_ok(s, weft_command_end(cmd)))
        return false;
    const weft_timeline_point signal = {.timeline = c->timeline, .value = round};
    const weft_submit work = {
        .commands = &cmd, .command_count = 1, .signals = &signal, .signal_count = 1};
    if (scene_ok(s, weft_queue_submit(s->dev, WEFT_QUEUE_GRAPHICS, &work, NULL)))
        return true;
    weft_command_discard(cmd);
    return false;
}

static void compute_rounds(struct scene *s, struct compute *c)
{
    uint32_t got[8];
    uint64_t times[2];
    const weft_argument_write again = {.binding = 2, .buffer = c->source};
    if (!compute_submit(s, c, 1) ||
        !scene_ok(s, weft_argument_table_write(s->dev, c->table, &again, 1)) ||
        !compute_submit(s, c, 2) ||
        !scene_ok(s, weft_timeline_wait(s->dev, c->timeline, 2, UINT64_MAX)) ||
        !scene_ok(s, weft_buffer_read(s->dev, c->values, 0, got, sizeof got)) ||
        !scene_ok(s, weft_query_pool_read(s->dev, c->queries, 0, 2, times, sizeof times)) ||
        !scene_ok(s, weft_command_allocator_reset(s->dev, c->allocator)))
        return;
    if (s->dev->caps.backend == WEFT_BACKEND_SOFTWARE)
        EXPECT_EQ(got[4 + 2], 3 + 7);
}

void scene_compute(struct scene *s)
{
    struct compute c = {0};
    if (compute_objects(s, &c) && compute_table(s, &c))
        compute_rounds(s, &c);
    weft_argument_table_destroy(s->dev, c.table);
    weft_compute_pipeline_destroy(s->dev, c.pipeline);
    weft_shader_destroy(s->dev, c.shader);
    weft_buffer_destroy(s->dev, c.source);
    weft_buffer_destroy(s->dev, c.values);
    weft_buffer_destroy(s->dev, c.times);
    weft_buffer_destroy(s->dev, c.arguments);
    weft_query_pool_destroy(s->dev, c.queries);
    weft_timeline_destroy(s->dev, c.timeline);
    weft_command_allocator_destroy(s->dev, c.allocator);
}

/// A pipeline that another thread builds: it says what came of it when it is asked.
static void scene_background(struct scene *s)
{
    const weft_shader_desc code = {.code = store_comp, .size = sizeof store_comp};
    const weft_constant width = {.id = 0, .value = 4};
    weft_shader shader = {0};
    weft_compute_pipeline pipeline = {0};
    if (scene_ok(s, weft_shader_create(s->dev, &code, &shader))) {
        const weft_compute_pipeline_desc desc = {
            .compute = {.shader = shader, .constants = &width, .constant_count = 1},
            .flags = WEFT_PIPELINE_BACKGROUND};
        if (scene_ok(s, weft_compute_pipeline_create(s->dev, &desc, &pipeline))) {
            weft_result ready;
            while ((ready = weft_compute_pipeline_ready(s->dev, pipeline)) == WEFT_PENDING)
                wf_base_thread_yield();
            scene_ok(s, ready);
        }
    }
    weft_compute_pipeline_destroy(s->dev, pipeline);
    weft_shader_destroy(s->dev, shader);
}

const struct scene_entry scenes[] = {
    {"start", NULL},
    {"buffers", scene_buffers},
    {"upload", scene_large_upload},
    {"transient", scene_transient},
    {"textures", scene_textures},
    {"rays", scene_rays},
    {"compute", scene_compute},
    {"draw", scene_draw},
    {"surface", scene_surface},
    {"frame", scene_frame},
    {"variants", scene_variants},
    {"split", scene_split},
    {"texels", scene_texels},
    {"background", scene_background},
};
const size_t scene_count = sizeof scenes / sizeof scenes[0];
