// Whatever fails, and whenever: the program ends in an error that names its cause, nothing crashes,
// nothing leaks, and the device goes on, or is lost and says so.
//
// Each program of scenes.c lives once without a fault. Then it lives again and again, each time on
// a device of its own, and the first, second, third... chance of a kind to fail does, until a life
// goes by in which there are not so many.
#include "faults.h"

#include "run.h"

/// One kind of failure, at one place.
struct plan {
    const struct scene_entry *scene;
    weft_backend backend;
    weft_validation validation;
    enum fault_kind kind; ///< NONE: the host's memory.
    uint64_t at, count;
};

#define CHECK(condition, plan, run, what)                                                          \
    ((condition) ? (void)0 : complain(__LINE__, plan, run, what))

static uint32_t complaints;

/// Tells, and goes on: the next place may tell more.
static void complain(int line, const struct plan *plan, const struct run *run, const char *what)
{
    if (complaints++ < 50)
        (void)fprintf(stderr, "%d: %s, backend %d, %s %llu: %s (%u errors, %s)\n", line,
                      plan->scene->name, (int)plan->backend,
                      plan->kind == FAULT_NONE ? "allocation" : fault_name(plan->kind),
                      (unsigned long long)plan->at, what, run->errors, run->message);
}

/// What a failure of that kind may come to.
static bool is_result_of(enum fault_kind kind, weft_result result)
{
    switch (kind) {
    case FAULT_NONE: // of shaders that run already: the device is lost
        if (result == WEFT_ERROR_LOST)
            return true;
        // fallthrough
    case FAULT_CREATE:
    case FAULT_MAP:
    case FAULT_RECORD:
        return result == WEFT_ERROR_MEMORY || result == WEFT_ERROR_DEVICE_MEMORY ||
               (kind == FAULT_CREATE && result == WEFT_ERROR_SURFACE);
    case FAULT_SUBMIT:
    case FAULT_WAIT:
        return result == WEFT_ERROR_BACKEND;
    case FAULT_ACQUIRE:
    case FAULT_PRESENT:
        return result == WEFT_ERROR_SURFACE;
    case FAULT_RECONFIGURE:
        return result == WEFT_SKIP;
    case FAULT_LOST:
    case FAULT_LOST_AFTER:
        return result == WEFT_ERROR_LOST;
    case FAULT_KINDS:
        break;
    }
    return false;
}

/// The first error names its cause.
static bool is_message_of(enum fault_kind kind, weft_result result, const char *message)
{
    if (kind == FAULT_LOST || kind == FAULT_LOST_AFTER)
        return strstr(message, "a test wanted it") != NULL;
    if (kind == FAULT_NONE || result == WEFT_ERROR_MEMORY || result == WEFT_ERROR_DEVICE_MEMORY)
        return strstr(message, "memory") != NULL;
    return strstr(message, result == WEFT_ERROR_SURFACE ? "surface is lost" : "driver") != NULL;
}

static void check_lost(weft_device *dev, const struct plan *plan, struct run *run)
{
    weft_buffer buffer = {1, 1};
    weft_frame *frame;
    weft_command_buffer *cmd;
    CHECK(weft_buffer_create(dev, &(weft_buffer_desc){.size = 4}, &buffer) == WEFT_ERROR_LOST &&
              weft_buffer_is_none(buffer),
          plan, run, "a buffer is created on a lost device");
    CHECK(weft_command_begin(dev, NULL, &cmd) == WEFT_ERROR_LOST && !cmd, plan, run,
          "a lost device records");
    CHECK(weft_queue_submit(dev, WEFT_QUEUE_GRAPHICS, &(weft_submit){0}, NULL) == WEFT_ERROR_LOST,
          plan, run, "a lost device submits");
    CHECK(weft_device_wait_idle(dev) == WEFT_ERROR_LOST, plan, run, "a lost device is waited for");
    CHECK(weft_frame_begin(dev, &(weft_frame_desc){0}, &frame) == WEFT_ERROR_LOST && !frame, plan,
          run, "a lost device begins a frame");
    CHECK(run->lost, plan, run, "the loss is not reported");
}

static void check_result(const struct plan *plan, const struct run *run, weft_result result)
{
    CHECK(is_result_of(plan->kind, result), plan, run, weft_result_name(result));
    CHECK(result > 0 || run->errors > 0, plan, run, "no diagnostic");
    CHECK(result > 0 || is_message_of(plan->kind, result, run->message), plan, run,
          "the message does not name the cause");
}

/// After the program failed, or went on in another way.
static void check_after(weft_device *dev, const struct plan *plan, struct run *run,
                        weft_result result)
{
    (void)weft_device_wait_idle(dev); // an upload that ran out of memory is told of here
    const bool lost = weft_device_startup(dev).state == WEFT_DEVICE_LOST;
    const bool loses = plan->kind == FAULT_LOST || plan->kind == FAULT_LOST_AFTER;
    // Work that runs already and finds no memory loses the software device.
    CHECK(lost == loses || (lost && plan->kind == FAULT_NONE), plan, run, "state of the device");
    CHECK(run->misuses == 0, plan, run, "the host is blamed");
    // Some of the host's memory can be done without; the device's and the driver's work cannot.
    CHECK(result != WEFT_OK || run->errors > 0 || plan->kind == FAULT_NONE, plan, run,
          "the fault was swallowed");
    if (result != WEFT_OK)
        check_result(plan, run, result);
    if (lost) {
        check_lost(dev, plan, run);
        return;
    }
    struct scene again = {.dev = dev};
    run->message[0] = '\0';
    plan->scene->play(&again);
    CHECK(again.result == WEFT_OK, plan, run, "the device is not usable afterwards");
}

/// Plays the program. Returns whether it came to the failure.
static bool play(weft_device *dev, const struct plan *plan, struct run *run)
{
    const uint64_t before = atomic_load(&run->memory.calls);
    if (plan->kind == FAULT_NONE) {
        run->memory.fail_count = plan->count;
        run->memory.fail_at = before + plan->at;
    }
    fault_install(dev);
    fault_arm(plan->kind, plan->at);
    struct scene scene = {.dev = dev};
    plan->scene->play(&scene);
    const bool hit = plan->kind == FAULT_NONE ? atomic_load(&run->memory.calls) >= before + plan->at
                                              : fault_hit();
    run->memory.fail_at = 0;
    fault_arm(FAULT_NONE, 0);
    CHECK(hit || scene.result == WEFT_OK, plan, run, "a failure without a cause");
    if (hit)
        check_after(dev, plan, run, scene.result);
    return hit;
}

static weft_device *start(const struct plan *plan, struct run *run)
{
    const weft_host_hooks hooks = run_hooks(run);
    const weft_software_options software = {.threads = 1};
    weft_device *dev;
    const weft_result result =
        weft_device_start(&(weft_device_desc){.backends = 1u << plan->backend,
                                              .validation = plan->validation,
                                              .hooks = &hooks,
                                              .software = &software},
                          &dev);
    CHECK(dev || result == WEFT_ERROR_MEMORY, plan, run, "the start");
    return dev;
}

/// A life. Returns whether it came to the failure.
static bool live_once(const struct plan *plan)
{
    struct run run = {0};
    bool hit = false;
    if (plan->kind == FAULT_NONE && !plan->scene->play) {
        run.memory.fail_count = plan->count;
        run.memory.fail_at = plan->at;
    }
    weft_device *dev = start(plan, &run);
    const bool ready = dev && weft_device_wait(dev, UINT64_MAX) == WEFT_OK;
    if (plan->scene->play && ready)
        hit = play(dev, plan, &run);
    else
        hit = run.memory.fail_at != 0 && atomic_load(&run.memory.calls) >= run.memory.fail_at;
    CHECK(ready != (hit && !plan->scene->play), plan, &run, "the start");
    CHECK(ready || !dev || run.errors > 0, plan, &run, "the start failed without a diagnostic");
    weft_device_destroy(dev);
    CHECK(run.warnings == 0, plan, &run, "something was not destroyed");
    CHECK(atomic_load(&run.memory.live_bytes) == 0, plan, &run, "memory leaked");
    return hit;
}

// Threads see no more of each place than of every third.
#if defined(__SANITIZE_THREAD__)
#define STEP 3
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define STEP 3
#endif
#endif
#ifndef STEP
#define STEP 1
#endif

/// Every program, and how often it came to such a failure in all.
static uint64_t fail_each(weft_backend backend, weft_validation validation, enum fault_kind kind,
                          uint64_t count)
{
    uint64_t all = 0;
    complaints = 0;
    for (size_t i = 0; i < scene_count; i++) {
        struct plan plan = {&scenes[i], backend, validation, .kind = kind, .at = 1, .count = count};
        while (live_once(&plan))
            plan.at += STEP;
        all += (plan.at - 1) / STEP; // the last life was one without
    }
    EXPECT_EQ(complaints, 0);
    return all;
}

static void fail_kinds(weft_backend backend, weft_validation validation)
{
    for (enum fault_kind kind = FAULT_CREATE; kind < FAULT_KINDS; kind++) {
        const uint64_t all = fail_each(backend, validation, kind, 1);
        printf("%s: %llu\n", fault_name(kind), (unsigned long long)all);
        // noop has always finished: nothing waits
        EXPECT(all > 0 || (kind == FAULT_WAIT && backend == WEFT_BACKEND_NOOP));
    }
}

TEST(faults, any_failure_of_the_driver_is_a_clean_error_on_noop)
{
    fail_kinds(WEFT_BACKEND_NOOP, WEFT_VALIDATION_FULL);
    fail_kinds(WEFT_BACKEND_NOOP, WEFT_VALIDATION_OFF);
}

TEST(faults, any_failure_of_the_driver_is_a_clean_error_on_software)
{
    fail_kinds(WEFT_BACKEND_SOFTWARE, WEFT_VALIDATION_FULL);
    fail_kinds(WEFT_BACKEND_SOFTWARE, WEFT_VALIDATION_OFF);
}

TEST(faults, any_allocation_may_fail_on_noop)
{
    EXPECT(fail_each(WEFT_BACKEND_NOOP, WEFT_VALIDATION_FULL, FAULT_NONE, 1) > 100);
}

TEST(faults, any_allocation_may_fail_without_validation)
{
    EXPECT(fail_each(WEFT_BACKEND_SOFTWARE, WEFT_VALIDATION_OFF, FAULT_NONE, 1) > 100);
}

TEST(faults, any_allocation_and_all_after_it_may_fail_on_noop)
{
    EXPECT(fail_each(WEFT_BACKEND_NOOP, WEFT_VALIDATION_FULL, FAULT_NONE, UINT64_MAX) > 100);
}

TEST(faults, any_allocation_may_fail_on_software)
{
    EXPECT(fail_each(WEFT_BACKEND_SOFTWARE, WEFT_VALIDATION_FULL, FAULT_NONE, 1) > 100);
}

TEST(faults, any_allocation_and_all_after_it_may_fail_on_software)
{
    EXPECT(fail_each(WEFT_BACKEND_SOFTWARE, WEFT_VALIDATION_FULL, FAULT_NONE, UINT64_MAX) > 100);
}
