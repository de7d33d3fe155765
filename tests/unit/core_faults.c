// Running out of memory anywhere is a clean failure: no crash, no leak, the device usable.
#include "support/fixture.h"

#include "support/host_counting.h"

/// Its contents go in several pieces, each of which may fail with the earlier ones recorded.
static void use_large_buffer(weft_device *dev)
{
    static const char data[(5 << 20) / 2];
    weft_buffer buffer;
    (void)weft_buffer_create(dev, &(weft_buffer_desc){.size = sizeof data, .data = data}, &buffer);
    (void)weft_queue_submit(dev, WEFT_QUEUE_GRAPHICS, &(weft_submit){0}, NULL);
    weft_buffer_destroy(dev, buffer);
}

static void use_buffers(weft_device *dev)
{
    char data[64] = {0};
    weft_buffer gpu, mapped, placed;
    weft_buffer_desc desc = {
        .size = 64, .usage = WEFT_BUFFER_USAGE_COPY_SRC | WEFT_BUFFER_USAGE_COPY_DST, .data = data};
    (void)weft_buffer_create(dev, &desc, &gpu);
    desc.memory = WEFT_MEMORY_DEFAULT;
    (void)weft_buffer_create(dev, &desc, &mapped);
    weft_memory_block block;
    (void)weft_memory_block_create(dev, &(weft_memory_block_desc){.size = 4096}, &block);
    desc.memory = WEFT_MEMORY_GPU;
    desc.place.block = block;
    (void)weft_buffer_create(dev, &desc, &placed);
    if (!weft_buffer_is_none(gpu)) {
        (void)weft_buffer_write(dev, gpu, 0, data, 64);
        (void)weft_buffer_rebind(dev, gpu);
        (void)weft_buffer_read(dev, gpu, 0, data, 64);
    }
    weft_buffer_destroy(dev, placed);
    weft_memory_block_destroy(dev, block);
    weft_buffer_destroy(dev, mapped);
    weft_buffer_destroy(dev, gpu);
}

static void use_textures(weft_device *dev)
{
    char data[64] = {0};
    weft_texture tex;
    const weft_texture_desc desc = {.format = WEFT_FORMAT_RGBA8_UNORM,
                                    .width = 4,
                                    .height = 4,
                                    .usage = WEFT_TEXTURE_USAGE_SAMPLED |
                                             WEFT_TEXTURE_USAGE_COPY_SRC |
                                             WEFT_TEXTURE_USAGE_COPY_DST};
    (void)weft_texture_create(dev, &desc, &tex);
    weft_view_pool pool;
    (void)weft_view_pool_create(dev, &(weft_view_pool_desc){.capacity = 4}, &pool);
    weft_sampler sampler;
    (void)weft_sampler_create(dev, &(weft_sampler_desc){0}, &sampler);
    weft_heap_range range;
    (void)weft_heap_range_create(dev, WEFT_HEAP_SAMPLED, 8, &range);
    weft_texture_view view = {0};
    if (!weft_texture_is_none(tex)) {
        (void)weft_texture_write(dev, tex, NULL, data, NULL);
        (void)weft_texture_read(dev, tex, NULL, data, 64, NULL);
        (void)weft_texture_view_create(dev, &(weft_texture_view_desc){.texture = tex, .pool = pool},
                                       &view);
    }
    if (!weft_texture_view_is_none(view)) {
        (void)weft_texture_view_index(dev, view, WEFT_HEAP_SAMPLED);
        if (!weft_heap_range_is_none(range))
            (void)weft_heap_range_write(dev, range, 3, view, (weft_sampler){0});
    }
    if (!weft_sampler_is_none(sampler))
        (void)weft_sampler_index(dev, sampler);
    weft_texture_destroy(dev, tex);
    weft_texture_view_destroy(dev, view);
    weft_view_pool_destroy(dev, pool);
    weft_sampler_destroy(dev, sampler);
    weft_heap_range_destroy(dev, range);
}

static void use_transients(weft_device *dev)
{
    for (int frame = 0; frame < 3; ++frame) {
        (void)weft_transient_alloc(dev, 1000, 0);
        (void)weft_transient_alloc(dev, 400000, 0);
        (void)weft_transient_advance(dev);
    }
}

/// One life of a device whose n-th allocation fails (and, if `after`, all later ones). Returns
/// whether that many were made.
static bool live_once(weft_backend backend, uint64_t n, bool after)
{
    struct host host = {0};
    wf_base_counting_init(&host.counting, wf_base_allocator_default());
    wf_base_counting_fail(&host.counting, n, after);
    const weft_host_hooks hooks = {.alloc = host_alloc,
                                   .free = host_free,
                                   .diagnostic = host_diagnostic,
                                   .log = host_log,
                                   .user = &host};
    const weft_device_desc desc = {
        .backends = 1u << backend,
        .hooks = &hooks,
        .software = &(weft_software_options){.threads = 1},
    };
    weft_device *dev;
    (void)weft_device_start(&desc, &dev);
    if (dev && weft_device_wait(dev, 0) == WEFT_OK) {
        use_large_buffer(dev);
        use_buffers(dev);
        use_textures(dev);
        use_transients(dev);
        EXPECT_EQ(weft_device_startup(dev).state, WEFT_DEVICE_READY);
    }
    weft_device_destroy(dev);
    const bool failed = atomic_load(&host.counting.calls) >= n;
    EXPECT(!failed || !dev || host.errors > 0);
    EXPECT_EQ(atomic_load(&host.counting.live_bytes), 0);
    return failed;
}

TEST(core_faults, frames_go_on_when_transient_memory_cannot_grow)
{
    struct host host;
    const weft_host_hooks hooks = host_hooks(&host);
    const weft_device_desc desc = {.backends = 1u << WEFT_BACKEND_NOOP, .hooks = &hooks};
    weft_device *dev;
    EXPECT_EQ(weft_device_start(&desc, &dev), WEFT_OK);
    EXPECT(weft_transient_alloc(dev, 1000, 0).cpu != NULL);
    EXPECT(weft_transient_alloc(dev, 400000, 0).cpu != NULL);
    wf_base_counting_fail(&host.counting, 1, true);
    EXPECT_EQ(weft_transient_advance(dev), WEFT_OK);
    EXPECT_EQ(weft_transient_advance(dev), WEFT_OK);
    EXPECT_EQ(host.errors, 1);
    EXPECT(weft_transient_alloc(dev, 1000, 0).cpu != NULL);
    wf_base_counting_fail(&host.counting, 0, false);
    EXPECT(weft_transient_alloc(dev, 400000, 0).cpu != NULL);
    EXPECT_EQ(weft_transient_advance(dev), WEFT_OK);
    weft_device_destroy(dev);
}

TEST(core_faults, any_failed_allocation_is_a_clean_error_on_noop)
{
    uint64_t n = 1;
    while (live_once(WEFT_BACKEND_NOOP, n, false))
        ++n;
    EXPECT(n > 40);
    for (n = 1; live_once(WEFT_BACKEND_NOOP, n, true);)
        ++n;
}

TEST(core_faults, any_failed_allocation_is_a_clean_error_on_software)
{
    uint64_t n = 1;
    while (live_once(WEFT_BACKEND_SOFTWARE, n, false))
        ++n;
    EXPECT(n > 40);
}
