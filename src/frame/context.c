#include "frame/context.h"

#define MATERIAL_CAPACITY (1u << 20)

/// Under its address the context is attached to the device.
static const char context_key;

static void *device_alloc(void *user, size_t size, size_t align)
{
    (void)align; // weft_device_alloc() aligns for every standard type; nothing here asks for more
    return weft_device_alloc(user, size);
}

static void device_free(void *user, void *ptr, size_t size)
{
    weft_device_free(user, ptr, size);
}

static void arrays_init(struct weft_frame *frame)
{
    wf_frame_array_init(&frame->targets, sizeof(struct wf_frame_target));
    wf_frame_array_init(&frame->passes, sizeof(struct wf_frame_pass));
    wf_frame_array_init(&frame->layers, sizeof(struct wf_frame_layer));
    wf_frame_array_init(&frame->clips, sizeof(struct wf_frame_clip));
    wf_frame_array_init(&frame->packets, sizeof(struct wf_frame_packet));
    wf_frame_array_init(&frame->tape, sizeof(uint64_t));
    wf_frame_array_init(&frame->diagnostics, sizeof(weft_frame_diagnostic));
    wf_frame_array_init(&frame->looks, sizeof(struct wf_frame_look));
    wf_frame_array_init(&frame->lanes, sizeof(struct wf_frame_lane));
    wf_frame_array_init(&frame->places, sizeof(struct wf_frame_place));
    wf_frame_array_init(&frame->sort, sizeof(struct wf_base_sort_item));
    wf_frame_array_init(&frame->sort_scratch, sizeof(struct wf_base_sort_item));
    wf_frame_array_init(&frame->order, sizeof(uint32_t));
    wf_frame_array_init(&frame->steps, sizeof(struct wf_frame_step));
    wf_frame_array_init(&frame->uses, sizeof(struct wf_frame_use));
    wf_frame_array_init(&frame->histories, sizeof(struct wf_frame_history));
    wf_frame_array_init(&frame->barriers, sizeof(struct wf_frame_barrier));
    wf_frame_array_init(&frame->causes, sizeof(struct wf_frame_cause));
    wf_frame_array_init(&frame->report_packets, sizeof(weft_packet_report));
    wf_frame_array_init(&frame->report_layers, sizeof(weft_layer_report));
    wf_frame_array_init(&frame->report_passes, sizeof(weft_pass_report));
    wf_frame_array_init(&frame->report_barriers, sizeof(weft_barrier_report));
    wf_frame_array_init(&frame->report_targets, sizeof(weft_target_report));
    wf_frame_array_init(&frame->report_accesses, sizeof(weft_access_report));
}

static void frame_finish(struct weft_frame *frame)
{
    struct wf_frame_array *const arrays[] = {
        &frame->targets,       &frame->passes,         &frame->layers,
        &frame->clips,         &frame->packets,        &frame->tape,
        &frame->diagnostics,   &frame->looks,          &frame->lanes,
        &frame->places,        &frame->sort,           &frame->sort_scratch,
        &frame->order,         &frame->steps,          &frame->uses,
        &frame->histories,     &frame->barriers,       &frame->report_packets,
        &frame->report_layers, &frame->report_passes,  &frame->report_barriers,
        &frame->causes,        &frame->report_targets, &frame->report_accesses,
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        wf_frame_array_finish(&frame->context->allocator, arrays[i]);
    wf_base_map_finish(&frame->seen);
    wf_base_map_finish(&frame->touched);
    wf_base_map_finish(&frame->ranks);
    wf_base_arena_finish(&frame->arena);
    weft_query_pool_destroy(frame->device, frame->timers);
}

/// Frees what materials own beside their slot.
static void materials_finish(struct wf_frame_context *context)
{
    struct wf_base_handle h = {0, 0};
    while ((h = wf_base_pool_next(&context->materials, h.index)).index) {
        struct wf_frame_material *material = wf_base_pool_hot(&context->materials, h);
        wf_base_free(&context->allocator, material->accesses,
                     material->access_count * sizeof(weft_access));
    }
    wf_base_pool_finish(&context->materials);
}

static void context_destroy(weft_device *device, void *data)
{
    struct wf_frame_context *context = data;
    if (context->frame.open)
        wf_frame_broken_device(device, WEFT_RULE_OBJECT_LEAKED, context->frame.label,
                               "The frame \"%s\" was neither submitted nor cancelled.",
                               context->frame.label);
    wf_frame_builtin_finish(context);
    wf_base_map_finish(&context->quad_views);
    wf_frame_transients_finish(context);
    frame_finish(&context->frame);
    materials_finish(context);
    wf_frame_array_finish(&context->allocator, &context->transients);
    wf_frame_array_finish(&context->allocator, &context->quad_pipelines);
    wf_frame_array_finish(&context->allocator, &context->quad_tables);
    wf_base_mutex_finish(&context->lock);
    weft_device_free(device, context, sizeof *context);
}

/// The tag tells materials of different devices apart; it wraps after 255 devices, when a foreign
/// material may be called stale.
static uint8_t next_tag(void)
{
    static atomic_uint tags;
    return (uint8_t)(atomic_fetch_add(&tags, 1) % 255 + 1);
}

static struct wf_frame_context *context_create(weft_device *device)
{
    struct wf_frame_context *context = weft_device_alloc(device, sizeof *context);
    if (!context)
        return NULL;
    *context = (struct wf_frame_context){.device = device};
    context->tag = next_tag();
    context->allocator = (struct wf_base_allocator){device_alloc, device_free, device};
    const struct wf_base_pool_desc pool = {
        .hot_size = sizeof(struct wf_frame_material),
        .capacity = MATERIAL_CAPACITY,
        .tag = (uint8_t)context->tag,
    };
    if (!wf_base_mutex_init(&context->lock)) {
        weft_device_free(device, context, sizeof *context);
        return NULL;
    }
    if (!wf_base_pool_init(&context->materials, &context->allocator, &pool)) {
        wf_base_mutex_finish(&context->lock);
        weft_device_free(device, context, sizeof *context);
        return NULL;
    }
    wf_frame_array_init(&context->transients, sizeof(struct wf_frame_transient));
    wf_frame_array_init(&context->quad_pipelines, sizeof(struct wf_frame_quad_pipeline));
    wf_frame_array_init(&context->quad_tables, sizeof(weft_argument_table));
    struct weft_frame *frame = &context->frame;
    frame->context = context;
    frame->device = device;
    arrays_init(frame);
    wf_base_arena_init(&frame->arena, &context->allocator, 0, 0);
    wf_base_map_init(&frame->seen, &context->allocator);
    wf_base_map_init(&frame->touched, &context->allocator);
    wf_base_map_init(&frame->ranks, &context->allocator);
    wf_base_map_init(&context->quad_views, &context->allocator);
    return context;
}

weft_result wf_frame_context_get(weft_device *device, struct wf_frame_context **out)
{
    *out = NULL;
    if (!device) // its start said why
        return WEFT_ERROR_USAGE;
    *out = weft_device_attached(device, &context_key);
    if (*out)
        return WEFT_OK;
    struct wf_frame_context *made = context_create(device);
    if (!made) {
        wf_frame_broken_device(device, WEFT_RULE_NONE, NULL,
                               "To begin with the frame layer failed: out of memory.");
        return WEFT_ERROR_MEMORY;
    }
    // Of two threads that come here at once, one attaches; the other takes what that one made.
    weft_error_scope_result caught = {0};
    const bool pushed = weft_error_scope_push(device, WEFT_SEVERITY_ERROR) == WEFT_OK;
    const weft_result result = weft_device_attach(device, &context_key, made, context_destroy);
    if (pushed)
        weft_error_scope_pop(device, &caught);
    if (result == WEFT_OK) {
        *out = made;
        return WEFT_OK;
    }
    context_destroy(device, made);
    *out = weft_device_attached(device, &context_key);
    if (*out)
        return WEFT_OK;
    if (caught.count > 0)
        wf_frame_broken_device(device, (weft_rule)caught.code, NULL, "%s", caught.message);
    return result;
}
