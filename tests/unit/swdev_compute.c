// Dispatches on the software device, through commands.
#include <string.h>

#include "shader/module.h"
#include "swdev.h"
#include "swdev_endless.comp.spv.h"
#include "swdev_heap.comp.spv.h"
#include "swdev_pointer.comp.spv.h"
#include "swdev_scale.comp.spv.h"
#include "swdev_wide.comp.spv.h"

/// A compute pipeline with the layouts of its slots.
struct kernel {
    struct wf_shader_module *module;
    struct wf_hal_shader *shader;
    struct wf_hal_layout *layouts[WF_HAL_SLOTS];
    struct wf_hal_pipeline *pipeline;
};

static struct wf_hal_argument storage(uint32_t binding, weft_argument_flags flags)
{
    return (struct wf_hal_argument){
        .binding = binding,
        .count = 1,
        .type = WEFT_ARGUMENT_STORAGE_BUFFER,
        .stages = WEFT_SHADER_STAGE_COMPUTE,
        .flags = flags,
    };
}

static void kernel_open(struct swdev *s, struct kernel *k, const uint32_t *code, size_t bytes,
                        const weft_constant *constant)
{
    struct wf_shader_error error = {0};
    if (!wf_shader_read(wf_base_allocator_default(), code, bytes, &k->module, &error))
        test_fail(__FILE__, __LINE__, "%s", error.message);
    if (s->ops->shader_create(s->dev, k->module, &k->shader, &error) != WEFT_OK)
        test_fail(__FILE__, __LINE__, "%s", error.message);
    struct wf_hal_compute_pipeline_desc desc = {
        .compute = {.shader = k->shader,
                    .entry = wf_shader_entry(k->module, SpvExecutionModelGLCompute, "main"),
                    .constants = constant,
                    .constant_count = constant != NULL},
        .root_bytes = 16,
        .label = "kernel",
    };
    for (uint32_t i = 0; i < WF_HAL_SLOTS; i++)
        desc.layouts[i] = k->layouts[i];
    if (s->ops->compute_pipeline_create(s->dev, &desc, &k->pipeline, &error) != WEFT_OK)
        test_fail(__FILE__, __LINE__, "%s", error.message);
}

static void kernel_close(struct swdev *s, struct kernel *k)
{
    s->ops->pipeline_destroy(s->dev, k->pipeline);
    for (uint32_t i = 0; i < WF_HAL_SLOTS; i++) {
        if (k->layouts[i])
            s->ops->layout_destroy(s->dev, k->layouts[i]);
    }
    s->ops->shader_destroy(s->dev, k->shader);
    wf_shader_free(k->module);
}

static struct wf_hal_layout *layout_of(struct swdev *s, struct wf_hal_argument argument)
{
    struct wf_hal_layout *layout = NULL;
    EXPECT_EQ(s->ops->layout_create(s->dev, &argument, 1, &layout), WEFT_OK);
    return layout;
}

static struct wf_hal_table *table_of(struct swdev *s, struct wf_hal_layout *layout,
                                     struct wf_hal_buffer *buf, uint64_t size)
{
    struct wf_hal_table *table = NULL;
    EXPECT_EQ(s->ops->table_create(s->dev, layout, &table), WEFT_OK);
    s->ops->table_write(s->dev, table, &(struct wf_hal_write){.buffer = buf, .size = size}, 1);
    return table;
}

static void begin(struct swdev *s, struct wf_hal_command *cmd, const struct kernel *k)
{
    s->ops->cmd_begin_compute(cmd, NULL, UINT32_MAX, UINT32_MAX, "test");
    s->ops->cmd_set_compute_pipeline(cmd, k->pipeline);
}

// Tables in two slots, a dynamic offset, constants of both kinds; the same for any thread count.
static void scale(uint32_t threads, bool indirect)
{
    enum { COUNT = 5000 };
    struct swdev s;
    swdev_open(&s, &(weft_software_options){.threads = threads});
    struct kernel k = {0};
    k.layouts[0] = layout_of(&s, storage(2, WEFT_ARGUMENT_DYNAMIC));
    k.layouts[1] = layout_of(&s, storage(0, 0));
    kernel_open(&s, &k, swdev_scale_comp, sizeof swdev_scale_comp,
                &(weft_constant){.id = 3, .value = 5});
    struct wf_hal_buffer *source = swdev_buffer(&s, 256 + UINT64_C(4) * COUNT, WEFT_MEMORY_DEFAULT);
    struct wf_hal_buffer *result = swdev_buffer(&s, UINT64_C(4) * COUNT, WEFT_MEMORY_READBACK);
    struct wf_hal_buffer *args = swdev_buffer(&s, 16, WEFT_MEMORY_DEFAULT);
    for (uint32_t i = 0; i < COUNT; i++)
        memcpy(source->mapped + 256 + (size_t)i * 4, &i, 4);
    const uint32_t groups[3] = {40, 4, 1}, root[2] = {COUNT, 3}, offset = 256;
    memcpy(args->mapped + 4, groups, sizeof groups);
    struct wf_hal_table *in = table_of(&s, k.layouts[0], source, UINT64_C(4) * COUNT);
    struct wf_hal_table *out = table_of(&s, k.layouts[1], result, UINT64_C(4) * COUNT);

    struct wf_hal_command *cmd = swdev_begin(&s);
    begin(&s, cmd, &k);
    s.ops->cmd_set_table(cmd, 0, in, &offset, 1);
    s.ops->cmd_set_table(cmd, 1, out, NULL, 0);
    s.ops->cmd_set_root(cmd, WEFT_SHADER_STAGE_COMPUTE, 0, root, sizeof root);
    if (indirect)
        s.ops->cmd_dispatch_indirect(cmd, args, 4);
    else
        s.ops->cmd_dispatch(cmd, groups[0], groups[1], groups[2]);
    s.ops->cmd_end_compute(cmd);
    swdev_run(&s, cmd);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t got;
        memcpy(&got, result->mapped + (size_t)i * 4, 4);
        EXPECT_EQ(got, i * 3 + 5);
    }
    s.ops->table_destroy(s.dev, in);
    s.ops->table_destroy(s.dev, out);
    s.ops->buffer_destroy(s.dev, source);
    s.ops->buffer_destroy(s.dev, result);
    s.ops->buffer_destroy(s.dev, args);
    kernel_close(&s, &k);
    swdev_close(&s);
}

TEST(swdev_compute, dispatches_with_tables_and_constants)
{
    scale(1, false);
    scale(3, false);
}

TEST(swdev_compute, dispatches_what_a_buffer_says)
{
    scale(2, true);
}

// Pointers reach to the last byte of their buffer and no further; a destroyed one reads as zero.
TEST(swdev_compute, pointers_stop_at_the_end_of_their_buffer)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct kernel k = {0};
    kernel_open(&s, &k, swdev_pointer_comp, sizeof swdev_pointer_comp, NULL);
    struct wf_hal_buffer *source = swdev_buffer(&s, UINT64_C(400), WEFT_MEMORY_DEFAULT);
    struct wf_hal_buffer *result = swdev_buffer(&s, UINT64_C(480), WEFT_MEMORY_READBACK);
    struct wf_hal_buffer *gone = swdev_buffer(&s, 4096, WEFT_MEMORY_DEFAULT);
    const weft_gpu_ptr stale = gone->address;
    memset(gone->mapped, 0x77, 4096);
    s.ops->buffer_destroy(s.dev, gone);
    memset(result->mapped, 0xff, 480);
    for (uint32_t i = 0; i < 100; i++)
        memcpy(source->mapped + (size_t)i * 4, &i, 4);
    const weft_gpu_ptr sources[3] = {source->address, stale, 8};
    for (uint32_t round = 0; round < 3; round++) {
        const weft_gpu_ptr root[2] = {sources[round], result->address};
        struct wf_hal_command *cmd = swdev_begin(&s);
        begin(&s, cmd, &k);
        s.ops->cmd_set_root(cmd, WEFT_SHADER_STAGE_COMPUTE, 0, root, sizeof root);
        s.ops->cmd_dispatch(cmd, 2, 1, 1); // 128 invocations: 8 beyond the end
        s.ops->cmd_end_compute(cmd);
        swdev_run(&s, cmd);
        for (uint32_t i = 0; i < 120; i++) {
            uint32_t got;
            memcpy(&got, result->mapped + (size_t)i * 4, 4);
            EXPECT_EQ(got, round == 0 && i < 100 ? i + 1 : 1);
        }
    }
    s.ops->buffer_destroy(s.dev, source);
    s.ops->buffer_destroy(s.dev, result);
    kernel_close(&s, &k);
    swdev_close(&s);
}

TEST(swdev_compute, a_shader_that_does_not_end_loses_the_device)
{
    struct swdev s;
    swdev_open(&s, &(weft_software_options){.threads = 2, .shader_budget = 1000});
    struct kernel k = {0};
    k.layouts[0] = layout_of(&s, storage(0, 0));
    kernel_open(&s, &k, swdev_endless_comp, sizeof swdev_endless_comp, NULL);
    struct wf_hal_buffer *buf = swdev_buffer(&s, 64, WEFT_MEMORY_DEFAULT);
    memset(buf->mapped, 0, 64);
    struct wf_hal_table *table = table_of(&s, k.layouts[0], buf, 64);
    struct wf_hal_timeline *t = NULL;
    EXPECT_EQ(s.ops->timeline_create(s.dev, 0, &t), WEFT_OK);

    struct wf_hal_command *cmd = swdev_begin(&s);
    begin(&s, cmd, &k);
    s.ops->cmd_set_table(cmd, 0, table, NULL, 0);
    s.ops->cmd_dispatch(cmd, 3, 1, 1);
    s.ops->cmd_end_compute(cmd);
    EXPECT_EQ(s.ops->command_end(cmd), WEFT_OK);
    const struct wf_hal_submit submit = {
        .commands = &cmd,
        .command_count = 1,
        .signals = &(struct wf_hal_timeline_point){.timeline = t, .value = 1},
        .signal_count = 1,
        .serial = ++s.serial,
    };
    EXPECT_EQ(s.ops->queue_submit(s.dev, WEFT_QUEUE_GRAPHICS, &submit), WEFT_OK);
    EXPECT_EQ(s.ops->timeline_wait(s.dev, t, 1, UINT64_MAX), WEFT_ERROR_LOST);
    char reason[WF_HAL_REASON_LENGTH] = "";
    EXPECT(s.ops->lost(s.dev, reason));
    EXPECT(strstr(reason, "\"kernel\"") && strstr(reason, "1000 instructions"));
    EXPECT_EQ(s.ops->serial_wait(s.dev, 1, UINT64_MAX), WEFT_ERROR_LOST);
    struct wf_hal_command *late = swdev_begin(&s);
    EXPECT_EQ(s.ops->command_end(late), WEFT_OK);
    EXPECT_EQ(s.ops->queue_submit(
                  s.dev, WEFT_QUEUE_GRAPHICS,
                  &(struct wf_hal_submit){.commands = &late, .command_count = 1, .serial = 2}),
              WEFT_ERROR_LOST);
    s.ops->command_discard(late);
    s.ops->timeline_destroy(s.dev, t);
    s.ops->table_destroy(s.dev, table);
    s.ops->buffer_destroy(s.dev, buf);
    kernel_close(&s, &k);
    swdev_close(&s);
}

struct wide {
    uint64_t product;
    double third;
    uint32_t half_sum, unused;
};

TEST(swdev_compute, wide_and_narrow_types_work)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct kernel k = {0};
    k.layouts[0] = layout_of(&s, storage(0, 0));
    kernel_open(&s, &k, swdev_wide_comp, sizeof swdev_wide_comp, NULL);
    struct wf_hal_buffer *buf = swdev_buffer(&s, sizeof(struct wide), WEFT_MEMORY_READBACK);
    struct wf_hal_table *table = table_of(&s, k.layouts[0], buf, sizeof(struct wide));
    struct wf_hal_command *cmd = swdev_begin(&s);
    begin(&s, cmd, &k);
    s.ops->cmd_set_table(cmd, 0, table, NULL, 0);
    s.ops->cmd_dispatch(cmd, 1, 1, 1);
    s.ops->cmd_end_compute(cmd);
    swdev_run(&s, cmd);
    struct wide got;
    memcpy(&got, buf->mapped, sizeof got);
    EXPECT_EQ(got.product, UINT64_C(0x123456789) * 0x10001);
    EXPECT_NEAR(got.third, 1.0 / 3.0, 0);
    EXPECT_EQ(got.half_sum, 2002); // halves between 1024 and 2048 are whole
    s.ops->table_destroy(s.dev, table);
    s.ops->buffer_destroy(s.dev, buf);
    kernel_close(&s, &k);
    swdev_close(&s);
}

static struct wf_hal_texture *filled(struct swdev *s, struct wf_hal_command *cmd, uint32_t width,
                                     struct wf_hal_buffer *texels, uint64_t offset)
{
    const weft_texture_desc desc = {
        .format = WEFT_FORMAT_RGBA8_UNORM,
        .width = width,
        .height = 2,
        .depth = 1,
        .layers = 1,
        .mips = 1,
        .samples = 1,
        .usage = WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_STORAGE |
                 WEFT_TEXTURE_USAGE_COPY_DST | WEFT_TEXTURE_USAGE_COPY_SRC,
    };
    struct wf_hal_texture *tex = swdev_texture(s, &desc);
    const weft_texture_region all = {
        .layer_count = 1, .width = width, .height = 2, .depth = 1, .aspect = WEFT_ASPECT_COLOR};
    const struct wf_hal_texel_layout layout = {
        .offset = offset, .row_bytes = (uint64_t)width * 4, .slice_rows = 2};
    s->ops->cmd_copy_buffer_to_texture(cmd, texels, &layout, tex, &all);
    return tex;
}

// One texture by the CPU's heap write, one by a command's; an image and a sampler beside them.
TEST(swdev_compute, the_heap_gives_textures_images_and_samplers)
{
    struct swdev s;
    swdev_open(&s, NULL);
    struct kernel k = {0};
    k.layouts[0] = layout_of(&s, storage(0, 0));
    kernel_open(&s, &k, swdev_heap_comp, sizeof swdev_heap_comp, NULL);
    struct wf_hal_buffer *buf = swdev_buffer(&s, 16, WEFT_MEMORY_READBACK);
    struct wf_hal_buffer *texels = swdev_buffer(&s, 64, WEFT_MEMORY_DEFAULT);
    for (uint32_t i = 0; i < 64; i++)
        texels->mapped[i] = (uint8_t)(i * 3 + 1);
    struct wf_hal_table *table = table_of(&s, k.layouts[0], buf, 16);
    struct wf_hal_sampler *nearest = NULL;
    EXPECT_EQ(s.ops->sampler_create(s.dev, &(weft_sampler_desc){.lod_max = 16}, &nearest), WEFT_OK);

    struct wf_hal_command *cmd = swdev_begin(&s);
    struct wf_hal_texture *a = filled(&s, cmd, 2, texels, 0), *b = filled(&s, cmd, 2, texels, 16);
    struct wf_hal_texture *out = filled(&s, cmd, 4, texels, 32);
    struct wf_hal_texture_view *views[3] = {swdev_view(&s, a), swdev_view(&s, b),
                                            swdev_view(&s, out)};
    const uint32_t root[3] = {60000, 77, 2047};
    s.ops->heap_write(s.dev, WEFT_HEAP_SAMPLED, root[0], views[0], NULL);
    s.ops->heap_write(s.dev, WEFT_HEAP_STORAGE, root[1], views[2], NULL);
    s.ops->heap_write(s.dev, WEFT_HEAP_SAMPLER, root[2], NULL, nearest);
    begin(&s, cmd, &k);
    s.ops->cmd_write_heap(cmd, WEFT_HEAP_SAMPLED, root[0] + 1, views[1], NULL);
    s.ops->cmd_set_table(cmd, 0, table, NULL, 0);
    s.ops->cmd_set_root(cmd, WEFT_SHADER_STAGE_COMPUTE, 0, root, sizeof root);
    s.ops->cmd_dispatch(cmd, 1, 1, 1);
    const weft_texture_region row = {
        .layer_count = 1, .width = 4, .height = 1, .depth = 1, .aspect = WEFT_ASPECT_COLOR};
    s.ops->cmd_copy_texture_to_buffer(
        cmd, out, &row, texels,
        &(struct wf_hal_texel_layout){.offset = 48, .row_bytes = 16, .slice_rows = 1});
    s.ops->cmd_end_compute(cmd);
    swdev_run(&s, cmd);
    for (uint32_t i = 0; i < 4; i++) {
        // Texture i % 2; its first texel or its last.
        const uint8_t *texel = texels->mapped + (size_t)(i % 2) * 16 + (size_t)(i / 2) * 12;
        const uint8_t back[4] = {texel[3], texel[2], texel[1], texel[0]};
        EXPECT_MEM(buf->mapped + (size_t)i * 4, texel, 4);
        EXPECT_MEM(texels->mapped + 48 + (size_t)i * 4, back, 4);
    }
    for (uint32_t i = 0; i < 3; i++)
        s.ops->texture_view_destroy(s.dev, views[i]);
    s.ops->texture_destroy(s.dev, a);
    s.ops->texture_destroy(s.dev, b);
    s.ops->texture_destroy(s.dev, out);
    s.ops->sampler_destroy(s.dev, nearest);
    s.ops->table_destroy(s.dev, table);
    s.ops->buffer_destroy(s.dev, buf);
    s.ops->buffer_destroy(s.dev, texels);
    kernel_close(&s, &k);
    swdev_close(&s);
}
