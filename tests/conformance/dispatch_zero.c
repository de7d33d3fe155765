// Dispatches of no work groups, direct and indirect, do nothing, and the others go on.
#include "cases.h"

#include "copy_words.comp.spv.h"

enum { WORDS = 8 };

struct copier {
    weft_compute_pipeline pipeline;
    weft_buffer sink;
    weft_argument_table table;
};

static struct copier make(struct conform *c)
{
    static const uint32_t source[WORDS] = {1, 2, 3, 4, 5, 6, 7, 8}, zeros[WORDS] = {0};
    struct copier copier = {.pipeline = conform_compute(c, CONFORM_SHADER(c, copy_words_comp)),
                            .sink =
                                conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof zeros, zeros)};
    const weft_argument_write writes[] = {
        {.binding = 0,
         .buffer = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof source, source)},
        {.binding = 1, .buffer = copier.sink},
    };
    copier.table = conform_table(
        c, weft_compute_pipeline_layout(conform_device(c), copier.pipeline, 0), writes, 2);
    return copier;
}

static weft_compute_encoder *begin(weft_command_buffer *cmd, const struct copier *copier)
{
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, copier->pipeline);
    weft_compute_set_arguments(enc, 0, copier->table, NULL, 0);
    return enc;
}

/// The next dispatch copies that word.
static void choose(weft_compute_encoder *enc, uint32_t word)
{
    const uint32_t root[2] = {word, word};
    weft_compute_set_root(enc, 0, root, sizeof root);
}

void case_dispatch_zero(struct conform *c)
{
    static const uint32_t want[WORDS] = {0, 0, 0, 4, 0, 0, 0, 0};
    const struct copier copier = make(c);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = begin(cmd, &copier);
    for (uint32_t i = 0; i < 4; i++) {
        choose(enc, i);
        weft_compute_dispatch(enc, i != 0, i != 1, i != 2); // the last one is whole
    }
    weft_compute_end(enc);
    weft_compute_end(weft_command_begin_compute(cmd, NULL)); // nor does an empty encoder
    conform_submit(c, cmd);
    conform_expect_bytes(c, copier.sink, 0, want, sizeof want);
}

/// Arguments of which one is zero dispatch nothing; on the software device, so do those beyond
/// max_workgroups.
void case_dispatch_indirect_zero(struct conform *c)
{
    static const uint32_t want[WORDS] = {0, 0, 0, 4, 0, 0, 0, 0};
    const uint32_t most = conform_capabilities(c)->limits.max_workgroups;
    const uint32_t beyond = conform_exact(c) && most < UINT32_MAX ? most + 1 : 0;
    const weft_dispatch_indirect_args arguments[5] = {
        {{0, 1, 1}}, {{1, 0, 1}}, {{1, 1, 0}}, {{1, 1, 1}}, {{1, beyond, 1}}};
    const struct copier copier = make(c);
    const weft_buffer buffer =
        conform_buffer(c, WEFT_BUFFER_USAGE_INDIRECT, sizeof arguments, arguments);
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t i = 0; i < 5; i++) {
        conform_barrier(cmd); // each may write the whole sink
        weft_compute_encoder *enc = begin(cmd, &copier);
        choose(enc, i);
        weft_compute_dispatch_indirect(enc, buffer, i * sizeof *arguments);
        weft_compute_end(enc);
    }
    conform_submit(c, cmd);
    conform_expect_bytes(c, copier.sink, 0, want, sizeof want);
}
