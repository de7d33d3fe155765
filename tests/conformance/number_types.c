// Arithmetic in halves and doubles: results that no other width would give.
#include "cases.h"

#include "float16.comp.spv.h"
#include "float64.comp.spv.h"

#include <string.h>

/// Runs `shader` once over `size` bytes of pairs.
static weft_buffer run(struct conform *c, weft_shader shader, const void *pairs, uint64_t size)
{
    const weft_compute_pipeline pipeline = conform_compute(c, shader);
    const weft_buffer from = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, size, pairs);
    const weft_buffer to = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, size, pairs);
    const weft_argument_write writes[] = {{.binding = 0, .buffer = from},
                                          {.binding = 1, .buffer = to}};
    const weft_argument_table table =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0), writes, 2);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    return to;
}

void case_number_types_float16(struct conform *c)
{
    // Between 2048 and 4096 halves are 2 apart, between 2 and 4 a 512th: where the result lies
    // between two, the Vulkan specification lets a device take either of them.
    static const float pairs[8][2] = {{1, 2},       {2048, 1},   {2048, 3},     {1.5f, 1.5f},
                                      {2049.0f, 0}, {-2048, -5}, {0.25f, 3.5f}, {2048, 0.5f}};
    static const float low[8][2] = {{3, 2},    {2048, 2048},   {2050, 6144},    {3, 2.25f},
                                    {2048, 0}, {-2054, 10240}, {3.75f, 0.875f}, {2048, 1024}};
    static const float high[8][2] = {{3, 2},    {2050, 2048},   {2052, 6144},    {3, 2.25f},
                                     {2050, 0}, {-2052, 10240}, {3.75f, 0.875f}, {2050, 1024}};
    float got[8][2];
    const weft_buffer to = run(c, CONFORM_SHADER(c, float16_comp), pairs, sizeof pairs);
    if (!conform_read_buffer(c, to, 0, got, sizeof got))
        return;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 2; k++)
            if (got[i][k] != low[i][k] && got[i][k] != high[i][k])
                conform_fail(c, "%s of %g and %g is %g, not %g or %g",
                             k ? "the product" : "the sum", (double)pairs[i][0],
                             (double)pairs[i][1], (double)got[i][k], (double)low[i][k],
                             (double)high[i][k]);
}

void case_number_types_float64(struct conform *c)
{
    // All results are exact in 53 bits, and in fewer they are not.
    static const double pairs[4][2] = {
        {1, 0x1p-40}, {0x1.00001p0, 0x1.00001p0}, {-3, 0x1p60}, {0x1.8p100, -0x1p101}};
    double wanted[4][2];
    for (int i = 0; i < 4; i++) {
        wanted[i][0] = pairs[i][0] + pairs[i][1];
        wanted[i][1] = pairs[i][0] * pairs[i][1];
    }
    const weft_buffer to = run(c, CONFORM_SHADER(c, float64_comp), pairs, sizeof pairs);
    conform_expect_bytes(c, to, 0, wanted, sizeof wanted);
}
