// Writes pictures of frames' reports into a folder, for tool_plans.py to read: PROGRAM FOLDER.
#include <weft/weft.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/// What hosts may call things.
static const char *const names[] = {"plain",
                                    "<b>&amp;\"quoted\" 'twice'</b>",
                                    "]]>\x01\x02\x1b[31m\x7f\t\n",
                                    "\xff\xfe broken \xc3\x28 \xed\xa0\x80 \xf4\x90\x80\x80 \xc2",
                                    "\xc2\x85 \xef\xbf\xbe \xef\xbf\xbf",
                                    "gr\xc3\xb6\303\237er \xe2\x86\x92 \xf0\x9f\x98\x80",
                                    "<!-- -- --> <?xml?> <![CDATA[",
                                    "%s%n%d",
                                    ""};

enum { NAMES = sizeof names / sizeof names[0] };

static uint32_t state = 1;

static uint32_t below(uint32_t limit)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * limit >> 32);
}

static const char *name(void)
{
    static char texts[64][600];
    static uint32_t at;
    char *text = texts[at++ % 64];
    const uint32_t parts = 1 + below(below(8) == 0 ? 12 : 2);
    int size = 0;
    for (uint32_t i = 0; i < parts; i++)
        size += snprintf(text + size, sizeof texts[0] - (size_t)size, "%s", names[below(NAMES)]);
    return text;
}

/// An index that is mostly one of `count`.
static uint32_t some(uint32_t count)
{
    return count == 0 || below(8) == 0 ? UINT32_MAX - below(2) : below(count);
}

static void save(const char *folder, uint32_t number, const weft_frame_report *report)
{
    char path[4096], *text;
    (void)snprintf(path, sizeof path, "%s/%" PRIu32 ".svg", folder, number);
    FILE *file = fopen(path, "wb");
    if (!file || weft_frame_report_write(report, WEFT_REPORT_SVG, &text) != WEFT_OK ||
        fputs(text, file) < 0 || fclose(file) != 0) {
        (void)fprintf(stderr, "%s: cannot be written\n", path);
        exit(1);
    }
    weft_text_free(text);
}

enum { PASSES = 40, LAYERS = 30, TARGETS = 40, ACCESSES = 200, BARRIERS = 60, PACKETS = 10000 };

static weft_packet_report packets[PACKETS];
static weft_layer_report layers[LAYERS];
static weft_pass_report passes[PASSES];
static weft_target_report targets[TARGETS];
static weft_access_report accesses[ACCESSES];
static weft_barrier_cause causes[BARRIERS];
static weft_barrier_report barriers[BARRIERS];
static weft_frame_diagnostic diagnostics[20];

static void fill_packets(weft_frame_report *r)
{
    uint32_t position = 0;
    static const char *const reasons[] = {"it broke a rule", "its clip is empty", "<it>"};
    for (uint32_t i = 0; i < r->packet_count; i++) {
        const weft_packet_fate fate = below(10) ? WEFT_FATE_DRAWN : (weft_packet_fate)below(3);
        const bool drawn = fate == WEFT_FATE_DRAWN;
        packets[i] = (weft_packet_report){
            .sequence = i,
            .kind = below(5),
            .pass = r->pass_count ? i * r->pass_count / r->packet_count : UINT32_MAX,
            .layer = some(r->layer_count),
            .position = drawn ? position++ : UINT32_MAX,
            .fate = fate,
            .code = fate == WEFT_FATE_FAILED ? 800 + below(9) : 0,
            .reason = drawn ? "" : reasons[below(3)],
        };
        if (below(50) == 0)
            packets[i].pass = some(r->pass_count);
        if (below(500) == 0)
            packets[i].position = below(2) ? below(PACKETS) : UINT32_MAX;
    }
}

static void fill_resources(weft_frame_report *r)
{
    for (uint32_t i = 0; i < r->target_count; i++)
        targets[i] = (weft_target_report){.kind = (weft_target_kind)below(4),
                                          .label = name(),
                                          .width = below(5000),
                                          .samples = 1 + below(4),
                                          .colors = {(weft_format)below(80)},
                                          .color_count = below(10),
                                          .depth = (weft_format)below(300),
                                          .bytes = below(UINT32_MAX),
                                          .first_pass = some(r->pass_count),
                                          .last_pass = some(r->pass_count)};
    for (uint32_t i = 0; i < r->access_count; i++)
        accesses[i] = (weft_access_report){.pass = some(r->pass_count),
                                           .packet = below(2) ? UINT64_MAX : below(100),
                                           .resource = name(),
                                           .target = some(r->target_count),
                                           .what = "sampled read",
                                           .stages = below(UINT32_MAX),
                                           .write = below(2)};
    for (uint32_t i = 0; i < r->barrier_count; i++) {
        causes[i] = (weft_barrier_cause){some(r->access_count), some(r->access_count)};
        barriers[i] = (weft_barrier_report){.before_pass = some(r->pass_count),
                                            .before_packet = below(2) ? UINT64_MAX : below(1000),
                                            .producers = below(UINT32_MAX),
                                            .consumers = below(UINT32_MAX),
                                            .cause = name(),
                                            .causes = causes,
                                            .cause_count = below(i + 1)};
    }
}

static void random_report(const char *folder, uint32_t number)
{
    weft_frame_report r = {
        .label = name(),
        .frame = number,
        .result = below(2) ? WEFT_OK : WEFT_ERROR_USAGE,
        .packets = packets,
        .packet_count = number % 10 ? below(200) : PACKETS,
        .layers = layers,
        .layer_count = below(LAYERS),
        .passes = passes,
        .pass_count = below(4) ? below(6) : below(PASSES),
        .targets = targets,
        .target_count = below(4) ? below(6) : below(TARGETS),
        .accesses = accesses,
        .access_count = below(ACCESSES),
        .barriers = barriers,
        .barrier_count = below(BARRIERS),
        .diagnostics = diagnostics,
        .diagnostic_count = below(20),
        .times = {below(10), below(1000), UINT64_MAX, 0, 1},
    };
    for (uint32_t i = 0; i < r.layer_count; i++)
        layers[i] = (weft_layer_report){name(), 0, below(9), UINT32_MAX, below(9)};
    for (uint32_t i = 0; i < r.pass_count; i++)
        passes[i] = (weft_pass_report){.kind = (weft_pass_kind)below(3),
                                       .label = name(),
                                       .target = some(r.target_count),
                                       .load = (weft_load)below(5),
                                       .depth_load = (weft_load)below(5),
                                       .gpu_ns = below(2) ? below(UINT32_MAX) : 0};
    for (uint32_t i = 0; i < r.diagnostic_count; i++)
        diagnostics[i] = (weft_frame_diagnostic){
            below(900), (weft_severity)below(5), below(2) ? UINT64_MAX : 3, name(), name(), name()};
    fill_resources(&r);
    fill_packets(&r);
    save(folder, number, &r);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    for (uint32_t i = 0; i < 60; i++)
        random_report(argv[1], i);
    return 0;
}
