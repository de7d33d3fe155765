/// Between planes in memory, which are rows of texels, and a tile, which is quads.
#include "backends/software/raster/parts.h"

#include <string.h>

static size_t place(uint8_t **target, uint8_t *memory, size_t at, size_t bytes)
{
    if (memory)
        *target = memory + at;
    return at + ((bytes + 63) & ~(size_t)63);
}

size_t wf_sw_raster_tile_layout(const struct wf_sw_raster *r, struct tile *tile, uint8_t *memory)
{
    const size_t texels = (size_t)TILE_PIXELS * r->pass.samples;
    size_t at = 0;
    for (uint32_t i = 0; i < WF_SW_RASTER_COLORS; i++)
        at = place(&tile->colors[i], memory, at, texels * r->color_bytes[i]);
    uint8_t *depth = NULL;
    at = place(&depth, memory, at, r->depth_bits ? texels * sizeof(*tile->depth) : 0);
    tile->depth = (float *)(void *)depth;
    at = place(&tile->stencil, memory, at, r->pass.stencil.data ? texels : 0);
    return at ? at : 64;
}

// ---- rows --------------------------------------------------------------------------------------

/// The tile's row of a plane.
static uint8_t *plane_row(const struct tile *tile, const struct wf_sw_raster_plane *plane,
                          uint32_t bytes, uint32_t sample, uint32_t y)
{
    return plane->data + plane->layer_bytes * tile->layer + plane->sample_bytes * sample +
           plane->row_bytes * (uint64_t)(tile->y + (int32_t)y) + (size_t)tile->x * bytes;
}

/// Copies the tile between a plane and quads. Two texels of a row are neighbours in both.
static inline void move_rows(const struct tile *tile, const struct wf_sw_raster_plane *plane,
                             uint8_t *quads, uint32_t bytes, uint32_t samples, bool load)
{
    for (uint32_t s = 0; s < samples; s++) {
        for (uint32_t y = 0; y < tile->height; y++) {
            uint8_t *row = plane_row(tile, plane, bytes, s, y);
            const uint32_t first = raster_texel_at(s, raster_quad_at(0, y)) + 2 * (y & 1);
            uint8_t *pair = quads + (size_t)first * bytes;
            uint32_t x = 0;
            for (; x + 2 <= tile->width; x += 2, pair += (size_t)4 * bytes) {
                if (load)
                    memcpy(pair, row + (size_t)x * bytes, (size_t)2 * bytes);
                else
                    memcpy(row + (size_t)x * bytes, pair, (size_t)2 * bytes);
            }
            if (x == tile->width)
                continue;
            if (load)
                memcpy(pair, row + (size_t)x * bytes, bytes);
            else
                memcpy(row + (size_t)x * bytes, pair, bytes);
        }
    }
}

static void move_plane(const struct tile *tile, const struct wf_sw_raster_plane *plane,
                       uint8_t *quads, uint32_t bytes, uint32_t samples, bool load)
{
    switch (bytes) {
    case 4:
        move_rows(tile, plane, quads, 4, samples, load);
        break;
    case 8:
        move_rows(tile, plane, quads, 8, samples, load);
        break;
    default:
        move_rows(tile, plane, quads, bytes, samples, load);
        break;
    }
}

/// The texel of one pixel and sample within a tile.
static uint32_t texel_of(uint32_t sample, uint32_t x, uint32_t y)
{
    return raster_texel_at(sample, raster_quad_at(x, y)) + (y & 1) * 2 + (x & 1);
}

static void move_depth_texel(float *texel, uint8_t *stored, uint32_t bytes, bool load)
{
    uint32_t value = 0;
    if (load) {
        memcpy(&value, stored, bytes);
        *texel = (float)(value & 0xffffffu);
        return;
    }
    value = (uint32_t)*texel;
    memcpy(stored, &value, bytes);
}

/// Depth is converted on the way: D16 and D24 are integers in memory, floats in the tile.
static void move_depth(const struct wf_sw_raster *r, const struct tile *tile, bool load)
{
    const struct wf_sw_raster_plane *plane = &r->pass.depth;
    const uint32_t bytes = r->depth_bits == 16 ? 2 : 4;
    if (r->depth_bits == 32) {
        move_plane(tile, plane, (uint8_t *)tile->depth, bytes, r->pass.samples, load);
        return;
    }
    const uint32_t rows = tile->height * r->pass.samples;
    for (uint32_t at = 0; at < rows; at++) {
        const uint32_t s = at / tile->height, y = at % tile->height;
        uint8_t *row = plane_row(tile, plane, bytes, s, y);
        for (uint32_t x = 0; x < tile->width; x++, row += bytes)
            move_depth_texel(&tile->depth[texel_of(s, x, y)], row, bytes, load);
    }
}

// ---- load --------------------------------------------------------------------------------------

static void clear_color(const struct wf_sw_raster *r, uint8_t *texels, uint32_t color)
{
    const weft_clear_color *clear = &r->pass.colors[color].clear;
    const struct wf_hal_texel_codec *codec =
        wf_hal_texel_codec_get(r->pass.colors[color].plane.format);
    const uint32_t words[1][4] = {{clear->u[0], clear->u[1], clear->u[2], clear->u[3]}};
    const size_t bytes = r->color_bytes[color];
    wf_hal_texel_encode(codec, words, 1, texels);
    // Doubles what is there until the tile is full.
    const size_t total = bytes * TILE_PIXELS * r->pass.samples;
    for (size_t filled = bytes; filled < total; filled *= 2)
        memcpy(texels + filled, texels, filled * 2 <= total ? filled : total - filled);
}

static void clear_depth(const struct wf_sw_raster *r, float *texels)
{
    const float clear = wf_base_clamp_f32(r->pass.clear_depth, 0.0f, 1.0f);
    const float value =
        r->depth_bits == 32 ? clear : (float)wf_hal_depth_encode(clear, r->depth_bits);
    for (uint32_t i = 0; i < TILE_PIXELS * r->pass.samples; i++)
        texels[i] = value;
}

void wf_sw_raster_tile_load(struct worker *w)
{
    const struct wf_sw_raster *r = w->raster;
    const struct wf_sw_raster_pass *p = &r->pass;
    struct tile *tile = &w->tile;
    for (uint32_t i = 0; i < WF_SW_RASTER_COLORS; i++) {
        if (!r->color_bytes[i])
            continue;
        if (r->loaded || p->colors[i].load == WEFT_LOAD_LOAD)
            move_plane(tile, &p->colors[i].plane, tile->colors[i], r->color_bytes[i], p->samples,
                       true);
        else
            clear_color(r, tile->colors[i], i);
    }
    if (r->depth_bits) {
        if (r->loaded || p->depth_load == WEFT_LOAD_LOAD)
            move_depth(r, tile, true);
        else
            clear_depth(r, tile->depth);
    }
    if (p->stencil.data) {
        if (r->loaded || p->stencil_load == WEFT_LOAD_LOAD)
            move_plane(tile, &p->stencil, tile->stencil, 1, p->samples, true);
        else
            memset(tile->stencil, (int)(p->clear_stencil & 0xff), (size_t)TILE_PIXELS * p->samples);
    }
}

// ---- store -------------------------------------------------------------------------------------

/// Until the pass ends, everything is kept: a later flush loads it again.
static bool keeps(const struct wf_sw_raster *r, weft_store store)
{
    return !r->last_flush || store == WEFT_STORE_STORE;
}

void wf_sw_raster_tile_store(struct worker *w)
{
    const struct wf_sw_raster *r = w->raster;
    const struct wf_sw_raster_pass *p = &r->pass;
    const struct tile *tile = &w->tile;
    for (uint32_t i = 0; i < WF_SW_RASTER_COLORS; i++) {
        if (!r->color_bytes[i])
            continue;
        if (keeps(r, p->colors[i].store))
            move_plane(tile, &p->colors[i].plane, tile->colors[i], r->color_bytes[i], p->samples,
                       false);
        if (r->last_flush && p->colors[i].resolve.data)
            wf_sw_raster_resolve(w, i);
    }
    // A plane that nothing wrote may be read by shaders at the same time: it is left alone.
    if (r->depth_bits && r->depth_dirty && keeps(r, p->depth_store))
        move_depth(r, tile, false);
    if (p->stencil.data && r->stencil_dirty && keeps(r, p->stencil_store))
        move_plane(tile, &p->stencil, tile->stencil, 1, p->samples, false);
}
