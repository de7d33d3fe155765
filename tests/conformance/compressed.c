// Compressed textures: every texel of every mip, also of those smaller than a block; copies of
// blocks; sRGB; and what cannot be done with them.
#include "blocks.h"
#include "cases.h"
#include "probe.h"
#include "sample_rule.h"
#include "texel.h"

#include <string.h>

#include "fetch_float.comp.spv.h"
#include "sample_2d.comp.spv.h"

enum { COLUMNS = 5, ROWS = 3, MIPS_MAX = 6 };

/// A texture of 5 × 3 blocks and all its mips.
struct scene {
    const struct conform_blocks *blocks;
    weft_format format;
    uint32_t width, height, mips; ///< Texels.
    uint32_t block_width, block_height, block_bytes;
    weft_texture texture;
};

static uint32_t side(uint32_t size, uint32_t mip)
{
    return size >> mip ? size >> mip : 1;
}

static uint32_t columns(const struct scene *s, uint32_t mip)
{
    return (side(s->width, mip) + s->block_width - 1) / s->block_width;
}

static uint32_t rows(const struct scene *s, uint32_t mip)
{
    return (side(s->height, mip) + s->block_height - 1) / s->block_height;
}

/// Every block of every mip has a color of its own.
static uint32_t color_at(uint32_t mip, uint32_t column, uint32_t row)
{
    return (mip ? 15 + 6 * (mip - 1) : 0) + COLUMNS * row + column;
}

static void init(struct scene *s, const struct conform_blocks *blocks, weft_format format)
{
    const weft_format_info *info = weft_format_get_info(format);
    *s = (struct scene){.blocks = blocks,
                        .format = format,
                        .width = COLUMNS * info->block_width,
                        .height = ROWS * info->block_height,
                        .block_width = info->block_width,
                        .block_height = info->block_height,
                        .block_bytes = info->block_bytes};
    for (s->mips = 1; s->width >> s->mips; s->mips++) {
    }
}

/// Blocks of a mip, tightly packed. Returns how many bytes.
static size_t fill(const struct scene *s, uint32_t mip, uint8_t bytes[COLUMNS * ROWS * 16])
{
    size_t at = 0;
    for (uint32_t y = 0; y < rows(s, mip); y++)
        for (uint32_t x = 0; x < columns(s, mip); x++, at += s->block_bytes)
            s->blocks->make(bytes + at, color_at(mip, x, y));
    return at;
}

static void make(struct conform *c, struct scene *s, const struct conform_blocks *blocks,
                 weft_format format)
{
    init(s, blocks, format);
    s->texture = conform_texture(c, &(weft_texture_desc){.format = format,
                                                         .width = s->width,
                                                         .height = s->height,
                                                         .mips = s->mips,
                                                         .usage = WEFT_TEXTURE_USAGE_SAMPLED});
    for (uint32_t mip = 0; mip < s->mips; mip++) {
        uint8_t bytes[COLUMNS * ROWS * 16];
        fill(s, mip, bytes);
        weft_texture_write(conform_device(c), s->texture, &(weft_texture_region){.mip = mip}, bytes,
                           NULL);
    }
    conform_check(c);
}

static struct conform_texel texel_at(const struct scene *s, uint32_t mip, uint32_t x, uint32_t y)
{
    struct conform_texel texel =
        s->blocks->texel(color_at(mip, x / s->block_width, y / s->block_height), x % s->block_width,
                         y % s->block_height);
    for (uint32_t i = 0; i < 3 && weft_format_get_info(s->format)->srgb; i++)
        texel.v[i] = conform_srgb_decode(texel.v[i]);
    return texel;
}

/// Linear light changes at most 2.3 times as fast as its code. Hardware may mix the colors of a
/// block with less care: 0.03 of what is between them, and a step (Direct3D 11.3, 19.5.4).
static double tolerance(const struct conform *c, const struct scene *s)
{
    const double hardware = conform_exact(c) ? 0 : 0.03 + 1.0 / 255;
    return (s->blocks->tolerance + hardware) * (weft_format_get_info(s->format)->srgb ? 2.3 : 1);
}

/// Fetches all texels of a mip.
static void expect_mip(struct conform *c, const struct scene *s, const struct conform_probed *what,
                       uint32_t mip)
{
    struct conform_probe probes[CONFORM_PROBES_MAX];
    struct conform_texel want[CONFORM_PROBES_MAX];
    const uint32_t width = side(s->width, mip), height = side(s->height, mip);
    uint32_t count = 0;
    for (uint32_t i = 0; i < width * height; i++) {
        const uint32_t x = i % width, y = i / width;
        probes[count] = (struct conform_probe){.at = {(float)x, (float)y, 0, (float)mip}};
        want[count++] = texel_at(s, mip, x, y);
        if (count == CONFORM_PROBES_MAX || i + 1 == width * height) {
            conform_expect_probes(c, what, probes, want, count, tolerance(c, s));
            count = 0;
        }
    }
}

static void fetch_all(struct conform *c, const struct conform_blocks *blocks, weft_format format)
{
    struct scene s;
    make(c, &s, blocks, format);
    const struct conform_probed what = {.pipeline =
                                            conform_compute(c, CONFORM_SHADER(c, fetch_float_comp)),
                                        .view = conform_view(c, s.texture),
                                        .op = CONFORM_PROBE_FETCH};
    for (uint32_t mip = 0; mip < s.mips; mip++)
        expect_mip(c, &s, &what, mip);
}

void case_bc_fetch(struct conform *c)
{
    fetch_all(c, &conform_bc1, conform_bc1.format);
}

void case_etc2_fetch(struct conform *c)
{
    fetch_all(c, &conform_etc2, conform_etc2.format);
}

void case_astc_fetch(struct conform *c)
{
    fetch_all(c, &conform_astc, conform_astc.format);
}

void case_astc_fetch_10x8(struct conform *c)
{
    fetch_all(c, &conform_astc_10x8, conform_astc_10x8.format);
}

void case_bc_srgb(struct conform *c)
{
    fetch_all(c, &conform_bc1, conform_bc1.srgb);
}

void case_etc2_srgb(struct conform *c)
{
    fetch_all(c, &conform_etc2, conform_etc2.srgb);
}

void case_astc_srgb(struct conform *c)
{
    fetch_all(c, &conform_astc, conform_astc.srgb);
}

// ---- samples -----------------------------------------------------------------------------------

/// Between two mips of the same place, at a corner of four texels of each.
static void sample_linear(struct conform *c, const struct conform_blocks *blocks)
{
    struct scene s;
    make(c, &s, blocks, blocks->format);
    const struct conform_probed what = {
        .pipeline = conform_compute(c, CONFORM_SHADER(c, sample_2d_comp)),
        .view = conform_view(c, s.texture),
        .sampler = conform_sampler(
            c, &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR, .min = WEFT_FILTER_LINEAR}),
        .op = CONFORM_PROBE_LOD};
    struct conform_probe probes[64];
    struct conform_texel want[64];
    uint32_t count = 0;
    const uint32_t width = side(s.width, 1), height = side(s.height, 1);
    for (uint32_t y = 1; y < height && count < 64; y++)
        for (uint32_t x = 1; x < width && count < 64; x++, count++) {
            probes[count] = (struct conform_probe){
                .at = {(float)x / (float)width, (float)y / (float)height, 0, 1}};
            want[count] = (struct conform_texel){{0}};
            for (uint32_t k = 0; k < 16; k++)
                want[count].v[k % 4] +=
                    texel_at(&s, 1, x - (k >> 2 & 1), y - (k >> 3)).v[k % 4] / 4;
        }
    conform_expect_probes(c, &what, probes, want, count,
                          tolerance(c, &s) + conform_filter_tolerance(c));
}

void case_bc_sample(struct conform *c)
{
    sample_linear(c, &conform_bc1);
}

void case_etc2_sample(struct conform *c)
{
    sample_linear(c, &conform_etc2);
}

void case_astc_sample(struct conform *c)
{
    sample_linear(c, &conform_astc);
}

void case_astc_sample_10x8(struct conform *c)
{
    sample_linear(c, &conform_astc_10x8);
}

// ---- copies ------------------------------------------------------------------------------------

/// What was read of a mip is those blocks.
static void expect_blocks(struct conform *c, weft_texture texture, uint32_t mip,
                          const uint8_t *bytes, size_t size)
{
    uint8_t got[COLUMNS * ROWS * 16];
    weft_texture_read(conform_device(c), texture, &(weft_texture_region){.mip = mip}, got, size,
                      NULL);
    conform_check(c);
    if (conform_draws(c))
        CONFORM_EXPECT(c, memcmp(got, bytes, size) == 0);
}

/// Two columns of two rows into the middle of another texture, to the twin; a mip below a block.
static void copy_blocks(struct conform *c, const struct conform_blocks *blocks)
{
    struct scene a, b;
    uint8_t from[COLUMNS * ROWS * 16], to[COLUMNS * ROWS * 16];
    make(c, &a, blocks, blocks->format);
    make(c, &b, blocks, blocks->srgb);
    const uint32_t last = a.mips - 1, bytes = a.block_bytes;
    // To tell what was copied from what was there, another pattern.
    fill(&a, 0, from);
    for (uint32_t i = 0; i < COLUMNS * ROWS; i++)
        blocks->make(to + (size_t)i * bytes, 100 + i);
    weft_texture_write(conform_device(c), b.texture, NULL, to, NULL);
    weft_texture_write(conform_device(c), b.texture, &(weft_texture_region){.mip = last}, to, NULL);

    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_copy_texture(enc, a.texture,
                              &(weft_texture_region){.x = 3 * a.block_width,
                                                     .y = a.block_height,
                                                     .width = 2 * a.block_width,
                                                     .height = 2 * a.block_height},
                              b.texture, &(weft_texture_region){.x = a.block_width});
    weft_compute_copy_texture(enc, a.texture, &(weft_texture_region){.mip = last}, b.texture,
                              &(weft_texture_region){.mip = last});
    weft_compute_end(enc);
    conform_submit(c, cmd);

    for (uint32_t row = 0; row < 2; row++)
        memcpy(to + (size_t)(COLUMNS * row + 1) * bytes,
               from + (size_t)(COLUMNS * (row + 1) + 3) * bytes, (size_t)2 * bytes);
    expect_blocks(c, b.texture, 0, to, (size_t)COLUMNS * ROWS * bytes);
    expect_blocks(c, b.texture, last, from, fill(&a, last, from));
}

void case_bc_copy(struct conform *c)
{
    copy_blocks(c, &conform_bc1);
}

void case_etc2_copy(struct conform *c)
{
    copy_blocks(c, &conform_etc2);
}

void case_astc_copy(struct conform *c)
{
    copy_blocks(c, &conform_astc_10x8);
}

// ---- refusals ----------------------------------------------------------------------------------

static void refuse_usage(struct conform *c, const struct scene *s, weft_texture_usage usage)
{
    weft_texture texture;
    weft_texture_create(
        conform_device(c),
        &(weft_texture_desc){
            .format = s->format, .width = s->width, .height = s->height, .usage = usage},
        &texture);
    conform_expect_rule(c, WEFT_RULE_TEXTURE_FORMAT_USAGE);
}

static void refuse_region(struct conform *c, const struct scene *s, weft_texture_region region)
{
    const uint8_t bytes[COLUMNS * ROWS * 16] = {0};
    weft_texture_write(conform_device(c), s->texture, &region, bytes, NULL);
    conform_expect_rule(c, WEFT_RULE_TEXTURE_REGION_BLOCK);
}

static void refuse_all(struct conform *c, const struct conform_blocks *blocks)
{
    struct scene s;
    make(c, &s, blocks, blocks->format);
    const uint32_t width = s.block_width, height = s.block_height;
    refuse_usage(c, &s, WEFT_TEXTURE_USAGE_RENDER);
    refuse_usage(c, &s, WEFT_TEXTURE_USAGE_STORAGE);
    refuse_region(c, &s, (weft_texture_region){.x = 1, .width = width, .height = height});
    refuse_region(c, &s, (weft_texture_region){.y = 1, .width = width, .height = height});
    refuse_region(c, &s, (weft_texture_region){.width = width + 1, .height = height});
    refuse_region(c, &s, (weft_texture_region){.width = width, .height = height - 1});
    weft_command_buffer *cmd = conform_begin(c);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_generate_mips(enc, s.texture);
    weft_compute_end(enc);
    weft_command_end(cmd);
    conform_expect_rule(c, WEFT_RULE_MIPS_FORMAT);
}

void case_bc_refusals(struct conform *c)
{
    refuse_all(c, &conform_bc1);
}

void case_etc2_refusals(struct conform *c)
{
    refuse_all(c, &conform_etc2);
}

void case_astc_refusals(struct conform *c)
{
    refuse_all(c, &conform_astc_10x8);
}
