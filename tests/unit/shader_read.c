#include "base/text.h"
#include "shader/disasm.h"
#include "shader/tables.h"
#include "shader_stage.comp.spv.h"
#include "shader_stage.frag.spv.h"
#include "shader_stage.vert.spv.h"
#include "shader_support.h"

#include <stdlib.h>
#include <string.h>

/// The id with this name, or 0.
static uint32_t find_name(const struct wf_shader_module *module, const char *name)
{
    for (uint32_t id = 1; id < module->bound; id++) {
        if (strcmp(wf_shader_name(module, id), name) == 0)
            return id;
    }
    return 0;
}

static uint32_t find_opcode(const struct wf_shader_module *module, uint16_t opcode)
{
    struct wf_shader_instruction ins;
    for (uint32_t at = 5; wf_shader_next(module, &at, module->word_count, &ins);) {
        if (ins.opcode == opcode)
            return ins.word;
    }
    return 0;
}

TEST(shader_read, structures_have_their_layout)
{
    struct wf_shader_module *m = read_good(shader_stage_vert, sizeof shader_stage_vert);
    const struct wf_shader_variable *globals = wf_shader_variable(m, find_name(m, "globals"));
    EXPECT(globals && globals->set == 0 && globals->binding == 0);
    EXPECT_EQ(globals->storage, SpvStorageClassUniform);
    const struct wf_shader_type *type = wf_shader_type(m, globals->type);
    EXPECT_EQ(type->kind, WF_SHADER_TYPE_STRUCT);
    EXPECT(type->block && type->count == 3);
    EXPECT_STR(type->members[0].name, "view");
    EXPECT_EQ(type->members[0].size, 64);
    EXPECT_EQ(type->members[0].matrix_stride, 16);
    EXPECT_STR(type->members[1].name, "odd");
    EXPECT(type->members[1].row_major);
    EXPECT_EQ(type->members[1].offset, 64);
    EXPECT_EQ(type->members[1].size, 16 + 3 * 4);
    EXPECT_EQ(type->members[2].offset, 96);
    EXPECT_EQ(type->members[2].size, 48);
    EXPECT_EQ(type->size, 144);
    const struct wf_shader_type *offsets = wf_shader_type(m, type->members[2].type);
    EXPECT_EQ(offsets->kind, WF_SHADER_TYPE_ARRAY);
    EXPECT(offsets->count == 3 && offsets->stride == 16 && offsets->leaves == 12);
    wf_shader_free(m);
}

TEST(shader_read, pointers_may_close_cycles)
{
    struct wf_shader_module *m = read_good(shader_stage_vert, sizeof shader_stage_vert);
    const struct wf_shader_type *node = NULL;
    for (uint32_t i = 0; i < m->type_count; i++) {
        if (m->types[i].kind == WF_SHADER_TYPE_POINTER &&
            m->types[i].storage == SpvStorageClassPhysicalStorageBuffer) {
            const struct wf_shader_type *pointee = wf_shader_type(m, m->types[i].component);
            if (pointee->kind == WF_SHADER_TYPE_STRUCT)
                node = pointee;
        }
    }
    EXPECT(node && node->count == 2);
    EXPECT_EQ(wf_shader_type(m, node->members[0].type)->component, node->id);
    EXPECT_EQ(node->members[0].size, 8);
    EXPECT_EQ(node->size, 32);
    EXPECT_EQ(m->addressing, SpvAddressingModelPhysicalStorageBuffer64);
    wf_shader_free(m);
}

TEST(shader_read, functions_have_blocks)
{
    struct wf_shader_module *m = read_good(shader_stage_vert, sizeof shader_stage_vert);
    EXPECT_EQ(m->function_count, 2);
    const struct wf_shader_function *main = wf_shader_function(m, m->entries[0].function);
    EXPECT(main && main->parameter_count == 0);
    uint32_t loops = 0, switches = 0;
    for (uint32_t i = 0; i < main->block_count; i++) {
        const struct wf_shader_block *block = &m->blocks[main->first_block + i];
        EXPECT_EQ(wf_shader_block(m, block->label)->word, block->word);
        loops += block->continue_label != 0;
        switches += wf_shader_at(m, block->terminator).opcode == SpvOpSwitch;
        EXPECT(block->merge == 0 || block->merge_label != 0);
    }
    EXPECT_EQ(loops, 1);
    EXPECT_EQ(switches, 1);
    const struct wf_shader_function *pair = &m->functions[1];
    EXPECT_EQ(pair->parameter_count, 2);
    EXPECT_EQ(m->ids[pair->parameters[1]].opcode, SpvOpFunctionParameter);
    wf_shader_free(m);
}

TEST(shader_read, entry_points_have_modes_and_interfaces)
{
    struct wf_shader_module *m = read_good(shader_stage_frag, sizeof shader_stage_frag);
    const struct wf_shader_entry *entry = wf_shader_entry(m, SpvExecutionModelFragment, "main");
    EXPECT(entry && entry == wf_shader_entry(m, SpvExecutionModelFragment, NULL));
    EXPECT(!wf_shader_entry(m, SpvExecutionModelVertex, NULL));
    EXPECT(entry->modes & WF_SHADER_MODE_ORIGIN_UPPER_LEFT);
    EXPECT(entry->interface_count > 4);
    EXPECT(wf_shader_has_capability(m, SpvCapabilityShader));
    EXPECT(wf_shader_has_capability(m, SpvCapabilityMatrix)); // implied by Shader
    EXPECT(!wf_shader_has_capability(m, SpvCapabilityKernel));
    wf_shader_free(m);
}

TEST(shader_read, source_lines_are_known)
{
    struct wf_shader_module *m = read_good(shader_stage_frag, sizeof shader_stage_frag);
    const struct wf_shader_line *line = wf_shader_line(m, find_opcode(m, SpvOpImageWrite));
    EXPECT(line && line->line == 46);
    const char *file = wf_shader_string(m, line->file);
    EXPECT(strlen(file) > 17 && strcmp(file + strlen(file) - 17, "shader_stage.frag") == 0);
    EXPECT(!wf_shader_line(m, 5));
    wf_shader_free(m);
}

TEST(shader_read, errors_name_the_source_line)
{
    uint32_t *words = malloc(sizeof shader_stage_frag);
    memcpy(words, shader_stage_frag, sizeof shader_stage_frag);
    struct wf_shader_module *m = read_good(words, sizeof shader_stage_frag);
    const uint32_t at = find_opcode(m, SpvOpImageWrite);
    wf_shader_free(m);
    words[at + 1] = words[at + 3]; // the texel as the image
    struct wf_shader_error error = {0};
    EXPECT(
        !wf_shader_read(wf_base_allocator_default(), words, sizeof shader_stage_frag, &m, &error));
    EXPECT_EQ(error.word, at);
    EXPECT_EQ(error.opcode, SpvOpImageWrite);
    EXPECT_EQ(error.line, 46);
    EXPECT(strstr(error.file, "shader_stage.frag"));
    EXPECT(strstr(error.message, "OpImageWrite: operand %"));
    free(words);
}

TEST(shader_read, either_byte_order_reads_the_same)
{
    const uint32_t count = sizeof shader_stage_comp / 4;
    uint32_t *swapped = malloc(sizeof shader_stage_comp);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t w = shader_stage_comp[i];
        swapped[i] = w >> 24 | (w >> 8 & 0xFF00) | (w << 8 & 0xFF0000) | w << 24;
    }
    struct wf_shader_module *a = read_good(shader_stage_comp, sizeof shader_stage_comp);
    struct wf_shader_module *b = read_good(swapped, sizeof shader_stage_comp);
    EXPECT_MEM(b->words, a->words, (size_t)count * 4);
    EXPECT_STR(wf_shader_name(b, b->variables[0].id), wf_shader_name(a, a->variables[0].id));
    wf_shader_free(a);
    wf_shader_free(b);
    free(swapped);
}

TEST(shader_read, constants_can_be_specialized)
{
    struct wf_shader_module *m = read_good(shader_stage_frag, sizeof shader_stage_frag);
    struct wf_shader_value *values = calloc(m->constant_count, sizeof *values);
    const struct wf_shader_type *table =
        wf_shader_type(m, wf_shader_variable(m, find_name(m, "table"))->type);
    EXPECT_EQ(table->count, 9);
    const struct wf_shader_constant *length = wf_shader_constant(m, table->length_id);
    EXPECT(length->spec && length->spec_id == WF_SHADER_NONE && length->value == 9);

    wf_shader_specialize(m, NULL, 0, values);
    EXPECT_EQ(values[length - m->constants].component[0], 9);
    const struct wf_shader_specialization given[] = {{3, 10}, {4, 0}, {7, 0x40000000}, {99, 1}};
    wf_shader_specialize(m, given, 4, values);
    EXPECT_EQ(values[length - m->constants].component[0], 21);
    const struct wf_shader_constant *flag = wf_shader_constant(m, find_name(m, "flag"));
    EXPECT(flag->value == 1 && values[flag - m->constants].component[0] == 0);
    const struct wf_shader_constant *scale = wf_shader_constant(m, find_name(m, "scale"));
    EXPECT_EQ(scale->value, 0x3FC00000);
    EXPECT_EQ(values[scale - m->constants].component[0], 0x40000000);
    free(values);
    wf_shader_free(m);
}

TEST(shader_read, workgroup_sizes_can_be_specialized)
{
    struct wf_shader_module *m = read_good(shader_stage_comp, sizeof shader_stage_comp);
    struct wf_shader_value *values = calloc(m->constant_count, sizeof *values);
    uint32_t size[3];
    wf_shader_workgroup_size(m, m->entries, NULL, size);
    EXPECT(size[0] == 1 && size[1] == 2 && size[2] == 1);
    wf_shader_specialize(m, &(struct wf_shader_specialization){0, 32}, 1, values);
    wf_shader_workgroup_size(m, m->entries, values, size);
    EXPECT(size[0] == 32 && size[1] == 2 && size[2] == 1);
    free(values);
    wf_shader_free(m);
}

TEST(shader_read, truncated_modules_are_refused)
{
    for (uint32_t words = 0; words < sizeof shader_stage_frag / 4; words += 3) {
        struct wf_shader_module *m;
        EXPECT(!wf_shader_read(wf_base_allocator_default(), shader_stage_frag, (size_t)words * 4,
                               &m, NULL));
    }
}

TEST(shader_read, flipped_bits_do_no_harm)
{
    const uint32_t bits = sizeof shader_stage_comp * 8;
    uint32_t *words = malloc(sizeof shader_stage_comp);
    memcpy(words, shader_stage_comp, sizeof shader_stage_comp);
    for (uint32_t bit = 0; bit < bits; bit += 37) {
        struct wf_shader_module *m;
        words[bit / 32] ^= 1u << bit % 32;
        if (wf_shader_read(wf_base_allocator_default(), words, sizeof shader_stage_comp, &m,
                           NULL)) {
            struct wf_shader_reflection *r;
            if (wf_shader_reflect(wf_base_allocator_default(), m, m->entries, &r, NULL))
                wf_shader_reflection_free(r);
            wf_shader_free(m);
        }
        words[bit / 32] ^= 1u << bit % 32;
    }
    free(words);
}

TEST(shader_read, failing_allocations_are_errors)
{
    struct wf_base_counting_allocator counting;
    wf_base_counting_init(&counting, wf_base_allocator_default());
    bool done = false;
    for (uint64_t n = 1; !done; n++) {
        EXPECT(n < 1000);
        wf_base_counting_fail(&counting, n, false);
        struct wf_shader_module *m = NULL;
        struct wf_shader_reflection *r = NULL;
        struct wf_shader_error error = {0};
        done = wf_shader_read(&counting.allocator, shader_stage_frag, sizeof shader_stage_frag, &m,
                              &error) &&
               wf_shader_reflect(&counting.allocator, m, m->entries, &r, &error);
        EXPECT(done || strstr(error.message, "out of memory"));
        EXPECT_EQ(error.out_of_memory, !done);
        wf_shader_reflection_free(r);
        wf_shader_free(m);
        EXPECT_EQ(counting.live_blocks, 0);
    }
}

TEST(shader_read, listings_name_what_they_show)
{
    struct wf_shader_module *m = read_good(shader_stage_frag, sizeof shader_stage_frag);
    struct wf_base_text text;
    wf_base_text_init(&text, wf_base_allocator_default());
    wf_shader_disassemble(m, &text);
    const char *listing = wf_base_text_string(&text);
    EXPECT(strstr(listing, "; SPIR-V 1.6"));
    EXPECT(strstr(listing, "OpCapability Shader\n"));
    EXPECT(strstr(listing, "OpEntryPoint Fragment %main_"));
    EXPECT(strstr(listing, "= OpExtInstImport \"GLSL.std.450\"\n"));
    EXPECT(strstr(listing, "OpDecorate %base_"));
    EXPECT(strstr(listing, "= OpSpecConstant %"));
    EXPECT(strstr(listing, " 1.5\n"));
    EXPECT(strstr(listing, " InterpolateAtCentroid %uv_"));
    EXPECT(strstr(listing, "OpSpecConstantOp %"));
    EXPECT(strstr(listing, " IMul %N_"));
    wf_base_text_finish(&text);
    wf_shader_free(m);
}

TEST(shader_read, the_tables_know_the_grammar)
{
    EXPECT_STR(wf_shader_op_name(wf_shader_op(SpvOpLoad)), "Load");
    EXPECT_STR(wf_shader_op_name(wf_shader_op(SpvOpReportIntersectionKHR)),
               "ReportIntersectionKHR");
    EXPECT(!wf_shader_op(65535) && !wf_shader_op(1 << 20));
    EXPECT_STR(wf_shader_value_name(WF_SHADER_KIND_CAPABILITY, SpvCapabilityMatrix), "Matrix");
    EXPECT_STR(wf_shader_value_name(WF_SHADER_KIND_DECORATION, SpvDecorationOffset), "Offset");
    EXPECT_STR(wf_shader_value_name(WF_SHADER_KIND_BUILTIN, 60000), "?");
    uint32_t operands;
    EXPECT(wf_shader_glsl_has(31, &operands));
    EXPECT_EQ(operands, 1);
    EXPECT(!wf_shader_glsl_has(0, &operands) && !wf_shader_glsl_has(1000, &operands));
    EXPECT_STR(wf_shader_glsl_name(31), "Sqrt");
    EXPECT(!wf_shader_glsl_name(0) && !wf_shader_glsl_name(1000));
    EXPECT_STR(wf_shader_debug_name(1), "DebugCompilationUnit");
    EXPECT(!wf_shader_debug_name(200));
    EXPECT_STR(wf_shader_kind_name(WF_SHADER_KIND_SOURCE_LANGUAGE), "SourceLanguage");
    uint32_t known = 0;
    for (uint32_t opcode = 0; opcode < 65536; opcode++) {
        const struct wf_shader_op *op = wf_shader_op(opcode);
        EXPECT(!op || op->opcode == opcode);
        known += op != NULL;
    }
    EXPECT(known > 400);
}
