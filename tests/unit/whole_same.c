// The software device's results do not depend on the number of threads, nor on what was drawn
// before.
#include "whole.h"

static void render(struct whole_result *out, uint32_t threads)
{
    const weft_software_options software = {.threads = threads};
    struct fixture f = fixture_open_desc(
        &(weft_device_desc){.backends = 1u << WEFT_BACKEND_SOFTWARE, .software = &software});
    struct whole w;
    if (!whole_create(&w, f.dev))
        test_fail(__FILE__, __LINE__, "the scene was refused: %s", f.log->message);
    for (int i = 0; i < 2; i++) {
        if (!whole_render(&w, &out[i]))
            test_fail(__FILE__, __LINE__, "the scene was not drawn: %s", f.log->message);
    }
    EXPECT_EQ(fixture_count(&f), 0);
    whole_destroy(&w);
    fixture_close(&f);
}

static void expect_a_picture(const struct whole_result *r)
{
    uint32_t changed = 0;
    for (uint32_t y = 0; y < WHOLE_HEIGHT; y++) {
        for (uint32_t x = 0; x + 1 < WHOLE_WIDTH; x++)
            changed += memcmp(r->pixels[y][x], r->pixels[y][x + 1], 4) != 0;
    }
    EXPECT(changed > WHOLE_WIDTH * WHOLE_HEIGHT / 2);
    uint32_t bins[16], total = 0;
    memcpy(bins, r->counts, sizeof bins);
    for (int i = 0; i < 16; i++)
        total += bins[i];
    EXPECT_EQ(total, WHOLE_WIDTH * WHOLE_HEIGHT);
}

TEST(whole_same, results_are_equal_for_any_number_of_threads_and_for_ever)
{
    static struct whole_result one[2], other[2];
    render(one, 1);
    expect_a_picture(&one[0]);
    EXPECT_MEM(&one[1], &one[0], sizeof one[0]);
    const uint32_t threads[] = {2, 7, 16};
    for (int i = 0; i < 3; i++) {
        memset(other, 0, sizeof other);
        render(other, threads[i]);
        EXPECT_MEM(&other[0], &one[0], sizeof one[0]);
        EXPECT_MEM(&other[1], &one[0], sizeof one[0]);
    }
}
