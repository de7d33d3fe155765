/// From a draw's description to what the workers need: which rows go where, what may be tested
/// early, which bits of a texel are written.
#include "backends/software/raster/parts.h"

#include <math.h>
#include <string.h>

static bool is_varying(const struct wf_sw_row *row)
{
    return row->builtin == WF_SHADER_NONE || row->builtin == SpvBuiltInClipDistance ||
           row->builtin == SpvBuiltInCullDistance;
}

bool wf_sw_raster_takes(const struct wf_sw_program *program, uint32_t *inputs, uint32_t *builtins)
{
    const struct wf_sw_program_info *info = wf_sw_program_info(program);
    *inputs = 0;
    for (uint32_t i = 0; i < info->input_count; i++)
        *inputs += is_varying(&info->inputs[i]);
    *builtins = info->input_count - *inputs;
    return *inputs <= WF_SW_RASTER_INPUTS && *builtins <= WF_SW_RASTER_BUILTINS;
}

// ---- vertex side -------------------------------------------------------------------------------

static struct fetch *fetch_find(struct vertex_plan *p, const struct wf_sw_draw *desc,
                                uint32_t location)
{
    for (uint32_t i = 0; i < p->fetch_count; i++) {
        if (desc->attributes[p->fetches[i].attribute].location == location)
            return &p->fetches[i];
    }
    for (uint32_t i = 0; i < desc->attribute_count; i++) {
        if (desc->attributes[i].location != location)
            continue;
        struct fetch *f = &p->fetches[p->fetch_count++];
        const struct wf_hal_texel_codec *info =
            wf_hal_vertex_format_get(desc->attributes[i].format);
        f->attribute = i;
        f->bytes = info->texel_bytes;
        f->components = info->texel_bytes == 4 * info->components ? info->components : 0;
        for (uint32_t c = 0; c < 4; c++)
            f->rows[c] = -1;
        return f;
    }
    return NULL;
}

static void plan_vertex_inputs(struct vertex_plan *p, const struct wf_sw_draw *desc,
                               const struct wf_sw_program_info *info)
{
    for (uint32_t i = 0; i < info->input_count; i++) {
        const struct wf_sw_row *row = &info->inputs[i];
        if (row->builtin != WF_SHADER_NONE) {
            p->builtins[p->builtin_count++] =
                (struct builtin_row){row->builtin, (uint16_t)i, (uint16_t)row->component};
            continue;
        }
        struct fetch *f = fetch_find(p, desc, row->location);
        if (f && row->component < 4)
            f->rows[row->component] = (int16_t)i;
        else
            p->zero_rows[p->zero_row_count++] = (uint16_t)i;
    }
}

static int16_t find_builtin(const struct wf_sw_program_info *info, uint32_t builtin,
                            uint32_t component)
{
    for (uint32_t i = 0; i < info->output_count; i++) {
        if (info->outputs[i].builtin == builtin && info->outputs[i].component == component)
            return (int16_t)i;
    }
    return -1;
}

static void plan_vertex(struct vertex_plan *p, const struct wf_sw_draw *desc)
{
    const struct wf_sw_program_info *info = wf_sw_program_info(desc->vertex);
    plan_vertex_inputs(p, desc, info);
    for (uint32_t c = 0; c < 4; c++)
        p->position_rows[c] = find_builtin(info, SpvBuiltInPosition, c);
    p->point_size_row = find_builtin(info, SpvBuiltInPointSize, 0);
    p->layer_row = find_builtin(info, SpvBuiltInLayer, 0);
    for (uint32_t c = 0; c < MAX_CLIP; c++) {
        const int16_t clip = find_builtin(info, SpvBuiltInClipDistance, c);
        const int16_t cull = find_builtin(info, SpvBuiltInCullDistance, c);
        if (clip >= 0)
            p->clip_rows[p->clip_count++] = clip;
        if (cull >= 0)
            p->cull_rows[p->cull_count++] = cull;
    }
}

// ---- fragment side -----------------------------------------------------------------------------

/// The vertex program's output row that feeds a fragment input.
static int16_t find_varying(const struct wf_sw_program_info *vertex, const struct wf_sw_row *in)
{
    const bool wide = in->type == WF_SW_LOW || in->type == WF_SW_HIGH;
    for (uint32_t i = 0; i < vertex->output_count; i++) {
        const struct wf_sw_row *out = &vertex->outputs[i];
        if (out->builtin != in->builtin || out->location != in->location ||
            out->component != in->component)
            continue;
        if (!wide || out->type == in->type)
            return (int16_t)i;
    }
    return -1;
}

static void plan_fragment_inputs(struct fragment_plan *p, const struct wf_sw_draw *desc,
                                 const struct wf_sw_program_info *info)
{
    const struct wf_sw_program_info *vertex = wf_sw_program_info(desc->vertex);
    for (uint32_t i = 0; i < info->input_count; i++) {
        const struct wf_sw_row *row = &info->inputs[i];
        if (!is_varying(row)) {
            p->builtins[p->builtin_count++] =
                (struct builtin_row){row->builtin, (uint16_t)i, (uint16_t)row->component};
            continue;
        }
        struct varying *v = &p->varyings[p->varying_count++];
        v->vertex_row = find_varying(vertex, row);
        v->input_row = (uint16_t)i;
        v->mode = VARYING_PERSPECTIVE;
        if (row->flat || row->type != WF_SW_F32)
            v->mode = VARYING_FLAT;
        else if (row->no_perspective)
            v->mode = VARYING_LINEAR;
        v->centroid = row->centroid && v->mode != VARYING_FLAT;
    }
}

static int16_t find_color(const struct wf_sw_program_info *info, uint32_t location,
                          uint32_t component, uint32_t index)
{
    for (uint32_t i = 0; i < info->output_count; i++) {
        const struct wf_sw_row *row = &info->outputs[i];
        if (row->builtin == WF_SHADER_NONE && row->location == location &&
            row->component == component && row->index == index)
            return (int16_t)i;
    }
    return -1;
}

/// Sets bits [at, at + count) of a texel.
static void mask_bits(uint8_t mask[16], uint32_t at, uint32_t count)
{
    for (uint32_t i = at; i < at + count; i++)
        mask[i / 8] |= (uint8_t)(1u << (i % 8));
}

/// The bits of a texel that hold the components of `write`.
static void texel_mask(const struct wf_hal_texel_codec *codec, weft_color_mask write,
                       uint8_t mask[16])
{
    memset(mask, 0, 16);
    for (uint32_t c = 0; c < 4; c++) {
        if (write & (1u << c))
            mask_bits(mask, wf_hal_texel_shift(codec, c), codec->bits[c]);
    }
}

static void plan_color(const struct wf_sw_raster *r, struct fragment_plan *p,
                       const struct wf_sw_draw *desc, const struct wf_sw_program_info *info,
                       uint32_t i)
{
    struct color_plan *c = &p->colors[i];
    c->state = desc->blend.targets[desc->blend.independent ? i : 0];
    const weft_color_mask all =
        WEFT_COLOR_MASK_R | WEFT_COLOR_MASK_G | WEFT_COLOR_MASK_B | WEFT_COLOR_MASK_A;
    weft_color_mask mask = c->state.mask ? c->state.mask & all : all;
    if (c->state.mask & WEFT_COLOR_MASK_NO_COLOR)
        mask = 0;
    if (!r->color_bytes[i] || mask == 0)
        return;
    const struct wf_hal_format *format = wf_hal_format_get(r->pass.colors[i].plane.format);
    bool any = false;
    for (uint32_t k = 0; k < 4; k++) {
        c->rows[k] = find_color(info, i, k, 0);
        c->second_rows[k] = find_color(info, i, k, 1);
        any |= c->rows[k] >= 0;
    }
    c->written = any;
    c->blends = c->state.enable && format->sample_class == WEFT_SAMPLE_CLASS_FLOAT;
    texel_mask(&format->codec, mask, c->keep_mask);
    for (uint32_t b = 0; b < format->codec.texel_bytes; b++)
        c->partial |= c->keep_mask[b] != 0xff;
    p->shades |= c->written;
    p->unique |= c->written && c->blends;
}

static void plan_fragment(const struct wf_sw_raster *r, struct fragment_plan *p,
                          const struct wf_sw_draw *desc, const struct draw *d)
{
    p->depth_row = p->sample_mask_row = p->alpha_row = -1;
    if (!desc->fragment)
        return;
    const struct wf_sw_program_info *info = wf_sw_program_info(desc->fragment);
    plan_fragment_inputs(p, desc, info);
    for (uint32_t i = 0; i < WF_SW_RASTER_COLORS; i++)
        plan_color(r, p, desc, info, i);
    if (desc->flags & WEFT_PIPELINE_ALPHA_TO_COVERAGE)
        p->alpha_row = find_color(info, 0, 3, 0);
    if (info->writes_sample_mask)
        p->sample_mask_row = find_builtin(info, SpvBuiltInSampleMask, 0);
    const bool early = (info->modes & WF_SHADER_MODE_EARLY_FRAGMENT_TESTS) != 0;
    if (info->writes_depth && !early)
        p->depth_row = find_builtin(info, SpvBuiltInFragDepth, 0);
    const bool cuts = info->discards || p->sample_mask_row >= 0 || p->alpha_row >= 0;
    p->late = !early && (cuts || p->depth_row >= 0 || info->side_effects);
    p->shades |= info->side_effects || p->late;
    const bool tests = d->depth_test || d->stencil_test || d->depth_write;
    p->unique |= p->late && tests;
    p->test_ahead =
        p->late && d->depth_test && !d->stencil_test && p->depth_row < 0 && !info->side_effects;
    p->per_sample = r->pass.samples > 1 &&
                    ((desc->flags & WEFT_PIPELINE_SAMPLE_SHADING) != 0 || info->per_sample);
    for (uint32_t i = 0; i < p->varying_count; i++) {
        p->varyings[i].centroid &= r->pass.samples > 1 && !p->per_sample;
        p->needs_centroid |= p->varyings[i].centroid;
    }
}

// ---- the draw ----------------------------------------------------------------------------------

static bool same_equation(const weft_blend_equation *a, const weft_blend_equation *b)
{
    return a->src == b->src && a->dst == b->dst && a->op == b->op;
}

static bool same_blend(const weft_blend_state *a, const weft_blend_state *b)
{
    if (a->independent != b->independent)
        return false;
    for (uint32_t i = 0; i < (a->independent ? WF_SW_RASTER_COLORS : 1); i++) {
        const weft_blend_target *x = &a->targets[i], *y = &b->targets[i];
        if (x->enable != y->enable || x->mask != y->mask || !same_equation(&x->color, &y->color) ||
            !same_equation(&x->alpha, &y->alpha))
            return false;
    }
    return true;
}

/// Whether everything that a plan depends on is the same.
static bool same_plan(const struct draw *x, const struct draw *y)
{
    const struct wf_sw_draw *a = &x->desc, *b = &y->desc;
    if (a->vertex != b->vertex || a->fragment != b->fragment || a->flags != b->flags ||
        a->attribute_count != b->attribute_count || x->depth_test != y->depth_test ||
        x->depth_write != y->depth_write || x->stencil_test != y->stencil_test ||
        !same_blend(&a->blend, &b->blend))
        return false;
    for (uint32_t i = 0; i < a->attribute_count; i++) {
        if (a->attributes[i].location != b->attributes[i].location ||
            a->attributes[i].format != b->attributes[i].format)
            return false;
    }
    return true;
}

static int32_t clamp_to(int64_t value, int64_t low, int64_t high)
{
    return (int32_t)(value < low ? low : value > high ? high : value);
}

/// A float as a pixel bound, safe for every value.
static int64_t pixel_of(double value)
{
    if (!(value > -1e6))
        return -1000000;
    return value < 1e6 ? (int64_t)value : 1000000;
}

/// Bounds of triangles on one axis: the pixels whose samples lie between the viewport's sides.
/// Those of each sample, and of all of them.
static void plan_sides(const struct wf_sw_raster *r, struct draw *d, uint32_t axis, float start,
                       float size)
{
    const double sides[2] = {start, (double)start + size};
    const int64_t low = d->point_bounds[axis], high = d->point_bounds[axis + 2];
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t at = axis + 2 * i;
        for (uint32_t s = 0; s < r->pass.samples; s++) {
            const int32_t place = axis == 0 ? raster_sample_x(r->pass.samples, s)
                                            : raster_sample_y(r->pass.samples, s);
            const double bound = ceil(sides[i] - place * (1.0 / SUBPIXEL));
            const int32_t pixel = clamp_to(pixel_of(bound), low, high);
            const bool further = i ? pixel > d->bounds[at] : pixel < d->bounds[at];
            d->sides_cut |= s > 0 && pixel != d->bounds[at];
            d->sample_bounds[s][at] = pixel;
            if (s == 0 || further)
                d->bounds[at] = pixel;
        }
    }
}

static void plan_bounds(const struct wf_sw_raster *r, struct draw *d)
{
    const weft_rect *s = &d->desc.scissor;
    const weft_viewport *v = &d->desc.viewport;
    const int64_t w = r->pass.width, h = r->pass.height;
    d->point_bounds[0] = clamp_to(s->x, 0, w);
    d->point_bounds[1] = clamp_to(s->y, 0, h);
    d->point_bounds[2] = clamp_to((int64_t)s->x + s->width, 0, w);
    d->point_bounds[3] = clamp_to((int64_t)s->y + s->height, 0, h);
    plan_sides(r, d, 0, v->x, v->width);
    plan_sides(r, d, 1, v->y, v->height);

    d->scale[0] = v->width * 0.5f;
    d->scale[1] = -v->height * 0.5f;
    d->scale[2] = v->max_depth - v->min_depth;
    d->offset[0] = v->x + v->width * 0.5f;
    d->offset[1] = v->y + v->height * 0.5f;
    d->offset[2] = v->min_depth;
    d->depth_range[0] = fminf(v->min_depth, v->max_depth);
    d->depth_range[1] = fmaxf(v->min_depth, v->max_depth);
}

static void copy_root(struct wf_sw_resources *out, const struct wf_sw_resources *in, uint8_t *root)
{
    if (!in)
        return;
    *out = *in;
    out->root_size =
        in->root_size < WF_SW_RASTER_ROOT_BYTES ? in->root_size : WF_SW_RASTER_ROOT_BYTES;
    if (in->root)
        memcpy(root, in->root, out->root_size);
    else
        out->root_size = 0;
    out->root = root;
}

struct draw *wf_sw_raster_plan(struct wf_sw_raster *r, const struct wf_sw_draw *desc)
{
    struct draw *d = wf_base_arena_alloc_zero(&r->arena, sizeof(*d), 0);
    if (!d)
        return NULL;
    d->desc = *desc;
    if (d->desc.attribute_count > WF_SW_RASTER_ATTRIBUTES)
        d->desc.attribute_count = WF_SW_RASTER_ATTRIBUTES;
    if (d->desc.attribute_count) {
        d->desc.attributes = wf_base_arena_copy(
            &r->arena, desc->attributes, d->desc.attribute_count * sizeof(*desc->attributes));
        if (!d->desc.attributes)
            return NULL;
    }
    copy_root(&d->vertex_resources, desc->vertex_resources, d->vertex_root);
    copy_root(&d->fragment_resources, desc->fragment_resources, d->fragment_root);
    plan_bounds(r, d);
    for (uint32_t i = 0; i < r->pass.samples; i++)
        d->sample_lanes |= (desc->sample_mask >> i & 1u) * (0xfu << (4 * i));
    d->depth_test = r->depth_bits && desc->depth_stencil.depth != WEFT_COMPARE_DEFAULT;
    d->depth_write = d->depth_test && desc->depth_stencil.depth_write;
    d->stencil_test = r->pass.stencil.data && desc->depth_stencil.stencil;
    r->depth_dirty |= d->depth_write;
    r->stencil_dirty |= d->stencil_test && !desc->depth_stencil.no_stencil_write;

    if (r->last_draw && same_plan(r->last_draw, d)) {
        d->plan = r->last_draw->plan;
    } else {
        struct plan *plan = wf_base_arena_alloc_zero(&r->arena, sizeof(*plan), 0);
        if (!plan)
            return NULL;
        plan_vertex(&plan->vertex, &d->desc);
        plan_fragment(r, &plan->fragment, &d->desc, d);
        d->plan = plan;
    }
    r->last_draw = d;
    return d;
}
