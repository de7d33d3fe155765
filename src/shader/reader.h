/// Private to the reader: the state of reading one module, and the steps that its files share.
#ifndef WF_SHADER_READER_H
#define WF_SHADER_READER_H

#include "base/arena.h"
#include "shader/module.h"
#include "shader/operands.h"
#include "shader/tables.h"

#define WF_SHADER_CAPABILITY_BITS 8192u

/// What a module owns. The module is the first member.
struct wf_shader_storage {
    struct wf_shader_module module;
    const struct wf_base_allocator *allocator;
    struct wf_base_arena arena;
    const char *text; ///< The words as little-endian bytes: literal strings lie in it as they are.
    const uint32_t *names;                  ///< By id: word of its OpName's string; 0: none.
    const uint32_t *decorated;              ///< bound + 1: where each id's decorations start.
    const struct wf_shader_value *defaults; ///< Of the constants, by index.
    uint64_t capabilities[WF_SHADER_CAPABILITY_BITS / 64]; ///< Declared and implied ones.
};

/// The logical layout's sections, in order.
enum wf_shader_section {
    WF_SHADER_SECTION_CAPABILITY,
    WF_SHADER_SECTION_EXTENSION,
    WF_SHADER_SECTION_IMPORT,
    WF_SHADER_SECTION_MEMORY_MODEL,
    WF_SHADER_SECTION_ENTRY,
    WF_SHADER_SECTION_MODE,
    WF_SHADER_SECTION_DEBUG,
    WF_SHADER_SECTION_NAME,
    WF_SHADER_SECTION_PROCESSED,
    WF_SHADER_SECTION_ANNOTATION,
    WF_SHADER_SECTION_GLOBAL,
    WF_SHADER_SECTION_FUNCTION,
};

/// An OpFunctionCall.
struct wf_shader_call {
    uint32_t caller; ///< Function index.
    uint32_t callee; ///< Id.
    uint32_t word;
};

struct wf_shader_reader {
    struct wf_shader_storage *storage;
    struct wf_shader_module *module;
    struct wf_base_arena *arena;  ///< The module's.
    struct wf_base_arena scratch; ///< Dropped when reading ends.
    struct wf_shader_error *error;

    // The module's tables while they are written.
    struct wf_shader_id *ids;
    uint32_t *capabilities;
    const char **extensions;
    struct wf_shader_import *imports;
    struct wf_shader_entry *entries;
    struct wf_shader_type *types;
    struct wf_shader_constant *constants;
    struct wf_shader_variable *variables;
    struct wf_shader_function *functions;
    struct wf_shader_block *blocks;
    struct wf_shader_line *lines;
    uint32_t *names;
    struct wf_shader_value *defaults;
    struct wf_shader_decoration *raw_decorations; ///< As they come, groups not applied.
    struct wf_shader_decoration *group_targets;   ///< `kind` is the group's id.
    struct wf_shader_decoration
        *member_names;       ///< `word` is the string's. Sorted by target in the end.
    uint32_t *named_members; ///< bound + 1: where each structure's member names start.
    uint32_t raw_decoration_count, group_target_count, member_name_count;
    struct wf_shader_call *calls;
    uint32_t call_count;
    uint8_t *forward; ///< By id: OpTypeForwardPointer named it.

    // Where reading is.
    struct wf_shader_instruction ins;
    const struct wf_shader_op *op;
    enum wf_shader_section section;
    uint32_t function;    ///< Index + 1 of the open function, 0: none.
    uint32_t block;       ///< Index + 1 of the open block, 0: none.
    uint32_t *parameters; ///< Of the open function, to be filled.
    uint32_t parameters_left;
    bool body_started; ///< The block has had an instruction that ends its OpPhi and OpVariable.
    uint16_t merge;    ///< Opcode of the merge instruction just met, 0: none.
    bool line_is_set;
    bool has_memory_model;
};

/// Fails at the current instruction: the message gets the place and the opcode's name in front.
/// Returns false.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool wf_shader_fail(struct wf_shader_reader *reader, const char *format, ...);
/// Likewise when memory is out, which is no fault of the module.
bool wf_shader_fail_memory(struct wf_shader_reader *reader);

/// Makes `word`'s instruction the current one, for errors and operand walks.
void wf_shader_move_to(struct wf_shader_reader *reader, uint32_t word);

/// Marks the current instruction's result as defined with this role. False if it is defined twice.
bool wf_shader_define(struct wf_shader_reader *reader, enum wf_shader_role role, uint32_t index);

// scan.c
bool wf_shader_scan(struct wf_shader_reader *reader, const uint32_t *words, size_t bytes);

// uses.c: the current instruction's operands against the grammar and the ids they name.
bool wf_shader_check_operands(struct wf_shader_reader *reader);
bool wf_shader_check_forward_operands(struct wf_shader_reader *reader);

// preamble.c: capabilities to execution modes, names.
bool wf_shader_read_preamble(struct wf_shader_reader *reader);
bool wf_shader_finish_entries(struct wf_shader_reader *reader);

// decorations.c
bool wf_shader_read_annotation(struct wf_shader_reader *reader);
bool wf_shader_finish_annotations(struct wf_shader_reader *reader);

// types.c, constants.c, variables.c
bool wf_shader_read_type(struct wf_shader_reader *reader);
bool wf_shader_read_constant(struct wf_shader_reader *reader);
bool wf_shader_read_variable(struct wf_shader_reader *reader);

// functions.c
bool wf_shader_read_body(struct wf_shader_reader *reader);
bool wf_shader_check_calls(struct wf_shader_reader *reader);

// flow.c: control flow of one function, and that definitions dominate uses.
bool wf_shader_check_flow(struct wf_shader_reader *reader, struct wf_shader_function *function);

// verify*.c: the types of one instruction's operands and result.
bool wf_shader_verify(struct wf_shader_reader *reader);
bool wf_shader_verify_late(struct wf_shader_reader *reader);

// lines.c
bool wf_shader_read_line(struct wf_shader_reader *reader);
void wf_shader_end_line(struct wf_shader_reader *reader);

#endif
