// Query results in buffers: of queries that are written again, were never written, or whose writing
// was recorded in another order than it was submitted. A buffer holds MARK before.
#include "cases.h"
#include "draw.h"

enum { SIZE = 16 };

#define MARK UINT64_C(0x0123456789ABCDEF)

static weft_query_pool pool_of(struct conform *c, weft_query_kind kind, uint32_t count)
{
    weft_query_pool out;
    weft_query_pool_create(conform_device(c), &(weft_query_pool_desc){.kind = kind, .count = count},
                           &out);
    conform_check(c);
    return out;
}

static weft_buffer marked(struct conform *c, uint32_t count)
{
    uint64_t marks[8];
    for (uint32_t i = 0; i < count; i++)
        marks[i] = MARK;
    return conform_buffer(c, WEFT_BUFFER_USAGE_QUERY, count * sizeof *marks, marks);
}

static weft_render_encoder *begin(struct conform *c, weft_command_buffer *cmd, weft_query_pool pool)
{
    const weft_texture color = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){
                 .colors[0] = {.view = conform_view(c, color), .load = WEFT_LOAD_CLEAR},
                 .occlusion = pool});
    weft_render_set_pipeline(enc,
                             conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE,
                                                   &(weft_pipeline_state){.raster = {0}}));
    return enc;
}

/// A pass in which `query` counts four samples a row.
static void count(struct conform *c, weft_command_buffer *cmd, weft_query_pool pool, uint32_t query,
                  uint32_t rows)
{
    weft_render_encoder *enc = begin(c, cmd, pool);
    weft_render_begin_occlusion(enc, query);
    conform_draw_rect(enc, &(weft_rect){0, 0, 4, rows}, SIZE, SIZE, 0, conform_white);
    weft_render_end_occlusion(enc);
    weft_render_end(enc);
    conform_barrier(cmd);
}

/// Each resolve tells what was counted last, before it and not behind it.
void case_query_resolve_then_write(struct conform *c)
{
    const weft_query_pool pool = pool_of(c, WEFT_QUERY_OCCLUSION, 2);
    const weft_buffer buffer = marked(c, 4);
    weft_command_buffer *cmd = conform_begin(c);
    count(c, cmd, pool, 1, 1);
    conform_submit(c, cmd);
    cmd = conform_begin(c);
    for (uint32_t i = 0; i < 3; i++) {
        weft_command_resolve_queries(cmd, pool, 1, 1, buffer, i * sizeof(uint64_t));
        conform_barrier(cmd);
        count(c, cmd, pool, 1, i + 2);
        count(c, cmd, pool, 0, 1);
    }
    weft_command_resolve_queries(cmd, pool, 1, 1, buffer, 24);
    conform_submit(c, cmd);
    conform_expect_bytes(c, buffer, 0, (const uint64_t[4]){4, 8, 12, 16}, 32);
}

/// Those that were never written are 0, between others and alone.
void case_query_resolve_unwritten(struct conform *c)
{
    const weft_query_pool pool = pool_of(c, WEFT_QUERY_OCCLUSION, 4);
    const weft_buffer buffer = marked(c, 6);
    weft_command_buffer *cmd = conform_begin(c);
    weft_command_resolve_queries(cmd, pool, 2, 1, buffer, 0);
    count(c, cmd, pool, 1, 3);
    count(c, cmd, pool, 2, 1);
    weft_command_resolve_queries(cmd, pool, 0, 4, buffer, 8);
    conform_submit(c, cmd);
    conform_expect_bytes(c, buffer, 0, (const uint64_t[6]){0, 0, 12, 4, 0, MARK}, 48);
}

/// What is recorded and then discarded was not written.
void case_query_resolve_discarded(struct conform *c)
{
    const weft_query_pool pool = pool_of(c, WEFT_QUERY_OCCLUSION, 2);
    const weft_buffer buffer = marked(c, 2);
    weft_command_buffer *cmd = conform_begin(c);
    count(c, cmd, pool, 0, 1);
    weft_command_discard(cmd);
    cmd = conform_begin(c);
    weft_command_resolve_queries(cmd, pool, 0, 2, buffer, 0);
    conform_submit(c, cmd);
    conform_expect_bytes(c, buffer, 0, (const uint64_t[2]){0, 0}, 16);
    uint64_t got[2];
    CONFORM_EXPECT(c,
                   weft_query_pool_read(conform_device(c), pool, 0, 2, got, sizeof got) == WEFT_OK);
    CONFORM_EXPECT(c, got[0] == 0 && got[1] == 0);
}

/// The order is that of submission, in which a resolve may come behind a writing that was recorded
/// after it: in the same submission, or in one before.
void case_query_resolve_recorded_first(struct conform *c)
{
    const weft_query_pool pool = pool_of(c, WEFT_QUERY_OCCLUSION, 1);
    const weft_buffer buffer = marked(c, 2);
    weft_command_buffer *resolve = conform_begin(c), *again = conform_begin(c);
    weft_command_resolve_queries(resolve, pool, 0, 1, buffer, 0);
    weft_command_resolve_queries(again, pool, 0, 1, buffer, 8);
    weft_command_buffer *write = conform_begin(c);
    count(c, write, pool, 0, 2);
    weft_command_end(write);
    weft_command_end(resolve);
    weft_command_end(again);
    weft_queue_submit(
        conform_device(c), WEFT_QUEUE_GRAPHICS,
        &(weft_submit){.commands = (weft_command_buffer *[]){write, resolve}, .command_count = 2},
        NULL);
    weft_queue_submit(conform_device(c), WEFT_QUEUE_GRAPHICS,
                      &(weft_submit){.commands = &again, .command_count = 1}, NULL);
    conform_check(c);
    conform_expect_bytes(c, buffer, 0, (const uint64_t[2]){8, 8}, 16);
}

/// All seven numbers are there: nothing computes in a pass.
void case_query_resolve_statistics(struct conform *c)
{
    enum { WORDS = sizeof(weft_pipeline_statistics) / sizeof(uint64_t) };
    const weft_query_pool pool = pool_of(c, WEFT_QUERY_STATISTICS, 2);
    const weft_buffer buffer =
        conform_buffer(c, WEFT_BUFFER_USAGE_QUERY, sizeof(weft_pipeline_statistics[2]),
                       (uint64_t[2 * WORDS]){[6] = MARK, [7] = MARK, [13] = MARK});
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = begin(c, cmd, (weft_query_pool){0});
    weft_render_begin_statistics(enc, pool, 0);
    conform_fill(enc, 0, conform_white);
    weft_render_end_statistics(enc);
    weft_render_end(enc);
    conform_barrier(cmd);
    weft_command_resolve_queries(cmd, pool, 0, 2, buffer, 0);
    conform_submit(c, cmd);
    weft_pipeline_statistics got[2];
    if (!conform_read_buffer(c, buffer, 0, got, sizeof got))
        return;
    CONFORM_EXPECT(c, got[0].vertices == 6 && got[0].primitives == 2 && got[0].clipped_in == 2);
    CONFORM_EXPECT(c, got[0].fragment_invocations >= (uint64_t)SIZE * SIZE);
    CONFORM_EXPECT(c, got[0].compute_invocations == 0);
    CONFORM_EXPECT(c, got[1].vertices == 0 && got[1].compute_invocations == 0);
}

/// Timestamps: one that is written is never 0, one that is not is.
void case_query_resolve_times(struct conform *c)
{
    const weft_query_pool pool = pool_of(c, WEFT_QUERY_TIMESTAMP, 4);
    const weft_buffer buffer = marked(c, 8);
    weft_command_buffer *cmd = conform_begin(c);
    weft_command_write_timestamp(cmd, pool, 1);
    weft_command_discard(cmd);
    cmd = conform_begin(c);
    weft_command_write_timestamp(cmd, pool, 0);
    weft_command_write_timestamp(cmd, pool, 3);
    weft_command_resolve_queries(cmd, pool, 0, 4, buffer, 0);
    conform_submit(c, cmd);
    cmd = conform_begin(c);
    weft_command_resolve_queries(cmd, pool, 0, 4, buffer, 32);
    weft_command_write_timestamp(cmd, pool, 0);
    conform_submit(c, cmd);
    uint64_t got[8];
    if (!conform_read_times(c, buffer, 0, got, sizeof got))
        return;
    CONFORM_EXPECT(c, got[0] != 0 && got[1] == 0 && got[2] == 0 && got[3] >= got[0]);
    for (int i = 0; i < 4; i++)
        CONFORM_EXPECT(c, got[4 + i] == got[i]);
}
