/// \file query.h
/// Timestamps, occlusion counts and pipeline statistics. Creating and destroying is as in
/// resource.h.
#ifndef WEFT_QUERY_H
#define WEFT_QUERY_H

#include <weft/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_query_kind {
    WEFT_QUERY_TIMESTAMP = 0, ///< One uint64: ticks of weft_limits.timestamp_period nanoseconds.
    WEFT_QUERY_OCCLUSION,     ///< One uint64: samples that passed.
    WEFT_QUERY_STATISTICS,    ///< weft_pipeline_statistics.
} weft_query_kind;

/// Result of a statistics query.
typedef struct weft_pipeline_statistics {
    uint64_t vertices, primitives, vertex_invocations, clipped_in, clipped_out,
        fragment_invocations, compute_invocations;
} weft_pipeline_statistics;

typedef struct weft_query_pool_desc {
    weft_query_kind kind;
    uint32_t count; ///< Required.
    const char *label;
} weft_query_pool_desc;
WEFT_API weft_result weft_query_pool_create(weft_device *device, const weft_query_pool_desc *desc,
                                            weft_query_pool *out);
WEFT_API void weft_query_pool_destroy(weft_device *device, weft_query_pool pool);

/// Copies finished results to the CPU: one uint64 each (statistics: one structure each).
/// WEFT_PENDING if one is not there yet. A query that was never written reads 0. `size` bounds
/// `data`, in bytes.
WEFT_API weft_result weft_query_pool_read(weft_device *device, weft_query_pool pool, uint32_t first,
                                          uint32_t count, void *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif
