// The programs of scenes.c on the Vulkan backend, over a layer that lets calls of Vulkan fail:
// whichever does, the program ends in an error that names its cause, nothing crashes or hangs,
// nothing leaks, neither of the host's memory nor of Vulkan's objects, and the device goes on, or
// is lost and says what the driver knows of the fault.
#include "vulkan.h"
#include "faults.h"
#include "layer/layer.h"
#include "run.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define LIFE_SECONDS 60

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/// Lavapipe keeps a little for ever, and its compiler.
const char *__lsan_default_suppressions(void); // NOLINT: the sanitizer names it
const char *__lsan_default_suppressions(void)  // NOLINT
{
    return "leak:libvulkan_lvp.so\nleak:libLLVM\nleak:libvulkan.so\n";
}

struct layer *layer;

static const char *const object_names[LAYER_OBJECTS] = {
    [LAYER_INSTANCE] = "Instance", [LAYER_DEVICE] = "Device",     [LAYER_SURFACE] = "Surface",
    [LAYER_MEMORY] = "Memory",     [LAYER_PIPELINE] = "Pipeline",
#define LAYER_OBJECT(Name, info, faults) [LAYER_##Name] = #Name,
#include "layer/functions.def"
};

/// A life that hangs.
static void give_up(int number)
{
    static const char text[] = "a life hangs\n";
    (void)number;
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    (void)!write(STDERR_FILENO, layer->struck, strlen(layer->struck));
    abort();
}

/// In front of what a list of the environment holds.
static void put_front(const char *name, const char *item)
{
    char list[4096];
    const char *before = getenv(name);
    (void)snprintf(list, sizeof list, "%s%s%s", item, before ? ":" : "", before ? before : "");
    if (!before || strncmp(before, item, strlen(item)) != 0)
        (void)setenv(name, list, 1);
}

/// The loader finds the layer through the environment, and loads the library that is loaded here.
void find_layer(void)
{
    void *library = dlopen(LAYER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    layer_get get = NULL;
    if (library)
        *(void **)&get = dlsym(library, "weft_layer");
    EXPECT(get != NULL);
    layer = get();
    put_front("VK_INSTANCE_LAYERS", LAYER_NAME);
    put_front(getenv("VK_LAYER_PATH") ? "VK_LAYER_PATH" : "VK_ADD_LAYER_PATH", LAYER_FOLDER);
    (void)setenv("NODEVICE_SELECT", "1", 1); // a layer of Mesa's, which takes no failure
    (void)setenv("LP_NUM_THREADS", "1", 0);  // lavapipe starts and ends them with each device
    (void)signal(SIGALRM, give_up);
}

static void arm(enum layer_fault fault, uint64_t at)
{
    layer->fault = fault;
    layer->at = at;
    atomic_store(&layer->chances, 0);
    atomic_store(&layer->hit, false);
    atomic_store(&layer->struck, "nothing");
}

static void disarm(void)
{
    layer->fault = LAYER_FAULT_NONE;
}

// ---- judging -----------------------------------------------------------------------------------

struct plan {
    const struct scene_entry *scene;
    weft_validation validation;
    enum layer_fault fault;
    uint64_t at;
};

#define CHECK(condition, plan, run, what)                                                          \
    ((condition) ? (void)0 : complain(__LINE__, plan, run, what))

static uint32_t complaints;

/// Tells, and goes on: the next place may tell more.
static void complain(int line, const struct plan *plan, const struct run *run, const char *what)
{
    static const char *const faults[LAYER_FAULT_KINDS] = {"no",       "memory",     "lost",
                                                          "outdated", "suboptimal", "surface"};
    if (complaints++ < 50)
        (void)fprintf(stderr, "%d: %s, %s %llu, vk%s: %s (%u errors, %s)\n", line,
                      plan->scene->name, faults[plan->fault], (unsigned long long)plan->at,
                      atomic_load(&layer->struck), what, run->errors, run->message);
}

static void check_error(const struct plan *plan, const struct run *run, weft_result result)
{
    const char *cause = "memory";
    bool right = result == WEFT_ERROR_MEMORY || result == WEFT_ERROR_DEVICE_MEMORY;
    if (plan->fault == LAYER_FAULT_LOST) {
        right = result == WEFT_ERROR_LOST;
        cause = LAYER_REASON;
    } else if (plan->fault != LAYER_FAULT_MEMORY) {
        right = result == WEFT_ERROR_SURFACE || result == WEFT_SKIP;
        cause = "surface";
    }
    CHECK(right, plan, run, weft_result_name(result));
    CHECK(result > 0 || run->errors > 0, plan, run, "no diagnostic");
    CHECK(result > 0 || strstr(run->message, cause) != NULL, plan, run,
          "the message does not name the cause");
}

/// Calls that Weft can do without, or asks again.
static bool is_spare(const char *function)
{
    static const char *const spare[] = {"AllocateMemory", "GetSemaphoreCounterValue",
                                        "WaitSemaphores", "DeviceWaitIdle",
                                        "WaitForFences",  "ResetFences"};
    for (size_t i = 0; i < sizeof spare / sizeof *spare; i++) {
        if (strcmp(function, spare[i]) == 0)
            return true;
    }
    return false;
}

static void check_lost(weft_device *dev, const struct plan *plan, struct run *run)
{
    weft_buffer buffer = {1, 1};
    weft_command_buffer *cmd;
    CHECK(weft_buffer_create(dev, &(weft_buffer_desc){.size = 4}, &buffer) == WEFT_ERROR_LOST &&
              weft_buffer_is_none(buffer),
          plan, run, "a buffer is created on a lost device");
    CHECK(weft_command_begin(dev, NULL, &cmd) == WEFT_ERROR_LOST && !cmd, plan, run,
          "a lost device records");
    CHECK(weft_queue_submit(dev, WEFT_QUEUE_GRAPHICS, &(weft_submit){0}, NULL) == WEFT_ERROR_LOST,
          plan, run, "a lost device submits");
    CHECK(weft_device_wait_idle(dev) == WEFT_ERROR_LOST, plan, run, "a lost device is waited for");
    CHECK(run->lost, plan, run, "the loss is not reported");
}

/// After the program failed, or went on in another way.
static void check_after(weft_device *dev, const struct plan *plan, struct run *run,
                        weft_result result)
{
    (void)weft_device_wait_idle(dev); // an upload that ran out of memory is told of here
    const bool lost = weft_device_startup(dev).state == WEFT_DEVICE_LOST;
    CHECK(lost == atomic_load(&layer->lost), plan, run, "state of the device");
    CHECK(run->misuses == 0, plan, run, "the host is blamed");
    CHECK(result != WEFT_OK || run->errors > 0 || plan->fault != LAYER_FAULT_MEMORY ||
              is_spare(atomic_load(&layer->struck)),
          plan, run, "the fault was swallowed");
    if (result != WEFT_OK)
        check_error(plan, run, result);
    if (lost) {
        check_lost(dev, plan, run);
        return;
    }
    struct scene again = {.dev = dev};
    run->message[0] = '\0';
    plan->scene->play(&again);
    CHECK(again.result == WEFT_OK, plan, run, "the device is not usable afterwards");
}

static void check_leaks(const struct plan *plan, struct run *run)
{
    CHECK(run->warnings == 0, plan, run, "something was not destroyed");
    CHECK(atomic_load(&run->memory.live_bytes) == 0, plan, run, "memory leaked");
    for (int i = 0; i < LAYER_OBJECTS; i++) {
        CHECK(atomic_load(&layer->live[i]) == 0, plan, run, object_names[i]);
        atomic_store(&layer->live[i], 0);
    }
}

// ---- lives -------------------------------------------------------------------------------------

static bool play(weft_device *dev, const struct plan *plan, struct run *run)
{
    struct scene scene = {.dev = dev};
    arm(plan->fault, plan->at);
    plan->scene->play(&scene);
    const bool hit = atomic_load(&layer->hit);
    disarm();
    CHECK(hit || scene.result == WEFT_OK, plan, run, "a failure without a cause");
    if (hit)
        check_after(dev, plan, run, scene.result);
    return hit;
}

/// A life. Returns whether it came to the failure.
static bool live_once(const struct plan *plan)
{
    struct run run = {0};
    bool hit = false;
    const weft_host_hooks hooks = run_hooks(&run);
    weft_device *dev;
    (void)alarm(LIFE_SECONDS);
    atomic_store(&layer->lost, false);
    if (!plan->scene->play)
        arm(plan->fault, plan->at);
    const weft_result started = weft_device_start(
        &(weft_device_desc){
            .backends = 1u << WEFT_BACKEND_VULKAN, .validation = plan->validation, .hooks = &hooks},
        &dev);
    CHECK(started == WEFT_OK, plan, &run, "the start");
    const bool ready = dev && weft_device_wait(dev, UINT64_MAX) == WEFT_OK;
    CHECK(ready || run.errors > 0, plan, &run, "the start failed without a diagnostic");
    if (plan->scene->play && ready)
        hit = play(dev, plan, &run);
    weft_device_destroy(dev);
    if (!plan->scene->play) {
        hit = atomic_load(&layer->hit);
        disarm();
    }
    CHECK(ready || hit, plan, &run, "the start failed without a cause");
    (void)alarm(0);
    check_leaks(plan, &run);
    return hit;
}

/// The backend keeps one instance for good, from the first device on: it is no leak.
void keep_instance(void)
{
    weft_device *dev;
    (void)weft_device_start(&(weft_device_desc){.backends = 1u << WEFT_BACKEND_VULKAN}, &dev);
    weft_device_destroy(dev);
    for (int i = 0; i < LAYER_OBJECTS; i++)
        atomic_store(&layer->live[i], 0);
}

/// Every program, and how often it came to such a failure in all.
static uint64_t fail_each(const struct scene_entry *entries, size_t count,
                          weft_validation validation, enum layer_fault fault)
{
    uint64_t all = 0;
    complaints = 0;
    find_layer();
    keep_instance();
    for (size_t i = 0; i < count; i++) {
        struct plan plan = {&entries[i], validation, fault, .at = 1};
        while (live_once(&plan))
            plan.at++;
        all += plan.at - 1; // the last life was one without
        printf("%s: %llu\n", plan.scene->name, (unsigned long long)plan.at - 1);
    }
    EXPECT_EQ(complaints, 0);
    return all;
}

TEST(vulkan_faults, any_call_may_find_no_memory)
{
    EXPECT(fail_each(scenes, scene_count, WEFT_VALIDATION_OFF, LAYER_FAULT_MEMORY) > 100);
}

TEST(vulkan_faults, any_call_may_find_the_device_lost)
{
    EXPECT(fail_each(scenes, scene_count, WEFT_VALIDATION_OFF, LAYER_FAULT_LOST) > 20);
    if (!SANITIZED) // the Khronos layer leaks, and is not loaded any more when that is told
        EXPECT(fail_each(scenes, scene_count, WEFT_VALIDATION_FULL, LAYER_FAULT_LOST) > 20);
    EXPECT(atomic_load(&layer->told) > 20);
}

/// The host's memory; what is behind Vulkan has its own.
static bool live_without_memory(const struct scene_entry *entry, uint64_t at)
{
    const struct plan plan = {entry, WEFT_VALIDATION_OFF, LAYER_FAULT_MEMORY, at};
    struct run run = {0};
    const weft_host_hooks hooks = run_hooks(&run);
    weft_device *dev;
    const weft_device_desc desc = {
        .backends = 1u << WEFT_BACKEND_VULKAN, .validation = WEFT_VALIDATION_OFF, .hooks = &hooks};
    (void)alarm(LIFE_SECONDS);
    run.memory.fail_count = 1;
    if (!entry->play)
        run.memory.fail_at = at;
    (void)weft_device_start(&desc, &dev);
    const bool ready = dev && weft_device_wait(dev, UINT64_MAX) == WEFT_OK;
    struct scene scene = {.dev = dev};
    if (entry->play && ready) {
        run.memory.fail_at = atomic_load(&run.memory.calls) + at;
        entry->play(&scene);
        (void)weft_device_wait_idle(dev);
    }
    const uint64_t fail_at = run.memory.fail_at;
    const bool hit = fail_at != 0 && atomic_load(&run.memory.calls) >= fail_at;
    run.memory.fail_at = 0;
    CHECK(scene.result == WEFT_OK || (hit && run.errors > 0 && run.misuses == 0), &plan, &run,
          weft_result_name(scene.result));
    CHECK(ready || !dev || strstr(run.message, "memory") || strstr(run.message, "MEMORY"), &plan,
          &run, "the start");
    weft_device_destroy(dev);
    (void)alarm(0);
    check_leaks(&plan, &run);
    return hit;
}

TEST(vulkan_faults, any_allocation_may_fail)
{
    uint64_t all = 0;
    complaints = 0;
    find_layer();
    keep_instance();
    arm(LAYER_FAULT_NONE, 0);
    atomic_store(&layer->lost, false);
    for (size_t i = 0; i < scene_count; i++) {
        for (uint64_t at = 1; live_without_memory(&scenes[i], at); at++)
            all++;
    }
    EXPECT_EQ(complaints, 0);
    EXPECT(all > 100);
}

#if WEFT_TEST_XCB
TEST(vulkan_faults_window, anything_may_befall_a_window)
{
    static const struct scene_entry window[] = {{"window", scene_window}};
    if (!scene_window_open())
        test_skip("there is no X server");
    for (enum layer_fault fault = LAYER_FAULT_MEMORY; fault < LAYER_FAULT_KINDS; fault++)
        EXPECT(fail_each(window, 1, WEFT_VALIDATION_OFF, fault) > 3);
}
#endif
