/// What the compiler works on between SPIR-V and bytecode: one function, everything inlined, in
/// blocks that stand in the order in which they run; values are single 32-bit components in static
/// single assignment. Block 0 is the prologue: constants, inputs and uniform memory.
///
/// Whatever fails (memory, a limit, something that is not supported) leaves by longjmp to
/// wf_sw_program_create(), which drops the arena that everything here lives in.
#ifndef WF_SW_IR_H
#define WF_SW_IR_H

#include <assert.h>
#include <setjmp.h>
#include <string.h>

#include "backends/software/exec/exec.h"
#include "backends/software/exec/program.h"
#include "base/arena.h"
#include "base/bits.h"
#include "base/half.h"
#include "base/hash.h"

#define WF_SW_NONE UINT32_MAX

// Limits on what is compiled, so that inlining cannot blow a small module up.
#define WF_SW_MAX_VALUES (1u << 20)
#define WF_SW_MAX_BLOCKS 65000u
#define WF_SW_MAX_WORDS  8192u ///< Components of one value or variable in registers.

enum wf_sw_ir_op {
#define WF_UN(name, result, operand, expression)  WF_SW_IR_##name,
#define WF_BIN(name, result, operand, expression) WF_SW_IR_##name,
#define WF_COM(name, result, operand, expression) WF_SW_IR_##name,
#define WF_TER(name, result, operand, expression) WF_SW_IR_##name,
#define WF_FEW(name, result, operand, expression) WF_SW_IR_##name,
#include "backends/software/exec/ops.def"
#undef WF_UN
#undef WF_BIN
#undef WF_COM
#undef WF_TER
#undef WF_FEW
    WF_SW_IR_SIMPLE_COUNT, ///< Those above are elementwise, with one result and no effect.
    WF_SW_IR_CONST = WF_SW_IR_SIMPLE_COUNT, ///< imm: the bits.
    WF_SW_IR_INPUT,                         ///< imm: index of an interface row.
    WF_SW_IR_SYSTEM,                        ///< imm: enum wf_sw_system, uniform.
    WF_SW_IR_UWORD,                         ///< imm: index of a uniform word.
    WF_SW_IR_LANE,                          ///< 0 to 63.
    WF_SW_IR_HELPER,                        ///< Boolean.
    WF_SW_IR_EXEC,  ///< Boolean: the lane is active and not a helper. An effect: it stays in order.
    WF_SW_IR_PHI,   ///< Arguments: predecessor, value, predecessor, value ...
    WF_SW_IR_CALL,  ///< imm: enum wf_sw_fun. Elementwise, several results.
    WF_SW_IR_CROSS, ///< imm: enum wf_sw_fun. Reads other lanes' arguments.
    WF_SW_IR_LOAD,  ///< imm: memory record.
    WF_SW_IR_STORE, ///< imm: memory record.
    WF_SW_IR_ATOMIC, ///< imm: memory record.
    WF_SW_IR_LENGTH, ///< imm: memory record. Bytes of a buffer.
    WF_SW_IR_SLOAD,  ///< imm: scratch record; the index.
    WF_SW_IR_SSTORE, ///< imm: scratch record; the index, the value.
    WF_SW_IR_IMAGE,  ///< imm: image record.
    WF_SW_IR_BARRIER,
    WF_SW_IR_DEMOTE,
    WF_SW_IR_OUTPUT,   ///< imm: index of an interface row; the value.
    WF_SW_IR_LIVE_OUT, ///< Masked copy of a value that a loop's lanes take along when they leave.
};

struct wf_sw_ins {
    uint16_t op; ///< enum wf_sw_ir_op
    uint8_t results;
    bool dead;
    uint32_t block, next; ///< Next of the block, or WF_SW_NONE.
    uint32_t imm;
    uint32_t args, arg_count; ///< In ir->args.
    uint32_t result;          ///< First of the results.
    uint32_t word;            ///< Where in the module it came from.
};

struct wf_sw_val {
    uint32_t ins;
    uint32_t forward; ///< The value that stands for this one, or WF_SW_NONE.
    uint32_t uses;
    uint32_t slot; ///< Of its row or, uniform, of its word. WF_SW_NONE: nobody needs it.
    uint32_t row;  ///< Uniform value that is also needed as a row: the slot of that.
    bool uniform;  ///< The same for all lanes that are active where it is defined.
    bool carried;  ///< Lanes keep it when they leave a loop: writes are masked.
};

enum wf_sw_end {
    WF_SW_END_NONE,
    WF_SW_END_JUMP,
    WF_SW_END_BRANCH,
    WF_SW_END_SWITCH,
    WF_SW_END_KILL,
    WF_SW_END_FINISH,
};

struct wf_sw_block_ir {
    uint32_t first, last; ///< Instructions, or WF_SW_NONE.
    uint32_t order;       ///< Place in ir->order, or WF_SW_NONE.
    uint32_t expected;    ///< How many edges will lead here.
    uint32_t *preds;
    uint32_t pred_count, pred_capacity;
    uint32_t loop;  ///< Innermost loop, or WF_SW_NONE.
    uint8_t end;    ///< enum wf_sw_end
    uint32_t value; ///< Condition or selector.
    uint32_t target[2];
    uint32_t *cases; ///< Switch: value, block, value, block ...; target[0] is the default.
    uint32_t case_count;
    bool joins; ///< Lanes that took different ways may meet here.
};

/// Blocks order[first] to order[last]; the last one jumps back to the first.
struct wf_sw_loop {
    uint32_t first, last; ///< Places in the order.
    uint32_t parent;      ///< Or WF_SW_NONE.
    bool simple;          ///< One edge leads in, one leads back.
};

/// A 32-bit word of read-only memory that is the same for all lanes.
struct wf_sw_uword {
    uint32_t space, use, desc, offset;
    uint32_t value;
};

struct wf_sw_ir {
    struct wf_base_arena *arena;
    const struct wf_shader_module *module;
    struct wf_shader_error *error;
    jmp_buf *escape;
    uint32_t word;      ///< Of the SPIR-V instruction at hand.
    bool out_of_memory; ///< Why it fails.

    struct wf_sw_ins *ins;
    struct wf_sw_val *vals;
    uint32_t *args;
    struct wf_sw_block_ir *blocks;
    uint32_t *order; ///< Blocks as they run.
    struct wf_sw_loop *loops;
    struct wf_sw_mem *mems; ///< Operands are not known yet: see emit.c.
    struct wf_sw_scratch *scratch;
    struct wf_sw_image_op *images;
    struct wf_sw_uword *uwords;
    uint32_t ins_count, val_count, arg_count, block_count, order_count, loop_count, mem_count;
    uint32_t scratch_count, image_count, uword_count;
    uint32_t ins_capacity, val_capacity, arg_capacity, block_capacity, order_capacity;
    uint32_t loop_capacity, mem_capacity, scratch_capacity, image_capacity, uword_capacity;

    struct wf_base_map known; ///< Hash of a simple operation to its value.
    uint32_t at;              ///< Block that instructions are added to.
};

/// Ends the compilation with a sentence about the instruction at hand.
_Noreturn void wf_sw_fail(struct wf_sw_ir *ir, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
_Noreturn void wf_sw_fail_memory(struct wf_sw_ir *ir);

void *wf_sw_ir_alloc(struct wf_sw_ir *ir, size_t count, size_t size); ///< Zeroed.
/// Room for `need` items. The old array stays behind in the arena.
void *wf_sw_ir_grow(struct wf_sw_ir *ir, void *items, uint32_t *capacity, uint32_t need,
                    size_t size);

uint32_t wf_sw_ir_block(struct wf_sw_ir *ir, uint32_t expected);
/// Puts a block at the end of the order and adds to it from now on.
void wf_sw_ir_begin(struct wf_sw_ir *ir, uint32_t block);
void wf_sw_ir_jump(struct wf_sw_ir *ir, uint32_t target);
void wf_sw_ir_branch(struct wf_sw_ir *ir, uint32_t condition, uint32_t yes, uint32_t no);
/// Ends the block without a successor: KILL or FINISH.
void wf_sw_ir_stop(struct wf_sw_ir *ir, enum wf_sw_end end);
/// `cases`: value, block, ...; it stays with the block.
void wf_sw_ir_switch(struct wf_sw_ir *ir, uint32_t selector, uint32_t *cases, uint32_t count,
                     uint32_t otherwise);

/// Adds an instruction and returns its first result (WF_SW_NONE if it has none).
uint32_t wf_sw_ir_add(struct wf_sw_ir *ir, uint32_t op, uint32_t imm, const uint32_t *args,
                      uint32_t arg_count, uint32_t results);
/// The same, in the prologue.
uint32_t wf_sw_ir_add_first(struct wf_sw_ir *ir, uint32_t op, uint32_t imm);
/// The same, behind the instruction `after`, with one argument.
uint32_t wf_sw_ir_insert(struct wf_sw_ir *ir, uint32_t after, uint32_t op, uint32_t argument);
/// A phi at the head of a block; arguments are set later.
uint32_t wf_sw_ir_phi(struct wf_sw_ir *ir, uint32_t block);
void wf_sw_ir_set_args(struct wf_sw_ir *ir, uint32_t ins, const uint32_t *args, uint32_t count);

uint32_t wf_sw_ir_const(struct wf_sw_ir *ir, uint32_t bits);
uint32_t wf_sw_ir_float(struct wf_sw_ir *ir, float value);
bool wf_sw_ir_is_const(const struct wf_sw_ir *ir, uint32_t value, uint32_t *bits);

/// Simple operations, folded where it is safe and easy.
uint32_t wf_sw_ir_un(struct wf_sw_ir *ir, uint32_t op, uint32_t a);
uint32_t wf_sw_ir_bin(struct wf_sw_ir *ir, uint32_t op, uint32_t a, uint32_t b);
uint32_t wf_sw_ir_ter(struct wf_sw_ir *ir, uint32_t op, uint32_t a, uint32_t b, uint32_t c);
/// A function with one result.
uint32_t wf_sw_ir_call(struct wf_sw_ir *ir, uint32_t fun, const uint32_t *args, uint32_t count);

/// The value itself, or what stands for it.
uint32_t wf_sw_ir_resolve(struct wf_sw_ir *ir, uint32_t value);
/// How many arguments a simple operation has.
uint32_t wf_sw_ir_arity(uint32_t op);
/// Whether it does something besides its results.
bool wf_sw_ir_has_effect(const struct wf_sw_ir *ir, const struct wf_sw_ins *ins);

// optimize.c: in this order, after lowering.
void wf_sw_ir_simplify_phis(struct wf_sw_ir *ir);
void wf_sw_ir_drop_dead(struct wf_sw_ir *ir);
/// An edge that goes back is its block's only one.
void wf_sw_ir_split_back_edges(struct wf_sw_ir *ir);
void wf_sw_ir_find_loops(struct wf_sw_ir *ir);
void wf_sw_ir_find_uniform(struct wf_sw_ir *ir);
void wf_sw_ir_fuse(struct wf_sw_ir *ir);
void wf_sw_ir_carry_out(struct wf_sw_ir *ir);

#endif
