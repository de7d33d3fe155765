/// Vertex fetch and shading, 64 vertices at a time.
#include "backends/software/raster/parts.h"

#include <math.h>
#include <string.h>

uint32_t wf_sw_raster_index(const struct wf_sw_draw *d, uint64_t at)
{
    if (d->index_type == WEFT_INDEX_UINT16) {
        uint16_t index = 0;
        if (at < d->index_size / sizeof(index))
            memcpy(&index, d->indices + at * sizeof(index), sizeof(index));
        return index;
    }
    uint32_t index = 0;
    if (at < d->index_size / sizeof(index))
        memcpy(&index, d->indices + at * sizeof(index), sizeof(index));
    return index;
}

/// The bytes of one element of an attribute; NULL when they are not all there.
static const uint8_t *element(const struct wf_sw_raster_attribute *a, uint32_t bytes,
                              uint32_t index)
{
    const uint64_t at = (uint64_t)index * a->stride + a->offset;
    return a->data && wf_base_range_fits(at, bytes, a->size) ? a->data + at : NULL;
}

static void fetch_words(const struct wf_sw_raster_attribute *a, const struct fetch *f,
                        const uint32_t *index, uint32_t count, uint32_t (*inputs)[LANES])
{
    for (uint32_t c = 0; c < 4; c++) {
        if (f->rows[c] < 0)
            continue;
        uint32_t *row = inputs[f->rows[c]];
        if (c >= f->components) {
            const bool integer = wf_hal_texel_is_integer(wf_hal_vertex_format_get(a->format));
            const uint32_t one = integer ? 1u : 0x3f800000u;
            for (uint32_t l = 0; l < LANES; l++)
                row[l] = c == 3 ? one : 0;
            continue;
        }
        for (uint32_t l = 0; l < count; l++) {
            const uint8_t *src = element(a, f->bytes, index[l]);
            row[l] = 0;
            if (src)
                memcpy(&row[l], src + (size_t)4 * c, 4);
        }
    }
}

static void fetch_decoded(const struct wf_sw_raster_attribute *a, const struct fetch *f,
                          const uint32_t *index, uint32_t count, uint32_t (*inputs)[LANES])
{
    const struct wf_hal_texel_codec *codec = wf_hal_vertex_format_get(a->format);
    uint8_t packed[LANES * 16];
    uint32_t words[LANES][4];
    for (uint32_t l = 0; l < count; l++) {
        const uint8_t *src = element(a, f->bytes, index[l]);
        if (src)
            memcpy(packed + (size_t)l * f->bytes, src, f->bytes);
        else
            memset(packed + (size_t)l * f->bytes, 0, f->bytes);
    }
    wf_hal_texel_decode(codec, packed, count, words);
    for (uint32_t c = 0; c < 4; c++) {
        for (uint32_t l = 0; f->rows[c] >= 0 && l < count; l++)
            inputs[f->rows[c]][l] = words[l][c];
    }
}

static uint32_t builtin_value(const struct wf_sw_draw *d, uint32_t builtin, uint32_t index,
                              uint32_t instance)
{
    switch (builtin) {
    case SpvBuiltInVertexIndex:
    case SpvBuiltInVertexId:
        return index;
    case SpvBuiltInInstanceIndex:
        return instance;
    case SpvBuiltInInstanceId:
        return instance - d->first_instance;
    case SpvBuiltInBaseVertex:
        return d->index_type == WEFT_INDEX_NONE ? d->first : (uint32_t)d->vertex_offset;
    case SpvBuiltInBaseInstance:
        return d->first_instance;
    case SpvBuiltInDrawIndex:
        return d->draw_id;
    default:
        return 0;
    }
}

static void fill_inputs(const struct draw *d, const uint32_t *index, const uint32_t *instance,
                        uint32_t count, uint32_t (*inputs)[LANES])
{
    const struct vertex_plan *p = &d->plan->vertex;
    for (uint32_t i = 0; i < p->fetch_count; i++) {
        const struct fetch *f = &p->fetches[i];
        const struct wf_sw_raster_attribute *a = &d->desc.attributes[f->attribute];
        const uint32_t *element_of = a->rate == WEFT_STEP_INSTANCE ? instance : index;
        if (f->components)
            fetch_words(a, f, element_of, count, inputs);
        else
            fetch_decoded(a, f, element_of, count, inputs);
    }
    for (uint32_t i = 0; i < p->zero_row_count; i++)
        memset(inputs[p->zero_rows[i]], 0, sizeof(inputs[0]));
    for (uint32_t i = 0; i < p->builtin_count; i++) {
        uint32_t *row = inputs[p->builtins[i].row];
        for (uint32_t l = 0; l < count; l++)
            row[l] = builtin_value(&d->desc, p->builtins[i].builtin, index[l], instance[l]);
    }
}

/// Nearest 1/256 pixel, safe for every value.
static int32_t fixed(float v)
{
    if (!(v > -GUARD - 1.0f))
        v = -GUARD - 1.0f;
    if (!(v < GUARD + 1.0f))
        v = GUARD + 1.0f;
    return (int32_t)((double)v * SUBPIXEL + 8388608.5) - 8388608;
}

static uint32_t code_of(const struct draw *d, const struct vertex *v)
{
    const float x = v->clip[0], y = v->clip[1], z = v->clip[2], w = v->clip[3];
    if (!(fabsf(x) <= 3e38f && fabsf(y) <= 3e38f && fabsf(z) <= 3e38f && fabsf(w) <= 3e38f))
        return CODE_BAD;
    uint32_t code = v->culls;
    if (!(d->desc.flags & WEFT_PIPELINE_DEPTH_CLAMP))
        code |= (z < 0 ? (uint32_t)CODE_NEAR : 0u) | (z > w ? (uint32_t)CODE_FAR : 0u);
    code |= (x < -w ? (uint32_t)CODE_LEFT : 0u) | (x > w ? (uint32_t)CODE_RIGHT : 0u);
    code |= (y < -w ? (uint32_t)CODE_BOTTOM : 0u) | (y > w ? (uint32_t)CODE_TOP : 0u);
    code |= w >= 1e-30f ? 0u : (uint32_t)CODE_W;
    for (uint32_t i = 0; i < d->plan->vertex.clip_count; i++)
        code |= v->distance[i] >= 0 ? 0u : (uint32_t)CODE_CLIP0 << i;
    return code;
}

void wf_sw_raster_project(const struct draw *d, struct vertex *v)
{
    v->code = code_of(d, v);
    if (v->code & (CODE_BAD | CODE_W))
        return;
    v->inv_w = 1.0f / v->clip[3];
    const float x = v->clip[0] * v->inv_w * d->scale[0] + d->offset[0];
    const float y = v->clip[1] * v->inv_w * d->scale[1] + d->offset[1];
    v->z = v->clip[2] * v->inv_w * d->scale[2] + d->offset[2];
    v->code |= fabsf(x) <= GUARD && fabsf(y) <= GUARD ? 0u : (uint32_t)CODE_GUARD;
    v->x = fixed(x);
    v->y = fixed(y);
}

static float output_of(const uint32_t (*outputs)[LANES], int16_t row, uint32_t lane, float fallback)
{
    if (row < 0)
        return fallback;
    float value;
    memcpy(&value, &outputs[row][lane], sizeof(value));
    return value;
}

static void take_outputs(const struct draw *d, const uint32_t (*outputs)[LANES], uint32_t count,
                         struct vertex *vertices, uint32_t *varyings)
{
    const struct vertex_plan *p = &d->plan->vertex;
    const struct fragment_plan *f = &d->plan->fragment;
    for (uint32_t l = 0; l < count; l++) {
        struct vertex *v = &vertices[l];
        for (uint32_t c = 0; c < 4; c++)
            v->clip[c] = output_of(outputs, p->position_rows[c], l, c == 3 ? 1.0f : 0.0f);
        v->point_size = output_of(outputs, p->point_size_row, l, 1.0f);
        v->layer = p->layer_row < 0 ? 0 : outputs[p->layer_row][l];
        for (uint32_t c = 0; c < p->clip_count; c++)
            v->distance[c] = output_of(outputs, p->clip_rows[c], l, 0);
        v->culls = 0;
        for (uint32_t c = 0; c < p->cull_count; c++)
            v->culls |=
                output_of(outputs, p->cull_rows[c], l, 0) < 0 ? (uint32_t)CODE_CULL0 << c : 0u;
        wf_sw_raster_project(d, v);
        v->varyings = varyings + (size_t)l * f->varying_count;
    }
    for (uint32_t i = 0; i < f->varying_count; i++) {
        const int16_t row = f->varyings[i].vertex_row;
        uint32_t *out = varyings + i;
        for (uint32_t l = 0; l < count; l++, out += f->varying_count)
            *out = row < 0 ? 0 : outputs[row][l];
    }
}

bool wf_sw_raster_shade_vertices(struct worker *w, struct draw *d)
{
    const uint32_t stride = d->plan->fragment.varying_count;
    uint32_t *varyings = wf_base_arena_alloc(
        &w->arena, (size_t)(w->vertex_count + 1) * (stride + 1) * sizeof(*varyings), 0);
    struct wf_sw_batch batch;
    if (!varyings || !wf_sw_prepare(w->context, d->desc.vertex, &batch)) {
        wf_sw_raster_fail(w->raster, WEFT_ERROR_MEMORY);
        return false;
    }
    for (uint32_t at = 0; at < w->vertex_count; at += LANES) {
        const uint32_t left = w->vertex_count - at;
        const uint32_t count = left < LANES ? left : LANES;
        // Idle lanes repeat the last vertex: their numbers are as good as any other.
        for (uint32_t l = count; l < LANES; l++) {
            w->vertex_index[at + l] = w->vertex_index[at + count - 1];
            w->vertex_instance[at + l] = w->vertex_instance[at + count - 1];
        }
        fill_inputs(d, w->vertex_index + at, w->vertex_instance + at, LANES, batch.inputs);
        batch.active = count == LANES ? UINT64_MAX : (UINT64_C(1) << count) - 1;
        batch.helpers = 0;
        batch.killed = 0;
        const enum wf_sw_result result =
            wf_sw_run(w->context, d->desc.vertex, &d->vertex_resources, &batch);
        if (result != WF_SW_OK) {
            wf_sw_raster_stop(w->raster, d, result);
            return false;
        }
        take_outputs(d, batch.outputs, count, w->vertices + at, varyings + (size_t)at * stride);
    }
    w->batch->vertices_shaded += w->vertex_count;
    return true;
}
