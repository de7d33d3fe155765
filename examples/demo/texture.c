#include "texture.h"

#include "vec.h"

#include <string.h>

static uint32_t hash(uint32_t x, uint32_t y)
{
    uint32_t h = x * 0x8da6b343u ^ y * 0xd8163841u;
    h = (h ^ h >> 13) * 0x9e3779b1u;
    return h ^ h >> 16;
}

/// -1 to 1, by place.
static float noise(uint32_t x, uint32_t y)
{
    return (float)(hash(x, y) & 0xffff) / 32768 - 1;
}

static void put(uint8_t *texel, const float color[3], float light)
{
    for (int c = 0; c < 3; c++)
        texel[c] = (uint8_t)fminf(fmaxf(color[c] * light, 0), 255);
    texel[3] = 255;
}

/// One of 8×8 crossings: which thread is on top alternates, and each bends at its edges.
static void put_weave(uint8_t *texel, uint32_t x, uint32_t y, uint32_t cell)
{
    static const float warp[3] = {236, 226, 205}, weft[2][3] = {{226, 96, 44}, {22, 110, 118}};
    const uint32_t column = x / cell, row = y / cell;
    const float u = ((float)(x % cell) + 0.5f) / (float)cell * 2 - 1,
                v = ((float)(y % cell) + 0.5f) / (float)cell * 2 - 1;
    const bool over = (column + row) % 2 == 0;
    const float across = over ? u : v, along = over ? v : u;
    const float fibre = 0.05f * noise(over ? x : y, 7) + 0.03f * noise(x, y);
    const float light = (1 - 0.45f * across * across) * (1 - 0.35f * along * along) + fibre;
    const bool joint = fabsf(across) > 0.93f;
    put(texel, over ? warp : weft[row / 2 % 2], joint ? 0.25f : light);
}

bool texture_create_weave(struct image *out, struct failure *why)
{
    const uint32_t size = 512;
    if (!image_create(size, size, out, why))
        return false;
    for (uint32_t i = 0; i < size * size; i++)
        put_weave(out->texels + 4 * (size_t)i, i % size, i / size, size / 8);
    return true;
}

bool texture_create_tiles(struct image *out, struct failure *why)
{
    const uint32_t size = 512, tile = 256, joint = 4;
    if (!image_create(size, size, out, why))
        return false;
    for (uint32_t i = 0; i < size * size; i++) {
        static const float light_tile[3] = {126, 132, 142}, dark_tile[3] = {92, 98, 110},
                           gap[3] = {44, 48, 56};
        const uint32_t x = i % size, y = i / size;
        const bool in_joint = x % tile < joint || y % tile < joint, odd = (x / tile + y / tile) % 2;
        const float grain = 1 + 0.05f * noise(x / 2, y / 2) + 0.04f * noise(x / 16, y / 16);
        put(out->texels + 4 * (size_t)i, in_joint ? gap : odd ? light_tile : dark_tile, grain);
    }
    return true;
}

bool texture_create_white(struct image *out, struct failure *why)
{
    if (!image_create(1, 1, out, why))
        return false;
    memset(out->texels, 255, 4);
    return true;
}
