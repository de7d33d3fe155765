/// From the IR to bytecode: what regalloc.c and emit_*.c share. Private to them.
#ifndef WF_SW_EMIT_H
#define WF_SW_EMIT_H

#include "backends/software/exec/funs.h"
#include "backends/software/exec/ir.h"

/// Rows that an instruction may need for uniform operands that it wants as rows.
#define WF_SW_MAX_TEMPS (WF_SW_IMAGE_OPERANDS + 1u)

struct wf_sw_emit {
    struct wf_sw_ir *ir;
    struct wf_sw_program *program; ///< Being filled; its tables live in the arena.

    uint32_t *position;    ///< By instruction.
    uint32_t *block_start; ///< By block: positions of its head, its copies, its terminator.
    uint32_t *block_copy;
    uint32_t *block_end;
    uint32_t *interface_row;   ///< By interface row: input or output number, or WF_SW_NONE.
    uint32_t row_total;        ///< Interface rows, inputs and outputs mixed.
    const bool *row_is_output; ///< By interface row.
    uint32_t input_count, output_count;
    uint32_t row_count; ///< Registers so far, then scratch, then temporaries.
    uint32_t temp_first, temp_count;

    struct wf_sw_code *code;
    uint32_t *lines;
    uint16_t *aux;
    uint32_t *switches;
    uint32_t *constants;
    uint32_t code_count, code_capacity, line_capacity, aux_count, aux_capacity, switch_count,
        switch_capacity, constant_count, constant_capacity;
    uint32_t word_count, spare_word;
    uint32_t *seen_by; ///< By block: block + 1 that copied to its phis last.
    uint32_t *code_of; ///< By block: its first instruction.
    uint32_t *mask_of; ///< By block: its mask, or WF_SW_NONE.
    uint32_t mask_count;
    uint32_t word; ///< Of the module, for lines.
};

/// Gives every value that is needed as a row its slot.
void wf_sw_allocate_rows(struct wf_sw_emit *e);
void wf_sw_emit_program(struct wf_sw_emit *e);

struct wf_sw_code *wf_sw_emit_code(struct wf_sw_emit *e, uint32_t op);
/// The row of a value; a uniform one is copied to a temporary row first.
uint16_t wf_sw_emit_row(struct wf_sw_emit *e, uint32_t value);
/// An operand of a side table; both kinds are fine there.
uint32_t wf_sw_emit_operand(struct wf_sw_emit *e, uint32_t value);
/// The word of a uniform value; new words.
uint16_t wf_sw_emit_word(struct wf_sw_emit *e, uint32_t value);
uint32_t wf_sw_emit_words(struct wf_sw_emit *e, uint32_t count);
uint32_t wf_sw_emit_aux(struct wf_sw_emit *e, const uint16_t *slots, uint32_t count);
uint16_t wf_sw_emit_result(const struct wf_sw_emit *e, uint32_t value);
void wf_sw_emit_effect(struct wf_sw_emit *e, const struct wf_sw_ins *ins);
void wf_sw_emit_uwords(struct wf_sw_emit *e);
void wf_sw_emit_copies(struct wf_sw_emit *e, uint32_t block);

#endif
