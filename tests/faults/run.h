/// What a life of a device is watched by: its host's memory, and what it is told.
#pragma once

#include "support/host_memory.h"

#include <weft/weft.h>

#include <string.h>

struct run {
    struct host_memory memory;
    uint32_t errors, misuses, warnings;
    bool lost;
    char message[512]; ///< The first error, or the first that is worse.
};

static inline void *run_alloc(void *user, size_t size, size_t align)
{
    return host_memory_alloc(&((struct run *)user)->memory, size, align);
}

static inline void run_free(void *user, void *ptr, size_t size)
{
    host_memory_free(&((struct run *)user)->memory, ptr, size);
}

/// An injected fault is nobody's misuse: no rule may be named but the one of lost devices.
static inline void run_diagnostic(void *user, const weft_diagnostic *d)
{
    struct run *run = user;
    const bool misuse = d->severity == WEFT_SEVERITY_ERROR && d->code != WEFT_RULE_NONE &&
                        d->code != WEFT_RULE_DEVICE_LOST;
    run->warnings += d->severity == WEFT_SEVERITY_WARNING;
    run->errors += d->severity == WEFT_SEVERITY_ERROR;
    run->misuses += misuse;
    run->lost |= d->code == WEFT_RULE_DEVICE_LOST;
    if (d->severity >= WEFT_SEVERITY_WARNING && (run->message[0] == '\0' || run->misuses == 1))
        (void)snprintf(run->message, sizeof run->message, "W%04u: %s", d->code, d->message);
}

static inline void run_log(void *user, weft_severity severity, const char *message)
{
    (void)user, (void)severity, (void)message;
}

static inline weft_host_hooks run_hooks(struct run *run)
{
    return (weft_host_hooks){.alloc = run_alloc,
                             .free = run_free,
                             .diagnostic = run_diagnostic,
                             .log = run_log,
                             .user = run};
}
