/// Messages to whoever listens. No allocation; a message is cut at WF_BASE_LOG_MESSAGE_MAX bytes,
/// on a UTF-8 boundary.
#ifndef WF_BASE_LOG_H
#define WF_BASE_LOG_H

#include <stdarg.h>
#include <stdbool.h>

#define WF_BASE_LOG_MESSAGE_MAX 1024

enum wf_base_log_level {
    WF_BASE_LOG_DEBUG,
    WF_BASE_LOG_INFO,
    WF_BASE_LOG_WARNING,
    WF_BASE_LOG_ERROR,
    WF_BASE_LOG_OFF, ///< As a threshold only.
};

/// A listener. Zeroed: nobody listens. Logging is as thread-safe as `write`.
struct wf_base_log {
    void (*write)(void *user, enum wf_base_log_level level, const char *message);
    void *user;
    enum wf_base_log_level level; ///< What is below it is dropped before it is formatted.
};

/// `log` may be NULL.
static inline bool wf_base_log_wants(const struct wf_base_log *log, enum wf_base_log_level level)
{
    return log && log->write && level >= log->level;
}

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void wf_base_log(const struct wf_base_log *log, enum wf_base_log_level level, const char *format,
                 ...);
void wf_base_logv(const struct wf_base_log *log, enum wf_base_log_level level, const char *format,
                  va_list args);

/// "debug", "info", "warning", "error", "off".
const char *wf_base_log_level_name(enum wf_base_log_level level);

/// A ready `write` for stderr: "weft: warning: message".
void wf_base_log_to_stderr(void *user, enum wf_base_log_level level, const char *message);

#endif
