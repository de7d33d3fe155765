// Calls while recording.
#include "handles.h"

static void pass_on(struct world *w, weft_render_pass_desc desc)
{
    desc.colors[0].load = desc.depth_load = WEFT_LOAD_CLEAR;
    weft_render_end(weft_command_begin_render(w->cmd, &desc));
}

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

static void draw_mesh_indirect(struct world *w, weft_object o)
{
    meshlets_bind(w->render, &w->meshlets);
    weft_render_draw_mesh_indirect(
        w->render, &(weft_indirect_draws){.buffer = HANDLE(buffer, o), .max_count = 1});
}

static void draw_mesh_count(struct world *w, weft_object o)
{
    meshlets_bind(w->render, &w->meshlets);
    weft_render_draw_mesh_indirect(
        w->render, &(weft_indirect_draws){.buffer = HANDLE(buffer, w->live.of[WEFT_OBJECT_BUFFER]),
                                          .max_count = 1,
                                          .count_buffer = HANDLE(buffer, o)});
}

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

static void build_structure(struct world *w, weft_object o)
{
    weft_compute_build_acceleration_structure(
        w->compute, &(weft_acceleration_build){.structure = HANDLE(acceleration_structure, o),
                                               .instances = w->rays.buffer,
                                               .instance_count = 1});
}

static void build_geometry(struct world *w, const weft_acceleration_geometry *geometry)
{
    weft_compute_build_acceleration_structure(
        w->compute, &(weft_acceleration_build){
                        .structure = w->rays.bottom, .geometries = geometry, .geometry_count = 1});
}

static void build_buffer(struct world *w, weft_object o)
{
    weft_acceleration_geometry geometry = rays_geometry(&w->rays);
    geometry.buffer = HANDLE(buffer, o);
    build_geometry(w, &geometry);
}

static void build_indices(struct world *w, weft_object o)
{
    weft_acceleration_geometry geometry = rays_geometry(&w->rays);
    geometry.indices = HANDLE(buffer, o);
    build_geometry(w, &geometry);
}

static void build_transform(struct world *w, weft_object o)
{
    weft_acceleration_geometry geometry = rays_geometry(&w->rays);
    geometry.transform = HANDLE(buffer, o);
    build_geometry(w, &geometry);
}

static void build_instances(struct world *w, weft_object o)
{
    weft_compute_build_acceleration_structure(
        w->compute, &(weft_acceleration_build){.structure = w->rays.top,
                                               .instances = HANDLE(buffer, o),
                                               .instance_count = 1});
}

static void build_scratch(struct world *w, weft_object o)
{
    weft_compute_build_acceleration_structure(
        w->compute, &(weft_acceleration_build){.structure = w->rays.scratched,
                                               .instances = w->rays.buffer,
                                               .instance_count = 1,
                                               .scratch = HANDLE(buffer, o)});
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

static void begin_statistics(struct world *w, weft_object o)
{
    weft_render_begin_statistics(w->render, HANDLE(query_pool, o), 0);
}

static void draw_indexed_count(struct world *w, weft_object o)
{
    record_mesh_bind(w->render, &w->mesh);
    weft_render_draw_indexed_indirect(
        w->render, &(weft_indirect_draws){.buffer = HANDLE(buffer, w->live.of[WEFT_OBJECT_BUFFER]),
                                          .max_count = 1,
                                          .count_buffer = HANDLE(buffer, o)});
}

static void write_heap_sampler(struct world *w, weft_object o)
{
    weft_compute_write_heap(w->compute, w->samplers, 0, (weft_texture_view){0}, HANDLE(sampler, o));
}

const struct call recorded_calls[] = {
    {"weft_command_write_timestamp: pool", write_timestamp, WEFT_OBJECT_QUERY_POOL, COMMAND,
     NONE_IS_REFUSED},
    {"weft_command_resolve_queries: pool", resolve_queries, WEFT_OBJECT_QUERY_POOL, COMMAND,
     NONE_IS_REFUSED},
    {"weft_command_resolve_queries: buffer", resolve_into, WEFT_OBJECT_BUFFER, COMMAND,
     NONE_IS_REFUSED},
    {"weft_command_begin_render: colors.view", pass_color, WEFT_OBJECT_TEXTURE_VIEW, COMMAND,
     NONE_IS_FINE},
    {"weft_command_begin_render: colors.resolve", pass_resolve, WEFT_OBJECT_TEXTURE_VIEW, COMMAND,
     NONE_IS_FINE},
    {"weft_command_begin_render: depth_stencil", pass_depth, WEFT_OBJECT_TEXTURE_VIEW, COMMAND,
     NONE_IS_FINE},
    {"weft_command_begin_render: occlusion", pass_occlusion, WEFT_OBJECT_QUERY_POOL, COMMAND,
     NONE_IS_FINE},
    {"weft_command_begin_render: times.pool", pass_times, WEFT_OBJECT_QUERY_POOL, COMMAND,
     NONE_IS_FINE},
    {"weft_command_begin_compute: times.pool", compute_times, WEFT_OBJECT_QUERY_POOL, COMMAND,
     NONE_IS_FINE},
    {"weft_command_texture_barrier: texture", texture_barrier, WEFT_OBJECT_TEXTURE, COMMAND,
     NONE_IS_REFUSED},
    {"weft_command_buffer_barrier: buffer", buffer_barrier, WEFT_OBJECT_BUFFER, COMMAND,
     NONE_IS_REFUSED},
    {"weft_command_alias_barrier: before", alias_barrier, WEFT_OBJECT_BUFFER, COMMAND,
     NONE_IS_FINE},
    {"weft_command_alias_barrier: after", alias_barrier_after, WEFT_OBJECT_TEXTURE, COMMAND,
     NONE_IS_FINE},
    {"weft_render_set_pipeline: pipeline", render_pipeline, WEFT_OBJECT_GRAPHICS_PIPELINE, RENDER,
     NONE_IS_REFUSED},
    {"weft_render_set_arguments: table", render_arguments, WEFT_OBJECT_ARGUMENT_TABLE, RENDER,
     NONE_IS_REFUSED},
    {"weft_render_set_root_pointer: buffer", render_root_pointer, WEFT_OBJECT_BUFFER, RENDER,
     NONE_IS_REFUSED},
    {"weft_render_set_vertex_buffer: buffer", vertex_buffer, WEFT_OBJECT_BUFFER, RENDER,
     NONE_IS_REFUSED},
    {"weft_render_set_index_buffer: buffer", index_buffer, WEFT_OBJECT_BUFFER, RENDER,
     NONE_IS_REFUSED},
    {"weft_render_draw_indirect: buffer", draw_indirect, WEFT_OBJECT_BUFFER, RENDER,
     NONE_IS_REFUSED},
    {"weft_render_draw_indexed_indirect: buffer", draw_indexed_indirect, WEFT_OBJECT_BUFFER, RENDER,
     NONE_IS_REFUSED},
    {"weft_render_draw_indirect: count_buffer", draw_count, WEFT_OBJECT_BUFFER, RENDER,
     NONE_IS_FINE},
    {"weft_render_draw_mesh_indirect: buffer", draw_mesh_indirect, WEFT_OBJECT_BUFFER, RENDER,
     NONE_IS_REFUSED | NEEDS_MESH},
    {"weft_render_draw_mesh_indirect: count_buffer", draw_mesh_count, WEFT_OBJECT_BUFFER, RENDER,
     NONE_IS_FINE | NEEDS_MESH},
    {"weft_compute_set_pipeline: pipeline", compute_pipeline, WEFT_OBJECT_COMPUTE_PIPELINE, COMPUTE,
     NONE_IS_REFUSED},
    {"weft_compute_set_arguments: table", compute_arguments, WEFT_OBJECT_ARGUMENT_TABLE, COMPUTE,
     NONE_IS_REFUSED},
    {"weft_compute_set_root_pointer: buffer", compute_root_pointer, WEFT_OBJECT_BUFFER, COMPUTE,
     NONE_IS_REFUSED},
    {"weft_compute_dispatch_indirect: buffer", dispatch_indirect, WEFT_OBJECT_BUFFER, COMPUTE_BARE,
     NONE_IS_REFUSED},
    {"weft_compute_copy_buffer: src", copy_from, WEFT_OBJECT_BUFFER, COMPUTE, NONE_IS_REFUSED},
    {"weft_compute_copy_buffer: dst", copy_to, WEFT_OBJECT_BUFFER, COMPUTE, NONE_IS_REFUSED},
    {"weft_compute_copy_buffer_to_texture: src", upload_from, WEFT_OBJECT_BUFFER, COMPUTE,
     NONE_IS_REFUSED},
    {"weft_compute_copy_buffer_to_texture: dst", upload_to, WEFT_OBJECT_TEXTURE, COMPUTE,
     NONE_IS_REFUSED},
    {"weft_compute_copy_texture_to_buffer: src", download_from, WEFT_OBJECT_TEXTURE, COMPUTE,
     NONE_IS_REFUSED},
    {"weft_compute_copy_texture_to_buffer: dst", download_to, WEFT_OBJECT_BUFFER, COMPUTE,
     NONE_IS_REFUSED},
    {"weft_compute_copy_texture: src", copy_texture_from, WEFT_OBJECT_TEXTURE, COMPUTE,
     NONE_IS_REFUSED},
    {"weft_compute_copy_texture: dst", copy_texture_to, WEFT_OBJECT_TEXTURE, COMPUTE,
     NONE_IS_REFUSED},
    {"weft_compute_fill_buffer: buffer", fill, WEFT_OBJECT_BUFFER, COMPUTE, NONE_IS_REFUSED},
    {"weft_compute_generate_mips: texture", generate_mips, WEFT_OBJECT_TEXTURE, COMPUTE,
     NONE_IS_REFUSED},
    {"weft_compute_build_acceleration_structure: structure", build_structure,
     WEFT_OBJECT_ACCELERATION_STRUCTURE, COMPUTE, NONE_IS_REFUSED | NEEDS_RAYS},
    {"weft_compute_build_acceleration_structure: geometries.buffer", build_buffer,
     WEFT_OBJECT_BUFFER, COMPUTE, NONE_IS_REFUSED | NEEDS_RAYS},
    {"weft_compute_build_acceleration_structure: geometries.indices", build_indices,
     WEFT_OBJECT_BUFFER, COMPUTE, NONE_IS_REFUSED | NEEDS_RAYS},
    {"weft_compute_build_acceleration_structure: geometries.transform", build_transform,
     WEFT_OBJECT_BUFFER, COMPUTE, NONE_IS_REFUSED | NEEDS_RAYS},
    {"weft_compute_build_acceleration_structure: instances", build_instances, WEFT_OBJECT_BUFFER,
     COMPUTE, NONE_IS_REFUSED | NEEDS_RAYS},
    {"weft_compute_build_acceleration_structure: scratch", build_scratch, WEFT_OBJECT_BUFFER,
     COMPUTE, NONE_IS_FINE | NEEDS_RAYS},
    {"weft_compute_write_heap: range", write_heap, WEFT_OBJECT_HEAP_RANGE, COMPUTE,
     NONE_IS_REFUSED},
    {"weft_compute_write_heap: view", write_heap_view, WEFT_OBJECT_TEXTURE_VIEW, COMPUTE,
     NONE_IS_REFUSED},
    {"weft_render_begin_statistics: pool", begin_statistics, WEFT_OBJECT_QUERY_POOL, RENDER,
     NONE_IS_REFUSED},
    {"weft_render_draw_indexed_indirect: count_buffer", draw_indexed_count, WEFT_OBJECT_BUFFER,
     RENDER, NONE_IS_FINE},
    {"weft_compute_write_heap: sampler", write_heap_sampler, WEFT_OBJECT_SAMPLER, COMPUTE,
     NONE_IS_REFUSED},
};
const size_t recorded_calls_count = sizeof recorded_calls / sizeof recorded_calls[0];
