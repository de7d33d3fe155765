// What the frame layer costs for each packet, on the noop device: meshes in random order over 8
// layers and 64 materials, in instructions (callgrind: the program runs itself) and nanoseconds,
// phase by phase, beside the C library's qsort over the same keys. usage: bench_frame [PACKETS]
//
// SORTABLE layers are there to gather materials: "by material", with equal keys, is what the aims
// are for. "by depth" has 16 random bits as keys: nearly every draw is of another material.
#include "common.h"

#include "frame.frag.spv.h"
#include "frame.vert.spv.h"

#include <stdio.h>
#include <stdlib.h>

enum { LAYERS = 8, PIPELINES = 8, MATERIALS = 64, WARM = 3, FRAMES = 9, SIDE = 64 };

/// What a packet draws.
struct choice {
    uint32_t layer, material, key;
};

struct scene {
    weft_device *device;
    weft_texture_view view;
    weft_buffer vertices, indices;
    weft_material materials[MATERIALS];
    uint64_t *random; ///< By packet: layer, material and depth.
    uint32_t count;
    bool by_depth;
};

static struct choice choose(const struct scene *s, uint32_t i)
{
    const uint64_t r = s->random[i];
    return (struct choice){.layer = r % LAYERS,
                           .material = r / LAYERS % MATERIALS,
                           .key = s->by_depth ? (uint32_t)(r >> 48) : 0};
}

static weft_graphics_pipeline make_pipeline(struct scene *s, weft_shader vertex, weft_shader pixel)
{
    static const weft_vertex_stream stream = {.stride = 16};
    static const weft_vertex_attribute position = {.format = WEFT_VERTEX_FORMAT_FLOAT32X4};
    const weft_graphics_pipeline_desc desc = {
        .vertex = {.shader = vertex},
        .fragment = {.shader = pixel},
        .streams = &stream,
        .stream_count = 1,
        .attributes = &position,
        .attribute_count = 1,
        .colors = {WEFT_FORMAT_RGBA8_UNORM},
    };
    weft_graphics_pipeline out;
    bench_check(weft_graphics_pipeline_create(s->device, &desc, &out), "pipeline");
    return out;
}

static void make_materials(struct scene *s)
{
    static const float tint[4] = {1, 1, 1, 1};
    const weft_buffer_desc desc = {
        .size = sizeof tint, .usage = WEFT_BUFFER_USAGE_UNIFORM, .data = tint};
    weft_buffer uniform;
    bench_check(weft_buffer_create(s->device, &desc, &uniform), "uniform buffer");
    const weft_shader vertex = bench_shader(s->device, frame_vert, sizeof frame_vert);
    const weft_shader pixel = bench_shader(s->device, frame_frag, sizeof frame_frag);
    weft_graphics_pipeline pipelines[PIPELINES];
    for (int i = 0; i < PIPELINES; i++)
        pipelines[i] = make_pipeline(s, vertex, pixel);
    for (int i = 0; i < MATERIALS; i++) {
        const weft_graphics_pipeline pipeline = pipelines[i % PIPELINES];
        const weft_argument_write write = {.buffer = uniform};
        const weft_argument_table_desc table = {
            .layout = weft_graphics_pipeline_layout(s->device, pipeline, 1),
            .writes = &write,
            .write_count = 1};
        weft_material_desc material = {.pipeline = pipeline,
                                       .transform_stages = WEFT_SHADER_STAGE_VERTEX};
        bench_check(weft_argument_table_create(s->device, &table, &material.arguments), "table");
        bench_check(weft_material_create(s->device, &material, &s->materials[i]), "material");
    }
}

static struct scene scene_open(uint32_t count, bool by_depth)
{
    struct scene s = {.device = bench_device(WEFT_BACKEND_NOOP, WEFT_VALIDATION_OFF),
                      .count = count,
                      .by_depth = by_depth,
                      .random = malloc(count * sizeof(uint64_t))};
    if (!s.device || !s.random)
        exit(1);
    uint64_t seed = 1;
    for (uint32_t i = 0; i < count; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        s.random[i] = seed ^ seed >> 29;
    }
    s.view = bench_target(s.device, WEFT_FORMAT_RGBA8_UNORM, SIDE, SIDE, 1);
    const weft_buffer_desc vertices = {.size = 4096, .usage = WEFT_BUFFER_USAGE_VERTEX};
    const weft_buffer_desc indices = {.size = 4096, .usage = WEFT_BUFFER_USAGE_INDEX};
    bench_check(weft_buffer_create(s.device, &vertices, &s.vertices), "vertices");
    bench_check(weft_buffer_create(s.device, &indices, &s.indices), "indices");
    make_materials(&s);
    return s;
}

static void append(const struct scene *s, weft_frame *frame, const weft_layer layers[LAYERS])
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const weft_stream_view stream = {0, s->vertices, 0};
    weft_draw_packet packet = {
        .geometry = {.streams = &stream, .stream_count = 1, .indices = s->indices, .count = 36},
        .transform = identity,
    };
    for (uint32_t i = 0; i < s->count; i++) {
        const struct choice c = choose(s, i);
        packet.sort_key = c.key;
        packet.layer = layers[c.layer];
        packet.material = s->materials[c.material];
        weft_frame_draw(frame, &packet);
    }
}

static weft_frame_times run_frame(const struct scene *s)
{
    weft_frame *frame;
    const weft_frame_report *report;
    bench_check(weft_frame_begin(s->device, &(weft_frame_desc){0}, &frame), "frame");
    const weft_target target =
        weft_frame_offscreen_target(frame, &(weft_target_desc){.colors = {s->view}});
    const weft_target pass =
        weft_frame_target_begin(frame, target, &(weft_target_ops){.load = WEFT_LOAD_CLEAR});
    weft_layer layers[LAYERS];
    for (int i = 0; i < LAYERS; i++) {
        layers[i] = weft_frame_layer_push(
            frame, &(weft_layer_desc){.sort_base = i, .order = WEFT_ORDER_SORTABLE});
        weft_frame_layer_pop(frame);
    }
    const uint64_t start = bench_thread_ns();
    append(s, frame, layers);
    const uint64_t spent = bench_thread_ns() - start;
    weft_frame_target_end(frame, pass);
    bench_check(weft_frame_submit(frame, &report), "submit");
    weft_frame_times times = report->times;
    times.append = spent;
    return times;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/// The fastest of some, for each packet: the order of the packets as one number.
static double qsort_ns(const struct scene *s)
{
    uint64_t best = UINT64_MAX;
    uint64_t *keys = malloc(s->count * sizeof *keys);
    for (int i = 0; keys && i < FRAMES; i++) {
        for (uint32_t k = 0; k < s->count; k++) {
            const struct choice c = choose(s, k);
            keys[k] = (uint64_t)c.layer << 32 | (uint64_t)c.key << 16 | c.material;
        }
        const uint64_t start = bench_thread_ns();
        qsort(keys, s->count, sizeof *keys, compare);
        const uint64_t time = bench_thread_ns() - start;
        best = time < best ? time : best;
    }
    free(keys);
    return (double)best / s->count;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void print_times(uint32_t count, bool by_depth)
{
    const struct scene s = scene_open(count, by_depth);
    uint64_t allocations = 0;
    weft_frame_times best = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    for (int i = 0; i < WARM + FRAMES; i++) {
        if (i == WARM)
            allocations = weft_device_get_counters(s.device).allocations;
        const weft_frame_times t = run_frame(&s);
        if (i < WARM)
            continue;
        best = (weft_frame_times){least(best.append, t.append), least(best.validate, t.validate),
                                  least(best.plan, t.plan), least(best.lower, t.lower),
                                  least(best.submit, t.submit)};
    }
    allocations = weft_device_get_counters(s.device).allocations - allocations;
    const double n = count;
    printf("  %8u  %6.1f  %8.1f  %6.1f  %6.1f  %6.1f  %11.1f  %11llu\n", count,
           (double)best.append / n, (double)best.validate / n, (double)best.plan / n,
           (double)best.lower / n, (double)best.submit / n, qsort_ns(&s),
           (unsigned long long)allocations);
    weft_device_destroy(s.device);
    free(s.random);
}

static void print_instructions(const char *self, uint32_t count, bool by_depth)
{
    // callgrind counts what happens inside of these
    static const char *const phases[][2] = {{"append", "weft_frame_draw"},
                                            {"validate", "wf_frame_validate"},
                                            {"plan", "wf_frame_plan"},
                                            {"lower", "wf_frame_lower"}};
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        uint64_t total[2];
        for (int more = 0; more < 2; more++) {
            char arguments[64];
            (void)snprintf(arguments, sizeof arguments, "%u %d %d", count, 2 + more * 2, by_depth);
            total[more] = bench_instructions(self, arguments, phases[i][1]);
        }
        if (total[0] > 0 && total[1] > total[0])
            printf("  %-8s %6.1f instructions\n", phases[i][0],
                   (double)(total[1] - total[0]) / (2.0 * count));
        else
            printf("  %-8s (no valgrind)\n", phases[i][0]);
    }
}

static void print_case(const char *self, uint32_t only, bool by_depth)
{
    static const uint32_t counts[] = {1000, 10000, 100000, 1000000};
    printf("%s\n", by_depth ? "by depth (16 random bits):"
                            : "by material (equal keys; aims: append 80 instructions and 25 ns, "
                              "validate 250, plan and lower each 250 and 60 ns):");
    print_instructions(self, only ? only : 100000, by_depth);
    printf("   packets  append  validate    plan   lower  submit   qsort (ns)  allocations\n");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0] && !only; i++)
        print_times(counts[i], by_depth);
    if (only)
        print_times(only, by_depth);
}

int main(int argc, char **argv)
{
    if (argc == 4) { // under callgrind
        const struct scene s = scene_open((uint32_t)strtoul(argv[1], NULL, 10), atoi(argv[3]) != 0);
        for (int i = 0; i < atoi(argv[2]); i++)
            run_frame(&s);
        return 0;
    }
    const uint32_t only = argc == 2 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
    printf(
        "meshes over %d layers and %d materials, noop device, validation off; for each packet:\n",
        LAYERS, MATERIALS);
    print_case(argv[0], only, false);
    print_case(argv[0], only, true);
    return 0;
}
