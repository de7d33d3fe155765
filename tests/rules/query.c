#include "support/record.h"

TEST(query_rules, ranges_that_bound_memory_are_checked_at_off)
{
    struct fixture f = fixture_open_validation(WEFT_BACKEND_NOOP, WEFT_VALIDATION_OFF);
    weft_query_pool pool;
    EXPECT_EQ(weft_query_pool_create(f.dev, &(weft_query_pool_desc){.count = 4}, &pool), WEFT_OK);
    weft_command_buffer *cmd = record_begin(&f);
    weft_command_write_timestamp(cmd, pool, 1u << 20);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_QUERY_RANGE));

    weft_buffer buffer = record_buffer(&f, 64, WEFT_BUFFER_USAGE_VERTEX);
    cmd = record_begin(&f);
    weft_render_encoder *enc =
        weft_command_begin_render(cmd, &(weft_render_pass_desc){.width = 4, .height = 4});
    weft_render_set_vertex_buffer(enc, 1000, buffer, 0);
    EXPECT(fixture_took(&f, WEFT_RULE_STREAM_SLOT));
    weft_render_set_root(enc, 0, UINT32_MAX - 3, &f, 4);
    EXPECT(fixture_took(&f, WEFT_RULE_ROOT_RANGE));
    weft_render_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    weft_buffer_destroy(f.dev, buffer);
    weft_query_pool_destroy(f.dev, pool);
    fixture_close(&f);
}

TEST(query_rules, pools_are_used_as_they_were_made)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_query_pool pool, none;
    EXPECT_EQ(weft_query_pool_create(f.dev, &(weft_query_pool_desc){0}, &none), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_QUERY_COUNT));
    EXPECT_EQ(weft_query_pool_create(
                  f.dev, &(weft_query_pool_desc){.kind = (weft_query_kind)7, .count = 1}, &none),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_ENUM_UNKNOWN));
    EXPECT_EQ(weft_query_pool_create(f.dev, &(weft_query_pool_desc){.count = 4}, &pool), WEFT_OK);

    weft_command_buffer *cmd = record_begin(&f);
    weft_command_write_timestamp(cmd, pool, 4);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_QUERY_RANGE));
    cmd = record_begin(&f);
    const weft_render_pass_desc pass = {.width = 4, .height = 4, .occlusion = pool};
    weft_render_end(weft_command_begin_render(cmd, &pass));
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_QUERY_KIND));

    uint64_t results[4] = {1, 1, 1, 1};
    EXPECT_EQ(weft_query_pool_read(f.dev, pool, 0, 5, results, 40), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_QUERY_RANGE));
    EXPECT_EQ(weft_query_pool_read(f.dev, pool, 0, 4, results, 31), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_QUERY_READ_SIZE));
    EXPECT_EQ(weft_query_pool_read(f.dev, pool, 0, 4, results, 32), WEFT_OK);
    EXPECT_EQ(results[3], 0);

    weft_buffer buffer = record_buffer(&f, 64, WEFT_BUFFER_USAGE_QUERY);
    cmd = record_begin(&f);
    weft_command_write_timestamp(cmd, pool, 1);
    weft_command_resolve_queries(cmd, pool, 0, 4, buffer, 32);
    EXPECT_EQ(fixture_count(&f), 0);
    weft_command_resolve_queries(cmd, pool, 0, 4, buffer, 4);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_COMMAND_OFFSET_ALIGNMENT));
    weft_buffer_destroy(f.dev, buffer);
    weft_query_pool_destroy(f.dev, pool);
    fixture_close(&f);
}
