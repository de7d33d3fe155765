// Draws on the software device, through commands.
#include <string.h>

#include "swdev_scene.h"

#define SIDE SCENE_SIDE

TEST(swdev_draw, a_pass_without_draws_clears)
{
    struct scene c;
    scene_open(&c, NULL);
    scene_begin(&c, NULL);
    scene_end(&c);
    EXPECT_EQ(scene_count_red(&c), 0);
    scene_close(&c);
}

TEST(swdev_draw, a_triangle_covers_its_half)
{
    struct scene c;
    scene_open(&c, NULL);
    scene_begin(&c, NULL);
    c.s.ops->cmd_draw(c.cmd, 3, 1, 0, 0);
    scene_end(&c);
    EXPECT(scene_is_red(&c, 0, SIDE - 1) && scene_is_red(&c, 0, 1) &&
           scene_is_red(&c, SIDE - 2, SIDE - 1));
    EXPECT(!scene_is_red(&c, SIDE - 1, 0) && !scene_is_red(&c, 1, 0));
    scene_close(&c);
}

TEST(swdev_draw, the_root_block_and_the_scissor_move_and_cut)
{
    struct scene c;
    scene_open(&c, NULL);
    scene_begin(&c, NULL);
    const float right[2] = {1, 0};
    c.s.ops->cmd_set_root(c.cmd, WEFT_SHADER_STAGE_VERTEX, 0, right, sizeof right);
    c.s.ops->cmd_set_scissor(c.cmd, &(weft_rect){.x = 0, .y = 12, .width = SIDE, .height = 2});
    c.s.ops->cmd_draw(c.cmd, 3, 1, 0, 0);
    scene_end(&c);
    EXPECT_EQ(scene_count_red(&c), 16);
    EXPECT(scene_is_red(&c, 8, 12) && scene_is_red(&c, 15, 13) && !scene_is_red(&c, 7, 12));
    scene_close(&c);
}

// Two indexed instances that a buffer describes; the second is half a target to the right.
TEST(swdev_draw, indirect_indexed_draws_read_count_and_instances)
{
    struct scene c;
    scene_open(&c, NULL);
    const uint16_t indices[4] = {9, 0, 1, 2};
    const weft_draw_indexed_indirect_args args[3] = {
        {.index_count = 3, .instance_count = 1, .first_index = 1, .first_instance = 0},
        {.index_count = 3, .instance_count = 1, .first_index = 1, .first_instance = 1},
        {.index_count = 3, .instance_count = 1, .first_index = 1, .first_instance = 2}};
    const uint32_t count = 1;
    memcpy(c.vertices->mapped + 1024, indices, sizeof indices);
    memcpy(c.vertices->mapped + 2048, args, sizeof args);
    memcpy(c.vertices->mapped + 3072, &count, sizeof count);
    struct wf_hal_indirect draws = {.buffer = c.vertices,
                                    .offset = 2048 + sizeof args[0],
                                    .stride = sizeof args[0],
                                    .max_count = 2,
                                    .count_buffer = c.vertices,
                                    .count_offset = 3072};
    scene_begin(&c, NULL);
    c.s.ops->cmd_set_index_buffer(c.cmd, c.vertices, 1024, WEFT_INDEX_UINT16);
    c.s.ops->cmd_draw_indexed_indirect(c.cmd, &draws);
    scene_end(&c);
    EXPECT(scene_count_red(&c) > 0);
    EXPECT(!scene_is_red(&c, 7, SIDE - 1) && scene_is_red(&c, 8, SIDE - 1) &&
           scene_is_red(&c, 8, 1));

    // Each draw's own root block: the first one to the left and out of sight, the second in place.
    const float roots[2][32] = {{-4, 0}, {-1, 0}};
    memcpy(c.vertices->mapped + 3584, roots, sizeof roots);
    draws.count_buffer = NULL;
    draws.offset = 2048;
    draws.root_stride = 128;
    draws.root_base = c.vertices->address + 3584;
    scene_begin(&c, NULL);
    c.s.ops->cmd_set_index_buffer(c.cmd, c.vertices, 1024, WEFT_INDEX_UINT16);
    c.s.ops->cmd_draw_indexed_indirect(c.cmd, &draws);
    scene_end(&c);
    EXPECT(scene_is_red(&c, 0, SIDE - 1) && scene_is_red(&c, 0, 1) &&
           !scene_is_red(&c, SIDE - 1, 0));
    scene_close(&c);
}

// Two vertices make no triangle: nothing is drawn, but each draw's vertices count as work.
TEST(swdev_draw, indirect_draws_that_do_not_end_together_lose_the_device)
{
    enum { DRAWS = 16 };
    struct scene c;
    scene_open(&c, NULL);
    const weft_draw_indirect_args args = {.vertex_count = 2, .instance_count = UINT32_MAX};
    for (size_t i = 0; i < DRAWS; i++)
        memcpy(c.vertices->mapped + 1024 + i * sizeof args, &args, sizeof args);
    const struct wf_hal_indirect draws = {
        .buffer = c.vertices, .offset = 1024, .stride = sizeof args, .max_count = DRAWS};
    scene_begin(&c, NULL);
    c.s.ops->cmd_draw_indirect(c.cmd, &draws);
    c.s.ops->cmd_end_render(c.cmd);
    swdev_submit(&c.s, c.cmd);
    EXPECT_EQ(c.s.ops->serial_wait(c.s.dev, c.s.serial, UINT64_MAX), WEFT_ERROR_LOST);
    char reason[WF_HAL_REASON_LENGTH] = "";
    EXPECT(c.s.ops->lost(c.s.dev, reason));
    EXPECT(strstr(reason, "\"colored\"") && strstr(reason, "vertices"));
    scene_close(&c);
}

TEST(swdev_draw, occlusion_counts_samples)
{
    struct scene c;
    scene_open(&c, NULL);
    struct wf_hal_query_pool *pool = NULL;
    const weft_query_pool_desc desc = {.kind = WEFT_QUERY_OCCLUSION, .count = 3};
    EXPECT_EQ(c.s.ops->query_pool_create(c.s.dev, &desc, &pool), WEFT_OK);
    scene_begin(&c, pool);
    for (uint32_t query = 0; query < 3; query++) {
        c.s.ops->cmd_begin_occlusion(c.cmd, query == 2 ? 0 : query);
        if (query != 1)
            c.s.ops->cmd_draw(c.cmd, 3, 1, 0, 0);
        c.s.ops->cmd_end_occlusion(c.cmd);
    }
    scene_end(&c);
    uint64_t counts[3];
    c.s.ops->query_pool_read(c.s.dev, pool, 0, 3, counts);
    EXPECT_EQ(counts[0], scene_count_red(&c)); // begun twice: the second counts
    EXPECT(counts[0] > 0 && counts[1] == 0 && counts[2] == 0);
    c.s.ops->query_pool_destroy(c.s.dev, pool);
    scene_close(&c);
}
