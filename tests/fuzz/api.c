// Calls the public API as bytes say, with values that no host should give: whatever comes of it,
// nothing crashes, hangs, leaks or reaches outside. The first byte chooses the validation, and
// whether an allocation fails: the next two say which.
#include "api.h"

#include "support/fuzz.h"
#include "support/host_memory.h"

#include "api.comp.spv.h"
#include "api.frag.spv.h"
#include "api.vert.spv.h"

#include <stdio.h>

enum { CALLS = 200 };

struct world w;
uint8_t host_bytes[BYTES];
static struct host_memory memory;

_Noreturn static void broken(const char *what)
{
    (void)fprintf(stderr, "api: %s\n", what);
    abort();
}

// ---- the device --------------------------------------------------------------------------------

static void host_diagnostic(void *user, const weft_diagnostic *d)
{
    (void)user;
    if (strlen(d->message) == 0 || !d->label || !d->pass || !d->hint)
        broken("a diagnostic without a message");
    if (d->code == WEFT_RULE_FRAME_PLAN_REFUTED)
        broken("a frame whose plan is wrong");
}

static void host_log(void *user, weft_severity severity, const char *message)
{
    (void)user, (void)severity, (void)message;
}

static weft_shader shader(const void *code, size_t size)
{
    weft_shader out;
    (void)weft_shader_create(w.dev, &(weft_shader_desc){.code = code, .size = size}, &out);
    return out;
}

static void open_world(const uint8_t *data, size_t size)
{
    w = (struct world){.in = {data, data + size}};
    const uint32_t first = byte();
    const weft_host_hooks hooks = {.alloc = host_memory_alloc,
                                   .free = host_memory_free,
                                   .diagnostic = host_diagnostic,
                                   .log = host_log,
                                   .user = &memory};
    const weft_software_options software = {.threads = 1 + first / 128, .shader_budget = 1000};
    const weft_device_desc desc = {.backends = 1u << WEFT_BACKEND_SOFTWARE,
                                   .validation =
                                       first & 1 ? WEFT_VALIDATION_ERRORS : WEFT_VALIDATION_FULL,
                                   .flags = first & 16 ? WEFT_DEVICE_PORTABILITY_LINT : 0,
                                   .frames_in_flight = 1 + first / 4 % 4,
                                   .hooks = &hooks,
                                   .software = &software};
    (void)weft_device_start(&desc, &w.dev);
    if (!w.dev || weft_device_wait(w.dev, UINT64_MAX) != WEFT_OK)
        broken("the device does not start");
    w.vertex = shader(api_vert, sizeof api_vert);
    w.fragment = shader(api_frag, sizeof api_frag);
    w.compute = shader(api_comp, sizeof api_comp);
    if (w.vertex.index == 0 || w.fragment.index == 0 || w.compute.index == 0)
        broken("a shader was refused");
}

// ---- resources ---------------------------------------------------------------------------------

static weft_placement placement(void)
{
    if (below(4) != 0)
        return (weft_placement){0};
    return (weft_placement){.block = PICK(w.blocks), .offset = number64()};
}

static void buffer_create(void)
{
    weft_buffer_desc desc = {.size = number64(),
                             .usage = byte() << 3 | byte() >> 5,
                             .memory = (weft_memory)choice(4),
                             .queues = below(9),
                             .place = placement(),
                             .label = below(2) ? "buffer" : NULL};
    if (desc.size <= BYTES && below(3) == 0)
        desc.data = host_bytes;
    (void)weft_buffer_create(w.dev, &desc, &PICK(w.buffers));
    weft_memory_needs needs;
    (void)weft_buffer_memory_needs(w.dev, &desc, &needs);
}

static void texture_create(void)
{
    const weft_clear_value clear = {.depth = real()};
    weft_texture_desc desc = {.kind = (weft_texture_kind)choice(4),
                              .format = format(),
                              .width = side(),
                              .height = side(),
                              .depth = below(4) ? 1 : side(),
                              .layers = below(4) ? 0 : side(),
                              .mips = below(3) ? 0 : number(),
                              .samples = below(3) ? 1 : below(10),
                              .usage = byte() % 128,
                              .view_format = below(3) ? WEFT_FORMAT_NONE : format(),
                              .fast_clear = below(4) ? NULL : &clear,
                              .place = placement()};
    (void)weft_texture_create(w.dev, &desc, &PICK(w.textures));
    weft_memory_needs needs;
    (void)weft_texture_memory_needs(w.dev, &desc, &needs);
}

static void view_create(void)
{
    const weft_texture_view_desc desc = {
        .texture = PICK(w.textures),
        .kind = (weft_view_kind)(below(3) ? 0 : choice(8)),
        .format = below(3) ? WEFT_FORMAT_NONE : format(),
        .mip = below(3) ? 0 : number(),
        .mip_count = below(2) ? 1 : number(),
        .layer = below(3) ? 0 : number(),
        .layer_count = below(2) ? 0 : number(),
        .aspect = below(2) ? 0 : below(9),
        .swizzle = {(weft_swizzle)below(8)},
        .pool = below(3) ? (weft_view_pool){0} : PICK(w.view_pools),
    };
    (void)weft_texture_view_create(w.dev, &desc, &PICK(w.views));
}

static void sampler_create(void)
{
    const weft_sampler_desc desc = {.mag = (weft_filter)choice(2),
                                    .min = (weft_filter)choice(2),
                                    .mip = (weft_filter)choice(2),
                                    .u = (weft_address_mode)choice(4),
                                    .border = (weft_border_color)choice(3),
                                    .compare = (weft_compare)(below(3) ? 0 : choice(9)),
                                    .lod_bias = real(),
                                    .lod_min = real(),
                                    .lod_max = real(),
                                    .anisotropy = below(3) ? 0 : real()};
    (void)weft_sampler_create(w.dev, &desc, &PICK(w.samplers));
}

static void stores_create(void)
{
    switch (below(5)) {
    case 0:
        (void)weft_memory_block_create(
            w.dev, &(weft_memory_block_desc){.size = number64(), .memory = (weft_memory)choice(4)},
            &PICK(w.blocks));
        break;
    case 1:
        (void)weft_view_pool_create(w.dev, &(weft_view_pool_desc){.capacity = number()},
                                    &PICK(w.view_pools));
        break;
    case 2:
        (void)weft_heap_range_create(w.dev, (weft_heap_kind)choice(4), number(), &PICK(w.ranges));
        break;
    case 3:
        (void)weft_query_pool_create(
            w.dev, &(weft_query_pool_desc){.kind = (weft_query_kind)choice(3), .count = number()},
            &PICK(w.queries));
        break;
    default:
        (void)weft_timeline_create(w.dev, &(weft_timeline_desc){.initial = number64()},
                                   &PICK(w.timelines));
        break;
    }
}

static void transfer(void)
{
    const weft_texture_region r = region();
    const weft_texel_layout l = layout_of_texels();
    weft_buffer buffer = PICK(w.buffers);
    weft_texture texture = PICK(w.textures);
    uint64_t size = number64();
    const uint64_t offset = number64();
    void *mapped;
    switch (below(7)) {
    case 0:
        if (size <= BYTES)
            (void)weft_buffer_write(w.dev, buffer, offset, host_bytes, size);
        break;
    case 1:
        size = size > BYTES ? BYTES : size;
        (void)weft_buffer_read(w.dev, buffer, offset, host_bytes, size);
        break;
    case 2:
        (void)weft_texture_read(w.dev, texture, &r, host_bytes, size > BYTES ? BYTES : size, &l);
        break;
    case 3:
        (void)weft_read_begin_texture(w.dev, texture, &r, &PICK(w.reads));
        break;
    case 4:
        (void)weft_read_begin_buffer(w.dev, buffer, offset, size, &PICK(w.reads));
        break;
    case 5: {
        weft_read *read = &PICK(w.reads);
        (void)weft_read_poll(w.dev, *read);
        (void)weft_read_take(w.dev, below(4) ? *read : number64(), host_bytes, BYTES);
        break;
    }
    default:
        mapped = weft_buffer_map(w.dev, buffer, offset, size);
        if (mapped && size <= BYTES)
            memset(mapped, (int)below(3) - 1, (size_t)size);
        (void)weft_buffer_flush(w.dev, buffer, offset, size);
        break;
    }
}

/// A write of a whole small texture: there is no bound to what is read of the host but its shape.
static void texture_write(void)
{
    const weft_texture texture = PICK(w.textures);
    weft_texture_desc desc;
    if (!weft_texture_get_desc(w.dev, texture, &desc))
        return;
    if ((uint64_t)desc.width * desc.height * desc.depth * desc.layers * 16 <= BYTES)
        (void)weft_texture_write(w.dev, texture, NULL, host_bytes, NULL);
}

// ---- pipelines ---------------------------------------------------------------------------------

static void graphics_create(void)
{
    const bool plain = below(2) == 0;
    weft_vertex_stream streams[2] = {{.stride = 16}, {.slot = 1, .rate = WEFT_STEP_INSTANCE}};
    weft_vertex_attribute attributes[2] = {
        {.format = WEFT_VERTEX_FORMAT_FLOAT32X4},
        {.location = 1, .slot = 1, .format = WEFT_VERTEX_FORMAT_UINT32}};
    const weft_pipeline_state state = {depth_stencil(), blend(), raster()};
    weft_graphics_pipeline_desc desc = {.vertex = {.shader = w.vertex},
                                        .fragment = {.shader = w.fragment},
                                        .streams = streams,
                                        .stream_count = 2,
                                        .attributes = attributes,
                                        .attribute_count = 2,
                                        .colors = {WEFT_FORMAT_RGBA8_UNORM},
                                        .samples = 1};
    if (!plain) {
        streams[0].stride = number();
        streams[1].slot = number();
        streams[1].rate = (weft_step_rate)choice(2);
        attributes[0].format = (weft_vertex_format)choice(WEFT_VERTEX_FORMAT_COUNT);
        attributes[0].offset = number();
        attributes[1].location = number();
        desc.colors[below(8)] = format();
        desc.depth_stencil = format();
        desc.topology = (weft_topology)choice(5);
        desc.samples = below(3) ? 1 : below(10);
        desc.sample_mask = number();
        desc.restart = (weft_index_type)choice(3);
        desc.flags = byte();
        desc.states = &state;
        desc.state_count = below(2);
        desc.layouts[below(3)] = PICK(w.layouts);
    }
    weft_graphics_pipeline *out = &PICK(w.graphics);
    (void)weft_graphics_pipeline_create(w.dev, &desc, out);
    (void)weft_graphics_pipeline_ready(w.dev, *out);
}

static void compute_create(void)
{
    const weft_constant constant = {.id = below(4), .value = number64()};
    const weft_compute_pipeline_desc desc = {.compute = {.shader = below(8) ? w.compute : w.vertex,
                                                         .constants = &constant,
                                                         .constant_count = below(2)},
                                             .flags = below(4) ? 0 : byte()};
    (void)weft_compute_pipeline_create(w.dev, &desc, &PICK(w.computes));
}

static void layout_create(void)
{
    weft_argument arguments[3];
    for (uint32_t i = 0; i < 3; i++)
        arguments[i] = (weft_argument){
            .binding = below(5),
            .count = below(2) ? 0 : number(),
            .type = (weft_argument_type)choice(10),
            .stages = below(40),
            .flags = below(5),
            .view = (weft_view_kind)choice(8),
            .multisampled = below(4) == 0,
            .sampled = (weft_sample_class)choice(6),
            .storage = format(),
            .fixed = below(4) ? (weft_sampler){0} : PICK(w.samplers),
        };
    const weft_argument_layout_desc desc = {.arguments = arguments, .argument_count = below(4)};
    (void)weft_argument_layout_create(w.dev, &desc, &PICK(w.layouts));
}

static weft_argument_write table_write(void)
{
    return (weft_argument_write){.binding = below(4),
                                 .element = below(3) ? 0 : number(),
                                 .buffer = PICK(w.buffers),
                                 .offset = below(2) ? 0 : number64(),
                                 .size = below(2) ? 0 : number64(),
                                 .view = PICK(w.views),
                                 .sampler = PICK(w.samplers)};
}

static weft_argument_layout some_layout(void)
{
    switch (below(3)) {
    case 0:
        return weft_graphics_pipeline_layout(w.dev, PICK(w.graphics), below(4));
    case 1:
        return weft_compute_pipeline_layout(w.dev, PICK(w.computes), below(4));
    default:
        return PICK(w.layouts);
    }
}

static void table_create(void)
{
    const weft_argument_write writes[2] = {table_write(), table_write()};
    const weft_argument_table_desc desc = {
        .layout = some_layout(), .writes = writes, .write_count = below(3)};
    weft_argument_table *out = &PICK(w.tables);
    (void)weft_argument_table_create(w.dev, &desc, out);
    (void)weft_argument_table_write(w.dev, *out, writes, 1);
    weft_argument_write back;
    weft_argument argument;
    (void)weft_argument_table_get(w.dev, *out, number(), &argument, &back);
}

// ---- what is good ------------------------------------------------------------------------------

/// Slot 0 of most kinds holds something that the others can be used with.
static void fill_world(void)
{
    const weft_buffer_desc buffer = {.size = 4096,
                                     .usage = WEFT_BUFFER_USAGE_ALL_BITS &
                                              ~(uint32_t)WEFT_BUFFER_USAGE_ACCELERATION,
                                     .memory = WEFT_MEMORY_DEFAULT};
    (void)weft_buffer_create(w.dev, &buffer, &w.buffers[0]);
    weft_texture_desc texture = {.format = WEFT_FORMAT_RGBA8_UNORM,
                                 .width = 40,
                                 .height = 24,
                                 .usage = WEFT_TEXTURE_USAGE_ALL_BITS &
                                          ~(uint32_t)WEFT_TEXTURE_USAGE_TRANSIENT};
    (void)weft_texture_create(w.dev, &texture, &w.textures[0]);
    (void)weft_texture_create(w.dev, &texture, &w.textures[1]);
    texture.format = WEFT_FORMAT_D32_FLOAT;
    texture.usage = WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_SAMPLED;
    (void)weft_texture_create(w.dev, &texture, &w.textures[2]);
    for (uint32_t i = 0; i < 3; i++)
        (void)weft_texture_view_create(w.dev, &(weft_texture_view_desc){.texture = w.textures[i]},
                                       &w.views[i]);
    (void)weft_sampler_create(w.dev, &(weft_sampler_desc){0}, &w.samplers[0]);
    (void)weft_memory_block_create(w.dev, &(weft_memory_block_desc){.size = BYTES}, &w.blocks[0]);
    (void)weft_query_pool_create(
        w.dev, &(weft_query_pool_desc){.kind = WEFT_QUERY_OCCLUSION, .count = 4}, &w.queries[0]);
    (void)weft_timeline_create(w.dev, NULL, &w.timelines[0]);
    (void)weft_surface_create(w.dev, &(weft_surface_desc){.label = "surface"}, &w.surfaces[0]);
    (void)weft_surface_configure(
        w.dev, w.surfaces[0],
        &(weft_surface_config){.width = 40, .height = 24, .format = WEFT_FORMAT_RGBA8_UNORM});
    graphics_create(); // the input is at its end: all zero
    const weft_compute_pipeline_desc compute = {.compute = {.shader = w.compute}};
    (void)weft_compute_pipeline_create(w.dev, &compute, &w.computes[0]);
    const weft_argument_write pictures[2] = {{.view = w.views[1], .sampler = w.samplers[0]},
                                             {.binding = 1, .buffer = w.buffers[0]}};
    const weft_argument_write stores[2] = {{.buffer = w.buffers[0]},
                                           {.binding = 1, .view = w.views[1]}};
    weft_argument_table_desc table = {.layout =
                                          weft_graphics_pipeline_layout(w.dev, w.graphics[0], 1),
                                      .writes = pictures,
                                      .write_count = 2};
    (void)weft_argument_table_create(w.dev, &table, &w.tables[0]);
    const weft_material_desc material = {.pipeline = w.graphics[0], .arguments = w.tables[0]};
    (void)weft_material_create(w.dev, &material, &w.materials[0]);
    table.layout = weft_compute_pipeline_layout(w.dev, w.computes[0], 0);
    table.writes = stores;
    (void)weft_argument_table_create(w.dev, &table, &w.tables[1]);
}

// ---- the rest ----------------------------------------------------------------------------------

static void use_surface(void)
{
    weft_surface *surface = &PICK(w.surfaces);
    weft_surface_image image;
    weft_surface_info info;
    const weft_surface_config config = {.width = side(),
                                        .height = side(),
                                        .format = format(),
                                        .color_space = (weft_color_space)choice(4),
                                        .mode = (weft_present_mode)choice(4),
                                        .usage = below(64)};
    const weft_rect damage = {(int32_t)number(), (int32_t)number(), number(), number()};
    switch (below(8)) {
    case 0:
        (void)weft_surface_create(
            w.dev,
            &(weft_surface_desc){.target = {.kind = (weft_surface_kind)(below(4) ? 0 : choice(8))}},
            surface);
        break;
    case 1:
    case 2:
        (void)weft_surface_configure(w.dev, *surface, &config);
        break;
    case 3:
    case 4:
        if (weft_surface_acquire(w.dev, *surface, &image) == WEFT_OK &&
            image.status == WEFT_ACQUIRE_READY) {
            PICK(w.textures) = image.texture;
            PICK(w.views) = image.view;
        }
        break;
    case 5:
        (void)weft_surface_present(w.dev, *surface, &damage, below(2));
        break;
    case 6:
        if (weft_surface_query(w.dev, *surface, &info) == WEFT_OK &&
            (uint64_t)info.config.width * info.config.height * 8 <= BYTES / 2)
            (void)weft_surface_present_pixels(w.dev, *surface, host_bytes, number() % 600);
        break;
    default:
        (void)weft_surface_read(w.dev, *surface, host_bytes, BYTES);
        break;
    }
}

static void destroy(void)
{
    switch (below(15)) {
    case 0:
        weft_buffer_destroy(w.dev, PICK(w.buffers));
        break;
    case 1:
        weft_texture_destroy(w.dev, PICK(w.textures));
        break;
    case 2:
        weft_texture_view_destroy(w.dev, PICK(w.views));
        break;
    case 3:
        weft_view_pool_destroy(w.dev, PICK(w.view_pools));
        break;
    case 4:
        weft_sampler_destroy(w.dev, PICK(w.samplers));
        break;
    case 5:
        weft_memory_block_destroy(w.dev, PICK(w.blocks));
        break;
    case 6:
        weft_heap_range_destroy(w.dev, PICK(w.ranges));
        break;
    case 7:
        weft_argument_layout_destroy(w.dev, PICK(w.layouts));
        break;
    case 8:
        weft_argument_table_destroy(w.dev, PICK(w.tables));
        break;
    case 9:
        weft_graphics_pipeline_destroy(w.dev, PICK(w.graphics));
        break;
    case 10:
        weft_compute_pipeline_destroy(w.dev, PICK(w.computes));
        break;
    case 11:
        weft_query_pool_destroy(w.dev, PICK(w.queries));
        break;
    case 12:
        weft_timeline_destroy(w.dev, PICK(w.timelines));
        break;
    case 13:
        weft_surface_destroy(w.dev, PICK(w.surfaces));
        break;
    default:
        weft_command_allocator_destroy(w.dev, PICK(w.allocators));
        break;
    }
}

static void other(void)
{
    const weft_texture_view view = PICK(w.views);
    const weft_sampler sampler = PICK(w.samplers);
    const weft_timeline timeline = PICK(w.timelines);
    weft_transient transient;
    weft_texture_view_info info;
    switch (below(12)) {
    case 0:
        (void)weft_buffer_rebind(w.dev, PICK(w.buffers));
        break;
    case 1:
        (void)weft_buffer_address(w.dev, PICK(w.buffers));
        break;
    case 2:
        (void)weft_texture_view_index(w.dev, view, (weft_heap_kind)choice(4));
        break;
    case 3:
        (void)weft_sampler_index(w.dev, sampler);
        break;
    case 4:
        (void)weft_heap_range_write(w.dev, PICK(w.ranges), number(), view, sampler);
        break;
    case 5:
        transient = weft_transient_alloc(w.dev, number64(), number64());
        if (transient.cpu && transient.size <= BYTES)
            memset(transient.cpu, 1, (size_t)transient.size);
        break;
    case 6:
        (void)weft_transient_advance(w.dev);
        break;
    case 7:
        (void)weft_view_pool_reset(w.dev, PICK(w.view_pools));
        break;
    case 8:
        (void)weft_query_pool_read(w.dev, PICK(w.queries), number(), number(), host_bytes, BYTES);
        break;
    case 9:
        (void)weft_timeline_signal(w.dev, timeline, number64());
        (void)weft_timeline_wait(w.dev, timeline, number64(), 1000);
        break;
    case 10:
        (void)weft_command_allocator_reset(w.dev, PICK(w.allocators));
        (void)weft_command_allocator_create(
            w.dev, &(weft_command_allocator_desc){.queue = (weft_queue)choice(3)},
            &PICK(w.allocators));
        break;
    default:
        (void)weft_texture_view_get_info(w.dev, view, &info);
        (void)weft_device_poll(w.dev);
        (void)weft_serial_wait(w.dev, number(), 1000);
        break;
    }
}

static void call(void)
{
    static void (*const calls[])(void) = {
        buffer_create,   buffer_create,   texture_create,  texture_create,  view_create,
        view_create,     sampler_create,  stores_create,   transfer,        transfer,
        texture_write,   graphics_create, compute_create,  layout_create,   table_create,
        table_create,    create_material, make_frame,      make_frame,      make_frame,
        record_commands, record_commands, record_commands, record_commands, use_surface,
        use_surface,     destroy,         other,           other,
    };
    calls[below(sizeof calls / sizeof calls[0])]();
}

/// Some allocation fails from here on, and perhaps all after it.
static void fail_memory(uint8_t first)
{
    if (!(first & 32))
        return;
    const uint64_t after = byte() + 256 * (uint64_t)byte();
    atomic_store(&memory.fail_count, first & 64 ? UINT64_MAX : 1);
    atomic_store(&memory.fail_at, atomic_load(&memory.calls) + 1 + after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    atomic_store(&memory.fail_at, 0);
    open_world(data, size);
    const struct input in = w.in;
    w.in.at = w.in.end;
    memset(host_bytes, 0, sizeof host_bytes);
    fill_world();
    w.in = in;
    fail_memory(size ? data[0] : 0);
    for (uint32_t i = 0; i < CALLS && w.in.at < w.in.end; i++)
        call();
    weft_device_destroy(w.dev); // takes what is left
    if (atomic_load(&memory.live_bytes) != 0)
        broken("memory of the library is left");
    return 0;
}
