// Calls on the device.
#include "handles.h"

#include <weft/interop/native.h>

static weft_result usage_if(bool bad)
{
    return bad ? WEFT_ERROR_USAGE : WEFT_OK;
}

/// A table for a slot of the mesh's pipeline.
static void create_table(struct world *w, uint32_t slot, weft_argument_write write)
{
    const weft_argument_table_desc desc = {
        .layout = weft_graphics_pipeline_layout(w->f.dev, w->mesh.pipeline, slot),
        .writes = &write,
        .write_count = 1};
    weft_argument_table out = {1, 1};
    w->result = weft_argument_table_create(w->f.dev, &desc, &out);
    EXPECT(weft_argument_table_is_none(out));
}

static void destroys(struct world *w, weft_object o)
{
    object_destroy(w->f.dev, o);
    w->result = WEFT_ERROR_USAGE; // it returns nothing
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

static void pipeline_of_mesh(struct world *w, weft_object o)
{
    weft_graphics_pipeline_desc desc = meshlets_desc(&w->meshlets);
    desc.task.shader = (weft_shader){0};
    desc.mesh.shader = HANDLE(shader, o);
    weft_graphics_pipeline out = {1, 1};
    w->result = weft_graphics_pipeline_create(w->f.dev, &desc, &out);
    EXPECT(weft_graphics_pipeline_is_none(out));
}

static void pipeline_of_task(struct world *w, weft_object o)
{
    weft_graphics_pipeline_desc desc = meshlets_desc(&w->meshlets);
    desc.task.shader = HANDLE(shader, o);
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

static void table_write_acceleration(struct world *w, weft_object o)
{
    const weft_argument_write write = {.acceleration = HANDLE(acceleration_structure, o)};
    w->result = weft_argument_table_write(w->f.dev, w->rays.table, &write, 1);
}

static void table_of_acceleration(struct world *w, weft_object o)
{
    const weft_argument_write write = {.acceleration = HANDLE(acceleration_structure, o)};
    const weft_argument_table_desc desc = {
        .layout = w->rays.layout, .writes = &write, .write_count = 1};
    weft_argument_table out = {1, 1};
    w->result = weft_argument_table_create(w->f.dev, &desc, &out);
    EXPECT(weft_argument_table_is_none(out));
}

static void acceleration_address(struct world *w, weft_object o)
{
    w->result = usage_if(
        weft_acceleration_structure_address(w->f.dev, HANDLE(acceleration_structure, o)) == 0);
}

static void acceleration_index(struct world *w, weft_object o)
{
    w->result = usage_if(weft_acceleration_structure_index(
                             w->f.dev, HANDLE(acceleration_structure, o)) == UINT32_MAX);
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

static void native_get(struct world *w, weft_object o)
{
    uint64_t out = 1;
    w->result = weft_native_get(w->f.dev, o, WEFT_BACKEND_VULKAN, &out, sizeof out);
    EXPECT_EQ(out, 0);
}

static void native_promise(struct world *w, weft_object o)
{
    w->result = weft_native_promise(w->f.dev, HANDLE(timeline, o), 5);
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

static void table_of_buffer(struct world *w, weft_object o)
{
    create_table(w, 0, (weft_argument_write){.buffer = HANDLE(buffer, o)});
}

static void table_of_view(struct world *w, weft_object o)
{
    create_table(
        w, 1, (weft_argument_write){.view = HANDLE(texture_view, o), .sampler = w->mesh.sampler});
}

static void table_of_sampler(struct world *w, weft_object o)
{
    create_table(
        w, 1, (weft_argument_write){.view = w->mesh.texture_view, .sampler = HANDLE(sampler, o)});
}

static void compute_of_layout(struct world *w, weft_object o)
{
    const weft_compute_pipeline_desc desc = {
        .compute = {.shader = HANDLE(shader, w->live.of[WEFT_OBJECT_SHADER])},
        .layouts = {HANDLE(argument_layout, o)}};
    weft_compute_pipeline out = {1, 1};
    w->result = weft_compute_pipeline_create(w->f.dev, &desc, &out);
    EXPECT(weft_compute_pipeline_is_none(out));
}

static void heap_range_write_sampler(struct world *w, weft_object o)
{
    w->result =
        weft_heap_range_write(w->f.dev, w->samplers, 0, (weft_texture_view){0}, HANDLE(sampler, o));
}

const struct call device_calls[] = {
    {"weft_buffer_destroy: buffer", destroys, WEFT_OBJECT_BUFFER, DEVICE, NONE_DOES_NOTHING},
    {"weft_texture_destroy: texture", destroys, WEFT_OBJECT_TEXTURE, DEVICE, NONE_DOES_NOTHING},
    {"weft_texture_view_destroy: view", destroys, WEFT_OBJECT_TEXTURE_VIEW, DEVICE,
     NONE_DOES_NOTHING},
    {"weft_view_pool_destroy: pool", destroys, WEFT_OBJECT_VIEW_POOL, DEVICE, NONE_DOES_NOTHING},
    {"weft_sampler_destroy: sampler", destroys, WEFT_OBJECT_SAMPLER, DEVICE, NONE_DOES_NOTHING},
    {"weft_memory_block_destroy: block", destroys, WEFT_OBJECT_MEMORY_BLOCK, DEVICE,
     NONE_DOES_NOTHING},
    {"weft_shader_destroy: shader", destroys, WEFT_OBJECT_SHADER, DEVICE, NONE_DOES_NOTHING},
    {"weft_graphics_pipeline_destroy: pipeline", destroys, WEFT_OBJECT_GRAPHICS_PIPELINE, DEVICE,
     NONE_DOES_NOTHING},
    {"weft_compute_pipeline_destroy: pipeline", destroys, WEFT_OBJECT_COMPUTE_PIPELINE, DEVICE,
     NONE_DOES_NOTHING},
    {"weft_argument_layout_destroy: layout", destroys, WEFT_OBJECT_ARGUMENT_LAYOUT, DEVICE,
     NONE_DOES_NOTHING},
    {"weft_argument_table_destroy: table", destroys, WEFT_OBJECT_ARGUMENT_TABLE, DEVICE,
     NONE_DOES_NOTHING},
    {"weft_query_pool_destroy: pool", destroys, WEFT_OBJECT_QUERY_POOL, DEVICE, NONE_DOES_NOTHING},
    {"weft_timeline_destroy: timeline", destroys, WEFT_OBJECT_TIMELINE, DEVICE, NONE_DOES_NOTHING},
    {"weft_surface_destroy: surface", destroys, WEFT_OBJECT_SURFACE, DEVICE, NONE_DOES_NOTHING},
    {"weft_heap_range_destroy: range", destroys, WEFT_OBJECT_HEAP_RANGE, DEVICE, NONE_DOES_NOTHING},
    {"weft_command_allocator_destroy: allocator", destroys, WEFT_OBJECT_COMMAND_ALLOCATOR, DEVICE,
     NONE_DOES_NOTHING},
    {"weft_buffer_map: buffer", buffer_map, WEFT_OBJECT_BUFFER, DEVICE, NONE_IS_REFUSED},
    {"weft_buffer_flush: buffer", buffer_flush, WEFT_OBJECT_BUFFER, DEVICE, NONE_IS_REFUSED},
    {"weft_buffer_address: buffer", buffer_address, WEFT_OBJECT_BUFFER, DEVICE, NONE_IS_REFUSED},
    {"weft_buffer_rebind: buffer", buffer_rebind, WEFT_OBJECT_BUFFER, DEVICE, NONE_IS_REFUSED},
    {"weft_buffer_write: buffer", buffer_write, WEFT_OBJECT_BUFFER, DEVICE, NONE_IS_REFUSED},
    {"weft_buffer_read: buffer", buffer_read, WEFT_OBJECT_BUFFER, DEVICE, NONE_IS_REFUSED},
    {"weft_read_begin_buffer: buffer", read_begin_buffer, WEFT_OBJECT_BUFFER, DEVICE,
     NONE_IS_REFUSED},
    {"weft_buffer_create: place.block", buffer_placed, WEFT_OBJECT_MEMORY_BLOCK, DEVICE,
     NONE_IS_FINE},
    {"weft_texture_create: place.block", texture_placed, WEFT_OBJECT_MEMORY_BLOCK, DEVICE,
     NONE_IS_FINE},
    {"weft_texture_write: texture", texture_write, WEFT_OBJECT_TEXTURE, DEVICE, NONE_IS_REFUSED},
    {"weft_texture_read: texture", texture_read, WEFT_OBJECT_TEXTURE, DEVICE, NONE_IS_REFUSED},
    {"weft_read_begin_texture: texture", read_begin_texture, WEFT_OBJECT_TEXTURE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_texture_view_create: texture", view_of_texture, WEFT_OBJECT_TEXTURE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_texture_view_create: pool", view_in_pool, WEFT_OBJECT_VIEW_POOL, DEVICE, NONE_IS_FINE},
    {"weft_view_pool_reset: pool", view_pool_reset, WEFT_OBJECT_VIEW_POOL, DEVICE, NONE_IS_REFUSED},
    {"weft_texture_view_texture: view", view_texture, WEFT_OBJECT_TEXTURE_VIEW, DEVICE,
     NONE_IS_REFUSED},
    {"weft_texture_view_index: view", view_index, WEFT_OBJECT_TEXTURE_VIEW, DEVICE,
     NONE_IS_REFUSED},
    {"weft_acceleration_structure_destroy: structure", destroys, WEFT_OBJECT_ACCELERATION_STRUCTURE,
     DEVICE, NONE_DOES_NOTHING | NEEDS_RAYS},
    {"weft_acceleration_structure_address: structure", acceleration_address,
     WEFT_OBJECT_ACCELERATION_STRUCTURE, DEVICE, NONE_IS_REFUSED | NEEDS_RAYS},
    {"weft_acceleration_structure_index: structure", acceleration_index,
     WEFT_OBJECT_ACCELERATION_STRUCTURE, DEVICE, NONE_IS_REFUSED | NEEDS_RAYS},
    {"weft_argument_table_write: acceleration", table_write_acceleration,
     WEFT_OBJECT_ACCELERATION_STRUCTURE, DEVICE, NONE_IS_REFUSED | NEEDS_RAYS},
    {"weft_argument_table_create: writes.acceleration", table_of_acceleration,
     WEFT_OBJECT_ACCELERATION_STRUCTURE, DEVICE, NONE_IS_REFUSED | NEEDS_RAYS},
    {"weft_sampler_index: sampler", sampler_index, WEFT_OBJECT_SAMPLER, DEVICE, NONE_IS_REFUSED},
    {"weft_heap_range_first: range", heap_range_first, WEFT_OBJECT_HEAP_RANGE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_heap_range_write: range", heap_range_write, WEFT_OBJECT_HEAP_RANGE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_heap_range_write: view", heap_range_write_view, WEFT_OBJECT_TEXTURE_VIEW, DEVICE,
     NONE_IS_REFUSED},
    {"weft_graphics_pipeline_create: vertex.shader", pipeline_of_shader, WEFT_OBJECT_SHADER, DEVICE,
     NONE_IS_REFUSED},
    {"weft_graphics_pipeline_create: fragment.shader", pipeline_of_fragment, WEFT_OBJECT_SHADER,
     DEVICE, NONE_IS_FINE},
    {"weft_graphics_pipeline_create: mesh.shader", pipeline_of_mesh, WEFT_OBJECT_SHADER, DEVICE,
     NONE_IS_REFUSED | NEEDS_MESH},
    {"weft_graphics_pipeline_create: task.shader", pipeline_of_task, WEFT_OBJECT_SHADER, DEVICE,
     NONE_IS_FINE | NEEDS_MESH},
    {"weft_graphics_pipeline_create: layouts", pipeline_of_layout, WEFT_OBJECT_ARGUMENT_LAYOUT,
     DEVICE, NONE_IS_FINE},
    {"weft_compute_pipeline_create: compute.shader", compute_of_shader, WEFT_OBJECT_SHADER, DEVICE,
     NONE_IS_REFUSED},
    {"weft_graphics_pipeline_ready: pipeline", graphics_ready, WEFT_OBJECT_GRAPHICS_PIPELINE,
     DEVICE, NONE_IS_REFUSED},
    {"weft_compute_pipeline_ready: pipeline", compute_ready, WEFT_OBJECT_COMPUTE_PIPELINE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_graphics_pipeline_layout: pipeline", graphics_layout, WEFT_OBJECT_GRAPHICS_PIPELINE,
     DEVICE, NONE_IS_REFUSED},
    {"weft_compute_pipeline_layout: pipeline", compute_layout, WEFT_OBJECT_COMPUTE_PIPELINE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_argument_layout_create: arguments.fixed", layout_with_sampler, WEFT_OBJECT_SAMPLER,
     DEVICE, NONE_IS_FINE},
    {"weft_argument_table_create: layout", table_of_layout, WEFT_OBJECT_ARGUMENT_LAYOUT, DEVICE,
     NONE_IS_REFUSED},
    {"weft_argument_table_write: table", table_write, WEFT_OBJECT_ARGUMENT_TABLE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_argument_table_write: buffer", table_write_buffer, WEFT_OBJECT_BUFFER, DEVICE,
     NONE_IS_REFUSED},
    {"weft_argument_table_write: view", table_write_view, WEFT_OBJECT_TEXTURE_VIEW, DEVICE,
     NONE_IS_REFUSED},
    {"weft_argument_table_write: sampler", table_write_sampler, WEFT_OBJECT_SAMPLER, DEVICE,
     NONE_IS_REFUSED},
    {"weft_query_pool_read: pool", query_read, WEFT_OBJECT_QUERY_POOL, DEVICE, NONE_IS_REFUSED},
    {"weft_native_get: object", native_get, WEFT_OBJECT_BUFFER, DEVICE, NONE_IS_REFUSED},
    {"weft_native_get: object", native_get, WEFT_OBJECT_TEXTURE, DEVICE, NONE_IS_REFUSED},
    {"weft_native_get: object", native_get, WEFT_OBJECT_TEXTURE_VIEW, DEVICE, NONE_IS_REFUSED},
    {"weft_native_get: object", native_get, WEFT_OBJECT_TIMELINE, DEVICE, NONE_IS_REFUSED},
    {"weft_native_promise: timeline", native_promise, WEFT_OBJECT_TIMELINE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_timeline_value: timeline", timeline_value, WEFT_OBJECT_TIMELINE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_timeline_wait: timeline", timeline_wait, WEFT_OBJECT_TIMELINE, DEVICE, NONE_IS_REFUSED},
    {"weft_timeline_signal: timeline", timeline_signal, WEFT_OBJECT_TIMELINE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_queue_submit: waits.timeline", submit_wait, WEFT_OBJECT_TIMELINE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_queue_submit: signals.timeline", submit_signal, WEFT_OBJECT_TIMELINE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_queue_submit: surfaces", submit_surface, WEFT_OBJECT_SURFACE, DEVICE, NONE_IS_REFUSED},
    {"weft_surface_query: surface", surface_query, WEFT_OBJECT_SURFACE, DEVICE, NONE_IS_REFUSED},
    {"weft_surface_configure: surface", surface_configure, WEFT_OBJECT_SURFACE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_surface_acquire: surface", surface_acquire, WEFT_OBJECT_SURFACE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_surface_present: surface", surface_present, WEFT_OBJECT_SURFACE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_surface_present_pixels: surface", surface_pixels, WEFT_OBJECT_SURFACE, DEVICE,
     NONE_IS_REFUSED},
    {"weft_surface_read: surface", surface_read, WEFT_OBJECT_SURFACE, DEVICE, NONE_IS_REFUSED},
    {"weft_command_allocator_reset: allocator", allocator_reset, WEFT_OBJECT_COMMAND_ALLOCATOR,
     DEVICE, NONE_IS_REFUSED},
    {"weft_command_begin: allocator", command_of_allocator, WEFT_OBJECT_COMMAND_ALLOCATOR, DEVICE,
     NONE_IS_FINE},
    {"weft_buffer_get_desc: buffer", buffer_desc, WEFT_OBJECT_BUFFER, DEVICE, NONE_IS_REFUSED},
    {"weft_texture_get_desc: texture", texture_desc, WEFT_OBJECT_TEXTURE, DEVICE, NONE_IS_REFUSED},
    {"weft_texture_view_get_info: view", silent_view, WEFT_OBJECT_TEXTURE_VIEW, SILENT,
     NONE_IS_REFUSED},
    {"weft_argument_table_get: table", silent_table, WEFT_OBJECT_ARGUMENT_TABLE, SILENT,
     NONE_IS_REFUSED},
    {"weft_shader_reflect: shader", shader_reflect, WEFT_OBJECT_SHADER, DEVICE, NONE_IS_REFUSED},
    {"weft_argument_table_create: writes.buffer", table_of_buffer, WEFT_OBJECT_BUFFER, DEVICE,
     NONE_IS_REFUSED},
    {"weft_argument_table_create: writes.view", table_of_view, WEFT_OBJECT_TEXTURE_VIEW, DEVICE,
     NONE_IS_REFUSED},
    {"weft_argument_table_create: writes.sampler", table_of_sampler, WEFT_OBJECT_SAMPLER, DEVICE,
     NONE_IS_REFUSED},
    {"weft_compute_pipeline_create: layouts", compute_of_layout, WEFT_OBJECT_ARGUMENT_LAYOUT,
     DEVICE, NONE_IS_FINE},
    {"weft_heap_range_write: sampler", heap_range_write_sampler, WEFT_OBJECT_SAMPLER, DEVICE,
     NONE_IS_REFUSED},
};
const size_t device_calls_count = sizeof device_calls / sizeof device_calls[0];
