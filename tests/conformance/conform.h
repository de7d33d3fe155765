/// \file conform.h
/// The conformance suite: small scenes and dispatches, each with an expectation that follows from
/// the rule it tests, never from an output. A case uses the public headers only and runs on a
/// device of its own, on every backend that opens.
///
///     static void draws_a_point(struct conform *c) { ... conform_expect_texels(c, ...); }
///
/// and a line in cases.def. Every helper ends the case when something is wrong, so a case reads as
/// a straight line and destroys nothing: its device takes everything along.
///
/// A case names the features that it needs. On a device that lacks one it runs all the same, and
/// must be refused with a diagnostic; working in silence, or drawing nothing in silence, is a
/// failure. On the noop backend expectations about contents are skipped: only validation is judged.
#pragma once

#include <weft/rules.h>
#include <weft/weft.h>

struct conform;

struct conform_case {
    const char *name;       ///< As in "scissor/larger_than_the_target".
    weft_feature_set needs; ///< WEFT_FEATURE_*; on a device without them: refused.
    void (*run)(struct conform *c);
};
extern const struct conform_case conform_cases[];
extern const size_t conform_case_count;

// ---- judging -----------------------------------------------------------------------------------

/// Ends the case as failed.
_Noreturn void conform_fail(struct conform *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Ends the case as refused: this device cannot do it, and says so in its capabilities.
_Noreturn void conform_refuse(struct conform *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define CONFORM_EXPECT(c, cond)                                                                    \
    do {                                                                                           \
        if (!(cond))                                                                               \
            conform_fail(c, "%s:%d: not so: %s", __FILE_NAME__, __LINE__, #cond);                  \
    } while (0)
#ifndef __FILE_NAME__
#define __FILE_NAME__ __FILE__
#endif

/// What was called since the last check broke `rule`; the diagnostic is then forgotten.
void conform_expect_rule(struct conform *c, weft_rule rule);
/// The case goes on only if nothing was reported; otherwise it ends, failed or refused.
void conform_check(struct conform *c);

/// Whether contents can be judged: false on noop.
bool conform_draws(const struct conform *c);
/// Whether results are judged to the last bit, and where the API leaves them open, as on the
/// software device: it promises more than drivers do, which keep to Vulkan's tolerances.
bool conform_exact(const struct conform *c);
weft_device *conform_device(const struct conform *c);
const weft_capabilities *conform_capabilities(const struct conform *c);
/// Ends the case as refused unless the format can do all of `caps`.
void conform_need_format(struct conform *c, weft_format format, weft_format_caps caps);

// ---- objects -----------------------------------------------------------------------------------

/// `data` may be NULL. COPY_SRC and COPY_DST are added to the usage.
weft_buffer conform_buffer(struct conform *c, weft_buffer_usage usage, uint64_t size,
                           const void *data);
/// COPY_SRC and COPY_DST are added to the usage; 0: SAMPLED.
weft_texture conform_texture(struct conform *c, const weft_texture_desc *desc);
/// A color target: RENDER and SAMPLED, one mip, one sample.
weft_texture conform_target(struct conform *c, weft_format format, uint32_t width, uint32_t height);
weft_texture_view conform_view(struct conform *c, weft_texture texture);
weft_texture_view conform_view_of(struct conform *c, const weft_texture_view_desc *desc);
weft_sampler conform_sampler(struct conform *c, const weft_sampler_desc *desc);
weft_shader conform_shader(struct conform *c, const uint32_t *code, size_t size);
#define CONFORM_SHADER(c, name) conform_shader(c, name, sizeof(name))
weft_graphics_pipeline conform_pipeline(struct conform *c, const weft_graphics_pipeline_desc *desc);
weft_compute_pipeline conform_compute(struct conform *c, weft_shader shader);
/// A table of a pipeline's slot.
weft_argument_table conform_table(struct conform *c, weft_argument_layout layout,
                                  const weft_argument_write *writes, uint32_t count);

// ---- recording ---------------------------------------------------------------------------------

weft_command_buffer *conform_begin(struct conform *c);
/// Begins a pass on one color view that is cleared to `clear`.
weft_render_encoder *conform_begin_pass(weft_command_buffer *cmd, weft_texture_view view,
                                        const float clear[4]);
/// Ends, submits and waits; the case ends if anything was reported.
void conform_submit(struct conform *c, weft_command_buffer *cmd);
/// COMPUTE, COPY, DRAW: everything before is seen by everything after.
void conform_barrier(weft_command_buffer *cmd);
/// All of a texture is done with in one state, and used in another from here on.
void conform_texture_state(weft_command_buffer *cmd, weft_texture texture,
                           weft_texture_state before, weft_texture_state after);

/// A pipeline that fills rectangles: root block of screen.vert and flat.frag.
struct conform_rect_root {
    float rect[4]; ///< Clip space: x0, y0, x1, y1; y up.
    float depth;
    float pad[3];
    float color[4];
};
/// Fills in the two shaders of the rectangle pipeline, six vertices without a vertex buffer.
void conform_rect_shaders(struct conform *c, weft_graphics_pipeline_desc *desc);
/// Draws one rectangle, in texels of a target of `width` × `height`.
void conform_draw_rect(weft_render_encoder *enc, const weft_rect *rect, uint32_t width,
                       uint32_t height, float depth, const float color[4]);

// ---- contents ----------------------------------------------------------------------------------

/// A texel as numbers: normalised formats as −1 to 1, integers as they are, sRGB as linear light;
/// depth and stencil in the first component. What the format lacks is 0, 0, 0, 1.
struct conform_texel {
    double v[4];
};
typedef struct conform_texel conform_expected(void *user, uint32_t x, uint32_t y, uint32_t z);

/// Every texel of the region is within `tolerance` of what `expected` tells, x and y from the
/// region's corner, z its slice or layer. Keeps both pictures. `region` NULL: mip 0, layer 0.
void conform_expect_texels(struct conform *c, weft_texture texture,
                           const weft_texture_region *region, conform_expected *expected,
                           void *user, double tolerance);
/// All of mip 0 is one color.
void conform_expect_color(struct conform *c, weft_texture texture, const double color[4],
                          double tolerance);
/// The bytes of the buffer from `offset` on are those given.
void conform_expect_bytes(struct conform *c, weft_buffer buffer, uint64_t offset, const void *bytes,
                          size_t size);
/// Waits for the device and copies; false on noop, where there is nothing to read.
bool conform_read_buffer(struct conform *c, weft_buffer buffer, uint64_t offset, void *data,
                         size_t size);
/// Likewise what is never twice the same: no part of the report's hash.
bool conform_read_times(struct conform *c, weft_buffer buffer, uint64_t offset, void *data,
                        size_t size);
/// Adds what was read to the report's hash, as conform_expect_*() and conform_read_*() do. For what
/// is read in another way, and isn't compared with one right value.
void conform_hash(struct conform *c, const void *data, size_t size);
