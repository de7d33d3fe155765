#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH 40u

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void progress_begin(struct progress *progress, uint32_t total, bool quiet)
{
    *progress = (struct progress){total, now(), !quiet && total > 1 && isatty(STDERR_FILENO)};
    progress_step(progress, 0);
}

void progress_step(const struct progress *progress, uint32_t done)
{
    if (!progress->shown)
        return;
    const uint32_t filled = (uint32_t)((uint64_t)BAR_WIDTH * done / progress->total);
    char bar[BAR_WIDTH + 1] = {0};
    for (uint32_t i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < filled ? '#' : '.';
    const double passed = (double)(now() - progress->begun) * 1e-9;
    (void)fprintf(stderr, "\r[%s] %u/%u", bar, done, progress->total);
    if (done > 0)
        (void)fprintf(stderr, ", %.0f s left  ", passed / done * (progress->total - done));
    (void)fflush(stderr);
}

void progress_end(const struct progress *progress)
{
    if (progress->shown)
        (void)fprintf(stderr, "\r\033[K");
}
