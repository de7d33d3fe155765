// Submission of recorded work.
#include "core/record.h"
#include "core/surface.h"
#include "core/timeline.h"
#include "core/watch.h"

#include <inttypes.h>

/// Up to this many of each kind, a submission needs no memory of its own.
#define FEW 32u

/// The hal's form of a submission.
struct job {
    struct weft_device *dev;
    const weft_submit *desc;
    weft_queue asked, queue;
    struct wf_hal_submit hal;
    struct wf_hal_command **commands;
    struct wf_hal_timeline_point *waits, *signals;
    struct wf_hal_surface **surfaces;
    void *memory;
    size_t memory_size;
    struct wf_hal_command *few_commands[FEW];
    struct wf_hal_timeline_point few_waits[FEW], few_signals[FEW];
    struct wf_hal_surface *few_surfaces[FEW];
};

/// Carves `count` items out of `*at`, or takes the place of the few.
static void *room(char **at, uint32_t count, size_t size, void *few)
{
    if (count <= FEW)
        return few;
    void *items = *at;
    *at += (count * size + 15) & ~(size_t)15;
    return items;
}

static size_t need(uint32_t count, size_t size)
{
    return count <= FEW ? 0 : (count * size + 15) & ~(size_t)15;
}

static bool job_init(struct job *job, struct weft_device *dev, weft_queue queue,
                     const weft_submit *desc)
{
    job->dev = dev;
    job->desc = desc;
    job->asked = queue;
    job->queue = wf_core_queue(dev, queue);
    job->memory_size = need(desc->command_count, sizeof(struct wf_hal_command *)) +
                       need(desc->wait_count, sizeof *job->waits) +
                       need(desc->signal_count, sizeof *job->signals) +
                       need(desc->surface_count, sizeof(struct wf_hal_surface *));
    job->memory = NULL;
    if (job->memory_size > 0) {
        job->memory = wf_base_alloc(dev->allocator, job->memory_size);
        if (!job->memory)
            return false;
    }
    char *at = job->memory;
    job->commands =
        room(&at, desc->command_count, sizeof(struct wf_hal_command *), job->few_commands);
    job->waits = room(&at, desc->wait_count, sizeof *job->waits, job->few_waits);
    job->signals = room(&at, desc->signal_count, sizeof *job->signals, job->few_signals);
    job->surfaces =
        room(&at, desc->surface_count, sizeof(struct wf_hal_surface *), job->few_surfaces);
    job->hal = (struct wf_hal_submit){
        .commands = job->commands,
        .command_count = desc->command_count,
        .waits = job->waits,
        .wait_count = desc->wait_count,
        .signals = job->signals,
        .signal_count = desc->signal_count,
        .surfaces = job->surfaces,
        .surface_count = desc->surface_count,
    };
    return true;
}

// ---- command buffers ---------------------------------------------------------------------------

static bool take_command(struct job *job, uint32_t index)
{
    struct weft_command_buffer *cmd = job->desc->commands[index];
    const struct wf_core_subject on =
        wf_core_about_new(job->dev, WEFT_OBJECT_COMMAND_BUFFER, cmd ? cmd->label : "");
    if (!cmd)
        return wf_core_broken(&on, WEFT_RULE_SUBMIT_NULL,
                              "Command buffer %u of the submission is NULL.", index);
    if (cmd->dev != job->dev)
        return wf_core_broken(&on, WEFT_RULE_HANDLE_FOREIGN,
                              "Command buffer %u belongs to another device.", index);
    if (cmd->state == WF_CORE_COMMAND_SUBMITTING)
        return wf_core_broken(&on, WEFT_RULE_SUBMIT_TWICE, "Command buffer %u is there twice.",
                              index);
    if (cmd->state != WF_CORE_COMMAND_EXECUTABLE)
        return wf_core_broken(&on, WEFT_RULE_COMMAND_STATE, "Command buffer %u is %s.", index,
                              cmd->state == WF_CORE_COMMAND_RECORDING ? "still recording"
                                                                      : "given up");
    if (cmd->asked != job->asked)
        return wf_core_broken(&on, WEFT_RULE_SUBMIT_QUEUE,
                              "Command buffer %u was recorded for queue %d and submitted to %d.",
                              index, (int)cmd->asked, (int)job->asked);
    cmd->state = WF_CORE_COMMAND_SUBMITTING;
    job->commands[index] = cmd->hal;
    return true;
}

static bool take_commands(struct job *job)
{
    bool ok = true;
    for (uint32_t i = 0; i < job->desc->command_count; ++i)
        ok &= take_command(job, i);
    return ok;
}

/// After a failure: what was marked is executable again.
static void give_commands_back(struct job *job)
{
    for (uint32_t i = 0; i < job->desc->command_count; ++i) {
        struct weft_command_buffer *cmd = job->desc->commands[i];
        if (cmd && cmd->dev == job->dev && cmd->state == WF_CORE_COMMAND_SUBMITTING)
            cmd->state = WF_CORE_COMMAND_EXECUTABLE;
    }
}

// ---- timelines ---------------------------------------------------------------------------------

static struct wf_hal_timeline_point point(const weft_timeline_point *given,
                                          const struct wf_core_timeline *timeline)
{
    return (struct wf_hal_timeline_point){
        .timeline = timeline->hal,
        .value = given->value,
        .stages = given->stages != 0 ? given->stages : (weft_stage_set)WEFT_STAGE_ALL,
    };
}

/// What a timeline will be at before point `index`, which signals it.
static uint64_t promised_before(const weft_timeline_point *points, uint32_t index,
                                uint64_t promised)
{
    for (uint32_t i = 0; i < index; ++i) {
        if (points[i].timeline.index == points[index].timeline.index && points[i].value > promised)
            promised = points[i].value;
    }
    return promised;
}

static bool check_point(struct weft_device *dev, const weft_timeline_point *points, uint32_t index,
                        struct wf_core_timeline *timeline, bool wait)
{
    const weft_timeline_point *given = &points[index];
    const struct wf_core_subject on = wf_core_about(dev, wf_core_timeline_object(given->timeline));
    uint64_t promised = atomic_load(&timeline->promised);
    if (!wait)
        promised = promised_before(points, index, promised);
    bool ok = true;
    ok &= wf_core_check_bits(&on, given->stages, WEFT_STAGE_ALL, "stages");
    if (wait && given->value > promised && !wf_core_has(dev, WEFT_FEATURE_TIMELINE_ANY_ORDER))
        ok = wf_core_broken(&on, WEFT_RULE_TIMELINE_NOT_SUBMITTED,
                            "The submission waits for %" PRIu64
                            "; what was submitted reaches %" PRIu64 ".",
                            given->value, promised);
    if (!wait && given->value <= promised)
        ok = wf_core_broken(&on, WEFT_RULE_TIMELINE_VALUE,
                            "The submission signals %" PRIu64 "; the timeline is at %" PRIu64
                            " or will be.",
                            given->value, promised);
    return ok;
}

static bool take_points(struct job *job, const weft_timeline_point *given, uint32_t count,
                        struct wf_hal_timeline_point *out, bool wait)
{
    bool ok = true;
    for (uint32_t i = 0; i < count; ++i) {
        struct wf_core_timeline *timeline = wf_core_timeline_get(job->dev, given[i].timeline);
        if (!timeline) {
            ok = false;
            continue;
        }
        out[i] = point(&given[i], timeline);
        if (job->dev->validate)
            ok &= check_point(job->dev, given, i, timeline, wait);
    }
    return ok;
}

// ---- surfaces ----------------------------------------------------------------------------------

/// surface_lock is held.
static bool take_surfaces(struct job *job)
{
    bool ok = true;
    for (uint32_t i = 0; i < job->desc->surface_count; ++i) {
        struct wf_core_surface *surface = wf_core_surface_get(job->dev, job->desc->surfaces[i]);
        if (!surface) {
            ok = false;
            continue;
        }
        job->surfaces[i] = surface->hal;
        if (!surface->acquired)
            ok = wf_core_broken_object(job->dev, wf_core_surface_object(job->desc->surfaces[i]),
                                       WEFT_RULE_SURFACE_NOT_ACQUIRED,
                                       "The submission names a surface without an acquired image.");
    }
    return ok;
}

static bool names(const weft_submit *desc, weft_surface surface)
{
    for (uint32_t i = 0; i < desc->surface_count; ++i) {
        if (desc->surfaces[i].index == surface.index &&
            desc->surfaces[i].generation == surface.generation)
            return true;
    }
    return false;
}

/// Images that command buffers use must be named, and must still be the ones acquired.
static bool check_images(struct job *job, const struct weft_command_buffer *cmd)
{
    bool ok = true;
    for (uint32_t i = 0; i < cmd->surface_count; ++i) {
        const struct wf_core_surface_use *use = &cmd->surfaces[i];
        const struct wf_core_surface *surface = wf_core_surface_get(job->dev, use->surface);
        const struct wf_core_subject on =
            wf_core_about(job->dev, wf_core_surface_object(use->surface));
        if (!surface)
            ok = false;
        else if (!surface->acquired || surface->acquisition != use->acquisition)
            ok = wf_core_broken(&on, WEFT_RULE_SURFACE_NOT_ACQUIRED,
                                "Work on an image is submitted after the image was presented.");
        else if (!names(job->desc, use->surface))
            ok = wf_core_broken(&on, WEFT_RULE_SUBMIT_SURFACE,
                                "Command buffer \"%s\" draws to a surface that the submission "
                                "does not name.",
                                cmd->label);
    }
    return ok;
}

static bool take_images(struct job *job)
{
    bool ok = take_surfaces(job);
    for (uint32_t i = 0; i < job->desc->command_count; ++i) {
        const struct weft_command_buffer *cmd = job->desc->commands[i];
        if (cmd && cmd->state == WF_CORE_COMMAND_SUBMITTING)
            ok &= check_images(job, cmd);
    }
    return ok;
}

// ---- queries -----------------------------------------------------------------------------------

/// Marks every query that the submission writes, so that nobody reads it in between.
static void mark_queries(struct job *job, uint64_t serial)
{
    for (uint32_t i = 0; i < job->desc->command_count; ++i) {
        const struct weft_command_buffer *cmd = job->desc->commands[i];
        for (size_t q = 0; q < cmd->query_count; ++q) {
            const struct wf_core_query_use *use = &cmd->queries[q];
            struct wf_core_query_pool *pool = wf_core_query_pool_find(job->dev, use->pool);
            for (uint32_t n = 0; pool && n < use->count; ++n)
                atomic_store(&pool->queries->serials[use->first + n], serial);
        }
    }
}

// ---- the end -----------------------------------------------------------------------------------

static void count(struct weft_device *dev, const struct wf_core_command_counts *counts)
{
    struct wf_core_counters *c = &dev->counters;
    atomic_fetch_add_explicit(&c->command_buffers, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->render_passes, counts->render_passes, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->draws, counts->draws, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->dispatches, counts->dispatches, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->copies, counts->copies, memory_order_relaxed);
    atomic_fetch_add_explicit(&c->barriers, counts->barriers, memory_order_relaxed);
}

/// The hal has the commands now.
static void finish(struct job *job)
{
    const uint64_t serial = job->hal.serial;
    mark_queries(job, serial);
    for (uint32_t i = 0; i < job->desc->signal_count; ++i) {
        struct wf_core_timeline *timeline =
            wf_core_timeline_find(job->dev, job->desc->signals[i].timeline);
        if (timeline)
            wf_core_timeline_promise(timeline, job->desc->signals[i].value);
    }
    for (uint32_t i = 0; i < job->desc->surface_count; ++i)
        wf_core_surface_find(job->dev, job->desc->surfaces[i])->submitted = true;
    for (uint32_t i = 0; i < job->desc->command_count; ++i) {
        struct weft_command_buffer *cmd = job->desc->commands[i];
        struct wf_core_command_allocator *allocator =
            wf_core_command_allocator_find(job->dev, cmd->allocator);
        if (allocator)
            atomic_store(&allocator->serial, serial);
        for (size_t w = 0; w < cmd->heap_write_count; ++w)
            wf_core_heap_commit(job->dev, &cmd->heap_writes[w]);
        count(job->dev, &cmd->counts);
        wf_core_command_give(cmd);
    }
}

/// surface_lock is held: between the check and the submission nobody presents.
static weft_result run(struct job *job)
{
    bool ok = take_commands(job);
    ok &= take_points(job, job->desc->waits, job->desc->wait_count, job->waits, true);
    ok &= take_points(job, job->desc->signals, job->desc->signal_count, job->signals, false);
    ok &= take_images(job);
    weft_result result = WEFT_ERROR_USAGE;
    if (ok) {
        mark_queries(job, WF_CORE_QUERY_SUBMITTING);
        result = wf_core_submit(job->dev, job->queue, &job->hal);
        if (result == WEFT_OK)
            finish(job);
        else
            mark_queries(job, atomic_load(&job->dev->serial)); // whoever wrote them came before
    }
    if (result != WEFT_OK)
        give_commands_back(job);
    return result;
}

weft_result weft_queue_submit(weft_device *device, weft_queue queue, const weft_submit *submit,
                              uint64_t *serial)
{
    if (serial)
        *serial = 0;
    if (!wf_core_ready(device))
        return wf_core_not_ready(device);
    const struct wf_core_subject on = wf_core_about_new(device, WEFT_OBJECT_COMMAND_BUFFER, "");
    if ((unsigned)queue >= WEFT_QUEUE_COUNT) {
        wf_core_broken(&on, WEFT_RULE_ENUM_UNKNOWN, "%u is no queue.", (unsigned)queue);
        return WEFT_ERROR_USAGE;
    }
    if (!wf_core_check_given(&on, submit, "submission"))
        return WEFT_ERROR_USAGE;
    bool given = wf_core_check_array(&on, submit->commands, submit->command_count, "commands");
    given &= wf_core_check_array(&on, submit->waits, submit->wait_count, "waits");
    given &= wf_core_check_array(&on, submit->signals, submit->signal_count, "signals");
    given &= wf_core_check_array(&on, submit->surfaces, submit->surface_count, "surfaces");
    if (!given)
        return WEFT_ERROR_USAGE;
    struct job job;
    if (!job_init(&job, device, queue, submit))
        return wf_core_failed(&on, WEFT_ERROR_MEMORY, "submit to a queue");
    wf_base_mutex_lock(&device->recorders->surface_lock);
    const weft_result result = run(&job);
    wf_base_mutex_unlock(&device->recorders->surface_lock);
    wf_core_watch_tell(device);
    if (result == WEFT_OK && serial)
        *serial = job.hal.serial;
    wf_base_free(device->allocator, job.memory, job.memory_size);
    return result;
}
