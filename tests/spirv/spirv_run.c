#include "spirv_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/software/exec/exec.h"
#ifdef WEFT_TEST_ROOT_MODULES
#include "backends/vulkan/root_module.h"
#endif
#include "base/alloc.h"
#include "base/half.h"
#include "shader/reflect.h"
#include "spirv_pictures.h"
#include "support/refusal.h"

#define OUTPUT_WORDS 4096u

static void refused(const struct spirv_case *c, const struct wf_shader_error *error)
{
    if (!strstr(error->message, c->refused))
        test_fail(__FILE__, __LINE__, "refused with \"%s\", not with \"%s\"", error->message,
                  c->refused);
    EXPECT_EQ(error->word, c->word);
    test_note_refusal(error->message);
}

static bool reflects(const struct wf_shader_module *module, struct wf_shader_error *error)
{
    struct wf_shader_reflection *reflection = NULL;
    const bool ok = wf_shader_reflect(wf_base_allocator_default(), module, &module->entries[0],
                                      &reflection, error);
    wf_shader_reflection_free(reflection);
    return ok;
}

static void compile(const struct spirv_case *c, const struct wf_shader_module *module,
                    struct wf_sw_program **program, struct wf_shader_error *error)
{
    struct wf_shader_specialization constants[4];
    for (uint32_t k = 0; k < c->constant_count; k++)
        constants[k] = (struct wf_shader_specialization){c->constants[k][0], c->constants[k][1]};
    const struct wf_sw_program_desc desc = {
        .module = module,
        .entry = &module->entries[0],
        .specializations = constants,
        .specialization_count = c->constant_count,
        .subgroup_size = c->subgroup,
    };
    wf_sw_program_create(wf_base_allocator_default(), &desc, program, error);
}

/// Gives the program its inputs: the case's values of a location or built-in are those of the first
/// component for each lane, then those of the second one, and so on.
static void fill_rows(const struct spirv_case *c, const struct wf_sw_program *program,
                      struct wf_sw_batch *batch)
{
    const struct wf_sw_program_info *info = wf_sw_program_info(program);
    for (uint32_t i = 0; i < info->input_count; i++) {
        const struct wf_sw_row *row = &info->inputs[i];
        for (uint32_t lane = 0; lane < WF_SW_LANES; lane++)
            batch->inputs[i][lane] = row->location == 0 ? lane : 0;
        for (uint32_t k = 0; k < c->row_count; k++) {
            if (c->rows[k].builtin != row->builtin || c->rows[k].location != row->location)
                continue;
            for (size_t lane = 0; lane < c->size; lane++) {
                const size_t at = row->component * (size_t)c->size + lane;
                const uint32_t value = at < c->rows[k].count ? c->rows[k].values[at] : 0;
                batch->inputs[i][lane] =
                    row->centroid ? wf_base_float_bits(wf_base_float_from_bits(value) + 100)
                                  : value;
            }
        }
    }
}

static void expect_result(const struct spirv_case *c, const struct wf_sw_program *program,
                          const struct wf_sw_batch *batch, const struct spirv_row *wanted)
{
    const struct wf_sw_program_info *info = wf_sw_program_info(program);
    uint32_t i = 0;
    while (i < info->output_count && info->outputs[i].builtin != wanted->builtin)
        i++;
    EXPECT(i < info->output_count);
    EXPECT_EQ(wanted->count, c->size);
    for (size_t lane = 0; lane < c->size; lane++)
        EXPECT_EQ(batch->outputs[i][lane], wanted->values[lane]);
}

/// What physical pointers may point to: the output buffer, and the root block.
#define OUTPUT_ADDRESS UINT64_C(0x7000000100000)
#define ROOT_ADDRESS   UINT64_C(0x7000000200000)

static bool resolve(const void *arena, uint64_t address, struct wf_sw_span *out)
{
    const struct wf_sw_span *spans = arena;
    *out = spans[address >= ROOT_ADDRESS];
    return address - out->address < out->size;
}

/// `by_pointer`: the program finds the root block where the root block's second pointer points to.
static void run(const struct spirv_case *c, const struct wf_sw_program *program, bool by_pointer,
                uint32_t *output)
{
    static uint32_t input[OUTPUT_WORDS], root[64];
    const uint64_t pointers[2] = {0, ROOT_ADDRESS};
    const uint32_t id[3] = {0, 0, 0}, count[3] = {1, 1, 1};
    memcpy(input, c->input, c->input_bytes);
    memcpy(root, c->root, c->root_bytes);
    memset(output, 0, OUTPUT_WORDS * sizeof *output);
    memcpy(output, c->output, c->output_bytes);
    static struct spirv_pictures pictures;
    spirv_pictures_open(&pictures, (uint8_t *)input, c->input_bytes);
    pictures.elements[0] =
        (struct wf_sw_binding){.data = (uint8_t *)output, .size = OUTPUT_WORDS * sizeof *output};
    pictures.elements[1] = (struct wf_sw_binding){.data = (uint8_t *)input, .size = c->input_bytes};
    const struct wf_sw_span spans[] = {
        {OUTPUT_ADDRESS, (uint8_t *)output, OUTPUT_WORDS * sizeof *output},
        {ROOT_ADDRESS, (uint8_t *)root, c->root_bytes},
    };
    const struct wf_sw_resources resources = {
        .root = by_pointer ? (const uint8_t *)pointers : (const uint8_t *)root,
        .root_size = by_pointer ? sizeof pointers : (uint32_t)c->root_bytes,
        .sets = {{pictures.elements, pictures.ranges, SPIRV_BINDINGS}},
        .resolve = resolve,
        .arena = spans};
    struct wf_sw_context *context = wf_sw_context_create(wf_base_allocator_default());
    if (c->stage == 0) {
        EXPECT_EQ(wf_sw_run_group(context, program, &resources, id, count), WF_SW_OK);
    } else {
        struct wf_sw_batch batch;
        EXPECT(wf_sw_prepare(context, program, &batch));
        fill_rows(c, program, &batch);
        batch.active = c->size == 64 ? UINT64_MAX : (UINT64_C(1) << c->size) - 1;
        batch.helpers = c->helpers;
        batch.samples = 1;
        EXPECT_EQ(wf_sw_run(context, program, &resources, &batch), WF_SW_OK);
        EXPECT_EQ(batch.killed & ~c->helpers, c->killed);
        for (uint32_t k = 0; k < c->result_count; k++)
            expect_result(c, program, &batch, &c->rows[c->row_count + k]);
    }
    wf_sw_context_destroy(context);
    spirv_pictures_close(&pictures);
}

static bool is_near(uint32_t a, uint32_t b, uint32_t ulps)
{
    const uint32_t away = a > b ? a - b : b - a;
    return away <= ulps;
}

static void run_and_judge(const struct spirv_case *c, const struct wf_sw_program *program,
                          bool by_pointer)
{
    static uint32_t output[OUTPUT_WORDS];
    run(c, program, by_pointer, output);
    for (size_t k = 0; k < c->expected_bytes / 4; k++) {
        if (!is_near(output[k] & c->matter[k], c->expected[k] & c->matter[k], c->near))
            test_fail(__FILE__, __LINE__, "word %u is 0x%x, not 0x%x%s", (unsigned)k, output[k],
                      c->expected[k], by_pointer ? ", with the root block behind a pointer" : "");
    }
}

#ifdef WEFT_TEST_ROOT_MODULES
/// Whether spirv-val finds nothing wrong with a module. If it does not run, the test fails.
static bool is_accepted(const uint32_t *words, size_t bytes)
{
    char path[] = "/tmp/weft-XXXXXX", command[512];
    const int file = mkstemp(path);
    EXPECT(file >= 0);
    EXPECT(write(file, words, bytes) == (ssize_t)bytes);
    (void)close(file);
    (void)snprintf(command, sizeof command, "%s --target-env vulkan1.3 %s", SPIRV_VAL, path);
    const int verdict = system(command);
    (void)unlink(path);
    EXPECT(WIFEXITED(verdict) && WEXITSTATUS(verdict) <= 1);
    return verdict == 0;
}
#endif

/// Runs the case again as the Vulkan backend writes it anew for root blocks in memory.
static void run_by_pointer(const struct spirv_case *c, const struct wf_shader_module *module)
{
#ifdef WEFT_TEST_ROOT_MODULES
    const struct wf_base_allocator *allocator = wf_base_allocator_default();
    const struct wf_vk_root_place place = {.at = 8, .by_pointer = true};
    size_t count = 0;
    uint32_t *words = wf_vk_root_placed(allocator, module, &place, &count);
    struct wf_shader_module *placed = NULL;
    struct wf_shader_error error = {0};
    struct wf_sw_program *program = NULL;
    EXPECT(words);
    if (wf_shader_read(allocator, words, count * sizeof *words, &placed, &error))
        compile(c, placed, &program, &error);
    if (!program)
        test_fail(__FILE__, __LINE__, "written anew, word %u: %s", error.word, error.message);
    EXPECT(is_accepted(words, count * sizeof *words) || !is_accepted(c->module, c->bytes));
    run_and_judge(c, program, true);
    wf_sw_program_destroy(program);
    wf_shader_free(placed);
    wf_base_free(allocator, words, count * sizeof *words);
#else
    (void)c, (void)module;
#endif
}

void spirv_run(const struct spirv_case *c)
{
    struct wf_shader_module *module = NULL;
    struct wf_shader_error error = {0};
    struct wf_sw_program *program = NULL;
    if (wf_shader_read(wf_base_allocator_default(), c->module, c->bytes, &module, &error) &&
        reflects(module, &error))
        compile(c, module, &program, &error);
    if (c->refused[0]) {
        EXPECT(!program);
        refused(c, &error);
        wf_shader_free(module);
        return;
    }
    if (!program)
        test_fail(__FILE__, __LINE__, "word %u: %s", error.word, error.message);
    run_and_judge(c, program, false);
    if (c->root_bytes > 0)
        run_by_pointer(c, module);
    wf_sw_program_destroy(program);
    wf_shader_free(module);
}
