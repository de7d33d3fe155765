#include "support/fixture.h"

static weft_buffer make(struct fixture *f, weft_buffer_usage usage, weft_memory memory)
{
    weft_buffer buf;
    const weft_buffer_desc desc = {.size = 64, .usage = usage, .memory = memory};
    EXPECT_EQ(weft_buffer_create(f->dev, &desc, &buf), WEFT_OK);
    return buf;
}

TEST(buffer_rules, zero_size_is_refused)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_buffer buf = {.index = 1};
    EXPECT_EQ(weft_buffer_create(f.dev, &(weft_buffer_desc){0}, &buf), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_BUFFER_SIZE_ZERO));
    EXPECT(weft_buffer_is_none(buf));
    fixture_close(&f);
}

TEST(buffer_rules, a_stale_handle_is_told_from_a_foreign_one)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct fixture other = fixture_open(WEFT_BACKEND_NOOP);
    weft_buffer buf = make(&f, WEFT_BUFFER_USAGE_COPY_DST, WEFT_MEMORY_DEFAULT);
    EXPECT(weft_buffer_map(f.dev, buf, 0, 64) != NULL);
    EXPECT(weft_buffer_map(other.dev, buf, 0, 64) == NULL);
    EXPECT(fixture_took(&other, WEFT_RULE_HANDLE_FOREIGN));
    weft_buffer_destroy(f.dev, buf);
    EXPECT(weft_buffer_map(f.dev, buf, 0, 64) == NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_STALE));
    EXPECT(weft_buffer_map(f.dev, (weft_buffer){0}, 0, 64) == NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_NONE));
    buf.index = 1000;
    EXPECT(weft_buffer_map(f.dev, buf, 0, 64) == NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_INVALID));
    fixture_close(&other);
    fixture_close(&f);
}
