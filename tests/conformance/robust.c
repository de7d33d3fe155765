// What lies outside: reads give zeros, writes are dropped. The software device promises it; of
// every other one, that nothing beside is touched.
#include "cases.h"
#include "model.h"
#include "probe.h"

#include <string.h>

#include "buffer_edges.comp.spv.h"
#include "image_edges.comp.spv.h"
#include "sample_2d.comp.spv.h"
#include "sample_2d_array.comp.spv.h"

enum { COUNT = 16 };

// ---- texels ------------------------------------------------------------------------------------

/// Color 0; alpha 0 or 1, as the Vulkan specification has it for robust access.
static void expect_zeros(struct conform *c, const float (*got)[4], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (got[i][0] != 0 || got[i][1] != 0 || got[i][2] != 0 ||
            (got[i][3] != 0 && got[i][3] != 1))
            conform_fail(c, "probe %u gives (%.6g, %.6g, %.6g, %.6g) from outside", i, got[i][0],
                         got[i][1], got[i][2], got[i][3]);
}

static weft_texture_view white(struct conform *c, uint32_t layers)
{
    struct conform_model model;
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                                .width = 5,
                                                .height = 3,
                                                .mips = 2,
                                                .layers = layers});
    for (uint32_t mip = 0; mip < 2; mip++) {
        conform_model_init(&model, WEFT_FORMAT_RGBA8_UNORM, 5 >> mip, 3 >> mip, layers);
        memset(model.data, 255, conform_model_size(&model));
        conform_model_upload(c, &model, texture, mip, 0);
    }
    return conform_view(c, texture);
}

void case_robust_fetch(struct conform *c)
{
    static const struct conform_probe probes[] = {
        {.at = {-1, 0}},        {.at = {5, 0}},          {.at = {0, -1}},
        {.at = {0, 3}},         {.at = {2, 0, 0, 1}},    {.at = {0, 1, 0, 1}},
        {.at = {0, 0, 0, 2}},   {.at = {0, 0, 0, -1}},   {.at = {2e9f, 0}},
        {.at = {-2e9f, -2e9f}}, {.at = {0, 0, 0, 2e9f}}, {.at = {65536, 65536}}};
    enum { PROBES = sizeof probes / sizeof *probes };
    const struct conform_probed probed = {.pipeline =
                                              conform_compute(c, CONFORM_SHADER(c, sample_2d_comp)),
                                          .view = white(c, 1),
                                          .sampler = conform_sampler(c, &(weft_sampler_desc){0}),
                                          .op = CONFORM_PROBE_FETCH};
    float got[PROBES][4];
    if (conform_probe(c, &probed, probes, PROBES, got) && conform_exact(c))
        expect_zeros(c, (const float(*)[4])got, PROBES);
}

void case_robust_fetch_of_layers(struct conform *c)
{
    static const struct conform_probe probes[] = {{.at = {0, 0, -1}},
                                                  {.at = {0, 0, 3}},
                                                  {.at = {0, 0, 2e9f}},
                                                  {.at = {0, 0, 3, 1}},
                                                  {.at = {5, 0, 1}}};
    enum { PROBES = sizeof probes / sizeof *probes };
    const struct conform_probed probed = {
        .pipeline = conform_compute(c, CONFORM_SHADER(c, sample_2d_array_comp)),
        .view = white(c, 3),
        .sampler = conform_sampler(c, &(weft_sampler_desc){0}),
        .op = CONFORM_PROBE_FETCH};
    float got[PROBES][4];
    if (conform_probe(c, &probed, probes, PROBES, got) && conform_exact(c))
        expect_zeros(c, (const float(*)[4])got, PROBES);
}

/// A shader of *_edges.comp, its places and its results.
struct edges {
    weft_compute_pipeline pipeline;
    weft_buffer places, results;
};

static void make_edges(struct conform *c, struct edges *e, weft_shader shader, const void *places,
                       size_t size)
{
    uint32_t marks[COUNT];
    memset(marks, 0x55, sizeof marks);
    e->pipeline = conform_compute(c, shader);
    e->places = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, size, places);
    e->results = conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE, sizeof marks, marks);
}

/// Runs operation `op`; writes[0] and [1] are filled in.
static void run_edges(struct conform *c, const struct edges *e, uint32_t op,
                      weft_argument_write *writes, uint32_t count)
{
    writes[0] = (weft_argument_write){.binding = 0, .buffer = e->places};
    writes[1] = (weft_argument_write){.binding = 1, .buffer = e->results};
    const weft_argument_table table = conform_table(
        c, weft_compute_pipeline_layout(conform_device(c), e->pipeline, 0), writes, count);
    weft_command_buffer *cmd = conform_begin(c);
    conform_barrier(cmd);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, e->pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_set_root(enc, 0, &op, sizeof op);
    weft_compute_dispatch(enc, 1, 1, 1);
    weft_compute_end(enc);
    conform_barrier(cmd);
    conform_submit(c, cmd);
}

/// Results are zero, the first `inside` ones apart, which are `first`, counting up.
static void expect_results(struct conform *c, const struct edges *e, uint32_t inside,
                           uint32_t first)
{
    uint32_t want[COUNT] = {0};
    for (uint32_t i = 0; i < inside; i++)
        want[i] = first + i;
    if (conform_exact(c))
        conform_expect_bytes(c, e->results, 0, want, sizeof want);
    else
        conform_expect_bytes(c, e->results, 0, want, inside * sizeof *want);
}

void case_robust_storage_texture(struct conform *c)
{
    enum { INSIDE = 3, W = 4, H = 3, LAYERS = 3 };
    static const int32_t places[COUNT][2] = {
        {0, 0},         {3, 0},         {1, 2},         {-1, 0},
        {4, 0},         {0, -1},        {0, 3},         {4, 3},
        {INT32_MAX, 0}, {INT32_MIN, 0}, {0, 65536},     {65536, 65536},
        {-1, -1},       {1 << 30, 1},   {0, INT32_MIN}, {0x40000000, 0x40000000}};
    struct conform_model model;
    struct edges e;
    conform_model_init(&model, WEFT_FORMAT_R32_UINT, W, H, LAYERS);
    const weft_texture texture =
        conform_texture(c, &(weft_texture_desc){.format = WEFT_FORMAT_R32_UINT,
                                                .width = W,
                                                .height = H,
                                                .layers = LAYERS,
                                                .usage = WEFT_TEXTURE_USAGE_STORAGE});
    for (uint32_t i = 0; i < W * H * LAYERS; i++)
        memcpy(model.data + (size_t)i * 4, &(uint32_t){7}, 4);
    conform_model_upload(c, &model, texture, 0, 0);
    make_edges(c, &e, CONFORM_SHADER(c, image_edges_comp), places, sizeof places);
    // the middle layer: what is beside is before and behind in memory
    weft_argument_write writes[3] = {
        [2] = {.binding = 2,
               .view = conform_view_of(c, &(weft_texture_view_desc){.texture = texture,
                                                                    .kind = WEFT_VIEW_2D,
                                                                    .layer = 1,
                                                                    .layer_count = 1})}};
    run_edges(c, &e, 1, writes, 3); // stores
    for (uint32_t i = 0; i < INSIDE; i++)
        memcpy(conform_model_at(&model, (uint32_t)places[i][0], (uint32_t)places[i][1], 1),
               &(uint32_t){1000 + i}, 4);
    conform_model_expect(c, &model, texture, 0, 0);
    run_edges(c, &e, 0, writes, 3); // loads
    expect_results(c, &e, INSIDE, 1000);
    run_edges(c, &e, 2, writes, 3); // adds one
    expect_results(c, &e, INSIDE, 1000);
    for (uint32_t i = 0; i < INSIDE; i++)
        memcpy(conform_model_at(&model, (uint32_t)places[i][0], (uint32_t)places[i][1], 1),
               &(uint32_t){1001 + i}, 4);
    conform_model_expect(c, &model, texture, 0, 0);
}

// ---- buffers -----------------------------------------------------------------------------------

enum { WORDS = 256, FIRST = 64, WINDOW = 64 }; ///< Words: of the buffer, and bound of it.
enum { FIRST_BYTE = 4 * FIRST, WINDOW_BYTES = 4 * WINDOW };

/// Word i is 1 + i.
static weft_buffer numbered(struct conform *c, uint32_t words[WORDS])
{
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = 1 + i;
    return conform_buffer(c, WEFT_BUFFER_USAGE_STORAGE | WEFT_BUFFER_USAGE_UNIFORM,
                          sizeof(uint32_t[WORDS]), words);
}

static const uint32_t word_places[COUNT] = {
    0,        1,        2,          WINDOW,     WINDOW + 1, WORDS - FIRST, WORDS,      WORDS * 64,
    1u << 28, 1u << 30, UINT32_MAX, 0u - FIRST, 1u << 31,   0x3fffffffu,   0x7fffffff, 0xfffffff0};

/// Drivers may take 32 bits of the place in bytes, so that 2^30 words on is here again.
static const uint32_t near_places[COUNT] = {
    0,        1,        2,         WINDOW,    WINDOW + 1, WORDS - FIRST, WORDS,    WORDS * 64,
    1u << 28, 1u << 29, WORDS + 1, WORDS + 2, 1u << 26,   1u << 27,      1u << 25, 1u << 24};

enum { WITHIN = 3 }; ///< The first places.

/// A window of a numbered buffer, and which places of it are asked for.
struct window {
    struct edges e;
    weft_buffer buffer;
    uint32_t words[WORDS];
    weft_argument_write writes[4];
};

static void make_window(struct conform *c, struct window *w)
{
    const uint32_t *places = conform_exact(c) ? word_places : near_places;
    w->buffer = numbered(c, w->words);
    make_edges(c, &w->e, CONFORM_SHADER(c, buffer_edges_comp), places, sizeof word_places);
    w->writes[2] = (weft_argument_write){
        .binding = 2, .buffer = w->buffer, .offset = FIRST_BYTE, .size = WINDOW_BYTES};
    w->writes[3] = (weft_argument_write){.binding = 3, .buffer = w->buffer, .size = 64};
}

void case_robust_storage_buffer(struct conform *c)
{
    struct window w;
    make_window(c, &w);
    run_edges(c, &w.e, 0, w.writes, 4);
    expect_results(c, &w.e, WITHIN, 1 + FIRST);
    run_edges(c, &w.e, 1, w.writes, 4); // writes
    for (uint32_t i = 0; i < WITHIN; i++)
        w.words[FIRST + i] = 0xdead0000u + i;
    conform_expect_bytes(c, w.buffer, 0, w.words, sizeof w.words);
}

void case_robust_storage_buffer_atomics(struct conform *c)
{
    struct window w;
    make_window(c, &w);
    run_edges(c, &w.e, 2, w.writes, 4); // adds 7
    expect_results(c, &w.e, WITHIN, 1 + FIRST);
    for (uint32_t i = 0; i < WITHIN; i++)
        w.words[FIRST + i] += 7;
    conform_expect_bytes(c, w.buffer, 0, w.words, sizeof w.words);
}

/// The length of a runtime array is that of the window.
void case_robust_length(struct conform *c)
{
    uint32_t words[WORDS], want[COUNT];
    struct edges e;
    const weft_buffer buffer = numbered(c, words);
    make_edges(c, &e, CONFORM_SHADER(c, buffer_edges_comp), word_places, sizeof word_places);
    for (uint32_t i = 0; i < COUNT; i++)
        want[i] = WINDOW;
    weft_argument_write writes[4] = {
        [2] = {.binding = 2, .buffer = buffer, .offset = FIRST_BYTE, .size = WINDOW_BYTES},
        [3] = {.binding = 3, .buffer = buffer, .size = 64}};
    run_edges(c, &e, 4, writes, 4);
    conform_expect_bytes(c, e.results, 0, want, sizeof want);
}

void case_robust_uniform_buffer(struct conform *c)
{
    enum { INSIDE = 1 };
    static const uint32_t places[COUNT] = {0,        4,        5,        63,         64,   1u << 20,
                                           1u << 26, 1u << 27, 1u << 28, UINT32_MAX, 1000, 100,
                                           16,       15,       8,        0x7fffffff};
    uint32_t words[WORDS];
    struct edges e;
    const weft_buffer buffer = numbered(c, words);
    make_edges(c, &e, CONFORM_SHADER(c, buffer_edges_comp), places, sizeof places);
    weft_argument_write writes[4] = {
        [2] = {.binding = 2, .buffer = buffer, .size = WINDOW_BYTES},
        [3] = {.binding = 3, .buffer = buffer, .offset = FIRST_BYTE, .size = 64}};
    run_edges(c, &e, 3, writes, 4);
    expect_results(c, &e, INSIDE, 1 + FIRST);
}

// ---- windows -----------------------------------------------------------------------------------

/// A layout for buffer_edges.comp whose window and block move with the offsets that are given.
static weft_argument_layout moving_layout(struct conform *c)
{
    static const weft_argument arguments[] = {
        {.binding = 0, .type = WEFT_ARGUMENT_STORAGE_BUFFER, .flags = WEFT_ARGUMENT_READ_ONLY},
        {.binding = 1, .type = WEFT_ARGUMENT_STORAGE_BUFFER},
        {.binding = 2, .type = WEFT_ARGUMENT_STORAGE_BUFFER, .flags = WEFT_ARGUMENT_DYNAMIC},
        {.binding = 3, .type = WEFT_ARGUMENT_UNIFORM_BUFFER, .flags = WEFT_ARGUMENT_DYNAMIC}};
    weft_argument_layout layout;
    weft_argument_layout_create(
        conform_device(c),
        &(weft_argument_layout_desc){.arguments = arguments, .argument_count = 4}, &layout);
    conform_check(c);
    return layout;
}

enum { WINDOWS = 4 }; ///< Of 256 bytes, which every device can align to.

struct windows {
    struct edges e;
    weft_buffer buffer;
    weft_argument_table table;
    uint32_t words[WORDS];
};

static void make_windows(struct conform *c, struct windows *w, const uint32_t places[COUNT])
{
    const weft_argument_layout layout = moving_layout(c);
    const weft_shader shader = CONFORM_SHADER(c, buffer_edges_comp);
    w->buffer = numbered(c, w->words);
    make_edges(c, &w->e, shader, places, COUNT * sizeof *places);
    weft_compute_pipeline_create(
        conform_device(c),
        &(weft_compute_pipeline_desc){.compute = {.shader = shader}, .layouts = {layout}},
        &w->e.pipeline);
    const weft_argument_write writes[] = {{.binding = 0, .buffer = w->e.places},
                                          {.binding = 1, .buffer = w->e.results},
                                          {.binding = 2, .buffer = w->buffer, .size = WINDOW_BYTES},
                                          {.binding = 3, .buffer = w->buffer, .size = 64}};
    w->table = conform_table(c, layout, writes, 4);
}

/// One table, set once for each window, and an operation in each.
static void run_windows(struct conform *c, const struct windows *w, uint32_t op,
                        const uint32_t *which, uint32_t count)
{
    weft_command_buffer *cmd = conform_begin(c);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t offsets[2] = {which[i] * WINDOW_BYTES, which[i] * WINDOW_BYTES};
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_set_pipeline(enc, w->e.pipeline);
        weft_compute_set_arguments(enc, 0, w->table, offsets, 2);
        weft_compute_set_root(enc, 0, &op, sizeof op);
        weft_compute_dispatch(enc, 1, 1, 1);
        weft_compute_end(enc);
        conform_barrier(cmd);
    }
    conform_submit(c, cmd);
}

/// The shader writes far beyond each window: only their own first three words change.
void case_dynamic_window_writes(struct conform *c)
{
    static const uint32_t which[] = {2, 0};
    struct windows w;
    make_windows(c, &w, conform_exact(c) ? word_places : near_places);
    run_windows(c, &w, 1, which, 2);
    for (uint32_t i = 0; i < 6; i++)
        w.words[which[i / 3] * WINDOW + i % 3] = 0xdead0000u + i % 3;
    conform_expect_bytes(c, w.buffer, 0, w.words, sizeof w.words);
}

void case_dynamic_window_reads(struct conform *c)
{
    static const uint32_t places[COUNT] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    struct windows w;
    make_windows(c, &w, places);
    for (uint32_t i = 0; i < WINDOWS; i++) {
        run_windows(c, &w, 0, &i, 1);
        conform_expect_bytes(c, w.e.results, 0, w.words + (size_t)i * WINDOW,
                             COUNT * sizeof *w.words);
    }
}

/// Both move: the block of a uniform buffer, which has four rows of four words.
void case_dynamic_window_uniform(struct conform *c)
{
    static const uint32_t places[COUNT] = {0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0};
    struct windows w;
    make_windows(c, &w, places);
    for (uint32_t i = 0; i < WINDOWS; i++) {
        uint32_t want[COUNT];
        for (uint32_t k = 0; k < COUNT; k++)
            want[k] = 1 + i * WINDOW + 4 * places[k];
        run_windows(c, &w, 3, &i, 1);
        conform_expect_bytes(c, w.e.results, 0, want, sizeof want);
    }
}

void case_dynamic_window_refusals(struct conform *c)
{
    static const uint32_t outside[2] = {WINDOWS * WINDOW_BYTES, 0}, odd[2] = {1, 0};
    struct windows w;
    make_windows(c, &w, word_places);
    for (uint32_t i = 0; i < 3; i++) {
        weft_command_buffer *cmd = conform_begin(c);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_set_pipeline(enc, w.e.pipeline);
        weft_compute_set_arguments(enc, 0, w.table, i == 0 ? outside : odd, i == 2 ? 1 : 2);
        weft_compute_end(enc);
        CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_ERROR_USAGE);
        conform_expect_rule(c, i == 2 ? WEFT_RULE_DYNAMIC_OFFSET_COUNT : WEFT_RULE_DYNAMIC_OFFSET);
    }
}
