/// Core: handles, validation, lifetime, diagnostics, capabilities, uploads. It sits between the
/// public API and the hal, and knows no backend and no frame.
///
/// Threads. Objects may be created and destroyed on any thread; pools lock inside. `submit_lock`
/// serialises everything that reaches a queue, `retire_lock` the list of open command buffers and
/// the retirement queue, `object_lock` the links between objects; the belt, reads, transient memory
/// and the heap have a lock each. Order: reads, transient, object, belt, submit, retire, heap.
/// Recording takes none: it only looks handles up, which is lock-free.
///
/// Every public function that takes a device first does one of: look a handle up (which also tells
/// a device that is not READY, for its pools are empty), or `if (!wf_core_ready(dev)) return
/// wf_core_not_ready(dev);`. Handles are checked at every validation level, rules only
/// `if (dev->validate)`.
#ifndef WF_CORE_CORE_H
#define WF_CORE_CORE_H

#include "core/diag.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/pool.h"
#include "base/thread.h"
#include "hal/hal.h"

#define WF_CORE_KINDS  (WEFT_OBJECT_FRAME + 1)
#define WF_CORE_ATTACH 16u
#define WF_CORE_LABEL  64u ///< Bytes kept of a label, the NUL included; cut on a UTF-8 boundary.
#define WF_CORE_SLOTS  4u  ///< Most frames in flight.

struct wf_core_belt;      ///< upload.c
struct wf_core_reads;     ///< read.c
struct wf_core_transient; ///< transient.c
struct wf_core_heap;      ///< heap.c
struct wf_core_watch;     ///< watch.h

/// The head of every cold part.
struct wf_core_cold {
    char label[WF_CORE_LABEL];
};

/// A link in the list of command buffers that are recording or executable. See retire.c.
struct wf_core_open {
    struct wf_core_open *prev, *next;
    uint64_t epoch; ///< The device's epoch when it began.
};

/// Something destroyed that the GPU may still use.
struct wf_core_retired {
    void (*release)(struct weft_device *dev, void *object, uint64_t extra);
    void *object;
    uint64_t extra;
    uint64_t bytes;  ///< For the memory budget.
    uint64_t epoch;  ///< When it was destroyed.
    uint64_t serial; ///< Once no open command buffer can use it: released when this has finished.
};

/// The retirement queue: a ring in order of destruction. [head, resolved) have serials.
struct wf_core_retirement {
    struct wf_core_retired *items;
    uint32_t capacity; ///< A power of two, or 0.
    uint32_t head, resolved, tail;
    uint32_t reserved; ///< Places promised to what is alive.
    bool collecting;   ///< A thread is releasing; it keeps the order.
    uint64_t bytes;
    uint64_t epoch;           ///< Rises with every retirement.
    struct wf_core_open open; ///< Head of the ring of open command buffers, oldest first.
};

struct wf_core_attachment {
    const void *key;
    void *data;
    void (*destroy)(weft_device *device, void *data);
};

/// Totals. Command buffers count by themselves and add their counts when they are submitted, so
/// that recording touches no shared line.
struct wf_core_counters {
    atomic_uint_fast64_t submissions, command_buffers, render_passes, draws, dispatches, copies,
        barriers, pipeline_variants;
};

struct weft_device {
    // read by every call; constant while READY. Small offsets make small code: arrays come last.
    struct wf_hal_device *hal;           ///< NULL before READY and after shutdown.
    const struct wf_hal_device_ops *ops; ///< The backend's; at FULL validation the watch's.
    bool validate;                       ///< ERRORS or FULL: check the rules.
    bool full;                           ///< FULL: performance notes, too.
    bool lint;                           ///< Portability lint.
    uint8_t tag;                         ///< Top byte of every generation. 0: none taken.
    atomic_uint state;                   ///< weft_device_state
    uint32_t frames_in_flight;
    uint32_t newest_generation; ///< At start that of the tag's device before; at the end its own.
    const struct wf_base_allocator *allocator; ///< &counting.allocator: all that the device owns.

    struct wf_core_subject on; ///< For messages about no object.

    // one each, made at start
    struct wf_core_belt *belt;
    struct wf_core_reads *reads;
    struct wf_core_transient *transient;
    struct wf_core_heap *heap;   ///< NULL without WEFT_FEATURE_HEAP.
    struct wf_core_watch *watch; ///< NULL below FULL validation.
    struct wf_core_recorders
        *recorders; ///< The second half's: command pools, tables, ... (record.h)

    weft_capabilities caps;
    struct wf_base_pool pools[WF_CORE_KINDS]; ///< By weft_object_kind; zeroed: no such pool.

    // memory and messages
    struct wf_base_counting_allocator counting;
    struct wf_base_allocator host; ///< The host's hooks, or the C library: parent of the above.
    struct wf_base_log log;
    weft_host_hooks hooks;
    uint64_t id; ///< Never the same twice in a process: scopes name their device by it.
    char label[WF_CORE_LABEL];

    atomic_uint_fast64_t linted_features, linted_limits; ///< Told already. lint.c

    // start and loss
    weft_startup startup;
    weft_result start_result;
    char lost_reason[WF_HAL_REASON_LENGTH];
    char *pipeline_cache;            ///< The file's name, in `allocator`; NULL: none.
    uint64_t pipeline_cache_was;     ///< Hash of what was loaded; 0: nothing.
    struct wf_base_mutex state_lock; ///< Guards lost_reason and attachments.
    struct wf_core_attachment attachments[WF_CORE_ATTACH];
    uint32_t attachment_count;

    // submission
    struct wf_base_mutex submit_lock;
    atomic_uint_fast64_t serial; ///< Of the newest submission; 0: none yet. Written under the lock.
    struct wf_hal_command **submit_commands; ///< Scratch under submit_lock.
    size_t submit_capacity;
    struct wf_core_counters counters;

    // lifetime
    struct wf_base_mutex object_lock; ///< Chains of views, counts of pools and blocks.
    struct wf_base_mutex retire_lock;
    struct wf_core_retirement retirement;
    /// Rises whenever a buffer, texture, view or sampler is destroyed or a buffer rebound. What
    /// caches hal pointers behind handles (argument tables) compares it with the value at its last
    /// check, and looks every handle up again only when it differs.
    atomic_uint_fast64_t deaths;
};

/// Whether the device can be used. False for NULL, which a start that found no memory leaves.
bool wf_core_ready(struct weft_device *dev);

static inline bool wf_core_has(const struct weft_device *dev, weft_feature_set features)
{
    return (dev->caps.features & features) == features;
}

/// The queue that work for `queue` goes to: the graphics queue where the device has no such queue.
static inline weft_queue wf_core_queue(const struct weft_device *dev, weft_queue queue)
{
    if (queue == WEFT_QUEUE_COMPUTE && dev->caps.compute_queues > 0)
        return queue;
    if (queue == WEFT_QUEUE_COPY && dev->caps.copy_queues > 0)
        return queue;
    return WEFT_QUEUE_GRAPHICS;
}

/// Marks the device lost, once. `reason` NULL: the hal is asked.
void wf_core_lose(struct weft_device *dev, const char *reason);
/// Whether the device is READY, after noticing a loss that no call has run into yet.
bool wf_core_alive(struct weft_device *dev);

// ---- retirement (retire.c) ---------------------------------------------------------------------

/// Links a command buffer that begins recording into the open ones.
void wf_core_open_add(struct weft_device *dev, struct wf_core_open *open);
/// Unlinks it: after the submission that took it has its serial, or when it is discarded.
void wf_core_open_remove(struct weft_device *dev, struct wf_core_open *open);

/// Destroying cannot fail, so the queue has room in advance: every object has one place from
/// wf_core_take() on. What retires more (a new backing, a new version) reserves a place for it when
/// it makes it. False, with nothing reported, when out of memory.
bool wf_core_retire_reserve(struct weft_device *dev);
/// Gives up a reserved place.
void wf_core_retire_unreserve(struct weft_device *dev);

/// Takes up one reserved place. Calls `release(dev, object, extra)` once nothing can use `object`
/// any more: at once if there is nothing to wait for. In order of the calls. `release` may run on
/// any thread and under any lock that comes before the retirement's: it takes none of those.
void wf_core_retire(struct weft_device *dev,
                    void (*release)(struct weft_device *dev, void *object, uint64_t extra),
                    void *object, uint64_t extra, uint64_t bytes);

/// Releases what has finished.
void wf_core_retire_collect(struct weft_device *dev);
/// Releases everything: only when the GPU is idle and nothing is open.
void wf_core_retire_all(struct weft_device *dev);
uint64_t wf_core_retired_bytes(struct weft_device *dev);

// ---- submission (submission.c) -----------------------------------------------------------------

/// Submits to `queue` (already through wf_core_queue()): puts pending uploads in front, numbers it,
/// counts it and hands it to the hal. Fills `submit->serial`; `submit->commands` is left as given.
/// On failure nothing was submitted, the failure is reported, and uploads wait for the next one.
/// The caller unlinks its command buffers (wf_core_open_remove) after success.
weft_result wf_core_submit(struct weft_device *dev, weft_queue queue, struct wf_hal_submit *submit);
/// Submits pending uploads alone, if there are any.
weft_result wf_core_submit_uploads(struct weft_device *dev);
/// The same while the belt is locked.
weft_result wf_core_submit_uploads_locked(struct weft_device *dev);
/// Newest finished serial.
uint64_t wf_core_finished(struct weft_device *dev);
/// WEFT_OK once `serial` has finished; TIMEOUT, LOST; PENDING if the device cannot block and it has
/// not finished.
weft_result wf_core_wait_serial(struct weft_device *dev, uint64_t serial, uint64_t timeout_ns);

// ---- parts made at start (heap.c, read.c, transient.c); destroy may find none ------------------

weft_result wf_core_heap_create(struct weft_device *dev);
void wf_core_heap_destroy(struct weft_device *dev);
weft_result wf_core_reads_create(struct weft_device *dev);
/// Reads a resolved region of a texture, tightly packed, and waits.
weft_result wf_core_read_texture(struct weft_device *dev, struct wf_hal_texture *texture,
                                 const weft_texture_region *region, void *data, uint64_t size);
void wf_core_reads_destroy(struct weft_device *dev);
weft_result wf_core_transient_create(struct weft_device *dev);
void wf_core_transient_destroy(struct weft_device *dev);

// ---- caps.c ------------------------------------------------------------------------------------

/// The first requirement that the capabilities do not meet, as a sentence without a full stop in
/// `reason`; false if all are met.
bool wf_core_caps_unmet(const weft_capabilities *caps, const weft_requirements *require,
                        char reason[WF_HAL_REASON_LENGTH]);
/// Reports WEFT_RULE_FEATURE_MISSING unless the device has `feature` (one bit). `what` is what
/// needs it: "A texture of kind 1D".
bool wf_core_need(const struct wf_core_subject *on, weft_feature_set feature, const char *what);

#endif
