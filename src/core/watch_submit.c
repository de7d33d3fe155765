// Submissions on their way to the judge, and what the CPU learns meanwhile, in the order in which
// it came. A backend that tells what shaders reach does so while it executes, so there a submission
// is judged when it has finished.
#include "core/watch_state.h"

#include "base/array.h"

// ---- judging -----------------------------------------------------------------------------------

static void judge_wait(struct wf_core_watch *w, uint32_t queue,
                       const struct wf_hal_timeline_point *wait)
{
    const struct wf_watch_signal *found = NULL;
    for (uint32_t s = 0; s < WF_WATCH_SIGNALS; ++s) {
        const struct wf_watch_signal *signal = &w->signals[s];
        if (signal->timeline == wait->timeline && signal->value >= wait->value &&
            (!found || signal->value < found->value))
            found = signal;
    }
    if (!found && w->signal_count <= WF_WATCH_SIGNALS)
        return; // the CPU's signal
    // One that is no longer remembered: after so many, everything may well be in order.
    const struct wf_watch_reach all =
        wf_watch_reach_of(&w->order, queue, WEFT_STAGE_ALL, w->position);
    (void)wf_watch_order_after(&w->order, queue, found ? &found->reach : &all,
                               wf_watch_consumers(wait->stages, ~(weft_hazard_set)0));
}

static void judge_signal(struct wf_core_watch *w, uint32_t queue,
                         const struct wf_hal_timeline_point *point)
{
    w->unseen = true; // other queues may need what is ordered here
    w->signals[w->signal_count++ % WF_WATCH_SIGNALS] = (struct wf_watch_signal){
        .timeline = point->timeline,
        .value = point->value,
        .reach = wf_watch_reach_of(&w->order, queue, point->stages, w->position),
    };
}

static void give_recordings(struct wf_core_watch *w, struct wf_watch_pending *p)
{
    while (p->first) {
        struct wf_watch_recording *rec = p->first;
        p->first = rec->next;
        rec->next = w->free;
        w->free = rec;
    }
}

static void judge_submission(struct wf_core_watch *w, struct wf_watch_pending *p)
{
    const uint32_t queue = (uint32_t)p->queue;
    w->memory.queues |= 1u << queue;
    if (p->known > w->order.known)
        w->order.known = p->known;
    for (uint32_t i = 0; i < p->wait_count; ++i)
        judge_wait(w, queue, &p->points[i]);
    for (const struct wf_watch_recording *rec = p->first; rec && p->whole; rec = rec->next)
        wf_watch_judge(w, rec);
    give_recordings(w, p);
    if (!p->whole || w->memory.starved)
        wf_watch_forget(w);
    for (uint32_t i = 0; i < p->signal_count; ++i)
        judge_signal(w, queue, &p->points[p->wait_count + i]);
    w->serial = p->serial;
    w->serial_end[p->serial % WF_WATCH_SERIALS] = w->position;
}

/// What was signalled came before whatever is submitted from now on.
static void judge_reached(struct wf_core_watch *w, const struct wf_watch_pending *p)
{
    for (uint32_t s = 0; s < WF_WATCH_SIGNALS; ++s) {
        const struct wf_watch_signal *signal = &w->signals[s];
        if (signal->timeline != p->timeline || signal->value > p->value)
            continue;
        for (uint32_t q = 0; q < WF_WATCH_QUEUES; ++q)
            (void)wf_watch_order_after(&w->order, q, &signal->reach, (wf_watch_columns)~0u);
    }
}

// ---- the queue; the lock is held ---------------------------------------------------------------

void wf_watch_settle(struct wf_core_watch *w)
{
    for (struct wf_watch_pending *p; (p = w->pending) != NULL;) {
        if (p->kind == WF_WATCH_SUBMISSION && w->dev->hal->tells &&
            p->serial > w->ops->serial_finished(w->dev->hal))
            return;
        w->pending = p->next;
        if (p->blind)
            wf_watch_forget(w);
        if (p->kind == WF_WATCH_SUBMISSION)
            judge_submission(w, p);
        else if (p->kind == WF_WATCH_REACHED)
            judge_reached(w, p);
        else if (p->image)
            p->image->boxes.count = 0;
        p->next = w->spare;
        w->spare = p;
    }
}

void wf_watch_give_up(struct wf_core_watch *w)
{
    wf_watch_settle(w);
    for (struct wf_watch_pending *p = w->pending; p; p = p->next) {
        p->whole = false;
        p->image = NULL;
    }
}

/// A new entry, with room for points. NULL without memory: the next one forgets what was before.
static struct wf_watch_pending *pending_new(struct wf_core_watch *w, size_t points)
{
    struct wf_watch_pending *p = w->spare;
    if (!p)
        p = wf_base_alloc_zero(w->dev->allocator, sizeof *p);
    else
        w->spare = p->next;
    if (!p) {
        w->blind = true;
        return NULL;
    }
    struct wf_hal_timeline_point *room =
        points == 0
            ? p->points
            : wf_base_array_grow(w->dev->allocator, p->points, &p->capacity, points, sizeof *room);
    if (points > 0 && !room) {
        p->next = w->spare;
        w->spare = p;
        w->blind = true;
        return NULL;
    }
    const size_t capacity = p->capacity;
    *p = (struct wf_watch_pending){
        .points = room, .capacity = capacity, .known = w->known, .blind = w->blind};
    w->blind = false;
    return p;
}

static void push(struct wf_core_watch *w, struct wf_watch_pending *p)
{
    struct wf_watch_pending **at = &w->pending;
    while (*at)
        at = &(*at)->next;
    *at = p;
    wf_watch_settle(w);
}

void wf_watch_pending_finish(struct wf_core_watch *w)
{
    for (struct wf_watch_pending *p; (p = w->pending) != NULL;) {
        w->pending = p->next;
        give_recordings(w, p);
        p->next = w->spare;
        w->spare = p;
    }
    for (struct wf_watch_pending *p; (p = w->spare) != NULL;) {
        w->spare = p->next;
        wf_base_free(w->dev->allocator, p->points, p->capacity * sizeof *p->points);
        wf_base_free(w->dev->allocator, p, sizeof *p);
    }
}

// ---- what comes in -----------------------------------------------------------------------------

static void submit_pending(struct wf_core_watch *w, weft_queue queue,
                           const struct wf_hal_submit *submit, struct wf_watch_recording *first,
                           bool whole)
{
    wf_base_mutex_lock(&w->lock);
    struct wf_watch_pending *p = pending_new(w, (size_t)submit->wait_count + submit->signal_count);
    if (!p) { // the backend may still tell of them
        while (first) {
            struct wf_watch_recording *rec = first;
            first = rec->next;
            rec->next = w->lost;
            w->lost = rec;
        }
        wf_base_mutex_unlock(&w->lock);
        return;
    }
    p->queue = queue;
    p->serial = submit->serial;
    p->first = first;
    p->whole = whole;
    p->wait_count = submit->wait_count;
    p->signal_count = submit->signal_count;
    for (uint32_t i = 0; i < p->wait_count; ++i)
        p->points[i] = submit->waits[i];
    for (uint32_t i = 0; i < p->signal_count; ++i)
        p->points[p->wait_count + i] = submit->signals[i];
    push(w, p);
    wf_base_mutex_unlock(&w->lock);
}

/// Core serialises submissions. Commands may return to their pool as soon as they are submitted, so
/// their recordings are taken before.
static weft_result queue_submit(struct wf_hal_device *dev, weft_queue queue,
                                const struct wf_hal_submit *submit)
{
    struct wf_core_watch *w = dev->watch;
    struct wf_watch_recording *first = NULL, **end = &first;
    bool whole = true;
    for (uint32_t i = 0; i < submit->command_count; ++i) {
        struct wf_watch_recording *rec = wf_watch_of(submit->commands[i]);
        whole = whole && rec && !rec->starved && !rec->foreign;
        if (!rec)
            continue;
        rec->next = NULL;
        *end = rec;
        end = &rec->next;
    }
    const weft_result result = w->ops->queue_submit(dev, queue, submit);
    if (result == WEFT_OK)
        submit_pending(w, queue, submit, first, whole);
    return result;
}

void wf_core_watch_blind(struct weft_device *dev)
{
    struct wf_core_watch *w = dev->watch;
    if (!w)
        return;
    wf_base_mutex_lock(&w->lock);
    w->blind = true;
    wf_base_mutex_unlock(&w->lock);
}

/// On the backend's thread, while the recording waits.
static void touched(const struct wf_hal_command *cmd, const struct wf_hal_touch *touch)
{
    struct wf_watch_recording *rec = wf_watch_of(cmd);
    if (!rec || rec->touch_lost)
        return;
    struct wf_hal_touch *touches =
        wf_base_array_grow(rec->watch->dev->allocator, rec->touches, &rec->touch_capacity,
                           (size_t)rec->touch_count + 1, sizeof *touches);
    rec->touch_lost = !touches;
    if (!touches)
        return;
    rec->touches = touches;
    touches[rec->touch_count++] = touch ? *touch : (struct wf_hal_touch){0};
}

void wf_core_watch_finished(struct weft_device *dev, uint64_t serial)
{
    struct wf_core_watch *w = dev->watch;
    if (!w || serial == 0)
        return;
    wf_base_mutex_lock(&w->lock);
    wf_watch_settle(w);
    const uint64_t newest = w->serial;
    if (serial > newest)
        serial = newest;
    else if (newest - serial >= WF_WATCH_SERIALS) // long ago: its end is not remembered
        serial = newest - WF_WATCH_SERIALS + 1;
    const uint64_t end = w->serial_end[serial % WF_WATCH_SERIALS];
    if (end > w->known)
        w->known = end;
    wf_base_mutex_unlock(&w->lock);
}

void wf_core_watch_reached(struct weft_device *dev, const struct wf_hal_timeline *timeline,
                           uint64_t value)
{
    struct wf_core_watch *w = dev->watch;
    if (!w)
        return;
    wf_base_mutex_lock(&w->lock);
    struct wf_watch_pending *p = pending_new(w, 0);
    if (p) {
        p->kind = WF_WATCH_REACHED;
        p->timeline = timeline;
        p->value = value;
        push(w, p);
    }
    wf_base_mutex_unlock(&w->lock);
}

void wf_watch_acquired(struct wf_core_watch *w, struct wf_watch_texture *image)
{
    wf_base_mutex_lock(&w->lock);
    struct wf_watch_pending *p = pending_new(w, 0);
    if (p) {
        p->kind = WF_WATCH_ACQUIRED;
        p->image = image;
        push(w, p);
    }
    wf_base_mutex_unlock(&w->lock);
}

/// A new timeline may lie where one was that is remembered.
static void timeline_destroy(struct wf_hal_device *dev, struct wf_hal_timeline *timeline)
{
    struct wf_core_watch *w = dev->watch;
    wf_base_mutex_lock(&w->lock);
    wf_watch_settle(w);
    for (uint32_t s = 0; s < WF_WATCH_SIGNALS; ++s) {
        if (w->signals[s].timeline == timeline)
            w->signals[s].timeline = NULL;
    }
    for (struct wf_watch_pending *p = w->pending; p; p = p->next) {
        if (p->timeline == timeline)
            p->timeline = NULL;
    }
    wf_base_mutex_unlock(&w->lock);
    w->ops->timeline_destroy(dev, timeline);
}

void wf_watch_submit_hooks(struct wf_core_watch *w)
{
    w->table.queue_submit = queue_submit;
    w->table.timeline_destroy = timeline_destroy;
    if (w->dev->hal->tells)
        w->dev->hal->touched = touched;
}
