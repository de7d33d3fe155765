#include "support/fixture.h"

#define RGBA8 WEFT_FORMAT_RGBA8_UNORM

static const weft_texture_desc plain = {
    .format = RGBA8,
    .width = 16,
    .height = 16,
    .mips = 2,
    .layers = 3,
    .usage = WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_DST | WEFT_TEXTURE_USAGE_COPY_SRC,
    .label = "plain"};

static weft_texture make(struct fixture *f, const weft_texture_desc *desc)
{
    weft_texture tex;
    EXPECT_EQ(weft_texture_create(f->dev, desc, &tex), WEFT_OK);
    return tex;
}

static void expect_refused(struct fixture *f, weft_texture_desc desc, weft_rule rule)
{
    weft_texture tex = {.index = 1};
    EXPECT_EQ(weft_texture_create(f->dev, &desc, &tex), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
    EXPECT(weft_texture_is_none(tex));
}

TEST(texture_rules, each_broken_description_is_refused_by_its_rule)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    expect_refused(&f, (weft_texture_desc){0}, WEFT_RULE_TEXTURE_FORMAT_NONE);
    expect_refused(&f, (weft_texture_desc){.format = (weft_format)5000}, WEFT_RULE_ENUM_UNKNOWN);
    expect_refused(&f, (weft_texture_desc){.format = RGBA8, .kind = (weft_texture_kind)9},
                   WEFT_RULE_ENUM_UNKNOWN);
    expect_refused(&f, (weft_texture_desc){.format = RGBA8, .usage = 1u << 31},
                   WEFT_RULE_BITS_UNKNOWN);
    expect_refused(&f, (weft_texture_desc){.format = RGBA8, .width = 1u << 20},
                   WEFT_RULE_TEXTURE_SIZE_LIMIT);
    expect_refused(&f, (weft_texture_desc){.format = RGBA8, .kind = WEFT_TEXTURE_1D, .height = 2},
                   WEFT_RULE_TEXTURE_SHAPE);
    expect_refused(&f, (weft_texture_desc){.format = RGBA8, .depth = 2}, WEFT_RULE_TEXTURE_SHAPE);
    expect_refused(&f, (weft_texture_desc){.format = RGBA8, .kind = WEFT_TEXTURE_CUBE, .width = 2},
                   WEFT_RULE_TEXTURE_SHAPE);
    expect_refused(&f, (weft_texture_desc){.format = RGBA8, .layers = 1u << 20},
                   WEFT_RULE_TEXTURE_LAYERS_LIMIT);
    expect_refused(&f, (weft_texture_desc){.format = RGBA8, .width = 4, .mips = 4},
                   WEFT_RULE_TEXTURE_MIPS);
    expect_refused(&f,
                   (weft_texture_desc){.format = WEFT_FORMAT_BC1_RGBA_UNORM,
                                       .usage = WEFT_TEXTURE_USAGE_STORAGE},
                   WEFT_RULE_TEXTURE_FORMAT_USAGE);
    expect_refused(
        &f, (weft_texture_desc){.format = RGBA8, .view_format = WEFT_FORMAT_BGRA8_UNORM_SRGB},
        WEFT_RULE_TEXTURE_VIEW_FORMAT);
    expect_refused(
        &f,
        (weft_texture_desc){.format = RGBA8,
                            .usage = WEFT_TEXTURE_USAGE_TRANSIENT | WEFT_TEXTURE_USAGE_SAMPLED},
        WEFT_RULE_TEXTURE_TRANSIENT);
    expect_refused(
        &f, (weft_texture_desc){.format = RGBA8, .usage = WEFT_TEXTURE_USAGE_RENDER, .samples = 3},
        WEFT_RULE_TEXTURE_SAMPLES);
    expect_refused(&f, (weft_texture_desc){.format = RGBA8, .samples = 4},
                   WEFT_RULE_TEXTURE_SAMPLES_SHAPE);
    fixture_close(&f);
}

TEST(texture_rules, a_placed_texture_is_gpu_memory)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_memory_block block;
    const weft_memory_block_desc desc = {.size = 1 << 20, .memory = WEFT_MEMORY_DEFAULT};
    EXPECT_EQ(weft_memory_block_create(f.dev, &desc, &block), WEFT_OK);
    weft_texture_desc placed = plain;
    placed.place.block = block;
    expect_refused(&f, placed, WEFT_RULE_PLACEMENT_MEMORY);
    weft_memory_block_destroy(f.dev, block);
    fixture_close(&f);
}

static void expect_region(struct fixture *f, weft_texture tex, weft_texture_region region,
                          weft_rule rule)
{
    static const char data[4096];
    EXPECT_EQ(weft_texture_write(f->dev, tex, &region, data, NULL), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
    weft_read read;
    EXPECT_EQ(weft_read_begin_texture(f->dev, tex, &region, &read), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
}

TEST(texture_rules, a_region_lies_in_its_texture)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_texture tex = make(&f, &plain);
    expect_region(&f, tex, (weft_texture_region){.mip = 2}, WEFT_RULE_TEXTURE_REGION_MIP);
    expect_region(&f, tex, (weft_texture_region){.layer = 3}, WEFT_RULE_TEXTURE_REGION_LAYER);
    expect_region(&f, tex, (weft_texture_region){.layer = 1, .layer_count = 3},
                  WEFT_RULE_TEXTURE_REGION_LAYER);
    expect_region(&f, tex, (weft_texture_region){.x = 1, .width = 16},
                  WEFT_RULE_TEXTURE_REGION_BOX);
    expect_region(&f, tex, (weft_texture_region){.mip = 1, .height = 16},
                  WEFT_RULE_TEXTURE_REGION_BOX);
    expect_region(&f, tex, (weft_texture_region){.z = 1}, WEFT_RULE_TEXTURE_REGION_BOX);
    expect_region(&f, tex, (weft_texture_region){.aspect = WEFT_ASPECT_DEPTH},
                  WEFT_RULE_TEXTURE_REGION_ASPECT);
    weft_texture_destroy(f.dev, tex);
    fixture_close(&f);
}

TEST(texture_rules, what_has_no_texels_is_not_copied)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_texture_desc desc = plain;
    desc.format = WEFT_FORMAT_BC1_RGBA_UNORM;
    weft_texture tex = make(&f, &desc);
    expect_region(&f, tex, (weft_texture_region){.x = 2, .width = 4},
                  WEFT_RULE_TEXTURE_REGION_BLOCK);
    weft_texture_destroy(f.dev, tex);

    desc = (weft_texture_desc){.format = RGBA8,
                               .samples = 4,
                               .usage = WEFT_TEXTURE_USAGE_RENDER | WEFT_TEXTURE_USAGE_COPY_DST |
                                        WEFT_TEXTURE_USAGE_COPY_SRC};
    tex = make(&f, &desc);
    expect_region(&f, tex, (weft_texture_region){0}, WEFT_RULE_TEXTURE_REGION_SAMPLES);
    weft_texture_destroy(f.dev, tex);

    desc.format = WEFT_FORMAT_D24_UNORM_S8_UINT;
    desc.samples = 1;
    tex = make(&f, &desc);
    expect_region(&f, tex, (weft_texture_region){0}, WEFT_RULE_TEXTURE_NOT_COPIED);
    const char stencil = 3;
    const weft_texture_region aspect = {.aspect = WEFT_ASPECT_STENCIL};
    EXPECT_EQ(weft_texture_write(f.dev, tex, &aspect, &stencil, NULL), WEFT_OK);
    weft_texture_destroy(f.dev, tex);
    fixture_close(&f);
}

TEST(texture_rules, texels_have_room_in_their_memory)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_texture tex = make(&f, &plain);
    static char data[4096];
    const weft_texture_region two = {.layer_count = 2};
    weft_texel_layout layout = {.row_bytes = 60};
    EXPECT_EQ(weft_texture_write(f.dev, tex, &two, data, &layout), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_TEXEL_LAYOUT_ROW));
    layout = (weft_texel_layout){.slice_rows = 15};
    EXPECT_EQ(weft_texture_write(f.dev, tex, &two, data, &layout), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_TEXEL_LAYOUT_SLICE));
    EXPECT_EQ(weft_texture_read(f.dev, tex, &two, data, 2047, NULL), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_TEXEL_LAYOUT_SIZE));
    EXPECT_EQ(weft_texture_read(f.dev, tex, &two, data, 2048, NULL), WEFT_OK);
    weft_texture_destroy(f.dev, tex);
    fixture_close(&f);
}

TEST(texture_rules, texels_in_a_buffer_start_at_a_block)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_texture tex = make(&f, &plain);
    weft_buffer buf;
    const weft_buffer_desc desc = {.size = 2048, .usage = WEFT_BUFFER_USAGE_COPY_SRC};
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &buf), WEFT_OK);
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(f.dev, &(weft_command_desc){0}, &cmd), WEFT_OK);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer_to_texture(enc, buf, &(weft_texel_layout){.offset = 2}, tex,
                                        &(weft_texture_region){0});
    EXPECT(fixture_took(&f, WEFT_RULE_TEXEL_LAYOUT_OFFSET));
    weft_compute_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    weft_buffer_destroy(f.dev, buf);
    weft_texture_destroy(f.dev, tex);
    fixture_close(&f);
}

TEST(texture_rules, writes_and_reads_have_their_usage)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_texture_desc desc = plain;
    desc.usage = WEFT_TEXTURE_USAGE_SAMPLED;
    const weft_texture tex = make(&f, &desc);
    static char data[4096];
    EXPECT_EQ(weft_texture_write(f.dev, tex, NULL, data, NULL), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_TEXTURE_COPY_DST));
    EXPECT_EQ(weft_texture_read(f.dev, tex, NULL, data, sizeof data, NULL), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_TEXTURE_COPY_SRC));
    weft_texture_destroy(f.dev, tex);
    fixture_close(&f);
}

static void expect_view(struct fixture *f, weft_texture_view_desc desc, weft_rule rule)
{
    weft_texture_view view = {.index = 1};
    EXPECT_EQ(weft_texture_view_create(f->dev, &desc, &view), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
    EXPECT(weft_texture_view_is_none(view));
}

static void expect_view_text(struct fixture *f, weft_texture_view_desc desc, const char *text)
{
    weft_texture_view view;
    EXPECT_EQ(weft_texture_view_create(f->dev, &desc, &view), WEFT_ERROR_USAGE);
    EXPECT(strstr(f->log->message, text) != NULL);
    EXPECT(fixture_took(f, WEFT_RULE_VIEW_KIND));
}

TEST(view_rules, kinds_are_told_by_name)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_texture tex = make(&f, &plain);
    weft_texture_view_desc desc = {.texture = tex, .kind = WEFT_VIEW_3D};
    expect_view_text(&f, desc, "A 3D view of a 2D texture was asked for.");
    desc.kind = WEFT_VIEW_1D_ARRAY;
    expect_view_text(&f, desc, "A 1D array view of a 2D texture was asked for.");
    desc = (weft_texture_view_desc){.texture = tex, .kind = WEFT_VIEW_2D, .layer_count = 2};
    expect_view_text(&f, desc, "A 2D view cannot have 2 layer(s).");
    weft_texture_destroy(f.dev, tex);
    fixture_close(&f);
}

TEST(view_rules, each_broken_description_is_refused_by_its_rule)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_texture tex = make(&f, &plain);
    expect_view(&f, (weft_texture_view_desc){.texture = tex, .mip = 2}, WEFT_RULE_VIEW_MIPS);
    expect_view(&f, (weft_texture_view_desc){.texture = tex, .layer = 2, .layer_count = 2},
                WEFT_RULE_VIEW_LAYERS);
    expect_view(&f, (weft_texture_view_desc){.texture = tex, .kind = WEFT_VIEW_3D},
                WEFT_RULE_VIEW_KIND);
    expect_view(&f,
                (weft_texture_view_desc){.texture = tex, .kind = WEFT_VIEW_2D, .layer_count = 2},
                WEFT_RULE_VIEW_KIND);
    expect_view(&f, (weft_texture_view_desc){.texture = tex, .kind = (weft_view_kind)99},
                WEFT_RULE_ENUM_UNKNOWN);
    expect_view(&f,
                (weft_texture_view_desc){.texture = tex, .format = WEFT_FORMAT_RGBA8_UNORM_SRGB},
                WEFT_RULE_VIEW_FORMAT);
    expect_view(&f, (weft_texture_view_desc){.texture = tex, .aspect = WEFT_ASPECT_STENCIL},
                WEFT_RULE_VIEW_ASPECT);
    expect_view(&f, (weft_texture_view_desc){.texture = tex, .swizzle = {(weft_swizzle)50}},
                WEFT_RULE_ENUM_UNKNOWN);
    expect_view(&f, (weft_texture_view_desc){0}, WEFT_RULE_HANDLE_NONE);
    weft_texture_destroy(f.dev, tex);
    fixture_close(&f);
}

TEST(view_rules, a_pool_has_room_and_does_not_overflow)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_view_pool pool;
    EXPECT_EQ(weft_view_pool_create(f.dev, &(weft_view_pool_desc){0}, &pool), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_VIEW_POOL_CAPACITY));
    EXPECT_EQ(weft_view_pool_create(f.dev, &(weft_view_pool_desc){.capacity = 1}, &pool), WEFT_OK);
    const weft_texture tex = make(&f, &plain);
    const weft_texture_view_desc desc = {.texture = tex, .pool = pool};
    weft_texture_view view;
    EXPECT_EQ(weft_texture_view_create(f.dev, &desc, &view), WEFT_OK);
    expect_view(&f, desc, WEFT_RULE_VIEW_POOL_FULL);
    EXPECT_EQ(weft_view_pool_reset(f.dev, pool), WEFT_OK);
    EXPECT_EQ(weft_texture_view_create(f.dev, &desc, &view), WEFT_OK);
    weft_view_pool_destroy(f.dev, pool);
    weft_texture_view_destroy(f.dev, view);
    EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_STALE));
    weft_texture_destroy(f.dev, tex);
    fixture_close(&f);
}

TEST(view_rules, a_view_of_a_destroyed_texture_is_stale_until_it_is_destroyed)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_texture tex = make(&f, &plain);
    weft_texture_view view;
    EXPECT_EQ(weft_texture_view_create(f.dev, &(weft_texture_view_desc){.texture = tex}, &view),
              WEFT_OK);
    weft_texture_destroy(f.dev, tex);
    EXPECT_EQ(weft_texture_view_index(f.dev, view, WEFT_HEAP_SAMPLED), UINT32_MAX);
    EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_STALE));
    weft_texture_view_destroy(f.dev, view);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(sampler_rules, each_broken_description_is_refused_by_its_rule)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_sampler sampler;
    EXPECT_EQ(weft_sampler_create(f.dev, &(weft_sampler_desc){.anisotropy = 1000.0f}, &sampler),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SAMPLER_ANISOTROPY));
    for (int nearest = 0; nearest < 3; ++nearest) {
        weft_sampler_desc desc = {
            .mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR, .mip = WEFT_FILTER_LINEAR};
        weft_filter *const filters[] = {&desc.mag, &desc.min, &desc.mip};
        static const char *const names[] = {"mag", "min", "mip"};
        *filters[nearest] = WEFT_FILTER_NEAREST;
        desc.anisotropy = 2;
        EXPECT_EQ(weft_sampler_create(f.dev, &desc, &sampler), WEFT_ERROR_USAGE);
        EXPECT(strstr(f.log->message, names[nearest]) != NULL);
        EXPECT(fixture_took(&f, WEFT_RULE_SAMPLER_ANISOTROPY_FILTER));
        desc.anisotropy = 1;
        EXPECT_EQ(weft_sampler_create(f.dev, &desc, &sampler), WEFT_OK);
        EXPECT_EQ(fixture_count(&f), 0);
        weft_sampler_destroy(f.dev, sampler);
    }
    EXPECT_EQ(weft_sampler_create(f.dev, &(weft_sampler_desc){.lod_min = 3.0f, .lod_max = 2.0f},
                                  &sampler),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SAMPLER_LOD));
    EXPECT_EQ(weft_sampler_create(f.dev, &(weft_sampler_desc){.mag = (weft_filter)5}, &sampler),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_ENUM_UNKNOWN));
    EXPECT(weft_sampler_is_none(sampler));
    fixture_close(&f);
}

TEST(heap_rules, ranges_and_entries_are_checked)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_heap_range range;
    EXPECT_EQ(weft_heap_range_create(f.dev, WEFT_HEAP_SAMPLED, 0, &range), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_HEAP_RANGE_COUNT));
    EXPECT_EQ(weft_heap_range_create(f.dev, WEFT_HEAP_SAMPLED, UINT32_MAX, &range),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_HEAP_FULL));
    EXPECT_EQ(weft_heap_range_create(f.dev, (weft_heap_kind)8, 1, &range), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_ENUM_UNKNOWN));
    EXPECT_EQ(weft_heap_range_create(f.dev, WEFT_HEAP_STORAGE, 4, &range), WEFT_OK);
    const weft_texture tex = make(&f, &plain);
    weft_texture_view view;
    EXPECT_EQ(weft_texture_view_create(f.dev, &(weft_texture_view_desc){.texture = tex}, &view),
              WEFT_OK);
    EXPECT_EQ(weft_heap_range_write(f.dev, range, 4, view, (weft_sampler){0}), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_HEAP_ELEMENT));
    EXPECT_EQ(weft_heap_range_write(f.dev, range, 0, view, (weft_sampler){0}), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_HEAP_VIEW_USAGE));
    EXPECT_EQ(weft_texture_view_index(f.dev, view, WEFT_HEAP_SAMPLER), UINT32_MAX);
    EXPECT(fixture_took(&f, WEFT_RULE_HEAP_KIND));
    weft_heap_range_destroy(f.dev, range);
    EXPECT_EQ(weft_heap_range_first(f.dev, range), UINT32_MAX);
    EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_STALE));
    weft_texture_view_destroy(f.dev, view);
    weft_texture_destroy(f.dev, tex);
    fixture_close(&f);
}

TEST(heap_rules, a_full_heap_gives_no_index_until_one_is_freed)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const uint32_t all = weft_device_capabilities(f.dev)->limits.max_heap_samplers;
    weft_heap_range range;
    EXPECT_EQ(weft_heap_range_create(f.dev, WEFT_HEAP_SAMPLER, all, &range), WEFT_OK);
    weft_sampler sampler;
    EXPECT_EQ(weft_sampler_create(f.dev, &(weft_sampler_desc){0}, &sampler), WEFT_OK);
    EXPECT_EQ(weft_sampler_index(f.dev, sampler), UINT32_MAX);
    EXPECT(fixture_took(&f, WEFT_RULE_HEAP_FULL));
    weft_heap_range_destroy(f.dev, range);
    EXPECT_EQ(weft_sampler_index(f.dev, sampler), 0);
    EXPECT_EQ(weft_sampler_index(f.dev, sampler), 0);
    weft_sampler_destroy(f.dev, sampler);
    fixture_close(&f);
}
