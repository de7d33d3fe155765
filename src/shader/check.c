#include "shader/check.h"

#include "shader/message.h"
#include "shader/reflector.h"

#include <stdarg.h>
#include <stdlib.h>

enum { HEAP_SET = 3 };

/// Room for the next finding, or NULL when it is only counted.
static struct wf_shader_finding *push(struct wf_shader_findings *findings,
                                      enum wf_shader_finding_kind kind)
{
    const uint32_t index = findings->count++;
    if (index >= findings->capacity)
        return NULL;
    struct wf_shader_finding *finding = &findings->items[index];
    *finding = (struct wf_shader_finding){
        .kind = kind,
        .set = WF_SHADER_NONE,
        .binding = WF_SHADER_NONE,
        .location = WF_SHADER_NONE,
        .component = WF_SHADER_NONE,
    };
    return finding;
}

#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
static void
about_varying(struct wf_shader_findings *findings, enum wf_shader_finding_kind kind,
              const struct wf_shader_reflection *reflection,
              const struct wf_shader_varying *varying, const char *format, ...)
{
    struct wf_shader_finding *finding = push(findings, kind);
    if (!finding)
        return;
    finding->id = varying->id;
    finding->word = reflection->module->ids[varying->id].word;
    finding->location = varying->location;
    finding->component = varying->component;
    wf_shader_append(finding->message, sizeof finding->message,
                     "location %u, input \"%.60s\" of \"%.30s\": ", varying->location,
                     varying->name, reflection->entry->name);
    va_list args;
    va_start(args, format);
    wf_shader_vappend(finding->message, sizeof finding->message, format, args);
    va_end(args);
    wf_shader_finding_locate(finding, reflection->module);
}

/// Whether an output covers a place. `*offset` is how many locations lie between.
static bool covers(const struct wf_shader_varying *output, uint32_t location, uint32_t component)
{
    if (output->locations == 0 || location < output->location ||
        location - output->location >= output->locations)
        return false;
    const uint32_t words = output->width == 64 ? 2 : 1;
    const uint32_t end = output->component + output->components * words;
    // A 64-bit vector of more than two goes on in the location after it.
    return component >= output->component && (component < end || end > 4);
}

static const struct wf_shader_varying *find_output(const struct wf_shader_reflection *producer,
                                                   uint32_t location, uint32_t component)
{
    for (uint32_t i = 0; i < producer->output_count; i++) {
        if (producer->outputs[i].index == 0 && covers(&producer->outputs[i], location, component))
            return &producer->outputs[i];
    }
    return NULL;
}

static void check_type(const struct wf_shader_reflection *consumer,
                       const struct wf_shader_varying *input,
                       const struct wf_shader_varying *output, struct wf_shader_findings *findings)
{
    if (input->base != output->base || input->width != output->width)
        about_varying(findings, WF_SHADER_FINDING_TYPE, consumer, input,
                      "it is %s of %u bits, but the output \"%.40s\" is %s of %u",
                      wf_shader_scalar_name(input->base), input->width, output->name,
                      wf_shader_scalar_name(output->base), output->width);
    else if (input->patch != output->patch)
        about_varying(findings, WF_SHADER_FINDING_INTERPOLATION, consumer, input,
                      "only one of it and the output \"%.40s\" is Patch", output->name);
    else if (input->per_primitive != output->per_primitive)
        about_varying(findings, WF_SHADER_FINDING_INTERPOLATION, consumer, input,
                      "only one of it and the output \"%.40s\" is PerPrimitiveEXT", output->name);
}

static void check_input(const struct wf_shader_reflection *producer,
                        const struct wf_shader_reflection *consumer,
                        const struct wf_shader_varying *input, struct wf_shader_findings *findings)
{
    const struct wf_shader_varying *first =
        find_output(producer, input->location, input->component);
    if (!first) {
        about_varying(findings, WF_SHADER_FINDING_MISSING_OUTPUT, consumer, input,
                      "no output of \"%.30s\" writes it", producer->entry->name);
        return;
    }
    check_type(consumer, input, first, findings);
    const uint32_t words = input->width == 64 ? 2 : 1;
    for (uint32_t l = 0; l < input->locations; l++) {
        if (!find_output(producer, input->location + l, input->component)) {
            about_varying(findings, WF_SHADER_FINDING_MISSING_OUTPUT, consumer, input,
                          "no output of \"%.30s\" writes location %u, which is part of it",
                          producer->entry->name, input->location + l);
            return;
        }
        for (uint32_t c = 1; c < input->components && c * words < 4; c++) {
            if (find_output(producer, input->location + l, input->component + c * words))
                continue;
            about_varying(findings, WF_SHADER_FINDING_COMPONENTS, consumer, input,
                          "it has %u components, but the output \"%.40s\" has %u",
                          input->components, first->name, first->components);
            return;
        }
    }
}

void wf_shader_check_interface(const struct wf_shader_reflection *producer,
                               const struct wf_shader_reflection *consumer,
                               struct wf_shader_findings *findings)
{
    for (uint32_t i = 0; i < consumer->input_count; i++) {
        const struct wf_shader_varying *input = &consumer->inputs[i];
        if (input->locations == 0 || !input->used)
            continue;
        const bool must_be_flat = consumer->stage == WF_SHADER_STAGE_FRAGMENT &&
                                  (input->base != WF_SHADER_SCALAR_FLOAT || input->width == 64);
        if (must_be_flat && !input->flat && !input->per_primitive)
            about_varying(findings, WF_SHADER_FINDING_INTERPOLATION, consumer, input,
                          "it is %s of %u bits, and must be Flat",
                          wf_shader_scalar_name(input->base), input->width);
        check_input(producer, consumer, input, findings);
    }
}

#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
static void
about_binding(struct wf_shader_findings *findings, enum wf_shader_finding_kind kind,
              const struct wf_shader_reflection *reflection,
              const struct wf_shader_binding *binding, const char *format, ...)
{
    struct wf_shader_finding *finding = push(findings, kind);
    if (!finding)
        return;
    finding->id = binding->id;
    finding->word = reflection->module->ids[binding->id].word;
    finding->set = binding->set;
    finding->binding = binding->binding;
    wf_shader_append(finding->message, sizeof finding->message,
                     "set %u, binding %u, \"%.40s\" of \"%.30s\": ", binding->set, binding->binding,
                     binding->name, reflection->entry->name);
    va_list args;
    va_start(args, format);
    wf_shader_vappend(finding->message, sizeof finding->message, format, args);
    va_end(args);
    wf_shader_finding_locate(finding, reflection->module);
}

static bool same_view(const struct wf_shader_binding *a, const struct wf_shader_binding *b)
{
    return a->dim == b->dim && a->arrayed == b->arrayed && a->multisampled == b->multisampled &&
           a->sampled == b->sampled && a->format == b->format;
}

static void merge(struct wf_shader_layout_entry *entry, const struct wf_shader_reflection *stage,
                  const struct wf_shader_binding *binding, struct wf_shader_findings *findings)
{
    const struct wf_shader_binding *first = entry->first;
    if (binding->type != first->type)
        about_binding(findings, WF_SHADER_FINDING_BINDING_TYPE, stage, binding,
                      "it is a %s here, and a %s elsewhere", wf_shader_resource_name(binding->type),
                      wf_shader_resource_name(first->type));
    else if (!same_view(binding, first) && binding->set != HEAP_SET)
        about_binding(findings, WF_SHADER_FINDING_BINDING_VIEW, stage, binding,
                      "its dimension, sampled type or format differs from that elsewhere");
    else if (binding->count != first->count && binding->set != HEAP_SET && binding->count != 0 &&
             first->count != 0)
        about_binding(findings, WF_SHADER_FINDING_BINDING_COUNT, stage, binding,
                      "it has %u elements here, %u elsewhere", binding->count, first->count);
    entry->stages |= stage->stage;
    entry->written |= binding->written;
    entry->writable |= !binding->non_writable;
    entry->size = binding->size > entry->size ? binding->size : entry->size;
    if (entry->count != 0 && (binding->count == 0 || binding->count > entry->count))
        entry->count = binding->count;
}

static int compare(const void *a, const void *b)
{
    const struct wf_shader_layout_entry *x = a;
    const struct wf_shader_layout_entry *y = b;
    const uint32_t keys[][2] = {{x->set, y->set},
                                {x->binding, y->binding},
                                {x->stages, y->stages},
                                {x->first->id, y->first->id}};
    for (uint32_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    }
    return 0;
}

/// The stage with this bit.
static const struct wf_shader_reflection *
find_stage(const struct wf_shader_reflection *const *stages, uint32_t stage_count, uint32_t bit)
{
    for (uint32_t i = 0; i < stage_count; i++) {
        if (stages[i]->stage == bit)
            return stages[i];
    }
    return NULL;
}

uint32_t wf_shader_merge_bindings(const struct wf_shader_reflection *const *stages,
                                  uint32_t stage_count, struct wf_shader_layout_entry *entries,
                                  struct wf_shader_findings *findings)
{
    uint32_t total = 0;
    for (uint32_t s = 0; s < stage_count; s++) {
        for (uint32_t i = 0; i < stages[s]->binding_count; i++) {
            const struct wf_shader_binding *binding = &stages[s]->bindings[i];
            entries[total++] = (struct wf_shader_layout_entry){
                .set = binding->set,
                .binding = binding->binding,
                .stages = stages[s]->stage,
                .type = binding->type,
                .count = binding->count,
                .size = binding->size,
                .written = binding->written,
                .writable = !binding->non_writable,
                .first = binding,
            };
        }
    }
    if (total == 0)
        return 0;
    qsort(entries, total, sizeof *entries, compare);
    uint32_t last = 0;
    for (uint32_t i = 1; i < total; i++) {
        const struct wf_shader_layout_entry next = entries[i];
        if (next.set == entries[last].set && next.binding == entries[last].binding)
            merge(&entries[last], find_stage(stages, stage_count, next.stages), next.first,
                  findings);
        else
            entries[++last] = next;
    }
    return last + 1;
}
