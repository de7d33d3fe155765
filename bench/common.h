/// What all benchmarks of the public API share.
#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <weft/weft.h>

#include <stddef.h>
#include <stdint.h>

/// Ends the program, with a message, if `result` is an error.
void bench_check(weft_result result, const char *what);

/// A device of exactly that backend; NULL, after a message on stderr, if none opens.
weft_device *bench_device(weft_backend backend, weft_validation validation);
weft_shader bench_shader(weft_device *device, const uint32_t *code, size_t size);
/// A view of a new color or depth target.
weft_texture_view bench_target(weft_device *device, weft_format format, uint32_t width,
                               uint32_t height, uint32_t samples);
/// Ends `cmd`, submits it, and waits.
void bench_finish(weft_device *device, weft_command_buffer *cmd);

/// Nanoseconds: CPU time of this thread, CPU time of all threads of the process, and the wall's.
uint64_t bench_thread_ns(void);
uint64_t bench_process_ns(void);
uint64_t bench_wall_ns(void);

/// Instructions that callgrind counts inside of the functions of that name (wildcards allowed)
/// while `program` runs with `arguments`; 0 if there is no valgrind.
uint64_t bench_instructions(const char *program, const char *arguments, const char *inside);

#endif
