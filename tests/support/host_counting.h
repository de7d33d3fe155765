/// A host whose allocations are counted and can be made to fail, and which counts the errors that
/// it is told. For tests that see the hidden symbols; the others have host_memory.h.
#pragma once

#include "base/alloc.h"

#include <weft/weft.h>

struct host {
    struct wf_base_counting_allocator counting;
    uint32_t errors;
};

static inline void *host_alloc(void *user, size_t size, size_t align)
{
    struct host *host = user;
    return host->counting.allocator.alloc(host->counting.allocator.user, size, align);
}

static inline void host_free(void *user, void *ptr, size_t size)
{
    struct host *host = user;
    host->counting.allocator.free(host->counting.allocator.user, ptr, size);
}

static inline void host_diagnostic(void *user, const weft_diagnostic *diagnostic)
{
    struct host *host = user;
    if (diagnostic->severity == WEFT_SEVERITY_ERROR)
        ++host->errors;
}

static inline void host_log(void *user, weft_severity severity, const char *message)
{
    (void)user, (void)severity, (void)message;
}

/// Hooks for `host`, which is begun anew.
static inline weft_host_hooks host_hooks(struct host *host)
{
    *host = (struct host){0};
    wf_base_counting_init(&host->counting, wf_base_allocator_default());
    return (weft_host_hooks){.alloc = host_alloc,
                             .free = host_free,
                             .diagnostic = host_diagnostic,
                             .log = host_log,
                             .user = host};
}
