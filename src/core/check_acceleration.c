// Rules of acceleration structures, and of what is built into them.
#include "core/check_acceleration.h"

#include "core/check.h"

uint32_t wf_core_geometry_bytes(const weft_acceleration_geometry *geometry)
{
    return geometry->kind == WEFT_GEOMETRY_BOXES
               ? 24
               : weft_vertex_format_get_info(geometry->format)->bytes;
}

bool wf_core_check_acceleration_level(const struct wf_core_subject *on,
                                      const struct wf_hal_acceleration *structure)
{
    return structure->level == WEFT_ACCELERATION_TOP ||
           wf_core_broken(on, WEFT_RULE_ACCELERATION_LEVEL, "A bottom level was given to shaders.");
}

// ---- what it is created for --------------------------------------------------------------------

static bool check_most(const struct wf_core_subject *on, uint32_t has, uint32_t most,
                       const char *what)
{
    return has <= most ||
           wf_core_broken(on, WEFT_RULE_ACCELERATION_LIMIT,
                          "%u %s were asked for; the device has up to %u.", has, what, most);
}

static bool is_vertex_format(weft_vertex_format format)
{
    switch (format) {
    case WEFT_VERTEX_FORMAT_FLOAT32X2:
    case WEFT_VERTEX_FORMAT_FLOAT32X3:
    case WEFT_VERTEX_FORMAT_FLOAT16X2:
    case WEFT_VERTEX_FORMAT_FLOAT16X4:
    case WEFT_VERTEX_FORMAT_SNORM16X2:
    case WEFT_VERTEX_FORMAT_SNORM16X4:
        return true;
    default:
        return false;
    }
}

static bool check_geometry(const struct wf_core_subject *on,
                           const weft_acceleration_geometry *geometry)
{
    const weft_limits *limits = &on->dev->caps.limits;
    bool ok =
        wf_core_check_enum(on, (unsigned)geometry->kind, WEFT_GEOMETRY_BOXES, "kind of a geometry");
    ok &= wf_core_check_bits(on, geometry->flags, WEFT_GEOMETRY_ALL_FLAGS, "geometry flags");
    ok &= wf_core_check_enum(on, (unsigned)geometry->index_type, WEFT_INDEX_UINT32, "index type");
    ok &= check_most(on, geometry->count, limits->max_geometry_primitives, "triangles or boxes");
    if (geometry->kind == WEFT_GEOMETRY_TRIANGLES && !is_vertex_format(geometry->format))
        ok = wf_core_broken(on, WEFT_RULE_ACCELERATION_FORMAT, "The vertices are %s.",
                            weft_vertex_format_get_info(geometry->format)->name);
    return ok;
}

static bool check_contents(const struct wf_core_subject *on,
                           const weft_acceleration_structure_desc *desc)
{
    const bool top = desc->level == WEFT_ACCELERATION_TOP;
    const uint32_t mine = top ? desc->instance_count : desc->geometry_count;
    const uint32_t other = top ? desc->geometry_count : desc->instance_count;
    bool same = true;
    for (uint32_t i = 1; !top && i < desc->geometry_count; ++i)
        same &= desc->geometries[i].kind == desc->geometries[0].kind;
    return (mine > 0 && other == 0 && same) ||
           wf_core_broken(on, WEFT_RULE_ACCELERATION_CONTENTS,
                          "A %s level was given %u geometries%s and %u instances.",
                          top ? "top" : "bottom", desc->geometry_count,
                          same ? "" : " of several kinds", desc->instance_count);
}

bool wf_core_check_acceleration_desc(struct weft_device *dev,
                                     const weft_acceleration_structure_desc *desc)
{
    const struct wf_core_subject on =
        wf_core_about_new(dev, WEFT_OBJECT_ACCELERATION_STRUCTURE, desc->label);
    const weft_acceleration_flags both =
        WEFT_ACCELERATION_FAST_TRACE | WEFT_ACCELERATION_FAST_BUILD;
    bool ok = wf_core_check_enum(&on, (unsigned)desc->level, WEFT_ACCELERATION_TOP,
                                 "level of an acceleration structure");
    ok &= wf_core_check_bits(&on, desc->flags, WEFT_ACCELERATION_ALL_FLAGS, "flags");
    if ((desc->flags & both) == both)
        ok = wf_core_broken(&on, WEFT_RULE_ACCELERATION_FLAGS,
                            "FAST_TRACE and FAST_BUILD were asked for together.");
    ok &= check_most(&on, desc->geometry_count, dev->caps.limits.max_geometries, "geometries");
    ok &= check_most(&on, desc->instance_count, dev->caps.limits.max_instances, "instances");
    ok &= wf_core_check_array(&on, desc->geometries, desc->geometry_count, "geometries");
    for (uint32_t i = 0; ok && i < desc->geometry_count; ++i)
        ok = check_geometry(&on, &desc->geometries[i]);
    return ok && check_contents(&on, desc);
}

// ---- builds ------------------------------------------------------------------------------------

struct check {
    struct weft_command_buffer *cmd;
    struct wf_core_subject on;
    const struct wf_core_acceleration_structure *structure;
};

/// A range of a buffer that is known to live.
static bool check_input(const struct check *c, weft_buffer handle, uint64_t offset, uint64_t size,
                        uint32_t alignment, const char *what)
{
    return wf_core_check_range(
        c->cmd,
        &(struct wf_core_range_use){handle, wf_core_buffer_find(c->cmd->dev, handle),
                                    WEFT_BUFFER_USAGE_ACCELERATION, offset, size, alignment, what});
}

/// Bytes of `count` elements that lie apart.
static uint64_t span(uint32_t stride, uint32_t count, uint32_t bytes)
{
    return count > 0 ? (uint64_t)stride * (count - 1) + bytes : 0;
}

static bool check_inputs(const struct check *c, const weft_acceleration_geometry *g)
{
    const bool boxes = g->kind == WEFT_GEOMETRY_BOXES;
    const uint32_t bytes = wf_core_geometry_bytes(g), stride = wf_core_geometry_stride(g);
    const uint32_t alignment = boxes ? 8 : 4, index = g->index_type == WEFT_INDEX_UINT16 ? 2 : 4;
    bool ok = true;
    if (stride % alignment != 0 || stride < bytes)
        ok = wf_core_broken(&c->on, WEFT_RULE_ACCELERATION_STRIDE,
                            "The stride is %u; a %s has %u bytes.", stride,
                            boxes ? "box" : "vertex", bytes);
    ok &= check_input(c, g->buffer, g->offset,
                      span(stride, boxes ? g->count : g->vertex_count, bytes), alignment,
                      boxes ? "boxes" : "vertices");
    if (boxes)
        return ok;
    if (g->index_type != WEFT_INDEX_NONE)
        ok &= check_input(c, g->indices, g->index_offset, UINT64_C(3) * g->count * index, index,
                          "indices");
    if (g->transformed)
        ok &= check_input(c, g->transform, g->transform_offset, 48, 16, "a transform");
    return ok;
}

/// Against what it was created for.
static bool check_fits(const struct check *c, const weft_acceleration_geometry *g, uint32_t index)
{
    const weft_acceleration_geometry *most = &c->structure->geometries[index];
    const bool exact = (c->structure->hal->flags & WEFT_ACCELERATION_UPDATE) != 0;
    bool ok = true;
    if (g->kind != most->kind || g->flags != most->flags || g->format != most->format ||
        g->index_type != most->index_type || g->transformed != most->transformed)
        ok = wf_core_broken(&c->on, WEFT_RULE_ACCELERATION_BUILD,
                            "Geometry %u is of another kind, or has other flags, format, indices "
                            "or transform.",
                            index);
    if (g->count > most->count || g->vertex_count > most->vertex_count ||
        (exact && (g->count != most->count || g->vertex_count != most->vertex_count)))
        ok = wf_core_broken(&c->on, WEFT_RULE_ACCELERATION_BUILD,
                            "Geometry %u has %u triangles or boxes and %u vertices; it was created "
                            "for %s %u and %u.",
                            index, g->count, g->vertex_count, exact ? "exactly" : "up to",
                            most->count, most->vertex_count);
    if (g->kind == WEFT_GEOMETRY_TRIANGLES && g->index_type == WEFT_INDEX_NONE &&
        UINT64_C(3) * g->count > g->vertex_count)
        ok = wf_core_broken(&c->on, WEFT_RULE_ACCELERATION_BUILD,
                            "Geometry %u has %u vertices, too few for %u triangles without "
                            "indices.",
                            index, g->vertex_count, g->count);
    return ok;
}

static bool check_geometries(const struct check *c, const weft_acceleration_build *build)
{
    if (build->geometry_count != c->structure->geometry_count)
        return wf_core_broken(&c->on, WEFT_RULE_ACCELERATION_BUILD,
                              "It was created for %u geometries, and given %u.",
                              c->structure->geometry_count, build->geometry_count);
    bool ok = true;
    for (uint32_t i = 0; i < build->geometry_count; ++i) {
        const bool fits = check_fits(c, &build->geometries[i], i);
        ok &= fits && check_inputs(c, &build->geometries[i]);
    }
    return ok;
}

static bool check_instances(const struct check *c, const weft_acceleration_build *build)
{
    const uint32_t most = c->structure->instance_count;
    const bool exact = (c->structure->hal->flags & WEFT_ACCELERATION_UPDATE) != 0;
    bool ok = true;
    if (build->instance_count > most || (exact && build->instance_count != most))
        ok = wf_core_broken(&c->on, WEFT_RULE_ACCELERATION_BUILD,
                            "It was created for %s %u instances, and given %u.",
                            exact ? "exactly" : "up to", most, build->instance_count);
    if (c->structure->hal->level == WEFT_ACCELERATION_TOP)
        ok &= check_input(c, build->instances, build->instance_offset,
                          build->instance_count * (uint64_t)sizeof(weft_acceleration_instance), 16,
                          "instances");
    return ok;
}

static bool check_update(const struct check *c, const weft_acceleration_build *build)
{
    if (!build->update)
        return true;
    if (!(c->structure->hal->flags & WEFT_ACCELERATION_UPDATE))
        return wf_core_broken(&c->on, WEFT_RULE_ACCELERATION_UPDATE,
                              "An update was asked for; it was created without UPDATE.");
    return atomic_load(&c->structure->built) ||
           wf_core_broken(&c->on, WEFT_RULE_ACCELERATION_UPDATE,
                          "An update was asked for before it was built.");
}

static bool check_scratch(const struct check *c, const weft_acceleration_build *build)
{
    const weft_acceleration_sizes *sizes = &c->structure->sizes;
    if (weft_buffer_is_none(build->scratch))
        return true;
    return check_input(c, build->scratch, build->scratch_offset,
                       build->update ? sizes->update_scratch : sizes->build_scratch, 256,
                       "scratch memory");
}

bool wf_core_check_acceleration_build(struct weft_command_buffer *cmd,
                                      const weft_acceleration_build *build)
{
    const struct check c = {
        .cmd = cmd,
        .on = wf_core_about_in(cmd, wf_core_acceleration_structure_object(build->structure)),
        .structure = wf_core_acceleration_structure_find(cmd->dev, build->structure),
    };
    bool ok = check_geometries(&c, build);
    ok &= check_instances(&c, build);
    ok &= check_update(&c, build);
    return check_scratch(&c, build) && ok;
}
