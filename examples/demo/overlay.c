#include "overlay.h"

#include "glyphs.h"

#include <string.h>

/// Part of a sprite (from u0, v0 to u1, v1 of it) into a rectangle of the target.
static void append(struct overlay *overlay, float x, float y, float width, float height,
                   const struct sprite *sprite, const float part[4], const float color[4])
{
    if (overlay->count == OVERLAY_QUADS)
        return;
    const float size = (float)overlay->font->atlas.width;
    weft_quad *quad = &overlay->quads[overlay->count++];
    *quad = (weft_quad){.x = x,
                        .y = y,
                        .width = width,
                        .height = height,
                        .u0 = ((float)sprite->x + part[0] * (float)sprite->width) / size,
                        .v0 = ((float)sprite->y + part[1] * (float)sprite->height) / size,
                        .u1 = ((float)sprite->x + part[2] * (float)sprite->width) / size,
                        .v1 = ((float)sprite->y + part[3] * (float)sprite->height) / size};
    memcpy(quad->color, color, sizeof quad->color);
}

static const float whole[4] = {0, 0, 1, 1};

static int find_glyph(char letter)
{
    for (unsigned i = 0; i < glyph_count; i++)
        if (glyphs[i].letter == letter)
            return (int)i;
    return -1;
}

/// Texels from one letter's left edge to the next one's.
static float advance_of(const struct font_size *size, int glyph)
{
    return (float)glyphs[glyph].width * size->height / 6 + size->advance;
}

void overlay_text(struct overlay *overlay, int size, float x, float y, const float color[4],
                  const char *text)
{
    const struct font_size *font = &overlay->font->sizes[size];
    for (; *text; text++) {
        const int glyph = find_glyph(*text);
        if (glyph < 0)
            continue;
        const struct sprite *sprite = &font->sprites[glyph];
        // A sprite begins 2 texels above the capitals' stroke; whole texels keep letters sharp.
        const float left = (float)(int)(x + 0.5f) - 2,
                    top = (float)(int)(y - font->height * (6.42f / 6) + 0.5f) - 2;
        if (glyphs[glyph].strokes[0])
            append(overlay, left, top, (float)sprite->width, (float)sprite->height, sprite, whole,
                   color);
        x += advance_of(font, glyph);
    }
}

float overlay_text_width(const struct overlay *overlay, int size, const char *text)
{
    float width = 0;
    for (; *text; text++)
        if (find_glyph(*text) >= 0)
            width += advance_of(&overlay->font->sizes[size], find_glyph(*text));
    return width;
}

void overlay_box(struct overlay *overlay, float x, float y, float width, float height,
                 const float color[4])
{
    static const float middle[4] = {0.25f, 0.25f, 0.75f, 0.75f};
    append(overlay, x, y, width, height, &overlay->font->white, middle, color);
}

void overlay_disc(struct overlay *overlay, float x, float y, float radius, const float color[4])
{
    append(overlay, x - radius, y - radius, 2 * radius, 2 * radius, &overlay->font->disc, whole,
           color);
}

void overlay_panel(struct overlay *overlay, float x, float y, float width, float height,
                   float radius, const float color[4])
{
    for (int i = 0; i < 4; i++) {
        const float right = i % 2 ? 0.5f : 0, bottom = i / 2 ? 0.5f : 0;
        const float part[4] = {right, bottom, right + 0.5f, bottom + 0.5f};
        append(overlay, i % 2 ? x + width - radius : x, i / 2 ? y + height - radius : y, radius,
               radius, &overlay->font->disc, part, color);
    }
    overlay_box(overlay, x + radius, y, width - 2 * radius, height, color);
    overlay_box(overlay, x, y + radius, radius, height - 2 * radius, color);
    overlay_box(overlay, x + width - radius, y + radius, radius, height - 2 * radius, color);
}
