/// \file stage.h
/// corpus_stage: draws for the corpus runner. A host of the library like any other: it reads a
/// plain script from its standard input and executes it on the software device, one device per
/// scene.
///
///     begin 1                         a new device with so many threads
///     buffer 1 +16\n<16 bytes>        every line may carry bytes: +N ends it, N bytes follow
///     ...                             see the table in main.c
///     end                             answers "done", or "error MESSAGE", and destroys the device
///
/// Reads answer "data N\n<N bytes>" where they stand. After an error the rest of a scene is
/// skipped. The runner is the only writer of scripts, so words are trusted where a mistake cannot
/// crash.
#pragma once

#include <weft/weft.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STAGE_OBJECTS  8192u
#define STAGE_BINDINGS 64u

/// A line of the script: the words that are not read yet, and the bytes that came with it.
struct stage_line {
    char *rest;
    const void *bytes;
    size_t size;
};

/// Whatever a number of the script names.
union stage_object {
    weft_buffer buffer;
    weft_texture texture;
    weft_texture_view view;
    weft_sampler sampler;
    weft_shader shader;
    weft_graphics_pipeline graphics;
    weft_compute_pipeline compute;
};

struct stage {
    weft_device *device;
    union stage_object objects[STAGE_OBJECTS];
    // What the next pipeline is made of.
    weft_graphics_pipeline_desc pipeline;
    weft_pipeline_state state;
    weft_vertex_stream streams[16];
    weft_vertex_attribute attributes[32];
    // What the next pass, draw or dispatch uses.
    weft_render_pass_desc pass;
    weft_argument_write writes[WEFT_ARGUMENT_SLOTS][STAGE_BINDINGS];
    uint32_t write_count[WEFT_ARGUMENT_SLOTS];
    weft_buffer vertex_buffers[16], index_buffer;
    uint32_t vertex_buffer_count;
    weft_viewport viewport;
    bool failed;
    char error[512]; ///< The first error's message.
};

// ---- words.c -----------------------------------------------------------------------------------

/// The next word of a line; "" at its end.
const char *stage_word(struct stage_line *line);
uint32_t stage_number(struct stage_line *line); ///< 0 at the end of the line.
float stage_float(struct stage_line *line);
/// The place of the next word in a list that ends with NULL; the scene fails if it is not there.
uint32_t stage_choice(struct stage *s, struct stage_line *line, const char *const *names);
weft_format stage_format(struct stage *s, struct stage_line *line);
/// The object that the next word numbers.
union stage_object *stage_object(struct stage *s, struct stage_line *line);

// ---- the scene ---------------------------------------------------------------------------------

/// Fails the scene, unless it failed before.
void stage_fail(struct stage *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// Fails the scene, naming the call, unless `result` is WEFT_OK.
void stage_check(struct stage *s, weft_result result, const char *call);
/// Answers with bytes.
void stage_answer(const void *bytes, size_t size);

typedef void stage_command(struct stage *s, struct stage_line *line);

// objects.c
stage_command stage_buffer, stage_write, stage_texture, stage_texels, stage_view, stage_sampler,
    stage_shader;
stage_command stage_mips, stage_read_texture, stage_read_buffer;
// pipeline.c
stage_command stage_stream, stage_attribute, stage_target, stage_depth, stage_stencil, stage_blend;
stage_command stage_no_color, stage_raster, stage_graphics, stage_compute;
// record.c
stage_command stage_bind, stage_attach, stage_attach_depth, stage_vertices, stage_indices;
stage_command stage_viewport, stage_draw, stage_clear, stage_dispatch;
/// Ends, submits and makes everything visible to what comes after.
void stage_submit(struct stage *s, weft_command_buffer *cmd);
