// Texels between textures.
#include "cases.h"
#include "model.h"

struct side {
    weft_texture texture;
    struct conform_model model;
};

static void make(struct conform *c, struct side *s, const weft_texture_desc *desc, uint32_t seed)
{
    const bool volume = desc->kind == WEFT_TEXTURE_3D;
    const uint32_t slices = volume ? desc->depth : desc->layers ? desc->layers : 1;
    s->texture = conform_texture(c, desc);
    conform_model_init(&s->model, desc->format, desc->width, desc->height, slices);
    conform_model_fill(&s->model, seed);
    conform_model_upload(c, &s->model, s->texture, 0, 0);
}

static void copy(struct conform *c, weft_texture src, const weft_texture_region *from,
                 weft_texture dst, const weft_texture_region *to)
{
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_texture(enc, src, from, dst, to);
    weft_compute_end(enc);
    conform_submit(c, cmd);
}

void case_texture_copy_2d(struct conform *c)
{
    struct side a, b;
    const weft_texture_desc desc = {.format = WEFT_FORMAT_RG16_UINT, .width = 19, .height = 9};
    make(c, &a, &desc, 1);
    make(c, &b, &desc, 2);
    copy(c, a.texture, &(weft_texture_region){.x = 3, .y = 2, .width = 11, .height = 5}, b.texture,
         &(weft_texture_region){.x = 8, .y = 4});
    conform_model_copy(&b.model, (const uint32_t[3]){8, 4, 0}, &a.model,
                       &(struct conform_box){3, 2, 0, 11, 5, 1});
    conform_model_expect(c, &b.model, b.texture, 0, 0);
}

void case_texture_copy_layers(struct conform *c)
{
    struct side a, b;
    make(c, &a,
         &(weft_texture_desc){
             .format = WEFT_FORMAT_RGBA8_UNORM, .width = 6, .height = 6, .layers = 5},
         1);
    make(c, &b,
         &(weft_texture_desc){
             .format = WEFT_FORMAT_RGBA8_UNORM, .width = 9, .height = 7, .layers = 4},
         2);
    copy(c, a.texture,
         &(weft_texture_region){
             .layer = 2, .layer_count = 3, .x = 1, .y = 2, .width = 4, .height = 3},
         b.texture, &(weft_texture_region){.layer = 1, .layer_count = 3, .x = 5, .y = 4});
    conform_model_copy(&b.model, (const uint32_t[3]){5, 4, 1}, &a.model,
                       &(struct conform_box){1, 2, 2, 4, 3, 3});
    conform_model_expect(c, &b.model, b.texture, 0, 0);
}

void case_texture_copy_3d(struct conform *c)
{
    struct side a, b;
    make(c, &a,
         &(weft_texture_desc){.kind = WEFT_TEXTURE_3D,
                              .format = WEFT_FORMAT_RGBA8_UNORM,
                              .width = 7,
                              .height = 5,
                              .depth = 6},
         1);
    make(c, &b,
         &(weft_texture_desc){.kind = WEFT_TEXTURE_3D,
                              .format = WEFT_FORMAT_RGBA8_UNORM,
                              .width = 9,
                              .height = 9,
                              .depth = 4},
         2);
    copy(c, a.texture,
         &(weft_texture_region){.x = 2, .y = 1, .z = 3, .width = 5, .height = 4, .depth = 3},
         b.texture, &(weft_texture_region){.x = 4, .y = 5, .z = 1});
    conform_model_copy(&b.model, (const uint32_t[3]){4, 5, 1}, &a.model,
                       &(struct conform_box){2, 1, 3, 5, 4, 3});
    conform_model_expect(c, &b.model, b.texture, 0, 0);
}

void case_texture_copy_mips(struct conform *c)
{
    struct side a, b;
    make(c, &a,
         &(weft_texture_desc){
             .format = WEFT_FORMAT_RGBA8_UNORM, .width = 10, .height = 6, .mips = 2},
         1);
    make(c, &b, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM, .width = 5, .height = 3},
         2);
    copy(c, b.texture, NULL, a.texture, &(weft_texture_region){.mip = 1});
    conform_model_expect(c, &b.model, a.texture, 1, 0);
    copy(c, a.texture, &(weft_texture_region){.mip = 1, .x = 1, .width = 3, .height = 2}, a.texture,
         &(weft_texture_region){.x = 7, .y = 4});
    conform_model_copy(&a.model, (const uint32_t[3]){7, 4, 0}, &b.model,
                       &(struct conform_box){1, 0, 0, 3, 2, 1});
    conform_model_expect(c, &a.model, a.texture, 0, 0);
}

/// From layers to others of the same texture, at the same place.
void case_texture_copy_within_one(struct conform *c)
{
    struct side a;
    make(c, &a,
         &(weft_texture_desc){.format = WEFT_FORMAT_RG8_UINT, .width = 5, .height = 4, .layers = 6},
         3);
    copy(c, a.texture, &(weft_texture_region){.layer = 1, .layer_count = 2}, a.texture,
         &(weft_texture_region){.layer = 3, .layer_count = 2});
    conform_model_copy(&a.model, (const uint32_t[3]){0, 0, 3}, &a.model,
                       &(struct conform_box){0, 0, 1, 5, 4, 2});
    copy(c, a.texture, &(weft_texture_region){.width = 2, .height = 4}, a.texture,
         &(weft_texture_region){.x = 2});
    conform_model_copy(&a.model, (const uint32_t[3]){2, 0, 0}, &a.model,
                       &(struct conform_box){0, 0, 0, 2, 4, 1});
    conform_model_expect(c, &a.model, a.texture, 0, 0);
}

void case_texture_copy_1d(struct conform *c)
{
    struct side a, b;
    const weft_texture_desc desc = {
        .kind = WEFT_TEXTURE_1D, .format = WEFT_FORMAT_R8_UNORM, .width = 33, .height = 1};
    make(c, &a, &desc, 1);
    make(c, &b, &desc, 2);
    copy(c, a.texture, &(weft_texture_region){.x = 5, .width = 17}, b.texture,
         &(weft_texture_region){.x = 16});
    conform_model_copy(&b.model, (const uint32_t[3]){16, 0, 0}, &a.model,
                       &(struct conform_box){5, 0, 0, 17, 1, 1});
    conform_model_expect(c, &b.model, b.texture, 0, 0);
}

/// Faces of a cube are layers, and so are those of a plain array.
void case_texture_copy_faces(struct conform *c)
{
    struct side cube, array;
    make(c, &cube,
         &(weft_texture_desc){.kind = WEFT_TEXTURE_CUBE,
                              .format = WEFT_FORMAT_RGBA8_UNORM,
                              .width = 6,
                              .height = 6,
                              .layers = 12},
         1);
    make(c, &array,
         &(weft_texture_desc){
             .format = WEFT_FORMAT_RGBA8_UNORM, .width = 6, .height = 6, .layers = 4},
         2);
    copy(c, array.texture, &(weft_texture_region){.layer_count = 4, .x = 1, .width = 3},
         cube.texture, &(weft_texture_region){.layer = 7, .layer_count = 4, .x = 2});
    conform_model_copy(&cube.model, (const uint32_t[3]){2, 0, 7}, &array.model,
                       &(struct conform_box){1, 0, 0, 3, 6, 4});
    conform_model_expect(c, &cube.model, cube.texture, 0, 0);
}

/// A slice of a volume and a layer of an array are as good as each other; and so is a line, which
/// is a picture one texel high.
void case_texture_copy_between_kinds(struct conform *c)
{
    struct side volume, array;
    make(c, &volume,
         &(weft_texture_desc){.kind = WEFT_TEXTURE_3D,
                              .format = WEFT_FORMAT_RGBA16_UINT,
                              .width = 7,
                              .height = 5,
                              .depth = 4},
         1);
    make(c, &array,
         &(weft_texture_desc){
             .format = WEFT_FORMAT_RGBA16_UINT, .width = 6, .height = 8, .layers = 3},
         2);
    copy(c, array.texture,
         &(weft_texture_region){.layer = 2, .x = 1, .y = 3, .width = 5, .height = 4},
         volume.texture, &(weft_texture_region){.x = 2, .y = 1, .z = 3});
    conform_model_copy(&volume.model, (const uint32_t[3]){2, 1, 3}, &array.model,
                       &(struct conform_box){1, 3, 2, 5, 4, 1});
    conform_model_expect(c, &volume.model, volume.texture, 0, 0);
    copy(c, volume.texture, &(weft_texture_region){.z = 1, .width = 3, .height = 5, .depth = 1},
         array.texture, &(weft_texture_region){.layer = 1, .x = 3, .y = 2});
    conform_model_copy(&array.model, (const uint32_t[3]){3, 2, 1}, &volume.model,
                       &(struct conform_box){0, 0, 1, 3, 5, 1});
    conform_model_expect(c, &array.model, array.texture, 0, 0);
}

/// Whatever the bytes mean, they are copied as they are.
void case_texture_copy_formats(struct conform *c)
{
    for (int format = WEFT_FORMAT_NONE + 1; format < WEFT_FORMAT_COUNT; format++) {
        const weft_format_info *info = weft_format_get_info((weft_format)format);
        const weft_format_caps caps = conform_capabilities(c)->formats[format];
        // Compressed ones and depth have cases of their own.
        if (!(info->aspects & WEFT_ASPECT_COLOR) || info->block_width > 1 ||
            !(caps & WEFT_FORMAT_CAN_COPY) || !(caps & WEFT_FORMAT_CAN_SAMPLE))
            continue;
        struct side a, b;
        const weft_texture_desc desc = {.format = (weft_format)format, .width = 13, .height = 6};
        make(c, &a, &desc, (uint32_t)format);
        make(c, &b, &desc, (uint32_t)format + 100);
        copy(c, a.texture, &(weft_texture_region){.x = 4, .y = 1, .width = 7, .height = 3},
             b.texture, &(weft_texture_region){.x = 5, .y = 2});
        conform_model_copy(&b.model, (const uint32_t[3]){5, 2, 0}, &a.model,
                           &(struct conform_box){4, 1, 0, 7, 3, 1});
        conform_model_expect(c, &b.model, b.texture, 0, 0);
    }
}

/// The bytes are copied, not the light.
void case_texture_copy_srgb(struct conform *c)
{
    struct side a, b;
    make(c, &a, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM, .width = 16, .height = 16},
         1);
    make(c, &b,
         &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM_SRGB, .width = 16, .height = 16},
         2);
    copy(c, a.texture, NULL, b.texture, NULL);
    a.model.format = WEFT_FORMAT_RGBA8_UNORM_SRGB;
    conform_model_expect(c, &a.model, b.texture, 0, 0);
}

static void refused(struct conform *c, const weft_texture textures[2],
                    const weft_texture_region *from, const weft_texture_region *to, weft_rule rule)
{
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_texture(enc, textures[0], from, textures[1], to);
    weft_compute_end(enc);
    CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_ERROR_USAGE);
    conform_expect_rule(c, rule);
}

void case_texture_copy_refusals(struct conform *c)
{
    struct side a, b;
    const weft_texture_region part = {.width = 4, .height = 4};
    make(c, &a, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM, .width = 8, .height = 8},
         1);
    make(c, &b, &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UINT, .width = 8, .height = 8}, 2);
    refused(c, (const weft_texture[2]){a.texture, b.texture}, NULL, NULL, WEFT_RULE_COPY_FORMATS);
    refused(c, (const weft_texture[2]){a.texture, a.texture}, &part,
            &(weft_texture_region){.x = 3, .y = 3}, WEFT_RULE_COPY_OVERLAP);
    refused(c, (const weft_texture[2]){a.texture, a.texture}, &part,
            &(weft_texture_region){.x = 5, .y = 4}, WEFT_RULE_TEXTURE_REGION_BOX);
    conform_model_expect(c, &a.model, a.texture, 0, 0);
}
