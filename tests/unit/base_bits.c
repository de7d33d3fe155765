#include "base/bits.h"
#include "base/half.h"
#include "support/test.h"

#include <math.h>

TEST(bits, counts_agree_with_loops)
{
    for (uint32_t i = 0; i < 64; i++) {
        const uint64_t bit = (uint64_t)1 << i;
        EXPECT_EQ(wf_base_ctz64(bit), i);
        EXPECT_EQ(wf_base_clz64(bit), 63 - i);
        EXPECT_EQ(wf_base_log2_u64(bit | 1), i);
        EXPECT_EQ(wf_base_popcount64(bit - 1), i);
        EXPECT_EQ(wf_base_next_pow2(bit), bit);
        EXPECT(wf_base_is_pow2(bit) && (i < 2 || !wf_base_is_pow2(bit - 1)));
        EXPECT_EQ(wf_base_rotl64(1, i), bit);
    }
    EXPECT_EQ(wf_base_ctz64(0), 64);
    EXPECT_EQ(wf_base_clz64(0), 64);
    EXPECT_EQ(wf_base_ctz32(0), 32);
    EXPECT_EQ(wf_base_clz32(0), 32);
    EXPECT_EQ(wf_base_clz32(1), 31);
    EXPECT_EQ(wf_base_next_pow2(0), 1);
    EXPECT_EQ(wf_base_next_pow2(65), 128);
    EXPECT_EQ(wf_base_next_pow2(UINT64_MAX), 0);
    EXPECT(!wf_base_is_pow2(0));
}

TEST(bits, alignment)
{
    for (uint64_t x = 0; x < 70; x++) {
        EXPECT_EQ(wf_base_align_up(x, 16), (x + 15) / 16 * 16);
        EXPECT_EQ(wf_base_align_down(x, 16), x / 16 * 16);
        EXPECT_EQ(wf_base_is_aligned(x, 16), x % 16 == 0);
        EXPECT_EQ(wf_base_div_up(x, 7), (x + 6) / 7);
    }
    EXPECT_EQ(wf_base_div_up(UINT64_MAX, 2), (uint64_t)1 << 63);
    EXPECT(wf_base_clamp_f32(NAN, 1, 2) == 1 && wf_base_clamp_f32(5, 1, 2) == 2);
}

/// The value by the definition of the format.
static double half_value(uint32_t h)
{
    const double sign = h & 0x8000 ? -1 : 1;
    const int exponent = (int)(h >> 10 & 31);
    const double mantissa = h & 0x3ff;
    if (exponent == 31)
        return mantissa != 0 ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24));
}

TEST(half, every_value_widens_and_returns)
{
    for (uint32_t h = 0; h < 65536; h++) {
        const double wanted = half_value(h);
        const float got = wf_base_half_to_float((uint16_t)h);
        if (isnan(wanted)) {
            EXPECT(isnan(got));
            EXPECT_EQ(wf_base_half_to_float_bits((uint16_t)h) >> 13 & 0x3ff, h & 0x3ff);
            EXPECT_EQ(wf_base_half_from_float(got), h | 0x200);
        } else {
            EXPECT((double)got == wanted && !signbit(got) == !signbit(wanted));
            EXPECT_EQ(wf_base_half_from_float(got), h);
        }
    }
}

TEST(half, rounds_to_nearest_even)
{
    for (uint32_t h = 0; h < 0x7c00; h++) {
        // 0x7bff is the largest; what would come next is 65536
        const double low = half_value(h), high = h == 0x7bff ? 65536 : half_value(h + 1);
        const float middle = (float)((low + high) / 2); // exact
        const uint32_t even = h & 1 ? h + 1 : h;
        EXPECT_EQ(wf_base_half_from_float(middle), even);
        EXPECT_EQ(wf_base_half_from_float(-middle), even | 0x8000);
        EXPECT_EQ(wf_base_half_from_float(nextafterf(middle, 0)), h);
        EXPECT_EQ(wf_base_half_from_float(nextafterf(middle, INFINITY)), h + 1);
    }
    EXPECT_EQ(wf_base_half_from_float(1e-45f), 0);
    EXPECT_EQ(wf_base_half_from_float(3e38f), 0x7c00);
    EXPECT_EQ(wf_base_half_from_float(-INFINITY), 0xfc00);
}
