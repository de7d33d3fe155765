#include "shader/message.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

void wf_shader_vappend(char *message, size_t size, const char *format, va_list args)
{
    const size_t used = strlen(message);
    va_list copy; // the analyzer loses track of the argument itself
    va_copy(copy, args);
    (void)vsnprintf(message + used, size - used, format, copy);
    va_end(copy);
    const size_t end = used + strlen(message + used);
    for (size_t at = used; at < end;) {
        const size_t length = wf_base_utf8_length(message + at, end - at);
        if (length == 0 || (unsigned char)message[at] < 0x20 || message[at] == 0x7F)
            message[at] = '?';
        at += length > 0 ? length : 1;
    }
}

void wf_shader_append(char *message, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    wf_shader_vappend(message, size, format, args);
    va_end(args);
}
