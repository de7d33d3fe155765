// What stands before annotations: capabilities, extensions, imports, models, entry points, modes,
// names, strings.
#include "shader/reader.h"

#include <string.h>

/// The literal string that starts at this word of the current instruction.
static const char *text_at(const struct wf_shader_reader *reader, uint32_t at)
{
    return reader->storage->text + ((size_t)reader->ins.word + at) * 4;
}

static void enable_capability(struct wf_shader_storage *storage, uint32_t first)
{
    // Every capability is pushed at most once, and each implies few.
    uint32_t stack[256];
    uint32_t depth = 0;
    stack[depth++] = first;
    while (depth > 0) {
        const uint32_t capability = stack[--depth];
        if (capability >= WF_SHADER_CAPABILITY_BITS)
            continue;
        uint64_t *bits = &storage->capabilities[capability / 64];
        if (*bits >> capability % 64 & 1)
            continue;
        *bits |= (uint64_t)1 << capability % 64;
        const struct wf_shader_enumerant *found =
            wf_shader_enumerant(WF_SHADER_KIND_CAPABILITY, capability);
        uint32_t count = 0;
        const uint16_t *implied = found ? wf_shader_capability_implies(found, &count) : NULL;
        for (uint32_t i = 0; i < count && depth < sizeof stack / sizeof stack[0]; i++)
            stack[depth++] = implied[i];
    }
}

static bool read_import(struct wf_shader_reader *reader)
{
    const char *name = text_at(reader, 2);
    struct wf_shader_import *import = &reader->imports[reader->module->import_count];
    *import = (struct wf_shader_import){
        .id = reader->ins.id,
        .name = name,
        .glsl = strcmp(name, "GLSL.std.450") == 0,
        .debug_info = strcmp(name, "NonSemantic.Shader.DebugInfo.100") == 0,
        .non_semantic = strncmp(name, "NonSemantic.", 12) == 0 ||
                        strcmp(name, "OpenCL.DebugInfo.100") == 0, // says nothing that counts
    };
    if (!import->glsl && !import->non_semantic)
        return wf_shader_fail(reader, "instruction set \"%.80s\" is unknown", name);
    return wf_shader_define(reader, WF_SHADER_ROLE_EXT_IMPORT, reader->module->import_count++);
}

static bool read_memory_model(struct wf_shader_reader *reader)
{
    struct wf_shader_module *module = reader->module;
    if (reader->has_memory_model)
        return wf_shader_fail(reader, "there is more than one memory model");
    reader->has_memory_model = true;
    module->addressing = reader->ins.operands[0];
    module->memory = reader->ins.operands[1];
    if (!wf_shader_has_capability(module, SpvCapabilityShader))
        return wf_shader_fail(reader, "the module lacks the capability Shader");
    if (module->addressing != SpvAddressingModelLogical &&
        module->addressing != SpvAddressingModelPhysicalStorageBuffer64)
        return wf_shader_fail(
            reader, "the addressing model %s is not for shaders",
            wf_shader_value_name(WF_SHADER_KIND_ADDRESSING_MODEL, module->addressing));
    if (module->memory != SpvMemoryModelGLSL450 && module->memory != SpvMemoryModelVulkan)
        return wf_shader_fail(reader, "the memory model %s is not for shaders",
                              wf_shader_value_name(WF_SHADER_KIND_MEMORY_MODEL, module->memory));
    return true;
}

static bool read_entry(struct wf_shader_reader *reader)
{
    const struct wf_shader_instruction *ins = &reader->ins;
    const uint32_t length = wf_shader_string_length(ins->operands + 2, ins->operand_count - 2u);
    const uint32_t first = 2 + length / 4 + 1;
    const struct wf_shader_entry entry = {
        .model = ins->operands[0],
        .function = ins->operands[1],
        .name = text_at(reader, 3),
        .word = ins->word,
        .interface_ids = ins->operands + first,
        .interface_count = ins->operand_count - first,
        .local_size = {1, 1, 1},
    };
    if (entry.model == SpvExecutionModelKernel)
        return wf_shader_fail(reader, "the execution model Kernel is not for shaders");
    if (wf_shader_entry(reader->module, entry.model, entry.name))
        return wf_shader_fail(reader, "entry point \"%.80s\" exists twice in this execution model",
                              entry.name);
    reader->entries[reader->module->entry_count++] = entry;
    return true;
}

static uint32_t mode_bit(uint32_t mode)
{
    switch (mode) {
    case SpvExecutionModeOriginUpperLeft:
        return WF_SHADER_MODE_ORIGIN_UPPER_LEFT;
    case SpvExecutionModeOriginLowerLeft:
        return WF_SHADER_MODE_ORIGIN_LOWER_LEFT;
    case SpvExecutionModePixelCenterInteger:
        return WF_SHADER_MODE_PIXEL_CENTER_INTEGER;
    case SpvExecutionModeEarlyFragmentTests:
        return WF_SHADER_MODE_EARLY_FRAGMENT_TESTS;
    case SpvExecutionModeDepthReplacing:
        return WF_SHADER_MODE_DEPTH_REPLACING;
    case SpvExecutionModeDepthGreater:
        return WF_SHADER_MODE_DEPTH_GREATER;
    case SpvExecutionModeDepthLess:
        return WF_SHADER_MODE_DEPTH_LESS;
    case SpvExecutionModeDepthUnchanged:
        return WF_SHADER_MODE_DEPTH_UNCHANGED;
    case SpvExecutionModeStencilRefReplacingEXT:
        return WF_SHADER_MODE_STENCIL_REPLACING;
    case SpvExecutionModePostDepthCoverage:
        return WF_SHADER_MODE_POST_DEPTH_COVERAGE;
    case SpvExecutionModeLocalSize:
        return WF_SHADER_MODE_LOCAL_SIZE;
    case SpvExecutionModeLocalSizeId:
        return WF_SHADER_MODE_LOCAL_SIZE_ID;
    case SpvExecutionModeXfb:
        return WF_SHADER_MODE_XFB;
    case SpvExecutionModeContractionOff:
        return WF_SHADER_MODE_CONTRACTION_OFF;
    case SpvExecutionModeSignedZeroInfNanPreserve:
        return WF_SHADER_MODE_SIGNED_ZERO_INF_NAN;
    case SpvExecutionModeDenormPreserve:
        return WF_SHADER_MODE_DENORM_PRESERVE;
    case SpvExecutionModeDenormFlushToZero:
        return WF_SHADER_MODE_DENORM_FLUSH;
    case SpvExecutionModeDerivativeGroupQuadsNV:
        return WF_SHADER_MODE_DERIVATIVE_QUADS;
    case SpvExecutionModeDerivativeGroupLinearNV:
        return WF_SHADER_MODE_DERIVATIVE_LINEAR;
    case SpvExecutionModeOutputPoints:
        return WF_SHADER_MODE_OUTPUT_POINTS;
    case SpvExecutionModeOutputLinesEXT:
        return WF_SHADER_MODE_OUTPUT_LINES;
    case SpvExecutionModeOutputTrianglesEXT:
        return WF_SHADER_MODE_OUTPUT_TRIANGLES;
    default:
        return 0;
    }
}

static void apply_mode(struct wf_shader_entry *entry, const uint32_t *operands)
{
    const uint32_t mode = operands[1];
    entry->modes |= mode_bit(mode);
    switch (mode) {
    case SpvExecutionModeLocalSize:
        memcpy(entry->local_size, operands + 2, sizeof entry->local_size);
        break;
    case SpvExecutionModeLocalSizeId:
        memcpy(entry->local_size_id, operands + 2, sizeof entry->local_size_id);
        break;
    case SpvExecutionModeOutputVertices:
        entry->output_vertices = operands[2];
        break;
    case SpvExecutionModeOutputPrimitivesEXT:
        entry->output_primitives = operands[2];
        break;
    default:
        break;
    }
}

static bool read_mode(struct wf_shader_reader *reader)
{
    bool found = false;
    for (uint32_t i = 0; i < reader->module->entry_count; i++) {
        if (reader->entries[i].function == reader->ins.operands[0]) {
            apply_mode(&reader->entries[i], reader->ins.operands);
            found = true;
        }
    }
    return found ||
           wf_shader_fail(reader, "function %%%u is no entry point", reader->ins.operands[0]);
}

static void read_member_name(struct wf_shader_reader *reader)
{
    const uint32_t target = reader->ins.operands[0];
    reader->named_members[target + 1]++;
    reader->member_names[reader->member_name_count++] = (struct wf_shader_decoration){
        .target = target,
        .member = reader->ins.operands[1],
        .word = reader->ins.word + 3,
    };
}

bool wf_shader_read_preamble(struct wf_shader_reader *reader)
{
    struct wf_shader_module *module = reader->module;
    const struct wf_shader_instruction *ins = &reader->ins;
    switch (ins->opcode) {
    case SpvOpCapability:
        reader->capabilities[module->capability_count++] = ins->operands[0];
        enable_capability(reader->storage, ins->operands[0]);
        return true;
    case SpvOpExtension:
        reader->extensions[module->extension_count++] = text_at(reader, 1);
        return true;
    case SpvOpExtInstImport:
        return read_import(reader);
    case SpvOpMemoryModel:
        return read_memory_model(reader);
    case SpvOpEntryPoint:
        return read_entry(reader);
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        return read_mode(reader);
    case SpvOpString:
        return wf_shader_define(reader, WF_SHADER_ROLE_STRING, 0);
    case SpvOpName:
        reader->names[ins->operands[0]] = ins->word + 2;
        return true;
    case SpvOpMemberName:
        read_member_name(reader);
        return true;
    default:
        return true; // OpSource and its kin say nothing that is used.
    }
}

/// A mesh shader says how much it writes at most, and of what.
static bool check_mesh_modes(struct wf_shader_reader *reader, const struct wf_shader_entry *entry)
{
    const uint32_t kind =
        entry->modes & (WF_SHADER_MODE_OUTPUT_POINTS | WF_SHADER_MODE_OUTPUT_LINES |
                        WF_SHADER_MODE_OUTPUT_TRIANGLES);
    if (kind == 0 || (kind & (kind - 1)) != 0)
        return wf_shader_fail(reader,
                              "a mesh shader writes points, lines or triangles, one of them");
    if (entry->output_vertices == 0 || entry->output_primitives == 0)
        return wf_shader_fail(reader, "a mesh shader has OutputVertices and OutputPrimitivesEXT "
                                      "above 0");
    return true;
}

static bool finish_entry(struct wf_shader_reader *reader, struct wf_shader_entry *entry)
{
    const struct wf_shader_function *function = wf_shader_function(reader->module, entry->function);
    const struct wf_shader_type *type = wf_shader_type(reader->module, function->type);
    if (type->count != 0 ||
        wf_shader_type(reader->module, type->component)->kind != WF_SHADER_TYPE_VOID)
        return wf_shader_fail(reader, "function %%%u has parameters or a result", entry->function);
    if (entry->model == SpvExecutionModelMeshEXT && !check_mesh_modes(reader, entry))
        return false;
    if ((entry->modes & WF_SHADER_MODE_LOCAL_SIZE_ID) == 0)
        return true;
    for (uint32_t i = 0; i < 3; i++) {
        const struct wf_shader_constant *size =
            wf_shader_constant(reader->module, entry->local_size_id[i]);
        if (!size || wf_shader_type(reader->module, size->type)->kind != WF_SHADER_TYPE_INT)
            return wf_shader_fail(reader, "its LocalSizeId %%%u is not an integer constant",
                                  entry->local_size_id[i]);
        entry->local_size[i] = (uint32_t)size->value;
    }
    return true;
}

bool wf_shader_finish_entries(struct wf_shader_reader *reader)
{
    for (uint32_t i = 0; i < reader->module->entry_count; i++) {
        wf_shader_move_to(reader, reader->entries[i].word);
        if (!finish_entry(reader, &reader->entries[i]))
            return false;
    }
    return true;
}
