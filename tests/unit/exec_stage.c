#include <math.h>
#include <string.h>

#include "exec_support.h"

#include "exec_endless.comp.spv.h"
#include "exec_interpolate.frag.spv.h"
#include "exec_stage.frag.spv.h"
#include "exec_stage.vert.spv.h"

#define NONE WF_SHADER_NONE

TEST(exec_stage, vertices_are_made_of_attributes_and_indices)
{
    struct exec e = exec_open(exec_stage_vert, sizeof exec_stage_vert, NULL);
    float m[16];
    for (int i = 0; i < 16; i++)
        m[i] = (float)i;
    e.resources.root = (const uint8_t *)m;
    e.resources.root_size = sizeof m;
    struct wf_sw_batch b;
    EXPECT(wf_sw_prepare(e.context, e.program, &b));
    for (size_t i = 0; i < 64; i++) {
        for (uint32_t c = 0; c < 3; c++)
            b.inputs[exec_input(&e, NONE, 0, c)][i] = exec_bits((float)(i + c));
        b.inputs[exec_input(&e, NONE, 1, 0)][i] = i;
        b.inputs[exec_input(&e, NONE, 1, 1)][i] = i * 2;
        b.inputs[exec_input(&e, SpvBuiltInVertexIndex, NONE, 0)][i] = 3;
        b.inputs[exec_input(&e, SpvBuiltInInstanceIndex, NONE, 0)][i] = i;
    }
    b.active = UINT64_MAX;
    EXPECT_EQ(wf_sw_run(e.context, e.program, &e.resources, &b), WF_SW_OK);
    for (size_t i = 0; i < 64; i++) {
        const float x = (float)i, y = (float)(i + 1), z = (float)(i + 2);
        for (uint32_t c = 0; c < 4; c++)
            EXPECT(exec_float(b.outputs[exec_output(&e, SpvBuiltInPosition, NONE, c)][i]) ==
                   m[c] * x + m[4 + c] * y + m[8 + c] * z + m[12 + c]);
        EXPECT(exec_float(b.outputs[exec_output(&e, SpvBuiltInClipDistance, NONE, 1)][i]) == x);
        EXPECT(exec_float(b.outputs[exec_output(&e, SpvBuiltInClipDistance, NONE, 0)][i]) == -1);
        EXPECT(exec_float(b.outputs[exec_output(&e, NONE, 0, 0)][i]) == z);
        EXPECT(exec_float(b.outputs[exec_output(&e, NONE, 0, 3)][i]) == 0.5f);
        EXPECT_EQ(b.outputs[exec_output(&e, NONE, 2, 0)][i], i * 2 + 30 + i * 1000);
        EXPECT(exec_float(b.outputs[exec_output(&e, NONE, 4, 0)][i]) == (i > 5 ? y : 3.0f));
    }
    const struct wf_sw_program_info *info = wf_sw_program_info(e.program);
    EXPECT_EQ(info->root_bytes, 64);
    EXPECT(!info->side_effects && !info->discards && !info->derivatives);
    exec_close(&e);
}

struct fragments {
    struct exec e;
    struct wf_sw_batch b;
    uint32_t out[64];
};

static void run_fragments(struct fragments *f)
{
    f->e = exec_open(exec_stage_frag, sizeof exec_stage_frag, NULL);
    memset(f->out, 0, sizeof f->out);
    exec_buffer(&f->e, 0, f->out, sizeof f->out);
    f->e.resources.sets[0] = (struct wf_sw_table){f->e.elements, f->e.ranges, EXEC_BINDINGS};
    EXPECT(wf_sw_prepare(f->e.context, f->e.program, &f->b));
    for (size_t i = 0; i < 64; i++) {
        const float x = (float)(i & 1), y = (float)(i >> 1 & 1);
        f->b.inputs[exec_input(&f->e, NONE, 0, 0)][i] = exec_bits(x * 0.5f + x * y * 0.25f);
        f->b.inputs[exec_input(&f->e, NONE, 0, 1)][i] = exec_bits(y * 2.0f + (float)i);
        f->b.inputs[exec_input(&f->e, NONE, 1, 0)][i] = i / 8;
        f->b.inputs[exec_input(&f->e, SpvBuiltInFragCoord, NONE, 0)][i] =
            exec_bits((float)i + 0.5f);
        f->b.inputs[exec_input(&f->e, SpvBuiltInFragCoord, NONE, 2)][i] = exec_bits(0.75f);
        f->b.inputs[exec_input(&f->e, SpvBuiltInFrontFacing, NONE, 0)][i] = i & 4;
    }
    f->b.active = UINT64_MAX & ~UINT64_C(0xf0);
    f->b.helpers = UINT64_C(1) << 9;
    EXPECT_EQ(wf_sw_run(f->e.context, f->e.program, &f->e.resources, &f->b), WF_SW_OK);
}

TEST(exec_stage, derivatives_are_taken_in_quads)
{
    struct fragments f;
    run_fragments(&f);
    for (size_t i = 0; i < 64; i++) {
        const float y = (float)(i >> 1 & 1);
        if (i / 8 == 3 || i / 4 == 1)
            continue;
        EXPECT(exec_float(f.b.outputs[exec_output(&f.e, NONE, 0, 0)][i]) == 0.5f + 0.25f * y);
        EXPECT(exec_float(f.b.outputs[exec_output(&f.e, NONE, 0, 1)][i]) == 4.0f);
        EXPECT_EQ(f.b.outputs[exec_output(&f.e, NONE, 1, 1)][i], 500 + (y > 0 ? 7 : 5));
        EXPECT_EQ(f.b.outputs[exec_output(&f.e, NONE, 1, 0)][i], i / 8);
        EXPECT(exec_float(f.b.outputs[exec_output(&f.e, SpvBuiltInFragDepth, NONE, 0)][i]) ==
               0.375f);
    }
    exec_close(&f.e);
}

TEST(exec_stage, discarded_and_helper_lanes_have_no_effects)
{
    struct fragments f;
    run_fragments(&f);
    EXPECT_EQ(f.b.killed, UINT64_C(0xffff000000));
    for (size_t i = 0; i < 64; i++) {
        const bool dead = i / 8 == 3 || i / 8 == 4 || i / 4 == 1 || i == 9;
        EXPECT_EQ(f.out[i], dead ? 0 : 1);
    }
    const struct wf_sw_program_info *info = wf_sw_program_info(f.e.program);
    EXPECT(info->side_effects && info->discards && info->derivatives && info->writes_depth);
    exec_close(&f.e);
}

TEST(exec_stage, outputs_have_an_index_for_dual_sources)
{
    struct fragments f;
    run_fragments(&f);
    const struct wf_sw_program_info *info = wf_sw_program_info(f.e.program);
    uint32_t found = 0;
    for (size_t k = 0; k < info->output_count; k++) {
        const struct wf_sw_row *row = &info->outputs[k];
        if (row->location != 0 || row->index != 1)
            continue;
        found++;
        EXPECT(exec_float(f.b.outputs[k][0]) == 2.0f);
        EXPECT(exec_float(f.b.outputs[k][12]) == 1.0f);
    }
    EXPECT_EQ(found, 4);
    exec_close(&f.e);
}

TEST(exec_stage, inputs_are_interpolated_elsewhere)
{
    struct exec e = exec_open(exec_interpolate_frag, sizeof exec_interpolate_frag, NULL);
    struct wf_sw_batch b;
    EXPECT(wf_sw_prepare(e.context, e.program, &b));
    b.active = UINT64_MAX;
    b.samples = 4;
    for (int k = 0; k < 2; k++) { // inputs at the pixel's middle, and at a sample
        const float dx = k ? 0.25f : 0, dy = k ? -0.125f : 0;
        for (size_t i = 0; i < 64; i++) { // u = 2x + 8y, v = x - y
            const float x = (float)(i & 1) + dx, y = (float)(i >> 1 & 1) + dy;
            const struct wf_sw_program_info *info = wf_sw_program_info(e.program);
            for (size_t row = 0; row < info->input_count; row++) {
                const float v = info->inputs[row].centroid ? 5 : x - y;
                b.inputs[row][i] = exec_bits(info->inputs[row].component ? v : 2 * x + 8 * y);
            }
            b.inputs[exec_input(&e, WF_SW_BUILTIN_OFFSET, NONE, 0)][i] = exec_bits(dx);
            b.inputs[exec_input(&e, WF_SW_BUILTIN_OFFSET, NONE, 1)][i] = exec_bits(dy);
        }
        EXPECT_EQ(wf_sw_run(e.context, e.program, &e.resources, &b), WF_SW_OK);
        for (size_t i = 0; i < 64; i++) {
            const float x = (float)(i & 1), y = (float)(i >> 1 & 1);
            const float sx = x + 2.0f / 16, sy = y + 6.0f / 16; // sample 3 of 4 is at (10, 14)
            const float got[4] = {exec_float(b.outputs[exec_output(&e, NONE, 0, 0)][i]),
                                  exec_float(b.outputs[exec_output(&e, NONE, 0, 1)][i]),
                                  exec_float(b.outputs[exec_output(&e, NONE, 0, 2)][i]),
                                  exec_float(b.outputs[exec_output(&e, NONE, 0, 3)][i])};
            EXPECT(got[0] == 2 * x + 0.5f + 8 * y - 4);
            EXPECT(got[1] == 5); // the centroid
            EXPECT(got[2] == 2 * sx + 8 * sy);
            EXPECT(got[3] == sx - sy);
        }
    }
    exec_close(&e);
}

TEST(exec_stage, a_shader_that_does_not_end_is_stopped)
{
    uint32_t out[65] = {0};
    struct exec e = exec_open(exec_endless_comp, sizeof exec_endless_comp,
                              &(struct exec_options){.budget = 100000});
    exec_buffer(&e, 0, out, sizeof out);
    EXPECT_EQ(exec_group(&e), WF_SW_BUDGET);
    EXPECT(out[3] > 100);
    out[64] = 1;
    EXPECT_EQ(exec_group(&e), WF_SW_OK); // and the context is as good as new
    EXPECT_EQ(out[3], 2);
    exec_close(&e);
}
