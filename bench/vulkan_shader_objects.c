// Three ways to bind shaders and state in Vulkan, side by side and by hand: a pipeline for each
// combination, pipelines whose state is dynamic (Weft's way), and VK_EXT_shader_object. What they
// take to make, until the first frame with all of them is done, and what a change for each draw
// costs. A number says how many pairs of shaders. The driver is the one that the loader finds
// first: tools/check/drivers.py chooses it.
// NOLINTNEXTLINE(readability-identifier-naming): the system names it
#define _DEFAULT_SOURCE // setenv()
#include "common.h"
#include "raw_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipelines.frag.spv.h"
#include "record.vert.spv.h"

enum {
    PAIRS = 4, ///< Of shaders, each with every combination of state, unless told otherwise;
    MAX_PAIRS = 256,
    STATES = 8, ///< Culls or not, either front, blends or not.
    DRAWS = 10000,
    RUNS = 3,
    MAKINGS = 2,
};

enum way { STATIC, DYNAMIC, OBJECTS, UNLINKED, WAYS };

static const char *const names[WAYS] = {"pipelines, static", "pipelines, dynamic",
                                        "objects, linked", "objects, apart"};

// ---- VK_EXT_shader_object, which the headers of Debian 12 lack
// ------------------------------------

#ifdef VK_EXT_shader_object
typedef VkPhysicalDeviceShaderObjectFeaturesEXT object_features;
typedef VkShaderCreateInfoEXT object_info;
typedef VkShaderEXT object;
#define OBJECT_FEATURES VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT
#define OBJECT_INFO     VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT
#define OBJECT_LINKED   VK_SHADER_CREATE_LINK_STAGE_BIT_EXT
#define OBJECT_SPIRV    VK_SHADER_CODE_TYPE_SPIRV_EXT
#else
VK_DEFINE_NON_DISPATCHABLE_HANDLE(object)
#define OBJECT_FEATURES ((VkStructureType)1000482000)
#define OBJECT_INFO     ((VkStructureType)1000482002)
#define OBJECT_LINKED   1u
#define OBJECT_SPIRV    1
typedef struct object_features {
    VkStructureType type;
    void *next;
    VkBool32 enabled;
} object_features;
typedef struct object_info {
    VkStructureType type;
    const void *next;
    VkFlags flags;
    VkShaderStageFlagBits stage;
    VkShaderStageFlags next_stage;
    int code_type;
    size_t code_size;
    const void *code;
    const char *name;
    uint32_t set_count;
    const VkDescriptorSetLayout *sets;
    uint32_t range_count;
    const VkPushConstantRange *ranges;
    const VkSpecializationInfo *constants;
} object_info;
#endif

typedef VkResult(VKAPI_PTR *create_objects)(VkDevice device, uint32_t count,
                                            const object_info *infos,
                                            const VkAllocationCallbacks *allocator, object *out);
typedef void(VKAPI_PTR *destroy_object)(VkDevice device, object shader,
                                        const VkAllocationCallbacks *allocator);
typedef void(VKAPI_PTR *bind_objects)(VkCommandBuffer cmd, uint32_t count,
                                      const VkShaderStageFlagBits *stages, const object *shaders);

// ---- the scene ----------------------------------------------------------------------------------

/// What is made for one pair of shaders.
struct pair {
    VkPipeline pipelines[STATES]; ///< Or one, in front.
    object shaders[2];
};

struct scene {
    struct raw_device dev;
    bool has[WAYS];
    VkPipelineLayout layout;
    VkShaderModule vertex, fragment;
    object shared_vertex;
    struct pair pairs[MAX_PAIRS];
    uint32_t count; ///< Of pairs.
    create_objects create;
    destroy_object destroy;
    bind_objects bind;
    int32_t made; ///< No two shaders are the same, so that no cache has seen one.
};

static const VkShaderStageFlags root_stages =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
static const VkPushConstantRange root_range = {
    .stageFlags = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, .size = 64};

static VkCullModeFlags state_cull(uint32_t state)
{
    return state & 1u ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE;
}

static VkFrontFace state_front(uint32_t state)
{
    return state & 2u ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE;
}

static bool state_blend(uint32_t state)
{
    return (state & 4u) != 0;
}

static void *object_function(struct scene *s, const char *name)
{
    const PFN_vkVoidFunction found = s->dev.vk.GetDeviceProcAddr(s->dev.device, name);
    raw_need(found, name);
    void *out;
    memcpy(&out, &found, sizeof out);
    return out;
}

static void open_device(struct scene *s)
{
    raw_adapter_open(&s->dev);
    object_features objects = {OBJECT_FEATURES, NULL, VK_TRUE};
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT};
    const char *extensions[2];
    uint32_t count = 0;
    void *chain = NULL;
    if (raw_adapter_has(&s->dev, VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME)) {
        VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                              .pNext = &dynamic};
        s->dev.vk.GetPhysicalDeviceFeatures2(s->dev.adapter, &features);
        s->has[DYNAMIC] = dynamic.extendedDynamicState3ColorBlendEnable;
        dynamic = (VkPhysicalDeviceExtendedDynamicState3FeaturesEXT){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
            .extendedDynamicState3ColorBlendEnable = s->has[DYNAMIC]};
        extensions[count++] = VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME;
        chain = &dynamic;
    }
    s->has[STATIC] = true;
    s->has[OBJECTS] = s->has[UNLINKED] = raw_adapter_has(&s->dev, "VK_EXT_shader_object");
    if (s->has[OBJECTS]) {
        objects = (object_features){OBJECT_FEATURES, chain, VK_TRUE};
        extensions[count++] = "VK_EXT_shader_object";
        chain = &objects;
    }
    const VkPhysicalDeviceVulkan13Features all = raw_features(chain);
    raw_device_open(&s->dev, extensions, count, &all);
    if (!s->has[OBJECTS])
        return;
    s->create = (create_objects)object_function(s, "vkCreateShadersEXT");
    s->destroy = (destroy_object)object_function(s, "vkDestroyShaderEXT");
    s->bind = (bind_objects)object_function(s, "vkCmdBindShadersEXT");
}

/// As object_info, in its order of members.
static object_info object_of(VkShaderStageFlagBits stage, bool linked,
                             const VkSpecializationInfo *constants)
{
    const bool vertex = stage == VK_SHADER_STAGE_VERTEX_BIT;
    return (object_info){OBJECT_INFO,
                         NULL,
                         linked ? OBJECT_LINKED : 0,
                         stage,
                         vertex ? VK_SHADER_STAGE_FRAGMENT_BIT : 0,
                         OBJECT_SPIRV,
                         vertex ? sizeof record_vert : sizeof pipelines_frag,
                         vertex ? record_vert : pipelines_frag,
                         "main",
                         0,
                         NULL,
                         1,
                         &root_range,
                         constants};
}

static void scene_open(struct scene *s)
{
    open_device(s);
    s->vertex = raw_module(&s->dev, record_vert, sizeof record_vert);
    s->fragment = raw_module(&s->dev, pipelines_frag, sizeof pipelines_frag);
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &root_range};
    raw_need(s->dev.vk.CreatePipelineLayout(s->dev.device, &layout, NULL, &s->layout) == VK_SUCCESS,
             "vkCreatePipelineLayout");
    const object_info vertex = object_of(VK_SHADER_STAGE_VERTEX_BIT, false, NULL);
    if (s->has[UNLINKED])
        raw_need(s->create(s->dev.device, 1, &vertex, NULL, &s->shared_vertex) == VK_SUCCESS,
                 "vkCreateShadersEXT");
}

static void scene_close(struct scene *s)
{
    const struct raw_functions *vk = &s->dev.vk;
    if (s->has[UNLINKED])
        s->destroy(s->dev.device, s->shared_vertex, NULL);
    vk->DestroyPipelineLayout(s->dev.device, s->layout, NULL);
    vk->DestroyShaderModule(s->dev.device, s->vertex, NULL);
    vk->DestroyShaderModule(s->dev.device, s->fragment, NULL);
    raw_device_close(&s->dev);
}

// ---- making -------------------------------------------------------------------------------------

static void make_pipelines(struct scene *s, bool all, const VkSpecializationInfo *constants,
                           struct pair *out)
{
    static const VkDynamicState dynamic[] = {
        VK_DYNAMIC_STATE_CULL_MODE,
        VK_DYNAMIC_STATE_FRONT_FACE,
        VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,
    };
    for (uint32_t i = 0; i < (all ? STATES : 1); ++i)
        out->pipelines[i] =
            raw_pipeline(&s->dev, &(struct raw_pipeline_desc){.layout = s->layout,
                                                              .vertex = s->vertex,
                                                              .fragment = s->fragment,
                                                              .constants = constants,
                                                              .cull = state_cull(i),
                                                              .front = state_front(i),
                                                              .blend = state_blend(i),
                                                              .dynamic = dynamic,
                                                              .dynamic_count = all ? 0 : 3});
}

static void make_objects(struct scene *s, bool linked, const VkSpecializationInfo *constants,
                         struct pair *out)
{
    const object_info infos[] = {object_of(VK_SHADER_STAGE_VERTEX_BIT, linked, NULL),
                                 object_of(VK_SHADER_STAGE_FRAGMENT_BIT, linked, constants)};
    out->shaders[0] = s->shared_vertex;
    const uint32_t first = linked ? 0 : 1;
    raw_need(s->create(s->dev.device, 2 - first, infos + first, NULL, out->shaders + first) ==
                 VK_SUCCESS,
             "vkCreateShadersEXT");
}

static void make(struct scene *s, enum way way)
{
    for (uint32_t i = 0; i < s->count; ++i) {
        const int32_t steps = s->made++;
        const VkSpecializationMapEntry entry = {0, 0, sizeof steps};
        const VkSpecializationInfo constants = {1, &entry, sizeof steps, &steps};
        if (way == STATIC || way == DYNAMIC)
            make_pipelines(s, way == STATIC, &constants, &s->pairs[i]);
        else
            make_objects(s, way == OBJECTS, &constants, &s->pairs[i]);
    }
}

static void drop(struct scene *s, enum way way)
{
    for (uint32_t i = 0; i < s->count; ++i) {
        struct pair *pair = &s->pairs[i];
        for (int k = 0; k < STATES; ++k)
            if (pair->pipelines[k])
                s->dev.vk.DestroyPipeline(s->dev.device, pair->pipelines[k], NULL);
        if (way == OBJECTS)
            s->destroy(s->dev.device, pair->shaders[0], NULL);
        if (way == OBJECTS || way == UNLINKED)
            s->destroy(s->dev.device, pair->shaders[1], NULL);
        *pair = (struct pair){0};
    }
}

// ---- drawing ------------------------------------------------------------------------------------

/// All that shader objects want to be told.
static void set_everything(const struct scene *s)
{
    const struct raw_functions *vk = &s->dev.vk;
    VkCommandBuffer cmd = s->dev.cmd;
    const VkViewport viewport = {0, RAW_SIDE, RAW_SIDE, -RAW_SIDE, 0, 1};
    const VkRect2D scissor = {{0, 0}, {RAW_SIDE, RAW_SIDE}};
    const VkSampleMask samples = 1;
    const VkColorBlendEquationEXT sum = {
        VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD,
        VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD,
    };
    const VkColorComponentFlags mask = 15;
    vk->CmdSetViewportWithCount(cmd, 1, &viewport);
    vk->CmdSetScissorWithCount(cmd, 1, &scissor);
    vk->CmdSetRasterizerDiscardEnable(cmd, VK_FALSE);
    vk->CmdSetVertexInputEXT(cmd, 0, NULL, 0, NULL);
    vk->CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    vk->CmdSetPrimitiveRestartEnable(cmd, VK_FALSE);
    vk->CmdSetRasterizationSamplesEXT(cmd, VK_SAMPLE_COUNT_1_BIT);
    vk->CmdSetSampleMaskEXT(cmd, VK_SAMPLE_COUNT_1_BIT, &samples);
    vk->CmdSetAlphaToCoverageEnableEXT(cmd, VK_FALSE);
    vk->CmdSetPolygonModeEXT(cmd, VK_POLYGON_MODE_FILL);
    vk->CmdSetDepthTestEnable(cmd, VK_FALSE);
    vk->CmdSetDepthWriteEnable(cmd, VK_FALSE);
    vk->CmdSetDepthBoundsTestEnable(cmd, VK_FALSE);
    vk->CmdSetDepthBiasEnable(cmd, VK_FALSE);
    vk->CmdSetStencilTestEnable(cmd, VK_FALSE);
    vk->CmdSetColorBlendEquationEXT(cmd, 0, 1, &sum);
    vk->CmdSetColorWriteMaskEXT(cmd, 0, 1, &mask);
}

static void set_state(const struct scene *s, uint32_t state, uint32_t changed)
{
    const struct raw_functions *vk = &s->dev.vk;
    const VkBool32 blend = state_blend(state);
    if (changed & 1u)
        vk->CmdSetCullMode(s->dev.cmd, state_cull(state));
    if (changed & 2u)
        vk->CmdSetFrontFace(s->dev.cmd, state_front(state));
    if (changed & 4u)
        vk->CmdSetColorBlendEnableEXT(s->dev.cmd, 0, 1, &blend);
}

static void bind_pair(const struct scene *s, enum way way, const struct pair *pair, uint32_t state)
{
    static const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_VERTEX_BIT,
                                                   VK_SHADER_STAGE_FRAGMENT_BIT};
    if (way == STATIC || way == DYNAMIC)
        s->dev.vk.CmdBindPipeline(s->dev.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                  pair->pipelines[way == STATIC ? state : 0]);
    else if (way == OBJECTS)
        s->bind(s->dev.cmd, 2, stages, pair->shaders);
    else
        s->bind(s->dev.cmd, 1, stages + 1, pair->shaders + 1);
}

static void begin(struct scene *s, enum way way)
{
    static const VkShaderStageFlagBits vertex = VK_SHADER_STAGE_VERTEX_BIT;
    static const float root[16];
    raw_begin_pass(&s->dev);
    if (way == OBJECTS || way == UNLINKED)
        set_everything(s);
    if (way == UNLINKED)
        s->bind(s->dev.cmd, 1, &vertex, &s->shared_vertex);
    if (way != STATIC)
        set_state(s, 0, 7);
    s->dev.vk.CmdPushConstants(s->dev.cmd, s->layout, root_stages, 0, sizeof root, root);
}

/// One draw with each pair and each combination of state.
static void draw_all(struct scene *s, enum way way)
{
    begin(s, way);
    for (uint32_t i = 0; i < s->count * STATES; ++i) {
        const uint32_t state = i % STATES;
        bind_pair(s, way, &s->pairs[i / STATES], state);
        if (way != STATIC)
            set_state(s, state, 7);
        s->dev.vk.CmdDraw(s->dev.cmd, 3, 1, 0, 0);
    }
    raw_end_pass(&s->dev, true);
}

/// Another pair by turns, of other culling. Nanoseconds to record.
static uint64_t draw_by_turns(struct scene *s, enum way way)
{
    static const float root[16];
    begin(s, way);
    const uint64_t start = bench_thread_ns();
    for (uint32_t i = 0; i < DRAWS; ++i) {
        bind_pair(s, way, &s->pairs[i & 1], i & 1);
        if (way != STATIC)
            set_state(s, i & 1, 1);
        s->dev.vk.CmdPushConstants(s->dev.cmd, s->layout, root_stages, 0, sizeof root, root);
        s->dev.vk.CmdDraw(s->dev.cmd, 3, 1, 0, 0);
    }
    return bench_thread_ns() - start;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void print_row(struct scene *s, enum way way)
{
    uint64_t making = UINT64_MAX, first = UINT64_MAX, record = UINT64_MAX, run = UINT64_MAX;
    for (int i = 0; i < MAKINGS; ++i) {
        if (i > 0)
            drop(s, way);
        const uint64_t start = bench_wall_ns();
        make(s, way);
        const uint64_t made = bench_wall_ns();
        draw_all(s, way);
        making = least(making, made - start);
        first = least(first, bench_wall_ns() - start);
    }
    for (int i = 0; i < RUNS; ++i) {
        record = least(record, draw_by_turns(s, way));
        const uint64_t start = bench_wall_ns();
        raw_end_pass(&s->dev, true);
        run = least(run, bench_wall_ns() - start);
    }
    drop(s, way);
    printf("  %-19s %4u made in %7.1f ms, first frame done after %7.1f ms; a draw with another: "
           "%6.1f ns recorded, %6.1f ns run\n",
           names[way], way == STATIC ? s->count * STATES : s->count, (double)making / 1e6,
           (double)first / 1e6, (double)record / DRAWS, (double)run / DRAWS);
}

int main(int argc, char **argv)
{
    static struct scene s;
    setenv("__GL_SHADER_DISK_CACHE", "0", 1); // the drivers' own caches
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    (void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    const int count = argc > 1 ? atoi(argv[1]) : PAIRS;
    s.count = count >= 2 && count <= MAX_PAIRS ? (uint32_t)count : PAIRS;
    scene_open(&s);
    printf("%u pairs of shaders with %d combinations of state on %s:\n", s.count, STATES,
           s.dev.name);
    for (enum way way = STATIC; way < WAYS; ++way) {
        if (s.has[way])
            print_row(&s, way);
        else
            printf("  %-19s not on this driver\n", names[way]);
    }
    scene_close(&s);
    return 0;
}
