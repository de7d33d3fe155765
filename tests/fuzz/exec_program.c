// Compiles any module's entry points for the interpreter and runs them on a little memory and one
// image: nothing may crash, hang or leave its bounds.
#include "support/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "backends/software/exec/exec.h"
#include "backends/software/image/image.h"
#include "base/alloc.h"

enum { MAX_ENTRIES = 3, BINDINGS = 6, BUFFER = 200, BUDGET = 20000 };

/// What the shaders may touch: every binding of every set has the same two elements.
struct world {
    struct wf_sw_image image;
    struct wf_sw_view view;
    struct wf_sw_sampler sampler;
    struct wf_sw_binding elements[2];
    struct wf_sw_binding_range ranges[BINDINGS];
    struct wf_sw_span span;
    struct wf_sw_resources resources;
    uint8_t *buffer;
};

static bool resolve(const void *arena, uint64_t address, struct wf_sw_span *out)
{
    const struct wf_sw_span *span = arena;
    *out = *span;
    return address - span->address < span->size;
}

static bool open_world(struct world *w)
{
    memset(w, 0, sizeof *w);
    const weft_texture_desc desc = {.format = WEFT_FORMAT_RGBA8_UNORM, .width = 8, .height = 8};
    w->buffer = calloc(1, BUFFER);
    if (!w->buffer || !wf_sw_image_init(&w->image, &desc))
        return false;
    w->image.memory =
        wf_base_alloc_aligned(wf_base_allocator_default(), w->image.size, WF_SW_IMAGE_ALIGN);
    if (!w->image.memory)
        return false;
    memset(w->image.memory, 77, w->image.size);
    wf_sw_view_init(&w->view, &w->image, &(struct wf_sw_view_desc){0});
    wf_sw_sampler_init(&w->sampler, &(weft_sampler_desc){0});
    w->elements[0] = (struct wf_sw_binding){w->buffer, BUFFER, &w->view, &w->sampler};
    for (int i = 0; i < BINDINGS; i++)
        w->ranges[i] = (struct wf_sw_binding_range){0, 2};
    for (uint32_t s = 0; s < WF_SW_SETS; s++)
        w->resources.sets[s] = (struct wf_sw_table){w->elements, w->ranges, BINDINGS};
    w->span = (struct wf_sw_span){0x10000, w->buffer, BUFFER};
    w->resources.arena = &w->span;
    w->resources.resolve = resolve;
    w->resources.root = w->buffer;
    w->resources.root_size = 64;
    return true;
}

static void close_world(struct world *w)
{
    wf_base_free(wf_base_allocator_default(), w->image.memory, w->image.size);
    free(w->buffer);
}

static void run(struct world *w, const struct wf_sw_program *program)
{
    struct wf_sw_context *context = wf_sw_context_create(wf_base_allocator_default());
    const struct wf_sw_program_info *info = wf_sw_program_info(program);
    if (context && info->model == SpvExecutionModelGLCompute) {
        wf_sw_run_group(context, program, &w->resources, (const uint32_t[3]){1, 2, 3},
                        (const uint32_t[3]){4, 4, 4});
    } else if (context) {
        struct wf_sw_batch batch;
        if (wf_sw_prepare(context, program, &batch)) {
            for (uint32_t i = 0; i < info->input_count * WF_SW_LANES; i++)
                batch.inputs[i / WF_SW_LANES][i % WF_SW_LANES] = i * 0x9e3779b9u;
            batch.active = 0xffffffff0000ffffu;
            batch.helpers = 0xf0;
            wf_sw_run(context, program, &w->resources, &batch);
        }
    }
    wf_sw_context_destroy(context);
}

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t *words = malloc(size + 4); // aligned
    if (!words)
        return 0;
    memcpy(words, data, size);
    struct wf_shader_module *module;
    struct wf_shader_error error;
    const bool ok = wf_shader_read(wf_base_allocator_default(), words, size, &module, &error);
    free(words);
    struct world w;
    if (!ok)
        return 0;
    if (open_world(&w)) {
        for (uint32_t i = 0; i < module->entry_count && i < MAX_ENTRIES; i++) {
            const struct wf_sw_program_desc desc = {
                .module = module, .entry = &module->entries[i], .budget = BUDGET};
            struct wf_sw_program *program;
            if (wf_sw_program_create(wf_base_allocator_default(), &desc, &program, &error))
                run(&w, program);
            wf_sw_program_destroy(program);
        }
    }
    close_world(&w);
    wf_shader_free(module);
    return 0;
}
