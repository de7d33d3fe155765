#define _GNU_SOURCE // NOLINT(readability-identifier-naming): glibc names it; for names of threads
#include "base/thread.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static const uint64_t ns_per_second = 1000000000u;

/// Calls of pthreads that fail only when their promises are broken.
static void must(int error)
{
    assert(error == 0);
    (void)error;
}

bool wf_base_mutex_init(struct wf_base_mutex *mutex)
{
    return pthread_mutex_init(&mutex->native, NULL) == 0;
}

void wf_base_mutex_finish(struct wf_base_mutex *mutex)
{
    must(pthread_mutex_destroy(&mutex->native));
}

void wf_base_mutex_lock(struct wf_base_mutex *mutex)
{
    must(pthread_mutex_lock(&mutex->native));
}

void wf_base_mutex_unlock(struct wf_base_mutex *mutex)
{
    must(pthread_mutex_unlock(&mutex->native));
}

void wf_base_thread_pause(void)
{
    const struct timespec pause = {.tv_nsec = 20000};
    (void)nanosleep(&pause, NULL);
}

bool wf_base_cond_init(struct wf_base_cond *cond)
{
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    must(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC));
    const int error = pthread_cond_init(&cond->native, &attributes);
    must(pthread_condattr_destroy(&attributes));
    return error == 0;
}

void wf_base_cond_finish(struct wf_base_cond *cond)
{
    must(pthread_cond_destroy(&cond->native));
}

void wf_base_cond_wait(struct wf_base_cond *cond, struct wf_base_mutex *mutex)
{
    must(pthread_cond_wait(&cond->native, &mutex->native));
}

bool wf_base_cond_wait_until(struct wf_base_cond *cond, struct wf_base_mutex *mutex,
                             uint64_t deadline_ns)
{
    if (deadline_ns == UINT64_MAX) {
        wf_base_cond_wait(cond, mutex);
        return true;
    }
    const struct timespec deadline = {
        .tv_sec = (time_t)(deadline_ns / ns_per_second),
        .tv_nsec = (long)(deadline_ns % ns_per_second),
    };
    const int error = pthread_cond_timedwait(&cond->native, &mutex->native, &deadline);
    assert(error == 0 || error == ETIMEDOUT);
    return error != ETIMEDOUT;
}

void wf_base_cond_signal(struct wf_base_cond *cond)
{
    must(pthread_cond_signal(&cond->native));
}

void wf_base_cond_broadcast(struct wf_base_cond *cond)
{
    must(pthread_cond_broadcast(&cond->native));
}

static void *thread_main(void *arg)
{
    struct wf_base_thread *thread = arg;
#if defined(__linux__)
    if (thread->name[0])
        (void)pthread_setname_np(pthread_self(), thread->name);
#endif
    thread->fn(thread->user);
    return NULL;
}

/// All signals but those that a thread raises by its own faults, and the profiler's.
static void asynchronous_signals(sigset_t *set)
{
    static const int kept[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
    (void)sigfillset(set);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        (void)sigdelset(set, kept[i]);
}

bool wf_base_thread_start(struct wf_base_thread *thread, const char *name, void (*fn)(void *user),
                          void *user)
{
    sigset_t blocked, before;
    *thread = (struct wf_base_thread){.fn = fn, .user = user};
    for (size_t i = 0; name && name[i] && i + 1 < sizeof thread->name; i++)
        thread->name[i] = name[i];
    asynchronous_signals(&blocked);
    must(pthread_sigmask(SIG_BLOCK, &blocked, &before));
    const int error = pthread_create(&thread->native, NULL, thread_main, thread);
    must(pthread_sigmask(SIG_SETMASK, &before, NULL));
    return error == 0;
}

void wf_base_thread_join(struct wf_base_thread *thread)
{
    must(pthread_join(thread->native, NULL));
}

void wf_base_once(struct wf_base_once *once, void (*fn)(void))
{
    must(pthread_once(&once->native, fn));
}

void wf_base_thread_yield(void)
{
    (void)sched_yield();
}

uint64_t wf_base_clock_ns(void)
{
    struct timespec now;
    must(clock_gettime(CLOCK_MONOTONIC, &now));
    return (uint64_t)now.tv_sec * ns_per_second + (uint64_t)now.tv_nsec;
}
