// Copies of depth and stencil: each aspect is a picture of its own.
#include "cases.h"
#include "model.h"

#include <string.h>

enum { WIDTH = 7, HEIGHT = 5 };

/// An aspect, and the color format whose bytes it has.
struct plane {
    weft_format format;
    weft_aspect_set aspect;
    weft_format bytes;
};

static const struct plane planes[] = {
    {WEFT_FORMAT_D16_UNORM, WEFT_ASPECT_DEPTH, WEFT_FORMAT_R16_UNORM},
    {WEFT_FORMAT_D32_FLOAT, WEFT_ASPECT_DEPTH, WEFT_FORMAT_R32_FLOAT},
    {WEFT_FORMAT_S8_UINT, WEFT_ASPECT_STENCIL, WEFT_FORMAT_R8_UINT},
    {WEFT_FORMAT_D32_FLOAT_S8_UINT, WEFT_ASPECT_DEPTH, WEFT_FORMAT_R32_FLOAT},
    {WEFT_FORMAT_D32_FLOAT_S8_UINT, WEFT_ASPECT_STENCIL, WEFT_FORMAT_R8_UINT},
    {WEFT_FORMAT_D24_UNORM_S8_UINT, WEFT_ASPECT_STENCIL, WEFT_FORMAT_R8_UINT},
};

static bool usable(struct conform *c, weft_format format)
{
    const weft_format_caps needed = WEFT_FORMAT_CAN_COPY | WEFT_FORMAT_CAN_DEPTH_STENCIL;
    return (conform_capabilities(c)->formats[format] & needed) == needed;
}

/// Depths lie within 0 to 1.
static void fill(struct conform_model *model, uint32_t seed)
{
    conform_model_fill(model, seed);
    for (uint32_t i = 0; model->format == WEFT_FORMAT_R32_FLOAT && i < WIDTH * HEIGHT; i++) {
        const float depth = (float)model->data[4 * (size_t)i] / 255;
        memcpy(model->data + 4 * (size_t)i, &depth, sizeof depth);
    }
}

static weft_texture make(struct conform *c, weft_format format)
{
    return conform_texture(c, &(weft_texture_desc){.format = format,
                                                   .width = WIDTH,
                                                   .height = HEIGHT,
                                                   .usage = WEFT_TEXTURE_USAGE_RENDER});
}

static void write_plane(struct conform *c, weft_texture texture, const struct plane *p,
                        struct conform_model *model, uint32_t seed)
{
    conform_model_init(model, p->bytes, WIDTH, HEIGHT, 1);
    fill(model, seed);
    weft_texture_write(conform_device(c), texture, &(weft_texture_region){.aspect = p->aspect},
                       model->data, NULL);
    conform_check(c);
}

static void expect_plane(struct conform *c, weft_texture texture, const struct plane *p,
                         struct conform_model *model)
{
    conform_expect_texels(c, texture, &(weft_texture_region){.aspect = p->aspect},
                          conform_model_texel, model, 0);
}

void case_depth_copy_upload(struct conform *c)
{
    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++) {
        struct conform_model model;
        if (!usable(c, planes[i].format))
            continue;
        const weft_texture texture = make(c, planes[i].format);
        write_plane(c, texture, &planes[i], &model, (uint32_t)i);
        expect_plane(c, texture, &planes[i], &model);
    }
}

/// One aspect is written, the other keeps what it had.
void case_depth_copy_aspects_apart(struct conform *c)
{
    struct conform_model depth, stencil;
    if (!usable(c, WEFT_FORMAT_D32_FLOAT_S8_UINT))
        conform_refuse(c, "d32_float_s8_uint is not there");
    const weft_texture a = make(c, WEFT_FORMAT_D32_FLOAT_S8_UINT);
    const weft_texture b = make(c, WEFT_FORMAT_D32_FLOAT_S8_UINT);
    write_plane(c, a, &planes[3], &depth, 1);
    write_plane(c, a, &planes[4], &stencil, 2);
    write_plane(c, b, &planes[3], &depth, 3);
    write_plane(c, b, &planes[4], &stencil, 4);
    const weft_texture_region region = {.aspect = WEFT_ASPECT_STENCIL};
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_texture(enc, b, &region, a, &region);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    expect_plane(c, a, &planes[4], &stencil);
    expect_plane(c, b, &planes[3], &depth);
    conform_model_init(&depth, WEFT_FORMAT_R32_FLOAT, WIDTH, HEIGHT, 1);
    fill(&depth, 1);
    expect_plane(c, a, &planes[3], &depth);
}

enum { BROAD = 300, HIGH = 500, EDGE = 3 };

static struct conform_texel moved(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)z;
    return (struct conform_texel){{(x + EDGE + 5 * y) % 256, 0, 0, 1}};
}

/// A large part of one aspect goes to another layer and another place.
void case_depth_copy_large(struct conform *c)
{
    static uint8_t bytes[HIGH][BROAD];
    if (!usable(c, WEFT_FORMAT_D32_FLOAT_S8_UINT))
        conform_refuse(c, "d32_float_s8_uint is not there");
    const weft_texture_desc desc = {.format = WEFT_FORMAT_D32_FLOAT_S8_UINT,
                                    .width = BROAD,
                                    .height = HIGH,
                                    .layers = 3,
                                    .usage = WEFT_TEXTURE_USAGE_RENDER};
    const weft_texture a = conform_texture(c, &desc), b = conform_texture(c, &desc);
    for (uint32_t i = 0; i < BROAD * HIGH; i++)
        bytes[i / BROAD][i % BROAD] = (uint8_t)(i % BROAD + 5 * (i / BROAD));
    for (uint32_t layer = 0; layer < 2; layer++)
        weft_texture_write(
            conform_device(c), a,
            &(weft_texture_region){.layer = layer, .layer_count = 1, .aspect = WEFT_ASPECT_STENCIL},
            bytes, NULL);
    weft_texture_region from = {.x = EDGE,
                                .width = BROAD - EDGE,
                                .height = HIGH - EDGE,
                                .layer_count = 2,
                                .aspect = WEFT_ASPECT_STENCIL};
    weft_texture_region to = from;
    to.x = 0;
    to.y = EDGE;
    to.layer = 1;
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_texture(enc, a, &from, b, &to);
    weft_compute_end(enc);
    conform_submit(c, cmd);
    to.layer_count = 1;
    for (; to.layer < 3; to.layer++)
        conform_expect_texels(c, b, &to, moved, NULL, 0);
}

/// To a buffer and from there to another texture.
void case_depth_copy_by_buffer(struct conform *c)
{
    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++) {
        struct conform_model model;
        if (!usable(c, planes[i].format))
            continue;
        const weft_texture a = make(c, planes[i].format), b = make(c, planes[i].format);
        write_plane(c, a, &planes[i], &model, 7);
        const weft_buffer buffer = conform_buffer(c, 0, 2048, NULL);
        const weft_texture_region region = {.aspect = planes[i].aspect};
        const weft_texel_layout layout = {.offset = 256, .row_bytes = 256};
        weft_command_buffer *cmd = conform_begin(c);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_copy_texture_to_buffer(enc, a, &region, buffer, &layout);
        weft_compute_end(enc);
        conform_barrier(cmd);
        enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_copy_buffer_to_texture(enc, buffer, &layout, b, &region);
        weft_compute_end(enc);
        conform_submit(c, cmd);
        for (uint32_t y = 0; y < HEIGHT; y++)
            conform_expect_bytes(c, buffer, 256 * (y + UINT64_C(1)),
                                 conform_model_at(&model, 0, y, 0), (size_t)WIDTH * model.bytes);
        expect_plane(c, b, &planes[i], &model);
    }
}

/// An offset is any multiple of the block: of 2 for D16, of 1 for stencil. Between the rows of a
/// picture nothing is written. Two pictures a pass, so that one does not get in the other's way.
void case_depth_copy_odd_offsets(struct conform *c)
{
    enum { PITCH = 24, HALF = 256, FILL = 0xa5 };
    uint8_t want[2 * HALF];
    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++) {
        struct conform_model model;
        if (!usable(c, planes[i].format))
            continue;
        const weft_texture a = make(c, planes[i].format), b = make(c, planes[i].format);
        write_plane(c, a, &planes[i], &model, 7);
        const size_t row = (size_t)WIDTH * model.bytes;
        const uint32_t pitch = row > PITCH ? 0 : PITCH;
        const weft_texture_region region = {.aspect = planes[i].aspect};
        const weft_texel_layout layouts[2] = {
            {.offset = model.bytes, .row_bytes = pitch},
            {.offset = HALF + 3u * model.bytes, .row_bytes = pitch}};
        memset(want, FILL, sizeof want);
        const weft_buffer buffer = conform_buffer(c, 0, sizeof want, want);
        for (uint32_t y = 0; y < 2 * HEIGHT; y++)
            memcpy(want + layouts[y % 2].offset + y / 2 * (pitch ? pitch : row),
                   conform_model_at(&model, 0, y / 2, 0), row);
        weft_command_buffer *cmd = conform_begin(c);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        for (int k = 0; k < 2; k++)
            weft_compute_copy_texture_to_buffer(enc, a, &region, buffer, &layouts[k]);
        weft_compute_end(enc);
        conform_barrier(cmd);
        enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_copy_buffer_to_texture(enc, buffer, &layouts[1], b, &region);
        weft_compute_end(enc);
        conform_submit(c, cmd);
        conform_expect_bytes(c, buffer, 0, want, sizeof want);
        expect_plane(c, b, &planes[i], &model);
    }
}

void case_depth_copy_refusals(struct conform *c)
{
    uint8_t bytes[WIDTH * HEIGHT * 8] = {0};
    if (!usable(c, WEFT_FORMAT_D24_UNORM_S8_UINT))
        conform_refuse(c, "d24_unorm_s8_uint is not there");
    const weft_texture texture = make(c, WEFT_FORMAT_D24_UNORM_S8_UINT);
    weft_texture_write(conform_device(c), texture,
                       &(weft_texture_region){.aspect = WEFT_ASPECT_DEPTH}, bytes, NULL);
    conform_expect_rule(c, WEFT_RULE_TEXTURE_NOT_COPIED);
    weft_texture_write(conform_device(c), texture,
                       &(weft_texture_region){.aspect = WEFT_ASPECT_DEPTH | WEFT_ASPECT_STENCIL},
                       bytes, NULL);
    conform_expect_rule(c, WEFT_RULE_TEXTURE_REGION_ASPECT);
}
