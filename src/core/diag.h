/// Saying what is wrong: broken rules, failures, performance notes. Every path ends in
/// wf_core_emit(): the thread's error scopes first, then the host's callback.
#ifndef WF_CORE_DIAG_H
#define WF_CORE_DIAG_H

#include <weft/rules.h>
#include <weft/weft.h>

#include "base/pool.h"

#include <stdarg.h>

#define WF_CORE_NO_COMMAND UINT64_MAX

#if defined(__GNUC__)
#define WF_CORE_PRINTF(string, first) __attribute__((format(printf, string, first)))
#define WF_CORE_COLD                  __attribute__((cold, noinline))
#else
#define WF_CORE_PRINTF(string, first)
#define WF_CORE_COLD
#endif

/// Where in a recording something happened, and what came of it. A command buffer keeps one and
/// hands out its address.
struct wf_core_origin {
    uint64_t command;  ///< As set by weft_command_set_origin(); WF_CORE_NO_COMMAND: none.
    const char *pass;  ///< Label of the open pass; NULL or "": none.
    weft_result error; ///< The first error that was reported there: it sticks.
};

static inline weft_object wf_core_object(weft_object_kind kind, uint32_t index, uint32_t generation)
{
    return (weft_object){.kind = kind, .index = index, .generation = generation};
}

static inline weft_object wf_core_no_object(void)
{
    return (weft_object){.kind = WEFT_OBJECT_NONE};
}

/// What a message is about, and where in a recording it came up.
struct wf_core_subject {
    struct weft_device *dev;
    weft_object object;
    const char *label;             ///< NULL: looked up.
    struct wf_core_origin *origin; ///< NULL: in no recording.
};

/// What is being made, with the label that it was given.
struct wf_core_subject wf_core_about_new(struct weft_device *dev, weft_object_kind kind,
                                         const char *label);
/// What there is.
struct wf_core_subject wf_core_about(struct weft_device *dev, weft_object object);
/// What a command uses.
struct wf_core_subject wf_core_about_in(struct weft_command_buffer *cmd, weft_object object);

/// Reports one broken rule, which sticks to the recording that it is in. The message is one
/// sentence: the thing, the rule, the value. Always returns false, so that a check reads
///
///     bool ok = true;
///     if (desc->size == 0)
///         ok = wf_core_broken(&on, WEFT_RULE_BUFFER_SIZE_ZERO, "...");
///     ...every other rule...
///     return ok;
bool wf_core_broken(const struct wf_core_subject *on, weft_rule rule, const char *format, ...)
    WF_CORE_PRINTF(3, 4) WF_CORE_COLD;

/// A value of an enum from 0 to `last`. `what`: "kind of memory".
bool wf_core_check_enum(const struct wf_core_subject *on, unsigned value, unsigned last,
                        const char *what);
/// Bits out of `known`. `what`: "queue set".
bool wf_core_check_bits(const struct wf_core_subject *on, uint32_t bits, uint32_t known,
                        const char *what);
/// Likewise for an array without items that has a count. At every level: it bounds memory.
bool wf_core_check_array(const struct wf_core_subject *on, const void *items, uint64_t count,
                         const char *what);

/// Reports a pointer that is required and NULL.
void wf_core_null(const struct wf_core_subject *on, const char *what) WF_CORE_COLD;
/// A pointer that is required. At every level. `what`: "description".
static inline bool wf_core_check_given(const struct wf_core_subject *on, const void *pointer,
                                       const char *what)
{
    if (!pointer)
        wf_core_null(on, what);
    return pointer != NULL;
}

/// The same about an object that one message is about.
bool wf_core_broken_object(struct weft_device *dev, weft_object object, weft_rule rule,
                           const char *format, ...) WF_CORE_PRINTF(4, 5) WF_CORE_COLD;

/// The same in the recording of `cmd`.
bool wf_core_command_broken(struct weft_command_buffer *cmd, weft_object object, weft_rule rule,
                            const char *format, ...) WF_CORE_PRINTF(4, 5) WF_CORE_COLD;

/// Something works but is probably not what was meant.
void wf_core_warn(const struct wf_core_subject *on, weft_rule rule, const char *format, ...)
    WF_CORE_PRINTF(3, 4) WF_CORE_COLD;

/// Something works but costs more than it need. Dropped below FULL validation. `rule` may be
/// WEFT_RULE_NONE.
void wf_core_note(const struct wf_core_subject *on, weft_rule rule, const char *format, ...)
    WF_CORE_PRINTF(3, 4) WF_CORE_COLD;

/// Reports a failure that is nobody's misuse (memory, a lost device, the driver) and returns
/// `result`. LOST marks the device lost. `what` is what could not be done:
/// "rebind a buffer"; NULL: create the object.
weft_result wf_core_failed(const struct wf_core_subject *on, weft_result result,
                           const char *what) WF_CORE_COLD;

/// Reports why the device takes no calls now (starting, failed, lost, shut down); returns
/// WEFT_ERROR_LOST or WEFT_ERROR_USAGE.
weft_result wf_core_not_ready(struct weft_device *dev) WF_CORE_COLD;

/// Reports why a handle is none, stale, foreign or invalid (`origin` NULL: in no recording).
/// Returns NULL.
void *wf_core_handle_bad(struct weft_device *dev, struct wf_core_origin *origin,
                         weft_object_kind kind, struct wf_base_handle handle) WF_CORE_COLD;

/// Scopes, then the callback.
void wf_core_emit(struct weft_device *dev, const weft_diagnostic *diagnostic) WF_CORE_COLD;

/// Whether a scope of this thread took it. (scope.c)
bool wf_core_scope_catch(const struct weft_device *dev, const weft_diagnostic *diagnostic);

/// "buffer", "texture view", ...
const char *wf_core_kind_name(weft_object_kind kind);

#endif
