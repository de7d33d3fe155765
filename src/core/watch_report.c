// Saying what is missing: both commands, the memory, and the line that mends it.
#include "core/watch_state.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- names -------------------------------------------------------------------------------------

uint32_t wf_watch_label(struct wf_core_watch *watch, const char *text)
{
    if (text[0] == '\0')
        return 0;
    // The same few labels come again and again.
    for (uint32_t back = 0; back < 16 && back < watch->label_count; ++back) {
        const uint32_t id = watch->label_count - back;
        if (strcmp(watch->labels[id % WF_WATCH_LABELS], text) == 0)
            return id;
    }
    const uint32_t id = ++watch->label_count;
    wf_core_label_set(watch->labels[id % WF_WATCH_LABELS], text);
    return id;
}

/// "" for none, and for what is forgotten.
static const char *label_text(const struct wf_core_watch *watch, uint32_t id)
{
    if (id == 0 || watch->label_count - id >= WF_WATCH_LABELS)
        return "";
    return watch->labels[id % WF_WATCH_LABELS];
}

void wf_watch_name_command(struct wf_core_watch *watch, uint8_t command, uint64_t origin)
{
    watch->infos[watch->position % WF_WATCH_INFOS] = (struct wf_watch_info){
        .position = watch->position,
        .origin = origin,
        .index = watch->index++,
        .label = watch->label,
        .buffer_label = watch->buffer_label,
        .command = command,
        .queue = (uint8_t)watch->judged->queue,
        .internal = !watch->judged->owner,
    };
}

/// NULL: too long ago.
static const struct wf_watch_info *info_at(const struct wf_core_watch *watch, uint64_t position)
{
    const struct wf_watch_info *info = &watch->infos[position % WF_WATCH_INFOS];
    return info->position == position ? info : NULL;
}

static const char *const command_names[] = {
    [WF_WATCH_DRAW] = "the draw",
    [WF_WATCH_DRAWS] = "the draws of the pass",
    [WF_WATCH_DISPATCH] = "the dispatch",
    [WF_WATCH_PASS] = "the pass",
    [WF_WATCH_RESOLVE] = "the resolve",
    [WF_WATCH_COPY] = "the copy",
    [WF_WATCH_FILL] = "the fill",
    [WF_WATCH_MIPS] = "the making of mips",
    [WF_WATCH_QUERIES] = "the resolving of queries",
    [WF_WATCH_BUILD] = "the build",
    [WF_WATCH_BARRIER] = "the texture barrier",
};

/// A text that is cut where its room ends.
struct text {
    char *at;
    size_t room;
};

static void put(struct text *text, const char *format, ...) WF_CORE_PRINTF(2, 3);

static void put(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int wrote = vsnprintf(text->at, text->room, format, args);
    va_end(args);
    const size_t used = wrote < 0 ? 0 : (size_t)wrote < text->room ? (size_t)wrote : text->room - 1;
    text->at += used;
    text->room -= used;
}

/// 'draw 3 (origin 17) in "main" of "frame"', commands counted from 0 in their command buffer.
static void put_command(struct text *text, const struct wf_core_watch *watch, uint64_t position)
{
    const struct wf_watch_info *info = info_at(watch, position);
    if (!info) {
        put(text, "a command of long ago");
        return;
    }
    put(text, "%s, command %u", command_names[info->command], info->index);
    if (info->origin != WF_CORE_NO_COMMAND)
        put(text, " (origin %" PRIu64 ")", info->origin);
    const char *label = label_text(watch, info->label);
    const char *buffer = label_text(watch, info->buffer_label);
    if (info->internal)
        put(text, " of the library's \"%s\"", label);
    else if (label[0])
        put(text, " in \"%s\"", label);
    if (buffer[0])
        put(text, " of \"%s\"", buffer);
    put(text, ",");
}

static void put_span(struct text *text, const char *one, const char *many, const uint32_t range[2])
{
    if (range[1] == UINT32_MAX)
        put(text, "all %s", many);
    else if (range[1] - range[0] == 1)
        put(text, "%s %u", one, range[0]);
    else
        put(text, "%s %u to %u", many, range[0], range[1] - 1);
}

static void put_memory(struct text *text, const struct wf_watch_resource *r,
                       const struct wf_watch_clash *clash)
{
    const struct wf_watch_box *box = clash->box;
    if (r->object.kind == WEFT_OBJECT_ACCELERATION_STRUCTURE) {
        put(text, "acceleration structure \"%s\"", r->label);
        return;
    }
    if (!box) {
        put(text, "bytes %" PRIu64 " to %" PRIu64 " of buffer \"%s\"", clash->begin, clash->end - 1,
            r->label);
        return;
    }
    put_span(text, "mip", "mips", box->mip);
    put(text, ", ");
    put_span(text, "layer", "layers", box->layer);
    put(text, "%s of texture \"%s\"",
        box->aspects == WEFT_ASPECT_DEPTH     ? ", depth,"
        : box->aspects == WEFT_ASPECT_STENCIL ? ", stencil,"
                                              : "",
        r->label);
}

/// Stages as they are written in C.
static void put_stages(struct text *text, uint32_t stages)
{
    static const char *const names[] = {
        "DRAW_INDIRECT", "VERTEX_INPUT", "VERTEX", "FRAGMENT",     "TARGET",
        "COMPUTE",       "COPY",         "MESH",   "ACCELERATION", "HOST",
    };
    const char *between = "";
    if ((stages & WEFT_STAGE_ALL) == WEFT_STAGE_ALL) {
        put(text, "WEFT_STAGE_ALL");
        return;
    }
    for (uint32_t s = 0; s < sizeof names / sizeof names[0]; ++s) {
        if (!(stages >> s & 1))
            continue;
        put(text, "%sWEFT_STAGE_%s", between, names[s]);
        between = " | ";
    }
}

/// The stage of each column.
static weft_stage_set stages_of(wf_watch_columns columns)
{
    weft_stage_set stages = columns & WF_WATCH_PLAIN;
    if (columns & WF_WATCH_DRAW_ARGUMENTS)
        stages |= WEFT_STAGE_DRAW_INDIRECT;
    if (columns & (WF_WATCH_DISPATCH_ARGUMENTS | WF_WATCH_DEPTH_COMPUTE))
        stages |= WEFT_STAGE_COMPUTE;
    if (columns & WF_WATCH_DEPTH_VERTEX)
        stages |= WEFT_STAGE_VERTEX;
    if (columns & WF_WATCH_DEPTH_FRAGMENT)
        stages |= WEFT_STAGE_FRAGMENT;
    if (columns & WF_WATCH_DEPTH_MESH)
        stages |= WEFT_STAGE_MESH;
    return stages;
}

static const char *hazards_of(wf_watch_columns columns)
{
    if (columns & (WF_WATCH_DRAW_ARGUMENTS | WF_WATCH_DISPATCH_ARGUMENTS))
        return "WEFT_HAZARD_DRAW_ARGUMENTS";
    return columns & ~WF_WATCH_PLAIN ? "WEFT_HAZARD_DEPTH_STENCIL" : "0";
}

/// weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_VERTEX_INPUT, 0);
static void put_barrier(struct text *text, uint32_t row, wf_watch_columns missing)
{
    put(text, "weft_command_barrier(cmd, ");
    if (row < WF_WATCH_STAGES)
        put_stages(text, 1u << row);
    else
        put(text, "WEFT_STAGE_ALL");
    put(text, ", ");
    put_stages(text, stages_of(missing));
    put(text, ", %s);", hazards_of(missing));
}

// ---- findings ----------------------------------------------------------------------------------

/// Whether a place was told of before; remembers it.
static bool place_known(struct wf_core_watch *watch, uint64_t place)
{
    place |= 1; // 0 is a free slot
    if (watch->place_count >= WF_WATCH_PLACES / 2) {
        memset(watch->places, 0, sizeof watch->places);
        watch->place_count = 0;
    }
    uint64_t at = place % WF_WATCH_PLACES;
    while (watch->places[at] != 0) {
        if (watch->places[at] == place)
            return true;
        at = (at + 1) % WF_WATCH_PLACES;
    }
    watch->places[at] = place;
    ++watch->place_count;
    return false;
}

/// A command in a hash: what a loop does again has the same.
static uint64_t hash_command(const struct wf_core_watch *watch, uint64_t hash, uint64_t position)
{
    const struct wf_watch_info *info = info_at(watch, position);
    if (!info)
        return hash;
    const char *label = label_text(watch, info->label);
    hash = wf_base_hash_combine(hash, wf_base_hash_bytes(label, strlen(label)));
    hash = wf_base_hash_combine(hash, info->origin);
    return wf_base_hash_combine(hash, (uint64_t)info->command << 32 | info->index);
}

/// A place for a finding about the command at the watch's position; NULL: it is told already, or
/// there are too many.
static struct wf_watch_finding *finding_new(struct wf_core_watch *watch, weft_rule rule,
                                            uint64_t place)
{
    const unsigned count = atomic_load(&watch->finding_count);
    if (count == WF_WATCH_FINDINGS ||
        place_known(watch, wf_base_hash_combine(place, (uint64_t)rule)))
        return NULL;
    struct wf_watch_finding *finding = &watch->findings[count];
    memset(finding, 0, sizeof *finding);
    finding->rule = rule;
    finding->severity = WEFT_SEVERITY_WARNING;
    const struct wf_watch_info *info = info_at(watch, watch->position);
    finding->command = info ? info->origin : WF_CORE_NO_COMMAND;
    wf_core_label_set(finding->pass, label_text(watch, watch->label));
    atomic_store(&watch->finding_count, count + 1);
    return finding;
}

static void about(struct wf_watch_finding *finding, const struct wf_watch_resource *r)
{
    finding->object = r->object;
    wf_core_label_set(finding->label, r->label);
}

static struct text message_of(struct wf_watch_finding *finding)
{
    return (struct text){finding->message, sizeof finding->message};
}

static const char *hazard_name(const struct wf_watch_access *before,
                               const struct wf_watch_access *after)
{
    if (!(before->flags & WF_WATCH_WRITE))
        return "Write after read";
    return after->flags & WF_WATCH_WRITE && !(after->flags & WF_WATCH_READS) ? "Write after write"
                                                                             : "Read after write";
}

static bool on_two_queues(const struct wf_watch_clash *clash)
{
    return clash->before->queue != clash->use->access.queue;
}

static void put_hint(struct text *hint, const struct wf_watch_clash *clash)
{
    const uint32_t row = clash->before->row;
    if (on_two_queues(clash)) {
        put(hint, "Signal a timeline where the first is submitted, and wait for it before ");
        put_stages(hint, stages_of(clash->missing));
        put(hint, " where the second is.");
    } else if (clash->use->access.row == WF_WATCH_ROW_STATE) {
        put(hint, "Add ");
        put_stages(hint, row < WF_WATCH_STAGES ? 1u << row : WEFT_STAGE_ALL);
        put(hint, " to the producers of the texture barrier.");
    } else {
        const bool inside = clash->before->position > clash->use->encoder;
        put(hint, inside ? "End the encoder between them, record " : "Record ");
        put_barrier(hint, row, clash->missing);
        put(hint, inside ? " and begin another." : " between them.");
    }
}

static void put_clash(struct text *text, const struct wf_core_watch *watch,
                      const struct wf_watch_clash *clash)
{
    const struct wf_watch_access *before = clash->before, *after = &clash->use->access;
    put(text, "%s: ", hazard_name(before, after));
    put_command(text, watch, watch->position);
    put(text, "%s",
        !(after->flags & WF_WATCH_WRITE) ? " reads "
        : after->flags & WF_WATCH_READS  ? " reads and writes "
                                         : " writes ");
    put_memory(text, watch->resource, clash);
    put(text, ", which ");
    put_command(text, watch, before->position);
    put(text, "%s before; %s.", before->flags & WF_WATCH_WRITE ? " wrote" : " read",
        on_two_queues(clash) ? "they are on two queues" : "no barrier is between them");
}

void wf_watch_report_hazard(struct wf_core_watch *watch, const struct wf_watch_clash *clash)
{
    const struct wf_watch_resource *r = watch->resource;
    uint64_t place = wf_base_hash_combine((uint64_t)clash->before->row << 16 | clash->missing,
                                          wf_base_hash_bytes(r->label, strlen(r->label)));
    place = hash_command(watch, place, clash->before->position);
    place = hash_command(watch, place, watch->position);
    struct wf_watch_finding *finding = finding_new(
        watch, on_two_queues(clash) ? WEFT_RULE_QUEUES_UNORDERED : WEFT_RULE_BARRIER_MISSING,
        place);
    if (!finding)
        return;
    about(finding, r);
    struct text text = message_of(finding);
    put_clash(&text, watch, clash);
    struct text hint = {finding->hint, sizeof finding->hint};
    put_hint(&hint, clash);
}

void wf_watch_report_alias(struct wf_core_watch *watch, const struct wf_watch_resource *before,
                           const struct wf_watch_resource *after)
{
    uint64_t place = wf_base_hash_bytes(before->label, strlen(before->label));
    place = hash_command(watch, wf_base_hash_combine(place, after->begin), watch->position);
    struct wf_watch_finding *finding = finding_new(watch, WEFT_RULE_BARRIER_ALIAS_MISSING, place);
    if (!finding)
        return;
    about(finding, after);
    struct text text = message_of(finding);
    put(&text, "The memory of \"%s\", which ", after->label);
    put_command(&text, watch, watch->position);
    put(&text, before->used ? " uses, was used as \"%s\" by " : " uses, is also that of \"%s\"",
        before->label);
    if (before->used)
        put_command(&text, watch, before->used);
    put(&text, before->used ? " and no alias barrier that names it is between them."
                            : ", which was made first, and no alias barrier has named it yet.");
    struct text hint = {finding->hint, sizeof finding->hint};
    put(&hint,
        "Record weft_command_alias_barrier(cmd, before, after); between them, before being "
        "\"%s\" and after \"%s\".",
        before->label, after->label);
}

void wf_watch_report_unneeded(struct wf_core_watch *watch, const struct wf_watch_op *op, bool later)
{
    uint64_t place = wf_base_hash_combine(op->u.origin, (uint64_t)op->columns << 16 | op->depth);
    const char *label = label_text(watch, watch->label);
    const char *buffer = label_text(watch, watch->buffer_label);
    place = wf_base_hash_combine(place, wf_base_hash_bytes(label, strlen(label)));
    place = wf_base_hash_combine(place, wf_base_hash_bytes(buffer, strlen(buffer)));
    struct wf_watch_finding *finding =
        finding_new(watch, WEFT_RULE_BARRIER_UNNEEDED, wf_base_hash_combine(place, watch->index));
    if (!finding)
        return;
    finding->severity = WEFT_SEVERITY_PERFORMANCE;
    finding->command = op->u.origin;
    finding->object = (weft_object){.kind = WEFT_OBJECT_COMMAND_BUFFER};
    wf_core_label_set(finding->label, buffer);
    struct text text = message_of(finding);
    put(&text, "The barrier from ");
    put_stages(&text, op->columns);
    put(&text, " to ");
    put_stages(&text, op->depth & WF_WATCH_PLAIN);
    put(&text, " before command %u orders nothing that %s.", watch->index,
        later ? "anything after it needed" : "was not ordered before");
    (void)snprintf(finding->hint, sizeof finding->hint, "%s",
                   weft_rule_from_code(WEFT_RULE_BARRIER_UNNEEDED)->remedy);
}

// ---- telling -----------------------------------------------------------------------------------

/// The next finding that was not told; false: there is none, and the list is empty again.
static bool take(struct wf_core_watch *watch, struct wf_watch_finding *out)
{
    wf_base_mutex_lock(&watch->lock);
    const unsigned count = atomic_load(&watch->finding_count);
    const bool any = watch->told < count;
    if (any) {
        *out = watch->findings[watch->told++];
    } else {
        watch->told = 0;
        atomic_store(&watch->finding_count, 0);
    }
    wf_base_mutex_unlock(&watch->lock);
    return any;
}

void wf_core_watch_tell(struct weft_device *dev)
{
    struct wf_core_watch *watch = dev->watch;
    if (!watch)
        return;
    wf_base_mutex_lock(&watch->lock);
    wf_watch_settle(watch);
    wf_base_mutex_unlock(&watch->lock);
    if (atomic_load(&watch->finding_count) == 0)
        return;
    struct wf_watch_finding finding;
    while (take(watch, &finding)) {
        const weft_diagnostic diagnostic = {
            .code = finding.rule,
            .severity = finding.severity,
            .object = finding.object,
            .command = finding.command,
            .label = finding.label,
            .pass = finding.pass,
            .message = finding.message,
            .hint = finding.hint,
        };
        wf_core_emit(dev, &diagnostic);
    }
}
