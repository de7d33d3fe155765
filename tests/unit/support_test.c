#include "support/test.h"

TEST(support, passing_expectations_do_not_end_the_test)
{
    bool reached = false;
    EXPECT(1 + 1 == 2);
    EXPECT_EQ(-1, INT64_C(-1));
    EXPECT_NEAR(0.1 + 0.2, 0.3, 1e-12);
    EXPECT_STR("weft", "weft");
    EXPECT_MEM("abc", "abd", 2);
    reached = true;
    EXPECT(reached);
}
