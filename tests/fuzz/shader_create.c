// Makes a shader of any bytes on the software device; what is accepted becomes pipelines that run.
#include "support/fuzz.h"

#include "fuzz_floats.vert.spv.h"
#include "fuzz_mixed.vert.spv.h"

#include <weft/weft.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_ENTRIES = 4,
    MAX_VIEWS = 256,
    MAX_WRITES = 64,
    SIDE = 8,            // texels of the target and of every texture
    BUFFER_BYTES = 4096, // less than many a shader wants
    RUNS_PER_DEVICE = 500,
};

#define BUDGET 2000u // instructions per invocation

/// A view of some texture, made when a shader first wants one like it.
struct made_view {
    weft_texture texture;
    weft_texture_view view;
    weft_format format;
    weft_view_kind kind;
    uint32_t samples, number;
    weft_texture_usage usage;
};

static struct rig {
    weft_device *dev;
    weft_buffer buffer, vertices;
    void *bytes; // of `buffer`
    weft_sampler sampler, nearest, compare;
    weft_shader floats, mixed; // vertex shaders for fragment shaders
    struct made_view views[MAX_VIEWS];
    uint32_t view_count, runs;
} rig;

static _Atomic size_t live_bytes;

_Noreturn static void broken(const char *what)
{
    (void)fprintf(stderr, "shader_create: %s\n", what);
    abort();
}

// ---- the device --------------------------------------------------------------------------------

static void *host_alloc(void *user, size_t size, size_t align)
{
    (void)user;
    atomic_fetch_add(&live_bytes, size);
    return aligned_alloc(align < 16 ? 16 : align, (size + align + 15) / (align < 16 ? 16 : align) *
                                                      (align < 16 ? 16 : align));
}

static void host_free(void *user, void *ptr, size_t size)
{
    (void)user;
    if (ptr)
        atomic_fetch_sub(&live_bytes, size);
    free(ptr);
}

static void host_diagnostic(void *user, const weft_diagnostic *diagnostic)
{
    (void)user;
    if (strlen(diagnostic->message) == 0)
        broken("a diagnostic without a message");
    (void)fprintf(stderr, "%s\n", diagnostic->message);
    if (!rig.dev) // closing
        broken(diagnostic->message);
}

static void host_log(void *user, weft_severity severity, const char *message)
{
    (void)user, (void)severity, (void)message;
}

static weft_shader shader_of(const void *code, size_t size)
{
    weft_shader shader;
    (void)weft_shader_create(rig.dev, &(weft_shader_desc){.code = code, .size = size}, &shader);
    return shader;
}

// ---- textures ----------------------------------------------------------------------------------

static weft_texture_desc texture_desc(const struct made_view *like)
{
    weft_texture_desc desc = {.format = like->format,
                              .width = SIDE,
                              .height = SIDE,
                              .samples = like->samples,
                              .usage = like->usage};
    switch (like->kind) {
    case WEFT_VIEW_1D:
    case WEFT_VIEW_1D_ARRAY:
        desc.kind = WEFT_TEXTURE_1D;
        desc.height = 1;
        break;
    case WEFT_VIEW_3D:
        desc.kind = WEFT_TEXTURE_3D;
        desc.depth = SIDE;
        break;
    case WEFT_VIEW_CUBE:
    case WEFT_VIEW_CUBE_ARRAY:
        desc.kind = WEFT_TEXTURE_CUBE;
        break;
    default:
        break;
    }
    if (like->kind == WEFT_VIEW_1D_ARRAY || like->kind == WEFT_VIEW_2D_ARRAY)
        desc.layers = 3;
    if (like->kind == WEFT_VIEW_CUBE_ARRAY)
        desc.layers = 12;
    if (like->samples <= 1 && like->usage == WEFT_TEXTURE_USAGE_SAMPLED)
        desc.mips = 2;
    return desc;
}

/// None where the device has no such texture.
static weft_texture_view view_like(const struct made_view *like)
{
    for (uint32_t i = 0; i < rig.view_count; i++) {
        const struct made_view *v = &rig.views[i];
        if (v->format == like->format && v->kind == like->kind && v->samples == like->samples &&
            v->number == like->number && v->usage == like->usage)
            return v->view;
    }
    if (rig.view_count == MAX_VIEWS)
        return (weft_texture_view){0};
    struct made_view *made = &rig.views[rig.view_count++];
    *made = *like;
    const weft_texture_desc desc = texture_desc(like);
    const weft_texture_view_desc view = {.kind = like->kind};
    if (weft_texture_create(rig.dev, &desc, &made->texture) == WEFT_OK) {
        weft_texture_view_desc full = view;
        full.texture = made->texture;
        (void)weft_texture_view_create(rig.dev, &full, &made->view);
    }
    return made->view;
}

static weft_format format_of(weft_sample_class class)
{
    switch (class) {
    case WEFT_SAMPLE_CLASS_UINT:
        return WEFT_FORMAT_RGBA8_UINT;
    case WEFT_SAMPLE_CLASS_SINT:
        return WEFT_FORMAT_RGBA8_SINT;
    case WEFT_SAMPLE_CLASS_DEPTH:
        return WEFT_FORMAT_D32_FLOAT;
    default:
        return WEFT_FORMAT_RGBA8_UNORM;
    }
}

static weft_texture_view target(uint32_t location, weft_format format, uint32_t samples)
{
    return view_like(&(struct made_view){.format = format,
                                         .kind = WEFT_VIEW_2D,
                                         .samples = samples,
                                         .number = location,
                                         .usage = WEFT_TEXTURE_USAGE_RENDER});
}

// ---- the rig ------------------------------------------------------------------------------------

static void rig_open(void)
{
    const weft_host_hooks hooks = {
        .alloc = host_alloc, .free = host_free, .diagnostic = host_diagnostic, .log = host_log};
    const weft_software_options software = {.threads = 1, .shader_budget = BUDGET};
    const weft_device_desc desc = {.backends = 1u << WEFT_BACKEND_SOFTWARE,
                                   .validation = WEFT_VALIDATION_FULL,
                                   .hooks = &hooks,
                                   .software = &software};
    (void)weft_device_start(&desc, &rig.dev);
    if (!rig.dev || weft_device_wait(rig.dev, UINT64_MAX) != WEFT_OK)
        broken("the device does not start");
    weft_buffer_desc buffer = {.size = BUFFER_BYTES, .memory = WEFT_MEMORY_DEFAULT};
    buffer.usage = WEFT_BUFFER_USAGE_VERTEX;
    (void)weft_buffer_create(rig.dev, &buffer, &rig.vertices);
    buffer.usage = WEFT_BUFFER_USAGE_UNIFORM | WEFT_BUFFER_USAGE_STORAGE |
                   WEFT_BUFFER_USAGE_ADDRESS | WEFT_BUFFER_USAGE_TEXEL;
    (void)weft_buffer_create(rig.dev, &buffer, &rig.buffer);
    rig.bytes = weft_buffer_map(rig.dev, rig.buffer, 0, BUFFER_BYTES);
    weft_sampler_desc sampler = {.min = WEFT_FILTER_LINEAR, .mip = WEFT_FILTER_LINEAR};
    (void)weft_sampler_create(rig.dev, &sampler, &rig.sampler);
    (void)weft_sampler_create(rig.dev, &(weft_sampler_desc){0}, &rig.nearest);
    sampler.compare = WEFT_COMPARE_LESS;
    (void)weft_sampler_create(rig.dev, &sampler, &rig.compare);
    struct made_view like = {.format = WEFT_FORMAT_RGBA8_UNORM,
                             .kind = WEFT_VIEW_2D,
                             .samples = 1,
                             .usage = WEFT_TEXTURE_USAGE_SAMPLED};
    (void)weft_texture_view_index(rig.dev, view_like(&like), WEFT_HEAP_SAMPLED);
    like.usage = WEFT_TEXTURE_USAGE_STORAGE;
    (void)weft_texture_view_index(rig.dev, view_like(&like), WEFT_HEAP_STORAGE);
    (void)weft_sampler_index(rig.dev, rig.sampler);
    rig.floats = shader_of(fuzz_floats_vert, sizeof fuzz_floats_vert);
    rig.mixed = shader_of(fuzz_mixed_vert, sizeof fuzz_mixed_vert);
    if (!rig.bytes || weft_shader_is_none(rig.floats) || weft_shader_is_none(rig.mixed))
        broken("the device refuses what the runs need");
}

/// Ends the device, which may be lost, and expects that nothing of it is left.
static void rig_close(void)
{
    weft_device *dev = rig.dev;
    for (uint32_t i = 0; i < rig.view_count; i++) {
        weft_texture_view_destroy(dev, rig.views[i].view);
        weft_texture_destroy(dev, rig.views[i].texture);
    }
    weft_shader_destroy(dev, rig.floats);
    weft_shader_destroy(dev, rig.mixed);
    weft_sampler_destroy(dev, rig.sampler);
    weft_sampler_destroy(dev, rig.nearest);
    weft_sampler_destroy(dev, rig.compare);
    weft_buffer_destroy(dev, rig.buffer);
    weft_buffer_destroy(dev, rig.vertices);
    rig = (struct rig){0};
    weft_device_destroy(dev);
    if (atomic_load(&live_bytes) != 0)
        broken("memory of the library is left");
}

// ---- tables ------------------------------------------------------------------------------------

static weft_argument_write write_of(const weft_reflected_binding *b)
{
    weft_argument_write write = {.binding = b->binding};
    const bool depth = b->sampled == WEFT_SAMPLE_CLASS_DEPTH;
    const bool whole = b->sampled == WEFT_SAMPLE_CLASS_UINT || b->sampled == WEFT_SAMPLE_CLASS_SINT;
    struct made_view like = {.format = format_of(b->sampled),
                             .kind = b->view == WEFT_VIEW_DEFAULT ? WEFT_VIEW_2D : b->view,
                             .samples = b->multisampled ? 4 : 1,
                             .usage = WEFT_TEXTURE_USAGE_SAMPLED};
    if (b->multisampled)
        like.usage |= WEFT_TEXTURE_USAGE_RENDER;
    switch (b->type) {
    case WEFT_ARGUMENT_SAMPLED_TEXTURE:
    case WEFT_ARGUMENT_COMBINED:
        write.view = view_like(&like);
        break;
    case WEFT_ARGUMENT_STORAGE_TEXTURE:
        like.usage = WEFT_TEXTURE_USAGE_STORAGE;
        like.format = b->storage != WEFT_FORMAT_NONE ? b->storage : like.format;
        write.view = view_like(&like);
        break;
    case WEFT_ARGUMENT_SAMPLER:
        break;
    default:
        write.buffer = rig.buffer;
        break;
    }
    if (b->type == WEFT_ARGUMENT_SAMPLER || b->type == WEFT_ARGUMENT_COMBINED)
        write.sampler = depth ? rig.compare : whole ? rig.nearest : rig.sampler;
    return write;
}

struct tables {
    weft_argument_table slot[WEFT_ARGUMENT_SLOTS];
};

/// Fills a slot of a layout as the entry points want it.
static weft_argument_table table_of(weft_argument_layout layout, uint32_t slot,
                                    const weft_reflection *const entries[2])
{
    weft_argument_table table = {0};
    if (weft_argument_layout_is_none(layout))
        return table;
    (void)weft_argument_table_create(rig.dev, &(weft_argument_table_desc){.layout = layout},
                                     &table);
    for (uint32_t e = 0; e < 2 && entries[e]; e++) {
        for (uint32_t i = 0; i < entries[e]->binding_count; i++) {
            const weft_reflected_binding *b = &entries[e]->bindings[i];
            weft_argument_write write = write_of(b);
            for (uint32_t k = 0; b->slot == slot && k < b->count && k < MAX_WRITES; k++) {
                write.element = k;
                (void)weft_argument_table_write(rig.dev, table, &write, 1);
            }
        }
    }
    return table;
}

static void tables_destroy(const struct tables *tables)
{
    for (uint32_t i = 0; i < WEFT_ARGUMENT_SLOTS; i++)
        weft_argument_table_destroy(rig.dev, tables->slot[i]);
}

/// A root block of addresses, some of them beyond the buffer.
static void fill_root(uint64_t root[16])
{
    const uint64_t address = weft_buffer_address(rig.dev, rig.buffer);
    for (uint32_t i = 0; i < 16; i++)
        root[i] = address + (i < 8 ? 0 : i * 509u);
}

static uint32_t root_size(const weft_reflection *entry)
{
    const uint32_t size = (entry->root_size + 3) / 4 * 4;
    return size < 128 ? size : 128;
}

static void submit(weft_command_buffer *cmd)
{
    if (weft_command_end(cmd) != WEFT_OK)
        return;
    const weft_submit desc = {.commands = &cmd, .command_count = 1};
    if (weft_queue_submit(rig.dev, WEFT_QUEUE_GRAPHICS, &desc, NULL) != WEFT_OK)
        weft_command_discard(cmd);
    (void)weft_device_wait_idle(rig.dev);
}

// ---- running -----------------------------------------------------------------------------------

static weft_shader_use use_of(weft_shader shader, const weft_reflection *entry,
                              weft_constant *constant)
{
    weft_shader_use use = {.shader = shader, .entry = entry->entry};
    if (entry->constant_count > 0) {
        const weft_reflected_constant *last = &entry->constants[entry->constant_count - 1];
        *constant = (weft_constant){last->id, last->value ^ 1};
        use.constants = constant;
        use.constant_count = 1;
    }
    return use;
}

static void run_compute(weft_shader shader, const weft_reflection *entry)
{
    weft_constant constant;
    const weft_compute_pipeline_desc desc = {.compute = use_of(shader, entry, &constant)};
    weft_compute_pipeline pipeline;
    if (weft_compute_pipeline_create(rig.dev, &desc, &pipeline) != WEFT_OK)
        return;
    struct tables tables;
    uint64_t root[16];
    fill_root(root);
    weft_command_buffer *cmd;
    if (weft_command_begin(rig.dev, NULL, &cmd) != WEFT_OK)
        broken("no command buffer");
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    const weft_reflection *const entries[2] = {entry, NULL};
    for (uint32_t i = 0; i < WEFT_ARGUMENT_SLOTS; i++) {
        tables.slot[i] = table_of(weft_compute_pipeline_layout(rig.dev, pipeline, i), i, entries);
        if (!weft_argument_table_is_none(tables.slot[i]))
            weft_compute_set_arguments(enc, i, tables.slot[i], NULL, 0);
    }
    if (root_size(entry) > 0)
        weft_compute_set_root(enc, 0, root, root_size(entry));
    weft_compute_dispatch(enc, 2, 1, 1);
    weft_compute_end(enc);
    submit(cmd);
    tables_destroy(&tables);
    weft_compute_pipeline_destroy(rig.dev, pipeline);
}

static weft_vertex_format attribute_format(const weft_reflected_varying *v)
{
    static const weft_vertex_format formats[3][4] = {
        {WEFT_VERTEX_FORMAT_FLOAT32, WEFT_VERTEX_FORMAT_FLOAT32X2, WEFT_VERTEX_FORMAT_FLOAT32X3,
         WEFT_VERTEX_FORMAT_UNORM8X4},
        {WEFT_VERTEX_FORMAT_UINT32, WEFT_VERTEX_FORMAT_UINT32X2, WEFT_VERTEX_FORMAT_UINT32X3,
         WEFT_VERTEX_FORMAT_UINT8X4},
        {WEFT_VERTEX_FORMAT_SINT32, WEFT_VERTEX_FORMAT_SINT32X2, WEFT_VERTEX_FORMAT_SINT32X3,
         WEFT_VERTEX_FORMAT_SINT16X4},
    };
    const uint32_t row = v->type == WEFT_SAMPLE_CLASS_UINT   ? 1
                         : v->type == WEFT_SAMPLE_CLASS_SINT ? 2
                                                             : 0;
    return formats[row][(v->components - 1) % 4];
}

static uint32_t fill_attributes(const weft_reflection *entry, weft_vertex_attribute out[16])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < entry->input_count; i++) {
        const weft_reflected_varying *v = &entry->inputs[i];
        for (uint32_t l = 0; l < v->locations && count < 16; l++)
            out[count++] = (weft_vertex_attribute){
                .location = v->location + l, .offset = l * 8, .format = attribute_format(v)};
    }
    return count;
}

/// A vertex and a fragment shader that are to be drawn with; either comes with its entry point.
struct draw {
    weft_shader_use vertex, fragment;
    const weft_reflection *vertex_entry, *fragment_entry;
    uint32_t samples;
};

static weft_result draw_pipeline(const struct draw *d, weft_render_pass_desc *pass,
                                 weft_graphics_pipeline *out)
{
    const weft_vertex_stream stream = {.stride = 256};
    weft_vertex_attribute attributes[16];
    weft_graphics_pipeline_desc desc = {.vertex = d->vertex,
                                        .fragment = d->fragment,
                                        .attributes = attributes,
                                        .streams = &stream,
                                        .stream_count = 1,
                                        .samples = d->samples,
                                        .depth_stencil = WEFT_FORMAT_D32_FLOAT};
    if (d->vertex_entry)
        desc.attribute_count = fill_attributes(d->vertex_entry, attributes);
    *pass = (weft_render_pass_desc){.depth_load = WEFT_LOAD_CLEAR, .clear_depth = 1};
    pass->depth_stencil = target(0, desc.depth_stencil, d->samples);
    for (uint32_t i = 0; d->fragment_entry && i < d->fragment_entry->output_count; i++) {
        const weft_reflected_varying *v = &d->fragment_entry->outputs[i];
        for (uint32_t l = v->location; l < 8 && l - v->location < v->locations; l++) {
            desc.colors[l] = format_of(v->type);
            pass->colors[l].view = target(l, desc.colors[l], d->samples);
            pass->colors[l].load = WEFT_LOAD_CLEAR;
        }
    }
    return weft_graphics_pipeline_create(rig.dev, &desc, out);
}

/// False when the pipeline was refused.
static bool run_draw(const struct draw *d)
{
    weft_render_pass_desc pass;
    weft_graphics_pipeline pipeline;
    if (draw_pipeline(d, &pass, &pipeline) != WEFT_OK)
        return false;
    struct tables tables;
    uint64_t root[16];
    fill_root(root);
    weft_command_buffer *cmd;
    if (weft_command_begin(rig.dev, NULL, &cmd) != WEFT_OK)
        broken("no command buffer");
    weft_render_encoder *enc = weft_command_begin_render(cmd, &pass);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(enc, 0, rig.vertices, 0);
    const weft_reflection *entries[2] = {d->vertex_entry ? d->vertex_entry : d->fragment_entry};
    if (d->vertex_entry)
        entries[1] = d->fragment_entry;
    for (uint32_t i = 0; i < WEFT_ARGUMENT_SLOTS; i++) {
        tables.slot[i] = table_of(weft_graphics_pipeline_layout(rig.dev, pipeline, i), i, entries);
        if (!weft_argument_table_is_none(tables.slot[i]))
            weft_render_set_arguments(enc, i, tables.slot[i], NULL, 0);
    }
    weft_render_set_root(enc, 0, 0, root, sizeof root);
    weft_render_draw(enc, 3, 1, 0, 0);
    weft_render_end(enc);
    submit(cmd);
    tables_destroy(&tables);
    weft_graphics_pipeline_destroy(rig.dev, pipeline);
    return true;
}

static void run_fragment(weft_shader shader, const weft_reflection *entry, uint32_t samples)
{
    weft_constant constant;
    struct draw d = {.vertex = {.shader = rig.floats},
                     .fragment = use_of(shader, entry, &constant),
                     .fragment_entry = entry,
                     .samples = samples};
    if (run_draw(&d))
        return;
    d.vertex.shader = rig.mixed;
    (void)run_draw(&d);
}

static void run_vertex(weft_shader shader, const weft_reflection *entry,
                       const weft_reflection *fragment)
{
    weft_constant constants[2];
    struct draw d = {
        .vertex = use_of(shader, entry, &constants[0]), .vertex_entry = entry, .samples = 1};
    if (fragment) {
        d.fragment = use_of(shader, fragment, &constants[1]);
        d.fragment_entry = fragment;
    }
    (void)run_draw(&d);
}

static void run_entries(weft_shader shader, uint32_t samples)
{
    weft_reflection entries[MAX_ENTRIES];
    const weft_reflection *fragment = NULL;
    uint32_t count = 0;
    for (; count < MAX_ENTRIES; count++) {
        if (!weft_shader_reflect(rig.dev, shader, count, &entries[count]))
            break;
        if (entries[count].stage == WEFT_SHADER_STAGE_FRAGMENT)
            fragment = &entries[count];
    }
    for (uint32_t i = 0; i < count; i++) {
        memset(rig.bytes, 0, BUFFER_BYTES);
        if (entries[i].stage == WEFT_SHADER_STAGE_COMPUTE)
            run_compute(shader, &entries[i]);
        else if (entries[i].stage == WEFT_SHADER_STAGE_VERTEX)
            run_vertex(shader, &entries[i], fragment);
        else
            run_fragment(shader, &entries[i], samples);
    }
}

static void describe(const uint8_t *data, size_t size)
{
    char *text;
    (void)weft_shader_describe(data, size, &text);
    weft_text_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!rig.dev)
        rig_open();
    const weft_shader shader = shader_of(data, size);
    if (!weft_shader_is_none(shader)) {
        describe(data, size);
        run_entries(shader, size / 4 % 2 ? 4 : 1);
        weft_shader_destroy(rig.dev, shader);
    }
    if (++rig.runs == RUNS_PER_DEVICE || weft_device_startup(rig.dev).state != WEFT_DEVICE_READY)
        rig_close();
    return 0;
}
