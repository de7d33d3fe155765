#include "overlay.h"

#include "glyphs.h"

#include <string.h>

/// Part of a sprite (from u0, v0 to u1, v1 of it) into a rectangle of the target.
static void append(struct overlay *overlay, struct overlay_rect rect, const struct sprite *sprite,
                   const float part[4], const float color[4])
{
    if (overlay->count == OVERLAY_QUADS)
        return;
    const float size = (float)overlay->font->atlas.width;
    weft_quad *quad = &overlay->quads[overlay->count++];
    *quad = (weft_quad){.x = rect.x,
                        .y = rect.y,
                        .width = rect.width,
                        .height = rect.height,
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
            append(overlay,
                   (struct overlay_rect){left, top, (float)sprite->width, (float)sprite->height},
                   sprite, whole, color);
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

void overlay_box(struct overlay *overlay, struct overlay_rect rect, const float color[4])
{
    static const float middle[4] = {0.25f, 0.25f, 0.75f, 0.75f};
    append(overlay, rect, &overlay->font->white, middle, color);
}

void overlay_disc(struct overlay *overlay, float x, float y, float radius, const float color[4])
{
    const struct overlay_rect rect = {x - radius, y - radius, 2 * radius, 2 * radius};
    append(overlay, rect, &overlay->font->disc, whole, color);
}

void overlay_panel(struct overlay *overlay, struct overlay_rect rect, float radius,
                   const float color[4])
{
    const float right = rect.x + rect.width - radius, bottom = rect.y + rect.height - radius;
    const float inner = rect.height - 2 * radius;
    for (int i = 0; i < 4; i++) { // a quarter of the disc for each corner
        const bool at_right = i % 2, at_bottom = i / 2;
        const float u = at_right ? 0.5f : 0, v = at_bottom ? 0.5f : 0;
        const float part[4] = {u, v, u + 0.5f, v + 0.5f};
        const struct overlay_rect corner = {at_right ? right : rect.x, at_bottom ? bottom : rect.y,
                                            radius, radius};
        append(overlay, corner, &overlay->font->disc, part, color);
    }
    overlay_box(
        overlay,
        (struct overlay_rect){rect.x + radius, rect.y, rect.width - 2 * radius, rect.height},
        color);
    overlay_box(overlay, (struct overlay_rect){rect.x, rect.y + radius, radius, inner}, color);
    overlay_box(overlay, (struct overlay_rect){right, rect.y + radius, radius, inner}, color);
}
