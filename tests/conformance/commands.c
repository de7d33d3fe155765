// Command buffers: allocators that are reset and used again, many at once, given back unused;
// groups and markers; views of a pool; scopes for errors.
#include "cases.h"
#include "draw.h"

#include <string.h>

enum { ROUNDS = 20, WORDS = 8 };

static weft_command_buffer *begin_from(struct conform *c, weft_command_allocator allocator,
                                       weft_command_flags flags)
{
    weft_command_buffer *cmd;
    weft_command_begin(conform_device(c),
                       &(weft_command_desc){.allocator = allocator, .flags = flags}, &cmd);
    conform_check(c);
    return cmd;
}

/// Fills word `at` with `value`.
static void fill(weft_command_buffer *cmd, weft_buffer buffer, uint32_t at, uint32_t value)
{
    conform_barrier(cmd);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_fill_buffer(enc, buffer, 4 * (uint64_t)at, 4, value);
    weft_compute_end(enc);
}

/// An allocator is used again and again, with two command buffers at a time.
void case_command_allocators(struct conform *c)
{
    weft_device *const device = conform_device(c);
    const uint32_t zeros[WORDS] = {0};
    uint32_t want[WORDS] = {0};
    const weft_buffer buffer = conform_buffer(c, 0, sizeof zeros, zeros);
    weft_command_allocator allocator;
    weft_command_allocator_create(device, &(weft_command_allocator_desc){.label = "again"},
                                  &allocator);
    conform_check(c);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        weft_command_buffer *const both[2] = {begin_from(c, allocator, 0),
                                              begin_from(c, allocator, WEFT_COMMAND_PREVALIDATED)};
        for (uint32_t k = 0; k < 2; k++) {
            fill(both[k], buffer, (2 * i + k) % WORDS, 100 * i + k);
            want[(2 * i + k) % WORDS] = 100 * i + k;
            CONFORM_EXPECT(c, weft_command_end(both[k]) == WEFT_OK);
        }
        uint64_t serial;
        weft_queue_submit(device, WEFT_QUEUE_GRAPHICS,
                          &(weft_submit){.commands = both, .command_count = 2}, &serial);
        weft_serial_wait(device, serial, UINT64_MAX);
        conform_check(c);
        CONFORM_EXPECT(c, weft_command_allocator_reset(device, allocator) == WEFT_OK);
    }
    weft_command_allocator_destroy(device, allocator);
    conform_check(c);
    conform_expect_bytes(c, buffer, 0, want, sizeof want);
}

/// They run in the order of the submission, not in that of recording; what is given back does not
/// run.
void case_command_order(struct conform *c)
{
    const uint32_t zeros[WORDS] = {0};
    const uint32_t want[WORDS] = {1, 0};
    const weft_buffer buffer = conform_buffer(c, 0, sizeof zeros, zeros);
    weft_command_buffer *cmds[5];
    for (uint32_t i = 0; i < 5; i++) {
        cmds[i] = begin_from(c, (weft_command_allocator){0}, 0);
        fill(cmds[i], buffer, 0, i);
    }
    weft_command_discard(cmds[0]); // recording
    for (uint32_t i = 1; i < 5; i++)
        CONFORM_EXPECT(c, weft_command_end(cmds[i]) == WEFT_OK);
    weft_command_discard(cmds[4]); // executable
    weft_command_buffer *const order[3] = {cmds[3], cmds[2], cmds[1]};
    uint64_t serial;
    weft_queue_submit(conform_device(c), WEFT_QUEUE_GRAPHICS,
                      &(weft_submit){.commands = order, .command_count = 3}, &serial);
    weft_serial_wait(conform_device(c), serial, UINT64_MAX);
    conform_check(c);
    conform_expect_bytes(c, buffer, 0, want, sizeof want);
}

/// Groups nest outside and inside of encoders, and change nothing.
void case_command_groups(struct conform *c)
{
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 4, 4);
    const weft_graphics_pipeline pipeline =
        conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL);
    weft_command_buffer *cmd = conform_begin(c);
    weft_command_push_group(cmd, "outer");
    weft_command_marker(cmd, "before the pass");
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    conform_fill(enc, 0, conform_red);
    weft_render_end(enc);
    weft_command_push_group(cmd, "inner");
    weft_compute_end(weft_command_begin_compute(cmd, NULL));
    weft_command_marker(cmd, "");
    weft_command_pop_group(cmd);
    weft_command_pop_group(cmd);
    conform_submit(c, cmd);
    conform_expect_color(c, target, (const double[4]){1, 0, 0, 1}, 0);
    cmd = conform_begin(c);
    weft_command_pop_group(cmd); // of none
    weft_command_discard(cmd);
    conform_expect_rule(c, WEFT_RULE_COMMAND_GROUPS);
}

/// A pool's views are as others, until all of them go at once; then there is room again.
void case_view_pool(struct conform *c)
{
    enum { VIEWS = 3 };
    weft_device *const device = conform_device(c);
    weft_view_pool pool;
    weft_view_pool_create(device, &(weft_view_pool_desc){.capacity = VIEWS}, &pool);
    conform_check(c);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, 4, 4);
    for (uint32_t round = 0; round < 4; round++) {
        weft_texture_view views[VIEWS], more;
        for (uint32_t i = 0; i < VIEWS; i++)
            views[i] =
                conform_view_of(c, &(weft_texture_view_desc){.texture = target, .pool = pool});
        weft_texture_view_create(device, &(weft_texture_view_desc){.texture = target, .pool = pool},
                                 &more);
        conform_expect_rule(c, WEFT_RULE_VIEW_POOL_FULL);
        const float color[4] = {(float)round / 255, 1, 0, 1};
        weft_command_buffer *cmd = conform_begin(c);
        weft_render_end(conform_begin_pass(cmd, views[round % VIEWS], color));
        uint64_t serial = 0;
        CONFORM_EXPECT(c, weft_command_end(cmd) == WEFT_OK);
        weft_queue_submit(device, WEFT_QUEUE_GRAPHICS,
                          &(weft_submit){.commands = &cmd, .command_count = 1}, &serial);
        CONFORM_EXPECT(c, weft_view_pool_reset(device, pool) == WEFT_OK); // in flight
        weft_texture_view_info info;
        CONFORM_EXPECT(c, !weft_texture_view_get_info(device, views[0], &info));
        weft_serial_wait(device, serial, UINT64_MAX);
        conform_check(c);
        conform_expect_color(c, target, (const double[4]){round / 255.0, 1, 0, 1}, 1e-6);
    }
    weft_view_pool_destroy(device, pool);
    conform_check(c);
}

/// A scope takes what is reported inside of it, and tells the first and how many; scopes nest.
void case_error_scopes(struct conform *c)
{
    weft_device *const device = conform_device(c);
    weft_error_scope_result outer, inner;
    weft_sampler sampler;
    const weft_sampler_desc bad_lod = {.lod_min = 3, .lod_max = 1},
                            bad_anisotropy = {.anisotropy = -4};
    weft_error_scope_push(device, WEFT_SEVERITY_ERROR);
    weft_sampler_create(device, &bad_lod, &sampler);
    weft_error_scope_push(device, WEFT_SEVERITY_ERROR);
    weft_sampler_create(device, &bad_anisotropy, &sampler);
    weft_sampler_create(device, &bad_lod, &sampler);
    CONFORM_EXPECT(c, weft_error_scope_pop(device, &inner) == WEFT_OK);
    CONFORM_EXPECT(c, weft_error_scope_pop(device, &outer) == WEFT_OK);
    conform_check(c); // nothing came through
    CONFORM_EXPECT(c, inner.count == 2 && inner.code == WEFT_RULE_SAMPLER_ANISOTROPY);
    CONFORM_EXPECT(c, outer.count == 1 && outer.code == WEFT_RULE_SAMPLER_LOD);
    CONFORM_EXPECT(c, outer.message[0] && outer.hint[0]);
    weft_sampler_create(device, &bad_lod, &sampler); // outside again
    conform_expect_rule(c, WEFT_RULE_SAMPLER_LOD);
}
