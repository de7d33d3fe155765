// Shaders and pipelines: programs of the interpreter with the state that commands cannot change.
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "backends/software/software.h"

static bool is_model_known(uint32_t model)
{
    return model == SpvExecutionModelVertex || model == SpvExecutionModelFragment ||
           model == SpvExecutionModelGLCompute;
}

static struct wf_sw_program_desc program_desc(const struct wf_sw_device *dev,
                                              const struct wf_shader_module *module,
                                              const struct wf_shader_entry *entry)
{
    return (struct wf_sw_program_desc){
        .module = module,
        .entry = entry,
        .subgroup_size = dev->subgroup_size,
        .budget = dev->budget > UINT64_MAX / WF_SW_LANES ? UINT64_MAX : dev->budget * WF_SW_LANES,
    };
}

static weft_result refused(const struct wf_shader_error *error)
{
    return error->out_of_memory ? WEFT_ERROR_MEMORY : WEFT_ERROR_SHADER;
}

// Compiles an entry point with default constants and throws the program away: what it cannot run
// is found now.
static bool try_entry(struct wf_sw_device *dev, const struct wf_shader_module *module,
                      const struct wf_shader_entry *entry, struct wf_shader_error *error)
{
    if (!is_model_known(entry->model)) {
        *error = (struct wf_shader_error){.word = entry->word, .opcode = SpvOpEntryPoint};
        (void)snprintf(
            error->message, sizeof error->message,
            "Entry point \"%.64s\" has execution model %u, which the software device does not "
            "run: it runs vertex, fragment and compute shaders.",
            entry->name, entry->model);
        return false;
    }
    const struct wf_sw_program_desc desc = program_desc(dev, module, entry);
    struct wf_sw_program *program = NULL;
    if (!wf_sw_program_create(dev->base.allocator, &desc, &program, error))
        return false;
    wf_sw_program_destroy(program);
    return true;
}

weft_result wf_sw_shader_create(struct wf_hal_device *hal, const struct wf_shader_module *module,
                                struct wf_hal_shader **out, struct wf_shader_error *error)
{
    *out = NULL;
    for (uint32_t i = 0; i < module->entry_count; i++) {
        if (!try_entry(wf_sw_device(hal), module, &module->entries[i], error))
            return refused(error);
    }
    struct wf_sw_shader *shader = wf_base_alloc_zero(hal->allocator, sizeof *shader);
    if (!shader)
        return WEFT_ERROR_MEMORY;
    shader->base.module = module;
    *out = &shader->base;
    return WEFT_OK;
}

void wf_sw_shader_destroy(struct wf_hal_device *hal, struct wf_hal_shader *shader)
{
    wf_base_free(hal->allocator, shader, sizeof(struct wf_sw_shader));
}

// ---- pipelines ---------------------------------------------------------------------------------

static weft_result compile(struct wf_sw_device *dev, const struct wf_hal_stage *stage,
                           struct wf_sw_program **out, struct wf_shader_error *error)
{
    const struct wf_base_allocator *allocator = dev->base.allocator;
    struct wf_shader_specialization *values = NULL;
    if (!stage->shader)
        return WEFT_OK;
    if (stage->constant_count) {
        values = wf_base_alloc_array(allocator, stage->constant_count, sizeof *values);
        if (!values)
            return WEFT_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < stage->constant_count; i++)
        values[i] =
            (struct wf_shader_specialization){stage->constants[i].id, stage->constants[i].value};
    struct wf_sw_program_desc desc = program_desc(dev, stage->shader->module, stage->entry);
    desc.specializations = values;
    desc.specialization_count = stage->constant_count;
    const bool done = wf_sw_program_create(allocator, &desc, out, error);
    wf_base_free(allocator, values, stage->constant_count * sizeof *values);
    return done ? WEFT_OK : refused(error);
}

// The same for a program of the rasterizer, which passes no more than so much to each.
static weft_result compile_drawn(struct wf_sw_device *dev, const struct wf_hal_stage *stage,
                                 struct wf_sw_program **out, struct wf_shader_error *error)
{
    uint32_t inputs, builtins;
    const weft_result result = compile(dev, stage, out, error);
    if (result != WEFT_OK || !*out || wf_sw_raster_takes(*out, &inputs, &builtins))
        return result;
    *error = (struct wf_shader_error){.word = stage->entry->word, .opcode = SpvOpEntryPoint};
    (void)snprintf(error->message, sizeof error->message,
                   "Entry point \"%.64s\" reads %u components of inputs and %u of built-ins: the "
                   "software device passes %u and %u at most.",
                   stage->entry->name, inputs, builtins, WF_SW_RASTER_INPUTS,
                   WF_SW_RASTER_BUILTINS);
    return WEFT_ERROR_SHADER;
}

// Whether the order of groups or batches would show.
static bool is_serial(const struct wf_sw_device *dev, const struct wf_sw_program *program)
{
    if (!program)
        return false;
    const struct wf_sw_program_info *info = wf_sw_program_info(program);
    return info->float_sums || (info->atomics && dev->serial_atomics);
}

static const weft_vertex_stream *stream_of(const struct wf_hal_graphics_pipeline_desc *desc,
                                           uint32_t slot)
{
    for (uint32_t i = 0; i < desc->stream_count; i++) {
        if (desc->streams[i].slot == slot)
            return &desc->streams[i];
    }
    return NULL;
}

static void fill_attributes(struct wf_sw_pipeline *pipeline,
                            const struct wf_hal_graphics_pipeline_desc *desc)
{
    assert(desc->attribute_count <= WF_SW_RASTER_ATTRIBUTES);
    for (uint32_t i = 0; i < desc->attribute_count; i++) {
        const weft_vertex_attribute *attribute = &desc->attributes[i];
        const weft_vertex_stream *stream = stream_of(desc, attribute->slot);
        assert(stream && attribute->slot < WF_SW_VERTEX_STREAMS);
        pipeline->slots[i] = attribute->slot;
        pipeline->attributes[i] = (struct wf_sw_raster_attribute){
            .location = attribute->location,
            .format = attribute->format,
            .rate = stream->rate,
            .offset = attribute->offset,
            .stride = stream->stride,
        };
    }
    pipeline->attribute_count = desc->attribute_count;
}

weft_result wf_sw_graphics_pipeline_create(struct wf_hal_device *hal,
                                           const struct wf_hal_graphics_pipeline_desc *desc,
                                           struct wf_hal_pipeline **out,
                                           struct wf_shader_error *error)
{
    struct wf_sw_device *dev = wf_sw_device(hal);
    *out = NULL;
    struct wf_sw_pipeline *pipeline = wf_base_alloc_zero(hal->allocator, sizeof *pipeline);
    if (!pipeline)
        return WEFT_ERROR_MEMORY;
    weft_result result = compile_drawn(dev, &desc->vertex, &pipeline->vertex, error);
    if (result == WEFT_OK)
        result = compile_drawn(dev, &desc->fragment, &pipeline->fragment, error);
    if (result != WEFT_OK) {
        wf_sw_pipeline_destroy(hal, &pipeline->base);
        return result;
    }
    fill_attributes(pipeline, desc);
    pipeline->serial = is_serial(dev, pipeline->vertex) || is_serial(dev, pipeline->fragment);
    pipeline->topology = desc->topology;
    pipeline->restart = desc->restart;
    pipeline->flags = desc->flags;
    pipeline->sample_mask = desc->sample_mask;
    wf_sw_label_copy(pipeline->label, desc->label);
    *out = &pipeline->base;
    return WEFT_OK;
}

weft_result wf_sw_compute_pipeline_create(struct wf_hal_device *hal,
                                          const struct wf_hal_compute_pipeline_desc *desc,
                                          struct wf_hal_pipeline **out,
                                          struct wf_shader_error *error)
{
    *out = NULL;
    struct wf_sw_pipeline *pipeline = wf_base_alloc_zero(hal->allocator, sizeof *pipeline);
    if (!pipeline)
        return WEFT_ERROR_MEMORY;
    struct wf_sw_device *dev = wf_sw_device(hal);
    const weft_result result = compile(dev, &desc->compute, &pipeline->compute, error);
    if (result != WEFT_OK) {
        wf_sw_pipeline_destroy(hal, &pipeline->base);
        return result;
    }
    pipeline->base.compute = true;
    pipeline->serial = is_serial(dev, pipeline->compute);
    wf_sw_label_copy(pipeline->label, desc->label);
    *out = &pipeline->base;
    return WEFT_OK;
}

void wf_sw_pipeline_destroy(struct wf_hal_device *hal, struct wf_hal_pipeline *base)
{
    struct wf_sw_pipeline *pipeline = (struct wf_sw_pipeline *)base;
    wf_sw_program_destroy(pipeline->vertex);
    wf_sw_program_destroy(pipeline->fragment);
    wf_sw_program_destroy(pipeline->compute);
    wf_base_free(hal->allocator, pipeline, sizeof *pipeline);
}
