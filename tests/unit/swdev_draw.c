// Render passes on the software device, through commands.
#include <string.h>

#include "shader/module.h"
#include "swdev.h"
#include "swdev_color.frag.spv.h"
#include "swdev_color.vert.spv.h"

#define SIDE 16u

/// A target, a pipeline that draws colored vertices, and a buffer that the target is copied to.
struct scene {
    struct swdev s;
    struct wf_hal_texture *tex;
    struct wf_hal_texture_view *view;
    struct wf_hal_buffer *pixels, *vertices;
    struct wf_shader_module *modules[2];
    struct wf_hal_shader *shaders[2];
    struct wf_hal_pipeline *pipeline;
    struct wf_hal_command *cmd;
};

struct vertex {
    float x, y;
    uint8_t color[4];
};

// Covers the lower left half: (0, 0) is the top left texel, y of clip space points up.
static const struct vertex half[3] = {
    {-1, -1, {255, 0, 0, 255}}, {1, -1, {255, 0, 0, 255}}, {-1, 1, {255, 0, 0, 255}}};

static struct wf_hal_stage stage(struct scene *c, uint32_t i, uint32_t model, const uint32_t *code,
                                 size_t bytes)
{
    struct wf_shader_error error = {0};
    if (!wf_shader_read(wf_base_allocator_default(), code, bytes, &c->modules[i], &error))
        test_fail(__FILE__, __LINE__, "%s", error.message);
    if (c->s.ops->shader_create(c->s.dev, c->modules[i], &c->shaders[i], &error) != WEFT_OK)
        test_fail(__FILE__, __LINE__, "%s", error.message);
    return (struct wf_hal_stage){.shader = c->shaders[i],
                                 .entry = wf_shader_entry(c->modules[i], model, "main")};
}

static void make_pipeline(struct scene *c)
{
    static const weft_vertex_stream stream = {.slot = 2, .stride = sizeof(struct vertex)};
    static const weft_vertex_attribute attributes[2] = {
        {.location = 0, .slot = 2, .format = WEFT_VERTEX_FORMAT_FLOAT32X2},
        {.location = 1, .slot = 2, .offset = 8, .format = WEFT_VERTEX_FORMAT_UNORM8X4}};
    static const weft_pipeline_state state = {.depth_stencil = {.depth = WEFT_COMPARE_DEFAULT}};
    struct wf_shader_error error = {0};
    const struct wf_hal_graphics_pipeline_desc desc = {
        .vertex = stage(c, 0, SpvExecutionModelVertex, swdev_color_vert, sizeof swdev_color_vert),
        .fragment =
            stage(c, 1, SpvExecutionModelFragment, swdev_color_frag, sizeof swdev_color_frag),
        .root_bytes = 8,
        .streams = &stream,
        .stream_count = 1,
        .attributes = attributes,
        .attribute_count = 2,
        .colors = {WEFT_FORMAT_RGBA8_UNORM},
        .samples = 1,
        .sample_mask = UINT32_MAX,
        .states = &state,
        .state_count = 1,
        .label = "colored",
    };
    if (c->s.ops->graphics_pipeline_create(c->s.dev, &desc, &c->pipeline, &error) != WEFT_OK)
        test_fail(__FILE__, __LINE__, "%s", error.message);
}

static void scene_open(struct scene *c)
{
    *c = (struct scene){0};
    swdev_open(&c->s, NULL);
    const weft_texture_desc desc = {
        .format = WEFT_FORMAT_RGBA8_UNORM,
        .width = SIDE,
        .height = SIDE,
        .depth = 1,
        .layers = 1,
        .mips = 1,
        .samples = 1,
        .usage = WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_COPY_SRC,
    };
    c->tex = swdev_texture(&c->s, &desc);
    c->view = swdev_view(&c->s, c->tex);
    c->pixels = swdev_buffer(&c->s, SIDE * SIDE * 4, WEFT_MEMORY_READBACK);
    c->vertices = swdev_buffer(&c->s, 4096, WEFT_MEMORY_DEFAULT);
    memcpy(c->vertices->mapped, half, sizeof half);
    make_pipeline(c);
}

static void scene_close(struct scene *c)
{
    const struct wf_hal_device_ops *ops = c->s.ops;
    ops->pipeline_destroy(c->s.dev, c->pipeline);
    for (uint32_t i = 0; i < 2; i++) {
        ops->shader_destroy(c->s.dev, c->shaders[i]);
        wf_shader_free(c->modules[i]);
    }
    ops->buffer_destroy(c->s.dev, c->pixels);
    ops->buffer_destroy(c->s.dev, c->vertices);
    ops->texture_view_destroy(c->s.dev, c->view);
    ops->texture_destroy(c->s.dev, c->tex);
    swdev_close(&c->s);
}

// Opens a pass that clears to blue, with everything set but what is drawn.
static void begin(struct scene *c, struct wf_hal_query_pool *occlusion)
{
    const struct wf_hal_device_ops *ops = c->s.ops;
    const struct wf_hal_render_pass pass = {
        .colors = {{.view = c->view, .load = WEFT_LOAD_CLEAR, .clear = {.f = {0, 0, 1, 1}}}},
        .width = SIDE,
        .height = SIDE,
        .samples = 1,
        .occlusion = occlusion,
        .label = "pass",
    };
    c->cmd = swdev_begin(&c->s);
    ops->cmd_begin_render(c->cmd, &pass);
    ops->cmd_set_pipeline(c->cmd, c->pipeline);
    ops->cmd_set_depth_stencil(c->cmd, &(weft_depth_stencil_state){.stencil = false});
    ops->cmd_set_blend(c->cmd, &(weft_blend_state){.independent = false});
    ops->cmd_set_raster(c->cmd, &(weft_raster_state){.cull = WEFT_CULL_NONE});
    ops->cmd_set_viewport(c->cmd, &(weft_viewport){.width = SIDE, .height = SIDE, .max_depth = 1});
    ops->cmd_set_scissor(c->cmd, &(weft_rect){.width = SIDE, .height = SIDE});
    ops->cmd_set_vertex_buffer(c->cmd, 2, c->vertices, 0);
}

static void end(struct scene *c)
{
    const struct wf_hal_device_ops *ops = c->s.ops;
    const weft_texture_region all = {
        .layer_count = 1, .width = SIDE, .height = SIDE, .depth = 1, .aspect = WEFT_ASPECT_COLOR};
    ops->cmd_end_render(c->cmd);
    ops->cmd_copy_texture_to_buffer(
        c->cmd, c->tex, &all, c->pixels,
        &(struct wf_hal_texel_layout){.row_bytes = SIDE * 4, .slice_rows = SIDE});
    swdev_run(&c->s, c->cmd);
}

static bool is_red(const struct scene *c, uint32_t x, uint32_t y)
{
    static const uint8_t red[4] = {255, 0, 0, 255}, blue[4] = {0, 0, 255, 255};
    const uint8_t *pixel = c->pixels->mapped + ((size_t)y * SIDE + x) * 4;
    const bool is = memcmp(pixel, red, 4) == 0;
    EXPECT(is || memcmp(pixel, blue, 4) == 0);
    return is;
}

static uint32_t count_red(const struct scene *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        count += is_red(c, i % SIDE, i / SIDE);
    return count;
}

TEST(swdev_draw, a_pass_without_draws_clears)
{
    struct scene c;
    scene_open(&c);
    begin(&c, NULL);
    end(&c);
    EXPECT_EQ(count_red(&c), 0);
    scene_close(&c);
}

TEST(swdev_draw, a_triangle_covers_its_half)
{
    struct scene c;
    scene_open(&c);
    begin(&c, NULL);
    c.s.ops->cmd_draw(c.cmd, 3, 1, 0, 0);
    end(&c);
    EXPECT(is_red(&c, 0, SIDE - 1) && is_red(&c, 0, 1) && is_red(&c, SIDE - 2, SIDE - 1));
    EXPECT(!is_red(&c, SIDE - 1, 0) && !is_red(&c, 1, 0));
    scene_close(&c);
}

TEST(swdev_draw, the_root_block_and_the_scissor_move_and_cut)
{
    struct scene c;
    scene_open(&c);
    begin(&c, NULL);
    const float right[2] = {1, 0};
    c.s.ops->cmd_set_root(c.cmd, WEFT_SHADER_STAGE_VERTEX, 0, right, sizeof right);
    c.s.ops->cmd_set_scissor(c.cmd, &(weft_rect){.x = 0, .y = 12, .width = SIDE, .height = 2});
    c.s.ops->cmd_draw(c.cmd, 3, 1, 0, 0);
    end(&c);
    EXPECT_EQ(count_red(&c), 16);
    EXPECT(is_red(&c, 8, 12) && is_red(&c, 15, 13) && !is_red(&c, 7, 12));
    scene_close(&c);
}

// Two indexed instances that a buffer describes; the second is half a target to the right.
TEST(swdev_draw, indirect_indexed_draws_read_count_and_instances)
{
    struct scene c;
    scene_open(&c);
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
    begin(&c, NULL);
    c.s.ops->cmd_set_index_buffer(c.cmd, c.vertices, 1024, WEFT_INDEX_UINT16);
    c.s.ops->cmd_draw_indexed_indirect(c.cmd, &draws);
    end(&c);
    EXPECT(count_red(&c) > 0);
    EXPECT(!is_red(&c, 7, SIDE - 1) && is_red(&c, 8, SIDE - 1) && is_red(&c, 8, 1));

    // Each draw's own root block: the first one to the left and out of sight, the second in place.
    const float roots[2][32] = {{-4, 0}, {-1, 0}};
    memcpy(c.vertices->mapped + 3584, roots, sizeof roots);
    draws.count_buffer = NULL;
    draws.offset = 2048;
    draws.root_stride = 128;
    draws.root_base = c.vertices->address + 3584;
    begin(&c, NULL);
    c.s.ops->cmd_set_index_buffer(c.cmd, c.vertices, 1024, WEFT_INDEX_UINT16);
    c.s.ops->cmd_draw_indexed_indirect(c.cmd, &draws);
    end(&c);
    EXPECT(is_red(&c, 0, SIDE - 1) && is_red(&c, 0, 1) && !is_red(&c, SIDE - 1, 0));
    scene_close(&c);
}

TEST(swdev_draw, occlusion_counts_samples)
{
    struct scene c;
    scene_open(&c);
    struct wf_hal_query_pool *pool = NULL;
    const weft_query_pool_desc desc = {.kind = WEFT_QUERY_OCCLUSION, .count = 3};
    EXPECT_EQ(c.s.ops->query_pool_create(c.s.dev, &desc, &pool), WEFT_OK);
    begin(&c, pool);
    for (uint32_t query = 0; query < 3; query++) {
        c.s.ops->cmd_begin_occlusion(c.cmd, query == 2 ? 0 : query);
        if (query != 1)
            c.s.ops->cmd_draw(c.cmd, 3, 1, 0, 0);
        c.s.ops->cmd_end_occlusion(c.cmd);
    }
    end(&c);
    uint64_t counts[3];
    c.s.ops->query_pool_read(c.s.dev, pool, 0, 3, counts);
    EXPECT_EQ(counts[0], count_red(&c)); // begun twice: the second counts
    EXPECT(counts[0] > 0 && counts[1] == 0 && counts[2] == 0);
    c.s.ops->query_pool_destroy(c.s.dev, pool);
    scene_close(&c);
}
