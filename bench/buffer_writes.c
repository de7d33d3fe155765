// A frame of 1,000 buffer writes of 64 bytes: nanoseconds of CPU time per write, and the library's
// heap allocations once all is warm, on each backend that opens.
#include "common.h"

#include <stdio.h>

enum { WRITES = 1000, BYTES = 64, WARM = 20, FRAMES = 200 };

struct outcome {
    double best, mean; ///< Nanoseconds per write.
    uint64_t allocations;
};

/// The writes alone are timed; the frame is submitted and waited for.
static uint64_t run_frame(weft_device *device, weft_buffer buffer)
{
    static const uint8_t data[BYTES] = {1, 2, 3};
    weft_command_buffer *cmd;
    const uint64_t start = bench_thread_ns();
    for (uint64_t i = 0; i < WRITES; ++i)
        bench_check(weft_buffer_write(device, buffer, i * BYTES, data, BYTES), "write");
    const uint64_t time = bench_thread_ns() - start;
    bench_check(weft_command_begin(device, NULL, &cmd), "begin");
    bench_finish(device, cmd);
    return time;
}

static struct outcome measure(weft_device *device)
{
    weft_buffer buffer;
    const weft_buffer_desc desc = {.size = WRITES * BYTES,
                                   .usage = WEFT_BUFFER_USAGE_COPY_DST | WEFT_BUFFER_USAGE_UNIFORM,
                                   .memory = WEFT_MEMORY_GPU};
    bench_check(weft_buffer_create(device, &desc, &buffer), "buffer");
    for (int i = 0; i < WARM; ++i)
        run_frame(device, buffer);
    const uint64_t before = weft_device_get_counters(device).allocations;
    uint64_t best = UINT64_MAX, sum = 0;
    for (int i = 0; i < FRAMES; ++i) {
        const uint64_t time = run_frame(device, buffer);
        best = time < best ? time : best;
        sum += time;
    }
    return (struct outcome){.best = (double)best / WRITES,
                            .mean = (double)sum / FRAMES / WRITES,
                            .allocations = weft_device_get_counters(device).allocations - before};
}

int main(void)
{
    static const struct {
        weft_validation level;
        const char *name;
    } levels[] = {{WEFT_VALIDATION_OFF, "OFF"}, {WEFT_VALIDATION_ERRORS, "ERRORS"}};
    printf("%d buffer writes of %d bytes per frame, %d frames (aim: 40 ns, no allocations):\n",
           WRITES, BYTES, FRAMES);
    for (int backend = 0; backend < WEFT_BACKEND_COUNT; ++backend) {
        for (int i = 0; i < 2 && weft_backend_is_built((weft_backend)backend); ++i) {
            weft_device *device = bench_device((weft_backend)backend, levels[i].level);
            if (!device)
                continue;
            const struct outcome o = measure(device);
            printf("  %-9s %-7s %6.1f ns each at best, %6.1f on average; %llu allocations\n",
                   weft_backend_name((weft_backend)backend), levels[i].name, o.best, o.mean,
                   (unsigned long long)o.allocations);
            weft_device_destroy(device);
        }
    }
    return 0;
}
