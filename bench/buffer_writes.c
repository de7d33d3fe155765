// A frame of 1,000 buffer writes of 64 bytes: nanoseconds of CPU time per write, what the
// submission costs besides, and the library's heap allocations once all is warm, on each backend
// that opens; and what the same costs on Vulkan by hand (raw_vulkan.c).
#include "common.h"
#if BENCH_RAW_VULKAN
#include "raw_vulkan.h"
#endif

#include <stdio.h>

enum { WRITES = 1000, BYTES = 64, WARM = 20, FRAMES = 200 };

/// Where the writes go.
enum pattern {
    ADJACENT, ///< One after the other in one buffer.
    SPREAD,   ///< Every 256 bytes.
    SHUFFLED, ///< The same in no order.
    BUFFERS,  ///< Each into a buffer of its own.
    PATTERNS,
};
static const char *const pattern_names[PATTERNS] = {"adjacent", "every 256 bytes", "in no order",
                                                    "1,000 buffers"};

struct outcome {
    double best, mean, submit; ///< Nanoseconds per write.
    uint64_t allocations;
};

struct frame {
    weft_device *device;
    weft_buffer buffers[WRITES];
    uint64_t offsets[WRITES];
};

static weft_buffer make_buffer(weft_device *device, uint64_t size)
{
    weft_buffer out;
    const weft_buffer_desc desc = {.size = size,
                                   .usage = WEFT_BUFFER_USAGE_COPY_DST | WEFT_BUFFER_USAGE_UNIFORM,
                                   .memory = WEFT_MEMORY_GPU};
    bench_check(weft_buffer_create(device, &desc, &out), "buffer");
    return out;
}

static void make_frame(struct frame *frame, weft_device *device, enum pattern pattern)
{
    frame->device = device;
    const uint64_t step = pattern == ADJACENT ? BYTES : 256;
    const weft_buffer shared = make_buffer(device, WRITES * step);
    for (uint64_t i = 0; i < WRITES; ++i) {
        frame->buffers[i] = pattern == BUFFERS ? make_buffer(device, BYTES) : shared;
        const uint64_t place = pattern == SHUFFLED ? i * 617 % WRITES : i; // 617 is a unit of it
        frame->offsets[i] = pattern == BUFFERS ? 0 : place * step;
    }
}

/// The CPU time of the writes, and that of recording and submitting what comes of them.
static void run_frame(const struct frame *frame, uint64_t *writes, uint64_t *submission)
{
    static const uint8_t data[BYTES] = {1, 2, 3};
    weft_device *device = frame->device;
    weft_command_buffer *cmd;
    uint64_t serial;
    const uint64_t start = bench_thread_ns();
    for (uint64_t i = 0; i < WRITES; ++i)
        bench_check(weft_buffer_write(device, frame->buffers[i], frame->offsets[i], data, BYTES),
                    "write");
    const uint64_t middle = bench_thread_ns();
    bench_check(weft_command_begin(device, NULL, &cmd), "begin");
    bench_check(weft_command_end(cmd), "end");
    const weft_submit submit = {.commands = &cmd, .command_count = 1};
    bench_check(weft_queue_submit(device, WEFT_QUEUE_GRAPHICS, &submit, &serial), "submission");
    *writes = middle - start;
    *submission = bench_thread_ns() - middle;
    bench_check(weft_serial_wait(device, serial, UINT64_MAX), "wait");
}

static struct outcome measure(weft_device *device, enum pattern pattern)
{
    static struct frame frame;
    uint64_t writes, submission, best = UINT64_MAX, sum = 0, submissions = 0;
    make_frame(&frame, device, pattern);
    for (int i = 0; i < WARM; ++i)
        run_frame(&frame, &writes, &submission);
    const uint64_t before = weft_device_get_counters(device).allocations;
    for (int i = 0; i < FRAMES; ++i) {
        run_frame(&frame, &writes, &submission);
        best = writes < best ? writes : best;
        sum += writes;
        submissions += submission;
    }
    return (struct outcome){.best = (double)best / WRITES,
                            .mean = (double)sum / FRAMES / WRITES,
                            .submit = (double)submissions / FRAMES / WRITES,
                            .allocations = weft_device_get_counters(device).allocations - before};
}

static void run(weft_backend backend, weft_validation validation, const char *level)
{
    weft_device *device = bench_device(backend, validation);
    for (int pattern = 0; device && pattern < PATTERNS; ++pattern) {
        const struct outcome o = measure(device, (enum pattern)pattern);
        printf("  %-9s %-7s %-16s %6.1f ns at best, %6.1f on average, and %5.1f to submit; "
               "%llu allocations\n",
               weft_backend_name(backend), level, pattern_names[pattern], o.best, o.mean, o.submit,
               (unsigned long long)o.allocations);
    }
    weft_device_destroy(device);
}

#if BENCH_RAW_VULKAN
static void run_raw(void)
{
    struct raw_vulkan *raw = raw_vulkan_open();
    printf("  vulkan is %s\n", raw_vulkan_name(raw));
    for (int pattern = 0; pattern < PATTERNS; ++pattern) {
        const uint32_t step = pattern == ADJACENT ? BYTES : pattern == BUFFERS ? 0 : 256;
        const uint64_t best =
            raw_vulkan_writes(raw, WRITES, BYTES, step, pattern == SHUFFLED, FRAMES);
        printf("  %-9s %-7s %-16s %6.1f ns at best\n", "vulkan", "raw", pattern_names[pattern],
               (double)best / WRITES);
    }
    raw_vulkan_close(raw);
}
#endif

int main(void)
{
    printf(
        "%d buffer writes of %d bytes per frame, %d frames, each (aim: 40 ns, no allocations):\n",
        WRITES, BYTES, FRAMES);
    for (int backend = 0; backend < WEFT_BACKEND_COUNT; ++backend) {
        if (!weft_backend_is_built((weft_backend)backend))
            continue;
#if BENCH_RAW_VULKAN
        if (backend == WEFT_BACKEND_VULKAN)
            run_raw();
#endif
        run((weft_backend)backend, WEFT_VALIDATION_OFF, "OFF");
        run((weft_backend)backend, WEFT_VALIDATION_ERRORS, "ERRORS");
    }
    return 0;
}
