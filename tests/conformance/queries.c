// Occlusion and statistics queries.
#include "cases.h"
#include "draw.h"

enum { SIZE = 16 };

static weft_query_pool pool_of(struct conform *c, weft_query_kind kind, uint32_t count)
{
    weft_query_pool out;
    weft_query_pool_create(conform_device(c), &(weft_query_pool_desc){.kind = kind, .count = count},
                           &out);
    conform_check(c);
    return out;
}

/// Reads 64-bit results; false on noop.
static bool read_results(struct conform *c, weft_query_pool pool, uint32_t count, void *data,
                         size_t size)
{
    const weft_result result = weft_query_pool_read(conform_device(c), pool, 0, count, data, size);
    conform_check(c);
    CONFORM_EXPECT(c, result == WEFT_OK);
    if (!conform_draws(c))
        return false;
    conform_hash(c, data, size);
    return true;
}

/// A depth of 0.5 in the left half, 1 in the right; counting into `pool`.
static weft_render_encoder *begin(struct conform *c, weft_command_buffer *cmd, weft_query_pool pool,
                                  const weft_pipeline_state *state)
{
    const weft_pipeline_state write = {
        .depth_stencil = {.depth = WEFT_COMPARE_ALWAYS, .depth_write = true}};
    const weft_texture color = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE),
                       depth = conform_target(c, WEFT_FORMAT_D32_FLOAT, SIZE, SIZE);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){
                 .colors[0] = {.view = conform_view(c, color), .load = WEFT_LOAD_CLEAR},
                 .depth_stencil = conform_view(c, depth),
                 .depth_load = WEFT_LOAD_CLEAR,
                 .clear_depth = 1,
                 .occlusion = pool});
    weft_render_set_pipeline(
        enc, conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_D32_FLOAT, &write));
    conform_draw_rect(enc, &(weft_rect){0, 0, SIZE / 2, SIZE}, SIZE, SIZE, 0.5F, conform_white);
    weft_render_set_pipeline(
        enc, conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_D32_FLOAT, state));
    return enc;
}

static const weft_pipeline_state testing = {.depth_stencil = {.depth = WEFT_COMPARE_LESS}};

/// Samples that pass are counted, those in front and those behind; query 2 sees nothing pass, and
/// query 3 is of two draws. Query 4 is never written.
void case_query_occlusion(struct conform *c)
{
    const weft_query_pool pool = pool_of(c, WEFT_QUERY_OCCLUSION, 5);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = begin(c, cmd, pool, &testing);
    weft_render_begin_occlusion(enc, 0);
    conform_draw_rect(enc, &(weft_rect){3, 2, 7, 5}, SIZE, SIZE, 0.25F, conform_red);
    weft_render_end_occlusion(enc);
    weft_render_begin_occlusion(enc, 1);
    conform_draw_rect(enc, &(weft_rect){3, 2, 7, 5}, SIZE, SIZE, 0.75F, conform_red);
    weft_render_end_occlusion(enc);
    conform_fill(enc, 0.25F, conform_red); // between queries: not counted
    weft_render_begin_occlusion(enc, 2);
    conform_draw_rect(enc, &(weft_rect){0, 0, 8, 5}, SIZE, SIZE, 0.75F, conform_red);
    weft_render_end_occlusion(enc);
    weft_render_begin_occlusion(enc, 3);
    conform_fill(enc, 0.25F, conform_red);
    weft_render_set_scissor(enc, &(weft_rect){1, 1, 3, 3});
    conform_fill(enc, 0.25F, conform_red);
    weft_render_end_occlusion(enc);
    weft_render_end(enc);
    conform_submit(c, cmd);
    static const uint64_t wanted[5] = {35, 10, 0, SIZE * SIZE + 9, 0};
    uint64_t got[5];
    if (!read_results(c, pool, 5, got, sizeof got))
        return;
    for (uint32_t i = 0; i < 5; i++)
        if (got[i] != wanted[i])
            conform_fail(c, "query %u counted %llu samples, not %llu", i,
                         (unsigned long long)got[i], (unsigned long long)wanted[i]);
}

/// With four samples each one counts; of three texels half is covered.
void case_query_occlusion_samples(struct conform *c)
{
    conform_need_format(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_CAN_MSAA_4);
    const weft_query_pool pool = pool_of(c, WEFT_QUERY_OCCLUSION, 1);
    const weft_texture target =
        conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                                .width = SIZE,
                                                .height = SIZE,
                                                .samples = 4,
                                                .usage = WEFT_TEXTURE_USAGE_RENDER});
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}, .samples = 4};
    conform_rect_shaders(c, &desc);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){
                 .colors[0] = {.view = conform_view(c, target), .load = WEFT_LOAD_CLEAR},
                 .occlusion = pool});
    weft_render_set_pipeline(enc, pipeline);
    weft_render_begin_occlusion(enc, 0);
    // Texels 0 to 9 of row 0, and half of the next: two of the four standard positions.
    conform_draw_clip_rect(enc, (const float[4]){-1, 0.875F, 10.5F / 8 - 1, 1}, 0, conform_white);
    weft_render_end_occlusion(enc);
    weft_render_end(enc);
    conform_submit(c, cmd);
    uint64_t got;
    if (read_results(c, pool, 1, &got, sizeof got))
        CONFORM_EXPECT(c, got == 10 * 4 + 2);
}

/// Results are resolved on the GPU as 64-bit numbers, from any query to any multiple of 8.
void case_query_resolve(struct conform *c)
{
    const weft_query_pool pool = pool_of(c, WEFT_QUERY_OCCLUSION, 3);
    const weft_buffer buffer = conform_buffer(c, WEFT_BUFFER_USAGE_QUERY, 32, (uint64_t[4]){0});
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = begin(c, cmd, pool, &testing);
    for (uint32_t i = 0; i < 3; i++) {
        weft_render_begin_occlusion(enc, i);
        conform_draw_rect(enc, &(weft_rect){0, 0, 4, i + 1}, SIZE, SIZE, 0.25F, conform_white);
        weft_render_end_occlusion(enc);
    }
    weft_render_end(enc);
    conform_barrier(cmd);
    weft_command_resolve_queries(cmd, pool, 1, 2, buffer, 8);
    conform_submit(c, cmd);
    conform_expect_bytes(c, buffer, 0, (const uint64_t[4]){0, 8, 12, 0}, 32);
}

/// Two rectangles: what Vulkan fixes is exact; invocations may be saved or spent (reused vertices,
/// helpers of quads), within reason: at least the vertices that differ, and at least one invocation
/// for each texel.
void case_query_statistics(struct conform *c)
{
    const weft_query_pool pool = pool_of(c, WEFT_QUERY_STATISTICS, 1);
    const weft_pipeline_state none = {.raster = {0}};
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = begin(c, cmd, (weft_query_pool){0}, &none);
    weft_render_begin_statistics(enc, pool, 0);
    conform_draw_rect(enc, &(weft_rect){0, 0, 8, 8}, SIZE, SIZE, 0, conform_white);
    conform_draw_rect(enc, &(weft_rect){8, 8, 4, 4}, SIZE, SIZE, 0, conform_white);
    weft_render_end_statistics(enc);
    conform_fill(enc, 0, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    weft_pipeline_statistics got;
    if (!read_results(c, pool, 1, &got, sizeof got))
        return;
    CONFORM_EXPECT(c, got.vertices == 12);
    CONFORM_EXPECT(c, got.primitives == 4);
    CONFORM_EXPECT(c, got.vertex_invocations >= 8);
    CONFORM_EXPECT(c, got.clipped_in == 4);
    CONFORM_EXPECT(c, got.clipped_out == 4);
    CONFORM_EXPECT(c, got.fragment_invocations >= 80 && got.fragment_invocations < 256);
    CONFORM_EXPECT(c, got.compute_invocations == 0);
}
