#include "base/cpu.h"

#if defined(__GNUC__) && defined(__x86_64__)
#include <cpuid.h>
#include <stdatomic.h>

/// Which registers the system saves: what xgetbv reads, as bits of XCR0.
static unsigned saved_registers(void)
{
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool find_avx2(void)
{
    const unsigned xmm_ymm = 6, basic = bit_FMA | bit_OSXSAVE | bit_AVX;
    const unsigned extended = bit_AVX2 | bit_BMI | bit_BMI2;
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & basic) != basic)
        return false;
    if ((saved_registers() & xmm_ymm) != xmm_ymm)
        return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & extended) == extended;
}

bool wf_base_cpu_has_avx2(void)
{
    enum { UNKNOWN, ABSENT, PRESENT };
    static atomic_int known = UNKNOWN; // cpuid costs microseconds in a virtual machine
    int state = atomic_load_explicit(&known, memory_order_relaxed);
    if (state == UNKNOWN) {
        state = find_avx2() ? PRESENT : ABSENT;
        atomic_store_explicit(&known, state, memory_order_relaxed);
    }
    return state == PRESENT;
}
#else
bool wf_base_cpu_has_avx2(void)
{
    return false;
}
#endif
