/// One live object of every kind that has handles, for tests of handles.
#pragma once

#include "support/record.h"

/// One live object of every kind.
struct objects {
    weft_object of[WEFT_OBJECT_FRAME];
};

#define HANDLE(type, o) ((weft_##type){(o).index, (o).generation})

static inline weft_object object_of(weft_object_kind kind, uint32_t index, uint32_t generation)
{
    return (weft_object){.kind = kind, .index = index, .generation = generation};
}

#define OBJECTS_KEEP(kind, h) out->of[kind] = object_of((kind), (h).index, (h).generation)

static inline void objects_make_resources(weft_device *dev, struct objects *out)
{
    const weft_buffer_desc buffer_desc = {.size = 256,
                                          .usage = WEFT_BUFFER_USAGE_ALL_BITS &
                                                   ~(uint32_t)WEFT_BUFFER_USAGE_ACCELERATION};
    weft_buffer buffer;
    EXPECT_EQ(weft_buffer_create(dev, &buffer_desc, &buffer), WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_BUFFER, buffer);
    const weft_texture_desc texture_desc = {
        .format = WEFT_FORMAT_RGBA8_UNORM,
        .width = 4,
        .height = 4,
        .mips = 2,
        .usage = WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_SRC |
                 WEFT_TEXTURE_USAGE_COPY_DST | WEFT_TEXTURE_USAGE_RENDER};
    weft_texture texture;
    EXPECT_EQ(weft_texture_create(dev, &texture_desc, &texture), WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_TEXTURE, texture);
    weft_view_pool pool;
    EXPECT_EQ(weft_view_pool_create(dev, &(weft_view_pool_desc){.capacity = 4}, &pool), WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_VIEW_POOL, pool);
    weft_texture_view view;
    const weft_texture_view_desc view_desc = {.texture = texture, .mip_count = 1};
    EXPECT_EQ(weft_texture_view_create(dev, &view_desc, &view), WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_TEXTURE_VIEW, view);
    weft_sampler sampler;
    EXPECT_EQ(weft_sampler_create(dev, &(weft_sampler_desc){0}, &sampler), WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_SAMPLER, sampler);
    weft_memory_block block;
    EXPECT_EQ(weft_memory_block_create(dev, &(weft_memory_block_desc){.size = 65536}, &block),
              WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_MEMORY_BLOCK, block);
    weft_heap_range range;
    EXPECT_EQ(weft_heap_range_create(dev, WEFT_HEAP_SAMPLED, 4, &range), WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_HEAP_RANGE, range);
    if (!(weft_device_capabilities(dev)->features & WEFT_FEATURE_RAY_QUERY))
        return;
    const weft_acceleration_structure_desc structure_desc = {.level = WEFT_ACCELERATION_TOP,
                                                             .instance_count = 1};
    weft_acceleration_structure structure;
    EXPECT_EQ(weft_acceleration_structure_create(dev, &structure_desc, &structure), WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_ACCELERATION_STRUCTURE, structure);
}

static inline void objects_make_others(struct fixture *f, struct objects *out)
{
    weft_device *dev = f->dev;
    weft_shader shader = RECORD_SHADER(f, store_comp);
    OBJECTS_KEEP(WEFT_OBJECT_SHADER, shader);
    const weft_compute_pipeline_desc compute_desc = {.compute = {.shader = shader}};
    weft_compute_pipeline compute;
    EXPECT_EQ(weft_compute_pipeline_create(dev, &compute_desc, &compute), WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_COMPUTE_PIPELINE, compute);
    weft_shader vertex = RECORD_SHADER(f, plain_vert);
    const weft_graphics_pipeline_desc graphics_desc = {.vertex = {.shader = vertex},
                                                       .depth_stencil = WEFT_FORMAT_D32_FLOAT};
    weft_graphics_pipeline graphics;
    EXPECT_EQ(weft_graphics_pipeline_create(dev, &graphics_desc, &graphics), WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_GRAPHICS_PIPELINE, graphics);
    weft_shader_destroy(dev, vertex);
    const weft_argument argument = {.type = WEFT_ARGUMENT_UNIFORM_BUFFER};
    weft_argument_layout layout;
    EXPECT_EQ(weft_argument_layout_create(
                  dev, &(weft_argument_layout_desc){.arguments = &argument, .argument_count = 1},
                  &layout),
              WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_ARGUMENT_LAYOUT, layout);
    weft_argument_table table;
    EXPECT_EQ(
        weft_argument_table_create(dev, &(weft_argument_table_desc){.layout = layout}, &table),
        WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_ARGUMENT_TABLE, table);
    weft_query_pool queries;
    EXPECT_EQ(weft_query_pool_create(dev, &(weft_query_pool_desc){.count = 4}, &queries), WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_QUERY_POOL, queries);
    weft_timeline timeline;
    EXPECT_EQ(weft_timeline_create(dev, NULL, &timeline), WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_TIMELINE, timeline);
    weft_surface surface;
    EXPECT_EQ(weft_surface_create(dev, &(weft_surface_desc){.label = "surface"}, &surface),
              WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_SURFACE, surface);
    weft_command_allocator allocator;
    EXPECT_EQ(weft_command_allocator_create(dev, NULL, &allocator), WEFT_OK);
    OBJECTS_KEEP(WEFT_OBJECT_COMMAND_ALLOCATOR, allocator);
}

static inline struct objects objects_make(struct fixture *f)
{
    struct objects o = {{{0}}};
    objects_make_resources(f->dev, &o);
    objects_make_others(f, &o);
    return o;
}

static inline void object_destroy(weft_device *dev, weft_object o)
{
    switch (o.kind) {
    case WEFT_OBJECT_BUFFER:
        weft_buffer_destroy(dev, HANDLE(buffer, o));
        break;
    case WEFT_OBJECT_TEXTURE:
        weft_texture_destroy(dev, HANDLE(texture, o));
        break;
    case WEFT_OBJECT_TEXTURE_VIEW:
        weft_texture_view_destroy(dev, HANDLE(texture_view, o));
        break;
    case WEFT_OBJECT_VIEW_POOL:
        weft_view_pool_destroy(dev, HANDLE(view_pool, o));
        break;
    case WEFT_OBJECT_ACCELERATION_STRUCTURE:
        weft_acceleration_structure_destroy(dev, HANDLE(acceleration_structure, o));
        break;
    case WEFT_OBJECT_SAMPLER:
        weft_sampler_destroy(dev, HANDLE(sampler, o));
        break;
    case WEFT_OBJECT_MEMORY_BLOCK:
        weft_memory_block_destroy(dev, HANDLE(memory_block, o));
        break;
    case WEFT_OBJECT_SHADER:
        weft_shader_destroy(dev, HANDLE(shader, o));
        break;
    case WEFT_OBJECT_GRAPHICS_PIPELINE:
        weft_graphics_pipeline_destroy(dev, HANDLE(graphics_pipeline, o));
        break;
    case WEFT_OBJECT_COMPUTE_PIPELINE:
        weft_compute_pipeline_destroy(dev, HANDLE(compute_pipeline, o));
        break;
    case WEFT_OBJECT_ARGUMENT_LAYOUT:
        weft_argument_layout_destroy(dev, HANDLE(argument_layout, o));
        break;
    case WEFT_OBJECT_ARGUMENT_TABLE:
        weft_argument_table_destroy(dev, HANDLE(argument_table, o));
        break;
    case WEFT_OBJECT_QUERY_POOL:
        weft_query_pool_destroy(dev, HANDLE(query_pool, o));
        break;
    case WEFT_OBJECT_TIMELINE:
        weft_timeline_destroy(dev, HANDLE(timeline, o));
        break;
    case WEFT_OBJECT_SURFACE:
        weft_surface_destroy(dev, HANDLE(surface, o));
        break;
    case WEFT_OBJECT_HEAP_RANGE:
        weft_heap_range_destroy(dev, HANDLE(heap_range, o));
        break;
    case WEFT_OBJECT_COMMAND_ALLOCATOR:
        weft_command_allocator_destroy(dev, HANDLE(command_allocator, o));
        break;
    default:
        break;
    }
}

static inline void objects_destroy(weft_device *dev, const struct objects *o)
{
    for (uint32_t kind = WEFT_OBJECT_FRAME; kind-- > 0;)
        object_destroy(dev, o->of[kind]);
}
