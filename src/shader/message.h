/// Private to the shader layer: messages of errors and findings.
#ifndef WF_SHADER_MESSAGE_H
#define WF_SHADER_MESSAGE_H

#include <stdarg.h>
#include <stddef.h>

/// Appends to a message of `size` bytes, cutting what does not fit. Names in modules may be any
/// bytes: what is no UTF-8 or a control character becomes '?'.
void wf_shader_append(char *message, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void wf_shader_vappend(char *message, size_t size, const char *format, va_list args);

#endif
