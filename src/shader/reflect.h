/// What one entry point of a module uses and needs: resources, root block, stage interface,
/// specialization constants.
#ifndef WF_SHADER_REFLECT_H
#define WF_SHADER_REFLECT_H

#include "shader/finding.h"
#include "shader/module.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Bits of a stage; WF_SHADER_STAGE_OTHER is for ray stages.
enum wf_shader_stage {
    WF_SHADER_STAGE_VERTEX = 1 << 0,
    WF_SHADER_STAGE_FRAGMENT = 1 << 1,
    WF_SHADER_STAGE_COMPUTE = 1 << 2,
    WF_SHADER_STAGE_TASK = 1 << 3,
    WF_SHADER_STAGE_MESH = 1 << 4,
    WF_SHADER_STAGE_TESSELLATION_CONTROL = 1 << 5,
    WF_SHADER_STAGE_TESSELLATION_EVALUATION = 1 << 6,
    WF_SHADER_STAGE_GEOMETRY = 1 << 7,
    WF_SHADER_STAGE_OTHER = 1 << 8,
};

enum wf_shader_resource {
    WF_SHADER_RESOURCE_UNIFORM_BUFFER,
    WF_SHADER_RESOURCE_STORAGE_BUFFER,
    WF_SHADER_RESOURCE_SAMPLED_IMAGE,
    WF_SHADER_RESOURCE_STORAGE_IMAGE,
    WF_SHADER_RESOURCE_SAMPLER,
    WF_SHADER_RESOURCE_COMBINED,
    WF_SHADER_RESOURCE_UNIFORM_TEXELS,
    WF_SHADER_RESOURCE_STORAGE_TEXELS,
    WF_SHADER_RESOURCE_ACCELERATION_STRUCTURE,
    WF_SHADER_RESOURCE_INPUT_ATTACHMENT,
};

enum wf_shader_scalar {
    WF_SHADER_SCALAR_NONE,
    WF_SHADER_SCALAR_BOOL,
    WF_SHADER_SCALAR_SINT,
    WF_SHADER_SCALAR_UINT,
    WF_SHADER_SCALAR_FLOAT,
};

/// A resource variable. Several may share set and binding (views of the heap under several types).
struct wf_shader_binding {
    uint32_t set, binding;
    uint32_t id;      ///< Of the variable.
    const char *name; ///< The variable's or else the block's; "" if both are stripped.
    enum wf_shader_resource type;
    uint32_t count;          ///< Elements, dimensions multiplied; 1: no array; 0: runtime-sized.
    uint64_t size;           ///< Buffer: bytes the block needs, without its runtime array.
    uint64_t runtime_stride; ///< Buffer: of its runtime array; 0: it has none.
    bool non_writable, non_readable; ///< As declared; a block counts when all its members are.
    bool read, written;              ///< This entry point does, through any function it calls.
    bool atomic;                     ///< By atomics, which count as written too.
    bool depth, arrayed, multisampled;
    uint32_t dim;    ///< Images: SpvDim
    uint32_t format; ///< Storage images: SpvImageFormat
    enum wf_shader_scalar sampled;
    uint32_t sampled_width;
    uint32_t input_attachment; ///< Index, or WF_SHADER_NONE.
};

/// One input or output, or one member of an interface block. Structures are taken apart, outer
/// arrays of per-vertex inputs and outputs are left out.
struct wf_shader_varying {
    uint32_t location, component; ///< WF_SHADER_NONE: a built-in.
    uint32_t index;               ///< Of dual-source blending: 0 or 1.
    uint32_t builtin;             ///< SpvBuiltIn or WF_SHADER_NONE.
    uint32_t id;                  ///< Of the variable.
    enum wf_shader_scalar base;
    uint32_t width;      ///< Bits per component.
    uint32_t components; ///< 1 to 4; of a matrix: rows.
    uint32_t array;      ///< Elements, a matrix's columns multiplied in; 1: none.
    uint32_t locations;  ///< Consecutive locations that it takes; 0: a built-in.
    bool flat, no_perspective, centroid, sample, patch;
    bool per_primitive; ///< PerPrimitiveEXT, between mesh and fragment shaders.
    bool used; ///< Read (input) or written (output) by this entry point. Of a block: any of its
               ///< members is.
    const char *name;
};

struct wf_shader_root_member {
    uint32_t offset, type;
    uint64_t size;
    const char *name;
};

/// The push constant block.
struct wf_shader_root {
    uint32_t id;     ///< Of the variable; 0: the entry point uses none.
    uint32_t offset; ///< Of its first member.
    uint32_t size;   ///< From 0 to the end of its last member.
    const struct wf_shader_root_member *members;
    uint32_t member_count;
};

/// A specialization constant with a SpecId.
struct wf_shader_spec {
    uint32_t id;       ///< SpecId.
    uint32_t constant; ///< Result id.
    enum wf_shader_scalar base;
    uint32_t width; ///< 1 for bool.
    uint64_t value; ///< Default.
    const char *name;
};

/// What an entry point does or its module needs.
enum wf_shader_use {
    WF_SHADER_USE_POINTERS = 1 << 0, ///< Physical storage buffer addresses.
    WF_SHADER_USE_HEAP = 1 << 1,     ///< Descriptor set 3.
    WF_SHADER_USE_INT8 = 1 << 2,
    WF_SHADER_USE_INT16 = 1 << 3,
    WF_SHADER_USE_INT64 = 1 << 4,
    WF_SHADER_USE_FLOAT16 = 1 << 5,
    WF_SHADER_USE_FLOAT64 = 1 << 6,
    WF_SHADER_USE_SUBGROUPS = 1 << 7,
    WF_SHADER_USE_DISCARD = 1 << 8, ///< OpKill, OpTerminateInvocation or demotion.
    WF_SHADER_USE_DEPTH_WRITE = 1 << 9,
    WF_SHADER_USE_STENCIL_WRITE = 1 << 10,
    WF_SHADER_USE_SAMPLE_MASK_WRITE = 1 << 11,
    WF_SHADER_USE_FRAG_COORD = 1 << 12,
    WF_SHADER_USE_SAMPLE_RATE = 1 << 13, ///< SampleId, SamplePosition or a Sample input.
    WF_SHADER_USE_DERIVATIVES = 1 << 14, ///< Implicit ones of sampling, too.
    WF_SHADER_USE_ATOMICS = 1 << 15,
    WF_SHADER_USE_INT64_ATOMICS = 1 << 16,
    WF_SHADER_USE_FLOAT_ATOMICS = 1 << 17,
    WF_SHADER_USE_RAY_QUERY = 1 << 18,
    WF_SHADER_USE_BUFFER_WRITES = 1 << 19, ///< Storage buffers or pointers.
    WF_SHADER_USE_IMAGE_WRITES = 1 << 20,
    WF_SHADER_USE_BARRIERS = 1 << 21, ///< OpControlBarrier.
    WF_SHADER_USE_CLIP_DISTANCE = 1 << 22,
    WF_SHADER_USE_CULL_DISTANCE = 1 << 23,
    WF_SHADER_USE_POINT_SIZE = 1 << 24,
    WF_SHADER_USE_LAYER = 1 << 25, ///< Layer or ViewportIndex.
    WF_SHADER_USE_DRAW_PARAMETERS = 1 << 26,
    WF_SHADER_USE_PRIMITIVE_ID = 1 << 27,
    WF_SHADER_USE_VIEW_INDEX = 1 << 28,
    WF_SHADER_USE_EARLY_TESTS = 1 << 29,
    WF_SHADER_USE_SMALL_STORAGE =
        1 << 30, ///< 8- or 16-bit values in buffers, root block or stage interface.
};

/// Subgroup operations, by the capabilities that the module declares.
enum wf_shader_subgroup {
    WF_SHADER_SUBGROUP_BASIC = 1 << 0,
    WF_SHADER_SUBGROUP_VOTE = 1 << 1,
    WF_SHADER_SUBGROUP_ARITHMETIC = 1 << 2,
    WF_SHADER_SUBGROUP_BALLOT = 1 << 3,
    WF_SHADER_SUBGROUP_SHUFFLE = 1 << 4,
    WF_SHADER_SUBGROUP_SHUFFLE_RELATIVE = 1 << 5,
    WF_SHADER_SUBGROUP_CLUSTERED = 1 << 6,
    WF_SHADER_SUBGROUP_QUAD = 1 << 7,
};

/// Everything is owned by the reflection but names and ids, which are the module's: the module
/// outlives it.
struct wf_shader_reflection {
    const struct wf_shader_module *module;
    const struct wf_shader_entry *entry;
    uint32_t stage;                ///< One bit of enum wf_shader_stage.
    uint32_t uses;                 ///< enum wf_shader_use bits.
    uint32_t subgroups;            ///< enum wf_shader_subgroup bits.
    uint32_t workgroup[3];         ///< Defaults; 1 in stages without workgroups.
    uint32_t workgroup_spec[3];    ///< SpecId of each, or WF_SHADER_NONE.
    bool workgroup_is_specialized; ///< Some size depends on specialization, be it not directly.
    /// Bytes of the Workgroup variables used: those of blocks, which share one place, by their
    /// layout; of others the sum, scalars naturally sized.
    uint64_t workgroup_memory;
    uint64_t payload_size;                    ///< Bytes of the task payload that is used.
    bool writes_viewport;                     ///< It writes ViewportIndex.
    const struct wf_shader_binding *bindings; ///< Those used, sorted by set, binding and id.
    const struct wf_shader_varying
        *inputs; ///< Declared ones, sorted by location and component, built-ins last.
    const struct wf_shader_varying *outputs;
    struct wf_shader_root root;
    const struct wf_shader_spec *specs;       ///< The module's, sorted by SpecId.
    const struct wf_shader_finding *findings; ///< See wf_shader_finding_kind.
    uint32_t binding_count, input_count, output_count, spec_count, finding_count;

    struct wf_shader_reflection_storage *storage; ///< Private.
};

/// On failure `*out` is NULL and `*error` says why (`error` may be NULL): out of memory, or an
/// interface that is no legal one. Linear in the module's size but for the non-uniformity findings,
/// which take some walks of it.
bool wf_shader_reflect(const struct wf_base_allocator *allocator,
                       const struct wf_shader_module *module, const struct wf_shader_entry *entry,
                       struct wf_shader_reflection **out, struct wf_shader_error *error);

/// NULL is ignored.
void wf_shader_reflection_free(struct wf_shader_reflection *reflection);

const char *wf_shader_resource_name(enum wf_shader_resource resource);
const char *wf_shader_scalar_name(enum wf_shader_scalar scalar);

#ifdef __cplusplus
}
#endif

#endif
