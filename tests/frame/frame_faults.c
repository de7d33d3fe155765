// Running out of memory anywhere in a frame fails that frame, and nothing else.
#include "frame_stage.h"

#include <stdatomic.h>
#include <stdlib.h>

// Hooks share their user pointer with the fixture's log, so these are globals.
static atomic_llong left; ///< Allocations until one fails; negative: none does.
static atomic_llong live; ///< Bytes.

static void *host_alloc(void *user, size_t size, size_t align)
{
    (void)user;
    if (atomic_load(&left) >= 0 && atomic_fetch_sub(&left, 1) == 0)
        return NULL;
    const size_t whole = (size + align - 1) / align * align;
    void *ptr = aligned_alloc(align < sizeof(void *) ? sizeof(void *) : align, whole);
    if (ptr)
        atomic_fetch_add(&live, (long long)size);
    return ptr;
}

static void host_free(void *user, void *ptr, size_t size)
{
    (void)user;
    if (ptr)
        atomic_fetch_sub(&live, (long long)size);
    free(ptr);
}

static void record_nothing(weft_command_buffer *cmd, void *user)
{
    (void)cmd;
    (void)user;
}

/// Between draws from what they write: they split the pass.
static void split(struct stage *s, weft_frame *frame)
{
    const weft_access access = {.kind = WEFT_ACCESS_STORAGE_WRITE, .buffer = s->vertices};
    weft_frame_record(frame, &(weft_record_packet){.accesses = &access,
                                                   .access_count = 1,
                                                   .fn = record_nothing,
                                                   .label = "between draws"});
}

/// Every kind of packet, whatever the calls return. Offscreen, then on the surface.
static weft_result whole_frame(struct stage *s)
{
    weft_frame *frame;
    const weft_result begun = weft_frame_begin(
        s->f.dev,
        &(weft_frame_desc){.surface = s->surface, .flags = WEFT_FRAME_CHECK, .label = "faulty"},
        &frame);
    if (begun < 0)
        return begun;
    const weft_target offscreen = weft_frame_offscreen_target(
        frame, &(weft_target_desc){.color_formats = {WEFT_FORMAT_RGBA8_UNORM},
                                   .depth_format = WEFT_FORMAT_D32_FLOAT,
                                   .width = 8,
                                   .height = 8,
                                   .samples = 4,
                                   .label = "picture"});
    const weft_quad quad = {.width = 4, .height = 4, .u1 = 1, .v1 = 1, .color = {1, 1, 1, 1}};
    const weft_target first =
        weft_frame_target_begin(frame, offscreen, &(weft_target_ops){.load = WEFT_LOAD_CLEAR});
    weft_frame_draw_quads(frame, &(weft_quads_packet){.quads = &quad, .quad_count = 1});
    weft_frame_target_end(frame, first);
    const weft_target second =
        weft_frame_target_begin(frame, weft_frame_present_target(frame),
                                &(weft_target_ops){.load = WEFT_LOAD_CLEAR, .label = "window"});
    weft_frame_layer_push(frame, &(weft_layer_desc){.name = "world", .order = WEFT_ORDER_DEPTH});
    weft_frame_clip_push(frame, &(weft_rect){0, 0, 8, 8});
    const float transform[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    weft_draw_packet packet = stage_packet(s, 0);
    packet.material = s->materials[0];
    packet.transform = transform;
    packet.root = transform;
    packet.root_offset = 64;
    packet.root_size = 16;
    packet.accesses = &(weft_access){.kind = WEFT_ACCESS_STORAGE_READ, .buffer = s->vertices};
    packet.access_count = 1;
    weft_frame_draw(frame, &packet);
    weft_frame_clip_pop(frame);
    weft_frame_layer_pop(frame);
    split(s, frame);
    weft_frame_draw_quads(
        frame, &(weft_quads_packet){.quads = &quad,
                                    .quad_count = 1,
                                    .view = weft_frame_target_view(frame, offscreen, 0)});
    weft_frame_target_end(frame, second);
    return weft_frame_submit(frame, NULL);
}

/// Whether the n-th allocation was made, and failed.
static bool live_once(uint64_t n)
{
    atomic_store(&left, -1);
    const weft_host_hooks hooks = {.alloc = host_alloc, .free = host_free};
    // FULL validation goes on without memory for its checks, and fails nothing.
    struct stage s = stage_open_desc(&(weft_device_desc){.backends = 1u << WEFT_BACKEND_NOOP,
                                                         .validation = WEFT_VALIDATION_ERRORS,
                                                         .hooks = &hooks});
    atomic_store(&left, (long long)n);
    const weft_result result = whole_frame(&s);
    const bool failed = atomic_exchange(&left, -1) < 0;
    EXPECT(failed == (fixture_count(&s.f) > 0));
    EXPECT(failed == (result != WEFT_OK));
    EXPECT_EQ(whole_frame(&s), WEFT_OK);
    stage_close(&s);
    EXPECT_EQ(atomic_load(&live), 0);
    return failed;
}

TEST(frame_faults, any_failed_allocation_fails_its_frame_alone)
{
    uint64_t n = 0;
    while (live_once(n))
        n++;
    EXPECT(n > 50);
}
