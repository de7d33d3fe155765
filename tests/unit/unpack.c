// What the generators packed comes back. The tests of threads need the library's texts still
// packed, so that this is a program of its own.
#include "base/unpack.h"
#include "base/thread.h"
#include "shader/tables.h"
#include "support/test.h"

#include "unpack_samples.h"

#include <weft/weft.h>

#include <weft/rules.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct sample {
    const unsigned char *plain, *packed;
    size_t plain_size, packed_size;
};

// clang-format off
#define SAMPLE(name, NAME) {name##_plain, name, NAME##_SIZE, sizeof(name)}
// clang-format on

static const struct sample samples[] = {
    SAMPLE(empty, EMPTY), SAMPLE(one, ONE), SAMPLE(noise, NOISE), SAMPLE(few, FEW),
    SAMPLE(zeros, ZEROS), SAMPLE(far, FAR), SAMPLE(text, TEXT),
};

enum { SAMPLES = sizeof samples / sizeof samples[0], MARK = 0xA5 };

/// Unpacks from and to blocks of just these sizes, for the sanitizers; with a mark behind for the
/// rest.
static bool unpack(const unsigned char *packed, size_t packed_size, uint8_t **out, size_t out_size)
{
    uint8_t *in = malloc(packed_size ? packed_size : 1);
    *out = malloc(out_size + 1);
    if (!in || !*out)
        abort();
    if (packed_size > 0)
        memcpy(in, packed, packed_size);
    (*out)[out_size] = MARK;
    const bool whole = wf_base_unpack(in, packed_size, *out, out_size);
    EXPECT_EQ((*out)[out_size], MARK);
    free(in);
    return whole;
}

static bool unpacks(const unsigned char *packed, size_t packed_size, size_t out_size)
{
    uint8_t *out;
    const bool whole = unpack(packed, packed_size, &out, out_size);
    free(out);
    return whole;
}

TEST(unpack, what_was_packed_comes_back)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        const struct sample *s = &samples[i];
        uint8_t *out;
        EXPECT(unpack(s->packed, s->packed_size, &out, s->plain_size));
        EXPECT_MEM(out, s->plain, s->plain_size);
        free(out);
    }
    EXPECT(sizeof text < TEXT_SIZE / 5 && sizeof zeros < 100 && sizeof noise < NOISE_SIZE + 200);
}

TEST(unpack, a_cut_stream_or_another_size_is_refused)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        const struct sample *s = &samples[i];
        for (size_t size = 0; size < s->packed_size; size += 1 + size / 16)
            EXPECT(!unpacks(s->packed, size, s->plain_size));
        EXPECT(!unpacks(s->packed, s->packed_size - 1, s->plain_size));
        EXPECT(!unpacks(s->packed, s->packed_size, s->plain_size + 1));
        EXPECT(s->plain_size == 0 || !unpacks(s->packed, s->packed_size, s->plain_size - 1));
    }
}

TEST(unpack, a_damaged_stream_is_refused)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        const struct sample *s = &samples[i];
        unsigned char *damaged = malloc(s->packed_size);
        EXPECT(damaged);
        memcpy(damaged, s->packed, s->packed_size);
        for (size_t bit = 0; bit<s->packed_size * 8; bit += s->packed_size> 500 ? 37 : 1) {
            damaged[bit / 8] ^= (unsigned char)(1u << bit % 8);
            EXPECT(!unpacks(damaged, s->packed_size, s->plain_size));
            damaged[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        free(damaged);
    }
}

// ---- the texts of the library, first asked for by many threads at once -------------------------

static const weft_rule_info wanted[] = {
#define RULE(name, number, object, sentence, remedy)                                               \
    {(number), WEFT_OBJECT_##object, #name, sentence, remedy},
#include <weft/rules.def>
#undef RULE
};

enum { THREADS = 8, RULES = sizeof wanted / sizeof wanted[0] };

static atomic_uint waiting;
static atomic_uint wrong;

static void start_together(void)
{
    atomic_fetch_add(&waiting, 1);
    while (atomic_load(&waiting) < THREADS)
        wf_base_thread_yield();
}

static bool same(const weft_rule_info *a, const weft_rule_info *b)
{
    return a && a->code == b->code && a->object == b->object && strcmp(a->name, b->name) == 0 &&
           strcmp(a->sentence, b->sentence) == 0 && strcmp(a->remedy, b->remedy) == 0;
}

static void look_at_rules(void *user)
{
    (void)user;
    start_together();
    for (uint32_t i = 0; i < RULES; i++)
        if (!same(weft_rule_from_code(wanted[i].code), &wanted[i]) ||
            weft_rule_at(i) != weft_rule_from_code(wanted[i].code))
            atomic_fetch_add(&wrong, 1);
}

static void look_at_names(void *user)
{
    (void)user;
    start_together();
    const struct wf_shader_op *op = wf_shader_op(61);
    if (!op || op->opcode != 61 || strcmp(wf_shader_op_name(op), "Load") != 0 ||
        strcmp(wf_shader_value_name(WF_SHADER_KIND_DIM, 3), "Cube") != 0)
        atomic_fetch_add(&wrong, 1);
}

static void race(void (*look)(void *user))
{
    struct wf_base_thread threads[THREADS];
    atomic_store(&waiting, 0);
    atomic_store(&wrong, 0);
    for (size_t i = 0; i < THREADS; i++)
        EXPECT(wf_base_thread_start(&threads[i], "unpack test", look, NULL));
    for (size_t i = 0; i < THREADS; i++)
        wf_base_thread_join(&threads[i]);
    EXPECT_EQ(atomic_load(&wrong), 0);
}

TEST(unpack, threads_race_for_the_rules_and_see_what_rules_def_says)
{
    race(look_at_rules);
    EXPECT(weft_rule_at(RULES) == NULL);
}

TEST(unpack, threads_race_for_the_names_of_spirv)
{
    race(look_at_names);
}
