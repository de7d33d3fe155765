/// A device on a named backend whose diagnostics are recorded.
///
///     struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
///     ... EXPECT_EQ(fixture_last_rule(&f), WEFT_RULE_BUFFER_SIZE_ZERO); ...
///     fixture_close(&f); // expects that nothing leaked
#pragma once

#include "support/test.h"

#include <weft/rules.h>
#include <weft/weft.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIXTURE_CODES 64u

/// What the diagnostic callback was told. Any thread may tell it.
struct fixture_log {
    pthread_mutex_t lock;
    uint32_t count; ///< Diagnostics since the last clear.
    uint32_t grave; ///< Of them, warnings and errors.
    uint32_t codes[FIXTURE_CODES];
    weft_severity severity; ///< Of the last.
    weft_object object;
    uint64_t command;
    char label[64], pass[64], message[512], hint[512];
};

struct fixture {
    weft_device *dev;
    struct fixture_log *log;
};

static inline void fixture_record(void *user, const weft_diagnostic *d)
{
    struct fixture_log *log = user;
    pthread_mutex_lock(&log->lock);
    if (log->count < FIXTURE_CODES)
        log->codes[log->count] = d->code;
    log->count++;
    log->grave += d->severity >= WEFT_SEVERITY_WARNING;
    log->severity = d->severity;
    log->object = d->object;
    log->command = d->command;
    snprintf(log->label, sizeof log->label, "%s", d->label);
    snprintf(log->pass, sizeof log->pass, "%s", d->pass);
    snprintf(log->message, sizeof log->message, "%s", d->message);
    snprintf(log->hint, sizeof log->hint, "%s", d->hint);
    pthread_mutex_unlock(&log->lock);
}

/// A start from `desc`, whatever comes of it; its diagnostic hook and user pointer are replaced.
static inline struct fixture fixture_start(const weft_device_desc *desc)
{
    struct fixture f = {.log = calloc(1, sizeof *f.log)};
    EXPECT(f.log != NULL);
    pthread_mutex_init(&f.log->lock, NULL);
    weft_host_hooks hooks = desc->hooks ? *desc->hooks : (weft_host_hooks){0};
    hooks.diagnostic = fixture_record;
    hooks.user = f.log;
    weft_device_desc full = *desc;
    full.hooks = &hooks;
    (void)weft_device_start(&full, &f.dev);
    EXPECT(f.dev != NULL);
    return f;
}

/// A READY device.
static inline struct fixture fixture_open_desc(const weft_device_desc *desc)
{
    struct fixture f = fixture_start(desc);
    const weft_result result = weft_device_wait(f.dev, UINT64_MAX);
    if (result != WEFT_OK)
        test_fail(__FILE__, __LINE__, "the device did not start: %s", f.log->message);
    return f;
}

static inline struct fixture fixture_open_validation(weft_backend backend,
                                                     weft_validation validation)
{
    return fixture_open_desc(
        &(weft_device_desc){.backends = 1u << backend, .validation = validation});
}

static inline struct fixture fixture_open(weft_backend backend)
{
    return fixture_open_validation(backend, WEFT_VALIDATION_FULL);
}

/// Rule of the newest diagnostic; WEFT_RULE_NONE if there was none.
static inline weft_rule fixture_last_rule(const struct fixture *f)
{
    if (f->log->count == 0 || f->log->count > FIXTURE_CODES)
        return WEFT_RULE_NONE;
    return (weft_rule)f->log->codes[f->log->count - 1];
}

static inline uint32_t fixture_count(const struct fixture *f)
{
    return f->log->count;
}

/// Whether a rule was reported since the last clear.
static inline bool fixture_saw(const struct fixture *f, weft_rule rule)
{
    for (uint32_t i = 0; i < f->log->count && i < FIXTURE_CODES; ++i) {
        if (f->log->codes[i] == (uint32_t)rule)
            return true;
    }
    return false;
}

static inline void fixture_clear(struct fixture *f)
{
    f->log->count = f->log->grave = 0;
    f->log->message[0] = '\0';
}

/// Whether exactly this rule was reported, once, since the last clear; clears.
static inline bool fixture_took(struct fixture *f, weft_rule rule)
{
    const bool took = f->log->count == 1 && f->log->codes[0] == (uint32_t)rule;
    if (!took)
        fprintf(stderr, "%u diagnostics, the last W%04d: %s\n", f->log->count,
                (int)fixture_last_rule(f), f->log->message);
    fixture_clear(f);
    return took;
}

/// Ends the device without an opinion on leaks; the log stays.
static inline void fixture_end(struct fixture *f)
{
    weft_device_destroy(f->dev);
    f->dev = NULL;
}

static inline void fixture_free(struct fixture *f)
{
    pthread_mutex_destroy(&f->log->lock);
    free(f->log);
    f->log = NULL;
}

/// Ends the device and expects that every object had been destroyed.
static inline void fixture_close(struct fixture *f)
{
    fixture_clear(f);
    fixture_end(f);
    if (f->log->count != 0)
        test_fail(__FILE__, __LINE__, "%u objects leaked: %s", f->log->count, f->log->message);
    fixture_free(f);
}
