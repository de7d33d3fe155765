// Portability lint: what every backend of Weft can do at least, from tables, so that "this will
// fail on WebGPU" is found on any machine. Each feature and each limit is told once a device.
#include "core/lint.h"

#include "base/bits.h"

#include <stdio.h>
#include <string.h>

#define EVERYWHERE                                                                                 \
    (WEFT_FEATURE_MULTIPLE_RENDER_TARGETS | WEFT_FEATURE_MULTISAMPLE | WEFT_FEATURE_STENCIL |      \
     WEFT_FEATURE_DEPTH_BIAS | WEFT_FEATURE_TEXTURES_3D | WEFT_FEATURE_TEXTURE_ARRAYS |            \
     WEFT_FEATURE_POINTS_AND_LINES | WEFT_FEATURE_PRIMITIVE_RESTART |                              \
     WEFT_FEATURE_ALPHA_TO_COVERAGE | WEFT_FEATURE_GENERATE_MIPS | WEFT_FEATURE_OCCLUSION_QUERIES)

#define WEB                                                                                        \
    (EVERYWHERE | WEFT_FEATURE_COMPUTE | WEFT_FEATURE_INDIRECT_DRAWS |                             \
     WEFT_FEATURE_STORAGE_TEXTURES | WEFT_FEATURE_CUBE_ARRAYS | WEFT_FEATURE_INDEPENDENT_BLEND |   \
     WEFT_FEATURE_FRAGMENT_STORES | WEFT_FEATURE_TEXTURE_VIEWS | WEFT_FEATURE_TEXTURES_1D |        \
     WEFT_FEATURE_ANISOTROPY)

#define DESKTOP                                                                                    \
    (WEB | WEFT_FEATURE_BLOCKING_WAIT | WEFT_FEATURE_DEPTH_CLAMP | WEFT_FEATURE_DUAL_SOURCE |      \
     WEFT_FEATURE_LINE_FILL | WEFT_FEATURE_TIMESTAMPS | WEFT_FEATURE_CLIP_DISTANCE |               \
     WEFT_FEATURE_INDIRECT_FIRST_INSTANCE | WEFT_FEATURE_SAMPLE_SHADING |                          \
     WEFT_FEATURE_STORAGE_IN_VERTEX)

#define EXPLICIT                                                                                   \
    (DESKTOP | WEFT_FEATURE_HEAP | WEFT_FEATURE_PLACED_RESOURCES | WEFT_FEATURE_MULTI_DRAW |       \
     WEFT_FEATURE_TIMESTAMPS_ANYWHERE | WEFT_FEATURE_SPLIT_BARRIERS)

struct profile {
    weft_backend backend;
    weft_feature_set features;
    uint64_t limits[WF_CORE_LINT_LIMITS];
};

// After the APIs' own guarantees: Vulkan's required limits, WebGPU's defaults, Direct3D's feature
// level 11_0, OpenGL 4.5, WebGL 2.
static const struct profile profiles[] = {
    {WEFT_BACKEND_VULKAN, EXPLICIT | WEFT_FEATURE_POINTERS, {UINT64_C(1) << 30, 4096, 256, 256}},
    {WEFT_BACKEND_METAL,
     (EXPLICIT | WEFT_FEATURE_POINTERS) & ~WEFT_FEATURE_SPLIT_BARRIERS,
     {UINT64_C(1) << 28, 16384, 2048, 2048}},
    {WEFT_BACKEND_D3D12, EXPLICIT, {UINT64_C(1) << 31, 16384, 2048, 2048}},
    {WEFT_BACKEND_D3D11, DESKTOP, {UINT64_C(1) << 27, 16384, 2048, 2048}},
    {WEFT_BACKEND_OPENGL,
     DESKTOP | WEFT_FEATURE_MULTI_DRAW | WEFT_FEATURE_TIMESTAMPS_ANYWHERE,
     {UINT64_C(1) << 31, 16384, 2048, 2048}},
    {WEFT_BACKEND_WEBGPU, WEB, {UINT64_C(1) << 28, 8192, 2048, 256}},
    {WEFT_BACKEND_WEBGL2, EVERYWHERE, {UINT64_C(1) << 28, 2048, 256, 256}},
};
#define PROFILES (sizeof profiles / sizeof profiles[0])

static const char *const limit_names[WF_CORE_LINT_LIMITS] = {
    [WF_CORE_LINT_BUFFER_SIZE] = "Bytes of a buffer",
    [WF_CORE_LINT_TEXTURE_2D] = "Texels of a side",
    [WF_CORE_LINT_TEXTURE_3D] = "Texels of a side of a 3D texture",
    [WF_CORE_LINT_LAYERS] = "Layers of a texture",
};

/// Whether it is the first time on this device.
static bool first_time(atomic_uint_fast64_t *told, uint64_t bit)
{
    return (atomic_fetch_or(told, bit) & bit) == 0;
}

static void name_add(char *names, size_t size, const char *name)
{
    const size_t used = strlen(names);
    (void)snprintf(names + used, size - used, "%s%s", used ? ", " : "", name);
}

void wf_core_lint_feature(const struct wf_core_subject *on, weft_feature_set feature,
                          const char *what)
{
    char names[96] = "";
    for (size_t i = 0; i < PROFILES; ++i) {
        if ((profiles[i].features & feature) != feature)
            name_add(names, sizeof names, weft_backend_name(profiles[i].backend));
    }
    if (names[0] != '\0' && first_time(&on->dev->linted_features, feature))
        wf_core_warn(on, WEFT_RULE_PORTABILITY,
                     "%s needs the feature %s; not sure to be there on: %s.", what,
                     weft_feature_name(wf_base_ctz64(feature)), names);
}

void wf_core_lint_limit(const struct wf_core_subject *on, enum wf_core_lint_limit limit,
                        uint64_t value)
{
    if (!on->dev->lint)
        return;
    char names[96] = "";
    for (size_t i = 0; i < PROFILES; ++i) {
        if (value > profiles[i].limits[limit])
            name_add(names, sizeof names, weft_backend_name(profiles[i].backend));
    }
    if (names[0] != '\0' && first_time(&on->dev->linted_limits, UINT64_C(1) << limit))
        wf_core_warn(on, WEFT_RULE_PORTABILITY, "%s: %llu; not sure to be possible on: %s.",
                     limit_names[limit], (unsigned long long)value, names);
}
