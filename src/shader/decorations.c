// Annotations: collected as they come, then groups are applied and everything is sorted by its
// target.
#include "shader/reader.h"

static bool define_group(struct wf_shader_reader *reader)
{
    return wf_shader_define(reader, WF_SHADER_ROLE_OTHER, 0);
}

static void read_group_targets(struct wf_shader_reader *reader, bool members)
{
    const struct wf_shader_instruction *ins = &reader->ins;
    const uint32_t step = members ? 2 : 1;
    for (uint32_t i = 1; i + step <= ins->operand_count; i += step) {
        reader->group_targets[reader->group_target_count++] = (struct wf_shader_decoration){
            .target = ins->operands[i],
            .member = members ? ins->operands[i + 1] : WF_SHADER_NONE,
            .kind = ins->operands[0],
            .word = ins->word,
        };
    }
}

bool wf_shader_read_annotation(struct wf_shader_reader *reader)
{
    const struct wf_shader_instruction *ins = &reader->ins;
    uint32_t member = WF_SHADER_NONE;
    uint32_t at = 1;
    switch (ins->opcode) {
    case SpvOpDecorationGroup:
        return define_group(reader);
    case SpvOpGroupDecorate:
    case SpvOpGroupMemberDecorate:
        read_group_targets(reader, ins->opcode == SpvOpGroupMemberDecorate);
        return true;
    case SpvOpMemberDecorate:
    case SpvOpMemberDecorateString:
        member = ins->operands[1];
        at = 2;
        break;
    default:
        break;
    }
    reader->raw_decorations[reader->module->decoration_count++] = (struct wf_shader_decoration){
        .target = ins->operands[0],
        .member = member,
        .kind = ins->operands[at],
        .word = (uint32_t)(ins->operands + at + 1 - reader->module->words),
        .count = ins->operand_count - at - 1,
    };
    return true;
}

/// Counts into start[id + 1], then makes them positions: start[id] to start[id + 1].
static void sum_up(uint32_t *start, uint32_t bound)
{
    for (uint32_t i = 0; i < bound; i++)
        start[i + 1] += start[i];
}

/// Sorts `list` by target into `out`, keeping order; `start` holds positions and `cursor` has room
/// for bound of them.
static void sort_by_target(const struct wf_shader_decoration *list, uint32_t count,
                           const uint32_t *start, uint32_t *cursor, uint32_t bound,
                           struct wf_shader_decoration *out)
{
    for (uint32_t i = 0; i < bound; i++)
        cursor[i] = start[i];
    for (uint32_t i = 0; i < count; i++)
        out[cursor[list[i].target]++] = list[i];
}

static bool sort_member_names(struct wf_shader_reader *reader, uint32_t *cursor)
{
    const uint32_t count = reader->member_name_count;
    sum_up(reader->named_members, reader->module->bound);
    if (count == 0)
        return true;
    struct wf_shader_decoration *sorted =
        wf_base_arena_array(&reader->scratch, count, sizeof *sorted);
    if (!sorted)
        return wf_shader_fail_memory(reader);
    sort_by_target(reader->member_names, count, reader->named_members, cursor,
                   reader->module->bound, sorted);
    reader->member_names = sorted;
    return true;
}

/// How many decorations there are with groups applied, or refuses.
static bool count_with_groups(struct wf_shader_reader *reader, const uint32_t *raw_start,
                              uint64_t *total)
{
    *total = reader->module->decoration_count;
    for (uint32_t i = 0; i < reader->group_target_count; i++) {
        const struct wf_shader_decoration *pair = &reader->group_targets[i];
        wf_shader_move_to(reader, pair->word);
        if (reader->ids[pair->kind].opcode != SpvOpDecorationGroup)
            return wf_shader_fail(reader, "%%%u is no decoration group", pair->kind);
        if (pair->target >= reader->module->bound ||
            reader->ids[pair->target].opcode == SpvOpDecorationGroup)
            return wf_shader_fail(reader, "target %%%u is a decoration group", pair->target);
        *total += raw_start[pair->kind + 1] - raw_start[pair->kind];
        if (*total > (uint64_t)WF_SHADER_DECORATION_SLACK + reader->module->word_count)
            return wf_shader_fail(reader, "decoration groups make more than %u decorations",
                                  WF_SHADER_DECORATION_SLACK + reader->module->word_count);
    }
    return true;
}

/// Everything with groups applied, in no order yet; counts into `start`.
static void apply_groups(const struct wf_shader_reader *reader,
                         const struct wf_shader_decoration *raw, const uint32_t *raw_start,
                         struct wf_shader_decoration *all, uint32_t *start)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < reader->module->decoration_count; i++) {
        all[count++] = raw[i];
        start[raw[i].target + 1]++;
    }
    for (uint32_t i = 0; i < reader->group_target_count; i++) {
        const struct wf_shader_decoration *pair = &reader->group_targets[i];
        for (uint32_t j = raw_start[pair->kind]; j < raw_start[pair->kind + 1]; j++) {
            all[count] = raw[j];
            all[count].target = pair->target;
            if (pair->member != WF_SHADER_NONE)
                all[count].member = pair->member;
            start[pair->target + 1]++;
            count++;
        }
    }
}

bool wf_shader_finish_annotations(struct wf_shader_reader *reader)
{
    struct wf_shader_module *module = reader->module;
    const uint32_t bound = module->bound;
    struct wf_base_arena *scratch = &reader->scratch;
    uint32_t *cursor = wf_base_arena_array(scratch, bound, sizeof *cursor);
    uint32_t *raw_start = wf_base_arena_array(scratch, (size_t)bound + 1, sizeof *raw_start);
    uint32_t *start = wf_base_arena_array(reader->arena, (size_t)bound + 1, sizeof *start);
    if (!cursor || !raw_start || !start)
        return wf_shader_fail_memory(reader);
    if (!sort_member_names(reader, cursor))
        return false;

    const uint32_t raw_count = module->decoration_count;
    for (uint32_t i = 0; i < raw_count; i++)
        raw_start[reader->raw_decorations[i].target + 1]++;
    sum_up(raw_start, bound);
    uint64_t total;
    if (!count_with_groups(reader, raw_start, &total))
        return false;
    reader->storage->decorated = start;
    if (total == 0)
        return true;

    struct wf_shader_decoration *raw = wf_base_arena_array(scratch, raw_count, sizeof *raw);
    struct wf_shader_decoration *all = wf_base_arena_array(scratch, total, sizeof *all);
    struct wf_shader_decoration *sorted = wf_base_arena_array(reader->arena, total, sizeof *sorted);
    if (!raw || !all || !sorted)
        return wf_shader_fail_memory(reader);
    sort_by_target(reader->raw_decorations, raw_count, raw_start, cursor, bound, raw);
    apply_groups(reader, raw, raw_start, all, start);
    sum_up(start, bound);
    sort_by_target(all, (uint32_t)total, start, cursor, bound, sorted);
    module->decorations = sorted;
    module->decoration_count = (uint32_t)total;
    return true;
}
