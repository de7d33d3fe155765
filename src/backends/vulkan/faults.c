// What drivers offer and do in another way than Vulkan says. It is taken away, so that a host is
// refused instead of shown a wrong picture.
#include "backends/vulkan/vulkan.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define FEATURE(member) ((uint16_t)offsetof(struct wf_vk_adapter, features.features.member))

static const struct fault {
    VkDriverId driver;
    uint32_t mended;  ///< The first version that is known without it; 0: none is.
    uint16_t feature; ///< Of struct wf_vk_adapter, a VkBool32.
    const char *what; ///< What is withheld, and why.
} faults[] = {
    // Each edge is set up as a line of its own ("Polygon Mode": vertices are shaded, polygons
    // clipped and culled before it).
    {VK_DRIVER_ID_GOOGLE_SWIFTSHADER, 0, FEATURE(fillModeNonSolid),
     "line_fill: edges do not face, clip, shade and rise as their triangle"},
    // "Primitive Clipping": only if all vertices are outside of one and the same.
    {VK_DRIVER_ID_GOOGLE_SWIFTSHADER, 0, FEATURE(shaderCullDistance),
     "cull distances: primitives go whose vertices are outside of different ones"},
    // Blocks are decoded at the next draw that can read them; dispatches read zeros before it.
    {VK_DRIVER_ID_GOOGLE_SWIFTSHADER, 0, FEATURE(textureCompressionBC),
     "bc: zero in compute shaders"},
    {VK_DRIVER_ID_GOOGLE_SWIFTSHADER, 0, FEATURE(textureCompressionETC2),
     "etc2: zero in compute shaders"},
    {VK_DRIVER_ID_GOOGLE_SWIFTSHADER, 0, FEATURE(textureCompressionASTC_LDR),
     "astc: zero in compute shaders"},
    // An element of the array is sampled with the sampler of the same number (lp_tex_sample.c).
    {VK_DRIVER_ID_MESA_LLVMPIPE, VK_MAKE_API_VERSION(0, 25, 0, 0),
     FEATURE(shaderSampledImageArrayDynamicIndexing),
     "SampledImageArrayDynamicIndexing: elements are sampled with another sampler"},
};

#undef FEATURE

/// The driver's version; lavapipe's driverVersion is 1 for ever, but Mesa's is in a text.
static uint32_t version_of(const struct wf_vk_adapter *a)
{
    unsigned major = 0, minor = 0;
    if (sscanf(a->properties12.driverInfo, "Mesa %u.%u", &major, &minor) == 2)
        return VK_MAKE_API_VERSION(0, major, minor, 0);
    return a->properties.properties.driverVersion;
}

void wf_vk_adapter_withhold(struct wf_vk_adapter *a)
{
    size_t length = 0;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const struct fault *f = &faults[i];
        if (f->driver != a->properties12.driverID || (f->mended && version_of(a) >= f->mended))
            continue;
        memset((char *)a + f->feature, 0, sizeof(VkBool32));
        const int added = snprintf(a->withheld + length, sizeof a->withheld - length, "%s%s",
                                   length ? "; " : "", f->what);
        length += (size_t)added;
        assert(length < sizeof a->withheld);
    }
}
