/// Query pools: which submission wrote each query.
#ifndef WF_CORE_QUERY_H
#define WF_CORE_QUERY_H

#include "core/object.h"

/// In place of a serial: a submission that writes the query is on its way.
#define WF_CORE_QUERY_SUBMITTING UINT64_MAX

/// Outlives the handle until the GPU has left the pool.
struct wf_core_queries {
    struct wf_hal_query_pool *hal;
    uint32_t count;
    atomic_uint_fast64_t serials[]; ///< By query: of the last submission that wrote it; 0: none.
};

struct wf_core_query_pool {
    struct wf_hal_query_pool *hal;
    struct wf_core_queries *queries;
    weft_query_kind kind;
    uint32_t count;
};

struct wf_core_query_pool_cold {
    struct wf_core_cold base;
};

#endif
