// Running out of memory: what tests/faults does not see, which fails each allocation of whole
// programs.
#include "support/fixture.h"

#include "mesh.vert.spv.h"

#include "support/host_counting.h"

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

TEST(core_faults, a_shader_is_not_blamed_for_the_lack_of_memory)
{
    struct host host;
    const weft_host_hooks hooks = host_hooks(&host);
    const weft_device_desc desc = {.backends = 1u << WEFT_BACKEND_NOOP, .hooks = &hooks};
    weft_device *dev;
    EXPECT_EQ(weft_device_start(&desc, &dev), WEFT_OK);
    weft_shader shader = {0};
    for (uint64_t n = 1; weft_shader_is_none(shader); ++n) {
        wf_base_counting_fail(&host.counting, n, false);
        const weft_result result = weft_shader_create(
            dev, &(weft_shader_desc){.code = mesh_vert, .size = sizeof mesh_vert}, &shader);
        EXPECT_EQ(result, weft_shader_is_none(shader) ? WEFT_ERROR_MEMORY : WEFT_OK);
    }
    wf_base_counting_fail(&host.counting, 0, false);
    weft_shader_destroy(dev, shader);
    weft_device_destroy(dev);
}
