// Lists of probes for compute shaders.
#include "probe.h"

#include <assert.h>
#include <math.h>

bool conform_probe(struct conform *c, const struct conform_probed *what,
                   const struct conform_probe *probes, uint32_t count, void *results)
{
    assert(count <= CONFORM_PROBES_MAX);
    const uint32_t root[2] = {(uint32_t)what->op, count};
    const weft_buffer in =
        conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, count * sizeof *probes, probes);
    const weft_buffer out =
        conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, count * UINT64_C(16), NULL);
    weft_argument_write writes[6] = {{.binding = 0, .buffer = in},
                                     {.binding = 1, .buffer = out},
                                     {.binding = 2, .view = what->view}};
    uint32_t used = 3;
    if (!weft_sampler_is_none(what->sampler))
        writes[used++] = (weft_argument_write){.binding = 3, .sampler = what->sampler};
    for (uint32_t i = 0; i < 2; i++)
        if (!weft_texture_view_is_none(what->others[i]))
            writes[used++] = (weft_argument_write){.binding = 4 + i, .view = what->others[i]};
    const weft_argument_table table = conform_table(
        c, weft_compute_pipeline_layout(conform_device(c), what->pipeline, 0), writes, used);
    weft_command_buffer *cmd = conform_begin(c);
    conform_barrier(cmd);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, what->pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_set_root(enc, 0, root, sizeof root);
    weft_compute_dispatch(enc, (count + 15) / 16, 1, 1);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    return conform_read_buffer(c, out, 0, results, count * (size_t)16);
}

void conform_expect_answers(struct conform *c, const float (*got)[4],
                            const struct conform_texel *want, uint32_t count, double tolerance)
{
    for (uint32_t i = 0; i < count; i++) {
        const double *w = want[i].v;
        bool fine = true;
        for (uint32_t k = 0; k < 4; k++)
            fine = fine && (got[i][k] == w[k] || fabs(got[i][k] - w[k]) <= tolerance);
        if (!fine)
            conform_fail(c,
                         "probe %u gives (%.6g, %.6g, %.6g, %.6g), not (%.6g, %.6g, %.6g, %.6g) "
                         "within %.3g",
                         i, got[i][0], got[i][1], got[i][2], got[i][3], w[0], w[1], w[2], w[3],
                         tolerance);
    }
}

void conform_expect_probes(struct conform *c, const struct conform_probed *what,
                           const struct conform_probe *probes, const struct conform_texel *want,
                           uint32_t count, double tolerance)
{
    float got[CONFORM_PROBES_MAX][4];
    if (conform_probe(c, what, probes, count, got))
        conform_expect_answers(c, (const float(*)[4])got, want, count, tolerance);
}
