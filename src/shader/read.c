// Reading a module: scan, one walk in order that defines everything, one more for what was named
// before it was defined.
#include "shader/message.h"
#include "shader/reader.h"

#include <stdarg.h>
#include <string.h>

static void fill_source(struct wf_shader_reader *reader)
{
    const struct wf_shader_line *line = wf_shader_line(reader->module, reader->ins.word);
    if (!line)
        return;
    struct wf_shader_error *error = reader->error;
    wf_shader_append(error->file, sizeof error->file, "%s",
                     wf_shader_string(reader->module, line->file));
    error->line = line->line;
    error->column = line->column;
}

bool wf_shader_fail(struct wf_shader_reader *reader, const char *format, ...)
{
    struct wf_shader_error *error = reader->error;
    if (!error)
        return false;
    *error = (struct wf_shader_error){.word = reader->ins.word, .opcode = reader->ins.opcode};
    if (reader->op)
        wf_shader_append(error->message, sizeof error->message, "word %u, Op%s: ", reader->ins.word,
                         wf_shader_op_name(reader->op));
    else if (reader->ins.word != 0)
        wf_shader_append(error->message, sizeof error->message, "word %u: ", reader->ins.word);
    va_list args;
    va_start(args, format);
    wf_shader_vappend(error->message, sizeof error->message, format, args);
    va_end(args);
    if (reader->module->words && reader->ids)
        fill_source(reader);
    return false;
}

bool wf_shader_fail_memory(struct wf_shader_reader *reader)
{
    wf_shader_fail(reader, "out of memory");
    if (reader->error)
        reader->error->out_of_memory = true;
    return false;
}

void wf_shader_move_to(struct wf_shader_reader *reader, uint32_t word)
{
    reader->ins = wf_shader_at(reader->module, word);
    reader->op = wf_shader_op(reader->ins.opcode);
}

bool wf_shader_define(struct wf_shader_reader *reader, enum wf_shader_role role, uint32_t index)
{
    struct wf_shader_id *id = &reader->ids[reader->ins.id];
    if (id->role != WF_SHADER_ROLE_NONE)
        return wf_shader_fail(reader, "result %%%u is already defined by the Op%s at word %u",
                              reader->ins.id, wf_shader_op_name(wf_shader_op(id->opcode)),
                              id->word);
    const bool local = role == WF_SHADER_ROLE_VALUE || role == WF_SHADER_ROLE_LABEL;
    *id = (struct wf_shader_id){
        .word = reader->ins.word,
        .type = reader->ins.type,
        .index = index,
        .function = local ? reader->function : 0,
        .opcode = reader->ins.opcode,
        .role = (uint8_t)role,
    };
    return true;
}

static enum wf_shader_section section_of(const struct wf_shader_op *op)
{
    switch (op->opcode) {
    case SpvOpCapability:
        return WF_SHADER_SECTION_CAPABILITY;
    case SpvOpExtension:
        return WF_SHADER_SECTION_EXTENSION;
    case SpvOpExtInstImport:
        return WF_SHADER_SECTION_IMPORT;
    case SpvOpMemoryModel:
        return WF_SHADER_SECTION_MEMORY_MODEL;
    case SpvOpEntryPoint:
        return WF_SHADER_SECTION_ENTRY;
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        return WF_SHADER_SECTION_MODE;
    case SpvOpString:
    case SpvOpSource:
    case SpvOpSourceExtension:
    case SpvOpSourceContinued:
        return WF_SHADER_SECTION_DEBUG;
    case SpvOpName:
    case SpvOpMemberName:
        return WF_SHADER_SECTION_NAME;
    case SpvOpModuleProcessed:
        return WF_SHADER_SECTION_PROCESSED;
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpUndef:
    case SpvOpVariable:
    case SpvOpExtInst:
        return WF_SHADER_SECTION_GLOBAL; // or in functions
    default:
        break;
    }
    if (op->group == WF_SHADER_CLASS_ANNOTATION)
        return WF_SHADER_SECTION_ANNOTATION;
    if (op->group == WF_SHADER_CLASS_TYPE || op->group == WF_SHADER_CLASS_CONSTANT)
        return WF_SHADER_SECTION_GLOBAL;
    return WF_SHADER_SECTION_FUNCTION;
}

/// Whether the instruction may stand where the module's layout has come to.
static bool enter_section(struct wf_shader_reader *reader)
{
    enum wf_shader_section section = section_of(reader->op);
    const bool anywhere = section == WF_SHADER_SECTION_GLOBAL &&
                          reader->op->group != WF_SHADER_CLASS_TYPE &&
                          reader->op->group != WF_SHADER_CLASS_CONSTANT;
    if (reader->section == WF_SHADER_SECTION_FUNCTION && anywhere)
        section = WF_SHADER_SECTION_FUNCTION;
    if (section < reader->section)
        return wf_shader_fail(reader, "it stands after its section of the module");
    if (section > WF_SHADER_SECTION_MEMORY_MODEL && !reader->has_memory_model)
        return wf_shader_fail(reader, "the module has no OpMemoryModel before it");
    if (section >= WF_SHADER_SECTION_GLOBAL && reader->section < WF_SHADER_SECTION_GLOBAL) {
        const uint32_t word = reader->ins.word;
        if (!wf_shader_finish_annotations(reader))
            return false;
        wf_shader_move_to(reader, word);
    }
    reader->section = section;
    return true;
}

/// Whether the module's version, extensions and capabilities allow the opcode.
static bool check_available(struct wf_shader_reader *reader)
{
    const struct wf_shader_op *op = reader->op;
    const uint32_t version = reader->module->version;
    const uint32_t major_minor = (version >> 16 & 0xF) << 4 | (version >> 8 & 0xF);
    if (op->version > major_minor && (op->flags & WF_SHADER_OP_HAS_EXTENSION) == 0)
        return wf_shader_fail(reader, "it needs SPIR-V %u.%u, the module is %u.%u",
                              op->version >> 4, op->version & 15, major_minor >> 4,
                              major_minor & 15);
    uint32_t count;
    const uint16_t *needed = wf_shader_op_capabilities(op, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (wf_shader_has_capability(reader->module, needed[i]))
            return true;
    }
    if (count != 0)
        return wf_shader_fail(reader, "the module lacks the capability %s",
                              wf_shader_value_name(WF_SHADER_KIND_CAPABILITY, needed[0]));
    return true;
}

static bool read_global(struct wf_shader_reader *reader)
{
    switch (reader->ins.opcode) {
    case SpvOpLine:
    case SpvOpNoLine:
        return wf_shader_read_line(reader);
    case SpvOpExtInst: {
        const struct wf_shader_import *import =
            wf_shader_import(reader->module, reader->ins.operands[0]);
        if (!import->non_semantic)
            return wf_shader_fail(reader,
                                  "only non-semantic instructions may stand outside of functions");
        return wf_shader_define(reader, WF_SHADER_ROLE_OTHER, 0);
    }
    case SpvOpVariable:
        return wf_shader_read_variable(reader);
    case SpvOpUndef:
        return wf_shader_read_constant(reader);
    default:
        break;
    }
    if (reader->op->group == WF_SHADER_CLASS_TYPE)
        return wf_shader_read_type(reader);
    return wf_shader_read_constant(reader);
}

static bool read_instruction(struct wf_shader_reader *reader)
{
    if (!enter_section(reader))
        return false;
    const enum wf_shader_section section = reader->section;
    // Capabilities may come in any order; what they need of each other is brought by the table.
    if (section != WF_SHADER_SECTION_CAPABILITY && !check_available(reader))
        return false;
    if (!wf_shader_check_operands(reader))
        return false;
    if (section < WF_SHADER_SECTION_ANNOTATION)
        return wf_shader_read_preamble(reader);
    if (section == WF_SHADER_SECTION_ANNOTATION)
        return wf_shader_read_annotation(reader);
    if (section == WF_SHADER_SECTION_GLOBAL)
        return read_global(reader);
    return wf_shader_read_body(reader);
}

static bool read_all(struct wf_shader_reader *reader)
{
    struct wf_shader_module *module = reader->module;
    for (uint32_t word = 5; word < module->word_count; word += reader->ins.count) {
        wf_shader_move_to(reader, word);
        if (!read_instruction(reader))
            return false;
    }
    reader->op = NULL;
    reader->ins = (struct wf_shader_instruction){0};
    if (!reader->has_memory_model)
        return wf_shader_fail(reader, "the module has no OpMemoryModel");
    if (reader->function != 0)
        return wf_shader_fail(reader, "the last function has no OpFunctionEnd");
    if (module->entry_count == 0)
        return wf_shader_fail(reader, "the module has no entry point");
    return reader->section >= WF_SHADER_SECTION_GLOBAL || wf_shader_finish_annotations(reader);
}

/// Everything is defined now: looks at the operands that were allowed to wait, and at what depends
/// on them.
static bool read_late(struct wf_shader_reader *reader)
{
    struct wf_shader_module *module = reader->module;
    uint32_t next_function = 0;
    for (uint32_t word = 5; word < module->word_count; word += reader->ins.count) {
        wf_shader_move_to(reader, word);
        if (reader->ins.opcode == SpvOpFunction)
            reader->function = ++next_function;
        if (!wf_shader_check_forward_operands(reader) || !wf_shader_verify_late(reader))
            return false;
        if (reader->ins.opcode == SpvOpFunctionEnd)
            reader->function = 0;
    }
    for (uint32_t i = 0; i < module->function_count; i++) {
        if (!wf_shader_check_flow(reader, &reader->functions[i]))
            return false;
    }
    return wf_shader_check_calls(reader) && wf_shader_finish_entries(reader);
}

/// Shows the tables to the functions of module.h; they are filled in place.
static void publish(struct wf_shader_reader *reader)
{
    struct wf_shader_module *module = reader->module;
    module->ids = reader->ids;
    module->capabilities = reader->capabilities;
    module->extensions = reader->extensions;
    module->imports = reader->imports;
    module->entries = reader->entries;
    module->types = reader->types;
    module->constants = reader->constants;
    module->variables = reader->variables;
    module->functions = reader->functions;
    module->blocks = reader->blocks;
    module->lines = reader->lines;
    reader->storage->names = reader->names;
    reader->storage->defaults = reader->defaults;
}

bool wf_shader_read(const struct wf_base_allocator *allocator, const uint32_t *words, size_t bytes,
                    struct wf_shader_module **out, struct wf_shader_error *error)
{
    *out = NULL;
    struct wf_shader_storage *storage = wf_base_alloc_zero(allocator, sizeof *storage);
    struct wf_shader_module none = {0};
    struct wf_shader_reader reader = {.module = storage ? &storage->module : &none, .error = error};
    if (!storage)
        return wf_shader_fail_memory(&reader);
    storage->allocator = allocator;
    storage->module.storage = storage;
    wf_base_arena_init(&storage->arena, allocator, 0, 0);
    wf_base_arena_init(&reader.scratch, allocator, 0, 0);
    reader.storage = storage;
    reader.arena = &storage->arena;

    bool ok = wf_shader_scan(&reader, words, bytes);
    if (ok) {
        publish(&reader);
        ok = read_all(&reader) && read_late(&reader);
    }
    wf_base_arena_finish(&reader.scratch);
    if (ok)
        *out = &storage->module;
    else
        wf_shader_free(&storage->module);
    return ok;
}
