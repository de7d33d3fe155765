// Two ways to hand descriptors to Vulkan, side by side and by hand: sets (the heap's with
// update-after-bind), and VK_EXT_descriptor_buffer. What the heap's writes cost, what a table costs
// to make and to change for each draw, and how long the draws then take. The driver is the one that
// the loader finds first: tools/check/drivers.py chooses it.
#include "common.h"
#include "raw_device.h"

#include <stdio.h>
#include <string.h>

#include "record.vert.spv.h"
#include "record_table.frag.spv.h"

enum {
    HEAP = 65536,
    WRITES = 1000, ///< Of the heap.
    TABLES = 1000,
    DRAWS = 20000,
    RUNS = 15,
    ELEMENTS = 4, ///< Of a table: uniform and storage buffer, image, sampler.
    VIEWS = 16,
    RANGE = 256,
    MAX_DESCRIPTOR = 256,
};

enum way { SETS, BUFFER, WAYS };

static const VkDescriptorType types[ELEMENTS] = {
    VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
    VK_DESCRIPTOR_TYPE_SAMPLER,
};

/// Layouts and pipeline of one way.
struct side {
    VkDescriptorSetLayout heap_layout, table_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
};

struct scene {
    struct raw_device dev;
    bool has[WAYS];
    VkPhysicalDeviceDescriptorBufferPropertiesEXT limits;
    struct side sides[WAYS];
    VkDescriptorPool heap_pool, table_pool;
    VkDescriptorSet heap_set, sets[TABLES];
    struct raw_buffer data, heap, tables;
    VkImageView views[VIEWS];
    VkSampler sampler;
    size_t sizes[ELEMENTS]; ///< Of descriptors in the buffer,
    VkDeviceSize offsets[ELEMENTS], heap_offset, stride;
    uint8_t images[VIEWS][MAX_DESCRIPTOR], samplers[MAX_DESCRIPTOR]; ///< got ahead.
};

static void check(VkResult result, const char *what)
{
    raw_need(result == VK_SUCCESS, what);
}

// ---- the scene ----------------------------------------------------------------------------------

static void open_device(struct scene *s)
{
    raw_adapter_open(&s->dev);
    const char *const extension = VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME;
    VkPhysicalDeviceDescriptorBufferFeaturesEXT buffer = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
        .descriptorBuffer = VK_TRUE};
    s->has[SETS] = true;
    s->has[BUFFER] = raw_adapter_has(&s->dev, extension);
    VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = s->has[BUFFER] ? &buffer : NULL,
        .descriptorBindingPartiallyBound = VK_TRUE,
        .descriptorBindingSampledImageUpdateAfterBind = VK_TRUE,
        .descriptorBindingUpdateUnusedWhilePending = VK_TRUE,
        .descriptorIndexing = VK_TRUE,
        .bufferDeviceAddress = VK_TRUE};
    const VkPhysicalDeviceVulkan13Features all = raw_features(&features);
    raw_device_open(&s->dev, &extension, s->has[BUFFER], &all);
    s->limits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT;
    VkPhysicalDeviceProperties2 properties = {.sType =
                                                  VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = s->has[BUFFER] ? &s->limits : NULL};
    s->dev.vk.GetPhysicalDeviceProperties2(s->dev.adapter, &properties);
    const size_t sizes[ELEMENTS] = {
        s->limits.uniformBufferDescriptorSize, s->limits.storageBufferDescriptorSize,
        s->limits.sampledImageDescriptorSize, s->limits.samplerDescriptorSize};
    memcpy(s->sizes, sizes, sizeof sizes);
    for (int i = 0; i < ELEMENTS; ++i)
        raw_need(sizes[i] <= MAX_DESCRIPTOR, "room for a descriptor");
}

static void open_resources(struct scene *s)
{
    const struct raw_functions *vk = &s->dev.vk;
    raw_buffer_open(&s->dev, (VkDeviceSize)RANGE * TABLES,
                    VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                        VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                    &s->data);
    memset(s->data.bytes, 0, (size_t)RANGE * TABLES);
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = s->dev.image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .subresourceRange = {
            .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1}};
    for (int i = 0; i < VIEWS; ++i)
        check(vk->CreateImageView(s->dev.device, &view, NULL, &s->views[i]), "vkCreateImageView");
    const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    check(vk->CreateSampler(s->dev.device, &sampler, NULL, &s->sampler), "vkCreateSampler");
}

static void open_layouts(struct scene *s, enum way way)
{
    const struct raw_functions *vk = &s->dev.vk;
    struct side *side = &s->sides[way];
    const VkDescriptorSetLayoutCreateFlags flags =
        way == BUFFER ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0;
    VkDescriptorSetLayoutBinding bindings[ELEMENTS];
    for (uint32_t i = 0; i < ELEMENTS; ++i)
        bindings[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                     .descriptorType = types[i],
                                                     .descriptorCount = 1,
                                                     .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT};
    VkDescriptorSetLayoutCreateInfo info = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .flags = flags,
                                            .bindingCount = ELEMENTS,
                                            .pBindings = bindings};
    check(vk->CreateDescriptorSetLayout(s->dev.device, &info, NULL, &side->table_layout),
          "vkCreateDescriptorSetLayout");
    bindings[0].descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    bindings[0].descriptorCount = HEAP;
    const VkDescriptorBindingFlags how = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT |
                                         VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT |
                                         VK_DESCRIPTOR_BINDING_UPDATE_UNUSED_WHILE_PENDING_BIT;
    const VkDescriptorSetLayoutBindingFlagsCreateInfo hows = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 1,
        .pBindingFlags = &how};
    info.bindingCount = 1;
    if (way == SETS) {
        info.pNext = &hows;
        info.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT;
    }
    check(vk->CreateDescriptorSetLayout(s->dev.device, &info, NULL, &side->heap_layout),
          "vkCreateDescriptorSetLayout");
    const VkDescriptorSetLayout sets[] = {side->table_layout, side->heap_layout};
    const VkPushConstantRange root = {
        .stageFlags = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, .size = 64};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 2,
                                               .pSetLayouts = sets,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &root};
    check(vk->CreatePipelineLayout(s->dev.device, &layout, NULL, &side->layout),
          "vkCreatePipelineLayout");
}

static void open_pipeline(struct scene *s, enum way way)
{
    struct side *side = &s->sides[way];
    const struct raw_pipeline_desc desc = {
        .layout = side->layout,
        .vertex = raw_module(&s->dev, record_vert, sizeof record_vert),
        .fragment = raw_module(&s->dev, record_table_frag, sizeof record_table_frag),
        .flags = way == BUFFER ? VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT : 0,
        .cull = VK_CULL_MODE_NONE};
    side->pipeline = raw_pipeline(&s->dev, &desc);
    s->dev.vk.DestroyShaderModule(s->dev.device, desc.vertex, NULL);
    s->dev.vk.DestroyShaderModule(s->dev.device, desc.fragment, NULL);
}

static void open_sets(struct scene *s)
{
    const struct raw_functions *vk = &s->dev.vk;
    const VkDescriptorPoolSize images = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, HEAP};
    VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                       .flags = VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT,
                                       .maxSets = 1,
                                       .poolSizeCount = 1,
                                       .pPoolSizes = &images};
    check(vk->CreateDescriptorPool(s->dev.device, &pool, NULL, &s->heap_pool),
          "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = s->heap_pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &s->sides[SETS].heap_layout};
    check(vk->AllocateDescriptorSets(s->dev.device, &info, &s->heap_set),
          "vkAllocateDescriptorSets");
    VkDescriptorPoolSize sizes[ELEMENTS];
    for (int i = 0; i < ELEMENTS; ++i)
        sizes[i] = (VkDescriptorPoolSize){types[i], TABLES};
    pool.flags = 0;
    pool.maxSets = TABLES;
    pool.poolSizeCount = ELEMENTS;
    pool.pPoolSizes = sizes;
    check(vk->CreateDescriptorPool(s->dev.device, &pool, NULL, &s->table_pool),
          "vkCreateDescriptorPool");
}

/// A descriptor of element `e` of table `table`, as the driver writes it.
static void get_descriptor(struct scene *s, uint32_t e, uint32_t table, void *out)
{
    const VkDescriptorAddressInfoEXT range = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
        .address = s->data.address + (VkDeviceAddress)table * RANGE,
        .range = RANGE};
    const VkDescriptorImageInfo image = {.imageView = s->views[table % VIEWS],
                                         .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    VkDescriptorGetInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
                                   .type = types[e]};
    if (types[e] == VK_DESCRIPTOR_TYPE_SAMPLER)
        info.data.pSampler = &s->sampler;
    else if (types[e] == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE)
        info.data.pSampledImage = &image;
    else
        info.data.pUniformBuffer = &range; // pStorageBuffer lies in the same place
    s->dev.vk.GetDescriptorEXT(s->dev.device, &info, s->sizes[e], out);
}

static void open_buffers(struct scene *s)
{
    const struct raw_functions *vk = &s->dev.vk;
    const struct side *side = &s->sides[BUFFER];
    VkDeviceSize heap, table;
    vk->GetDescriptorSetLayoutSizeEXT(s->dev.device, side->heap_layout, &heap);
    vk->GetDescriptorSetLayoutSizeEXT(s->dev.device, side->table_layout, &table);
    vk->GetDescriptorSetLayoutBindingOffsetEXT(s->dev.device, side->heap_layout, 0,
                                               &s->heap_offset);
    for (uint32_t i = 0; i < ELEMENTS; ++i)
        vk->GetDescriptorSetLayoutBindingOffsetEXT(s->dev.device, side->table_layout, i,
                                                   &s->offsets[i]);
    const VkDeviceSize align = s->limits.descriptorBufferOffsetAlignment;
    s->stride = (table + align - 1) / align * align;
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    raw_buffer_open(&s->dev, heap, usage, &s->heap);
    raw_buffer_open(&s->dev, s->stride * TABLES,
                    usage | VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT, &s->tables);
    for (uint32_t i = 0; i < VIEWS; ++i)
        get_descriptor(s, 2, i, s->images[i]);
    get_descriptor(s, 3, 0, s->samplers);
}

static void scene_open(struct scene *s)
{
    open_device(s);
    open_resources(s);
    for (enum way way = SETS; way < WAYS; ++way) {
        if (!s->has[way])
            continue;
        open_layouts(s, way);
        open_pipeline(s, way);
    }
    open_sets(s);
    if (s->has[BUFFER])
        open_buffers(s);
}

static void scene_close(struct scene *s)
{
    const struct raw_functions *vk = &s->dev.vk;
    VkDevice device = s->dev.device;
    vk->DestroyDescriptorPool(device, s->heap_pool, NULL);
    vk->DestroyDescriptorPool(device, s->table_pool, NULL);
    for (int i = 0; i < VIEWS; ++i)
        vk->DestroyImageView(device, s->views[i], NULL);
    vk->DestroySampler(device, s->sampler, NULL);
    for (enum way way = SETS; way < WAYS; ++way) {
        struct side *side = &s->sides[way];
        if (!s->has[way])
            continue;
        vk->DestroyPipeline(device, side->pipeline, NULL);
        vk->DestroyPipelineLayout(device, side->layout, NULL);
        vk->DestroyDescriptorSetLayout(device, side->heap_layout, NULL);
        vk->DestroyDescriptorSetLayout(device, side->table_layout, NULL);
    }
    raw_buffer_close(&s->dev, &s->data);
    if (s->has[BUFFER]) {
        raw_buffer_close(&s->dev, &s->heap);
        raw_buffer_close(&s->dev, &s->tables);
    }
    raw_device_close(&s->dev);
}

// ---- the heap -----------------------------------------------------------------------------------

static uint32_t scattered(uint32_t i)
{
    return i * 7919u % HEAP;
}

static void fill_heap_write(const struct scene *s, uint32_t i, VkDescriptorImageInfo *image,
                            VkWriteDescriptorSet *write)
{
    *image = (VkDescriptorImageInfo){.imageView = s->views[i % VIEWS],
                                     .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    *write = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                    .dstSet = s->heap_set,
                                    .dstArrayElement = scattered(i),
                                    .descriptorCount = 1,
                                    .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                    .pImageInfo = image};
}

static void heap_set_each(struct scene *s)
{
    VkDescriptorImageInfo image;
    VkWriteDescriptorSet write;
    for (uint32_t i = 0; i < WRITES; ++i) {
        fill_heap_write(s, i, &image, &write);
        s->dev.vk.UpdateDescriptorSets(s->dev.device, 1, &write, 0, NULL);
    }
}

static void heap_set_all(struct scene *s)
{
    static VkDescriptorImageInfo images[WRITES];
    static VkWriteDescriptorSet writes[WRITES];
    for (uint32_t i = 0; i < WRITES; ++i)
        fill_heap_write(s, i, &images[i], &writes[i]);
    s->dev.vk.UpdateDescriptorSets(s->dev.device, WRITES, writes, 0, NULL);
}

static void *heap_entry(struct scene *s, uint32_t i)
{
    return (uint8_t *)s->heap.bytes + s->heap_offset + scattered(i) * s->sizes[2];
}

static void heap_buffer_get(struct scene *s)
{
    for (uint32_t i = 0; i < WRITES; ++i)
        get_descriptor(s, 2, i, heap_entry(s, i));
}

static void heap_buffer_copy(struct scene *s)
{
    for (uint32_t i = 0; i < WRITES; ++i)
        memcpy(heap_entry(s, i), s->images[i % VIEWS], s->sizes[2]);
}

// ---- tables -------------------------------------------------------------------------------------

static void allocate_sets(struct scene *s)
{
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = s->table_pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &s->sides[SETS].table_layout};
    check(s->dev.vk.ResetDescriptorPool(s->dev.device, s->table_pool, 0), "vkResetDescriptorPool");
    for (uint32_t i = 0; i < TABLES; ++i)
        check(s->dev.vk.AllocateDescriptorSets(s->dev.device, &info, &s->sets[i]),
              "vkAllocateDescriptorSets");
}

static void write_sets(struct scene *s)
{
    for (uint32_t i = 0; i < TABLES; ++i) {
        const VkDescriptorBufferInfo range = {s->data.handle, (VkDeviceSize)i * RANGE, RANGE};
        const VkDescriptorImageInfo image = {s->sampler, s->views[i % VIEWS],
                                             VK_IMAGE_LAYOUT_GENERAL};
        VkWriteDescriptorSet writes[ELEMENTS];
        for (uint32_t e = 0; e < ELEMENTS; ++e)
            writes[e] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                               .dstSet = s->sets[i],
                                               .dstBinding = e,
                                               .descriptorCount = 1,
                                               .descriptorType = types[e],
                                               .pImageInfo = &image,
                                               .pBufferInfo = &range};
        s->dev.vk.UpdateDescriptorSets(s->dev.device, ELEMENTS, writes, 0, NULL);
    }
}

static void make_sets(struct scene *s)
{
    allocate_sets(s);
    write_sets(s);
}

static void get_tables(struct scene *s)
{
    uint8_t *at = s->tables.bytes;
    for (uint32_t i = 0; i < TABLES; ++i, at += s->stride)
        for (uint32_t e = 0; e < ELEMENTS; ++e)
            get_descriptor(s, e, i, at + s->offsets[e]);
}

/// Images' and samplers' descriptors were got when the views were made.
static void copy_tables(struct scene *s)
{
    uint8_t *at = s->tables.bytes;
    for (uint32_t i = 0; i < TABLES; ++i, at += s->stride) {
        get_descriptor(s, 0, i, at + s->offsets[0]);
        get_descriptor(s, 1, i, at + s->offsets[1]);
        memcpy(at + s->offsets[2], s->images[i % VIEWS], s->sizes[2]);
        memcpy(at + s->offsets[3], s->samplers, s->sizes[3]);
    }
}

// ---- draws --------------------------------------------------------------------------------------

static void draw(const struct scene *s, enum way way, bool change)
{
    static const float root[16];
    const struct raw_functions *vk = &s->dev.vk;
    VkCommandBuffer cmd = s->dev.cmd;
    VkPipelineLayout layout = s->sides[way].layout;
    const uint32_t index = 0;
    for (uint32_t i = 0; i < DRAWS; ++i) {
        const uint32_t table = i % TABLES;
        const VkDeviceSize offset = table * s->stride;
        vk->CmdPushConstants(cmd, layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
                             0, sizeof root, root);
        if (!change && i > 0)
            ;
        else if (way == BUFFER)
            vk->CmdSetDescriptorBufferOffsetsEXT(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1,
                                                 &index, &offset);
        else
            vk->CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1,
                                      &s->sets[table], 0, NULL);
        vk->CmdDraw(cmd, 3, 1, 0, 0);
    }
}

static void print_draws(struct scene *s, enum way way, bool change)
{
    const struct raw_functions *vk = &s->dev.vk;
    uint64_t record = UINT64_MAX, run = UINT64_MAX;
    for (int i = 0; i < RUNS; ++i) {
        raw_begin_pass(&s->dev);
        vk->CmdBindPipeline(s->dev.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->sides[way].pipeline);
        const VkDescriptorBufferBindingInfoEXT where = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
            .address = s->tables.address,
            .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                     VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT |
                     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
        if (way == BUFFER)
            vk->CmdBindDescriptorBuffersEXT(s->dev.cmd, 1, &where);
        const uint64_t start = bench_thread_ns();
        draw(s, way, change);
        const uint64_t recorded = bench_thread_ns() - start, submitted = bench_wall_ns();
        raw_end_pass(&s->dev, true);
        const uint64_t ran = bench_wall_ns() - submitted;
        record = recorded < record ? recorded : record;
        run = ran < run ? ran : run;
    }
    printf("  %-8s %-34s %8.1f ns recorded, %8.1f ns run\n", way == BUFFER ? "buffer" : "sets",
           change ? "a draw with another table" : "a draw with the same table",
           (double)record / DRAWS, (double)run / DRAWS);
}

// ---- rows ---------------------------------------------------------------------------------------

static const struct row {
    enum way way;
    const char *name;
    void (*work)(struct scene *s);
    uint32_t count;
} rows[] = {
    {SETS, "a heap write, one call each", heap_set_each, WRITES},
    {SETS, "a heap write, all in one call", heap_set_all, WRITES},
    {BUFFER, "a heap write, got in place", heap_buffer_get, WRITES},
    {BUFFER, "a heap write, copied", heap_buffer_copy, WRITES},
    {SETS, "a table of 4, allocated and written", make_sets, TABLES},
    {SETS, "a table of 4, written again", write_sets, TABLES},
    {BUFFER, "a table of 4, got in place", get_tables, TABLES},
    {BUFFER, "a table of 4, half of it copied", copy_tables, TABLES},
};

static void print_row(struct scene *s, const struct row *row)
{
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < RUNS; ++i) {
        const uint64_t start = bench_thread_ns();
        row->work(s);
        const uint64_t time = bench_thread_ns() - start;
        best = time < best ? time : best;
    }
    printf("  %-8s %-34s %8.1f ns\n", row->way == BUFFER ? "buffer" : "sets", row->name,
           (double)best / row->count);
}

int main(void)
{
    static struct scene s;
    scene_open(&s);
    printf("descriptors on %s:\n", s.dev.name);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        if (s.has[rows[i].way])
            print_row(&s, &rows[i]);
    }
    for (int change = 0; change < 2; ++change)
        for (enum way way = SETS; way < WAYS; ++way) {
            if (s.has[way])
                print_draws(&s, way, change);
        }
    if (!s.has[BUFFER])
        printf("  the driver has no %s\n", VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME);
    scene_close(&s);
    return 0;
}
