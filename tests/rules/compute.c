#include "support/record.h"

struct recording {
    struct fixture f;
    weft_command_buffer *cmd;
    weft_compute_encoder *enc;
};

static void begin(struct recording *r)
{
    r->cmd = record_begin(&r->f);
    r->enc = weft_command_begin_compute(r->cmd, &(weft_compute_pass_desc){.label = "work"});
}

static struct recording recording(void)
{
    struct recording r = {.f = fixture_open(WEFT_BACKEND_NOOP)};
    begin(&r);
    return r;
}

static void took(struct recording *r, weft_rule rule)
{
    weft_compute_end(r->enc);
    EXPECT_EQ(weft_command_end(r->cmd), WEFT_ERROR_USAGE);
    EXPECT_STR(r->f.log->pass, "work");
    EXPECT(fixture_took(&r->f, rule));
    begin(r);
}

static void finish(struct recording *r)
{
    weft_compute_end(r->enc);
    EXPECT_EQ(weft_command_end(r->cmd), WEFT_OK);
    weft_command_discard(r->cmd);
    fixture_close(&r->f);
}

TEST(compute_rules, dispatches_have_what_they_need)
{
    struct recording r = recording();
    weft_compute_dispatch(r.enc, 1, 1, 1);
    took(&r, WEFT_RULE_PIPELINE_MISSING);
    weft_shader shader = RECORD_SHADER(&r.f, store_comp);
    weft_compute_pipeline pipeline;
    const weft_compute_pipeline_desc desc = {.compute = {.shader = shader}};
    EXPECT_EQ(weft_compute_pipeline_create(r.f.dev, &desc, &pipeline), WEFT_OK);
    weft_buffer buffer = record_buffer(&r.f, 256, WEFT_BUFFER_USAGE_STORAGE);
    const weft_argument_write writes[] = {{.binding = 0, .buffer = buffer, .size = 128},
                                          {.binding = 2, .buffer = buffer, .offset = 128}};
    weft_argument_table table =
        record_table(&r.f, weft_compute_pipeline_layout(r.f.dev, pipeline, 0), writes, 2);

    weft_compute_set_pipeline(r.enc, pipeline);
    weft_compute_set_arguments(r.enc, 0, table, NULL, 0);
    weft_compute_dispatch(r.enc, 1, 1, 1);
    took(&r, WEFT_RULE_ROOT_UNWRITTEN);
    weft_compute_set_pipeline(r.enc, pipeline);
    weft_compute_set_root(r.enc, 0, &(uint32_t){1}, 4);
    weft_compute_dispatch(r.enc, 1, 1, 1);
    took(&r, WEFT_RULE_ARGUMENTS_MISSING);
    weft_compute_set_root(r.enc, 126, &(uint32_t){1}, 4);
    weft_compute_end(r.enc);
    EXPECT_EQ(weft_command_end(r.cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_saw(&r.f, WEFT_RULE_ROOT_ALIGNMENT));
    EXPECT(fixture_saw(&r.f, WEFT_RULE_ROOT_RANGE));
    fixture_clear(&r.f);
    begin(&r);
    weft_compute_set_pipeline(r.enc, pipeline);
    weft_compute_set_arguments(r.enc, 0, table, NULL, 0);
    weft_compute_set_root(r.enc, 0, &(uint32_t){1}, 4);
    weft_compute_dispatch(r.enc, 100000, 1, 1);
    took(&r, WEFT_RULE_DISPATCH_SIZE);
    weft_compute_set_pipeline(r.enc, pipeline);
    weft_compute_set_arguments(r.enc, 0, table, NULL, 0);
    weft_compute_set_root(r.enc, 0, &(uint32_t){1}, 4);
    weft_compute_dispatch_indirect(r.enc, buffer, 0);
    took(&r, WEFT_RULE_COMMAND_BUFFER_USAGE);

    weft_argument_table_destroy(r.f.dev, table);
    weft_buffer_destroy(r.f.dev, buffer);
    weft_compute_pipeline_destroy(r.f.dev, pipeline);
    weft_shader_destroy(r.f.dev, shader);
    finish(&r);
}

TEST(compute_rules, copies_of_buffers_fit)
{
    struct recording r = recording();
    weft_buffer a =
        record_buffer(&r.f, 64, WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST);
    weft_buffer b = record_buffer(&r.f, 64, WEFT_BUFFER_USAGE_VERTEX);
    weft_compute_copy_buffer(r.enc, a, 0, a, 32, 32);
    weft_compute_copy_buffer(r.enc, a, 0, a, 0, 0);
    EXPECT_EQ(fixture_count(&r.f), 0);
    weft_compute_copy_buffer(r.enc, a, 0, a, 16, 32);
    took(&r, WEFT_RULE_COPY_OVERLAP);
    weft_compute_copy_buffer(r.enc, a, 0, b, 0, 32);
    took(&r, WEFT_RULE_COMMAND_BUFFER_USAGE);
    weft_compute_copy_buffer(r.enc, a, 0, a, 32, 6);
    took(&r, WEFT_RULE_COPY_SIZE);
    weft_compute_copy_buffer(r.enc, a, 2, a, 32, 4);
    took(&r, WEFT_RULE_COMMAND_OFFSET_ALIGNMENT);
    weft_compute_copy_buffer(r.enc, a, 0, a, 32, 36);
    weft_compute_end(r.enc);
    EXPECT_EQ(weft_command_end(r.cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_saw(&r.f, WEFT_RULE_COMMAND_BUFFER_RANGE));
    fixture_clear(&r.f);
    begin(&r);
    weft_compute_fill_buffer(r.enc, a, 0, 6, 0);
    took(&r, WEFT_RULE_COPY_SIZE);
    weft_compute_fill_buffer(r.enc, a, 60, 8, 0);
    took(&r, WEFT_RULE_COMMAND_BUFFER_RANGE);
    weft_compute_fill_buffer(r.enc, a, 64, 0, 0); // nothing is left
    EXPECT_EQ(fixture_count(&r.f), 0);
    weft_buffer_destroy(r.f.dev, a);
    weft_buffer_destroy(r.f.dev, b);
    finish(&r);
}

TEST(compute_rules, copies_of_textures_fit)
{
    struct recording r = recording();
    const weft_texture_usage both = WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_COPY_DST;
    weft_texture a = record_texture(&r.f, WEFT_FORMAT_RGBA8_UNORM, both, 1);
    weft_texture b = record_texture(&r.f, WEFT_FORMAT_R32_FLOAT, both, 1);
    weft_texture c = record_texture(&r.f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_SAMPLED, 1);
    weft_texture d = record_texture(&r.f, WEFT_FORMAT_RGBA8_UNORM_SRGB, both, 1);
    weft_texture e = record_texture(&r.f, WEFT_FORMAT_RGBA8_UINT, both, 1);
    weft_buffer buf = record_buffer(&r.f, UINT64_C(4) * RECORD_WIDTH * RECORD_HEIGHT,
                                    WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST);
    const weft_texture_region all = {0}, half = {.width = 8, .height = 8};
    const weft_texture_region shifted = {.x = 4};
    weft_compute_copy_texture(r.enc, a, &all, d, &all);
    weft_compute_copy_buffer_to_texture(r.enc, buf, NULL, a, &all);
    weft_compute_copy_texture_to_buffer(r.enc, a, &all, buf, NULL);
    EXPECT_EQ(fixture_count(&r.f), 0);
    weft_compute_copy_texture(r.enc, a, &all, b, &all);
    took(&r, WEFT_RULE_COPY_FORMATS);
    weft_compute_copy_texture(r.enc, a, &half, a, &shifted);
    took(&r, WEFT_RULE_COPY_OVERLAP);
    weft_compute_copy_texture(r.enc, a, &all, c, &all);
    took(&r, WEFT_RULE_TEXTURE_COPY_DST);
    weft_compute_copy_texture_to_buffer(r.enc, c, &all, buf, NULL);
    took(&r, WEFT_RULE_TEXTURE_COPY_SRC);
    weft_compute_copy_texture(r.enc, a, &all, d, &shifted);
    took(&r, WEFT_RULE_TEXTURE_REGION_BOX);
    weft_compute_copy_buffer_to_texture(r.enc, buf, &(weft_texel_layout){.offset = 4}, a, &all);
    took(&r, WEFT_RULE_TEXEL_LAYOUT_SIZE);
    weft_compute_copy_buffer_to_texture(r.enc, buf, &(weft_texel_layout){.offset = 2}, a, &half);
    took(&r, WEFT_RULE_TEXEL_LAYOUT_OFFSET);
    weft_compute_generate_mips(r.enc, e);
    took(&r, WEFT_RULE_MIPS_FORMAT);
    weft_compute_generate_mips(r.enc, a);
    weft_texture_destroy(r.f.dev, a);
    weft_texture_destroy(r.f.dev, b);
    weft_texture_destroy(r.f.dev, c);
    weft_texture_destroy(r.f.dev, d);
    weft_texture_destroy(r.f.dev, e);
    weft_buffer_destroy(r.f.dev, buf);
    finish(&r);
}

TEST(compute_rules, heap_writes_stay_in_their_range)
{
    struct recording r = recording();
    weft_heap_range range;
    EXPECT_EQ(weft_heap_range_create(r.f.dev, WEFT_HEAP_SAMPLED, 4, &range), WEFT_OK);
    weft_texture texture =
        record_texture(&r.f, WEFT_FORMAT_RGBA8_UNORM, WEFT_TEXTURE_USAGE_SAMPLED, 1);
    weft_texture_view view = record_view(&r.f, texture);
    weft_compute_write_heap(r.enc, range, 3, view, (weft_sampler){0});
    EXPECT_EQ(fixture_count(&r.f), 0);
    weft_compute_write_heap(r.enc, range, 4, view, (weft_sampler){0});
    weft_compute_end(r.enc);
    EXPECT_EQ(weft_command_end(r.cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&r.f, WEFT_RULE_HEAP_ELEMENT));
    begin(&r);
    weft_texture_view_destroy(r.f.dev, view);
    weft_texture_destroy(r.f.dev, texture);
    weft_heap_range_destroy(r.f.dev, range);
    finish(&r);
}
