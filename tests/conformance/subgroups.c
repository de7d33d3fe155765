// Subgroup operations in compute shaders: what each gives follows from who is in the subgroup, and
// that the shaders tell themselves; nothing is taken for granted of how a workgroup is cut.
#include "cases.h"
#include "subgroup.h"

#include "subgroup_ballot.comp.spv.h"
#include "subgroup_basic.comp.spv.h"
#include "subgroup_clustered_16.comp.spv.h"
#include "subgroup_clustered_2.comp.spv.h"
#include "subgroup_clustered_32.comp.spv.h"
#include "subgroup_clustered_4.comp.spv.h"
#include "subgroup_clustered_8.comp.spv.h"
#include "subgroup_flow.comp.spv.h"
#include "subgroup_quad.comp.spv.h"
#include "subgroup_shuffle.comp.spv.h"

/// The lowest lane of those; size if there is none.
static uint32_t first_of(const struct subgroup *s, const bool *lanes)
{
    uint32_t lane = 0;
    while (lane < s->size && !lanes[lane])
        lane++;
    return lane;
}

static uint32_t low_bits(uint32_t count)
{
    return count >= 32 ? UINT32_MAX : (1u << count) - 1;
}

static uint32_t expect_basic(const struct subgroup *s, uint64_t *want)
{
    const uint32_t below = low_bits(s->lane), equal = s->lane < 32 ? 1u << s->lane : 0;
    const uint64_t all[] = {
        s->size,
        s->subgroups,
        equal,
        ~below & low_bits(s->size),
        ~(below | equal) & low_bits(s->size),
        below | equal,
        below,
        s->size <= 32 ? 0 : SUBGROUP_ANY,
        s->lane == first_of(s, s->there),
        s->lane == first_of(s, s->in),
    };
    const uint32_t count = sizeof all / sizeof *all - (s->out ? 1 : 0);
    for (uint32_t i = 0; i < count; i++)
        want[i] = all[i];
    return count;
}

void case_subgroups_basic(struct conform *c)
{
    subgroup_run(c, CONFORM_SHADER(c, subgroup_basic_comp), expect_basic);
}

// ---- ballots and votes -------------------------------------------------------------------------

/// Lanes of [from, to) that take part and whose value is from `low` on and below `high`.
static uint32_t count_in(const struct subgroup *s, uint32_t low, uint32_t high)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->size; i++)
        count += s->in[i] && s->x[i] >= low && s->x[i] < high;
    return count;
}

static uint32_t expect_ballot(const struct subgroup *s, uint64_t *want)
{
    if (s->out)
        return 0;
    const uint32_t all = count_in(s, 0, 101), x = s->x[s->lane], other = s->lane ^ 1;
    bool even[SUBGROUP_MAX] = {false};
    uint32_t word = 0, before = 0, lowest = s->size, highest = s->size, total = 0;
    for (uint32_t i = 0; i < s->size; i++) {
        even[i] = s->in[i] && s->x[i] % 2 == 0;
        if (!even[i])
            continue;
        word |= i < 32 ? 1u << i : 0;
        before += i < s->lane;
        lowest = lowest == s->size ? i : lowest;
        highest = i;
        total++;
    }
    const uint64_t list[] = {
        count_in(s, 0, 90) == all,
        1,
        count_in(s, 91, 101) > 0,
        0,
        count_in(s, x, x + 1) == all,
        1,
        count_in(s, 0, 50) == 0 || count_in(s, 0, 50) == all,
        count_in(s, 0, 64) == 0 || count_in(s, 0, 64) == all,
        word,
        s->size <= 32 ? 0 : SUBGROUP_ANY,
        even[s->lane],
        other < s->size ? even[other] : SUBGROUP_ANY,
        total,
        before + even[s->lane],
        before,
        total ? lowest : SUBGROUP_ANY,
        total ? highest : SUBGROUP_ANY,
        s->x[first_of(s, s->in)],
        s->in[2] ? s->x[2] : SUBGROUP_ANY,
    };
    for (uint32_t i = 0; i < sizeof list / sizeof *list; i++)
        want[i] = list[i];
    return sizeof list / sizeof *list;
}

void case_subgroups_ballot(struct conform *c)
{
    subgroup_run(c, CONFORM_SHADER(c, subgroup_ballot_comp), expect_ballot);
}

// ---- moves -------------------------------------------------------------------------------------

static uint64_t value_at(const struct subgroup *s, uint32_t lane)
{
    return lane < s->size && s->in[lane] ? s->x[lane] : SUBGROUP_ANY;
}

static uint64_t float_bits(float value)
{
    union {
        float f;
        uint32_t u;
    } both = {.f = value};
    return both.u;
}

static uint32_t expect_shuffle(const struct subgroup *s, uint64_t *want)
{
    const uint32_t lane = s->lane;
    if (s->out)
        return 0;
    want[0] = value_at(s, (lane * 3 + 1) % s->size);
    want[1] = value_at(s, lane ^ 1);
    want[2] = value_at(s, lane ^ 3);
    want[3] = lane >= 1 ? value_at(s, lane - 1) : SUBGROUP_ANY;
    want[4] = lane >= 3 ? value_at(s, lane - 3) : SUBGROUP_ANY;
    want[5] = value_at(s, lane + 1);
    want[6] = value_at(s, lane + 2);
    const uint64_t x = value_at(s, lane ^ 2);
    want[7] = x == SUBGROUP_ANY ? x : float_bits((float)(x + 2 * (x + 1) + 4 * (x + 2)));
    return 8;
}

void case_subgroups_shuffle(struct conform *c)
{
    subgroup_run(c, CONFORM_SHADER(c, subgroup_shuffle_comp), expect_shuffle);
}

static uint32_t expect_quad(const struct subgroup *s, uint64_t *want)
{
    const uint32_t first = s->lane & ~3u;
    if (s->out)
        return 0;
    for (uint32_t i = 0; i < 4; i++)
        want[i] = value_at(s, first + i);
    for (uint32_t i = 1; i < 4; i++) // horizontal, vertical, diagonal
        want[3 + i] = value_at(s, s->lane ^ i);
    return 7;
}

void case_subgroups_quad(struct conform *c)
{
    subgroup_run(c, CONFORM_SHADER(c, subgroup_quad_comp), expect_quad);
}

// ---- clusters ----------------------------------------------------------------------------------

static uint32_t cluster_size;

/// A cluster is lanes of a row; all its operations, in the order of subgroup_clustered.glsl.
static uint32_t expect_clustered(const struct subgroup *s, uint64_t *want)
{
    const uint32_t from = s->lane & ~(cluster_size - 1);
    uint32_t add = 0, mul = 1, min = UINT32_MAX, max = 0, and = UINT32_MAX, or = 0, xor = 0;
    if (s->out)
        return 0;
    for (uint32_t i = from; i < from + cluster_size; i++) {
        if (!s->in[i])
            continue;
        const uint32_t x = s->x[i];
        add += x;
        mul *= x | 1;
        min = x < min ? x : min;
        max = x > max ? x : max;
        and &= x | 96;
        or |= x;
        xor ^= x;
    }
    uint32_t count = 0;
    for (uint32_t i = from; i < from + cluster_size; i++)
        count += s->in[i];
    const uint64_t list[] = {
        add,
        mul,
        min,
        max,
        and,
        or
        ,
        xor,
        min - 50, // as signed numbers
        max - 50,
        float_bits(((float)add - 50 * (float)count) * 0.25f), // quarters: exact in any order
        float_bits(((float)min - 50) * 0.25f),
        float_bits(((float)max - 50) * 0.25f),
    };
    for (uint32_t i = 0; i < sizeof list / sizeof *list; i++)
        want[i] = (uint32_t)list[i];
    return sizeof list / sizeof *list;
}

void case_subgroups_clustered(struct conform *c)
{
    const struct {
        const uint32_t *code;
        size_t bytes;
        uint32_t size;
    } shaders[] = {
        {subgroup_clustered_2_comp, sizeof subgroup_clustered_2_comp, 2},
        {subgroup_clustered_4_comp, sizeof subgroup_clustered_4_comp, 4},
        {subgroup_clustered_8_comp, sizeof subgroup_clustered_8_comp, 8},
        {subgroup_clustered_16_comp, sizeof subgroup_clustered_16_comp, 16},
        {subgroup_clustered_32_comp, sizeof subgroup_clustered_32_comp, 32},
    };
    // A cluster is no larger than a subgroup; without the feature the first is refused.
    const uint32_t most = conform_capabilities(c)->limits.subgroup_size;
    for (uint32_t i = 0; i < 5 && (i == 0 || shaders[i].size <= most); i++) {
        cluster_size = shaders[i].size;
        subgroup_run(c, conform_shader(c, shaders[i].code, shaders[i].bytes), expect_clustered);
    }
}

// ---- control flow ------------------------------------------------------------------------------

static uint32_t expect_flow(const struct subgroup *s, uint64_t *want)
{
    const uint32_t x = s->x[s->lane];
    uint32_t odd = 0, even = 0, all = 0, turns = 0, same = 0;
    for (uint32_t i = 0; i < s->size; i++) {
        if (!s->there[i])
            continue;
        all += s->x[i];
        odd += s->x[i] % 2 ? s->x[i] : 0;
        even = s->x[i] % 2 == 0 && s->x[i] > even ? s->x[i] : even;
        same += s->x[i] % 5 == x % 5;
        for (uint32_t k = 0; k <= s->x[i] % 7 && k <= x % 7; k++)
            turns += 1u << (k * 4);
    }
    want[0] = x % 2 ? odd : even;
    want[1] = all;
    want[2] = turns;
    want[3] = same;
    const uint32_t other = s->lane ^ 1;
    const bool paired = other < s->size && s->there[other] && s->who[other] == (s->invocation ^ 1);
    want[4] = paired ? subgroup_value(s->invocation ^ 1) + 1000 : SUBGROUP_ANY;
    return 5;
}

void case_subgroups_flow(struct conform *c)
{
    static const uint32_t shapes[][2] = {{64, 0}, {37, 0}, {128, 0}, {5, 0}};
    const weft_shader shader = CONFORM_SHADER(c, subgroup_flow_comp);
    for (uint32_t i = 0; i < 4; i++)
        subgroup_run_one(c, shader, shapes[i], expect_flow);
}
