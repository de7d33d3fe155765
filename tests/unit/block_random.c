// Random blocks of every format against the reference decoder.
#include <math.h>

#include "block_support.h"
#include "support/block_reference.h"

#ifndef BLOCKS_OF_A_FORMAT
#define BLOCKS_OF_A_FORMAT 500
#endif

static void fill_block(struct rng *rng, weft_format format, uint8_t block[16])
{
    for (int i = 0; i < 16; i++)
        block[i] = (uint8_t)rng_next(rng);
    // By chance alone, half of all blocks of BC7 would be of one mode.
    if (format == WEFT_FORMAT_BC7_RGBA_UNORM || format == WEFT_FORMAT_BC7_RGBA_UNORM_SRGB) {
        const uint32_t mode = rng_below(rng, 9);
        block[0] = (uint8_t)((block[0] | 1) << mode);
    }
    // Blocks of few values find corners that random ones miss.
    if (rng_below(rng, 8) == 0)
        memset(block + 1 + rng_below(rng, 8), rng_below(rng, 2) ? 0xff : 0, 7);
}

static bool is_same(float got, double want)
{
    if (isnan(want) || isinf(want))
        return isnan(want) ? isnan(got) : (double)got == want;
    return fabs((double)got - want) <= fabs(want) * 1e-6 + 1e-12;
}

/// All texels of small blocks; of large ones a few, or now and then all.
static void check_block(struct rng *rng, weft_format format, const uint8_t *block)
{
    const struct wf_hal_format *info = wf_hal_format_get(format);
    static float got[WF_SW_BLOCK_TEXELS][4];
    block_decode(format, block, got);
    const uint32_t count = info->block_width * info->block_height;
    const uint32_t step = count > 16 && rng_below(rng, 16) ? count / 5 : 1;
    for (uint32_t i = rng_below(rng, step); i < count; i += step) {
        double want[4];
        reference_texel(format, block, (int)i % info->block_width, (int)i / info->block_width,
                        want);
        for (int c = 0; c < 4; c++)
            if (!is_same(got[i][c], want[c]))
                test_fail(__FILE__, __LINE__,
                          "%s block %016llx%016llx texel %u component %d: %.9g, not %.9g",
                          weft_format_get_info(format)->name,
                          (unsigned long long)wf_sw_bits_load(block, 16).high,
                          (unsigned long long)wf_sw_bits_load(block, 16).low, i, c,
                          (double)got[i][c], want[c]);
    }
}

TEST(block_random, blocks_of_every_format_decode_as_the_specification_says)
{
    for (int f = 1; f < WEFT_FORMAT_COUNT; f++) {
        struct rng rng = {(uint32_t)f};
        uint8_t block[16];
        if (!wf_hal_format_get((weft_format)f)->compressed || !wf_sw_format_caps((weft_format)f))
            continue;
        for (int i = 0; i < BLOCKS_OF_A_FORMAT; i++) {
            fill_block(&rng, (weft_format)f, block);
            check_block(&rng, (weft_format)f, block);
        }
    }
}
