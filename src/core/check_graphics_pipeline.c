// Rules of graphics pipelines: shaders against each other, against vertex streams and targets, and
// fixed state against the device.
#include "core/pipeline.h"
#include "core/record.h"

#include "shader/check.h"

struct check {
    const struct wf_core_subject *on;
    const weft_graphics_pipeline_desc *desc;
    const struct wf_core_stage *first, *fragment; ///< Vertex or mesh.
    bool ok;
};

static void need(struct check *c, weft_feature_set feature, const char *what)
{
    c->ok &= wf_core_need(c->on, feature, what);
}

static const char *format_name(weft_format format)
{
    return weft_format_get_info(format)->name;
}

static const char *class_name(weft_sample_class class)
{
    switch (class) {
    case WEFT_SAMPLE_CLASS_UINT:
        return "uint";
    case WEFT_SAMPLE_CLASS_SINT:
        return "int";
    default:
        return "float";
    }
}

// ---- vertex streams ----------------------------------------------------------------------------

static void check_stream(struct check *c, uint32_t index)
{
    const weft_limits *limits = &c->on->dev->caps.limits;
    const weft_vertex_stream *stream = &c->desc->streams[index];
    if (stream->slot >= limits->max_vertex_streams || stream->slot >= WF_CORE_MAX_STREAMS)
        c->ok = wf_core_broken(c->on, WEFT_RULE_VERTEX_STREAM,
                               "Stream %u is for slot %u; max_vertex_streams is %u.", index,
                               stream->slot, limits->max_vertex_streams);
    if (stream->stride > limits->max_vertex_stride)
        c->ok = wf_core_broken(c->on, WEFT_RULE_VERTEX_STREAM,
                               "Slot %u has stride %u; max_vertex_stride is %u.", stream->slot,
                               stream->stride, limits->max_vertex_stride);
    c->ok &= wf_core_check_enum(c->on, (unsigned)stream->rate, WEFT_STEP_INSTANCE, "step rate");
    for (uint32_t i = 0; i < index; ++i) {
        if (c->desc->streams[i].slot == stream->slot)
            c->ok = wf_core_broken(c->on, WEFT_RULE_VERTEX_STREAM, "Slot %u is there twice.",
                                   stream->slot);
    }
}

static const weft_vertex_stream *stream_of(const struct check *c, uint32_t slot)
{
    for (uint32_t i = 0; i < c->desc->stream_count; ++i) {
        if (c->desc->streams[i].slot == slot)
            return &c->desc->streams[i];
    }
    return NULL;
}

/// Where an attribute lies in its stream.
static void check_attribute_place(struct check *c, const weft_vertex_attribute *a, uint32_t bytes)
{
    const weft_vertex_stream *stream = stream_of(c, a->slot);
    const uint32_t align = bytes < 4 ? bytes : 4;
    if (!stream)
        c->ok =
            wf_core_broken(c->on, WEFT_RULE_VERTEX_ATTRIBUTE,
                           "Attribute %u reads slot %u, which is no stream.", a->location, a->slot);
    else if ((uint64_t)a->offset + bytes >
             (stream->stride > 0 ? stream->stride : c->on->dev->caps.limits.max_vertex_stride))
        c->ok = wf_core_broken(c->on, WEFT_RULE_VERTEX_ATTRIBUTE,
                               "Attribute %u has %u bytes at %u of elements of %u.", a->location,
                               bytes, a->offset, stream->stride);
    if (align > 0 && a->offset % align != 0)
        c->ok = wf_core_broken(c->on, WEFT_RULE_VERTEX_ATTRIBUTE,
                               "Attribute %u is at %u, no multiple of %u.", a->location, a->offset,
                               align);
}

static void check_attribute(struct check *c, uint32_t index)
{
    const weft_vertex_attribute *a = &c->desc->attributes[index];
    const uint32_t most = c->on->dev->caps.limits.max_vertex_attributes;
    const uint32_t bytes = weft_vertex_format_get_info(a->format)->bytes;
    if (bytes == 0)
        c->ok = wf_core_broken(c->on, WEFT_RULE_VERTEX_ATTRIBUTE, "Attribute %u has no format.",
                               a->location);
    if (a->location >= most)
        c->ok = wf_core_broken(c->on, WEFT_RULE_VERTEX_ATTRIBUTE,
                               "Attribute %u is beyond max_vertex_attributes, which is %u.",
                               a->location, most);
    check_attribute_place(c, a, bytes);
    for (uint32_t i = 0; i < index; ++i) {
        if (c->desc->attributes[i].location == a->location)
            c->ok = wf_core_broken(c->on, WEFT_RULE_VERTEX_ATTRIBUTE,
                                   "Attribute %u is there twice.", a->location);
    }
}

static const weft_vertex_attribute *attribute_of(const struct check *c, uint32_t location)
{
    for (uint32_t i = 0; i < c->desc->attribute_count; ++i) {
        if (c->desc->attributes[i].location == location)
            return &c->desc->attributes[i];
    }
    return NULL;
}

/// One location of an input of the vertex shader.
static void check_input(struct check *c, const weft_reflected_varying *v, uint32_t location)
{
    const weft_vertex_attribute *a = attribute_of(c, location);
    if (!a) {
        c->ok = wf_core_broken(c->on, WEFT_RULE_ATTRIBUTE_MISSING,
                               "The vertex shader reads \"%s\" at location %u.", v->name, location);
        return;
    }
    const weft_vertex_format_info *info = weft_vertex_format_get_info(a->format);
    if (v->bits > 32 || info->shader_class != v->type)
        c->ok = wf_core_broken(
            c->on, WEFT_RULE_ATTRIBUTE_CLASS,
            "The vertex shader reads \"%s\" at location %u as %u-bit %s; %s gives %s.", v->name,
            location, v->bits, class_name(v->type), info->name, class_name(info->shader_class));
}

static void check_vertex_input(struct check *c)
{
    if (c->desc->attribute_count > c->on->dev->caps.limits.max_vertex_attributes ||
        c->desc->stream_count > WF_CORE_MAX_STREAMS) {
        c->ok = wf_core_broken(c->on, WEFT_RULE_VERTEX_ATTRIBUTE,
                               "%u attributes in %u streams were given.", c->desc->attribute_count,
                               c->desc->stream_count);
        return;
    }
    for (uint32_t i = 0; i < c->desc->stream_count; ++i)
        check_stream(c, i);
    for (uint32_t i = 0; i < c->desc->attribute_count; ++i)
        check_attribute(c, i);
    const weft_reflection *entry = wf_core_stage_entry(c->first);
    for (uint32_t i = 0; i < entry->input_count; ++i) {
        if (!wf_core_stage_reflection(c->first)->inputs[i].used)
            continue;
        for (uint32_t n = 0; n < entry->inputs[i].locations; ++n)
            check_input(c, &entry->inputs[i], entry->inputs[i].location + n);
    }
}

// ---- between stages ----------------------------------------------------------------------------

#define MAX_FINDINGS 8u

static void check_interface(struct check *c)
{
    if (!c->fragment->module)
        return;
    struct wf_shader_finding items[MAX_FINDINGS];
    struct wf_shader_findings findings = {.items = items, .capacity = MAX_FINDINGS};
    wf_shader_check_interface(wf_core_stage_reflection(c->first),
                              wf_core_stage_reflection(c->fragment), &findings);
    for (uint32_t i = 0; i < findings.count && i < MAX_FINDINGS; ++i)
        c->ok = wf_core_broken(c->on, WEFT_RULE_PIPELINE_VARYING, "%s", items[i].message);
}

// ---- targets -----------------------------------------------------------------------------------

static weft_format_caps samples_cap(uint32_t samples)
{
    switch (samples) {
    case 2:
        return WEFT_FORMAT_CAN_MSAA_2;
    case 4:
        return WEFT_FORMAT_CAN_MSAA_4;
    case 8:
        return WEFT_FORMAT_CAN_MSAA_8;
    default:
        return 0;
    }
}

static void check_target(struct check *c, weft_format format, weft_format_caps caps,
                         const char *what)
{
    if ((unsigned)format >= WEFT_FORMAT_COUNT) {
        c->ok = wf_core_broken(c->on, WEFT_RULE_ENUM_UNKNOWN, "%u is no format.", (unsigned)format);
        return;
    }
    const weft_format_caps has = c->on->dev->caps.formats[format];
    if (!(has & caps))
        c->ok = wf_core_broken(c->on, WEFT_RULE_PIPELINE_FORMAT,
                               "%s cannot be a %s on this device.", format_name(format), what);
    if (c->desc->samples > 1 && !(has & samples_cap(c->desc->samples)))
        c->ok = wf_core_broken(c->on, WEFT_RULE_PIPELINE_SAMPLES,
                               "%s has no %u samples on this device.", format_name(format),
                               c->desc->samples);
}

static void check_samples(struct check *c)
{
    const uint32_t samples = c->desc->samples;
    if (samples > c->on->dev->caps.limits.max_samples || (samples & (samples - 1)) != 0)
        c->ok = wf_core_broken(c->on, WEFT_RULE_PIPELINE_SAMPLES,
                               "%u samples were asked for; max_samples is %u.", samples,
                               c->on->dev->caps.limits.max_samples);
}

static void check_targets(struct check *c)
{
    const uint32_t most = c->on->dev->caps.limits.max_color_targets;
    check_samples(c);
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i) {
        if (c->desc->colors[i] == WEFT_FORMAT_NONE)
            continue;
        if (i >= most)
            c->ok = wf_core_broken(c->on, WEFT_RULE_PIPELINE_FORMAT,
                                   "Color %u is used; max_color_targets is %u.", i, most);
        check_target(c, c->desc->colors[i], WEFT_FORMAT_CAN_RENDER, "color attachment");
    }
    if (c->desc->depth_stencil != WEFT_FORMAT_NONE)
        check_target(c, c->desc->depth_stencil, WEFT_FORMAT_CAN_DEPTH_STENCIL,
                     "depth-stencil attachment");
}

/// Whether some state writes color `i`.
static bool is_written(const struct check *c, uint32_t i)
{
    for (uint32_t s = 0; s < c->desc->state_count; ++s) {
        const weft_blend_state *blend = &c->desc->states[s].blend;
        if (!(blend->targets[blend->independent ? i : 0].mask & WEFT_COLOR_MASK_NO_COLOR))
            return true;
    }
    return false;
}

static const weft_reflected_varying *output_of(const struct check *c, uint32_t location)
{
    if (!c->fragment->module)
        return NULL;
    const weft_reflection *entry = wf_core_stage_entry(c->fragment);
    for (uint32_t i = 0; i < entry->output_count; ++i) {
        const weft_reflected_varying *v = &entry->outputs[i];
        if (location >= v->location && location - v->location < v->locations)
            return v;
    }
    return NULL;
}

static void check_outputs(struct check *c)
{
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i) {
        const weft_format format = c->desc->colors[i];
        if (format == WEFT_FORMAT_NONE || (unsigned)format >= WEFT_FORMAT_COUNT)
            continue;
        const weft_reflected_varying *v = output_of(c, i);
        const weft_sample_class class = weft_format_get_info(format)->sample_class;
        if (!v && is_written(c, i))
            c->ok = wf_core_broken(c->on, WEFT_RULE_OUTPUT_MISSING,
                                   "Color %u is written, and no shader gives it.", i);
        else if (v && v->type != class)
            c->ok = wf_core_broken(c->on, WEFT_RULE_OUTPUT_CLASS,
                                   "The fragment shader gives color %u as %s; its format is %s.", i,
                                   class_name(v->type), format_name(format));
    }
}

// ---- fixed state -------------------------------------------------------------------------------

static void check_topology(struct check *c)
{
    const weft_topology topology = c->desc->topology;
    if ((unsigned)topology > WEFT_TOPOLOGY_POINT_LIST)
        c->ok =
            wf_core_broken(c->on, WEFT_RULE_ENUM_UNKNOWN, "%u is no topology.", (unsigned)topology);
    else if (topology >= WEFT_TOPOLOGY_LINE_LIST)
        need(c, WEFT_FEATURE_POINTS_AND_LINES, "A topology of points or lines");
    c->ok &= wf_core_check_enum(c->on, (unsigned)c->desc->restart, WEFT_INDEX_UINT32, "index type");
    if (c->desc->restart == WEFT_INDEX_NONE)
        return;
    need(c, WEFT_FEATURE_PRIMITIVE_RESTART, "Primitive restart");
    if (topology != WEFT_TOPOLOGY_TRIANGLE_STRIP && topology != WEFT_TOPOLOGY_LINE_STRIP)
        c->ok = wf_core_broken(c->on, WEFT_RULE_PIPELINE_RESTART,
                               "Restart was asked for with topology %d.", (int)topology);
}

static void check_flags(struct check *c)
{
    const weft_pipeline_flags flags = c->desc->flags;
    c->ok &= wf_core_check_bits(c->on, flags, WEFT_PIPELINE_ALL_FLAGS, "pipeline flags");
    if (flags & WEFT_PIPELINE_ALPHA_TO_COVERAGE) {
        need(c, WEFT_FEATURE_ALPHA_TO_COVERAGE, "Alpha to coverage");
        if (c->desc->samples == 1)
            c->ok =
                wf_core_broken(c->on, WEFT_RULE_PIPELINE_COVERAGE, "The pipeline has one sample.");
    }
    if (flags & WEFT_PIPELINE_DUAL_SOURCE)
        need(c, WEFT_FEATURE_DUAL_SOURCE, "Dual-source blending");
    if (flags & WEFT_PIPELINE_DEPTH_CLAMP)
        need(c, WEFT_FEATURE_DEPTH_CLAMP, "Clamping depth");
    if (flags & WEFT_PIPELINE_SAMPLE_SHADING)
        need(c, WEFT_FEATURE_SAMPLE_SHADING, "Sample shading");
}

static bool uses_second_source(const weft_blend_target *target)
{
    return target->enable &&
           (target->color.src >= WEFT_BLEND_SRC1 || target->color.dst >= WEFT_BLEND_SRC1 ||
            target->alpha.src >= WEFT_BLEND_SRC1 || target->alpha.dst >= WEFT_BLEND_SRC1);
}

static void check_state_blend(struct check *c, const weft_blend_state *blend)
{
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; ++i) {
        const weft_blend_target *target = &blend->targets[blend->independent ? i : 0];
        const weft_format format = c->desc->colors[i];
        if (format == WEFT_FORMAT_NONE || (unsigned)format >= WEFT_FORMAT_COUNT || !target->enable)
            continue;
        if (!(c->on->dev->caps.formats[format] & WEFT_FORMAT_CAN_BLEND))
            c->ok = wf_core_broken(c->on, WEFT_RULE_BLEND_FORMAT,
                                   "Blending is on for color %u, whose format is %s.", i,
                                   format_name(format));
        if (uses_second_source(target) && !(c->desc->flags & WEFT_PIPELINE_DUAL_SOURCE))
            c->ok = wf_core_broken(
                c->on, WEFT_RULE_BLEND_SECOND_SOURCE,
                "Color %u is blended with the second source without DUAL_SOURCE.", i);
    }
}

static void check_state(struct check *c, const weft_pipeline_state *state)
{
    const weft_aspect_set aspects = weft_format_get_info(c->desc->depth_stencil)->aspects;
    const weft_depth_stencil_state *ds = &state->depth_stencil;
    c->ok &= wf_core_check_depth_stencil(c->on, ds);
    c->ok &= wf_core_check_blend(c->on, &state->blend);
    c->ok &= wf_core_check_raster(c->on, &state->raster);
    if ((ds->depth != WEFT_COMPARE_DEFAULT || ds->depth_write) && !(aspects & WEFT_ASPECT_DEPTH))
        c->ok = wf_core_broken(c->on, WEFT_RULE_STATE_WITHOUT_ASPECT,
                               "A state tests or writes depth, and the format has none.");
    if (ds->stencil && !(aspects & WEFT_ASPECT_STENCIL))
        c->ok = wf_core_broken(c->on, WEFT_RULE_STATE_WITHOUT_ASPECT,
                               "A state tests stencil, and the format has none.");
    check_state_blend(c, &state->blend);
}

bool wf_core_check_graphics_pipeline(const struct wf_core_subject *on,
                                     const weft_graphics_pipeline_desc *desc,
                                     const struct wf_core_stage stages[WF_CORE_MAX_STAGES])
{
    const struct wf_core_stage *first = &stages[WF_CORE_STAGE_FIRST];
    struct check c = {.on = on,
                      .desc = desc,
                      .first = first,
                      .fragment = &stages[WF_CORE_STAGE_FRAGMENT],
                      .ok = true};
    c.ok &= wf_core_check_array(on, desc->streams, desc->stream_count, "vertex streams");
    c.ok &= wf_core_check_array(on, desc->attributes, desc->attribute_count, "vertex attributes");
    c.ok &= wf_core_check_array(on, desc->states, desc->state_count, "states");
    if (!c.ok)
        return false;
    for (uint32_t i = 0; i < WF_CORE_MAX_STAGES; ++i)
        c.ok &= wf_core_check_stage(on, &stages[i]);
    if (first->stage == WEFT_SHADER_STAGE_MESH)
        c.ok &= wf_core_check_mesh_pipeline(on, desc, stages);
    else
        check_vertex_input(&c);
    check_interface(&c);
    check_targets(&c);
    check_outputs(&c);
    check_topology(&c);
    check_flags(&c);
    for (uint32_t i = 0; i < desc->state_count; ++i)
        check_state(&c, &desc->states[i]);
    return c.ok;
}
