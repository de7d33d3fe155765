#include "frame_stage.h"
#include <stdatomic.h>

/// Each test trips one rule and sees that its frame fails under that code.
static void expect_failed(struct stage *s, weft_frame *frame, weft_rule rule)
{
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_ERROR_USAGE);
    EXPECT(report->diagnostic_count >= 1);
    EXPECT_EQ(report->diagnostics[0].code, rule);
    EXPECT(report->diagnostics[0].hint[0] != '\0');
    EXPECT_EQ(report->drawn, 0);
    EXPECT_EQ(weft_device_get_counters(s->f.dev).submissions, 0);
    stage_close(s);
}

TEST(frame_rules, a_material_needs_a_pipeline)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_material material;
    EXPECT_EQ(weft_material_create(s.f.dev, &(weft_material_desc){0}, &material), WEFT_ERROR_USAGE);
    EXPECT_EQ(fixture_last_rule(&s.f), WEFT_RULE_MATERIAL_PIPELINE_NONE);
    EXPECT_EQ(material.index, 0);
    stage_close(&s);
}

TEST(frame_rules, a_transform_must_fit_the_root_block)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_material material;
    weft_material_desc desc = {.pipeline = s.pipelines[0], .transform_offset = 68};
    EXPECT_EQ(weft_material_create(s.f.dev, &desc, &material), WEFT_ERROR_USAGE);
    EXPECT_EQ(fixture_last_rule(&s.f), WEFT_RULE_MATERIAL_TRANSFORM_OFFSET);
    desc.transform_offset = 2;
    EXPECT_EQ(weft_material_create(s.f.dev, &desc, &material), WEFT_ERROR_USAGE);
    EXPECT_EQ(fixture_last_rule(&s.f), WEFT_RULE_MATERIAL_TRANSFORM_OFFSET);
    desc.transform_offset = 64;
    EXPECT_EQ(weft_material_create(s.f.dev, &desc, &material), WEFT_OK);
    weft_material_destroy(s.f.dev, material);
    stage_close(&s);
}

TEST(frame_rules, counted_accesses_must_be_there)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_material material;
    EXPECT_EQ(weft_material_create(
                  s.f.dev, &(weft_material_desc){.pipeline = s.pipelines[0], .access_count = 1},
                  &material),
              WEFT_ERROR_USAGE);
    EXPECT_EQ(fixture_last_rule(&s.f), WEFT_RULE_MATERIAL_ACCESSES_NULL);
    stage_close(&s);
}

TEST(frame_rules, a_material_dies_once)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_material material;
    EXPECT_EQ(
        weft_material_create(s.f.dev, &(weft_material_desc){.pipeline = s.pipelines[0]}, &material),
        WEFT_OK);
    weft_material_destroy(s.f.dev, material);
    EXPECT_EQ(fixture_count(&s.f), 0);
    weft_material_destroy(s.f.dev, material);
    EXPECT_EQ(fixture_last_rule(&s.f), WEFT_RULE_MATERIAL_STALE);
    weft_material_destroy(s.f.dev, (weft_material){0, 0}); // none: nothing to do
    EXPECT_EQ(fixture_count(&s.f), 1);
    stage_close(&s);
}

/// Every call that takes a frame.
static void use_all(weft_frame *frame)
{
    const weft_texture_view view = weft_frame_target_view(frame, (weft_target){0}, 0);
    EXPECT(weft_texture_view_is_none(view));
    EXPECT(weft_frame_alloc(frame, 4, 4).cpu == NULL);
    EXPECT_EQ(weft_frame_present_target(frame).index, 0);
    EXPECT_EQ(weft_frame_offscreen_target(frame, &(weft_target_desc){0}).index, 0);
    EXPECT_EQ(weft_frame_target_begin(frame, (weft_target){0},
                                      &(weft_target_ops){.load = WEFT_LOAD_CLEAR})
                  .index,
              0);
    weft_frame_target_end(frame, (weft_target){0});
    EXPECT_EQ(weft_frame_layer_push(frame, &(weft_layer_desc){0}).index, 0);
    weft_frame_layer_pop(frame);
    EXPECT_EQ(weft_frame_clip_push(frame, &(weft_rect){0}).index, 0);
    weft_frame_clip_pop(frame);
    EXPECT_EQ(weft_frame_draw(frame, &(weft_draw_packet){0}), UINT64_MAX);
    EXPECT_EQ(weft_frame_draw_mesh(frame, &(weft_draw_packet){0}), UINT64_MAX);
    EXPECT_EQ(weft_frame_draw_instances(frame, &(weft_draw_packet){0}), UINT64_MAX);
    EXPECT_EQ(weft_frame_draw_quads(frame, &(weft_quads_packet){0}), UINT64_MAX);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_ERROR_USAGE);
    EXPECT(report == NULL);
    weft_frame_cancel(frame);
}

TEST(frame_rules, a_null_frame_is_inert)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    use_all(NULL);
    EXPECT_EQ(fixture_count(&s.f), 0);
    weft_frame *frame;
    EXPECT(weft_frame_begin(NULL, &(weft_frame_desc){0}, &frame) < 0);
    EXPECT(frame == NULL);
    stage_close(&s);
}

TEST(frame_rules, a_closed_frame_is_inert_and_every_call_reported)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    EXPECT_EQ(weft_frame_submit(frame, NULL), WEFT_OK);
    fixture_clear(&s.f);
    use_all(frame);
    EXPECT_EQ(fixture_count(&s.f), 16);
    for (uint32_t i = 0; i < fixture_count(&s.f); ++i)
        EXPECT_EQ(s.f.log->codes[i], WEFT_RULE_FRAME_CLOSED);
    stage_close(&s);
}

TEST(frame_rules, a_cancelled_frame_leaves_its_surface_free)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame_cancel(stage_begin(&s));
    EXPECT_EQ(
        weft_surface_configure(s.f.dev, s.surface, &(weft_surface_config){.width = 8, .height = 8}),
        WEFT_OK);
    weft_frame *frame = stage_begin(&s);
    weft_frame_target_end(frame, stage_pass(frame));
    EXPECT_EQ(weft_frame_submit(frame, NULL), WEFT_OK);
    stage_close(&s);
}

TEST(frame_rules, each_packet_is_told_its_own_cause)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    const weft_draw_packet packet = stage_packet(&s, 0);
    weft_frame_draw(frame, &packet);
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, pass);
    weft_graphics_pipeline_destroy(s.f.dev, s.pipelines[0]);
    s.pipelines[0] = (weft_graphics_pipeline){0};
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_ERROR_USAGE);
    EXPECT_EQ(report->diagnostic_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        EXPECT_EQ(report->packets[i].fate, WEFT_FATE_FAILED);
        EXPECT_EQ(report->packets[i].code, WEFT_RULE_HANDLE_STALE);
    }
    stage_close(&s);
}

struct killer {
    weft_device *dev;
    weft_material material;
    atomic_uint go;
};

static void *kill_material(void *user)
{
    struct killer *killer = user;
    while (!atomic_load(&killer->go))
        ;
    weft_material_destroy(killer->dev, killer->material);
    return NULL;
}

TEST(frame_rules, a_material_may_die_on_another_thread_during_submit)
{
    enum { PACKETS = 256 };
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    const weft_access access = {.kind = WEFT_ACCESS_VERTEX, .buffer = s.vertices};
    for (uint32_t round = 0; round < 50; round++) {
        struct killer killer = {.dev = s.f.dev};
        const weft_material_desc desc = {
            .pipeline = s.pipelines[0], .accesses = &access, .access_count = 1};
        EXPECT_EQ(weft_material_create(s.f.dev, &desc, &killer.material), WEFT_OK);
        pthread_t thread;
        EXPECT_EQ(pthread_create(&thread, NULL, kill_material, &killer), 0);
        weft_frame *frame = stage_begin(&s);
        const weft_target pass = stage_pass(frame);
        weft_draw_packet packet = stage_packet(&s, 0);
        packet.material = killer.material;
        for (uint32_t i = 0; i < PACKETS; i++)
            weft_frame_draw(frame, &packet);
        weft_frame_target_end(frame, pass);
        atomic_store(&killer.go, 1);
        const weft_frame_report *report;
        const weft_result result = weft_frame_submit(frame, &report);
        EXPECT(result == WEFT_OK || result == WEFT_ERROR_USAGE);
        EXPECT_EQ(report->drawn, result == WEFT_OK ? PACKETS : 0);
        pthread_join(thread, NULL);
        fixture_clear(&s.f); // each packet may have been told of, more than the log remembers
        weft_material_destroy(s.f.dev, killer.material); // once more
        EXPECT_EQ(fixture_last_rule(&s.f), WEFT_RULE_MATERIAL_STALE);
        fixture_clear(&s.f);
    }
    stage_close(&s);
}

TEST(frame_rules, error_scopes_of_the_host_stay_when_there_is_no_room_for_more)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    uint32_t pushed = 0;
    while (weft_error_scope_push(s.f.dev, WEFT_SEVERITY_ERROR) == WEFT_OK)
        pushed++;
    weft_frame *frame = stage_begin(&s);
    weft_frame_target_end(frame, stage_pass(frame));
    EXPECT_EQ(weft_frame_submit(frame, NULL), WEFT_OK);
    for (uint32_t i = 0; i < pushed; i++)
        EXPECT_EQ(weft_error_scope_pop(s.f.dev, NULL), WEFT_OK);
    EXPECT_EQ(weft_error_scope_pop(s.f.dev, NULL), WEFT_ERROR_USAGE);
    stage_close(&s);
}

TEST(frame_rules, one_frame_at_a_time)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s), *second;
    EXPECT_EQ(weft_frame_begin(s.f.dev, &(weft_frame_desc){0}, &second), WEFT_ERROR_USAGE);
    EXPECT(second == NULL);
    EXPECT_EQ(fixture_last_rule(&s.f), WEFT_RULE_FRAME_OPEN);
    weft_frame_cancel(frame);
    stage_close(&s);
}

TEST(frame_rules, a_target_is_of_this_frame)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target old = weft_frame_present_target(frame);
    weft_frame_cancel(frame);
    frame = stage_begin(&s);
    weft_frame_target_begin(frame, old, &(weft_target_ops){.load = WEFT_LOAD_CLEAR});
    expect_failed(&s, frame, WEFT_RULE_FRAME_TARGET_NAME);
}

TEST(frame_rules, the_views_of_a_target_live)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    weft_frame_offscreen_target(frame, &(weft_target_desc){.colors[0] = {77, 77}});
    expect_failed(&s, frame, WEFT_RULE_FRAME_TARGET_VIEW);
}

TEST(frame_rules, a_transient_target_has_a_size)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    weft_frame_offscreen_target(
        frame, &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM}, .width = 4});
    expect_failed(&s, frame, WEFT_RULE_FRAME_TARGET_SIZE);
}

TEST(frame_rules, a_target_is_not_empty)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    weft_frame_offscreen_target(frame, &(weft_target_desc){.width = 4, .height = 4});
    expect_failed(&s, frame, WEFT_RULE_FRAME_TARGET_EMPTY);
}

TEST(frame_rules, samples_are_only_added_to_one)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target target = weft_frame_offscreen_target(
        frame,
        &(weft_target_desc){
            .color_formats = {WEFT_FORMAT_RGBA8_UNORM}, .width = 4, .height = 4, .samples = 4});
    weft_frame_target_end(
        frame, weft_frame_target_begin(frame, target,
                                       &(weft_target_ops){.load = WEFT_LOAD_CLEAR, .samples = 2}));
    expect_failed(&s, frame, WEFT_RULE_FRAME_TARGET_SAMPLES);
}

TEST(frame_rules, a_load_is_named)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    weft_frame_target_begin(frame, weft_frame_present_target(frame), &(weft_target_ops){0});
    expect_failed(&s, frame, WEFT_RULE_FRAME_LOAD_UNSPECIFIED);
}

TEST(frame_rules, undefined_contents_are_not_loaded)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target target = weft_frame_offscreen_target(
        frame,
        &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM}, .width = 4, .height = 4});
    weft_frame_target_begin(frame, target, &(weft_target_ops){.load = WEFT_LOAD_LOAD});
    expect_failed(&s, frame, WEFT_RULE_FRAME_LOAD_UNDEFINED);
}

TEST(frame_rules, samples_of_one_pass_are_not_loaded)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    weft_frame_target_begin(frame, weft_frame_present_target(frame),
                            &(weft_target_ops){.load = WEFT_LOAD_LOAD, .samples = 4});
    expect_failed(&s, frame, WEFT_RULE_FRAME_LOAD_UNDEFINED);
}

TEST(frame_rules, depths_of_one_pass_are_not_loaded)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    weft_frame_target_begin(frame, weft_frame_present_target(frame),
                            &(weft_target_ops){.load = WEFT_LOAD_CLEAR,
                                               .depth_load = WEFT_LOAD_LOAD,
                                               .depth_format = WEFT_FORMAT_D32_FLOAT});
    expect_failed(&s, frame, WEFT_RULE_FRAME_LOAD_UNDEFINED);
}

TEST(frame_rules, discarded_contents_are_not_loaded)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target target = weft_frame_offscreen_target(
        frame,
        &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM}, .width = 4, .height = 4});
    weft_frame_target_end(frame,
                          weft_frame_target_begin(frame, target,
                                                  &(weft_target_ops){.load = WEFT_LOAD_CLEAR,
                                                                     .store = WEFT_STORE_DISCARD}));
    weft_frame_target_begin(frame, target, &(weft_target_ops){.load = WEFT_LOAD_LOAD});
    expect_failed(&s, frame, WEFT_RULE_FRAME_LOAD_UNDEFINED);
}

TEST(frame_rules, passes_do_not_nest)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target outer = stage_pass(frame);
    stage_pass(frame);
    weft_frame_target_end(frame, outer);
    expect_failed(&s, frame, WEFT_RULE_FRAME_PASS_NESTED);
}

TEST(frame_rules, passes_end)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    stage_pass(frame);
    expect_failed(&s, frame, WEFT_RULE_FRAME_PASS_UNBALANCED);
}

TEST(frame_rules, a_layer_is_of_this_frame)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.layer = (weft_layer){9, 9};
    EXPECT(weft_frame_draw(frame, &packet) == UINT64_MAX);
    weft_frame_target_end(frame, pass);
    expect_failed(&s, frame, WEFT_RULE_FRAME_LAYER_NAME);
}

TEST(frame_rules, layers_are_popped)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    weft_frame_layer_pop(frame);
    expect_failed(&s, frame, WEFT_RULE_FRAME_LAYER_UNBALANCED);
}

TEST(frame_rules, a_layer_left_open_is_named)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    weft_frame_layer_push(frame, &(weft_layer_desc){.name = "ui"});
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_ERROR_USAGE);
    EXPECT_EQ(report->diagnostics[0].code, WEFT_RULE_FRAME_LAYER_UNBALANCED);
    EXPECT_STR(report->diagnostics[0].layer, "ui");
    stage_close(&s);
}

TEST(frame_rules, a_clip_is_of_this_frame)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.clip = (weft_clip){9, 9};
    EXPECT(weft_frame_draw(frame, &packet) == UINT64_MAX);
    weft_frame_target_end(frame, pass);
    expect_failed(&s, frame, WEFT_RULE_FRAME_CLIP_NAME);
}

TEST(frame_rules, clips_are_popped)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    weft_frame_clip_push(frame, &(weft_rect){0, 0, 1, 1});
    expect_failed(&s, frame, WEFT_RULE_FRAME_CLIP_UNBALANCED);
}

TEST(frame_rules, an_order_is_one_of_the_modes)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    weft_frame_layer_push(frame, &(weft_layer_desc){.order = (weft_order)9});
    expect_failed(&s, frame, WEFT_RULE_FRAME_ORDER);
}

TEST(frame_rules, a_packet_is_never_looser_than_its_layer)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    weft_frame_layer_push(frame, &(weft_layer_desc){.name = "ui", .order = WEFT_ORDER_STRICT});
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.order = WEFT_ORDER_SORTABLE;
    EXPECT(weft_frame_draw(frame, &packet) == UINT64_MAX);
    weft_frame_layer_pop(frame);
    weft_frame_target_end(frame, pass);
    expect_failed(&s, frame, WEFT_RULE_FRAME_ORDER_LOOSER);
}

TEST(frame_rules, keys_are_shifted_by_less_than_64)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    weft_frame_layer_push(frame, &(weft_layer_desc){.key_shift = 64});
    expect_failed(&s, frame, WEFT_RULE_FRAME_KEY_SHIFT);
}

TEST(frame_rules, a_packet_has_a_pass)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_draw_packet packet = stage_packet(&s, 0);
    EXPECT(weft_frame_draw(frame, &packet) == UINT64_MAX);
    expect_failed(&s, frame, WEFT_RULE_FRAME_PACKET_NO_PASS);
}

TEST(frame_rules, quads_go_through_their_own_function)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.kind = WEFT_PACKET_QUADS;
    EXPECT(weft_frame_draw(frame, &packet) == UINT64_MAX);
    weft_frame_target_end(frame, pass);
    expect_failed(&s, frame, WEFT_RULE_FRAME_PACKET_KIND);
}

TEST(frame_rules, counted_arrays_must_be_there)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    EXPECT(weft_frame_draw_quads(frame, &(weft_quads_packet){.quad_count = 3}) == UINT64_MAX);
    weft_frame_target_end(frame, pass);
    expect_failed(&s, frame, WEFT_RULE_FRAME_PACKET_NULL);
}

TEST(frame_rules, a_material_lives_until_the_frame_is_submitted)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_material material;
    EXPECT_EQ(
        weft_material_create(s.f.dev, &(weft_material_desc){.pipeline = s.pipelines[0]}, &material),
        WEFT_OK);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.material = material;
    EXPECT_EQ(weft_frame_draw(frame, &packet), 0);
    weft_frame_target_end(frame, pass);
    weft_material_destroy(s.f.dev, material);
    expect_failed(&s, frame, WEFT_RULE_FRAME_MATERIAL);
}

TEST(frame_rules, root_data_fits_the_root_block)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    const uint32_t data[2] = {1, 2};
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.root = data;
    packet.root_size = 8;
    packet.root_offset = 124;
    EXPECT(weft_frame_draw(frame, &packet) == UINT64_MAX);
    weft_frame_target_end(frame, pass);
    expect_failed(&s, frame, WEFT_RULE_FRAME_ROOT_RANGE);
}

TEST(frame_rules, root_data_leaves_the_transform_alone)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    const uint32_t data[2] = {1, 2};
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.root = data;
    packet.root_size = 8;
    packet.root_offset = 60;
    EXPECT(weft_frame_draw(frame, &packet) == UINT64_MAX);
    weft_frame_target_end(frame, pass);
    expect_failed(&s, frame, WEFT_RULE_FRAME_ROOT_OVERLAP);
}

TEST(frame_rules, an_instance_stream_has_a_stride)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.instances = (weft_instance_view){.buffer = s.vertices, .count = 1};
    EXPECT(weft_frame_draw_instances(frame, &packet) == UINT64_MAX);
    weft_frame_target_end(frame, pass);
    expect_failed(&s, frame, WEFT_RULE_FRAME_INSTANCE_STRIDE);
}

TEST(frame_rules, own_quads_draw_to_one_color)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target target = weft_frame_offscreen_target(
        frame,
        &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_RGBA8_UNORM},
                            .width = 4,
                            .height = 4});
    const weft_target pass =
        weft_frame_target_begin(frame, target, &(weft_target_ops){.load = WEFT_LOAD_CLEAR});
    const weft_quad quad = {.width = 1, .height = 1};
    EXPECT(weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &quad, .quad_count = 1}) ==
           UINT64_MAX);
    weft_frame_target_end(frame, pass);
    expect_failed(&s, frame, WEFT_RULE_FRAME_QUAD_TARGET);
}

TEST(frame_rules, quads_have_32_bit_indices)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    const weft_quad quad = {.width = 1, .height = 1};
    const weft_quads_packet packet = {.quads = &quad, .quad_count = UINT32_MAX / 6 + 1};
    EXPECT(weft_frame_draw_quads(frame, &packet) == UINT64_MAX);
    weft_frame_target_end(frame, pass);
    expect_failed(&s, frame, WEFT_RULE_FRAME_QUAD_COUNT);
}

TEST(frame_rules, a_pass_does_not_read_what_it_draws)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target target = weft_frame_offscreen_target(
        frame,
        &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM}, .width = 4, .height = 4});
    const weft_target pass =
        weft_frame_target_begin(frame, target, &(weft_target_ops){.load = WEFT_LOAD_CLEAR});
    const weft_quad quad = {.width = 1, .height = 1};
    weft_frame_draw_quads(frame,
                          &(weft_quads_packet){.quads = &quad,
                                               .quad_count = 1,
                                               .view = weft_frame_target_view(frame, target, 0)});
    weft_frame_target_end(frame, pass);
    expect_failed(&s, frame, WEFT_RULE_FRAME_FEEDBACK_LOOP);
}

TEST(frame_rules, quads_that_core_refuses_are_in_the_report)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_texture texture;
    weft_texture_view view;
    EXPECT_EQ(weft_texture_create(s.f.dev,
                                  &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                                       .width = 4,
                                                       .height = 4,
                                                       .usage = WEFT_TEXTURE_USAGE_RENDER},
                                  &texture),
              WEFT_OK);
    EXPECT_EQ(
        weft_texture_view_create(s.f.dev, &(weft_texture_view_desc){.texture = texture}, &view),
        WEFT_OK);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    const weft_quad quad = {.width = 1, .height = 1};
    weft_quads_packet packet = {.quads = &quad, .quad_count = 1};
    EXPECT_EQ(weft_frame_draw_quads(frame, &packet), 0);
    packet.view = view;
    EXPECT(weft_frame_draw_quads(frame, &packet) == UINT64_MAX);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_ERROR_USAGE);
    EXPECT_EQ(report->packet_count, 2);
    EXPECT_EQ(report->packets[1].fate, WEFT_FATE_FAILED);
    EXPECT_EQ(report->packets[1].code, WEFT_RULE_ARGUMENT_TEXTURE_USAGE);
    EXPECT(report->diagnostic_count >= 1);
    EXPECT_EQ(report->diagnostics[0].code, WEFT_RULE_ARGUMENT_TEXTURE_USAGE);
    weft_texture_view_destroy(s.f.dev, view);
    weft_texture_destroy(s.f.dev, texture);
    stage_close(&s);
}

/// A packet, changed by the test, that is refused.
static void expect_refused(struct stage *s, const weft_draw_packet *packet, weft_rule rule)
{
    weft_frame *frame = stage_begin(s);
    const weft_target pass = stage_pass(frame);
    EXPECT(weft_frame_draw(frame, packet) == UINT64_MAX);
    weft_frame_target_end(frame, pass);
    expect_failed(s, frame, rule);
}

TEST(frame_rules, a_target_has_views_or_formats)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target target = weft_frame_offscreen_target(
        frame,
        &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM}, .width = 4, .height = 4});
    weft_frame_offscreen_target(
        frame, &(weft_target_desc){.colors[0] = weft_frame_target_view(frame, target, 0),
                                   .depth_format = WEFT_FORMAT_D32_FLOAT});
    expect_failed(&s, frame, WEFT_RULE_FRAME_TARGET_PARTS);
}

TEST(frame_rules, a_resolve_has_its_color)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target target = weft_frame_offscreen_target(
        frame,
        &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM}, .width = 4, .height = 4});
    const weft_texture_view view = weft_frame_target_view(frame, target, 0);
    weft_frame_offscreen_target(frame, &(weft_target_desc){.colors[0] = view, .resolves[1] = view});
    expect_failed(&s, frame, WEFT_RULE_FRAME_TARGET_PARTS);
}

TEST(frame_rules, a_target_has_one_depth_buffer)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target target = weft_frame_offscreen_target(
        frame, &(weft_target_desc){.depth_format = WEFT_FORMAT_D32_FLOAT, .width = 4, .height = 4});
    weft_frame_target_begin(frame, target,
                            &(weft_target_ops){.depth_format = WEFT_FORMAT_D32_FLOAT});
    expect_failed(&s, frame, WEFT_RULE_FRAME_TARGET_DEPTH);
}

TEST(frame_rules, quads_have_a_material_or_a_view)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target target = weft_frame_offscreen_target(
        frame,
        &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM}, .width = 4, .height = 4});
    const weft_target pass = stage_pass(frame);
    const weft_quad quad = {.width = 1, .height = 1};
    const weft_quads_packet packet = {.material = s.materials[0],
                                      .quads = &quad,
                                      .quad_count = 1,
                                      .view = weft_frame_target_view(frame, target, 0)};
    EXPECT(weft_frame_draw_quads(frame, &packet) == UINT64_MAX);
    weft_frame_target_end(frame, pass);
    expect_failed(&s, frame, WEFT_RULE_FRAME_QUAD_VIEW);
}

TEST(frame_rules, an_access_is_of_one_resource)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    const weft_access nothing = {.kind = WEFT_ACCESS_SAMPLED};
    weft_material material;
    EXPECT_EQ(weft_material_create(s.f.dev,
                                   &(weft_material_desc){.pipeline = s.pipelines[0],
                                                         .accesses = &nothing,
                                                         .access_count = 1},
                                   &material),
              WEFT_ERROR_USAGE);
    EXPECT_EQ(fixture_last_rule(&s.f), WEFT_RULE_FRAME_ACCESS_RESOURCE);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.accesses = &nothing;
    packet.access_count = 1;
    expect_refused(&s, &packet, WEFT_RULE_FRAME_ACCESS_RESOURCE);
}

TEST(frame_rules, a_transform_has_a_place)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_material material;
    EXPECT_EQ(weft_material_create(s.f.dev,
                                   &(weft_material_desc){.pipeline = s.pipelines[0],
                                                         .transform_offset = WEFT_NO_TRANSFORM},
                                   &material),
              WEFT_OK);
    const float transform[16] = {1};
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.material = material;
    packet.transform = transform;
    expect_refused(&s, &packet, WEFT_RULE_FRAME_TRANSFORM_UNUSED);
}

TEST(frame_rules, indirect_arguments_are_tight)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.indirect = (weft_indirect_view){.buffer = s.vertices, .stride = 20};
    expect_refused(&s, &packet, WEFT_RULE_FRAME_INDIRECT);
}

TEST(frame_rules, a_count_needs_its_arguments)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.indirect = (weft_indirect_view){.count_buffer = s.vertices};
    expect_refused(&s, &packet, WEFT_RULE_FRAME_INDIRECT);
}

TEST(frame_rules, an_access_is_of_a_kind)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.accesses = &(weft_access){.buffer = s.vertices};
    packet.access_count = 1;
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, pass);
    expect_failed(&s, frame, WEFT_RULE_FRAME_ACCESS_KIND);
}

TEST(frame_rules, a_surface_that_nothing_is_drawn_to_is_not_presented)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK); // it works
    EXPECT(!report->presented);
    EXPECT_EQ(report->diagnostic_count, 1);
    EXPECT_EQ(report->diagnostics[0].code, WEFT_RULE_FRAME_NOT_PRESENTED);
    EXPECT_EQ(s.f.log->severity, WEFT_SEVERITY_WARNING);
    EXPECT(fixture_took(&s.f, WEFT_RULE_FRAME_NOT_PRESENTED));
    frame = stage_begin(&s); // a pass is enough, though it only clears
    weft_frame_target_end(frame, stage_pass(frame));
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT(report->presented);
    EXPECT_EQ(fixture_count(&s.f), 0);
    stage_close(&s);
}

TEST(frame_rules, an_open_frame_is_told_of_at_shutdown)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_frame *frame;
    EXPECT_EQ(weft_frame_begin(f.dev, &(weft_frame_desc){.label = "forgotten"}, &frame), WEFT_OK);
    fixture_end(&f);
    EXPECT_EQ(f.log->severity, WEFT_SEVERITY_WARNING);
    EXPECT(strstr(f.log->message, "\"forgotten\"") != NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_OBJECT_LEAKED));
    fixture_free(&f);
}

TEST(frame_rules, a_dispatch_needs_a_pipeline)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    EXPECT_EQ(weft_frame_dispatch(frame, &(weft_dispatch_packet){.groups = {1, 1, 1}}), UINT64_MAX);
    weft_frame_target_end(frame, stage_pass(frame));
    expect_failed(&s, frame, WEFT_RULE_FRAME_DISPATCH_PIPELINE);
}
