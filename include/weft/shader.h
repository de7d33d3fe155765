/// \file shader.h
/// Shaders: SPIR-V read, checked against the device and reflected.
///
/// Interface: descriptor sets 0–2 are argument slots 0–2; set 3 is the heap (binding 0 sampled
/// images, 1 storage images, 2 samplers, 3 acceleration structures); push constants are the root
/// block. glslang asks for shading rates, which there are not, where a mesh shader writes built-ins
/// of primitives, unless it redeclares gl_MeshPerPrimitiveEXT with those that it writes.
#ifndef WEFT_SHADER_H
#define WEFT_SHADER_H

#include <weft/base.h>
#include <weft/device.h>
#include <weft/resource.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Shader stages. A bit set of WEFT_SHADER_STAGE_*.
typedef uint32_t weft_shader_stages;
enum {
    WEFT_SHADER_STAGE_VERTEX = 1u << 0,
    WEFT_SHADER_STAGE_FRAGMENT = 1u << 1,
    WEFT_SHADER_STAGE_COMPUTE = 1u << 2,
    WEFT_SHADER_STAGE_TASK = 1u << 3,
    WEFT_SHADER_STAGE_MESH = 1u << 4,
    WEFT_SHADER_STAGE_ALL_BITS = (1u << 5) - 1u,
};

/// Parameters of weft_shader_create(). One of `code` and `glsl` is required.
typedef struct weft_shader_desc {
    const void *code;         ///< SPIR-V 1.0–1.6, either byte order, any alignment; copied.
    size_t size;              ///< Bytes of `code`, a multiple of 4.
    const char *glsl;         ///< GLSL text, if WEFT_FEATURE_GLSL.
    weft_shader_stages stage; ///< For `glsl`: its one stage.
    const char *label;
} weft_shader_desc;

/// Reads, checks and reflects a module. WEFT_ERROR_SHADER: malformed, or it needs what the device
/// lacks; the diagnostic names the instruction, its word offset and, with debug information, the
/// source line.
WEFT_API weft_result weft_shader_create(weft_device *device, const weft_shader_desc *desc,
                                        weft_shader *out);
/// Pipelines made from it stay whole.
WEFT_API void weft_shader_destroy(weft_device *device, weft_shader shader);

// ---- reflection --------------------------------------------------------------------------------

/// Kinds of resource in an argument slot.
typedef enum weft_argument_type {
    WEFT_ARGUMENT_NONE = 0,
    WEFT_ARGUMENT_UNIFORM_BUFFER,
    WEFT_ARGUMENT_STORAGE_BUFFER,
    WEFT_ARGUMENT_SAMPLED_TEXTURE,
    WEFT_ARGUMENT_STORAGE_TEXTURE,
    WEFT_ARGUMENT_SAMPLER,
    WEFT_ARGUMENT_COMBINED, ///< Sampled texture with its sampler.
    WEFT_ARGUMENT_UNIFORM_TEXELS,
    WEFT_ARGUMENT_STORAGE_TEXELS,
    WEFT_ARGUMENT_ACCELERATION_STRUCTURE,
} weft_argument_type;

/// One resource that an entry point uses.
typedef struct weft_reflected_binding {
    uint32_t slot, binding;
    uint32_t count; ///< Array length; 0: runtime-sized.
    weft_argument_type type;
    uint64_t size; ///< Bytes that a buffer block needs (without its runtime array).
    bool written;  ///< Not declared read-only.
    weft_view_kind view;
    bool multisampled;
    weft_sample_class sampled;
    weft_format storage; ///< Declared storage format, or NONE.
    const char *name;    ///< "" if the module has no names. Lives as long as the shader.
} weft_reflected_binding;

/// One stage input or output.
typedef struct weft_reflected_varying {
    uint32_t location, component;
    uint32_t components, locations; ///< 1–4; consecutive locations taken.
    weft_sample_class type;         ///< FLOAT, UINT or SINT.
    uint32_t bits;                  ///< 16, 32 or 64 per component.
    bool flat, noperspective, centroid, sample;
    bool per_primitive; ///< One for a mesh shader's primitive, not for each of its vertices.
    const char *name;
} weft_reflected_varying;

typedef enum weft_constant_type {
    WEFT_CONSTANT_BOOL = 0,
    WEFT_CONSTANT_INT,
    WEFT_CONSTANT_UINT,
    WEFT_CONSTANT_FLOAT,
} weft_constant_type;

typedef struct weft_reflected_constant {
    uint32_t id; ///< SpecId.
    weft_constant_type type;
    uint32_t bits;  ///< 1 (bool), 8, 16, 32 or 64.
    uint64_t value; ///< Default, bit pattern, zero-extended.
    const char *name;
} weft_reflected_constant;

/// An entry point. All pointers live as long as the shader handle.
typedef struct weft_reflection {
    const char *entry;
    weft_shader_stages stage;
    uint32_t binding_count;
    const weft_reflected_binding *bindings;
    const weft_reflected_varying *inputs, *outputs;
    uint32_t input_count, output_count;
    const weft_reflected_constant *constants;
    uint32_t constant_count;
    uint32_t root_size;        ///< Bytes of the root block, from 0 to the last member used.
    weft_feature_set features; ///< What the module needs.
    uint32_t workgroup[3];     ///< Compute, task, mesh; defaults of specialised sizes.
    uint32_t payload_size;     ///< Bytes that task shaders hand to mesh shaders.
    uint32_t output_vertices, output_primitives; ///< Mesh: the most of a workgroup.
    bool uses_heap, uses_pointers, writes_depth, discards;
} weft_reflection;

/// Entry point number `index` (from 0); false past the end or for a bad handle.
WEFT_API bool weft_shader_reflect(weft_device *device, weft_shader shader, uint32_t index,
                                  weft_reflection *out);

/// Text of a module: a reflection summary, then the disassembly. Needs no device. `*out` is UTF-8,
/// freed with weft_text_free(). A malformed module: WEFT_ERROR_SHADER and `*out` says what and
/// where. `out` NULL: WEFT_ERROR_USAGE, reported nowhere.
WEFT_API weft_result weft_shader_describe(const void *code, size_t size, char **out);
/// A copy of `text` that is freed with weft_text_free(), for client libraries that hand out text
/// the same way. NULL: out of memory.
WEFT_API char *weft_text_copy(const char *text);
/// Frees text that the library returned. NULL does nothing.
WEFT_API void weft_text_free(char *text);

/// A specialization constant's value.
typedef struct weft_constant {
    uint32_t id;    ///< SpecId.
    uint64_t value; ///< Bit pattern, zero-extended; bool: 0 or 1.
} weft_constant;

/// A shader as a pipeline uses it.
typedef struct weft_shader_use {
    weft_shader shader;
    const char *entry; ///< NULL: "main".
    const weft_constant *constants;
    uint32_t constant_count;
} weft_shader_use;

#ifdef __cplusplus
}
#endif

#endif
