// Every function that takes a handle refuses one that is stale, foreign or made up, under a rule of
// handles, at every level of validation.
#include "support/objects.h"

struct world {
    struct fixture f;
    struct record_mesh mesh;
    struct objects live;
    weft_command_buffer *cmd;
    weft_render_encoder *render;
    weft_compute_encoder *compute;
    weft_result result; ///< Of the call under test.
};

// ---- calls on the device -----------------------------------------------------------------------

static void destroys(struct world *w, weft_object o)
{
    object_destroy(w->f.dev, o);
    w->result = WEFT_ERROR_USAGE; // it returns nothing
}

static weft_result usage_if(bool bad)
{
    return bad ? WEFT_ERROR_USAGE : WEFT_OK;
}

static void buffer_map(struct world *w, weft_object o)
{
    w->result = usage_if(!weft_buffer_map(w->f.dev, HANDLE(buffer, o), 0, 4));
}

static void buffer_flush(struct world *w, weft_object o)
{
    w->result = weft_buffer_flush(w->f.dev, HANDLE(buffer, o), 0, 4);
}

static void buffer_address(struct world *w, weft_object o)
{
    w->result = usage_if(weft_buffer_address(w->f.dev, HANDLE(buffer, o)) == 0);
}

static void buffer_rebind(struct world *w, weft_object o)
{
    w->result = weft_buffer_rebind(w->f.dev, HANDLE(buffer, o));
}

static void buffer_write(struct world *w, weft_object o)
{
    w->result = weft_buffer_write(w->f.dev, HANDLE(buffer, o), 0, &(uint32_t){1}, 4);
}

static void buffer_read(struct world *w, weft_object o)
{
    uint32_t data;
    w->result = weft_buffer_read(w->f.dev, HANDLE(buffer, o), 0, &data, 4);
}

static void read_begin_buffer(struct world *w, weft_object o)
{
    weft_read read = 1;
    w->result = weft_read_begin_buffer(w->f.dev, HANDLE(buffer, o), 0, 4, &read);
    EXPECT_EQ(read, 0);
}

static void buffer_placed(struct world *w, weft_object o)
{
    const weft_buffer_desc desc = {
        .size = 4, .memory = WEFT_MEMORY_GPU, .place = {.block = HANDLE(memory_block, o)}};
    weft_buffer out = {1, 1};
    w->result = weft_buffer_create(w->f.dev, &desc, &out);
    EXPECT(weft_buffer_is_none(out));
}

static void texture_placed(struct world *w, weft_object o)
{
    const weft_texture_desc desc = {.format = WEFT_FORMAT_R8_UNORM,
                                    .place = {.block = HANDLE(memory_block, o)}};
    weft_texture out = {1, 1};
    w->result = weft_texture_create(w->f.dev, &desc, &out);
    EXPECT(weft_texture_is_none(out));
}

static void texture_write(struct world *w, weft_object o)
{
    const uint8_t data[64] = {0};
    w->result = weft_texture_write(w->f.dev, HANDLE(texture, o), NULL, data, NULL);
}

static void texture_read(struct world *w, weft_object o)
{
    uint8_t data[64];
    w->result = weft_texture_read(w->f.dev, HANDLE(texture, o), NULL, data, sizeof data, NULL);
}

static void read_begin_texture(struct world *w, weft_object o)
{
    weft_read read = 1;
    w->result = weft_read_begin_texture(w->f.dev, HANDLE(texture, o), NULL, &read);
    EXPECT_EQ(read, 0);
}

static void view_of_texture(struct world *w, weft_object o)
{
    weft_texture_view out = {1, 1};
    const weft_texture_view_desc desc = {.texture = HANDLE(texture, o)};
    w->result = weft_texture_view_create(w->f.dev, &desc, &out);
    EXPECT(weft_texture_view_is_none(out));
}

static void view_in_pool(struct world *w, weft_object o)
{
    weft_texture_view out = {1, 1};
    const weft_texture_view_desc desc = {.texture = w->mesh.texture, .pool = HANDLE(view_pool, o)};
    w->result = weft_texture_view_create(w->f.dev, &desc, &out);
    EXPECT(weft_texture_view_is_none(out));
}

static void view_pool_reset(struct world *w, weft_object o)
{
    w->result = weft_view_pool_reset(w->f.dev, HANDLE(view_pool, o));
}

static void view_texture(struct world *w, weft_object o)
{
    w->result = usage_if(
        weft_texture_is_none(weft_texture_view_texture(w->f.dev, HANDLE(texture_view, o))));
}

static void view_index(struct world *w, weft_object o)
{
    w->result = usage_if(weft_texture_view_index(w->f.dev, HANDLE(texture_view, o),
                                                 WEFT_HEAP_SAMPLED) == UINT32_MAX);
}

static void sampler_index(struct world *w, weft_object o)
{
    w->result = usage_if(weft_sampler_index(w->f.dev, HANDLE(sampler, o)) == UINT32_MAX);
}

static void heap_range_first(struct world *w, weft_object o)
{
    w->result = usage_if(weft_heap_range_first(w->f.dev, HANDLE(heap_range, o)) == UINT32_MAX);
}

static void heap_range_write(struct world *w, weft_object o)
{
    w->result = weft_heap_range_write(w->f.dev, HANDLE(heap_range, o), 0, w->mesh.texture_view,
                                      (weft_sampler){0});
}

static void heap_range_write_view(struct world *w, weft_object o)
{
    w->result =
        weft_heap_range_write(w->f.dev, HANDLE(heap_range, w->live.of[WEFT_OBJECT_HEAP_RANGE]), 0,
                              HANDLE(texture_view, o), (weft_sampler){0});
}

static void pipeline_of_shader(struct world *w, weft_object o)
{
    weft_graphics_pipeline_desc desc = record_mesh_desc(&w->mesh);
    desc.vertex.shader = HANDLE(shader, o);
    weft_graphics_pipeline out = {1, 1};
    w->result = weft_graphics_pipeline_create(w->f.dev, &desc, &out);
    EXPECT(weft_graphics_pipeline_is_none(out));
}

static void pipeline_of_fragment(struct world *w, weft_object o)
{
    weft_graphics_pipeline_desc desc = record_mesh_desc(&w->mesh);
    desc.fragment.shader = HANDLE(shader, o);
    weft_graphics_pipeline out = {1, 1};
    w->result = weft_graphics_pipeline_create(w->f.dev, &desc, &out);
    EXPECT(weft_graphics_pipeline_is_none(out));
}

static void pipeline_of_layout(struct world *w, weft_object o)
{
    weft_graphics_pipeline_desc desc = record_mesh_desc(&w->mesh);
    desc.layouts[1] = HANDLE(argument_layout, o);
    weft_graphics_pipeline out = {1, 1};
    w->result = weft_graphics_pipeline_create(w->f.dev, &desc, &out);
    EXPECT(weft_graphics_pipeline_is_none(out));
}

static void compute_of_shader(struct world *w, weft_object o)
{
    const weft_compute_pipeline_desc desc = {.compute = {.shader = HANDLE(shader, o)}};
    weft_compute_pipeline out = {1, 1};
    w->result = weft_compute_pipeline_create(w->f.dev, &desc, &out);
    EXPECT(weft_compute_pipeline_is_none(out));
}

static void graphics_ready(struct world *w, weft_object o)
{
    w->result = weft_graphics_pipeline_ready(w->f.dev, HANDLE(graphics_pipeline, o));
}

static void compute_ready(struct world *w, weft_object o)
{
    w->result = weft_compute_pipeline_ready(w->f.dev, HANDLE(compute_pipeline, o));
}

static void graphics_layout(struct world *w, weft_object o)
{
    w->result = usage_if(weft_argument_layout_is_none(
        weft_graphics_pipeline_layout(w->f.dev, HANDLE(graphics_pipeline, o), 0)));
}

static void compute_layout(struct world *w, weft_object o)
{
    w->result = usage_if(weft_argument_layout_is_none(
        weft_compute_pipeline_layout(w->f.dev, HANDLE(compute_pipeline, o), 0)));
}

static void layout_with_sampler(struct world *w, weft_object o)
{
    const weft_argument argument = {.type = WEFT_ARGUMENT_SAMPLER, .fixed = HANDLE(sampler, o)};
    const weft_argument_layout_desc desc = {.arguments = &argument, .argument_count = 1};
    weft_argument_layout out = {1, 1};
    w->result = weft_argument_layout_create(w->f.dev, &desc, &out);
    EXPECT(weft_argument_layout_is_none(out));
}

static void table_of_layout(struct world *w, weft_object o)
{
    weft_argument_table out = {1, 1};
    w->result = weft_argument_table_create(
        w->f.dev, &(weft_argument_table_desc){.layout = HANDLE(argument_layout, o)}, &out);
    EXPECT(weft_argument_table_is_none(out));
}

static void table_write(struct world *w, weft_object o)
{
    const weft_argument_write write = {.buffer = w->mesh.uniforms, .size = 256};
    w->result = weft_argument_table_write(w->f.dev, HANDLE(argument_table, o), &write, 1);
}

static void table_write_buffer(struct world *w, weft_object o)
{
    const weft_argument_write write = {.buffer = HANDLE(buffer, o)};
    w->result = weft_argument_table_write(w->f.dev, w->mesh.globals, &write, 1);
}

static void table_write_view(struct world *w, weft_object o)
{
    const weft_argument_write write = {.view = HANDLE(texture_view, o), .sampler = w->mesh.sampler};
    w->result = weft_argument_table_write(w->f.dev, w->mesh.material, &write, 1);
}

static void table_write_sampler(struct world *w, weft_object o)
{
    const weft_argument_write write = {.view = w->mesh.texture_view, .sampler = HANDLE(sampler, o)};
    w->result = weft_argument_table_write(w->f.dev, w->mesh.material, &write, 1);
}

static void query_read(struct world *w, weft_object o)
{
    uint64_t value;
    w->result = weft_query_pool_read(w->f.dev, HANDLE(query_pool, o), 0, 1, &value, sizeof value);
}

static void timeline_value(struct world *w, weft_object o)
{
    w->result = usage_if(weft_timeline_value(w->f.dev, HANDLE(timeline, o)) == 0);
}

static void timeline_wait(struct world *w, weft_object o)
{
    w->result = weft_timeline_wait(w->f.dev, HANDLE(timeline, o), 0, 0);
}

static void timeline_signal(struct world *w, weft_object o)
{
    w->result = weft_timeline_signal(w->f.dev, HANDLE(timeline, o), 5);
}

static void submit_wait(struct world *w, weft_object o)
{
    const weft_timeline_point point = {.timeline = HANDLE(timeline, o)};
    w->result = weft_queue_submit(w->f.dev, WEFT_QUEUE_GRAPHICS,
                                  &(weft_submit){.waits = &point, .wait_count = 1}, NULL);
}

static void submit_signal(struct world *w, weft_object o)
{
    const weft_timeline_point point = {.timeline = HANDLE(timeline, o), .value = 9};
    w->result = weft_queue_submit(w->f.dev, WEFT_QUEUE_GRAPHICS,
                                  &(weft_submit){.signals = &point, .signal_count = 1}, NULL);
}

static void submit_surface(struct world *w, weft_object o)
{
    const weft_surface surface = HANDLE(surface, o);
    w->result = weft_queue_submit(w->f.dev, WEFT_QUEUE_GRAPHICS,
                                  &(weft_submit){.surfaces = &surface, .surface_count = 1}, NULL);
}

static void surface_query(struct world *w, weft_object o)
{
    weft_surface_info info;
    w->result = weft_surface_query(w->f.dev, HANDLE(surface, o), &info);
}

static void surface_configure(struct world *w, weft_object o)
{
    w->result = weft_surface_configure(w->f.dev, HANDLE(surface, o),
                                       &(weft_surface_config){.width = 4, .height = 4});
}

static void surface_acquire(struct world *w, weft_object o)
{
    weft_surface_image image;
    w->result = weft_surface_acquire(w->f.dev, HANDLE(surface, o), &image);
}

static void surface_present(struct world *w, weft_object o)
{
    w->result = weft_surface_present(w->f.dev, HANDLE(surface, o), NULL, 0);
}

static void surface_pixels(struct world *w, weft_object o)
{
    const uint8_t pixels[64] = {0};
    w->result = weft_surface_present_pixels(w->f.dev, HANDLE(surface, o), pixels, 16);
}

static void surface_read(struct world *w, weft_object o)
{
    uint8_t pixels[64];
    w->result = weft_surface_read(w->f.dev, HANDLE(surface, o), pixels, sizeof pixels);
}

static void allocator_reset(struct world *w, weft_object o)
{
    w->result = weft_command_allocator_reset(w->f.dev, HANDLE(command_allocator, o));
}

static void command_of_allocator(struct world *w, weft_object o)
{
    weft_command_buffer *cmd;
    w->result = weft_command_begin(
        w->f.dev, &(weft_command_desc){.allocator = HANDLE(command_allocator, o)}, &cmd);
    EXPECT(cmd == NULL);
}

// ---- calls while recording, outside of encoders -------------------------------------------------

static void write_timestamp(struct world *w, weft_object o)
{
    weft_command_write_timestamp(w->cmd, HANDLE(query_pool, o), 0);
}

static void resolve_queries(struct world *w, weft_object o)
{
    weft_command_resolve_queries(w->cmd, HANDLE(query_pool, o), 0, 1,
                                 HANDLE(buffer, w->live.of[WEFT_OBJECT_BUFFER]), 0);
}

static void resolve_into(struct world *w, weft_object o)
{
    weft_command_resolve_queries(w->cmd, HANDLE(query_pool, w->live.of[WEFT_OBJECT_QUERY_POOL]), 0,
                                 1, HANDLE(buffer, o), 0);
}

static void pass_on(struct world *w, weft_render_pass_desc desc)
{
    desc.colors[0].load = desc.depth_load = WEFT_LOAD_CLEAR;
    weft_render_end(weft_command_begin_render(w->cmd, &desc));
}

static void pass_color(struct world *w, weft_object o)
{
    pass_on(w, (weft_render_pass_desc){.colors[0].view = HANDLE(texture_view, o)});
}

static void pass_resolve(struct world *w, weft_object o)
{
    pass_on(w, (weft_render_pass_desc){
                   .colors[0] = {.view = w->mesh.view, .resolve = HANDLE(texture_view, o)}});
}

static void pass_depth(struct world *w, weft_object o)
{
    pass_on(w, (weft_render_pass_desc){.depth_stencil = HANDLE(texture_view, o)});
}

static void pass_occlusion(struct world *w, weft_object o)
{
    pass_on(w, (weft_render_pass_desc){.colors[0].view = w->mesh.view,
                                       .occlusion = HANDLE(query_pool, o)});
}

static void pass_times(struct world *w, weft_object o)
{
    pass_on(w, (weft_render_pass_desc){.colors[0].view = w->mesh.view,
                                       .times = {.pool = HANDLE(query_pool, o), .end = 1}});
}

static void compute_times(struct world *w, weft_object o)
{
    weft_compute_end(weft_command_begin_compute(
        w->cmd, &(weft_compute_pass_desc){.times = {.pool = HANDLE(query_pool, o), .end = 1}}));
}

static void texture_barrier(struct world *w, weft_object o)
{
    weft_command_texture_barrier(w->cmd,
                                 &(weft_texture_barrier){.texture = HANDLE(texture, o),
                                                         .after = WEFT_TEXTURE_STATE_STORAGE,
                                                         .producers = WEFT_STAGE_ALL,
                                                         .consumers = WEFT_STAGE_ALL},
                                 1);
}

static void buffer_barrier(struct world *w, weft_object o)
{
    weft_command_buffer_barrier(w->cmd,
                                &(weft_buffer_barrier){.buffer = HANDLE(buffer, o),
                                                       .producers = WEFT_STAGE_ALL,
                                                       .consumers = WEFT_STAGE_ALL},
                                1);
}

static void alias_barrier(struct world *w, weft_object o)
{
    weft_command_alias_barrier(w->cmd, o, (weft_object){0});
}

static void alias_barrier_after(struct world *w, weft_object o)
{
    weft_command_alias_barrier(w->cmd, (weft_object){0}, o);
}

// ---- calls in a render pass ---------------------------------------------------------------------

static void render_pipeline(struct world *w, weft_object o)
{
    weft_render_set_pipeline(w->render, HANDLE(graphics_pipeline, o));
}

static void render_arguments(struct world *w, weft_object o)
{
    weft_render_set_arguments(w->render, 0, HANDLE(argument_table, o), NULL, 0);
}

static void render_root_pointer(struct world *w, weft_object o)
{
    weft_render_set_root_pointer(w->render, 0, 0, HANDLE(buffer, o), 0);
}

static void vertex_buffer(struct world *w, weft_object o)
{
    weft_render_set_vertex_buffer(w->render, 0, HANDLE(buffer, o), 0);
}

static void index_buffer(struct world *w, weft_object o)
{
    weft_render_set_index_buffer(w->render, HANDLE(buffer, o), 0, WEFT_INDEX_UINT16);
}

static void draw_indirect(struct world *w, weft_object o)
{
    record_mesh_bind(w->render, &w->mesh);
    weft_render_draw_indirect(w->render,
                              &(weft_indirect_draws){.buffer = HANDLE(buffer, o), .max_count = 1});
}

static void draw_indexed_indirect(struct world *w, weft_object o)
{
    record_mesh_bind(w->render, &w->mesh);
    weft_render_draw_indexed_indirect(
        w->render, &(weft_indirect_draws){.buffer = HANDLE(buffer, o), .max_count = 1});
}

static void draw_count(struct world *w, weft_object o)
{
    record_mesh_bind(w->render, &w->mesh);
    weft_render_draw_indirect(
        w->render, &(weft_indirect_draws){.buffer = HANDLE(buffer, w->live.of[WEFT_OBJECT_BUFFER]),
                                          .max_count = 1,
                                          .count_buffer = HANDLE(buffer, o)});
}

// ---- calls in a compute encoder -----------------------------------------------------------------

static void compute_pipeline(struct world *w, weft_object o)
{
    weft_compute_set_pipeline(w->compute, HANDLE(compute_pipeline, o));
}

static void compute_arguments(struct world *w, weft_object o)
{
    weft_compute_set_arguments(w->compute, 0, HANDLE(argument_table, o), NULL, 0);
}

static void compute_root_pointer(struct world *w, weft_object o)
{
    weft_compute_set_root_pointer(w->compute, 0, HANDLE(buffer, o), 0);
}

static void dispatch_indirect(struct world *w, weft_object o)
{
    weft_compute_set_pipeline(w->compute,
                              HANDLE(compute_pipeline, w->live.of[WEFT_OBJECT_COMPUTE_PIPELINE]));
    weft_compute_dispatch_indirect(w->compute, HANDLE(buffer, o), 0);
}

static void copy_from(struct world *w, weft_object o)
{
    weft_compute_copy_buffer(w->compute, HANDLE(buffer, o), 0,
                             HANDLE(buffer, w->live.of[WEFT_OBJECT_BUFFER]), 0, 4);
}

static void copy_to(struct world *w, weft_object o)
{
    weft_compute_copy_buffer(w->compute, HANDLE(buffer, w->live.of[WEFT_OBJECT_BUFFER]), 0,
                             HANDLE(buffer, o), 0, 4);
}

static void upload_from(struct world *w, weft_object o)
{
    weft_compute_copy_buffer_to_texture(w->compute, HANDLE(buffer, o), NULL,
                                        HANDLE(texture, w->live.of[WEFT_OBJECT_TEXTURE]), NULL);
}

static void upload_to(struct world *w, weft_object o)
{
    weft_compute_copy_buffer_to_texture(w->compute, HANDLE(buffer, w->live.of[WEFT_OBJECT_BUFFER]),
                                        NULL, HANDLE(texture, o), NULL);
}

static void download_from(struct world *w, weft_object o)
{
    weft_compute_copy_texture_to_buffer(w->compute, HANDLE(texture, o), NULL,
                                        HANDLE(buffer, w->live.of[WEFT_OBJECT_BUFFER]), NULL);
}

static void download_to(struct world *w, weft_object o)
{
    weft_compute_copy_texture_to_buffer(w->compute,
                                        HANDLE(texture, w->live.of[WEFT_OBJECT_TEXTURE]), NULL,
                                        HANDLE(buffer, o), NULL);
}

static void copy_texture_from(struct world *w, weft_object o)
{
    weft_compute_copy_texture(w->compute, HANDLE(texture, o), NULL,
                              HANDLE(texture, w->live.of[WEFT_OBJECT_TEXTURE]), NULL);
}

static void copy_texture_to(struct world *w, weft_object o)
{
    weft_compute_copy_texture(w->compute, HANDLE(texture, w->live.of[WEFT_OBJECT_TEXTURE]), NULL,
                              HANDLE(texture, o), NULL);
}

static void fill(struct world *w, weft_object o)
{
    weft_compute_fill_buffer(w->compute, HANDLE(buffer, o), 0, 4, 1);
}

static void generate_mips(struct world *w, weft_object o)
{
    weft_compute_generate_mips(w->compute, HANDLE(texture, o));
}

static void write_heap(struct world *w, weft_object o)
{
    weft_compute_write_heap(w->compute, HANDLE(heap_range, o), 0, w->mesh.texture_view,
                            (weft_sampler){0});
}

static void write_heap_view(struct world *w, weft_object o)
{
    weft_compute_write_heap(w->compute, HANDLE(heap_range, w->live.of[WEFT_OBJECT_HEAP_RANGE]), 0,
                            HANDLE(texture_view, o), (weft_sampler){0});
}

// ---- the table ----------------------------------------------------------------------------------

enum place {
    DEVICE,
    SILENT, ///< On the device; says so by its result alone.
    COMMAND,
    RENDER,
    COMPUTE,
    COMPUTE_BARE, ///< Nothing is bound, so that other rules are broken, too.
};

struct call {
    const char *name;
    void (*make)(struct world *w, weft_object bad);
    weft_object_kind kind;
    enum place place;
};

static void buffer_desc(struct world *w, weft_object o)
{
    weft_buffer_desc desc;
    w->result = usage_if(!weft_buffer_get_desc(w->f.dev, HANDLE(buffer, o), &desc));
}

static void texture_desc(struct world *w, weft_object o)
{
    weft_texture_desc desc;
    w->result = usage_if(!weft_texture_get_desc(w->f.dev, HANDLE(texture, o), &desc));
}

static void silent_view(struct world *w, weft_object o)
{
    weft_texture_view_info info;
    w->result = usage_if(!weft_texture_view_get_info(w->f.dev, HANDLE(texture_view, o), &info));
}

static void silent_table(struct world *w, weft_object o)
{
    weft_argument_write write;
    w->result =
        usage_if(!weft_argument_table_get(w->f.dev, HANDLE(argument_table, o), 0, NULL, &write));
}

static void shader_reflect(struct world *w, weft_object o)
{
    weft_reflection reflection;
    w->result = usage_if(!weft_shader_reflect(w->f.dev, HANDLE(shader, o), 0, &reflection));
}

static const struct call calls[] = {
    {"weft_buffer_destroy", destroys, WEFT_OBJECT_BUFFER, DEVICE},
    {"weft_texture_destroy", destroys, WEFT_OBJECT_TEXTURE, DEVICE},
    {"weft_texture_view_destroy", destroys, WEFT_OBJECT_TEXTURE_VIEW, DEVICE},
    {"weft_view_pool_destroy", destroys, WEFT_OBJECT_VIEW_POOL, DEVICE},
    {"weft_sampler_destroy", destroys, WEFT_OBJECT_SAMPLER, DEVICE},
    {"weft_memory_block_destroy", destroys, WEFT_OBJECT_MEMORY_BLOCK, DEVICE},
    {"weft_shader_destroy", destroys, WEFT_OBJECT_SHADER, DEVICE},
    {"weft_graphics_pipeline_destroy", destroys, WEFT_OBJECT_GRAPHICS_PIPELINE, DEVICE},
    {"weft_compute_pipeline_destroy", destroys, WEFT_OBJECT_COMPUTE_PIPELINE, DEVICE},
    {"weft_argument_layout_destroy", destroys, WEFT_OBJECT_ARGUMENT_LAYOUT, DEVICE},
    {"weft_argument_table_destroy", destroys, WEFT_OBJECT_ARGUMENT_TABLE, DEVICE},
    {"weft_query_pool_destroy", destroys, WEFT_OBJECT_QUERY_POOL, DEVICE},
    {"weft_timeline_destroy", destroys, WEFT_OBJECT_TIMELINE, DEVICE},
    {"weft_surface_destroy", destroys, WEFT_OBJECT_SURFACE, DEVICE},
    {"weft_heap_range_destroy", destroys, WEFT_OBJECT_HEAP_RANGE, DEVICE},
    {"weft_command_allocator_destroy", destroys, WEFT_OBJECT_COMMAND_ALLOCATOR, DEVICE},
    {"weft_buffer_map", buffer_map, WEFT_OBJECT_BUFFER, DEVICE},
    {"weft_buffer_flush", buffer_flush, WEFT_OBJECT_BUFFER, DEVICE},
    {"weft_buffer_address", buffer_address, WEFT_OBJECT_BUFFER, DEVICE},
    {"weft_buffer_rebind", buffer_rebind, WEFT_OBJECT_BUFFER, DEVICE},
    {"weft_buffer_write", buffer_write, WEFT_OBJECT_BUFFER, DEVICE},
    {"weft_buffer_read", buffer_read, WEFT_OBJECT_BUFFER, DEVICE},
    {"weft_read_begin_buffer", read_begin_buffer, WEFT_OBJECT_BUFFER, DEVICE},
    {"weft_buffer_create: place", buffer_placed, WEFT_OBJECT_MEMORY_BLOCK, DEVICE},
    {"weft_texture_create: place", texture_placed, WEFT_OBJECT_MEMORY_BLOCK, DEVICE},
    {"weft_texture_write", texture_write, WEFT_OBJECT_TEXTURE, DEVICE},
    {"weft_texture_read", texture_read, WEFT_OBJECT_TEXTURE, DEVICE},
    {"weft_read_begin_texture", read_begin_texture, WEFT_OBJECT_TEXTURE, DEVICE},
    {"weft_texture_view_create: texture", view_of_texture, WEFT_OBJECT_TEXTURE, DEVICE},
    {"weft_texture_view_create: pool", view_in_pool, WEFT_OBJECT_VIEW_POOL, DEVICE},
    {"weft_view_pool_reset", view_pool_reset, WEFT_OBJECT_VIEW_POOL, DEVICE},
    {"weft_texture_view_texture", view_texture, WEFT_OBJECT_TEXTURE_VIEW, DEVICE},
    {"weft_texture_view_index", view_index, WEFT_OBJECT_TEXTURE_VIEW, DEVICE},
    {"weft_sampler_index", sampler_index, WEFT_OBJECT_SAMPLER, DEVICE},
    {"weft_heap_range_first", heap_range_first, WEFT_OBJECT_HEAP_RANGE, DEVICE},
    {"weft_heap_range_write", heap_range_write, WEFT_OBJECT_HEAP_RANGE, DEVICE},
    {"weft_heap_range_write: view", heap_range_write_view, WEFT_OBJECT_TEXTURE_VIEW, DEVICE},
    {"weft_graphics_pipeline_create: vertex", pipeline_of_shader, WEFT_OBJECT_SHADER, DEVICE},
    {"weft_graphics_pipeline_create: fragment", pipeline_of_fragment, WEFT_OBJECT_SHADER, DEVICE},
    {"weft_graphics_pipeline_create: layouts", pipeline_of_layout, WEFT_OBJECT_ARGUMENT_LAYOUT,
     DEVICE},
    {"weft_compute_pipeline_create", compute_of_shader, WEFT_OBJECT_SHADER, DEVICE},
    {"weft_graphics_pipeline_ready", graphics_ready, WEFT_OBJECT_GRAPHICS_PIPELINE, DEVICE},
    {"weft_compute_pipeline_ready", compute_ready, WEFT_OBJECT_COMPUTE_PIPELINE, DEVICE},
    {"weft_graphics_pipeline_layout", graphics_layout, WEFT_OBJECT_GRAPHICS_PIPELINE, DEVICE},
    {"weft_compute_pipeline_layout", compute_layout, WEFT_OBJECT_COMPUTE_PIPELINE, DEVICE},
    {"weft_argument_layout_create: fixed", layout_with_sampler, WEFT_OBJECT_SAMPLER, DEVICE},
    {"weft_argument_table_create", table_of_layout, WEFT_OBJECT_ARGUMENT_LAYOUT, DEVICE},
    {"weft_argument_table_write", table_write, WEFT_OBJECT_ARGUMENT_TABLE, DEVICE},
    {"weft_argument_table_write: buffer", table_write_buffer, WEFT_OBJECT_BUFFER, DEVICE},
    {"weft_argument_table_write: view", table_write_view, WEFT_OBJECT_TEXTURE_VIEW, DEVICE},
    {"weft_argument_table_write: sampler", table_write_sampler, WEFT_OBJECT_SAMPLER, DEVICE},
    {"weft_query_pool_read", query_read, WEFT_OBJECT_QUERY_POOL, DEVICE},
    {"weft_timeline_value", timeline_value, WEFT_OBJECT_TIMELINE, DEVICE},
    {"weft_timeline_wait", timeline_wait, WEFT_OBJECT_TIMELINE, DEVICE},
    {"weft_timeline_signal", timeline_signal, WEFT_OBJECT_TIMELINE, DEVICE},
    {"weft_queue_submit: waits", submit_wait, WEFT_OBJECT_TIMELINE, DEVICE},
    {"weft_queue_submit: signals", submit_signal, WEFT_OBJECT_TIMELINE, DEVICE},
    {"weft_queue_submit: surfaces", submit_surface, WEFT_OBJECT_SURFACE, DEVICE},
    {"weft_surface_query", surface_query, WEFT_OBJECT_SURFACE, DEVICE},
    {"weft_surface_configure", surface_configure, WEFT_OBJECT_SURFACE, DEVICE},
    {"weft_surface_acquire", surface_acquire, WEFT_OBJECT_SURFACE, DEVICE},
    {"weft_surface_present", surface_present, WEFT_OBJECT_SURFACE, DEVICE},
    {"weft_surface_present_pixels", surface_pixels, WEFT_OBJECT_SURFACE, DEVICE},
    {"weft_surface_read", surface_read, WEFT_OBJECT_SURFACE, DEVICE},
    {"weft_command_allocator_reset", allocator_reset, WEFT_OBJECT_COMMAND_ALLOCATOR, DEVICE},
    {"weft_command_begin", command_of_allocator, WEFT_OBJECT_COMMAND_ALLOCATOR, DEVICE},
    {"weft_buffer_get_desc", buffer_desc, WEFT_OBJECT_BUFFER, DEVICE},
    {"weft_texture_get_desc", texture_desc, WEFT_OBJECT_TEXTURE, DEVICE},
    {"weft_texture_view_get_info", silent_view, WEFT_OBJECT_TEXTURE_VIEW, SILENT},
    {"weft_argument_table_get", silent_table, WEFT_OBJECT_ARGUMENT_TABLE, SILENT},
    {"weft_shader_reflect", shader_reflect, WEFT_OBJECT_SHADER, DEVICE},
    {"weft_command_write_timestamp", write_timestamp, WEFT_OBJECT_QUERY_POOL, COMMAND},
    {"weft_command_resolve_queries", resolve_queries, WEFT_OBJECT_QUERY_POOL, COMMAND},
    {"weft_command_resolve_queries: buffer", resolve_into, WEFT_OBJECT_BUFFER, COMMAND},
    {"weft_command_begin_render: colors", pass_color, WEFT_OBJECT_TEXTURE_VIEW, COMMAND},
    {"weft_command_begin_render: resolve", pass_resolve, WEFT_OBJECT_TEXTURE_VIEW, COMMAND},
    {"weft_command_begin_render: depth", pass_depth, WEFT_OBJECT_TEXTURE_VIEW, COMMAND},
    {"weft_command_begin_render: occlusion", pass_occlusion, WEFT_OBJECT_QUERY_POOL, COMMAND},
    {"weft_command_begin_render: times", pass_times, WEFT_OBJECT_QUERY_POOL, COMMAND},
    {"weft_command_begin_compute: times", compute_times, WEFT_OBJECT_QUERY_POOL, COMMAND},
    {"weft_command_texture_barrier", texture_barrier, WEFT_OBJECT_TEXTURE, COMMAND},
    {"weft_command_buffer_barrier", buffer_barrier, WEFT_OBJECT_BUFFER, COMMAND},
    {"weft_command_alias_barrier: before", alias_barrier, WEFT_OBJECT_BUFFER, COMMAND},
    {"weft_command_alias_barrier: after", alias_barrier_after, WEFT_OBJECT_TEXTURE, COMMAND},
    {"weft_render_set_pipeline", render_pipeline, WEFT_OBJECT_GRAPHICS_PIPELINE, RENDER},
    {"weft_render_set_arguments", render_arguments, WEFT_OBJECT_ARGUMENT_TABLE, RENDER},
    {"weft_render_set_root_pointer", render_root_pointer, WEFT_OBJECT_BUFFER, RENDER},
    {"weft_render_set_vertex_buffer", vertex_buffer, WEFT_OBJECT_BUFFER, RENDER},
    {"weft_render_set_index_buffer", index_buffer, WEFT_OBJECT_BUFFER, RENDER},
    {"weft_render_draw_indirect", draw_indirect, WEFT_OBJECT_BUFFER, RENDER},
    {"weft_render_draw_indexed_indirect", draw_indexed_indirect, WEFT_OBJECT_BUFFER, RENDER},
    {"weft_render_draw_indirect: count", draw_count, WEFT_OBJECT_BUFFER, RENDER},
    {"weft_compute_set_pipeline", compute_pipeline, WEFT_OBJECT_COMPUTE_PIPELINE, COMPUTE},
    {"weft_compute_set_arguments", compute_arguments, WEFT_OBJECT_ARGUMENT_TABLE, COMPUTE},
    {"weft_compute_set_root_pointer", compute_root_pointer, WEFT_OBJECT_BUFFER, COMPUTE},
    {"weft_compute_dispatch_indirect", dispatch_indirect, WEFT_OBJECT_BUFFER, COMPUTE_BARE},
    {"weft_compute_copy_buffer: src", copy_from, WEFT_OBJECT_BUFFER, COMPUTE},
    {"weft_compute_copy_buffer: dst", copy_to, WEFT_OBJECT_BUFFER, COMPUTE},
    {"weft_compute_copy_buffer_to_texture: src", upload_from, WEFT_OBJECT_BUFFER, COMPUTE},
    {"weft_compute_copy_buffer_to_texture: dst", upload_to, WEFT_OBJECT_TEXTURE, COMPUTE},
    {"weft_compute_copy_texture_to_buffer: src", download_from, WEFT_OBJECT_TEXTURE, COMPUTE},
    {"weft_compute_copy_texture_to_buffer: dst", download_to, WEFT_OBJECT_BUFFER, COMPUTE},
    {"weft_compute_copy_texture: src", copy_texture_from, WEFT_OBJECT_TEXTURE, COMPUTE},
    {"weft_compute_copy_texture: dst", copy_texture_to, WEFT_OBJECT_TEXTURE, COMPUTE},
    {"weft_compute_fill_buffer", fill, WEFT_OBJECT_BUFFER, COMPUTE},
    {"weft_compute_generate_mips", generate_mips, WEFT_OBJECT_TEXTURE, COMPUTE},
    {"weft_compute_write_heap", write_heap, WEFT_OBJECT_HEAP_RANGE, COMPUTE},
    {"weft_compute_write_heap: view", write_heap_view, WEFT_OBJECT_TEXTURE_VIEW, COMPUTE},
};

static bool is_handle_rule(uint32_t code)
{
    return code == WEFT_RULE_HANDLE_NONE || code == WEFT_RULE_HANDLE_STALE ||
           code == WEFT_RULE_HANDLE_FOREIGN || code == WEFT_RULE_HANDLE_INVALID;
}

/// Makes the call where it belongs; the result is what it came to in the end.
static void make_call(struct world *w, const struct call *call, weft_object bad)
{
    w->result = WEFT_OK;
    if (call->place == DEVICE || call->place == SILENT) {
        call->make(w, bad);
        return;
    }
    w->cmd = record_begin(&w->f);
    if (call->place == RENDER)
        w->render = record_pass(w->cmd, w->mesh.view);
    if (call->place >= COMPUTE)
        w->compute = weft_command_begin_compute(w->cmd, NULL);
    call->make(w, bad);
    if (call->place == RENDER)
        weft_render_end(w->render);
    if (call->place >= COMPUTE)
        weft_compute_end(w->compute);
    w->result = weft_command_end(w->cmd);
    if (w->result == WEFT_OK)
        weft_command_discard(w->cmd);
}

static void expect_refused(struct world *w, const struct call *call, weft_object bad,
                           weft_rule rule)
{
    fixture_clear(&w->f);
    make_call(w, call, bad);
    const struct fixture_log *log = w->f.log;
    if (w->result != WEFT_ERROR_USAGE)
        test_fail(__FILE__, __LINE__, "%s came to %s for W%04d: %s", call->name,
                  weft_result_name(w->result), (int)rule, log->message);
    if (call->place == SILENT) {
        if (log->count != 0)
            test_fail(__FILE__, __LINE__, "%s is not silent: %s", call->name, log->message);
        return;
    }
    if (!fixture_saw(&w->f, rule))
        test_fail(__FILE__, __LINE__, "%s: not W%04d but, of %u, W%04d: %s", call->name, (int)rule,
                  log->count, (int)fixture_last_rule(&w->f), log->message);
    for (uint32_t i = 0; i < log->count && i < FIXTURE_CODES; ++i) {
        if (call->place != COMPUTE_BARE && !is_handle_rule(log->codes[i]))
            test_fail(__FILE__, __LINE__, "%s: W%04u, too", call->name, log->codes[i]);
    }
}

static void refuse_all(weft_backend backend, weft_validation validation)
{
    struct world w = {.f = fixture_open_validation(backend, validation)};
    struct fixture other = fixture_open_validation(backend, validation);
    const struct objects stale = objects_make(&w.f);
    const struct objects foreign = objects_make(&other);
    objects_destroy(w.f.dev, &stale);
    w.mesh = record_mesh_create(&w.f);
    w.live = objects_make(&w.f);
    EXPECT_EQ(fixture_count(&w.f), 0);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; ++i) {
        const struct call *call = &calls[i];
        const weft_object live = w.live.of[call->kind];
        expect_refused(&w, call, stale.of[call->kind], WEFT_RULE_HANDLE_STALE);
        expect_refused(&w, call, foreign.of[call->kind], WEFT_RULE_HANDLE_FOREIGN);
        // A slot that was never given out, and a generation that has not come yet.
        expect_refused(&w, call, object_of(call->kind, 0x00ffffff, live.generation),
                       WEFT_RULE_HANDLE_INVALID);
        expect_refused(&w, call, object_of(call->kind, UINT32_MAX, UINT32_MAX),
                       WEFT_RULE_HANDLE_FOREIGN);
    }
    objects_destroy(w.f.dev, &w.live);
    record_mesh_destroy(&w.f, &w.mesh);
    objects_destroy(other.dev, &foreign);
    fixture_close(&other);
    fixture_close(&w.f);
}

TEST(handle_rules, bad_handles_are_refused_everywhere_on_noop)
{
    refuse_all(WEFT_BACKEND_NOOP, WEFT_VALIDATION_FULL);
    refuse_all(WEFT_BACKEND_NOOP, WEFT_VALIDATION_OFF);
}

TEST(handle_rules, bad_handles_are_refused_everywhere_on_software)
{
    refuse_all(WEFT_BACKEND_SOFTWARE, WEFT_VALIDATION_ERRORS);
    refuse_all(WEFT_BACKEND_SOFTWARE, WEFT_VALIDATION_OFF);
}

/// A handle of one kind says nothing to the functions of another.
TEST(handle_rules, what_was_a_buffer_is_no_texture)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_buffer buffer = record_buffer(&f, 4, 0);
    const weft_texture texture = {buffer.index, buffer.generation};
    EXPECT_EQ(weft_texture_write(f.dev, texture, NULL, "data", NULL), WEFT_ERROR_USAGE);
    EXPECT_EQ(fixture_count(&f), 1);
    EXPECT(is_handle_rule(fixture_last_rule(&f)));
    weft_buffer_destroy(f.dev, buffer);
    fixture_close(&f);
}
