/// What images and arrays of descriptors a case may use, all in set 0; texel values are numbers
/// that tell where they are from.
///
///     2   two buffers: the input, and the input from its fifth word on
///     3   two sampled images, RGBA32 float, 4×4, two mips, nearest: x, y, element + 10 * mip, 1
///     4   two storage images, R32 uint, 4×4: 100 * element + 10 * y + x
///     5   two texel buffers, R32 uint: the input, and the input from its fifth word on
///     6   a depth image, 4×4: x / 4; samples compare for LESS
///     7   a storage image of 4 samples and 2 layers, R32 uint, 4×4: 100 * layer + 10 * x + sample
///     8   a storage image of 2 cubes, R32 uint, 2×2: 6 * cube + face
///     9   a storage image, R32 float, 4×4: x
#pragma once

#include "backends/software/exec/exec.h"
#include "backends/software/image/image.h"

#define SPIRV_BINDINGS 10u

struct spirv_pictures {
    struct wf_sw_image images[10];
    struct wf_sw_view views[10];
    struct wf_sw_sampler nearest, compare;
    struct wf_sw_binding elements[16];
    struct wf_sw_binding_range ranges[SPIRV_BINDINGS];
    uint32_t count;
};

void spirv_pictures_open(struct spirv_pictures *p, uint8_t *input, size_t input_bytes);
void spirv_pictures_close(struct spirv_pictures *p);
