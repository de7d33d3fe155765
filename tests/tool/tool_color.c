#include "color.h"
#include "support/test.h"

TEST(color, digits_and_names_are_read)
{
    float color[4];
    EXPECT(color_parse("#336699", color));
    EXPECT_NEAR(color[0], 0.2, 1e-6);
    EXPECT_NEAR(color[2], 0.6, 1e-6);
    EXPECT_EQ(color[3], 1);
    EXPECT(color_parse("#369", color));
    EXPECT_NEAR(color[1], 0.4, 1e-6);
    EXPECT(color_parse("#00000080", color));
    EXPECT_NEAR(color[3], 128 / 255.0, 1e-6);
    EXPECT(color_parse("White", color));
    EXPECT_EQ(color[0], 1);
    EXPECT(color_parse("transparent", color));
    EXPECT_EQ(color[3], 0);
}

TEST(color, nonsense_is_refused)
{
    const char *const texts[] = {"",        "#",          "#12",      "#12345", "#1234567",
                                 "#gggggg", "#123456789", "no color", "336699"};
    float color[4];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        EXPECT(!color_parse(texts[i], color));
}

TEST(color, srgb_and_linear_are_each_others_inverse)
{
    for (int i = 0; i <= 255; i++)
        EXPECT_NEAR(color_to_srgb(color_to_linear((float)i / 255)) * 255, i, 0.01);
}
