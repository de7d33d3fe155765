#include "frame/context.h"

/// A cached texture that no frame has used for this long is let go.
#define KEEP_FRAMES 8u

static struct wf_frame_transient *find_free(struct wf_frame_context *context,
                                            const struct wf_frame_transient *like)
{
    for (size_t i = 0; i < context->transients.count; i++) {
        struct wf_frame_transient *t = wf_frame_at(&context->transients, i);
        if (!t->in_use && t->format == like->format && t->width == like->width &&
            t->height == like->height && t->layers == like->layers && t->samples == like->samples)
            return t;
    }
    return NULL;
}

static void transient_destroy(struct wf_frame_context *context, struct wf_frame_transient *t)
{
    weft_texture_view_destroy(context->device, t->view);
    weft_texture_destroy(context->device, t->texture);
}

static bool transient_create(struct weft_frame *frame, struct wf_frame_transient *t)
{
    const weft_texture_desc desc = {
        .format = t->format,
        .width = t->width,
        .height = t->height,
        .layers = t->layers,
        .samples = t->samples,
        .usage = WEFT_TEXTURE_USAGE_RENDER |
                 (t->samples == 1 ? WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_SRC : 0u),
        .label = "frame transient",
    };
    weft_result res = weft_texture_create(frame->device, &desc, &t->texture);
    if (res == WEFT_OK)
        res = weft_texture_view_create(
            frame->device,
            &(weft_texture_view_desc){.texture = t->texture, .label = "frame transient"}, &t->view);
    if (res == WEFT_OK)
        return true;
    weft_texture_destroy(frame->device, t->texture);
    wf_frame_fail(frame, res);
    return false;
}

bool wf_frame_transient_take(struct weft_frame *frame, const struct wf_frame_target *target,
                             weft_format format, uint32_t samples, weft_texture_view *view,
                             weft_texture *texture)
{
    struct wf_frame_transient fresh = {.format = format,
                                       .width = target->width,
                                       .height = target->height,
                                       .layers = target->layers,
                                       .samples = samples};
    struct wf_frame_context *context = frame->context;
    *view = (weft_texture_view){0, 0};
    *texture = (weft_texture){0, 0};
    struct wf_frame_transient *t = find_free(context, &fresh);
    if (!t) {
        if (!transient_create(frame, &fresh))
            return false;
        t = wf_frame_append(frame, &context->transients, 1);
        if (!t) {
            transient_destroy(context, &fresh);
            return false;
        }
        *t = fresh;
    }
    t->in_use = true;
    t->frame = frame->number;
    *view = t->view;
    *texture = t->texture;
    return true;
}

void wf_frame_transients_release(struct wf_frame_context *context)
{
    size_t kept = 0;
    for (size_t i = 0; i < context->transients.count; i++) {
        struct wf_frame_transient *t = wf_frame_at(&context->transients, i);
        t->in_use = false;
        if (t->frame + KEEP_FRAMES < context->frame.number) {
            transient_destroy(context, t);
            continue;
        }
        *(struct wf_frame_transient *)wf_frame_at(&context->transients, kept++) = *t;
    }
    context->transients.count = kept;
}

void wf_frame_transients_finish(struct wf_frame_context *context)
{
    for (size_t i = 0; i < context->transients.count; i++)
        transient_destroy(context, wf_frame_at(&context->transients, i));
    context->transients.count = 0;
}
