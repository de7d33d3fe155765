#include "font.h"

#include "glyphs.h"
#include "vec.h"

#include <string.h>

#define ATLAS_SIZE 1024u
#define MARGIN     2u
/// Height of capitals in the glyphs' own units; half the thickness of a stroke.
#define CAPITALS    6.0f
#define HALF_STROKE 0.42f
#define POINTS_MAX  400

struct point {
    float x, y;
};

struct curve {
    struct point points[POINTS_MAX];
    int count;
};

/// Reads one stroke; returns where the next one begins.
static const char *read_stroke(const char *text, struct curve *out)
{
    out->count = 0;
    while (text[0] && text[0] != ' ') {
        out->points[out->count++] = (struct point){(float)(text[0] - '0'), (float)(text[1] - '0')};
        text += 2;
    }
    return *text == ' ' ? text + 1 : text;
}

static struct point mix(struct point a, struct point b, float t)
{
    return (struct point){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

/// Cuts each corner, which leaves a polygon of nearly twice as many; the ends stay.
static void cut_corners(struct curve *curve)
{
    const struct curve from = *curve;
    if (from.count < 3 || 2 * from.count > POINTS_MAX)
        return;
    curve->count = 0;
    curve->points[curve->count++] = from.points[0];
    for (int i = 0; i + 1 < from.count; i++) {
        if (i > 0)
            curve->points[curve->count++] = mix(from.points[i], from.points[i + 1], 0.25f);
        if (i + 2 < from.count)
            curve->points[curve->count++] = mix(from.points[i], from.points[i + 1], 0.75f);
    }
    curve->points[curve->count++] = from.points[from.count - 1];
}

static float distance_to_segment(struct point p, struct point a, struct point b)
{
    const float dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    float t = length2 > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2 : 0;
    t = fminf(fmaxf(t, 0), 1);
    return hypotf(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

/// Raises the alpha of the texels that a curve covers. `scale`: texels per unit.
static void draw_curve(struct image *atlas, const struct sprite *sprite, const struct curve *curve,
                       float scale)
{
    for (uint32_t y = 0; y < sprite->height; y++)
        for (uint32_t x = 0; x < sprite->width; x++) {
            const struct point at = {((float)x + 0.5f - MARGIN) / scale - HALF_STROKE,
                                     8 + HALF_STROKE - ((float)y + 0.5f - MARGIN) / scale};
            float distance = INFINITY;
            for (int i = 0; i + 1 < curve->count; i++)
                distance = fminf(distance,
                                 distance_to_segment(at, curve->points[i], curve->points[i + 1]));
            const float coverage = fminf(fmaxf(0.5f + (HALF_STROKE - distance) * scale, 0), 1);
            uint8_t *alpha =
                &atlas->texels[4 * ((sprite->y + y) * (size_t)ATLAS_SIZE + sprite->x + x) + 3];
            const uint8_t value = (uint8_t)(coverage * 255 + 0.5f);
            *alpha = value > *alpha ? value : *alpha;
        }
}

static void draw_glyph(struct image *atlas, const struct sprite *sprite, const struct glyph *glyph,
                       float scale)
{
    for (const char *text = glyph->strokes; *text;) {
        struct curve curve;
        text = read_stroke(text, &curve);
        for (int i = 0; i < 4; i++)
            cut_corners(&curve);
        draw_curve(atlas, sprite, &curve, scale);
    }
}

/// Where the next sprite goes: rows from the top.
struct shelf {
    uint32_t x, y, height;
};

static struct sprite place(struct shelf *shelf, uint32_t width, uint32_t height)
{
    if (shelf->x + width > ATLAS_SIZE) {
        shelf->x = 0;
        shelf->y += shelf->height;
        shelf->height = 0;
    }
    const struct sprite sprite = {shelf->x, shelf->y, width, height};
    shelf->x += width;
    shelf->height = height > shelf->height ? height : shelf->height;
    return sprite;
}

static void create_size(struct font *font, struct shelf *shelf, int size, float height)
{
    struct font_size *out = &font->sizes[size];
    const float scale = height / CAPITALS;
    out->height = height;
    out->advance = 1.9f * scale;
    for (unsigned i = 0; i < glyph_count; i++) {
        const float width = ((float)glyphs[i].width + 2 * HALF_STROKE) * scale,
                    tall = (8 + 2 * HALF_STROKE) * scale;
        out->sprites[i] =
            place(shelf, (uint32_t)ceilf(width) + 2 * MARGIN, (uint32_t)ceilf(tall) + 2 * MARGIN);
        draw_glyph(&font->atlas, &out->sprites[i], &glyphs[i], scale);
    }
}

static void draw_disc(struct image *atlas, const struct sprite *sprite)
{
    const float radius = (float)sprite->width / 2 - 1;
    for (uint32_t y = 0; y < sprite->height; y++)
        for (uint32_t x = 0; x < sprite->width; x++) {
            const float distance =
                hypotf((float)x + 0.5f - radius - 1, (float)y + 0.5f - radius - 1);
            atlas->texels[4 * ((sprite->y + y) * (size_t)ATLAS_SIZE + sprite->x + x) + 3] =
                (uint8_t)(fminf(fmaxf(radius + 0.5f - distance, 0), 1) * 255 + 0.5f);
        }
}

bool font_create(struct font *out, struct failure *why)
{
    struct shelf shelf = {0};
    if (!image_create(ATLAS_SIZE, ATLAS_SIZE, &out->atlas, why))
        return false;
    for (size_t i = 0; i < (size_t)ATLAS_SIZE * ATLAS_SIZE; i++)
        memcpy(out->atlas.texels + 4 * i, "\xff\xff\xff\x00", 4);
    create_size(out, &shelf, FONT_TITLE, 64);
    create_size(out, &shelf, FONT_MEDIUM, 20);
    create_size(out, &shelf, FONT_SMALL, 12);
    out->disc = place(&shelf, 34, 34);
    draw_disc(&out->atlas, &out->disc);
    out->white = place(&shelf, 4, 4);
    for (uint32_t i = 0; i < 16; i++)
        out->atlas
            .texels[4 * ((out->white.y + i / 4) * (size_t)ATLAS_SIZE + out->white.x + i % 4) + 3] =
            255;
    return true;
}

void font_finish(struct font *font)
{
    image_finish(&font->atlas);
}
