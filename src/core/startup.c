#include "core/startup.h"

#include <stdio.h>

static weft_startup_record *record_add(struct weft_device *dev, weft_backend backend)
{
    weft_startup_record *record = &dev->startup.records[dev->startup.record_count++];
    *record = (weft_startup_record){.backend = backend};
    return record;
}

/// Opens one backend and holds it to the requirements.
static weft_result try_backend(struct weft_device *dev, const weft_device_desc *desc,
                               const struct wf_hal_open *open, const struct wf_hal_backend *backend)
{
    weft_startup_record *record = record_add(dev, backend->id);
    struct wf_hal_device *hal = NULL;
    const weft_result result = backend->open(open, &hal, record->reason);
    if (result == WEFT_ERROR_USAGE)
        wf_core_broken_object(dev, (weft_object){.kind = WEFT_OBJECT_DEVICE},
                              WEFT_RULE_NATIVE_OBJECT, "%s.", record->reason);
    if (result != WEFT_OK) {
        if (record->reason[0] == '\0')
            (void)snprintf(record->reason, sizeof record->reason, "opening it failed with %s",
                           weft_result_name(result));
        return result;
    }
    wf_hal_ops_check(hal);
    if (wf_core_caps_unmet(&hal->caps, &desc->require, record->reason)) {
        hal->ops->destroy(hal);
        return WEFT_ERROR_UNSUPPORTED;
    }
    record->started = true;
    record->reason[0] = '\0';
    dev->hal = hal;
    dev->ops = hal->ops;
    dev->caps = hal->caps;
    return WEFT_OK;
}

/// Backends that were named but are not in this build.
static void record_missing(struct weft_device *dev, weft_backend_set wanted)
{
    for (unsigned i = 0; i < WEFT_BACKEND_COUNT; ++i) {
        if (!(wanted & 1u << i) || weft_backend_is_built((weft_backend)i))
            continue;
        weft_startup_record *record = record_add(dev, (weft_backend)i);
        (void)snprintf(record->reason, sizeof record->reason, "this build of the library lacks it");
    }
}

static void report_failure(struct weft_device *dev)
{
    char text[384] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < dev->startup.record_count && used < sizeof text; ++i) {
        const weft_startup_record *r = &dev->startup.records[i];
        const int n = snprintf(text + used, sizeof text - used, "%s%s: %s", i ? "; " : "",
                               weft_backend_name(r->backend), r->reason);
        used += n > 0 ? (size_t)n : 0;
    }
    wf_core_broken_object(dev, (weft_object){.kind = WEFT_OBJECT_DEVICE}, WEFT_RULE_NONE,
                          "No backend could be started (%s).",
                          text[0] ? text : "this build has none");
}

static weft_backend_set wanted_backends(const weft_device_desc *desc)
{
    return desc->backends ? desc->backends
                          : ((1u << WEFT_BACKEND_COUNT) - 1u) & ~(1u << WEFT_BACKEND_NOOP);
}

void wf_core_startup_refuse(struct weft_device *dev, const weft_device_desc *desc,
                            const char *reason)
{
    const weft_backend_set wanted = wanted_backends(desc);
    const struct wf_hal_backend *backend;
    for (uint32_t i = 0; (backend = wf_hal_backend_at(i)) != NULL; ++i) {
        if (!(wanted & 1u << backend->id))
            continue;
        weft_startup_record *record = record_add(dev, backend->id);
        (void)snprintf(record->reason, sizeof record->reason, "%s", reason);
    }
    record_missing(dev, desc->backends);
    report_failure(dev);
}

/// What a driver says arrives as a diagnostic.
static void driver_message(void *user, weft_severity severity, const char *id, const char *text)
{
    char message[1536];
    (void)snprintf(message, sizeof message, "%s%s%s", id, *id ? ": " : "", text);
    const weft_rule_info *rule = weft_rule_from_code(WEFT_RULE_DRIVER_MESSAGE);
    const weft_diagnostic diagnostic = {
        .code = WEFT_RULE_DRIVER_MESSAGE,
        .severity = severity,
        .object = {.kind = WEFT_OBJECT_DEVICE},
        .command = UINT64_MAX,
        .label = "",
        .pass = "",
        .message = message,
        .hint = rule ? rule->remedy : "",
    };
    wf_core_emit(user, &diagnostic);
}

weft_result wf_core_startup_open(struct weft_device *dev, const weft_device_desc *desc)
{
    const struct wf_hal_open open = {
        .allocator = dev->allocator,
        .log = &dev->log,
        .software = desc->software,
        .surface = desc->surface,
        .require = &desc->require,
        .prefer = &desc->prefer,
        .native = desc->native,
        .validation = desc->validation,
        .gpu_only = desc->backends == 0 && wf_hal_backend_find(WEFT_BACKEND_SOFTWARE) != NULL,
        .message = driver_message,
        .message_user = dev,
        .frames_in_flight = desc->frames_in_flight,
    };
    const weft_backend_set wanted = wanted_backends(desc);
    weft_result result = WEFT_ERROR_UNSUPPORTED;
    const struct wf_hal_backend *backend;
    for (uint32_t i = 0; (backend = wf_hal_backend_at(i)) != NULL; ++i) {
        if (!(wanted & 1u << backend->id))
            continue;
        result = try_backend(dev, desc, &open, backend);
        if (result == WEFT_OK)
            return WEFT_OK;
    }
    record_missing(dev, desc->backends);
    if (result != WEFT_ERROR_USAGE) // that was reported
        report_failure(dev);
    return result;
}

static bool check_software(const struct wf_core_subject *on, const weft_software_options *options)
{
    bool ok = wf_core_check_enum(on, (unsigned)options->tier, WEFT_SOFTWARE_TIER_INTERPRETER,
                                 "tier of the software device");
    const uint32_t size = options->subgroup_size;
    if (size != 0 && size != 4 && size != 8 && size != 16 && size != 32)
        ok = wf_core_broken(on, WEFT_RULE_DEVICE_SUBGROUP_SIZE, "Subgroups of %u were asked for.",
                            size);
    return ok;
}

static bool check_native(const struct wf_core_subject *on, const weft_device_desc *desc)
{
    const weft_native *native = desc->native;
    if (!native)
        return true;
    const struct wf_hal_backend *backend = wf_hal_backend_find(native->backend);
    bool ok = wf_core_check_given(on, native->object, "native device");
    if ((unsigned)native->backend >= WEFT_BACKEND_COUNT ||
        desc->backends != 1u << native->backend || (backend && !backend->shares))
        ok = wf_core_broken(on, WEFT_RULE_DEVICE_NATIVE,
                            "A native device of the backend %s was given to the backends 0x%x.",
                            weft_backend_name(native->backend), desc->backends);
    return ok;
}

bool wf_core_check_device_desc(struct weft_device *dev, const weft_device_desc *desc)
{
    const struct wf_core_subject on = wf_core_about_new(dev, WEFT_OBJECT_DEVICE, dev->label);
    bool ok = true;
    if (desc->frames_in_flight > WF_CORE_SLOTS)
        ok = wf_core_broken(&on, WEFT_RULE_DEVICE_FRAMES_IN_FLIGHT,
                            "%u frames in flight were asked for.", desc->frames_in_flight);
    if (desc->backends >> WEFT_BACKEND_COUNT)
        ok = wf_core_broken(&on, WEFT_RULE_BITS_UNKNOWN,
                            "The set of backends 0x%x has bits without a backend.", desc->backends);
    ok &= wf_core_check_bits(&on, desc->flags, WEFT_DEVICE_PORTABILITY_LINT, "device flags");
    ok &= wf_core_check_enum(&on, (unsigned)desc->validation, WEFT_VALIDATION_FULL,
                             "level of validation");
    ok &= check_native(&on, desc);
    ok &= check_software(&on, desc->software);
    const weft_host_hooks *hooks = desc->hooks;
    if (hooks && !hooks->alloc != !hooks->free)
        ok = wf_core_broken(&on, WEFT_RULE_HOOKS_INCOMPLETE, "The host gave only %s.",
                            hooks->alloc ? "alloc" : "free");
    return ok;
}
