// Timestamps: no later edge lies before an earlier one. The second pass is empty.
#include "cases.h"

static weft_query_pool make_pool(struct conform *c)
{
    weft_query_pool pool;
    weft_query_pool_create(conform_device(c),
                           &(weft_query_pool_desc){.kind = WEFT_QUERY_TIMESTAMP, .count = 4},
                           &pool);
    conform_check(c);
    return pool;
}

static void expect_rising(struct conform *c, weft_query_pool pool)
{
    uint64_t ticks[4] = {0};
    const weft_result result =
        weft_query_pool_read(conform_device(c), pool, 0, 4, ticks, sizeof ticks);
    conform_check(c);
    CONFORM_EXPECT(c, result == WEFT_OK);
    if (!conform_draws(c))
        return;
    CONFORM_EXPECT(c, conform_capabilities(c)->limits.timestamp_period > 0);
    CONFORM_EXPECT(c, ticks[0] != 0); // a query that was never written reads 0
    for (int i = 1; i < 4; i++)
        if (ticks[i] < ticks[i - 1])
            conform_fail(c, "timestamp %d is %llu, after %llu", i, (unsigned long long)ticks[i],
                         (unsigned long long)ticks[i - 1]);
}

void case_timestamps_passes(struct conform *c)
{
    const weft_query_pool pool = make_pool(c);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 4, 4);
    const weft_color_attachment color = {.view = conform_view(c, target), .load = WEFT_LOAD_CLEAR};
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_end(weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors = {color}, .times = {pool, 0, 1}}));
    conform_barrier(cmd);
    weft_compute_end(
        weft_command_begin_compute(cmd, &(weft_compute_pass_desc){.times = {pool, 2, 3}}));
    conform_submit(c, cmd);
    expect_rising(c, pool);
}

void case_timestamps_anywhere(struct conform *c)
{
    const weft_query_pool pool = make_pool(c);
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t i = 0; i < 4; i++)
        weft_command_write_timestamp(cmd, pool, i);
    conform_submit(c, cmd);
    expect_rising(c, pool);
}

/// Only the edge that is named is written, and there need not be any work between them.
void case_timestamps_one_edge(struct conform *c)
{
    const weft_query_pool pool = make_pool(c);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 4, 4);
    const weft_color_attachment color = {.view = conform_view(c, target), .load = WEFT_LOAD_CLEAR};
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_end(weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors = {color}, .times = {pool, UINT32_MAX, 1}}));
    conform_barrier(cmd);
    weft_compute_end(
        weft_command_begin_compute(cmd, &(weft_compute_pass_desc){.times = {pool, 2, UINT32_MAX}}));
    conform_submit(c, cmd);
    uint64_t ticks[4] = {0};
    CONFORM_EXPECT(c, weft_query_pool_read(conform_device(c), pool, 0, 4, ticks, sizeof ticks) ==
                          WEFT_OK);
    CONFORM_EXPECT(c, ticks[0] == 0 && ticks[3] == 0);
    CONFORM_EXPECT(c, !conform_draws(c) || (ticks[1] != 0 && ticks[2] >= ticks[1]));
}
