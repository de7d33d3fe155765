/// \file image.h
/// Pictures in memory: 8-bit RGBA, rows tight, from the top. Reads PNG and JPEG, writes PNG and
/// PPM.
#pragma once

#include "failure.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct image {
    uint32_t width, height;
    uint8_t *texels; ///< 4 bytes each; NULL: none.
};

/// Texels per side that a picture may have.
#define IMAGE_MAX_SIDE 16384u

/// Decodes a PNG or JPEG file that lies in memory. The bytes decide which, not the name.
bool image_read(const void *bytes, size_t size, struct image *out, struct failure *why);
/// Texels of undefined contents; false: out of memory or too large.
bool image_create(uint32_t width, uint32_t height, struct image *out, struct failure *why);
/// A magenta and black checker board, which stands for a picture that cannot be read.
bool image_create_placeholder(struct image *out, struct failure *why);
void image_finish(struct image *image);

enum image_format {
    IMAGE_UNKNOWN = 0,
    IMAGE_PNG,
    IMAGE_PPM,
};
/// By the file name's extension.
enum image_format image_format_of(const char *path);
/// PPM has no alpha: it is dropped. False: the stream or the encoder failed.
bool image_write(FILE *file, enum image_format format, const struct image *image);
