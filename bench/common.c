// NOLINTNEXTLINE(readability-identifier-naming): the system names it
#define _DEFAULT_SOURCE // getrusage(), popen()
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

void bench_check(weft_result result, const char *what)
{
    if (result >= 0)
        return;
    (void)fprintf(stderr, "%s: %s\n", what, weft_result_name(result));
    exit(1);
}

weft_device *bench_device(weft_backend backend, weft_validation validation)
{
    weft_device *device;
    const weft_device_desc desc = {.backends = 1u << backend, .validation = validation};
    bench_check(weft_device_start(&desc, &device), "device");
    if (weft_device_wait(device, UINT64_MAX) != WEFT_OK) {
        const weft_startup startup = weft_device_startup(device);
        (void)fprintf(stderr, "%s does not open: %s\n", weft_backend_name(backend),
                      startup.record_count ? startup.records[0].reason : "it is not in this build");
        weft_device_destroy(device);
        return NULL;
    }
    // Leaks of these programs are no news.
    bench_check(weft_error_scope_push(device, WEFT_SEVERITY_WARNING), "scope");
    return device;
}

weft_shader bench_shader(weft_device *device, const uint32_t *code, size_t size)
{
    weft_shader out;
    bench_check(weft_shader_create(device, &(weft_shader_desc){.code = code, .size = size}, &out),
                "shader");
    return out;
}

weft_texture_view bench_target(weft_device *device, weft_format format, uint32_t width,
                               uint32_t height, uint32_t samples)
{
    weft_texture texture;
    weft_texture_view view;
    const weft_texture_desc desc = {.format = format,
                                    .width = width,
                                    .height = height,
                                    .samples = samples,
                                    .usage = WEFT_TEXTURE_USAGE_RENDER};
    bench_check(weft_texture_create(device, &desc, &texture), "target");
    bench_check(
        weft_texture_view_create(device, &(weft_texture_view_desc){.texture = texture}, &view),
        "target's view");
    return view;
}

void bench_finish(weft_device *device, weft_command_buffer *cmd)
{
    uint64_t serial;
    bench_check(weft_command_end(cmd), "recording");
    const weft_submit submit = {.commands = &cmd, .command_count = 1};
    bench_check(weft_queue_submit(device, WEFT_QUEUE_GRAPHICS, &submit, &serial), "submission");
    bench_check(weft_serial_wait(device, serial, UINT64_MAX), "wait");
}

static uint64_t read_clock(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t bench_thread_ns(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t bench_wall_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

static uint64_t nanoseconds(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

uint64_t bench_process_ns(void)
{
    struct rusage used;
    return getrusage(RUSAGE_SELF, &used) == 0
               ? nanoseconds(&used.ru_utime) + nanoseconds(&used.ru_stime)
               : 0;
}

uint64_t bench_instructions(const char *program, const char *arguments, const char *inside)
{
    char command[1024], line[256];
    uint64_t count = 0;
    (void)snprintf(command, sizeof command,
                   "valgrind --tool=callgrind --callgrind-out-file=/dev/null "
                   "--toggle-collect='%s' '%s' %s 2>&1",
                   inside, program, arguments);
    FILE *out = popen(command, "r");
    if (!out)
        return 0;
    while (fgets(line, sizeof line, out)) {
        const char *at = strstr(line, "Collected : ");
        if (at)
            count = strtoull(at + strlen("Collected : "), NULL, 10);
    }
    return pclose(out) == 0 ? count : 0;
}
