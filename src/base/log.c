#include "base/log.h"

#include "base/text.h"

#include <stdio.h>

/// Cuts a sequence that truncation left unfinished.
static void trim_utf8(char *text, size_t size)
{
    size_t start = size;
    while (start > 0 && size - start < 3 && ((unsigned char)text[start - 1] & 0xc0) == 0x80)
        start--;
    if (start > 0 && wf_base_utf8_length(text + start - 1, size - (start - 1)) == 0)
        text[start - 1] = '\0';
}

void wf_base_logv(const struct wf_base_log *log, enum wf_base_log_level level, const char *format,
                  va_list args)
{
    if (!wf_base_log_wants(log, level))
        return;
    char message[WF_BASE_LOG_MESSAGE_MAX];
    const int length = vsnprintf(message, sizeof message, format, args);
    if (length < 0)
        message[0] = '\0';
    else if ((size_t)length >= sizeof message)
        trim_utf8(message, sizeof message - 1);
    log->write(log->user, level, message);
}

void wf_base_log(const struct wf_base_log *log, enum wf_base_log_level level, const char *format,
                 ...)
{
    va_list args;
    va_start(args, format);
    wf_base_logv(log, level, format, args);
    va_end(args);
}

const char *wf_base_log_level_name(enum wf_base_log_level level)
{
    static const char *const names[] = {"debug", "info", "warning", "error", "off"};
    return (unsigned)level < sizeof names / sizeof names[0] ? names[level] : "unknown";
}

void wf_base_log_to_stderr(void *user, enum wf_base_log_level level, const char *message)
{
    (void)user;
    (void)fprintf(stderr, "weft: %s: %s\n", wf_base_log_level_name(level), message);
}
