/// The functions behind CALL that are made of vectors, for the instruction set of the file that
/// includes this.
#ifndef WF_SW_RUN_FUNS_H
#define WF_SW_RUN_FUNS_H

#include "backends/software/exec/run.h"
#include "backends/software/exec/vector_math.h"

static inline v_F get_F(const uint32_t *row, uint32_t k)
{
    v_F v;
    memcpy(&v, row + (size_t)k * VL, sizeof v);
    return v;
}

static inline void put_F(uint32_t *row, uint32_t k, v_F v)
{
    memcpy(row + (size_t)k * VL, &v, sizeof v);
}

#define FLOAT1(name, function)                                                                     \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        for (uint32_t k = 0; k < n / VL; k++)                                                      \
            put_F(r[0], k, function(get_F(r[1], k)));                                              \
    }
#define FLOAT2(name, function)                                                                     \
    static void fun_##name(uint32_t *const *r, uint32_t n)                                         \
    {                                                                                              \
        for (uint32_t k = 0; k < n / VL; k++)                                                      \
            put_F(r[0], k, function(get_F(r[1], k), get_F(r[2], k)));                              \
    }

FLOAT1(SIN, v_sin)
FLOAT1(COS, v_cos)
FLOAT1(TAN, v_tan)
FLOAT1(ASIN, v_asin)
FLOAT1(ACOS, v_acos)
FLOAT1(ATAN, v_atan)
FLOAT1(SINH, v_sinh)
FLOAT1(COSH, v_cosh)
FLOAT1(TANH, v_tanh)
FLOAT1(ASINH, v_asinh)
FLOAT1(ACOSH, v_acosh)
FLOAT1(ATANH, v_atanh)
FLOAT1(EXP, v_exp)
FLOAT1(EXP2, v_exp2)
FLOAT1(LOG, v_log)
FLOAT1(LOG2, v_log2)
FLOAT2(ATAN2, v_atan2)
FLOAT2(POW, v_pow)
FLOAT2(FMOD, v_mod)
FLOAT1(F2U, v_truncate_to_uint)
FLOAT1(QUANT16, v_quantize_half)

static void call(uint32_t fun, uint32_t *const *rows, uint32_t lanes)
{
    static const wf_sw_fun_loop vectors[] = {
#define WF_FUN(name, results, arguments)
#define WF_FUN_VECTOR(name, results, arguments) fun_##name,
#define WF_FUN_CROSS(name, results, arguments)
#include "backends/software/exec/funs.def"
#undef WF_FUN
#undef WF_FUN_VECTOR
#undef WF_FUN_CROSS
    };
    (fun < WF_SW_FUN_VECTORS ? vectors[fun] : wf_sw_funs[fun - WF_SW_FUN_VECTORS])(rows, lanes);
}

#endif
