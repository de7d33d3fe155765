/// Which writes of the upload belt may share an encoder. Copies in one encoder have no order, so a
/// write that meets an earlier one needs a barrier in front.
#ifndef WF_CORE_UPLOAD_ORDER_H
#define WF_CORE_UPLOAD_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#define WF_CORE_ORDER_FEW    64u   ///< Boxes of texels, and long ranges, that are remembered.
#define WF_CORE_ORDER_MANY   256u  ///< Short ranges.
#define WF_CORE_ORDER_SHORT  256u  ///< Bytes; above them a range is long.
#define WF_CORE_ORDER_FILTER 4096u ///< Bits.

/// Bytes of a buffer.
struct wf_core_order_range {
    const void *buffer;
    uint64_t begin, end;
};

/// A box of one mip and aspect of a texture.
struct wf_core_order_box {
    const void *texture;
    uint32_t mip, aspect;
    uint64_t begin[4], end[4]; ///< Columns, rows, slices and layers.
};

/// Zero-initialised: nothing is written yet.
struct wf_core_order {
    uint32_t box_count, long_count, short_count;
    struct wf_core_order_box boxes[WF_CORE_ORDER_FEW];
    struct wf_core_order_range longs[WF_CORE_ORDER_FEW], shorts[WF_CORE_ORDER_MANY];
    /// A bit for each 64 bytes that a short range touches, at a hash of them: where none is set,
    /// there is no need to look through `shorts`.
    uint64_t filter[WF_CORE_ORDER_FILTER / 64];
};

/// Remembers a write. False if it meets one that is remembered, or there is no room: then a barrier
/// comes first, and the order is begun anew.
bool wf_core_order_add_range(struct wf_core_order *order, const void *buffer, uint64_t begin,
                             uint64_t end);
bool wf_core_order_add_box(struct wf_core_order *order, const struct wf_core_order_box *box);
void wf_core_order_reset(struct wf_core_order *order);

#endif
