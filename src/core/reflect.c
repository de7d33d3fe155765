// Reflections as hosts see them: the shader layer's in public words, in an arena.
#include "core/shader.h"

#include "shader/reflect.h"

#include <string.h>

const char *wf_core_stage_name(weft_shader_stages stage)
{
    switch (stage) {
    case WEFT_SHADER_STAGE_VERTEX:
        return "vertex";
    case WEFT_SHADER_STAGE_FRAGMENT:
        return "fragment";
    case WEFT_SHADER_STAGE_COMPUTE:
        return "compute";
    case WEFT_SHADER_STAGE_TASK:
        return "task";
    case WEFT_SHADER_STAGE_MESH:
        return "mesh";
    default:
        return "unknown";
    }
}

weft_argument_type wf_core_argument_type(uint32_t resource)
{
    static const weft_argument_type types[] = {
        [WF_SHADER_RESOURCE_UNIFORM_BUFFER] = WEFT_ARGUMENT_UNIFORM_BUFFER,
        [WF_SHADER_RESOURCE_STORAGE_BUFFER] = WEFT_ARGUMENT_STORAGE_BUFFER,
        [WF_SHADER_RESOURCE_SAMPLED_IMAGE] = WEFT_ARGUMENT_SAMPLED_TEXTURE,
        [WF_SHADER_RESOURCE_STORAGE_IMAGE] = WEFT_ARGUMENT_STORAGE_TEXTURE,
        [WF_SHADER_RESOURCE_SAMPLER] = WEFT_ARGUMENT_SAMPLER,
        [WF_SHADER_RESOURCE_COMBINED] = WEFT_ARGUMENT_COMBINED,
        [WF_SHADER_RESOURCE_UNIFORM_TEXELS] = WEFT_ARGUMENT_UNIFORM_TEXELS,
        [WF_SHADER_RESOURCE_STORAGE_TEXELS] = WEFT_ARGUMENT_STORAGE_TEXELS,
        [WF_SHADER_RESOURCE_ACCELERATION_STRUCTURE] = WEFT_ARGUMENT_ACCELERATION_STRUCTURE,
        [WF_SHADER_RESOURCE_INPUT_ATTACHMENT] = WEFT_ARGUMENT_NONE,
    };
    return resource < sizeof types / sizeof types[0] ? types[resource] : WEFT_ARGUMENT_NONE;
}

static bool is_image(const struct wf_shader_binding *b)
{
    return b->type == WF_SHADER_RESOURCE_SAMPLED_IMAGE ||
           b->type == WF_SHADER_RESOURCE_STORAGE_IMAGE || b->type == WF_SHADER_RESOURCE_COMBINED;
}

weft_view_kind wf_core_reflected_view(const struct wf_shader_binding *b)
{
    if (!is_image(b))
        return WEFT_VIEW_DEFAULT;
    switch (b->dim) {
    case SpvDim1D:
        return b->arrayed ? WEFT_VIEW_1D_ARRAY : WEFT_VIEW_1D;
    case SpvDim3D:
        return WEFT_VIEW_3D;
    case SpvDimCube:
        return b->arrayed ? WEFT_VIEW_CUBE_ARRAY : WEFT_VIEW_CUBE;
    default:
        return b->arrayed ? WEFT_VIEW_2D_ARRAY : WEFT_VIEW_2D;
    }
}

static weft_sample_class class_of(enum wf_shader_scalar scalar)
{
    switch (scalar) {
    case WF_SHADER_SCALAR_FLOAT:
        return WEFT_SAMPLE_CLASS_FLOAT;
    case WF_SHADER_SCALAR_UINT:
        return WEFT_SAMPLE_CLASS_UINT;
    case WF_SHADER_SCALAR_SINT:
        return WEFT_SAMPLE_CLASS_SINT;
    case WF_SHADER_SCALAR_NONE:
    case WF_SHADER_SCALAR_BOOL:
        break;
    }
    return WEFT_SAMPLE_CLASS_NONE;
}

weft_sample_class wf_core_reflected_class(const struct wf_shader_binding *b)
{
    if (!is_image(b) && b->type != WF_SHADER_RESOURCE_UNIFORM_TEXELS &&
        b->type != WF_SHADER_RESOURCE_STORAGE_TEXELS)
        return WEFT_SAMPLE_CLASS_NONE;
    return b->depth && b->sampled == WF_SHADER_SCALAR_FLOAT ? WEFT_SAMPLE_CLASS_DEPTH
                                                            : class_of(b->sampled);
}

weft_format wf_core_reflected_format(const struct wf_shader_binding *b)
{
    if (b->type != WF_SHADER_RESOURCE_STORAGE_IMAGE && b->type != WF_SHADER_RESOURCE_STORAGE_TEXELS)
        return WEFT_FORMAT_NONE;
    static const uint8_t formats[] = {
        [SpvImageFormatRgba32f] = WEFT_FORMAT_RGBA32_FLOAT,
        [SpvImageFormatRgba16f] = WEFT_FORMAT_RGBA16_FLOAT,
        [SpvImageFormatR32f] = WEFT_FORMAT_R32_FLOAT,
        [SpvImageFormatRgba8] = WEFT_FORMAT_RGBA8_UNORM,
        [SpvImageFormatRgba8Snorm] = WEFT_FORMAT_RGBA8_SNORM,
        [SpvImageFormatRg32f] = WEFT_FORMAT_RG32_FLOAT,
        [SpvImageFormatRg16f] = WEFT_FORMAT_RG16_FLOAT,
        [SpvImageFormatR11fG11fB10f] = WEFT_FORMAT_RG11B10_UFLOAT,
        [SpvImageFormatR16f] = WEFT_FORMAT_R16_FLOAT,
        [SpvImageFormatRgba16] = WEFT_FORMAT_RGBA16_UNORM,
        [SpvImageFormatRgb10A2] = WEFT_FORMAT_RGB10A2_UNORM,
        [SpvImageFormatRg16] = WEFT_FORMAT_RG16_UNORM,
        [SpvImageFormatRg8] = WEFT_FORMAT_RG8_UNORM,
        [SpvImageFormatR16] = WEFT_FORMAT_R16_UNORM,
        [SpvImageFormatR8] = WEFT_FORMAT_R8_UNORM,
        [SpvImageFormatRgba16Snorm] = WEFT_FORMAT_RGBA16_SNORM,
        [SpvImageFormatRg16Snorm] = WEFT_FORMAT_RG16_SNORM,
        [SpvImageFormatRg8Snorm] = WEFT_FORMAT_RG8_SNORM,
        [SpvImageFormatR16Snorm] = WEFT_FORMAT_R16_SNORM,
        [SpvImageFormatR8Snorm] = WEFT_FORMAT_R8_SNORM,
        [SpvImageFormatRgba32i] = WEFT_FORMAT_RGBA32_SINT,
        [SpvImageFormatRgba16i] = WEFT_FORMAT_RGBA16_SINT,
        [SpvImageFormatRgba8i] = WEFT_FORMAT_RGBA8_SINT,
        [SpvImageFormatR32i] = WEFT_FORMAT_R32_SINT,
        [SpvImageFormatRg32i] = WEFT_FORMAT_RG32_SINT,
        [SpvImageFormatRg16i] = WEFT_FORMAT_RG16_SINT,
        [SpvImageFormatRg8i] = WEFT_FORMAT_RG8_SINT,
        [SpvImageFormatR16i] = WEFT_FORMAT_R16_SINT,
        [SpvImageFormatR8i] = WEFT_FORMAT_R8_SINT,
        [SpvImageFormatRgba32ui] = WEFT_FORMAT_RGBA32_UINT,
        [SpvImageFormatRgba16ui] = WEFT_FORMAT_RGBA16_UINT,
        [SpvImageFormatRgba8ui] = WEFT_FORMAT_RGBA8_UINT,
        [SpvImageFormatR32ui] = WEFT_FORMAT_R32_UINT,
        [SpvImageFormatRgb10a2ui] = WEFT_FORMAT_RGB10A2_UINT,
        [SpvImageFormatRg32ui] = WEFT_FORMAT_RG32_UINT,
        [SpvImageFormatRg16ui] = WEFT_FORMAT_RG16_UINT,
        [SpvImageFormatRg8ui] = WEFT_FORMAT_RG8_UINT,
        [SpvImageFormatR16ui] = WEFT_FORMAT_R16_UINT,
        [SpvImageFormatR8ui] = WEFT_FORMAT_R8_UINT,
    };
    return b->format < sizeof formats ? (weft_format)formats[b->format] : WEFT_FORMAT_NONE;
}

// ---- entry points ------------------------------------------------------------------------------

/// Features by use.
static weft_feature_set features_by_use(uint32_t uses)
{
    static const struct {
        uint32_t use;
        weft_feature_set feature;
    } map[] = {
        {WF_SHADER_USE_POINTERS, WEFT_FEATURE_POINTERS},
        {WF_SHADER_USE_HEAP, WEFT_FEATURE_HEAP},
        {WF_SHADER_USE_INT64, WEFT_FEATURE_INT64},
        {WF_SHADER_USE_FLOAT16, WEFT_FEATURE_FLOAT16},
        {WF_SHADER_USE_FLOAT64, WEFT_FEATURE_FLOAT64},
        {WF_SHADER_USE_SUBGROUPS, WEFT_FEATURE_SUBGROUPS},
        {WF_SHADER_USE_RAY_QUERY, WEFT_FEATURE_RAY_QUERY},
        {WF_SHADER_USE_CLIP_DISTANCE, WEFT_FEATURE_CLIP_DISTANCE},
        {WF_SHADER_USE_SAMPLE_RATE, WEFT_FEATURE_SAMPLE_SHADING},
        {WF_SHADER_USE_LAYER, WEFT_FEATURE_LAYERED_RENDERING},
        {WF_SHADER_USE_INT64_ATOMICS, WEFT_FEATURE_INT64_ATOMICS},
        {WF_SHADER_USE_FLOAT_ATOMICS, WEFT_FEATURE_FLOAT_ATOMICS},
    };
    weft_feature_set features = 0;
    for (size_t i = 0; i < sizeof map / sizeof map[0]; ++i) {
        if (uses & map[i].use)
            features |= map[i].feature;
    }
    return features;
}

/// Features that a module needs as it declares them.
static weft_feature_set features_declared(const struct wf_shader_module *module)
{
    static const struct {
        uint32_t capability;
        weft_feature_set feature;
    } map[] = {
        {SpvCapabilityMeshShadingEXT, WEFT_FEATURE_MESH_SHADERS},
        {SpvCapabilityAtomicFloat32MinMaxEXT, WEFT_FEATURE_FLOAT_MIN_MAX_ATOMICS},
        {SpvCapabilityAtomicFloat64MinMaxEXT,
         WEFT_FEATURE_FLOAT_MIN_MAX_ATOMICS | WEFT_FEATURE_FLOAT64_ATOMICS},
        {SpvCapabilityAtomicFloat64AddEXT, WEFT_FEATURE_FLOAT64_ATOMICS},
        {SpvCapabilityVariablePointersStorageBuffer, WEFT_FEATURE_VARIABLE_POINTERS},
        {SpvCapabilityVariablePointers, WEFT_FEATURE_VARIABLE_POINTERS},
        {SpvCapabilityWorkgroupMemoryExplicitLayoutKHR, WEFT_FEATURE_WORKGROUP_LAYOUT},
        {SpvCapabilityWorkgroupMemoryExplicitLayout8BitAccessKHR, WEFT_FEATURE_WORKGROUP_LAYOUT},
        {SpvCapabilityWorkgroupMemoryExplicitLayout16BitAccessKHR, WEFT_FEATURE_WORKGROUP_LAYOUT},
    };
    weft_feature_set features = 0;
    for (size_t i = 0; i < sizeof map / sizeof map[0]; ++i) {
        if (wf_shader_has_capability(module, map[i].capability))
            features |= map[i].feature;
    }
    return features;
}

static weft_feature_set features_of_view(weft_view_kind view)
{
    switch (view) {
    case WEFT_VIEW_1D:
        return WEFT_FEATURE_TEXTURES_1D;
    case WEFT_VIEW_1D_ARRAY:
        return WEFT_FEATURE_TEXTURES_1D | WEFT_FEATURE_TEXTURE_ARRAYS;
    case WEFT_VIEW_2D_ARRAY:
        return WEFT_FEATURE_TEXTURE_ARRAYS;
    case WEFT_VIEW_3D:
        return WEFT_FEATURE_TEXTURES_3D;
    case WEFT_VIEW_CUBE_ARRAY:
        return WEFT_FEATURE_CUBE_ARRAYS;
    case WEFT_VIEW_DEFAULT:
    case WEFT_VIEW_2D:
    case WEFT_VIEW_CUBE:
        break;
    }
    return 0;
}

static weft_feature_set features_by_stage(const struct wf_shader_reflection *r)
{
    weft_feature_set features = 0;
    const uint32_t stores = WF_SHADER_USE_BUFFER_WRITES | WF_SHADER_USE_IMAGE_WRITES;
    if (r->stage & WF_SHADER_STAGE_COMPUTE)
        features |= WEFT_FEATURE_COMPUTE;
    if (r->stage & (WF_SHADER_STAGE_TASK | WF_SHADER_STAGE_MESH))
        features |= WEFT_FEATURE_MESH_SHADERS;
    if (r->stage & WF_SHADER_STAGE_VERTEX && r->uses & WF_SHADER_USE_SUBGROUPS)
        features |= WEFT_FEATURE_SUBGROUPS_IN_VERTEX;
    if (r->stage & WF_SHADER_STAGE_FRAGMENT && r->uses & stores)
        features |= WEFT_FEATURE_FRAGMENT_STORES;
    for (uint32_t i = 0; i < r->binding_count; ++i) {
        const struct wf_shader_binding *b = &r->bindings[i];
        features |= features_of_view(wf_core_reflected_view(b));
        if (b->type == WF_SHADER_RESOURCE_STORAGE_IMAGE)
            features |= WEFT_FEATURE_STORAGE_TEXTURES;
        if (b->type == WF_SHADER_RESOURCE_STORAGE_BUFFER && r->stage & WF_SHADER_STAGE_VERTEX)
            features |= WEFT_FEATURE_STORAGE_IN_VERTEX;
    }
    return features;
}

static const weft_reflected_binding *bindings_of(struct wf_base_arena *arena,
                                                 const struct wf_shader_reflection *r)
{
    weft_reflected_binding *out = wf_base_arena_array(arena, r->binding_count, sizeof *out);
    for (uint32_t i = 0; out && i < r->binding_count; ++i) {
        const struct wf_shader_binding *b = &r->bindings[i];
        out[i] = (weft_reflected_binding){
            .slot = b->set,
            .binding = b->binding,
            .count = b->count,
            .type = wf_core_argument_type(b->type),
            .size = b->size,
            .written = !b->non_writable && (b->type == WF_SHADER_RESOURCE_STORAGE_BUFFER ||
                                            b->type == WF_SHADER_RESOURCE_STORAGE_IMAGE ||
                                            b->type == WF_SHADER_RESOURCE_STORAGE_TEXELS),
            .view = wf_core_reflected_view(b),
            .multisampled = b->multisampled,
            .sampled = wf_core_reflected_class(b),
            .storage = wf_core_reflected_format(b),
            .name = b->name,
        };
    }
    return out;
}

/// Those with a location: built-ins come last.
static uint32_t located(const struct wf_shader_varying *varyings, uint32_t count)
{
    uint32_t n = 0;
    while (n < count && varyings[n].location != WF_SHADER_NONE)
        ++n;
    return n;
}

static const weft_reflected_varying *
varyings_of(struct wf_base_arena *arena, const struct wf_shader_varying *varyings, uint32_t count)
{
    weft_reflected_varying *out = wf_base_arena_array(arena, count, sizeof *out);
    for (uint32_t i = 0; out && i < count; ++i) {
        const struct wf_shader_varying *v = &varyings[i];
        out[i] = (weft_reflected_varying){
            .location = v->location,
            .component = v->component,
            .components = v->components,
            .locations = v->locations,
            .type = class_of(v->base),
            .bits = v->width,
            .flat = v->flat,
            .noperspective = v->no_perspective,
            .centroid = v->centroid,
            .sample = v->sample,
            .per_primitive = v->per_primitive,
            .name = v->name,
        };
    }
    return out;
}

static weft_constant_type constant_type(enum wf_shader_scalar scalar)
{
    switch (scalar) {
    case WF_SHADER_SCALAR_SINT:
        return WEFT_CONSTANT_INT;
    case WF_SHADER_SCALAR_UINT:
        return WEFT_CONSTANT_UINT;
    case WF_SHADER_SCALAR_FLOAT:
        return WEFT_CONSTANT_FLOAT;
    case WF_SHADER_SCALAR_NONE:
    case WF_SHADER_SCALAR_BOOL:
        break;
    }
    return WEFT_CONSTANT_BOOL;
}

static const weft_reflected_constant *constants_of(struct wf_base_arena *arena,
                                                   const struct wf_shader_reflection *r)
{
    weft_reflected_constant *out = wf_base_arena_array(arena, r->spec_count, sizeof *out);
    for (uint32_t i = 0; out && i < r->spec_count; ++i)
        out[i] = (weft_reflected_constant){
            .id = r->specs[i].id,
            .type = constant_type(r->specs[i].base),
            .bits = r->specs[i].width,
            .value = r->specs[i].value,
            .name = r->specs[i].name,
        };
    return out;
}

/// False when out of memory.
static bool entry_of(struct wf_base_arena *arena, const struct wf_shader_reflection *r,
                     weft_reflection *out)
{
    const uint32_t inputs = located(r->inputs, r->input_count);
    const uint32_t outputs = located(r->outputs, r->output_count);
    *out = (weft_reflection){
        .entry = r->entry->name,
        .stage = r->stage & WEFT_SHADER_STAGE_ALL_BITS, // the same bits; others become 0
        .bindings = bindings_of(arena, r),
        .binding_count = r->binding_count,
        .inputs = varyings_of(arena, r->inputs, inputs),
        .outputs = varyings_of(arena, r->outputs, outputs),
        .input_count = inputs,
        .output_count = outputs,
        .constants = constants_of(arena, r),
        .constant_count = r->spec_count,
        .root_size = r->root.size,
        .payload_size = r->payload_size > UINT32_MAX ? UINT32_MAX : (uint32_t)r->payload_size,
        .output_vertices = r->stage == WF_SHADER_STAGE_MESH ? r->entry->output_vertices : 0,
        .output_primitives = r->stage == WF_SHADER_STAGE_MESH ? r->entry->output_primitives : 0,
        .workgroup = {r->workgroup[0], r->workgroup[1], r->workgroup[2]},
        .features = features_by_use(r->uses) | features_declared(r->module) | features_by_stage(r),
        .uses_heap = (r->uses & WF_SHADER_USE_HEAP) != 0,
        .uses_pointers = (r->uses & WF_SHADER_USE_POINTERS) != 0,
        .writes_depth = (r->uses & WF_SHADER_USE_DEPTH_WRITE) != 0,
        .discards = (r->uses & WF_SHADER_USE_DISCARD) != 0,
    };
    return (out->bindings || out->binding_count == 0) && (out->inputs || inputs == 0) &&
           (out->outputs || outputs == 0) && (out->constants || out->constant_count == 0);
}

// ---- modules -----------------------------------------------------------------------------------

static weft_result failure(const struct wf_shader_error *error)
{
    return error->out_of_memory ? WEFT_ERROR_MEMORY : WEFT_ERROR_SHADER;
}

static weft_result reflect_entry(const struct wf_base_allocator *allocator,
                                 struct wf_core_module *module, uint32_t index,
                                 struct wf_shader_error *error)
{
    struct wf_shader_reflection *reflection;
    if (!wf_shader_reflect(allocator, module->read, &module->read->entries[index], &reflection,
                           error))
        return failure(error);
    module->reflections[index] = reflection;
    ++module->entry_count;
    return entry_of(&module->arena, reflection, &module->entries[index]) ? WEFT_OK
                                                                         : WEFT_ERROR_MEMORY;
}

weft_result wf_core_module_read(const struct wf_base_allocator *allocator, const void *code,
                                size_t size, struct wf_core_module *module,
                                struct wf_shader_error *error)
{
    wf_base_arena_init(&module->arena, allocator, 4096, 0);
    if (!wf_shader_read(allocator, code, size, &module->read, error))
        return failure(error);
    const uint32_t count = module->read->entry_count;
    module->reflections =
        wf_base_arena_array(&module->arena, count, sizeof(struct wf_shader_reflection *));
    module->entries = wf_base_arena_array(&module->arena, count, sizeof *module->entries);
    if (count > 0 && (!module->reflections || !module->entries))
        return WEFT_ERROR_MEMORY;
    weft_result result = WEFT_OK;
    for (uint32_t i = 0; result == WEFT_OK && i < count; ++i)
        result = reflect_entry(allocator, module, i, error);
    return result;
}

void wf_core_module_unread(struct wf_core_module *module)
{
    for (uint32_t i = 0; i < module->entry_count; ++i)
        wf_shader_reflection_free(module->reflections[i]);
    module->entry_count = 0;
    wf_shader_free(module->read);
    module->read = NULL;
    wf_base_arena_finish(&module->arena);
}
