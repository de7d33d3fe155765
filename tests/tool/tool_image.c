#include "file.h"
#include "image.h"
#include "output.h"
#include "tool_support.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct image gradient(uint32_t width, uint32_t height, bool opaque)
{
    struct image image;
    struct failure why;
    EXPECT(image_create(width, height, &image, &why));
    for (uint32_t i = 0; i < width * height; i++) {
        const uint8_t texel[4] = {(uint8_t)(i * 7), (uint8_t)(i / width), (uint8_t)(i * 13),
                                  opaque ? 255 : (uint8_t)i};
        memcpy(image.texels + 4 * (size_t)i, texel, 4);
    }
    return image;
}

TEST(image, png_is_written_and_read_back_exactly)
{
    for (int opaque = 0; opaque < 2; opaque++) {
        struct image out = gradient(37, 21, opaque), in;
        struct failure why;
        struct bytes file;
        EXPECT(output_write_image(model_path("written.png"), &out, &why));
        EXPECT(file_read(model_path("written.png"), &file, &why));
        EXPECT(image_read(file.data, file.size, &in, &why));
        EXPECT_EQ(in.width, 37);
        EXPECT_EQ(in.height, 21);
        EXPECT_MEM(in.texels, out.texels, (size_t)37 * 21 * 4);
        bytes_finish(&file);
        image_finish(&in);
        image_finish(&out);
    }
}

TEST(image, ppm_is_written_without_alpha)
{
    struct image out = gradient(5, 3, false);
    struct failure why;
    struct bytes file;
    EXPECT(output_write_image(model_path("written.ppm"), &out, &why));
    EXPECT(file_read(model_path("written.ppm"), &file, &why));
    EXPECT_EQ(file.size, 11 + 5 * 3 * 3);
    EXPECT_MEM(file.data, "P6\n5 3\n255\n", 11);
    EXPECT_MEM(file.data + 11 + 3, out.texels + 4, 3);
    bytes_finish(&file);
    image_finish(&out);
}

TEST(image, what_is_no_picture_is_refused)
{
    static const char png_start[] = "\x89PNG\r\n\x1a\nrubbish",
                      jpeg_start[] = "\xff\xd8\xff\xe0rubbish";
    struct image image;
    struct failure why;
    EXPECT(!image_read("", 0, &image, &why));
    EXPECT(!image_read("text", 4, &image, &why));
    EXPECT(!image_read(png_start, sizeof png_start, &image, &why));
    EXPECT(!image_read(jpeg_start, sizeof jpeg_start, &image, &why));
    EXPECT(image.texels == NULL);
    EXPECT(!image_create(0, 5, &image, &why));
    EXPECT(!image_create(IMAGE_MAX_SIDE + 1, 1, &image, &why));
}

TEST(image, the_extension_decides_the_format)
{
    EXPECT_EQ(image_format_of("a/b.PNG"), IMAGE_PNG);
    EXPECT_EQ(image_format_of("b.ppm"), IMAGE_PPM);
    EXPECT_EQ(image_format_of("a.png/b"), IMAGE_UNKNOWN);
    EXPECT_EQ(image_format_of("png"), IMAGE_UNKNOWN);
}

TEST(output, a_folder_that_is_not_there_is_found_early)
{
    struct failure why;
    EXPECT(!output_probe(model_path("nowhere/a.png"), &why));
    EXPECT(strstr(why.text, "nowhere") != NULL);
    EXPECT(!output_probe(model_path("sound"), &why));
    EXPECT(output_probe(model_path("probed.png"), &why));
    EXPECT(access(model_path("probed.png"), F_OK) != 0);
}

TEST(output, a_full_disk_is_an_error)
{
    struct failure why;
    if (access("/dev/full", W_OK) != 0)
        test_skip("there is no /dev/full");
    EXPECT(!output_write_text("/dev/full", "text", &why));
    EXPECT(strstr(why.text, "/dev/full") != NULL);
}

TEST(output, frames_are_numbered_before_the_extension)
{
    char *name = output_frame_name("a.b/image.png", 11);
    EXPECT_STR(name, "a.b/image_0012.png");
    free(name);
}

TEST(file, uris_are_decoded)
{
    struct bytes bytes;
    struct failure why;
    EXPECT(uri_decode_data("data:text/plain;base64,aGVsbG8gd29ybGQ=", &bytes, &why));
    EXPECT_EQ(bytes.size, 11);
    EXPECT_MEM(bytes.data, "hello world", 11);
    bytes_finish(&bytes);
    EXPECT(!uri_decode_data("data:text/plain,hello", &bytes, &why));
    EXPECT(!uri_decode_data("data:;base64,a b", &bytes, &why));
    char *name = uri_to_name("a%20b%2fc%");
    EXPECT_STR(name, "a b/c%");
    free(name);
    EXPECT(uri_to_name("a%00b") == NULL);
}
