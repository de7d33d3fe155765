#include "base/tasks.h"

#include "base/bits.h"
#include "base/system.h"
#include "base/thread.h"

#include <assert.h>
#include <stdalign.h>

// A run is opened by its caller, entered by whoever comes in time, closed by the caller when it
// finds no more items, and over when the last worker has left it. A worker that wakes late finds it
// closed and goes back to sleep, so a run never waits for sleepers.
//
// `state` has the number of workers inside, a bit for open, and above them the run's number, by
// which a worker knows that it has served this run already.

static const uint64_t inside_mask = 0xffff;
static const uint64_t open_bit = 0x10000;
static const uint64_t run_step = 0x20000;

enum { CHUNKS_PER_WORKER = 64, SPINS = 500 };

struct worker {
    struct wf_base_tasks *tasks;
    uint32_t index;
    struct wf_base_thread thread;
};

struct wf_base_tasks {
    const struct wf_base_allocator *allocator;
    uint32_t count; ///< The caller included.
    uint32_t spins; ///< Looks at `state` before sleeping; 0 where CPUs are too few.
    uint32_t workers_allocated;
    struct wf_base_mutex run_lock; ///< One run at a time.

    void (*fn)(void *user, uint32_t item, uint32_t worker);
    void *user;
    uint32_t items, grain;

    alignas(64) atomic_uint_fast64_t next; ///< Items handed out; may go beyond `items`.
    alignas(64) atomic_uint_fast64_t state;
    atomic_uint_least32_t sleepers;
    atomic_bool quit;
    atomic_bool caller_sleeps;

    struct wf_base_mutex sleep_lock;
    struct wf_base_cond wake; ///< For workers: a run was opened, or quit.
    struct wf_base_cond done; ///< For the caller: nobody is inside.
    struct worker workers[];  ///< workers[0] is the caller's and has no thread.
};

/// The run that this thread is in, if any.
static _Thread_local struct {
    const struct wf_base_tasks *tasks;
    uint32_t worker;
} here;

static uint64_t run_of(uint64_t state)
{
    return state / run_step;
}

static bool is_new(uint64_t state, uint64_t served)
{
    return (state & open_bit) && run_of(state) != served;
}

static void work(struct wf_base_tasks *tasks, uint32_t worker)
{
    const uint32_t items = tasks->items, grain = tasks->grain;
    here.tasks = tasks;
    here.worker = worker;
    for (;;) {
        const uint64_t first = atomic_fetch_add_explicit(&tasks->next, grain, memory_order_relaxed);
        if (first >= items)
            break;
        const uint64_t end = wf_base_min_u64(first + grain, items);
        for (uint64_t i = first; i < end; i++)
            tasks->fn(tasks->user, (uint32_t)i, worker);
    }
    here.tasks = NULL;
}

/// Enters the open run. False when it was closed meanwhile.
static bool enter(struct wf_base_tasks *tasks, uint64_t served)
{
    uint64_t state = atomic_load(&tasks->state);
    while (is_new(state, served)) {
        if (atomic_compare_exchange_weak(&tasks->state, &state, state + 1))
            return true;
    }
    return false;
}

static void leave(struct wf_base_tasks *tasks)
{
    const uint64_t state = atomic_fetch_sub(&tasks->state, 1) - 1;
    if ((state & (inside_mask | open_bit)) != 0 || !atomic_load(&tasks->caller_sleeps))
        return;
    wf_base_mutex_lock(&tasks->sleep_lock);
    wf_base_cond_signal(&tasks->done);
    wf_base_mutex_unlock(&tasks->sleep_lock);
}

/// Returns when there is a run that is not served yet, or on quit.
static void wait_for_run(struct wf_base_tasks *tasks, uint64_t served)
{
    for (uint32_t i = 0; i < tasks->spins; i++) {
        if (is_new(atomic_load(&tasks->state), served) || atomic_load(&tasks->quit))
            return;
        wf_base_spin_hint();
    }
    wf_base_mutex_lock(&tasks->sleep_lock);
    atomic_fetch_add(&tasks->sleepers, 1);
    while (!is_new(atomic_load(&tasks->state), served) && !atomic_load(&tasks->quit))
        wf_base_cond_wait(&tasks->wake, &tasks->sleep_lock);
    atomic_fetch_sub(&tasks->sleepers, 1);
    wf_base_mutex_unlock(&tasks->sleep_lock);
}

static void worker_main(void *user)
{
    const struct worker *worker = user;
    struct wf_base_tasks *tasks = worker->tasks;
    uint64_t served = 0;
    while (!atomic_load(&tasks->quit)) {
        wait_for_run(tasks, served);
        if (!enter(tasks, served))
            continue;
        served = run_of(atomic_load(&tasks->state)); // cannot change while we are inside
        work(tasks, worker->index);
        leave(tasks);
    }
}

/// Wakes up to `wanted` of those who sleep.
static void wake_workers(struct wf_base_tasks *tasks, uint32_t wanted)
{
    if (atomic_load(&tasks->sleepers) == 0)
        return;
    wf_base_mutex_lock(&tasks->sleep_lock);
    const uint32_t sleepers = atomic_load(&tasks->sleepers);
    wf_base_mutex_unlock(&tasks->sleep_lock);
    if (wanted >= sleepers) {
        wf_base_cond_broadcast(&tasks->wake);
        return;
    }
    for (uint32_t i = 0; i < wanted; i++)
        wf_base_cond_signal(&tasks->wake);
}

static void wait_until_left(struct wf_base_tasks *tasks)
{
    for (uint32_t i = 0; i < tasks->spins; i++) {
        if ((atomic_load(&tasks->state) & inside_mask) == 0)
            return;
        wf_base_spin_hint();
    }
    wf_base_mutex_lock(&tasks->sleep_lock);
    atomic_store(&tasks->caller_sleeps, true);
    while ((atomic_load(&tasks->state) & inside_mask) != 0)
        wf_base_cond_wait(&tasks->done, &tasks->sleep_lock);
    atomic_store(&tasks->caller_sleeps, false);
    wf_base_mutex_unlock(&tasks->sleep_lock);
}

/// Under `run_lock`.
static void run_shared(struct wf_base_tasks *tasks)
{
    const uint64_t chunks = wf_base_div_up(tasks->items, tasks->grain);
    atomic_store_explicit(&tasks->next, 0, memory_order_relaxed);
    atomic_store(&tasks->state, (atomic_load(&tasks->state) + run_step) | open_bit);
    wake_workers(tasks, (uint32_t)wf_base_min_u64(chunks - 1, tasks->count - 1));
    work(tasks, 0);
    atomic_fetch_and(&tasks->state, ~open_bit);
    wait_until_left(tasks);
}

void wf_base_tasks_run(struct wf_base_tasks *tasks,
                       void (*fn)(void *user, uint32_t item, uint32_t worker), void *user,
                       uint32_t item_count)
{
    if (here.tasks == tasks) {
        for (uint32_t i = 0; i < item_count; i++)
            fn(user, i, here.worker);
        return;
    }
    // a run of another pool may be going on around this one
    const struct wf_base_tasks *outer_tasks = here.tasks;
    const uint32_t outer_worker = here.worker;
    wf_base_mutex_lock(&tasks->run_lock);
    tasks->fn = fn;
    tasks->user = user;
    tasks->items = item_count;
    tasks->grain = wf_base_max_u32(1, item_count / (tasks->count * CHUNKS_PER_WORKER));
    if (item_count > 1 && tasks->count > 1) {
        run_shared(tasks);
    } else {
        atomic_store_explicit(&tasks->next, 0, memory_order_relaxed);
        work(tasks, 0);
    }
    wf_base_mutex_unlock(&tasks->run_lock);
    here.tasks = outer_tasks;
    here.worker = outer_worker;
}

static size_t tasks_bytes(uint32_t workers)
{
    return sizeof(struct wf_base_tasks) + workers * sizeof(struct worker);
}

static bool locks_init(struct wf_base_tasks *tasks)
{
    if (!wf_base_mutex_init(&tasks->run_lock))
        return false;
    if (!wf_base_mutex_init(&tasks->sleep_lock))
        goto no_sleep_lock;
    if (!wf_base_cond_init(&tasks->wake))
        goto no_wake;
    if (!wf_base_cond_init(&tasks->done))
        goto no_done;
    return true;
no_done:
    wf_base_cond_finish(&tasks->wake);
no_wake:
    wf_base_mutex_finish(&tasks->sleep_lock);
no_sleep_lock:
    wf_base_mutex_finish(&tasks->run_lock);
    return false;
}

struct wf_base_tasks *wf_base_tasks_create(uint32_t threads,
                                           const struct wf_base_allocator *allocator)
{
    const uint32_t cpus = wf_base_cpu_count();
    const uint32_t wanted = wf_base_min_u32(threads ? threads : cpus, WF_BASE_TASKS_MAX);
    struct wf_base_tasks *tasks =
        wf_base_alloc_aligned(allocator, tasks_bytes(wanted), alignof(struct wf_base_tasks));
    if (!tasks)
        return NULL;
    *tasks = (struct wf_base_tasks){.allocator = allocator, .workers_allocated = wanted};
    if (!locks_init(tasks)) {
        wf_base_free(allocator, tasks, tasks_bytes(wanted));
        return NULL;
    }
    atomic_init(&tasks->next, 0);
    atomic_init(&tasks->state, 0);
    atomic_init(&tasks->sleepers, 0);
    atomic_init(&tasks->quit, false);
    atomic_init(&tasks->caller_sleeps, false);
    tasks->spins = wanted <= cpus ? SPINS : 0;
    uint32_t started = 1;
    for (; started < wanted; started++) {
        struct worker *worker = &tasks->workers[started];
        worker->tasks = tasks;
        worker->index = started;
        if (!wf_base_thread_start(&worker->thread, "weft worker", worker_main, worker))
            break;
    }
    tasks->count = started;
    return tasks;
}

void wf_base_tasks_destroy(struct wf_base_tasks *tasks)
{
    if (!tasks)
        return;
    wf_base_mutex_lock(&tasks->sleep_lock);
    atomic_store(&tasks->quit, true);
    wf_base_cond_broadcast(&tasks->wake);
    wf_base_mutex_unlock(&tasks->sleep_lock);
    for (uint32_t i = 1; i < tasks->count; i++)
        wf_base_thread_join(&tasks->workers[i].thread);
    wf_base_cond_finish(&tasks->done);
    wf_base_cond_finish(&tasks->wake);
    wf_base_mutex_finish(&tasks->sleep_lock);
    wf_base_mutex_finish(&tasks->run_lock);
    wf_base_free(tasks->allocator, tasks, tasks_bytes(tasks->workers_allocated));
}

uint32_t wf_base_tasks_count(const struct wf_base_tasks *tasks)
{
    return tasks->count;
}
