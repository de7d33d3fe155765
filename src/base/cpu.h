/// What the processor that runs us has. The compiler's own test (__builtin_cpu_supports) would link
/// five kilobytes of tables of every processor's name.
#ifndef WF_BASE_CPU_H
#define WF_BASE_CPU_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// AVX2 and what came with it (FMA, BMI, BMI2), in the processor and kept by the system.
bool wf_base_cpu_has_avx2(void);

#ifdef __cplusplus
}
#endif

#endif
