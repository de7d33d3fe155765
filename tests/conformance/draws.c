// Draws: which vertices and instances each kind runs, seen as cells of a grid: the column is the
// instance's number, the row a sixth of the vertex's.
#include "cases.h"
#include "draw.h"

#include "cell.vert.spv.h"
#include "white.frag.spv.h"

enum { SIZE = 16 };

/// A pass on the grid with its pipeline set.
struct grid {
    weft_texture target;
    weft_command_buffer *cmd;
    weft_render_encoder *enc;
    struct conform_marks marks;
};

static struct grid begin(struct conform *c)
{
    const weft_graphics_pipeline pipeline = conform_pipeline(
        c, &(weft_graphics_pipeline_desc){.vertex.shader = CONFORM_SHADER(c, cell_vert),
                                          .fragment.shader = CONFORM_SHADER(c, white_frag),
                                          .colors = {WEFT_FORMAT_RGBA8_UNORM}});
    struct grid g = {.target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE),
                     .cmd = conform_begin(c)};
    g.enc = conform_begin_pass(g.cmd, conform_view(c, g.target), conform_black);
    weft_render_set_pipeline(g.enc, pipeline);
    return g;
}

static void end(struct conform *c, struct grid *g)
{
    weft_render_end(g->enc);
    conform_submit(c, g->cmd);
    conform_expect_texels(c, g->target, NULL, conform_marked, &g->marks, 0);
}

static weft_buffer arguments(struct conform *c, const void *data, size_t size)
{
    return conform_buffer(c, WEFT_BUFFER_USAGE_INDIRECT, size, data);
}

// ---- direct ------------------------------------------------------------------------------------

void case_draw_instances(struct conform *c)
{
    struct grid g = begin(c);
    weft_render_draw(g.enc, 6 * 2, 3, 0, 0);
    conform_mark(&g.marks, 0, 0, 3, 2);
    weft_render_draw(g.enc, 6 * 3, 2, 6 * 4, 0); // first vertex
    conform_mark(&g.marks, 0, 4, 2, 3);
    weft_render_draw(g.enc, 6 * 2, 4, 6 * 9, 7); // and first instance
    conform_mark(&g.marks, 7, 9, 4, 2);
    end(c, &g);
}

/// Indices of cells 1 and 2, after three that are skipped; 16 and 32 bits; the vertex offset may
/// be negative.
void case_draw_indexed(struct conform *c)
{
    uint16_t narrow[16] = {900, 900, 900};
    uint32_t wide[16] = {900, 900, 900};
    for (uint32_t i = 0; i < 12; i++)
        narrow[i + 3] = (uint16_t)(wide[i + 3] = 6 + i);
    struct grid g = begin(c);
    weft_render_set_index_buffer(g.enc,
                                 conform_buffer(c, WEFT_BUFFER_USAGE_INDEX, sizeof narrow, narrow),
                                 0, WEFT_INDEX_UINT16);
    weft_render_draw_indexed(g.enc, 12, 1, 3, 0, 0);
    conform_mark(&g.marks, 0, 1, 1, 2);
    weft_render_draw_indexed(g.enc, 6, 2, 3, 6 * 4, 3);
    conform_mark(&g.marks, 3, 5, 2, 1);
    weft_render_set_index_buffer(g.enc,
                                 conform_buffer(c, WEFT_BUFFER_USAGE_INDEX, sizeof wide, wide), 12,
                                 WEFT_INDEX_UINT32); // its offset skips the three
    weft_render_draw_indexed(g.enc, 6, 1, 0, -6, 10);
    conform_mark(&g.marks, 10, 0, 1, 1);
    weft_render_draw_indexed(g.enc, 6, 1, 6, 6 * 10, 12);
    conform_mark(&g.marks, 12, 12, 1, 1);
    end(c, &g);
}

/// Nothing of nothing is no error. The last draw shows that the pass goes on.
void case_draw_nothing(struct conform *c)
{
    const uint16_t indices[2] = {0};
    struct grid g = begin(c);
    weft_render_set_index_buffer(
        g.enc, conform_buffer(c, WEFT_BUFFER_USAGE_INDEX, sizeof indices, indices), 0,
        WEFT_INDEX_UINT16);
    weft_render_draw(g.enc, 0, 1, 0, 0);
    weft_render_draw(g.enc, 6, 0, 0, 0);
    weft_render_draw(g.enc, 0, 0, 3, 5);
    weft_render_draw_indexed(g.enc, 0, 1, 0, 0, 0);
    weft_render_draw_indexed(g.enc, 2, 0, 0, 0, 0);
    weft_render_draw(g.enc, 2, 1, 0, 0); // two vertices are no triangle
    weft_render_draw(g.enc, 6, 1, 6, 1);
    g.marks.at[1][1] = true;
    end(c, &g);
}

static struct conform_texel numbered(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t index = y * 32 + x, low = index % 256, high = index / 256;
    (void)user;
    (void)z;
    if (index >= 1000)
        return (struct conform_texel){{0, 0, 0, 1}};
    return (struct conform_texel){{low / 255.0, high / 255.0, 1, 0}};
}

/// A thousand draws, each of one texel with its own place and color by root constants.
void case_draw_thousand_roots(struct conform *c)
{
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 32, 32);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(
        enc, conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL));
    for (int32_t i = 0; i < 1000; i++) {
        const int32_t low = i % 256, high = i / 256;
        conform_draw_rect(enc, &(weft_rect){i % 32, i / 32, 1, 1}, 32, 32, 0,
                          (const float[4]){(float)low / 255, (float)high / 255, 1, 0});
    }
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, numbered, NULL, 1e-6);
}

// ---- indirect ----------------------------------------------------------------------------------

void case_draw_indirect(struct conform *c)
{
    const weft_draw_indirect_args args[2] = {{999, 999, 999, 0}, {12, 3, 6 * 5, 0}};
    const weft_draw_indexed_indirect_args indexed = {6, 2, 1, 6 * 2, 0};
    const uint32_t indices[7] = {900, 60, 61, 62, 63, 64, 65};
    struct grid g = begin(c);
    weft_render_draw_indirect(g.enc,
                              &(weft_indirect_draws){.buffer = arguments(c, args, sizeof args),
                                                     .offset = sizeof args[0],
                                                     .max_count = 1});
    conform_mark(&g.marks, 0, 5, 3, 2);
    weft_render_set_index_buffer(
        g.enc, conform_buffer(c, WEFT_BUFFER_USAGE_INDEX, sizeof indices, indices), 0,
        WEFT_INDEX_UINT32);
    weft_render_draw_indexed_indirect(
        g.enc,
        &(weft_indirect_draws){.buffer = arguments(c, &indexed, sizeof indexed), .max_count = 1});
    conform_mark(&g.marks, 0, 12, 2, 1);
    end(c, &g);
}

void case_draw_indirect_first_instance(struct conform *c)
{
    const weft_draw_indirect_args args = {6, 2, 6 * 3, 9};
    const weft_draw_indexed_indirect_args indexed = {6, 3, 0, -6, 4};
    const uint16_t indices[6] = {6, 7, 8, 9, 10, 11};
    struct grid g = begin(c);
    weft_render_draw_indirect(
        g.enc, &(weft_indirect_draws){.buffer = arguments(c, &args, sizeof args), .max_count = 1});
    conform_mark(&g.marks, 9, 3, 2, 1);
    weft_render_set_index_buffer(
        g.enc, conform_buffer(c, WEFT_BUFFER_USAGE_INDEX, sizeof indices, indices), 0,
        WEFT_INDEX_UINT16);
    weft_render_draw_indexed_indirect(
        g.enc,
        &(weft_indirect_draws){.buffer = arguments(c, &indexed, sizeof indexed), .max_count = 1});
    conform_mark(&g.marks, 4, 0, 3, 1);
    end(c, &g);
}

/// Three draws, each 32 bytes after the other; the words between are no arguments. One of them is
/// of nothing.
void case_draw_multi_indirect(struct conform *c)
{
    const uint32_t words[3][8] = {
        {6, 1, 0, 0, 7, 7, 7, 7}, {0, 5, 0, 0, 7, 7, 7, 7}, {12, 2, 6 * 8, 0, 7, 7, 7, 7}};
    struct grid g = begin(c);
    weft_render_draw_indirect(
        g.enc, &(weft_indirect_draws){
                   .buffer = arguments(c, words, sizeof words), .stride = 32, .max_count = 3});
    g.marks.at[0][0] = true;
    conform_mark(&g.marks, 0, 8, 2, 2);
    end(c, &g);
}

/// Five draws lie there, one row each. The count says two, more than the maximum of four, or none.
void case_draw_indirect_count(struct conform *c)
{
    static const uint32_t counts[3] = {2, 100, 0}, drawn[3] = {2, 4, 0};
    weft_draw_indirect_args args[5];
    for (uint32_t i = 0; i < 5; i++)
        args[i] = (weft_draw_indirect_args){6, 1, 6 * i, 0};
    for (uint32_t k = 0; k < 3; k++) {
        struct grid g = begin(c);
        weft_render_draw_indirect(
            g.enc, &(weft_indirect_draws){.buffer = arguments(c, args, sizeof args),
                                          .max_count = 4,
                                          .count_buffer = arguments(c, counts, sizeof counts),
                                          .count_offset = 4u * (uint64_t)k});
        conform_mark(&g.marks, 0, 0, 1, drawn[k]);
        end(c, &g);
    }
}

/// The same for indexed draws, whose arguments lie further apart and do not begin at once.
void case_draw_indexed_indirect_count(struct conform *c)
{
    static const uint32_t counts[4] = {77, 3, 100, 0}, drawn[3] = {3, 4, 0};
    const uint16_t indices[6] = {0, 1, 2, 3, 4, 5};
    struct {
        weft_draw_indexed_indirect_args args;
        uint32_t gap[2];
    } draws[6] = {{{900, 900, 0, 0, 0}, {0}}};
    for (uint32_t i = 0; i < 5; i++)
        draws[i + 1].args = (weft_draw_indexed_indirect_args){6, 1, 0, (int32_t)(6 * i), i};
    const weft_buffer buffer = arguments(c, draws, sizeof draws);
    for (uint32_t k = 0; k < 3; k++) {
        struct grid g = begin(c);
        weft_render_set_index_buffer(
            g.enc, conform_buffer(c, WEFT_BUFFER_USAGE_INDEX, sizeof indices, indices), 0,
            WEFT_INDEX_UINT16);
        weft_render_draw_indexed_indirect(
            g.enc, &(weft_indirect_draws){.buffer = buffer,
                                          .offset = sizeof draws[0],
                                          .stride = sizeof draws[0],
                                          .max_count = 4,
                                          .count_buffer = arguments(c, counts, sizeof counts),
                                          .count_offset = 4 + 4u * (uint64_t)k});
        for (uint32_t i = 0; i < drawn[k]; i++)
            g.marks.at[i][i] = true;
        end(c, &g);
    }
}

static struct conform_texel own_root(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)y;
    (void)z;
    return (struct conform_texel){{x / 255.0, 1, 0, 1}};
}

/// Each of the four draws reads its own root block, 64 bytes after the other.
void case_draw_indirect_roots(struct conform *c)
{
    enum { DRAWS = 4, APART = 64 };
    struct {
        struct conform_rect_root root;
        uint8_t gap[APART - sizeof(struct conform_rect_root)];
    } blocks[DRAWS] = {0};
    weft_draw_indirect_args args[DRAWS];
    for (uint32_t i = 0; i < DRAWS; i++) {
        const float left = (float)i / 2 - 1;
        blocks[i].root = (struct conform_rect_root){.rect = {left, -1, left + 0.5F, 1},
                                                    .color = {(float)i / 255, 1, 0, 1}};
        args[i] = (weft_draw_indirect_args){6, 1, 0, 0};
    }
    const weft_buffer roots = conform_buffer(c, WEFT_BUFFER_USAGE_ADDRESS, sizeof blocks, blocks);
    const weft_graphics_pipeline pipeline =
        conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, DRAWS, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_draw_indirect(
        enc, &(weft_indirect_draws){.buffer = arguments(c, args, sizeof args),
                                    .max_count = DRAWS,
                                    .root_stride = APART,
                                    .root_base = weft_buffer_address(conform_device(c), roots)});
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, own_root, NULL, 1e-6);
}

/// As many draws as there may be: none.
void case_draw_indirect_nothing(struct conform *c)
{
    const weft_draw_indirect_args args[2] = {{6, 0, 0, 0}, {0, 1, 0, 0}};
    struct grid g = begin(c);
    const weft_buffer buffer = arguments(c, args, sizeof args);
    weft_render_draw_indirect(g.enc, &(weft_indirect_draws){.buffer = buffer, .max_count = 0});
    for (uint32_t i = 0; i < 2; i++)
        weft_render_draw_indirect(
            g.enc,
            &(weft_indirect_draws){.buffer = buffer, .offset = sizeof args[0] * i, .max_count = 1});
    weft_render_draw(g.enc, 6, 1, 6 * 15, 15);
    g.marks.at[15][15] = true;
    end(c, &g);
}
