#include "support/record.h"

static weft_surface make(struct fixture *f)
{
    weft_surface surface;
    EXPECT_EQ(weft_surface_create(f->dev, &(weft_surface_desc){.label = "window"}, &surface),
              WEFT_OK);
    return surface;
}

static void configure_refused(struct fixture *f, weft_surface surface,
                              const weft_surface_config *config, weft_rule rule)
{
    EXPECT_EQ(weft_surface_configure(f->dev, surface, config), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
}

TEST(surface_rules, a_surface_is_configured_with_what_it_offers)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_surface surface;
    const weft_surface_target incomplete[] = {
        {.kind = WEFT_SURFACE_XCB, .display = &f},    {.kind = WEFT_SURFACE_XLIB, .xid = 1},
        {.kind = WEFT_SURFACE_WAYLAND, .window = &f}, {.kind = WEFT_SURFACE_WAYLAND, .display = &f},
        {.kind = WEFT_SURFACE_WIN32, .display = &f},  {.kind = WEFT_SURFACE_WIN32, .window = &f},
        {.kind = WEFT_SURFACE_CANVAS, .window = &f},
    };
    for (uint32_t i = 0; i < sizeof incomplete / sizeof *incomplete; i++) {
        const weft_surface_desc window = {.target = incomplete[i]};
        EXPECT_EQ(weft_surface_create(f.dev, &window, &surface), WEFT_ERROR_USAGE);
        EXPECT(fixture_took(&f, WEFT_RULE_SURFACE_TARGET));
    }
    surface = make(&f);
    weft_surface_image image;
    EXPECT_EQ(weft_surface_acquire(f.dev, surface, &image), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SURFACE_NOT_CONFIGURED));
    configure_refused(&f, surface, &(weft_surface_config){.format = WEFT_FORMAT_R32_UINT},
                      WEFT_RULE_SURFACE_FORMAT);
    configure_refused(&f, surface, &(weft_surface_config){.mode = WEFT_PRESENT_IMMEDIATE},
                      WEFT_RULE_SURFACE_MODE);
    configure_refused(&f, surface, &(weft_surface_config){.color_space = WEFT_COLOR_SPACE_HDR10},
                      WEFT_RULE_SURFACE_COLOR_SPACE);
    configure_refused(&f, surface, &(weft_surface_config){.width = 1u << 20},
                      WEFT_RULE_SURFACE_SIZE);
    configure_refused(&f, surface, &(weft_surface_config){.usage = WEFT_TEXTURE_USAGE_TRANSIENT},
                      WEFT_RULE_BITS_UNKNOWN);
    weft_surface_destroy(f.dev, surface);
    fixture_close(&f);
}

TEST(surface_rules, acquire_submit_present_is_the_order)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_surface surface = make(&f);
    const weft_surface_config config = {.width = 8, .height = 8};
    EXPECT_EQ(weft_surface_configure(f.dev, surface, &config), WEFT_OK);
    EXPECT_EQ(weft_surface_present(f.dev, surface, NULL, 0), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SURFACE_NOT_ACQUIRED));
    weft_submit desc = {.surfaces = &surface, .surface_count = 1};
    EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS, &desc, NULL), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SURFACE_NOT_ACQUIRED));
    uint8_t pixels[8 * 8 * 4];
    EXPECT_EQ(weft_surface_read(f.dev, surface, pixels, sizeof pixels), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SURFACE_NOT_PRESENTED));

    weft_surface_image image;
    EXPECT_EQ(weft_surface_acquire(f.dev, surface, &image), WEFT_OK);
    const weft_texture_view before = image.view;
    EXPECT_EQ(weft_surface_configure(f.dev, surface, &config), WEFT_OK); // gives it back
    weft_texture_view_info info;
    EXPECT(!weft_texture_view_get_info(f.dev, before, &info));
    EXPECT_EQ(weft_surface_acquire(f.dev, surface, &image), WEFT_OK);
    EXPECT_EQ(weft_surface_present(f.dev, surface, NULL, 0), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SURFACE_NOT_WRITTEN));
    weft_command_buffer *cmd = record_begin(&f);
    weft_render_end(record_pass(cmd, image.view));
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    desc = (weft_submit){.commands = &cmd, .command_count = 1};
    EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS, &desc, NULL), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SUBMIT_SURFACE));
    weft_command_buffer *late = record_begin(&f);
    weft_render_end(record_pass(late, image.view));
    EXPECT_EQ(weft_command_end(late), WEFT_OK);
    desc.surfaces = &surface;
    desc.surface_count = 1;
    EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS, &desc, NULL), WEFT_OK);
    configure_refused(&f, surface, &config, WEFT_RULE_SURFACE_ACQUIRED);
    EXPECT_EQ(weft_surface_present(f.dev, surface, &(weft_rect){4, 0, 8, 8}, 1), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SURFACE_DAMAGE));
    EXPECT_EQ(weft_surface_present(f.dev, surface, &(weft_rect){4, 0, 4, 8}, 1), WEFT_OK);

    // Work on an image that was presented, even if the next one is the same image.
    EXPECT_EQ(weft_surface_acquire(f.dev, surface, &image), WEFT_OK);
    desc.commands = &late;
    EXPECT_EQ(weft_queue_submit(f.dev, WEFT_QUEUE_GRAPHICS, &desc, NULL), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SURFACE_NOT_ACQUIRED));
    weft_command_discard(late);
    weft_surface_destroy(f.dev, surface);
    cmd = record_begin(&f);
    weft_render_end(record_pass(cmd, image.view));
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_STALE));
    fixture_close(&f);
}

TEST(surface_rules, an_image_is_not_used_between_present_and_acquire)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_surface surface = make(&f);
    EXPECT_EQ(
        weft_surface_configure(f.dev, surface, &(weft_surface_config){.width = 8, .height = 8}),
        WEFT_OK);
    weft_surface_image image;
    EXPECT_EQ(weft_surface_acquire(f.dev, surface, &image), WEFT_OK);
    uint8_t pixels[8 * 8 * 4] = {0};
    EXPECT_EQ(weft_surface_present_pixels(f.dev, surface, pixels, 30), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SURFACE_ROW_BYTES));
    EXPECT_EQ(weft_surface_present_pixels(f.dev, surface, pixels, 0), WEFT_OK);
    EXPECT_EQ(weft_surface_read(f.dev, surface, pixels, 100), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SURFACE_READ_SIZE));
    weft_command_buffer *cmd = record_begin(&f);
    weft_render_end(record_pass(cmd, image.view));
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SURFACE_NOT_ACQUIRED));
    weft_texture_destroy(f.dev, image.texture);
    EXPECT(fixture_took(&f, WEFT_RULE_OBJECT_NOT_YOURS));
    weft_surface_destroy(f.dev, surface);
    fixture_close(&f);
}

TEST(surface_rules, only_headless_surfaces_are_read)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_surface surface;
    const weft_surface_desc window = {
        .target = {.kind = WEFT_SURFACE_XLIB, .display = &f, .xid = 1}};
    EXPECT_EQ(weft_surface_create(f.dev, &window, &surface), WEFT_OK); // noop takes any
    uint8_t pixels[4];
    EXPECT_EQ(weft_surface_read(f.dev, surface, pixels, 4), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SURFACE_NOT_HEADLESS));
    weft_surface_destroy(f.dev, surface);
    fixture_close(&f);
}

TEST(surface_rules, a_command_buffer_draws_to_a_few_surfaces)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_surface surfaces[9];
    weft_command_buffer *cmd = record_begin(&f);
    for (int i = 0; i < 9; ++i) {
        surfaces[i] = make(&f);
        EXPECT_EQ(weft_surface_configure(f.dev, surfaces[i],
                                         &(weft_surface_config){.width = 8, .height = 8}),
                  WEFT_OK);
        weft_surface_image image;
        EXPECT_EQ(weft_surface_acquire(f.dev, surfaces[i], &image), WEFT_OK);
        weft_render_end(record_pass(cmd, image.view));
    }
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_SURFACE_TOO_MANY));
    for (int i = 0; i < 9; ++i)
        weft_surface_destroy(f.dev, surfaces[i]);
    fixture_close(&f);
}
