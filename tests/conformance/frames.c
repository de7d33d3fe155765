// Frames: quads, clips, layers and the order that they ask for, passes that read each other, and a
// surface that is presented.
#include "cases.h"
#include "draw.h"

#include "consumed.comp.spv.h"

#include <string.h>

enum { SIZE = 16 };

static weft_frame *begin(struct conform *c, weft_surface surface)
{
    weft_frame *frame;
    weft_frame_begin(conform_device(c),
                     &(weft_frame_desc){.surface = surface, .flags = WEFT_FRAME_CHECK}, &frame);
    conform_check(c);
    return frame;
}

/// Submits, and waits for all of it.
static void end(struct conform *c, weft_frame *frame)
{
    const weft_result result = weft_frame_submit(frame, NULL);
    conform_check(c);
    CONFORM_EXPECT(c, result == WEFT_OK);
    weft_device_wait_idle(conform_device(c));
    conform_check(c);
}

/// A pass on a target's view, cleared to black.
static weft_target begin_pass(weft_frame *frame, weft_target target)
{
    return weft_frame_target_begin(
        frame, target,
        &(weft_target_ops){.load = WEFT_LOAD_CLEAR, .clear[0] = {.f = {0, 0, 0, 1}}});
}

static weft_target target_of(weft_frame *frame, weft_texture_view view)
{
    return weft_frame_offscreen_target(frame, &(weft_target_desc){.colors = {view}});
}

/// A quad of the target's texels in shades of red, or with green.
static void draw_quad(weft_frame *frame, const weft_rect *rect, const float color[4], uint64_t key)
{
    const weft_quad quad = {(float)rect->x,
                            (float)rect->y,
                            (float)rect->width,
                            (float)rect->height,
                            0,
                            0,
                            1,
                            1,
                            {color[0], color[1], color[2], color[3]}};
    weft_frame_draw_quads(frame,
                          &(weft_quads_packet){.quads = &quad, .quad_count = 1, .sort_key = key});
}

static bool within(const weft_rect *r, uint32_t x, uint32_t y)
{
    return (int32_t)x >= r->x && (int32_t)y >= r->y && (int32_t)x < r->x + (int32_t)r->width &&
           (int32_t)y < r->y + (int32_t)r->height;
}

/// Rectangles with a color each; the last one that a texel is in counts.
struct picture {
    weft_rect rects[8];
    float colors[8][4];
    uint32_t count;
};

static struct conform_texel painted(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct picture *p = user;
    struct conform_texel out = {{0, 0, 0, 1}};
    (void)z;
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < 4 && within(&p->rects[i], x, y); k++)
            out.v[k] = p->colors[i][k];
    return out;
}

static void paint(struct picture *p, weft_rect rect, float red, float green)
{
    p->rects[p->count] = rect;
    p->colors[p->count][0] = red;
    p->colors[p->count][1] = green;
    p->colors[p->count++][3] = 1;
}

// ---- quads -------------------------------------------------------------------------------------

void case_frame_quads(struct conform *c)
{
    const weft_rect all = {0, 0, SIZE, SIZE}, left = {2, 3, 5, 9}, over = {5, 1, 8, 4};
    const weft_texture texture = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    weft_frame *frame = begin(c, (weft_surface){0});
    const weft_target pass = begin_pass(frame, target_of(frame, conform_view(c, texture)));
    draw_quad(frame, &all, (const float[4]){1, 0, 0, 1}, 0);
    draw_quad(frame, &left, (const float[4]){0, 1, 0, 1}, 0);
    draw_quad(frame, &over, (const float[4]){0, 0, 0, 0.5F}, 0); // half of what is below
    weft_frame_target_end(frame, pass);
    end(c, frame);
    struct picture p = {.count = 0};
    paint(&p, all, 1, 0);
    paint(&p, left, 0, 1);
    paint(&p, over, 0.5F, 0);
    paint(&p, (weft_rect){5, 3, 2, 2}, 0, 0.5F);
    conform_expect_texels(c, texture, NULL, painted, &p, 0.6 / 255);
}

/// Clips intersect with those around them; an empty one hides all.
void case_frame_clips(struct conform *c)
{
    const weft_rect all = {0, 0, SIZE, SIZE};
    const weft_texture texture = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    weft_frame *frame = begin(c, (weft_surface){0});
    const weft_target pass = begin_pass(frame, target_of(frame, conform_view(c, texture)));
    weft_frame_clip_push(frame, &(weft_rect){2, 2, 10, 10});
    draw_quad(frame, &all, (const float[4]){1, 0, 0, 1}, 0);
    weft_frame_clip_push(frame, &(weft_rect){6, -5, 100, 12});
    draw_quad(frame, &all, (const float[4]){0, 1, 0, 1}, 0);
    weft_frame_clip_push(frame, &(weft_rect){13, 0, 3, 16});
    draw_quad(frame, &all, (const float[4]){1, 1, 0, 1}, 0);
    weft_frame_clip_pop(frame);
    weft_frame_clip_pop(frame);
    weft_frame_clip_pop(frame);
    draw_quad(frame, &(weft_rect){0, 0, 1, 1}, (const float[4]){0.5F, 0.5F, 0, 1}, 0);
    weft_frame_target_end(frame, pass);
    end(c, frame);
    struct picture p = {.count = 0};
    paint(&p, (weft_rect){2, 2, 10, 10}, 1, 0);
    paint(&p, (weft_rect){6, 2, 6, 5}, 0, 1);
    paint(&p, (weft_rect){0, 0, 1, 1}, 0.5F, 0.5F);
    conform_expect_texels(c, texture, NULL, painted, &p, 0.6 / 255);
}

// ---- order -------------------------------------------------------------------------------------

static void layer(weft_frame *frame, int32_t base, weft_order order, const uint64_t keys[3],
                  float green)
{
    weft_frame_layer_push(frame,
                          &(weft_layer_desc){.name = "layer", .sort_base = base, .order = order});
    for (uint32_t i = 0; i < 3; i++)
        draw_quad(frame, &(weft_rect){0, 0, SIZE, SIZE},
                  (const float[4]){(float)(i + 1) / 4, green, 0, 1}, keys[i]);
    weft_frame_layer_pop(frame);
}

/// Everything covers everything: what is drawn last is seen. Layers go by their base, not by when
/// they were pushed; inside, by sequence or by key.
static void expect_last(struct conform *c, weft_order order, const uint64_t keys[3], float red)
{
    const weft_texture texture = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    weft_frame *frame = begin(c, (weft_surface){0});
    const weft_target pass = begin_pass(frame, target_of(frame, conform_view(c, texture)));
    layer(frame, 7, order, keys, 1);
    layer(frame, -3, WEFT_ORDER_STRICT, keys, 0.5F);
    layer(frame, 2, WEFT_ORDER_LAYERED, keys, 0.25F);
    weft_frame_target_end(frame, pass);
    end(c, frame);
    conform_expect_color(c, texture, (const double[4]){red, 1, 0, 1}, 0.6 / 255);
}

void case_frame_order(struct conform *c)
{
    static const uint64_t keys[3] = {5, 9, 1}, equal[3] = {4, 4, 4};
    expect_last(c, WEFT_ORDER_STRICT, keys, 0.75F);
    expect_last(c, WEFT_ORDER_LAYERED, keys, 0.75F);
    expect_last(c, WEFT_ORDER_SORTABLE, keys, 0.5F);
    expect_last(c, WEFT_ORDER_DEPTH, keys, 0.5F);
    expect_last(c, WEFT_ORDER_SORTABLE, equal, 0.75F); // then by sequence
}

// ---- passes ------------------------------------------------------------------------------------

/// A pass on a texture of the frame's own, which the next pass shows twice as large.
void case_frame_passes(struct conform *c)
{
    const weft_texture texture = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    const weft_sampler nearest = conform_sampler(c, &(weft_sampler_desc){0});
    weft_frame *frame = begin(c, (weft_surface){0});
    const weft_target small = weft_frame_offscreen_target(
        frame, &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM},
                                   .width = SIZE / 2,
                                   .height = SIZE / 2});
    weft_target pass = begin_pass(frame, small);
    draw_quad(frame, &(weft_rect){1, 2, 3, 4}, (const float[4]){1, 0, 0, 1}, 0);
    weft_frame_target_end(frame, pass);
    pass = begin_pass(frame, target_of(frame, conform_view(c, texture)));
    const weft_quad quad = {0, 0, SIZE, SIZE, 0, 0, 1, 1, {1, 1, 1, 1}};
    weft_frame_draw_quads(frame,
                          &(weft_quads_packet){.view = weft_frame_target_view(frame, small, 0),
                                               .sampler = nearest,
                                               .quads = &quad,
                                               .quad_count = 1});
    weft_frame_target_end(frame, pass);
    end(c, frame);
    struct picture p = {.count = 0};
    paint(&p, (weft_rect){2, 4, 6, 8}, 1, 0);
    conform_expect_texels(c, texture, NULL, painted, &p, 0.6 / 255);
}

// ---- dispatches --------------------------------------------------------------------------------

/// What consumed.comp writes, round by round, and draws of it.
struct computed {
    weft_compute_pipeline writer;
    weft_argument_table written;
    weft_material reader;
    weft_buffer vertices, indices, arguments;
    weft_texture target;
};

static void make_computed(struct conform *c, struct computed *s, uint32_t samples)
{
    const weft_buffer_usage storage = WEFT_BUFFER_USAGE_STORAGE;
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}, .samples = samples};
    conform_need_format(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_CAN_STORE);
    conform_vertex_shaders(c, &desc);
    s->writer = conform_compute(c, CONFORM_SHADER(c, consumed_comp));
    s->vertices = conform_buffer(c, storage | WEFT_BUFFER_USAGE_VERTEX,
                                 12 * sizeof(struct conform_vertex), NULL);
    s->indices = conform_buffer(c, storage | WEFT_BUFFER_USAGE_INDEX, 12 * sizeof(uint32_t), NULL);
    s->arguments = conform_buffer(c, storage | WEFT_BUFFER_USAGE_INDIRECT,
                                  sizeof(weft_draw_indexed_indirect_args), NULL);
    s->target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    const weft_texture image = conform_texture(
        c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                .usage = WEFT_TEXTURE_USAGE_STORAGE | WEFT_TEXTURE_USAGE_SAMPLED});
    const weft_argument_write written[] = {
        {.binding = 0, .buffer = s->vertices},
        {.binding = 1, .buffer = s->indices},
        {.binding = 2, .buffer = s->arguments},
        {.binding = 3, .buffer = conform_buffer(c, storage, 16, NULL)},
        {.binding = 4, .view = conform_view(c, image)}};
    s->written =
        conform_table(c, weft_compute_pipeline_layout(conform_device(c), s->writer, 0), written, 5);
    weft_material_create(conform_device(c),
                         &(weft_material_desc){.pipeline = conform_pipeline(c, &desc),
                                               .transform_offset = WEFT_NO_TRANSFORM},
                         &s->reader);
    conform_check(c);
}

/// Writes the cell of `round`: vertices, indices and the arguments of their draw.
static void write_cell(weft_frame *frame, const struct computed *s, uint32_t round)
{
    weft_frame_dispatch(frame, &(weft_dispatch_packet){.pipeline = s->writer,
                                                       .arguments = {s->written},
                                                       .groups = {1, 1, 1},
                                                       .root = &round,
                                                       .root_size = sizeof round});
}

static void draw_cell(weft_frame *frame, const struct computed *s)
{
    const weft_stream_view stream = {0, s->vertices, 0};
    weft_frame_draw(frame, &(weft_draw_packet){.material = s->reader,
                                               .geometry = {.streams = &stream,
                                                            .stream_count = 1,
                                                            .indices = s->indices,
                                                            .index_type = WEFT_INDEX_UINT32},
                                               .indirect = {.buffer = s->arguments}});
}

/// The first `*user` cells of the grid, whose first row is the lowest one.
static struct conform_texel cells(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t round = (SIZE - 1 - y) * SIZE + x;
    const double v = (round + 1) / 255.0;
    (void)z;
    return round < *(const uint32_t *)user ? (struct conform_texel){{v, v, v, v}}
                                           : (struct conform_texel){{0, 0, 0, 1}};
}

/// Vertices, indices and arguments that a dispatch writes and the next pass draws from, again and
/// again in the same memory.
void case_frame_dispatches(struct conform *c)
{
    struct computed s;
    uint32_t rounds = 40;
    make_computed(c, &s, 1);
    weft_frame *frame = begin(c, (weft_surface){0});
    const weft_target target = target_of(frame, conform_view(c, s.target));
    for (uint32_t i = 0; i < rounds; i++) {
        write_cell(frame, &s, i);
        const weft_target pass =
            i == 0 ? begin_pass(frame, target)
                   : weft_frame_target_begin(frame, target,
                                             &(weft_target_ops){.load = WEFT_LOAD_LOAD});
        draw_cell(frame, &s);
        weft_frame_target_end(frame, pass);
    }
    end(c, frame);
    conform_expect_texels(c, s.target, NULL, cells, &rounds, 1e-6);
}

/// One pass: a cell is written and drawn; one in memory of its own, whose dispatch goes before the
/// pass; and one in the memory of the first, where the pass is split.
static void draw_in_one_pass(struct conform *c, uint32_t samples)
{
    struct computed s, other;
    uint32_t rounds = 3;
    make_computed(c, &s, samples);
    make_computed(c, &other, samples);
    weft_frame *frame = begin(c, (weft_surface){0});
    const weft_target pass = weft_frame_target_begin(
        frame, target_of(frame, conform_view(c, s.target)),
        &(weft_target_ops){
            .load = WEFT_LOAD_CLEAR, .clear[0] = {.f = {0, 0, 0, 1}}, .samples = samples});
    for (uint32_t i = 0; i < rounds; i++) {
        write_cell(frame, i == 1 ? &other : &s, i);
        draw_cell(frame, i == 1 ? &other : &s);
    }
    weft_frame_target_end(frame, pass);
    const weft_frame_report *report;
    CONFORM_EXPECT(c, weft_frame_submit(frame, &report) == WEFT_OK);
    conform_check(c);
    CONFORM_EXPECT(c, report->pass_count == 1 && report->passes[0].parts == 2);
    CONFORM_EXPECT(c, report->packets[2].position == 1);
    conform_expect_texels(c, s.target, NULL, cells, &rounds, 1e-6);
}

void case_frame_split(struct conform *c)
{
    draw_in_one_pass(c, 1);
}

/// What is kept between the parts is every sample, which only the last part resolves.
void case_frame_split_samples(struct conform *c)
{
    draw_in_one_pass(c, 4);
}

static void copy_buffers(weft_command_buffer *cmd, void *user)
{
    const struct computed *s = user;
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_buffer(enc, s[1].vertices, 0, s[0].vertices, 0,
                             12 * sizeof(struct conform_vertex));
    weft_compute_copy_buffer(enc, s[1].indices, 0, s[0].indices, 0, 12 * sizeof(uint32_t));
    weft_compute_copy_buffer(enc, s[1].arguments, 0, s[0].arguments, 0,
                             sizeof(weft_draw_indexed_indirect_args));
    weft_compute_end(enc);
}

/// Between two draws of one pass from the same memory the host copies what a dispatch wrote into
/// it.
void case_frame_recorded(struct conform *c)
{
    struct computed s[2];
    uint32_t rounds = 2;
    make_computed(c, &s[0], 1);
    make_computed(c, &s[1], 1);
    const weft_access accesses[] = {
        {.kind = WEFT_ACCESS_STORAGE_WRITE, .buffer = s[0].vertices},
        {.kind = WEFT_ACCESS_STORAGE_WRITE, .buffer = s[0].indices},
        {.kind = WEFT_ACCESS_STORAGE_WRITE, .buffer = s[0].arguments},
        {.kind = WEFT_ACCESS_STORAGE_READ, .buffer = s[1].vertices},
        {.kind = WEFT_ACCESS_STORAGE_READ, .buffer = s[1].indices},
        {.kind = WEFT_ACCESS_STORAGE_READ, .buffer = s[1].arguments},
    };
    weft_frame *frame = begin(c, (weft_surface){0});
    const weft_target pass = begin_pass(frame, target_of(frame, conform_view(c, s[0].target)));
    write_cell(frame, &s[0], 0);
    draw_cell(frame, &s[0]);
    write_cell(frame, &s[1], 1);
    weft_frame_record(frame, &(weft_record_packet){.accesses = accesses,
                                                   .access_count = 6,
                                                   .fn = copy_buffers,
                                                   .user = s,
                                                   .label = "copy"});
    draw_cell(frame, &s[0]);
    weft_frame_target_end(frame, pass);
    end(c, frame);
    conform_expect_texels(c, s[0].target, NULL, cells, &rounds, 1e-6);
}

// ---- surfaces ----------------------------------------------------------------------------------

/// The present target is the surface's image; a frame that is dropped presents nothing.
void case_frame_presented(struct conform *c)
{
    weft_device *const device = conform_device(c);
    weft_surface surface;
    weft_surface_create(device, &(weft_surface_desc){.label = "picture"}, &surface);
    weft_surface_configure(
        device, surface,
        &(weft_surface_config){.width = 4, .height = 4, .format = WEFT_FORMAT_RGBA8_UNORM});
    conform_check(c);
    for (uint32_t i = 0; i < 6; i++) {
        weft_frame *frame = begin(c, surface);
        const weft_target pass = begin_pass(frame, weft_frame_present_target(frame));
        draw_quad(frame, &(weft_rect){0, 0, 4, 4}, (const float[4]){(float)i / 255, 1, 0, 1}, 0);
        weft_frame_target_end(frame, pass);
        if (i % 3 == 2)
            weft_frame_cancel(frame);
        else
            end(c, frame);
        uint8_t got[16][4];
        if (!conform_draws(c))
            continue;
        CONFORM_EXPECT(c, weft_surface_read(device, surface, got, sizeof got) == WEFT_OK);
        const uint8_t shown = (uint8_t)(i % 3 == 2 ? i - 1 : i);
        for (uint32_t k = 0; k < 16; k++)
            CONFORM_EXPECT(c, memcmp(got[k], (const uint8_t[4]){shown, 255, 0, 255}, 4) == 0);
    }
}
