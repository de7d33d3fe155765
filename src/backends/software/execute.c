#include "backends/software/execute.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bits.h"

#define MAX_GROUPS 65535u              // as the limit says
#define MAX_WORK   (UINT64_C(1) << 36) // vertices and groups of one command

static bool find_span(const void *arena, uint64_t address, struct wf_sw_span *out)
{
    out->data = wf_sw_arena_find(arena, address, &out->address, &out->size);
    return out->data != NULL;
}

struct wf_sw_executor *wf_sw_executor_create(struct wf_sw_device *dev)
{
    struct wf_sw_executor *ex = wf_base_alloc_zero(dev->base.allocator, sizeof *ex);
    if (!ex)
        return NULL;
    ex->dev = dev;
    wf_base_arena_init(&ex->scratch, dev->base.allocator, 0, 0);
    if (!wf_sw_trace_init(&ex->trace, dev->base.allocator)) {
        wf_base_free(dev->base.allocator, ex, sizeof *ex);
        return NULL;
    }
    ex->raster = wf_sw_raster_create(dev->tasks, dev->base.allocator);
    if (!ex->raster) {
        wf_sw_executor_destroy(ex);
        return NULL;
    }
    return ex;
}

void wf_sw_executor_destroy(struct wf_sw_executor *ex)
{
    wf_sw_raster_destroy(ex->raster);
    for (uint32_t i = 0; i < WF_BASE_TASKS_MAX; i++)
        wf_sw_context_destroy(ex->contexts[i]);
    wf_base_arena_finish(&ex->scratch);
    wf_sw_trace_finish(&ex->trace);
    wf_base_free(ex->dev->base.allocator, ex, sizeof *ex);
}

void wf_sw_execute_fail(struct wf_sw_executor *ex, weft_result result, const char *kind,
                        const char *label)
{
    char reason[WF_HAL_REASON_LENGTH];
    if (result == WEFT_ERROR_LOST)
        (void)snprintf(reason, sizeof reason,
                       "a shader of %s \"%s\" was stopped after %" PRIu64
                       " instructions per invocation",
                       kind, label, ex->dev->budget);
    else if (result == WEFT_ERROR_MEMORY)
        (void)snprintf(reason, sizeof reason, "the host's memory was exhausted in %s \"%s\"", kind,
                       label);
    else
        (void)snprintf(reason, sizeof reason, "%s \"%s\" failed with result %d", kind, label,
                       result);
    wf_sw_queue_lose(ex->dev, reason);
}

bool wf_sw_execute_ends(struct wf_sw_executor *ex, uint64_t count)
{
    const bool compute = ex->pipeline->compute != NULL;
    if (count <= MAX_WORK - ex->work) {
        ex->work += count;
        return true;
    }
    char reason[WF_HAL_REASON_LENGTH];
    (void)snprintf(reason, sizeof reason,
                   "%s pipeline \"%s\" was to work on %" PRIu64
                   " %s, after the same commands' %" PRIu64 ", which does not end",
                   compute ? "compute" : "graphics", ex->pipeline->label, count,
                   compute ? "groups" : "vertices", ex->work);
    wf_sw_queue_lose(ex->dev, reason);
    return false;
}

static void write_time(struct wf_sw_query_pool *pool, uint32_t query)
{
    if (pool && query < pool->base.count) // UINT32_MAX: no query
        pool->values[query] = wf_base_clock_ns();
}

void wf_sw_execute_begin_encoder(struct wf_sw_executor *ex, struct wf_sw_query_pool *times,
                                 uint32_t time_begin, uint32_t time_end)
{
    struct wf_sw_device *dev = ex->dev;
    ex->pipeline = NULL;
    ex->times = times;
    ex->time_end = time_end;
    memset(ex->root, 0, sizeof ex->root);
    for (uint32_t i = 0; i < 2; i++) {
        ex->resources[i] = (struct wf_sw_resources){
            .root = ex->root[i],
            .root_size = WF_SW_ROOT_BYTES,
            .resolve = find_span,
            .arena = &dev->arena,
            .trace = dev->base.touched ? &ex->trace : NULL,
        };
        ex->resources[i].sets[WF_SW_SETS - 1] =
            (struct wf_sw_table){dev->heap, dev->heap_ranges, 3};
    }
    write_time(times, time_begin);
}

void wf_sw_execute_end_encoder(struct wf_sw_executor *ex)
{
    wf_base_arena_reset(&ex->scratch);
    write_time(ex->times, ex->time_end);
    ex->times = NULL;
}

static struct wf_hal_touch touch_of(const struct wf_sw_touch *t)
{
    struct wf_hal_touch touch = {
        .stage = t->model == SpvExecutionModelGLCompute  ? WEFT_SHADER_STAGE_COMPUTE
                 : t->model == SpvExecutionModelFragment ? WEFT_SHADER_STAGE_FRAGMENT
                                                         : WEFT_SHADER_STAGE_VERTEX,
        .write = t->kind != WF_SW_TOUCH_READ,
        .atomic = t->kind == WF_SW_TOUCH_ATOMIC,
        .address = t->address,
        .size = t->size,
    };
    if (t->view) {
        const char *view = (const char *)t->view;
        touch.view = (const void *)(view - offsetof(struct wf_sw_texture_view, view));
    }
    return touch;
}

void wf_sw_execute_tell(struct wf_sw_executor *ex)
{
    void (*const tell)(const struct wf_hal_command *, const struct wf_hal_touch *) =
        ex->dev->base.touched;
    if (!tell)
        return;
    uint32_t count;
    const struct wf_sw_touch *touches = wf_sw_trace_take(&ex->trace, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct wf_hal_touch touch = touch_of(&touches[i]);
        tell(&ex->command->base, &touch);
    }
    tell(&ex->command->base, NULL);
}

// ---- bindings ----------------------------------------------------------------------------------

// A copy of the table's elements with offsets applied; NULL when out of memory.
static struct wf_sw_binding *apply_offsets(struct wf_sw_executor *ex,
                                           const struct wf_sw_rec_table *rec)
{
    const struct wf_hal_layout *layout = rec->table->base.layout;
    struct wf_sw_binding *elements = wf_base_arena_copy(&ex->scratch, rec->table->elements,
                                                        layout->element_count * sizeof *elements);
    uint32_t used = 0;
    for (uint32_t i = 0; elements && i < layout->argument_count; i++) {
        const struct wf_hal_argument *argument = &layout->arguments[i];
        for (uint32_t k = 0; argument->flags & WEFT_ARGUMENT_DYNAMIC && k < argument->count; k++) {
            const uint32_t at = argument->first_element + k;
            const uint32_t offset = rec->offsets[used++];
            const uint64_t room = rec->table->room[at];
            struct wf_sw_binding *element = &elements[at];
            if (offset >= room) {
                *element = (struct wf_sw_binding){0};
                continue;
            }
            element->data += offset;
            element->size = wf_base_min_u64(element->size, room - offset);
        }
    }
    return elements;
}

static void set_table(struct wf_sw_executor *ex, const struct wf_sw_rec_table *rec)
{
    const struct wf_sw_layout *layout = (const struct wf_sw_layout *)rec->table->base.layout;
    struct wf_sw_table table = {rec->table->elements, layout->ranges, layout->range_count};
    if (rec->offset_count) {
        table.elements = apply_offsets(ex, rec);
        if (!table.elements) {
            char slot[12];
            (void)snprintf(slot, sizeof slot, "%u", rec->slot);
            table = (struct wf_sw_table){0};
            wf_sw_execute_fail(ex, WEFT_ERROR_MEMORY, "argument slot", slot);
        }
    }
    ex->resources[0].sets[rec->slot] = ex->resources[1].sets[rec->slot] = table;
}

static void set_root(struct wf_sw_executor *ex, const struct wf_sw_rec_root *rec)
{
    const weft_shader_stages fragment = WEFT_SHADER_STAGE_FRAGMENT;
    if (rec->stages != fragment)
        memcpy(ex->root[0] + rec->offset, rec->data, rec->size);
    if (!rec->stages || rec->stages & fragment)
        memcpy(ex->root[1] + rec->offset, rec->data, rec->size);
}

// ---- dispatches --------------------------------------------------------------------------------

struct dispatch {
    struct wf_sw_executor *ex;
    uint32_t groups[3];
    uint64_t group_count, per_item;
    atomic_int result; ///< enum wf_sw_result; the worst.
};

static struct wf_sw_context *context_of(struct wf_sw_executor *ex, uint32_t worker)
{
    if (!ex->contexts[worker])
        ex->contexts[worker] = wf_sw_context_create(ex->dev->base.allocator);
    return ex->contexts[worker];
}

static void run_groups(void *user, uint32_t item, uint32_t worker)
{
    struct dispatch *dispatch = user;
    struct wf_sw_executor *ex = dispatch->ex;
    struct wf_sw_context *context = context_of(ex, worker);
    const uint64_t first = item * dispatch->per_item;
    const uint64_t end = wf_base_min_u64(first + dispatch->per_item, dispatch->group_count);
    const uint32_t *groups = dispatch->groups;
    for (uint64_t at = first; at < end && atomic_load(&dispatch->result) == WF_SW_OK; at++) {
        const uint32_t id[3] = {(uint32_t)(at % groups[0]), (uint32_t)(at / groups[0] % groups[1]),
                                (uint32_t)(at / groups[0] / groups[1])};
        const enum wf_sw_result result =
            context ? wf_sw_run_group(context, ex->pipeline->compute, &ex->resources[0], id, groups)
                    : WF_SW_MEMORY;
        if (result != WF_SW_OK)
            atomic_store(&dispatch->result, (int)result);
    }
}

static void run_dispatch(struct wf_sw_executor *ex, const uint32_t groups[3])
{
    struct dispatch dispatch = {.ex = ex, .groups = {groups[0], groups[1], groups[2]}};
    if (!ex->pipeline || !ex->pipeline->compute)
        return;
    if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0 || groups[0] > MAX_GROUPS ||
        groups[1] > MAX_GROUPS || groups[2] > MAX_GROUPS)
        return;
    atomic_init(&dispatch.result, WF_SW_OK);
    dispatch.group_count = (uint64_t)groups[0] * groups[1] * groups[2];
    if (!wf_sw_execute_ends(ex, dispatch.group_count))
        return;
    // Enough items that workers who finish early find more, few enough to be worth handing out.
    const uint64_t items =
        ex->pipeline->serial ? 1 : 16u * (uint64_t)wf_base_tasks_count(ex->dev->tasks);
    dispatch.per_item = wf_base_div_up(dispatch.group_count, items);
    wf_base_tasks_run(ex->dev->tasks, run_groups, &dispatch,
                      (uint32_t)wf_base_div_up(dispatch.group_count, dispatch.per_item));
    const int result = atomic_load(&dispatch.result);
    if (result != WF_SW_OK)
        wf_sw_execute_fail(ex, result == WF_SW_MEMORY ? WEFT_ERROR_MEMORY : WEFT_ERROR_LOST,
                           "compute pipeline", ex->pipeline->label);
}

static void dispatch_indirect(struct wf_sw_executor *ex, const struct wf_sw_rec_buffer *rec)
{
    uint32_t groups[3];
    if (!wf_base_range_fits(rec->offset, sizeof groups, rec->buf->base.size))
        return;
    memcpy(groups, rec->buf->memory + rec->offset, sizeof groups);
    run_dispatch(ex, groups);
}

// ---- copies ------------------------------------------------------------------------------------

static void copy_buffer(const struct wf_sw_rec_copy_buffer *rec)
{
    if (wf_base_range_fits(rec->src_offset, rec->size, rec->src->base.size) &&
        wf_base_range_fits(rec->dst_offset, rec->size, rec->dst->base.size))
        memmove(rec->dst->memory + rec->dst_offset, rec->src->memory + rec->src_offset,
                (size_t)rec->size);
}

static struct wf_sw_bytes bytes_of(const struct wf_sw_rec_copy_texels *rec)
{
    return (struct wf_sw_bytes){
        .data = rec->buf->memory,
        .size = rec->buf->base.size,
        .layout = {.offset = rec->layout.offset,
                   .row_bytes = (uint32_t)rec->layout.row_bytes,
                   .slice_rows = (uint32_t)rec->layout.slice_rows},
    };
}

static void copy_texels(const struct wf_sw_rec_copy_texels *rec, bool to_texture)
{
    const struct wf_sw_bytes bytes = bytes_of(rec);
    // What leaves the texture or the buffer is not done: with validation off core does not look.
    if (to_texture)
        (void)wf_sw_image_copy_from_bytes(&rec->tex->image, &rec->region, &bytes);
    else
        (void)wf_sw_image_copy_to_bytes(&rec->tex->image, &rec->region, &bytes);
}

static void copy_texture(const struct wf_sw_rec_copy_texture *rec)
{
    (void)wf_sw_image_copy(&rec->src->image, &rec->src_region, &rec->dst->image, &rec->dst_region);
}

static void fill_buffer(const struct wf_sw_rec_fill *rec)
{
    if (!wf_base_range_fits(rec->offset, rec->size, rec->buf->base.size))
        return;
    uint8_t *data = rec->buf->memory + rec->offset;
    const uint32_t byte = rec->value & 0xff;
    if (rec->value == byte * 0x01010101u) {
        memset(data, (int)byte, (size_t)rec->size);
        return;
    }
    for (uint64_t i = 0; i + sizeof rec->value <= rec->size; i += sizeof rec->value)
        memcpy(data + i, &rec->value, sizeof rec->value);
}

static void resolve_queries(const struct wf_sw_rec_resolve_queries *rec)
{
    const size_t words = (size_t)rec->count * rec->pool->words;
    if (wf_base_range_fits(rec->first, rec->count, rec->pool->base.count) &&
        wf_base_range_fits(rec->offset, words * sizeof(uint64_t), rec->buf->base.size))
        memcpy(rec->buf->memory + rec->offset,
               rec->pool->values + (size_t)rec->first * rec->pool->words, words * sizeof(uint64_t));
}

// ---- mips --------------------------------------------------------------------------------------

#define MIP_ROWS 64u // of one item

struct mip_job {
    struct wf_sw_image *image;
    uint32_t mip, rows, chunks; ///< Chunks of one layer.
};

static void make_mip_rows(void *user, uint32_t item, uint32_t worker)
{
    const struct mip_job *job = user;
    const uint32_t y = item % job->chunks * MIP_ROWS;
    (void)worker;
    wf_sw_image_make_mip(job->image, job->mip, item / job->chunks, y,
                         wf_base_min_u32(y + MIP_ROWS, job->rows));
}

static void generate_mips(struct wf_sw_executor *ex, struct wf_sw_texture *tex)
{
    struct mip_job job = {.image = &tex->image};
    for (job.mip = 1; job.mip < tex->image.mips; job.mip++) {
        job.rows = tex->image.main.mips[job.mip].height;
        job.chunks = (uint32_t)wf_base_div_up(job.rows, MIP_ROWS);
        wf_base_tasks_run(ex->dev->tasks, make_mip_rows, &job, tex->image.layers * job.chunks);
    }
}

// ---- the walk ----------------------------------------------------------------------------------

static void write_heap(struct wf_sw_executor *ex, const struct wf_sw_rec_write_heap *rec)
{
    wf_sw_heap_write(&ex->dev->base, rec->kind, rec->index, rec->view, rec->sampler);
}

static void write_timestamp(struct wf_sw_executor *ex, const struct wf_sw_rec_timestamp *rec)
{
    if (ex->rendering)
        wf_sw_raster_flush(ex->raster); // a failure comes up at the end of the pass
    write_time(rec->pool, rec->query);
}

static void begin_compute(struct wf_sw_executor *ex, const struct wf_sw_rec_begin_compute *rec)
{
    wf_sw_execute_begin_encoder(ex, rec->times, rec->time_begin, rec->time_end);
}

static void run_record(struct wf_sw_executor *ex, const struct wf_sw_record *rec)
{
    const void *at = rec;
    if (wf_sw_execute_render(ex, rec))
        return;
    switch ((enum wf_sw_op)rec->op) {
    case WF_SW_OP_WRITE_TIMESTAMP:
        write_timestamp(ex, at);
        break;
    case WF_SW_OP_RESOLVE_QUERIES:
        resolve_queries(at);
        break;
    case WF_SW_OP_SET_PIPELINE:
        ex->pipeline = ((const struct wf_sw_rec_pipeline *)at)->pipeline;
        ex->attributes_stale = true;
        break;
    case WF_SW_OP_SET_TABLE:
        set_table(ex, at);
        break;
    case WF_SW_OP_SET_ROOT:
        set_root(ex, at);
        break;
    case WF_SW_OP_BEGIN_COMPUTE:
        begin_compute(ex, at);
        break;
    case WF_SW_OP_END_COMPUTE:
        wf_sw_execute_end_encoder(ex);
        break;
    case WF_SW_OP_DISPATCH:
        run_dispatch(ex, ((const struct wf_sw_rec_dispatch *)at)->groups);
        wf_sw_execute_tell(ex);
        break;
    case WF_SW_OP_DISPATCH_INDIRECT:
        dispatch_indirect(ex, at);
        wf_sw_execute_tell(ex);
        break;
    case WF_SW_OP_COPY_BUFFER:
        copy_buffer(at);
        break;
    case WF_SW_OP_COPY_BUFFER_TO_TEXTURE:
        copy_texels(at, true);
        break;
    case WF_SW_OP_COPY_TEXTURE_TO_BUFFER:
        copy_texels(at, false);
        break;
    case WF_SW_OP_COPY_TEXTURE:
        copy_texture(at);
        break;
    case WF_SW_OP_FILL_BUFFER:
        fill_buffer(at);
        break;
    case WF_SW_OP_GENERATE_MIPS:
        generate_mips(ex, ((const struct wf_sw_rec_generate_mips *)at)->tex);
        break;
    case WF_SW_OP_WRITE_HEAP:
        write_heap(ex, at);
        break;
    default:
        assert(!"a record that nobody carries out");
        break;
    }
}

void wf_sw_execute(struct wf_sw_executor *ex, const struct wf_sw_command *cmd)
{
    ex->work = 0;
    ex->command = cmd;
    for (const struct wf_sw_chunk *chunk = cmd->first; chunk; chunk = chunk->next) {
        for (uint32_t at = 0; at < chunk->used;) {
            const struct wf_sw_record *rec = (const void *)(chunk->data + at);
            // Once lost, only what closes an open pass matters.
            if (!atomic_load_explicit(&ex->dev->queue.lost, memory_order_relaxed) ||
                rec->op == WF_SW_OP_END_RENDER || rec->op == WF_SW_OP_END_COMPUTE)
                run_record(ex, rec);
            at += rec->bytes;
        }
    }
}
