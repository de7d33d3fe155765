// The heap: indices that differ between invocations, ranges that the host fills, freed indices.
#include "cases.h"
#include "model.h"

#include "heap_fetch.comp.spv.h"
#include "heap_unread.comp.spv.h"

#include <string.h>

enum { COUNT = 64, TEXTURES = 5 };

struct scene {
    weft_compute_pipeline pipeline;
    weft_texture_view views[TEXTURES];
    uint8_t colors[TEXTURES][4];
    weft_texture image; ///< COUNT × 1, stored to.
    weft_sampler sampler;
    uint32_t root[2];
};

static weft_texture_view color_view(struct conform *c, const uint8_t color[4])
{
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM});
    weft_texture_write(conform_device(c), texture, NULL, color, NULL);
    return conform_view(c, texture);
}

static void make(struct conform *c, struct scene *s)
{
    weft_device *const device = conform_device(c);
    s->pipeline = conform_compute(c, CONFORM_SHADER(c, heap_fetch_comp));
    conform_bytes_fill(s->colors, sizeof s->colors, 11);
    for (uint32_t i = 0; i < TEXTURES; i++)
        s->views[i] = color_view(c, s->colors[i]);
    s->image = conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                                       .width = COUNT,
                                                       .usage = WEFT_TEXTURE_USAGE_STORAGE});
    s->sampler = conform_sampler(c, &(weft_sampler_desc){0});
    s->root[0] = weft_sampler_index(device, s->sampler);
    s->root[1] = weft_texture_view_index(device, conform_view(c, s->image), WEFT_HEAP_STORAGE);
    conform_check(c);
}

static struct conform_texel mirrored(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint8_t(*want)[4] = user;
    struct conform_texel out;
    (void)y;
    (void)z;
    for (uint32_t k = 0; k < 4; k++)
        out.v[k] = want[x][3 - k] / 255.0;
    return out;
}

/// Invocation i reads the texture at heap index indices[i], which has color want[i].
static void expect_fetched(struct conform *c, const struct scene *s, const uint32_t indices[COUNT],
                           uint8_t want[COUNT][4])
{
    const weft_buffer results =
        conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof(uint32_t[COUNT]), NULL);
    const weft_argument_write writes[] = {
        {.binding = 0,
         .buffer = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof(uint32_t[COUNT]), indices)},
        {.binding = 1, .buffer = results}};
    const weft_argument_table table = conform_table(
        c, weft_compute_pipeline_layout(conform_device(c), s->pipeline, 0), writes, 2);
    weft_command_buffer *cmd = conform_begin(c);
    conform_texture_state(cmd, s->image, WEFT_TEXTURE_STATE_UNDEFINED, WEFT_TEXTURE_STATE_STORAGE);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, s->pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_set_root(enc, 0, s->root, sizeof s->root);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    conform_texture_state(cmd, s->image, WEFT_TEXTURE_STATE_STORAGE, WEFT_TEXTURE_STATE_RESTING);
    conform_submit(c, cmd);
    conform_expect_bytes(c, results, 0, want, (size_t)COUNT * 4);
    conform_expect_texels(c, s->image, NULL, mirrored, want, 0);
}

void case_heap_non_uniform(struct conform *c)
{
    struct scene s;
    uint32_t indices[COUNT];
    uint8_t want[COUNT][4];
    make(c, &s);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t which = i * i % TEXTURES;
        indices[i] = weft_texture_view_index(conform_device(c), s.views[which], WEFT_HEAP_SAMPLED);
        memcpy(want[i], s.colors[which], 4);
    }
    conform_check(c);
    expect_fetched(c, &s, indices, want);
}

/// A view keeps its index, and indices of living views are distinct.
void case_heap_indices(struct conform *c)
{
    struct scene s;
    make(c, &s);
    uint32_t indices[TEXTURES];
    for (uint32_t i = 0; i < TEXTURES; i++) {
        indices[i] = weft_texture_view_index(conform_device(c), s.views[i], WEFT_HEAP_SAMPLED);
        CONFORM_EXPECT(c, indices[i] != UINT32_MAX);
        for (uint32_t k = 0; k < i; k++)
            CONFORM_EXPECT(c, indices[k] != indices[i]);
    }
    for (uint32_t i = 0; i < TEXTURES; i++)
        CONFORM_EXPECT(c, weft_texture_view_index(conform_device(c), s.views[i],
                                                  WEFT_HEAP_SAMPLED) == indices[i]);
}

static weft_heap_range make_range(struct conform *c, uint32_t count)
{
    weft_heap_range range;
    weft_heap_range_create(conform_device(c), WEFT_HEAP_SAMPLED, count, &range);
    conform_check(c);
    return range;
}

/// Entries that are written by hand, twice: the second time over the first.
void case_heap_range(struct conform *c)
{
    struct scene s;
    uint32_t indices[COUNT];
    uint8_t want[COUNT][4];
    make(c, &s);
    const weft_heap_range range = make_range(c, COUNT);
    const uint32_t first = weft_heap_range_first(conform_device(c), range);
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            const uint32_t which = (i + round) % TEXTURES;
            weft_heap_range_write(conform_device(c), range, i, s.views[which], (weft_sampler){0});
            indices[i] = first + i;
            memcpy(want[i], s.colors[which], 4);
        }
        conform_check(c);
        expect_fetched(c, &s, indices, want);
    }
}

/// Entries written on the GPU are those of what follows, not of what was before.
void case_heap_written_on_the_gpu(struct conform *c)
{
    struct scene s;
    uint32_t indices[COUNT];
    uint8_t want[COUNT][4];
    make(c, &s);
    const weft_heap_range range = make_range(c, COUNT);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t which = i * 3 % TEXTURES;
        weft_compute_write_heap(enc, range, i, s.views[which], (weft_sampler){0});
        indices[i] = weft_heap_range_first(conform_device(c), range) + i;
        memcpy(want[i], s.colors[which], 4);
    }
    weft_compute_end(enc);
    conform_barrier(cmd);
    conform_submit(c, cmd);
    expect_fetched(c, &s, indices, want);
}

/// A pipeline may know the heap although nothing ever was in it.
void case_heap_unread(struct conform *c)
{
    const uint32_t read = 0, want = 7;
    const weft_compute_pipeline pipeline = conform_compute(c, CONFORM_SHADER(c, heap_unread_comp));
    const weft_buffer result = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof want, NULL);
    const weft_argument_table table =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), pipeline, 0),
                      &(weft_argument_write){.buffer = result}, 1);
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_set_root(enc, 0, &read, sizeof read);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    conform_expect_bytes(c, result, 0, &want, sizeof want);
}

void case_heap_refusals(struct conform *c)
{
    struct scene s;
    make(c, &s);
    weft_device *const device = conform_device(c);
    const weft_heap_range range = make_range(c, 4);
    weft_heap_range_write(device, range, 4, s.views[0], (weft_sampler){0});
    conform_expect_rule(c, WEFT_RULE_HEAP_ELEMENT);
    CONFORM_EXPECT(c, weft_texture_view_index(device, s.views[0], WEFT_HEAP_STORAGE) == UINT32_MAX);
    conform_expect_rule(c, WEFT_RULE_HEAP_VIEW_USAGE);
    weft_heap_range empty;
    weft_heap_range_create(device, WEFT_HEAP_SAMPLED, 0, &empty);
    conform_expect_rule(c, WEFT_RULE_HEAP_RANGE_COUNT);
}
