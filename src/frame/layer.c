#include "frame/context.h"

weft_layer weft_frame_layer_push(weft_frame *frame, const weft_layer_desc *desc)
{
    const weft_layer none = {0, 0};
    if (!wf_frame_given(frame, desc))
        return none;
    bool ok = true;
    if (desc->order > WEFT_ORDER_DEPTH)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_ORDER, UINT64_MAX, WF_FRAME_NONE,
                             "Layer '%s' has order %d, which is none.",
                             desc->name ? desc->name : "", (int)desc->order);
    if (desc->key_shift > 63)
        ok = wf_frame_broken(frame, WEFT_RULE_FRAME_KEY_SHIFT, UINT64_MAX, WF_FRAME_NONE,
                             "Layer '%s' shifts its 64-bit keys by %u.",
                             desc->name ? desc->name : "", desc->key_shift);
    struct wf_frame_layer *layer = ok ? wf_frame_append(frame, &frame->layers, 1) : NULL;
    if (!layer)
        return none;
    *layer = (struct wf_frame_layer){
        .name = wf_frame_keep(frame, desc->name),
        .sort_base = desc->sort_base,
        .order = desc->order == WEFT_ORDER_INHERIT ? WEFT_ORDER_LAYERED : desc->order,
        .sort_inside = desc->sort_inside,
        .key_shift = desc->key_shift,
        .globals = desc->globals,
        .parent = frame->open_layer,
    };
    frame->open_layer = (uint32_t)frame->layers.count - 1;
    return (weft_layer){frame->open_layer + 1, frame->generation};
}

void weft_frame_layer_pop(weft_frame *frame)
{
    if (!wf_frame_usable(frame))
        return;
    // layer 0 is the frame's own
    if (frame->open_layer == 0) {
        wf_frame_broken(frame, WEFT_RULE_FRAME_LAYER_UNBALANCED, UINT64_MAX, WF_FRAME_NONE,
                        "A layer is popped but none is open.");
        return;
    }
    frame->open_layer =
        ((const struct wf_frame_layer *)wf_frame_at(&frame->layers, frame->open_layer))->parent;
}

/// Far edge in 64 bits: no overflow.
static int64_t far_edge(int32_t at, uint32_t size)
{
    return (int64_t)at + (int64_t)size;
}

static weft_rect intersect(weft_rect a, weft_rect b)
{
    const int32_t x = a.x > b.x ? a.x : b.x;
    const int32_t y = a.y > b.y ? a.y : b.y;
    const int64_t ax = far_edge(a.x, a.width), bx = far_edge(b.x, b.width);
    const int64_t ay = far_edge(a.y, a.height), by = far_edge(b.y, b.height);
    const int64_t width = (ax < bx ? ax : bx) - x;
    const int64_t height = (ay < by ? ay : by) - y;
    return (weft_rect){x, y, width > 0 ? (uint32_t)width : 0, height > 0 ? (uint32_t)height : 0};
}

weft_clip weft_frame_clip_push(weft_frame *frame, const weft_rect *rect)
{
    if (!wf_frame_given(frame, rect))
        return (weft_clip){0, 0};
    struct wf_frame_clip *clip = wf_frame_append(frame, &frame->clips, 1);
    if (!clip)
        return (weft_clip){0, 0};
    *clip = (struct wf_frame_clip){*rect, frame->open_clip};
    if (frame->open_clip != WF_FRAME_NONE) {
        const struct wf_frame_clip *parent = wf_frame_at(&frame->clips, frame->open_clip);
        clip->rect = intersect(parent->rect, *rect);
    }
    frame->open_clip = (uint32_t)frame->clips.count - 1;
    return (weft_clip){frame->open_clip + 1, frame->generation};
}

void weft_frame_clip_pop(weft_frame *frame)
{
    if (!wf_frame_usable(frame))
        return;
    if (frame->open_clip == WF_FRAME_NONE) {
        wf_frame_broken(frame, WEFT_RULE_FRAME_CLIP_UNBALANCED, UINT64_MAX, WF_FRAME_NONE,
                        "A clip is popped but none is open.");
        return;
    }
    frame->open_clip =
        ((const struct wf_frame_clip *)wf_frame_at(&frame->clips, frame->open_clip))->parent;
}
