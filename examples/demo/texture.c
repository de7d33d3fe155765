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

/// Threads in each direction of the picture, and the part of their distance that they fill.
#define THREADS      8
#define THREAD_WIDTH 0.46f

/// A thread seen from above at `across` (-0.5 to 0.5 from its middle): how high it lies where it
/// passes over (1) or under (-1) the crossing threads. Below 0: it is not there.
static float thread_height(float across, float wave)
{
    const float side = across / THREAD_WIDTH;
    return fabsf(side) < 1 ? 1.2f + sqrtf(1 - side * side) * 0.9f + wave : -1;
}

/// The upper one of the two threads at a texel, darker towards its sides and where it dives.
static void put_weave(uint8_t *texel, float x, float y, float grain)
{
    static const float warp[3] = {238, 230, 212}, wefts[2][3] = {{232, 98, 40}, {18, 116, 124}},
                       gap[3] = {30, 26, 24};
    const float column = floorf(x), row = floorf(y), u = x - column - 0.5f, v = y - row - 0.5f;
    const float over = cosf(VEC_PI * (y - 0.5f + column)), under = -cosf(VEC_PI * (x - 0.5f + row));
    const float a = thread_height(u, over), b = thread_height(v, under);
    const float side = (a > b ? u : v) / THREAD_WIDTH, wave = a > b ? over : under;
    const float light = (0.72f + 0.28f * fmaxf(wave, -0.6f)) * (1 - 0.55f * side * side) + grain;
    if (fmaxf(a, b) < 0)
        put(texel, gap, 1);
    else
        put(texel, a > b ? warp : wefts[(int)row / 2 % 2], light);
}

bool texture_create_weave(struct image *out, struct failure *why)
{
    const uint32_t size = 512;
    if (!image_create(size, size, out, why))
        return false;
    for (uint32_t i = 0; i < size * size; i++) {
        const uint32_t x = i % size, y = i / size;
        put_weave(out->texels + 4 * (size_t)i, ((float)x + 0.5f) * THREADS / (float)size,
                  ((float)y + 0.5f) * THREADS / (float)size, 0.05f * noise(x / 2, y / 2));
    }
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
