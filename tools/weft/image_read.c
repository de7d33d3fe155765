#include "image.h"

#include <png.h>
// jpeglib.h needs <stdio.h> before it.
#include <jpeglib.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static bool read_png(const void *bytes, size_t size, struct image *out, struct failure *why)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_memory(&png, bytes, size))
        return failure_set(why, "not a readable PNG file: %s", png.message);
    if (!image_create(png.width, png.height, out, why)) {
        png_image_free(&png);
        return false;
    }
    png.format = PNG_FORMAT_RGBA;
    if (!png_image_finish_read(&png, NULL, out->texels, 0, NULL)) {
        image_finish(out);
        return failure_set(why, "not a readable PNG file: %s", png.message);
    }
    return true;
}

/// libjpeg reports a fatal error by not returning.
struct jpeg_errors {
    struct jpeg_error_mgr base; // first: libjpeg hands this pointer back
    jmp_buf jump;
    char message[JMSG_LENGTH_MAX];
};

static void jpeg_fatal(j_common_ptr jpeg)
{
    struct jpeg_errors *errors = (struct jpeg_errors *)jpeg->err;
    jpeg->err->format_message(jpeg, errors->message);
    longjmp(errors->jump, 1);
}

static void jpeg_quiet(j_common_ptr jpeg, int level)
{
    (void)jpeg;
    (void)level;
}

/// In place, from the last texel on: 3 bytes each become 4.
static void widen_row(uint8_t *row, uint32_t width)
{
    for (size_t x = width; x-- > 0;) {
        const uint8_t r = row[3 * x], g = row[3 * x + 1], b = row[3 * x + 2];
        row[4 * x] = r;
        row[4 * x + 1] = g;
        row[4 * x + 2] = b;
        row[4 * x + 3] = 255;
    }
}

/// Everything that may jump: no local changes after the first call that can.
static bool decode_jpeg(struct jpeg_decompress_struct *jpeg, const void *bytes, size_t size,
                        struct image *out, struct failure *why)
{
    jpeg_mem_src(jpeg, bytes, size);
    jpeg_read_header(jpeg, TRUE);
    jpeg->out_color_space = JCS_RGB;
    jpeg_start_decompress(jpeg);
    if (!image_create(jpeg->output_width, jpeg->output_height, out, why))
        return false;
    while (jpeg->output_scanline < jpeg->output_height) {
        uint8_t *row = out->texels + (size_t)jpeg->output_scanline * out->width * 4;
        if (jpeg_read_scanlines(jpeg, &row, 1) == 1)
            widen_row(row, out->width);
    }
    jpeg_finish_decompress(jpeg);
    return true;
}

static bool read_jpeg(const void *bytes, size_t size, struct image *out, struct failure *why)
{
    struct jpeg_errors errors;
    struct jpeg_decompress_struct jpeg;
    memset(&jpeg, 0, sizeof jpeg);
    jpeg.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = jpeg_fatal;
    errors.base.emit_message = jpeg_quiet;
    if (setjmp(errors.jump)) {
        jpeg_destroy_decompress(&jpeg);
        image_finish(out);
        return failure_set(why, "not a readable JPEG file: %s", errors.message);
    }
    jpeg_create_decompress(&jpeg);
    const bool fine = decode_jpeg(&jpeg, bytes, size, out, why);
    jpeg_destroy_decompress(&jpeg);
    return fine;
}

bool image_read(const void *bytes, size_t size, struct image *out, struct failure *why)
{
    *out = (struct image){0};
    if (size == 0)
        return failure_set(why, "the file is empty");
    if (size >= 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0)
        return read_png(bytes, size, out, why);
    if (size >= 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0)
        return read_jpeg(bytes, size, out, why);
    return failure_set(why, "neither a PNG nor a JPEG file");
}
