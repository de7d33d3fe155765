#include "base/library.h"
#include "support/test.h"

#include <string.h>

TEST(library, symbols_come_in_the_order_of_their_names)
{
    static const char *const names[] = {"strlen", "memcmp"};
    struct {
        size_t (*length)(const char *);
        int (*compare)(const void *, const void *, size_t);
    } c;
    char reason[WF_BASE_LIBRARY_REASON] = "";
    EXPECT(wf_base_library_load("libc.so.6", names, 2, &c, reason));
    EXPECT_EQ(c.length("four"), 4);
    EXPECT_EQ(c.compare("a", "a", 1), 0);
    EXPECT_STR(reason, "");
}

TEST(library, what_is_not_there_is_named)
{
    static const char *const names[] = {"strlen", "weft_is_not_in_it"};
    void *symbols[2];
    char reason[WF_BASE_LIBRARY_REASON];
    EXPECT(!wf_base_library_load("libc.so.6", names, 2, symbols, reason));
    EXPECT(strstr(reason, "libc.so.6") && strstr(reason, "weft_is_not_in_it"));
    EXPECT(!wf_base_library_load("libweft-is-not-there.so.7", names, 2, symbols, reason));
    EXPECT(strstr(reason, "libweft-is-not-there.so.7"));
}
