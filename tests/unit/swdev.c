#include "swdev.h"

#define SECOND UINT64_C(1000000000)

void swdev_open(struct swdev *s, const weft_software_options *options)
{
    static const weft_software_options two_threads = {.threads = 2};
    const struct wf_hal_backend *backend = wf_hal_backend_find(WEFT_BACKEND_SOFTWARE);
    char reason[WF_HAL_REASON_LENGTH] = "";
    *s = (struct swdev){0};
    wf_base_counting_init(&s->memory, wf_base_allocator_default());
    const struct wf_hal_open open = {
        .allocator = &s->memory.allocator,
        .software = options ? options : &two_threads,
        .frames_in_flight = 2,
    };
    EXPECT(backend);
    EXPECT_EQ(backend->open(&open, &s->dev, reason), WEFT_OK);
    s->ops = s->dev->ops;
    EXPECT_EQ(s->ops->command_pool_create(s->dev, WEFT_QUEUE_GRAPHICS, &s->pool), WEFT_OK);
}

void swdev_close(struct swdev *s)
{
    if (s->serial)
        s->ops->serial_wait(s->dev, s->serial, 10 * SECOND);
    s->ops->command_pool_destroy(s->dev, s->pool);
    s->ops->destroy(s->dev);
    EXPECT_EQ(s->memory.live_blocks, 0);
}

struct wf_hal_command *swdev_begin(struct swdev *s)
{
    struct wf_hal_command *cmd = NULL;
    EXPECT_EQ(s->ops->command_begin(s->dev, s->pool, &cmd), WEFT_OK);
    return cmd;
}

void swdev_submit(struct swdev *s, struct wf_hal_command *cmd)
{
    EXPECT_EQ(s->ops->command_end(cmd), WEFT_OK);
    const struct wf_hal_submit submit = {
        .commands = &cmd, .command_count = 1, .serial = ++s->serial};
    EXPECT_EQ(s->ops->queue_submit(s->dev, WEFT_QUEUE_GRAPHICS, &submit), WEFT_OK);
}

void swdev_run(struct swdev *s, struct wf_hal_command *cmd)
{
    char reason[WF_HAL_REASON_LENGTH] = "";
    swdev_submit(s, cmd);
    const weft_result result = s->ops->serial_wait(s->dev, s->serial, 60 * SECOND);
    s->ops->lost(s->dev, reason);
    EXPECT_STR(reason, "");
    EXPECT_EQ(result, WEFT_OK);
    EXPECT(s->ops->serial_finished(s->dev) >= s->serial);
}

struct wf_hal_buffer *swdev_buffer(struct swdev *s, uint64_t size, weft_memory memory)
{
    const weft_buffer_desc desc = {
        .size = size, .usage = WEFT_BUFFER_USAGE_ALL_BITS, .memory = memory};
    struct wf_hal_buffer *buf = NULL;
    EXPECT_EQ(s->ops->buffer_create(s->dev, &desc, NULL, &buf), WEFT_OK);
    return buf;
}

struct wf_hal_texture *swdev_texture(struct swdev *s, const weft_texture_desc *desc)
{
    struct wf_hal_texture *tex = NULL;
    EXPECT_EQ(s->ops->texture_create(s->dev, desc, NULL, &tex), WEFT_OK);
    return tex;
}

struct wf_hal_texture_view *swdev_view(struct swdev *s, struct wf_hal_texture *tex)
{
    struct wf_hal_texture_view *view = NULL;
    const weft_texture_view_desc desc = {
        .format = tex->desc.format,
        .mip_count = tex->desc.mips,
        .layer_count = tex->desc.layers,
    };
    EXPECT_EQ(s->ops->texture_view_create(s->dev, tex, &desc, &view), WEFT_OK);
    return view;
}
