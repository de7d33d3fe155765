// Error scopes. They belong to a thread, so they lie in thread-local memory: no lock, no
// allocation, and nothing to clean up when a thread or a device ends early. A scope names its
// device by an id that is never used again.
#include "core/core.h"

#include <stdio.h>

#define SCOPES_PER_DEVICE 16u
#define SCOPES_PER_THREAD 32u ///< Over all devices.

struct scope {
    uint64_t device;
    void (*listener)(void *user, const weft_diagnostic *diagnostic); ///< NULL: it catches.
    void *user;
    weft_severity severity;
    weft_error_scope_result result;
};

static _Thread_local struct scope scopes[SCOPES_PER_THREAD];
static _Thread_local uint32_t scope_count;

/// The innermost scope of the device, or NULL; and how many there are.
static struct scope *find(uint64_t device, uint32_t *depth)
{
    struct scope *found = NULL;
    *depth = 0;
    for (uint32_t i = scope_count; i-- > 0;) {
        if (scopes[i].device != device)
            continue;
        if (!found)
            found = &scopes[i];
        ++*depth;
    }
    return found;
}

bool wf_core_scope_catch(const struct weft_device *dev, const weft_diagnostic *diagnostic)
{
    for (uint32_t i = scope_count; i-- > 0;) {
        struct scope *scope = &scopes[i];
        if (scope->device != dev->id || diagnostic->severity < scope->severity)
            continue;
        weft_error_scope_result *r = &scope->result;
        if (r->count++ == 0) {
            r->code = diagnostic->code;
            r->severity = diagnostic->severity;
            (void)snprintf(r->message, sizeof r->message, "%s", diagnostic->message);
            (void)snprintf(r->hint, sizeof r->hint, "%s", diagnostic->hint);
        }
        if (!scope->listener)
            return true;
        scope->listener(scope->user, diagnostic);
    }
    return false;
}

static weft_result push(weft_device *device, const struct scope *scope)
{
    if (!device)
        return WEFT_ERROR_USAGE;
    uint32_t depth;
    find(device->id, &depth);
    if (depth == SCOPES_PER_DEVICE || scope_count == SCOPES_PER_THREAD) {
        wf_core_broken(&device->on, WEFT_RULE_ERROR_SCOPE_DEPTH,
                       "%u error scopes are open on this thread, %u of them on this device.",
                       scope_count, depth);
        return WEFT_ERROR_USAGE;
    }
    scopes[scope_count] = *scope;
    scopes[scope_count++].device = device->id;
    return WEFT_OK;
}

weft_result weft_error_scope_push(weft_device *device, weft_severity severity)
{
    return push(device, &(struct scope){.severity = severity});
}

weft_result weft_error_scope_listen(weft_device *device, weft_severity severity,
                                    void (*listener)(void *user, const weft_diagnostic *diagnostic),
                                    void *user)
{
    if (device && !listener) {
        wf_core_null(&device->on, "listener");
        return WEFT_ERROR_USAGE;
    }
    return push(device, &(struct scope){.severity = severity, .listener = listener, .user = user});
}

weft_result weft_error_scope_pop(weft_device *device, weft_error_scope_result *out)
{
    if (out)
        *out = (weft_error_scope_result){0};
    if (!device)
        return WEFT_ERROR_USAGE;
    uint32_t depth;
    struct scope *scope = find(device->id, &depth);
    if (!scope) {
        wf_core_broken(&device->on, WEFT_RULE_ERROR_SCOPE_EMPTY,
                       "No error scope of this device is open on this thread.");
        return WEFT_ERROR_USAGE;
    }
    if (out)
        *out = scope->result;
    for (struct scope *s = scope; s + 1 < scopes + scope_count; ++s)
        s[0] = s[1]; // scopes of other devices that were opened since
    --scope_count;
    return WEFT_OK;
}
