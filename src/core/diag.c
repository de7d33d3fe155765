#include "core/diag.h"

#include "core/record.h"

#include <stdarg.h>
#include <stdio.h>

#define MESSAGE_LENGTH 512

static const char *const kind_names[WF_CORE_KINDS] = {
    [WEFT_OBJECT_NONE] = "nothing",
    [WEFT_OBJECT_DEVICE] = "device",
    [WEFT_OBJECT_BUFFER] = "buffer",
    [WEFT_OBJECT_TEXTURE] = "texture",
    [WEFT_OBJECT_TEXTURE_VIEW] = "texture view",
    [WEFT_OBJECT_VIEW_POOL] = "view pool",
    [WEFT_OBJECT_SAMPLER] = "sampler",
    [WEFT_OBJECT_MEMORY_BLOCK] = "memory block",
    [WEFT_OBJECT_SHADER] = "shader",
    [WEFT_OBJECT_GRAPHICS_PIPELINE] = "graphics pipeline",
    [WEFT_OBJECT_COMPUTE_PIPELINE] = "compute pipeline",
    [WEFT_OBJECT_ARGUMENT_LAYOUT] = "argument layout",
    [WEFT_OBJECT_ARGUMENT_TABLE] = "argument table",
    [WEFT_OBJECT_ACCELERATION_STRUCTURE] = "acceleration structure",
    [WEFT_OBJECT_QUERY_POOL] = "query pool",
    [WEFT_OBJECT_TIMELINE] = "timeline",
    [WEFT_OBJECT_SURFACE] = "surface",
    [WEFT_OBJECT_HEAP_RANGE] = "heap range",
    [WEFT_OBJECT_COMMAND_ALLOCATOR] = "command allocator",
    [WEFT_OBJECT_COMMAND_BUFFER] = "command buffer",
    [WEFT_OBJECT_FRAME] = "frame",
};

const char *wf_core_kind_name(weft_object_kind kind)
{
    return (unsigned)kind < WF_CORE_KINDS ? kind_names[kind] : "unknown object";
}

static enum wf_base_log_level log_level(weft_severity severity)
{
    switch (severity) {
    case WEFT_SEVERITY_INFO:
    case WEFT_SEVERITY_PERFORMANCE:
        return WF_BASE_LOG_INFO;
    case WEFT_SEVERITY_WARNING:
        return WF_BASE_LOG_WARNING;
    case WEFT_SEVERITY_ERROR:
        break;
    }
    return WF_BASE_LOG_ERROR;
}

/// For a host without a callback.
static void write_to_log(struct weft_device *dev, const weft_diagnostic *d)
{
    const bool named = d->label[0] != '\0';
    char code[16] = "";
    if (d->code != 0)
        (void)snprintf(code, sizeof code, "W%04u: ", d->code);
    wf_base_log(&dev->log, log_level(d->severity), "%s%s%s%s%s%s%s", code, named ? "\"" : "",
                d->label, named ? "\": " : "", d->message, d->hint[0] ? " " : "", d->hint);
}

void wf_core_emit(struct weft_device *dev, const weft_diagnostic *diagnostic)
{
    if (wf_core_scope_catch(dev, diagnostic))
        return;
    if (dev->hooks.diagnostic)
        dev->hooks.diagnostic(dev->hooks.user, diagnostic);
    else
        write_to_log(dev, diagnostic);
}

struct wf_core_subject wf_core_about_new(struct weft_device *dev, weft_object_kind kind,
                                         const char *label)
{
    return (struct wf_core_subject){.dev = dev, .object = {.kind = kind}, .label = label};
}

struct wf_core_subject wf_core_about(struct weft_device *dev, weft_object object)
{
    return (struct wf_core_subject){.dev = dev, .object = object};
}

struct wf_core_subject wf_core_about_in(struct weft_command_buffer *cmd, weft_object object)
{
    return (struct wf_core_subject){.dev = cmd->dev, .object = object, .origin = &cmd->origin};
}

static void report(const struct wf_core_subject *on, weft_severity severity, weft_rule rule,
                   const char *format, va_list args) WF_CORE_PRINTF(4, 0);

static void report(const struct wf_core_subject *on, weft_severity severity, weft_rule rule,
                   const char *format, va_list args)
{
    char message[MESSAGE_LENGTH];
    (void)vsnprintf(message, sizeof message, format, args);
    const weft_rule_info *info = weft_rule_from_code(rule);
    const char *pass = on->origin ? on->origin->pass : NULL;
    const weft_diagnostic diagnostic = {
        .code = rule,
        .severity = severity,
        .object = on->object,
        .command = on->origin ? on->origin->command : WF_CORE_NO_COMMAND,
        .label = on->label ? on->label : wf_core_label(on->dev, on->object),
        .pass = pass ? pass : "",
        .message = message,
        .hint = info ? info->remedy : "",
    };
    wf_core_emit(on->dev, &diagnostic);
}

/// The first error of a recording sticks.
static void stick(const struct wf_core_subject *on, weft_result result)
{
    if (on->origin && on->origin->error == WEFT_OK)
        on->origin->error = result;
}

static bool broken(const struct wf_core_subject *on, weft_rule rule, const char *format,
                   va_list args) WF_CORE_PRINTF(3, 0);

static bool broken(const struct wf_core_subject *on, weft_rule rule, const char *format,
                   va_list args)
{
    // What a recording misses for lack of memory breaks rules from then on: that is no misuse.
    const weft_result error = on->origin ? on->origin->error : WEFT_OK;
    if (rule != WEFT_RULE_NONE && (error == WEFT_ERROR_MEMORY || error == WEFT_ERROR_DEVICE_MEMORY))
        return false;
    stick(on, WEFT_ERROR_USAGE);
    report(on, WEFT_SEVERITY_ERROR, rule, format, args);
    return false;
}

bool wf_core_broken(const struct wf_core_subject *on, weft_rule rule, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    broken(on, rule, format, args);
    va_end(args);
    return false;
}

bool wf_core_check_enum(const struct wf_core_subject *on, unsigned value, unsigned last,
                        const char *what)
{
    return value <= last || wf_core_broken(on, WEFT_RULE_ENUM_UNKNOWN, "%u is no %s.", value, what);
}

bool wf_core_check_bits(const struct wf_core_subject *on, uint32_t bits, uint32_t known,
                        const char *what)
{
    return (bits & ~known) == 0 ||
           wf_core_broken(on, WEFT_RULE_BITS_UNKNOWN, "There are unknown bits in the %s 0x%x.",
                          what, bits);
}

bool wf_core_check_array(const struct wf_core_subject *on, const void *items, uint64_t count,
                         const char *what)
{
    return items || count == 0 ||
           wf_core_broken(on, WEFT_RULE_ARRAY_NULL, "%llu %s were given, and their array is NULL.",
                          (unsigned long long)count, what);
}

void wf_core_null(const struct wf_core_subject *on, const char *what)
{
    wf_core_broken(on, WEFT_RULE_POINTER_NULL, "The %s is NULL.", what);
}

bool wf_core_broken_object(struct weft_device *dev, weft_object object, weft_rule rule,
                           const char *format, ...)
{
    const struct wf_core_subject on = wf_core_about(dev, object);
    va_list args;
    va_start(args, format);
    broken(&on, rule, format, args);
    va_end(args);
    return false;
}

bool wf_core_command_broken(struct weft_command_buffer *cmd, weft_object object, weft_rule rule,
                            const char *format, ...)
{
    const struct wf_core_subject on = wf_core_about_in(cmd, object);
    va_list args;
    va_start(args, format);
    broken(&on, rule, format, args);
    va_end(args);
    return false;
}

void wf_core_warn(const struct wf_core_subject *on, weft_rule rule, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(on, WEFT_SEVERITY_WARNING, rule, format, args);
    va_end(args);
}

void wf_core_note(const struct wf_core_subject *on, weft_rule rule, const char *format, ...)
{
    if (!on->dev->full)
        return;
    va_list args;
    va_start(args, format);
    report(on, WEFT_SEVERITY_PERFORMANCE, rule, format, args);
    va_end(args);
}

weft_result wf_core_failed(const struct wf_core_subject *on, weft_result result, const char *what)
{
    if (result == WEFT_ERROR_LOST) {
        wf_core_lose(on->dev, NULL);
        stick(on, result);
        return wf_core_not_ready(on->dev);
    }
    const char *why = "failed in the driver";
    if (result == WEFT_ERROR_MEMORY)
        why = "failed: out of memory";
    else if (result == WEFT_ERROR_DEVICE_MEMORY)
        why = "failed: out of device memory";
    else if (result == WEFT_ERROR_UNSUPPORTED)
        why = "failed: this device cannot do it";
    else if (result == WEFT_ERROR_SURFACE)
        why = "failed: the surface is lost, or refuses";
    else if (result == WEFT_ERROR_SHADER)
        why = "failed: the driver does not take the shader";
    stick(on, result);
    const char *name = what ? "" : wf_core_kind_name(on->object.kind);
    wf_core_broken(on, WEFT_RULE_NONE, "To %s%s %s.",
                   what             ? what
                   : name[0] == 'a' ? "create an "
                                    : "create a ",
                   name, why);
    return result;
}

weft_result wf_core_not_ready(struct weft_device *dev)
{
    if (!dev) // its start said why
        return WEFT_ERROR_USAGE;
    const struct wf_core_subject on = wf_core_about(dev, (weft_object){.kind = WEFT_OBJECT_DEVICE});
    const char *why = "is shut down"; // or READY: it was not when the caller looked
    switch ((weft_device_state)atomic_load(&dev->state)) {
    case WEFT_DEVICE_LOST:
        // written once, before the state
        wf_core_broken(&on, WEFT_RULE_DEVICE_LOST, "The device is lost: %s.", dev->lost_reason);
        return WEFT_ERROR_LOST;
    case WEFT_DEVICE_STARTING:
        why = "is still starting";
        break;
    case WEFT_DEVICE_FAILED:
        why = "could not be started";
        break;
    case WEFT_DEVICE_SHUT_DOWN:
    case WEFT_DEVICE_READY:
        break;
    }
    wf_core_broken(&on, WEFT_RULE_DEVICE_NOT_READY, "The device %s.", why);
    return WEFT_ERROR_USAGE;
}

static void report_handle(const struct wf_core_subject *on)
{
    const weft_object *o = &on->object;
    const char *name = wf_core_kind_name(o->kind);
    switch (wf_base_pool_state(&on->dev->pools[o->kind],
                               (struct wf_base_handle){o->index, o->generation})) {
    case WF_BASE_HANDLE_NONE:
        wf_core_broken(on, WEFT_RULE_HANDLE_NONE, "No %s was given: the handle is none.", name);
        break;
    case WF_BASE_HANDLE_LIVE: // alive now: it was created while this call went on
    case WF_BASE_HANDLE_STALE:
        wf_core_broken(on, WEFT_RULE_HANDLE_STALE, "The %s {%u, 0x%08x} was destroyed.", name,
                       o->index, o->generation);
        break;
    case WF_BASE_HANDLE_FOREIGN:
        wf_core_broken(on, WEFT_RULE_HANDLE_FOREIGN,
                       "The %s {%u, 0x%08x} belongs to another device.", name, o->index,
                       o->generation);
        break;
    case WF_BASE_HANDLE_INVALID:
        wf_core_broken(on, WEFT_RULE_HANDLE_INVALID,
                       "{%u, 0x%08x} never was any %s of this device.", o->index, o->generation,
                       name);
        break;
    }
}

void *wf_core_handle_bad(struct weft_device *dev, struct wf_core_origin *origin,
                         weft_object_kind kind, struct wf_base_handle handle)
{
    if (!dev)
        return NULL;
    const struct wf_core_subject on = {
        .dev = dev,
        .object = wf_core_object(kind, handle.index, handle.generation),
        .label = "",
        .origin = origin,
    };
    const unsigned state = atomic_load(&dev->state);
    if (state == WEFT_DEVICE_READY || state == WEFT_DEVICE_LOST)
        report_handle(&on);
    else
        wf_core_not_ready(dev);
    return NULL;
}

void weft_device_report(weft_device *device, const weft_diagnostic *diagnostic)
{
    if (!device || !wf_core_check_given(&device->on, diagnostic, "diagnostic"))
        return;
    weft_diagnostic full = *diagnostic;
    full.label = full.label ? full.label : "";
    full.pass = full.pass ? full.pass : "";
    full.message = full.message ? full.message : "";
    full.hint = full.hint ? full.hint : "";
    wf_core_emit(device, &full);
}
