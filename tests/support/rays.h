/// Acceleration structures and a table for them, on devices that have them. Include it after
/// record.h.
#pragma once

#include "support/record.h"

struct rays {
    weft_acceleration_structure bottom, top;
    weft_acceleration_structure scratched; ///< A top level with SCRATCH_GIVEN.
    weft_buffer buffer;                    ///< 1,024 bytes, for all that builds read or write.
    weft_argument_layout layout;           ///< One acceleration structure.
    weft_argument_table table;
};

/// Two triangles with indices and a transform, out of the buffer.
static inline weft_acceleration_geometry rays_geometry(const struct rays *r)
{
    return (weft_acceleration_geometry){
        .count = 2,
        .buffer = r->buffer,
        .vertex_count = 4,
        .format = WEFT_VERTEX_FORMAT_FLOAT32X3,
        .index_type = WEFT_INDEX_UINT16,
        .indices = r->buffer,
        .index_offset = 64,
        .transformed = true,
        .transform = r->buffer,
        .transform_offset = 128,
    };
}

static inline weft_acceleration_structure
rays_structure(struct fixture *f, const weft_acceleration_structure_desc *desc)
{
    weft_acceleration_structure structure;
    const weft_result result = weft_acceleration_structure_create(f->dev, desc, &structure);
    if (result != WEFT_OK)
        test_fail(__FILE__, __LINE__, "the structure was refused: %s", f->log->message);
    return structure;
}

static inline struct rays rays_create(struct fixture *f)
{
    struct rays r = {.buffer = record_buffer(f, 1024, WEFT_BUFFER_USAGE_ACCELERATION)};
    const weft_acceleration_geometry geometry = rays_geometry(&r);
    r.bottom = rays_structure(
        f, &(weft_acceleration_structure_desc){.geometries = &geometry, .geometry_count = 1});
    weft_acceleration_structure_desc desc = {.level = WEFT_ACCELERATION_TOP, .instance_count = 2};
    r.top = rays_structure(f, &desc);
    desc.flags = WEFT_ACCELERATION_SCRATCH_GIVEN;
    r.scratched = rays_structure(f, &desc);
    const weft_argument argument = {.type = WEFT_ARGUMENT_ACCELERATION_STRUCTURE};
    EXPECT_EQ(weft_argument_layout_create(
                  f->dev, &(weft_argument_layout_desc){.arguments = &argument, .argument_count = 1},
                  &r.layout),
              WEFT_OK);
    r.table = record_table(f, r.layout, &(weft_argument_write){.acceleration = r.top}, 1);
    return r;
}

static inline void rays_destroy(struct fixture *f, const struct rays *r)
{
    weft_argument_table_destroy(f->dev, r->table);
    weft_argument_layout_destroy(f->dev, r->layout);
    weft_acceleration_structure_destroy(f->dev, r->bottom);
    weft_acceleration_structure_destroy(f->dev, r->top);
    weft_acceleration_structure_destroy(f->dev, r->scratched);
    weft_buffer_destroy(f->dev, r->buffer);
}
