// Core on the software device: what is recorded really is drawn.
#include "support/record.h"

TEST(core_software, a_triangle_covers_its_target)
{
    if (!weft_backend_is_built(WEFT_BACKEND_SOFTWARE))
        test_skip("the software backend is not built");
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    struct record_plain p = record_plain_create(&f);
    weft_command_buffer *cmd = record_begin(&f);
    weft_render_encoder *enc = record_pass(cmd, p.view);
    weft_render_set_pipeline(enc, p.pipeline);
    weft_render_set_scissor(enc, &(weft_rect){.x = 8, .y = 4, .width = 1000, .height = 1000});
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&f, cmd);
    static uint8_t pixels[RECORD_HEIGHT][RECORD_WIDTH][4];
    EXPECT_EQ(weft_texture_read(f.dev, p.target, NULL, pixels, sizeof pixels, NULL), WEFT_OK);
    const uint8_t drawn[4] = {255, 128, 64, 255}, clear[4] = {0};
    EXPECT_MEM(pixels[0][0], clear, 4);
    EXPECT_MEM(pixels[4][7], clear, 4);
    EXPECT_MEM(pixels[4][8], drawn, 4);
    record_plain_destroy(&f, &p);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(core_software, a_dispatch_stores_what_it_was_given)
{
    if (!weft_backend_is_built(WEFT_BACKEND_SOFTWARE))
        test_skip("the software backend is not built");
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    weft_shader shader = RECORD_SHADER(&f, store_comp);
    const weft_constant size = {.id = 0, .value = 4};
    weft_compute_pipeline pipeline;
    const weft_compute_pipeline_desc desc = {
        .compute = {.shader = shader, .constants = &size, .constant_count = 1}};
    EXPECT_EQ(weft_compute_pipeline_create(f.dev, &desc, &pipeline), WEFT_OK);
    const uint32_t source[4] = {10, 20, 30, 40};
    weft_buffer from, to = record_buffer(&f, 256, WEFT_BUFFER_USAGE_STORAGE);
    EXPECT_EQ(weft_buffer_create(f.dev,
                                 &(weft_buffer_desc){.size = sizeof source,
                                                     .usage = WEFT_BUFFER_USAGE_STORAGE,
                                                     .data = source},
                                 &from),
              WEFT_OK);
    const weft_argument_write writes[] = {{.binding = 0, .buffer = to},
                                          {.binding = 2, .buffer = from}};
    weft_argument_table table =
        record_table(&f, weft_compute_pipeline_layout(f.dev, pipeline, 0), writes, 2);
    weft_command_buffer *cmd = record_begin(&f);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_set_root(enc, 0, &(uint32_t){7}, 4);
    weft_compute_dispatch(enc, 2, 1, 1);
    weft_compute_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    record_submit(&f, cmd);
    uint32_t got[8];
    EXPECT_EQ(weft_buffer_read(f.dev, to, 16, got, sizeof got), WEFT_OK);
    const uint32_t wanted[8] = {17, 27, 37, 47, 17, 27, 37, 47};
    EXPECT_MEM(got, wanted, sizeof got);
    weft_argument_table_destroy(f.dev, table);
    weft_buffer_destroy(f.dev, from);
    weft_buffer_destroy(f.dev, to);
    weft_compute_pipeline_destroy(f.dev, pipeline);
    weft_shader_destroy(f.dev, shader);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(core_software, a_headless_surface_gives_back_its_pixels)
{
    if (!weft_backend_is_built(WEFT_BACKEND_SOFTWARE))
        test_skip("the software backend is not built");
    struct fixture f = fixture_open(WEFT_BACKEND_SOFTWARE);
    weft_surface surface;
    EXPECT_EQ(weft_surface_create(f.dev, &(weft_surface_desc){0}, &surface), WEFT_OK);
    const weft_surface_config config = {.width = 4, .height = 2, .format = WEFT_FORMAT_RGBA8_UNORM};
    EXPECT_EQ(weft_surface_configure(f.dev, surface, &config), WEFT_OK);
    uint8_t pixels[32], got[32];
    for (int i = 0; i < 32; ++i)
        pixels[i] = (uint8_t)(i * 7);
    EXPECT_EQ(weft_surface_present_pixels(f.dev, surface, pixels, 16), WEFT_OK);
    EXPECT_EQ(weft_surface_read(f.dev, surface, got, sizeof got), WEFT_OK);
    EXPECT_MEM(got, pixels, sizeof got);
    weft_surface_destroy(f.dev, surface);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}
