// What no host should do harms nothing. Of recordings that holds at every level of validation: at
// OFF nobody refuses them before the software device sees them.
#include "whole.h"

#include "plain.frag.spv.h"
#include "plain.vert.spv.h"

#include <math.h>

enum { SIDE = 20 };

static const uint8_t plain_color[4] = {255, 128, 64, 255}; // as plain.frag writes it

/// A target, and a pipeline that fills it without any input.
struct plain {
    struct fixture f;
    weft_shader vertex, fragment;
    weft_graphics_pipeline pipeline;
    weft_texture texture;
    weft_texture_view view;
};

static struct plain plain_open(weft_validation validation)
{
    const weft_software_options software = {.threads = 2, .shader_budget = 10000};
    struct plain p = {.f = fixture_open_desc(&(weft_device_desc){
                          .backends = 1u << WEFT_BACKEND_SOFTWARE,
                          .validation = validation,
                          .software = &software,
                      })};
    const weft_shader_desc vertex = {.code = plain_vert, .size = sizeof plain_vert};
    const weft_shader_desc fragment = {.code = plain_frag, .size = sizeof plain_frag};
    EXPECT_EQ(weft_shader_create(p.f.dev, &vertex, &p.vertex), WEFT_OK);
    EXPECT_EQ(weft_shader_create(p.f.dev, &fragment, &p.fragment), WEFT_OK);
    const weft_graphics_pipeline_desc pipeline = {.vertex = {.shader = p.vertex},
                                                  .fragment = {.shader = p.fragment},
                                                  .colors = {WEFT_FORMAT_RGBA8_UNORM}};
    EXPECT_EQ(weft_graphics_pipeline_create(p.f.dev, &pipeline, &p.pipeline), WEFT_OK);
    const weft_texture_desc texture = {.format = WEFT_FORMAT_RGBA8_UNORM,
                                       .width = SIDE,
                                       .height = SIDE,
                                       .usage =
                                           WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_COPY_SRC};
    EXPECT_EQ(weft_texture_create(p.f.dev, &texture, &p.texture), WEFT_OK);
    const weft_texture_view_desc view = {.texture = p.texture};
    EXPECT_EQ(weft_texture_view_create(p.f.dev, &view, &p.view), WEFT_OK);
    return p;
}

static void plain_close(struct plain *p)
{
    weft_texture_view_destroy(p->f.dev, p->view);
    weft_texture_destroy(p->f.dev, p->texture);
    weft_graphics_pipeline_destroy(p->f.dev, p->pipeline);
    weft_shader_destroy(p->f.dev, p->vertex);
    weft_shader_destroy(p->f.dev, p->fragment);
    fixture_close(&p->f);
}

static weft_render_encoder *plain_begin(struct plain *p, weft_command_buffer **cmd)
{
    EXPECT_EQ(weft_command_begin(p->f.dev, NULL, cmd), WEFT_OK);
    weft_render_encoder *enc = weft_command_begin_render(
        *cmd, &(weft_render_pass_desc){.colors[0] = {.view = p->view, .load = WEFT_LOAD_CLEAR}});
    weft_render_set_pipeline(enc, p->pipeline);
    return enc;
}

/// What became of a recording.
static weft_result plain_finish(struct plain *p, weft_command_buffer *cmd)
{
    weft_result result = weft_command_end(cmd);
    if (result != WEFT_OK)
        return result;
    const weft_submit submit = {.commands = &cmd, .command_count = 1};
    result = weft_queue_submit(p->f.dev, WEFT_QUEUE_GRAPHICS, &submit, NULL);
    if (result != WEFT_OK) {
        weft_command_discard(cmd);
        return result;
    }
    return weft_device_wait_idle(p->f.dev);
}

/// The device still draws as ever.
static void expect_draws(struct plain *p)
{
    weft_command_buffer *cmd;
    weft_render_encoder *enc = plain_begin(p, &cmd);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    EXPECT_EQ(plain_finish(p, cmd), WEFT_OK);
    uint8_t pixels[SIDE][SIDE][4];
    EXPECT_EQ(weft_texture_read(p->f.dev, p->texture, NULL, pixels, sizeof pixels, NULL), WEFT_OK);
    EXPECT_MEM(pixels[SIDE - 1][SIDE / 2], plain_color, 4);
}

static const weft_validation levels[] = {WEFT_VALIDATION_OFF, WEFT_VALIDATION_ERRORS,
                                         WEFT_VALIDATION_FULL};

// ---- floats that are none ----------------------------------------------------------------------

static const float odd[] = {NAN, INFINITY, -INFINITY, 1e38f, -1e38f, 1e-40f, -0.0f, 0.0f, 3e9f};

static weft_viewport odd_viewport(uint32_t which, float value)
{
    weft_viewport v = {0, 0, SIDE, SIDE, 0, 1};
    float *const members[] = {&v.x, &v.y, &v.width, &v.height, &v.min_depth, &v.max_depth};
    *members[which] = value;
    return v;
}

static void draw_in(struct plain *p, const weft_viewport *viewport)
{
    weft_command_buffer *cmd;
    weft_render_encoder *enc = plain_begin(p, &cmd);
    weft_render_set_viewport(enc, viewport);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    (void)plain_finish(p, cmd);
}

TEST(whole_hostile, odd_viewports_harm_nothing)
{
    for (size_t level = 0; level < 3; level++) {
        struct plain p = plain_open(levels[level]);
        for (uint32_t which = 0; which < 6; which++) {
            for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
                const weft_viewport v = odd_viewport(which, odd[i]);
                draw_in(&p, &v);
            }
        }
        expect_draws(&p);
        plain_close(&p);
    }
}

TEST(whole_hostile, a_viewport_that_is_no_number_is_refused)
{
    struct plain p = plain_open(WEFT_VALIDATION_ERRORS);
    for (uint32_t which = 0; which < 6; which++) {
        const weft_viewport v = odd_viewport(which, NAN);
        draw_in(&p, &v);
        EXPECT(fixture_took(&p.f, which < 4 ? WEFT_RULE_VIEWPORT_SIZE : WEFT_RULE_VIEWPORT_DEPTH));
    }
    plain_close(&p);
}

TEST(whole_hostile, odd_scissors_and_clears_harm_nothing)
{
    static const weft_rect rects[] = {{INT32_MIN, INT32_MIN, UINT32_MAX, UINT32_MAX},
                                      {INT32_MAX, INT32_MAX, UINT32_MAX, 1},
                                      {-5, -5, 3, 3},
                                      {0, 0, 0, UINT32_MAX},
                                      {SIDE, 0, 5, 5},
                                      {-1, 3, UINT32_MAX, 1}};
    for (size_t level = 0; level < 3; level++) {
        struct plain p = plain_open(levels[level]);
        for (size_t i = 0; i < sizeof rects / sizeof rects[0]; i++) {
            weft_command_buffer *cmd;
            EXPECT_EQ(weft_command_begin(p.f.dev, NULL, &cmd), WEFT_OK);
            const float value = odd[i];
            weft_render_encoder *enc = weft_command_begin_render(
                cmd,
                &(weft_render_pass_desc){.colors[0] = {.view = p.view,
                                                       .load = WEFT_LOAD_CLEAR,
                                                       .clear.f = {value, -value, value, value}}});
            weft_render_set_pipeline(enc, p.pipeline);
            weft_render_set_scissor(enc, &rects[i]);
            weft_render_set_blend_constant(enc, (const float[4]){value, value, value, value});
            weft_render_draw(enc, 3, 1, 0, 0);
            weft_render_end(enc);
            EXPECT_EQ(plain_finish(&p, cmd), WEFT_OK);
        }
        EXPECT_EQ(fixture_count(&p.f), 0);
        expect_draws(&p);
        plain_close(&p);
    }
}

// ---- beyond the ends of buffers ----------------------------------------------------------------

/// Draws the whole scene's pipeline with ranges that lie outside of its buffers.
static void draw_beyond(const struct whole *w, weft_render_encoder *enc)
{
    static const uint32_t far[] = {0, 100, 1000000, 0x7fffffff, 0xfffffff0};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        weft_render_draw(enc, 30, 2, far[i], far[i]);
        weft_render_draw_indexed(enc, 30, 1, far[i], (int32_t)far[i], far[i]);
        weft_render_draw_indexed(enc, 30, 1, 0, -(int32_t)(far[i] / 2), 0);
    }
    weft_render_set_vertex_buffer(enc, 0, w->vertices, UINT64_MAX - 3);
    weft_render_set_index_buffer(enc, w->indices, UINT64_MAX - 1, WEFT_INDEX_UINT16);
    weft_render_draw(enc, 30, 1, 0, 0);
    weft_render_draw_indexed(enc, 30, 1, 0, 0, 0);
    weft_render_set_index_buffer(enc, w->indices, 1, WEFT_INDEX_UINT32);
    weft_render_draw_indexed(enc, 30, 1, 0, 0, 0);
}

TEST(whole_hostile, draws_beyond_buffers_read_zero)
{
    for (size_t level = 0; level < 3; level++) {
        struct fixture f = fixture_open_validation(WEFT_BACKEND_SOFTWARE, levels[level]);
        struct whole w;
        EXPECT(whole_create(&w, f.dev));
        weft_command_buffer *cmd;
        EXPECT_EQ(weft_command_begin(f.dev, NULL, &cmd), WEFT_OK);
        weft_render_encoder *enc = weft_command_begin_render(
            cmd,
            &(weft_render_pass_desc){.colors[0] = {.view = w.many_view, .load = WEFT_LOAD_CLEAR},
                                     .depth_stencil = w.depth_view,
                                     .depth_load = WEFT_LOAD_CLEAR,
                                     .clear_depth = 1});
        weft_render_set_pipeline(enc, w.pipeline);
        weft_render_set_arguments(enc, 0, w.globals, NULL, 0);
        weft_render_set_arguments(enc, 1, w.material, NULL, 0);
        weft_render_set_vertex_buffer(enc, 0, w.vertices, 0);
        weft_render_set_index_buffer(enc, w.indices, 0, WEFT_INDEX_UINT16);
        draw_beyond(&w, enc);
        weft_render_end(enc);
        const weft_result result = weft_command_end(cmd);
        if (result == WEFT_OK) {
            const weft_submit submit = {.commands = &cmd, .command_count = 1};
            EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS, &submit, NULL), WEFT_OK);
        }
        EXPECT_EQ(weft_device_wait_idle(f.dev), WEFT_OK);
        EXPECT(levels[level] == WEFT_VALIDATION_OFF || result == WEFT_ERROR_USAGE);
        static struct whole_result got;
        EXPECT(whole_render(&w, &got));
        whole_destroy(&w);
        fixture_close(&f);
    }
}

// ---- indirect ----------------------------------------------------------------------------------

static weft_buffer ones(struct fixture *f)
{
    static uint32_t words[64];
    memset(words, 0xff, sizeof words);
    const weft_buffer_desc desc = {.size = sizeof words,
                                   .usage = WEFT_BUFFER_USAGE_INDIRECT | WEFT_BUFFER_USAGE_INDEX |
                                            WEFT_BUFFER_USAGE_VERTEX,
                                   .data = words};
    weft_buffer buffer;
    EXPECT_EQ(weft_buffer_create(f->dev, &desc, &buffer), WEFT_OK);
    return buffer;
}

/// A draw of 2^64 vertices would never end: it is stopped like a shader that does not.
static void draw_ones(weft_validation validation, bool indexed, bool counted)
{
    struct plain p = plain_open(validation);
    weft_buffer buffer = ones(&p.f);
    weft_command_buffer *cmd;
    weft_render_encoder *enc = plain_begin(&p, &cmd);
    weft_render_set_index_buffer(enc, buffer, 0, WEFT_INDEX_UINT32);
    const weft_indirect_draws draws = {.buffer = buffer,
                                       .max_count = counted ? UINT32_MAX : 2,
                                       .count_buffer = counted ? buffer : (weft_buffer){0}};
    if (indexed)
        weft_render_draw_indexed_indirect(enc, &draws);
    else
        weft_render_draw_indirect(enc, &draws);
    weft_render_end(enc);
    EXPECT_EQ(plain_finish(&p, cmd), WEFT_ERROR_LOST);
    EXPECT_EQ(weft_device_startup(p.f.dev).state, WEFT_DEVICE_LOST);
    weft_buffer_destroy(p.f.dev, buffer);
    plain_close(&p);
}

TEST(whole_hostile, indirect_draws_without_end_are_stopped)
{
    for (size_t level = 0; level < 2; level++) {
        draw_ones(levels[level], false, false);
        draw_ones(levels[level], true, false);
    }
    draw_ones(WEFT_VALIDATION_OFF, false, true);
}

// ---- sizes that overflow -----------------------------------------------------------------------

TEST(whole_hostile, huge_sizes_are_refused)
{
    static const uint64_t sizes[] = {UINT64_MAX, UINT64_MAX - 3, UINT64_C(1) << 63,
                                     UINT64_C(1) << 48, 0};
    static const uint32_t sides[] = {UINT32_MAX, 0x80000000u, 65536, 1u << 30};
    for (size_t level = 1; level < 3; level++) {
        struct fixture f = fixture_open_validation(WEFT_BACKEND_SOFTWARE, levels[level]);
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            weft_buffer buffer;
            EXPECT(weft_buffer_create(f.dev, &(weft_buffer_desc){.size = sizes[i]}, &buffer) < 0);
            EXPECT(weft_buffer_is_none(buffer));
            weft_memory_block block;
            EXPECT(weft_memory_block_create(f.dev, &(weft_memory_block_desc){.size = sizes[i]},
                                            &block) < 0);
            EXPECT(weft_memory_block_is_none(block));
            EXPECT(sizes[i] == 0 || !weft_transient_alloc(f.dev, sizes[i], 0).cpu);
        }
        for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
            weft_texture texture;
            const weft_texture_desc desc = {.kind = WEFT_TEXTURE_3D,
                                            .format = WEFT_FORMAT_RGBA32_FLOAT,
                                            .width = sides[i],
                                            .height = sides[i],
                                            .depth = sides[i]};
            EXPECT(weft_texture_create(f.dev, &desc, &texture) < 0);
            EXPECT(weft_texture_is_none(texture));
        }
        EXPECT(fixture_count(&f) > 0);
        fixture_close(&f);
    }
}

/// Descriptions of nothing but zero are good, or break a rule.
TEST(whole_hostile, zero_descriptions_are_answered)
{
    for (size_t level = 1; level < 3; level++) {
        struct fixture f = fixture_open_validation(WEFT_BACKEND_SOFTWARE, levels[level]);
        weft_texture texture;
        weft_texture_view view;
        weft_view_pool pool;
        weft_shader shader;
        weft_graphics_pipeline graphics;
        weft_compute_pipeline compute;
        weft_argument_layout layout;
        weft_argument_table table;
        weft_query_pool queries;
        weft_heap_range range;
        EXPECT(weft_texture_create(f.dev, &(weft_texture_desc){0}, &texture) < 0);
        EXPECT(weft_texture_view_create(f.dev, &(weft_texture_view_desc){0}, &view) < 0);
        EXPECT(weft_view_pool_create(f.dev, &(weft_view_pool_desc){0}, &pool) < 0);
        EXPECT(weft_shader_create(f.dev, &(weft_shader_desc){0}, &shader) < 0);
        EXPECT(weft_graphics_pipeline_create(f.dev, &(weft_graphics_pipeline_desc){0}, &graphics) <
               0);
        EXPECT(weft_compute_pipeline_create(f.dev, &(weft_compute_pipeline_desc){0}, &compute) < 0);
        EXPECT(weft_argument_table_create(f.dev, &(weft_argument_table_desc){0}, &table) < 0);
        EXPECT(weft_query_pool_create(f.dev, &(weft_query_pool_desc){0}, &queries) < 0);
        EXPECT(weft_heap_range_create(f.dev, WEFT_HEAP_SAMPLED, 0, &range) < 0);
        EXPECT_EQ(weft_argument_layout_create(f.dev, &(weft_argument_layout_desc){0}, &layout),
                  WEFT_OK);
        weft_argument_layout_destroy(f.dev, layout);
        EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS, &(weft_submit){0}, NULL), WEFT_OK);
        fixture_close(&f);
    }
}
