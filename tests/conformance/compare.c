// Contents against what they must be.
#include "internal.h"
#include "texel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool conform_read_times(struct conform *c, weft_buffer buffer, uint64_t offset, void *data,
                        size_t size)
{
    weft_buffer_read(c->device, buffer, offset, data, size);
    conform_check(c);
    return conform_draws(c);
}

bool conform_read_buffer(struct conform *c, weft_buffer buffer, uint64_t offset, void *data,
                         size_t size)
{
    const bool there = conform_read_times(c, buffer, offset, data, size);
    if (there)
        conform_hash(c, data, size);
    return there;
}

void conform_expect_bytes(struct conform *c, weft_buffer buffer, uint64_t offset, const void *bytes,
                          size_t size)
{
    const uint64_t padded = (size + 3) & ~(uint64_t)3;
    uint8_t *got = malloc(padded);
    if (!got)
        conform_fail(c, "out of memory");
    const bool judged = conform_read_buffer(c, buffer, offset, got, padded);
    const uint8_t *wanted = bytes;
    size_t at = 0;
    while (judged && at < size && got[at] == wanted[at])
        at++;
    const uint8_t value = judged && at < size ? got[at] : 0;
    free(got);
    if (judged && at < size)
        conform_fail(c, "byte %zu of %zu is 0x%02x, not 0x%02x", at, size, value, wanted[at]);
}

// ---- texels ------------------------------------------------------------------------------------

/// A region of a texture that was read, and what it is compared with.
struct comparison {
    weft_format format;
    weft_aspect_set aspect;
    uint32_t width, height, depth; ///< Texels; depth: slices and layers.
    uint32_t bytes;                ///< Per texel.
    uint8_t *data;
    conform_expected *expected;
    void *user;
    double tolerance;
};

static uint8_t display(double value)
{
    return (uint8_t)(fmin(fmax(value, 0), 1) * 255 + 0.5);
}

/// Numbers as a person can see them: integers are scaled by the class's habit, light is encoded.
static void show(const struct comparison *k, const struct conform_texel *texel, uint8_t out[4])
{
    const weft_format_info *info = weft_format_get_info(k->format);
    const bool integer = info->sample_class == WEFT_SAMPLE_CLASS_UINT ||
                         info->sample_class == WEFT_SAMPLE_CLASS_SINT ||
                         k->aspect == WEFT_ASPECT_STENCIL;
    for (uint32_t i = 0; i < 4; i++) {
        const double value = integer && i < info->components ? texel->v[i] / 255 : texel->v[i];
        out[i] = display(info->srgb && i < 3 ? conform_srgb_encode(value) : value);
    }
    if (info->components == 1)
        out[1] = out[2] = out[0];
}

static bool same(double a, double b, double tolerance)
{
    return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= tolerance;
}

/// Compares one texel; tells about it in `where`.
static bool compare_texel(const struct comparison *k, const uint32_t at[3],
                          const struct conform_texel *got, const struct conform_texel *want,
                          char where[256])
{
    bool fine = true;
    for (uint32_t i = 0; i < 4; i++)
        fine = fine && same(got->v[i], want->v[i], k->tolerance);
    if (!fine)
        (void)snprintf(where, 256,
                       "texel (%u, %u, %u) is (%.6g, %.6g, %.6g, %.6g), not (%.6g, %.6g, %.6g, "
                       "%.6g) within %.3g",
                       at[0], at[1], at[2], got->v[0], got->v[1], got->v[2], got->v[3], want->v[0],
                       want->v[1], want->v[2], want->v[3], k->tolerance);
    return fine;
}

/// False if a texel is off; `where` then tells of the first. Fills both pictures of slice 0.
static bool compare(const struct comparison *k, struct conform_picture *picture, char where[256])
{
    const size_t slice = (size_t)k->width * k->height;
    bool fine = true;
    for (size_t i = slice * k->depth; i-- > 0;) {
        const uint32_t at[3] = {(uint32_t)(i % k->width), (uint32_t)(i / k->width % k->height),
                                (uint32_t)(i / slice)};
        struct conform_texel got;
        const struct conform_texel want = k->expected(k->user, at[0], at[1], at[2]);
        conform_texel_decode(k->format, k->aspect, k->data + i * k->bytes, &got);
        fine = compare_texel(k, at, &got, &want, where) && fine;
        if (i < slice) {
            show(k, &got, picture->got + i * 4);
            show(k, &want, picture->expected + i * 4);
        }
    }
    return fine;
}

static weft_texture_region resolve(const weft_texture_desc *desc, const weft_texture_region *region)
{
    weft_texture_region r = region ? *region : (weft_texture_region){0};
    const bool volume = desc->kind == WEFT_TEXTURE_3D;
    const uint32_t width = desc->width >> r.mip, height = desc->height >> r.mip,
                   depth = volume ? desc->depth >> r.mip : 1;
    r.width = r.width ? r.width : (width ? width : 1) - r.x;
    r.height = r.height ? r.height : (height ? height : 1) - r.y;
    r.depth = r.depth ? r.depth : (depth ? depth : 1) - r.z;
    r.layer_count = r.layer_count ? r.layer_count : 1;
    if (!r.aspect)
        r.aspect = weft_format_get_info(desc->format)->aspects & WEFT_ASPECT_COLOR
                       ? WEFT_ASPECT_COLOR
                       : WEFT_ASPECT_DEPTH;
    if (desc->format == WEFT_FORMAT_S8_UINT)
        r.aspect = WEFT_ASPECT_STENCIL;
    return r;
}

void conform_expect_texels(struct conform *c, weft_texture texture,
                           const weft_texture_region *region, conform_expected *expected,
                           void *user, double tolerance)
{
    weft_texture_desc desc;
    CONFORM_EXPECT(c, weft_texture_get_desc(c->device, texture, &desc));
    const weft_texture_region r = resolve(&desc, region);
    struct comparison k = {.format = desc.format,
                           .aspect = r.aspect,
                           .width = r.width,
                           .height = r.height,
                           .depth = r.depth * r.layer_count,
                           .bytes = conform_texel_bytes(desc.format, r.aspect),
                           .expected = expected,
                           .user = user,
                           .tolerance = tolerance};
    const size_t count = (size_t)k.width * k.height * k.depth, size = count * k.bytes;
    k.data = calloc(size, 1);
    struct conform_picture picture = {.width = k.width,
                                      .height = k.height,
                                      .got = calloc((size_t)k.width * k.height, 4),
                                      .expected = calloc((size_t)k.width * k.height, 4)};
    weft_texture_read(c->device, texture, &r, k.data, size, NULL);
    char where[256];
    bool fine = true;
    if (conform_draws(c) && c->error_count == 0 && k.data && picture.got && picture.expected) {
        conform_hash(c, k.data, size);
        fine = compare(&k, &picture, where);
        conform_keep(c, &picture);
    } else {
        free(picture.got);
        free(picture.expected);
    }
    free(k.data);
    conform_check(c);
    if (!fine)
        conform_fail(c, "%s", where);
}

static struct conform_texel one_color(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)x;
    (void)y;
    (void)z;
    return *(const struct conform_texel *)user;
}

void conform_expect_color(struct conform *c, weft_texture texture, const double color[4],
                          double tolerance)
{
    struct conform_texel texel = {{color[0], color[1], color[2], color[3]}};
    conform_expect_texels(c, texture, NULL, one_color, &texel, tolerance);
}
