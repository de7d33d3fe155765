#include "core/startup.h"

#include "core/pipeline_cache.h"
#include "core/record.h"
#include "core/upload.h"
#include "core/watch.h"

#include <stdio.h>

static weft_device_desc device_desc_defaults(const weft_device_desc *desc,
                                             const weft_software_options *software)
{
    weft_device_desc full = desc ? *desc : (weft_device_desc){0};
    if (full.validation == WEFT_VALIDATION_DEFAULT) {
#ifdef NDEBUG
        full.validation = WEFT_VALIDATION_ERRORS;
#else
        full.validation = WEFT_VALIDATION_FULL;
#endif
    }
    if (full.frames_in_flight == 0)
        full.frames_in_flight = 2;
    if (full.backends == 0 && full.native && (unsigned)full.native->backend < WEFT_BACKEND_COUNT)
        full.backends = 1u << full.native->backend;
    if (!full.software)
        full.software = software;
    return full;
}

static weft_severity severity_of(enum wf_base_log_level level)
{
    switch (level) {
    case WF_BASE_LOG_ERROR:
        return WEFT_SEVERITY_ERROR;
    case WF_BASE_LOG_WARNING:
        return WEFT_SEVERITY_WARNING;
    default:
        return WEFT_SEVERITY_INFO;
    }
}

static void log_to_host(void *user, enum wf_base_log_level level, const char *message)
{
    const struct weft_device *dev = user;
    dev->hooks.log(dev->hooks.user, severity_of(level), message);
}

static void log_init(struct weft_device *dev)
{
    dev->log = (struct wf_base_log){
        .write = dev->hooks.log ? log_to_host : wf_base_log_to_stderr,
        .user = dev,
        .level = dev->hooks.log ? WF_BASE_LOG_INFO : WF_BASE_LOG_WARNING,
    };
}

static struct wf_base_allocator host_allocator(const weft_host_hooks *hooks)
{
    if (!hooks || !hooks->alloc || !hooks->free)
        return *wf_base_allocator_default();
    return (struct wf_base_allocator){
        .alloc = hooks->alloc, .free = hooks->free, .user = hooks->user};
}

// Tags name devices in handles: 1 to 255, taken in turn so that a tag comes back late.
static struct wf_base_mutex tags_lock = WF_BASE_MUTEX_INIT;
static bool tags_used[256];
static uint8_t tags_last;
// The generations that a tag's devices used up: the next one's start there, so that what outlived
// its device is not taken for the other's.
static uint32_t tags_generation[256];

static uint8_t tag_take(uint32_t *generation)
{
    uint8_t found = 0;
    wf_base_mutex_lock(&tags_lock);
    for (unsigned i = 1; i < 256 && found == 0; ++i) {
        const uint8_t tag = (uint8_t)(tags_last + i);
        if (tag != 0 && !tags_used[tag])
            found = tag;
    }
    if (found != 0) {
        tags_used[found] = true;
        tags_last = found;
        *generation = tags_generation[found];
    }
    wf_base_mutex_unlock(&tags_lock);
    return found;
}

static void tag_give(uint8_t tag, uint32_t generation)
{
    wf_base_mutex_lock(&tags_lock);
    tags_used[tag] = false;
    // Past the half they start anew, or a later device would run out of them.
    tags_generation[tag] = generation > WF_BASE_POOL_GENERATION_MASK / 2 ? 0 : generation;
    wf_base_mutex_unlock(&tags_lock);
}

static bool locks_init(struct weft_device *dev)
{
    struct wf_base_mutex *const locks[] = {&dev->state_lock, &dev->submit_lock, &dev->retire_lock,
                                           &dev->object_lock};
    for (size_t i = 0; i < sizeof locks / sizeof locks[0]; ++i) {
        if (wf_base_mutex_init(locks[i]))
            continue;
        while (i-- > 0)
            wf_base_mutex_finish(locks[i]);
        return false;
    }
    return true;
}

static struct weft_device *device_new(const weft_device_desc *desc)
{
    static atomic_uint_fast64_t next_id = 1;
    const struct wf_base_allocator host = host_allocator(desc->hooks);
    struct weft_device *dev = wf_base_alloc_zero(&host, sizeof *dev);
    if (!dev)
        return NULL;
    if (!locks_init(dev)) {
        wf_base_free(&host, dev, sizeof *dev);
        return NULL;
    }
    dev->host = host;
    wf_base_counting_init(&dev->counting, &dev->host);
    dev->allocator = &dev->counting.allocator;
    if (desc->hooks)
        dev->hooks = *desc->hooks;
    log_init(dev);
    dev->id = atomic_fetch_add(&next_id, 1);
    wf_core_label_set(dev->label, desc->label);
    dev->on = (struct wf_core_subject){.dev = dev, .label = ""};
    dev->validate = desc->validation != WEFT_VALIDATION_OFF;
    dev->full = desc->validation == WEFT_VALIDATION_FULL;
    dev->lint = (desc->flags & WEFT_DEVICE_PORTABILITY_LINT) != 0;
    dev->frames_in_flight = desc->frames_in_flight;
    return dev;
}

/// What every device has besides its backend.
static weft_result parts_create(struct weft_device *dev)
{
    if (!wf_core_pools_init(dev))
        return WEFT_ERROR_MEMORY;
    weft_result result = wf_core_watch_create(dev);
    if (result == WEFT_OK)
        result = wf_core_belt_create(dev);
    if (result == WEFT_OK)
        result = wf_core_heap_create(dev);
    if (result == WEFT_OK)
        result = wf_core_reads_create(dev);
    if (result == WEFT_OK)
        result = wf_core_transient_create(dev);
    if (result == WEFT_OK && !wf_core_recorders_create(dev))
        result = WEFT_ERROR_MEMORY;
    return result;
}

static weft_result start(struct weft_device *dev, const weft_device_desc *desc)
{
    if (!wf_core_check_device_desc(dev, desc))
        return WEFT_ERROR_USAGE;
    dev->tag = tag_take(&dev->newest_generation);
    if (dev->tag == 0) {
        wf_core_startup_refuse(dev, desc, "255 devices are alive in this process, the most");
        return WEFT_ERROR_UNSUPPORTED;
    }
    weft_result result = wf_core_startup_open(dev, desc);
    if (result != WEFT_OK)
        return result;
    result = wf_core_pipeline_cache_open(dev, desc->pipeline_cache) ? parts_create(dev)
                                                                    : WEFT_ERROR_MEMORY;
    if (result != WEFT_OK) {
        weft_startup_record *last = &dev->startup.records[dev->startup.record_count - 1];
        last->started = false;
        (void)snprintf(last->reason, sizeof last->reason, "out of memory");
        const struct wf_core_subject on = wf_core_about_new(dev, WEFT_OBJECT_DEVICE, dev->label);
        wf_core_failed(&on, result, "start a device");
        wf_core_device_close(dev);
    }
    return result;
}

weft_result weft_device_start(const weft_device_desc *desc, weft_device **out)
{
    const weft_software_options software = {0};
    const weft_device_desc full = device_desc_defaults(desc, &software);
    if (!out)
        return WEFT_ERROR_USAGE; // nobody is there to be told
    struct weft_device *dev = device_new(&full);
    *out = dev;
    if (!dev)
        return WEFT_ERROR_MEMORY;
    dev->start_result = start(dev, &full);
    const bool ok = dev->start_result == WEFT_OK;
    dev->startup.state = ok ? WEFT_DEVICE_READY : WEFT_DEVICE_FAILED;
    atomic_store(&dev->state, dev->startup.state);
    // Whoever broke a rule is told at once; what the machine lacks is told by weft_device_wait().
    return dev->start_result == WEFT_ERROR_USAGE ? WEFT_ERROR_USAGE : WEFT_OK;
}

weft_startup weft_device_startup(weft_device *device)
{
    if (!device)
        return (weft_startup){.state = WEFT_DEVICE_FAILED};
    weft_startup startup = device->startup;
    startup.state = (weft_device_state)atomic_load(&device->state);
    startup.capabilities = startup.state == WEFT_DEVICE_READY ? &device->caps : NULL;
    return startup;
}

weft_result weft_device_wait(weft_device *device, uint64_t timeout_ns)
{
    (void)timeout_ns; // starting never outlasts weft_device_start() on the backends of today
    if (!device)
        return wf_core_not_ready(device);
    switch ((weft_device_state)atomic_load(&device->state)) {
    case WEFT_DEVICE_READY:
        return WEFT_OK;
    case WEFT_DEVICE_FAILED:
        return device->start_result;
    case WEFT_DEVICE_STARTING:
        return WEFT_ERROR_TIMEOUT;
    case WEFT_DEVICE_LOST:
    case WEFT_DEVICE_SHUT_DOWN:
        break;
    }
    return wf_core_not_ready(device);
}

bool wf_core_ready(struct weft_device *dev)
{
    return dev && atomic_load_explicit(&dev->state, memory_order_acquire) == WEFT_DEVICE_READY;
}

const weft_capabilities *weft_device_capabilities(weft_device *device)
{
    return wf_core_ready(device) ? &device->caps : NULL;
}

weft_validation weft_device_validation(const weft_device *device)
{
    if (!device || !device->validate)
        return WEFT_VALIDATION_OFF;
    return device->full ? WEFT_VALIDATION_FULL : WEFT_VALIDATION_ERRORS;
}

void wf_core_lose(struct weft_device *dev, const char *reason)
{
    wf_base_mutex_lock(&dev->state_lock);
    if (wf_core_ready(dev)) {
        char asked[WF_HAL_REASON_LENGTH] = "";
        if (!reason && dev->ops->lost(dev->hal, asked) && asked[0] != '\0')
            reason = asked;
        (void)snprintf(dev->lost_reason, sizeof dev->lost_reason, "%s",
                       reason ? reason : "the driver gives no reason");
        atomic_store_explicit(&dev->state, WEFT_DEVICE_LOST, memory_order_release);
    }
    wf_base_mutex_unlock(&dev->state_lock);
}

bool wf_core_alive(struct weft_device *dev)
{
    if (wf_core_ready(dev) && dev->ops->lost(dev->hal, NULL))
        wf_core_lose(dev, NULL);
    return wf_core_ready(dev);
}

uint64_t weft_device_poll(weft_device *device)
{
    if (!wf_core_alive(device))
        return device && device->hal ? wf_core_finished(device) : 0;
    const uint64_t finished = wf_core_finished(device);
    wf_core_watch_finished(device, finished);
    wf_core_retire_collect(device);
    wf_core_watch_tell(device);
    return finished;
}

weft_result weft_device_wait_idle(weft_device *device)
{
    if (!wf_core_alive(device))
        return wf_core_not_ready(device);
    weft_result result = wf_core_submit_uploads(device);
    if (result != WEFT_OK)
        return result;
    result = wf_core_wait_serial(device, atomic_load(&device->serial), UINT64_MAX);
    wf_core_retire_collect(device);
    wf_core_watch_tell(device);
    return result;
}

weft_memory_budget weft_device_memory_budget(weft_device *device)
{
    if (!wf_core_ready(device))
        return (weft_memory_budget){0};
    weft_memory_budget budget = device->ops->memory_budget(device->hal);
    budget.upload_used = wf_core_belt_bytes(device);
    budget.retired = wf_core_retired_bytes(device);
    return budget;
}

weft_device_counters weft_device_get_counters(weft_device *device)
{
    if (!device)
        return (weft_device_counters){0};
    struct wf_core_counters *c = &device->counters;
    return (weft_device_counters){
        .submissions = atomic_load(&c->submissions),
        .command_buffers = atomic_load(&c->command_buffers),
        .render_passes = atomic_load(&c->render_passes),
        .draws = atomic_load(&c->draws),
        .dispatches = atomic_load(&c->dispatches),
        .copies = atomic_load(&c->copies),
        .barriers = atomic_load(&c->barriers),
        .pipeline_variants = atomic_load(&c->pipeline_variants),
        .allocations = atomic_load(&device->counting.calls),
    };
}

void *weft_device_alloc(weft_device *device, size_t size)
{
    return device ? wf_base_alloc(device->allocator, size) : NULL;
}

void weft_device_free(weft_device *device, void *ptr, size_t size)
{
    if (device)
        wf_base_free(device->allocator, ptr, size);
}

void weft_device_destroy(weft_device *device)
{
    if (!device)
        return;
    weft_device_shutdown(device);
    if (device->tag != 0)
        tag_give(device->tag, device->newest_generation);
    wf_base_mutex_finish(&device->state_lock);
    wf_base_mutex_finish(&device->submit_lock);
    wf_base_mutex_finish(&device->retire_lock);
    wf_base_mutex_finish(&device->object_lock);
    const struct wf_base_allocator host = device->host;
    wf_base_free(&host, device, sizeof *device);
}
