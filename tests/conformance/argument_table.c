// Argument tables that change within one command buffer: snapshots, mips, buffers that move.
#include "cases.h"
#include "model.h"

#include "copy_words.comp.spv.h"
#include "next_mip.comp.spv.h"

#include <string.h>

enum { WORDS = 16 };

/// Copies word `index` of the table's source to the same place of its sink.
static void copy_word(weft_command_buffer *cmd, weft_compute_pipeline pipeline,
                      weft_argument_table table, uint32_t index)
{
    const uint32_t root[2] = {0, index};
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_set_root(enc, 0, root, sizeof root);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    conform_barrier(cmd);
}

/// A table that holds a rebound buffer follows when it is set next.
void case_rebind_tables_follow(struct conform *c)
{
    const weft_compute_pipeline pipeline = conform_compute(c, CONFORM_SHADER(c, copy_words_comp));
    uint32_t want[WORDS];
    weft_buffer source;
    weft_buffer_create(conform_device(c),
                       &(weft_buffer_desc){.size = sizeof *want,
                                           .memory = WEFT_MEMORY_DEFAULT,
                                           .usage = WEFT_BUFFER_USAGE_STORAGE},
                       &source);
    conform_check(c);
    const weft_buffer sink = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof want, NULL);
    const weft_argument_write writes[] = {{.binding = 0, .buffer = source},
                                          {.binding = 1, .buffer = sink}};
    const weft_argument_table table =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0), writes, 2);
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t i = 0; i < WORDS; i++) {
        want[i] = 1000 + i;
        weft_buffer_rebind(conform_device(c), source);
        void *bytes = weft_buffer_map(conform_device(c), source, 0, sizeof *want);
        conform_check(c);
        memcpy(bytes, &want[i], sizeof *want);
        weft_buffer_flush(conform_device(c), source, 0, sizeof *want);
        copy_word(cmd, pipeline, table, i);
    }
    conform_submit(c, cmd);
    conform_expect_bytes(c, sink, 0, want, sizeof want);
}

/// Setting a table takes a snapshot: each dispatch reads the buffer that was in it then.
void case_table_snapshots(struct conform *c)
{
    const weft_compute_pipeline pipeline = conform_compute(c, CONFORM_SHADER(c, copy_words_comp));
    uint32_t want[WORDS];
    const weft_buffer sink = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof want, NULL);
    weft_argument_table table = {0};
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t i = 0; i < WORDS; i++) {
        want[i] = 0xabcd0000u + i;
        const weft_buffer source = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, 4, &want[i]);
        const weft_argument_write writes[] = {{.binding = 0, .buffer = source},
                                              {.binding = 1, .buffer = sink}};
        if (i == 0)
            table = conform_table(c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0),
                                  writes, 2);
        else
            weft_argument_table_write(conform_device(c), table, writes, 1);
        copy_word(cmd, pipeline, table, i);
    }
    conform_submit(c, cmd);
    conform_expect_bytes(c, sink, 0, want, sizeof want);
}

// ---- mips --------------------------------------------------------------------------------------

enum { MIPS = 10, SIDE = 512 };

struct chain {
    weft_texture texture;
    weft_texture_view views[MIPS];
};

static void make(struct conform *c, struct chain *chain)
{
    chain->texture = conform_texture(
        c, &(weft_texture_desc){.format = WEFT_FORMAT_R32_UINT,
                                .width = SIDE,
                                .height = SIDE,
                                .mips = MIPS,
                                .usage = WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_STORAGE});
    for (uint32_t i = 0; i < MIPS; i++)
        chain->views[i] = conform_view_of(
            c, &(weft_texture_view_desc){.texture = chain->texture, .mip = i, .mip_count = 1});
}

/// Rows of single numbers at a time: the whole top would not fit on a stack.
static void upload_top(struct conform *c, weft_texture texture)
{
    uint32_t row[SIDE];
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++)
            row[x] = y * SIDE + x;
        weft_texture_write(conform_device(c), texture, &(weft_texture_region){.y = y, .height = 1},
                           row, NULL);
    }
    conform_check(c);
}

static void mip_barrier(weft_command_buffer *cmd, weft_texture texture, uint32_t mip, bool stored)
{
    weft_command_texture_barrier(
        cmd,
        &(weft_texture_barrier){
            .texture = texture,
            .mip = mip,
            .mip_count = 1,
            .before = stored ? WEFT_TEXTURE_STATE_STORAGE : WEFT_TEXTURE_STATE_RESTING,
            .after = stored ? WEFT_TEXTURE_STATE_RESTING : WEFT_TEXTURE_STATE_STORAGE,
            .producers = WEFT_STAGE_ALL,
            .consumers = WEFT_STAGE_ALL},
        1);
}

/// Each texel is its upper left one of the mip above, and one more.
static struct conform_texel chain_texel(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t mip = *(const uint32_t *)user;
    (void)z;
    return (struct conform_texel){{(y << mip) * SIDE + (x << mip) + mip, 0, 0, 1}};
}

void case_table_rewritten_for_mips(struct conform *c)
{
    struct chain chain;
    make(c, &chain);
    upload_top(c, chain.texture);
    const weft_compute_pipeline pipeline = conform_compute(c, CONFORM_SHADER(c, next_mip_comp));
    const weft_argument_table table =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0), NULL, 0);
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t mip = 1; mip < MIPS; mip++) {
        const weft_argument_write writes[] = {{.binding = 0, .view = chain.views[mip - 1]},
                                              {.binding = 1, .view = chain.views[mip]}};
        const uint32_t groups = ((SIDE >> mip) + 7) / 8;
        weft_argument_table_write(conform_device(c), table, writes, 2);
        mip_barrier(cmd, chain.texture, mip, false);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_set_pipeline(enc, pipeline);
        weft_compute_set_arguments(enc, 0, table, NULL, 0);
        weft_compute_dispatch(enc, groups, groups, 1);
        weft_compute_end(enc);
        mip_barrier(cmd, chain.texture, mip, true);
    }
    conform_submit(c, cmd);
    for (uint32_t mip = 0; mip < MIPS; mip++)
        conform_expect_texels(c, chain.texture, &(weft_texture_region){.mip = mip}, chain_texel,
                              &mip, 0);
}
