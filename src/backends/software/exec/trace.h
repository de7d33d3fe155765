/// What shaders reach through pointers and the heap: for core's check of barriers. Bytes are kept
/// as bits of four bytes each in blocks of 256, images by view.
#ifndef WF_SW_TRACE_H
#define WF_SW_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/thread.h"

struct wf_sw_view;

enum wf_sw_touch_kind {
    WF_SW_TOUCH_READ,
    WF_SW_TOUCH_WRITE,
    WF_SW_TOUCH_ATOMIC,
    WF_SW_TOUCH_KINDS
};

struct wf_sw_trace_block {
    uint64_t key; ///< Execution model in the top byte, address / 256.
    uint64_t words[WF_SW_TOUCH_KINDS];
};

struct wf_sw_touch {
    uint32_t model; ///< SpvExecutionModel
    enum wf_sw_touch_kind kind;
    uint64_t address, size;        ///< Through a pointer.
    const struct wf_sw_view *view; ///< Or through the heap.
};

/// Several threads add to it, each while it holds the lock; one takes what is there when none runs.
struct wf_sw_trace {
    struct wf_base_mutex lock;
    struct wf_base_map map; ///< From key to index.
    struct wf_sw_trace_block *blocks;
    size_t block_capacity;
    uint32_t block_count, last;  ///< The block that was found last.
    struct wf_sw_touch *touches; ///< Of images; when taken, all.
    size_t touch_capacity;
    uint32_t touch_count;
};

bool wf_sw_trace_init(struct wf_sw_trace *trace, const struct wf_base_allocator *allocator);
void wf_sw_trace_finish(struct wf_sw_trace *trace);

// The lock is held. What there is no memory for is left out.
void wf_sw_trace_bytes(struct wf_sw_trace *trace, uint32_t model, enum wf_sw_touch_kind kind,
                       uint64_t address, uint32_t bytes);
void wf_sw_trace_view(struct wf_sw_trace *trace, uint32_t model, enum wf_sw_touch_kind kind,
                      const struct wf_sw_view *view);

/// All that was touched since the last call: good until something is added again.
const struct wf_sw_touch *wf_sw_trace_take(struct wf_sw_trace *trace, uint32_t *count);

#endif
