#include "frame_stage.h"

#include "frame_storage.frag.spv.h"

static const weft_target_ops cleared = {.load = WEFT_LOAD_CLEAR};

static weft_target offscreen(weft_frame *frame)
{
    return weft_frame_offscreen_target(
        frame, &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM},
                                   .width = STAGE_SIZE,
                                   .height = STAGE_SIZE,
                                   .label = "picture"});
}

static void empty_pass(weft_frame *frame, weft_target target)
{
    weft_frame_target_end(frame, weft_frame_target_begin(frame, target, &cleared));
}

static void show(weft_frame *frame, weft_texture_view view)
{
    const weft_target pass = stage_pass(frame);
    const weft_quad quad = {.width = 16, .height = 16, .u1 = 1, .v1 = 1, .color = {1, 1, 1, 1}};
    weft_frame_draw_quads(frame,
                          &(weft_quads_packet){.quads = &quad, .quad_count = 1, .view = view});
    weft_frame_target_end(frame, pass);
}

TEST(frame_barrier, a_sampled_target_waits_for_its_pass)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target target = offscreen(frame);
    empty_pass(frame, target);
    show(frame, weft_frame_target_view(frame, target, 0));
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->barrier_count, 1);
    EXPECT_EQ(report->barriers[0].before_pass, 1);
    EXPECT_EQ(report->barriers[0].producers, WEFT_STAGE_TARGET);
    EXPECT(report->barriers[0].consumers & WEFT_STAGE_FRAGMENT);
    EXPECT_STR(report->barriers[0].cause, "pass 0 color write -> pass 1 sampled read");
    EXPECT_EQ(weft_device_get_counters(s.f.dev).barriers, 1);
    stage_close(&s);
}

TEST(frame_barrier, independent_passes_have_none)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    empty_pass(frame, offscreen(frame));
    empty_pass(frame, offscreen(frame));
    empty_pass(frame, weft_frame_present_target(frame));
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->barrier_count, 0);
    stage_close(&s);
}

TEST(frame_barrier, one_barrier_serves_two_readers)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target a = offscreen(frame), b = offscreen(frame);
    empty_pass(frame, a);
    empty_pass(frame, b);
    show(frame, weft_frame_target_view(frame, a, 0)); // closes both writes: one stage barrier
    const weft_target last = weft_frame_target_begin(frame, offscreen(frame), &cleared);
    const weft_quad quad = {.width = 4, .height = 4};
    weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &quad,
                                                      .quad_count = 1,
                                                      .view = weft_frame_target_view(frame, b, 0)});
    weft_frame_target_end(frame, last);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->barrier_count, 1);
    stage_close(&s);
}

TEST(frame_barrier, drawing_again_to_a_target_waits_for_its_readers)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target target = offscreen(frame);
    empty_pass(frame, target);
    show(frame, weft_frame_target_view(frame, target, 0));
    empty_pass(frame, target);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->barrier_count, 2);
    EXPECT_EQ(report->barriers[1].before_pass, 2);
    EXPECT(report->barriers[1].producers & WEFT_STAGE_FRAGMENT);
    EXPECT_EQ(report->barriers[1].consumers, WEFT_STAGE_TARGET);
    stage_close(&s);
}

TEST(frame_barrier, tables_are_looked_into)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_sampler sampler;
    EXPECT_EQ(weft_sampler_create(s.f.dev, &(weft_sampler_desc){0}, &sampler), WEFT_OK);
    weft_frame *frame = stage_begin(&s);
    const weft_target target = offscreen(frame);
    const weft_argument_write write = {.view = weft_frame_target_view(frame, target, 0),
                                       .sampler = sampler};
    weft_argument_table table;
    EXPECT_EQ(weft_argument_table_create(
                  s.f.dev,
                  &(weft_argument_table_desc){
                      .layout = weft_graphics_pipeline_layout(s.f.dev, s.sampling, 1),
                      .writes = &write,
                      .write_count = 1},
                  &table),
              WEFT_OK);
    weft_material material;
    EXPECT_EQ(
        weft_material_create(
            s.f.dev, &(weft_material_desc){.pipeline = s.sampling, .arguments = table}, &material),
        WEFT_OK);
    empty_pass(frame, target);
    const weft_target pass = stage_pass(frame);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.material = material;
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->barrier_count, 1);
    weft_material_destroy(s.f.dev, material);
    weft_argument_table_destroy(s.f.dev, table);
    weft_sampler_destroy(s.f.dev, sampler);
    stage_close(&s);
}

/// A pass on a new target that declares one access of `buffer`.
static void touch(struct stage *s, weft_frame *frame, weft_target target, weft_buffer buffer,
                  weft_access_kind kind)
{
    const weft_target pass = weft_frame_target_begin(frame, target, &cleared);
    weft_draw_packet packet = stage_packet(s, 0);
    packet.accesses = &(weft_access){.kind = kind, .buffer = buffer};
    packet.access_count = 1;
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, pass);
}

static weft_buffer storage(struct stage *s, weft_buffer_usage usage)
{
    weft_buffer buffer;
    EXPECT_EQ(weft_buffer_create(
                  s->f.dev,
                  &(weft_buffer_desc){.size = 256, .usage = WEFT_BUFFER_USAGE_STORAGE | usage},
                  &buffer),
              WEFT_OK);
    return buffer;
}

TEST(frame_barrier, a_read_is_closed_only_for_the_stages_that_waited)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    const weft_buffer buffer = storage(&s, 0);
    weft_frame *frame = stage_begin(&s);
    const weft_target picture = offscreen(frame), first = offscreen(frame);
    // pass 0 reads the buffer, pass 1 the picture; pass 2 draws to the picture, so that targets
    // wait for the reads; pass 3 writes the buffer in its shaders, which nothing has waited for
    touch(&s, frame, first, buffer, WEFT_ACCESS_STORAGE_READ);
    show(frame, weft_frame_target_view(frame, picture, 0));
    empty_pass(frame, picture);
    touch(&s, frame, offscreen(frame), buffer, WEFT_ACCESS_STORAGE_WRITE);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->barrier_count, 2);
    EXPECT_EQ(report->barriers[1].before_pass, 3);
    EXPECT_STR(report->barriers[1].cause, "pass 0 storage read -> pass 3 storage write");
    weft_buffer_destroy(s.f.dev, buffer);
    stage_close(&s);
}

TEST(frame_barrier, a_second_writer_waits_for_reads_that_a_barrier_has_closed_for_it)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target a = offscreen(frame), b = offscreen(frame);
    show(frame, weft_frame_target_view(frame, a, 0));
    show(frame, weft_frame_target_view(frame, b, 0)); // also draws where pass 0 drew
    empty_pass(frame, a);                             // targets wait for the fragments
    empty_pass(frame, b);                             // and have waited already
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->barrier_count, 2);
    EXPECT_EQ(report->barriers[0].before_pass, 1);
    EXPECT_EQ(report->barriers[1].before_pass, 2);
    stage_close(&s);
}

TEST(frame_barrier, what_shaders_wrote_is_waited_for_where_it_is_fetched)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    const weft_buffer buffer = storage(&s, WEFT_BUFFER_USAGE_VERTEX | WEFT_BUFFER_USAGE_INDEX |
                                               WEFT_BUFFER_USAGE_INDIRECT);
    weft_frame *frame = stage_begin(&s);
    touch(&s, frame, offscreen(frame), buffer, WEFT_ACCESS_STORAGE_WRITE);
    const weft_target pass = stage_pass(frame);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.geometry.streams = &(weft_stream_view){0, buffer, 0};
    weft_frame_draw(frame, &packet);
    packet = stage_packet(&s, 0);
    packet.geometry.indices = buffer;
    packet.geometry.index_type = WEFT_INDEX_UINT16;
    packet.indirect = (weft_indirect_view){.buffer = buffer, .offset = 64};
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->barrier_count, 1);
    EXPECT_STR(report->barriers[0].cause, "pass 0 storage write -> pass 1 vertex read");
    EXPECT_EQ(report->barriers[0].consumers, WEFT_STAGE_VERTEX_INPUT | WEFT_STAGE_DRAW_INDIRECT);
    EXPECT_EQ(report->barriers[0].hazards, WEFT_HAZARD_DRAW_ARGUMENTS);
    weft_buffer_destroy(s.f.dev, buffer);
    stage_close(&s);
}

TEST(frame_barrier, a_sampled_depth_buffer_is_guarded)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_texture texture;
    EXPECT_EQ(weft_texture_create(s.f.dev,
                                  &(weft_texture_desc){.format = WEFT_FORMAT_D32_FLOAT,
                                                       .width = STAGE_SIZE,
                                                       .height = STAGE_SIZE,
                                                       .usage = WEFT_TEXTURE_USAGE_RENDER |
                                                                WEFT_TEXTURE_USAGE_SAMPLED},
                                  &texture),
              WEFT_OK);
    weft_texture_view view;
    EXPECT_EQ(
        weft_texture_view_create(s.f.dev, &(weft_texture_view_desc){.texture = texture}, &view),
        WEFT_OK);
    weft_frame *frame = stage_begin(&s);
    const weft_target target =
        weft_frame_offscreen_target(frame, &(weft_target_desc){.depth_stencil = view});
    empty_pass(frame, target);
    empty_pass(frame, target); // needs a barrier, but no guard
    const weft_target pass = stage_pass(frame);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.accesses = &(weft_access){.kind = WEFT_ACCESS_SAMPLED, .texture = texture};
    packet.access_count = 1;
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->barrier_count, 2);
    EXPECT_EQ(report->barriers[0].hazards, 0);
    EXPECT_EQ(report->barriers[1].hazards, WEFT_HAZARD_DEPTH_STENCIL);
    EXPECT_STR(report->barriers[1].cause, "pass 1 depth write -> pass 2 sampled read");
    weft_texture_view_destroy(s.f.dev, view);
    weft_texture_destroy(s.f.dev, texture);
    stage_close(&s);
}

/// A material of frame_storage.frag, which writes `buffer`.
struct writer {
    weft_shader shader;
    weft_graphics_pipeline pipeline;
    weft_argument_table table;
    weft_material material;
};

static struct writer writer_open(struct stage *s, weft_buffer buffer)
{
    struct writer w;
    w.shader = stage_shader(s, frame_storage_frag, sizeof frame_storage_frag);
    w.pipeline = stage_pipeline(s, w.shader, "writer");
    const weft_argument_write write = {.buffer = buffer};
    EXPECT_EQ(weft_argument_table_create(
                  s->f.dev,
                  &(weft_argument_table_desc){
                      .layout = weft_graphics_pipeline_layout(s->f.dev, w.pipeline, 1),
                      .writes = &write,
                      .write_count = 1},
                  &w.table),
              WEFT_OK);
    EXPECT_EQ(weft_material_create(
                  s->f.dev, &(weft_material_desc){.pipeline = w.pipeline, .arguments = w.table},
                  &w.material),
              WEFT_OK);
    return w;
}

static void writer_close(struct stage *s, struct writer *w)
{
    weft_material_destroy(s->f.dev, w->material);
    weft_argument_table_destroy(s->f.dev, w->table);
    weft_graphics_pipeline_destroy(s->f.dev, w->pipeline);
    weft_shader_destroy(s->f.dev, w->shader);
}

TEST(frame_barrier, a_table_whose_buffer_is_written_is_a_writer)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    const weft_buffer buffer = storage(&s, WEFT_BUFFER_USAGE_VERTEX);
    struct writer w = writer_open(&s, buffer);
    weft_frame *frame = stage_begin(&s);
    const weft_target first = weft_frame_target_begin(frame, offscreen(frame), &cleared);
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.material = w.material;
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, first);
    const weft_target second = stage_pass(frame);
    packet = stage_packet(&s, 0);
    packet.geometry.streams = &(weft_stream_view){0, buffer, 0};
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, second);
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->barrier_count, 1);
    EXPECT_EQ(report->barriers[0].producers, WEFT_STAGE_FRAGMENT);
    EXPECT_STR(report->barriers[0].cause, "pass 0 storage write -> pass 1 vertex read");
    writer_close(&s, &w);
    weft_buffer_destroy(s.f.dev, buffer);
    stage_close(&s);
}
