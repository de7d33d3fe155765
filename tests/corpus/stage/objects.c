// Buffers, textures, samplers and shaders, and what is read back of them.
#include "stage.h"

#include <stdlib.h>

static const char *const filters[] = {"nearest", "linear", NULL};
static const char *const address_modes[] = {"repeat", "mirror", "edge", "border", NULL};
static const char *const compares[] = {"none",       "never",   "less",      "equal",
                                       "less_equal", "greater", "not_equal", "greater_equal",
                                       "always",     NULL};
static const char *const texture_kinds[] = {"2d", "1d", "3d", "cube", NULL};
static const char *const view_kinds[] = {"default", "1d",   "1d_array",   "2d", "2d_array",
                                         "3d",      "cube", "cube_array", NULL};
static const char *const aspects[] = {"color", "depth", "stencil", NULL};

// buffer ID +BYTES
void stage_buffer(struct stage *s, struct stage_line *line)
{
    weft_buffer *out = &stage_object(s, line)->buffer;
    const weft_buffer_desc desc = {
        .size = line->size,
        .usage = WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST |
                 WEFT_BUFFER_USAGE_VERTEX | WEFT_BUFFER_USAGE_INDEX | WEFT_BUFFER_USAGE_UNIFORM |
                 WEFT_BUFFER_USAGE_STORAGE,
        .data = line->bytes,
    };
    stage_check(s, weft_buffer_create(s->device, &desc, out), "weft_buffer_create");
}

// write BUFFER OFFSET +BYTES
void stage_write(struct stage *s, struct stage_line *line)
{
    const weft_buffer buffer = stage_object(s, line)->buffer;
    const uint32_t offset = stage_number(line);
    stage_check(s, weft_buffer_write(s->device, buffer, offset, line->bytes, line->size),
                "weft_buffer_write");
}

// texture ID KIND FORMAT WIDTH HEIGHT DEPTH LAYERS MIPS SAMPLES
void stage_texture(struct stage *s, struct stage_line *line)
{
    weft_texture *out = &stage_object(s, line)->texture;
    weft_texture_desc desc = {.kind = (weft_texture_kind)stage_choice(s, line, texture_kinds)};
    desc.format = stage_format(s, line);
    desc.width = stage_number(line);
    desc.height = stage_number(line);
    desc.depth = stage_number(line);
    desc.layers = stage_number(line);
    desc.mips = stage_number(line);
    desc.samples = stage_number(line);
    const weft_format_caps caps = weft_device_capabilities(s->device)->formats[desc.format];
    desc.usage = WEFT_TEXTURE_USAGE_SAMPLED | WEFT_TEXTURE_USAGE_COPY_SRC;
    if (desc.samples <= 1)
        desc.usage |= WEFT_TEXTURE_USAGE_COPY_DST;
    if (desc.kind == WEFT_TEXTURE_2D || desc.kind == WEFT_TEXTURE_CUBE)
        if (caps & (WEFT_FORMAT_CAN_RENDER | WEFT_FORMAT_CAN_DEPTH_STENCIL))
            desc.usage |= WEFT_TEXTURE_USAGE_RENDER;
    if ((caps & WEFT_FORMAT_CAN_STORE) && desc.samples <= 1)
        desc.usage |= WEFT_TEXTURE_USAGE_STORAGE;
    stage_check(s, weft_texture_create(s->device, &desc, out), "weft_texture_create");
}

static weft_texture_region read_region(struct stage_line *line)
{
    weft_texture_region region = {.mip = stage_number(line)};
    region.layer = stage_number(line);
    region.z = stage_number(line);
    region.x = stage_number(line);
    region.y = stage_number(line);
    region.width = stage_number(line);
    region.height = stage_number(line);
    return region;
}

// texels TEXTURE MIP LAYER Z X Y WIDTH HEIGHT +BYTES
void stage_texels(struct stage *s, struct stage_line *line)
{
    const weft_texture texture = stage_object(s, line)->texture;
    weft_texture_region region = read_region(line);
    region.depth = 1;
    stage_check(
        s, weft_texture_write(s->device, texture, &region, line->bytes, &(weft_texel_layout){0}),
        "weft_texture_write");
}

// view ID TEXTURE KIND MIP MIPS LAYER LAYERS ASPECT SWIZZLE
void stage_view(struct stage *s, struct stage_line *line)
{
    static const char letters[] = "=01rgba"; // in the order of weft_swizzle
    weft_texture_view *out = &stage_object(s, line)->view;
    weft_texture_view_desc desc = {.texture = stage_object(s, line)->texture};
    desc.kind = (weft_view_kind)stage_choice(s, line, view_kinds);
    desc.mip = stage_number(line);
    desc.mip_count = stage_number(line);
    desc.layer = stage_number(line);
    desc.layer_count = stage_number(line);
    desc.aspect = 1u << stage_choice(s, line, aspects);
    const char *swizzle = stage_word(line);
    for (uint32_t i = 0; i < 4 && swizzle[i]; i++)
        for (uint32_t k = 0; letters[k]; k++)
            if (letters[k] == swizzle[i])
                desc.swizzle[i] = (weft_swizzle)k;
    stage_check(s, weft_texture_view_create(s->device, &desc, out), "weft_texture_view_create");
}

// sampler ID MAG MIN MIP U V W COMPARE LOD_MIN LOD_MAX LOD_BIAS BASE_ONLY
void stage_sampler(struct stage *s, struct stage_line *line)
{
    weft_sampler *out = &stage_object(s, line)->sampler;
    weft_sampler_desc desc = {.mag = (weft_filter)stage_choice(s, line, filters)};
    desc.min = (weft_filter)stage_choice(s, line, filters);
    desc.mip = (weft_filter)stage_choice(s, line, filters);
    desc.u = (weft_address_mode)stage_choice(s, line, address_modes);
    desc.v = (weft_address_mode)stage_choice(s, line, address_modes);
    desc.w = (weft_address_mode)stage_choice(s, line, address_modes);
    desc.compare = (weft_compare)stage_choice(s, line, compares);
    desc.lod_min = stage_float(line);
    desc.lod_max = stage_float(line);
    desc.lod_bias = stage_float(line);
    desc.only_base_mip = stage_number(line) != 0;
    stage_check(s, weft_sampler_create(s->device, &desc, out), "weft_sampler_create");
}

// shader ID +BYTES
void stage_shader(struct stage *s, struct stage_line *line)
{
    weft_shader *out = &stage_object(s, line)->shader;
    const weft_shader_desc desc = {.code = line->bytes, .size = line->size};
    stage_check(s, weft_shader_create(s->device, &desc, out), "weft_shader_create");
}

// mips TEXTURE
void stage_mips(struct stage *s, struct stage_line *line)
{
    const weft_texture texture = stage_object(s, line)->texture;
    weft_command_buffer *cmd;
    stage_check(s, weft_command_begin(s->device, &(weft_command_desc){0}, &cmd),
                "weft_command_begin");
    if (s->failed)
        return;
    const weft_texture_barrier to_copy = {.texture = texture,
                                          .after = WEFT_TEXTURE_STATE_COPY,
                                          .producers = WEFT_STAGE_ALL,
                                          .consumers = WEFT_STAGE_COPY};
    const weft_texture_barrier to_rest = {.texture = texture,
                                          .before = WEFT_TEXTURE_STATE_COPY,
                                          .producers = WEFT_STAGE_COPY,
                                          .consumers = WEFT_STAGE_ALL};
    weft_command_texture_barrier(cmd, &to_copy, 1);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_generate_mips(enc, texture);
    weft_compute_end(enc);
    weft_command_texture_barrier(cmd, &to_rest, 1);
    stage_submit(s, cmd);
}

// read_texture TEXTURE MIP LAYER Z X Y WIDTH HEIGHT ASPECT BYTES
void stage_read_texture(struct stage *s, struct stage_line *line)
{
    const weft_texture texture = stage_object(s, line)->texture;
    weft_texture_region region = read_region(line);
    region.depth = 1;
    region.aspect = 1u << stage_choice(s, line, aspects);
    const size_t size = stage_number(line);
    void *bytes = calloc(1, size + 1);
    if (!bytes)
        stage_fail(s, "out of memory");
    else
        stage_check(s, weft_texture_read(s->device, texture, &region, bytes, size, NULL),
                    "weft_texture_read");
    if (!s->failed)
        stage_answer(bytes, size);
    free(bytes);
}

// read_buffer BUFFER OFFSET BYTES
void stage_read_buffer(struct stage *s, struct stage_line *line)
{
    const weft_buffer buffer = stage_object(s, line)->buffer;
    const uint32_t offset = stage_number(line);
    const size_t size = stage_number(line);
    void *bytes = calloc(1, size + 1);
    if (!bytes)
        stage_fail(s, "out of memory");
    else
        stage_check(s, weft_buffer_read(s->device, buffer, offset, bytes, size),
                    "weft_buffer_read");
    if (!s->failed)
        stage_answer(bytes, size);
    free(bytes);
}
