// The compute and the copy queue: what they do, and how resources pass from one to another.
#include "cases.h"

enum { SIZE = 8, BYTES = SIZE * SIZE * 4, EACH = WEFT_QUEUE_COUNT };

/// Submissions, each after the one before, whatever their queues.
struct chain {
    struct conform *c;
    weft_timeline timeline;
    uint64_t value;
};

static struct chain chain_begin(struct conform *c)
{
    struct chain chain = {.c = c};
    weft_timeline_create(conform_device(c), NULL, &chain.timeline);
    conform_check(c);
    return chain;
}

static weft_command_buffer *begin_on(struct conform *c, weft_queue queue)
{
    weft_command_buffer *cmd;
    weft_command_begin(conform_device(c), &(weft_command_desc){.queue = queue}, &cmd);
    conform_check(c);
    return cmd;
}

static void submit_with(struct chain *chain, weft_queue queue, weft_command_buffer *cmd,
                        const weft_surface *surface)
{
    const weft_timeline_point wait = {.timeline = chain->timeline, .value = chain->value++};
    const weft_timeline_point signal = {.timeline = chain->timeline, .value = chain->value};
    CONFORM_EXPECT(chain->c, weft_command_end(cmd) == WEFT_OK);
    weft_queue_submit(conform_device(chain->c), queue,
                      &(weft_submit){.commands = &cmd,
                                     .command_count = 1,
                                     .waits = &wait,
                                     .wait_count = 1,
                                     .signals = &signal,
                                     .signal_count = 1,
                                     .surfaces = surface,
                                     .surface_count = surface ? 1 : 0},
                      NULL);
    conform_check(chain->c);
}

static void chain_end(const struct chain *chain)
{
    CONFORM_EXPECT(chain->c, weft_timeline_wait(conform_device(chain->c), chain->timeline,
                                                chain->value, UINT64_MAX) == WEFT_OK);
    conform_check(chain->c);
}

/// Half of a handing over: both queues record it.
static void hand_texture(weft_command_buffer *cmd, weft_texture texture, weft_queue from,
                         weft_queue to)
{
    weft_command_texture_barrier(cmd,
                                 &(weft_texture_barrier){.texture = texture,
                                                         .producers = WEFT_STAGE_COPY,
                                                         .consumers = WEFT_STAGE_COPY,
                                                         .from = from,
                                                         .to = to},
                                 1);
}

static void hand_buffer(weft_command_buffer *cmd, weft_buffer buffer, weft_queue from,
                        weft_queue to)
{
    weft_command_buffer_barrier(cmd,
                                &(weft_buffer_barrier){.buffer = buffer,
                                                       .producers = WEFT_STAGE_COPY,
                                                       .consumers = WEFT_STAGE_COPY,
                                                       .from = from,
                                                       .to = to},
                                1);
}

static void fill_bytes(uint8_t bytes[BYTES], uint32_t seed)
{
    for (uint32_t i = 0; i < BYTES; i++)
        bytes[i] = (uint8_t)(i * 7 + seed);
}

/// Bytes go into a texture on one queue, out of it on the next, and are read on the graphics queue.
/// `shared`: no resource belongs to one queue at a time; the barriers are the same.
static void pass_round(struct conform *c, weft_queue_set shared)
{
    uint8_t bytes[BYTES];
    for (int i = 0; i < EACH; i++) {
        const weft_queue first = (weft_queue)i, second = (weft_queue)((i + 1) % EACH);
        fill_bytes(bytes, (uint32_t)i);
        weft_buffer source, sink;
        weft_texture texture;
        const weft_buffer_desc made = {.size = BYTES,
                                       .usage =
                                           WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST,
                                       .memory = WEFT_MEMORY_GPU,
                                       .queues = shared};
        weft_buffer_desc filled = made;
        filled.data = bytes;
        filled.queues = WEFT_QUEUE_SET_GRAPHICS | WEFT_QUEUE_SET_COMPUTE | WEFT_QUEUE_SET_COPY;
        weft_buffer_create(conform_device(c), &filled, &source);
        weft_buffer_create(conform_device(c), &made, &sink);
        weft_texture_create(
            conform_device(c),
            &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                 .width = SIZE,
                                 .height = SIZE,
                                 .usage = WEFT_TEXTURE_USAGE_COPY_SRC | WEFT_TEXTURE_USAGE_COPY_DST,
                                 .queues = shared},
            &texture);
        conform_check(c);
        struct chain chain = chain_begin(c);
        weft_command_buffer *cmd = begin_on(c, first);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_copy_buffer_to_texture(enc, source, NULL, texture, NULL);
        weft_compute_end(enc);
        hand_texture(cmd, texture, first, second);
        submit_with(&chain, first, cmd, NULL);
        cmd = begin_on(c, second);
        hand_texture(cmd, texture, first, second);
        enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_copy_texture_to_buffer(enc, texture, NULL, sink, NULL);
        weft_compute_end(enc);
        hand_buffer(cmd, sink, second, WEFT_QUEUE_GRAPHICS);
        submit_with(&chain, second, cmd, NULL);
        if (second != WEFT_QUEUE_GRAPHICS) {
            cmd = begin_on(c, WEFT_QUEUE_GRAPHICS);
            hand_buffer(cmd, sink, second, WEFT_QUEUE_GRAPHICS);
            submit_with(&chain, WEFT_QUEUE_GRAPHICS, cmd, NULL);
        }
        chain_end(&chain);
        conform_expect_bytes(c, sink, 0, bytes, BYTES);
    }
}

void case_queue_hand_over(struct conform *c)
{
    pass_round(c, 0);
}

void case_queue_shared(struct conform *c)
{
    pass_round(c, WEFT_QUEUE_SET_GRAPHICS | WEFT_QUEUE_SET_COMPUTE | WEFT_QUEUE_SET_COPY);
}

/// Any stage may be named on any queue, although it has no such work: then nothing waits.
void case_queue_stages(struct conform *c)
{
    const uint32_t filled[4] = {0x01020304, 0x01020304, 0x01020304, 0x01020304};
    for (int q = 0; q < EACH; q++) {
        const weft_queue queue = (weft_queue)q;
        struct chain chain = chain_begin(c);
        weft_buffer buffer;
        weft_buffer_create(
            conform_device(c),
            &(weft_buffer_desc){.size = sizeof filled,
                                .usage = WEFT_BUFFER_USAGE_COPY_DST | WEFT_BUFFER_USAGE_COPY_SRC,
                                .memory = WEFT_MEMORY_GPU,
                                .queues = WEFT_QUEUE_SET_GRAPHICS | WEFT_QUEUE_SET_COMPUTE |
                                          WEFT_QUEUE_SET_COPY},
            &buffer);
        conform_check(c);
        weft_command_buffer *cmd = begin_on(c, queue);
        weft_command_barrier(cmd, WEFT_STAGE_COPY, WEFT_STAGE_DRAW_INDIRECT,
                             WEFT_HAZARD_DRAW_ARGUMENTS);
        for (uint32_t from = 1; from < WEFT_STAGE_ALL; from <<= 1) {
            weft_command_barrier(cmd, from, WEFT_STAGE_ALL, 0);
            weft_command_barrier(cmd, WEFT_STAGE_ALL & ~from, from, 0);
            for (uint32_t to = 1; to < WEFT_STAGE_ALL; to <<= 1)
                weft_command_barrier(cmd, from, to | WEFT_STAGE_COPY, 0);
        }
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_fill_buffer(enc, buffer, 0, sizeof filled, filled[0]);
        weft_compute_end(enc);
        submit_with(&chain, queue, cmd, NULL);
        chain_end(&chain);
        conform_expect_bytes(c, buffer, 0, filled, sizeof filled);
    }
}

/// Timestamps and their results on the compute queue.
void case_queue_timestamps(struct conform *c)
{
    weft_query_pool pool;
    uint64_t got[3] = {0}, copied[3];
    weft_query_pool_create(conform_device(c),
                           &(weft_query_pool_desc){.kind = WEFT_QUERY_TIMESTAMP, .count = 3},
                           &pool);
    const weft_buffer buffer =
        conform_buffer(c, WEFT_BUFFER_USAGE_QUERY, sizeof copied, (uint64_t[3]){1, 1, 1});
    struct chain chain = chain_begin(c);
    weft_command_buffer *cmd = begin_on(c, WEFT_QUEUE_GRAPHICS);
    hand_buffer(cmd, buffer, WEFT_QUEUE_GRAPHICS, WEFT_QUEUE_COMPUTE);
    submit_with(&chain, WEFT_QUEUE_GRAPHICS, cmd, NULL);
    cmd = begin_on(c, WEFT_QUEUE_COMPUTE);
    hand_buffer(cmd, buffer, WEFT_QUEUE_GRAPHICS, WEFT_QUEUE_COMPUTE);
    weft_compute_end(
        weft_command_begin_compute(cmd, &(weft_compute_pass_desc){.times = {pool, 0, 2}}));
    weft_command_resolve_queries(cmd, pool, 0, 3, buffer, 0);
    hand_buffer(cmd, buffer, WEFT_QUEUE_COMPUTE, WEFT_QUEUE_GRAPHICS);
    submit_with(&chain, WEFT_QUEUE_COMPUTE, cmd, NULL);
    cmd = begin_on(c, WEFT_QUEUE_GRAPHICS);
    hand_buffer(cmd, buffer, WEFT_QUEUE_COMPUTE, WEFT_QUEUE_GRAPHICS);
    submit_with(&chain, WEFT_QUEUE_GRAPHICS, cmd, NULL);
    chain_end(&chain);
    CONFORM_EXPECT(c,
                   weft_query_pool_read(conform_device(c), pool, 0, 3, got, sizeof got) == WEFT_OK);
    if (!conform_read_times(c, buffer, 0, copied, sizeof copied))
        return;
    CONFORM_EXPECT(c, got[0] != 0 && got[1] == 0 && got[2] >= got[0]);
    for (int i = 0; i < 3; i++)
        CONFORM_EXPECT(c, copied[i] == got[i]);
}

/// Each queue in turn writes a surface's image, which is then presented. There are fewer images
/// than rounds.
void case_queue_surface(struct conform *c)
{
    weft_device *const device = conform_device(c);
    uint8_t bytes[BYTES], got[BYTES];
    weft_surface surface;
    weft_surface_create(device, &(weft_surface_desc){.label = "picture"}, &surface);
    weft_surface_configure(device, surface,
                           &(weft_surface_config){.width = SIZE,
                                                  .height = SIZE,
                                                  .format = WEFT_FORMAT_RGBA8_UNORM,
                                                  .usage = WEFT_TEXTURE_USAGE_COPY_DST});
    conform_check(c);
    struct chain chain = chain_begin(c);
    for (uint32_t i = 0; i < 4 * EACH; i++) {
        const weft_queue queue = (weft_queue)(i % EACH);
        weft_buffer source;
        weft_surface_image image;
        fill_bytes(bytes, i);
        weft_buffer_create(device,
                           &(weft_buffer_desc){.size = BYTES,
                                               .usage = WEFT_BUFFER_USAGE_COPY_SRC,
                                               .data = bytes,
                                               .queues = WEFT_QUEUE_SET_GRAPHICS |
                                                         WEFT_QUEUE_SET_COMPUTE |
                                                         WEFT_QUEUE_SET_COPY},
                           &source);
        CONFORM_EXPECT(c, weft_surface_acquire(device, surface, &image) == WEFT_OK &&
                              image.status == WEFT_ACQUIRE_READY);
        weft_command_buffer *cmd = begin_on(c, queue);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_copy_buffer_to_texture(enc, source, NULL, image.texture, NULL);
        weft_compute_end(enc);
        submit_with(&chain, queue, cmd, &surface);
        CONFORM_EXPECT(c, weft_surface_present(device, surface, NULL, 0) == WEFT_OK);
        weft_buffer_destroy(device, source);
        if (i % 4 != 1 || !conform_draws(c))
            continue;
        CONFORM_EXPECT(c, weft_surface_read(device, surface, got, BYTES) == WEFT_OK);
        for (uint32_t k = 0; k < BYTES; k++)
            if (got[k] != bytes[k])
                conform_fail(c, "byte %u of image %u is %u, not %u", k, i, got[k], bytes[k]);
    }
    chain_end(&chain);
    weft_surface_destroy(device, surface);
}
