#include "exec_support.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

struct exec exec_try(const uint32_t *words, size_t bytes, const struct exec_options *options)
{
    struct exec e = {0};
    const struct exec_options none = {0}, *o = options ? options : &none;
    if (!wf_shader_read(wf_base_allocator_default(), words, bytes, &e.module, &e.error))
        test_fail(__FILE__, __LINE__, "cannot read: %s", e.error.message);
    const struct wf_sw_program_desc desc = {
        .module = e.module,
        .entry = &e.module->entries[0],
        .specializations = o->constants,
        .specialization_count = o->constant_count,
        .subgroup_size = o->subgroup_size,
        .budget = o->budget,
    };
    wf_sw_program_create(wf_base_allocator_default(), &desc, &e.program, &e.error);
    e.context = wf_sw_context_create(wf_base_allocator_default());
    for (uint32_t i = 0; i < EXEC_BINDINGS; i++)
        e.ranges[i] = (struct wf_sw_binding_range){i, 1};
    return e;
}

struct exec exec_open(const uint32_t *words, size_t bytes, const struct exec_options *options)
{
    struct exec e = exec_try(words, bytes, options);
    if (!e.program)
        test_fail(__FILE__, __LINE__, "cannot compile: %s", e.error.message);
    return e;
}

void exec_close(struct exec *e)
{
    wf_sw_context_destroy(e->context);
    wf_sw_program_destroy(e->program);
    wf_shader_free(e->module);
}

void exec_buffer(struct exec *e, uint32_t i, void *data, uint64_t size)
{
    e->elements[i].data = data;
    e->elements[i].size = size;
}

static bool resolve(const void *arena, uint64_t address, struct wf_sw_span *out)
{
    const struct wf_sw_span *span = arena;
    *out = *span;
    return address - span->address < span->size;
}

void exec_arena(struct exec *e, struct wf_sw_span *span, void *data, uint64_t size)
{
    *span = (struct wf_sw_span){EXEC_ADDRESS, data, size};
    e->resources.arena = span;
    e->resources.resolve = resolve;
}

enum wf_sw_result exec_group(struct exec *e)
{
    const uint32_t id[3] = {0, 0, 0}, count[3] = {1, 1, 1};
    e->resources.sets[0] = (struct wf_sw_table){e->elements, e->ranges, EXEC_BINDINGS};
    return wf_sw_run_group(e->context, e->program, &e->resources, id, count);
}

static uint32_t find(const struct wf_sw_row *rows, uint32_t count, uint32_t builtin,
                     uint32_t location, uint32_t component)
{
    for (uint32_t i = 0; i < count; i++) {
        if (rows[i].builtin == builtin && rows[i].location == location &&
            rows[i].component == component)
            return i;
    }
    test_fail(__FILE__, __LINE__, "no row: builtin %d location %d component %u", (int)builtin,
              (int)location, component);
}

uint32_t exec_input(const struct exec *e, uint32_t builtin, uint32_t location, uint32_t component)
{
    const struct wf_sw_program_info *info = wf_sw_program_info(e->program);
    return find(info->inputs, info->input_count, builtin, location, component);
}

uint32_t exec_output(const struct exec *e, uint32_t builtin, uint32_t location, uint32_t component)
{
    const struct wf_sw_program_info *info = wf_sw_program_info(e->program);
    return find(info->outputs, info->output_count, builtin, location, component);
}

uint32_t exec_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

float exec_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

uint32_t exec_random(uint32_t *state)
{
    uint32_t x = *state += 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

float exec_random_float(uint32_t *state, float low, float high)
{
    return low + (high - low) * ((float)(exec_random(state) >> 8) / 16777216.0f);
}
