#include "core/watch_memory.h"

#include "base/array.h"

#include <string.h>

#define FIRST_CROWD 64u

// ---- one access after another ------------------------------------------------------------------

/// What of `use` is not ordered after `before`; 0: they do not conflict, or are in order.
static wf_watch_columns hazard(const struct wf_watch_memory *memory,
                               const struct wf_watch_access *before, const struct wf_watch_use *use)
{
    const struct wf_watch_access *after = &use->access;
    const uint8_t both = before->flags & after->flags;
    if (before->position == 0 || before->position == after->position ||
        !((before->flags | after->flags) & WF_WATCH_WRITE) || both & WF_WATCH_ATOMIC)
        return 0;
    // Shaders of one pass cannot have barriers between them: what they write together is theirs.
    if (use->pass && both & WF_WATCH_SHADER && before->position > use->encoder &&
        before->queue == after->queue)
        return 0;
    const bool target = before->row == WF_WATCH_ROW_TARGET && before->flags & WF_WATCH_WRITE;
    const wf_watch_columns missing =
        wf_watch_unordered(memory->order, before, after->queue, target ? use->depth : use->columns);
    if (!missing)
        memory->ordered(memory->user, before, after);
    return missing;
}

/// Whether a later read stands for an earlier one.
static bool same_reader(const struct wf_watch_access *a, const struct wf_watch_access *b)
{
    return a->queue == b->queue && a->row == b->row && a->flags == b->flags;
}

// ---- reads of segments -------------------------------------------------------------------------

static uint32_t read_new(struct wf_watch_memory *memory, const struct wf_watch_access *access,
                         uint32_t next)
{
    struct wf_watch_reads *reads = &memory->reads;
    uint32_t index = reads->free;
    if (index != WF_WATCH_NONE && reads->count > 0) {
        reads->free = reads->items[index].next;
    } else {
        struct wf_watch_read *items =
            wf_base_array_grow(memory->allocator, reads->items, &reads->capacity,
                               (size_t)reads->count + 1, sizeof *items);
        if (!items) {
            memory->starved = true;
            return next;
        }
        if (reads->count == 0)
            reads->free = WF_WATCH_NONE;
        reads->items = items;
        index = reads->count++;
    }
    reads->items[index] = (struct wf_watch_read){*access, next};
    return index;
}

static void reads_free(struct wf_watch_memory *memory, uint32_t first)
{
    struct wf_watch_reads *reads = &memory->reads;
    while (first != WF_WATCH_NONE) {
        const uint32_t next = reads->items[first].next;
        reads->items[first].next = reads->free;
        reads->free = first;
        first = next;
    }
}

/// A copy in the same order.
static uint32_t reads_copy(struct wf_watch_memory *memory, uint32_t first)
{
    uint32_t copy = WF_WATCH_NONE, last = WF_WATCH_NONE;
    for (uint32_t r = first; r != WF_WATCH_NONE; r = memory->reads.items[r].next) {
        const struct wf_watch_access access = memory->reads.items[r].access;
        const uint32_t made = read_new(memory, &access, WF_WATCH_NONE);
        if (made == WF_WATCH_NONE)
            break;
        if (last == WF_WATCH_NONE)
            copy = made;
        else
            memory->reads.items[last].next = made;
        last = made;
    }
    return copy;
}

/// Adds a read in front, in place of an earlier one by the same stage.
static uint32_t reads_add(struct wf_watch_memory *memory, uint32_t first,
                          const struct wf_watch_access *access)
{
    struct wf_watch_read *items = memory->reads.items;
    for (uint32_t r = first, last = WF_WATCH_NONE; r != WF_WATCH_NONE;
         last = r, r = items[r].next) {
        if (!same_reader(&items[r].access, access))
            continue;
        items[r].access = *access;
        if (last == WF_WATCH_NONE)
            return first;
        items[last].next = items[r].next;
        items[r].next = first;
        return r;
    }
    return read_new(memory, access, first);
}

static bool same_access(const struct wf_watch_access *a, const struct wf_watch_access *b)
{
    return a->position == b->position && a->row == b->row && a->flags == b->flags &&
           a->columns == b->columns && a->since == b->since;
}

static bool reads_same(const struct wf_watch_memory *memory, uint32_t a, uint32_t b)
{
    const struct wf_watch_read *items = memory->reads.items;
    while (a != WF_WATCH_NONE && b != WF_WATCH_NONE &&
           same_access(&items[a].access, &items[b].access)) {
        a = items[a].next;
        b = items[b].next;
    }
    return a == b;
}

// ---- segments ----------------------------------------------------------------------------------

/// The first segment that ends behind `at`.
static uint32_t segment_at(const struct wf_watch_segments *s, uint64_t at)
{
    uint32_t low = 0, high = s->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->items[middle].end <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// Opens `count` places at `index`. False without memory.
static bool segments_open(struct wf_watch_memory *memory, struct wf_watch_segments *s,
                          uint32_t index, uint32_t count)
{
    struct wf_watch_segment *items = wf_base_array_grow(memory->allocator, s->items, &s->capacity,
                                                        (size_t)s->count + count, sizeof *items);
    if (!items) {
        memory->starved = true;
        return false;
    }
    s->items = items;
    memmove(&items[index + count], &items[index], (s->count - index) * sizeof *items);
    s->count += count;
    return true;
}

static void segments_close(struct wf_watch_segments *s, uint32_t index, uint32_t count)
{
    memmove(&s->items[index], &s->items[index + count],
            (s->count - index - count) * sizeof *s->items);
    s->count -= count;
}

/// Cuts the segment that `at` lies inside of.
static void segment_cut(struct wf_watch_memory *memory, struct wf_watch_segments *s, uint64_t at)
{
    const uint32_t i = segment_at(s, at);
    if (i == s->count || s->items[i].begin >= at || !segments_open(memory, s, i, 1))
        return;
    s->items[i] = s->items[i + 1];
    s->items[i].end = at;
    s->items[i + 1].begin = at;
    s->items[i + 1].reads = reads_copy(memory, s->items[i].reads);
}

static bool segment_settled(const struct wf_watch_memory *memory, const struct wf_watch_segment *s)
{
    if (s->write.position && !wf_watch_settled(memory->order, &s->write, memory->queues))
        return false;
    for (uint32_t r = s->reads; r != WF_WATCH_NONE; r = memory->reads.items[r].next) {
        if (!wf_watch_settled(memory->order, &memory->reads.items[r].access, memory->queues))
            return false;
    }
    return true;
}

void wf_watch_forget_bytes(struct wf_watch_memory *memory, struct wf_watch_segments *s)
{
    for (uint32_t i = 0; i < s->count; ++i)
        reads_free(memory, s->items[i].reads);
    s->count = 0;
}

/// Drops settled segments when there are many, all if there are too many.
static void segments_thin(struct wf_watch_memory *memory, struct wf_watch_segments *s)
{
    if (s->count < (s->crowd ? s->crowd : FIRST_CROWD))
        return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->count; ++i) {
        if (segment_settled(memory, &s->items[i]))
            reads_free(memory, s->items[i].reads);
        else
            s->items[kept++] = s->items[i];
    }
    s->count = kept;
    if (kept > WF_WATCH_SEGMENTS)
        wf_watch_forget_bytes(memory, s);
    s->crowd = s->count * 2 > FIRST_CROWD ? s->count * 2 : FIRST_CROWD;
}

/// Joins neighbours in [first, last] that are alike.
static void segments_join(struct wf_watch_memory *memory, struct wf_watch_segments *s,
                          uint32_t first, uint32_t last)
{
    uint32_t to = first;
    if (last >= s->count)
        last = s->count - 1;
    for (uint32_t i = first + 1; i <= last && i < s->count; ++i) {
        struct wf_watch_segment *a = &s->items[to], *b = &s->items[i];
        if (a->end == b->begin && same_access(&a->write, &b->write) &&
            reads_same(memory, a->reads, b->reads)) {
            a->end = b->end;
            reads_free(memory, b->reads);
        } else {
            s->items[++to] = *b;
        }
    }
    if (last > to)
        segments_close(s, to + 1, last - to);
}

static void judge_bytes(const struct wf_watch_memory *memory, const struct wf_watch_segments *s,
                        uint64_t begin, uint64_t end, const struct wf_watch_use *use)
{
    for (uint32_t i = segment_at(s, begin); i < s->count && s->items[i].begin < end; ++i) {
        const struct wf_watch_segment *at = &s->items[i];
        const uint64_t from = at->begin > begin ? at->begin : begin;
        const uint64_t to = at->end < end ? at->end : end;
        wf_watch_columns missing = hazard(memory, &at->write, use);
        if (missing)
            memory->hazard(memory->user,
                           &(struct wf_watch_clash){&at->write, use, missing, from, to, NULL});
        if (!(use->access.flags & WF_WATCH_WRITE))
            continue;
        for (uint32_t r = at->reads; r != WF_WATCH_NONE; r = memory->reads.items[r].next) {
            const struct wf_watch_access *read = &memory->reads.items[r].access;
            missing = hazard(memory, read, use);
            if (missing)
                memory->hazard(memory->user,
                               &(struct wf_watch_clash){read, use, missing, from, to, NULL});
        }
    }
}

static void write_bytes(struct wf_watch_memory *memory, struct wf_watch_segments *s, uint64_t begin,
                        uint64_t end, const struct wf_watch_access *access)
{
    const uint32_t first = segment_at(s, begin);
    uint32_t last = first;
    while (last < s->count && s->items[last].begin < end)
        reads_free(memory, s->items[last++].reads);
    if (last > first)
        segments_close(s, first + 1, last - first - 1);
    else if (!segments_open(memory, s, first, 1))
        return;
    s->items[first] = (struct wf_watch_segment){begin, end, *access, WF_WATCH_NONE};
    segments_join(memory, s, first > 0 ? first - 1 : 0, first + 1);
}

static void read_bytes(struct wf_watch_memory *memory, struct wf_watch_segments *s, uint64_t begin,
                       uint64_t end, const struct wf_watch_access *access)
{
    const uint32_t first = segment_at(s, begin);
    uint32_t i = first;
    for (uint64_t at = begin; at < end; ++i) {
        const bool there = i < s->count && s->items[i].begin < end;
        if (there && s->items[i].begin == at) {
            s->items[i].reads = reads_add(memory, s->items[i].reads, access);
        } else { // nobody touched what lies here
            const uint64_t to = there ? s->items[i].begin : end;
            if (!segments_open(memory, s, i, 1))
                return;
            s->items[i] = (struct wf_watch_segment){at, to, {0}, WF_WATCH_NONE};
            s->items[i].reads = reads_add(memory, WF_WATCH_NONE, access);
        }
        at = s->items[i].end;
    }
    segments_join(memory, s, first > 0 ? first - 1 : 0, i);
}

/// The same bytes as before, as in most loops: nothing is cut. False: it is otherwise.
static bool use_again(struct wf_watch_memory *memory, struct wf_watch_segments *s, uint64_t begin,
                      uint64_t end, const struct wf_watch_access *access)
{
    const uint32_t i = segment_at(s, begin);
    if (i == s->count || s->items[i].begin != begin || s->items[i].end != end)
        return false;
    struct wf_watch_segment *at = &s->items[i];
    if (access->flags & WF_WATCH_WRITE) {
        reads_free(memory, at->reads);
        at->write = *access;
        at->reads = WF_WATCH_NONE;
    } else {
        at->reads = reads_add(memory, at->reads, access);
    }
    segments_join(memory, s, i > 0 ? i - 1 : 0, i + 1);
    return true;
}

void wf_watch_use_bytes(struct wf_watch_memory *memory, struct wf_watch_segments *segments,
                        uint64_t begin, uint64_t end, const struct wf_watch_use *use)
{
    if (begin >= end)
        return;
    judge_bytes(memory, segments, begin, end, use);
    segments_thin(memory, segments);
    if (use_again(memory, segments, begin, end, &use->access))
        return;
    segment_cut(memory, segments, begin);
    segment_cut(memory, segments, end);
    if (memory->starved)
        return;
    if (use->access.flags & WF_WATCH_WRITE)
        write_bytes(memory, segments, begin, end, &use->access);
    else
        read_bytes(memory, segments, begin, end, &use->access);
}

void wf_watch_fence_bytes(struct wf_watch_memory *memory, struct wf_watch_segments *segments,
                          uint64_t begin, uint64_t end, const struct wf_watch_fence *fence)
{
    segment_cut(memory, segments, begin);
    segment_cut(memory, segments, end);
    if (memory->starved)
        return;
    struct wf_watch_segment *s = segments->items;
    for (uint32_t i = segment_at(segments, begin); i < segments->count && s[i].begin < end; ++i) {
        if (s[i].write.position)
            wf_watch_access_barrier(memory->order, &s[i].write, fence->queue, fence->producers,
                                    fence->columns, fence->position);
        for (uint32_t r = s[i].reads; r != WF_WATCH_NONE; r = memory->reads.items[r].next)
            wf_watch_access_barrier(memory->order, &memory->reads.items[r].access, fence->queue,
                                    fence->producers, fence->columns, fence->position);
    }
}

void wf_watch_free_bytes(struct wf_watch_memory *memory, struct wf_watch_segments *s)
{
    wf_watch_forget_bytes(memory, s);
    wf_base_free(memory->allocator, s->items, s->capacity * sizeof *s->items);
    *s = (struct wf_watch_segments){0};
}

void wf_watch_memory_finish(struct wf_watch_memory *memory)
{
    wf_base_free(memory->allocator, memory->reads.items,
                 memory->reads.capacity * sizeof *memory->reads.items);
}

// ---- boxes -------------------------------------------------------------------------------------

static bool meet(const uint32_t a[2], const uint32_t b[2])
{
    return a[0] < b[1] && b[0] < a[1];
}

static bool boxes_meet(const struct wf_watch_box *a, const struct wf_watch_box *b)
{
    return a->aspects & b->aspects && meet(a->mip, b->mip) && meet(a->layer, b->layer) &&
           meet(a->x, b->x) && meet(a->y, b->y);
}

static void cross(uint32_t out[2], const uint32_t a[2], const uint32_t b[2])
{
    out[0] = a[0] > b[0] ? a[0] : b[0];
    out[1] = a[1] < b[1] ? a[1] : b[1];
}

/// What two boxes that meet share.
static struct wf_watch_box boxes_cross(const struct wf_watch_box *a, const struct wf_watch_box *b)
{
    struct wf_watch_box both = {.aspects = a->aspects & b->aspects};
    cross(both.mip, a->mip, b->mip);
    cross(both.layer, a->layer, b->layer);
    cross(both.x, a->x, b->x);
    cross(both.y, a->y, b->y);
    return both;
}

static bool holds(const uint32_t a[2], const uint32_t b[2])
{
    return a[0] <= b[0] && b[1] <= a[1];
}

static bool box_holds(const struct wf_watch_box *a, const struct wf_watch_box *b)
{
    return (a->aspects & b->aspects) == b->aspects && holds(a->mip, b->mip) &&
           holds(a->layer, b->layer) && holds(a->x, b->x) && holds(a->y, b->y);
}

static bool boxes_add(struct wf_watch_memory *memory, struct wf_watch_boxes *boxes,
                      const struct wf_watch_box *box, const struct wf_watch_access *access)
{
    struct wf_watch_boxed *items = wf_base_array_grow(
        memory->allocator, boxes->items, &boxes->capacity, (size_t)boxes->count + 1, sizeof *items);
    if (!items) {
        memory->starved = true;
        return false;
    }
    boxes->items = items;
    items[boxes->count++] = (struct wf_watch_boxed){*box, *access};
    return true;
}

static void boxes_thin(struct wf_watch_memory *memory, struct wf_watch_boxes *boxes)
{
    if (boxes->count < (boxes->crowd ? boxes->crowd : FIRST_CROWD))
        return;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < boxes->count; ++i) {
        if (!wf_watch_settled(memory->order, &boxes->items[i].access, memory->queues))
            boxes->items[kept++] = boxes->items[i];
    }
    boxes->count = kept > WF_WATCH_BOXES ? 0 : kept;
    boxes->crowd = boxes->count * 2 > FIRST_CROWD ? boxes->count * 2 : FIRST_CROWD;
}

/// Whether `now` takes the place of what was known of a part that it covers.
static bool replaces(const struct wf_watch_access *now, const struct wf_watch_access *old)
{
    return now->flags & WF_WATCH_WRITE || same_reader(now, old);
}

void wf_watch_use_box(struct wf_watch_memory *memory, struct wf_watch_boxes *boxes,
                      const struct wf_watch_box *box, const struct wf_watch_use *use)
{
    uint32_t kept = 0;
    boxes_thin(memory, boxes);
    for (uint32_t i = 0; i < boxes->count; ++i) {
        const struct wf_watch_boxed old = boxes->items[i];
        if (boxes_meet(&old.box, box)) {
            const wf_watch_columns missing = hazard(memory, &old.access, use);
            const struct wf_watch_box both = boxes_cross(&old.box, box);
            if (missing)
                memory->hazard(memory->user,
                               &(struct wf_watch_clash){&old.access, use, missing, 0, 0, &both});
        }
        if (!replaces(&use->access, &old.access) || !box_holds(box, &old.box))
            boxes->items[kept++] = old;
    }
    boxes->count = kept;
    boxes_add(memory, boxes, box, &use->access);
}

/// Cuts what of an entry lies outside of `range` in one dimension into entries of its own.
static void cut(struct wf_watch_memory *memory, struct wf_watch_boxes *boxes, uint32_t index,
                bool layers, const uint32_t range[2])
{
    for (int side = 0; side < 2; ++side) {
        struct wf_watch_boxed rest = boxes->items[index];
        uint32_t *part = layers ? rest.box.layer : rest.box.mip;
        const bool out = side == 0 ? part[0] < range[0] : part[1] > range[1];
        if (!out)
            continue;
        part[1 - side] = range[side];
        if (!boxes_add(memory, boxes, &rest.box, &rest.access))
            return;
        struct wf_watch_box *kept = &boxes->items[index].box;
        (layers ? kept->layer : kept->mip)[side] = range[side];
    }
}

void wf_watch_fence_box(struct wf_watch_memory *memory, struct wf_watch_boxes *boxes,
                        const struct wf_watch_box *box, const struct wf_watch_fence *fence)
{
    const uint32_t count = boxes->count;
    for (uint32_t i = 0; i < count; ++i) {
        if (!boxes_meet(&boxes->items[i].box, box))
            continue;
        cut(memory, boxes, i, false, box->mip);
        cut(memory, boxes, i, true, box->layer);
        if (memory->starved)
            return;
        wf_watch_access_barrier(memory->order, &boxes->items[i].access, fence->queue,
                                fence->producers, fence->columns, fence->position);
    }
}

void wf_watch_free_boxes(struct wf_watch_memory *memory, struct wf_watch_boxes *boxes)
{
    wf_base_free(memory->allocator, boxes->items, boxes->capacity * sizeof *boxes->items);
    *boxes = (struct wf_watch_boxes){0};
}
