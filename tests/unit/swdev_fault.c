// Memory that runs out under the software device: every object is made whole or not at all.
#include <string.h>

#include "swdev.h"

/// What one round makes; NULL: it failed.
struct things {
    struct wf_hal_memory_block *block;
    struct wf_hal_buffer *buf, *placed;
    struct wf_hal_texture *tex;
    struct wf_hal_texture_view *view;
    struct wf_hal_sampler *sampler;
    struct wf_hal_layout *layout;
    struct wf_hal_table *table;
    struct wf_hal_query_pool *queries;
    struct wf_hal_timeline *timeline;
    struct wf_hal_surface *surface;
    struct wf_hal_command_pool *pool;
    struct wf_hal_command *cmd;
};

// True, or the failure and the missing object go together.
static bool is_made(weft_result result, const void *object)
{
    EXPECT(result == WEFT_OK || result == WEFT_ERROR_MEMORY);
    EXPECT((result == WEFT_OK) == (object != NULL));
    return object != NULL;
}

static bool make_memory(struct swdev *s, struct things *t)
{
    const weft_memory_block_desc block = {.size = 65536, .memory = WEFT_MEMORY_GPU};
    const weft_buffer_desc buf = {.size = 64, .memory = WEFT_MEMORY_DEFAULT};
    const weft_texture_desc tex = {.format = WEFT_FORMAT_RGBA8_UNORM,
                                   .width = 4,
                                   .height = 4,
                                   .depth = 1,
                                   .layers = 1,
                                   .mips = 1,
                                   .samples = 1};
    const weft_texture_view_desc view = {
        .format = tex.format, .mip_count = 1, .layer_count = 1, .kind = WEFT_VIEW_2D};
    weft_result result = s->ops->memory_block_create(s->dev, &block, &t->block);
    bool all = is_made(result, t->block);
    result = s->ops->buffer_create(s->dev, &buf, NULL, &t->buf);
    all &= is_made(result, t->buf);
    if (t->block) {
        const struct wf_hal_placement place = {.block = t->block, .offset = 256};
        result = s->ops->buffer_create(s->dev, &buf, &place, &t->placed);
        all &= is_made(result, t->placed);
    }
    result = s->ops->texture_create(s->dev, &tex, NULL, &t->tex);
    all &= is_made(result, t->tex);
    if (t->tex) {
        result = s->ops->texture_view_create(s->dev, t->tex, &view, &t->view);
        all &= is_made(result, t->view);
    }
    return all;
}

static bool make_rest(struct swdev *s, struct things *t)
{
    const struct wf_hal_argument argument = {
        .binding = 3, .count = 2, .type = WEFT_ARGUMENT_STORAGE_BUFFER};
    const weft_query_pool_desc queries = {.kind = WEFT_QUERY_STATISTICS, .count = 3};
    const weft_surface_target target = {.kind = WEFT_SURFACE_HEADLESS};
    const weft_sampler_desc sampler = {.lod_max = 1};
    weft_result result = s->ops->sampler_create(s->dev, &sampler, &t->sampler);
    bool all = is_made(result, t->sampler);
    result = s->ops->layout_create(s->dev, &argument, 1, &t->layout);
    all &= is_made(result, t->layout);
    if (t->layout) {
        result = s->ops->table_create(s->dev, t->layout, &t->table);
        all &= is_made(result, t->table);
    }
    result = s->ops->query_pool_create(s->dev, &queries, &t->queries);
    all &= is_made(result, t->queries);
    result = s->ops->timeline_create(s->dev, 0, &t->timeline);
    all &= is_made(result, t->timeline);
    result = s->ops->surface_create(s->dev, &target, &t->surface);
    all &= is_made(result, t->surface);
    weft_surface_config config = {.width = 4, .height = 4};
    if (t->surface)
        all &= s->ops->surface_configure(s->dev, t->surface, &config) == WEFT_OK;
    result = s->ops->command_pool_create(s->dev, WEFT_QUEUE_COPY, &t->pool);
    all &= is_made(result, t->pool);
    if (t->pool) {
        result = s->ops->command_begin(s->dev, t->pool, &t->cmd);
        all &= is_made(result, t->cmd);
    }
    return all;
}

static void drop(struct swdev *s, struct things *t)
{
    if (t->cmd)
        s->ops->command_discard(t->cmd);
    if (t->pool)
        s->ops->command_pool_destroy(s->dev, t->pool);
    if (t->surface)
        s->ops->surface_destroy(s->dev, t->surface);
    if (t->timeline)
        s->ops->timeline_destroy(s->dev, t->timeline);
    if (t->queries)
        s->ops->query_pool_destroy(s->dev, t->queries);
    if (t->table)
        s->ops->table_destroy(s->dev, t->table);
    if (t->layout)
        s->ops->layout_destroy(s->dev, t->layout);
    if (t->sampler)
        s->ops->sampler_destroy(s->dev, t->sampler);
    if (t->view)
        s->ops->texture_view_destroy(s->dev, t->view);
    if (t->tex)
        s->ops->texture_destroy(s->dev, t->tex);
    if (t->placed)
        s->ops->buffer_destroy(s->dev, t->placed);
    if (t->buf)
        s->ops->buffer_destroy(s->dev, t->buf);
    if (t->block)
        s->ops->memory_block_destroy(s->dev, t->block);
}

TEST(swdev_fault, objects_without_memory_fail_cleanly)
{
    struct swdev s;
    swdev_open(&s, NULL);
    const uint64_t blocks = s.memory.live_blocks, used = s.ops->memory_budget(s.dev).used;
    uint64_t failures = 0;
    for (bool all = false; !all; failures++) {
        struct things t = {0};
        wf_base_counting_fail(&s.memory, failures + 1, false);
        all = make_memory(&s, &t);
        all &= make_rest(&s, &t);
        wf_base_counting_fail(&s.memory, 0, false);
        drop(&s, &t);
        EXPECT_EQ(s.memory.live_blocks, blocks);
        EXPECT_EQ(s.ops->memory_budget(s.dev).used, used);
    }
    EXPECT(failures > 15);
    swdev_close(&s);
}

TEST(swdev_fault, a_submission_without_memory_keeps_its_commands)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct wf_hal_command *cmd = swdev_begin(&s);
    EXPECT_EQ(s.ops->command_end(cmd), WEFT_OK);
    const struct wf_hal_submit submit = {.commands = &cmd, .command_count = 1, .serial = 1};
    wf_base_counting_fail(&s.memory, 1, false);
    EXPECT_EQ(s.ops->queue_submit(s.dev, WEFT_QUEUE_GRAPHICS, &submit), WEFT_ERROR_MEMORY);
    EXPECT_EQ(s.ops->queue_submit(s.dev, WEFT_QUEUE_GRAPHICS, &submit), WEFT_OK);
    EXPECT_EQ(s.ops->serial_wait(s.dev, 1, UINT64_MAX), WEFT_OK);
    swdev_close(&s);
}
