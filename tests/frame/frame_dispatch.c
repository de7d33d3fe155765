// Dispatches between passes: what waits for them, what they wait for, in which order they are.
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
