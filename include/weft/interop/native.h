/// \file interop/native.h
/// What a program needs that calls its backend's own API beside Weft, whatever that API is. The
/// header of a backend, such as interop/vulkan.h, holds the structures that this one passes on
/// unseen, functions with their types, and the rules of memory, queues and layouts.
///
/// - A host's own device: weft_device_desc.native.
/// - A host's own texture or buffer: weft_placement.native.
/// - The backend's own objects behind Weft's: weft_native_get().
/// - Commands of the host's in the midst of Weft's: weft_native_command().
#ifndef WEFT_INTEROP_NATIVE_H
#define WEFT_INTEROP_NATIVE_H

#include <weft/device.h>
#include <weft/resource.h>
#include <weft/sync.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Something of the host's own, in a structure that only its backend knows. The host keeps it: Weft
/// never destroys it, and is done with it when the device or the resource is destroyed and what was
/// submitted has finished. The structure itself is copied.
struct weft_native {
    weft_backend backend;
    const void *object; ///< A structure of the backend's header.
    size_t size;        ///< Bytes of the structure.
};

/// Writes what is behind a device (kind DEVICE, no handle), buffer, texture, texture view or
/// timeline to `out`, a structure of the backend's header of `size` bytes, which on failure is
/// zeroed. WEFT_ERROR_USAGE on a device of another backend. Thread-safe.
///
/// What it tells is Weft's: it may be used until its Weft object is destroyed, and by work that has
/// finished by then; it is never destroyed by the host.
WEFT_API weft_result weft_native_get(weft_device *device, weft_object object, weft_backend backend,
                                     void *out, size_t size);

/// The host has submitted work that will signal `value` on a timeline of Weft's: from now on it may
/// be waited for. `value` must be larger than what was signalled or submitted before. FULL
/// validation then takes all that Weft has submitted for what the host waited for.
WEFT_API weft_result weft_native_promise(weft_device *device, weft_timeline timeline,
                                         uint64_t value);

/// Writes the backend's command buffer to `out`, where the host may record its own commands up to
/// the next call with `cmd`. Outside of encoders only. They must not end it, nor leave it inside of
/// a pass. What they set need not be restored: every encoder sets all that it uses. Barriers around
/// them are the host's to record; FULL validation does not look for missing ones in the submission.
/// On failure `out` is zeroed, and the error sticks to `cmd` as that of any command.
WEFT_API void weft_native_command(weft_command_buffer *cmd, weft_backend backend, void *out,
                                  size_t size);

#ifdef __cplusplus
}
#endif

#endif
