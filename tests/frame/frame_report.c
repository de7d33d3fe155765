#include "frame_stage.h"

#include "support/json.h"

#include "frame_idle.comp.spv.h"

#include <string.h>

/// Writes of a compute shader, then two that read them, then a pass that does, then a write again.
static weft_frame *dispatches(struct stage *s, weft_compute_pipeline pipeline, weft_buffer buffer)
{
    static weft_access access;
    weft_frame *frame = stage_begin(s);
    static const weft_access_kind kinds[] = {WEFT_ACCESS_STORAGE_WRITE, WEFT_ACCESS_STORAGE_READ,
                                             WEFT_ACCESS_UNIFORM};
    weft_dispatch_packet dispatch = {
        .pipeline = pipeline, .groups = {1, 1, 1}, .accesses = &access, .access_count = 1};
    for (size_t i = 0; i < 3; i++) {
        access = (weft_access){.kind = kinds[i], .buffer = buffer};
        EXPECT_EQ(weft_frame_dispatch(frame, &dispatch), i);
    }
    const weft_target pass = stage_pass(frame);
    access = (weft_access){.kind = WEFT_ACCESS_STORAGE_READ, .buffer = buffer};
    weft_draw_packet packet = stage_packet(s, 0);
    packet.accesses = &access;
    packet.access_count = 1;
    EXPECT_EQ(weft_frame_draw(frame, &packet), 3);
    weft_frame_target_end(frame, pass);
    access = (weft_access){.kind = WEFT_ACCESS_STORAGE_WRITE, .buffer = buffer};
    EXPECT_EQ(weft_frame_dispatch(frame, &dispatch), 4);
    return frame;
}

static void check_causes(const weft_frame_report *r)
{
    EXPECT_EQ(r->barrier_count, 3);
    EXPECT_EQ(r->barriers[0].before_packet, 1);
    EXPECT_EQ(r->barriers[0].cause_count, 1);
    EXPECT_EQ(r->barriers[1].before_pass, 1);
    EXPECT_EQ(r->barriers[1].before_packet, UINT64_MAX);
    // the last write waits for every read
    const weft_barrier_report *last = &r->barriers[2];
    EXPECT_EQ(last->before_pass, 2);
    EXPECT_EQ(last->before_packet, 4);
    EXPECT(last->cause_count >= 3);
    uint64_t packets[3] = {0};
    for (uint32_t i = 0; i < last->cause_count; i++) {
        const weft_access_report *from = &r->accesses[last->causes[i].from];
        const weft_access_report *to = &r->accesses[last->causes[i].to];
        EXPECT_EQ(to->packet, 4);
        EXPECT_STR(to->what, "storage write");
        EXPECT(to->write);
        EXPECT_STR(from->resource, to->resource);
        packets[from->packet == UINT64_MAX ? 0 : from->packet] += !from->write;
    }
    EXPECT(packets[0] == 1 && packets[1] == 1 && packets[2] == 1);
}

static void check_texts(const weft_frame_report *r)
{
    char *text;
    EXPECT_EQ(weft_frame_report_write(r, WEFT_REPORT_TEXT, &text), WEFT_OK);
    EXPECT(strstr(text, "  barrier compute -> compute before dispatch #1\n    buffer "));
    EXPECT(strstr(text, ": dispatch #0 storage write -> dispatch #1 storage read\n"));
    EXPECT(strstr(text, ": pass 1 storage read -> dispatch #4 storage write\n"));
    EXPECT(strstr(text, "  pass 0 'compute': 3 dispatches\n"));
    EXPECT(strstr(text, "  #0 dispatch, pass 0, layer '': drawn at 0\n"));
    EXPECT(strstr(text, "  target 0 'present' (present) 16x16, 1 sample: rgba8_unorm, 1024 bytes, "
                        "passes 1 to 1\n"));
    weft_text_free(text);
    EXPECT_EQ(weft_frame_report_write(r, WEFT_REPORT_JSON, &text), WEFT_OK);
    EXPECT(json_is_valid(text));
    EXPECT(strstr(text, "{\"kind\": \"compute\", \"label\": \"compute\", "));
    EXPECT(strstr(text, "{\"kind\": \"render\", \"label\": \"present\", \"target\": 0, "
                        "\"load\": \"clear\", \"store\": \"store\", "));
    EXPECT(strstr(text, "{\"before_pass\": 0, \"before_packet\": 1, "));
    EXPECT(strstr(text, "\"causes\": [{\"from\": 0, \"to\": 1}]"));
    EXPECT(strstr(text, "{\"kind\": \"present\", \"label\": \"present\", \"width\": 16, "));
    EXPECT(strstr(text, "\"kind\": \"dispatch\", \"pass\": 0, "));
    weft_text_free(text);
}

static void check_picture(const weft_frame_report *r)
{
    char *text;
    EXPECT_EQ(weft_frame_report_write(r, WEFT_REPORT_SVG, &text), WEFT_OK);
    EXPECT(strstr(text, "version=\"1.1\""));
    EXPECT(strstr(text, ">Pass 0: compute</text>"));
    EXPECT(strstr(text, ">computes: 3 dispatches</text>"));
    EXPECT(strstr(text, ">barrier before dispatch 1: compute \xe2\x86\x92 compute</text>"));
    EXPECT(strstr(text,
                  ": storage write in dispatch 0 \xe2\x86\x92 storage read in dispatch 1</text>"));
    EXPECT(
        strstr(text, ": storage read in pass 1 \xe2\x86\x92 storage write in dispatch 4</text>"));
    weft_text_free(text);
}

TEST(frame_report, barriers_list_every_access_that_waits)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    const weft_shader shader = stage_shader(&s, frame_idle_comp, sizeof frame_idle_comp);
    weft_compute_pipeline pipeline;
    EXPECT_EQ(weft_compute_pipeline_create(
                  s.f.dev, &(weft_compute_pipeline_desc){.compute = {.shader = shader}}, &pipeline),
              WEFT_OK);
    weft_buffer buffer;
    EXPECT_EQ(weft_buffer_create(s.f.dev,
                                 &(weft_buffer_desc){.size = 256,
                                                     .usage = WEFT_BUFFER_USAGE_STORAGE |
                                                              WEFT_BUFFER_USAGE_UNIFORM},
                                 &buffer),
              WEFT_OK);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(dispatches(&s, pipeline, buffer), &report), WEFT_OK);
    check_causes(report);
    check_texts(report);
    check_picture(report);
    weft_buffer_destroy(s.f.dev, buffer);
    weft_compute_pipeline_destroy(s.f.dev, pipeline);
    weft_shader_destroy(s.f.dev, shader);
    stage_close(&s);
}

TEST(frame_report, targets_live_from_their_first_pass_to_their_last_reader)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target offscreen =
        weft_frame_offscreen_target(frame, &(weft_target_desc){
                                               .color_formats = {WEFT_FORMAT_RGBA8_UNORM},
                                               .depth_format = WEFT_FORMAT_D32_FLOAT,
                                               .width = 8,
                                               .height = 4,
                                               .samples = 4,
                                               .label = "small",
                                           });
    const weft_target_ops ops = {.load = WEFT_LOAD_CLEAR, .depth_store = WEFT_STORE_DISCARD};
    weft_frame_target_end(frame, weft_frame_target_begin(frame, offscreen, &ops));
    weft_frame_target_end(frame, stage_pass(frame));
    const weft_target pass = stage_pass(frame);
    const weft_quad quad = {.width = 4, .height = 4, .color = {1, 1, 1, 1}};
    weft_frame_draw_quads(
        frame, &(weft_quads_packet){.quads = &quad,
                                    .quad_count = 1,
                                    .view = weft_frame_target_view(frame, offscreen, 0)});
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->target_count, 2);
    const weft_target_report *t = &report->targets[1];
    EXPECT_EQ(t->kind, WEFT_TARGET_TRANSIENT);
    EXPECT_STR(t->label, "small");
    EXPECT_EQ(t->samples, 4);
    EXPECT_EQ(t->color_count, 1);
    EXPECT_EQ(t->colors[0], WEFT_FORMAT_RGBA8_UNORM);
    EXPECT_EQ(t->depth, WEFT_FORMAT_D32_FLOAT);
    EXPECT_EQ(t->bytes, 8 * 4 * (4 * 5 + 4 * 4)); // five colors with the resolved one, four depths
    EXPECT_EQ(t->first_pass, 0);
    EXPECT_EQ(t->last_pass, 2);
    EXPECT_EQ(report->passes[0].depth_load, WEFT_LOAD_CLEAR);
    EXPECT_EQ(report->passes[0].depth_store, WEFT_STORE_DISCARD);
    bool read = false;
    for (uint32_t i = 0; i < report->access_count; i++) {
        const weft_access_report *a = &report->accesses[i];
        read |= a->pass == 2 && a->target == 1 && strcmp(a->resource, "'small' resolve") == 0 &&
                strcmp(a->what, "sampled read") == 0;
    }
    EXPECT(read);
    stage_close(&s);
}

TEST(frame_report, a_frame_that_failed_has_targets_and_no_accesses)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    weft_frame_draw(frame, &(weft_draw_packet){0}); // no material
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_ERROR_USAGE);
    EXPECT_EQ(report->target_count, 1);
    EXPECT_EQ(report->targets[0].last_pass, 0);
    EXPECT_EQ(report->access_count, 0);
    EXPECT_EQ(report->barrier_count, 0);
    char *text;
    EXPECT_EQ(weft_frame_report_write(report, WEFT_REPORT_SVG, &text), WEFT_OK);
    EXPECT(strstr(text, ">failed: W0"));
    EXPECT(strstr(text, "it broke a rule (mesh packet 0)</text>"));
    EXPECT(strstr(text, ">What was reported</text>"));
    weft_text_free(text);
    stage_close(&s);
}
