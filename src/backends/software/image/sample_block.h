/// Filtering of 16 lanes at once; private to image/. Each function is compiled
/// from the same source, once for every instruction set, and gives the same bits.
#ifndef WF_SW_IMAGE_SAMPLE_BLOCK_H
#define WF_SW_IMAGE_SAMPLE_BLOCK_H

#include "backends/software/image/sample.h"

#define WF_SW_BLOCK 16u

#if defined(__GNUC__) && defined(__x86_64__)
#define WF_SW_IMAGE_AVX2 1 ///< Chosen at run time.
#endif

/// One instruction for 16 lanes. The pointers are to the block's first lane of longer rows.
struct wf_sw_block {
    const struct wf_sw_view *view;
    weft_address_mode u, v; ///< Not CLAMP_TO_BORDER.
    const float *s, *t;     ///< Coordinates.
    const uint32_t *slices; ///< Layers of the image.
    const uint32_t *first;  ///< Levels, relative to the view.
    const float *toward;    ///< Weights of the levels after those.
    const uint8_t *linear;  ///< Filters inside the levels.
    const float *reference; ///< Of a depth comparison (CODED views only); NULL: none.
    weft_compare compare;
    uint32_t mask;               ///< Lanes that count: bits 0 to 15, not 0.
    float (*color)[WF_SW_BLOCK]; ///< Result: red to alpha, 0 to 1; lanes outside of `mask` change.
};

void wf_sw_sample_block(const struct wf_sw_block *block);
#if defined(WF_SW_IMAGE_AVX2)
void wf_sw_sample_block_avx2(const struct wf_sw_block *block);
#endif

#endif
