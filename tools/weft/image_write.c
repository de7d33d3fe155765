#include "image.h"

#include <png.h>
#include <stdlib.h>

static bool is_opaque(const struct image *image)
{
    const size_t count = (size_t)image->width * image->height;
    for (size_t i = 0; i < count; i++)
        if (image->texels[4 * i + 3] != 255)
            return false;
    return true;
}

/// Without alpha, in memory of its own.
static uint8_t *make_rgb(const struct image *image)
{
    const size_t count = (size_t)image->width * image->height;
    uint8_t *rgb = malloc(count * 3);
    for (size_t i = 0; rgb && i < count; i++)
        for (size_t c = 0; c < 3; c++)
            rgb[3 * i + c] = image->texels[4 * i + c];
    return rgb;
}

static bool write_png(FILE *file, const struct image *image)
{
    uint8_t *rgb = is_opaque(image) ? make_rgb(image) : NULL;
    png_image png = {.version = PNG_IMAGE_VERSION,
                     .width = image->width,
                     .height = image->height,
                     .format = rgb ? PNG_FORMAT_RGB : PNG_FORMAT_RGBA,
                     .flags = PNG_IMAGE_FLAG_FAST};
    const int fine = png_image_write_to_stdio(&png, file, 0, rgb ? rgb : image->texels, 0, NULL);
    free(rgb);
    return fine != 0;
}

static bool write_ppm(FILE *file, const struct image *image)
{
    uint8_t *rgb = make_rgb(image);
    if (!rgb)
        return false;
    const size_t size = (size_t)image->width * image->height * 3;
    const bool fine = fprintf(file, "P6\n%u %u\n255\n", image->width, image->height) > 0 &&
                      fwrite(rgb, 1, size, file) == size;
    free(rgb);
    return fine;
}

bool image_write(FILE *file, enum image_format format, const struct image *image)
{
    switch (format) {
    case IMAGE_PNG:
        return write_png(file, image);
    case IMAGE_PPM:
        return write_ppm(file, image);
    default:
        return false;
    }
}
