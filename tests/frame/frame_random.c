#include "frame_stage.h"

#include "frame_idle.comp.spv.h"

#include <stdlib.h>
#include <string.h>

// Large random frames: packets in any order over any passes, layers and modes, dispatches between
// the passes. An oracle sorts them by comparison, as frame.h words the rules; and the same calls on
// another device, whose handles and addresses are others, must give the same plan.

#ifndef FRAME_RANDOM_PACKETS
#define FRAME_RANDOM_PACKETS 30000
#endif

enum { MAX_LAYERS = 40, MAX_PASSES = 12, MAX_PACKETS = 2000, BUFFERS = 6 };

struct layer {
    weft_layer_desc desc;
    weft_layer name;
    uint32_t parent; ///< Index, or UINT32_MAX.
};

struct packet {
    uint32_t pass, layer, material;
    weft_order order;  ///< Resolved.
    uint64_t key;      ///< Shifted.
    uint32_t stretch;  ///< Rises by STRICT in its layer and pass.
    uint32_t looks[2]; ///< First appearance of the pipeline, and of the material.
    uint32_t sequence;
};

/// What was asked for.
struct model {
    struct layer layers[MAX_LAYERS];
    weft_target passes[2 * MAX_PASSES]; ///< By pass; none: of dispatches.
    struct packet packets[MAX_PACKETS], sorted[MAX_PACKETS];
    uint32_t layer_count, pass_count, packet_count;
    uint32_t wanted; ///< Packets.
    uint32_t open;   ///< The innermost open layer: 0 has no name.
    bool computes;   ///< The last pass is one of dispatches.
};

/// A device to ask.
struct world {
    struct stage s;
    weft_compute_pipeline idle;
    weft_buffer buffers[BUFFERS];
};

static struct model m;
static uint64_t state;

static uint32_t below(uint32_t bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(((state >> 32) * bound) >> 32);
}

/// Objects made and destroyed first move the handles and addresses of the rest.
static struct world world_open(uint32_t moved)
{
    struct world w = {.s = stage_open(WEFT_BACKEND_NOOP)};
    const weft_buffer_desc desc = {.size = 256,
                                   .usage = WEFT_BUFFER_USAGE_STORAGE | WEFT_BUFFER_USAGE_VERTEX |
                                            WEFT_BUFFER_USAGE_INDEX | WEFT_BUFFER_USAGE_INDIRECT};
    weft_buffer extra[64];
    for (uint32_t i = 0; i < moved; i++)
        EXPECT_EQ(weft_buffer_create(w.s.f.dev, &desc, &extra[i]), WEFT_OK);
    for (uint32_t i = 0; i < moved; i++)
        weft_buffer_destroy(w.s.f.dev, extra[i]);
    for (uint32_t i = 0; i < BUFFERS; i++)
        EXPECT_EQ(weft_buffer_create(w.s.f.dev, &desc, &w.buffers[i]), WEFT_OK);
    const weft_shader shader = stage_shader(&w.s, frame_idle_comp, sizeof frame_idle_comp);
    EXPECT_EQ(weft_compute_pipeline_create(
                  w.s.f.dev, &(weft_compute_pipeline_desc){.compute = {.shader = shader}}, &w.idle),
              WEFT_OK);
    weft_shader_destroy(w.s.f.dev, shader);
    return w;
}

static void world_close(struct world *w)
{
    weft_compute_pipeline_destroy(w->s.f.dev, w->idle);
    for (uint32_t i = 0; i < BUFFERS; i++)
        weft_buffer_destroy(w->s.f.dev, w->buffers[i]);
    stage_close(&w->s);
}

// ---- asking ------------------------------------------------------------------------------------

/// `parent` is the innermost one that is open.
static void push_layer(weft_frame *frame, uint32_t parent)
{
    struct layer *layer = &m.layers[m.layer_count++];
    layer->parent = parent;
    layer->desc = (weft_layer_desc){
        .name = "layer",
        .sort_base = below(4) ? (int32_t)below(3) - 1 : (int32_t)(below(UINT32_MAX) ^ INT32_MAX),
        .order = (weft_order)below(5),
        .sort_inside = below(2),
        .key_shift = below(3) ? below(8) : below(64),
    };
    layer->name = weft_frame_layer_push(frame, &layer->desc);
}

/// Keys of few bits, low or high, so that many are equal, also once they are shifted; or any.
static uint64_t random_key(void)
{
    const uint64_t high = below(UINT32_MAX);
    switch (below(4)) {
    case 0:
        return high << 32 | below(UINT32_MAX);
    case 1:
        return (uint64_t)below(16) << 60;
    default:
        return below(64);
    }
}

/// Layer, mode and key of the next packet.
static struct packet *next_packet(uint32_t pass, weft_order *order, uint64_t *key)
{
    struct packet *p = &m.packets[m.packet_count];
    const uint32_t named = below(m.layer_count), layer = named ? named : m.open;
    const weft_layer_desc *desc = &m.layers[layer].desc;
    const weft_order of_layer = desc->order ? desc->order : WEFT_ORDER_LAYERED;
    // STRICT seldom, lest nothing is left to sort
    *order = (weft_order)below((uint32_t)of_layer + 1);
    if (*order == WEFT_ORDER_STRICT && below(8))
        *order = WEFT_ORDER_INHERIT;
    *key = random_key();
    *p = (struct packet){
        .pass = pass,
        .layer = layer,
        .material = UINT32_MAX,
        .order = *order ? *order : of_layer,
        .key = *key >> desc->key_shift,
        .sequence = m.packet_count++,
    };
    return p;
}

static weft_access random_access(const struct world *w)
{
    return (weft_access){.kind = (weft_access_kind)(WEFT_ACCESS_STORAGE_READ + below(6)),
                         .buffer = w->buffers[below(BUFFERS)]};
}

static void draw(const struct world *w, weft_frame *frame, uint32_t pass)
{
    weft_order order;
    uint64_t key;
    struct packet *p = next_packet(pass, &order, &key);
    p->material = below(4);
    const weft_access access = random_access(w);
    weft_draw_packet packet = stage_packet(&w->s, p->material);
    packet.target = m.passes[pass];
    packet.layer = m.layers[p->layer].name;
    packet.order = order;
    packet.sort_key = key;
    packet.accesses = &access;
    packet.access_count = below(16) == 0;
    EXPECT_EQ(weft_frame_draw(frame, &packet), p->sequence);
}

static void dispatch(const struct world *w, weft_frame *frame)
{
    if (!m.computes)
        m.passes[m.pass_count++] = (weft_target){0, 0};
    m.computes = true;
    weft_order order;
    uint64_t key;
    struct packet *p = next_packet(m.pass_count - 1, &order, &key);
    const weft_access access = random_access(w);
    const weft_dispatch_packet packet = {
        .layer = m.layers[p->layer].name,
        .order = order,
        .sort_key = key,
        .pipeline = w->idle,
        .groups = {1, 1, 1},
        .accesses = &access,
        .access_count = below(2),
        .barrier_after = below(16) == 0,
    };
    EXPECT_EQ(weft_frame_dispatch(frame, &packet), p->sequence);
}

static void begin_pass(weft_frame *frame)
{
    m.passes[m.pass_count++] = weft_frame_target_begin(frame, weft_frame_present_target(frame),
                                                       &(weft_target_ops){.load = WEFT_LOAD_CLEAR});
    m.computes = false;
}

/// Packets into any pass that there is so far, also ended ones; layers are pushed and popped.
static void fill(const struct world *w, weft_frame *frame, uint32_t count)
{
    while (count > 0 && m.packet_count < m.wanted) {
        const uint32_t what = below(32), pass = below(m.pass_count);
        if (what == 0 && m.layer_count < MAX_LAYERS) {
            push_layer(frame, m.open);
            m.open = m.layer_count - 1;
        } else if (what == 1 && m.open != 0) {
            weft_frame_layer_pop(frame);
            m.open = m.layers[m.open].parent;
        } else if (m.passes[pass].generation != 0) {
            draw(w, frame, pass);
            count--;
        }
    }
    for (; m.open != 0; m.open = m.layers[m.open].parent)
        weft_frame_layer_pop(frame);
}

static const weft_frame_report *random_frame(struct world *w, uint64_t seed)
{
    state = seed;
    m.layer_count = 1;
    m.layers[0] = (struct layer){.parent = UINT32_MAX};
    m.pass_count = m.packet_count = m.open = 0;
    m.computes = false;
    m.wanted = 1 + below(below(4) ? 200 : MAX_PACKETS);
    weft_frame *frame = stage_begin(&w->s);
    const uint32_t passes = 1 + below(MAX_PASSES);
    for (uint32_t i = 0; i < passes; i++) {
        for (uint32_t k = below(8); k > 0 && m.packet_count < m.wanted; k--)
            dispatch(w, frame);
        begin_pass(frame);
        const weft_target open = m.passes[m.pass_count - 1];
        fill(w, frame, i + 1 == passes ? UINT32_MAX : m.wanted / passes);
        weft_frame_target_end(frame, open);
    }
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->drawn, m.packet_count);
    return report;
}

// ---- the oracle --------------------------------------------------------------------------------

/// Negative: `a` is drawn first. A layer comes before those inside it.
static int compare_paths(uint32_t a, uint32_t b)
{
    uint32_t paths[2][MAX_LAYERS], depth[2] = {0, 0};
    const uint32_t layers[2] = {a, b};
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t at = layers[i]; at != UINT32_MAX; at = m.layers[at].parent)
            paths[i][MAX_LAYERS - ++depth[i]] = at;
    }
    for (uint32_t i = 0; i < depth[0] && i < depth[1]; i++) {
        const uint32_t pa = paths[0][MAX_LAYERS - depth[0] + i];
        const uint32_t pb = paths[1][MAX_LAYERS - depth[1] + i];
        const int32_t ba = m.layers[pa].desc.sort_base, bb = m.layers[pb].desc.sort_base;
        if (ba != bb)
            return ba < bb ? -1 : 1;
        if (pa != pb)
            return pa < pb ? -1 : 1;
    }
    return (int)depth[0] - (int)depth[1];
}

static bool is_sorted(const struct packet *p)
{
    return p->order >= WEFT_ORDER_SORTABLE ||
           (p->order == WEFT_ORDER_LAYERED && m.layers[p->layer].desc.sort_inside);
}

static int compare(const void *left, const void *right)
{
    const struct packet *a = left, *b = right;
    if (a->pass != b->pass)
        return a->pass < b->pass ? -1 : 1;
    const int paths = compare_paths(a->layer, b->layer);
    if (paths)
        return paths;
    if (a->stretch != b->stretch)
        return a->stretch < b->stretch ? -1 : 1;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    if (is_sorted(a)) {
        if (a->key != b->key)
            return a->key < b->key ? -1 : 1;
        for (uint32_t i = 0; i < 2; i++) {
            if (a->looks[i] != b->looks[i])
                return a->looks[i] < b->looks[i] ? -1 : 1;
        }
    }
    return a->sequence < b->sequence ? -1 : 1;
}

/// The place of each packet between the STRICT ones of its layer and pass: odd for those.
static void find_stretches(void)
{
    static uint32_t strict[2 * MAX_PASSES][MAX_LAYERS];
    memset(strict, 0, sizeof strict);
    for (uint32_t i = 0; i < m.packet_count; i++) {
        struct packet *p = &m.packets[i];
        uint32_t *count = &strict[p->pass][p->layer];
        if (p->order == WEFT_ORDER_STRICT)
            p->stretch = 2 * (*count)++ + 1;
        else
            p->stretch = 2 * *count;
    }
}

/// Materials 0 and 1 share a pipeline, and 2 and 3.
static void find_looks(void)
{
    uint32_t first[2][4];
    memset(first, 0xff, sizeof first);
    for (uint32_t i = 0; i < m.packet_count; i++) {
        struct packet *p = &m.packets[i];
        for (uint32_t k = 0; k < 2 && p->material != UINT32_MAX; k++) {
            uint32_t *at = &first[k][k ? p->material : p->material / 2];
            if (*at == UINT32_MAX)
                *at = i;
            p->looks[k] = *at;
        }
    }
}

static void expect_order(const weft_frame_report *report)
{
    find_stretches();
    find_looks();
    memcpy(m.sorted, m.packets, m.packet_count * sizeof m.packets[0]);
    qsort(m.sorted, m.packet_count, sizeof m.sorted[0], compare);
    for (uint32_t i = 0; i < m.packet_count; i++)
        EXPECT_EQ(report->packets[m.sorted[i].sequence].position, i);
}

TEST(frame_random, frames_agree_with_a_sort_by_comparison)
{
    struct world w = world_open(0);
    uint32_t packets = 0;
    for (uint64_t seed = 1; packets < FRAME_RANDOM_PACKETS; seed++) {
        const weft_frame_report *report = random_frame(&w, seed);
        expect_order(report);
        EXPECT_EQ(report->needless_barriers, 0);
        packets += m.packet_count;
    }
    world_close(&w);
}

// ---- the same again ----------------------------------------------------------------------------

static void expect_same(const weft_frame_report *a, const weft_frame_report *b)
{
    EXPECT_EQ(a->packet_count, b->packet_count);
    for (uint32_t i = 0; i < a->packet_count; i++) {
        EXPECT_EQ(a->packets[i].position, b->packets[i].position);
        EXPECT_EQ(a->packets[i].pass, b->packets[i].pass);
    }
    EXPECT_EQ(a->barrier_count, b->barrier_count);
    for (uint32_t i = 0; i < a->barrier_count; i++) {
        EXPECT_EQ(a->barriers[i].before_pass, b->barriers[i].before_pass);
        EXPECT_EQ(a->barriers[i].before_packet, b->barriers[i].before_packet);
        EXPECT_EQ(a->barriers[i].producers, b->barriers[i].producers);
        EXPECT_EQ(a->barriers[i].consumers, b->barriers[i].consumers);
        EXPECT_EQ(a->barriers[i].hazards, b->barriers[i].hazards);
        EXPECT_STR(a->barriers[i].cause, b->barriers[i].cause);
    }
    EXPECT_EQ(a->pass_count, b->pass_count);
    EXPECT_EQ(a->state_changes, b->state_changes);
}

TEST(frame_random, the_same_calls_make_the_same_plan_on_another_device)
{
    struct world a = world_open(0), b = world_open(61);
    uint32_t packets = 0, barriers = 0;
    (void)random_frame(&b, 12345); // it has seen other frames, too
    for (uint64_t seed = 1; packets < FRAME_RANDOM_PACKETS / 4; seed++) {
        const weft_frame_report *report = random_frame(&a, seed);
        expect_same(report, random_frame(&b, seed));
        packets += m.packet_count;
        barriers += report->barrier_count;
    }
    EXPECT(barriers > 50);
    world_close(&a);
    world_close(&b);
}
