#include "support/record.h"

/// A table of the mesh's material is written so that one rule breaks.
static void refused(struct fixture *f, weft_argument_table table, const weft_argument_write *write,
                    weft_rule rule)
{
    EXPECT_EQ(weft_argument_table_write(f->dev, table, write, 1), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
}

TEST(argument_rules, buffers_in_tables_fit)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_mesh m = record_mesh_create(&f);
    weft_argument_write w = {.binding = 7, .buffer = m.uniforms};
    refused(&f, m.material, &w, WEFT_RULE_ARGUMENT_BINDING);
    w = (weft_argument_write){.binding = 1, .element = 1, .buffer = m.uniforms};
    refused(&f, m.material, &w, WEFT_RULE_ARGUMENT_BINDING);
    w = (weft_argument_write){.binding = 1, .buffer = m.uniforms, .offset = 512};
    refused(&f, m.material, &w, WEFT_RULE_ARGUMENT_RANGE);
    w = (weft_argument_write){.binding = 1, .buffer = m.uniforms, .offset = 256, .size = 300};
    refused(&f, m.material, &w, WEFT_RULE_ARGUMENT_RANGE);
    w = (weft_argument_write){.binding = 1, .buffer = m.uniforms, .offset = 16};
    refused(&f, m.material, &w, WEFT_RULE_ARGUMENT_OFFSET);
    w = (weft_argument_write){.binding = 1, .buffer = m.vertices};
    refused(&f, m.material, &w, WEFT_RULE_ARGUMENT_BUFFER_USAGE);
    w = (weft_argument_write){.binding = 1};
    refused(&f, m.material, &w, WEFT_RULE_HANDLE_NONE);
    record_mesh_destroy(&f, &m);
    fixture_close(&f);
}

TEST(argument_rules, a_range_of_texels_has_one)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_argument texels = {.type = WEFT_ARGUMENT_UNIFORM_TEXELS,
                                  .storage = WEFT_FORMAT_RGBA32_FLOAT};
    weft_argument_layout layout;
    weft_argument_table table;
    weft_buffer buffer;
    EXPECT_EQ(weft_argument_layout_create(
                  f.dev, &(weft_argument_layout_desc){.arguments = &texels, .argument_count = 1},
                  &layout),
              WEFT_OK);
    EXPECT_EQ(
        weft_argument_table_create(f.dev, &(weft_argument_table_desc){.layout = layout}, &table),
        WEFT_OK);
    EXPECT_EQ(weft_buffer_create(f.dev,
                                 &(weft_buffer_desc){.size = 512, .usage = WEFT_BUFFER_USAGE_TEXEL},
                                 &buffer),
              WEFT_OK);
    weft_argument_write w = {.buffer = buffer, .size = 4};
    refused(&f, table, &w, WEFT_RULE_ARGUMENT_RANGE);
    w.size = 16;
    EXPECT_EQ(weft_argument_table_write(f.dev, table, &w, 1), WEFT_OK);
    weft_buffer_destroy(f.dev, buffer);
    weft_argument_table_destroy(f.dev, table);
    weft_argument_layout_destroy(f.dev, layout);
    fixture_close(&f);
}

/// A binding that is given another kind, or nothing, says which it is and what it takes.
TEST(argument_rules, a_wrong_kind_names_table_and_binding)
{
    struct fixture f = fixture_open_validation(WEFT_BACKEND_NOOP, WEFT_VALIDATION_OFF);
    struct record_mesh m = record_mesh_create(&f);
    weft_argument_write w = {.binding = 1, .view = m.texture_view};
    EXPECT_EQ(weft_argument_table_write(f.dev, m.material, &w, 1), WEFT_ERROR_USAGE);
    EXPECT(strstr(f.log->message, "Binding 1, element 0, of table \"table\"") != NULL);
    EXPECT(strstr(f.log->message, "takes a buffer, and was given a texture view") != NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_NONE));
    w = (weft_argument_write){.binding = 0, .view = m.texture_view};
    EXPECT_EQ(weft_argument_table_write(f.dev, m.material, &w, 1), WEFT_ERROR_USAGE);
    EXPECT(strstr(f.log->message, "takes a sampler, and was given a texture view") != NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_NONE));
    record_mesh_destroy(&f, &m);
    fixture_close(&f);
}

/// Writes a view of a texture made for it into the material's binding 0.
static void view_refused(struct fixture *f, const struct record_mesh *m,
                         const weft_texture_desc *desc, const weft_texture_view_desc *view_desc,
                         weft_sampler sampler, weft_rule rule)
{
    weft_texture texture;
    weft_texture_view view;
    EXPECT_EQ(weft_texture_create(f->dev, desc, &texture), WEFT_OK);
    weft_texture_view_desc full = *view_desc;
    full.texture = texture;
    EXPECT_EQ(weft_texture_view_create(f->dev, &full, &view), WEFT_OK);
    const weft_argument_write w = {.view = view, .sampler = sampler};
    refused(f, m->material, &w, rule);
    weft_texture_view_destroy(f->dev, view);
    weft_texture_destroy(f->dev, texture);
}

TEST(argument_rules, textures_in_tables_fit)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_mesh m = record_mesh_create(&f);
    const weft_texture_view_desc plain = {0};
    weft_texture_desc d = {.format = WEFT_FORMAT_RGBA8_UNORM,
                           .width = 4,
                           .height = 4,
                           .usage = WEFT_TEXTURE_USAGE_RENDER};
    view_refused(&f, &m, &d, &plain, m.sampler, WEFT_RULE_ARGUMENT_TEXTURE_USAGE);
    d.usage = WEFT_TEXTURE_USAGE_SAMPLED;
    d.layers = 4;
    view_refused(&f, &m, &d, &plain, m.sampler, WEFT_RULE_ARGUMENT_VIEW_KIND);
    d.layers = 1;
    d.samples = 4;
    d.usage |= WEFT_TEXTURE_USAGE_RENDER;
    view_refused(&f, &m, &d, &plain, m.sampler, WEFT_RULE_ARGUMENT_SAMPLES);
    d.samples = 1;
    d.format = WEFT_FORMAT_RGBA8_UINT;
    view_refused(&f, &m, &d, &plain, m.sampler, WEFT_RULE_ARGUMENT_CLASS);
    d.format = WEFT_FORMAT_D32_FLOAT_S8_UINT;
    const weft_texture_view_desc both = {.aspect = WEFT_ASPECT_DEPTH | WEFT_ASPECT_STENCIL};
    view_refused(&f, &m, &d, &both, m.sampler, WEFT_RULE_ARGUMENT_ASPECT);
    weft_sampler linear;
    EXPECT_EQ(weft_sampler_create(f.dev, &(weft_sampler_desc){.min = WEFT_FILTER_LINEAR}, &linear),
              WEFT_OK);
    d.format = WEFT_FORMAT_D32_FLOAT;
    view_refused(&f, &m, &d, &plain, linear, WEFT_RULE_ARGUMENT_FILTER);
    weft_sampler_destroy(f.dev, linear);
    record_mesh_destroy(&f, &m);
    fixture_close(&f);
}

/// Records the setting of a table with one offset, or none, which breaks one rule.
static void set_refused(struct fixture *f, const struct record_mesh *m, uint32_t slot,
                        weft_argument_table table, const uint32_t *offset, weft_rule rule)
{
    weft_command_buffer *cmd = record_begin(f);
    weft_render_encoder *enc = record_pass(cmd, m->view);
    weft_render_set_arguments(enc, slot, table, offset, offset ? 1 : 0);
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT_STR(f->log->pass, "pass");
    EXPECT(fixture_took(f, rule));
}

TEST(argument_rules, what_a_table_holds_lives_when_it_is_set)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_mesh m = record_mesh_create(&f);
    weft_buffer_destroy(f.dev, m.uniforms);
    set_refused(&f, &m, 0, m.globals, NULL, WEFT_RULE_ARGUMENT_DEAD);
    m.uniforms = record_buffer(&f, 512, WEFT_BUFFER_USAGE_UNIFORM);
    set_refused(&f, &m, 3, m.globals, NULL, WEFT_RULE_ARGUMENT_SLOT);
    record_mesh_destroy(&f, &m);
    fixture_close(&f);
}

TEST(argument_rules, dynamic_offsets_fit)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct record_mesh m = record_mesh_create(&f);
    const weft_argument argument = {.type = WEFT_ARGUMENT_UNIFORM_BUFFER,
                                    .flags = WEFT_ARGUMENT_DYNAMIC};
    weft_argument_layout layout;
    EXPECT_EQ(weft_argument_layout_create(
                  f.dev, &(weft_argument_layout_desc){.arguments = &argument, .argument_count = 1},
                  &layout),
              WEFT_OK);
    const weft_argument_write w = {.buffer = m.uniforms, .size = 256};
    weft_argument_table table = record_table(&f, layout, &w, 1);
    uint32_t offset = 256;
    set_refused(&f, &m, 0, table, NULL, WEFT_RULE_DYNAMIC_OFFSET_COUNT);
    set_refused(&f, &m, 0, m.globals, &offset, WEFT_RULE_DYNAMIC_OFFSET_COUNT);
    offset = 100;
    set_refused(&f, &m, 0, table, &offset, WEFT_RULE_DYNAMIC_OFFSET);
    offset = 512;
    set_refused(&f, &m, 0, table, &offset, WEFT_RULE_DYNAMIC_OFFSET);
    weft_argument_table_destroy(f.dev, table);
    weft_argument_layout_destroy(f.dev, layout);
    record_mesh_destroy(&f, &m);
    fixture_close(&f);
}

TEST(argument_rules, counted_arrays_must_be_there)
{
    struct fixture f = fixture_open_validation(WEFT_BACKEND_NOOP, WEFT_VALIDATION_OFF);
    struct record_mesh m = record_mesh_create(&f);
    weft_argument_layout layout;
    EXPECT_EQ(weft_argument_layout_create(f.dev, &(weft_argument_layout_desc){.argument_count = 1},
                                          &layout),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_ARRAY_NULL));
    EXPECT_EQ(weft_argument_table_write(f.dev, m.globals, NULL, 1), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_ARRAY_NULL));

    const weft_graphics_pipeline_desc good = record_mesh_desc(&m);
    weft_graphics_pipeline_desc descs[] = {good, good, good, good};
    descs[0].streams = NULL;
    descs[1].attributes = NULL;
    descs[2].states = NULL;
    descs[2].state_count = 2;
    descs[3].fragment.constant_count = 1;
    for (size_t i = 0; i < sizeof descs / sizeof descs[0]; ++i) {
        weft_graphics_pipeline pipeline;
        EXPECT_EQ(weft_graphics_pipeline_create(f.dev, &descs[i], &pipeline), WEFT_ERROR_USAGE);
        EXPECT(fixture_took(&f, WEFT_RULE_ARRAY_NULL));
    }
    const weft_submit submits[] = {
        {.command_count = 1}, {.wait_count = 1}, {.signal_count = 1}, {.surface_count = 1}};
    for (size_t i = 0; i < sizeof submits / sizeof submits[0]; ++i) {
        EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS, &submits[i], NULL),
                  WEFT_ERROR_USAGE);
        EXPECT(fixture_took(&f, WEFT_RULE_ARRAY_NULL));
    }
    weft_command_buffer *cmd = record_begin(&f);
    weft_command_buffer_barrier(cmd, NULL, 1);
    EXPECT(fixture_took(&f, WEFT_RULE_ARRAY_NULL));
    weft_command_texture_barrier(cmd, NULL, 1);
    EXPECT(fixture_took(&f, WEFT_RULE_ARRAY_NULL));
    weft_command_discard(cmd);
    record_mesh_destroy(&f, &m);
    fixture_close(&f);
}
