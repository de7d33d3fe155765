/// One small world through the public API: a textured, blended, multisampled picture of many
/// overlapping triangles, and a dispatch that counts it.
#pragma once

#include "support/fixture.h"

#define WHOLE_WIDTH     200u
#define WHOLE_HEIGHT    136u
#define WHOLE_TRIANGLES 160u
#define WHOLE_GROUPS_X  (WHOLE_WIDTH / 8)
#define WHOLE_GROUPS_Y  (WHOLE_HEIGHT / 8)
#define WHOLE_SUMS      (64 + WHOLE_GROUPS_X * WHOLE_GROUPS_Y * 16) // bytes of the counts

struct whole {
    weft_device *dev;
    weft_shader vertex, fragment, compute;
    weft_texture image, many, one, depth;
    weft_texture_view image_view, many_view, one_view, depth_view;
    weft_sampler sampler;
    weft_buffer vertices, indices, scene, counts;
    weft_graphics_pipeline pipeline;
    weft_compute_pipeline counter;
    weft_argument_table globals, material, counting;
};

struct whole_result {
    uint8_t pixels[WHOLE_HEIGHT][WHOLE_WIDTH][4];
    uint8_t counts[WHOLE_SUMS];
};

/// False, with some diagnostic, when anything failed; destroy it all the same.
bool whole_create(struct whole *w, weft_device *dev);
void whole_destroy(struct whole *w);
/// Records the whole picture and its counting. NULL when anything failed.
weft_command_buffer *whole_record(const struct whole *w);
/// Records, submits, and reads both results back. False when anything failed.
bool whole_render(const struct whole *w, struct whole_result *out);
