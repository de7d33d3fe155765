// Surfaces without a window: what is presented last is what is read back.
#include "cases.h"
#include "draw.h"

#include "endless.comp.spv.h"

#include <string.h>

enum { WIDTH = 5, HEIGHT = 3 };

static weft_surface make(struct conform *c, uint32_t width, uint32_t height)
{
    weft_surface surface;
    weft_surface_create(conform_device(c), &(weft_surface_desc){.label = "picture"}, &surface);
    conform_check(c);
    weft_surface_configure(conform_device(c), surface,
                           &(weft_surface_config){.width = width,
                                                  .height = height,
                                                  .format = WEFT_FORMAT_RGBA8_UNORM});
    conform_check(c);
    return surface;
}

static weft_surface_image acquire(struct conform *c, weft_surface surface)
{
    weft_surface_image image;
    const weft_result result = weft_surface_acquire(conform_device(c), surface, &image);
    conform_check(c);
    CONFORM_EXPECT(c, result == WEFT_OK && image.status == WEFT_ACQUIRE_READY);
    return image;
}

/// Clears the image to a color and submits; waits for nothing.
static void draw(struct conform *c, weft_surface surface, weft_texture_view view,
                 const float color[4])
{
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_end(conform_begin_pass(cmd, view, color));
    CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_OK);
    weft_queue_submit(
        conform_device(c), WEFT_QUEUE_GRAPHICS,
        &(weft_submit){
            .commands = &cmd, .command_count = 1, .surfaces = &surface, .surface_count = 1},
        NULL);
    conform_check(c);
}

static void present(struct conform *c, weft_surface surface)
{
    const weft_result result = weft_surface_present(conform_device(c), surface, NULL, 0);
    conform_check(c);
    CONFORM_EXPECT(c, result == WEFT_OK);
}

/// All texels of what was presented last are this one.
static void expect_presented(struct conform *c, weft_surface surface, const uint32_t size[2],
                             const uint8_t texel[4])
{
    uint8_t got[64 * 4];
    const uint32_t count = size[0] * size[1];
    if (!conform_draws(c))
        return;
    memset(got, 0x55, sizeof got);
    const weft_result result =
        weft_surface_read(conform_device(c), surface, got, count * (size_t)4);
    conform_check(c);
    CONFORM_EXPECT(c, result == WEFT_OK);
    for (uint32_t i = 0; i < count * 4; i++)
        if (got[i] != texel[i % 4])
            conform_fail(c, "byte %u of the presented image is %u, not %u", i, got[i],
                         texel[i % 4]);
}

static const uint32_t whole[2] = {WIDTH, HEIGHT};

void case_surface_frames(struct conform *c)
{
    const weft_surface surface = make(c, WIDTH, HEIGHT);
    for (uint32_t i = 0; i < 12; i++) {
        const uint8_t texel[4] = {(uint8_t)(20 * i), 128, (uint8_t)i, 255};
        const weft_surface_image image = acquire(c, surface);
        CONFORM_EXPECT(c, image.width == WIDTH && image.height == HEIGHT &&
                              image.format == WEFT_FORMAT_RGBA8_UNORM);
        draw(c, surface, image.view,
             (const float[4]){(float)texel[0] / 255, 128 / 255.0F, (float)texel[2] / 255, 1});
        present(c, surface);
        if (i % 3 != 1) // not after every frame: several are under way at once
            expect_presented(c, surface, whole, texel);
    }
    weft_surface_destroy(conform_device(c), surface);
}

/// The same image until it is presented; what is not presented is not read.
void case_surface_acquired_twice(struct conform *c)
{
    const weft_surface surface = make(c, WIDTH, HEIGHT);
    draw(c, surface, acquire(c, surface).view, conform_red);
    present(c, surface);
    const weft_surface_image first = acquire(c, surface), second = acquire(c, surface);
    CONFORM_EXPECT(c, memcmp(&first.view, &second.view, sizeof first.view) == 0);
    draw(c, surface, first.view, conform_white);
    expect_presented(c, surface, whole, (const uint8_t[4]){255, 0, 0, 255});
    present(c, surface);
    expect_presented(c, surface, whole, (const uint8_t[4]){255, 255, 255, 255});
}

/// Another size, larger and smaller; and none, where there is nothing to draw to.
void case_surface_resized(struct conform *c)
{
    static const uint32_t sizes[][2] = {{WIDTH, HEIGHT}, {8, 8}, {1, 1}, {0, 4}, {3, 2}};
    const weft_surface surface = make(c, 4, 4);
    for (uint32_t i = 0; i < 5; i++) {
        weft_surface_image image;
        weft_surface_configure(conform_device(c), surface,
                               &(weft_surface_config){.width = sizes[i][0],
                                                      .height = sizes[i][1],
                                                      .format = WEFT_FORMAT_RGBA8_UNORM});
        conform_check(c);
        if (sizes[i][0] == 0) {
            CONFORM_EXPECT(c,
                           weft_surface_acquire(conform_device(c), surface, &image) == WEFT_SKIP);
            CONFORM_EXPECT(c, image.status == WEFT_ACQUIRE_SKIP);
            continue;
        }
        image = acquire(c, surface);
        CONFORM_EXPECT(c, image.width == sizes[i][0] && image.height == sizes[i][1]);
        draw(c, surface, image.view, (const float[4]){0, (float)i / 255, 0, 1});
        present(c, surface);
        expect_presented(c, surface, sizes[i], (const uint8_t[4]){0, (uint8_t)i, 0, 255});
    }
}

/// Pixels of the CPU, with a gap between the rows that is not shown.
void case_surface_pixels(struct conform *c)
{
    enum { ROW = WIDTH * 4 + 12 };
    uint8_t pixels[HEIGHT][ROW], want[HEIGHT][WIDTH * 4], got[HEIGHT][WIDTH * 4];
    const weft_surface surface = make(c, WIDTH, HEIGHT);
    for (uint32_t i = 0; i < HEIGHT * ROW; i++)
        pixels[i / ROW][i % ROW] = (uint8_t)(i * 7);
    for (uint32_t y = 0; y < HEIGHT; y++)
        memcpy(want[y], pixels[y], sizeof want[y]);
    acquire(c, surface);
    const weft_result result = weft_surface_present_pixels(conform_device(c), surface, pixels, ROW);
    conform_check(c);
    CONFORM_EXPECT(c, result == WEFT_OK);
    memset(pixels, 0, sizeof pixels); // they were copied
    if (!conform_draws(c))
        return;
    CONFORM_EXPECT(c, weft_surface_read(conform_device(c), surface, got, sizeof got) == WEFT_OK);
    CONFORM_EXPECT(c, memcmp(got, want, sizeof want) == 0);
}

/// Makes the device lose itself by a shader that does not end, where that is no harm to others.
static void lose(struct conform *c)
{
    const weft_compute_pipeline pipeline = conform_compute(c, CONFORM_SHADER(c, endless_comp));
    const uint32_t zeros[2] = {0};
    const weft_buffer words = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof zeros, zeros);
    const weft_argument_table table =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0),
                      &(weft_argument_write){.buffer = words}, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    uint64_t serial = 0;
    CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_OK);
    weft_queue_submit(conform_device(c), WEFT_QUEUE_GRAPHICS,
                      &(weft_submit){.commands = &cmd, .command_count = 1}, &serial);
    conform_check(c);
    CONFORM_EXPECT(c, weft_serial_wait(conform_device(c), serial, UINT64_MAX) == WEFT_ERROR_LOST);
}

/// The device is lost while a frame is acquired, and drawn to or not: every call says so, and what
/// there is can be destroyed.
void case_surface_lost(struct conform *c)
{
    weft_device *const device = conform_device(c);
    const weft_surface surface = make(c, WIDTH, HEIGHT), drawn = make(c, WIDTH, HEIGHT);
    const weft_surface_image image = acquire(c, surface), other = acquire(c, drawn);
    draw(c, drawn, other.view, conform_red);
    if (!conform_draws(c))
        conform_refuse(c, "it runs no shaders, so that none can make it lose itself");
    if (conform_capabilities(c)->backend != WEFT_BACKEND_SOFTWARE)
        conform_refuse(c, "an endless shader may take other programs' devices down, too");
    lose(c);
    conform_expect_rule(c, WEFT_RULE_DEVICE_LOST);
    CONFORM_EXPECT(c, weft_device_startup(device).state == WEFT_DEVICE_LOST);
    CONFORM_EXPECT(c, weft_surface_present(device, drawn, NULL, 0) == WEFT_ERROR_LOST);
    weft_surface_image again;
    CONFORM_EXPECT(c, weft_surface_acquire(device, surface, &again) == WEFT_ERROR_LOST);
    CONFORM_EXPECT(c, again.status == WEFT_ACQUIRE_LOST);
    weft_command_buffer *cmd;
    CONFORM_EXPECT(c, weft_command_begin(device, NULL, &cmd) == WEFT_ERROR_LOST && !cmd);
    weft_texture_view_info info;
    (void)weft_texture_view_get_info(device, image.view, &info); // stale or not, it is no crash
    weft_surface_destroy(device, surface);
    weft_surface_destroy(device, drawn);
    conform_expect_rule(c, WEFT_RULE_DEVICE_LOST); // of the calls above
}
