// Arrays of resources in a table, and samplers that the layout fixes.
#include "cases.h"

#include "argument_arrays.comp.spv.h"

#include <string.h>

enum { TEXTURES = 4, BUFFERS = 3 };

struct scene {
    weft_compute_pipeline pipeline;
    weft_argument_table table;
    weft_buffer blocks[BUFFERS], words[BUFFERS];
    weft_texture_view views[TEXTURES];
    uint32_t texels[TEXTURES][2];
};

static void make(struct conform *c, struct scene *s)
{
    const weft_sampler samplers[2] = {
        conform_sampler(c, &(weft_sampler_desc){0}),
        conform_sampler(c, &(weft_sampler_desc){.u = WEFT_ADDRESS_CLAMP_TO_EDGE})};
    weft_argument_write writes[2 * TEXTURES + 2 + 2 * BUFFERS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < TEXTURES; i++) {
        s->texels[i][0] = 0x01020304u * (i + 1);
        s->texels[i][1] = 0x10203040u + i;
        const weft_texture texture =
            conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM, .width = 2});
        weft_texture_write(conform_device(c), texture, NULL, s->texels[i], NULL);
        s->views[i] = conform_view(c, texture);
        writes[count++] = (weft_argument_write){
            .binding = 0, .element = i, .view = s->views[i], .sampler = samplers[i & 1]};
        writes[count++] = (weft_argument_write){.binding = 1, .element = i, .view = s->views[i]};
    }
    for (uint32_t i = 0; i < 2; i++)
        writes[count++] = (weft_argument_write){.binding = 2, .element = i, .sampler = samplers[i]};
    for (uint32_t i = 0; i < BUFFERS; i++) {
        const uint32_t value[4] = {500 + i};
        s->blocks[i] = conform_buffer(c, WEFT_BUFFER_USAGE_UNIFORM, sizeof value, value);
        s->words[i] = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, 16, NULL);
        writes[count++] = (weft_argument_write){.binding = 3, .element = i, .buffer = s->blocks[i]};
        writes[count++] = (weft_argument_write){.binding = 4, .element = i, .buffer = s->words[i]};
    }
    s->pipeline = conform_compute(c, CONFORM_SHADER(c, argument_arrays_comp));
    s->table = conform_table(c, weft_compute_pipeline_layout(conform_device(c), s->pipeline, 0),
                             writes, count);
}

/// Texel 0 under repeat, texel 1 under clamp, as the shader's place is a quarter past the end.
static void expect_element(struct conform *c, const struct scene *s, uint32_t index)
{
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, s->pipeline);
    weft_compute_set_arguments(enc, 0, s->table, NULL, 0);
    weft_compute_set_root(enc, 0, &index, sizeof index);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    const uint32_t want[4] = {s->texels[index][index & 1], s->texels[index][0], s->texels[index][1],
                              500 + index % BUFFERS};
    conform_expect_bytes(c, s->words[index % BUFFERS], 0, want, sizeof want);
}

void case_argument_arrays(struct conform *c)
{
    struct scene s;
    make(c, &s);
    for (uint32_t i = 0; i < TEXTURES; i++)
        expect_element(c, &s, i);
}

/// One element is written again, the others stay.
void case_argument_arrays_one_element(struct conform *c)
{
    struct scene s;
    make(c, &s);
    const uint32_t texels[2] = {0xaabbccddu, 0x11223344u};
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM, .width = 2});
    weft_texture_write(conform_device(c), texture, NULL, texels, NULL);
    const weft_argument_write writes[] = {
        {.binding = 0,
         .element = 2,
         .view = conform_view(c, texture),
         .sampler = conform_sampler(c, &(weft_sampler_desc){0})},
        {.binding = 1, .element = 2, .view = conform_view(c, texture)}};
    weft_argument_table_write(conform_device(c), s.table, writes, 2);
    memcpy(s.texels[2], texels, sizeof texels);
    for (uint32_t i = 0; i < TEXTURES; i++)
        expect_element(c, &s, i);
}

void case_argument_refusals(struct conform *c)
{
    struct scene s;
    make(c, &s);
    const weft_argument_write outside = {.binding = 1, .element = TEXTURES, .view = s.views[0]};
    weft_argument_table_write(conform_device(c), s.table, &outside, 1);
    conform_expect_rule(c, WEFT_RULE_ARGUMENT_BINDING);
    const weft_argument_table empty =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), s.pipeline, 0), NULL, 0);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, s.pipeline);
    weft_compute_set_arguments(enc, 0, empty, NULL, 0);
    weft_compute_set_root(enc, 0, &(uint32_t){0}, 4);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_ERROR_USAGE);
    conform_expect_rule(c, WEFT_RULE_ARGUMENT_UNWRITTEN);
}
