// How acceleration structures are built: anew and in place, with scratch memory of the host's, from
// what shaders wrote; and where shaders find them.
#include "cases.h"
#include "draw.h"
#include "ray.h"

#include "ray_heap.comp.spv.h"
#include "ray_instances.comp.spv.h"
#include "ray_shadow.frag.spv.h"

/// A quad over columns of all rows, at z = 2.
static weft_acceleration_geometry column(struct conform *c, float x0, float x1)
{
    float vertices[6][3];
    ray_quad(vertices, x0, 0, x1, 8, 2);
    return ray_triangles(c, (const float(*)[3])vertices, 6, WEFT_GEOMETRY_OPAQUE);
}

/// Rays of exactly those columns meet something.
static void expect_columns(struct conform *c, weft_acceleration_structure top, uint32_t columns)
{
    struct ray_hit hits[8][8];
    if (!ray_trace(c, top, NULL, hits))
        return;
    for (uint32_t i = 0; i < 64; i++) {
        const bool met = hits[i / 8][i % 8].type != RAY_NONE;
        if (met != (columns >> i % 8 & 1))
            conform_fail(c, "the ray of cell %u, %u meets %s", i % 8, i / 8,
                         met ? "something" : "nothing");
    }
}

/// Bottom and top level move together: all in one command buffer, with a barrier between.
static void move(struct conform *c, const weft_acceleration_build *bottom,
                 const weft_acceleration_build *top)
{
    weft_command_buffer *cmd = conform_begin(c);
    ray_build(cmd, bottom);
    ray_build(cmd, top);
    conform_submit(c, cmd);
}

/// Built, moved in place, built anew over it.
void case_ray_update(struct conform *c)
{
    weft_acceleration_geometry g = column(c, 0, 2);
    const weft_acceleration_flags flags = WEFT_ACCELERATION_UPDATE | WEFT_ACCELERATION_FAST_BUILD;
    const weft_acceleration_structure bottom = ray_create(
        c,
        &(weft_acceleration_structure_desc){.flags = flags, .geometries = &g, .geometry_count = 1});
    const weft_acceleration_structure top =
        ray_create(c, &(weft_acceleration_structure_desc){
                          .level = WEFT_ACCELERATION_TOP, .flags = flags, .instance_count = 1});
    const weft_acceleration_instance instance = ray_instance(c, bottom, 0, 0, 0);
    const weft_buffer instances =
        conform_buffer(c, WEFT_BUFFER_USAGE_ACCELERATION, sizeof instance, &instance);
    static const struct {
        float x0, x1;
        uint32_t columns;
        bool update;
    } rows[] = {{0, 2, 0x03, false}, {3, 6, 0x38, true}, {6, 8, 0xc0, true}, {1, 3, 0x06, false}};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        g.buffer = column(c, rows[i].x0, rows[i].x1).buffer;
        move(c,
             &(weft_acceleration_build){.structure = bottom,
                                        .update = rows[i].update,
                                        .geometries = &g,
                                        .geometry_count = 1},
             &(weft_acceleration_build){.structure = top,
                                        .update = rows[i].update,
                                        .instances = instances,
                                        .instance_count = 1});
        expect_columns(c, top, rows[i].columns);
    }
}

/// With scratch memory of the host's, which one build after the other uses. Sizes are as told.
void case_ray_scratch(struct conform *c)
{
    weft_device *const device = conform_device(c);
    const weft_acceleration_geometry g[2] = {column(c, 0, 3), column(c, 5, 8)};
    weft_acceleration_structure_desc desc = {.flags = WEFT_ACCELERATION_SCRATCH_GIVEN |
                                                      WEFT_ACCELERATION_FAST_TRACE |
                                                      WEFT_ACCELERATION_LOW_MEMORY,
                                             .geometries = g,
                                             .geometry_count = 2};
    weft_acceleration_sizes sizes[2];
    weft_acceleration_structure_sizes(device, &desc, &sizes[0]);
    conform_check(c);
    const weft_acceleration_structure bottom = ray_create(c, &desc);
    desc = (weft_acceleration_structure_desc){.level = WEFT_ACCELERATION_TOP,
                                              .flags = WEFT_ACCELERATION_SCRATCH_GIVEN,
                                              .instance_count = 1};
    weft_acceleration_structure_sizes(device, &desc, &sizes[1]);
    CONFORM_EXPECT(c, sizes[0].size > 0 && sizes[1].size > 0);
    const weft_acceleration_structure top = ray_create(c, &desc);
    const uint64_t most = sizes[0].build_scratch > sizes[1].build_scratch ? sizes[0].build_scratch
                                                                          : sizes[1].build_scratch;
    const weft_buffer scratch =
        conform_buffer(c, WEFT_BUFFER_USAGE_ACCELERATION, 256 + ((most + 3) & ~UINT64_C(3)), NULL);
    const weft_acceleration_instance instance = ray_instance(c, bottom, 0, 0, 0);
    const weft_buffer instances =
        conform_buffer(c, WEFT_BUFFER_USAGE_ACCELERATION, sizeof instance, &instance);
    move(c,
         &(weft_acceleration_build){.structure = bottom,
                                    .geometries = g,
                                    .geometry_count = 2,
                                    .scratch = scratch,
                                    .scratch_offset = 256},
         &(weft_acceleration_build){.structure = top,
                                    .instances = instances,
                                    .instance_count = 1,
                                    .scratch = scratch,
                                    .scratch_offset = 256});
    expect_columns(c, top, 0xe7);
}

/// Instances that a shader wrote, with an address that it got in the root block.
void case_ray_instances_computed(struct conform *c)
{
    const weft_acceleration_geometry g = column(c, 0, 1);
    const weft_acceleration_structure bottom = ray_bottom(c, &g, 1);
    const weft_gpu_ptr address = weft_acceleration_structure_address(conform_device(c), bottom);
    const weft_acceleration_structure top =
        ray_create(c, &(weft_acceleration_structure_desc){.level = WEFT_ACCELERATION_TOP,
                                                          .instance_count = 4});
    const weft_buffer instances =
        conform_buffer(c, WEFT_BUFFER_USAGE_ACCELERATION | WEFT_BUFFER_USAGE_STORAGE, 256, NULL);
    const weft_compute_pipeline pipeline =
        conform_compute(c, CONFORM_SHADER(c, ray_instances_comp));
    const weft_argument_table table =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0),
                      &(weft_argument_write){.buffer = instances}, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_set_root(enc, 0, &address, sizeof address);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_ACCELERATION, 0);
    ray_build(cmd, &(weft_acceleration_build){
                       .structure = top, .instances = instances, .instance_count = 4});
    conform_submit(c, cmd);
    expect_columns(c, top, 0x11); // 0, and 2 moved by 4
}

// ---- where shaders find them -------------------------------------------------------------------

static weft_acceleration_structure scene_of(struct conform *c, float x0, float x1)
{
    const weft_acceleration_geometry g = column(c, x0, x1);
    const weft_acceleration_instance instance = ray_instance(c, ray_bottom(c, &g, 1), 0, 0, 0);
    return ray_top(c, &instance, 1);
}

/// Odd rows look into another structure than even ones.
void case_ray_heap(struct conform *c)
{
    const weft_acceleration_structure tops[2] = {scene_of(c, 0, 3), scene_of(c, 2, 8)};
    uint32_t indices[2];
    for (uint32_t i = 0; i < 2; i++)
        indices[i] = weft_acceleration_structure_index(conform_device(c), tops[i]);
    conform_check(c);
    CONFORM_EXPECT(c, indices[0] != indices[1]);
    CONFORM_EXPECT(c, weft_acceleration_structure_index(conform_device(c), tops[1]) == indices[1]);
    const weft_compute_pipeline pipeline = conform_compute(c, CONFORM_SHADER(c, ray_heap_comp));
    const weft_buffer results = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, 256, NULL);
    const weft_argument_table table =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0),
                      &(weft_argument_write){.buffer = results}, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_set_root(enc, 0, indices, sizeof indices);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    uint32_t wanted[64];
    for (uint32_t i = 0; i < 64; i++)
        wanted[i] = i / 8 % 2 ? i % 8 >= 2 : i % 8 < 3;
    conform_expect_bytes(c, results, 0, wanted, sizeof wanted);
}

static struct conform_texel shaded(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user, (void)y, (void)z;
    const double v = x >= 2 && x < 5 ? 0.2 : 1;
    return (struct conform_texel){{v, v, v, 1}};
}

void case_ray_fragment(struct conform *c)
{
    const weft_acceleration_structure top = scene_of(c, 2, 5);
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, ray_shadow_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_argument_table table =
        conform_table(c, weft_graphics_pipeline_layout(conform_device(c), pipeline, 0),
                      &(weft_argument_write){.acceleration = top}, 1);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 8, 8);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_arguments(enc, 0, table, NULL, 0);
    conform_fill(enc, 0.5F, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, shaded, NULL, 0.5 / 255);
}
