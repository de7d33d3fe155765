#include "backends/software/image/image.h"

#include <stdatomic.h>
#include <string.h>

#include "base/half.h"

static float as_float(uint32_t bits)
{
    return wf_base_float_from_bits(bits);
}

static double as_double(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
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
    case WF_SW_ATOMIC_FMIN: // the number, if one of them is NaN
        return as_float(old) <= as_float(value) || as_float(value) != as_float(value) ? old : value;
    case WF_SW_ATOMIC_FMAX:
        return as_float(old) >= as_float(value) || as_float(value) != as_float(value) ? old : value;
    default: // the same in the low half
        return (uint32_t)wf_sw_atomic_combine_wide(op, old, value, compare);
    }
}

uint64_t wf_sw_atomic_combine_wide(enum wf_sw_atomic op, uint64_t old, uint64_t value,
                                   uint64_t compare)
{
    const double a = as_double(old), b = as_double(value), sum = a + b;
    uint64_t bits;
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
        memcpy(&bits, &sum, sizeof bits);
        return bits;
    case WF_SW_ATOMIC_FMIN:
        return a <= b || b != b ? old : value;
    case WF_SW_ATOMIC_FMAX:
        return a >= b || b != b ? old : value;
    default:
        return value;
    }
}

uint32_t wf_sw_atomic_apply(_Atomic uint32_t *at, enum wf_sw_atomic op, uint32_t value,
                            uint32_t compare)
{
    if (op == WF_SW_ATOMIC_ADD)
        return atomic_fetch_add(at, value);
    uint32_t old = atomic_load(at);
    while (op != WF_SW_ATOMIC_LOAD &&
           !atomic_compare_exchange_weak(at, &old, wf_sw_atomic_combine(op, old, value, compare)))
        ;
    return old;
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
