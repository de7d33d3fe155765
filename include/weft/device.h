/// \file device.h
/// A device is the session: it owns every object, validates every call and explains itself.
///
/// Threads: all functions that take a `weft_device *` may be called from any thread, except
/// weft_device_shutdown() and weft_device_destroy(), which need every other call to have returned.
/// One rule is the host's: a call that destroys or rebinds an object, and any other call that is
/// given the object or its handle, must not run at the same time on two threads. A handle that was
/// destroyed before a call began is reported; one that goes while a call runs is not seen.
#ifndef WEFT_DEVICE_H
#define WEFT_DEVICE_H

#include <weft/base.h>
#include <weft/format.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Implementations, best first.
typedef enum weft_backend {
    WEFT_BACKEND_VULKAN = 0,
    WEFT_BACKEND_METAL,
    WEFT_BACKEND_D3D12,
    WEFT_BACKEND_D3D11,
    WEFT_BACKEND_OPENGL,
    WEFT_BACKEND_WEBGPU,
    WEFT_BACKEND_WEBGL2,
    WEFT_BACKEND_SOFTWARE, ///< Weft's own device on the CPU.
    WEFT_BACKEND_NOOP,     ///< Does nothing and counts it; chosen only by name.
    WEFT_BACKEND_COUNT,
} weft_backend;

/// Lower-case name, such as "software"; "unknown" for any other value.
WEFT_API const char *weft_backend_name(weft_backend backend);
/// The backend of that name, or WEFT_BACKEND_COUNT.
WEFT_API weft_backend weft_backend_from_name(const char *name);
/// Whether this build of the library holds that backend.
WEFT_API bool weft_backend_is_built(weft_backend backend);

/// Bit set of (1u << weft_backend).
typedef uint32_t weft_backend_set;

// ---- capabilities ------------------------------------------------------------------------------

/// Bit set of WEFT_FEATURE_*. A bit is set only where the whole way from this API to the device
/// works.
typedef uint64_t weft_feature_set;
#define WEFT_FEATURE_POINTERS       (UINT64_C(1) << 0) ///< weft_gpu_ptr in shaders.
#define WEFT_FEATURE_HEAP           (UINT64_C(1) << 1) ///< The bindless heap (set 3).
#define WEFT_FEATURE_COMPUTE        (UINT64_C(1) << 2)
#define WEFT_FEATURE_INDIRECT_DRAWS (UINT64_C(1) << 3)
#define WEFT_FEATURE_INDIRECT_COUNT (UINT64_C(1) << 4) ///< Draw count read from a buffer.
#define WEFT_FEATURE_INDIRECT_FIRST_INSTANCE                                                       \
    (UINT64_C(1) << 5) ///< first_instance != 0 in arguments.
#define WEFT_FEATURE_MULTI_DRAW              (UINT64_C(1) << 6) ///< More than one draw per indirect call.
#define WEFT_FEATURE_MULTIPLE_RENDER_TARGETS (UINT64_C(1) << 7)
#define WEFT_FEATURE_STENCIL_CLIPS           (UINT64_C(1) << 8)
#define WEFT_FEATURE_INT64                   (UINT64_C(1) << 9)
#define WEFT_FEATURE_FLOAT16                 (UINT64_C(1) << 10)
#define WEFT_FEATURE_FLOAT64                 (UINT64_C(1) << 11)
#define WEFT_FEATURE_SUBGROUPS               (UINT64_C(1) << 12) ///< See weft_limits.subgroup_size.
#define WEFT_FEATURE_MESH_SHADERS            (UINT64_C(1) << 13)
#define WEFT_FEATURE_RAY_QUERY               (UINT64_C(1) << 14)
#define WEFT_FEATURE_LINE_FILL               (UINT64_C(1) << 15)
#define WEFT_FEATURE_TIMESTAMPS              (UINT64_C(1) << 16) ///< At pass edges.
#define WEFT_FEATURE_TIMESTAMPS_ANYWHERE     (UINT64_C(1) << 17) ///< Between any two commands.
#define WEFT_FEATURE_OCCLUSION_QUERIES       (UINT64_C(1) << 18)
#define WEFT_FEATURE_PIPELINE_STATISTICS     (UINT64_C(1) << 19)
#define WEFT_FEATURE_DYNAMIC_BLEND           (UINT64_C(1) << 20) ///< No pipeline variants for blend state.
#define WEFT_FEATURE_DUAL_SOURCE             (UINT64_C(1) << 21)
#define WEFT_FEATURE_SPLIT_BARRIERS          (UINT64_C(1) << 22)
#define WEFT_FEATURE_TIMELINE_ANY_ORDER      (UINT64_C(1) << 23) ///< Waits may precede their signal.
#define WEFT_FEATURE_BLOCKING_WAIT           (UINT64_C(1) << 24) ///< The platform can block a thread.
#define WEFT_FEATURE_TEXTURE_VIEWS           (UINT64_C(1) << 25) ///< Views with another format.
#define WEFT_FEATURE_MULTISAMPLE             (UINT64_C(1) << 26) ///< 4 samples at least.
#define WEFT_FEATURE_SAMPLE_SHADING          (UINT64_C(1) << 27)
#define WEFT_FEATURE_DEPTH_CLAMP             (UINT64_C(1) << 28)
#define WEFT_FEATURE_DEPTH_BIAS              (UINT64_C(1) << 29)
#define WEFT_FEATURE_CUBE_ARRAYS             (UINT64_C(1) << 30)
#define WEFT_FEATURE_ANISOTROPY              (UINT64_C(1) << 31)
#define WEFT_FEATURE_BC                      (UINT64_C(1) << 32)
#define WEFT_FEATURE_ETC2                    (UINT64_C(1) << 33)
#define WEFT_FEATURE_ASTC                    (UINT64_C(1) << 34)
#define WEFT_FEATURE_PLACED_RESOURCES        (UINT64_C(1) << 35) ///< Memory blocks, aliasing.
#define WEFT_FEATURE_ROOT_STRIDE             (UINT64_C(1) << 36) ///< Per-draw root in indirect draws.
#define WEFT_FEATURE_STORAGE_IN_VERTEX       (UINT64_C(1) << 37) ///< Storage buffers in vertex shaders.
#define WEFT_FEATURE_FRAGMENT_STORES         (UINT64_C(1) << 38)
#define WEFT_FEATURE_INDEPENDENT_BLEND       (UINT64_C(1) << 39)
#define WEFT_FEATURE_CLIP_DISTANCE           (UINT64_C(1) << 40)
#define WEFT_FEATURE_GLSL                    (UINT64_C(1) << 41) ///< Shaders may be given as GLSL text.
#define WEFT_FEATURE_STENCIL                 (UINT64_C(1) << 42) ///< Stencil test and operations.
#define WEFT_FEATURE_TEXTURES_1D             (UINT64_C(1) << 43)
#define WEFT_FEATURE_TEXTURES_3D             (UINT64_C(1) << 44)
#define WEFT_FEATURE_TEXTURE_ARRAYS          (UINT64_C(1) << 45)
#define WEFT_FEATURE_STORAGE_TEXTURES        (UINT64_C(1) << 46)
#define WEFT_FEATURE_POINTS_AND_LINES        (UINT64_C(1) << 47)
#define WEFT_FEATURE_ALPHA_TO_COVERAGE       (UINT64_C(1) << 48)
#define WEFT_FEATURE_PRIMITIVE_RESTART       (UINT64_C(1) << 49)
#define WEFT_FEATURE_GENERATE_MIPS           (UINT64_C(1) << 50)
#define WEFT_FEATURE_PIPELINE_CACHE          (UINT64_C(1) << 51) ///< weft_device_desc.pipeline_cache.
#define WEFT_FEATURE_GPU_HEAP_WRITES         (UINT64_C(1) << 52) ///< weft_compute_write_heap().
#define WEFT_FEATURE_RESIDENCY               (UINT64_C(1) << 53)
#define WEFT_FEATURE_LAYERED_RENDERING                                                             \
    (UINT64_C(1) << 54) ///< Passes over several layers; Layer in shaders.
/// Atomics of 64-bit integers in buffers and workgroup memory.
#define WEFT_FEATURE_INT64_ATOMICS (UINT64_C(1) << 55)
/// Atomics of floats in buffers, workgroup memory, and textures of R32_FLOAT if that has
/// WEFT_FORMAT_CAN_ATOMIC: load, store, exchange and add.
#define WEFT_FEATURE_FLOAT_ATOMICS (UINT64_C(1) << 56)
/// Their minimum and maximum, too. Only together with float_atomics.
#define WEFT_FEATURE_FLOAT_MIN_MAX_ATOMICS (UINT64_C(1) << 57)
/// Pointers into buffers and workgroup memory that a shader chooses as it runs (SPIR-V's
/// VariablePointers).
#define WEFT_FEATURE_VARIABLE_POINTERS (UINT64_C(1) << 58)
/// Blocks in workgroup memory, which have a layout and lie in one place.
#define WEFT_FEATURE_WORKGROUP_LAYOUT (UINT64_C(1) << 59)
/// What float_atomics are, also of doubles, but not in textures. Only together with both.
#define WEFT_FEATURE_FLOAT64_ATOMICS (UINT64_C(1) << 60)
/// Subgroups in vertex shaders, too. Only together with subgroups.
#define WEFT_FEATURE_SUBGROUPS_IN_VERTEX (UINT64_C(1) << 61)

/// Name of the feature with bit number `bit` (0–63), such as "pointers"; NULL if there is none.
WEFT_API const char *weft_feature_name(uint32_t bit);

/// Numbers that a device promises. In weft_requirements, zero asks for nothing.
typedef struct weft_limits {
    uint64_t max_buffer_size; ///< Bytes.
    uint32_t max_texture_1d, max_texture_2d, max_texture_3d,
        max_texture_layers;                                      ///< Texels, layers.
    uint32_t max_color_targets;                                  ///< 1–8.
    uint32_t max_samples;                                        ///< 1, 2, 4 or 8.
    uint32_t max_root_bytes;                                     ///< At least 128.
    uint32_t max_vertex_streams;                                 ///< At least 8.
    uint32_t max_vertex_attributes;                              ///< At least 16.
    uint32_t max_vertex_stride;                                  ///< Bytes; at least 2048.
    uint32_t max_dynamic_offsets;                                ///< Per argument table.
    uint32_t max_uniform_range, max_storage_range;               ///< Bytes bound at once.
    uint32_t uniform_offset_alignment, storage_offset_alignment; ///< Bytes; powers of two.
    uint32_t max_texel_elements;     ///< The most texels of one texel buffer.
    uint32_t texel_offset_alignment; ///< Of texel buffers: bytes; a power of two.
    uint32_t copy_offset_alignment, copy_row_alignment; ///< Bytes; below them a copy is staged.
    uint32_t max_uniform_buffers, max_storage_buffers, max_sampled_textures, max_storage_textures,
        max_samplers;                              ///< Per shader stage, tables only.
    uint32_t max_heap_textures, max_heap_samplers; ///< Heap entries; 0 without the heap.
    uint32_t max_workgroup_size[3], max_workgroup_invocations, max_workgroup_memory, max_workgroups;
    // Task and mesh shaders; 0 without WEFT_FEATURE_MESH_SHADERS. What Vulkan has for each of the
    // two is the smaller one here.
    uint32_t max_mesh_workgroups, max_mesh_workgroups_total; ///< Each way, and multiplied.
    uint32_t max_mesh_workgroup_size[3], max_mesh_workgroup_invocations;
    uint32_t max_mesh_workgroup_memory;                            ///< Bytes, the payload included.
    uint32_t max_task_payload;                                     ///< Bytes.
    uint32_t max_mesh_output_vertices, max_mesh_output_primitives; ///< Of one workgroup.
    uint32_t max_mesh_output_components; ///< 32-bit ones of a vertex and of its primitive together.
    // Acceleration structures; 0 without WEFT_FEATURE_RAY_QUERY.
    uint32_t max_geometries, max_geometry_primitives, max_instances; ///< Of one structure.
    uint32_t max_acceleration_structures; ///< Per shader stage, tables only.
    uint32_t max_heap_accelerations;      ///< Heap entries; 0 without the heap.
    uint32_t max_indirect_count;          ///< Draws per indirect call.
    uint32_t max_viewport;                ///< Texels per side.
    uint32_t max_clip_distances;
    /// Most invocations in a subgroup; 0 without WEFT_FEATURE_SUBGROUPS, which is the basic, vote,
    /// ballot, arithmetic, shuffle (relative, too), clustered and quad operations of fragment and
    /// compute shaders. Rotation is refused where the driver lacks it. On the software device all
    /// have this size; other drivers may choose a smaller one for a pipeline, so that shaders read
    /// gl_SubgroupSize.
    uint32_t subgroup_size;
    float max_anisotropy;   ///< 1 without anisotropic filtering.
    float timestamp_period; ///< Nanoseconds per tick; 0 without timestamps.
} weft_limits;

/// What textures of one format can be used for. A bit set of WEFT_FORMAT_CAN_*.
typedef uint32_t weft_format_caps;
enum {
    WEFT_FORMAT_CAN_SAMPLE = 1u << 0,
    WEFT_FORMAT_CAN_FILTER = 1u << 1,
    WEFT_FORMAT_CAN_STORE = 1u << 2, ///< Storage reads and writes.
    WEFT_FORMAT_CAN_RENDER = 1u << 3,
    WEFT_FORMAT_CAN_BLEND = 1u << 4,
    WEFT_FORMAT_CAN_DEPTH_STENCIL = 1u << 5,
    WEFT_FORMAT_CAN_RESOLVE = 1u << 6,
    WEFT_FORMAT_CAN_COPY = 1u << 7,
    WEFT_FORMAT_CAN_ATOMIC = 1u << 8, ///< Of R32_FLOAT only with WEFT_FEATURE_FLOAT_ATOMICS.
    WEFT_FORMAT_CAN_MSAA_4 = 1u << 9, ///< Four samples; 2 and 8 are the next bits.
    WEFT_FORMAT_CAN_MSAA_2 = 1u << 10,
    WEFT_FORMAT_CAN_MSAA_8 = 1u << 11,
    // Of texel buffers, which need nothing of the above.
    WEFT_FORMAT_CAN_LOAD_TEXELS = 1u << 12,  ///< Uniform texel buffers.
    WEFT_FORMAT_CAN_STORE_TEXELS = 1u << 13, ///< Storage texel buffers.
};

typedef enum weft_adapter_type {
    WEFT_ADAPTER_UNKNOWN = 0,
    WEFT_ADAPTER_DISCRETE,
    WEFT_ADAPTER_INTEGRATED,
    WEFT_ADAPTER_VIRTUAL,
    WEFT_ADAPTER_CPU,
    WEFT_ADAPTER_NONE, ///< The noop backend.
} weft_adapter_type;

/// What a device can do, and who it is. Copied; holds no pointers into the device.
typedef struct weft_capabilities {
    weft_backend backend;
    weft_adapter_type type;
    char name[128];   ///< UTF-8, terminated.
    char driver[128]; ///< Driver and version.
    /// What the driver offers and is known to do wrong, so that Weft doesn't offer it; each with
    /// the reason, "; " between. "": nothing.
    char withheld[384];
    uint64_t memory; ///< Bytes of device memory; 0 if unknown.
    uint32_t graphics_queues, compute_queues,
        copy_queues; ///< Own queues; 0 means the graphics queue.
    weft_feature_set features;
    weft_limits limits;
    weft_format_caps formats[WEFT_FORMAT_COUNT];
} weft_capabilities;

/// Needs of a program. Zero-initialised: none.
typedef struct weft_requirements {
    weft_feature_set features;
    weft_limits limits; ///< Zero fields ask for nothing.
    struct weft_format_requirement {
        weft_format format;
        weft_format_caps caps;
    } formats[8]; ///< Until the first NONE.
} weft_requirements;

// ---- host hooks --------------------------------------------------------------------------------

/// A structured message. All pointers live only during the callback.
typedef struct weft_diagnostic {
    uint32_t code; ///< W number; the page is behind `weft explain`. 0: no rule behind it.
    weft_severity severity;
    weft_object object;  ///< What it is about, or kind NONE.
    uint64_t command;    ///< The origin set by weft_command_set_origin(), or UINT64_MAX.
    const char *label;   ///< Label of the object; "" if it has none.
    const char *pass;    ///< Label of the pass; "" outside of one.
    const char *message; ///< One sentence: the thing, the rule, the value.
    const char *hint;    ///< The remedy; "" if there is none.
} weft_diagnostic;

typedef struct weft_host_hooks {
    /// Memory for the library: `align` is a power of two; NULL is out of memory. Any thread.
    void *(*alloc)(void *user, size_t size, size_t align);
    void (*free)(void *user, void *ptr, size_t size);
    /// Called for every diagnostic that no error scope takes, on the thread that caused it. Must
    /// not call back into the device.
    void (*diagnostic)(void *user, const weft_diagnostic *diagnostic);
    /// Progress and environment messages. Any thread.
    void (*log)(void *user, weft_severity severity, const char *message);
    void *user;
} weft_host_hooks;

// ---- starting ----------------------------------------------------------------------------------

typedef enum weft_validation {
    WEFT_VALIDATION_DEFAULT = 0, ///< FULL in debug builds of the library, ERRORS otherwise.
    WEFT_VALIDATION_OFF,         ///< Handle generations and encoder states only.
    WEFT_VALIDATION_ERRORS,      ///< Every rule.
    WEFT_VALIDATION_FULL,        ///< Also performance notes, and barriers that are missing or not
                                 ///< needed, as docs/barriers.md says.
} weft_validation;

typedef uint32_t weft_device_flags;
enum {
    WEFT_DEVICE_PORTABILITY_LINT = 1u << 0, ///< Also check against every backend's limits.
};

/// How shaders run on the software device.
typedef enum weft_software_tier {
    WEFT_SOFTWARE_TIER_DEFAULT = 0, ///< The fastest there is.
    WEFT_SOFTWARE_TIER_INTERPRETER,
} weft_software_tier;

/// Options of the software device. Zero-initialised: sensible.
typedef struct weft_software_options {
    uint32_t threads; ///< Worker threads, the submitting one included; 0: one per core.
    weft_software_tier tier;
    uint32_t subgroup_size; ///< 4, 8, 16 or 32; 0: 32.
    uint64_t shader_budget; ///< Instructions per invocation before it is stopped; 0: 2^26.
    /// Draws and dispatches with atomics on buffers or textures run on one thread, in order, so
    /// that what depends on the order of atomics is always the same: the old values that they
    /// return, above all. Those that add floats there always do.
    bool serial_atomics;
} weft_software_options;

typedef struct weft_surface_target weft_surface_target; ///< surface.h

/// Parameters of weft_device_start(). Zero-initialise, then set what differs.
typedef struct weft_device_desc {
    weft_backend_set backends;          ///< 0: all but noop, best first; one bit: no fallback.
    const weft_surface_target *surface; ///< Present here: OpenGL needs it at birth. NULL: none.
    weft_requirements require;          ///< A device without these is not started.
    weft_requirements prefer;           ///< Among adapters, one with these is taken first.
    weft_validation validation;
    weft_device_flags flags;
    uint32_t frames_in_flight;    ///< 1–4; 0: 2.
    const weft_host_hooks *hooks; ///< Copied; NULL or NULL members: the C library, stderr.
    const weft_software_options *software;
    /// A file in which the driver's work on pipelines is kept from one run to the next: read now,
    /// if it is whole and of this adapter and driver, and replaced at shutdown if there is more.
    /// Copied. NULL: none; needs WEFT_FEATURE_PIPELINE_CACHE, without which it changes nothing.
    const char *pipeline_cache;
    /// The host's own device, shared with Weft: weft/interop/. NULL: none.
    const weft_native *native;
    const char *label;
} weft_device_desc;

typedef enum weft_device_state {
    WEFT_DEVICE_STARTING = 0,
    WEFT_DEVICE_READY,
    WEFT_DEVICE_FAILED,
    WEFT_DEVICE_LOST,
    WEFT_DEVICE_SHUT_DOWN,
} weft_device_state;

/// What became of one backend at start-up.
typedef struct weft_startup_record {
    weft_backend backend;
    bool started;     ///< This one is the device.
    char reason[192]; ///< Why it was skipped or failed, with the first unmet requirement; "" if
                      ///< started.
} weft_startup_record;

typedef struct weft_startup {
    weft_device_state state;
    uint32_t record_count;
    weft_startup_record records[WEFT_BACKEND_COUNT]; ///< In the order tried.
    const weft_capabilities *capabilities;           ///< The snapshot; only while READY, else NULL.
} weft_startup;

/// Starts a device; returns at once, perhaps while it is still STARTING. `desc` may be NULL.
/// `*out` is never NULL unless the host's memory is exhausted: a device that FAILED tells why
/// through weft_device_startup().
WEFT_API weft_result weft_device_start(const weft_device_desc *desc, weft_device **out);

/// Where the start stands. Cheap.
WEFT_API weft_startup weft_device_startup(weft_device *device);

/// Blocks until the device is READY (WEFT_OK) or has FAILED (the reason's result), at most
/// `timeout_ns`.
WEFT_API weft_result weft_device_wait(weft_device *device, uint64_t timeout_ns);

/// The capability snapshot of a READY device; NULL otherwise.
WEFT_API const weft_capabilities *weft_device_capabilities(weft_device *device);

/// The level of validation that it runs at, never DEFAULT; OFF for NULL. Any thread.
WEFT_API weft_validation weft_device_validation(const weft_device *device);

/// Ends everything: waits for the GPU, invalidates handles and callbacks, reports leaked objects,
/// open command buffers and frames with their labels (severity WARNING), then releases. Idempotent.
/// Later calls fail cheaply. What is no handle goes with it: open frames, command buffers, encoders
/// and mapped memory must not be touched afterwards.
WEFT_API void weft_device_shutdown(weft_device *device);

/// weft_device_shutdown(), then frees `device` itself. NULL does nothing.
WEFT_API void weft_device_destroy(weft_device *device);

/// Completes reads, retirements and callbacks without blocking. Returns the newest finished serial.
WEFT_API uint64_t weft_device_poll(weft_device *device);

/// Blocks until every submission has finished and everything retired is released.
WEFT_API weft_result weft_device_wait_idle(weft_device *device);

/// Bytes in use and available to this process. Zero where unknown.
typedef struct weft_memory_budget {
    uint64_t used, available; ///< Of the device's memory.
    uint64_t upload_used;     ///< Held by the upload belt.
    uint64_t retired;         ///< Waiting for the GPU before they are freed.
} weft_memory_budget;
WEFT_API weft_memory_budget weft_device_memory_budget(weft_device *device);

/// What was recorded and submitted since the start; on the noop backend, proof that it arrived.
/// Builds of acceleration structures count as dispatches.
typedef struct weft_device_counters {
    uint64_t submissions, command_buffers, render_passes, draws, dispatches, copies, barriers;
    uint64_t pipeline_variants; ///< Built because a state was not listed.
    uint64_t allocations;       ///< Heap allocations made by the library.
} weft_device_counters;
WEFT_API weft_device_counters weft_device_get_counters(weft_device *device);

/// Ties `data` of a client library to the device under `key` (the address of an object of the
/// client's); `destroy` is called once at shutdown, before handles die. WEFT_ERROR_USAGE if `key`
/// is taken. At most 16. `data` and `destroy` may be NULL.
WEFT_API weft_result weft_device_attach(weft_device *device, const void *key, void *data,
                                        void (*destroy)(weft_device *device, void *data));
/// What was attached under `key`; NULL if nothing.
WEFT_API void *weft_device_attached(weft_device *device, const void *key);

/// Memory from the device's allocator, counted with its own; aligned for every standard type. NULL:
/// out of memory. Works until weft_device_destroy(). For client libraries.
WEFT_API void *weft_device_alloc(weft_device *device, size_t size);
/// `size` as it was asked for. NULL does nothing.
WEFT_API void weft_device_free(weft_device *device, void *ptr, size_t size);

// ---- adapters ----------------------------------------------------------------------------------

/// Lists the adapters of every built backend; the software device is always among them if built.
/// Writes at most `*count` entries and sets `*count` to how many there are. `out` may be NULL to
/// count; `count` NULL: WEFT_ERROR_USAGE, reported nowhere. WEFT_PENDING in a browser until the
/// answer is there.
WEFT_API weft_result weft_adapter_list(weft_capabilities *out, uint32_t *count);

// ---- diagnostics -------------------------------------------------------------------------------

/// One line of the rule table (rules.h).
typedef struct weft_rule_info {
    uint32_t code; ///< As in W0123; a weft_rule.
    weft_object_kind object;
    const char *name;     ///< As in WEFT_RULE_BUFFER_SIZE_ZERO, without the prefix.
    const char *sentence; ///< The rule.
    const char *remedy;
} weft_rule_info;

/// The rule behind a diagnostic's code; NULL if there is none.
WEFT_API const weft_rule_info *weft_rule_from_code(uint32_t code);
/// The rules by index, from 0; NULL past the end.
WEFT_API const weft_rule_info *weft_rule_at(uint32_t index);

/// Reports a diagnostic through the device's own sinks (scopes, then the callback), as its own
/// rules do. For client libraries, such as the frame layer.
WEFT_API void weft_device_report(weft_device *device, const weft_diagnostic *diagnostic);

/// From here until the matching pop, this thread's diagnostics of `severity` or worse on this
/// device go to the scope instead of the callback. Scopes nest, up to 16 deep.
WEFT_API weft_result weft_error_scope_push(weft_device *device, weft_severity severity);
/// A scope that takes nothing: `listener` is told every such diagnostic on its way to outer scopes
/// and the callback. Ended by the same pop, which then tells how many there were. As the callback,
/// it must not call back into the device.
WEFT_API weft_result weft_error_scope_listen(weft_device *device, weft_severity severity,
                                             void (*listener)(void *user,
                                                              const weft_diagnostic *diagnostic),
                                             void *user);

/// What a scope caught: the first one in full, and how many.
typedef struct weft_error_scope_result {
    uint32_t count;
    uint32_t code;          ///< Of the first.
    weft_severity severity; ///< Of the first.
    char message[256];      ///< Of the first; "" if none.
    char hint[192];
} weft_error_scope_result;
/// Ends the innermost scope of this thread on this device. `out` may be NULL.
WEFT_API weft_result weft_error_scope_pop(weft_device *device, weft_error_scope_result *out);

#ifdef __cplusplus
}
#endif

#endif
