/// Argument layouts and tables.
///
/// Layouts with the same contents share one shape, so that "compatible" is "the same pointer".
/// A table keeps its contents on the CPU. Setting it on an encoder takes a version: a hal table
/// that is never written again while a command buffer or a submission may read it. A version that
/// was superseded goes through the retirement queue and comes back to its table's free list.
#ifndef WF_CORE_ARGUMENT_H
#define WF_CORE_ARGUMENT_H

#include "core/object.h"

/// The contents of a layout, shared by layouts, tables and pipelines.
struct wf_core_shape {
    uint32_t references; ///< Locked by the recorders' layout_lock.
    uint64_t hash;
    struct wf_hal_layout *hal;
    struct wf_hal_argument *arguments; ///< Sorted by binding; fixed samplers are the shape's own.
    uint32_t argument_count, element_count, dynamic_count;
};

struct wf_core_argument_layout {
    struct wf_core_shape *shape;
    bool internal; ///< A pipeline's own: not the host's to destroy, and no leak.
};

struct wf_core_argument_layout_cold {
    struct wf_core_cold base;
};

/// What one element of a table holds: the handles behind the pointers of its wf_hal_write.
struct wf_core_element {
    weft_buffer buffer;
    weft_texture_view view;
    weft_sampler sampler;
    weft_acceleration_structure acceleration;
    uint32_t backing; ///< The buffer's when it was written.
    uint64_t stamp;   ///< The table's stamp when it was written; 0: never.
};

/// What draws ask of an element of a version.
struct wf_core_bound_extent {
    uint64_t bytes; ///< Bound; 1: something that is no buffer; 0: not written.
    uint64_t slack; ///< Bytes of the buffer behind them, for dynamic offsets.
};

/// A snapshot of a table.
struct wf_core_table_version {
    struct wf_core_table *table;
    struct wf_hal_table *hal;
    struct wf_core_table_version *next;    ///< In the free list.
    uint64_t stamp;                        ///< The newest write that it holds.
    struct wf_core_bound_extent extents[]; ///< By element.
};

/// Outlives its handle until the last version came back.
struct wf_core_table {
    struct wf_core_shape *shape;
    struct wf_base_mutex lock; ///< Guards all below; the atomics may be read without it.
    _Atomic(struct wf_core_table_version *) current; ///< NULL: never set.
    atomic_bool dirty;                               ///< Written since `current` was made.
    atomic_uint_fast64_t checked; ///< dev->deaths when every handle in it was last found good.
    bool dead;                    ///< Its handle was destroyed.
    uint32_t versions;            ///< Existing ones, the free ones included.
    uint64_t stamp;
    struct wf_core_table_version *free;
    struct wf_core_element *elements; ///< By element.
    struct wf_hal_write *writes;      ///< By element; valid where the element's stamp is not 0.
};

struct wf_core_argument_table {
    struct wf_core_table *table;
};

struct wf_core_argument_table_cold {
    struct wf_core_cold base;
};

/// The shape with these arguments, made if it is new. `arguments` are sorted by binding and
/// complete; their fixed samplers are borrowed. NULL after reporting.
struct wf_core_shape *wf_core_shape_get(struct weft_device *dev,
                                        const struct wf_hal_argument *arguments, uint32_t count,
                                        const char *label);
void wf_core_shape_keep(struct weft_device *dev, struct wf_core_shape *shape);
/// NULL does nothing.
void wf_core_shape_drop(struct weft_device *dev, struct wf_core_shape *shape);

/// A layout handle for a shape, which it keeps. None after reporting.
weft_argument_layout wf_core_layout_wrap(struct weft_device *dev, struct wf_core_shape *shape,
                                         const char *label, bool internal);

/// The version of a table's contents as they are now, good as long as `cmd` is open or in flight.
/// NULL after the error stuck.
struct wf_core_table_version *wf_core_table_snapshot(struct weft_command_buffer *cmd,
                                                     weft_argument_table handle,
                                                     struct wf_core_table *table);

/// "uniform buffer", "sampled texture", ...
const char *wf_core_argument_name(weft_argument_type type);

#endif
