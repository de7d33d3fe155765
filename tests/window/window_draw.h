/// Frames of one color, on the backend that WEFT_TEST_BACKEND names (else the software device).
#pragma once

#include "support/fixture.h"

static inline weft_backend window_backend(void)
{
    const char *name = getenv("WEFT_TEST_BACKEND");
    return name ? weft_backend_from_name(name) : WEFT_BACKEND_SOFTWARE;
}

static inline struct fixture window_device(const weft_surface_target *target)
{
    return fixture_open_desc(&(weft_device_desc){
        .backends = 1u << window_backend(), .validation = WEFT_VALIDATION_FULL, .surface = target});
}

static inline weft_surface window_surface(struct fixture *f, const weft_surface_target *target)
{
    weft_surface surface;
    EXPECT_EQ(weft_surface_create(f->dev, &(weft_surface_desc){.target = *target}, &surface),
              WEFT_OK);
    return surface;
}

/// Configures and says what came of it.
static inline weft_surface_config window_configure(struct fixture *f, weft_surface surface,
                                                   const weft_surface_config *config)
{
    weft_surface_info info;
    EXPECT_EQ(weft_surface_configure(f->dev, surface, config), WEFT_OK);
    EXPECT_EQ(weft_surface_query(f->dev, surface, &info), WEFT_OK);
    return info.config;
}

/// Draws to an acquired image and submits. `color`: 0xRRGGBB.
static inline void window_draw(struct fixture *f, weft_surface surface,
                               const weft_surface_image *image, uint32_t color)
{
    weft_command_buffer *cmd;
    EXPECT_EQ(weft_command_begin(f->dev, NULL, &cmd), WEFT_OK);
    const weft_render_pass_desc pass = {
        .colors = {{.view = image->view,
                    .load = WEFT_LOAD_CLEAR,
                    .clear = {.f = {(float)(color >> 16) / 255, (float)(color >> 8 & 255) / 255,
                                    (float)(color & 255) / 255, 1}}}}};
    weft_render_end(weft_command_begin_render(cmd, &pass));
    EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
    EXPECT_EQ(weft_queue_submit(f->dev, WEFT_QUEUE_GRAPHICS,
                                &(weft_submit){.commands = &cmd,
                                               .command_count = 1,
                                               .surfaces = &surface,
                                               .surface_count = 1},
                                NULL),
              WEFT_OK);
}

/// Acquires, which must go well in the end (a busy machine's window system may be late), and draws.
static inline weft_surface_image window_begin(struct fixture *f, weft_surface surface,
                                              uint32_t color)
{
    weft_surface_image image;
    weft_result result = WEFT_SKIP;
    for (int i = 0; i < 100 && result == WEFT_SKIP; i++)
        result = weft_surface_acquire(f->dev, surface, &image);
    EXPECT_EQ(result, WEFT_OK);
    EXPECT_EQ(image.status, WEFT_ACQUIRE_READY);
    window_draw(f, surface, &image, color);
    return image;
}

static inline void window_frame(struct fixture *f, weft_surface surface, uint32_t color)
{
    window_begin(f, surface, color);
    EXPECT_EQ(weft_surface_present(f->dev, surface, NULL, 0), WEFT_OK);
}
