// The first walk: header, byte order, instruction boundaries; counts what there is and allocates
// the tables.
#include "shader/reader.h"

#include <string.h>

enum { HEADER_WORDS = 5, HEADER_BYTES = 20, DEBUG_LINE = 103, DEBUG_NO_LINE = 104 };

struct counts {
    uint32_t capabilities, extensions, imports, entries, types, constants, variables, functions,
        blocks;
    uint32_t lines, decorations, member_names, group_targets, calls;
};

static uint32_t swapped(uint32_t word)
{
    return word >> 24 | (word >> 8 & 0xFF00) | (word << 8 & 0xFF0000) | word << 24;
}

/// The words in native order, and a view of them as little-endian bytes.
static bool copy_words(struct wf_shader_reader *reader, const uint32_t *words, uint32_t count)
{
    uint32_t *copy = wf_base_arena_alloc(reader->arena, (size_t)count * 4, 4);
    if (!copy)
        return wf_shader_fail_memory(reader);
    memcpy(copy, words, (size_t)count * 4);
    if (copy[0] == swapped(SpvMagicNumber)) {
        for (uint32_t i = 0; i < count; i++)
            copy[i] = swapped(copy[i]);
    }
    reader->module->words = copy;
    reader->module->word_count = count;

    const uint32_t one = 1;
    if (*(const unsigned char *)&one == 1) {
        reader->storage->text = (const char *)copy;
        return true;
    }
    unsigned char *text = wf_base_arena_alloc(reader->arena, (size_t)count * 4, 4);
    if (!text)
        return wf_shader_fail_memory(reader);
    for (size_t i = 0; i < (size_t)count * 4; i++)
        text[i] = (unsigned char)(copy[i / 4] >> i % 4 * 8);
    reader->storage->text = (const char *)text;
    return true;
}

static bool read_header(struct wf_shader_reader *reader, const uint32_t *words, size_t bytes)
{
    if (bytes > WF_SHADER_MAX_BYTES)
        return wf_shader_fail(reader, "the module has %zu bytes, more than %u", bytes,
                              WF_SHADER_MAX_BYTES);
    if (bytes % 4 != 0 || bytes < HEADER_BYTES)
        return wf_shader_fail(
            reader, "%zu bytes are no SPIR-V module: it is at least 20, in words of 4", bytes);
    uint32_t magic;
    memcpy(&magic, words, sizeof magic);
    if (magic != SpvMagicNumber && swapped(magic) != SpvMagicNumber)
        return wf_shader_fail(reader, "the first word is 0x%08x, not SPIR-V's 0x07230203", magic);
    if (!copy_words(reader, words, (uint32_t)(bytes / 4)))
        return false;

    struct wf_shader_module *module = reader->module;
    const uint32_t *header = module->words;
    module->version = header[1];
    module->generator = header[2];
    module->bound = header[3];
    if (module->version < 0x10000 || module->version > 0x10600 || (module->version & 0xFF) != 0)
        return wf_shader_fail(reader, "version 0x%08x is not one of 1.0 to 1.6", module->version);
    if (header[4] != 0)
        return wf_shader_fail(reader, "schema %u is unknown", header[4]);
    if (module->bound == 0 || module->bound > WF_SHADER_MAX_BOUND)
        return wf_shader_fail(reader, "bound %u is not 1 to %u", module->bound,
                              WF_SHADER_MAX_BOUND);
    if (module->bound > WF_SHADER_BOUND_SLACK && module->bound / 4 > module->word_count)
        return wf_shader_fail(reader, "bound %u is far above the ids that %u words can define",
                              module->bound, module->word_count);
    return true;
}

static void count_instruction(struct counts *counts, const uint32_t *words, uint32_t count,
                              const struct wf_shader_op *op, bool in_functions)
{
    switch (op->opcode) {
    case SpvOpCapability:
        counts->capabilities++;
        break;
    case SpvOpExtension:
        counts->extensions++;
        break;
    case SpvOpExtInstImport:
        counts->imports++;
        break;
    case SpvOpEntryPoint:
        counts->entries++;
        break;
    case SpvOpVariable:
        counts->variables += !in_functions;
        break;
    case SpvOpUndef:
        counts->constants += !in_functions;
        break;
    case SpvOpFunction:
        counts->functions++;
        break;
    case SpvOpLabel:
        counts->blocks++;
        break;
    case SpvOpFunctionCall:
        counts->calls++;
        break;
    case SpvOpLine:
    case SpvOpNoLine:
        counts->lines++;
        break;
    case SpvOpExtInst:
        counts->lines += count > 4 && (words[4] == DEBUG_LINE || words[4] == DEBUG_NO_LINE);
        break;
    case SpvOpMemberName:
        counts->member_names++;
        break;
    case SpvOpGroupDecorate:
    case SpvOpGroupMemberDecorate:
        counts->group_targets += count;
        break;
    default:
        counts->types += op->group == WF_SHADER_CLASS_TYPE;
        counts->constants += op->group == WF_SHADER_CLASS_CONSTANT;
        counts->decorations += op->group == WF_SHADER_CLASS_ANNOTATION;
        break;
    }
}

static bool count_all(struct wf_shader_reader *reader, struct counts *counts)
{
    struct wf_shader_module *module = reader->module;
    module->first_function = module->word_count;
    for (uint32_t word = HEADER_WORDS; word < module->word_count;) {
        const uint32_t opcode = module->words[word] & 0xFFFF;
        const uint32_t count = module->words[word] >> 16;
        const struct wf_shader_op *op = wf_shader_op(opcode);
        reader->ins = (struct wf_shader_instruction){.word = word, .opcode = (uint16_t)opcode};
        reader->op = op;
        if (!op)
            return wf_shader_fail(reader, "opcode %u is unknown", opcode);
        if (count == 0 || count > module->word_count - word)
            return wf_shader_fail(reader, "its %u words do not lie in the module, %u are left",
                                  count, module->word_count - word);
        if (opcode == SpvOpFunction && module->first_function == module->word_count)
            module->first_function = word;
        count_instruction(counts, module->words + word, count, op,
                          module->first_function != module->word_count);
        word += count;
    }
    reader->ins = (struct wf_shader_instruction){0};
    reader->op = NULL;
    return true;
}

static bool check_limit(struct wf_shader_reader *reader, const char *what, uint32_t count,
                        uint32_t limit)
{
    if (count > limit)
        return wf_shader_fail(reader, "the module has %u %s, more than %u", count, what, limit);
    return true;
}

/// A zeroed array, NULL if it has no items. Running out of memory sticks in `*ok`.
static void *array(struct wf_base_arena *arena, size_t count, size_t size, bool *ok)
{
    void *items = count != 0 ? wf_base_arena_array(arena, count, size) : NULL;
    *ok = *ok && (items || count == 0);
    return items;
}

static bool allocate(struct wf_shader_reader *r, const struct counts *counts)
{
    struct wf_base_arena *arena = r->arena;
    struct wf_base_arena *scratch = &r->scratch;
    const uint32_t bound = r->module->bound;
    const size_t decorations = (size_t)counts->decorations;
    bool ok = true;
    r->ids = array(arena, bound, sizeof *r->ids, &ok);
    r->names = array(arena, bound, sizeof *r->names, &ok);
    r->capabilities = array(arena, counts->capabilities, sizeof *r->capabilities, &ok);
    r->extensions = array(arena, counts->extensions, sizeof *r->extensions, &ok);
    r->imports = array(arena, counts->imports, sizeof *r->imports, &ok);
    r->entries = array(arena, counts->entries, sizeof *r->entries, &ok);
    r->types = array(arena, counts->types, sizeof *r->types, &ok);
    r->constants = array(arena, counts->constants, sizeof *r->constants, &ok);
    r->defaults = array(arena, counts->constants, sizeof *r->defaults, &ok);
    r->variables = array(arena, counts->variables, sizeof *r->variables, &ok);
    r->functions = array(arena, counts->functions, sizeof *r->functions, &ok);
    r->blocks = array(arena, counts->blocks, sizeof *r->blocks, &ok);
    r->lines = array(arena, (size_t)counts->lines * 2, sizeof *r->lines, &ok);
    r->member_names = array(scratch, counts->member_names, sizeof *r->member_names, &ok);
    r->named_members = array(scratch, (size_t)bound + 1, sizeof *r->named_members, &ok);
    r->raw_decorations = array(scratch, decorations, sizeof *r->raw_decorations, &ok);
    r->group_targets = array(scratch, counts->group_targets, sizeof *r->group_targets, &ok);
    r->calls = array(scratch, counts->calls, sizeof *r->calls, &ok);
    r->forward = array(scratch, bound, sizeof *r->forward, &ok);
    return ok || wf_shader_fail_memory(r);
}

bool wf_shader_scan(struct wf_shader_reader *reader, const uint32_t *words, size_t bytes)
{
    struct counts counts = {0};
    if (!read_header(reader, words, bytes) || !count_all(reader, &counts))
        return false;
    if (!check_limit(reader, "functions", counts.functions, WF_SHADER_MAX_FUNCTIONS) ||
        !check_limit(reader, "module-scope variables", counts.variables, WF_SHADER_MAX_GLOBALS) ||
        !check_limit(reader, "entry points", counts.entries, WF_SHADER_MAX_ENTRIES))
        return false;
    return allocate(reader, &counts);
}
