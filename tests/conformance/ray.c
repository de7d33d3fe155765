#include "ray.h"

#include "ray_grid.comp.spv.h"

weft_acceleration_geometry ray_triangles(struct conform *c, const float (*vertices)[3],
                                         uint32_t vertex_count, weft_geometry_flags flags)
{
    return (weft_acceleration_geometry){
        .flags = flags,
        .count = vertex_count / 3,
        .buffer = conform_buffer(c, WEFT_BUFFER_USAGE_ACCELERATION, vertex_count * sizeof *vertices,
                                 vertices),
        .vertex_count = vertex_count,
        .format = WEFT_VERTEX_FORMAT_FLOAT32X3,
    };
}

void ray_quad(float vertices[6][3], float x0, float y0, float x1, float y1, float z)
{
    const float corners[6][3] = {{x0, y0, z}, {x1, y0, z}, {x0, y1, z},
                                 {x0, y1, z}, {x1, y0, z}, {x1, y1, z}};
    for (uint32_t i = 0; i < 18; i++)
        vertices[i / 3][i % 3] = corners[i / 3][i % 3];
}

weft_acceleration_structure ray_create(struct conform *c,
                                       const weft_acceleration_structure_desc *desc)
{
    weft_acceleration_structure structure;
    weft_acceleration_structure_create(conform_device(c), desc, &structure);
    conform_check(c);
    return structure;
}

void ray_build(weft_command_buffer *cmd, const weft_acceleration_build *build)
{
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_build_acceleration_structure(enc, build);
    weft_compute_end(enc);
    weft_command_barrier(
        cmd, WEFT_STAGE_ACCELERATION,
        WEFT_STAGE_ACCELERATION | WEFT_STAGE_COMPUTE | WEFT_STAGE_FRAGMENT | WEFT_STAGE_VERTEX, 0);
}

weft_acceleration_structure ray_bottom(struct conform *c,
                                       const weft_acceleration_geometry *geometries, uint32_t count)
{
    const weft_acceleration_structure structure =
        ray_create(c, &(weft_acceleration_structure_desc){
                          .geometries = geometries, .geometry_count = count, .label = "bottom"});
    weft_command_buffer *cmd = conform_begin(c);
    ray_build(cmd, &(weft_acceleration_build){
                       .structure = structure, .geometries = geometries, .geometry_count = count});
    conform_submit(c, cmd);
    return structure;
}

weft_acceleration_structure ray_top(struct conform *c, const weft_acceleration_instance *instances,
                                    uint32_t count)
{
    const weft_acceleration_structure structure =
        ray_create(c, &(weft_acceleration_structure_desc){
                          .level = WEFT_ACCELERATION_TOP, .instance_count = count, .label = "top"});
    const weft_buffer buffer =
        conform_buffer(c, WEFT_BUFFER_USAGE_ACCELERATION, count * sizeof *instances, instances);
    weft_command_buffer *cmd = conform_begin(c);
    ray_build(cmd, &(weft_acceleration_build){
                       .structure = structure, .instances = buffer, .instance_count = count});
    conform_submit(c, cmd);
    return structure;
}

weft_acceleration_instance ray_instance(struct conform *c, weft_acceleration_structure structure,
                                        float x, float y, float z)
{
    return (weft_acceleration_instance){
        .transform = {1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z},
        .index_and_mask = 0xff000000,
        .structure = weft_acceleration_structure_address(conform_device(c), structure),
    };
}

bool ray_trace(struct conform *c, weft_acceleration_structure top, const struct ray_root *root,
               struct ray_hit hits[8][8])
{
    static const struct ray_root all = {.mask = 0xff, .start = -1, .most = 100};
    const size_t size = 64 * sizeof(struct ray_hit);
    const weft_compute_pipeline pipeline = conform_compute(c, CONFORM_SHADER(c, ray_grid_comp));
    const weft_buffer buffer = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, size, NULL);
    const weft_argument_write writes[] = {{.binding = 0, .acceleration = top},
                                          {.binding = 1, .buffer = buffer}};
    const weft_argument_table table =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0), writes, 2);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_set_root(enc, 0, root ? root : &all, sizeof all);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    return conform_read_buffer(c, buffer, 0, hits, size);
}
