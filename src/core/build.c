// Building pipelines: on the calling thread, or by the device's one worker, in order.
#include "core/build.h"

#include "core/record.h"

#include "shader/module.h"

struct wf_core_builder {
    struct weft_device *dev;
    struct wf_base_thread thread;
    struct wf_base_mutex lock; ///< Guards all below.
    struct wf_base_cond work, done;
    struct wf_core_pipeline *first, *last; ///< Waiting.
    bool stop;
};

static weft_result build(struct weft_device *dev, struct wf_core_pipeline *pipeline)
{
    struct wf_shader_error error = {0};
    const weft_result result =
        pipeline->compute ? dev->ops->compute_pipeline_create(dev->hal, &pipeline->build->compute,
                                                              &pipeline->hal, &error)
                          : dev->ops->graphics_pipeline_create(dev->hal, &pipeline->build->graphics,
                                                               &pipeline->hal, &error);
    if (result == WEFT_OK)
        return WEFT_OK;
    pipeline->hal = NULL;
    const struct wf_core_subject on = wf_core_about_new(
        dev, pipeline->compute ? WEFT_OBJECT_COMPUTE_PIPELINE : WEFT_OBJECT_GRAPHICS_PIPELINE,
        pipeline->label);
    if (result != WEFT_ERROR_SHADER)
        return wf_core_failed(&on, result, "build a pipeline");
    char place[192];
    wf_core_broken(&on, WEFT_RULE_SHADER_REFUSED, "%s%s", error.message,
                   wf_core_error_place(&error, place));
    return result;
}

void wf_core_build_now(struct weft_device *dev, struct wf_core_pipeline *pipeline)
{
    const weft_result result = build(dev, pipeline);
    atomic_store_explicit(&pipeline->status, result, memory_order_release);
}

// ---- the worker --------------------------------------------------------------------------------

/// The next pipeline, taken out of the queue; NULL: stop. The lock is held.
static struct wf_core_pipeline *next(struct wf_core_builder *builder)
{
    while (!builder->first && !builder->stop)
        wf_base_cond_wait(&builder->work, &builder->lock);
    struct wf_core_pipeline *pipeline = builder->stop ? NULL : builder->first;
    if (pipeline)
        builder->first = pipeline->next;
    return pipeline;
}

static void run(void *user)
{
    struct wf_core_builder *builder = user;
    struct wf_core_pipeline *pipeline;
    wf_base_mutex_lock(&builder->lock);
    while ((pipeline = next(builder)) != NULL) {
        wf_base_mutex_unlock(&builder->lock);
        // Destroyed meanwhile: nobody will use it.
        if (atomic_load(&pipeline->references) > 1)
            wf_core_build_now(builder->dev, pipeline);
        wf_base_mutex_lock(&builder->lock);
        wf_base_cond_broadcast(&builder->done);
        wf_base_mutex_unlock(&builder->lock);
        wf_core_pipeline_drop(builder->dev, pipeline);
        wf_base_mutex_lock(&builder->lock);
    }
    wf_base_mutex_unlock(&builder->lock);
}

static void builder_free(struct weft_device *dev, struct wf_core_builder *builder)
{
    wf_base_cond_finish(&builder->work);
    wf_base_cond_finish(&builder->done);
    wf_base_mutex_finish(&builder->lock);
    wf_base_free(dev->allocator, builder, sizeof *builder);
}

/// NULL when the system has no room for it.
static struct wf_core_builder *builder_new(struct weft_device *dev)
{
    struct wf_core_builder *builder = wf_base_alloc_zero(dev->allocator, sizeof *builder);
    if (!builder)
        return NULL;
    builder->dev = dev;
    const bool lock = wf_base_mutex_init(&builder->lock);
    const bool work = lock && wf_base_cond_init(&builder->work);
    const bool done = work && wf_base_cond_init(&builder->done);
    if (done && wf_base_thread_start(&builder->thread, "weft build", run, builder))
        return builder;
    if (done)
        wf_base_cond_finish(&builder->done);
    if (work)
        wf_base_cond_finish(&builder->work);
    if (lock)
        wf_base_mutex_finish(&builder->lock);
    wf_base_free(dev->allocator, builder, sizeof *builder);
    return NULL;
}

static struct wf_core_builder *builder_get(struct weft_device *dev)
{
    struct wf_core_recorders *r = dev->recorders;
    wf_base_mutex_lock(&r->build_lock);
    if (!r->builder)
        r->builder = builder_new(dev);
    struct wf_core_builder *builder = r->builder;
    wf_base_mutex_unlock(&r->build_lock);
    return builder;
}

void wf_core_build_later(struct weft_device *dev, struct wf_core_pipeline *pipeline)
{
    struct wf_core_builder *builder = builder_get(dev);
    if (!builder) {
        wf_core_build_now(dev, pipeline);
        return;
    }
    atomic_fetch_add_explicit(&pipeline->references, 1, memory_order_relaxed);
    wf_base_mutex_lock(&builder->lock);
    pipeline->next = NULL;
    if (builder->first)
        builder->last->next = pipeline;
    else
        builder->first = pipeline;
    builder->last = pipeline;
    wf_base_cond_signal(&builder->work);
    wf_base_mutex_unlock(&builder->lock);
}

void wf_core_build_wait(struct weft_device *dev, struct wf_core_pipeline *pipeline)
{
    struct wf_core_builder *builder = builder_get(dev);
    if (!builder)
        return;
    wf_base_mutex_lock(&builder->lock);
    while (atomic_load_explicit(&pipeline->status, memory_order_acquire) == WEFT_PENDING)
        wf_base_cond_wait(&builder->done, &builder->lock);
    wf_base_mutex_unlock(&builder->lock);
}

void wf_core_builder_destroy(struct weft_device *dev, struct wf_core_builder *builder)
{
    if (!builder)
        return;
    wf_base_mutex_lock(&builder->lock);
    builder->stop = true;
    wf_base_cond_signal(&builder->work);
    wf_base_mutex_unlock(&builder->lock);
    wf_base_thread_join(&builder->thread);
    for (struct wf_core_pipeline *p = builder->first, *following; p; p = following) {
        following = p->next;
        wf_core_pipeline_drop(dev, p);
    }
    builder_free(dev, builder);
}
