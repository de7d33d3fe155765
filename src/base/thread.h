/// Threads, locks and time, over what the system has. Calls that can only fail by misuse assert.
#ifndef WF_BASE_THREAD_H
#define WF_BASE_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
// SRWLOCK, CONDITION_VARIABLE, INIT_ONCE and HANDLE, without the header that defines a thousand
// short words.
typedef void *wf_base_native_mutex, *wf_base_native_cond, *wf_base_native_thread;
typedef void *wf_base_native_once;
#define WF_BASE_NATIVE_ONCE  NULL
#define WF_BASE_NATIVE_MUTEX NULL
#else
#include <pthread.h>
typedef pthread_mutex_t wf_base_native_mutex;
typedef pthread_cond_t wf_base_native_cond;
typedef pthread_t wf_base_native_thread;
typedef pthread_once_t wf_base_native_once;
#define WF_BASE_NATIVE_ONCE  PTHREAD_ONCE_INIT
#define WF_BASE_NATIVE_MUTEX PTHREAD_MUTEX_INITIALIZER
#endif

struct wf_base_mutex {
    wf_base_native_mutex native;
};

struct wf_base_cond {
    wf_base_native_cond native; ///< On the monotonic clock.
};

/// Stays where it is until joined.
struct wf_base_thread {
    wf_base_native_thread native;
    void (*fn)(void *user);
    void *user;
    char name[16];
};

/// A lock for what is held briefly, taken very often and seldom fought over: it costs half of what
/// a mutex does, for leaving it is a plain store. Of those who wait for it, one looks again and
/// again, with pauses, and the others sleep.
struct wf_base_latch {
    atomic_bool held;
    struct wf_base_mutex waiting;
};

/// Zero-initialise with WF_BASE_ONCE_INIT.
struct wf_base_once {
    wf_base_native_once native;
};

// clang-format off
#define WF_BASE_ONCE_INIT {WF_BASE_NATIVE_ONCE}
#define WF_BASE_MUTEX_INIT {WF_BASE_NATIVE_MUTEX}
// clang-format on

/// False when the system has no room for it.
bool wf_base_mutex_init(struct wf_base_mutex *mutex);
void wf_base_mutex_finish(struct wf_base_mutex *mutex);
void wf_base_mutex_lock(struct wf_base_mutex *mutex);
void wf_base_mutex_unlock(struct wf_base_mutex *mutex);

/// False when the system has no room for it.
bool wf_base_latch_init(struct wf_base_latch *latch);
void wf_base_latch_finish(struct wf_base_latch *latch);
void wf_base_latch_wait(struct wf_base_latch *latch); ///< For wf_base_latch_lock().

static inline void wf_base_latch_lock(struct wf_base_latch *latch)
{
    if (atomic_exchange_explicit(&latch->held, true, memory_order_acquire))
        wf_base_latch_wait(latch);
}

static inline void wf_base_latch_unlock(struct wf_base_latch *latch)
{
    atomic_store_explicit(&latch->held, false, memory_order_release);
}

/// Sleeps some microseconds; on Windows a millisecond or more.
void wf_base_thread_pause(void);

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

/// `name` (may be NULL) is for debuggers on Linux, cut at 15 bytes; elsewhere nobody is told. The
/// host's signals are blocked in the thread, so that its handlers run on its own threads; faults
/// are not. False when the system refuses.
bool wf_base_thread_start(struct wf_base_thread *thread, const char *name, void (*fn)(void *user),
                          void *user);
void wf_base_thread_join(struct wf_base_thread *thread);

void wf_base_once(struct wf_base_once *once, void (*fn)(void));

void wf_base_thread_yield(void); ///< Lets others run.

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

#endif
