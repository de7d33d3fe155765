/// What is ordered before what: barriers, events, timelines, and the CPU's waiting.
///
/// Commands have positions, rising in the order of submission. A barrier from P to C orders the
/// work of stage s before later work of stage c if c is in C and s in P, or if an earlier barrier
/// ordered s before some stage of P: chains hold. What is ordered is a prefix of the positions, so
/// one number for each pair of stages (and of queues) says all: the last position that is ordered.
#ifndef WF_CORE_WATCH_ORDER_H
#define WF_CORE_WATCH_ORDER_H

#include <weft/sync.h>

#include <stdbool.h>
#include <stdint.h>

#define WF_WATCH_QUEUES ((uint32_t)WEFT_QUEUE_COUNT)

/// Stages as producers: the bits of weft_stage_set, and changes of a texture's state, which are no
/// stage's work.
enum wf_watch_row {
    WF_WATCH_ROW_INDIRECT,
    WF_WATCH_ROW_INPUT,
    WF_WATCH_ROW_VERTEX,
    WF_WATCH_ROW_FRAGMENT,
    WF_WATCH_ROW_TARGET,
    WF_WATCH_ROW_COMPUTE,
    WF_WATCH_ROW_COPY,
    WF_WATCH_ROW_MESH,
    WF_WATCH_ROW_ACCELERATION,
    WF_WATCH_ROW_HOST,
    WF_WATCH_STAGES,
    WF_WATCH_ROW_STATE = WF_WATCH_STAGES,
    WF_WATCH_ROWS,
};

/// Stages as consumers, a bit each: those of weft_stage_set, and reads that need a hazard guarded.
typedef uint16_t wf_watch_columns;
#define WF_WATCH_COLUMNS 16u
#define WF_WATCH_PLAIN   ((wf_watch_columns)WEFT_STAGE_ALL)
enum {
    WF_WATCH_DRAW_ARGUMENTS = 1 << 10,
    WF_WATCH_DISPATCH_ARGUMENTS = 1 << 11,
    WF_WATCH_DEPTH_VERTEX = 1 << 12, ///< Depth or stencil of a target, read as a texture.
    WF_WATCH_DEPTH_FRAGMENT = 1 << 13,
    WF_WATCH_DEPTH_COMPUTE = 1 << 14,
    WF_WATCH_DEPTH_MESH = 1 << 15,
};

/// Last positions, by queue and stage, that something comes after.
struct wf_watch_reach {
    uint64_t at[WF_WATCH_QUEUES][WF_WATCH_ROWS];
};

struct wf_watch_order {
    /// By the consumer's queue, the producer's queue, the producer's and the consumer's stage.
    uint64_t level[WF_WATCH_QUEUES][WF_WATCH_QUEUES][WF_WATCH_ROWS][WF_WATCH_COLUMNS];
    uint64_t last[WF_WATCH_QUEUES][WF_WATCH_ROWS]; ///< Newest work of each stage.
    uint64_t known; ///< The CPU knows that everything up to here has finished.
};

/// What one command did to some memory.
struct wf_watch_access {
    uint64_t position;        ///< 0: nothing.
    uint64_t since;           ///< Position of the last barrier for this memory alone.
    wf_watch_columns columns; ///< Ordered before these on queue `viewer`, by such barriers.
    uint8_t viewer;
    uint8_t queue, row;
    uint8_t flags; ///< WF_WATCH_WRITE, ...
};

enum {
    WF_WATCH_WRITE = 1 << 0,
    WF_WATCH_SHADER = 1 << 1, ///< By a shader of a draw, through its tables.
    WF_WATCH_ATOMIC = 1 << 2, ///< Perhaps by atomics alone.
    WF_WATCH_READS = 1 << 3,  ///< A write that reads, too.
};

/// Consumers of a barrier, those of guarded hazards with them. A barrier for ALL guards draw
/// arguments and depth by itself: it is the conservative one.
wf_watch_columns wf_watch_consumers(weft_stage_set consumers, weft_hazard_set hazards);

/// What is ordered before work of `producers` that ends at `position` of `queue`, itself included.
struct wf_watch_reach wf_watch_reach_of(const struct wf_watch_order *order, uint32_t queue,
                                        weft_stage_set producers, uint64_t position);
/// Orders that before `columns` on `queue`. False: no work is ordered by it that was not before.
bool wf_watch_order_after(struct wf_watch_order *order, uint32_t queue,
                          const struct wf_watch_reach *reach, wf_watch_columns columns);
/// Which of `columns` on `queue` the access is not ordered before.
wf_watch_columns wf_watch_unordered(const struct wf_watch_order *order,
                                    const struct wf_watch_access *access, uint32_t queue,
                                    wf_watch_columns columns);
/// A barrier for the access's memory alone, at `position` of `queue`.
void wf_watch_access_barrier(const struct wf_watch_order *order, struct wf_watch_access *access,
                             uint32_t queue, weft_stage_set producers, wf_watch_columns columns,
                             uint64_t position);
/// Whether nothing that is submitted from now on can conflict with the access; `queues` in use.
bool wf_watch_settled(const struct wf_watch_order *order, const struct wf_watch_access *access,
                      uint32_t queues);

#endif
