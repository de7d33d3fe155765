#include "backends/noop/noop.h"

weft_result wf_noop_timeline_create(struct wf_hal_device *dev, uint64_t initial,
                                    struct wf_hal_timeline **out)
{
    struct wf_noop_timeline *timeline = wf_noop_new(dev, sizeof *timeline);
    *out = timeline ? &timeline->base : NULL;
    if (!timeline)
        return WEFT_ERROR_MEMORY;
    timeline->base.initial = initial;
    timeline->value = initial;
    return WEFT_OK;
}

void wf_noop_timeline_destroy(struct wf_hal_device *dev, struct wf_hal_timeline *timeline)
{
    wf_base_free(dev->allocator, timeline, sizeof(struct wf_noop_timeline));
}

uint64_t wf_noop_timeline_value(struct wf_hal_device *dev, struct wf_hal_timeline *timeline)
{
    struct wf_noop_device *noop = wf_noop_device(dev);
    wf_base_mutex_lock(&noop->lock);
    const uint64_t value = ((struct wf_noop_timeline *)timeline)->value;
    wf_base_mutex_unlock(&noop->lock);
    return value;
}

weft_result wf_noop_timeline_wait(struct wf_hal_device *dev, struct wf_hal_timeline *timeline,
                                  uint64_t value, uint64_t timeout_ns)
{
    struct wf_noop_device *noop = wf_noop_device(dev);
    const struct wf_noop_timeline *line = (const struct wf_noop_timeline *)timeline;
    const uint64_t deadline = wf_base_deadline_ns(timeout_ns);
    bool in_time = true;
    wf_base_mutex_lock(&noop->lock);
    while (line->value < value && in_time)
        in_time = wf_base_cond_wait_until(&noop->changed, &noop->lock, deadline);
    const bool reached = line->value >= value;
    wf_base_mutex_unlock(&noop->lock);
    return reached ? WEFT_OK : WEFT_ERROR_TIMEOUT;
}

weft_result wf_noop_timeline_signal(struct wf_hal_device *dev, struct wf_hal_timeline *timeline,
                                    uint64_t value)
{
    struct wf_noop_device *noop = wf_noop_device(dev);
    wf_base_mutex_lock(&noop->lock);
    ((struct wf_noop_timeline *)timeline)->value = value;
    wf_base_cond_broadcast(&noop->changed);
    wf_base_mutex_unlock(&noop->lock);
    return WEFT_OK;
}

/// The counters are all uint64_t, so they add up as an array.
static void counts_add(struct wf_noop_counts *sum, const struct wf_noop_counts *counts)
{
    uint64_t *to = (uint64_t *)sum;
    const uint64_t *from = (const uint64_t *)counts;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
        to[i] += from[i];
}

weft_result wf_noop_queue_submit(struct wf_hal_device *dev, weft_queue queue,
                                 const struct wf_hal_submit *submit)
{
    (void)queue;
    struct wf_noop_device *noop = wf_noop_device(dev);
    wf_base_mutex_lock(&noop->lock);
    for (uint32_t i = 0; i < submit->command_count; i++)
        counts_add(&noop->counts, &((struct wf_noop_command *)submit->commands[i])->counts);
    for (uint32_t i = 0; i < submit->signal_count; i++)
        ((struct wf_noop_timeline *)submit->signals[i].timeline)->value = submit->signals[i].value;
    wf_base_cond_broadcast(&noop->changed);
    wf_base_mutex_unlock(&noop->lock);
    for (uint32_t i = 0; i < submit->command_count; i++)
        wf_noop_command_recycle((struct wf_noop_command *)submit->commands[i]);
    atomic_store(&noop->finished, submit->serial);
    return WEFT_OK;
}

uint64_t wf_noop_serial_finished(struct wf_hal_device *dev)
{
    return atomic_load(&wf_noop_device(dev)->finished);
}

weft_result wf_noop_serial_wait(struct wf_hal_device *dev, uint64_t serial, uint64_t timeout_ns)
{
    (void)timeout_ns;
    return atomic_load(&wf_noop_device(dev)->finished) >= serial ? WEFT_OK : WEFT_ERROR_TIMEOUT;
}

// NOLINTNEXTLINE(readability-non-const-parameter): the table says what its type is
bool wf_noop_lost(struct wf_hal_device *dev, char reason[WF_HAL_REASON_LENGTH])
{
    (void)dev, (void)reason;
    return false;
}
