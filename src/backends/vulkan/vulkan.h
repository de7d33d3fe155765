/// The Vulkan backend: Vulkan 1.3, its loader opened at run time.
///
/// Shape. Images are in the layout GENERAL from their first submission on (swapchain images between
/// acquire and present), so that Weft's stage barriers are plain memory barriers. Argument tables
/// are descriptor sets 0 to 2, the heap is set 3, the root block is push constants. Each command
/// buffer has a pool of its own, for Vulkan's pools take one thread at a time and Weft's do not.
/// What must happen outside of a render pass although it is recorded inside of one (resetting
/// queries) goes to a prologue, a second command buffer that is submitted in front; where that is
/// too early, and where what to do is known only at submission (resolving queries that may not have
/// been written), a command buffer goes on in another segment. Serials are the values of one
/// timeline semaphore a queue.
///
/// Windows. A swapchain whose place another takes is kept until what was submitted and presented of
/// it is over, which a fence tells (VK_EXT_swapchain_maintenance1), or else that an image of the
/// new one came round. So configuring waits for the device only when four are kept already, or when
/// no new one was made. At its end a surface waits.
///
/// Threads: as hal.h says. Core serialises submissions and surface calls; `queue.lock` keeps a
/// present apart from a submission.
#ifndef WF_VK_VULKAN_H
#define WF_VK_VULKAN_H

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "hal/hal.h"

#include "backends/vulkan/root_module.h"
#include "base/ranges.h"
#include "base/thread.h"

#include <stdatomic.h>

#define WF_VK_INSTANCE_EXTENSIONS    (WEFT_SURFACE_KIND_COUNT + 4)
#define WF_VK_ROOT_CHUNK             (64u << 10)
#define WF_VK_HEAP_SET               WF_HAL_SLOTS
#define WF_VK_EVENTS                 64u ///< Split barriers of one command buffer (sync.h).
#define WF_VK_STAGING_KEPT           (UINT64_C(1) << 20) ///< Bytes, with a command buffer.
#define WF_VK_MEMORY_CHUNK           (UINT64_C(64) << 20)
#define WF_VK_STREAMS                32u
#define WF_VK_DYNAMIC_OFFSETS        64u
#define WF_VK_HEAP_TEXTURES          65536u
#define WF_VK_HEAP_SAMPLERS          2048u
#define WF_VK_HEAP_ACCELERATIONS     1024u
#define WF_VK_ACCELERATION_ALIGNMENT 256u ///< Of structures and scratch memory.

struct wf_vk_device;

// ---- functions ---------------------------------------------------------------------------------

struct wf_vk_functions {
#define WF_VK_INSTANCE_FN(name)       PFN_vk##name name;
#define WF_VK_INSTANCE_OPTIONAL(name) PFN_vk##name name;
#define WF_VK_DEVICE_FN(name)         PFN_vk##name name;
#define WF_VK_DEVICE_OPTIONAL(name)   PFN_vk##name name;
#include "backends/vulkan/functions.def"
};

/// An opened loader and an instance of it.
struct wf_vk_instance {
    void *library;
    PFN_vkGetInstanceProcAddr get;
    VkInstance handle;
    VkDebugUtilsMessengerEXT messenger;
    bool debug_utils;
    bool shared; ///< The host's: not destroyed.
    bool surfaces[WEFT_SURFACE_KIND_COUNT];
    bool surface_maintenance;  ///< VK_EXT_surface_maintenance1, and what that needs.
    struct wf_vk_functions fn; ///< Only those of the instance.
};

/// What a physical device offers of what the backend knows, and who it is.
struct wf_vk_adapter {
    VkPhysicalDevice handle;
    VkPhysicalDeviceProperties2 properties;
    VkPhysicalDeviceVulkan11Properties properties11;
    VkPhysicalDeviceVulkan12Properties properties12;
    VkPhysicalDeviceVulkan13Properties properties13;
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceVulkan11Features features11;
    VkPhysicalDeviceVulkan12Features features12;
    VkPhysicalDeviceVulkan13Features features13;
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic3;
    VkPhysicalDeviceLineRasterizationFeaturesEXT lines;
    VkPhysicalDeviceShaderAtomicFloatFeaturesEXT float_atomics;
    VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT float_atomics2;
    VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR workgroup_layout;
    VkPhysicalDeviceFaultFeaturesEXT fault;
    VkPhysicalDeviceSwapchainMaintenance1FeaturesEXT swapchain_maintenance;
    VkPhysicalDeviceRobustness2FeaturesEXT robust;
    VkPhysicalDeviceAccelerationStructureFeaturesKHR acceleration;
    VkPhysicalDeviceAccelerationStructurePropertiesKHR acceleration_properties;
    VkPhysicalDeviceRayQueryFeaturesKHR ray_query;
    VkPhysicalDeviceMeshShaderFeaturesEXT mesh;
    VkPhysicalDeviceMeshShaderPropertiesEXT mesh_properties;
    VkPhysicalDeviceMemoryProperties memory;
    uint32_t extensions; ///< Bit set of enum wf_vk_extension.
    char withheld[sizeof((weft_capabilities *)0)->withheld];
    struct {
        uint32_t family, index;
        bool own; ///< Not another name of the graphics queue.
    } queues[WEFT_QUEUE_COUNT];
    bool timestamps;
    bool no_graphics;
};

/// Device extensions that the backend uses where they are there.
enum wf_vk_extension {
    WF_VK_EXT_SWAPCHAIN,
    WF_VK_EXT_SWAPCHAIN_MAINTENANCE,
    WF_VK_EXT_DYNAMIC_STATE_3,
    WF_VK_EXT_LINE_RASTERIZATION,
    WF_VK_EXT_FLOAT_ATOMICS,
    WF_VK_EXT_FLOAT_ATOMICS_2,
    WF_VK_EXT_WORKGROUP_LAYOUT,
    WF_VK_EXT_MEMORY_BUDGET,
    WF_VK_EXT_DEVICE_FAULT,
    WF_VK_EXT_ROBUSTNESS_2,
    WF_VK_EXT_MESH_SHADER,
    WF_VK_EXT_ACCELERATION,
    WF_VK_EXT_DEFERRED_HOST,
    WF_VK_EXT_RAY_QUERY,
    WF_VK_EXT_COUNT,
};

// ---- memory ------------------------------------------------------------------------------------

struct wf_vk_chunk;

/// A piece of device memory.
struct wf_vk_memory {
    VkDeviceMemory handle; ///< VK_NULL_HANDLE: none.
    uint64_t offset, size;
    uint8_t *mapped;           ///< Of `offset`; NULL for memory that is not mapped.
    struct wf_vk_chunk *chunk; ///< NULL: a dedicated allocation.
    uint32_t range;            ///< In the chunk.
    uint32_t type;
};

/// Chunks of one memory type, for buffers or for images.
struct wf_vk_chunks {
    struct wf_vk_chunk *first;
    uint64_t next_size;
};

// ---- objects -----------------------------------------------------------------------------------

struct wf_vk_block {
    struct wf_hal_memory_block base;
    struct wf_vk_memory memory;
    struct wf_vk_place *places; ///< Of what lies in it. Locked by memory_lock.
};

/// Where a resource lies in a block.
struct wf_vk_place {
    struct wf_vk_block *block; ///< NULL: it has memory of its own.
    struct wf_vk_place *next;
    uint64_t begin, end;
};

struct wf_vk_buffer {
    struct wf_hal_buffer base;
    VkBuffer handle;
    bool native;                ///< The host's: not destroyed.
    struct wf_vk_memory memory; ///< Handle null: placed.
    struct wf_vk_memory bound;  ///< Where it lies, placed or not.
    weft_queue_set queues;      ///< Those that it belongs to at once.
    struct wf_vk_place place;
    bool incoherent; ///< Writes of one side must be flushed to the other.
};

struct wf_vk_mips; ///< mips.c

struct wf_vk_texture {
    struct wf_hal_texture base;
    VkImage handle;
    bool native;                 ///< The host's: not destroyed.
    VkImageLayout layout;        ///< While it is fresh.
    VkImageLayout native_layout; ///< In WEFT_TEXTURE_STATE_NATIVE; UNDEFINED: GENERAL.
    VkImageAspectFlags aspects;
    struct wf_vk_memory memory; ///< Handle null: placed, or a swapchain's.
    struct wf_vk_place place;
    struct wf_vk_texture *fresh_next; ///< In the list of images that are still UNDEFINED.
    bool fresh;                       ///< Is in it. Locked by fresh_lock.
    uint64_t settled;                 ///< Submission that has its first barrier. Likewise.
    struct wf_vk_mips *mips;          ///< What making mips needs; NULL until first asked for.
};

/// One to three views of Vulkan: what a shader samples, what it stores to, what is attached.
struct wf_vk_texture_view {
    struct wf_hal_texture_view base;
    VkImageView sampled, storage, attached; ///< May be the same one, or null.
};

struct wf_vk_sampler {
    struct wf_hal_sampler base;
    VkSampler handle;
};

struct wf_vk_pool {
    struct wf_vk_pool *next;
    VkDescriptorPool handle;
    uint32_t left; ///< Sets that were not taken from it yet.
};

struct wf_vk_layout {
    struct wf_hal_layout base;
    struct wf_hal_argument *arguments;
    VkDescriptorSetLayout handle;
    struct wf_base_mutex lock; ///< Guards what follows.
    struct wf_vk_pool *pools;  ///< Newest first.
    struct wf_vk_table *free;  ///< Tables that were destroyed, with their sets.
    uint32_t made;
    uint32_t texel_count; ///< Elements that are texel buffers.
};

struct wf_vk_table {
    struct wf_hal_table base;
    VkDescriptorSet set;
    VkBufferView *texels; ///< By element; NULL if the layout has none.
    struct wf_vk_table *next;
};

/// A pipeline of Vulkan for one combination of what is not dynamic.
struct wf_vk_variant {
    struct wf_vk_variant *next;
    VkPipeline handle;
    weft_blend_state blend;
    weft_fill fill;
    bool split; ///< The fragment stage has a root block of its own.
};

struct wf_vk_pipeline {
    struct wf_hal_pipeline base;
    VkPipelineLayout layout;
    const struct wf_hal_layout *layouts[WF_HAL_SLOTS];
    VkPipeline handle;                   ///< Compute.
    struct wf_vk_variant *_Atomic first; ///< Graphics; a list that only grows, in front.
    struct wf_vk_recipe *recipe;         ///< How to make another variant.
    struct wf_base_mutex lock;           ///< While one is made.
    VkPipelineBindPoint point;
    uint32_t fragment_begin, fragment_end; ///< Bytes of the root block that the stage declares.
    uint32_t shared_begin, shared_end;     ///< Those that it and a stage before it do.
    /// Where these must differ, how much further on the fragment stage's block lies; 0: there is no
    /// room, both lie in memory.
    uint32_t root_shift;
    bool heap;
    bool colors; ///< It has a color target.
};

struct wf_vk_query_pool {
    struct wf_hal_query_pool base;
    VkQueryPool handle;
    _Atomic uint8_t *written; ///< By query: a command that writes it was submitted.
};

struct wf_vk_timeline {
    struct wf_hal_timeline base;
    VkSemaphore handle;
};

// ---- commands ----------------------------------------------------------------------------------

struct wf_vk_command_pool {
    struct wf_base_mutex lock;
    struct wf_vk_command *free;
    weft_queue queue;
};

/// A table as it was set.
struct wf_vk_bound {
    const struct wf_vk_table *table;
    uint32_t offset_count;
    uint32_t offsets[WF_VK_DYNAMIC_OFFSETS];
};

/// Queries that a command buffer writes.
struct wf_vk_query_write {
    struct wf_vk_query_pool *pool;
    uint32_t first, count;
};

/// Queries to be resolved.
struct wf_vk_resolve {
    struct wf_vk_query_pool *pool; ///< NULL: none.
    uint32_t first, count;
    VkBuffer to;
    uint64_t offset;
    size_t writes; ///< Of the writes of its command buffer those that come before.
};

/// A part of a command buffer.
struct wf_vk_segment {
    VkCommandBuffer handle, prologue;
    bool prologue_begun;
    struct wf_vk_resolve after; ///< Behind it, recorded when it is submitted.
};

struct wf_vk_command {
    struct wf_hal_command base;
    const struct wf_vk_functions *vk;
    VkCommandBuffer handle;
    struct wf_vk_pipeline *pipeline; ///< Of the current encoder.
    uint32_t dirty;                  ///< WF_VK_DIRTY_*
    VkPipeline bound_pipeline;
    struct wf_vk_bound bound[WF_HAL_SLOTS];
    weft_depth_stencil_state depth_stencil;
    weft_blend_state blend;
    weft_raster_state raster;
    bool state_set[3]; ///< The three above are those of the command buffer.
    bool rendering, root_split;
    bool blend_forgotten;              ///< The last pipeline had no colors.
    uint8_t root[2][WF_VK_ROOT_BYTES]; ///< As vertex and as fragment stages see it.
    struct {
        struct wf_vk_root_chunk *first, *at;
        uint32_t used; ///< Bytes of `at`.
    } roots;           ///< Memory of those that do not fit into push constants.
    weft_result failed;
    struct wf_vk_command_pool *pool;
    struct wf_vk_command *next;
    VkCommandPool native_pool;
    struct wf_vk_segment *segments; ///< `handle` is that of the last one in use.
    size_t segment_count, segments_made, segment_capacity;
    struct wf_vk_query_write *writes;
    size_t write_count, write_capacity;
    size_t writes_seen; ///< By the last resolve that comes between segments.
    uint32_t queried;   ///< Bit set of kinds: some were written or resolved in this segment.
    struct wf_hal_query_pool *times, *occlusion;
    uint32_t time_end;
    bool counting;                       ///< An occlusion query has begun.
    struct wf_vk_query_pool *statistics; ///< NULL: no such query has begun.
    uint32_t query, statistics_query;
    VkEvent events[WF_VK_EVENTS];
    weft_stage_set event_producers[WF_VK_EVENTS];
    uint64_t events_used;
    uint64_t events_again; ///< Those that cannot order by themselves: waits are whole barriers.
    struct wf_vk_staging *staging; ///< copy.c; the largest in front.
};

enum {
    WF_VK_DIRTY_SLOTS = (1u << WF_HAL_SLOTS) - 1u, ///< A bit a slot.
    WF_VK_DIRTY_HEAP = 1u << WF_HAL_SLOTS,
    WF_VK_DIRTY_PIPELINE = 1u << (WF_HAL_SLOTS + 1), ///< Another variant may be needed.
    WF_VK_DIRTY_ROOT = 1u << (WF_HAL_SLOTS + 2),     ///< The two halves of the root differ.
};

// ---- the device --------------------------------------------------------------------------------

struct wf_vk_queue {
    VkQueue handle;
    uint32_t family;
    struct wf_base_mutex *lock; ///< Of the family's queue: several names may stand for one.
    struct wf_base_mutex own_lock;
    VkSemaphore timeline;
};

/// One submission under way.
struct wf_vk_flight {
    uint64_t serial;
    weft_queue queue;
    bool done;
    struct wf_vk_command *commands; ///< A list.
};

/// What was not used yet: the next submission makes it ready.
struct wf_vk_fresh {
    struct wf_vk_texture *textures; ///< Still in layout UNDEFINED.
    /// By queue, the submission that last made some ready: those of other queues wait for it.
    uint64_t serials[WEFT_QUEUE_COUNT];
};

/// Pool and set are made when the first index is taken, or the first pipeline made that uses it.
struct wf_vk_heap {
    VkDescriptorSetLayout layout;
    struct wf_base_mutex lock; ///< Guards the making.
    VkDescriptorPool pool;
    VkDescriptorSet set;
};

struct wf_vk_device {
    struct wf_hal_device base;
    struct wf_vk_functions vk;
    VkDevice handle;
    VkDevice shared; ///< The host's, which is not destroyed; null: `handle` is Weft's.
    void (*lock_queue)(void *user, VkQueue queue); ///< The host's; may be NULL.
    void (*unlock_queue)(void *user, VkQueue queue);
    void *lock_user;
    struct {
        const char *extensions[WF_VK_EXT_COUNT];
        const char *instance_extensions[WF_VK_INSTANCE_EXTENSIONS];
    } told; ///< What a host that asked was told.
    struct wf_vk_instance instance;
    struct wf_vk_adapter adapter;
    struct wf_vk_queue queues[WEFT_QUEUE_COUNT];
    void (*message)(void *user, weft_severity severity, const char *id, const char *text);
    void *message_user;
    bool dynamic_blend; ///< Blend state is dynamic.
    bool dynamic_fill;  ///< Fill mode is dynamic.
    VkShaderStageFlags root_stages;
    uint32_t root_range; ///< Bytes of push constants in every layout.

    struct wf_base_mutex mips_lock;
    struct wf_base_mutex memory_lock;
    struct wf_vk_chunks chunks[VK_MAX_MEMORY_TYPES][2];
    uint32_t block_types[2]; ///< Memory types of blocks: for buffers and images, for buffers only.
    _Atomic uint64_t allocated;

    struct wf_base_mutex fresh_lock;
    struct wf_vk_fresh fresh; ///< Locked by it.

    VkDescriptorSetLayout empty_layout;
    VkPipelineLayout root_layout; ///< Only the root block.
    struct wf_vk_heap heap;
    VkPipelineCache pipeline_cache;
    struct wf_vk_mips_device *mips; ///< mips.c; made at first use.

    struct wf_base_mutex flight_lock;
    struct wf_vk_flight *flights; ///< A ring of submissions in order of serial.
    uint32_t flight_capacity, flight_head, flight_tail;
    struct {
        void *bytes;
        size_t size;
    } scratch;                 ///< Of the submission that is being made.
    _Atomic uint64_t finished; ///< All up to this serial are done.
    struct wf_hal_command_pool
        *service_pools[WEFT_QUEUE_COUNT]; ///< For the backend's own commands.

    _Atomic int lost;
    struct wf_base_mutex lost_lock;
    char lost_reason[WF_HAL_REASON_LENGTH];
};

static inline struct wf_vk_device *wf_vk_device(struct wf_hal_device *dev)
{
    return (struct wf_vk_device *)dev; // `base` is the first member
}
static inline struct wf_vk_command *wf_vk_command(struct wf_hal_command *cmd)
{
    return (struct wf_vk_command *)cmd;
}
static inline struct wf_vk_buffer *wf_vk_buffer(struct wf_hal_buffer *buf)
{
    return (struct wf_vk_buffer *)buf;
}
static inline struct wf_vk_texture *wf_vk_texture(struct wf_hal_texture *tex)
{
    return (struct wf_vk_texture *)tex;
}
static inline struct wf_vk_texture_view *wf_vk_texture_view(struct wf_hal_texture_view *view)
{
    return (struct wf_vk_texture_view *)view;
}
static inline struct wf_vk_query_pool *wf_vk_query_pool(struct wf_hal_query_pool *pool)
{
    return (struct wf_vk_query_pool *)pool;
}
static inline bool wf_vk_has(const struct wf_vk_device *dev, enum wf_vk_extension extension)
{
    return (dev->adapter.extensions & 1u << extension) != 0;
}

static inline VkImageLayout wf_vk_native_layout(const struct wf_vk_texture *tex)
{
    return tex->native_layout != VK_IMAGE_LAYOUT_UNDEFINED ? tex->native_layout
                                                           : VK_IMAGE_LAYOUT_GENERAL;
}

// device.c
weft_result wf_vk_meaning(VkResult result);
/// What a failure of Vulkan is for Weft. Takes note of a lost device; `what` says what failed.
weft_result wf_vk_result(struct wf_vk_device *dev, VkResult result, const char *what);
/// Names an object for debuggers. `label` may be NULL.
void wf_vk_name(struct wf_vk_device *dev, VkObjectType type, uint64_t handle, const char *label);

// instance.c
weft_result wf_vk_instance_open(struct wf_vk_instance *instance, bool validate,
                                char reason[WF_HAL_REASON_LENGTH]);
/// The functions of an opened device; those of the instance come along. False if one is missing.
bool wf_vk_device_load(const struct wf_vk_instance *instance, VkDevice device,
                       struct wf_vk_functions *out);
/// Makes the host's instance, whose `handle` and `get` are set, an instance of the backend's.
/// False if a function is missing.
bool wf_vk_instance_adopt(struct wf_vk_instance *instance,
                          bool (*enabled)(const void *user, const char *extension),
                          const void *user);
/// The extensions that are enabled and that the backend knows; returns how many.
uint32_t wf_vk_instance_extensions(const struct wf_vk_instance *instance,
                                   const char *out[WF_VK_INSTANCE_EXTENSIONS]);
void wf_vk_instance_close(struct wf_vk_instance *instance);
/// Calls wf_vk_device.message from now on for what a layer or the driver says.
void wf_vk_instance_listen(struct wf_vk_device *dev);

// adapter.c
/// Asks the device everything. False with a reason if the backend cannot use it.
bool wf_vk_adapter_read(const struct wf_vk_instance *instance, VkPhysicalDevice device,
                        struct wf_vk_adapter *out, char reason[WF_HAL_REASON_LENGTH]);
/// The queues of a host's device: a family for each, UINT32_MAX where the graphics queue stands for
/// it. False if one cannot do its work.
bool wf_vk_adapter_queues(const struct wf_vk_instance *instance, struct wf_vk_adapter *adapter,
                          const uint32_t families[WEFT_QUEUE_COUNT]);
/// Leaves only what a host enabled.
void wf_vk_adapter_limit(struct wf_vk_adapter *adapter, const VkPhysicalDeviceFeatures2 *features,
                         bool (*enabled)(const void *user, const char *extension),
                         const void *user);
/// What the backend is built on; false with a reason without a part of it. `lacks`: "lacks".
bool wf_vk_adapter_meets_needs(const struct wf_vk_adapter *adapter, const char *lacks,
                               char reason[WF_HAL_REASON_LENGTH]);
void wf_vk_adapter_capabilities(const struct wf_vk_instance *instance,
                                const struct wf_vk_adapter *adapter, weft_capabilities *out);
/// Links the structures of features, but for those of extensions that are not there.
void wf_vk_adapter_link(struct wf_vk_adapter *adapter);
const char *wf_vk_extension_name(enum wf_vk_extension extension);

// faults.c
/// Takes away what this driver is known to do wrong, and tells what in `withheld`.
void wf_vk_adapter_withhold(struct wf_vk_adapter *adapter);

// format.c
VkFormat wf_vk_format(weft_format format);
VkFormat wf_vk_vertex_format(weft_vertex_format format);
VkImageAspectFlags wf_vk_aspects(weft_aspect_set aspects);
VkImageAspectFlags wf_vk_format_aspects(weft_format format);
void wf_vk_formats_fill(const struct wf_vk_instance *instance, const struct wf_vk_adapter *adapter,
                        weft_capabilities *caps);

// memory.c
struct wf_vk_memory_request {
    VkMemoryRequirements needs;
    weft_memory memory;
    bool image;     ///< Optimally tiled.
    bool staging;   ///< Only the GPU's copies read it.
    bool transient; ///< May have no memory at all.
    bool dedicated; ///< The driver wants it alone.
    VkBuffer for_buffer;
    VkImage for_image; ///< Of a dedicated allocation.
};
weft_result wf_vk_memory_take(struct wf_vk_device *dev, const struct wf_vk_memory_request *request,
                              struct wf_vk_memory *out);
void wf_vk_memory_give(struct wf_vk_device *dev, struct wf_vk_memory *memory);
bool wf_vk_memory_is_coherent(const struct wf_vk_device *dev, uint32_t type);
/// The buffer over all of a chunk of buffers that a piece was cut from, or NULL.
struct wf_hal_buffer *wf_vk_memory_whole(const struct wf_vk_memory *memory);
/// Where the allocation ends that it is in, in bytes from its beginning.
uint64_t wf_vk_memory_end(const struct wf_vk_memory *memory);
/// Places a resource in a block. `*shared`: others lie in its memory. WEFT_ERROR_UNSUPPORTED: that
/// kind of memory does not suit it.
weft_result wf_vk_place_enter(struct wf_vk_device *dev, const struct wf_hal_placement *at,
                              const VkMemoryRequirements *needs, struct wf_vk_place *place,
                              bool *shared);
void wf_vk_place_leave(struct wf_vk_device *dev, struct wf_vk_place *place);
void wf_vk_memory_finish(struct wf_vk_device *dev);
void wf_vk_memory_init(struct wf_vk_device *dev);

// buffer.c, texture.c
void wf_vk_buffer_info(const struct wf_vk_device *dev, const weft_buffer_desc *desc,
                       VkBufferCreateInfo *out, uint32_t families[WEFT_QUEUE_COUNT]);
/// What vkCreateImage is told; the arrays it points to are in it.
struct wf_vk_image_info {
    VkImageCreateInfo info;
    VkImageFormatListCreateInfo list;
    VkFormat formats[2];
    uint32_t families[WEFT_QUEUE_COUNT];
};
void wf_vk_image_info(const struct wf_vk_device *dev, const weft_texture_desc *desc,
                      struct wf_vk_image_info *out);
/// Queue families for `queues`: fills `families`, returns how many; below 2 the object is
/// exclusive.
uint32_t wf_vk_families(const struct wf_vk_device *dev, weft_queue_set queues,
                        uint32_t families[WEFT_QUEUE_COUNT]);
/// The first submission from now on makes the image GENERAL.
void wf_vk_texture_is_fresh(struct wf_vk_device *dev, struct wf_vk_texture *tex);

// acceleration.c
/// Null for NULL.
VkAccelerationStructureKHR wf_vk_acceleration_handle(struct wf_hal_acceleration *structure);

// heap.c
VkResult wf_vk_heap_create(struct wf_vk_device *dev);
VkResult wf_vk_heap_need(struct wf_vk_device *dev); ///< Makes the set, unless it is there.
void wf_vk_heap_destroy(struct wf_vk_device *dev);

// root.c
/// Writes both root blocks to memory of the command buffer. False, with the command failed, if
/// there is none.
bool wf_vk_roots_write(struct wf_vk_command *cmd, VkDeviceAddress out[2]);
/// For commands: the GPU is to see what was written; all of it is free again; the end.
void wf_vk_roots_flush(struct wf_vk_command *cmd);
void wf_vk_roots_reset(struct wf_vk_command *cmd);
void wf_vk_roots_finish(struct wf_vk_device *dev, struct wf_vk_command *cmd);

// shader.c
VkResult wf_vk_shader_module(struct wf_vk_device *dev, const struct wf_shader_module *module,
                             const struct wf_vk_root_place *root, VkShaderModule *out);

// pipeline.c
/// The pipeline to bind for what was set, made now if it must be.
weft_result wf_vk_pipeline_variant(struct wf_vk_device *dev, struct wf_vk_pipeline *pipeline,
                                   const weft_blend_state *blend, weft_fill fill, bool split,
                                   VkPipeline *out);
bool wf_vk_blend_equal(const weft_blend_state *a, const weft_blend_state *b);

// state.c: values of Vulkan for values of Weft
VkCompareOp wf_vk_compare(weft_compare compare, VkCompareOp otherwise);
VkStencilOp wf_vk_stencil_op(weft_stencil_op op);
VkPipelineColorBlendAttachmentState wf_vk_blend_target(const weft_blend_state *blend,
                                                       uint32_t target);
VkShaderStageFlags wf_vk_stages(weft_shader_stages stages);
/// Stages and accesses of a barrier's first (`writes`) or second side.
void wf_vk_scope(const struct wf_hal_command *at, weft_stage_set stages, bool writes,
                 weft_hazard_set hazards, VkPipelineStageFlags2 *stage_mask,
                 VkAccessFlags2 *access_mask);

// command.c
/// The command buffer in front of this one, or null if it could not be begun.
VkCommandBuffer wf_vk_prologue(struct wf_vk_command *cmd);
/// Goes on in another segment. `after` (NULL: nothing) is resolved between.
void wf_vk_command_split(struct wf_vk_command *cmd, const struct wf_vk_resolve *after);
void wf_vk_command_recycle(struct wf_vk_command *cmd);
/// Nothing is known of what is set and bound.
void wf_vk_command_forget(struct wf_vk_command *cmd);
/// Recording failed; the first result stays.
void wf_vk_command_fail(struct wf_vk_command *cmd, weft_result result);
/// A full memory barrier between two uses of the same command buffer.
void wf_vk_memory_barrier(struct wf_vk_command *cmd, VkPipelineStageFlags2 from,
                          VkAccessFlags2 from_access, VkPipelineStageFlags2 to,
                          VkAccessFlags2 to_access);

// copy.c
/// Frees the buffers that copies went through, but for the largest, if it has at most `keep` bytes.
void wf_vk_staging_trim(struct wf_vk_command *cmd, uint64_t keep);

// query.c
/// Before a pass: its queries are reset in the prologue, which must not be too early.
void wf_vk_query_begin_pass(struct wf_vk_command *cmd, const struct wf_hal_render_pass *pass);
void wf_vk_write_time(struct wf_vk_command *cmd, struct wf_hal_query_pool *times, uint32_t query);
/// Records into `to` what is resolved behind a segment of command `index` of a submission.
void wf_vk_resolve_late(struct wf_vk_command *to, const struct wf_vk_resolve *resolve,
                        const struct wf_hal_submit *submit, uint32_t index);
/// The command was submitted: what it writes is written.
void wf_vk_queries_submitted(const struct wf_vk_command *cmd);

// queue.c
/// A barrier of a whole image between layouts, of everything.
VkImageMemoryBarrier2 wf_vk_layout_change(const struct wf_vk_texture *tex, VkImageLayout from,
                                          VkImageLayout to);
weft_result wf_vk_queue_init(struct wf_vk_device *dev);
void wf_vk_queue_finish(struct wf_vk_device *dev);

/// Around each use of a queue.
void wf_vk_queue_lock(struct wf_vk_device *dev, const struct wf_vk_queue *queue);
void wf_vk_queue_unlock(struct wf_vk_device *dev, const struct wf_vk_queue *queue);
/// Waits until no queue works.
void wf_vk_quiet(struct wf_vk_device *dev);

// interop.c
/// Takes the host's device: everything but `handle` and `vk`. WEFT_ERROR_USAGE or UNSUPPORTED, with
/// a reason.
weft_result wf_vk_share(struct wf_vk_device *dev, const weft_native *native,
                        char reason[WF_HAL_REASON_LENGTH]);
/// Takes the host's image or buffer. WEFT_ERROR_USAGE, with a reason in `native`.
weft_result wf_vk_image_adopt(struct wf_vk_device *dev, struct wf_hal_native *native,
                              const weft_texture_desc *desc, struct wf_vk_texture *tex);
weft_result wf_vk_buffer_adopt(struct wf_vk_device *dev, struct wf_hal_native *native,
                               const weft_buffer_desc *desc, struct wf_vk_buffer *buf);

// mips.c
void wf_vk_mips_drop(struct wf_vk_device *dev, struct wf_vk_texture *tex);
void wf_vk_mips_finish(struct wf_vk_device *dev);

// window.c
/// Whether the adapter can present to a window.
bool wf_vk_window_presents(const struct wf_vk_instance *instance,
                           const struct wf_vk_adapter *adapter, const weft_surface_target *target);

// surface.c
/// What the first submission that names the acquired image must do before anything else.
struct wf_vk_first_use {
    VkSemaphore wait;                    ///< Null: for none.
    VkCommandBuffer ready;               ///< Of the graphics queue's family.
    const struct wf_vk_texture *texture; ///< The image, which `ready` makes GENERAL.
    const uint64_t *uses;                ///< By queue, the submission that last used it.
};
/// False if it is not the first.
bool wf_vk_surface_first_use(struct wf_hal_surface *base, struct wf_vk_first_use *out);
/// A submission to `queue` named the surface.
void wf_vk_surface_used(struct wf_hal_surface *base, weft_queue queue, uint64_t serial);
/// That submission was made.
void wf_vk_surface_submitted(struct wf_hal_surface *base, uint64_t serial);

// The hooks of the hal, each in the file of its object.
#define WF_HAL_HOOK(result, name, parameters) result wf_vk_##name parameters;
#include "hal/hooks.def"

#endif
