#include "frame_stage.h"

#include <stdlib.h>
#include <string.h>

// Frames that draw, on the software device: what the plan says is what the pixels show.

static const uint8_t orange[4] = {255, 128, 64, 255}; // as shaders/frame.frag writes it

static void read_back(struct stage *s, uint8_t pixels[STAGE_SIZE][STAGE_SIZE][4])
{
    const uint64_t size = sizeof(uint8_t[STAGE_SIZE][STAGE_SIZE][4]);
    EXPECT_EQ(weft_surface_read(s->f.dev, s->surface, pixels, size), WEFT_OK);
}

static void finish(weft_frame *frame)
{
    EXPECT_EQ(weft_frame_submit(frame, NULL), WEFT_OK);
}

TEST(frame_draw, a_triangle_points_up)
{
    struct stage s = stage_open(WEFT_BACKEND_SOFTWARE);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    const weft_draw_packet packet = stage_packet(&s, 0);
    weft_frame_draw(frame, &packet);
    weft_frame_target_end(frame, pass);
    finish(frame);
    uint8_t pixels[STAGE_SIZE][STAGE_SIZE][4];
    read_back(&s, pixels);
    const uint8_t clear[4] = {0, 0, 0, 0};
    EXPECT_MEM(pixels[0][0], clear, 4);
    EXPECT_MEM(pixels[0][15], clear, 4);
    EXPECT_MEM(pixels[8][8], orange, 4);
    EXPECT_MEM(pixels[15][1], orange, 4);
    EXPECT_MEM(pixels[15][14], orange, 4);
    stage_close(&s);
}

TEST(frame_draw, a_quad_fills_its_texels_and_no_others)
{
    struct stage s = stage_open(WEFT_BACKEND_SOFTWARE);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    const weft_quad quad = {.x = 2, .y = 3, .width = 5, .height = 4, .color = {0, 1, 0, 1}};
    weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &quad, .quad_count = 1});
    weft_frame_target_end(frame, pass);
    finish(frame);
    uint8_t pixels[STAGE_SIZE][STAGE_SIZE][4];
    read_back(&s, pixels);
    for (uint32_t y = 0; y < STAGE_SIZE; y++) {
        for (uint32_t x = 0; x < STAGE_SIZE; x++)
            EXPECT_EQ(pixels[y][x][1], x >= 2 && x < 7 && y >= 3 && y < 7 ? 255 : 0);
    }
    stage_close(&s);
}

TEST(frame_draw, a_later_layer_covers_an_earlier_one_whatever_was_appended_first)
{
    struct stage s = stage_open(WEFT_BACKEND_SOFTWARE);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    const weft_quad red = {.width = 16, .height = 16, .color = {1, 0, 0, 1}};
    const weft_quad blue = {.width = 16, .height = 16, .color = {0, 0, 1, 1}};
    weft_frame_layer_push(frame, &(weft_layer_desc){.name = "ui", .sort_base = 10});
    weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &red, .quad_count = 1});
    weft_frame_layer_pop(frame);
    weft_frame_layer_push(frame, &(weft_layer_desc){.name = "world"});
    weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &blue, .quad_count = 1});
    weft_frame_layer_pop(frame);
    weft_frame_target_end(frame, pass);
    finish(frame);
    uint8_t pixels[STAGE_SIZE][STAGE_SIZE][4];
    read_back(&s, pixels);
    const uint8_t wanted[4] = {255, 0, 0, 255};
    EXPECT_MEM(pixels[7][7], wanted, 4);
    stage_close(&s);
}

TEST(frame_draw, a_clip_cuts_and_nests)
{
    struct stage s = stage_open(WEFT_BACKEND_SOFTWARE);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    weft_frame_clip_push(frame, &(weft_rect){4, 4, 8, 8});
    weft_frame_clip_push(frame, &(weft_rect){-100, 6, 1000, 100});
    const weft_quad quad = {.width = 16, .height = 16, .color = {1, 1, 1, 1}};
    weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &quad, .quad_count = 1});
    weft_frame_clip_pop(frame);
    weft_frame_clip_pop(frame);
    weft_frame_target_end(frame, pass);
    finish(frame);
    uint8_t pixels[STAGE_SIZE][STAGE_SIZE][4];
    read_back(&s, pixels);
    for (uint32_t y = 0; y < STAGE_SIZE; y++) {
        for (uint32_t x = 0; x < STAGE_SIZE; x++)
            EXPECT_EQ(pixels[y][x][0], x >= 4 && x < 12 && y >= 6 && y < 12 ? 255 : 0);
    }
    stage_close(&s);
}

TEST(frame_draw, an_offscreen_picture_is_shown_upright)
{
    struct stage s = stage_open(WEFT_BACKEND_SOFTWARE);
    weft_frame *frame = stage_begin(&s);
    const weft_target target = weft_frame_offscreen_target(
        frame, &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM},
                                   .width = STAGE_SIZE,
                                   .height = STAGE_SIZE,
                                   .samples = 4});
    const weft_target first =
        weft_frame_target_begin(frame, target, &(weft_target_ops){.load = WEFT_LOAD_CLEAR});
    const weft_quad mark = {.width = 8, .height = 8, .color = {1, 0, 0, 1}}; // top-left quarter
    weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &mark, .quad_count = 1});
    weft_frame_target_end(frame, first);
    const weft_target pass = stage_pass(frame);
    const weft_quad all = {.width = 16, .height = 16, .u1 = 1, .v1 = 1, .color = {1, 1, 1, 1}};
    weft_frame_draw_quads(frame,
                          &(weft_quads_packet){.quads = &all,
                                               .quad_count = 1,
                                               .view = weft_frame_target_view(frame, target, 0)});
    weft_frame_target_end(frame, pass);
    finish(frame);
    uint8_t pixels[STAGE_SIZE][STAGE_SIZE][4];
    read_back(&s, pixels);
    EXPECT_EQ(pixels[2][2][0], 255);
    EXPECT_EQ(pixels[2][13][0], 0);
    EXPECT_EQ(pixels[13][2][0], 0);
    stage_close(&s);
}

TEST(frame_draw, a_multisampled_present_pass_is_resolved)
{
    struct stage s = stage_open(WEFT_BACKEND_SOFTWARE);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = weft_frame_target_begin(
        frame, weft_frame_present_target(frame),
        &(weft_target_ops){
            .load = WEFT_LOAD_CLEAR, .samples = 4, .depth_format = WEFT_FORMAT_D32_FLOAT});
    const weft_quad quad = {.width = 4.5f, .height = 16, .color = {1, 1, 1, 1}};
    weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &quad, .quad_count = 1});
    weft_frame_target_end(frame, pass);
    finish(frame);
    uint8_t pixels[STAGE_SIZE][STAGE_SIZE][4];
    read_back(&s, pixels);
    EXPECT_EQ(pixels[8][3][0], 255);
    EXPECT_EQ(pixels[8][4][0], 128); // two of four samples
    EXPECT_EQ(pixels[8][5][0], 0);
    stage_close(&s);
}

TEST(frame_draw, a_clip_ends_with_its_layer_and_its_pass)
{
    struct stage s = stage_open(WEFT_BACKEND_SOFTWARE);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    const weft_quad left = {.width = 8, .height = 16, .color = {1, 0, 0, 1}};
    const weft_quad all = {.y = 8, .width = 16, .height = 4, .color = {0, 1, 0, 1}};
    const weft_quad low = {.y = 12, .width = 16, .height = 4, .color = {0, 0, 1, 1}};
    weft_frame_layer_push(frame, &(weft_layer_desc){.name = "clipped"});
    weft_frame_clip_push(frame, &(weft_rect){0, 0, 4, 4});
    weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &left, .quad_count = 1});
    weft_frame_clip_pop(frame);
    weft_frame_layer_pop(frame);
    weft_frame_layer_push(frame, &(weft_layer_desc){.name = "free"});
    weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &all, .quad_count = 1});
    weft_frame_layer_pop(frame);
    weft_frame_clip_push(frame, &(weft_rect){0, 0, 1, 1});
    weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &left, .quad_count = 1});
    weft_frame_clip_pop(frame);
    weft_frame_target_end(frame, pass);
    const weft_target second = weft_frame_target_begin(frame, weft_frame_present_target(frame),
                                                       &(weft_target_ops){.load = WEFT_LOAD_LOAD});
    weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &low, .quad_count = 1});
    weft_frame_target_end(frame, second);
    finish(frame);
    uint8_t pixels[STAGE_SIZE][STAGE_SIZE][4];
    read_back(&s, pixels);
    for (uint32_t y = 0; y < STAGE_SIZE; y++) {
        for (uint32_t x = 0; x < STAGE_SIZE; x++) {
            EXPECT_EQ(pixels[y][x][0], x < 4 && y < 4 ? 255 : 0);
            EXPECT_EQ(pixels[y][x][1], y >= 8 && y < 12 ? 255 : 0);
            EXPECT_EQ(pixels[y][x][2], y >= 12 ? 255 : 0);
        }
    }
    stage_close(&s);
}

TEST(frame_draw, each_packet_has_its_own_transform)
{
    struct stage s = stage_open(WEFT_BACKEND_SOFTWARE);
    weft_frame *frame = stage_begin(&s);
    const weft_target pass = stage_pass(frame);
    // the first goes to the right half; the second has none, and is whole again
    const float right[16] = {0.5f, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5f, 0, 0, 1};
    weft_draw_packet packet = stage_packet(&s, 0);
    packet.transform = right;
    weft_frame_draw(frame, &packet);
    packet.transform = NULL;
    weft_frame_clip_push(frame, &(weft_rect){0, 0, 8, 16});
    weft_frame_draw(frame, &packet);
    weft_frame_clip_pop(frame);
    weft_frame_target_end(frame, pass);
    finish(frame);
    uint8_t pixels[STAGE_SIZE][STAGE_SIZE][4];
    read_back(&s, pixels);
    EXPECT_EQ(pixels[15][1][0], 255);
    EXPECT_EQ(pixels[8][12][0], 255);
    EXPECT_EQ(pixels[2][10][0], 0); // the second is clipped, the first is at 12
    stage_close(&s);
}
