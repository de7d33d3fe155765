#include "support/fixture.h"

static weft_buffer make(struct fixture *f, weft_buffer_usage usage, weft_memory memory)
{
    weft_buffer buf;
    const weft_buffer_desc desc = {.size = 64, .usage = usage, .memory = memory, .label = "made"};
    EXPECT_EQ(weft_buffer_create(f->dev, &desc, &buf), WEFT_OK);
    return buf;
}

static void expect_refused(struct fixture *f, weft_buffer_desc desc, weft_rule rule)
{
    weft_buffer buf = {.index = 1};
    EXPECT_EQ(weft_buffer_create(f->dev, &desc, &buf), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(f, rule));
    EXPECT(weft_buffer_is_none(buf));
}

TEST(buffer_rules, each_broken_description_is_refused_by_its_rule)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    expect_refused(&f, (weft_buffer_desc){0}, WEFT_RULE_BUFFER_SIZE_ZERO);
    expect_refused(&f, (weft_buffer_desc){.size = 6}, WEFT_RULE_BUFFER_SIZE_ALIGNMENT);
    expect_refused(&f, (weft_buffer_desc){.size = UINT64_C(1) << 40}, WEFT_RULE_BUFFER_SIZE_LIMIT);
    expect_refused(&f, (weft_buffer_desc){.size = 4, .usage = 1u << 30}, WEFT_RULE_BITS_UNKNOWN);
    expect_refused(&f, (weft_buffer_desc){.size = 4, .queues = 1u << 9}, WEFT_RULE_BITS_UNKNOWN);
    expect_refused(&f, (weft_buffer_desc){.size = 4, .memory = (weft_memory)9},
                   WEFT_RULE_ENUM_UNKNOWN);
    fixture_close(&f);
}

TEST(buffer_rules, every_broken_rule_is_reported_before_the_call_fails)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_buffer buf;
    const weft_buffer_desc desc = {.size = (UINT64_C(1) << 40) + 1, .usage = 1u << 30};
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &buf), WEFT_ERROR_USAGE);
    EXPECT_EQ(fixture_count(&f), 3);
    EXPECT(fixture_saw(&f, WEFT_RULE_BUFFER_SIZE_ALIGNMENT));
    EXPECT(fixture_saw(&f, WEFT_RULE_BUFFER_SIZE_LIMIT));
    EXPECT(fixture_saw(&f, WEFT_RULE_BITS_UNKNOWN));
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

TEST(buffer_rules, handles_are_checked_with_validation_off_too)
{
    struct fixture f = fixture_open_validation(WEFT_BACKEND_NOOP, WEFT_VALIDATION_OFF);
    weft_buffer buf = make(&f, WEFT_BUFFER_USAGE_COPY_DST, WEFT_MEMORY_DEFAULT);
    weft_buffer_destroy(f.dev, buf);
    weft_buffer_destroy(f.dev, buf);
    EXPECT(fixture_took(&f, WEFT_RULE_HANDLE_STALE));
    weft_buffer_destroy(f.dev, (weft_buffer){0});
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(buffer_rules, a_range_that_leaves_the_buffer_is_refused)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_buffer buf = make(&f, WEFT_BUFFER_USAGE_COPY_SRC, WEFT_MEMORY_DEFAULT);
    EXPECT(weft_buffer_map(f.dev, buf, 60, 8) == NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_BUFFER_RANGE));
    EXPECT(weft_buffer_map(f.dev, buf, UINT64_MAX, 8) == NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_BUFFER_RANGE));
    EXPECT_STR(f.log->label, "made");
    EXPECT_EQ(weft_buffer_flush(f.dev, buf, 0, 65), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_BUFFER_RANGE));
    weft_read read;
    EXPECT_EQ(weft_read_begin_buffer(f.dev, buf, 64, 4, &read), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_BUFFER_RANGE));
    weft_buffer_destroy(f.dev, buf);
    fixture_close(&f);
}

TEST(buffer_rules, gpu_memory_is_not_mapped)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_buffer buf = make(&f, WEFT_BUFFER_USAGE_VERTEX, WEFT_MEMORY_GPU);
    EXPECT(weft_buffer_map(f.dev, buf, 0, 4) == NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_BUFFER_NOT_MAPPED));
    EXPECT_EQ(weft_buffer_flush(f.dev, buf, 0, 4), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_BUFFER_NOT_MAPPED));
    weft_buffer_destroy(f.dev, buf);
    fixture_close(&f);
}

TEST(buffer_rules, an_address_needs_its_usage)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_buffer without = make(&f, WEFT_BUFFER_USAGE_VERTEX, WEFT_MEMORY_GPU);
    const weft_buffer with = make(&f, WEFT_BUFFER_USAGE_ADDRESS, WEFT_MEMORY_GPU);
    EXPECT_EQ(weft_buffer_address(f.dev, without), 0);
    EXPECT(fixture_took(&f, WEFT_RULE_BUFFER_ADDRESS_USAGE));
    EXPECT(weft_buffer_address(f.dev, with) != 0);
    EXPECT_EQ(fixture_count(&f), 0);
    weft_buffer_destroy(f.dev, without);
    weft_buffer_destroy(f.dev, with);
    fixture_close(&f);
}

TEST(buffer_rules, writes_are_aligned_and_have_their_usage)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_buffer dst = make(&f, WEFT_BUFFER_USAGE_COPY_DST, WEFT_MEMORY_GPU);
    const weft_buffer src = make(&f, WEFT_BUFFER_USAGE_COPY_SRC, WEFT_MEMORY_GPU);
    const char data[8] = {0};
    EXPECT_EQ(weft_buffer_write(f.dev, dst, 2, data, 4), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_BUFFER_WRITE_ALIGNMENT));
    EXPECT_EQ(weft_buffer_write(f.dev, src, 0, data, 4), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_BUFFER_COPY_DST));
    EXPECT_EQ(weft_buffer_write(f.dev, dst, 0, data, 0), WEFT_OK);
    weft_buffer_destroy(f.dev, dst);
    weft_buffer_destroy(f.dev, src);
    fixture_close(&f);
}

TEST(buffer_rules, reads_are_aligned_and_have_their_usage)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_buffer dst = make(&f, WEFT_BUFFER_USAGE_COPY_DST, WEFT_MEMORY_GPU);
    const weft_buffer src = make(&f, WEFT_BUFFER_USAGE_COPY_SRC, WEFT_MEMORY_GPU);
    char data[8];
    EXPECT_EQ(weft_buffer_read(f.dev, src, 2, data, 4), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_BUFFER_READ_ALIGNMENT));
    EXPECT_EQ(weft_buffer_read(f.dev, dst, 0, data, 4), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_BUFFER_COPY_SRC));
    weft_read read;
    EXPECT_EQ(weft_read_begin_buffer(f.dev, src, 0, 0, &read), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_READ_EMPTY));
    weft_buffer_destroy(f.dev, dst);
    weft_buffer_destroy(f.dev, src);
    fixture_close(&f);
}

TEST(buffer_rules, a_read_is_taken_once_and_whole)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_buffer src = make(&f, WEFT_BUFFER_USAGE_COPY_SRC, WEFT_MEMORY_GPU);
    char data[64];
    weft_read read;
    EXPECT_EQ(weft_read_begin_buffer(f.dev, src, 0, 64, &read), WEFT_OK);
    EXPECT(read != 0);
    EXPECT_EQ(weft_read_take(f.dev, read, data, 63), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_READ_SIZE));
    EXPECT_EQ(weft_read_poll(f.dev, read), WEFT_OK);
    EXPECT_EQ(weft_read_take(f.dev, read, data, 64), WEFT_OK);
    EXPECT_EQ(weft_read_take(f.dev, read, data, 64), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_READ_INVALID));
    EXPECT_EQ(weft_read_poll(f.dev, 0), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_READ_INVALID));
    weft_buffer_destroy(f.dev, src);
    fixture_close(&f);
}

TEST(memory_rules, a_block_has_a_size_and_a_kind)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_memory_block block;
    EXPECT_EQ(weft_memory_block_create(f.dev, &(weft_memory_block_desc){0}, &block),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_BLOCK_SIZE_ZERO));
    const weft_memory_block_desc odd = {.size = 4, .memory = (weft_memory)7};
    EXPECT_EQ(weft_memory_block_create(f.dev, &odd, &block), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_ENUM_UNKNOWN));
    fixture_close(&f);
}

TEST(memory_rules, a_placement_fits_its_block)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_buffer_desc desc = {.size = 1024, .memory = WEFT_MEMORY_GPU};
    weft_memory_needs needs;
    EXPECT_EQ(weft_buffer_memory_needs(f.dev, &desc, &needs), WEFT_OK);
    EXPECT(needs.size >= 1024 && needs.alignment > 1);
    weft_memory_block block;
    const weft_memory_block_desc block_desc = {.size = needs.size + needs.alignment};
    EXPECT_EQ(weft_memory_block_create(f.dev, &block_desc, &block), WEFT_OK);

    desc.place = (weft_placement){.block = block, .offset = 1};
    expect_refused(&f, desc, WEFT_RULE_PLACEMENT_ALIGNMENT);
    desc.place = (weft_placement){.block = block, .offset = needs.alignment * 2};
    expect_refused(&f, desc, WEFT_RULE_PLACEMENT_RANGE);
    desc.place = (weft_placement){.block = block, .offset = 0};
    desc.memory = WEFT_MEMORY_DEFAULT;
    expect_refused(&f, desc, WEFT_RULE_PLACEMENT_MEMORY);

    desc.memory = WEFT_MEMORY_GPU;
    weft_buffer buf;
    EXPECT_EQ(weft_buffer_create(f.dev, &desc, &buf), WEFT_OK);
    EXPECT_EQ(weft_buffer_rebind(f.dev, buf), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_BUFFER_REBIND_PLACED));
    weft_memory_block_destroy(f.dev, block);
    EXPECT(fixture_took(&f, WEFT_RULE_BLOCK_IN_USE));
    weft_buffer_destroy(f.dev, buf);
    weft_memory_block_destroy(f.dev, block);
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}

TEST(memory_rules, transient_memory_has_a_size_and_a_sane_alignment)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    EXPECT(weft_transient_alloc(f.dev, 0, 0).cpu == NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_TRANSIENT_SIZE));
    EXPECT(weft_transient_alloc(f.dev, 4, 3).cpu == NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_TRANSIENT_ALIGN));
    const weft_transient piece = weft_transient_alloc(f.dev, 4, 0);
    EXPECT(piece.cpu != NULL);
    weft_buffer_destroy(f.dev, piece.buffer);
    EXPECT(fixture_took(&f, WEFT_RULE_OBJECT_NOT_YOURS));
    fixture_close(&f);
}
