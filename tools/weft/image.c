#include "image.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool image_create(uint32_t width, uint32_t height, struct image *out, struct failure *why)
{
    *out = (struct image){0};
    if (width == 0 || height == 0 || width > IMAGE_MAX_SIDE || height > IMAGE_MAX_SIDE)
        return failure_set(why, "%ux%u texels: a side has 1 to %u", width, height, IMAGE_MAX_SIDE);
    uint8_t *texels = malloc((size_t)width * height * 4);
    if (!texels)
        return failure_set(why, "out of memory for %ux%u texels", width, height);
    *out = (struct image){width, height, texels};
    return true;
}

bool image_create_placeholder(struct image *out, struct failure *why)
{
    const uint32_t side = 64, square = 8;
    if (!image_create(side, side, out, why))
        return false;
    for (uint32_t i = 0; i < side * side; i++) {
        const bool odd = (i % side / square + i / side / square) % 2 != 0;
        memcpy(out->texels + 4 * (size_t)i, odd ? "\xff\x00\xff\xff" : "\x00\x00\x00\xff", 4);
    }
    return true;
}

void image_finish(struct image *image)
{
    free(image->texels);
    *image = (struct image){0};
}

enum image_format image_format_of(const char *path)
{
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');
    if (dot && strcasecmp(dot, ".png") == 0)
        return IMAGE_PNG;
    if (dot && strcasecmp(dot, ".ppm") == 0)
        return IMAGE_PPM;
    return IMAGE_UNKNOWN;
}
