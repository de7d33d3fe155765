// Draws and dispatches: each a submission of its own, with everything before it seen.
#include "stage.h"

#include <string.h>

static const char *const binding_kinds[] = {"buffer", "texture", "image", NULL};

// bind SLOT BINDING ELEMENT buffer BUFFER
// bind SLOT BINDING ELEMENT texture VIEW SAMPLER
// bind SLOT BINDING ELEMENT image VIEW
void stage_bind(struct stage *s, struct stage_line *line)
{
    const uint32_t slot = stage_number(line) % WEFT_ARGUMENT_SLOTS;
    if (s->write_count[slot] == STAGE_BINDINGS) {
        stage_fail(s, "the script has too many bindings");
        return;
    }
    weft_argument_write *write = &s->writes[slot][s->write_count[slot]++];
    *write = (weft_argument_write){.binding = stage_number(line)};
    write->element = stage_number(line);
    const uint32_t kind = stage_choice(s, line, binding_kinds);
    if (kind == 0) {
        write->buffer = stage_object(s, line)->buffer;
    } else {
        write->view = stage_object(s, line)->view;
        if (kind == 1)
            write->sampler = stage_object(s, line)->sampler;
    }
}

static weft_load read_load(struct stage *s, struct stage_line *line)
{
    static const char *const loads[] = {"none", "load", "clear", NULL};
    return (weft_load)stage_choice(s, line, loads);
}

// attach INDEX VIEW LOAD R G B A (bits of the components)
void stage_attach(struct stage *s, struct stage_line *line)
{
    weft_color_attachment *color = &s->pass.colors[stage_number(line) % 8];
    color->view = stage_object(s, line)->view;
    color->load = read_load(s, line);
    for (uint32_t i = 0; i < 4; i++)
        color->clear.u[i] = stage_number(line);
}

// attach_depth VIEW LOAD DEPTH STENCIL
void stage_attach_depth(struct stage *s, struct stage_line *line)
{
    s->pass.depth_stencil = stage_object(s, line)->view;
    s->pass.depth_load = s->pass.stencil_load = read_load(s, line);
    s->pass.clear_depth = stage_float(line);
    s->pass.clear_stencil = stage_number(line);
}

// vertices SLOT BUFFER
void stage_vertices(struct stage *s, struct stage_line *line)
{
    const uint32_t slot = stage_number(line) % 16;
    s->vertex_buffers[slot] = stage_object(s, line)->buffer;
    if (slot >= s->vertex_buffer_count)
        s->vertex_buffer_count = slot + 1;
}

// indices BUFFER
void stage_indices(struct stage *s, struct stage_line *line)
{
    s->index_buffer = stage_object(s, line)->buffer;
}

// viewport X Y WIDTH HEIGHT NEAR FAR
void stage_viewport(struct stage *s, struct stage_line *line)
{
    s->viewport.x = stage_float(line);
    s->viewport.y = stage_float(line);
    s->viewport.width = stage_float(line);
    s->viewport.height = stage_float(line);
    s->viewport.min_depth = stage_float(line);
    s->viewport.max_depth = stage_float(line);
}

static weft_argument_table make_table(struct stage *s, weft_argument_layout layout, uint32_t slot)
{
    weft_argument_table table = {0};
    const weft_argument_table_desc desc = {
        .layout = layout,
        .writes = s->writes[slot],
        .write_count = s->write_count[slot],
    };
    stage_check(s, weft_argument_table_create(s->device, &desc, &table),
                "weft_argument_table_create");
    return table;
}

/// Forgets what was said for one draw or dispatch.
static void forget(struct stage *s)
{
    memset(s->write_count, 0, sizeof s->write_count);
    memset(&s->pass, 0, sizeof s->pass);
    memset(&s->viewport, 0, sizeof s->viewport);
    s->vertex_buffer_count = 0;
    s->index_buffer = (weft_buffer){0};
}

static weft_command_buffer *begin(struct stage *s)
{
    weft_command_buffer *cmd = NULL;
    stage_check(s, weft_command_begin(s->device, &(weft_command_desc){0}, &cmd),
                "weft_command_begin");
    return cmd;
}

void stage_submit(struct stage *s, weft_command_buffer *cmd)
{
    weft_command_barrier(cmd, WEFT_STAGE_ALL, WEFT_STAGE_ALL, 0);
    const weft_result ended = weft_command_end(cmd);
    stage_check(s, ended, "weft_command_end");
    if (ended != WEFT_OK)
        return;
    const weft_submit submit = {.commands = &cmd, .command_count = 1};
    stage_check(s, weft_queue_submit(s->device, WEFT_QUEUE_GRAPHICS, &submit, NULL),
                "weft_queue_submit");
}

static void draw(struct stage *s, weft_render_encoder *enc, struct stage_line *line)
{
    const uint32_t count = stage_number(line), instances = stage_number(line);
    const uint32_t first = stage_number(line), first_instance = stage_number(line);
    const bool indexed = !weft_buffer_is_none(s->index_buffer);
    if (indexed)
        weft_render_set_index_buffer(enc, s->index_buffer, 0, WEFT_INDEX_UINT32);
    for (uint32_t i = 0; i < s->vertex_buffer_count; i++)
        weft_render_set_vertex_buffer(enc, i, s->vertex_buffers[i], 0);
    if (s->viewport.width > 0)
        weft_render_set_viewport(enc, &s->viewport);
    weft_render_set_stencil_reference(enc, stage_number(line));
    if (indexed)
        weft_render_draw_indexed(enc, count, instances, first, 0, first_instance);
    else
        weft_render_draw(enc, count, instances, first, first_instance);
}

// draw PIPELINE COUNT INSTANCES FIRST FIRST_INSTANCE STENCIL_REFERENCE
void stage_draw(struct stage *s, struct stage_line *line)
{
    const weft_graphics_pipeline pipeline = stage_object(s, line)->graphics;
    weft_argument_table tables[WEFT_ARGUMENT_SLOTS] = {{0}};
    for (uint32_t slot = 0; slot < WEFT_ARGUMENT_SLOTS; slot++)
        if (s->write_count[slot])
            tables[slot] =
                make_table(s, weft_graphics_pipeline_layout(s->device, pipeline, slot), slot);
    weft_command_buffer *cmd = begin(s);
    if (s->failed) {
        weft_command_discard(cmd);
        return;
    }
    weft_render_encoder *enc = weft_command_begin_render(cmd, &s->pass);
    weft_render_set_pipeline(enc, pipeline);
    for (uint32_t slot = 0; slot < WEFT_ARGUMENT_SLOTS; slot++)
        if (s->write_count[slot])
            weft_render_set_arguments(enc, slot, tables[slot], NULL, 0);
    draw(s, enc, line);
    weft_render_end(enc);
    stage_submit(s, cmd);
    forget(s);
}

// clear: a pass without draws
void stage_clear(struct stage *s, struct stage_line *line)
{
    (void)line;
    weft_command_buffer *cmd = begin(s);
    if (s->failed)
        return;
    weft_render_end(weft_command_begin_render(cmd, &s->pass));
    stage_submit(s, cmd);
    forget(s);
}

// dispatch PIPELINE X Y Z
void stage_dispatch(struct stage *s, struct stage_line *line)
{
    const weft_compute_pipeline pipeline = stage_object(s, line)->compute;
    weft_argument_table tables[WEFT_ARGUMENT_SLOTS] = {{0}};
    for (uint32_t slot = 0; slot < WEFT_ARGUMENT_SLOTS; slot++)
        if (s->write_count[slot])
            tables[slot] =
                make_table(s, weft_compute_pipeline_layout(s->device, pipeline, slot), slot);
    weft_command_buffer *cmd = begin(s);
    if (s->failed) {
        weft_command_discard(cmd);
        return;
    }
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    for (uint32_t slot = 0; slot < WEFT_ARGUMENT_SLOTS; slot++)
        if (s->write_count[slot])
            weft_compute_set_arguments(enc, slot, tables[slot], NULL, 0);
    const uint32_t x = stage_number(line), y = stage_number(line), z = stage_number(line);
    weft_compute_dispatch(enc, x, y, z);
    weft_compute_end(enc);
    stage_submit(s, cmd);
    forget(s);
}
