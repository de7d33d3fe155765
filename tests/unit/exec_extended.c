#include <math.h>
#include <string.h>

#include "base/half.h"
#include "exec_support.h"

#include "exec_barycentric.frag.spv.h"
#include "exec_extended.comp.spv.h"
#include "exec_group.comp.spv.h"
#include "exec_subpass.frag.spv.h"

struct extended {
    float out[64 * 31], in[128][4];
    uint32_t bits[64 * 6];
};

static void run(struct extended *x)
{
    uint32_t state = 11;
    for (size_t i = 0; i < 128; i++) {
        for (size_t k = 0; k < 4; k++)
            x->in[i][k] = exec_random_float(&state, -4, 4);
    }
    for (size_t i = 0; i < 64; i++)
        x->bits[i] = exec_random(&state);
    struct exec e = exec_open(exec_extended_comp, sizeof exec_extended_comp, NULL);
    exec_buffer(&e, 0, x->out, sizeof x->out);
    exec_buffer(&e, 1, x->in, sizeof x->in);
    exec_buffer(&e, 2, x->bits, sizeof x->bits);
    EXPECT_EQ(exec_group(&e), WF_SW_OK);
    exec_close(&e);
}

static double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

TEST(exec_extended, geometric_functions)
{
    static struct extended x;
    run(&x);
    for (size_t i = 0; i < 64; i++) {
        const double a[3] = {x.in[i][0], x.in[i][1], x.in[i][2]};
        const double b[3] = {x.in[i + 64][0], x.in[i + 64][1], x.in[i + 64][2]};
        const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
        const double la = sqrt(dot3(a, a)), lb = sqrt(dot3(b, b)), ab = dot3(a, b);
        const float *o = x.out + i;
        EXPECT_NEAR(o[0], la, 1e-5);
        EXPECT_NEAR(o[64], sqrt(dot3(d, d)), 1e-5);
        EXPECT_NEAR(o[128], a[1] * b[2] - a[2] * b[1], 1e-4);
        EXPECT_NEAR(o[192], a[2] * b[0] - a[0] * b[2], 1e-4);
        EXPECT_NEAR(o[256], a[2] / la, 1e-5);
        EXPECT_NEAR(o[320], b[1] < 0 ? a[0] : -a[0], 0);
        EXPECT_NEAR(o[384], a[1] - 2 * ab / (lb * lb) * b[1], 1e-4);
        const double c = ab / (la * lb), k = 1 - 0.81 * (1 - c * c);
        const double f = 0.9 * c + sqrt(k < 0 ? 0 : k);
        EXPECT_NEAR(o[448], k < 0 ? 0 : 0.9 * a[0] / la - f * b[0] / lb, 1e-4);
        EXPECT_NEAR(o[512], k < 0 ? 0 : 0.9 * a[1] / la - f * b[1] / lb, 1e-4);
        EXPECT_NEAR(o[576], ab, 1e-4);
        EXPECT_NEAR(o[640], fabs(a[0]), 0);
        EXPECT_NEAR(o[704], a[0] * b[1] - b[0] * a[1], 1e-4);
        const double det = a[0] * (b[1] * 3 - b[2] * 2) - b[0] * (a[1] * 3 - a[2] * 2) +
                           (a[1] * b[2] - a[2] * b[1]);
        EXPECT_NEAR(o[768], det, 1e-3);
        if (fabs(det) > 1) {
            EXPECT_NEAR(o[832], 1, 1e-3);
            EXPECT_NEAR(o[896], 0, 1e-3);
        }
    }
}

static uint32_t norm(float v, float scale, bool is_signed, uint32_t mask)
{
    const float low = is_signed ? -1.0f : 0.0f;
    v = v < low ? low : v > 1 ? 1 : v;
    return (uint32_t)(int32_t)nearbyintf(v * scale) & mask;
}

TEST(exec_extended, packing)
{
    static struct extended x;
    run(&x);
    for (size_t i = 0; i < 64; i++) {
        const uint32_t n = x.bits[i];
        uint32_t unorm = 0, snorm = 0;
        for (size_t k = 0; k < 4; k++) {
            unorm |= norm(x.in[i][k] * 0.3f, 255, false, 255) << k * 8;
            snorm |= norm(x.in[i][k] * 0.3f, 127, true, 255) << k * 8;
        }
        EXPECT_EQ(x.bits[64 + i], unorm);
        EXPECT_EQ(x.bits[128 + i], snorm);
        EXPECT_EQ(x.bits[192 + i], norm(x.in[i][0] * 0.3f, 65535, false, 65535) |
                                       norm(x.in[i][1] * 0.3f, 65535, false, 65535) << 16);
        EXPECT_EQ(x.bits[256 + i], norm(x.in[i][0] * 0.3f, 32767, true, 65535) |
                                       norm(x.in[i][1] * 0.3f, 32767, true, 65535) << 16);
        EXPECT_EQ(x.bits[320 + i], wf_base_half_from_float(x.in[i][0]) |
                                       (uint32_t)wf_base_half_from_float(x.in[i][1]) << 16);
        const float snorm_w = (float)(int8_t)(n >> 24) / 127.0f;
        EXPECT_NEAR(x.out[exec_at(15, i)], (n >> 8 & 255) / 255.0, 1e-7);
        EXPECT_NEAR(x.out[exec_at(16, i)], snorm_w < -1 ? -1 : snorm_w, 1e-7);
        EXPECT_NEAR(x.out[exec_at(17, i)], (n & 65535) / 65535.0, 1e-7);
        EXPECT_NEAR(x.out[exec_at(18, i)], fmax((int16_t)(n >> 16) / 32767.0, -1), 1e-7);
        EXPECT(x.out[exec_at(19, i)] == wf_base_half_to_float((uint16_t)(n >> 16 & 0x7bff)));
    }
}

TEST(exec_extended, parts_of_numbers)
{
    static struct extended x;
    run(&x);
    for (size_t i = 0; i < 64; i++) {
        const float *a = x.in[i], *b = x.in[i + 64], *o = x.out + i;
        const int s[3] = {(int)(a[0] * 100), (int)(a[1] * 100), (int)(a[2] * 100)};
        const int t[3] = {(int)(b[0] * 100), (int)(b[1] * 100), (int)(b[2] * 100)};
        int e;
        EXPECT(o[1280] == a[0] - truncf(a[0]) && o[1344] == truncf(a[0]));
        EXPECT(o[1408] == frexpf(a[1], &e) && o[1472] == (float)e);
        EXPECT_NEAR(o[1536], a[2] * 0.25 + b[2] * 0.75, 1e-5);
        EXPECT_NEAR(o[1600], a[0] - 0.7 * floor(a[0] / 0.7), 1e-5);
        EXPECT(o[1664] == (float)(s[0] > t[0] ? s[0] : t[0]));
        EXPECT(o[1728] == (float)(s[1] < -50 ? -50 : s[1] > 60 ? 60 : s[1]));
        EXPECT(o[1792] == fabsf((float)s[2]));
        EXPECT(o[1856] == (float)((s[0] > 0) - (s[0] < 0)));
        const int p = s[1] < 0 ? -s[1] : s[1], q = t[1] < 0 ? -t[1] : t[1];
        EXPECT(o[1920] == (float)(p < q ? p : q));
    }
}

TEST(exec_errors, what_is_not_supported_is_named)
{
    struct exec e = exec_try(exec_subpass_frag, sizeof exec_subpass_frag, NULL);
    EXPECT(!e.program);
    EXPECT_STR(e.error.message,
               "word 7: OpCapability: capability InputAttachment is not supported");
    exec_close(&e);
    e = exec_try(exec_barycentric_frag, sizeof exec_barycentric_frag, NULL);
    EXPECT(!e.program);
    EXPECT(strstr(e.error.message, "FragmentBarycentric"));
    exec_close(&e);
}

TEST(exec_errors, too_large_a_workgroup_is_refused)
{
    const struct wf_shader_specialization constant = {0, 1025};
    struct exec e = exec_try(exec_group_comp, sizeof exec_group_comp,
                             &(struct exec_options){.constants = &constant, .constant_count = 1});
    EXPECT(!e.program);
    EXPECT(strstr(e.error.message, "1024"));
    exec_close(&e);
}
