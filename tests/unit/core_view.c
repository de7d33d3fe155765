#include "support/fixture.h"

#include "backends/noop/noop.h"
#include "core/object.h"

static weft_texture make(struct fixture *f, weft_texture_desc desc)
{
    weft_texture tex;
    desc.format = desc.format ? desc.format : WEFT_FORMAT_RGBA8_UNORM;
    EXPECT_EQ(weft_texture_create(f->dev, &desc, &tex), WEFT_OK);
    return tex;
}

static weft_texture_view_info see(struct fixture *f, weft_texture_view_desc desc)
{
    weft_texture_view view;
    weft_texture_view_info info;
    EXPECT_EQ(weft_texture_view_create(f->dev, &desc, &view), WEFT_OK);
    EXPECT(weft_texture_view_get_info(f->dev, view, &info));
    const weft_texture behind = weft_texture_view_texture(f->dev, view);
    EXPECT(behind.index == desc.texture.index && behind.generation == desc.texture.generation);
    weft_texture_view_destroy(f->dev, view);
    weft_texture_view_info none;
    EXPECT(!weft_texture_view_get_info(f->dev, view, &none));
    EXPECT_EQ(fixture_count(f), 0);
    return info;
}

TEST(core_texture, zero_fields_become_defaults)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_texture tex =
        make(&f, (weft_texture_desc){
                     .kind = WEFT_TEXTURE_CUBE, .width = 20, .height = 20, .mips = WEFT_MIPS_ALL});
    weft_texture_desc desc;
    EXPECT(weft_texture_get_desc(f.dev, tex, &desc));
    EXPECT_EQ(desc.layers, 6);
    EXPECT_EQ(desc.mips, 5);
    EXPECT_EQ(desc.samples, 1);
    EXPECT_EQ(desc.depth, 1);
    EXPECT_EQ(desc.usage, WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_DST);
    weft_texture_destroy(f.dev, tex);
    EXPECT(!weft_texture_get_desc(f.dev, tex, &desc));
    EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_STALE));
    fixture_close(&f);
}

TEST(core_buffer, zero_fields_become_defaults)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_buffer buf;
    weft_buffer_desc desc;
    EXPECT_EQ(weft_buffer_create(f.dev, &(weft_buffer_desc){.size = 4}, &buf), WEFT_OK);
    EXPECT(weft_buffer_get_desc(f.dev, buf, &desc));
    EXPECT_EQ(desc.usage, WEFT_BUFFER_USAGE_COPY_DST);
    EXPECT_EQ(desc.memory, WEFT_MEMORY_DEFAULT);
    weft_buffer_destroy(f.dev, buf);
    EXPECT_EQ(weft_buffer_create(f.dev, &(weft_buffer_desc){.size = 4, .data = "data"}, &buf),
              WEFT_OK);
    EXPECT(weft_buffer_get_desc(f.dev, buf, &desc));
    EXPECT_EQ(desc.memory, WEFT_MEMORY_GPU);
    EXPECT(desc.data == NULL);
    weft_buffer_destroy(f.dev, buf);
    fixture_close(&f);
}

TEST(core_view, the_default_kind_follows_from_texture_and_layers)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_texture cube =
        make(&f, (weft_texture_desc){
                     .kind = WEFT_TEXTURE_CUBE, .width = 8, .height = 8, .layers = 12, .mips = 4});
    EXPECT_EQ(see(&f, (weft_texture_view_desc){.texture = cube}).kind, WEFT_VIEW_CUBE_ARRAY);
    EXPECT_EQ(see(&f, (weft_texture_view_desc){.texture = cube, .layer_count = 6}).kind,
              WEFT_VIEW_CUBE);
    EXPECT_EQ(see(&f, (weft_texture_view_desc){.texture = cube, .layer_count = 1}).kind,
              WEFT_VIEW_2D);
    EXPECT_EQ(see(&f, (weft_texture_view_desc){.texture = cube, .kind = WEFT_VIEW_CUBE}).layers, 6);
    const weft_texture_view_info info =
        see(&f, (weft_texture_view_desc){.texture = cube, .layer = 3, .mip = 2});
    EXPECT_EQ(info.kind, WEFT_VIEW_2D_ARRAY);
    EXPECT_EQ(info.layers, 9);
    EXPECT_EQ(info.width, 2);
    EXPECT_EQ(info.mips, 2);
    EXPECT_EQ(info.format, WEFT_FORMAT_RGBA8_UNORM);
    weft_texture_destroy(f.dev, cube);

    const weft_texture deep =
        make(&f, (weft_texture_desc){.kind = WEFT_TEXTURE_3D, .width = 4, .height = 4, .depth = 4});
    EXPECT_EQ(see(&f, (weft_texture_view_desc){.texture = deep}).depth, 4);
    EXPECT_EQ(see(&f, (weft_texture_view_desc){.texture = deep}).kind, WEFT_VIEW_3D);
    weft_texture_destroy(f.dev, deep);
    fixture_close(&f);
}

TEST(core_view, views_are_unlinked_in_any_order)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_texture tex = make(&f, (weft_texture_desc){.width = 4});
    weft_view_pool pool;
    EXPECT_EQ(weft_view_pool_create(f.dev, &(weft_view_pool_desc){.capacity = 5}, &pool), WEFT_OK);
    static const int orders[3][5] = {{0, 1, 2, 3, 4}, {4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}};
    for (int o = 0; o < 3; ++o) {
        weft_texture_view views[5];
        for (int i = 0; i < 5; ++i)
            EXPECT_EQ(
                weft_texture_view_create(
                    f.dev, &(weft_texture_view_desc){.texture = tex, .pool = pool}, &views[i]),
                WEFT_OK);
        for (int i = 0; i < 5; ++i)
            weft_texture_view_destroy(f.dev, views[orders[o][i]]);
    }
    EXPECT_EQ(wf_core_texture_find(f.dev, tex)->first_view.index, 0);
    EXPECT_EQ(wf_core_view_pool_find(f.dev, pool)->count, 0);
    EXPECT_EQ(weft_view_pool_reset(f.dev, pool), WEFT_OK);
    weft_view_pool_destroy(f.dev, pool);
    weft_texture_destroy(f.dev, tex);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(core_heap, an_index_comes_back_when_the_gpu_has_left_it)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_texture tex = make(&f, (weft_texture_desc){.width = 4});
    const weft_texture_view_desc desc = {.texture = tex};
    weft_texture_view first, second;
    EXPECT_EQ(weft_texture_view_create(f.dev, &desc, &first), WEFT_OK);
    const uint32_t index = weft_texture_view_index(f.dev, first, WEFT_HEAP_SAMPLED);
    struct wf_core_open open = {0};
    wf_core_open_add(f.dev, &open);
    weft_texture_view_destroy(f.dev, first);
    EXPECT_EQ(weft_texture_view_create(f.dev, &desc, &second), WEFT_OK);
    EXPECT(weft_texture_view_index(f.dev, second, WEFT_HEAP_SAMPLED) != index);
    weft_texture_view_destroy(f.dev, second);
    wf_core_open_remove(f.dev, &open);
    (void)weft_device_poll(f.dev);
    EXPECT_EQ(weft_texture_view_create(f.dev, &desc, &first), WEFT_OK);
    EXPECT_EQ(weft_texture_view_index(f.dev, first, WEFT_HEAP_SAMPLED), index);
    weft_texture_view_destroy(f.dev, first);
    weft_texture_destroy(f.dev, tex);
    fixture_close(&f);
}

TEST(core_heap, a_discarded_gpu_write_changes_nothing)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_texture tex = make(&f, (weft_texture_desc){.width = 4});
    weft_texture_view views[2];
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(
            weft_texture_view_create(f.dev, &(weft_texture_view_desc){.texture = tex}, &views[i]),
            WEFT_OK);
    weft_heap_range range;
    EXPECT_EQ(weft_heap_range_create(f.dev, WEFT_HEAP_SAMPLED, 4, &range), WEFT_OK);
    EXPECT_EQ(weft_heap_range_write(f.dev, range, 0, views[0], (weft_sampler){0}), WEFT_OK);
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(f.dev, NULL, &cmd), WEFT_OK);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_write_heap(enc, range, 0, views[1], (weft_sampler){0});
    weft_compute_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    weft_command_discard(cmd);
    const uint64_t before = wf_noop_counts_get(f.dev->hal).heap_writes;
    weft_texture_view_destroy(f.dev, views[0]); // still in the heap, so it is taken out
    (void)weft_device_poll(f.dev);
    EXPECT_EQ(wf_noop_counts_get(f.dev->hal).heap_writes, before + 1);
    weft_texture_view_destroy(f.dev, views[1]);
    weft_heap_range_destroy(f.dev, range);
    weft_texture_destroy(f.dev, tex);
    fixture_close(&f);
}

TEST(core_heap, ranges_are_contiguous_and_do_not_overlap)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_heap_range ranges[4];
    static const uint32_t counts[4] = {3, 64, 1, 200};
    for (int i = 0; i < 4; ++i)
        EXPECT_EQ(weft_heap_range_create(f.dev, WEFT_HEAP_SAMPLED, counts[i], &ranges[i]), WEFT_OK);
    EXPECT_EQ(weft_heap_range_first(f.dev, ranges[3]), 68);
    weft_heap_range_destroy(f.dev, ranges[1]);
    EXPECT_EQ(weft_heap_range_create(f.dev, WEFT_HEAP_SAMPLED, 65, &ranges[1]), WEFT_OK);
    EXPECT_EQ(weft_heap_range_first(f.dev, ranges[1]), 268);
    weft_heap_range fits;
    EXPECT_EQ(weft_heap_range_create(f.dev, WEFT_HEAP_SAMPLED, 64, &fits), WEFT_OK);
    EXPECT_EQ(weft_heap_range_first(f.dev, fits), 3);
    weft_heap_range_destroy(f.dev, fits);
    for (int i = 0; i < 4; ++i)
        weft_heap_range_destroy(f.dev, ranges[i]);
    fixture_close(&f);
}

TEST(core_memory, placed_resources_share_a_block)
{
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    weft_memory_block block;
    EXPECT_EQ(weft_memory_block_create(f.dev, &(weft_memory_block_desc){.size = 1 << 16}, &block),
              WEFT_OK);
    weft_buffer_desc desc = {.size = 64,
                             .memory = WEFT_MEMORY_GPU,
                             .usage = WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST,
                             .place = {.block = block}};
    weft_buffer one, other;
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &one), WEFT_OK);
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &other), WEFT_OK);
    EXPECT_EQ(weft_buffer_write(f.dev, one, 0, "shared!!", 8), WEFT_OK);
    char got[8];
    EXPECT_EQ(weft_buffer_read(f.dev, other, 0, got, 8), WEFT_OK);
    EXPECT_MEM(got, "shared!!", 8);
    weft_buffer_destroy(f.dev, one);
    weft_buffer_destroy(f.dev, other);
    weft_memory_block_destroy(f.dev, block);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}
