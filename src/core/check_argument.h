/// Checks of argument layouts and tables.
#ifndef WF_CORE_CHECK_ARGUMENT_H
#define WF_CORE_CHECK_ARGUMENT_H

#include "core/argument.h"

/// Entries sorted by binding and resolved, but for their samplers.
bool wf_core_check_layout_desc(struct weft_device *dev, const struct wf_hal_argument *arguments,
                               const weft_argument *given, uint32_t count, const char *label);
/// What a reflected layout may break: shaders bound nothing.
bool wf_core_check_layout_size(struct weft_device *dev, const struct wf_hal_argument *arguments,
                               uint32_t count, const char *label);
/// One write of an element that exists; `write` is resolved and its handles are good.
bool wf_core_check_table_write(const struct wf_core_subject *on,
                               const struct wf_hal_argument *argument,
                               const weft_argument_write *given, const struct wf_hal_write *write);

/// The format of a texel buffer: without one given, four 32-bit components of what is read.
weft_format wf_core_texels_format(weft_format given, weft_sample_class sampled);

static inline bool wf_core_argument_is_texels(weft_argument_type type)
{
    return type == WEFT_ARGUMENT_UNIFORM_TEXELS || type == WEFT_ARGUMENT_STORAGE_TEXELS;
}

static inline bool wf_core_argument_is_buffer(weft_argument_type type)
{
    return type == WEFT_ARGUMENT_UNIFORM_BUFFER || type == WEFT_ARGUMENT_STORAGE_BUFFER ||
           wf_core_argument_is_texels(type);
}

static inline bool wf_core_argument_is_texture(weft_argument_type type)
{
    return type == WEFT_ARGUMENT_SAMPLED_TEXTURE || type == WEFT_ARGUMENT_STORAGE_TEXTURE ||
           type == WEFT_ARGUMENT_COMBINED;
}

static inline bool wf_core_argument_has_sampler(weft_argument_type type)
{
    return type == WEFT_ARGUMENT_SAMPLER || type == WEFT_ARGUMENT_COMBINED;
}

#endif
