// Dispatches, between passes and inside of them: what waits for them, what they wait for, in which
// order they are.
#include "frame_stage.h"

#include "frame_idle.comp.spv.h"

/// A stage with a compute pipeline that does nothing, and two buffers that packets may say they
/// use.
struct bench {
    struct stage stage;
    weft_compute_pipeline pipeline;
    weft_buffer a, b;
};

static weft_buffer make_buffer(struct bench *b)
{
    weft_buffer out;
    EXPECT_EQ(weft_buffer_create(b->stage.f.dev,
                                 &(weft_buffer_desc){.size = 256,
                                                     .usage = WEFT_BUFFER_USAGE_STORAGE |
                                                              WEFT_BUFFER_USAGE_VERTEX |
                                                              WEFT_BUFFER_USAGE_INDIRECT},
                                 &out),
              WEFT_OK);
    return out;
}

static struct bench bench_open(weft_backend backend)
{
    struct bench b = {.stage = stage_open(backend)};
    weft_shader shader = stage_shader(&b.stage, frame_idle_comp, sizeof frame_idle_comp);
    EXPECT_EQ(weft_compute_pipeline_create(
                  b.stage.f.dev, &(weft_compute_pipeline_desc){.compute = {.shader = shader}},
                  &b.pipeline),
              WEFT_OK);
    weft_shader_destroy(b.stage.f.dev, shader);
    b.a = make_buffer(&b);
    b.b = make_buffer(&b);
    return b;
}

static void bench_close(struct bench *b)
{
    weft_buffer_destroy(b->stage.f.dev, b->a);
    weft_buffer_destroy(b->stage.f.dev, b->b);
    weft_compute_pipeline_destroy(b->stage.f.dev, b->pipeline);
    stage_close(&b->stage);
}

/// A dispatch that says it uses `buffer` so.
static uint64_t dispatch(struct bench *b, weft_frame *frame, weft_buffer buffer,
                         weft_access_kind kind)
{
    const weft_access access = {.kind = kind, .buffer = buffer};
    return weft_frame_dispatch(frame, &(weft_dispatch_packet){.pipeline = b->pipeline,
                                                              .groups = {1, 1, 1},
                                                              .accesses = &access,
                                                              .access_count = 1});
}

/// A draw of vertices out of `buffer`.
static uint64_t draw_from(struct bench *b, weft_frame *frame, weft_buffer buffer)
{
    weft_draw_packet packet = stage_packet(&b->stage, 0);
    packet.geometry.streams = &(weft_stream_view){0, buffer, 0};
    return weft_frame_draw(frame, &packet);
}

static const weft_frame_report *submit(weft_frame *frame)
{
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    return report;
}

TEST(frame_dispatch, a_draw_waits_for_what_a_dispatch_wrote)
{
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&b.stage);
    EXPECT_EQ(dispatch(&b, frame, b.a, WEFT_ACCESS_STORAGE_WRITE), 0);
    const weft_target pass = stage_pass(frame);
    EXPECT_EQ(draw_from(&b, frame, b.a), 1);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *r = submit(frame);
    EXPECT_EQ(r->pass_count, 2);
    EXPECT_EQ(r->passes[0].kind, WEFT_PASS_COMPUTE);
    EXPECT_EQ(r->passes[1].kind, WEFT_PASS_RENDER);
    EXPECT_EQ(r->passes[0].draws, 1);
    EXPECT_EQ(r->packets[0].kind, WEFT_PACKET_DISPATCH);
    EXPECT_EQ(r->packets[0].pass, 0);
    EXPECT_EQ(r->barrier_count, 1);
    EXPECT_EQ(r->barriers[0].before_pass, 1);
    EXPECT_EQ(r->barriers[0].before_packet, UINT64_MAX);
    EXPECT_EQ(r->barriers[0].producers, WEFT_STAGE_COMPUTE);
    EXPECT_EQ(r->barriers[0].consumers, WEFT_STAGE_VERTEX_INPUT);
    EXPECT_EQ(r->barriers[0].hazards, 0);
    EXPECT_STR(r->barriers[0].cause, "dispatch 0 storage write -> pass 1 vertex read");
    bench_close(&b);
}

TEST(frame_dispatch, a_dispatch_waits_for_what_another_wrote)
{
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&b.stage);
    dispatch(&b, frame, b.a, WEFT_ACCESS_STORAGE_WRITE);
    dispatch(&b, frame, b.a, WEFT_ACCESS_STORAGE_READ);
    weft_frame_target_end(frame, stage_pass(frame));
    const weft_frame_report *r = submit(frame);
    EXPECT_EQ(r->barrier_count, 1);
    EXPECT_EQ(r->barriers[0].before_pass, 0);
    EXPECT_EQ(r->barriers[0].before_packet, 1);
    EXPECT_EQ(r->barriers[0].producers, WEFT_STAGE_COMPUTE);
    EXPECT_EQ(r->barriers[0].consumers, WEFT_STAGE_COMPUTE);
    EXPECT_STR(r->barriers[0].cause, "dispatch 0 storage write -> dispatch 1 storage read");
    bench_close(&b);
}

TEST(frame_dispatch, dispatches_of_different_buffers_do_not_wait)
{
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&b.stage);
    dispatch(&b, frame, b.a, WEFT_ACCESS_STORAGE_WRITE);
    dispatch(&b, frame, b.b, WEFT_ACCESS_STORAGE_WRITE);
    weft_frame_target_end(frame, stage_pass(frame));
    const weft_frame_report *r = submit(frame);
    EXPECT_EQ(r->pass_count, 2);
    EXPECT_EQ(r->passes[0].draws, 2);
    EXPECT_EQ(r->barrier_count, 0);
    bench_close(&b);
}

TEST(frame_dispatch, indirect_counts_that_a_dispatch_wrote_are_guarded)
{
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&b.stage);
    dispatch(&b, frame, b.a, WEFT_ACCESS_STORAGE_WRITE);
    weft_frame_dispatch(frame,
                        &(weft_dispatch_packet){.pipeline = b.pipeline, .indirect = {b.a, 16}});
    weft_frame_target_end(frame, stage_pass(frame));
    const weft_frame_report *r = submit(frame);
    EXPECT_EQ(r->packets[1].fate, WEFT_FATE_DRAWN); // without groups it is not empty
    EXPECT_EQ(r->barrier_count, 1);
    EXPECT_EQ(r->barriers[0].consumers, WEFT_STAGE_DRAW_INDIRECT);
    EXPECT_EQ(r->barriers[0].hazards, WEFT_HAZARD_DRAW_ARGUMENTS);
    bench_close(&b);
}

TEST(frame_dispatch, an_empty_one_is_dropped_and_told_of)
{
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&b.stage);
    for (uint32_t i = 0; i < 3; i++) {
        weft_dispatch_packet packet = {.pipeline = b.pipeline, .groups = {1, 1, 1}};
        packet.groups[i] = 0;
        EXPECT_EQ(weft_frame_dispatch(frame, &packet), i);
    }
    weft_frame_target_end(frame, stage_pass(frame));
    const weft_frame_report *r = submit(frame);
    EXPECT_EQ(r->dropped, 3);
    EXPECT_EQ(r->packets[2].fate, WEFT_FATE_DROPPED);
    EXPECT_STR(r->packets[2].reason, "it has nothing to draw");
    EXPECT_EQ(r->passes[0].draws, 0);
    bench_close(&b);
}

TEST(frame_dispatch, a_sorted_layer_sorts_them_by_key)
{
    static const uint64_t keys[3] = {7, 3, 5};
    static const uint32_t places[3] = {2, 0, 1};
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&b.stage);
    weft_frame_layer_push(frame, &(weft_layer_desc){.order = WEFT_ORDER_SORTABLE});
    for (uint32_t i = 0; i < 3; i++)
        weft_frame_dispatch(frame, &(weft_dispatch_packet){.pipeline = b.pipeline,
                                                           .groups = {1, 1, 1},
                                                           .sort_key = keys[i]});
    weft_frame_layer_pop(frame);
    weft_frame_target_end(frame, stage_pass(frame));
    const weft_frame_report *r = submit(frame);
    for (uint32_t i = 0; i < 3; i++)
        EXPECT_EQ(r->packets[i].position, places[i]);
    bench_close(&b);
}

/// Each stretch of dispatches between passes is a pass of its own.
TEST(frame_dispatch, they_keep_their_place_among_passes)
{
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&b.stage);
    weft_frame_target_end(frame, stage_pass(frame));
    dispatch(&b, frame, b.a, WEFT_ACCESS_STORAGE_WRITE);
    dispatch(&b, frame, b.b, WEFT_ACCESS_STORAGE_WRITE);
    weft_frame_target_end(frame, stage_pass(frame));
    dispatch(&b, frame, b.a, WEFT_ACCESS_STORAGE_READ);
    const weft_frame_report *r = submit(frame);
    EXPECT_EQ(r->pass_count, 4);
    for (uint32_t i = 0; i < 4; i++)
        EXPECT_EQ(r->passes[i].kind, i % 2 ? WEFT_PASS_COMPUTE : WEFT_PASS_RENDER);
    EXPECT_EQ(r->packets[1].pass, 1);
    EXPECT_EQ(r->packets[2].pass, 3);
    bench_close(&b);
}

/// The host knows of writes that nothing declares.
TEST(frame_dispatch, a_barrier_after_is_recorded)
{
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&b.stage);
    const weft_dispatch_packet packet = {
        .pipeline = b.pipeline, .groups = {1, 1, 1}, .barrier_after = true};
    weft_frame_dispatch(frame, &packet);
    weft_frame_dispatch(frame, &packet);
    weft_frame_target_end(frame, stage_pass(frame));
    const weft_frame_report *r = submit(frame);
    EXPECT_EQ(r->barrier_count, 0); // none that the plan found necessary
    EXPECT_EQ(r->passes[0].draws, 2);
    bench_close(&b);
}

TEST(frame_dispatch, root_data_must_fit)
{
    static const float root[4] = {1, 2, 3, 4};
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&b.stage);
    fixture_clear(&b.stage.f);
    EXPECT_EQ(weft_frame_dispatch(frame, &(weft_dispatch_packet){.pipeline = b.pipeline,
                                                                 .groups = {1, 1, 1},
                                                                 .root = root,
                                                                 .root_offset = 2,
                                                                 .root_size = sizeof root}),
              UINT64_MAX);
    EXPECT(fixture_took(&b.stage.f, WEFT_RULE_FRAME_ROOT_RANGE));
    EXPECT_EQ(weft_frame_dispatch(frame, &(weft_dispatch_packet){.pipeline = b.pipeline,
                                                                 .groups = {1, 1, 1},
                                                                 .root_size = 16}),
              UINT64_MAX);
    EXPECT(fixture_took(&b.stage.f, WEFT_RULE_FRAME_PACKET_NULL));
    EXPECT_EQ(weft_frame_dispatch(
                  frame, &(weft_dispatch_packet){.pipeline = b.pipeline, .indirect = {b.a, 2}}),
              UINT64_MAX);
    EXPECT(fixture_took(&b.stage.f, WEFT_RULE_FRAME_INDIRECT));
    weft_frame_cancel(frame);
    bench_close(&b);
}

TEST(frame_dispatch, a_run_of_them_is_timed)
{
    struct bench b = bench_open(WEFT_BACKEND_SOFTWARE);
    weft_frame *frame;
    EXPECT_EQ(
        weft_frame_begin(b.stage.f.dev, &(weft_frame_desc){.flags = WEFT_FRAME_GPU_TIMES}, &frame),
        WEFT_OK);
    dispatch(&b, frame, b.a, WEFT_ACCESS_STORAGE_WRITE);
    dispatch(&b, frame, b.a, WEFT_ACCESS_STORAGE_READ);
    const weft_frame_report *r = submit(frame);
    EXPECT_EQ(r->pass_count, 1);
    EXPECT(r->passes[0].gpu_ns > 0);
    EXPECT_EQ(r->gpu_ns, r->passes[0].gpu_ns);
    bench_close(&b);
}

// ---- inside of passes ---------------------------------------------------------------------------

TEST(frame_dispatch, one_that_nothing_before_it_minds_goes_before_its_pass)
{
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&b.stage);
    const weft_target pass = stage_pass(frame);
    draw_from(&b, frame, b.b);
    EXPECT_EQ(dispatch(&b, frame, b.a, WEFT_ACCESS_STORAGE_WRITE), 1);
    draw_from(&b, frame, b.a);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *r = submit(frame);
    EXPECT_EQ(r->pass_count, 1);
    EXPECT_EQ(r->passes[0].parts, 1);
    EXPECT_EQ(r->passes[0].split_bytes, 0);
    EXPECT_EQ(r->passes[0].draws, 3);
    EXPECT_EQ(r->packets[1].fate, WEFT_FATE_DRAWN);
    EXPECT_EQ(r->packets[1].position, 0);
    EXPECT_STR(r->packets[1].reason, "it was moved before its pass");
    EXPECT_EQ(r->packets[0].position, 1);
    EXPECT_EQ(r->packets[2].position, 2);
    EXPECT_EQ(r->barrier_count, 1);
    EXPECT_EQ(r->barriers[0].before_packet, UINT64_MAX);
    EXPECT_STR(r->barriers[0].cause, "dispatch 1 storage write -> pass 0 vertex read");
    bench_close(&b);
}

TEST(frame_dispatch, one_that_writes_what_was_drawn_from_splits_its_pass)
{
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&b.stage);
    const weft_target pass = stage_pass(frame);
    draw_from(&b, frame, b.a);
    dispatch(&b, frame, b.a, WEFT_ACCESS_STORAGE_WRITE);
    draw_from(&b, frame, b.a);
    weft_frame_target_end(frame, pass);
    const weft_device_counters before = weft_device_get_counters(b.stage.f.dev);
    const weft_frame_report *r = submit(frame);
    EXPECT_EQ(weft_device_get_counters(b.stage.f.dev).render_passes, before.render_passes + 2);
    EXPECT_EQ(r->passes[0].parts, 2);
    EXPECT_EQ(r->passes[0].split_bytes, 2 * STAGE_SIZE * STAGE_SIZE * 4); // a store and a load
    EXPECT_STR(r->packets[1].reason, "");
    for (uint32_t i = 0; i < 3; i++)
        EXPECT_EQ(r->packets[i].position, i);
    EXPECT_EQ(r->barrier_count, 2);
    EXPECT_EQ(r->barriers[0].before_packet, 1);
    EXPECT_STR(r->barriers[0].cause, "pass 0 vertex read -> dispatch 1 storage write");
    EXPECT_EQ(r->barriers[1].before_packet, 2);
    // the first one looks ahead: it orders the parts' attachments, too
    EXPECT_EQ(r->barriers[0].producers, WEFT_STAGE_VERTEX_INPUT | WEFT_STAGE_TARGET);
    EXPECT_EQ(r->barriers[0].consumers, WEFT_STAGE_COMPUTE | WEFT_STAGE_TARGET);
    EXPECT_EQ(r->barriers[1].producers, WEFT_STAGE_COMPUTE);
    EXPECT_EQ(r->barriers[1].consumers, WEFT_STAGE_VERTEX_INPUT);
    bench_close(&b);
}

/// A dispatch that samples the target of the pass that it is in.
static void look_at(struct bench *b, weft_frame *frame, weft_target target)
{
    const weft_access access = {.kind = WEFT_ACCESS_SAMPLED,
                                .texture = weft_texture_view_texture(
                                    b->stage.f.dev, weft_frame_target_view(frame, target, 0))};
    weft_frame_dispatch(frame, &(weft_dispatch_packet){.pipeline = b->pipeline,
                                                       .groups = {1, 1, 1},
                                                       .accesses = &access,
                                                       .access_count = 1});
}

/// What is looked at is cleared before, and kept after.
TEST(frame_dispatch, one_that_reads_the_target_sees_it_cleared)
{
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&b.stage);
    const weft_target target = weft_frame_offscreen_target(
        frame, &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM},
                                   .depth_format = WEFT_FORMAT_D32_FLOAT,
                                   .width = 8,
                                   .height = 4});
    const weft_target pass = weft_frame_target_begin(
        frame, target, &(weft_target_ops){.load = WEFT_LOAD_CLEAR, .store = WEFT_STORE_DISCARD});
    look_at(&b, frame, target);
    look_at(&b, frame, target);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *r = submit(frame);
    EXPECT_EQ(r->passes[0].parts, 1); // nothing is drawn after
    EXPECT_EQ(r->passes[0].split_bytes, 0);
    EXPECT_EQ(r->barrier_count, 1); // readers do not wait for each other
    EXPECT_STR(r->barriers[0].cause, "pass 0 color write -> dispatch 0 sampled read");
    bench_close(&b);
}

TEST(frame_dispatch, what_a_split_costs_counts_all_attachments)
{
    const weft_target_ops ops = {
        .load = WEFT_LOAD_CLEAR, .depth_format = WEFT_FORMAT_D32_FLOAT_S8_UINT, .samples = 4};
    const weft_quad quad = {.width = 1, .height = 1};
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&b.stage);
    const weft_target pass = weft_frame_target_begin(frame, weft_frame_present_target(frame), &ops);
    for (uint32_t i = 0; i < 3; i++) {
        weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &quad, .quad_count = 1});
        weft_frame_dispatch(frame, &(weft_dispatch_packet){.pipeline = b.pipeline,
                                                           .groups = {1, 1, 1},
                                                           .order = WEFT_ORDER_STRICT});
    }
    weft_frame_target_end(frame, pass);
    const weft_frame_report *r = submit(frame);
    EXPECT_EQ(r->passes[0].draws, 6);
    EXPECT_EQ(r->passes[0].parts, 3);
    EXPECT_EQ(r->passes[0].split_bytes, 2 * 2 * STAGE_SIZE * STAGE_SIZE * 4 * (4 + 5));
    bench_close(&b);
}

/// Submits draws from a, a dispatch that writes it, and one that has nothing to do with either.
static const weft_frame_report *three(struct bench *b, weft_frame_flags flags, weft_order order,
                                      bool barrier_after)
{
    weft_frame *frame;
    EXPECT_EQ(weft_frame_begin(b->stage.f.dev,
                               &(weft_frame_desc){.surface = b->stage.surface, .flags = flags},
                               &frame),
              WEFT_OK);
    const weft_target pass = stage_pass(frame);
    draw_from(b, frame, b->a);
    const weft_access access = {.kind = WEFT_ACCESS_STORAGE_WRITE, .buffer = b->a};
    weft_dispatch_packet packet = {.pipeline = b->pipeline,
                                   .groups = {1, 1, 1},
                                   .accesses = &access,
                                   .access_count = 1,
                                   .barrier_after = barrier_after};
    weft_frame_dispatch(frame, &packet);
    packet.access_count = 0;
    packet.barrier_after = false;
    packet.order = order;
    weft_frame_dispatch(frame, &packet);
    draw_from(b, frame, b->a);
    weft_frame_target_end(frame, pass);
    return submit(frame);
}

TEST(frame_dispatch, some_are_never_moved)
{
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    const weft_order inherit = WEFT_ORDER_INHERIT, strict = WEFT_ORDER_STRICT;
    EXPECT_EQ(three(&b, 0, inherit, false)->packets[2].position, 0);
    EXPECT_EQ(three(&b, 0, inherit, true)->packets[2].position, 2);
    EXPECT_EQ(three(&b, 0, strict, false)->packets[2].position, 2);
    EXPECT_EQ(three(&b, WEFT_FRAME_REFERENCE, inherit, false)->packets[2].position, 2);
    bench_close(&b);
}

TEST(frame_dispatch, a_pass_may_be_named)
{
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&b.stage);
    const weft_target pass = stage_pass(frame);
    weft_frame_target_end(frame, pass);
    weft_frame_dispatch(frame, &(weft_dispatch_packet){
                                   .pipeline = b.pipeline, .groups = {1, 1, 1}, .target = pass});
    const weft_frame_report *r = submit(frame);
    EXPECT_EQ(r->pass_count, 1);
    EXPECT_EQ(r->packets[0].pass, 0);
    bench_close(&b);
}

/// Whether a pass is drawn or not, what its dispatches write may be needed elsewhere.
TEST(frame_dispatch, those_of_a_pass_that_has_no_image_are_done)
{
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    EXPECT_EQ(weft_surface_configure(b.stage.f.dev, b.stage.surface,
                                     &(weft_surface_config){.format = WEFT_FORMAT_RGBA8_UNORM}),
              WEFT_OK);
    weft_frame *frame;
    EXPECT_EQ(
        weft_frame_begin(b.stage.f.dev, &(weft_frame_desc){.surface = b.stage.surface}, &frame),
        WEFT_SKIP);
    const weft_target pass = stage_pass(frame);
    draw_from(&b, frame, b.a);
    dispatch(&b, frame, b.a, WEFT_ACCESS_STORAGE_WRITE);
    weft_frame_target_end(frame, pass);
    const uint64_t before = weft_device_get_counters(b.stage.f.dev).dispatches;
    const weft_frame_report *r;
    EXPECT_EQ(weft_frame_submit(frame, &r), WEFT_SKIP);
    EXPECT_EQ(weft_device_get_counters(b.stage.f.dev).dispatches, before + 1);
    EXPECT_EQ(r->packets[0].fate, WEFT_FATE_DROPPED);
    EXPECT_EQ(r->packets[1].fate, WEFT_FATE_DRAWN);
    EXPECT_EQ(r->passes[0].parts, 0);
    bench_close(&b);
}

TEST(frame_dispatch, a_split_pass_is_timed_as_one)
{
    struct bench b = bench_open(WEFT_BACKEND_SOFTWARE);
    const weft_frame_report *r =
        three(&b, WEFT_FRAME_REFERENCE | WEFT_FRAME_GPU_TIMES, WEFT_ORDER_INHERIT, true);
    EXPECT_EQ(r->passes[0].parts, 2);
    EXPECT(r->passes[0].gpu_ns > 0);
    r = three(&b, WEFT_FRAME_GPU_TIMES, WEFT_ORDER_INHERIT, false);
    EXPECT(r->passes[0].gpu_ns > 0);
    bench_close(&b);
}

/// One packet of a random pass, as the oracle knows it.
struct random_packet {
    bool dispatch, writes;
    uint32_t buffer;
};

/// Two packets that use one buffer, of which one writes, keep their sequence, unless both are draws
/// (which is for the host to know).
static void expect_legal(const weft_frame_report *r, const struct random_packet *packets,
                         uint32_t count)
{
    bool taken[64] = {false};
    for (uint32_t i = 0; i < count; i++) {
        EXPECT(r->packets[i].position < count && !taken[r->packets[i].position]);
        taken[r->packets[i].position] = true;
        for (uint32_t k = 0; k < i; k++) {
            const struct random_packet *p = &packets[i], *q = &packets[k];
            const bool ordered = p->buffer == q->buffer && (p->writes || q->writes);
            const bool both_draw = !p->dispatch && !q->dispatch;
            if (ordered || both_draw)
                EXPECT(r->packets[k].position < r->packets[i].position);
        }
    }
}

/// What needs no split is not split: a dispatch stays behind a draw only if something tells it to.
static uint32_t fewest_parts(const struct random_packet *packets, uint32_t count)
{
    uint32_t parts = 0;
    bool kept[64] = {false}, open = false;
    for (uint32_t i = 0; i < count; i++) {
        kept[i] = !packets[i].dispatch;
        for (uint32_t k = 0; k < i && packets[i].dispatch; k++)
            kept[i] |= kept[k] && packets[k].buffer == packets[i].buffer &&
                       (packets[k].writes || packets[i].writes);
        parts += !packets[i].dispatch && !open;
        open = kept[i] ? !packets[i].dispatch : open;
    }
    return parts ? parts : 1;
}

TEST(frame_dispatch, random_passes_keep_what_must_be_kept)
{
    enum { PACKETS = 12, ROUNDS = 400 };
    struct bench b = bench_open(WEFT_BACKEND_NOOP);
    const weft_buffer buffers[3] = {b.a, b.b, make_buffer(&b)};
    uint32_t seed = 5;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct random_packet packets[PACKETS];
        weft_frame *frame = stage_begin(&b.stage);
        const weft_target pass = stage_pass(frame);
        for (uint32_t i = 0; i < PACKETS; i++) {
            seed = seed * 1664525u + 1013904223u;
            packets[i] = (struct random_packet){seed >> 31 & 1, seed >> 30 & 1, (seed >> 20) % 3};
            const weft_access access = {.kind = packets[i].writes ? WEFT_ACCESS_STORAGE_WRITE
                                                                  : WEFT_ACCESS_STORAGE_READ,
                                        .buffer = buffers[packets[i].buffer]};
            weft_draw_packet draw = stage_packet(&b.stage, 0);
            draw.accesses = &access;
            draw.access_count = 1;
            if (packets[i].dispatch)
                dispatch(&b, frame, access.buffer, access.kind);
            else
                weft_frame_draw(frame, &draw);
        }
        weft_frame_target_end(frame, pass);
        const weft_frame_report *r = submit(frame);
        expect_legal(r, packets, PACKETS);
        EXPECT_EQ(r->passes[0].parts, fewest_parts(packets, PACKETS));
    }
    weft_buffer_destroy(b.stage.f.dev, buffers[2]);
    bench_close(&b);
}
