/// A device with what frames need: a headless surface, a triangle, two pipelines, four materials.
#ifndef WEFT_TEST_FRAME_STAGE_H
#define WEFT_TEST_FRAME_STAGE_H

#include "support/fixture.h"
#include "support/test.h"

#include <weft/weft.h>

#define STAGE_SIZE 16u

struct stage {
    struct fixture f;
    weft_surface surface;
    weft_buffer vertices;
    weft_shader vertex, plain, sampled;
    weft_graphics_pipeline pipelines[2], sampling;
    weft_material materials[4]; ///< 0 and 1 of the first pipeline, 2 and 3 of the second.
};

struct stage stage_open(weft_backend backend);
struct stage stage_open_desc(const weft_device_desc *desc);
void stage_close(struct stage *s);

weft_shader stage_shader(struct stage *s, const uint32_t *code, size_t size);
/// Draws shaders/frame.vert and `fragment` to RGBA8 from float2 positions in slot 0.
weft_graphics_pipeline stage_pipeline(struct stage *s, weft_shader fragment, const char *label);

weft_frame *stage_begin(struct stage *s);
/// Begins a cleared pass on the surface.
weft_target stage_pass(weft_frame *frame);
/// A triangle of material `index`.
weft_draw_packet stage_packet(const struct stage *s, uint32_t index);

#endif
