// Atomics of 64 bits and of floats, from several groups at once. All sums are exact in any order.
#include "cases.h"
#include "model.h"

#include "atomic_double.comp.spv.h"
#include "atomic_float.comp.spv.h"
#include "atomic_float_min_max.comp.spv.h"
#include "atomic_float_texture.comp.spv.h"
#include "atomic_int64.comp.spv.h"

#include <stdlib.h>
#include <string.h>

enum { GROUPS = 20, COUNT = GROUPS * 64 };

/// Runs the shader over what `writes` names.
static void run(struct conform *c, weft_shader shader, const weft_argument_write *writes,
                uint32_t count)
{
    const weft_compute_pipeline pipeline = conform_compute(c, shader);
    const weft_argument_table table = conform_table(
        c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0), writes, count);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_dispatch(enc, GROUPS, 1, 1);
    weft_compute_end(enc);
    conform_submit(c, cmd);
}

/// Runs it over the buffers, of which the second may be none.
static void run_over(struct conform *c, weft_shader shader, weft_buffer first, weft_buffer second)
{
    const weft_argument_write writes[] = {{.binding = 0, .buffer = first},
                                          {.binding = 1, .buffer = second}};
    run(c, shader, writes, weft_buffer_is_none(second) ? 1 : 2);
}

/// Reads what racing atomics of integers return, which depends on the order of the invocations and
/// is therefore no part of the case's hash. Sums of floats run in order. False on noop.
static bool read_unordered(struct conform *c, weft_buffer buffer, uint64_t offset, void *data,
                           size_t size)
{
    weft_buffer_read(conform_device(c), buffer, offset, data, size);
    conform_check(c);
    return conform_draws(c);
}

/// As in atomic_int64.comp.
struct numbers {
    uint64_t sum, least, most, all, any, parity, chain, ticket, shared_sum, low, high, swapped,
        swapped_out;
};

static uint64_t number_of(uint64_t i)
{
    return i << 32 | (0xffffffffu - i);
}

/// What one invocation after the other makes of them; but for `swapped`, which depends on the
/// order, in any order the same.
static void model(struct numbers *n)
{
    for (uint64_t i = 0; i < COUNT; i++) {
        const uint64_t number = number_of(i), raised = number + (UINT64_C(1) << 32);
        n->sum += number;
        n->least = raised < n->least ? raised : n->least;
        n->most = number > n->most ? number : n->most;
        n->all &= ~(UINT64_C(1) << i % 61);
        n->any |= UINT64_C(1) << i % 59;
        n->parity ^= number;
        n->chain = n->chain * 3 + 1;
        n->ticket += 0x80000001;
        n->shared_sum += number;
        if ((int64_t)-number < (int64_t)n->low)
            n->low = -number;
        if ((int64_t)-number > (int64_t)n->high)
            n->high = -number;
    }
}

void case_atomics_int64(struct conform *c)
{
    struct numbers n = {.least = UINT64_MAX,
                        .all = UINT64_MAX,
                        .chain = 1,
                        .low = INT64_MAX,
                        .high = (uint64_t)INT64_MIN,
                        .swapped = 5};
    uint64_t got[2]; // `swapped` and `swapped_out`
    uint32_t taken[COUNT] = {0};
    const weft_buffer numbers = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof n, &n);
    const weft_buffer tickets = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof taken, taken);
    run_over(c, CONFORM_SHADER(c, atomic_int64_comp), numbers, tickets);
    model(&n);
    conform_expect_bytes(c, numbers, 0, &n, offsetof(struct numbers, swapped));
    for (uint32_t i = 0; i < COUNT; i++)
        taken[i] = 1; // each ticket once
    conform_expect_bytes(c, tickets, 0, taken, sizeof taken);
    if (!read_unordered(c, numbers, offsetof(struct numbers, swapped), got, sizeof got))
        return;
    if (got[0] + got[1] != n.sum + 5) // nothing was lost on the way
        conform_fail(c, "%llx went out of the exchange, and %llx is left",
                     (unsigned long long)got[1], (unsigned long long)got[0]);
}

static int compare_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

void case_atomics_float(struct conform *c)
{
    // Multiples of a quarter below 2^20: exact.
    float numbers[4 + COUNT] = {0, 0, 3}, got[2 + COUNT], sum = 0;
    const weft_buffer buffer =
        conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof numbers, numbers);
    run_over(c, CONFORM_SHADER(c, atomic_float_comp), buffer, (weft_buffer){0});
    for (uint32_t i = 0; i < COUNT; i++)
        sum += (float)i * 0.25f - 7;
    conform_expect_bytes(c, buffer, 0, (const float[2]){COUNT * 0.5f, sum}, 2 * sizeof sum);
    if (!conform_read_buffer(c, buffer, 2 * sizeof sum, got, sizeof got))
        return;
    if (got[0] + got[1] != sum + 3)
        conform_fail(c, "%.9g went out of the exchange, and %.9g is left", (double)got[1],
                     (double)got[0]);
    qsort(got + 2, COUNT, sizeof *got, compare_floats);
    for (uint32_t i = 0; i < COUNT; i++)
        if (got[2 + i] != (float)i * 0.5f)
            conform_fail(c, "%u of %u sums on the way are below %.9g, and none is %.9g", i, COUNT,
                         (double)got[2 + i], i * 0.5);
}

void case_atomics_float_texture(struct conform *c)
{
    conform_need_format(c, WEFT_FORMAT_R32_FLOAT, WEFT_FORMAT_CAN_STORE | WEFT_FORMAT_CAN_ATOMIC);
    float texels[3] = {3, 4, -640};
    struct conform_model model;
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){
               .format = WEFT_FORMAT_R32_FLOAT, .width = 3, .usage = WEFT_TEXTURE_USAGE_STORAGE});
    conform_model_init(&model, WEFT_FORMAT_R32_FLOAT, 3, 1, 1);
    memcpy(model.data, texels, sizeof texels);
    conform_model_upload(c, &model, texture, 0, 0);
    run(c, CONFORM_SHADER(c, atomic_float_texture_comp),
        &(weft_argument_write){.binding = 0, .view = conform_view(c, texture)}, 1);
    for (uint32_t i = 0; i < COUNT; i++)
        texels[0] += (float)i * 0.25f - 7;
    texels[1] = 9.5f;
    texels[2] += COUNT * 0.5f;
    memcpy(model.data, texels, sizeof texels);
    conform_model_expect(c, &model, texture, 0, 0);
}

void case_atomics_float_min_max(struct conform *c)
{
    static const float start[4] = {1000, -1000, 1000, -1000};
    static const float want[4] = {-7, (COUNT - 1) * 0.25f - 7, -7, (COUNT - 1) * 0.25f - 7};
    const weft_buffer buffer = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof start, start);
    run_over(c, CONFORM_SHADER(c, atomic_float_min_max_comp), buffer, (weft_buffer){0});
    conform_expect_bytes(c, buffer, 0, want, sizeof want);
}

void case_atomics_double(struct conform *c)
{
    double numbers[3] = {0, 0x1p40, 0}, got[2], sum = 0;
    const weft_buffer buffer =
        conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof numbers, numbers);
    run_over(c, CONFORM_SHADER(c, atomic_double_comp), buffer, (weft_buffer){0});
    for (uint32_t i = 0; i < COUNT; i++)
        sum += i + 16777216.5;
    conform_expect_bytes(c, buffer, 0, &sum, sizeof sum);
    if (!conform_read_buffer(c, buffer, sizeof sum, got, sizeof got))
        return;
    if (got[0] + got[1] != sum + 0x1p40)
        conform_fail(c, "%.17g went out of the exchange, and %.17g is left", got[1], got[0]);
}
