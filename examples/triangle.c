// Draws a triangle into triangle.ppm, on whatever device there is.
#include <weft/weft.h>

#include <stdio.h>

#include "triangle.frag.spv.h"
#include "triangle.vert.spv.h"

enum { WIDTH = 640, HEIGHT = 360 };

int main(void)
{
    weft_device *dev;
    weft_device_start(&(weft_device_desc){0}, &dev);
    if (weft_device_wait(dev, UINT64_MAX) != WEFT_OK)
        return 1; // weft_device_startup() tells why, for each backend

    weft_surface surface;
    weft_surface_create(dev, &(weft_surface_desc){0}, &surface); // headless: it can be read back
    weft_surface_configure(dev, surface,
                           &(weft_surface_config){.width = WIDTH,
                                                  .height = HEIGHT,
                                                  .format = WEFT_FORMAT_RGBA8_UNORM_SRGB});

    weft_shader vertex, fragment;
    weft_shader_create(
        dev, &(weft_shader_desc){.code = triangle_vert, .size = sizeof triangle_vert}, &vertex);
    weft_shader_create(
        dev, &(weft_shader_desc){.code = triangle_frag, .size = sizeof triangle_frag}, &fragment);
    weft_graphics_pipeline pipeline;
    weft_graphics_pipeline_create(
        dev,
        &(weft_graphics_pipeline_desc){.vertex = {.shader = vertex},
                                       .fragment = {.shader = fragment},
                                       .colors = {WEFT_FORMAT_RGBA8_UNORM_SRGB},
                                       .samples = 4},
        &pipeline);
    weft_material material;
    weft_material_create(
        dev, &(weft_material_desc){.pipeline = pipeline, .transform_offset = WEFT_NO_TRANSFORM},
        &material);

    // One frame: what is to be drawn goes in, Weft makes it a plan and runs it.
    weft_frame *frame;
    weft_frame_begin(dev, &(weft_frame_desc){.surface = surface}, &frame);
    const weft_target pass = weft_frame_target_begin(
        frame, weft_frame_present_target(frame),
        &(weft_target_ops){
            .load = WEFT_LOAD_CLEAR, .clear = {{.f = {0.02f, 0.03f, 0.05f, 1}}}, .samples = 4});
    weft_frame_draw_mesh(frame,
                         &(weft_draw_packet){.material = material, .geometry = {.count = 3}});
    weft_frame_target_end(frame, pass);
    const weft_result result = weft_frame_submit(frame, NULL);

    // Nothing above was checked: whatever failed was reported on stderr, and nothing was drawn.
    static uint8_t texels[WIDTH * HEIGHT * 4];
    FILE *file = fopen("triangle.ppm", "wb");
    if (result != WEFT_OK || weft_surface_read(dev, surface, texels, sizeof texels) != WEFT_OK ||
        !file)
        return 1;
    (void)fprintf(file, "P6\n%d %d\n255\n", WIDTH, HEIGHT);
    for (size_t i = 0; i < sizeof texels; i += 4)
        (void)fwrite(texels + i, 1, 3, file);
    (void)fclose(file);
    weft_material_destroy(dev, material);
    weft_graphics_pipeline_destroy(dev, pipeline);
    weft_shader_destroy(dev, vertex);
    weft_shader_destroy(dev, fragment);
    weft_surface_destroy(dev, surface);
    weft_device_destroy(dev);
    return 0;
}
