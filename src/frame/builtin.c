#include "frame/context.h"

#include "quad.frag.spv.h"
#include "quad.vert.spv.h"
#include "quad_textured.frag.spv.h"

static bool shader_create(struct weft_frame *frame, const uint32_t *code, size_t size,
                          const char *label, weft_shader *out)
{
    if (!weft_shader_is_none(*out))
        return true;
    const weft_result res = weft_shader_create(
        frame->device, &(weft_shader_desc){.code = code, .size = size, .label = label}, out);
    if (res != WEFT_OK)
        wf_frame_fail(frame, res);
    return res == WEFT_OK;
}

static bool shaders_create(struct weft_frame *frame)
{
    struct wf_frame_context *c = frame->context;
    return shader_create(frame, quad_vert, sizeof quad_vert, "quad.vert", &c->quad_vertex) &&
           shader_create(frame, quad_frag, sizeof quad_frag, "quad.frag", &c->quad_plain) &&
           shader_create(frame, quad_textured_frag, sizeof quad_textured_frag, "quad_textured.frag",
                         &c->quad_textured);
}

static weft_result pipeline_create(struct weft_frame *frame, struct wf_frame_quad_pipeline *quad)
{
    static const weft_vertex_stream stream = {.slot = 0, .stride = 32};
    static const weft_vertex_attribute attributes[] = {
        {.location = 0, .offset = 0, .format = WEFT_VERTEX_FORMAT_FLOAT32X2},
        {.location = 1, .offset = 8, .format = WEFT_VERTEX_FORMAT_FLOAT32X2},
        {.location = 2, .offset = 16, .format = WEFT_VERTEX_FORMAT_FLOAT32X4},
    };
    static const weft_pipeline_state state = {
        .blend.targets[0] = {
            .enable = true,
            .color = {WEFT_BLEND_SRC_ALPHA, WEFT_BLEND_ONE_MINUS_SRC_ALPHA, WEFT_BLEND_OP_ADD},
            .alpha = {WEFT_BLEND_ONE, WEFT_BLEND_ONE_MINUS_SRC_ALPHA, WEFT_BLEND_OP_ADD},
        }};
    struct wf_frame_context *c = frame->context;
    const weft_graphics_pipeline_desc desc = {
        .vertex = {.shader = c->quad_vertex},
        .fragment = {.shader = quad->textured ? c->quad_textured : c->quad_plain},
        .streams = &stream,
        .stream_count = 1,
        .attributes = attributes,
        .attribute_count = 3,
        .colors = {quad->color},
        .depth_stencil = quad->depth,
        .samples = quad->samples,
        .states = &state,
        .state_count = 1,
        .label = quad->textured ? "textured quads" : "quads",
    };
    weft_result res = weft_graphics_pipeline_create(frame->device, &desc, &quad->pipeline);
    if (res == WEFT_OK)
        res =
            weft_material_create(frame->device,
                                 &(weft_material_desc){.pipeline = quad->pipeline,
                                                       .transform_stages = WEFT_SHADER_STAGE_VERTEX,
                                                       .label = desc.label},
                                 &quad->material);
    return res;
}

/// Formats of the pass's first color and its depth.
static struct wf_frame_quad_pipeline wanted(struct weft_frame *frame,
                                            const struct wf_frame_pass *pass, bool textured)
{
    weft_texture_view_info info = {0};
    struct wf_frame_quad_pipeline quad = {.samples = pass->attachments.samples,
                                          .textured = textured};
    if (weft_texture_view_get_info(frame->device, pass->attachments.colors[0], &info))
        quad.color = info.format;
    info = (weft_texture_view_info){0};
    if (!weft_texture_view_is_none(pass->attachments.depth) &&
        weft_texture_view_get_info(frame->device, pass->attachments.depth, &info))
        quad.depth = info.format;
    return quad;
}

bool wf_frame_quad_material(struct weft_frame *frame, const struct wf_frame_pass *pass,
                            uint32_t layer, bool textured, weft_material *out)
{
    struct wf_frame_context *c = frame->context;
    if (pass->attachments.color_count != 1)
        return wf_frame_broken(frame, WEFT_RULE_FRAME_QUAD_TARGET, frame->judged, layer,
                               "The library's quads draw to one color; pass '%s' has %u.",
                               pass->label, pass->attachments.color_count);
    struct wf_frame_quad_pipeline quad = wanted(frame, pass, textured);
    for (size_t i = 0; i < c->quad_pipelines.count; i++) {
        const struct wf_frame_quad_pipeline *q = wf_frame_at(&c->quad_pipelines, i);
        if (q->color == quad.color && q->depth == quad.depth && q->samples == quad.samples &&
            q->textured == textured) {
            *out = q->material;
            return true;
        }
    }
    if (!shaders_create(frame))
        return false;
    const weft_result res = pipeline_create(frame, &quad);
    struct wf_frame_quad_pipeline *at =
        res == WEFT_OK ? wf_frame_append(frame, &c->quad_pipelines, 1) : NULL;
    if (!at) {
        weft_material_destroy(frame->device, quad.material);
        weft_graphics_pipeline_destroy(frame->device, quad.pipeline);
        wf_frame_fail(frame, res == WEFT_OK ? WEFT_ERROR_MEMORY : res);
        return false;
    }
    *at = quad;
    *out = quad.material;
    return true;
}

static bool sampler_default(struct weft_frame *frame, weft_sampler *sampler)
{
    struct wf_frame_context *c = frame->context;
    if (weft_sampler_is_none(c->quad_sampler)) {
        const weft_result res =
            weft_sampler_create(frame->device,
                                &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR,
                                                     .min = WEFT_FILTER_LINEAR,
                                                     .mip = WEFT_FILTER_LINEAR,
                                                     .u = WEFT_ADDRESS_CLAMP_TO_EDGE,
                                                     .v = WEFT_ADDRESS_CLAMP_TO_EDGE,
                                                     .label = "quads"},
                                &c->quad_sampler);
        if (res != WEFT_OK) {
            wf_frame_fail(frame, res);
            return false;
        }
    }
    *sampler = c->quad_sampler;
    return true;
}

/// The layout of slot 2 of any textured quad pipeline: they are all alike.
static weft_argument_layout textured_layout(struct weft_frame *frame)
{
    struct wf_frame_context *c = frame->context;
    for (size_t i = 0; i < c->quad_pipelines.count; i++) {
        const struct wf_frame_quad_pipeline *q = wf_frame_at(&c->quad_pipelines, i);
        if (q->textured)
            return weft_graphics_pipeline_layout(frame->device, q->pipeline, 2);
    }
    return (weft_argument_layout){0, 0};
}

/// A table of this frame for the library's textured quads: one that an earlier frame used, or new.
static weft_result write_table(struct weft_frame *frame, const weft_argument_write *write)
{
    struct wf_frame_context *c = frame->context;
    if (c->quad_tables_used < c->quad_tables.count)
        return weft_argument_table_write(
            frame->device,
            *(weft_argument_table *)wf_frame_at(&c->quad_tables, c->quad_tables_used), write, 1);
    weft_argument_table *at = wf_frame_append(frame, &c->quad_tables, 1);
    if (!at)
        return WEFT_ERROR_MEMORY;
    const weft_argument_table_desc desc = {
        .layout = textured_layout(frame), .writes = write, .write_count = 1, .label = "quads"};
    const weft_result res = weft_argument_table_create(frame->device, &desc, at);
    c->quad_tables.count -= res != WEFT_OK;
    return res;
}

bool wf_frame_quad_table(struct weft_frame *frame, weft_texture_view view, weft_sampler sampler,
                         weft_argument_table *out)
{
    struct wf_frame_context *c = frame->context;
    if (weft_sampler_is_none(sampler) && !sampler_default(frame, &sampler))
        return false;
    const uint64_t key = wf_base_hash_combine((uint64_t)view.generation << 32 | view.index,
                                              (uint64_t)sampler.generation << 32 | sampler.index);
    const uint64_t *known = wf_base_map_find(&c->quad_views, key);
    const size_t index = known ? *known : c->quad_tables_used;
    if (!known) {
        const weft_argument_write write = {.binding = 0, .view = view, .sampler = sampler};
        const weft_result res = write_table(frame, &write);
        if (res != WEFT_OK) {
            wf_frame_fail(frame, res);
            return false;
        }
        c->quad_tables_used++;
        if (!wf_base_map_set(&c->quad_views, key, index)) {
            wf_frame_out_of_memory(frame);
            return false;
        }
    }
    *out = *(weft_argument_table *)wf_frame_at(&c->quad_tables, index);
    return true;
}

void wf_frame_builtin_finish(struct wf_frame_context *c)
{
    for (size_t i = 0; i < c->quad_tables.count; i++)
        weft_argument_table_destroy(c->device,
                                    *(weft_argument_table *)wf_frame_at(&c->quad_tables, i));
    for (size_t i = 0; i < c->quad_pipelines.count; i++) {
        const struct wf_frame_quad_pipeline *q = wf_frame_at(&c->quad_pipelines, i);
        weft_graphics_pipeline_destroy(c->device, q->pipeline);
    }
    weft_sampler_destroy(c->device, c->quad_sampler);
    weft_shader_destroy(c->device, c->quad_textured);
    weft_shader_destroy(c->device, c->quad_plain);
    weft_shader_destroy(c->device, c->quad_vertex);
}
