/// What was done last to which bytes of a buffer and to which parts of a texture.
///
/// A buffer is cut into segments that were treated alike; each has its last write and the reads
/// since, at most one per queue and stage, for a later one is ordered before less. A write takes
/// the place of what it was ordered after, for whatever is ordered after the write is ordered after
/// that as well. A texture has a list of boxes instead, which may overlap.
#ifndef WF_CORE_WATCH_MEMORY_H
#define WF_CORE_WATCH_MEMORY_H

#include "core/core.h"
#include "core/watch_order.h"

/// Most segments or boxes of one resource; beyond, the watch forgets what it knows of it.
#define WF_WATCH_SEGMENTS 65536u
#define WF_WATCH_BOXES    512u

#define WF_WATCH_NONE UINT32_MAX

/// A read in a list.
struct wf_watch_read {
    struct wf_watch_access access;
    uint32_t next;
};

/// The reads of all buffers; free ones are a list.
struct wf_watch_reads {
    struct wf_watch_read *items;
    size_t capacity;
    uint32_t count, free;
};

struct wf_watch_segment {
    uint64_t begin, end;
    struct wf_watch_access write;
    uint32_t reads;
};

struct wf_watch_segments {
    struct wf_watch_segment *items;
    size_t capacity;
    uint32_t count;
    uint32_t crowd; ///< At so many, settled ones are looked for.
};

/// Part of a texture: ranges of mips, of layers (slices of 3D textures) and of texels, and aspects.
struct wf_watch_box {
    uint32_t mip[2], layer[2];
    uint32_t x[2], y[2];
    weft_aspect_set aspects;
};

struct wf_watch_boxed {
    struct wf_watch_box box;
    struct wf_watch_access access;
};

struct wf_watch_boxes {
    struct wf_watch_boxed *items;
    size_t capacity;
    uint32_t count;
    uint32_t crowd;
};

/// A new access and what it must be ordered after.
struct wf_watch_use {
    struct wf_watch_access access;
    wf_watch_columns columns; ///< Of its stage.
    wf_watch_columns depth;   ///< Instead, after what TARGET wrote.
    uint64_t encoder;         ///< Position before the encoder that it is in.
    bool pass;                ///< That is a render pass.
};

/// A hazard: `use` is not ordered after `before` for the columns `missing`. The bytes, or the box,
/// that both touch.
struct wf_watch_clash {
    const struct wf_watch_access *before;
    const struct wf_watch_use *use;
    wf_watch_columns missing;
    uint64_t begin, end;
    const struct wf_watch_box *box; ///< NULL: bytes.
};

struct wf_watch_memory {
    const struct wf_base_allocator *allocator;
    struct wf_watch_order *order;
    uint32_t queues; ///< Bits of those in use.
    struct wf_watch_reads reads;
    bool starved; ///< There was no memory for something.
    /// Called for two accesses that are in order and could not be in any other.
    void (*ordered)(void *user, const struct wf_watch_access *before,
                    const struct wf_watch_access *after);
    /// Called for each hazard; it makes an order.
    void (*hazard)(void *user, const struct wf_watch_clash *clash);
    void *user;
};

void wf_watch_memory_finish(struct wf_watch_memory *memory);

/// Judges and remembers an access to [begin, end).
void wf_watch_use_bytes(struct wf_watch_memory *memory, struct wf_watch_segments *segments,
                        uint64_t begin, uint64_t end, const struct wf_watch_use *use);
void wf_watch_use_box(struct wf_watch_memory *memory, struct wf_watch_boxes *boxes,
                      const struct wf_watch_box *box, const struct wf_watch_use *use);

/// A barrier for some memory alone.
struct wf_watch_fence {
    uint32_t queue;
    weft_stage_set producers;
    wf_watch_columns columns;
    uint64_t position;
};
void wf_watch_fence_bytes(struct wf_watch_memory *memory, struct wf_watch_segments *segments,
                          uint64_t begin, uint64_t end, const struct wf_watch_fence *fence);
void wf_watch_fence_box(struct wf_watch_memory *memory, struct wf_watch_boxes *boxes,
                        const struct wf_watch_box *box, const struct wf_watch_fence *fence);

void wf_watch_forget_bytes(struct wf_watch_memory *memory, struct wf_watch_segments *segments);
void wf_watch_free_bytes(struct wf_watch_memory *memory, struct wf_watch_segments *segments);
void wf_watch_free_boxes(struct wf_watch_memory *memory, struct wf_watch_boxes *boxes);

#endif
