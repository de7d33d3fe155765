#include "support/test.h"

#include "backends/software/exec/ir.h"
#include "base/alloc.h"
#include "base/arena.h"

/// A value that a loop's lanes take along, used behind the loop; `padding` moves what is made
/// through the sizes at which the compiler's arrays grow.
static uint32_t op_behind_the_loop(struct wf_sw_ir *ir, uint32_t padding)
{
    const uint32_t entry = wf_sw_ir_block(ir, 0), head = wf_sw_ir_block(ir, 2);
    const uint32_t body = wf_sw_ir_block(ir, 1), behind = wf_sw_ir_block(ir, 1);
    wf_sw_ir_begin(ir, entry);
    const uint32_t zero = wf_sw_ir_const(ir, 0), one = wf_sw_ir_const(ir, 1);
    for (uint32_t k = 0; k < padding; k++)
        wf_sw_ir_add(ir, WF_SW_IR_OUTPUT, k, &zero, 1, 0);
    wf_sw_ir_jump(ir, head);
    wf_sw_ir_begin(ir, head);
    const uint32_t phi = wf_sw_ir_phi(ir, head);
    wf_sw_ir_branch(ir, wf_sw_ir_bin(ir, WF_SW_IR_SLT, phi, wf_sw_ir_const(ir, 10)), body, behind);
    wf_sw_ir_begin(ir, body);
    const uint32_t next = wf_sw_ir_bin(ir, WF_SW_IR_IADD, phi, one);
    wf_sw_ir_jump(ir, head);
    wf_sw_ir_begin(ir, behind);
    wf_sw_ir_add(ir, WF_SW_IR_OUTPUT, 0, &phi, 1, 0);
    const uint32_t use = ir->ins_count - 1;
    wf_sw_ir_stop(ir, WF_SW_END_FINISH);
    const uint32_t args[] = {entry, zero, body, next};
    wf_sw_ir_set_args(ir, ir->vals[phi].ins, args, 4);

    wf_sw_ir_simplify_phis(ir);
    wf_sw_ir_split_back_edges(ir);
    wf_sw_ir_drop_dead(ir);
    wf_sw_ir_find_loops(ir);
    wf_sw_ir_find_uniform(ir);
    wf_sw_ir_carry_out(ir);
    return ir->ins[ir->vals[ir->args[ir->ins[use].args]].ins].op;
}

/// What setjmp() returns to has no loop's variable around it.
static void expect_carried(uint32_t padding)
{
    struct wf_base_arena arena;
    struct wf_shader_error error = {0};
    jmp_buf escape;
    wf_base_arena_init(&arena, wf_base_allocator_default(), 0, 0);
    struct wf_sw_ir ir = {.arena = &arena, .error = &error, .escape = &escape};
    wf_base_map_init(&ir.known, wf_base_allocator_default());
    if (setjmp(escape))
        test_fail(__FILE__, __LINE__, "%s", error.message);
    EXPECT_EQ(op_behind_the_loop(&ir, padding), WF_SW_IR_LIVE_OUT);
    wf_base_map_finish(&ir.known);
    wf_base_arena_finish(&arena);
}

TEST(exec, what_leaves_a_loop_is_carried_out_however_the_arrays_grow)
{
    for (uint32_t padding = 0; padding < 70; padding++)
        expect_carried(padding);
}
