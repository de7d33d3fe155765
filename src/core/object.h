/// Handles to objects: typed look-up, take, end; and the hot parts of what resource.h declares.
/// The hot parts of the other kinds are in shader.h, pipeline.h, argument.h, ... beside their
/// files.
#ifndef WF_CORE_OBJECT_H
#define WF_CORE_OBJECT_H

#include "core/core.h"

/// The hot part, or NULL after reporting why, at a place in a recording (`origin` NULL: none).
void *wf_core_get(struct weft_device *dev, struct wf_core_origin *origin, weft_object_kind kind,
                  struct wf_base_handle handle);
/// A new object's hot part, zeroed but for its label; NULL, `*out` {0, 0}, after reporting that
/// there is no room.
void *wf_core_take(struct weft_device *dev, weft_object_kind kind, const char *label,
                   struct wf_base_handle *out);
/// What a function begins with that makes something from a description: `*out` (`size` bytes) is
/// zeroed. WEFT_OK if the device is READY, and neither is NULL; otherwise the error, reported.
weft_result wf_core_enter(struct weft_device *dev, const void *desc, void *out, size_t size);
/// The same where the description may be NULL, or there is none.
weft_result wf_core_enter_result(struct weft_device *dev, void *out, size_t size);
/// What wf_core_given() calls such a place.
#define WF_CORE_RESULT "place for the result"
/// For other functions: false without a device, silently, and after reporting that `pointer` is
/// NULL. `what`: "data".
bool wf_core_given(struct weft_device *dev, const void *pointer, const char *what);
/// Takes back an object that could not be made whole.
void wf_core_give(struct weft_device *dev, weft_object_kind kind, struct wf_base_handle handle);
/// Ends an object: copies the hot part to `hot` (`size` bytes) and frees the handle. The caller
/// then retires the object, once, or gives up its place in the retirement queue
/// (wf_core_retire_unreserve). False for the none handle (silently), for a bad one (reported) and
/// after shutdown (silently): then there is nothing to destroy. Works on a lost device.
bool wf_core_end(struct weft_device *dev, weft_object_kind kind, struct wf_base_handle handle,
                 void *hot, size_t size);
/// Ends an object and discards what it held, if there is one to end.
void wf_core_destroy(struct weft_device *dev, weft_object_kind kind, struct wf_base_handle handle);
/// Destroys every object that lives, users before what they use.
void wf_core_destroy_all(struct weft_device *dev);
/// Label of a live object; "" for anything else.
const char *wf_core_label(struct weft_device *dev, weft_object object);
/// Copies a label, cut to fit on a UTF-8 boundary; NULL is "".
void wf_core_label_set(char out[WF_CORE_LABEL], const char *label);
/// Opens every pool. False when out of memory.
bool wf_core_pools_init(struct weft_device *dev);
void wf_core_pools_finish(struct weft_device *dev);

/// For each kind:
///   wf_core_<name>_find   hot part or NULL, nothing reported
///   wf_core_<name>_get    hot part, or NULL after reporting why
///   wf_core_<name>_get_at the same at a place in a recording
///   wf_core_<name>_cold   cold part of a live handle, or NULL
///   wf_core_<name>_take   new object, `*out` its handle; NULL after reporting
///   wf_core_<name>_give   takes back one that could not be made whole
///   wf_core_<name>_destroy see wf_core_destroy()
///   wf_core_<name>_object for diagnostics
///   wf_core_<name>_discard (in the object's own file) retires what an ended object held; the
///                         destroy function and, for leaked objects, shutdown call it
#define OBJECT(name, KIND, capacity)                                                               \
    struct wf_core_##name;                                                                         \
    struct wf_core_##name##_cold;                                                                  \
    void wf_core_##name##_discard(struct weft_device *dev, void *hot);                             \
    static inline weft_object wf_core_##name##_object(weft_##name h)                               \
    {                                                                                              \
        return wf_core_object(WEFT_OBJECT_##KIND, h.index, h.generation);                          \
    }                                                                                              \
    static inline struct wf_core_##name *wf_core_##name##_find(struct weft_device *dev,            \
                                                               weft_##name h)                      \
    {                                                                                              \
        return (struct wf_core_##name *)wf_base_pool_hot(                                          \
            &dev->pools[WEFT_OBJECT_##KIND], (struct wf_base_handle){h.index, h.generation});      \
    }                                                                                              \
    static inline struct wf_core_##name *wf_core_##name##_get_at(                                  \
        struct weft_device *dev, struct wf_core_origin *origin, weft_##name h)                     \
    {                                                                                              \
        return (struct wf_core_##name *)wf_core_get(                                               \
            dev, origin, WEFT_OBJECT_##KIND, (struct wf_base_handle){h.index, h.generation});      \
    }                                                                                              \
    static inline struct wf_core_##name *wf_core_##name##_get(struct weft_device *dev,             \
                                                              weft_##name h)                       \
    {                                                                                              \
        return wf_core_##name##_get_at(dev, NULL, h);                                              \
    }                                                                                              \
    static inline struct wf_core_##name##_cold *wf_core_##name##_cold(struct weft_device *dev,     \
                                                                      weft_##name h)               \
    {                                                                                              \
        return (struct wf_core_##name##_cold *)wf_base_pool_cold(                                  \
            &dev->pools[WEFT_OBJECT_##KIND], (struct wf_base_handle){h.index, h.generation});      \
    }                                                                                              \
    static inline struct wf_core_##name *wf_core_##name##_take(                                    \
        struct weft_device *dev, const char *label, weft_##name *out)                              \
    {                                                                                              \
        struct wf_base_handle h;                                                                   \
        void *hot = wf_core_take(dev, WEFT_OBJECT_##KIND, label, &h);                              \
        *out = (weft_##name){h.index, h.generation};                                               \
        return (struct wf_core_##name *)hot;                                                       \
    }                                                                                              \
    static inline void wf_core_##name##_give(struct weft_device *dev, weft_##name *h)              \
    {                                                                                              \
        wf_core_give(dev, WEFT_OBJECT_##KIND, (struct wf_base_handle){h->index, h->generation});   \
        *h = (weft_##name){0, 0};                                                                  \
    }                                                                                              \
    static inline void wf_core_##name##_destroy(struct weft_device *dev, weft_##name h)            \
    {                                                                                              \
        wf_core_destroy(dev, WEFT_OBJECT_##KIND, (struct wf_base_handle){h.index, h.generation});  \
    }
#include "core/objects.def"
#undef OBJECT

struct wf_core_buffer {
    struct wf_hal_buffer *hal; ///< Changes with weft_buffer_rebind(); `hal->usage` may hold more.
    uint64_t size;
    weft_gpu_ptr address; ///< 0 without usage ADDRESS.
    uint8_t *mapped;      ///< NULL for GPU memory.
    weft_buffer_usage usage;
    weft_memory memory;      ///< Never AUTO.
    weft_memory_block block; ///< Placed here, or none.
    uint32_t backing;        ///< Rises with every rebind: tells memory that `hal` cannot.
    bool internal;           ///< The library's own: not the host's to destroy, and no leak.
    bool native;             ///< The host's own, which Weft does not free.
};

struct wf_core_buffer_cold {
    struct wf_core_cold base;
    weft_buffer_desc desc; ///< Resolved; data and label NULL.
};

/// As weft_buffer_create() for the library itself: not checked.
weft_result wf_core_buffer_new(struct weft_device *dev, const weft_buffer_desc *resolved,
                               bool internal, weft_buffer *out);
/// Gives a buffer that is not placed new backing of `size` bytes under the same handle.
weft_result wf_core_buffer_back(struct weft_device *dev, weft_buffer handle, uint64_t size);

struct wf_core_texture {
    struct wf_hal_texture *hal; ///< `hal->desc` is the resolved description.
    weft_texture_usage usage;
    weft_format format;
    weft_texture_view first_view; ///< Chain of its views.
    weft_memory_block block;
    bool native;        ///< The host's own, which Weft does not free.
    bool surface;       ///< Belongs to a surface (which destroys the hal texture): not the host's.
    weft_surface owner; ///< That surface.
};

struct wf_core_texture_cold {
    struct wf_core_cold base;
    weft_texture_desc desc; ///< Resolved; fast_clear and label NULL.
};

/// For surfaces: a texture and its view around a hal texture that stays the surface's.
weft_result wf_core_texture_wrap(struct weft_device *dev, struct wf_hal_texture *hal,
                                 const char *label, weft_texture *out, weft_texture_view *view);
/// Ends both; the hal texture is not touched, the hal view is retired.
void wf_core_texture_unwrap(struct weft_device *dev, weft_texture texture, weft_texture_view view);

/// A view of a destroyed texture stays as an orphan: `hal` is NULL, any use but destroying it is
/// reported as stale. wf_core_view_use() tells.
struct wf_core_texture_view {
    struct wf_hal_texture_view *hal; ///< `hal->desc` is the resolved description.
    weft_texture texture;
    weft_view_pool pool;
    weft_texture_view prev, next;           ///< Among the views of the texture. object_lock
    weft_texture_view pool_prev, pool_next; ///< Among the views of the pool. object_lock
    uint32_t heap_index[2]; ///< WEFT_HEAP_SAMPLED, _STORAGE; UINT32_MAX: none yet. heap lock
    bool in_range;          ///< Was written into a heap range. heap lock
    bool surface;           ///< As the texture's.
};

struct wf_core_texture_view_cold {
    struct wf_core_cold base;
};

/// The view if it and its texture live, or NULL after reporting. `origin` may be NULL.
struct wf_core_texture_view *
wf_core_view_use(struct weft_device *dev, struct wf_core_origin *origin, weft_texture_view view);
/// As weft_texture_view_create(), unchecked and resolved.
weft_result wf_core_view_new(struct weft_device *dev, const weft_texture_view_desc *resolved,
                             weft_texture_view *out);
/// Makes orphans of all views of a texture that has ended. object_lock is held.
void wf_core_views_orphan(struct weft_device *dev, weft_texture_view first);

struct wf_core_view_pool {
    uint32_t capacity, count;
    weft_texture_view first;
};

struct wf_core_view_pool_cold {
    struct wf_core_cold base;
};

struct wf_core_sampler {
    struct wf_hal_sampler *hal; ///< `hal->desc` is the resolved description.
    uint32_t heap_index;        ///< UINT32_MAX: none yet. heap lock
    bool in_range;              ///< Was written into a heap range. heap lock
    bool compares;
};

struct wf_core_sampler_cold {
    struct wf_core_cold base;
};

struct wf_core_acceleration_structure {
    struct wf_hal_acceleration *hal;
    weft_buffer scratch; ///< Its own; none with SCRATCH_GIVEN.
    weft_acceleration_sizes sizes;
    weft_acceleration_geometry *geometries; ///< As described, for builds to be compared with.
    uint32_t geometry_count, instance_count;
    uint32_t heap_index; ///< UINT32_MAX: none yet. heap lock
    atomic_bool built;   ///< A build of the whole of it was recorded.
};

struct wf_core_acceleration_structure_cold {
    struct wf_core_cold base;
};

struct wf_core_memory_block {
    struct wf_hal_memory_block *hal;
    uint64_t size;
    weft_memory memory;
    uint32_t placed; ///< Live resources in it. object_lock
};

struct wf_core_memory_block_cold {
    struct wf_core_cold base;
};

/// A resource to be placed.
struct wf_core_placed {
    struct wf_core_subject on; ///< Its kind and label.
    weft_memory memory;
    weft_memory_needs needs;
};
/// Whether the device is of `backend` and shares; reports.
bool wf_core_native_check(const struct wf_core_subject *on, weft_backend backend);
/// Resolves a placement with `native` set. False after reporting.
bool wf_core_native_place(const struct wf_core_subject *on, const weft_placement *place,
                          struct wf_hal_native *out);
/// As wf_core_failed(), where `native` (may be NULL) was given to the hal.
weft_result wf_core_native_failed(const struct wf_core_subject *on, weft_result result,
                                  const struct wf_hal_native *native);
/// Resolves a placement, and counts it in its block. Fails after reporting.
weft_result wf_core_place(const weft_placement *place, const struct wf_core_placed *placed,
                          struct wf_hal_placement *out);
/// The opposite; none does nothing.
void wf_core_unplace(struct weft_device *dev, weft_memory_block block);

struct wf_core_range; ///< heap.c

struct wf_core_heap_range {
    struct wf_core_range *range;
};

struct wf_core_heap_range_cold {
    struct wf_core_cold base;
};

/// An entry of the heap that is to be written.
struct wf_core_heap_entry {
    weft_heap_kind kind;
    uint32_t index;
    struct wf_hal_texture_view *view; ///< One of the two.
    struct wf_hal_sampler *sampler;
    struct wf_core_range *range; ///< Lives as long as an open command buffer may write it.
};
/// Where it is.
struct wf_core_heap_place {
    struct weft_device *dev;
    struct wf_core_origin *origin; ///< NULL: in no recording.
    weft_heap_range range;
    uint32_t element;
};
/// Checks a write into a range and says what is to be written. False after reporting.
bool wf_core_heap_enter(const struct wf_core_heap_place *place, weft_texture_view view,
                        weft_sampler sampler, struct wf_core_heap_entry *out);
/// Remembers the write: when it is made, or submitted.
void wf_core_heap_commit(struct weft_device *dev, const struct wf_core_heap_entry *entry);
/// Empties the heap entries of a view or sampler that the GPU has left, and frees its indices.
void wf_core_heap_forget_view(struct weft_device *dev, struct wf_hal_texture_view *view,
                              const uint32_t index[2], bool in_range);
void wf_core_heap_forget_sampler(struct weft_device *dev, struct wf_hal_sampler *sampler,
                                 uint32_t index, bool in_range);
void wf_core_heap_forget_acceleration(struct weft_device *dev, uint32_t index);

#endif
