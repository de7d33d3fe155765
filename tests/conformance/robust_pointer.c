// Addresses beside a buffer: the software device gives zeros and drops what is written.
#include "cases.h"
#include "model.h"

#include "pointer_edges.comp.spv.h"

#include <string.h>

enum { COUNT = 16, WORDS = 64, BYTES = 4 * WORDS, INSIDE = 3 };

struct scene {
    weft_compute_pipeline pipeline;
    weft_argument_table table;
    weft_buffer buffer, results;
    uint32_t words[WORDS];
};

/// Far away, beside, and just before the end. No other buffer lies within a page of its size.
static const int64_t places[COUNT] = {0,
                                      4,
                                      BYTES - 4,
                                      INT64_C(1) << 60,
                                      -(INT64_C(1) << 40),
                                      INT64_C(1) << 45,
                                      INT64_MAX - 3,
                                      INT64_MIN,
                                      INT64_C(1) << 50,
                                      -(INT64_C(1) << 50),
                                      INT64_C(1) << 46,
                                      INT64_C(1) << 47,
                                      INT64_C(1) << 48,
                                      INT64_C(1) << 49,
                                      INT64_C(1) << 52,
                                      INT64_C(1) << 55};

static void make(struct conform *c, struct scene *s)
{
    if (conform_capabilities(c)->backend != WEFT_BACKEND_SOFTWARE &&
        conform_capabilities(c)->backend != WEFT_BACKEND_NOOP)
        conform_refuse(c, "only the software device promises anything about wild addresses");
    for (uint32_t i = 0; i < WORDS; i++)
        s->words[i] = 1 + i;
    s->buffer = conform_buffer(c, WEFT_BUFFER_USAGE_ADDRESS, BYTES, s->words);
    s->results = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof(uint32_t[COUNT]), NULL);
    s->pipeline = conform_compute(c, CONFORM_SHADER(c, pointer_edges_comp));
    const weft_argument_write writes[] = {
        {.binding = 0, .buffer = s->results},
        {.binding = 1,
         .buffer = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof places, places)}};
    s->table = conform_table(c, weft_compute_pipeline_layout(conform_device(c), s->pipeline, 0),
                             writes, 2);
}

static void run(struct conform *c, const struct scene *s, uint32_t op)
{
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, s->pipeline);
    weft_compute_set_arguments(enc, 0, s->table, NULL, 0);
    weft_compute_set_root_pointer(enc, 0, s->buffer, 0);
    weft_compute_set_root(enc, 8, &op, sizeof op);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    conform_submit(c, cmd);
}

void case_robust_pointer_reads(struct conform *c)
{
    struct scene s;
    uint32_t want[COUNT] = {1, 2, WORDS};
    make(c, &s);
    run(c, &s, 0);
    conform_expect_bytes(c, s.results, 0, want, sizeof want);
}

void case_robust_pointer_writes(struct conform *c)
{
    struct scene s;
    make(c, &s);
    run(c, &s, 1);
    for (uint32_t i = 0; i < INSIDE; i++)
        s.words[places[i] / 4] = 0xdead0000u + i;
    conform_expect_bytes(c, s.buffer, 0, s.words, sizeof s.words);
}
