#include "backends/software/image/image.h"

#include <stdatomic.h>

#include "base/half.h"

static float as_float(uint32_t bits)
{
    return wf_base_float_from_bits(bits);
}

static double as_double(uint64_t bits)
{
    return wf_base_double_from_bits(bits);
}

/// The least or most of two floats, in any order the same: zeros differ by their sign, and NaN is
/// left only where there is nothing else.
static uint64_t extreme(enum wf_sw_atomic op, double a, double b, uint64_t a_bits, uint64_t b_bits)
{
    const bool most = op == WF_SW_ATOMIC_FMAX;
    if (a != a && b != b)
        return a_bits < b_bits ? a_bits : b_bits;
    if (a != a || b != b)
        return a != a ? b_bits : a_bits;
    if (a == b)
        return most ? a_bits & b_bits : a_bits | b_bits;
    return (a < b) != most ? a_bits : b_bits;
}

uint32_t wf_sw_atomic_combine(enum wf_sw_atomic op, uint32_t old, uint32_t value, uint32_t compare)
{
    switch (op) {
    case WF_SW_ATOMIC_SMIN:
        return (int32_t)old < (int32_t)value ? old : value;
    case WF_SW_ATOMIC_SMAX:
        return (int32_t)old > (int32_t)value ? old : value;
    case WF_SW_ATOMIC_FADD:
        return wf_base_float_bits(as_float(old) + as_float(value));
    case WF_SW_ATOMIC_FMIN:
    case WF_SW_ATOMIC_FMAX:
        return (uint32_t)extreme(op, as_float(old), as_float(value), old, value);
    default: // the same in the low half
        return (uint32_t)wf_sw_atomic_combine_wide(op, old, value, compare);
    }
}

uint64_t wf_sw_atomic_combine_wide(enum wf_sw_atomic op, uint64_t old, uint64_t value,
                                   uint64_t compare)
{
    switch (op) {
    case WF_SW_ATOMIC_LOAD:
        return old;
    case WF_SW_ATOMIC_COMPARE_EXCHANGE:
        return old == compare ? value : old;
    case WF_SW_ATOMIC_ADD:
        return old + value;
    case WF_SW_ATOMIC_SUB:
        return old - value;
    case WF_SW_ATOMIC_AND:
        return old & value;
    case WF_SW_ATOMIC_OR:
        return old | value;
    case WF_SW_ATOMIC_XOR:
        return old ^ value;
    case WF_SW_ATOMIC_UMIN:
        return old < value ? old : value;
    case WF_SW_ATOMIC_UMAX:
        return old > value ? old : value;
    case WF_SW_ATOMIC_SMIN:
        return (int64_t)old < (int64_t)value ? old : value;
    case WF_SW_ATOMIC_SMAX:
        return (int64_t)old > (int64_t)value ? old : value;
    case WF_SW_ATOMIC_FADD:
        return wf_base_double_bits(as_double(old) + as_double(value));
    case WF_SW_ATOMIC_FMIN:
    case WF_SW_ATOMIC_FMAX:
        return extreme(op, as_double(old), as_double(value), old, value);
    default:
        return value;
    }
}

uint32_t wf_sw_atomic_apply(_Atomic uint32_t *at, enum wf_sw_atomic op, uint32_t value,
                            uint32_t compare)
{
    uint32_t old;
    switch (op) { // those that machines have
    case WF_SW_ATOMIC_LOAD:
        return atomic_load(at);
    case WF_SW_ATOMIC_STORE:
    case WF_SW_ATOMIC_EXCHANGE:
        return atomic_exchange(at, value);
    case WF_SW_ATOMIC_ADD:
        return atomic_fetch_add(at, value);
    case WF_SW_ATOMIC_AND:
        return atomic_fetch_and(at, value);
    case WF_SW_ATOMIC_OR:
        return atomic_fetch_or(at, value);
    case WF_SW_ATOMIC_XOR:
        return atomic_fetch_xor(at, value);
    default:
        old = atomic_load(at);
        while (
            !atomic_compare_exchange_weak(at, &old, wf_sw_atomic_combine(op, old, value, compare)))
            ;
        return old;
    }
}

uint64_t wf_sw_atomic_apply_wide(_Atomic uint64_t *at, enum wf_sw_atomic op, uint64_t value,
                                 uint64_t compare)
{
    uint64_t old = atomic_load(at);
    while (
        op != WF_SW_ATOMIC_LOAD &&
        !atomic_compare_exchange_weak(at, &old, wf_sw_atomic_combine_wide(op, old, value, compare)))
        ;
    return old;
}
