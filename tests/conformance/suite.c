// Runs a case: its device, its diagnostics, and its end.
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void on_diagnostic(void *user, const weft_diagnostic *diagnostic)
{
    struct conform *c = user;
    const bool missing = diagnostic->code == WEFT_RULE_BARRIER_MISSING ||
                         diagnostic->code == WEFT_RULE_BARRIER_ALIAS_MISSING ||
                         diagnostic->code == WEFT_RULE_QUEUES_UNORDERED;
    if (diagnostic->severity != WEFT_SEVERITY_ERROR && !missing)
        return;
    if (c->error_count < CONFORM_ERRORS)
        c->codes[c->error_count] = diagnostic->code;
    if (c->error_count++ == 0)
        (void)snprintf(c->message, sizeof c->message, "W%04u: %s", (unsigned)diagnostic->code,
                       diagnostic->message);
}

static void on_log(void *user, weft_severity severity, const char *message)
{
    (void)user;
    (void)severity;
    (void)message;
}

static _Noreturn void stop(struct conform *c, enum conform_result result)
{
    c->report->result = result;
    longjmp(c->end, 1);
}

_Noreturn void conform_fail(struct conform *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(c->report->reason, sizeof c->report->reason, format, args);
    va_end(args);
    stop(c, CONFORM_FAIL);
}

_Noreturn void conform_refuse(struct conform *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(c->report->reason, sizeof c->report->reason, format, args);
    va_end(args);
    stop(c, CONFORM_REFUSED);
}

void conform_check(struct conform *c)
{
    if (c->error_count == 0)
        return;
    // Not every capability of shaders has a feature of its own: then the message names it.
    if (c->missing || c->codes[0] == WEFT_RULE_SHADER_REFUSED)
        conform_refuse(c, "%s", c->message);
    conform_fail(c, "%s", c->message);
}

void conform_expect_rule(struct conform *c, weft_rule rule)
{
    const uint32_t kept = c->error_count < CONFORM_ERRORS ? c->error_count : CONFORM_ERRORS;
    for (uint32_t i = 0; i < kept; i++) {
        if (c->codes[i] == (uint32_t)rule) {
            c->error_count = 0;
            return;
        }
    }
    if (c->error_count > 0)
        conform_check(c);
    conform_fail(c, "W%04u was to be reported, and nothing was", (unsigned)rule);
}

bool conform_draws(const struct conform *c)
{
    return c->capabilities->backend != WEFT_BACKEND_NOOP;
}

bool conform_exact(const struct conform *c)
{
    return c->capabilities->backend == WEFT_BACKEND_SOFTWARE;
}

weft_device *conform_device(const struct conform *c)
{
    return c->device;
}

const weft_capabilities *conform_capabilities(const struct conform *c)
{
    return c->capabilities;
}

void conform_need_format(struct conform *c, weft_format format, weft_format_caps caps)
{
    static const char *const words[] = {"be sampled",     "be filtered",    "be stored to",
                                        "be rendered to", "be blended",     "be depth-stencil",
                                        "be resolved",    "be copied",      "have atomics",
                                        "have 4 samples", "have 2 samples", "have 8 samples"};
    const weft_format_caps lacking = caps & ~c->capabilities->formats[format];
    for (uint32_t bit = 0; bit < sizeof words / sizeof *words; bit++)
        if (lacking >> bit & 1)
            conform_refuse(c, "the device's capabilities say that %s cannot %s",
                           weft_format_get_info(format)->name, words[bit]);
}

void conform_hash(struct conform *c, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++)
        c->report->hash = (c->report->hash ^ bytes[i]) * UINT64_C(0x100000001b3); // FNV-1a
}

void conform_keep(struct conform *c, const struct conform_picture *picture)
{
    struct conform_report *report = c->report;
    if (report->picture_count == CONFORM_PICTURES) {
        free(report->pictures[0].got);
        free(report->pictures[0].expected);
        memmove(report->pictures, report->pictures + 1,
                (CONFORM_PICTURES - 1) * sizeof *report->pictures);
        report->picture_count--;
    }
    report->pictures[report->picture_count++] = *picture;
}

static void name_missing(weft_feature_set missing, char *out, size_t size)
{
    size_t at = 0;
    out[0] = 0;
    for (uint32_t bit = 0; bit < 64 && at < size; bit++)
        if (missing >> bit & 1)
            at += (size_t)snprintf(out + at, size - at, "%s%s", at ? ", " : "",
                                   weft_feature_name(bit));
}

/// The case's own part; false if it stopped early.
static bool run_body(struct conform *c)
{
    if (setjmp(c->end))
        return false;
    c->item->run(c);
    conform_check(c);
    return true;
}

static bool start(struct conform *c, const weft_device_desc *given)
{
    const weft_host_hooks hooks = {.diagnostic = on_diagnostic, .log = on_log, .user = c};
    weft_device_desc desc = *given;
    weft_software_options software = desc.software ? *desc.software : (weft_software_options){0};
    if (software.shader_budget == 0)
        software.shader_budget = CONFORM_SHADER_BUDGET;
    desc.software = &software;
    desc.hooks = &hooks;
    weft_device_start(&desc, &c->device);
    const weft_result result =
        c->device ? weft_device_wait(c->device, UINT64_MAX) : WEFT_ERROR_MEMORY;
    if (result != WEFT_OK) {
        const weft_startup startup = c->device ? weft_device_startup(c->device) : (weft_startup){0};
        (void)snprintf(c->report->reason, sizeof c->report->reason, "the device does not start: %s",
                       startup.record_count ? startup.records[0].reason : weft_result_name(result));
        c->report->result = CONFORM_FAIL;
        return false;
    }
    c->capabilities = weft_device_capabilities(c->device);
    c->missing = c->item->needs & ~c->capabilities->features;
    return true;
}

void conform_run(const struct conform_case *item, const weft_device_desc *desc,
                 struct conform_report *out)
{
    *out = (struct conform_report){.hash = UINT64_C(0xcbf29ce484222325)};
    struct conform c = {.item = item, .report = out};
    if (start(&c, desc) && run_body(&c) && c.missing) {
        char names[128];
        name_missing(c.missing, names, sizeof names);
        out->result = CONFORM_FAIL;
        (void)snprintf(out->reason, sizeof out->reason,
                       "it ran without a complaint on a device without %s", names);
    }
    weft_device_destroy(c.device);
}

void conform_report_finish(struct conform_report *report)
{
    for (uint32_t i = 0; i < report->picture_count; i++) {
        free(report->pictures[i].got);
        free(report->pictures[i].expected);
    }
    *report = (struct conform_report){0};
}

const char *conform_result_name(enum conform_result result)
{
    static const char *const names[] = {"pass", "fail", "refused"};
    return names[result];
}
