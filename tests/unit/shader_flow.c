// Structured control flow: what is accepted, and each way to break it.
#include "shader_builder.h"

TEST(shader_flow, a_selection_is_accepted)
{
    struct builder b;
    builder_start(&b);
    I(&b, SpvOpSelectionMerge, 22, 0);
    I(&b, SpvOpBranchConditional, B_TRUE, 20, 21);
    I(&b, SpvOpLabel, 20);
    I(&b, SpvOpBranch, 22);
    I(&b, SpvOpLabel, 21);
    I(&b, SpvOpBranch, 22);
    I(&b, SpvOpLabel, 22);
    I(&b, SpvOpPhi, B_UINT, 23, B_ONE, 20, B_ZERO, 21);
    builder_end(&b);
    EXPECT_ACCEPTED(&b);
}

TEST(shader_flow, a_selection_needs_its_merge)
{
    struct builder b;
    builder_start(&b);
    I(&b, SpvOpBranchConditional, B_TRUE, 20, 21);
    I(&b, SpvOpLabel, 20);
    I(&b, SpvOpBranch, 22);
    I(&b, SpvOpLabel, 21);
    I(&b, SpvOpBranch, 22);
    I(&b, SpvOpLabel, 22);
    builder_end(&b);
    EXPECT_REFUSED(&b, "no merge instruction is before it");
    builder_start(&b);
    I(&b, SpvOpSwitch, B_ONE, 20, 1, 21);
    I(&b, SpvOpLabel, 20);
    I(&b, SpvOpBranch, 21);
    I(&b, SpvOpLabel, 21);
    builder_end(&b);
    EXPECT_REFUSED(&b, "no OpSelectionMerge is before it");
}

/// A loop from header 20: body 21, continue 22, merge 23.
static void loop(struct builder *b, uint32_t back)
{
    builder_start(b);
    I(b, SpvOpBranch, 20);
    I(b, SpvOpLabel, 20);
    I(b, SpvOpLoopMerge, 23, 22, 0);
    I(b, SpvOpBranchConditional, B_TRUE, 21, 23);
    I(b, SpvOpLabel, 21);
    I(b, SpvOpBranch, 22);
    I(b, SpvOpLabel, 22);
    I(b, SpvOpBranch, back);
    I(b, SpvOpLabel, 23);
    builder_end(b);
}

TEST(shader_flow, loops_are_checked)
{
    struct builder b;
    loop(&b, 20);
    EXPECT_ACCEPTED(&b);
    loop(&b, 21);
    EXPECT_REFUSED(&b, "branches back to %21, which has no OpLoopMerge");
    loop(&b, B_ENTRY);
    EXPECT_REFUSED(&b, "branches to the function's first block");
}

TEST(shader_flow, one_block_branches_back_from_the_continue_construct)
{
    struct builder b;
    builder_start(&b);
    I(&b, SpvOpBranch, 20);
    I(&b, SpvOpLabel, 20);
    I(&b, SpvOpLoopMerge, 23, 22, 0);
    I(&b, SpvOpBranchConditional, B_TRUE, 21, 23);
    I(&b, SpvOpLabel, 21);
    I(&b, SpvOpBranchConditional, B_TRUE, 20, 22);
    I(&b, SpvOpLabel, 22);
    I(&b, SpvOpBranch, 20);
    I(&b, SpvOpLabel, 23);
    builder_end(&b);
    EXPECT_REFUSED(&b, "from outside of its continue construct");
}

TEST(shader_flow, a_loop_with_two_entries_is_refused)
{
    struct builder b;
    builder_start(&b);
    I(&b, SpvOpSelectionMerge, 23, 0);
    I(&b, SpvOpBranchConditional, B_TRUE, 20, 21);
    I(&b, SpvOpLabel, 20);
    I(&b, SpvOpBranch, 21);
    I(&b, SpvOpLabel, 21);
    I(&b, SpvOpBranchConditional, B_TRUE, 20, 23);
    I(&b, SpvOpLabel, 23);
    builder_end(&b);
    EXPECT_REFUSED(&b, "more than one place");
}

TEST(shader_flow, merge_blocks_have_one_header_that_dominates_them)
{
    struct builder b;
    builder_start(&b);
    I(&b, SpvOpSelectionMerge, B_ENTRY, 0);
    I(&b, SpvOpBranchConditional, B_TRUE, 20, 21);
    I(&b, SpvOpLabel, 20);
    I(&b, SpvOpBranch, 21);
    I(&b, SpvOpLabel, 21);
    builder_end(&b);
    EXPECT_REFUSED(&b, "cannot be its own merge block");
    builder_start(&b);
    I(&b, SpvOpSelectionMerge, 22, 0);
    I(&b, SpvOpBranchConditional, B_TRUE, 20, 22);
    I(&b, SpvOpLabel, 20);
    I(&b, SpvOpSelectionMerge, 22, 0);
    I(&b, SpvOpBranchConditional, B_TRUE, 21, 22);
    I(&b, SpvOpLabel, 21);
    I(&b, SpvOpBranch, 22);
    I(&b, SpvOpLabel, 22);
    builder_end(&b);
    EXPECT_REFUSED(&b, "%22 is already the merge block of %15");
    builder_start(&b);
    I(&b, SpvOpSelectionMerge, 23, 0);
    I(&b, SpvOpBranchConditional, B_TRUE, 20, 21);
    I(&b, SpvOpLabel, 20);
    I(&b, SpvOpSelectionMerge, 22, 0);
    I(&b, SpvOpBranchConditional, B_TRUE, 22, 24);
    I(&b, SpvOpLabel, 24);
    I(&b, SpvOpBranch, 22);
    I(&b, SpvOpLabel, 21);
    I(&b, SpvOpBranch, 22);
    I(&b, SpvOpLabel, 22);
    I(&b, SpvOpBranch, 23);
    I(&b, SpvOpLabel, 23);
    builder_end(&b);
    EXPECT_REFUSED(&b, "does not dominate its merge block");
}

TEST(shader_flow, merge_instructions_stand_before_their_branch)
{
    struct builder b;
    builder_start(&b);
    I(&b, SpvOpSelectionMerge, 20, 0);
    I(&b, SpvOpIAdd, B_UINT, 21, B_ONE, B_ONE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "between a merge instruction and its branch");
    builder_start(&b);
    I(&b, SpvOpSelectionMerge, 20, 0);
    I(&b, SpvOpBranch, 20);
    I(&b, SpvOpLabel, 20);
    builder_end(&b);
    EXPECT_REFUSED(&b, "must be followed by OpBranchConditional or OpSwitch");
}

TEST(shader_flow, definitions_dominate_their_uses)
{
    struct builder b;
    builder_start(&b);
    I(&b, SpvOpSelectionMerge, 22, 0);
    I(&b, SpvOpBranchConditional, B_TRUE, 20, 22);
    I(&b, SpvOpLabel, 20);
    I(&b, SpvOpIAdd, B_UINT, 21, B_ONE, B_ONE);
    I(&b, SpvOpBranch, 22);
    I(&b, SpvOpLabel, 22);
    I(&b, SpvOpIAdd, B_UINT, 23, 21, B_ONE);
    builder_end(&b);
    EXPECT_REFUSED(&b, "%21 may not be computed yet");
}

/// A diamond whose OpPhi has these operands.
static void phi(struct builder *b, const uint32_t *operands, uint32_t count)
{
    builder_start(b);
    I(b, SpvOpSelectionMerge, 22, 0);
    I(b, SpvOpBranchConditional, B_TRUE, 20, 21);
    I(b, SpvOpLabel, 20);
    I(b, SpvOpIAdd, B_UINT, 24, B_ONE, B_ONE);
    I(b, SpvOpBranch, 22);
    I(b, SpvOpLabel, 21);
    I(b, SpvOpBranch, 22);
    I(b, SpvOpLabel, 22);
    emit(b, SpvOpPhi, operands, count);
    builder_end(b);
}

TEST(shader_flow, phi_has_one_value_per_predecessor)
{
    struct builder b;
    phi(&b, (uint32_t[]){B_UINT, 23, 24, 20, B_ONE, 21}, 6);
    EXPECT_ACCEPTED(&b);
    phi(&b, (uint32_t[]){B_UINT, 23, 24, 20}, 4);
    EXPECT_REFUSED(&b, "no value for 1 of its predecessors");
    phi(&b, (uint32_t[]){B_UINT, 23, 24, 20, B_ONE, 20}, 6);
    EXPECT_REFUSED(&b, "%20 is no predecessor, or appears twice");
    phi(&b, (uint32_t[]){B_UINT, 23, B_ONE, B_ENTRY, B_ONE, 21}, 6);
    EXPECT_REFUSED(&b, "%15 is no predecessor");
    phi(&b, (uint32_t[]){B_UINT, 23, 24, 20, B_HALF, 21}, 6);
    EXPECT_REFUSED(&b, "%10 is not of its type %4");
    phi(&b, (uint32_t[]){B_UINT, 23, B_ONE, 20, 24, 21}, 6);
    EXPECT_REFUSED(&b, "%24 may not be computed yet");
    phi(&b, (uint32_t[]){B_UINT, 23, B_ONE, 20, B_ONE}, 5);
    EXPECT_REFUSED(&b, "lacks an operand");
}

TEST(shader_flow, a_long_chain_of_blocks_is_linear)
{
    // 60,000 selections one after another: no recursion, and no quadratic time.
    enum { SELECTIONS = 60000 };
    static uint32_t words[SELECTIONS * 14 + 256];
    struct builder b;
    builder_start(&b);
    b.words[3] = SELECTIONS * 2 + 200;
    uint32_t count = b.count;
    memcpy(words, b.words, (size_t)b.count * 4);
    for (uint32_t i = 0; i < SELECTIONS; i++) {
        const uint32_t yes = 100 + 2 * i;
        const uint32_t merge = yes + 1;
        const uint32_t block[] = {SpvOpSelectionMerge | 3u << 16,
                                  merge,
                                  0,
                                  SpvOpBranchConditional | 4u << 16,
                                  B_TRUE,
                                  yes,
                                  merge,
                                  SpvOpLabel | 2u << 16,
                                  yes,
                                  SpvOpBranch | 2u << 16,
                                  merge,
                                  SpvOpLabel | 2u << 16,
                                  merge};
        memcpy(words + count, block, sizeof block);
        count += sizeof block / 4;
    }
    words[count++] = SpvOpReturn | 1u << 16;
    words[count++] = SpvOpFunctionEnd | 1u << 16;
    struct wf_shader_module *module;
    struct wf_shader_error error = {0};
    if (!wf_shader_read(wf_base_allocator_default(), words, (size_t)count * 4, &module, &error))
        test_fail(__FILE__, __LINE__, "refused: %s", error.message);
    EXPECT_EQ(module->block_count, SELECTIONS * 2 + 1);
    wf_shader_free(module);
}
