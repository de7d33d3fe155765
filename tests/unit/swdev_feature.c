// What the software device's capabilities claim of draws, one test each.
#include <string.h>

#include "shader/module.h"
#include "swdev_clip.vert.spv.h"
#include "swdev_color.vert.spv.h"
#include "swdev_dual.frag.spv.h"
#include "swdev_many.frag.spv.h"
#include "swdev_sample.frag.spv.h"
#include "swdev_scene.h"

#define SIDE SCENE_SIDE
#define HALF (SIDE * (SIDE - 1) / 2u) ///< Pixels of the scene's triangle, without its diagonal.

static void set_vertices(struct scene *c, const struct scene_vertex *vertices, size_t bytes)
{
    memcpy(c->vertices->mapped, vertices, bytes);
}

// The scene's triangle fills the stencil with 3; then a triangle over everything is tested.
TEST(swdev_feature, stencil_masks_a_later_draw)
{
    struct scene c;
    scene_open(&c, NULL);
    const struct scene_vertex all[3] = {{-1, -1, 0.5f, {255, 0, 0, 255}},
                                        {3, -1, 0.5f, {255, 0, 0, 255}},
                                        {-1, 3, 0.5f, {255, 0, 0, 255}}};
    memcpy(c.vertices->mapped + 3 * sizeof *all, all, sizeof all);
    const weft_depth_stencil_state fill = {
        .stencil = true,
        .front = {.pass = WEFT_STENCIL_REPLACE},
        .back = {.pass = WEFT_STENCIL_REPLACE},
    };
    const weft_depth_stencil_state outside = {
        .stencil = true,
        .front = {.compare = WEFT_COMPARE_NOT_EQUAL},
        .back = {.compare = WEFT_COMPARE_NOT_EQUAL},
    };
    const weft_blend_state nothing = {.targets = {{.mask = WEFT_COLOR_MASK_NO_COLOR}}};
    scene_begin(&c, NULL);
    c.s.ops->cmd_set_stencil_reference(c.cmd, 3);
    c.s.ops->cmd_set_depth_stencil(c.cmd, &fill);
    c.s.ops->cmd_set_blend(c.cmd, &nothing);
    c.s.ops->cmd_draw(c.cmd, 3, 1, 0, 0);
    c.s.ops->cmd_set_depth_stencil(c.cmd, &outside);
    c.s.ops->cmd_set_blend(c.cmd, &(weft_blend_state){.independent = false});
    c.s.ops->cmd_draw(c.cmd, 3, 1, 3, 0);
    scene_end(&c);
    const uint32_t red = scene_count_red(&c);
    EXPECT(red >= HALF && red <= HALF + SIDE);
    EXPECT(scene_is_red(&c, SIDE - 1, 0) && !scene_is_red(&c, 0, SIDE - 1));
    scene_close(&c);
}

// The target's depth is that of the triangle: only a bias towards the eye passes LESS.
TEST(swdev_feature, depth_bias_moves_a_triangle_forward)
{
    struct scene c;
    scene_open(&c, NULL);
    for (int round = 0; round < 2; round++) {
        scene_begin(&c, NULL);
        c.s.ops->cmd_set_depth_stencil(
            c.cmd, &(weft_depth_stencil_state){.depth = WEFT_COMPARE_LESS, .depth_write = true});
        if (round == 1)
            c.s.ops->cmd_set_raster(c.cmd, &(weft_raster_state){.depth_bias = -16});
        c.s.ops->cmd_draw(c.cmd, 3, 1, 0, 0);
        scene_end(&c);
        EXPECT_EQ(scene_count_red(&c) > 0, round == 1);
    }
    scene_close(&c);
}

TEST(swdev_feature, depth_clamp_keeps_what_is_too_far)
{
    const struct scene_vertex far[3] = {{-1, -1, 1.5f, {255, 0, 0, 255}},
                                        {1, -1, 1.5f, {255, 0, 0, 255}},
                                        {-1, 1, 1.5f, {255, 0, 0, 255}}};
    for (int round = 0; round < 2; round++) {
        struct scene c;
        scene_open(&c, &(struct scene_desc){.flags = round ? WEFT_PIPELINE_DEPTH_CLAMP : 0});
        set_vertices(&c, far, sizeof far);
        scene_begin(&c, NULL);
        c.s.ops->cmd_draw(c.cmd, 3, 1, 0, 0);
        scene_end(&c);
        EXPECT_EQ(scene_count_red(&c) > 0, round == 1);
        scene_close(&c);
    }
}

TEST(swdev_feature, a_point_is_a_pixel_and_a_line_a_row)
{
    const struct scene_vertex ends[2] = {{-1, 1 - 5.0f / SIDE, 0.5f, {255, 0, 0, 255}},
                                         {1, 1 - 5.0f / SIDE, 0.5f, {255, 0, 0, 255}}};
    const struct scene_vertex point = {5.0f / SIDE, -3.0f / SIDE, 0.5f, {255, 0, 0, 255}};
    struct scene c;
    scene_open(&c, &(struct scene_desc){.topology = WEFT_TOPOLOGY_POINT_LIST});
    set_vertices(&c, &point, sizeof point);
    scene_begin(&c, NULL);
    c.s.ops->cmd_draw(c.cmd, 1, 1, 0, 0);
    scene_end(&c);
    EXPECT_EQ(scene_count_red(&c), 1);
    EXPECT(scene_is_red(&c, 10, 9));
    scene_close(&c);

    scene_open(&c, &(struct scene_desc){.topology = WEFT_TOPOLOGY_LINE_LIST});
    set_vertices(&c, ends, sizeof ends);
    scene_begin(&c, NULL);
    c.s.ops->cmd_draw(c.cmd, 2, 1, 0, 0);
    scene_end(&c);
    EXPECT_EQ(scene_count_red(&c), SIDE);
    EXPECT(scene_is_red(&c, 0, 2) && scene_is_red(&c, SIDE - 1, 2));
    scene_close(&c);
}

// Two quads as strips, with an index that cuts between them: the middle stays free.
TEST(swdev_feature, primitive_restart_cuts_a_strip)
{
    struct scene_vertex v[8];
    for (uint32_t i = 0; i < 8; i++)
        v[i] = (struct scene_vertex){(i / 4 ? 0.5f : -1) + (i % 4 / 2 ? 0.5f : 0),
                                     i % 2 ? 1.0f : -1.0f,
                                     0.5f,
                                     {255, 0, 0, 255}};
    const uint16_t indices[9] = {0, 1, 2, 3, 0xffff, 4, 5, 6, 7};
    struct scene c;
    scene_open(&c, &(struct scene_desc){.topology = WEFT_TOPOLOGY_TRIANGLE_STRIP,
                                        .restart = WEFT_INDEX_UINT16});
    set_vertices(&c, v, sizeof v);
    memcpy(c.vertices->mapped + 1024, indices, sizeof indices);
    scene_begin(&c, NULL);
    c.s.ops->cmd_set_index_buffer(c.cmd, c.vertices, 1024, WEFT_INDEX_UINT16);
    c.s.ops->cmd_draw_indexed(c.cmd, 9, 1, 0, 0, 0);
    scene_end(&c);
    EXPECT_EQ(scene_count_red(&c), SIDE * SIDE / 2);
    EXPECT(scene_is_red(&c, 3, 7) && !scene_is_red(&c, 4, 7) && scene_is_red(&c, 12, 7));
    scene_close(&c);
}

TEST(swdev_feature, clip_distances_cut_a_triangle)
{
    struct scene c;
    scene_open(&c, &(struct scene_desc){.vertex = swdev_clip_vert,
                                        .vertex_bytes = sizeof swdev_clip_vert});
    scene_begin(&c, NULL);
    c.s.ops->cmd_draw(c.cmd, 3, 1, 0, 0);
    scene_end(&c);
    EXPECT(scene_is_red(&c, SIDE / 2, SIDE - 1) && !scene_is_red(&c, SIDE / 2 - 1, SIDE - 1));
    scene_close(&c);
}

TEST(swdev_feature, the_second_source_weighs_the_first)
{
    struct scene c;
    scene_open(&c, &(struct scene_desc){.fragment = swdev_dual_frag,
                                        .fragment_bytes = sizeof swdev_dual_frag,
                                        .flags = WEFT_PIPELINE_DUAL_SOURCE});
    const weft_blend_equation by_second = {.src = WEFT_BLEND_SRC1,
                                           .dst = WEFT_BLEND_ONE_MINUS_SRC1};
    scene_begin(&c, NULL);
    c.s.ops->cmd_set_blend(
        c.cmd,
        &(weft_blend_state){.targets = {{.enable = true, .color = by_second, .alpha = by_second}}});
    c.s.ops->cmd_draw(c.cmd, 3, 1, 0, 0);
    scene_end(&c);
    const uint8_t wanted[4] = {51, 0, 102, 255}; // red × 0.2, blue × 0.4
    EXPECT_MEM(scene_pixel(&c, 0, SIDE - 1), wanted, 4);
    scene_close(&c);
}

TEST(swdev_feature, shading_each_sample_is_resolved)
{
    struct scene c;
    scene_open(&c, &(struct scene_desc){.fragment = swdev_sample_frag,
                                        .fragment_bytes = sizeof swdev_sample_frag,
                                        .flags = WEFT_PIPELINE_SAMPLE_SHADING,
                                        .samples = 4});
    scene_begin(&c, NULL);
    c.s.ops->cmd_draw(c.cmd, 3, 1, 0, 0);
    scene_end(&c);
    const uint8_t *pixel = scene_pixel(&c, 0, SIDE - 1);
    EXPECT_EQ(pixel[0], 64); // one of four samples
    EXPECT(pixel[2] == 0 && pixel[3] == 64);
    scene_close(&c);
}

TEST(swdev_feature, alpha_becomes_coverage)
{
    struct scene c;
    const struct scene_vertex faint[3] = {{-1, -1, 0.5f, {255, 0, 0, 128}},
                                          {1, -1, 0.5f, {255, 0, 0, 128}},
                                          {-1, 1, 0.5f, {255, 0, 0, 128}}};
    scene_open(&c, &(struct scene_desc){.flags = WEFT_PIPELINE_ALPHA_TO_COVERAGE, .samples = 4});
    set_vertices(&c, faint, sizeof faint);
    scene_begin(&c, NULL);
    c.s.ops->cmd_draw(c.cmd, 3, 1, 0, 0);
    scene_end(&c);
    const uint8_t *pixel = scene_pixel(&c, 0, SIDE - 1);
    EXPECT(pixel[0] >= 127 && pixel[0] <= 128 && pixel[2] >= 127 && pixel[2] <= 128);
    scene_close(&c);
}

TEST(swdev_feature, statistics_count_what_a_draw_does)
{
    struct scene c;
    scene_open(&c, NULL);
    struct wf_hal_query_pool *pool = NULL;
    const weft_query_pool_desc desc = {.kind = WEFT_QUERY_STATISTICS, .count = 2};
    EXPECT_EQ(c.s.ops->query_pool_create(c.s.dev, &desc, &pool), WEFT_OK);
    scene_begin(&c, NULL);
    c.s.ops->cmd_begin_statistics(c.cmd, pool, 1);
    c.s.ops->cmd_draw(c.cmd, 3, 2, 0, 0); // the second instance is half outside
    c.s.ops->cmd_end_statistics(c.cmd);
    c.s.ops->cmd_draw(c.cmd, 3, 1, 0, 0); // not counted
    scene_end(&c);
    weft_pipeline_statistics stats[2];
    uint64_t words[14];
    c.s.ops->query_pool_read(c.s.dev, pool, 0, 2, words);
    memcpy(stats, words, sizeof stats);
    EXPECT_EQ(stats[0].vertices, 0);
    EXPECT_EQ(stats[1].vertices, 6);
    EXPECT_EQ(stats[1].primitives, 2);
    EXPECT_EQ(stats[1].clipped_in, 2);
    EXPECT(stats[1].vertex_invocations >= 6 && stats[1].clipped_out >= 2);
    EXPECT(stats[1].fragment_invocations >= HALF && stats[1].compute_invocations == 0);
    c.s.ops->query_pool_destroy(c.s.dev, pool);
    scene_close(&c);
}

TEST(swdev_feature, more_inputs_than_are_passed_are_refused)
{
    struct swdev s;
    swdev_open(&s, NULL);
    static const uint32_t models[2] = {SpvExecutionModelVertex, SpvExecutionModelFragment};
    const uint32_t *code[2] = {swdev_color_vert, swdev_many_frag};
    const size_t bytes[2] = {sizeof swdev_color_vert, sizeof swdev_many_frag};
    struct wf_shader_module *modules[2];
    struct wf_hal_stage stages[2] = {{0}};
    struct wf_shader_error error = {0};
    for (uint32_t i = 0; i < 2; i++) {
        EXPECT(wf_shader_read(wf_base_allocator_default(), code[i], bytes[i], &modules[i], &error));
        EXPECT_EQ(s.ops->shader_create(s.dev, modules[i], &stages[i].shader, &error), WEFT_OK);
        stages[i].entry = wf_shader_entry(modules[i], models[i], "main");
    }
    const struct wf_hal_graphics_pipeline_desc desc = {
        .vertex = stages[0], .fragment = stages[1], .samples = 1, .sample_mask = UINT32_MAX};
    struct wf_hal_pipeline *pipeline;
    EXPECT_EQ(s.ops->graphics_pipeline_create(s.dev, &desc, &pipeline, &error), WEFT_ERROR_SHADER);
    EXPECT(!pipeline && strstr(error.message, "reads 132 components of inputs"));
    for (uint32_t i = 0; i < 2; i++) {
        s.ops->shader_destroy(s.dev, stages[i].shader);
        wf_shader_free(modules[i]);
    }
    swdev_close(&s);
}
