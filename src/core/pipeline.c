// What graphics and compute pipelines share: stages, layouts by reflection, needs, life.
#include "core/pipeline.h"

#include "core/build.h"
#include "core/check_argument.h"
#include "core/watch.h"

#include "shader/check.h"
#include "shader/module.h"

#include <inttypes.h>
#include <string.h>

struct wf_core_pipeline *wf_core_pipeline_new(struct weft_device *dev, const char *label,
                                              bool compute)
{
    struct wf_core_pipeline *pipeline = wf_base_alloc_zero(dev->allocator, sizeof *pipeline);
    if (!pipeline)
        return NULL;
    atomic_store(&pipeline->references, 1);
    atomic_store(&pipeline->status, WEFT_PENDING);
    pipeline->compute = compute;
    wf_core_label_set(pipeline->label, label);
    wf_base_arena_init(&pipeline->arena, dev->allocator, 2048, 0);
    return pipeline;
}

void wf_core_pipeline_drop(struct weft_device *dev, struct wf_core_pipeline *pipeline)
{
    if (atomic_fetch_sub_explicit(&pipeline->references, 1, memory_order_acq_rel) > 1)
        return;
    if (pipeline->hal)
        dev->ops->pipeline_destroy(dev->hal, pipeline->hal);
    for (uint32_t i = 0; i < WF_CORE_MAX_STAGES; ++i)
        wf_core_module_drop(dev, pipeline->modules[i]);
    for (uint32_t i = 0; i < WF_HAL_SLOTS; ++i)
        wf_core_shape_drop(dev, pipeline->shapes[i]);
    wf_base_arena_finish(&pipeline->arena);
    wf_base_free(dev->allocator, pipeline, sizeof *pipeline);
}

static void release(struct weft_device *dev, void *object, uint64_t extra)
{
    (void)extra;
    wf_core_pipeline_drop(dev, object);
}

static void end_layouts(struct weft_device *dev, const struct wf_core_pipeline *pipeline)
{
    for (uint32_t i = 0; i < WF_HAL_SLOTS; ++i) {
        if (pipeline->owned_layouts >> i & 1)
            wf_core_argument_layout_destroy(dev, pipeline->layouts[i]);
    }
}

void wf_core_pipeline_undo(struct weft_device *dev, struct wf_core_pipeline *pipeline)
{
    end_layouts(dev, pipeline);
    wf_core_pipeline_drop(dev, pipeline);
}

void wf_core_pipeline_retire(struct weft_device *dev, struct wf_core_pipeline *pipeline)
{
    end_layouts(dev, pipeline);
    wf_core_retire(dev, release, pipeline, 0, 0);
}

// ---- stages ------------------------------------------------------------------------------------

bool wf_core_stage_find(const struct wf_core_subject *on, const weft_shader_use *use,
                        weft_shader_stages stage, struct wf_core_stage *out)
{
    *out = (struct wf_core_stage){.use = use, .stage = stage};
    const struct wf_core_shader *shader = wf_core_shader_get(on->dev, use->shader);
    if (!shader)
        return false;
    out->entry = wf_core_module_entry(shader->module, stage, use->entry);
    if (out->entry == UINT32_MAX)
        return wf_core_broken(on, WEFT_RULE_PIPELINE_ENTRY,
                              "Shader \"%s\" has no %s entry point \"%s\".",
                              wf_core_label(on->dev, wf_core_shader_object(use->shader)),
                              wf_core_stage_name(stage), use->entry ? use->entry : "main");
    out->module = shader->module;
    return true;
}

bool wf_core_stage_copy(struct wf_core_pipeline *pipeline, const struct wf_core_stage *stage,
                        struct wf_hal_stage *out)
{
    *out = (struct wf_hal_stage){0};
    if (!stage->module)
        return true;
    const uint32_t count = stage->use->constant_count;
    out->shader = stage->module->hal;
    out->entry = &stage->module->read->entries[stage->entry];
    out->constant_count = count;
    if (count > 0)
        out->constants = wf_base_arena_copy(&pipeline->arena, stage->use->constants,
                                            count * sizeof *stage->use->constants);
    return count == 0 || out->constants;
}

uint32_t wf_core_root_bytes(const struct wf_core_stage *stages, uint32_t count)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (!stages[i].module)
            continue;
        const uint32_t size = wf_core_stage_entry(&stages[i])->root_size;
        bytes = size > bytes ? size : bytes;
    }
    return (bytes + 3) & ~3u;
}

/// The words that the members of a root block cover. What lies between them is never read.
static uint64_t root_mask(const struct wf_core_stage *stage)
{
    const struct wf_shader_root *root = &wf_core_stage_reflection(stage)->root;
    uint64_t mask = 0;
    for (uint32_t i = 0; i < root->member_count; ++i) {
        const struct wf_shader_root_member *m = &root->members[i];
        for (uint64_t word = m->offset / 4; word < 64 && word * 4 < m->offset + m->size; ++word)
            mask |= UINT64_C(1) << word;
    }
    return mask;
}

// ---- layouts -----------------------------------------------------------------------------------

/// The bindings of all stages, put together.
struct merged {
    struct wf_shader_layout_entry *entries;
    uint32_t count;
};

/// Reports findings as broken rules. False if there was one.
static bool report_findings(const struct wf_core_subject *on,
                            const struct wf_shader_findings *findings)
{
    const uint32_t shown =
        findings->count < findings->capacity ? findings->count : findings->capacity;
    for (uint32_t i = 0; i < shown; ++i)
        wf_core_broken(on, WEFT_RULE_PIPELINE_STAGES_DISAGREE, "%s", findings->items[i].message);
    return findings->count == 0;
}

#define MAX_FINDINGS 8u

static weft_result merge(const struct wf_core_subject *on, struct wf_core_pipeline *pipeline,
                         const struct wf_core_stage *stages, uint32_t stage_count,
                         struct merged *out)
{
    const struct wf_shader_reflection *reflections[WF_CORE_MAX_STAGES];
    uint32_t used = 0, room = 1;
    for (uint32_t i = 0; i < stage_count; ++i) {
        if (!stages[i].module)
            continue;
        reflections[used] = wf_core_stage_reflection(&stages[i]);
        room += reflections[used++]->binding_count;
    }
    out->entries = wf_base_arena_array(&pipeline->arena, room, sizeof *out->entries);
    if (!out->entries)
        return WEFT_ERROR_MEMORY;
    struct wf_shader_finding items[MAX_FINDINGS];
    struct wf_shader_findings findings = {.items = items, .capacity = MAX_FINDINGS};
    out->count = wf_shader_merge_bindings(reflections, used, out->entries, &findings);
    return report_findings(on, &findings) ? WEFT_OK : WEFT_ERROR_USAGE;
}

static struct wf_hal_argument reflected_argument(const struct wf_shader_layout_entry *e)
{
    const struct wf_shader_binding *b = e->first;
    struct wf_hal_argument a = {
        .binding = e->binding,
        .count = e->count,
        .type = wf_core_argument_type(e->type),
        .stages = e->stages,
        .view = wf_core_reflected_view(b),
        .multisampled = b->multisampled,
        .sampled = wf_core_reflected_class(b),
        .storage = wf_core_reflected_format(b),
    };
    if (wf_core_argument_is_texels(a.type))
        a.storage = wf_core_texels_format(a.storage, a.sampled);
    const bool storage = a.type == WEFT_ARGUMENT_STORAGE_BUFFER ||
                         a.type == WEFT_ARGUMENT_STORAGE_TEXTURE ||
                         a.type == WEFT_ARGUMENT_STORAGE_TEXELS;
    if (storage && !e->writable)
        a.flags |= WEFT_ARGUMENT_READ_ONLY;
    return a;
}

/// A shape for a slot without a given layout, and the handle that the pipeline owns.
static weft_result reflect_slot(struct weft_device *dev, struct wf_core_pipeline *pipeline,
                                const struct merged *merged, uint32_t slot)
{
    struct wf_hal_argument *arguments =
        wf_base_arena_array(&pipeline->arena, merged->count, sizeof *arguments);
    if (!arguments)
        return WEFT_ERROR_MEMORY;
    uint32_t count = 0;
    for (uint32_t i = 0; i < merged->count; ++i) {
        if (merged->entries[i].set == slot)
            arguments[count++] = reflected_argument(&merged->entries[i]);
    }
    if (!wf_core_check_layout_size(dev, arguments, count, pipeline->label))
        return WEFT_ERROR_USAGE;
    pipeline->shapes[slot] = wf_core_shape_get(dev, arguments, count, pipeline->label);
    if (!pipeline->shapes[slot])
        return WEFT_ERROR_MEMORY;
    pipeline->layouts[slot] =
        wf_core_layout_wrap(dev, pipeline->shapes[slot], pipeline->label, true);
    if (weft_argument_layout_is_none(pipeline->layouts[slot]))
        return WEFT_ERROR_MEMORY;
    pipeline->owned_layouts |= 1u << slot;
    return WEFT_OK;
}

static weft_result take_slot(struct weft_device *dev, struct wf_core_pipeline *pipeline,
                             const struct merged *merged, uint32_t slot, weft_argument_layout given)
{
    if (weft_argument_layout_is_none(given))
        return pipeline->slot_mask >> slot & 1 ? reflect_slot(dev, pipeline, merged, slot)
                                               : WEFT_OK;
    const struct wf_core_argument_layout *layout = wf_core_argument_layout_get(dev, given);
    if (!layout)
        return WEFT_ERROR_USAGE;
    wf_core_shape_keep(dev, layout->shape);
    pipeline->shapes[slot] = layout->shape;
    pipeline->layouts[slot] = given;
    return WEFT_OK;
}

static const struct wf_hal_argument *argument_of(const struct wf_core_shape *shape,
                                                 uint32_t binding)
{
    for (uint32_t i = 0; i < shape->argument_count; ++i) {
        if (shape->arguments[i].binding == binding)
            return &shape->arguments[i];
    }
    return NULL;
}

/// What tables must hold, by the merged bindings. False when they do not fit the layouts.
static bool take_needs(const struct wf_core_subject *on, struct wf_core_pipeline *pipeline,
                       const struct merged *merged)
{
    bool ok = true;
    for (uint32_t i = 0; i < merged->count; ++i) {
        const struct wf_shader_layout_entry *e = &merged->entries[i];
        if (e->set >= WF_HAL_SLOTS)
            continue;
        const struct wf_core_shape *shape = pipeline->shapes[e->set];
        const struct wf_hal_argument *argument = argument_of(shape, e->binding);
        if (!wf_core_check_layout_fits(on, e, shape)) {
            ok = false;
            continue;
        }
        // A sampler that the layout fixes is not in the table.
        if (argument->fixed && argument->type == WEFT_ARGUMENT_SAMPLER)
            continue;
        pipeline->needs[pipeline->need_count++] = (struct wf_core_need){
            .slot = e->set,
            .binding = e->binding,
            .first_element = argument->first_element,
            .count = e->count,
            .bytes = e->size > 0 ? e->size : 1,
        };
    }
    return ok;
}

static void take_modules(struct wf_core_pipeline *pipeline, const struct wf_core_stage *stages,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (!stages[i].module)
            continue;
        wf_core_module_keep(stages[i].module);
        pipeline->modules[i] = stages[i].module;
        pipeline->root_need[stages[i].stage == WEFT_SHADER_STAGE_FRAGMENT] |= root_mask(&stages[i]);
    }
}

weft_result wf_core_pipeline_adopt(const struct wf_core_subject *on,
                                   struct wf_core_pipeline *pipeline,
                                   const struct wf_core_stage *stages, uint32_t stage_count,
                                   const weft_argument_layout *layouts)
{
    struct merged merged;
    take_modules(pipeline, stages, stage_count);
    weft_result result = merge(on, pipeline, stages, stage_count, &merged);
    if (result != WEFT_OK)
        return result;
    for (uint32_t i = 0; i < merged.count; ++i) {
        if (merged.entries[i].set < WF_HAL_SLOTS)
            pipeline->slot_mask |= 1u << merged.entries[i].set;
    }
    for (uint32_t slot = 0; slot < WF_HAL_SLOTS; ++slot) {
        result = take_slot(on->dev, pipeline, &merged, slot, layouts[slot]);
        if (result != WEFT_OK)
            return result;
    }
    pipeline->needs =
        wf_base_arena_array(&pipeline->arena, merged.count + 1, sizeof *pipeline->needs);
    if (!pipeline->needs)
        return WEFT_ERROR_MEMORY;
    if (!take_needs(on, pipeline, &merged))
        return WEFT_ERROR_USAGE;
    return wf_core_watch_pipeline(on->dev, pipeline, stages, stage_count) ? WEFT_OK
                                                                          : WEFT_ERROR_MEMORY;
}

weft_argument_layout wf_core_pipeline_layout(struct weft_device *dev,
                                             const struct wf_core_pipeline *pipeline, uint32_t slot)
{
    if (slot < WF_HAL_SLOTS)
        return pipeline->layouts[slot];
    wf_core_broken(&(struct wf_core_subject){.dev = dev,
                                             .object = wf_core_no_object(),
                                             .label = pipeline->label},
                   WEFT_RULE_ARGUMENT_SLOT, "The layout of slot %u was asked for.", slot);
    return (weft_argument_layout){0};
}

weft_result wf_core_pipeline_finish(const struct wf_core_subject *on,
                                    struct wf_core_pipeline *pipeline, weft_result result,
                                    bool background)
{
    if (result == WEFT_ERROR_MEMORY)
        wf_core_failed(on, result, NULL);
    if (result == WEFT_OK && background) {
        wf_core_build_later(on->dev, pipeline);
    } else if (result == WEFT_OK) {
        wf_core_build_now(on->dev, pipeline);
        result = (weft_result)atomic_load(&pipeline->status);
    }
    if (result != WEFT_OK && pipeline)
        wf_core_pipeline_undo(on->dev, pipeline);
    return result;
}
