#include "base/system.h"
#include "base/tasks.h"
#include "base/thread.h"
#include "support/test.h"

#include <string.h>
#include <time.h>

enum { MOST_ITEMS = 20000, MOST_WORKERS = 16 };

struct job {
    struct wf_base_tasks *tasks;
    uint32_t results[MOST_ITEMS]; ///< Not atomic: run promises that we see them.
    atomic_uint inside[MOST_WORKERS];
    uint64_t per_worker[MOST_WORKERS];
    atomic_uint errors;
    uint32_t nested; ///< Items of a run inside each item.
};

static void nested_item(void *user, uint32_t item, uint32_t worker)
{
    struct job *job = user;
    (void)item;
    job->per_worker[worker]++;
}

static void count_item(void *user, uint32_t item, uint32_t worker)
{
    struct job *job = user;
    if (worker >= wf_base_tasks_count(job->tasks) || atomic_fetch_add(&job->inside[worker], 1) != 0)
        atomic_fetch_add(&job->errors, 1);
    job->results[item]++;
    job->per_worker[worker]++;
    if (job->nested)
        wf_base_tasks_run(job->tasks, nested_item, job, job->nested);
    atomic_fetch_sub(&job->inside[worker], 1);
}

/// One run, in which every item is done once and no worker index is used twice at a time.
static void check_run(struct job *job, uint32_t items)
{
    memset(job->results, 0, sizeof job->results);
    memset(job->per_worker, 0, sizeof job->per_worker);
    wf_base_tasks_run(job->tasks, count_item, job, items);
    for (uint32_t i = 0; i < MOST_ITEMS; i++)
        EXPECT_EQ(job->results[i], i < items);
    uint64_t sum = 0;
    for (uint32_t w = 0; w < MOST_WORKERS; w++)
        sum += job->per_worker[w];
    EXPECT_EQ(sum, (uint64_t)items * (1 + job->nested));
    EXPECT_EQ(job->errors, 0);
}

TEST(tasks, every_item_is_done_once)
{
    static const uint32_t threads[] = {1, 2, 7, 16};
    static const uint32_t items[] = {0, 1, 2, 3, 15, 16, 17, 240, MOST_ITEMS};
    static struct job job;
    struct wf_base_counting_allocator c;
    wf_base_counting_init(&c, wf_base_allocator_default());
    for (size_t t = 0; t < sizeof threads / sizeof threads[0]; t++) {
        job.tasks = wf_base_tasks_create(threads[t], &c.allocator);
        EXPECT(job.tasks && wf_base_tasks_count(job.tasks) <= threads[t]);
        const uint64_t calls = c.calls;
        for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
            for (int repeat = 0; repeat < 10; repeat++)
                check_run(&job, items[i]);
        }
        EXPECT_EQ(c.calls, calls);
        wf_base_tasks_destroy(job.tasks);
    }
    EXPECT_EQ(c.live_bytes, 0);
}

TEST(tasks, a_run_inside_a_run_is_inline)
{
    static struct job job;
    job.tasks = wf_base_tasks_create(4, wf_base_allocator_default());
    job.nested = 10;
    check_run(&job, 500);
    wf_base_tasks_destroy(job.tasks);
}

struct meeting {
    atomic_uint arrived, met;
};

/// Waits until four calls are under way at once, which only four workers can do.
static void meet(void *user, uint32_t item, uint32_t worker)
{
    (void)item;
    (void)worker;
    struct meeting *meeting = user;
    atomic_fetch_add(&meeting->arrived, 1);
    const uint64_t deadline = wf_base_clock_ns() + UINT64_C(30000000000);
    while (atomic_load(&meeting->arrived) < 4) {
        if (wf_base_clock_ns() > deadline)
            return;
        (void)nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    atomic_fetch_add(&meeting->met, 1);
}

TEST(tasks, several_workers_take_part)
{
    struct wf_base_tasks *tasks = wf_base_tasks_create(4, wf_base_allocator_default());
    if (wf_base_tasks_count(tasks) < 4)
        test_skip("the system refused threads");
    struct meeting meeting = {0};
    wf_base_tasks_run(tasks, meet, &meeting, 4);
    EXPECT_EQ(atomic_load(&meeting.met), 4);
    wf_base_tasks_destroy(tasks);
}

struct caller {
    struct wf_base_tasks *tasks;
    struct wf_base_thread thread;
    atomic_uint done;
};

static void add_one(void *user, uint32_t item, uint32_t worker)
{
    struct caller *me = user;
    (void)item;
    (void)worker;
    atomic_fetch_add(&me->done, 1);
}

static void call_often(void *user)
{
    struct caller *me = user;
    for (int i = 0; i < 200; i++)
        wf_base_tasks_run(me->tasks, add_one, me, 50);
}

TEST(tasks, callers_wait_for_each_other)
{
    struct wf_base_tasks *tasks = wf_base_tasks_create(3, wf_base_allocator_default());
    static struct caller callers[3];
    for (int i = 0; i < 3; i++) {
        callers[i].tasks = tasks;
        EXPECT(wf_base_thread_start(&callers[i].thread, NULL, call_often, &callers[i]));
    }
    for (int i = 0; i < 3; i++) {
        wf_base_thread_join(&callers[i].thread);
        EXPECT_EQ(callers[i].done, 200 * 50);
    }
    wf_base_tasks_destroy(tasks);
}

TEST(tasks, zero_threads_means_one_per_cpu)
{
    struct wf_base_tasks *tasks = wf_base_tasks_create(0, wf_base_allocator_default());
    EXPECT(tasks && wf_base_tasks_count(tasks) >= 1);
    EXPECT(wf_base_tasks_count(tasks) <= wf_base_cpu_count());
    wf_base_tasks_destroy(tasks);
    wf_base_tasks_destroy(NULL);
}

TEST(tasks, out_of_memory_is_none)
{
    struct wf_base_counting_allocator c;
    wf_base_counting_init(&c, wf_base_allocator_default());
    wf_base_counting_fail(&c, 1, false);
    EXPECT(!wf_base_tasks_create(2, &c.allocator));
}

TEST(thread, waiting_times_out)
{
    struct wf_base_mutex mutex;
    struct wf_base_cond cond;
    EXPECT(wf_base_mutex_init(&mutex) && wf_base_cond_init(&cond));
    wf_base_mutex_lock(&mutex);
    const uint64_t start = wf_base_clock_ns();
    const uint64_t deadline = wf_base_deadline_ns(2000000);
    while (wf_base_cond_wait_until(&cond, &mutex, deadline)) {
    }
    EXPECT(wf_base_clock_ns() - start >= 2000000);
    wf_base_mutex_unlock(&mutex);
    EXPECT(wf_base_deadline_ns(UINT64_MAX) == UINT64_MAX);
    wf_base_cond_finish(&cond);
    wf_base_mutex_finish(&mutex);
}

static int once_calls;

static void once_body(void)
{
    once_calls++;
}

TEST(thread, once_is_once)
{
    static struct wf_base_once once = WF_BASE_ONCE_INIT;
    for (int i = 0; i < 3; i++)
        wf_base_once(&once, once_body);
    EXPECT_EQ(once_calls, 1);
    EXPECT(wf_base_cpu_count() >= 1);
}

// ---- a lock that is cheap to take ---------------------------------------------------------------

enum { LATCH_THREADS = 4, LATCH_TURNS = 20000 };

static struct {
    struct wf_base_latch latch;
    uint64_t inside, turns, breaches; ///< Under the latch alone.
} shared;

static void take_turns(void *user)
{
    (void)user;
    for (int i = 0; i < LATCH_TURNS; ++i) {
        wf_base_latch_lock(&shared.latch);
        shared.breaches += shared.inside > 0;
        ++shared.inside;
        ++shared.turns;
        if (i % 1000 == 0)
            wf_base_thread_yield(); // so that others wait, also on one CPU
        --shared.inside;
        wf_base_latch_unlock(&shared.latch);
    }
}

TEST(latch, one_thread_at_a_time_is_inside)
{
    struct wf_base_thread threads[LATCH_THREADS];
    shared.turns = shared.breaches = 0;
    EXPECT(wf_base_latch_init(&shared.latch));
    for (int i = 0; i < LATCH_THREADS; ++i)
        EXPECT(wf_base_thread_start(&threads[i], "turns", take_turns, NULL));
    for (int i = 0; i < LATCH_THREADS; ++i)
        wf_base_thread_join(&threads[i]);
    EXPECT_EQ(shared.breaches, 0);
    EXPECT_EQ(shared.turns, LATCH_THREADS * LATCH_TURNS);
    wf_base_latch_finish(&shared.latch);
}
