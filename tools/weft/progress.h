/// \file progress.h
/// How far a long job is, on stderr: a bar on a terminal, nothing elsewhere.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
    uint32_t total;
    uint64_t begun; ///< Nanoseconds.
    bool shown;
};

void progress_begin(struct progress *progress, uint32_t total, bool quiet);
void progress_step(const struct progress *progress, uint32_t done);
/// Takes the bar away.
void progress_end(const struct progress *progress);
