/// A thread pool for parallel loops. No allocation per run.
#ifndef WF_BASE_TASKS_H
#define WF_BASE_TASKS_H

#include "base/alloc.h"

struct wf_base_tasks;

#define WF_BASE_TASKS_MAX 256

/// `threads` counts the thread that calls run: 1 starts none. 0: one per CPU that this process may
/// use. At most WF_BASE_TASKS_MAX. Fewer are started when the system refuses more.
/// NULL when out of memory.
struct wf_base_tasks *wf_base_tasks_create(uint32_t threads,
                                           const struct wf_base_allocator *allocator);

/// No run may be going on. NULL does nothing.
void wf_base_tasks_destroy(struct wf_base_tasks *tasks);

/// Workers, the caller included: worker indices are below it.
uint32_t wf_base_tasks_count(const struct wf_base_tasks *tasks);

/// Calls fn once for each item below `item_count`, on all workers, in no particular order, and
/// returns when all calls have returned; what they wrote is then visible to the caller.
/// The caller is worker 0. At one time, no two calls have the same worker index.
/// A run inside a run of the same pool is done inline, under the same worker index; runs from
/// several threads wait for each other, so fn must not come back here by way of another pool. Items
/// should be worth a microsecond or more.
void wf_base_tasks_run(struct wf_base_tasks *tasks,
                       void (*fn)(void *user, uint32_t item, uint32_t worker), void *user,
                       uint32_t item_count);

#endif
