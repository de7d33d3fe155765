/// A string that grows. Running out of memory sticks: later appends do nothing, and the owner asks
/// once, at the end. One thread at a time.
#ifndef WF_BASE_TEXT_H
#define WF_BASE_TEXT_H

#include "base/alloc.h"

#include <stdarg.h>

struct wf_base_text {
    const struct wf_base_allocator *allocator;
    char *data;      ///< NULL or NUL-terminated.
    size_t size;     ///< Without the NUL.
    size_t capacity; ///< Bytes allocated.
    bool failed;     ///< Something could not be appended.
};

void wf_base_text_init(struct wf_base_text *text, const struct wf_base_allocator *allocator);
void wf_base_text_finish(struct wf_base_text *text);

/// Never NULL; valid until the next change.
const char *wf_base_text_string(const struct wf_base_text *text);

void wf_base_text_append(struct wf_base_text *text, const char *string);
void wf_base_text_append_bytes(struct wf_base_text *text, const void *data, size_t size);
void wf_base_text_append_char(struct wf_base_text *text, char c);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void wf_base_text_format(struct wf_base_text *text, const char *format, ...);
void wf_base_text_vformat(struct wf_base_text *text, const char *format, va_list args);

/// A JSON string with its quotes, always valid UTF-8: what is not becomes U+FFFD. NULL becomes
/// null.
void wf_base_text_json_string(struct wf_base_text *text, const char *string);
void wf_base_text_json_bytes(struct wf_base_text *text, const char *data, size_t size);

/// The length of the valid UTF-8 sequence at `data` (1 to 4), or 0 when there is none. size > 0.
size_t wf_base_utf8_length(const char *data, size_t size);

#endif
