#include "backends/software/exec/program.h"

#include <stdatomic.h>
#include <stdio.h>

#include "backends/software/exec/emit.h"
#include "backends/software/exec/lower.h"

/// Most memory that compiling one program takes.
#define COMPILE_LIMIT ((size_t)2 << 30)

/// Everything that lives while a program is compiled.
struct compile {
    struct wf_base_arena arena;
    struct wf_sw_ir ir;
    struct wf_sw_lower lower;
    struct wf_sw_emit emit;
    struct wf_sw_program_info info;
    jmp_buf escape;
};

static void start(struct compile *c, const struct wf_base_allocator *allocator,
                  const struct wf_sw_program_desc *desc, struct wf_shader_error *error)
{
    *c = (struct compile){0};
    wf_base_arena_init(&c->arena, allocator, 0, COMPILE_LIMIT);
    c->ir.arena = &c->arena;
    c->ir.module = desc->module;
    c->ir.error = error;
    c->ir.escape = &c->escape;
    wf_base_map_init(&c->ir.known, allocator);
    wf_base_map_init(&c->lower.defined, allocator);
    wf_base_map_init(&c->lower.uniform, allocator);
    c->lower.ir = &c->ir;
    c->lower.module = desc->module;
    c->lower.entry = desc->entry;
    c->lower.info = &c->info;
    c->lower.subgroup_size = desc->subgroup_size ? desc->subgroup_size : WF_SW_LANES;
    c->emit.ir = &c->ir;
}

static void finish(struct compile *c)
{
    wf_base_map_finish(&c->lower.uniform);
    wf_base_map_finish(&c->lower.defined);
    wf_base_map_finish(&c->ir.known);
    wf_base_arena_finish(&c->arena);
}

static void specialize(struct compile *c, const struct wf_sw_program_desc *desc)
{
    const struct wf_shader_module *m = desc->module;
    struct wf_shader_value *values = wf_sw_ir_alloc(&c->ir, m->constant_count, sizeof *values);
    wf_shader_specialize(m, desc->specializations, desc->specialization_count, values);
    c->lower.constants = values;
    c->info.model = desc->entry->model;
    c->info.modes = desc->entry->modes;
    for (uint32_t k = 0; k < 3; k++)
        c->info.workgroup_size[k] = 1;
    if (desc->entry->model != SpvExecutionModelGLCompute)
        return;
    wf_shader_workgroup_size(m, desc->entry, values, c->info.workgroup_size);
    uint64_t invocations = 1;
    for (uint32_t k = 0; k < 3 && invocations <= WF_SW_MAX_WORKGROUP; k++)
        invocations *= c->info.workgroup_size[k];
    if (invocations == 0 || invocations > WF_SW_MAX_WORKGROUP)
        wf_sw_fail(&c->ir, "a workgroup has 1 to %u invocations", WF_SW_MAX_WORKGROUP);
}

static void prepare_tables(struct wf_sw_lower *l)
{
    struct wf_sw_ir *ir = l->ir;
    const struct wf_shader_module *m = l->module;
    l->type_words = wf_sw_ir_alloc(ir, m->type_count, sizeof *l->type_words);
    l->values = wf_sw_ir_alloc(ir, m->bound, sizeof *l->values);
    l->pointer_of = wf_sw_ir_alloc(ir, m->bound, sizeof *l->pointer_of);
    l->opaque_of = wf_sw_ir_alloc(ir, m->bound, sizeof *l->opaque_of);
    l->dynamic = wf_sw_ir_alloc(ir, m->bound, sizeof *l->dynamic);
    l->scratch_of = wf_sw_ir_alloc(ir, m->bound, sizeof *l->scratch_of);
    l->block_of = wf_sw_ir_alloc(ir, m->block_count, sizeof *l->block_of);
    l->block_end_of = wf_sw_ir_alloc(ir, m->block_count, sizeof *l->block_end_of);
}

/// All of a module's variables in shared memory are blocks, or none.
static bool has_shared_blocks(const struct wf_shader_module *m)
{
    for (uint32_t i = 0; i < m->variable_count; i++) {
        const struct wf_shader_type *t = wf_shader_type(m, m->variables[i].type);
        if (m->variables[i].storage == SpvStorageClassWorkgroup && t && t->block)
            return true;
    }
    return false;
}

static void lower(struct compile *c, const struct wf_sw_program_desc *desc)
{
    specialize(c, desc);
    prepare_tables(&c->lower);
    c->lower.variable_pointers =
        wf_shader_has_capability(desc->module, SpvCapabilityVariablePointersStorageBuffer);
    c->lower.shared_blocks = has_shared_blocks(desc->module);
    wf_sw_check_capabilities(&c->lower);
    wf_sw_find_dynamic(&c->lower);
    wf_sw_lower_entry(&c->lower);
    wf_sw_ir_simplify_phis(&c->ir);
    wf_sw_ir_split_back_edges(&c->ir);
    wf_sw_ir_drop_dead(&c->ir);
    wf_sw_ir_find_loops(&c->ir);
    wf_sw_ir_find_uniform(&c->ir);
    wf_sw_ir_fuse(&c->ir);
    wf_sw_ir_carry_out(&c->ir);
    c->emit.row_total = c->lower.row_count;
    c->emit.row_is_output = c->lower.row_is_output;
    wf_sw_emit_program(&c->emit);
}

// ---- the finished program ----------------------------------------------------------------------

/// Interface rows that are used, in order.
static void fill_rows(const struct compile *c, struct wf_sw_row *inputs, struct wf_sw_row *outputs)
{
    for (uint32_t r = 0; r < c->emit.row_total; r++) {
        const uint32_t number = c->emit.interface_row[r];
        if (number == WF_SW_NONE)
            continue;
        if (c->lower.row_is_output[r])
            outputs[number] = c->lower.rows[r];
        else
            inputs[number] = c->lower.rows[r];
    }
}

static void describe(struct compile *c, struct wf_sw_program *p)
{
    struct wf_sw_program_info *info = &p->info;
    *info = c->info;
    info->input_count = c->emit.input_count;
    info->output_count = c->emit.output_count;
    info->use_count = c->lower.use_count;
    info->shared_bytes = c->lower.shared_bytes;
    info->instructions = c->emit.code_count;
    info->slots = c->emit.row_count;
    for (uint32_t k = 0; k < c->ir.uword_count; k++) {
        const struct wf_sw_uword *w = &c->ir.uwords[k];
        if (w->space == WF_SW_SPACE_ROOT && c->ir.vals[w->value].uses)
            info->root_bytes = wf_base_max_u32(info->root_bytes, w->offset + 4);
    }
}

static void describe_rows(struct wf_sw_program_info *info)
{
    for (uint32_t k = 0; k < info->output_count; k++) {
        info->writes_depth |= info->outputs[k].builtin == SpvBuiltInFragDepth;
        info->writes_sample_mask |= info->outputs[k].builtin == SpvBuiltInSampleMask;
    }
    for (uint32_t k = 0; k < info->input_count; k++) {
        const struct wf_sw_row *row = &info->inputs[k];
        info->per_sample |= row->sample || row->builtin == SpvBuiltInSampleId ||
                            row->builtin == SpvBuiltInSamplePosition;
    }
}

/// One table of the program's block of memory: its place is found first, then it is copied there.
struct table {
    const void *from;
    size_t bytes;
    size_t at;
};

static size_t place(struct table *t, size_t at, const void *from, uint32_t count, size_t size)
{
    *t = (struct table){from, count * size, at};
    return (at + count * size + 63) / 64 * 64;
}

static struct wf_sw_program *build(struct compile *c, const struct wf_base_allocator *allocator,
                                   const struct wf_sw_program_desc *desc)
{
    static atomic_uint_fast64_t serial = 1;
    struct wf_sw_row *inputs = wf_sw_ir_alloc(&c->ir, c->emit.input_count, sizeof *inputs);
    struct wf_sw_row *outputs = wf_sw_ir_alloc(&c->ir, c->emit.output_count, sizeof *outputs);
    fill_rows(c, inputs, outputs);
    const struct wf_sw_emit *e = &c->emit;
    struct table t[11];
    size_t end = (sizeof(struct wf_sw_program) + 63) / 64 * 64;
    end = place(&t[0], end, e->code, e->code_count, sizeof *e->code);
    end = place(&t[1], end, e->aux, e->aux_count, sizeof *e->aux);
    end = place(&t[2], end, e->switches, e->switch_count, sizeof *e->switches);
    end = place(&t[3], end, c->ir.mems, c->ir.mem_count, sizeof *c->ir.mems);
    end = place(&t[4], end, c->ir.scratch, c->ir.scratch_count, sizeof *c->ir.scratch);
    end = place(&t[5], end, c->ir.images, c->ir.image_count, sizeof *c->ir.images);
    end = place(&t[6], end, e->constants, e->constant_count, sizeof *e->constants);
    end = place(&t[7], end, e->lines, e->code_count, sizeof *e->lines);
    end = place(&t[8], end, inputs, e->input_count, sizeof *inputs);
    end = place(&t[9], end, outputs, e->output_count, sizeof *outputs);
    end = place(&t[10], end, c->lower.uses, c->lower.use_count, sizeof *c->lower.uses);
    uint8_t *memory = wf_base_alloc_aligned(allocator, end, 64);
    if (!memory)
        wf_sw_fail_memory(&c->ir);
    memset(memory, 0, end);
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        if (t[k].bytes)
            memcpy(memory + t[k].at, t[k].from, t[k].bytes);
    }
    struct wf_sw_program *p = (struct wf_sw_program *)(void *)memory;
    *p = (struct wf_sw_program){
        .allocator = allocator,
        .bytes = end,
        .code = (const void *)(memory + t[0].at),
        .aux = (const void *)(memory + t[1].at),
        .switches = (const void *)(memory + t[2].at),
        .mems = (const void *)(memory + t[3].at),
        .scratch = (const void *)(memory + t[4].at),
        .images = (const void *)(memory + t[5].at),
        .constants = (const void *)(memory + t[6].at),
        .lines = (const void *)(memory + t[7].at),
        .code_count = e->code_count,
        .constant_count = e->constant_count,
        .row_count = e->row_count,
        .word_count = e->word_count,
        .mask_count = e->mask_count,
        .subgroup_size = c->lower.subgroup_size,
        .budget = desc->budget ? desc->budget : UINT64_C(1) << 32,
        .serial = atomic_fetch_add(&serial, 1),
    };
    describe(c, p);
    p->info.inputs = (const void *)(memory + t[8].at);
    p->info.outputs = (const void *)(memory + t[9].at);
    p->info.uses = (const void *)(memory + t[10].at);
    describe_rows(&p->info);
    return p;
}

bool wf_sw_program_create(const struct wf_base_allocator *allocator,
                          const struct wf_sw_program_desc *desc, struct wf_sw_program **out,
                          struct wf_shader_error *error)
{
    *out = NULL;
    *error = (struct wf_shader_error){0};
    struct compile *c = wf_base_alloc(allocator, sizeof *c);
    if (!c) {
        (void)snprintf(error->message, sizeof error->message,
                       "out of memory while compiling the shader");
        error->out_of_memory = true;
        return false;
    }
    start(c, allocator, desc, error);
    if (setjmp(c->escape) == 0) {
        lower(c, desc);
        *out = build(c, allocator, desc);
    }
    finish(c);
    wf_base_free(allocator, c, sizeof *c);
    return *out != NULL;
}

void wf_sw_program_destroy(struct wf_sw_program *program)
{
    if (program)
        wf_base_free(program->allocator, program, program->bytes);
}

const struct wf_sw_program_info *wf_sw_program_info(const struct wf_sw_program *program)
{
    return &program->info;
}
