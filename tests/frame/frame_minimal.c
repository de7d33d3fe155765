#include "frame_stage.h"

#include "frame_idle.comp.spv.h"

// Frames whose barriers a person can write down: the plan has exactly those.

static const weft_target_ops cleared = {.load = WEFT_LOAD_CLEAR};

#define TARGET   WEFT_STAGE_TARGET
#define FRAGMENT WEFT_STAGE_FRAGMENT
#define SHADERS  (WEFT_STAGE_VERTEX | WEFT_STAGE_FRAGMENT)
#define COMPUTE  WEFT_STAGE_COMPUTE

struct wanted {
    uint32_t before_pass;
    weft_stage_set producers, consumers;
    weft_hazard_set hazards;
};

static void expect_barriers(weft_frame *frame, const struct wanted *wanted, uint32_t count)
{
    const weft_frame_report *report;
    EXPECT_EQ(weft_frame_submit(frame, &report), WEFT_OK);
    EXPECT_EQ(report->barrier_count, count);
    for (uint32_t i = 0; i < count; i++) {
        EXPECT_EQ(report->barriers[i].before_pass, wanted[i].before_pass);
        EXPECT_EQ(report->barriers[i].producers, wanted[i].producers);
        EXPECT_EQ(report->barriers[i].consumers, wanted[i].consumers);
        EXPECT_EQ(report->barriers[i].hazards, wanted[i].hazards);
    }
    EXPECT_EQ(report->needless_barriers, 0);
}

static weft_target offscreen(weft_frame *frame)
{
    return weft_frame_offscreen_target(
        frame, &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM},
                                   .width = STAGE_SIZE,
                                   .height = STAGE_SIZE,
                                   .label = "picture"});
}

/// A pass on `target` that samples `from`, if it is not none.
static void sample(weft_frame *frame, weft_target target, weft_target from)
{
    const weft_target pass = weft_frame_target_begin(frame, target, &cleared);
    const weft_quad quad = {.width = 16, .height = 16};
    if (from.generation != 0)
        weft_frame_draw_quads(frame,
                              &(weft_quads_packet){.quads = &quad,
                                                   .quad_count = 1,
                                                   .view = weft_frame_target_view(frame, from, 0)});
    weft_frame_target_end(frame, pass);
}

/// A pass on `target` whose draw declares an access.
static void touch(const struct stage *s, weft_frame *frame, weft_target target,
                  const weft_access *access)
{
    const weft_target pass = weft_frame_target_begin(frame, target, &cleared);
    weft_draw_packet packet = stage_packet(s, 0);
    packet.accesses = access;
    packet.access_count = 1;
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, pass);
}

TEST(frame_minimal, a_picture_is_drawn_and_shown)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target picture = offscreen(frame);
    sample(frame, picture, (weft_target){0, 0});
    sample(frame, weft_frame_present_target(frame), picture);
    expect_barriers(frame, (struct wanted[]){{1, TARGET, FRAGMENT, 0}}, 1);
    stage_close(&s);
}

TEST(frame_minimal, two_targets_take_turns)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_frame *frame = stage_begin(&s);
    const weft_target targets[2] = {offscreen(frame), offscreen(frame)};
    sample(frame, targets[0], (weft_target){0, 0});
    for (uint32_t i = 1; i < 5; i++)
        sample(frame, targets[i % 2], targets[(i + 1) % 2]);
    // from the second turn on what the turn before read is drawn over, too
    const weft_stage_set both = TARGET | FRAGMENT;
    expect_barriers(
        frame,
        (struct wanted[]){
            {1, TARGET, FRAGMENT, 0}, {2, both, both, 0}, {3, both, both, 0}, {4, both, both, 0}},
        4);
    stage_close(&s);
}

TEST(frame_minimal, a_shadow_map_a_scene_and_what_comes_after)
{
    struct stage s = stage_open(WEFT_BACKEND_NOOP);
    weft_texture shadow;
    weft_texture_view view;
    EXPECT_EQ(weft_texture_create(s.f.dev,
                                  &(weft_texture_desc){.format = WEFT_FORMAT_D32_FLOAT,
                                                       .width = STAGE_SIZE,
                                                       .height = STAGE_SIZE,
                                                       .usage = WEFT_TEXTURE_USAGE_RENDER |
                                                                WEFT_TEXTURE_USAGE_SAMPLED},
                                  &shadow),
              WEFT_OK);
    EXPECT_EQ(
        weft_texture_view_create(s.f.dev, &(weft_texture_view_desc){.texture = shadow}, &view),
        WEFT_OK);
    weft_frame *frame = stage_begin(&s);
    const weft_target light =
        weft_frame_offscreen_target(frame, &(weft_target_desc){.depth_stencil = view});
    const weft_target scene = offscreen(frame);
    sample(frame, light, (weft_target){0, 0});
    touch(&s, frame, scene, &(weft_access){.kind = WEFT_ACCESS_SAMPLED, .texture = shadow});
    sample(frame, weft_frame_present_target(frame), scene);
    expect_barriers(frame,
                    (struct wanted[]){{1, TARGET, SHADERS, WEFT_HAZARD_DEPTH_STENCIL},
                                      {2, TARGET, FRAGMENT, 0}},
                    2);
    weft_texture_view_destroy(s.f.dev, view);
    weft_texture_destroy(s.f.dev, shadow);
    stage_close(&s);
}

// ---- dispatches --------------------------------------------------------------------------------

struct computer {
    struct stage s;
    weft_compute_pipeline idle;
    weft_buffer buffers[2];
};

static struct computer computer_open(void)
{
    struct computer c = {.s = stage_open(WEFT_BACKEND_NOOP)};
    const weft_shader shader = stage_shader(&c.s, frame_idle_comp, sizeof frame_idle_comp);
    const weft_compute_pipeline_desc desc = {.compute = {.shader = shader}};
    EXPECT_EQ(weft_compute_pipeline_create(c.s.f.dev, &desc, &c.idle), WEFT_OK);
    weft_shader_destroy(c.s.f.dev, shader);
    const weft_buffer_desc buffer = {.size = 256,
                                     .usage = WEFT_BUFFER_USAGE_STORAGE | WEFT_BUFFER_USAGE_VERTEX |
                                              WEFT_BUFFER_USAGE_INDIRECT};
    for (uint32_t i = 0; i < 2; i++)
        EXPECT_EQ(weft_buffer_create(c.s.f.dev, &buffer, &c.buffers[i]), WEFT_OK);
    return c;
}

static void computer_close(struct computer *c)
{
    for (uint32_t i = 0; i < 2; i++)
        weft_buffer_destroy(c->s.f.dev, c->buffers[i]);
    weft_compute_pipeline_destroy(c->s.f.dev, c->idle);
    stage_close(&c->s);
}

/// A dispatch that writes a buffer.
static void compute(const struct computer *c, weft_frame *frame, weft_buffer buffer,
                    bool barrier_after)
{
    weft_frame_dispatch(
        frame, &(weft_dispatch_packet){
                   .pipeline = c->idle,
                   .groups = {1, 1, 1},
                   .accesses = &(weft_access){.kind = WEFT_ACCESS_STORAGE_WRITE, .buffer = buffer},
                   .access_count = 1,
                   .barrier_after = barrier_after,
               });
}

/// A pass that fetches vertices from one buffer and indirect arguments from the other.
static void fetch(const struct computer *c, weft_frame *frame)
{
    const weft_target pass = stage_pass(frame);
    weft_draw_packet packet = stage_packet(&c->s, 0);
    packet.geometry.streams = &(weft_stream_view){0, c->buffers[0], 0};
    packet.indirect = (weft_indirect_view){.buffer = c->buffers[1]};
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, pass);
}

#define FETCHES (WEFT_STAGE_VERTEX_INPUT | WEFT_STAGE_DRAW_INDIRECT)

TEST(frame_minimal, particles_are_computed_and_drawn_indirectly)
{
    struct computer c = computer_open();
    weft_frame *frame = stage_begin(&c.s);
    compute(&c, frame, c.buffers[0], false);
    compute(&c, frame, c.buffers[1], false); // beside the first
    fetch(&c, frame);
    expect_barriers(frame, (struct wanted[]){{1, COMPUTE, FETCHES, WEFT_HAZARD_DRAW_ARGUMENTS}}, 1);
    computer_close(&c);
}

TEST(frame_minimal, a_host_that_asks_for_the_barrier_gets_no_second_one)
{
    struct computer c = computer_open();
    weft_frame *frame = stage_begin(&c.s);
    compute(&c, frame, c.buffers[0], false);
    compute(&c, frame, c.buffers[1], true);
    fetch(&c, frame);
    expect_barriers(frame, NULL, 0);
    EXPECT_EQ(weft_device_get_counters(c.s.f.dev).barriers, 1);
    computer_close(&c);
}

TEST(frame_minimal, what_is_computed_again_waits_for_its_readers_alone)
{
    struct computer c = computer_open();
    weft_frame *frame = stage_begin(&c.s);
    compute(&c, frame, c.buffers[0], false);
    compute(&c, frame, c.buffers[1], false);
    fetch(&c, frame);
    compute(&c, frame, c.buffers[0], false); // after the first dispatch through the pass
    compute(&c, frame, c.buffers[1], false); // likewise, with the same barrier
    expect_barriers(frame,
                    (struct wanted[]){{1, COMPUTE, FETCHES, WEFT_HAZARD_DRAW_ARGUMENTS},
                                      {2, FETCHES, COMPUTE, 0}},
                    2);
    computer_close(&c);
}

TEST(frame_minimal, what_a_pass_writes_itself_does_not_widen_its_first_barrier)
{
    struct computer c = computer_open();
    weft_frame *frame = stage_begin(&c.s);
    compute(&c, frame, c.buffers[1], false);
    sample(frame, weft_frame_present_target(frame), (weft_target){0, 0});
    compute(&c, frame, c.buffers[1], false);
    weft_frame_dispatch(
        frame, &(weft_dispatch_packet){.pipeline = c.idle, .indirect = {.buffer = c.buffers[1]}});
    expect_barriers(
        frame,
        (struct wanted[]){{2, COMPUTE, COMPUTE, 0},
                          {2, COMPUTE, WEFT_STAGE_DRAW_INDIRECT, WEFT_HAZARD_DRAW_ARGUMENTS}},
        2);
    computer_close(&c);
}

TEST(frame_minimal, dispatches_in_a_row_each_wait_for_the_one_before)
{
    struct computer c = computer_open();
    weft_frame *frame = stage_begin(&c.s);
    for (uint32_t i = 0; i < 3; i++)
        compute(&c, frame, c.buffers[0], false);
    expect_barriers(frame, (struct wanted[]){{0, COMPUTE, COMPUTE, 0}, {0, COMPUTE, COMPUTE, 0}},
                    2);
    computer_close(&c);
}
