#include "frame_stage.h"

#include <stdlib.h>
#include <string.h>

// Random frames against a naive reading of the precedence rules:
// pass, layer path, nothing crosses STRICT, mode, key, material by first appearance, sequence.

#define MAX_LAYERS  12u
#define MAX_PACKETS 64u

struct model_layer {
    weft_layer_desc desc;
    uint32_t parent; ///< Index, or UINT32_MAX.
};

struct model_packet {
    uint32_t pass, layer, material;
    weft_order order; ///< Resolved.
    uint64_t key;
};

struct model {
    struct model_layer layers[MAX_LAYERS];
    uint32_t layer_count;
    struct model_packet packets[MAX_PACKETS];
    uint32_t packet_count;
};

static uint32_t state;

static uint32_t random_below(uint32_t bound)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)state * bound) >> 32);
}

/// Fills `path` with the layer's indices from the root down; returns their number.
static uint32_t path_of(const struct model *m, uint32_t layer, uint32_t path[MAX_LAYERS])
{
    uint32_t depth = 0;
    for (uint32_t at = layer; at != UINT32_MAX; at = m->layers[at].parent)
        depth++;
    uint32_t i = depth;
    for (uint32_t at = layer; at != UINT32_MAX; at = m->layers[at].parent)
        path[--i] = at;
    return depth;
}

/// Negative: `a` is drawn first.
static int compare_paths(const struct model *m, uint32_t a, uint32_t b)
{
    uint32_t pa[MAX_LAYERS], pb[MAX_LAYERS];
    const uint32_t na = path_of(m, a, pa), nb = path_of(m, b, pb);
    for (uint32_t i = 0; i < na && i < nb; i++) {
        const int32_t ba = m->layers[pa[i]].desc.sort_base, bb = m->layers[pb[i]].desc.sort_base;
        if (ba != bb)
            return ba < bb ? -1 : 1;
        if (pa[i] != pb[i])
            return pa[i] < pb[i] ? -1 : 1;
    }
    return (int)na - (int)nb;
}

static bool strict_between(const struct model *m, uint32_t a, uint32_t b)
{
    for (uint32_t i = a; i <= b; i++) {
        if (m->packets[i].layer == m->packets[a].layer && m->packets[i].order == WEFT_ORDER_STRICT)
            return true;
    }
    return false;
}

static bool is_sorted(const struct model *m, uint32_t i)
{
    const struct model_packet *p = &m->packets[i];
    return p->order >= WEFT_ORDER_SORTABLE ||
           (p->order == WEFT_ORDER_LAYERED && m->layers[p->layer].desc.sort_inside);
}

/// The first packet with the same material, or the same pipeline.
static uint32_t first_appearance(const struct model *m, uint32_t i, bool pipeline)
{
    for (uint32_t k = 0;; k++) {
        const uint32_t a = m->packets[k].material, b = m->packets[i].material;
        if (pipeline ? a / 2 == b / 2 : a == b)
            return k;
    }
}

static bool before(const struct model *m, uint32_t a, uint32_t b)
{
    const struct model_packet *pa = &m->packets[a], *pb = &m->packets[b];
    if (pa->pass != pb->pass)
        return pa->pass < pb->pass;
    const int paths = compare_paths(m, pa->layer, pb->layer);
    if (paths)
        return paths < 0;
    if (strict_between(m, a < b ? a : b, a < b ? b : a))
        return a < b;
    if (pa->order != pb->order)
        return pa->order < pb->order;
    if (!is_sorted(m, a))
        return a < b;
    const uint32_t shift = m->layers[pa->layer].desc.key_shift;
    if (pa->key >> shift != pb->key >> shift)
        return pa->key >> shift < pb->key >> shift;
    for (int pipeline = 1; pipeline >= 0; pipeline--) {
        const uint32_t fa = first_appearance(m, a, pipeline), fb = first_appearance(m, b, pipeline);
        if (fa != fb)
            return fa < fb;
    }
    return a < b;
}

static void random_layer(struct model *m, weft_frame *frame, uint32_t parent)
{
    struct model_layer *layer = &m->layers[m->layer_count++];
    layer->parent = parent;
    layer->desc = (weft_layer_desc){
        .name = "layer",
        .sort_base = (int32_t)random_below(5) - 2,
        .order = (weft_order)random_below(5),
        .sort_inside = random_below(2),
        .key_shift = random_below(4),
    };
    weft_frame_layer_push(frame, &layer->desc);
}

static void random_packet(struct model *m, const struct stage *s, weft_frame *frame, uint32_t pass,
                          uint32_t layer)
{
    struct model_packet *p = &m->packets[m->packet_count];
    const weft_order of_layer =
        m->layers[layer].desc.order ? m->layers[layer].desc.order : WEFT_ORDER_LAYERED;
    const weft_order order = (weft_order)random_below((uint32_t)of_layer + 1);
    *p = (struct model_packet){
        .pass = pass,
        .layer = layer,
        .material = random_below(4),
        .order = order ? order : of_layer,
        .key = random_below(24),
    };
    weft_draw_packet packet = stage_packet(s, p->material);
    packet.order = order;
    packet.sort_key = p->key;
    EXPECT_EQ(weft_frame_draw(frame, &packet), m->packet_count);
    m->packet_count++;
}

/// Appends a random walk of pushes, pops and packets to one pass.
static void random_pass(struct model *m, const struct stage *s, weft_frame *frame, uint32_t pass)
{
    const weft_target target = weft_frame_target_begin(frame, weft_frame_present_target(frame),
                                                       &(weft_target_ops){.load = WEFT_LOAD_CLEAR});
    uint32_t open = 0;
    for (uint32_t step = random_below(30); step > 0 && m->packet_count < MAX_PACKETS; step--) {
        const uint32_t what = random_below(8);
        if (what == 0 && m->layer_count < MAX_LAYERS) {
            random_layer(m, frame, open);
            open = m->layer_count - 1;
        } else if (what == 1 && open != 0) {
            weft_frame_layer_pop(frame);
            open = m->layers[open].parent;
        } else {
            random_packet(m, s, frame, pass, open);
        }
    }
    for (; open != 0; open = m->layers[open].parent)
        weft_frame_layer_pop(frame);
    weft_frame_target_end(frame, target);
}

TEST(frame, any_order_agrees_with_the_rules_read_naively)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    state = 1;
    for (uint32_t round = 0; round < 1500; round++) {
        // layer 0 is the frame's own
        struct model m = {.layers[0].parent = UINT32_MAX, .layer_count = 1};
        weft_frame *frame = stage_begin(&s);
        const uint32_t passes = 1 + random_below(3);
        for (uint32_t pass = 0; pass < passes; pass++)
            random_pass(&m, &s, frame, pass);
        const weft_frame_report *report;
        EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
        EXPECT_EQ(report->packet_count, m.packet_count);
        for (uint32_t a = 0; a < m.packet_count; a++) {
            for (uint32_t b = 0; b < m.packet_count; b++) {
                if (a != b)
                    EXPECT_EQ(report->packets[a].position < report->packets[b].position,
                              before(&m, a, b));
            }
        }
    }
    stage_close(&s);
}
