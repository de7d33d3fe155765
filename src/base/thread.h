/// Threads, locks and time, over pthreads. Calls that can only fail by misuse assert.
#ifndef WF_BASE_THREAD_H
#define WF_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct wf_base_mutex {
    pthread_mutex_t native;
};

struct wf_base_cond {
    pthread_cond_t native; ///< On the monotonic clock.
};

/// Stays where it is until joined.
struct wf_base_thread {
    pthread_t native;
    void (*fn)(void *user);
    void *user;
    char name[16];
};

/// Zero-initialise with WF_BASE_ONCE_INIT.
struct wf_base_once {
    pthread_once_t native;
};

// clang-format off
#define WF_BASE_ONCE_INIT {PTHREAD_ONCE_INIT}
#define WF_BASE_MUTEX_INIT {PTHREAD_MUTEX_INITIALIZER}
// clang-format on

/// False when the system has no room for it.
bool wf_base_mutex_init(struct wf_base_mutex *mutex);
void wf_base_mutex_finish(struct wf_base_mutex *mutex);
void wf_base_mutex_lock(struct wf_base_mutex *mutex);
void wf_base_mutex_unlock(struct wf_base_mutex *mutex);

/// False when the system has no room for it.
bool wf_base_cond_init(struct wf_base_cond *cond);
void wf_base_cond_finish(struct wf_base_cond *cond);

/// The mutex is held before and after. May return without a signal: wait in a loop.
void wf_base_cond_wait(struct wf_base_cond *cond, struct wf_base_mutex *mutex);

/// False when wf_base_clock_ns() has reached `deadline_ns`: for loops with one time limit.
/// UINT64_MAX waits for ever.
bool wf_base_cond_wait_until(struct wf_base_cond *cond, struct wf_base_mutex *mutex,
                             uint64_t deadline_ns);
void wf_base_cond_signal(struct wf_base_cond *cond);
void wf_base_cond_broadcast(struct wf_base_cond *cond);

/// `name` (may be NULL) is for debuggers, cut at 15 bytes. The host's signals are blocked in
/// the thread, so that its handlers run on its own threads; faults are not. False when the system
/// refuses.
bool wf_base_thread_start(struct wf_base_thread *thread, const char *name, void (*fn)(void *user),
                          void *user);
void wf_base_thread_join(struct wf_base_thread *thread);

void wf_base_once(struct wf_base_once *once, void (*fn)(void));

void wf_base_thread_yield(void);

/// A hint to the CPU inside a spinning loop.
static inline void wf_base_spin_hint(void)
{
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#elif defined(__GNUC__) && defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/// Monotonic; its start is arbitrary.
uint64_t wf_base_clock_ns(void);

/// `now + timeout`, where both ends saturate: UINT64_MAX is never.
static inline uint64_t wf_base_deadline_ns(uint64_t timeout_ns)
{
    const uint64_t now = wf_base_clock_ns();
    return timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
}

/// CPUs that this process may use, by its affinity mask; at least 1.
uint32_t wf_base_cpu_count(void);

#endif
