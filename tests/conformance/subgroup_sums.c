// Sums and their like over a subgroup: reduced, inclusive and exclusive.
#include "cases.h"
#include "subgroup.h"

#include "subgroup_arithmetic.comp.spv.h"

#include <string.h>

/// One operation: what an invocation brings, where it starts, and how two are put together.
struct scan {
    uint32_t (*of)(uint32_t x);
    uint32_t identity;
    uint32_t (*with)(uint32_t a, uint32_t b);
};

static float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t as_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define WITH(name, expression)                                                                     \
    static uint32_t with_##name(uint32_t a, uint32_t b)                                            \
    {                                                                                              \
        return (expression);                                                                       \
    }
WITH(add, a + b)
WITH(mul, a *b)
WITH(min, a < b ? a : b)
WITH(max, a > b ? a : b)
WITH(and, a &b)
WITH(or, a | b)
WITH(xor, a ^ b)
WITH(smin, (int32_t)a < (int32_t)b ? a : b)
WITH(smax, (int32_t)a > (int32_t)b ? a : b)
WITH(fadd, as_bits(as_float(a) + as_float(b)))
WITH(fmul, as_bits(as_float(a) * as_float(b)))
WITH(fmin, as_float(a) < as_float(b) ? a : b)
WITH(fmax, as_float(a) > as_float(b) ? a : b)

#define OF(name, expression)                                                                       \
    static uint32_t of_##name(uint32_t x)                                                          \
    {                                                                                              \
        return (expression);                                                                       \
    }
OF(value, x)
OF(odd, x | 1)
OF(high, x | 96)
OF(signed, x - 50)
OF(quarters, as_bits(((float)x - 50) * 0.25f)) // sums are exact in any order
OF(powers, as_bits(x & 1 ? 2.0f : 0.5f))       // and so are products
OF(low_bits, (x & 3) != 0)
OF(low_bit, x & 1)

static const struct scan scans[] = {
    {of_value, 0, with_add},
    {of_odd, 1, with_mul},
    {of_value, UINT32_MAX, with_min},
    {of_value, 0, with_max},
    {of_high, UINT32_MAX, with_and},
    {of_value, 0, with_or},
    {of_value, 0, with_xor},
    {of_signed, 0, with_add},
    {of_signed, INT32_MAX, with_smin},
    {of_signed, 0x80000000u, with_smax},
    {of_quarters, 0, with_fadd},
    {of_powers, 0x3f800000u, with_fmul},
    {of_quarters, 0x7f800000u, with_fmin},
    {of_quarters, 0xff800000u, with_fmax},
    {of_low_bits, 1, with_and},
    {of_low_bit, 0, with_xor},
};

static uint32_t expect_sums(const struct subgroup *s, uint64_t *want)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < sizeof scans / sizeof *scans && !s->out; k++) {
        const struct scan *scan = &scans[k];
        uint32_t sum = scan->identity, through = 0, before = 0;
        for (uint32_t i = 0; i < s->size; i++) {
            before = i == s->lane ? sum : before;
            if (s->in[i])
                sum = scan->with(sum, scan->of(s->x[i]));
            through = i == s->lane ? sum : through;
        }
        want[count++] = sum;
        want[count++] = through;
        want[count++] = before;
    }
    return count;
}

void case_subgroups_sums(struct conform *c)
{
    subgroup_run(c, CONFORM_SHADER(c, subgroup_arithmetic_comp), expect_sums);
}
