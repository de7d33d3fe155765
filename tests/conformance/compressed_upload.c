// Blocks: mips below the size of a block, edges that cut blocks, bytes that come back as they went.
#include "cases.h"
#include "model.h"

#include <string.h>

/// All mips of 20 × 12 texels and two layers, written and read back.
static void expect_blocks(struct conform *c, weft_format format)
{
    enum { WIDTH = 20, HEIGHT = 12, MIPS = 5, MOST = 2048 };
    weft_device *const device = conform_device(c);
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){
               .format = format, .width = WIDTH, .height = HEIGHT, .mips = MIPS, .layers = 2});
    uint8_t wrote[MOST], got[MOST] = {0};
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 2 * MIPS; i++) {
            const uint32_t mip = i % MIPS, layer = i / MIPS;
            const uint64_t size = weft_format_image_bytes(format, WIDTH >> mip ? WIDTH >> mip : 1,
                                                          HEIGHT >> mip ? HEIGHT >> mip : 1, 1);
            CONFORM_EXPECT(c, size <= MOST);
            const weft_texture_region region = {.mip = mip, .layer = layer};
            conform_bytes_fill(wrote, size, i);
            if (round == 0)
                weft_texture_write(device, texture, &region, wrote, NULL);
            else
                weft_texture_read(device, texture, &region, got, size, NULL);
            conform_check(c);
            CONFORM_EXPECT(c, round == 0 || !conform_draws(c) || memcmp(wrote, got, size) == 0);
        }
    }
}

void case_compressed_upload_bc(struct conform *c)
{
    static const weft_format formats[] = {WEFT_FORMAT_BC1_RGBA_UNORM, WEFT_FORMAT_BC3_RGBA_UNORM,
                                          WEFT_FORMAT_BC4_R_UNORM, WEFT_FORMAT_BC7_RGBA_UNORM};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        expect_blocks(c, formats[i]);
}

void case_compressed_upload_etc2(struct conform *c)
{
    expect_blocks(c, WEFT_FORMAT_ETC2_RGB8_UNORM);
    expect_blocks(c, WEFT_FORMAT_ETC2_RGBA8_UNORM);
    expect_blocks(c, WEFT_FORMAT_EAC_RG11_UNORM);
}

void case_compressed_upload_astc(struct conform *c)
{
    expect_blocks(c, WEFT_FORMAT_ASTC_4X4_UNORM);
    expect_blocks(c, WEFT_FORMAT_ASTC_6X5_UNORM);
    expect_blocks(c, WEFT_FORMAT_ASTC_12X12_UNORM);
}
