#include "backends/noop/noop.h"

#include <string.h>

weft_result wf_noop_shader_create(struct wf_hal_device *dev, const struct wf_shader_module *module,
                                  struct wf_hal_shader **out, struct wf_shader_error *error)
{
    (void)error;
    struct wf_hal_shader *shader = wf_noop_new(dev, sizeof *shader);
    *out = shader;
    if (!shader)
        return WEFT_ERROR_MEMORY;
    shader->module = module;
    return WEFT_OK;
}

void wf_noop_shader_destroy(struct wf_hal_device *dev, struct wf_hal_shader *shader)
{
    wf_base_free(dev->allocator, shader, sizeof *shader);
}

static size_t layout_size(uint32_t argument_count)
{
    return sizeof(struct wf_hal_layout) + argument_count * sizeof(struct wf_hal_argument);
}

weft_result wf_noop_layout_create(struct wf_hal_device *dev,
                                  const struct wf_hal_argument *arguments, uint32_t argument_count,
                                  struct wf_hal_layout **out)
{
    struct wf_hal_layout *layout = wf_noop_new(dev, layout_size(argument_count));
    *out = layout;
    if (!layout)
        return WEFT_ERROR_MEMORY;
    struct wf_hal_argument *copy = (struct wf_hal_argument *)(layout + 1);
    for (uint32_t i = 0; i < argument_count; i++) {
        copy[i] = arguments[i];
        layout->element_count += arguments[i].count;
        if (arguments[i].flags & WEFT_ARGUMENT_DYNAMIC)
            layout->dynamic_count += arguments[i].count;
    }
    layout->arguments = copy;
    layout->argument_count = argument_count;
    return WEFT_OK;
}

void wf_noop_layout_destroy(struct wf_hal_device *dev, struct wf_hal_layout *layout)
{
    wf_base_free(dev->allocator, layout, layout_size(layout->argument_count));
}

static weft_result pipeline_create(struct wf_hal_device *dev, bool compute,
                                   struct wf_hal_pipeline **out)
{
    struct wf_hal_pipeline *pipeline = wf_noop_new(dev, sizeof *pipeline);
    *out = pipeline;
    if (!pipeline)
        return WEFT_ERROR_MEMORY;
    pipeline->compute = compute;
    atomic_fetch_add(&wf_noop_device(dev)->pipelines, 1);
    return WEFT_OK;
}

weft_result wf_noop_graphics_pipeline_create(struct wf_hal_device *dev,
                                             const struct wf_hal_graphics_pipeline_desc *desc,
                                             struct wf_hal_pipeline **out,
                                             struct wf_shader_error *error)
{
    (void)desc, (void)error;
    return pipeline_create(dev, false, out);
}

weft_result wf_noop_compute_pipeline_create(struct wf_hal_device *dev,
                                            const struct wf_hal_compute_pipeline_desc *desc,
                                            struct wf_hal_pipeline **out,
                                            struct wf_shader_error *error)
{
    (void)desc, (void)error;
    return pipeline_create(dev, true, out);
}

void wf_noop_pipeline_destroy(struct wf_hal_device *dev, struct wf_hal_pipeline *pipeline)
{
    wf_base_free(dev->allocator, pipeline, sizeof *pipeline);
}

// The cache is how many pipelines there were.
bool wf_noop_pipeline_cache_save(struct wf_hal_device *dev, void *data, size_t *size)
{
    const uint64_t pipelines = atomic_load(&wf_noop_device(dev)->pipelines);
    const bool fits = !data || *size >= sizeof pipelines;
    *size = sizeof pipelines;
    if (data && fits)
        memcpy(data, &pipelines, sizeof pipelines);
    return fits;
}

bool wf_noop_pipeline_cache_load(struct wf_hal_device *dev, const void *data, size_t size)
{
    uint64_t pipelines = 0;
    if (size != sizeof pipelines)
        return false;
    memcpy(&pipelines, data, sizeof pipelines);
    atomic_fetch_add(&wf_noop_device(dev)->pipelines, pipelines);
    return true;
}

weft_result wf_noop_table_create(struct wf_hal_device *dev, struct wf_hal_layout *layout,
                                 struct wf_hal_table **out)
{
    struct wf_hal_table *table = wf_noop_new(dev, sizeof *table);
    *out = table;
    if (!table)
        return WEFT_ERROR_MEMORY;
    table->layout = layout;
    return WEFT_OK;
}

void wf_noop_table_destroy(struct wf_hal_device *dev, struct wf_hal_table *table)
{
    wf_base_free(dev->allocator, table, sizeof *table);
}

weft_result wf_noop_table_write(struct wf_hal_device *dev, struct wf_hal_table *table,
                                const struct wf_hal_write *writes, uint32_t count)
{
    (void)dev, (void)table, (void)writes, (void)count;
    return WEFT_OK;
}

weft_result wf_noop_query_pool_create(struct wf_hal_device *dev, const weft_query_pool_desc *desc,
                                      struct wf_hal_query_pool **out)
{
    struct wf_hal_query_pool *pool = wf_noop_new(dev, sizeof *pool);
    *out = pool;
    if (!pool)
        return WEFT_ERROR_MEMORY;
    *pool = (struct wf_hal_query_pool){desc->kind, desc->count};
    return WEFT_OK;
}

void wf_noop_query_pool_destroy(struct wf_hal_device *dev, struct wf_hal_query_pool *pool)
{
    wf_base_free(dev->allocator, pool, sizeof *pool);
}

weft_result wf_noop_query_pool_read(struct wf_hal_device *dev, struct wf_hal_query_pool *pool,
                                    uint32_t first, uint32_t count, uint64_t *out)
{
    (void)dev, (void)first;
    const size_t words = pool->kind == WEFT_QUERY_STATISTICS
                             ? sizeof(weft_pipeline_statistics) / sizeof(uint64_t)
                             : 1;
    memset(out, 0, count * words * sizeof *out);
    return WEFT_OK;
}
