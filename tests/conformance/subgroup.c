// Runs of shaders whose invocations tell which subgroup they are in.
#include "subgroup.h"

#include <stdlib.h>
#include <string.h>

uint32_t subgroup_value(uint32_t invocation)
{
    return (invocation * 37 + 11) % 101;
}

/// The results of a dispatch: three words of place, then what was asked.
struct run {
    struct conform *c;
    uint32_t group, chosen, subgroups;
    uint32_t results[SUBGROUP_MAX][SUBGROUP_WORDS];
};

static bool dispatch(struct run *r, weft_shader shader)
{
    struct conform *c = r->c;
    const weft_constant constants[2] = {{.id = 0, .value = r->group},
                                        {.id = 1, .value = r->chosen}};
    const weft_compute_pipeline_desc desc = {
        .compute = {.shader = shader, .constants = constants, .constant_count = 2}};
    weft_compute_pipeline pipeline;
    weft_compute_pipeline_create(conform_device(c), &desc, &pipeline);
    conform_check(c);
    memset(r->results, 0xee, sizeof r->results);
    const weft_buffer buffer =
        conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof r->results, r->results);
    const weft_argument_table table =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0),
                      &(weft_argument_write){.binding = 0, .buffer = buffer}, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    return conform_read_buffer(c, buffer, 0, r->results, sizeof r->results);
}

/// Every invocation stands at a lane of its own in a subgroup that there can be.
static void check_places(struct run *r)
{
    const uint32_t size = conform_capabilities(r->c)->limits.subgroup_size;
    r->subgroups = 0;
    for (uint32_t i = 0; i < r->group; i++) {
        const uint32_t id = r->results[i][0], lane = r->results[i][1];
        if (id >= r->group || lane >= size)
            conform_fail(r->c, "invocation %u of %u stands at lane %u of subgroup %u", i, r->group,
                         lane, id);
        for (uint32_t k = 0; k < i; k++)
            if (r->results[k][0] == id && r->results[k][1] == lane)
                conform_fail(r->c, "invocations %u and %u are both at lane %u of subgroup %u", k, i,
                             lane, id);
        r->subgroups = id >= r->subgroups ? id + 1 : r->subgroups;
        if (r->results[i][2] != (((i + 1) & r->chosen) != 0))
            conform_fail(r->c, "invocation %u does not know whether it takes part", i);
    }
}

static struct subgroup place_of(const struct run *r, uint32_t invocation)
{
    struct subgroup s = {.invocation = invocation,
                         .id = r->results[invocation][0],
                         .lane = r->results[invocation][1],
                         .out = ((invocation + 1) & r->chosen) != 0,
                         .group = r->group,
                         .subgroups = r->subgroups,
                         .size = conform_capabilities(r->c)->limits.subgroup_size};
    for (uint32_t i = 0; i < r->group; i++) {
        if (r->results[i][0] != s.id)
            continue;
        const uint32_t lane = r->results[i][1];
        s.there[lane] = true;
        s.in[lane] = ((i + 1) & r->chosen) == 0;
        s.who[lane] = i;
        s.x[lane] = subgroup_value(i);
    }
    return s;
}

void subgroup_run_one(struct conform *c, weft_shader shader, const uint32_t size_and_chosen[2],
                      subgroup_expected *expected)
{
    struct run r = {.c = c, .group = size_and_chosen[0], .chosen = size_and_chosen[1]};
    CONFORM_EXPECT(c, conform_capabilities(c)->limits.subgroup_size <= SUBGROUP_MAX);
    if (!dispatch(&r, shader))
        return;
    check_places(&r);
    for (uint32_t i = 0; i < r.group; i++) {
        uint64_t want[SUBGROUP_WORDS];
        const struct subgroup s = place_of(&r, i);
        const uint32_t count = expected(&s, want);
        for (uint32_t k = 0; k < count; k++)
            if (want[k] != SUBGROUP_ANY && want[k] != r.results[i][SUBGROUP_FIRST + k])
                conform_fail(c,
                             "result %u at lane %u of %u in a group of %u (%u) is 0x%x, not 0x%x",
                             k, s.lane, s.size, r.group, r.chosen, r.results[i][SUBGROUP_FIRST + k],
                             (uint32_t)want[k]);
    }
}

void subgroup_run(struct conform *c, weft_shader shader, subgroup_expected *expected)
{
    static const uint32_t shapes[][2] = {{64, 0}, {64, 1},  {64, 6}, {37, 0},
                                         {7, 2},  {100, 5}, {1, 0},  {128, 0}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        subgroup_run_one(c, shader, shapes[i], expected);
}
