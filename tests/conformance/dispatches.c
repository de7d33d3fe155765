// Dispatches: what each invocation is told, shared memory, indirect and empty ones.
#include "cases.h"

#include "compute_places.comp.spv.h"
#include "compute_shared.comp.spv.h"
#include "count_up.comp.spv.h"

/// A pipeline whose one argument is a buffer.
struct kernel {
    weft_compute_pipeline pipeline;
    weft_argument_table table;
};

static struct kernel make(struct conform *c, weft_shader shader, weft_buffer buffer)
{
    struct kernel k = {.pipeline = conform_compute(c, shader)};
    k.table = conform_table(c, weft_compute_pipeline_layout(conform_device(c), k.pipeline, 0),
                            &(weft_argument_write){.buffer = buffer}, 1);
    return k;
}

static weft_compute_encoder *begin(weft_command_buffer *cmd, const struct kernel *k)
{
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, k->pipeline);
    weft_compute_set_arguments(enc, 0, k->table, NULL, 0);
    return enc;
}

// ---- places ------------------------------------------------------------------------------------

enum { LOCAL_X = 4, LOCAL_Y = 2, LOCAL_Z = 3, GROUPS_MOST = 12 };

struct place {
    uint32_t group[4], local[4], global[4];
};

static struct place place_at(const uint32_t groups[3], uint32_t index)
{
    static const uint32_t local[3] = {LOCAL_X, LOCAL_Y, LOCAL_Z};
    struct place p = {.group = {0}};
    uint32_t rest = index;
    for (uint32_t i = 0; i < 3; i++) {
        p.global[i] = rest % (groups[i] * local[i]);
        rest /= groups[i] * local[i];
        p.group[i] = p.global[i] / local[i];
        p.local[i] = p.global[i] % local[i];
    }
    p.group[3] = groups[0] + 100 * groups[1] + 10000 * groups[2];
    p.local[3] = LOCAL_X + 100 * LOCAL_Y + 10000 * LOCAL_Z;
    p.global[3] = (p.local[2] * LOCAL_Y + p.local[1]) * LOCAL_X + p.local[0];
    return p;
}

static void expect_places(struct conform *c, const uint32_t groups[3], bool indirect)
{
    enum { MOST = GROUPS_MOST * LOCAL_X * LOCAL_Y * LOCAL_Z };
    struct place want[MOST];
    const uint32_t args[4] = {7, groups[0], groups[1], groups[2]};
    const uint32_t count = groups[0] * groups[1] * groups[2] * LOCAL_X * LOCAL_Y * LOCAL_Z;
    const weft_buffer places = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof want, NULL);
    const struct kernel k = make(c, CONFORM_SHADER(c, compute_places_comp), places);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = begin(cmd, &k);
    if (indirect)
        weft_compute_dispatch_indirect(
            enc, conform_buffer(c, WEFT_BUFFER_USAGE_INDIRECT, sizeof args, args), 4);
    else
        weft_compute_dispatch(enc, groups[0], groups[1], groups[2]);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    for (uint32_t i = 0; i < count; i++)
        want[i] = place_at(groups, i);
    conform_expect_bytes(c, places, 0, want, count * sizeof *want);
}

void case_dispatch_places(struct conform *c)
{
    expect_places(c, (const uint32_t[]){3, 2, 2}, false);
    expect_places(c, (const uint32_t[]){1, 1, 5}, false);
}

void case_dispatch_indirect(struct conform *c)
{
    expect_places(c, (const uint32_t[]){2, 3, 2}, true);
    expect_places(c, (const uint32_t[]){1, 4, 1}, true);
}

// ---- shared memory -----------------------------------------------------------------------------

void case_dispatch_shared(struct conform *c)
{
    enum { GROUP = 128, GROUPS = 5, COUNT = GROUP * GROUPS };
    uint32_t words[COUNT], want[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        words[i] = i * 7919 % 1000;
        want[i] = words[i] + (i % GROUP ? want[i - 1] : 0);
    }
    const weft_buffer buffer = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof words, words);
    const struct kernel k = make(c, CONFORM_SHADER(c, compute_shared_comp), buffer);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = begin(cmd, &k);
    weft_compute_dispatch(enc, GROUPS, 1, 1);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    conform_expect_bytes(c, buffer, 0, want, sizeof want);
}

// ---- order -------------------------------------------------------------------------------------

/// A barrier for a range of a buffer orders as the one for everything does.
void case_dispatch_buffer_barriers(struct conform *c)
{
    enum { ROUNDS = 50 };
    const uint32_t zeros[2] = {0}, want[2] = {ROUNDS, ROUNDS};
    const weft_buffer words = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof zeros, zeros);
    const struct kernel k = make(c, CONFORM_SHADER(c, count_up_comp), words);
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        weft_compute_encoder *enc = begin(cmd, &k);
        weft_compute_set_root(enc, 0, &i, sizeof i);
        weft_compute_dispatch(enc, 1, 1, 1);
        weft_compute_end(enc);
        weft_command_buffer_barrier(cmd,
                                    &(weft_buffer_barrier){.buffer = words,
                                                           .size = sizeof zeros,
                                                           .producers = WEFT_STAGE_COMPUTE,
                                                           .consumers = WEFT_STAGE_COMPUTE},
                                    1);
    }
    conform_submit(c, cmd);
    conform_expect_bytes(c, words, 0, want, sizeof want);
}
