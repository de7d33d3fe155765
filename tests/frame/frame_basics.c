#include "frame_stage.h"
#include "support/json.h"

#include <string.h>

TEST(frame, a_mesh_is_drawn_and_presented)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    const weft_draw_packet packet = stage_packet(&s, 0);
    EXPECT_EQ(weft_frame_draw_mesh(frame, &packet), 0);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT(report->presented);
    EXPECT_EQ(report->drawn, 1);
    EXPECT_EQ(report->pass_count, 1);
    EXPECT_EQ(report->passes[0].draws, 1);
    EXPECT(report->passes[0].present);
    EXPECT_EQ(weft_device_get_counters(s.f.dev).draws, 1);
    EXPECT_EQ(fixture_count(&s.f), 0);
    stage_close(&s);
}

TEST(frame, quads_and_instances_are_drawn)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.instances.count = 7;
    EXPECT_EQ(weft_frame_draw_instances(frame, &packet), 0);
    const weft_quad quad = {.width = 4, .height = 4, .color = {1, 1, 1, 1}};
    const weft_quads_packet quads = {.quads = &quad, .quad_count = 1};
    EXPECT_EQ(weft_frame_draw_quads(frame, &quads), 1);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->drawn, 2);
    EXPECT_EQ(report->packets[1].kind, WEFT_PACKET_QUADS);
    stage_close(&s);
}

TEST(frame, what_draws_nothing_is_dropped_with_its_reason)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.geometry.count = 0;
    weft_frame_draw(frame, &packet);
    packet.geometry.count = 3;
    weft_frame_clip_push(frame, &(weft_rect){0, 0, 4, 4});
    weft_frame_clip_push(frame, &(weft_rect){4, 0, 4, 4});
    weft_frame_draw(frame, &packet);
    weft_frame_clip_pop(frame);
    weft_frame_clip_pop(frame);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->dropped, 2);
    EXPECT_STR(report->packets[0].reason, "it has nothing to draw");
    EXPECT_STR(report->packets[1].reason, "its clip is empty");
    EXPECT_EQ(weft_device_get_counters(s.f.dev).draws, 0);
    stage_close(&s);
}

TEST(frame, a_surface_without_size_is_skipped_and_reported)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    EXPECT_EQ(weft_surface_configure(
                  s.f.dev, s.surface,
                  &(weft_surface_config){.height = 4, .format = WEFT_FORMAT_RGBA8_UNORM}),
              WEFT_OK);
    weft_frame *frame;
    EXPECT_EQ(weft_frame_begin(s.f.dev, &(weft_frame_desc){.surface = s.surface}, &frame),
              WEFT_SKIP);
    const weft_target pass = stage_pass(frame);
    const weft_draw_packet packet = stage_packet(&s, 0);
    EXPECT_EQ(weft_frame_draw(frame, &packet), 0);
    const weft_quad quad = {.width = 1, .height = 1};
    EXPECT_EQ(weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &quad, .quad_count = 1}),
              1);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_SKIP);
    EXPECT(!report->presented);
    EXPECT_EQ(report->dropped, 2);
    EXPECT_STR(report->packets[0].reason, "the surface has no size or is not visible");
    stage_close(&s);
}

TEST(frame, a_failed_frame_leaves_the_device_usable)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    weft_draw_packet packet = stage_packet(&s, 0);
    EXPECT(weft_frame_draw(frame, &packet) == UINT64_MAX); // no pass is open
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_ERROR_USAGE);
    EXPECT_EQ(report->diagnostic_count, 1);
    EXPECT_EQ(report->diagnostics[0].code, WEFT_RULE_FRAME_PACKET_NO_PASS);
    EXPECT_EQ(report->diagnostics[0].sequence, 0);
    EXPECT_EQ(report->serial, 0);
    frame = stage_begin(&s);
    weft_frame_target_end(frame, stage_pass(frame));
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT(report->presented);
    stage_close(&s);
}

/// The first frame of a device has nothing from earlier ones.
TEST(frame, a_pass_without_packets_clears)
{
    struct stage s = stage_open(WEFT_BACKEND_SOFTWARE);
    weft_frame *frame = stage_begin(&s);
    const weft_target_ops ops = {.load = WEFT_LOAD_CLEAR, .clear[0] = {.f = {0, 1, 0, 1}}};
    weft_frame_target_end(frame,
                          weft_frame_target_begin(frame, weft_frame_present_target(frame), &ops));
    EXPECT_EQ(weft_frame_submit(frame, NULL), WEFT_OK);
    static uint8_t texels[STAGE_SIZE * STAGE_SIZE][4];
    EXPECT_EQ(weft_surface_read(s.f.dev, s.surface, texels, sizeof texels), WEFT_OK);
    for (uint32_t i = 0; i < STAGE_SIZE * STAGE_SIZE; i++)
        EXPECT(texels[i][1] == 255 && texels[i][0] == 0);
    stage_close(&s);
}

TEST(frame, a_refused_packet_is_in_the_report_under_its_number)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    weft_draw_packet packet = stage_packet(&s, 0);
    EXPECT(weft_frame_draw(frame, &packet) == UINT64_MAX); // no pass is open
    const weft_target pass = stage_pass(frame);
    packet.layer = (weft_layer){7, 7};
    EXPECT(weft_frame_draw(frame, &packet) == UINT64_MAX);
    packet = stage_packet(&s, 0);
    EXPECT_EQ(weft_frame_draw(frame, &packet), 2);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_ERROR_USAGE);
    EXPECT_EQ(report->packet_count, 3);
    EXPECT_EQ(report->failed, 2);
    EXPECT_EQ(report->packets[0].fate, WEFT_FATE_FAILED);
    EXPECT_EQ(report->packets[0].code, WEFT_RULE_FRAME_PACKET_NO_PASS);
    EXPECT_EQ(report->packets[0].pass, UINT32_MAX);
    EXPECT_EQ(report->packets[1].code, WEFT_RULE_FRAME_LAYER_NAME);
    EXPECT_EQ(report->packets[1].layer, UINT32_MAX);
    EXPECT_EQ(report->diagnostics[1].sequence, 1);
    EXPECT_EQ(report->packets[2].fate, WEFT_FATE_DROPPED);
    EXPECT_STR(report->packets[2].reason, "the frame failed");
    EXPECT_EQ(report->passes[0].packets, 0);
    char *text;
    EXPECT_EQ(weft_frame_report_write(report, WEFT_REPORT_TEXT, &text), WEFT_OK);
    EXPECT(strstr(text, "#0 mesh, layer '': failed: W0830, it broke a rule\n"));
    weft_text_free(text);
    EXPECT_EQ(weft_frame_report_write(report, WEFT_REPORT_JSON, &text), WEFT_OK);
    EXPECT(strstr(text, "{\"sequence\": 1, \"kind\": \"mesh\", \"pass\": 0, \"fate\": \"failed\", "
                        "\"code\": \"W0820\""));
    EXPECT(json_is_valid(text));
    weft_text_free(text);
    stage_close(&s);
}

TEST(frame, a_report_tells_severities_and_only_codes_of_rules)
{
    const weft_frame_diagnostic diagnostics[] = {
        {0, WEFT_SEVERITY_PERFORMANCE, UINT64_MAX, "", "slow", ""},
        {WEFT_RULE_FRAME_OPEN, WEFT_SEVERITY_ERROR, 3, "", "bad", ""},
    };
    const weft_frame_report report = {
        .label = "", .diagnostics = diagnostics, .diagnostic_count = 2};
    char *text;
    EXPECT_EQ(weft_frame_report_write(&report, WEFT_REPORT_TEXT, &text), WEFT_OK);
    EXPECT(strstr(text, "  performance: slow\n  error W0810 packet #3: bad\n"));
    weft_text_free(text);
    EXPECT_EQ(weft_frame_report_write(&report, WEFT_REPORT_JSON, &text), WEFT_OK);
    EXPECT(strstr(text, "{\"severity\": \"performance\", "));
    EXPECT(strstr(text, "{\"code\": \"W0810\", \"severity\": \"error\", \"sequence\": 3, "));
    EXPECT(json_is_valid(text));
    weft_text_free(text);
}

TEST(frame, a_canceled_frame_draws_nothing)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    stage_pass(frame);
    weft_frame_cancel(frame);
    frame = stage_begin(&s);
    EXPECT_EQ(weft_device_get_counters(s.f.dev).submissions, 0);
    weft_frame_cancel(frame);
    stage_close(&s);
}

TEST(frame, what_the_device_refuses_names_the_packet)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    weft_draw_packet packet = stage_packet(&s, 0);
    weft_frame_draw(frame, &packet);
    packet.geometry.stream_count = 0; // the pipeline needs slot 0
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK); // slot 0 is still bound: legal
    frame = stage_begin(&s);
    const weft_target alone = stage_pass(frame);
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, alone);
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_ERROR_USAGE);
    EXPECT_EQ(report->failed, 1);
    EXPECT(report->diagnostic_count >= 1);
    EXPECT_EQ(report->diagnostics[0].sequence, 0);
    stage_close(&s);
}

/// A frame with all kinds of packets, as a program would repeat it.
static void busy_frame(struct stage *s)
{
    weft_frame *frame = stage_begin(s);
    const weft_target offscreen = weft_frame_offscreen_target(
        frame, &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM},
                                   .depth_format = WEFT_FORMAT_D32_FLOAT,
                                   .width = 8,
                                   .height = 8,
                                   .samples = 4});
    const weft_quad quad = {.width = 4, .height = 4, .u1 = 1, .v1 = 1, .color = {1, 1, 1, 1}};
    const weft_target first =
        weft_frame_target_begin(frame, offscreen, &(weft_target_ops){.load = WEFT_LOAD_CLEAR});
    weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &quad, .quad_count = 1});
    weft_frame_target_end(frame, first);
    const weft_target second = stage_pass(frame);
    weft_frame_layer_push(frame, &(weft_layer_desc){.name = "world", .order = WEFT_ORDER_DEPTH});
    for (uint32_t i = 0; i < 50; i++) {
        weft_draw_packet packet = stage_packet(s, i % 4);
        packet.sort_key = i * 7 % 50;
        weft_frame_draw(frame, &packet);
    }
    weft_frame_layer_pop(frame);
    weft_frame_draw_quads(
        frame, &(weft_quads_packet){.quads = &quad,
                                    .quad_count = 1,
                                    .view = weft_frame_target_view(frame, offscreen, 0)});
    weft_frame_target_end(frame, second);
    EXPECT_EQ(weft_frame_submit(frame, NULL), WEFT_OK);
}

TEST(frame, a_steady_state_allocates_nothing)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    for (uint32_t i = 0; i < 8; i++)
        busy_frame(&s);
    const uint64_t before = weft_device_get_counters(s.f.dev).allocations;
    for (uint32_t i = 0; i < 32; i++)
        busy_frame(&s);
    EXPECT_EQ(weft_device_get_counters(s.f.dev).allocations, before);
    stage_close(&s);
}

/// A frame of one offscreen pass and one on the surface, timed.
static const weft_frame_report *timed_frame(struct stage *s, weft_result expected)
{
    weft_frame *frame;
    EXPECT_EQ(weft_frame_begin(s->f.dev,
                               &(weft_frame_desc){.surface = s->surface,
                                                  .flags = WEFT_FRAME_CHECK | WEFT_FRAME_GPU_TIMES},
                               &frame),
              expected);
    const weft_target_ops ops = {.load = WEFT_LOAD_CLEAR};
    const weft_target shown =
        weft_frame_target_begin(frame, weft_frame_present_target(frame), &ops);
    const weft_draw_packet packet = stage_packet(s, 0);
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, shown);
    const weft_target offscreen = weft_frame_offscreen_target(
        frame, &(weft_target_desc){
                   .color_formats = {WEFT_FORMAT_RGBA8_UNORM}, .width = 256, .height = 256});
    const weft_target pass = weft_frame_target_begin(frame, offscreen, &ops);
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), expected);
    EXPECT_EQ(report->pass_count, 2);
    EXPECT_EQ(report->gpu_ns, report->passes[0].gpu_ns + report->passes[1].gpu_ns);
    return report;
}

/// Packets of four materials in one sorted layer; returns the report of the second such frame.
static const weft_frame_report *large_frame(struct stage *s, uint32_t count)
{
    const weft_frame_report *report = NULL;
    for (uint32_t round = 0; round < 2; round++) {
        weft_frame *frame = stage_begin(s);
        const weft_target pass = stage_pass(frame);
        weft_frame_layer_push(frame, &(weft_layer_desc){.order = WEFT_ORDER_SORTABLE});
        for (uint32_t i = 0; i < count; i++) {
            weft_draw_packet packet = stage_packet(s, i % 4);
            packet.sort_key = i * 2654435761u % 64;
            EXPECT_EQ(weft_frame_draw(frame, &packet), i);
        }
        weft_frame_layer_pop(frame);
        weft_frame_target_end(frame, pass);
        EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
        EXPECT_EQ(report->drawn, count);
    }
    return report;
}

TEST(frame, a_hundred_thousand_packets_are_sorted_to_few_state_changes)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    const weft_frame_report *report = large_frame(&s, 100000);
    EXPECT(report->state_changes <= 64 * 4);
    stage_close(&s);
}

TEST(frame, passes_are_timed_on_request)
{
    struct stage s = stage_open(WEFT_BACKEND_SOFTWARE);
    EXPECT(weft_device_capabilities(s.f.dev)->features & WEFT_FEATURE_TIMESTAMPS);
    const weft_frame_report *report = timed_frame(&s, WEFT_OK);
    EXPECT(report->passes[0].gpu_ns > 0);
    EXPECT(report->passes[1].gpu_ns > 0);
    // a pass that is dropped takes no time, whatever an earlier frame left behind
    EXPECT_EQ(weft_surface_configure(
                  s.f.dev, s.surface,
                  &(weft_surface_config){.height = 4, .format = WEFT_FORMAT_RGBA8_UNORM}),
              WEFT_OK);
    report = timed_frame(&s, WEFT_SKIP);
    EXPECT_EQ(report->passes[0].gpu_ns, 0);
    EXPECT(report->passes[1].gpu_ns > 0);
    EXPECT_EQ(fixture_count(&s.f), 0);
    stage_close(&s);
}

TEST(frame, passes_are_not_timed_unasked)
{
    struct stage s = stage_open(WEFT_BACKEND_SOFTWARE);
    weft_frame *frame = stage_begin(&s);
    weft_frame_target_end(frame, stage_pass(frame));
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->gpu_ns, 0);
    stage_close(&s);
}

TEST(frame, the_report_is_written_as_text_and_json)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame;
    EXPECT_EQ(weft_frame_begin(
                  s.f.dev, &(weft_frame_desc){.surface = s.surface, .label = "a \"quoted\" frame"},
                  &frame),
              WEFT_OK);
    const weft_target pass = stage_pass(frame);
    const weft_draw_packet packet = stage_packet(&s, 0);
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    char *text, *json;
    EXPECT_EQ(weft_frame_report_write(report, WEFT_REPORT_TEXT, &text), WEFT_OK);
    EXPECT_EQ(weft_frame_report_write(report, WEFT_REPORT_JSON, &json), WEFT_OK);
    EXPECT(strstr(text, "1 packets: 1 drawn") != NULL);
    EXPECT(strstr(text, "pass 0 'present' (present) 16x16, 1 sample: 1 packets, 1 draws") != NULL);
    EXPECT(json_is_valid(json));
    EXPECT(strstr(json, "\"label\": \"a \\\"quoted\\\" frame\"") != NULL);
    EXPECT(strstr(json, "\"fate\": \"drawn\", \"position\": 0") != NULL);
    weft_text_free(text);
    weft_text_free(json);
    stage_close(&s);
}
