// Render passes and draws: recorded state becomes what the rasterizer is told.
#include <string.h>

#include "backends/software/execute.h"
#include "base/bits.h"
#include "hal/format.h"

// ---- passes ------------------------------------------------------------------------------------

static struct wf_sw_raster_plane plane_of(const struct wf_hal_texture_view *hal,
                                          weft_aspect_set aspect)
{
    if (!hal)
        return (struct wf_sw_raster_plane){0};
    const struct wf_sw_view *view = &((const struct wf_sw_texture_view *)hal)->view;
    const struct wf_sw_plane *plane = wf_sw_image_plane(view->image, aspect);
    if (!plane)
        return (struct wf_sw_raster_plane){0};
    const struct wf_sw_mip *mip = &plane->mips[view->mip];
    return (struct wf_sw_raster_plane){
        .data = wf_sw_image_row(view->image, plane, view->mip, view->layer, 0, 0),
        .row_bytes = mip->row_bytes,
        .layer_bytes = mip->slice_bytes,
        .sample_bytes = mip->sample_bytes,
        .format = aspect == WEFT_ASPECT_COLOR
                      ? view->format
                      : wf_hal_format_of_aspect(view->image->format, aspect),
    };
}

static struct wf_sw_raster_pass raster_pass(const struct wf_hal_render_pass *pass)
{
    struct wf_sw_raster_pass out = {
        .depth = plane_of(pass->depth_stencil, WEFT_ASPECT_DEPTH),
        .stencil = plane_of(pass->depth_stencil, WEFT_ASPECT_STENCIL),
        .depth_load = pass->depth_load,
        .stencil_load = pass->stencil_load,
        .depth_store = pass->depth_store,
        .stencil_store = pass->stencil_store,
        .clear_depth = pass->clear_depth,
        .clear_stencil = pass->clear_stencil,
        .width = pass->width,
        .height = pass->height,
        .samples = pass->samples,
        .layers = pass->layers,
    };
    // What is only read may be sampled at the same time: not even the same bits are written.
    if (pass->read_only & WEFT_ASPECT_DEPTH)
        out.depth_store = WEFT_STORE_DISCARD;
    if (pass->read_only & WEFT_ASPECT_STENCIL)
        out.stencil_store = WEFT_STORE_DISCARD;
    for (uint32_t i = 0; i < WF_HAL_MAX_COLORS; i++) {
        const struct wf_hal_color_attachment *color = &pass->colors[i];
        out.colors[i] = (struct wf_sw_raster_color){
            .plane = plane_of(color->view, WEFT_ASPECT_COLOR),
            .resolve = plane_of(color->resolve, WEFT_ASPECT_COLOR),
            .load = color->load,
            .store = color->store,
            .clear = color->clear,
        };
    }
    return out;
}

static void begin_render(struct wf_sw_executor *ex, const struct wf_sw_rec_begin_render *rec)
{
    const struct wf_hal_render_pass *pass = &rec->pass;
    wf_sw_execute_begin_encoder(ex, pass->times ? wf_sw_query_pool(pass->times) : NULL,
                                pass->time_begin, pass->time_end);
    ex->rendering = true;
    ex->draw = (struct wf_sw_draw){.vertex_resources = &ex->resources[0],
                                   .fragment_resources = &ex->resources[1],
                                   .attributes = ex->attributes};
    ex->read_only = pass->read_only;
    ex->occlusion = pass->occlusion ? wf_sw_query_pool(pass->occlusion) : NULL;
    memset(ex->streams, 0, sizeof ex->streams);
    ex->indices = (struct wf_sw_stream){0};
    ex->pass++;
    ex->label = rec->label;
    const struct wf_sw_raster_pass raster = raster_pass(pass);
    const weft_result result = wf_sw_raster_begin(ex->raster, &raster);
    if (result == WEFT_OK)
        return;
    ex->rendering = false;
    wf_sw_execute_fail(ex, result, "render pass", ex->label);
}

static void end_render(struct wf_sw_executor *ex)
{
    if (!ex->rendering)
        return; // lost before, or while it began
    const weft_result result = wf_sw_raster_end(ex->raster);
    ex->rendering = false;
    wf_sw_execute_tell(ex);
    wf_sw_execute_end_encoder(ex);
    const char *stopped = wf_sw_raster_stopped(ex->raster);
    if (result == WEFT_ERROR_LOST && stopped)
        wf_sw_execute_fail(ex, result, "graphics pipeline", stopped);
    else if (result != WEFT_OK)
        wf_sw_execute_fail(ex, result, "render pass", ex->label);
}

// ---- state -------------------------------------------------------------------------------------

static void set_depth_stencil(struct wf_sw_executor *ex, const struct wf_sw_rec_depth_stencil *rec)
{
    weft_depth_stencil_state *state = &ex->draw.depth_stencil;
    *state = rec->state;
    if (ex->read_only & WEFT_ASPECT_DEPTH)
        state->depth_write = false;
    if (ex->read_only & WEFT_ASPECT_STENCIL)
        state->no_stencil_write = true;
}

static struct wf_sw_stream stream_of(const struct wf_sw_rec_buffer *rec)
{
    const uint64_t size = rec->buf->base.size;
    if (rec->offset >= size)
        return (struct wf_sw_stream){0};
    return (struct wf_sw_stream){rec->buf->memory + rec->offset, size - rec->offset};
}

static void set_vertex_buffer(struct wf_sw_executor *ex, const struct wf_sw_rec_buffer *rec)
{
    if (rec->slot >= WF_SW_VERTEX_STREAMS)
        return;
    ex->streams[rec->slot] = stream_of(rec);
    ex->attributes_stale = true;
}

static void set_index_buffer(struct wf_sw_executor *ex, const struct wf_sw_rec_buffer *rec)
{
    ex->indices = stream_of(rec);
    ex->index_type = rec->type;
}

// ---- draws -------------------------------------------------------------------------------------

// Brings the pipeline's part of the draw up to date.
static void prepare(struct wf_sw_executor *ex)
{
    const struct wf_sw_pipeline *pipeline = ex->pipeline;
    if (!ex->attributes_stale)
        return;
    struct wf_sw_draw *draw = &ex->draw;
    draw->vertex = pipeline->vertex;
    draw->fragment = pipeline->fragment;
    draw->attribute_count = pipeline->attribute_count;
    for (uint32_t i = 0; i < pipeline->attribute_count; i++) {
        const struct wf_sw_stream *stream = &ex->streams[pipeline->slots[i]];
        ex->attributes[i] = pipeline->attributes[i];
        ex->attributes[i].data = stream->data;
        ex->attributes[i].size = stream->size;
    }
    draw->restart = pipeline->restart;
    draw->topology = pipeline->topology;
    draw->flags = pipeline->flags;
    draw->serial = pipeline->serial;
    draw->sample_mask = pipeline->sample_mask;
    draw->label = pipeline->label;
    ex->attributes_stale = false;
}

static void draw(struct wf_sw_executor *ex, const struct wf_sw_rec_draw *what, bool indexed,
                 uint32_t draw_id)
{
    struct wf_sw_draw *out = &ex->draw;
    if (what->count == 0 || what->instance_count == 0 || !ex->rendering || !ex->pipeline ||
        !ex->pipeline->vertex)
        return;
    const uint64_t vertices = (uint64_t)what->count * what->instance_count;
    if (!wf_sw_execute_ends(ex, vertices))
        return;
    prepare(ex);
    out->index_type = indexed ? ex->index_type : WEFT_INDEX_NONE;
    out->indices = indexed ? ex->indices.data : NULL;
    out->index_size = indexed ? ex->indices.size : 0;
    out->first = what->first;
    out->count = what->count;
    out->vertex_offset = what->vertex_offset;
    out->first_instance = what->first_instance;
    out->instance_count = what->instance_count;
    out->draw_id = draw_id;
    wf_sw_raster_draw(ex->raster, out); // the first failure comes up at the end of the pass
}

static uint32_t indirect_count(const struct wf_hal_indirect *draws)
{
    if (!draws->count_buffer)
        return draws->max_count;
    const struct wf_sw_buffer *buf = wf_sw_buffer(draws->count_buffer);
    uint32_t count = 0;
    if (wf_base_range_fits(draws->count_offset, sizeof count, buf->base.size))
        memcpy(&count, buf->memory + draws->count_offset, sizeof count);
    return wf_base_min_u32(count, draws->max_count);
}

// Each draw's own root block, as both stages see it; what is not there is zero.
static void load_root(struct wf_sw_executor *ex, weft_gpu_ptr address)
{
    uint64_t available = 0;
    const uint8_t *data = wf_sw_arena_resolve(&ex->dev->arena, address, 1, &available);
    const size_t bytes = (size_t)wf_base_min_u64(available, WF_SW_ROOT_BYTES);
    memset(ex->root, 0, sizeof ex->root);
    for (uint32_t i = 0; data && i < 2; i++)
        memcpy(ex->root[i], data, bytes);
}

static struct wf_sw_rec_draw read_args(const uint8_t *at, bool indexed)
{
    struct wf_sw_rec_draw what = {.vertex_offset = 0};
    if (indexed) {
        weft_draw_indexed_indirect_args args;
        memcpy(&args, at, sizeof args);
        what.count = args.index_count;
        what.instance_count = args.instance_count;
        what.first = args.first_index;
        what.vertex_offset = args.vertex_offset;
        what.first_instance = args.first_instance;
    } else {
        weft_draw_indirect_args args;
        memcpy(&args, at, sizeof args);
        what.count = args.vertex_count;
        what.instance_count = args.instance_count;
        what.first = args.first_vertex;
        what.first_instance = args.first_instance;
    }
    return what;
}

static void draw_indirect(struct wf_sw_executor *ex, const struct wf_hal_indirect *draws,
                          bool indexed)
{
    const struct wf_sw_buffer *buf = wf_sw_buffer(draws->buffer);
    const uint64_t bytes =
        indexed ? sizeof(weft_draw_indexed_indirect_args) : sizeof(weft_draw_indirect_args);
    const uint32_t count = indirect_count(draws);
    uint8_t root[2][WF_SW_ROOT_BYTES];
    memcpy(root, ex->root, sizeof root);
    for (uint32_t i = 0; i < count && !atomic_load(&ex->dev->queue.lost); i++) {
        const uint64_t offset = draws->offset + (uint64_t)i * draws->stride;
        if (!wf_base_range_fits(offset, bytes, buf->base.size))
            break;
        const struct wf_sw_rec_draw what = read_args(buf->memory + offset, indexed);
        if (draws->root_stride)
            load_root(ex, draws->root_base + (uint64_t)i * draws->root_stride);
        draw(ex, &what, indexed, i);
    }
    memcpy(ex->root, root, sizeof root);
}

// ---- queries -----------------------------------------------------------------------------------

// The query's counters, zeroed. Draws of this pass that still count into them come first.
static uint64_t *begin_query(struct wf_sw_executor *ex, struct wf_sw_query_pool *pool,
                             uint32_t query)
{
    if (!pool || query >= pool->base.count || !ex->rendering)
        return NULL;
    if (pool->passes[query] == ex->pass)
        wf_sw_raster_flush(ex->raster);
    pool->passes[query] = ex->pass;
    uint64_t *values = pool->values + (size_t)query * pool->words;
    memset(values, 0, pool->words * sizeof *values);
    return values;
}

static void begin_statistics(struct wf_sw_executor *ex, const struct wf_sw_rec_number *rec)
{
    if (rec->pool->base.kind != WEFT_QUERY_STATISTICS)
        return;
    // The structure is seven uint64, in the order of the query's words.
    ex->draw.statistics = (weft_pipeline_statistics *)begin_query(ex, rec->pool, rec->number);
}

// ---- the walk ----------------------------------------------------------------------------------

bool wf_sw_execute_render(struct wf_sw_executor *ex, const struct wf_sw_record *rec)
{
    const void *at = rec;
    struct wf_sw_draw *out = &ex->draw;
    switch ((enum wf_sw_op)rec->op) {
    case WF_SW_OP_BEGIN_RENDER:
        begin_render(ex, at);
        return true;
    case WF_SW_OP_END_RENDER:
        end_render(ex);
        return true;
    case WF_SW_OP_SET_DEPTH_STENCIL:
        set_depth_stencil(ex, at);
        return true;
    case WF_SW_OP_SET_BLEND:
        out->blend = ((const struct wf_sw_rec_blend *)at)->state;
        return true;
    case WF_SW_OP_SET_RASTER:
        out->raster = ((const struct wf_sw_rec_raster *)at)->state;
        return true;
    case WF_SW_OP_SET_VIEWPORT:
        out->viewport = ((const struct wf_sw_rec_viewport *)at)->viewport;
        return true;
    case WF_SW_OP_SET_SCISSOR:
        out->scissor = ((const struct wf_sw_rec_scissor *)at)->rect;
        return true;
    case WF_SW_OP_SET_STENCIL_REFERENCE:
        out->stencil_reference = ((const struct wf_sw_rec_number *)at)->number;
        return true;
    case WF_SW_OP_SET_BLEND_CONSTANT:
        memcpy(out->blend_constant, ((const struct wf_sw_rec_blend_constant *)at)->color,
               sizeof out->blend_constant);
        return true;
    case WF_SW_OP_SET_VERTEX_BUFFER:
        set_vertex_buffer(ex, at);
        return true;
    case WF_SW_OP_SET_INDEX_BUFFER:
        set_index_buffer(ex, at);
        return true;
    case WF_SW_OP_DRAW:
        draw(ex, at, false, 0);
        return true;
    case WF_SW_OP_DRAW_INDEXED:
        draw(ex, at, true, 0);
        return true;
    case WF_SW_OP_DRAW_INDIRECT:
        draw_indirect(ex, &((const struct wf_sw_rec_indirect *)at)->draws, false);
        return true;
    case WF_SW_OP_DRAW_INDEXED_INDIRECT:
        draw_indirect(ex, &((const struct wf_sw_rec_indirect *)at)->draws, true);
        return true;
    case WF_SW_OP_BEGIN_OCCLUSION:
        out->occlusion =
            begin_query(ex, ex->occlusion, ((const struct wf_sw_rec_number *)at)->number);
        return true;
    case WF_SW_OP_END_OCCLUSION:
        out->occlusion = NULL;
        return true;
    case WF_SW_OP_BEGIN_STATISTICS:
        begin_statistics(ex, at);
        return true;
    case WF_SW_OP_END_STATISTICS:
        out->statistics = NULL;
        return true;
    default:
        return false;
    }
}
