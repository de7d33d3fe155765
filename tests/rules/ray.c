// Acceleration structures and their builds; each test breaks one rule after the other.
#include "support/rays.h"

#include "ray.comp.spv.h"

static void refused(struct fixture *f, const weft_acceleration_structure_desc *desc, weft_rule rule)
{
    weft_acceleration_structure structure = {.index = 1};
    EXPECT_EQ(weft_acceleration_structure_create(f->dev, desc, &structure), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
    EXPECT(weft_acceleration_structure_is_none(structure));
    weft_acceleration_sizes sizes;
    EXPECT_EQ(weft_acceleration_structure_sizes(f->dev, desc, &sizes), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
}

TEST(ray_rules, structures_hold_geometries_or_instances)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_acceleration_geometry triangles = {.format = WEFT_VERTEX_FORMAT_FLOAT32X3};
    const weft_acceleration_geometry mixed[2] = {triangles, {.kind = WEFT_GEOMETRY_BOXES}};
    weft_acceleration_structure_desc desc = {0};
    refused(&f, &desc, WEFT_RULE_ACCELERATION_CONTENTS);
    desc.level = WEFT_ACCELERATION_TOP;
    refused(&f, &desc, WEFT_RULE_ACCELERATION_CONTENTS);
    desc = (weft_acceleration_structure_desc){
        .geometries = &triangles, .geometry_count = 1, .instance_count = 1};
    refused(&f, &desc, WEFT_RULE_ACCELERATION_CONTENTS);
    desc = (weft_acceleration_structure_desc){.geometries = mixed, .geometry_count = 2};
    refused(&f, &desc, WEFT_RULE_ACCELERATION_CONTENTS);
    desc = (weft_acceleration_structure_desc){.geometry_count = 1};
    refused(&f, &desc, WEFT_RULE_ARRAY_NULL);
    desc = (weft_acceleration_structure_desc){.level = (weft_acceleration_level)2};
    refused(&f, &desc, WEFT_RULE_ENUM_UNKNOWN);
    desc = (weft_acceleration_structure_desc){
        .flags = 1u << 30, .level = WEFT_ACCELERATION_TOP, .instance_count = 1};
    refused(&f, &desc, WEFT_RULE_BITS_UNKNOWN);
    desc.flags = WEFT_ACCELERATION_FAST_TRACE | WEFT_ACCELERATION_FAST_BUILD;
    refused(&f, &desc, WEFT_RULE_ACCELERATION_FLAGS);
    desc.flags = 0;
    desc.instance_count = 1u << 24;
    refused(&f, &desc, WEFT_RULE_ACCELERATION_LIMIT);
    fixture_close(&f);
}

TEST(ray_rules, geometries_are_what_devices_take)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_acceleration_geometry g = {.format = WEFT_VERTEX_FORMAT_FLOAT32X4, .count = 1};
    const weft_acceleration_structure_desc desc = {.geometries = &g, .geometry_count = 1};
    refused(&f, &desc, WEFT_RULE_ACCELERATION_FORMAT);
    g.format = WEFT_VERTEX_FORMAT_SNORM16X4;
    g.count = 1u << 29;
    refused(&f, &desc, WEFT_RULE_ACCELERATION_LIMIT);
    g.count = 1;
    g.kind = (weft_geometry_kind)2;
    refused(&f, &desc, WEFT_RULE_ENUM_UNKNOWN);
    g.kind = WEFT_GEOMETRY_TRIANGLES;
    g.index_type = (weft_index_type)3;
    refused(&f, &desc, WEFT_RULE_ENUM_UNKNOWN);
    g.index_type = WEFT_INDEX_NONE;
    g.flags = 1u << 2;
    refused(&f, &desc, WEFT_RULE_BITS_UNKNOWN);
    g.flags = WEFT_GEOMETRY_OPAQUE;
    weft_acceleration_sizes sizes;
    EXPECT_EQ(weft_acceleration_structure_sizes(f.dev, &desc, &sizes), WEFT_OK);
    EXPECT(sizes.size > 0 && sizes.build_scratch > 0 && sizes.update_scratch == 0);
    fixture_close(&f);
}

TEST(ray_rules, shaders_read_top_levels)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct rays r = rays_create(&f);
    const weft_argument_write write = {.acceleration = r.bottom};
    EXPECT_EQ(weft_argument_table_write(f.dev, r.table, &write, 1), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_ACCELERATION_LEVEL));
    EXPECT_EQ(weft_acceleration_structure_index(f.dev, r.bottom), UINT32_MAX);
    EXPECT(fixture_took(&f, WEFT_RULE_ACCELERATION_LEVEL));
    const uint32_t index = weft_acceleration_structure_index(f.dev, r.top);
    EXPECT(index != UINT32_MAX && weft_acceleration_structure_index(f.dev, r.top) == index);
    EXPECT(weft_acceleration_structure_index(f.dev, r.scratched) != index);
    weft_heap_range range;
    EXPECT_EQ(weft_heap_range_create(f.dev, WEFT_HEAP_ACCELERATION, 1, &range), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_HEAP_KIND));
    weft_argument_write got;
    EXPECT(weft_argument_table_get(f.dev, r.table, 0, NULL, &got));
    EXPECT(got.acceleration.index == r.top.index &&
           got.acceleration.generation == r.top.generation);
    EXPECT(weft_acceleration_structure_address(f.dev, r.bottom) != 0);
    rays_destroy(&f, &r);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(ray_rules, a_stage_sees_no_more_than_the_device_has)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_argument argument = {.type = WEFT_ARGUMENT_ACCELERATION_STRUCTURE, .count = 17};
    weft_argument_layout layout;
    EXPECT_EQ(weft_argument_layout_create(
                  f.dev, &(weft_argument_layout_desc){.arguments = &argument, .argument_count = 1},
                  &layout),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_LAYOUT_LIMIT));
    fixture_close(&f);
}

/// A structure that goes while a table holds it is told when the table is set.
TEST(ray_rules, tables_hold_what_lives)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct rays r = rays_create(&f);
    weft_shader shader = RECORD_SHADER(&f, ray_comp);
    weft_compute_pipeline pipeline;
    EXPECT_EQ(weft_compute_pipeline_create(
                  f.dev, &(weft_compute_pipeline_desc){.compute.shader = shader}, &pipeline),
              WEFT_OK);
    for (int i = 0; i < 2; ++i) {
        weft_command_buffer *cmd = record_begin(&f);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_set_pipeline(enc, pipeline);
        weft_argument_table table =
            record_table(&f, weft_compute_pipeline_layout(f.dev, pipeline, 0),
                         &(weft_argument_write){.acceleration = i ? r.scratched : r.top}, 1);
        if (i == 1)
            weft_acceleration_structure_destroy(f.dev, r.scratched);
        weft_compute_set_arguments(enc, 0, table, NULL, 0);
        weft_compute_dispatch(enc, 1, 1, 1);
        weft_compute_end(enc);
        EXPECT_EQ(weft_command_end(cmd), i == 0 ? WEFT_OK : WEFT_ERROR_USAGE);
        if (i == 0)
            record_submit(&f, cmd);
        weft_argument_table_destroy(f.dev, table);
    }
    EXPECT(fixture_took(&f, WEFT_RULE_ARGUMENT_DEAD));
    weft_compute_pipeline_destroy(f.dev, pipeline);
    weft_shader_destroy(f.dev, shader);
    r.scratched = (weft_acceleration_structure){0};
    rays_destroy(&f, &r);
    fixture_close(&f);
}

// ---- builds ------------------------------------------------------------------------------------

struct recording {
    struct fixture f;
    struct rays r;
    weft_acceleration_geometry geometry;
    weft_command_buffer *cmd;
    weft_compute_encoder *enc;
};

static void begin(struct recording *r)
{
    r->cmd = record_begin(&r->f);
    r->enc = weft_command_begin_compute(r->cmd, NULL);
}

static struct recording recording(void)
{
    struct recording r = {.f = fixture_open(WEFT_BACKEND_NOOP)};
    r.r = rays_create(&r.f);
    r.geometry = rays_geometry(&r.r);
    begin(&r);
    return r;
}

static void took(struct recording *r, weft_rule rule)
{
    weft_compute_end(r->enc);
    EXPECT_EQ(weft_command_end(r->cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&r->f, rule));
    begin(r);
}

/// Builds the bottom level with the geometry as it is.
static void build(struct recording *r)
{
    weft_compute_build_acceleration_structure(
        r->enc, &(weft_acceleration_build){
                    .structure = r->r.bottom, .geometries = &r->geometry, .geometry_count = 1});
}

static void geometry_refused(struct recording *r, weft_rule rule)
{
    build(r);
    took(r, rule);
    r->geometry = rays_geometry(&r->r);
}

static void finish(struct recording *r)
{
    build(r);
    weft_compute_build_acceleration_structure(
        r->enc, &(weft_acceleration_build){
                    .structure = r->r.top, .instances = r->r.buffer, .instance_count = 2});
    weft_compute_end(r->enc);
    EXPECT_EQ(weft_command_end(r->cmd), WEFT_OK);
    record_submit(&r->f, r->cmd);
    EXPECT_EQ(weft_device_get_counters(r->f.dev).dispatches, 2);
    EXPECT_EQ(fixture_count(&r->f), 0);
    rays_destroy(&r->f, &r->r);
    fixture_close(&r->f);
}

TEST(ray_rules, builds_read_what_is_there)
{
    struct recording r = recording();
    weft_buffer plain = record_buffer(&r.f, 1024, WEFT_BUFFER_USAGE_STORAGE);
    r.geometry.buffer = plain;
    geometry_refused(&r, WEFT_RULE_COMMAND_BUFFER_USAGE);
    r.geometry.offset = 2;
    geometry_refused(&r, WEFT_RULE_COMMAND_OFFSET_ALIGNMENT);
    r.geometry.offset = 1024 - 44;
    geometry_refused(&r, WEFT_RULE_COMMAND_BUFFER_RANGE);
    r.geometry.stride = 14;
    geometry_refused(&r, WEFT_RULE_ACCELERATION_STRIDE);
    r.geometry.stride = 8;
    geometry_refused(&r, WEFT_RULE_ACCELERATION_STRIDE);
    r.geometry.stride = 400;
    geometry_refused(&r, WEFT_RULE_COMMAND_BUFFER_RANGE);
    r.geometry.index_offset = 1024 - 10;
    geometry_refused(&r, WEFT_RULE_COMMAND_BUFFER_RANGE);
    r.geometry.index_offset = 1;
    geometry_refused(&r, WEFT_RULE_COMMAND_OFFSET_ALIGNMENT);
    r.geometry.transform_offset = 8;
    geometry_refused(&r, WEFT_RULE_COMMAND_OFFSET_ALIGNMENT);
    r.geometry.transform_offset = 1024 - 32;
    geometry_refused(&r, WEFT_RULE_COMMAND_BUFFER_RANGE);
    weft_acceleration_build top = {
        .structure = r.r.top, .instances = r.r.buffer, .instance_count = 2};
    top.instance_offset = 8;
    weft_compute_build_acceleration_structure(r.enc, &top);
    took(&r, WEFT_RULE_COMMAND_OFFSET_ALIGNMENT);
    top.instance_offset = 1024 - 64;
    weft_compute_build_acceleration_structure(r.enc, &top);
    took(&r, WEFT_RULE_COMMAND_BUFFER_RANGE);
    weft_buffer_destroy(r.f.dev, plain);
    finish(&r);
}

TEST(ray_rules, builds_are_what_structures_were_created_for)
{
    struct recording r = recording();
    r.geometry.count = 3;
    geometry_refused(&r, WEFT_RULE_ACCELERATION_BUILD);
    r.geometry.vertex_count = 5;
    geometry_refused(&r, WEFT_RULE_ACCELERATION_BUILD);
    r.geometry.flags = WEFT_GEOMETRY_OPAQUE;
    geometry_refused(&r, WEFT_RULE_ACCELERATION_BUILD);
    r.geometry.transformed = false;
    geometry_refused(&r, WEFT_RULE_ACCELERATION_BUILD);
    const weft_acceleration_build none = {.structure = r.r.bottom};
    weft_compute_build_acceleration_structure(r.enc, &none);
    took(&r, WEFT_RULE_ACCELERATION_BUILD);
    const weft_acceleration_build top = {
        .structure = r.r.top, .instances = r.r.buffer, .instance_count = 3};
    weft_compute_build_acceleration_structure(r.enc, &top);
    took(&r, WEFT_RULE_ACCELERATION_BUILD);
    r.geometry.count = 1; // less is fine
    build(&r);
    weft_compute_build_acceleration_structure(
        r.enc, &(weft_acceleration_build){.structure = r.r.bottom, .geometry_count = 1});
    took(&r, WEFT_RULE_ARRAY_NULL);
    r.geometry = rays_geometry(&r.r);
    finish(&r);
}

TEST(ray_rules, triangles_without_indices_have_three_vertices_each)
{
    struct recording r = recording();
    weft_acceleration_geometry g = rays_geometry(&r.r);
    g.index_type = WEFT_INDEX_NONE;
    weft_acceleration_structure structure = rays_structure(
        &r.f, &(weft_acceleration_structure_desc){.geometries = &g, .geometry_count = 1});
    weft_compute_build_acceleration_structure(
        r.enc,
        &(weft_acceleration_build){.structure = structure, .geometries = &g, .geometry_count = 1});
    took(&r, WEFT_RULE_ACCELERATION_BUILD);
    weft_acceleration_structure_destroy(r.f.dev, structure);
    finish(&r);
}

TEST(ray_rules, updates_follow_builds)
{
    struct recording r = recording();
    const weft_acceleration_structure updated =
        rays_structure(&r.f, &(weft_acceleration_structure_desc){.level = WEFT_ACCELERATION_TOP,
                                                                 .flags = WEFT_ACCELERATION_UPDATE,
                                                                 .instance_count = 2});
    weft_acceleration_build b = {
        .structure = r.r.top, .update = true, .instances = r.r.buffer, .instance_count = 2};
    weft_compute_build_acceleration_structure(r.enc, &b);
    took(&r, WEFT_RULE_ACCELERATION_UPDATE); // not made for it
    b.structure = updated;
    weft_compute_build_acceleration_structure(r.enc, &b);
    took(&r, WEFT_RULE_ACCELERATION_UPDATE); // not built yet
    b.update = false;
    b.instance_count = 1;
    weft_compute_build_acceleration_structure(r.enc, &b);
    took(&r, WEFT_RULE_ACCELERATION_BUILD); // exactly as many
    b.instance_count = 2;
    weft_compute_build_acceleration_structure(r.enc, &b);
    b.update = true;
    weft_compute_build_acceleration_structure(r.enc, &b);
    EXPECT_EQ(fixture_count(&r.f), 0);
    weft_compute_end(r.enc);
    EXPECT_EQ(weft_command_end(r.cmd), WEFT_OK);
    weft_command_discard(r.cmd);
    begin(&r);
    weft_acceleration_structure_destroy(r.f.dev, updated);
    finish(&r);
}

TEST(ray_rules, scratch_memory_is_given_where_it_was_said)
{
    struct recording r = recording();
    weft_acceleration_build b = {
        .structure = r.r.scratched, .instances = r.r.buffer, .instance_count = 2};
    weft_compute_build_acceleration_structure(r.enc, &b);
    took(&r, WEFT_RULE_ACCELERATION_SCRATCH);
    b.scratch = r.r.buffer;
    b.structure = r.r.top;
    weft_compute_build_acceleration_structure(r.enc, &b);
    took(&r, WEFT_RULE_ACCELERATION_SCRATCH);
    b.structure = r.r.scratched;
    b.scratch_offset = 128;
    weft_compute_build_acceleration_structure(r.enc, &b);
    took(&r, WEFT_RULE_COMMAND_OFFSET_ALIGNMENT);
    b.scratch_offset = 768; // 320 bytes are needed
    weft_compute_build_acceleration_structure(r.enc, &b);
    took(&r, WEFT_RULE_COMMAND_BUFFER_RANGE);
    b.scratch_offset = 512;
    weft_compute_build_acceleration_structure(r.enc, &b);
    weft_compute_end(r.enc);
    EXPECT_EQ(weft_command_end(r.cmd), WEFT_OK);
    weft_command_discard(r.cmd);
    begin(&r);
    finish(&r);
}

TEST(ray_rules, copy_queues_build_nothing)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct rays r = rays_create(&f);
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(f.dev, &(weft_command_desc){.queue = WEFT_QUEUE_COPY}, &cmd),
              WEFT_OK);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_build_acceleration_structure(
        enc, &(weft_acceleration_build){.structure = r.top, .instances = r.buffer});
    weft_compute_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_COMMAND_QUEUE_CANNOT));
    rays_destroy(&f, &r);
    fixture_close(&f);
}

/// Builds the top level, and asks it.
static void build_and_ask(struct recording *r, weft_compute_pipeline ask, bool barrier)
{
    weft_compute_build_acceleration_structure(
        r->enc, &(weft_acceleration_build){
                    .structure = r->r.top, .instances = r->r.buffer, .instance_count = 2});
    weft_compute_end(r->enc);
    if (barrier)
        weft_command_barrier(r->cmd, WEFT_STAGE_ACCELERATION, WEFT_STAGE_COMPUTE, 0);
    r->enc = weft_command_begin_compute(r->cmd, NULL);
    weft_compute_set_pipeline(r->enc, ask);
    weft_compute_set_arguments(r->enc, 0, r->r.table, NULL, 0);
    weft_compute_dispatch(r->enc, 1, 1, 1);
    weft_compute_end(r->enc);
    weft_command_barrier(r->cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
    EXPECT_EQ(weft_command_end(r->cmd), WEFT_OK);
    record_submit(&r->f, r->cmd);
    begin(r);
}

TEST(ray_rules, builds_and_what_asks_them_are_ordered_by_barriers)
{
    struct recording r = recording();
    weft_shader shader = RECORD_SHADER(&r.f, ray_comp);
    weft_compute_pipeline ask;
    const weft_compute_pipeline_desc desc = {.compute = {.shader = shader},
                                             .layouts = {r.r.layout}};
    EXPECT_EQ(weft_compute_pipeline_create(r.f.dev, &desc, &ask), WEFT_OK);
    build_and_ask(&r, ask, true);
    EXPECT_EQ(fixture_count(&r.f), 0);
    build_and_ask(&r, ask, false);
    EXPECT(strstr(r.f.log->message, "Read after write") &&
           strstr(r.f.log->message, "reads acceleration structure") &&
           strstr(r.f.log->hint, "WEFT_STAGE_ACCELERATION, WEFT_STAGE_COMPUTE, 0);"));
    EXPECT(fixture_took(&r.f, WEFT_RULE_BARRIER_MISSING));
    build(&r);
    build(&r);
    weft_compute_end(r.enc);
    EXPECT_EQ(weft_command_end(r.cmd), WEFT_OK);
    record_submit(&r.f, r.cmd);
    EXPECT(strstr(r.f.log->message, "Write after write"));
    EXPECT(fixture_took(&r.f, WEFT_RULE_BARRIER_MISSING));
    weft_compute_pipeline_destroy(r.f.dev, ask);
    weft_shader_destroy(r.f.dev, shader);
    rays_destroy(&r.f, &r.r);
    fixture_close(&r.f);
}
